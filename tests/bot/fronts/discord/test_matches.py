"""Whole matches, by pressing and by typing."""

from dataclasses import replace
from random import Random

import pytest
from simcord.actors import MemberActor

import games
from bot.domain.model import Status
from bot.store import places
from tests.bot.fronts.discord.scene import Scene, options, walk
from tests.bot.seated import users
from tests.sampling import sampled

FOR_TWO = [
    game for game in games.ids() if games.get(game).seats(games.get(game).options_from({})) == 2
]
SHORTEST = {"sogo": {"size": "3"}}


@pytest.mark.parametrize("game", sampled(FOR_TWO, "sogo"))
async def test_a_whole_match_by_pressing(scene: Scene, game: str) -> None:
    loaded = await scene.begun(game, **SHORTEST.get(game, {}))
    over = await scene.play_out(loaded.match.id, Random(7))
    assert over.match.status is Status.OVER
    board = scene.board()
    assert len(scene.boards()) == 1
    # The opponent is notified of the end.
    (told,) = scene.pings()
    other = await scene.actor(users(over.match)[1 - over.match.plies[-1].seat])
    assert told.startswith(f"<@{other.id}> ")
    assert "Rematch" in [one.get("label") for one in walk(board)]


@pytest.mark.slow
@pytest.mark.parametrize("game", FOR_TWO)
async def test_a_whole_match_by_typing(scene: Scene, game: str) -> None:
    loaded = await scene.begun(game, **SHORTEST.get(game, {}))
    over = await scene.play_out(loaded.match.id, Random(11), by_typing=True)
    assert over.match.status is Status.OVER


async def hide(scene: Scene, actor: MemberActor, cells: list[str]) -> None:
    """Open the private board and hide all stones, select by select."""
    version = (await scene.loaded()).match.version
    await scene.press(actor, scene.board(), "Hide stones")
    direct, left = actor.user.dm_channel, set(cells[:5])
    while left:
        board = scene.board(direct)
        select, here = next(
            (select, found)
            for select, values in options(board).items()
            if (found := [one for one in values if one.rpartition(":")[2] in left])
        )
        await actor.user.select(board, here, custom_id=select)
        await scene.settle()
        left -= {one.rpartition(":")[2] for one in here}
        version += 1
    assert (await scene.loaded()).match.version == version
    await scene.press(actor.user, scene.board(direct), "Ready")


async def test_five_stones_are_hidden_by_selects_and_a_button(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    await hide(scene, scene.ben, ["a1", "c1", "h1", "b3", "g3"])
    loaded = await scene.loaded()
    hidden = [ply.notation for ply in loaded.match.plies]
    assert hidden == ["hide a1", "hide c1", "hide h1", "hide b3", "hide g3", "ready"]
    # The challenge, its answer, and two presses.
    assert loaded.match.version == 4


async def test_it_is_known_who_has_left_a_server(scene: Scene) -> None:
    match = (await scene.begun()).match
    place = await places.place(scene.app.store, match.place_id)
    ask = scene.app.residents["discord"]
    assert await ask(place, str(scene.ben.id)) is True
    scene.guild.remove_member(scene.ben)
    assert await ask(place, str(scene.ben.id)) is False
    assert await ask(replace(place, community="1"), str(scene.ben.id)) is None
