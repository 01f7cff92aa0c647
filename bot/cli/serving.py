"""``azumaya run``: run the bot until it is stopped."""

import asyncio
import gc
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import get_args

import click
from structlog import get_logger

import renderers
from bot.cli.running import running
from bot.support import logs, process
from bot.support.errors import HostError, StoreError
from bot.support.settings import PREFIX, LogFormat, LogSettings, Settings, SettingsError, load
from bot.support.texts import load as load_texts

_log = get_logger(__name__)

_JSON: LogFormat = "json"
_SWITCH_SECONDS = 0.0005
"""A tenth of Python's: while threads draw, the event loop waits so long after each system call."""


@click.command()
@click.option(
    "--log-format", type=click.Choice(get_args(LogFormat)), help="Log format. Overrides log.format."
)
@click.option(
    "--fronts",
    metavar="NAMES",
    help="Serve only these fronts, for example web,telegram. Overrides AZUMAYA_FRONTS.",
)
@click.option(
    "--shards",
    metavar="NUMBERS",
    callback=lambda *given: _shards_in(given[-1]),
    help="Serve these Discord shards, for example 0-3 or 0,2.",
)
@click.option(
    "--shard-count", type=click.IntRange(1, 10_000), help="Total number of Discord shards."
)
@click.pass_obj
def run(
    config: Path | None,
    log_format: LogFormat | None,
    fronts: str | None,
    shards: str | None,
    shard_count: int | None,
) -> None:
    """Run the bot. Ctrl-C or SIGTERM stops it."""
    options = {
        "LOG__FORMAT": log_format,
        "FRONTS": fronts,
        "DISCORD__SHARD_IDS": shards,
        "DISCORD__SHARD_COUNT": shard_count,
    }
    os.environ.update({PREFIX + key: str(one) for key, one in options.items() if one is not None})
    try:
        settings = load(config)
        log_format = settings.log.format
        logs.configure(settings.log)
        process.tune_allocator()
        process.raise_file_limit()
        if fonts := renderers.missing():
            raise HostError(f"{fonts[0]}: this font is missing. Reinstall Azumaya")
        asyncio.run(_run(settings))
    except (HostError, SettingsError, StoreError) as error:
        if log_format != _JSON:
            raise
        # For readers of a JSON log.
        logs.configure(LogSettings(format=_JSON))
        for reason in str(error).split("\n"):
            _log.critical("cannot start", reason=reason)
        sys.exit(1)


_RANGE = re.compile(r"\s*([0-9]{1,4})(?:-([0-9]{1,4}))?\s*")


def _shards_in(text: str | None) -> str | None:
    """Return all numbers, with commas."""
    if text is None:
        return None
    found = set[int]()
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not numbers:
            raise click.ClickException(f"--shards: {part!r} is invalid. Examples: 0-3 or 0,2")
        found.update(numbers)
    return ",".join(map(str, sorted(found)))


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
        # It may be waiting for a database that never answers.
        house.cancel()
    stopping.cancel()
    with suppress(asyncio.CancelledError):
        await house
    _log.info("stopped")


async def _open_until(stop: asyncio.Event, settings: Settings, is_open: asyncio.Event) -> None:
    async with running(settings) as fronts:
        is_open.set()
        for url in filter(None, (front.url for front in fronts.values())):
            if settings.log.format == _JSON:
                _log.info("started", url=url)
            else:
                with suppress(OSError):
                    click.echo(f"Azumaya is running: {url}")
        sys.setswitchinterval(_SWITCH_SECONDS)
        await asyncio.to_thread(load_texts)
        await asyncio.to_thread(renderers.load)
        _keep_what_is_loaded()
        await stop.wait()
        _log.info("stopping")


def _keep_what_is_loaded() -> None:
    """Exempt all loaded objects from garbage collection, and collect more rarely.

    They are most of the heap: scanning them blocked the bot for 80 ms every few seconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
