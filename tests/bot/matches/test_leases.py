"""Leases: which boards a process takes, and for how long."""

from typing import Any
from unittest.mock import Mock

import pytest

from bot.matches import Matches
from bot.matches.shards import Shards
from bot.support.platforms import Shard


class House:
    """A database, as far as leases ask for it."""

    holder = "us"
    is_shared = True

    def __init__(self) -> None:
        self.database = self

    def now(self) -> int:
        return 5000


async def test_a_lease_is_for_all_platforms_and_longer_than_any_call_takes() -> None:
    house: Any = House()
    shards = Shards(house, frozenset({"web", "chat"}))
    lease = Matches(house, changed=Mock(), shards=shards, policies=Mock()).new_lease()
    assert (lease.holder, sorted(lease.platforms), lease.now) == ("us", ["chat", "web"], 5000)
    assert lease.until >= 5000 + 60


async def test_only_boards_of_platforms_and_shards_that_it_speaks_for_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house: Any = House()
    speaking = Shards(house, frozenset({"web", "chat"}))
    monkeypatch.setattr(speaking, "is_alone", False)
    monkeypatch.setattr(speaking, "serves", lambda platform: platform == "web")
    monkeypatch.setattr(speaking, "of", lambda platform: (Shard(platform, 0, 2),))
    assert speaking.serving() == (frozenset({"web"}), (Shard("web", 0, 2),))
