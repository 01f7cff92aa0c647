"""``azumaya doctor``: check the installation from outside.

Nothing is changed, and the bot may be running. Secrets are checked but never printed.
"""

import json
import re
import sys
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from http.client import HTTPConnection, HTTPException
from importlib.metadata import (
    PackageNotFoundError,
    PackagePath,
    distribution,
    files,
    requires,
    version,
)
from ipaddress import ip_address
from pathlib import Path
from time import time
from typing import Any

from pydantic import SecretStr

import games
import renderers
from bot import descriptors, logs, texts
from bot.errors import StoreError
from bot.platforms import DISCORD
from bot.settings import Settings, SettingsError, load, source, variables_from
from bot.store.inspection import Inspection, OnServer, inspect, inspect_server
from bot.store.times import LEEWAY
from bot.thinking.seen import numba_seen
from bot.thinking.worker import why_nothing_is_kept
from renderers.thumbnail import thumbnail

__all__ = ["Finding", "Level", "examine"]

_LITTLE = 64 << 20
"""Bytes. Less free disk space is reported."""
_MAGIC = b"SQLite format 3\0"
_PORT_SECONDS, _MOST_READ = 2.0, 1024
_LATE = 300
"""Seconds between two times stored by the bot. A clock may lag by that much."""
_DISCORD = re.compile(r"([\w-]{18,40})\.[\w-]{5,10}\.[\w-]{25,60}")
"""Application id in base64, timestamp, signature."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?(?:>=([0-9.]+))?\s*(?:;\s*(.*))?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w.-]+)["']""")
_KEPT_BY_SYSTEMD = Path("/run/systemd/timesync/synchronized")
_EXTRA_OF_SERVERS = "postgres"
_EXTRA_OF_COMPUTERS = "fast"
_OWN_EXTRA = "dev"


class Level(Enum):
    """Severity of a finding."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One or two sentences about one thing."""

    level: Level
    text: str


_Findings = Iterator[Finding]
_Inspect = Callable[[], Inspection | OnServer | None]


def examine(config: Path | None, *, asked: dict[str, Callable[[Settings], str]]) -> _Findings:
    """Check everything and yield findings. Blocking.

    `asked` are checks of tokens by platform. They return the bot's name or raise the reason.
    """
    try:
        settings = load(config)
    except SettingsError as error:
        for problem in error.problems:
            yield _wrong(problem)
        yield _note("Nothing else was checked. Fix the configuration first.")
        return
    for secret in _secrets(settings):
        logs.register_secret(secret)
    inspected = cache(partial(_inspected, settings.database))
    for what, findings in {
        "the configuration": _configuration(settings, source(config)),
        "the database": _database(settings.database, inspected),
        "the port": _port(settings),
        "the extras": _extras(settings.database),
        "the computers": _computers(settings),
        "the pictures": _pictures(),
        "the tokens": _tokens(settings),
        "the platforms": _platforms(settings, asked),
        "the clock": _clock(inspected),
        "the packages": _packages(),
        "the system": _system(settings),
    }.items():
        for finding in _looked(what, findings):
            yield Finding(finding.level, logs.without_secrets(finding.text))


def _looked(what: str, findings: _Findings) -> _Findings:
    try:
        yield from findings
    except Exception as error:  # noqa: BLE001 - the other checks must still run
        yield _wrong(f"The check of {what} failed with {type(error).__name__}.")


def _fine(text: str) -> Finding:
    return Finding(Level.FINE, text)


def _note(text: str) -> Finding:
    return Finding(Level.NOTE, text)


def _wrong(text: str) -> Finding:
    return Finding(Level.WRONG, text)


def _secrets(settings: Settings) -> list[str]:
    telegram = settings.telegram
    held: list[Any] = [settings.discord.token, telegram.token, telegram.webhook_secret]
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
    if settings.web.enabled and not _is_loopback(settings.web.host) and not settings.web.origins:
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


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _inspected(database: Any) -> Inspection | OnServer | None:
    """Inspect the database. None if the extra for servers is missing. Raises `StoreError`."""
    if isinstance(database, Path):
        return inspect(database)
    return inspect_server(database) if _has_extra(_EXTRA_OF_SERVERS) else None


