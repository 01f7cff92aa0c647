"""One fault after the other, at random, under play: each is followed by a look whether all go on.

Three processes on PostgreSQL: two with the web table, the second of which is ready to take over
Telegram from the third, which has it and Discord; each on a way of its own to the database, which
can be cut, held and slowed. Or one process on SQLite.

After each of them every acknowledged move is stored, once; every record replays; nobody was called
twice but where a platform leaves no other way; no secret stands in any log (`tools.faults.looks`).
"""

import asyncio
import signal
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

from tests.bot.fronts.discord.standin import TOKEN
from tests.bot.fronts.telegram.server import TOKEN as TELEGRAM_TOKEN
from tools.attack.people import rooms
from tools.attack.play_discord import Wire
from tools.attack.play_telegram import Api
from tools.attack.process import AppError
from tools.attack.report import Report, Scene
from tools.attack.standins import discord_spec, telegram_spec
from tools.attack.story import Story, within
from tools.faults.looks import Looks
from tools.faults.processes import PASSWORD, SECOND, Database, House, Part
from tools.faults.street import Street

__all__ = ["FAULTS", "Long", "at_random"]

_THREE: Mapping[str, tuple[str, ...]] = {
    "first": ("web",),
    "second": ("web", "telegram"),
    "third": ("discord", "telegram"),
}
_ONE: Mapping[str, tuple[str, ...]] = {"only": ("web", "discord", "telegram")}
_TAKES_OVER_WITHIN = 15.0
"""Seconds in which another process deals with Telegram, whatever has become of the first."""
_STOPPED = 20.0
_LEASE = 10.0
"""Seconds after which whoever cannot renew a lease has lost it."""
_ON_ITS_WAY = 1.0
"""Seconds in which a call arrives that was begun before a process was stopped."""
_HOUR = 3600.0


@dataclass(frozen=True)
class Long:
    """How long it goes on; without either in the short form: each of the faults once."""

    seconds: float | None = None
    times: int | None = None
    """So many faults, however long they take."""


