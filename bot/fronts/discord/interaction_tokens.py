"""The ways into places where a bot may not post by itself.

With the key (token) of an interaction one may answer for 15 minutes where it happened: in group
conversations, in servers that have not installed the app, in channels closed to the bot, and,
seen by one person alone, where their direct conversation is closed. Keys are kept in memory
only: they are secrets, and soon dead.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord
from cachetools import TTLCache

__all__ = ["InteractionToken", "InteractionTokens"]

_GOOD_FOR = 14.5 * 60
_REMEMBERED = 4096
_DEEP = 2
"""Tokens for each place, person and message: the one before serves where the newest fails."""


@dataclass(slots=True)
class InteractionToken:
    """An interaction that may still be answered."""

    interaction: discord.Interaction[Any]
    since: float
    only_way: bool
    """Is the bot unable to post in this place by itself?"""
    tried: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the interaction has had its first answer, before which no other is taken, or when
    it is certain that it will have none."""
    is_shut: bool = False
    is_beside: bool = False
    """Was its first answer a message of its own, so that it cannot edit the one it came from?"""
    first: int = 0
    """The message that its first answer is, where that is one of its own."""

    def was_pressed_at(self, key: str | int) -> bool:
        """Is this the message with the button? After a nod it is the interaction's first answer."""
        message = self.interaction.message
        return message is not None and message.id == key

    def first_answered_by(self, key: str | int) -> bool:
        """Is this the message of its first answer, for which Discord has a name of its own?"""
        return key == self.first or self.was_pressed_at(key)

    def reaches(self, key: str | int) -> bool:
        """Is this a way to a message, or a place? Only a nod keeps the way to what was pressed."""
        return not (self.is_beside and self.was_pressed_at(key))


class InteractionTokens:
    """The newest tokens of each place, person and message."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._interaction_tokens: TTLCache[str | int, tuple[InteractionToken, ...]] = TTLCache(
            _REMEMBERED, _GOOD_FOR, timer=clock
        )

    def keep(
        self, interaction: discord.Interaction[Any], place: str, *, only_way: bool
    ) -> InteractionToken:
        """Remember an interaction in `place`; the message it came from can be edited by it."""
        interaction_token = InteractionToken(interaction, self._clock(), only_way)
        # A direct conversation is called as its person is.
        keys: dict[str | int, None] = {place: None, str(interaction.user.id): None}
        if interaction.message:
            keys[interaction.message.id] = None
        for key in keys:
            self._interaction_tokens[key] = (
                interaction_token,
                *self._interaction_tokens.get(key, ()),
            )[:_DEEP]
        return interaction_token

    def made(
        self, message: int, interaction_token: InteractionToken, *, is_first: bool = False
    ) -> None:
        """Remember by which token a message was posted, perhaps as its first answer."""
        if is_first:
            interaction_token.first = message
        self._interaction_tokens[message] = (interaction_token,)

    def to(self, key: str | int) -> InteractionToken | None:
        """The newest token for a place, a person or a message that may be alive."""
        for interaction_token in self._interaction_tokens.get(key, ()):
            if self._clock() - interaction_token.since > _GOOD_FOR:
                self.shut(interaction_token)
            elif not interaction_token.is_shut and interaction_token.reaches(key):
                return interaction_token
        return None

    def open(self, interaction_token: InteractionToken, *, is_beside: bool) -> None:
        """The interaction has had its first answer: others are taken.

        `is_beside` tells that it was no update of the message that was pressed.
        """
        interaction_token.is_beside = is_beside
        interaction_token.tried.set()

    def shut(self, interaction_token: InteractionToken) -> None:
        """Never use a token (again): it had no first answer in time, or has turned out dead."""
        interaction_token.is_shut = True
        interaction_token.tried.set()
