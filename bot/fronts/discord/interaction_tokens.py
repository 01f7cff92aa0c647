"""Interaction tokens, for places where the bot itself may not post.

For 15 minutes, a token can post where the interaction happened: in group chats, in servers without
the app, in channels closed to the bot and, as ephemeral messages, in closed direct chats. Tokens
stay in memory only: they are secret and expire soon.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord
from cachetools import TTLCache

_GOOD_FOR = 14.5 * 60
_REMEMBERED = 4096
_DEEP = 2
"""Tokens per place, user and message. The previous one serves if the newest fails."""


@dataclass(slots=True)
class InteractionToken:
    """An interaction that can still be used."""

    interaction: discord.Interaction[Any]
    since: float
    only_way: bool
    """True if the bot itself may not post in this place."""
    tried: asyncio.Event = field(default_factory=asyncio.Event)
    """Set after the first response, which must precede all others, or if there will be none."""
    is_shut: bool = False
    is_beside: bool = False
    """True if the first response is a new message. Then it cannot edit the pressed one."""
    first: int = 0
    """The id of that message."""

    def was_pressed_at(self, key: str | int) -> bool:
        """True for the message with the button. After a deferral it is the original response."""
        message = self.interaction.message
        return message is not None and message.id == key

    def first_answered_by(self, key: str | int) -> bool:
        """True for the original response, which Discord addresses in a special way."""
        return key == self.first or self.was_pressed_at(key)

    def reaches(self, key: str | int) -> bool:
        return not (self.is_beside and self.was_pressed_at(key))


class InteractionTokens:
    """The newest tokens by place, user and message."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._interaction_tokens: TTLCache[str | int, tuple[InteractionToken, ...]] = TTLCache(
            _REMEMBERED, _GOOD_FOR, timer=clock
        )

    def keep(
        self, interaction: discord.Interaction[Any], place: str, *, only_way: bool
    ) -> InteractionToken:
        interaction_token = InteractionToken(interaction, self._clock(), only_way)
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
        if is_first:
            interaction_token.first = message
        self._interaction_tokens[message] = (interaction_token,)

    def to(self, key: str | int) -> InteractionToken | None:
        for interaction_token in self._interaction_tokens.get(key, ()):
            if self._clock() - interaction_token.since > _GOOD_FOR:
                self.shut(interaction_token)
            elif not interaction_token.is_shut and interaction_token.reaches(key):
                return interaction_token
        return None

    def open(self, interaction_token: InteractionToken, *, is_beside: bool) -> None:
        """Note the first response. `is_beside`: it did not update the pressed message."""
        interaction_token.is_beside = is_beside
        interaction_token.tried.set()

    def shut(self, interaction_token: InteractionToken) -> None:
        interaction_token.is_shut = True
        interaction_token.tried.set()
