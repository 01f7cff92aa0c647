"""Completions for typed lines and fields.

Only what would be accepted is offered. What only quotas or another user's blocks forbid counts as
accepted: a completion must not say who has blocked whom.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import games
from bot.commands import away, history, lines, offering, puzzling, starting
from bot.commands.base import FILTERS, RESULTS, CommandSpec, Context, Kind, find_spec, table
from bot.commands.computers import can_get_hint, can_play
from bot.commands.notation import bare, in_notation
from bot.commands.offering import can_wait
from bot.commands.resolving import first_found, label, matches_here, names_of
from bot.commands.vocabulary import (
    clock_shown,
    find_game,
    means,
    option_shown,
    term_shown,
    words_of,
)
from bot.domain.clocks import PRESETS, Clock
from bot.domain.errors import BotError, Refused
from bot.domain.model import HIDDEN, RECORD, OfferKind, Status
from bot.matches import MatchState, boards, reading, sharing
from bot.matches.endings import terms_of
from bot.matches.names import plain
from bot.screens import clock_words, option_words
from bot.screens.past import can_export, refused_analysis
from bot.screens.pictures import replayed
from bot.store import match_queries, people
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame, GameError
from games.computer import LEVELS

MOST = 12

_KNOWN = (Status.OVER, Status.RUNNING)
_OF_KNOWN = {"analyse", "record", "replay", "share"}
"""Verbs for finished matches, some also for active ones."""
_OF_CHALLENGES = {*offering.STATES, "board"}
"""Verbs that a challenge can be named for."""
_ANY_CLOCK = "10d+35h"
"""A clock that hardly any match has."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A word, a field or a whole line, and a hint of what it does."""

    text: str
    hint: str = ""
    also: tuple[str, ...] = field(default=(), compare=False)
    """Other words that it can be found by."""

    def starts(self, low: str) -> bool:
        return any(word.startswith(low) for word in (self.text.casefold(), *self.also))


@dataclass(frozen=True, slots=True)
class _Typed:
    """The text after a command in a line, or in one field."""

    context: Context
    spec: CommandSpec
    text: str
    most: int
    field: Kind | None

    @property
    def low(self) -> str:
        """The last word, which is completed."""
        return self.text.rpartition(" ")[2].casefold()


class _Move(NamedTuple):
    written: str
    said: str
    hint: Callable[[], str] = str
    """Blocking."""

    def completes(self, typed: str, line: str) -> bool:
        return self.written.startswith(typed) or self.said.startswith(line)


async def complete(
    context: Context, line: str, field: Kind | None, most: int
) -> tuple[Completion, ...]:
    """Complete a line that starts with a slash: all commands, or up to `most` arguments.

    If the argument is a `field`, return what replaces it.
    """
    called, space, argument = line.removeprefix("/").partition(" ")
    if not space:
        return await _commands(context, called.casefold())
    spec = find_spec(called)
    if spec is None:
        return ()
    typed = _Typed(context, spec, argument, most, field)
    if field is not None:
        # The computers are among the terms of a line. A new match is begun by the other fields.
        return await _completed(typed, [field] if field is not Kind.MOVE else [field, Kind.OPTIONS])
    found = await _completed(typed, spec.kinds)
    return tuple(replace(one, text=f"{context.syntax(spec.name)} {one.text}") for one in found)


async def _completed(typed: _Typed, kinds: Iterable[Kind]) -> tuple[Completion, ...]:
    *words, _ = typed.text.split(" ")
    found: dict[Completion, None] = {}
    for kind in kinds:
        if kind is Kind.MOVE:
            offered = await _moves(typed)
        elif _is_open(typed, kind, words):
            offered = await _words(typed, kind)
            offered = [replace(one, text=" ".join([*words, one.text])) for one in offered]
        else:
            continue
        for one in offered:
            if len(found) >= typed.most:
                break
            # Moves are legal.
            if kind is Kind.MOVE or await _is_accepted(typed, one.text):
                found[one] = None
    return tuple(found)


def _is_open(typed: _Typed, kind: Kind, words: Sequence[str]) -> bool:
    """Return whether another argument of this kind can follow these words."""
    match kind:
        case Kind.OPTIONS | Kind.REPLAY:
            return True
        case Kind.USER:
            return not any(word.startswith("@") for word in words)
        case Kind.GAME:
            return not any(map(find_game, words))
        case Kind.PEOPLE | Kind.PERIOD | Kind.RESULT:
            return not any(means(word, *FILTERS[kind]) for word in words)
        case Kind.HOURS:
            return len(words) <= 1
        case Kind.MATCH if Kind.CLOCK in typed.spec.kinds and typed.field is None:
            # In a line, a match comes after the clock.
            return len(words) == 1
        case _:
            return not words


