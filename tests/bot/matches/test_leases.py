"""Leases: the work of dead processes is claimed, that of disconnected ones is not."""

import asyncio
from collections.abc import Collection
from typing import Any

import pytest

from bot.matches.leases import Leases
from bot.matches.shards import Shards
from bot.store import leases, shards
from bot.support.platforms import Shard


class House:
    """A database with several processes on it, as far as leases ask for them."""

    holder = "us"

    def __init__(self, patch: pytest.MonkeyPatch, *, is_shared: bool = True) -> None:
        self.is_shared, self.database = is_shared, self
        self.time = 0.5
        self.held: set[str] = set()
        self.away: set[str] = set()
        self.asked: list[set[str]] = []
        self.looks = 0
        self.released: list[set[str]] = []
        self.present: dict[str, int] = {}
        patch.setattr(shards, "present", self._present)
        patch.setattr(asyncio.get_running_loop(), "time", lambda: self.time)
        patch.setattr(leases, "holders", self._holders)
        patch.setattr(leases, "release", self._release)

    def now(self) -> int:
        return 5000

    async def absent(self, holders: set[str]) -> set[str]:
        self.asked.append(holders)
        return holders & self.away

    async def _holders(self, _store: object, *, now: int) -> set[str]:
        assert now == 5000
        self.looks += 1
        return set(self.held)

    async def _present(self, _store: object) -> dict[str, int]:
        return dict(self.present)

    async def _release(self, _store: object, holders: Collection[str]) -> None:
        self.released.append(set(holders))


async def test_whoever_is_absent_at_two_looks_has_died_and_their_work_is_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house: Any = House(monkeypatch)
    leases = Leases(house, frozenset({"web", "chat"}))
    lease = leases.new_lease()
    assert (lease.holder, sorted(lease.platforms), lease.now) == ("us", ["chat", "web"], 5000)
    # Longer than any call takes.
    assert lease.until >= 5000 + 60
    house.held, house.away = {"us", "lost", "dead"}, {"us", "lost", "dead"}
    for time, looks in ((0.5, 1), (1.5, 1), (4.25, 1), (4.5, 2), (5.5, 2)):
        if looks == 2:
            # Back in time.
            house.away = {"dead"}
        house.time = time
        await leases.release_dead()
        assert house.looks == looks
        assert house.released == ([{"dead"}] if looks == 2 else [])
    # A process does not check itself.
    assert house.asked == [{"lost", "dead"}] * 2
    # A process that came back starts again at its first absence.
    house.held, house.away = {"lost"}, {"lost"}
    house.time += 4
    await leases.release_dead()
    assert len(house.released) == 1
    # Without leases there is nothing to check.
    house.held = set()
    house.time += 4
    await leases.release_dead()
    assert len(house.asked) == 3
    house.held = {"lost"}
    house.time += 4
    await leases.release_dead()
    assert len(house.released) == 1
    await leases.release()
    assert house.released[1:] == [{"us"}]


async def test_whoever_was_absent_at_two_looks_and_says_that_it_is_there_has_not_died(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cut the connection that shows presence just before each check."""
    house: Any = House(monkeypatch)
    leases = Leases(house, frozenset({"web"}))
    house.held = house.away = {"alive", "dead", "buried"}
    house.present = {"alive": 10, "dead": 10, "buried": 10}
    await leases.release_dead()
    house.present = {"alive": 12, "dead": 10}
    house.time += 4
    await leases.release_dead()
    assert house.released == [{"dead", "buried"}]
    house.time += 4
    await leases.release_dead()
    assert house.released[1:] == [{"alive", "dead", "buried"}]


async def test_only_boards_of_platforms_and_shards_that_it_speaks_for_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house: Any = House(monkeypatch)
    speaking = Shards(house)
    monkeypatch.setattr(speaking, "is_alone", False)
    monkeypatch.setattr(speaking, "serves", lambda platform: platform == "web")
    monkeypatch.setattr(speaking, "of", lambda platform: (Shard(platform, 0, 2),))
    lease = Leases(house, frozenset({"web", "chat"}), speaking).new_lease()
    assert (sorted(lease.platforms), lease.shards) == (["web"], (Shard("web", 0, 2),))


async def test_where_one_house_is_alone_nobody_else_can_have_died(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house: Any = House(monkeypatch, is_shared=False)
    house.held = house.away = {"us", "dead"}
    leases = Leases(house)
    for _ in range(3):
        await leases.release_dead()
        house.time += 10
    assert (house.looks, house.released) == (0, [])
