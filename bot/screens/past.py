"""Moves as an observer may know them (`Game.observed_move`), past positions and analyses."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby, pairwise
from random import Random
from typing import Any

import games
import renderers
from bot.domain.actions import Action
from bot.domain.analysis import Analysis
from bot.domain.errors import Refused
from bot.domain.model import Computer, EndingKind, Match, Player, Ply, Status
from bot.domain.quiet import zone_named
from bot.matches import MatchState, replayed
from bot.matches.names import Names
from bot.matches.sharing import Shared
from bot.screens.controls import branch_buttons, rendering_of, replay_buttons, replay_ways
from bot.screens.pictures import WHOLE, Pictures, Replays, Stretch, can_replay
from bot.screens.values import Button, Reader, Screen, VisibleMove
from bot.screens.wording import (
    Shown,
    banks_line,
    option_line,
    progress_in_words,
    remarks_of,
    sides_of,
    status_line,
    titled,
)
from bot.store import Store, analyses
from bot.store.analyses import Found
from bot.support.tables import Table
from bot.support.texts import Texts
from games import GameError
from games.computer import engine
from games.records import Record
from renderers import THEMES, RenderOptions
from renderers.evaluation import Captions, evaluation_curve

_FREE = "·"
_Observed = tuple[int, str | None]


def visible_moves(shown: Shown) -> tuple[VisibleMove, ...]:
    """Return the moves as `shown.seat` may know them. Blocking: replays the match."""
    return tuple(VisibleMove(seat, _in_words(shown, move)) for seat, move in _observed(shown))


def moves_table(shown: Shown) -> Table:
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


def start_table(loaded: MatchState, texts: Texts) -> Table | None:
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


def view_after(loaded: MatchState, seat: int | None, ply: int) -> Any:
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


def refused_analysis(loaded: MatchState, texts: Texts) -> Refused | None:
    """Return the refusal to analyse a match, None if its engine can."""
    match, game, who = loaded.match, loaded.game, engine(loaded.game.id)
    if match.status is not Status.OVER:
        return Refused("analyse-running" if match.status is Status.RUNNING else "not-begun")
    if match.is_puzzle:
        return Refused("analyse-puzzle")
    if not match.plies:
        return Refused("analyse-empty")
    if who.can_play(match.options) and (who.reviews_matches or who.can_judge_moves):
        return None
    return Refused("analyse-game", game=texts(f"{game.id}-name"))


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


def _line(shown: Shown, ply: int, line: tuple[str, ...]) -> str:
    """Write a line that starts before move `ply` (from 1), as far as it can be played. Blocking."""
    match, game, said = shown.match, shown.game, []
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
        said.append(shown.texts.move(game.id, game.notation(move, shown.form)))
        position = position.play(seat, move)
    return " ".join(said)


def with_solution_played(loaded: MatchState) -> MatchState:
    """Return a finished puzzle with the solution played. Blocking."""
    match, puzzle = loaded.match, loaded.match.puzzle
    seat = match.seat_of(match.challenger)
    assert puzzle is not None
    assert seat is not None
    return replayed(replace(match, plies=(Ply(seat, puzzle.best, 0),)))


async def puzzle_lines(shown: Shown) -> tuple[list[str], tuple[str, ...]]:
    """Return the solution and result of a puzzle, and which of them give it away."""
    match, texts, game, puzzle = shown.match, shown.texts, shown.game, shown.match.puzzle
    if puzzle is None:
        return [], ()
    options = option_line(game, match.options, texts)
    if match.ending is None:
        return [options] if options else [], ()
    lines, last = list[str](), shown.loaded.last
    if last is not None and not match.ending.is_solved:
        move = texts.move(game.id, game.notation(last, shown.form))
        lines.append(texts("puzzle-played", move=move))
    line = await asyncio.to_thread(_line, shown, 1, puzzle.line or (puzzle.best,))
    chances = {"best": puzzle.expectation, "second": puzzle.second}
    percent = {name: round(value * 100) for name, value in chances.items()}
    solution = texts("puzzle-line", line=line)
    lines += [solution, texts("puzzle-chances", **percent)]
    # A puzzle rating is private.
    is_mine = shown.reader.user is not None and shown.reader.user.id == match.challenger
    if not is_mine:
        return lines, (solution,)
    if puzzle.before is not None and puzzle.after is not None and puzzle.value is not None:
        before, after, of_puzzle = map(round, (puzzle.before, puzzle.after, puzzle.value))
        change = f"{after - before:+}".replace("-", "−")
        lines.append(texts("puzzle-rating", value=str(after), change=change, puzzle=str(of_puzzle)))
    return lines, (solution,)


class ReplayScreens:
    """Make the screens that show past positions. Pictures are drawn outside the event loop."""

    def __init__(self, names: Names, pictures: Pictures, replays: Replays) -> None:
        self._names = names
        self._pictures = pictures
        self._replays = replays

    async def after(
        self,
        loaded: MatchState,
        reader: Reader,
        *,
        seat: int | None,
        ply: int | None = None,
        analysis: Analysis | None = None,
    ) -> Screen:
        """Return the match as `seat` (None: spectators) saw it after `ply` moves (None: all)."""
        return await self._after(await Shown.to(reader, loaded, self._names, seat), ply, analysis)

    async def _after(self, shown: Shown, ply: int | None, analysis: Analysis | None) -> Screen:
        texts, game, loaded, match = shown.texts, shown.game, shown.loaded, shown.match
        seat, last = shown.seat, len(match.plies)
        at = last if ply is None else min(ply, last)
        told = await asyncio.to_thread(visible_moves, shown)
        rendering = rendering_of(loaded, shown.reader, ())
        if at == last:
            view, stopped, drawn = loaded.view(seat), loaded.is_stopped, None
        else:
            view = await asyncio.to_thread(view_after, loaded, seat, at)
            stopped, drawn = False, at
            rendering = replace(rendering, legal=False, threats=False, verdict=None)
        words = renderers.get(game.id).describe(view, texts, is_stopped=stopped)
        move = f"{at}. {told[at - 1].text}" if at else texts("past-start")
        remarks, spoilers = remarks_of(shown, view, is_past=at < last)
        state = status_line(shown) if at == last else ""
        judged = progress_in_words(match, texts)
        if analysis and at == last and not judged:
            judged += _accuracy_in_words(shown, analysis)
            judged += [] if analysis.turning_points else [texts("analysis-no-moments")]
        if analysis and at < len(analysis.evaluations):
            judged += await asyncio.to_thread(_judged_in_words, shown, analysis, at)
        return titled(
            shown,
            text="\n".join(filter(None, [state, move, *judged, remarks])),
            picture=await self._pictures.png(loaded, view, rendering, seat=seat, ply=drawn),
            spoilers=spoilers,
            is_spoiler=at == last and loaded.is_opened,
            alt=words,
            cells=renderers.get(game.id).cells(view, rendering),
            rows=(
                *replay_buttons(match, texts, at),
                *branch_buttons(loaded, texts, at, is_over=at == last and not loaded.position.turn),
            ),
            sides=sides_of(shown),
            record=told,
            ply=at,
            judged="\n".join(judged),
            evaluations=analysis.evaluations if analysis else (),
            turning_points=analysis.turning_points if analysis else (),
            is_analysing=match.progress is not None and not match.progress.is_whole,
            can_animate=can_replay(loaded),
            secret=seat is not None and game.has_secrets(match.options) and not match.ending,
        )

    async def shared(
        self,
        shared: Shared,
        reader: Reader,
        *,
        ply: int | None = None,
        analysis: Analysis | None = None,
    ) -> Screen:
        """Return a shared match as spectators saw it after `ply` moves, for anyone.

        Of a puzzle, only the position is shown, and the solution is folded.
        """
        texts, loaded = reader.texts, await asyncio.to_thread(shared.opened)
        shown = Shown(loaded, reader, await shared.names(self._names, texts))
        screen = await self._after(shown, ply, analysis)
        if loaded.match.is_puzzle:
            options, _ = await puzzle_lines(shown)
            # Without the move that was tried.
            solved = replace(shared.loaded, last=None)
            solution, _ = await puzzle_lines(replace(shown, loaded=solved))
            lines = [line for line in screen.text.split("\n") if line != texts("past-start")]
            return replace(screen, text="\n".join(lines + options), folded="\n".join(solution))
        clocks = loaded.match.clocks
        if clocks is None or clocks.due is None or screen.ply != len(loaded.match.plies):
            return screen
        due = texts.moment(clocks.due, zone_named(reader.zone)), clocks.due
        told = [screen.text, texts("board-due", when=due[0]), banks_line(shown)]
        return replace(screen, text="\n".join(filter(None, told)), due=due)

    async def animated(
        self,
        loaded: MatchState,
        reader: Reader,
        *,
        seat: int | None,
        stretch: Stretch = WHOLE,
        side: int | None = None,
        analysis: Analysis | None = None,
    ) -> Screen:
        """Return a replay as `seat` (None: spectators) saw the match, from a `side` of the board.

        Raises `Refused`.
        """
        texts, match = reader.texts, loaded.match
        rendering = rendering_of(loaded, reader, ())
        if side is not None:
            rendering = replace(rendering, flipped=side == 1)
        last = len(match.plies) if stretch.last is None else stretch.last
        points = [
            ply
            for ply in (analysis.turning_points if analysis else ())
            if stretch.first <= ply <= last
        ]
        gif = await self._replays.gif(
            loaded, rendering, seat=seat, stretch=stretch, turning_points=points
        )
        shown = await Shown.to(reader, loaded, self._names)
        is_whole = stretch.last is None
        lines = [status_line(shown)] if is_whole else []
        if stretch != replace(WHOLE, pace=stretch.pace):
            lines.append(texts("replay-stretch", first=stretch.first, last=last))
        lines += [texts("replay-turning-points")] if points else []
        return titled(
            shown,
            text="\n".join(lines),
            picture=gif,
            is_spoiler=is_whole and loaded.is_opened,
            alt=texts("replay-alt", count=len(match.plies)),
            rows=(replay_ways(match, texts, stretch, side),),
        )

    async def analysis(self, loaded: MatchState, reader: Reader, analysis: Analysis) -> Screen:
        texts, shown = reader.texts, await Shown.to(reader, loaded, self._names)
        # The picture's font lacks the computer's emoji.
        called = [
            texts(f"computer-{who.level}") if isinstance(who, Computer) else shown.names[who]
            for who in loaded.match.seats
        ]
        lines = [
            *_accuracy_in_words(shown, analysis),
            *await asyncio.to_thread(_moments_in_words, shown, analysis),
        ]
        title = texts("analysis-title", game=texts(f"{loaded.game.id}-name"))
        course = analysis.evaluations
        alt = texts(
            "analysis-alt",
            first=called[0],
            second=called[1],
            begin=round(course[0] * 100),
            most=round(max(course) * 100),
            least=round(min(course) * 100),
            end=round(course[-1] * 100),
        )
        to_moments = [
            Button(texts("button-moment", ply=ply), Action("past", loaded.match.id, 0, str(ply)))
            for ply in analysis.turning_points
        ]
        return titled(
            shown,
            text="\n".join(lines),
            picture=await self._pictures.draw(
                evaluation_curve,
                course,
                captions=Captions(
                    title,
                    about=texts("analysis-about"),
                    sides=(
                        texts("analysis-ahead", name=called[0]),
                        texts("analysis-ahead", name=called[1]),
                    ),
                    move=texts("analysis-axis"),
                    moment=texts("analysis-legend"),
                ),
                moments=analysis.turning_points,
                theme=reader.theme if reader.theme in THEMES else THEMES[0],
                size=reader.size,
            ),
            alt=f"{title}: {alt}",
            rows=(tuple(to_moments),) if to_moments else (),
        )


def _judged_in_words(shown: Shown, analysis: Analysis, ply: int) -> list[str]:
    """Return the evaluation after `ply` moves, and a better move. Blocking."""
    texts, match, said = shown.texts, shown.match, []
    if ply < len(match.plies) or analysis.result is None:
        for_first = round(analysis.evaluations[ply] * 100)
        first, second = map(shown.name, (0, 1))
        moment = f"{texts('analysis-legend')}. " if ply in analysis.turning_points else ""
        chances = texts(
            "past-evaluation", first=first, second=second, percent=for_first, other=100 - for_first
        )
        said.append(f"{moment}{chances}")
    better = analysis.better_than(ply) if ply else None
    if better is not None:
        line = _line(shown, ply, better.line or (better.best,))
        percent = round(better.best_expectation * 100)
        name = shown.name(match.plies[ply - 1].seat)
        said.append(texts("past-better", name=name, line=line, percent=percent))
    return said


def _accuracy_in_words(shown: Shown, analysis: Analysis) -> list[str]:
    sides = [
        shown.texts("analysis-side", name=shown.name(seat), percent=accuracy)
        for seat in range(len(shown.match.seats))
        if (accuracy := analysis.accuracy(seat)) is not None
    ]
    return [shown.texts("analysis-accuracy", sides=" · ".join(sides))] if sides else []


def _moments_in_words(shown: Shown, analysis: Analysis) -> list[str]:
    """Return the turning points, one line each. Blocking."""
    texts, told, lines = shown.texts, visible_moves(shown), []
    for ply in analysis.turning_points:
        better, (seat, move) = analysis.better_than(ply), told[ply - 1]
        before, after = analysis.around(ply)
        line = texts(
            "analysis-moment",
            ply=ply,
            swing=str(analysis.swing(ply)),
            name=shown.name(seat),
            other=shown.name(1 - seat),
            move=move,
            before=round(before * 100),
            after=round(after * 100),
        )
        if better is not None:
            better_line = _line(shown, ply, better.line or (better.best,))
            line += f" {texts('analysis-better', line=better_line)}"
        lines.append(line)
    return [texts("analysis-moments"), *lines] if lines else [texts("analysis-no-moments")]
