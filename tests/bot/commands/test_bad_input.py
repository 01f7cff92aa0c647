"""Arbitrary input gets a clear private answer, and changes nothing by mistake."""

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.typing import EventDict

from bot.commands import Answer, verbs
from bot.commands import table as command_table
from bot.store import match_queries
from bot.support.errors import StoreError
from bot.support.texts import Texts
from tests.bot.table import Person, Table, said, screen_of
from tests.sampling import sampled

FIXTURES_STAY = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
"""All examples may share one app, since refusals leave no trace."""
ANYTHING = st.text(st.characters(), max_size=80)
COMMANDS = [spec.name for spec in command_table()]
_WORDS = (
    "@Ben @ @azumaya #1 1 new neu d3 a1 black de rules=reversi size=5 = theme dark yes ask guess"
    " ² othello morris blackbox �"
)
WORDS = st.sampled_from(_WORDS.split())


async def told(table: Table, answer: Answer) -> None:
    """Check that the answer has a text, or that a board has changed."""
    shown = len(table.wall.shown)
    if answer.private is not None:
        assert answer.private.text or answer.private.picture or answer.private.title
        (answer.private.title + answer.private.text).encode()
        assert Texts("en")("error-ours") not in answer.private.text
    elif answer.public is not None:
        assert answer.public.text
    else:
        await table.settle()
        assert len(table.wall.shown) > shown


UNKNOWN = {
    "/checkers": "/checkers",
    "/": "/",
    "//": "//",
    "/ othello": "/",
    "/" + "x" * 5000: "/" + "x" * 32,
    "/\x00\x1b[2J\u202eolleh": "/[2Jolleh",
    "/\ud800x": "/x",
    "/@everyone": "/@everyone",
    "/__init__": "/__init__",
}
"""Lines that are no command, with the word that the refusal quotes."""


async def test_an_unknown_command_is_named(anna: Person, ben: Person) -> None:
    for person in (anna, ben):
        for line, word in UNKNOWN.items():
            answer = await person.types(line)
            assert answer.refused, line
            assert said(answer) == person.says(
                "error-unknown-command", word=word, help=person.calls("help")
            )


async def test_an_endless_argument_is_refused(anna: Person) -> None:
    # Records are long.
    for name in (one for one in COMMANDS if one != "import"):
        for argument in ("x" * 201, "x " * 101, "@" + "x" * 5000):
            answer = await anna.types(f"/{name} {argument}")
            assert said(answer) == anna.says("error-too-long", most=200), name


async def test_an_empty_argument_is_none(anna: Person) -> None:
    for name in COMMANDS:
        plain = await anna.types(f"/{name}")
        for argument in ("", "\u200b"):
            assert await anna.types(f"/{name} {argument}") == plain, name


