"""Leaderboards: the public answer, its buttons, and who is named."""

import pytest

import games
from bot.actions import Action
from bot.commands import Answer
from bot.model import PlaceKind
from bot.rates import Rates
from bot.screens import Screen
from bot.store import places, standings
from bot.texts import LANGUAGES
from tests.bot.table import Person, Table, buttons, said
from tests.bot.test_ratings import lost

EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
A_DAY = 24 * 3600


def public(answer: Answer) -> Screen:
    assert answer.private is None
    assert answer.public is not None
    return answer.public


def least(table: Table, minimum: int) -> None:
    """So many matches it takes to be listed."""
    play = table.settings.play.model_copy(update={"leaderboard_minimum": minimum})
    table.app.settings = table.settings.model_copy(update={"play": play})


async def alone(table: Table, person: Person, count: int, *, words: str = "") -> list[int]:
    """Resign so many boxes after one question each, and return the points."""
    points: list[int] = []
    for _ in range(count):
        await person.types(f"/blackbox new {words}")
        match_id = await table.newest()
        await table.plays(match_id, "ask 1")
        await table.given_up(match_id, person)
        outcome = (await table.loaded(match_id)).match.outcome
        assert outcome is not None
        points += outcome.scores
    return points


@pytest.fixture
async def results(table: Table, anna: Person, ben: Person, cleo: Person) -> None:
    """Anna 3 of 4 against Ben, Cleo 1 of 1: too few to be listed with a minimum of 3."""
    least(table, 3)
    for _ in range(3):
        await lost(table, ben, anna)
    await lost(table, anna, ben)
    await lost(table, ben, cleo)


@pytest.mark.parametrize("line", ["/leaderboard", "/leaderboard othello", "/leaderboard month"])
async def test_where_nobody_has_played_whoever_asks_is_told_how_to_begin(
    anna: Person, line: str
) -> None:
    assert anna.says("leaderboard-empty") in said(await anna.types(line))


@EACH_LANGUAGE
async def test_everybody_reads_it_in_the_language_of_the_place(
    table: Table, results: None, language: str
) -> None:
    asker = await table.arrive("Dora", locale="de" if language == "en" else "en")
    reader = await table.arrive("Emil", locale=language)
    settings = {"language": language}
    lounge = await places.change_place(table.app.store, table.lounge.id, settings=settings)
    screen = public(await asker.types("/leaderboard othello", place=lounge))
    assert screen.title == reader.says("leaderboard-of", game="Othello")
    where = reader.says("leaderboard-community", platform="web")
    head, first, second, unsure = screen.text.splitlines()
    assert unsure == reader.says("rating-unsure")
    assert head == reader.says("leaderboard-all", where=where)
    for line, rank, name, count in ((first, 1, "Anna", 4), (second, 2, "Ben", 5)):
        value = line.split(": ")[1].split(" ")[0]
        assert value.endswith("?")
        assert line == reader.says(
            "leaderboard-line", rank=rank, name=name, value=value, count=count
        )
    overview = public(await asker.types("/leaderboard", place=lounge)).text
    assert f"Othello\n{first}\n{second}" in overview
    assert reader.says("leaderboard-minimum", count=3) in overview


