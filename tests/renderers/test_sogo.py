"""The picture of Sogo: visible beads, marks, clicks, alt text, golden pictures."""

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from bot.support.texts import Texts
from games.sogo import GAME, SogoPosition
from renderers import RenderOptions, Verdict, palette, sogo
from renderers.base import Box
from tests.games.playing import Case, play_out
from tests.games.test_sogo import EXAMPLE, at, new, played
from tests.renderers.looking import boxes_of, changed, has, is_golden, rgb, themes

PLAIN = RenderOptions()

BLACKS_HOLE = "W/-/-/WB/-/-/-/BB/-/-/-/WB/-/W/-/- W 0 0"
"""White to move, Black's hole on d1-2."""
CAPTURE_DUE = "-/-/-/WWW/-/-/-/BB/-/-/-/B/-/-/-/- W 0 0"


def seat_of(colour: tuple[int, ...]) -> int | None:
    """Return the seat of a bead's colour; None for wood, the only one that is not grey."""
    if max(colour) - min(colour) > 50:
        return None
    return 0 if sum(colour) > 330 else 1


def owner(now: SogoPosition, cell: int) -> int | None:
    return next((seat for seat in (0, 1) if now.stones[seat] >> cell & 1), None)


def in_space(
    image: Image.Image, rendering: RenderOptions, now: SogoPosition, cell: int
) -> int | None:
    """Return the bead visible on a cell in the upper part, low on its left side."""
    level, rod = divmod(cell, now.board.rods)
    layout = sogo._layout(rendering.size, now.size, flipped=rendering.flipped)
    left, top, _, _ = layout.tile(rod)
    row = layout.row_of(rod)
    (x, y), (wide, high) = row.middle(level), row.bead
    return seat_of(rgb(image, left + x - wide * 0.5, top + y + high * 0.5))


def on_level(
    image: Image.Image, rendering: RenderOptions, now: SogoPosition, cell: int
) -> int | None:
    """Return the bead visible on a cell of the small boards."""
    left, top, right, bottom = small(rendering, now, cell)
    return seat_of(rgb(image, left + (right - left) * 0.3, top + (bottom - top) * 0.62))


def small(rendering: RenderOptions, now: SogoPosition, cell: int) -> Box:
    level, rod = divmod(cell, now.board.rods)
    layout = sogo._layout(rendering.size, now.size, flipped=rendering.flipped)
    return layout.levels[level].box(*divmod(rod, now.size))


def small_cells(rendering: RenderOptions, now: SogoPosition) -> dict[str, Box]:
    return {
        now.board.cell_name(cell): small(rendering, now, cell) for cell in range(now.board.cells)
    }


