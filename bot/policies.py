"""What may be played in a place, where in it, and who may begin it: one rule for all platforms.

Whoever manages a place says so in its settings (``/here``, or the host on the command line); what
a thread or topic has not set is as in the channel or group around it. A direct conversation
belongs to the two who have it: no rules there. The host says which places there are at all, in the
configuration (``house.only_places``, ``house.shut_out``) and on the command line, whose word counts
over the configuration's.

A place has a name for that: its platform, a colon, and what the platform calls it, such as
``discord:81384788765712384/81384788765712385`` or ``web:lounge``. Its channel and its server or
group have names of the same kind, and what is said of them is said of all that is in them.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from cachetools import TTLCache

import games
from bot import platforms
from bot.clocks import PRESETS, Clock
from bot.errors import Refused
from bot.model import PARENT, Place, PlaceKind
from bot.quiet import ZONE
from bot.settings import PINGS, HouseSettings
from bot.store import Store, boards, key_values, places
from bot.texts import LANGUAGES

__all__ = [
    "BEGIN",
    "CLOCK",
    "EVERYBODY",
    "GAME",
    "IN",
    "MANAGERS",
    "OFF",
    "ON",
    "ONLY",
    "OUT",
    "PINGS_CHOICES",
    "ROLE",
    "THREADS",
    "UTC",
    "CanManage",
    "NotPlayedError",
    "Policies",
    "Policy",
    "Rights",
    "change",
    "every_setting",
    "names_of",
    "of_games",
    "settings_of",
    "word_of_host",
    "words_of_host",
]

CanManage = bool | Callable[[], Awaitable[bool]] | None
"""Does somebody manage a place? Where it costs something to know, what finds out; None where the
host alone does."""

GAME = "game-"
"""Before a game, in the name of the setting that says whether it may be played: on or off."""
THREADS = "threads"
"""The setting that says whether matches have threads of their own (on), or all is played in
threads and topics (only)."""
ON, OFF, ONLY = "on", "off", "only"
"""Values of the two above."""
BEGIN, EVERYBODY, MANAGERS, ROLE = "begin", "everybody", "managers", "role-"
"""The setting that says who may begin, and its values; the last one is followed by a role's id."""
CLOCK = "clock"
"""The setting that says how much time there is in a match unless something else is asked for."""
OUT, IN = "out", "in"
"""The host's word on a place."""

_WORDS = "place:"
_FRESH = 5.0
"""Seconds for which the host's words are remembered, where nobody tells that they changed."""


