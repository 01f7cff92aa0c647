"""Finding what a command means: people, games, options, matches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import games
from bot.actions import Action
from bot.commands.base import Answer, Asked
from bot.commands.words import find
from bot.errors import Refused
from bot.matches import Live
from bot.model import PlaceKind, Status
from bot.screens import Button, Screen, headline
from bot.store import matches as rows
from bot.texts import LANGUAGES, Texts
from games import AnyGame

__all__ = [
    "MOST_OFFERED",
    "Found",
    "game_called",
    "label",
    "matches_here",
    "number_in",
    "options_in",
    "some",
    "which",
    "which_of",
]

MOST_OFFERED = 10
"""So many matches are loaded and offered, where it is to be asked which one is meant."""


def game_called(word: str) -> AnyGame:
    """The game of this name in any language. Raises `Refused`."""
    game = find(word.removeprefix("/"))
    if game is None:
        raise Refused("unknown-game", word=word[:32], games=", ".join(games.ids()))
    return game


def options_in(game: AnyGame, words: Iterable[str]) -> tuple[dict[str, str], int | None]:
    """Chosen options and the wished seat in `words`: ``size=5``, ``reversi``, ``black``.

    Raises `Refused`, or `GameError` for a value that an option does not have.
    """
    chosen: dict[str, str] = {}
    wish: int | None = None
    sides = _sides(game)
    for raw in words:
        word = raw.casefold()
        key, equals, value = word.partition("=")
        if equals:
            chosen[key] = value
        elif word in sides:
            wish = sides[word]
        else:
            having = [option.id for option in game.options if word in option.choices]
            if len(having) != 1:
                code = "option-ambiguous" if having else "option-unknown"
                raise Refused(code, word=raw[:32], options=_offered(game))
            chosen[having[0]] = word
    game.options_from(chosen)
    return chosen, wish


def _offered(game: AnyGame) -> str:
    return ", ".join(
        f"{option.id}={choice}" for option in game.options for choice in option.choices
    )


def _sides(game: AnyGame) -> dict[str, int]:
    """The words for seats: their names in every language that we speak."""
    sides = {"first": 0, "second": 1}
    for language in LANGUAGES:
        texts = Texts(language)
        for seat in (0, 1):
            if texts.has(key := f"{game.id}-seat-{seat}"):
                sides[texts(key).casefold()] = seat
    return sides


@dataclass(frozen=True, slots=True)
class Found:
    """The newest of the matches that somebody could mean, and how many more there are.

    However many somebody has open, no more than a question can offer are loaded.
    """

    lives: tuple[Live, ...] = ()
    more: int = 0

    def __len__(self) -> int:
        return len(self.lives) + self.more

    @property
    def only(self) -> Live:
        """The one that there is."""
        (live,) = self.lives
        return live


async def some(asked: Asked, match_ids: Sequence[int]) -> Found:
    """The first `MOST_OFFERED` of these matches."""
    lives = await asked.matches.several(match_ids[:MOST_OFFERED])
    return Found(tuple(lives), max(0, len(match_ids) - MOST_OFFERED) if lives else 0)


async def matches_here(
    asked: Asked, *, game: AnyGame | None = None, on_turn: bool = False
) -> Found:
    """The caller's running matches of this place; in a direct place all of them count."""
    store, user, place = asked.store, asked.user, asked.place
    game_id = game.id if game else None
    found = await rows.waiting(store, user.id, game=game_id, place_id=place.id, on_turn=on_turn)
    if not found and place.kind is PlaceKind.DIRECT:
        # It is not their turn here: then it is not meant to be their turn elsewhere either.
        waits = on_turn and await rows.waiting(store, user.id, game=game_id, place_id=place.id)
        if not waits:
            found = await rows.waiting(store, user.id, game=game_id, on_turn=on_turn)
    return await some(asked, found)


async def which(asked: Asked, found: Found, verb: str) -> Answer:
    """Ask which of several matches is meant; a button does `verb` in that one."""
    return await which_of(
        asked,
        [(live, Action(verb, live.match.id, live.match.version)) for live in found.lives],
        more=found.more,
    )


async def which_of(asked: Asked, found: Sequence[tuple[Live, Action]], *, more: int = 0) -> Answer:
    """Ask which of several matches is meant, with what each one's button does."""
    buttons = [Button(await label(asked, live), action) for live, action in found]
    text = asked.texts("which-match")
    if more:
        text += "\n" + asked.texts("which-more", count=more)
    return Answer(private=Screen(text=text, rows=tuple((button,) for button in buttons)))


async def label(asked: Asked, live: Live) -> str:
    """A match in a few words, for a button: its number and who plays."""
    match, texts = live.match, asked.texts
    names = await asked.house.names.of(match.people)
    if match.status is Status.PROPOSED:
        name = texts(f"{match.game}-name")
        other = names[match.opponent] if match.opponent is not None else "?"
        return f"#{match.id} {name} · {names[match.challenger]} – {other}"
    return f"#{match.id} {headline(live, texts, names)}"


def number_in(argument: str) -> int:
    """The match number in ``#12`` or ``12``; 0 where there is none."""
    word = argument.strip().removeprefix("#")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 12 else 0
