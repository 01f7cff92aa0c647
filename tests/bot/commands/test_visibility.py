"""A match exists for its players and in its channels, and for no one else.

Two installations have the same people and channels, and one of them has matches. A stranger
presses, types, follows and completes, in every kind of channel. Both must answer alike. Every verb
and every command takes part.
"""

import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from shutil import copy
from typing import Any, TypeVar

import pytest

from bot.commands import Answer, Command, table, verbs
from bot.delivery.rooms import Rooms, Visitor
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.links import LINKED, word_of
from bot.domain.model import Place, PlaceKind, Status
from bot.matches import sharing
from bot.store import match_queries, places, puzzles
from bot.support.platforms import Medium
from tests.bot.posed import pose, puzzle, try_puzzle
from tests.bot.table import NOTHING, Person, Table, buttons, file_of, said, screen_of

ABOUT_MATCHES = sorted(LINKED - {"matches", "privacy", "records"})


@dataclass(frozen=True, slots=True)
class App:
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


async def opened(path: Path) -> App:
    at = await Table.open(path, open_challenges_per_person=100)
    anna, ben, mallory = [await at.arrive(name) for name in ("Anna", "Ben", "Mallory")]
    cellar = await at.channel("cellar")
    store, kind = at.app.store, PlaceKind.CHANNEL
    club = await places.get_or_create_place(
        store, "discord", "1/2", kind=kind, title="#club", community="1"
    )
    square = await places.get_or_create_place(
        store, "discord", "9/9", kind=kind, title="#square", community="9"
    )
    group = await places.get_or_create_place(
        store, "telegram", "-7", kind=kind, title="Group", community="-7"
    )
    everywhere = (at.lounge, mallory.direct, square, group)
    # Names and languages do not change here, so each is read once.
    asking = [await mallory.command(place) for place in everywhere]
    return App(at, anna, ben, mallory, cellar, club, everywhere, tuple(asking))


@pytest.fixture
async def empty_house(tmp_path: Path, empty: Path) -> AsyncIterator[App]:
    copy(empty, tmp_path / "without.db")
    app = await opened(tmp_path / "without.db")
    yield app
    await app.table.close()


@pytest.fixture
async def app(tmp_path: Path, empty: Path) -> AsyncIterator[App]:
    """Open an installation with games of every kind, none of them visible to the stranger."""
    copy(empty, tmp_path / "with.db")
    app = await opened(tmp_path / "with.db")
    anna, ben, cellar, club = app.anna, app.ben, app.cellar, app.club
    for place in (cellar, club, anna.direct):
        await anna.types("/othello new black", place=place)
    await anna.types("/morris @Ben white", place=cellar)
    for line, place in (("othello", cellar), ("sogo", club), ("blackbox hide", cellar)):
        await anna.types(f"/challenge @Ben {line} second", place=place)
        await ben.presses(Action("accept", await app.table.newest(place)), place=place)
    await anna.types("/blackbox new", place=anna.direct)
    for line, place in (("moyo", cellar), ("othello", anna.direct)):
        await anna.types(f"/challenge @Ben {line} first", place=place)
        match_id = await app.table.newest(place)
        await ben.presses(Action("accept", match_id))
        loaded = await app.table.loaded(match_id)
        await anna.presses(Action("resign", match_id, loaded.match.version, "yes"), place=place)
        await sharing.share(app.table.app.matches, await app.table.loaded(match_id), anna.id)
    # A closed study, and an open one.
    await anna.presses(Action("try", match_id, 0, "0"))
    await anna.types(f"/resign {await app.table.newest(anna.direct)}", place=anna.direct)
    await anna.presses(Action("try", match_id, 0, "0"))
    await anna.types("/sogo @Ben", place=cellar)
    await ben.presses(Action("decline", await app.table.newest(cellar)), place=cellar)
    # No game has these rules, so no person can be given this one.
    await pose(app.table.app.store, puzzle(plies=1, rules=99))
    (kept,) = await puzzles.nearest(app.table.app.store, anna.id, game="othello", rules=99, limit=1)
    await try_puzzle(app.table, anna, kept)
    await app.table.settle()
    yield app
    await app.table.close()


