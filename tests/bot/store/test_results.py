"""Leaderboards as the database counts them."""

from itertools import count

import pytest
from sqlalchemy import insert

from bot.model import PlaceKind, Status
from bot.store import Store, people, places, results
from bot.store.engine import new_id
from bot.store.results import Scope, Versus
from bot.store.schema import matches
from bot.store.schema import results as rows
from tests.bot.table import Person, Table

_CODES = map(str, count(1))


@pytest.fixture
def store(table: Table) -> Store:
    return table.app.store


async def counted(
    store: Store,
    place_id: int,
    game: str,
    *seats: tuple[int, int],
    solo: bool = False,
    at: int | None = None,
) -> None:
    """A match is over, and counts so many half points for somebody in each seat.

    Alone it is the score that counts.
    """
    now = store.now()
    async with store.write() as connection:
        made = await connection.execute(
            insert(matches).values(
                code=next(_CODES),
                game=game,
                rules=1,
                options={},
                setup="",
                status=Status.OVER.value,
                version=2,
                turn=0,
                place_id=place_id,
                challenger_id=seats[0][0],
                created=now,
                updated=now,
            )
        )
        for seat, (user_id, points) in enumerate(seats):
            await connection.execute(
                insert(rows).values(
                    match_id=new_id(made),
                    seat=seat,
                    user_id=user_id,
                    game=game,
                    place_id=place_id,
                    solo=solo,
                    half_points=0 if solo else points,
                    score=points if solo else 0,
                    at=now if at is None else at,
                )
            )


async def test_whoever_scores_best_comes_first_then_who_has_played_more_then_who_came_first(
    table: Table, store: Store
) -> None:
    names = ("Anna", "Ben", "Cleo", "Dora", "Eve")
    anna, ben, cleo, dora, eve = [(await table.arrive(name)).id for name in names]
    here = table.lounge.id
    for first, second, half in (
        (anna, eve, 2),
        (anna, dora, 0),
        (ben, cleo, 0),
        (ben, dora, 2),
        (dora, eve, 1),
        (dora, eve, 1),
    ):
        await counted(store, here, "othello", (first, half), (second, 2 - half))
    # Neither another game counts, nor what somebody has played alone.
    await counted(store, here, "sogo", (eve, 2), (cleo, 0))
    await counted(store, here, "othello", (eve, 3), solo=True)
    best = [
        Versus(cleo, "Cleo", wins=1, draws=0, losses=0),
        Versus(dora, "Dora", wins=1, draws=2, losses=1),
        Versus(anna, "Anna", wins=1, draws=0, losses=1),
        Versus(ben, "Ben", wins=1, draws=0, losses=1),
        Versus(eve, "Eve", wins=0, draws=2, losses=1),
    ]
    assert await results.versus(store, "othello") == best
    assert [(row.matches, row.rate) for row in best[1:3]] == [(4, 0.5), (2, 0.5)]
    assert (best[4].matches, best[4].rate) == (3, 1 / 3)
    assert await results.versus(store, "othello", minimum=2) == best[1:]
    assert await results.versus(store, "othello", minimum=3, limit=1) == [best[1]]
    assert await results.versus(store, "othello", user_id=cleo) == [best[0]]


async def test_alone_who_needs_least_of_late_comes_first_then_who_ever_needed_least(
    table: Table, store: Store
) -> None:
    names = ("Anna", "Ben", "Cleo", "Dora")
    anna, ben, cleo, dora = [(await table.arrive(name)).id for name in names]
    here, now = table.lounge.id, store.now()
    # One of another time to come was counted by a clock that was wrong: it is the oldest.
    await counted(store, here, "golf", (anna, 90), solo=True, at=now + 1000)
    await counted(store, here, "golf", (anna, 30), solo=True, at=now - 1000)
    for _ in range(results.RECENT):
        await counted(store, here, "golf", (anna, 9), solo=True)
    for user, scores in ((ben, (8, 10)), (cleo, (7, 11)), (dora, (8, 10))):
        for score in scores:
            await counted(store, here, "golf", (user, score), solo=True)
    await counted(store, here, "golf", (dora, 2), (ben, 0))
    found = await results.alone(store, "golf")
    assert [(row.user_id, row.average, row.best, row.count) for row in found] == [
        (cleo, 9, 7, 2),
        (ben, 9, 8, 2),
        (dora, 9, 8, 2),
        (anna, 9, 9, results.RECENT + 2),
    ]
    assert await results.alone(store, "golf", minimum=3) == found[3:]
    assert await results.alone(store, "golf", limit=2) == found[:2]
    assert await results.alone(store, "golf", user_id=ben) == [found[1]]
    await counted(store, here, "golf", (dora, 8), solo=True)
    assert [row.user_id for row in await results.alone(store, "golf", limit=1)] == [dora]
    assert results.RECENT == 20


async def test_who_has_played_once_is_on_a_list_of_ten(table: Table, store: Store) -> None:
    for number in range(11):
        user = await people.get_or_create_user(store, "web", f"{number}", name=f"{number}")
        await counted(store, table.lounge.id, "othello", (user.id, 2))
        await counted(store, table.lounge.id, "golf", (user.id, 2), solo=True)
    assert [row.name for row in await results.versus(store, "othello")] == list("0123456789")
    assert [row.name for row in await results.alone(store, "golf")] == list("0123456789")


async def test_what_counts_in_a_place_or_a_community_is_what_was_played_there(
    table: Table, store: Store, anna: Person
) -> None:
    async def place(platform: str, name: str, community: str | None) -> int:
        found = await places.get_or_create_place(
            store, platform, name, kind=PlaceKind.CHANNEL, title=name, community=community
        )
        return found.id

    one, two = await place("chat", "1", "us"), await place("chat", "2", "us")
    other, far = await place("chat", "3", "them"), await place("far", "1", "us")
    for place_id, times, game in (
        (one, 1, "sogo"),
        (one, 1, "othello"),
        (two, 2, "othello"),
        (other, 4, "sogo"),
        (far, 8, "sogo"),
        (two, 1, "golf"),
        (two, 1, "golf"),
    ):
        for _ in range(times):
            await counted(store, place_id, game, (anna.id, 2), solo=game == "golf")

    async def wins(game: str, scope: Scope) -> int:
        return sum(row.wins for row in await results.versus(store, game, scope=scope))

    everywhere, here, us = Scope(), Scope(place_id=one), Scope(community=("chat", "us"))
    assert [await wins("othello", scope) for scope in (everywhere, here, us)] == [3, 1, 3]
    assert [await wins("sogo", scope) for scope in (everywhere, here, us)] == [13, 1, 1]
    assert [await results.alone(store, "golf", scope=scope) for scope in (here,)] == [[]]
    assert [row.count for row in await results.alone(store, "golf", scope=us)] == [2]
    # What is played most comes first, of two what was played first.
    assert await results.played(store) == ["sogo", "othello", "golf"]
    assert await results.played(store, here) == ["sogo", "othello"]
    assert await results.played(store, us) == ["othello", "golf", "sogo"]
