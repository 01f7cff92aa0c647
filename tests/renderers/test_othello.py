"""The picture of Othello: sizes, probe pixels, clicks, alt text, golden pictures."""

import pytest
from PIL import Image

from bot.support.texts import Texts
from games.othello import DIRECTIONS, GAME, SQUARES, OthelloPosition
from renderers import RenderOptions, kit, othello, palette
from renderers.base import Box
from tests.renderers import looking
from tests.renderers.looking import boxes_of, changed, is_golden, themes

PLAIN = RenderOptions()

GAME_OF_NINE = "f5 d6 c3 d3 c4 f4 f6 f3 e6"
BRANCHING = "e5 e4 d4 d5 d6 c6 c5 e6:w c7:ne"
"""Reversi; White to move has three lines to choose from on c4: east, south east, south."""


def position(moves: str = "", rules: str = "othello", setup: str = "") -> OthelloPosition:
    """Return the position after `moves`, written in one line; forced passes are left out."""
    options = {"rules": rules}
    if not setup:
        setup = "." * 27 + "OX" + "." * 6 + "XO" + "." * 27 + " X"
        if rules == "reversi":
            setup = "." * 64 + " X"
    now = GAME.start(options, setup)
    for text in moves.split():
        now = now.play(now.side, GAME.parse(now, now.side, text))
    return now


def board(rows: dict[int, str], side: str) -> OthelloPosition:
    """Return a position from some rows; other squares are empty, and Black holds the centre."""
    filled = {4: "...XX...", 5: "...XX...", **rows}
    squares = "".join(filled.get(row, "." * 8) for row in range(1, 9))
    return position(setup=f"{squares} {side}")


def rgb(image: Image.Image, box: Box, *, at: tuple[float, float] = (0.5, 0.5)) -> tuple[int, ...]:
    """Return the colour in `box`, at a share of its width and height."""
    left, top, right, bottom = box
    return looking.rgb(image, left + int((right - left) * at[0]), top + int((bottom - top) * at[1]))


def seen(image: Image.Image, box: Box, colours: palette.Theme) -> int | None:
    """Return the seat of the disc in `box`, by its brightness beside the marks; None for felt."""
    colour = rgb(image, box, at=(0.68, 0.68))
    if colour == colours.felt:
        return None
    return 0 if sum(colour) < sum(colours.felt) else 1


@pytest.mark.parametrize(
    ("name", "flipped", "size"), [("light", False, 240), ("dark", True, 801), ("light", True, 350)]
)
def test_cells_are_where_the_discs_are_drawn(*, name: str, flipped: bool, size: int) -> None:
    now = position(GAME_OF_NINE)
    rendering = RenderOptions(theme=name, size=size, flipped=flipped, legal=False)
    image, boxes = othello.draw(now, rendering), boxes_of("othello", now, rendering)
    for square, square_name in enumerate(SQUARES):
        assert seen(image, boxes[square_name], palette.theme(name)) == now.disc(square), square_name


def test_a1_is_top_left_and_bottom_right_when_flipped() -> None:
    plain = boxes_of("othello", position(), RenderOptions())
    flipped = boxes_of("othello", position(), RenderOptions(flipped=True))
    assert plain["a1"][:2] == min(box[:2] for box in plain.values())
    assert plain["h1"][1] == plain["a1"][1], "row 1 runs along the top"
    assert {name: flipped[name] for name in ("a1", "c2")} == {"a1": plain["h8"], "c2": plain["f7"]}


def test_next_to_a_chosen_square_a_click_names_the_direction() -> None:
    now = position(BRANCHING, "reversi")
    plain = boxes_of("othello", now, RenderOptions())
    chosen = boxes_of("othello", now, RenderOptions(chosen=("d3",)))
    assert set(DIRECTIONS) <= set(chosen)
    assert chosen["e"] == plain["e3"]
    assert chosen["nw"] == plain["c2"]
    assert chosen["s"] == plain["d4"]
    assert chosen["d3"] == plain["d3"]
    flipped = boxes_of("othello", now, RenderOptions(chosen=("d3",), flipped=True))
    assert flipped["e"] == boxes_of("othello", now, RenderOptions(flipped=True))["e3"]


@pytest.mark.parametrize(("name", "flipped"), [("light", False), ("dark", True)])
def test_a_chosen_square_is_lit_and_arrows_lie_on_the_lines_to_flip(
    *, name: str, flipped: bool
) -> None:
    now = position(BRANCHING, "reversi")
    rendering = RenderOptions(theme=name, flipped=flipped, chosen=("c4",))
    plain = othello.draw(now, RenderOptions(theme=name, flipped=flipped, legal=False))
    lit = othello.draw(now, rendering)
    boxes = boxes_of("othello", now, rendering)
    assert rgb(lit, boxes["c4"], at=(0.1, 0.1)) == palette.theme(name).chosen
    assert changed(plain, lit, boxes) == {"c4", "e", "se", "s"}


