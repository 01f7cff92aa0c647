"""Drawing and encoding: boards and replays of every game, a leaderboard, a rating curve."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import median
from subprocess import PIPE, run
from timeit import repeat, timeit
from typing import Any

import games
import renderers
from games import AnyGame, AnyPosition
from renderers import THEMES, RenderOptions
from renderers.curve import rating_curve
from renderers.leaderboard import MOST_ROWS, Row, leaderboard
from renderers.replay import replay

_MATCHES = 6
_PICTURES = 200
_REPLAYS = 9
_LATIN = ("Žofie", "Tom", "Hildegard", "Łukasz", "María", "Nguyễn", "Wolfeschlegel", "O'Brien")
_NAMES = (
    *[_LATIN] * 5,
    ("王", "小明", "陈", "さくら", "田中"),
    ("محمد", "علي", "فاطمة", "خالد"),
    ("שלום", "כהן", "דוד", "לוי"),
    ("สมชาย", "ใจดี", "ทองคำ"),
    ("Юлия", "Алексей", "Иванова"),
)
"""Words of names by script, half of them Latin."""


def measure() -> dict[str, float]:
    """Return the milliseconds of the first picture of a process and of warm ones, by game."""
    figures: dict[str, float] = {}
    for game_id in games.ids():
        views = list(_views(games.get(game_id)))
        cold = run([sys.executable, "-m", __name__, game_id], stdout=PIPE, check=True)
        figures[f"{game_id}: first picture, cold sprites (ms)"] = float(cold.stdout)
        draws = [
            partial(renderers.render, game_id, view, RenderOptions(theme=theme))
            for theme in THEMES
            for view in views
        ]
        _, took = ([timeit(draw, number=1) for draw in draws] for _ in range(2))
        figures[f"{game_id}: draw + encode, median (ms)"] = median(took) * 1e3
        film = partial(replay, game_id, views[:61], RenderOptions(size=480), delay=80)
        took = repeat(film, number=1, repeat=_REPLAYS)
        figures[f"{game_id}: replay of 60 plies, median (ms)"] = median(took) * 1e3
        figures[f"{game_id}: replay of 60 plies (KB)"] = len(film()) / 1e3
    figures["leaderboard: draw + encode, median (ms)"] = _median(_table, leaderboard)
    figures["rating curve of 3,000: draw + encode, median (ms)"] = _median(_points, rating_curve)
    return figures


def _median(arguments: Callable[[Random], dict[str, Any]], draw: Callable[..., bytes]) -> float:
    """Return the median milliseconds of different pictures, after a warm-up."""
    luck, took = Random(1), []
    for at in range(2 * _PICTURES):
        given = arguments(luck)
        took.append(timeit(partial(draw, **given, theme=THEMES[at % len(THEMES)]), number=1))
    return median(took[_PICTURES:]) * 1e3


def _table(luck: Random) -> dict[str, Any]:
    """Return ten rows, half of them not in Latin letters, and the reader's own."""
    rows = [
        Row(
            at + 1,
            " ".join(luck.choices(luck.choice(_NAMES), k=2)),
            f"{luck.randrange(1200, 2000)}?",
            f"{luck.randrange(5, 200)} played",
        )
        for at in range(MOST_ROWS)
    ]
    own = Row(luck.randrange(11, 10_000), luck.choice(_NAMES[0]), "1500")
    return {"title": "Othello, this month", "rows": rows, "own": own}


def _points(luck: Random) -> dict[str, Any]:
    rating, points = 1500.0, []
    for at in range(3000):
        rating += luck.gauss(0, 9)
        points.append((at * 9000.0, rating))
    dates = [(at * 5e6, f"{at}. May") for at in range(6)]
    return {"points": points, "title": "Othello", "last": "1634?", "dates": dates}


def _first(game_id: str) -> float:
    """Return the milliseconds of the first picture of this process."""
    view = next(_views(games.get(game_id)))
    return timeit(partial(renderers.render, game_id, view, RenderOptions()), number=1) * 1e3


def _views(game: AnyGame) -> Iterator[Any]:
    """Yield what a spectator sees in every position of some random matches."""
    for seed in range(_MATCHES):
        for position in played(game, seed):
            yield position.view(None)


def played(game: AnyGame, seed: int) -> Iterator[AnyPosition]:
    """Yield the positions of a random match, up to 60 plies."""
    luck = Random(seed)
    options = game.options_from({})
    position = game.start(options, game.new_setup(options, luck))
    for _ in range(61):
        yield position
        if not position.turn:
            return
        seat = luck.choice(sorted(position.turn))
        position = position.play(seat, luck.choice(position.moves(seat)))
        while forced := position.forced():
            position = position.play(*forced)


if __name__ == "__main__":
    print(_first(sys.argv[1]))
