"""Texts of any length within Telegram's limits: what is cut, and where."""

import pytest

from bot.delivery import Recipient
from bot.fronts.telegram import widgets
from bot.pictures import Png
from bot.screens import Screen

PICTURE = Png(b"", 1, 1)
SMILE = "😀"


def length(text: str) -> int:
    """As Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def marked(draft: widgets.Draft) -> list[str]:
    """What the entities of a message mark; fails where one ends in the middle of a letter."""
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


def test_what_has_no_room_at_all_is_left_out() -> None:
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
