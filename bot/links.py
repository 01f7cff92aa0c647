"""Links that are handed on: what one does, and the code that proves that it was.

A match's number can be guessed, its code cannot. Whoever types ``/join`` with a code, or follows
a link that joins, takes up that challenge wherever they are. Other links save their people a way
and prove nothing: they stand where everybody can read them.

A link's word is ``join-k7mf2qtx9wpa``, ``rules-othello`` or ``privacy``: letters, digits and one
dash, which every platform lets pass.
"""

import re
import secrets
from hashlib import sha256

from bot.errors import Refused

__all__ = [
    "LINKED",
    "code_in",
    "has_code",
    "hashed",
    "new_code",
    "read",
    "readable_code",
    "word_of",
]

_ABOUT = frozenset({"board", "hint", "join", "moves", "private", "rules"})
_ALONE = frozenset({"matches", "privacy"})
LINKED = _ABOUT | _ALONE
"""What a link may do to whoever follows it: nothing that costs them anything."""

# Without what is mistaken for something else when it is read aloud or copied by hand.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 12
_GROUP = 4
_LONGEST = 32
_CODES = re.compile(r"[a-z0-9]{4}-?[a-z0-9]{4}-?[a-z0-9]{4}")


def new_code() -> str:
    """A code that nobody can guess: 59 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def readable_code(code: str) -> str:
    """A code as people read it: ``k7mf-2qtx-9wpa``."""
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def code_in(text: str) -> str:
    """The code that somebody typed, however they wrote it; "" where it can be none."""
    code = "".join(char for char in text.casefold() if char not in "- ")
    return code if len(code) == _LENGTH and set(code) <= set(_ALPHABET) else ""


def has_code(text: str) -> bool:
    """Could somebody read a code in `text`, as `readable_code` writes it or without its hyphens?"""
    return any(
        set(found.group().replace("-", "")) <= set(_ALPHABET)
        and ("-" in found.group() or any(map(str.isdigit, found.group())))
        for found in _CODES.finditer(text.casefold())
    )


def hashed(code: str) -> str:
    """What is kept of a code that opens more than a match."""
    return sha256(code.encode("ascii")).hexdigest()


def word_of(verb: str, proof: str) -> str:
    """The word of a link that does `verb`, of the match with the code `proof` or about a game."""
    if verb not in LINKED:
        raise ValueError(verb)
    return verb if verb in _ALONE else f"{verb}-{proof}"


def read(word: str) -> tuple[str, str]:
    """The verb of a link's word, and the code or game. Raises `Refused`."""
    if word in _ALONE:
        return word, ""
    verb, _, proof = word.partition("-")
    is_proof = proof.isascii() and proof.isalnum() and len(proof) <= _LONGEST
    if verb not in _ABOUT or not is_proof:
        raise Refused("link-unknown")
    return verb, proof
