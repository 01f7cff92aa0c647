"""A match exists for its players and in its channels, and for no one else.

Two installations have the same people and channels, and one of them has matches. A stranger
presses, types, follows and completes, in every kind of channel. Both must answer alike. Every verb
and every command takes part.
"""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copy

import pytest

import games
from bot.actions import Action
from bot.commands import Answer, Command, Medium, table, verbs
from bot.links import LINKED, word_of
from bot.model import Place, PlaceKind, Status
from bot.store import match_queries, places, puzzles
from tests.bot.posed import pose, puzzle
from tests.bot.table import Person, Table, buttons, file_of, said

NOTHING = Answer()
ABOUT_MATCHES = sorted(LINKED - {"matches", "privacy"})


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
    """Open an installation without games."""
    copy(empty, tmp_path / "without.db")
    app = await opened(tmp_path / "without.db")
    yield app
    await app.table.close()


@pytest.fixture
async def app(tmp_path: Path, empty: Path) -> AsyncIterator[App]:
    """The same with matches of every kind: none concerns the stranger, none is shown to them."""
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
    await anna.types("/sogo @Ben", place=cellar)
    await ben.presses(Action("decline", await app.table.newest(cellar)), place=cellar)
    # No game has these rules, so no person can be given this one.
    await pose(app.table.app.store, puzzle(plies=1, rules=99))
    (kept,) = await puzzles.nearest(
        app.table.app.store, anna.id, game="othello", rules=99, value=0, limit=1
    )
    await app.table.app.matches.begin_puzzle(
        games.get("othello"), kept, place_id=anna.direct.id, user_id=anna.id
    )
    await app.table.settle()
    yield app
    await app.table.close()


async def matches_of(app: App) -> dict[int, int]:
    """Every match of a house with its version."""
    found: list[int] = []
    for place in (app.cellar, app.club, app.anna.direct):
        found += await match_queries.in_place(app.table.app.store, place.id, status=Status)
    return {match_id: (await app.table.loaded(match_id)).match.version for match_id in found}


