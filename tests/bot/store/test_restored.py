"""After a restore, ids and tokens handed out in between are void."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot import store
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.store import Address, people
from bot.store.restored import note_in
from tests.bot.table import Person, Table
from tests.databases import name_of
from tests.postgres import Server


class Kept:
    """A backup of a table's database, made by the means of either kind."""

    def __init__(self, address: Address) -> None:
        self.address = address
        if isinstance(address, Path):
            self.file = address.with_name("kept.db")
            store.backup(address, self.file)
        else:
            self.name = name_of(address)
            self._server = Server(Path(address.get_secret_value().partition("?host=")[2]))
            self._server.execute(f"CREATE DATABASE {self.name}_kept TEMPLATE {self.name}")

    def put_back(self) -> None:
        if isinstance(self.address, Path):
            store.restore(self.file, self.address)
            return
        self._server.execute(
            f"DROP DATABASE {self.name} WITH (FORCE)",
            f"ALTER DATABASE {self.name}_kept RENAME TO {self.name}",
        )
        store.note_restored(self.address)


async def put_back(table: Table, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Make a backup, let something happen, and restore the backup."""
    await table.app.close()
    kept = await asyncio.to_thread(Kept, table.app.store.address)
    await table.restart()
    await meanwhile()
    await table.app.close()
    await asyncio.to_thread(kept.put_back)
    await table.restart()


async def test_no_button_or_number_of_a_match_that_is_forgotten_acts_in_another_one(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    forgotten = 0

    async def meanwhile() -> None:
        nonlocal forgotten
        forgotten = await table.begin(anna, ben)
        await anna.types("/othello new black")

    await put_back(table, meanwhile)
    match_id = await table.begin(anna, cleo)
    await cleo.types("/sogo new")
    waits = await table.newest()
    assert forgotten
    for old in (
        Action("step", forgotten, 2, "d3"),
        Action("resign", forgotten, 2, "yes"),
        Action("accept", forgotten + 1, 1),
    ):
        answer = await (ben if old.verb == "accept" else anna).presses(old)
        assert answer.refused, old
    assert (await anna.types(f"/resign {forgotten}")).refused
    assert (await table.loaded(match_id)).match.moves_made == 0
    assert (await table.loaded(waits)).match.opponent is None


async def test_no_button_of_another_course_of_a_match_acts_in_it_and_its_boards_are_drawn_anew(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, "d3")
    await table.settle()
    before = (await table.loaded(match_id)).match.version
    old: list[Action] = []

    async def meanwhile() -> None:
        await table.plays(match_id, "c3,c4")
        await table.settle()
        version = (await table.loaded(match_id)).match.version
        old.extend(Action("step", match_id, seen, "e3") for seen in range(before, version + 1))

    await put_back(table, meanwhile)
    assert (await table.loaded(match_id)).match.moves_made == 1
    told = len(table.wall.told)
    await table.settle()
    assert {post.version for post in table.wall.of(match_id)} == {
        (await table.loaded(match_id)).match.version
    }
    assert len(table.wall.told) == told, "nobody is told anything once more"
    await table.plays(match_id, "c5,d6")
    for action in old:
        for person in (anna, ben):
            assert (await person.presses(action)).refused, action
    assert (await table.loaded(match_id)).match.moves_made == 3


async def test_neither_people_nor_places_are_given_numbers_that_others_had(
    table: Table, anna: Person
) -> None:
    numbers: list[int] = []

    async def meanwhile() -> None:
        numbers.extend([(await table.arrive("Ben")).id, (await table.channel("den")).id])

    await put_back(table, meanwhile)
    cleo, yard = await table.arrive("Cleo"), await table.channel("yard")
    assert cleo.id > numbers[0]
    assert yard.id > numbers[1]
    assert await people.user(table.app.store, anna.id) is not None
    with pytest.raises(Refused):
        await table.loaded(1)


async def test_a_database_can_be_marked_twice(table: Table, anna: Person, ben: Person) -> None:
    before = await table.begin(anna, ben)
    address = table.app.store.address
    await table.app.close()
    for _ in range(2):
        if isinstance(address, Path):
            await asyncio.to_thread(note_in, address)
        else:
            await asyncio.to_thread(store.note_restored, address)
    await table.restart()
    assert await table.begin(anna, ben) > before + 1


@pytest.mark.sqlite
async def test_a_second_restore_of_the_same_backup_goes_on_beyond_the_first(
    table: Table, anna: Person, ben: Person
) -> None:
    await table.app.close()
    address = table.app.store.address
    assert isinstance(address, Path)
    kept = await asyncio.to_thread(Kept, address)
    numbers = []
    for _ in range(3):
        await table.restart()
        numbers.append(await table.begin(anna, ben))
        table.clock.forward(3600)
        await table.app.close()
        address.unlink()
        await asyncio.to_thread(kept.put_back)
    assert sorted(set(numbers)) == numbers
