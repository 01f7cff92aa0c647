"""``/stats``: records, ratings, habits, opponents, and who may read them."""

import re
from dataclasses import replace

from bot.domain.actions import Action
from bot.matches.erasing import erase
from bot.support.platforms import WEB, Medium
from tests.bot.matches.test_ratings import FOUR, lost
from tests.bot.table import Person, Table, said, screen_of


def record(person: Person, key: str, wins: int, losses: int, draws: int = 0, **named: str) -> str:
    rate = round(100 * (wins + draws / 2) / (wins + draws + losses))
    more = {"rate": rate} if key == "stats-versus" else {}
    return person.says(key, wins=wins, draws=draws, losses=losses, **named, **more)


async def test_the_bot_and_a_new_player_have_no_record(anna: Person, ben: Person) -> None:
    assert said(await ben.types("/stats")) == ben.says("stats-none")
    for name in ("azumaya", "@azumaya", "@Azumaya", "bot"):
        answer = await anna.types(f"/stats {name}")
        assert answer.refused
        assert said(answer) == anna.says("error-stats-house")


async def test_stats_show_the_games_of_a_player_and_their_opponents(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    dora = await table.arrive("Dora", locale="de")
    for _ in range(3):
        await lost(table, ben, anna)
        # Streaks go on in the next month.
        table.clock.forward(40 * 24 * 3600)
    await lost(table, anna, ben, moves="d3,c3,c4,e3,f4,c5")
    await lost(table, cleo, anna)
    for text in ("/stats @Anna", "/stats anna", "/stats  ANNA "):
        lines = said(await dora.types(text)).splitlines()
        assert lines[0] == record(dora, "stats-versus", 4, 1, game="Othello")
        assert dora.says("stats-streak", going=1, most=3) in lines
        assert dora.says("rating-unsure") in lines
        assert dora.says("stats-longest", game="Othello", count=6) in lines
        assert record(dora, "stats-opponent", 3, 1, name="Ben") in lines
        assert record(dora, "stats-opponent", 1, 0, name="Cleo") in lines
    # The record against the reader comes first, from the reader's side.
    theirs = said(await ben.types("/stats @Anna"))
    assert record(ben, "stats-against-you", 1, 3, name="Anna") in theirs
    # That is said once, from one side.
    assert record(ben, "stats-opponent", 3, 1, name="Ben") not in theirs
    assert record(ben, "stats-opponent", 1, 0, name="Cleo") in theirs
    most = said(await cleo.types("/stats @Anna othello"))
    assert record(cleo, "stats-versus", 4, 1, game="Othello") in most
    for line in ("/stats @Anna sogo", "/stats sogo"):
        assert said(await cleo.types(line)) == cleo.says("stats-none")
    assert "stats-against-you" not in said(await anna.types("/stats"))
    unknown = said(await cleo.types("/stats Nobody"))
    assert unknown == cleo.says("error-unknown-person", platform="web", name="Nobody")


async def test_how_somebody_likes_to_begin_is_told_of_the_matches_that_they_began(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, anna, ben, words="othello first", moves=FOUR)
    await lost(table, anna, ben, words="othello first", moves=FOUR)
    # Twice is no habit yet.
    assert "d3" not in said(await anna.types("/stats"))
    assert ben.says("stats-streak-most", most=2) in said(await ben.types("/stats"))
    await lost(table, anna, ben, words="othello first", moves="c4,c3,d3,c5")
    await lost(table, ben, anna, words="othello first", moves="f5,d6,c3,d3")
    for reader in (anna, ben):
        line = reader.says("stats-opening", game="Othello", move="d3", times=2, count=3)
        assert line in said(await reader.types("/stats anna")).splitlines()


async def test_opponents_who_keep_to_themselves_or_are_gone_are_not_named(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    await lost(table, ben, anna)
    await lost(table, cleo, anna)
    await ben.presses(Action("settings", argument="record.me"))
    await erase(table.app.store, table.app.matches, cleo.id)
    await table.app.on_remote_change()
    text = said(await anna.types("/stats"))
    assert record(anna, "stats-versus", 2, 0, game="Othello") in text
    for name in ("Ben", "Cleo", anna.says("name-erased")):
        assert name not in text


async def test_a_rating_has_a_curve_as_soon_as_there_is_one(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, ben, anna)
    first = screen_of(await anna.types("/stats"))
    assert first.picture is None
    await lost(table, anna, ben)
    screen = screen_of(await anna.types("/stats"))
    assert screen.picture is not None
    assert screen.alt.startswith(anna.says("stats-curve", name="Anna", game="Othello"))
    assert "1662" in screen.alt


async def test_the_web_app_has_room_for_the_curves_of_all_games(
    table: Table, anna: Person, ben: Person
) -> None:
    for _ in range(2):
        await lost(table, ben, anna)
        await lost(table, ben, anna, words="morris", moves="a1,a4,d1,d2")
    one = (await anna.types("/stats")).private
    page = replace(await anna.command(), medium=Medium(name=WEB))
    all_games = (await table.commands.run_line(page, "/stats")).private
    assert one is not None
    assert all_games is not None
    assert one.picture is not None
    assert all_games.picture is not None
    assert all_games.picture.height == 2 * one.picture.height
    for game in ("morris", "othello"):
        assert (
            anna.says("stats-curve", name="Anna", game=anna.says(f"{game}-name")) in all_games.alt
        )


async def test_averages_have_the_decimal_mark_of_the_language(
    table: Table, anna: Person, ben: Person
) -> None:
    for person, mark in ((anna, "."), (ben, ",")):
        match_id = await person.starts("/blackbox new")
        await table.plays(match_id, "ask 1")
        await table.given_up(match_id, person)
        assert re.search(rf"2[67]\{mark}0 ", said(await person.types("/stats")))


async def test_ratings_stand_in_the_order_of_records(
    table: Table, anna: Person, ben: Person
) -> None:
    # The ones of the most matches would come first.
    for _ in range(2):
        await lost(table, ben, anna)
    await lost(table, ben, anna, words="morris", moves="a1,a4,d1,d2")
    lines = said(await anna.types("/stats")).splitlines()
    morris, othello = (anna.says(f"{game}-name") for game in ("morris", "othello"))
    assert [
        name for line in lines for name in (morris, othello) if line.startswith(f"{name}:")
    ] == [morris, othello]
    rated = [line for line in lines if line.startswith("Rating")]
    assert [name for line in rated for name in (morris, othello) if name in line] == [
        morris,
        othello,
    ]
