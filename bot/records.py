"""The record of a match as people read it: its moves in a column for each side, how it began."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from random import Random

import renderers
from bot.matches import LoadedMatch
from bot.screens import observed_moves
from bot.tables import Table
from bot.texts import Texts
from renderers import RenderOptions

__all__ = ["beginning", "moves"]

_FREE = "·"


def moves(
    loaded: LoadedMatch,
    observer: int | None,
    *,
    form: str,
    texts: Texts,
    names: Mapping[int, str],
) -> Table:
    """The moves as `observer` may know them, a column for each side; whoever began comes first.

    Blocking: the match is replayed.
    """
    match = loaded.match
    seats = [seat for seat, _ in match.record]
    told = observed_moves(loaded, observer, form)
    first = seats[0] if seats else 0
    columns = sorted(range(len(match.seats)), key=lambda seat: (seat - first) % len(match.seats))
    rows = _in_rows(_in_words(loaded, zip(seats, told, strict=True), texts), columns)
    return Table(
        rows=tuple((f"{number}.", *row) for number, row in enumerate(rows, 1)),
        head=("", *(names[match.seats[seat]] for seat in columns)),
    )


def _in_words(
    loaded: LoadedMatch, told: Iterable[tuple[int, str | None]], texts: Texts
) -> list[tuple[int, str]]:
    """Who made a move, and the move in words; secret ones that follow each other are one."""
    found = []
    for (seat, is_secret), group in groupby(told, lambda one: (one[0], one[1] is None)):
        if is_secret:
            found.append((seat, texts("moves-secret", count=len(list(group)))))
        else:
            found += [(seat, texts.move(loaded.game.id, move or "")) for _, move in group]
    return found


def _in_rows(told: Iterable[tuple[int, str]], columns: Sequence[int]) -> list[list[str]]:
    """The moves in the order in which they were made: each behind the last, or in a new row."""
    rows: list[list[str]] = []
    for seat, text in told:
        column = columns.index(seat)
        if not rows or len(rows[-1]) > column:
            rows.append([])
        rows[-1] += [""] * (column - len(rows[-1])) + [text]
    return rows


def beginning(loaded: LoadedMatch, texts: Texts) -> Table | None:
    """The board as the match began with it, if not every match begins so.

    None as well where something is hidden: what lay there is told at the end, by the board.
    """
    game, match = loaded.game, loaded.match
    usual = {game.new_setup(match.options, Random(luck)) for luck in range(2)}
    if game.hidden(match.options) or usual == {match.setup}:
        return None
    view = game.start(match.options, match.setup).view(None)
    cells = renderers.get(game.id).cells(view, RenderOptions()).values()
    signs = {(cell.row, cell.column): cell.sign or _FREE for cell in cells}
    rows = [
        tuple(sign for (at, _), sign in sorted(signs.items()) if at == row)
        for row in sorted({row for row, _ in signs})
    ]
    return Table(rows=tuple(rows), title=texts("moves-beginning"))
