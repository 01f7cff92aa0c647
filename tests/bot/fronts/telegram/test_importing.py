"""Records of games as files and texts, imported with a caption or a reply."""

from functools import partial

import pytest

from games import records
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.server import Chat

pytestmark = pytest.mark.usefixtures("front")

GAME = b'[Game "othello"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n\n1. f5 d6 2. c3\n'


def is_studied(table: Table, chat: Chat, words: str) -> bool:
    return any(words in message["caption"] for message in table.api.boards(chat))


async def test_a_file_with_the_command_as_its_caption_opens_in_private(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.attaches(anna.private, GAME, "/import")
    await api.until(partial(is_studied, table, anna.private, "Study · Othello · Ann – Bob"))


async def test_a_reply_opens_the_file_or_the_text_that_it_answers(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    file = anna.attaches(anna.private, GAME)
    anna.says(anna.private, "/import", reply=file)
    await api.until(partial(is_studied, table, anna.private, "Ann – Bob"))
    text = anna.says(anna.private, "f5d6c3d3")
    anna.says(anna.private, "/import", reply=text)
    await api.until(partial(is_studied, table, anna.private, "Last move: d3"))


async def test_a_large_file_is_not_fetched(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.attaches(anna.private, bytes(records.MOST_BYTES + 1), "/import")
    await api.until(lambda: "That file is too large. I read up to 5 MB." in api.texts(anna.private))
    assert not [call for call in api.calls if call.method == "getFile"]
