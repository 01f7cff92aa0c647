"""The moves of a match as an observer may know them (`Game.observed_move`)."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby, pairwise
from random import Random
from typing import Any

import games
import renderers
from bot.domain.errors import Refused
from bot.domain.model import Match, Player
from bot.matches import MatchState
from bot.screens.values import VisibleMove
from bot.screens.wording import Shown
from bot.support.tables import Table
from bot.support.texts import Texts
from games.records import Record
from renderers import RenderOptions

_FREE = "·"
_Observed = tuple[int, str | None]


def moves(shown: Shown) -> tuple[VisibleMove, ...]:
    """Return the moves as `shown.seat` may know them. Blocking: replays the match."""
    return tuple(VisibleMove(seat, _in_words(shown, move)) for seat, move in _observed(shown))


def table(shown: Shown) -> Table:
    """Return the moves as `shown.seat` may know them, one column per seat. Blocking."""
    observed, seats = _observed(shown), len(shown.match.seats)
    first = observed[0][0] if observed else 0
    columns = [(first + at) % seats for at in range(seats)]
    rows: list[list[str]] = []
    for (seat, is_secret), group in groupby(observed, lambda one: (one[0], one[1] is None)):
        told, column = [move for _, move in group], columns.index(seat)
        # Secret moves in a row are counted.
        for move in told[:1] if is_secret else told:
            if not rows or len(rows[-1]) > column:
                rows.append([])
            rows[-1] += [""] * (column - len(rows[-1])) + [_in_words(shown, move, len(told))]
    return Table(
        rows=tuple((f"{number}.", *row) for number, row in enumerate(rows, 1)),
        head=("", *map(shown.name, columns)),
    )


def _observed(shown: Shown) -> list[_Observed]:
    match, game = shown.match, shown.game
    plies = game.plies(match.options, match.setup, match.moves)
    if game.has_secrets(match.options):
        is_open = match.ending is not None
        return [
            (seat, game.observed_move(before, seat, move, seat if is_open else shown.seat))
            for before, seat, move, _ in plies
        ]
    return [(seat, game.notation(move, shown.form)) for _, seat, move, _ in plies]


def _in_words(shown: Shown, move: str | None, count: int = 1) -> str:
    if move is None:
        return shown.texts("moves-secret", count=count)
    return shown.texts.move(shown.game.id, move)


def beginning(loaded: MatchState, texts: Texts) -> Table | None:
    """Return the initial board if it varies between matches and hides nothing."""
    game, match = loaded.game, loaded.match
    usual = {game.new_setup(match.options, Random(luck)) for luck in range(2)}
    if game.has_secrets(match.options) or usual == {match.setup}:
        return None
    view = game.start(match.options, match.setup).view(None)
    cells = renderers.get(game.id).cells(view, RenderOptions()).values()
    glyphs = {(cell.row, cell.column): cell.glyph or _FREE for cell in cells}
    rows = [
        tuple(glyph for (at, _), glyph in sorted(glyphs.items()) if at == row)
        for row in sorted({row for row, _ in glyphs})
    ]
    return Table(rows=tuple(rows), title=texts("moves-beginning"))


def earlier(loaded: MatchState, seat: int | None, ply: int) -> Any:
    """Return what `seat` (None: spectators) saw after `ply` moves. Blocking: replays them."""
    game, match = loaded.game, loaded.match
    return game.replay(match.options, match.setup, match.moves[:ply]).view(seat)


def can_export(match: Match) -> bool:
    """Return whether the match has begun, and hides nothing any more."""
    is_hidden = games.get(match.game).has_secrets(match.options)
    return bool(match.seats) and not (is_hidden and match.ending is None)


def record_of(match: Match, names: Mapping[Player, str] | None = None) -> Record:
    """Return the record of a match, with `names` or without. All who may see it may have it.

    Raises `Refused` unless `can_export`.
    """
    if not can_export(match):
        raise Refused("record-hidden" if match.seats else "not-begun")
    times = [ply.at for ply in match.plies]
    seconds = [max(0, later - at) for at, later in pairwise(times)]
    return Record(
        match.game,
        match.options,
        match.setup,
        match.moves,
        (0, *seconds) if times else (),
        tuple(_headers(match, names or {})),
    )


def _headers(match: Match, names: Mapping[Player, str]) -> Iterator[tuple[str, str]]:
    if match.plies:
        yield "Date", f"{datetime.fromtimestamp(match.plies[0].at, UTC):%Y.%m.%d}"
    for number, who in enumerate(match.seats, 1):
        if who in names:
            yield f"Seat{number}", names[who]
    outcome, ending = match.outcome, match.ending
    result = "*"
    if outcome is not None and len(match.seats) == 2:
        result = "1-0" if 0 in outcome.winners else "0-1" if outcome.winners else "1/2-1/2"
    yield "Result", result
    if outcome is not None:
        yield "Score", "-".join(map(str, outcome.scores))
    if ending is not None:
        # An outcome by the rules has a reason of the game. Others repeat the ending.
        yield "Termination", outcome.reason if outcome else ending.kind.value
