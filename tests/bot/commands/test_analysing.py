"""Analysis of a finished game: requested, computed move by move, shown to its readers."""

import asyncio
import re
from dataclasses import replace
from typing import Any, TypeVar, cast

import pytest
from sqlalchemy import select

from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Stranger
from bot.engines.tasks import Rank, Task
from bot.engines.workers import SearchFailedError, WorkersGoneError
from bot.loops.analyst import Analyst
from bot.matches import Matches, MatchState, reading
from bot.screens import Client, Screen
from bot.store import analyses, personal_data, work
from bot.store.analyses import PATIENCE
from bot.store.schema import analyses as analyses_table
from bot.store.schema import analysis_requests
from bot.support.platforms import Medium
from games.computer import Candidate, engine
from tests.bot.store.sql import rows
from tests.bot.table import Person, Table, Thinking, buttons, said, screen_of

T = TypeVar("T")

FIRST = ("d3", "c3", "c4", "e3")


class Oracle(Thinking):
    """Find one mistake of each seat, and stop on demand."""

    count = 1

    def __init__(self, *, mistakes: dict[int, float] | None = None, stops_at: int = -1) -> None:
        super().__init__()
        self._mistakes = mistakes or {}
        self._stops_at = stops_at
        self.is_stopped = asyncio.Event()

    async def do(self, task: Task[T]) -> T:
        return cast("T", await self._ranked(task))

    async def _ranked(self, task: Task[Any]) -> tuple[Candidate[str], ...]:
        at = len(self.asked)
        if at == self._stops_at:
            self.is_stopped.set()
            await asyncio.Event().wait()
        if not self.count:
            raise WorkersGoneError("none")
        self.asked.append(task)
        played, loss = FIRST[at % 4], self._mistakes.get(at, 0.0)
        ahead = 0.5 - sum(
            cost if mistake % 2 == at % 2 else -cost
            for mistake, cost in self._mistakes.items()
            if mistake < at
        )
        mine = Candidate(played, ahead - loss, (played,), is_exact=False)
        if not loss:
            return (mine, Candidate("h8", 0.0, ("h8",), is_exact=False))
        better = {1: "e3", 2: "b4"}[at]
        return (Candidate(better, ahead, (better,), is_exact=False), mine)


async def another(table: Table, anna: Person, ben: Person) -> int:
    """Start Othello, and let Ben resign after four moves."""
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, ",".join(FIRST))
    await table.given_up(match_id, ben)
    return match_id


@pytest.fixture
async def over(table: Table, anna: Person, ben: Person) -> int:
    """Finish a match, and deliver what is due."""
    match_id = await another(table, anna, ben)
    await table.settle()
    table.app.engines = Oracle()
    return match_id


async def test_a_finished_board_has_a_button_that_lets_the_match_be_looked_back_on(
    table: Table, anna: Person, over: int
) -> None:
    board = await table.screen(over, anna)
    due = table.app.analyses_due.listen()
    answer = await anna.presses(buttons(board)["Analysis"])
    assert "0 of 4 moves" in said(answer)
    assert due.is_set()
    board = await table.screen(over, anna)
    assert "Analysing: 0 of 4 moves …" in board.text
    assert said(await anna.presses(buttons(board)["Analysing …"])) == said(answer)
    await table.settle()
    board = await table.screen(over, anna)
    assert "Analysing:" not in board.text
    answer = await anna.presses(buttons(board)["Show analysis"])
    assert said(answer).startswith("Accuracy: Anna ")
    shown = screen_of(answer)
    assert shown.picture is not None
    assert shown.alt.startswith("Analysis · Othello: winning chances of Anna against Ben")


