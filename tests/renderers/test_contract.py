"""The contract of every renderer. No game is named here: a new module is tested at once."""

import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import pytest

import games
import renderers
from bot.support.texts import LANGUAGES, Texts
from renderers import THEMES, Box, Cell, RenderOptions, Verdict
from tests.contract import keeps
from tests.games.playing import CASES, Case, each_case, moments, on_the_way, play_out, spread
from tests.renderers.looking import boxes_of
from tests.sampling import sampled

ROOT = Path(__file__).parents[2]
TEXTS = tuple(map(Texts, LANGUAGES))

sizes = pytest.mark.parametrize("size", sampled([240, 350, 800, 1600], 240, 800))


def observers(case: Case) -> tuple[int | None, ...]:
    """Return every observer whose view differs from the others'."""
    return case.observers if case.game.has_secrets(case.options) else (None,)


def scenes(case: Case, count: int = 6) -> Iterator[Any]:
    """Yield views of a random match, and revealed ones of it."""
    for position in spread(play_out(case).positions, count):
        for observer in observers(case):
            yield position.view(observer)
    for position in on_the_way(case, 3):
        yield position.view(None, reveal=True)


def verdicts(case: Case) -> list[Verdict]:
    """Return all verdicts that a match can have: none, a draw, a win."""
    if len(case.seats) == 1:
        return [Verdict()]
    return [Verdict(), Verdict(is_draw=True), *(Verdict(frozenset({seat})) for seat in case.seats)]


