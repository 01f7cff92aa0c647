"""``azumaya doctor``: is all as it has to be? Looked at from outside, and said in plain sentences.

Nothing is changed, and a house may be running meanwhile. Secrets are looked at and never said.
What platforms think of a token is asked only where the host wants that, by whoever knows them.
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
"""Bytes: with less room than that the disk is as good as full."""
_MAGIC = b"SQLite format 3\0"
_LATE = 300
"""Seconds between two times that a house notes; by so many less a clock has been set back."""
_DISCORD = re.compile(r"([\w-]{18,40})\.[\w-]{5,10}\.[\w-]{25,60}")
"""The number of the application in base64, a time, a signature."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?(?:>=([0-9.]+))?\s*(?:;\s*(.*))?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w.-]+)["']""")
_KEPT_BY_SYSTEMD = Path("/run/systemd/timesync/synchronized")
_EXTRA_OF_SERVERS = "postgres"
_EXTRA_OF_COMPUTERS = "fast"
_OWN_EXTRA = "dev"
"""For tests; no house needs it."""


class Level(Enum):
    """How much a finding matters."""

    FINE = "fine"
    NOTE = "note"
    """Worth knowing, and nothing wrong."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence or two about one thing."""

    level: Level
    text: str


_Findings = Iterator[Finding]
_Inspect = Callable[[], Inspection | OnServer | None]


