"""Whole matches of all games, played with buttons in a group, and their analysis."""

from functools import partial
from random import Random

import pytest

import games
from bot.domain.model import Status
from bot.loops.analyst import Analyst
from bot.matches import playing, reading
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import play_out, tokens
from tests.bot.fronts.telegram.server import Message
from tests.bot.seated import users
from tests.bot.table import Thinking
from tests.sampling import sampled

FOR_TWO = sorted(games.ids())
SHORTEST = {"blackbox": "hide", "sogo": "size=3"}


def begin(game: str) -> str:
    return f"/{game} new {SHORTEST.get(game, '')}".strip()


@pytest.mark.parametrize("game", sampled(FOR_TWO, "sogo"))
async def test_a_whole_match_in_a_group(table: Table, game: str) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    async with running(table.settings()) as (app, _):
        anna.says(group, begin(game))
        challenge = await api.until(lambda: tokens(group.newest(), "accept") and group.newest())
        await api.answer(ben.presses(group, challenge, tokens(challenge, "accept")[0]))
        people = {"Anna": anna, "Ben": ben}
        loaded = await play_out(app, api, 1, people=people, chats=(group,), rng=Random(game))
        assert loaded.match.status is Status.OVER
        # The group has one board, and of the pings only the last.
        await api.until(lambda: tokens(api.boards(group)[0], "again"))
        assert len(api.boards(group)) == 1
        assert len(api.texts(group)) <= 2


def label(message: Message) -> str:
    (token,) = tokens(message, "analyse")
    keys = (key for row in message["reply_markup"]["inline_keyboard"] for key in row)
    return str(next(key["text"] for key in keys if key.get("callback_data") == token))


async def test_an_analysis_arrives_with_its_picture_in_reply_to_the_board(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    async with running(table.settings()) as (app, _):
        await app.engines.close()  # Its processes may have been started.
        app.engines = Thinking()
        await table.begin()
        for player, move in ((anna, "d3"), (ben, "c3")):
            player.says(group, f"/othello {move}")
            await api.until(partial(table.is_shown, move))
        await playing.resign(app.matches, 1, users((await reading.get(app.matches, 1)).match)[1])
        board = await api.until(lambda: tokens(table.board(), "analyse") and table.board())
        assert label(board) == "Analysis"
        query = await api.answer(anna.presses(group, board, "Analysis"))
        assert query.text.startswith("Analysing Othello, game 1: 0 of 2 moves.")
        await api.until(lambda: label(table.board()) == "Analysing …")
        await Analyst(app).once()
        _, arrived = await api.until(
            lambda: len(api.boards(group)) == 2 and sorted(api.boards(group), key=_number)
        )
        assert arrived["reply_to_message"]["message_id"] == board["message_id"]
        assert arrived["caption"].startswith("Anna: Analysis: Othello · Anna")
        assert "Accuracy: Anna " in arrived["caption"]
        kinds = [(one["type"], one["offset"]) for one in arrived["caption_entities"]]
        assert kinds[0] == ("text_mention", 0)
        assert kinds[-1][0] == "expandable_blockquote"
        await api.until(lambda: label(group.messages[board["message_id"]]) == "Show analysis")


def _number(message: Message) -> int:
    number: int = message["message_id"]
    return number
