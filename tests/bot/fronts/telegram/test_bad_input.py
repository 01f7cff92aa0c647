"""Input that should never arrive: a clear answer, and no change."""

from contextlib import closing
from datetime import UTC, datetime
from sqlite3 import connect
from typing import Any

import pytest
from telegram import Chat
from telegram import Message as TelegramMessage

from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.reading import line_in
from tests.bot.fronts.telegram.conftest import Table, connected
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message

FORGED = (
    "",
    "step:1:2",
    "step:1:99:d3",
    "step:１:2:d3",
    "sure:1:2:a1",
    "tab:1:2:x.zz",
    "tab:999:2:x",
    "tab:1:1:x",
    "start:0:0:othello.9",
    "😀" * 16,
    "x" * 500,
)


async def test_forged_buttons_change_nothing(table: Table, front: Telegram) -> None:
    board = await table.begin()
    for data in FORGED:
        query = await table.api.answer(table.anna.sends(table.group, board, data))
        assert query.alert, data
        assert query.text, data
        assert table.board()["caption"] == board["caption"], data


async def two_boards(table: Table) -> tuple[Message, Message]:
    """Return the board of Anna and Ben, match 1, and below it that of Cleo and Dora, match 2."""
    api, group, dora = table.api, table.group, table.api.person(14, "Dora")
    first = await table.begin()
    await table.answer(table.cleo, group, "/othello new black", "accept:2")
    dora.presses(group, group.newest(), tokens(group.newest(), "accept:2")[0])
    await api.until(lambda: any(tokens(board, "step:2") for board in api.boards(group)))
    (second,) = (board for board in api.boards(group) if tokens(board, "step:2"))
    return first, second


@pytest.mark.slow
@pytest.mark.sqlite
async def test_a_forged_button_makes_no_message_the_board_of_a_match_whose_board_is_unsure(
    table: Table,
) -> None:
    api, group = table.api, table.group
    async with table.open():
        first, second = await two_boards(table)
    # What a kill while it was being sent leaves of the second board.
    with closing(connect(table.file)) as database, database:
        database.execute("UPDATE boards SET message = '?' WHERE match_id = 2")
    eve = api.person(66, "Eve")
    async with table.open():
        table.anna.says(group, "/rules othello")
        await api.until(lambda: "othello" in str(group.newest().get("text")).casefold())
        for message in (first, group.newest()):
            await api.answer(eve.sends(group, message, "alt:2:0:"))
        await api.answer(table.cleo.sends(group, second, tokens(second, "step:2")[0]))
        with closing(connect(table.file)) as database:
            held = database.execute("SELECT match_id, message FROM boards ORDER BY match_id")
            assert held.fetchall() == [
                (1, str(first["message_id"])),
                (2, str(second["message_id"])),
            ]


async def test_a_menu_stays_with_its_player_after_the_command_was_deleted(
    table: Table, front: Telegram
) -> None:
    api, group = table.api, table.group
    await table.answer(table.anna, group, "/play othello", "options")
    # Telegram sends such a menu without its command.
    menu = group.newest()
    del menu["reply_to_message"]
    shown = dict(menu)
    token = tokens(menu, "options")[-1]
    query = await api.answer(table.cleo.sends(group, menu, token))
    assert query.text.startswith("This menu belongs to another player.")
    assert group.messages[menu["message_id"]] == shown
    table.anna.sends(group, menu, token)
    await api.until(lambda: group.messages.get(menu["message_id"]) != shown)


async def test_messages_without_a_player_get_a_reason_or_no_reply(
    table: Table, front: Telegram
) -> None:
    api, anna, group = table.api, table.anna, table.group
    channel = api.group(-1001000000009, "News")
    channel.kind = "channel"
    post = api.message(channel, sender=anna.plain, text="/othello new")
    del post["from"]
    api.update({"channel_post": post | {"sender_chat": channel.plain}})
    await api.until(lambda: channel.last > post["message_id"])
    assert "Games do not work in channels." in channel.newest()["text"]
    anonymous, robot = (
        {"id": number, "is_bot": True, "first_name": name, "username": name}
        for number, name in ((1087968824, "GroupAnonymousBot"), (99, "robot_bot"))
    )
    contents: tuple[dict[str, Any], ...] = (
        {"sender": robot, "text": "/othello new"},
        {"sender": anna.plain, "photo": []},
        {"sender": anna.plain, "text": ""},
        {"sender": anna.plain, "text": "Good morning"},
        {"sender": anonymous, "text": "/othello new", "sender_chat": group.plain},
    )
    for content in contents:
        api.update({"message": api.message(group, **content)})
    await api.until(lambda: api.texts(group))
    assert len(api.texts(group)) == 1
    assert api.texts(group)[0].startswith("I cannot see who you are.")


