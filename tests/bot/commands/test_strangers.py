"""Strangers: spectators are not stored, but players and challenged people are."""

from dataclasses import replace

import pytest

from bot.commands import Command
from bot.domain.actions import Action
from bot.domain.model import Status, Stranger
from bot.screens import Client
from bot.store import blocks, people
from bot.support.platforms import Medium
from tests.bot.table import NOTHING, Person, Table, said

EVE = Stranger(0, "Eve", None, {}, "web", "eve", "Eve", "Eve_1999", "en")


@pytest.fixture
async def looks_on(anna: Person) -> Command:
    """Return a command of a person who is not stored yet, in the channel."""
    return replace(await anna.command(), client=Client(EVE, "eve"))


async def known(table: Table) -> int | None:
    """Return the stranger's id, or None if they are not stored."""
    found = await people.introduced(table.app.store, "web", "eve")
    return found[0].id if found else None


async def test_spectators_are_not_stored(
    table: Table, anna: Person, ben: Person, looks_on: Command
) -> None:
    typed, pressed = table.commands.run_line, table.commands.run_button
    running = await table.begin(anna, ben)
    for line in ("/play", "/rules othello", "/moves", "/board", "/stats @Anna", "/leaderboard"):
        assert not (await typed(looks_on, line)).refused, line
    unasked = await pressed(looks_on, Action("step", running, 2, "d3"))
    assert said(unasked) == anna.says("error-not-in-match")
    # Nor by what comes to nothing.
    for verb in ("accept", "decline"):
        assert (await pressed(looks_on, Action(verb, running, 2))).refused
    own = ("blocked", "erase", "export", "holiday", "quiet", "sessions", "settings", "unblock")
    for verb in own:
        answer = await pressed(looks_on, Action(verb))
        assert said(answer) == anna.says("error-nothing-stored"), verb
    for line in ("/block @Anna", "/language de", "/unblock Anna"):
        assert said(await typed(looks_on, line)) == anna.says("error-nothing-stored")
    # In a conversation of their own there are none.
    told = await typed(replace(looks_on, place=anna.direct), "/play")
    assert said(told) == anna.says("error-forgotten")
    assert await known(table) is None
    assert not await table.commands.could_be_move(replace(looks_on, move="d3"))


@pytest.mark.parametrize("way", ["accept", "join", "new", "start"])
async def test_who_begins_a_match_is_somebody_from_then_on(
    table: Table, anna: Person, looks_on: Command, way: str
) -> None:
    await anna.types("/othello new")
    challenge = (await table.loaded(await table.newest())).match
    match way:
        case "accept":
            answer = await table.commands.run_button(looks_on, Action("accept", challenge.id, 1))
        case "join":
            answer = await table.commands.run_line(looks_on, f"/join {challenge.code}")
        case "new":
            answer = await table.commands.run_line(looks_on, "/sogo new")
        case _:
            answer = await table.commands.run_button(looks_on, Action("start", argument="sogo"))
    assert answer == NOTHING
    eve = await known(table)
    assert eve is not None
    match = (await table.loaded(await table.newest())).match
    if way in ("accept", "join"):
        assert (match.id, match.status) == (challenge.id, Status.RUNNING)
        assert set(match.seats) == {anna.id, eve}
    else:
        assert (match.game, match.challenger, match.status) == ("sogo", eve, Status.PROPOSED)


@pytest.mark.parametrize("verb", ["accept", "decline"])
async def test_a_challenge_for_a_username_is_for_that_stranger_alone(
    table: Table, anna: Person, looks_on: Command, verb: str
) -> None:
    named = replace(await anna.command(), medium=Medium(usernames="[A-Za-z0-9_]{5,32}"))
    pressed = table.commands.run_button
    assert await table.commands.run_line(named, "/othello @EVE_1999") == NOTHING
    match = (await table.loaded(await table.newest())).match
    mallory = replace(EVE, username="Mallory", external="mallory")
    other = replace(looks_on, client=Client(mallory, "mallory"))
    for answer in (
        await pressed(other, Action("accept", match.id, 1)),
        await pressed(other, Action("decline", match.id, 1)),
        await table.commands.run_line(other, f"/join {match.code}"),
    ):
        assert said(answer) == anna.says("error-challenge-for-other")
    assert await people.introduced(table.app.store, "web", "mallory") is None
    assert await pressed(looks_on, Action(verb, match.id, 1)) == NOTHING
    status = Status.RUNNING if verb == "accept" else Status.DECLINED
    assert (await table.loaded(match.id)).match.status is status


@pytest.mark.parametrize("field", ["person", "replied"])
@pytest.mark.parametrize("verb", ["challenge", "block"])
async def test_a_stranger_is_somebody_once_they_are_asked_or_blocked_and_not_by_being_named(
    table: Table, anna: Person, verb: str, field: str
) -> None:
    run, named = table.commands.run, await anna.command()
    is_person = field == "person"
    command = replace(named, person=EVE) if is_person else replace(named, replied=EVE)
    answer = await run(replace(command, verb="unblock"))
    assert said(answer) == anna.says("error-not-blocked", name="Eve")
    assert not (await run(replace(command, verb="stats"))).refused
    assert await known(table) is None
    await run(replace(command, verb=verb, game="othello" if verb == "challenge" else ""))
    eve = await known(table)
    assert eve is not None
    if verb == "challenge":
        assert (await table.loaded(await table.newest())).match.opponent == eve
    else:
        assert await blocks.count(table.app.store, anna.id) == 1
