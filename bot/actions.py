"""What a button carries: a verb, a match, the version that was on the screen, an argument.

``step:12:5:d6.d7`` means: in match 12, of which I saw version 5, d6 then d7. A token holds
no secret and no state; it is short enough for every platform (64 bytes, Telegram's limit).
"""

from typing import NamedTuple

from bot.errors import Refused

__all__ = ["LONGEST_TOKEN", "Action"]

LONGEST_TOKEN = 64


class Action(NamedTuple):
    """A button's meaning. `match` and `version` are 0 where no match is meant."""

    # A tuple, like `bot.screens.Choice`: a front makes up to a hundred of them for a board, which
    # is made anew at every move; frozen dataclasses take five times as long to make.

    verb: str
    match: int = 0
    version: int = 0
    argument: str = ""

    @property
    def token(self) -> str:
        """The action as the text that a button carries."""
        token = f"{self.verb}:{self.match}:{self.version}:{self.argument}"
        assert len(token.encode()) <= LONGEST_TOKEN, token
        return token

    @classmethod
    def read(cls, token: str) -> "Action":
        """The action of a token. Raises `Refused` for anything that we never wrote."""
        parts = token.split(":", 3)
        if (
            # The first also keeps out lone surrogates, which no encoding takes.
            not token.isprintable()
            or len(token.encode()) > LONGEST_TOKEN
            or len(parts) != 4
            or not parts[0].isidentifier()
            or not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts[1:3])
        ):
            raise Refused("button-unknown")
        return cls(parts[0], int(parts[1]), int(parts[2]), parts[3])
