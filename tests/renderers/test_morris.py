"""The picture of Nine Men's Morris: what is visible, clickable and described."""

from dataclasses import replace

import pytest
from PIL import Image

from bot.support.texts import Texts
from games.morris import GAME, POINTS, MorrisPosition
from renderers import RenderOptions, morris
from renderers.morris import describe, draw
from renderers.palette import contrast, theme
from renderers.png import encode
from tests.games.test_morris import board, play
from tests.renderers.looking import boxes_of, changed, themes

WORDS = (("hand", "to place"), ("taken", "taken"))
START = board("", "", hands="9 9")
SLIDING = board("a1 a4 d7 g7 d5", "d1 d2 d3 f4 b6")
TOOK = play(board("a1 a4 d7 g7 d5", "d1 d2 d3 f4 b6"), "d7-a7xf4")
ALL_PLACED = board("a7 d7 g7 b6 d6 f6 c5 d5 e5", "a4 b4 c4 e4 f4 g4 c3 d3 e3")
WON = play(board("a1 a4 d7 g7", "d2 f4 c5"), "d7-a7xf4")


def draw_at(view: MorrisPosition, rendering: RenderOptions, point: str) -> Image.Image:
    """Return the part of the picture in the box of a point, as RGB."""
    return draw(view, rendering).convert("RGB").crop(boxes_of("morris", view, rendering)[point])


def has(image: Image.Image, colour: tuple[int, int, int]) -> bool:
    colours = image.getcolors(image.width * image.height)
    assert colours
    return any(found == colour for _, found in colours)


def points_with(
    view: MorrisPosition, rendering: RenderOptions, colour: tuple[int, int, int]
) -> set[str]:
    """Return the points in whose boxes a colour is seen."""
    return {point for point in POINTS if has(draw_at(view, rendering, point), colour)}


def codes(key: str, /, **details: str | int) -> str:
    return f"{key}{sorted(details.items())}" if details else key


# Clicks


def test_rank_one_is_at_the_bottom_and_a_flipped_board_is_turned_by_half() -> None:
    usual, flipped = (
        boxes_of("morris", START, RenderOptions()),
        boxes_of("morris", START, RenderOptions(flipped=True)),
    )
    assert usual["a1"][1] > usual["a7"][1]
    assert usual["a1"][0] < usual["g1"][0]
    assert flipped["a1"] == usual["g7"]
    assert flipped["f2"] == usual["b6"]


@pytest.mark.parametrize("flipped", [False, True])
def test_stones_are_drawn_in_the_box_of_their_point(*, flipped: bool) -> None:
    rendering = RenderOptions(flipped=flipped, legal=False)
    empty = board("d6 b2 f2 e4", "c3 e5 g1 g4")
    for point in POINTS:
        owner = empty.owner(POINTS.index(point))
        square = draw_at(empty, rendering, point)
        middle = square.crop((40, 30, 50, 40)).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
        assert isinstance(middle, tuple)
        light = sum(middle) / 3
        expected = {0: light > 225, 1: light < 90, None: 90 < light < 225}
        assert expected[owner], (point, light)


# Marks


def test_legal_points_carry_dots_unless_they_are_switched_off() -> None:
    shown, hidden = (draw_at(SLIDING, RenderOptions(legal=legal), "d6") for legal in (True, False))
    assert shown.tobytes() != hidden.tobytes()
    far = (draw_at(SLIDING, RenderOptions(legal=legal), "c5") for legal in (True, False))
    assert next(far).tobytes() != next(far).tobytes()
    never = (draw_at(SLIDING, RenderOptions(legal=legal), "f2") for legal in (True, False))
    assert next(never).tobytes() == next(never).tobytes()


@themes
@pytest.mark.parametrize("moves", ["", "a1"])
def test_hints_of_both_sides_stand_out_from_the_lines_and_from_the_wood(
    name: str, moves: str
) -> None:
    """By their bright or their dark part: one of them is far from whatever is around."""
    colours = theme(name)
    view = play(board("", "", hands="9 9"), moves)
    hint = draw_at(view, RenderOptions(name), "d7")
    bare = draw_at(view, RenderOptions(name, legal=False), "d7")
    middle = hint.width // 2
    column = [hint.getpixel((middle, y)) for y in range(middle)]
    here = {pixel for y, pixel in enumerate(column) if pixel != bare.getpixel((middle, y))}
    for ground in (colours.wood, colours.wood_line):
        assert max(contrast(pixel, ground) for pixel in here) > 3  # type: ignore[arg-type]
    assert {colours.light, colours.dark} <= here


