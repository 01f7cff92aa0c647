"""Post and edit boards and notices on Discord.

A reference is a message id. With the prefix ``~``, only an interaction token can reach the message
(`bot.fronts.discord.interaction_tokens`). Posts carry an enforced nonce: for a few minutes, Discord
returns the earlier message instead of posting a second one. Its content may be old by then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.utils import MISSING
from structlog import get_logger

from bot.delivery import (
    ClosedError,
    GoneError,
    MessageGoneError,
    Notice,
    Outgoing,
    Recipient,
    RetryError,
)
from bot.domain.model import Place, PlaceKind
from bot.fronts.discord import error_codes
from bot.fronts.discord.client import Client
from bot.fronts.discord.interaction_tokens import InteractionToken
from bot.fronts.discord.layout import Page, beside, is_shown, lay_out
from bot.fronts.discord.markdown import escape, truncate
from bot.screens import Screen, lasting_buttons, with_text

_log = get_logger(__name__)

T = TypeVar("T")

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
_Make = Callable[..., Page]
"""Lay out a page, which can only be sent once. `by_token`: explain it in a closed direct chat."""


class BoardPublisher:
    """Post boards and notices."""

    def __init__(self, client: Callable[[], Client]) -> None:
        """`client` returns the connected client. Raises `RetryError`."""
        self._client = client
        self._notes = error_codes.OnceLogger()

    def _token(self, key: str | int) -> InteractionToken | None:
        return self._client().interaction_tokens.to(key)

    async def send(self, outgoing: Outgoing) -> str:
        """Post a board, by an interaction token if the bot itself may not."""
        place, make = outgoing.place, await self._drawn(outgoing)
        token = self._token(place.external)
        is_direct = place.kind is PlaceKind.DIRECT
        may = _calling(outgoing.mentions)
        if token is None or not token.bot_cannot_post or is_direct:
            try:
                return await self._post(place, make, nonce=outgoing.key, may=may)
            except ClosedError:
                if token is None:
                    raise
        return await self._post_by_token(token, make, alone=is_direct, may=may)

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        """Edit the message of a board. Post a new one if it was edited too often."""
        place, make = outgoing.place, await self._drawn(outgoing)
        if message.startswith("~"):
            return await self._edit_by_token(place, message, make)

        async def edit(channel: _Channel) -> str:
            part = channel.get_partial_message(int(message))  # type: ignore[attr-defined]
            await part.edit(**make().changed)
            return message

        try:
            return await self._in_channel(place, edit)
        except discord.HTTPException as error:
            if error.code in error_codes.NO_MESSAGE:
                self._notes.warn("board was deleted", outgoing.board.id, error)
                raise MessageGoneError from error
            if error.code in error_codes.EDITED_TOO_OFTEN:
                _log.info("board edited too often, posted again", board=outgoing.board.id)
                reference = await self._post(place, make, nonce=f"{outgoing.key}n")
                await self.delete(place, message)
                return reference
            raise

    async def _drawn(self, outgoing: Outgoing) -> _Make:
        self._client()
        return partial(_page, outgoing, await outgoing.screen())

    async def _post(
        self, place: Place, make: _Make, *, nonce: str, may: discord.AllowedMentions = _NOBODY
    ) -> str:
        async def send(channel: _Channel) -> str:
            page = make()
            message = await channel.send(**page.send_kwargs, nonce=nonce, allowed_mentions=may)
            if not is_shown(page.view, message):
                # An earlier attempt posted it.
                with _unless(error_codes.NO_MESSAGE):
                    await message.edit(**make().changed)
            return str(message.id)

        return await self._in_channel(place, send)

    async def _post_by_token(
        self,
        token: InteractionToken,
        make: _Make,
        *,
        alone: bool,
        may: discord.AllowedMentions = _NOBODY,
    ) -> str:
        page = make(by_token=True)
        return await self._say_by_token(
            token, **page.send_kwargs, ephemeral=alone, allowed_mentions=may
        )

    async def _say_by_token(self, token: InteractionToken, **said: Any) -> str:
        async def say() -> str:
            message = await token.interaction.followup.send(wait=True, **said)
            self._client().interaction_tokens.made(token, message.id)
            return f"~{message.id}"

        return await self._with_token(token, say)

    async def _edit_by_token(self, place: Place, reference: str, make: _Make) -> str:
        message = int(reference[1:])
        if token := self._token(message):
            changed = make(by_token=True).changed
            await self._with_token(token, partial(token.edit, message, **changed), to=message)
            return reference
        # Its token has expired. Post again by the newest token of the place.
        newest = self._token(place.external)
        if newest is None:
            raise ClosedError("its interaction is too old")
        return await self._post_by_token(newest, make, alone=place.kind is PlaceKind.DIRECT)

    async def _with_token(
        self, token: InteractionToken, act: Callable[[], Awaitable[T]], *, to: int = 0
    ) -> T:
        """Use a token after its first response. `to` is the message to change, if any."""

        def meant(error: discord.HTTPException) -> Exception | None:
            if error.code in error_codes.TOO_LATE | error_codes.NO_MESSAGE:
                self._notes.warn("interaction expired before its board", token.interaction.id)
                token.invalidate()
                return RetryError(_SOON)
            return self._closed_by(error, token.interaction.channel_id)

        with self._translated(token.interaction.channel_id, meant):
            async with asyncio.timeout(_OPENING):
                await token.tried.wait()
            if token.is_shut or (to and not token.reaches(to)):
                raise RetryError(0)
            return await act()

    async def _in_channel(
        self, place: Place, act: Callable[[_Channel], Awaitable[str]], *, opens: bool = True
    ) -> str:
        """Act in a channel. Raises `DeliveryError`, or an error of the message itself."""

        def meant(error: discord.HTTPException) -> Exception | None:
            is_gone = error.code in error_codes.FORBIDDEN and not self._is_member(place)
            if is_gone or error.code in error_codes.GONE:
                return GoneError()
            return self._closed_by(error, place.external)

        with self._translated(place.external, meant):
            channel = await self._channel(place)
            try:
                done = await act(channel)
            except discord.HTTPException as error:
                if not opens or error.code not in error_codes.ARCHIVED:
                    raise
                await self._archive(place, archived=False)
                done = await act(channel)
        self._notes.well(place.external)
        return done

    @contextmanager
    def _translated(
        self, about: Any, meant: Callable[[discord.HTTPException], Exception | None]
    ) -> Iterator[None]:
        """Raise what an error means. Errors that only concern the message stay as they are."""
        try:
            yield
        except discord.HTTPException as error:
            if meaning := meant(error):
                raise meaning from error
            raise
        except (OSError, aiohttp.ClientError) as error:
            self._notes.warn("Discord cannot be reached", about)
            raise RetryError(_SOON) from error
        except RuntimeError:
            # The client was closed: another process delivers then.
            self._client()
            raise

    def _closed_by(self, error: discord.HTTPException, about: Any) -> Exception | None:
        for codes, event in _CLOSED.items():
            if error.code in codes:
                self._notes.warn(event, about, error)
                return ClosedError(event)
        if error_codes.is_busy(error):
            self._notes.warn("Discord wants a pause", about, error)
            return RetryError(_SOON)
        return None

    async def _channel(self, place: Place) -> _Channel:
        if place.kind is PlaceKind.DIRECT:
            return await self._client().create_dm(discord.Object(int(place.external)))
        guild, _, channel = place.external.partition("/")
        return self._client().get_partial_messageable(
            int(channel), guild_id=int(guild) if guild.isdigit() else None
        )

    def _is_member(self, place: Place) -> bool:
        """True if the place is in no server, or the bot is a member of its server."""
        guild, _, channel = place.external.partition("/")
        in_guild = bool(channel) and guild.isdigit()
        return not in_guild or self._client().get_guild(int(guild)) is not None

    async def _archive(self, place: Place, *, archived: bool) -> None:
        thread = int(place.external.partition("/")[2])
        await self._client().http.edit_channel(thread, archived=archived, reason=None)

    async def delete(self, place: Place, message: str) -> None:
        if message.startswith("~"):
            if token := self._token(int(message[1:])):
                with _unless(error_codes.NO_MESSAGE):
                    await self._with_token(token, partial(token.delete, int(message[1:])))
            return

        async def delete(channel: _Channel) -> str:
            part = channel.get_partial_message(int(message))  # type: ignore[attr-defined]
            await part.delete()
            return message

        # Without the permission, the message stays.
        with suppress(ClosedError), _unless(error_codes.NO_MESSAGE):
            await self._in_channel(place, delete)

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        """Open a thread under a message in a text channel. It gets the id of the message."""
        guild, _, channel = place.external.partition("/")
        home = self._client().get_channel(int(channel)) if channel.isdigit() else None
        if not isinstance(home, discord.TextChannel) or not message.isdigit():
            return None
        try:
            await home.get_partial_message(int(message)).create_thread(
                name=truncate(title, 100), auto_archive_duration=_WEEK
            )
        except discord.HTTPException as error:
            if error.code not in error_codes.THREAD_EXISTS:
                # Logged about a key that `well` does not reset when the board is shown.
                self._notes.warn("may not open threads", f"in {place.external}", error)
                return None
        return f"{guild}/{message}"

    async def close_thread(self, place: Place) -> None:
        """Archive a thread. A new message in it reopens it."""

        async def archive(_channel: _Channel) -> str:
            await self._archive(place, archived=True)
            return ""

        with _unless(error_codes.ARCHIVED):
            await self._in_channel(place, archive, opens=False)

    async def notify(self, place: Place, notice: Notice) -> str | None:
        if notice.board is not None and notice.board.startswith("~"):
            token = self._token(int(notice.board[1:])) or self._token(place.external)
            return await self._notify_by_token(place, token, notice) if token else None
        guild, _, channel = place.external.partition("/")
        message = int(notice.board or 0)
        view = beside(notice.buttons) or MISSING

        async def say(to: _Channel, reference: Any) -> str:
            said = await to.send(
                reference=reference, nonce=f"p{notice.key}", view=view, **_said(notice)
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
                self._notes.warn("may not reply, only post", f"in {place.external}", error)
                return await say(to, None)

        try:
            return await self._in_channel(place, send)
        except ClosedError:
            token = self._token(place.external)
            if token is None:
                raise
            return await self._notify_by_token(place, token, notice)

    async def _notify_by_token(
        self, place: Place, token: InteractionToken, notice: Notice
    ) -> str | None:
        with suppress(RetryError):
            is_direct = place.kind is PlaceKind.DIRECT
            return await self._say_by_token(token, ephemeral=is_direct, **_said(notice))
        return None


def _said(notice: Notice) -> dict[str, Any]:
    names = " ".join(f"<@{one.external}>" for one in notice.recipients)
    lines = [f"{names} {escape(notice.text)}".strip(), escape(notice.aside)]
    said: dict[str, Any] = {"allowed_mentions": _calling(notice.recipients)}
    said["content"] = truncate("\n".join(line for line in lines if line), _LONGEST_MESSAGE)
    if notice.picture is not None:
        # A file can only be sent once.
        data, alt = BytesIO(notice.picture.data), truncate(notice.alt, 1024)
        said["file"] = discord.File(data, "analysis.png", description=alt)
    return said


def _calling(people: Sequence[Recipient]) -> discord.AllowedMentions:
    users = [discord.Object(int(one.external)) for one in people]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


@contextmanager
def _unless(codes: frozenset[int]) -> Iterator[None]:
    try:
        yield
    except discord.HTTPException as error:
        if error.code not in codes:
            raise


def _page(outgoing: Outgoing, screen: Screen, *, by_token: bool = False) -> Page:
    texts = outgoing.texts
    if by_token and outgoing.place.kind is PlaceKind.DIRECT:
        screen = with_text(screen, texts("discord-closed"))
    return lay_out(
        screen,
        rest=lasting_buttons(outgoing.loaded.match, texts),
        called=next(iter(outgoing.mentions), None),
    )
