"""Talking at the web table."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot import hosting
from bot.actions import Action
from bot.errors import Refused
from bot.fronts.web import wire
from bot.model import Place
from bot.pictures import Png
from bot.rooms import History, Rooms
from bot.screens import Button, Screen, Style
from bot.settings import PlaySettings
from bot.store import people, personal_data
from bot.tables import Table
from tests.bot.fronts.browsing import Browser, Open, Tab, label, open_table, othello
from tests.bot.fronts.conftest import Arrive
from tests.bot.table import Clock


async def test_what_one_says_everybody_in_the_room_reads(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    assert (await anna.say("Good evening!"))["ok"] is True
    await ben.until(lambda: ben.lines() == ["Good evening!"])
    (message,) = ben.room("lounge")
    assert message["author"] == anna.welcome["you"]
    assert ben.lines("garden") == []


async def test_a_word_of_the_host_is_a_line_of_the_house_where_a_match_is_running(
    arrive: Arrive, table: Open
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    assert await hosting.say(table.app.store, "We move <b>tonight</b>.", hours=1) == 1
    word = "Message from the operator: We move <b>tonight</b>."
    await ben.until(lambda: word in ben.lines())
    (message,) = [one for one in ben.room("lounge") if one["screen"].get("text") == word]
    assert message["author"] is None
    assert word not in ben.lines("garden")
    # Empty rooms keep it for later.
    late = await (await arrive("Cleo")).tab()
    await late.until(lambda: late.lines().count(word) == 1)


async def test_nothing_is_said_in_a_room_that_is_shut_out(arrive: Arrive, table: Open) -> None:
    anna = await (await arrive("Anna")).tab()
    await hosting.shut_out(table.app.store, "web:lounge")
    command, line = await anna.say("/play"), await anna.say("Good evening!")
    assert line["error"]
    assert line["error"] in (command["error"], (command["private"] or {}).get("text"))
    assert (await anna.say("Good evening!", room="garden"))["ok"] is True
    assert "Good evening!" not in anna.lines()


async def test_markup_is_text_and_control_characters_are_gone(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    await tab.say("<b>&amp;\u202e\x00 \n @everyone</b>")
    await tab.until(lambda: tab.lines() == ["<b>&amp; @everyone</b>"])


async def test_nothing_and_far_too_much_are_refused(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    assert "no readable text" in (await tab.say(" \u200b "))["error"]
    assert "2000" in (await tab.say("x" * 2001))["error"]
    assert (await tab.say("x" * 2000))["ok"] is True
    await tab.until(lambda: tab.lines() == ["x" * 2000])


async def test_a_flood_of_words_is_answered_word_by_word_and_mostly_not_said(
    tmp_path: Path,
) -> None:
    play = PlaySettings(commands_per_second=1)
    async with (
        open_table(tmp_path / "azumaya.db", play=play, messages_per_second=1000) as table,
        Browser(table.url) as browser,
    ):
        await browser.arrive("Anna")
        tab = await browser.tab()
        ids = [
            await tab.send({"t": "say", "room": "lounge", "text": f"word {number}"})
            for number in range(100)
        ]
        answers = [await tab.answer(id_) for id_ in ids]
        said = [number for number, answer in enumerate(answers) if answer["ok"]]
        assert 4 <= len(said) <= 20
        refusals = {answer["error"] for answer in answers if not answer["ok"]}
        assert refusals == {"Too fast. Please wait a moment, then try again."}
        await tab.until(lambda: tab.lines() == [f"word {number}" for number in said])


async def test_a_flood_of_frames_waits_and_loses_nothing(tmp_path: Path) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", messages_per_second=10) as table,
        Browser(table.url) as browser,
    ):
        await browser.arrive("Anna")
        tab = await browser.tab()
        clock = asyncio.get_running_loop().time
        began = clock()
        ask = {"t": "older", "room": "lounge", "before": 1}
        ids = [await tab.send(ask) for _ in range(46)]
        answers = [await tab.answer(id_) for id_ in ids]
        assert all(answer["ok"] for answer in answers)
        assert clock() - began > 0.4


async def test_so_many_lines_an_hour_and_then_a_pause(tmp_path: Path) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", lines_per_hour=3) as table,
        Browser(table.url) as hers,
        Browser(table.url) as his,
    ):
        clock = Clock()
        table.app.store.clock = clock
        await hers.arrive("Anna")
        await his.arrive("Ben", "de")
        anna, ben = await hers.tab(), await his.tab()
        for number in range(3):
            assert (await anna.say(f"line {number}", room="garden"))["ok"] is True
            clock.forward(600)
        refused = await anna.say("one more")
        assert refused["error"] == (
            "You have sent 3 messages within an hour (boards you show count, too)."
            " Please wait 30 minutes."
        )
        # Commands do not count, nor what others write.
        assert (await anna.say("/help"))["ok"] is True
        assert (await ben.say("Guten Abend"))["ok"] is True
        clock.forward(1800)
        assert (await anna.say("again"))["ok"] is True
        assert (await anna.say("and again"))["ok"] is False
        await ben.until(lambda: ben.lines() == ["Guten Abend", "again"])


async def test_of_many_lines_at_once_no_more_than_an_hours_are_said(tmp_path: Path) -> None:
    path = tmp_path / "azumaya.db"
    async with (
        open_table(path, lines_per_hour=5) as one,
        open_table(path, lines_per_hour=5) as other,
        Browser(one.url) as browser,
    ):
        await browser.arrive("Anna")
        known = await people.by_handle(one.app.store, "web", "anna")
        assert known is not None
        place = one.web._hub.rooms.channels["lounge"]
        both_ = [table.web._hub.rooms for table in (one, other)]
        said = await asyncio.gather(
            *(both_[n % 2].say(place, author=known, text="x") for n in range(20)),
            return_exceptions=True,
        )
        assert said.count(None) == 5
        assert {error.code for error in said if isinstance(error, Refused)} == {"too-many-lines"}


async def test_what_is_stored_of_an_answer_for_all_is_what_every_page_needs() -> None:
    button = Button("Rules", Action("rules", argument="othello"), Style.PRIMARY)
    table, picture = Table((("1.", "d3"),), head=("", "Anna")), Png(b"png", 8, 8)
    kept = {
        "title": "Best",
        "text": "1. Anna",
        "tables": [{"rows": (("1.", "d3"),), "head": ("", "Anna"), "title": ""}],
        "buttons": [[{"label": "Rules", "token": "rules:0:0:othello", "style": "primary"}]],
        "match": 3,
        "version": 4,
        "over": True,
    }
    shown = Screen(title="Best", text="1. Anna", tables=(table,), rows=((button,),))
    shown = replace(shown, match=3, version=4, over=True, picture=picture, my_turn=True, mine=True)
    assert wire.plain(shown) == kept


async def test_a_leaderboard_for_all_is_one_of_an_hours_lines_and_those_who_block_read_none(
    tmp_path: Path,
) -> None:
    play = PlaySettings(leaderboard_minimum=1, commands_per_second=100)
    async with (
        open_table(tmp_path / "azumaya.db", lines_per_hour=4, play=play) as table,
        Browser(table.url) as hers,
        Browser(table.url) as his,
    ):
        await hers.arrive("Anna")
        await his.arrive("Ben")
        anna, ben = await othello(await hers.tab(), await his.tab())
        await anna.say("/othello d3")
        await ben.say("/othello c3")
        await anna.say("/othello c4")
        await ben.say("/othello e3")
        asked = await ben.press(label((await ben.board(version=6))["screen"], "Resign"))
        await ben.press(label(asked["private"], "Yes, resign"))
        await anna.board(version=7)

        def read(tab: Tab) -> int:
            return sum("1. Anna: 1662?" in line for line in tab.lines())

        assert (await anna.say("/leaderboard"))["ok"] is True
        await ben.until(lambda: read(ben) == 1)
        assert all(board["author"] is None for board in ben.room("lounge"))
        assert (await ben.say("/block @Anna"))["ok"] is True
        await ben.until(lambda: read(ben) == 0)
        assert (await anna.say("/leaderboard"))["ok"] is True
        assert (await anna.say("a line"))["ok"] is True
        # With the match that she has begun there.
        assert "You have sent 4 messages" in (await anna.say("/leaderboard"))["error"]
        await anna.until(lambda: read(anna) == 2)
        await ben.say("done")
        await ben.until(lambda: "done" in ben.lines())
        assert read(ben) == 0


async def both(one: Tab, other: Tab, *lines: str) -> None:
    """Wait until two pages show exactly these lines."""
    for tab in (one, other):
        await tab.until(partial(lambda tab: tab.lines() == list(lines), tab))


async def test_lines_of_somebody_blocked_are_not_shown_live_nor_afterwards(
    arrive: Arrive,
) -> None:
    hers, his = await arrive("Anna"), await arrive("Ben")
    third = await (await arrive("Cleo")).tab()
    anna, second, ben = await hers.tab(), await hers.tab(), await his.tab()
    await ben.say("before")
    await both(anna, second, "before")
    await anna.say("/block @Ben")
    # What was there goes, on all pages of hers; for others it stays.
    await both(anna, second)
    await ben.say("after")
    await third.say("good evening")
    await both(anna, second, "good evening")
    assert third.lines() == ["before", "after", "good evening"]
    later = await hers.tab()
    assert later.lines() == ["good evening"]
    again = await hers.tab(since=1)
    assert again.lines() == ["good evening"]
    await later.ask({"t": "older", "room": "lounge", "before": 2**40})
    assert later.lines() == ["good evening"]
    # Ben sees every line, his own too, and no hint of the block.
    assert ben.lines() == ["before", "after", "good evening"]
    await anna.say("/unblock @Ben")
    await both(anna, second, "before", "after", "good evening")


async def test_pages_of_people_who_never_played_are_noted(table: Open, arrive: Arrive) -> None:
    anna = await arrive("Anna")
    store, a_day = table.app.store, 24 * 3600
    now = int(table.app.clock())
    user = await people.by_handle(store, "web", "anna")
    assert user is not None

    async def idle() -> bool:
        return user.id in await personal_data.idlers(store, before=now + a_day, limit=9)

    assert await idle()
    clock = Clock()
    clock.now = now + 2 * a_day
    table.app.store.clock = clock
    tab = await anna.tab()
    assert not await idle()
    assert table.app.here[user.id] == 1
    await tab.close()
    await (await (await arrive("Ben")).tab()).until(lambda: not table.app.here[user.id])


async def test_earlier_words_come_in_portions(arrive: Arrive) -> None:
    anna = await arrive("Anna")
    tab = await anna.tab()
    for number in range(70):
        await tab.say(f"line {number}")
    later = await anna.tab()
    assert later.lines() == [f"line {number}" for number in range(40, 70)]
    answer = await later.ask(
        {"t": "older", "room": "lounge", "before": later.room("lounge")[0]["id"]}
    )
    assert answer["more"] is True
    assert later.lines() == [f"line {number}" for number in range(10, 70)]
    answer = await later.ask(
        {"t": "older", "room": "lounge", "before": later.room("lounge")[0]["id"]}
    )
    assert answer["more"] is False
    assert later.lines() == [f"line {number}" for number in range(70)]


async def test_no_earlier_words_come_of_somebody_who_was_erased_while_they_were_looked_for(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has been told that they are gone, and would keep for good what comes after that."""
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await anna.say("I am Anna")
    for number in range(41):
        await ben.say(f"line {number}")
    later = await (await arrive("Cleo")).tab()
    older = Rooms.older
    erased = list[int]()

    async def older_and_then_erased(rooms: Rooms, place: Place, *, before: int) -> History:
        found = await older(rooms, place, before=before)
        if not erased:
            erased.append(anna.welcome["you"]["id"])
            await personal_data.forget(table.app.store, erased[0], name="#1")
            await table.app.written_elsewhere()
        return found

    monkeypatch.setattr(Rooms, "older", older_and_then_erased)
    await later.ask({"t": "older", "room": "lounge", "before": later.room("lounge")[0]["id"]})
    assert later.lines() == [f"line {number}" for number in range(41)]
