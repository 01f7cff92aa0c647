"""The core of the bot with all platforms in memory, and users on each of them."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from bot.app import App
from bot.commands import Command
from bot.domain.model import Place, PlaceKind
from bot.loops.computers import Computers
from bot.store import Address, people, places
from bot.support.platforms import Medium, SoloPlace
from bot.support.settings import PlaySettings, Settings
from tests.bot.table import Clock, Person, Table, file_of, opened
from tests.fate import Fate, make_mortal
from tools.faults.platforms import MEDIA, Platform

CHALLENGE_HOURS = 24
_MEDIUMS = {
    "web": Medium(notifies=False),
    "discord": Medium(solo=SoloPlace.ASK, opens_threads=True),
    "telegram": Medium(shows_in_private=False, solo=SoloPlace.PRIVATE),
}


class User(Person):
    """A user on one of the platforms, with commands as its front makes them."""

    async def command(self, place: Place | None = None) -> Command:
        command = await super().command(place)
        medium = _MEDIUMS[self.direct.platform]
        return replace(command, medium=medium, opens_threads=medium.opens_threads)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a process leaves when it dies: its file and the platforms."""

    file: Path
    platforms: Mapping[str, Platform]
    now: float

    @classmethod
    def of(cls, app: "CoreApp", folder: Path) -> "Snapshot":
        """Copy it. This blocks, so that it is one moment."""
        folder.mkdir(parents=True)
        for name in ("azumaya.db", "azumaya.db-wal"):
            if (source := app.file.with_name(name)).exists():
                shutil.copyfile(source, folder / name)
        platforms = {name: one.copied(Fate()) for name, one in app.platforms.items()}
        return cls(folder / "azumaya.db", platforms, app.clock.now)

    def remove(self) -> None:
        shutil.rmtree(self.file.parent)


@dataclass(slots=True)
class CoreApp(Table):
    """A table with every platform, and a channel on each."""

    platforms: dict[str, Platform] = field(default_factory=dict)
    channels: dict[str, Place] = field(default_factory=dict)

    @classmethod
    async def begun(cls, database: Address, fate: Fate, luck: Random) -> "CoreApp":
        """Open an app without users on an empty database."""
        play = PlaySettings(pings="always", leaderboard_minimum=1, challenge_hours=CHALLENGE_HOURS)
        settings = Settings(database=database, play=play)
        platforms = {name: Platform(name, fate) for name in MEDIA}
        app = await cls._opened(settings, platforms, Clock(), fate, luck)
        for name in MEDIA:
            app.channels[name] = await places.get_or_create_place(
                app.app.store,
                name,
                f"{name}-garden",
                kind=PlaceKind.CHANNEL,
                title="#garden",
                community=name,
            )
        threads = app.channels["discord"]
        await places.change_place(app.app.store, threads.id, settings={"threads": "on"})
        app.lounge = app.channels["web"]
        return app

    @classmethod
    async def restarted(cls, state: Snapshot, before: "CoreApp", luck: Random) -> "CoreApp":
        """Open an app on what another one has left, with the same users."""
        settings = before.settings.model_copy(update={"database": state.file})
        clock = Clock()
        clock.now = state.now
        app = await cls._opened(settings, dict(state.platforms), clock, Fate(), luck)
        app.channels = dict(before.channels)
        app.lounge = before.lounge
        app.people = {name: replace(one, table=app) for name, one in before.people.items()}
        return app

    @classmethod
    async def _opened(
        cls,
        settings: Settings,
        platforms: dict[str, Platform],
        clock: Clock,
        fate: Fate,
        luck: Random,
    ) -> "CoreApp":
        def began(app: App) -> None:
            make_mortal(app.store, fate)
            app.matches.rng = luck

        app, commands, reconciler, upkeep = await opened(
            settings, clock, *platforms.values(), began=began
        )
        wall, lounge = platforms["web"], Place(0, "", "", PlaceKind.CHANNEL, None, "", {})
        background = (reconciler, upkeep, Computers(app))
        return cls(settings, app, commands, clock, wall, *background, lounge, {}, platforms)

    async def arrive(self, name: str, *, locale: str = "en", platform: str = "web") -> User:
        store, identity = self.app.store, f"{platform}-{name}"
        user = await people.get_or_create_user(
            store, platform, identity, name=name, handle=name.casefold()
        )
        direct = await self.app.directory.direct(platform, identity, "Azumaya")
        found = User(self, user.id, name, locale, identity, self.channels[platform], direct)
        self.people[name] = found
        return found

    @property
    def file(self) -> Path:
        return file_of(self.settings)
