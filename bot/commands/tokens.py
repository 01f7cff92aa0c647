"""Parse and write the arguments of buttons (`bot.domain.actions`). No other module knows them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import games
from bot.commands.base import Command
from bot.domain.actions import Action
from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from bot.domain.model import OfferKind
from bot.domain.terms import Wishes
from games import AnyGame, Options
from games.computer import LEVELS

SETTINGS_APART = "."
_FLAGS = {"u": "is_unrated", "t": "has_takebacks", "h": "has_hints"}
"""Last part of a match: flags for `bot.domain.terms.Wishes`, in this order."""
_FLAGGED = re.compile(r"(?=.)u?t?h?")
_CLOCK = "c"
"""Prefix of a clock in its stored form, empty for no clock."""
_LEVEL = "k"
_SIDE = "s"
_PAGE = "~"
"""Prefix of a page number in the place of a game."""

_Fields = Mapping[str, Any]


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
    terms += [] if side is None else [f"{_SIDE}{side}"]
    terms += [] if level is None else [f"{_LEVEL}{level}"]
    terms += [] if wishes.clock is None else [clocked(wishes.clock)]
    flags = "".join(flag for flag, wish in _FLAGS.items() if getattr(wishes, wish))
    return ".".join(filter(None, [game.id, *terms, flags]))


def clocked(clock: str) -> str:
    """Return a clock in its stored form, "" for none, as an argument."""
    return f"{_CLOCK}{clock}"


def paged(page: int) -> str:
    """Return a page number as an argument."""
    return f"{_PAGE}{page}"


@dataclass(frozen=True, slots=True)
class Laddered:
    """A page of a leaderboard, as an argument: ``sogo.ms.4-line.2``."""

    game: str
    ladder: tuple[bool, str] | None
    is_month: bool
    is_here: bool
    is_everywhere: bool
    page: int

    def __str__(self) -> str:
        solo, kind = self.ladder or (False, "")
        said = {
            "m": self.is_month,
            "h": self.is_here,
            "e": self.is_everywhere,
            "s": solo,
            "u": self.ladder is None,
        }
        flags = "".join(flag for flag, is_so in said.items() if is_so)
        return f"{self.game}.{flags}.{kind}.{self.page}"


_LADDERED = re.compile(r"([a-z0-9]+)\.(m?h?e?s?u?)\.([a-z0-9-]{0,40})\.([0-9]{1,4})")


def _ladder(argument: str) -> _Fields:
    read = _LADDERED.fullmatch(argument)
    if read is None:
        raise Refused("button-unknown")
    name, flags, kind, page = read.groups()
    game = _game(name)
    is_usual = "u" in flags
    choices = {option.id: option.choices for option in game.options}
    kinds = map("-".join, product(*(choices[option] for option in game.classes)))
    if kind not in ({""} if is_usual else set(kinds)):
        raise Refused("button-unknown")
    return {
        "game": game.id,
        "is_month": "m" in flags,
        "is_here": "h" in flags,
        "is_everywhere": "e" in flags,
        "ladder": None if is_usual else ("s" in flags, kind),
        "page": int(page),
    }


def _nothing(_: str) -> _Fields:
    return {}


def game_in(argument: str) -> Mapping[str, Any]:
    """Parse a result of `packed`, or a page."""
    if argument.startswith(_PAGE):
        return _page(argument)
    game_id, *indices = argument.split(".")
    game = _game(game_id)
    flags = indices.pop() if indices and _FLAGGED.fullmatch(indices[-1]) else ""
    clock = _clock(indices.pop()) if indices and indices[-1].startswith(_CLOCK) else None
    level = _level(indices.pop()) if indices and indices[-1].startswith(_LEVEL) else None
    side = _side(indices.pop()) if indices and indices[-1].startswith(_SIDE) else None
    if indices and len(indices) != len(game.options):
        raise Refused("button-unknown")
    options = {}
    for option, index in zip(game.options, indices, strict=False):
        if index not in map(str, range(len(option.choices))):
            raise Refused("button-unknown")
        options[option.id] = option.choices[int(index)]
    wishes = Wishes(clock=clock, **{_FLAGS[flag]: True for flag in flags})
    return {"game": game.id, "options": options, "wishes": wishes, "level": level, "side": side}


def _level(said: str) -> int:
    if said.removeprefix(_LEVEL) not in map(str, range(1, LEVELS + 1)):
        raise Refused("button-unknown")
    return int(said.removeprefix(_LEVEL))


def _side(said: str) -> int:
    if said not in (f"{_SIDE}0", f"{_SIDE}1"):
        raise Refused("button-unknown")
    return int(said.removeprefix(_SIDE))


def _again(argument: str) -> _Fields:
    return {"level": _level(argument)} if argument else {}


def _clock(said: str) -> str:
    clock = said.removeprefix(_CLOCK)
    if clock and clock != str(Clock.read(clock)):
        raise Refused("button-unknown")
    return clock


def _game(game_id: str) -> AnyGame:
    if game_id not in games.ids():
        raise Refused("button-unknown")
    return games.get(game_id)


def _page(argument: str) -> _Fields:
    number = argument.removeprefix(_PAGE)
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise Refused("button-unknown")
    return {"page": int(number)}


def _own(argument: str) -> _Fields:
    return {"argument": argument}


def _sealed(argument: str) -> _Fields:
    if not argument:
        raise Refused("button-unknown")
    return {"argument": argument}


def _rules(argument: str) -> _Fields:
    if argument.startswith(_PAGE):
        return _page(argument)
    return {"game": _game(argument).id} if argument else {}


def _ply(argument: str) -> _Fields:
    if not (argument.isascii() and argument.isdigit() and len(argument) < 5) and argument:
        raise Refused("button-unknown")
    return {"ply": int(argument) if argument else None}


def _setting(argument: str) -> _Fields:
    setting, _, value = argument.partition(SETTINGS_APART)
    if value.startswith(_PAGE):
        return {"setting": setting, **_page(value)}
    return {"setting": setting, "value": value}


def _offer(argument: str) -> _Fields:
    if argument not in ("", "yes", "accept", "decline", "withdraw"):
        raise Refused("button-unknown")
    return {"sure": argument == "yes", "value": argument}


def _clock_offer(argument: str) -> _Fields:
    """Parse an answer like `_offer`, or the clock of an offer whose match was unclear."""
    return (
        {"wishes": Wishes(clock=_clock(argument))}
        if argument.startswith(_CLOCK)
        else _offer(argument)
    )


_READ: Mapping[str, Callable[[str], _Fields]] = {
    **dict.fromkeys(
        (
            *("accept", "alt", "analyse", "another", "blocked", "board", "claim", "decline"),
            *("export", "flip", "form", "hint", "join", "nudge", "privacy", "private", "together"),
            "withdraw",
        ),
        _nothing,
    ),
    **dict.fromkeys(("apart", "computer", "menu", "options"), game_in),
    "again": _again,
    "more": lambda argument: {**game_in(argument), "verb": "computer", "sure": True},
    "start": lambda argument: {**game_in(argument), "level": None},
    **dict.fromkeys(("erase", "sessions", "unblock"), _own),
    "challenge": _sealed,
    "close": lambda argument: {"sure": argument == "yes", "value": argument},
    **dict.fromkeys(("here", "settings"), _setting),
    "help": lambda argument: {**_own(argument), **_page(argument)},
    "moves": lambda argument: _page(argument) if argument.startswith(_PAGE) else {},
    "past": _ply,
    "played": _page,
    "ladder": _ladder,
    "language": lambda argument: {"language": argument},
    "play": lambda argument: {"move": argument},
    **dict.fromkeys(map(str, OfferKind), _offer),
    OfferKind.CLOCK.value: _clock_offer,
    "resign": lambda argument: {"sure": argument == "yes", "value": argument},
    "puzzle": lambda argument: {"game": _game(argument).id if argument else ""},
    "rest": lambda argument: {"steps": (argument,)},
    **dict.fromkeys(("holiday", "quiet"), lambda argument: {"value": argument}),
    "rules": _rules,
    "step": lambda argument: {"steps": tuple(filter(None, argument.split(".")))},
    "sure": lambda argument: {"verb": "play", "move": argument, "sure": True},
}

VERBS = tuple(sorted(_READ))


def meant(command: Command, action: Action) -> Command:
    """Return the command of a button. Raises `Refused` for buttons that were never offered."""
    read = _READ.get(action.verb)
    if read is None:
        raise Refused("button-unknown")
    fields: _Fields = {"verb": action.verb, **read(action.argument)}
    return replace(command, match=action.match, version=action.version, **fields)


def meant_together(command: Command, actions: Sequence[Action]) -> Command:
    """Return the command of moves chosen together on one board. Raises `Refused` for others."""
    first, *others = actions
    if others:
        boards = {(one.verb, one.match, one.version) for one in actions}
        are_moves = all(one.argument and "." not in one.argument for one in actions)
        if boards != {("step", first.match, first.version)} or not are_moves:
            raise Refused("button-unknown")
    return replace(meant(command, first), also=tuple(one.argument for one in others))


def _read(tokens: Iterable[str]) -> Iterator[Action]:
    for token in tokens:
        with suppress(Refused):
            yield Action.read(token)


def match_of(token: str) -> int:
    """Return the match of a button, 0 if it has none."""
    return next((action.match for action in _read([token])), 0)


def is_private(token: str) -> bool:
    """Return whether a button leads to a private board."""
    return any(action.verb == "private" for action in _read([token]))


def is_menu(tokens: Iterable[str]) -> bool:
    """Return whether one press may settle these buttons, unlike a challenge or a board."""
    verbs = {action.verb for action in _read(tokens)}
    return bool(verbs) and not verbs & {"accept", "step", "withdraw"}


def is_replay(tokens: Iterable[str]) -> bool:
    """Return whether these buttons only replay a match."""
    return {action.verb for action in _read(tokens)} == {"past"}


def offered_moves(tokens: Iterable[str]) -> tuple[int, int] | None:
    """Return the match and version whose moves these buttons offer, None if they offer none."""
    steps = (action for action in _read(tokens) if action.verb == "step")
    return next(((action.match, action.version) for action in steps), None)
