"""Rules of places: which games are played, in threads or not, and who may start.

Moderators set them with ``/here``. Threads and topics inherit them, direct chats have none. The
operator blocks and unblocks places by command. The name of a channel or server
(``discord:81384788765712384``) covers its content, and the closest name decides.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from cachetools import TTLCache

import games
from bot.domain.clocks import PRESETS, Clock
from bot.domain.errors import Refused
from bot.domain.model import PARENT, Place, PlaceKind
from bot.domain.quiet import ZONE
from bot.store import Store, boards, key_values, places
from bot.store.schema import OURS
from bot.support import platforms
from bot.support.settings import PINGS
from bot.support.texts import LANGUAGES

CanManage = bool | Callable[[], Awaitable[bool]] | None
"""Whether a user is a moderator, or how to find out. None if only the operator is."""

GAME = "game-"
THREADS = "threads"
"""Whether matches have their own threads (on) or are allowed only in threads and topics (only)."""
ON, OFF, ONLY = "on", "off", "only"
BEGIN, EVERYBODY, MANAGERS, ROLE = "begin", "everybody", "managers", "role-"
"""Who may start matches. "role-" precedes a role's id."""
CLOCK = "clock"
OUT, IN = "out", "in"
"""The operator's decision about a place."""
EVERYWHERE = "everywhere"
"""The name that covers all places."""

_WORDS = "place:"
_FRESH = 5.0
"""Seconds for which the operator's decisions are cached."""


class _Follows(Enum):
    """How threads and topics inherit a setting."""

    COPIED = "copied"
    """Copied into the place, so that readers need only that."""
    LOOKED_UP = "looked up"
    """Looked up at each use (`settings_of`)."""


@dataclass(frozen=True, slots=True)
class _Setting:
    values: tuple[str, ...]
    """The choices of a menu, the default first. Clocks and zones can also be typed."""
    is_on_boards: bool
    """Whether boards must be updated when it changes."""
    follows: _Follows


UTC = "UTC"
PINGS_CHOICES = {"pings": ("auto", *PINGS)}

_SETTINGS = {
    "language": _Setting(("auto", *LANGUAGES), is_on_boards=True, follows=_Follows.COPIED),
    "theme": _Setting(("auto", "light", "dark"), is_on_boards=True, follows=_Follows.COPIED),
    "pings": _Setting(PINGS_CHOICES["pings"], is_on_boards=True, follows=_Follows.COPIED),
    ZONE: _Setting((UTC,), is_on_boards=True, follows=_Follows.COPIED),
    THREADS: _Setting((OFF, ON, ONLY), is_on_boards=False, follows=_Follows.LOOKED_UP),
    CLOCK: _Setting((OFF, *PRESETS), is_on_boards=False, follows=_Follows.LOOKED_UP),
    BEGIN: _Setting((EVERYBODY, MANAGERS), is_on_boards=False, follows=_Follows.LOOKED_UP),
}
"""All settings of places except those of games."""
_APART = (ZONE, BEGIN)
_EACH_GAME = _Setting((ON, OFF), is_on_boards=False, follows=_Follows.LOOKED_UP)


class NotPlayedError(Refused):
    """The game cannot be played in a place, for the reason in the code."""

    def __init__(
        self, code: str, place_id: int, *, game: str = "", possible: tuple[str, ...] = ()
    ) -> None:
        super().__init__(code, game=game, games=", ".join(possible))
        self.place_id = place_id
        self.game = game
        self.possible = possible


@dataclass(frozen=True, slots=True)
class Rights:
    """A user's rights in a place. `role_names` has the place's roles by id."""

    can_manage: CanManage = None
    roles: frozenset[str] = frozenset()
    role_names: Mapping[str, str] = field(default_factory=dict)

    async def manages(self) -> bool:
        return await self.can_manage() if callable(self.can_manage) else bool(self.can_manage)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a place."""

    place: Place | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    is_shut_out: bool = False

    def allows(self, game_id: str) -> bool:
        return self.settings.get(f"{GAME}{game_id}") != OFF

    @property
    def clock(self) -> str:
        usual = self.settings.get(CLOCK, OFF)
        return usual if Clock.is_one(usual) else ""

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(game_id for game_id in games.ids() if self.allows(game_id))

    def check_place(self) -> None:
        """Check that games are allowed here. Raises `NotPlayedError`."""
        if self.place is None:
            return
        if self.is_shut_out:
            raise NotPlayedError("shut-out", self.place.id)
        if self.settings.get(THREADS) == ONLY and not self.place.parent:
            raise NotPlayedError("threads-only", self.place.id)
        if not self.games:
            raise NotPlayedError("no-game-here", self.place.id)

    def check_game(self, game_id: str) -> None:
        self.check_place()
        if self.place is not None and not self.allows(game_id):
            raise NotPlayedError("game-not-here", self.place.id, game=game_id, possible=self.games)

    async def check_person(self, rights: Rights) -> None:
        who = self.settings.get(BEGIN) or EVERYBODY
        if who == EVERYBODY or who.removeprefix(ROLE) in rights.roles:
            return
        # Moderators are never excluded, even if the role was deleted.
        if await rights.manages():
            return
        role = rights.role_names.get(who.removeprefix(ROLE))
        if role is not None:
            raise Refused("begin-role", role=role)
        raise Refused("begin-managers" if who == MANAGERS else "begin-some")


def every_setting(platform: str) -> Mapping[str, tuple[str, ...]]:
    """Return all settings of a platform's places with their values, without roles."""
    traits = platforms.get(platform)
    return {
        **of_chat(
            notifies=traits.notifies,
            has_topics=traits.has_topics,
            opens_threads=traits.opens_threads,
        ),
        **{key: _SETTINGS[key].values for key in _APART},
        **of_games(),
    }


