"""How a board is drawn for its reader."""

import renderers
from bot.domain.model import Match
from bot.matches import LoadedMatch
from bot.screens.values import Reader
from bot.screens.wording import banks_in_digits, form_of
from renderers import THEMES, RenderOptions, Verdict


def rendering_of(loaded: LoadedMatch, reader: Reader, chosen: tuple[str, ...]) -> RenderOptions:
    """Return the options of a board's picture, from the reader's settings and the match."""
    settings = reader.settings
    seat = loaded.match.seat_of(reader.user.id) if reader.user else None
    return RenderOptions(
        theme=reader.theme if reader.theme in THEMES else THEMES[0],
        size=reader.size,
        flipped=settings.get("side") == "own" and seat == 1,
        # No one continues after a puzzle.
        legal=settings.get("dots", "on") == "on" and not loaded.match.shows_solution,
        threats=settings.get("threats") == "on",
        chosen=chosen,
        form=form_of(reader, loaded.game),
        verdict=_verdict(loaded.match),
        clocks=banks_in_digits(loaded),
        # Both players share a picture if nothing is marked for one side.
        seat=seat if renderers.marks_own(loaded.game.id) else None,
        words=renderers.words(loaded.game.id, reader.texts),
    )


def _verdict(match: Match) -> Verdict | None:
    if match.ending is None or match.is_attempt:
        return None
    outcome = match.outcome
    return Verdict(outcome.winners, outcome.is_draw) if outcome else Verdict()
