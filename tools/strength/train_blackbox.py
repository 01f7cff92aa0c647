"""Find boxes of Black Box that are hard to search: ``games/computer/blackbox.bin``.

A box is hard if many others give the same answers at every entry. Random boxes are compared, and
the hardest are kept. Searches of some random boxes, one question ahead, give the usual cost.

    python -m tools.strength.train_blackbox 8x5 8x4 6x5 5x5 8x6

The file comes from seed 1 and 3,000 boxes of each of these sizes and numbers of stones. Each took
about ten seconds of one core. What the file has of others stays.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import click

from games import rays
from games.blackbox import WRONG_STONE, BlackBoxPosition, Leg
from games.computer.blackbox_belief import believed
from games.computer.blackbox_layouts import counted
from games.computer.blackbox_lessons import Lesson, lessons, values_of, written
from games.computer.blackbox_search import Plan, planned

SEARCHED = 20
"""Boxes that are searched for the cost."""
KEPT = 30
"""One of so many boxes is kept."""
FILE = Path(__file__).parents[2] / "games" / "computer" / "blackbox.bin"

_early: dict[tuple[int, int, tuple[tuple[int, str], ...]], Plan] = {}
"""Plans after few answers, which come up often."""


def _plan(position: BlackBoxPosition) -> Plan:
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
    """Return the points of a search of this box, looking one question ahead."""
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
    """Return how many boxes give the same answers as this one, at each entry."""
    stones = sum(1 << cell for cell in box)
    border = {entry: rays.answer(size, stones, entry) for entry in range(1, 4 * size + 1)}
    tally = counted(size, number, border, entries=(), steps=100_000)
    return tally.possible if tally else 0


def learnt(size: int, number: int, boxes: int, rng: Random) -> Lesson:
    dealt = [tuple(sorted(rng.sample(range(size * size), number))) for _ in range(boxes)]
    costs = [cost(size, number, box) for box in dealt[:SEARCHED]]
    likes = {box: alike(size, number, box) for box in dealt}
    hard = sorted(likes, key=lambda box: -likes[box])[: boxes // KEPT]
    least = likes[hard[-1]]
    print(f"{size}x{number}: at least {least} alike", flush=True)
    return Lesson(sum(costs) / len(costs), tuple(sorted(hard)))


@click.command(help=__doc__)
@click.argument("kinds", nargs=-1, required=True, metavar="SIZExSTONES...")
@click.option("--seed", default=1, show_default=True)
@click.option("--boxes", default=3000, show_default=True, help="Random boxes of each kind.")
def main(*, kinds: tuple[str, ...], seed: int, boxes: int) -> None:
    """Write each kind as soon as it is known."""
    for kind in kinds:
        size, number = map(int, kind.split("x"))
        start = time.process_time()
        lesson = learnt(size, number, boxes, Random(f"{seed} {kind}"))
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
