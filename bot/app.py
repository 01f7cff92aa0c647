"""The application as one object: what commands, delivery, upkeep and fronts need, wired once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial
from typing import Protocol

from structlog import get_logger

from bot.directory import Directory, locale_of
from bot.errors import StoreError
from bot.health import Health
from bot.inbox import Inbox
from bot.leases import Leases
from bot.logs import store_failed
from bot.matches import LoadedMatch, Matches
from bot.metrics import Metrics
from bot.model import UNSURE, Board, Place, PlaceKind, Quotas, User
from bot.names import Names
from bot.pictures import Pictures
from bot.policies import Policies, Standing
from bot.screens import SIZES, Reader, Screens
from bot.settings import PINGS, Pings, Settings
from bot.shards import Shards
from bot.signals import Signal
from bot.store import (
    EVERYTHING,
    Changes,
    Store,
    boards,
    figures,
    key_values,
    people,
    personal_data,
)
from bot.texts import Texts, language_of

__all__ = ["App", "Courier", "Touched"]

_log = get_logger(__name__)


class Courier(Protocol):
    """What delivery is told; none of it is waited for."""

    def spoken_in(self, place: Place) -> None:
        """Somebody is in a place: it is open to us again."""

    def take_away(self, place: Place, message: str) -> None:
        """A message of ours is to go, as far as that is possible."""


class Touched(Enum):
    """What a message that somebody has touched is to the match that they mean."""

    BOARD = auto()
    """Its board, or one that is just being posted."""
    LEFT_BEHIND = auto()
    """It showed it once, and nobody knows of it any more: it is to go."""
    FOREIGN = auto()
    """Another match's board, or nothing that we can be sure of: it stays as it is."""


