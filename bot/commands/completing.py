"""Completions for typed lines and fields."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache

import games
from bot.commands.accepting import is_accepted
from bot.commands.base import CommandSpec, Context, Kind
from bot.commands.computers import can_play
from bot.commands.holidays import PRESETS as HOLIDAYS
from bot.commands.quiet_hours import PRESETS as QUIET_PRESETS
from bot.commands.resolving import label, matches_here, names_of
from bot.commands.towns import towns
from bot.commands.vocabulary import (
    choice_shown,
    clock_shown,
    command_called,
    game_called,
    in_notation,
    means,
    option_shown,
    term_shown,
    words_of,
)
from bot.domain.clocks import PRESETS, Clock
from bot.domain.errors import Refused
from bot.domain.model import Status
from bot.matches import LoadedMatch, reading
from bot.matches.endings import terms_of
from bot.screens import clock_words, option_words
from bot.screens.analyses import can_look_back
from bot.store import match_queries, people
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame
from games.computer import LEVELS

MOST = 12

_REMEMBERED = 64

_Key = tuple[int, int, int | None, str]


@dataclass(frozen=True, slots=True)
class _Offered:
    written: str
    said: str
    hint: str

    def completes(self, typed: str, line: str) -> bool:
        return self.written.startswith(typed) or self.said.startswith(line)


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole line or field, and a hint of what it does."""

    text: str
    hint: str = ""


class Suggestions:
    """Legal moves with hints. They are cached, since fronts ask after each key."""

    def __init__(self) -> None:
        self._known: LRUCache[_Key, list[_Offered]] = LRUCache(_REMEMBERED)

    async def of(self, context: Context, loaded: LoadedMatch) -> list[_Offered]:
        match = loaded.match
        seat = match.seat_of(context.user.id)
        key = (match.id, match.version, seat, context.texts.language)
        found = self._known.get(key)
        if found is None:
            found = await asyncio.to_thread(_legal, loaded, seat, context.texts)
            self._known[key] = found
        return found


async def complete(
    context: Context, table: Collection[CommandSpec], suggestions: Suggestions, text: str
) -> tuple[Completion, ...]:
    """Complete a line that starts with a slash: all commands, or up to `MOST` arguments."""
    called, space, argument = text.removeprefix("/").partition(" ")
    if not space:
        return await _commands(context, table, called.casefold())
    name = command_called(called, tuple(spec.name for spec in table))
    spec = next((spec for spec in table if spec.name == name), None)
    if spec is None:
        return ()
    found = await _behind(
        context, spec, spec.kinds, argument, table=table, suggestions=suggestions, most=MOST
    )
    return tuple(replace(one, text=f"{context.called(name)} {one.text}") for one in found)


async def complete_field(
    context: Context,
    spec: CommandSpec,
    field: Kind,
    text: str,
    *,
    table: Iterable[CommandSpec],
    suggestions: Suggestions,
    most: int = MOST,
) -> tuple[Completion, ...]:
    """Complete one field. Each completion replaces the whole text."""
    text = text.lstrip()
    if field is Kind.MOVE:
        found = await _moves(context, suggestions, games.get(spec.name), text)
        moves = [Completion(one.said, one.hint) for one in found]
        # In lines, these are among the terms. A new match is begun by the other fields.
        terms = (Kind.OPTIONS,)
        levels = await _behind(
            context, spec, terms, text, table=table, suggestions=suggestions, most=most, field=field
        )
        return tuple(dict.fromkeys([*moves, *levels]))[:most]
    return await _behind(
        context, spec, (field,), text, table=table, suggestions=suggestions, most=most, field=field
    )


