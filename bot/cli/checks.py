"""Commands that check the configuration and, from outside, the installation.

Nothing is changed, and the bot may be running. Secrets are checked but never printed.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from http.client import HTTPConnection, HTTPException
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import click
from pydantic import SecretStr

import renderers
from bot.cli.base import FRONTS
from bot.engines.seen import numba_seen
from bot.fronts.http import is_loopback
from bot.store import Address, title
from bot.store.database.inspection import Inspection, inspect
from bot.store.schema import REVISION
from bot.support import logs
from bot.support.errors import StoreError
from bot.support.platforms import DISCORD
from bot.support.settings import ChatSettings, Settings, SettingsError, load, source, variables_from
from renderers.png import IS_FAST

_LITTLE = 64 << 20
"""Bytes. Less free disk space is reported."""
_PORT_SECONDS, _MOST_READ = 2.0, 1024


class Level(Enum):
    """Severity of a finding, and its sign."""

    FINE = "✓"
    NOTE = "·"
    WRONG = "✗"


_Finding = tuple[Level, str]
"""One or two sentences about one thing."""
_Findings = Iterator[_Finding]


@click.command("check-config")
@click.pass_obj
def check_config(config: Path | None) -> None:
    """Check the configuration."""
    load(config)
    click.echo("The configuration is valid.")


@click.command()
@click.option("--ask", is_flag=True, help="Ask Discord and Telegram whether the tokens are valid.")
@click.pass_context
def doctor(context: click.Context, ask: bool) -> None:  # noqa: FBT001 - a flag
    """Check configuration, database, port, extras, fonts and tokens. Exit code 1 on problems."""
    is_wrong = False
    for level, text in _examined(context.obj, asked=_ASKED if ask else {}):
        click.echo(f"{level.value} {text}")
        is_wrong |= level is Level.WRONG
    context.exit(int(is_wrong))


_ASKED = {front.name: front.ask for front in FRONTS if front.ask}
"""Checks of tokens by platform. They return the bot's name or raise the reason."""


def _examined(config: Path | None, *, asked: Mapping[str, Callable[[Settings], str]]) -> _Findings:
    try:
        settings = load(config)
    except SettingsError as error:
        for problem in error.problems:
            yield _wrong(problem)
        yield _note("Nothing else was checked. Fix the configuration first.")
        return
    for secret in _secrets(settings):
        logs.register_secret(secret)
    for what, findings in {
        "the configuration": _configuration(settings, source(config)),
        "the database": _database(settings.database),
        "the port": _port(settings),
        "the extras": _extras(settings),
        "the fonts": _fonts(),
        "the tokens": _tokens(settings),
        "the platforms": _platforms(settings, asked),
    }.items():
        try:
            for level, text in findings:
                yield level, logs.without_secrets(text)
        except Exception as error:  # noqa: BLE001 - the other checks must still run
            yield _wrong(f"The check of {what} failed with {type(error).__name__}.")


def _fine(text: str) -> _Finding:
    return Level.FINE, text


def _note(text: str) -> _Finding:
    return Level.NOTE, text


def _wrong(text: str) -> _Finding:
    return Level.WRONG, text


def _secrets(settings: Settings) -> list[str]:
    held = [value for section in settings.sections.values() for _, value in section]
    # A server's URL contains a password.
    held += [settings.database]
    return [one.get_secret_value() for one in held if isinstance(one, SecretStr) and one]


def _configuration(settings: Settings, file: Path | None) -> _Findings:
    if file is None:
        yield _fine("No configuration file: defaults and environment variables are used.")
    else:
        yield _fine(f"The configuration in {file} is valid.")
        text, mode = file.read_text(encoding="utf-8-sig"), file.stat().st_mode & 0o777
        if mode & 0o077 and any(secret in text for secret in _secrets(settings)):
            yield _wrong(
                f"{file} contains a secret, and other users can access it (mode {mode:04o}): "
                f"chmod 600 {file}"
            )
    if variables := variables_from():
        yield _fine(f"Variables are read from {variables}.")
        # The bot may share a group with the file: it knows the content anyway.
        if (mode := variables.stat().st_mode & 0o777) & 0o007:
            yield _wrong(
                f"Other users can access {variables} (mode {mode:04o}): chmod o= {variables}"
            )
    if settings.served:
        yield _fine(f"This process serves {_listed(settings)}.")
    else:
        yield _wrong("The web app is disabled and no token is set: no one can play.")
    computer = settings.computer
    if computer.enabled and not computer.workers and isinstance(settings.database, Path):
        yield _wrong(
            "No engine is running (computer.workers is 0): there are no computer opponents, "
            "hints or analyses. Set computer.workers to 1. If this is intended, set "
            "computer.enabled to false."
        )
    if settings.web.enabled and not is_loopback(settings.web.host) and not settings.web.origins:
        yield _note(
            f"The web app listens on {settings.web.host} without TLS and is open to anyone who can "
            "reach it. Put a proxy in front of it (see SECURITY.md)."
        )


def _port(settings: Settings) -> _Findings:
    web = settings.web
    if not web.enabled or not web.port:
        return
    host = "127.0.0.1" if web.host == "0.0.0.0" else "::1" if web.host == "::" else web.host  # noqa: S104 - not bound
    connection = HTTPConnection(host, web.port, timeout=_PORT_SECONDS)
    try:
        connection.request("GET", "/healthz")
        is_ours = json.loads(connection.getresponse().read(_MOST_READ)) == {"alive": True}
    except ConnectionRefusedError:
        yield _fine(f"Port {web.port} is free for the web app.")
        return
    except (OSError, HTTPException, ValueError):
        is_ours = False
    finally:
        connection.close()
    if is_ours:
        yield _fine(f"Azumaya is running and answers on port {web.port}.")
    else:
        yield _wrong(f"Another program uses port {web.port}. Stop it, or set another web.port.")


