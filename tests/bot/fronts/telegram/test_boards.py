"""Boards, buttons and pings: what is edited, what is new, what is refused."""

from functools import partial

import pytest

from bot.domain.model import Ending, EndingKind
from bot.fronts.telegram.front import Telegram
from bot.matches import playing
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import ANNA_MAY_BEGIN, BEN_IS_CALLED, tokens
from tests.bot.fronts.telegram.server import Message, Person

pytestmark = pytest.mark.usefixtures("front")


def labels(message: Message) -> list[list[str]]:
    return [
        [button["text"] for button in row] for row in message["reply_markup"]["inline_keyboard"]
    ]


async def test_a_board_is_a_picture_with_a_caption_and_a_keyboard_of_its_squares(
    table: Table,
) -> None:
    board = await table.begin()
    assert board["caption"] == (
        "Othello · Anna ⚫ – ⚪ Ben\nAnna to move.\nDiscs: Anna 2, Ben 2\n"
        "Othello, Black to move. Black has 2: e4 d5. White has 2: d4 e5. "
        "Legal moves (4): d3 c4 f5 e6."
    )
    kinds = {entity["type"] for entity in board["caption_entities"]}
    assert kinds == {"bold", "expandable_blockquote"}
    rows = labels(board)
    assert [len(row) for row in rows] == [8] * 8 + [3]
    assert rows[2:4] == [
        ["·", "·", "·", "d3", "·", "·", "·", "·"],
        ["·", "·", "c4", "⚪", "⚫", "·", "·", "·"],
    ]


async def test_a_partial_move_changes_words_and_keys_and_costs_no_picture(table: Table) -> None:
    api, group = table.api, table.group
    board = await table.begin_mill()
    edits = [call.method for call in api.calls].count("editMessageMedia")
    first = tokens(board, "step", loud=True)
    partial_move = next(token for token in first if token.endswith(":g1"))
    query = await api.answer(table.anna.sends(group, board, partial_move))
    asked = "g1 closes a mill. Take one of Black's stones."
    assert query.text == asked
    await api.until(lambda: "Cancel" in str(labels(table.board())))
    assert table.board()["caption"].splitlines()[1] == f"Anna to move. {asked}"
    assert f"{asked} Choices: b2, d2." in table.board()["caption"]
    before, chosen = labels(board), labels(table.board())
    assert (chosen[-1], len(chosen)) == (["Cancel", *before[-1]], len(before))
    *stones, back = tokens(table.board(), "step", loud=True)
    assert sorted(stones) == [f"{partial_move}.b2", f"{partial_move}.d2"]
    assert back == f"{partial_move.rpartition(':')[0]}:"
    table.anna.presses(group, table.board(), "Cancel")
    await api.until(lambda: tokens(table.board(), "step", loud=True) == first)
    assert (table.board()["photo"], table.board()["caption"]) == (board["photo"], board["caption"])
    for token in (partial_move, f"{partial_move}.b2"):
        await api.answer(table.anna.sends(group, table.board(), token))
    await api.until(lambda: table.is_shown("g1xb2"))
    assert [call.method for call in api.calls].count("editMessageMedia") == edits + 1