async def _behind(
    context: Context,
    spec: CommandSpec,
    kinds: Iterable[Kind],
    text: str,
    *,
    table: Iterable[CommandSpec],
    suggestions: Suggestions,
    most: int,
    field: Kind | None = None,
) -> tuple[Completion, ...]:
    """Complete the last word of a line, or of one `field`, with what would be accepted."""
    *before, last = text.split(" ")
    found: dict[Completion, None] = {}
    for kind in kinds:
        # In a line, a match comes after the clock.
        is_late = kind is Kind.MATCH and Kind.CLOCK in spec.kinds and field is None
        if not _is_open(kind, before[is_late:]) or len(before) < is_late:
            continue
        if kind is Kind.COMMAND:
            offered = [
                (context.called(spec.name).removeprefix("/"), context.texts(spec.about))
                for spec in table
                if _starts_so(last.casefold(), *words_of(spec.name))
            ]
            word = context.texts("word-computer").split()[0]
            is_meant = bool(last) and _starts_so(last.casefold(), word, "computer")
            if is_meant and await context.app.is_thinking():
                offered.append((word, context.texts("help-computer-title")))
        else:
            offered = await _words(
                context, suggestions, spec, kind, last=last, line=text, most=most
            )
        for word, hint in offered:
            if len(found) >= most:
                break
            line = " ".join([*before, word])
            # Moves are legal, and others are checked where they are found.
            if kind is Kind.MOVE or await is_accepted(context, spec, line, field=field):
                found[Completion(line, hint)] = None
    return tuple(found)


def _is_open(kind: Kind, words: Sequence[str]) -> bool:
    match kind:
        case Kind.MOVE | Kind.OPTIONS:
            return True
        case Kind.USER:
            return not any(word.startswith("@") for word in words)
        case Kind.GAME:
            return not any(map(game_called, words))
        case Kind.PEOPLE:
            return not any(means("everywhere", word) for word in words)
        case Kind.PERIOD:
            return not any(means("month", word) or means("all", word) for word in words)
        case Kind.HOURS:
            return len(words) <= 1
        case _:
            return not words


async def _commands(
    context: Context, table: Iterable[CommandSpec], prefix: str
) -> tuple[Completion, ...]:
    is_managed = context.command.can_manage is not None
    found = [
        spec
        for spec in table
        if _starts_so(prefix, *words_of(spec.name)) and (is_managed or not spec.can_manage)
    ]
    allowed = await _games_to_begin(context) if any(spec.game for spec in found) else ()
    offered = [
        spec
        for spec in found
        if not spec.game
        or spec.game in allowed
        or await matches_here(context, game=games.get(spec.game))
    ]
    return tuple(
        Completion(
            context.called(spec.name) + (" " if spec.arguments else ""), context.texts(spec.about)
        )
        for spec in offered
    )


async def _games_to_begin(context: Context) -> tuple[str, ...]:
    policy = await context.policy()
    try:
        policy.check_place()
        await policy.check_person(context.rights)
    except Refused:
        return ()
    return policy.games


async def _words(
    context: Context,
    suggestions: Suggestions,
    spec: CommandSpec,
    kind: Kind,
    *,
    last: str,
    line: str,
    most: int,
) -> list[tuple[str, str]]:
    low, texts = last.casefold(), context.texts
    match kind:
        case Kind.GAME:
            every = await _games_to_begin(context) if spec.begins else games.ids()
            return [
                (context.called(game_id).removeprefix("/"), texts(f"{game_id}-about"))
                for game_id in every
                if _starts_so(low, *words_of(game_id), texts(f"{game_id}-name").casefold())
            ]
        case Kind.LANGUAGE | Kind.PEOPLE | Kind.PERIOD | Kind.CLOCK | Kind.HOURS | Kind.DAYS:
            offered = await asyncio.to_thread(_few, kind, texts, last, most)
        case Kind.USER:
            if not last.startswith("@"):
                return []
            store, platform = context.store, context.place.platform
            me = context.user.id if spec.name == "unblock" else None
            names = await people.handles(store, platform, last[1:], limit=most, blocked_by=me)
            return [(f"@{name}", "") for name in names]
        case Kind.MOVE:
            return await _move_words(context, suggestions, spec, line, most=most)
        case Kind.OPTIONS:
            return await _terms(context, spec, line, low)
        case Kind.MATCH:
            return await _matches(context, low, most=most, verb=spec.verb)
        case Kind.COMMAND | Kind.CODE:
            return []
    return [(word, hint) for word, hint in offered if word.casefold().startswith(low)]


