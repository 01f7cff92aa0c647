"""Delete ephemeral replies as soon as their user gets another reply.

A partial move is deleted only once another screen is shown or its match has changed.

Where replies stay for all (`Medium.answers_stay`), they are stored, so that the next process can
delete them. Elsewhere deletion needs a secret of this process. Nothing is stored of unregistered
users.
"""

from dataclasses import dataclass

from cachetools import TTLCache
from structlog import get_logger

from bot.app import App
from bot.delivery.channel import Channel, delete_message
from bot.domain.errors import Refused
from bot.domain.model import Place, PlaceKind
from bot.matches import reading
from bot.screens import Client, Screen
from bot.store import ephemeral_replies
from bot.store.ephemeral_replies import CAN_GO
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged
from bot.support.tasks import Turns

_log = get_logger(__name__)

_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class SentReply:
    """A reply to a user."""

    place: Place
    client: Client
    screen: Screen | None
    is_ephemeral: bool
    """True if it is deleted with the next reply."""
    message: str | None = None
    pressed: str | None = None
    """The pressed message, if the front has handled it."""


@dataclass(frozen=True, slots=True)
class _Left:
    message: str
    partial_move: tuple[int, int] | None = None
    """Match and version of a partial move, None if any reply suffices."""
    is_stored: bool = False


class EphemeralReplies:
    """Delete ephemeral replies on one platform."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._left: TTLCache[tuple[str, str], tuple[_Left, ...]] = TTLCache(_REMEMBERED, CAN_GO)
        """By place and user, those that are not stored."""
        self._turns = Turns()

    async def on_reply(self, shown: SentReply) -> None:
        """Delete what a reply makes obsolete, without delaying the next command. Never raises."""
        place, stays = shown.place, self._channel.medium.answers_stay
        if stays and place.kind is PlaceKind.DIRECT:
            # It disturbs no one else there.
            return
        key = place.external, shown.client.identity
        async with self._turns.of(key):
            left = [*self._left.get(key, ()), *await self._stored(shown)]
            new = await self._kept(shown)
            gone = [one for one in left if await self._delete_if_obsolete(one, shown)]
            # A message may have become another reply.
            if stored := [one.message for one in gone if one.is_stored and one not in new]:
                # Deleting them again is no error, and they are purged later.
                with StoreErrorsLogged(_log, "deleted replies not forgotten"):
                    await ephemeral_replies.forget(self._app.store, place, stored)
            rest = [*(one for one in left if one not in gone), *new]
            if rest := [one for one in rest if not one.is_stored]:
                self._left[key] = tuple(rest)
            else:
                self._left.pop(key, None)

    async def _stored(self, shown: SentReply) -> tuple[_Left, ...]:
        user_id = shown.client.user.id
        if self._channel.medium.answers_stay and user_id:
            with StoreErrorsLogged(_log, "ephemeral replies not read"):
                stored = await ephemeral_replies.of(self._app.store, shown.place, user_id)
                return tuple(_Left(message, is_stored=True) for message in stored)
        return ()

    async def _kept(self, shown: SentReply) -> tuple[_Left, ...]:
        screen, message, user_id = shown.screen, shown.message, shown.client.user.id
        if not shown.is_ephemeral or message is None:
            return ()
        if screen is not None and screen.chosen:
            return (_Left(message, (screen.match, screen.version)),)
        if self._channel.medium.answers_stay and user_id:
            with StoreErrorsLogged(_log, "ephemeral reply not stored"):
                await ephemeral_replies.note(self._app.store, shown.place, user_id, message)
                return (_Left(message, is_stored=True),)
        return (_Left(message),)

    async def _delete_if_obsolete(self, one: _Left, shown: SentReply) -> bool:
        if one.message in (shown.message, shown.pressed):
            return True
        if one.partial_move is not None and shown.screen is None:
            match, version = one.partial_move
            try:
                if (await reading.get(self._app.matches, match)).match.version == version:
                    return False
            except (Refused, StoreError):
                return False
        return await delete_message(self._channel, shown.place, one.message)