async def _commands(context: Context, prefix: str) -> tuple[Completion, ...]:
    is_managed = context.rights.can_manage is not None
    found = {
        spec: one
        for spec in table()
        if (is_managed or not spec.can_manage) and (one := _named(context, spec)).starts(prefix)
    }
    allowed = await _games_to_begin(context) if any(spec.game for spec in found) else ()
    return tuple(
        [
            replace(one, text=f"/{one.text}{' ' * bool(spec.kinds)}")
            for spec, one in found.items()
            if not spec.game or spec.game in allowed or await matches_here(context, game=spec.game)
        ]
    )


async def _games_to_begin(context: Context) -> tuple[str, ...]:
    try:
        return await context.games_to_begin()
    except Refused:
        return ()


async def _words(typed: _Typed, kind: Kind) -> list[Completion]:
    match kind:
        case Kind.USER:
            return await _people(typed)
        case Kind.MATCH:
            return await _matches(typed)
        case Kind.GAME:
            offered = await _games(typed)
        case Kind.COMMAND:
            offered = await _topics(typed)
        case Kind.OPTIONS:
            offered = await _terms(typed)
        case Kind.CODE | Kind.RECORD:
            return []
        case _:
            offered = await asyncio.to_thread(_few, typed, kind)
    return [one for one in offered if one.starts(typed.low)]


async def _people(typed: _Typed) -> list[Completion]:
    context, start = typed.context, typed.text.rpartition(" ")[2]
    if not start.startswith("@"):
        return []
    store, platform, most = context.store, context.place.platform, typed.most
    me = context.user.id if typed.spec.name == "unblock" else None
    names = await people.handles(store, platform, start[1:], limit=most, blocked_by=me)
    return [Completion(f"@{name}") for name in names]


def _named(context: Context, spec: CommandSpec) -> Completion:
    word, texts = context.syntax(spec.name).removeprefix("/"), context.texts
    name = [texts(f"{spec.game}-name").casefold()] if spec.game else []
    return Completion(word, texts(spec.about), (*words_of(spec.name), *name))


async def _games(typed: _Typed) -> list[Completion]:
    every = await _games_to_begin(typed.context) if typed.spec.begins else games.ids()
    return [_named(typed.context, spec) for spec in table() if spec.game in every]


async def _topics(typed: _Typed) -> list[Completion]:
    context, texts = typed.context, typed.context.texts
    found = [_named(context, spec) for spec in table()]
    if typed.low and await context.app.has_engine():
        word = texts("word-computer").split()[0]
        found.append(Completion(word, texts("help-computer-title"), ("computer",)))
    return found


def _few(typed: _Typed, kind: Kind) -> list[Completion]:
    """Blocking: towns are read from files."""
    texts = typed.context.texts

    def word(name: str, hint: str = "") -> Completion:
        return Completion(texts(f"word-{name}").split()[0], texts(hint) if hint else "")

    match kind:
        case Kind.HOURS:
            towns = away.towns(typed.low, texts, most=typed.most) if typed.low else []
            return [*map(Completion, away.QUIET_HOURS), word("none"), *map(Completion, towns)]
        case Kind.DAYS:
            return [*map(Completion, away.HOLIDAYS), word("back", "button-holiday-end")]
        case Kind.LANGUAGE:
            return [Completion(*language) for language in LANGUAGES.items()]
        case Kind.CLOCK:
            return [*_clocks(texts), word("untimed", "clock-none")]
        case Kind.REPLAY:
            return [word("slow"), word("fast")]
        case Kind.RESULT:
            return [word(one) for one in RESULTS]
    return [word(one, f"help-{one}") for one in FILTERS[kind]]


async def _terms(typed: _Typed) -> list[Completion]:
    context, spec, line = typed.context, typed.spec, typed.text
    called = [spec.game or context.command.game, *line.split()]
    game = next(filter(None, map(find_game, called)), None)
    if game is None or game.id not in await _games_to_begin(context):
        return []
    starts = means(line.partition(" ")[0], "new") or "@" in line or spec.game is None
    if starts:
        return [*_options(context.texts, game), *_computers(typed, game)]
    if not _names_computer(line) and (not typed.low or await matches_here(context, game=game.id)):
        # The text begins a move, or could.
        return []
    return _computers(typed, game)


