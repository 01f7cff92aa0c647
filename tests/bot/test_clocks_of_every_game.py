"""Clocks in every game for two: they end what they should, and nothing else."""

from itertools import cycle
from random import Random

import pytest

import renderers
from bot.model import Ending, EndingKind, Status
from renderers import RenderOptions
from tests.bot.seated import users
from tests.bot.table import Person, Table
from tests.bot.test_clocks_of_matches import A_DAY, HOUR, match_of, passes
from tests.games.playing import CASES, Case, some

TWO_SEATED = [case for case in CASES if len(case.seats) == 2]
USUAL = [case for case in TWO_SEATED if not case.chosen]
MOST_MOVES = 10


@pytest.mark.parametrize(
    ("case", "clock"),
    [*zip(USUAL, cycle(["1d", "1d+6h"]), strict=False)],
    ids=str,
)
async def test_time_ends_every_match_where_it_is_over_and_nowhere_before(
    table: Table, anna: Person, ben: Person, case: Case, clock: str
) -> None:
    luck = Random(f"{case} {clock}")
    options = " ".join(f"{option}={choice}" for option, choice in case.options.items())
    match_id = await table.begin(anna, ben, words=f"{case.game.id} {options} {clock} unrated")
    for _ in range(luck.randrange(4, MOST_MOVES)):
        loaded = await table.loaded(match_id)
        if loaded.match.status is not Status.RUNNING:
            break
        running = loaded.match.running
        assert running is not None
        assert (running.due is None) == (len(loaded.turn) != 1)
        await passes(table, luck.randrange(6 * HOUR))
        await table.settle()
        seat = luck.choice(sorted(loaded.turn))
        # Whose move it is had a whole day, and some of it is left.
        loaded = await table.loaded(match_id)
        if loaded.match.status is not Status.RUNNING:
            break
        move = loaded.game.notation(luck.choice(loaded.position.moves(seat)[:50]))
        await table.app.matches.play(match_id, users(loaded.match)[seat], move, sure=True)
    loaded = await table.loaded(match_id)
    if loaded.match.status is not Status.RUNNING or len(loaded.turn) != 1:
        return
    (seat,) = loaded.turn
    has_begun = {ply.seat for ply in loaded.match.plies} >= {seat}
    could_win = loaded.position.can_win(1 - seat)
    running = loaded.match.running
    assert running is not None
    assert running.due is not None
    await passes(table, running.due - table.app.store.now())
    await table.settle()
    assert (await match_of(table, match_id)).ending is None
    await passes(table, 1)
    await table.settle()
    match = await match_of(table, match_id)
    assert match.ending is not None
    if not has_begun:
        assert match.ending.is_for_nothing
        return
    assert match.ending == Ending(EndingKind.TIMEOUT, seat)
    assert match.outcome is not None
    assert match.outcome.winners == ({1 - seat} if could_win else frozenset())
    told = len(table.wall.told)
    await passes(table, A_DAY)
    await table.settle()
    assert await match_of(table, match_id) == match
    assert len(table.wall.told) == told


@pytest.mark.parametrize("case", some(TWO_SEATED), ids=str)
def test_the_picture_of_every_game_tells_what_is_left_to_both(case: Case) -> None:
    position = case.game.start(case.options, case.game.new_setup(case.options, Random(1)))
    view = position.view(None)

    def drawn(*clocks: str) -> bytes:
        rendering = RenderOptions(clocks=clocks)
        return renderers.render(case.game.id, view, rendering)

    told = (
        ("2d 3h", "≤ 9:34"),
        ("2d 3h", "≤ 3h 5m"),
        ("≤ 2d 3h", "9:34"),
        ("9:34", "≤ 2d 3h"),
        ("2d 3h", "9:34"),
    )
    assert len({drawn(), *(drawn(*clocks) for clocks in told)}) == 6
