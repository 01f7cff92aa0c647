"""On what terms a match is played, beside the options of its game: agreed on, and wished for."""

from dataclasses import dataclass

from bot.clocks import Clock
from bot.errors import Refused
from games import AnyGame, Options

__all__ = ["Terms", "Wishes", "rating_class"]


def rating_class(game: AnyGame, options: Options) -> str | None:
    """In which class of a game a match with these options is rated: "4-line"; None where none is.

    One who plays alone has nobody to be measured by; and where something is hidden, whoever hides
    it could do so in a way that nobody finds, such as stones in a Black Box that no ray tells
    apart.
    """
    if game.seats(options) != 2 or game.hidden(options):
        return None
    return "-".join(options[option] for option in game.classes)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match, on which those who play it have agreed."""

    rated: str | None = None
    """The class of the game in which it is rated; None: it is not."""
    has_takebacks: bool = False
    """May moves be taken back, though it is rated?"""
    has_hints: bool = False
    """May both be helped? Then it is not rated, and counts in no leaderboard."""
    clock: Clock | None = None
    """How much time each side has; None: as much as they like."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The terms that somebody asks for, whatever the game and its options make of them."""

    is_unrated: bool = False
    """Is the match to change no rating?"""
    is_rated: bool = False
    """Was it said that it is to be rated? It is where it can be, also where nobody says so."""
    has_takebacks: bool = False
    """May moves be taken back, though it is rated?"""
    has_hints: bool = False
    """May both be helped?"""
    clock: str | None = None
    """How much time each side has (`bot.clocks`), ``""`` for as much as they like; None: as is
    usual in the place."""

    @classmethod
    def like(cls, terms: Terms) -> "Wishes":
        """The wish for a match on the same terms."""
        clock = str(terms.clock) if terms.clock else ""
        return cls(
            is_unrated=terms.rated is None,
            has_takebacks=terms.has_takebacks,
            has_hints=terms.has_hints,
            clock=clock,
        )

    def agreed(self, game: AnyGame, options: Options) -> Terms:
        """The terms of a match with these options on which all of this is agreed.

        What is usual in a place nobody knows here. Raises `Refused` for what is no clock, and
        where it was to be rated and cannot be.
        """
        rated = None if self.is_unrated or self.has_hints else rating_class(game, options)
        if self.is_rated and rated is None:
            raise Refused("rated-not")
        return Terms(
            rated,
            # Where nothing is rated they need no word.
            self.has_takebacks and rated is not None,
            self.has_hints,
            Clock.read(self.clock) if self.clock else None,
        )
