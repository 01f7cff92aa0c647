"""``/next``: the board that has waited longest, on every front."""

from dataclasses import replace

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Place
from bot.store import boards
from bot.support.platforms import Medium
from tests.bot.table import NOTHING, Person, Table, said


@pytest.fixture
async def waiting(table: Table, anna: Person, ben: Person) -> list[int]:
    """Return three matches in which it is Anna's turn, the longest waiting first."""
    found = []
    for words in ("othello", "morris", "sogo"):
        found.append(await table.begin(anna, ben, words=words))
        table.clock.forward(60)
    # The first two are played on, so that the last one has waited longest.
    for match_id, line in ((found[1], "a1,a4"), (found[0], "d3,c3")):
        await table.plays(match_id, line)
        table.clock.forward(60)
    await table.settle()
    return [found[2], found[1], found[0]]


async def asks(person: Person, what: str | Action, place: Place | None = None) -> Answer:
    """Type or press on a front that leads to boards."""
    command = replace(await person.command(place), medium=Medium(opens_boards=True))
    if isinstance(what, Action):
        return await person.table.commands.run_button(command, what)
    return await person.table.commands.run_line(command, what)


async def test_next_shows_the_board_that_has_waited_longest(
    table: Table, anna: Person, waiting: list[int]
) -> None:
    for match_id, move in zip(waiting, ("a1", "d1", "c4"), strict=True):
        assert await anna.types("/next") == NOTHING
        await table.settle()
        # It is the last thing on the wall.
        assert table.wall.shown[-1].match == match_id
        await table.plays(match_id, move)
        await table.settle()
        table.clock.forward(1)
    assert said(await anna.types("/weiter")) == anna.says("next-none")


async def test_what_is_played_elsewhere_is_shown_in_private(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    elsewhere = await table.channel("elsewhere")
    answer = await anna.types("/next", place=elsewhere)
    # That it is there, the front says.
    assert answer == Answer(board_in_dm=match_id)
    assert not await boards.is_shown(table.app.store, match_id, elsewhere.id)
    assert await boards.is_shown(table.app.store, match_id, anna.direct.id)


async def test_a_front_that_leads_to_boards_shows_none_twice(
    table: Table, anna: Person, ben: Person, waiting: list[int]
) -> None:
    before = len(table.wall.shown)
    assert await asks(anna, "/next") == Answer(leads_to=waiting[0])
    await table.settle()
    assert len(table.wall.shown) == before
    assert said(await ben.types("/next")) == ben.says("next-none")


async def test_a_front_that_leads_to_boards_is_told_what_was_begun_and_what_was_asked_for(
    table: Table, anna: Person, ben: Person
) -> None:
    alone = await asks(anna, "/blackbox new")
    assert alone == Answer(begun=alone.begun)
    # Untouched it is the one that is begun again.
    assert await asks(anna, "/blackbox new") == alone
    challenge = await asks(anna, "/othello new")
    assert challenge == Answer(proposed=challenge.proposed)
    await table.settle()
    assert await asks(ben, f"/accept {challenge.proposed}") == Answer(begun=challenge.proposed)
    assert alone.begun != challenge.proposed
    # Others get an error, since boards come without being asked for.
    assert await anna.types("/sogo new") == NOTHING


async def test_what_is_taken_up_is_led_to_where_its_board_is(
    table: Table, anna: Person, ben: Person
) -> None:
    async def challenge() -> int:
        answer = await asks(anna, "/othello @Ben first")
        assert answer == Answer(proposed=answer.proposed)
        return answer.proposed

    garden = await table.channel("garden")
    # A challenge is accepted where it stands, or moved by its code.
    taken = await challenge()
    assert await asks(ben, f"/accept {taken}", garden) == NOTHING
    assert not await boards.is_shown(table.app.store, taken, garden.id)
    joined = await challenge()
    code = (await table.loaded(joined)).match.code
    assert await asks(ben, f"/join {code}", garden) == Answer(begun=joined)
    assert await boards.is_shown(table.app.store, joined, garden.id)
    # Of two who ask each other for another one, the second has begun it, and sees it.
    await table.given_up(joined, anna)
    again = Action("again", joined)
    asked = (await asks(ben, again)).proposed
    assert (await table.loaded(asked)).match.challenger == ben.id
    assert await asks(anna, again, garden) == Answer(begun=asked)
    assert (await table.loaded(asked)).match.seats == (ben.id, anna.id)
    assert await boards.is_shown(table.app.store, asked, garden.id)
    assert await asks(anna, f"/decline {await challenge()}") == NOTHING
