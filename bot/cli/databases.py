"""Commands for the database: upgrade, back up, restore and copy."""

import json
from pathlib import Path

import click

from bot import store
from bot.store import Address, title
from bot.support import setting_types
from bot.support.settings import load


@click.command("migrate")
@click.pass_obj
def migrate(config: Path | None) -> None:
    """Upgrade the database schema. The bot does this when it starts, too."""
    database = load(config).database
    with store.single_instance_lock(database):
        store.migrate(database)
    click.echo(f"{title(database)} is up to date.")


def _file(_context: click.Context, _argument: click.Parameter, given: str) -> Path:
    """A file's path. URLs are not repeated, because they may contain a password."""
    if setting_types.is_url(given):
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
    store.backup(load(context.obj).database, target)
    click.echo(f"Copied to {target}.")


def _database(_context: click.Context, _argument: click.Parameter, given: str) -> Address:
    """A database as in the configuration. The error does not repeat the argument."""
    try:
        return setting_types.database(given)
    except ValueError:
        raise click.BadParameter(setting_types.A_DATABASE) from None


@click.command(context_settings={"allow_extra_args": True})
@click.argument("source", metavar="BACKUP", callback=_database)
@click.pass_context
def restore(context: click.Context, source: Address) -> None:
    """Replace the database with BACKUP and keep the old one. Stop the bot first.

    A database on PostgreSQL must be empty. BACKUP may be another one, filled by pg_restore.
    """
    _no_more(context, "BACKUP")
    database = load(context.obj).database
    kept = store.restore(source, database)
    click.echo(f"Restored {title(database)} from {title(source)}.")
    if kept is not None:
        click.echo(
            f"The old database is kept as {kept}. Accounts deleted from now on remain in it: "
            "delete it when you no longer need it."
        )


@click.command("copy", context_settings={"allow_extra_args": True})
@click.argument("source", callback=_database)
@click.argument("target", callback=_database)
@click.pass_context
def copy(context: click.Context, source: Address, target: Address) -> None:
    """Copy the database SOURCE to TARGET. Stop the bot first.

    Both are paths or postgresql:// URLs. TARGET must be empty. Never run a bot on both.

    Leave passwords out of URLs, or other users may see them in the list of processes. Use
    PGPASSWORD or ~/.pgpass instead.
    """
    _no_more(context, "SOURCE and TARGET")
    rows = store.copy(source, target)
    click.echo(
        f"Copied {title(source)} to {title(target)}: {sum(rows.values())} rows "
        f"(users: {rows['users']}, games: {rows['matches']})."
    )
    if isinstance(target, Path):
        # Quoted as in TOML.
        path = json.dumps(str(target.absolute()), ensure_ascii=False)
        click.echo(f"To use the copy, set: database = {path}")
    else:
        click.echo("To use the copy, set AZUMAYA_DATABASE to its URL.")


DATABASE_COMMANDS = migrate, backup, restore, copy
