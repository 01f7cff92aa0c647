"""What the host does on the command line, also while the house runs: places, matches, people."""

import asyncio
from collections.abc import Mapping
from typing import Any

from bot.clocks import Clock
from bot.commands.towns import zone_of_place
from bot.erasing import erase
from bot.errors import HostError, Refused, StaleBoard
from bot.leases import Leases
from bot.matches import Matches
from bot.model import Ending, EndingKind, Place, User
from bot.policies import (
    CLOCK,
    IN,
    OUT,
    UTC,
    Policies,
    change,
    every_setting,
    names_of,
    settings_of,
    word_of_host,
)
from bot.quiet import ZONE
from bot.settings import HouseSettings
from bot.store import Store, announcements, people, personal_data, places, standings
from bot.texts import Texts

__all__ = [
    "MOST_HOURS",
    "close_match",
    "export",
    "forget",
    "let_in",
    "listed",
    "matches_of",
    "rebuild_ratings",
    "say",
    "set_here",
    "shut_out",
    "somebody",
]

_HOUR = 3600
MOST_HOURS = announcements.MOST_SECONDS // _HOUR
"""So long can something be to be said (`say`)."""


async def listed(store: Store, house: HouseSettings) -> list[tuple[Place, int, bool]]:
    """All places but conversations of two: how many matches run there, and are they shut out?"""
    policies = Policies(store, house)
    found = await places.played_in(store)
    return [(place, running, await policies.is_shut_out(place)) for place, running in found]


async def shut_out(store: Store, name: str) -> bool:
    """Be in a place, or in all places of a server or group, no more; is one known by that name?"""
    await word_of_host(store, name, OUT)
    return await _is_known(store, name)


async def let_in(store: Store, name: str) -> bool:
    """Be there again, whatever the configuration says, or was said of what is around it.

    Is a place known by that name?
    """
    await word_of_host(store, name, IN)
    return await _is_known(store, name)


async def _is_known(store: Store, name: str) -> bool:
    return any(name in names_of(place) for place, _ in await places.played_in(store))


async def set_here(store: Store, name: str, key: str, value: str) -> Mapping[str, str]:
    """Set something for a place, as ``/here`` does, and give all its settings.

    Without a `key` nothing is set. Raises `HostError`.
    """
    platform, _, external = name.partition(":")
    place = await places.place_called(store, platform, external)
    if place is None:
        raise HostError(f"there is no place {name}; azumaya places lists them")
    offered = every_setting(platform)
    if key == ZONE and value:
        place = await change(store, place, {ZONE: await asyncio.to_thread(_zone, name, value)})
    elif key:
        place = await change(store, place, {key: _checked(offered, key, value)})
    now = {**place.settings, **await settings_of(store, place)}
    return {setting: now.get(setting) or values[0] for setting, values in offered.items()}


def _checked(offered: Mapping[str, tuple[str, ...]], key: str, value: str) -> str:
    if key not in offered:
        raise HostError(f"there is no setting {key}; there are {', '.join(offered)}")
    if key == ZONE:
        raise HostError(f"{key} can be {UTC}, or a town, such as Berlin")
    if key == CLOCK and Clock.is_one(value):
        return value
    if value not in offered[key]:
        raise HostError(f"{key} can be {', '.join(offered[key])}")
    return value


def _zone(name: str, town: str) -> str:
    try:
        return zone_of_place(town, f"azumaya here {name} {ZONE}", Texts("en"))
    except Refused as refused:
        raise HostError(Texts("en")(f"error-{refused.code}", **refused.details)) from refused


async def close_match(store: Store, match_id: int) -> None:
    """End a running match without a result, whatever is played meanwhile. Raises `HostError`."""
    matches = matches_of(store)
    while True:
        try:
            await matches.end(match_id, Ending(EndingKind.CLOSED))
        except StaleBoard:
            # Somebody has played there in the same moment: read again.
            continue
        except Refused as refused:
            raise HostError(f"match {match_id} is not running") from refused
        return


def matches_of(store: Store) -> Matches:
    """The matches, for who changes them beside a house that may be running, and looks anew."""
    return Matches(store, changed=lambda: None, leases=Leases(store), policies=Policies(store))


async def rebuild_ratings(store: Store) -> int:
    """Make all ratings anew of the matches that have counted; gives how many these are."""
    return await standings.rebuild(store)


async def export(store: Store, user: str) -> dict[str, Any]:
    """Everything stored about somebody (a number, or ``web:name``). Raises `HostError`."""
    try:
        return await personal_data.export(store, await _number_of(store, user))
    except LookupError as error:
        raise _nobody(user) from error


async def somebody(store: Store, user: str) -> User:
    """Somebody (a number, or ``web:name``). Raises `HostError`."""
    known = await people.user(store, await _number_of(store, user))
    if known is None:
        raise _nobody(user)
    return known


async def forget(store: Store, user: str) -> int:
    """Erase somebody (a number, or ``web:name``), and give their number. Raises `HostError`."""
    number = await _number_of(store, user)
    try:
        await erase(store, matches_of(store), number)
    except LookupError as error:
        raise _nobody(user) from error
    return number


async def _number_of(store: Store, user: str) -> int:
    """The number that is meant by `user`; 0, nobody's, where there is none."""
    platform, _, handle = user.partition(":")
    if handle:
        found = await people.by_handle(store, platform, handle)
        return found.id if found else 0
    # No number is longer, for SQLite's are of 64 bits.
    is_number = user.isascii() and user.isdigit() and len(user) <= 18
    return int(user) if is_number else 0


def _nobody(user: str) -> HostError:
    return HostError(f"there is no user {user}")


async def say(store: Store, text: str, *, hours: int) -> int:
    """Let all who play hear something, in the next hours; gives in how many places."""
    return await announcements.add(store, text, seconds=hours * _HOUR)
