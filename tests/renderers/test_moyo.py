"""The picture of Sudoku Moyo: what is visible, clickable and described."""

import pytest

from games.moyo import GAME, SHIMA, MoyoPosition, cell_name
from renderers import Box, RenderOptions, moyo, palette
from renderers.moyo import describe, draw
from tests.games.playing import Case, play_out
from tests.renderers.looking import boxes_of, has, themes

PLAIN = RenderOptions()
EMPTY_START = GAME.start({}, "0" * 81 + " 0")
MATCH = play_out(Case(GAME, ()), 4).positions


def pixels(view: MoyoPosition, rendering: RenderOptions, box: Box) -> bytes:
    return draw(view, rendering).convert("RGB").crop(box).tobytes()


def told(key: str, /, **details: str | int) -> str:
    return f"<{key} {' '.join(f'{name}={value}' for name, value in details.items())}>"


def test_a1_is_top_left_and_bottom_right_when_flipped() -> None:
    upright, flipped = (
        boxes_of("moyo", EMPTY_START, RenderOptions()),
        boxes_of("moyo", EMPTY_START, RenderOptions(flipped=True)),
    )
    assert upright["a1"] == flipped["i9"]
    assert upright["c2"] == flipped["g8"]
    assert upright["a1"][:2] < upright["b1"][:2] < upright["b2"][:2]


@pytest.mark.parametrize(("flipped", "theme"), [(False, "light"), (True, "dark")])
def test_a_stone_is_drawn_in_the_box_of_its_cell(*, flipped: bool, theme: str) -> None:
    rendering = RenderOptions(theme=theme, flipped=flipped, legal=False)
    for before, after in zip(MATCH[:30:6], MATCH[1:30:6], strict=False):
        assert after.last is not None
        box = boxes_of("moyo", after, rendering)[cell_name(after.last.cell)]
        assert pixels(before, rendering, box) != pixels(after, rendering, box)


def test_light_dark_and_neutral_ground_differ() -> None:
    rendering = RenderOptions(legal=False)
    boxes = boxes_of("moyo", EMPTY_START, rendering)
    grounds = {pixels(EMPTY_START, rendering, boxes[square]) for square in ("b2", "h2", "e5")}
    assert len(grounds) == 3
    assert pixels(EMPTY_START, rendering, boxes["h8"]) == pixels(
        EMPTY_START, rendering, boxes["h2"]
    )


def test_a_given_and_a_placed_stone_of_one_digit_look_different() -> None:
    rendering = RenderOptions()
    box = boxes_of("moyo", EMPTY_START, rendering)["e5"]
    given = GAME.start({}, "0" * 40 + "7" + "0" * 40 + " 0")
    placed = EMPTY_START.play(0, GAME.parse(EMPTY_START, 0, "e5=7"))
    later = placed.play(1, GAME.parse(placed, 1, "d4=1"))
    seen = {pixels(view, rendering, box) for view in (given, placed, later)}
    assert len(seen) == 3, "given, last move, placed earlier"


def test_a_moyo_stone_is_marked_as_new_for_one_move_only() -> None:
    rendering = RenderOptions(legal=False)
    seen = 0
    for at in range(1, len(MATCH) - 2):
        before, now, later, last = MATCH[at - 1 : at + 3]
        for cell in now.dead - before.dead:
            box = boxes_of("moyo", now, rendering)[cell_name(cell)]
            empty, new, old, older = (
                pixels(view, rendering, box) for view in (before, now, later, last)
            )
            assert len({empty, new, old}) == 3
            assert old == older
            seen += 1
    assert seen > 5


def test_dots_mark_where_the_side_to_move_can_play_and_only_on_demand() -> None:
    view = MATCH[20]
    shown, hidden = RenderOptions(legal=True), RenderOptions(legal=False)
    legal = {move.cell for move in view.moves(view.side)}
    for cell in range(81):
        box = boxes_of("moyo", view, shown)[cell_name(cell)]
        marked = pixels(view, shown, box) != pixels(view, hidden, box)
        assert marked == (cell in legal)


def test_the_keys_that_fit_on_the_chosen_cell_are_lit() -> None:
    view = MATCH[20]
    move = view.moves(view.side)[0]
    chosen = RenderOptions(chosen=(cell_name(move.cell),))
    fitting = {other.digit for other in view.moves(view.side) if other.cell == move.cell}
    assert 0 < len(fitting) < 9
    colours = palette.theme("light")
    for text, box in boxes_of("moyo", view, chosen).items():
        key = draw(view, chosen).crop(box)
        assert has(key, colours, colours.chosen) == (int(text) in fitting)
        at_rest = draw(view, RenderOptions()).crop(box)
        assert not has(at_rest, colours, colours.chosen), "a key before a digit is asked for"
    box = boxes_of("moyo", view, RenderOptions())[cell_name(move.cell)]
    assert pixels(view, chosen, box) != pixels(view, RenderOptions(), box)


