"""Input that should never arrive: a clear answer, and no change."""

from contextlib import closing
from functools import partial
from sqlite3 import connect
from typing import Any

import pytest

from bot.fronts.telegram import Telegram
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message, Person

FORGED = (
    "",
    "step",
    "step:1:2",
    "step:1:2:zz",
    "step:1:99:d3",
    "step:999:2:d3",
    "step:-1:2:d3",
    "step:１:2:d3",
    "resign:1:99:yes",
    "sure:1:2:a1",
    "play:1:2:",
    "nothing:1:2:x",
    "accept:1:2:",
    "tab:1:2:x.zz",
    "tab:999:2:x",
    "tab:1:1:x",
    "start:0:0:othello.9",
    "start:0:0:chess",
    "menu:0:0:othello.x",
    "challenge:0:0:x.othello",
    "rules:0:0:chess",
    "settings:0:0:secrets",
    "language:0:0:xx",
    "x" * 64,
    "😀" * 16,
    "step:1:2:" + "d3." * 18,
    "x" * 500,
)


async def test_forged_buttons_change_nothing(table: Table, front: Telegram) -> None:
    board = await table.begin()
    for data in FORGED:
        query = table.anna.sends(table.group, board, data)
        await table.api.until(query.answered.is_set)
        assert query.alert, data
        assert query.text, data
        assert table.board()["caption"] == board["caption"], data


async def two_boards(table: Table) -> tuple[Message, Message]:
    """The board of Anna and Ben, match 1, and below it that of Cleo and Dora, match 2."""
    api, group, dora = table.api, table.group, table.api.person(14, "Dora")
    first = await table.begin()
    table.cleo.says(group, "/othello new black")
    await api.until(lambda: tokens(group.newest(), "accept:2"))
    dora.presses(group, group.newest(), tokens(group.newest(), "accept:2")[0])
    await api.until(lambda: any(tokens(board, "step:2") for board in api.boards(group)))
    (second,) = (board for board in api.boards(group) if tokens(board, "step:2"))
    return first, second


@pytest.mark.parametrize("data", ["alt:2:0:", "resign:2:1:", "step:2:2:d3", "tab:2:2:x"])
async def test_a_forged_button_of_one_match_leaves_the_board_of_another_alone(
    table: Table, front: Telegram, data: str
) -> None:
    first, _ = await two_boards(table)
    eve = table.api.person(66, "Eve")
    for person in (eve, table.cleo):
        query = person.sends(table.group, first, data)
        await table.api.until(query.answered.is_set)
    table.anna.presses(table.group, first, "step:1:2:d3")

    def shown() -> Message:
        return table.group.messages.get(first["message_id"], {})

    await table.api.until(lambda: tokens(shown(), "step:1:3") or not shown())
    assert "Last move: d3\n" in shown().get("caption", "")


