"""Finding what a command means: people, games, options, matches."""

from collections.abc import Iterable, Sequence

import games
from bot.actions import Action
from bot.commands.base import Answer, Asked
from bot.errors import Refused
from bot.matches import Live
from bot.model import PlaceKind, Status, User
from bot.names import HOUSE_HANDLES
from bot.names import LONGEST as LONGEST_NAME
from bot.screens import Button, Screen, headline
from bot.store import matches as rows
from bot.store import people
from bot.texts import LANGUAGES, Texts
from games import AnyGame

__all__ = [
    "game_called",
    "label",
    "match_seen",
    "matches_here",
    "number_in",
    "options_in",
    "person_in",
    "which",
    "which_of",
]

_MOST_WORDS = LONGEST_NAME // 2
"""So many may a name have."""


def game_called(word: str) -> AnyGame:
    """The game of this name in any language. Raises `Refused`."""
    game = games.find(word.removeprefix("/"))
    if game is None:
        raise Refused("unknown-game", word=word[:32], games=", ".join(games.ids()))
    return game


async def person_in(asked: Asked, words: Sequence[str]) -> tuple[User, list[str]] | None:
    """The person whom `words` mention, and the other words; None where nobody is mentioned.

    A name may have spaces: the longest one that is somebody's wins. Raises `Refused`.
    """
    for at, word in enumerate(words):
        if found := asked.command.mentions.get(word):
            return found, [*words[:at], *words[at + 1 :]]
        if not word.startswith("@") or len(word) < 2:
            continue
        if word[1:].casefold() in HOUSE_HANDLES:
            raise Refused("challenge-house")
        for end in range(min(len(words), at + _MOST_WORDS), at, -1):
            handle = " ".join(words[at:end])[1:]
            person = await people.by_handle(asked.house.store, asked.place.platform, handle)
            if person:
                return person, [*words[:at], *words[end:]]
        raise Refused("unknown-person", name=word[1:33])
    return None


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


async def matches_here(
    asked: Asked,
    *,
    game: AnyGame | None = None,
    status: Iterable[Status] = (Status.RUNNING,),
) -> list[Live]:
    """The caller's matches of this place, newest first; in a direct place all of them count."""
    house, user, place = asked.house, asked.user, asked.place
    wanted = tuple(status)
    game_id = game.id if game else None
    found = await rows.waiting(house.store, user.id, game=game_id, place_id=place.id, status=wanted)
    if not found and place.kind is PlaceKind.DIRECT:
        found = await rows.waiting(house.store, user.id, game=game_id, status=wanted)
    return await house.matches.several(found)


async def match_seen(asked: Asked, match_id: int) -> Live:
    """The match with this number, for those who may see it. Raises `Refused`.

    Players see their matches anywhere; others where the match is shown already.
    """
    live = await asked.house.matches.get(match_id)
    if asked.user.id not in live.match.people:
        shown = await rows.boards_of(asked.house.store, match_id)
        if all(found.place_id != asked.place.id for found in shown):
            raise Refused("no-such-match", match=match_id)
    return live


async def which(asked: Asked, found: Sequence[Live], verb: str) -> Answer:
    """Ask which of several matches is meant; a button does `verb` in that one."""
    return await which_of(
        asked, [(live, Action(verb, live.match.id, live.match.version)) for live in found]
    )


async def which_of(asked: Asked, found: Sequence[tuple[Live, Action]]) -> Answer:
    """Ask which of several matches is meant, with what each one's button does."""
    buttons = [Button(await label(asked, live), action) for live, action in found[:10]]
    return Answer(
        private=Screen(text=asked.texts("which-match"), rows=tuple((button,) for button in buttons))
    )


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
