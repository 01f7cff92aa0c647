"""Who is pinged when a board changes, and that it happens once."""

import re
from random import Random

import pytest

from bot.domain.model import Ending, EndingKind
from bot.loops.analyst import Analyst
from bot.matches import playing
from tests.bot.fronts.discord.scene import Scene, private, text_of, walk


async def test_a_move_edits_the_board_and_pings_only_the_opponent_once(scene: Scene) -> None:
    await scene.begun()
    board = scene.board()
    accepted = "ben accepted your challenge: Othello, game 1. Your turn."
    assert scene.pings() == [f"<@{scene.anna.id}> {accepted}"]
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
    await playing.end(scene.app.matches, 1, Ending(EndingKind.ABORTED))
    await scene.settle()
    (told,) = scene.pings()
    both = f"<@{scene.anna.id}> <@{scene.ben.id}>"
    assert told.startswith(f"{both} Othello, game 1 is over. This game was ended")


async def test_a_challenge_pings_the_opponent_and_a_refusal_the_challenger(scene: Scene) -> None:
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


async def test_an_analysis_arrives_with_its_picture_in_reply_to_the_board(scene: Scene) -> None:
    await scene.begun("sogo", size="3")
    over = await scene.play_out(1, Random(7))
    board, before = scene.board(), scene.pings()
    answer = private(await scene.press(scene.anna, board, "Analysis"))
    assert f"0 of {len(over.match.plies)} moves" in text_of(answer)
    assert "Analysing …" in labels(scene)
    await Analyst(scene.app).once()
    await scene.settle()
    assert "Show analysis" in labels(scene)
    (arrived,) = [one for one in scene.channel.history() if one.attachments and one.content]
    assert arrived.content.startswith(f"<@{scene.anna.id}> Analysis: Sogo")
    assert "Accuracy: " in arrived.content
    assert arrived.reference is not None
    assert arrived.reference.message_id == board.id
    assert (arrived.attachments[0].description or "").startswith("Analysis · Sogo: ")
    assert len(scene.pings()) == len(before) + 1


@pytest.mark.slow
async def test_an_analysis_arrives_by_the_interaction_where_the_bot_may_not_post(
    scene: Scene,
) -> None:
    scene.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    await scene.begun("sogo", size="3")
    await scene.play_out(1, Random(7))
    await scene.press(scene.anna, scene.board(), "Analysis")
    await Analyst(scene.app).once()
    await scene.settle()
    (arrived,) = [one for one in scene.channel.history() if one.attachments and one.content]
    assert "Accuracy: " in arrived.content


def labels(scene: Scene) -> list[str]:
    return [str(one.get("label")) for one in walk(scene.board())]
