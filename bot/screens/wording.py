"""The words for matches: headlines, status, options, clocks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import renderers
from bot.domain.actions import Action
from bot.domain.clocks import UNITS, Clock, measured
from bot.domain.glicko import Estimate
from bot.domain.model import Computer, Match, Player, Status
from bot.domain.terms import rating_class
from bot.matches import MatchState
from bot.matches.endings import by_seat, describe
from bot.matches.names import Names
from bot.screens.values import Button, Reader, Screen, Side, Style
from bot.support.texts import Texts
from games import AnyGame


def notation_for(reader: Reader, game: AnyGame) -> str:
    """Return the notation that the reader prefers for this game (see `Game.notation`)."""
    form = reader.settings.get(notation_key(game.id), "")
    return form if form in game.notations else ""


def notation_key(game_id: str) -> str:
    """Return the name of the setting for a game's notation."""
    return f"notation-{game_id}"


@dataclass(slots=True)
class Shown:
    """A match for one reader, as `seat` sees it (None: spectators), with its players' names."""

    loaded: MatchState
    reader: Reader
    names: Mapping[Player, str]
    seat: int | None = None
    match: Match = field(init=False)
    game: AnyGame = field(init=False)
    texts: Texts = field(init=False)
    my_seat: int | None = field(init=False)
    """The seat of the reader, None for spectators and for everyone in a place."""

    def __post_init__(self) -> None:
        self.match, self.game, self.texts = self.loaded.match, self.loaded.game, self.reader.texts
        self.my_seat = self.match.seat_of(self.reader.user.id) if self.reader.user else None

    @classmethod
    async def to(
        cls, reader: Reader, loaded: MatchState, names: Names, seat: int | None = None
    ) -> Self:
        named = await names.seated(loaded.match, reader.texts, reader.place)
        return cls(loaded, reader, named, seat)

    @property
    def form(self) -> str:
        """The notation that the reader prefers."""
        return notation_for(self.reader, self.game)

    def name(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        return self.names[self.match.seats[seat]]


def match_button(
    match: Match,
    texts: Texts,
    verb: str,
    argument: str = "",
    *,
    key: str = "",
    style: Style = Style.PLAIN,
) -> Button:
    """Return the button ``button-<key>`` (default: the verb) of a match in its current version."""
    action = Action(verb, match.id, match.version, argument)
    return Button(texts(f"button-{key or verb}"), action, style)


def headline(
    loaded: MatchState, texts: Texts, names: Mapping[Player, str], *, is_lasting: bool = False
) -> str:
    """Return game and players: ``Othello · Anna ⚫ – ⚪ Ben``. `is_lasting`: without roles."""
    game, match = loaded.game.id, loaded.match
    name = texts(f"{game}-name")
    if match.is_puzzle:
        return f"{texts('puzzle-title')} · {name}"
    if match.is_study:
        return _study_headline(match, texts, names)
    if len(match.seats) < 2:
        return f"{name} · {names[match.challenger]}"
    marks = [texts(f"{game}-mark-{seat}") for seat in (0, 1)]
    first, second = (names[user] for user in match.seats)
    roles = _roles(loaded, texts)
    if all(roles) and not is_lasting:
        return f"{name} · {first} {marks[0]} {roles[0]} – {second} {marks[1]} {roles[1]}"
    return f"{name} · {first} {marks[0]} – {marks[1]} {second}"


def titled(shown: Shown, **fields: Any) -> Screen:
    """Return a screen of a match with its title, all that says which it is, and other `fields`."""
    match = shown.match
    return Screen(
        title=headline(shown.loaded, shown.texts, shown.names),
        match=match.id,
        version=match.version,
        game=match.game,
        name=shown.texts(f"{match.game}-name"),
        over=match.status is Status.OVER,
        **fields,
    )


def _study_headline(match: Match, texts: Texts, names: Mapping[Player, str]) -> str:
    """Return what is studied: ``Study · Othello · Anna – Ben · Club cup · 40-24``."""
    called = dict(match.headers or ())
    has_players = "Seat1" in called or "Seat2" in called
    players = " – ".join(names[side] for side in match.seats) if has_players else ""
    about = (called.get(name, "") for name in ("Event", "Date", "Result"))
    said = [texts("study-title"), texts(f"{match.game}-name"), players, *about]
    return " · ".join(filter(None, said))


def _roles(loaded: MatchState, texts: Texts) -> list[str | None]:
    """Return the roles by seat, None where the game has none."""
    game, view = loaded.game, loaded.view(None)
    roles = [game.role(view, seat) for seat in range(len(loaded.match.seats))]
    return [texts(f"{game.id}-role-{role}") if role else role for role in roles]


def sides_of(shown: Shown) -> tuple[Side, ...]:
    """Return the sides of a match."""
    texts, game, match = shown.texts, shown.game.id, shown.match
    marks, roles = [""], list[str | None]([""])
    if len(match.seats) > 1:
        marks = [texts(f"{game}-mark-{seat}") for seat in (0, 1)]
        roles = _roles(shown.loaded, texts)
    my_seat = None if match.is_study else shown.my_seat
    return tuple(
        Side(
            shown.names[user],
            marks[seat],
            texts(f"{game}-seat-{seat}") if role is None else role,
            is_mine=seat == my_seat,
            has_turn=seat in shown.loaded.turn,
            is_computer=isinstance(user, Computer),
        )
        for seat, (user, role) in enumerate(zip(match.seats, roles, strict=False))
    )


def status_line(shown: Shown, *, my_turn: bool = False) -> str:
    """Return whose turn it is, or how the match ended."""
    texts, match, turn = shown.texts, shown.match, shown.loaded.turn
    if match.ending is not None:
        fault = dict(match.headers or ()).get("Fault", "")
        return f"{describe(match, texts, shown.names)} {fault}".rstrip()
    if len(match.seats) == 1:
        return ""
    if match.is_puzzle:
        seat = min(turn)
        mark, side = (texts(f"{match.game}-{what}-{seat}") for what in ("mark", "seat"))
        return texts("puzzle-ask", side=f"{side} {mark}")
    if my_turn and not match.is_study:
        return texts("board-your-turn")
    is_computer = turn <= set(match.computer_seats)
    key = "board-thinking" if is_computer else "board-turn"
    return texts(key, name=" & ".join(map(shown.name, sorted(turn))))


def alt_of(shown: Shown, view: Any) -> str:
    """Return the picture in words, after an ending unknown to the rules, if any."""
    loaded, texts = shown.loaded, shown.texts
    words = renderers.get(loaded.game.id).describe(view, texts, is_stopped=loaded.is_stopped)
    # The ending of a puzzle is no such ending, but its board shows the solution.
    if loaded.match.is_puzzle:
        ending = loaded.match.ending
        is_missed = ending is not None and not ending.is_solved
        return texts("alt-missed", board=words) if is_missed else words
    if not loaded.is_stopped:
        return words
    over = texts("alt-stopped", game=texts(f"{loaded.game.id}-name"))
    return f"{over} {describe(loaded.match, texts, shown.names)} {words}"


def option_line(game: AnyGame, options: Mapping[str, str], texts: Texts) -> str:
    """Return the options that are not the default."""
    return " · ".join(
        option_words(game, option.id, options[option.id], texts)
        for option in game.options
        if options[option.id] != option.default
    )


def terms_line(game: AnyGame, match: Match, texts: Texts) -> str:
    """Return all that differs from the default: options, clock, not rated."""
    terms = match.terms
    clock = clock_words(str(terms.clock), texts) if terms.clock else ""
    is_unrated = terms.rated is None and rating_class(game, match.options) is not None
    unrated = texts("challenge-unrated") if is_unrated and not terms.has_hints else ""
    takebacks = texts("challenge-takebacks") if terms.has_takebacks else ""
    hints = texts("challenge-hints") if terms.has_hints else ""
    said = [option_line(game, match.options, texts), clock, unrated, takebacks, hints]
    return " · ".join(filter(None, said))


def clock_words(stored: str, texts: Texts) -> str:
    """Return a clock, "" for none, in words: ``3 days per turn``, ``10 min + 5 s per move``."""
    if not stored:
        return texts("clock-none")
    clock = Clock.parse(stored)
    spans = [clock.base_time] if clock.increment is None else [clock.base_time, clock.increment]
    said = [texts(f"span-{unit}", count=count) for count, unit in map(measured, spans)]
    return texts("clock-a-turn" if len(said) == 1 else "clock-a-move", time=" + ".join(said))


def format_duration(seconds: int, texts: Texts) -> str:
    """Return a duration, rounded down: ``2 days 3 h``, ``9 min 34 s``, ``1 h`` for 3605 s."""
    said, rest = list[str](), seconds
    for unit, size in UNITS.items():
        count, rest = divmod(rest, size)
        if count or said:
            said.append(texts(f"span-{unit}", count=count) if count else "")
    return " ".join(filter(None, said[:2])) or texts("span-s", count=0)


def banks_line(shown: Shown) -> str:
    """Return what is left on each clock; if it runs, the most that can be left."""
    said = []
    for seat, (left, runs) in enumerate(_banks(shown.loaded)):
        key, time = "board-bank-runs" if runs else "board-bank", format_duration(left, shown.texts)
        said.append(shown.texts(key, name=shown.name(seat), time=time))
    return " · ".join(said)


def banks_in_digits(loaded: MatchState) -> tuple[str, ...]:
    """Return what is left on each clock by seat, for pictures: ``2d 3h``, ``3h 5m``, ``≤ 9:34``."""
    return tuple("≤ " * runs + _in_digits(left) for left, runs in _banks(loaded))


def _banks(loaded: MatchState) -> list[tuple[int, bool]]:
    """Return the seconds left at the start of the turn by seat, and whether they run."""
    match = loaded.match
    clock, running = match.terms.clock, match.clocks
    if clock is None or clock.increment is None or running is None or match.ending:
        return []
    run = loaded.turn if running.due is not None else ()
    return [(left, seat in run) for seat, left in enumerate(running.banks)]


def _in_digits(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}d {hours}h"
    return f"{hours}h {minutes}m" if hours else f"{minutes}:{rest:02}"


def option_words(game: AnyGame, option: str, choice: str, texts: Texts) -> str:
    """Return an option in words: ``Rules: Reversi``."""
    name, value = (texts(f"{game.id}-option-{key}") for key in (option, f"{option}-{choice}"))
    return f"{name}: {value}"


def class_words(game: AnyGame, kind: str, texts: Texts) -> str:
    """Return what is special about a rating class. ``Reversi: free opening`` is ``Reversi``."""

    def said(option: str, choice: str) -> str:
        name, colon, _ = texts(f"{game.id}-option-{option}-{choice}").partition(": ")
        return name if colon else option_words(game, option, choice, texts)

    usual = game.options_from({})
    choices = zip(game.classes, kind.split("-"), strict=False) if kind else ()
    return " · ".join(said(option, choice) for option, choice in choices if choice != usual[option])


def rating_words(estimate: Estimate) -> str:
    """Return a rating: ``1610``, or ``1500?`` if it is uncertain."""
    return f"{round(estimate.value)}{'?' if estimate.is_unsure else ''}"


def recommended(texts: Texts, game: AnyGame, written: str) -> str:
    """Return the recommendation of a move as `Game.notation` returns it, without a full stop.

    For a verb (`Game.verbs`) it may be ``<game>-hint-<verb>``, which gets the rest as ``$what``.
    """
    verb, _, rest = written.partition(" ")
    own = f"{game.id}-hint-{verb}"
    if verb in game.verbs and texts.has(own):
        return texts(own, what=texts.move(game.id, rest))
    return texts("hint-move", move=texts.move(game.id, written))


def remarks_of(shown: Shown, view: Any, *, is_past: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return the facts of a position as a line, and its parts that name what was hidden."""
    loaded, game = shown.loaded, shown.game
    facts = game.facts(view, is_stopped=loaded.is_stopped and not is_past)
    who = by_seat(shown.match, shown.names)
    said = {shown.texts.note(game.id, "fact", fact, **who): fact for fact in facts}
    covered = [one for one, fact in said.items() if loaded.is_opened and "cells" in fact.details]
    return " · ".join(said), tuple(covered)


def progress_in_words(match: Match, texts: Texts) -> list[str]:
    """Return how far an unfinished analysis is, or where it failed."""
    progress = match.progress
    if progress is None or progress.is_whole:
        return []
    key = "board-analysis-given-up" if progress.is_given_up else "board-analysed"
    return [texts(key, done=progress.done, total=progress.total)]