async def test_any_space_separates_a_command_from_its_argument(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    assert await anna.types("/othello\nd3") == Answer()
    assert await ben.types("/othello\u3000c3") == Answer()
    assert [ply.notation for ply in (await table.loaded(match)).match.plies] == ["d3", "c3"]


FORGED = (
    "",
    "x",
    "step",
    "step:1:2",
    "dance:0:0:",
    "__class__:0:0:",
    "step:1:2:" + "x" * 100,
    "start:0:0:othello.²",
    "apart:0:0:othello.0",
    "start:0:0:~1",
    "challenge:0:0:",
    "challenge:0:0:othello",
    "challenge:0:0:٣.othello",
    "challenge:0:0:999999.othello",
    "challenge:0:0:99999999999999999999.othello",
    "challenge:0:0:-1.othello",
)


async def test_a_forged_button_is_refused(table: Table, anna: Person) -> None:
    away = await table.arrive("Away", platform="elsewhere")
    challenges = [f"challenge:0:0:{person.id}.othello" for person in (anna, away)]
    for token in (*FORGED, *challenges, *(f"{one}.{'0' * 16}" for one in challenges)):
        answer = await anna.presses(token)
        assert answer.refused, token
        assert said(answer) == anna.says("error-button-unknown"), token


@pytest.mark.parametrize("state", sampled(["proposed", "running", "over"], "running"))
async def test_a_spectator_changes_nothing_with_any_button(
    table: Table, anna: Person, ben: Person, cleo: Person, state: str
) -> None:
    match_id = await anna.starts("/othello @Ben")
    if state != "proposed":
        await ben.types("/accept")
    if state == "over":
        await ben.presses(f"resign:{match_id}:2:yes")
    before = await table.loaded(match_id)
    version = before.match.version
    ways = (("", 0), ("", version), ("d3", version), ("yes", version), ("yes", version + 1))
    for verb, (argument, seen) in product(verbs(), ways):
        await told(table, await cleo.presses(f"{verb}:{match_id}:{seen}:{argument}"))
    assert await table.loaded(match_id) == before


@FIXTURES_STAY
@given(token=st.one_of(ANYTHING, st.builds("{}:{}".format, st.sampled_from(verbs()), ANYTHING)))
async def test_whatever_is_pressed_is_answered(
    table: Table, anna: Person, match: int, token: str
) -> None:
    table.clock.forward(60)
    await told(table, await anna.presses(token))


@FIXTURES_STAY
@given(
    verb=st.sampled_from(verbs()),
    number=st.integers(0, 3),
    version=st.integers(0, 4),
    argument=st.one_of(WORDS, st.text("abcdefgh12345678.:=-² ", max_size=20)),
)
async def test_forged_buttons_do_what_is_allowed_or_say_why_not(
    table: Table, cleo: Person, match: int, *, verb: str, number: int, version: int, argument: str
) -> None:
    table.clock.forward(60)
    await told(table, await cleo.presses(f"{verb}:{number}:{version}:{argument}"))


@FIXTURES_STAY
@given(line=ANYTHING)
async def test_whatever_is_typed_is_answered(
    table: Table, anna: Person, match: int, line: str
) -> None:
    table.clock.forward(60)
    await told(table, await anna.types("/" + line))


@FIXTURES_STAY
@given(
    name=st.sampled_from([*COMMANDS, "reversi", "OTHELLO"]),
    words=st.lists(st.one_of(WORDS, ANYTHING), max_size=4),
)
async def test_whatever_follows_a_command_is_answered(
    table: Table, cleo: Person, match: int, *, name: str, words: list[str]
) -> None:
    table.clock.forward(60)
    await told(table, await cleo.types(" ".join([f"/{name}", *words])))


NASTY = [
    "<b>Eve</b>",
    "*Eve* [x](http://e.vil)",
    "everyone",
    "`Eve`",
    "Eve \\",
    "{ $x }",
    "E've\"%",
]


async def test_markup_in_a_name_is_shown_as_it_is(table: Table, anna: Person) -> None:
    for name in NASTY:
        eve = await table.arrive(name)
        match_id = await anna.starts(f"/othello @{name}")
        assert name in (await table.screen(match_id)).title
        await eve.types("/accept")
        assert name in (await table.screen(match_id)).title
        answer = screen_of(await anna.types(f"/stats {name}"))
        assert answer.title == anna.says("stats-title", name=name)


async def test_what_nobody_expected_is_logged_and_told(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    async def breaks(*_: Any, **__: Any) -> list[int]:
        raise ZeroDivisionError

    monkeypatch.setattr(match_queries, "of_user", breaks)
    answer = await anna.types("/matches")
    assert (said(answer), answer.refused) == (anna.says("error-ours"), True)
    (entry,) = [entry for entry in logged if "ZeroDivisionError" in entry.pop("exception", "")]
    assert (entry["verb"], entry["user"]) == ("matches", anna.id)


async def test_a_database_in_trouble_is_logged_in_a_line_and_told(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    async def fails(*_: Any, **__: Any) -> list[int]:
        raise StoreError("azumaya.db: disk I/O error")

    monkeypatch.setattr(match_queries, "of_user", fails)
    assert said(await anna.types("/matches")) == anna.says("error-not-stored")
    assert logged[-1]["reason"] == "azumaya.db: disk I/O error"
