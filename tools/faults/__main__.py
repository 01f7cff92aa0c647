"""Crash the bot at every step and inject random faults: ``python -m tools.faults``.

Exits with 1 if an invariant does not hold (see `tools.faults`).
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

import click

from tests.compiling import compiled_once
from tests.postgres import why_not
from tools.attack.report import printed
from tools.faults.discord import DiscordScenario
from tools.faults.fronts import crash_front
from tools.faults.random_faults import FAULTS, random_faults
from tools.faults.report import Crashes, Share
from tools.faults.systematic import crash_core
from tools.faults.telegram import TelegramScenario

_HASH_SEED = "PYTHONHASHSEED"
_SYSTEMATIC: Mapping[str, Callable[[Crashes], Coroutine[Any, Any, None]]] = {
    "core": crash_core,
    "telegram": partial(crash_front, TelegramScenario),
    "discord": partial(crash_front, DiscordScenario),
}


def _share(_context: click.Context, _parameter: click.Parameter, value: str) -> Share:
    first, _, of = value.partition("/")
    try:
        return Share(int(first), int(of or 0))
    except ValueError:
        raise click.BadParameter("like 3/20, or 3") from None


@click.command(help=__doc__)
@click.option("--part", type=click.Choice(["systematic", "random"]), help="Only this part.")
@click.option("--seed", default=1, show_default=True, help="The same seed, the same run.")
@click.option("--on", type=click.Choice([*_SYSTEMATIC]), multiple=True, help="Crash only there.")
@click.option(
    "--share",
    callback=_share,
    default="0/1",
    help="3/20: every 20th step from the 3rd; 3: that one.",
)
@click.option("--minutes", type=click.FloatRange(min=0.0, min_open=True), help="Random faults for.")
@click.option("--fault", type=click.Choice([*FAULTS]), multiple=True, help="Only such faults.")
def main(
    *,
    part: str | None,
    seed: int,
    on: tuple[str, ...],
    share: Share,
    minutes: float | None,
    fault: tuple[str, ...],
) -> None:
    if os.environ.get(_HASH_SEED) != "0":
        # The order of sets must be the same in every run.
        os.environ[_HASH_SEED] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tools.faults", *sys.argv[1:]])
    is_broken = False
    if part != "random":
        for name in on or _SYSTEMATIC:
            crashes = Crashes(name, seed, share, click.echo)
            with compiled_once():
                asyncio.run(_SYSTEMATIC[name](crashes))
            click.echo("\n".join(crashes.summary()))
            is_broken |= bool(crashes.broken)
    if part != "systematic":
        if why := why_not():
            raise click.ClickException(why)
        # The stand-ins log every connection of a killed process.
        logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
        seconds = minutes and minutes * 60
        faults = random_faults(seed=seed, seconds=seconds, only=fault, say=click.echo)
        report = asyncio.run(faults)
        click.echo("\n".join(printed(report)))
        is_broken |= bool(report.violations)
    sys.exit(is_broken)


if __name__ == "__main__":
    main()
