"""Nudging, warning and claiming in games without a clock."""

from typing import Any

import pytest

import games
from bot.actions import Action
from bot.commands import Answer
from bot.model import Ending, EndingKind, Place, Status
from bot.store import match_queries, people
from tests.bot.table import Person, Table, buttons, said
from tests.bot.test_clocks_of_matches import A_DAY, goes_by


async def after(table: Table, days: float) -> None:
    """Let days pass, and do what is due."""
    await goes_by(table, int(days * A_DAY) + 1)


def told(table: Table, words: str) -> list[list[str]]:
    """Return who was notified, each time, with these words."""
    notices = [notice for _, notice in table.wall.told if words in notice.text]
    return [[one.name for one in notice.recipients] for notice in notices]


async def ending(table: Table, match_id: int) -> Ending | None:
    return (await table.loaded(match_id)).match.ending


@pytest.fixture
async def waiting(table: Table, anna: Person, ben: Person) -> int:
    """Start a match in which both have moved, and Anna waits for Ben."""
    match_id = await table.begin(anna, ben)
    await anna.types("/othello d3")
    await ben.types("/othello c3")
    await anna.types("/othello c4")
    await table.settle()
    return match_id


async def test_the_waiting_player_nudges_once_a_day_from_a_day_after_the_move(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 0.9)
    assert "Nudge" not in buttons(await table.screen(waiting))
    assert said(await anna.types("/nudge")) == anna.says("error-nudge-early")
    await after(table, 0.1)
    nudge = buttons(await table.screen(waiting))["Nudge"]
    assert said(await ben.presses(nudge)) == ben.says("error-not-waiting")
    assert await anna.presses(nudge) == Answer()
    await table.settle()
    assert told(table, "Anna is waiting for your move") == [["Ben"]]
    screen = await table.screen(waiting)
    assert anna.says("board-nudged", name="Anna") in screen.text
    assert "Nudge" not in buttons(screen)
    assert said(await anna.types("/nudge")) == anna.says("error-nudge-early")
    await after(table, 1)
    assert await anna.types("/nudge") == Answer()
    await table.settle()
    assert told(table, "Anna is waiting") == [["Ben"]] * 2


async def test_a_move_ends_the_wait(table: Table, anna: Person, ben: Person, waiting: int) -> None:
    await after(table, 13)
    assert told(table, "can claim") == [["Ben"]]
    assert await ben.types("/othello c5") == Answer()
    await after(table, 2)
    assert said(await anna.types("/claim")) == anna.says("error-not-waiting")
    assert "Claim game" not in buttons(await table.screen(waiting))


async def test_a_game_is_claimed_two_weeks_after_the_move_and_a_day_after_the_warning(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 12.9)
    assert told(table, "can claim") == []
    await after(table, 0.1)
    assert told(table, "can claim") == [["Ben"]]
    assert said(await anna.types("/claim")) == anna.says("error-claim-early", days=14)
    await after(table, 0.9)
    assert await ending(table, waiting) is None
    assert "Claim game" not in buttons(await table.screen(waiting))
    await after(table, 0.1)
    assert told(table, "can claim") == [["Ben"], ["Anna"]]
    claim = buttons(await table.screen(waiting))["Claim game"]
    assert said(await ben.presses(claim)) == ben.says("error-not-waiting")
    assert await anna.presses(claim) == Answer()
    loaded = await table.loaded(waiting)
    assert loaded.match.ending == Ending(
        EndingKind.CLAIMED, by=1 - loaded.match.seats.index(anna.id)
    )
    assert loaded.match.outcome is not None
    assert loaded.match.outcome.winners == {loaded.match.seats.index(anna.id)}
    await table.settle()
    assert (
        anna.says("ending-claimed", winner="Anna", name="Ben") in (await table.screen(waiting)).text
    )
    assert told(table, "no longer moved") == [["Ben"]]
    assert "1" in said(await anna.types("/stats"))


async def test_nothing_counts_before_both_have_moved(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await anna.types("/othello d3")
    await after(table, 13)
    await after(table, 1)
    assert await anna.types("/claim") == Answer()
    match = (await table.loaded(match_id)).match
    assert match.ending == Ending(EndingKind.ABANDONED, by=match.seats.index(ben.id))
    assert match.outcome is None


async def test_a_rated_claim_changes_ratings(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben)
    line = ["d3", "c3", "c4", "c5", "d6", "f4", "b4", "b6"]
    for at, move in enumerate(line):
        await (anna, ben)[at % 2].types(f"/othello {move}")
    await after(table, 13)
    await after(table, 1)
    match = (await table.loaded(match_id)).match
    assert len(match.plies) == len(line)
    waiting = (anna, ben)[(len(line) + 1) % 2]
    assert await waiting.types("/claim") == Answer()
    match = (await table.loaded(match_id)).match
    assert match.ending is not None
    assert match.ending.kind is EndingKind.CLAIMED
    assert len(match.reratings) == 2
