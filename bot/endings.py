"""How matches end: what a match has come to, what that counts, and how it is told.

The rules of a game end a match in their own way; every other end is the match's business, and
this is the one place that makes an outcome of it.
"""

from collections.abc import Iterable, Mapping
from itertools import product

import games
from bot.model import Ending, EndingKind, Match, Sitter
from bot.store import ratings
from bot.store.matches import Result
from bot.terms import rating_class
from bot.texts import Texts
from games import AnyGame, AnyPosition, Outcome

__all__ = [
    "by_seat",
    "counted",
    "in_words",
    "is_rateable",
    "is_too_short",
    "ladder_class",
    "outcome_of",
]


def outcome_of(position: AnyPosition, ending: Ending) -> Outcome | None:
    """What a match that ended so has come to; None where it came to nothing.

    By the rules: what they say. Who gives up or runs out of time leaves the win to the others,
    with what everybody has by then; alone that is nobody. An agreement is a draw, and so is the end
    of somebody's time where the other side had no way left to win. What was found in a puzzle
    decides no match.
    """
    if ending.kind is EndingKind.RULES:
        return position.outcome()
    if ending.is_for_nothing or ending.is_solved is not None:
        return None
    winners = set(range(position.seats)) - {ending.by} if ending.is_lost else set[int]()
    if ending.kind is EndingKind.TIMEOUT:
        winners = {seat for seat in winners if position.can_win(seat)}
    return Outcome(frozenset(winners), ending.kind.value, position.scores())


def counted(match: Match, outcome: Outcome | None) -> list[Result]:
    """What the outcome counts for each user, in half points.

    Against a computer it is in no leaderboard, whatever it was played by.
    """
    if outcome is None:
        return []
    solo = len(match.seats) == 1
    level = match.level
    kind = ladder_class(games.get(match.game), match)
    return [
        Result(
            seat=seat,
            user_id=who,
            solo=solo,
            half_points=2 if seat in outcome.winners else 0 if outcome.winners or solo else 1,
            score=outcome.scores[seat],
            kind=kind if level is None else None,
            level=level,
        )
        for seat, who in enumerate(match.seats)
        if isinstance(who, int)
    ]


def is_too_short(match: Match) -> bool:
    """Has it come to something, but in so few moves that it is not rated?"""
    return match.outcome is not None and len(match.plies) < ratings.LEAST_PLIES


def ladder_class(game: AnyGame, match: Match) -> str | None:
    """In which class of its game a match counts in leaderboards; None where in none.

    What could be rated counts where it is.
    """
    options = match.options
    if match.terms.has_hints:
        return None
    if any(options.get(option) == choice for option, choice in game.unranked):
        return None
    if rating_class(game, options) is not None:
        return match.terms.rated
    return "-".join(options[option] for option in game.classes)


def is_rateable(game: AnyGame) -> bool:
    """Is there a match of this game, with whatever options, that is rated?"""
    ids = [option.id for option in game.options]
    every = product(*(option.choices for option in game.options))
    return any(
        rating_class(game, dict(zip(ids, values, strict=True))) is not None for values in every
    )


def in_words(match: Match, texts: Texts, names: Mapping[Sitter, str]) -> str:
    """How the match ended, in words; nothing while it is on. `names` are by user."""
    ending, outcome = match.ending, match.outcome
    if ending is None:
        return ""
    winner = _named(match, names, outcome.winners if outcome else ())
    if ending.kind is EndingKind.RULES:
        assert outcome is not None
        return texts.of_game(match.game, "reason", outcome.reason, **_told(match, outcome, names))
    code = ending.kind.value
    if ending.is_lost and len(match.seats) == 1:
        code += "-alone"
    elif ending.is_lost and outcome is not None and not outcome.winners:
        code += "-draw"
    elif ending.is_for_nothing and ending.by is not None:
        code += "-by"
    name = _named(match, names, () if ending.by is None else (ending.by,))
    return texts.of_game(match.game, "ending", code, winner=winner, name=name)


def _told(match: Match, outcome: Outcome, names: Mapping[Sitter, str]) -> dict[str, str | int]:
    """What a game may say of how it ended by its rules (see `games.base`)."""
    seats = range(len(match.seats))
    won = [outcome.scores[seat] for seat in seats if seat in outcome.winners]
    lost = [outcome.scores[seat] for seat in seats if seat not in outcome.winners]
    return {
        **match.options,
        **by_seat(match, names),
        "winner": _named(match, names, outcome.winners),
        "loser": _named(match, names, [seat for seat in seats if seat not in outcome.winners]),
        "won": (won or lost)[0],
        "lost": (lost or won)[0],
    }


def by_seat(match: Match, names: Mapping[Sitter, str]) -> dict[str, str]:
    """Who sits where, as the texts of games call it: ``first`` and ``second``."""
    called = [names[user] for user in match.seats]
    return dict(zip(("first", "second"), (*called, ""), strict=False))


def _named(match: Match, names: Mapping[Sitter, str], seats: Iterable[int]) -> str:
    return " & ".join(names[match.seats[seat]] for seat in sorted(seats))
