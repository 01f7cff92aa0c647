"""Nudging, warning and claiming in games without a clock."""

from collections.abc import Awaitable, Callable

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Ending, EndingKind, Place, Status
from bot.store import people
from bot.support.texts import Texts
from tests.bot.commands.test_offering import a_move
from tests.bot.matches.test_clocks_of_matches import A_DAY, HOUR, away, goes_by
from tests.bot.table import A_MOMENT, Person, Table, buttons, said, two_seat_games
from tests.sampling import sampled


async def after(table: Table, days: float) -> None:
    await goes_by(table, int(days * A_DAY) + 1)


def day_in(table: Table, days: int) -> str:
    """Return the day in so many days, as in a text."""
    return Texts("en").day(table.app.store.now() + days * A_DAY)


def told(table: Table, words: str) -> list[list[str]]:
    """Return who was notified, each time, with these words."""
    notices = [notice for _, notice in table.wall.told if words in notice.text]
    return [[one.name for one in notice.recipients] for notice in notices]


async def claims(table: Table, person: Person, match_id: int) -> Answer:
    """Press the button a moment after it has appeared."""
    table.clock.forward(A_MOMENT)
    return await person.presses(buttons(await table.screen(match_id))["Claim game"])


@pytest.fixture
async def waiting(table: Table, anna: Person, ben: Person) -> int:
    """Start a match in which both have moved, and Anna waits for Ben."""
    match_id = await table.begin(anna, ben, moves="d3,c3,c4")
    await table.settle()
    return match_id


@pytest.fixture
async def claimable(table: Table, waiting: int) -> int:
    await after(table, 13)
    await after(table, 1)
    return waiting


async def test_the_waiting_player_nudges_once_a_day_from_a_day_after_the_move(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 0.9)
    assert "Nudge" not in buttons(await table.screen(waiting))
    assert said(await anna.types("/nudge")) == anna.says("error-nudge-early")
    await after(table, 0.1)
    mine, theirs = [buttons(await table.screen(waiting, one)) for one in (anna, ben)]
    assert "Nudge" not in theirs
    nudge = mine["Nudge"]
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


@pytest.mark.parametrize(
    ("settings", "hour", "waits"),
    [
        ({}, 3, 0),
        ({"zone": "UTC+00:00"}, 7, 1),
        ({"zone": "UTC+00:00"}, 12, 0),
        ({"zone": "UTC+00:00", "quiet": "11-14"}, 12, 2),
        ({"zone": "UTC+00:00", "quiet": "off"}, 3, 0),
    ],
)
async def test_a_nudge_arrives_in_waking_hours(
    table: Table,
    anna: Person,
    ben: Person,
    waiting: int,
    *,
    settings: dict[str, str],
    hour: int,
    waits: int,
) -> None:
    await people.change_user(table.app.store, ben.id, settings=settings)
    await after(table, 2)
    now = table.app.store.now()
    await goes_by(table, (hour * HOUR - now) % A_DAY)
    assert await anna.types("/nudge") == Answer()
    await table.settle()
    if waits:
        await goes_by(table, waits * HOUR - 1)
        assert told(table, "Anna is waiting") == []
        await table.restart()
        await goes_by(table, 1)
    assert told(table, "Anna is waiting") == [["Ben"]]


@pytest.mark.parametrize("way", ["never", "block"])
async def test_who_is_not_notified_or_has_blocked_the_player_is_not_nudged(
    table: Table, anna: Person, ben: Person, waiting: int, way: str
) -> None:
    if way == "never":
        await people.change_user(table.app.store, ben.id, settings={"pings": "never"})
    else:
        await ben.types("/block @Anna")
    await after(table, 1)
    assert said(await anna.types("/nudge")) == anna.says("error-nudge-silent", name="Ben")
    await table.settle()
    assert told(table, "Anna is waiting") == []


@pytest.mark.parametrize("words", ["othello 3d", "othello computer", "blackbox new"])
async def test_there_is_neither_nudge_nor_claim_with_a_clock_or_a_computer_or_alone(
    table: Table, anna: Person, ben: Person, words: str
) -> None:
    if "3d" in words:
        match_id = await table.begin(anna, ben, words=words, moves="d3,c3,c4")
    else:
        match_id = await anna.starts(f"/{words}", place=anna.place)
    await after(table, 1)
    await after(table, 14)
    shown = buttons(await table.screen(match_id, anna))
    assert not {"Nudge", "Claim game"} & shown.keys()
    for verb in ("nudge", "claim"):
        if (match := (await table.loaded(match_id)).match).status is Status.RUNNING:
            answer = await anna.presses(Action(verb, match_id, match.version))
            assert said(answer) == anna.says("error-not-waiting")


