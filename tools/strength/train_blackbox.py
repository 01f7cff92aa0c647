"""Boxes of Black Box that are hard to search, and what a search costs: games/computer/blackbox.bin.

A box is hard that many others are like: they give the same answers at all entries, so that in the
end somebody has to guess. Random boxes are looked at, how many are like each is counted, and the
ones with most of them are kept. What a search costs on average is seen by searching some random
boxes, looking one question ahead. Run from the root of the project, for sizes and stones:

    python -m tools.strength.train_blackbox --seed 1 --boxes 3000 8x5 8x4

What others have learnt stays in the file. Made with seed 1 and 3,000 boxes of each of 8x5, 8x4,
6x5, 5x5 and 8x6 (100 are kept of each), in some ten seconds of one core for each; for other sizes
and stones, boxes are laid at random.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import argparse
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from games import rays
from games.blackbox import WRONG_STONE, BlackBoxPosition, Leg
from games.computer.blackbox_belief import believed
from games.computer.blackbox_layouts import counted
from games.computer.blackbox_lessons import Lesson, lessons, values_of, written
from games.computer.blackbox_search import Plan, planned

SEARCHED = 20
"""Boxes that are searched."""
KEPT = 30
"""Of so many boxes, one is kept."""
FILE = Path(__file__).parents[2] / "games" / "computer" / "blackbox.bin"

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


def alike(size: int, number: int, box: tuple[int, ...]) -> int:
    """How many boxes give the same answers at all entries as this one, it included."""
    stones = sum(1 << cell for cell in box)
    border = {entry: rays.answer(size, stones, entry) for entry in range(1, 4 * size + 1)}
    tally = counted(size, number, border, entries=(), steps=100_000)
    return tally.possible if tally else 0


def learnt(size: int, number: int, boxes: int, rng: Random) -> Lesson:
    """What so many random boxes teach."""
    dealt = [tuple(sorted(rng.sample(range(size * size), number))) for _ in range(boxes)]
    costs = [cost(size, number, box) for box in dealt[:SEARCHED]]
    likes = {box: alike(size, number, box) for box in dealt}
    hard = sorted(likes, key=lambda box: -likes[box])[: boxes // KEPT]
    least = likes[hard[-1]]
    print(f"{size}x{number}: at least {least} alike", flush=True)
    return Lesson(sum(costs) / len(costs), tuple(sorted(hard)))


def main() -> None:
    """Learn what the command line names, and write it into the file at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boxes", type=int, default=3000)
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
