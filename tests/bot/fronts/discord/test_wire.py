"""The real client over the wire: start, play, reconnect, resume, limits, shutdown."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import aiohttp
import pytest
import structlog
from click.testing import CliRunner, Result
from structlog.testing import LogCapture

from bot.app import App
from bot.cli import main
from bot.commands import Answer, Command, Commands
from bot.delivery import Reconciler
from bot.domain.model import Place, PlaceKind
from bot.fronts.discord import DiscordSettings
from bot.fronts.discord.client import PERMISSIONS, _watched, invitation
from bot.fronts.discord.front import Discord
from bot.matches import playing as match_playing
from bot.matches import reading
from bot.support.errors import HostError
from bot.support.metrics import Metrics
from bot.support.settings import PlaySettings, Settings, all_settings
from tests.bot.fronts.discord.standin import ABROAD, CHANNEL, GROUP, TOKEN, StandIn
from tests.bot.seated import users

ANNA, BEN = 11, 12


class Ears(LogCapture):
    """Hears what is logged, and says that something was."""

    def __init__(self) -> None:
        super().__init__()
        self.said = asyncio.Event()

    def __call__(self, *heard: Any) -> NoReturn:
        self.said.set()
        super().__call__(*heard)


@contextmanager
def heard() -> Iterator[Ears]:
    """Collect log events instead of writing them."""
    processors, ears = structlog.get_config()["processors"], Ears()
    before = processors.copy()
    processors[:] = [ears]
    try:
        yield ears
    finally:
        processors[:] = before


def _ids(board: dict[str, Any], label: str) -> list[str]:
    """Return the custom ids of the buttons with this label."""
    return [
        one["custom_id"]
        for row in board["components"]
        for one in row.get("components", [])
        if one.get("label") == label
    ]


class Running:
    """The house with what works on its own, and the front against the stand-in."""

    def __init__(self, app: App, front: Discord, standin: StandIn) -> None:
        self.app, self.front, self.standin = app, front, standin

    async def ready(self) -> None:
        changed = self.app.changed.listen()
        while not self.front.client.is_ready():
            changed.clear()
            await changed.wait()

    async def begun(self, channel: int = CHANNEL) -> None:
        """Start Othello: Anna challenges Ben and has the first move."""
        asked = await self.standin.slash(
            ANNA, "othello", channel=channel, people=[BEN], move="new", user=BEN, side="first"
        )
        await asked.done.wait()
        board = await self.shows("Accept", channel)
        await self.press(BEN, board, "Accept")

    async def shows(self, text: str, channel: int = CHANNEL) -> dict[str, Any]:
        """Wait until `text` is on the newest board, and return the board."""

        def newest() -> dict[str, Any] | None:
            boards = self.standin.boards(channel)
            return boards[-1] if boards and text in str(boards[-1]["components"]) else None

        found: dict[str, Any] = await self.standin.until(newest)
        return found

    async def press(self, user: int, board: dict[str, Any], label: str) -> Any:
        asked = await self.standin.press(user, board, _ids(board, label)[0])
        await asked.done.wait()
        return asked


def configured(path: Path, standin: StandIn, **settings: Any) -> Settings:
    wire = {"token": TOKEN, "api_base": standin.api_base, "gateway": standin.gateway}
    play = PlaySettings(commands_per_second=100, leaderboard_minimum=1, pings="always")
    return all_settings().model_validate(
        {"database": path / "azumaya.db", "discord": {**wire, **settings}, "play": play}
    )


@asynccontextmanager
async def running(path: Path, standin: StandIn, **settings: Any) -> AsyncIterator[Running]:
    app = await App.open(configured(path, standin, **settings))
    front = Discord(app, Commands(app))
    await front.start()
    working = asyncio.create_task(Reconciler(app, {"discord": front}).run())
    try:
        yield Running(app, front, standin)
    finally:
        working.cancel()
        await asyncio.wait({working})
        await front.stop()
        await app.close()
    assert standin.problems == []


@asynccontextmanager
async def playing(
    path: Path, standin: StandIn, channel: int = CHANNEL
) -> AsyncIterator[tuple[Running, dict[str, Any]]]:
    """Start a match, and yield its board, on which Anna can play d3."""
    async with running(path, standin) as run:
        await run.ready()
        await run.begun(channel)
        yield run, await run.shows("'label': 'd3'", channel)


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with StandIn.open() as standin:
        yield standin


async def test_a_match_over_the_wire(tmp_path: Path, standin: StandIn) -> None:
    async with playing(tmp_path, standin) as (run, board):
        asked = await run.press(ANNA, board, "d3")
        assert asked.kind == 6
        shown = await run.shows("Last move: d3")
        stale = await standin.press(ANNA, shown, "az:othello:step:1:2:c4")
        await stale.done.wait()
        assert standin.seen["op 2"] == 1
        assert standin.seen["op 1"] >= 1
    assert [path for method, path, _ in standin.requests if method == "PUT"] == [
        "/applications/4711/commands"
    ]


async def test_a_lost_connection_is_resumed_and_a_lost_session_is_replaced(
    tmp_path: Path, standin: StandIn
) -> None:
    async with playing(tmp_path, standin) as (run, board):
        await standin.hang_up()
        asked = await standin.press(ANNA, board, "az:othello:step:1:2:d3")
        await asked.done.wait()
        await run.shows("Last move: d3")
        await standin.ask_to_reconnect()
        await run.press(BEN, await run.shows("Last move: d3"), "c3")
        await run.shows("Last move: c3")
        assert standin.seen["op 6"] == 2
        assert standin.seen["op 2"] == 1
        await standin.forget_sessions()
        await standin.until(lambda: standin.seen["op 2"] == 2)
        await run.press(ANNA, await run.shows("'label': 'c4'"), "c4")
        await run.shows("Last move: c4")


async def test_a_call_without_an_answer_is_counted_as_a_failure() -> None:
    metrics = Metrics()
    trace = _watched(metrics)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get("http://127.0.0.1:9")
    labels = {"front": "discord", "kind": "unreachable"}
    assert metrics.registry.get_sample_value("azumaya_platform_errors_total", labels) == 1


@pytest.mark.slow
@pytest.mark.parametrize("where", [GROUP, ABROAD], ids=["group", "server without the bot"])
async def test_where_the_bot_is_no_member_interactions_are_enough(
    tmp_path: Path, standin: StandIn, where: int
) -> None:
    async with playing(tmp_path, standin, where) as (run, board):
        await run.press(ANNA, board, "d3")
        await run.press(BEN, await run.shows("Last move: d3", where), "c3")
        await run.shows("Last move: c3", where)
        assert len(standin.boards(where)) == 1
    assert not [path for _, path, _ in standin.requests if path.startswith("/channels/")]


@dataclass(slots=True)
class Slow:
    """Those commands with `word` in them wait until they may go, typed ones when they are done."""

    word: str = ""
    go: asyncio.Event = field(default_factory=asyncio.Event)
    holds: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once something waits."""

    async def wait(self, said: str) -> None:
        if self.word and self.word in said:
            self.holds.set()
            await self.go.wait()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow, asked, pressed = Slow(), Commands.run_line, Commands.run_button

    async def slowly_asked(self: Commands, command: Command, line: str) -> Answer:
        answer = await asked(self, command, line)
        await slow.wait(line)
        return answer

    async def slowly_pressed(self: Commands, command: Command, token: str) -> Answer:
        await slow.wait(token)
        return await pressed(self, command, token)

    monkeypatch.setattr(Commands, "run_line", slowly_asked)
    monkeypatch.setattr(Commands, "run_button", slowly_pressed)
    return slow


