"""The URL of a PostgreSQL server: what of it is who, where and which, and whether it is one.

Programs disagree about a password in which @ / # ? % stand as they are: one of them would look up
the rest of it as a host, and show it where a host is shown. So a URL is read here, strictly, and
whatever could be read in two ways is none::

    postgresql://anna:p%40ss@db1.example.org:5432,db2/azumaya?sslmode=require
                 └─ who ───┘ └─ hosts ──────────────┘ └ name ┘ └ options ──┘
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

import regex

__all__ = ["HOW_TO_WRITE_ONE", "ServerUrl", "read"]

HOW_TO_WRITE_ONE: Final = (
    "a postgresql:// URL, in whose user and password @ / # ? % [ ] are written "
    "%40 %2F %23 %3F %25 %5B %5D"
)
"""In words to the host."""

_ENCODED = "%[0-9A-Fa-f]{2}"
# No part may hold what begins or ends another one: so an @ stands once, or nowhere.
_PLAIN = rf"[!-~--[@/#?%\[\]]]|{_ENCODED}"
_HOST = rf"(?:(?:[\w.-]|{_ENCODED})*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\])(?::[0-9]{{1,5}})?"
_URL = regex.compile(
    rf"postgres(?:ql)?://(?:(?P<who>(?:{_PLAIN})*)@)?(?P<hosts>{_HOST}(?:,{_HOST})*)"
    rf"(?:/(?P<name>(?:{_PLAIN})*))?(?:\?(?P<options>(?:{_PLAIN}|[/?])*))?",
    regex.ASCII | regex.VERSION1,
)

_PORT = regex.compile(":([0-9]+)(?:,|$)")


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """A URL in parts, each as it was written."""

    who: str
    """The user and, behind a colon, the password; not to be told."""
    hosts: str
    name: str
    """Of the database."""
    options: str
    """Not to be told, either: a password can be among them."""

    @property
    def title(self) -> str:
        """What of it may be told."""
        return f"postgresql://{self.hosts}/{self.name}"

    @property
    def port_beyond(self) -> int | None:
        """A port that there cannot be, None where there is none of that kind."""
        ports = [int(port) for port in _PORT.findall(self.hosts)]
        return next((port for port in ports if not 1 <= port <= 65535), None)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The passwords in it, as they are and as they are written."""
        written = [self.who.partition(":")[2]]
        for option in self.options.split("&"):
            key, _, value = option.partition("=")
            if "password" in unquote(key):
                written.append(value)
        return tuple({form: None for one in written if one for form in (one, unquote(one))})


def read(url: str) -> ServerUrl | None:
    """A URL in parts; None for what is none."""
    found = _URL.fullmatch(url)
    return found and ServerUrl(**{part: text or "" for part, text in found.groupdict().items()})
