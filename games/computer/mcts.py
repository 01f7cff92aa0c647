"""Monte Carlo tree search for any two-player game without hidden information.

UCT as in Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning* (2006).
"""

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Any

import games
from games.base import Options, Position
from games.computer.base import Candidate, Engine, IsLate, never

_SIMULATIONS = (8, 40, 160, 640, 20_000)
"""Playouts per level. The highest level stops earlier if it is late."""
_CURIOSITY = 1.4
"""The exploration constant of UCB1, the square root of 2."""
_DOUBT = 4
"""Virtual drawn playouts added to those of each move."""
_LONGEST = 200

AnyMove = Any
AnyView = Position[Any, Any]


@dataclass(slots=True)
class _Node:
    position: AnyView
    seat: int | None
    """The seat that moved here. `value` sums up its results."""
    move: AnyMove = None
    untried: list[AnyMove] = field(default_factory=list)
    children: list["_Node"] = field(default_factory=list)
    visits: int = 0
    value: float = 0.0

    def best(self) -> "_Node":
        logarithm = log(self.visits)
        return max(
            self.children,
            key=lambda node: node.value / node.visits + _CURIOSITY * sqrt(logarithm / node.visits),
        )


class MctsEngine(Engine[AnyView, AnyMove, int]):
    """An engine that needs only the rules of a game. A level is a number of playouts."""

    levels = _SIMULATIONS
    can_judge_moves = False

    def __init__(self, game_id: str) -> None:
        self._game = games.get(game_id)

    def can_play(self, options: Options) -> bool:
        return self._game.seats(options) == 2 and not self._game.has_secrets(options)

    def move_at_level(
        self, view: AnyView, seat: int, how: int, rng: Random, is_late: IsLate
    ) -> AnyMove:
        root = _searched(view, how, rng, is_late)
        if not root.children:
            return rng.choice(view.moves(seat))
        return max(root.children, key=lambda node: node.visits).move

    def rank(
        self, view: AnyView, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[AnyMove], ...]:
        root = _searched(view, _SIMULATIONS[-1], Random(0), is_late)
        found = [
            Candidate(node.move, (node.value + _DOUBT / 2) / (node.visits + _DOUBT), (node.move,))
            for node in root.children
        ]
        found += [Candidate(move, 0.5, (move,)) for move in root.untried]
        return tuple(sorted(found, key=lambda one: -one.expectation))


def _searched(view: AnyView, simulations: int, rng: Random, is_late: IsLate) -> _Node:
    root = _node(view, None, None, rng)
    for _ in range(simulations):
        if is_late():
            break
        path = [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].best())
        node = path[-1]
        if node.untried:
            move, seat = node.untried.pop(), min(node.position.turn)
            node.children.append(_node(node.position.play(seat, move), seat, move, rng))
            path.append(node.children[-1])
        values = _played_out(path[-1].position, rng)
        for node in path:
            node.visits += 1
            if node.seat is not None:
                node.value += values[node.seat]
    return root


def _node(position: AnyView, seat: int | None, move: AnyMove, rng: Random) -> _Node:
    untried = list(position.moves(min(position.turn))) if position.turn else []
    rng.shuffle(untried)
    return _Node(position, seat, move, untried)


def _played_out(position: AnyView, rng: Random) -> tuple[float, float]:
    for _ in range(_LONGEST):
        if not position.turn:
            break
        seat = min(position.turn)
        position = position.play(seat, rng.choice(position.moves(seat)))
    outcome = position.outcome()
    if outcome is None or len(outcome.winners) != 1:
        return 0.5, 0.5
    return (1.0, 0.0) if 0 in outcome.winners else (0.0, 1.0)
