"""Presses, messages and pings: a whole random match of every game, at every front, by pressing.

Two people who are both there. What the house draws and what people play is drawn by a seed; in
Black Box the seeker guesses after ten questions.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bot.matches import LoadedMatch
from bot.model import Status
from tests.bot.seated import users
from tools.film.front import ANNA, BEN, Front, Tally

__all__ = ["Cost", "cost_of"]

_QUESTIONS = 10
_LONGEST = 400
_SEED = 20
"""With it no match is as long as a bad novel."""


@dataclass(slots=True)
class Cost:
    """What a match of a game costs at a front."""

    front: str
    game: str
    to_first: int
    """Presses and lines of both, from nothing to the end of the first move; another chat is opened
    by a press, and at the web table each types a name first."""
    typed: int
    """Those of them that are typed."""
    hiding: int | None
    """Presses and lines to hide five stones, the way there included, where there are some."""
    moves: int
    presses: float
    """Per move."""
    most: int
    """Presses of the longest move."""
    messages: int
    answers: int
    edits: int
    keys: int
    pings: int

    @property
    def plain(self) -> dict[str, Any]:
        return asdict(self)


async def cost_of(front: type[Front], game: str) -> Cost:
    """Play one match to its end, and count."""
    with TemporaryDirectory(prefix="azumaya-film-") as folder:
        async with front(Path(folder), Random(_SEED)) as there:
            return await _played(there, game)


async def _played(front: Front, game: str) -> Cost:
    luck, started = Random(_SEED), front.tally()
    await front.challenge(game)
    await front.presses(BEN, "accept:")
    first: Tally | None = None
    hiding: list[int] = []
    per_move: list[int] = []
    while (loaded := await front.house.match(1)).match.status is Status.RUNNING:
        before = front.tally()
        seat, moves = _next(loaded, luck)
        person = await _person(front, loaded, seat)
        version = loaded.match.version
        if len(moves) > 1 and front.writes:
            await _together(front, person, loaded, moves)
        else:
            for move in moves:
                await front.moves(person, 1, *loaded.game.steps(move))
        done = front.tally() - before
        if _is_hiding(loaded) and len(moves) > 1:
            hiding.append(done.presses + done.lines)
        per_move.append(done.presses)
        first = first or front.tally() - started
        assert (await front.house.match(1)).match.version > version, moves
        assert len(per_move) < _LONGEST, "it does not end"
    whole = front.tally() - started
    assert first is not None
    number = len(loaded.match.plies)
    return Cost(
        front.name,
        game,
        first.presses + first.lines,
        first.lines,
        hiding[0] if hiding else None,
        number,
        round(sum(per_move) / number, 2),
        max(per_move),
        whole.messages,
        whole.answers,
        whole.edits,
        whole.keys,
        whole.pings,
    )


async def _person(front: Front, loaded: LoadedMatch, seat: int) -> int:
    name = (await front.house.app.names.of(loaded.match.people))[users(loaded.match)[seat]]
    return {"Anna": ANNA, "Ben": BEN}[name]


def _is_hiding(loaded: LoadedMatch) -> bool:
    (seat, *_) = sorted(loaded.position.turn)
    return bool(getattr(loaded.position.view(seat), "phase", "") == "hide")


def _next(loaded: LoadedMatch, luck: Random) -> tuple[int, list[Any]]:
    """What is done next: a move, or all stones that are to be hidden."""
    position, game = loaded.position, loaded.game
    seat = luck.choice(sorted(position.turn))
    every = list(position.moves(seat))
    if game.id != "blackbox":
        return seat, [luck.choice(every)]
    view = position.view(seat)
    by_verb = {verb: [one for one in every if one.verb == verb] for verb in ("hide", "ask")}
    if view.phase == "hide":
        number = view.number - len(view.stones or ())
        return seat, luck.sample(by_verb["hide"], number) if number else [_one(every, "ready")]
    if len(view.asked) < _QUESTIONS:
        return seat, [luck.choice(by_verb["ask"])]
    return seat, [_one(every, "guess")]


def _one(moves: list[Any], verb: str) -> Any:
    return next(one for one in moves if one.verb == verb)


async def _together(front: Front, person: int, loaded: LoadedMatch, moves: list[Any]) -> None:
    """Make several moves in one line, as far as there is a window for it."""
    for way in ("private", "form"):
        await front.presses(person, f"{way}:1:{loaded.match.version}:")
    await front.writes_down(" ".join(loaded.game.steps(move)[0] for move in moves))
    await front.house.settled()
