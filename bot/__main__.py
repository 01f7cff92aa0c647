"""The command line, and the one place that knows all parts of the house.

``azumaya run`` opens the database, starts the fronts, delivery and upkeep in one task group, and
ends in good order on SIGTERM or Ctrl-C: no new commands, what is under way is finished, then
the connections and the database are closed.
"""

import signal

# Ctrl-C while all that follows is being imported just ends us, without a traceback.
_is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _is_ours:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# isort: split

import asyncio
import gc
import json
import logging
import os
import re
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import parse_qs, urlsplit

import click
from pydantic import TypeAdapter, ValidationError
from structlog import get_logger

import renderers
from bot import descriptors, hosting, logs, memory
from bot.analyst import Analyst
from bot.app import App
from bot.commands import Commands
from bot.computers import Computers
from bot.delivery import Reconciler
from bot.doctor import Level, examine
from bot.errors import StoreError
from bot.fronts.metrics_server import MetricsServer
from bot.fronts.web import Web
from bot.hosting import HostError
from bot.logs import store_failed
from bot.names import readable
from bot.platforms import DISCORD, TELEGRAM, WEB
from bot.settings import (
    A_DATABASE,
    Database,
    FrontName,
    LogFormat,
    PlaceName,
    Settings,
    SettingsError,
    load,
)
from bot.shards import ShardsTakenError
from bot.store import Address, Store, backup, exists, loose, migrate, sole_use, title
from bot.texts import load as load_texts
from bot.upkeep import Upkeep
from bot.watch import Watch
from games.moyo_puzzles import stock

if TYPE_CHECKING:
    from bot.fronts.discord import Discord
    from bot.fronts.telegram import Telegram

if _is_ours:
    signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main", "running"]

_log = get_logger(__name__)

T = TypeVar("T")

_LONGEST_WORD = 1000
"""Characters of what the host has to say."""


@contextmanager
def _clear_failures() -> Iterator[None]:
    """What the host can mend is told in a line, without a traceback."""
    try:
        yield
    except SettingsError as error:
        raise click.ClickException("\n".join(error.problems)) from error
    except (HostError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        # Such as a name that is too long for any file.
        if error.filename is None:
            raise
        raise click.ClickException(f"{error.filename}: {_reason(error)}") from error


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="The configuration file; config.toml here, if there is one.",
)
@click.pass_context
def main(context: click.Context, config: Path | None) -> None:
    """Azumaya, the board-game house for chat."""
    context.obj = config


@main.command()
@click.option(
    "--log-format",
    type=click.Choice(get_args(LogFormat)),
    help="How to write the log, whatever log.format says.",
)
@click.option(
    "--fronts",
    metavar="NAMES",
    callback=lambda *given: _fronts_in(given[-1]),
    help="Serve these alone, such as web,telegram, whatever the settings say.",
)
@click.option(
    "--shards",
    metavar="NUMBERS",
    callback=lambda *given: _shards_in(given[-1]),
    help="Serve these shards of Discord, such as 0-3 or 0,2.",
)
@click.option(
    "--shard-count",
    type=click.IntRange(1, 10_000),
    help="Of so many shards in all.",
)
@click.pass_obj
def run(
    config: Path | None,
    log_format: LogFormat | None,
    fronts: tuple[FrontName, ...] | None,
    shards: tuple[int, ...] | None,
    shard_count: int | None,
) -> None:
    """Start the bot; Ctrl-C or SIGTERM stops it."""
    with _clear_failures():
        settings = _divided(load(config), fronts=fronts, shards=shards, shard_count=shard_count)
        log = settings.log.model_copy(update={"format": log_format}) if log_format else settings.log
        logs.configure(log)
        memory.keep_little()
        descriptors.raise_limit()
        try:
            asyncio.run(_run(settings))
        except (HostError, StoreError) as error:
            if log.format != "json":
                raise
            # Whatever reads the log reads nothing else.
            _log.critical("cannot open", reason=str(error))
            sys.exit(1)


def _fronts_in(text: str | None) -> tuple[FrontName, ...] | None:
    """What ``--fronts`` names."""
    if text is None:
        return None
    known, found = get_args(FrontName), [name.strip() for name in text.split(",")]
    for name in found:
        if name not in known:
            raise click.ClickException(
                f"--fronts: {name!r} is no front; there are {', '.join(known)}"
            )
    return tuple(front for front in known if front in found)


