"""``azumaya telegram setup``, and the token, which must not be in any output."""

import asyncio
import gc
from contextlib import nullcontext

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from telegram.error import NetworkError

from bot import commands
from bot.fronts.telegram import TelegramSettings, setup
from bot.fronts.telegram.setup import EMBLEM, SetupError, set_up
from tests.bot.fronts.telegram.conftest import Table, process
from tests.bot.fronts.telegram.server import BOT, TOKEN

WRONG = "424242:WRONGwrongWRONGwrongWRONGwrongWRONG"


@pytest.mark.sqlite
async def test_setup_registers_texts_and_picture_and_the_command_prints_the_link(
    table: Table,
) -> None:
    async with process(table, "telegram", "setup") as running:
        await asyncio.wait_for(running.wait(), 60)
    assert table.written.strip() == "The bot is ready: https://t.me/azumaya_bot"
    assert running.returncode == 0
    assert len(table.api.commands) == 6
    assert "Black Box" in table.api.descriptions["long", "de"]
    assert set(table.api.descriptions) == {
        (k, code) for k in ("long", "short") for code in ("", "de")
    }
    assert table.api.profile == EMBLEM.read_bytes()
    assert table.api.profile.startswith(b"\xff\xd8"), "Telegram takes a JPEG"


async def test_a_refused_token_and_a_missing_network_are_errors_without_the_token(
    table: Table,
) -> None:
    for more, said in (
        ({"token": WRONG}, "the token is refused; copy it from BotFather once more"),
        ({"api_base": "http://127.0.0.1:9"}, None),
    ):
        settings = table.settings(**more).of(TelegramSettings)
        with pytest.raises(SetupError, match=said) as caught:
            await set_up(settings)
        assert settings.token is not None
        assert settings.token.get_secret_value() not in repr(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.sqlite
@pytest.mark.parametrize("said", ["<p>no %s", '{"ok": false, "description": "no %s"}', "[]"])
async def test_a_proxy_that_quotes_the_address_betrays_no_token(table: Table, said: str) -> None:
    async def quoted(request: web.Request) -> web.Response:
        return web.Response(status=400, text=said.replace("%s", request.path))

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", quoted)
    async with TestServer(app) as proxy:
        base = str(proxy.make_url("")).rstrip("/")
        async with process(table, "telegram", "setup", base=base) as running:
            await asyncio.wait_for(running.wait(), 60)
    assert running.returncode == 1
    assert len(table.written.strip().splitlines()) == 1, "no traceback"


@pytest.mark.slow
async def test_the_doctor_checks_the_token_and_changes_nothing(table: Table) -> None:
    async with process(table, "doctor", "--ask") as running:
        assert await asyncio.wait_for(running.wait(), 60) == 0
    assert "✓ Telegram accepts the token of @azumaya_bot." in table.written
    assert not table.api.commands


async def test_a_call_without_an_answer_is_counted_as_a_failure(table: Table) -> None:
    failed: list[int | None] = []
    bot = setup.open_bot(
        table.settings(api_base="http://127.0.0.1:9").of(TelegramSettings), failed=failed.append
    )
    with pytest.raises(NetworkError):
        await bot.initialize()
    await bot.shutdown()
    assert failed == [None]


@pytest.mark.parametrize(
    ("host", "spared"), [("127.0.0.1", "elsewhere"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1")]
)
async def test_a_proxy_of_the_environment_is_used_unless_it_is_excepted(
    table: Table, host: str, spared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def forwarded(request: web.Request) -> web.Response:
        assert request.headers["Host"] == f"{host}:9"
        return web.json_response({"ok": True, "result": BOT})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", forwarded)
    bot = setup.open_bot(table.settings(api_base=f"http://{host}:9").of(TelegramSettings))
    async with TestServer(app) as proxy:
        monkeypatch.setenv("http_proxy", str(proxy.make_url("")))
        monkeypatch.setenv("no_proxy", spared)
        with pytest.raises(NetworkError) if spared in host else nullcontext():
            await bot.initialize()
    await bot.shutdown()


@pytest.mark.sqlite
@pytest.mark.parametrize("token", [TOKEN, WRONG])
async def test_neither_a_working_nor_a_refused_token_is_logged(table: Table, token: str) -> None:
    """At log level DEBUG, and over an outage."""
    async with process(table, token=token) as running:
        if token == TOKEN:
            await table.begin()
            table.api.away = True
            table.api._happened()
            await table.api.until(lambda: table.api.knocks > 2)
            table.api.away = False
            table.anna.says(table.group, "/othello d3")
            await table.api.until(lambda: table.is_shown("d3"))
        else:
            await table.api.until(lambda: [call for call in table.api.calls if call.refused])
        running.terminate()
        await asyncio.wait_for(running.wait(), 10)
        assert running.returncode == 0
    assert ("connected to Telegram" if token == TOKEN else "the token is refused") in table.written


async def test_commands_are_registered_by_scope_and_language_when_they_have_changed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = table.api.commands

    def registered() -> int:
        return sum(call.method == "setMyCommands" for call in table.api.calls)

    async with table.open(is_known=False):
        await table.api.until(lambda: registered() == 6)
    scopes = ("all_private_chats", "all_group_chats", "all_chat_administrators")
    assert set(told) == {(scope, language) for scope in scopes for language in ("", "de")}
    names = {spec.name for spec in commands.table() if not spec.can_manage}
    assert {one["command"] for one in told["all_private_chats", ""]} == names
    # Telegram allows no umlauts in commands. The bot understands all that it registers.
    german = {one["command"] for one in told["all_group_chats", "de"]}
    assert german > {"regeln", "zuege", "muehle", "hilfe", "othello"}
    understood = {spec.name for word in german if (spec := commands.find_spec(word))}
    assert understood == names - {"settings"}
    administrators = {one["command"] for one in told["all_chat_administrators", ""]}
    assert administrators == names - {"settings"} | {"here"}
    about = {one["command"]: one["description"] for one in told["all_group_chats", "de"]}
    assert about["rangliste"] == "die Besten zeigen"
    async with table.open(is_known=False):
        table.cleo.starts()
        await table.api.until(lambda: table.api.texts(table.cleo.private))
    assert registered() == 6
    fewer = tuple(spec for spec in commands.table() if spec.name != "privacy")
    monkeypatch.setattr(setup, "table", lambda: fewer)
    async with table.open(is_known=False):
        await table.api.until(lambda: registered() == 12)


async def test_a_start_that_is_cancelled_at_once_leaves_no_session_open(table: Table) -> None:
    def is_open(one: object) -> bool:
        return isinstance(one, ClientSession) and not one.closed

    before = sum(map(is_open, gc.get_objects()))
    bot = setup.open_bot(table.settings().of(TelegramSettings))
    starting = asyncio.create_task(bot.initialize())
    for _ in range(2):
        await asyncio.sleep(0)
    starting.cancel()
    await asyncio.wait([starting])
    await bot.shutdown()
    assert sum(map(is_open, gc.get_objects())) == before
