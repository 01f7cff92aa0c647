"""The drawing kit: palettes, sprites, layout."""

from functools import partial
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from renderers import kit, palette, pen
from renderers.base import BarState
from tests.renderers.looking import rgb, themes

sizes = pytest.mark.parametrize("width", [240, 333, 800, 1600])


@themes
def test_a_palette_has_at_most_256_entries_and_finds_each_of_them_again(name: str) -> None:
    colours = palette.theme(name)
    entries = palette._entries(colours)
    assert len(entries) <= 256
    assert len(set(entries)) == len(entries)
    row = Image.new("RGB", (len(entries), 1))
    for at, entry in enumerate(entries):
        row.putpixel((at, 0), entry)
    assert list(palette.quantise(colours, row).tobytes()) == list(range(len(entries)))


@themes
def test_text_has_a_contrast_of_at_least_four_and_a_half_on_its_ground(name: str) -> None:
    c = palette.theme(name)
    pairs = [(ink, ground) for ink in (c.ink, c.quiet) for ground in (c.background, c.panel)]
    pairs += [(c.ink, c.paper), (c.ink, c.paper_shade), (c.quiet, c.paper)]
    pairs += [(c.wood_ink, c.wood), (c.wood_ink, c.wood_shade), (c.dark, c.chosen)]
    pairs += [(c.on(colour), colour) for colour in c.series]
    assert {pair: palette.contrast(*pair) for pair in pairs if palette.contrast(*pair) < 4.5} == {}


@themes
def test_both_discs_stand_out_from_every_board(name: str) -> None:
    c = palette.theme(name)
    for ground in (c.felt, c.wood, c.paper, c.background):
        assert max(palette.contrast(c.light, ground), palette.contrast(c.light_rim, ground)) > 2.5
        assert max(palette.contrast(c.dark, ground), palette.contrast(c.dark_rim, ground)) > 2.5
    for ink, share in ((c.light, 0.85), (c.dark, 0.8)):
        assert palette.contrast(palette.mix(c.felt, ink, share), c.felt) > 2.5, "dots"


def test_contrast_is_that_of_wcag() -> None:
    assert palette.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert palette.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@sizes
def test_a_plan_fits_the_width_and_its_parts_touch_without_overlap(width: int) -> None:
    layout = kit.square_layout(width, 8, 8)
    grid = layout.grid
    left, top, right, bottom = grid.outline
    assert layout.size[0] == width
    assert 0 < left <= width - right <= left + 1
    assert top > 0
    assert bottom < layout.status_bar[1] < layout.status_bar[3] == layout.size[1]
    for first, second in pairwise(range(8)):
        assert grid.box(first, 0)[2] == grid.box(second, 0)[0]
        assert grid.box(0, first)[3] == grid.box(0, second)[1]


def test_a_flipped_grid_is_turned_by_half_a_turn() -> None:
    plain = kit.square_layout(800, 8, 8).grid
    flipped = kit.square_layout(800, 8, 8, flipped=True).grid
    assert flipped.box(0, 0) == plain.box(7, 7)
    assert flipped.box(2, 5) == plain.box(5, 2)
    assert flipped.outline == plain.outline


def test_the_kinds_and_marks_of_discs_all_look_different() -> None:
    colours = palette.theme("dark")
    pictures = {
        kit.disc(colours, colours.felt, 30, kind, mark=mark).image.tobytes()
        for kind in ("dark", "light")
        for mark in ("", "last", "turned")
    }
    assert len(pictures) == 6


def test_dots_differ_in_shape_and_not_only_in_colour() -> None:
    colours = palette.theme("light")
    full = kit.dot(colours, colours.felt, 60, "dark")
    hollow = kit.dot(colours, colours.felt, 60, "light")
    assert full.mask.getpixel((30, 30)) == 255
    assert hollow.mask.getpixel((30, 30)) == 0
    assert hollow.mask.getbbox() == full.mask.getbbox()


def test_a_tile_covers_and_a_sprite_lets_through() -> None:
    colours = palette.theme("light")
    ring = kit.ring(colours, colours.felt, 40, colours.accent)
    pasted = palette.blank(colours, (40, 40), colours.gold)
    tiled = pasted.copy()
    ring.paste(pasted, 0, 0)
    ring.tile(tiled, 0, 0)
    assert rgb(pasted, 20, 20) == colours.gold
    assert rgb(tiled, 20, 20) == colours.felt


