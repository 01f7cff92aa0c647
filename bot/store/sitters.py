"""Who sits in a match, as it is stored: users in a table of theirs, computers with the match.

Of computers there are the levels, by seat (`matches.computers`), and nothing where none plays.
"""

from collections.abc import Mapping, Sequence

from bot.model import Computer, Sitter

__all__ = ["Levels", "computer_in", "levels_of", "sitters", "users_of"]

Levels = Sequence[int | None]
"""By seat, the level of the computer that sits there; None: none does."""


def levels_of(seats: Sequence[Sitter]) -> list[int | None] | None:
    """What is stored of the computers among these."""
    levels = [who.level if isinstance(who, Computer) else None for who in seats]
    return levels if any(levels) else None


def users_of(seats: Sequence[Sitter]) -> dict[int, int]:
    """What is stored of the users among these, by seat."""
    return {seat: who for seat, who in enumerate(seats) if isinstance(who, int)}


def sitters(levels: Levels | None, users: Mapping[int, int]) -> tuple[Sitter, ...]:
    """Who sits where, of both."""
    by_seat: dict[int, Sitter] = {**users}
    by_seat |= {seat: Computer(level) for seat, level in enumerate(levels or ()) if level}
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def computer_in(levels: Levels | None) -> Computer | None:
    """The computer that plays; None where people do."""
    return next((Computer(level) for level in levels or () if level), None)
