"""Boards, buttons and pings: what is edited, what is new, what is refused."""

import asyncio
from functools import partial

import pytest

from bot.commands import Answer, Command, Commands
from bot.fronts.telegram import Telegram
from bot.model import Ending, EndingKind
from bot.texts import LANGUAGES, Texts
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import (
    ANNA_IS_CALLED,
    BEN_IS_CALLED,
    handed_on,
    rests,
    tokens,
)
from tests.bot.fronts.telegram.server import Message

pytestmark = pytest.mark.usefixtures("front")


def labels(message: Message) -> list[list[str]]:
    return [
        [button["text"] for button in row] for row in message["reply_markup"]["inline_keyboard"]
    ]


async def test_the_position_stands_in_the_caption(table: Table) -> None:
    board = await table.begin()
    assert board["caption"] == (
        "Othello · Anna ⚫ – ⚪ Ben\nAnna to move.\nDiscs: Anna 2, Ben 2\n"
        "Othello, Black to move. Black has 2: e4 d5. White has 2: d4 e5. "
        "Legal moves (4): d3 c4 f5 e6."
    )
    kinds = {entity["type"] for entity in board["caption_entities"]}
    assert kinds == {"bold", "expandable_blockquote"}


async def test_the_keyboard_has_the_shape_of_the_board(table: Table) -> None:
    rows = labels(await table.begin())
    assert [len(row) for row in rows] == [8] * 8 + [3]
    assert rows[2][3] == "d3"
    assert {label for row in rows[:2] for label in row} == {"·"}


async def test_sogo_has_four_by_four_and_morris_seven_by_seven(table: Table) -> None:
    rows = labels(await table.begin(line="/sogo new"))
    assert [len(row) for row in rows] == [4] * 4 + [3]
    forum = table.api.group(-1001000000001, "Forum", topics=[7])
    rows = labels(await table.begin(forum, line="/morris new"))
    assert [len(row) for row in rows] == [7] * 7 + [3]
    assert rows[0] == ["a7", "\u2800", "\u2800", "d7", "\u2800", "\u2800", "g7"]


async def test_what_lies_on_the_board_lies_in_the_keys(table: Table) -> None:
    board = await table.begin()
    assert labels(board)[3:5] == [
        ["·", "·", "c4", "⚪", "⚫", "·", "·", "·"],
        ["·", "·", "·", "⚫", "⚪", "f5", "·", "·"],
    ]
    table.anna.presses(table.group, board, "d3")
    await table.api.until(lambda: table.is_shown("d3"))
    assert labels(table.board())[2:4] == [
        ["·", "·", "c3", "⚫", "e3", "·", "·", "·"],
        ["·", "·", "·", "⚫", "⚫", "·", "·", "·"],
    ]


async def test_what_does_not_fit_is_asked_step_by_step(table: Table) -> None:
    board = await table.begin_mill()
    first = tokens(board, "step", loud=True)
    half = next(token for token in first if token.endswith(":g1"))
    query = table.anna.sends(table.group, board, half)
    await table.api.until(query.answered.is_set)
    assert query.text.startswith("You closed a mill")
    await table.api.until(lambda: "Cancel" in str(labels(table.board())))
    # Other people's pictures stay.
    assert (table.board()["photo"], table.board()["caption"]) == (board["photo"], board["caption"])
    *stones, back = tokens(table.board(), "step", loud=True)
    assert sorted(stones) == [f"{half}.b2", f"{half}.d2"]
    assert back == f"{half.rpartition(':')[0]}:"
    # And back again.
    table.anna.presses(table.group, table.board(), "Cancel")
    await table.api.until(lambda: tokens(table.board(), "step", loud=True) == first)


