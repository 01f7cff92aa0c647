"""Ratings: which matches count, stored with the result, rebuilt from all results."""

from functools import partial

import pytest
from sqlalchemy import select, update

import games
from bot.commands.tokens import packed
from bot.domain.actions import Action
from bot.domain.glicko import DAY, NEW, Rating
from bot.domain.terms import rating_class
from bot.store import matches as match_store
from bot.store import personal_data, ratings, standings
from bot.store.schema import puzzle_attempts, puzzle_ratings, puzzles, rated_matches
from bot.support.texts import Texts
from tests.bot.posed import pose, puzzle
from tests.bot.store import sql
from tests.bot.table import Person, Table, buttons, said

FOUR = "d3,c3,c4,e3"
"""As many moves of Othello as count."""


async def rating(table: Table, person: Person, game: str = "othello") -> Rating:
    """Return a person's only rating in a game, or that of a new player."""
    found = await ratings.of_user(table.app.store, person.id)
    mine = [one for (game_id, _), one in found.items() if game_id == game]
    return mine[0] if mine else NEW


async def lost(
    table: Table, loser: Person, winner: Person, *, words: str = "othello", moves: str = FOUR
) -> int:
    """Start a match and resign it after some moves."""
    match_id = await table.begin(loser, winner, words=words, moves=moves)
    await table.given_up(match_id, loser)
    return match_id


