"""The solution and result of a puzzle."""

import asyncio
from dataclasses import replace

from bot.domain.model import Ply
from bot.matches import LoadedMatch, replayed
from bot.screens.analyses import line_of
from bot.screens.values import Reader
from bot.screens.wording import form_of, option_line


def answered(loaded: LoadedMatch) -> LoadedMatch:
    """Return a finished puzzle with the solution played. Blocking."""
    match, puzzle = loaded.match, loaded.match.puzzle
    seat = match.seat_of(match.challenger)
    assert puzzle is not None
    assert seat is not None
    return replayed(replace(match, plies=(Ply(seat, puzzle.best, 0),)))


async def puzzle_lines(loaded: LoadedMatch, reader: Reader) -> tuple[list[str], tuple[str, ...]]:
    """Return the solution and result of a puzzle, and which of them give it away."""
    match, texts, game = loaded.match, reader.texts, loaded.game
    puzzle = match.puzzle
    if puzzle is None:
        return [], ()
    options = option_line(game, match.options, texts)
    if match.ending is None:
        return [options] if options else [], ()
    form, lines = form_of(reader, game), list[str]()
    if loaded.last is not None and not match.ending.is_solved:
        lines.append(
            texts("puzzle-played", move=texts.move(game.id, game.write(loaded.last, form)))
        )
    line = await asyncio.to_thread(
        line_of, loaded, 1, puzzle.line or (puzzle.best,), form=form, texts=texts
    )
    chances = {"best": puzzle.expectation, "second": puzzle.second}
    percent = {name: round(value * 100) for name, value in chances.items()}
    solution = texts("puzzle-line", line=line)
    lines += [solution, texts("puzzle-chances", **percent)]
    # A puzzle rating is private.
    if reader.user is None or reader.user.id != match.challenger:
        return lines, (solution,)
    if puzzle.before is not None and puzzle.after is not None and puzzle.value is not None:
        change = round(puzzle.after) - round(puzzle.before)
        lines.append(
            texts(
                "puzzle-rating",
                value=str(round(puzzle.after)),
                change=f"{change:+}".replace("-", "−"),
                puzzle=str(round(puzzle.value)),
            )
        )
    return lines, (solution,)