async def test_a_slow_press_is_acknowledged_before_its_answer(
    tmp_path: Path, standin: StandIn, slow: Slow
) -> None:
    slow.word = "resign"
    async with playing(tmp_path, standin) as (run, board):
        asked = await run.press(BEN, board, "Resign")
        assert asked.kind == 6
        slow.go.set()
        (answer,) = await standin.until(lambda: asked.replies)
        assert "Resign? " in str(standin.messages[answer])
        assert standin.messages[answer]["flags"] & 64


async def test_the_answer_to_a_dismissed_message_comes_in_another(
    tmp_path: Path, standin: StandIn, slow: Slow
) -> None:
    slow.word = "settings"
    slow.go.set()
    async with running(tmp_path, standin) as run:
        await run.ready()
        asked = await standin.slash(ANNA, "settings")
        (number,) = await standin.until(lambda: asked.replies)
        await standin.until(lambda: "Colours" in str(standin.messages[number]))
        slow.go.clear()
        menu = standin.messages[number]
        pressed = await run.press(ANNA, menu, "Dots on legal moves: shown")
        del standin.messages[asked.replies[0]]
        slow.go.set()
        (answer,) = await standin.until(lambda: pressed.replies)
        assert "Dots on legal moves: hidden" in str(standin.messages[answer])
        assert standin.messages[answer]["flags"] & 64