async def _terms(context: Context, spec: CommandSpec, line: str, low: str) -> list[tuple[str, str]]:
    named = _game(spec, context.command.game, line)
    starts = means("new", line.partition(" ")[0]) or "@" in line or spec.game is None
    if named is None or named.id not in await _games_to_begin(context):
        return []
    if not (starts or _names_computer(line)) and (
        not low or await matches_here(context, game=named)
    ):
        # The text begins a move, or could.
        return []
    options = _options(context, named, low) if starts else []
    return [*options, *_computers(context, named, line)]


def _few(kind: Kind, texts: Texts, last: str, most: int) -> list[tuple[str, str]]:
    """Blocking: towns are read from files."""
    if kind is Kind.HOURS:
        found = [*QUIET_PRESETS, texts("word-none").split()[0]]
        return [(word, "") for word in found + (towns(last, texts, most=most) if last else [])]
    if kind is Kind.DAYS:
        back = (texts("word-back").split()[0], texts("button-holiday-end"))
        return [*((word, "") for word in HOLIDAYS), back]
    if kind is Kind.LANGUAGE:
        return list(LANGUAGES.items())
    if kind is Kind.PEOPLE:
        return [(texts("word-everywhere").split()[0], texts("help-everywhere"))]
    if kind is Kind.PERIOD:
        return [(texts(f"word-{one}").split()[0], texts(f"help-{one}")) for one in ("month", "all")]
    return [*_clocks(texts), (texts("word-untimed").split()[0], texts("clock-none"))]


def _game(spec: CommandSpec, chosen: str, line: str) -> AnyGame | None:
    if spec.game is not None:
        return games.get(spec.game)
    return next(filter(None, map(game_called, [chosen, *line.split()])), None)


def _starts_so(low: str, *words: str) -> bool:
    return any(word.startswith(low) for word in words)


def _options(context: Context, game: AnyGame, low: str) -> list[tuple[str, str]]:
    texts, found = context.texts, []
    for option in game.options:
        for choice in option.choices:
            shown = option_shown(game, option, texts), choice_shown(game, option, choice, texts)
            if _starts_so(low, "=".join(shown), f"{option.id}={choice}"):
                found.append(("=".join(shown), option_words(game, option.id, choice, texts)))
    for term in terms_of(game):
        name = "unrated" if term == "rated" else term
        if _starts_so(low, word := term_shown(term, texts), name):
            found.append((word, texts(f"help-{name}")))
    name = texts("word-clock").split()[0]
    found += [
        (f"{name}={clock}", said)
        for clock, said in _clocks(texts)
        if _starts_so(low, f"{name}={clock}", f"clock={clock}", clock)
    ]
    return found


def _names_computer(line: str) -> bool:
    words = line.split(" ")[-2:-1]
    return any(means("computer", word) or means("level", word) for word in words)


def _computers(context: Context, game: AnyGame, line: str) -> list[tuple[str, str]]:
    if not can_play(context, game, {}):
        return []
    texts, low, found = context.texts, line.casefold().rpartition(" ")[2], []
    word = texts("word-computer").split()[0]
    for level in range(1, LEVELS + 1):
        shown, also = f"{word}={level}", f"computer={level}"
        if _names_computer(line):
            shown = also = str(level)
        if _starts_so(low, shown, also, *texts(f"computer-called-{level}").casefold().split()):
            about = f"{texts(f'computer-{level}')} · {texts(f'computer-about-{level}')}"
            found.append((shown, about))
    return found


def _clocks(texts: Texts) -> list[tuple[str, str]]:
    return [(clock_shown(clock, texts), clock_words(Clock.read(clock), texts)) for clock in PRESETS]


_OF_CHALLENGES = {"accept", "board", "decline", "withdraw"}
"""Verbs that a challenge can be named for."""


