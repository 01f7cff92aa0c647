"""The players of a match, for tests without a computer player."""

from bot.domain.model import Match


def users(match: Match) -> tuple[int, ...]:
    """Return the users of a match, by seat."""
    assert not match.computer_seats, match
    return tuple(who for who in match.seats if isinstance(who, int))