async def test_an_anonymous_administrator_is_answered_in_the_language_of_the_group(
    table: Table, front: Telegram
) -> None:
    api, ben, group = table.api, table.ben, table.group
    ben.says(group, "/help")
    await api.until(lambda: api.texts(group))
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    said = api.message(group, sender=anonymous, text="/othello new", sender_chat=group.plain)
    api.update({"message": said})
    await api.until(lambda: api.texts(group)[-1].startswith("Ich sehe nicht, wer du bist."))


async def test_a_reply_with_block_blocks_its_author_and_only_the_private_chat_says_so(
    table: Table, front: Telegram
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    anna.says(group, "/block", reply=ben.says(group, "hello"))
    await api.until(lambda: api.texts(group))
    ben.says(group, "/othello @anna")
    await api.until(lambda: len(api.texts(group)) == 2)
    assert api.texts(group) == [
        "Only you may see this. Open our private chat and press Start.",
        "Das darfst nur du sehen. Öffne unseren privaten Chat und drück auf Start.",
    ]
    anna.starts()
    anna.says(group, "/block")
    await api.until(lambda: api.texts(group)[-1] == "It is in our private chat.")
    await api.until(lambda: "Choose a name" in "".join(api.texts(anna.private)))


async def test_odd_lines_are_answered(table: Table, front: Telegram) -> None:
    chat = table.anna.private
    table.anna.starts()
    await table.api.until(lambda: table.api.texts(chat))
    for line in ("/", "/@azumaya_bot", "/😀", "/othello " + "d" * 4000, "/x" * 200):
        said = table.anna.says(chat, line)
        await table.api.until(lambda: chat.last > said["message_id"])  # noqa: B023 - at once


async def test_a_button_without_its_message_is_answered(table: Table, front: Telegram) -> None:
    board = await table.begin()
    gone = {"message_id": board["message_id"], "chat": table.group.plain, "date": 0}
    await table.api.answer(table.anna.sends(table.group, gone, "step:1:2:d3"))
    await table.api.until(lambda: table.is_shown("d3"))


ANNA = {"id": 11, "is_bot": False, "first_name": "Anna"}
CHAT = {"id": 11, "type": "private", "first_name": "Anna"}
LINE = {"message_id": 1, "date": 1, "chat": CHAT, "from": ANNA, "text": "/othello new"}
PRESS = {"id": "1", "from": ANNA, "chat_instance": "1", "data": "menu:0:0:", "message": LINE}


@pytest.mark.parametrize("by", ["webhook", "polling"])
async def test_updates_that_cannot_be_read_are_dropped_with_one_line_each(
    table: Table, by: str
) -> None:
    table.api.spec = None
    webhook: dict[str, Any] = {"webhook_url": "http://127.0.0.1:9/telegram", "webhook_port": 0}
    async with table.open(**webhook if by == "webhook" else {}) as front:
        if by == "webhook":
            await connected(table, front)
        numbers = [
            table.api.update(one) for one in ({"message": {"a": 1}}, {"callback_query": {"a": 1}})
        ]
        dropped = [("update not understood", number) for number in numbers]
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
        await table.api.until(lambda: sorted(table.troubles()) == dropped)
        await table.api.until(lambda: not table.api.unconfirmed)
        assert set(table.api.deliveries) <= {200}
    # The log has the update's number and nothing else.
    assert {key for line in table.logged if "update" in line for key in line} == {
        "event",
        "log_level",
        "update",
    }


async def test_optional_fields_may_be_missing_and_unknown_ones_may_be_anything(
    table: Table, front: Telegram
) -> None:
    table.api.spec = None
    bare = {key: LINE[key] for key in ("message_id", "date", "chat")}
    nothing = dict.fromkeys(("from", "text", "entities", "reply_to_message", "reply_markup"))
    contents: tuple[dict[str, Any], ...] = (
        {},
        {"message": None},
        {"message": bare},
        {"message": bare | nothing},
        {"channel_post": bare | {"text": "hello"}},
        {"poll": {"id": []}},
        {"inline_query": {"id": 1, "from": {"id": []}}},
        {"callback_query": {key: PRESS[key] for key in ("id", "from", "chat_instance")}},
        {"message": LINE | {"text": "/help", "one_day": {"there": ["will", "be", 1]}}},
    )
    for content in contents:
        table.api.update(content)
    await table.api.until(lambda: not table.api.unconfirmed)
    await table.api.until(lambda: [call for call in table.api.calls if "text" in call.given])
    # The stand-in knows of no such press, and Telegram would have been told.
    assert [what for what, _ in table.troubles() if what != "rejected by Telegram"] == []


@pytest.mark.parametrize(
    "text",
    ["/othello d3", "／othello d3", "／othello@azumaya_bot d3", "\u200b／othello＠azumaya_bot d3"],
)
def test_a_full_width_slash_starts_a_command(text: str) -> None:
    message = TelegramMessage(1, datetime.now(UTC), Chat(7, "private"), text=text)
    line = line_in(message, "azumaya_bot")
    assert line is not None
    assert line.text == "/othello d3"