def stored(app: App) -> list[str]:
    """All that is stored, but who was here when."""
    with (
        closing(sqlite3.connect(file_of(app.table.settings))) as database,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        database.backup(copy)
        copy.execute("UPDATE users SET active = NULL")
        return [*copy.iterdump()]


def tokens(match_id: int, version: int) -> Iterator[str]:
    """One button of each verb, rightly or wrongly made: each of these ways at some match."""
    ways = [(0, ""), (version + 7, ""), (version, ""), (version, "yes"), (version, "d3")]
    for number, verb in enumerate(verbs(), start=match_id):
        seen, argument = ways[number % len(ways)]
        yield Action(verb, match_id, seen, argument).token


async def answers(app: App, token_or_line: str) -> list[Answer]:
    """Return the stranger's answers, in every kind of channel."""
    app.table.clock.forward(1)
    commands = app.table.commands
    ask = commands.typed if token_or_line.startswith("/") else commands.pressed
    return [await ask(command, token_or_line) for command in app.asking]


async def test_there_are_matches_in_every_state(app: App) -> None:
    found = [(await app.table.loaded(match_id)).match for match_id in await matches_of(app)]
    assert {match.status for match in found} == {
        Status.PROPOSED,
        Status.RUNNING,
        Status.OVER,
        Status.DECLINED,
    }
    assert {len(match.seats) for match in found} == {0, 1, 2}
    assert {match.opponent for match in found} >= {None, app.ben.id}


@pytest.mark.sqlite
@pytest.mark.long
async def test_no_button_tells_a_stranger_that_there_is_a_match(app: App, empty_house: App) -> None:
    before = stored(app)
    for match_id, version in (await matches_of(app)).items():
        for token in tokens(match_id, version):
            told = await answers(app, token)
            assert told == await answers(empty_house, token), token
            assert all(answer.refused for answer in told), token
    assert stored(app) == before


@pytest.mark.sqlite
async def test_no_command_tells_a_stranger_that_there_is_a_match(
    app: App, empty_house: App
) -> None:
    before = stored(app)
    for match_id in await matches_of(app):
        for number, spec in enumerate(table(), start=match_id):
            line = f"/{spec.name} {'#' * (number % 2)}{match_id}"
            assert await answers(app, line) == await answers(empty_house, line), line
    # What is no match may be a number of days, which are theirs to take; who takes some lets the
    # house look at its clock first.
    own = ('INTO "holidays"', "'house','clock'")
    assert [line for line in stored(app) if not any(one in line for one in own)] == [
        line for line in before if not any(one in line for one in own)
    ]


@pytest.mark.sqlite
async def test_no_field_tells_a_stranger_that_there_is_a_match(app: App, empty_house: App) -> None:
    before = stored(app)
    for match_id, version in (await matches_of(app)).items():
        for verb in verbs():
            for asking in app.asking[::2]:
                command = replace(asking, verb=verb, match=match_id, version=version, sure=True)
                told = []
                for one in (app, empty_house):
                    one.table.clock.forward(1)
                    told.append(await one.table.commands.run(command))
                assert told[0] == told[1], verb
    assert stored(app) == before


@pytest.mark.sqlite
async def test_what_a_stranger_says_that_they_look_at_tells_nothing(
    app: App, empty_house: App
) -> None:
    for match_id, version in (await matches_of(app)).items():
        for spec in table():
            for asking in app.asking:
                looking = replace(asking, seen={match_id: version}, looked_at=match_id)
                told = []
                for one in (app, empty_house):
                    one.table.clock.forward(1)
                    told.append(await one.table.commands.typed(looking, f"/{spec.name}"))
                assert told[0] == told[1], spec.name


async def test_nothing_is_offered_to_a_stranger_who_begins_to_type(
    app: App, empty_house: App
) -> None:
    for spec in table():
        for line in (f"/{spec.name} ", f"/{spec.name} #", *(f"/{spec.name} {n}" for n in range(9))):
            for place in app.elsewhere:
                offered = await app.mallory.completes(line, place=place)
                assert offered == await empty_house.mallory.completes(line, place=place), line


@pytest.mark.sqlite
async def test_no_link_that_a_stranger_makes_up_leads_to_a_match(
    app: App, empty_house: App
) -> None:
    before = stored(app)
    for match_id, version in (await matches_of(app)).items():
        for verb in ABOUT_MATCHES:
            made_up = (f"{verb}-{match_id}", word_of(verb, "a" * 12), f"accept-{match_id}")
            for word in made_up:
                for place in app.elsewhere:
                    told = []
                    for one in (app, empty_house):
                        one.table.clock.forward(1)
                        command = await one.mallory.command(place)
                        told.append(await one.table.commands.followed(command, word))
                    assert told[0] == told[1], word
                    assert told[0].refused, word
            for place in app.elsewhere:
                command = await app.mallory.command(place)
                action = Action(verb, match_id, version)
                assert await app.table.commands.link(command, action) is None
    assert stored(app) == before


async def test_what_a_button_claims_to_be_about_tells_nothing(app: App, empty_house: App) -> None:
    for match_id, version in (await matches_of(app)).items():
        token = Action("board", match_id, version).token
        for game in ("othello", "morris", "nothing"):
            for place in app.elsewhere:
                told = []
                for one in (app, empty_house):
                    one.table.clock.forward(1)
                    command = replace(await one.mallory.command(place), game=game)
                    told.append(await one.table.commands.pressed(command, token))
                assert told[0] == told[1]


# Those whom it concerns


async def test_whoever_plays_sees_a_match_wherever_they_are(app: App) -> None:
    await app.anna.types("/othello new", place=app.cellar)
    await app.ben.presses(
        Action("accept", match_id := await app.table.newest(app.cellar)), place=app.cellar
    )
    for person in (app.anna, app.ben):
        for place in (app.table.lounge, person.direct, app.club):
            assert not (await person.types(f"/moves {match_id}", place=place)).refused


async def test_whoever_is_challenged_sees_the_challenge_wherever_they_are(app: App) -> None:
    await app.anna.types("/morris @Mallory", place=app.cellar)
    match_id = await app.table.newest(app.cellar)
    assert await app.mallory.types(f"/accept {match_id}", place=app.mallory.direct) == NOTHING
    assert (await app.table.loaded(match_id)).match.status is Status.RUNNING


async def test_everybody_sees_a_match_where_it_is_shown(app: App) -> None:
    for match_id in await match_queries.in_place(
        app.table.app.store, app.cellar.id, status=[Status.RUNNING]
    ):
        assert not (await app.mallory.types(f"/moves {match_id}", place=app.cellar)).refused
    await app.anna.types("/othello new", place=app.cellar)
    match_id = await app.table.newest(app.cellar)
    assert await app.mallory.types(f"/accept {match_id}", place=app.cellar) == NOTHING


async def test_a_board_brought_to_another_room_is_seen_there(app: App) -> None:
    (match_id, *_) = await match_queries.in_place(
        app.table.app.store, app.club.id, status=[Status.RUNNING]
    )
    assert (await app.mallory.types(f"/moves {match_id}")).refused
    assert await app.anna.types(f"/board {match_id}") == NOTHING
    assert not (await app.mallory.types(f"/moves {match_id}")).refused


# Codes


@pytest.mark.sqlite
async def test_a_code_shows_nobody_a_match_that_they_do_not_play_in(
    app: App, empty_house: App
) -> None:
    before = stored(app)
    for match_id in await matches_of(app):
        loaded = await app.table.loaded(match_id)
        if loaded.match.status is Status.PROPOSED:
            continue
        for verb in ABOUT_MATCHES:
            app.table.clock.forward(1)
            command = await app.mallory.command(app.mallory.direct)
            word = word_of(verb, loaded.match.code)
            assert (await app.table.commands.followed(command, word)).refused, word
    assert stored(app) == before


async def test_a_code_that_was_handed_on_takes_the_challenge_anywhere(app: App) -> None:
    anna, mallory = app.anna, app.mallory
    await anna.types("/sogo new", place=anna.direct)
    match_id = await app.table.newest(anna.direct)
    code = said(await anna.types("/matches")).partition("/join ")[2].split()[0]
    assert await mallory.types(f"/join {code.upper()}", place=mallory.direct) == NOTHING
    loaded = await app.table.loaded(match_id)
    assert loaded.match.status is Status.RUNNING
    assert set(loaded.match.seats) == {anna.id, mallory.id}
    await app.table.settle()
    assert {post.place for post in app.table.wall.of(match_id)} == {
        anna.direct.id,
        mallory.direct.id,
    }


async def test_a_link_does_what_its_code_does(app: App) -> None:
    anna, mallory = app.anna, app.mallory
    await anna.types("/sogo new", place=anna.direct)
    match_id = await app.table.newest(anna.direct)
    commands = app.table.commands
    word = await commands.link(await anna.command(anna.direct), Action("join", match_id))
    assert word is not None
    assert await commands.followed(await mallory.command(mallory.direct), word) == NOTHING
    assert set((await app.table.loaded(match_id)).match.seats) == {anna.id, mallory.id}
    assert await commands.link(await anna.command(anna.direct), Action("join", 999)) is None


async def test_only_the_challenger_reads_the_code_on_the_challenge(app: App) -> None:
    await app.anna.types("/sogo new", place=app.cellar)
    match_id = await app.table.newest(app.cellar)
    code = (await app.table.loaded(match_id)).match.code[:4]
    assert code in (await app.table.screen(match_id, app.anna)).text
    for other in (app.ben, app.mallory, None):
        assert code not in (await app.table.screen(match_id, other)).text


@pytest.mark.parametrize("line", ["/join 1", "/join aaaa-aaaa-aaaa", "/join x' or 1=1"])
async def test_a_code_that_was_never_given_is_refused(app: App, line: str) -> None:
    assert said(await app.mallory.types(line)) == app.mallory.says("error-no-such-code")


async def test_without_a_code_one_is_asked_for(app: App) -> None:
    assert said(await app.mallory.types("/join")) == app.mallory.says("error-code-missing")


async def test_the_list_with_the_codes_is_for_one_pair_of_eyes(app: App) -> None:
    await app.anna.types("/sogo new", place=app.anna.direct)
    told = await app.anna.types("/matches", place=app.cellar)
    assert told.private is not None
    assert "/join" in told.private.text
    assert told.private.secret


async def test_ones_own_code_moves_the_board_and_makes_no_second_one(app: App) -> None:
    anna, mallory = app.anna, app.mallory
    await anna.types("/sogo new", place=anna.direct)
    match_id = await app.table.newest(anna.direct)
    code = (await app.table.loaded(match_id)).match.code
    await mallory.types(f"/join {code}", place=mallory.direct)
    await app.table.settle()
    for person in (anna, mallory, anna):
        assert await person.types(f"/join {code}", place=person.direct) == NOTHING
        assert await person.types(f"/board {match_id}", place=person.direct) == NOTHING
        await app.table.settle()
    posts = app.table.wall.of(match_id)
    assert sorted(post.place for post in posts) == sorted([anna.direct.id, mallory.direct.id])


# Numbers of people


@pytest.mark.sqlite
async def test_a_button_that_was_made_up_challenges_nobody(app: App) -> None:
    before = stored(app)
    for user_id in range(1, 9):
        for argument in (
            f"{user_id}.othello",
            f"{user_id}.othello.",
            f"{user_id}.othello.{'0' * 16}",
        ):
            told = await app.mallory.presses(Action("challenge", argument=argument))
            assert said(told) == app.mallory.says("error-button-unknown")
    assert stored(app) == before


async def test_a_button_challenges_whom_it_was_made_for_by_whom(app: App) -> None:
    context = await app.mallory.types("/challenge @Ben")
    button = buttons(context)["Othello"]
    # 64 bits, more than anybody can try, and no more, for keys are short.
    assert len(button.action.argument.rpartition(".")[2]) == 16
    told = await app.anna.presses(button)
    assert said(told) == app.anna.says("error-button-unknown")
    assert await app.mallory.presses(button) == NOTHING


async def test_a_code_joins_once(app: App) -> None:
    await app.anna.types("/sogo new", place=app.cellar)
    code = (await app.table.loaded(await app.table.newest(app.cellar))).match.code
    assert said(await app.anna.types(f"/join {code}")) == app.anna.says("error-accept-own")
    assert await app.ben.types(f"/join {code}") == NOTHING
    assert await app.ben.types(f"/join {code}") == NOTHING
    refused = await app.mallory.types(f"/join {code}")
    assert said(refused) == app.mallory.says("error-challenge-running")


@pytest.mark.sqlite
@pytest.mark.parametrize("besides", ["blocked", "blocks", "begins nothing here"])
async def test_the_code_of_a_challenge_for_a_username_is_none_to_all_others(
    app: App, besides: str
) -> None:
    """Nor does another reason why they could not take it up tell them that there is one."""
    anna, mallory, table = app.anna, app.mallory, app.table
    named = replace(await anna.command(app.cellar), medium=Medium(usernames="[a-z0-9_]{5,32}"))
    assert await table.commands.typed(named, "/othello @eve_1999") == NOTHING
    code = (await table.loaded(await table.newest(app.cellar))).match.code
    match besides:
        case "blocked":
            await anna.types("/block @Mallory")
        case "blocks":
            await mallory.types("/block @Anna")
        case "begins nothing here":
            await places.change_place(
                table.app.store, table.lounge.id, settings={"begin": "managers"}
            )
    never_given = await mallory.types("/join aaaa-aaaa-aaaa")
    assert said(never_given) == mallory.says("error-no-such-code")
    assert await mallory.types(f"/join {code}") == never_given


async def test_codes_are_never_the_same_and_hard_to_mistake(app: App) -> None:
    codes = {(await app.table.loaded(match_id)).match.code for match_id in await matches_of(app)}
    assert len(codes) == len(await matches_of(app))
    assert all(len(code) == 12 and not set(code) & set("ilo01 -") for code in codes)
