"""Random faults of three processes on PostgreSQL, while all games are played in the web app.

After each fault every player must go on in time. In the end every acknowledged move must be stored
once, every record must replay, no board may appear twice, and no log may hold a secret.
"""

import asyncio
import os
import signal
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.postgres import Cluster, Server
from tests.wire import Wire as Proxy
from tools.attack.history import History
from tools.attack.players import RECOVERY, Player, at_the_web, check, go_on, rooms
from tools.attack.process import App
from tools.attack.report import Report, Scene

_PROCESSES = ("first", "second", "third")
_PASSWORD = "not-for-any-log-4711"
_STOPPED = 20.0
_DURABLE = {"synchronous_commit": "on", "full_page_writes": "on"}


@dataclass
class _Bot:
    """A process with its own proxy to the database."""

    name: str
    app: App
    proxy: Proxy


async def random_faults(
    *, seed: int, seconds: float | None, only: Sequence[str], say: Callable[[str], None]
) -> Report:
    """Inject all faults, or those of `only`: once each, or at random for a few seconds."""
    report = Report("random", seed, suite="tools.faults --part")
    begun = monotonic()
    with TemporaryDirectory(prefix="azumaya-faults-", ignore_cleanup_errors=True) as folder:
        try:
            async with AsyncExitStack() as stack:
                faults = _Faults(Scene(report, Path(folder), seconds))
                await faults.open(stack)
                await faults.inject(only or [*FAULTS], say)
        except Exception:  # noqa: BLE001 - this is a finding, too
            report.broken("the run ends", traceback.format_exc(limit=-6))
    report.seconds = monotonic() - begun
    return report


@contextmanager
def _postgres() -> Iterator[Cluster]:
    with TemporaryDirectory(prefix="azumaya-pg-") as name:
        # For root, the server runs as another user.
        Path(name).chmod(0o755)
        (folder := Path(name, "data")).mkdir()
        cluster = Cluster(folder, _DURABLE)
        _start(cluster)
        try:
            Server(cluster.folder).execute("CREATE DATABASE bot")
            yield cluster
        finally:
            cluster.stop()


def _start(cluster: Cluster) -> None:
    with Path(os.devnull).open("wb") as log:
        cluster.start(log=log.fileno())


class _Faults:
    """The bots, their players, and what is done to them."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.luck, self.report = scene, scene.luck(), scene.report
        self.history = History(scene.report, current_within=RECOVERY)
        self.bots: list[_Bot] = []

    async def open(self, stack: AsyncExitStack) -> None:
        """Start the database, the bots and the players."""
        self.cluster = stack.enter_context(_postgres())
        self.address = Server(self.cluster.folder).url("bot", password=_PASSWORD)
        for name in _PROCESSES:
            proxy = await stack.enter_async_context(Proxy(self.cluster.folder).open())
            settings = {
                "DATABASE": proxy.url(self.address).get_secret_value(),
                "WEB__CHANNELS": ",".join(["lounge", *(room for room, _ in rooms())]),
            }
            app = App(self.scene.folder, settings, log=self.scene.folder / f"{name}.log")
            self.bots.append(_Bot(name, app, proxy))
            await app.start()
            stack.push_async_callback(app.kill)
        urls = [bot.app.url for bot in self.bots]
        games = await stack.enter_async_context(at_the_web(self.history, "", self.luck))
        self.players = [Player(game, urls, self.luck) for game in games]
        for player in self.players:
            await player.start()
            stack.push_async_callback(player.game.leave)
            stack.push_async_callback(player.stop)

        await go_on(self.players, self.history, "the start")

    async def inject(self, only: Sequence[str], say: Callable[[str], None]) -> None:
        """Inject one fault after the other, end the bots, and check."""
        for number in self.scene.rounds(len(only)):
            await asyncio.sleep(self.luck.uniform(0.1, 2.0))
            is_long = self.scene.seconds is not None
            name = self.luck.choice(only) if is_long else only[number]
            say(f"{number + 1:4}  {name}")
            self.report.count(name)
            self.history.allows_late_boards = True
            await FAULTS[name](self)
            await go_on(self.players, self.history, f"{number + 1}, {name}")
        for player in self.players:
            await player.stop()
            await player.game.check_boards()
        for bot in self.bots:
            self.report.check(await bot.app.end() == 0, "the bot ends", bot.name)
        apps = (bot.app for bot in self.bots)
        check(self.players, self.history, self.address, apps, _PASSWORD)

    # --- the faults -----------------------------------------------------------------------

    def _any(self) -> _Bot:
        return self.luck.choice(self.bots)

    async def kill(self) -> None:
        """Kill a process, and start it again after a while."""
        bot = self._any()
        await bot.app.kill()
        await asyncio.sleep(self.luck.choice((0.0, self.luck.uniform(0, 6))))
        await bot.app.start()

    async def restart(self) -> None:
        """Restart one process after the other."""
        for bot in self.bots:
            await bot.app.end()
            await bot.app.start()

    async def stop(self) -> None:
        """Stop a process for longer than its leases."""
        process = self._any().app.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(_STOPPED)
        process.send_signal(signal.SIGCONT)

    async def database(self) -> None:
        """Stop PostgreSQL in the middle of its work, and start it again."""
        await asyncio.to_thread(self.cluster.stop)
        await asyncio.sleep(self.luck.uniform(0, 6))
        await asyncio.to_thread(_start, self.cluster)

    async def cut(self) -> None:
        """Cut the connections of one process, and refuse new ones for a while."""
        proxy = self._any().proxy
        proxy.is_shut = True
        proxy.cut()
        await asyncio.sleep(self.luck.choice((0.0, 2.0, 14.0)))
        proxy.is_shut = False

    async def hold(self) -> None:
        """Hold all traffic between one process and the database for a while."""
        proxy = self._any().proxy
        proxy.hold()
        await asyncio.sleep(self.luck.choice((3.0, 14.0)))
        proxy.let_go()


FAULTS: Mapping[str, Callable[[_Faults], Awaitable[None]]] = {
    "kill": _Faults.kill,
    "restart": _Faults.restart,
    "stop": _Faults.stop,
    "database": _Faults.database,
    "cut": _Faults.cut,
    "hold": _Faults.hold,
}
