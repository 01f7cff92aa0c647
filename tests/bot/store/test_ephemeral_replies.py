"""Ephemeral replies in the database: whose, where, until when."""

from bot.store import Store, ephemeral_replies, personal_data, places, upkeep
from bot.store.ephemeral_replies import CAN_GO
from tests.bot.store.test_places import place
from tests.bot.table import Person, Table


async def test_what_is_to_go_is_found_where_it_is_and_for_whom_it_was_oldest_first(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    yard, other = await place(store, "yard"), await place(store, "other")
    for message in ("9", "10"):
        await ephemeral_replies.note(store, yard, anna.id, message)
        table.clock.forward(1)
    await ephemeral_replies.note(store, other, anna.id, "9")
    await ephemeral_replies.note(store, yard, ben.id, "11")
    assert await ephemeral_replies.of(store, yard, anna.id) == ["9", "10"]
    await ephemeral_replies.forget(store, yard, ["9", "11"])
    assert await ephemeral_replies.of(store, yard, anna.id) == ["10"]
    assert await ephemeral_replies.of(store, yard, ben.id) == []
    assert await ephemeral_replies.of(store, other, anna.id) == ["9"]


async def test_what_can_go_no_more_is_forgotten_and_all_else_kept(
    table: Table, store: Store, anna: Person
) -> None:
    yard = await place(store, "yard")
    await ephemeral_replies.note(store, yard, anna.id, "old")
    table.clock.forward(CAN_GO)
    await ephemeral_replies.note(store, yard, anna.id, "new")
    await upkeep.purge(store)
    assert await ephemeral_replies.of(store, yard, anna.id) == ["new"]
    table.clock.forward(-CAN_GO)
    assert await ephemeral_replies.of(store, yard, anna.id) == ["old", "new"]
    table.clock.forward(CAN_GO + 1)
    assert await ephemeral_replies.of(store, yard, anna.id) == ["new"]
    await table.upkeep.purge()
    table.clock.forward(-CAN_GO)
    assert await ephemeral_replies.of(store, yard, anna.id) == ["new"]


async def test_of_who_was_erased_and_of_a_place_that_has_moved_nothing_is_kept(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    yard, other = await place(store, "yard"), await place(store, "other")
    for person in (anna, ben):
        await ephemeral_replies.note(store, yard, person.id, f"of {person.name}")
    await ephemeral_replies.note(store, other, ben.id, "stays")
    await personal_data.erase(store, anna.id, name="#1")
    await ephemeral_replies.note(store, yard, anna.id, "late")
    assert await ephemeral_replies.of(store, yard, anna.id) == []
    assert await ephemeral_replies.of(store, yard, ben.id) == ["of Ben"]
    for new in ("new name", "other"):
        await ephemeral_replies.note(store, yard, ben.id, "again")
        assert await places.move_place(store, "chat", yard.external, new) is not None
        await ephemeral_replies.note(store, yard, ben.id, "late")
        moved = await places.place_called(store, "chat", new)
        assert moved is not None
        assert await ephemeral_replies.of(store, moved, ben.id) == (
            ["stays"] if new == "other" else []
        )
        yard = moved
