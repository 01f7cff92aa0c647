"""Notifications of browsers: each gets one once, even if others must wait for theirs."""

import asyncio
from abc import ABC, abstractmethod
from typing import Self

from cachetools import TTLCache

from bot.app import App
from bot.delivery.channel import DeliveryError, GoneError, Notice, RetryError, UnsureError
from bot.delivery.rooms import Rooms
from bot.domain.model import Match, Place, User
from bot.matches import MatchState
from bot.store import key_values, people, push_subscriptions
from bot.store.push_subscriptions import Subscription

_SOON = 1.0
_SLOW, _REST = 2.0, 60.0
"""A slow push service rests afterwards, so that it does not hold up boards again."""
_MOST_TRIES = 5
_PAUSE, _LONGEST_PAUSE = 30.0, 600.0
_A_DAY = 24 * 3600
_REMEMBERED = 4096


class Pushes(ABC):
    """Notifies the browsers of a platform's users through their push services."""

    platform: str

    def __init__(self, app: App, rooms: Rooms, secret: str) -> None:
        """`secret`: the same for all processes, and for as long as browsers are subscribed."""
        self._app = app
        self._rooms = rooms
        self._resting: TTLCache[int, bool] = TTLCache(_REMEMBERED, _REST)
        """By session."""
        self._asked: set[int] = set()
        """Sessions whose push service has not answered yet: each holds up one board."""
        self._tries: TTLCache[tuple[int, str], int] = TTLCache(_REMEMBERED, _A_DAY)

    @classmethod
    async def open(cls, app: App, rooms: Rooms) -> Self:
        secret = await key_values.get(app.store, cls.platform, "push-key")
        assert secret is not None
        return cls(app, rooms, secret)

    @abstractmethod
    async def _text(self, user: User, place: Place, board: str | None, loaded: MatchState) -> bytes:
        """Return the notification for a user, beside the message `board` in a place."""

    @abstractmethod
    async def _post(self, to: Subscription, text: bytes, match: Match) -> None:
        """Send a message to a push service. Raises `DeliveryError`."""

    async def _change(self, to: Subscription) -> None:
        """Change where a session is notified: nowhere without an address. Raises `Refused`."""
        if to.endpoint:
            await push_subscriptions.put(self._app.store, to)
        else:
            await push_subscriptions.remove(self._app.store, to.session_id)

    async def notify(self, place: Place, notice: Notice, loaded: MatchState) -> None:
        """Notify the recipients. Raises `RetryError` if a push service wants a pause."""
        store, sending = self._app.store, []
        for recipient in notice.recipients:
            user = await people.by_identity(store, self.platform, recipient.external)
            if user and (found := await push_subscriptions.of(store, user.id)):
                text = await self._text(user, place, notice.board, loaded)
                sending += [(to, text) for to in found]
        sent = await asyncio.gather(*(self._send(to, text, loaded.match) for to, text in sending))
        if waits := [wait for wait in sent if wait is not None]:
            raise RetryError(min(waits))

    async def _send(self, to: Subscription, text: bytes, match: Match) -> float | None:
        """Notify a browser once. Return seconds until the next attempt, or None."""
        if to.session_id in self._resting:
            return None
        if to.session_id in self._asked:
            return _SOON
        store, about = self._app.store, f"{match.id}.{match.news}"
        loop, failed = asyncio.get_running_loop(), None
        self._asked.add(to.session_id)
        try:
            if not await push_subscriptions.mark_sent(store, to, about):
                return None
            began = loop.time()
            await self._post(to, text, match)
        except DeliveryError as error:
            failed = error
        finally:
            self._asked.discard(to.session_id)
        # If it is unsure, it may have been sent.
        if isinstance(failed, UnsureError) or loop.time() - began > _SLOW:
            self._resting[to.session_id] = True
        if isinstance(failed, GoneError):
            await push_subscriptions.remove(store, to.session_id, endpoint=to.endpoint)
        if not isinstance(failed, RetryError):
            return None
        key = to.session_id, about
        self._tries[key] = tries = self._tries.get(key, 0) + 1
        if tries == _MOST_TRIES:
            return None
        await push_subscriptions.unmark_sent(store, to, about)
        return _PAUSE if failed.retry_after is None else min(failed.retry_after, _LONGEST_PAUSE)