async def test_a_match_that_was_asked_for_unrated_changes_no_rating(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello unrated", moves=FOUR)
    await table.given_up(match_id, anna)
    assert await rating(table, anna) == await rating(table, ben) == NEW
    await anna.presses(Action("again", match_id))
    again = await table.newest()
    assert again != match_id
    assert (await table.loaded(again)).match.terms.rated is None


async def test_that_it_is_rated_can_be_said_where_it_can_be(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello rated")
    assert (await table.loaded(match_id)).match.terms.rated == "othello"
    for line in ("othello rated hints", "othello rated unrated"):
        answer = await anna.types(f"/challenge @Ben {line}")
        assert said(answer) == anna.says("error-rated-not")
    assert await table.newest() == match_id


async def test_a_challenge_says_that_it_is_unrated_and_nothing_where_it_is_rated(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/challenge @Ben othello unrated")
    unrated = await table.screen(await table.newest(), ben)
    assert ben.says("challenge-unrated") in unrated.text
    await anna.types("/challenge @Ben othello")
    rated = await table.screen(await table.newest(), ben)
    assert ben.says("challenge-unrated") not in rated.text
    assert rated.match != unrated.match


async def test_the_start_menu_has_a_button_that_changes_whether_it_is_rated(
    table: Table, anna: Person
) -> None:
    game = games.get("othello")
    usual = packed(game, game.options_from({}))
    shown = buttons(await anna.presses(Action("options", argument=usual)))
    yes, no = (
        f"{anna.says('start-rated')}: {anna.says(said)}" for said in ("start-yes", "start-no")
    )
    shown = buttons(await anna.presses(shown[yes]))
    await anna.presses(shown[anna.says("button-start-open")])
    assert (await table.loaded(await table.newest())).match.terms.rated is None
    shown = buttons(await anna.presses(shown[no]))
    await anna.presses(shown[anna.says("button-start-open")])
    assert (await table.loaded(await table.newest())).match.terms.rated == "othello"


async def test_who_plays_alone_or_hides_something_is_asked_for_no_rating(
    table: Table, anna: Person
) -> None:
    game = games.get("blackbox")
    for mode in ("solo", "hide"):
        options = game.options_from({"mode": mode})
        assert rating_class(game, options) is None
        shown = buttons(await anna.presses(Action("options", argument=packed(game, options))))
        assert not [label for label in shown if anna.says("start-rated") in label]


@pytest.mark.parametrize(
    ("game_id", "chosen", "kind"),
    [
        ("sogo", {}, "4-line"),
        ("sogo", {"size": "3", "variant": "capture"}, "3-capture"),
        ("othello", {"rules": "reversi"}, "reversi"),
        ("morris", {"draw_after": "50"}, ""),
        ("moyo", {}, ""),
    ],
)
def test_what_is_another_game_by_its_options_is_a_class_of_its_own(
    game_id: str, chosen: dict[str, str], kind: str
) -> None:
    game = games.get(game_id)
    assert rating_class(game, game.options_from(chosen)) == kind


async def test_a_match_of_fewer_than_four_moves_is_not_rated(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await lost(table, anna, ben, moves="d3,c3,c4")
    assert await rating(table, anna) == NEW
    # The board gives the reason.
    assert anna.says("board-too-short") in (await table.screen(match_id, anna)).text.splitlines()


async def test_of_two_people_five_matches_count_in_a_day_whatever_they_play(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for _ in range(3):
        await lost(table, anna, ben)
    for _ in range(2):
        await lost(table, ben, anna, words="sogo", moves="a1,a2,a3,b1")
    before = await rating(table, anna), await rating(table, anna, "sogo")
    assert [one.matches for one in before] == [3, 2]
    sixth = await lost(table, ben, anna)
    assert (await rating(table, anna), await rating(table, anna, "sogo")) == before
    # The board gives the reason.
    said_so = Texts("en")("board-met-too-often", most=5)
    assert said_so in (await table.screen(sixth, anna)).text.splitlines()
    assert said_so not in (await table.screen(sixth - 1, anna)).text
    remembered = {each: (await table.loaded(each)).match for each in (sixth - 1, sixth)}
    assert await match_store.load_several(table.app.store, remembered) == remembered
    assert await match_store.load(table.app.store, sixth) == remembered[sixth]
    await lost(table, anna, cleo)
    assert (await rating(table, anna)).matches == 4
    table.clock.forward(DAY + 1)
    await lost(table, ben, anna)
    assert (await rating(table, anna)).matches == 5


async def test_nobody_is_rated_against_themself_whoever_they_were_taken_for(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, match_id = table.app.store, await table.begin(anna, ben)
    result = {"match_id": match_id, "game": "othello", "kind": "othello", "user_id": anna.id}
    rows = [{**result, "half_points": points, "at": store.now()} for points in (2, 0)]
    assert not await store.write(partial(ratings.count, counted=rows))
    await lost(table, ben, anna)
    await lost(table, cleo, anna)
    # From now on these two are one, and what was between them is worth nothing.
    for column in (rated_matches.c.first_id, rated_matches.c.second_id):
        linked = update(rated_matches).where(column == ben.id).values({column.name: anna.id})
        await sql.execute(table.app.store, linked)
    assert await standings.rebuild(table.app.store) == 1
    assert (await rating(table, anna)).matches == (await rating(table, cleo)).matches == 1


async def _leaderboard(person: Person) -> str:
    answer = await person.types("/leaderboard othello")
    assert answer.public is not None
    return answer.public.text


async def test_who_keeps_their_record_to_themselves_is_in_no_list_and_told_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    table.configure("play", leaderboard_minimum=1)
    await lost(table, anna, ben)
    assert "Ben" in await _leaderboard(anna)
    await ben.presses(Action("settings", argument="record.me"))
    board = await _leaderboard(anna)
    assert "Anna" in board
    assert "Ben" not in board
    refused = await anna.types("/stats @Ben")
    assert refused.refused
    assert said(refused) == anna.says("error-stats-hidden", name="Ben")
    assert "Othello" in said(await ben.types("/stats"))
    await ben.presses(Action("settings", argument="record.everybody"))
    assert "Othello" in said(await anna.types("/stats @Ben"))


async def test_that_a_match_is_unrated_is_offered_while_one_types_where_it_could_be_rated(
    anna: Person, ben: Person
) -> None:
    assert "/othello @Ben unrated" in await anna.completes("/othello @Ben unr")
    assert "/othello @Anna ungewertet" in await ben.completes("/othello @Anna ung")
    assert not await anna.completes("/blackbox @Ben unr")


async def test_one_is_given_ones_ratings_with_all_that_is_stored_of_one(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await lost(table, anna, ben)
    found = await personal_data.export(table.app.store, anna.id)
    assert [row["matches"] for row in found["ratings"]] == [1]
    assert [row["match_id"] for row in found["rated matches"]] == [match_id]
    # The opponent's ratings are not in it.
    for person in (anna, ben):
        found = await personal_data.export(table.app.store, person.id)
        (row,) = found["rated matches"]
        told = {
            key: of
            for key, of in row.items()
            if {"value", "deviation"}.intersection(key.split("_"))
        }
        (now,) = found["ratings"]
        assert told == {
            "value_before": NEW.value,
            "deviation_before": NEW.deviation,
            "value": now["value"],
            "deviation": now["deviation"],
        }


async def test_ratings_made_anew_leave_puzzles_and_what_people_are_worth_in_them_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, anna, ben)
    await pose(table.app.store, puzzle())
    attempt = (await anna.types("/puzzle othello")).board_in_dm
    await anna.presses(
        Action("resign", attempt, (await table.loaded(attempt)).match.version, "yes")
    )

    async def kept() -> list[list[tuple[object, ...]]]:
        return [
            [tuple(row) for row in await sql.rows(table.app.store, select(one))]
            for one in (puzzles, puzzle_ratings, puzzle_attempts)
        ]

    before = await kept()
    assert all(before)
    assert await standings.rebuild(table.app.store) == 1
    assert await kept() == before