_RANGE = re.compile(r"\s*([0-9]{1,4})(?:-([0-9]{1,4}))?\s*")


def _shards_in(text: str | None) -> tuple[int, ...] | None:
    """What ``--shards`` names."""
    if text is None:
        return None
    found = set[int]()
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not numbers:
            raise click.ClickException(f"--shards: {part!r} names no shards; 0-3 does, or 0,2")
        found.update(numbers)
    return tuple(sorted(found))


def _divided(
    settings: Settings,
    *,
    fronts: tuple[FrontName, ...] | None,
    shards: tuple[int, ...] | None,
    shard_count: int | None,
) -> Settings:
    """The settings with what the command line says of who does what. Raises `SettingsError`."""
    discord: dict[str, object] = {}
    if shard_count is not None:
        discord["shard_count"] = shard_count
    if shards is not None:
        discord["shard_ids"] = shards
    given: dict[str, object] = {} if fronts is None else {"fronts": fronts}
    if discord:
        given["discord"] = settings.discord.model_copy(update=discord)
    divided = settings.model_copy(update=given)
    if problems := list(divided.contradictions()):
        raise SettingsError(*problems)
    return divided


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_failed)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    house = asyncio.create_task(_open_until(stop, settings, is_open := asyncio.Event()))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([house, stopping], return_when=asyncio.FIRST_COMPLETED)
    if not is_open.is_set():
        # It waits for something, a database perhaps, that may never come.
        house.cancel()
    stopping.cancel()
    with suppress(asyncio.CancelledError):
        await house
    _log.info("closed")


async def _open_until(stop: asyncio.Event, settings: Settings, is_open: asyncio.Event) -> None:
    async with running(settings) as web:
        is_open.set()
        if web is not None:
            with suppress(OSError):
                click.echo(f"Azumaya is open: {web.url}")
        await asyncio.to_thread(load_texts)
        await asyncio.to_thread(renderers.load)
        _keep_what_is_loaded()
        await stop.wait()
        _log.info("closing")


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Web | None]:
    """The whole house, open while the block runs. Raises `StoreError`, or `HostError`."""
    async with AsyncExitStack() as parts:
        parts.enter_context(sole_use(settings.database))
        app = await App.open(settings)
        parts.callback(_end_at_once_if_left_open, app)
        parts.push_async_callback(app.close)
        if mode := loose(settings.database):
            # Perhaps on purpose: somebody else's backups. So it is said, and left as it is.
            _log.warning("others can use the database", mode=mode, better="chmod 600")
        _log.info("serves", fronts=", ".join(settings.served) or "nothing")
        await _divide(app, parts)
        upkeep = Upkeep(app)
        await upkeep.begin()
        commands = Commands(app)
        web = Web(app, commands) if WEB.name in settings.served else None
        fronts = {front.platform: front for front in _fronts(app, commands, web)}
        app.health.not_yet = "the house is opening"
        if settings.metrics.address:
            await _tell_figures(app, parts)
        for front in fronts.values():
            await _open(front, settings)
            parts.push_async_callback(front.stop)
        async with asyncio.TaskGroup() as tasks:
            under_way = [
                tasks.create_task(Reconciler(app, fronts).run()),
                tasks.create_task(upkeep.run()),
                tasks.create_task(Watch(app).run()),
                tasks.create_task(Computers(app).run()),
                tasks.create_task(Analyst(app).run()),
                tasks.create_task(app.shards.run()),
            ]
            app.health.not_yet = ""
            yield web
            app.health.not_yet = "the house is closing"
            for task in under_way:
                task.cancel()


async def _divide(app: App, parts: AsyncExitStack) -> None:
    """Take what this process alone speaks for, until `parts` are closed. Raises `HostError`."""
    try:
        await app.shards.begin(app.settings.shards, at_once=[DISCORD.name])
    except ShardsTakenError as error:
        raise HostError(
            f"another process on this database serves {error}; --shards or --fronts divide them"
        ) from None
    except TimeoutError as error:
        raise StoreError(f"{title(app.settings.database)}: it does not answer") from error
    parts.push_async_callback(_leave_to_others, app)


async def _leave_to_others(app: App) -> None:
    try:
        await app.shards.end()
    except StoreError as error:
        # Then they notice it by themselves.
        store_failed(_log, "shards not released", error)


