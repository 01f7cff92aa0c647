"""Who is pinged when a board changes, and that it happens once."""

import re

from bot.model import Ending, EndingKind
from bot.store import personal_data
from tests.bot.fronts.discord.scene import Scene, text_of
from tests.bot.seated import users


async def test_a_move_edits_the_board_and_calls_the_other_once(scene: Scene) -> None:
    await scene.begun()
    board = scene.board()
    assert scene.pings() == [f"<@{scene.anna.id}> Your turn: Othello, game 1."]
    result = await scene.step(scene.anna, board, "d3")
    assert result.acknowledged
    assert scene.board().id == board.id
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings() == [f"<@{scene.ben.id}> Your turn: Othello, game 1."]
    assert await scene.settle() == 0
    assert len(scene.pings()) == 1


async def test_what_the_house_has_ended_is_told_to_both(scene: Scene) -> None:
    await scene.begun()
    await scene.app.matches.end(1, Ending(EndingKind.ABORTED))
    await scene.settle()
    both = f"<@{scene.anna.id}> <@{scene.ben.id}>"
    (told,) = scene.pings()
    assert told.startswith(f"{both} Othello, game 1 is over. This game was ended")
    assert "its rules changed in an update" in text_of(scene.board())


async def test_what_a_player_has_ended_is_told_to_the_other_one_alone(scene: Scene) -> None:
    await scene.begun()
    await scene.app.matches.end(1, Ending(EndingKind.ABORTED, 0))
    await scene.settle()
    told = "Othello, game 1 is over. anna aborted the game. No result."
    assert scene.pings() == [f"<@{scene.ben.id}> {told}"]
    assert "anna aborted the game" in text_of(scene.board())


async def test_a_ping_may_mention_nobody_but_the_one_on_turn(scene: Scene) -> None:
    await scene.begun()
    sent = [one.json for one in scene.env.http_requests if isinstance(one.json, dict)]
    ping = [body for body in sent if body.get("content")][-1]
    assert ping["allowed_mentions"] == {"parse": [], "users": [scene.anna.id]}
    assert ping["message_reference"]["fail_if_not_exists"] is False


async def test_a_challenge_calls_the_challenged_itself_and_a_no_is_told_to_who_asked(
    scene: Scene,
) -> None:
    await scene.slash(scene.anna, "othello", move="new", user=scene.ben)
    assert scene.pings() == []
    assert f"**anna challenges <@{scene.ben.id}> to Othello.**" in text_of(scene.board())
    (post,) = [
        one.json
        for one in scene.env.http_requests
        if one.method == "POST" and re.fullmatch(r"/channels/\d+/messages", one.path)
    ]
    assert post is not None
    assert post["allowed_mentions"] == {"parse": [], "users": [scene.ben.id]}
    await scene.press(scene.ben, scene.board(), "Decline")
    assert scene.pings() == [f"<@{scene.anna.id}> Your challenge to Othello was declined."]
    assert "Declined" in text_of(scene.board())


async def test_somebody_who_was_forgotten_is_not_called_any_more(scene: Scene) -> None:
    loaded = await scene.begun()
    await scene.step(scene.anna, scene.board(), "d3")
    await scene.step(scene.ben, scene.board(), "c3")
    # As ``azumaya forget`` does it in another process.
    await personal_data.forget(scene.app.store, users(loaded.match)[1], name="somebody")
    await scene.step(scene.anna, scene.board(), "c4")
    assert scene.pings() == []
