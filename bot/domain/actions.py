"""Button tokens: a verb, a match, the version that was shown, and an argument.

``step:12:5:d6.d7`` means: in match 12, seen at version 5, play d6 then d7. A token holds no secret.
"""

from typing import NamedTuple

from bot.domain.errors import Refused

LONGEST_TOKEN = 64


class Action(NamedTuple):
    """The meaning of a button. `match` and `version` are 0 if the button concerns no match."""

    # A board has up to a hundred: frozen dataclasses take five times as long to create.

    verb: str
    match: int = 0
    version: int = 0
    argument: str = ""

    @property
    def token(self) -> str:
        token = f"{self.verb}:{self.match}:{self.version}:{self.argument}"
        assert len(token.encode()) <= LONGEST_TOKEN, token
        return token

    @classmethod
    def read(cls, token: str) -> "Action":
        parts = token.split(":", 3)
        if (
            # Also rejects lone surrogates, which cannot be encoded.
            not token.isprintable()
            or len(token.encode()) > LONGEST_TOKEN
            or len(parts) != 4
            or not parts[0].isidentifier()
            or not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts[1:3])
        ):
            raise Refused("button-unknown")
        return cls(parts[0], int(parts[1]), int(parts[2]), parts[3])
