"""What could follow what somebody is typing, with a hint to each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import games
from bot.commands.base import Asked, Kind, Spec
from bot.commands.finding import label, matches_here
from bot.commands.words import command_called, words_of
from bot.matches import Live
from bot.model import Status
from bot.screens import option_words
from bot.store import blocks, people
from bot.store import matches as rows
from bot.texts import LANGUAGES
from games import AnyGame

__all__ = ["MOST", "Completion", "complete"]

MOST = 12
"""How many completions are given, unless a front asks for another number."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole line that could be sent, and what it would do."""

    text: str
    hint: str = ""


async def complete(
    asked: Asked, table: Iterable[Spec], text: str, *, most: int = MOST
) -> tuple[Completion, ...]:
    """At most `most` completions of `text`, which begins with a slash."""
    name, space, argument = text.removeprefix("/").partition(" ")
    if not space:
        return _commands(asked, table, name.casefold())
    table = tuple(table)
    name = command_called(name, tuple(spec.name for spec in table))
    spec = next((spec for spec in table if spec.name == name), None)
    if spec is None:
        return ()
    words = argument.split(" ")
    last, before = words[-1], " ".join([f"/{name}", *words[:-1]])
    found: list[Completion] = []
    for kind in [known.name for known in spec.arguments]:
        if not _is_open(kind, words[:-1]):
            continue
        if kind is Kind.COMMAND:
            offered = [
                (spec.name, _help(asked, spec))
                for spec in table
                if any(word.startswith(last.casefold()) for word in words_of(spec.name))
            ]
        else:
            offered = await _words(asked, spec, kind, last=last, line=argument, most=most)
        found += [Completion(f"{before} {word}", hint) for word, hint in offered]
    return tuple(dict.fromkeys(found))[:most]


def _is_open(kind: Kind, words: Sequence[str]) -> bool:
    """Can an argument of this kind still come after `words`?"""
    match kind:
        case Kind.MOVE | Kind.OPTIONS:
            return True
        case Kind.USER:
            return not any(word.startswith("@") for word in words)
        case Kind.GAME:
            return not any(map(games.find, words))
        case _:
            return not words


def _commands(asked: Asked, table: Iterable[Spec], prefix: str) -> tuple[Completion, ...]:
    return tuple(
        Completion(f"/{spec.name}" + (" " if spec.arguments else ""), _help(asked, spec))
        for spec in table
        if any(word.startswith(prefix) for word in words_of(spec.name))
    )


def _help(asked: Asked, spec: Spec) -> str:
    return asked.texts(f"{spec.game}-about" if spec.game else f"help-{spec.name}")


async def _words(
    asked: Asked, spec: Spec, kind: Kind, *, last: str, line: str, most: int
) -> list[tuple[str, str]]:
    low, texts = last.casefold(), asked.texts
    match kind:
        case Kind.GAME:
            offered = [(game_id, texts(f"{game_id}-about")) for game_id in games.ids()]
        case Kind.LANGUAGE:
            offered = list(LANGUAGES.items())
        case Kind.USER:
            if not last.startswith("@"):
                return []
            store, platform = asked.store, asked.place.platform
            if spec.name == "unblock":
                names = await blocks.handles(store, asked.user.id, platform, last[1:], limit=most)
            else:
                names = await people.handles(store, platform, last[1:], limit=most)
            return [(f"@{name}", "") for name in names]
        case Kind.MOVE:
            return await _moves(asked, games.get(spec.name), line, most=most)
        case Kind.OPTIONS:
            named = (
                next(filter(None, map(games.find, line.split())), None)
                if spec.game is None
                else games.get(spec.game)
            )
            starts = "new" in line.split(" ")[:1] or "@" in line or spec.game is None
            offered = _options(asked, named) if named and starts else []
        case Kind.MATCH:
            offered = await _matches(asked)
        case Kind.COMMAND | Kind.CODE:
            return []
    return [(word, hint) for word, hint in offered if word.casefold().startswith(low)]


def _options(asked: Asked, game: AnyGame) -> list[tuple[str, str]]:
    texts = asked.texts
    return [
        (
            f"{option.id}={choice}",
            option_words(game, option.id, choice, texts),
        )
        for option in game.options
        for choice in option.choices
    ]


async def _matches(asked: Asked) -> list[tuple[str, str]]:
    """The caller's matches, wherever they are played."""
    store = asked.store
    found = await rows.waiting(store, asked.user.id, status=[Status.RUNNING, Status.PROPOSED])
    lives = await asked.matches.several(found[:MOST])
    return [(f"#{live.match.id}", await label(asked, live)) for live in lives]


async def _moves(asked: Asked, game: AnyGame, line: str, *, most: int) -> list[tuple[str, str]]:
    """Legal moves of the caller's matches here that begin with what is typed.

    Where moves bring answers, those that were made already follow, with their answers.
    """
    typed = line.casefold()
    found: list[tuple[str, str]] = []
    for live in (await matches_here(asked, game=game)).lives:
        offered = _legal(asked, live) + (_answered(asked, live) if game.verbs else [])
        found += [(written, hint) for written, hint in offered if written.startswith(typed)]
    if "new".startswith(typed):
        found.append(("new", asked.texts("help-new")))
    head = typed.rpartition(" ")[0]
    if len(found) > most and not head:
        # Too many to list: first the verbs, as a way in.
        verbs = [verb for verb in game.verbs if verb.startswith(typed)]
        if verbs:
            return [(f"{verb} ", "") for verb in verbs] + found
    # The line before the last word stands already.
    return [(written[len(head) :].lstrip(), hint) for written, hint in found]


def _legal(asked: Asked, live: Live) -> list[tuple[str, str]]:
    seat = live.match.seat_of(asked.user.id)
    if seat is None or seat not in live.turn:
        return []
    view, game = live.view(seat), live.game
    moves = []
    for move in live.on.moves(seat):
        effect = game.effect(view, seat, move)
        hint = asked.texts.note(game.id, "effect", effect) if effect else ""
        moves.append((game.notation(move), hint))
    return moves


def _answered(asked: Asked, live: Live) -> list[tuple[str, str]]:
    """Moves whose answers the caller knows, such as rays that were sent."""
    match, game = live.match, live.game
    listener, known = match.seat_of(asked.user.id), {}
    for before, seat, move, _ in game.plies(match.options, match.setup, match.record):
        written = game.notation(move)
        text = game.told(before, seat, move, listener) or written
        known[written] = text.removeprefix(written).strip(" =")
    return [(written, f"= {answer}") for written, answer in known.items() if answer]