async def _matches(context: Context, low: str, *, most: int, verb: str) -> list[tuple[str, str]]:
    """Find the user's matches by number, game or opponent: those waiting for them first."""
    if verb == "analyse":
        return await _finished(context, low, most=most)
    every = await match_queries.open_of(context.store, context.user.id)
    others = {one.other for one in every if one.other is not None}
    names = await context.app.names.shown(others, context.texts)

    def words(one: match_queries.Open) -> str:
        held = one.held_for.partition(":")[2]
        other = f"@{held}" if held else names.get(one.other, "") if one.other else ""
        return f"#{one.id} {context.texts(f'{one.game}-name')} · {other}"

    meant = [
        one
        for one in every
        if low in words(one).casefold() and (verb in _OF_CHALLENGES or not one.is_proposed)
    ]
    meant.sort(key=lambda one: (not one.waits, -one.id))
    loaded_matches = await reading.get_several(context.matches, [one.id for one in meant[:most]])
    names = await names_of(context, loaded_matches)
    return [
        (f"#{loaded.match.id}", await label(context, loaded, names)) for loaded in loaded_matches
    ]


async def _finished(context: Context, low: str, *, most: int) -> list[tuple[str, str]]:
    newest = await match_queries.of_user(context.store, context.user.id, status=[Status.OVER])
    loaded_matches = await reading.get_several(context.matches, newest[:most])
    names = await names_of(context, loaded_matches)
    found = [
        (f"#{loaded.match.id}", await label(context, loaded, names))
        for loaded in loaded_matches
        if can_look_back(loaded)
    ]
    return [one for one in found if low in one[1].casefold()]


async def _moves(
    context: Context, suggestions: Suggestions, game: AnyGame, line: str
) -> list[_Offered]:
    """Return legal moves by their start, then by a later word. One of each kind comes first."""
    low = line.casefold()
    typed = in_notation(game, low, context.texts.language)
    every: list[_Offered] = []
    for loaded in (await matches_here(context, game=game)).loaded_matches:
        every += await suggestions.of(context, loaded)
    found = [one for one in every if one.completes(typed, low)]
    if typed:
        found += [one for one in every if f" {typed}" in one.written and one not in found]
    kinds = {one.written.partition(" ")[0]: one for one in reversed(found)} if game.verbs else {}
    return list(dict.fromkeys([*reversed(kinds.values()), *found]))


async def _move_words(
    context: Context, suggestions: Suggestions, spec: CommandSpec, line: str, *, most: int
) -> list[tuple[str, str]]:
    low, texts, game = line.casefold(), context.texts, games.get(spec.name)
    typed = in_notation(game, low, texts.language)
    found = await _moves(context, suggestions, game, line)
    new = _Offered("new", texts("word-new").split()[0], texts("help-new"))
    if (
        new.completes(typed, low)
        and game.id in await _games_to_begin(context)
        and await is_accepted(context, spec, new.said, field=None)
    ):
        found.append(new)
    if len(found) > most:
        # Too many to list: offer the verbs first.
        verbs = [_Offered(verb, texts.move(game.id, verb), "") for verb in game.verbs]
        ways_in = [(f"{verb.said} ", "") for verb in verbs if verb.completes(typed, low)]
        if ways_in:
            return ways_in + [(one.said, one.hint) for one in found]
    # The line already has the words before the last one.
    *before, _ = low.split(" ")
    head = in_notation(game, " ".join(before), texts.language).split()
    return [
        (" ".join(one.said.split(" ")[len(before) :]), one.hint)
        for one in found
        if one.written.split(" ")[: len(before)] == head
    ]


def _legal(loaded: LoadedMatch, seat: int | None, texts: Texts) -> list[_Offered]:
    """Return the legal moves with hints. Blocking: there may be a hundred."""
    if seat is None or seat not in loaded.turn:
        return []
    view, game = loaded.view(seat), loaded.game
    moves = []
    for move in loaded.position.moves(seat):
        effect = game.effect(view, seat, move)
        hint = texts.note(game.id, "effect", effect) if effect else ""
        written = game.notation(move)
        moves.append(_Offered(written, texts.move(game.id, written), hint))
    return moves
