"""A chat without permission to send photos: games are played as text."""

from functools import partial
from math import inf

import pytest

from bot.fronts.telegram.front import Telegram
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import ANNA_MAY_BEGIN, tokens
from tests.bot.fronts.telegram.server import Chat, Message
from tests.bot.table import a_moment_later

pytestmark = pytest.mark.usefixtures("front")

MISSING = (
    "I am not allowed to send photos here. With that permission, I show the board as a picture."
)


def boards(chat: Chat) -> list[Message]:
    """Return the boards that are texts."""
    return [
        message
        for message in chat.messages.values()
        if "text" in message and (tokens(message, "step") or tokens(message, "again"))
    ]


def is_shown(chat: Chat, move: str) -> bool:
    return f"Last move: {move}\n" in boards(chat)[0]["text"]


async def begin(table: Table) -> Message:
    table.group.has_photos = False
    challenge = await table.answer(table.anna, table.group, "/othello new black", "accept")
    await table.api.answer(table.ben.presses(table.group, challenge, "Join"))
    await table.api.until(lambda: ANNA_MAY_BEGIN in table.api.texts(table.group))
    (board,) = boards(table.group)
    assert board["message_id"] == challenge["message_id"]
    return board


async def test_a_board_is_text_and_keys_and_names_the_missing_permission(table: Table) -> None:
    board = await begin(table)
    assert board["text"] == (
        "Othello · Anna ⚫ – ⚪ Ben\nAnna to move.\nDiscs: Anna 2, Ben 2\n"
        "Othello, Black to move. Black has 2: e4 d5. White has 2: d4 e5. "
        "Legal moves (4): d3 c4 f5 e6.\n" + MISSING
    )
    rows = [[key["text"] for key in row] for row in board["reply_markup"]["inline_keyboard"]]
    assert rows[3] == ["·", "·", "c4", "⚪", "⚫", "·", "·", "·"]
    assert len([call for call in table.api.calls if call.refused]) == 1


async def test_a_match_is_played_to_its_end_as_text_and_a_rematch_starts(
    table: Table, front: Telegram
) -> None:
    api, group = table.api, table.group
    await begin(table)
    (board,) = boards(group)
    table.anna.presses(group, board, "d3")
    await api.until(partial(is_shown, group, "d3"))
    table.ben.says(group, "c3", reply=boards(group)[0])
    await api.until(partial(is_shown, group, "c3"))
    await table.answer(table.anna, group, "/resign", "resign")
    table.anna.presses(group, group.newest(), "Yes, resign")
    await api.until(lambda: tokens(boards(group)[0], "again"))
    (board,) = boards(group)
    await a_moment_later(front._app.store)
    await api.answer(table.ben.presses(group, board, "Rematch"))
    await api.until(lambda: tokens(group.newest(), "accept"))
    # A press deletes menus, and not a board.
    assert boards(group) == [board]
    # Where it is known that there are no pictures, none is tried.
    pictures = ("sendPhoto", "editMessageMedia")
    assert len([call for call in api.calls if call.refused and call.method in pictures]) == 1


async def test_a_lost_permission_turns_the_board_into_text(table: Table) -> None:
    api, group = table.api, table.group
    old = await table.begin()
    group.has_photos = False
    table.anna.presses(group, old, "d3")
    await api.until(lambda: boards(group) and old["message_id"] not in group.messages)
    (board,) = boards(group)
    assert "Last move: d3\n" in board["text"]
    assert board["text"].endswith(MISSING)
    table.ben.presses(group, board, "c3")
    await api.until(lambda: "Last move: c3\n" in boards(group)[0]["text"])
    assert [message["message_id"] for message in boards(group)] == [board["message_id"]]


async def test_a_replay_is_text_that_leads_to_the_moves(table: Table) -> None:
    await begin(table)
    table.anna.presses(table.group, boards(table.group)[0], "d3")
    await table.api.until(partial(is_shown, table.group, "d3"))
    await table.answer(table.anna, table.group, "/replay 1", "replay")
    assert "text" in table.group.newest()


@pytest.mark.slow
async def test_a_new_permission_turns_the_board_into_a_picture(
    table: Table, front: Telegram
) -> None:
    board = await begin(table)
    # Ten minutes later it is tried again.
    front._sender._pictureless.expire(time=inf)
    table.group.has_photos = True
    table.anna.presses(table.group, board, "d3")
    await table.api.until(lambda: table.api.boards(table.group))
    assert table.board()["message_id"] == board["message_id"]


@pytest.mark.slow
async def test_no_button_deletes_a_board_of_text_or_makes_it_a_menu(table: Table) -> None:
    api, group = table.api, table.group

    def has_said_more(than: int) -> bool:
        return len(api.texts(group)) > than

    group.has_photos = False
    challenge = await table.answer(table.anna, group, "/blackbox new mode=hide first", "accept")
    table.ben.presses(group, challenge, tokens(challenge, "accept")[0])
    board = await api.until(
        lambda: next((one for one in group.messages.values() if tokens(one, "private")), None)
    )
    shown = dict(board)
    for who, forged in ((table.cleo, "rules:0:0:othello"), (table.anna, "menu:0:0:")):
        await api.answer(who.sends(group, board, forged))
        # A user's next command is answered after everything else.
        said = len(api.texts(group))
        who.says(group, "/help@azumaya_bot")
        await api.until(partial(has_said_more, said))
        assert group.messages[board["message_id"]]["text"] == shown["text"]
        keyboard = group.messages[board["message_id"]]["reply_markup"]
        assert keyboard == shown["reply_markup"]
    table.ben.starts()
    await api.answer(table.ben.presses(group, board, tokens(board, "private")[0]))
    await api.until(lambda: api.boards(table.ben.private))
    assert board["message_id"] in group.messages
