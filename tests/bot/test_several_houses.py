"""Two processes on one database: concurrent requests happen once, or as if in turn."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection
from sqlalchemy.util import await_only

from bot.app import App
from bot.commands import Answer, Commands
from bot.domain.actions import Action
from bot.domain.errors import StaleBoard
from bot.domain.model import Match, Place, Status
from bot.engines.tasks import Task
from bot.loops.computers import Computers
from bot.matches import playing, waiting
from bot.matches import reading as match_reading
from bot.store import (
    Store,
    inbox,
    match_queries,
    people,
    puzzles,
    quotas,
    ratings,
    rooms,
    tombstones,
    work,
)
from bot.store import matches as match_store
from bot.store.database.changes import of_match
from bot.store.match_queries import Timer
from bot.support.rates import Rates
from bot.support.texts import Texts
from tests.bot.matches.test_clocks_of_matches import passes
from tests.bot.posed import pose, puzzle
from tests.bot.table import A_MOMENT, Person, Table, Thinking, said
from tests.optional import not_none

# A file has one process.
pytestmark = pytest.mark.postgres

T = TypeVar("T")

NOTHING = Answer()
ROUNDS = 2
"""How often each race is run: who wins is chance."""


@dataclass(frozen=True, slots=True)
class House:
    """One of the two."""

    app: App
    commands: Commands

    async def types(self, person: Person, line: str, *, place: Place | None = None) -> Answer:
        return await self.commands.run_line(await person.command(place), line)

    async def presses(
        self, person: Person, action: Action, *, place: Place | None = None
    ) -> Answer:
        return await self.commands.run_button(await person.command(place), action)

    async def match(self, match_id: int) -> Match:
        """Return a match as it is stored, whatever this process remembers of it."""
        self.app.matches.memory.invalidate()
        return (await match_reading.get(self.app.matches, match_id)).match


@pytest.fixture
def here(table: Table) -> House:
    return House(table.app, table.commands)


@pytest.fixture
async def there(table: Table) -> AsyncIterator[House]:
    app = await App.open(table.settings, clock=table.clock)
    commands = Commands(app)
    commands._rates = Rates(10**6, 1)
    yield House(app, commands)
    await app.close()


@pytest.fixture
def houses(here: House, there: House) -> tuple[House, House]:
    return here, there


@pytest.fixture(autouse=True)
def _slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave time for the other process between a check and its commit."""

    def slow(step: Callable[..., Any]) -> Callable[..., Any]:
        async def slowed(*arguments: Any, **more: Any) -> None:
            await step(*arguments, **more)
            await asyncio.sleep(0.05)

        def slowed_there(connection: Connection, *arguments: Any, **more: Any) -> Any:
            done = step(connection, *arguments, **more)
            # A part of a transaction that others can come between.
            await_only(asyncio.sleep(0.05))
            return done

        return slowed if iscoroutinefunction(step) else slowed_there

    for module, name in (
        (match_store.committing, "check_may_propose"),
        (match_store.committing, "check_may_start"),
        (match_store.committing, "mark_behind"),
        (puzzles, "_strengths"),
        (quotas, "check_may_post"),
        (ratings, "known"),
        (ratings, "_meetings"),
        (tombstones, "find"),
    ):
        monkeypatch.setattr(module, name, slow(getattr(module, name)))


async def all_of(table: Table, place: Place | None = None, *states: Status) -> list[int]:
    place = place or table.lounge
    return await match_queries.in_place(table.app.store, place.id, status=states or tuple(Status))


async def at_once(doing: Iterable[Awaitable[Answer]]) -> list[Answer]:
    return list(await asyncio.gather(*doing))


def seated(match: int, *, version: int = 1) -> Action:
    return Action("accept", match, version)


# Challenges


async def test_a_challenge_to_all_that_two_accept_at_once_is_played_by_one_of_them(
    table: Table, houses: tuple[House, House], anna: Person, ben: Person, cleo: Person
) -> None:
    for _ in range(ROUNDS):
        match = await anna.starts("/othello new")
        await at_once(
            house.presses(person, seated(match))
            for house, person in zip(houses, (ben, cleo), strict=True)
        )
        for house in houses:
            found = await house.match(match)
            assert found.status is Status.RUNNING
            assert found.version == 2
            assert len(set(found.seats)) == 2
            assert anna.id in found.seats


