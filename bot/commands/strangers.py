"""People of whom nothing is stored: what they may do, and what others may do with them.

Whoever looks on in a group and presses something is a stranger, and so is whoever has erased
themselves. They become a person by what they begin, not by what they look at; and by being asked
for a match or blocked, not by being answered or named.
"""

import hmac
from dataclasses import replace
from hashlib import sha256

from bot.commands.base import Answer, Context, Handler
from bot.errors import Refused
from bot.model import PlaceKind, Stranger

__all__ = ["are_there", "check", "sign_of", "with_strangers"]

_BEGINS = frozenset({"accept", "apart", "decline", "join", "new", "puzzle", "start"})
"""What makes somebody a person, once there is something to be stored of them."""
_OWN = frozenset(
    (
        "another",
        "block",
        "blocked",
        "erase",
        "export",
        "holiday",
        "language",
        "quiet",
        "sessions",
        "settings",
        "unblock",
    )
)
"""What is about things that a stranger has none of."""
_MAKES_KNOWN = frozenset({"block", "challenge"})
"""What makes whom it is about a person."""


def are_there(context: Context) -> bool:
    """Is a stranger among those whom a command is of or about?"""
    command = context.command
    return any(isinstance(one, Stranger) for one in (command.user, command.person, command.replied))


def sign_of(key: bytes, stranger: Stranger) -> str:
    """What tells this stranger from others for as long as they wait for something: a keyed hash."""
    purpose = hmac.digest(key, b"azumaya: strangers who wait", "sha256")
    who = f"{stranger.platform}:{stranger.external}".encode()
    return hmac.new(purpose, who, sha256).hexdigest()


def check(context: Context) -> None:
    """May whoever asks do so, if they are a stranger? Raises `Refused`."""
    if not isinstance(context.command.user, Stranger):
        return
    if context.place.kind is PlaceKind.DIRECT:
        # Whoever has spoken in a conversation of their own is none, unless they were erased.
        raise Refused("forgotten")
    if context.command.verb in _OWN:
        raise Refused("nothing-stored")


async def with_strangers(context: Context, handler: Handler) -> Answer:
    """Do what is asked, by a stranger or about one. Raises `Refused`."""
    command, directory = context.command, context.app.directory
    if isinstance(command.user, Stranger):
        try:
            return await handler(context)
        except Refused as refused:
            if refused.code != "forgotten" or command.verb not in _BEGINS:
                raise
        user = await directory.introduced(command.user)
        reader = replace(context.reader, user=user)
        return await handler(replace(context, command=replace(command, user=user), reader=reader))
    meant = command.person or command.replied
    if isinstance(meant, Stranger) and command.verb in _MAKES_KNOWN:
        person = await directory.introduced(meant)
        context = replace(context, command=replace(command, person=person))
    return await handler(context)
