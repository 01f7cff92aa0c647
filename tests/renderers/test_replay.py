"""Animated pictures: as GIF, and of whole matches."""

from dataclasses import replace
from io import BytesIO

from PIL import Image, ImageSequence

import renderers
from games.othello import GAME
from renderers import THEMES, RenderOptions, Verdict
from renderers.palette import palette_bytes, theme
from renderers.replay import LAST, TRANSPARENT, Frame, encode, replay
from tests.games.playing import Case, cases, each_case, play_out, spread
from tests.renderers.looking import is_same

SMALL = RenderOptions(size=240, legal=False, verdict=Verdict())


def drawn(case: Case, rendering: RenderOptions = SMALL, *, count: int = 12) -> list[Image.Image]:
    """Return pictures of a random match."""
    positions = play_out(case).positions
    draw = renderers.get(case.game.id).draw
    return [draw(position.view(None), rendering) for position in spread(positions, count)]


def decoded(data: bytes) -> list[tuple[Image.Image, int]]:
    """Return each frame of a GIF with its hundredths of a second."""
    with Image.open(BytesIO(data)) as film:
        assert film.info["loop"] == 0
        return [
            (frame.convert("RGB"), round(frame.info["duration"] / 10))
            for frame in ImageSequence.Iterator(film)
        ]


@each_case
def test_each_frame_equals_its_drawing(case: Case) -> None:
    pictures = drawn(case)
    frames = decoded(encode([Frame(picture, 50) for picture in pictures]))
    assert all(
        is_same(frame, picture) for (frame, _), picture in zip(frames, pictures, strict=False)
    )


def test_a_frame_without_a_change_is_added_for_viewers_that_cut_the_last() -> None:
    picture, *_ = drawn(cases(GAME)[0])
    (first, shown), (last, cut) = decoded(encode([Frame(picture, 70)]))
    assert is_same(first, last)
    assert (shown, cut) == (70, 1)


def test_no_theme_has_a_colour_where_a_gif_has_none() -> None:
    assert all(len(palette_bytes(theme(name))) <= 3 * TRANSPARENT for name in THEMES)


def test_a_whole_game_of_othello_weighs_at_most_250_kilobytes() -> None:
    pictures = drawn(cases(GAME)[0], replace(SMALL, size=480), count=100)
    assert len(pictures) > 60
    assert len(encode([Frame(picture, 70) for picture in pictures])) <= 250_000


def test_a_replay_holds_the_last_position_with_the_verdict() -> None:
    views = [position.view(None) for position in play_out(cases(GAME)[0]).positions]
    won = replace(SMALL, verdict=Verdict(frozenset({0})), clocks=("1:00", "2:00"))
    *before, (last, held), _ = decoded(replay(GAME.id, views, won, delay=40))
    assert is_same(last, renderers.get(GAME.id).draw(views[-1], replace(won, clocks=())))
    assert held == LAST
    assert {shown for _, shown in before} == {40}


def test_turning_points_have_a_frame_and_twice_the_time() -> None:
    views = [position.view(None) for position in play_out(cases(GAME)[0]).positions[:4]]
    frames = decoded(replay(GAME.id, views, SMALL, delay=40, turning_points=(2,)))
    accent = theme("light").accent
    assert [at for at, (frame, _) in enumerate(frames) if frame.getpixel((0, 0)) == accent] == [2]
    assert frames[2][1] == 80
