"""Sessions: found by their tokens, ended, refreshed, purged."""

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import func, select

from bot.domain.errors import Refused
from bot.domain.model import User
from bot.store import Store, people, personal_data, sessions, upkeep
from bot.store.schema import sessions as sessions_table
from bot.store.sessions import NewSession
from tests.bot.store.sql import add_session, value
from tests.bot.table import Table
from tests.optional import not_none

MINUTE, DAY = 60, 24 * 3600


@pytest.fixture
def forward(table: Table) -> Callable[[float], None]:
    """Let time pass."""
    return table.clock.forward


@pytest.fixture
async def anna(store: Store, forward: Callable[[float], None]) -> User:
    """Return Anna, with sessions a, b and c, started an hour apart."""
    user = await people.get_or_create_user(
        store, "web", "x", name="Anna", session=NewSession("a", "Firefox")
    )
    for token in "bc":
        forward(3600)
        await add_session(store, user.id, NewSession(token, ""))
    return user


async def tidied(store: Store) -> int:
    """Tidy up, and return how many sessions went."""
    count = select(func.count()).select_from(sessions_table)
    before = await value(store, count)
    await upkeep.purge(store)
    return int(before - await value(store, count))


async def ids(store: Store, user: User) -> list[int]:
    return [session.id for session in await sessions.of(store, user.id)]


async def test_a_session_is_found_by_its_secret_and_tells_whose_it_is(
    store: Store, anna: User
) -> None:
    known = not_none(await sessions.by_token(store, "a"))
    assert (known.user, known.external, known.session.label) == (anna, "x", "Firefox")
    assert await sessions.in_use(store, known.session.id) == known
    assert await sessions.by_token(store, "x") is None


async def test_somebody_who_comes_back_gets_no_further_session(store: Store, anna: User) -> None:
    await people.get_or_create_user(store, "web", "x", name="Anna", session=NewSession("d", ""))
    assert await sessions.by_token(store, "d") is None


async def test_what_has_ended_is_nobodys(store: Store, anna: User) -> None:
    first, second, third = reversed(await ids(store, anna))
    ben = await people.get_or_create_user(
        store, "web", "y", name="Ben", session=NewSession("e", "")
    )
    assert await sessions.end(store, ben.id, only=first) == 0
    assert await sessions.end(store, anna.id, only=first) == 1
    assert await sessions.end(store, anna.id, only=first) == 0
    assert await sessions.by_token(store, "a") is None
    assert await sessions.in_use(store, first) is None
    assert await sessions.alive(store, [first, second, third, 99]) == {second, third}
    assert await sessions.end(store, anna.id, but=third) == 1
    assert await ids(store, anna) == [third]
    assert len(await ids(store, ben)) == 1


