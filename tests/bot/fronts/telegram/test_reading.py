"""What a Telegram message says."""

from datetime import UTC, datetime

import pytest
from telegram import Chat, Message

from bot.fronts.telegram.reading import line_in


@pytest.mark.parametrize("text", ["/othello d3", "／othello d3", "／othello@azumaya_bot d3"])
def test_a_full_width_slash_starts_a_command(text: str) -> None:
    message = Message(1, datetime.now(UTC), Chat(7, "private"), text=text)
    line = line_in(message, "azumaya_bot")
    assert line is not None
    assert line.text == f"{text[0]}othello d3"
