"""Sessions, as fronts use them."""

import pytest

from bot.commands import own
from bot.domain.errors import Refused
from bot.store import sessions
from bot.store.sessions import Known, NewSession
from bot.support.errors import StoreError
from tests.bot.table import Table


async def come(table: Table, name: str, *, language: str = "") -> Known:
    await own.arrive(table.app, name, language, new=NewSession(f"secret of {name}", "Firefox"))
    known = await sessions.by_token(table.app.store, f"secret of {name}")
    assert known is not None
    return known


@pytest.mark.parametrize(("wanted", "language"), [("de", "de"), ("xx", None), ("", None)])
async def test_who_arrives_is_known_by_their_secret_and_reads_what_they_chose(
    table: Table, wanted: str, language: str | None
) -> None:
    known = await come(table, "Anna", language=wanted)
    assert (known.user.name, known.user.language) == ("Anna", language)


async def test_a_name_that_is_taken_begins_no_session(table: Table) -> None:
    await come(table, "Anna")
    with pytest.raises(Refused):
        await own.arrive(table.app, "anna", "", new=NewSession("other", ""))
    assert await sessions.by_token(table.app.store, "other") is None


async def test_who_leaves_is_known_no_more_and_fronts_look_again(table: Table) -> None:
    store, looked = table.app.store, []
    anna, ben = await come(table, "Anna"), await come(table, "Ben")

    async def look() -> None:
        looked.append(await sessions.alive(store, [anna.session.id, ben.session.id]))

    table.app.rechecks.append(look)
    await own.leave(table.app, anna)
    assert looked == [{ben.session.id}]
    assert await sessions.in_use(store, anna.session.id) is None
    assert await sessions.by_token(table.app.store, "secret of Anna") is None
    assert await sessions.in_use(store, ben.session.id) is not None


async def test_that_a_session_is_used_is_noted_and_refuses_nothing_if_it_cannot_be(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, store = await come(table, "Anna"), table.app.store
    table.clock.forward(sessions.NOTED_SECONDS + 1)

    async def full(*_: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(sessions, "mark_seen", full)
        assert await sessions.in_use(store, anna.session.id) == anna
