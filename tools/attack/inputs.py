"""Hostile input from a seed: commands, tokens, frames, request bodies and names."""

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import games
from bot.commands import table, verbs

__all__ = ["argument", "body", "frame", "line", "mutated", "raw"]

_MATCHES = 48
"""Match ids tried most: those of the victims and the forger's own."""

_NASTY: Sequence[str] = (
    *("", " ", "\t", "\n", "\0", "\x1b[2J", "\x7f", "\u202eevil\u202c", "\u200b", "\ufeff"),
    *("é" * 200, "e" + "\u0301" * 64, "😀" * 64, "👩\u200d👩\u200d👧", "محمد", "\ufdfa" * 32),
    *("../../etc/passwd", "%2e%2e%2f", "%00", "%s%n%x", "{0}", "{name}", "${jndi:ldap://x}"),
    *("' or 1=1--", '"; drop table moves; --', "\\", "`id`", "$(id)", "a" * 199, "a" * 201),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "]]>"),
    *("0", "-1", "1e9", "1.5", "NaN", "１２", "²", "9" * 15, "9" * 40, "0x10", "1_000"),
    *("null", "[]", "{}", "[[[[[[[[", '{"a":', "None", "undefined", "@everyone", "<@1>"),
    *("@azumaya", "@house", "@bot", "@", "@ ", "@Victim", "@Victoria", "@Anna", "#1", "/", "//"),
    *("new", "neu", "yes", "auto", "own", "first", "black", "reversi", "hide", "size=5"),
    *("size=99", "=", "a=b", "size=", "=5", "mode=hide", "theme.dark", "language.de"),
    *("{ $name }", "{ NUMBER(1) }", "\u2028", "\ud7ff", "\U0010ffff", "\ue000", "ﬁ", "ß", "İ"),
)

_VERBS: Sequence[str] = (*verbs(), "void", "tab", "close", "nothing", "__class__", "Step")
"""Verbs of buttons: those of the bot, those of a front, and unknown ones."""

_ROOMS = ("lounge", "garden", "@house", "nowhere", "", "@", "LOUNGE", "../lounge", 1, None)
_WRONG: Sequence[Any] = (None, True, 1, -1, 1.5, 2**53, 2**70, "", "1", [], {}, [[]], {"a": {}})


@cache
def _steps() -> tuple[str, ...]:
    """Return steps of legal moves in every game."""
    found: set[str] = set()
    for game_id in games.ids():
        game, luck = games.get(game_id), Random(1)
        options = game.options_from({})
        position = game.start(options, game.new_setup(options, luck))
        for _ in range(8):
            for seat in position.turn:
                found |= {".".join(game.steps(move)) for move in position.moves(seat)}
            if position.turn:
                seat = min(position.turn)
                position = position.play(seat, luck.choice(position.moves(seat)))
    return tuple(sorted(found))


def argument(luck: Random) -> str:
    """Return the argument of a command or a button."""
    kind = luck.randrange(6)
    if kind < 2:
        return luck.choice(_steps())
    if kind < 4:
        return luck.choice(_NASTY)
    if kind == 4:
        return str(_number(luck))
    return " ".join(luck.choice((luck.choice(_NASTY), luck.choice(_steps()))) for _ in range(3))


def _number(luck: Random) -> int:
    return luck.choice((luck.randrange(_MATCHES), luck.randrange(_MATCHES), 0, 10**9, 10**14))


def _token(luck: Random) -> str:
    """Return a button's token, most of the time a well-formed one."""
    packed = f"{luck.choice(games.ids())}.{luck.randrange(9)}.{luck.randrange(9)}"
    given = luck.choice((argument(luck), argument(luck), "", "yes", packed))
    found = f"{luck.choice(_VERBS)}:{_number(luck)}:{luck.randrange(8)}:{given}"
    return mutated(found, luck) if luck.random() < 0.15 else found


