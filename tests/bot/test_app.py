"""The app as a whole: what is reread, which players are notified, how it closes."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.matches.erasing import erase
from bot.screens.pictures import Pictures
from bot.store import EVERYTHING, Changes
from bot.store.database.changes import BOARDS, PEOPLE, of_match
from bot.support.errors import StoreError
from tests.bot.table import Person, Table


@pytest.mark.parametrize(
    ("changes", "forgets", "looks"),
    [
        (EVERYTHING, ["matches", "policies", "names"], "people"),
        (PEOPLE, ["names"], "people"),
        (of_match(7), ["matches"], "boards"),
        (Changes(PEOPLE | of_match(7)), ["matches", "names"], "people"),
        (BOARDS, [], "boards"),
    ],
    ids=["everything", "people", "match", "both", "boards"],
)
async def test_what_others_have_changed_is_looked_at_anew_and_nothing_else(
    table: Table, monkeypatch: pytest.MonkeyPatch, changes: Changes, forgets: list[str], looks: str
) -> None:
    app, changed = table.app, table.app.changed.listen()
    forgotten, looked = list[str](), list[str]()

    def invalidate(*matches: int) -> None:
        # Only matches that were reported as changed are read again.
        assert matches == tuple(changes.matches)
        forgotten.append("matches")

    async def look(at: str) -> None:
        looked.append(at)

    monkeypatch.setattr(app.matches.memory, "invalidate", invalidate)
    monkeypatch.setattr(app.policies, "forget", partial(forgotten.append, "policies"))
    monkeypatch.setattr(app.names, "forget", partial(forgotten.append, "names"))
    app.rechecks.append(partial(look, "people"))
    app.refresh_callbacks.append(partial(look, "boards"))
    await app.on_remote_change(changes)
    assert (forgotten, looked) == (forgets, [looks])
    assert changed.is_set()
    assert not app.must_recheck


async def test_it_is_heard_how_many_have_been_erased_also_by_others_and_after_a_restart(
    table: Table, anna: Person, ben: Person
) -> None:
    app = table.app
    assert app.deletion_count == 0
    for number, person in enumerate((anna, ben), 1):
        user = (await person.command()).client.user
        await erase(app.store, app.matches, user.id)
        assert app.deletion_count == number - 1
        await app.on_remote_change(PEOPLE)
        assert app.deletion_count == number
    await table.restart()
    assert table.app.deletion_count == 2


async def test_a_look_that_has_failed_is_still_to_be_done_until_all_have_looked(
    table: Table, logged: list[EventDict]
) -> None:
    app, only_boards = table.app, BOARDS
    looked, broken = list[str](), set[str]()

    def is_left() -> bool:
        return app.must_recheck

    def look(name: str) -> Any:
        async def looks() -> None:
            looked.append(name)
            if name in broken:
                raise StoreError("azumaya.db: disk I/O error")

        return looks

    app.rechecks[:] = [look("first"), look("second")]
    app.refresh_callbacks[:] = [look("shown")]
    await app.on_remote_change(only_boards)
    assert not is_left()
    broken.add("shown")
    await app.on_remote_change(only_boards)
    assert is_left()
    broken.clear()
    # That others have looked well does not make good what was missed.
    await app.on_remote_change(only_boards)
    assert is_left()
    broken.add("first")
    looked.clear()
    await app.recheck_people()
    assert is_left()
    assert looked == ["first"]
    broken.clear()
    await app.recheck_people()
    assert not is_left()
    assert looked == ["first", "first", "second"]


async def test_when_somebody_is_called_is_their_choice_then_the_places_then_the_houses(
    table: Table,
) -> None:
    def pings(own: str | None, place: str | None) -> str:
        settings = {} if place is None else {"pings": place}
        return table.app.pings(
            {} if own is None else {"pings": own}, replace(table.lounge, settings=settings)
        )

    house = table.settings.play.pings
    assert house == "always"
    assert pings(None, None) == house
    assert pings("never", "away") == "never"
    assert pings(None, "away") == "away"
    # What was a choice once, perhaps.
    assert pings("sometimes", "never") == "never"
    assert pings("auto", "auto") == house


async def test_a_house_that_closes_ends_what_it_was_looking_at_and_drawing_before_its_database(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    drawn, looked, shut = Pictures.close, table.app.health.close, table.app.store.close

    def pictures(self: Pictures) -> None:
        drawn(self)
        closed.append("pictures")

    async def health() -> None:
        await looked()
        await asyncio.sleep(0)
        closed.append("health")

    async def thinkers() -> None:
        closed.append("thinkers")

    async def store() -> None:
        closed.append("store")
        await shut()

    monkeypatch.setattr(Pictures, "close", pictures)
    monkeypatch.setattr(table.app.health, "close", health)
    monkeypatch.setattr(table.app.engines, "close", thinkers)
    monkeypatch.setattr(table.app.store, "close", store)
    await table.app.close()
    assert closed == ["health", "thinkers", "pictures", "store"]
