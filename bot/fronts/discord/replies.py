"""Replies to interactions, which must be acknowledged within 3 seconds.

A command that takes longer than `PATIENCE` is deferred. If the interaction has expired (10062), the
bot itself posts the reply if it may.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
from structlog import get_logger

from bot.fronts.discord.error_codes import ACKNOWLEDGED, NO_MESSAGE, TOO_LATE, is_busy
from bot.fronts.discord.layout import Page

PATIENCE = 0.6

_KEPT = "✓"

_log = get_logger(__name__)

_SELECTS = (discord.ComponentType.select.value, discord.ComponentType.user_select.value)
_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)
_Make = Callable[[], Page]
_Act = Callable[[], Awaitable[None]]


class Reply:
    """The replies to one interaction.

    `made` receives ephemeral messages, which only the interaction can delete, and `is_first`.
    `in_place`: the pressed message is ephemeral and may change into the reply.
    """

    def __init__(
        self, interaction: discord.Interaction[Any], made: Callable[..., None], *, in_place: bool
    ) -> None:
        self._interaction = interaction
        self._made = made
        self._is_press = interaction.type is discord.InteractionType.component
        data: Any = interaction.data or {}
        self._is_choice = self._is_press and data.get("component_type") in _SELECTS
        self._in_place = in_place
        # An update resets the select (`_reset_select`), so the reply is a new message.
        self._replies_separately = self._is_choice and not in_place
        self.is_acknowledged = False
        self._is_update = False
        self._waits = False
        self._is_dead = False
        self.private_message: int | None = None
        # A deferral and a reply at the same moment must not both be first.
        self._one_by_one = asyncio.Lock()

    def reply_in_new_message(self) -> None:
        """Reply in new messages: the pressed board can only be edited by interactions.

        The first response must be a deferral, so that the original response is the board.
        """
        self._in_place, self._replies_separately = False, True

    @property
    def is_open(self) -> bool:
        """True if others may use the token. Not while the next message would replace a deferral."""
        return self.is_acknowledged and self._is_press

    @property
    def is_new_message(self) -> bool:
        return not self._is_update

    async def defer(self) -> None:
        response = self._interaction.response

        async def acknowledge() -> None:
            if not (self._is_choice and await self._reset_select()):
                await response.defer(ephemeral=not self._is_press, thinking=not self._is_press)
            self._waits = True

        await self._first(acknowledge, is_update=self._is_press)

    async def _reset_select(self) -> bool:
        """Acknowledge by an empty update. Return False if that fails.

        Otherwise a select keeps its option, which then cannot be chosen again (discord-api-docs
        issues 3441 and 4801).
        """
        try:
            await self._interaction.response.edit_message()
        except discord.HTTPException as error:
            if error.code in TOO_LATE | ACKNOWLEDGED or is_busy(error):
                raise
            # Deleted, for example, or not editable. A deferral needs no message.
            _log.info("select not reset", code=error.code)
            return False
        return True

    async def private(self, make: _Make) -> None:
        interaction = self._interaction

        async def first() -> None:
            response, page = interaction.response, make()
            if self._in_place:
                shown = await response.edit_message(**page.changed)
            else:
                shown = await response.send_message(**page.send_kwargs, ephemeral=True)
            self._record_message(shown.message_id if shown else None)

        async def later() -> None:
            if self._waits and (self._in_place or not self._is_press):
                self._waits = False
                if await self._changed(make):
                    return
            said = await interaction.followup.send(**make().send_kwargs, ephemeral=True, wait=True)
            self._record_message(said.id, is_first=False)

        await self._reply(first, later, interaction.user, make, is_update=self._in_place)

    async def public(self, make: _Make) -> None:
        interaction = self._interaction

        async def first() -> None:
            await interaction.response.send_message(**make().send_kwargs)

        async def later() -> None:
            if self._waits and not self._is_press:
                # The first followup replaces a deferral, which is ephemeral.
                await interaction.edit_original_response(content=_KEPT)
            await interaction.followup.send(**make().send_kwargs)
            await self._delete_placeholder()

        await self._reply(first, later, interaction.channel, make, is_update=False)

    async def _reply(
        self, first: _Act, later: _Act, to: Any, make: _Make, *, is_update: bool
    ) -> None:
        """Reply by the first response, by a followup, or as the bot itself."""
        if self._replies_separately:
            await self.defer()
        if await self._first(first, is_update=is_update):
            return
        try:
            if not self._is_dead:
                await later()
                return
        except _FAILED as error:
            self._check_late(error)
        try:
            await to.send(**make().send_kwargs)
        except (AttributeError, *_FAILED) as error:
            code = getattr(error, "code", None)
            _log.warning("answer could not be delivered", reason=type(error).__name__, code=code)

    async def _changed(self, make: _Make) -> bool:
        try:
            shown = await self._interaction.edit_original_response(**make().changed)
            self._record_message(shown.id)
        except discord.NotFound as error:
            if error.code not in NO_MESSAGE:
                raise
            return False
        return True

    def _record_message(self, message: int | None, *, is_first: bool = True) -> None:
        self.private_message = message
        if message is not None:
            self._made(message, is_first=is_first)

    async def window(self, modal: discord.ui.Modal, make: _Make) -> None:
        """Open a modal, or show the page of `make` if it is too late."""

        async def respond() -> None:
            await self._interaction.response.send_modal(modal)

        # A modal must be the first response.
        if self._replies_separately or not await self._first(respond, is_update=False):
            await self.private(make)

    async def finish(self, make: _Make) -> None:
        """Finish without a message. The page of `make` answers a command and is deleted at once."""
        if self._is_press:
            await self.defer()
            await self._delete_placeholder()
            return
        await self.private(make)
        await self._take_away()

    async def _delete_placeholder(self) -> None:
        if self._in_place or (self._waits and not self._is_press):
            self._waits = False
            await self._take_away()

    async def _take_away(self) -> None:
        if self._is_dead:
            return
        try:
            await self._interaction.delete_original_response()
        except discord.HTTPException as error:
            _log.info("private message not deleted", code=error.code)

    async def _first(self, answer: _Act, *, is_update: bool) -> bool:
        """Send the first response. Return False if it must be sent in another way."""
        async with self._one_by_one:
            if self.is_acknowledged or self._is_dead:
                return False
            self._is_update = is_update
            try:
                await answer()
            except discord.InteractionResponded:
                self.is_acknowledged = True
                return False
            except _FAILED as error:
                if isinstance(error, discord.HTTPException) and error.code in ACKNOWLEDGED:
                    # By an earlier request of ours whose response was lost.
                    _log.info("interaction was acknowledged already", code=error.code)
                    self.is_acknowledged = True
                else:
                    self._check_late(error)
                return False
            self.is_acknowledged = True
            return True

    def _check_late(self, error: Exception) -> None:
        """Mark the interaction as expired. Raises unexpected errors."""
        if not isinstance(error, discord.HTTPException) or is_busy(error):
            _log.warning("reply not accepted by Discord", reason=type(error).__name__)
        elif error.code in TOO_LATE:
            _log.warning("interaction expired before its answer", code=error.code)
        else:
            raise error
        self._is_dead = True