async def _open(front: "Web | Discord | Telegram", settings: Settings) -> None:
    """Start a front. Raises `HostError` for a port that it cannot have."""
    try:
        await front.start()
    except OSError as error:
        web, telegram = settings.web, settings.telegram
        what, host, port = (
            ("the web table", web.host, web.port)
            if front.platform == WEB.name
            else ("Telegram's webhook", telegram.webhook_host, telegram.webhook_port)
        )
        raise HostError(f"{what} cannot use {host}:{port}: {_reason(error)}") from error


async def _tell_figures(app: App, parts: AsyncExitStack) -> None:
    """Tell Prometheus of the house, until `parts` are closed. Raises `HostError`."""
    server = MetricsServer(app)
    try:
        await server.start()
    except OSError as error:
        where, reason = app.settings.metrics.address, _reason(error)
        raise HostError(f"the metrics cannot use {where}: {reason}") from error
    parts.push_async_callback(server.stop)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _end_at_once_if_left_open(app: App) -> None:
    """Let SQLite not touch a database again that it would damage (`Store.close`)."""
    if app.store.is_left_open:
        _log.info("closed")
        logging.shutdown()
        os._exit(0)


def _keep_what_is_loaded() -> None:
    """Tell the garbage collector that what is here now stays.

    The code of all that we import is most of what there is, and to look through it took 80 ms
    in which nobody was answered, every few seconds.
    """
    gc.collect()
    gc.freeze()


def _fronts(app: App, commands: Commands, web: Web | None) -> "Iterator[Web | Discord | Telegram]":
    """The fronts that this process serves."""
    if web:
        yield web
    # These are heavy, and most houses need but one of them.
    if DISCORD.name in app.settings.served:
        from bot.fronts.discord import Discord  # noqa: PLC0415

        yield Discord(app, commands)
    if TELEGRAM.name in app.settings.served:
        from bot.fronts.telegram import Telegram  # noqa: PLC0415

        yield Telegram(app, commands)


@main.group()
def telegram() -> None:
    """The bot on Telegram."""


@telegram.command()
@click.pass_obj
def setup(config: Path | None) -> None:
    """Check the token, and tell Telegram the commands, what the bot is and what it looks like."""
    with _clear_failures():
        settings = load(config)
    if TELEGRAM.name not in settings.chats:
        raise click.ClickException("telegram.token is not set; BotFather gives you one")
    from bot.fronts.telegram import SetupError, set_up  # noqa: PLC0415 - see _fronts

    try:
        name = asyncio.run(set_up(settings.telegram))
    except SetupError as error:
        raise click.ClickException(f"Telegram: {error}") from None
    click.echo(f"The bot is ready: https://t.me/{name}")


@main.command("check-config")
@click.pass_obj
def check_config(config: Path | None) -> None:
    """Say what is wrong with the configuration, or that nothing is."""
    with _clear_failures():
        load(config)
    click.echo("The configuration is fine.")


@main.command()
@click.option("--ask", is_flag=True, help="Ask Discord and Telegram what they think of the tokens.")
@click.pass_context
def doctor(context: click.Context, ask: bool) -> None:  # noqa: FBT001 - click's way of flags
    """Look whether all is as it has to be, and say so; exit code 1 where something is wrong."""
    signs = {Level.FINE: "✓", Level.NOTE: "·", Level.WRONG: "✗"}
    is_wrong = False
    for finding in examine(context.obj, asked=_ASKED if ask else {}):
        click.echo(f"{signs[finding.level]} {finding.text}")
        is_wrong |= finding.level is Level.WRONG
    context.exit(int(is_wrong))


def _ask_discord(settings: Settings) -> str:
    from bot.fronts.discord import invitation  # noqa: PLC0415 - see _fronts

    server, _ = asyncio.run(invitation(settings.discord))
    return f"the application {parse_qs(urlsplit(server).query)['client_id'][0]}"


def _ask_telegram(settings: Settings) -> str:
    from bot.fronts.telegram import user_name  # noqa: PLC0415 - see _fronts

    return f"@{asyncio.run(user_name(settings.telegram))}"


_ASKED: dict[str, Callable[[Settings], str]] = {"Discord": _ask_discord, "Telegram": _ask_telegram}


@main.command("migrate")
@click.pass_obj
def migrate_command(config: Path | None) -> None:
    """Bring the database to this version's schema (run does it, too)."""
    with _clear_failures():
        database = load(config).database
        migrate(database)
    click.echo(f"{title(database)} is up to date.")


