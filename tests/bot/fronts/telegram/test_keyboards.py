"""Keyboards as boards: each key lies where the picture has it, in every game and phase."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest

from bot.domain.actions import Action
from bot.domain.model import Ply
from bot.fronts.telegram import widgets
from bot.screens import Choice, Reader, Screen, Screens
from bot.screens.pictures import Pictures, Png
from bot.support.texts import Texts
from tests.bot.screens.test_screens import CASES, TwoNames, loaded
from tests.games.playing import Case, some

PLIES = 40
Keys = list[list[tuple[str, str]]]
"""Label and data of every key, row by row."""


class NoPictures(Pictures):
    """Pictures that are not drawn."""

    def __init__(self) -> None:
        """Do nothing: no picture is drawn."""

    async def png(self, *_: object, **__: object) -> Png:
        return Png(b"", 1, 1)


def keys(screen: Screen, tab: str = "") -> Keys:
    markup = widgets.board(screen, tab=tab).keyboard
    rows = markup.inline_keyboard if markup else ()
    return [[(key.text, str(key.callback_data)) for key in row] for row in rows]


def tabs(shown: Keys) -> list[str]:
    """Return the pages of a keyboard, or one without a name."""
    found = [
        own.argument.partition(".")[0]
        for row in shown
        for _, token in row
        if (own := widgets.own_button(token)) and (own.verb == widgets.TAB or own.argument)
    ]
    return found or [""]


async def stages(case: Case) -> Iterator[Screen]:
    """Yield the screens of a match move by move, and of every partial move."""
    screens, rng = Screens(TwoNames(), NoPictures()), Random(case.game.id)
    setup = case.game.new_setup(case.options, rng)
    position, plies = case.game.start(case.options, setup), list[Ply]()
    found = []
    while position.turn and len(plies) < PLIES:
        seat = min(position.turn)
        move = rng.choice(position.moves(seat))
        steps = case.game.steps(move)
        match = loaded(case, plies, position, setup)
        found += [
            await screens.match(match, Reader(Texts("en")), seat=seat, chosen=steps[:depth])
            for depth in range(len(steps))
        ]
        plies.append(Ply(seat, case.game.notation(move), 0))
        position = position.play(seat, move)
    return iter(found)


def lying(shown: Keys, choices: Sequence[Choice]) -> dict[str, tuple[int, int]]:
    """Return the row and column of the keys of the picture's choices, by step."""
    steps = {
        action.token: one.step
        for one in choices
        if one.box
        for action in (one.action, *(one.whole or ())[1:])
    }
    return {
        steps[token]: (row, column)
        for row, line in enumerate(shown)
        for column, (_, token) in enumerate(line)
        if token in steps
    }


def check_order(
    screen: Screen, boxes: dict[str, Choice], where: dict[str, tuple[int, int]]
) -> None:
    """Check that keys lie above and beside each other as in the picture."""
    is_one_row = len({boxes[step].row for step in where}) == 1
    for (step, (row, column)), (other, (row2, column2)) in product(where.items(), repeat=2):
        one, two = boxes[step], boxes[other]
        if screen.pad and one.group != two.group:
            # The pad lies beside the board, wherever there is room.
            continue
        if is_one_row:
            # A long row is folded.
            assert (one.column < two.column) == ((row, column) < (row2, column2))
            continue
        assert (one.row < two.row) == (row < row2)
        if one.row == two.row:
            assert (one.column < two.column) == (column < column2)


@pytest.mark.parametrize("case", some(CASES), ids=str)
async def test_every_key_has_a_label_and_lies_where_the_picture_has_it(case: Case) -> None:
    before: dict[str, dict[str, tuple[int, int]]] = {}
    for screen in await stages(case):
        by_step = {one.step: one for one in screen.choices if one.box}
        reached = set[str]()
        labels = defaultdict[str, list[str]](list)
        for tab in tabs(keys(screen)):
            shown = keys(screen, tab)
            assert sum(map(len, shown)) <= 100
            assert all(1 <= len(row) <= 8 for row in shown)
            assert all(label.strip() for row in shown for label, _ in row)
            for label, token in (key for row in shown for key in row):
                labels[token].append(label)
            where = lying(shown, screen.choices)
            reached |= where.keys()
            check_order(screen, by_step, where)
            if not screen.chosen:
                # A pad lies beside the boxes of the player to move.
                boxes = {by_step[step].group for step in where} if screen.pad else ()
                page = " ".join((tab, *sorted(boxes)))
                assert before.setdefault(page, where) == where, "keys have moved"
        assert reached >= {step for step, one in by_step.items() if one.legal}
        for one in screen.choices:
            if not screen.chosen and one.box and one.glyph:
                assert len(one.glyph) <= 8
                assert all(one.glyph in label for label in labels[one.action.token])


def test_the_tab_of_a_quarter_can_be_read_back() -> None:
    for tab in ("mark 01", "ask", " -1"):
        button = Action(widgets.TAB, 1, 2, f"{tab}.d4")
        assert widgets.own_button(button.token) == button
