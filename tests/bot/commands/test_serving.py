"""The entry point: known commands, links, presses, refusals."""

from dataclasses import replace
from typing import Any

import pytest

from bot.commands import Answer
from bot.commands.tokens import paged
from bot.domain.actions import Action
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Place, Stranger
from bot.matches import boards as match_boards
from bot.matches.erasing import erase
from bot.screens import Client
from bot.store import Attempt, boards, people, places
from bot.support.platforms import Medium
from bot.support.rates import Rates
from tests.bot.table import NOTHING, Person, Table, all_commands, said, screen_of


async def test_a_line_begins_with_a_command_that_there_is_or_with_none(table: Table) -> None:
    for line in ("/play", "/PLAY othello", "play", "/othello d3", "/mühle", "/\u200bhilfe x"):
        assert table.commands.knows(line), line
    for line in ("", "/", "/chess d4", "/ play", "hello", "/playing"):
        assert not table.commands.knows(line), line


async def test_a_link_does_in_private_what_a_button_says_for_who_is_in_the_match(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben)
    code = (await table.loaded(match_id)).match.code

    async def link(person: Person, what: Action | str) -> str | None:
        return await table.commands.link(await person.command(), what)

    board = Action("board", match_id, 2)
    for person in (anna, ben):
        for verb in ("board", "moves", "private"):
            assert await link(person, board._replace(verb=verb)) == f"{verb}-{code}"
        assert await link(person, board.token) == f"board-{code}"
    # Spectators have nothing to see in a private chat.
    assert await link(cleo, board) is None
    assert await link(anna, Action("board", 999, 1)) is None
    for verb in ("step", "resign", "accept"):
        assert await link(anna, Action(verb, match_id, 2)) is None
    assert await link(cleo, Action("rules", argument="othello")) == "rules-othello"
    assert await link(cleo, "privacy:0:0:") == "privacy"


async def test_who_is_on_turn_in_private_is_led_there_until_they_have_spoken_there(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben)

    async def opens(person: Person, verb: str = "private", number: int = match_id) -> bool:
        token = Action(verb, number, 2).token
        return await table.commands.opens_private(await person.command(), token)

    assert await opens(anna)
    assert [await opens(one) for one in (ben, cleo)] == [False, False]
    assert not await opens(anna, "board")
    assert not await opens(anna, number=999)
    await table.app.directory.opened(anna.direct)
    assert not await opens(anna)
    await table.app.directory.mark_unreachable(anna.direct)
    assert await opens(anna)
    # Before the start and after the end, no player is to move.
    await anna.types("/sogo @Ben")
    assert not await opens(anna, number=await table.newest())
    await table.given_up(match_id, ben)
    assert not await opens(anna)


async def test_commands_are_counted_of_each_person_and_of_each_stranger(
    table: Table, anna: Person, ben: Person
) -> None:
    table.commands._rates = Rates(1, 3600)
    refused = anna.says("error-too-fast")
    assert said(await anna.types("/language")) != refused
    for answer in (
        await anna.types("/language"),
        await anna.presses(Action("privacy")),
        await table.commands.run(replace(await anna.command(), verb="privacy")),
    ):
        assert said(answer) == refused
        assert answer.refused
    assert said(await ben.types("/hilfe")) != ben.says("error-too-fast")
    # A stranger is counted by what their platform calls them.
    command = await anna.command()
    for external, is_refused in (("1", False), ("2", False), ("1", True)):
        stranger = Stranger(0, "Dora", None, {}, "web", external, "Dora", "", None)
        asked = replace(command, client=Client(stranger, external), verb="privacy")
        assert (await table.commands.run(asked)).refused is is_refused
    with pytest.raises(Refused, match="too-fast"):
        await table.commands.partial_screen(await anna.command(), "m1", counts=True)


