"""Commands for the database: upgrade, backup, restore and move."""

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

from bot import store
from bot.cli import moving
from bot.cli.base import clear_failures
from bot.store import Address, title
from bot.support.errors import StoreError
from bot.support.setting_types import A_DATABASE, Database, is_url
from bot.support.settings import load

__all__ = ["backup", "copy", "migrate", "restore", "restored", "stay"]

T = TypeVar("T")


@click.command("migrate")
@click.pass_obj
def migrate(config: Path | None) -> None:
    """Upgrade the database schema. The bot does this when it starts, too."""
    with clear_failures():
        database = load(config).database
        with store.sole_use(database):
            store.migrate(database)
    click.echo(f"{title(database)} is up to date.")


def _file(_context: click.Context, _argument: click.Parameter, given: str) -> Path:
    """A file's path. URLs are not repeated, because they may contain a password."""
    if is_url(given):
        raise click.BadParameter("expected a file path, not a URL.")
    return Path(given)


def _no_more(context: click.Context, wanted: str) -> None:
    """Click's own error would quote the argument, which may be a URL with a password."""
    if context.args:
        raise click.UsageError(f"Too many arguments. Expected {wanted}.")


@click.command("backup", context_settings={"allow_extra_args": True})
@click.argument("target", callback=_file)
@click.pass_context
def backup(context: click.Context, target: Path) -> None:
    """Copy the database to TARGET and verify the copy. The bot may be running."""
    _no_more(context, "TARGET")
    with clear_failures():
        store.backup(load(context.obj).database, target)
    click.echo(f"Copied to {target}.")


def _database(_context: click.Context, _argument: click.Parameter, given: str) -> Address:
    """A database as in the configuration. The error does not repeat the argument."""
    try:
        found: Address = TypeAdapter(Database).validate_python(given)
    except ValidationError:
        raise click.BadParameter(A_DATABASE) from None
    return found


@click.command(context_settings={"allow_extra_args": True})
@click.argument("source", metavar="BACKUP", callback=_file)
@click.pass_context
def restore(context: click.Context, source: Path) -> None:
    """Replace the database with BACKUP and keep the old one. Stop the bot first."""
    _no_more(context, "BACKUP")
    with clear_failures():
        database = load(context.obj).database
        kept = store.restore(source, database)
    click.echo(f"Restored {title(database)} from {source}.")
    if kept is not None:
        click.echo(
            f"The old database is kept as {kept}. Accounts deleted from now on remain in it: "
            "delete it when you no longer need it."
        )


@click.command("copy", context_settings={"allow_extra_args": True})
@click.argument("source", callback=_database)
@click.argument("target", callback=_database)
@click.option(
    "--trial", is_flag=True, help="Only try it. SOURCE may be in use and is not marked as moved."
)
@click.pass_context
def copy(context: click.Context, source: Address, target: Address, trial: bool) -> None:  # noqa: FBT001 - a flag
    """Copy the database SOURCE to TARGET and mark SOURCE as moved.

    Both are paths or postgresql:// URLs. TARGET must not exist. SOURCE is kept, but commands and
    the bot refuse it and name the new database. Undo that with azumaya stay. Stop the bot first.

    Leave passwords out of URLs, or other users may see them in the list of processes. Use
    PGPASSWORD or ~/.pgpass instead.
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
                    "Later changes will not be in the copy"
                    if trial
                    else "Do not start the bot until this is done"
                )
                click.echo(f"Copying {title(source)}. {means}.", err=True)
                hidden = not sys.stderr.isatty()
                bar = click.progressbar(length=total, file=sys.stderr, hidden=hidden)
                shown.enter_context(bar)
            bar.update(done - bar.pos)

        copying = moving.copy(source, target, show, is_moving=not trial)
        copied = asyncio.run(_until_told_to_stop(copying))
    if copied.why_unmarked:
        why = copied.why_unmarked
        click.echo(f"SOURCE was not marked as moved: {why}. Do not start a bot on it.", err=True)
    for row in copied.changed:
        click.echo(f"{row}: NUL removed from a text, PostgreSQL cannot store it.", err=True)
    for match, why in copied.unreadable.items():
        click.echo(f"Game {match} cannot be replayed in either database: {why}.", err=True)
    click.echo(
        f"Copied {title(source)} to {title(target)}: {sum(copied.rows.values())} rows (users: "
        f"{copied.rows['users']}, games: {copied.rows['matches']}), all verified. Active "
        f"games replayed: {copied.running - len(copied.unreadable)} of {copied.running}."
    )
    if trial:
        return
    if isinstance(target, Path):
        # Quoted as in TOML.
        path = json.dumps(str(target.absolute()), ensure_ascii=False)
        click.echo(f"To use the copy, set: database = {path}")
    else:
        click.echo("To use the copy, set AZUMAYA_DATABASE to its URL.")


@contextmanager
def _closed(source: Address) -> Iterator[None]:
    """Keep the bot from starting on a file during the block. Raises `StoreError`."""
    with ExitStack() as held:
        try:
            held.enter_context(store.sole_use(source))
        except StoreError as error:
            raise StoreError(f"{error}. Stop it, or use --trial") from error
        yield


@click.command()
@click.pass_obj
def stay(config: Path | None) -> None:
    """Use the database again after copy has moved it."""
    with clear_failures():
        database = load(config).database
        if not store.exists(database):
            raise StoreError(f"{title(database)}: there is no such database")
        store.note_move(database, None)
    click.echo(f"{title(database)} is not marked as moved. Do not run a bot on a copy of it.")


@click.command()
@click.pass_obj
def restored(config: Path | None) -> None:
    """Record a restore by other means, for example pg_restore.

    Stop the bot first. Buttons sent after the backup stop working.
    """
    with clear_failures():
        database = load(config).database
        if not store.exists(database):
            raise StoreError(f"{title(database)}: there is no such database")
        # Refuse a database that the bot cannot use.
        with store.sole_use(database):
            store.migrate(database)
            store.note_restored(database)
    click.echo(
        f"{title(database)} is recorded as restored. The next start skips ids that were in use "
        "after the backup, and updates all boards."
    )


async def _until_told_to_stop(doing: Coroutine[Any, Any, T]) -> T:
    """Cancel on SIGTERM, SIGHUP and SIGINT, even if SIGINT is ignored."""
    task, loop = asyncio.ensure_future(doing), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise click.Abort from None