class _Follows(Enum):
    """How a thread or topic has what it has not set itself of the channel or group around it."""

    COPIED = "copied"
    """It is given it, for good or until that changes: readers look at one place alone."""
    LOOKED_UP = "looked up"
    """It is asked for around it, each time: a rule (`settings_of`)."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """What can be set for a place. Nothing has a default here: of each all of it is said."""

    values: tuple[str, ...]
    """What a menu leads to, the default first; more can be typed where it is a clock or a zone."""
    is_on_boards: bool
    """Are boards behind when it changes, for they look otherwise, or tell people otherwise?"""
    follows: _Follows


UTC = "UTC"
"""The time by which a place lives that has set no zone; stored as ""."""
PINGS_CHOICES = {"pings": ("auto", *PINGS)}
"""A setting of a person and of a place, where people are told by messages."""

_SETTINGS = {
    "language": _Setting(("auto", *LANGUAGES), is_on_boards=True, follows=_Follows.COPIED),
    "theme": _Setting(("auto", "light", "dark"), is_on_boards=True, follows=_Follows.COPIED),
    "pings": _Setting(PINGS_CHOICES["pings"], is_on_boards=True, follows=_Follows.COPIED),
    ZONE: _Setting((UTC,), is_on_boards=True, follows=_Follows.COPIED),
    THREADS: _Setting((OFF, ON, ONLY), is_on_boards=False, follows=_Follows.LOOKED_UP),
    CLOCK: _Setting((OFF, *PRESETS), is_on_boards=False, follows=_Follows.LOOKED_UP),
    BEGIN: _Setting((EVERYBODY, MANAGERS), is_on_boards=False, follows=_Follows.LOOKED_UP),
}
"""All that can be set for a place, but for its games; what is not here cannot be set."""
_APART = (ZONE, BEGIN)
"""What has a menu of its own, for what it can be is long: towns, and roles."""
_EACH_GAME = _Setting((ON, OFF), is_on_boards=False, follows=_Follows.LOOKED_UP)


class NotPlayedError(Refused):
    """It cannot be played in a place, for the reason in the code: where, and what can."""

    def __init__(
        self, code: str, place_id: int, *, game: str = "", possible: tuple[str, ...] = ()
    ) -> None:
        super().__init__(code, game=game, games=", ".join(possible))
        self.place_id = place_id
        self.game = game
        self.possible = possible


@dataclass(frozen=True, slots=True)
class Rights:
    """What a platform says of somebody in a place: do they manage it, and which roles have they?

    `role_names` are those of the place by id, for those who do not have them.
    """

    can_manage: CanManage = None
    roles: frozenset[str] = frozenset()
    role_names: Mapping[str, str] = field(default_factory=dict)

    async def manages(self) -> bool:
        """Do they manage the place?"""
        return await self.can_manage() if callable(self.can_manage) else bool(self.can_manage)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one place."""

    place: Place | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    is_shut_out: bool = False

    def allows(self, game_id: str) -> bool:
        """May this game be played here?"""
        return self.settings.get(f"{GAME}{game_id}") != OFF

    @property
    def clock(self) -> str:
        """The clock that is usual here, as it is stored; "" for none."""
        usual = self.settings.get(CLOCK, OFF)
        return usual if Clock.is_one(usual) else ""

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games that may be played here."""
        return tuple(game_id for game_id in games.ids() if self.allows(game_id))

    def check_place(self) -> None:
        """Raise `NotPlayedError` where nothing is played here."""
        if self.place is None:
            return
        if self.is_shut_out:
            raise NotPlayedError("shut-out", self.place.id)
        if self.settings.get(THREADS) == ONLY and not self.place.parent:
            raise NotPlayedError("threads-only", self.place.id)
        if not self.games:
            raise NotPlayedError("no-game-here", self.place.id)

    def check_game(self, game_id: str) -> None:
        """Raise `NotPlayedError` where this game is not played here."""
        self.check_place()
        if self.place is not None and not self.allows(game_id):
            raise NotPlayedError("game-not-here", self.place.id, game=game_id, possible=self.games)

    async def check_person(self, rights: Rights) -> None:
        """Raise `Refused` where this person may not begin anything here."""
        who = self.settings.get(BEGIN) or EVERYBODY
        if who == EVERYBODY or who.removeprefix(ROLE) in rights.roles:
            return
        # Those who make the rule are never shut out by it, nor by a role that has been deleted.
        if await rights.manages():
            return
        role = rights.role_names.get(who.removeprefix(ROLE))
        if role is not None:
            raise Refused("begin-role", role=role)
        raise Refused("begin-managers" if who == MANAGERS else "begin-some")


def every_setting(platform: str) -> Mapping[str, tuple[str, ...]]:
    """All that can be set for some place of a platform, as far as it has no roles to add."""
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
    """What a menu of values sets, by what there is in a place: all but what is asked `_APART`."""
    offered = {key: one.values for key, one in _SETTINGS.items() if key not in _APART}
    is_there = {ON: opens_threads, ONLY: has_topics}
    offered[THREADS] = tuple(value for value in offered[THREADS] if is_there.get(value, True))
    if not notifies:
        del offered["pings"]
    # What has one value alone is no choice.
    return {key: values for key, values in offered.items() if len(values) > 1}


def of_games() -> Mapping[str, tuple[str, ...]]:
    """What can be set of each game."""
    return {f"{GAME}{game_id}": _EACH_GAME.values for game_id in games.ids()}


async def change(store: Store, place: Place, chosen: Mapping[str, str]) -> Place:
    """Set what was `chosen` for a place; boards that show it are behind then.

    Threads and topics of it that were like it until now, and so have set nothing themselves, go
    on being like it. Raises KeyError for what is no setting of a place.
    """
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
    """What a new thread or topic has of the channel or group around it, for good or until then."""
    return _of(around, _Follows.COPIED)


async def settings_of(store: Store, place: Place) -> Mapping[str, str]:
    """The rules of a place, by the names of settings: its own, else those of what is around it."""
    around = await places.around(store, place)
    rules = _of(place, _Follows.LOOKED_UP)
    return {**_of(around, _Follows.LOOKED_UP), **rules} if around else rules


def _of(place: Place, follows: _Follows) -> dict[str, str]:
    """What is set for a place and followed so; what else is noted of a place is no setting."""
    return {
        key: value
        for key, value in place.settings.items()
        if (key in _SETTINGS or key.startswith(GAME)) and _setting(key).follows is follows
    }


def names_of(place: Place) -> Iterator[str]:
    """What the host can call a place, its channel and its server or group, the closest first."""
    around = (place.external, place.parent, place.community)
    return (f"{place.platform}:{name}" for name in around if name)


async def word_of_host(store: Store, name: str, word: str) -> None:
    """The host lets a place in, or shuts it out."""
    await key_values.remember(store, key_values.OURS, f"{_WORDS}{name}", word, is_news=True)


async def words_of_host(store: Store) -> Mapping[str, str]:
    """What the host has said of places, on the command line, by their names."""
    found = await key_values.recall_all(store, key_values.OURS, _WORDS)
    return {key.removeprefix(_WORDS): word for key, word in found.items()}


@dataclass(frozen=True, slots=True)
class _Known:
    """The host's words, and what they and the configuration say of places that were asked about."""

    words: Mapping[str, str]
    is_out: dict[tuple[str | None, ...], bool] = field(default_factory=dict)


