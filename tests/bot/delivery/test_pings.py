"""Pings for the player to move: every time, when away, never."""

import pytest

from bot.delivery import Reconciler, RetryError
from bot.domain.actions import Action
from bot.domain.model import Status
from bot.matches import MatchState
from bot.matches import boards as match_boards
from bot.store import boards
from bot.support.platforms import Medium
from tests.bot.failing import fails, watched
from tests.bot.table import Person, Table


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    """Start Othello with Anna to move; both players want pings when away."""
    for person in (anna, ben):
        await person.types("/settings pings away")
    match = await table.begin(anna, ben)
    await table.settle()
    table.wall.told.clear()
    return match


async def test_who_is_there_is_called_when_their_turn_has_lasted_a_minute(
    table: Table, anna: Person, match: int
) -> None:
    await anna.types("/othello d3")
    assert await table.notified() == []
    assert table.wall.shown[-1].version == 3
    table.clock.forward(59)
    assert await table.notified() == []
    table.clock.forward(2)
    assert await table.notified() == ["Ben"]
    table.clock.forward(3600)
    assert await table.notified() == []


async def test_whatever_one_does_shows_that_one_is_there(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    table.clock.forward(601)
    await ben.types("/help")
    await anna.types("/othello d3")
    assert await table.notified() == []


async def test_who_moves_within_the_minute_is_not_called(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await anna.types("/othello d3")
    assert await table.notified() == []
    table.clock.forward(59)
    await ben.types("/othello c3")
    table.clock.forward(2)
    assert await table.notified() == []
    table.clock.forward(59)
    assert await table.notified() == ["Anna"]


async def test_a_notice_goes_with_its_turn_though_the_next_can_wait(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await anna.types("/othello d3")
    table.clock.forward(61)
    assert await table.notified() == ["Ben"]
    assert len(table.wall.notices) == 1
    await ben.types("/othello c3")
    assert await table.notified() == []
    assert not table.wall.notices


async def test_what_can_wait_outlives_the_process(table: Table, anna: Person, match: int) -> None:
    await anna.types("/othello d3")
    assert await table.notified() == []
    await table.restart()
    assert await table.notified() == []
    table.clock.forward(61)
    assert await table.notified() == ["Ben"]


async def test_who_wants_it_never_is_challenged_and_no_more(
    table: Table, anna: Person, ben: Person
) -> None:
    await ben.types("/settings pings never")
    await table.begin(anna, ben)
    table.clock.forward(601)
    await anna.types("/othello d3")
    table.clock.forward(601)
    assert "Ben" not in await table.notified()
    await anna.types("/othello @Ben")
    assert await table.notified() == ["Ben"]


@pytest.mark.parametrize(("side", "more"), [("first", " Your turn."), ("second", "")])
@pytest.mark.parametrize("line", ["/othello @Ben", "/othello new"])
async def test_who_asked_hears_that_somebody_has_joined(
    table: Table, anna: Person, ben: Person, *, side: str, more: str, line: str
) -> None:
    await anna.types(f"{line} {side}")
    await table.settle()
    table.wall.told.clear()
    await ben.types("/accept")
    await table.settle()
    ((_, notice),) = table.wall.told
    assert [one.name for one in notice.recipients] == ["Anna"]
    assert notice.text == f"Ben accepted your challenge: Othello, game 1.{more}"


@pytest.mark.parametrize("away", [0, 601])
async def test_who_asked_and_is_there_is_pinged_only_if_the_first_turn_lasts_a_minute(
    table: Table, anna: Person, ben: Person, away: int
) -> None:
    await anna.types("/settings pings away")
    await anna.types("/othello @Ben first")
    assert await table.notified() == ["Ben"]
    table.clock.forward(away)
    await ben.types("/accept")
    assert await table.notified() == (["Anna"] if away else [])
    table.clock.forward(61)
    assert await table.notified() == ([] if away else ["Anna"])


async def test_a_notice_that_cannot_be_taken_away_keeps_nobody_from_being_called(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    delete = table.wall.delete

    fails(monkeypatch, table.wall, "delete", RetryError(0.05))
    table.wall.told.clear()
    for move, name in (("d3", "Ben"), ("c3", "Anna"), ("c4", "Ben")):
        await table.plays(match, move)
        assert await table.notified() == [name]
        table.reconciler = Reconciler(table.app, {"web": table.wall})
    monkeypatch.setattr(table.wall, "delete", delete)
    assert await table.notified() == []
    (board,) = await boards.of_match(table.app.store, match)
    assert board.notice in table.wall.notices
    assert board.former_notice is None


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_board_that_arrives_in_private_calls_only_who_is_away(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch, *, is_away: bool
) -> None:
    table.wall.medium = Medium(boards_call=True)
    for person in (anna, ben):
        await person.types("/settings pings away")
    match = await anna.starts("/othello @Ben first", place=anna.direct)
    await table.settle()
    await ben.presses(Action("accept", match=match), place=ben.direct)
    await table.settle()
    if is_away:
        table.clock.forward(601)
    await anna.types("/othello d3", place=anna.direct)
    await match_boards.show(
        table.app.matches, await table.loaded(match), ben.direct, user_id=ben.id, is_told=False
    )
    sent = watched(monkeypatch, table.wall, "send")
    table.wall.told.clear()
    assert await table.notified() == []
    assert [outgoing.notifies for (outgoing,) in sent] == [is_away]
    table.clock.forward(61)
    assert await table.notified() == ([] if is_away else ["Ben"])


async def test_a_player_against_the_computer_is_not_pinged_when_the_game_ends(
    table: Table, anna: Person
) -> None:
    await anna.types("/settings pings away")
    # On this board, the player who begins cannot help but win.
    await anna.types("/sogo computer 5 second size=3")
    match, pinged = await table.newest(), await table.notified()
    over = await played_out(table, match, {anna.id: anna})
    assert over.match.user_at(over.match.plies[-1].seat) is None
    table.clock.forward(61)
    assert pinged + await table.notified() == []


@pytest.mark.parametrize(
    ("away", "is_elsewhere", "at_once"),
    [(7200, False, True), (130, False, False), (0, True, False), (0, False, False)],
)
async def test_a_player_who_does_not_expect_the_end_is_notified_of_it(
    table: Table,
    anna: Person,
    ben: Person,
    match: int,
    *,
    away: int,
    is_elsewhere: bool,
    at_once: bool,
) -> None:
    """Two hours ago: at once. A moment ago, or to another chat: if they are not back soon.

    Only a board further up shows a player who is still there that the opponent has resigned.
    """
    await anna.types("/othello d3")
    await ben.types("/othello c3")
    table.clock.forward(away)
    if is_elsewhere:
        await anna.types("/help", place=await table.channel("garden"))
    loaded = await table.loaded(match)
    await ben.presses(Action("resign", match, loaded.match.version, "yes"))
    assert await table.notified() == (["Anna"] if at_once else [])
    table.clock.forward(61)
    assert await table.notified() == ([] if at_once else ["Anna"])


async def played_out(table: Table, match: int, players: dict[int, Person]) -> MatchState:
    """Type the first legal moves until the end, some seconds apart."""
    while (loaded := await table.loaded(match)).match.status is Status.RUNNING:
        (seat,) = loaded.turn
        user = loaded.match.user_at(seat)
        if user is not None:
            move = loaded.game.notation(next(iter(loaded.position.moves(seat))))
            await players[user].types(f"/sogo {move}")
        await table.settle()
        table.clock.forward(7)
    return loaded
