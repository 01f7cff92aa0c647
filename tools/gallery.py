"""Draw the pictures of the README and the guides: ``python -m tools.gallery``.

A test checks that they are what the renderers draw now.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import click

import games
import renderers
from bot.support.texts import Texts
from games import AnyPosition
from renderers import RenderOptions
from renderers.evaluation import Captions, evaluation_curve

FOLDER = Path(__file__).parent.parent / "renderers" / "gallery"


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of a match."""

    game: str
    theme: str
    moves: str
    setup: str
    options: dict[str, str] = field(default_factory=dict)
    hint: str = ""
    """A move that is marked as recommended."""


SCENES = (
    Scene(
        "othello",
        "light",
        "d3 e3 f6 c5 c3 c4 f3 e2 d2 e6 b4 b2 d1 g3 h3 e1 d6 c2 a1 d7 e7 a2 a3 b5 b3 c7",
        setup="...........................OX......XO........................... X",
    ),
    Scene(
        "morris",
        "dark",
        "c3 f6 g7 a7 e5 a4 d5 a1xg7 c5xf6 g4 c4xg4 b2 b6 e3 d6 g7 f6xb2 d7xd6 d5-d6xe3 a1-d1 "
        "d6-d5xa4 d1-g1",
        setup="........................ W 9 9",
    ),
    Scene(
        "sogo",
        "light",
        "c2 c4 b4 b3 c2 a3 b3 d4 d3 c2 b2 a2 c3 b4 a4 d2 b3 d1 a1 d1 a2 b2 b2 a2 b4 a3 b4 c3 c2",
        setup="-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- W 0 0",
    ),
    Scene(
        "moyo",
        "light",
        "e5=7 d4=2 d5=1 f6=4 f5=9 d1=6 g7=4 c9=5 a6=7 g5=5 h7=5 a9=2 g3=7 c2=8 h3=1 b2=6",
        setup="340000000000037045900050008013065980020000060096380120100020009630790000000000071 1",
    ),
    Scene(
        "blackbox",
        "dark",
        "ask_2 ask_6 ask_30 ask_29 ask_26 ask_1 ask_5 mark_a2 mark_e2 mark_c5",
        setup="a2 e2 h2 c6 e8",
    ),
)


_HINT = Scene(
    "sogo",
    "dark",
    "a1 c3 a4 c3 a2 a3 b3 c3 c3 b3 d1 c2 b1 c1 c4 c2",
    setup="-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/- W 0 0",
    hint="b4",
)

_COURSE = (
    *(0.45, 0.47, 0.45, 0.68, 0.49, 0.64, 0.59, 0.77, 0.72, 0.78, 0.53, 0.8, 0.8, 0.85, 0.73, 1.0),
    *(0.89, *[1.0] * 20),
)
"""Seat 0's expectation in a match of Sudoku Moyo against level 1, as analysed."""
_MOMENTS = (3, 10, 11)


def position(scene: Scene) -> AnyPosition:
    """Return the position of a scene."""
    game = games.get(scene.game)
    options = game.options_from(scene.options)
    found: AnyPosition = game.start(options, scene.setup)
    for word in scene.moves.split():
        (seat,) = found.turn
        move = game.parse(found.view(seat), seat, word.replace("_", " "))
        found = found.play(seat, move)
        while forced := found.forced():
            found = found.play(*forced)
    return found


def draw(scene: Scene, language: str = "en") -> bytes:
    """Return the picture of a scene as PNG bytes."""
    words = renderers.words(scene.game, Texts(language))
    rendering = RenderOptions(theme=scene.theme, labels=words)
    found = position(scene)
    if scene.hint:
        game, (seat,) = games.get(scene.game), found.turn
        move = game.parse(found.view(seat), seat, scene.hint)
        rendering = replace(rendering, legal=False, chosen=game.steps(move))
    return renderers.render(scene.game, found.view(None), rendering)


def _course() -> bytes:
    """Return an evaluation graph as PNG bytes."""
    texts = Texts("en")
    names = texts("computer-1"), "Anna"
    captions = Captions(
        texts("analysis-title", game=texts("moyo-name")),
        about=texts("analysis-about"),
        sides=(texts("analysis-ahead", name=names[0]), texts("analysis-ahead", name=names[1])),
        move=texts("analysis-axis"),
        moment=texts("analysis-legend"),
    )
    return evaluation_curve(_COURSE, captions=captions, moments=_MOMENTS, theme="light")


PICTURES: Mapping[str, Callable[[], bytes]] = {
    **{scene.game: partial(draw, scene) for scene in SCENES},
    "hint": partial(draw, _HINT),
    "course": _course,
}
"""Name -> what draws it."""


@click.command(help=__doc__)
def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        (FOLDER / f"{name}.png").write_bytes(drawn())


if __name__ == "__main__":
    main()