async def at_random(
    *,
    seed: int,
    processes: int = 3,
    long: Long = Long(),
    only: Sequence[str] = (),
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """The whole suite, with all faults or those of `only`."""
    report = Report(f"random --processes {processes}", seed, suite="tools.faults --part")
    begun = monotonic()
    with TemporaryDirectory(prefix="azumaya-faults-", ignore_cleanup_errors=True) as folder:
        try:
            scene = Scene(report, Path(folder), long.seconds)
            await _under_play(scene, processes, long.times, only, say)
        except Exception:  # noqa: BLE001 - a suite that cannot go on is a finding, too
            report.broken("the suite comes to its end", traceback.format_exc(limit=-6))
    report.seconds = monotonic() - begun
    return report


async def _under_play(
    scene: Scene,
    processes: int,
    times: int | None,
    only: Sequence[str],
    say: Callable[[str], None],
) -> None:
    report, story = scene.report, Story(scene.report)
    async with AsyncExitStack() as stack:
        api = Api(telegram_spec(), second=SECOND / 2)
        await api.start()
        stack.push_async_callback(api.stop)
        standin = Wire()
        standin.checks_bodies = discord_spec()
        await standin.start()
        stack.push_async_callback(standin.stop)
        database = stack.enter_context(
            Database.server() if processes > 1 else Database.file(scene.folder)
        )
        served = _THREE if processes > 1 else _ONE
        settings = partial(_settings, api, standin)
        house = await stack.enter_async_context(
            House.of(report, database, scene.folder, served, settings)
        )
        street = await stack.enter_async_context(
            Street.of(story, house, scene.luck("street"), api=api, standin=standin)
        )
        await _Faults(scene, street, times).carry_out(only, say)


def _settings(api: Api, standin: Wire, name: str, life: int) -> dict[str, str]:
    return {
        "WEB__CHANNELS": ",".join(["lounge", *(room for room, _ in rooms())]),
        "TELEGRAM__TOKEN": TELEGRAM_TOKEN,
        "TELEGRAM__API_BASE": api.base_of(name, life=life),
        "DISCORD__TOKEN": TOKEN,
        "DISCORD__API_BASE": standin.api_base,
        "DISCORD__GATEWAY": standin.gateway,
    }


class _Faults:
    """What is broken, and mended again."""

    def __init__(self, scene: Scene, street: Street, times: int | None) -> None:
        self.scene, self.street, self.luck = scene, street, scene.luck("faults")
        self.times = times
        self.house, self.story = street.house, street.story
        self.report, self.database = scene.report, street.house.database
        self._wrong: Part | None = None
        """Whose clock is wrong."""

    async def carry_out(self, only: Sequence[str], say: Callable[[str], None]) -> None:
        """Open the house, let them play, break one thing after the other, and close it."""
        await asyncio.gather(*map(self._start, self.house.parts))
        await self.street.begin()
        await self.street.all_go_on("the start")
        cookies = (page.cookie for game in self.street.web for page in game.people)
        tokens = (TOKEN, TELEGRAM_TOKEN.partition(":")[2])
        looks, after = Looks(self.street, [*cookies, *tokens, PASSWORD]), "the start"
        possible = self._possible(only)
        begun, deck = monotonic(), _deck(possible, self.luck)
        for number in self.scene.rounds(self.times or len(possible)) if possible else ():
            name, found = next(deck), len(self.report.violations)
            # All goes on while it is looked at.
            await asyncio.gather(asyncio.sleep(self.luck.uniform(0.1, 2.0)), looks.look(after))
            self._say_what_is_new(found, say)
            say(f"{monotonic() - begun:6.0f} s  {number + 1:4}  {name}")
            self.story.forgives, found = True, len(self.report.violations)
            told = await FAULTS[name](self)
            after = f"{number + 1}, {name} {told or ''}".strip()
            await self.street.all_go_on(after)
            self._say_what_is_new(found, say)
        await looks.look(after)
        await self.street.end()
        await asyncio.gather(*(self._ended(part) for part in self.house.parts))
        looks.end()

    def _say_what_is_new(self, found: int, say: Callable[[str], None]) -> None:
        for violation in self.report.violations[found:]:
            say(f"          {violation}")

    def _possible(self, only: Sequence[str]) -> list[str]:
        weights = _WEIGHTS if len(self.house.parts) > 1 else _WEIGHTS_ALONE
        found = [name for name in FAULTS if weights.get(name) and (not only or name in only)]
        if self.database.disk is None and "disk" in found:
            found.remove("disk")
            self.report.skipped.append("no small disk: only root may mount one")
        return (
            found
            if self.scene.seconds is None and self.times is None
            else [one for name in found for one in [name] * weights[name]]
        )

    # --- processes ------------------------------------------------------------------------

    async def _start(self, part: Part) -> None:
        """Start it, and wait until it serves what it is to serve."""
        standin = self.street.standin
        identified = standin.seen["op 2"]
        part.app.clock = self.luck.choice((-_HOUR, _HOUR)) if part is self._wrong else 0.0
        try:
            await part.app.start()
        except AppError as error:
            self.report.broken("the house starts", f"{part.name}: {error}")
            await part.app.start()
        if "discord" in part.app.fronts:
            await standin.ready(after=identified)
        part.is_away = False

    async def _ended(self, part: Part) -> None:
        try:
            code = await part.app.end()
        except AppError as error:
            self.report.broken("the house ends in order", f"{part.name}: {error}")
        else:
            self.report.check(code == 0, "the house ends in order", f"{part.name}: {code}")

    async def _kill(self, part: Part) -> None:
        self.story.killed(part.name, life=part.app.lives)
        self.report.count(f"kills of the {part.name}")
        await part.app.kill()

    def _any(self) -> Part:
        return self.luck.choice(self.house.parts)

    async def kill(self) -> str:
        """SIGKILL of one, perhaps while it starts, too."""
        part = self._any()
        speaker, since = self._speaker(), monotonic()
        part.is_away = True
        await self._kill(part)
        self.street.look(away=True)
        if self.luck.random() < 1 / 4:
            await part.app.spawn()
            await asyncio.sleep(within(self.luck.uniform(0, 0.3)))
            await self._kill(part)
        await asyncio.sleep(self.luck.choice((0.0, 0.0, self.luck.uniform(0, 6))))
        await self._start(part)
        await self._taken_over(speaker, part, since)
        return part.name

    async def kill_all(self) -> None:
        """As if the machine had gone."""
        since = monotonic()
        for part in self.house.parts:
            part.is_away = True
        await asyncio.gather(*map(self._kill, self.house.parts))
        await asyncio.gather(*map(self._start, self.house.parts))
        await self._polled(since)

    async def stop(self) -> str:
        """SIGSTOP, and on after a while: whoever wakes must notice that others speak now."""
        part = self._any()
        speaker, since = self._speaker(), monotonic()
        self.report.count("stops")
        said = len(part.app.written())
        self.story.cut(0.0, who=part.name)
        part.signal(signal.SIGSTOP)
        part.is_away = True
        # A page that hears nothing for so long would be opened anew.
        await asyncio.sleep(1)
        self.street.look(away=True)
        await self._taken_over(speaker, part, since)
        await asyncio.sleep(max(0.0, since + _STOPPED - monotonic()))
        woken = monotonic()
        part.signal(signal.SIGCONT)
        part.is_away = False
        if part is speaker and self._others_polled(part, since):
            await self._is_silent(part, since=woken, said=said)
        return part.name

    async def wrong_clock(self) -> str:
        """One whose clock is wrong by an hour, until another one's is."""
        self._wrong = self._any()
        self.report.count("wrong clocks")
        await self._restart(self._wrong)
        return self._wrong.name

    async def rolling_restart(self) -> None:
        """All of them, one after the other, in good order."""
        self.report.count("rolling restarts")
        for part in self.house.parts:
            await self._restart(part)

    async def _restart(self, part: Part) -> None:
        speaker, since = self._speaker(), monotonic()
        part.is_away = True
        await self._ended(part)
        await self._start(part)
        await self._taken_over(speaker, part, since)

    # --- who speaks on Telegram -----------------------------------------------------------

    def _speaker(self) -> Part | None:
        fetches = self.street.api.fetches
        return self.house.at[fetches[-1].by] if fetches else None

    def _others_polled(self, part: Part, since: float) -> bool:
        fetches = self.street.api.fetches
        return any(fetch.by != part.name and fetch.at > since for fetch in fetches[-500:])

    async def _taken_over(self, speaker: Part | None, part: Part, since: float) -> None:
        """Where it was this one that spoke on Telegram, somebody does again, in time."""
        if speaker is part and (len(self.house.parts) > 1 or part.is_running):
            if len(self.house.parts) == 1 and part.is_away:
                # It is alone, and stopped.
                return
            await self._polled(since)

    def _passed_on(self, speaker: Part | None, part: Part, since: float, seconds: float) -> None:
        """Whoever spoke and was cut off for long has been replaced."""
        if speaker is not part or seconds < _LEASE:
            return
        fetches = self.street.api.fetches
        took = [one.at - since for one in fetches if one.by != part.name and one.at > since]
        if self.report.check(took, "Telegram is taken over in time", f"not within {seconds} s"):
            self.report.count("leases that passed on")
            self.report.most("slowest takeover of Telegram, ms", round(1000 * took[0]))

    async def _polled(self, since: float) -> None:
        api, limit = self.street.api, within(_TAKES_OVER_WITHIN)
        try:
            await api.until(
                lambda: api.fetches and api.fetches[-1].at > since,
                seconds=max(0.1, since + limit - monotonic()),
            )
        except AssertionError:
            self.report.broken("Telegram is taken over in time", f"not within {limit:.1f} s")
            await api.until(lambda: api.fetches[-1].at > since)
        first = next(one for one in api.fetches if one.at > since)
        self.report.most("slowest takeover of Telegram, ms", round(1000 * (first.at - since)))

    async def _is_silent(self, part: Part, *, since: float, said: int) -> None:
        """It notices that it has lost its lease, and does nothing on Telegram any more."""
        try:
            async with asyncio.timeout(within(_TAKES_OVER_WITHIN)):
                while "shards lost" not in part.app.written()[said:]:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
        except TimeoutError:
            self.report.broken("whoever wakes notices that others speak", part.name)
        if "shards acquired" in part.app.written()[said:].partition("shards lost")[2]:
            return
        acts = [*self.street.api.calls, *self.street.api.fetches]
        theirs = [one for one in acts if one.by == part.name and one.at > since]
        late = [one.method for one in theirs if one.at > since + within(_ON_ITS_WAY)]
        self.report.count("calls that were on their way when it was stopped", len(theirs))
        self.report.check(not late, "whoever wakes is silent", f"{part.name}: {late}")
        self.report.count("leases that passed on")

    # --- the database ---------------------------------------------------------------------

    async def stop_database(self) -> None:
        """PostgreSQL ends in the middle of what it does, and starts again."""
        self.report.count("database stops")
        self.story.cut(0.0)
        await asyncio.to_thread(self.database.stop)
        await asyncio.sleep(self.luck.uniform(0, 6))
        await asyncio.to_thread(self.database.start)

    async def full_disk(self) -> None:
        """Nothing can be stored for a while."""
        self.report.count("full disks")
        self.story.cut(0.0)
        async with self.database.full():
            await asyncio.sleep(self.luck.uniform(2, 6))

    async def cut(self) -> str:
        """The connections of one process break, and cannot be made again for a while."""
        part, seconds = self._any(), self.luck.choice((0.0, 2.0, 14.0))
        wire, speaker, since = part.wire, self._speaker(), monotonic()
        assert wire is not None
        self.report.count("cuts")
        self.story.cut(min(seconds, _LEASE), who=part.name)
        wire.is_shut = True
        wire.cut()
        await asyncio.sleep(seconds)
        self._passed_on(speaker, part, since, seconds)
        wire.is_shut = False
        return f"{part.name}, {seconds:.0f} s"

    async def hold(self) -> str:
        """Nothing comes through between one process and the database, and nobody is told."""
        part, seconds = self._any(), self.luck.choice((3.0, 14.0))
        wire, speaker, since = part.wire, self._speaker(), monotonic()
        assert wire is not None
        self.report.count("holds")
        self.story.cut(min(seconds, _LEASE), who=part.name)
        wire.hold()
        await asyncio.sleep(seconds)
        self._passed_on(speaker, part, since, seconds)
        wire.let_go()
        return f"{part.name}, {seconds:.0f} s"

    async def ears(self) -> str:
        """The connections by which processes are seen end, again and again, and no others."""
        every, since, ended = self.luck.choice((0.05, 0.7, 2.1)), monotonic(), 0
        seconds = self.luck.uniform(4, 20)
        self.story.cut(seconds)
        while monotonic() < since + seconds:
            ended += await asyncio.to_thread(self.database.end_ears)
            await asyncio.sleep(every)
        self.report.count("ears that were ended", ended)
        spoken = [fetch.at for fetch in self.street.api.fetches if fetch.at > since]
        silent = max(later - at for at, later in pairwise((since, *spoken, monotonic())))
        self.report.most("longest silence on Telegram, ms", round(1000 * silent))
        limit = within(_TAKES_OVER_WITHIN)
        self.report.check(
            silent <= limit, "Telegram is taken over in time", f"{silent:.1f} s, ears ended"
        )
        return f"{ended}, every {every} s"

    async def slow(self) -> str:
        """The way to the database is slow for one process."""
        part = self._any()
        assert part.wire is not None
        self.report.count("slow ways")
        part.wire.delay = self.luck.choice((0.01, 0.1))
        await asyncio.sleep(self.luck.uniform(2, 6))
        delay, part.wire.delay = part.wire.delay, 0.0
        return f"{part.name}, {delay} s"


def _deck(names: list[str], luck: Random) -> Iterator[str]:
    """All of them, shuffled, again and again."""
    while names:
        yield from luck.sample(names, len(names))


FAULTS: Mapping[str, Callable[[_Faults], Awaitable[str | None]]] = {
    "kill": _Faults.kill,
    "kill-all": _Faults.kill_all,
    "stop": _Faults.stop,
    "database": _Faults.stop_database,
    "disk": _Faults.full_disk,
    "cut": _Faults.cut,
    "hold": _Faults.hold,
    "ears": _Faults.ears,
    "slow": _Faults.slow,
    "clock": _Faults.wrong_clock,
    "restart": _Faults.rolling_restart,
}
_WEIGHTS = {
    "kill": 20,
    "kill-all": 1,
    "stop": 2,
    "database": 3,
    "disk": 1,
    "cut": 3,
    "hold": 2,
    "ears": 2,
    "slow": 1,
    "clock": 1,
    "restart": 1,
}
"""How often each of them comes in one deck; with one process there are no ways to be cut."""
_WEIGHTS_ALONE = {"kill": 40, "stop": 1, "disk": 1, "clock": 1, "restart": 2}
