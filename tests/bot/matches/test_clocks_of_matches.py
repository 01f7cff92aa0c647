"""Matches with clocks: chosen, running, ended by time; and what no clock may do."""

import asyncio
from random import Random

import pytest
from sqlalchemy import update

import renderers
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.clocks import Clock
from bot.domain.model import Ending, EndingKind, Match, Status
from bot.matches import playing
from bot.screens import parts_of
from bot.screens.wording import banks_in_digits
from bot.store import key_values, match_queries
from bot.store.match_queries import Timer
from bot.store.schema import OURS, matches
from bot.support.texts import Texts
from renderers import RenderOptions
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table, buttons, said
from tests.games.playing import CASES, Case, some
from tests.optional import not_none

MINUTE, HOUR, A_DAY = 60, 3600, 24 * 3600


async def passes(table: Table, seconds: int) -> None:
    """Let time pass while the bot runs."""
    await table.upkeep._record_clock()
    table.clock.forward(seconds)
    now = table.app.store.now()
    await key_values.remember(table.app.store, OURS, "clock", f"{now - seconds} {now}")


async def goes_by(table: Table, seconds: int) -> None:
    """Let time pass and do what is due."""
    await passes(table, seconds)
    await table.settle()


async def away(table: Table, seconds: int) -> None:
    """Let time pass while the bot is down."""
    await table.upkeep._record_clock()
    table.clock.forward(seconds)


async def match_of(table: Table, match_id: int) -> Match:
    return (await table.loaded(match_id)).match


async def begin(table: Table, anna: Person, ben: Person, clock: str = "1d") -> int:
    """Start a match and play a move of each, so that a timeout loses."""
    return await table.begin(anna, ben, words=f"othello {clock}", moves="d3,c3")


# Which there are


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("3d", "3d"), ("Bedenkzeit=3t", "3d"), ("time=600s+5sec", "10m+5s"), ("10d+36std", "10d+36h")],
)
async def test_a_clock_is_asked_for_by_a_word_in_either_language(
    table: Table, anna: Person, ben: Person, typed: str, stored: str
) -> None:
    await anna.types(f"/othello @Ben {typed}")
    match = await match_of(table, await table.newest())
    assert str(match.terms.clock) == stored
    assert match.clocks is None, "it has not begun"


@pytest.mark.parametrize("typed", ["4d", "clock=", "179s+5s", "10d+37h", "3d+"])
async def test_a_clock_that_does_not_exist_is_refused_with_those_that_do(
    table: Table, anna: Person, ben: Person, typed: str
) -> None:
    answer = await anna.types(f"/challenge @Ben othello {typed}")
    assert answer.refused
    if typed != "3d+":
        assert "Days per turn: 1, 2, 3, 5, 7, 14," in said(answer)
    with pytest.raises(IndexError):
        await table.newest()


async def test_who_plays_alone_has_no_clock(table: Table, anna: Person) -> None:
    assert said(await anna.types("/blackbox new clock=3d")) == anna.says("error-clock-alone")
    assert await anna.types("/blackbox new") == Answer()
    assert (await match_of(table, await table.newest())).clocks is None


