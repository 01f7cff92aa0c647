"""Logs: one stream of events to stderr, as text for people or as JSON for machines.

Everything goes through the same chain, whether it was said with structlog or with the standard
library's logging (aiohttp, alembic, asyncio, sqlalchemy)::

    what happened -> level, logger, time -> traceback as text -> redact -> JSON
                                                                     └── printable -> text

Say what happened in a few fixed words, and what it happened to as values::

    log = structlog.stdlib.get_logger(__name__)
    log.info("match started", match=7, game="othello")

Secrets are kept out twice: values under a telling name (``token``, ``setup``, ``move``, …) are
never written, and a value given to `register_secret` is taken out of every text, tracebacks
included. Nothing here can know a secret in free text that nobody registered, so a setup or a
move of a hidden game belongs in no message.
"""

import json
import logging
import re
import sys
from collections.abc import Mapping
from typing import Any, TextIO
from urllib.parse import quote

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.settings import LogSettings

__all__ = ["REDACTED", "configure", "redact", "register_secret"]

REDACTED = "[redacted]"

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

_HANDLER = "azumaya"
_LIBRARY_LEVELS = {
    "PIL": logging.INFO,
    # Seven parts of it that nobody asked about, at the first start of all.
    "alembic.runtime.plugins": logging.WARNING,
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
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Say where a log line failed. The standard library would print its values as well."""
        error = sys.exc_info()[0]
        if error is not None and sys.stderr is not None:
            place = f"{record.pathname}:{record.lineno}"
            sys.stderr.write(f"a log line failed with {error.__name__}, from {place}\n")


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
            structlog.processors.format_exc_info,
            redact,
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


def redact(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The processor that takes secrets out; what it leaves is plain data."""
    return {_without_secrets(key): _redacted(value, key) for key, value in event.items()}


def _redacted(value: Any, key: str = "") -> Any:
    if not _TELLING.isdisjoint(word.lower() for word in _WORD.findall(key)):
        return REDACTED
    match value:
        case None | bool() | int() | float():
            return REDACTED if str(value) in _secrets else value
        case Mapping():
            return {
                _without_secrets(str(name)): _redacted(inner, str(name))
                for name, inner in value.items()
            }
        case list() | tuple() | set() | frozenset():
            return [_redacted(inner) for inner in value]
        case str():
            return _without_secrets(value)
        case _:
            return _without_secrets(repr(value))


def _without_secrets(text: str) -> str:
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
