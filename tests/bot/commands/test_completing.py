"""Autocomplete."""

import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.typing import EventDict

import games
from bot.commands import Answer, CommandSpec, Kind
from bot.commands import table as command_table
from bot.commands.completing import MOST
from bot.domain.actions import Action
from bot.domain.model import HIDDEN, RECORD
from bot.matches.stock import store_stock
from bot.store import Store, people
from bot.support.errors import StoreError
from bot.support.platforms import Medium
from tests.bot.commands.test_offering import a_move
from tests.bot.matches.test_clocks_of_matches import A_DAY, goes_by
from tests.bot.table import A_MOMENT, Person, Table, said, screen_of
from tests.sampling import sampled

NAMES = [spec.name for spec in command_table()]


async def test_a_slash_offers_every_command(anna: Person) -> None:
    assert [line.strip("/ ") for line in await anna.completes("/")] == NAMES


COMPLETED = {
    "/l": ["/leaderboard ", "/language "],
    "/MA": ["/matches"],
    # Other words for a game lead to it.
    "/rever": ["/othello "],
    "/xyz": [],
    "play": [],
    "/rules ": [f"/rules {game_id}" for game_id in games.ids()],
    "/play ot": ["/play othello"],
    "/play MÜH": ["/play morris"],
    "/language D": ["/language de"],
    "/help le": ["/help leaderboard"],
    "/challenge @B": ["/challenge @Ben"],
    "/challenge oth": ["/challenge othello"],
    "/challenge @Ben oth": ["/challenge @Ben othello"],
    "/challenge othello @b": ["/challenge othello @Ben"],
    "/challenge @Ben othello variant=r": ["/challenge @Ben othello variant=reversi"],
    # One game is enough.
    "/challenge othello so": [],
    "/othello new v": ["/othello new variant=othello", "/othello new variant=reversi"],
    # Once they had other names, and who has learned those may go on typing them.
    "/othello @Ben rules=r": ["/othello @Ben variant=reversi"],
}


async def test_a_line_is_completed_word_by_word(anna: Person, ben: Person) -> None:
    assert {line: await anna.completes(line) for line in COMPLETED} == COMPLETED
    assert await ben.completes("/morris neu rem") == [
        f"/mühle neu remis={plies}" for plies in (20, 50, 100)
    ]


async def test_the_levels_of_the_computer_are_offered_after_its_name(anna: Person) -> None:
    for typed, levels in (
        ("/othello computer ", "12345"),
        ("/othello computer 4", "4"),
        ("/othello computer f", "4"),
        ("/othello new computer o", "5"),
        ("/challenge othello computer hed", "2"),
    ):
        before, _, _ = typed.rpartition(" ")
        assert await anna.completes(typed) == [f"{before} {level}" for level in levels]
    assert "/othello computer=4" in await anna.completes("/othello fo")
    assert "/othello computer=3" in await anna.completes("/othello comp")
    assert "/othello new computer=5" in await anna.completes("/othello new comp")
    assert not any("computer" in text for text in await anna.completes("/othello "))


async def test_people_whose_names_begin_like_that(anna: Person, ben: Person, table: Table) -> None:
    await table.arrive("Annabel Lee")
    await table.arrive("A%")
    assert await anna.completes("/stats @an") == ["/stats @Anna", "/stats @Annabel Lee"]
    assert await anna.completes("/stats @%") == []
    assert await anna.completes("/stats an") == []
    await table.arrive("Anna", platform="elsewhere")
    assert await anna.completes("/stats @anna") == ["/stats @Anna", "/stats @Annabel Lee"]
    # Hidden statistics are not offered.
    assert await anna.completes("/stats @b") == ["/stats @Ben"]
    await people.change_user(table.app.store, ben.id, settings={RECORD: HIDDEN})
    assert await anna.completes("/stats @b") == []
    assert await anna.completes("/block @b") == ["/block @Ben"]


async def test_what_is_offered_for_a_person_finds_that_person(table: Table, anna: Person) -> None:
    long = "Dr. Anna Maria von und zu Berg"
    await table.arrive(long)
    # Where handles are not names, the handle is offered.
    await people.get_or_create_user(table.app.store, "web", "x", name="Zoë ✨", handle="zoe_1999")
    for typed, handle, name in (("zo", "zoe_1999", "Zoë ✨"), ("dr.", long, long)):
        (line,) = await anna.completes(f"/stats @{typed}")
        assert line == f"/stats @{handle}"
        assert screen_of(await anna.types(line)).title == anna.says("stats-title", name=name)