def _options(texts: Texts, game: AnyGame) -> Iterator[Completion]:
    for option in game.options:
        for choice in option.choices:
            shown = option_shown(game, option, texts), option_shown(game, option, texts, choice)
            hint = option_words(game, option.id, choice, texts)
            yield Completion("=".join(shown), hint, (f"{option.id}={choice}",))
    for term in terms_of(game):
        name = "unrated" if term == "rated" else term
        yield Completion(term_shown(term, texts), texts(f"help-{name}"), (name,))
    name = texts("word-clock").split()[0]
    for clock in _clocks(texts):
        also = f"clock={clock.text}", clock.text
        yield Completion(f"{name}={clock.text}", clock.hint, also)


def _names_computer(line: str) -> bool:
    return any(means(word, "computer", "level") for word in line.split(" ")[-2:-1])


def _computers(typed: _Typed, game: AnyGame) -> list[Completion]:
    if not can_play(typed.context, game, {}):
        return []
    texts, found = typed.context.texts, []
    word = texts("word-computer").split()[0]
    for level in range(1, LEVELS + 1):
        called = texts(f"computer-called-{level}").casefold().split()
        about = f"{texts(f'computer-{level}')} · {texts(f'computer-about-{level}')}"
        shown = str(level) if _names_computer(typed.text) else f"{word}={level}"
        found.append(Completion(shown, about, (f"computer={level}", *called)))
    return found


def _clocks(texts: Texts) -> list[Completion]:
    return [Completion(clock_shown(clock, texts), clock_words(clock, texts)) for clock in PRESETS]


async def _matches(typed: _Typed) -> list[Completion]:
    """Find the user's matches by number, game or opponent: those waiting for them first."""
    context = typed.context
    verb, me = typed.spec.verb, context.user.id
    is_known = verb in _OF_KNOWN
    if is_known:
        found = await match_queries.of_user(context.store, me, status=_KNOWN)
    else:
        found = await _open(typed)
    loaded_matches = await reading.get_several(context.matches, found[: typed.most])
    names = await names_of(context, loaded_matches)
    labels = [(loaded, await label(context, loaded, names)) for loaded in loaded_matches]
    return [
        Completion(f"#{loaded.match.id}", said)
        for loaded, said in labels
        if not is_known or typed.low in said.casefold()
    ]


async def _open(typed: _Typed) -> list[int]:
    context, verb = typed.context, typed.spec.verb
    every = await match_queries.open_of(context.store, context.user.id)
    others = {one.other for one in every if one.other is not None}
    names = await context.app.names.display_names(others, context.texts)

    def words(one: match_queries.ActiveMatch) -> str:
        held = one.held_for.partition(":")[2]
        other = f"@{held}" if held else names.get(one.other, "") if one.other else ""
        return f"#{one.id} {context.texts(f'{one.game}-name')} · {other}"

    meant = [
        one
        for one in every
        if typed.low in words(one).casefold() and (verb in _OF_CHALLENGES or not one.is_proposed)
    ]
    return [one.id for one in sorted(meant, key=lambda one: (not one.waits, -one.id))]


async def _moves(typed: _Typed) -> list[Completion]:
    """Return legal moves by their start, then by a later word. One of each kind comes first."""
    context, game = typed.context, games.get(typed.spec.name)
    texts, line = context.texts, typed.text.casefold()
    written = in_notation(game, bare(plain(line)), texts.language)
    here = (await matches_here(context, game=game.id)).loaded_matches
    seats = [(loaded, loaded.match.seat_of(context.user.id)) for loaded in here]
    legal = await asyncio.to_thread(
        lambda: [move for loaded, seat in seats for move in _legal(loaded, seat, texts)]
    )
    every = {one.said: one for one in legal}.values()
    found = [one for one in every if one.completes(written, line)]
    if written:
        found += [one for one in every if f" {written}" in one.written]
    kinds = {one.written.partition(" ")[0]: one for one in reversed(found)} if game.verbs else {}
    found = list(dict.fromkeys([*reversed(kinds.values()), *found]))
    if typed.field is None and " " not in typed.text:
        new = _Move("new", texts("word-new").split()[0], partial(texts, "help-new"))
        if (
            new.completes(written, line)
            and game.id in await _games_to_begin(context)
            and await _is_accepted(typed, new.said)
        ):
            found.append(new)
        if len(found) > typed.most:
            # Too many to list: offer the verbs first.
            verbs = [_Move(verb, texts.move(game.id, verb)) for verb in game.verbs]
            begun = [one for one in verbs if one.completes(written, line)]
            found = [*(one._replace(said=f"{one.said} ") for one in begun), *found]
    shown = found[: typed.most]
    return await asyncio.to_thread(lambda: [Completion(one.said, one.hint()) for one in shown])


