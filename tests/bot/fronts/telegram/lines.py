"""Typed matches, and their record in the database."""

import sqlite3
from random import Random

import games
from tests.bot.fronts.telegram.conftest import Table


def record(table: Table) -> list[str]:
    """Return the moves in the database, in order."""
    connection = sqlite3.connect(table.file)
    try:
        return [row[0] for row in connection.execute("SELECT notation FROM moves ORDER BY ply")]
    finally:
        connection.close()


def match_of(length: int) -> list[tuple[int, str]]:
    """Return a random game of Othello as (seat, move), without passes."""
    game, rng = games.get("othello"), Random(length)
    position = game.start(game.options_from({}), game.new_setup(game.options_from({}), rng))
    played: list[tuple[int, str]] = []
    while position.turn and len(played) < length:
        (seat,) = position.turn
        move = rng.choice(position.moves(seat))
        position = position.play(seat, move)
        if game.notation(move) != "pass":
            played.append((seat, game.notation(move)))
    return played


def typed(table: Table, moves: list[tuple[int, str]]) -> None:
    for seat, move in moves:
        (table.anna, table.ben)[seat].says(table.group, f"/othello {move}")
