"""Steps that are added to other transactions."""

from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection


class Also(Protocol):
    """A step that is added to a transaction."""

    def __call__(self, connection: Connection) -> None:
        """Run the step."""

    def committed(self) -> None:
        """React to the commit."""


@dataclass(slots=True)
class Attempt:
    """Whether a unit of work may have stored something, to decide about a retry."""

    may_be_stored: bool = False

    def __call__(self, connection: Connection) -> None:
        self.may_be_stored = True

    def committed(self) -> None:
        """Do nothing."""
