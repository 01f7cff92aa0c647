"""What the chats show: buttons, links and notices."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from tests.bot.fronts.telegram.server import Message

ANNA_MAY_BEGIN = "Anna: Ben accepted your challenge: Othello, game 1. Your turn."
BEN_IS_CALLED = "Ben: Your turn: Othello, game 1."
"""The notices of a first match, in the language of the group."""


def tokens(message: Message, verb: str, *, loud: bool = False) -> list[str]:
    """Return the data of all buttons that do `verb`; if `loud`, of those that may be chosen."""
    return [
        button["callback_data"]
        for row in message.get("reply_markup", {}).get("inline_keyboard", [])
        for button in row
        if button.get("callback_data", "").startswith(verb if ":" in verb else f"{verb}:")
        and (not loud or not verb.startswith("step") or _may_be_chosen(button))
    ]


def _may_be_chosen(button: Mapping[str, str]) -> bool:
    """True for a key in the colour of legal moves, and for a button below the board."""
    return button.get("style") == "primary" or button["text"][0].isupper()


def word_in(link: str, verb: str) -> str:
    """Return the parameter of the link that opens the private chat."""
    found = re.search(r"start=([A-Za-z0-9_-]+)$", unquote(link))
    assert found, link
    assert found[1].startswith(f"{verb}-"), link
    return found[1]


def handed_on(message: Message) -> str:
    """Return the parameter of the link that shares the challenge in this message."""
    (url,) = [
        button["url"]
        for row in message["reply_markup"]["inline_keyboard"]
        for button in row
        if "url" in button
    ]
    return word_in(url, "join")
