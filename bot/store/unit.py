"""What is written together with something else, in one transaction."""

from contextvars import ContextVar
from typing import Protocol

from sqlalchemy import Connection

__all__ = ["Also", "committed", "count_commit"]


class Also(Protocol):
    """What is done in the same transaction as something else."""

    def __call__(self, connection: Connection) -> None:
        """Be a step of the transaction."""

    def committed(self) -> None:
        """The transaction is committed."""


_commits: ContextVar[int] = ContextVar("_commits", default=0)


def committed() -> int:
    """How much has been committed by whoever asks, in their own task: to be compared."""
    return _commits.get()


def count_commit() -> None:
    """Something has been committed by this task, or may have been."""
    _commits.set(_commits.get() + 1)