def strip(view: MoyoPosition, rendering: RenderOptions = PLAIN) -> bytes:
    """Return the stones below the field, as pixels."""
    width = rendering.size
    height = draw(view, rendering).height
    return pixels(view, rendering, (0, height - width // 10, width, height))


def test_a_placed_stone_leaves_its_rack_and_a_turned_one_is_seen() -> None:
    rows = ("....1", "......1", "23", "...123", "...456", "...789", "", "", "")
    digits = "".join(row.replace(".", "0").ljust(9, "0") for row in rows)
    start = GAME.start({}, f"{digits} 1")
    after = start.play(1, GAME.parse(start, 1, "c5=1"))
    assert after.turned[0] == {1}
    asked = RenderOptions(chosen=("a4",)), RenderOptions(chosen=("a1",))
    for rendering in asked:
        assert strip(start, rendering) != strip(after, rendering)
    # In a4's box the 1 is gone, in a1's it lies face down; all else is as it was.
    for rendering in asked:
        boxes = boxes_of("moyo", start, rendering)
        differing = {
            text
            for text, box in boxes.items()
            if draw(start, rendering).crop(box).tobytes()
            != draw(after, rendering).crop(box).tobytes()
        }
        assert "1" in differing


def test_the_strip_shows_the_open_azumaya_and_then_the_box_of_the_last_move() -> None:
    without_centre = "0" * 81
    start = GAME.start({}, f"{without_centre} 0")
    first = start.play(0, GAME.parse(start, 0, "e5=7"))
    assert strip(start) != strip(first), "the 7 has left the Azumaya's rack"
    rows = ("", "", "", "...123", "...456", "...789", "", "", "")
    digits = "".join(row.replace(".", "0").ljust(9, "0") for row in rows)
    closed = GAME.start({}, f"{digits} 0")
    shown = {
        strip(closed.play(0, GAME.parse(closed, 0, move)))
        for move in ("a1=1", "d1=5", "g4=4", "a7=8")
    }
    assert len(shown) == 4


@pytest.mark.parametrize(
    ("name", "seat", "flipped"), [("light", 0, False), ("dark", 1, True), ("light", 1, False)]
)
def test_ones_own_gardens_have_a_hedge_and_the_others_have_none(
    *, name: str, seat: int, flipped: bool
) -> None:
    colours = palette.theme(name)
    rendering = RenderOptions(theme=name, seat=seat, flipped=flipped)
    picture = draw(EMPTY_START, rendering)
    boxes = boxes_of("moyo", EMPTY_START, rendering)
    hedged = {
        cell
        for cell in range(81)
        if has(picture.crop(boxes[cell_name(cell)]), colours, colours.good)
    }
    # Every cell of a garden but the one in its middle is at the hedge.
    assert hedged == {cell for cell in SHIMA[seat] if (cell % 9 % 3, cell // 9 % 3) != (1, 1)}
    assert palette.contrast(colours.good, colours.background) > 3
    suit = moyo._suit(colours, seat)
    seam = moyo._seam(colours, suit)
    assert min(palette.contrast(seam, around) for around in (colours.good, suit.ground)) > 2.5
    nobody = draw(EMPTY_START, RenderOptions(theme=name, flipped=flipped))
    assert not has(nobody, colours, colours.good)


@themes
@pytest.mark.parametrize("owner", [0, 1, None])
def test_placed_stones_are_rimmed_against_their_ground_and_all_digits_can_be_read(
    name: str, owner: int | None
) -> None:
    suit = moyo._suit(palette.theme(name), owner)
    assert palette.contrast(suit.ink, suit.face) > 4.5
    assert palette.contrast(suit.ink, suit.inlay) > 4.5
    if owner == 1:
        assert palette.contrast(suit.edge, suit.ground) > 3
    if owner != 0:
        assert palette.contrast(suit.edge, suit.face) > 3
        assert palette.contrast(suit.edge, suit.inlay) > 3


@themes
def test_the_numbers_say_what_they_count_and_which_side_is_mine(name: str) -> None:
    said = ("room", "can still place\n(at most)"), ("you", "you"), ("left", "left")
    without, words = RenderOptions(theme=name), RenderOptions(theme=name, labels=said)
    mine = RenderOptions(theme=name, labels=said, seat=1)
    layout = moyo._layout(800, flipped=False)
    (_, top, left, bottom), (right, *_) = layout.sides
    between = left, top, right, bottom
    assert pixels(EMPTY_START, without, between) != pixels(EMPTY_START, words, between)
    other, own = layout.sides
    assert pixels(EMPTY_START, words, other) == pixels(EMPTY_START, mine, other)
    assert pixels(EMPTY_START, words, own) != pixels(EMPTY_START, mine, own)


def test_the_alt_text_is_enough_to_play_by() -> None:
    view = MATCH[20]
    text = describe(view, told)
    assert f"<moyo-alt-turn seat={view.side} open=0>" in text
    assert view.last is not None
    assert f"square={cell_name(view.last.cell)} digit={view.last.digit}" in text
    for row in range(9):
        signs = text.split(f"{row + 1}: ")[1][:9]
        for column, sign in enumerate(signs):
            cell = 9 * row + column
            if view.digits[cell]:
                assert sign == str(view.digits[cell])
            else:
                assert sign == ("x" if cell in view.dead else ".")
    moves = text.split("moves=")[1].rstrip(">").split(", ")
    read = {(part.split()[0], digit) for part in moves for digit in part.split()[1]}
    assert read == {GAME.steps(move) for move in view.moves(view.side)}


def test_the_alt_text_names_the_winner_at_the_end() -> None:
    end = MATCH[-1]
    text = describe(end, told)
    assert f"<moyo-alt-over seat={1 - end.side}>" in text
    assert "moyo-alt-moves" not in text
    # Room is counted only where there was some.
    assert ("moyo-alt-room" in text) == (end.reach != (0, 0))


def test_the_alt_text_of_an_opening_says_that_the_azumaya_comes_first() -> None:
    text = describe(EMPTY_START, told)
    assert "<moyo-alt-turn seat=0 open=9>" in text
    assert "moyo-alt-last" not in text
