"""Matches in the database: what a move asks for stays cheap however many there are."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from bot.actions import Action
from bot.store import match_queries
from tests.bot.table import Person, Table

_MANY = ("matches", "seats", "moves", "boards", "results")


@contextmanager
def _statements() -> Iterator[list[tuple[str, Any]]]:
    """Every statement that goes to a database meanwhile, with its parameters."""
    said: list[tuple[str, Any]] = []

    def listen(*about: Any) -> None:
        _, _, statement, parameters, *_, many = about
        said.append((statement, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", listen)


async def _plans(table: Table, statements: list[tuple[str, Any]]) -> list[str]:
    """How SQLite goes about these statements, one line a step."""
    steps = []
    async with table.app.store.read() as connection:
        for statement, parameters in statements:
            if not statement.startswith("BEGIN"):
                found = await connection.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {statement}", parameters
                )
                steps += [f"{row.detail} // {statement} {parameters}" for row in found]
    return steps


@pytest.mark.sqlite
async def test_a_typed_move_and_its_boards_look_at_no_other_match(table: Table) -> None:
    anna, ben = await table.arrive("Anna"), await table.arrive("Ben")
    await table.begin(anna, ben)
    await table.settle()
    with _statements() as said:
        await anna.types("/othello d3")
        await table.settle()
    plans = await _plans(table, said)
    assert len(plans) > len(_MANY)
    for table_name in _MANY:
        through_all = [plan for plan in plans if plan.startswith(f"SCAN {table_name}")]
        # The index of boards that are behind holds those alone.
        assert [plan for plan in through_all if "ix_boards_behind" not in plan] == []
    # Running matches are many. Challenges and those whose time is up are few.
    by_status = [plan for plan in plans if "INDEX ix_matches_status" in plan]
    assert [plan for plan in by_status if "'running'" in plan] == []


async def test_people_of_a_platform_are_playing_what_is_on_and_nothing_else(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    first, over = await table.begin(anna, ben), await table.begin(anna, ben, words="sogo")
    second = await table.begin(cleo, anna, words="morris")
    await anna.presses(Action("resign", over, 2, "yes"))
    await anna.types("/othello new")
    store, here = table.app.store, [anna.identity, ben.identity, "nobody"]
    found = await match_queries.playing(store, "web", here)
    assert {name: sorted(ids) for name, ids in found.items()} == {
        anna.identity: [first, second],
        ben.identity: [first],
    }
    assert await match_queries.playing(store, "chat", here) == {}