@pytest.mark.sqlite
async def test_a_forged_button_makes_no_message_the_board_of_a_match_whose_own_is_in_doubt(
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
            query = eve.sends(group, message, "alt:2:0:")
            await api.until(query.answered.is_set)
        true = table.cleo.sends(group, second, tokens(second, "step:2")[0])
        await api.until(true.answered.is_set)
        with closing(connect(table.file)) as database:
            held = database.execute("SELECT match_id, message FROM boards ORDER BY match_id")
            assert held.fetchall() == [
                (1, str(first["message_id"])),
                (2, str(second["message_id"])),
            ]


async def test_onlookers_who_press_are_told_why_not(table: Table, front: Telegram) -> None:
    board = await table.begin()
    for data in ("step:1:2:d3", "resign:1:2:", "private:1:2:"):
        query = table.cleo.sends(table.group, board, data)
        await table.api.until(query.answered.is_set)
        assert (query.text, query.alert) == ("You are not playing in this game.", True)


@pytest.mark.parametrize(("line", "verb"), [("/play othello", "menu"), ("/resign", "resign")])
async def test_a_menu_is_its_askers_also_where_their_command_has_gone(
    table: Table, front: Telegram, line: str, verb: str
) -> None:
    api, group = table.api, table.group
    await table.begin()
    table.anna.says(group, line)
    await api.until(lambda: tokens(group.newest(), verb))
    # As Telegram tells of a menu whose command was deleted.
    menu = group.newest()
    del menu["reply_to_message"]
    shown = dict(menu)
    token = tokens(menu, verb)[-1]
    query = table.cleo.sends(group, menu, token)
    await api.until(query.answered.is_set)
    assert query.text.startswith("This menu belongs to another player.")
    assert group.messages[menu["message_id"]] == shown
    table.anna.sends(group, menu, token)
    await api.until(lambda: group.messages.get(menu["message_id"]) != shown)


async def test_an_edited_command_is_not_played(table: Table, front: Telegram) -> None:
    await table.begin()
    said = table.anna.says(table.group, "Hm, where?")
    table.anna.edits(table.group, said, "Hm, where to?")
    table.anna.edits(table.group, said, "/othello d3")
    await table.api.until(
        lambda: any("edited messages" in text for text in table.api.texts(table.group))
    )
    assert "Anna to move." in table.board()["caption"]


async def test_a_command_in_a_channel_is_answered_and_not_done(
    table: Table, front: Telegram
) -> None:
    channel = table.api.group(-1001000000009, "News")
    channel.kind = "channel"
    message = table.api.message(channel, sender=table.anna.plain, text="/othello new")
    del message["from"]
    table.api.update({"channel_post": message | {"sender_chat": channel.plain}})
    await table.api.until(lambda: channel.last > message["message_id"])
    assert "Games do not work in channels." in channel.newest()["text"]


async def test_an_anonymous_administrator_is_asked_for_a_face(
    table: Table, front: Telegram
) -> None:
    group = table.api.group(-1001000000003, "Big")
    nobody = {
        "id": 1087968824,
        "is_bot": True,
        "first_name": "Group",
        "username": "GroupAnonymousBot",
    }
    message = table.api.message(group, sender=nobody, text="/othello new", sender_chat=group.plain)
    table.api.update({"message": message})
    await table.api.until(lambda: table.api.texts(group))
    assert table.api.texts(group)[0].startswith("I cannot see who you are.")


async def test_other_bots_are_not_answered(table: Table, front: Telegram) -> None:
    robot = {"id": 99, "is_bot": True, "first_name": "Robot", "username": "robot_bot"}
    message = table.api.message(table.group, sender=robot, text="/othello new")
    table.api.update({"message": message})
    table.anna.says(table.group, "/help")
    await table.api.until(lambda: table.api.texts(table.group))
    assert "How to play" in table.api.texts(table.group)[0]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<b>Bobby</b> & <i>", "<b>Bobby</b> & <i>"),
        ("*_`[x](tg://user?id=1)", "*_`[x](tg://user?id=1)"),
        ("\u202eevil\u202c\n\n", "evil"),
        ("\u200b", "#77"),
        ("😀" * 40, "😀" * 32),
    ],
)
async def test_names_are_shown_as_they_are_and_never_read(
    table: Table, front: Telegram, name: str, shown: str
) -> None:
    odd: Person = table.api.person(77, name)
    odd.says(table.group, "/othello new")
    await table.api.until(lambda: table.api.texts(table.group))
    assert table.api.texts(table.group)[0].startswith(f"{shown} wants to play Othello.")


async def test_names_that_look_alike_or_like_the_house_have_a_number(
    table: Table, front: Telegram
) -> None:
    for number, name in ((70001, "Dora"), (70002, "D\u043era"), (70003, "Аzumaya")):
        table.api.person(number, name).says(table.group, "/othello new")
    await table.api.until(lambda: len(table.api.texts(table.group)) == 3)
    shown = {text.partition(" wants")[0] for text in table.api.texts(table.group)}
    assert shown == {"Dora", "D\u043era #0002", "Аzumaya #0003"}


async def test_who_is_answered_with_block_cannot_challenge_any_more(
    table: Table, front: Telegram
) -> None:
    table.anna.says(table.group, "/block", reply=table.ben.says(table.group, "hello"))
    await table.api.until(lambda: table.api.texts(table.group))
    # The group does not read it.
    assert table.api.texts(table.group) == [
        "Only you may see this. Open our private chat and press Start."
    ]
    table.ben.says(table.group, "/othello @anna")
    await table.api.until(lambda: len(table.api.texts(table.group)) == 2)
    # Nor does anybody read there that she does not want to play with him.
    own = "Das darfst nur du sehen. Öffne unseren privaten Chat und drück auf Start."
    assert table.api.texts(table.group)[-1] == own
    table.anna.starts()
    table.anna.says(table.group, "/block")
    await table.api.until(lambda: len(table.api.texts(table.group)) == 3)
    assert table.api.texts(table.group)[-1] == "It is in our private chat."
    await table.api.until(lambda: "Press a name" in "".join(table.api.texts(table.anna.private)))