def of_chat(
    *, notifies: bool, has_topics: bool, opens_threads: bool
) -> Mapping[str, tuple[str, ...]]:
    """Return the settings with values to choose from, by the features of a chat."""
    offered = {key: one.values for key, one in _SETTINGS.items() if key not in _APART}
    is_there = {ON: opens_threads, ONLY: has_topics}
    offered[THREADS] = tuple(value for value in offered[THREADS] if is_there.get(value, True))
    if not notifies:
        del offered["pings"]
    # A single value is no choice.
    return {key: values for key, values in offered.items() if len(values) > 1}


def of_games() -> Mapping[str, tuple[str, ...]]:
    """Return the settings of games."""
    return {f"{GAME}{game_id}": _EACH_GAME.values for game_id in games.ids()}


async def change(store: Store, place: Place, chosen: Mapping[str, str]) -> Place:
    """Change settings of a place and of the threads that inherit them. Raises KeyError."""
    settings = {key: _setting(key) for key in chosen}
    copied = [key for key, one in settings.items() if one.follows is _Follows.COPIED]
    if copied:
        changed = await places.change_with_inside(store, place.id, settings=chosen, look=copied)
    else:
        changed = [await places.change_place(store, place.id, settings=chosen)]
    for one in changed:
        keys = settings if one.id == place.id else copied
        if any(settings[key].is_on_boards for key in keys):
            await boards.show_in(store, one.id)
    return changed[0]


def _setting(key: str) -> _Setting:
    return _EACH_GAME if key.startswith(GAME) else _SETTINGS[key]


def inherited(around: Place) -> dict[str, str]:
    """Return the settings copied into a new thread or topic."""
    return _of(around, _Follows.COPIED)


async def settings_of(store: Store, place: Place) -> Mapping[str, str]:
    """Return the rules of a place, including inherited ones."""
    around = await places.around(store, place)
    rules = _of(place, _Follows.LOOKED_UP)
    return {**_of(around, _Follows.LOOKED_UP), **rules} if around else rules


def _of(place: Place, follows: _Follows) -> dict[str, str]:
    return {
        key: value
        for key, value in place.settings.items()
        if (key in _SETTINGS or key.startswith(GAME)) and _setting(key).follows is follows
    }


def names_of(place: Place) -> Iterator[str]:
    """Return the names that cover a place, the closest first."""
    around = (place.external, place.parent, place.community)
    yield from (f"{place.platform}:{name}" for name in around if name)
    yield EVERYWHERE


async def word_of_host(store: Store, name: str, word: str) -> None:
    """Store whether a place is blocked by the operator."""
    await key_values.remember(store, OURS, f"{_WORDS}{name}", word, is_news=True)


async def words_of_host(store: Store) -> Mapping[str, str]:
    """Return the operator's stored decisions by name of place."""
    found = await key_values.recall_all(store, OURS, _WORDS)
    return {key.removeprefix(_WORDS): word for key, word in found.items()}


@dataclass(frozen=True, slots=True)
class _Known:
    words: Mapping[str, str]
    is_out: dict[tuple[str | None, ...], bool] = field(default_factory=dict)


class Policies:
    """The rules of all places."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: TTLCache[str, _Known] = TTLCache(1, _FRESH)
        self._forgotten = 0
        """Detects invalidation during a read."""

    def forget(self) -> None:
        self._known.clear()
        self._forgotten += 1

    async def of(self, place_id: int) -> Policy:
        """Return the current rules of a place. Raises LookupError."""
        if not place_id:
            return Policy()
        place = await places.place(self._store, place_id)
        if place.kind is PlaceKind.DIRECT:
            return Policy()
        settings = await settings_of(self._store, place)
        return Policy(place, settings, is_shut_out=await self.is_shut_out(place))

    async def is_shut_out(self, place: Place) -> bool:
        """Return whether the operator has blocked the place."""
        if place.kind is PlaceKind.DIRECT:
            return False
        known = self._known.get(OURS)
        if known is None:
            forgotten = self._forgotten
            known = _Known(await words_of_host(self._store))
            if forgotten == self._forgotten:
                self._known[OURS] = known
        key = (place.platform, place.external, place.settings.get(PARENT), place.community)
        is_out = known.is_out.get(key)
        if is_out is None:
            decided = (known.words[name] for name in names_of(place) if name in known.words)
            is_out = known.is_out[key] = next(decided, IN) == OUT
        return is_out

    async def follow(self, before: Place, after: Place) -> None:
        """Keep the operator's decision about a place that has a new name."""
        was = await self.is_shut_out(before)
        if was is not await self.is_shut_out(after):
            name = next(names_of(after))
            await word_of_host(self._store, name, OUT if was else IN)
            self.forget()
