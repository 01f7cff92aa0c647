"""The Sudoku Moyo engine: legal, exact at the end, graded levels."""

from functools import cache
from random import Random

import pytest

from games.computer import LEVELS, never
from games.computer.accelerated import table
from games.computer.moyo import ENGINE, _Search, _tables, value
from games.computer.moyo_search import CELLS, ENTRIES, WON, placed, write_features
from games.moyo import GAME, MoyoPosition
from tests.games.computer.late import late_after
from tests.games.playing import Case, play_out

OPENING = GAME.start({}, GAME.new_setup({}, Random(14)))
SEEDS = range(5)


def at_random(seed: int) -> tuple[MoyoPosition, ...]:
    """Return all positions of a random match except the last."""
    return play_out(Case(GAME, ()), seed).positions[:-1]


def placements(position: MoyoPosition) -> int:
    return sum(mask.bit_count() for mask in position.fits)


def near_end(seed: int, most: int) -> MoyoPosition:
    """Return the first position of a random match with at most this many placements."""
    return next(now for now in at_random(seed) if placements(now) <= most)


@cache
def is_won(fits: tuple[int, ...], side: int) -> bool:
    """True if the side to move wins, by the rules alone."""
    start = GAME.start({}, "0" * 81 + " 0")
    now = MoyoPosition(start.digits, start.givens, side, None, fits)
    return any(not is_won(now.play(side, move).fits, 1 - side) for move in now.moves(side))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_sixteen_possible_placements_are_seen_to_the_end(seed: int) -> None:
    now = near_end(seed, 16)
    ranked = ENGINE.rank(now, now.side)
    assert {found.move for found in ranked} == set(now.moves(now.side))
    for found in ranked:
        wins = not is_won(now.play(now.side, found.move).fits, 1 - now.side)
        assert found.is_exact
        assert found.expectation == wins


@pytest.mark.slow
def test_it_ends_as_well_where_what_is_looked_at_first_loses() -> None:
    for seed in SEEDS:
        now = near_end(seed, 18)
        search = _Search(now, slots=table(bytes(2 << 10)), is_late=never)
        wins = {
            (move.cell << 4 | move.digit - 1): not is_won(
                now.play(now.side, move).fits, 1 - now.side
            )
            for move in now.moves(now.side)
        }
        search.roots.sort(key=lambda root: wins[root.move])
        search.deepen(range(40, 41), nodes=1 << 60, margin=30, is_thorough=True)
        assert {root.move: root.value for root in search.roots} == {
            move: WON if is_win else -WON for move, is_win in wins.items()
        }


@pytest.mark.parametrize("seed", SEEDS)
def test_what_wins_is_played(seed: int) -> None:
    now = near_end(seed, 16)
    move = ENGINE.choose(now, now.side, level=LEVELS, rng=Random(seed))
    assert is_won(now.fits, now.side) != is_won(now.play(now.side, move).fits, 1 - now.side)


@pytest.mark.slow
def test_what_is_counted_out_is_so() -> None:
    seen = set()
    for seed in range(20):
        for now in at_random(seed):
            if placements(now) > 18 or abs(value(now)) < WON:
                continue
            assert (value(now) > 0) == is_won(now.fits, now.side)
            seen.add(value(now))
    assert seen == {WON, -WON}


def test_a_late_player_moves_at_once() -> None:
    for now in at_random(5)[::3]:
        asked: list[int] = []

        def late(asked: list[int] = asked) -> bool:
            asked.append(1)
            return True

        move = ENGINE.choose(now, now.side, level=LEVELS, rng=Random(1), is_late=late)
        assert move in now.moves(now.side)
        assert len(asked) <= 1
        assert len(ENGINE.rank(now, now.side, is_late=late)) == len(now.moves(now.side))


@pytest.mark.slow
def test_only_moves_that_were_looked_at_as_deep_are_rivals() -> None:
    class Watched(_Search):
        done: dict[int, set[int]]

        def _value(self, move: int, depth: int, floor: int) -> int:
            found = super()._value(move, depth, floor)
            self.done.setdefault(depth, set()).add(move)
            return found

    now = near_end(6, 80)
    for asked in range(40, 200, 20):
        search = Watched(now, slots=table(bytes(2 << 10)), is_late=late_after(asked))
        search.done = {}
        search.deepen(range(1, 41), nodes=1 << 60, margin=30, is_thorough=False)
        deepest = search.done[max(search.done)]
        assert len(search.rivals) == 1 or {root.move for root in search.rivals} <= deepest


def test_a_search_that_is_never_late_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.computer.moyo._MOST_NODES", 1_500)
    assert ENGINE.choose(OPENING, OPENING.side, level=LEVELS, rng=Random(1))
    assert len(ENGINE.rank(OPENING, OPENING.side)) == len(OPENING.moves(OPENING.side))


@pytest.mark.slow
def test_a_search_in_slices_finds_what_one_in_one_piece_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(size: int) -> tuple[list[tuple[int, int]], int]:
        monkeypatch.setattr("games.computer.moyo._SLICE", size)
        search = _Search(near_end(2, 100), slots=table(bytes(2 << 10)), is_late=never)
        search.deepen(range(1, 5), nodes=1 << 60, margin=100, is_thorough=False)
        return [(root.move, root.value) for root in search.roots], search.nodes

    assert found(7) == found(1 << 40)


def test_positions_are_those_of_the_rules() -> None:
    _, keys = _tables()
    for seed in SEEDS:
        for now in at_random(seed):
            here = table([*(mask >> 1 for mask in now.fits), *bytes(CELLS)])
            out = table(bytes(ENTRIES))
            write_features(here, 0, now.side, out)
            assert (out[1], out[2]) == (now.reach[now.side], now.reach[1 - now.side])
            assert out[5] == now.azumaya_open
            move = now.moves(now.side)[-1]
            placed(here, 0, move.cell, move.digit - 1, keys)
            fits = now.play(now.side, move).fits
            assert [int(mask) << 1 for mask in here[CELLS:]] == list(fits)


def test_the_same_places_left_have_the_same_key() -> None:
    now = near_end(4, 60)
    searches = [
        _Search(position, slots=table(bytes(32)), is_late=never)
        for position in (now, GAME.start({}, now.setup()))
    ]
    assert searches[0]._key == searches[1]._key


def test_every_level_is_better_than_chance() -> None:
    won = 0
    for seed in range(20):
        now, rng = GAME.start({}, GAME.new_setup({}, Random(seed))), Random(seed)
        seat = seed % 2
        while now.turn:
            if now.side == seat:
                move = ENGINE.choose(now, seat, level=1, rng=rng)
            else:
                move = rng.choice(now.moves(now.side))
            now = now.play(now.side, move)
        outcome = now.outcome()
        assert outcome is not None
        won += seat in outcome.winners
    assert won >= 12


def test_a_search_of_few_moves_has_some_by_lot_in_their_order() -> None:
    def thought_of(count: int, luck: int) -> list[int]:
        search = _Search(OPENING, slots=table(bytes(32)), is_late=never)
        search.think_of(count, Random(luck))
        assert search.rivals == search.roots[:1]
        return [root.move for root in search.roots]

    every = thought_of(324, 0)
    assert len(every) == len(OPENING.moves(OPENING.side))
    assert thought_of(5, 1) == thought_of(5, 1) != thought_of(5, 2)
    assert thought_of(5, 1) == sorted(thought_of(5, 1), key=every.index)