@pytest.mark.parametrize("game", sampled(two_seat_games(), "othello"))
async def test_whoever_waited_two_weeks_wins_if_both_had_moved(
    table: Table, anna: Person, ben: Person, game: str
) -> None:
    match_id = await table.begin(anna, ben, words=game)
    while (loaded := await table.loaded(match_id)).waiting is None or len(
        {ply.seat for ply in loaded.match.plies}
    ) < 2:
        await table.plays(match_id, await a_move(table, match_id))
    await after(table, 13)
    await after(table, 1)
    seat = loaded.waiting
    assert seat is not None
    winner = next(one for one in (anna, ben) if loaded.match.seat_of(one.id) == seat)
    assert await claims(table, winner, match_id) == Answer()
    match = (await table.loaded(match_id)).match
    assert match.ending == Ending(EndingKind.CLAIMED, 1 - seat)
    assert match.outcome is not None
    assert match.outcome.winners == {seat}


async def test_the_opponent_is_warned_a_day_before_a_game_can_be_claimed(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 12.9)
    assert told(table, "can claim") == []
    await after(table, 0.1)
    assert told(table, "can claim") == [["Ben"]]
    assert said(await anna.types("/claim")) == anna.says("error-claim-soon")
    await table.restart()
    await after(table, 0.9)
    assert "Claim game" not in buttons(await table.screen(waiting))
    await after(table, 0.1)
    assert told(table, "can claim") == [["Ben"], ["Anna"]]
    claim = buttons(await table.screen(waiting))["Claim game"]
    assert said(await anna.presses(claim)) == anna.says("error-claim-at-once")
    assert said(await ben.presses(claim)) == ben.says("error-not-waiting")
    assert await claims(table, anna, waiting) == Answer()
    await table.settle()
    screen = await table.screen(waiting)
    assert anna.says("ending-claimed", winner="Anna", name="Ben") in screen.text
    assert told(table, "stopped moving") == [["Ben"]]


