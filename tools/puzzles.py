"""Find the puzzles of `bot/matches/stock.jsonl` in games of lower levels, with the app's criterion.

Each line of the file is one puzzle, and `level` is the lowest level that finds it reliably. The
seed determines the games. Searches end by processor time, so a faster machine may find others.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import click

import games
from bot.domain.analysis import Judgement
from bot.engines.tasks import Rank, judgement
from bot.engines.worker import accelerate
from bot.matches.puzzles import MOST_OF_A_MATCH, SECONDS, have_puzzles, is_obvious, is_puzzle
from games import AnyGame, AnyPosition, computer
from games.computer import LEVELS, Candidate, IsLate

_FIRST = 8
"""Plies before the first puzzle: openings differ too little."""
_TRIED = 0.3
"""The share of positions in which mistakes are tried: neighbours look alike."""
_OPEN = 0.25
_COSTS = 0.2
"""Minimum loss of a mistake, in expectation."""
_TRIES = 3
_PLAYERS = range(1, LEVELS)
_GLANCE, _LOOK = 0.02, 0.1
"""Seconds of the searches that exclude most positions."""
_FOR_A_MOVE = 0.3
_SEEDS = 10
_RELIABLE = 8
"""How many of `_SEEDS` choices of a level must be the best move."""

Line = dict[str, Any]


def _until(seconds: float) -> IsLate:
    end = time.process_time() + seconds
    return lambda: time.process_time() >= end


class Search:
    """The search for `target` puzzles of one game, at most `most` of each level."""

    def __init__(
        self, game: AnyGame, options: dict[str, str], *, seed: int, target: int, most: int
    ) -> None:
        self._game, self._options, self._seed = game, game.options_from(options), seed
        self._target, self._most = target, most
        self.levels: Counter[int] = Counter()
        self._known: set[object] = set()

    def note(self, line: Line) -> None:
        """Count a puzzle that is known already."""
        if (line["game"], line["options"]) == (self._game.id, self._options):
            self.levels[line["level"]] += 1
            self._known.add(self._sketch(self._game.start(line["options"], line["setup"])))

    def found(self) -> Iterator[Line]:
        number = 0
        while self.levels.total() < self._target:
            yield from self._in_match(Random(f"{self._seed} {self._game.id} {number}"))
            number += 1

    def _in_match(self, rng: Random) -> Iterator[Line]:
        """Play a match, and search the positions after mistakes that could have happened."""
        game, count = self._game, 0
        position = game.start(self._options, game.new_setup(self._options, rng))
        level, ply = rng.choice(_PLAYERS), 0
        while position.turn and count < MOST_OF_A_MATCH:
            seat = min(position.turn)
            if ply >= _FIRST and rng.random() < _TRIED:
                for bad in self._mistakes(position, seat, rng):
                    # A puzzle starts without the history of the match.
                    start = game.start(self._options, position.play(seat, bad).setup())
                    line = self._judged(start) if start.turn else None
                    if line is not None:
                        count += 1
                        yield line
                        break
                if self.levels.total() >= self._target:
                    return
            position = position.play(seat, _chosen(game, position, seat, level, rng))
            ply += 1

    def _mistakes(self, position: AnyPosition, seat: int, rng: Random) -> list[Any]:
        """Return moves that lose much of what is left to lose, such as a win."""
        ranked = self._ranked(position, seat, _GLANCE)
        worth = ranked[0].expectation
        if worth < _OPEN:
            return []
        bad = [one.move for one in ranked if worth - one.expectation >= _COSTS]
        view = position.view(seat)
        return [self._game.parse(view, seat, it) for it in rng.sample(bad, min(_TRIES, len(bad)))]

    def _judged(self, position: AnyPosition) -> Line | None:
        """Return the position as a puzzle, if it is one whose level is wanted."""
        seat = min(position.turn)
        if self._sketch(position) in self._known:
            return None
        best = self._best(position, _GLANCE)
        if best is None or is_obvious(self._game, position, seat, best):
            return None
        level = self._level(position, seat, best)
        if self.levels[level] >= self._most or self._best(position, _LOOK) != best:
            return None
        one = self._judgement(position, SECONDS)
        highest = _chosen(self._game, position, seat, LEVELS, Random(1))
        if not is_puzzle(one) or not one.best == best == self._game.notation(highest):
            return None
        self.levels[level] += 1
        self._known.add(self._sketch(position))
        return {
            "game": self._game.id,
            "rules": self._game.rules_version,
            "options": self._options,
            "setup": position.setup(),
            "seat": seat,
            "best": best,
            "line": one.line,
            "expectation": one.best_expectation,
            "second": one.second,
            "level": level,
        }

    def _best(self, position: AnyPosition, seconds: float) -> str | None:
        one = self._judgement(position, seconds)
        return one.best if is_puzzle(one) else None

    def _judgement(self, position: AnyPosition, seconds: float) -> Judgement:
        ranked = self._ranked(position, min(position.turn), seconds)
        one = judgement(ranked, ranked[0].move)
        assert one is not None
        return one

    def _sketch(self, position: AnyPosition) -> object:
        """Return what a position shares with its mirror images and hardly any others."""
        setup = position.setup()
        parts = sorted(setup.split("/") if "/" in setup else setup)
        return len(position.moves(min(position.turn))), *parts

    def _ranked(self, position: AnyPosition, seat: int, seconds: float) -> Sequence[Candidate[str]]:
        task = Rank(self._game.id, position.view(seat), seat, seconds)
        return task.run(_until(seconds))

    def _level(self, position: AnyPosition, seat: int, best: str) -> int:
        """Return the lowest level that finds the best move reliably."""
        for level in range(1, LEVELS):
            chosen = [
                _chosen(self._game, position, seat, level, Random(f"{self._seed} {luck}"))
                for luck in range(_SEEDS)
            ]
            if sum(self._game.notation(move) == best for move in chosen) >= _RELIABLE:
                return level
        return LEVELS


def _chosen(game: AnyGame, position: AnyPosition, seat: int, level: int, rng: Random) -> Any:
    view, is_late = position.view(seat), _until(_FOR_A_MOVE)
    return computer.engine(game.id).choose(view, seat, level=level, rng=rng, is_late=is_late)


def _read(out: Path) -> list[Line]:
    lines = out.read_text().splitlines() if out.exists() else []
    return [json.loads(line) for line in lines if not line.startswith("#")]


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--games", "names", default="", help="Separated by commas. Default: all.")
@click.option("--option", "chosen", multiple=True, help="An option of the game: rules=reversi.")
@click.option("--seed", default=1, show_default=True)
@click.option("--target", default=61, show_default=True, help="Number of puzzles of a game.")
@click.option("--most", default=22, show_default=True, help="Of each level.")
def main(
    *, out: Path, names: str, chosen: tuple[str, ...], seed: int, target: int, most: int
) -> None:
    """Add each puzzle to the file as soon as it is found. A second run continues."""
    accelerate()
    every = names.split(",") if names else [it for it in games.ids() if have_puzzles(games.get(it))]
    for name in every:
        options = dict(one.split("=", 1) for one in chosen)
        search = Search(games.get(name), options, seed=seed, target=target, most=most)
        for line in _read(out):
            search.note(line)
        began = time.process_time()
        for line in search.found():
            _add(out, json.dumps(line, separators=(",", ":")))
            took = time.process_time() - began
            click.echo(f"{name} {dict(sorted(search.levels.items()))} {took:.0f} s")
        took, day = time.process_time() - began, datetime.now(UTC).date()
        _add(out, f"# {' '.join([name, *chosen])}: seed {seed}, {took:.0f} s, {day}")


def _add(out: Path, line: str) -> None:
    with out.open("a") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    main()