async def matches_of(app: App) -> dict[int, int]:
    """Return the version of every match."""
    found: list[int] = []
    for place in (app.cellar, app.club, app.anna.direct):
        found += await match_queries.in_place(app.table.app.store, place.id, status=Status)
    return {match_id: (await app.table.loaded(match_id)).match.version for match_id in found}


def stored(app: App) -> list[str]:
    """Dump the database without when and where users were active."""
    with (
        closing(sqlite3.connect(file_of(app.table.settings))) as database,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        database.backup(copy)
        copy.execute("UPDATE users SET active = NULL, active_in = NULL")
        return [*copy.iterdump()]


T = TypeVar("T")
one_in = pytest.mark.parametrize("one_in", [3, pytest.param(1, marks=pytest.mark.slow)])
"""Tries a part of all verbs on each match, and all of them in `make test-all`."""


def some(every: Iterable[T], match_id: int, one_in: int) -> Iterator[tuple[int, T]]:
    """Yield another part of `every` for each match, numbered."""
    return islice(enumerate(every, start=match_id), match_id % one_in, None, one_in)


def tokens(match_id: int, version: int, one_in: int) -> Iterator[str]:
    """Yield one button of each verb, valid or not, in one of several forms."""
    ways = [(0, ""), (version + 7, ""), (version, ""), (version, "yes"), (version, "d3")]
    for number, verb in some(verbs(), match_id, one_in):
        seen, argument = ways[number % len(ways)]
        yield Action(verb, match_id, seen, argument).token


async def answered_alike(
    app: App, empty_house: App, turn: int, way: str, *what: str, **about: Any
) -> Answer:
    """Check that both installations answer the stranger alike, and return the answer."""
    answers: list[Answer] = []
    for one in (app, empty_house):
        one.table.clock.forward(1)
        command = replace(one.asking[turn % len(one.asking)], **about)
        answers.append(await getattr(one.table.commands, way)(command, *what))
    assert answers[0] == answers[1], (way, what, about)
    return answers[0]


@pytest.mark.sqlite
@one_in
async def test_no_button_field_or_link_tells_a_stranger_that_there_is_a_match(
    app: App, empty_house: App, one_in: int
) -> None:
    before, every = stored(app), await matches_of(app)
    found = [(await app.table.loaded(match_id)).match for match_id in every]
    assert {match.status for match in found} == {
        Status.PROPOSED,
        Status.RUNNING,
        Status.OVER,
        Status.DECLINED,
    }
    assert {len(match.seats) for match in found} == {0, 1, 2}
    assert {match.opponent for match in found} >= {None, app.ben.id}
    for match_id, version in every.items():
        turn = count(match_id)
        for token in tokens(match_id, version, one_in):
            answer = await answered_alike(app, empty_house, next(turn), "run_button", token)
            assert answer.refused, token
        for _, verb in some(verbs(), match_id, one_in):
            field = {"verb": verb, "match": match_id, "version": version, "value": "yes"}
            await answered_alike(app, empty_house, next(turn), "run", **field)
        # A button may claim to be about any game.
        token = Action("board", match_id, version).token
        for game in ("othello", "morris", "nothing"):
            await answered_alike(app, empty_house, next(turn), "run_button", token, game=game)
        for verb in ABOUT_MATCHES:
            for word in (f"{verb}-{match_id}", word_of(verb, "a" * 12), f"accept-{match_id}"):
                answer = await answered_alike(app, empty_house, next(turn), "followed", word)
                assert answer.refused, word
            # A code shows only the challenge.
            match = (await app.table.loaded(match_id)).match
            if match.status is not Status.PROPOSED:
                app.table.clock.forward(1)
                word = word_of(verb, match.code)
                assert (await app.table.commands.followed(app.asking[1], word)).refused, word
                empty_house.table.clock.forward(1)
            for asking in app.asking:
                action = Action(verb, match_id, version)
                assert await app.table.commands.link(asking, action) is None
    assert stored(app) == before


@pytest.mark.sqlite
async def test_no_address_list_or_typed_move_of_the_web_app_tells_a_stranger_that_there_is_a_match(
    app: App, empty_house: App
) -> None:
    before, every = stored(app), await matches_of(app)
    houses: list[tuple[Rooms, Visitor]] = []
    for one in (app, empty_house):
        rooms = Rooms(one.table.app)
        rooms.channels["lounge"] = one.table.lounge
        places = {place.id: place for place in (one.table.lounge, one.mallory.direct)}
        visitor = Visitor(await one.mallory.user(), one.mallory.identity, places=places)
        houses.append((rooms, visitor))
        assert await rooms.of_others(visitor) == []
        assert await rooms.open_of(visitor) == []
    for match_id, version in every.items():
        match = (await app.table.loaded(match_id)).match
        # The page of a shared game has a code that no one can guess.
        for guess in (match.code, str(match_id), ""):
            with pytest.raises(Refused, match="no-such-code"):
                await sharing.shared(app.table.app.matches, guess)
        if not match.is_open:
            # The code of an open challenge was given to those who have it, and is then used up.
            codes = {"no-such-code", "code-used"} if match.was_open else {"no-such-code"}
            for rooms, visitor in houses:
                with pytest.raises(Refused) as refused:
                    await rooms.find(visitor, match.code)
                assert refused.value.code in codes
                assert "match" not in refused.value.details
        assert await houses[0][0].place_of(houses[0][1], match_id) is None
        for message in range(1, 30):
            assert await houses[0][0].picture(message, houses[0][1]) is None
        turn = count(match_id)
        for move in ("d3", "a1", "ask 1", "hide c3"):
            about = {"match": match_id, "version": version, "move": move}
            about["viewed_match"] = match_id
            assert await answered_alike(app, empty_house, next(turn), "run_text", **about) is None
    assert stored(app) == before


@pytest.mark.sqlite
async def test_no_list_of_finished_games_tells_a_stranger_that_there_is_one(
    app: App, empty_house: App
) -> None:
    before = stored(app)
    for turn in range(len(app.elsewhere)):
        for line in ("/history @Anna", "/history ben lost", "/history @anna othello", "/history"):
            listed = screen_of(await answered_alike(app, empty_house, turn, "run_line", line))
            assert not listed.rows
        # A made-up button does not even learn the name.
        for person in (app.anna.id, app.ben.id, 999):
            for argument in (f"..{person}.0", f"othello.won.{person}.1"):
                token = Action("played", argument=argument).token
                answer = await answered_alike(app, empty_house, turn, "run_button", token)
                assert said(answer) == app.mallory.says("error-button-unknown")
    assert stored(app) == before


@pytest.mark.sqlite
@one_in
async def test_no_command_tells_a_stranger_that_there_is_a_match(
    app: App, empty_house: App, one_in: int
) -> None:
    before = stored(app)
    # What follows /import is a record.
    specs = [spec for spec in table() if spec.name != "import"]
    for match_id, version in (await matches_of(app)).items():
        turn = count(match_id)
        for number, spec in some(specs, match_id, one_in):
            line = f"/{spec.name} {'#' * (number % 2)}{match_id}"
            await answered_alike(app, empty_house, next(turn), "run_line", line)
            # Half of the commands come with a board that the stranger claims to look at.
            if number % 2 == 0:
                seen = {"seen": {match_id: version}, "viewed_match": match_id}
                line = f"/{spec.name}"
                await answered_alike(app, empty_house, next(turn), "run_line", line, **seen)
    # What is no match may be a number of days, which are theirs to take; who takes some lets the
    # house look at its clock first.
    own = ('INTO "holidays"', "'house','clock'")
    assert [line for line in stored(app) if not any(one in line for one in own)] == [
        line for line in before if not any(one in line for one in own)
    ]


async def test_completion_offers_a_stranger_no_match(app: App, empty_house: App) -> None:
    for at, spec in enumerate(table()):
        for end in ("", "#", *map(str, range(1, 9, 2))):
            line = f"/{spec.name} {end}"
            place = app.elsewhere[at % len(app.elsewhere)]
            offered = await app.mallory.completes(line, place=place)
            assert offered == await empty_house.mallory.completes(line, place=place), line


async def test_a_match_is_seen_by_its_players_everywhere_and_by_others_where_it_is_shown(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    cellar, garden = await table.channel("cellar"), await table.channel("garden")
    match_id = await anna.starts("/othello new", place=cellar)
    await ben.types("/accept", place=cellar)
    for person in (anna, ben):
        for place in (table.lounge, person.direct, garden):
            assert not (await person.types(f"/moves {match_id}", place=place)).refused
    assert not (await cleo.types(f"/moves {match_id}", place=cellar)).refused
    # A board that is brought to another channel is seen there.
    assert (await cleo.types(f"/moves {match_id}")).refused
    assert await anna.types(f"/board {match_id}") == NOTHING
    assert not (await cleo.types(f"/moves {match_id}")).refused
    match_id = await anna.starts("/sogo new", place=cellar)
    assert await cleo.types(f"/accept {match_id}", place=cellar) == NOTHING
    # A challenged player sees the challenge everywhere.
    match_id = await anna.starts("/morris @Cleo", place=cellar)
    assert await cleo.types(f"/accept {match_id}", place=cleo.direct) == NOTHING
    assert await table.status(match_id) is Status.RUNNING


async def test_a_code_is_accepted_anywhere_once_and_then_moves_the_board(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await anna.starts("/sogo new", place=anna.direct)
    listed = await anna.types("/matches")
    assert screen_of(listed).secret
    code = said(listed).partition("/join ")[2].split()[0]
    # Only the challenger reads the code.
    assert code[:4] in (await table.screen(match_id, anna)).text
    for other in (ben, cleo, None):
        assert code[:4] not in (await table.screen(match_id, other)).text
    garden = await table.channel("garden")
    own = await anna.types(f"/join {code}", place=garden)
    assert said(own) == anna.says("error-accept-own")
    assert await cleo.types(f"/join {code.upper()}", place=cleo.direct) == NOTHING
    loaded = await table.loaded(match_id)
    assert loaded.match.status is Status.RUNNING
    assert set(loaded.match.seats) == {anna.id, cleo.id}
    assert (await ben.types(f"/join {code}", place=garden)).refused
    await table.settle()
    # Later it moves the board to its player, and makes no second one.
    for person in (anna, cleo, anna):
        assert await person.types(f"/join {code}", place=person.direct) == NOTHING
        assert await person.types(f"/board {match_id}", place=person.direct) == NOTHING
        await table.settle()
    posts = table.wall.of(match_id)
    assert sorted(post.place for post in posts) == sorted([anna.direct.id, cleo.direct.id])


async def test_a_code_that_does_not_exist_is_refused(anna: Person) -> None:
    for line in ("/join 1", "/join aaaa-aaaa-aaaa", "/join x' or 1=1"):
        assert said(await anna.types(line)) == anna.says("error-no-such-code")
    assert said(await anna.types("/join")) == anna.says("error-code-missing")


async def test_a_button_challenges_whom_it_was_made_for_by_whom(
    anna: Person, ben: Person, cleo: Person
) -> None:
    button = buttons(await cleo.types("/challenge @Ben"))["Othello"]
    # 64 bits, more than anybody can try, and no more, for keys are short.
    assert len(button.action.argument.rpartition(".")[2]) == 16
    assert said(await anna.presses(button)) == anna.says("error-button-unknown")
    assert await cleo.presses(button) == NOTHING


async def test_the_code_of_a_challenge_for_a_username_is_unknown_to_all_others(
    table: Table, anna: Person, cleo: Person
) -> None:
    """Other reasons for a refusal do not reveal the challenge either."""
    cellar = await table.channel("cellar")
    named = replace(await anna.command(cellar), medium=Medium(usernames="[a-z0-9_]{5,32}"))
    assert await table.commands.run_line(named, "/othello @eve_1999") == NOTHING
    code = (await table.loaded(await table.newest(cellar))).match.code
    unknown = await cleo.types("/join aaaa-aaaa-aaaa")
    assert said(unknown) == cleo.says("error-no-such-code")
    assert await cleo.types(f"/join {code}") == unknown
    # The channel of the challenge names its addressee.
    here = await cleo.types(f"/join {code}", place=cellar)
    assert said(here) == cleo.says("error-challenge-for-other")
    for person, line in ((anna, "/block @Cleo"), (anna, "/unblock @Cleo"), (cleo, "/block @Anna")):
        await person.types(line)
        assert await cleo.types(f"/join {code}") == unknown, line
    await cleo.types("/unblock @Anna")
    await places.change_place(table.app.store, table.lounge.id, settings={"begin": "managers"})
    assert await cleo.types(f"/join {code}") == unknown
