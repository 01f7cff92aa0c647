"""Answers that pass: taken away as soon as whoever got them is answered again.

Why something was not done, half of a move, or that a board is in their own conversation, is shown
to one person alone, or to them before all others. Once they are answered again it says nothing any
more; a half-made move does so only where something else is shown, or its match has gone on. Which
message it was is kept here until then.

Where such an answer stays in the place for everybody (`bot.delivery.Limits`) it is stored, too
(`bot.store.passing`): then the next process takes it away. Elsewhere it is kept in memory only: it
can be taken away by nothing but a key that is a secret of this process, and soon dead. Of
strangers nothing is stored.
"""

from dataclasses import dataclass

from cachetools import TTLCache
from structlog import get_logger

from bot.app import App
from bot.delivery.channel import Channel
from bot.delivery.removal import take_away
from bot.errors import Refused, StoreError
from bot.logs import store_failed
from bot.model import Place, PlaceKind, User
from bot.screens import Screen
from bot.store import passing
from bot.store.passing import CAN_GO
from bot.tasks import Turns

__all__ = ["Passing", "Shown"]

_log = get_logger(__name__)

_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Shown:
    """What somebody was answered, as far as it decides what is taken away."""

    place: Place
    user: User
    identity: str
    """What the platform calls them."""
    screen: Screen | None
    """What is for them alone."""
    passes: bool
    """Is it to be taken away with their next answer (`bot.commands.Answer.passes`)?"""
    message: str | None = None
    """The message that shows it, as the platform's `Channel` knows it; None where none does."""
    pressed: str | None = None
    """The message that was pressed, where the front has seen to that itself."""


@dataclass(frozen=True, slots=True)
class _Left:
    """A message that is still to be taken away."""

    message: str
    half_made: tuple[int, int] | None = None
    """The match and the version of a half-made move; None where any answer is enough."""
    is_stored: bool = False


class Passing:
    """Takes away what people were shown on one platform, when it has had its time."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._left: TTLCache[tuple[str, str], tuple[_Left, ...]] = TTLCache(_REMEMBERED, CAN_GO)
        """By place and person; nothing under a key: what is stored may know more."""
        self._tenure = ""
        self._turns = Turns()

    async def answered(self, shown: Shown) -> None:
        """Somebody was answered, and by which message: what that leaves behind goes.

        Called when it is shown; never raises. Whoever asks next need not wait for it.
        """
        place, stays = shown.place, self._channel.limits.answers_stay
        if stays and place.kind is PlaceKind.DIRECT:
            # Nobody else is bothered by it there.
            return
        key = place.external, shown.identity
        async with self._turns.of(key):
            left = await self._left_of(key, shown)
            new = await self._kept(shown)
            gone = [one for one in left if await self._is_gone(one, shown)]
            await self._forget(place, gone)
            rest = (*(one for one in left if one not in gone), *new)
            if rest or stays:
                self._left[key] = rest
            else:
                self._left.pop(key, None)

    async def _left_of(self, key: tuple[str, str], shown: Shown) -> tuple[_Left, ...]:
        """What this person was shown here before, and is still there."""
        if (tenure := self._app.shards.tenure(self._channel.platform)) != self._tenure:
            # Others have spoken here meanwhile.
            self._tenure = tenure
            self._left.clear()
        left = self._left.get(key)
        if left is not None:
            return left
        if not (self._channel.limits.answers_stay and shown.user.id):
            return ()
        try:
            stored = await passing.of(self._app.store, shown.place, shown.user.id)
        except StoreError as error:
            store_failed(_log, "answers to be taken away not looked up", error)
            return ()
        return tuple(_Left(message, is_stored=True) for message in stored)

    async def _kept(self, shown: Shown) -> tuple[_Left, ...]:
        """What is to be taken away later of what was shown now."""
        screen, message = shown.screen, shown.message
        if not shown.passes or message is None:
            return ()
        if screen is not None and screen.chosen:
            return (_Left(message, (screen.match, screen.version)),)
        if not (self._channel.limits.answers_stay and shown.user.id):
            return (_Left(message),)
        try:
            await passing.note(self._app.store, shown.place, shown.user.id, message)
        except StoreError as error:
            store_failed(_log, "answer to be taken away not noted", error)
            return (_Left(message),)
        return (_Left(message, is_stored=True),)

    async def _is_gone(self, one: _Left, shown: Shown) -> bool:
        """Has it been taken away, by the front or just now? Only what has had its time goes."""
        if one.message in (shown.message, shown.pressed):
            return True
        if not await self._has_had_its_time(one, shown):
            return False
        return await take_away(self._channel, shown.place, one.message)

    async def _has_had_its_time(self, one: _Left, shown: Shown) -> bool:
        if one.half_made is None or shown.screen is not None:
            return True
        match, version = one.half_made
        try:
            return (await self._app.matches.get(match)).match.version != version
        except (Refused, StoreError):
            return False

    async def _forget(self, place: Place, gone: list[_Left]) -> None:
        if stored := [one.message for one in gone if one.is_stored]:
            try:
                await passing.forget(self._app.store, place, stored)
            except StoreError as error:
                # They are not found the next time, which is no error; and they are tidied up.
                store_failed(_log, "answers that were taken away not forgotten", error)
