"""People are met and places entered: known again, with their language, on every platform alike."""

from typing import Any

import pytest

from bot.directory import locale_of
from bot.model import Place, PlaceKind, Stranger, User
from bot.store import boards
from tests.bot.table import Person, Table


async def test_somebody_is_known_again_and_by_what_they_are_called_now(table: Table) -> None:
    directory = table.app.directory
    first = await directory.get_or_create_user(
        "chat", "11", "Dora", username="Dora_1", locale="de-AT"
    )
    assert (first.name, locale_of(first)) == ("Dora", "de-AT")
    assert (
        await directory.get_or_create_user("chat", "11", "Dora", username="Dora_1", locale="de-AT")
        == first
    )
    again = await directory.get_or_create_user(
        "chat", "11", "Theodora", username="Dora_1", locale="en"
    )
    assert (again.id, again.name, locale_of(again)) == (first.id, "Theodora", "en")
    assert await directory.known("chat", "11") == again
    assert await directory.known("chat", "12") is None


async def test_who_was_erased_is_met_as_somebody_new_though_nothing_has_changed(
    table: Table,
) -> None:
    directory = table.app.directory
    first = await directory.get_or_create_user("chat", "11", "Dora")
    dora = Person(table, first.id, "Dora", "en", "11", table.lounge, table.lounge)
    await dora.presses(f"erase:0:0:yes.{first.id}")
    assert (await directory.get_or_create_user("chat", "11", "Dora")).id != first.id


async def test_of_a_stranger_nothing_is_stored_until_they_are_introduced(table: Table) -> None:
    directory = table.app.directory
    stranger = await directory.recognised(
        "chat", "11", "\u202eDora", username="Dora_1", locale="de-AT"
    )
    assert isinstance(stranger, Stranger)
    assert (stranger.id, stranger.name) == (0, "Dora")
    assert await directory.known("chat", "11") is None
    dora = await directory.introduced(stranger)
    assert (dora.name, locale_of(dora)) == ("Dora", "de-AT")
    # Who is known goes by what they are called now.
    renamed = await directory.recognised("chat", "11", "Theodora", username="Dora_1", locale="en")
    assert (renamed.id, renamed.name, locale_of(renamed)) == (dora.id, "Theodora", "en")


async def test_who_is_erased_while_they_are_recognised_is_a_stranger(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = table.app.directory
    first = await directory.get_or_create_user("chat", "11", "Dora")
    dora = Person(table, first.id, "Dora", "en", "11", table.lounge, table.lounge)
    meet = table.app.names.get_or_create_user

    async def too_late(*given: Any, **more: Any) -> User:
        await dora.presses(f"erase:0:0:yes.{first.id}")
        return await meet(*given, **more)

    monkeypatch.setattr(table.app.names, "get_or_create_user", too_late)
    assert isinstance(await directory.recognised("chat", "11", "Theodora"), Stranger)
    assert await directory.known("chat", "11") is None


async def test_who_is_erased_before_their_conversation_is_made_leaves_none(table: Table) -> None:
    directory = table.app.directory
    user = await directory.get_or_create_user("chat", "11", "Dora")
    dora = Person(table, user.id, "Dora", "en", "11", table.lounge, table.lounge)
    assert (await directory.own_place(user, "chat", "11", "House")).id
    await dora.presses(f"erase:0:0:yes.{user.id}")
    place = await directory.own_place(user, "chat", "11", "House")
    assert (place.id, place.external, place.kind) == (0, "11", PlaceKind.DIRECT)
    assert await directory.conversation("chat", "11") is None


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
    # Nobody's is none, and none is made by asking.
    await directory.conversation_closed("chat", "12")
    assert not await directory.can_reach("chat", "12")
    assert await directory.conversation("chat", "12") is None


async def test_a_group_that_is_gone_takes_the_boards_of_its_topics_and_of_no_other_along(
    table: Table, anna: Person, ben: Person
) -> None:
    store, directory = table.app.store, table.app.directory
    loaded = await table.loaded(await table.begin(anna, ben))
    topics = [
        await directory.get_or_create_place(
            "chat", name, title="x", community=name.partition("/")[0]
        )
        for name in ("-10", "-10/7", "-100")
    ]
    for topic in topics:
        await boards.add(store, loaded.match, topic.id, seat=None)
    await directory.gone("chat", "-10")
    shown = {board.place_id for board in await boards.of_match(store, loaded.match.id)}
    assert shown == {table.lounge.id, topics[2].id}


async def test_the_matches_of_a_group_that_has_moved_follow_it(
    table: Table, anna: Person, ben: Person
) -> None:
    store, directory = table.app.store, table.app.directory
    old = await directory.get_or_create_place("chat", "-10", title="x", community="-10")
    loaded = await table.loaded(await table.begin(anna, ben))
    await boards.add(store, loaded.match, old.id, seat=None)
    assert await directory.moved("chat", "-10", "-1000")
    assert not await directory.moved("chat", "-10", "-1000")
    new = await directory.get_or_create_place("chat", "-1000", title="x", community="-1000")
    assert {board.place_id for board in await boards.of_match(store, loaded.match.id)} == {
        table.lounge.id,
        new.id,
    }


async def test_topics_of_a_group_count_their_messages_together_and_other_places_do_not(
    table: Table, anna: Person, ben: Person
) -> None:
    store, directory = table.app.store, table.app.directory
    loaded = await table.loaded(await table.begin(anna, ben))
    shown = {}
    for name, community in (("-10/1", "-10"), ("-10/2", "-10"), ("-20", "-20"), ("5", None)):
        place = await directory.get_or_create_place("chat", name, title="x", community=community)
        await boards.add(store, loaded.match, place.id, seat=None)
        shown[name] = place
    async with store.write() as connection:
        await connection.exec_driver_sql("UPDATE boards SET message = 'm' || place_id")
    alone = await directory.get_or_create_place("chat", "6", title="x", community=None)

    async def at(place: Place, name: str) -> bool:
        return bool(await boards.at(store, place, f"m{shown[name].id}"))

    assert await at(shown["-10/1"], "-10/1")
    assert await at(shown["-10/2"], "-10/1")
    assert not await at(shown["-20"], "-10/1")
    assert await at(shown["5"], "5")
    assert not await at(alone, "5")


async def test_where_both_groups_show_a_match_the_board_in_the_new_one_is_kept(
    table: Table, anna: Person, ben: Person
) -> None:
    store, directory = table.app.store, table.app.directory
    loaded = await table.loaded(await table.begin(anna, ben))
    for name in ("-10", "-1000"):
        place = await directory.get_or_create_place("chat", name, title="x", community=name)
        await boards.add(store, loaded.match, place.id, seat=None)
    before = await boards.of_match(store, loaded.match.id, place_id=place.id)
    assert await directory.moved("chat", "-10", "-1000")
    after = await boards.of_match(store, loaded.match.id, place_id=place.id)
    assert [board.id for board in after] == [board.id for board in before]
    assert len(await boards.of_match(store, loaded.match.id)) == 2


async def test_of_a_long_title_and_a_long_language_the_beginning_is_kept(table: Table) -> None:
    directory = table.app.directory
    place = await directory.get_or_create_place("chat", "1", title="x" * 999, community=None)
    assert place.title == "x" * 128
    user = await directory.get_or_create_user("chat", "7", "Anna", locale="de-" + "x" * 99)
    assert user.settings["locale"] == "de-" + "x" * 13