@pytest.mark.parametrize("text", ["1", "42", "T"])
def test_labels_stand_in_the_middle_by_their_ink(text: str) -> None:
    colours = palette.theme("light")
    mask = kit.labels(colours, colours.paper, 101, (text,), size=40, colour=colours.ink).mask
    box = mask.getbbox()
    assert box is not None
    left, _, right, bottom = box
    assert abs((left + right) / 2 - 50.5) <= 1
    assert abs(bottom - (50.5 + 40 * 0.357)) <= 1.5, "half the height of a digit below the middle"


def test_small_letters_are_not_cut_off_in_a_low_box_and_share_a_baseline() -> None:
    colours, feet = palette.theme("light"), set()
    drawn = partial(kit.labels, colours, colours.paper, size=40, colour=colours.ink, lift=0.1)
    for text in "abcdefghi":
        low, high = [drawn((61, height), text).mask for height in (44, 84)]
        # Twenty pixels more above and below make no difference to the letter.
        box, whole = low.getbbox(), high.getbbox()
        assert box is not None
        assert whole is not None
        assert (box[1] + 20, box[3] + 20) == (whole[1], whole[3]), text
        feet.add((text == "g", box[3]))
    assert len(feet) == 2, "one for all, and one for what reaches below the line"


def test_the_strip_says_whose_turn_it_is_and_who_has_won() -> None:
    colours = palette.theme("light")
    pictures = set()
    for side in (
        kit.Side("dark", "12"),
        kit.Side("dark", "12", 0, BarState(turn=frozenset({0}))),
        kit.Side("dark", "12", 0, BarState(winners=frozenset({0}))),
        kit.Side("dark", "12", 0, BarState(is_draw=True)),
        kit.Side("dark", "12", passed=True),
        kit.Side("light", "12"),
        kit.Side("", "12"),
    ):
        board = palette.blank(colours, (400, 40), colours.background)
        kit.status_bar(board, colours, (0, 0, 400, 40), (side,))
        pictures.add(board.tobytes())
    assert len(pictures) == 7


def test_a_very_large_pen_draws_with_less_supersampling_and_in_the_right_place() -> None:
    colours = palette.theme("light")
    drawing = pen.Pen(colours, (1600, 1700), colours.background)
    drawing.disc(1000, 1200, 100, colours.accent)
    image = drawing.image()
    assert image.size == (1600, 1700)
    assert rgb(image, 1000, 1200) == colours.accent
    assert rgb(image, 1000, 1095) == colours.background


@themes
@pytest.mark.parametrize("is_turn", [True, False])
def test_what_is_long_stays_within_its_field(name: str, *, is_turn: bool) -> None:
    colours, field = palette.theme(name), (300, 60)

    def drawn(unit: str) -> Image.Image:
        seats = frozenset({0})
        state = BarState(turn=seats) if is_turn else BarState(winners=seats)
        side = kit.Side("light", "28", 0, state, unit=unit)
        board = Image.new("RGB", field, colours.background)
        kit.status_bar(board, colours, (0, 0, *field), (side,))
        return board

    short, long = drawn(""), drawn("points, every one of them")
    # The ends of the pill, and the edges of a field without one, look as they always do.
    edge = 21 if is_turn else 9
    for left in (0, field[0] - edge):
        box = (left, 0, left + edge, field[1])
        assert ImageChops.difference(short.crop(box), long.crop(box)).getbbox() is None
    assert ImageChops.difference(short, long).getbbox() is not None


def test_a_drawing_in_strips_is_the_same_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(pixels: int) -> bytes:
        monkeypatch.setattr(pen, "_STRIP", pixels)
        drawing = pen.Pen(palette.theme("light"), (90, 120), (244, 240, 232))
        drawing.box((2.3, 1.7, 88.1, 117.9), (32, 96, 64), radius=17.3)
        drawing.box((9.2, 5.4, 70.6, 60.5), None, radius=6.1, outline=(0, 0, 0), width=2.3)
        kit.draw_disc(drawing, 44.4, 61.3, 37.7, "dark")
        kit.draw_disc(drawing, 60.2, 40.3, 20.7, "light")
        drawing.arrow((10.1, 12.2), (77.7, 109.3), 6.6, (216, 88, 8))
        drawing.text(44.4, 88.8, "gÅ7", 51.2, (0, 0, 0))
        return drawing.image().tobytes()

    assert len({drawn(pixels) for pixels in (10_000, 33_000, 200_000)}) == 1
