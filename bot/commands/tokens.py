"""Parse and write the arguments of buttons (`bot.domain.actions`). No other module knows them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import games
from bot.commands.base import RESULTS, YES, Command
from bot.domain.actions import Action
from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from bot.domain.model import OfferKind
from bot.domain.terms import Wishes
from games import AnyGame, Options
from games.computer import LEVELS

_Fields = Mapping[str, Any]

_APART = "."
_PAGE = "~"
"""Prefix of a page number."""
_FLAGS = {"u": "is_unrated", "t": "has_takebacks", "h": "has_hints"}
"""Last part of a match: flags for `bot.domain.terms.Wishes`, in this order."""
_PACKED = (
    r"(?P<game>[a-z0-9]+)(?P<indices>(?:\.[0-9]+)*)(?:\.s(?P<side>[01]))?"
    rf"(?:\.k(?P<level>[1-{LEVELS}]))?(?:\.c(?P<clock>[^.]*))?(?:\.(?P<flags>(?=.)u?t?h?))?"
)
_SCOPES = {"m": "is_month", "h": "is_here", "e": "is_everywhere"}
"""The same for a leaderboard, and fields of `Command`. Before "s" for solo, "u" for the usual."""
_LADDER = r"([a-z0-9]+)\.(m?h?e?s?u?)\.([a-z0-9-]{0,40})\.([0-9]{1,4})"


def packed(
    game: AnyGame,
    options: Options,
    *,
    wishes: Wishes = Wishes(),
    level: int | None = None,
    side: int | None = None,
) -> str:
    """Return a game, the index of each option, and terms: ``othello.1.s0.k2.c3d.uth``."""
    terms = [str(option.choices.index(options[option.id])) for option in game.options]
    terms += [] if side is None else [f"s{side}"]
    terms += [] if level is None else [f"k{level}"]
    terms += [] if wishes.clock is None else [clocked(wishes.clock)]
    flags = "".join(flag for flag, wish in _FLAGS.items() if getattr(wishes, wish))
    return ".".join(filter(None, [game.id, *terms, flags]))


def clocked(clock: str) -> str:
    """Return a clock in its stored form, "" for none, as an argument."""
    return f"c{clock}"


def set_to(setting: str, value: str) -> str:
    """Return a setting and its value, "" for its menu, as an argument."""
    return _APART.join(filter(None, [setting, value]))


def paged(page: int) -> str:
    """Return a page number as an argument."""
    return f"{_PAGE}{page}"


def laddered(command: Command) -> str:
    """Return the page of a leaderboard that a command shows: ``sogo.ms.4-line.2``."""
    solo, kind = command.ladder or (False, "")
    flags = "".join(flag for flag, field in _SCOPES.items() if getattr(command, field))
    flags += "s" * solo + "u" * (command.ladder is None)
    return f"{command.game}.{flags}.{kind}.{command.page}"


def _ladder(argument: str) -> _Fields:
    name, flags, kind, page = _matched(_LADDER, argument).groups()
    game, is_usual = _game(name), "u" in flags
    choices = {option.id: option.choices for option in game.options}
    kinds = map("-".join, product(*(choices[option] for option in game.classes)))
    if kind not in ({""} if is_usual else set(kinds)):
        raise Refused("button-unknown")
    return {
        "game": game.id,
        **{field: flag in flags for flag, field in _SCOPES.items()},
        "ladder": None if is_usual else ("s" in flags, kind),
        "page": int(page),
    }


def listed(command: Command, user_id: int, page: int) -> str:
    """Return a page of the finished matches of a user: ``othello.won.12.1``."""
    return f"{command.game}.{command.result}.{user_id}.{page}"


def unpack_game(argument: str) -> Mapping[str, Any]:
    """Parse a result of `packed`."""
    read = _matched(_PACKED, argument)
    game, indices = _game(read["game"]), read["indices"].split(".")[1:]
    try:
        pairs = list(zip(game.options, indices, strict=bool(indices)))
        options = {option.id: option.choices[int(index)] for option, index in pairs}
    except (ValueError, IndexError):
        raise Refused("button-unknown") from None
    wishes = Wishes(
        clock=None if read["clock"] is None else _clock(read["clock"]),
        **{_FLAGS[flag]: True for flag in read["flags"] or ""},
    )
    side, level = (int(said) if (said := read[name]) else None for name in ("side", "level"))
    return {"game": game.id, "options": options, "wishes": wishes, "level": level, "side": side}


def _matched(pattern: str, argument: str) -> re.Match[str]:
    if read := re.fullmatch(pattern, argument):
        return read
    raise Refused("button-unknown")


def _clock(clock: str) -> str:
    if clock and clock != str(Clock.parse(clock)):
        raise Refused("button-unknown")
    return clock


def _game(game_id: str) -> AnyGame:
    if game_id not in games.ids():
        raise Refused("button-unknown")
    return games.get(game_id)


def _like(pattern: str) -> Callable[[str], _Fields]:
    """Return a parser of arguments like a pattern, whose named groups are fields of `Command`."""

    def read(argument: str) -> _Fields:
        found = _matched(pattern, argument).groupdict()
        fields = {name: said for name, said in found.items() if said is not None}
        return {name: _PARSED.get(name, str)(said) for name, said in fields.items()}

    return read


_PARSED: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("level", "page", "ply"), int),
    "game": lambda said: _game(said).id if said else "",
    "steps": lambda said: tuple(filter(None, said.split("."))),
    "wishes": lambda said: Wishes(clock=_clock(said)),
}
_OF_PAGE = f"{_PAGE}(?P<page>[0-9]{{1,3}})"
_LEVEL = f"k(?P<level>[1-{LEVELS}])"
_SHARED = r"(?P<argument>[A-Za-z0-9_-]{22})\.(?P<ply>[0-9]{1,4})"
"""A position of a shared match: its code and the number of moves."""
_FINISHED = rf"(?P<game>[a-z0-9]*)\.(?P<result>{'|'.join(RESULTS)}|)\.(?P<argument>[0-9]{{0,15}})\."
_OFFER = f"(?P<value>|{YES}|accept|decline|withdraw)"

_READ: Mapping[str, Callable[[str], _Fields]] = {
    **dict.fromkeys(
        (
            *("accept", "alt", "analyse", "another", "blocked", "board", "claim", "decline"),
            *("export", "flip", "form", "hint", "nudge", "privacy", "private", "together"),
            "withdraw",
        ),
        lambda _: {},
    ),
    **dict.fromkeys(("apart", "computer", "menu", "options"), unpack_game),
    "again": _like(f"({_LEVEL})?"),
    "more": lambda argument: {**unpack_game(argument), "verb": "computer", "value": YES},
    "start": lambda argument: {
        name: said for name, said in unpack_game(argument).items() if name != "level"
    },
    **dict.fromkeys(("erase", "sessions", "unblock"), _like("(?P<argument>.*)")),
    **dict.fromkeys(("challenge", "record"), _like("(?P<argument>.+)")),
    **dict.fromkeys(
        ("here", "settings"),
        _like(rf"(?P<setting>[^.]*)(\.({_OF_PAGE}|(?P<value>(?!{_PAGE}).*)))?"),
    ),
    "join": _like("(?P<code>.*)"),
    "help": _like(f"(?P<argument>{_OF_PAGE})"),
    "moves": _like(f"{_OF_PAGE}|(?!{_PAGE}).*"),
    **dict.fromkeys(("past", "try", "versus"), _like("(?P<ply>[0-9]{1,4})?")),
    "against": _like(rf"{_SHARED}\.{_LEVEL}"),
    "shared": _like(_SHARED),
    "played": _like(f"({_FINISHED}|{_PAGE})(?P<page>[0-9]{{1,3}})"),
    "records": _like(_OF_PAGE),
    "import": _like(f"{_OF_PAGE}|(?P<argument>(?!{_PAGE}).*)"),
    "ladder": _ladder,
    "play": _like("(?P<move>.*)"),
    **dict.fromkeys(map(str, OfferKind), _like(_OFFER)),
    OfferKind.CLOCK.value: _like(f"c(?P<wishes>.*)|{_OFFER}"),
    "share": _like("(?P<value>|names|nameless|stop)"),
    **dict.fromkeys(("rest", "step"), _like("(?P<steps>.*)")),
    **dict.fromkeys(
        ("close", "holiday", "language", "quiet", "replay", "resign"), _like("(?P<value>.*)")
    ),
    **dict.fromkeys(("puzzle", "rules"), _like("(?P<game>.*)")),
    "sure": lambda argument: {"verb": "play", "move": argument, "value": YES},
}


def verbs() -> tuple[str, ...]:
    """Return the verbs of buttons, sorted."""
    return tuple(sorted(_READ))


def combine_actions(command: Command, actions: Sequence[Action]) -> Command:
    """Return the command of a button, or of moves chosen together on one board.

    Raises `Refused` for buttons that were never offered.
    """
    first, *others = actions
    if others:
        boards = {(one.verb, one.match, one.version) for one in actions}
        are_moves = all(one.argument and "." not in one.argument for one in actions)
        if boards != {("step", first.match, first.version)} or not are_moves:
            raise Refused("button-unknown")
    if first.verb not in _READ:
        raise Refused("button-unknown")
    fields: _Fields = {"verb": first.verb, **_READ[first.verb](first.argument)}
    also = tuple(one.argument for one in others)
    return replace(command, match=first.match, version=first.version, also=also, **fields)


def _read(tokens: Iterable[str]) -> Iterator[Action]:
    for token in tokens:
        with suppress(Refused):
            yield Action.read(token)


def match_of(token: str) -> int:
    """Return the match of a button, 0 if it has none."""
    return next((action.match for action in _read([token])), 0)


def is_menu(tokens: Iterable[str]) -> bool:
    """Return whether one press may settle these buttons, unlike a challenge or a board."""
    verbs = {action.verb for action in _read(tokens)}
    return bool(verbs) and not verbs & {"accept", "step", "withdraw"}


def is_replay(tokens: Iterable[str]) -> bool:
    """Return whether these buttons only replay a match."""
    verbs = {action.verb for action in _read(tokens)}
    return "past" in verbs and verbs <= {"past", "replay", "try", "versus"}


def offered_moves(tokens: Iterable[str]) -> tuple[int, int] | None:
    """Return the match and version whose moves these buttons offer, None if they offer none."""
    steps = (action for action in _read(tokens) if action.verb == "step")
    return next(((action.match, action.version) for action in steps), None)
