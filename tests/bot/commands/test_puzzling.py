"""Puzzles: found by analysis, tried, rated."""

import asyncio
from dataclasses import replace
from typing import Any, TypeVar, cast

import pytest
from sqlalchemy import delete, insert

import games
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.glicko import NEW
from bot.domain.model import EndingKind
from bot.engines.tasks import Task
from bot.loops.analyst import Analyst
from bot.matches import boards as match_boards
from bot.matches import playing
from bot.matches.erasing import erase
from bot.screens import Screen
from bot.store import analyses, match_queries, personal_data, puzzles, upkeep
from bot.store.schema import puzzle_ratings
from bot.support.platforms import Medium
from games.computer import Candidate
from tests.bot.posed import pose, puzzle, try_puzzle
from tests.bot.store.looking import statements
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table, Thinking, buttons, every_token, said, screen_of

T = TypeVar("T")

FIRST = ("d3", "c3", "c4", "e3")
OF_TWO = ("morris", "moyo", "othello", "sogo")


class Oracle(Thinking):
    """Knows one clearly best move in place of the second one; asked again it may waver."""

    count = 1

    def __init__(self, *, wavers: bool = False, second: float = 0.3, stops: bool = False) -> None:
        super().__init__()
        self._wavers, self._second, self._stops = wavers, second, stops
        self.is_stopped = asyncio.Event()

    async def do(self, task: Task[T]) -> T:
        return cast("T", await self._ranked(task))

    async def _ranked(self, task: Task[Any]) -> tuple[Candidate[str], ...]:
        at = len(self.asked)
        self.asked.append(task)
        if at == len(FIRST) and self._stops:
            self.is_stopped.set()
            await asyncio.Event().wait()
        moves = [games.get("othello").notation(one) for one in task.view.moves(task.seat)]
        is_again = at >= len(FIRST)
        best = "e3" if is_again and self._wavers else "c5" if is_again or at == 1 else FIRST[at]
        second = self._second if is_again or at == 1 else 0.6
        line = (best, "f6") if best == "c5" else (best,)
        others = [Candidate(one, second, (one,), is_exact=False) for one in moves if one != best]
        return (Candidate(best, 0.7, line, is_exact=False), *others)


@pytest.fixture
async def over(table: Table, anna: Person, ben: Person) -> int:
    """Finish a match of Anna and Ben in which c5 would have won instead of c3."""
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, ",".join(FIRST))
    await table.given_up(match_id, ben)
    await table.settle()
    return match_id


async def looked_back_on(table: Table, anna: Person, oracle: Oracle) -> None:
    table.app.engines = oracle
    await anna.types("/analyse")
    await table.settle()


async def begun(person: Person, line: str = "/puzzle othello") -> int:
    """Start a puzzle for the person and return its match."""
    answer = await person.types(line)
    assert answer.board_in_dm, answer
    return answer.board_in_dm


async def board(table: Table, match_id: int, person: Person) -> Screen:
    seat = (await table.loaded(match_id)).match.seat_of(person.id)
    return await table.screen(match_id, person, seat=seat)


async def menu(person: Person) -> Screen:
    return screen_of(await person.types("/play"))


async def strength(table: Table, person: Person, game: str = "othello") -> tuple[int, int, int]:
    """Return a person's puzzle rating, attempts and solved puzzles."""
    every = await puzzles.of_user(table.app.store, person.id)
    found = every.get(game, puzzles.Strength(NEW, 0))
    return round(found.rating.value), found.rating.matches, found.solved


