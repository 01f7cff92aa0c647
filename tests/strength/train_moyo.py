"""Makes the weights of Sudoku Moyo's player, by playing against itself: ``moyo.bin``.

``python -m tests.strength.train_moyo`` from the root of the project, with numba.
"""

import sys
import zlib
from array import array
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import games
from games.computer.accelerated import compiled, table
from games.computer.moyo_search import (
    CELLS,
    ENTRIES,
    FIRST,
    FRAMES,
    KEYS,
    MOST_MOVES,
    PLIES,
    SIZE,
    WON,
    evaluate,
    listed,
    look,
    placed,
    prepare,
    run,
)

TARGET = Path(__file__).parents[2] / "games" / "computer" / "moyo.bin"


@compiled
def matches(
    starts,
    sides,
    seed,
    noise,
    first,
    depth,
    stack,
    frames,
    moves,
    slots,
    keys,
    weights,
    out,
    control,
    positions,
    results,
):
    """Play one match from each start; store positions, whose move, and how it ended."""
    np.random.seed(seed)
    stored = 0
    legal = np.zeros(MOST_MOVES, np.int64)
    for number in range(len(sides)):
        here = np.zeros(2 * CELLS, np.int64)
        here[:CELLS] = starts[number]
        side = sides[number]
        begun = stored
        ply = 0
        wild = np.random.randint(0, first)
        while True:
            count = listed(here, 0, side, legal, 0, out)
            if not count:
                break
            value = evaluate(here, 0, side, weights, out)
            positions[stored, :CELLS] = here[:CELLS]
            positions[stored, CELLS] = side
            stored += 1
            if value >= WON or value <= -WON:
                if value >= WON:
                    side = 1 - side
                break
            best = -1e9
            chosen = 0
            for index in range(count):
                move = legal[index] & 4095
                placed(here, 0, move >> 4, move & 15, keys)
                if ply < wild:
                    worth = np.random.random()
                else:
                    if depth == 1:
                        found = -evaluate(here, CELLS, 1 - side, weights, out)
                    else:
                        stack[:CELLS] = here[CELLS:]
                        alpha = max(-2 * WON, int(best) - 1)
                        prepare(frames, control, 1 - side, 0, depth - 1, -2 * WON, -alpha)
                        for i in range(len(slots)):
                            slots[i] = 0
                        while (
                            run(stack, frames, moves, slots, keys, weights, out, control, 1 << 40)
                            == 0
                        ):
                            pass
                        found = -control[2]
                    worth = found - noise * np.log(-np.log(np.random.random()))
                if worth > best:
                    best = worth
                    chosen = move
            placed(here, 0, chosen >> 4, chosen & 15, keys)
            here[:CELLS] = here[CELLS:]
            side = 1 - side
            ply += 1
        # `side` cannot move: it has lost.
        for index in range(begun, stored):
            results[index] = positions[index, CELLS] != side
    return stored


@compiled
def fit(positions, results, order, weights, squares, rate, decay, scratch, out):
    """One pass of Adagrad over the positions; the mean loss before each step."""
    loss = 0.0
    stack = np.zeros(CELLS, np.int64)
    for at in order:
        stack[:] = positions[at, :CELLS]
        look(stack, 0, positions[at, CELLS], out)
        total = 0.0
        for index in range(FIRST, FIRST + out[0]):
            total += weights[out[index]]
        chance = 1 / (1 + np.exp(-total))
        wrong = results[at] - chance
        loss -= np.log(max(1e-9, chance if results[at] else 1 - chance))
        for index in range(FIRST, FIRST + out[0]):
            entry = out[index]
            step = wrong - decay * weights[entry]
            squares[entry] += step * step
            weights[entry] += rate * step / np.sqrt(squares[entry])
    return loss / len(order)


def first_weights():
    weights = np.zeros(SIZE)
    for phase in range(6):
        for seen, sign in ((0, 1), (1, -1)):
            base = (2 * phase + seen) * 400
            for n in range(1, 10):
                for m in range(n + 1):
                    weights[base + 10 * n + m] = sign * (0.05 * n + 0.1 * (m > 0))
    return weights


def starts(count, rng):
    game = games.get("moyo")
    boards = np.zeros((count, CELLS), np.int64)
    sides = np.zeros(count, np.int64)
    for number in range(count):
        position = game.start({}, game.new_setup({}, rng))
        boards[number] = [mask >> 1 for mask in position.fits]
        sides[number] = position.side
    return boards, sides


def main():
    rng = Random(14)
    keys = table(rng.getrandbits(62) for _ in range(KEYS))
    weights = first_weights()
    if len(sys.argv) > 1:
        pass
    shape = dict(
        stack=table(bytes(CELLS * PLIES)),
        frames=table(bytes(FRAMES)),
        moves=table(bytes(MOST_MOVES * PLIES)),
        slots=table(bytes(2 << 10)),
        keys=keys,
    )
    out, control = table(bytes(ENTRIES)), table(bytes(4))
    data = []
    for generation, (count, noise, depth) in enumerate(
        ((6000, 400, 1), (10000, 250, 1), (20000, 200, 1), (20000, 200, 1))
    ):
        boards, sides = starts(count, rng)
        positions = np.zeros((count * 50, CELLS + 1), np.int16)
        results = np.zeros(count * 50, np.int8)
        rounded = np.round(weights * 1000).astype(np.int64)
        stored = matches(
            boards,
            sides,
            generation + 1,
            noise,
            8,
            depth,
            shape["stack"],
            shape["frames"],
            shape["moves"],
            shape["slots"],
            keys,
            rounded,
            out,
            control,
            positions,
            results,
        )
        positions, results = positions[:stored], results[:stored]
        held = np.arange(stored - stored // 10, stored)
        squares = np.full(SIZE, 1.0)
        for epoch in range(8):
            order = np.random.default_rng(epoch).permutation(stored - stored // 10)
            loss = fit(positions, results, order, weights, squares, 0.02, 1e-4, None, out)
        test = fit(positions, results, held, weights.copy(), squares.copy(), 0.0, 0.0, None, out)
        print(generation, stored / count, loss, test, flush=True)
        np.save(f"/tmp/moyo/gen{generation}.npy", weights)


if __name__ == "__main__":
    main()
