"""Interaction tokens, for places where the bot itself may not post.

For 15 minutes, a token can post where the interaction happened: in group chats, in servers without
the app, in channels closed to the bot and, as ephemeral messages, in closed direct chats. Tokens
stay in memory only: they are secret and expire soon.
"""

import asyncio
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord
from cachetools import LRUCache

_GOOD_FOR = 14.5 * 60
_REMEMBERED = 4096
_DEEP = 2
"""Tokens per place, user and message. The previous one serves if the newest fails."""


@dataclass(slots=True)
class InteractionToken:
    """An interaction that can still be used."""

    interaction: discord.Interaction[Any]
    bot_cannot_post: bool
    """True if the bot itself may not post in this place."""
    since: float = field(default_factory=monotonic)
    tried: asyncio.Event = field(default_factory=asyncio.Event)
    """Set after the first response, which must precede all others, or if there will be none."""
    is_shut: bool = False
    is_new_message: bool = False
    """True if the first response is a new message. Then it cannot edit the pressed one."""
    first: int = 0
    """The id of that message."""

    def invalidate(self) -> None:
        self.is_shut = True
        self.tried.set()

    def reaches(self, key: str | int) -> bool:
        return not (self.is_new_message and self._was_pressed_at(key))

    async def edit(self, message: int, **shown: Any) -> None:
        if self._was_pressed_at(message):
            await self.interaction.edit_original_response(**shown)
        else:
            await self.interaction.followup.edit_message(message, **shown)

    async def delete(self, message: int) -> None:
        if message == self.first or self._was_pressed_at(message):
            await self.interaction.delete_original_response()
        else:
            await self.interaction.followup.delete_message(message)

    def _was_pressed_at(self, key: str | int) -> bool:
        """True for the message with the button. After a deferral it is the original response."""
        message = self.interaction.message
        return message is not None and message.id == key


class InteractionTokens:
    """The newest tokens by place, user and message."""

    def __init__(self) -> None:
        self._newest: LRUCache[str | int, tuple[InteractionToken, ...]] = LRUCache(_REMEMBERED)

    def keep(
        self, interaction: discord.Interaction[Any], place: str, *, only_way: bool
    ) -> InteractionToken:
        token = InteractionToken(interaction, only_way)
        keys: set[str | int] = {place, str(interaction.user.id)}
        if interaction.message:
            keys.add(interaction.message.id)
        for key in keys:
            self._newest[key] = (token, *self._newest.get(key, ()))[:_DEEP]
        return token

    def made(self, token: InteractionToken, message: int, *, is_first: bool = False) -> None:
        if is_first:
            token.first = message
        self._newest[message] = (token,)

    def to(self, key: str | int) -> InteractionToken | None:
        for token in self._newest.get(key, ()):
            if monotonic() - token.since > _GOOD_FOR:
                token.invalidate()
            elif not token.is_shut and token.reaches(key):
                return token
        return None
