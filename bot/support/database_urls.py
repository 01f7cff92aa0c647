"""Strict parsing of PostgreSQL URLs.

Programs disagree about an unescaped @ / # ? % in a password. One of them might treat the rest of
the password as a host, and print it. So every ambiguous URL is rejected.

    postgresql://anna:p%40ss@db1.example.org:5432,db2/azumaya?sslmode=require
                 └─ who ───┘ └─ hosts ──────────────┘ └ name ┘ └ options ──┘
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

import regex

HOW_TO_WRITE_ONE: Final = (
    "a postgresql:// URL, with @ / # ? % [ ] in user and password written as "
    "%40 %2F %23 %3F %25 %5B %5D"
)

_ENCODED = "%[0-9A-Fa-f]{2}"
# No part may contain a delimiter of another part, so there is at most one @.
_PLAIN = rf"[!-~--[@/#?%\[\]]]|{_ENCODED}"
_HOST = rf"(?:(?:[\w.-]|{_ENCODED})*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\])(?::[0-9]{{1,5}})?"
_URL = regex.compile(
    rf"postgres(?:ql)?://(?:(?P<who>(?:{_PLAIN})*)@)?(?P<hosts>{_HOST}(?:,{_HOST})*)"
    rf"(?:/(?P<name>(?:{_PLAIN})*))?(?:\?(?P<options>(?:{_PLAIN}|[/?])*))?",
    regex.ASCII | regex.VERSION1,
)


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """A URL in parts, each as written."""

    who: str
    """The user, and the password after a colon. Secret."""
    hosts: str
    name: str
    options: str
    """Secret: may contain a password."""

    @property
    def title(self) -> str:
        """The URL without secrets."""
        return f"postgresql://{self.hosts}/{self.name}"

    @property
    def secrets(self) -> tuple[str, ...]:
        written = [self.who.partition(":")[2]]
        for option in self.options.split("&"):
            key, _, value = option.partition("=")
            if "password" in unquote(key):
                written.append(value)
        return tuple({form: None for one in written if one for form in (one, unquote(one))})


def read(url: str) -> ServerUrl | None:
    """Parse a URL. None if it is invalid or ambiguous."""
    found = _URL.fullmatch(url)
    return found and ServerUrl(**{part: text or "" for part, text in found.groupdict().items()})
