"""People, places and matches, as the host looks after them, also while the house runs."""

import json
import sys
from pathlib import Path

import click
from pydantic import TypeAdapter, ValidationError

from bot import hosting
from bot.command_line.base import clear_failures, in_store
from bot.names import readable
from bot.settings import PlaceName, load

__all__ = [
    "close",
    "export",
    "forget",
    "here",
    "let_in",
    "places",
    "ratings",
    "say",
    "shut_out",
]

_LONGEST_WORD = 1000
"""Characters of what the host has to say."""

_USER = click.argument(
    "user",
    metavar="USER",
    # A terminal may give bytes that are no text, and nobody is called so.
    callback=lambda *given: given[-1].encode(errors="replace").decode(),
)


@click.command()
@_USER
@click.pass_obj
def export(config: Path | None, user: str) -> None:
    """Print everything stored about USER (a number, or web:name) as JSON."""
    with clear_failures():
        found = in_store(load(config), lambda store: hosting.export(store, user))
    json.dump(found, sys.stdout, indent=2, ensure_ascii=False)
    click.echo()


@click.command()
@_USER
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_obj
def forget(config: Path | None, user: str, *, yes: bool) -> None:
    """Erase USER (a number, or web:name). Opponents win what is on, and keep their records."""
    with clear_failures():
        settings = load(config)
        known = in_store(settings, lambda store: hosting.somebody(store, user))
        if not yes:
            who = f"{readable(known.name)} (number {known.id})"
            click.confirm(f"This cannot be undone. Forget {who}?", abort=True)
        in_store(settings, lambda store: hosting.forget(store, str(known.id)))
    click.echo(f"Forgot {known.id}.")


_UNKNOWN = " No channel or group is known by that name yet; azumaya places lists those that are."
_PLACE = click.argument("place", metavar="PLACE", callback=lambda *given: _named(given[-1]))


def _named(place: str) -> str:
    """The name of a place, as the configuration would take it."""
    try:
        return TypeAdapter(PlaceName).validate_python(place)
    except ValidationError:
        hint = "such as discord:81384788765712384, telegram:-1001234567890 or web:lounge"
        raise click.BadParameter(f"{place!r} is no place; it is called {hint}") from None


@click.group("ratings")
def ratings() -> None:
    """What has to do with how strong people are."""


@ratings.command()
@click.pass_obj
def rebuild(config: Path | None) -> None:
    """Make all ratings anew of the matches that counted; the numbers are the same ones again."""
    with clear_failures():
        count = in_store(load(config), hosting.rebuild_ratings)
    click.echo(f"Made the ratings anew: {count} rated matches.")


@click.command("places")
@click.pass_obj
def places(config: Path | None) -> None:
    """List all places: their names, how many matches are running there, who is shut out."""
    with clear_failures():
        settings = load(config)
        found = in_store(settings, lambda store: hosting.listed(store, settings.house))
    for place, running, is_out in found:
        state = "  shut out" if is_out else ""
        click.echo(
            f"{place.platform}:{place.external}  {readable(place.title)}  {running} running{state}"
        )


@click.command("shut-out")
@_PLACE
@click.pass_obj
def shut_out(config: Path | None, place: str) -> None:
    """Be in PLACE (a channel, or a whole server or group) no more; its matches go on elsewhere."""
    with clear_failures():
        is_known = in_store(load(config), lambda store: hosting.shut_out(store, place))
    click.echo(f"{place} is shut out.{'' if is_known else _UNKNOWN}")


@click.command("let-in")
@_PLACE
@click.pass_obj
def let_in(config: Path | None, place: str) -> None:
    """Be in PLACE again, whatever the configuration says."""
    with clear_failures():
        is_known = in_store(load(config), lambda store: hosting.let_in(store, place))
    click.echo(f"{place} is let in.{'' if is_known else _UNKNOWN}")


@click.command()
@_PLACE
@click.argument("setting", default="")
@click.argument("value", default="")
@click.pass_obj
def here(config: Path | None, place: str, setting: str, value: str) -> None:
    """Print the settings of PLACE, or set one of them: for rooms that nobody else manages."""
    with clear_failures():
        found = in_store(load(config), lambda store: hosting.set_here(store, place, setting, value))
    for key, now in found.items():
        click.echo(f"{key} {now}")


@click.command()
@click.argument("match", type=click.IntRange(1, 2**53))
@click.confirmation_option(prompt="Close this match without a result?")
@click.pass_obj
def close(config: Path | None, match: int) -> None:
    """Close MATCH (its number) without a result; both players are told."""
    with clear_failures():
        in_store(load(config), lambda store: hosting.close_match(store, match))
    click.echo(f"Closed {match}.")


@click.command()
@click.argument("text")
@click.option("--hours", type=click.IntRange(1, hosting.MOST_HOURS), default=24, show_default=True)
@click.pass_obj
def say(config: Path | None, text: str, hours: int) -> None:
    """Say TEXT in every place with running matches, once; later than in so many HOURS nowhere."""
    said = readable(text)
    if not said or len(said) > _LONGEST_WORD:
        raise click.BadParameter(f"1 to {_LONGEST_WORD} characters", param_hint="TEXT")
    with clear_failures():
        count = in_store(load(config), lambda store: hosting.say(store, said, hours=hours))
    click.echo(f"Goes to {count} places." if count != 1 else "Goes to 1 place.")
