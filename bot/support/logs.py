"""Logs to stderr as text or JSON, from structlog and the standard library's logging.

Write an event of a few fixed words, and values::

    log = structlog.stdlib.get_logger(__name__)
    log.info("match started", match=7, game="othello")

`_redact` removes values given to `register_secret` and values with a telling name. Libraries that
may quote users (`_QUOTING`) are written without values. An unregistered secret in free text is not
found, nor one inside of another value. So no message may contain a setup or a hidden move.
"""

import asyncio
import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from time import monotonic
from typing import Any, TextIO
from urllib.parse import quote

import structlog
from cachetools import TTLCache
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from bot.support.errors import StoreError
from bot.support.settings import LogSettings

REDACTED = "[redacted]"
LEFT_OUT = "…"

_log = structlog.stdlib.get_logger(__name__)

_QUOTING = {"aiohttp", "asyncio", "h11", "multidict", "yarl"}
"""Libraries that may quote cookies, pages, private messages, or results of tasks."""

_TELLING = re.compile(
    "(?<![a-z])(arguments|authorization|cookies?|guess|moves?|notation|password|secrets?|setup"
    "|tokens?)(?![a-z])"
)

# Secrets of this process, as themselves, in a repr, in JSON and in a URL.
_secrets: set[str] = set()

_SAID_AGAIN = 60.0
"""Seconds until the same problem is logged again."""

_HANDLER = "azumaya"
_LIBRARY_LEVELS = {
    "PIL": logging.INFO,
    # Thirty lines at the first start. `bot.store.database.migrating` logs one.
    "alembic": logging.WARNING,
    # Statements with parameters: setups, moves, names.
    "aiosqlite": logging.WARNING,
    "sqlalchemy": logging.WARNING,
}


def distrust(libraries: Mapping[str, int]) -> None:
    """Log these libraries, which may quote users, from a level on and without values."""
    _QUOTING.update(libraries)
    _LIBRARY_LEVELS.update(libraries)


