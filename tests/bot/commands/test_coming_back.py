"""Deleted accounts: people who come back are new, but blocks and quotas stay."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from bot.domain.actions import Action
from bot.domain.model import PlaceKind
from bot.matches.erasing import erase
from bot.store import blocks, personal_data, places, puzzles
from tests.bot.posed import pose, puzzle
from tests.bot.store.sql import execute
from tests.bot.store.test_people import raw
from tests.bot.table import A_DAY, NOTHING, Person, Table, buttons, file_of, said, screen_of


async def at(table: Table, platform: str, name: str) -> Person:
    """Return a person in a channel of a platform."""
    yard = await places.get_or_create_place(
        table.app.store, platform, "yard", kind=PlaceKind.CHANNEL, title="yard", community=platform
    )
    return replace(await table.arrive(name, platform=platform), place=yard)


@pytest.fixture
async def anna(table: Table) -> Person:
    return await at(table, "chat", "Anna")


@pytest.fixture
async def ben(table: Table) -> Person:
    return await at(table, "chat", "Ben")


async def erased(person: Person) -> None:
    answer = await person.presses(Action("erase", argument=f"yes.{person.id}"))
    assert said(answer) == person.says("erased")


async def back(table: Table, person: Person) -> Person:
    """Delete a person's account, and return them after they come back."""
    await erased(person)
    again = await at(table, person.place.platform, person.name)
    assert again.identity == person.identity
    assert again.id != person.id
    return again


async def kept(table: Table) -> list[tuple[object, ...]]:
    """Return what is stored about deleted accounts."""
    with closing(sqlite3.connect(file_of(table.settings))) as database:
        return [
            *database.execute("SELECT * FROM erased_blocks"),
            *database.execute("SELECT * FROM erased_challenges"),
            *database.execute("SELECT * FROM erased_attempts WHERE trace IS NOT NULL"),
        ]


