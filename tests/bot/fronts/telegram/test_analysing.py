"""The analysis of a match in a group."""

from functools import partial

from bot.loops.analyst import Analyst
from bot.matches import playing, reading
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message
from tests.bot.seated import users
from tests.bot.table import Thinking


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
