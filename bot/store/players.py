"""The seats of a match: users have rows, computers are stored with the match."""

from collections.abc import Mapping, Sequence

from bot.domain.model import Computer, Headers, Player, StudySide

Levels = Sequence[int | None]
"""By seat, the level of a computer, or None."""


def levels_of(seats: Sequence[Player]) -> list[int | None] | None:
    """Return the levels of the computers to store, or None without any."""
    levels = [who.level if isinstance(who, Computer) else None for who in seats]
    return levels if any(levels) else None


def users_of(seats: Sequence[Player]) -> dict[int, int]:
    """Return the users by seat."""
    return {seat: who for seat, who in enumerate(seats) if isinstance(who, int)}


def sitters(levels: Levels | None, users: Mapping[int, int]) -> tuple[Player, ...]:
    """Return the users and computers, in order of seat."""
    by_seat: dict[int, Player] = {**users}
    by_seat |= {seat: Computer(level) for seat, level in enumerate(levels or ()) if level}
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def study_sides(game: str, headers: Headers, seats: int) -> tuple[Player, ...]:
    """Return the sides of a study, with the names of its record."""
    called = dict(headers)
    return tuple(StudySide(game, at, called.get(f"Seat{at + 1}", "")) for at in range(seats))


def computer_in(levels: Levels | None) -> Computer | None:
    """Return the computer that plays, or None."""
    return next((Computer(level) for level in levels or () if level), None)
