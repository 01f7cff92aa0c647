"""What is written together with something else, in one transaction."""

from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection

__all__ = ["Also", "Attempt"]


class Also(Protocol):
    """What is done in the same transaction as something else."""

    def __call__(self, connection: Connection) -> None:
        """Be a step of the transaction."""

    def committed(self) -> None:
        """The transaction is committed."""


@dataclass(slots=True)
class Attempt:
    """Tells whether something may have been stored by a unit of work, for whoever begins it anew.

    What goes through the store itself is not seen: that can be done again.
    """

    may_be_stored: bool = False

    def __call__(self, connection: Connection) -> None:
        """Be the last step of a transaction: from here on nobody knows, until we hear of it."""
        self.may_be_stored = True

    def committed(self) -> None:
        """The transaction is committed."""
