"""Attack the house: ``python -m tools.attack [--minutes N] [--seed S] [--only NAME]``.

Without ``--minutes`` every attack is carried out in its short form; with it those that can go on
for ever share the time. The same seed gives the same inputs. Exit code 1 where a promise of
SECURITY.md was not kept; the table says which, and how to see it again.
"""

import asyncio
import logging
import sys
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

import click

from tools.attack.attacks import ATTACKS, carry_out
from tools.attack.report import Report, as_json, table


@click.command(help=__doc__)
@click.option("--minutes", type=click.FloatRange(min=0.0, min_open=True), help="For all together.")
@click.option("--seed", type=int, help="The same seed, the same inputs; a new one if left out.")
@click.option("--only", type=click.Choice(list(ATTACKS)), multiple=True, help="Not all of them.")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="Write the counts there, too."
)
def main(minutes: float | None, seed: int | None, only: tuple[str, ...], file: Path | None) -> None:
    """Carry out, print, write."""
    seed = SystemRandom().randrange(2**31) if seed is None else seed
    click.echo(f"seed {seed}")
    reports = asyncio.run(_all(only or tuple(ATTACKS), seed, minutes))
    broken = [report.name for report in reports if report.violations]
    click.echo(f"\nBROKEN: {', '.join(broken)}" if broken else "\neverything held")
    if file is not None:
        file.write_text(as_json(reports), "utf-8")
        click.echo(f"\nwritten to {file}")
    sys.exit(bool(broken))


async def _all(names: tuple[str, ...], seed: int, minutes: float | None) -> list[Report]:
    """One after the other, each in a folder of its own."""
    shares = sum(ATTACKS[name].share for name in names)
    reports = []
    for name in names:
        share = ATTACKS[name].share
        seconds = minutes * 60 * share / shares if minutes is not None and share else None
        # A folder that cannot be removed (a disk may still be there) must not cost us the table.
        with TemporaryDirectory(prefix="azumaya-attack-", ignore_cleanup_errors=True) as folder:
            report = await carry_out(
                name,
                seed=seed,
                folder=Path(folder),
                seconds=seconds,
                is_thorough=minutes is not None,
            )
        reports.append(report)
        # At once: the whole may take hours, and what is broken need not wait for it.
        click.echo("\n".join(table([report])))
    return reports


if __name__ == "__main__":
    # The stand-ins' server tells of every connection that ends when the house is killed.
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    main()
