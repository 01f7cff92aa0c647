"""Typed input: commands, challenges, links."""

import pytest

from bot.commands import verbs
from bot.fronts.telegram import Telegram
from bot.fronts.telegram.widgets import TAB
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import handed_on, tokens

pytestmark = pytest.mark.usefixtures("front")


@pytest.mark.parametrize(
    "line", ["/othello d3", "/othello@azumaya_bot d3", "/OTHELLO@Azumaya_Bot d3"]
)
async def test_a_typed_move_is_played_and_nodded_at(table: Table, line: str) -> None:
    await table.begin()
    said = table.anna.says(table.group, line)
    await table.api.until(lambda: table.is_shown("d3"))
    await table.api.until(lambda: table.group.reactions.get(said["message_id"]) == "👌")
    # The nod is no message: there is the board, and the word to Ben.
    assert len(table.api.texts(table.group)) == 1
    # It is not part of a reply thread either.
    table.ben.says(table.group, "Well played!", reply=said)
    assert not table.api.problems


async def test_commands_for_another_bot_are_not_ours(table: Table) -> None:
    await table.begin()
    table.anna.says(table.group, "/othello@other_bot d3")
    table.anna.says(table.group, "/othello@azumaya_bot c4")
    await table.api.until(lambda: table.is_shown("c4"))


