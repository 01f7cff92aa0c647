"""Find the matches that a command means."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from bot.commands.base import AmbiguousCommand, Answer, Context
from bot.commands.vocabulary import MARKS
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Match, PlaceKind, Player, Status
from bot.matches import MatchState, reading
from bot.matches.names import plain
from bot.screens import Button, Screen, headline, terms_line
from bot.store import match_queries
from games import AnyGame, Options

_JUST_NOW = 2
"""Whole seconds in which a user may still press what was there before."""
MOST_OFFERED = 10
"""Matches loaded and offered when the user must choose one."""


def for_two(
    game: AnyGame, chosen: Options, *, keep: Collection[str] | None = None
) -> dict[str, str]:
    """Return all options, for two players if possible without changing those in `keep`.

    By default, these are all of `chosen`.
    """
    options, keep = game.options_from(chosen), chosen if keep is None else keep
    if game.seats(options) == 1:
        for option in game.options:
            for choice in option.choices:
                if option.id not in keep and game.seats({**options, option.id: choice}) > 1:
                    return {**options, option.id: choice}
    return options


@dataclass(frozen=True, slots=True)
class Found:
    """Matches that the user could mean: the newest ones, and the number of others."""

    loaded_matches: tuple[MatchState, ...] = ()
    more: int = 0

    def __len__(self) -> int:
        return len(self.loaded_matches) + self.more


Finder = Callable[[Context], Awaitable[Found]]


async def load_all(context: Context, match_ids: Sequence[int]) -> Found:
    """Load the first `MOST_OFFERED` of these matches."""
    loaded_matches = await reading.get_several(context.matches, match_ids[:MOST_OFFERED])
    more = max(0, len(match_ids) - MOST_OFFERED) if loaded_matches else 0
    return Found(tuple(loaded_matches), more)


async def matches_here(context: Context, *, game: str = "", on_turn: bool = False) -> Found:
    """Find the user's active matches here, or elsewhere if this is a direct chat without any."""
    place, game_id = context.place, game or context.command.game or None
    of_user = partial(match_queries.of_user, context.store, context.user.id, game=game_id)
    found = await of_user(place_id=place.id, on_turn=on_turn)
    # If it is not their turn here, they do not mean a turn elsewhere.
    if (
        not found
        and place.kind is PlaceKind.DIRECT
        and not (on_turn and await of_user(place_id=place.id))
    ):
        found = await of_user(on_turn=on_turn)
    return await load_all(context, found)


async def all_here(context: Context) -> Found:
    """Find the active matches of this place, unless the command names a game."""
    if context.command.game:
        return Found()
    here = match_queries.in_place(context.store, context.place.id, status=[Status.RUNNING])
    return await load_all(context, await here)


async def ended_here(context: Context, *, has_studies: bool = True) -> Found:
    """Find the match that the user finished last here, or anywhere for a direct chat."""
    store, me, game = context.store, context.user.id, context.command.game
    ended = partial(match_queries.ended_last, store, me, game=game, has_studies=has_studies)
    found = await ended(place_id=context.place.id)
    if found is None and context.place.kind is PlaceKind.DIRECT:
        found = await ended()
    return await load_all(context, [] if found is None else [found])


def viewed(is_meant: Callable[[MatchState], bool]) -> Finder:
    """Find the match that the user looks at, if it can be meant and no other game is named."""

    async def find(context: Context) -> Found:
        command = context.command
        if not command.viewed_match:
            return Found()
        with suppress(Refused):
            loaded = await context.visible(command.viewed_match)
            if command.game in ("", loaded.match.game) and is_meant(loaded):
                return Found((loaded,))
        return Found()

    return find


async def first_found(context: Context, *finders: Finder) -> Found:
    """Return what the first of the finders that finds anything finds."""
    for find in finders:
        if found := await find(context):
            return found
    return Found()


WITH_MOVES = (viewed(lambda one: one.current is not None), matches_here, all_here, ended_here)
"""How to find the match whose moves are meant."""


