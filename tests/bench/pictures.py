"""Drawing and encoding one board at 800 px, for every game."""

import sys
from collections.abc import Iterator
from random import Random
from statistics import median
from subprocess import PIPE, run
from time import perf_counter
from typing import Any

import games
import renderers
from games import AnyGame, AnyPosition
from renderers import THEMES, RenderOptions

__all__ = ["measure"]

_MATCHES = 6


def measure() -> dict[str, float]:
    """Milliseconds a game: the first picture of a process, and warm draw + encode (median)."""
    figures: dict[str, float] = {}
    for game_id in games.ids():
        views = list(_views(games.get(game_id)))
        cold = run([sys.executable, "-m", __name__, game_id], stdout=PIPE, check=True)
        figures[f"{game_id}: first picture, cold sprites (ms)"] = float(cold.stdout)
        for theme in THEMES:
            for view in views:
                renderers.render(game_id, view, RenderOptions(theme=theme))
        took = []
        for theme in THEMES:
            for view in views:
                began = perf_counter()
                renderers.render(game_id, view, RenderOptions(theme=theme))
                took.append(perf_counter() - began)
        figures[f"{game_id}: draw + encode, median (ms)"] = median(took) * 1e3
    return figures


def _first(game_id: str) -> float:
    """Milliseconds of the first picture; in a process that has drawn nothing yet."""
    view = next(_views(games.get(game_id)))
    began = perf_counter()
    renderers.render(game_id, view, RenderOptions())
    return (perf_counter() - began) * 1e3


def _views(game: AnyGame) -> Iterator[Any]:
    """What a spectator sees in every position of some random matches."""
    for seed in range(_MATCHES):
        for position in played(game, seed):
            yield position.view(None)


def played(game: AnyGame, seed: int) -> Iterator[AnyPosition]:
    """The positions of a random match of at most 60 plies."""
    luck = Random(seed)
    options = game.options_from({})
    position = game.start(options, game.new_setup(options, luck))
    for _ in range(60):
        yield position
        if not position.turn:
            return
        seat = luck.choice(sorted(position.turn))
        position = position.play(seat, luck.choice(position.moves(seat)))
        while forced := position.forced():
            position = position.play(*forced)


if __name__ == "__main__":
    print(_first(sys.argv[1]))