@dataclass(slots=True)
class App:
    """The parts, wired. `changed` rouses delivery and upkeep."""

    settings: Settings
    store: Store
    key: bytes
    """What signs the numbers of people in buttons: they can be pressed by whom they are for."""
    changed: Signal = field(default_factory=Signal)
    here: Counter[int] = field(default_factory=Counter)
    """Users with a page open in this process, and how many."""
    metrics: Metrics = field(default_factory=Metrics)
    health: Health = field(init=False)
    shards: Shards = field(init=False)
    leases: Leases = field(init=False)
    policies: Policies = field(init=False)
    matches: Matches = field(init=False)
    names: Names = field(init=False)
    pictures: Pictures = field(init=False)
    screens: Screens = field(init=False)
    directory: Directory = field(init=False)
    couriers: dict[str, Courier] = field(default_factory=dict)
    """By platform, of those that this process serves: what delivery is told by others."""
    rechecks: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """What fronts do in `recheck_people`."""
    relooks: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """What fronts do whenever others may have said or shown something."""
    erasures: int = 0
    """How many people have been erased, as far as we have heard: what was put into words before the
    last of them may hold a name, and is not said any more."""
    must_recheck: bool = False
    """Is `recheck_people` still to be done?"""

    def __post_init__(self) -> None:
        self.health = Health(self.store)
        self.shards = Shards(self.store)
        self.metrics.shards = self.shards.held
        self.leases = Leases(self.store, self.couriers.keys(), self.shards)
        self.policies = Policies(self.store, self.settings.house)
        self.matches = Matches(
            self.store,
            changed=self.changed.set,
            leases=self.leases,
            policies=self.policies,
            metrics=self.metrics,
        )
        self.pictures = Pictures()
        self.metrics.queues["drawings"] = lambda: self.pictures.under_way
        self.metrics.pools["database"] = partial(figures.connections, self.store)
        self.names = Names(self.store)
        self.screens = Screens(self.names, self.pictures)
        self.directory = Directory(
            self.store,
            self.names,
            self.matches,
            policies=self.policies,
            changed=self.changed.set,
        )

    @classmethod
    async def open(cls, settings: Settings, *, clock: Callable[[], float] | None = None) -> "App":
        """Open the database (checked and migrated). Raises `StoreError`."""
        store = await Store.open(settings.database, clock=clock)
        key = await key_values.recall(store, key_values.OURS, "button-key")
        assert key is not None
        erasures = await personal_data.erasures(store)
        return cls(settings, store, bytes.fromhex(key), erasures=erasures)

    @property
    def clock(self) -> Callable[[], float]:
        """The one clock of all that is stored, or compared with it, in Unix seconds."""
        return self.store.clock

    async def close(self) -> None:
        """Finish what is being drawn and close the database."""
        await self.health.close()
        await asyncio.to_thread(self.pictures.close)
        await self.store.close()

    async def written_elsewhere(self, changes: Changes = EVERYTHING) -> None:
        """Another process has changed the database: trust nothing of this that is remembered.

        Also after a change of our own that is too large to be told part by part.
        """
        if changes.everything:
            self.matches.read_anew()
            self.policies.forget()
        elif changes.matches:
            self.matches.read_anew(*changes.matches)
        if changes.everything or changes.people:
            self.names.forget()
        self.changed.set()
        if changes.everything or changes.people:
            await self.recheck_people()
        else:
            self.must_recheck |= not await self._look_again(self.relooks)

    def pings(self, settings: Mapping[str, str], place: Place) -> Pings:
        """When somebody is called to their turn: by choice, by the place's, by the house's."""
        for chosen in (settings.get("pings"), place.settings.get("pings")):
            if chosen in PINGS:
                return chosen
        return self.settings.play.pings

    def quotas(self) -> Quotas:
        """How much one person may have now."""
        play = self.settings.play
        return Quotas(
            now=self.store.now(),
            open_challenges=play.open_challenges_per_person,
            challenges_from_one=play.challenges_from_one_per_day,
            challenges_from_all=play.challenges_from_all_per_day,
            running_matches=play.running_matches_per_person,
        )

    async def recheck_people(self) -> None:
        """Let fronts see whom they still know: sessions have ended, or people have gone.

        Where the store fails, upkeep tries it again: what has been changed is changed.
        """
        self.must_recheck = not await self._look_again([self._hear_of_erasures, *self.rechecks])

    async def _hear_of_erasures(self) -> None:
        self.erasures = await personal_data.erasures(self.store)

    async def _look_again(self, looks: Iterable[Callable[[], Awaitable[None]]]) -> bool:
        try:
            for look in looks:
                await look()
        except StoreError as error:
            store_failed(_log, "fronts could not look again", error)
            return False
        return True

    def reader(
        self,
        user: User,
        place: Place | None,
        *,
        locale: str | None,
        theme: str,
        size: int = SIZES[0],
    ) -> Reader:
        """Somebody as the reader of a screen: language by choice, platform, place, house."""
        language = language_of(
            user.language,
            locale,
            place.settings.get("language") if place else None,
            self.settings.language,
        )
        chosen = user.settings.get("theme", "auto")
        return Reader(Texts(language), user, theme if chosen == "auto" else chosen, size)

    def audience(self, place: Place, *, theme: str = "light") -> Reader:
        """Everybody in a place as the reader of a screen; `theme` unless the place has chosen."""
        language = language_of(place.settings.get("language"), self.settings.language)
        chosen = place.settings.get("theme", "auto")
        return Reader(Texts(language), None, theme if chosen == "auto" else chosen)

    async def reader_of(self, place: Place, *, theme: str) -> Reader:
        """For whom a board in a place is made: the one person who is there, or everybody."""
        if place.kind is PlaceKind.DIRECT:
            user = await people.by_identity(self.store, place.platform, place.external)
            if user is not None:
                return self.reader_in(user, place, theme=theme)
        return self.audience(place, theme=theme)

    def reader_in(self, user: User, place: Place, *, theme: str) -> Reader:
        """Somebody in a place, of whose app we know what it told us last."""
        return self.reader(user, place, locale=locale_of(user), theme=theme)

    async def show_in(
        self,
        loaded: LoadedMatch,
        place: Place,
        *,
        user_id: int,
        is_told: bool = True,
        store: Store | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Want a board at the bottom of a place, for this person or for everybody there.

        `is_told` unless this board is to tell them of what is new. `store` is the unit of work.
        What is in the place already stays there; what is brought along follows the place's rules,
        for somebody of this `standing`. Raises `Refused`.
        """
        await self.check_shown(loaded, place, standing=standing)
        seat = loaded.viewer(user_id, place)
        await boards.add(store or self.store, loaded.match, place.id, seat=seat, is_told=is_told)
        self.changed.set()

    async def check_shown(
        self, loaded: LoadedMatch, place: Place, *, standing: Standing | None = None
    ) -> None:
        """May this match be shown in a place, for somebody of this standing there?

        What is there already stays, whatever the rules are now. Raises `Refused`.
        """
        match = loaded.match
        if place.id != match.place_id and not await boards.is_shown(self.store, match.id, place.id):
            await self.matches.check_place(match.game, place.id, standing=standing)

    def inbox(self, platform: str) -> Inbox:
        """What a platform delivers, each of which is to be dealt with once."""
        return Inbox.of(self.store, platform, ours=partial(self.shards.within, platform))

    async def boards_in(self, place: Place, match_id: int) -> list[Board]:
        """The boards of a match in a place, oldest first."""
        return await boards.of_match(self.store, match_id, place_id=place.id)

    async def is_board(self, platform: str, message: str) -> bool:
        """Is this message of a platform a board?"""
        return bool(await boards.by_message(self.store, platform, message))

    async def told_in(self, platform: str, external: str, message: str) -> int | None:
        """The id of the match that a message of ours in a place shows, or tells people of."""
        return await boards.told_in(self.store, platform, external, message)

    async def has_board(self, place: Place, message: str) -> bool:
        """Is a message here a board, or was it one until another took its place?"""
        return bool(await boards.at(self.store, place, message))

    async def recognise(
        self, match_id: int, place: Place, message: str, *, carries: bool
    ) -> Touched:
        """Somebody has touched a message here as a board of this match.

        What is stored of the message decides, for what a press says may be forged. Of one of
        which nothing is stored, `carries` tells whether what was pressed truly stands under it:
        then, where nobody knew whether the board had arrived, it is the board from now on.
        """
        shown = await boards.at(self.store, place, message)
        if any(board.match_id != match_id for board in shown) or not (shown or carries):
            return Touched.FOREIGN
        if shown:
            return Touched.BOARD
        known = await self.boards_in(place, match_id)
        here = {board.message for board in known}
        # It may have been noted since: two looks are two moments.
        if not here or None in here or message in here | {board.former for board in known}:
            return Touched.BOARD
        if UNSURE not in here:
            return Touched.LEFT_BEHIND
        if not await boards.note_message(self.store, match_id, place, message):
            # Another one has been recognised meanwhile.
            return Touched.FOREIGN
        self.changed.set()
        return Touched.BOARD
