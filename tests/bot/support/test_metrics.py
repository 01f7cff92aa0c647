"""Counters and timers, and that they have no personal data."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import pytest
from prometheus_client import Metric
from structlog.typing import EventDict

import games
from bot.domain.model import Match
from bot.engines.tasks import Task
from bot.loops.computers import Computers
from bot.screens.pictures import Png
from bot.store import boards, inbox
from bot.store import matches as match_store
from bot.store.inbox import Finishing
from bot.support import metrics
from bot.support.metrics import Metrics, arrived
from bot.support.platforms import Shard
from tests.bot.failing import DISK_FULL, fails
from tests.bot.table import Clock, Person, Table, Thinking

T = TypeVar("T")

FRONTS = {"discord", "telegram", "web", "other"}
LABELS = {
    "front": FRONTS,
    "game": {*games.ids(), "other"},
    "outcome": {"done", "refused", "failed"},
    "kind": {
        *("unreachable", "bad_request", "forbidden", "not_found"),
        *("conflict", "rate_limited", "server", "other"),
    },
    "queue": {"drawings", "searches", "telegram sends", "telegram inbox"},
    "pool": {"database"},
}
"""All values of labels, except bucket limits and the program's version."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock that measures latencies."""
    clock = Clock()
    monkeypatch.setattr(metrics, "perf_counter", clock)
    return clock


def value(table: Table, name: str, **labels: str) -> float:
    """Return the current value of a metric."""
    return table.app.metrics.registry.get_sample_value(f"azumaya_{name}", labels) or 0.0


def commands(table: Table, outcome: str, game: str = "othello") -> float:
    return value(table, "commands_total", front="web", game=game, outcome=outcome)


def moves(table: Table, game: str) -> float:
    return value(table, "moves_total", front="web", game=game)


