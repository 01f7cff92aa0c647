"""The highest level against the alpha-beta that it is measured by."""

from random import Random

from games.computer.othello import PLAYER
from games.othello import GAME
from tests.games.computer.test_othello import OTHELLO, LateAfter
from tools.strength.othello import plain


def test_the_highest_level_beats_alpha_beta() -> None:
    rng = Random(4)
    for number in range(2):
        position = GAME.start(OTHELLO, GAME.new_setup(OTHELLO, rng))
        while position.turn:
            seat = position.side
            if position.forced() or seat == number:
                move = PLAYER.choose(position, seat, level=5, rng=rng, is_late=LateAfter(20))
            else:
                move = plain(2)(position, seat, rng, ())
            position = position.play(seat, move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winners == {number}
