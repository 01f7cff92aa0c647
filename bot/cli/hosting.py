"""Commands for users, places and matches, and what they do. They work while the bot runs."""

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from bot.cli.base import run_on_store
from bot.commands.away import zone_of_place
from bot.domain.clocks import Clock
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Ending, EndingKind, Place, User
from bot.domain.quiet import ZONE
from bot.matches import Matches, playing
from bot.matches.erasing import erase
from bot.matches.names import readable
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
from bot.store import Store, announcements, people, personal_data, standings
from bot.store import places as place_store
from bot.support.errors import HostError
from bot.support.texts import Texts

_LONGEST_WORD = 1000
_HOUR = 3600
_MOST_HOURS = announcements.MOST_SECONDS // _HOUR


async def block(store: Store, name: str) -> bool:
    """Block a place, server or group, or `EVERYWHERE`. Return whether the name is known."""
    await store_block(store, name, OUT)
    return await _is_known(store, name)


async def allow(store: Store, name: str) -> bool:
    """Allow the same, also within a blocked one. Return whether the name is known."""
    await store_block(store, name, IN)
    return await _is_known(store, name)


async def _is_known(store: Store, name: str) -> bool:
    found = await place_store.played_in(store)
    return name == EVERYWHERE or any(name in names_of(place) for place, _ in found)


async def set_place_setting(store: Store, name: str, key: str, value: str) -> Mapping[str, str]:
    """Change a setting of a place, unless `key` is empty. Return all its settings."""
    platform, _, external = name.partition(":")
    place = await place_store.place_called(store, platform, external)
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


_USER = click.argument(
    "user",
    metavar="USER",
    # A terminal may pass bytes that are not text.
    callback=lambda *given: given[-1].encode(errors="replace").decode(),
)


@click.command()
@_USER
@click.pass_obj
def export(config: Path | None, user: str) -> None:
    """Print the data of USER (an id, or web:name) as JSON."""
    known = run_on_store(config, lambda store: find_user(store, user))
    found = run_on_store(config, lambda store: personal_data.export(store, known.id))
    json.dump(found, sys.stdout, indent=2, ensure_ascii=False)
    click.echo()


@click.command()
@_USER
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def forget(config: Path | None, user: str, *, yes: bool) -> None:
    """Delete USER (an id, or web:name). Opponents win the active games and keep their records."""
    known = run_on_store(config, lambda store: find_user(store, user))
    if not yes:
        who = f"{readable(known.name)} (id {known.id})"
        click.confirm(f"This cannot be undone. Delete {who}?", abort=True)
    run_on_store(config, lambda store: erase(store, matches_of(store), known.id))
    click.echo(f"Deleted user {known.id}.")


_UNKNOWN = " No channel with this name is known yet. List the known ones with azumaya places."
_PLACE = click.argument("place", metavar="PLACE", callback=lambda *given: _named(given[-1]))
_PLACES = click.argument(
    "place",
    metavar="PLACE",
    callback=lambda *given: given[-1] if given[-1] == EVERYWHERE else _named(given[-1]),
)


def _named(place: str) -> str:
    if not re.fullmatch(r"[a-z]{1,16}:[!-~]{1,40}", place):
        hint = "discord:81384788765712384, telegram:-1001234567890 or web:lounge"
        raise click.BadParameter(f"{place!r} is not the name of a channel, like {hint}")
    return place


@click.group("ratings")
def ratings() -> None:
    """Manage ratings."""


@ratings.command()
@click.pass_obj
def rebuild(config: Path | None) -> None:
    """Recompute all ratings from the stored games."""
    count = run_on_store(config, standings.rebuild)
    click.echo(f"Recomputed the ratings from {count} rated games.")


@click.command("places")
@click.pass_obj
def places(config: Path | None) -> None:
    """List all channels. Shows their names, active games, and whether they are blocked."""

    async def find(store: Store) -> list[tuple[Place, int, bool]]:
        policies, found = Policies(store), await place_store.played_in(store)
        return [(place, running, await policies.is_blocked(place)) for place, running in found]

    for place, running, is_out in run_on_store(config, find):
        state = "  blocked" if is_out else ""
        click.echo(
            f"{place.platform}:{place.external}  {readable(place.title)}  {running} active{state}"
        )


@click.command("block")
@_PLACES
@click.pass_obj
def block_place(config: Path | None, place: str) -> None:
    """Block PLACE: a channel, a server, a group, or everywhere. Its games continue elsewhere."""
    is_known = run_on_store(config, lambda store: block(store, place))
    click.echo(f"{place} is blocked.{'' if is_known else _UNKNOWN}")


@click.command("allow")
@_PLACES
@click.pass_obj
def allow_place(config: Path | None, place: str) -> None:
    """Allow PLACE again, even if its server or group is blocked."""
    is_known = run_on_store(config, lambda store: allow(store, place))
    click.echo(f"{place} is allowed.{'' if is_known else _UNKNOWN}")


@click.command()
@_PLACE
@click.argument("setting", default="")
@click.argument("value", default="")
@click.pass_obj
def here(config: Path | None, place: str, setting: str, value: str) -> None:
    """Print the settings of PLACE, or change one. For web rooms, which have no moderators."""
    found = run_on_store(config, lambda store: set_place_setting(store, place, setting, value))
    for key, now in found.items():
        click.echo(f"{key} {now}")


@click.command()
@click.argument("match", type=click.IntRange(1, 2**53))
@click.confirmation_option(prompt="Close this game without a result?")
@click.pass_obj
def close(config: Path | None, match: int) -> None:
    """Close the game MATCH (an id) without a result. Its players are notified."""
    run_on_store(config, lambda store: close_match(store, match))
    click.echo(f"Closed game {match}.")


@click.command()
@click.argument("text")
@click.option("--hours", type=click.IntRange(1, _MOST_HOURS), default=24, show_default=True)
@click.pass_obj
def say(config: Path | None, text: str, hours: int) -> None:
    """Announce TEXT once in every channel with active games. It expires after --hours."""
    said = readable(text)
    if not said or len(said) > _LONGEST_WORD:
        raise click.BadParameter(f"must have 1 to {_LONGEST_WORD} characters", param_hint="TEXT")
    seconds = hours * _HOUR
    count = run_on_store(config, lambda store: announcements.add(store, said, seconds=seconds))
    click.echo(f"Announced in {count} channels." if count != 1 else "Announced in 1 channel.")


HOSTING_COMMANDS = places, block_place, allow_place, here, close, say, ratings, export, forget
