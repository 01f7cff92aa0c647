"""Legal moves and playing one, in middle-game positions of every game."""

from statistics import median
from time import perf_counter

import games
from tools.bench.pictures import played

__all__ = ["measure"]

_MATCHES = 20
_MIDDLE = slice(12, 40)


def measure() -> dict[str, float]:
    """Microseconds (median) a game: all legal moves of the side to move; playing one of them."""
    figures: dict[str, float] = {}
    for game_id in games.ids():
        game = games.get(game_id)
        listing, playing = [], []
        for seed in range(_MATCHES):
            for position in list(played(game, seed))[_MIDDLE]:
                if not position.turn:
                    continue
                seat = min(position.turn)
                began = perf_counter()
                moves = position.moves(seat)
                listed = perf_counter()
                position.play(seat, moves[0])
                playing.append(perf_counter() - listed)
                listing.append(listed - began)
        figures[f"{game_id}: legal moves, median (us)"] = median(listing) * 1e6
        figures[f"{game_id}: playing a move, median (us)"] = median(playing) * 1e6
    return figures