def _database(database: Any, inspected: _Inspect) -> _Findings:
    if isinstance(database, Path):
        yield from _halves(database)
    try:
        found = inspected()
    except StoreError as error:
        if isinstance(database, Path):
            yield _wrong(f"The database {database} cannot be used: {_after(database, str(error))}.")
        else:
            # Name the database by its title, never by its URL.
            yield _wrong(f"The database cannot be used: {error}.")
        return
    match found:
        case Inspection():
            yield from _file(database, found)
        case OnServer():
            yield _server(found)


def _server(found: OnServer) -> Finding:
    if found.revision is None:
        return _note(f"The database {found.title} is empty. The first start creates its tables.")
    if found.is_current:
        return _fine(
            f"The database {found.title} is reachable and up to date (revision {found.revision})."
        )
    return _note(
        f"The database {found.title} has an older schema (revision {found.revision}). "
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


def _halves(path: Path) -> _Findings:
    for half in sorted(path.resolve().parent.glob("*.part")):
        with suppress(OSError), half.open("rb") as file:
            if file.read(len(_MAGIC)) == _MAGIC:
                yield _note(
                    f"{half} ({_amount(half.stat().st_size)}) is left over from a backup, "
                    "restore or copy, unless one is running now. It contains private data. "
                    "Delete it or run the command again."
                )


def _after(path: Path, text: str) -> str:
    return text.removeprefix(f"{path}: ")


def _amount(size: int) -> str:
    return f"{size / 2**30:,.1f} GiB" if size > 2**30 else f"{size / 2**20:,.1f} MiB"


def _pictures() -> _Findings:
    if fonts := renderers.missing():
        yield _wrong(f"Fonts are missing: {', '.join(map(str, fonts))}. Reinstall Azumaya.")
        return
    failed = []
    for game_id in games.ids():
        try:
            thumbnail(game_id, theme="light", width=64)
        except Exception as error:  # noqa: BLE001 - any error means that the game cannot be drawn
            failed.append(f"{game_id} ({type(error).__name__})")
    try:
        renderers.load()
        texts.load()
    except Exception as error:  # noqa: BLE001 - as above
        failed.append(f"fonts and texts ({type(error).__name__})")
    if failed:
        yield _wrong(f"These cannot be drawn: {', '.join(failed)}.")
    else:
        spoken = ", ".join(texts.LANGUAGES.values())
        yield _fine(f"All {len(games.ids())} games can be drawn. Languages: {spoken}.")


def _tokens(settings: Settings) -> _Findings:
    token = settings.discord.token.get_secret_value()
    if not token:
        yield _note("No Discord token is set (discord.token): the bot is not on Discord.")
    elif _is_discord_token(token):
        yield _fine("The Discord token is well-formed.")
    else:
        yield _wrong(
            "discord.token is not a Discord bot token, which has three parts separated by dots. "
            "Copy it from the developer portal, under Bot. It is neither the public key nor the "
            "client secret."
        )
    if settings.telegram.token.get_secret_value():
        yield _fine("The Telegram token is well-formed.")
    else:
        yield _note("No Telegram token is set (telegram.token): the bot is not on Telegram.")


def _is_discord_token(token: str) -> bool:
    found = _DISCORD.fullmatch(token)
    if found is None:
        return False
    with suppress(ValueError):
        return urlsafe_b64decode(found[1] + "=" * (-len(found[1]) % 4)).isdigit()
    return False


def _platforms(settings: Settings, asked: dict[str, Callable[[Settings], str]]) -> _Findings:
    for platform, ask in asked.items():
        if platform.lower() not in settings.served:
            continue
        try:
            name = ask(settings)
        except Exception as error:  # noqa: BLE001 - the message is for the operator
            yield _wrong(f"{platform} rejected the token or could not be reached: {error}.")
        else:
            yield _fine(f"{platform} accepts the token of {name}.")


def _compared(found: OnServer) -> Finding:
    seconds = round(abs(found.ahead))
    if seconds <= LEEWAY:
        return _fine(f"The clock agrees with that of {found.title}.")
    which = "behind" if found.ahead > 0 else "ahead of"
    return _wrong(f"The clock is {seconds:,} seconds {which} that of {found.title}.")


def _clock(inspected: _Inspect) -> _Findings:
    """No clock but a database server's is asked."""
    now, last, found = time(), 0, None
    with suppress(StoreError):
        found = inspected()
    if isinstance(found, OnServer):
        yield _compared(found)
        return
    if found:
        last = max(found.noted or 0, found.changed or 0)
    if last > now + _LATE:
        minutes = round((last - now) / 60)
        yield _wrong(
            f"The clock is {minutes} minutes behind a time stored in the database: it is wrong "
            "now, or was wrong then. Challenges will expire too late."
        )
    elif _KEPT_BY_SYSTEMD.exists():
        yield _fine("The clock is synchronised by systemd.")
    elif last:
        yield _fine("The clock is consistent with the times stored in the database.")
    else:
        yield _note("The clock cannot be checked: no stored times were found.")


def _packages() -> _Findings:
    missing = [
        f"{package} {least or ''}".strip()
        for package, least, extra in _required()
        if not extra and not _is_installed(package, least)
    ]
    if missing:
        yield _wrong(f"Packages are missing or too old: {', '.join(sorted(missing))}.")
    else:
        python = ".".join(map(str, sys.version_info[:3]))
        yield _fine(f"Azumaya {version('azumaya')} has all required packages, on Python {python}.")


def _extras(database: Any) -> _Findings:
    for name, is_there in _installed_extras().items():
        if is_there:
            yield _note(f"The extra {name} is installed.")
        elif name == _EXTRA_OF_SERVERS and not isinstance(database, Path):
            yield _wrong(
                "The extra postgres is not installed, but the database is on a server. "
                f"To install it: {_installing(name)}."
            )
        else:
            yield _note(f"The extra {name} is not installed. To install it: {_installing(name)}.")


def _installing(extra: str) -> str:
    """How to install an extra into this environment, with tested versions."""
    pip = Path(sys.prefix) / "bin" / "pip"
    # Keep a clone editable, or `git pull` would stop having an effect.
    flag = "-e " if _is_editable() else ""
    return f"in a clone, {pip} install -c constraints/run.txt {flag}'.[{extra}]'"


def _is_editable() -> bool:
    said = json.loads(distribution("azumaya").read_text("direct_url.json") or "{}")
    return bool(said.get("dir_info", {}).get("editable"))


def _computers(settings: Settings) -> _Findings:
    if not settings.computer.enabled:
        yield _note("Computer opponents are disabled: computer.enabled is false.")
        return
    if not settings.computer.workers:
        if isinstance(settings.database, Path):
            yield _wrong(
                "No engine is running (computer.workers is 0): there are no computer opponents, "
                "hints or analyses. Set computer.workers to 1. If this is intended, set "
                "computer.enabled to false."
            )
        else:
            yield _note(
                "No engine is running in this process (computer.workers is 0). Games against the "
                "computer need another process with workers on this database. Hints are available "
                "only in processes with workers."
            )
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
            f"To install it: {_installing(_EXTRA_OF_COMPUTERS)}."
        )
    else:
        yield _fine("The computer opponents search with numba.")
        if why := why_nothing_is_kept():
            yield _note(
                f"Code compiled by numba cannot be cached ({why}): after each start of an engine, "
                "its first move takes about ten seconds longer. Set XDG_CACHE_HOME to a writable "
                "folder."
            )