@pytest.mark.sqlite
async def test_who_has_erased_themself_is_unblocked_like_anybody_else(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    cleo = replace(cleo, place=anna.place)
    for person in (anna, cleo):
        await person.types("/block @Ben")
    await erased(ben)
    gone = await table.app.directory.identify("chat", ben.identity, "Ben")
    command = replace(await anna.command(), verb="unblock", person=gone)
    assert said(await table.commands.run(command)) == anna.says("unblock-done", name="Ben")
    assert said(await table.commands.run(command)) == anna.says("error-not-blocked", name="Ben")
    # Only Anna has taken it back.
    assert len(await kept(table)) == 1
    ben = await at(table, "chat", "Ben")
    assert await ben.types("/othello @Anna") == NOTHING


@pytest.mark.sqlite
async def test_a_block_holds_for_who_deletes_their_account_and_comes_back(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/block @Ben")
    await anna.types("/othello new")
    for _ in range(2):
        ben = await back(table, ben)
        refused = ben.says("error-takes-no-challenges", name="Anna")
        for line in ("/othello @Anna", "/accept"):
            assert said(await ben.types(line)) == refused
        assert list(buttons(await anna.types("/block"))) == ["Unblock Ben", "Back to settings"]
        assert await kept(table) == []
    assert said(await anna.types("/unblock @Ben")) == anna.says("unblock-done", name="Ben")
    assert await ben.types("/othello @Anna") == NOTHING
    ben = await back(table, ben)
    assert await ben.types("/sogo @Anna") == NOTHING


@pytest.mark.sqlite
async def test_it_is_taken_back_while_they_are_away_and_nothing_is_kept(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo = await at(table, "chat", "Cleo")
    await anna.types("/block @Ben")
    await cleo.types("/block @Ben")
    await erased(ben)
    assert "Blocked: 1" in buttons(await anna.types("/settings"))
    listed = await anna.types("/block")
    button, _ = buttons(listed).values()
    assert button.label.startswith("Unblock deleted player (blocked ")
    assert "Ben" not in said(listed)
    # The button is hers alone.
    await cleo.presses(button)
    await cleo.presses(Action("unblock", argument="erased.x"))
    assert len(await kept(table)) == 2
    assert said(await anna.presses(button)) == anna.says("blocks-none", platform="chat")
    assert await anna.presses(button) == await anna.types("/unblock")
    ben = await at(table, "chat", "Ben")
    assert await ben.types("/othello @Anna") == NOTHING
    refused = ben.says("error-takes-no-challenges", name="Cleo")
    assert said(await ben.types("/othello @Cleo")) == refused


async def test_a_block_of_a_deleted_account_says_how_many_days_old_it_is(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/block @Ben")
    await erased(ben)
    # A clock that is set back makes no block younger than it is.
    for seconds, days in ((-1, 0), (A_DAY, 0), (1, 1), (29 * A_DAY, 30)):
        table.clock.forward(seconds)
        label, _ = buttons(await anna.types("/block"))
        assert label == anna.says("button-unblock-erased", days=days)


async def test_of_many_blocked_players_twenty_are_listed_and_the_others_counted(
    table: Table, anna: Person
) -> None:
    store = table.app.store
    for number in range(21):
        person = await at(table, "chat", f"X{number}")
        await blocks.add(store, anna.id, person.id)
        # Deleted accounts come after the others, and count like them.
        if number < 3:
            await erase(store, table.app.matches, person.id)
    answer = await anna.types("/block")
    assert [label.startswith("Unblock X") for label in buttons(answer)][:18] == [True] * 18
    assert screen_of(answer).secret
    *unblocks, back = screen_of(answer).rows
    assert (sum(map(len, unblocks)), len(back)) == (20, 1)
    rest = anna.says("blocks-more", count=1)
    assert said(answer).splitlines() == [anna.says("blocks-text"), rest]


@pytest.mark.sqlite
async def test_nothing_is_kept_for_people_who_have_left_or_against_who_did_nothing(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo, dora = await at(table, "chat", "Cleo"), await at(table, "chat", "Dora")
    # Who blocks others, or whose challenge was accepted, leaves nothing.
    await ben.types("/block @Cleo")
    await ben.types("/othello @Anna")
    await anna.types("/accept")
    await erased(ben)
    assert await kept(table) == []
    # A block and a challenge are kept until the other person leaves as well.
    await dora.types("/othello @Anna")
    await anna.types("/block @Cleo")
    for person, count in ((dora, 1), (cleo, 2), (anna, 0)):
        await erased(person)
        assert len(await kept(table)) == count, person.name


async def test_nobody_else_inherits_a_block(table: Table, anna: Person, ben: Person) -> None:
    await anna.types("/block @Ben")
    await erased(ben)
    for platform in ("elsewhere", "chat"):
        other = await at(table, platform, f"Ben of {platform}")
        assert await blocks.count(table.app.store, anna.id) == 1
        assert "Ben" not in "".join(buttons(await anna.types("/block")))
    assert await other.types("/othello @Anna") == NOTHING


async def test_three_in_vain_are_three_also_for_who_comes_back_in_between(
    table: Table, anna: Person, ben: Person
) -> None:
    for game_id in ("othello", "sogo"):
        await ben.types(f"/{game_id} @Anna")
    ben = await back(table, ben)
    assert await ben.types("/morris @Anna") == NOTHING
    refused = ben.says("error-challenged-enough", name="Anna", count=3, hours=24, minutes=1440)
    assert said(await ben.types("/moyo @Anna")) == refused
    ben = await back(table, ben)
    assert said(await ben.types("/othello @Anna")) == refused
    # It counts for her alone, and for a day.
    await at(table, "chat", "Cleo")
    assert await ben.types("/othello @Cleo") == NOTHING
    table.clock.forward(A_DAY)
    assert await ben.types("/othello @Anna") == NOTHING


@pytest.mark.sqlite
async def test_what_is_kept_tells_without_the_houses_key_nobody_who_it_was(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/block @Ben")
    await ben.types("/othello @Anna")
    await erased(ben)
    assert ben.identity not in raw(file_of(table.settings))
    (trace,) = {value for row in await kept(table) for value in row if isinstance(value, str)}
    assert len(trace) == 64
    for person in (anna, ben):
        assert trace not in json.dumps(await personal_data.export(table.app.store, person.id))
    # The hash is salted with a key per installation.
    await execute(
        table.app.store, f"UPDATE memos SET value = '{'ab' * 32}' WHERE key = 'button-key'"
    )
    await at(table, "chat", "Ben")
    assert len(await kept(table)) == 1


@pytest.mark.sqlite
async def test_the_web_table_knows_nobody_again(table: Table) -> None:
    anna, ben = await table.arrive("Anna"), await table.arrive("Ben")
    await anna.types("/block @Ben")
    await erased(ben)
    assert await kept(table) == []
    assert said(await anna.types("/block")) == anna.says("blocks-none", platform="web")


@pytest.mark.both
async def test_a_player_who_comes_back_is_not_given_a_puzzle_they_have_seen(
    table: Table, anna: Person, ben: Person
) -> None:
    await pose(table.app.store, puzzle(plies=1), puzzle(plies=2))
    match_id = (await anna.types("/puzzle othello")).board_in_dm
    await anna.presses(Action("resign", match_id, 1, "yes"), place=anna.direct)
    first = (await table.loaded(match_id)).match
    assert (await anna.types(f"/board {match_id}")).board_in_dm == match_id
    for _ in range(2):
        anna = await back(table, anna)
    # Their ratings are gone, but a puzzle they have seen is not asked again.
    assert await puzzles.of_user(table.app.store, anna.id) == {}
    again = (await anna.types("/puzzle othello")).board_in_dm
    assert (await table.loaded(again)).match.setup != first.setup
    await anna.presses(Action("resign", again, 1, "yes"), place=anna.direct)
    assert (await anna.types("/puzzle othello")).refused
    assert (await ben.types("/puzzle othello")).board_in_dm
    found = (await personal_data.export(table.app.store, anna.id))["puzzles before being erased"]
    assert len(found) == 1
    assert "trace" not in found[0]
    # In its channel it is still a puzzle, not a lost game.
    screen = await table.screen(match_id)
    assert screen.title == "Puzzle · Othello"
    assert "rating" not in screen.text
