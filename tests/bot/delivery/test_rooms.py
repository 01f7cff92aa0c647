"""Rooms of the web app: messages in order, catching up, and who is present."""

import asyncio
import gc
from dataclasses import replace

import pytest
from structlog.typing import EventDict

from bot.cli import hosting
from bot.commands import Answer
from bot.delivery import rooms as module
from bot.delivery.rooms import LONGEST_LINE, Message, Posted, Rooms, Visitor
from bot.domain.errors import Refused
from bot.domain.model import Place, Status
from bot.fronts.web import WebSettings
from bot.matches import MatchState, reading
from bot.screens import Reader, Screen
from bot.store import boards, match_queries, people, personal_data, upkeep
from bot.store import rooms as rows
from bot.support.errors import StoreError
from bot.support.platforms import Medium
from bot.support.rates import Rates
from bot.support.texts import Texts
from tests.bot.store.sql import execute
from tests.bot.table import A_MOMENT, Person, Table, buttons, said


class Incoming:
    """A subscriber to rooms."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []

    def __call__(self, posted: Posted) -> None:
        self.posted.append(posted)

    @property
    def lines(self) -> list[str]:
        return [str((posted.message.screen or {}).get("text")) for posted in self.posted]

    @property
    def stamps(self) -> list[int]:
        return [posted.message.stamp for posted in self.posted]


async def opened(table: Table) -> tuple[Rooms, Incoming]:
    heard = Incoming()
    rooms = Rooms(table.app, platform="web", community="web", lines_per_hour=300)
    rooms.listeners.add(heard)
    await rooms.open(["lounge", "garden"])
    # People in a test do not pause between commands, and the loop's clock runs.
    rooms._rates = Rates(10**6, 1)
    return rooms, heard


async def visitor(person: Person) -> Visitor:
    return Visitor(await person.user(), person.identity)


async def says(rooms: Rooms, person: Person, text: str, place: Place) -> None:
    await rooms.post(place, author=await person.user(), text=text)


async def text_for(rooms: Rooms, posted: Posted, person: Person, place: Place) -> object:
    """Return a message as the person reads it: None if it is withheld, "" if nothing is left."""
    seen = await rooms.render(posted, await visitor(person), place)
    if seen is None:
        return None
    shown = seen[1]
    if isinstance(shown, Screen):
        return shown.title
    return shown["text"] if shown else ""


async def test_many_who_speak_at_once_are_heard_in_the_order_of_stamps(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    both = [says(rooms, one, f"{one.name} {n}", lounge) for n in range(10) for one in (anna, ben)]
    await asyncio.gather(*both)
    assert len(heard.lines) == 20
    assert heard.stamps == sorted(heard.stamps)


async def test_what_cannot_be_said_is_refused_and_nobody_hears_it(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    lounge, garden = rooms.channels["lounge"], rooms.channels["garden"]
    rooms._rates = Rates(1, 3600)
    await hosting.block(table.app.store, "web:garden")
    for text, place, code in (
        (" \u200b\n", lounge, "nothing-said"),
        ("x" * (LONGEST_LINE + 1), lounge, "too-long"),
        ("hello", garden, "shut-out"),
        # Nothing of that has counted.
        ("\x00x" * LONGEST_LINE, lounge, ""),
        ("hello", lounge, "too-fast"),
    ):
        if not code:
            await says(rooms, anna, text, place)
            continue
        with pytest.raises(Refused) as refused:
            await says(rooms, anna, text, place)
        assert refused.value.code == code
    await says(rooms, ben, "hello", lounge)
    assert heard.lines == ["x" * LONGEST_LINE, "hello"]


async def test_what_was_said_before_the_rooms_were_opened_is_not_told(
    table: Table, anna: Person
) -> None:
    before, _ = await opened(table)
    lounge = before.channels["lounge"]
    await says(before, anna, "yesterday", lounge)
    rooms, heard = await opened(table)
    await rooms.refresh()
    await says(rooms, anna, "today", lounge)
    assert heard.lines == ["today"]


async def test_what_another_process_wrote_is_told_before_what_comes_after_it(
    table: Table, anna: Person
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    for number in range(3):
        screen = {"text": f"elsewhere {number}"}
        await rows.add(table.app.store, lounge.id, author_id=anna.id, screen=screen)
    await says(rooms, anna, "here", lounge)
    assert heard.lines == ["elsewhere 0", "elsewhere 1", "elsewhere 2", "here"]
    await rows.add(table.app.store, lounge.id, author_id=anna.id, screen={"text": "late"})
    await rooms.refresh()
    await rooms.refresh()
    assert heard.lines[4:] == ["late"]


async def test_who_comes_back_has_missed_what_changed_and_starts_over_after_too_much(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_MISSED", 2)
    monkeypatch.setattr(module, "_AT_ONCE", 4)
    rooms, heard = await opened(table)
    lounge, garden = rooms.channels.values()
    places = [lounge, garden]
    for number in range(3):
        await says(rooms, anna, f"{number}", lounge)
    first, second, third = heard.stamps

    async def missed(since: int) -> tuple[list[str], bool]:
        found = await rooms.missed(places, since=since)
        assert found.newest == heard.stamps[-1]
        return [str((one.screen or {})["text"]) for one in found.messages], found.start_over

    assert await missed(third) == ([], False)
    assert await missed(first) == (["1", "2"], False)
    assert await missed(first - 1 or 0) == (["0", "1", "2"], first > 1)
    assert await missed(0) == (["0", "1", "2"], False)
    # From a time that has not come.
    assert await missed(third + 1) == (["0", "1", "2"], True)
    for number in range(3, 6):
        await says(rooms, anna, f"{number}", lounge)
    await says(rooms, anna, "other", garden)
    assert await missed(third) == (["2", "3", "4", "5", "other"], True)
    assert await missed(heard.stamps[3]) == (["4", "5", "other"], False)
    assert second


async def test_what_was_said_before_comes_in_parts(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    for number in range(4):
        await says(rooms, anna, f"{number}", lounge)
    ids = [posted.message.id for posted in heard.posted]
    last = await rooms.older(lounge, before=2**40)
    assert ([message.id for message in last.messages], last.more) == (ids[2:], True)
    first = await rooms.older(lounge, before=ids[2])
    assert ([message.id for message in first.messages], first.more) == (ids[:2], False)


async def test_nobody_sees_what_is_said_in_somebody_elses_direct_room(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    hers = await rooms.enter(await visitor(anna))
    await says(rooms, anna, "to myself", hers)
    (posted,) = heard.posted
    assert await text_for(rooms, posted, anna, hers) == "to myself"
    assert await text_for(rooms, posted, ben, hers) is None
    # Nor by saying that it is elsewhere.
    assert await text_for(rooms, posted, ben, rooms.channels["lounge"]) is None


async def test_nobody_sees_a_board_of_a_room_that_they_are_not_in(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _ = await opened(table)

    async def message_of(place: Place) -> Message:
        match_id = await table.newest(place)
        (board,) = await boards.of_match(table.app.store, match_id, place_id=place.id)
        shown = await rooms.show(place, board, message_id=None)
        found = await rows.message(table.app.store, shown)
        assert found is not None
        return found

    hers = await rooms.enter(await visitor(anna))
    await anna.types("/blackbox new", place=hers)
    private = await message_of(hers)
    assert await rooms.picture(private.id, await visitor(anna)) is not None
    assert await rooms.picture(private.id, await visitor(ben)) is None
    lounge = rooms.channels["lounge"]
    await anna.types("/othello new", place=lounge)
    public = await message_of(lounge)
    assert await rooms.picture(public.id, await visitor(ben)) is not None
    # An old channel that no longer exists has no room.
    del rooms.channels["lounge"]
    assert await rooms.picture(public.id, await visitor(ben)) is None
    rooms.channels["lounge"] = lounge
    await rooms.delete(public.id)
    assert await rooms.picture(public.id, await visitor(ben)) is None
    assert await rooms.picture(10_000, await visitor(ben)) is None


async def test_the_address_of_a_challenge_for_a_username_shows_nothing_to_others(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _ = await opened(table)
    hers, his = [await rooms.enter(await visitor(person)) for person in (anna, ben)]
    named = replace(await anna.command(hers), medium=Medium(usernames="[a-z0-9_]{5,32}"))
    assert await table.commands.run_line(named, "/othello @eve_1999") == Answer()
    match = (await table.loaded(await table.newest(hers))).match
    lounge = rooms.channels["lounge"]
    for code in (match.code, "aaaabbbbcccc"):
        with pytest.raises(Refused) as refused:
            await rooms.find(await visitor(ben), [lounge, his], code)
        assert (refused.value.code, refused.value.details) == ("no-such-code", {})
    assert (await rooms.find(await visitor(anna), [lounge, hers], match.code))[0] == match.id


async def test_lines_of_somebody_blocked_are_not_told_and_are_taken_down(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    await says(rooms, ben, "before", lounge)
    assert await text_for(rooms, heard.posted[0], anna, lounge) == "before"
    await anna.types("/block @Ben")
    await says(rooms, ben, "after", lounge)
    assert await text_for(rooms, heard.posted[1], anna, lounge) is None
    assert await text_for(rooms, heard.posted[1], ben, lounge) == "after"
    # Earlier lines are reread and disappear.
    again = await rooms.lines_again([lounge], user_id=anna.id)
    assert [await text_for(rooms, posted, anna, lounge) for posted in again] == ["", ""]
    # One's own lines stay as they are.
    assert await rooms.lines_again([lounge], user_id=ben.id) == []


async def test_what_somebody_blocked_begins_is_not_told_but_to_whom_they_play_with(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]

    async def shown(match_id: int) -> Posted:
        (board,) = await boards.of_match(table.app.store, match_id, place_id=lounge.id)
        await rooms.show(lounge, board, message_id=None)
        return heard.posted[-1]

    async def is_read(match_id: int, person: Person) -> bool:
        posted = await shown(match_id)
        told = await text_for(rooms, posted, person, lounge)
        seen = await rooms.picture(posted.message.id, await visitor(person))
        assert (told is None) is (seen is None)
        return seen is not None

    played = await table.begin(ben, anna)
    before = await shown(played)
    assert await anna.types("/block @Ben")
    await ben.types("/othello new")
    asked = await table.newest()
    assert not await is_read(asked, anna)
    assert await is_read(asked, cleo)
    assert await is_read(asked, ben)
    assert await is_read(played, anna)
    await cleo.types(f"/accept {asked}")
    assert not await is_read(asked, anna)
    # Games that others started stay visible.
    await cleo.types("/othello new")
    joined = await table.newest()
    await ben.types(f"/accept {joined}")
    assert await is_read(joined, anna)
    # Earlier lines are reread, and all of them return after the unblock.
    again = {one.message.id: one for one in await rooms.lines_again([lounge], user_id=anna.id)}
    assert before.message.id in again
    read = [await text_for(rooms, one, anna, lounge) for one in again.values()]
    assert (read.count(""), len(read)) == (1, 3)
    await anna.types("/unblock @Ben")
    assert await is_read(asked, anna)


@pytest.mark.both
async def test_a_board_that_somebody_brings_into_a_room_is_one_of_their_lines(
    table: Table, anna: Person, ben: Person
) -> None:
    web = WebSettings(lines_per_hour=3)
    table.app.settings = table.app.settings.model_copy(update={"web": web})
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
    await upkeep.purge(table.app.store, challenge_seconds=3600)
    assert len((await personal_data.export(table.app.store, anna.id))["boards shown in rooms"]) == 3
    table.clock.forward(3600)
    assert await anna.types(f"/board {ids[1]}") == Answer()
    await upkeep.purge(table.app.store, challenge_seconds=3600)
    assert len((await personal_data.export(table.app.store, anna.id))["boards shown in rooms"]) == 1


@pytest.mark.parametrize("begins", ["othello new", "othello @Cleo"])
async def test_what_somebody_begins_in_a_room_is_one_of_their_lines(
    table: Table, anna: Person, ben: Person, cleo: Person, begins: str
) -> None:
    rooms, _ = await opened(table)
    lounge = rooms.channels["lounge"]
    web = WebSettings(lines_per_hour=3)
    table.app.settings = table.app.settings.model_copy(update={"web": web})
    rooms._lines_per_hour = web.lines_per_hour
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


async def test_an_answer_for_all_is_a_line_of_whoever_asked_for_it_and_the_houses_words(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]

    async def asks(person: Person) -> None:
        await rooms.answer(
            lounge, asked_by=await person.user(), screen={"title": "Best", "text": "1. Carl"}
        )

    await asks(ben)
    (answer,) = heard.posted
    assert (answer.message.author_id, answer.message.author) == (None, None)
    assert await text_for(rooms, answer, anna, lounge) == "1. Carl"
    # The blocking person does not see it, now or later.
    await anna.types("/block @Ben")
    await asks(ben)
    assert await text_for(rooms, heard.posted[1], anna, lounge) is None
    assert await text_for(rooms, heard.posted[1], ben, lounge) == "1. Carl"
    again = await rooms.lines_again([lounge], user_id=anna.id)
    assert [await text_for(rooms, posted, anna, lounge) for posted in again] == ["", ""]
    # It is one of the lines of an hour.
    rooms._lines_per_hour = 3
    await says(rooms, ben, "a line", lounge)
    with pytest.raises(Refused) as refused:
        await asks(ben)
    assert refused.value.code == "too-many-lines"
    await asks(anna)


async def test_an_answer_for_all_outlives_whoever_asked_and_no_longer_knows_them(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    lounge, store = rooms.channels["lounge"], table.app.store
    await says(rooms, ben, "mine", lounge)
    screen = {"title": "Best", "text": "1. Carl"}
    await rooms.answer(lounge, asked_by=await ben.user(), screen=screen)
    assert (await personal_data.belongings(store, ben.id))[2] == 1
    assert len((await personal_data.export(store, ben.id))["messages"]) == 2
    await personal_data.erase(store, ben.id, name="#2")
    line, answer = [Posted(posted.message, must_reload=True) for posted in heard.posted]
    assert await text_for(rooms, line, anna, lounge) == ""
    assert await text_for(rooms, answer, anna, lounge) == "1. Carl"
    assert (await personal_data.export(store, anna.id))["messages"] == []
    found = await rows.news(store, "web", since=0, limit=9)
    assert [(message.author_id, message.asked_by) for message in found] == [(None, None)] * 2


async def test_of_somebody_who_was_erased_in_this_moment_neither_room_nor_reading_is_kept(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    await says(rooms, ben, "one", lounge)
    her = await visitor(anna)
    await personal_data.erase(table.app.store, anna.id, name="#1")
    # A page of hers is open still, in this process or another.
    with pytest.raises(Refused, match="forgotten"):
        await rooms.mark_read(her, lounge, message_id=heard.posted[0].message.id)
    with pytest.raises(Refused, match="forgotten"):
        await rooms.enter(her)
    assert await rooms.read_by(her) == {}
    assert await table.app.directory.conversation("web", anna.identity) is None


async def test_who_enters_is_here_again(table: Table, anna: Person) -> None:
    rooms, _ = await opened(table)
    store = table.app.store
    await table.app.names.choose("web", "late", "Late", idle_since=store.now())
    late = await people.by_identity(store, "web", "late")
    assert late is not None
    table.clock.forward(29 * 24 * 3600)
    await rooms.enter(Visitor(late, "late"))
    table.clock.forward(29 * 24 * 3600)
    assert await table.upkeep.purge() == 0


async def test_what_is_told_anew_is_what_it_is_by_then(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _ = await opened(table)
    lounge, store = rooms.channels["lounge"], table.app.store
    await says(rooms, ben, "a line", lounge)
    await anna.types("/othello new", place=lounge)
    (board,) = await boards.of_match(store, await table.newest(lounge))
    shown = await rooms.show(lounge, board, message_id=None)
    lines = await rooms.lines_again([lounge], user_id=anna.id)
    again = await rooms.boards_to_resend([lounge])
    assert [one.message.board_id for one in (*lines, *again)] == [None, board.id]
    assert await text_for(rooms, again[0], anna, lounge)
    found = await rows.message(store, shown)
    assert found is not None
    await rooms.delete(shown)
    assert await rooms.find_board_message(board.match_id, lounge) is None
    # It is to be taken down, of a board as of a line.
    assert await text_for(rooms, again[0], anna, lounge) == ""
    await execute(store, "DELETE FROM messages")
    for posted in (*lines, *again):
        assert await text_for(rooms, posted, anna, lounge) is None


async def test_a_board_that_is_no_more_or_cannot_be_read_is_nothing_or_says_why(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, heard = await opened(table)
    lounge, store, her = rooms.channels["lounge"], table.app.store, await visitor(anna)
    await anna.types("/othello new", place=lounge)
    match_id = await table.newest(lounge)
    (board,) = await boards.of_match(store, match_id)
    shown = await rooms.show(lounge, board, message_id=None)
    await execute(store, f"UPDATE boards SET message = '{shown}'")
    message = await rooms.find_board_message(match_id, lounge)
    assert message is not None
    assert message.id == shown
    assert await rooms.find_board_message(match_id, rooms.channels["garden"]) is None
    (posted,) = heard.posted

    async def unreadable(*_: object, **__: object) -> None:
        raise Refused("challenge-over")

    with monkeypatch.context() as patch:
        patch.setattr(reading, "get", unreadable)
        text = Texts("en")("error-challenge-over")
        assert await text_for(rooms, posted, anna, lounge) == text
        assert await rooms.picture(shown, her) is None
    await boards.drop(store, [board.id])
    old = Posted(message)
    assert await text_for(rooms, old, anna, lounge) == ""
    assert await rooms.picture(shown, her) is None


async def test_each_sees_a_board_as_they_may_and_like_it_and_it_is_drawn_once_for_all_alike(
    table: Table, anna: Person, ben: Person, cleo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, heard = await opened(table)
    lounge, dora = rooms.channels["lounge"], await table.arrive("Dora")
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
    readers = [await visitor(one) for one in (cleo, anna, dora)]
    readers.append(Visitor(await ben.user(), ben.identity, locale="de"))
    seen = await asyncio.gather(*(rooms.render(posted, one, lounge) for one in readers))
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


async def test_ones_own_board_is_where_an_open_match_is_found(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _ = await opened(table)
    direct = await rooms.enter(await visitor(anna))
    lounge = rooms.channels["lounge"]
    every = [*rooms.channels.values(), direct]
    match_id = await table.begin(anna, ben, words="blackbox hide")
    await table.begin(anna, ben)

    async def found() -> dict[int, int]:
        return {one.row.id: one.place.id for one in await rooms.open_of(await visitor(anna), every)}

    assert await found() == {match_id: lounge.id, match_id + 1: lounge.id}
    await anna.types(f"/board {match_id}", place=direct)
    assert await found() == {match_id: direct.id, match_id + 1: lounge.id}
    # Public challenges come after it, though they are newer.
    await anna.types(f"/board {match_id}", place=rooms.channels["garden"])
    assert await found() == {match_id: direct.id, match_id + 1: lounge.id}
    await anna.types("/blackbox new", place=lounge)
    await anna.types("/othello new", place=rooms.channels["garden"])
    others = {one.row.id: one.other for one in await rooms.open_of(await visitor(anna), every)}
    # Open challenges and solo games have no opponent.
    assert sorted(others.values()) == ["", "", "Ben", "Ben"]


async def test_what_one_is_offered_and_what_is_said_to_it_is_heard_in_every_room(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard = await opened(table)
    direct = await rooms.enter(await visitor(anna))
    lounge = rooms.channels["lounge"]
    every = [*rooms.channels.values(), direct]
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, "d3,c3,c4")
    (board,) = await boards.of_match(table.app.store, match_id)
    await rooms.show(lounge, board, message_id=None)

    async def state() -> list[object]:
        """Return what Anna and Ben are notified of, and what waits for Anna."""
        found: list[object] = []
        (shown,) = await boards.of_match(table.app.store, match_id)
        for person in (anna, ben):
            seen = await rooms.render(
                Posted(heard.posted[0].message, shown), await visitor(person), lounge
            )
            assert seen is not None
            assert isinstance(seen[1], Screen)
            found.append(seen[1].news)
        for one in await rooms.open_of(await visitor(anna), every):
            found += [one.row.waits, one.row.is_turn, one.row.offers]
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


async def test_what_could_not_be_told_is_told_with_the_next_and_still_in_order(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    screen = {"text": "elsewhere"}
    await rows.add(table.app.store, lounge.id, author_id=anna.id, screen=screen)

    async def no_disk(*_: object, **__: object) -> list[Message]:
        raise StoreError("azumaya.db: disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(rows, "news", no_disk)
        await says(rooms, anna, "first", lounge)
    assert heard.lines == []
    assert await rooms.announce(lounge, screen={"text": "second"})
    assert heard.lines == ["elsewhere", "first", "second"]


async def test_a_board_for_which_nobody_waits_any_more_may_fail_and_nobody_is_told(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
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
    looking = asyncio.create_task(rooms.render(posted, await visitor(ben), lounge))
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


@pytest.mark.parametrize(("side", "more"), [("first", " Your turn."), ("second", "")])
async def test_who_asked_hears_in_every_room_that_the_challenge_was_accepted(
    table: Table, anna: Person, ben: Person, *, side: str, more: str
) -> None:
    rooms, heard = await opened(table)
    lounge = rooms.channels["lounge"]
    await anna.types(f"/othello @Ben {side}", place=lounge)
    match_id = await table.newest(lounge)
    (board,) = await boards.of_match(table.app.store, match_id)
    await rooms.show(lounge, board, message_id=None)
    assert await ben.types("/accept", place=lounge) == Answer()
    (shown,) = await boards.of_match(table.app.store, match_id)
    posted = Posted(heard.posted[0].message, shown)
    seen = [await rooms.render(posted, await visitor(person), lounge) for person in (anna, ben)]
    news = [one[1].news for one in seen if one and isinstance(one[1], Screen)]
    assert news == [f"Ben accepted your challenge: Othello, game {match_id}.{more}", ""]