def configure(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Send all logs to `stream` (default stderr). A second call replaces the settings."""
    stream = stream or sys.stderr
    handler = _Handler(stream)
    handler.set_name(_HANDLER)
    handler.setFormatter(_formatter(settings, colors=stream.isatty()))
    root = logging.getLogger()
    for old in root.handlers[:]:
        if old.get_name() == _HANDLER:
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(settings.level.upper())
    for name, level in _LIBRARY_LEVELS.items():
        logging.getLogger(name).setLevel(max(level, root.level))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.PositionalArgumentsFormatter(),
            ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


class _Handler(logging.StreamHandler[TextIO]):
    has_lost = False
    """Whether lines could not be written, for example on a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Report where a log line failed. The standard library would print its values."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError) or self.stream.closed:
            self.has_lost = True
        elif sys.stderr is not None:
            place = f"{record.pathname}:{record.lineno}"
            with suppress(OSError, ValueError):
                sys.stderr.write(f"a log line failed with {type(error).__name__}, from {place}\n")


def can_write() -> bool:
    """Return whether lines can be written. If one was lost, try to report that."""
    ours = [each for each in logging.getLogger().handlers if isinstance(each, _Handler)]
    if any(each.has_lost for each in ours):
        for each in ours:
            each.has_lost = False
        _log.error("lines are missing here")
    return not any(each.has_lost for each in ours)


class RateLimitedLog:
    """Limit each kind of problem to one line a minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._said: TTLCache[tuple[object, ...], bool] = TTLCache(64, _SAID_AGAIN, timer=clock)

    def is_due(self, *kind: object) -> bool:
        if kind in self._said:
            return False
        self._said[kind] = True
        return True


_failures = RateLimitedLog()


def store_failed(
    log: structlog.stdlib.BoundLogger, what: str, error: StoreError, **more: Any
) -> None:
    """Log a store error, each kind once a minute, because every command then fails alike."""
    reason = str(error)
    if _failures.is_due(what, reason):
        log.error(what, reason=reason, **more)


@dataclass(frozen=True)
class StoreErrorsLogged:
    """Run a block, and log a store error instead of raising it."""

    log: structlog.stdlib.BoundLogger
    what: str
    more: Mapping[str, Any] = field(default_factory=dict)

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if isinstance(error, StoreError):
            store_failed(self.log, self.what, error, **self.more)
        return isinstance(error, StoreError)


def loop_failed(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log asyncio's unhandled errors without the arguments in its messages."""
    what = str(context.get("message", "something failed in the event loop")).partition("(")[0]
    task = context.get("task") or context.get("future")
    name = task.get_name() if isinstance(task, asyncio.Task) else None
    _log.error(what, task=name, exc_info=context.get("exception"))


def _summarize(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = PurePath(frames[-1].filename).parts[-2:] if frames else ()
    numbers = {name: getattr(error, name, None) for name in ("errno", "status", "code")}
    return ", ".join(
        [
            f"{type(error).__module__}.{type(error).__qualname__}",
            *(f"{name} {number}" for name, number in numbers.items() if type(number) is int),
            *([f"{'/'.join(place)}:{frames[-1].lineno}"] if place else []),
        ]
    )


def _quotes(error: BaseException) -> bool:
    """Return whether the message of an error may quote a user."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    raised_in = str(frames[-1].f_globals.get("__name__", "")) if frames else ""
    roots = {name.partition(".")[0] for name in (raised_in, type(error).__module__)}
    return not roots.isdisjoint(_QUOTING) or raised_in.partition(".")[0] in sys.stdlib_module_names


def _traceback(exc_info: ExcInfo) -> str:
    """Format an error after its causes, without messages of libraries that quote users."""
    return "\n".join(map(_traced, _chain(exc_info[1], set()))).rstrip("\n")


def _chain(error: BaseException, seen: set[int]) -> Iterator[BaseException]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _chain(before, seen)
    yield error
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _chain(inner, seen)


def _traced(error: BaseException) -> str:
    frames = traceback.format_tb(error.__traceback__)
    what = traceback.format_exception_only(error)
    if _quotes(error):
        what = [f"{_summarize(error)}: {LEFT_OUT}\n"]
    return "".join(["Traceback (most recent call last):\n", *frames, *what])


def _formatter(settings: LogSettings, *, colors: bool) -> ProcessorFormatter:
    if settings.format == "json":
        when = structlog.processors.TimeStamper(fmt="iso", utc=True)
        write: list[Processor] = [structlog.processors.JSONRenderer(ensure_ascii=False)]
    else:
        when = structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False)
        renderer = structlog.dev.ConsoleRenderer(
            colors=colors,
            repr_native_str=True,
            # The default formatter would show local variables.
            exception_formatter=structlog.dev.plain_traceback,
        )
        write = [_printable, renderer]
    return ProcessorFormatter(
        foreign_pre_chain=[structlog.contextvars.merge_contextvars],
        processors=[
            structlog.stdlib.add_log_level,
            _sourced,
            ProcessorFormatter.remove_processors_meta,
            when,
            structlog.processors.ExceptionRenderer(_traceback),
            _redact,
            *write,
        ],
    )


def _sourced(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the logger. Write libraries that may quote users without values and tracebacks."""
    record = event["_record"]
    event["logger"] = record.name
    if record.name.partition(".")[0] in _QUOTING:
        event["event"] = str(record.msg)
        error = (event.get("exc_info") or (None, None))[1]
        # The bot's own errors below a library keep their traceback.
        if error and _quotes(error):
            event["event"] += f" ({_summarize(error)})"
            del event["exc_info"]
    return event


def register_secret(value: str) -> None:
    """Remove `value` from everything logged from now on."""
    if value:
        quoted = {repr(value)[1:-1], json.dumps(value)[1:-1], quote(value), quote(value, safe="")}
        _secrets.update({value} | quoted)


def _redact(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Remove known secrets, and the values of telling names."""
    return {without_secrets(key): _redacted(key, value) for key, value in event.items()}


def _redacted(key: str, value: Any) -> Any:
    if _TELLING.search(key.lower()):
        return REDACTED
    if value is None or isinstance(value, int | float):
        return value
    return without_secrets(value if isinstance(value, str) else repr(value))


def without_secrets(text: str) -> str:
    """Return `text` without secrets."""
    # One secret may be part of another.
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return text


def _printable(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Escape control characters, so that no name or message can forge log lines."""
    for key, keep in (("event", ""), ("logger", ""), ("exception", "\n\t")):
        if isinstance(text := event.get(key), str):
            event[key] = "".join(
                character if character.isprintable() or character in keep else repr(character)[1:-1]
                for character in text
            )
    return event
