"""Placeholders for user names in stored texts, filled in when the text is shown."""

import re
from collections.abc import Mapping

# Private use characters, which `bot.matches.names.readable` removes from anything users write.
_OPENS, _CLOSES = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPENS}([0-9]{{1,15}}){_CLOSES}")


def erased_name(user_id: int) -> str:
    """Return the name stored for a deleted user. It is never displayed."""
    return f"#{user_id}"


def mark(user_id: int) -> str:
    """Return the placeholder for a user's name."""
    return f"{_OPENS}{user_id}{_CLOSES}"


def marked(text: str) -> set[int]:
    """Return the ids of the users named in `text`."""
    return {int(number) for number in _MARK.findall(text)}


def filled(text: str, names: Mapping[int, str]) -> str:
    """Replace the placeholders in `text` by names."""
    return _MARK.sub(lambda found: names[int(found[1])], text)