@main.command("backup")
@click.argument("target", type=click.Path(path_type=Path))
@click.pass_obj
def backup_command(config: Path | None, target: Path) -> None:
    """Copy the database to TARGET, also while the bot runs."""
    with _clear_failures():
        backup(load(config).database, target)
    click.echo(f"Copied to {target}.")


def _database(_context: click.Context, _argument: click.Parameter, given: str) -> Address:
    """A database as the configuration would take it; what was given is told to nobody."""
    try:
        found: Address = TypeAdapter(Database).validate_python(given)
    except ValidationError:
        raise click.BadParameter(A_DATABASE) from None
    return found


@main.command("copy", context_settings={"allow_extra_args": True})
@click.argument("source", callback=_database)
@click.argument("target", callback=_database)
@click.pass_context
def copy_command(context: click.Context, source: Address, target: Address) -> None:
    """Copy the database SOURCE to TARGET, where there must be none: paths or postgresql:// URLs.

    Passwords can be left out of URLs: PGPASSWORD and ~/.pgpass are asked, and others cannot see
    them in the list of processes.
    """
    if context.args:
        # Not click's own words, which quote what is too much: it may be a URL with a password.
        raise click.UsageError("There are more arguments than SOURCE and TARGET.")
    with _clear_failures(), ExitStack() as shown:
        bar: Any = None

        def show(done: int, total: int) -> None:
            nonlocal bar
            if bar is None:
                click.echo(
                    f"Copying {title(source)} as it is now; what is played there from now on is "
                    "not in the copy.",
                    err=True,
                )
                # A log has no use for it.
                hidden = not sys.stderr.isatty()
                bar = click.progressbar(length=total, file=sys.stderr, hidden=hidden)
                shown.enter_context(bar)
            bar.update(done - bar.pos)

        copied = asyncio.run(_until_told_to_stop(hosting.copy(source, target, show)))
    for row in copied.changed:
        click.echo(f"{row}: a NUL was left out of a text; PostgreSQL has none.", err=True)
    for match, why in copied.unreadable.items():
        click.echo(f"Match {match} cannot be replayed, here as there: {why}.", err=True)
    click.echo(
        f"Copied {title(source)} to {title(target)}: {sum(copied.rows.values())} rows (people: "
        f"{copied.rows['users']}, matches: {copied.rows['matches']}). All are there; running "
        f"matches replayed: {copied.running - len(copied.unreadable)} of {copied.running}."
    )
    if isinstance(target, Path):
        # Written as TOML has it, whatever is in the name.
        path = json.dumps(str(target.absolute()), ensure_ascii=False)
        click.echo(f"To play on there, stop the house for good and set: database = {path}")
    else:
        click.echo("To play on there, stop the house for good and set AZUMAYA_DATABASE to its URL.")


async def _until_told_to_stop(doing: Coroutine[Any, Any, T]) -> T:
    """Do it, and take it back where the process is told to end, also where Ctrl-C is not heeded."""
    task, loop = asyncio.ensure_future(doing), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise click.Abort from None


@main.command()
@click.argument("count", type=click.IntRange(1, 10_000), default=10)
@click.option("--seed", default=None, help="The same seed gives the same puzzles.")
def puzzles(count: int, seed: str | None) -> None:
    """Make COUNT Sudoku Moyo puzzles, a line each: symmetric, with one solution."""
    made = stock(seed or secrets.token_hex(8), count)
    with click.progressbar(made, length=count, label="Puzzles", file=sys.stderr) as bar:
        for puzzle in bar:
            click.echo(puzzle)


_USER = click.argument(
    "user",
    metavar="USER",
    # A terminal may give bytes that are no text, and nobody is called so.
    callback=lambda *given: given[-1].encode(errors="replace").decode(),
)


@main.command()
@_USER
@click.pass_obj
def export(config: Path | None, user: str) -> None:
    """Print everything stored about USER (a number, or web:name) as JSON."""
    with _clear_failures():
        found = _in_store(load(config), lambda store: hosting.export(store, user))
    json.dump(found, sys.stdout, indent=2, ensure_ascii=False)
    click.echo()


@main.command()
@_USER
@click.confirmation_option(prompt="This cannot be undone. Forget this person?")
@click.pass_obj
def forget(config: Path | None, user: str) -> None:
    """Erase USER (a number, or web:name). Opponents win what is on, and keep their records."""
    with _clear_failures():
        number = _in_store(load(config), lambda store: hosting.forget(store, user))
    click.echo(f"Forgot {number}.")


