"""What a command means where several matches could be meant."""

from collections.abc import Mapping

import pytest

from bot.commands import Answer
from bot.commands import table as specs
from bot.commands.base import Kind
from tests.bot.table import Person, Table, buttons, said

GIVEN: Mapping[Kind, tuple[str, ...]] = {Kind.CLOCK: ("3d", "10m+5s", "none")}
"""What can be typed besides the number of a match, by its kind."""

SAYS_MORE = [
    f"/{spec.name} {words}"
    for spec in specs()
    if Kind.MATCH in spec.kinds
    for kind in spec.kinds
    if kind is not Kind.MATCH
    for words in GIVEN[kind]
]


@pytest.mark.parametrize("line", SAYS_MORE)
async def test_what_was_typed_goes_along_where_it_is_asked_which_match_is_meant(
    table: Table, anna: Person, ben: Person, cleo: Person, line: str
) -> None:
    one = await table.begin(anna, ben, words="othello 1d")
    other = await table.begin(anna, cleo, words="othello 1d")
    begun = (await table.loaded(one)).match
    assert await anna.types(f"{line} {one}") == Answer()
    question = await anna.types(line)
    assert said(question) == anna.says("which-match")
    assert question.private is not None
    _, (label, button) = sorted(buttons(question.private).items())
    assert label.startswith(f"#{other} ")
    assert await anna.presses(button) == Answer()
    typed, pressed = [(await table.loaded(which)).match for which in (one, other)]
    assert typed.version > begun.version
    assert (pressed.version, pressed.offers) == (typed.version, typed.offers)


@pytest.mark.parametrize("said_so", ["clock:{}:{}:caccept", "draw:{}:{}:c3d"])
async def test_a_button_carries_nothing_that_could_not_have_been_typed(
    table: Table, anna: Person, ben: Person, said_so: str
) -> None:
    match_id = await table.begin(anna, ben)
    before = await table.loaded(match_id)
    answer = await anna.presses(said_so.format(match_id, before.match.version))
    assert answer.refused
    assert await table.loaded(match_id) == before
