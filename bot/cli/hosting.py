"""Operations of the command line on places, matches and users. They work while the bot runs."""

import asyncio
from collections.abc import Mapping

from bot.commands.away import zone_of_place
from bot.domain.clocks import Clock
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Ending, EndingKind, Place, User
from bot.domain.quiet import ZONE
from bot.matches import Matches, playing
from bot.matches.policies import (
    CLOCK,
    EVERYWHERE,
    IN,
    OUT,
    UTC,
    Policies,
    change,
    every_setting,
    names_of,
    settings_of,
    store_block,
)
from bot.matches.shards import Shards
from bot.store import Store, people, places
from bot.support.errors import HostError
from bot.support.texts import Texts


async def list_places(store: Store) -> list[tuple[Place, int, bool]]:
    """Return all places but direct chats, their number of active matches, and whether blocked."""
    policies = Policies(store)
    found = await places.played_in(store)
    return [(place, running, await policies.is_blocked(place)) for place, running in found]


async def block(store: Store, name: str) -> bool:
    """Block a place, server or group, or `EVERYWHERE`. Return whether the name is known."""
    await store_block(store, name, OUT)
    return await _is_known(store, name)


async def allow(store: Store, name: str) -> bool:
    """Allow the same, also within a blocked one. Return whether the name is known."""
    await store_block(store, name, IN)
    return await _is_known(store, name)


async def _is_known(store: Store, name: str) -> bool:
    found = await places.played_in(store)
    return name == EVERYWHERE or any(name in names_of(place) for place, _ in found)


async def set_place_setting(store: Store, name: str, key: str, value: str) -> Mapping[str, str]:
    """Change a setting of a place, unless `key` is empty. Return all its settings."""
    platform, _, external = name.partition(":")
    place = await places.place_called(store, platform, external)
    if place is None:
        raise HostError(f"there is no channel {name}. List them with azumaya places")
    offered = every_setting(platform)
    if key == ZONE and value:
        place = await change(store, place, {ZONE: await asyncio.to_thread(_zone, name, value)})
    elif key:
        place = await change(store, place, {key: _checked(offered, key, value)})
    now = {**place.settings, **await settings_of(store, place)}
    return {setting: now.get(setting) or values[0] for setting, values in offered.items()}


def _checked(offered: Mapping[str, tuple[str, ...]], key: str, value: str) -> str:
    if key not in offered:
        raise HostError(f"there is no setting {key}. Settings: {', '.join(offered)}")
    if key == ZONE:
        raise HostError(f"{key} must be {UTC} or a town, for example Berlin")
    if key == CLOCK and Clock.is_canonical(value):
        return value
    if value not in offered[key]:
        raise HostError(f"{key} must be one of: {', '.join(offered[key])}")
    return value


def _zone(name: str, town: str) -> str:
    try:
        return zone_of_place(town, f"azumaya here {name} {ZONE} ", Texts("en"))
    except Refused as refused:
        raise HostError(Texts("en")(f"error-{refused.code}", **refused.details)) from refused


async def close_match(store: Store, match_id: int) -> None:
    """Close an active match without a result. Raises `HostError`."""
    matches = matches_of(store)
    while True:
        try:
            await playing.end(matches, match_id, Ending(EndingKind.CLOSED))
        except StaleBoard:
            # A move was played at the same moment: read again.
            continue
        except Refused as refused:
            raise HostError(f"game {match_id} is not active") from refused
        return


def matches_of(store: Store) -> Matches:
    """Return the matches for a process that changes them besides a running bot."""
    return Matches(store, changed=lambda: None, shards=Shards(store), policies=Policies(store))


async def find_user(store: Store, user: str) -> User:
    """Return a user (by id, or ``web:name``). Raises `HostError`."""
    platform, _, handle = user.partition(":")
    known = None
    if handle:
        known = await people.by_handle(store, platform, handle)
    # SQLite's ids have 64 bits.
    elif user.isascii() and user.isdigit() and len(user) <= 18:
        known = await people.user(store, int(user))
    if known is None:
        raise HostError(f"there is no user {user}")
    return known
