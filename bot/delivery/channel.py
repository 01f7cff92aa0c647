"""The interface of a platform for delivery, and its errors."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from structlog import get_logger

from bot.domain.model import Board, Place
from bot.matches import MatchState
from bot.screens import Button, Reader, Screen
from bot.screens.pictures import Png
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.platforms import Medium
from bot.support.texts import Texts

_log = get_logger(__name__)

_TRIES = 8
_A_MOMENT = 2.0
"""Seconds until something is tried again, if the platform names no delay."""


class DeliveryError(Exception):
    """A message was not delivered."""


class GoneError(DeliveryError):
    """The place is gone for good."""


class ClosedError(DeliveryError):
    """The bot may not write in the place. The text says why, for the log."""


class RetryError(DeliveryError):
    """Retry in `seconds` with the newest state (None: delivery chooses the delay)."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(seconds)
        self.retry_after = seconds


class MessageGoneError(DeliveryError):
    """The message has been deleted."""


class UnsureError(DeliveryError):
    """A new message may have arrived. Sending it again might post it twice."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """A user to notify."""

    name: str
    external: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A board to show."""

    board: Board
    place: Place
    loaded: MatchState
    reader: Reader
    key: str
    """The same in all attempts to post the message. At most 20 letters and digits."""
    mentions: tuple[Recipient, ...]
    """The users to mention, on platforms with `calls_in_boards`."""
    notifies: bool
    """True if the board itself may notify its reader."""
    screen: Callable[[], Awaitable[Screen]]
    """Makes what to show, once it can be sent."""

    @property
    def texts(self) -> Texts:
        return self.reader.texts


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification of some users, next to the board."""

    key: str
    """The same in all attempts. At most 24 letters, digits and dots."""
    texts: Texts
    recipients: tuple[Recipient, ...] = ()
    text: str = ""
    """In the language of the place, without names."""
    aside: str = ""
    """A remark about the board, for all in the place."""
    board: str | None = None
    loaded: MatchState | None = None
    """The match of the news, for fronts that write to each user."""
    buttons: tuple[Button, ...] = ()
    picture: Png | None = None
    alt: str = ""


class Channel(Protocol):
    """A platform. Every call may raise a `DeliveryError`."""

    platform: str
    medium: Medium

    def check_ready(self, board: Board, place: Place, /) -> None:
        """Raise `RetryError` if a board must wait, before anything is read or drawn for it."""
        return

    async def send(self, outgoing: Outgoing) -> str:
        """Post a board and return the reference of its message (at most 64 characters).

        If the platform does not repeat, an earlier attempt may have posted it. It must then show
        the board as it is now.
        """

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        """Show a board in its message; return the new reference if it had to be replaced."""

    async def delete(self, place: Place, message: str) -> None:
        """Delete our message. A missing one is no error."""

    async def notify(self, place: Place, notice: Notice) -> str | None:
        """Notify users; return the message's reference, or None if it cannot be deleted later."""

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        """Open a thread under a message; return its place's external id, None if impossible."""
        return None

    async def close_thread(self, place: Place) -> None:
        """Close our thread until a user writes in it."""
        assert self.medium.opens_threads


async def done_later(do: Callable[[], Awaitable[None]], *, or_else: str, **about: object) -> bool:
    """Do what no one waits for, if possible; return False if that is still to be done.

    `or_else` and `about`: for the log.
    """
    for _ in range(_TRIES):
        try:
            await do()
        except RetryError as pause:
            await asyncio.sleep(pause.retry_after or _A_MOMENT)
            continue
        except DeliveryError as error:
            _log.info(or_else, why=type(error).__name__, **about)
        except StoreError as error:
            store_failed(_log, or_else, error)
        except Exception:  # noqa: BLE001 - logged in full; no one awaits the result
            _log.exception(or_else, **about)
        return True
    _log.warning(or_else, why="given up after retries", **about)
    return False


async def delete_message(channel: Channel, place: Place, message: str) -> bool:
    """Delete our message if possible; return False if that is still to be done."""
    delete = partial(channel.delete, place, message)
    about = {"place": place.id, "message": message}
    return await done_later(delete, or_else="message not deleted", **about)
