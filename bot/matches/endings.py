"""Outcomes of matches: who won, what counts, and the text."""

from collections.abc import Iterable, Mapping
from itertools import product

import games
from bot.domain.model import Ending, EndingKind, Match, Player
from bot.domain.terms import rating_class
from bot.store import ratings
from bot.store.matches import Result
from bot.support.texts import Texts
from games import AnyGame, AnyPosition, Outcome


def outcome_of(position: AnyPosition, ending: Ending) -> Outcome | None:
    """Return the outcome of a match. None if it has no result, and for puzzles.

    Resignation and timeout win for the opponent, if there is one. A timeout is a draw if the
    opponent cannot win any more. An agreement is a draw.
    """
    if ending.kind is EndingKind.RULES:
        return position.outcome()
    if ending.has_no_result or ending.is_solved is not None:
        return None
    winners = set(range(position.seats)) - {ending.by} if ending.is_lost else set[int]()
    if ending.kind is EndingKind.TIMEOUT:
        winners = {seat for seat in winners if position.can_win(seat)}
    return Outcome(frozenset(winners), ending.kind.value, position.scores())


def results_of(match: Match, outcome: Outcome | None) -> list[Result]:
    """Return what the outcome counts for each user, in half points. Leaderboards omit computers.

    Nothing that starts from a given position counts.
    """
    if outcome is None or match.headers is not None:
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
    """Return whether the match has an outcome, but too few moves to be rated."""
    return match.outcome is not None and len(match.plies) < ratings.LEAST_PLIES


def ladder_class(game: AnyGame, match: Match) -> str | None:
    """Return the class in which a match counts on leaderboards, or None."""
    options = match.options
    if match.terms.has_hints:
        return None
    if any(options.get(option) == choice for option, choice in game.unranked):
        return None
    if rating_class(game, options) is not None:
        return match.terms.rated
    return "-".join(options[option] for option in game.classes)


def is_rateable(game: AnyGame) -> bool:
    """Return whether matches of this game can be rated with some options."""
    ids = [option.id for option in game.options]
    every = product(*(option.choices for option in game.options))
    return any(
        rating_class(game, dict(zip(ids, values, strict=True))) is not None for values in every
    )


def terms_of(game: AnyGame) -> tuple[str, ...]:
    """Return the terms that matches of this game can have, besides a clock."""
    if not is_rateable(game):
        return ("hints",)
    return ("rated", "takebacks", "hints") if game.takeback else ("rated", "hints")


def describe(match: Match, texts: Texts, names: Mapping[Player, str]) -> str:
    """Describe how the match ended. Empty while it is active."""
    ending, outcome = match.ending, match.outcome
    if ending is None:
        return ""
    winner = _named(match, names, outcome.winners if outcome else ())
    if ending.kind is EndingKind.RULES:
        assert outcome is not None
        return texts.of_game(
            match.game, "reason", outcome.reason, **_details(match, outcome, names)
        )
    code = ending.kind.value
    if match.is_study and ending.kind is EndingKind.CLOSED:
        code += "-record" if ending.by is None else "-study"
    elif ending.is_lost and len(match.seats) == 1:
        code += "-alone"
    elif ending.is_lost and outcome is not None and not outcome.winners:
        code += "-draw"
    elif ending.has_no_result and ending.by is not None:
        code += "-by"
    name = _named(match, names, () if ending.by is None else (ending.by,))
    return texts.of_game(match.game, "ending", code, winner=winner, name=name)


def _details(match: Match, outcome: Outcome, names: Mapping[Player, str]) -> dict[str, str | int]:
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


def by_seat(match: Match, names: Mapping[Player, str]) -> dict[str, str]:
    """Return the players' names by seat, as parameters ``first`` and ``second``."""
    called = [names[user] for user in match.seats]
    return dict(zip(("first", "second"), (*called, ""), strict=False))


def _named(match: Match, names: Mapping[Player, str], seats: Iterable[int]) -> str:
    return " & ".join(names[match.seats[seat]] for seat in sorted(seats))
