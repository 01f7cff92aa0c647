"""Quotas of challenges and messages, beside games without a result."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy import insert

from bot.domain.errors import Refused
from bot.domain.model import Status
from bot.store import Store, blocks, personal_data, quotas, rooms
from bot.store.quotas import Quotas
from bot.store.schema import erased_challenges
from tests.bot.store.sql import execute, rows
from tests.bot.store.test_match_queries import put
from tests.bot.store.test_matches import new_match
from tests.bot.table import Person, Table

A_DAY = 24 * 3600
_OUTCOME = {"winners": [0], "reason": "x", "scores": [1, 0]}


def most(**most: int) -> Quotas:
    """Return quotas of which only the named ones limit."""
    names = (
        "open_challenges",
        "challenges_from_one",
        "challenges_from_all",
        "running_matches",
        "lines",
    )
    return Quotas(**{**dict.fromkeys(names, 99), **most})


async def asking(
    table: Table, challenger: Person, opponent: Person | None, **named: int
) -> tuple[str, dict[str, Any]]:
    """Return why one person may not challenge another, or ""."""
    store = table.app.store
    new = new_match(table, challenger.id, opponent.id if opponent else None)
    try:
        await store.write(partial(quotas.check_may_propose, new=new, quotas=most(**named)))
    except Refused as refused:
        return refused.code, dict(refused.details)
    return "", {}


async def asked(
    table: Table, challenger: Person, opponent: Person | None, ago: int, status: Status
) -> None:
    """Store a challenge that was made `ago` seconds before."""
    await put(
        table.app.store,
        table.lounge,
        status,
        challenger_id=challenger.id,
        opponent_id=opponent.id if opponent else None,
        created=table.app.store.now() - ago,
    )


async def test_what_waits_of_somebody_is_counted(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for opponent in (None, cleo):
        await asked(table, anna, opponent, 2 * A_DAY, Status.PROPOSED)
    for status in (Status.WITHDRAWN, Status.DECLINED, Status.EXPIRED, Status.RUNNING, Status.OVER):
        await asked(table, anna, cleo, 2 * A_DAY, status)
    await asked(table, ben, None, 1, Status.PROPOSED)
    refused = "too-many-challenges", {"count": 2}
    for opponent in (None, ben):
        assert await asking(table, anna, opponent, open_challenges=2) == refused
        assert await asking(table, anna, opponent, open_challenges=3) == ("", {})
        assert await asking(table, cleo, opponent, open_challenges=1) == ("", {})
    # Without quotas nothing is counted.
    new = new_match(table, anna.id)
    await table.app.store.write(partial(quotas.check_may_propose, new=new, quotas=None))


async def test_what_one_has_asked_another_for_in_vain_is_counted_for_a_day(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store = table.app.store

    async def in_vain() -> list[tuple[int, int]]:
        found = await rows(store, quotas.unaccepted_challenges(anna.id, now=now))
        return sorted((row.opponent_id, now - row.at) for row in found)

    now = store.now()
    for ago, status in (
        (1, Status.PROPOSED),
        (2, Status.WITHDRAWN),
        (3, Status.EXPIRED),
        (4, Status.DECLINED),
        (5, Status.RUNNING),
        (5, Status.OVER),
        (A_DAY - 1, Status.DECLINED),
        (A_DAY, Status.DECLINED),
        (-1000, Status.DECLINED),
    ):
        await asked(table, anna, ben, ago, status)
    await asked(table, anna, cleo, 7, Status.WITHDRAWN)
    await asked(table, anna, None, 7, Status.WITHDRAWN)
    await asked(table, cleo, ben, 7, Status.WITHDRAWN)
    every = [(ben.id, ago) for ago in (1, 2, 3, 4, A_DAY - 1)] + [(cleo.id, 7)]
    assert await in_vain() == every
    # The oldest is forgotten in a second.
    told = {"name": "Ben", "count": 5, "hours": 0, "minutes": 1}
    refused = "challenged-enough", told
    assert await asking(table, anna, ben, challenges_from_one=5) == refused
    assert await asking(table, anna, ben, challenges_from_one=6) == ("", {})
    assert await asking(table, anna, cleo, challenges_from_one=2) == ("", {})
    assert await asking(table, ben, anna, challenges_from_one=1) == ("", {})

    # Matches with others, those that came to nothing, and those that will have been.
    users = anna.id, ben.id
    dora = await table.arrive("Dora")
    others: tuple[tuple[tuple[int, int], Status, dict[str, Any]], ...] = (
        ((anna.id, dora.id), Status.RUNNING, {}),
        ((dora.id, ben.id), Status.RUNNING, {}),
        (users, Status.OVER, {}),
        (users, Status.OVER, {"outcome": _OUTCOME, "updated": now + 1000}),
        (users, Status.OVER, {"outcome": _OUTCOME, "updated": now - A_DAY}),
    )
    for seated, status, more in others:
        await put(store, table.lounge, status, *seated, **more)
    await asked(table, ben, dora, 0, Status.PROPOSED)
    await asked(table, dora, anna, 0, Status.PROPOSED)
    await asked(table, ben, anna, -1000, Status.PROPOSED)
    assert await in_vain() == every
    # What was taken up made up for what was asked before, at the latest when it was asked for.
    over: dict[str, Any] = {"outcome": _OUTCOME, "updated": now - 4, "created": now - 99}
    await put(store, table.lounge, Status.OVER, *users, **over)
    assert await in_vain() == [(ben.id, 1), (ben.id, 2), (ben.id, 3), (cleo.id, 7)]
    on: dict[str, Any] = {"created": now - 3, "updated": now}
    await put(store, table.lounge, Status.RUNNING, *users[::-1], **on)
    assert await in_vain() == [(ben.id, 1), (ben.id, 2), (cleo.id, 7)]
    await asked(table, ben, anna, 2, Status.DECLINED)
    assert await in_vain() == [(ben.id, 1), (cleo.id, 7)]
    # A deleted account receives no challenges.
    await personal_data.erase(store, ben.id, name=f"#{ben.id}")
    assert await in_vain() == [(cleo.id, 7)]


async def test_what_somebody_asked_for_before_they_erased_themselves_counts_on(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, now = table.app.store, table.app.store.now()
    for challenger, opponent, ago in (
        (anna, ben, 1),
        (anna, ben, 2),
        (anna, ben, A_DAY),
        (anna, cleo, 3),
        (ben, cleo, 4),
    ):
        row = {"challenger_id": challenger.id, "opponent_id": opponent.id, "at": now - ago}
        await execute(store, insert(erased_challenges).values(**row))
    await asked(table, anna, ben, 1, Status.DECLINED)
    told = {"name": "Ben", "count": 3, "hours": 24, "minutes": 24 * 60}
    refused = "challenged-enough", told
    assert await asking(table, anna, ben, challenges_from_one=3) == refused
    assert await asking(table, anna, ben, challenges_from_one=4) == ("", {})
    assert (await asking(table, anna, cleo, challenges_from_one=1))[0] == refused[0]
    assert await asking(table, anna, cleo, challenges_from_one=2) == ("", {})
    await asked(table, ben, anna, 2, Status.DECLINED)
    assert await asking(table, anna, ben, challenges_from_one=3) == ("", {})
    refused = "challenged-enough", {**told, "count": 2}
    assert await asking(table, anna, ben, challenges_from_one=2) == refused


async def test_what_many_ask_of_one_is_counted_for_a_day(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for ago, status in (
        (1, Status.PROPOSED),
        (2, Status.WITHDRAWN),
        (A_DAY - 1, Status.EXPIRED),
        # Who has said no has answered.
        (3, Status.DECLINED),
        (4, Status.RUNNING),
        (A_DAY, Status.EXPIRED),
    ):
        await asked(table, cleo, ben, ago, status)
    await asked(table, cleo, anna, 1, Status.EXPIRED)
    refused = "takes-no-challenges", {"name": "Ben"}
    assert await asking(table, anna, ben, challenges_from_all=3) == refused
    assert await asking(table, anna, ben, challenges_from_all=4) == ("", {})
    assert await asking(table, ben, anna, challenges_from_all=2) == ("", {})
    assert await asking(table, anna, None, challenges_from_all=0) == ("", {})


async def test_many_who_ask_of_one_shut_out_strangers_alone_until_they_are_blocked(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, dora = table.app.store, await table.arrive("Dora")
    for ago in (1, 2, 3):
        await asked(table, cleo, ben, ago, Status.WITHDRAWN)
    refused = "takes-no-challenges", {"name": "Ben"}
    assert await asking(table, anna, ben, challenges_from_all=3) == refused
    # Others have played with them, and what they have played with others makes them no friends.
    await put(store, table.lounge, Status.OVER, anna.id, dora.id)
    await put(store, table.lounge, Status.OVER, cleo.id, ben.id)
    assert await asking(table, anna, ben, challenges_from_all=3) == refused
    await put(store, table.lounge, Status.OVER, ben.id, anna.id)
    assert await asking(table, anna, ben, challenges_from_all=3) == ("", {})
    assert await asking(table, dora, ben, challenges_from_all=3) == refused
    # People who blocked others, or are blocked by others, count too.
    await blocks.add(store, dora.id, cleo.id)
    await blocks.add(store, cleo.id, ben.id)
    assert await asking(table, dora, ben, challenges_from_all=3) == refused
    await blocks.add(store, ben.id, cleo.id)
    assert await asking(table, dora, ben, challenges_from_all=1) == ("", {})
    await asked(table, anna, ben, 1, Status.PROPOSED)
    assert await asking(table, dora, ben, challenges_from_all=1) == refused


async def test_a_block_is_between_two_and_nobody_else(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store = table.app.store
    await blocks.add(store, cleo.id, ben.id)
    assert await asking(table, anna, ben) == await asking(table, ben, anna) == ("", {})
    assert await asking(table, anna, cleo) == await asking(table, cleo, anna) == ("", {})
    assert await asking(table, ben, None) == ("", {})
    theirs, own = ("takes-no-challenges", {"name": "Cleo"}), ("you-have-blocked", {"name": "Ben"})
    assert await asking(table, ben, cleo) == theirs
    assert await asking(table, cleo, ben) == own
    # Who has blocked the other as well reads of that.
    await blocks.add(store, ben.id, cleo.id)
    assert await asking(table, ben, cleo) == ("you-have-blocked", {"name": "Cleo"})
    assert await asking(table, cleo, ben) == own
    await personal_data.erase(store, ben.id, name=f"#{ben.id}")
    assert await asking(table, anna, ben) == ("person-gone", {})
    assert await asking(table, ben, anna) == ("forgotten", {})
    assert await asking(table, ben, None) == ("forgotten", {})


async def test_matches_that_are_on_are_counted_of_each(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, place = table.app.store, table.lounge
    for _ in range(2):
        await put(store, place, Status.RUNNING, anna.id, cleo.id)
    await put(store, place, Status.RUNNING, anna.id)
    await put(store, place, Status.RUNNING, anna.id, aside=1)
    await put(store, place, Status.OVER, anna.id, ben.id)
    await put(store, place, Status.PROPOSED, challenger_id=anna.id, opponent_id=ben.id)

    async def beginning(
        beginner: Person, other: Person | None = None, *, running: int
    ) -> tuple[str, Any]:
        its, counted = other.id if other else None, most(running_matches=running)
        try:
            await store.write(
                lambda connection: quotas.check_may_start(
                    connection, beginner.id, its, quotas=counted
                )
            )
        except Refused as refused:
            return refused.code, dict(refused.details)
        return "", {}

    assert await beginning(anna, running=3) == ("too-many-matches", {"count": 3})
    assert await beginning(anna, ben, running=3) == ("too-many-matches", {"count": 3})
    assert await beginning(ben, anna, running=3) == ("too-many-matches-theirs", {"name": "Anna"})
    assert await beginning(ben, cleo, running=3) == ("", {})
    assert await beginning(anna, cleo, running=4) == ("", {})
    assert await beginning(ben, running=1) == ("", {})
    await blocks.add(store, ben.id, cleo.id)
    assert (await beginning(ben, cleo, running=9))[0] == "you-have-blocked"
    assert (await beginning(ben, running=9))[0] == ""
    await store.write(
        lambda connection: quotas.check_may_start(connection, anna.id, ben.id, quotas=None)
    )
    await personal_data.erase(store, anna.id, name=f"#{anna.id}")
    assert await beginning(anna, running=9) == ("forgotten", {})


async def test_lines_are_counted_for_an_hour_to_the_second(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    start = store.now()

    async def says(person: Person | None, after: int, *, asks: bool = False) -> int:
        """Return the minutes that a person has to wait at that time; 0 if posted."""
        table.clock.now = start + after
        try:
            await rooms.add(
                store,
                table.lounge.id,
                author_id=person.id if person else None,
                screen={"text": "x"},
                per_hour=3,
                is_answer=asks,
            )
        except Refused as refused:
            return int(refused.details["minutes"]) * int(refused.details["count"] == 3)
        return 0

    # Commands of the person count, messages of others and of the bot do not.
    assert [await says(anna, 0), await says(anna, 100, asks=True), await says(ben, 150)] == [0] * 3
    assert [await says(None, 150) for _ in range(4)] == [0] * 4
    assert await says(anna, 200) == 0
    for after, minutes in ((300, 55), (3539, 2), (3540, 1), (3599, 1)):
        assert await says(anna, after) == minutes
    assert await says(anna, 3600) == 0
    assert await says(anna, 3600) == 2
    await personal_data.erase(store, ben.id, name=f"#{ben.id}")
    with pytest.raises(Refused, match="forgotten"):
        await rooms.add(store, table.lounge.id, author_id=ben.id, screen={}, per_hour=9)
