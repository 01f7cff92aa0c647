"""Find boxes of Black Box that are hard to search: ``games/computer/blackbox.json``.

A box is hard if searches of it, one question ahead, cost many points on average of its eight
orientations. Random boxes that their answers determine are searched, and the hardest are kept.

    python -m tools.strength.train_blackbox 8x5 8x4 6x5 5x5 8x6

The file comes from seed 1 and 1,200 boxes of each of these sizes and numbers of stones. What the
file has of others stays.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import json
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean

import click

from games import rays
from games.blackbox import WRONG_STONE, BlackBoxPosition
from games.blackbox_legs import Leg
from games.computer.blackbox_search import Lesson, Plan, believed, make_plan, turned

KEPT = 12
"""One of so many boxes is kept."""
FILE = Path(__file__).parents[2] / "games" / "computer" / "blackbox.json"

_early: dict[tuple[int, int, tuple[tuple[int, str], ...]], Plan] = {}
"""Plans after few answers, which come up often."""


def _plan(position: BlackBoxPosition) -> Plan:
    view = position.view(0)
    key = view.size, view.number, view.notes
    if key in _early:
        return _early[key]
    belief = believed(view)
    assert belief is not None
    plan = make_plan(belief, deepest=1)
    if len(view.notes) <= 4:
        _early[key] = plan
    return plan


def cost(size: int, number: int, box: tuple[int, ...]) -> int:
    """Return the points of a search of this box, looking one question ahead."""
    stones = sum(1 << cell for cell in box)
    leg = Leg(stones, is_hidden=True)
    while True:
        position = BlackBoxPosition(size, number, "hide", False, (leg,))
        plan = _plan(position)
        if plan.is_guess:
            found = sum(stones >> cell & 1 for cell in plan.guess)
            return position.scores()[0] + WRONG_STONE * (number - found)
        leg = replace(leg, asked=(*leg.asked, plan.questions[0].entry))


def learnt(size: int, number: int, boxes: int, rng: Random) -> Lesson:
    costs: dict[tuple[int, ...], float] = {}
    while len(costs) < boxes:
        box = tuple(sorted(rng.sample(range(size * size), number)))
        if rays.other_layout(size, sum(1 << cell for cell in box)) is None:
            ways = [tuple(turned(size, cell, way) for cell in box) for way in range(8)]
            costs[box] = fmean(cost(size, number, one) for one in ways)
    hard = sorted(costs, key=lambda box: -costs[box])[: boxes // KEPT]
    print(f"{size}x{number}: at least {costs[hard[-1]]:.2f} points", flush=True)
    return Lesson(round(sum(costs.values()) / len(costs), 2), tuple(sorted(hard)))


@click.command(help=__doc__)
@click.argument("kinds", nargs=-1, required=True, metavar="SIZExSTONES...")
@click.option("--seed", default=1, show_default=True)
@click.option("--boxes", default=1200, show_default=True, help="Random boxes of each kind.")
def main(*, kinds: tuple[str, ...], seed: int, boxes: int) -> None:
    """Write each kind as soon as it is known."""
    for kind in kinds:
        size, number = map(int, kind.split("x"))
        start = time.process_time()
        lesson = learnt(size, number, boxes, Random(f"{seed} {kind}"))
        known = json.loads(FILE.read_text("ascii")) if FILE.exists() else {}
        known[kind] = lesson
        FILE.write_text(json.dumps(known), "ascii")
        seconds = time.process_time() - start
        print(
            f"{kind}: {lesson.cost:.2f} points on average, {len(lesson.boxes)} hard boxes,"
            f" {seconds:.0f} s, {FILE.stat().st_size} bytes in all",
            flush=True,
        )


if __name__ == "__main__":
    main()
