"""What was said twice on Telegram, and what of it no house could avoid."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.fronts.telegram import send_scheduler
from bot.fronts.telegram.send_scheduler import SendScheduler
from tests.bot.fronts.telegram.conftest import HURRY, Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Call, Caller, Chat, Message
from tools.attack.posts import Api, Cut, Double, Post, Said, doubled
from tools.attack.report import Report
from tools.attack.story import Story


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A house on one file, and a server that remembers what was posted."""
    monkeypatch.setattr(send_scheduler, "SECOND", HURRY)
    api = Api(None, second=HURRY / 2)
    await api.start()
    yield Table.of(api, tmp_path / "azumaya.db", tmp_path)
    await api.stop()


def remembers(table: Table) -> Api:
    assert isinstance(table.api, Api)
    return table.api


async def twice_asked(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """Anna begins a match alone, asks for it again, and has played on before it comes."""
    api, chat, claim = remembers(table), table.anna.private, SendScheduler.wait
    is_held, refused = False, 0

    def held(*given: Any, **more: Any) -> float:
        nonlocal refused
        refused += is_held
        return HURRY if is_held else claim(*given, **more)

    monkeypatch.setattr(SendScheduler, "wait", held)
    async with table.open():
        table.anna.starts()
        await api.until(lambda: api.texts(chat))
        table.anna.says(chat, "/blackbox new")
        await api.until(lambda: api.boards(chat))
        (first,) = api.boards(chat)
        # So that all of it is done when it is asked for once more.
        table.anna.says(chat, "/help")
        await api.until(lambda: "/rules" in api.texts(chat)[-1])
        is_held = True
        table.anna.says(chat, "/blackbox new")
        ray = next(one for one in tokens(first, "step:1:1", loud=True) if one[-1].isdigit())
        press = table.anna.sends(chat, first, ray)
        await api.until(press.answered.is_set)
        # On a busy machine the press is acknowledged before it is carried out.
        async with asyncio.timeout(60):
            while _version(table) < 2:  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.01)
            # What was drawn before has been refused by then, and is drawn anew.
            drawn = refused + 3
            while refused < drawn:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert not press.alert
        is_held = False
        await api.until(lambda: [board != first for board in api.boards(chat)] == [True])
    return [first, *api.boards(chat)]


def _version(table: Table) -> int:
    """How far the one match is stored."""
    with closing(sqlite3.connect(table.file)) as database:
        ((version,),) = database.execute("SELECT version FROM matches").fetchall()
    return int(version)