@themes
def test_the_stones_that_can_move_are_ringed_unless_marks_are_switched_off(name: str) -> None:
    view = board("a1 a4 d7 g7 d5", "d1 d2 d3 f4 b6")
    shown, hidden = RenderOptions(name), RenderOptions(name, legal=False)
    boxes = boxes_of("morris", view, shown)
    marked = changed(draw(view, shown), draw(view, hidden), boxes)
    movable = {GAME.steps(move)[0] for move in view.moves(0)}
    targets = {GAME.steps(move)[1] for move in view.moves(0)}
    assert marked == movable | targets
    assert movable < set(POINTS)
    stuck = board("a1 d1 a4 g7", "a7 b4 g1 d2")
    assert "a4" not in {GAME.steps(move)[0] for move in stuck.moves(0)}
    assert "a4" not in changed(draw(stuck, shown), draw(stuck, hidden), boxes)
    chosen = RenderOptions(name, chosen=("d7",))
    ringed = changed(draw(view, chosen), draw(view, replace(chosen, legal=False)), boxes)
    assert not ringed & movable


def test_a_chosen_stone_is_marked_and_only_its_own_targets_have_dots() -> None:
    plain, chosen = RenderOptions(legal=False), RenderOptions(legal=False, chosen=("d7",))
    pictures = draw(SLIDING, plain), draw(SLIDING, chosen)
    assert changed(*pictures, boxes_of("morris", SLIDING, plain)) == {"d7", "d6", "a7"}


def test_a_stone_that_is_recommended_to_be_placed_does_not_look_as_if_it_had_been() -> None:
    view = play(board("", "", hands="9 9"), "a1")
    boxes = boxes_of("morris", view, RenderOptions())
    plain, chosen = RenderOptions(legal=False), RenderOptions(legal=False, chosen=("d2",))
    assert changed(draw(view, plain), draw(view, chosen), boxes) == {"d2"}, "a1 was the last move"
    played = play(board("", "", hands="9 9"), "a1, d2")
    assert "d2" in changed(draw(played, plain), draw(view, chosen), boxes)
    # The point is still free: the wood is seen around a stone that is smaller than those that lie.
    left, top, right, bottom = boxes["d2"]
    near = (left + right) // 2 + (right - left) // 3, (top + bottom) // 2
    assert draw(view, chosen).getpixel(near) == draw(view, plain).getpixel(near)
    assert draw(view, plain).getpixel(near) != draw(played, plain).getpixel(near)


def test_a_due_capture_shows_the_stone_moved_and_rings_what_can_be_taken() -> None:
    rendering = RenderOptions(chosen=("d7", "a7"))
    colours = theme(rendering.theme)
    assert points_with(SLIDING, rendering, colours.warning) == {"f4", "b6"}
    assert has(draw_at(SLIDING, rendering, "a7"), colours.accent)
    assert has(draw_at(SLIDING, rendering, "a1"), colours.gold)


def test_a_due_capture_while_placing_is_shown_in_the_same_way() -> None:
    view = play(board("", "", hands="9 9"), "a1 b2 a4 b4")
    rendering = RenderOptions(chosen=("a7",))
    assert points_with(view, rendering, theme(rendering.theme).warning) == {"b2", "b4"}


def test_clicks_that_belong_to_no_legal_move_are_not_shown() -> None:
    assert encode(draw(SLIDING, RenderOptions(chosen=("f4",)))) == encode(
        draw(SLIDING, RenderOptions())
    )


def test_a_closed_mill_shines_and_the_stone_it_took_leaves_a_cross() -> None:
    colours = theme("light")
    assert points_with(TOOK, RenderOptions(), colours.gold) == {"a1", "a4", "a7"}
    assert points_with(TOOK, RenderOptions(), colours.warning) == {"f4"}


def test_the_way_of_the_last_move_is_shown() -> None:
    """Also that of a jump across the board, in both directions of it."""
    for text in ("a1-g4", "a1-a4"):
        view = play(board("a1 b2 d3", "c3 e5 g1 g7"), text)
        marked = points_with(view, RenderOptions(), theme("light").accent)
        assert {"a1", text[3:]} <= marked
        assert "g7" not in marked


def test_threats_are_marked_on_request() -> None:
    view = play(board("b4 d6 e5 f4 c3", "g1 a4 d7 g7 e4"), "f4-f6")
    rendering = RenderOptions(threats=True)
    assert points_with(view, rendering, theme("light").warning) == {"b6"}
    assert encode(draw(WON, rendering)) == encode(draw(WON, RenderOptions()))


def tray(view: MorrisPosition, rendering: RenderOptions, *, top: bool) -> bytes:
    picture = draw(view, rendering)
    height = 60 * rendering.size // 800
    box = (
        (0, 0, picture.width, height)
        if top
        else (0, picture.height - height, picture.width, picture.height)
    )
    return picture.convert("RGB").crop(box).tobytes()


