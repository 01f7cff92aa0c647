"""The database as a whole: brought up to date, backed up and restored, moved."""

import asyncio
import json
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from pydantic import TypeAdapter, ValidationError

from bot import moving, store
from bot.command_line.base import clear_failures
from bot.errors import StoreError
from bot.settings import A_DATABASE, Database, is_url, load
from bot.store import Address, title

__all__ = ["backup", "copy", "migrate", "restore", "restored", "stay"]

T = TypeVar("T")


@click.command("migrate")
@click.pass_obj
def migrate(config: Path | None) -> None:
    """Bring the database to this version's schema (run does it, too)."""
    with clear_failures():
        database = load(config).database
        with store.sole_use(database):
            store.migrate(database)
    click.echo(f"{title(database)} is up to date.")


def _file(_context: click.Context, _argument: click.Parameter, given: str) -> Path:
    """The path of a file; a URL, in which there may be a password, is told to nobody."""
    if is_url(given):
        raise click.BadParameter("the path of a file is wanted here, not a URL.")
    return Path(given)


def _no_more(context: click.Context, wanted: str) -> None:
    """Not click's own words, which quote what is too much: it may be a URL with a password."""
    if context.args:
        raise click.UsageError(f"There are more arguments than {wanted}.")


@click.command("backup", context_settings={"allow_extra_args": True})
@click.argument("target", callback=_file)
@click.pass_context
def backup(context: click.Context, target: Path) -> None:
    """Copy the database to TARGET, also while the bot runs, and look through the copy."""
    _no_more(context, "TARGET")
    with clear_failures():
        store.backup(load(context.obj).database, target)
    click.echo(f"Copied to {target}.")


def _database(_context: click.Context, _argument: click.Parameter, given: str) -> Address:
    """A database as the configuration would take it; what was given is told to nobody."""
    try:
        found: Address = TypeAdapter(Database).validate_python(given)
    except ValidationError:
        raise click.BadParameter(A_DATABASE) from None
    return found


@click.command(context_settings={"allow_extra_args": True})
@click.argument("source", metavar="BACKUP", callback=_file)
@click.pass_context
def restore(context: click.Context, source: Path) -> None:
    """Put BACKUP in the place of the database of a closed house; what was there is kept."""
    _no_more(context, "BACKUP")
    with clear_failures():
        database = load(context.obj).database
        kept = store.restore(source, database)
    click.echo(f"{title(database)} is now as {source} is.")
    if kept is not None:
        click.echo(
            f"What was there is kept as {kept}. Whoever asks to be forgotten is still in it: "
            "delete it when you are content."
        )


@click.command("copy", context_settings={"allow_extra_args": True})
@click.argument("source", callback=_database)
@click.argument("target", callback=_database)
@click.option(
    "--trial", is_flag=True, help="Only try it: SOURCE may be in use, and stays the house's."
)
@click.pass_context
def copy(context: click.Context, source: Address, target: Address, trial: bool) -> None:  # noqa: FBT001 - click's way of flags
    """Move from the database SOURCE to TARGET, where there must be none: paths or postgresql://.

    SOURCE stays as it was, with a mark: nothing acts on it any more, and all say where the house
    has gone (azumaya stay takes the mark away). Only the house must be closed.

    Passwords can be left out of URLs: PGPASSWORD and ~/.pgpass are asked, and others cannot see
    them in the list of processes.
    """
    _no_more(context, "SOURCE and TARGET")
    with clear_failures(), ExitStack() as shown:
        if not trial and store.exists(source):
            shown.enter_context(_closed(source))
        bar: Any = None

        def show(done: int, total: int) -> None:
            nonlocal bar
            if bar is None:
                means = (
                    "as it is now; what is played there from now on is not in the copy"
                    if trial
                    else "to move there; the house has to stay closed until that is done"
                )
                click.echo(f"Copying {title(source)} {means}.", err=True)
                # A log has no use for it.
                hidden = not sys.stderr.isatty()
                bar = click.progressbar(length=total, file=sys.stderr, hidden=hidden)
                shown.enter_context(bar)
            bar.update(done - bar.pos)

        copying = moving.copy(source, target, show, is_moving=not trial)
        copied = asyncio.run(_until_told_to_stop(copying))
    if copied.why_unmarked:
        why = copied.why_unmarked
        click.echo(f"The move could not be noted there: {why}. Start no house on it.", err=True)
    for row in copied.changed:
        click.echo(f"{row}: a NUL was left out of a text; PostgreSQL has none.", err=True)
    for match, why in copied.unreadable.items():
        click.echo(f"Match {match} cannot be replayed, here as there: {why}.", err=True)
    click.echo(
        f"Copied {title(source)} to {title(target)}: {sum(copied.rows.values())} rows (people: "
        f"{copied.rows['users']}, matches: {copied.rows['matches']}). All are there; running "
        f"matches replayed: {copied.running - len(copied.unreadable)} of {copied.running}."
    )
    if trial:
        return
    if isinstance(target, Path):
        # Written as TOML has it, whatever is in the name.
        path = json.dumps(str(target.absolute()), ensure_ascii=False)
        click.echo(f"To play on there, set: database = {path}")
    else:
        click.echo("To play on there, set AZUMAYA_DATABASE to its URL.")


@contextmanager
def _closed(source: Address) -> Iterator[None]:
    """Let no house run on a file while the block runs. Raises `StoreError`."""
    with ExitStack() as held:
        try:
            held.enter_context(store.sole_use(source))
        except StoreError as error:
            raise StoreError(f"{error}; stop it, or copy it with --trial") from error
        yield


@click.command()
@click.pass_obj
def stay(config: Path | None) -> None:
    """Go on in the database, though the house has moved out of it (copy)."""
    with clear_failures():
        database = load(config).database
        if not store.exists(database):
            raise StoreError(f"{title(database)}: there is no such database")
        store.note_move(database, None)
    click.echo(f"{title(database)} is the house's. Let no house run on a copy of it meanwhile.")


@click.command()
@click.pass_obj
def restored(config: Path | None) -> None:
    """Say that the database was put back by other means than restore, such as pg_restore.

    While the house is closed: from then on no button of the time that is forgotten does anything.
    """
    with clear_failures():
        database = load(config).database
        if not store.exists(database):
            raise StoreError(f"{title(database)}: there is no such database")
        # A database that no house could use is refused.
        with store.sole_use(database):
            store.migrate(database)
            store.note_restored(database)
    click.echo(
        f"{title(database)} was put back: at the next start all numbers go on beyond those that "
        "may have been given out since, and boards are drawn anew."
    )


async def _until_told_to_stop(doing: Coroutine[Any, Any, T]) -> T:
    """Do it, and take it back where the process is told to end, also where Ctrl-C is not heeded."""
    task, loop = asyncio.ensure_future(doing), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise click.Abort from None
