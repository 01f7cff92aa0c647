"""Answers to interactions: acknowledged in time, delivered even when Discord was quicker.

An interaction wants a first answer within 3 seconds. We give it as soon as the command is done,
or, where that takes longer than `PATIENCE`, say that it will come. What cannot be said by the
interaction any more (10062) is said by the bot itself, where that is possible.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import aiohttp
import discord
from structlog import get_logger

from bot.fronts.discord.error_codes import ACKNOWLEDGED, NO_MESSAGE, TOO_LATE, is_busy
from bot.fronts.discord.layout import Page

__all__ = ["PATIENCE", "Reply"]

PATIENCE = 0.6
"""Seconds that a command may take before it is acknowledged without its answer."""

_KEPT = "✓"

_log = get_logger(__name__)

_NOBODY = discord.AllowedMentions.none()
_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)
_Make = Callable[[], Page]


def _is_select(interaction: discord.Interaction[Any]) -> bool:
    data: Any = interaction.data or {}
    return bool(data.get("component_type") == discord.ComponentType.select.value)


class _Made(Protocol):
    """Is told of a message that was made by the interaction; it may be the first answer."""

    def __call__(self, message: int, /, *, is_first: bool) -> None: ...


class Reply:
    """The one interaction, and what it has been told so far.

    `made` is told of what this person alone sees because of it: the interaction alone can take it
    away later. `in_place` means a press on a message that only this person sees, and that may
    change into the answer.
    """

    def __init__(
        self, interaction: discord.Interaction[Any], made: _Made, *, in_place: bool
    ) -> None:
        self._interaction = interaction
        self._made = made
        self._is_press = interaction.type is discord.InteractionType.component
        self._is_choice = self._is_press and _is_select(interaction)
        self._in_place = in_place
        # An update lets go of what was chosen (`_let_go`), so that the answer comes beside it.
        self._beside = self._is_choice and not in_place
        self._acknowledged = False
        self._is_update = False
        self._waits = False
        self._is_dead = False
        self.private_message: int | None = None
        """What this person alone sees because of it, as far as we know."""
        # What is deferred and what is answered at the same moment must not both be first.
        self._one_by_one = asyncio.Lock()

    def keeps_its_message(self) -> None:
        """What was pressed is a board that only interactions can edit: answers come beside it.

        The first answer must be a mere nod then: what it is about is what the interaction can
        edit later, and that is to be the board.
        """
        self._in_place, self._beside = False, True

    @property
    def is_acknowledged(self) -> bool:
        """Has the interaction had its first answer?"""
        return self._acknowledged

    @property
    def is_open(self) -> bool:
        """May others use the interaction, too? Not where the next message keeps a promise."""
        return self._acknowledged and self._is_press

    @property
    def is_beside(self) -> bool:
        """Was the first answer a message of its own, and no update of the one that was pressed?"""
        return not self._is_update

    async def defer(self) -> None:
        """Say that an answer will come."""
        response = self._interaction.response

        async def acknowledge() -> None:
            if not (self._is_choice and await self._let_go()):
                await response.defer(ephemeral=not self._is_press, thinking=not self._is_press)
            self._waits = True

        await self._first(acknowledge, is_update=self._is_press)

    async def _let_go(self) -> bool:
        """Acknowledge by an update without anything new; False where the message takes none.

        What was chosen stays chosen in a select until its message is updated (discord-api-docs
        issue 3441), and who chooses the same again is not heard (4801).
        """
        try:
            await self._interaction.response.edit_message()
        except discord.HTTPException as error:
            if error.code in TOO_LATE | ACKNOWLEDGED or is_busy(error):
                raise
            # It was deleted, say, or must not be edited: a mere nod touches no message.
            _log.info("select not let go of", code=error.code)
            return False
        return True

    async def private(self, make: _Make) -> None:
        """Show a page to this person alone."""
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
        """Turn what was promised, or pressed, into the answer; False where that was closed."""
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
        """Open a window to type in; the page that `make` gives where it is too late for that."""

        async def respond() -> None:
            await self._interaction.response.send_modal(modal)

        # It is opened as the first answer, or not at all.
        if self._beside or not await self._first(respond, is_update=False):
            await self.private(make)

    async def public(self, make: _Make) -> None:
        """Show a page to everybody in the place."""
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
                # What comes next takes the place of the promise, which was a private one.
                await interaction.edit_original_response(content=_KEPT, allowed_mentions=_NOBODY)
            page = make()
            await interaction.followup.send(view=page.view, files=page.files)
            await self._tidy()
        except _FAILED as error:
            self._check_late(error)
            await self._by_hand(interaction.channel, make)

    async def done(self, make: _Make) -> None:
        """Nothing more to say, and nothing to be dismissed by hand.

        A command wants an answer: the line that `make` gives, which goes at once. It keeps a
        promise, too, which else the next message would.
        """
        if self._is_press:
            await self.defer()
            await self._tidy()
            return
        await self.private(make)
        if not self._is_dead:
            await self._take_away()

    async def _tidy(self) -> None:
        """Take away a private message that has done its work, or a promise of an answer."""
        if self._is_dead or not (self._in_place or (self._waits and not self._is_press)):
            return
        self._waits = False
        await self._take_away()

    async def _take_away(self) -> None:
        try:
            await self._interaction.delete_original_response()
        except discord.HTTPException as error:
            _log.info("private message not taken away", code=error.code)

    async def _is_first(self, answer: Callable[[], Any], *, is_update: bool) -> bool:
        """Give the answer if it may be the first one."""
        if self._beside:
            await self.defer()
        return await self._first(answer, is_update=is_update)

    async def _first(self, answer: Callable[[], Any], *, is_update: bool) -> bool:
        """Give the first answer; False where another one must be found.

        `is_update` tells that it is one of the message that was pressed, if only a nod.
        """
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
                # By a request of ours whose answer was lost on the way.
                _log.info("interaction was acknowledged already", code=error.code)
                self._acknowledged = True
                return False
            self._check_late(error)
            return False
        self._acknowledged = True
        return True

    def _check_late(self, error: Exception) -> None:
        """Remember that the interaction is dead. Raises what is a mistake of ours."""
        if not isinstance(error, discord.HTTPException) or is_busy(error):
            _log.warning("Discord took no answer", reason=type(error).__name__)
        elif error.code in TOO_LATE:
            _log.warning("interaction expired before its answer", code=error.code)
        else:
            raise error
        self._is_dead = True

    async def _by_hand(self, to: Any, make: _Make) -> None:
        """Say it without the interaction: to the person, or into the channel."""
        page = make()
        try:
            await to.send(view=page.view, files=page.files)
        except (AttributeError, *_FAILED) as error:
            code = getattr(error, "code", None)
            _log.warning("answer could not be delivered", reason=type(error).__name__, code=code)
