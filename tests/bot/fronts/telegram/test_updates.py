"""Updates come in once: over restarts, SIGKILL, outages, by polling and by the webhook."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

import games
from bot import metrics
from bot.app import App
from bot.boards import Boards
from bot.commands import Answer, Command, Commands
from bot.errors import StoreError
from bot.fronts.telegram import Telegram
from bot.fronts.telegram import front as front_module
from bot.fronts.telegram.sender import Sender
from bot.fronts.telegram.shapes import unanswered
from bot.matches import Matches
from bot.store import Store, inbox, people
from bot.tasks import KeyedExecutor
from bot.texts import Texts
from tests.bot.fronts.telegram.conftest import Table, process, running
from tests.bot.fronts.telegram.playing import handed_on, tokens
from tests.bot.fronts.telegram.server import Query
from tests.bot.table import Clock


def record(table: Table) -> list[str]:
    """The moves in the database, in order."""
    connection = sqlite3.connect(table.file)
    try:
        return [row[0] for row in connection.execute("SELECT notation FROM moves ORDER BY ply")]
    finally:
        connection.close()


def is_played(table: Table, move: str) -> bool:
    """Is this the last move in the database, but for a pass?"""
    return [found for found in record(table) if found != "pass"][-1] == move


def match_of(length: int) -> list[tuple[int, str]]:
    """A random match of Othello: who plays what; passes are nobody's to type."""
    game, rng = games.get("othello"), Random(length)
    position = game.start(game.options_from({}), game.new_setup(game.options_from({}), rng))
    played: list[tuple[int, str]] = []
    while position.turn and len(played) < length:
        (seat,) = position.turn
        move = rng.choice(position.moves(seat))
        position = position.play(seat, move)
        if game.notation(move) != "pass":
            played.append((seat, game.notation(move)))
    return played


def typed(table: Table, moves: list[tuple[int, str]]) -> None:
    for seat, move in moves:
        (table.anna, table.ben)[seat].says(table.group, f"/othello {move}")


@pytest.mark.sqlite
async def test_moves_are_played_in_the_order_in_which_they_were_made(table: Table) -> None:
    moves = match_of(50)
    async with table.open():
        await table.begin()
        typed(table, moves)
        await table.api.until(
            lambda: [m for m in record(table) if m != "pass"] == [m for _, m in moves]
        )


@pytest.mark.sqlite
@pytest.mark.parametrize("way", ["typed", "pressed"])
async def test_moves_from_two_chats_are_played_in_the_order_in_which_they_were_made(
    table: Table, way: str
) -> None:
    """Made in two private chats while the bot was away, and taken in all at once."""
    # The first ones know no pass.
    moves = match_of(30 if way == "typed" else 12)
    anna, ben = table.anna, table.ben
    async with table.open():
        anna.starts()
        anna.says(anna.private, "/othello new black")
        await table.api.until(lambda: tokens(anna.private.newest(), "withdraw"))
        ben.starts(handed_on(anna.private.newest()))
        await table.api.until(lambda: table.api.boards(ben.private))
    first = int(tokens(table.board(ben.private), "resign")[0].split(":")[2])
    for version, (seat, move) in enumerate(moves, first):
        mover = (anna, ben)[seat]
        if way == "typed":
            mover.says(mover.private, f"/othello {move}")
        else:
            board = table.board(mover.private)
            mover.sends(mover.private, board, f"step:1:{version}:{move}")
    async with table.open():
        await table.api.until(
            lambda: [m for m in record(table) if m != "pass"] == [m for _, m in moves]
        )


