"""Logs: one stream of events to stderr, as text for people or as JSON for machines.

Everything goes through the same chain, whether it was said with structlog or with the standard
library's logging (aiohttp, alembic, asyncio, sqlalchemy)::

    what happened -> level, logger, time -> traceback as text -> redact -> JSON
                                                                     └── printable -> text

Say what happened in a few fixed words, and what it happened to as values::

    log = structlog.stdlib.get_logger(__name__)
    log.info("match started", match=7, game="othello")

Secrets are kept out four times: values under a telling name (``token``, ``setup``, ``move``, …)
are never written, a value given to `register_secret` is taken out of every text, tracebacks
included, what libraries quote of their conversations (`_LISTENING`) is left out altogether, and so
is what asyncio knows of the values that slow steps are about.
Nothing here can know a secret in free text that nobody registered, so a setup or a move of a
hidden game belongs in no message.

A log that cannot be written (a full disk) fails nobody: its lines are counted, and the count is
written when there is room again; `can_write` tells until then.
"""

import asyncio
import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from pathlib import PurePath
from time import monotonic
from typing import Any, TextIO
from urllib.parse import quote

import structlog
from cachetools import TTLCache
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from bot.errors import StoreError
from bot.settings import LogSettings

__all__ = [
    "REDACTED",
    "NowAndThen",
    "can_write",
    "configure",
    "loop_failed",
    "register_secret",
    "store_failed",
    "without_secrets",
]

REDACTED = "[redacted]"
LEFT_OUT = "…"

_log = structlog.stdlib.get_logger(__name__)

_LISTENING = frozenset({"aiohttp", "discord", "h11", "httpcore", "httpx", "telegram"})
"""Libraries that others speak to: what they quote may be a cookie, a page, a private word."""

_STEP = re.compile(r"<(\w*(?:Task|Future|Handle))\b.*>", re.DOTALL)
"""What asyncio calls a step, where it is to find out what is slow (``PYTHONASYNCIODEBUG``)."""
_WHOSE = re.compile(r"\bcoro=<((?:[\w.]|<locals>)+)")
_WHENCE = re.compile(r"created at (\S+:\d+)")

