"""Replies to interactions, which must be acknowledged within 3 seconds.

A command that takes longer than `PATIENCE` is deferred. If the interaction has expired (10062), the
bot itself posts the reply if it may.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import aiohttp
import discord
from structlog import get_logger

from bot.fronts.discord.error_codes import ACKNOWLEDGED, NO_MESSAGE, TOO_LATE, is_busy
from bot.fronts.discord.layout import Page

PATIENCE = 0.6

_KEPT = "✓"

_log = get_logger(__name__)

_NOBODY = discord.AllowedMentions.none()
_SELECTS = (discord.ComponentType.select.value, discord.ComponentType.user_select.value)
_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)
_Make = Callable[[], Page]


def _is_select(interaction: discord.Interaction[Any]) -> bool:
    data: Any = interaction.data or {}
    return data.get("component_type") in _SELECTS


class _Made(Protocol):
    """Receives the id of a message created by the interaction."""

    def __call__(self, message: int, /, *, is_first: bool) -> None: ...


class Reply:
    """The replies to one interaction.

    `made` receives ephemeral messages, which only the interaction can delete. `in_place`: the
    pressed message is ephemeral and may change into the reply.
    """

    def __init__(
        self, interaction: discord.Interaction[Any], made: _Made, *, in_place: bool
    ) -> None:
        self._interaction = interaction
        self._made = made
        self._is_press = interaction.type is discord.InteractionType.component
        self._is_choice = self._is_press and _is_select(interaction)
        self._in_place = in_place
        # An update resets the select (`_let_go`), so the reply is a new message.
        self._beside = self._is_choice and not in_place
        self._acknowledged = False
        self._is_update = False
        self._waits = False
        self._is_dead = False
        self.private_message: int | None = None
        # A deferral and a reply at the same moment must not both be first.
        self._one_by_one = asyncio.Lock()

    def keeps_its_message(self) -> None:
        """Reply in new messages: the pressed board can only be edited by interactions.

        The first response must be a deferral, so that the original response is the board.
        """
        self._in_place, self._beside = False, True

    @property
    def is_acknowledged(self) -> bool:
        return self._acknowledged

    @property
    def is_open(self) -> bool:
        """True if others may use the token. Not while the next message would replace a deferral."""
        return self._acknowledged and self._is_press

    @property
    def is_beside(self) -> bool:
        return not self._is_update

    async def defer(self) -> None:
        response = self._interaction.response

        async def acknowledge() -> None:
            if not (self._is_choice and await self._let_go()):
                await response.defer(ephemeral=not self._is_press, thinking=not self._is_press)
            self._waits = True

        await self._first(acknowledge, is_update=self._is_press)

    async def _let_go(self) -> bool:
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

        async def respond() -> None:
            page = make()
            if self._in_place:
                shown = await interaction.response.edit_message(
                    view=page.view, attachments=page.files, allowed_mentions=_NOBODY
                )
            else:
                shown = await interaction.response.send_message(
                    view=page.view, files=page.files, ephemeral=True
                )
            self._shown(shown.message_id if shown else None)

        if await self._is_first(respond, is_update=self._in_place):
            return
        if self._is_dead:
            await self._by_hand(interaction.user, make)
            return
        try:
            if self._waits and (self._in_place or not self._is_press):
                self._waits = False
                if await self._changed(make):
                    return
            page = make()
            said = await interaction.followup.send(
                view=page.view, files=page.files, ephemeral=True, wait=True
            )
            self._shown(said.id, is_first=False)
        except _FAILED as error:
            self._check_late(error)
            await self._by_hand(interaction.user, make)

    async def _changed(self, make: _Make) -> bool:
        page = make()
        try:
            shown = await self._interaction.edit_original_response(
                view=page.view, attachments=page.files, allowed_mentions=_NOBODY
            )
            self._shown(shown.id)
        except discord.NotFound as error:
            if error.code not in NO_MESSAGE:
                raise
            return False
        return True

    def _shown(self, message: int | None, *, is_first: bool = True) -> None:
        self.private_message = message
        if message is not None:
            self._made(message, is_first=is_first)

    async def window(self, modal: discord.ui.Modal, make: _Make) -> None:
        """Open a modal, or show the page of `make` if it is too late."""

        async def respond() -> None:
            await self._interaction.response.send_modal(modal)

        # A modal must be the first response.
        if self._beside or not await self._first(respond, is_update=False):
            await self.private(make)

    async def public(self, make: _Make) -> None:
        interaction = self._interaction

        async def respond() -> None:
            page = make()
            await interaction.response.send_message(view=page.view, files=page.files)

        if await self._is_first(respond, is_update=False):
            return
        if self._is_dead:
            await self._by_hand(interaction.channel, make)
            return
        try:
            if self._waits and not self._is_press:
                # The first followup replaces a deferral, which is ephemeral.
                await interaction.edit_original_response(content=_KEPT, allowed_mentions=_NOBODY)
            page = make()
            await interaction.followup.send(view=page.view, files=page.files)
            await self._tidy()
        except _FAILED as error:
            self._check_late(error)
            await self._by_hand(interaction.channel, make)

    async def done(self, make: _Make) -> None:
        """Finish without a message. The page of `make` answers a command and is deleted at once."""
        if self._is_press:
            await self.defer()
            await self._tidy()
            return
        await self.private(make)
        if not self._is_dead:
            await self._take_away()

    async def _tidy(self) -> None:
        if self._is_dead or not (self._in_place or (self._waits and not self._is_press)):
            return
        self._waits = False
        await self._take_away()

    async def _take_away(self) -> None:
        try:
            await self._interaction.delete_original_response()
        except discord.HTTPException as error:
            _log.info("private message not deleted", code=error.code)

    async def _is_first(self, answer: Callable[[], Any], *, is_update: bool) -> bool:
        if self._beside:
            await self.defer()
        return await self._first(answer, is_update=is_update)

    async def _first(self, answer: Callable[[], Any], *, is_update: bool) -> bool:
        """Send the first response. Return False if it must be sent in another way."""
        async with self._one_by_one:
            if self._acknowledged or self._is_dead:
                return False
            self._is_update = is_update
            return await self._tried(answer)

    async def _tried(self, answer: Callable[[], Any]) -> bool:
        try:
            await answer()
        except discord.InteractionResponded:
            self._acknowledged = True
            return False
        except _FAILED as error:
            if isinstance(error, discord.HTTPException) and error.code in ACKNOWLEDGED:
                # By an earlier request of ours whose response was lost.
                _log.info("interaction was acknowledged already", code=error.code)
                self._acknowledged = True
                return False
            self._check_late(error)
            return False
        self._acknowledged = True
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

    async def _by_hand(self, to: Any, make: _Make) -> None:
        page = make()
        try:
            await to.send(view=page.view, files=page.files)
        except (AttributeError, *_FAILED) as error:
            code = getattr(error, "code", None)
            _log.warning("answer could not be delivered", reason=type(error).__name__, code=code)
