"""Replays of matches as animated pictures."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from PIL import ImageDraw

import renderers
from renderers.base import RenderOptions, Verdict
from renderers.gif import Frame, encode
from renderers.palette import theme

LAST = 300
"""Hundredths of a second for the last position."""
_FRAME = 0.01
"""Width of the frame around a turning point, a share of the picture's width."""


def replay(
    game_id: str,
    views: Sequence[Any],
    rendering: RenderOptions,
    delay: int,
    turning_points: Collection[int] = (),
) -> bytes:
    """Return the positions of a match as a GIF, each shown for `delay` hundredths of a second.

    The last one has the verdict, if any. `turning_points` are indices of views, which have a frame
    and twice the time. Blocking.
    """
    draw, last = renderers.get(game_id).draw, len(views) - 1
    shown = replace(rendering, legal=False, threats=False, chosen=(), clocks=())
    # Without the sign of the turn, which is evident and a third of an Othello file.
    between = replace(shown, verdict=Verdict())
    colours = theme(rendering.theme)

    def frame(at: int) -> Frame:
        image, is_marked = draw(views[at], shown if at == last else between), at in turning_points
        if is_marked:
            box, width = (0, 0, image.width - 1, image.height - 1), round(image.width * _FRAME)
            ImageDraw.Draw(image).rectangle(box, outline=colours.index(colours.accent), width=width)
        return Frame(image, LAST if at == last else delay * (1 + is_marked))

    return encode(map(frame, range(len(views))))
