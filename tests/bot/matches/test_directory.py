"""Users and places: recognised, with their language, alike on every platform."""

from functools import partial
from typing import Any

import pytest

from bot.cli import hosting
from bot.domain.model import PlaceKind, Stranger, User
from bot.matches.directory import locale_of
from bot.store import Store, boards, people, places
from bot.support.errors import StoreError
from tests.bot.table import Person, Table


async def test_somebody_is_known_again_and_by_what_they_are_called_now(table: Table) -> None:
    meet = partial(table.app.directory.identify, "chat", "11", username="Dora_1", registers=True)
    first = await meet("Dora", locale="de-AT")
    assert (first.name, locale_of(first)) == ("Dora", "de-AT")
    assert await meet("Dora", locale="de-AT") == first
    again = await meet("Theodora", locale="en")
    assert (again.id, again.name, locale_of(again)) == (first.id, "Theodora", "en")


async def test_who_was_erased_is_met_as_somebody_new_though_nothing_has_changed(
    table: Table,
) -> None:
    directory = table.app.directory
    first = await directory.identify("chat", "11", "Dora", registers=True)
    dora = Person(table, first.id, "Dora", "en", "11", table.lounge, table.lounge)
    await dora.presses(f"erase:0:0:yes.{first.id}")
    assert (await directory.identify("chat", "11", "Dora", registers=True)).id != first.id


async def test_of_a_stranger_nothing_is_stored_until_they_are_introduced(table: Table) -> None:
    directory = table.app.directory
    stranger = await directory.identify(
        "chat", "11", "\u202eDora", username="Dora_1", locale="de-AT"
    )
    assert isinstance(stranger, Stranger)
    assert (stranger.id, stranger.name) == (0, "Dora")
    assert await people.by_identity(table.app.store, "chat", "11") is None
    dora = await directory.register(stranger)
    assert (dora.name, locale_of(dora)) == ("Dora", "de-AT")
    # Who is known goes by what they are called now.
    renamed = await directory.identify("chat", "11", "Theodora", username="Dora_1", locale="en")
    assert (renamed.id, renamed.name, locale_of(renamed)) == (dora.id, "Theodora", "en")