async def test_the_digits_of_moyo_lie_beside_its_cells_and_a_move_is_one_edit(table: Table) -> None:
    api, group = table.api, table.group
    board = await table.begin(line="/moyo new")
    assert [len(row) for row in labels(board)[:3]] == [6, 6, 6]
    mover, other = (table.anna, table.ben)[:: 1 if "Anna to move." in board["caption"] else -1]
    digit = tokens(board, "rest")[0]
    for person, key in ((mover, "error-nothing-begun"), (other, "error-not-your-turn")):
        query = person.sends(group, board, digit)
        await api.until(query.answered.is_set)
        assert query.alert
        assert query.text in [Texts(language)(key) for language in LANGUAGES]
    cell = next(token for token in tokens(board, "step", loud=True) if "." not in token)
    edits = [call.method for call in api.calls].count("editMessageMedia")
    query = mover.sends(group, board, cell)
    await api.until(query.answered.is_set)
    assert not query.alert
    # The player gets the choices, and the shared picture stays as it is.
    assert table.board() == board
    ends = rests(board, query.text)
    wrong = next(token for token in tokens(board, "rest") if token not in ends)
    query = mover.sends(group, board, wrong)
    await api.until(query.answered.is_set)
    assert query.alert
    query = mover.sends(group, board, ends[0])
    await api.until(query.answered.is_set)
    step, end = (token.rpartition(":")[2] for token in (cell, ends[0]))
    await api.until(lambda: table.is_shown(f"{end} on {step}"))
    methods = [call.method for call in api.calls]
    assert methods.count("editMessageMedia") == edits + 1
    assert "editMessageReplyMarkup" not in methods