async def test_the_last_used_browser_comes_first_and_use_is_noted_now_and_then(
    store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    known = not_none(await sessions.by_token(store, "a"))
    assert (await ids(store, anna))[-1] == known.session.id
    made = known.session.made
    forward(1)
    await sessions.in_use(store, known.session.id)
    assert (await ids(store, anna))[0] == known.session.id
    seen = [(await sessions.of(store, anna.id))[0].seen]
    for seconds in (5 * MINUTE - 1, 1, 1):
        forward(seconds)
        known = not_none(await sessions.by_token(store, "a"))
        await sessions.in_use(store, known.session.id)
        seen.append((await sessions.of(store, anna.id))[0].seen)
    assert known.session.made == made
    assert seen == [seen[0], seen[0], seen[0] + 5 * MINUTE, seen[0] + 5 * MINUTE]


async def test_a_time_a_minute_ahead_is_as_good_as_now_and_a_later_one_is_none(
    store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    known = not_none(await sessions.by_token(store, "c"))
    for seconds, is_noted in ((MINUTE, False), (1, True)):
        forward(-seconds)
        await sessions.in_use(store, known.session.id)
        seen = {one.id: one.seen for one in await sessions.of(store, anna.id)}
        assert seen[known.session.id] == (store.now() if is_noted else known.session.seen)
    # Of the others nothing was noted.
    assert [seen[number] for number in (1, 2)] == [
        known.session.made - 2 * 3600,
        known.session.made - 3600,
    ]


async def test_most_uses_of_a_browser_write_nothing(
    store: Store, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = not_none(await sessions.by_token(store, "c"))
    # A write would fail now.
    monkeypatch.delattr(Store, "write")
    await sessions.in_use(store, known.session.id)


async def test_a_session_that_nobody_uses_for_a_year_is_over(
    store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    forward(365 * DAY - 1)
    assert await ids(store, anna) == [3]
    assert await sessions.by_token(store, "b") is None
    assert await sessions.alive(store, [1, 2, 3]) == {3}
    assert await tidied(store) == 2
    assert await tidied(store) == 0
    assert await ids(store, anna) == [3]
    forward(1)
    assert await ids(store, anna) == []
    assert await tidied(store) == 0
    forward(1)
    assert await tidied(store) == 1


async def test_what_has_ended_is_removed_after_a_month_and_its_number_stays_free(
    store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    await sessions.end(store, anna.id, only=3)
    forward(30 * DAY)
    assert await tidied(store) == 0
    forward(1)
    assert await tidied(store) == 1
    await add_session(store, anna.id, NewSession("d", ""))
    assert max(await ids(store, anna)) == 4


# Codes for another browser


@pytest.fixture
async def ben(store: Store, anna: User) -> User:
    """Return Ben, with the session d."""
    return await people.get_or_create_user(
        store, "web", "y", name="Ben", session=NewSession("d", "")
    )


async def moves_in(store: Store, code: str, token: str, *, instead_of: int | None = None) -> bool:
    new = NewSession(token, "Safari, iPhone")
    try:
        await sessions.log_in(store, code, new, instead_of=instead_of)
    except Refused as refused:
        if refused.code != "no-such-browser":
            raise
        return False
    return True


async def test_a_code_brings_one_browser_in_and_no_second(store: Store, anna: User) -> None:
    await sessions.keep_code(store, 1, "code")
    assert await sessions.user_of_code(store, "code") == anna
    assert await sessions.user_of_code(store, "other") is None
    assert not await moves_in(store, "other", "x")
    assert await moves_in(store, "code", "new")
    known = not_none(await sessions.by_token(store, "new"))
    assert (known.user, known.external, known.session.label) == (anna, "x", "Safari, iPhone")
    assert await sessions.user_of_code(store, "code") is None
    assert not await moves_in(store, "code", "again")
    assert await sessions.by_token(store, "again") is None


async def test_of_many_who_use_a_code_at_once_one_gets_in(
    store: Store, other: Store, anna: User
) -> None:
    """Also where they ask different processes."""
    await sessions.keep_code(store, 1, "code")
    found = await asyncio.gather(
        *(moves_in((store, other)[number % 2], "code", f"new {number}") for number in range(10))
    )
    assert found.count(True) == 1
    assert len(await ids(store, anna)) == 4


async def test_who_was_known_there_before_is_so_no_more(
    store: Store, anna: User, ben: User
) -> None:
    await sessions.keep_code(store, 1, "code")
    assert await moves_in(store, "code", "new", instead_of=4)
    assert await sessions.by_token(store, "d") is None
    assert await ids(store, ben) == []
    assert len(await ids(store, anna)) == 4


async def test_a_browser_that_is_ones_own_already_uses_no_code_up(
    store: Store, anna: User, ben: User
) -> None:
    await sessions.keep_code(store, 1, "code")
    with pytest.raises(Refused, match="here-already"):
        await moves_in(store, "code", "new", instead_of=2)
    assert await sessions.user_of_code(store, "code") == anna
    assert len(await ids(store, anna)) == 3


async def test_a_code_is_good_for_ten_minutes_and_for_none_before_it_was_made(
    store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    await sessions.keep_code(store, 1, "code")
    forward(10 * MINUTE - 1)
    assert await sessions.user_of_code(store, "code") == anna
    forward(1)
    assert await sessions.user_of_code(store, "code") is None
    assert not await moves_in(store, "code", "new")
    # Nor does it come back to life by setting the clock.
    forward(-10 * MINUTE - 1)
    assert await sessions.user_of_code(store, "code") is None


@pytest.mark.parametrize("ended", [{"only": 1}, {"but": 1}], ids=str)
async def test_a_code_ends_with_its_browser_and_when_all_others_are_logged_out(
    store: Store, anna: User, ended: dict[str, int]
) -> None:
    await sessions.keep_code(store, 1, "code")
    await sessions.end(store, anna.id, **ended)
    assert await sessions.user_of_code(store, "code") is None
    assert not await moves_in(store, "code", "new")
    if "only" in ended:
        with pytest.raises(Refused, match="forgotten"):
            await sessions.keep_code(store, 1, "later")


async def test_erasing_somebody_takes_their_codes_along(store: Store, anna: User) -> None:
    await sessions.keep_code(store, 1, "code")
    await personal_data.erase(store, anna.id, name="#1")
    assert not await moves_in(store, "code", "new")
    assert await value(store, "SELECT count(*) FROM session_codes") == 0


async def test_nobody_is_known_in_any_number_of_browsers(store: Store, anna: User) -> None:
    for number in range(20 - 3):
        await sessions.keep_code(store, 1, "code")
        assert await moves_in(store, "code", f"new {number}")
    await sessions.keep_code(store, 1, "code")
    with pytest.raises(Refused, match="too-many-browsers"):
        await moves_in(store, "code", "one more")
    assert len(await ids(store, anna)) == 20


async def test_codes_that_were_not_used_are_removed_by_upkeep(
    table: Table, store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    await sessions.keep_code(store, 1, "code")
    await table.upkeep.purge()
    assert await sessions.user_of_code(store, "code") == anna
    forward(10 * MINUTE)
    await table.upkeep.purge()
    assert await value(store, "SELECT count(*) FROM session_codes") == 0


async def test_who_looks_at_a_page_is_known_to_all_processes_for_a_minute(
    store: Store, other: Store, anna: User, ben: User, forward: Callable[[float], None]
) -> None:
    other.clock = store.clock
    first, second, _ = await ids(store, anna)
    both = [anna.id, ben.id]
    await sessions.mark_visible(store, [first, second])
    assert await sessions.watching(other, both) == {anna.id}
    await sessions.mark_visible(other, [first], is_visible=False)
    forward(MINUTE - 1)
    assert await sessions.watching(other, both) == {anna.id}
    forward(1)
    assert await sessions.watching(store, both) == set()
    await sessions.mark_visible(store, [first])
    await sessions.end(store, anna.id)
    assert await sessions.watching(store, both) == set()


async def test_who_looked_at_a_page_before_the_clock_was_set_back_does_not_count(
    store: Store, anna: User, forward: Callable[[float], None]
) -> None:
    await sessions.mark_visible(store, await ids(store, anna))
    forward(-DAY)
    assert await sessions.watching(store, [anna.id]) == set()