class Policies:
    """The rules of all places."""

    def __init__(self, store: Store, house: HouseSettings | None = None) -> None:
        self._store = store
        self._house = house or HouseSettings()
        self._known: TTLCache[str, _Known] = TTLCache(1, _FRESH)
        self._forgotten = 0
        """How often; what was being read meanwhile may be what was said before."""

    def forget(self) -> None:
        """The host may have said something."""
        self._known.clear()
        self._forgotten += 1

    async def of(self, place_id: int) -> Policy:
        """The rules of a place as they are now. Raises LookupError."""
        if not place_id:
            return Policy()
        place = await places.place(self._store, place_id)
        if place.kind is PlaceKind.DIRECT:
            return Policy()
        settings = await settings_of(self._store, place)
        return Policy(place, settings, is_shut_out=await self.is_shut_out(place))

    async def is_shut_out(self, place: Place) -> bool:
        """Does the host not want to be in this place?"""
        if place.kind is PlaceKind.DIRECT:
            return False
        # Asked with every command: what has just been decided is not decided anew.
        known = self._known.get(key_values.OURS)
        if known is None:
            forgotten = self._forgotten
            known = _Known(await words_of_host(self._store))
            if forgotten == self._forgotten:
                self._known[key_values.OURS] = known
        key = (place.platform, place.external, place.settings.get(PARENT), place.community)
        is_out = known.is_out.get(key)
        if is_out is None:
            is_out = known.is_out[key] = self._decided(list(names_of(place)), known.words)
        return is_out

    def _decided(self, names: Sequence[str], words: Mapping[str, str]) -> bool:
        for name in names:
            if word := words.get(name):
                return word == OUT
        house = self._house
        if not house.shut_out and not house.only_places:
            return False
        is_wanted = not house.only_places or not set(names).isdisjoint(house.only_places)
        return not is_wanted or not set(names).isdisjoint(house.shut_out)

    async def follow(self, before: Place, after: Place) -> None:
        """A place has another name on its platform: it is shut out, or is not, as it was."""
        was = await self.is_shut_out(before)
        if was is not await self.is_shut_out(after):
            name = next(names_of(after))
            await word_of_host(self._store, name, OUT if was else IN)
            self.forget()
