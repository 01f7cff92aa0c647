"""Names in any script: their fonts, and how they are shortened."""

import pytest
from PIL import Image, features

from renderers import lettering
from renderers.lettering import QUIET, Line, Sheet, fit_line, line
from renderers.palette import contrast, mix, theme
from tests.renderers.looking import has, is_same, themes

IN_THEIR_LETTERS = [
    "Žofie Łukaszewiczówna",
    "Αλέξανδρος",
    "Юлия",
    "王小明",
    "田中さくら",
    "김민준",
    "محمد علي",
    "שלום כהן",
    "สมชาย ใจดี",
    "अमित शर्मा",
    "★♥\ufe0f",
]
SPELLED = [
    ("🎲 Queen", ":game_die: Queen"),
    ("Հայկ", "Hayk"),
    ("ქეთევან", "ketevan"),
    ("Ἀλέξανδρος", "Aλέξανδρος"),
    ("王 Հայկ", "王 Hayk"),
]


def text_of(written: Line) -> str:
    return "".join(text for _, text in written.runs)


@pytest.mark.parametrize("name", IN_THEIR_LETTERS)
def test_names_are_set_in_their_own_letters(name: str) -> None:
    assert text_of(line(name, 24)) == name
    for font, text in line(name, 24).runs:
        assert all(lettering._has(font, char) for char in text)


@pytest.mark.parametrize(("name", "spelled"), SPELLED)
def test_what_no_font_has_is_spelled_in_latin_letters(name: str, spelled: str) -> None:
    assert text_of(line(name, 24)) == spelled


def test_a_font_is_asked_for_letters_that_it_lacks() -> None:
    assert lettering._has(0, "a")
    assert not lettering._has(0, "王")


def test_latin_letters_look_the_same_beside_any_others() -> None:
    assert line("Bob 王小明", 24).runs[0] == (0, "Bob ")


def test_pieces_of_a_name_that_runs_to_the_left_stand_from_right_to_left() -> None:
    mixed = line("שלום محمد", 24)
    assert [text.strip() for _, text in mixed.runs] == ["محمد", "שלום"]
    assert next(text.strip() for _, text in line("Bob محمد 王", 24).runs) == "Bob"


def test_a_name_that_runs_to_the_left_with_others_in_it_is_one_piece_where_a_font_has_all() -> None:
    assert len(line("محمد 12 علي", 24).runs) == 1


@pytest.mark.parametrize("name", ["x" * 64, "مرحبا" * 12, "王" * 64, "👑" * 20, "สม" * 32])
@pytest.mark.parametrize("room", [60, 333])
def test_long_names_end_with_an_ellipsis_within_their_room(name: str, room: int) -> None:
    short = fit_line(name, 24, room=room)
    assert short.width <= room
    assert "…" in text_of(short)
    assert fit_line(name, 24, room=100_000) == line(name, 24)


def test_a_heading_is_made_smaller_before_anything_of_it_is_cut() -> None:
    heading = "Black Box, allein · In diesem Monat, auf diesem Server"
    room = line(heading, 24).width * 3 // 4
    assert text_of(fit_line(heading, 24, room=room)) != heading
    small = fit_line(heading, 24, room=room, least=15)
    assert text_of(small) == heading
    assert room * 9 // 10 < small.width <= room
    tiny = fit_line(heading, 24, room=room // 2, least=15)
    assert "…" in text_of(tiny)
    assert tiny.width <= room // 2
    assert fit_line(heading, 24, room=100_000, least=15) == line(heading, 24)


def test_a_letter_is_not_cut_from_its_marks() -> None:
    name = "e\u0301" * 40
    short = text_of(fit_line(name, 24, room=200)).removesuffix("…")
    assert len(short) > 2
    assert short == "e\u0301" * (len(short) // 2)


def sheet(text: str, name: str = "light") -> Image.Image:
    colours, written = theme(name), Sheet((300, 90))
    written.write(line(text, 24), 20, 45)
    return written.image(colours, colours.ink, colours.background)


@pytest.mark.parametrize("text", ["", " ", "\n", "a\nb", "\ue000", "\u202eabc", "\u0300"])
def test_odd_texts_are_drawn_in_one_line(text: str) -> None:
    piled = sheet("Z" + "\u0301\u0316" * 40)
    for picture in (sheet(text), piled):
        blank = sheet("")
        for outside in ((0, 0, 300, 21), (0, 69, 300, 90)):
            assert is_same(picture.crop(outside), blank.crop(outside))
    assert not is_same(piled, sheet(""))


@themes
def test_ink_is_ink_and_quiet_as_quiet_as_that_of_the_boards(name: str) -> None:
    colours = theme(name)
    assert has(sheet("Ink", name), colours, colours.ink)
    written = Sheet((60, 60))
    # So large that there is more to it than edges.
    written.write(line("I", 50), 5, 30, share=QUIET)
    picture = written.image(colours, colours.ink, colours.background)
    quiet = mix(colours.background, colours.ink, QUIET)
    assert has(picture, colours, quiet)
    assert not has(picture, colours, colours.ink)
    assert contrast(quiet, colours.quiet) < 1.15
    assert contrast(quiet, colours.background) > 4.5
    assert contrast(mix(colours.panel, colours.ink, QUIET), colours.panel) > 4.5


def test_without_help_for_it_scripts_that_must_be_shaped_are_spelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(features, "check", lambda _: False)

    def forget() -> None:
        lettering._files.cache_clear()
        lettering._runs.cache_clear()
        lettering._has.cache_clear()
        lettering._probe.cache_clear()
        lettering._face.cache_clear()
        lettering.line.cache_clear()

    forget()
    try:
        assert text_of(line("محمد 王", 24)).isascii() is False
        assert text_of(line("محمد", 24)).isascii()
        assert text_of(line("王", 24)) == "王"
    finally:
        monkeypatch.undo()
        forget()
