"""What people send who mean no good: lines, tokens, frames, bodies, names; all from a seed."""

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import games
from bot.commands import table, verbs

__all__ = [
    "MATCHES",
    "NASTY",
    "VERBS",
    "argument",
    "body",
    "frame",
    "line",
    "mutated",
    "name",
    "raw",
    "token",
]

MATCHES = 48
"""Numbers of matches that are tried most: the victims' and everybody's own."""

NASTY: Sequence[str] = (
    *(
        "",
        " ",
        "\t",
        "\n",
        "\0",
        "\x1b[2J",
        "\x7f",
        "\u202eevil\u202c",
        "\u200b",
        "\u3164",
        "\ufeff",
    ),
    *(
        "é" * 200,
        "e" + "\u0301" * 64,
        "😀" * 64,
        "👩\u200d👩\u200d👧",
        "नेहा",
        "محمد",
        "\ufdfa" * 32,
    ),
    *(
        "../../etc/passwd",
        "%2e%2e%2f",
        "%00",
        "%s%n%x",
        "{0}",
        "{name}",
        "${jndi:ldap://x}",
        "#{7*7}",
    ),
    *("' or 1=1--", '"; drop table moves; --', "\\", "\\'", "`id`", "$(id)", "a" * 199, "a" * 201),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "]]>"),
    *(
        "0",
        "-1",
        "1e9",
        "1.5",
        "NaN",
        "Infinity",
        "１２",
        "٣",
        "²",
        "9" * 15,
        "9" * 40,
        "0x10",
        "1_000",
    ),
    *("null", "true", "[]", "{}", "[[[[[[[[", '{"a":', "None", "undefined", "@everyone", "<@1>"),
    *(
        "@azumaya",
        "@house",
        "@bot",
        "@",
        "@ ",
        "@Victim",
        "@Victoria",
        "@Anna",
        "#1",
        "##",
        "/",
        "//",
    ),
    *("new", "neu", "yes", "auto", "own", "first", "second", "black", "reversi", "hide", "size=5"),
    *(
        "size=99",
        "=",
        "==",
        "a=b",
        "size=",
        "=5",
        "mode=hide",
        "theme",
        "theme.dark",
        "language.de",
    ),
    *("{ $name }", "{ NUMBER(1) }", "\u2028", "\ud7ff", "\U0010ffff", "\ue000", "ﬁ", "ß", "İ", "ı"),
)


VERBS: Sequence[str] = (*verbs(), "void", "tab", "close", "nothing", "__class__", "Step")
"""What buttons do: whatever the house knows, what a front knows, and what nobody knows."""


@cache
def _steps() -> tuple[str, ...]:
    """Steps of real moves, of every game."""
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
    """The argument of a command or of a button."""
    kind = luck.randrange(6)
    if kind < 2:
        return luck.choice(_steps())
    if kind < 4:
        return luck.choice(NASTY)
    if kind == 4:
        return str(_number(luck))
    return " ".join(luck.choice((luck.choice(NASTY), luck.choice(_steps()))) for _ in range(3))


def _number(luck: Random) -> int:
    return luck.choice((luck.randrange(MATCHES), luck.randrange(MATCHES), 0, 10**9, 10**14))


def token(luck: Random) -> str:
    """A button's token: well-formed most of the time."""
    packed = f"{luck.choice(games.ids())}.{luck.randrange(9)}.{luck.randrange(9)}"
    what = luck.choice(
        (argument(luck), argument(luck), "", "yes", packed, packed.split(".", maxsplit=1)[0])
    )
    found = f"{luck.choice(VERBS)}:{_number(luck)}:{luck.randrange(8)}:{what}"
    return mutated(found, luck) if luck.random() < 0.15 else found


def line(luck: Random) -> str:
    """A line that somebody types: a command most of the time."""
    if luck.random() < 0.1:
        return luck.choice(NASTY)
    names = [spec.name for spec in table()]
    word = luck.choice((*names, *games.ids(), "START", "privacy", "block", "join", "nothing"))
    words = " ".join(argument(luck) for _ in range(luck.randrange(4)))
    found = f"/{word} {words}"
    return mutated(found, luck) if luck.random() < 0.1 else found


