"""Break the house in every way there is, and see what holds: ``python -m tools.faults``."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from time import monotonic
from typing import Any

import click

from tests.compiling import compiled_once
from tools.attack.report import table
from tools.faults.discord import on_discord
from tools.faults.random_faults import FAULTS, Long, at_random
from tools.faults.report import Deaths, Share
from tools.faults.systematic import in_the_core
from tools.faults.telegram import on_telegram

_ORDER = "PYTHONHASHSEED"
_SYSTEMATIC: Mapping[str, Callable[[Share, Deaths], Coroutine[Any, Any, None]]] = {
    "core": in_the_core,
    "telegram": on_telegram,
    "discord": on_discord,
}
_PARTS = ("systematic", "random")


def _share(_context: click.Context, _parameter: click.Parameter, value: str) -> Share:
    first, _, of = value.partition("/")
    try:
        return Share(int(first), int(of or 1))
    except ValueError:
        raise click.BadParameter("like 3/20") from None


@click.command(help=__doc__)
@click.option("--part", type=click.Choice(_PARTS), default=None, help="Only this part.")
@click.option("--seed", default=1, show_default=True, help="Who does what, in which order.")
@click.option("--on", type=click.Choice([*_SYSTEMATIC]), multiple=True, help="Deaths only there.")
@click.option("--share", callback=_share, default="0/1", help="3/20: each 20th death from the 3rd.")
@click.option("--only", type=int, help="This death alone.")
@click.option("--minutes", type=click.FloatRange(min=0.0, min_open=True), help="Of random faults.")
@click.option("--times", type=click.IntRange(min=1), help="So many random faults, then the end.")
@click.option("--processes", type=click.Choice(["3", "1"]), default="3", show_default=True)
@click.option("--fault", type=click.Choice(sorted(FAULTS)), multiple=True, help="Only such ones.")
def main(
    *,
    part: str | None,
    seed: int,
    on: tuple[str, ...],
    share: Share,
    only: int | None,
    minutes: float | None,
    times: int | None,
    processes: str,
    fault: tuple[str, ...],
) -> None:
    """Break, start, look, print. The exit code is 1 where something did not hold."""
    if os.environ.get(_ORDER) != "0":
        # The order of sets is part of the evening that is to be seen again.
        os.environ[_ORDER] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tools.faults", *sys.argv[1:]])
    is_broken = False
    if part in (None, "systematic"):
        for name in on or _SYSTEMATIC:
            is_broken |= _systematic(name, seed, Share(share.first, share.of, only))
    if part in (None, "random"):
        long = Long(minutes and minutes * 60, times)
        is_broken |= _random(seed, long, processes=int(processes), only=fault)
    sys.exit(is_broken)


def _systematic(on: str, seed: int, share: Share) -> bool:
    """Die at the steps of an evening, and tell; did something not hold?"""
    done = Deaths(on, seed, click.echo)
    began = monotonic()
    with compiled_once():
        asyncio.run(_SYSTEMATIC[on](share, done))
    done.seconds = monotonic() - began
    click.echo(
        f"{done.on}, seed {done.seed}: {done.points} points, {done.tried.total()} deaths,"
        f" {done.seconds:.0f} s, {len(done.broken)} broken"
    )
    for what, number in done.tried.most_common():
        click.echo(f"  {number:5}  {what}")
    for what, number in sorted(done.doubles.items()):
        click.echo(f"  {number:5}  cannot be avoided: {what}")
    return bool(done.broken)


def _random(seed: int, long: Long, *, processes: int, only: tuple[str, ...]) -> bool:
    """Let one fault come after the other, and tell; did something not hold?"""
    # The stand-ins' servers tell of every connection that ends when a process is killed.
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    report = asyncio.run(
        at_random(seed=seed, processes=processes, long=long, only=only, say=click.echo)
    )
    click.echo("\n".join(table([report])))
    return bool(report.violations)


if __name__ == "__main__":
    main()