async def test_a_match_that_was_looked_back_on_brings_others_a_puzzle_and_its_solution(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    await looked_back_on(table, anna, Oracle())
    match_id = await begun(cleo)
    asked = await board(table, match_id, cleo)
    assert asked.title == "Puzzle · Othello"
    assert asked.text.splitlines()[0] == "Find the best move for White ⚪."
    assert [side.name for side in asked.sides] == ["Black", "White"]
    assert list(buttons(asked)) == ["Show solution", "Rules"]
    assert await cleo.types("/othello c5", place=cleo.direct) == Answer()
    solved = await board(table, match_id, cleo)
    assert solved.text.splitlines()[:4] == [
        "Best move! Puzzle solved.",
        "Best: c5 f6",
        "Winning chances: 70%, with the next best move 30%",
        "Your puzzle rating: 1662 (+162). This puzzle: 1500",
    ]
    # A forwarded picture does not give it away.
    assert (solved.is_spoiler, solved.spoilers) == (True, ("Best: c5 f6",))
    assert not asked.is_spoiler
    assert list(buttons(solved)) == ["Next puzzle", "Rules"]
    # How well they have done is theirs to know.
    assert "rating" not in (await board(table, match_id, anna)).text
    assert "rating" not in (await table.screen(match_id)).text
    # It was the only one.
    none = await cleo.presses(buttons(solved)["Next puzzle"])
    assert said(none) == cleo.says("error-puzzle-none", platform="web")


async def test_players_of_the_match_are_given_its_puzzle_only_four_weeks_later(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    await looked_back_on(table, anna, Oracle())
    for seconds in (0, puzzles.OWN_AFTER - 60):
        table.clock.forward(seconds)
        for person in (anna, ben):
            answer = await person.types("/puzzle othello")
            assert answer.refused
            assert said(answer) == person.says("error-puzzle-none", platform="web")
    table.clock.forward(60)
    assert (await board(table, await begun(anna), anna)).title == "Puzzle · Othello"


@pytest.mark.slow
async def test_who_has_seen_the_analysis_is_given_its_puzzle_four_weeks_later(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    await looked_back_on(table, anna, Oracle())
    dora, emil = await table.arrive("Dora"), await table.arrive("Emil")
    readers = ((cleo, "past"), (emil, "analyse"))
    for reader, way in readers:
        assert not (await reader.presses(Action(way, over, 0))).refused
        assert (await reader.types("/puzzle othello")).refused
    assert (await dora.types("/puzzle othello")).board_in_dm
    # The date is renewed a day later.
    table.clock.forward(2 * 24 * 3600)
    for reader, way in readers:
        await reader.presses(Action(way, over, 0))
    table.clock.forward(puzzles.OWN_AFTER - 60)
    await upkeep.purge(table.app.store)
    for reader, _ in readers:
        assert (await reader.types("/puzzle othello")).refused
        assert (await personal_data.export(table.app.store, reader.id))["looks back"]
    table.clock.forward(60)
    await upkeep.purge(table.app.store)
    for reader, _ in readers:
        assert (await personal_data.export(table.app.store, reader.id))["looks back"] == []
        assert (await reader.types("/puzzle othello")).board_in_dm


async def test_a_look_that_was_noted_by_a_clock_that_was_ahead_counts_from_the_next_one_on(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    await looked_back_on(table, anna, Oracle())
    table.clock.forward(puzzles.OWN_AFTER)
    await cleo.presses(Action("past", over, 0))
    table.clock.forward(-puzzles.OWN_AFTER)
    for is_noted in (True, False):
        with statements() as sent:
            await cleo.presses(Action("past", over, 0))
        assert any("INTO looks_back" in one for one, _ in sent) == is_noted
    assert (await cleo.types("/puzzle othello")).refused
    table.clock.forward(puzzles.OWN_AFTER)
    assert (await cleo.types("/puzzle othello")).board_in_dm


async def test_who_has_seen_the_same_position_in_another_match_is_not_asked_either(
    table: Table, cleo: Person, over: int
) -> None:
    dora, emil, finn = [await table.arrive(name) for name in ("Dora", "Emil", "Finn")]
    store, found = table.app.store, puzzle(plies=1, match_id=over)
    await pose(store, found)
    again = await table.begin(cleo, dora)
    await puzzles.record_analysis_view(store, emil.id, again)
    await pose(store, replace(found, match_id=again))
    for person in (cleo, dora, emil):
        assert (await person.types("/puzzle othello")).refused, person.name
    assert (await finn.types("/puzzle othello")).board_in_dm


async def test_a_puzzle_is_not_rated_after_a_look_at_its_analysis(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    await looked_back_on(table, anna, Oracle())
    match_id = await begun(cleo)
    assert not (await cleo.presses(Action("past", over, 0))).refused
    await cleo.types("/othello c5", place=cleo.direct)
    assert (await board(table, match_id, cleo)).text.startswith("Best move! Puzzle solved.")
    assert await strength(table, cleo) == (1500, 0, 0)


async def test_a_puzzle_is_shown_to_one_person_alone_before_and_after_its_end(
    table: Table, anna: Person, cleo: Person
) -> None:
    await pose(table.app.store, puzzle(plies=1))
    match_id = await begun(cleo)
    told = [await cleo.types(f"/moves {match_id}")]
    told += [await cleo.presses(Action(verb, match_id, 0)) for verb in ("past", "alt", "flip")]
    assert all(screen_of(answer).secret for answer in told)
    for _ in range(2):
        shown = await cleo.types(f"/board {match_id}")
        assert (shown.board_in_dm, shown.public) == (match_id, None)
        await table.settle()
        assert {post.place for post in table.wall.of(match_id)} == {cleo.direct.id}
        assert (await anna.types(f"/board {match_id}")).refused
        loaded = await table.loaded(match_id)
        with pytest.raises(Refused, match="puzzle-here"):
            await match_boards.show(table.app.matches, loaded, table.lounge, user_id=cleo.id)
        if not loaded.match.ending:
            await playing.resign(table.app.matches, match_id, cleo.id)


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"wavers": True}, {"second": 0.5}])
async def test_what_a_second_look_does_not_find_or_another_move_does_as_well_is_none(
    table: Table, anna: Person, cleo: Person, over: int, how: dict[str, Any]
) -> None:
    await looked_back_on(table, anna, Oracle(**how))
    assert (await cleo.types("/puzzle othello")).refused
    assert await analyses.next_work(table.app.store) is None


async def test_a_house_that_ends_before_a_puzzle_is_kept_finds_it_after_the_next_start(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    table.app.engines = first = Oracle(stops=True)
    await anna.types("/analyse")
    at_work = asyncio.create_task(Analyst(table.app).once())
    await first.is_stopped.wait()
    # The person does not wait for that and may ask for another puzzle.
    assert "Accuracy" in said(await anna.types("/analyse"))
    at_work.cancel()
    await asyncio.wait([at_work])
    await table.restart()
    table.app.engines = second = Oracle()
    second.asked += first.asked[: len(FIRST)]
    await table.settle()
    assert len(second.asked) == len(FIRST) + 1
    assert await begun(cleo)


async def test_another_move_has_missed_it_and_the_solution_is_told(
    table: Table, cleo: Person
) -> None:
    await pose(table.app.store, puzzle(plies=1, best="c5", line=("c5", "f6")))
    match_id = await begun(cleo)
    loaded = await table.loaded(match_id)
    other = next(move for move in loaded.position.moves(1) if loaded.game.notation(move) != "c5")
    await cleo.clicks(match_id, *loaded.game.steps(other))
    missed = await board(table, match_id, cleo)
    played = loaded.game.notation(other)
    assert missed.text.splitlines()[:3] == [
        "Not solved this time.",
        f"You played {played}. The board shows the best move.",
        "Best: c5 f6",
    ]
    record = said(await cleo.types(f"/moves {match_id}"))
    assert record.split()[:2] == ["White", "Black"]
    # On the board is what was to be found.
    assert missed.alt.startswith("Solution: White played c5, flipping d5.")
    assert await strength(table, cleo) == (1338, 1, 0)
    assert "Puzzles, Othello: rating 1338?, 0 of 1 solved" in said(await cleo.types("/stats"))


async def test_who_wants_to_be_told_is_asked_once_more_and_has_not_solved_it(
    table: Table, ben: Person
) -> None:
    await pose(table.app.store, puzzle(plies=1))
    match_id = await begun(ben, "/rätsel othello")
    shown = buttons(await board(table, match_id, ben))
    sure = await ben.presses(shown["Lösung zeigen"], place=ben.direct)
    assert said(sure) == ben.says("puzzle-sure")
    assert (await table.loaded(match_id)).match.ending is None
    await ben.presses(buttons(sure)["Ja, zeigen"], place=ben.direct)
    told = await board(table, match_id, ben)
    assert told.title == "Rätsel · Othello"
    assert told.text.startswith("Diesmal nicht gelöst.\nAm besten: ")
    assert await strength(table, ben) == (1338, 1, 0)


async def test_a_puzzle_of_every_game_is_solved_by_the_steps_of_its_best_move(
    table: Table, cleo: Person
) -> None:
    for game_id in OF_TWO:
        one = puzzle(game_id, plies=20)
        await pose(table.app.store, one)
        match_id = await begun(cleo, f"/puzzle {game_id}")
        loaded = await table.loaded(match_id)
        asked = await board(table, match_id, cleo)
        assert asked.picture
        move = loaded.game.parse(loaded.view(one.seat), one.seat, one.best)
        await cleo.clicks(match_id, *loaded.game.steps(move))
        ending = (await table.loaded(match_id)).match.ending
        assert ending is not None
        assert ending.kind is EndingKind.SOLVED
        assert (await board(table, match_id, cleo)).text.startswith(cleo.says("ending-solved"))


async def test_nothing_that_is_shown_before_tells_how_it_would_go_on(
    table: Table, cleo: Person
) -> None:
    one = puzzle(plies=1, best="c5", line=("c5", "b7"))
    await pose(table.app.store, one)
    match_id = await begun(cleo)
    asked = await board(table, match_id, cleo)
    told = [asked.title, asked.text, *every_token(asked), *(one.label for one in asked.choices)]
    assert "b7" not in " ".join(told[:2])
    exported = await personal_data.export(table.app.store, cleo.id)
    assert [(row["game"], row["solved"]) for row in exported["puzzles"]] == [("othello", None)]
    assert not {"best", "line", "setup"} & exported["puzzles"][0].keys()
    assert [row["setup"] for row in exported["matches"]] == [None]


async def test_one_that_is_open_is_shown_again_and_none_is_given_twice(
    table: Table, cleo: Person
) -> None:
    await pose(table.app.store, puzzle(plies=1), puzzle(plies=2))
    first = await begun(cleo)
    assert await begun(cleo) == first
    assert await begun(cleo, "/puzzle") == first
    await cleo.presses(buttons(await board(table, first, cleo))["Show solution"], place=cleo.direct)
    assert await begun(cleo) == first
    await playing.resign(table.app.matches, first, cleo.id)
    second = await begun(cleo)
    assert second != first
    await playing.resign(table.app.matches, second, cleo.id)
    assert (await cleo.types("/puzzle")).refused


@pytest.mark.both
async def test_who_presses_twice_has_one_and_two_who_solve_the_same_are_both_counted(
    table: Table, anna: Person, cleo: Person
) -> None:
    one = puzzle(plies=1)
    await pose(table.app.store, one, puzzle(plies=2), one)
    twice = await cleo.at_once("/puzzle othello", "/puzzle othello")
    assert len({answer.board_in_dm for answer in twice}) == 1
    store, matches = table.app.store, table.app.matches
    (hers,) = {answer.board_in_dm for answer in twice}
    tried = (await table.loaded(hers)).match.puzzle
    assert tried is not None
    found = await puzzles.nearest(store, anna.id, game="othello", rules=1, limit=9)
    same = next(one for one in found if one.id == tried.id)
    annas = await try_puzzle(table, anna, same)
    await asyncio.gather(
        playing.play(matches, hers, cleo.id, tried.best),
        playing.play(matches, annas.match.id, anna.id, tried.best),
    )
    decided = [(await table.loaded(match_id)).match.puzzle for match_id in (hers, annas.match.id)]
    # The second solver meets a lower rating of the puzzle.
    assert sorted(round(one.value or 0) for one in decided if one) == [1338, 1500]
    assert await strength(table, anna) != await strength(table, cleo)


async def test_it_is_looked_for_among_those_that_are_about_as_hard_as_somebody_is_strong(
    table: Table, anna: Person, cleo: Person
) -> None:
    store = table.app.store
    await pose(store, *(puzzle(plies=plies) for plies in range(1, 5)))
    for solved in (True, False):
        match_id = await begun(anna)
        tried = (await table.loaded(match_id)).match.puzzle
        assert tried is not None
        if solved:
            await playing.play(table.app.matches, match_id, anna.id, tried.best)
        else:
            await playing.resign(table.app.matches, match_id, anna.id)

    async def nearest(value: int, limit: int) -> list[int]:
        rated = {"user_id": cleo.id, "game": "othello", "value": value, "deviation": 99}
        await execute(
            store,
            delete(puzzle_ratings),
            insert(puzzle_ratings).values(**rated, volatility=0.06, at=0, attempts=1, solved=1),
        )
        found = await puzzles.nearest(store, cleo.id, game="othello", rules=1, limit=limit)
        return [one.id for one in found]

    # One is easier now, one harder; two are as they were.
    (easiest,), (hardest,) = await nearest(0, 1), await nearest(3000, 1)
    assert easiest != hardest
    assert not {easiest, hardest} & set(await nearest(1500, 2))
    assert (await nearest(1450, 4))[2:] == [easiest, hardest]


async def test_next_leads_to_an_open_puzzle_after_all_games(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await pose(table.app.store, puzzle(plies=1))
    puzzle_id = await begun(anna)
    elsewhere = await table.channel("elsewhere")
    assert await anna.types("/next", place=elsewhere) == Answer(board_in_dm=match_id)
    await table.plays(match_id, "d3")
    assert await anna.types("/next") == Answer(board_in_dm=puzzle_id)
    # The page has no puzzles in its list of games.
    web = replace(await anna.command(), medium=Medium(opens_boards=True))
    assert await table.commands.run_line(web, "/next") == Answer(board_in_dm=puzzle_id)
    await playing.resign(table.app.matches, puzzle_id, anna.id)
    assert said(await anna.types("/next")) == anna.says("next-none")


async def test_it_is_no_match_that_anybody_plays(table: Table, anna: Person, cleo: Person) -> None:
    await pose(table.app.store, puzzle(plies=1))
    match_id = await begun(cleo)
    for line, why in (
        (f"/hint {match_id}", "error-hint-puzzle"),
        (f"/draw {match_id}", "error-offer-puzzle"),
        (f"/abort {match_id}", "error-offer-puzzle"),
        (f"/takeback {match_id}", "error-offer-puzzle"),
    ):
        assert said(await cleo.types(line, place=cleo.direct)) == cleo.says(why), line
    await playing.resign(table.app.matches, match_id, cleo.id)
    assert said(await cleo.types(f"/analyse {match_id}")) == cleo.says("error-analyse-puzzle")
    assert said(await cleo.types("/analyse")) == cleo.says("error-analyse-none")
    # Nor do they look for it among what they have played.
    assert (await cleo.types("/matches")).private == Screen(
        text=cleo.says("matches-none", platform="web")
    )
    assert await match_queries.last_level(table.app.store, cleo.id, game="othello") is None
    export = await personal_data.export(table.app.store, cleo.id)
    assert export["results"] == export["standings"] == export["ratings"] == []


async def test_a_puzzle_is_asked_for_by_a_game_that_has_one(table: Table, cleo: Person) -> None:
    answer = await cleo.types("/puzzle blackbox")
    assert said(answer) == (
        "Black Box has no puzzles. Try: Nine Men's Morris, Othello, Sogo, Sudoku Moyo"
    )
    # One of older rules is not given.
    await pose(table.app.store, puzzle(plies=1, rules=99))
    none = cleo.says("error-puzzle-none", platform="web")
    assert said(await cleo.types("/puzzle othello")) == none
    await pose(table.app.store, puzzle("sogo", plies=2), puzzle("moyo", plies=2))
    assert said(await cleo.types("/puzzle othello")) == cleo.says(
        "error-puzzle-none-of", game="Othello", games="Sogo, Sudoku Moyo"
    )
    # In the person's direct chat the board comes where they are.
    assert await cleo.types("/puzzle", place=cleo.direct) == Answer()
    await table.settle()
    assert [post.place for post in table.wall.shown] == [cleo.direct.id]


async def test_the_menu_of_games_leads_to_one_as_long_as_there_is_one(
    table: Table, cleo: Person
) -> None:
    label = "Puzzle"
    assert label not in buttons(await menu(cleo))
    await pose(table.app.store, puzzle("sogo", plies=2))
    pressed = await cleo.presses(buttons(await menu(cleo))[label])
    assert pressed.board_in_dm
    # The one that they have before them it leads to as well.
    again = await cleo.presses(buttons(await menu(cleo))[label])
    assert again.board_in_dm == pressed.board_in_dm
    await playing.resign(table.app.matches, pressed.board_in_dm, cleo.id)
    assert label not in buttons(await menu(cleo))
    # Another one of the same game comes first.
    await pose(table.app.store, puzzle("othello"), puzzle("sogo", plies=4))
    assert buttons(await menu(cleo))[label].action.argument == "sogo"


@pytest.mark.both
async def test_who_is_erased_leaves_no_rating_and_the_puzzle_stays_for_others(
    table: Table, anna: Person, ben: Person, cleo: Person, over: int
) -> None:
    await looked_back_on(table, anna, Oracle())
    store = table.app.store
    match_id = await begun(cleo)
    await playing.resign(table.app.matches, match_id, cleo.id)
    found = await personal_data.export(store, cleo.id)
    assert [(row["solved"], row["match_id"]) for row in found["puzzles"]] == [(False, match_id)]
    assert [row["attempts"] for row in found["puzzle ratings"]] == [1]
    for person in (cleo, anna):
        await personal_data.erase(store, person.id, name="Former")
    found = await personal_data.export(store, cleo.id)
    assert found["puzzle ratings"] == []
    # That the match was a puzzle stays, as the match does.
    (row,) = found["puzzles"]
    assert (row["value_before"], row["value_after"]) == (None, None)
    # Who goes before it is decided has not missed it: only Cleo has.
    dora, emil = await table.arrive("Dora"), await table.arrive("Emil")
    open_one = await begun(dora)
    await erase(store, table.app.matches, dora.id)
    await table.app.on_remote_change()
    left = await table.screen(open_one)
    assert left.title == "Puzzle · Othello"
    match_id = await begun(emil)
    await emil.types("/othello c5", place=emil.direct)
    tried = (await table.loaded(match_id)).match.puzzle
    assert tried is not None
    assert round(tried.value or 0) == 1662
