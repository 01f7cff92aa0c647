"""Standings in the database: updated with every result, and rebuilt from all."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from bot.domain.glicko import UNSURE_ABOVE
from bot.domain.model import Status
from bot.store import Store, people, places, ratings, standings, statistics, upkeep
from bot.store.schema import ratings as rating_rows
from bot.store.schema import results as rows
from bot.store.schema import standings as standing_rows
from bot.store.standings import ALL_TIME, EVERYWHERE, Ladder, of_community, of_place
from tests.bot.store import sql
from tests.bot.store.looking import plans_of, statements
from tests.bot.store.test_match_queries import put
from tests.bot.store.test_places import place
from tests.bot.table import Table

A_DAY = 24 * 3600


async def counted(
    store: Store,
    place_id: int,
    *seats: tuple[int, int],
    game: str = "othello",
    kind: str = "othello",
    solo: bool = False,
    is_rated: bool = False,
) -> None:
    """Store a finished match with so many half points for each seat.

    In a solo game the score counts, and up to ten points it is solved.
    """
    place, challenger = await places.place(store, place_id), seats[0][0]
    match_id = await put(store, place, Status.OVER, challenger_id=challenger, game=game)
    results = [
        {
            "match_id": match_id,
            "seat": seat,
            "user_id": user_id,
            "game": game,
            "place_id": place_id,
            "solo": solo,
            "half_points": 2 * (points <= 10) if solo else points,
            "score": points if solo else 0,
            "kind": kind,
            "at": store.now(),
        }
        for seat, (user_id, points) in enumerate(seats)
    ]

    def step(connection: Connection) -> None:
        if is_rated:
            ratings.count(connection, results)
        connection.execute(insert(rows), results)
        standings.count(connection, results)

    await store.write(step)


def ladder(scope: str = EVERYWHERE, **other: Any) -> Ladder:
    usual = Ladder(scope, "othello", "othello", solo=False)
    return replace(usual, **other)


async def listed(store: Store, which: Ladder, *, minimum: int = 1) -> list[int]:
    found = await standings.page(store, which, minimum=minimum, limit=99)
    for entry in found:
        own = await standings.own(store, which, entry.user_id, minimum=minimum)
        assert own == entry
    return [entry.user_id for entry in found]


async def every_row(store: Store) -> set[tuple[Any, ...]]:
    def plain(row: Mapping[str, Any]) -> tuple[Any, ...]:
        recent = tuple(row["recent"] or ())
        return (*(value for name, value in row.items() if name != "recent"), recent)

    found = await sql.rows(store, select(standing_rows))
    return {plain(dict(row._mapping)) for row in found}


async def person(store: Store, name: str) -> int:
    return (await people.get_or_create_user(store, "web", name, name=name)).id


async def test_who_has_most_points_comes_first_and_everybody_finds_their_own_rank(
    table: Table, store: Store
) -> None:
    anna, ben, cleo, dora = [await person(store, name) for name in ("a", "b", "c", "d")]
    here = table.lounge.id
    for first, second, half in ((anna, ben, 2), (anna, cleo, 2), (ben, cleo, 1), (dora, ben, 0)):
        await counted(store, here, (first, half), (second, 2 - half))
    # Other games, other time controls and solo games do not count.
    await counted(store, here, (dora, 2), (anna, 0), game="sogo", kind="4-line")
    await counted(store, here, (dora, 2), (anna, 0), kind="reversi")
    await counted(store, here, (dora, 1), solo=True)
    assert await listed(store, ladder()) == [anna, ben, cleo, dora]
    assert await listed(store, ladder(kind="reversi")) == [dora, anna]
    assert await listed(store, ladder(), minimum=3) == [ben]
    entries = await standings.page(store, ladder(), minimum=1, limit=2, offset=1)
    assert [(one.rank, one.user_id, one.tally.points) for one in entries] == [
        (2, ben, 1.5),
        (3, cleo, 0.5),
    ]
    assert (entries[0].tally.draws, entries[0].tally.losses) == (1, 1)
    too_few = await standings.own(store, ladder(), anna, minimum=3)
    assert (too_few.rank, too_few.tally.matches) == (None, 2)
    stranger = await standings.own(store, ladder(), await person(store, "e"), minimum=1)
    assert (stranger.rank, stranger.tally.matches) == (None, 0)


async def test_who_has_come_to_the_same_has_the_same_rank_on_whatever_page(
    table: Table, store: Store
) -> None:
    anna, ben, cleo, dora, emil = [await person(store, name) for name in ("a", "b", "c", "d", "e")]
    here = table.lounge.id
    month = standings.month_of(store.now())
    for first, second in ((anna, emil), (anna, emil), (ben, emil), (cleo, emil), (dora, emil)):
        await counted(store, here, (first, 2), (second, 0), is_rated=False)
    which = ladder(month=month)
    assert set((await listed(store, which))[1:4]) == {ben, cleo, dora}
    ranks = []
    for offset in range(5):
        page = await standings.page(store, which, minimum=1, limit=2, offset=offset)
        ranks.append([one.rank for one in page])
    assert ranks == [[1, 2], [2, 2], [2, 2], [2, 5], [5]]


async def test_alone_who_needs_least_of_late_comes_first(table: Table, store: Store) -> None:
    anna, ben, cleo = [await person(store, name) for name in ("a", "b", "c")]
    here, alone = table.lounge.id, ladder(game="golf", kind="", solo=True)
    for user, scores in ((anna, [90] + [9] * standings.RECENT), (ben, [8, 12, 7]), (cleo, [11])):
        for score in scores:
            await counted(store, here, (user, score), game="golf", kind="", solo=True)
    found = await standings.page(store, alone, minimum=1, limit=9)
    told = [(one.user_id, one.tally.average, one.tally.best) for one in found]
    # On equal points the later player comes last.
    assert told == [(ben, 9, 7), (anna, 9, 9), (cleo, 11, 11)]
    by_user = {one.user_id: one.tally for one in found}
    assert (by_user[anna].streak, by_user[anna].longest) == (20, 20)
    assert (by_user[ben].streak, by_user[ben].longest) == (1, 1)
    assert (by_user[cleo].streak, by_user[cleo].longest) == (0, 0)
    assert standings.RECENT == 20


@pytest.mark.slow
async def test_ratings_that_are_sure_stand_above_all_that_are_not(
    table: Table, store: Store
) -> None:
    anna, ben, cleo = [await person(store, name) for name in ("a", "b", "c")]
    here = table.lounge.id
    for half in (2, 0) * 12:
        await counted(store, here, (anna, half), (ben, 2 - half), is_rated=True)
        table.clock.forward(A_DAY)
    await counted(store, here, (cleo, 2), (ben, 0), is_rated=True)
    found = await standings.page(store, ladder(), minimum=1, limit=9)
    strong = [one.rating for one in found]
    assert all(strong)
    assert [one.user_id for one in found][-1] == cleo
    assert [rating.deviation > UNSURE_ABOVE for rating in strong if rating] == [False, False, True]
    values = [rating.value for rating in strong if rating]
    assert max(values) == values[-1]
    # In a month they stand by what they have won.
    month = standings.month_of(store.now())
    found = await standings.page(store, ladder(month=month), minimum=1, limit=9)
    assert [one.rating for one in found] == [None] * 3
    assert found[0].tally.points >= found[1].tally.points >= found[2].tally.points


async def test_a_rating_counts_wherever_somebody_has_played(table: Table, store: Store) -> None:
    anna, ben = [await person(store, name) for name in ("a", "b")]
    here, there = table.lounge.id, (await table.channel("garden")).id
    await counted(store, here, (anna, 2), (ben, 0), is_rated=True)
    for _ in range(3):
        await counted(store, there, (anna, 0), (ben, 2), is_rated=True)
    assert await listed(store, ladder(of_place(here))) == [ben, anna]
    assert await listed(store, ladder(of_place(there))) == [ben, anna]


async def test_what_counts_in_a_place_or_a_community_is_what_was_played_there(store: Store) -> None:
    anna, ben = [await person(store, name) for name in ("a", "b")]

    us = [await place(store, name, community="us") for name in ("1", "2")]
    abroad = await place(store, "1", platform="far", community="us")
    one, two, other, far = [found.id for found in (*us, await place(store, "3"), abroad)]
    for place_id, times in ((one, 1), (two, 2), (other, 4), (far, 8)):
        for _ in range(times):
            await counted(store, place_id, (anna, 2), (ben, 0))

    async def played(scope: str) -> int:
        return (await standings.own(store, ladder(scope), anna, minimum=1)).tally.matches

    async def everywhere() -> list[int]:
        scopes = (EVERYWHERE, of_place(one), of_community("chat", "us"), of_community("far", "us"))
        return [await played(scope) for scope in scopes]

    assert await everywhere() == [15, 1, 3, 8]
    # A place that comes to belong somewhere brings along what was played in it.
    await place(store, "3", community="us")
    assert await everywhere() == [15, 1, 7, 8]
    # A group with a new name is counted as one with the old one.
    await places.move_place(store, "chat", "2", "1")
    assert await everywhere() == [15, 3, 7, 8]
    assert await played(of_place(two)) == 0
    before = await every_row(store)
    await standings.rebuild(store)
    assert await every_row(store) == before


@pytest.mark.slow
async def test_all_that_was_counted_one_by_one_is_the_same_when_it_is_counted_again(
    table: Table, store: Store
) -> None:
    users = [await person(store, name) for name in "abcde"]
    here, there = table.lounge.id, (await table.channel("garden")).id
    for number in range(30):
        one, other = users[number % 5], users[(number * number + 1 + number % 4) % 5]
        place_id = (here, there)[number % 3 == 0]
        if one == other:
            await counted(
                store, place_id, (one, number % 17), game="golf", kind=str(number % 2), solo=True
            )
        else:
            half = number % 3
            await counted(store, place_id, (one, half), (other, 2 - half), is_rated=number % 4 > 0)
        table.clock.forward(A_DAY)
    before = await every_row(store)
    await upkeep.purge(store)
    kept = await every_row(store)
    now = standings.month_of(store.now())
    assert {row[1] for row in before} > {row[1] for row in kept} == {ALL_TIME, now}
    await standings.rebuild(store)
    assert await every_row(store) == kept


async def test_who_keeps_their_record_to_themselves_is_in_no_list_until_they_like(
    table: Table, store: Store
) -> None:
    anna, ben = [await person(store, name) for name in ("a", "b")]
    for _ in range(2):
        await counted(store, table.lounge.id, (anna, 2), (ben, 0))
    await people.change_user(store, anna, settings={"record": "me"})
    await counted(store, table.lounge.id, (anna, 2), (ben, 0))
    assert await listed(store, ladder()) == [ben]
    own = await standings.own(store, ladder(), anna, minimum=1)
    assert (own.rank, own.hidden, own.tally.matches) == (None, True, 3)
    await standings.rebuild(store)
    assert await listed(store, ladder()) == [ben]
    await people.change_user(store, anna, settings={"record": "everybody"})
    assert await listed(store, ladder()) == [anna, ben]


async def test_a_month_begins_with_nobody_and_ends_with_all(table: Table, store: Store) -> None:
    anna, ben = [await person(store, name) for name in ("a", "b")]
    await counted(store, table.lounge.id, (anna, 2), (ben, 0))
    this = standings.month_of(store.now())
    assert await standings.ladders(store, EVERYWHERE, "othello", month=this) == [ladder(month=this)]
    table.clock.forward(31 * A_DAY)
    later = standings.month_of(store.now())
    assert await standings.ladders(store, EVERYWHERE, "othello", month=later) == []
    assert await listed(store, ladder()) == [anna, ben]
    await upkeep.purge(store)
    assert await listed(store, ladder(month=this)) == []


@pytest.mark.parametrize(
    ("at", "month"), [(0, 197001), (1_000_000_000, 200109), (1_796_083_199, 202611)]
)
def test_months_are_those_of_utc(at: int, month: int) -> None:
    assert standings.month_of(at) == month


async def test_ladders_are_those_on_which_anybody_stands(table: Table, store: Store) -> None:
    anna, ben = [await person(store, name) for name in ("a", "b")]
    here = table.lounge.id
    assert await standings.ladders(store, EVERYWHERE, "othello") == []
    for kind in ("reversi", "othello", "reversi"):
        await counted(store, here, (anna, 2), (ben, 0), kind=kind)
    await counted(store, here, (ben, 7), kind="othello", solo=True)
    assert await standings.ladders(store, of_place(here), "othello") == [
        ladder(of_place(here)),
        ladder(of_place(here), kind="reversi"),
        ladder(of_place(here), solo=True),
    ]
    for kind in ("8-5", "8-4", "8-4"):
        await counted(store, here, (ben, 7), game="blackbox", kind=kind, solo=True)
    found = await standings.of_user(store, ben)
    assert [(game, kind, tally.matches) for game, kind, tally in found] == [
        ("blackbox", "8-4", 2),
        ("blackbox", "8-5", 1),
        ("othello", "othello", 1),
    ]
    assert await standings.of_user(store, anna) == []


async def test_how_a_rating_went_is_kept_and_made_again(table: Table, store: Store) -> None:
    anna, ben = [await person(store, name) for name in ("a", "b")]
    for half in (2, 1, 0):
        await counted(store, table.lounge.id, (anna, half), (ben, 2 - half), is_rated=True)
        await counted(store, table.lounge.id, (ben, half), (anna, 2 - half), is_rated=True)
        table.clock.forward(2 * A_DAY)
    found = await ratings.history(store, anna, "othello", "othello")
    (now,) = (await ratings.of_user(store, anna)).values()
    assert len(found) == now.matches == 6
    assert found[-1][1] == now.value
    assert found[0][1] > 1600
    await standings.rebuild(store)
    assert await ratings.history(store, anna, "othello", "othello") == found
    assert len(await sql.rows(store, select(rating_rows))) == 2


@pytest.mark.sqlite
async def test_what_somebody_has_played_is_counted_within_an_index(table: Table) -> None:
    anna, store = await table.arrive("Anna"), table.app.store
    with statements() as said:
        await statistics.records(store, anna.id)
        await statistics.opponents(store, anna.id, limit=5)
        await statistics.openings(store, anna.id)
    plans = await plans_of(store, said)
    own = [plan for plan in plans if plan.startswith("SEARCH results ")]
    assert len(own) == 3
    for plan in own:
        assert plan.startswith("SEARCH results USING COVERING INDEX ix_results_of_user (user_id=?)")
