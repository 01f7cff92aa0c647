"""The board of a finished rated match shows both new ratings."""

import pytest
from sqlalchemy import update

from bot.domain.actions import Action
from bot.domain.glicko import DAY
from bot.matches.erasing import erase
from bot.store.schema import ratings as rows
from tests.bot.matches.test_ratings import FOUR, lost
from tests.bot.store import sql
from tests.bot.table import Person, Table


async def line(table: Table, match_id: int, person: Person | None = None) -> str:
    """Return what the person's board says about ratings, or ""."""
    begins = ("Ratings: ", "Wertungen: ")
    told = [
        one
        for one in (await table.screen(match_id, person)).text.splitlines()
        if one.startswith(begins)
    ]
    assert len(told) < 2
    return told[0] if told else ""


async def known_as(table: Table, person: Person, value: float, deviation: float) -> None:
    """Store a rating in Othello."""
    await sql.execute(
        table.app.store,
        update(rows)
        .where(rows.c.user_id == person.id)
        .values(value=value, deviation=deviation, at=table.app.store.now()),
    )


async def hide(person: Person) -> None:
    await person.presses(Action("settings", argument="record.me"))


async def test_the_board_of_a_rated_match_says_at_its_end_what_both_are_rated_since(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, moves=FOUR)
    assert await line(table, match_id, anna) == ""
    await table.given_up(match_id, anna)
    first = "Ratings: Anna 1338? (first rating), Ben 1662? (first rating)."
    assert await line(table, match_id, anna) == first
    erste = "Wertungen: Anna 1338? (erste Wertung), Ben 1662? (erste Wertung)."
    assert await line(table, match_id, ben) == erste
    # Spectators see it too.
    assert await line(table, match_id) == await line(table, match_id, anna)
    # And it is what `/stats` says.
    for person, value in ((anna, "1338?"), (ben, "1662?")):
        stats = await person.types("/stats")
        assert stats.private is not None
        assert f": {value} (" in stats.private.text


async def test_a_first_rating_is_explained_once(table: Table, anna: Person, ben: Person) -> None:
    for is_first in (True, False):
        match_id = await lost(table, anna, ben)
        assert ("first rating" in await line(table, match_id, anna)) is is_first
        told = (await table.screen(match_id)).text
        assert (anna.says("board-provisional") in told) is is_first


async def test_each_number_has_its_own_question_mark(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, anna, ben)
    await known_as(table, anna, 1500, 110.5)
    await known_as(table, ben, 1609.6, 60)
    match_id = await lost(table, ben, anna)
    told = await line(table, match_id, anna)
    # By seat: who began is named first.
    assert told.startswith("Ratings: Ben 1610 → 15")
    assert ", Anna 1500? → 15" in told
    assert told.count("?") == 1
    # Who has been away for long is known less well, as `/stats` said until the match ended.
    table.clock.forward(1000 * DAY)
    assert (await line(table, match_id, anna)) == told
    later = await line(table, await lost(table, ben, anna), anna)
    (before, after), *_ = [
        part.split(" → ") for part in later.removeprefix("Ratings: Ben ").split(", ")
    ]
    assert before.endswith("?")
    assert after.endswith("?")


async def test_what_both_were_rated_is_of_the_class_that_was_played(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, anna, ben)
    match_id = await lost(table, anna, ben, words="othello reversi", moves="d5,e5,e4,d4")
    first = "Ratings: Anna 1338? (first rating), Ben 1662? (first rating)."
    assert await line(table, match_id, anna) == first


@pytest.mark.parametrize("words", ["othello unrated", "othello hints"])
async def test_a_match_that_is_not_rated_says_nothing_of_ratings(
    table: Table, anna: Person, ben: Person, words: str
) -> None:
    assert await line(table, await lost(table, anna, ben, words=words), anna) == ""


async def test_nothing_is_told_where_one_keeps_their_record_to_themselves_as_long_as_they_do(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await lost(table, anna, ben)
    both = await line(table, match_id, anna)
    await hide(ben)
    for reader in (anna, ben, None):
        assert "1662" not in (await table.screen(match_id, reader)).text
    # What the other one has lost would say how strong they are.
    assert await line(table, match_id, anna) == await line(table, match_id, ben) == ""
    # Nor at the end of the next match.
    assert await line(table, await lost(table, anna, ben), anna) == ""
    await ben.presses(Action("settings", argument="record.everybody"))
    assert await line(table, match_id, anna) == both


async def test_what_was_posted_is_shown_anew_when_somebody_hides_their_record(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await lost(table, anna, ben)
    await table.settle()
    shown = len(table.wall.shown)
    await hide(ben)
    await table.settle()
    assert [post.match for post in table.wall.shown[shown:]] == [match_id]
    # What is hidden already redraws nothing, nor does another setting.
    await hide(ben)
    await ben.presses(Action("settings", argument="theme.dark"))
    await table.settle()
    assert len(table.wall.shown) == shown + 1


async def test_nothing_is_told_of_who_is_erased(table: Table, anna: Person, ben: Person) -> None:
    match_id = await lost(table, anna, ben)
    running = await table.begin(ben, anna, moves=FOUR)
    await erase(table.app.store, table.app.matches, ben.id)
    await table.app.on_remote_change()
    # What ended by that is rated, too.
    assert (await table.loaded(running)).match.reratings
    assert await line(table, match_id, anna) == await line(table, running, anna) == ""