def cells_with(
    now: SogoPosition, image: Image.Image, rendering: RenderOptions, colour: int
) -> set[str]:
    """Return the cells of the small boards where a colour of the palette is seen."""
    boxes = small_cells(rendering, now)
    return {cell for cell, box in boxes.items() if colour in image.crop(box).tobytes()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "flipped"), [("light", 3, True), ("dark", 4, False), ("light", 5, True)]
)
def test_no_bead_hides_another_and_the_levels_show_the_same(
    *, name: str, size: int, flipped: bool
) -> None:
    rendering = RenderOptions(theme=name, flipped=flipped, legal=False)
    case = Case(GAME, (("size", str(size)), ("variant", "capture")))
    match = play_out(case).positions
    for now in (match[len(match) // 3], match[-2]):
        # Without the last move, which would cross out the place of a stone just taken.
        image = sogo.draw(replace(now, last=None), rendering).convert("RGB")
        for cell in range(now.board.cells):
            name_of = now.board.cell_name(cell)
            assert on_level(image, rendering, now, cell) == owner(now, cell), name_of
            if owner(now, cell) is not None:
                assert in_space(image, rendering, now, cell) == owner(now, cell), name_of


@pytest.mark.parametrize(("size", "flipped"), [(3, False), (4, True), (5, False)])
def test_a_click_on_a_rod_means_this_rod(*, size: int, flipped: bool) -> None:
    rendering = RenderOptions(flipped=flipped, legal=False)
    empty, now = sogo.draw(new(size), rendering), new(size)
    boxes = boxes_of("sogo", now, rendering)
    status_bar = sogo._layout(rendering.size, size, flipped=flipped).status_bar
    for move in now.moves(0):
        (step,) = GAME.steps(move)
        difference = ImageChops.difference(empty, sogo.draw(now.play(0, move), rendering))
        difference.paste(0, small(rendering, now, move.rod))
        difference.paste(0, status_bar)
        inside = difference.crop(boxes[step])
        assert inside.getbbox() is not None, step
        difference.paste(0, boxes[step])
        assert difference.getbbox() is None, step


@pytest.mark.parametrize(("size", "flipped"), [(3, False), (4, True), (5, False)])
def test_the_cells_of_the_levels_can_be_clicked_as_well_as_the_rods(
    *, size: int, flipped: bool
) -> None:
    now, rendering = new(size), RenderOptions(flipped=flipped)
    for rod in range(now.board.rods):
        cell = sogo.cells(now, rendering)[now.board.name(rod)]
        levels = [small(rendering, now, level * now.board.rods + rod) for level in range(size)]
        assert list(cell.also) == levels
        assert min(right - left for left, _, right, _ in levels) >= 350 / 800 * 46


@themes
@pytest.mark.parametrize(("moves", "seat"), [("a1 b1 a1 c1 a1", 0), ("b1 a1 c1 a1 d1 a1", 1)])
def test_beads_of_one_colour_on_each_other_are_seen_one_by_one(
    name: str, moves: str, seat: int
) -> None:
    now = played(moves)
    image = sogo.draw(now, RenderOptions(theme=name, legal=False)).convert("RGB")
    layout = sogo._layout(800, 4, flipped=False)
    row, (left, top, _, _) = layout.row_of(3), layout.tile(3)
    (x, y), (_, upper), wide = row.middle(0), row.middle(1), row.bead[0]
    column = [rgb(image, left + x - wide * 0.5, top + at) for at in range(round(upper), round(y))]
    lights = [palette.contrast(pixel, (0, 0, 0)) for pixel in column]  # type: ignore[arg-type]
    assert max(lights) / min(lights) > 2.5, f"a rim between the beads of seat {seat}"


def test_a1_is_on_the_near_left_for_white_and_on_the_far_right_for_black() -> None:
    white = boxes_of("sogo", new(4), RenderOptions())
    black = boxes_of("sogo", new(4), RenderOptions(flipped=True))
    assert white["a1"][0] == min(box[0] for box in white.values())
    assert white["a4"][0] > white["a1"][0], "the floor narrows"
    assert white["a1"][3] == max(box[3] for box in white.values())
    assert {name: black[name] for name in ("a1", "b3")} == {"a1": white["d4"], "b3": white["c2"]}


def changes(
    now: SogoPosition, plain: RenderOptions, marked: RenderOptions
) -> tuple[set[str], set[str]]:
    """Return the rods and the cells of the small boards where two pictures differ."""
    one, other = sogo.draw(now, plain), sogo.draw(now, marked)
    rods, cells = boxes_of("sogo", now, plain), small_cells(plain, now)
    return changed(one, other, rods), changed(one, other, cells)


@themes
def test_rods_with_room_are_marked_where_the_bead_would_lie(name: str) -> None:
    now = played("a1 a1 a1 a1 b2 b2")
    rods, cells = changes(now, RenderOptions(theme=name, legal=False), RenderOptions(theme=name))
    assert rods == {GAME.notation(move) for move in now.moves(0)}
    assert "a1" not in rods
    assert cells == {f"{rod}-{3 if rod == 'b2' else 1}" for rod in rods}


@pytest.mark.parametrize(("name", "flipped"), [("light", False), ("dark", True)])
def test_threats_are_the_hole_and_the_forbidden_cell_of_the_example(
    *, name: str, flipped: bool
) -> None:
    plain = RenderOptions(theme=name, flipped=flipped, legal=False)
    marked = RenderOptions(theme=name, flipped=flipped, legal=False, threats=True)
    assert changes(at(EXAMPLE), plain, marked) == ({"c2"}, {"c2-1", "c2-2"})


@themes
@pytest.mark.parametrize(
    ("setup", "seat", "hole", "forbidden"),
    [(EXAMPLE, 0, "c2-2", "c2-1"), (BLACKS_HOLE, 1, "d1-2", "d1-1")],
)
def test_holes_and_forbidden_cells_show_whose_they_are(
    name: str, setup: str, seat: int, hole: str, forbidden: str
) -> None:
    now, rendering = at(setup), RenderOptions(theme=name, threats=True)
    image, plain = (
        sogo.draw(now, options).convert("RGB")
        for options in (rendering, RenderOptions(theme=name, legal=False))
    )
    boxes = small_cells(rendering, now)
    left, top, right, bottom = boxes[hole]
    middle = (top + bottom) / 2
    edge = left + (right - left) * (0.14, 0.26)[seat]
    assert seat_of(rgb(image, edge, middle)) == seat, "a wide ring for White, a small one for Black"
    assert rgb(image, (left + right) / 2, middle) == rgb(plain, (left + right) / 2, middle)
    left, top, right, bottom = boxes[forbidden]
    sign = (left + right) / 2, (top + bottom) / 2
    assert seat_of(rgb(image, *sign)) == seat, "the bar"
    assert seat_of(rgb(image, sign[0], sign[1] - (bottom - top) * 0.17)) == 1 - seat


@themes
def test_the_stones_to_be_taken_are_ringed_once_the_rod_is_chosen(name: str) -> None:
    colours, now = palette.theme(name), at(CAPTURE_DUE, variant="capture")
    rendering = RenderOptions(theme=name, chosen=("a1",))
    rods, cells = changes(now, RenderOptions(theme=name, legal=False), rendering)
    assert rods == {"a1", "b1", "c1"}
    assert cells == {"a1-4", "b1-2", "c1-1"}
    image = sogo.draw(now, rendering)
    boxes = boxes_of("sogo", now, rendering)
    ringed = {step for step, box in boxes.items() if has(image.crop(box), colours, colours.warning)}
    assert ringed == {"b1", "c1"}
    assert has(image.crop(boxes["a1"]), colours, colours.chosen)


@themes
def test_the_last_bead_is_marked(name: str) -> None:
    colours, rendering = palette.theme(name), RenderOptions(theme=name, legal=False)
    now = played("a1 b2 c3")
    image = sogo.draw(now, rendering)
    accent = colours.index(colours.accent)
    marked = {
        step
        for step, box in boxes_of("sogo", now, rendering).items()
        if accent in image.crop(box).tobytes()
    }
    assert marked == {"c3"}
    assert cells_with(now, image, rendering, accent) == {"c3-1"}


@themes
def test_the_place_of_a_stone_just_taken_is_crossed_out(name: str) -> None:
    colours, rendering = palette.theme(name), RenderOptions(theme=name, legal=False)
    now = played("a1 b1 a1 b1 a1 b1 a1xb1", variant="capture")
    image = sogo.draw(now, rendering)
    warning = colours.index(colours.warning)
    assert cells_with(now, image, rendering, warning) == {"b1-3"}
    assert warning in image.crop(boxes_of("sogo", now, rendering)["b1"]).tobytes()


@themes
def test_the_winning_line_is_marked_and_joined_by_a_stroke(name: str) -> None:
    colours, rendering = palette.theme(name), RenderOptions(theme=name)
    now = played("a1 a2 b1 b2 c1 c2 d1")
    image = sogo.draw(now, rendering)
    accent, chosen = colours.index(colours.accent), colours.index(colours.chosen)
    assert cells_with(now, image, rendering, chosen) == {"a1-1", "b1-1", "c1-1", "d1-1"}
    boxes = boxes_of("sogo", now, rendering)
    for step in ("a1", "b1", "c1"):
        _, top, right, bottom = boxes[step]
        for x in range(right - 12, right + 12):
            column = image.crop((x, top, x + 1, bottom)).tobytes()
            assert accent in column, f"a stroke without a gap from {step} to its neighbour"


def strip_of(now: SogoPosition, rendering: RenderOptions = PLAIN) -> tuple[bytes, bytes]:
    """Return White's and Black's half of the status strip."""
    image = sogo.draw(now, rendering)
    _, top, _, bottom = sogo._layout(800, now.size, flipped=False).status_bar
    return (
        image.crop((0, top, 400, bottom)).tobytes(),
        image.crop((400, top, 800, bottom)).tobytes(),
    )


def test_the_strip_counts_captures() -> None:
    before, after = (
        strip_of(played(moves, variant="capture"))
        for moves in ("a1 b1 a1 b1 a1 b1 c1", "a1 b1 a1 b1 a1 b1 a1xb1")
    )
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_the_end_right_after_a_capture_makes_no_winning_line_of_it() -> None:
    running = played("a1 b1 a1 b1 a1 b1 a1xb1", variant="capture")
    over = RenderOptions(verdict=Verdict(frozenset({1})))
    board = (0, 0, 800, sogo._layout(800, 4, flipped=False).status_bar[1])
    without_dots = sogo.draw(running, RenderOptions(legal=False)).crop(board)
    assert sogo.draw(running, over).crop(board).tobytes() == without_dots.tobytes()
    gold = palette.theme("light").index(palette.theme("light").gold)
    white, black = strip_of(running, over)
    assert gold not in white
    assert gold in black


def test_the_labels_follow_the_form_that_the_player_prefers() -> None:
    pictures = {
        sogo.draw(new(4), RenderOptions(notation=form)).tobytes() for form in GAME.notations
    }
    assert len(pictures) == 2
    assert sogo.draw(new(4), RenderOptions()).tobytes() in pictures


@pytest.mark.parametrize(
    ("file", "setup", "variant", "rendering"),
    [
        ("sogo-light-threats.png", EXAMPLE, "line", RenderOptions(size=240, threats=True)),
        (
            "sogo-dark-flipped-hex-capture.png",
            CAPTURE_DUE,
            "capture",
            RenderOptions(theme="dark", size=240, flipped=True, chosen=("a1",), notation="hex"),
        ),
    ],
)
def test_the_picture_is_that_of_the_golden_one(
    file: str, setup: str, variant: str, rendering: RenderOptions
) -> None:
    assert is_golden(sogo.draw(at(setup, variant=variant), rendering), file)


def test_the_alt_text_is_enough_to_play_by() -> None:
    now = played("a1 b1 a1 b1 a1 b1 a1xb1", variant="capture")
    assert sogo.describe(now, Texts("en")) == (
        "Sogo, 4 by 4 rods for 4 stones each. Black to move. Last move: White on a1-4. "
        "It completed a line: a1-1, a1-2, a1-3, a1-4. It took the stone b1-3. "
        "Captures: White 1, Black 0. "
        "Stones from bottom to top, W white, B black: a1 WWWW, b1 BB. "
        "Rods with room: a4, a3, a2, b4, b3, b2, b1, c4, c3, c2, c1, d4, d3, d2, d1."
    )


def test_the_alt_text_tells_what_a_line_can_take() -> None:
    now = at(CAPTURE_DUE, variant="capture")
    english = "Rods that complete a line: a1. Stones to take there: b1, c1."
    assert english in sogo.describe(now, Texts("en"))
    german = "Stäbe, die eine Reihe schließen: a1. Steine zum Schlagen dort: b1, c1."
    assert german in sogo.describe(now, Texts("de"))


def test_the_alt_text_of_an_empty_board_says_so() -> None:
    assert "The board is empty." in sogo.describe(new(4), Texts("en"))
    assert "Das Brett ist leer." in sogo.describe(new(4), Texts("de"))


def test_the_alt_text_tells_how_it_ended() -> None:
    won = played("a1 a2 b1 b2 c1 c2 d1")
    english, german = (sogo.describe(won, Texts(language)) for language in ("en", "de"))
    assert "White won with the line a1-1, b1-1, c1-1, d1-1." in english
    assert "Weiß hat mit der Reihe a1-1, b1-1, c1-1, d1-1 gewonnen." in german
    assert "Rods with room" not in english
