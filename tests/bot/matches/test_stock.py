"""The stock of puzzles: what is in it, and how it comes into a database."""

import asyncio
from collections import Counter
from importlib.resources import files

import pytest
from sqlalchemy import func, select

import games
from bot.app import App
from bot.domain.analysis import Judgement
from bot.domain.glicko import NEW
from bot.matches import stock
from bot.matches.puzzles import is_obvious, is_puzzle
from bot.matches.stock import store_stock
from bot.store import Store
from bot.store.schema import puzzles
from tests.bot.store.sql import rows
from tests.bot.table import Person, Table

GAMES = ("morris", "moyo", "othello", "sogo")
A_LINE = (
    '{"game":"othello","rules":%d,"options":{"rules":"othello"},"setup":"%sOX......XO%s X",'
    '"seat":0,"best":"d3","line":["d3"],"expectation":0.9,"second":0.4,"level":1}'
)


async def count(store: Store) -> int:
    ((number,),) = await rows(store, select(func.count()).select_from(puzzles))
    return int(number)


def test_the_stock_has_sixty_puzzles_of_each_game_in_a_small_file() -> None:
    found = Counter(one.game for one in stock.stock())
    assert set(found) == set(GAMES)
    assert min(found.values()) >= 60
    assert (files("bot.matches") / "stock.jsonl").stat().st_size <= 150_000  # type: ignore[attr-defined]


@pytest.mark.parametrize("game_id", GAMES)
def test_each_position_of_the_stock_meets_the_criterion_of_puzzles(game_id: str) -> None:
    game, keys = games.get(game_id), set()
    for one in stock.stock():
        if one.game != game_id:
            continue
        assert one.options == game.options_from(one.options)
        position = game.start(one.options, one.setup)
        assert (position.setup(), position.turn) == (one.setup, {one.seat})
        choices = [game.notation(move) for move in position.moves(one.seat)]
        assert one.best in choices
        told = Judgement(
            one.best,
            one.expectation,
            one.best,
            one.expectation,
            choices=len(choices),
            second=one.second,
        )
        assert is_puzzle(told)
        assert not is_obvious(game, position, one.seat, one.best)
        for at, text in enumerate(one.line):
            assert at or text == one.best
            seat = min(position.turn)
            position = position.play(seat, game.parse(position.view(seat), seat, text))
        assert one.rating.deviation < NEW.deviation
        keys.add(one.key)
    assert len(keys) >= 60


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_fresh_house_with_the_stock_has_puzzles_of_each_game(
    table: Table, cleo: Person, game_id: str
) -> None:
    await store_stock(table.app.store)
    match_id = (await cleo.types(f"/puzzle {game_id}")).board_in_dm
    assert match_id
    match = (await table.loaded(match_id)).match
    assert match.game == game_id
    assert match.puzzle is not None
    await cleo.types(f"/{game_id} {match.puzzle.best}", place=cleo.direct)
    solved = await table.screen(match_id, cleo, seat=match.seat_of(cleo.id))
    assert solved.text.startswith("Best move! Puzzle solved.")


@pytest.mark.both
async def test_the_stock_is_stored_once_by_all_starts_and_again_only_when_it_has_changed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = table.app.store
    one, old = (A_LINE % (rules, "." * 27, "." * 27) for rules in (1, 99))
    monkeypatch.setattr(stock, "_text", lambda: f"# seed 1\n{one}\n{old}\n")
    other = await App.open(table.settings, clock=table.clock)
    await asyncio.gather(store_stock(store), store_stock(other.store))
    await other.close()
    # A puzzle of other rules would not replay.
    assert await count(store) == 1
    monkeypatch.setattr(stock, "stock", lambda _text: pytest.fail("read again"))
    await store_stock(store)
    monkeypatch.undo()
    await store_stock(store)
    assert await count(store) == 1 + len(list(stock.stock()))