async def test_black_box_has_pages(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.says(anna.private, "/blackbox new")
    await api.until(lambda: api.boards(anna.private))
    assert labels(table.board(anna.private))[0] == ["• ask •", "mark"]
    query = anna.presses(anna.private, table.board(anna.private), "mark")
    await api.until(query.answered.is_set)
    await api.until(lambda: labels(table.board(anna.private))[0] == ["ask", "• mark •"])
    assert [len(row) for row in labels(table.board(anna.private))[1:9]] == [8] * 8
    # Marking mode stays on.
    anna.presses(anna.private, table.board(anna.private), "c4")
    await api.until(lambda: "1 mark, 5 stones" in table.board(anna.private)["caption"])
    assert labels(table.board(anna.private))[0] == ["ask", "• mark •"]
    # And whatever is asked and marked, the page is the box: the mark can be taken away there.
    anna.says(anna.private, "/blackbox ask 17")
    await api.until(lambda: labels(table.board(anna.private))[0] == ["• ask •", "mark"])
    anna.presses(anna.private, table.board(anna.private), "mark")
    await api.until(lambda: labels(table.board(anna.private))[0] == ["ask", "• mark •"])
    box = labels(table.board(anna.private))[1:9]
    empty = [[f"{column}{row}" for column in "abcdefgh"] for row in range(1, 9)]
    assert box == [["●" if name == "c4" else name for name in row] for row in empty]


async def test_a_move_edits_the_board_in_place_with_another_picture(table: Table) -> None:
    before = await table.begin()
    table.anna.presses(table.group, before, "d3")
    await table.api.until(lambda: table.is_shown("d3"))
    after = table.board()
    assert after["message_id"] == before["message_id"]
    assert after["photo"] != before["photo"]


async def test_board_posts_it_anew_at_the_bottom(table: Table) -> None:
    before = await table.begin()
    table.ben.says(table.group, "/board")
    await table.api.until(lambda: before["message_id"] not in table.group.messages)
    after = table.board()
    assert after["message_id"] > before["message_id"]
    table.anna.presses(table.group, after, "d3")
    await table.api.until(lambda: table.is_shown("d3"))


async def test_a_deleted_board_stays_away_and_whoever_is_called_may_have_it_back(
    table: Table,
) -> None:
    api, group = table.api, table.group
    before = await table.begin()
    del group.messages[before["message_id"]]
    table.anna.says(group, "/othello d3")
    await api.until(lambda: tokens(group.newest(), "board"))
    offer = group.newest()
    assert offer["text"].startswith("The board is no longer here.\nBen: Your turn: ")
    assert not api.boards(group)
    table.ben.presses(group, offer, "Show board")
    await api.until(lambda: api.boards(group) and table.is_shown("d3"))


async def test_an_illegal_square_is_refused_with_the_reason(table: Table) -> None:
    board = await table.begin()
    query = table.anna.sends(table.group, board, "step:1:2:a1")
    await table.api.until(query.answered.is_set)
    assert query.alert
    assert query.text == "A disc on a1 flips nothing. Every move must flip at least one disc."


async def test_whoever_is_not_to_move_is_told_so(table: Table) -> None:
    board = await table.begin()
    query = table.ben.presses(table.group, board, "d3")
    await table.api.until(query.answered.is_set)
    assert (query.text, query.alert) == ("Du bist nicht am Zug.", True)


async def test_a_stale_button_is_refused_and_the_current_board_shown(table: Table) -> None:
    old = await table.begin()
    table.anna.presses(table.group, old, "d3")
    await table.api.until(lambda: table.is_shown("d3"))
    query = table.anna.presses(table.group, old, "c4")
    await table.api.until(query.answered.is_set)
    assert query.alert
    assert query.text.startswith("The board has changed.")
    assert len(table.api.boards(table.group)) == 1


async def test_a_stale_message_gives_way_to_the_current_board(table: Table) -> None:
    old = await table.begin()
    table.ben.says(table.group, "/board")
    await table.api.until(lambda: old["message_id"] not in table.group.messages)
    table.anna.presses(table.group, table.board(), "d3")
    await table.api.until(lambda: table.is_shown("d3"))
    current = table.board()["message_id"]
    # A copy that somehow survived.
    table.group.messages[old["message_id"]] = old
    query = table.ben.presses(table.group, old, "c4")
    await table.api.until(query.answered.is_set)
    assert query.alert
    await table.api.until(lambda: old["message_id"] not in table.group.messages)
    # The public message stays.
    table.ben.says(table.group, "/othello c3")
    await table.api.until(lambda: table.is_shown("c3"))
    assert [board["message_id"] for board in table.api.boards(table.group)] == [current]


async def test_a_half_made_move_is_not_shown_once_the_match_has_moved_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed = Commands.pressed

    async def pressed_too_late(self: Commands, command: Command, token: str) -> Answer:
        answer = await pressed(self, command, token)
        assert answer.private is not None
        assert answer.private.in_place
        loaded = await self._app.matches.get(answer.private.match)
        (seat,) = loaded.turn
        move = loaded.game.notation(loaded.position.moves(seat)[0])
        await self._app.matches.play(loaded.match.id, command.user.id, move, sure=True)
        return answer

    board = await table.begin_mill()
    monkeypatch.setattr(Commands, "pressed", pressed_too_late)
    half = next(token for token in tokens(board, "step", loud=True) if token.endswith(":g1"))
    query = table.anna.sends(table.group, board, half)
    await table.api.until(query.answered.is_set)
    assert query.alert
    assert query.text in [Texts(language)("error-stale") for language in LANGUAGES]


async def test_a_double_tap_plays_once(table: Table) -> None:
    board = await table.begin()
    queries = [table.anna.presses(table.group, board, "d3") for _ in range(2)]
    for query in queries:
        await table.api.until(query.answered.is_set)
    assert [query.alert for query in queries] == [False, True]
    await table.api.until(lambda: table.is_shown("d3"))
    assert "Discs: Anna 4, Ben 1" in table.board()["caption"]


async def test_resigning_asks_whoever_resigns_and_nobody_else(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    board = await table.begin()
    anna.presses(group, board, "Resign")
    await api.until(lambda: tokens(group.newest(), "resign"))
    question = group.newest()
    query = ben.presses(group, question, "Yes, resign")
    await api.until(query.answered.is_set)
    assert (query.alert, query.text[:16]) == (True, "Dieses Menü gehö")
    anna.presses(group, question, "Yes, resign")
    await api.until(lambda: "Anna resigned" in table.board()["caption"])
    await api.until(lambda: question["message_id"] not in group.messages)
    # The opponent gets a message, since an edit notifies no one.
    await api.until(lambda: any(text.startswith("Ben: ") for text in api.texts(group)))


async def test_whoever_does_not_resign_after_all_says_no(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    board = await table.begin()
    anna.presses(group, board, "Resign")
    await api.until(lambda: tokens(group.newest(), "resign"))
    question = group.newest()
    assert labels(question) == [["Yes, resign", "No, keep playing"], ["Offer draw"]]
    query = anna.presses(group, question, "No, keep playing")
    await api.until(query.answered.is_set)
    assert not query.alert
    await api.until(lambda: question["message_id"] not in group.messages)
    anna.presses(group, table.board(), "d3")
    await api.until(lambda: table.is_shown("d3"))


async def test_no_call_stays_behind_when_the_board_is_asked_for_while_it_is_being_said(
    table: Table,
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    old = await table.begin()
    api.hold["sendMessage"] = held = asyncio.Event()
    anna.presses(group, old, "d3")
    await api.until(lambda: BEN_IS_CALLED in api.texts(group))
    ben.says(group, "/board")
    await api.until(lambda: len(group.reactions) > 1)
    held.set()
    await api.until(lambda: old["message_id"] not in group.messages)
    ben.says(group, "/othello c3")
    await api.until(lambda: table.is_shown("c3"))
    await api.until(lambda: api.texts(group) == [ANNA_IS_CALLED])
    await play_on(table)
    ben.says(group, "/resign")
    await api.until(lambda: tokens(group.newest(), "resign"))
    ben.presses(group, group.newest(), tokens(group.newest(), "resign")[0])
    await api.until(lambda: any("is over. Anna wins" in text for text in api.texts(group)))
    await api.until(lambda: len(api.texts(group)) == 1)


async def play_on(table: Table) -> None:
    table.anna.says(table.group, "/othello c4")
    await table.api.until(lambda: table.is_shown("c4"))
    await table.api.until(lambda: BEN_IS_CALLED in table.api.texts(table.group))


async def test_both_are_told_what_the_house_has_ended_also_who_moved_last(
    table: Table, front: Telegram
) -> None:
    api, group, matches = table.api, table.group, front._app.matches
    board = await table.begin()
    table.anna.presses(group, board, "d3")
    await api.until(lambda: table.is_shown("d3"))
    await matches.end(1, Ending(EndingKind.ABORTED))
    await api.until(lambda: "its rules changed in an update" in table.board()["caption"])
    await api.until(lambda: any("Anna, Ben: " in text for text in api.texts(group)))


async def test_a_ping_calls_whoever_is_to_move_and_the_last_one_goes(table: Table) -> None:
    api, group = table.api, table.group
    board = await table.begin()
    ping = group.newest()
    assert ping["text"] == ANNA_IS_CALLED
    assert ping["entities"][0]["user"]["id"] == table.anna.id
    assert ping["reply_to_message"]["message_id"] == board["message_id"]
    assert not ping.get("disable_notification")
    table.anna.presses(group, board, "d3")
    await api.until(lambda: BEN_IS_CALLED in api.texts(group))
    await api.until(lambda: ping["message_id"] not in group.messages)
    assert len(api.texts(group)) == 1


@pytest.mark.parametrize("moves", [("d3",), ("d3", "c3"), ("d3", "c3", "b3")])
async def test_a_move_brings_one_new_message(table: Table, moves: tuple[str, ...]) -> None:
    await table.begin()
    before = table.group.last
    for at, move in enumerate(moves):
        mover = (table.anna, table.ben)[at % 2]
        mover.presses(table.group, table.board(), move)
        await table.api.until(partial(table.is_shown, move))
    # It pings the player to move; the message before is deleted or was never sent.
    called = BEN_IS_CALLED if len(moves) % 2 else ANNA_IS_CALLED
    await table.api.until(lambda: table.api.texts(table.group) == [called])
    assert table.group.last <= before + len(moves)


async def test_german_and_english_people_in_one_match(table: Table) -> None:
    api, anna, ben = table.api, table.anna, table.ben
    anna.starts()
    anna.says(anna.private, "/othello new black")
    await api.until(lambda: tokens(anna.private.newest(), "withdraw"))
    ben.starts(handed_on(anna.private.newest()))
    await api.until(lambda: api.boards(anna.private) and api.boards(ben.private))
    assert "Your turn." in table.board(anna.private)["caption"]
    assert "Anna ist am Zug." in table.board(ben.private)["caption"]
    anna.presses(anna.private, table.board(anna.private), "d3")
    await api.until(lambda: "Du bist am Zug." in table.board(ben.private)["caption"])
    await api.until(lambda: "Du bist am Zug: Othello, Partie 1." in api.texts(table.ben.private))
    await api.until(lambda: "Your turn: Othello, game 1." not in api.texts(table.anna.private))


async def test_nobody_turns_what_all_look_at_by_keys_that_are_not_there(table: Table) -> None:
    api, group = table.api, table.group
    board = await table.begin(line="/morris new white")
    shown = board["reply_markup"]
    for who in (table.cleo, table.ben, table.anna):
        for forged in ("tab:1:2:", "tab:1:2:.d6", "tab:1:2:there"):
            query = who.sends(group, board, forged)
            await api.until(query.answered.is_set)
            assert query.alert
    assert table.board()["reply_markup"] == shown
