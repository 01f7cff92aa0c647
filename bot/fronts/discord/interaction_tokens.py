"""The ways into places where a bot may not post by itself.

With the key (token) of an interaction one may answer for 15 minutes where it happened: in group
conversations, in servers that have not installed the app, in channels closed to the bot, and,
seen by one person alone, where their direct conversation is closed. Keys are kept in memory
only: they are secrets, and soon dead.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord

__all__ = ["InteractionToken", "InteractionTokens"]

_GOOD_FOR = 14.5 * 60
_REMEMBERED = 4096


@dataclass(slots=True)
class InteractionToken:
    """An interaction that may still be answered."""

    interaction: discord.Interaction[Any]
    since: float
    only_way: bool
    """Is the bot unable to post in this place by itself?"""
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the interaction has had its first answer, before which no other is taken."""


class InteractionTokens:
    """The newest token of each place, person and message."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._interaction_tokens: OrderedDict[str | int, InteractionToken] = OrderedDict()

    def keep(
        self, interaction: discord.Interaction[Any], place: str, *, only_way: bool
    ) -> InteractionToken:
        """Remember an interaction in `place`; the message it came from can be edited by it."""
        interaction_token = InteractionToken(interaction, self._clock(), only_way)
        keys = [place, str(interaction.user.id)]
        for key in keys + ([interaction.message.id] if interaction.message else []):
            self._keep(key, interaction_token)
        return interaction_token

    def made(self, message: int, interaction_token: InteractionToken) -> None:
        """Remember by which token a message was posted."""
        self._keep(message, interaction_token)

    def to(self, key: str | int) -> InteractionToken | None:
        """The token for a place, a person or a message, if one is alive."""
        interaction_token = self._interaction_tokens.get(key)
        if interaction_token is None or self._clock() - interaction_token.since > _GOOD_FOR:
            self._interaction_tokens.pop(key, None)
            return None
        return interaction_token

    def shut(self, interaction_token: InteractionToken) -> None:
        """Forget a token that turned out to be dead."""
        for key in [
            key for key, known in self._interaction_tokens.items() if known is interaction_token
        ]:
            del self._interaction_tokens[key]

    def _keep(self, key: str | int, interaction_token: InteractionToken) -> None:
        self._interaction_tokens[key] = interaction_token
        self._interaction_tokens.move_to_end(key)
        while len(self._interaction_tokens) > _REMEMBERED:
            self._interaction_tokens.popitem(last=False)
