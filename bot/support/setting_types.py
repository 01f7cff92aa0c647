"""Types of settings, and fields of text. A `description` says in errors what is allowed."""

import re
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    SecretStr,
    WithJsonSchema,
)

from bot.support import database_urls
from bot.support.platforms import KNOWN
from bot.support.texts import LANGUAGES


def text(pattern: str, words: str, default: str = "") -> Any:
    """Return a field of text. `words` say in errors what is allowed."""
    return Field(default=default, pattern=pattern, description=words)


def host(default: str) -> Any:
    """Return a field of an address to listen on."""
    words = "an address like 127.0.0.1, 0.0.0.0 or ::1, or a host name"
    return text(r"^[0-9A-Za-z._:%-]{1,255}$", words, default)


def server(default: str) -> Any:
    """Return a field of a server's address, to which paths are added."""
    words = "an address that starts with https:// or http:// and has no slash at the end"
    return text(r"^https?://[^\s/?#]+(/[^\s?#]*)?[^\s/?#]$", words, default)


def like(pattern: str) -> AfterValidator:
    """Check that a secret has this form. Errors do not repeat it."""
    form = re.compile(pattern, re.ASCII)

    def check(secret: SecretStr) -> SecretStr:
        if not form.fullmatch(secret.get_secret_value()):
            raise ValueError("not of that form")
        return secret

    return AfterValidator(check)


def _reject_bool(value: object) -> object:
    """Refuse ``true`` for a number, which pydantic would take for 1."""
    if isinstance(value, bool):
        raise ValueError("should be a number")  # noqa: TRY004 - pydantic collects ValueErrors
    return value


def _split(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _one_of(known: Collection[str], name: str) -> str:
    if name not in known:
        raise ValueError(f"allowed: {', '.join(known)}")
    return name


def _names_a_port(text: str) -> str:
    if text:
        host, port = split_address(text)
        if not re.fullmatch(r"[0-9A-Za-z._:%-]{1,255}", host) or port > 65535:
            raise ValueError("no host, or no port")
    return text


def split_address(text: str) -> tuple[str, int]:
    """Split ``127.0.0.1:9300`` or ``[::1]:9300``. Raises ValueError."""
    found = re.fullmatch(r"(?:\[([^\]]+)\]|([^:]+)):([0-9]{1,5})", text)
    if found is None:
        raise ValueError("no host and port")
    return found[1] or found[2], int(found[3])


_LIKE_A_SERVER = re.compile(
    r"^postgres(ql)?:|^(postgres(ql)?)?//.*@|\b(host|dbname|password)\s*=", re.IGNORECASE
)
"""Incomplete addresses, and those of PostgreSQL's own tools."""


def is_url(text: str) -> bool:
    """Return whether this is, or is meant to be, a server's address. It may contain a password."""
    return "://" in text or _LIKE_A_SERVER.search(text) is not None


def database(value: object) -> Path | SecretStr:
    """Return a database's address. Raises ValueError.

    A server's URL is secret because of its password, a file's path is not.
    """
    if isinstance(value, str) and is_url(value):
        value = SecretStr(value)
    if isinstance(value, SecretStr) and database_urls.read(value.get_secret_value()):
        return value
    if isinstance(value, str | Path):
        path = Path(value)
        if path.name and str(path).isprintable():
            return path
    raise ValueError("neither")


T = TypeVar("T")
Several = Annotated[tuple[T, ...], BeforeValidator(_split)]
"""A list, or a text with commas."""
Whole = Annotated[int, BeforeValidator(_reject_bool)]
Number = Annotated[float, BeforeValidator(_reject_bool)]
A_DATABASE = f"the path of a file, or {database_urls.HOW_TO_WRITE_ONE}"
Database = Annotated[
    Path | SecretStr,
    PlainValidator(database),
    WithJsonSchema({"type": "string", "description": A_DATABASE}),
]
ListenAddress = Annotated[
    str,
    AfterValidator(_names_a_port),
    Field(description='a host and port like 127.0.0.1:9300 or [::1]:9300, or "" for none'),
]
FrontName = Annotated[str, AfterValidator(partial(_one_of, KNOWN))]
Language = Annotated[str, AfterValidator(partial(_one_of, LANGUAGES))]
