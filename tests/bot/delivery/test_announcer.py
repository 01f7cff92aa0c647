"""Announcements of the operator: when they are retried, and that none arrives twice."""

import asyncio

import pytest
from structlog.typing import EventDict

from bot.cli import hosting
from bot.delivery import ClosedError, Reconciler, RetryError
from bot.delivery.mailer import Announcer
from bot.store import announcements
from bot.store.announcements import Announcement
from bot.support.errors import StoreError
from tests.bot.failing import DISK_FULL, fails, waits
from tests.bot.table import Person, Table, Wall


@pytest.fixture
async def announcer(table: Table, anna: Person, ben: Person) -> Announcer:
    """Return the announcer of a text for the lounge."""
    await table.begin(anna, ben)
    await table.settle()
    assert await announcements.add(table.app.store, "We move tonight.", seconds=24 * 3600) == 1
    table.wall.told.clear()
    announcer, _ = table.reconciler._mailers
    assert isinstance(announcer, Announcer)
    return announcer


class Hours:
    """The loop's clock, moved by the test."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        patch.setattr(asyncio.get_running_loop(), "time", lambda: self.now)


OFTEN = [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "pauses"),
    [
        (RetryError(500), [500, 500]),
        (RetryError(), OFTEN),
        (ClosedError("shut"), OFTEN),
        (StoreError("azumaya.db: disk I/O error"), OFTEN[:3]),
    ],
    ids=repr,
)
async def test_a_word_waits_as_long_as_the_platform_wants_it_or_ever_longer(
    *,
    table: Table,
    announcer: Announcer,
    monkeypatch: pytest.MonkeyPatch,
    logged: list[EventDict],
    trouble: Exception,
    pauses: list[float],
) -> None:
    tries: list[str] = []

    async def fails(*_: object) -> bool:
        tries.append("")
        raise trouble

    hours = Hours(monkeypatch)
    with monkeypatch.context() as patch:
        if isinstance(trouble, RetryError | ClosedError):
            patch.setattr(table.wall, "notify", fails)
        else:
            # The failure comes before the message is sent, so it has certainly not arrived.
            patch.setattr(announcements, "mark_sent", fails)
        for count, pause in enumerate(pauses, start=1):
            await announcer.once()
            assert len(tries) == count
            hours.now += pause - 0.25
            await announcer.once()
            assert len(tries) == count
            hours.now += 0.25
    await announcer.once()
    assert [place for place, _ in table.wall.told] == [table.lounge.id]
    assert not announcer._failures
    hours.now += 3600
    await announcer.once()
    assert len(table.wall.told) == 1
    for line in logged:
        assert "the platform is down" in line.pop("exception", "the platform is down")


async def test_a_word_waits_a_minute_where_the_host_does_not_want_us_and_is_said_then(
    table: Table, announcer: Announcer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours(monkeypatch)
    await hosting.block(table.app.store, "web:lounge")
    await table.app.on_remote_change()
    await announcer.once()
    await hosting.allow(table.app.store, "web:lounge")
    await table.app.on_remote_change()
    hours.now += 59.5
    await announcer.once()
    assert table.wall.told == []
    hours.now += 0.5
    await announcer.once()
    assert len(table.wall.told) == 1


async def test_a_word_whose_place_has_become_another_one_meanwhile_is_said_there_alone(
    table: Table, announcer: Announcer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, looks = announcements.pending, []

    async def looked_before(*args: object, **filters: object) -> list[Announcement]:
        looks.append(filters)
        found = await waiting(*args, **filters)  # type: ignore[arg-type]
        return [Announcement(one.id, 999, one.text) for one in found] if len(looks) == 1 else found

    monkeypatch.setattr(announcements, "pending", looked_before)
    await announcer.once()
    assert [place for place, _ in table.wall.told] == [table.lounge.id]


async def test_what_could_not_be_given_back_is_given_back_later_and_said(
    table: Table, announcer: Announcer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours(monkeypatch)

    with monkeypatch.context() as patch:
        fails(patch, table.wall, "notify", RetryError(0.5))
        fails(patch, announcements, "unmark_sent", DISK_FULL)
        await announcer.once()
    hours.now += 2
    await announcer.once()
    assert len(table.wall.told) == 1


async def test_what_is_given_back_is_said_by_whoever_comes_first_and_by_nobody_else(
    table: Table, announcer: Announcer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours(monkeypatch)
    other = Wall()
    begun, release = waits(monkeypatch, other, "notify")
    with monkeypatch.context() as patch:
        fails(patch, table.wall, "notify", RetryError(0.5))
        await announcer.once()
    theirs, _ = Reconciler(table.app, {"web": other})._mailers
    saying = asyncio.create_task(theirs.once())
    await begun.wait()
    hours.now += 1
    # Another process is sending it.
    await announcer.once()
    release.set()
    await saying
    await announcer.once()
    assert (len(table.wall.told), len(other.told)) == (0, 1)


async def test_the_loop_says_words_that_come_later_and_to_the_end_when_the_house_closes(
    table: Table, announcer: Announcer, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    monkeypatch.setattr("bot.delivery.mailer._LOOK_EVERY", 0.02)
    waiting, looks, loop = announcements.pending, [], asyncio.get_running_loop()
    begun, release = waits(monkeypatch, table.wall, "notify")

    async def fails_once(*args: object, **filters: object) -> list[Announcement]:
        looks.append(loop.time())
        if len(looks) == 1:
            raise StoreError("azumaya.db: disk I/O error")
        return await waiting(*args, **filters)  # type: ignore[arg-type]

    monkeypatch.setattr(announcements, "pending", fails_once)
    working = asyncio.create_task(announcer.run())
    await begun.wait()
    # It sleeps between two looks.
    assert looks[1] - looks[0] >= 0.019
    working.cancel()
    for _ in range(20):
        await asyncio.sleep(0)
    assert not working.done()
    release.set()
    await asyncio.gather(working, return_exceptions=True)
    assert len(table.wall.told) == 1
    await announcer.once()
    assert len(table.wall.told) == 1
    assert [line["event"] for line in logged if line["level"] != "info"] == [
        "announcement not read"
    ]
