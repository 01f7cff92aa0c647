"""Stored analyses of finished matches, and solutions of puzzles."""

import asyncio
from dataclasses import replace

from bot.domain.analysis import Analysis
from bot.domain.model import EndingKind, Match, Ply, Status
from bot.matches import MatchState, replayed
from bot.screens.values import Reader
from bot.screens.wording import notation_for, option_line
from bot.store import Store, analyses
from bot.store.analyses import Found
from bot.support.texts import Texts
from games import GameError
from games.computer import engine


def can_analyse(loaded: MatchState) -> bool:
    """Return whether a match is over and its engine can analyse it."""
    match, game = loaded.match, loaded.game
    if match.status is not Status.OVER or not match.plies or match.is_puzzle:
        return False
    who = engine(game.id)
    return who.can_play(match.options) and (
        who.reviews_matches
        or (who.can_judge_moves and len(match.seats) == 2 and not game.has_secrets(match.options))
    )


def analysis_of(match: Match, found: Found) -> Analysis:
    """Return the analysis of as many moves as were judged."""
    seats = tuple(ply.seat for ply in match.plies[: len(found.judged)])
    return Analysis(seats, found.judged, _result(match) if found.progress.is_whole else None)


async def load_analysis(store: Store, match: Match) -> Analysis | None:
    """Return the analysis so far. None if none was requested or no move was judged."""
    found = await analyses.of(store, match.id) if match.progress else None
    return analysis_of(match, found) if found and any(found.judged) else None


def _result(match: Match) -> float | None:
    outcome = match.outcome
    if outcome is None or match.ending is None or match.ending.kind is not EndingKind.RULES:
        return None
    return 0.5 if len(outcome.winners) != 1 else float(0 in outcome.winners)


def line_of(loaded: MatchState, ply: int, line: tuple[str, ...], *, form: str, texts: Texts) -> str:
    """Write a line that starts before move `ply` (from 1), as far as it can be played. Blocking."""
    match, game, said = loaded.match, loaded.game, []
    position = game.replay(match.options, match.setup, match.moves[: ply - 1])
    for text in line:
        if not position.turn:
            break
        seat = min(position.turn)
        try:
            move = game.parse(position.view(seat), seat, text)
        except GameError:
            # Lines may leave out forced moves.
            break
        said.append(texts.move(game.id, game.write(move, form)))
        position = position.play(seat, move)
    return " ".join(said)


def with_solution_played(loaded: MatchState) -> MatchState:
    """Return a finished puzzle with the solution played. Blocking."""
    match, puzzle = loaded.match, loaded.match.puzzle
    seat = match.seat_of(match.challenger)
    assert puzzle is not None
    assert seat is not None
    return replayed(replace(match, plies=(Ply(seat, puzzle.best, 0),)))


async def puzzle_lines(loaded: MatchState, reader: Reader) -> tuple[list[str], tuple[str, ...]]:
    """Return the solution and result of a puzzle, and which of them give it away."""
    match, texts, game = loaded.match, reader.texts, loaded.game
    puzzle = match.puzzle
    if puzzle is None:
        return [], ()
    options = option_line(game, match.options, texts)
    if match.ending is None:
        return [options] if options else [], ()
    form, lines = notation_for(reader, game), list[str]()
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
