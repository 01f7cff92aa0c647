"""Who is pinged when a board changes, and that it happens once."""

import re

from bot.model import Ending, EndingKind
from tests.bot.fronts.discord.scene import Scene, text_of


async def test_a_move_edits_the_board_and_pings_only_the_opponent_once(scene: Scene) -> None:
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
    sent = [one.json for one in scene.env.http_requests if isinstance(one.json, dict)]
    ping = [body for body in sent if body.get("content")][-1]
    assert ping["allowed_mentions"] == {"parse": [], "users": [scene.ben.id]}
    assert ping["message_reference"]["fail_if_not_exists"] is False
    await scene.app.matches.end(1, Ending(EndingKind.ABORTED))
    await scene.settle()
    (told,) = scene.pings()
    both = f"<@{scene.anna.id}> <@{scene.ben.id}>"
    assert told.startswith(f"{both} Othello, game 1 is over. This game was ended")


async def test_a_challenge_pings_the_opponent_and_a_refusal_the_challenger(
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
