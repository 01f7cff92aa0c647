"""A match exists for those whom it concerns and where it is shown, and for nobody else.

Two houses with the same people and places, matches in only one of them: whatever somebody who
has nothing to do with these matches presses, types, follows or begins to type, from any kind of
place, is answered alike in both. Every verb and every command there is takes part.
"""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copy

import pytest

from bot.actions import Action
from bot.commands import Answer, Command, table, verbs
from bot.links import LINKED, word_of
from bot.model import Place, PlaceKind, Status
from bot.store import matches as rows
from bot.store import people
from tests.bot.table import Person, Table, buttons, said

NOTHING = Answer()
ABOUT_MATCHES = sorted(LINKED - {"privacy"})


@dataclass(frozen=True, slots=True)
class House:
    """A house with two friends, a stranger, and the places where the stranger goes."""

    table: Table
    anna: Person
    ben: Person
    mallory: Person
    cellar: Place
    club: Place
    """A channel on another platform, which the stranger is not in."""
    elsewhere: tuple[Place, ...]
    asking: tuple[Command, ...]
    """What every question of the stranger says of who asks and where, for each of these places."""


async def opened(path: Path) -> House:
    at = await Table.open(path, open_challenges_per_person=100)
    anna, ben, mallory = [await at.arrive(name) for name in ("Anna", "Ben", "Mallory")]
    cellar = await at.channel("cellar")
    store, kind = at.house.store, PlaceKind.CHANNEL
    club = await people.enter(store, "discord", "1/2", kind=kind, title="#club", community="1")
    square = await people.enter(store, "discord", "9/9", kind=kind, title="#square", community="9")
    group = await people.enter(store, "telegram", "-7", kind=kind, title="Group", community="-7")
    places = (at.lounge, mallory.direct, square, group)
    # Nobody's name or language changes here, so it is read once and not for every question.
    asking = [await mallory.command(place) for place in places]
    return House(at, anna, ben, mallory, cellar, club, places, tuple(asking))


@pytest.fixture
async def empty_house(tmp_path: Path, empty: Path) -> AsyncIterator[House]:
    """A house in which nobody plays."""
    copy(empty, tmp_path / "without.db")
    house = await opened(tmp_path / "without.db")
    yield house
    await house.table.close()


@pytest.fixture
async def house(tmp_path: Path, empty: Path) -> AsyncIterator[House]:
    """The same with matches of every kind: none concerns the stranger, none is shown to them."""
    copy(empty, tmp_path / "with.db")
    house = await opened(tmp_path / "with.db")
    anna, ben, cellar, club = house.anna, house.ben, house.cellar, house.club
    for place in (cellar, club, anna.direct):
        await anna.types("/othello new black", place=place)
    await anna.types("/morris @Ben white", place=cellar)
    for line, place in (("othello", cellar), ("sogo", club), ("blackbox hide", cellar)):
        await anna.types(f"/challenge @Ben {line} second", place=place)
        await ben.presses(Action("accept", await house.table.newest(place)), place=place)
    await anna.types("/blackbox new", place=anna.direct)
    for line, place in (("moyo", cellar), ("othello", anna.direct)):
        await anna.types(f"/challenge @Ben {line} first", place=place)
        match_id = await house.table.newest(place)
        await ben.presses(Action("accept", match_id))
        live = await house.table.live(match_id)
        await anna.presses(Action("resign", match_id, live.match.version, "yes"), place=place)
    await anna.types("/sogo @Ben", place=cellar)
    await ben.presses(Action("decline", await house.table.newest(cellar)), place=cellar)
    await house.table.settle()
    yield house
    await house.table.close()


async def matches_of(house: House) -> dict[int, int]:
    """Every match of a house with its version."""
    found: list[int] = []
    for place in (house.cellar, house.club, house.anna.direct):
        found += await rows.in_place(house.table.house.store, place.id, status=Status)
    return {match_id: (await house.table.live(match_id)).match.version for match_id in found}


def stored(house: House) -> list[str]:
    """All that is stored, but who was here when."""
    connection = sqlite3.connect(house.table.settings.database)
    try:
        return [*connection.iterdump()]
    finally:
        connection.close()


def tokens(match_id: int, version: int) -> Iterator[str]:
    """What could be pressed of a match, rightly or wrongly."""
    for verb in verbs():
        for seen in (0, version + 7):
            yield Action(verb, match_id, seen).token
        for argument in ("", "yes", "d3"):
            yield Action(verb, match_id, version, argument).token


async def answers(house: House, token_or_line: str) -> list[Answer]:
    """What the stranger is told, in every kind of place."""
    house.table.clock.forward(1)
    commands = house.table.commands
    ask = commands.typed if token_or_line.startswith("/") else commands.pressed
    return [await ask(command, token_or_line) for command in house.asking]


async def test_there_are_matches_in_every_state(house: House) -> None:
    found = [(await house.table.live(match_id)).match for match_id in await matches_of(house)]
    assert {match.status for match in found} == {
        Status.PROPOSED,
        Status.RUNNING,
        Status.OVER,
        Status.DECLINED,
    }
    assert {len(match.seats) for match in found} == {0, 1, 2}
    assert {match.opponent for match in found} >= {None, house.ben.id}


