"""Unregistered users: what they may do, and what others may do with them.

A spectator in a group is unregistered, and so is a user who deleted their account. Starting
something, being challenged or being blocked registers them. Looking at a match, or being named or
replied to, does not.
"""

import hmac
from dataclasses import replace
from hashlib import sha256

from bot.commands.base import Answer, Context, Handler
from bot.domain.errors import Refused
from bot.domain.model import PlaceKind, Stranger
from bot.screens import Screen

_BEGINS = {
    *("accept", "against", "apart", "decline", "join", "new", "puzzle", "start", "try"),
    "versus",
}
"""Verbs that register the user, if something must be stored."""
_OWN = {
    *("another", "block", "blocked", "erase", "export", "holiday", "language", "quiet"),
    *("records", "sessions", "settings", "unblock"),
}
"""Verbs about data that unregistered users do not have."""
_MAKES_KNOWN = {"block", "challenge", "start"}
"""Verbs that register the user they are about."""


def sign_of(key: bytes, stranger: Stranger) -> str:
    """Return a keyed hash that identifies an unregistered user while they wait for something."""
    purpose = hmac.digest(key, b"azumaya: strangers who wait", "sha256")
    who = f"{stranger.platform}:{stranger.external}".encode()
    return hmac.new(purpose, who, sha256).hexdigest()


def check(context: Context) -> None:
    """Check that the user is registered, or may do this unregistered. Raises `Refused`."""
    if not isinstance(context.command.client.user, Stranger):
        return
    if context.place.kind is PlaceKind.DIRECT:
        # Only deleted users are unregistered in a direct chat.
        raise Refused("forgotten")
    if context.command.verb in _OWN:
        raise Refused("nothing-stored")


async def run_unregistered(context: Context, user: Stranger, handler: Handler) -> Answer | Screen:
    """Run a command of an unregistered user. Raises `Refused`."""
    command = context.command
    try:
        return await handler(context)
    except Refused as refused:
        if refused.code != "forgotten" or command.verb not in _BEGINS:
            raise
    known = await context.app.directory.register(user)
    command = replace(command, client=replace(command.client, user=known))
    reader = replace(context.reader, user=known)
    return await handler(replace(context, command=command, reader=reader))


async def register_person(context: Context) -> Context:
    """Register the user that a registered user's command is about, if it does that."""
    command = context.command
    meant = command.person or command.replied
    if not isinstance(meant, Stranger) or command.verb not in _MAKES_KNOWN:
        return context
    person = await context.app.directory.register(meant)
    return replace(context, command=replace(command, person=person))
