"""Leaderboards: the public answer, its buttons, and who is named."""

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import PlaceKind
from bot.screens import Screen
from bot.store import places, standings
from bot.support.rates import Rates
from tests.bot.matches.test_ratings import lost
from tests.bot.store.sql import execute
from tests.bot.table import A_DAY, Person, Table, buttons, said, screen_of


def public(answer: Answer) -> Screen:
    assert answer.private is None
    assert answer.public is not None
    return answer.public


def least(table: Table, minimum: int) -> None:
    """Set how many matches a player needs to be listed."""
    table.configure("play", leaderboard_minimum=minimum)


async def alone(table: Table, person: Person, count: int, *, words: str = "") -> list[int]:
    """Resign so many boxes after one question each, and return the points."""
    points: list[int] = []
    for _ in range(count):
        match_id = await person.starts(f"/blackbox new {words}")
        await table.plays(match_id, "ask 1")
        await table.given_up(match_id, person)
        outcome = (await table.loaded(match_id)).match.outcome
        assert outcome is not None
        points += outcome.scores
    return points


@pytest.fixture
async def results(table: Table, anna: Person, ben: Person, cleo: Person) -> None:
    """Play results: Anna 3 of 4 against Ben, Cleo 1 of 1, with a minimum of 3 to be listed."""
    least(table, 3)
    for _ in range(3):
        await lost(table, ben, anna)
    await lost(table, anna, ben)
    await lost(table, ben, cleo)


async def test_a_leaderboard_without_players_says_so_and_has_no_buttons(
    table: Table, anna: Person, ben: Person
) -> None:
    for line in ("/leaderboard", "/leaderboard othello", "/leaderboard month"):
        assert anna.says("leaderboard-empty", platform="web") in said(await anna.types(line))
    least(table, 3)
    await lost(table, anna, ben)
    answer = await anna.types("/leaderboard")
    assert said(answer) == anna.says("leaderboard-too-few", count=3)
    assert not screen_of(answer).rows


async def test_everyone_reads_it_in_the_language_of_the_place(
    table: Table, anna: Person, ben: Person, results: None
) -> None:
    lounge = await places.change_place(
        table.app.store, table.lounge.id, settings={"language": "de"}
    )
    screen = public(await anna.types("/leaderboard othello", place=lounge))
    assert screen.title == ben.says("leaderboard-of", game="Othello")
    where = ben.says("leaderboard-community", platform="web")
    head, first, second, unsure = screen.text.splitlines()
    assert unsure == ben.says("rating-unsure")
    assert head == ben.says("leaderboard-all", where=where)
    for line, rank, name, count in ((first, 1, "Anna", 4), (second, 2, "Ben", 5)):
        value = line.split(": ")[1].split(" ")[0]
        assert value.endswith("?")
        assert line == ben.says("leaderboard-line", rank=rank, name=name, value=value, count=count)
    whole = public(await anna.types("/leaderboard", place=lounge))
    assert f"Othello\n{first}\n{second}" in whole.text
    assert ben.says("leaderboard-minimum", count=3) in whole.text
    # One leaderboard is a picture as well.
    assert screen.picture is not None
    assert screen.picture.width == 800
    assert screen.alt == screen.title
    assert whole.picture is None
    answer = await ben.presses(Action("ladder", argument="othello..reversi.0"))
    assert not answer.refused
    assert ben.says("leaderboard-too-few", count=3) in said(answer)


async def test_readers_find_their_own_rank_and_turn_pages_for_themselves(
    table: Table, anna: Person, ben: Person, cleo: Person, results: None
) -> None:
    told = public(await cleo.types("/leaderboard othello")).text
    assert told.splitlines()[-1] == cleo.says("leaderboard-missing", name="Cleo", count=2)
    least(table, 1)
    for number in range(10):
        await lost(table, anna, await table.arrive(f"P{number}"))
    text = public(await ben.types("/leaderboard othello")).text.splitlines()
    assert text[-3] == "…"
    rank, dot, name = text[-2].split(" ")[0].partition(".")
    assert int(rank) > 10
    assert (dot, name) == (".", "")
    assert " Ben: " in text[-2]
    assert sum("Ben" in line for line in text) == 1
    # Who stands on the page is not told twice, and who has not played is not named to all.
    on_page = await table.arrive("P0")
    assert "…" not in public(await on_page.types("/leaderboard othello")).text
    dora = await table.arrive("Dora")
    shown = await dora.types("/leaderboard othello")
    assert "Dora" not in public(shown).text
    second = await dora.presses(buttons(shown)[dora.says("button-more")])
    assert second.public is None
    lines = said(second).splitlines()[1:]
    assert [line.split(".")[0] for line in lines[:3]] == ["11", "12", "13"]
    assert dora.says("leaderboard-missing", name="Dora", count=1) in lines
    back = await dora.presses(buttons(second)[dora.says("button-back")])
    assert said(back).startswith(public(shown).text)
    for page in (2, 999):
        gone = await dora.presses(Action("ladder", argument=f"othello..othello.{page}"))
        assert gone.refused
        assert said(gone) == dora.says("error-no-such-page", page=page + 1)


