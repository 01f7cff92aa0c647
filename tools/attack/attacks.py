"""All attacks by their names, and one of them carried out."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tools.attack.faults_clock import clock_jumps
from tools.attack.faults_descriptors import few_descriptors, many_callers
from tools.attack.faults_disk import (
    full_disk,
    full_disk_of_the_database,
    full_disk_of_the_log,
)
from tools.attack.faults_file import (
    database_replaced,
    database_unlinked,
    read_only,
    second_house,
)
from tools.attack.floods import floods
from tools.attack.fuzz_discord import fuzz_discord
from tools.attack.fuzz_http import fuzz_http
from tools.attack.fuzz_telegram import fuzz_telegram
from tools.attack.fuzz_web import fuzz_web
from tools.attack.kills import kills
from tools.attack.report import Report, Scene
from tools.attack.story import within
from tools.attack.worlds_discord import worlds_discord
from tools.attack.worlds_telegram import worlds_telegram
from tools.attack.worlds_web import worlds_web

__all__ = ["ATTACKS", "Attack", "carry_out"]

_LONGEST = 240.0
"""Seconds beyond its share of the time after which an attack hangs; in the long form only on a
machine that has the time."""


@dataclass(frozen=True, slots=True)
class Attack:
    """What is done, and how much of the time it gets; with no share it is done once."""

    act: Callable[[Scene], Awaitable[None]]
    share: int = 0


ATTACKS: Mapping[str, Attack] = {
    "fuzz-web": Attack(fuzz_web, share=6),
    "fuzz-http": Attack(fuzz_http, share=2),
    "fuzz-telegram": Attack(fuzz_telegram, share=3),
    "fuzz-discord": Attack(fuzz_discord, share=3),
    "worlds-web": Attack(worlds_web),
    "worlds-telegram": Attack(worlds_telegram),
    "worlds-discord": Attack(worlds_discord),
    "few-descriptors": Attack(few_descriptors),
    "many-callers": Attack(many_callers),
    "floods": Attack(floods, share=2),
    "full-disk": Attack(full_disk),
    "full-disk-of-the-database": Attack(full_disk_of_the_database),
    "full-disk-of-the-log": Attack(full_disk_of_the_log),
    "clock-jumps": Attack(clock_jumps),
    "database-unlinked": Attack(database_unlinked),
    "database-replaced": Attack(database_replaced),
    "second-house": Attack(second_house),
    "read-only": Attack(read_only),
    "kills": Attack(kills, share=8),
}


async def carry_out(
    name: str,
    *,
    seed: int,
    folder: Path,
    seconds: float | None = None,
    is_thorough: bool = False,
) -> Report:
    """One attack; without `seconds` with as few rounds as it may have."""
    report = Report(name, seed)
    begun = monotonic()
    try:
        scene = Scene(report, folder, seconds, is_thorough=is_thorough)
        longest = within(_LONGEST) if is_thorough else _LONGEST
        async with asyncio.timeout((seconds or 0.0) + longest):
            await ATTACKS[name].act(scene)
    except Exception:  # noqa: BLE001 - an attack that cannot go on is a finding, too
        report.broken("the attack comes to its end", traceback.format_exc(limit=-6))
    report.seconds = monotonic() - begun
    return report
