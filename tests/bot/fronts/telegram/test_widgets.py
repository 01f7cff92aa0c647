"""Texts of any length within Telegram's limits: what is cut, and where."""

from dataclasses import replace

import pytest
from telegram import CopyTextButton

from bot.delivery import Recipient
from bot.domain.actions import Action
from bot.fronts.telegram import widgets
from bot.screens import Button, Choice, Copied, MenuEntry, Screen
from bot.screens.pictures import Png
from bot.support.tables import Table
from renderers import Cell

PICTURE = Png(b"", 1, 1)
SMILE = "😀"


def length(text: str) -> int:
    """Count as Telegram does, in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def marked(draft: widgets.Draft) -> list[str]:
    """Return what the entities of a message mark; fails if one ends in the middle of a letter."""
    text = draft.text.encode("utf-16-le")
    return [
        text[2 * found.offset : 2 * (found.offset + found.length)].decode("utf-16-le")
        for found in draft.entities
    ]


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("It fits.", 8, "It fits."),
        ("Anna plays. Ben waits. Cleo looks on.", 30, "Anna plays. Ben waits. …"),
        ("Anna plays. Ben waits. Cleo looks on.", 24, "Anna plays. Ben waits. …"),
        ("Anna plays. Ben waits. Cleo looks on.", 23, "Anna plays. …"),
        ("Go. Ben looks at the board and waits.", 23, "Go. Ben looks at the …"),
        ("White: d4 e5. Black: e4 d5.", 24, "White: d4 e5. …"),
        ("One line\nanother line\na third one", 30, "One line\nanother line …"),
        ("1. d3 2. c3 3. b3 4. d2 5. d1", 20, "1. d3 2. c3 3. b3 …"),
        ("Yes. " + "x" * 40, 20, "Yes. " + "x" * 13 + " …"),
        (SMILE * 20, 20, SMILE * 9 + " …"),
        (SMILE * 20, 21, SMILE * 9 + " …"),
        ("never", 1, ""),
        ("never", -5, ""),
    ],
)
def test_a_text_is_cut_where_a_sentence_a_line_or_at_least_a_word_ends(
    text: str, most: int, shown: str
) -> None:
    assert widgets.cut(text, most) == shown
    assert length(shown) <= max(0, most)


@pytest.mark.parametrize("picture", [PICTURE, None])
@pytest.mark.parametrize("name", ["Othello · Anna – Ben", "Othello · " + SMILE * 64])
@pytest.mark.parametrize("many", [0, 10, 60, 600])
def test_a_board_keeps_to_the_limits_and_its_entities_to_the_text(
    picture: Png | None, name: str, many: int
) -> None:
    told = " ".join(f"{SMILE} Field {number} is free." for number in range(many))
    screen = Screen(title=name, text="Anna to move.", alt=told, picture=picture)
    draft = widgets.board(screen, called=Recipient("Anna", "11"))
    most = 1024 if picture else 4096
    assert length(draft.text) <= most
    assert draft.text.startswith(f"{name}\nAnna to move.")
    parts = marked(draft)
    assert parts[0] == name
    if many:
        assert draft.text.endswith(parts[-1])
        assert parts[-1].endswith((" is free.", " is free. …"))
        assert parts[-1].endswith("…") == (length(told) > most - length(name) - 15)


def test_the_challenged_player_is_mentioned_in_the_title() -> None:
    screen = Screen(title="Big Ben challenges Ben to Othello.", opponent_span=(19, 22))
    draft = widgets.board(screen, called=Recipient("Ben", "11"))
    mention = next(one for one in draft.entities if one.type == "text_mention")
    assert (mention.offset, mention.length) == (19, 3)


def test_text_to_be_copied_is_copied_by_a_tap() -> None:
    line = "/join k7mf-2qtx-9wpa"
    copied = (Copied(line, "Copy code"), Copied("/join other", "#2 Copy code"))
    screen = Screen(title="t", text=f"{SMILE} Hand it on:\n{line}", copied=copied)
    for draft in (widgets.board(screen), widgets.menu(screen)):
        assert draft.keyboard
        ((one, two),) = draft.keyboard.inline_keyboard
        assert (one.text, one.copy_text) == ("Copy code", CopyTextButton(line))
        assert two.text == "#2 Copy code"
        assert draft.text == f"t\n{SMILE} Hand it on:\n{line}"
        assert marked(draft)[-1] == line
        assert draft.entities[-1].type == "code"


@pytest.mark.parametrize("is_spoiler", [False, True])
def test_a_spoiler_covers_its_line_the_picture_and_its_description(*, is_spoiler: bool) -> None:
    screen = Screen(
        title="t",
        text="Solved.\nBest: d3\n62 %",
        spoilers=("Best: d3",) if is_spoiler else (),
        is_spoiler=is_spoiler,
        alt="Black has d3.",
        picture=PICTURE,
    )
    for draft in (widgets.board(screen), widgets.menu(replace(screen, match=1))):
        assert draft.is_spoiler is is_spoiler
        assert draft.instead
        for shown in (draft, draft.instead):
            found = zip(shown.entities, marked(shown), strict=True)
            covered = [part for entity, part in found if entity.type == "spoiler"]
            assert covered == (["Best: d3", "Black has d3."] if is_spoiler else [])


def test_what_can_be_read_later_is_folded_behind_the_text() -> None:
    draft = widgets.menu(Screen(title="t", text="I store your name.", folded="More.\n\nMuch more."))
    assert draft.text == "t\nI store your name.\nMore.\n\nMuch more."
    assert marked(draft) == ["t", "More.\n\nMuch more."]
    assert draft.entities[-1].type == "expandable_blockquote"


def test_a_deadline_is_shown_in_the_time_zone_of_its_reader() -> None:
    screen = Screen(
        title=SMILE, text="Deadline: Jan 15, 08:00 UTC.", due=("Jan 15, 08:00 UTC", 1_800_000_000)
    )
    draft = widgets.board(screen)
    assert marked(draft) == [SMILE, "Jan 15, 08:00 UTC"]
    assert draft.entities[1].to_dict() == {
        "type": "date_time",
        "offset": 13,
        "length": 17,
        "unix_time": 1_800_000_000,
        "date_time_format": "wdt",
    }


def test_an_alt_text_without_room_is_left_out() -> None:
    screen = Screen(title="t", text="x" * 2000, alt="Nobody reads this.", picture=PICTURE)
    draft = widgets.board(screen)
    assert length(draft.text) <= 1024
    assert marked(draft) == ["t"]
    assert draft.text == draft.text.strip()


def test_a_menu_longer_than_a_message_ends_with_a_whole_line() -> None:
    lines = "\n".join(f"{number} Anna against Ben" for number in range(500))
    draft = widgets.menu(Screen(title="All matches", text=lines), owner=("Anna", 11))
    assert length(draft.text) <= 4096
    assert draft.text.endswith(" Anna against Ben …")
    assert marked(draft) == ["Anna", "All matches"]


def choices(columns: str, rows: int, *, group: str = "", dead: str = "") -> list[Choice]:
    """Return a board of choices in reading order; those named in `dead` are not legal."""
    return [
        Choice(
            step=(step := f"{group[:1]}{name}{row}"),
            label=f"{step}, good",
            short=step,
            prefix_action=Action("step", 1, 2),
            legal=step not in dead.split(),
            cell=Cell((column, row, column + 1, row + 1), row, column, group),
        )
        for row in range(rows)
        for column, name in enumerate(columns)
    ]


def occupied(choice: Choice) -> Choice:
    """Return the choice with a disc on it."""
    assert choice.cell
    return choice._replace(cell=choice.cell.holding("⚪", None))


def keyboard(screen: Screen, tab: str = "") -> list[str]:
    """Return the labels of each row, separated by spaces."""
    rows = widgets.board(screen, tab=tab).keyboard
    return [" ".join(button.text for button in row) for row in rows.inline_keyboard] if rows else []


def test_keys_are_placed_as_in_the_picture_in_any_order() -> None:
    shown = Screen(choices=tuple(reversed(choices("abc", 2, dead="b0"))))
    assert keyboard(shown) == ["a0 · c0", "a1 b1 c1"]
    corners = tuple(one for one in shown.choices if one.step != "b1")
    assert keyboard(Screen(choices=corners)) == ["a0 · c0", "a1 \u2800 c1"]


def test_a_row_that_is_too_long_is_folded_into_rows_of_one_length() -> None:
    assert keyboard(Screen(choices=tuple(choices("123456789", 1)))) == [
        "10 20 30",
        "40 50 60",
        "70 80 90",
    ]


def test_a_key_with_room_for_all_of_the_only_move_says_and_plays_all_of_it() -> None:
    short, long = Action("step", 1, 2, "a0.7"), Action("step", 1, 2, "b0.7")
    cells = choices("abc", 1)
    cells[0] = cells[0]._replace(whole=("a0=7", short))
    cells[1] = cells[1]._replace(whole=("b0-over-there", long))
    assert keyboard(Screen(choices=tuple(cells))) == ["a0=7 b0 c0"]
    shown = widgets.board(Screen(choices=tuple(cells))).keyboard
    assert shown is not None
    (row,) = shown.inline_keyboard
    plays = [cells[at].action.token for at in (1, 2)]
    assert [key.callback_data for key in row] == [short.token, *plays]
    # In narrow ones there is no room.
    cells = choices("abcdef", 1)
    cells[0] = cells[0]._replace(whole=("a0=7", short))
    assert keyboard(Screen(choices=tuple(cells))) == ["a0 b0 c0 d0 e0 f0"]


def test_a_key_shows_the_piece_and_if_there_is_room_its_name() -> None:
    def lies(columns: str) -> tuple[Choice, ...]:
        cells = choices(columns, 1, dead="b0 d0")
        return tuple(occupied(cell) if cell.step in "a0b0" else cell for cell in cells)

    assert keyboard(Screen(choices=lies("abcd"))) == ["a0 ⚪ ⚪ c0 ·"]
    assert keyboard(Screen(choices=lies("abcdefgh"))) == ["⚪ ⚪ c0 · e0 f0 g0 h0"]


def test_the_chosen_key_has_its_own_colour() -> None:
    cells = tuple(map(occupied, choices("abcdef", 1, dead="b0")))
    rows = widgets.board(Screen(choices=cells, chosen=("b0",))).keyboard
    assert rows
    assert [key.style for key in rows.inline_keyboard[0]][:2] == ["primary", "success"]


def test_each_group_is_a_page_with_its_localized_name() -> None:
    both = (*choices("abc", 2, group="x"), *choices("abcd", 2, group="y"))
    shown = Screen(match=1, version=2, choices=both, groups={"x": "fragen", "y": "markieren"})
    assert keyboard(shown) == ["• fragen • markieren", "xa0 xb0 xc0", "xa1 xb1 xc1"]
    second = ["fragen • markieren •", "ya0 yb0 yc0 yd0", "ya1 yb1 yc1 yd1"]
    assert keyboard(shown, "y") == second
    tabs = widgets.board(shown).keyboard
    assert tabs
    # There is nothing in turning to the page that is there.
    assert [tab.callback_data for tab in tabs.inline_keyboard[0]] == ["void:1:2:x", "tab:1:2:y"]
    # What was done last is gone on with, also where it cannot be done again.
    assert keyboard(replace(shown, last_step="yb1")) == second
    assert keyboard(replace(shown, last_step="nowhere")) == keyboard(shown)
    done = (*choices("abc", 2, group="x"), *choices("abcd", 2, group="y", dead="yb1"))
    assert keyboard(replace(shown, choices=done, last_step="yb1"))[-1] == "ya1 · yc1 yd1"
    # An unknown page falls back to the first one.
    assert keyboard(shown, "z") == keyboard(shown)


def test_a_group_without_legal_steps_has_no_page() -> None:
    """The tab of the only page stays, else its keys would move."""
    both = (*choices("ab", 2, group="x"), *choices("ab", 1, group="y", dead="ya0 yb0"))
    shown = Screen(choices=both, groups={"x": "ask", "y": "mark"})
    assert keyboard(shown) == ["• ask •", "xa0 xb0", "xa1 xb1"]


def test_a_large_board_is_shown_by_quarters() -> None:
    dead = " ".join(f"y{name}{row}" for name in "fghij" for row in range(5))
    many = (*choices("ab", 1, group="x"), *choices("abcdefghij", 10, group="y", dead=dead))
    shown = Screen(choices=many, groups={"x": "ask", "y": "mark"})
    assert keyboard(shown)[:2] == ["• ask • mark ↖ mark ↗ mark ↙", "mark ↘"]
    quarters = {
        "00": ("abcde", range(5)),
        "01": ("fghij", range(5)),
        "10": ("abcde", range(5, 10)),
        "11": ("fghij", range(5, 10)),
    }
    for part, (columns, rows) in quarters.items():
        wanted = [
            " ".join("·" if (step := f"y{name}{row}") in dead else step for name in columns)
            for row in rows
        ]
        assert keyboard(shown, f"y {part}")[2:] == wanted
        # Marking mode stays on.
        step = f"y{columns[2]}{rows[3]}"
        assert keyboard(replace(shown, last_step=step)) == keyboard(shown, f"y {part}")


def test_a_board_without_a_picture_is_text() -> None:
    screen = Screen(title="Othello", text="Anna to move.", alt="All " * 400, picture=PICTURE)
    draft = widgets.board(screen, without="No photos here.")
    instead = draft.instead
    assert instead
    assert instead.text == f"Othello\nAnna to move.\n{screen.alt}\nNo photos here."
    assert (instead.picture, instead.keyboard) == (None, draft.keyboard)
    assert length(draft.text) <= 1024


def test_a_table_is_preformatted() -> None:
    moves = Table((("1.", "d3", "c5"), ("2.", "f6")), head=("", "Anna", "Ben 🎲"))
    first = Table((("·", "5"),), title="Starting position:")
    draft = widgets.menu(Screen(title="#7 Othello", tables=(moves, first)))
    assert marked(draft) == ["#7 Othello", "    Anna  Ben 🎲\n1.  d3    c5\n2.  f6", "·  5"]
    assert [found.type for found in draft.entities] == ["bold", "pre", "pre"]
    assert "\nStarting position:\n" in draft.text


def test_the_names_of_games_are_bold_in_a_menu() -> None:
    offers = tuple(
        MenuEntry(name.lower(), name, f"About *{name}*.", Action("menu", argument=name.lower()))
        for name in ("Othello", "Sogo")
    )
    draft = widgets.menu(Screen(title="What?", text="…", menu=offers))
    assert draft.text == "What?\nOthello: About *Othello*.\nSogo: About *Sogo*."
    assert marked(draft) == ["What?", "Othello", "Sogo"]


def test_a_picture_with_the_title_as_alt_text_has_it_once() -> None:
    screen = Screen(title="Leaderboard: Othello", text="1. Anna: 1662?", picture=PICTURE)
    draft = widgets.draft_screen(replace(screen, alt=screen.title))
    assert draft.text == "Leaderboard: Othello\n1. Anna: 1662?"
    assert marked(draft) == ["Leaderboard: Othello"]


def test_a_picture_with_the_text_as_alt_text_has_it_once() -> None:
    screen = Screen(
        title="Othello", text="I would play d3.", alt="I would play d3.", picture=PICTURE
    )
    assert widgets.draft_screen(screen).text == "Othello\nI would play d3."


def test_a_rating_curve_comes_with_statistics_that_fit_below_it() -> None:
    screen = Screen(title="Statistics", text="Othello: 1 won", alt="1662 to 1425", picture=PICTURE)
    draft = widgets.menu(screen)
    assert draft.picture is PICTURE
    assert draft.text == "Statistics\nOthello: 1 won\n1662 to 1425"
    long = widgets.menu(replace(screen, text="x" * 1010))
    assert long.picture is None
    assert "x" * 1010 in long.text
    # Words that can be turned over have no picture beside them.
    again = Button("This month", Action("ladder"))
    assert widgets.menu(replace(screen, rows=((again,),))).picture is None
