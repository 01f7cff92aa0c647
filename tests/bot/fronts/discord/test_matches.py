"""Whole matches, as people play them."""

from random import Random

import pytest
from simcord.actors import MemberActor

import games
from bot.model import Ending, EndingKind, Status
from tests.bot.fronts.discord.scene import Scene, buttons, options, walk
from tests.bot.seated import users
from tests.bot.table import a_moment_later
from tests.sampling import sampled

FOR_TWO = [
    game for game in games.ids() if games.get(game).seats(games.get(game).options_from({})) == 2
]


@pytest.mark.parametrize("game", sampled(FOR_TWO, "morris"))
async def test_a_whole_match_by_pressing(scene: Scene, game: str) -> None:
    loaded = await scene.begun(game)
    over = await scene.play_out(loaded.match.id, Random(7))
    assert over.match.status is Status.OVER
    board = scene.board()
    assert len(scene.boards()) == 1
    # The opponent is notified of the end.
    (told,) = scene.pings()
    other = await scene.actor(users(over.match)[1 - over.match.plies[-1].seat])
    assert told.startswith(f"<@{other.id}> ")
    assert "Rematch" in [one.get("label") for one in walk(board)]


@pytest.mark.parametrize("game", sampled(FOR_TWO, "sogo"))
async def test_a_whole_match_by_typing(scene: Scene, game: str) -> None:
    loaded = await scene.begun(game)
    over = await scene.play_out(loaded.match.id, Random(11), by_typing=True)
    assert over.match.status is Status.OVER


async def test_a_whole_match_in_direct_conversations(scene: Scene) -> None:
    ben = {"user": scene.ben.user, "side": "first"}
    await scene.anna.user.slash("sogo", move="new", **ben)
    await scene.settle()
    await scene.press(scene.ben.user, scene.board(scene.ben.user.dm_channel), "Accept")
    luck = Random(3)
    while (loaded := await scene.loaded()).match.status is Status.RUNNING:
        (seat,) = loaded.position.turn
        actor = (await scene.actor(users(loaded.match)[seat])).user
        move = luck.choice(loaded.position.moves(seat))
        (step,) = loaded.game.steps(move)
        await scene.step(actor, scene.board(actor.dm_channel), step)
    for one in (scene.anna, scene.ben):
        assert "Rematch" in [
            button.get("label") for button in walk(scene.board(one.user.dm_channel))
        ]
    told = [scene.pings(one.user.dm_channel) for one in (scene.anna, scene.ben)]
    assert sorted(map(len, told)) == [0, 1]
    assert scene.channel.history() == []


async def test_a_whole_match_against_the_computer(scene: Scene) -> None:
    await scene.slash(scene.anna, "sogo", move="computer 1", side="first", size="3")
    while (loaded := await scene.loaded()).match.status is Status.RUNNING:
        assert loaded.turn == {0}
        (step,) = loaded.game.steps(loaded.position.moves(0)[-1])
        await scene.step(scene.anna, scene.board(), step)
    assert len(scene.boards()) == 1
    labels = [one.get("label") for one in walk(scene.board())]
    assert "Rematch" in labels
    # Against the computer a player is pinged at the end at most.
    assert len(scene.pings()) <= 1
    await a_moment_later(scene.app.store)
    await scene.press(scene.anna, scene.board(), "Rematch")
    assert (await scene.loaded(2)).match.level == 1


async def test_two_agree_on_a_draw(scene: Scene) -> None:
    await scene.begun()
    for actor, move in ((scene.anna, "d3"), (scene.ben, "c3")):
        await scene.step(actor, scene.board(), move)
    await scene.slash(scene.anna, "draw")
    await a_moment_later(scene.app.store)
    await scene.press(scene.ben, scene.board(), "Accept draw")
    ending = (await scene.loaded()).match.ending
    assert ending == Ending(EndingKind.AGREED)


async def test_a_move_is_taken_back_and_another_match_asked_for(scene: Scene) -> None:
    terms = "othello first unrated"
    await scene.slash(scene.anna, "challenge", user=scene.ben, options=terms)
    await scene.press(scene.ben, scene.board(), "Accept")
    for actor, move in ((scene.anna, "d3"), (scene.ben, "c3")):
        await scene.step(actor, scene.board(), move)
    await scene.slash(scene.ben, "takeback")
    await scene.settle()
    assert "ben asks to take back c3." in "".join(scene.pings())
    await a_moment_later(scene.app.store)
    await scene.press(scene.anna, scene.board(), "Accept takeback")
    await scene.settle()
    loaded = await scene.loaded()
    assert ([ply.notation for ply in loaded.match.plies], set(loaded.turn)) == (["d3"], {1})
    (told,) = scene.pings()
    assert told.startswith(f"<@{scene.ben.id}> ")
    over = await scene.play_out(loaded.match.id, Random(7))
    assert over.match.status is Status.OVER
    await scene.slash(scene.anna, "rematch")
    await scene.settle()
    await scene.press(scene.ben, scene.board(), "Accept")
    assert (await scene.loaded(2)).match.status is Status.RUNNING


async def test_a_box_is_hidden_in_private_and_searched_in_the_channel(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    for _ in range(40):
        loaded = await scene.loaded()
        if loaded.match.status is Status.OVER:
            break
        (seat,) = loaded.position.turn
        actor = await scene.actor(users(loaded.match)[seat])
        view = loaded.position.view(seat)
        free = [cell for cell in ("a1", "c2", "e5", "g7", "h8", "b6") if cell not in view.marks]
        if view.phase == "hide":
            await hide(scene, actor, free)
        elif len(view.marks) < view.number:
            await scene.step(actor, scene.board(), free[0])
        else:
            asked = await scene.slash(actor, "blackbox", move="guess")
            if asked.response and "Yes, play it" in str(asked.response.components):
                await scene.press(actor, asked.response, "Yes, play it")
    assert loaded.match.status is Status.OVER


async def hide(scene: Scene, actor: MemberActor, cells: list[str]) -> None:
    """Ask for the private board, and put all stones into the box on it, select by select."""
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


async def test_five_stones_are_hidden_by_one_select_and_a_button(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    await hide(scene, scene.ben, ["a1", "c1", "h1", "b3", "g3"])
    loaded = await scene.loaded()
    hidden = [ply.notation for ply in loaded.match.plies]
    assert hidden == ["hide a1", "hide c1", "hide h1", "hide b3", "hide g3", "ready"]
    # The challenge, its answer, and two presses.
    assert loaded.match.version == 4


async def test_in_private_in_a_private_conversation_makes_no_second_board(scene: Scene) -> None:
    await scene.anna.user.slash("blackbox", user=scene.ben, mode="hide", side="first")
    await scene.settle()
    direct = scene.ben.user.dm_channel
    await scene.press(scene.ben.user, scene.board(direct), "Accept")
    for _ in range(2):
        board = scene.board(direct)
        if "Hide stones" in [one["label"] for one in buttons(board).values()]:
            await scene.press(scene.ben.user, board, "Hide stones")
        assert len(scene.boards(direct)) == 1
    assert options(scene.board(direct))
