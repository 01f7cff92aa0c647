"""The static evaluation of Nine Men's Morris (see ``tools/strength/train_morris.py``)."""

# ruff: noqa: PLR0917 - compiled functions take positional arguments

from collections.abc import Sequence

from games.computer.accelerated import Table, jit, table
from games.computer.morris_board import ALL, closing, count, milled, spread

FEATURES = 11
"""What `evaluate` counts, in this order:

    stones; stones in mills; points that would close a mill; one of them reachable at once;
    the opponent's of that kind (up to two); mobility; blocked stones;
    neighbours of own stones while placing; mills with a stone that can close another;
    the move; whether two mills threaten
"""

_PLACING = (100, 0, 8, 40, 11, 8, 20, 3, -10, 8, 60)
_SLIDING = (110, 0, 4, 40, 5, 16, 25, 0, 44, 10, 60)
_JUMPING = (150, 0, 20, 40, 5, 0, 0, 0, 0, 10, 80)


def by_stage(placing: Sequence[int], sliding: Sequence[int], jumping: Sequence[int]) -> list[int]:
    """Return the weights of all stages in a row."""
    stages = (sliding, *[placing] * 6, *[jumping] * 3)
    return [weight for weights in stages for weight in weights]


WEIGHTS = table(by_stage(_PLACING, _SLIDING, _JUMPING))
"""Feature weights stage by stage. A stone is worth about 100."""


@jit
def stage(own: int, other: int, hand: int, hand2: int) -> int:
    """Return 0 while both slide, 1 to 6 while stones are placed (6 first), 7 to 9 with jumpers."""
    if hand + hand2:
        return (hand + hand2 + 2) // 3
    jumps = (count(own) == 3) + 2 * (count(other) == 3)
    return 6 + jumps if jumps else 0


@jit
def _closers(own: int, targets: int) -> int:
    found = 0
    while targets:
        target = targets & -targets
        targets ^= target
        near = spread(target) & own
        while near:
            origin = near & -near
            near ^= origin
            if closing(own ^ origin) & target:
                found |= target
                break
    return found


@jit
def describe(own: int, other: int, hand: int, hand2: int, found: Table) -> None:
    """Write the features of a position to `found`, seen by the side to move."""
    free = ALL & ~(own | other)
    mine = closing(own) & free
    theirs = closing(other) & free
    near = spread(own) & free
    far = spread(other) & free
    left = count(own) + hand
    left2 = count(other) + hand2
    my_mills = milled(own)
    their_mills = milled(other)
    placing = hand + hand2 > 0
    quick = mine if hand or left == 3 else _closers(own, mine & near)
    slow = theirs if hand2 or left2 == 3 else _closers(other, theirs & far)
    open_ = spread(free)
    found[0] = left - left2
    found[1] = count(my_mills) - count(their_mills)
    found[2] = count(mine) - count(theirs)
    found[3] = min(count(quick), 1)
    found[4] = -min(count(slow), 2)
    found[5] = count(near) - count(far)
    found[6] = count(other & ~open_) - count(own & ~open_)
    found[7] = count(spread(own)) - count(spread(other)) if placing else 0
    found[8] = (count(spread(mine) & my_mills) > 0) - (count(spread(theirs) & their_mills) > 0)
    found[9] = 1
    found[10] = -1 if count(slow) > 1 else 0


@jit
def evaluate(own: int, other: int, hand: int, hand2: int, weights: Table, room: Table) -> int:
    """Return the value for the side to move. `room` is scratch space for `FEATURES` numbers."""
    describe(own, other, hand, hand2, room)
    start = stage(own, other, hand, hand2) * FEATURES
    value = 0
    for number in range(FEATURES):
        value += weights[start + number] * room[number]
    return value
