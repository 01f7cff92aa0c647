"""The Discord front: its start and stop, and the delivery of boards and notices.

A reference is a message id. With the prefix ``~``, only an interaction token can reach the message
(`bot.fronts.discord.interaction_tokens`). Posts carry an enforced nonce: for a few minutes, Discord
returns the earlier message instead of posting a second one. Its content may be old by then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import count
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.utils import MISSING
from structlog import get_logger

from bot.app import App
from bot.commands import Commands
from bot.delivery import (
    ClosedError,
    EphemeralReplies,
    GoneError,
    MessageGoneError,
    Notice,
    Outgoing,
    Recipient,
    RetryError,
)
from bot.domain.model import Board, Place, PlaceKind
from bot.fronts.discord import FRONT, DiscordSettings, error_codes
from bot.fronts.discord.client import Client, set_base_urls
from bot.fronts.discord.interaction_tokens import InteractionToken
from bot.fronts.discord.interactions import PLATFORM
from bot.fronts.discord.layout import Page, beside, is_shown, lay_out
from bot.fronts.discord.markdown import escape, truncate
from bot.screens import Screen, lasting_buttons, with_text
from bot.support.logs import RateLimitedLog
from bot.support.tasks import Backoff

_log = get_logger(__name__)

T = TypeVar("T")

_FIRST_PAUSE = 1.0
_PAUSES = Backoff(_FIRST_PAUSE, 60.0)

_ASKED_SECONDS = 5.0

_OUT_OF_REACH = (
    OSError,
    TimeoutError,
    aiohttp.ClientError,
    discord.DiscordServerError,
    discord.GatewayNotFound,
    discord.RateLimited,
)

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
_Channel = discord.DMChannel | discord.PartialMessageable
_Make = Callable[..., Page]
"""Lay out a page, which can only be sent once. `by_token`: explain it in a closed direct chat."""


class Discord:
    """The Discord front."""

    platform = PLATFORM
    url = ""
    medium = FRONT.medium

    def __init__(self, app: App, commands: Commands) -> None:
        self._app = app
        self._commands = commands
        self._passing = EphemeralReplies(app, self)
        self._notes = RateLimitedLog()
        self._running: asyncio.Task[None] | None = None
        self.client = self._new_client()
        app.rechecks.append(self._look_again)
        app.member_checks[PLATFORM] = self._has_member

    async def _look_again(self) -> None:
        self.client.interactions.forget()

    def _new_client(self) -> Client:
        return Client(self._app, self._commands, self._passing)

    async def start(self) -> None:
        """Connect in the background, as Discord may be unreachable."""
        settings = self._app.settings.of(DiscordSettings)
        set_base_urls(settings)
        shards = self._app.shards
        self._app.health.parts["Discord cannot be reached"] = lambda: (
            self._is_ready() or not shards.serves(PLATFORM)
        )
        serve = partial(self._serve, settings.token.get_secret_value())
        self._running = asyncio.create_task(shards.while_ours(PLATFORM, serve))

    async def stop(self) -> None:
        await self.client.interactions.close()
        running = self._running
        if running is None:
            return
        self._running = None
        await self.client.close()
        running.cancel()
        await asyncio.wait({running})

    async def _serve(self, token: str) -> None:
        try:
            await self._run(token)
        except asyncio.CancelledError:
            if self._running is not None:
                # Another process takes over. Finish pending interactions first: only this one can.
                await self.client.interactions.close()
                await self.client.close()
                self.client = self._new_client()
            raise

    async def _run(self, token: str) -> None:
        """Retry the first connection. Then discord.py reconnects by itself."""
        for failures in count(1):
            try:
                await self.client.start(token)
            except discord.LoginFailure:
                _log.error("Discord does not accept the token; it is left out")
                return
            except _OUT_OF_REACH as error:
                if failures == 1:
                    _log.warning("Discord cannot be reached", reason=type(error).__name__)
            except discord.ClientException as error:
                _log.error("Discord has closed the connection", reason=str(error))
                return
            except Exception:  # noqa: BLE001 - logged whole; the next try may do better
                _log.exception("the connection to Discord failed")
            else:
                return
            await self.client.close()
            await asyncio.sleep(_PAUSES.after(failures))
            self.client = self._new_client()

    async def _has_member(self, place: Place, external: str) -> bool | None:
        """Return whether a user is in the server of a place. None if Discord does not say it."""
        if place.community is None or not self._is_ready():
            return None
        try:
            async with asyncio.timeout(_ASKED_SECONDS):
                await self.client.http.get_member(int(place.community), int(external))
        except discord.NotFound as error:
            return False if error.code in error_codes.NO_MEMBER else None
        except (*_OUT_OF_REACH, discord.HTTPException):
            return None
        return True

    def _connected(self) -> Client:
        """Return the client to deliver with. Raises `RetryError`."""
        if not (self._is_ready() and self._app.shards.serves(PLATFORM)):
            raise RetryError(_FIRST_PAUSE)
        return self.client

    def _is_ready(self) -> bool:
        return self.client.is_ready() and not self.client.is_closed()

    # --- delivery, see `bot.delivery.Channel` ---------------------------------------------

    def check_ready(self, _board: Board, _place: Place, /) -> None:
        self._connected()

    def _token(self, key: str | int) -> InteractionToken | None:
        return self._connected().interactions.tokens.to(key)

    async def send(self, outgoing: Outgoing) -> str:
        """Post a board, by an interaction token if the bot itself may not."""
        place, make = outgoing.place, await self._drawn(outgoing)
        token = self._token(place.external)
        may = _calling(outgoing.mentions)
        if token is None or not token.bot_cannot_post or place.kind is PlaceKind.DIRECT:
            try:
                return await self._post(place, make, nonce=outgoing.key, may=may)
            except ClosedError:
                if token is None:
                    raise
        said = make(by_token=True).send_kwargs
        return await self._say_by_token(place, token, **said, allowed_mentions=may)

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        """Edit the message of a board. Post a new one if it was edited too often."""
        place, make = outgoing.place, await self._drawn(outgoing)
        if message.startswith("~"):
            return await self._edit_by_token(place, message, make)

        def edit(channel: _Channel) -> Awaitable[discord.Message]:
            return channel.get_partial_message(int(message)).edit(**make().changed)

        try:
            await self._in_channel(place, edit)
        except discord.HTTPException as error:
            if error.code in error_codes.NO_MESSAGE:
                self._warn("board was deleted", outgoing.board.id, error)
                raise MessageGoneError from error
            if error.code in error_codes.EDITED_TOO_OFTEN:
                _log.info("board edited too often, posted again", board=outgoing.board.id)
                reference = await self._post(place, make, nonce=f"{outgoing.key}n")
                await self.delete(place, message)
                return reference
            raise
        return message

    async def _drawn(self, outgoing: Outgoing) -> _Make:
        return partial(_page, outgoing, await outgoing.screen())

    async def _post(
        self, place: Place, make: _Make, *, nonce: str, may: discord.AllowedMentions = _NOBODY
    ) -> str:
        async def send(channel: _Channel) -> str:
            page = make()
            message = await channel.send(**page.send_kwargs, nonce=nonce, allowed_mentions=may)
            if not is_shown(page.view, message):
                # An earlier attempt posted it.
                with error_codes.unless(error_codes.NO_MESSAGE):
                    await message.edit(**make().changed)
            return str(message.id)

        return await self._in_channel(place, send)

    async def _say_by_token(self, place: Place, token: InteractionToken, **said: Any) -> str:
        async def say() -> str:
            alone = place.kind is PlaceKind.DIRECT
            message = await token.interaction.followup.send(wait=True, ephemeral=alone, **said)
            self._connected().interactions.tokens.made(token, message.id)
            return f"~{message.id}"

        return await self._with_token(place, token, say)

    async def _edit_by_token(self, place: Place, reference: str, make: _Make) -> str:
        message = int(reference[1:])
        if token := self._token(message):
            changed = make(by_token=True).changed
            edit = partial(token.edit, message, **changed)
            await self._with_token(place, token, edit, to=message)
            return reference
        # Its token has expired. Post again by the newest token of the place.
        newest = self._token(place.external)
        if newest is None:
            raise ClosedError("its interaction is too old")
        said = make(by_token=True).send_kwargs
        return await self._say_by_token(place, newest, **said, allowed_mentions=_NOBODY)

    async def _with_token(
        self, place: Place, token: InteractionToken, act: Callable[[], Awaitable[T]], *, to: int = 0
    ) -> T:
        """Use a token after its first response. `to` is the message to change, if any."""
        with self._translated(place, token):
            async with asyncio.timeout(_OPENING):
                await token.tried.wait()
            if token.is_shut or (to and not token.reaches(to)):
                raise RetryError(0)
            return await act()

    async def _in_channel(
        self, place: Place, act: Callable[[_Channel], Awaitable[T]], *, opens: bool = True
    ) -> T:
        """Act in a channel. Raises `DeliveryError`, or an error of the message itself."""
        with self._translated(place):
            channel = await self._channel(place)
            try:
                done = await act(channel)
            except discord.HTTPException as error:
                if not opens or error.code not in error_codes.ARCHIVED:
                    raise
                await self._archive(place, archived=False)
                done = await act(channel)
        return done

    @contextmanager
    def _translated(self, place: Place, token: InteractionToken | None = None) -> Iterator[None]:
        """Raise what an error means. Errors that only concern the message stay as they are."""
        try:
            yield
        except discord.HTTPException as error:
            if meaning := self._meaning(error, place, token):
                raise meaning from error
            raise
        except (OSError, aiohttp.ClientError) as error:
            self._warn("Discord cannot be reached", place.external)
            raise RetryError(_SOON) from error
        except RuntimeError:
            # The client was closed: another process delivers then.
            self._connected()
            raise

    def _meaning(
        self, error: discord.HTTPException, place: Place, token: InteractionToken | None
    ) -> Exception | None:
        if token and error.code in error_codes.TOO_LATE | error_codes.NO_MESSAGE:
            self._warn("interaction expired before its board", token.interaction.id)
            token.invalidate()
            return RetryError(_SOON)
        is_gone = error.code in error_codes.FORBIDDEN and not self._is_member(place)
        if not token and (is_gone or error.code in error_codes.GONE):
            return GoneError()
        for codes, event in _CLOSED.items():
            if error.code in codes:
                self._warn(event, place.external, error)
                return ClosedError(event)
        if error_codes.is_busy(error):
            self._warn("Discord wants a pause", place.external, error)
            return RetryError(_SOON)
        return None

    def _warn(self, event: str, about: Any, error: discord.HTTPException | None = None) -> None:
        if self._notes.is_due(event, about):
            _log.warning(event, about=about, code=error.code if error else None)

    async def _channel(self, place: Place) -> _Channel:
        if place.kind is PlaceKind.DIRECT:
            return await self._connected().create_dm(discord.Object(int(place.external)))
        guild, channel = _ids(place)
        return self._connected().get_partial_messageable(channel, guild_id=guild)

    def _is_member(self, place: Place) -> bool:
        """True if the place is in no server, or the bot is a member of its server."""
        guild, _ = _ids(place)
        return guild is None or self._connected().get_guild(guild) is not None

    async def _archive(self, place: Place, *, archived: bool) -> None:
        _, thread = _ids(place)
        await self._connected().http.edit_channel(thread, archived=archived, reason=None)

    async def delete(self, place: Place, message: str) -> None:
        if message.startswith("~"):
            if token := self._token(int(message[1:])):
                with error_codes.unless(error_codes.NO_MESSAGE):
                    await self._with_token(place, token, partial(token.delete, int(message[1:])))
            return

        # Without the permission, the message stays.
        with suppress(ClosedError), error_codes.unless(error_codes.NO_MESSAGE):
            await self._in_channel(place, lambda to: to.get_partial_message(int(message)).delete())

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        """Open a thread under a message in a text channel. It gets the id of the message."""
        guild, channel = _ids(place)
        home = self._connected().get_channel(channel)
        if not isinstance(home, discord.TextChannel) or not message.isdigit():
            return None
        try:
            await home.get_partial_message(int(message)).create_thread(
                name=truncate(title, 100), auto_archive_duration=_WEEK
            )
        except discord.HTTPException as error:
            if error.code not in error_codes.THREAD_EXISTS:
                self._warn("may not open threads", place.external, error)
                return None
        return f"{guild}/{message}"

    async def close_thread(self, place: Place) -> None:
        """Archive a thread. A new message in it reopens it."""
        with error_codes.unless(error_codes.ARCHIVED):
            await self._in_channel(
                place, lambda _: self._archive(place, archived=True), opens=False
            )

    async def notify(self, place: Place, notice: Notice) -> str | None:
        if notice.board is not None and notice.board.startswith("~"):
            token = self._token(int(notice.board[1:])) or self._token(place.external)
            return await self._notify_by_token(place, token, notice) if token else None

        def said() -> dict[str, Any]:
            view = beside(notice.buttons) or MISSING
            return _said(notice) | {"nonce": f"p{notice.key}", "view": view}

        async def send(to: _Channel) -> str:
            reference: Any = None
            if notice.board is not None:
                board = to.get_partial_message(int(notice.board))
                reference = board.to_reference(fail_if_not_exists=False)
            try:
                message = await to.send(reference=reference, **said())
            except discord.HTTPException as error:
                if error.code not in error_codes.NO_HISTORY:
                    raise
                self._warn("may not reply, only post", place.external, error)
                message = await to.send(**said())
            return str(message.id)

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
            return await self._say_by_token(place, token, **_said(notice))
        return None


def _ids(place: Place) -> tuple[int | None, int]:
    """Return the ids of a server and its channel. A place elsewhere has no server."""
    guild, _, channel = place.external.partition("/")
    return (int(guild) if channel and guild.isdigit() else None), int(channel or 0)


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


def _page(outgoing: Outgoing, screen: Screen, *, by_token: bool = False) -> Page:
    texts = outgoing.texts
    if by_token and outgoing.place.kind is PlaceKind.DIRECT:
        screen = with_text(screen, texts("discord-closed"))
    return lay_out(
        screen,
        rest=lasting_buttons(outgoing.loaded.match, texts),
        called=next(iter(outgoing.mentions), None),
    )
