"""Typed input: commands, challenges, links."""

import pytest

from bot.fronts.telegram.widgets import TAB
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import BEN_IS_CALLED, tokens

pytestmark = pytest.mark.usefixtures("front")


async def test_a_typed_move_is_played_and_gets_a_reaction_instead_of_a_reply(table: Table) -> None:
    await table.begin()
    table.anna.says(table.group, "/othello@other_bot c4")
    said = table.anna.says(table.group, "/OTHELLO@Azumaya_Bot d3")
    await table.api.until(lambda: table.is_shown("d3"))
    await table.api.until(lambda: table.group.reactions.get(said["message_id"]) == "👌")
    await table.api.until(lambda: table.api.texts(table.group) == [BEN_IS_CALLED])


async def test_the_menu_in_private_has_a_link_that_adds_the_bot_to_a_group(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.says(table.group, "/play")
    await api.until(lambda: anna.private.messages and tokens(anna.private.newest(), "menu"))
    menu = anna.private.newest()
    assert menu["text"].endswith("\nTo play with others, add me to a group and type /play there.")
    (button,) = menu["reply_markup"]["inline_keyboard"][-1]
    assert button["url"] == "https://t.me/azumaya_bot?startgroup=play"
    await api.until(lambda: tokens(table.group.newest(), "menu"))
    assert "startgroup" not in str(table.group.newest())


async def test_a_player_without_a_username_is_challenged_by_a_text_mention(table: Table) -> None:
    table.anna.says(table.group, "/challenge Ben othello reversi", to=[table.ben])
    await table.api.until(
        lambda: any("Anna challenges Ben to Othello." in t for t in table.api.texts(table.group))
    )


async def test_a_reply_to_the_board_is_a_move_without_a_command(table: Table) -> None:
    board = await table.begin()
    table.anna.says(table.group, "d3", reply=board)
    await table.api.until(lambda: table.is_shown("d3"))
    table.ben.says(table.group, "c3", reply=board)
    await table.api.until(
        lambda: any("Das Brett hat sich geändert" in text for text in table.api.texts(table.group))
    )


async def test_a_button_of_a_match_elsewhere_is_answered_like_one_of_no_match(table: Table) -> None:
    api, cleo = table.api, table.cleo
    await table.begin(line="/blackbox new hide")
    version = tokens(table.board(), "private")[0].split(":")[2]
    cleo.starts()
    await api.until(lambda: api.texts(cleo.private))
    menu = cleo.private.newest()
    # The core's own test tries every verb: tests/bot/commands/test_visibility.py.
    for verb in (TAB, "step", "private", "alt", "board"):
        for seen in ("0", version):
            queries = [cleo.sends(cleo.private, menu, f"{verb}:{n}:{seen}:") for n in (1, 2)]
            for query in queries:
                await api.until(query.answered.is_set)
            told = [(query.text or "", query.alert, query.url) for query in queries]
            assert told[0][0].replace("#1", "#2") == told[1][0], verb
            assert told[0][1:] == told[1][1:], verb


async def test_menus_lead_to_a_match_in_a_group(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    await table.answer(anna, group, "/play", "menu")
    menu = group.newest()["message_id"]
    anna.presses(group, group.newest(), "Othello")
    await api.until(lambda: tokens(group.messages[menu], "start"))
    anna.presses(group, group.messages[menu], "Open challenge")
    await api.until(lambda: tokens(group.newest(), "accept"))
    # The menu has done its duty.
    await api.until(lambda: menu not in group.messages)


async def test_long_texts_requested_in_a_group_go_to_the_private_chat(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    board = await table.begin()
    query = await api.answer(anna.presses(group, board, "Rules"))
    assert query.url == "https://t.me/azumaya_bot?start=rules-othello"
    anna.starts("rules-othello")
    await api.until(lambda: any("Black moves first." in text for text in api.texts(anna.private)))
    query = await api.answer(anna.presses(group, board, "Moves"))
    assert query.text == "It is in our private chat."
    await api.until(lambda: any("No moves yet." in text for text in api.texts(anna.private)))
    assert len(api.texts(group)) == 1


@pytest.mark.slow
async def test_a_spectator_without_a_private_chat_reads_the_moves_in_the_group(
    table: Table,
) -> None:
    api, cleo, group = table.api, table.cleo, table.group
    board = await table.begin()
    query = await api.answer(cleo.presses(group, board, "Moves"))
    assert query.text.endswith("\nNo moves yet.")
    table.anna.says(group, "/othello d3")
    await api.until(lambda: "Last move: d3" in api.boards(group)[-1]["caption"])
    query = await api.answer(cleo.presses(group, api.boards(group)[-1], "Moves"))
    assert query.text.splitlines()[-1] == "1.  d3"
    # What is too long for that is said to them where they are.
    await table.answer(table.anna, group, "/moyo new", "accept")
    table.ben.presses(group, group.newest(), "Join")
    await api.until(lambda: len(api.boards(group)) == 2)
    query = cleo.presses(group, api.boards(group)[-1], "Moves")
    await api.until(lambda: "No moves yet." in api.texts(group)[-1])
    assert (query.text, query.url) == ("", "")
    assert group.newest()["reply_to_message"]["message_id"] == api.boards(group)[-1]["message_id"]


async def test_a_replay_is_an_animation_sent_again_by_its_id(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    await table.begin()
    anna.says(group, "/othello d3")
    await api.until(lambda: table.is_shown("d3"))
    anna.says(group, "/replay #1")
    await api.until(lambda: "animation" in group.newest())
    assert [len(tokens(group.newest(), verb)) for verb in ("past", "replay")] == [1, 2]
    anna.starts()
    anna.says(anna.private, "/replay 1")
    await api.until(lambda: "animation" in anna.private.newest())
    sent = anna.private.newest()
    whole, again = [call.given for call in api.calls if call.method == "sendAnimation"]
    assert again["animation"] == sent["animation"]["file_id"]
    assert "animation" not in whole or whole["animation"].startswith("attach:")
    # Other paces and the stepper take its place.
    anna.presses(anna.private, sent, "Fast")
    await api.until(lambda: anna.private.newest()["animation"] != sent["animation"])
    anna.presses(anna.private, anna.private.newest(), "Move by move")
    await api.until(lambda: "photo" in anna.private.newest())
    assert anna.private.newest()["message_id"] == sent["message_id"]
