"""Change one thing after the other, and see what is noticed: ``python -m tools.mutation``."""

import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

import click

from tools.mutation import CORE, TUNING
from tools.mutation.changes import Change, Place, applied, shown, within
from tools.mutation.copies import ROOT, Copy
from tools.mutation.record import Record, recorded

_FIRST = 12
"""So many tests are asked before the others."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A change, and the test that noticed it."""

    number: int
    place: Place
    before: str
    after: str
    tests: int = 0
    by: str = ""
    why: str = ""


@click.command(help=__doc__)
@click.argument("paths", nargs=-1)
@click.option("--seed", default=1, show_default=True, help="Which changes.")
@click.option("--changes", "count", default=200, show_default=True, help="How many.")
@click.option("--only", default="", help="Their numbers, commas between: only these are tried.")
@click.option("--share", default=95.0, show_default=True, help="Per cent to be noticed.")
@click.option(
    "--jobs", default=os.cpu_count() or 1, show_default=True, help="How many at the same time."
)
@click.option("--seconds", default=120.0, show_default=True, help="Of tests, for a change.")
def main(
    *,
    paths: tuple[str, ...],
    seed: int,
    count: int,
    only: str,
    share: float,
    jobs: int,
    seconds: float,
) -> None:
    """Choose, change, run, print. The exit code is 1 where too little is noticed."""
    numbers = {int(number) for number in only.split(",") if number}
    trials = _chosen(paths or CORE, seed=seed, count=count)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copies = [Copy(Path(folder, str(number))) for number in range(jobs)]
        try:
            record = recorded(copies)
            for copy in copies:
                copy.run(_files(record.seconds), {}, seconds=600)
            _say(f"{len(record.seconds)} tests; {len(record.failed)} fail with nothing changed")
            for test, why in record.failed.items():
                _say(f"    {test}: {why}")
            tried = _all_tried(
                [trial for trial in trials if not numbers or trial.number in numbers],
                record,
                copies,
                seconds=seconds,
            )
        finally:
            for copy in copies:
                copy.close()
    sys.exit(_report(tried) < share)


def _say(text: str) -> None:
    print(text, flush=True)


def _modules(paths: Iterable[str]) -> list[str]:
    found: set[Path] = set()
    for path in paths:
        whole = ROOT / path
        found.update([whole] if whole.is_file() else whole.rglob("*.py"))
    return sorted(str(path.relative_to(ROOT)) for path in found if "migrations" not in path.parts)


def _chosen(paths: Iterable[str], *, seed: int, count: int) -> list[Trial]:
    """So many changes, no two in the same place; the same ones for the same seed and sources."""
    luck = random.Random(seed)
    sources = {path: (ROOT / path).read_text("utf-8") for path in _modules(paths)}
    places = [
        place
        for path, source in sources.items()
        for place in within(path, source, tuning=TUNING.get(path, frozenset()))
    ]
    _say(f"{len(places)} places in {len(sources)} modules; seed {seed}")
    luck.shuffle(places)
    chosen: list[Trial] = []
    for place in places:
        if len(chosen) == count:
            break
        before = sources[place.path]
        if after := _after(before, luck.choice(place.changes)):
            chosen.append(Trial(len(chosen) + 1, place, before, after))
    return chosen


def _after(source: str, change: Change) -> str | None:
    try:
        return applied(source, change)
    except SyntaxError:
        return None


def _all_tried(
    trials: list[Trial], record: Record, copies: list[Copy], *, seconds: float
) -> list[Trial]:
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def run(trial: Trial) -> Trial:
        copy = free.get()
        try:
            tried = _tried(trial, record, copy, seconds=seconds)
        finally:
            free.put(copy)
        place = tried.place
        what = f"{tried.number:>4} {place.path}:{place.line} {place.kind}: "
        _say(what + (f"{tried.by}: {tried.why[:80]}" if tried.by else "SURVIVED"))
        return tried

    with ThreadPoolExecutor(len(copies)) as threads:
        tried = list(threads.map(run, trials))
    liars = _liars({trial.by for trial in tried if trial.by in record.seconds}, record, copies[0])
    for liar in sorted(liars):
        _say(f"fails by itself, and counts for nothing: {liar}")
    return [replace(one, by="", why="") if one.by in liars else one for one in tried]


def _liars(tests: Iterable[str], record: Record, copy: Copy) -> set[str]:
    """Those that fail where nothing is changed: they have not noticed anything."""
    limits = {test: _limit(record.seconds[test]) for test in tests}
    liars: set[str] = set()
    while limits:
        seconds = 60 + sum(map(_limit, limits.values()))
        failed = copy.run(_files(limits), limits, seconds=seconds)["failed"]
        if not failed:
            break
        liars.update(failed)
        limits = {test: limit for test, limit in limits.items() if test not in liars}
    return liars


def _files(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


def _limit(seconds: float) -> float:
    """How long a test may take that took so long before."""
    return 10 + 10 * seconds


def _tried(trial: Trial, record: Record, copy: Copy, *, seconds: float) -> Trial:
    limits: dict[str, float] = {}
    left = seconds
    for test in record.reaching(trial.place):
        left -= record.seconds[test]
        if left < 0 and limits:
            break
        limits[test] = _limit(record.seconds[test])
    by, why = "", ""
    with copy.changed(trial.place.path, trial.after):
        # Most changes are noticed by the first few tests: no other file need be imported then.
        for tests in (list(limits)[:_FIRST], list(limits)[_FIRST:]):
            if tests and not by:
                by, why = _noticed({test: limits[test] for test in tests}, copy, seconds=seconds)
    return replace(trial, tests=len(limits), by=by, why=why)


def _noticed(limits: dict[str, float], copy: Copy, *, seconds: float) -> tuple[str, str]:
    """Which of these tests notices a change, and how."""
    answer = copy.run(_files(limits), limits, seconds=60 + 3 * seconds)
    if answer.get("is_hung"):
        return "nobody waits so long", "it hangs"
    return next(iter(answer["failed"].items()), ("", ""))


def _report(tried: list[Trial]) -> float:
    """Print what became of the changes; gives how many of a hundred were noticed."""
    for trial in tried:
        if not trial.by:
            place = trial.place
            _say(f"\nsurvivor {trial.number}, {place.kind}, of {trial.tests} tests")
            _say(shown(place.path, place.line, trial.before, trial.after))
    every = Counter(trial.place.path for trial in tried)
    noticed = Counter(trial.place.path for trial in tried if trial.by)
    kinds = Counter(trial.place.kind for trial in tried)
    _say(f"\n{'module':<32} {'changes':>8} {'noticed':>8}")
    for path, count in sorted(every.items()):
        _say(f"{path:<32} {count:>8} {noticed[path]:>8}")
    for kind, count in kinds.items():
        got = sum(1 for trial in tried if trial.by and trial.place.kind == kind)
        _say(f"{kind:<32} {count:>8} {got:>8}")
    share = 100 * noticed.total() / max(1, every.total())
    _say(f"{'all':<32} {every.total():>8} {noticed.total():>8}   {share:.1f} %")
    return share


if __name__ == "__main__":
    main()
