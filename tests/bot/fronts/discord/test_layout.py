"""The layout of a screen: rows, selects, and names of all sorts."""

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.actions import Action
from bot.fronts.discord.layout import lay_out
from bot.fronts.discord.markdown import escape
from bot.fronts.discord.slash import command_names
from bot.screens import Button, Choice, Copied, MenuEntry, Question, Screen, Style
from bot.screens.pictures import Gif, Png
from bot.support.tables import Table
from renderers import Cell


def choice(step: str, row: int, column: int, group: str = "") -> Choice:
    cell = Cell((column, row, column + 1, row + 1), row, column, group)
    return Choice(step, f"{step}!", step, Action("step", 1, 2), legal=True, cell=cell)


def components(screen: Screen, **given: Any) -> Any:
    view: Any = lay_out(screen, **given).view
    assert view.total_children_count <= 40
    return view.to_components()


def in_rows(screen: Screen, **given: Any) -> list[list[Any]]:
    """Return the buttons and selects, row by row."""
    return [one["components"] for one in components(screen, **given) if one["type"] == 1]


def labels(screen: Screen, **given: Any) -> list[list[str]]:
    return [[button["label"] for button in row] for row in in_rows(screen, **given)]


def rows(*choices: Choice) -> list[list[str]]:
    """Return the labels of buttons row by row; of selects, the labels of their options."""
    found: list[list[str]] = []
    for inner in in_rows(Screen(choices=choices, game="connect4")):
        parts = inner[0]["options"] if inner[0]["type"] == 3 else inner
        found.append([one["label"] for one in parts])
    return found


async def test_buttons_are_in_the_rows_of_the_picture() -> None:
    shown = [choice("7", 1, 0), choice("x", 0, 2), choice("12", 1, 1), choice("b", 0, 0)]
    shown += [choice("q", 2, 0), choice("p", 2, 1)]
    assert rows(*shown) == [["b", "x"], ["7", "12"], ["q", "p"]]


async def test_a_few_cells_of_a_wide_picture_fill_rows_of_five() -> None:
    all_of_it = [choice(f"{x}{y}", y, x) for y in range(8) for x in range(8)]
    open_ = {"12", "30", "41", "52", "63", "74", "27", "05"}
    shown = [one if one.step in open_ else one._replace(legal=False) for one in all_of_it]
    assert rows(*shown) == [["30", "41", "12", "52", "63"], ["74", "05", "27"]]


async def test_selects_of_cells_end_with_a_row_of_the_picture() -> None:
    shown = [choice(f"{'abcdefgh'[x]}{y}", y, x) for y in range(8) for x in range(8)]
    found = rows(*shown)
    assert [(part[0], part[-1], len(part)) for part in found] == [
        ("a0!", "h2!", 24),
        ("a3!", "h5!", 24),
        ("a6!", "h7!", 16),
    ]
    # Where a cell is left out, the next row does not begin in the select before.
    shown.remove(shown[3])
    assert [part[-1] for part in rows(*shown)] == ["h2!", "h5!", "h7!"]


async def test_steps_that_can_be_chosen_together_are_in_a_multiple_select() -> None:
    shown = tuple(choice(str(at), 0, at) for at in range(4))
    ((select,),) = in_rows(Screen(choices=shown, at_once=5, game="connect4"))
    assert (select["type"], select["min_values"], select["max_values"]) == (3, 1, 4)


async def test_selects_have_a_placeholder_with_their_range() -> None:
    entries = [choice(str(at), 0, at, "ask") for at in range(1, 17)]
    cells = [choice(f"{x}{y}", y + 1, x, "mark") for y in range(5) for x in range(5)]
    other = [choice("z", 9, 9)]
    groups = {"ask": "ask", "mark": "mark"}
    shown = Screen(choices=(*entries, *cells, *other), groups=groups, game="blackbox")
    assert [select["placeholder"] for select, *_ in in_rows(shown)] == [
        "ask: 1 … 16",
        "mark: 00 … 44",
        "z",
    ]


