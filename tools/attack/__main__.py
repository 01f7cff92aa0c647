"""Attack a running bot, and check the guarantees of SECURITY.md.

Without ``--minutes``, every attack runs in its short form. The same seed gives the same inputs. The
exit code is 1 if a guarantee was broken.
"""

import asyncio
import logging
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from time import monotonic

import click

from tools.attack.clocks import clocks_set, last_moments
from tools.attack.copies import copies
from tools.attack.database_file import take_away
from tools.attack.fairness import farmed_ratings, hidden_statistics, joins
from tools.attack.floods import floods
from tools.attack.fuzz_http import fuzz_http
from tools.attack.fuzz_web import fuzz_web
from tools.attack.history import within
from tools.attack.kills import kills
from tools.attack.load import hung_worker, many_requests
from tools.attack.report import Report, Scene, printed
from tools.attack.worlds import compare_bots
from tools.attack.worlds_discord import open_discord
from tools.attack.worlds_telegram import open_telegram
from tools.attack.worlds_web import open_web

_HANGS_AFTER = 240.0
"""Seconds beyond its share of the time."""

ATTACKS: Mapping[str, Callable[[Scene], Awaitable[None]]] = {
    "fuzz-web": fuzz_web,
    "fuzz-http": fuzz_http,
    "worlds-web": partial(compare_bots, open_bot=open_web),
    "worlds-telegram": partial(compare_bots, open_bot=open_telegram),
    "worlds-discord": partial(compare_bots, open_bot=open_discord),
    "joins": joins,
    "hidden-statistics": hidden_statistics,
    "farmed-ratings": farmed_ratings,
    "last-moments": last_moments,
    "clocks-set": clocks_set,
    "floods": floods,
    "many-requests": many_requests,
    "hung-worker": hung_worker,
    "copies": copies,
    "database-unlinked": partial(take_away, replace=False),
    "database-replaced": partial(take_away, replace=True),
    "kills": kills,
}
_SHARES = {"fuzz-web": 6, "fuzz-http": 2, "floods": 2, "kills": 8}
"""How the time is divided. The other attacks are done once."""
_WAIT_LONG = {"last-moments", "clocks-set", "many-requests", "hung-worker", "copies"}
"""Attacks that ``--quick`` leaves out."""


@click.command(help=__doc__)
@click.option("--minutes", type=click.FloatRange(min=0.0, min_open=True), help="For all together.")
@click.option("--seed", type=int, help="Random if left out.")
@click.option("--only", type=click.Choice(list(ATTACKS)), multiple=True, help="Not all of them.")
@click.option("--quick", is_flag=True, help="Without the attacks that wait for seconds.")
def main(*, minutes: float | None, seed: int | None, only: tuple[str, ...], quick: bool) -> None:
    seed = SystemRandom().randrange(2**31) if seed is None else seed
    click.echo(f"seed {seed}")
    names = only or tuple(name for name in ATTACKS if not (quick and name in _WAIT_LONG))
    shares = sum(_SHARES.get(name, 0) for name in names) or 1
    broken = []
    for name in names:
        seconds = None if minutes is None else minutes * 60 * _SHARES.get(name, 0) / shares
        report = asyncio.run(attack(name, seed=seed, seconds=seconds))
        click.echo("\n".join(printed(report)))
        if report.violations:
            broken.append(name)
    click.echo(f"\nBROKEN: {', '.join(broken)}" if broken else "\neverything held")
    sys.exit(bool(broken))


async def attack(name: str, *, seed: int, seconds: float | None = None) -> Report:
    report, start = Report(name, seed), monotonic()
    with TemporaryDirectory(prefix="azumaya-attack-") as folder:
        try:
            async with asyncio.timeout((seconds or 0.0) + within(_HANGS_AFTER)):
                await ATTACKS[name](Scene(report, Path(folder), seconds))
        except Exception:  # noqa: BLE001 - an attack that fails is a finding too
            report.broken("the attack comes to its end", traceback.format_exc(limit=-6))
    report.seconds = monotonic() - start
    return report


if __name__ == "__main__":
    # The simulated platforms log each connection that ends by a kill.
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    main()
