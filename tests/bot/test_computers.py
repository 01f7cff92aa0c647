"""How computers are served: whose match is next, and what a failure costs the others."""

import asyncio
from typing import Any

import pytest

from bot.computers import Computers
from bot.store import work
from bot.thinking.tasks import Choose
from tests.bot.table import Person, Table, Thinking


class One(Thinking):
    """Thinks of one thing at a time."""

    count = 1

    @property
    def levels(self) -> list[int]:
        """The levels of those who have moved, in order."""
        return [task.level for task in self.asked if isinstance(task, Choose)]


async def many(person: Person, count: int, *, level: int) -> None:
    """Matches in each of which a computer of this level is on turn."""
    for number in range(count):
        place = await person.table.channel(f"{person.name} {number}")
        assert not (await person.types(f"/othello computer {level} white", place=place)).refused


@pytest.mark.both
async def test_whoever_has_one_match_waits_for_few_of_those_of_somebody_who_has_many(
    table: Table, anna: Person, ben: Person
) -> None:
    await many(anna, 5, level=1)
    table.clock.forward(60)
    await many(ben, 2, level=2)
    table.app.thinkers = thinkers = One()
    await Computers(table.app).once()
    assert thinkers.levels == [1, 2, 1, 2, 1, 1, 1]


@pytest.mark.both
async def test_whoever_has_a_match_in_the_hands_of_another_process_comes_later(
    table: Table, anna: Person, ben: Person
) -> None:
    await many(anna, 3, level=1)
    table.clock.forward(1)
    await many(ben, 1, level=2)
    taken = [one for _ in range(2) for one in await work.take(table.app.store, limit=1)]
    assert [one.person for one in taken] == [anna.id, ben.id]
    # Where nobody else waits, all who think are one person's.
    assert [one.person for one in await work.take(table.app.store, limit=5)] == [anna.id] * 2


async def test_a_look_that_fails_ends_nothing_and_only_its_kind_and_place_are_logged(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, object]]
) -> None:
    await many(anna, 1, level=1)
    take, has_failed = work.take, asyncio.Event()

    async def fails_once(*given: Any, **named: Any) -> list[work.Taken]:
        if has_failed.is_set():
            return await take(*given, **named)
        has_failed.set()
        raise RuntimeError("a secret")

    monkeypatch.setattr(work, "take", fails_once)
    changed = table.app.changed.listen()
    at_work = asyncio.create_task(Computers(table.app).run())
    async with asyncio.timeout(60):
        await has_failed.wait()
        table.app.computers_due.set()
        await changed.wait()
    at_work.cancel()
    await asyncio.wait([at_work])
    (line,) = [line for line in logged if line["event"] == "computers failed"]
    assert line["kind"] == "RuntimeError"
    assert "test_computers.py" in str(line["where"])
    assert "a secret" not in str(logged)


async def test_a_turn_that_fails_keeps_nobody_else_waiting_and_is_found_again(
    table: Table,
    anna: Person,
    ben: Person,
    monkeypatch: pytest.MonkeyPatch,
    logged: list[dict[str, object]],
) -> None:
    await many(anna, 1, level=1)
    await many(ben, 1, level=2)
    play, failed = table.app.matches.play_for_computer, list[int]()

    async def fails_once(match_id: int, *given: Any, **named: Any) -> object:
        if failed:
            return await play(match_id, *given, **named)
        failed.append(match_id)
        raise RuntimeError("a secret")

    monkeypatch.setattr(table.app.matches, "play_for_computer", fails_once)
    await table.computers.once()
    assert await work.next_work(table.app.store) == int(table.clock.now) + work.SECONDS
    table.clock.forward(work.SECONDS)
    await table.computers.once()
    assert await work.next_work(table.app.store) is None
    (line,) = [line for line in logged if line["event"] == "a computer's turn failed"]
    assert (line["match"], line["kind"]) == (failed[0], "RuntimeError")
    assert "a secret" not in str(logged)