async def test_a_board_that_is_asked_for_again_is_not_said_twice_where_it_has_gone_on_meanwhile(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again = await twice_asked(table, monkeypatch)
    shown = [post for post in remembers(table).posted if post.is_board]
    assert [post.about for post in shown] == [(1, 1), (1, 2)]
    assert [post.message["message_id"] for post in shown] == [
        first["message_id"],
        again["message_id"],
    ]
    assert list(doubled(remembers(table))) == []


PHOTO: Message = {"message_id": 1, "photo": []}
CHAT = Chat(11, "private", "Anna")


def posted(*, by: str = "third", life: int = 1, arrived: float = 10.0, number: int = 1) -> Post:
    message = PHOTO | {"message_id": number}
    return Post(arrived, CHAT, message, (1, number), Caller(by, life, arrived))


def done(method: str, number: int) -> Call:
    return Call(20.0, method, {"chat_id": "11", "message_id": str(number)}, "")


def asked_for(*lines: str, gone: Sequence[int] = ()) -> Api:
    """A board that was posted twice, after some lines; of its messages some have `gone`."""
    api = Api(None)
    api.said = [Said(5.0, 11, line, "") for line in lines]
    api.posted = [posted(), posted(arrived=15.0, number=2)]
    api.calls = [done("deleteMessage", number) for number in gone]
    return api


def test_a_board_is_said_once_where_it_was_asked_for_twice_and_the_first_has_gone() -> None:
    assert list(doubled(asked_for("/blackbox new", "/blackbox new", gone=[1]))) == []


@pytest.mark.parametrize(
    "api",
    [
        asked_for("/blackbox new", gone=[1]),
        asked_for("/start", "/blackbox new", gone=[1]),
        asked_for("/blackbox new", "/blackbox new"),
        asked_for("/blackbox new", "/blackbox new", gone=[2]),
    ],
    ids=["one line", "a start and one line", "the first stays", "the second has gone"],
)
def test_a_board_is_said_twice_where_it_was_asked_for_once_or_the_first_stays(api: Api) -> None:
    (double,) = doubled(api)
    assert (double.first, double.again) == tuple(api.posted)
    assert double.what == "board of match 1 in chat 11"


def test_a_message_that_was_taken_away_was_known_unless_somebody_has_pressed_it() -> None:
    api = asked_for(gone=[1])
    assert api.known() == {(11, 1)}
    api.touched.add((11, 1))
    assert api.known() == set()


async def test_a_message_that_has_gone_on_was_known_and_one_with_a_half_made_move_need_not_be() -> (
    None
):
    api, chat = Api(None), Chat(11, "private", "Anna")
    api.chats[chat.id] = chat

    def keys(token: str) -> str:
        return json.dumps({"inline_keyboard": [[{"text": "A1", "callback_data": token}]]})

    for number in (1, 2):
        api._post(chat, {"reply_markup": keys("step:4:7:a1")}, {"text": "a board"})
        api.touched.add((chat.id, number))
    for number, token in ((1, "step:4:8:a4"), (2, "step:4:7:a1.a4")):
        given = {"chat_id": "11", "message_id": str(number), "reply_markup": keys(token)}
        api._change(given, {"text": "a board"})
    assert api.known() == {(11, 1)}


def test_a_challenge_that_stands_there_twice_is_said_twice() -> None:
    api = Api(None)
    button = {"text": "Accept", "callback_data": "accept:4:1:"}
    for number in (1, 2):
        content = {"message_id": number, "reply_markup": {"inline_keyboard": [[button]]}}
        api.posted.append(Post(1.0, CHAT, content, (4, 1), Caller()))
    (double,) = doubled(api)
    assert double.what == "board of match 4 in chat 11"


def excused(cut: Cut, first: Post, again: Post, *, is_known: bool = False) -> bool:
    story = Story(Report("faults", 1), cuts=[cut])
    return story.is_unavoidable(
        Double("a board", first, again), known={first.key} if is_known else set()
    )


def test_what_was_posted_by_a_process_that_was_killed_before_it_was_said_again_is_unavoidable() -> (
    None
):
    again = posted(life=2, arrived=15.0, number=2)
    assert excused(Cut(12.0, 12.0, "third", 1), posted(), again)


def test_what_the_dead_have_asked_for_may_arrive_after_their_death() -> None:
    again = posted(by="second", arrived=15.0, number=2)
    assert excused(Cut(9.0, 9.0, "third", 1), posted(), again)


@pytest.mark.parametrize(
    "cut",
    [
        Cut(12.0, 12.0, "first", 1),
        Cut(9.0, 9.0, "third", 2),
        Cut(16.0, 16.0, "third", 1),
        Cut(9.0, 9.5, "third"),
        Cut(16.0, 20.0),
    ],
    ids=str,
)
def test_who_lived_and_was_not_cut_off_between_the_two_could_know(cut: Cut) -> None:
    again = posted(by="second", arrived=15.0, number=2)
    assert not excused(cut, posted(), again)


@pytest.mark.parametrize("cut", [Cut(12.0, 12.0, "third"), Cut(9.0, 11.0)], ids=str)
def test_who_was_cut_off_for_a_while_between_the_two_could_not(cut: Cut) -> None:
    assert excused(cut, posted(), posted(by="second", arrived=15.0, number=2))


def test_what_the_house_has_shown_to_know_is_not_excused_by_a_kill() -> None:
    again = posted(life=2, arrived=15.0, number=2)
    assert not excused(Cut(12.0, 12.0, "third", 1), posted(), again, is_known=True)


async def test_the_server_tells_the_lives_of_a_process_apart(table: Table) -> None:
    api = remembers(table)
    async with table.open(api_base=api.base_of("third", life=7)):
        table.anna.starts()
        await api.until(lambda: api.posted)
    caller = api.posted[0].caller
    assert (caller.by, caller.life) == ("third", 7)
    assert 0 < caller.arrived <= api.posted[0].at
    assert {call.by for call in api.fetches} == {"third"}


def test_a_call_beside_a_board_that_was_said_twice_at_one_version_is_told() -> None:
    api, chat = Api(None), Chat(11, "private", "Anna")
    api.chats[chat.id] = chat
    keys = {"inline_keyboard": [[{"text": "A1", "callback_data": "step:4:7:a1"}]]}
    board = api._post(chat, {"reply_markup": json.dumps(keys)}, {"text": "a board"})
    reply = json.dumps({"message_id": board["message_id"]})
    for _ in range(2):
        api._post(chat, {"reply_parameters": reply}, {"text": "Your turn"})
    (double,) = doubled(api)
    assert double.what == "ping of match 4 at 7 in chat 11"
