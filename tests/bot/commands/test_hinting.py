"""Hints: a good move, in private, where a match allows it."""

import asyncio
import re
from typing import Any

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Status
from bot.engines.tasks import Hinted, Task
from bot.engines.workers import Workers
from bot.matches import playing
from bot.screens.pictures import Png
from bot.store import match_queries, work
from games import computer
from tests.bot.table import Person, T, Table, Thinking, buttons, said, screen_of


async def test_against_the_computer_a_hint_is_a_move_with_a_button_that_plays_it(
    table: Table, anna: Person
) -> None:
    match_id = await anna.starts("/othello computer black")
    answer = await anna.presses(buttons(await table.screen(match_id, anna))["Hint"])
    screen = screen_of(answer)
    assert screen.secret
    assert screen.picture is not None
    assert screen.text.startswith("I would play ")
    assert await anna.presses(buttons(answer)["Play it"]) == Answer()
    assert len((await table.loaded(match_id)).match.plies) == 1


@pytest.mark.both
async def test_where_only_another_process_thinks_that_is_said(table: Table, anna: Person) -> None:
    await anna.types("/othello computer black")
    table.app.engines = Workers(0)
    is_shared = table.app.store.is_shared
    gone, elsewhere = ("error-computer-away", "error-thinking-elsewhere")
    if not is_shared:
        gone = elsewhere = "error-no-computer"
    table.clock.forward(work.SECONDS)
    assert said(await anna.types("/hint")) == anna.says(gone)
    await work.note_presence(table.app.store)
    assert said(await anna.types("/hint")) == anna.says(elsewhere)


async def test_the_picture_of_a_hint_marks_the_whole_move(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.types("/moyo computer 1")
    await table.settle()
    draw, marked = table.app.pictures.png, list[tuple[str, ...]]()

    async def watched(*what: Any, **how: Any) -> Png:
        marked.append(what[2].chosen)
        return await draw(*what, **how)

    monkeypatch.setattr(table.app.pictures, "png", watched)
    answer = await anna.types("/hint")
    assert [f"I would play {'='.join(steps)}: " in said(answer) for steps in marked] == [True]
    # No front shows it in public.
    assert (answer.public, answer.private and answer.private.secret) == (None, True)


async def test_who_is_refused_a_hint_since_others_have_theirs_was_not_thought_for(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = await table.arrive("Ben")
    thinkers = Thinking()
    thinkers.count = 1
    table.app.engines = thinkers
    for person in (anna, ben):
        await person.types("/othello computer black", place=person.direct)
    begun, go_on = asyncio.Event(), asyncio.Event()
    think = thinkers.do

    async def slowly(task: Task[T]) -> T:
        begun.set()
        await go_on.wait()
        return await think(task)

    monkeypatch.setattr(thinkers, "do", slowly)
    first = asyncio.create_task(anna.types("/hint", place=anna.direct))
    await begun.wait()
    monkeypatch.setattr("bot.commands.computers._LONGEST", 0.0)
    assert said(await ben.types("/hint", place=ben.direct)) == ben.says("error-thinking-busy")
    go_on.set()
    assert "I would play " in said(await first)
    assert len(thinkers.asked) == 1


async def test_hints_agreed_on_make_a_game_unrated_and_are_for_the_player_to_move(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    await anna.types("/othello @Ben")
    match_id = await table.begin(anna, ben, words="othello hints")
    # With hints it is another challenge than without.
    waiting = await match_queries.in_place(
        table.app.store, table.lounge.id, status=[Status.PROPOSED]
    )
    assert len(waiting) == 1
    loaded = await table.loaded(match_id)
    assert (loaded.match.terms.has_hints, loaded.match.terms.rated) == (True, None)
    assert said(await ben.types("/hint")) == ben.says("error-hint-not-your-turn")
    answer = await cleo.presses(Action("hint", match_id, 1))
    assert said(answer) == cleo.says("error-not-in-match")
    assert "I would play " in said(await anna.types("/hint"))
    await anna.types("/sogo @Ben hints")
    assert "Hints allowed, unrated" in (await table.screen(await table.newest(), anna)).text


async def test_a_rated_match_has_none_and_says_how_to_have_them(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/blackbox new")
    assert "/blackbox new hints" in said(await anna.types("/hint"))
    match_id = await table.begin(anna, ben)
    answer = await anna.types(f"/hint {match_id}")
    assert answer.refused
    assert "/othello @name hints" in said(answer)
    assert "Hint" not in buttons(await table.screen(match_id, anna))
    assert table.app.engines.asked == []  # type: ignore[attr-defined]


async def test_a_hint_for_the_same_position_is_the_same_again(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.types("/othello computer black")
    moves = iter(("d3", "c4"))

    async def wavering(_: Task[object]) -> Hinted:
        return Hinted(next(moves), None, ())

    monkeypatch.setattr(table.app.engines, "do", wavering)
    first, second = said(await anna.types("/hint")), said(await anna.types("/hint"))
    assert first == second


async def test_whoever_has_moved_meanwhile_is_told_to_ask_once_more(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await anna.starts("/othello computer black")
    think = table.app.engines.do

    async def moved(task: Task[object]) -> object:
        hinted = await think(task)
        await playing.play(table.app.matches, match_id, anna.id, "d3")
        return hinted

    monkeypatch.setattr(table.app.engines, "do", moved)
    assert said(await anna.types("/hint")) == anna.says("error-hint-late")


async def test_the_coach_of_a_box_tells_what_is_possible_and_which_questions_tell_most(
    table: Table, anna: Person
) -> None:
    # As long as people wait for it, also where the machine is busy.
    table.app.engines = Thinking(2.0)
    match_id = await anna.starts("/blackbox new size=5 stones=3 hints")
    await anna.types("/blackbox ask 3")
    answer = await anna.types("/hint")
    said_first, best, *others = said(answer).splitlines()
    asked = re.fullmatch(
        r"I would ask at (\d+): the answer should rule out about \d\d?% of the layouts\.",
        said_first,
    )
    assert asked is not None
    assert re.fullmatch(
        rf"\d+ layouts are possible now\. After {asked[1]}, (about \d+|only one) should be left\. "
        r"The rest of the search should cost (one point|[\d.]+ points)\.",
        best,
    )
    assert others
    assert all(re.match(r"Just as good: |More expensive: ", other) for other in others)
    await anna.presses(buttons(answer)["Play it"])
    assert len((await table.loaded(match_id)).match.plies) == 2


async def test_a_hint_that_takes_too_long_is_refused(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.types("/othello computer black")

    async def waits(_: Task[object]) -> object:
        return await asyncio.Event().wait()

    monkeypatch.setattr(table.app.engines, "do", waits)
    monkeypatch.setattr("bot.commands.computers._LONGEST", 0.1)
    assert said(await anna.types("/hint")) == anna.says("error-thinking-slow")
    assert not (await anna.types("/othello d3")).refused


async def test_a_hint_that_fails_says_so_and_the_log_says_no_more_than_its_kind_and_place(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, object]]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(type(computer.engine("othello")), "rank", fail)
    await anna.types("/othello computer black")
    assert said(await anna.types("/hint")) == anna.says("error-thinking-failed")
    (line,) = [line for line in logged if line["event"] == "engine failed"]
    assert (line["task"], line["kind"]) == ("Hint", "ZeroDivisionError")
    assert "a secret" not in str(logged)