async def resolve_match(
    context: Context,
    *finders: Finder,
    none: str = "no-match",
    argument: str = "",
    can: Sequence[Callable[[MatchState], bool]] = (),
) -> MatchState:
    """Return the match that is named, otherwise the one of the first finder with any.

    Of several, the user means the one that they look at. Otherwise the first of `can` that holds
    for any narrows them, then the user's screen. If none holds for any, take the newest, to explain
    why. `can` may block. Raises `Refused` with the code `none`, or `AmbiguousCommand`, whose
    buttons contain `argument`.
    """
    if context.named_match is not None:
        return context.named_match
    found = await first_found(context, *finders)
    if not found:
        game = context.command.game
        raise Refused("no-match-of", game=context.texts(f"{game}-name")) if game else Refused(none)
    if len(found) == 1:
        return found.loaded_matches[0]
    command, verb, loaded_matches = context.command, context.command.verb, found.loaded_matches
    for loaded in loaded_matches:
        if loaded.match.id == command.viewed_match:
            # Even if it is impossible there: the refusal explains why.
            return loaded
    if found.more:
        raise AmbiguousCommand(await ask_which_match(context, found, verb, argument))
    possible = await asyncio.to_thread(_possible, loaded_matches, can)
    if not possible:
        return loaded_matches[0]
    seen = [one for one in possible if one.match.id in command.seen]
    for narrowed in (seen, possible):
        if len(narrowed) == 1:
            return narrowed[0]
    raise AmbiguousCommand(await ask_which_match(context, Found(tuple(possible)), verb, argument))


def _possible(
    loaded_matches: Sequence[MatchState], can: Sequence[Callable[[MatchState], bool]]
) -> Sequence[MatchState]:
    for is_so in can:
        if possible := [loaded for loaded in loaded_matches if is_so(loaded)]:
            return possible
    return () if can else loaded_matches


async def ask_which_match(context: Context, found: Found, verb: str, argument: str = "") -> Answer:
    """Ask which match is meant. A button does `verb` in it."""
    actions = [
        (loaded, Action(verb, loaded.match.id, loaded.match.version, argument))
        for loaded in found.loaded_matches
    ]
    return await which_of(context, actions, what="" if verb == "board" else verb, more=found.more)


async def which_of(
    context: Context, found: Sequence[tuple[MatchState, Action]], *, what: str = "", more: int
) -> Answer:
    """Ask which match is meant. `what` names the button of the action, if it is no move."""
    texts = context.texts
    buttons = []
    names = await names_of(context, [loaded for loaded, _ in found])
    for loaded, action in found:
        is_open = loaded.match.status is Status.PROPOSED
        # Challenges often differ only in their terms.
        terms = terms_line(loaded.game, loaded.match, texts) if is_open else ""
        said = " · ".join(filter(None, [await label(context, loaded, names), terms]))
        buttons.append(Button(said, action))
    text = texts("which-match")
    if what:
        text = texts("which-match-for", what=texts(f"button-{what}"))
    if more:
        text += "\n" + texts("which-more", count=more)
    private = Screen(text=text, rows=tuple((button,) for button in buttons))
    return Answer(private=private, is_asked_again=True)


async def question(
    context: Context, loaded: MatchState, text: str, *rows: tuple[Button, ...]
) -> Answer:
    """Ask about a match. The buttons carry its version, so the next move voids them."""
    title = await label(context, loaded)
    private = Screen(title=title, text=text, rows=tuple(filter(None, rows)))
    return Answer(private=private, about=loaded.match.id)


async def names_of(context: Context, listed: Iterable[MatchState]) -> dict[Player, str]:
    """Return the names of the players of matches that are shown together."""
    return await context.names({who for loaded in listed for who in loaded.match.players})


async def label(
    context: Context, loaded: MatchState, names: Mapping[Player, str] | None = None
) -> str:
    """Return the number of a match and its players, for a button. A list has `names_of` all."""
    match, texts = loaded.match, context.texts
    names = names or await names_of(context, [loaded])
    if match.status is Status.PROPOSED:
        name = texts(f"{match.game}-name")
        held = f"@{match.handle}" if match.handle else "?"
        other = names[match.opponent] if match.opponent is not None else held
        return f"#{match.id} {name} · {names[match.challenger]} – {other}"
    return f"#{match.id} {headline(loaded, texts, names)}"


async def check_slip(context: Context, match: Match, code: str) -> None:
    """Check that the button cannot just have replaced another one. Raises `Refused`.

    A new move shifts the rows below a board on every platform. What is typed is meant. Call this
    last: users who are asked to press again must not be refused then.
    """
    if not context.command.version:
        return
    store, now = context.store, context.store.now()
    changes = await match_queries.last_changes(store, match.id, context.place.id)
    # The clock of another process may be a little ahead. If it was far ahead, do not wait for it.
    if any(abs(now - at) <= _JUST_NOW for at in changes):
        raise Refused(code)


def match_in(line: str) -> int:
    """Parse a match number, 0 if empty. Raises `Refused` if it is none."""
    word = plain(line)
    number = parse_number(word.strip(MARKS))
    if not word or number:
        return number
    digits = word.removeprefix("#")
    if digits.isascii() and digits.isdecimal():
        raise Refused("no-such-match", match=digits[:32])
    raise Refused("match-number", word=word[:32])


def parse_number(argument: str) -> int:
    """Return the number in ``#12`` or ``12``, 0 if it is none."""
    word = argument.strip().removeprefix("#")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 12 else 0
