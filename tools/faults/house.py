"""The house of an evening: all of the core, with a platform of each kind, and people at each."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from bot.app import App
from bot.commands import Command, Medium, SoloPlace
from bot.computers import Computers
from bot.model import Place, PlaceKind
from bot.settings import PlaySettings, Settings
from bot.store import Address, people, places
from tests.bot.table import Clock, Person, Table, opened
from tests.fate import Fate, make_mortal
from tools.faults.platforms import LIMITS, Platform

__all__ = ["HOURS", "MEDIUMS", "Guest", "House", "WholeState"]

HOURS = 24
"""After which a challenge expires."""
MEDIUMS = {
    "web": Medium(notifies=False),
    "discord": Medium(notifies=True, threads=True, solo=SoloPlace.ASK),
    "telegram": Medium(notifies=True, shows_in_private=False, solo=SoloPlace.PRIVATE),
}


class Guest(Person):
    """Somebody on one of the platforms, as its front would tell of them."""

    async def command(self, place: Place | None = None) -> Command:
        command = await super().command(place)
        return replace(command, medium=MEDIUMS[self.direct.platform])


@dataclass(frozen=True, slots=True)
class WholeState:
    """All that a process leaves behind, at one moment: its file, and the platforms."""

    file: Path
    platforms: Mapping[str, Platform]
    now: float

    @classmethod
    def of(cls, house: "House", folder: Path) -> "WholeState":
        """A copy of it. Blocking, so that it is one moment."""
        assert isinstance(house.settings.database, Path)
        folder.mkdir(parents=True)
        for name in ("azumaya.db", "azumaya.db-wal"):
            if (found := house.settings.database.with_name(name)).exists():
                shutil.copyfile(found, folder / name)
        none = Fate()
        walls = {name: wall.copied(none) for name, wall in house.walls.items()}
        return cls(folder / "azumaya.db", walls, house.clock.now)

    def forget(self) -> None:
        shutil.rmtree(self.file.parent)


@dataclass(slots=True)
class House(Table):
    """A table with a wall for each platform, and a channel on each."""

    walls: dict[str, Platform] = field(default_factory=dict)
    channels: dict[str, Place] = field(default_factory=dict)

    @classmethod
    async def begun(cls, database: Address, fate: Fate, luck: Random) -> "House":
        """A house that nobody has entered yet."""
        settings = Settings(
            database=database,
            play=PlaySettings(pings="always", leaderboard_minimum=1, challenge_hours=HOURS),
        )
        walls = {platform: Platform(platform, fate) for platform in LIMITS}
        house = await cls._opened(settings, walls, Clock(), fate, luck)
        for platform in LIMITS:
            house.channels[platform] = await places.get_or_create_place(
                house.app.store,
                platform,
                f"{platform}-garden",
                kind=PlaceKind.CHANNEL,
                title="#garden",
                community=platform,
            )
        # Matches on Discord have threads of their own.
        threads = house.channels["discord"]
        await places.change_place(house.app.store, threads.id, settings={"threads": "on"})
        house.lounge = house.channels["web"]
        return house

    @classmethod
    async def again(cls, state: WholeState, before: "House", luck: Random) -> "House":
        """The house that is opened on what another one has left behind; the same people come."""
        settings = before.settings.model_copy(update={"database": state.file})
        clock = Clock()
        clock.now = state.now
        house = await cls._opened(settings, dict(state.platforms), clock, Fate(), luck)
        house.channels = dict(before.channels)
        house.lounge = before.lounge
        house.people = {name: replace(one, table=house) for name, one in before.people.items()}
        return house

    @classmethod
    async def _opened(
        cls,
        settings: Settings,
        walls: dict[str, Platform],
        clock: Clock,
        fate: Fate,
        luck: Random,
    ) -> "House":
        def began(app: App) -> None:
            make_mortal(app.store, fate)
            app.matches._luck = luck  # type: ignore[assignment]

        app, commands, reconciler, upkeep = await opened(
            settings, clock, *walls.values(), began=began
        )
        some = next(iter(walls.values()))
        nowhere = Place(0, "", "", PlaceKind.CHANNEL, None, "", {})
        computers = Computers(app)
        return cls(
            settings,
            app,
            commands,
            clock,
            some,
            reconciler,
            upkeep,
            computers,
            nowhere,
            {},
            walls,
            {},
        )

    async def comes(self, name: str, platform: str, locale: str = "en") -> Guest:
        """Somebody new, in the channel of a platform."""
        store, identity = self.app.store, f"{platform}-{name}"
        user = await people.get_or_create_user(
            store, platform, identity, name=name, handle=name.casefold()
        )
        direct = await self.app.directory.direct(platform, identity, "Azumaya")
        where = self.channels[platform]
        guest = Guest(self, user.id, name, locale, identity, where, direct)
        self.people[name] = guest
        return guest

    @property
    def file(self) -> Path:
        assert isinstance(self.settings.database, Path)
        return self.settings.database
