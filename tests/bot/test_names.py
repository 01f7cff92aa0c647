"""Names of people: everything that somebody may call themselves, and nothing that tricks."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import Refused
from bot.marks import filled, mark, marked
from bot.names import LONGEST, clean, readable
from bot.store import people
from tests.bot.table import Person, Table

ANYTHING = st.text(st.characters(), max_size=80)


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna \n Maria\t", "Anna Maria"),
        ("@Anna", "Anna"),
        ("@@ Anna", "Anna"),
        ("An\u202ena", "Anna"),
        ("An\x00na", "Anna"),
        ("An\u200bna", "Anna"),
        ("\ufeffAnna", "Anna"),
        ("A\ud800nna", "Anna"),
        ("Zoe\u0308", "Zoë"),
        ("王小明", "王小明"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("<b>Anna</b> *x* [y](z)", "<b>Anna</b> *x* [y](z)"),
        ("x" * 100, "x" * LONGEST),
        ("a \u200b b", "a b"),
    ],
)
def test_a_name_is_cleaned(given_name: str, name: str) -> None:
    assert clean(given_name) == name


@pytest.mark.parametrize(
    "name",
    ["", "   ", "\n\t", "@", "@ @", "\u200d\u200d", "\x00\x01", "\u202e", "\ud800", "\u0301"],
)
def test_a_name_that_nobody_could_read_is_refused(name: str) -> None:
    with pytest.raises(Refused) as caught:
        clean(name)
    assert caught.value.code == "name-empty"


@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800"])
def test_letters_that_look_like_nothing_are_no_name(blank: str) -> None:
    with pytest.raises(Refused):
        clean(blank * 3)


@given(ANYTHING)
def test_whatever_comes_out_is_a_short_line_that_stays_as_it_is(text: str) -> None:
    try:
        name = clean(text)
    except Refused:
        return
    assert 1 <= len(name) <= LONGEST
    assert name.isprintable() or "\u200d" in name or "\u200c" in name
    assert not name.startswith("@")
    assert clean(name) == name
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in name)


@given(ANYTHING)
def test_readable_text_stays_as_it_is(text: str) -> None:
    once = readable(text)
    assert readable(once) == once
    assert len(once.splitlines()) <= 1
    once.encode()


async def test_names_are_looked_up_once_and_never_made_up(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await table.house.names.of([anna.id, ben.id, 999]) == {anna.id: "Anna", ben.id: "Ben"}
    assert await table.house.names.of([]) == {}


# Marks: what stands for names in texts that are kept


async def test_names_come_into_the_places_of_their_marks(
    table: Table, anna: Person, ben: Person
) -> None:
    text = f"1. {mark(anna.id)}: 9\n2. {mark(ben.id)}: 8 ({mark(999)})"
    names = table.house.names
    assert await names.filled(text) == "1. Anna: 9\n2. Ben: 8 (#999)"
    assert await names.filled("1. Anna: 9") == "1. Anna: 9"
    await people.forget(table.house.store, anna.id, name="#1")
    names.forget()
    assert (await names.filled(text)).startswith("1. #1: 9\n")


@given(ANYTHING, st.integers(1, 2**31))
def test_nothing_that_anybody_writes_is_a_mark(text: str, number: int) -> None:
    assert marked(readable(f"{text}{mark(number)}{text}")) == set()
    assert marked(mark(number)) == {number}
    assert filled(mark(number), {number: mark(7)}) == mark(7)


async def test_a_name_that_was_being_read_when_it_was_forgotten_is_not_remembered(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, read = table.house.names, people.names

    async def slow(*given_: Any) -> dict[int, str]:
        found = await read(*given_)
        await people.forget(table.house.store, anna.id, name="#1")
        names.forget()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(people, "names", slow)
        await names.of([anna.id])
    assert await names.of([anna.id]) == {anna.id: "#1"}
