"""Rooms of the web app: messages in order, catching up, and who is present."""

import asyncio

import pytest
from structlog.typing import EventDict

from bot.cli import hosting
from bot.delivery import rooms as module
from bot.delivery.rooms import LONGEST_LINE, Posted, Rooms, Visitor
from bot.domain.errors import Refused
from bot.domain.model import Place
from bot.fronts.web import WebSettings
from bot.screens import Screen
from bot.store import boards, people, personal_data, places
from bot.store import rooms as rows
from bot.support.rates import Rates
from tests.bot.failing import DISK_ERROR, fails
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table
from tests.optional import not_none


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


async def opened(table: Table) -> tuple[Rooms, Incoming, Place]:
    """Open the rooms. Return them, what they tell, and the lounge."""
    heard = Incoming()
    rooms = Rooms(table.app)
    rooms.listeners.add(heard)
    await rooms.open(["lounge", "garden"])
    # People in a test do not pause between commands, and the loop's clock runs.
    rooms._rates = Rates(10**6, 1)
    return rooms, heard, rooms.channels["lounge"]


def limit_lines(table: Table, *, per_hour: int) -> None:
    web = WebSettings(lines_per_hour=per_hour)
    table.app.settings = table.app.settings.model_copy(update={"web": web})


async def enters(rooms: Rooms, person: Person) -> Visitor:
    return await rooms.enter(Visitor(await person.user(), person.identity))


async def says(rooms: Rooms, person: Person, text: str, place: Place) -> None:
    await rooms.post(place, author=await person.user(), text=text)


async def text_for(rooms: Rooms, posted: Posted, person: Person) -> object:
    """Return a message as the person reads it: None if it is withheld, "" if nothing is left."""
    seen = await rooms.render(posted, await enters(rooms, person))
    if seen is None:
        return None
    shown = seen[1]
    if isinstance(shown, Screen):
        return shown.title
    return shown["text"] if shown else ""


async def test_many_who_speak_at_once_are_heard_in_the_order_of_stamps(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)
    both = [says(rooms, one, f"{one.name} {n}", lounge) for n in range(10) for one in (anna, ben)]
    await asyncio.gather(*both)
    assert len(heard.lines) == 20
    assert heard.stamps == sorted(heard.stamps)


async def test_what_cannot_be_said_is_refused_and_nobody_hears_it(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)
    garden = rooms.channels["garden"]
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
    before, _, lounge = await opened(table)
    await says(before, anna, "yesterday", lounge)
    rooms, heard, _ = await opened(table)
    await rooms.refresh()
    await says(rooms, anna, "today", lounge)
    assert heard.lines == ["today"]


async def test_what_another_process_wrote_is_told_before_what_comes_after_it(
    table: Table, anna: Person
) -> None:
    rooms, heard, lounge = await opened(table)
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
    rooms, heard, _ = await opened(table)
    lounge, garden = rooms.channels.values()
    her = await enters(rooms, anna)
    for number in range(3):
        await says(rooms, anna, f"{number}", lounge)
    first, second, third = heard.stamps

    async def missed(since: int) -> tuple[list[str], bool]:
        found = await rooms.missed(her, since=since)
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
    rooms, heard, lounge = await opened(table)
    for number in range(4):
        await says(rooms, anna, f"{number}", lounge)
    ids = [posted.message.id for posted in heard.posted]
    for before, seen, has_more in ((2**40, ids[2:], True), (ids[2], ids[:2], False)):
        messages, more = await rooms.older(lounge, before=before)
        assert ([message.id for message in messages], more) == (seen, has_more)


