"""Rules of places: which games are played, in threads or not, and who may start.

Moderators set them with ``/here``. Threads and topics inherit them, direct chats have none. The
operator blocks and unblocks places by command. The name of a channel or server
(``discord:81384788765712384``) covers its content, and the closest name decides.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from cachetools import TTLCache

import games
from bot.domain.clocks import PRESETS, Clock
from bot.domain.errors import Refused
from bot.domain.model import Place, PlaceKind
from bot.domain.quiet import ZONE
from bot.store import Store, boards, key_values, places
from bot.store.schema import OURS
from bot.support import platforms
from bot.support.settings import PINGS
from bot.support.texts import LANGUAGES
from renderers import THEMES

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


UTC = "UTC"
PINGS_CHOICES = {"pings": ("auto", *PINGS)}
THEME = "theme"
THEME_CHOICES = {THEME: ("auto", *THEMES)}

_LOOKS = {"language": ("auto", *LANGUAGES), **THEME_CHOICES, **PINGS_CHOICES, ZONE: (UTC,)}
"""What boards show, with the choices of a menu, the default first. Zones can also be typed.

Copied into threads and topics, so that readers need only the place.
"""
_RULES = {THREADS: (OFF, ON, ONLY), CLOCK: (OFF, *PRESETS), BEGIN: (EVERYBODY, MANAGERS)}
"""Looked up around a place at each use (`settings_of`), like those of games. Clocks can be typed.
"""


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
    is_blocked: bool = False

    def allows(self, game_id: str) -> bool:
        return self.settings.get(f"{GAME}{game_id}") != OFF

    @property
    def clock(self) -> str:
        usual = self.settings.get(CLOCK, OFF)
        return usual if Clock.is_canonical(usual) else ""

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(game_id for game_id in games.ids() if self.allows(game_id))

    def check_place(self) -> None:
        """Check that games are allowed here. Raises `NotPlayedError`."""
        if self.place is None:
            return
        if self.is_blocked:
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
    chat = of_chat(
        notifies=traits.notifies, has_topics=traits.has_topics, opens_threads=traits.opens_threads
    )
    return {**chat, **of_games()}


def of_chat(
    *, notifies: bool, has_topics: bool, opens_threads: bool
) -> Mapping[str, tuple[str, ...]]:
    """Return the settings but those of games, by the features of a chat, in the menu's order."""
    offered, is_there = _LOOKS | _RULES, {ON: opens_threads, ONLY: has_topics}
    offered[THREADS] = tuple(value for value in offered[THREADS] if is_there.get(value, True))
    if not notifies:
        del offered["pings"]
    zone = offered.pop(ZONE)
    # A single value is no choice, except that zones can be typed.
    return {key: values for key, values in offered.items() if len(values) > 1} | {ZONE: zone}


def of_games() -> Mapping[str, tuple[str, ...]]:
    """Return the settings of games."""
    return {f"{GAME}{game_id}": (ON, OFF) for game_id in games.ids()}


async def change(store: Store, place: Place, chosen: Mapping[str, str]) -> Place:
    """Change settings of a place and of the threads that inherit them. Raises KeyError."""
    for key in chosen:
        if key not in _LOOKS and not _is_rule(key):
            raise KeyError(key)
    looks = [key for key in chosen if key in _LOOKS]
    if not looks:
        return await places.change_place(store, place.id, settings=chosen)
    changed = await places.change_with_threads(store, place.id, settings=chosen, look=looks)
    for one in changed:
        await boards.show_in(store, one.id)
    return changed[0]


def _is_rule(key: str) -> bool:
    return key in _RULES or key.startswith(GAME)


def inherited(around: Place) -> dict[str, str]:
    """Return the settings copied into a new thread or topic."""
    return {key: value for key, value in around.settings.items() if key in _LOOKS}


async def settings_of(store: Store, place: Place) -> Mapping[str, str]:
    """Return the rules of a place, including inherited ones."""
    around = await places.around(store, place)
    found = {**around.settings, **place.settings} if around else place.settings
    return {key: value for key, value in found.items() if _is_rule(key)}


def names_of(place: Place) -> Iterator[str]:
    """Return the names that cover a place, the closest first."""
    around = (place.external, place.parent, place.community)
    yield from (f"{place.platform}:{name}" for name in around if name)
    yield EVERYWHERE


async def store_block(store: Store, name: str, word: str) -> None:
    """Store whether a place is blocked by the operator."""
    await key_values.remember(store, OURS, f"{_WORDS}{name}", word, is_news=True)


async def words_of_host(store: Store) -> Mapping[str, str]:
    """Return the operator's stored decisions by name of place."""
    found = await key_values.recall_all(store, OURS, _WORDS)
    return {key.removeprefix(_WORDS): word for key, word in found.items()}


class Policies:
    """The rules of all places."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._words: TTLCache[str, Mapping[str, str]] = TTLCache(1, _FRESH)
        self._forgotten = 0
        """Detects invalidation during a read."""

    def forget(self) -> None:
        self._words.clear()
        self._forgotten += 1

    async def of(self, place_id: int) -> Policy:
        """Return the current rules of a place. Raises LookupError."""
        if not place_id:
            return Policy()
        place = await places.place(self._store, place_id)
        if place.kind is PlaceKind.DIRECT:
            return Policy()
        settings = await settings_of(self._store, place)
        return Policy(place, settings, is_blocked=await self.is_blocked(place))

    async def is_blocked(self, place: Place) -> bool:
        if place.kind is PlaceKind.DIRECT:
            return False
        words = self._words.get(OURS)
        if words is None:
            forgotten = self._forgotten
            words = await words_of_host(self._store)
            if forgotten == self._forgotten:
                self._words[OURS] = words
        if not words:
            return False
        return next((words[name] for name in names_of(place) if name in words), IN) == OUT

    async def follow(self, before: Place, after: Place) -> None:
        """Keep the operator's decision about a place that has a new name."""
        was = await self.is_blocked(before)
        if was is not await self.is_blocked(after):
            name = next(names_of(after))
            await store_block(self._store, name, OUT if was else IN)
            self.forget()
