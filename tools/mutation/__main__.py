"""Change the core in one place at a time, and count which changes the tests notice."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

import click

from tools.mutation import CORE, TUNING
from tools.mutation.changes import Change, Place, apply, diff, find_places
from tools.mutation.record import Record, load_record
from tools.mutation.runner import ROOT, Copy, preload

_GOAL = 95
_FIRST_TESTS = 12


@dataclass(frozen=True, slots=True)
class Trial:
    """A change, and the test that noticed it."""

    number: int
    place: Place
    before: str
    after: str
    tests: int = 0
    noticed_by: str = ""
    reason: str = ""


@click.command(help=__doc__)
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--seed", default=1, show_default=True, help="Which changes.")
@click.option(
    "--changes",
    "count",
    default=200,
    type=click.IntRange(min=1),
    show_default=True,
    help="How many.",
)
@click.option("--only", type=int, multiple=True, help="Try only the change with this number.")
@click.option("--seconds", default=300, show_default=True, help="Of tests for each change.")
def main(
    *, paths: tuple[str, ...], seed: int, count: int, only: tuple[int, ...], seconds: int
) -> None:
    """Exit with 1 if too few changes are noticed."""
    trials = _choose(paths or CORE, seed=seed, count=count)
    with ExitStack() as stack:
        folders = [stack.enter_context(TemporaryDirectory()) for _ in range(os.cpu_count() or 1)]
        preload()
        copies = [Copy(Path(folder)) for folder in folders]
        record = load_record(copies[0])
        click.echo(f"{len(record.seconds)} tests; {len(record.failed)} fail without a change")
        for test, reason in record.failed.items():
            click.echo(f"    {test}: {reason}")
        chosen = [trial for trial in trials if not only or trial.number in only]
        tried = _try_all(chosen, record, copies, seconds)
    sys.exit(_report(tried) < _GOAL)


def _modules(paths: Iterable[str]) -> list[str]:
    found: set[Path] = set()
    for path in paths:
        whole = ROOT / path
        found.update([whole] if whole.is_file() else whole.rglob("*.py"))
    return sorted(str(path.relative_to(ROOT)) for path in found if "migrations" not in path.parts)


def _choose(paths: Iterable[str], *, seed: int, count: int) -> list[Trial]:
    """Choose changes in different places by hashes of the changed sources.

    So the same seed chooses the same changes after most of the code has changed.
    """
    sources = {path: (ROOT / path).read_text("utf-8") for path in _modules(paths)}
    places = [
        place
        for path, source in sources.items()
        for place in find_places(path, source, tuning=frozenset(TUNING.get(path, "").split()))
    ]
    click.echo(f"{len(places)} places in {len(sources)} modules; seed {seed}")
    chosen: dict[int, Trial] = {}
    for _, index, change in sorted(_hashed(places, sources, seed=seed)):
        place = places[index]
        if len(chosen) < count and index not in chosen:
            before = sources[place.path]
            with suppress(SyntaxError):
                after = apply(before, change)
                chosen[index] = Trial(len(chosen) + 1, place, before, after)
    return list(chosen.values())


def _hashed(
    places: Sequence[Place], sources: Mapping[str, str], *, seed: int
) -> Iterator[tuple[bytes, int, Change]]:
    """Give each change of each place a random key that depends on its line alone."""
    seen: Counter[tuple[str, bytes, str, bytes]] = Counter()
    encoded = {path: source.encode() for path, source in sources.items()}
    for index, place in enumerate(places):
        source = encoded[place.path]
        for change in place.changes:
            left = source[: change.start].rpartition(b"\n")[2]
            right = source[change.end :].partition(b"\n")[0]
            what = place.path, left, change.text, right
            seen[what] += 1
            yield sha256(repr((seed, what, seen[what])).encode()).digest(), index, change


def _try_all(
    trials: list[Trial], record: Record, copies: list[Copy], seconds: float
) -> list[Trial]:
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def run(trial: Trial) -> Trial:
        copy = free.get()
        try:
            tried = _try(trial, record, copy, seconds)
        finally:
            free.put(copy)
        outcome = f"{tried.noticed_by}: {tried.reason[:80]}" if tried.noticed_by else "SURVIVED"
        place = tried.place
        click.echo(f"{tried.number:>4} {place.path}:{place.line} {place.kind}: {outcome}")
        return tried

    with ThreadPoolExecutor(len(copies)) as threads:
        tried = list(threads.map(run, trials))
    flaky = _flaky({trial.noticed_by for trial in tried}, record, copies[0])
    for test in sorted(flaky):
        click.echo(f"does not count, since it also fails without the change: {test}")
    return [replace(one, noticed_by="") if one.noticed_by in flaky else one for one in tried]


def _flaky(tests: set[str], record: Record, copy: Copy) -> set[str]:
    """Return the tests that now fail without a change."""
    limits = {test: _limit(record.seconds[test]) for test in tests if test in record.seconds}
    return set(copy.run(limits=limits, seconds=60 + sum(limits.values())).failed if limits else ())


def _limit(seconds: float) -> float:
    return 10 + 10 * seconds


def _try(trial: Trial, record: Record, copy: Copy, seconds: float) -> Trial:
    limits: dict[str, float] = {}
    left = seconds
    for test in record.tests_for(trial.place):
        left -= record.seconds[test]
        if left < 0 and limits:
            break
        limits[test] = _limit(record.seconds[test])
    noticed_by, reason = "", ""
    with copy.changed(trial.place.path, trial.after):
        # The first few tests notice most changes: importing their files is quicker than all.
        for tests in (list(limits)[:_FIRST_TESTS], list(limits)[_FIRST_TESTS:]):
            if tests and not noticed_by:
                some = {test: limits[test] for test in tests}
                failed = copy.run("-x", limits=some, seconds=60 + 3 * seconds).failed
                noticed_by, reason = next(iter(failed.items()), ("", ""))
    return replace(trial, tests=len(limits), noticed_by=noticed_by, reason=reason)


def _report(tried: list[Trial]) -> float:
    """Print the changes that survived; return the per cent noticed."""
    for trial in tried:
        if not trial.noticed_by:
            place = trial.place
            click.echo(f"\nsurvivor {trial.number}, {place.kind}, of {trial.tests} tests")
            click.echo(diff(place.path, place.line, trial.before, trial.after))
    noticed = sum(bool(trial.noticed_by) for trial in tried)
    share = 100 * noticed / max(1, len(tried))
    click.echo(f"\n{noticed} of {len(tried)} changes noticed: {share:.1f} %")
    return share


if __name__ == "__main__":
    main()
