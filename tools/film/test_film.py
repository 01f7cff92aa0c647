"""How messages are drawn."""

from typing import Any

from tools.film.chats import discord_page, telegram_page
from tools.film.front import ANNA, NAMES


def test_a_message_on_telegram_is_shown_with_its_entities_its_keys_and_the_alert() -> None:
    message: dict[str, Any] = {
        "message_id": 1,
        "from": {"id": 1, "first_name": "Azumaya"},
        "chat": {"type": "group"},
        "text": "🏯 <Anna>: your turn",
        # Telegram counts in UTF-16 code units: the house is two of them.
        "entities": [{"type": "bold", "offset": 3, "length": 6}],
        "reply_markup": {"inline_keyboard": [[{"text": "d3", "style": "primary"}]]},
    }
    page = telegram_page("Garden", [message], {}, viewer=ANNA, alert="Not <now>")
    assert "🏯 <b>&lt;Anna&gt;</b>: your turn" in page
    assert '<span class="primary">d3</span>' in page
    assert "Not &lt;now&gt;" in page


def test_a_message_on_discord_is_shown_with_its_markdown_and_who_alone_sees_it() -> None:
    button = {"type": 2, "style": 4, "label": "Resign", "disabled": True}
    message: dict[str, Any] = {
        "id": "1",
        "flags": 1 << 6,
        "content": f"<@{ANNA}>, **now** \\*you\\*",
        "components": [{"type": 1, "components": [button]}],
    }
    page = discord_page("# lounge", [message], {}, names=NAMES, viewer=ANNA)
    assert '<span class="mention">@Anna</span>, <b>now</b> *you*' in page
    assert '<div class="key k4 dead">Resign</div>' in page
    assert "Only you can see this" in page
