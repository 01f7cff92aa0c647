"""A match that was given up, as the house and its store know it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import games
from bot.matches import Live, Matches
from bot.model import PlaceKind, Status
from bot.store import Store, people


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "azumaya.db")
    yield opened
    await opened.close()


def house(store: Store) -> Matches:
    """The matches of a house that has just been opened: nothing is remembered yet."""
    return Matches(store, changed=lambda: None)


async def met(store: Store, name: str) -> int:
    return (await people.meet(store, "web", name, name=name)).id


async def begun(store: Store, game_id: str, **chosen: str) -> Live:
    """A match of the first two to come, or of the first where it is played alone."""
    matches, game = house(store), games.get(game_id)
    options = game.options_from(chosen)
    room = await people.enter(store, "web", "room", kind=PlaceKind.CHANNEL, title="Room")
    anna, ben = await met(store, "Anna"), await met(store, "Ben")
    if game.seats(options) == 1:
        return await matches.begin_alone(game, options, place_id=room.id, user_id=anna)
    offered = await matches.propose(
        game, options, place_id=room.id, challenger=anna, opponent=ben, wish=0, expires=2**40
    )
    return await matches.accept(offered.match.id, ben)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game_id", ["othello", "morris", "sogo", "moyo"])
async def test_a_restart_shows_who_has_given_up(store: Store, game_id: str, seat: int) -> None:
    live = await begun(store, game_id)
    over = await house(store).resign(live.match.id, live.match.seats[seat])
    assert over.match.status is Status.OVER
    assert over.on == live.on.resigned(seat)
    assert over.match.outcome == over.on.outcome()
    assert await house(store).get(live.match.id) == over


async def test_a_restart_shows_the_box_that_was_given_up_alone(store: Store) -> None:
    live = await begun(store, "blackbox")
    assert live.on.view(0).stones is None
    await house(store).resign(live.match.id, live.match.seats[0])
    again = await house(store).get(live.match.id)
    assert again.on.given_up == 0
    assert again.on.view(None).stones == tuple(sorted(live.match.setup.split(), key=_by_row))


def _by_row(cell: str) -> tuple[int, str]:
    return int(cell[1:]), cell[0]


async def test_whoever_leaves_gives_up_also_what_another_process_has_played_on(
    store: Store,
) -> None:
    live = await begun(store, "othello")
    leaving, playing = house(store), house(store)
    await leaving.get(live.match.id)
    await playing.play(live.match.id, live.match.seats[0], "d3")
    await leaving.leave(live.match.seats[0])
    over = await house(store).get(live.match.id)
    assert over.match.status is Status.OVER
    assert over.match.outcome is not None
    assert over.match.outcome.winners == {1}
    assert len(over.match.plies) == 1