def name(luck: Random) -> str:
    """A name that somebody wants to have."""
    stem = luck.choice((*NASTY, "Fuzz", "Anna", "Azumaya", "Victoria"))
    return f"{stem}{luck.choice(('', luck.choice(NASTY), str(luck.randrange(1000))))}"


def mutated(text: str, luck: Random) -> str:
    """The text with a few characters lost, doubled, changed or added."""
    found = list(text)
    for _ in range(luck.randrange(1, 5)):
        at = luck.randrange(len(found) + 1)
        match luck.randrange(4):
            case 0:
                del found[at : at + luck.randrange(1, 6)]
            case 1:
                found[at:at] = found[at : at + luck.randrange(1, 6)]
            case 2:
                found[at : at + 1] = [chr(luck.choice((0, 9, 34, 58, 92, 127, 0x3000, 0x1F600)))]
            case _:
                found[at:at] = list(luck.choice(NASTY)[:20])
    return "".join(found)


# --- what a page sends ----------------------------------------------------------------------

_ROOMS = (
    "lounge",
    "garden",
    "@house",
    "lounge",
    "nowhere",
    "",
    "@",
    "LOUNGE",
    "../lounge",
    1,
    None,
)
_WRONG: Sequence[Any] = (None, True, 1, -1, 1.5, 2**53, 2**70, "", "1", [], {}, [[]], {"a": {}})


def _request(luck: Random) -> dict[str, Any]:
    room = luck.choice(_ROOMS) if luck.random() < 0.3 else "lounge"
    kind = luck.choice(
        (
            *("say", "say", "press", "press", "press", "complete", "older"),
            *("start", "read", "appearance", "hello"),
        )
    )
    match kind:
        case "say":
            seen = {str(_number(luck)): luck.randrange(9) for _ in range(luck.randrange(3))}
            return {"t": kind, "room": room, "text": line(luck), "seen": seen}
        case "press":
            return {"t": kind, "room": room, "token": token(luck)}
        case "complete":
            return {"t": kind, "room": room, "text": line(luck)[: luck.randrange(40)]}
        case "older":
            return {"t": kind, "room": room, "before": luck.choice((0, 1, 50, 2**52, -1))}
        case "start":
            options = {luck.choice(("rules", "mode", *NASTY)): luck.choice(("hide", *NASTY))}
            return {
                "t": kind,
                "room": room,
                "game": luck.choice(("othello", "blackbox", *NASTY)),
                "options": options if luck.random() < 0.5 else {},
                "side": luck.choice((None, 0, 1, 7)),
                "whom": luck.choice(("", "", *NASTY)),
            }
        case "read":
            return {"t": kind, "room": room, "message": luck.choice((0, 1, 50, 2**52, -1))}
        case "appearance":
            return {"t": kind, "theme": luck.choice(("light", "dark", "neon", ""))}
        case _:
            return {"t": kind, "locale": luck.choice(NASTY), "theme": "light", "since": 1}


def frame(luck: Random, number: int) -> str:
    """A frame of a page: right, or with one thing wrong, or with the text of it spoilt."""
    found = _request(luck) | {"id": number}
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
    """Bytes that are no text frame of ours."""
    return bytes(luck.randrange(256) for _ in range(luck.randrange(1, 300)))


def body(luck: Random) -> Any:
    """The body of ``/arrive``, before it is written down."""
    found: dict[str, Any] = {"name": name(luck), "language": luck.choice(("en", "de", "xx", ""))}
    match luck.randrange(6):
        case 0:
            found[luck.choice(("name", "language"))] = luck.choice(_WRONG)
        case 1:
            found[luck.choice(("id", "user_id", "__class__"))] = luck.choice(_WRONG)
        case 2:
            return luck.choice(_WRONG)
    return found
