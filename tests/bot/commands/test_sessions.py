"""Sessions, as fronts use them."""

import pytest

from bot.commands.own import Known, NewSession, Sessions
from bot.domain.errors import Refused
from bot.store import sessions as rows
from bot.support.errors import StoreError
from tests.bot.table import Table


async def come(sessions: Sessions, name: str, *, language: str = "") -> Known:
    await sessions.arrive(name, language, new=NewSession(f"secret of {name}", "Firefox"))
    known = await sessions.known_by(f"secret of {name}")
    assert known is not None
    return known


@pytest.mark.parametrize(("wanted", "language"), [("de", "de"), ("xx", None), ("", None)])
async def test_who_arrives_is_known_by_their_secret_and_reads_what_they_chose(
    table: Table, wanted: str, language: str | None
) -> None:
    known = await come(Sessions(table.app), "Anna", language=wanted)
    assert (known.user.name, known.user.language) == ("Anna", language)


async def test_a_name_that_is_taken_begins_no_session(table: Table) -> None:
    sessions = Sessions(table.app)
    await come(sessions, "Anna")
    with pytest.raises(Refused):
        await sessions.arrive("anna", "", new=NewSession("other", ""))
    assert await sessions.known_by("other") is None


async def test_who_leaves_is_known_no_more_and_fronts_look_again(table: Table) -> None:
    sessions = Sessions(table.app)
    anna, ben = await come(sessions, "Anna"), await come(sessions, "Ben")
    looked: list[set[int]] = []

    async def look() -> None:
        looked.append(await sessions.ended([anna.session.id, ben.session.id]))

    table.app.rechecks.append(look)
    await sessions.leave(anna)
    assert looked == [{anna.session.id}]
    assert await sessions.now(anna.session.id) is None
    assert await sessions.known_by("secret of Anna") is None
    assert await sessions.now(ben.session.id) is not None


async def test_that_a_session_is_used_is_noted_and_refuses_nothing_if_it_cannot_be(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = Sessions(table.app)
    anna = await come(sessions, "Anna")
    table.clock.forward(rows.NOTED_SECONDS + 1)

    async def full(*_: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(rows, "mark_seen", full)
        assert await sessions.now(anna.session.id) == anna
    assert await sessions.now(anna.session.id) == anna
    seen = await sessions.now(anna.session.id)
    assert seen is not None
    assert seen.session.seen == table.app.store.now()
