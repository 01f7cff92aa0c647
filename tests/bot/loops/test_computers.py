"""Scheduling of computer players: whose match is next, and what a failure costs others."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeVar

import pytest

from bot.domain.actions import Action
from bot.domain.model import EndingKind, OfferState, Status
from bot.engines.tasks import Choose, Hint, Task
from bot.engines.workers import SearchFailedError, WorkersGoneError
from bot.loops.analyst import Analyst
from bot.loops.computers import Computers
from bot.matches import playing
from bot.store import Store, personal_data, work
from tests.bot.failing import fails_first
from tests.bot.matches.test_clocks_of_matches import goes_by
from tests.bot.table import Person, Table, Thinking, buttons, said

T = TypeVar("T")


class One(Thinking):
    """Thinks of one thing at a time."""

    count = 1

    @property
    def levels(self) -> list[int]:
        """The levels of the engines that have moved, in order."""
        return [task.level for task in self.asked if isinstance(task, Choose)]


async def many(person: Person, count: int, *, level: int) -> None:
    """Start matches in which an engine of this level is to move."""
    for number in range(count):
        place = await person.table.channel(f"{person.name} {number}")
        assert not (await person.types(f"/othello computer {level} white", place=place)).refused


@pytest.mark.both
async def test_whoever_has_one_match_waits_for_few_of_those_of_somebody_who_has_many(
    table: Table, anna: Person, ben: Person
) -> None:
    await many(anna, 5, level=1)
    table.clock.forward(60)
    await many(ben, 2, level=2)
    table.app.engines = thinkers = One()
    await Computers(table.app).once()
    assert thinkers.levels == [1, 2, 1, 2, 1, 1, 1]


@pytest.mark.both
async def test_a_low_level_moves_while_high_ones_are_searched_for(
    table: Table, anna: Person, ben: Person
) -> None:
    class Long(One):
        """Searches for moves of high levels until the end."""

        async def do(self, task: Task[T]) -> T:
            if isinstance(task, Choose) and task.level > 2:
                await asyncio.Event().wait()
            return await super().do(task)

    await many(anna, 3, level=5)
    await many(ben, 2, level=2)
    table.app.engines = thinkers = Long()
    at_work = asyncio.create_task(Computers(table.app).run())
    changed = table.app.changed.listen()
    while len(thinkers.levels) < 2 or await work.next_work(table.app.store, levels=[2]):
        changed.clear()
        await changed.wait()
    at_work.cancel()
    await asyncio.wait([at_work])
    assert thinkers.levels == [2, 2]


@pytest.mark.both
async def test_whoever_has_a_match_in_the_hands_of_another_process_comes_later(
    table: Table, anna: Person, ben: Person
) -> None:
    await many(anna, 3, level=1)
    table.clock.forward(1)
    await many(ben, 1, level=2)
    taken = [one for _ in range(2) for one in await work.claim(table.app.store, limit=1)]
    assert [one.person for one in taken] == [anna.id, ben.id]
    # Without other waiting people, one person may use every process.
    assert [one.person for one in await work.claim(table.app.store, limit=5)] == [anna.id] * 2


async def test_a_look_that_fails_ends_nothing_and_only_its_kind_and_place_are_logged(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, object]]
) -> None:
    await many(anna, 1, level=1)
    looks = fails_first(monkeypatch, work, "claim", RuntimeError("a secret"))
    changed = table.app.changed.listen()
    at_work = asyncio.create_task(Computers(table.app).run())
    while not looks:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0)
    table.app.computers_due.set()
    await changed.wait()
    at_work.cancel()
    await asyncio.wait([at_work])
    (line,) = [line for line in logged if line["event"] == "computers failed"]
    assert line["kind"] == "RuntimeError"
    assert "failing.py" in str(line["where"])
    assert "a secret" not in str(logged)


async def test_a_turn_that_fails_keeps_nobody_else_waiting_and_is_found_again(
    table: Table,
    anna: Person,
    ben: Person,
    monkeypatch: pytest.MonkeyPatch,
    logged: list[dict[str, object]],
) -> None:
    await many(anna, 1, level=1)
    await many(ben, 1, level=2)
    played = fails_first(monkeypatch, playing, "play_for_computer", RuntimeError("a secret"))
    await table.computers.once()
    assert await work.next_work(table.app.store) == int(table.clock.now) + work.SECONDS
    table.clock.forward(work.SECONDS)
    await table.computers.once()
    assert await work.next_work(table.app.store) is None
    (line,) = [line for line in logged if line["event"] == "computer turn failed"]
    assert (line["match"], line["kind"]) == (played[0][1], "RuntimeError")
    assert "a secret" not in str(logged)


class Failing(Thinking):
    """Fails at some levels."""

    def __init__(self, *levels: int) -> None:
        super().__init__()
        self._levels = levels

    async def do(self, task: Task[T]) -> T:
        if isinstance(task, Choose) and task.level in self._levels:
            self.asked.append(task)
            raise SearchFailedError("SIGKILL", ())
        return await super().do(task)


@pytest.mark.parametrize(("failing", "asked"), [((), [5]), ((5,), [5, 1]), ((5, 1), [5, 1])])
async def test_where_a_search_fails_the_lowest_level_moves_and_where_that_fails_any_move_is_made(
    failing: tuple[int, ...],
    asked: list[int],
    table: Table,
    anna: Person,
    logged: list[dict[str, object]],
) -> None:
    await anna.types("/othello computer 5 white")
    table.app.engines = thinkers = Failing(*failing)
    await Computers(table.app).once()
    assert [task.level for task in thinkers.asked if isinstance(task, Choose)] == asked
    assert len((await table.loaded(await table.newest())).match.plies) == 1
    assert len([line for line in logged if "engine failed" in str(line["event"])]) == len(failing)


async def test_the_lowest_level_has_its_own_time_and_is_asked_once(
    table: Table, anna: Person
) -> None:
    await many(anna, 1, level=1)
    table.app.engines = thinkers = Failing(1)
    await Computers(table.app).once()
    assert [task.seconds for task in thinkers.asked] == [table.settings.computer.seconds]


# --- when it cannot think ---------------------------------------------------------------------


class Gone(Thinking):
    """Cannot start a process."""

    async def do(self, task: Task[T]) -> T:
        raise WorkersGoneError("OSError")


async def notified(table: Table, seconds: int) -> list[str]:
    """Let time pass while the bot runs, and return how Anna was notified."""
    table.wall.told.clear()
    await goes_by(table, seconds)
    return [notice.text for _, notice in table.wall.told if notice.recipients]


async def test_a_move_that_the_computer_makes_at_once_notifies_nobody(
    table: Table, anna: Person
) -> None:
    await anna.types("/settings pings always")
    await anna.types("/othello computer 1 white")
    assert await notified(table, 3600) == []
    assert len((await table.loaded(await table.newest())).match.plies) == 1


async def test_a_player_is_notified_of_a_computer_that_cannot_move_and_of_its_move(
    table: Table, anna: Person
) -> None:
    await anna.types("/settings pings away")
    await anna.types("/othello computer 5 white")
    match_id, owl = await table.newest(), "Owl 🤖"
    table.app.engines = Gone()
    table.computers = Computers(table.app)
    late = anna.says("board-late", name=owl)
    assert await notified(table, 59) == []
    assert late not in (await table.screen(match_id)).text
    assert await notified(table, 2) == [
        anna.says("notice-late", game="Othello", match=match_id, how=late)
    ]
    assert late in (await table.screen(match_id)).text
    assert await notified(table, 3600) == []
    table.app.engines = Thinking()
    table.computers = Computers(table.app)
    turn = anna.says("notice-turn", game="Othello", match=match_id)
    assert await notified(table, work.SECONDS) == [turn]
    assert len((await table.loaded(match_id)).match.plies) == 1
    assert late not in (await table.screen(match_id)).text
    assert len(table.wall.notices) == 1


async def test_a_player_who_has_waited_for_long_is_notified_of_a_computers_move(
    table: Table, anna: Person
) -> None:
    await anna.types("/settings pings away")
    await anna.types("/othello computer 5 black")
    for seconds, expected in ((9, []), (11, ["notice-turn"])):
        loaded = await table.loaded(await table.newest())
        await anna.types(f"/othello {loaded.game.notation(loaded.position.moves(0)[0])}")
        table.clock.forward(seconds)
        match_id = loaded.match.id
        assert await notified(table, 0) == []
        assert await notified(table, 61) == [
            anna.says(key, game="Othello", match=match_id) for key in expected
        ]


async def test_a_match_in_which_a_computer_never_moves_ends_after_weeks(
    table: Table, anna: Person
) -> None:
    await anna.types("/othello computer 5 white")
    table.app.engines = Gone()
    table.computers = Computers(table.app)
    match_id = await table.newest()
    for days in (1, 14, 42):
        assert await table.status(match_id) is Status.RUNNING
        await notified(table, days * 24 * 3600)
    assert await table.status(match_id) is Status.OVER


async def test_a_computer_that_cannot_think_declines_a_draw(table: Table, anna: Person) -> None:
    match_id = await anna.starts("/othello computer 1 black")
    await anna.types("/othello d3")
    await table.settle()
    table.app.engines = Gone()
    table.computers = Computers(table.app)
    await anna.types("/draw")
    await table.settle()
    (offer,) = (await table.loaded(match_id)).match.offers
    assert offer.state is OfferState.DECLINED


# --- while it thinks --------------------------------------------------------------------------


class Meanwhile(Thinking):
    """While it thinks of its first move, something happens."""

    def __init__(self, happens: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._happens = happens

    async def do(self, task: Task[T]) -> T:
        is_first = not self.asked
        found = await super().do(task)
        if is_first:
            await self._happens()
        return found


async def resigns(person: Person, match_id: int) -> None:
    assert not (await person.presses(Action("resign", match_id, 1, "yes"))).refused


async def erases_themself(person: Person, _: int) -> None:
    sure = await person.presses(buttons(await person.types("/privacy"))["Delete my data"])
    assert said(await person.presses(buttons(sure)["Yes, delete Anna"])) == person.says("erased")


@pytest.mark.parametrize("ends", [resigns, erases_themself])
async def test_a_match_that_ends_while_a_computer_thinks_stays_as_it_ended(
    table: Table,
    anna: Person,
    ends: Callable[[Person, int], Awaitable[None]],
    logged: list[dict[str, object]],
) -> None:
    match_id = await anna.starts("/othello computer 1 white")
    table.app.engines = thinkers = Meanwhile(lambda: ends(anna, match_id))
    await Computers(table.app).once()
    match = (await table.loaded(match_id)).match
    assert (match.status, match.plies) == (Status.OVER, ())
    assert match.ending is not None
    assert match.ending.kind is EndingKind.UNPLAYED
    assert len(thinkers.asked) == 1
    assert await work.next_work(table.app.store) is None
    assert [line for line in logged if line["level"] == "error"] == []


async def test_a_move_that_was_found_late_is_played(table: Table, anna: Person) -> None:
    match_id = await anna.starts("/othello computer 5 white")

    async def a_minute_passes() -> None:
        table.clock.forward(61)
        await table.upkeep.once()
        assert (await table.loaded(match_id)).match.wait.nudged

    table.app.engines = thinkers = Meanwhile(a_minute_passes)
    await Computers(table.app).once()
    assert (len((await table.loaded(match_id)).match.plies), len(thinkers.asked)) == (1, 1)


async def test_who_has_their_data_meanwhile_hears_of_no_move_that_is_not_made(
    table: Table, anna: Person
) -> None:
    await anna.types("/othello computer 1 white")
    match_id, found = await table.newest(), dict[str, Any]()

    async def exports() -> None:
        found.update(await personal_data.export(table.app.store, anna.id))

    table.app.engines = Meanwhile(exports)
    await Computers(table.app).once()
    assert found["moves"] == []
    assert len((await table.loaded(match_id)).match.plies) == 1


# --- much at once -----------------------------------------------------------------------------


async def test_hints_of_one_player_are_searched_one_at_a_time(table: Table, anna: Person) -> None:
    class Counting(Thinking):
        at_once = most = 0

        async def do(self, task: Task[T]) -> T:
            assert isinstance(task, Hint)
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            await asyncio.sleep(0)
            self.at_once -= 1
            self.asked.append(task)
            raise SearchFailedError("Nothing", ())

    await anna.types("/othello computer black")
    table.app.engines = thinkers = Counting()
    answers = await anna.at_once(*["/hint"] * 20)
    assert {said(answer) for answer in answers} == {anna.says("error-thinking-failed")}
    assert (len(thinkers.asked), thinkers.most) == (20, 1)


async def test_one_player_has_one_analysis_at_a_time(table: Table, anna: Person) -> None:
    matches = []
    for level in (1, 2, 3):
        await anna.types(f"/othello computer {level} black")
        matches.append(await table.newest())
        await anna.types("/othello d3")
        await anna.presses(Action("resign", matches[-1], 2, "yes"))
    asked = [f"/analyse {match_id}" for match_id in matches * 7]
    answers = [said(answer) for answer in await anna.at_once(*asked)]
    under_way = [
        anna.says("analysis-under-way", game="Othello", match=match_id, done=0, total=1)
        for match_id in matches
    ]
    assert sum(map(answers.count, under_way)) == 7
    assert answers.count(anna.says("error-analyse-busy")) == 14
    await Analyst(table.app).once()
    assert not (await anna.types(f"/analyse {matches[-1]}")).refused


async def test_a_move_during_the_extension_of_claims_is_answered_at_once(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player moves after the computer, before the extension is stored."""
    await anna.types("/othello computer 1 white")
    thinking = asyncio.Event()

    class Waiting(Thinking):
        async def do(self, task: Task[T]) -> T:
            await thinking.wait()
            return await super().do(task)

    table.app.engines = Waiting()
    computers, put_back = Computers(table.app), work.release

    async def late(store: Store, matches: Collection[int], *, after: int = 0) -> None:
        if after:
            thinking.set()
            await asyncio.wait(list(computers._under_way.values()))
            loaded = await table.loaded(await table.newest())
            (seat,) = loaded.turn
            move = loaded.game.notation(next(iter(loaded.position.moves(seat))))
            answer = await anna.types(f"/othello {move}")
            assert not answer.refused, said(answer)
        await put_back(store, matches, after=after)

    monkeypatch.setattr(work, "release", late)
    await computers._claim()
    await computers._hold()
    assert await work.next_work(table.app.store) == int(table.clock.now)
