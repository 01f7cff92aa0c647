"""Groups, topics and private chats: how they come, change and go, and their settings."""

import pytest

from bot.commands import verbs
from bot.fronts.telegram import widgets
from bot.fronts.telegram.front import Telegram
from bot.matches import reading
from bot.store import places
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import ANNA_MAY_BEGIN, tokens, word_in

pytestmark = pytest.mark.usefixtures("front")

SUPER = -1001000000055


@pytest.mark.parametrize("told", [True, False])
async def test_a_group_that_becomes_a_supergroup_keeps_its_matches(
    table: Table, *, told: bool
) -> None:
    await table.begin()
    new = table.api.becomes_supergroup(table.group, SUPER, told=told)
    if not told:
        # Found out by an edit that is refused.
        table.anna.presses(table.group, table.board(), "d3")
    await table.api.until(lambda: table.api.boards(new))
    mover, square = (table.ben, "c3") if not told else (table.anna, "d3")
    await table.api.until(lambda: square in str(table.board(new)["reply_markup"]))
    mover.presses(new, table.board(new), square)
    await table.api.until(lambda: table.is_shown(square, new))
    mover.says(new, "/moves")
    await table.api.until(lambda: any("#1" in text for text in table.api.texts(new)))


@pytest.mark.slow
async def test_a_bot_that_was_removed_sends_nothing_there(table: Table) -> None:
    api = table.api
    await table.begin()
    other = api.group(-200, "Lounge")
    table.group.closed = "Forbidden: bot was kicked from the group chat"
    api.membership(table.group, table.anna, "member", "kicked")
    table.anna.starts()
    await api.until(lambda: api.texts(table.anna.private))
    table.anna.says(table.anna.private, "/othello d3")
    await table.answer(table.cleo, other, "/othello new", "accept")
    assert [call for call in api.calls if call.refused] == []


async def test_black_box_alone_moves_from_a_group_to_the_private_chat(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    said = anna.says(group, "/blackbox new")
    await api.until(lambda: api.texts(group))
    (button,) = group.newest()["reply_markup"]["inline_keyboard"][0]
    assert group.newest()["reply_to_message"]["message_id"] == said["message_id"]
    assert button["url"].startswith("https://t.me/azumaya_bot?start=board-")
    # It stands in the group, where others may try it.
    table.ben.starts(word_in(button["url"], "board"))
    await api.until(lambda: api.texts(table.ben.private))
    assert not api.boards(table.ben.private)
    anna.starts(word_in(button["url"], "board"))
    await api.until(lambda: api.boards(anna.private))
    assert not api.boards(group)
    first = api.boards(anna.private)[-1]["message_id"]
    # Once it is open, no link is needed.
    anna.says(group, "/blackbox new")
    await api.until(lambda: "It is in our private chat." in api.texts(group))
    # Nothing has happened in the first one yet: it comes to the bottom instead of a second.
    await api.until(lambda: api.boards(anna.private)[-1]["message_id"] > first)
    await api.until(lambda: len(api.boards(anna.private)) == 1)


async def test_hidden_stones_are_never_shown_in_the_group(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    await table.begin(line="/blackbox new hide")
    board = table.board()
    hider = anna if "Anna to move" in board["caption"] else ben
    query = await api.answer(hider.presses(group, board, tokens(board, "private")[0]))
    hider.starts(word_in(query.url or "", "private"))
    await api.until(lambda: api.boards(hider.private))
    assert not tokens(table.board(), "step")
    private = table.board(hider.private)
    first = tokens(private, "step", loud=True)[0]
    await api.answer(hider.sends(hider.private, private, first))
    hider.says(group, "/moves")
    await api.until(lambda: len(api.texts(hider.private)) >= 1)
    square = first.rpartition(":")[2]
    assert not any(square in text for text in api.texts(group))
    assert square not in table.board()["caption"]


async def test_the_person_who_adds_the_bot_sets_the_language_of_the_group(table: Table) -> None:
    table.api.membership(table.group, table.ben, "left", "member")
    await table.api.until(lambda: table.api.texts(table.group))
    assert table.api.texts(table.group)[0].startswith("Hallo!")
    table.anna.says(table.group, "/othello new")
    await table.api.until(lambda: "Anna möchte Othello spielen" in table.group.newest()["text"])


async def test_it_is_known_who_has_left_a_group(table: Table, front: Telegram) -> None:
    await table.begin()
    store, ask = front._app.store, front._app.member_checks["telegram"]
    place = await places.place(store, (await reading.get(front._app.matches, 1)).match.place_id)
    assert await ask(place, str(table.ben.id)) is True
    table.group.gone.add(table.ben.id)
    assert await ask(place, str(table.ben.id)) is False
    assert await ask(place, "999") is None


async def test_only_administrators_change_settings_and_start_games_where_that_is_set(
    table: Table,
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    anna.says(group, "/here")
    await api.until(lambda: api.texts(group))
    assert not tokens(group.newest(), "here")
    group.administrators.add(anna.id)
    await table.answer(anna, group, "/here begin managers", "here")
    ben.says(group, "/othello new")
    await api.until(
        lambda: any("Hier darf nur die Moderation" in text for text in api.texts(group))
    )
    challenge = await table.answer(anna, group, "/othello new black", "accept")
    ben.presses(group, challenge, tokens(challenge, "accept")[0])
    await api.until(lambda: ANNA_MAY_BEGIN in api.texts(group))


@pytest.mark.parametrize("verb", ["settings", "here"])
async def test_a_theme_is_chosen_by_its_picture_in_private_and_by_its_name_in_a_group(
    table: Table, verb: str
) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    table.group.administrators.add(anna.id)
    chat = anna.private if verb == "settings" else table.group
    anna.says(chat, f"/{verb}")
    await api.until(lambda: f"{verb}:0:0:theme" in tokens(chat.newest(), verb))
    anna.presses(chat, chat.newest(), f"{verb}:0:0:theme")
    await api.until(lambda: f"{verb}:0:0:theme.wood" in tokens(chat.newest(), verb))
    assert ("photo" in chat.newest()) is (chat is anna.private)
    anna.presses(chat, chat.newest(), f"{verb}:0:0:theme.wood")
    await api.until(lambda: "Colours: wood" in str(chat.newest()))


@pytest.mark.slow
async def test_topics_of_a_forum_are_threads_and_threads_of_replies_are_not(table: Table) -> None:
    api, anna = table.api, table.anna
    forum = api.group(-1001000000001, "Forum", topics=[7])
    forum.administrators.add(anna.id)
    await table.answer(anna, forum, "/here threads only", "here")
    anna.says(forum, "/othello new")
    await api.until(
        lambda: any("only allowed in threads and topics" in one for one in api.texts(forum))
    )
    anna.says(forum, "/othello new", thread=7)
    await api.until(lambda: tokens(forum.newest(), "accept"))
    assert forum.newest()["message_thread_id"] == 7
    message = api.message(table.group, sender=anna.plain, text="/othello new", message_thread_id=55)
    api.update({"message": message})
    await api.until(lambda: tokens(table.group.newest(), "accept"))
    assert "message_thread_id" not in table.group.newest()


def test_no_button_of_the_front_has_the_name_of_one_of_the_core() -> None:
    assert {widgets.VOID, widgets.TAB}.isdisjoint(verbs())
