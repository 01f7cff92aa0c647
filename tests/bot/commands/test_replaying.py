"""``/replay``: a match as an animated picture."""

import asyncio
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.domain.actions import Action
from bot.engines.replays import DrawReplay
from bot.engines.tasks import Task
from bot.engines.workers import SearchFailedError
from bot.screens import Screen
from bot.screens.past import view_after
from bot.screens.pictures import SIZE, Gif, Pace
from bot.support.platforms import Medium
from tests.bot.table import Person, Table, Thinking, buttons, said, screen_of

MOVES = ("d3", "c3", "c4", "e3")


@pytest.fixture
async def match_id(table: Table, anna: Person, ben: Person) -> int:
    """Return a match that Anna has resigned after four moves."""
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, ",".join(MOVES))
    await table.given_up(match_id, anna)
    return match_id


async def shown(person: Person, line: str) -> Screen:
    answer = await person.types(line)
    assert not answer.refused, said(answer)
    return screen_of(answer)


def drawn(table: Table) -> list[DrawReplay]:
    thinking: Any = table.app.replays.workers
    return thinking.asked  # type: ignore[no-any-return]


async def test_a_finished_match_is_shown_as_an_animated_picture(
    table: Table, anna: Person, match_id: int
) -> None:
    screen = await shown(anna, "/replay")
    assert isinstance(screen.picture, Gif)
    with Image.open(BytesIO(screen.picture.data)) as film:
        assert film.size == (screen.picture.width, screen.picture.height)
        assert film.width == SIZE
        # One more for viewers that cut the last.
        assert film.n_frames == len(MOVES) + 2  # type: ignore[attr-defined]
    assert "Anna resigned" in screen.text
    assert screen.match == match_id
    assert list(buttons(screen)) == ["Move by move", "Fast", "Slow"]


async def test_it_is_drawn_once_for_all(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben)
    for move in MOVES:
        await table.plays(match_id, move)
    await asyncio.gather(*(one.presses(Action("replay", match_id)) for one in (anna, ben)))
    await anna.presses(Action("replay", match_id))
    assert len(drawn(table)) == 1
    await table.plays(match_id, "f3")
    await anna.presses(Action("replay", match_id))
    assert len(drawn(table)) == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2-3", (3, Pace.NORMAL, False)),
        ("3 – 4 fast", (3, Pace.FAST, False)),
        ("-1 langsam", (2, Pace.SLOW, False)),
        ("4- slow as white", (2, Pace.SLOW, True)),
        ("#{match} als schwarz", (5, Pace.NORMAL, False)),
        ("othello danach 1-99", (5, Pace.NORMAL, True)),
    ],
)
async def test_moves_pace_and_side_are_chosen_in_any_order(
    table: Table, anna: Person, match_id: int, words: str, expected: tuple[int, Pace, bool]
) -> None:
    await shown(anna, f"/replay {words.format(match=match_id)}")
    (task,) = drawn(table)
    assert (len(task.view), task.delay, task.rendering.flipped) == expected


async def test_what_was_typed_goes_along_where_it_is_asked_which_match_is_meant(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for opponent in (ben, cleo):
        await table.plays(await table.begin(anna, opponent), "d3,c3")
    question = await anna.types("/replay 2- schnell")
    await anna.presses(next(iter(buttons(question).values())))
    (task,) = drawn(table)
    assert (len(task.view), task.delay) == (2, Pace.FAST)


async def test_a_stretch_has_no_verdict_and_keeps_when_the_pace_changes(
    table: Table, anna: Person, match_id: int
) -> None:
    screen = await shown(anna, "/replay 2-3 as white")
    assert screen.text == "Moves 2 to 3"
    await anna.presses(buttons(screen)["Slow"])
    first, second = drawn(table)
    assert first.rendering.verdict is not None
    assert not first.rendering.verdict.winners
    assert replace(first, delay=Pace.SLOW) == second


@pytest.mark.parametrize("words", ["5-", "3-2", "0-0", "9999-", "bright", "-", "10-2o"])
async def test_what_it_cannot_show_is_refused(anna: Person, match_id: int, words: str) -> None:
    answer = await anna.types(f"/replay {words}")
    assert answer.refused
    assert said(answer) in (
        anna.says("error-replay-moves", count=len(MOVES), most=400),
        anna.says("error-replay-unknown", word=words, before="/replay "),
    )


async def test_hidden_games_are_replayed_only_after_the_end(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    loaded = await table.loaded(match_id)
    hider = (anna, ben)[min(loaded.turn)]
    await table.plays(match_id, "hide a1")
    for place in (hider.place, hider.direct):
        answer = await hider.presses(Action("replay", match_id), place=place)
        assert said(answer) == hider.says("error-replay-impossible")
    await table.plays(match_id, "hide b2,hide c3,hide d4,hide e5,ready,a1")
    await table.given_up(match_id, hider)
    screen = screen_of(await hider.presses(Action("replay", match_id)))
    assert screen.is_spoiler


async def test_a_replay_shows_each_position_as_its_reader_saw_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    await table.plays(match_id, "hide a1,hide b2,hide c3,hide d4,hide e5,ready,a1")
    await table.given_up(match_id, anna)
    loaded = await table.loaded(match_id)
    count, saw = len(loaded.match.plies), partial(view_after, loaded)
    for person in (anna, ben):
        for place, seat in ((person.place, None), (person.direct, loaded.match.seat_of(person.id))):
            await person.presses(Action("replay", match_id), place=place)
            *earlier, last = drawn(table)[-1].view
            assert earlier == [saw(seat, ply) for ply in range(count)]
            assert last == loaded.view(seat)
            await person.presses(Action("replay", match_id, argument="3-4"), place=place)
            assert list(drawn(table)[-1].view) == [saw(seat, ply) for ply in (2, 3, 4)]


async def test_a_front_without_animations_replays_move_by_move(
    table: Table, anna: Person, match_id: int
) -> None:
    command = replace(await anna.command(), medium=Medium(animates=False))
    screen = screen_of(await table.commands.run_line(command, "/replay 2-"))
    assert (screen.ply, screen.match) == (1, match_id)
    assert not drawn(table)


async def test_a_drawing_that_fails_is_an_apology(
    table: Table, anna: Person, match_id: int
) -> None:
    class Failing(Thinking):
        async def do(self, task: Task[Any]) -> Any:
            raise SearchFailedError("SIGKILL")

    table.app.replays.workers = Failing()
    assert said(await anna.types("/replay")) == anna.says("error-replay-failed")