def _legal(loaded: MatchState, seat: int | None, texts: Texts) -> Iterator[_Move]:
    """Yield the legal moves of a seat. Blocking: there may be a hundred."""
    game = loaded.game
    if seat is None or seat not in loaded.turn:
        return
    for move in loaded.position.moves(seat):
        written = game.notation(move)
        hint = partial(_effect, loaded, seat, move, texts)
        yield _Move(written, texts.move(game.id, written), hint)


def _effect(loaded: MatchState, seat: int, move: Any, texts: Texts) -> str:
    effect = loaded.game.effect(loaded.view(seat), seat, move)
    return texts.note(loaded.game.id, "effect", effect) if effect else ""


async def _is_accepted(typed: _Typed, line: str) -> bool:
    """Return whether a completed line or field would be accepted. Nothing is stored.

    Not for moves: those that are offered are legal.
    """
    context, spec = typed.context, typed.spec
    command = replace(context.command, verb=spec.verb, game=spec.game or "")
    if typed.field is Kind.OPTIONS and not spec.game:
        line = f"{context.command.game} {line}"
    elif typed.field is Kind.MATCH and Kind.CLOCK in spec.kinds:
        # The new clock is in another field.
        line = f"{_ANY_CLOCK} {line}"
    try:
        command = await lines.read(replace(context, command=command), spec, line)
        context = replace(context, command=command)
        return _is_for_person(context) and await _is_possible(context)
    except (BotError, GameError):
        return False


def _is_for_person(context: Context) -> bool:
    """Return whether the command can be about its person, or is about none."""
    command, person = context.command, context.command.person
    if person is None or person.id == context.user.id:
        return person is None or command.verb != "block"
    return command.verb not in ("stats", "played") or person.settings.get(RECORD) != HIDDEN


async def _is_possible(context: Context) -> bool:
    """Return whether the command can be carried out. Raises its refusal if there is one."""
    command = context.command
    if command.verb == "clock" and command.wishes.clock:
        Clock.parse(command.wishes.clock)
    match command.verb:
        case "play":
            return False
        case "challenge" | "computer" | "new":
            await starting.check(context)
        case "puzzle":
            return await puzzling.has_one(context, context.game)
        case "quiet":
            await asyncio.to_thread(away.parse_settings, command.value, context)
        case "holiday":
            return await away.can_take(context)
        case "clock" | "replay" if not command.match:
            finders = history.REPLAYED if command.verb == "replay" else (matches_here,)
            found = (await first_found(context, *finders)).loaded_matches
            return await asyncio.to_thread(lambda: any(_can(context, one) for one in found))
        case _ if command.match:
            return await _is_possible_in(context, await context.visible(command.match))
    return True


async def _is_possible_in(context: Context, loaded: MatchState) -> bool:
    match context.command.verb:
        case "nudge" | "claim":
            return await can_wait(context, loaded)
        case "board":
            await boards.check(context.matches, loaded, context.place, rights=context.rights)
            return True
    return await asyncio.to_thread(_can, context, loaded)


def _can(context: Context, loaded: MatchState) -> bool:
    """Return whether the command can be carried out in this match of the user. Blocking."""
    command, me = context.command, context.user.id
    match command.verb:
        case "accept" | "decline" | "withdraw" as verb:
            return offering.can_answer(context, loaded, offering.STATES[verb])
        case "analyse":
            return not refused_analysis(loaded, context.texts)
        case "record":
            return can_export(loaded.match)
        case "replay":
            stretch, _ = history.stretch_in(loaded, command.value, before="")
            replayed(loaded, stretch)
            return True
        case "share":
            sharing.check_may_share(loaded, me)
            return True
    if loaded.match.status is not Status.RUNNING:
        return False
    if command.verb in (*OfferKind,):
        clock = command.wishes.clock or ""
        return offering.is_possible(loaded, kind=OfferKind(command.verb), user_id=me, clock=clock)
    return command.verb != "hint" or can_get_hint(loaded, user_id=me)
