"""Notifications on devices, beside boards that show all news: by the rules of pings."""

import pytest

from bot.commands import Answer
from bot.store import people, push_subscriptions, sessions
from bot.store.push_subscriptions import Subscription
from bot.store.sessions import NewSession
from bot.support.platforms import Medium
from tests.bot.matches.test_clocks_of_matches import A_DAY, begin, goes_by
from tests.bot.store.sql import add_session
from tests.bot.table import Person, Table

HOUR = 3600


@pytest.fixture(autouse=True)
def _pushes(table: Table) -> None:
    table.wall.medium = Medium(notifies=False, pushes=True)


async def subscribe(table: Table, person: Person) -> int:
    """Return the id of the person's session."""
    await add_session(table.app.store, person.id, NewSession(person.name, ""))
    (session,) = await sessions.of(table.app.store, person.id)
    new = Subscription(session.id, f"https://push.example.org/{person.name}", "", "")
    await push_subscriptions.put(table.app.store, new)
    return session.id


async def looks(table: Table, *session_ids: int) -> None:
    """Let pages be visible. Their process says so again and again."""
    await sessions.mark_visible(table.app.store, session_ids)


async def test_only_those_who_asked_for_it_are_notified(
    table: Table, anna: Person, ben: Person
) -> None:
    await subscribe(table, ben)
    await table.begin(anna, ben)
    await table.settle()
    table.wall.told.clear()
    await anna.types("/othello d3")
    assert await table.notified() == ["Ben"]
    await ben.types("/othello c3")
    assert await table.notified() == []


async def test_who_looks_at_the_page_is_notified_after_ten_minutes_without_a_command(
    table: Table, anna: Person, ben: Person
) -> None:
    page = await subscribe(table, ben)
    await table.begin(anna, ben)
    await anna.types("/othello d3")
    await looks(table, page)
    assert await table.notified() == []
    table.clock.forward(540)
    assert await table.notified() == []
    table.clock.forward(60)
    await looks(table, page)
    assert await table.notified() == ["Ben"]


async def test_who_looks_at_the_page_holds_up_no_one_else(
    table: Table, anna: Person, ben: Person
) -> None:
    _, his = [await subscribe(table, person) for person in (anna, ben)]
    await begin(table, anna, ben)
    await goes_by(table, A_DAY)
    await table.notified()
    await ben.types("/help")
    await looks(table, his)
    await goes_by(table, 2)
    assert await table.notified() == ["Anna"]


async def test_a_nudge_waits_for_the_end_of_the_night(
    table: Table, anna: Person, ben: Person
) -> None:
    await subscribe(table, ben)
    table.clock.now -= table.clock.now % A_DAY
    await people.change_user(table.app.store, ben.id, settings={"zone": "UTC+00:00"})
    await table.begin(anna, ben, moves="d3")
    table.clock.forward(A_DAY + 2 * HOUR)
    await table.notified()
    assert await anna.types("/nudge") == Answer()
    assert await table.notified() == []
    table.clock.forward(6 * HOUR)
    assert await table.notified() == ["Ben"]
