"""The picture of Black Box: sizes, probe pixels, clicks, alt text, golden pictures."""

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from bot.support.texts import Texts
from games.blackbox import GAME, BlackBoxPosition, BlackBoxView
from renderers import RenderOptions, blackbox, blackbox_signs, palette
from renderers.base import Box
from tests.renderers.looking import boxes_of, changed, has, is_golden, is_same, themes

PLAIN = RenderOptions()

STONES = "a2 e2 h2 c6 e8"
SEARCH = "2, 29, 26, 1, 32, 16, a2, e2, b5"
"""Three ways through, two hits, an accident; three marks, one of them wrong."""
HIDDEN = ", ".join([*STONES.split(), "ready"])


def play(moves: str, setup: str = STONES, **chosen: str) -> BlackBoxPosition:
    """Return the position after `moves`, separated by commas, each by the seat to move."""
    position = GAME.start(GAME.options_from(chosen), setup)
    for text in filter(None, moves.split(",")):
        (seat,) = position.turn
        position = position.play(seat, GAME.parse(position.view(seat), seat, text))
    return position


def view(moves: str = "", setup: str = STONES, **chosen: str) -> BlackBoxView:
    return play(moves, setup, **chosen).view(None)


def hiding(moves: str = "", seat: int | None = None) -> BlackBoxView:
    return play(moves, "", mode="hide").view(seat)


def differing(one: BlackBoxView, other: BlackBoxView, rendering: RenderOptions) -> set[str]:
    """Return the clickable places that look different in two views."""
    boxes = boxes_of("blackbox", one, rendering)
    return changed(blackbox.draw(one, rendering), blackbox.draw(other, rendering), boxes)


def differing_by(shown: BlackBoxView, one: RenderOptions, other: RenderOptions) -> set[str]:
    """Return the clickable places that look different with two render options."""
    boxes = boxes_of("blackbox", shown, one)
    return changed(blackbox.draw(shown, one), blackbox.draw(shown, other), boxes)


def part(shown: BlackBoxView, step: str, rendering: RenderOptions | None = None) -> Image.Image:
    rendering = rendering or RenderOptions()
    return blackbox.draw(shown, rendering).crop(boxes_of("blackbox", shown, rendering)[step])


def strip_of(shown: BlackBoxView, rendering: RenderOptions = PLAIN) -> Image.Image:
    image = blackbox.draw(shown, rendering)
    bottom = max(box[3] for box in boxes_of("blackbox", shown, RenderOptions()).values())
    return image.crop((0, bottom, image.width, image.height))


# Places


def test_entries_run_clockwise_from_the_corner_above_a1() -> None:
    boxes = boxes_of("blackbox", view(), RenderOptions())

    def lies(one: str, other: str) -> Box:
        return tuple(a - b for a, b in zip(boxes[one], boxes[other], strict=True))  # type: ignore[return-value]

    assert boxes["1"][0] == boxes["a1"][0]
    assert boxes["8"][0] == boxes["17"][0] == boxes["h1"][0]
    assert boxes["32"][1] == boxes["9"][1] == boxes["a1"][1]
    assert boxes["25"][1] == boxes["16"][1] == boxes["a8"][1]
    assert lies("1", "a1")[1] < 0 < lies("24", "a8")[1]
    assert lies("32", "a1")[0] < 0 < lies("9", "h1")[0]


def test_the_flipped_box_is_turned_by_half_a_turn() -> None:
    plain, flipped = (
        boxes_of("blackbox", view(), RenderOptions()),
        boxes_of("blackbox", view(), RenderOptions(flipped=True)),
    )
    for one, other in (("a1", "h8"), ("c2", "f7"), ("1", "17"), ("9", "25"), ("16", "32")):
        assert plain[one] == flipped[other]
        assert flipped[one] == plain[other]


