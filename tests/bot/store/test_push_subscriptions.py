"""Subscriptions of browsers: one for each session, none for two users, no notification twice."""

import asyncio

import pytest

from bot.domain.errors import Refused
from bot.domain.model import User
from bot.store import Store, people, push_subscriptions, sessions
from bot.store.push_subscriptions import Subscription
from bot.store.sessions import NewSession
from tests.bot.store.sql import add_session


async def arrive(store: Store, name: str) -> tuple[User, int]:
    """Return a user and the id of their session."""
    user = await people.get_or_create_user(store, "web", name, name=name)
    await add_session(store, user.id, NewSession(name, ""))
    (session,) = await sessions.of(store, user.id)
    return user, session.id


def at(session_id: int, endpoint: str = "a", *, key: str = "key") -> Subscription:
    return Subscription(session_id, endpoint, key, "auth")


async def test_a_session_has_one_subscription_and_an_endpoint_one_session(store: Store) -> None:
    (anna, hers), (ben, his) = await arrive(store, "Anna"), await arrive(store, "Ben")
    for new in (at(hers), at(hers, "b"), at(hers, "b", key="new")):
        await push_subscriptions.put(store, new)
        assert await push_subscriptions.of(store, anna.id) == [new]
    await push_subscriptions.put(store, at(his, "b"))
    assert await push_subscriptions.subscribers(store, [anna.id, ben.id]) == {ben.id}
    await push_subscriptions.remove(store, his, endpoint="a")
    assert await push_subscriptions.of(store, ben.id) == [at(his, "b")]
    await push_subscriptions.remove(store, his, endpoint="b")
    assert await push_subscriptions.subscribers(store, [anna.id, ben.id]) == set()


async def test_two_who_come_with_one_endpoint_at_once_leave_one_of_them(store: Store) -> None:
    (anna, hers), (ben, his) = await arrive(store, "Anna"), await arrive(store, "Ben")
    for turn in map(str, range(20)):
        both = at(hers, turn), at(his, turn)
        await asyncio.gather(*(push_subscriptions.put(store, one) for one in both))
        assert len(await push_subscriptions.subscribers(store, [anna.id, ben.id])) == 1


async def test_a_session_that_has_ended_has_none(store: Store) -> None:
    anna, hers = await arrive(store, "Anna")
    await push_subscriptions.put(store, at(hers))
    await sessions.end(store, anna.id)
    assert not await push_subscriptions.mark_sent(store, at(hers), "1.1")
    with pytest.raises(Refused):
        await push_subscriptions.put(store, at(hers))


async def test_none_of_the_last_notifications_is_sent_twice(store: Store) -> None:
    _, hers = await arrive(store, "Anna")
    await push_subscriptions.put(store, at(hers))
    for match in range(8):
        assert await push_subscriptions.mark_sent(store, at(hers), f"{match}.1")
    await push_subscriptions.put(store, at(hers, key="new"))
    for match in range(8):
        assert not await push_subscriptions.mark_sent(store, at(hers), f"{match}.1")
    await push_subscriptions.unmark_sent(store, at(hers), "3.1")
    assert not await push_subscriptions.mark_sent(store, at(hers), "4.1")
    assert await push_subscriptions.mark_sent(store, at(hers), "3.1")
