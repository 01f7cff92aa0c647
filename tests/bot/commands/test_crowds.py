"""A person with many open games slows no command down: matches loaded are counted."""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from itertools import count
from random import Random
from typing import Any

import pytest

import games
from bot.domain.model import Status
from bot.matches import MatchState, playing
from bot.store import Store, match_queries, personal_data
from bot.store import matches as match_store
from bot.support.errors import StoreError
from tests.bot.commands.test_own import sure
from tests.bot.table import Person, Table, buttons, file_of, said

MANY = 3000
MOST_LOADED = 10
"""As many as a question offers."""


def options(game: str) -> str:
    return json.dumps(games.get(game).options_from({}))


def put(table: Table, *statements: tuple[str, list[tuple[object, ...]]]) -> None:
    """Insert rows that would take minutes to make by playing."""
    with closing(sqlite3.connect(file_of(table.settings))) as connection:
        for statement, values in statements:
            connection.executemany(statement, values)
        connection.commit()


MATCH = (
    "INSERT INTO matches (id, game, rules, options, setup, status, version, turn, place_id,"
    " challenger_id, opponent_id, expires, created, updated, code)"
    " VALUES (?, 'othello', ?, ?, ?, ?, ?, ?, ?, ?, ?, 2000000000, 1, 1, hex(randomblob(8)))"
)
BOARD = (
    "INSERT INTO boards"
    " (match_id, place_id, seat, message, shown, wanted, notified, news, platform)"
    " VALUES (?, ?, -1, 'x', 9, 9, 9, 9, 'web')"
)


def challenges(table: Table, *, opponent: int | None = None) -> None:
    """Insert three hundred people with ten open challenges each."""
    game = games.get("othello")
    people: list[tuple[object, ...]] = [
        (number, f"P{number}", "{}", 1) for number in range(10_000, 10_000 + MANY // 10)
    ]
    here, known = table.lounge.id, (game.rules_version, options("othello"), "", "proposed", 1, 0)
    values: list[tuple[object, ...]] = [
        (1000 + number, *known, here, 10_000 + number // 10, opponent) for number in range(MANY)
    ]
    put(
        table,
        ("INSERT INTO users (id, name, settings, created) VALUES (?, ?, ?, ?)", people),
        (MATCH, values),
        (BOARD, [(1000 + number, here) for number in range(MANY)]),
    )


def running(table: Table, first: Person, second: Person, count: int = MANY) -> None:
    """Insert matches without a move in which it is the turn of `first`."""
    game = games.get("othello")
    chosen = game.options_from({})
    setup, here = game.new_setup(chosen, Random(1)), table.lounge.id
    numbers = range(1000, 1000 + count)
    state = (game.rules_version, options("othello"), setup, "running", 2, 1)
    known = (*state, here, first.id, second.id)
    put(
        table,
        (MATCH, [(number, *known) for number in numbers]),
        (
            "INSERT INTO seats (match_id, seat, user_id) VALUES (?, ?, ?)",
            [
                (number, seat, person.id)
                for number in numbers
                for seat, person in enumerate((first, second))
            ],
        ),
        (BOARD, [(number, here) for number in numbers]),
    )


@contextmanager
def few_loads(monkeypatch: pytest.MonkeyPatch, most: int = MOST_LOADED) -> Iterator[None]:
    """Check that no more matches are loaded than a question offers."""
    loaded: list[int] = []
    load, load_several = match_store.load, match_store.load_several

    async def counted(store: Store, match_id: int) -> object:
        loaded.append(match_id)
        return await load(store, match_id)

    async def all_counted(store: Store, match_ids: Collection[int]) -> object:
        loaded.extend(match_ids)
        return await load_several(store, match_ids)

    with monkeypatch.context() as patch:
        patch.setattr(match_store, "load", counted)
        patch.setattr(match_store, "load_several", all_counted)
        yield
    assert len(loaded) <= most, len(loaded)


@pytest.mark.sqlite
async def test_a_channel_full_of_challenges_is_not_read_for_a_command(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenges(table)
    with few_loads(monkeypatch):
        answer = await anna.types("/accept")
    assert len(buttons(answer)) == MOST_LOADED
    assert anna.says("which-more", count=MANY - MOST_LOADED) in said(answer)
    for line in ("/board", "/othello new", "/challenge othello", "/challenge @Ben othello"):
        with few_loads(monkeypatch):
            await anna.types(line)


@pytest.mark.sqlite
async def test_many_challenges_to_one_person_are_not_all_read(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenges(table, opponent=anna.id)
    # The list has twice as many lines as a question.
    for line, most in (("/accept", 10), ("/decline", 10), ("/matches", 20)):
        with few_loads(monkeypatch, most):
            answer = await anna.types(line)
        assert "#3999" in str(answer), line


@pytest.mark.sqlite
async def test_many_matches_of_one_person_are_asked_about_and_not_all_read(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    running(table, anna, ben)
    for line in ("/othello", "/othello d3", "/othello a1", "/board", "/moves", "/resign"):
        with few_loads(monkeypatch):
            answer = await anna.types(line)
        assert len(buttons(answer)) == MOST_LOADED, line
        assert all("#39" in label for label in buttons(answer)), "the newest are offered"
        assert anna.says("which-more", count=MANY - MOST_LOADED) in said(answer)
        table.app.matches.memory.invalidate()
    with few_loads(monkeypatch):
        assert "/othello d3" in await anna.completes("/othello d")


@pytest.mark.sqlite
async def test_the_only_match_on_turn_takes_a_typed_move_however_many_wait(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    running(table, ben, anna)
    mine = 1000 + MANY // 2
    put(table, ("UPDATE matches SET turn = 2 WHERE id = ?", [(mine,)]))
    await playing.play(table.app.matches, mine, ben.id, "d3")
    with few_loads(monkeypatch):
        answer = await anna.types("/othello c3")
    assert answer.private is None
    assert [ply.notation for ply in (await table.loaded(mine)).match.plies] == ["d3", "c3"]
    assert (await table.loaded(mine)).match.status is Status.RUNNING


@pytest.mark.sqlite
async def test_an_account_is_deleted_before_all_of_its_games_have_ended(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    many, resign = 60, playing.resign
    running(table, anna, ben, many)
    put(table, ("UPDATE matches SET setup = 'none' WHERE id = ?", [(1000,), (1059,)]))
    done = count(1)

    async def fails(*given: Any, **more: Any) -> MatchState:
        if next(done) > many // 2:
            raise StoreError("busy")
        return await resign(*given, **more)

    monkeypatch.setattr(playing, "resign", fails)
    store = table.app.store
    assert said(await sure(anna)) == anna.says("erased")
    over = await match_queries.of_user(store, ben.id, status=[Status.OVER])
    assert len(over) == many // 2 - 1
    assert await personal_data.deleting(store) == [anna.id]
    monkeypatch.undo()

    # The next process that starts resigns the rest, except what cannot be replayed.
    await table.restart()
    store = table.app.store
    await table.upkeep.once()
    assert await match_queries.of_user(store, anna.id) == [1059, 1000]
    assert len(await match_queries.of_user(store, ben.id, status=[Status.OVER])) == many - 2
    assert await personal_data.deleting(store) == []