@pytest.mark.parametrize(
    "line", ["/", "/ ", "/@azumaya_bot", "/😀", "/othello " + "d" * 4000, "/x" * 200]
)
async def test_odd_lines_are_answered(table: Table, front: Telegram, line: str) -> None:
    chat = table.anna.private
    table.anna.starts()
    await table.api.until(lambda: table.api.texts(chat))
    table.anna.says(chat, line)
    await table.api.until(lambda: len(table.api.texts(chat)) == 2)


@pytest.mark.parametrize("content", [{"photo": []}, {"text": "Good morning"}, {"text": ""}])
async def test_chatter_is_left_alone(
    table: Table, front: Telegram, content: dict[str, Any]
) -> None:
    message = table.api.message(table.group, sender=table.anna.plain, **content)
    table.api.update({"message": message})
    table.anna.says(table.group, "/help")
    await table.api.until(lambda: table.api.texts(table.group))
    assert len(table.api.texts(table.group)) == 1


async def test_updates_that_nobody_understands_do_no_harm(table: Table, front: Telegram) -> None:
    table.api.spec = None
    table.api.update({"message": {"nonsense": True}})
    table.api.update({"callback_query": {"id": "1"}})
    table.api.update({"new_kind": {"a": 1}})
    table.anna.says(table.group, "/help")
    await table.api.until(lambda: table.api.texts(table.group))


async def test_a_button_without_its_message_is_answered(table: Table, front: Telegram) -> None:
    board = await table.begin()
    gone = {"message_id": board["message_id"], "chat": table.group.plain, "date": 0}
    late = table.anna.sends(table.group, gone, "step:1:2:d3")
    await table.api.until(late.answered.is_set)
    await table.api.until(lambda: table.is_shown("d3"))


ANNA = {"id": 11, "is_bot": False, "first_name": "Anna"}
CHAT = {"id": 11, "type": "private", "first_name": "Anna"}
LINE = {"message_id": 1, "date": 1, "chat": CHAT, "from": ANNA, "text": "/othello new"}
PRESS = {"id": "1", "from": ANNA, "chat_instance": "1", "data": "menu:0:0:", "message": LINE}
HERE = {"user": ANNA, "status": "member"}
CHANGE = {
    "chat": CHAT,
    "from": ANNA,
    "date": 1,
    "old_chat_member": HERE,
    "new_chat_member": HERE,
}
BOARD = {"message_id": 1, "date": 1, "chat": CHAT, "from": ANNA}
KEYS = {"inline_keyboard": [[{"text": "d3", "callback_data": "step:1:2:d3"}]]}


def each(*values: Any) -> tuple[Any, ...]:
    """Of all types, as they come in from outside."""
    return values