async def test_a_press_that_names_a_match_of_others_stands_in_nobodys_way(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_under_way, may_end = asyncio.Event(), asyncio.Event()
    pressed = Commands.pressed

    async def slow(self: Commands, command: Command, token: str) -> Answer:
        if command.identity == str(table.cleo.id):
            is_under_way.set()
            await may_end.wait()
        return await pressed(self, command, token)

    monkeypatch.setattr(Commands, "pressed", slow)
    api, anna, cleo, group = table.api, table.anna, table.cleo, table.group
    async with table.open():
        board = await table.begin()
        cleo.starts()
        await api.until(lambda: api.texts(cleo.private))
        forged = cleo.sends(cleo.private, cleo.private.newest(), "step:1:2:d3")
        await is_under_way.wait()
        anna.presses(group, board, "d3")
        await api.until(lambda: table.is_shown("d3"))
        assert not forged.answered.is_set()
        may_end.set()
        await api.until(forged.answered.is_set)
        assert forged.alert


@pytest.mark.sqlite
async def test_presses_that_come_too_fast_are_answered_before_they_stand_in_line(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()
    pressed = Commands.pressed

    async def counted(self: Commands, command: Command, token: str) -> Answer:
        done.append(command.identity)
        return await pressed(self, command, token)

    monkeypatch.setattr(Commands, "pressed", counted)
    settings = table.settings()
    play = settings.play.model_copy(update={"commands_per_second": 0.1})
    async with running(settings.model_copy(update={"play": play})):
        board = await table.begin()
        presses = [table.cleo.sends(table.group, board, "rules:0:0:othello") for _ in range(30)]
        await table.api.until(lambda: all(press.answered.is_set() for press in presses))
        told = [press.text for press in presses]
        # On a machine that is busy there may be room for another one meanwhile.
        assert told.count(Texts("en")("error-too-fast")) >= 27
        assert done.count(str(table.cleo.id)) <= 3
    assert isinstance(table.database, Path)
    with closing(sqlite3.connect(table.database)) as database:
        left = database.execute("SELECT count(*) FROM inbox WHERE payload IS NOT NULL")
        assert left.fetchone() == (0,)


async def test_two_hundred_lines_of_one_person_keep_nobody_waiting_whom_they_play_with(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who types them reads once that it was too fast; nothing of it is left for the next start."""
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    done = list[str]()
    typed = Commands.typed

    async def counted(self: Commands, command: Command, line: str) -> Answer:
        answer = await typed(self, command, line)
        done.append(command.identity)
        return answer

    monkeypatch.setattr(Commands, "typed", counted)
    settings = table.settings()
    play = settings.play.model_copy(update={"commands_per_second": 5})
    settings = settings.model_copy(update={"play": play})
    async with running(settings):
        ben.starts()
        board = await table.begin()
    for chat in (ben.private, group):
        for number in range(100):
            ben.says(chat, f"/othello a{number}")
    pressed = anna.presses(group, board, "d3")
    done.clear()
    async with running(settings) as (app, _):
        await api.until(pressed.answered.is_set)
        # However long that took: she was before most of his, and not after them.
        assert len(await inbox.unfinished(app.store, "telegram")) > 100
        await api.until(lambda: table.is_shown("d3"))
        hasty = Texts("de")("error-too-fast")
        await api.until(lambda: hasty in api.texts(ben.private) and hasty in api.texts(group))
        async with asyncio.timeout(60):
            while await inbox.unfinished(app.store, "telegram"):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
    assert not pressed.alert
    assert 10 <= done.count(str(ben.id)) <= 40


@pytest.mark.sqlite
async def test_what_was_taken_in_before_a_restart_is_played_after_it(table: Table) -> None:
    async with table.open():
        await table.begin()
    typed(table, match_of(3))
    app = await App.open(table.settings())
    waiting = {update["update_id"]: update for update in table.api._pending}
    await inbox.take_in(app.store, "telegram", waiting)
    await app.close()
    async with table.open():
        # Telegram, too, still has them, for nobody has confirmed them.
        await table.api.until(lambda: len(record(table)) == 3)
        await table.api.until(lambda: not table.api.unconfirmed)
    assert len(record(table)) == 3


@pytest.mark.sqlite
async def test_noting_who_speaks_finishes_no_update(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start everybody is noted anew; a SIGKILL between that and the move loses nothing."""
    monkeypatch.setattr(front_module, "_LAST_SECONDS", 0.1)
    begun = asyncio.Event()

    async def never(_commands: Commands, _command: Command, _line: str) -> Answer:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with table.open():
        await table.begin()
    table.anna.username = "anna2"
    with monkeypatch.context() as killed:
        killed.setattr(Commands, "typed", never)
        async with table.open():
            table.anna.says(table.group, "/othello d3")
            await begun.wait()
    async with table.open():
        await table.api.until(lambda: table.is_shown("d3"))
        await table.api.until(lambda: not table.api.unconfirmed)
    assert record(table) == ["d3"]


async def killed_in(
    table: Table, monkeypatch: pytest.MonkeyPatch, where: type, name: str, act: Callable[[], object]
) -> None:
    """`act`, and the house is gone as soon as it has come as far as this method."""
    monkeypatch.setattr(front_module, "_LAST_SECONDS", 0.1)
    begun = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as killed:
        async with table.open():
            killed.setattr(where, name, never)
            act()
            await begun.wait()


@pytest.mark.sqlite
async def test_a_key_whose_move_was_stored_before_a_sigkill_is_answered_after_the_start(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table.open():
        await table.begin()
    pressed: list[Query] = []

    def press() -> None:
        pressed.append(table.anna.presses(table.group, table.board(), "d3"))

    await killed_in(table, monkeypatch, Sender, "answer", press)
    assert record(table) == ["d3"]
    assert not pressed[0].answered.is_set()
    async with table.open():
        await pressed[0].answered.wait()
        await table.api.until(lambda: table.is_shown("d3"))
    assert pressed[0].text == ""
    assert record(table) == ["d3"]
    # Once: nothing of it is left for the next start.
    app = await App.open(table.settings())
    assert await inbox.unfinished(app.store, "telegram") == {}
    await app.close()


@pytest.mark.sqlite
async def test_who_was_told_no_before_a_sigkill_hears_it_once_and_finds_nothing_done_after_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    monkeypatch.setattr(front_module, "_LAST_SECONDS", 0.1)
    is_said, send = asyncio.Event(), Sender.send
    early = 0

    async def said_and_gone(self: Sender, chat: Any, draft: Any, **more: Any) -> Any:
        message = await send(self, chat, draft, **more)
        if more.get("reply") == early:
            is_said.set()
            await asyncio.Event().wait()
        return message

    def told_no() -> int:
        replies = [m.get("reply_to_message", {}) for m in group.messages.values()]
        return sum(reply.get("message_id") == early for reply in replies)

    with monkeypatch.context() as killed:
        killed.setattr(Sender, "send", said_and_gone)
        async with table.open():
            await table.begin()
            early = ben.says(group, "/othello c3")["message_id"]
            await is_said.wait()
            anna.says(group, "/othello d3")
            await api.until(lambda: record(table) == ["d3"])
    assert told_no() == 1
    async with table.open():
        anna.says(group, "/help")
        await api.until(lambda: "/help" in api.texts(group)[-1])
    assert told_no() == 1
    assert record(table) == ["d3"]


@pytest.mark.sqlite
async def test_a_key_that_was_refused_before_a_sigkill_is_answered_and_does_nothing_after_the_start(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table.open():
        await table.begin()
    pressed: list[Query] = []

    def press() -> None:
        pressed.append(table.ben.presses(table.group, table.board(), "d3"))

    await killed_in(table, monkeypatch, Sender, "answer", press)
    app = await App.open(table.settings())
    (left,) = (await inbox.unfinished(app.store, "telegram")).values()
    await app.close()
    # What it was is known no more, only that somebody waits.
    assert left == unanswered(pressed[0].id)
    async with table.open():
        await pressed[0].answered.wait()
        await table.api.until(lambda: not table.api.unconfirmed)
    assert record(table) == []


async def test_who_has_joined_and_saw_no_board_before_a_sigkill_sees_it_after_the_start(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, api = table.anna, table.ben, table.api
    async with table.open():
        anna.starts()
        anna.says(anna.private, "/othello new black")
        await api.until(lambda: tokens(anna.private.newest(), "withdraw"))
    link = handed_on(anna.private.newest())
    await killed_in(table, monkeypatch, Boards, "show", lambda: ben.starts(link))
    async with table.open():
        await api.until(lambda: api.boards(ben.private))
    assert "Anna ist am Zug." in table.board(ben.private)["caption"]
    # Nor does he read that somebody else was quicker.
    assert api.texts(ben.private) == []


async def test_whoever_blocks_somebody_ends_all_their_challenges_over_a_sigkill(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, group, api = table.anna, table.ben, table.group, table.api
    hello = ben.says(group, "Hello")
    async with table.open():
        for game in ("othello", "morris", "sogo"):
            anna.says(group, f"/{game}", reply=hello)
        await api.until(
            lambda: sum(bool(tokens(m, "accept")) for m in group.messages.values()) == 3
        )
    close, closed = Matches.end_challenge, 0

    async def first_only(*given: Any, **more: Any) -> Any:
        nonlocal closed
        closed += 1
        return await (close(*given, **more) if closed == 1 else Matches.end(*given, **more))

    monkeypatch.setattr(Matches, "end_challenge", first_only)
    await killed_in(
        table, monkeypatch, Matches, "end", lambda: anna.says(group, "/block", reply=hello)
    )
    monkeypatch.setattr(Matches, "end_challenge", close)
    async with table.open():
        await api.until(lambda: not any(tokens(m, "accept") for m in group.messages.values()))


async def test_what_was_refused_because_nothing_could_be_stored_is_not_done_at_the_next_start(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, api, group = table.anna, table.api, table.group
    is_full, failed = False, 0
    write, write_at_once = Store.write, Store.write_at_once

    def check_room() -> None:
        nonlocal failed
        if is_full:
            failed += 1
            raise StoreError("the disk is full")

    @asynccontextmanager
    async def fails(*given: Any, **more: Any) -> AsyncIterator[AsyncConnection]:
        check_room()
        async with write(*given, **more) as connection:
            yield connection

    async def fails_at_once(*given: Any) -> Any:
        check_room()
        return await write_at_once(*given)

    async with table.open() as front:
        await table.begin()
        anna.says(group, "/othello d3")
        await api.until(lambda: table.is_shown("d3"))
        anna.says(group, "/resign")
        await api.until(lambda: tokens(group.newest(), "resign:1:3:yes"))
        question, take = group.newest(), front._dispatcher.take

        async def taken_in(updates: Any) -> None:
            nonlocal is_full
            is_full = True
            await take(updates)

        monkeypatch.setattr(Store, "write", fails)
        monkeypatch.setattr(Store, "write_at_once", fails_at_once)
        monkeypatch.setattr(front._receiver, "_take", taken_in)
        press = anna.presses(group, question, "Yes, give up")
        await api.until(press.answered.is_set)
        assert "nothing has changed" in press.text
        # Nor can it be noted that she was told so.
        tried = failed
        async with asyncio.timeout(30):
            while failed == tried:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        is_full = False
        async with asyncio.timeout(30):
            while await inbox.unfinished(front._app.store, "telegram"):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
    monkeypatch.undo()
    async with table.open():
        anna.says(group, "/help")
        await api.until(lambda: "/help" in api.texts(group)[-1])
        assert "Ben wins" not in table.board()["caption"]
    assert isinstance(table.logged, list)
    full = [event for event in table.logged if event.get("reason") == "the disk is full"]
    assert full
    for event in full:
        table.logged.remove(event)


async def test_what_cannot_be_said_is_not_tried_again_at_every_start(table: Table) -> None:
    async with table.open():
        await table.begin()
        table.group.closed = "Forbidden: bot was kicked from the group chat"
        table.anna.says(table.group, "/help")
        await table.api.until(lambda: [call for call in table.api.calls if call.refused])
    tried = len(table.api.calls)
    async with table.open():
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
    assert [call for call in table.api.calls[tried:] if call.refused] == []


async def test_what_a_command_writes_finishes_its_update(table: Table) -> None:
    app = await App.open(table.settings())
    store = app.store
    await inbox.take_in(store, "telegram", {1: {"a": 1}, 2: {"b": 2}, 3: {"c": 3}})
    first, second = inbox.Finishing("telegram", 1), inbox.Finishing("telegram", 2)
    await people.get_or_create_user(store.together_with(first), "telegram", "5", name="Anna")
    assert first.done
    # What is not written by the command's own store is not of the command.
    await people.get_or_create_user(store, "telegram", "6", name="Ben")
    with pytest.raises(RuntimeError):
        async with store.together_with(second).write():
            raise RuntimeError
    assert not second.done

    class Failing(inbox.Finishing):
        def __call__(self, connection: Connection) -> None:
            super().__call__(connection)
            raise RuntimeError

    failing = Failing("telegram", 2)
    with pytest.raises(RuntimeError):
        await people.get_or_create_user(store.together_with(failing), "telegram", "7", name="Cleo")
    # What was rolled back is not finished: nobody must hear that it is, and find it done later.
    assert not failing.done
    await inbox.finish(store, "telegram", 3)
    assert await inbox.unfinished(store, "telegram") == {2: {"b": 2}}
    assert await inbox.take_in(store, "telegram", {1: {}, 2: {}, 3: {}, 4: {}}) == [4]
    await app.close()


@pytest.mark.parametrize("twice", ["/othello new", "/blackbox new", "/language de"])
async def test_an_update_that_comes_twice_counts_once(table: Table, twice: str) -> None:
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
        message = table.api.message(table.anna.private, sender=table.anna.plain, text=twice)
        for _ in range(3):
            table.api.update({"message": message}, number=5000)
        await table.api.until(lambda: table.api.deliveries[-3:] == [200] * 3)
        table.anna.says(table.anna.private, "/help")
        await table.api.until(
            lambda: any(
                text.startswith(("How it works", "So geht es"))
                for text in table.api.texts(table.anna.private)
            )
        )
        answers = [call for call in table.api.calls if call.method == "setMessageReaction"]
        assert len(answers) <= 1
        assert len([m for m in table.anna.private.messages.values() if tokens(m, "withdraw")]) <= 1
        assert len(table.api.boards(table.anna.private)) <= 1


async def test_what_nobody_understands_is_not_kept_for_the_next_start(table: Table) -> None:
    app = await App.open(table.settings())
    await inbox.take_in(
        app.store, "telegram", {5: {"update_id": 5, "message": {"message_id": "x"}}}
    )
    await app.close()
    async with table.open():
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
        await table.api.until(lambda: not table.api.unconfirmed)
    assert table.troubles() == [("update not understood", 5)]
    app = await App.open(table.settings())
    assert 5 not in await inbox.unfinished(app.store, "telegram")
    await app.close()


async def test_updates_without_numbers_hold_up_no_others(table: Table) -> None:
    table.api.spec = None
    async with table.open():
        table.api._pending.append({"message": {"text": "/help"}})
        await table.api.until(lambda: table.troubles() == [("no updates from Telegram", None)])
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
    assert ("updates without numbers", None) in table.troubles()


async def connected(table: Table, front: Telegram) -> None:
    """Wait for the webhook to be set, and let it lead to where the front listens."""
    await table.api.until(lambda: table.api.webhook)
    assert table.api.webhook["max_connections"] == "40"
    table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/telegram"


@pytest.mark.sqlite
async def test_the_webhook_plays_as_polling_does(table: Table) -> None:
    moves = match_of(20)
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        board = await table.begin()
        query = table.anna.presses(table.group, board, moves[0][1])
        await table.api.until(query.answered.is_set)
        for seat, move in moves[1:]:
            # Deliveries overtake each other, as Telegram's do: one after the other here.
            (table.anna, table.ben)[seat].says(table.group, f"/othello {move}")
            await table.api.until(partial(is_played, table, move))
        assert not any(call.method == "getUpdates" for call in table.api.calls)


@pytest.mark.parametrize(
    ("secret", "body", "status"),
    [
        ("wrong", b"{}", 403),
        ("", b"{}", 403),
        (None, b"{", 400),
        (None, b"[]", 400),
        (None, b'{"update_id": "x"}', 400),
        (None, b'{"update_id": "7"}', 400),
        (None, b'{"update_id": true}', 400),
        (None, b'{"update_id": 1000000000000000000000}', 400),
        (None, b'{"update_id": 7}', 200),
        (None, b'{"update_id": 8, "message": {"x": 1}}', 200),
    ],
)
async def test_the_webhook_is_for_telegram_alone(
    table: Table, secret: str | None, body: bytes, status: int
) -> None:
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        token = table.api.webhook["secret_token"] if secret is None else secret
        headers = {"X-Telegram-Bot-Api-Secret-Token": token}
        url = f"http://127.0.0.1:{front.port}/telegram"
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, data=body, headers=headers) as answer,
        ):
            assert answer.status == status


@pytest.mark.parametrize("value", [b"\x80", b"\xff" * 64, "Straße".encode(), b"a\xed\xa0\x80"])
async def test_a_secret_of_any_bytes_is_a_wrong_secret(
    table: Table, value: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        reader, writer = await asyncio.open_connection("127.0.0.1", front.port)
        writer.write(
            b"POST /telegram HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n"
            b"X-Telegram-Bot-Api-Secret-Token: " + value + b"\r\n\r\n{}"
        )
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert b"\r\nServer: Azumaya\r\n" in answer
    assert not caplog.records


@pytest.mark.sqlite
async def test_a_page_of_a_proxy_is_not_quoted_in_the_log(table: Table) -> None:
    """The real process, at its most talkative, with somebody else in Telegram's place."""

    asked = 0

    async def page(_: web.Request) -> web.Response:
        nonlocal asked
        asked += 1
        return web.Response(status=502, text="<html>hunter2</html>", content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", page)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with process(table, base=base), asyncio.timeout(60):
        while asked < 3:  # noqa: ASYNC110 - the other process asks
            await asyncio.sleep(0.01)
    await runner.cleanup()
    assert "hunter2" not in table.written
    assert "Traceback" not in table.written
    assert "Bad Gateway (502)" in table.written


async def test_the_path_of_the_webhook_can_be_chosen(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0, webhook_path="/a/b") as front:
        await connected(table, front)
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/a/b"
        await table.begin()
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/telegram"
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: 404 in table.api.deliveries)
        # Telegram tries again, and then it arrives.
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/a/b"
        await table.api.until(lambda: table.is_shown("d3"))


async def test_the_number_of_deliveries_at_once_can_be_chosen(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0, max_connections=7):
        await table.api.until(lambda: table.api.webhook)
        assert table.api.webhook["max_connections"] == "7"


async def test_the_secret_of_the_webhook_can_be_chosen(table: Table) -> None:
    chosen = "a-secret_of_ones-own"
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0, webhook_secret=chosen):
        await table.api.until(lambda: table.api.webhook)
        assert table.api.webhook["secret_token"] == chosen


async def test_a_start_without_a_network_waits_for_it(table: Table) -> None:
    port = table.api.port
    await table.api.stop()
    async with table.open() as front:
        assert front.port == 0
        table.api._stopping.clear()
        await table.api.start(port)
        await table.begin()


@pytest.mark.sqlite
async def test_from_webhook_to_polling_and_back_nothing_is_lost(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0) as front:
        await connected(table, front)
        await table.begin()
    table.api.webhook["url"] = "http://127.0.0.1:9/nobody"
    async with table.open():
        await table.api.until(lambda: not table.api.webhook)
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: record(table) == ["d3"])


@pytest.mark.sqlite
@pytest.mark.parametrize("second", [0.9])
async def test_no_move_is_lost_or_played_twice_over_a_sigkill(table: Table) -> None:
    moves = match_of(60)
    wanted = [move for _, move in moves]

    def played() -> int:
        return sum(call.method == "setMessageReaction" for call in table.api.calls)

    def has_reached(count: int) -> bool:
        return played() >= count

    async with process(table):
        await table.begin()
    for kill_at in (4, 9, 20):
        typed(table, moves[:20])
        moves = moves[20:]
        async with process(table) as running:
            enough = played() + kill_at
            await table.api.until(partial(has_reached, enough))
            running.kill()
    async with process(table) as running:
        await table.api.until(lambda: [move for move in record(table) if move != "pass"] == wanted)
        running.terminate()
        await asyncio.wait_for(running.wait(), 60)
        assert running.returncode == 0
    assert [move for move in record(table) if move != "pass"] == wanted
    # Who was killed cannot remember what was spent in the moment before: one 429 a kill is none.
    table.api.floods = max(0, table.api.floods - 3)


async def test_lanes_keep_the_order_where_work_shares_a_key() -> None:
    executor, done = KeyedExecutor(), []
    gates = {name: asyncio.Event() for name in "abcd"}

    async def work(name: str) -> None:
        await gates[name].wait()
        done.append(name)

    keys = {"a": {1, 2}, "b": {2, 3}, "c": {3}, "d": {4}}
    tasks = [executor.run(keys[name], partial(work, name)) for name in keys]
    for name in "dcb":
        gates[name].set()
    await tasks[3]
    assert done == ["d"]
    gates["a"].set()
    await asyncio.gather(*tasks)
    assert done == ["d", "a", "b", "c"]
    assert executor._last == {}


async def test_closed_lanes_begin_nothing_more() -> None:
    executor, gate, done = KeyedExecutor(), asyncio.Event(), []

    async def first() -> None:
        await gate.wait()
        done.append(1)

    async def second() -> None:
        done.append(2)

    executor.run({1}, first)
    executor.run({1}, second)
    await asyncio.sleep(0)
    closing = asyncio.create_task(executor.close(seconds=5))
    await asyncio.sleep(0)
    gate.set()
    await closing
    assert done == [1]


async def test_what_telegram_delivers_is_timed_from_its_arrival(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, take_in = Clock(), inbox.take_in

    async def slow(*given: Any) -> list[int]:
        clock.forward(3)
        return await take_in(*given)

    monkeypatch.setattr(metrics, "perf_counter", clock)
    monkeypatch.setattr(inbox, "take_in", slow)
    async with table.open() as front:
        await table.begin()
    number, seconds = (
        front._app.metrics.registry.get_sample_value(
            f"azumaya_event_to_commit_seconds_{what}", {"front": "telegram"}
        )
        for what in ("count", "sum")
    )
    assert number
    assert seconds is not None
    assert seconds >= 3 * number
