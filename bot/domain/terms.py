"""Terms of a match besides its game options: requested and agreed."""

from dataclasses import dataclass

from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from games import AnyGame, Options


def rating_class(game: AnyGame, options: Options) -> str | None:
    """Return the rating class of a match with these options, for example "4-line".

    None for solo matches, and where a player hides something: some hidden setups cannot be guessed.
    """
    if game.seats(options) != 2 or game.has_secrets(options):
        return None
    return "-".join(options[option] for option in game.classes)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that the players agreed on."""

    rated: str | None = None
    """The rating class. None if the match is casual."""
    has_takebacks: bool = False
    """Whether moves can be taken back in a rated match."""
    has_hints: bool = False
    """Whether hints are allowed. Such a match is casual and on no leaderboard."""
    clock: Clock | None = None
    """None: no clock."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The terms that a player asks for."""

    is_unrated: bool = False
    is_rated: bool = False
    """Whether a match that cannot be rated is refused. Otherwise it is casual."""
    has_takebacks: bool = False
    has_hints: bool = False
    clock: str | None = None
    """A clock (`bot.domain.clocks`), ``""`` for no clock, None for the default of the place."""

    @classmethod
    def like(cls, terms: Terms) -> "Wishes":
        clock = str(terms.clock) if terms.clock else ""
        return cls(
            is_unrated=terms.rated is None,
            has_takebacks=terms.has_takebacks,
            has_hints=terms.has_hints,
            clock=clock,
        )

    def agreed(self, game: AnyGame, options: Options) -> Terms:
        """Return the terms of a match with these options. Raises `Refused` for impossible ones."""
        rated = None if self.is_unrated or self.has_hints else rating_class(game, options)
        if self.is_rated and rated is None:
            raise Refused("rated-not")
        return Terms(
            rated,
            self.has_takebacks and rated is not None,
            self.has_hints,
            Clock.parse(self.clock) if self.clock else None,
        )