def _installed_extras() -> dict[str, bool]:
    extras: dict[str, bool] = {}
    for package, least, extra in _required():
        if extra not in ("", _OWN_EXTRA):
            extras[extra] = extras.get(extra, True) and _is_installed(package, least)
    return extras


def _has_extra(name: str) -> bool:
    return _installed_extras().get(name, False)


def _required() -> Iterator[tuple[str, str | None, str]]:
    for text in requires("azumaya") or ():
        found = _REQUIREMENT.match(text)
        assert found is not None, text
        extra = _EXTRA.search(found[3] or "")
        yield found[1], found[2], extra[1] if extra else ""


def _is_installed(name: str, least: str | None) -> bool:
    try:
        found = version(name)
    except PackageNotFoundError:
        return False
    # A half-removed package has metadata but nothing to import.
    if not all(Path(path.locate()).exists() for path in files(name) or () if _is_imported(path)):
        return False
    return least is None or _numbers(found) >= _numbers(least)


def _is_imported(path: PackagePath) -> bool:
    return path.name == "__init__.py" and len(path.parts) == 2


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _system(settings: Settings) -> _Findings:
    descriptors.raise_limit()
    free, wanted = descriptors.free(), settings.web.connections
    if settings.web.enabled and free < wanted:
        yield _note(
            f"The system allows only {free} more open files, but web.connections is {wanted}: "
            "fewer users can be connected to the web app."
        )