async def test_a_slow_public_answer_is_public(tmp_path: Path, standin: StandIn, slow: Slow) -> None:
    slow.word = "leaderboard"
    async with running(tmp_path, standin) as run:
        await run.ready()
        await run.begun()
        await run.shows("'label': 'Resign'")
        black, white = users((await reading.get(run.app.matches, 1)).match)
        for move, who in (("d3", black), ("c3", white), ("c4", black), ("e3", white)):
            await match_playing.play(run.app.matches, 1, who, move)
        await match_playing.resign(run.app.matches, 1, black)
        asked = await standin.slash(ANNA, "leaderboard", game="othello")
        await asked.done.wait()
        assert asked.kind == 5
        slow.go.set()
        await run.shows("Leaderboard")
        # Nothing is left of the promise.
        await standin.until(lambda: asked.replies[0] not in standin.messages)
        await run.shows("Leaderboard")


async def test_a_slow_challenge_in_a_group_is_public(
    tmp_path: Path, standin: StandIn, slow: Slow
) -> None:
    slow.word = "othello new"
    async with running(tmp_path, standin) as run:
        await run.ready()
        asked = await standin.slash(ANNA, "othello", channel=GROUP, move="new")
        await asked.done.wait()
        assert asked.kind == 5
        # Time enough for the board to take the place of the answer, if it were not waiting.
        asyncio.get_running_loop().call_later(0.5, slow.go.set)
        board = await run.shows("Join", GROUP)
        assert int(board["id"]) == asked.replies[1]
        # Nothing is left of the promise.
        await standin.until(lambda: asked.replies[0] not in standin.messages)


async def test_a_question_at_a_board_in_a_group_is_not_taken_for_the_board(
    tmp_path: Path, standin: StandIn
) -> None:
    async with playing(tmp_path, standin, GROUP) as (run, board):
        asked = await run.press(BEN, board, "Resign")
        (question,) = await standin.until(lambda: asked.replies)
        typed = await standin.slash(ANNA, "othello", channel=GROUP, move="d3")
        await typed.done.wait()
        await run.shows("Last move: d3", GROUP)
        assert len(standin.boards(GROUP)) == 1
        assert "Resign? " in str(standin.messages[question])
        # No one can manage the group, and so close a match.
        asked = await standin.slash(BEN, "here", channel=GROUP)
        (refused,) = await standin.until(lambda: asked.replies)
        assert "Only the operator can change" in str(standin.messages[refused])


