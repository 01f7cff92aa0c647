"""What delivery asks of a platform: send, edit, delete, notify; and the errors that it may raise.

The errors::

    DeliveryError
    ├── GoneError            the place is gone for good
    ├── ClosedError          the bot may not write there (now): people may let it in again
    ├── LaterError           the platform wants a pause there, or is out of reach
    ├── MessageGoneError     the message that was to be changed has been deleted
    └── UnsureError          something new was sent, and nobody knows whether it arrived
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from bot.matches import LoadedMatch
from bot.model import Board, Place
from bot.screens import Button, Reader, Screen
from bot.texts import Texts

__all__ = [
    "Channel",
    "ClosedError",
    "DeliveryError",
    "GoneError",
    "LaterError",
    "Limits",
    "MessageGoneError",
    "Notice",
    "Outgoing",
    "Recipient",
    "UnsureError",
]


class DeliveryError(Exception):
    """Something was not delivered."""


class GoneError(DeliveryError):
    """The place is gone for good; its boards are forgotten."""


class ClosedError(DeliveryError):
    """The bot may not write in the place; the text says why, for the log."""


class LaterError(DeliveryError):
    """Ask again in `seconds`, with the newest state; None leaves it to delivery to choose."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class MessageGoneError(DeliveryError):
    """The message is not there any more; somebody has deleted it."""


class UnsureError(DeliveryError):
    """A new message may have arrived or not; sending it again might say it twice."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a platform can do, as far as it decides what is delivered there."""

    theme: str = "light"
    """The theme of pictures where nobody has chosen one."""
    notifies: bool = True
    """Must people be told of news by messages of their own, since an edited one tells nobody?"""
    boards_call: bool = False
    """Does a board that is sent into a direct conversation tell whoever is there, like a notice?"""
    calls_in_boards: bool = False
    """Does a board that is sent tell those who are named in it?"""
    repeats: bool = True
    """Does what is sent twice under one key appear twice?"""
    has_threads: bool = False
    """Can a message in a channel have a thread?"""
    answers_stay: bool = False
    """Is what one person is answered a message like all others, which stays for everybody until we
    take it away, and which any process of ours can take away?"""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who is to be told: by the name that they have here, and the platform's for them."""

    name: str
    external: str


@dataclass(slots=True)
class Outgoing:
    """A board as it is to be shown; its screen is made when a channel asks for it."""

    board: Board
    place: Place
    loaded: LoadedMatch
    reader: Reader
    key: str
    """The same for every try to post the same message of a board, which may have changed since;
    another where it is to be posted anew. At most 20 letters and digits."""
    called: tuple[Recipient, ...]
    """Whom the board itself is to tell, where a platform `calls_in_boards`."""
    is_call: bool
    """Is there news for whoever reads it, of which the board itself may tell them?"""
    make: Callable[[], Awaitable[Screen]]
    _screen: Screen | None = field(default=None, init=False)

    @property
    def texts(self) -> Texts:
        """The texts of whoever reads the board."""
        return self.reader.texts

    async def screen(self) -> Screen:
        """The board as a screen, made once."""
        if self._screen is None:
            self._screen = await self.make()
        return self._screen


@dataclass(frozen=True, slots=True)
class Notice:
    """News for some people, beside the board that shows it."""

    key: str
    """The same for every try to tell the same news; at most 24 letters, digits and dots."""
    recipients: tuple[Recipient, ...]
    text: str
    """What they are told, in the language of the place; it names none of them."""
    aside: str
    """What there is to say of the board itself, to everybody there."""
    board: str | None
    """The board's message, where it can be pointed at."""
    texts: Texts
    buttons: tuple[Button, ...] = ()


class Channel(Protocol):
    """A platform, as far as delivery is concerned. Every call may raise a `DeliveryError`."""

    platform: str
    limits: Limits

    async def send(self, outgoing: Outgoing) -> str:
        """Post a board as a new message; gives its reference (at most 64 characters).

        Where a platform does not repeat, the message may be there since an earlier try: it is to
        show what the board shows now.
        """

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        """Show a board in its message; gives the new reference where it had to be another one."""

    async def delete(self, place: Place, message: str) -> None:
        """Take a message of ours away; one that is not there is no error."""

    async def notify(self, place: Place, notice: Notice) -> str | None:
        """Tell people; gives the message's reference, None where there is none to take away."""

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        """Open a thread under a message; gives its place's external name, None where it cannot."""

    async def close_thread(self, place: Place) -> None:
        """Close a thread that we opened, until somebody says something in it."""