@themes
def test_legal_moves_are_dots_for_black_and_rings_for_white(name: str) -> None:
    colours = palette.theme(name)
    for now, hollow in ((position(), False), (position("d3"), True)):
        rendering = RenderOptions(theme=name)
        image, boxes = othello.draw(now, rendering), boxes_of("othello", now, rendering)
        free = [square for square in range(64) if now.disc(square) is None]
        middles = {square: rgb(image, boxes[SQUARES[square]]) for square in free}
        targets = {square for square in free if now.targets >> square & 1}
        full = {square for square, colour in middles.items() if colour != colours.felt}
        assert full == (set() if hollow else targets)
        rings = {
            square
            for square in free
            if rgb(image, boxes[SQUARES[square]], at=(0.5, 0.41)) != colours.felt
        }
        assert rings == targets


@themes
def test_the_last_move_and_the_discs_that_it_flipped_are_marked(name: str) -> None:
    colours = palette.theme(name)
    now = position("d3 c5")
    assert now.last is not None
    assert [SQUARES[square] for square in now.last.flipped] == ["d5"]
    rendering = RenderOptions(theme=name)
    image, boxes = othello.draw(now, rendering), boxes_of("othello", now, rendering)
    assert rgb(image, boxes["c5"]) == colours.accent
    assert rgb(image, boxes["d5"]) == colours.dark, "a white disc that was black"
    assert sum(rgb(image, boxes["e5"])) > 600, "an unmarked white disc"


def strip_of(now: OthelloPosition, rendering: RenderOptions = PLAIN) -> tuple[bytes, bytes]:
    """Return the left and the right half of the status strip."""
    image = othello.draw(now, rendering)
    top = kit.square_layout(800, 8, 8).status_bar[1]
    return (
        image.crop((0, top, 400, image.height)).tobytes(),
        image.crop((400, top, 800, image.height)).tobytes(),
    )


def test_a_pass_is_shown_on_the_side_that_passed() -> None:
    before = board({1: "XO......", 4: "...XX...", 8: "......OX"}, "O")
    assert before.forced() is not None
    passed = position("pass", setup=before.setup())
    silent = OthelloPosition("othello", passed.black, passed.white, passed.side)
    shown, hidden = strip_of(passed), strip_of(silent)
    assert passed.passed
    assert shown[0] == hidden[0]
    assert shown[1] != hidden[1]


def test_the_winner_wears_a_crown_and_gets_the_free_squares() -> None:
    over = board({}, "X")
    outcome = over.outcome()
    assert outcome is not None
    assert outcome.scores == (64, 0)
    image = othello.draw(over, RenderOptions())
    gold = palette.theme("light").index(palette.theme("light").gold)
    top = kit.square_layout(800, 8, 8).status_bar[1]
    assert gold in image.crop((0, top, 400, image.height)).tobytes()
    assert gold not in image.crop((400, top, 800, image.height)).tobytes()


@pytest.mark.parametrize(
    ("file", "rules", "moves", "rendering"),
    [
        ("othello-light.png", "othello", GAME_OF_NINE, RenderOptions(size=240)),
        (
            "reversi-dark-flipped.png",
            "reversi",
            BRANCHING,
            RenderOptions(theme="dark", size=240, flipped=True, chosen=("c4",)),
        ),
    ],
)
def test_the_picture_is_that_of_the_golden_one(
    file: str, rules: str, moves: str, rendering: RenderOptions
) -> None:
    assert is_golden(othello.draw(position(moves, rules), rendering), file)


def test_the_alt_text_is_enough_to_play_by() -> None:
    text = othello.describe(position("d3 c5"), Texts("en"))
    assert text == (
        "Othello, Black to move. White played c5, flipping d5. "
        "Black has 3: d3 d4 e4. White has 3: c5 d5 e5. "
        "Legal moves (5): b6 c6 d6 e6 f6."
    )


def test_the_alt_text_tells_of_a_pass_an_end_and_an_empty_board() -> None:
    english, german = Texts("en"), Texts("de")
    before = board({1: "XO......", 8: "......OX"}, "O")
    passed = position("pass", setup=before.setup())
    assert "White had to pass." in othello.describe(passed, english)
    assert "Weiß aussetzen." in othello.describe(passed, german)
    over = othello.describe(board({}, "X"), english)
    assert "Black won 64 to 0." in over
    assert "White has no discs." in over
    assert "Legal moves" not in over
    drawn = board({4: "...XX...", 5: "...XX...", 1: "OO......", 8: "......OO"}, "X")
    assert "draw, 4 to 4." in othello.describe(drawn, english)
    assert "unentschieden 4 zu 4." in othello.describe(drawn, german)
    assert "White has no discs." in othello.describe(position(rules="reversi"), english)


def test_the_alt_text_of_reversi_names_the_directions() -> None:
    text = othello.describe(position(BRANCHING, "reversi"), Texts("en"))
    assert "c4:e c4:se c4:s" in text