@themes
def test_a_tray_has_as_many_stones_as_are_still_to_be_placed_and_were_taken(name: str) -> None:
    """Whose tray it is stands beside it, and is no stone in it."""
    colours = theme(name)
    layout = morris._layout(800, flipped=False)

    def runs(view: MorrisPosition) -> tuple[bool, bool]:
        """Return whether White's tray has stones on its left, and on its right."""
        picture = draw(view, RenderOptions(name, labels=WORDS))
        left = layout.tray * 1.42 + 8
        box = (round(left), picture.height - layout.tray, 792, picture.height)
        strip = picture.crop(box)
        faces = {colours.index(colours.light), colours.index(colours.dark)}
        halves = ((0, 0, strip.width // 2, strip.height), (strip.width // 2, 0, *strip.size))
        found = [bool(faces & set(strip.crop(half).tobytes())) for half in halves]
        return found[0], found[1]

    assert runs(START) == (True, False)
    assert runs(ALL_PLACED) == (False, False), "nothing to place, nothing taken: no stone"
    assert runs(TOOK) == (False, True)


def test_a_stone_that_was_placed_is_in_the_tray_no_more_while_a_capture_is_due() -> None:
    due = play(board("", "", hands="9 9"), "a1 b2 a4 b4")
    one_less = play(board("", "", hands="9 9"), "a1 b2 a4 b4 d7 f4")
    assert (due.hands, one_less.hands) == ((7, 7), (6, 6))
    told = RenderOptions(labels=WORDS)
    shown = tray(due, replace(told, chosen=("a7",)), top=False)
    assert shown == tray(one_less, told, top=False) != tray(due, told, top=False)


@themes
def test_the_numbers_in_the_trays_say_what_they_count(name: str) -> None:
    bare, told = RenderOptions(name), RenderOptions(name, labels=WORDS)
    for view, word in ((START, "hand"), (TOOK, "taken")):
        other = tuple((key, "x" if key == word else text) for key, text in WORDS)
        strips = {
            tray(view, rendering, top=False)
            for rendering in (bare, told, replace(told, labels=other))
        }
        assert len(strips) == 3
    assert tray(ALL_PLACED, bare, top=False) == tray(ALL_PLACED, told, top=False)


def test_the_trays_show_hands_captures_the_turn_and_how_it_ended() -> None:
    to_and_fro = "c4-b4 d7-g7 b4-c4 g7-d7 " * 2
    drawn = play(board("c4 d6 e5 f4", "d7 b2 f2 d3"), to_and_fro)
    assert drawn.outcome()
    views = [START, play(board("", "", hands="9 9"), "d6 f4"), SLIDING, TOOK, WON, drawn]
    assert len({tray(view, RenderOptions(), top=False) for view in views}) == len(views)


# In words


def test_the_words_tell_the_start() -> None:
    text = describe(START, Texts("en"))
    assert text.startswith("Nine Men's Morris, White to move.")
    assert "White: no stones on the board; 9 in hand" in text
    assert f"Points to place a stone: {', '.join(POINTS)}." in text


def test_the_words_tell_a_capture_and_the_mills_at_hand() -> None:
    text = describe(TOOK, Texts("en"))
    assert "White played d7-a7, closed a mill and took the stone on f4." in text
    assert "Black: b6, d1, d2, d3; 0 in hand, 5 lost." in text
    assert "Legal moves: b6-b4, b6-d6, " in text
    text = describe(SLIDING, Texts("en"))
    assert "Moves that close a mill: a4-a7, d7-a7. Stones to take: b6, f4." in text


def test_the_words_tell_a_mill_that_takes_nothing() -> None:
    view = board("a1 a4 d7 g7", "d1 d2 d3 b2 f2", capture_from_mills="never")
    told = "Moves that close a mill: a4-a7, d7-a7. No stone can be taken."
    assert told in describe(view, Texts("en"))
    after = view.play(0, GAME.parse(view, 0, "d7-a7"))
    assert "closed a mill, but no stone could be taken." in describe(after, Texts("en"))


def test_the_words_tell_jumps() -> None:
    view = board("a1 b2 d3", "c3 e5 g1 g7")
    assert "The stones on a1, b2, d3 may jump to a4, a7, " in describe(view, Texts("en"))


def test_the_words_tell_how_it_ended_and_offer_no_moves() -> None:
    text = describe(WON, codes)
    assert text.startswith("morris-alt-over-few-stones[('seat', 0)] ")
    assert "morris-alt-slide" not in text
    assert "Weiß hat gewonnen" in describe(WON, Texts("de"))
