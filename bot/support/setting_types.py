"""Types of settings. A `description` says in errors what is allowed."""

import re
from collections.abc import Collection
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    SecretStr,
    StringConstraints,
    WithJsonSchema,
)

from bot.support import database_urls
from bot.support.platforms import KNOWN
from bot.support.texts import LANGUAGES


def _reject_bool(value: object) -> object:
    """Refuse ``true`` for a number, which pydantic would take for 1."""
    if isinstance(value, bool):
        raise ValueError("should be a number")  # noqa: TRY004 - pydantic collects ValueErrors
    return value


def _split(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _some_and_all_different(values: tuple[str, ...]) -> tuple[str, ...]:
    # pydantic would report min_length as well for a list whose only value is wrong.
    if not values or len(set(values)) < len(values):
        raise ValueError("none, or repeated")
    return values


def _names_a_file(path: Path) -> Path:
    if not path.name or not str(path).isprintable():
        raise ValueError("no file name")
    return path


def _is_network(text: str) -> str:
    ip_network(text, strict=False)
    return text


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


def _matches(pattern: re.Pattern[str], secret: SecretStr) -> SecretStr:
    if not pattern.fullmatch(secret.get_secret_value()):
        raise ValueError("not of that form")
    return secret


_LIKE_A_SERVER = re.compile(
    r"^postgres(ql)?:|^(postgres(ql)?)?//.*@|\b(host|dbname|password)\s*=", re.IGNORECASE
)
"""Incomplete addresses, and those of PostgreSQL's own tools."""


def is_url(text: str) -> bool:
    """Return whether this is, or is meant to be, a server's address. It may contain a password."""
    return "://" in text or _LIKE_A_SERVER.search(text) is not None


def _names_a_database(value: object) -> Path | SecretStr:
    """A server's URL is secret because of its password, a file's path is not."""
    if isinstance(value, str) and is_url(value):
        value = SecretStr(value)
    if isinstance(value, SecretStr) and database_urls.read(value.get_secret_value()):
        return value
    if isinstance(value, str | Path):
        return _names_a_file(Path(value))
    raise ValueError("neither")


A_DATABASE = f"the path of a file, or {database_urls.HOW_TO_WRITE_ONE}"
Whole = Annotated[int, BeforeValidator(_reject_bool)]
Number = Annotated[float, BeforeValidator(_reject_bool)]
Database = Annotated[
    Path | SecretStr,
    PlainValidator(_names_a_database),
    WithJsonSchema({"type": "string", "description": A_DATABASE}),
]
HostName = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9A-Za-z._:%-]{1,255}$"),
    Field(description="an address like 127.0.0.1, 0.0.0.0 or ::1, or a host name"),
]
ListenAddress = Annotated[
    str,
    AfterValidator(_names_a_port),
    Field(description='a host and port like 127.0.0.1:9300 or [::1]:9300, or "" for none'),
]
ChannelName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9-]{1,32}$"),
    Field(description="a name of 1 to 32 characters from a-z, 0-9 and -"),
]
Origin = Annotated[
    str,
    StringConstraints(pattern=r"^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$"),
    Field(description="an origin like https://play.example.org, in lower case, without a path"),
]
BaseUrl = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?[^\s/?#]$"),
    Field(description="an address like https://api.telegram.org, without a slash at the end"),
]
PublicUrl = Annotated[
    str,
    StringConstraints(
        pattern=r"^(https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?)?$"
    ),
    Field(description="an address like https://play.example.org/azumaya/, or empty"),
]
HookUrl = Annotated[
    str,
    StringConstraints(pattern=r"^(https?://[^\s/?#]+(/[^\s?#]*)?)?$"),
    Field(description="an address like https://play.example.org/telegram, or empty"),
]
HookPath = Annotated[
    str, Field(pattern=r"^/[A-Za-z0-9._~/-]{0,127}$", description="a path like /telegram")
]
DiscordToken = Annotated[
    SecretStr,
    # Discord promises no more.
    AfterValidator(partial(_matches, re.compile(r"([\w-]+\.[\w-]+\.[\w-]+)?", re.ASCII))),
    Field(
        description="a bot token from the developer portal, with three parts separated by dots, "
        "or empty"
    ),
]
BotToken = Annotated[
    SecretStr,
    AfterValidator(partial(_matches, re.compile(r"([0-9]{1,20}:[A-Za-z0-9_-]{30,64})?"))),
    Field(description="a token from BotFather, or empty"),
]
HookSecret = Annotated[
    SecretStr,
    AfterValidator(partial(_matches, re.compile(r"[A-Za-z0-9_-]{0,256}"))),
    Field(description="up to 256 characters from A-Z, a-z, 0-9, _ and -"),
]
ChannelNames = Annotated[
    tuple[ChannelName, ...], BeforeValidator(_split), AfterValidator(_some_and_all_different)
]
Origins = Annotated[tuple[Origin, ...], BeforeValidator(_split)]
ProxyAddress = Annotated[
    str,
    AfterValidator(_is_network),
    Field(description="an address like 127.0.0.1 or ::1, or a network like 172.16.0.0/12"),
]
Proxies = Annotated[tuple[ProxyAddress, ...], BeforeValidator(_split)]


Line = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,120}$"),
    Field(description="a line of up to 120 characters, or empty"),
]
PageUrl = Annotated[
    str,
    StringConstraints(pattern=r"^(https?://[!-~]{1,240})?$"),
    Field(description="an address like https://example.org/privacy, or empty"),
]
PlaceName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z]{1,16}:[!-~]{1,40}$"),
    Field(description="the name of a channel, server or group, like telegram:-1001234567890"),
]


def _one_of(known: Collection[str], name: str) -> str:
    if name not in known:
        raise ValueError(f"allowed: {', '.join(known)}")
    return name


FrontName = Annotated[str, AfterValidator(partial(_one_of, KNOWN))]
FrontNames = Annotated[tuple[FrontName, ...], BeforeValidator(_split)]
ShardId = Annotated[int, Field(ge=0, le=9999), BeforeValidator(_reject_bool)]
ShardIds = Annotated[tuple[ShardId, ...], BeforeValidator(_split)]
WebAddress = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[!-~]+[^/]$"),
    Field(
        description="an address that starts with https:// or http:// and has no slash at the end"
    ),
]
SocketAddress = Annotated[
    str,
    StringConstraints(pattern=r"^(wss?://[!-~]+)?$"),
    Field(description='an address that starts with wss:// or ws://, or "" for Discord\'s own'),
]


Language = Annotated[str, AfterValidator(partial(_one_of, LANGUAGES))]