async def test_who_is_erased_while_they_are_recognised_is_a_stranger(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = table.app.directory
    first = await directory.identify("chat", "11", "Dora", registers=True)
    dora = Person(table, first.id, "Dora", "en", "11", table.lounge, table.lounge)
    meet = table.app.names.get_or_create_user

    async def too_late(*given: Any, **more: Any) -> User:
        await dora.presses(f"erase:0:0:yes.{first.id}")
        return await meet(*given, **more)

    monkeypatch.setattr(table.app.names, "get_or_create_user", too_late)
    assert isinstance(await directory.identify("chat", "11", "Theodora"), Stranger)
    assert await people.by_identity(table.app.store, "chat", "11") is None


async def test_who_is_erased_before_their_conversation_is_made_leaves_none(table: Table) -> None:
    directory = table.app.directory
    user = await directory.identify("chat", "11", "Dora", registers=True)
    dora = Person(table, user.id, "Dora", "en", "11", table.lounge, table.lounge)
    assert (await directory.own_place(user, "chat", "11", "House")).id
    await dora.presses(f"erase:0:0:yes.{user.id}")
    place = await directory.own_place(user, "chat", "11", "House")
    assert (place.id, place.external, place.kind) == (0, "11", PlaceKind.DIRECT)
    assert await places.place_called(table.app.store, "chat", "11") is None


@pytest.mark.parametrize(
    ("locale", "language"), [("de-AT", "de"), ("en", "en"), ("fr", None), (None, None)]
)
async def test_a_place_speaks_as_whoever_entered_it_first(
    table: Table, locale: str | None, language: str | None
) -> None:
    entered = table.app.directory.get_or_create_place
    place = await entered("chat", "-1", title="Garden", community="-1", locale=locale)
    assert place.settings.get("language") == language
    later = await entered("chat", "-1", title="Garden", community="-1", locale="de")
    assert later.settings.get("language") == (language or "de")


async def test_a_conversation_is_opened_closed_and_opened_again(table: Table) -> None:
    directory = table.app.directory
    place = await directory.direct("chat", "11", "Azumaya")
    assert not await directory.can_reach("chat", "11")
    await directory.opened(place)
    assert await directory.can_reach("chat", "11")
    await directory.conversation_closed("chat", "11")
    assert not await directory.can_reach("chat", "11")
    await directory.opened(place)
    assert await directory.can_reach("chat", "11")
    # An unknown conversation has no place, and asking creates none.
    await directory.conversation_closed("chat", "12")
    assert not await directory.can_reach("chat", "12")
    assert await places.place_called(table.app.store, "chat", "12") is None


async def test_that_somebody_is_active_is_noted_once_a_minute_and_again_if_it_could_not_be(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, clock, noted = table.app.directory, table.clock, list[int]()
    note, is_full = people.mark_active, False

    async def counted(store: Store, user_id: int, place_id: int) -> None:
        if is_full:
            raise StoreError("database or disk is full")
        await note(store, user_id, place_id)
        noted.append(user_id)

    monkeypatch.setattr(people, "mark_active", counted)
    user = await anna.user()
    for seconds, times in ((0, 1), (0, 1), (59, 1), (1, 2), (59, 2), (1, 3), (-300, 4), (0, 4)):
        clock.forward(seconds)
        await directory.note_active(user, table.lounge)
        assert len(noted) == times, seconds
    clock.forward(60)
    is_full = True
    await directory.note_active(user, table.lounge)
    is_full = False
    await directory.note_active(user, table.lounge)
    assert noted == [anna.id] * 5
    for _ in range(2):
        await directory.note_active(user, anna.direct)
    assert noted == [anna.id] * 6
    # Of a stranger there is nothing that it could be noted of.
    dora = await directory.identify("chat", "11", "Dora")
    await directory.note_active(dora, table.lounge)
    assert len(noted) == 6


async def test_a_thread_looks_like_what_is_around_it_until_it_is_set_otherwise(
    table: Table,
) -> None:
    store, enter = table.app.store, table.app.directory.get_or_create_place
    group = await enter("chat", "-1", title="Garden", community="-1")
    await places.change_place(store, group.id, settings={"theme": "dark", "games": "othello"})

    async def topic(parent: str | None, name: str = "-1/7") -> dict[str, str]:
        entered = await enter("chat", name, title="Topic", community="-1", parent=parent)
        return dict(entered.settings)

    assert await topic("-1") == {"theme": "dark", "parent": "-1"}
    # What is set around it later is not set in it.
    await places.change_place(store, group.id, settings={"theme": "light", "language": "de"})
    for parent in ("-1", None):
        assert await topic(parent) == {"theme": "dark", "parent": "-1"}
    assert await topic("-2") == {"theme": "dark", "parent": "-2"}
    assert await topic("-1") == {"theme": "dark", "parent": "-1", "language": "de"}
    assert await topic(None, "-1/8") == {}
    assert await topic("-9", "-1/9") == {"parent": "-9"}


async def test_a_group_that_said_good_bye_before_it_moved_shows_what_is_on_and_stays_shut_out(
    table: Table,
) -> None:
    store, directory = table.app.store, table.app.directory
    anna, ben = [await table.arrive(name, platform="chat") for name in ("Anna", "Ben")]
    old, new = [
        await directory.get_or_create_place("chat", name, title="x", community=name)
        for name in ("-10", "-1000")
    ]
    ids = []
    for line in ("/othello @Ben", "/sogo @Ben", "/morris @Ben", "/moyo new"):
        await anna.types(line, place=old)
        ids.append(await table.newest(old))
    await ben.types(f"/accept {ids[0]}", place=old)
    await ben.types(f"/accept {ids[1]}", place=old)
    await table.given_up(ids[1], anna)
    await ben.types(f"/decline {ids[2]}", place=old)
    await hosting.block(store, "chat:-10")
    await table.app.on_remote_change()
    assert {(await table.loaded(one)).match.place_id for one in ids} == {old.id}
    await directory.gone("chat", "-10")
    assert await directory.moved("chat", "-10", "-1000") is True
    assert await directory.moved("chat", "-10", "-1000") is False
    shown = [
        [board.place_id for board in await boards.of_match(store, one) if board.seat is None]
        for one in ids
    ]
    assert [new.id in places_ for places_ in shown] == [True, False, False, True]
    # What was in memory is where it is now, and the host's word holds on.
    assert {(await table.loaded(one)).match.place_id for one in ids} == {new.id}
    assert await table.app.policies.is_blocked(await places.place(store, new.id))


async def test_of_a_long_title_and_a_long_language_the_beginning_is_kept(table: Table) -> None:
    directory = table.app.directory
    place = await directory.get_or_create_place("chat", "1", title="x" * 999, community=None)
    assert place.title == "x" * 128
    user = await directory.identify("chat", "7", "Anna", locale="de-" + "x" * 99, registers=True)
    assert user.settings["locale"] == "de-" + "x" * 13