async def test_nobody_sees_what_is_said_in_somebody_elses_direct_room(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, _ = await opened(table)
    await says(rooms, anna, "to myself", anna.direct)
    (posted,) = heard.posted
    assert await text_for(rooms, posted, anna) == "to myself"
    assert await text_for(rooms, posted, ben) is None


async def test_lines_of_somebody_blocked_are_not_told_and_are_taken_down(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)
    await says(rooms, ben, "before", lounge)
    assert await text_for(rooms, heard.posted[0], anna) == "before"
    await anna.types("/block @Ben")
    await says(rooms, ben, "after", lounge)
    assert await text_for(rooms, heard.posted[1], anna) is None
    assert await text_for(rooms, heard.posted[1], ben) == "after"
    # Earlier lines are reread and disappear.
    again = await rooms.again(await enters(rooms, anna))
    assert [await text_for(rooms, posted, anna) for posted in again] == ["", ""]
    # One's own lines stay as they are.
    assert await rooms.again(await enters(rooms, ben)) == []


async def test_what_somebody_blocked_begins_is_not_told_but_to_whom_they_play_with(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    rooms, heard, lounge = await opened(table)

    async def shown(match_id: int) -> Posted:
        (board,) = await boards.of_match(table.app.store, match_id, place_id=lounge.id)
        await rooms.show(lounge, board, message_id=None)
        return heard.posted[-1]

    async def is_read(match_id: int, person: Person) -> bool:
        posted = await shown(match_id)
        told = await text_for(rooms, posted, person)
        seen = await rooms.picture(posted.message.id, await enters(rooms, person))
        assert (told is None) is (seen is None)
        return seen is not None

    played = await table.begin(ben, anna)
    before = await shown(played)
    assert await anna.types("/block @Ben")
    asked = await ben.starts("/othello new")
    assert not await is_read(asked, anna)
    assert await is_read(asked, cleo)
    assert await is_read(asked, ben)
    assert await is_read(played, anna)
    await cleo.types(f"/accept {asked}")
    assert not await is_read(asked, anna)
    # Games that others started stay visible.
    joined = await cleo.starts("/othello new")
    await ben.types(f"/accept {joined}")
    assert await is_read(joined, anna)
    # Earlier lines are reread, and all of them return after the unblock.
    again = {one.message.id: one for one in await rooms.again(await enters(rooms, anna))}
    assert before.message.id in again
    read = [await text_for(rooms, one, anna) for one in again.values()]
    assert (read.count(""), len(read)) == (1, 3)
    await anna.types("/unblock @Ben")
    assert await is_read(asked, anna)


async def test_an_answer_for_all_is_a_line_of_whoever_asked_for_it_and_the_houses_words(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)

    async def asks(person: Person) -> None:
        screen = {"title": "Best", "text": "1. Carl"}
        await rooms.say(lounge, screen, author=await person.user(), is_answer=True)

    await asks(ben)
    (answer,) = heard.posted
    assert (answer.message.author_id, answer.message.author) == (None, None)
    assert await text_for(rooms, answer, anna) == "1. Carl"
    # The blocking person does not see it, now or later.
    await anna.types("/block @Ben")
    await asks(ben)
    assert await text_for(rooms, heard.posted[1], anna) is None
    assert await text_for(rooms, heard.posted[1], ben) == "1. Carl"
    again = await rooms.again(await enters(rooms, anna))
    assert [await text_for(rooms, posted, anna) for posted in again] == ["", ""]
    # It is one of the lines of an hour.
    limit_lines(table, per_hour=3)
    await says(rooms, ben, "a line", lounge)
    with pytest.raises(Refused) as refused:
        await asks(ben)
    assert refused.value.code == "too-many-lines"
    await asks(anna)


async def test_an_answer_for_all_outlives_whoever_asked_and_no_longer_knows_them(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)
    store = table.app.store
    await says(rooms, ben, "mine", lounge)
    screen = {"title": "Best", "text": "1. Carl"}
    await rooms.say(lounge, screen, author=await ben.user(), is_answer=True)
    assert (await personal_data.belongings(store, ben.id)).said == 1
    assert len((await personal_data.export(store, ben.id))["messages"]) == 2
    await personal_data.erase(store, ben.id, name="#2")
    line, answer = [Posted(posted.message, is_again=True) for posted in heard.posted]
    assert await text_for(rooms, line, anna) == ""
    assert await text_for(rooms, answer, anna) == "1. Carl"
    assert (await personal_data.export(store, anna.id))["messages"] == []
    found = await rows.news(store, "web", since=0, limit=9)
    assert [(message.author_id, message.asked_by) for message in found] == [(None, None)] * 2


async def test_of_somebody_who_was_erased_in_this_moment_neither_room_nor_reading_is_kept(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, heard, lounge = await opened(table)
    await says(rooms, ben, "one", lounge)
    her = await enters(rooms, anna)
    store = table.app.store
    await personal_data.erase(store, anna.id, name="#1")
    # A page of hers is open still, in this process or another.
    with pytest.raises(Refused, match="forgotten"):
        await rows.note_read(store, anna.id, lounge.id, message_id=heard.posted[0].message.id)
    with pytest.raises(Refused, match="forgotten"):
        await rooms.enter(her)
    assert await rows.read_by(store, anna.id) == {}
    assert await places.place_called(store, "web", anna.identity) is None


async def test_who_enters_is_here_again(table: Table, anna: Person) -> None:
    rooms, _, _ = await opened(table)
    store = table.app.store
    await table.app.names.choose("web", "late", "Late", idle_since=store.now())
    late = not_none(await people.by_identity(store, "web", "late"))
    table.clock.forward(29 * 24 * 3600)
    await rooms.enter(Visitor(late, "late"))
    table.clock.forward(29 * 24 * 3600)
    assert await table.upkeep.purge() == 0


async def test_what_is_told_anew_is_what_it_is_by_then(
    table: Table, anna: Person, ben: Person
) -> None:
    rooms, _, lounge = await opened(table)
    store = table.app.store
    await says(rooms, ben, "a line", lounge)
    await anna.types("/othello new", place=lounge)
    (board,) = await boards.of_match(store, await table.newest(lounge))
    shown = await rooms.show(lounge, board, message_id=None)
    her = await enters(rooms, anna)
    again = await rooms.again(her)
    assert [one.message.board_id for one in again] == [None, board.id]
    assert await text_for(rooms, again[1], anna)
    assert await rows.message(store, shown) is not None
    await rooms.delete(shown)
    assert await rooms.messages_of(her, [board.match_id], [lounge.id]) == {}
    # It is to be taken down, of a board as of a line.
    assert await text_for(rooms, again[1], anna) == ""
    await execute(store, "DELETE FROM messages")
    for posted in again:
        assert await text_for(rooms, posted, anna) is None


async def test_what_could_not_be_told_is_told_with_the_next_and_still_in_order(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    rooms, heard, lounge = await opened(table)
    screen = {"text": "elsewhere"}
    await rows.add(table.app.store, lounge.id, author_id=anna.id, screen=screen)

    with monkeypatch.context() as patch:
        fails(patch, rows, "news", DISK_ERROR)
        await says(rooms, anna, "first", lounge)
    assert heard.lines == []
    assert await rooms.say(lounge, {"text": "second"})
    assert heard.lines == ["elsewhere", "first", "second"]
