"""Boxes of Black Box that are hard to search, and what a search costs: games/computer/blackbox.bin.

The player searches random boxes, looking one question ahead; the costliest fifth it searches three
times more, turned, so that they are hard whatever is asked first; of these the costlier half is
kept. Run from the root of the project, for sizes and stones that are named::

    python -m tests.strength.train_blackbox --seed 1 --boxes 2000 8x5 8x4

What others have learnt stays in the file. Made with seed 1; how many boxes and how long for each
is in `MADE`.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from games.blackbox import WRONG_STONE, BlackBoxPosition, Leg
from games.computer.blackbox import Lesson, believed, lessons, turned, values_of, written
from games.computer.blackbox_search import Plan, planned

FILE = Path(__file__).parents[2] / "games" / "computer" / "blackbox.bin"

MADE = ""


_early: dict[tuple[int, int, tuple[tuple[int, str], ...]], Plan] = {}
"""Plans for few answers, which come up again and again."""


def _plan(position: BlackBoxPosition) -> Plan:
    """What to do, by one question; it depends on the answers only."""
    view = position.view(0)
    key = view.size, view.number, view.notes
    if key in _early:
        return _early[key]
    belief = believed(view)
    assert belief is not None
    values = values_of(view.size, view.number)
    plan = planned(belief.layouts, belief.chosen, values, weight=belief.weight, deepest=1)
    if len(view.notes) <= 4:
        _early[key] = plan
    return plan


def cost(size: int, number: int, box: tuple[int, ...]) -> int:
    """What a search of this box costs, looking one question ahead."""
    stones = sum(1 << cell for cell in box)
    leg = Leg(stones, is_hidden=True)
    while True:
        position = BlackBoxPosition(size, number, "hide", (leg,))
        plan = _plan(position)
        if plan.is_guess:
            found = sum(stones >> cell & 1 for cell in plan.guess)
            return position.scores()[0] + WRONG_STONE * (number - found)
        leg = replace(leg, asked=(*leg.asked, plan.questions[0].entry))


def learnt(size: int, number: int, boxes: int, rng: Random) -> Lesson:
    """What so many random boxes teach."""
    dealt = [tuple(sorted(rng.sample(range(size * size), number))) for _ in range(boxes)]
    first = {box: cost(size, number, box) for box in dealt}
    hard = sorted(first, key=lambda box: -first[box])[: boxes // 5]
    again = {}
    for box in hard:
        ways = rng.sample(range(1, 8), 3)
        again[box] = sum(
            cost(size, number, tuple(turned(size, cell, way) for cell in box)) for way in ways
        )
    kept = sorted(hard, key=lambda box: -again[box])[: len(hard) // 2]
    return Lesson(sum(first.values()) / len(first), tuple(sorted(kept)))


def main() -> None:
    """Learn what the command line names, and write it into the file at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boxes", type=int, default=2000)
    parser.add_argument("kinds", nargs="+", metavar="SIZExSTONES")
    chosen = parser.parse_args()
    for kind in chosen.kinds:
        size, number = map(int, kind.split("x"))
        start = time.process_time()
        lesson = learnt(size, number, chosen.boxes, Random(f"{chosen.seed} {kind}"))
        known = lessons(FILE.read_bytes()) if FILE.exists() else {}
        known[size, number] = lesson
        FILE.write_bytes(written(known))
        seconds = time.process_time() - start
        print(
            f"{kind}: {lesson.cost:.2f} points on average, {len(lesson.boxes)} hard boxes,"
            f" {seconds:.0f} s, {FILE.stat().st_size} bytes in all",
            flush=True,
        )


if __name__ == "__main__":
    main()
