"""Replies to interactions, which must be acknowledged within 3 seconds.

A command that takes longer than `PATIENCE` is deferred. If the interaction has expired (10062), the
bot itself posts the reply if it may.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import aiohttp
import discord
from structlog import get_logger

from bot.fronts.discord.error_codes import ACKNOWLEDGED, NO_MESSAGE, TOO_LATE, is_busy, unless
from bot.fronts.discord.interaction_tokens import InteractionToken, InteractionTokens
from bot.fronts.discord.layout import Page

PATIENCE = 0.6

_KEPT = "✓"

_log = get_logger(__name__)

_SELECTS = (discord.ComponentType.select.value, discord.ComponentType.user_select.value)
_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)
_Make = Callable[[], Page]
_Act = Callable[[], Awaitable[object]]


class Reply:
    """The replies to one interaction, one after the other.

    `tokens` gets the ephemeral messages, which only `token` can delete.
    """

    def __init__(self, token: InteractionToken, tokens: InteractionTokens) -> None:
        self._token = token
        self._tokens = tokens
        self._interaction = interaction = token.interaction
        self._is_press = interaction.type is discord.InteractionType.component
        data: Any = interaction.data or {}
        self._is_choice = self._is_press and data.get("component_type") in _SELECTS
        self._in_place = False
        """True if the pressed message is ephemeral and may change into the reply."""
        # The message may be a board that can only be edited by interactions: no apology must
        # replace it. The first response is a deferral, so that the original response is the board.
        self._replies_separately = True
        self._is_acknowledged = False
        self._waits = False
        self._is_dead = False
        self.private_message: int | None = None

    def reply_in_place(self) -> None:
        """Reply in the first response, and in the pressed message if it is ephemeral."""
        message = self._interaction.message
        self._in_place = message is not None and message.flags.ephemeral
        # An update resets the select (`_reset_select`), so the reply is a new message.
        self._replies_separately = self._is_choice and not self._in_place

    async def defer(self) -> None:
        response = self._interaction.response

        async def acknowledge() -> None:
            if not (self._is_choice and await self._reset_select()):
                await response.defer(ephemeral=not self._is_press, thinking=not self._is_press)
            self._waits = True

        await self._first(acknowledge, is_update=self._is_press)
        if self._is_acknowledged and self._is_press:
            # Otherwise the next message would replace the deferral.
            self._token.tried.set()

    def close(self) -> None:
        """Let others use the token if there was a first response. Discord refuses it otherwise."""
        if self._is_acknowledged:
            self._token.tried.set()
        else:
            self._token.invalidate()

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

    async def show(self, make: _Make, *, is_private: bool) -> None:
        """Reply by the first response, by a followup, or as the bot itself."""
        if self._replies_separately:
            await self.defer()
        respond = partial(self._respond, make, is_private=is_private)
        if await self._first(respond, is_update=is_private and self._in_place):
            return
        try:
            if not self._is_dead:
                await self._follow_up(make, is_private=is_private)
                return
        except _FAILED as error:
            self._check_late(error)
        to: Any = self._interaction.user if is_private else self._interaction.channel
        try:
            await to.send(**make().send_kwargs)
        except (AttributeError, *_FAILED) as error:
            code = getattr(error, "code", None)
            _log.warning("answer could not be delivered", reason=type(error).__name__, code=code)

    async def _respond(self, make: _Make, *, is_private: bool) -> None:
        response, page = self._interaction.response, make()
        if is_private and self._in_place:
            shown = await response.edit_message(**page.changed)
        else:
            shown = await response.send_message(**page.send_kwargs, ephemeral=is_private)
        if is_private and shown and shown.message_id:
            self._record(shown.message_id, is_first=True)

    async def _follow_up(self, make: _Make, *, is_private: bool) -> None:
        interaction, is_promise = self._interaction, self._waits and not self._is_press
        if is_private and self._waits and (self._in_place or is_promise):
            self._waits = False
            with unless(NO_MESSAGE):
                shown = await interaction.edit_original_response(**make().changed)
                self._record(shown.id, is_first=True)
                return
        if not is_private and is_promise:
            # The first followup replaces a deferral, which is ephemeral.
            await interaction.edit_original_response(content=_KEPT)
        page = make()
        said = await interaction.followup.send(**page.send_kwargs, ephemeral=is_private, wait=True)
        if is_private:
            self._record(said.id)
        else:
            await self._delete_placeholder()

    def _record(self, message: int, *, is_first: bool = False) -> None:
        self.private_message = message
        self._tokens.made(self._token, message, is_first=is_first)

    async def window(self, modal: discord.ui.Modal, make: _Make) -> None:
        """Open a modal, or show the page of `make` if it is too late."""
        send = partial(self._interaction.response.send_modal, modal)
        # A modal must be the first response.
        if self._replies_separately or not await self._first(send, is_update=False):
            await self.show(make, is_private=True)

    async def finish(self, make: _Make) -> None:
        """Finish without a message. The page of `make` answers a command and is deleted at once."""
        if self._is_press:
            await self.defer()
            await self._delete_placeholder()
            return
        await self.show(make, is_private=True)
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
        if self._is_acknowledged or self._is_dead:
            return False
        self._token.is_new_message = not is_update
        try:
            await answer()
        except _FAILED as error:
            code = getattr(error, "code", None)
            if code not in ACKNOWLEDGED:
                self._check_late(error)
                return False
            # By an earlier request of ours whose response was lost.
            _log.info("interaction was acknowledged already", code=code)
            self._is_acknowledged = True
            return False
        self._is_acknowledged = True
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
