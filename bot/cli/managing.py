"""Commands for users, places and matches. They work while the bot runs."""

import json
import re
import sys
from pathlib import Path

import click

from bot.cli import hosting
from bot.cli.base import run_on_store
from bot.matches.erasing import erase
from bot.matches.names import readable
from bot.matches.policies import EVERYWHERE
from bot.store import announcements, personal_data, standings

_LONGEST_WORD = 1000
_HOUR = 3600
_MOST_HOURS = announcements.MOST_SECONDS // _HOUR

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
    known = run_on_store(config, lambda store: hosting.find_user(store, user))
    found = run_on_store(config, lambda store: personal_data.export(store, known.id))
    json.dump(found, sys.stdout, indent=2, ensure_ascii=False)
    click.echo()


@click.command()
@_USER
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def forget(config: Path | None, user: str, *, yes: bool) -> None:
    """Delete USER (an id, or web:name). Opponents win the active games and keep their records."""
    known = run_on_store(config, lambda store: hosting.find_user(store, user))
    if not yes:
        who = f"{readable(known.name)} (id {known.id})"
        click.confirm(f"This cannot be undone. Delete {who}?", abort=True)
    run_on_store(config, lambda store: erase(store, hosting.matches_of(store), known.id))
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
    found = run_on_store(config, hosting.list_places)
    for place, running, is_out in found:
        state = "  blocked" if is_out else ""
        click.echo(
            f"{place.platform}:{place.external}  {readable(place.title)}  {running} active{state}"
        )


@click.command()
@_PLACES
@click.pass_obj
def block(config: Path | None, place: str) -> None:
    """Block PLACE: a channel, a server, a group, or everywhere. Its games continue elsewhere."""
    is_known = run_on_store(config, lambda store: hosting.block(store, place))
    click.echo(f"{place} is blocked.{'' if is_known else _UNKNOWN}")


@click.command()
@_PLACES
@click.pass_obj
def allow(config: Path | None, place: str) -> None:
    """Allow PLACE again, even if its server or group is blocked."""
    is_known = run_on_store(config, lambda store: hosting.allow(store, place))
    click.echo(f"{place} is allowed.{'' if is_known else _UNKNOWN}")


@click.command()
@_PLACE
@click.argument("setting", default="")
@click.argument("value", default="")
@click.pass_obj
def here(config: Path | None, place: str, setting: str, value: str) -> None:
    """Print the settings of PLACE, or change one. For web rooms, which have no moderators."""
    found = run_on_store(
        config, lambda store: hosting.set_place_setting(store, place, setting, value)
    )
    for key, now in found.items():
        click.echo(f"{key} {now}")


@click.command()
@click.argument("match", type=click.IntRange(1, 2**53))
@click.confirmation_option(prompt="Close this game without a result?")
@click.pass_obj
def close(config: Path | None, match: int) -> None:
    """Close the game MATCH (an id) without a result. Its players are notified."""
    run_on_store(config, lambda store: hosting.close_match(store, match))
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