async def test_a_code_lets_somebody_join_and_see_nothing_else(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await anna.starts("/othello new")
    code = (await table.loaded(match_id)).match.code
    garden = await table.channel("garden")

    async def follows(person: Person, word: str) -> Answer:
        return await table.commands.followed(await person.command(garden), word)

    for verb in ("board", "moves", "private"):
        # Not even the number of what the code is of.
        answer = await follows(cleo, f"{verb}-{code}")
        assert said(answer) == cleo.says("error-no-such-code")
    assert said(await follows(cleo, "join-222222222222")) == cleo.says("error-no-such-code")
    assert await table.commands.link(await anna.command(), Action("join", 999)) is None
    word = await table.commands.link(await anna.command(), Action("join", match_id))
    assert word == f"join-{code}"
    assert await follows(ben, word) == NOTHING
    assert (await table.loaded(match_id)).match.opponent is None
    assert ben.id in (await table.loaded(match_id)).match.seats
    assert ben.says("othello-name") in screen_of(await follows(ben, "rules-othello")).title


async def test_a_right_code_that_leads_nowhere_any_more_is_as_one_that_was_never_given(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    garden = await table.channel("garden")
    for end in ("withdrawn", "for-other", "for-other, running"):
        await anna.types("/othello new" if end == "withdrawn" else "/othello @Ben")
        match_id = await table.newest()
        code = (await table.loaded(match_id)).match.code
        if end == "withdrawn":
            await anna.presses(Action("withdraw", match_id, 1))
        if end == "for-other, running":
            await ben.types("/accept")
        for verb in ("join", "board", "moves", "private"):
            answers = [
                await table.commands.followed(await cleo.command(garden), f"{verb}-{proof}")
                for proof in (code, "222222222222")
            ]
            assert answers[0] == answers[1]
            assert said(answers[0]) == cleo.says("error-no-such-code")
        typed = [await cleo.types(f"/join {proof}", place=garden) for proof in (code, "2" * 12)]
        assert typed[0] == typed[1]
        if end == "withdrawn":
            # The channel of the challenge shows what has become of it.
            here = await cleo.types(f"/join {code}")
            assert said(here) == cleo.says("error-challenge-withdrawn")


async def test_a_used_code_names_the_challenger_and_not_the_opponent(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    garden = await table.channel("garden")
    match_id = await anna.starts("/othello new")
    code = (await table.loaded(match_id)).match.code
    await ben.types(f"/join {code}")
    used = cleo.says("error-code-used", name="Anna")
    # Also in the channel that shows the game.
    for place in (garden, table.lounge):
        assert said(await cleo.types(f"/join {code}", place=place)) == used
    await ben.presses(Action("resign", match_id, 2, "yes"))
    for place in (garden, table.lounge):
        assert said(await cleo.types(f"/join {code}", place=place)) == used
    # Other links with the code still reveal nothing.
    for verb in ("board", "moves", "private"):
        answer = await table.commands.followed(await cleo.command(garden), f"{verb}-{code}")
        assert said(answer) == cleo.says("error-no-such-code")
    await erase(table.app.store, table.app.matches, anna.id)
    gone = await cleo.types(f"/join {code}", place=garden)
    assert said(gone) == cleo.says("error-code-used-up")


async def test_the_second_of_two_who_use_a_code_at_once_is_told_that_it_was_used(
    table: Table, anna: Person, ben: Person, cleo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.types("/othello new")
    code = (await table.loaded(await table.newest())).match.code
    garden, check = await table.channel("garden"), match_boards.check

    async def meanwhile(*about: Any, **more: Any) -> None:
        monkeypatch.undo()
        assert not (await ben.types(f"/join {code}")).refused
        await check(*about, **more)

    monkeypatch.setattr(match_boards, "check", meanwhile)
    late = await cleo.types(f"/join {code}", place=garden)
    assert said(late) == cleo.says("error-code-used", name="Anna")


async def test_help_names_the_command_of_managers_only_to_them_or_when_asked(
    table: Table, anna: Person
) -> None:
    whole = said(await all_commands(anna)).splitlines()
    here = next(line for line in whole if line.startswith("/here"))
    anna.can_manage = None
    assert _commands(said(await all_commands(anna)).splitlines()) == [
        line for line in _commands(whole) if line != here
    ]
    # People without the right read the page when they ask for it by name.
    alone = said(await anna.types("/help HERE")).splitlines()
    assert alone[-1] == here
    assert _commands(alone) == [here]
    # Where there are fields, they show themselves.
    command = replace(
        await anna.command(), verb="help", argument=paged(0), medium=Medium(has_fields=True)
    )
    listed = _commands(said(await table.commands.run(command)).splitlines())
    assert len(listed) == len(_commands(whole)) - 1
    assert not [line for line in listed if line.partition(":")[0].partition(" ")[2]]


def _commands(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("/")]


async def test_a_place_that_is_spoken_in_is_open_again_and_who_speaks_is_active(
    table: Table, anna: Person
) -> None:
    directory, spoken = table.app.directory, list[int]()
    garden = await directory.mark_unreachable(await table.channel("garden"))
    conversation = await directory.mark_unreachable(anna.direct)

    class Courier:
        def on_activity(self, place: Place) -> None:
            spoken.append(place.id)

    table.app.couriers["web"] = Courier()  # type: ignore[assignment]
    for place in (garden, conversation):
        assert not (await anna.types("/help", place=place)).refused
    assert spoken == [garden.id, conversation.id]
    store = table.app.store
    assert not (await places.place(store, garden.id)).is_unreachable
    # Whether a conversation is open, the platform knows.
    assert (await places.place(store, conversation.id)).is_unreachable
    (found,) = (await people.reachable(store, "web", [anna.id])).values()
    assert found.active == store.now() // 60 * 60


async def test_what_is_shown_with_a_refusal_is_written_by_the_unit_of_work_of_its_command(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id, garden, attempt = (
        await table.begin(anna, ben),
        await table.channel("garden"),
        Attempt(),
    )
    command = replace(
        await anna.command(garden),
        medium=Medium(shows_in_private=False),
        unit=table.app.store.together_with(attempt),
    )
    refused = await table.commands.refused(command, StaleBoard(match_id))
    assert said(refused) == anna.says("error-stale")
    assert len(await boards.of_match(table.app.store, match_id, place_id=garden.id)) == 1
    assert attempt.may_be_stored