@pytest.mark.slow
async def test_the_token_of_an_interaction_that_was_acknowledged_too_late_is_never_used(
    tmp_path: Path, standin: StandIn, slow: Slow
) -> None:
    slow.word = "step"
    async with playing(tmp_path, standin, GROUP) as (run, board):
        too_late = {"code": 10062, "message": "Unknown interaction"}
        standin.fail.append(("POST", "/callback", 404, too_late, {}))
        (d3,) = _ids(board, "d3")
        pressed = await standin.press(ANNA, board, d3)
        await standin.until(lambda: not standin.fail)
        slow.go.set()
        # By the key of the command that posted the board, which has lost nothing by it.
        await run.shows("Last move: d3", GROUP)
        assert not pressed.kind
        assert len(standin.boards(GROUP)) == 1


async def test_a_token_deletes_a_message_only_after_its_acknowledgement(
    tmp_path: Path, standin: StandIn, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.fronts.discord.interactions.PATIENCE", 60)
    slow.word = "step"
    async with playing(tmp_path, standin, GROUP) as (run, board):
        pressed = await standin.press(ANNA, board, _ids(board, "d3")[0])
        await slow.holds.wait()
        asyncio.get_running_loop().call_later(0.3, slow.go.set)
        group = Place(1, "discord", f"@me/{GROUP}", PlaceKind.CHANNEL, None, "", {})
        await run.front.delete(group, f"~{board['id']}")
        assert pressed.kind == 6
        assert int(board["id"]) not in standin.messages


async def test_a_stop_waits_for_running_commands(
    tmp_path: Path, standin: StandIn, slow: Slow
) -> None:
    slow.word = "step"
    async with playing(tmp_path, standin) as (run, board):
        asked = await run.press(ANNA, board, "d3")
        asyncio.get_running_loop().call_later(0.2, slow.go.set)
        await run.front.stop()
        assert asked.kind == 6
        assert (await reading.get(run.app.matches, 1)).match.version == 3


@pytest.mark.slow
async def test_the_bot_starts_without_discord_and_connects_later(tmp_path: Path) -> None:
    async with StandIn.open() as first:
        port = first.port
    standin = StandIn()
    standin.port = port
    with heard() as ears:
        async with running(tmp_path, standin) as run:
            await ears.said.wait()
            await standin.start(port)
            await run.ready()
            await run.begun()
            await run.shows("'label': 'd3'")
    await standin.stop()
    said = [one["event"] for one in ears.entries]
    assert said.count("Discord cannot be reached") == 1


async def test_a_wrong_token_is_one_line_in_the_log(tmp_path: Path, standin: StandIn) -> None:
    app = await App.open(configured(tmp_path, standin, token="a.wrong.one"))
    front = Discord(app, Commands(app))
    with heard() as ears:
        await front.start()
        await ears.said.wait()
        await front.stop()
    await app.close()
    assert [one["log_level"] for one in ears.entries] == ["error"]
    assert "wrong" not in str(ears.entries)


async def test_a_command_prints_the_invitation_links(
    tmp_path: Path, standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def invite(token: str) -> Result:
        env = {"AZUMAYA_DISCORD__API_BASE": standin.api_base, "AZUMAYA_DISCORD__TOKEN": token}
        return await asyncio.to_thread(CliRunner(env=env).invoke, main, ["discord", "invite"])

    told = await invite(TOKEN)
    assert told.exit_code == 0, told.output
    server, person = told.stdout.splitlines()
    assert server.startswith("For a server:  https://discord.com/oauth2/authorize?client_id=4711")
    assert "scope=bot+applications.commands" in server
    assert f"permissions={PERMISSIONS.value}" in server
    assert person.startswith("For yourself:  https://discord.com/oauth2/authorize?client_id=4711")
    assert person.endswith("scope=applications.commands&integration_type=1")
    refused = await invite("a.wrong.one")
    assert refused.exit_code == 1
    assert refused.stderr == "Error: Discord does not accept discord.token\n"
    with pytest.raises(HostError, match="not set"):
        await invitation(DiscordSettings())