async def test_the_answers_to_a_question_keep_their_order() -> None:
    yes = Button("Yes, resign", Action("resign", 1, 2, "yes"), Style.DANGER)
    no = Button("No, keep playing", Action("resign", 1, 2, "no"))
    flip = Button("Flip", Action("flip", 1, 2))
    # What joins a row comes before what is dangerous.
    for rest, order in (
        ((), ["Yes, resign", "No, keep playing"]),
        ((flip,), ["No, keep playing", "Flip", "Yes, resign"]),
    ):
        assert labels(Screen(rows=((yes, no),)), rest=rest) == [order]


async def test_a_question_moves_no_button_of_the_board() -> None:
    moves, flip = Button("Moves", Action("moves", 1, 2)), Button("Flip", Action("flip", 1, 2))
    resign = Button("Resign", Action("resign", 1, 2), Style.DANGER)
    yes, no = (Button(word, Action("draw", 1, 2, word)) for word in ("accept", "decline"))
    board = Screen(rows=((moves, resign),))
    asked = replace(board, rows=(*board.rows, (yes, no)), questions=(Question("?", (yes, no)),))
    shown = labels(board, rest=(flip,))
    assert shown == [["Moves", "Flip", "Resign"]]
    assert labels(asked, rest=(flip,)) == [*shown, ["accept", "decline"]]