@pytest.mark.long
async def test_no_button_tells_a_stranger_that_there_is_a_match(
    house: House, empty_house: House
) -> None:
    before = stored(house)
    for match_id, version in (await matches_of(house)).items():
        for token in tokens(match_id, version):
            told = await answers(house, token)
            assert told == await answers(empty_house, token), token
            assert all(answer.refused for answer in told), token
    assert stored(house) == before


async def test_no_command_tells_a_stranger_that_there_is_a_match(
    house: House, empty_house: House
) -> None:
    before = stored(house)
    for match_id in await matches_of(house):
        for spec in table():
            for line in (f"/{spec.name} {match_id}", f"/{spec.name} #{match_id}"):
                assert await answers(house, line) == await answers(empty_house, line), line
    assert stored(house) == before


async def test_nothing_is_offered_to_a_stranger_who_begins_to_type(
    house: House, empty_house: House
) -> None:
    for spec in table():
        for line in (f"/{spec.name} ", f"/{spec.name} #", *(f"/{spec.name} {n}" for n in range(9))):
            for place in house.elsewhere:
                offered = await house.mallory.completes(line, place=place)
                assert offered == await empty_house.mallory.completes(line, place=place), line


async def test_no_link_that_a_stranger_makes_up_leads_to_a_match(
    house: House, empty_house: House
) -> None:
    before = stored(house)
    for match_id, version in (await matches_of(house)).items():
        for verb in ABOUT_MATCHES:
            made_up = (f"{verb}-{match_id}", word_of(verb, "a" * 12), f"accept-{match_id}")
            for word in made_up:
                for place in house.elsewhere:
                    told = []
                    for one in (house, empty_house):
                        one.table.clock.forward(1)
                        command = await one.mallory.command(place)
                        told.append(await one.table.commands.followed(command, word))
                    assert told[0] == told[1], word
                    assert told[0].refused, word
            for place in house.elsewhere:
                command = await house.mallory.command(place)
                action = Action(verb, match_id, version)
                assert await house.table.commands.link(command, action) is None
    assert stored(house) == before


async def test_what_a_button_claims_to_be_about_tells_nothing(
    house: House, empty_house: House
) -> None:
    for match_id, version in (await matches_of(house)).items():
        token = Action("board", match_id, version).token
        for game in ("othello", "morris", "nothing"):
            for place in house.elsewhere:
                told = []
                for one in (house, empty_house):
                    one.table.clock.forward(1)
                    command = replace(await one.mallory.command(place), game=game)
                    told.append(await one.table.commands.pressed(command, token))
                assert told[0] == told[1]


# Those whom it concerns


async def test_whoever_plays_sees_a_match_wherever_they_are(house: House) -> None:
    await house.anna.types("/othello new", place=house.cellar)
    await house.ben.presses(
        Action("accept", match_id := await house.table.newest(house.cellar)), place=house.cellar
    )
    for person in (house.anna, house.ben):
        for place in (house.table.lounge, person.direct, house.club):
            assert not (await person.types(f"/moves {match_id}", place=place)).refused


async def test_whoever_is_challenged_sees_the_challenge_wherever_they_are(house: House) -> None:
    await house.anna.types("/morris @Mallory", place=house.cellar)
    match_id = await house.table.newest(house.cellar)
    assert await house.mallory.types(f"/accept {match_id}", place=house.mallory.direct) == NOTHING
    assert (await house.table.live(match_id)).match.status is Status.RUNNING


async def test_everybody_sees_a_match_where_it_is_shown(house: House) -> None:
    for match_id in await rows.in_place(
        house.table.house.store, house.cellar.id, status=[Status.RUNNING]
    ):
        assert not (await house.mallory.types(f"/moves {match_id}", place=house.cellar)).refused
    await house.anna.types("/othello new", place=house.cellar)
    match_id = await house.table.newest(house.cellar)
    assert await house.mallory.types(f"/accept {match_id}", place=house.cellar) == NOTHING


async def test_a_board_brought_to_another_room_is_seen_there(house: House) -> None:
    (match_id, *_) = await rows.in_place(
        house.table.house.store, house.club.id, status=[Status.RUNNING]
    )
    assert (await house.mallory.types(f"/moves {match_id}")).refused
    assert await house.anna.types(f"/board {match_id}") == NOTHING
    assert not (await house.mallory.types(f"/moves {match_id}")).refused


# Codes


async def test_a_code_shows_nobody_a_match_that_they_do_not_play_in(
    house: House, empty_house: House
) -> None:
    """A link into somebody's private conversation stands in a group, where all can follow it."""
    before = stored(house)
    for match_id in await matches_of(house):
        live = await house.table.live(match_id)
        if live.match.status is Status.PROPOSED:
            continue
        for verb in ABOUT_MATCHES:
            house.table.clock.forward(1)
            command = await house.mallory.command(house.mallory.direct)
            word = word_of(verb, live.match.code)
            assert (await house.table.commands.followed(command, word)).refused, word
    assert stored(house) == before


