"""Boards and notices as messages, for delivery.

A reference is a message's id; with a ``~`` in front it is one that only the interaction it was
posted by can reach (`bot.fronts.discord.interaction_tokens`). Posts carry a nonce that Discord
enforces: for some minutes it gives back the message that it has under it instead of making
another, so that what is said twice after a crash is said once. What the message shows by then may
be old.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.utils import MISSING
from structlog import get_logger

from bot.delivery import (
    ClosedError,
    GoneError,
    LaterError,
    MessageGoneError,
    Notice,
    Outgoing,
    Recipient,
)
from bot.fronts.discord import error_codes
from bot.fronts.discord.interaction_tokens import InteractionToken, InteractionTokens
from bot.fronts.discord.layout import Page, beside, is_shown, laid_out
from bot.fronts.discord.markdown import cut, plain
from bot.model import Place, PlaceKind
from bot.screens import lasting_buttons, with_text

__all__ = ["BoardPublisher"]

_log = get_logger(__name__)

_WEEK: Final = 10_080
"""Minutes after which Discord archives a quiet thread: the longest it offers."""
_SOON = 2.0
"""Seconds until an interaction that was not ready is tried again."""
_OPENING = 3.0
"""Seconds to wait for the first answer of an interaction."""

_CLOSED: Final = {
    error_codes.FORBIDDEN: "may not post here",
    error_codes.ARCHIVED: "may not open this thread again",
    error_codes.CLOSED_DIRECT: "takes no direct messages",
    error_codes.LOCKED: "may not write in this thread",
    error_codes.CLOSED_CHANNEL: "nobody may post here",
    error_codes.NOT_TAKEN: "a filter takes no such message here",
}
"""What closes a place to the bot in which people still are."""

_NOBODY = discord.AllowedMentions.none()
_Channel = discord.abc.Messageable


class _Make(Protocol):
    """Makes the page that is to be posted; by an interaction it says why it is there."""

    def __call__(self, *, by_token: bool = False) -> Page: ...


class BoardPublisher:
    """What the bot says by itself."""

    def __init__(
        self, client: discord.AutoShardedClient, interaction_tokens: InteractionTokens
    ) -> None:
        self._client = client
        self._interaction_tokens = interaction_tokens
        self._notes = error_codes.OnceLogger()

    # --- boards ---------------------------------------------------------------------------

    async def send(self, outgoing: Outgoing) -> str:
        """Post a board; by the bot itself if that may, else by an interaction."""
        place, make = outgoing.place, await _made(outgoing)
        interaction_token = self._interaction_tokens.to(place.external)
        is_direct = place.kind is PlaceKind.DIRECT
        may = _calling(outgoing.called)
        if interaction_token is not None and interaction_token.only_way and not is_direct:
            return await self._post_by_token(interaction_token, make, alone=False, may=may)
        try:
            return await self._post(place, make, nonce=outgoing.key, may=may)
        except ClosedError:
            if interaction_token is None:
                raise
            return await self._post_by_token(interaction_token, make, alone=is_direct, may=may)

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        """Show a board in its message, or in a new one where the old may not change any more."""
        place, make = outgoing.place, await _made(outgoing)
        if message.startswith("~"):
            return await self._edit_by_token(place, message, make)

        async def edit(channel: _Channel) -> str:
            page = make()
            part = channel.get_partial_message(int(message))  # type: ignore[attr-defined]
            await part.edit(view=page.view, attachments=page.files, allowed_mentions=_NOBODY)
            return message

        try:
            return await self._in_channel(place, edit)
        except discord.HTTPException as error:
            if error.code in error_codes.NO_MESSAGE:
                self._notes.note("board was deleted by somebody", outgoing.board.id, error)
                raise MessageGoneError from error
            if error.code in error_codes.EDITED_TOO_OFTEN:
                _log.info("board edited too often, posted anew", board=outgoing.board.id)
                reference = await self._post(place, make, nonce=f"{outgoing.key}n")
                await self.delete(place, message)
                return reference
            raise

    async def _post(
        self, place: Place, make: _Make, *, nonce: str, may: discord.AllowedMentions = _NOBODY
    ) -> str:
        async def send(channel: _Channel) -> str:
            page = make()
            message = await channel.send(
                view=page.view, files=page.files, nonce=nonce, allowed_mentions=may
            )
            if not is_shown(page.view, message):
                # Posted by us before, and not noted.
                page = make()
                with _unless(error_codes.NO_MESSAGE):
                    await message.edit(
                        view=page.view, attachments=page.files, allowed_mentions=_NOBODY
                    )
            return str(message.id)

        return await self._in_channel(place, send)

    async def _post_by_token(
        self,
        interaction_token: InteractionToken,
        make: _Make,
        *,
        alone: bool,
        may: discord.AllowedMentions = _NOBODY,
    ) -> str:
        async def send() -> str:
            page = make(by_token=True)
            message = await interaction_token.interaction.followup.send(
                view=page.view,
                files=page.files,
                ephemeral=alone,
                allowed_mentions=may,
                wait=True,
            )
            self._interaction_tokens.made(message.id, interaction_token)
            return f"~{message.id}"

        return await self._through(interaction_token, send)

    async def _edit_by_token(self, place: Place, reference: str, make: _Make) -> str:
        message_id = int(reference[1:])
        interaction_token = self._interaction_tokens.to(message_id)
        if interaction_token is None:
            # Its own token is dead; by the newest one of the place it can be posted anew.
            newest = self._interaction_tokens.to(place.external)
            if newest is None:
                raise ClosedError("its interaction is too old")
            return await self._post_by_token(newest, make, alone=place.kind is PlaceKind.DIRECT)
        way = interaction_token

        async def edit() -> str:
            page, interaction = make(by_token=True), way.interaction
            if way.was_pressed_at(message_id):
                await interaction.edit_original_response(
                    view=page.view, attachments=page.files, allowed_mentions=_NOBODY
                )
            else:
                await interaction.followup.edit_message(
                    message_id,
                    view=page.view,
                    attachments=page.files,
                    allowed_mentions=_NOBODY,
                )
            return reference

        return await self._through(way, edit, to=message_id)

    async def _through(
        self, interaction_token: InteractionToken, act: Callable[[], Awaitable[str]], *, to: int = 0
    ) -> str:
        """Do something by a token, once its interaction has had its first answer.

        `to` is the message that it is to change, if it is one that is there.
        """
        try:
            async with asyncio.timeout(_OPENING):
                await interaction_token.tried.wait()
            if interaction_token.is_shut or (to and not interaction_token.reaches(to)):
                # There may be another way.
                raise LaterError(0)
            return await act()
        except TimeoutError as error:
            raise LaterError(_SOON) from error
        except discord.HTTPException as error:
            if error.code in error_codes.TOO_LATE | error_codes.NO_MESSAGE:
                self._notes.note(
                    "interaction expired before its board", interaction_token.interaction.id
                )
                self._interaction_tokens.shut(interaction_token)
                raise LaterError(_SOON) from error
            if error_codes.is_busy(error):
                raise LaterError(_SOON) from error
            if closed := _closed_by(error):
                self._notes.note(closed, interaction_token.interaction.channel_id, error)
                raise ClosedError(closed) from error
            raise
        except (OSError, aiohttp.ClientError) as error:
            raise LaterError(_SOON) from error
        except RuntimeError as error:
            self._check_closed(error)
            raise LaterError(_SOON) from error

    def _check_closed(self, error: RuntimeError) -> None:
        """Raise what the library's session does not say once it is closed: others speak then."""
        if not self._client.is_closed():
            raise error

    # --- places ---------------------------------------------------------------------------

    async def _in_channel(
        self, place: Place, act: Callable[[_Channel], Awaitable[str]], *, opens: bool = True
    ) -> str:
        """Do something in the channel of a place; opens archived threads where it `opens` them.

        Raises a `DeliveryError`, or what concerns the message alone.
        """
        try:
            channel = await self._channel(place)
            try:
                done = await act(channel)
            except discord.HTTPException as error:
                if not opens or error.code not in error_codes.ARCHIVED:
                    raise
                await self._unarchive(place)
                done = await act(channel)
        except discord.HTTPException as error:
            meant = self._meant(place, error)
            if meant is None:
                raise
            raise meant from error
        except (OSError, aiohttp.ClientError) as error:
            self._notes.note("Discord is out of reach", place.external)
            raise LaterError from error
        except RuntimeError as error:
            self._check_closed(error)
            raise LaterError from error
        self._notes.well(place.external)
        return done

    def _meant(self, place: Place, error: discord.HTTPException) -> Exception | None:
        """What an error says about a place; None where it is about the message alone."""
        code = error.code
        if code in error_codes.GONE or (
            code in error_codes.FORBIDDEN and not self._is_member(place)
        ):
            return GoneError()
        if closed := _closed_by(error):
            self._notes.note(closed, place.external, error)
            return ClosedError(closed)
        if error_codes.is_busy(error):
            self._notes.note("Discord wants a pause", place.external, error)
            return LaterError()
        return None

    async def _channel(self, place: Place) -> _Channel:
        if place.kind is PlaceKind.DIRECT:
            return await self._client.create_dm(discord.Object(int(place.external)))
        guild, _, channel = place.external.partition("/")
        return self._client.get_partial_messageable(
            int(channel), guild_id=int(guild) if guild.isdigit() else None
        )

    def _is_member(self, place: Place) -> bool:
        """Is the bot (still) in the server of a place, if that is in one?"""
        guild, _, channel = place.external.partition("/")
        in_guild = bool(channel) and guild.isdigit()
        return not in_guild or self._client.get_guild(int(guild)) is not None

    async def _unarchive(self, place: Place) -> None:
        thread = int(place.external.partition("/")[2])
        await self._client.http.edit_channel(thread, archived=False, reason=None)

    async def delete(self, place: Place, message: str) -> None:
        """Delete a message of ours, if it is still there and can be reached."""
        if message.startswith("~"):
            await self._delete_by_token(message)
            return

        async def delete(channel: _Channel) -> str:
            part = channel.get_partial_message(int(message))  # type: ignore[attr-defined]
            await part.delete()
            return message

        # Where the bot may not do it, it stays.
        with suppress(ClosedError), _unless(error_codes.NO_MESSAGE):
            await self._in_channel(place, delete)

    async def _delete_by_token(self, reference: str) -> None:
        message_id = int(reference[1:])
        way = self._interaction_tokens.to(message_id)
        if way is None:
            return
        interaction = way.interaction

        async def delete() -> str:
            with _unless(error_codes.NO_MESSAGE):
                if way.first_answered_by(message_id):
                    await interaction.delete_original_response()
                else:
                    await interaction.followup.delete_message(message_id)
            return reference

        await self._through(way, delete, to=message_id)

    # --- threads --------------------------------------------------------------------------

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        """A thread under a message in a text channel; it has the id of that message."""
        guild, _, channel = place.external.partition("/")
        home = self._client.get_channel(int(channel)) if channel.isdigit() else None
        if not isinstance(home, discord.TextChannel) or not message.isdigit():
            return None
        try:
            await home.get_partial_message(int(message)).create_thread(
                name=cut(title, 100), auto_archive_duration=_WEEK
            )
        except discord.HTTPException as error:
            if error.code not in error_codes.THREAD_EXISTS:
                # Not about the place itself, where all is well as soon as the board is shown.
                self._notes.note("may not open threads", f"in {place.external}", error)
                return None
        return f"{guild}/{message}"

    async def close_thread(self, place: Place) -> None:
        """Archive a thread; whoever says something in it opens it again."""
        thread = int(place.external.partition("/")[2])

        async def archive(_channel: _Channel) -> str:
            await self._client.http.edit_channel(thread, archived=True, reason=None)
            return ""

        with _unless(error_codes.ARCHIVED):
            await self._in_channel(place, archive, opens=False)

    # --- notices --------------------------------------------------------------------------

    async def notify(self, place: Place, notice: Notice) -> str | None:
        """Tell people, in answer to their board."""
        names = " ".join(f"<@{one.external}>" for one in notice.recipients)
        # Outside mentions, what we say is plain text.
        lines = [f"{names} {plain(notice.text)}".strip(), plain(notice.aside)]
        text = "\n".join(line for line in lines if line)
        may = _calling(notice.recipients)
        if notice.board is not None and notice.board.startswith("~"):
            return await self._notify_by_token(place, notice.board, text, may)
        guild, _, channel = place.external.partition("/")
        message = int(notice.board or 0)
        view = beside(notice.buttons)

        async def say(to: _Channel, reference: Any) -> str:
            said = await to.send(
                text,
                reference=reference,
                allowed_mentions=may,
                nonce=f"p{notice.key}",
                view=view or MISSING,
            )
            return str(said.id)

        async def send(to: _Channel) -> str:
            if not message:
                return await say(to, None)
            where: Any = to
            reference = discord.MessageReference(
                message_id=message,
                channel_id=where.id,
                guild_id=int(guild) if channel and guild.isdigit() else None,
                fail_if_not_exists=False,
            )
            try:
                return await say(to, reference)
            except discord.HTTPException as error:
                if error.code not in error_codes.NO_HISTORY:
                    raise
                self._notes.note("may not reply, only say", f"in {place.external}", error)
                return await say(to, None)

        return await self._in_channel(place, send)

    async def _notify_by_token(
        self, place: Place, board: str, text: str, may: discord.AllowedMentions
    ) -> str | None:
        interaction_token = self._interaction_tokens.to(int(board[1:]))
        if interaction_token is None:
            return None
        way = interaction_token

        async def send() -> str:
            message = await way.interaction.followup.send(
                text,
                allowed_mentions=may,
                ephemeral=place.kind is PlaceKind.DIRECT,
                wait=True,
            )
            self._interaction_tokens.made(message.id, way)
            return f"~{message.id}"

        with suppress(LaterError):
            return await self._through(way, send)
        return None


def _calling(people: Sequence[Recipient]) -> discord.AllowedMentions:
    """A message may call these people, and nobody else."""
    users = [discord.Object(int(one.external)) for one in people]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def _closed_by(error: discord.HTTPException) -> str | None:
    """What has closed a place to us, for the log; None where an error says no such thing."""
    return next((event for codes, event in _CLOSED.items() if error.code in codes), None)


@contextmanager
def _unless(codes: frozenset[int]) -> Iterator[None]:
    """Nothing is wrong where Discord says one of these."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code not in codes:
            raise


async def _made(outgoing: Outgoing) -> _Make:
    """What makes the page of a board, as often as it is to be sent."""
    screen, loaded, texts = await outgoing.screen(), outgoing.loaded, outgoing.texts

    def make(*, by_token: bool = False) -> Page:
        closed = by_token and outgoing.place.kind is PlaceKind.DIRECT
        return laid_out(
            with_text(screen, texts("discord-closed")) if closed else screen,
            rest=lasting_buttons(loaded.match, texts),
            called=next(iter(outgoing.called), None),
        )

    return make
