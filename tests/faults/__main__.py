"""Break the house, and see what holds: ``python -m tests.faults``."""

import asyncio
import logging
import sys
from random import SystemRandom

import click

from tests.attack.report import table
from tests.faults.random_faults import FAULTS, at_random


@click.command(help=__doc__)
@click.option("--part", type=click.Choice(["random"]), default="random", help="Only this part.")
@click.option("--seed", type=int, help="Which faults, in which order; a new one if left out.")
@click.option("--minutes", type=click.FloatRange(min=0.0, min_open=True), help="For random faults.")
@click.option("--processes", type=click.Choice(["3", "1"]), default="3", show_default=True)
@click.option("--fault", type=click.Choice(sorted(FAULTS)), multiple=True, help="Only these.")
def main(
    *, part: str, seed: int | None, minutes: float | None, processes: str, fault: tuple[str, ...]
) -> None:
    """Break, look, print. The exit code is 1 where something did not hold."""
    # The stand-ins' servers tell of every connection that ends when a process is killed.
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    seed = SystemRandom().randrange(2**31) if seed is None else seed
    click.echo(f"seed {seed}")
    report = asyncio.run(
        at_random(
            seed=seed,
            processes=int(processes),
            seconds=minutes and minutes * 60,
            only=fault,
            say=click.echo,
        )
    )
    click.echo("\n".join(table([report])))
    sys.exit(bool(report.violations))


if __name__ == "__main__":
    main()