def examine(config: Path | None, *, asked: dict[str, Callable[[Settings], str]]) -> _Findings:
    """Look at everything, and tell of it as it is found. Blocking.

    `asked` are questions to platforms about their tokens, by the platform as people know it: each
    gives how the bot is called there, and raises an exception whose text says why not.
    """
    try:
        settings = load(config)
    except SettingsError as error:
        for problem in error.problems:
            yield _wrong(problem)
        yield _note("Nothing else can be looked at before that is mended.")
        return
    for secret in _secrets(settings):
        logs.register_secret(secret)
    # All of it is read for that: once is enough.
    inspected = cache(partial(_inspected, settings.database))
    for what, findings in {
        "the configuration": _configuration(settings, source(config)),
        "the database": _database(settings.database, inspected),
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
    except Exception as error:  # noqa: BLE001 - one look that fails keeps nobody from the others
        yield _wrong(f"Looking at {what} failed with {type(error).__name__}.")


def _fine(text: str) -> Finding:
    return Finding(Level.FINE, text)


def _note(text: str) -> Finding:
    return Finding(Level.NOTE, text)


def _wrong(text: str) -> Finding:
    return Finding(Level.WRONG, text)


def _secrets(settings: Settings) -> list[str]:
    telegram = settings.telegram
    held: list[Any] = [settings.discord.token, telegram.token, telegram.webhook_secret]
    # The URL of a server has a password in it.
    held += [settings.database]
    return [one.get_secret_value() for one in held if isinstance(one, SecretStr) and one]


# --- configuration ----------------------------------------------------------------------------


def _configuration(settings: Settings, file: Path | None) -> _Findings:
    if file is None:
        yield _fine("There is no configuration file: the defaults hold, and the environment.")
    else:
        yield _fine(f"The configuration in {file} is fine.")
        text, mode = file.read_text(encoding="utf-8-sig"), file.stat().st_mode & 0o777
        if mode & 0o077 and any(secret in text for secret in _secrets(settings)):
            yield _wrong(
                f"A secret stands in {file}, which others can use (mode {mode:04o}): "
                f"chmod 600 {file}"
            )
    if variables := variables_from():
        yield _fine(f"Variables are taken from {variables}.")
        # The house may be let in by its group: what stands there is given to it anyway.
        if (mode := variables.stat().st_mode & 0o777) & 0o007:
            yield _wrong(f"Others can use {variables} (mode {mode:04o}): chmod o= {variables}")
    if settings.served:
        yield _fine(f"This process serves {_listed(settings)}.")
    else:
        yield _wrong("The web table is switched off and there is no token: nobody could play.")
    if settings.web.enabled and not _is_loopback(settings.web.host) and not settings.web.origins:
        yield _note(
            f"The web table listens on {settings.web.host}, for everybody who finds it, and "
            "without TLS. Others should come through a proxy; SECURITY.md says how."
        )


def _listed(settings: Settings) -> str:
    """The fronts that are served, and which part of them."""
    count, ids = settings.discord.shard_count, settings.discord.shard_ids
    part = f" (shards {', '.join(map(str, ids))} of {count})" if count and ids else ""
    return ", ".join(f"{name}{part if name == DISCORD.name else ''}" for name in settings.served)


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


# --- database ---------------------------------------------------------------------------------


def _inspected(database: Any) -> Inspection | OnServer | None:
    """What the database is like; None where what a server needs is missing. Raises `StoreError`."""
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
            # What it is called stands in front, and not what it is reached by.
            yield _wrong(f"The database cannot be used: {error}.")
        return
    match found:
        case Inspection():
            yield from _file(database, found)
        case OnServer():
            yield _server(found)


def _server(found: OnServer) -> Finding:
    if found.revision is None:
        return _note(f"There are no tables in {found.title} yet; the first start makes them.")
    if found.is_current:
        return _fine(
            f"The database {found.title} can be used and is up to date (revision {found.revision})."
        )
    return _note(
        f"The database {found.title} can be used, and is of an earlier version (revision "
        f"{found.revision}): the next start brings it up to date. Make a backup before."
    )


def _file(path: Path, found: Inspection) -> _Findings:
    if found.revision is None:
        yield _note(f"There is no database {path} yet; the first start makes it.")
    elif found.is_current:
        yield _fine(f"The database {path} is sound and up to date (revision {found.revision}).")
    else:
        yield _note(
            f"The database {path} is sound, and of an earlier version (revision "
            f"{found.revision}): the next start brings it up to date. Make a backup before."
        )
    for file, mode in found.loose:
        yield _wrong(
            f"Others on this machine can use {file} (mode {mode}), where hidden stones and "
            f"private lines are: chmod 600 {file}"
        )
    size, free = _megabytes(found.size), _megabytes(found.free)
    if found.free < _LITTLE:
        yield _wrong(f"The disk of {path} is as good as full: {free} are left.")
    elif found.free < 2 * found.size:
        yield _note(f"{path} takes {size}, and {free} are left: little more than for a backup.")
    else:
        yield _fine(f"The disk of {path} has room: it takes {size}, and {free} are left.")


def _halves(path: Path) -> _Findings:
    """What a copy, a backup or a restore has left that was killed, and begins as databases do."""
    for half in sorted(path.resolve().parent.glob("*.part")):
        with suppress(OSError), half.open("rb") as file:
            if file.read(len(_MAGIC)) == _MAGIC:
                yield _note(
                    f"{half} ({_megabytes(half.stat().st_size)}) is what an interrupted backup, "
                    "restore or copy has left, unless one is going on now: people's data are in "
                    "it. Delete it, or give that command again."
                )


def _after(path: Path, text: str) -> str:
    """A problem without the name of the file in front, which has just been said."""
    return text.removeprefix(f"{path}: ")


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"


# --- what people see --------------------------------------------------------------------------


def _pictures() -> _Findings:
    if fonts := renderers.missing():
        yield _wrong(f"Fonts are missing: {', '.join(map(str, fonts))}. Install Azumaya again.")
        return
    failed = []
    for game_id in games.ids():
        try:
            thumbnail(game_id, theme="light", width=64)
        except Exception as error:  # noqa: BLE001 - whatever it is, that game cannot be shown
            failed.append(f"{game_id} ({type(error).__name__})")
    try:
        renderers.load()
        texts.load()
    except Exception as error:  # noqa: BLE001 - as above
        failed.append(f"letters and words ({type(error).__name__})")
    if failed:
        yield _wrong(f"These cannot be drawn: {', '.join(failed)}.")
    else:
        spoken = ", ".join(texts.LANGUAGES.values())
        yield _fine(f"All {len(games.ids())} games can be drawn, and there are words in {spoken}.")


# --- tokens -----------------------------------------------------------------------------------


def _tokens(settings: Settings) -> _Findings:
    token = settings.discord.token.get_secret_value()
    if not token:
        yield _note("There is no token for Discord (discord.token): the house is not there.")
    elif _is_discord_token(token):
        yield _fine("The token for Discord has the form of one.")
    else:
        yield _wrong(
            "discord.token is no token of Discord, which has three parts with dots between them. "
            "It stands in the developer portal, under Bot: neither the public key nor the "
            "client secret is meant."
        )
    if settings.telegram.token.get_secret_value():
        yield _fine("The token for Telegram has the form of one.")
    else:
        yield _note("There is no token for Telegram (telegram.token): the house is not there.")


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
        except Exception as error:  # noqa: BLE001 - its words are for the host
            yield _wrong(f"{platform} does not take the token, or cannot be asked: {error}.")
        else:
            yield _fine(f"{platform} knows the token: it is that of {name}.")


# --- the machine ------------------------------------------------------------------------------


def _compared(found: OnServer) -> Finding:
    """Our clock beside the server's."""
    seconds = round(abs(found.ahead))
    if seconds <= LEEWAY:
        return _fine(f"The clock and that of {found.title} agree.")
    which = "behind" if found.ahead > 0 else "ahead of"
    return _wrong(f"The clock is {seconds:,} seconds {which} that of {found.title}: one is wrong.")


def _clock(inspected: _Inspect) -> _Findings:
    """Only what can be known: but for that of a server no other clock is asked."""
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
            f"The clock is {minutes} minutes behind a time that was noted with the database: it "
            "is wrong now, or it was wrong then. Challenges would expire too late."
        )
    elif _KEPT_BY_SYSTEMD.exists():
        yield _fine("The clock is kept right by systemd.")
    elif last:
        yield _fine("The clock is ahead of all that the database has noted; more cannot be known.")
    else:
        yield _note("Whether the clock is right cannot be known: nothing has been noted by it yet.")