def middle(case: Case) -> Any:
    """Return the view of the seat to move halfway through a random match."""
    match = play_out(case)
    ply = match.plies[len(match.plies) // 2]
    return ply.before.view(ply.seat)


@dataclass(frozen=True, slots=True)
class Made:
    """What there is to know of a picture."""

    mode: str
    width: int
    height: int
    palette: tuple[int, ...] | None
    highest: int
    """The largest number of a colour that a pixel has."""


@cache
def picture(case: Case, size: int) -> Made:
    """Return the picture of the middle of a match, drawn once per size."""
    image = renderers.get(case.game.id).draw(middle(case), RenderOptions(size=size))
    palette = image.getpalette("RGB")
    found = None if palette is None else tuple(palette)
    return Made(image.mode, image.width, image.height, found, max(image.tobytes()))


def half_made(
    case: Case, position: games.AnyPosition, seat: int
) -> dict[tuple[str, ...], dict[str, list[Any]]]:
    """Return the beginnings of legal moves, each with its next steps and their moves."""
    found: dict[tuple[str, ...], dict[str, list[Any]]] = {}
    for move in position.moves(seat):
        steps = case.game.steps(move)
        for at, step in enumerate(steps):
            found.setdefault(steps[:at], {}).setdefault(step, []).append(move)
    return found


def clicks(case: Case, count: int = 6) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield views of the seat to move, each with the beginnings of some moves: none, then more."""
    for position, seat in moments(case, count):
        for chosen in spread(tuple(half_made(case, position, seat)), 4):
            yield position.view(seat), chosen


def drawn(case: Case, view: Any, rendering: RenderOptions) -> bytes:
    return renderers.render(case.game.id, view, rendering)


def described(case: Case, view: Any) -> list[str]:
    """Return the alt text in every language."""
    return [renderers.get(case.game.id).describe(view, texts) for texts in TEXTS]


# Pictures


@sizes
@each_case
@keeps(
    "Return the board as a palette image (mode P), `rendering.size` pixels wide.",
    "It is half to twice as high as wide.",
    "Every pixel is an entry of the palette.",
)
def test_a_picture_is_a_palette_image_as_wide_as_asked(case: Case, size: int) -> None:
    made = picture(case, size)
    assert made.mode == "P"
    assert made.width == size
    assert size / 2 <= made.height <= size * 2
    assert made.palette is not None
    # The encoder writes the palette as it is: every pixel must find its colour there.
    assert made.highest < len(made.palette) / 3 <= 256


@each_case
@keeps("A picture is a pure function of a view and `RenderOptions`: same input, same bytes")
def test_the_same_is_drawn_whatever_was_drawn_before(case: Case) -> None:
    rendering = RenderOptions(size=240)
    views = list(scenes(case))
    first = [drawn(case, view, rendering) for view in views]
    assert [drawn(case, pickle.loads(pickle.dumps(view)), rendering) for view in views] == first
    match = play_out(case)
    again = case.game.replay(case.options, match.setup, match.record)
    assert drawn(case, again.view(None), rendering) == drawn(case, match.end.view(None), rendering)


def fingerprints() -> dict[str, str]:
    """Return a hash of the pictures and alt texts of every game."""
    found = {}
    for case in CASES:
        if case.chosen not in ((), (("mode", "hide"),)):
            continue
        seen = sha256()
        views = middle(case), play_out(case).end.view(None)
        for view, theme in product(views, THEMES):
            seen.update(drawn(case, view, RenderOptions(theme, size=240, threats=True)))
            seen.update("".join(described(case, view)).encode())
        found[str(case)] = seen.hexdigest()
    return found


@keeps("same input, same bytes, in every process.")
def test_another_process_draws_the_same_bytes_and_says_the_same_words() -> None:
    """With cold caches, and sets in another order."""
    program = f"import json, {__name__} as here; print(json.dumps(here.fingerprints()))"
    other = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "20"},
        capture_output=True,
        check=True,
    )
    assert json.loads(other.stdout) == fingerprints()


@each_case
@keeps("Seen from the other side, which looks different.")
def test_themes_and_sides_of_the_table_look_different(case: Case) -> None:
    view = middle(case)
    looks = [
        RenderOptions(theme, size=240, flipped=flipped)
        for theme in THEMES
        for flipped in (False, True)
    ]
    assert len({drawn(case, view, rendering) for rendering in looks}) == len(looks)


@each_case
@keeps("The height is the same for a whole match, whatever is marked.")
def test_every_stage_is_drawn_with_and_without_marks(case: Case) -> None:
    for view in scenes(case):
        shapes = {
            renderers.get(case.game.id).draw(view, rendering).size
            for rendering in (
                RenderOptions("light", size=240),
                RenderOptions("dark", size=240, legal=False),
                RenderOptions("light", size=240, threats=True, flipped=True),
                RenderOptions("dark", size=240, legal=False, threats=True, flipped=True),
            )
        }
        assert len(shapes) == 1


@each_case
@keeps("The same holds once the rules have ended the match.")
def test_nothing_is_offered_once_a_match_is_over(case: Case) -> None:
    view = play_out(case).end.view(None)
    plain = drawn(case, view, RenderOptions(size=240, legal=False))
    assert drawn(case, view, RenderOptions(size=240, threats=True)) == plain


@each_case
@keeps("With a `verdict`, no legal moves, threats or chosen steps are marked.")
def test_nothing_is_offered_once_a_match_was_stopped(case: Case) -> None:
    for position in on_the_way(case, 2):
        view = position.view(None, reveal=True)
        for verdict in verdicts(case):
            plain = drawn(case, view, RenderOptions(size=240, legal=False, verdict=verdict))
            for seat in case.seats:
                for chosen in list(half_made(case, position, seat))[:3]:
                    rendering = RenderOptions(
                        size=240, threats=True, chosen=chosen, verdict=verdict
                    )
                    assert drawn(case, view, rendering) == plain


@each_case
@keeps("Use the verdict if there is one, else the rules.")
def test_the_verdict_of_the_rules_is_shown_as_that_of_the_match(case: Case) -> None:
    for seed in range(2):
        end = play_out(case, seed).end
        outcome = end.outcome()
        assert outcome is not None
        verdict = Verdict(outcome.winners, outcome.is_draw)
        for theme in THEMES:
            rendering = RenderOptions(theme, size=240)
            same = drawn(case, end.view(None), replace(rendering, verdict=verdict))
            assert drawn(case, end.view(None), rendering) == same


@each_case
@keeps("A move changes the picture for its observers (`Game.observed_move`), and for no others.")
def test_who_learns_of_a_move_sees_and_reads_it(case: Case) -> None:
    match, rendering = play_out(case), RenderOptions(size=240, legal=False)
    for at in spread(tuple(range(len(match.plies))), 8):
        before, after = match.positions[at : at + 2]
        ply = match.plies[at]
        for observer in {*observers(case), ply.seat}:
            one, other = before.view(observer), after.view(observer)
            is_told = case.game.observed_move(before, ply.seat, ply.move, observer) is not None
            assert (drawn(case, one, rendering) != drawn(case, other, rendering)) == is_told
            if is_told:
                assert not set(described(case, one)) & set(described(case, other))


@each_case
@keeps("The result of the match, whatever the position allows. Each looks different.")
def test_every_result_of_a_stopped_match_looks_different(case: Case) -> None:
    for running in on_the_way(case, 2):
        view = running.view(None, reveal=True)
        looks = [RenderOptions(size=240, verdict=verdict) for verdict in verdicts(case)]
        pictures = {drawn(case, view, rendering) for rendering in looks}
        assert len(pictures) == len(looks)
        for observer in case.observers:
            assert drawn(case, running.view(observer), RenderOptions(size=240)) not in pictures


def messages(case: Case, view: Any, *, is_stopped: bool = False) -> set[str]:
    """Return the messages of which the alt text consists."""
    asked = set()

    def translate(key: str, /, **details: str | int) -> str:
        asked.add(key)
        return TEXTS[0](key, **details)

    assert renderers.get(case.game.id).describe(view, translate, is_stopped=is_stopped).strip()
    return asked


@each_case
@keeps("no message ``-alt-turn`` or ``-alt-moves`` is used.")
def test_the_alt_text_of_a_stopped_match_has_no_turn_and_no_moves(case: Case) -> None:
    for running in on_the_way(case, 4):
        (seat, *_) = running.turn
        before = messages(case, running.view(seat))
        after = messages(case, running.view(None, reveal=True), is_stopped=True)
        assert before - after, "what could be played"
        assert not [key for key in after if key.endswith(("-alt-turn", "-alt-moves"))]


@each_case
@keeps("Each step of a partial move (`RenderOptions.chosen`) changes the picture.")
def test_every_step_of_a_partial_move_changes_the_picture(case: Case) -> None:
    for view, chosen in clicks(case, 4):
        if chosen:
            plain, marked = RenderOptions(size=240), RenderOptions(size=240, chosen=chosen)
            assert drawn(case, view, plain) != drawn(case, view, marked), chosen


@each_case
@keeps("Different recommended moves look different.")
def test_no_two_moves_look_the_same_where_they_are_recommended(case: Case) -> None:
    for position, seat in moments(case, 4):
        begun = half_made(case, position, seat).items()
        asked = [(chosen, steps) for chosen, steps in begun if chosen and len(steps) > 1]
        for chosen, steps in asked[:2]:
            pictures = {
                drawn(
                    case,
                    position.view(seat),
                    RenderOptions(size=240, legal=False, chosen=(*chosen, step)),
                )
                for step in steps
            }
            assert len(pictures) == len(steps), chosen


# Clicks


def is_button(case: Case, step: str, moves: list[Any]) -> bool:
    """True if a step without a place in the picture can have a button."""
    key = f"{case.game.id}-button-{step}"
    named = {texts.has(key) for texts in TEXTS}
    # A step without a name in the text files must be as good as one: a move in notation.
    return named == {True} or (named == {False} and [step] == list(map(case.game.notation, moves)))


@each_case
@keeps("A legal step without a cell has a text ``<game>-button-<step>``, or is a whole move")
def test_every_step_of_a_legal_move_can_be_clicked(case: Case) -> None:
    for position, seat in moments(case):
        view = position.view(seat)
        for chosen, steps in half_made(case, position, seat).items():
            cells = renderers.get(case.game.id).cells(view, RenderOptions(size=350, chosen=chosen))
            for step, moves in steps.items():
                assert step in cells or is_button(case, step, moves), (chosen, step)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@sizes
@each_case
@keeps("Boxes lie in the picture and do not overlap.")
def test_boxes_lie_in_the_picture_and_do_not_overlap(case: Case, size: int) -> None:
    height = picture(case, size).height
    for at, (view, chosen) in enumerate(clicks(case, 4)):
        rendering = RenderOptions(size=size, chosen=chosen, flipped=at % 2 == 1)
        boxes = boxes_of(case.game.id, view, rendering)
        for left, top, right, bottom in boxes.values():
            assert 0 <= left < right <= size
            assert 0 <= top < bottom <= height
        assert not any(overlap(*pair) for pair in combinations(boxes.values(), 2))


def middle_of(cell: Cell) -> tuple[int, int]:
    left, top, right, bottom = cell.box
    return left + right, top + bottom


@each_case
@keeps(
    "`row` and `column` are its place on the board as shown, flipped or not.",
    "Rows count downwards and columns to the right, from any number.",
    "No two cells have the same place.",
)
def test_rows_and_columns_are_those_of_the_picture(case: Case) -> None:
    for at, (view, chosen) in enumerate(clicks(case)):
        rendering = RenderOptions(chosen=chosen, flipped=at % 2 == 1)
        cells = renderers.get(case.game.id).cells(view, rendering).values()
        assert len({(cell.row, cell.column) for cell in cells}) == len(cells)
        for one, other in permutations(cells, 2):
            if one.row == other.row:
                assert (one.column < other.column) == (middle_of(one)[0] < middle_of(other)[0])
            if one.column == other.column:
                assert (one.row < other.row) == (middle_of(one)[1] < middle_of(other)[1])


@each_case
@keeps(
    "Separates parts of the picture, each with a text ``<game>-group-<group>``.",
    "At most 16 lower-case letters and digits.",
)
def test_every_group_has_a_name_in_every_language(case: Case) -> None:
    for view, chosen in clicks(case):
        for cell in renderers.get(case.game.id).cells(view, RenderOptions(chosen=chosen)).values():
            assert re.fullmatch(r"[a-z0-9]{0,16}", cell.group)
            for texts in TEXTS:
                assert not cell.group or texts(f"{case.game.id}-group-{cell.group}")


@each_case
@keeps("a text ``<game>-cell-<code>``. None without a glyph.")
def test_every_cell_says_in_every_language_what_lies_on_it(case: Case) -> None:
    for view, chosen in clicks(case):
        for cell in renderers.get(case.game.id).cells(view, RenderOptions(chosen=chosen)).values():
            assert bool(cell.glyph) == (cell.glyph_note is not None)
            for texts in TEXTS:
                assert (
                    not cell.glyph_note or texts.note(case.game.id, "cell", cell.glyph_note).strip()
                )


@each_case
@keeps(
    "In a picture 350 pixels wide they are at least 20 wide and high, large enough for a finger."
)
def test_boxes_are_large_enough_for_a_finger_on_a_telephone(case: Case) -> None:
    for view, chosen in clicks(case):
        boxes = boxes_of(case.game.id, view, RenderOptions(size=350, chosen=chosen))
        for left, top, right, bottom in boxes.values():
            assert min(right - left, bottom - top) >= 20


@each_case
@keeps("Flipping moves them, but changes no step.")
def test_the_same_can_be_clicked_from_the_other_side_of_the_table(case: Case) -> None:
    for view, chosen in clicks(case):
        plain = boxes_of(case.game.id, view, RenderOptions(chosen=chosen))
        flipped = boxes_of(case.game.id, view, RenderOptions(chosen=chosen, flipped=True))
        assert set(plain) == set(flipped)
        if not chosen:
            assert plain != flipped


@each_case
@keeps("More boxes with the same meaning, under the same rules as `box`.")
def test_further_places_of_a_cell_lie_in_the_picture_and_overlap_nothing(case: Case) -> None:
    module, height = renderers.get(case.game.id), {}
    for size in (350, 800):
        height[size] = module.draw(middle(case), RenderOptions(size=size)).height
    for at, (view, chosen) in enumerate(clicks(case, 4)):
        size = (350, 800)[at % 2]
        cells = module.cells(view, RenderOptions(size=size, chosen=chosen, flipped=at % 4 > 1))
        if not any(cell.also for cell in cells.values()):
            continue
        places = [box for cell in cells.values() for box in (cell.box, *cell.also)]
        for left, top, right, bottom in places:
            assert 0 <= left < right <= size
            assert 0 <= top < bottom <= height[size]
            assert min(right - left, bottom - top) >= 20 * size // 350
        assert not any(overlap(*pair) for pair in combinations(places, 2))


# Words


@each_case
@keeps("texts ``<game>-picture-<name>``, in lines of at most 32 letters.")
def test_the_words_of_a_picture_are_short_and_there_in_every_language(case: Case) -> None:
    for texts in TEXTS:
        for name, text in renderers.words(case.game.id, texts):
            assert text == texts(f"{case.game.id}-picture-{name}")
            assert text.strip()
            assert max(map(len, text.splitlines())) <= 32


@each_case
@keeps("which also works without them.")
def test_words_change_neither_the_size_nor_the_places_of_a_picture(case: Case) -> None:
    module = renderers.get(case.game.id)
    for at, texts in enumerate(TEXTS):
        words = renderers.words(case.game.id, texts)
        for view in scenes(case, 3):
            bare = RenderOptions(THEMES[at % 2], size=350)
            told = replace(bare, labels=words)
            one, other = module.draw(view, bare), module.draw(view, told)
            assert one.size == other.size
            assert (one.tobytes() != other.tobytes()) == bool(words)
            assert module.cells(view, bare) == module.cells(view, told)


@each_case
@keeps("If they mark what belongs to `RenderOptions.seat`, `MARKS_OWN` is true.")
def test_pictures_differ_by_whose_they_are_only_where_they_say_so(case: Case) -> None:
    for view in scenes(case, 3):
        looks = [RenderOptions(size=240, seat=seat) for seat in (None, *case.seats)]
        pictures = {drawn(case, view, rendering) for rendering in looks}
        assert len(pictures) == (len(looks) if renderers.marks_own(case.game.id) else 1)


@each_case
@keeps("It is at most 1000 characters long")
def test_alt_text_is_there_and_short_enough_to_listen_to(case: Case) -> None:
    for seed in range(2):
        for position in spread(play_out(case, seed).positions, 12):
            for observer in observers(case):
                for text in described(case, position.view(observer)):
                    assert 0 < len(text.strip()) <= 1000


@each_case
@keeps("the same for equal views.")
def test_alt_text_is_the_same_for_equal_views(case: Case) -> None:
    for view in scenes(case):
        assert described(case, pickle.loads(pickle.dumps(view))) == described(case, view)


@each_case
@keeps("If there are few legal moves, it names the cells to click.")
def test_alt_text_names_the_legal_moves_where_they_are_few(case: Case) -> None:
    """Every place of theirs: how moves are put together there is each game's own business."""
    cells = renderers.get(case.game.id).cells
    for ply in play_out(case).plies:
        if len(ply.before.moves(ply.seat)) > 12:
            continue
        view = ply.before.view(ply.seat)
        for chosen, steps in half_made(case, ply.before, ply.seat).items():
            places = steps.keys() & cells(view, RenderOptions(chosen=chosen)).keys()
            for texts, text in zip(TEXTS, described(case, view), strict=True):
                words = text if chosen else re.findall(r"\w+", text)
                said = [texts.move(case.game.id, place) for place in places]
                assert all(place in words for place in said), (chosen, text)