_PLACE = click.argument("place", metavar="PLACE", callback=lambda *given: _named(given[-1]))


def _named(place: str) -> str:
    """The name of a place, as the configuration would take it."""
    try:
        return TypeAdapter(PlaceName).validate_python(place)
    except ValidationError:
        hint = "such as discord:81384788765712384, telegram:-1001234567890 or web:lounge"
        raise click.BadParameter(f"{place!r} is no place; it is called {hint}") from None


@main.group("ratings")
def ratings_group() -> None:
    """What has to do with how strong people are."""


@ratings_group.command()
@click.pass_obj
def rebuild(config: Path | None) -> None:
    """Make all ratings anew of the matches that counted; the numbers are the same ones again."""
    with _clear_failures():
        count = _in_store(load(config), hosting.rebuild_ratings)
    click.echo(f"Made the ratings anew: {count} rated matches.")


@main.command("places")
@click.pass_obj
def places_command(config: Path | None) -> None:
    """List all places: their names, how many matches are running there, who is shut out."""
    with _clear_failures():
        settings = load(config)
        found = _in_store(settings, lambda store: hosting.listed(store, settings.house))
    for place, running, is_out in found:
        state = "  shut out" if is_out else ""
        click.echo(
            f"{place.platform}:{place.external}  {readable(place.title)}  {running} running{state}"
        )


@main.command("shut-out")
@_PLACE
@click.pass_obj
def shut_out(config: Path | None, place: str) -> None:
    """Be in PLACE (a channel, or a whole server or group) no more; its matches go on elsewhere."""
    with _clear_failures():
        _in_store(load(config), lambda store: hosting.shut_out(store, place))
    click.echo(f"{place} is shut out.")


@main.command("let-in")
@_PLACE
@click.pass_obj
def let_in(config: Path | None, place: str) -> None:
    """Be in PLACE again, whatever the configuration says."""
    with _clear_failures():
        _in_store(load(config), lambda store: hosting.let_in(store, place))
    click.echo(f"{place} is let in.")


@main.command()
@_PLACE
@click.argument("setting", default="")
@click.argument("value", default="")
@click.pass_obj
def here(config: Path | None, place: str, setting: str, value: str) -> None:
    """Print the settings of PLACE, or set one of them: for rooms that nobody else manages."""
    with _clear_failures():
        found = _in_store(
            load(config), lambda store: hosting.set_here(store, place, setting, value)
        )
    for key, now in found.items():
        click.echo(f"{key} {now}")


@main.command()
@click.argument("match", type=click.IntRange(1, 2**53))
@click.confirmation_option(prompt="Close this match without a result?")
@click.pass_obj
def close(config: Path | None, match: int) -> None:
    """Close MATCH (its number) without a result; both players are told."""
    with _clear_failures():
        _in_store(load(config), lambda store: hosting.close_match(store, match))
    click.echo(f"Closed {match}.")


@main.command()
@click.argument("text")
@click.option("--hours", type=click.IntRange(1, hosting.MOST_HOURS), default=24, show_default=True)
@click.pass_obj
def say(config: Path | None, text: str, hours: int) -> None:
    """Say TEXT in every place with running matches, once; later than in so many HOURS nowhere."""
    said = readable(text)
    if not said or len(said) > _LONGEST_WORD:
        raise click.BadParameter(f"1 to {_LONGEST_WORD} characters", param_hint="TEXT")
    with _clear_failures():
        count = _in_store(load(config), lambda store: hosting.say(store, said, hours=hours))
    click.echo(f"Goes to {count} places." if count != 1 else "Goes to 1 place.")


@main.group("discord")
def discord_group() -> None:
    """What Discord needs."""


@discord_group.command()
@click.pass_obj
def invite(config: Path | None) -> None:
    """Print the links by which Azumaya comes into a server, or to a person everywhere."""
    from bot.fronts.discord import InvitationError, invitation  # noqa: PLC0415 - see _fronts

    with _clear_failures():
        settings = load(config).discord
        try:
            server, person = asyncio.run(invitation(settings))
        except InvitationError as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"For a server:  {server}\nFor yourself:  {person}")


def _in_store(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """What `act` does with the database, beside a house that may be running."""

    async def done() -> T:
        if not exists(settings.database):
            raise StoreError(f"{title(settings.database)}: there is no such database")
        store = await Store.open(settings.database)
        try:
            return await act(store)
        finally:
            await store.close()

    return asyncio.run(done())


if __name__ == "__main__":
    main()