@pytest.mark.parametrize("steps", [1, 13, 18, 25])
async def test_questions_become_one_select_before_steps_do(steps: int) -> None:
    ways = tuple(Button(word, Action(word, 1, 2)) for word in ("moves", "rules", "resign"))
    answers = ("accept", "decline", "withdraw")
    cells = tuple(choice(f"c{at}", at // 5, at % 5) for at in range(steps))
    above, kinds = None, set()
    for number in range(6):
        questions = tuple(
            Question(
                f"Offer {at}?",
                tuple(Button(f"{word} {at}", Action("draw", 1, 2, word)) for word in answers),
            )
            for at in range(number)
        )
        rows = (ways, *(question.answers for question in questions))
        shown = in_rows(Screen(choices=cells, rows=rows, questions=questions, may_ask=True))
        asked = -(-steps // 5) + 1
        above = above or shown[:asked]
        assert shown[:asked] == above
        if [row[0]["type"] for row in shown[asked:]] == [3]:
            ((select,),) = shown[asked:]
            kinds.add("select")
            assert select["placeholder"] == " · ".join(one.text for one in questions)
            found = [option["label"] for option in select["options"]]
        else:
            kinds.add("buttons")
            found = [button["label"] for row in shown[asked:] for button in row]
        assert found == [answer.label for one in questions for answer in one.answers]
    assert kinds == ({"buttons"} if steps == 1 else {"buttons", "select"})


async def test_without_questions_all_room_is_for_the_steps() -> None:
    ways = tuple(Button(f"way {at}", Action("moves", 1, 2, str(at))) for at in range(6))
    cells = tuple(choice(f"c{at}", at // 5, at % 5) for at in range(25))
    for may_ask, kind in ((False, 2), (True, 3)):
        shown = in_rows(Screen(choices=cells, rows=(ways,), may_ask=may_ask))
        assert shown[0][0]["type"] == kind


async def test_after_the_end_the_views_of_the_board_are_below_the_rematch() -> None:
    looks, flip = Button("Analysis", Action("analyse", 1, 2)), Button("Flip", Action("flip", 1, 2))
    again = Button("Rematch", Action("again", 1, 2), Style.PRIMARY)
    harder = Button("Higher level", Action("again", 1, 2, "k2"))
    over = Screen(rows=((again,), (looks,), (harder,)), over=True)
    assert labels(over, rest=(flip,)) == [["Rematch"], ["Analysis", "Flip"], ["Higher level"]]


async def test_few_choices_are_in_reading_order_five_in_a_row() -> None:
    shown = [choice(str(at), 4 - at, at) for at in range(5)]
    assert rows(*shown) == [["4", "3", "2", "1", "0"]]


async def test_groups_share_no_row_and_no_select() -> None:
    few = [choice(f"{group}{at}", 0, at, group) for at in range(4) for group in "xy"]
    assert rows(*few) == [["x0", "x1", "x2", "x3"], ["y0", "y1", "y2", "y3"]]
    many = [choice(f"{group}{at}", at, at, group) for at in range(15) for group in "xy"]
    assert rows(*many) == [[f"{group}{at}!" for at in range(15)] for group in "xy"]


def test_commands_with_digits_are_localized_as_a_whole() -> None:
    names = {"connect4": "viergewinnt", "connect": "wrong", "board": "brett"}
    text = escape("/connect4 d, /board, /board2", names)
    assert text == "/viergewinnt d, /brett, /board2"


async def test_a_table_is_a_code_block_that_no_name_can_end() -> None:
    moves = Table((("1.", "d3", "c5"), ("2.", "f6")), head=("", "An```na", "Ben"))
    first = Table((("·", "5"),), title="At the *beginning*:")
    (said,) = components(Screen(title="Moves", tables=(moves, first)))
    assert said["content"].splitlines() == [
        "**Moves**",
        *("```", "    An'''na  Ben", "1.  d3       c5", "2.  f6", "```"),
        "At the \\*beginning\\*:",
        *("```", "·  5", "```"),
    ]


def test_names_are_shown_literally_and_name_no_one() -> None:
    name = "**@everyone** <@1> [x](http://x)"
    assert escape(name) == "\\*\\*\\@everyone\\*\\* \\<\\@1> \\[x\\](http\\://x)"


def test_commands_in_texts_have_the_localized_names() -> None:
    text = "/aufgeben, /zuege #1, /muehle d6, /hilfe"
    assert escape(text, command_names("de")) == "/aufgeben, /züge #1, /mühle d6, /hilfe"
    assert escape(text, command_names("en-US")) == "/resign, /moves #1, /morris d6, /help"


async def test_the_names_of_games_are_bold_in_a_menu() -> None:
    offer = MenuEntry("othello", "Othello", "About *it*.", Action("menu", argument="othello"))
    shown = components(Screen(title="What?", text="…", menu=(offer,)))
    assert shown[0]["content"] == "**What?**\n**Othello**: About \\*it\\*."


async def test_text_to_be_copied_is_code_with_the_localized_command() -> None:
    line = "/join k7mf-2qtx-9wpa"
    screen = Screen(text=f"Hand it on:\n{line}", copied=(Copied(line, "Copy code"),))
    (said,) = components(screen, commands={"join": "beitreten"})
    assert said["content"] == "Hand it on:\n`/beitreten k7mf-2qtx-9wpa`"


async def test_a_spoiler_covers_its_line_and_the_picture_and_folded_text_follows() -> None:
    screen = Screen(
        text="Solved.\nBest: d*3",
        folded="More.",
        spoilers=("Best: d*3",),
        is_spoiler=True,
        picture=Png(b"", 1, 1),
    )
    picture, said = components(screen)
    assert picture["items"][0]["spoiler"]
    assert said["content"] == "Solved.\n||Best: d\\*3||\n\nMore."


async def test_an_animation_has_the_name_of_one() -> None:
    (file,) = lay_out(Screen(picture=Gif(b"", 1, 1))).files
    assert file.filename == "replay.gif"


async def test_a_deadline_is_shown_in_the_time_zone_of_its_reader() -> None:
    text = "Your turn.\nDeadline: Jan 15, 08:00 UTC."
    (said,) = components(Screen(text=text, due=("Jan 15, 08:00 UTC", 1_800_000_000)))
    assert said["content"] == "Your turn.\nDeadline: <t:1800000000:f> (<t:1800000000:R>)."
