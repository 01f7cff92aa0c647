"""Hostile input from a seed: lines, tokens, frames, request bodies and names."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import cache
from random import Random
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import games
from bot.commands import table, verbs
from tools.bench.pictures import played

T = TypeVar("T")

_NASTY = (
    *("\x1b[2J", "\u202eevil\u202c", "é" * 200, "e" + "\u0301" * 64, "\ufdfa" * 32, "a" * 201),
    *("../../etc/passwd", "%2e%2e%2f", "%00", "%s%n%x", "{0}", "{name}", "${jndi:ldap://x}"),
    *("' or 1=1--", '"; drop table moves; --', "`id`", "$(id)", "<img src=x onerror=alert(1)>"),
    *("0", "-1", "1e9", "NaN", "１２", "²", "9" * 40, "null", "[[[[[[[[", "@everyone", "<@1>"),
    *("@azumaya", "@house", "@", "@Victim", "@Victoria", "@Anna", "#1", "/", "//", "new", "yes"),
    *("black", "reversi", "hide", "size=5", "size=99", "=", "mode=hide", "theme.dark"),
    *("language.de", "{ NUMBER(1) }", "\u2028", "\ud7ff", "\U0010ffff", "ﬁ", "ß", "İ"),
)


async def examples(strategy: st.SearchStrategy[T], luck: Random) -> AsyncIterator[T]:
    """Yield examples of a strategy without end, the same ones for the same `luck`."""
    while True:
        # In a thread: connections are closed that send nothing for long.
        for example in await asyncio.to_thread(batch, strategy, luck.randrange(2**32)):
            yield example


def batch(strategy: st.SearchStrategy[T], number: int) -> list[T]:
    """Return fifty examples, the same ones for the same number."""
    found: list[T] = []

    @seed(number)
    @settings(
        max_examples=50,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: T) -> None:
        found.append(example)

    collect()
    return found


@cache
def _steps() -> list[str]:
    """Return steps of legal moves in every game."""
    return sorted(
        {
            ".".join(game.steps(move))
            for game in map(games.get, games.ids())
            for position in played(game, 1)
            for seat in position.turn
            for move in position.moves(seat)
        }
    )


@st.composite
def spoilt(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Lose, double or change a part of a text."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    end = start + draw(st.integers(0, 6))
    return text[:start] + draw(st.just(2 * text[start:end]) | _nasty) + text[end:]


_nasty = st.sampled_from(_NASTY) | st.text(max_size=40)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _nasty,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_nasty, inner, max_size=3),
)
# Most of the first are ids of the victims' matches and of the forger's own.
_numbers = st.integers(0, 48) | st.sampled_from((10**9, 10**14))
_words = st.deferred(lambda: st.sampled_from(_steps())) | _nasty
arguments = _words | _numbers.map(str) | st.lists(_words, max_size=3).map(" ".join)
"""Arguments of commands and buttons."""

_commands = [*(spec.name for spec in table()), *games.ids(), "START", "privacy", "nothing"]
_lines = st.builds("/{} {}".format, st.sampled_from(_commands), arguments) | _nasty
_tokens = st.builds(
    "{}:{}:{}:{}".format,
    st.sampled_from((*verbs(), "void", "tab", "close", "nothing", "__class__", "Step")),
    _numbers,
    st.integers(0, 7),
    arguments | st.from_regex(rf"({'|'.join(games.ids())})\.\d\.\d", fullmatch=True),
)


def _frame(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    number, room = st.integers(10, 2**53 - 1), st.sampled_from(("lounge", "@house", "nowhere", 1))
    fields = {"t": st.just(kind), "id": number, "room": st.just("lounge") | room, **fields}
    if kind in ("appearance", "hello"):
        del fields["room"]
    return st.fixed_dictionaries(fields)


_press = _frame("press", token=_tokens | spoilt(_tokens))
_frames = st.one_of(
    *[_press] * 3,
    *[_frame("say", text=_lines | spoilt(_lines), seen=st.dictionaries(_numbers, _numbers))] * 2,
    _frame("complete", text=_lines),
    _frame("older", before=_numbers),
    _frame("read", message=_numbers),
    _frame("appearance", theme=st.sampled_from(("light", "dark", "neon"))),
    _frame("hello", locale=_nasty, theme=st.just("light"), since=st.just(1)),
    _frame(
        "start",
        game=st.sampled_from(("othello", "blackbox")) | _nasty,
        options=st.dictionaries(st.sampled_from(("rules", "mode")) | _nasty, _nasty),
        side=st.sampled_from((None, 0, 1, 7)),
        whom=st.just("") | _nasty,
    ),
)


def _with_another(given: st.SearchStrategy[dict[str, Any]], *more: str) -> st.SearchStrategy[Any]:
    """Change a field, or add one."""
    return given.flatmap(
        lambda found: st.builds(
            lambda key, value: {**found, key: value}, st.sampled_from([*found, *more]), _json
        )
    )


_odd_frames = _with_another(_frames, "extra", "__proto__", "T").map(json.dumps)
_deep = '{"a":' + "[" * 200 + "]" * 200 + ","
frames = st.one_of(
    *[_frames.map(json.dumps)] * 8,
    *[_frames.map(lambda frame: json.dumps(frame, ensure_ascii=False))] * 4,
    *[_odd_frames] * 4,
    spoilt(_odd_frames),
    _odd_frames.map(lambda text: text.replace("{", _deep, 1)),
    _odd_frames.map(lambda text: text.replace('"', '"\\ud800', 3)),
    st.binary(min_size=1, max_size=300),
)
"""Frames of a page: right, with one wrong field, with their text spoilt, or no text."""

_names = st.builds("{}{}".format, st.sampled_from(("Fuzz", "Anna", "Azumaya")) | _nasty, _nasty)
_arrivals = st.fixed_dictionaries({"name": _names, "language": st.sampled_from(("en", "de", "xx"))})
bodies = _arrivals | _with_another(_arrivals, "id", "user_id", "__class__") | _json
"""Bodies of ``/arrive`` before they are encoded."""