def _listed(settings: Settings) -> str:
    count, ids = settings.discord.shard_count, settings.discord.shard_ids
    part = f" (shards {', '.join(map(str, ids))} of {count})" if count and ids else ""
    return ", ".join(f"{name}{part if name == DISCORD.name else ''}" for name in settings.served)


def _database(database: Address) -> _Findings:
    try:
        if isinstance(database, Path):
            yield from _file(database, inspect(database))
        elif find_spec("asyncpg"):
            from bot.store.database import postgres_server  # noqa: PLC0415 - an optional dependency

            yield _server(title(database), postgres_server.look(database))
        else:
            yield _wrong(
                "The extra postgres is not installed, but the database is on a server. "
                f"To install it: {_installing('postgres')}."
            )
    except StoreError as error:
        # Name the database once: a file by its path, a server by its title, never by its URL.
        named = f"The database {database}" if isinstance(database, Path) else "The database"
        yield _wrong(f"{named} cannot be used: {str(error).removeprefix(f'{database}: ')}.")


def _server(name: str, revision: str | None) -> _Finding:
    if revision is None:
        return _note(f"The database {name} is empty. The first start creates its tables.")
    if revision == REVISION:
        return _fine(f"The database {name} is reachable and up to date (revision {revision}).")
    return _note(
        f"The database {name} has an older schema (revision {revision}). "
        "Make a backup: the next start upgrades it."
    )


def _file(path: Path, found: Inspection) -> _Findings:
    if found.revision is None:
        yield _note(f"There is no database {path} yet. The first start creates it.")
    elif found.is_current:
        yield _fine(f"The database {path} is intact and up to date (revision {found.revision}).")
    else:
        yield _note(
            f"The database {path} is intact and has an older schema (revision {found.revision}). "
            "Make a backup: the next start upgrades it."
        )
    for file, mode in found.loose:
        yield _wrong(
            f"Other users of this machine can access {file} (mode {mode}), which contains private "
            f"data: chmod 600 {file}"
        )
    size, free = _amount(found.size), _amount(found.free)
    if found.free < _LITTLE:
        yield _wrong(f"The disk of {path} is almost full: {free} free.")
    elif found.free < 2 * found.size:
        yield _note(f"The disk of {path} has little space: the file takes {size}, {free} free.")
    else:
        yield _fine(f"The disk of {path} has enough space: the file takes {size}, {free} free.")


def _amount(size: int) -> str:
    return f"{size / 2**30:,.1f} GiB" if size > 2**30 else f"{size / 2**20:,.1f} MiB"


def _fonts() -> _Findings:
    if fonts := renderers.missing():
        yield _wrong(f"Fonts are missing: {', '.join(map(str, fonts))}. Reinstall Azumaya.")
    else:
        yield _fine("The fonts are there.")


def _tokens(settings: Settings) -> _Findings:
    for name, section in settings.sections.items():
        if not isinstance(section, ChatSettings):
            continue
        title = name.capitalize()
        if section.missing:
            yield _note(f"No {title} token is set ({name}.token): the bot is not on {title}.")
        else:
            yield _fine(f"The {title} token is well-formed.")


def _platforms(settings: Settings, asked: Mapping[str, Callable[[Settings], str]]) -> _Findings:
    for platform in (name for name in asked if name in settings.served):
        title = platform.capitalize()
        try:
            name = asked[platform](settings)
        except Exception as error:  # noqa: BLE001 - the message is for the operator
            yield _wrong(f"{title} rejected the token or could not be reached: {error}.")
        else:
            yield _fine(f"{title} accepts the token of {name}.")


def _extras(settings: Settings) -> _Findings:
    if IS_FAST:
        yield _fine("Pictures are compressed with ISA-L.")
    else:
        yield _note(
            "Pictures are compressed with zlib, which takes ten times as long as ISA-L. "
            f"To install it: {_installing('fast')}."
        )
    if not settings.computer.enabled or not settings.computer.workers:
        return
    is_there, trouble = numba_seen()
    if trouble:
        pip = Path(sys.prefix) / "bin" / "pip"
        yield _wrong(
            f"numba is installed but does not work ({trouble}), so the higher levels of the "
            f"computer are weaker. To repair it: in a clone, {pip} install "
            f"-c constraints/run.txt --force-reinstall numba. To remove it: {pip} uninstall numba."
        )
    elif not is_there:
        yield _note(
            "The computer opponents search without numba, so their higher levels are weaker. "
            f"To install it: {_installing('fast')}."
        )
    else:
        yield _fine("The computer opponents search with numba.")


def _installing(extra: str) -> str:
    """How to install an extra into this environment, with tested versions."""
    pip = Path(sys.prefix) / "bin" / "pip"
    # Keep a clone editable, or `git pull` would stop having an effect.
    flag = "-e " if _is_editable() else ""
    return f"in a clone, {pip} install -c constraints/run.txt {flag}'.[{extra}]'"


def _is_editable() -> bool:
    said = json.loads(distribution("azumaya").read_text("direct_url.json") or "{}")
    return bool(said.get("dir_info", {}).get("editable"))