async def test_ones_own_rank_is_always_there_and_what_is_missing(
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
    assert "Dora" not in public(await dora.types("/leaderboard othello")).text


@EACH_LANGUAGE
async def test_of_a_month_it_says_what_points_are(
    table: Table, anna: Person, ben: Person, language: str
) -> None:
    least(table, 1)
    reader = await table.arrive("Zoe", locale=language)
    await lost(table, anna, ben)
    await lost(table, anna, reader)
    lines = public(await reader.types("/leaderboard othello month", place=reader.direct)).text
    _, first, second, third, points = lines.splitlines()
    assert [line.split(".")[0] for line in (first, second, third)] == ["1", "1", "3"]
    assert points == reader.says("leaderboard-points-are")
    ever = public(await reader.types("/leaderboard othello", place=reader.direct)).text
    assert ever.splitlines()[-1] == reader.says("rating-unsure")


async def test_what_is_said_behind_a_leaderboard_is_understood_or_answered(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    await lost(table, ben, anna)
    await lost(table, anna, ben, words="reversi", moves="d4,e4,d5,e5")
    for line in ("/leaderboard reversi", "/leaderboard othello reversi"):
        shown = public(await anna.types(line))
        assert shown.title.endswith("Othello · Reversi")
        assert shown.text.splitlines()[1].startswith("1. Ben")
    for word in ("2", "week"):
        answer = said(await anna.types(f"/leaderboard othello {word}"))
        options = "month, all, everywhere · variant=othello, variant=reversi"
        assert answer == anna.says("error-option-unknown", word=word, options=options)
    helped = said(await anna.types("/help leaderboard"))
    assert "[month or all]" in helped
    assert helped.endswith(anna.says("example-leaderboard", command="/leaderboard"))


async def test_pages_are_turned_by_whoever_presses_and_for_them_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    for number in range(12):
        await lost(table, ben, await table.arrive(f"P{number}"))
    shown = await anna.types("/leaderboard othello")
    names = [line.split(": ")[0] for line in public(shown).text.splitlines()[1:-1]]
    assert len(names) == 10
    more = buttons(shown)[anna.says("button-more")]
    second = await anna.presses(more)
    assert second.public is None
    lines = said(second).splitlines()[1:]
    assert [line.split(".")[0] for line in lines[:3]] == ["11", "12", "13"]
    assert lines[4] == anna.says("leaderboard-missing", name="Anna", count=1)
    assert said(await anna.presses(buttons(second)[anna.says("button-back")])).startswith(
        public(shown).text
    )
    for token in ("othello..othello.2", "othello..othello.999"):
        gone = await anna.presses(Action("ladder", argument=token))
        assert gone.refused
        page = int(token.rpartition(".")[2]) + 1
        assert said(gone) == anna.says("error-no-such-page", page=page)


@pytest.mark.parametrize(
    "argument",
    [
        *("", "othello", "chess..x.0", "othello.x.othello.0", "othello..Othello.0"),
        *("othello..othello.-1", "othello..othello.99999", "othello..othello", "..x.0"),
        *("othello..nonsense.0", "othello...0", "othello.u.othello.0"),
    ],
)
async def test_what_was_never_offered_is_no_leaderboard(anna: Person, argument: str) -> None:
    answer = await anna.presses(Action("ladder", argument=argument))
    assert answer.refused
    assert said(answer) == anna.says("error-button-unknown")


async def test_a_class_that_nobody_has_played_has_nobody_on_it(anna: Person, results: None) -> None:
    answer = await anna.presses(Action("ladder", argument="othello..reversi.0"))
    assert not answer.refused
    assert anna.says("leaderboard-too-few", count=3) in said(answer)


@EACH_LANGUAGE
async def test_this_month_counts_what_was_won_in_it(
    table: Table, anna: Person, ben: Person, language: str
) -> None:
    least(table, 1)
    reader = await table.arrive("Dora", locale=language)
    await lost(table, ben, anna)
    table.clock.forward(40 * A_DAY)
    await lost(table, anna, ben)
    month = {"en": "month", "de": "monat"}[language]
    text = public(await anna.types(f"/leaderboard othello {month}")).text
    points = [anna.says("leaderboard-points", amount=float(amount)) for amount in (1, 0)]
    for rank, (name, value) in enumerate(zip(("Ben", "Anna"), points, strict=True), 1):
        line = anna.says("leaderboard-line", rank=rank, name=name, value=value, count=1)
        assert line in text
    shown = await reader.types(f"/leaderboard {month} othello")
    back = buttons(shown)[anna.says("button-ladder-all")]
    assert f"(2 {'Partien' if language == 'de' else 'games'})" in said(await reader.presses(back))
    assert month in " ".join(await reader.completes("/leaderboard mon"))
    assert await reader.types("/leaderboard othello all") == await reader.types(
        "/leaderboard othello"
    )


async def test_every_class_of_a_game_has_a_leaderboard_of_its_own(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    await lost(table, ben, anna, words="sogo", moves="a1,a2,a3,b1")
    await lost(table, anna, ben, words="sogo capture", moves="a1,a2,a3,b1")
    shown = await anna.types("/leaderboard sogo")
    assert public(shown).text.splitlines()[1].startswith("1. Anna")
    (other,) = [button for button in buttons(shown).values() if button.label.startswith("Sogo · ")]
    answer = await anna.presses(other)
    assert said(answer).splitlines()[1].startswith("1. Ben")


async def test_the_class_that_is_named_is_the_one_that_is_told(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    await lost(table, ben, anna, words="sogo", moves="a1,a2,a3,b1")
    await lost(table, anna, ben, words="sogo capture", moves="a1,a2,a3,b1")
    for words, first in (("sogo", "Anna"), ("sogo capture", "Ben"), ("sogo line", "Anna")):
        shown = public(await anna.types(f"/leaderboard {words}"))
        assert shown.text.splitlines()[1].startswith(f"1. {first}"), words
    nobody = await anna.types("/leaderboard sogo capture size=3")
    assert anna.says("leaderboard-too-few", count=1) in said(nobody)


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
    text = said(await anna.types("/stats"))
    for game, scores in (("Black Box,", large), ("Black Box · ", small)):
        told = anna.says(
            "stats-alone",
            game="@",
            average=sum(scores) / len(scores),
            best=min(scores),
            streak=0,
            most=0,
            count=len(scores),
        ).partition("@")[2]
        assert any(one.startswith(game) and one.endswith(told) for one in text.splitlines())


async def test_unrated_short_and_frequent_matches_count_for_nobody(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    await lost(table, anna, ben, words="othello unrated")
    await lost(table, anna, ben, moves="d3,c3")
    assert anna.says("leaderboard-empty") in said(await anna.types("/leaderboard othello"))
    for _ in range(7):
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


@pytest.mark.parametrize("platform", ["discord", "telegram"])
async def test_people_of_other_servers_are_not_named_in_public(
    table: Table, anna: Person, ben: Person, platform: str
) -> None:
    least(table, 1)
    store, kind = table.app.store, PlaceKind.CHANNEL
    club, hall, square, alone = [
        await places.get_or_create_place(
            store, platform, external, kind=kind, title=external, community=community
        )
        for external, community in (("1/2", "1"), ("1/3", "1"), ("9/2", "9"), ("@me/5", None))
    ]
    await lost(table, anna, ben)
    async with store.write() as connection:
        await connection.exec_driver_sql(f"UPDATE results SET place_id = {club.id}")
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
        assert answer.private is not None
        assert answer.private.secret
    nobody = await anna.types("/leaderboard othello", place=square)
    pressed = await anna.presses(buttons(nobody)[anna.says("button-ladder-overall")], place=square)
    assert pressed.private is not None
    assert "Ben" in said(pressed)
    assert pressed.private.secret
    assert await anna.completes("/leaderboard e", place=square) == ["/leaderboard everywhere"]
    # In private no one else is named, and the rank in the whole installation is shown.
    text = public(await anna.types("/leaderboard othello", place=anna.direct)).text
    assert anna.says("leaderboard-overall") in text
    assert "Ben" in text


async def test_who_keeps_to_themselves_is_told_so_alone(ben: Person, results: None) -> None:
    await ben.presses(Action("settings", argument="record.me"))
    shown = await ben.types("/leaderboard othello")
    assert "Ben" not in public(shown).text
    assert ben.says("leaderboard-hidden") not in public(shown).text
    mine = await ben.presses(Action("ladder", argument="othello..othello.0"))
    assert said(mine).splitlines()[-1] == ben.says("leaderboard-hidden")


async def test_who_keeps_to_themselves_is_not_told_how_to_be_listed(
    table: Table, results: None
) -> None:
    dora = await table.arrive("Dora")
    await dora.presses(Action("settings", argument="record.me"))
    mine = await dora.presses(Action("ladder", argument="othello..othello.0"))
    assert said(mine).splitlines()[-1] == dora.says("leaderboard-hidden")


async def test_ones_own_rank_is_told_of_each_game_as_well(
    table: Table, anna: Person, ben: Person
) -> None:
    least(table, 1)
    for number in range(4):
        await lost(table, ben, await table.arrive(f"P{number}"))
    section = public(await ben.types("/leaderboard")).text.split("\n\n")[1].splitlines()
    assert [line.split(":")[0] for line in section[1:]] == [
        "1. P0",
        "2. P1",
        "3. P2",
        "…",
        "5. Ben",
    ]
    # Who stands there anyhow, is in no list, or has not played, adds no line.
    await ben.presses(Action("settings", argument="record.me"))
    for reader in (anna, ben, await table.arrive("P0")):
        assert "…" not in public(await reader.types("/leaderboard")).text


async def test_without_a_game_each_that_is_played_here_is_told_with_three(
    table: Table, anna: Person
) -> None:
    least(table, 1)
    for number in range(4):
        await alone(table, await table.arrive(f"P{number}"), 1)
    shown = await anna.types("/leaderboard")
    _, section, _ = public(shown).text.split("\n\n")
    name = anna.says("leaderboard-alone", game="Black Box")
    head, *ranks = [line[:2] for line in section.splitlines()]
    # Boxes cost what they cost: some may have come to the same.
    assert (head, len(ranks), ranks[0]) == (name[:2], 3, "1.")
    assert ranks == sorted(ranks)
    (button,) = buttons(shown).values()
    assert len(said(await anna.presses(button)).splitlines()) == 6
    told = [game_id for game_id in games.ids() if anna.says(f"{game_id}-name") in section]
    assert told == ["blackbox"]


async def test_whoever_looks_at_leaderboards_of_others_has_used_up_no_command_of_theirs(
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
    # What is no picture of that kind is not done for anybody who looks.
    for token in ("matches:0:0:", "ladder:0:0:nonsense", "nonsense"):
        assert await table.commands.drawn(mine, token) is None


async def test_a_leaderboard_is_a_picture_as_well_that_says_in_words_what_it_is(
    anna: Person, results: None
) -> None:
    screen = public(await anna.types("/leaderboard othello"))
    assert screen.picture is not None
    assert screen.picture.width == 800
    assert screen.alt == screen.title
    assert public(await anna.types("/leaderboard")).picture is None
