"""Commands that check the configuration and, from outside, the installation.

Nothing is changed, and the bot may be running. Secrets are checked but never printed.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import renderers
from bot import store
from bot.engines.workers import check_numba
from bot.fronts import FRONTS
from bot.store import Address, title
from bot.store.schema import REVISION
from bot.support import logs
from bot.support.errors import StoreError
from bot.support.platforms import WEB, get
from bot.support.settings import ChatSettings, Settings, SettingsError, load, source, variables_from
from renderers.png import IS_FAST

_LITTLE = 64 << 20
"""Bytes. Less free disk space is reported."""
_PIP = Path(sys.prefix) / "bin" / "pip"
_ASKED = " and ".join(front.name.capitalize() for front in FRONTS if front.check_token)


@click.command("check-config")
@click.pass_obj
def check_config(config: Path | None) -> None:
    """Check the configuration."""
    load(config)
    click.echo("The configuration is valid.")


@click.command()
@click.option("--ask", is_flag=True, help=f"Ask {_ASKED} whether the tokens are valid.")
@click.pass_context
def doctor(context: click.Context, ask: bool) -> None:  # noqa: FBT001 - a flag
    """Check configuration, database, port, extras, fonts and tokens. Exit code 1 on problems."""
    is_wrong = False
    for finding in _run_checks(context.obj, asks=ask):
        click.echo(finding)
        is_wrong |= finding.startswith("✗")
    context.exit(int(is_wrong))


def _run_checks(config: Path | None, *, asks: bool) -> Iterator[str]:
    try:
        settings = load(config)
    except SettingsError as error:
        for problem in error.problems:
            yield f"✗ {problem}"
        yield "· Nothing else was checked. Fix the configuration first."
        return
    for secret in settings.secrets:
        logs.register_secret(secret)
    for what, findings in {
        "the configuration": _configuration(settings, source(config)),
        "the database": _database(settings.database),
        **{what: check(settings) for front in FRONTS for what, check in front.checks.items()},
        "the extras": _extras(settings),
        "the fonts": _fonts(),
        "the tokens": _tokens(settings),
        "the platforms": _platforms(settings) if asks else (),
    }.items():
        try:
            yield from map(logs.without_secrets, findings)
        except Exception as error:  # noqa: BLE001 - the other checks must still run
            yield f"✗ The check of {what} failed with {type(error).__name__}."


def _configuration(settings: Settings, file: Path | None) -> Iterator[str]:
    if file is None:
        yield "✓ No configuration file: defaults and environment variables are used."
    else:
        yield f"✓ The configuration in {file} is valid."
        text, mode = file.read_text(encoding="utf-8-sig"), file.stat().st_mode & 0o777
        if mode & 0o077 and any(secret in text for secret in settings.secrets):
            yield (
                f"✗ {file} contains a secret, and other users can access it (mode {mode:04o}): "
                f"chmod 600 {file}"
            )
    if variables := variables_from():
        yield f"✓ Variables are read from {variables}."
        # The bot may share a group with the file: it knows the content anyway.
        if (mode := variables.stat().st_mode & 0o777) & 0o007:
            yield f"✗ Other users can access {variables} (mode {mode:04o}): chmod o= {variables}"
    if settings.served:
        parts = [part for name in settings.served for part in settings.shards.get(name, [name])]
        yield f"✓ This process serves {', '.join(map(str, parts))}."
    else:
        yield "✗ The web app is disabled and no token is set: no one can play."
    computer = settings.computer
    if computer.enabled and not computer.workers and isinstance(settings.database, Path):
        yield (
            "✗ No engine is running (computer.workers is 0): there are no computer opponents, "
            "hints or analyses. Set computer.workers to 1. If this is intended, set "
            "computer.enabled to false."
        )


def _database(database: Address) -> Iterator[str]:
    name = title(database)
    try:
        revision = store.revision(database)
    except StoreError as error:
        yield f"✗ The database cannot be used: {error}."
        return
    if revision is None:
        yield f"· The database {name} is empty. The first start creates its tables."
    elif revision == REVISION:
        yield f"✓ The database {name} can be used and is up to date (revision {revision})."
    else:
        yield (
            f"· The database {name} has an older schema (revision {revision}). "
            "Make a backup: the next start upgrades it."
        )
    if isinstance(database, Path):
        yield from _file(database)


def _file(path: Path) -> Iterator[str]:
    size, free = 0, shutil.disk_usage(path.resolve().parent).free
    if path.exists():
        size = path.stat().st_size
        if mode := store.exposed(path):
            yield (
                f"✗ Other users of this machine can access {path} (mode {mode}), which contains "
                f"private data: chmod 600 {path}"
            )
    if free < _LITTLE:
        yield f"✗ The disk of {path} is almost full: {_amount(free)} free."
    else:
        yield f"✓ The disk of {path} has {_amount(free)} free. The file takes {_amount(size)}."


def _amount(size: int) -> str:
    return f"{size / 2**30:,.1f} GiB" if size > 2**30 else f"{size / 2**20:,.1f} MiB"


def _fonts() -> Iterator[str]:
    if fonts := renderers.missing():
        yield f"✗ Fonts are missing: {', '.join(map(str, fonts))}. Reinstall Azumaya."
    else:
        yield "✓ The fonts are there."


def _tokens(settings: Settings) -> Iterator[str]:
    for name, section in settings.sections.items():
        if not isinstance(section, ChatSettings):
            continue
        title = name.capitalize()
        if section.missing:
            yield f"· No {title} token is set ({name}.token): the bot is not on {title}."
        else:
            yield f"✓ The {title} token is well-formed."


def _platforms(settings: Settings) -> Iterator[str]:
    for front in FRONTS:
        if front.check_token is None or front.name not in settings.served:
            continue
        title = front.name.capitalize()
        try:
            name = front.check_token(settings)
        except Exception as error:  # noqa: BLE001 - the message is for the operator
            yield f"✗ {title} rejected the token or could not be reached: {error}."
        else:
            yield f"✓ {title} accepts the token of {name}."


def _extras(settings: Settings) -> Iterator[str]:
    yield _extra(
        "fast",
        "Pictures are compressed with ISA-L.",
        "Pictures are compressed with zlib, which takes ten times as long as ISA-L.",
        is_there=IS_FAST,
    )
    if WEB in settings.served:
        yield _extra(
            "push",
            "Players of the web app can be notified while its page is closed.",
            "Players of the web app are not notified while its page is closed.",
            is_there=get(WEB).pushes,
        )
    if not settings.computer.enabled or not settings.computer.workers:
        return
    is_there, trouble = check_numba()
    if trouble:
        yield (
            f"✗ numba is installed but does not work ({trouble}), so the higher levels of the "
            f"computer are weaker. To repair it: in a clone, {_PIP} install "
            f"-c constraints/run.txt --force-reinstall numba. To remove it: {_PIP} uninstall numba."
        )
    else:
        yield _extra(
            "fast",
            "The computer opponents search with numba.",
            "The computer opponents search without numba, so their higher levels are weaker.",
            is_there=is_there,
        )


def _extra(name: str, good: str, bad: str, *, is_there: bool) -> str:
    if is_there:
        return f"✓ {good}"
    # Editable, or `git pull` would stop having an effect.
    how = f"in a clone, {_PIP} install -c constraints/run.txt -e '.[{name}]'"
    return f"· {bad} To install it: {how}."