async def test_legal_moves_are_offered_to_the_player_to_move_with_their_effect(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    assert await anna.completes("/othello d") == ["/othello d3"]
    assert await ben.completes("/othello d") == []
    assert await anna.completes("/othello ") == [
        *(f"/othello {move}" for move in ("d3", "c4", "f5", "e6")),
        "/othello new",
    ]
    command = await anna.command()
    hints = {
        found.text: found.hint for found in await table.commands.complete(command, "/othello d")
    }
    assert hints == {"/othello d3": "flips one disc"}


async def test_moves_are_offered_in_the_words_of_whoever_types(table: Table, ben: Person) -> None:
    await ben.types("/blackbox neu")
    assert await ben.completes("/blackbox fr") == [
        "/blackbox frage ",
        *(f"/blackbox frage {entry}" for entry in range(1, 12)),
    ]
    for verb in ("frage", "frag", "ask"):
        offered = await ben.completes(f"/blackbox {verb} 3")
        assert offered[:3] == [f"/blackbox frage {entry}" for entry in (3, 30, 31)]
    assert (await ben.completes("/blackbox 17"))[0] == "/blackbox frage 17"
    assert await ben.completes("/blackbox ra") == ["/blackbox rate"]
    assert await ben.completes("/blackbox markiere c4") == ["/blackbox markiere c4"]


async def test_a_match_is_found_by_number_or_name_however_many_there_are(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    named = replace(await anna.command(), medium=Medium(usernames=r"[A-Za-z0-9_]{5,32}"))
    assert await table.commands.run_line(named, "/othello @Zoe_1999") == Answer()
    held = await table.newest()
    for _ in range(13):
        await table.begin_alone(anna)
    # What waits for an answer of others comes behind all that waits for her.
    numbers = [one for one in range(await table.newest(), match - 1, -1) if one != held]
    every = [f"/board #{match_id}" for match_id in (*numbers, held)]
    assert await anna.completes("/board ") == every[:12]
    assert f"/board #{match}" in await anna.completes(f"/board #{match}")
    assert await anna.completes("/board ben") == [f"/board #{match}"]
    assert await anna.completes("/board @zoe") == [f"/board #{held}"]
    assert await anna.completes("/board othello") == [f"/board #{match}", f"/board #{held}"]
    found = await table.commands.complete(named, "/board ", Kind.MATCH, most=25)
    assert [f"/board {one.text}" for one in found] == every
    assert found[-2].hint == f"#{match} Othello · Anna ⚫ – ⚪ Ben"
    # A solo match is found by no name of a player.
    alone = await ben.starts("/blackbox neu")
    assert await ben.completes("/brett anna") == [f"/brett #{match}"]
    assert await ben.completes("/brett black") == [f"/brett #{alone}"]


async def test_terms_are_offered_only_where_a_match_could_begin(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/blackbox new")
    # Behind a move there are only moves.
    assert (await anna.completes("/blackbox mark c"))[0] == "/blackbox mark c1"
    for line in ("/blackbox mark c", "/blackbox a1 ", "/blackbox c"):
        assert not [one for one in await anna.completes(line) if "computer" in one]
    # What was said before goes together with what is offered.
    assert await anna.completes("/othello new clock=3d comp") == []
    assert await anna.completes("/othello new computer=3 clock") == []
    assert await anna.completes("/othello new clock=3d clock=5") == []
    assert await anna.completes("/othello @ann") == []
    assert await anna.completes("/clock ") == []
    match_id = await table.begin(anna, ben)
    assert f"/clock 3d #{match_id}" in await anna.completes("/clock 3d ")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=st.text(st.characters(), max_size=60), slash=st.sampled_from(["", "/", "/othello "]))
async def test_nothing_that_is_typed_breaks_it(anna: Person, line: str, slash: str) -> None:
    offered = await anna.completes(slash + line)
    assert all(found.startswith("/") for found in offered)


async def test_help_about_computers_is_offered_where_there_are_some(
    table: Table, anna: Person
) -> None:
    for enabled in (True, False):
        table.configure("computer", enabled=enabled)
        assert ("/help computer" in await anna.completes("/help comp")) == enabled


async def test_while_the_database_is_away_nothing_is_offered(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise StoreError("unable to open database file")

    command = await anna.command()
    monkeypatch.setattr(Store, "read", away)
    for line in ("/stats @an", "/othello d", "/analyse "):
        assert await table.commands.complete(command, line) == ()


SPECS = {spec.name: spec for spec in command_table()}


async def test_a_field_is_completed_by_what_can_stand_in_it(
    table: Table, anna: Person, match: int
) -> None:
    whole = await anna.command()
    for name, field, text, game, offered in (
        ("othello", Kind.MOVE, "d", "othello", ["d3"]),
        # What is chosen is sent as it is, and a new match is begun by the other fields.
        ("othello", Kind.MOVE, "n", "othello", []),
        ("othello", Kind.MOVE, "", "othello", ["d3", "c4", "f5", "e6"]),
        ("othello", Kind.MOVE, "new " * 51, "othello", []),
        ("challenge", Kind.OPTIONS, "variant=re", "othello", ["variant=reversi"]),
        ("challenge", Kind.OPTIONS, "rules=re", "", []),
        ("challenge", Kind.OPTIONS, "othello rules=re", "", ["othello variant=reversi"]),
        ("challenge", Kind.GAME, "oth", "", ["othello"]),
        ("resign", Kind.MATCH, "", "", ["#1"]),
        ("clock", Kind.MATCH, "", "", ["#1"]),
        ("withdraw", Kind.MATCH, "", "", []),
        ("resign", Kind.MATCH, "be", "", ["#1"]),
        ("resign", Kind.MATCH, "zoe", "", []),
        ("help", Kind.COMMAND, "lead", "", ["leaderboard"]),
        # A field has no place for what belongs into another one.
        ("challenge", Kind.OPTIONS, "oth", "othello", []),
    ):
        command = replace(whole, game=game)
        found = await table.commands.complete(command, f"/{name} {text}", field)
        assert [one.text for one in found] == offered, (name, text)
    german = replace(whole, client=replace(whole.client, locale="de"))
    found = await table.commands.complete(german, "/leaderboard ", Kind.PERIOD)
    assert [one.text for one in found] == ["monat", "alle"]


async def test_where_moves_are_too_many_their_verbs_come_first(table: Table, anna: Person) -> None:
    await anna.types("/blackbox new")
    verbs = games.get("blackbox").verbs
    offered = await anna.completes("/blackbox ")
    assert offered[: len(verbs)] == [f"/blackbox {verb} " for verb in verbs]
    for verb in verbs:
        begun = await anna.completes(f"/blackbox {verb[:2]}")
        assert [line for line in begun if line.endswith(" ")] in ([f"/blackbox {verb} "], [])
    assert (await anna.completes("/blackbox as"))[0] == "/blackbox ask "
    assert "/blackbox ask " not in await anna.completes("/blackbox ask ")
    # In a field, which has room for whole moves alone, one of each kind does.
    command = replace(await anna.command(), game="blackbox")
    found = await table.commands.complete(command, "/blackbox ", Kind.MOVE)
    kinds = [one.text.partition(" ")[0] for one in found]
    assert set(kinds[:3]) == set(kinds) == {"ask", "mark", "guess"}


async def test_a_line_of_words_that_name_no_one_costs_few_lookups(
    anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups, read = [0], Store.read

    def counted(*given: Any, **more: Any) -> Any:
        lookups[0] += 1
        return read(*given, **more)

    monkeypatch.setattr(Store, "read", counted)
    unknown = " ".join(f"{letter}." for letter in "abcdefghijklmnopq")
    for spec in command_table():
        for typed in (f"@{unknown} ", f"new @{unknown} ", f"othello @{unknown} ", f"{unknown} @"):
            lookups[0] = 0
            await anna.completes(f"/{spec.name} {typed}")
            # Fewer than three for each word that is offered.
            assert lookups[0] <= 3 * MOST + 5, (spec.name, typed)


async def test_what_moves_do_is_found_for_those_offered_and_not_on_the_event_loop(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.types("/blackbox new")
    await anna.types("/blackbox ask 17")
    loaded = await table.loaded(await table.newest())
    threads, effect = [], type(loaded.game).effect

    def counted(*given: object) -> object:
        threads.append(threading.current_thread())
        return effect(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(type(loaded.game), "effect", counted)
    # The ray may have come out at any other entry.
    notations = map(loaded.game.notation, loaded.position.moves(0))
    first, second, *_ = (one for one in notations if one.startswith("ask "))
    for line in ("/blackbox a", "/blackbox as", f"/blackbox {first}", "/blackbox "):
        assert await anna.completes(line)
    assert 0 < len(threads) <= 4 * MOST
    assert threading.main_thread() not in threads
    # What has been answered since can be asked no more.
    line = f"/blackbox {second}"
    assert line in await anna.completes(line)
    await anna.types(line)
    assert line not in await anna.completes(line)


class UndoneError(StoreError):
    """The transaction has passed all its checks, and is rolled back."""


class Undo:
    """A step of every transaction of a command, so that each starts from the same state."""

    def __call__(self, connection: object) -> None:
        raise UndoneError("undone")

    def committed(self) -> None:
        """Do nothing."""


Logged = list[EventDict]
Begin = Callable[[Table, Person, Person], Awaitable[None]]


def _types(person: str, *lines: str) -> Begin:
    """Return how a person types these lines."""

    async def begins(table: Table, anna: Person, ben: Person) -> None:
        for line in lines:
            assert not (await table.people[person].types(line)).refused

    return begins


async def _offers(table: Table, anna: Person, ben: Person) -> None:
    for game_id, person in (("othello", anna), ("morris", ben)):
        match_id = await table.begin(anna, ben, words=f"{game_id} unrated")
        for _ in range(2):
            await table.plays(match_id, await a_move(table, match_id))
        assert await person.types(f"/draw #{match_id}") == Answer()
    table.clock.forward(A_MOMENT)


async def _waits(table: Table, anna: Person, ben: Person) -> None:
    """Begin matches that can be claimed, nudged or neither: too early, timed, Anna to move."""
    for words, moves, days in (
        ("othello", "d3", 13),
        ("sogo", "a1", 1),
        ("othello", "d3", 0),
        ("othello 3d", "d3", 0),
        ("othello", "", 0),
    ):
        match_id = await table.begin(anna, ben, words=words)
        if moves:
            await table.plays(match_id, moves)
        if days:
            await goes_by(table, days * A_DAY + 1)


async def _over(table: Table, anna: Person, ben: Person) -> None:
    await table.given_up(await table.begin(anna, ben), ben)
    assert await anna.types("/blackbox new") == Answer()
    await table.given_up(await table.newest(), anna)


async def _study(table: Table, anna: Person, ben: Person) -> None:
    await _over(table, anna, ben)
    assert not (await anna.presses(Action("try", 1, 0, "1"))).refused


async def _puzzles(table: Table, anna: Person, ben: Person) -> None:
    """Begin a puzzle in the lounge and another one in the direct chat, with a match there."""
    await store_stock(table.app.store)
    for game_id, place in (("othello", table.lounge), ("sogo", anna.direct)):
        assert (await anna.types(f"/puzzle {game_id}", place=place)).public is None
    await anna.starts("/othello computer 2", place=anna.direct)


async def _several(table: Table, anna: Person, ben: Person) -> None:
    for words in ("othello", "othello hints", "othello takebacks 3d"):
        await table.begin(anna, ben, words=words)
    assert not (await anna.types("/block @Cleo")).refused
    await people.change_user(table.app.store, ben.id, settings={RECORD: HIDDEN})


def _of(game_id: str, *, is_mine: bool) -> Begin:
    """Return how a match of a game begins, in which Anna is to move if `is_mine`."""

    async def begins(table: Table, anna: Person, ben: Person) -> None:
        game = games.get(game_id)
        if game.seats(game.options_from({})) == 1:
            assert await (anna if is_mine else ben).types(f"/{game_id} new") == Answer()
            return
        match_id = await table.begin(anna, ben, words=game_id)
        if (min((await table.loaded(match_id)).turn) == 0) is not is_mine:
            await table.plays(match_id, await a_move(table, match_id))

    return begins


STATES: dict[str, Begin] = {
    "own challenges": _types("Anna", "/othello new", "/sogo @Ben unrated", "/blackbox new hide"),
    "challenged": _types("Ben", "/othello neu", "/sogo @Anna", "/morris @Anna 3t"),
    "offers": _offers,
    "computers": _types("Anna", "/othello computer 3 black", "/sogo computer second"),
    "over": _over,
    "waits": _waits,
    "several": _several,
    "study": _study,
    "puzzles": _puzzles,
    "away": _types("Anna", "/holiday 20d", "/quiet 22-7 Berlin"),
}
MATCHES = {
    f"{game_id}, {word}": (game_id, _of(game_id, is_mine=is_mine))
    for game_id in games.ids()
    for word, is_mine in (("to move", True), ("waiting", False))
}
TYPED = (
    *("", "c", "f", "@", "@b", "@Ben ", "a1 ", "mark c", "xyz ", "computer ", "22-7 ", "3d "),
    *("new ", "new comp", "new clock=3d ", "new computer=3 ", "@Ben clock=3d ", "@Ben mode=hide "),
    *("othello ", "blackbox ", "othello c", "month ", "@Ben othello "),
)
FIELDS = ("", "c", "f", "mark c", "22-7 ")


SAME_EVERYWHERE = {"help", "language", "leaderboard", "play", "rules"}
OF_A_MATCH = ("board", "clock", "draw", "hint", "moves", "resign", "takeback")
SAMPLES = (
    ("waits", _waits, ("claim", "nudge")),
    ("offers", _offers, ("accept", "clock")),
    ("blackbox", MATCHES["blackbox, to move"][1], ("blackbox",)),
)
CASES = (
    *SAMPLES,
    ("nothing", _types("Anna"), NAMES),
    *(
        (state, begin, [name for name in NAMES if name not in SAME_EVERYWHERE])
        for state, begin in STATES.items()
    ),
    *((state, begin, (game_id, *OF_A_MATCH)) for state, (game_id, begin) in MATCHES.items()),
)


async def test_nudges_and_claims_are_offered_in_matches_where_they_are_possible(
    table: Table, anna: Person, ben: Person
) -> None:
    await _waits(table, anna, ben)
    assert await anna.completes("/claim ") == ["/claim #1"]
    assert await anna.completes("/nudge ") == ["/nudge #2", "/nudge #1"]
    await people.change_user(table.app.store, ben.id, settings={"pings": "never"})
    assert await anna.completes("/nudge ") == []
    await ben.types("/holiday 1w")
    assert await anna.completes("/claim ") == []


@pytest.mark.parametrize("case", sampled(CASES, *SAMPLES), ids=lambda case: case[0])
@pytest.mark.parametrize("where", ["channel", pytest.param("direct", marks=pytest.mark.slow)])
@pytest.mark.usefixtures("cleo")
async def test_every_offer_of_every_completion_is_accepted(
    table: Table,
    anna: Person,
    ben: Person,
    case: tuple[str, Begin, Sequence[str]],
    *,
    where: str,
    logged: Logged,
) -> None:
    _, begin, names = case
    await begin(table, anna, ben)
    # There, a challenge is stored before its board is sent, which nothing undoes.
    table.app.matches.quotas = lambda: None
    place = anna.direct if where == "direct" else None
    commands, command = table.commands, await anna.command(place)
    dry = replace(command, unit=table.app.store.together_with(Undo()))
    refused, seen = dict[str, str](), set[str]()

    # The transaction was undone, or this machine is too slow for the engine.
    accepted = {anna.says(f"error-{code}") for code in ("not-stored", "thinking-slow")}

    def check(what: str, answer: Answer) -> None:
        if answer.refused and said(answer) not in accepted:
            refused[what] = said(answer)

    for line in (f"/{name} {typed}" for name in names for typed in TYPED):
        offered = {one.text for one in await commands.complete(command, line)} - seen
        seen |= offered
        for text in offered:
            # With a space behind it, more words follow.
            if not text.endswith(" "):
                check(text, await commands.run_line(dry, text))
    fields = replace(command, medium=Medium(has_fields=True))
    for spec in (SPECS[name] for name in names):
        # A game's command has a field for each option, and one for the clock.
        kinds = {*spec.kinds, *([Kind.CLOCK] if spec.game == "othello" else [])}
        for kind in kinds - {Kind.USER, Kind.CODE, *([Kind.OPTIONS] if spec.game else [])}:
            for typed in FIELDS:
                chosen = replace(fields, game="othello" if kind is Kind.OPTIONS else "")
                field = f"/{spec.name} {typed}"
                for one in await commands.complete(chosen, field, kind, most=25):
                    line = _with_required(spec, kind, one.text)
                    check(f"{line} ({kind})", await commands.run_line(dry, line))
    assert seen
    assert not refused
    logged[:] = [one for one in logged if "UndoneError" not in str(one)]


def _with_required(spec: CommandSpec, kind: Kind, text: str) -> str:
    """Return a line with one field, and those that are required with it."""
    if kind is Kind.MATCH and Kind.CLOCK in spec.kinds:
        text = f"2d {text}"
    elif kind is Kind.OPTIONS:
        text = f"othello {text}"
    elif kind is Kind.CLOCK and spec.game:
        text = f"new clock={text}"
    return f"/{spec.name} {text}"