async def test_commands_and_moves_are_counted_by_game_front_and_outcome(
    table: Table, anna: Person, ben: Person, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await table.begin(anna, ben)
    before = commands(table, "done")
    await anna.types("/othello d3")
    await ben.clicks(match_id, "c3")
    assert commands(table, "done") - before == 2
    assert moves(table, "othello") == 2
    await anna.types("/help")
    assert commands(table, "done", "other") == 1
    await anna.types("/othello a1")
    await ben.types("/othello c4")
    assert commands(table, "refused") == 2

    fails(monkeypatch, match_store, "commit", DISK_FULL)
    await anna.types("/othello c4")
    assert (commands(table, "failed"), commands(table, "refused")) == (1, 2)
    assert moves(table, "othello") == 2


async def test_what_this_process_speaks_for_is_told(table: Table) -> None:
    parts = tuple(Shard("discord", number, 4) for number in range(3))
    await table.app.shards.begin({"discord": parts})
    body, _ = table.app.metrics.exposition()
    assert 'azumaya_shards{front="discord"} 3.0' in body.decode()
    await table.app.shards.end()


async def test_from_the_event_to_the_commit_it_is_timed(
    table: Table, anna: Person, ben: Person, *, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.begin(anna, ben)
    before = value(table, "event_to_commit_seconds_count", front="web")
    commit = match_store.commit

    async def slow(*given: object, **more: object) -> Match:
        clock.forward(2)
        return await commit(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(match_store, "commit", slow)
    await anna.types("/othello d3")
    assert value(table, "event_to_commit_seconds_count", front="web") - before == 1
    assert value(table, "event_to_commit_seconds_sum", front="web") == 2


async def test_what_has_stood_in_a_line_is_timed_from_its_arrival(
    table: Table, anna: Person, ben: Person, *, clock: Clock
) -> None:
    await table.begin(anna, ben)

    async def later() -> None:
        clock.forward(3)
        await anna.types("/othello d3")

    with arrived():
        standing = asyncio.create_task(later())
    await standing
    assert value(table, "event_to_commit_seconds_sum", front="web") == 3
    # Without a queue, an update arrives when it is handled.
    await ben.types("/othello c3")
    assert value(table, "event_to_commit_seconds_sum", front="web") == 3


async def test_from_the_commit_to_the_board_it_is_timed_for_each_board_that_catches_up(
    table: Table, anna: Person, ben: Person, *, clock: Clock
) -> None:
    match_id = await table.begin(anna, ben)
    await table.settle()
    assert value(table, "commit_to_board_seconds_count", front="web") == 0
    await anna.types("/othello d3")
    clock.forward(4)
    await ben.types("/othello c3")
    clock.forward(5)
    await table.settle()
    # A version that was never shown is not measured.
    assert value(table, "commit_to_board_seconds_count", front="web") == 1
    assert value(table, "commit_to_board_seconds_sum", front="web") == 5
    # A board that is shown once more is not one that was late.
    clock.forward(1000)
    await anna.types(f"/board {match_id}")
    await table.settle()
    assert value(table, "commit_to_board_seconds_count", front="web") == 1


async def test_boards_are_behind_until_they_are_shown(
    table: Table, anna: Person, ben: Person, logged: list[EventDict]
) -> None:
    await table.begin(anna, ben)
    await table.settle()
    assert await boards.boards_behind(table.app.store) == {}
    table.wall.fails.add(table.lounge.id)
    await anna.types("/othello d3")
    assert await table.settle() == 1
    assert await boards.boards_behind(table.app.store) == {"web": 1}
    table.wall.fails.clear()
    assert await table.settle() == 0
    assert await boards.boards_behind(table.app.store) == {}
    logged[:] = [line for line in logged if "exception" not in line]


async def test_updates_wait_until_they_are_dealt_with(table: Table) -> None:
    await inbox.receive(table.app.store, "telegram", {1: {"text": "one"}, 2: {"text": "two"}})
    assert await inbox.updates_waiting(table.app.store) == {"telegram": 2}
    await Finishing("telegram", 1).finish(table.app.store)
    assert await inbox.updates_waiting(table.app.store) == {"telegram": 1}


async def test_pictures_that_are_being_drawn_are_counted(
    table: Table, anna: Person, ben: Person, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await table.begin(anna, ben)
    begun, begin = asyncio.Event(), table.app.pictures._begin

    def begins(draw: Callable[[], Png]) -> asyncio.Future[Png]:
        begun.set()
        return begin(draw)

    monkeypatch.setattr(table.app.pictures, "_begin", begins)
    drawn = asyncio.create_task(table.screen(match_id))
    await begun.wait()
    assert 'azumaya_queue_length{queue="drawings"} 1.0' in exposed(table.app.metrics)
    await drawn
    assert table.app.pictures.under_way == 0


async def test_turns_of_computers_that_are_thought_about_are_counted(
    table: Table, anna: Person
) -> None:
    seen: list[bool] = []

    class Looked(Thinking):
        async def do(self, task: Task[T]) -> T:
            seen.append('azumaya_queue_length{queue="searches"} 1.0' in exposed(table.app.metrics))
            return await super().do(task)

    await anna.types("/othello computer 1 white")
    table.app.engines = Looked()
    await Computers(table.app).once()
    assert seen == [True]
    assert 'azumaya_queue_length{queue="searches"} 0.0' in exposed(table.app.metrics)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(None, "unreachable"), (429, "rate_limited"), (418, "other"), (599, "server")],
)
def test_errors_of_platforms_are_counted_by_kind(status: int | None, kind: str) -> None:
    found = Metrics()
    found.platform_failed("discord", status)
    labels = {"front": "discord", "kind": kind}
    assert found.registry.get_sample_value("azumaya_platform_errors_total", labels) == 1


# Personal data


def exposed(found: Metrics) -> str:
    return found.exposition()[0].decode()


def labels_of(found: Iterable[Metric]) -> Iterator[tuple[str, str]]:
    for metric in found:
        for sample in metric.samples:
            yield from sample.labels.items()


async def test_no_label_says_anything_but_a_few_fixed_words(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    for line in ("/blackbox hide b2", "/chess e4", '/othello "} 1\n', "/nothing", "hello"):
        await ben.types(line, place=ben.direct)
    await anna.types("/leaderboard othello")
    await anna.presses(f"board:{match_id}:1:")
    await table.settle()
    found = table.app.metrics
    with found.command("Anna's place"):
        found.set_game("Anna's game")
        found.moved("Anna's game", 1)
    found.platform_failed("Anna's platform", 404)
    found.observe(
        fronts=["web", "telegram", "Anna's"],
        behind={"web": 1},
        waiting={},
        is_playable=True,
        is_ready=True,
    )
    text = exposed(found)
    for name, said in labels_of(found.registry.collect()):
        assert name in ("le", "version") or said in LABELS[name], (name, said)
    assert not [word for word in ("Anna", "Ben", "lounge", "b2", "chess") if word in text]
