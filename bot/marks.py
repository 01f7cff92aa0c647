"""What stands for a person's name in texts that are kept.

A leaderboard that is stored with names would keep them when people are called something else,
or want to be forgotten. So it is stored with marks, and names come in whenever it is shown.
"""

import re
from collections.abc import Mapping

__all__ = ["erased_name", "filled", "mark", "marked"]

# Private use characters: nothing that anybody writes keeps them (`bot.names.readable`).
_OPENS, _CLOSES = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPENS}([0-9]{{1,15}}){_CLOSES}")


def erased_name(user_id: int) -> str:
    """The name that is stored of whoever has none any more; what is shown is a word for them."""
    return f"#{user_id}"


def mark(user_id: int) -> str:
    """What stands for the name of this person."""
    return f"{_OPENS}{user_id}{_CLOSES}"


def marked(text: str) -> set[int]:
    """The people who are named in `text`."""
    return {int(number) for number in _MARK.findall(text)}


def filled(text: str, names: Mapping[int, str]) -> str:
    """`text` with names in the places of marks."""
    return _MARK.sub(lambda found: names[int(found[1])], text)