async def test_a_challenge_says_its_clock_and_another_match_has_the_same_one(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello @Ben 10m+5s")
    assert "10 min + 5 s per move" in (await table.screen(match_id, anna)).text
    assert "10 Min. + 5 Sek. je Zug" in (await table.screen(match_id, ben)).text
    await ben.types("/accept")
    await table.plays(match_id, "d3")
    await table.given_up(match_id, anna)
    await ben.presses(Action("again", match_id))
    again = await match_of(table, await table.newest())
    assert again.id != match_id
    assert again.terms.clock == Clock(600, 5)


async def test_a_place_says_which_clock_is_usual_there_and_who_asks_has_another(
    table: Table, anna: Person, ben: Person
) -> None:
    anna.can_manage = True
    assert "Clock: 3 days per turn" in buttons(await anna.presses("here:0:0:clock.3d"))
    for words, clock in (("", Clock(3 * A_DAY)), ("7d", Clock(7 * A_DAY)), ("clock=none", None)):
        await anna.types(f"/othello @Ben {words}")
        assert (await match_of(table, await table.newest())).terms.clock == clock
    # The start card begins with it, and says another one if it is pressed.
    menu = await anna.types("/play sogo")
    assert not_none(not_none(menu.private).start).clock.chosen == "3d"
    menu = await anna.presses(buttons(menu)["Options"])
    menu = await anna.presses(buttons(menu)["Clock: 3 days per turn"])
    assert await anna.presses(buttons(menu)[anna.says("button-start-open")]) == Answer()
    assert (await match_of(table, await table.newest())).terms.clock == Clock(7 * A_DAY)


async def test_a_button_with_a_clock_that_was_never_offered_begins_nothing(
    table: Table, anna: Person
) -> None:
    for clock in ("4d", "600s+5s", "x"):
        assert (await anna.presses(f"start:0:0:othello.0.c{clock}")).refused
    with pytest.raises(IndexError):
        await table.newest()


# As they run


async def test_a_turn_takes_from_the_bank_and_adds_to_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello 10m+5s")
    began = table.app.store.now()
    running = not_none((await match_of(table, match_id)).clocks)
    assert (running.banks, running.since, running.due) == ((600, 600), began, began + 600)
    await passes(table, 100)
    await table.plays(match_id, "d3")
    running = not_none((await match_of(table, match_id)).clocks)
    assert (running.banks, running.since, running.due) == ((505, 600), began + 100, began + 700)
    await passes(table, 30)
    await table.plays(match_id, "c3")
    running = not_none((await match_of(table, match_id)).clocks)
    assert running.banks == (505, 575)
    assert running.due == began + 130 + 505
    await table.restart()
    assert (await match_of(table, match_id)).clocks == running


async def test_moves_that_leave_somebody_on_turn_give_them_no_time(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox mode=hide stones=3 3m+5s")
    due = [running.due for running in [(await match_of(table, match_id)).clocks] if running]
    for seconds, move in ((10, "hide a1"), (20, "hide b2"), (30, "hide c3")):
        await passes(table, seconds)
        await table.plays(match_id, move)
        running = not_none((await match_of(table, match_id)).clocks)
        assert [running.due] == due
    await table.plays(match_id, "ready")
    running = not_none((await match_of(table, match_id)).clocks)
    assert running.banks == (180, 180 - 60 + 5), "the second seat hides first"


async def test_an_offer_stops_no_clock_and_a_takeback_gives_nothing_back(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello 10m+5s unrated")
    await passes(table, 60)
    await table.plays(match_id, "d3")
    running = (await match_of(table, match_id)).clocks
    await passes(table, 20)
    await anna.types("/takeback")
    assert (await match_of(table, match_id)).clocks == running
    await passes(table, 20)
    await ben.types("/takeback")
    now = table.app.store.now()
    after = not_none((await match_of(table, match_id)).clocks)
    assert (after.banks, after.since, after.due) == ((545, 560), now, now + 545)
    await table.restart()
    assert (await match_of(table, match_id)).clocks == after


async def test_a_board_says_when_time_ends_and_what_each_side_has(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello 10m+5s")
    await passes(table, 70)
    await table.plays(match_id, "d3")
    due = table.app.store.now() + 600
    for person in (anna, ben):
        screen = await table.screen(match_id, person)
        moment = Texts(person.locale).moment(due)
        assert screen.due == (moment, due)
        assert [part.at for part in parts_of(screen)] == [None, due, None]
        assert person.says("board-due", when=moment) in screen.text
        # In words, the deadline is in the reader's own time zone.
        in_words = not_none((await person.presses(Action("alt", match_id))).private)
        assert [part.at for part in parts_of(in_words)] == [None, due, None]
        spans = person.says("span-m", count=8), person.says("span-s", count=55)
        stands = person.says("board-bank", name="Anna", time=" ".join(spans))
        # His own runs: that is true whenever it is read.
        runs = person.says("board-bank-runs", name="Ben", time=person.says("span-m", count=10))
        assert f"{stands} · {runs}" in screen.text
        assert f"{stands} · {runs}" in screen.alt
    untimed = await table.screen(await table.begin(anna, ben), anna)
    assert untimed.due is None
    await table.given_up(match_id, anna)
    over = await table.screen(match_id, anna)
    assert over.due is None
    assert anna.says("span-m", count=10) not in over.text


# How they end


async def test_who_runs_out_of_time_loses_and_both_are_told_once(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await passes(table, A_DAY)
    await table.settle()
    assert await table.status(match_id) is Status.RUNNING, "the last second is theirs"
    await passes(table, 1)
    for _ in range(2):
        await table.settle()
    match = await match_of(table, match_id)
    assert match.ending == Ending(EndingKind.TIMEOUT, 0)
    assert not_none(match.outcome).winners == {1}
    assert not_none(match.clocks).due is None
    ends = [notice for _, notice in table.wall.told if "ran out of time" in notice.text]
    assert len(ends) == 1
    assert {one.name for one in ends[0].recipients} == {"Anna", "Ben"}
    assert await match_queries.next_due(table.app.store, Timer.TIMEOUT) is None


async def test_who_never_moved_loses_nothing_and_the_match_counts_for_nobody(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello 1d")
    await passes(table, A_DAY + 1)
    await table.settle()
    match = await match_of(table, match_id)
    assert match.ending == Ending(EndingKind.ABANDONED, 0)
    assert match.outcome is None


async def test_a_move_in_the_second_of_the_end_counts_and_one_after_it_does_not(
    table: Table, anna: Person, ben: Person
) -> None:
    first, late = await begin(table, anna, ben), await begin(table, anna, ben)
    await passes(table, A_DAY)
    loaded = await table.loaded(first)
    assert await anna.presses(Action("play", first, loaded.match.version, "c4")) == Answer()
    await passes(table, 1)
    before = await table.loaded(late)
    answer = await anna.presses(Action("play", late, before.match.version, "c4"))
    assert answer.refused
    assert said(answer) == anna.says("error-too-late")
    after = await table.loaded(late)
    assert after.match.plies == before.match.plies
    assert after.match.ending == Ending(EndingKind.TIMEOUT, 0)
    await table.settle()
    assert await table.status(first) is Status.RUNNING


@pytest.mark.parametrize("line", ["/resign", "/draw"])
async def test_nothing_is_done_in_a_match_whose_time_is_over(
    table: Table, anna: Person, ben: Person, line: str
) -> None:
    match_id = await begin(table, anna, ben)
    await passes(table, A_DAY + 1)
    answer = await ben.types(line)
    if line == "/resign":
        answer = await ben.presses(buttons(answer)[ben.says("button-resign-sure")])
    assert said(answer) == ben.says("error-too-late")
    assert (await match_of(table, match_id)).ending == Ending(EndingKind.TIMEOUT, 0)


async def test_who_has_no_part_in_a_match_ends_it_by_no_move(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await passes(table, A_DAY + 1)
    assert (await cleo.presses(Action("play", match_id, 4, "c4"))).refused
    assert await table.status(match_id) is Status.RUNNING


async def test_a_move_and_the_look_for_the_end_of_its_time_are_one_or_the_other(
    table: Table, anna: Person, ben: Person
) -> None:
    for delay in (0, 2, 4):
        match_id = await begin(table, anna, ben)
        await passes(table, A_DAY)
        version = (await match_of(table, match_id)).version
        press = asyncio.create_task(anna.presses(Action("play", match_id, version, "c4")))
        for _ in range(delay):
            await asyncio.sleep(0)
        await passes(table, 1)
        await table.settle()
        answer = await press
        match = await match_of(table, match_id)
        assert (answer == Answer()) == (len(match.plies) == 3) == (match.ending is None)


async def test_the_end_of_time_is_a_draw_where_the_other_side_had_no_way_left_to_win(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox mode=hide size=5 stones=3 1d unrated")
    # The first seeker used no points, so the opponent cannot beat that.
    for move in ("hide a1", "hide b2", "hide c3", "ready"):
        await table.plays(match_id, move)
    for move in ("mark a1", "mark b2", "mark c3", "guess", "hide a1"):
        await table.plays(match_id, move)
    loaded = await table.loaded(match_id)
    (on_turn,) = loaded.turn
    await passes(table, A_DAY + 1)
    await table.settle()
    match = await match_of(table, match_id)
    assert match.ending == Ending(EndingKind.TIMEOUT, on_turn)
    assert not_none(match.outcome).is_draw
    name = "Anna" if match.seat_of(anna.id) == on_turn else "Ben"
    shown = await table.screen(match_id, anna)
    assert anna.says("ending-timeout-draw", name=name) in shown.text


# The house was away


async def test_time_in_which_no_house_was_there_is_given_back_and_each_match_says_so_once(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id, untimed = await begin(table, anna, ben), await table.begin(anna, ben)
    before = await match_of(table, match_id)
    await passes(table, HOUR)
    await away(table, 3 * A_DAY)
    await table.restart()
    await table.upkeep.begin()
    await table.settle()
    match = await match_of(table, match_id)
    assert match.status is Status.RUNNING
    clocks = not_none(match.clocks)
    assert clocks.due == not_none(not_none(before.clocks).due) + 3 * A_DAY
    assert clocks.left(table.app.store.now()) == A_DAY - HOUR
    words = anna.says("board-given-back", time="3 days")
    assert words in (await table.screen(match_id, anna)).text
    assert words not in (await table.screen(untimed, anna)).text
    assert [post.version for post in table.wall.of(match_id)] == [match.version]
    await table.restart()
    assert words in (await table.screen(match_id, anna)).text
    # A move on the board of that time counts, and later answers do not mention it.
    assert await anna.presses(Action("play", match_id, before.version, "c4")) == Answer()
    assert words not in (await table.screen(match_id, anna)).text


async def test_a_minute_away_is_given_to_nobody(table: Table, anna: Person, ben: Person) -> None:
    match_id = await begin(table, anna, ben)
    before = await match_of(table, match_id)
    await away(table, MINUTE)
    await table.upkeep.begin()
    assert await match_of(table, match_id) == before


async def test_a_move_that_comes_before_anybody_noticed_the_absence_is_in_time(
    table: Table, anna: Person, ben: Person
) -> None:
    """As when a machine wakes up by a message."""
    match_id = await begin(table, anna, ben)
    await away(table, 2 * A_DAY)
    assert await anna.types("/othello c4") == Answer()
    match = await match_of(table, match_id)
    assert len(match.plies) == 3
    await table.settle()
    assert await table.status(match_id) is Status.RUNNING


async def test_what_nobody_noticed_of_an_absence_is_taken_from_no_bank(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello 10m+5s")
    await passes(table, 100)
    await away(table, 5 * MINUTE)
    now = table.app.store.now()
    assert await anna.types("/othello d3") == Answer()
    running = not_none((await match_of(table, match_id)).clocks)
    assert (running.banks, running.since, running.due) == ((505, 600), now, now + 600)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [-HOUR, 400 * A_DAY])
async def test_a_clock_that_is_set_ends_nothing_and_gives_nobody_more_than_they_had(
    table: Table, anna: Person, ben: Person, seconds: int
) -> None:
    match_id = await table.begin(anna, ben, words="othello 10m+5s")
    await passes(table, 100)
    await away(table, seconds)
    for _ in range(2):
        await table.settle()
        await table.upkeep._record_clock()
    running = not_none((await match_of(table, match_id)).clocks)
    assert 500 <= running.left(table.app.store.now()) <= 600
    assert not_none(running.due) <= table.app.store.now() + 600
    await passes(table, 601)
    await table.settle()
    assert await table.status(match_id) is Status.OVER


async def test_nobody_waits_to_claim_a_match_while_its_clock_runs(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "14d")
    assert await match_queries.next_due(table.app.store, Timer.CHECK) is None
    assert "Nudge" not in buttons(await table.screen(match_id))


@pytest.mark.parametrize(("clock", "shown"), [("10m+5s", "10:00"), ("5h+1h", "5h 0m"), ("3d", "")])
async def test_pictures_tell_banks_in_digits_until_the_end(
    table: Table, anna: Person, ben: Person, clock: str, shown: str
) -> None:
    match_id = await table.begin(anna, ben, words=f"othello {clock}")
    # Of the time that runs a picture knows the most that can be left.
    told = (f"≤ {shown}", shown) if shown else ()
    assert banks_in_digits(await table.loaded(match_id)) == told
    await table.given_up(match_id, anna)
    assert banks_in_digits(await table.loaded(match_id)) == ()


async def test_a_match_that_another_hand_has_changed_in_the_file_is_looked_at_once_at_a_time(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await match_of(table, match_id)
    # As it is remembered, there is time left.
    await execute(table.app.store, update(matches).values(due=table.app.store.now() - 9))
    await table.upkeep.once()
    assert (await match_of(table, match_id)).ending is None


TWO_SEATED = [case for case in CASES if len(case.seats) == 2]


@pytest.mark.parametrize("case", some(TWO_SEATED), ids=str)
def test_the_picture_of_every_game_tells_what_is_left_to_both(case: Case) -> None:
    position = case.game.start(case.options, case.game.new_setup(case.options, Random(1)))
    view = position.view(None)

    def drawn(*clocks: str) -> bytes:
        rendering = RenderOptions(clocks=clocks)
        return renderers.render(case.game.id, view, rendering)

    told = (
        ("2d 3h", "≤ 9:34"),
        ("2d 3h", "≤ 3h 5m"),
        ("≤ 2d 3h", "9:34"),
        ("9:34", "≤ 2d 3h"),
        ("2d 3h", "9:34"),
    )
    assert len({drawn(), *(drawn(*clocks) for clocks in told)}) == 6


async def test_a_clock_that_was_set_back_by_a_second_is_noted_anew(table: Table) -> None:
    matches = table.app.matches
    matches.memory.noted = table.app.store.now() + 1
    assert not await playing.make_up_downtime(matches)
    assert matches.memory.noted == table.app.store.now()