def _packages() -> _Findings:
    missing = [
        f"{package} {least or ''}".strip()
        for package, least, extra in _required()
        if not extra and not _is_installed(package, least)
    ]
    if missing:
        yield _wrong(f"Packages are missing, or too old: {', '.join(sorted(missing))}.")
    else:
        python = ".".join(map(str, sys.version_info[:3]))
        yield _fine(f"Azumaya {version('azumaya')} has what every house needs, on Python {python}.")


def _extras(database: Any) -> _Findings:
    for name, is_there in _installed_extras().items():
        if is_there:
            yield _note(f"The extra {name} is installed.")
        elif name == _EXTRA_OF_SERVERS and not isinstance(database, Path):
            yield _wrong(f"The database is on a server, which needs, {_installing(name)}.")
        else:
            yield _note(f"The extra {name} is not installed; {_installing(name)} does it.")


def _installing(extra: str) -> str:
    """What to type, so that it goes into this very environment, and as it was tested."""
    pip = Path(sys.prefix) / "bin" / "pip"
    # What runs from a clone goes on doing so, or `git pull` would change nothing any more.
    flag = "-e " if _is_editable() else ""
    return f"in a clone, {pip} install -c constraints/run.txt {flag}'.[{extra}]'"


def _is_editable() -> bool:
    """Is the program run from a clone, as `make run` installs it?"""
    said = json.loads(distribution("azumaya").read_text("direct_url.json") or "{}")
    return bool(said.get("dir_info", {}).get("editable"))


def _computers(settings: Settings) -> _Findings:
    if not settings.computer.enabled:
        yield _note("There are no computer opponents: computer.enabled is false.")
        return
    if not settings.computer.workers:
        if isinstance(settings.database, Path):
            yield _wrong(
                "Nobody thinks (computer.workers is 0): there are no matches against the computer, "
                "no hints and no looking back. 1 is enough; computer.enabled = false says that "
                "it is meant so."
            )
        else:
            yield _note(
                "Nobody thinks in this process (computer.workers is 0): another one on this "
                "database has to, or nothing is begun against the computer. Hints are given where "
                "somebody thinks."
            )
        return
    is_there, trouble = numba_seen()
    if trouble:
        # Such as one of another NumPy, or for another processor.
        pip = Path(sys.prefix) / "bin" / "pip"
        yield _wrong(
            f"numba is there and does not work ({trouble}): the computer opponents play all levels "
            f"without it, and the higher ones are weaker. To mend it: in a clone, {pip} install "
            f"-c constraints/run.txt --force-reinstall numba. To do without: {pip} uninstall numba."
        )
    elif not is_there:
        yield _note(
            "The computer opponents search without numba: they play all levels, and the higher "
            f"ones are weaker; {_installing(_EXTRA_OF_COMPUTERS)} changes that."
        )
    else:
        yield _fine("The computer opponents search with numba.")
        if why := why_nothing_is_kept():
            yield _note(
                f"What numba compiles cannot be kept ({why}): whoever starts to think needs some "
                "ten seconds more for the first move of a game. XDG_CACHE_HOME names another place."
            )


def _installed_extras() -> dict[str, bool]:
    """Is all of it there, of each extra?"""
    extras: dict[str, bool] = {}
    for package, least, extra in _required():
        if extra not in ("", _OWN_EXTRA):
            extras[extra] = extras.get(extra, True) and _is_installed(package, least)
    return extras


def _has_extra(name: str) -> bool:
    return _installed_extras().get(name, False)


def _required() -> Iterator[tuple[str, str | None, str]]:
    """What this version needs: a package, the least version of it, the extra that wants it."""
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
    # Of one that was half taken away there are words, and nothing to import.
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
            f"The system allows {free} more open files, and web.connections is {wanted}: fewer "
            "people can be at the web table at a time."
        )