async def test_a_code_that_was_handed_on_takes_the_challenge_anywhere(house: House) -> None:
    anna, mallory = house.anna, house.mallory
    await anna.types("/sogo new", place=anna.direct)
    match_id = await house.table.newest(anna.direct)
    code = said(await anna.types("/matches")).partition("/join ")[2].split()[0]
    assert await mallory.types(f"/join {code.upper()}", place=mallory.direct) == NOTHING
    live = await house.table.live(match_id)
    assert live.match.status is Status.RUNNING
    assert set(live.match.seats) == {anna.id, mallory.id}
    await house.table.settle()
    assert {post.place for post in house.table.wall.of(match_id)} == {
        anna.direct.id,
        mallory.direct.id,
    }


async def test_a_link_does_what_its_code_does(house: House) -> None:
    anna, mallory = house.anna, house.mallory
    await anna.types("/sogo new", place=anna.direct)
    match_id = await house.table.newest(anna.direct)
    commands = house.table.commands
    word = await commands.link(await anna.command(anna.direct), Action("join", match_id))
    assert word is not None
    assert await commands.followed(await mallory.command(mallory.direct), word) == NOTHING
    assert set((await house.table.live(match_id)).match.seats) == {anna.id, mallory.id}


async def test_only_the_challenger_reads_the_code_on_the_challenge(house: House) -> None:
    await house.anna.types("/sogo new", place=house.cellar)
    match_id = await house.table.newest(house.cellar)
    code = (await house.table.live(match_id)).match.code[:4]
    assert code in (await house.table.screen(match_id, house.anna)).text
    for other in (house.ben, house.mallory, None):
        assert code not in (await house.table.screen(match_id, other)).text


@pytest.mark.parametrize("line", ["/join 1", "/join aaaa-aaaa-aaaa", "/join x' or 1=1"])
async def test_a_code_that_was_never_given_is_refused(house: House, line: str) -> None:
    assert said(await house.mallory.types(line)) == house.mallory.says("error-no-such-code")


async def test_without_a_code_one_is_asked_for(house: House) -> None:
    assert said(await house.mallory.types("/join")) == house.mallory.says("error-code-missing")


async def test_the_list_with_the_codes_is_for_one_pair_of_eyes(house: House) -> None:
    await house.anna.types("/sogo new", place=house.anna.direct)
    told = await house.anna.types("/matches", place=house.cellar)
    assert told.private is not None
    assert "/join" in told.private.text
    assert told.private.secret


async def test_ones_own_code_moves_the_board_and_makes_no_second_one(house: House) -> None:
    anna, mallory = house.anna, house.mallory
    await anna.types("/sogo new", place=anna.direct)
    match_id = await house.table.newest(anna.direct)
    code = (await house.table.live(match_id)).match.code
    await mallory.types(f"/join {code}", place=mallory.direct)
    await house.table.settle()
    for person in (anna, mallory, anna):
        assert await person.types(f"/join {code}", place=person.direct) == NOTHING
        assert await person.types(f"/board {match_id}", place=person.direct) == NOTHING
        await house.table.settle()
    posts = house.table.wall.of(match_id)
    assert sorted(post.place for post in posts) == sorted([anna.direct.id, mallory.direct.id])


# Numbers of people


async def test_a_button_that_was_made_up_challenges_nobody(house: House) -> None:
    before = stored(house)
    for user_id in range(1, 9):
        for argument in (
            f"{user_id}.othello",
            f"{user_id}.othello.",
            f"{user_id}.othello.{'0' * 16}",
        ):
            told = await house.mallory.presses(Action("challenge", argument=argument))
            assert said(told) == house.mallory.says("error-button-unknown")
    assert stored(house) == before


async def test_a_button_challenges_whom_it_was_made_for_by_whom(house: House) -> None:
    asked = await house.mallory.types("/challenge @Ben")
    button = buttons(asked)["Othello"]
    told = await house.anna.presses(button)
    assert said(told) == house.anna.says("error-button-unknown")
    assert await house.mallory.presses(button) == NOTHING


async def test_a_code_joins_once(house: House) -> None:
    await house.anna.types("/sogo new", place=house.cellar)
    code = (await house.table.live(await house.table.newest(house.cellar))).match.code
    assert said(await house.anna.types(f"/join {code}")) == house.anna.says("error-accept-own")
    assert await house.ben.types(f"/join {code}") == NOTHING
    assert await house.ben.types(f"/join {code}") == NOTHING
    refused = await house.mallory.types(f"/join {code}")
    assert said(refused) == house.mallory.says("error-challenge-running")


async def test_codes_are_never_the_same_and_hard_to_mistake(house: House) -> None:
    codes = {(await house.table.live(match_id)).match.code for match_id in await matches_of(house)}
    assert len(codes) == len(await matches_of(house))
    assert all(len(code) == 12 and not set(code) & set("ilo01 -") for code in codes)