async def test_a_month_counts_the_points_that_were_won_in_it(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    least(table, 1)
    await lost(table, ben, anna)
    table.clock.forward(40 * A_DAY)
    for winner in (ben, cleo):
        await lost(table, anna, winner)
    shown = await ben.types("/leaderboard monat othello")
    _, *lines, points = public(shown).text.splitlines()
    assert [line.split(".")[0] for line in lines] == ["1", "1", "3"]
    listed = public(await anna.types("/leaderboard othello month")).text.splitlines()[1:4]
    assert sorted(listed) == [
        anna.says(
            "leaderboard-line",
            rank=rank,
            name=name,
            value=anna.says("leaderboard-points", amount=amount),
            count=count,
        )
        for rank, name, amount, count in (
            (1, "Ben", 1.0, 1),
            (1, "Cleo", 1.0, 1),
            (3, "Anna", 0.0, 2),
        )
    ]
    assert points == anna.says("leaderboard-points-are")
    back = buttons(shown)[anna.says("button-ladder-all")]
    ever = said(await ben.presses(back))
    assert "Ben: " in ever
    assert "(2 Partien)" in ever
    assert "/rangliste monat" in await ben.completes("/leaderboard mon")
    assert await ben.types("/leaderboard othello all") == await ben.types("/leaderboard othello")


async def test_a_button_that_was_never_offered_is_refused(anna: Person) -> None:
    for argument in (
        *("", "othello", "chess..x.0", "othello.x.othello.0", "othello..Othello.0"),
        *("othello..othello.-1", "othello..othello.99999", "othello..othello", "..x.0"),
        *("othello..nonsense.0", "othello...0", "othello.u.othello.0"),
    ):
        answer = await anna.presses(Action("ladder", argument=argument))
        assert answer.refused
        assert said(answer) == anna.says("error-button-unknown")


async def test_every_class_of_a_game_has_its_own_leaderboard(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    await lost(table, ben, anna, words="sogo", moves="a1,a2,a3,b1")
    await lost(table, anna, ben, words="sogo capture", moves="a1,a2,a3,b1")
    shown = await anna.types("/leaderboard sogo")
    (other,) = [button for button in buttons(shown).values() if button.label.startswith("Sogo · ")]
    assert said(await anna.presses(other)).splitlines()[1].startswith("1. Ben")
    for words, first in (("sogo", "Anna"), ("sogo capture", "Ben"), ("sogo line", "Anna")):
        screen = public(await anna.types(f"/leaderboard {words}"))
        assert screen.text.splitlines()[1].startswith(f"1. {first}"), words
    empty = await anna.types("/leaderboard sogo capture size=3")
    assert anna.says("leaderboard-too-few", count=1) in said(empty)
    for word in ("2", "week"):
        answer = await anna.types(f"/leaderboard othello {word}")
        options = "month, all, everywhere · variant=othello, variant=reversi"
        told = anna.says("error-option-unknown", word=word, options=options)
        assert said(answer) == told
    helped = said(await anna.types("/help leaderboard"))
    assert "[month or all]" in helped
    assert helped.endswith(anna.says("example-leaderboard", command="/leaderboard"))


async def test_only_fair_boxes_count_and_each_size_by_itself(table: Table, anna: Person) -> None:
    least(table, 1)
    large = await alone(table, anna, 2)
    await alone(table, anna, 1, words="fair=no")
    small = await alone(table, anna, 1, words="size=6 stones=3")
    shown = await anna.types("/leaderboard blackbox")
    (line,) = public(shown).text.splitlines()[1:]
    assert anna.says("leaderboard-average", amount=sum(large) / 2) in line
    assert line.endswith(", " + anna.says("leaderboard-best", best=min(large), streak=0))
    assert "(2 games)" in line
    (other,) = [button for label, button in buttons(shown).items() if "6" in label]
    (line,) = said(await anna.presses(other)).splitlines()[1:]
    assert anna.says("leaderboard-average", amount=float(small[0])) in line


async def test_unrated_short_and_frequent_matches_do_not_count(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    await lost(table, anna, ben, words="othello unrated")
    await lost(table, anna, ben, moves="d3,c3")
    assert anna.says("leaderboard-empty", platform="web") in said(
        await anna.types("/leaderboard othello")
    )
    for _ in range(6):
        await lost(table, anna, ben)
    assert "(5 games)" in public(await anna.types("/leaderboard othello")).text


async def test_what_was_played_elsewhere_counts_there_and_in_the_community(
    table: Table, anna: Person, ben: Person, results: None
) -> None:
    least(table, 1)
    garden = await table.channel("garden")
    here = await anna.types("/leaderboard othello", place=garden)
    assert "Anna" in public(here).text
    only = await anna.presses(buttons(here)[anna.says("button-ladder-place")], place=garden)
    assert anna.says("leaderboard-too-few", count=1) in said(only)
    assert "Ben" not in said(only)
    whole = buttons(only)[anna.says("button-ladder-community", platform="web")]
    assert said(await anna.presses(whole, place=garden)) == public(here).text


async def test_people_of_other_servers_are_not_named_in_public(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    store, kind = table.app.store, PlaceKind.CHANNEL
    club, hall, square, alone = [
        await places.get_or_create_place(
            store, "discord", external, kind=kind, title=external, community=community
        )
        for external, community in (("1/2", "1"), ("1/3", "1"), ("9/2", "9"), ("@me/5", None))
    ]
    await lost(table, anna, ben)
    await execute(store, f"UPDATE results SET place_id = {club.id}")
    await standings.rebuild(store)
    for line in ("/leaderboard", "/leaderboard othello", "/leaderboard month"):
        for place in (square, alone):
            told = await anna.types(line, place=place)
            assert told.public is None, line
            assert "Ben" not in said(told), line
        for place in (club, hall):
            assert "Ben" in public(await anna.types(line, place=place)).text
    # An ephemeral reply has the player's own line.
    for line in ("/leaderboard everywhere", "/rangliste othello überall"):
        answer = await anna.types(line, place=square)
        assert "Ben" in said(answer)
        assert screen_of(answer).secret
    nobody = await anna.types("/leaderboard othello", place=square)
    pressed = await anna.presses(buttons(nobody)[anna.says("button-ladder-overall")], place=square)
    assert "Ben" in said(pressed)
    assert screen_of(pressed).secret
    assert await anna.completes("/leaderboard e", place=square) == ["/leaderboard everywhere"]
    # In private no one else is named, and the rank in the whole installation is shown.
    text = public(await anna.types("/leaderboard othello", place=anna.direct)).text
    assert anna.says("leaderboard-overall") in text
    assert "Ben" in text


async def test_only_players_who_hide_their_record_read_that_they_do(
    table: Table, ben: Person, results: None
) -> None:
    await ben.presses(Action("settings", argument="record.me"))
    shown = await ben.types("/leaderboard othello")
    assert "Ben" not in public(shown).text
    assert ben.says("leaderboard-hidden") not in public(shown).text
    dora = await table.arrive("Dora")
    await dora.presses(Action("settings", argument="record.me"))
    for person in (ben, dora):
        mine = await person.presses(Action("ladder", argument="othello..othello.0"))
        assert said(mine).splitlines()[-1] == person.says("leaderboard-hidden")


async def test_without_a_game_the_best_three_of_each_game_are_shown_and_the_own_rank(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    for number in range(4):
        player = await table.arrive(f"P{number}")
        await alone(table, player, 1)
        await lost(table, ben, player)
    shown = await anna.types("/leaderboard")
    sections = public(shown).text.split("\n\n")
    name = anna.says("leaderboard-alone", game="Black Box")
    (boxes,) = [section for section in sections if section.startswith(name)]
    ranks = [line[:2] for line in boxes.splitlines()[1:]]
    # Boxes cost what they cost: some may have come to the same.
    assert (len(ranks), ranks[0]) == (3, "1.")
    assert ranks == sorted(ranks)
    button = buttons(shown)["Black Box"]
    assert len(said(await anna.presses(button)).splitlines()) == 6
    mine = public(await ben.types("/leaderboard")).text.split("\n\n")
    (othello,) = [section for section in mine if section.startswith("Othello")]
    assert [line.split(":")[0] for line in othello.splitlines()[1:]] == [
        "1. P0",
        "2. P1",
        "3. P2",
        "…",
        "5. Ben",
    ]
    # Who stands there anyhow, is in no list, or has not played, adds no line.
    await ben.presses(Action("settings", argument="record.me"))
    for reader in (anna, ben, await table.arrive("P0")):
        assert "…\n5." not in public(await reader.types("/leaderboard")).text


async def test_a_shown_leaderboard_is_drawn_without_counting_as_a_command(
    table: Table, anna: Person, ben: Person, results: None
) -> None:
    again = public(await ben.types("/leaderboard othello")).again
    assert again is not None
    table.commands._rates = Rates(1, 1000)
    mine = await anna.command()
    pictures = [await table.commands.drawn(mine, again.token) for _ in range(3)]
    assert pictures[0] is not None
    # The public picture is drawn once; a picture with a highlighted line is not shared.
    assert pictures[0] is pictures[1] is pictures[2]
    theirs = await table.commands.drawn(await ben.command(), again.token)
    assert theirs is not None
    assert theirs.data != pictures[0].data
    assert not (await anna.types("/help")).refused
    assert (await anna.types("/help")).refused
    # Other tokens draw nothing.
    for token in ("matches:0:0:", "ladder:0:0:nonsense", "nonsense"):
        assert await table.commands.drawn(mine, token) is None