async def test_a_challenge_that_is_accepted_and_withdrawn_at_once_is_one_of_both(
    table: Table, houses: tuple[House, House], anna: Person, ben: Person
) -> None:
    here, there = houses
    for _ in range(ROUNDS):
        match = await anna.starts("/othello @Ben black")
        await at_once(
            [here.presses(anna, Action("withdraw", match, 1)), there.presses(ben, seated(match))]
        )
        found = await here.match(match)
        assert found.version == 2
        assert (found.status, bool(found.seats)) in (
            (Status.RUNNING, True),
            (Status.WITHDRAWN, False),
        )
        if found.status is Status.RUNNING:
            await table.given_up(match, anna)


async def test_two_who_challenge_each_other_at_once_have_one_challenge_or_one_match(
    table: Table, houses: tuple[House, House], anna: Person, ben: Person
) -> None:
    """Both press *Rematch*: one creates the challenge, the other accepts it."""
    over = await table.begin(anna, ben)
    await table.given_up(over, anna)
    version, _ = [(await house.match(over)).version for house in houses]
    for _ in range(ROUNDS):
        before = set(await all_of(table))
        await at_once(
            house.presses(person, Action("again", over, version))
            for house, person in zip(houses, (anna, ben), strict=True)
        )
        (new,) = set(await all_of(table)) - before
        assert (await houses[0].match(new)).status is Status.RUNNING
        await table.given_up(new, ben)
        for house in houses:
            house.app.matches.memory.invalidate()


