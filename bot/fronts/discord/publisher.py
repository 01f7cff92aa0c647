"""Post and edit boards and notices on Discord.

A reference is a message id. With the prefix ``~``, only an interaction token can reach the message
(`bot.fronts.discord.interaction_tokens`). Posts carry an enforced nonce: for a few minutes, Discord
returns the earlier message instead of posting a second one. Its content may be old by then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
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
from bot.domain.model import Place, PlaceKind
from bot.fronts.discord import error_codes
from bot.fronts.discord.interaction_tokens import InteractionToken, InteractionTokens
from bot.fronts.discord.layout import Page, beside, is_shown, laid_out
from bot.fronts.discord.markdown import cut, plain
from bot.screens import lasting_buttons, with_text

_log = get_logger(__name__)

_WEEK: Final = 10_080
"""Minutes until Discord archives an inactive thread: the longest it offers."""
_LONGEST_MESSAGE: Final = 2000
_SOON = 2.0
_OPENING = 3.0

_CLOSED: Final = {
    error_codes.FORBIDDEN: "may not post here",
    error_codes.ARCHIVED: "may not reopen this thread",
    error_codes.CLOSED_DIRECT: "does not accept direct messages",
    error_codes.LOCKED: "may not write in this thread",
    error_codes.CLOSED_CHANNEL: "no one may post in this channel",
    error_codes.NOT_TAKEN: "a filter rejects this message",
}
"""Log events for codes that close a place to the bot."""

_NOBODY = discord.AllowedMentions.none()
_Channel = discord.abc.Messageable


class _Make(Protocol):
    """Lay out the page. `by_token`: explain it in a closed direct chat."""

    def __call__(self, *, by_token: bool = False) -> Page: ...


class BoardPublisher:
    """Post boards and notices."""

    def __init__(
        self, client: discord.AutoShardedClient, interaction_tokens: InteractionTokens
    ) -> None:
        self._client = client
        self._interaction_tokens = interaction_tokens
        self._notes = error_codes.OnceLogger()

    async def send(self, outgoing: Outgoing) -> str:
        """Post a board, by an interaction token if the bot itself may not."""
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
        """Edit the message of a board. Post a new one if it was edited too often."""
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
                self._notes.note("board was deleted", outgoing.board.id, error)
                raise MessageGoneError from error
            if error.code in error_codes.EDITED_TOO_OFTEN:
                _log.info("board edited too often, posted again", board=outgoing.board.id)
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
                # An earlier attempt posted it.
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
            # Its token has expired. Post again by the newest token of the place.
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
        """Use a token after its first response. `to` is the message to change, if any."""
        try:
            async with asyncio.timeout(_OPENING):
                await interaction_token.tried.wait()
            if interaction_token.is_shut or (to and not interaction_token.reaches(to)):
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
        """Check that the client was closed: another process delivers then. Raises `error`."""
        if not self._client.is_closed():
            raise error

    async def _in_channel(
        self, place: Place, act: Callable[[_Channel], Awaitable[str]], *, opens: bool = True
    ) -> str:
        """Act in a channel. Raises `DeliveryError`, or an error of the message itself."""
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
            self._notes.note("Discord cannot be reached", place.external)
            raise LaterError from error
        except RuntimeError as error:
            self._check_closed(error)
            raise LaterError from error
        self._notes.well(place.external)
        return done

    def _meant(self, place: Place, error: discord.HTTPException) -> Exception | None:
        """Return the error of a place. None if only the message is concerned."""
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
        """True if the place is in no server, or the bot is a member of its server."""
        guild, _, channel = place.external.partition("/")
        in_guild = bool(channel) and guild.isdigit()
        return not in_guild or self._client.get_guild(int(guild)) is not None

    async def _unarchive(self, place: Place) -> None:
        thread = int(place.external.partition("/")[2])
        await self._client.http.edit_channel(thread, archived=False, reason=None)

    async def delete(self, place: Place, message: str) -> None:
        if message.startswith("~"):
            await self._delete_by_token(message)
            return

        async def delete(channel: _Channel) -> str:
            part = channel.get_partial_message(int(message))  # type: ignore[attr-defined]
            await part.delete()
            return message

        # Without the permission, the message stays.
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

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        """Open a thread under a message in a text channel. It gets the id of the message."""
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
                # Logged about a key that `well` does not reset when the board is shown.
                self._notes.note("may not open threads", f"in {place.external}", error)
                return None
        return f"{guild}/{message}"

    async def close_thread(self, place: Place) -> None:
        """Archive a thread. A new message in it reopens it."""
        thread = int(place.external.partition("/")[2])

        async def archive(_channel: _Channel) -> str:
            await self._client.http.edit_channel(thread, archived=True, reason=None)
            return ""

        with _unless(error_codes.ARCHIVED):
            await self._in_channel(place, archive, opens=False)

    async def notify(self, place: Place, notice: Notice) -> str | None:
        interaction_token = self._interaction_tokens.to(place.external)
        if notice.board is not None and notice.board.startswith("~"):
            of_board = self._interaction_tokens.to(int(notice.board[1:]))
            return await self._notify_by_token(place, of_board or interaction_token, notice)
        guild, _, channel = place.external.partition("/")
        message = int(notice.board or 0)
        view = beside(notice.buttons)

        async def say(to: _Channel, reference: Any) -> str:
            said = await to.send(
                reference=reference, nonce=f"p{notice.key}", view=view or MISSING, **_said(notice)
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
                self._notes.note("may not reply, only post", f"in {place.external}", error)
                return await say(to, None)

        try:
            return await self._in_channel(place, send)
        except ClosedError:
            if interaction_token is None:
                raise
            return await self._notify_by_token(place, interaction_token, notice)

    async def _notify_by_token(
        self, place: Place, interaction_token: InteractionToken | None, notice: Notice
    ) -> str | None:
        if interaction_token is None:
            return None
        way = interaction_token

        async def send() -> str:
            message = await way.interaction.followup.send(
                ephemeral=place.kind is PlaceKind.DIRECT, wait=True, **_said(notice)
            )
            self._interaction_tokens.made(message.id, way)
            return f"~{message.id}"

        with suppress(LaterError):
            return await self._through(way, send)
        return None


def _said(notice: Notice) -> dict[str, Any]:
    names = " ".join(f"<@{one.external}>" for one in notice.recipients)
    lines = [f"{names} {plain(notice.text)}".strip(), plain(notice.aside)]
    said: dict[str, Any] = {"allowed_mentions": _calling(notice.recipients)}
    said["content"] = cut("\n".join(line for line in lines if line), _LONGEST_MESSAGE)
    if notice.picture is not None:
        # A file can only be sent once.
        data, alt = BytesIO(notice.picture.data), cut(notice.alt, 1024)
        said["file"] = discord.File(data, "analysis.png", description=alt)
    return said


def _calling(people: Sequence[Recipient]) -> discord.AllowedMentions:
    users = [discord.Object(int(one.external)) for one in people]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def _closed_by(error: discord.HTTPException) -> str | None:
    return next((event for codes, event in _CLOSED.items() if error.code in codes), None)


@contextmanager
def _unless(codes: frozenset[int]) -> Iterator[None]:
    try:
        yield
    except discord.HTTPException as error:
        if error.code not in codes:
            raise


async def _made(outgoing: Outgoing) -> _Make:
    """Return what lays out the board. A page can only be sent once."""
    screen, loaded, texts = await outgoing.screen(), outgoing.loaded, outgoing.texts

    def make(*, by_token: bool = False) -> Page:
        closed = by_token and outgoing.place.kind is PlaceKind.DIRECT
        return laid_out(
            with_text(screen, texts("discord-closed")) if closed else screen,
            rest=lasting_buttons(loaded.match, texts),
            called=next(iter(outgoing.called), None),
        )

    return make