async def test_it_names_the_moves_that_decided_the_match_and_what_was_better(
    table: Table, anna: Person, over: int
) -> None:
    table.app.engines = Oracle(mistakes={1: 0.3, 2: 0.05})
    await anna.types("/analyse")
    await table.settle()
    answer = await anna.types("/analyse")
    assert said(answer).splitlines() == [
        "Accuracy: Anna (90%) · Ben (62%)",
        "Turning points (winning chances before → after):",
        ("2. Ben played c3, falling behind (50% → 20%). Better: e3"),
    ]
    moment = screen_of(await anna.presses(buttons(answer)["Move 2"]))
    assert moment.ply == 2
    assert moment.text.splitlines()[:3] == [
        "2. c3",
        "Turning point. Winning chances: Anna (80%), Ben (20%)",
        "Better for Ben (50%): e3",
    ]


async def test_a_replay_marks_the_turning_points_that_it_shows(
    table: Table, anna: Person, over: int
) -> None:
    table.app.engines = Oracle(mistakes={1: 0.3, 2: 0.05})
    await anna.types("/analyse")
    await table.settle()
    marks = anna.says("replay-turning-points")
    assert marks in said(await anna.types("/replay 2-"))
    assert marks not in said(await anna.types("/replay 3-"))
    drawn = cast("Any", table.app.replays.workers).asked
    assert [task.turning_points for task in drawn] == [(1,), ()]


async def test_an_analysis_that_was_stopped_shows_what_it_found_and_goes_on_after_a_restart(
    table: Table, anna: Person, over: int
) -> None:
    table.app.engines = first = Oracle(mistakes={1: 0.3}, stops_at=3)
    asked = replace(await anna.command(), medium=Medium(steps=True))

    async def shown() -> Screen:
        return screen_of(await table.commands.run_line(asked, f"/analyse {over}"))

    begun = await shown()
    assert (begun.ply, begun.evaluations, begun.is_analysing) == (4, (), True)
    assert begun.judged == "Analysing: 0 of 4 moves …"
    at_work = asyncio.create_task(Analyst(table.app).once())
    await first.is_stopped.wait()
    table.app.matches.memory.invalidate(over)
    half_way = await shown()
    assert half_way.evaluations == pytest.approx((0.5, 0.5, 0.8, 0.8))
    assert (half_way.turning_points, half_way.is_analysing) == ((2,), True)
    at_work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await at_work
    await table.restart()
    assert "3 of 4 moves" in said(await anna.types("/analyse"))
    table.app.engines = second = Oracle()
    await table.settle()
    assert len(second.asked) == 1
    whole = await shown()
    assert (len(whole.evaluations), whole.turning_points, whole.is_analysing) == (5, (2,), False)
    assert whole.judged.startswith("Accuracy: Anna ")