_TELLING = frozenset(
    {
        "arguments",
        "authorization",
        "cookie",
        "cookies",
        "guess",
        "move",
        "moves",
        "notation",
        "password",
        "secret",
        "secrets",
        "setup",
        "token",
        "tokens",
    }
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

# Logging belongs to the process, and so do the values that no log of it may show: each with a
# pattern of the forms in which it turns up inside other texts.
_secrets: dict[str, re.Pattern[str]] = {}

_SAID_AGAIN = 60.0
"""Seconds after which the same trouble is worth another line."""

_HANDLER = "azumaya"
_LIBRARY_LEVELS = {
    "PIL": logging.INFO,
    # A line for each revision, and seven parts of it that nobody asked about: the first start
    # would say thirty of them before the address. `bot.store.migrating` says it in one.
    "alembic": logging.WARNING,
    # Below this they write statements with their parameters: setups, moves, names.
    "aiosqlite": logging.WARNING,
    "sqlalchemy": logging.WARNING,
    # Bodies of requests, and addresses with the keys of interactions.
    "discord": logging.INFO,
    # URLs with the token of the bot in them; and whatever was said in a private chat.
    "httpcore": logging.WARNING,
    "httpx": logging.WARNING,
    "telegram": logging.WARNING,
}


def configure(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Send all logs to `stream` (stderr unless given). Calling it again replaces the settings."""
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
    """Writes what can be written, and counts the lines that cannot."""

    lost = 0

    def format(self, record: logging.LogRecord) -> str:
        library = record.name.partition(".")[0]
        if library in _LISTENING:
            record = _without_quotes(record)
        elif library == "asyncio":
            record = _without_results(record)
        return super().format(record)

    def emit(self, record: logging.LogRecord) -> None:
        if self.can_write():
            super().emit(record)
        else:
            self.lost += 1

    def can_write(self) -> bool:
        """Is there room? After there was none, that is tried with a line that says so."""
        self.acquire()
        try:
            if lost := self.lost:
                self.lost = 0
                place = (__name__, logging.WARNING, __file__, 0)
                super().emit(logging.LogRecord(*place, "%d lines are missing here", (lost,), None))
                self.lost = lost if self.lost else 0
            return not self.lost
        finally:
            self.release()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Say where a log line failed. The standard library would print its values as well."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError) or self.stream.closed:
            self.lost += 1
        elif error is not None and sys.stderr is not None:
            place = f"{record.pathname}:{record.lineno}"
            with suppress(OSError, ValueError):
                sys.stderr.write(f"a log line failed with {type(error).__name__}, from {place}\n")


def can_write() -> bool:
    """Can lines be written? Where the last one could not, it is tried."""
    handlers = logging.getLogger().handlers
    return all(each.can_write() for each in handlers if isinstance(each, _Handler))


class NowAndThen:
    """Which trouble has been logged in the last minute, so that a line is not one of thousands."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._said: TTLCache[tuple[object, ...], bool] = TTLCache(64, _SAID_AGAIN, timer=clock)

    def is_due(self, *kind: object) -> bool:
        """Is this kind of trouble to be logged? It counts as logged then."""
        if kind in self._said:
            return False
        self._said[kind] = True
        return True


_failures = NowAndThen()


def store_failed(
    log: structlog.stdlib.BoundLogger, what: str, error: StoreError, **more: Any
) -> None:
    """Log in one line that the store has failed; what is in `more` is the first one's of many.

    A database that fails does so for everybody and at every try: each kind once a minute.
    """
    reason = str(error)
    if _failures.is_due(what, reason):
        log.error(what, reason=reason, **more)


def loop_failed(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log what asyncio could tell nobody; for `loop.set_exception_handler`.

    Its own words show tasks and callbacks with all that they were called with.
    """
    what = str(context.get("message", "something failed in the event loop")).partition("(")[0]
    task = context.get("task") or context.get("future")
    name = task.get_name() if isinstance(task, asyncio.Task) else None
    _log.error(what, task=name, exc_info=context.get("exception"))


def _without_quotes(record: logging.LogRecord) -> logging.LogRecord:
    """What a library says, in one line, without what was said to it."""
    quiet = copy(record)
    match record.args:
        case Mapping() as named:
            quiet.args = {name: _left_out(value) for name, value in named.items()}
        case tuple() as values:
            quiet.args = tuple(map(_left_out, values))
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and _raised_in(error) in _LISTENING | sys.stdlib_module_names:
        # A fault of ours below a library keeps its traceback; of theirs, the place is enough.
        quiet.msg, quiet.args = f"{quiet.getMessage()} ({_in_a_word(error)})", None
        quiet.exc_info = quiet.exc_text = None
    return quiet


def _without_results(record: logging.LogRecord) -> logging.LogRecord:
    """What asyncio says of a step that took long, without what it was given and what came of it."""
    quiet = copy(record)
    quiet.msg, quiet.args = _STEP.sub(_step_in_a_word, record.getMessage()), None
    return quiet


def _step_in_a_word(step: re.Match[str]) -> str:
    """Of what kind it is, and whose, or where that was begun."""
    found = _WHOSE.findall(step[0])[:1] or _WHENCE.findall(step[0])[-1:]
    return f"<{' '.join([step[1], *found])}>"


def _left_out(value: object) -> object:
    return value if isinstance(value, int | float | None) else LEFT_OUT


def _in_a_word(error: BaseException) -> str:
    """What went wrong and where, without the words of the error."""
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


def _raised_in(error: BaseException) -> str:
    """The package whose code raised it."""
    names = [
        str(frame.f_globals.get("__name__", ""))
        for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    return names[-1].partition(".")[0] if names else ""


def _traceback(exc_info: ExcInfo) -> str:
    """As Python would write it, but for the words of libraries that quote others."""
    return "".join(_traced(exc_info[1], set())).rstrip("\n")


def _traced(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _traced(before, seen)
        yield (
            "\nThe above exception was the direct cause of the following exception:\n\n"
            if error.__cause__
            else "\nDuring handling of the above exception, another exception occurred:\n\n"
        )
    if error.__traceback__:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    if {type(error).__module__.partition(".")[0], _raised_in(error)} & _LISTENING:
        yield f"{_in_a_word(error)}: {LEFT_OUT}\n"
    else:
        yield from traceback.format_exception_only(error)
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield "\nOne of them:\n\n"
            yield from _traced(inner, seen)


def _formatter(settings: LogSettings, *, colors: bool) -> ProcessorFormatter:
    if settings.format == "json":
        when = structlog.processors.TimeStamper(fmt="iso", utc=True)
        write: list[Processor] = [structlog.processors.JSONRenderer(ensure_ascii=False)]
    else:
        when = structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False)
        renderer = structlog.dev.ConsoleRenderer(
            colors=colors,
            repr_native_str=True,
            # The default one would show local variables.
            exception_formatter=structlog.dev.plain_traceback,
        )
        write = [_printable, renderer]
    return ProcessorFormatter(
        foreign_pre_chain=[structlog.contextvars.merge_contextvars],
        processors=[
            structlog.stdlib.add_log_level,
            _add_logger,
            ProcessorFormatter.remove_processors_meta,
            when,
            structlog.processors.StackInfoRenderer(),
            structlog.processors.ExceptionRenderer(_traceback),
            _redact,
            *write,
        ],
    )


def _add_logger(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    event["logger"] = event["_record"].name
    return event


def register_secret(value: str) -> None:
    """Take `value` out of everything that this process logs from now on."""
    if value:
        _secrets[value] = re.compile("".join(map(_forms, value)))


def _forms(character: str) -> str:
    """A pattern of `character` as itself, in a repr, in JSON and in a URL."""
    in_url = quote(character, safe="")
    forms = {character, repr(character)[1:-1], json.dumps(character)[1:-1], in_url, in_url.lower()}
    return f"(?:{'|'.join(re.escape(form) for form in sorted(forms, key=len, reverse=True))})"


def _redact(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The processor that takes secrets out; what it leaves is plain data."""
    return {without_secrets(key): _redacted(value, key) for key, value in event.items()}


def _redacted(value: Any, key: str = "") -> Any:
    if not _TELLING.isdisjoint(word.lower() for word in _WORD.findall(key)):
        return REDACTED
    match value:
        case None | bool() | int() | float():
            return REDACTED if str(value) in _secrets else value
        case Mapping():
            return {
                without_secrets(str(name)): _redacted(inner, str(name))
                for name, inner in value.items()
            }
        case list() | tuple() | set() | frozenset():
            return [_redacted(inner) for inner in value]
        case str():
            return without_secrets(value)
        case _:
            return without_secrets(repr(value))


def without_secrets(text: str) -> str:
    """`text` as a log of this process may show it."""
    # The longest first, for one may be part of another.
    for secret in sorted(_secrets, key=len, reverse=True):
        text = _secrets[secret].sub(REDACTED, text)
    return text


def _printable(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Escape control characters, so that nobody's name or message writes lines of its own.

    Values are left to the renderer, which quotes them.
    """
    for key, keep in (("event", ""), ("logger", ""), ("exception", "\n\t"), ("stack", "\n\t")):
        if isinstance(text := event.get(key), str):
            event[key] = "".join(
                character if character.isprintable() or character in keep else repr(character)[1:-1]
                for character in text
            )
    return event