@pytest.mark.parametrize(("size", "flipped"), [(5, False), (6, True), (10, False)])
def test_answers_and_marks_are_drawn_where_they_are_clicked(*, size: int, flipped: bool) -> None:
    position = play("", "a2 e2 c4 c5 e5", size=str(size))
    rendering = RenderOptions(size=350, flipped=flipped)
    for text in (*map(str, range(1, 4 * size + 1, 5)), "b1", "d5"):
        before = position.view(0)
        if text in map(str, before.answers):
            continue
        after = play(text, "a2 e2 c4 c5 e5", size=str(size)).view(0)
        expected = set(map(str, after.answers)) | set(after.marks)
        assert differing(before, after, rendering) == expected


# Answers


def test_no_two_pairs_share_shape_and_colour() -> None:
    # Ten by ten has forty entries, so twenty pairs at most.
    colours = palette.theme("light")
    signs = {
        (
            blackbox_signs.SHAPES[(pair - 1) % len(blackbox_signs.SHAPES)],
            blackbox_signs.pair_colour(colours, pair),
        )
        for pair in range(1, 21)
    }
    assert len(signs) == 20


@themes
def test_answers_differ_in_shape_without_colour(name: str) -> None:
    colours = palette.theme(name)
    tiles = [
        blackbox_signs.answer_sign(
            colours, colours.background, 48, sign, is_last=False, is_doubted=False
        ).mask
        for sign in ("T", "U", *map(str, range(1, 9)))
    ]
    for at, one in enumerate(tiles):
        for other in tiles[at + 1 :]:
            difference = ImageChops.logical_xor(one, other)
            assert difference.convert("L").histogram()[255] >= 32


@themes
def test_both_ends_of_a_way_through_carry_the_same_sign(name: str) -> None:
    rendering = RenderOptions(theme=name)
    shown = view("2, 29, 1")
    assert shown.answers == {2: "4", 4: "2", 29: "12", 12: "29", 1: "T"}
    colours, signs = palette.theme(name), {}
    for step in ("2", "4", "29", "12"):
        tile = part(shown, step, rendering)
        # Below the entry's own number, which differs, and within the frame of the latest.
        low, high = round(tile.width * 0.36), round(tile.width * 0.92)
        signs[step] = tile.crop((low, low, high, high)).tobytes()
    assert signs["2"] == signs["4"] != signs["29"] == signs["12"]
    assert has(part(shown, "2", rendering), colours, colours.series[0])


