"""Links to commands, with a payload like ``join-k7mf2qtx9wpa``, ``rules-othello`` or ``privacy``.

A match's number can be guessed, its code cannot: ``/join`` with the code accepts the challenge.
Links without a code grant nothing.
"""

import re
import secrets
from hashlib import sha256

from bot.domain.errors import Refused

_ABOUT = frozenset({"board", "hint", "join", "moves", "private", "record", "rules"})
_ALONE = frozenset({"matches", "privacy", "records"})
LINKED = _ABOUT | _ALONE
"""The verbs that a link may carry. None of them costs the user anything."""

# Without characters that are confused when read aloud or copied by hand.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 12
_GROUP = 4
_LONGEST = 32
_CODES = re.compile(r"[a-z0-9]{4}-?[a-z0-9]{4}-?[a-z0-9]{4}")


def new_code() -> str:
    """Return a random code of 59 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def readable_code(code: str) -> str:
    """Format a code: ``k7mf-2qtx-9wpa``."""
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def code_in(text: str) -> str:
    """Return the code in what a user typed, or ""."""
    code = "".join(char for char in text.casefold() if char not in "- ")
    return code if len(code) == _LENGTH and set(code) <= set(_ALPHABET) else ""


def has_code(text: str) -> bool:
    """Return whether `text` contains something that reads as a code, with or without hyphens."""
    return any(
        set(found.group().replace("-", "")) <= set(_ALPHABET)
        and ("-" in found.group() or any(map(str.isdigit, found.group())))
        for found in _CODES.finditer(text.casefold())
    )


def hashed(code: str) -> str:
    """Return the hash to store, for codes that grant more than a match."""
    return sha256(code.encode("ascii")).hexdigest()


def word_of(verb: str, proof: str) -> str:
    """Return a link's payload for `verb` and the code of a match or a game's id."""
    if verb not in LINKED:
        raise ValueError(verb)
    return verb if verb in _ALONE else f"{verb}-{proof}"


def read(word: str) -> tuple[str, str]:
    """Return the verb of a payload, and its code or game. Raises `Refused`."""
    if word in _ALONE:
        return word, ""
    verb, _, proof = word.partition("-")
    is_proof = proof.isascii() and proof.isalnum() and len(proof) <= _LONGEST
    if verb not in _ABOUT or not is_proof:
        raise Refused("link-unknown")
    return verb, proof