async def test_a_puzzle_that_two_solve_at_once_each_on_both_counts_once_for_each(
    houses: tuple[House, House], anna: Person, ben: Person
) -> None:
    here, _ = houses
    for count in range(1, ROUNDS // 2 + 1):
        await pose(here.app.store, puzzle(plies=count))
        tried = []
        for person in (anna, ben):
            asked = (house.types(person, "/puzzle othello") for house in houses)
            (match_id,) = {answer.board_in_dm for answer in await at_once(asked)}
            match = (await match_reading.get(here.app.matches, match_id)).match
            assert match.puzzle
            tried.append((match_id, person.id, match.puzzle.best))
        plays = [
            playing.play(house.app.matches, match_id, user_id, best, version=1)
            for match_id, user_id, best in tried
            for house in houses
        ]
        done = await asyncio.gather(*plays, return_exceptions=True)
        assert [isinstance(one, StaleBoard) for one in done].count(True) == len(tried)
        for person in (anna, ben):
            found = (await puzzles.of_user(here.app.store, person.id))["othello"]
            assert (found.rating.matches, found.solved) == (count, count)
        # The second solver meets a lower rating of the puzzle.
        decided = [
            (await match_reading.get(here.app.matches, match_id)).match.puzzle
            for match_id, *_ in tried
        ]
        assert len({one.value for one in decided if one}) == len(tried)


async def test_a_start_card_that_is_pressed_twice_begins_one_match(
    table: Table, houses: tuple[House, House], anna: Person
) -> None:
    """As a solo game and as an open challenge."""
    for argument, status in (("blackbox", Status.RUNNING), ("othello", Status.PROPOSED)):
        pressed = Action("start", argument=argument)
        before = set(await all_of(table))
        await at_once(house.presses(anna, pressed) for house in houses)
        (new,) = set(await all_of(table)) - before
        assert (await table.loaded(new)).match.status is status


# Who is who


async def test_somebody_who_is_met_by_both_at_once_is_one_person(
    table: Table, houses: tuple[House, House]
) -> None:
    for number, name in enumerate(("Dora", "Emil", "Fritz", "Gerda")):
        met = await asyncio.gather(
            *(
                house.app.names.get_or_create_user("discord", f"{number}", name, handle="dora")
                for house in houses
            )
        )
        assert len({user.id for user in met}) == 1
        assert {user.name for user in met} == {name}
        seen = await people.introduced(table.app.store, "discord", f"{number}")
        assert seen is not None
        assert seen[1] == "dora"


async def test_what_a_platform_delivers_to_both_is_taken_in_once(
    houses: tuple[House, House],
) -> None:
    for number in range(ROUNDS):
        updates = {number * 10 + one: {"n": one} for one in range(3)}
        taken = await asyncio.gather(
            *(inbox.receive(house.app.store, "telegram", updates) for house in houses)
        )
        assert sorted([*taken[0], *taken[1]]) == sorted(updates)


# Boards and messages


async def test_whoever_reads_after_a_stamp_has_missed_nothing_before_it(
    table: Table, houses: tuple[House, House]
) -> None:
    """Two write and one reads: no stamp appears behind one that was there already."""
    store, read = table.app.store, list[int]()
    told, since = asyncio.Event(), await rooms.newest(table.app.store)

    async def write(house: House) -> None:
        for number in range(20):
            await rooms.add(
                house.app.store, table.lounge.id, author_id=None, screen={"text": f"{number}"}
            )

    async def read_on() -> None:
        newest = since
        while not (told.is_set() and newest == await rooms.newest(store)):
            for message in await rooms.news(store, "web", since=newest, limit=1000):
                read.append(message.stamp)
                newest = message.stamp

    reading = asyncio.create_task(read_on())
    await asyncio.gather(*(write(house) for house in houses))
    told.set()
    await reading
    assert read == list(range(since + 1, since + 41))


# What one does, and the other remembers


@pytest.fixture
async def both_know(table: Table, houses: tuple[House, House], anna: Person, ben: Person) -> int:
    """Return an unrated match that both processes have in memory, Anna to move at version 2."""
    match = await table.begin(anna, ben, words="othello unrated")
    for house in houses:
        await match_reading.get(house.app.matches, match)
    return match


async def test_a_press_on_a_board_of_another_house_is_judged_on_what_is_stored(
    houses: tuple[House, House], anna: Person, ben: Person, both_know: int
) -> None:
    here, there = houses
    assert await here.presses(anna, Action("play", both_know, 2, "d3")) == NOTHING
    assert await there.presses(ben, Action("play", both_know, 3, "c3")) == NOTHING
    assert await here.types(anna, "/othello c4") == NOTHING


@pytest.mark.parametrize("other", ["accept", "withdraw"])
async def test_an_offer_that_is_answered_on_both_at_once_is_answered_once(
    table: Table,
    houses: tuple[House, House],
    anna: Person,
    ben: Person,
    both_know: int,
    *,
    other: str,
) -> None:
    here, there = houses
    assert await here.types(anna, "/draw") == NOTHING
    table.clock.forward(A_MOMENT)
    offered = (await match_reading.get(here.app.matches, both_know)).match.version
    doing = [(here, ben, "accept"), (there, ben if other == "accept" else anna, other)]
    answers = await at_once(
        house.presses(person, Action("draw", both_know, offered, answer))
        for house, person, answer in doing
    )
    assert [answer.refused for answer in answers].count(True) == 1
    found = [await house.match(both_know) for house in houses]
    assert found[0] == found[1]
    assert found[0].version == offered + 1


async def test_an_absence_that_both_notice_is_given_back_once_and_makes_nothing_stale(
    table: Table, houses: tuple[House, House], anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="othello 1d")
    await playing.note_clock(table.app.matches)
    seen = (await table.loaded(match)).match
    due = not_none(not_none(seen.clocks).due)
    table.clock.forward(3600)
    await asyncio.gather(*(playing.make_up_downtime(house.app.matches) for house in houses * 2))
    for house in houses:
        now = await house.match(match)
        assert not_none(now.clocks).due == due + 3600
        assert now.version == seen.version + 1
        assert now.is_playable_at(seen.version)


async def test_a_move_and_the_takeback_before_it_at_once_are_one_of_both(
    table: Table, houses: tuple[House, House], anna: Person, ben: Person, both_know: int
) -> None:
    here, there = houses
    for person, move in ((anna, "d3"), (ben, "c3")):
        await here.types(person, f"/othello {move}")
    assert await here.types(ben, "/takeback") == NOTHING
    asked = (await match_reading.get(here.app.matches, both_know)).match.version
    table.clock.forward(A_MOMENT)
    await at_once(
        [
            here.presses(anna, Action("takeback", both_know, asked, "accept")),
            there.presses(anna, Action("step", both_know, asked, "c4")),
        ]
    )
    match = await here.match(both_know)
    found = [ply.notation for ply in match.plies]
    assert (found, match.taken_back) in [(["d3"], 1), (["d3", "c3", "c4"], 0)]


async def test_of_two_typed_moves_at_once_the_one_that_loses_is_tried_again(
    table: Table, houses: tuple[House, House], anna: Person
) -> None:
    """Two marks in Black Box do not mind in which order they are set."""
    match = await anna.starts("/blackbox new")
    for marks in ("a1", "b2"), ("c3", "d4"):
        for house in houses:
            await match_reading.get(house.app.matches, match)
        lines = [f"/blackbox mark {mark}" for mark in marks]
        answers = await at_once(
            house.types(anna, line) for house, line in zip(houses, lines, strict=True)
        )
        assert [a.private and (a.why, a.private.text) for a in answers] == [None, None]
    assert len((await houses[0].match(match)).plies) == 4


async def test_what_somebody_reads_while_another_house_writes_is_not_remembered(
    table: Table,
    houses: tuple[House, House],
    anna: Person,
    ben: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The house hears of the move between what it reads and what it would remember."""
    here, there = houses

    async def moves_after(line: str, reading: str) -> str:
        """Return the move list after a move was played while `line` was answered."""
        match = await table.begin(anna, ben)
        here.app.matches.memory.invalidate()
        load = getattr(match_store, reading)

        async def loaded_and_then_played(store: Store, which: object) -> object:
            found = await load(store, which)
            monkeypatch.setattr(match_store, reading, load)
            await there.presses(anna, Action("play", match, 2, "d3"))
            await here.app.on_remote_change(of_match(match))
            return found

        monkeypatch.setattr(match_store, reading, loaded_and_then_played)
        await here.types(ben, line.format(match))
        return said(await here.types(ben, f"/moves {match}"))

    assert "d3" in await moves_after("/moves", "load_several")
    assert "d3" in await moves_after("/moves {}", "load")


async def test_a_namesake_who_is_challenged_in_another_house_gives_numbers_to_both(
    table: Table, houses: tuple[House, House], anna: Person, ben: Person, cleo: Person
) -> None:
    here, there = houses
    await people.get_or_create_user(table.app.store, "web", "x", name="Ben", handle="benny")
    await table.begin(anna, ben)

    async def name_of_ben() -> str:
        names = here.app.names
        return (await names.display_names([ben.id], Texts("en"), table.lounge.id))[ben.id]

    database = here.app.store.database
    await database.remote_changes()
    assert await name_of_ben() == "Ben"
    assert not (await there.types(cleo, "/othello @benny")).refused
    await database.wait_for_change(5)
    await here.app.on_remote_change(await database.remote_changes())
    assert await name_of_ben() == f"Ben #{ben.id:04}"


class Both(Thinking):
    """Has an answer as soon as both houses want one."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = asyncio.Event(), asyncio.Event()

    async def do(self, task: Task[T]) -> T:
        (self.second if self.first.is_set() else self.first).set()
        await self.second.wait()
        return await super().do(task)


async def test_a_turn_that_two_houses_think_of_is_played_once(
    table: Table, here: House, there: House, anna: Person, logged: list[dict[str, object]]
) -> None:
    await here.types(anna, "/othello computer 1 white")
    match_id = await table.newest()
    here.app.engines = there.app.engines = both = Both()
    thinking = [asyncio.create_task(Computers(here.app).once())]
    await both.first.wait()
    # As if the process had been suspended.
    table.clock.forward(work.SECONDS)
    thinking.append(asyncio.create_task(Computers(there.app).once()))
    await asyncio.gather(*thinking)
    match = await here.match(match_id)
    assert (len(match.plies), match.version) == (1, 2)
    assert await work.next_work(table.app.store) is None
    assert [line for line in logged if line["level"] == "error"] == []


async def test_one_of_two_warns_and_a_move_and_a_claim_happen_one_after_the_other(
    table: Table, anna: Person, ben: Person, houses: tuple[House, House]
) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3,c4")
    for days, field in ((13, "warned"), (1, "stale")):
        await passes(table, days * 24 * 3600 + 1)
        version = (await table.loaded(match_id)).match.version
        at = await match_queries.next_due(table.app.store, Timer.CHECK)
        assert at is not None
        looks = (
            waiting.take_step(house.app.matches, match_id, version=version, at=at, days=14)
            for house in houses
        )
        done = await asyncio.gather(*looks, return_exceptions=True)
        assert sorted(isinstance(one, StaleBoard) for one in done) == [False, True]
        match = await houses[0].match(match_id)
        assert (match.version, getattr(match.wait, field)) == (version + 1, version + 1)
    here, there = houses
    table.clock.forward(A_MOMENT)
    await asyncio.gather(
        here.presses(anna, Action("claim", match_id, match.version)),
        there.presses(ben, Action("play", match_id, match.version, "c5")),
    )
    match = await here.match(match_id)
    assert (match.status is Status.OVER) is (len(match.plies) == 3)
