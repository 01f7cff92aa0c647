"""Skeletons of names, after Unicode Technical Standard 39: lookalikes have the same skeleton.

Compatibility forms are folded, invisible characters dropped, confusables replaced, and case
ignored. Capital I looks like small l, so i and l count as one letter.
"""

import asyncio
import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

BLANK = frozenset("\u2800\U0001d159")
"""Blank characters that Unicode does not call ignorable."""

_TAG = re.compile(r"</?[a-zA-Z]\w{0,9}>")
_MOST_ROUNDS = 8
"""Replacing settles after two or three rounds. This bounds the loop."""


@cache
def _looks() -> Mapping[int, str | None]:
    looks: dict[int, str | None] = dict.fromkeys(map(ord, BLANK))
    for line in (files("bot.domain") / "confusables.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            target, _, sources = line.partition(";")
            look = "".join(chr(int(code, 16)) for code in target.split())
            looks |= {int(code, 16): look for code in sources.split()}
    return looks


def latin(letter: str) -> str:
    """Return the Latin letter that `letter` looks like, otherwise `letter`. See `ready`."""
    look = _looks().get(ord(letter)) or ""
    return look if len(look) == 1 and look.isascii() and look.isalpha() else letter


@cache
def patterns(pattern: str) -> Any:
    """Compile a pattern with Unicode properties. Importing the library takes a while."""
    import regex  # noqa: PLC0415 - rarely needed

    return regex.compile(pattern)


async def ready() -> None:
    """Load what `skeleton` needs in a thread."""
    if not _looks.cache_info().currsize:
        await asyncio.to_thread(skeleton, "")


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return the skeleton of `name`. Slow until `ready` was called."""
    seen = _seen(name)
    for _ in range(_MOST_ROUNDS):
        folded = _seen(seen.casefold())
        if folded == seen:
            break
        seen = folded
    return " ".join(seen.replace("i", "l").split())


@lru_cache(maxsize=4096)
def visible_skeleton(name: str) -> str:
    """Return the skeleton of a name without signs and tags, or with them if it has no letters."""
    seen = skeleton(_TAG.sub("", name))
    if not any(map(str.isalpha, seen)):
        seen = skeleton(name)
    if not any(map(str.isalpha, seen)):
        return seen
    marks = ("Mn", "Mc")
    return "".join(one for one in seen if one.isalnum() or unicodedata.category(one) in marks)


def letters(name: str) -> str:
    """Return the `visible_skeleton` of a name without its digits."""
    plain = unicodedata.normalize("NFKD", name)
    return visible_skeleton("".join(char for char in plain if unicodedata.category(char)[0] != "N"))


def _seen(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    plain = patterns(r"\p{Default_Ignorable_Code_Point}").sub("", plain)
    return unicodedata.normalize("NFKD", plain.translate(_looks()))