def line(luck: Random) -> str:
    """Return a typed line, most of the time a command."""
    if luck.random() < 0.1:
        return luck.choice(_NASTY)
    names = [spec.name for spec in table()]
    word = luck.choice((*names, *games.ids(), "START", "privacy", "block", "join", "nothing"))
    words = " ".join(argument(luck) for _ in range(luck.randrange(4)))
    return mutated(f"/{word} {words}", luck) if luck.random() < 0.1 else f"/{word} {words}"


def mutated(text: str, luck: Random) -> str:
    """Return the text with a few characters lost, doubled, changed or added."""
    found = list(text)
    for _ in range(luck.randrange(1, 5)):
        at, end = luck.randrange(len(found) + 1), luck.randrange(1, 6)
        match luck.randrange(4):
            case 0:
                del found[at : at + end]
            case 1:
                found[at:at] = found[at : at + end]
            case 2:
                found[at : at + 1] = [chr(luck.choice((0, 9, 34, 58, 92, 127, 0x3000, 0x1F600)))]
            case _:
                found[at:at] = list(luck.choice(_NASTY)[:20])
    return "".join(found)


def _request(luck: Random) -> dict[str, Any]:
    some = luck.choice((0, 1, 50, 2**52, -1))
    return luck.choice(
        (
            *[{"t": "say", "text": line(luck), "seen": {str(_number(luck)): luck.randrange(9)}}]
            * 2,
            *[{"t": "press", "token": _token(luck)}] * 3,
            {"t": "complete", "text": line(luck)[: luck.randrange(40)]},
            {"t": "older", "before": some},
            {"t": "read", "message": some},
            {"t": "appearance", "theme": luck.choice(("light", "dark", "neon", ""))},
            {"t": "hello", "locale": luck.choice(_NASTY), "theme": "light", "since": 1},
            {
                "t": "start",
                "game": luck.choice(("othello", "blackbox", *_NASTY)),
                "options": {
                    luck.choice(("rules", "mode", *_NASTY)): luck.choice(("hide", *_NASTY))
                },
                "side": luck.choice((None, 0, 1, 7)),
                "whom": luck.choice(("", "", *_NASTY)),
            },
        )
    )


def frame(luck: Random, number: int) -> str:
    """Return a frame of a page: right, with one wrong field, or with its text spoilt."""
    room = luck.choice(_ROOMS) if luck.random() < 0.3 else "lounge"
    found = {"room": room, **_request(luck), "id": number}
    if found["t"] in ("appearance", "hello"):
        del found["room"]
    match luck.randrange(12):
        case 0:
            found[luck.choice(sorted(found))] = luck.choice(_WRONG)
        case 1:
            found.pop(luck.choice(sorted(found)))
        case 2:
            found[luck.choice(("extra", "__proto__", "id ", "T"))] = luck.choice(_WRONG)
        case 3:
            found["t"] = luck.choice((*_WRONG, "Say", "welcome", "done", "message"))
    text = json.dumps(found, ensure_ascii=luck.random() < 0.5)
    match luck.randrange(40):
        case 0:
            return mutated(text, luck)
        case 1:
            return text.replace("{", '{"a":' + "[" * 200 + "]" * 200 + ",", 1)
        case 2:
            return text.replace('"', '"\\ud800', 3)
    return text


def raw(luck: Random) -> bytes:
    return luck.randbytes(luck.randrange(1, 300))


def body(luck: Random) -> Any:
    """Return a body of ``/arrive`` before it is encoded."""
    name = luck.choice((*_NASTY, "Fuzz", "Anna", "Azumaya")) + luck.choice(("", *_NASTY, "7"))
    found: dict[str, Any] = {"name": name, "language": luck.choice(("en", "de", "xx", ""))}
    match luck.randrange(6):
        case 0:
            found[luck.choice(("name", "language"))] = luck.choice(_WRONG)
        case 1:
            found[luck.choice(("id", "user_id", "__class__"))] = luck.choice(_WRONG)
        case 2:
            return luck.choice(_WRONG)
    return found