async def test_an_analysis_is_no_news_of_its_match_and_keeps_the_time_of_the_end(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    later = await table.begin(anna, ben)
    table.clock.forward(100)
    await table.plays(later, ",".join(FIRST))
    await table.given_up(later, ben)
    await table.settle()
    table.wall.told.clear()
    before = (await table.loaded(over)).match
    await anna.types(f"/analyse {over}")
    table.clock.forward(100)
    await table.settle()
    after = (await table.loaded(over)).match
    ((_, notice),) = table.wall.told
    assert notice.picture is not None
    assert after.version > before.version
    assert (after.ending, after.news) == (before.ending, before.news)
    assert after.is_playable_at(before.version)
    # A rematch refers to the game that ended last.
    assert screen_of(await anna.types("/analyse")).match == later


async def test_an_analysis_is_made_once_and_read_by_everyone_after_a_restart(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    table.app.engines = oracle = Oracle()
    await anna.types("/analyse")
    await ben.types(f"/analyse {over}")
    await table.settle()
    # Each move has its share of the time.
    assert [(type(task), task.seat, task.seconds) for task in oracle.asked] == [
        (Rank, seat, 1.0) for seat in (0, 1, 0, 1)
    ]
    assert oracle.asked[0].game == "othello"
    first = await anna.types("/analyse")
    await table.restart()
    table.app.engines = Oracle()
    assert "Genauigkeit: Anna (100\N{NO-BREAK SPACE}%) · Ben (100\N{NO-BREAK SPACE}%)" in said(
        await ben.types(f"/analyse {over}")
    )
    assert said(await anna.types("/analyse")) == said(first)
    await table.settle()
    assert table.app.engines.asked == []
    asked = replace(await anna.command(), medium=Medium(steps=True))
    answer = await table.commands.run_line(asked, f"/analyse {over}")
    assert "No turning points." in said(answer).splitlines()


async def test_a_match_stays_claimed_while_its_search_waits_for_others(
    table: Table, anna: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.loops.analyst._HOLD_EVERY", 0.01)
    table.app.engines = oracle = Oracle(stops_at=1)
    await anna.types("/analyse")
    at_work = asyncio.create_task(Analyst(table.app).once())
    await oracle.is_stopped.wait()
    for _ in range(3):
        table.clock.forward(work.SECONDS - 1)
        held = table.clock() + work.SECONDS
        while await analyses.next_work(table.app.store) != held:  # noqa: ASYNC110 - untold
            await asyncio.sleep(0.01)
        assert await analyses.claim(table.app.store) is None
    at_work.cancel()
    await asyncio.wait([at_work])
    assert await analyses.claim(table.app.store) == over


async def test_one_person_waits_for_one_of_them_and_another_person_is_queued(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    other = await another(table, anna, ben)
    await anna.types(f"/analyse {over}")
    assert said(await anna.types(f"/analyse {other}")) == anna.says("error-analyse-busy")
    queued = said(await ben.types(f"/analyse {other}"))
    assert queued.endswith(ben.says("analysis-waits", count=1))
    assert ben.says("analysis-waits", count=1) not in said(await ben.types(f"/analyse {over}"))
    await table.settle()
    for match_id in (over, other):
        assert "Accuracy" in said(await anna.types(f"/analyse {match_id}"))


@pytest.mark.slow
@pytest.mark.both
async def test_strangers_and_who_was_erased_keep_no_other_stranger_waiting(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    command = await anna.command()
    eve, zed = (
        replace(
            command, client=Client(Stranger(0, name, None, {}, "web", name, name, name, "en"), name)
        )
        for name in ("Eve", "Zed")
    )
    first, second, third = [await another(table, anna, ben) for _ in range(3)]
    cleo = await table.arrive("Cleo")
    await cleo.types(f"/analyse {over}")
    await personal_data.erase(table.app.store, cleo.id, name="Former")
    assert not (await table.commands.run_line(eve, f"/analyse {first}")).refused
    assert not (await table.commands.run_line(zed, f"/analyse {second}")).refused
    assert said(await table.commands.run_line(eve, f"/analyse {third}")) == anna.says(
        "error-analyse-busy"
    )
    await table.settle()
    kept = select(analyses_table.c.asked_by_stranger).where(
        analyses_table.c.asked_by_stranger.is_not(None)
    )
    assert await rows(table.app.store, kept) == [], "nobody waits any more"
    assert not (await table.commands.run_line(eve, f"/analyse {third}")).refused


async def test_only_finished_games_of_engines_that_judge_moves_are_analysed_and_offered(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(await anna.types("/analyse")) == anna.says("error-analyse-none")
    over = await another(table, anna, ben)
    match_id = await table.begin(anna, ben, moves="d3")
    for answer in (
        await anna.types(f"/analyse {match_id}"),
        await anna.presses(Action("analyse", match_id, 2)),
    ):
        assert said(answer) == anna.says("error-analyse-running")
    assert "Analysis" not in buttons(await table.screen(match_id, anna))
    offered = await anna.completes("/analyse ")
    assert f"/analyse #{over}" in offered
    assert f"/analyse #{match_id}" not in offered
    with monkeypatch.context() as patch:
        patch.setattr(type(engine("othello")), "can_judge_moves", False)
        refusal = said(await anna.types(f"/analyse {over}"))
        assert refusal == anna.says("error-analyse-game", game="Othello")
        assert f"/analyse #{over}" not in await anna.completes("/analyse ")
    table.configure("computer", enabled=False)
    assert said(await anna.types("/analyse")) == anna.says("error-analyse-house")


async def test_of_two_searches_in_boxes_both_are_told_each_under_the_name_of_who_searched(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox mode=hide size=5 stones=3")
    hide = "hide a1,hide c3,hide e5,ready"
    await table.plays(match_id, f"{hide},ask 2,mark a1,mark c3,mark e5,guess")
    await table.plays(match_id, f"{hide},ask 7,ask 2,mark a1,mark c3,mark e5,guess")
    first, second = said(await anna.types(f"/analyse {match_id}")).split("\n\n")
    begun = [line.partition(" →")[0] for line in first.splitlines()]
    assert begun[:2] == ["Search by Anna:", "2"]
    begun = [line.partition(" →")[0] for line in second.splitlines()]
    assert begun[:3] == ["Search by Ben:", "7", "2"]
    assert [re.split("[.,]", leg.splitlines()[-1])[0] for leg in (first, second)] == [
        "The search cost one point",
        "The search cost 3 points",
    ]


async def test_a_player_that_fails_on_a_move_leaves_the_others(
    table: Table, anna: Person, over: int, caplog: pytest.LogCaptureFixture
) -> None:
    table.app.engines = oracle = Oracle()
    think = oracle.do

    async def without_the_move(task: Rank) -> tuple[Candidate[str], ...]:
        ranked = await think(task)
        return ranked[1:] if len(oracle.asked) == 2 else ranked

    oracle.do = without_the_move  # type: ignore[method-assign, assignment]
    await anna.types("/analyse")
    await table.settle()
    assert "Accuracy: Anna (100%) · Ben (100%)" in said(await anna.types("/analyse"))


async def test_one_that_cannot_go_on_says_so_keeps_nobody_waiting_and_is_gone_on_with_when_asked(
    table: Table, anna: Person, ben: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await another(table, anna, ben)
    table.app.engines = oracle = Oracle()

    async def fails(task: Task[T]) -> T:
        if len(oracle.asked) == 1:
            raise SearchFailedError("ZeroDivisionError", ("othello.py:1",))
        return await Oracle.do(oracle, task)

    with monkeypatch.context() as broken:
        broken.setattr(oracle, "do", fails)
        await anna.types(f"/analyse {over}")
        await table.reconciler.once()
        await table.settle()
    board = await table.screen(over, anna)
    assert anna.says("board-analysis-given-up", done=1, total=4) in board.text
    version = (await table.loaded(over)).match.version
    assert [post.version for post in table.wall.of(over)] == [version]
    table.app.engines = Oracle()
    assert not (await anna.types(f"/analyse {other}")).refused
    await table.settle()
    table.app.engines = oracle
    again = anna.says("analysis-once-more", game="Othello", match=over, done=1, total=4)
    assert said(await anna.presses(buttons(board)["Analysis"])) == again
    assert "1 of 4 moves …" in (await table.screen(over, anna)).text
    await table.settle()
    assert len(oracle.asked) == 4
    assert "Accuracy" in said(await anna.types(f"/analyse {over}"))


async def test_an_unexpected_error_ends_an_analysis_and_only_its_kind_and_place_are_logged(
    table: Table,
    anna: Person,
    over: int,
    monkeypatch: pytest.MonkeyPatch,
    logged: list[dict[str, object]],
) -> None:
    async def breaks(_: Task[object]) -> object:
        raise RuntimeError("a secret")

    monkeypatch.setattr(table.app.engines, "do", breaks)
    await anna.types("/analyse")
    await table.settle()
    board = await table.screen(over, anna)
    assert anna.says("board-analysis-given-up", done=0, total=4) in board.text
    assert "Winning chances" not in said(await anna.presses(Action("past", over, 0, "2")))
    (line,) = [line for line in logged if line["event"] == "analysis failed"]
    assert line["kind"] == "RuntimeError"
    assert "test_analysing.py" in str(line["where"])
    assert "a secret" not in str(logged)


async def test_a_match_that_cannot_be_read_any_more_keeps_nobody_from_asking(
    table: Table, anna: Person, ben: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await another(table, anna, ben)
    await anna.types(f"/analyse {over}")
    get = reading.get

    async def without(matches: Matches, match_id: int, **more: int) -> MatchState:
        if match_id == over:
            raise Refused("match-broken")
        return await get(matches, match_id, **more)

    monkeypatch.setattr(reading, "get", without)
    await table.settle()
    assert not (await anna.types(f"/analyse {other}")).refused


async def test_an_analysis_that_no_one_computes_waits_for_a_while_only(
    table: Table, anna: Person, ben: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await another(table, anna, ben)

    async def is_gone(_: Task[object]) -> object:
        raise WorkersGoneError("OSError")

    monkeypatch.setattr(table.app.engines, "do", is_gone)
    await anna.types(f"/analyse {over}")
    await table.settle()
    assert "0 of 4 moves …" in (await table.screen(over, anna)).text
    assert said(await anna.types(f"/analyse {other}")) == anna.says("error-analyse-busy")
    table.clock.forward(PATIENCE)
    assert not (await anna.types(f"/analyse {other}")).refused
    await table.settle()
    board = await table.screen(over, anna)
    assert anna.says("board-analysis-given-up", done=0, total=4) in board.text


async def test_what_was_requested_before_the_engines_were_turned_off_is_given_up(
    table: Table, anna: Person, over: int
) -> None:
    await anna.types(f"/analyse {over}")
    table.app.engines.count = 0
    table.clock.forward(PATIENCE)
    stopped = anna.says("board-analysis-given-up", done=0, total=4)
    changed = table.app.changed.listen()
    at_work = asyncio.create_task(Analyst(table.app).run())
    while stopped not in (await table.screen(over, anna)).text:
        await changed.wait()
        changed.clear()
    at_work.cancel()
    await asyncio.wait([at_work])


async def test_the_house_looks_back_as_soon_as_it_is_asked_and_waits_for_whoever_thinks(
    table: Table, anna: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.app.engines = oracle = Oracle()
    think, tried = oracle.do, asyncio.Event()

    async def is_gone(_: Rank) -> tuple[Candidate[str], ...]:
        tried.set()
        raise WorkersGoneError("othello")

    monkeypatch.setattr(oracle, "do", is_gone)
    at_work = asyncio.create_task(Analyst(table.app).run())
    await asyncio.sleep(0)
    await anna.types("/analyse")
    await tried.wait()
    monkeypatch.setattr(oracle, "do", think)
    while "Accuracy" not in said(await anna.types("/analyse")):
        await asyncio.sleep(0.02)
        # No other process claims it for a while.
        table.clock.forward(1)
        table.app.analyses_due.set()
    at_work.cancel()
    await asyncio.wait([at_work])
    assert len(oracle.asked) == 4


async def test_a_deleted_account_leaves_no_trace_in_its_analysis(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    await anna.types(f"/analyse {over}")
    assert len((await personal_data.export(table.app.store, anna.id))["analyses"]) == 1
    await personal_data.erase(table.app.store, anna.id, name="Former")
    assert (await personal_data.export(table.app.store, anna.id))["analyses"] == []
    table.app.matches.memory.invalidate()
    await table.settle()
    assert "Genauigkeit: Former" in said(await ben.types(f"/analyse {over}"))


async def test_an_analysis_is_posted_only_where_others_may_see_the_match(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/challenge @Ben othello first", place=anna.direct)
    await ben.types(f"/accept {match_id}", place=ben.direct)
    await table.given_up(match_id, ben)
    await anna.types(f"/analyse {match_id}")
    places = await rows(table.app.store, select(analysis_requests.c.place_id))
    assert places == [(anna.direct.id,)]
