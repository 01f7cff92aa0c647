"""How a board is to be drawn for its reader."""

import renderers
from bot.matches import LoadedMatch
from bot.model import Match
from bot.screens.values import Reader
from bot.screens.wording import banks_in_digits, form_of
from renderers import THEMES, RenderOptions, Verdict

__all__ = ["rendering_of"]


def rendering_of(loaded: LoadedMatch, reader: Reader, chosen: tuple[str, ...]) -> RenderOptions:
    """What `reader` has set, and what there is to know of a match beside its view."""
    settings = reader.settings
    seat = loaded.match.seat_of(reader.user.id) if reader.user else None
    return RenderOptions(
        theme=reader.theme if reader.theme in THEMES else THEMES[0],
        size=reader.size,
        flipped=settings.get("side") == "own" and seat == 1,
        # A puzzle ends in the middle of a match, with which nobody goes on.
        legal=settings.get("dots", "on") == "on" and not loaded.match.shows_solution,
        threats=settings.get("threats") == "on",
        chosen=chosen,
        form=form_of(reader, loaded.game),
        verdict=_verdict(loaded.match),
        clocks=banks_in_digits(loaded),
        # Where nothing is marked for one side, both look at one picture, drawn once.
        seat=seat if renderers.marks_own(loaded.game.id) else None,
        words=renderers.words(loaded.game.id, reader.texts),
    )


def _verdict(match: Match) -> Verdict | None:
    """What pictures show of the end; None while the match is on."""
    if match.ending is None or match.is_attempt:
        return None
    outcome = match.outcome
    return Verdict(outcome.winners, outcome.is_draw) if outcome else Verdict()