async def test_a_warning_at_night_leaves_a_day_from_the_morning(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await people.change_user(table.app.store, ben.id, settings={"zone": "UTC+00:00"})
    table.clock.forward(A_MOMENT)
    await goes_by(table, (3 * HOUR - table.app.store.now()) % A_DAY)
    await ben.types("/othello c5")
    await anna.types("/othello b4")
    await after(table, 13)
    assert told(table, "can claim") == []
    await goes_by(table, 5 * HOUR)
    assert told(table, "can claim") == [["Ben"]]
    await goes_by(table, A_DAY - HOUR)
    assert "Claim game" not in buttons(await table.screen(waiting))
    await goes_by(table, HOUR)
    assert "Claim game" in buttons(await table.screen(waiting))


async def test_a_rated_claim_changes_ratings_and_nothing_counts_before_both_have_moved(
    table: Table, anna: Person, ben: Person
) -> None:
    rated, begun = await table.begin(anna, ben), await table.begin(anna, ben, words="sogo")
    for _ in range(11):
        await table.plays(rated, await a_move(table, rated))
    await table.plays(begun, await a_move(table, begun))
    await after(table, 13)
    await after(table, 1)
    for match_id in (rated, begun):
        loaded = await table.loaded(match_id)
        winner = next(x for x in (anna, ben) if loaded.match.seat_of(x.id) == loaded.waiting)
        assert await claims(table, winner, match_id) == Answer()
    assert len((await table.loaded(rated)).match.reratings) == 2
    match = (await table.loaded(begun)).match
    assert (match.ending, match.outcome) == (Ending(EndingKind.ABANDONED, 1), None)


async def test_a_move_wins_over_a_claim(
    table: Table, anna: Person, ben: Person, claimable: int
) -> None:
    claim = buttons(await table.screen(claimable))["Claim game"]
    assert await ben.types("/othello c5") == Answer()
    table.clock.forward(A_MOMENT)
    await anna.presses(claim)
    assert await table.status(claimable) is Status.RUNNING
    assert said(await anna.types("/claim")) == anna.says("error-not-waiting")
    await after(table, 2)
    assert "Claim game" not in buttons(await table.screen(claimable))


async def test_offers_are_no_moves(table: Table, anna: Person, ben: Person, waiting: int) -> None:
    await after(table, 10)
    assert await ben.types("/draw") == Answer()
    await after(table, 3)
    assert told(table, "can claim") == [["Ben"]]


async def test_nothing_is_claimed_from_who_is_on_holiday(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 10)
    await ben.types("/holiday 1w")
    for verb in ("nudge", "claim"):
        assert said(await anna.types(f"/{verb}")).startswith("Your opponent is on holiday")
    await after(table, 6)
    assert told(table, "can claim") == []
    await after(table, 1)
    assert told(table, "can claim") == [["Ben"]]
    await after(table, 1)
    assert await claims(table, anna, waiting) == Answer()


async def test_who_leaves_for_a_holiday_after_the_warning_loses_nothing_in_it(
    table: Table, anna: Person, ben: Person, claimable: int
) -> None:
    await ben.types("/holiday 1w")
    assert said(await claims(table, anna, claimable)).startswith("Your opponent is on holiday")
    assert await table.status(claimable) is Status.RUNNING


async def test_while_the_bot_is_down_nobody_stays_away(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 10)
    await away(table, 30 * A_DAY)
    await table.settle()
    assert told(table, "can claim") == []
    await after(table, 2.9)
    assert told(table, "can claim") == []
    await after(table, 0.2)
    assert told(table, "can claim") == [["Ben"]]


def where(*, is_there: bool | None) -> Callable[[Place, str], Awaitable[bool | None]]:
    async def ask(_place: Place, _external: str) -> bool | None:
        return is_there

    return ask


async def test_who_has_left_is_warned_when_the_opponent_claims_and_loses_a_day_later(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    for is_there in (None, True):
        table.app.member_checks["web"] = where(is_there=is_there)
        assert said(await anna.types("/claim")) == anna.says("error-claim-early", days=14)
    table.app.member_checks["web"] = where(is_there=False)
    assert said(await anna.types("/claim")) == anna.says("claim-warned")
    await table.settle()
    assert told(table, "can claim") == [["Ben"]]
    assert said(await anna.types("/claim")) == anna.says("error-claim-soon")
    await after(table, 1)
    assert await claims(table, anna, waiting) == Answer()
    match = (await table.loaded(waiting)).match
    assert match.ending == Ending(EndingKind.CLAIMED, 1)


async def test_who_plays_from_another_platform_has_left_nothing(table: Table, anna: Person) -> None:
    table.app.member_checks["web"] = where(is_there=False)
    dora = await table.arrive("Dora", platform="chat")
    match_id = await anna.starts("/othello new first")
    code = (await table.loaded(match_id)).match.code
    assert not (await dora.types(f"/join {code}", place=dora.direct)).refused
    await table.plays(match_id, "d3")
    assert said(await anna.types("/claim")) == anna.says("error-claim-early", days=14)


async def test_who_has_left_is_not_nudged(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    table.app.member_checks["web"] = where(is_there=False)
    await after(table, 1)
    expected = anna.says("error-nudge-left", name="Ben", command=anna.calls("claim"))
    assert said(await anna.types("/nudge")) == expected


async def test_a_game_that_nobody_claims_ends_without_a_result_on_the_day_that_was_named(
    table: Table, anna: Person, ben: Person, claimable: int
) -> None:
    day = day_in(table, 42)
    named = anna.says("board-claimable", name="Anna", other="Ben", day=day)
    assert f"ends without a result on {day}." in named
    assert named in (await table.screen(claimable)).text
    assert told(table, named) == [["Anna"]]
    await after(table, 41.9)
    assert await table.status(claimable) is Status.RUNNING
    await after(table, 0.1)
    match = (await table.loaded(claimable)).match
    assert (match.ending, match.outcome) == (Ending(EndingKind.ABANDONED), None)


async def test_who_plays_alone_is_told_before_the_game_ends(table: Table, anna: Person) -> None:
    match_id = await anna.starts("/blackbox new", place=anna.place)
    version = (await table.loaded(match_id)).match.version
    await after(table, 1)
    assert (await table.loaded(match_id)).match.version == version
    await after(table, 13)
    named = anna.says("board-stale", day=day_in(table, 42))
    assert told(table, named) == [["Anna"]]
    assert named in (await table.screen(match_id)).text
    await after(table, 42)
    assert (await table.loaded(match_id)).match.ending == Ending(EndingKind.ABANDONED)


@pytest.mark.parametrize("is_alone", [False, True])
async def test_a_holiday_puts_off_the_day_that_a_board_names(
    table: Table, anna: Person, ben: Person, waiting: int, *, is_alone: bool
) -> None:
    if is_alone:
        waiting = await ben.starts("/blackbox new", place=ben.place)
    await after(table, 14)
    await after(table, 1)
    await after(table, 40)
    await ben.types("/holiday 7")
    await after(table, 4)
    assert await table.status(waiting) is Status.RUNNING
    assert f"on {day_in(table, 4)}" in (await table.screen(waiting)).text
    await after(table, 3.9)
    assert await table.status(waiting) is Status.RUNNING
    await after(table, 0.1)
    assert await table.status(waiting) is Status.OVER


async def test_an_operator_turns_claims_off_except_of_who_has_left(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    table.configure("play", claim_days=0)
    await after(table, 1)
    await after(table, 3000)
    assert await table.status(waiting) is Status.RUNNING
    assert said(await anna.types("/claim")) == anna.says("error-claim-early", days=0)
    table.app.member_checks["web"] = where(is_there=False)
    await anna.types("/claim")
    await after(table, 1)
    shown = (await table.screen(waiting)).text
    assert anna.says("board-claimable", name="Anna", other="Ben", day="never") in shown
    assert await claims(table, anna, waiting) == Answer()


async def test_after_a_holiday_a_player_has_a_day_to_move(
    table: Table, anna: Person, ben: Person, waiting: int
) -> None:
    await after(table, 13)
    await ben.types("/holiday 7")
    for days in (2, 5):
        await after(table, days)
    assert said(await anna.types("/claim")) == anna.says("error-claim-soon")
    await after(table, 1)
    assert await claims(table, anna, waiting) == Answer()