async def test_an_opened_box_is_covered_until_it_is_tapped(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.says(anna.private, "/blackbox new")
    await api.until(lambda: api.boards(anna.private))
    assert "has_media_spoiler" not in table.board(anna.private)
    for button in ("Resign", "Yes, resign"):
        message = anna.private.newest()
        anna.presses(anna.private, message, button)
        await api.until(lambda: anna.private.newest() != message)  # noqa: B023 - at once
    await api.until(lambda: "has_media_spoiler" in table.board(anna.private))
    board = table.board(anna.private)
    (cover,) = (one for one in board["caption_entities"] if one["type"] == "spoiler")
    assert "Stones: " in board["caption"][cover["offset"] :]
    # A board for others to see is posted in the same way.
    anna.says(anna.private, "/board 1")
    await api.until(lambda: len(api.boards(anna.private)) > 1 or table.board(anna.private) != board)
    assert all("has_media_spoiler" in one for one in api.boards(anna.private))


async def test_the_pages_of_a_keyboard_are_turned_and_kept_over_moves(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.says(anna.private, "/blackbox new")
    await api.until(lambda: api.boards(anna.private))
    board = table.board(anna.private)
    assert labels(board)[0] == ["• ask •", "mark"]
    for forged in ("tab:1:1:", "tab:1:1:.d6", "tab:1:1:there"):
        query = await api.answer(anna.sends(anna.private, board, forged))
        assert query.alert
    assert table.board(anna.private)["reply_markup"] == board["reply_markup"]
    anna.presses(anna.private, board, "mark")
    await api.until(lambda: labels(table.board(anna.private))[0] == ["ask", "• mark •"])
    assert [len(row) for row in labels(table.board(anna.private))[1:9]] == [8] * 8
    anna.presses(anna.private, table.board(anna.private), "c4")
    await api.until(lambda: "1 mark, 5 stones" in table.board(anna.private)["caption"])
    assert labels(table.board(anna.private))[0] == ["ask", "• mark •"]
    assert labels(table.board(anna.private))[4][2] == "●"


async def test_a_move_edits_the_board_and_the_ping_of_the_next_player_replaces_the_last(
    table: Table, front: Telegram
) -> None:
    api, group = table.api, table.group
    board = await table.begin()
    ping, before = group.newest(), group.last
    assert ping["text"] == ANNA_MAY_BEGIN
    assert ping["entities"][0]["user"]["id"] == table.anna.id
    assert ping["reply_to_message"]["message_id"] == board["message_id"]
    assert not ping.get("disable_notification")
    for mover, move in ((table.anna, "d3"), (table.ben, "c3"), (table.anna, "b3")):
        mover.presses(group, table.board(), move)
        await api.until(partial(table.is_shown, move))
    assert table.board()["message_id"] == board["message_id"]
    assert table.board()["photo"] != board["photo"]
    await api.until(lambda: api.texts(group) == [BEN_IS_CALLED])
    assert group.last <= before + 3
    # Both players are notified of an end that neither has caused.
    await playing.end(front._app.matches, 1, Ending(EndingKind.ABORTED))
    await api.until(lambda: any(text.startswith("Anna, Ben: ") for text in api.texts(group)))


@pytest.mark.slow
async def test_a_board_that_is_requested_again_is_silent_and_replaces_the_old_one(
    table: Table,
) -> None:
    api, group = table.api, table.group
    old = await table.begin()
    table.ben.says(group, "/board")
    await api.until(lambda: old["message_id"] not in group.messages)
    assert table.board()["message_id"] > old["message_id"]
    assert not [call for call in api.calls if call.method == "sendPhoto" and call.rings]
    table.anna.presses(group, table.board(), "d3")
    await api.until(lambda: BEN_IS_CALLED in api.texts(group))


@pytest.mark.slow
async def test_a_deleted_board_stays_away_until_the_pinged_player_requests_it(table: Table) -> None:
    api, group = table.api, table.group
    before = await table.begin()
    del group.messages[before["message_id"]]
    offer = await table.answer(table.anna, group, "/othello d3", "board")
    assert offer["text"].startswith("The board is no longer here.\nBen: Your turn: ")
    assert not api.boards(group)
    table.ben.presses(group, offer, "Show board")
    await api.until(lambda: api.boards(group) and table.is_shown("d3"))


async def test_refused_presses_are_alerts_and_a_double_tap_plays_once(table: Table) -> None:
    api, group = table.api, table.group
    old = await table.begin()

    async def alert(person: Person, data: str) -> str:
        query = await api.answer(person.sends(group, old, data))
        assert query.alert
        return query.text

    illegal = "A disc on a1 flips nothing. Every move must flip at least one disc."
    assert await alert(table.anna, "step:1:2:a1") == illegal
    assert await alert(table.ben, "step:1:2:d3") == "Du bist nicht am Zug."
    taps = [table.anna.presses(group, old, "d3") for _ in range(2)]
    for tap in taps:
        await api.until(tap.answered.is_set)
    assert [tap.alert for tap in taps] == [False, True]
    await api.until(lambda: table.is_shown("d3"))
    assert "Discs: Anna 4, Ben 1" in table.board()["caption"]
    assert (await alert(table.anna, "step:1:2:c4")).startswith("The board has changed.")


@pytest.mark.slow
async def test_a_press_on_an_old_message_deletes_it_and_keeps_the_board(table: Table) -> None:
    old = await table.begin()
    table.ben.says(table.group, "/board")
    await table.api.until(lambda: old["message_id"] not in table.group.messages)
    table.anna.presses(table.group, table.board(), "d3")
    await table.api.until(lambda: table.is_shown("d3"))
    current = table.board()["message_id"]
    # A copy that somehow survived.
    table.group.messages[old["message_id"]] = old
    query = await table.api.answer(table.ben.presses(table.group, old, "c4"))
    assert query.alert
    await table.api.until(lambda: old["message_id"] not in table.group.messages)
    # The public message stays.
    table.ben.says(table.group, "/othello c3")
    await table.api.until(lambda: table.is_shown("c3"))
    assert [board["message_id"] for board in table.api.boards(table.group)] == [current]


async def test_a_question_before_resigning_is_for_its_player_and_then_deleted(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    board = await table.begin()
    for answer in ("No, keep playing", "Yes, resign"):
        anna.presses(group, board, "Resign")
        await api.until(lambda: tokens(group.newest(), "resign"))
        question = group.newest()
        assert labels(question) == [["Yes, resign", "No, keep playing"], ["Offer draw"]]
        query = await api.answer(ben.presses(group, question, "Yes, resign"))
        assert (query.alert, query.text[:16]) == (True, "Dieses Menü gehö")
        anna.presses(group, question, answer)
        await api.until(lambda: question["message_id"] not in group.messages)  # noqa: B023 - at once
    await api.until(lambda: "Anna resigned" in table.board()["caption"])
    # The opponent gets a message, since an edit notifies no one.
    await api.until(lambda: any(text.startswith("Ben: ") for text in api.texts(group)))
