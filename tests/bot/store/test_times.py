"""Stored times: which count, and which are corrected, to the second."""

from sqlalchemy import select, update

from bot.store import Store, key_values, times
from bot.store.schema import OURS, users
from bot.store.schema import sessions as sessions_table
from bot.store.sessions import NewSession
from tests.bot.store.sql import add_session, execute, rows
from tests.bot.table import Person, Table

HOUR, A_DAY = 3600, 24 * 3600


async def stored(store: Store) -> tuple[list[int], list[int | None]]:
    """Return the times at which sessions were seen, and since when users are idle."""
    seen = await rows(store, select(sessions_table.c.seen).order_by("id"))
    idle = await rows(store, select(users.c.idle_since).order_by(users.c.id))
    return [row.seen for row in seen], [row.idle_since for row in idle]


async def test_a_clock_goes_on_being_trusted_for_an_hour_after_it_was_noted(
    table: Table, store: Store
) -> None:
    # Of others, or of something else.
    await key_values.remember(store, "web", "clock", "1 2")
    await key_values.remember(store, OURS, "clocks", "1 2")
    began = store.now()
    assert (await times.record_clock(store, since=None)).since == began
    table.clock.forward(HOUR)
    assert (await times.record_clock(store, since=None)).since == began
    # In the same second, too.
    assert (await times.record_clock(store, since=None)).since == began
    table.clock.forward(HOUR)
    assert (await times.record_clock(store, since=began + 7)).since == began + 7
    assert (await times.record_clock(store, since=None)).since == began + 7
    for away in (HOUR + 1, -1):
        table.clock.forward(away)
        assert (await times.record_clock(store, since=None)).since == store.now()
    assert await key_values.get(store, "web", "clock") == "1 2"
    assert await key_values.get(store, OURS, "clocks") == "1 2"


async def test_what_passed_while_nobody_looked_for_more_than_a_day_is_no_time_away(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    noted = store.now()
    await times.record_clock(store, since=noted)
    # Until a day after the note it is the clock that was noted; what is later is another one's.
    before = [noted - 5 * A_DAY, noted, noted + A_DAY, noted + A_DAY + 1]
    for at in before:
        await add_session(store, anna.id, NewSession(f"{at}", ""), at=at)
    await execute(store, update(users).where(users.c.id == anna.id).values(idle_since=noted - 7))
    table.clock.forward(A_DAY)
    await times.record_clock(store, since=noted)
    assert (await stored(store))[0] == before
    await execute(
        store,
        update(sessions_table).values(seen=sessions_table.c.seen + A_DAY),
        update(users).values(idle_since=users.c.idle_since + A_DAY),
    )
    away = 3 * A_DAY
    table.clock.forward(away)
    now = store.now()
    assert (await times.record_clock(store, since=noted)).since == noted
    seen, idle = await stored(store)
    noted += A_DAY
    assert seen == [noted - 5 * A_DAY + away, now, now, noted + A_DAY + 1]
    assert idle == [noted - 7 + away, None]