async def test_black_box_is_asked_by_typing(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.says(anna.private, "/blackbox new")
    await api.until(lambda: api.boards(anna.private))
    anna.says(anna.private, "/blackbox ask 17")
    await api.until(lambda: "17" in table.board(anna.private)["caption"].split("\n")[-1])


async def test_a_refusal_answers_the_line_that_caused_it_in_its_language(table: Table) -> None:
    await table.begin()
    said = table.ben.says(table.group, "/othello d3")
    await table.api.until(lambda: "Du bist nicht am Zug." in table.api.texts(table.group))
    assert table.group.newest()["reply_to_message"]["message_id"] == said["message_id"]


async def test_who_begins_in_private_is_told_that_we_come_into_groups(table: Table) -> None:
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


async def test_somebody_is_challenged_by_name(table: Table) -> None:
    table.cleo.says(table.group, "/help@azumaya_bot")
    table.anna.says(table.group, "/othello @Cleo")
    title = "Anna challenges Cleo <b>& to Othello.\nRated"
    await table.api.until(lambda: title in table.api.texts(table.group))
    (mention,) = [
        entity
        for message in table.group.messages.values()
        for entity in message.get("entities", [])
        if message.get("text") == title and entity["type"] == "text_mention"
    ]
    assert mention["user"]["id"] == table.cleo.id
    assert title[mention["offset"] :][: mention["length"]] == "Cleo <b>&"


async def test_somebody_without_a_name_of_their_own_is_challenged_by_a_text_mention(
    table: Table,
) -> None:
    table.anna.says(table.group, "/challenge Ben othello reversi", to=[table.ben])
    await table.api.until(
        lambda: any("Anna challenges Ben to Othello." in t for t in table.api.texts(table.group))
    )


@pytest.mark.parametrize("line", ["/othello", "/othello reversi", "/challenge othello"])
async def test_somebody_is_challenged_by_answering_their_message(table: Table, line: str) -> None:
    hello = table.ben.says(table.group, "Hello!")
    table.anna.says(table.group, line, reply=hello)
    await table.api.until(
        lambda: any("Anna challenges Ben to Othello." in t for t in table.api.texts(table.group))
    )


async def test_a_move_that_answers_somebody_is_a_move(table: Table) -> None:
    await table.begin()
    hello = table.ben.says(table.group, "Your turn!")
    table.anna.says(table.group, "/othello d3", reply=hello)
    await table.api.until(lambda: table.is_shown("d3"))


async def test_a_move_that_answers_the_board_needs_no_command(table: Table) -> None:
    board = await table.begin()
    table.anna.says(table.group, "d3", reply=board)
    await table.api.until(lambda: table.is_shown("d3"))
    table.ben.says(table.group, "c3", reply=board)
    await table.api.until(
        lambda: any("Das Brett hat sich geändert" in text for text in table.api.texts(table.group))
    )


async def test_a_challenge_made_in_private_reaches_the_challenged_in_private(table: Table) -> None:
    api, anna, cleo = table.api, table.anna, table.cleo
    cleo.starts()
    anna.starts()
    await api.until(lambda: len(api.texts(cleo.private)) == len(api.texts(anna.private)) == 1)
    anna.says(anna.private, "/othello @cleo")
    await api.until(lambda: tokens(cleo.private.newest(), "accept"))
    cleo.presses(cleo.private, cleo.private.newest(), "Accept")
    await api.until(lambda: api.boards(anna.private) and api.boards(cleo.private))


async def test_a_link_accepts_a_challenge(table: Table) -> None:
    api, anna, ben = table.api, table.anna, table.ben
    anna.starts()
    anna.says(anna.private, "/othello new black")
    await api.until(lambda: tokens(anna.private.newest(), "withdraw"))
    ben.starts(handed_on(anna.private.newest()))
    await api.until(lambda: api.boards(ben.private) and api.boards(anna.private))
    assert "Anna ist am Zug." in table.board(ben.private)["caption"]
    assert "Your turn." in table.board(anna.private)["caption"]


async def test_a_link_that_was_made_up_accepts_nothing(table: Table) -> None:
    api, anna, ben = table.api, table.anna, table.ben
    anna.says(table.group, "/othello new black")
    await api.until(lambda: tokens(table.group.newest(), "accept"))
    refusal = "Dieser Code oder Link gilt nicht oder nicht mehr. Lass dir einen neuen geben."
    for word in ("accept-1", "join-1"):
        ben.starts(word)
    await api.until(lambda: len(api.texts(ben.private)) == 2)
    assert api.texts(ben.private) == [refusal, refusal]
    assert not api.boards(ben.private)


async def test_a_button_of_another_chat_tells_nothing(table: Table) -> None:
    """Every verb there is, and the keyboard's own: the answer is that of a match that is not."""
    api, cleo = table.api, table.cleo
    await table.begin(line="/blackbox new hide")
    version = tokens(table.board(), "private")[0].split(":")[2]
    cleo.starts()
    await api.until(lambda: api.texts(cleo.private))
    menu = cleo.private.newest()
    for verb in (*verbs(), TAB):
        for seen in ("0", version):
            queries = [cleo.sends(cleo.private, menu, f"{verb}:{n}:{seen}:") for n in (1, 2)]
            for query in queries:
                await api.until(query.answered.is_set)
            told = [(query.text or "", query.alert, query.url) for query in queries]
            assert told[0][0].replace("#1", "#2") == told[1][0], verb
            assert told[0][1:] == told[1][1:], verb


@pytest.mark.parametrize(
    "parameter", ["resign-1", "step-1", "sure-1", "accept-x.y", "accept-", "-"]
)
async def test_a_link_does_nothing_that_somebody_might_regret(
    table: Table, front: Telegram, parameter: str
) -> None:
    await table.begin()
    table.anna.starts(parameter)
    await table.api.until(lambda: table.api.texts(table.anna.private))
    assert "Anna to move." in table.board()["caption"]


async def test_menus_lead_to_a_match_in_a_group(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    anna.says(group, "/play")
    await api.until(lambda: tokens(group.newest(), "menu"))
    menu = group.newest()["message_id"]
    anna.presses(group, group.newest(), "Othello")
    await api.until(lambda: tokens(group.messages[menu], "start"))
    anna.presses(group, group.messages[menu], "Open challenge")
    await api.until(lambda: tokens(group.newest(), "accept"))
    # The menu has done its duty.
    await api.until(lambda: menu not in group.messages)


async def test_long_words_asked_for_in_a_group_go_to_the_private_chat(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    board = await table.begin()
    query = anna.presses(group, board, "Rules")
    await api.until(query.answered.is_set)
    assert query.url == "https://t.me/azumaya_bot?start=rules-othello"
    anna.starts("rules-othello")
    await api.until(lambda: any("Black moves first." in text for text in api.texts(anna.private)))
    query = anna.presses(group, board, "Moves")
    await api.until(query.answered.is_set)
    assert query.text == "It is in our private chat."
    await api.until(lambda: any("No moves yet." in text for text in api.texts(anna.private)))
    assert len(api.texts(group)) == 1


async def test_an_onlooker_reads_the_moves_in_the_group_where_they_have_no_private_chat(
    table: Table,
) -> None:
    api, cleo, group = table.api, table.cleo, table.group
    board = await table.begin()
    query = cleo.presses(group, board, "Moves")
    await api.until(query.answered.is_set)
    assert query.text.endswith("\nNo moves yet.")
    table.anna.says(group, "/othello d3")
    await api.until(lambda: "Last move: d3" in api.boards(group)[-1]["caption"])
    query = cleo.presses(group, api.boards(group)[-1], "Moves")
    await api.until(query.answered.is_set)
    assert query.text.splitlines()[-1] == "1.  d3"
    # What is too long for that is said to them where they are.
    table.anna.says(group, "/moyo new")
    await api.until(lambda: tokens(group.newest(), "accept"))
    table.ben.presses(group, group.newest(), "Join")
    await api.until(lambda: len(api.boards(group)) == 2)
    query = cleo.presses(group, api.boards(group)[-1], "Moves")
    await api.until(lambda: "No moves yet." in api.texts(group)[-1])
    assert (query.text, query.url) == ("", "")
    assert group.newest()["reply_to_message"]["message_id"] == api.boards(group)[-1]["message_id"]


async def test_administrators_alone_change_the_settings_of_a_group(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    anna.says(group, "/here")
    await api.until(lambda: api.texts(group))
    assert not tokens(group.newest(), "here")
    group.administrators.add(anna.id)
    anna.says(group, "/here language de")
    await api.until(lambda: tokens(group.newest(), "here"))
    anna.says(group, "/othello new")
    await api.until(lambda: "Anna möchte Othello spielen" in api.texts(group)[-1])


async def test_what_is_for_ones_own_eyes_leads_to_where_it_is_shown(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    await table.begin()
    anna.says(group, "/matches")

    def ways() -> list[str]:
        rows = group.newest().get("reply_markup", {}).get("inline_keyboard", [])
        return [key["url"] for row in rows for key in row if "url" in key]

    (way,) = await api.until(ways)
    anna.starts(way.partition("?start=")[2])
    await api.until(lambda: any("Your games" in text for text in api.texts(anna.private)))


async def test_a_finished_match_is_opened_as_a_picture_and_stepped_through_in_its_place(
    table: Table,
) -> None:
    api, anna, group = table.api, table.anna, table.group
    await table.begin()
    anna.says(group, "/othello d3")
    await api.until(lambda: table.is_shown("d3"))
    anna.says(group, "/resign")
    await api.until(lambda: tokens(group.newest(), "resign:1:3:yes"))
    anna.presses(group, group.newest(), "Yes, resign")
    await api.until(lambda: "Ben wins" in table.board()["caption"])
    anna.starts()
    anna.says(anna.private, "/matches")
    await api.until(lambda: tokens(anna.private.newest(), "played"))
    anna.presses(anna.private, anna.private.newest(), "Finished games: 1")
    await api.until(lambda: tokens(anna.private.newest(), "past"))
    menu = anna.private.newest()
    anna.presses(anna.private, menu, "#1")
    await api.until(lambda: "photo" in anna.private.newest())
    opened = anna.private.newest()
    assert "1. d3" in opened["caption"]
    anna.presses(anna.private, opened, "‹ Move")
    await api.until(lambda: "Starting position" in anna.private.newest()["caption"])
    assert anna.private.newest()["message_id"] == opened["message_id"]
    # The list is where it was, to open another one.
    assert tokens(anna.private.messages[menu["message_id"]], "past")
