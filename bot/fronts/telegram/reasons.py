"""Reasons of errors, for the log."""

from telegram.error import TelegramError

_BEFORE_THE_PAGE = ". Parsing the server response"
_BEFORE_THE_BYTES = ("httpx.", "Unknown error in HTTP")


def reason_of(error: TelegramError) -> str:
    """Return the error's text without what the library quotes: a proxy's page or headers."""
    words = error.message.partition(_BEFORE_THE_PAGE)[0]
    return words.partition(":")[0] if words.startswith(_BEFORE_THE_BYTES) else words
