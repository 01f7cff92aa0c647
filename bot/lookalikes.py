"""Which names look alike: the skeleton of a name, after Unicode's Technical Standard 39.

Two names with one skeleton are one name to a reader. It is made of what is displayed
(compatibility forms such as full width folded, what is drawn as nothing left out, each character
replaced by what it looks like), then of the same without regard to case. As a capital I looks
like a small l, and both spell "Ali", i and l count as one letter, too.
"""

import asyncio
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

__all__ = ["BLANK", "patterns", "ready", "skeleton"]

BLANK = frozenset("\u2800\U0001d159")
"""Signs that are drawn as nothing, though Unicode does not call them ignorable."""

_MOST_ROUNDS = 8
"""Replacing leads to an end after two or three rounds; this only says that it does."""


@cache
def _looks() -> Mapping[int, str | None]:
    """Character -> what it looks like: 6,000 of them, read when the first name is looked at."""
    looks: dict[int, str | None] = dict.fromkeys(map(ord, BLANK))
    for line in (files("bot") / "confusables.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            target, _, sources = line.partition(";")
            look = "".join(chr(int(code, 16)) for code in target.split())
            looks |= {int(code, 16): look for code in sources.split()}
    return looks


@cache
def patterns(pattern: str) -> Any:
    """A compiled pattern that knows Unicode's properties; the library takes a while to import."""
    import regex  # noqa: PLC0415 - most starts need none of it

    return regex.compile(pattern)


async def ready() -> None:
    """Read what `skeleton` needs, off the loop; from then on that is a matter of microseconds."""
    if not _looks.cache_info().currsize:
        await asyncio.to_thread(skeleton, "")


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What a reader sees of `name`: equal for names that look alike.

    Slow the first time (a few hundredths of a second), unless it is `ready`.
    """
    seen = _seen(name)
    for _ in range(_MOST_ROUNDS):
        folded = _seen(seen.casefold())
        if folded == seen:
            break
        seen = folded
    return " ".join(seen.replace("i", "l").split())


def _seen(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    plain = patterns(r"\p{Default_Ignorable_Code_Point}").sub("", plain)
    return unicodedata.normalize("NFKD", plain.translate(_looks()))