@pytest.mark.parametrize(("name", "size"), [("light", 5), ("dark", 10)])
def test_answered_entries_keep_their_numbers(name: str, size: int) -> None:
    """Whatever the answer is: small, in the corner, and read as well as other small print."""
    colours, stones = palette.theme(name), "a2 e2 c4 c5 e5"
    rendering = RenderOptions(theme=name)
    position = play("", stones, size=str(size))
    while unasked := [move for move in position.moves(0) if move.verb == "ask"]:
        position = position.play(0, unasked[0])
    asked = position.view(None)
    cell = blackbox._layout(800, size, flipped=False).grid.cell
    for number in range(1, 4 * size + 1):
        corner = part(asked, str(number), rendering).crop((0, 0, cell // 2, round(cell * 0.3)))
        own = blackbox_signs.entry_number(colours, colours.background, corner.size, number, cell)
        ink = colours.index(colours.quiet)
        there, wanted = corner.tobytes(), own.image.tobytes()
        seen = [at for at, pixel in enumerate(wanted) if pixel == ink]
        assert len(seen) > 5
        assert all(there[at] == ink for at in seen)


@pytest.mark.parametrize(("name", "size"), [("light", 5), ("dark", 10)])
def test_no_stone_and_no_ray_covers_the_names_of_cells(name: str, size: int) -> None:
    rendering = RenderOptions(theme=name)
    stones = "a1 a2 b1 c1 e5"
    over = view(", ".join([*stones.split(), "2, 3, 4, guess"]), stones, size=str(size))
    empty = view("", stones, size=str(size))
    grid = blackbox._layout(800, size, flipped=False).grid
    gap = blackbox._layout(800, size, flipped=False).gap
    left, top, right, bottom = grid.outline
    one, other = blackbox.draw(empty, rendering), blackbox.draw(over, rendering)
    for wall in (
        (left - gap, top - gap, right + gap, top),
        (left - gap, bottom, right + gap, bottom + gap),
        (left - gap, top, left, bottom),
        (right, top, right + gap, bottom),
    ):
        assert one.crop(wall).tobytes() == other.crop(wall).tobytes()
        colours = set(one.crop(wall).tobytes())
        assert len(colours) > 3, "names"


WORDS = (
    ("start", "Choose a number"),
    ("hit", "hit"),
    ("accident", "accident"),
    ("through", "comes out here"),
    ("doubt", "does not fit"),
    ("point", "point"),
    ("points", "points"),
    ("marks", "marked"),
    ("found", "found"),
    ("stones", "stones"),
)


def test_only_the_seeker_is_invited_to_look_for_the_stones() -> None:
    position = GAME.start(GAME.options_from({"mode": "hide"}), "")
    for text in ("hide a2", "hide b3", "hide c4", "hide d5", "hide e6", "ready"):
        position = position.play(1, GAME.parse(position.view(1), 1, text))
    asked = tuple((key, "x" if key == "start" else word) for key, word in WORDS)
    for seat, is_invited in ((0, True), (1, False)):
        one, other = (
            blackbox.draw(position.view(seat), RenderOptions(labels=words))
            for words in (WORDS, asked)
        )
        assert is_same(one, other) is not is_invited


@themes
def test_a_legend_says_what_the_signs_mean(name: str) -> None:
    bare, told = RenderOptions(theme=name), RenderOptions(theme=name, labels=WORDS)
    layout = blackbox._layout(800, 8, flipped=False)
    shown = view("2, 29, 1")
    one, other = (blackbox.draw(shown, rendering) for rendering in (bare, told))
    assert one.size == other.size
    legend = other.crop(layout.legend)
    assert one.crop(layout.legend).tobytes() != legend.tobytes()
    for one_word in ("hit", "accident", "through"):
        words = tuple((key, "x" if key == one_word else word) for key, word in WORDS)
        again = blackbox.draw(shown, RenderOptions(theme=name, labels=words))
        assert again.crop(layout.legend).tobytes() != legend.tobytes()


def test_an_exclamation_mark_is_explained_where_there_is_one() -> None:
    legend = blackbox._layout(800, 8, flipped=False).legend
    other_word = tuple((key, "x" if key == "doubt" else word) for key, word in WORDS)
    for moves, is_drawn in (("2", False), ("2, a1", True)):
        shown = view(moves)
        assert bool(shown.contradicted) == is_drawn
        one, other = (
            blackbox.draw(shown, RenderOptions(labels=words)).crop(legend).tobytes()
            for words in (WORDS, other_word)
        )
        assert (one != other) == is_drawn


def test_an_untouched_box_says_what_to_do() -> None:
    bare, told = RenderOptions(), RenderOptions(labels=WORDS)
    boxes = {"inside": blackbox._layout(800, 8, flipped=False).grid.outline}

    def is_told(shown: BlackBoxView, rendering: RenderOptions = told) -> bool:
        plain = replace(bare, legal=rendering.legal)
        pictures = blackbox.draw(shown, plain), blackbox.draw(shown, rendering)
        return bool(changed(*pictures, boxes))

    assert is_told(view())
    assert not is_told(view(), replace(told, legal=False))
    assert not is_told(view("1"))
    assert not is_told(view("c4"))
    assert not is_told(hiding("", 1))


@themes
def test_the_latest_answer_is_framed_at_both_ends(name: str) -> None:
    colours, rendering = palette.theme(name), RenderOptions(theme=name)
    shown = view("1, 2, 29", setup="a2 e2 h2 c6 e8")

    def is_framed(step: str) -> bool:
        tile = part(shown, step, rendering)
        return tile.getpixel((tile.width // 2, 1)) == colours.index(colours.accent)

    assert [is_framed(step) for step in ("1", "2", "4", "29", "12")] == [False] * 3 + [True] * 2


@themes
def test_a_contradicted_answer_carries_an_exclamation_mark_until_the_guess(name: str) -> None:
    colours, rendering = palette.theme(name), RenderOptions(theme=name)
    warned, plain, over = view("2, 29, b1"), view("2, 29"), view("2, 29, b1, guess")
    assert warned.contradicted == (2, 4)
    for step in ("2", "4"):
        assert has(part(warned, step, rendering), colours, colours.warning)
        assert not has(part(plain, step, rendering), colours, colours.warning)
        assert not has(part(over, step, rendering), colours, colours.warning)
    assert not has(part(warned, "29", rendering), colours, colours.warning)


@themes
def test_entries_lie_on_tiles_while_they_can_be_asked(name: str) -> None:
    colours = palette.theme(name)
    for shown, legal, expected in (
        (view(), True, True),
        (view(), False, False),
        (view("guess"), True, False),
        (hiding(), True, False),
    ):
        tile = part(shown, "7", RenderOptions(theme=name, legal=legal))
        assert has(tile, colours, colours.panel) == expected


# The open box


@themes
def test_right_wrong_and_missed_stones_have_signs_of_their_own(name: str) -> None:
    shown, rendering = view("a2, h2, b5, guess"), RenderOptions(theme=name)
    marked = view("a2, h2, b5")
    right, wrong, missed = (part(shown, step, rendering) for step in ("h2", "b5", "c6"))
    assert len({right.tobytes(), wrong.tobytes(), missed.tobytes()}) == 3
    assert part(marked, "h2", rendering).tobytes() == part(marked, "b5", rendering).tobytes()
    assert part(marked, "b5", rendering).tobytes() != wrong.tobytes()


@themes
def test_rays_run_through_the_open_box_in_the_colour_of_their_pair(name: str) -> None:
    colours, rendering = palette.theme(name), RenderOptions(theme=name)
    shown = view("29, 15, guess")
    first, second = colours.series[:2]
    for step in ("a4", "e4", "h4"):
        assert has(part(shown, step, rendering), colours, first)
    assert has(part(shown, "g7", rendering), colours, second)
    assert not has(part(view("29, 15"), "e4", rendering), colours, first)


def test_the_seeker_does_not_see_what_the_hider_sees() -> None:
    moves = f"{HIDDEN}, 2, 29, a2, b5"
    rendering = RenderOptions()
    assert differing(hiding(moves, 1), hiding(moves, 0), rendering) >= {"a2", "b5", "c6", "e4"}
    assert differing(hiding(moves, 0), hiding(moves), rendering) == set()


def test_a_stone_shows_to_the_hider_alone_while_stones_are_hidden() -> None:
    assert differing(hiding("", 1), hiding("c6", 1), RenderOptions()) == {"c6"}
    assert differing(hiding("", 0), hiding("c6", 0), RenderOptions()) == set()


def test_the_former_leg_lies_on_the_table_until_the_next_has_something_to_show() -> None:
    first_leg = f"{HIDDEN}, 2, a2, guess"
    for seat in (1, None):
        shown = hiding(first_leg, seat)
        assert shown.last_leg is not None
        assert differing(shown, shown.last_leg, RenderOptions()) == set()
    # The new hider would take the stones of the first leg for their own.
    assert differing(hiding(first_leg, 0), hiding("", 1), RenderOptions()) == set()
    assert differing(hiding(f"{first_leg}, b3", 0), hiding("b3", 1), RenderOptions()) == set()
    assert differing(hiding(f"{first_leg}, b3", 1), hiding(first_leg, 1), RenderOptions()) == set()
    assert differing(hiding(f"{first_leg}, {HIDDEN}"), hiding(HIDDEN), RenderOptions()) == set()


# The strip


def test_the_strip_counts_points_and_marks() -> None:
    strips = [
        strip_of(view(moves)).tobytes() for moves in ("", "1", "2", "c4", "c4, d4", "c4, guess")
    ]
    assert len(set(strips)) == len(strips)


def test_the_lower_total_wears_the_crown() -> None:
    colours = palette.theme("light")
    found = ", ".join([*STONES.split(), "guess"])
    for first, second, crowns in (("1", "2", (True, False)), ("2", "1", (False, True))):
        status_bar = strip_of(hiding(f"{HIDDEN}, {first}, {found}, {HIDDEN}, {second}, {found}"))
        left, right = (
            status_bar.crop((start, 0, start + 200, status_bar.height)) for start in (0, 600)
        )
        assert (has(left, colours, colours.gold), has(right, colours, colours.gold)) == crowns


def test_the_former_leg_stays_on_the_table_when_nothing_was_hidden_after_it() -> None:
    moves = ", ".join([HIDDEN, *STONES.split(), "guess"])
    over = play(moves, "", mode="hide").view(None, reveal=True)
    assert differing(over, hiding(moves), RenderOptions(legal=False)) == set()


@themes
@pytest.mark.parametrize(("moves", "step"), [(SEARCH, "6"), (SEARCH, "b5")])
def test_what_is_recommended_is_bright_and_nothing_else_is_framed(
    name: str, moves: str, step: str
) -> None:
    colours, shown = palette.theme(name), view(moves)
    plain = RenderOptions(theme=name, legal=False)
    marked = replace(plain, chosen=(step,))
    assert has(part(shown, step, marked), colours, colours.chosen)
    assert differing_by(shown, plain, marked) == {step, "16"}, "16 was the last to be asked"
    assert not has(blackbox.draw(shown, marked), colours, colours.accent)


def test_what_has_no_place_in_the_picture_is_not_marked_there() -> None:
    shown = view(SEARCH)
    plain, ended = (RenderOptions(chosen=chosen) for chosen in (("99",), ("guess",)))
    assert is_same(blackbox.draw(shown, plain), blackbox.draw(shown, ended))


@pytest.mark.parametrize(
    ("file", "moves", "rendering"),
    [
        ("blackbox-light.png", SEARCH, RenderOptions(size=280)),
        ("blackbox-light-chosen.png", SEARCH, RenderOptions(size=280, chosen=("6",), legal=False)),
        (
            "blackbox-dark-flipped-over.png",
            f"{SEARCH}, guess",
            RenderOptions(theme="dark", size=280, flipped=True),
        ),
    ],
)
def test_the_picture_is_that_of_the_golden_one(
    file: str, moves: str, rendering: RenderOptions
) -> None:
    assert is_golden(blackbox.draw(view(moves), rendering), file)


# Alt text


def test_the_alt_text_is_enough_to_play_by() -> None:
    assert blackbox.describe(view(SEARCH), Texts("en")) == (
        "Black Box, 8 by 8, 5 stones. Last: entry 16, a hit. "
        "Rays through (3): 2-4, 29-12, 26-23. Hits (2): 1, 16. Accidents (1): 32. "
        "Marks (3): a2, e2, b5. Answers that contradict the marks (5): 12, 16, 23, 26, 29. "
        "Points: 9. Entries left to ask (23): 3, 5-11, 13-15, 17-22, 24-25, 27-28, 30-31."
    )


def test_the_alt_text_of_the_open_box_names_the_stones() -> None:
    text = blackbox.describe(view(f"{SEARCH}, guess"), Texts("de"))
    assert "Steine: a2, e2, h2, c6, e8. Richtig markiert: 2." in text
    assert "Punkte: 24." in text
    assert "Noch zu fragen" not in text
    assert "widersprechen" not in text


def test_the_alt_text_follows_hider_and_seeker() -> None:
    english = Texts("en")
    assert "You are hiding. No stones so far." in blackbox.describe(hiding("", 1), english)
    assert "You are hiding. Stones so far: c6." in blackbox.describe(hiding("c6", 1), english)
    assert "The stones are still being hidden." in blackbox.describe(hiding("c6", 0), english)
    between = blackbox.describe(hiding(f"{HIDDEN}, 2, a2, guess"), english)
    assert "Round 2 of two. The stones are still being hidden." in between
    assert "Previous search: Last: entry 2 comes out at 4." in between
    assert "Stones: a2, e2, h2, c6, e8. Marked correctly: 1. Points: 22." in between
