"""Boards in the rooms of the web app: who sees them, and what they say to whom."""

import asyncio
import gc
from dataclasses import replace

import pytest

from bot.commands import Answer
from bot.delivery.rooms import DIRECT_ROOM, Posted
from bot.domain.errors import Refused
from bot.domain.model import Place, Status
from bot.matches import MatchState, reading
from bot.screens import Reader, Screen
from bot.store import boards, match_queries, personal_data, upkeep
from bot.store import rooms as rows
from bot.store.rooms import Message
from bot.support.errors import StoreError
from bot.support.platforms import Medium
from bot.support.texts import Texts
from tests.bot.delivery.test_rooms import enters, limit_lines, opened, says, text_for
from tests.bot.failing import fails
from tests.bot.store.sql import execute
from tests.bot.table import A_MOMENT, Person, Table, buttons, said
from tests.optional import not_none


async def test_nobody_sees_a_board_of_a_room_that_they_are_not_in(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _, lounge = await opened(table)

    async def message_of(place: Place) -> Message:
        match_id = await table.newest(place)
        (board,) = await boards.of_match(table.app.store, match_id, place_id=place.id)
        shown = await rooms.show(place, board, message_id=None)
        return not_none(await rows.message(table.app.store, shown))

    await anna.types("/blackbox new", place=anna.direct)
    private = await message_of(anna.direct)
    assert await rooms.picture(private.id, await enters(rooms, anna)) is not None
    assert await rooms.picture(private.id, await enters(rooms, ben)) is None
    await anna.types("/othello new", place=lounge)
    public = await message_of(lounge)
    assert await rooms.picture(public.id, await enters(rooms, ben)) is not None
    # An old channel that no longer exists has no room.
    del rooms.channels["lounge"]
    assert await rooms.picture(public.id, await enters(rooms, ben)) is None
    rooms.channels["lounge"] = lounge
    await rooms.delete(public.id)
    assert await rooms.picture(public.id, await enters(rooms, ben)) is None
    assert await rooms.picture(10_000, await enters(rooms, ben)) is None


async def test_the_address_of_a_challenge_for_a_username_shows_nothing_to_others(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _, _ = await opened(table)
    named = replace(await anna.command(anna.direct), medium=Medium(usernames="[a-z0-9_]{5,32}"))
    assert await table.commands.run_line(named, "/othello @eve_1999") == Answer()
    match = (await table.loaded(await table.newest(anna.direct))).match
    for code in (match.code, "aaaabbbbcccc"):
        with pytest.raises(Refused) as refused:
            await rooms.find(await enters(rooms, ben), code)
        assert (refused.value.code, refused.value.details) == ("no-such-code", {})
    assert (await rooms.find(await enters(rooms, anna), match.code))[0] == match.id


@pytest.mark.both
async def test_a_board_that_somebody_brings_into_a_room_is_one_of_their_lines(
    table: Table, anna: Person, ben: Person
) -> None:
    limit_lines(table, per_hour=3)
    for game in ("othello", "sogo"):
        await anna.types(f"/{game} computer", place=anna.direct)
    ids = await match_queries.of_user(table.app.store, anna.id, status=[Status.RUNNING])
    for match_id in (*ids, ids[0]):
        assert await anna.types(f"/board {match_id}") == Answer()
    table.clock.forward(60)
    refusal = await anna.types(f"/board {ids[1]}")
    assert said(refusal) == anna.says("error-too-many-lines", count=3, minutes=59)
    # In the private chat there is no limit, and each person has their own.
    assert await anna.types(f"/board {ids[1]}", place=anna.direct) == Answer()
    assert await ben.types(f"/board {ids[0]}") == Answer()
    await upkeep.purge(table.app.store)
    assert len((await personal_data.export(table.app.store, anna.id))["boards shown in rooms"]) == 3
    table.clock.forward(3600)
    assert await anna.types(f"/board {ids[1]}") == Answer()
    await upkeep.purge(table.app.store)
    assert len((await personal_data.export(table.app.store, anna.id))["boards shown in rooms"]) == 1


@pytest.mark.parametrize("begins", ["othello new", "othello @Cleo"])
async def test_what_somebody_begins_in_a_room_is_one_of_their_lines(
    table: Table, anna: Person, ben: Person, cleo: Person, begins: str
) -> None:
    rooms, _, lounge = await opened(table)
    limit_lines(table, per_hour=3)
    await says(rooms, anna, "a line", lounge)
    for line in (begins, "othello new reversi"):
        assert not (await anna.types(f"/{line}")).refused
    refusal = await anna.types("/sogo new")
    assert refusal.refused
    assert refusal.private is not None
    assert refusal.private.text == anna.says("error-too-many-lines", count=3, minutes=60)
    with pytest.raises(Refused, match="too-many-lines"):
        await says(rooms, anna, "another", lounge)
    # Other rooms and other people have their own limits, and the limit ends after an hour.
    assert not (await anna.types("/sogo new", place=anna.direct)).refused
    assert not (await ben.types("/sogo new")).refused
    table.clock.forward(3600)
    assert not (await anna.types("/sogo new")).refused


async def test_a_board_that_is_no_more_or_cannot_be_read_is_nothing_or_says_why(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, heard, lounge = await opened(table)
    store, her = table.app.store, await enters(rooms, anna)
    match_id = await anna.starts("/othello new", place=lounge)
    (board,) = await boards.of_match(store, match_id)
    shown = await rooms.show(lounge, board, message_id=None)
    await execute(store, f"UPDATE boards SET message = '{shown}'")
    message = (await rooms.messages_of(her, [match_id], [lounge.id]))[match_id]
    assert message.id == shown
    assert await rooms.messages_of(her, [match_id], [rooms.channels["garden"].id]) == {}
    (posted,) = heard.posted

    with monkeypatch.context() as patch:
        fails(patch, reading, "get", Refused("challenge-over"))
        text = Texts("en")("error-challenge-over")
        assert await text_for(rooms, posted, anna) == text
        assert await rooms.picture(shown, her) is None
    await boards.drop(store, [board.id])
    old = Posted(message)
    assert await text_for(rooms, old, anna) == ""
    assert await rooms.picture(shown, her) is None


async def test_each_sees_a_board_as_they_may_and_like_it_and_it_is_drawn_once_for_all_alike(
    table: Table, anna: Person, ben: Person, cleo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, heard, lounge = await opened(table)
    dora = await table.arrive("Dora")
    await anna.types("/othello new", place=lounge)
    (board,) = await boards.of_match(table.app.store, await table.newest(lounge))
    await rooms.show(lounge, board, message_id=None)
    (posted,), made, match = heard.posted, list[int | None](), table.app.screens.match

    async def noted(shown: MatchState, reader: Reader, *, seat: int | None) -> Screen:
        made.append(reader.user.id if reader.user else None)
        # Other requests arrive during the rendering.
        await asyncio.sleep(0.02)
        return await match(shown, reader, seat=seat)

    monkeypatch.setattr(table.app.screens, "match", noted)
    readers = [await enters(rooms, one) for one in (cleo, anna, dora)]
    readers.append(replace(await enters(rooms, ben), locale="de"))
    seen = await asyncio.gather(*(rooms.render(posted, one) for one in readers))
    screens = [found[1] for found in seen if found is not None]
    assert [isinstance(one, Screen) and bool(one.share) for one in screens] == [
        False,
        True,
        False,
        False,
    ]
    titles = [one.title for one in screens if isinstance(one, Screen)]
    assert titles[0] == titles[2] != titles[3]
    # Hers for the code, his for the language, and one for all the others.
    assert len(made) == 3
    assert screens[0] is screens[2]
    assert not rooms._drawing
    # Nor is it drawn again for who comes later.
    again = await rooms.render(posted, readers[0])
    assert (again and again[1]) is screens[0]
    assert len(made) == 3


async def test_ones_own_board_is_where_an_open_match_is_found(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _, lounge = await opened(table)
    her = await enters(rooms, anna)
    match_id = await table.begin(anna, ben, words="blackbox hide")
    await table.begin(anna, ben)

    async def found() -> dict[int, str]:
        return {one.match: one.room for one in await rooms.open_of(her)}

    assert await found() == {match_id: "lounge", match_id + 1: "lounge"}
    await anna.types(f"/board {match_id}", place=anna.direct)
    assert await found() == {match_id: DIRECT_ROOM, match_id + 1: "lounge"}
    # Public challenges come after it, though they are newer.
    await anna.types(f"/board {match_id}", place=rooms.channels["garden"])
    assert await found() == {match_id: DIRECT_ROOM, match_id + 1: "lounge"}
    await anna.types("/blackbox new", place=lounge)
    await anna.types("/othello new", place=rooms.channels["garden"])
    others = {one.match: one.other for one in await rooms.open_of(her)}
    # Open challenges and solo games have no opponent.
    assert sorted(others.values()) == ["", "", "Ben", "Ben"]


async def test_what_one_is_offered_and_what_is_said_to_it_is_heard_in_every_room(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)
    her = await enters(rooms, anna)
    match_id = await table.begin(anna, ben, moves="d3,c3,c4")
    (board,) = await boards.of_match(table.app.store, match_id)
    await rooms.show(lounge, board, message_id=None)

    async def state() -> list[object]:
        """Return what Anna and Ben are notified of, and what waits for Anna."""
        found: list[object] = []
        (shown,) = await boards.of_match(table.app.store, match_id)
        for person in (anna, ben):
            posted = Posted(heard.posted[0].message, shown)
            seen = not_none(await rooms.render(posted, await enters(rooms, person)))
            assert isinstance(seen[1], Screen)
            found.append(seen[1].news)
        for one in await rooms.open_of(her):
            found += [one.waits, one.turn, one.offers]
        return found

    # Whose turn it is, says the list of what is open.
    assert await state() == ["", "", False, False, 0]
    await ben.types("/draw")
    offered = anna.says(
        "notice-offered", game="Othello", match=match_id, how=anna.says("offer-draw", name="Ben")
    )
    assert await state() == [offered, "", True, False, 1]
    # It leads there, too.
    assert await anna.types("/next") == Answer()
    table.clock.forward(A_MOMENT)
    await anna.presses(buttons(await table.screen(match_id))["Decline"])
    declined = anna.says("offer-draw-declined", name="Anna")
    told = anna.says("notice-refused", game="Othello", match=match_id, how=declined)
    assert await state() == ["", told, False, False, 0]
    # The board shows it too, until the next move.
    assert declined in (await table.screen(match_id, anna)).text
    await table.plays(match_id, "e3")
    assert await state() == ["", "", True, True, 0]
    # An offer leaves it as much one's turn as it was.
    await ben.types("/clock 3d")
    assert (await state())[2:] == [True, True, 1]
    await ben.types("/withdraw")
    assert declined not in (await table.screen(match_id, anna)).text
    await table.given_up(match_id, ben)
    hers, his, *_ = await state()
    assert (str(hers).partition(".")[0], his) == (f"Othello, game {match_id} is over", "")


async def test_a_board_for_which_nobody_waits_any_more_may_fail_and_nobody_is_told(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, heard, lounge = await opened(table)
    await anna.types("/othello new", place=lounge)
    (board,) = await boards.of_match(table.app.store, await table.newest(lounge))
    await rooms.show(lounge, board, message_id=None)
    (posted,), began, ends = heard.posted, asyncio.Event(), asyncio.Event()

    async def fails(*_: object, **__: object) -> Screen:
        began.set()
        await ends.wait()
        raise StoreError("the database is away")

    monkeypatch.setattr(table.app.screens, "match", fails)
    told: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, of: told.append(of["message"]))
    looking = asyncio.create_task(rooms.render(posted, await enters(rooms, ben)))
    await began.wait()
    looking.cancel()
    await asyncio.wait([looking])
    del looking
    ends.set()
    while rooms._drawing:  # noqa: ASYNC110 - it ends by itself
        await asyncio.sleep(0)
    # The failure is reported when the last waiting request has gone.
    gc.collect()
    assert told == []
