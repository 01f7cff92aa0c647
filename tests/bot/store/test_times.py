"""Stored times: which count, and which are corrected, to the second."""

import pytest
from sqlalchemy import select, update

from bot.domain.actions import Action
from bot.domain.model import Status
from bot.store import Store, inbox, key_values, passing, sessions, times, traces
from bot.store.changes import NOTHING
from bot.store.key_values import OURS
from bot.store.schema import inbox as inbox_table
from bot.store.schema import matches, users
from bot.store.schema import sessions as sessions_table
from bot.store.sessions import NewSession
from tests.bot.table import Person, Table

MINUTE, HOUR, A_DAY = 60, 3600, 24 * 3600


async def browser(store: Store, person: Person, seen: int, *, ended: int | None = None) -> None:
    async with store.write(NOTHING) as connection:
        new = NewSession(f"{seen} {ended}", "")
        await sessions.insert_session(connection, person.id, new, now=seen)
        await connection.execute(
            update(sessions_table).where(sessions_table.c.seen == seen).values(ended=ended)
        )


async def stored(store: Store) -> tuple[list[int], list[int | None], list[int | None], list[int]]:
    """Return the times at which sessions were seen and ended, users idle, and updates received."""
    async with store.read() as connection:
        rows = (await connection.execute(select(sessions_table).order_by("id"))).all()
        idle = await connection.execute(select(users.c.idle_since).order_by(users.c.id))
        came = await connection.execute(select(inbox_table.c.at).order_by("id"))
        return (
            [row.seen for row in rows],
            [row.ended for row in rows],
            list(idle.scalars()),
            list(came.scalars()),
        )


async def test_a_clock_goes_on_being_trusted_for_an_hour_after_it_was_noted(
    table: Table, store: Store
) -> None:
    # Of others, or of something else.
    await key_values.remember(store, "web", "clock", "1 2")
    await key_values.remember(store, OURS, "clocks", "1 2")
    began = store.now()
    assert (await times.note_clock(store, since=None)).since == began
    table.clock.forward(HOUR)
    assert (await times.note_clock(store, since=None)).since == began
    # In the same second, too.
    assert (await times.note_clock(store, since=None)).since == began
    table.clock.forward(HOUR)
    assert (await times.note_clock(store, since=began + 7)).since == began + 7
    assert (await times.note_clock(store, since=None)).since == began + 7
    for away in (HOUR + 1, -1):
        table.clock.forward(away)
        assert (await times.note_clock(store, since=None)).since == store.now()
    assert await key_values.recall(store, "web", "clock") == "1 2"
    assert await key_values.recall(store, OURS, "clocks") == "1 2"


async def test_what_passed_while_nobody_looked_for_more_than_a_day_is_no_time_away(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    noted = store.now()
    await times.note_clock(store, since=noted)
    # Until a day after the note it is the clock that was noted; what is later is another one's.
    before = [noted - 5 * A_DAY, noted, noted + A_DAY, noted + A_DAY + 1]
    for at in before:
        await browser(store, anna, at)
    async with store.write(NOTHING) as connection:
        theirs = update(users).where(users.c.id == anna.id)
        await connection.execute(theirs.values(idle_since=noted - 7))
    table.clock.forward(A_DAY)
    await times.note_clock(store, since=noted)
    assert (await stored(store))[0] == before
    async with store.write(NOTHING) as connection:
        shifted = update(sessions_table).values(seen=sessions_table.c.seen + A_DAY)
        await connection.execute(shifted)
        await connection.execute(update(users).values(idle_since=users.c.idle_since + A_DAY))
    away = 3 * A_DAY
    table.clock.forward(away)
    now = store.now()
    assert (await times.note_clock(store, since=noted)).since == noted
    seen, _, idle, _ = await stored(store)
    noted += A_DAY
    assert seen == [noted - 5 * A_DAY + away, now, now, noted + A_DAY + 1]
    assert idle == [noted - 7 + away, None]


async def test_a_time_that_has_not_come_is_one_more_than_a_minute_ahead(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    now = store.now()
    ahead = now + MINUTE + 1
    for seen, ended in ((now + MINUTE, None), (ahead, None), (now, ahead), (now - 9, now - 8)):
        await browser(store, anna, seen, ended=ended)
    await inbox.take_in(store, "chat", {1: {}, 2: {}})
    async with store.write(NOTHING) as connection:
        for number, at in ((1, ahead), (2, now + MINUTE)):
            which = inbox_table.c.id == number
            await connection.execute(update(inbox_table).where(which).values(at=at))
        for person, at in ((anna, ahead), (ben, now - 7)):
            which = users.c.id == person.id
            await connection.execute(update(users).where(which).values(idle_since=at))
    await times.bring_back(store)
    assert await stored(store) == (
        [now + MINUTE, now, now, now - 9],
        [None, None, now, now - 8],
        [now, now - 7],
        [now, now + MINUTE],
    )


async def test_a_challenge_waits_so_long_and_a_minute_at_most(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    for words in ("othello", "sogo", "morris"):
        await anna.types(f"/challenge {words}")
    over = await table.newest()
    await anna.presses(Action("withdraw", over, 1))
    latest = store.now() + HOUR
    wanted = {1: latest + MINUTE, 2: latest + MINUTE + 1, over: latest + 2 * MINUTE}
    async with store.write(NOTHING) as connection:
        for number, at in wanted.items():
            which = matches.c.id == number
            await connection.execute(update(matches).where(which).values(expires=at))
    await times.bound_challenges(store, seconds=HOUR)
    async with store.read() as connection:
        query = select(matches.c.id, matches.c.expires, matches.c.status)
        found = (await connection.execute(query)).all()
    assert {row.id: row.expires for row in found} == {**wanted, 2: latest}
    assert {row.status for row in found if row.id != over} == {Status.PROPOSED.value}


async def test_a_look_at_what_is_as_it_should_be_writes_nothing(
    store: Store, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await browser(store, anna, store.now())
    await inbox.take_in(store, "chat", {1: {}})
    await anna.types("/challenge othello")
    # A write would fail now.
    monkeypatch.delattr(Store, "write")
    await times.bring_back(store)
    await times.bound_challenges(store, seconds=A_DAY)
    await inbox.tidy(store)
    await traces.tidy(store, now=store.now())
    await passing.tidy(store)
    assert await sessions.tidy(store) == 0
    assert await inbox.take_in(store, "chat", {}) == []
