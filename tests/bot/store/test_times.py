"""Stored times: which count, and which are corrected, to the second."""

from sqlalchemy import select, update

from bot.domain.actions import Action
from bot.domain.model import Status
from bot.store import Store, inbox, key_values, times, upkeep
from bot.store.schema import OURS, matches, users
from bot.store.schema import inbox as inbox_table
from bot.store.schema import sessions as sessions_table
from bot.store.sessions import NewSession
from tests.bot.store.sql import add_session, execute, rows
from tests.bot.table import Person, Table

MINUTE, HOUR, A_DAY = 60, 3600, 24 * 3600


async def browser(store: Store, person: Person, seen: int, *, ended: int | None = None) -> None:
    await add_session(store, person.id, NewSession(f"{seen} {ended}", ""), at=seen)
    this = sessions_table.c.seen == seen
    await execute(store, update(sessions_table).where(this).values(ended=ended))


async def stored(store: Store) -> tuple[list[int], list[int | None], list[int | None], list[int]]:
    """Return the times at which sessions were seen and ended, users idle, and updates received."""
    each = await rows(store, select(sessions_table).order_by("id"))
    idle = await rows(store, select(users.c.idle_since).order_by(users.c.id))
    came = await rows(store, select(inbox_table.c.at).order_by("id"))
    return (
        [row.seen for row in each],
        [row.ended for row in each],
        [row.idle_since for row in idle],
        [row.at for row in came],
    )


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
        await browser(store, anna, at)
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
    await inbox.receive(store, "chat", {1: {}, 2: {}})
    for number, at in ((1, ahead), (2, now + MINUTE)):
        await execute(store, update(inbox_table).where(inbox_table.c.id == number).values(at=at))
    for person, at in ((anna, ahead), (ben, now - 7)):
        await execute(store, update(users).where(users.c.id == person.id).values(idle_since=at))
    await upkeep.purge(store, challenge_seconds=A_DAY)
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
    for number, at in wanted.items():
        await execute(store, update(matches).where(matches.c.id == number).values(expires=at))
    await upkeep.purge(store, challenge_seconds=HOUR)
    found = await rows(store, select(matches.c.id, matches.c.expires, matches.c.status))
    assert {row.id: row.expires for row in found} == {**wanted, 2: latest}
    assert {row.status for row in found if row.id != over} == {Status.PROPOSED.value}