UNSOUND: list[dict[str, Any]] = [
    *({"message": wrong} for wrong in each({}, [], 1, "x", True)),
    *({"message": LINE | {"text": wrong}} for wrong in each(0, 7, True, [], {"a": 1}, "/\ud800")),
    *({"edited_message": LINE | {"text": wrong}} for wrong in each(7, ["/help"])),
    *({"channel_post": LINE | {"chat": wrong}} for wrong in each(None, {}, 7, "x", {"id": 1})),
    *(
        {"message": LINE | {"chat": CHAT | {"id": wrong}}}
        for wrong in each("1", 1.5, True, 10**30, [])
    ),
    *({"message": LINE | {"chat": CHAT | {"type": wrong}}} for wrong in each(None, 1, [])),
    *({"message": LINE | {"from": ANNA | {"id": wrong}}} for wrong in each(None, "11", 10**30, [])),
    *(
        {"message": LINE | {"from": ANNA | {"first_name": wrong}}}
        for wrong in each(None, 1, "\udfff")
    ),
    *({"message": LINE | {"from": ANNA | {"username": wrong}}} for wrong in each(1, [])),
    *({"message": LINE | {"from": ANNA | {"language_code": wrong}}} for wrong in each(1, {"a": 1})),
    *({"message": LINE | {"from": wrong}} for wrong in each({}, [], 1, "x")),
    *({"message": LINE | {"message_id": wrong}} for wrong in each(None, "1", [])),
    *({"message": LINE | {"date": wrong}} for wrong in each(None, "1", 10**30)),
    *({"message": LINE | {"entities": wrong}} for wrong in each(1, [1], [{}], {"type": "url"})),
    *(
        {
            "message": LINE
            | {"entities": [{"type": "text_mention", "offset": 0, "length": 1} | wrong]}
        }
        for wrong in each(
            {"offset": -1}, {"offset": "0"}, {"length": -1}, {"user": 1}, {"user": {}}
        )
    ),
    *(
        {"message": LINE | {"reply_to_message": wrong}}
        for wrong in each({}, [], 1, BOARD | {"from": 1})
    ),
    *(
        {"message": LINE | {"reply_to_message": BOARD | {"reply_markup": wrong}}}
        for wrong in each(1, {}, {"inline_keyboard": 1}, {"inline_keyboard": [1]})
    ),
    *({"message": LINE | {"migrate_to_chat_id": wrong}} for wrong in each("1", [], 10**30)),
    *({"message": LINE | {"message_thread_id": wrong}} for wrong in each("1", [])),
    *({"callback_query": wrong} for wrong in each({}, [], 1, "x")),
    *(
        {"callback_query": PRESS | {"from": wrong}}
        for wrong in each(None, {}, 1, ANNA | {"id": "11"})
    ),
    *(
        {"callback_query": PRESS | {"data": wrong}}
        for wrong in each(1, [], True, {"a": 1}, "\ud800")
    ),
    *({"callback_query": PRESS | {"id": wrong}} for wrong in each(None, 1, [])),
    *({"callback_query": PRESS | {"message": wrong}} for wrong in each(1, [], {}, {"chat": CHAT})),
    *({"my_chat_member": wrong} for wrong in each({}, [], 1)),
    *({"my_chat_member": CHANGE | {"chat": wrong}} for wrong in each(None, {}, 1)),
    *({"my_chat_member": CHANGE | {"from": wrong}} for wrong in each(None, {}, 1)),
    *({"my_chat_member": CHANGE | {"new_chat_member": wrong}} for wrong in each(None, {}, 1)),
    *(
        {"my_chat_member": CHANGE | {"old_chat_member": wrong}}
        for wrong in each(None, [], HERE | {"status": 1})
    ),
]


def _is_dropped(table: Table, number: int) -> bool:
    """Has it been logged, and confirmed in the way in which it came?"""
    taken = table.api.deliveries.count(200) if table.api.webhook else not table.api.unconfirmed
    return ("update not understood", number) in table.troubles() and bool(taken)


@pytest.mark.parametrize("by", ["webhook", "polling"])
async def test_what_is_not_as_described_is_dropped_with_one_line_each(
    table: Table, by: str
) -> None:
    table.api.spec = None
    webhook: dict[str, Any] = {"webhook_url": "http://127.0.0.1:9/telegram", "webhook_port": 0}
    async with table.open(**webhook if by == "webhook" else {}) as front:
        if by == "webhook":
            await table.api.until(lambda: table.api.webhook)
            table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/telegram"
        numbers = []
        for unsound in UNSOUND:
            numbers.append(table.api.update(unsound))
            # One after the other: there may be only so many connections at once.
            await table.api.until(partial(_is_dropped, table, numbers[-1]))
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
        await table.api.until(lambda: not table.api.unconfirmed)
        assert sorted(table.troubles()) == [("update not understood", each) for each in numbers]
        assert set(table.api.deliveries) <= {200}
    # The log has the update's number and nothing else.
    assert {key for line in table.logged if "update" in line for key in line} == {
        "event",
        "log_level",
        "update",
    }


async def test_what_may_be_missing_may_be_missing_and_the_rest_may_be_anything(
    table: Table, front: Telegram
) -> None:
    table.api.spec = None
    bare = {key: LINE[key] for key in ("message_id", "date", "chat")}
    nothing = dict.fromkeys(("from", "text", "entities", "reply_to_message", "reply_markup"))
    for content in each(
        {},
        {"message": None},
        {"message": bare},
        {"message": bare | nothing},
        {"channel_post": bare | {"text": "hello"}},
        {"poll": {"id": []}},
        {"inline_query": {"id": 1, "from": {"id": []}}},
        {"callback_query": {key: PRESS[key] for key in ("id", "from", "chat_instance")}},
        {"message": LINE | {"text": "/help", "one_day": {"there": ["will", "be", 1]}}},
    ):
        table.api.update(content)
    await table.api.until(lambda: not table.api.unconfirmed)
    await table.api.until(lambda: [call for call in table.api.calls if "text" in call.given])
    # The stand-in knows of no such press, and Telegram would have been told.
    assert [what for what, _ in table.troubles() if what != "rejected by Telegram"] == []
