"""The platforms of the core's scenario, in memory, so that they can be copied at any moment.

Each has the limits of its front: it can notify, repeat messages, or know a nonce.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.delivery import Notice, Outgoing, UnsureError
from bot.domain.model import Place, PlaceKind
from bot.fronts import FRONTS
from tests.bot.table import Wall
from tests.fate import AFTER, BEFORE, Fate

MEDIA = {front.name: front.medium for front in FRONTS}


@dataclass(frozen=True, slots=True)
class Notified:
    """A message that notified a user of a version of a match."""

    about: tuple[str, int, int]
    """User, match and version."""
    message: str


class Platform(Wall):
    """A wall that reports its calls to a `Fate` and records who was notified."""

    def __init__(self, platform: str, fate: Fate) -> None:
        super().__init__(platform, medium=MEDIA[platform])
        self.fate = fate
        self.notified: list[Notified] = []
        self.unconfirmed_in: set[int] = set()
        """Ids of places where the next message is posted, but not confirmed."""
        self.unconfirmed: set[str] = set()
        self.announcements: set[str] = set()
        """Announcements of the operator and analyses, which are never deleted."""
        self._by_nonce: dict[str, str] = {}
        self._matches: dict[int, int] = {}
        """The match of each board."""
        self._noticed_in: dict[str, int] = {}
        """The place of each notice."""

    def copied(self, fate: Fate) -> "Platform":
        other = Platform(self.platform, fate)
        for name, value in vars(self).items():
            if isinstance(value, (dict, list, set)):
                setattr(other, name, value.copy())
        other._count = self._count
        return other

    def moves(self, place: Place) -> None:
        """Give a group a new id: its messages cannot be reached any more."""
        self.posts = {key: post for key, post in self.posts.items() if post.place != place.id}
        self.notices = {one for one in self.notices if self._noticed_in[one] != place.id}

    async def send(self, outgoing: Outgoing) -> str:
        async with self._step("send"):
            message = None if self.medium.repeats else self._by_nonce.get(outgoing.key)
            if message in self.posts:
                return await self.show(outgoing, message)
            # If the message with this nonce was deleted, no new one appears.
            if message is None:
                message = self._by_nonce[outgoing.key] = await super().send(outgoing)
            place, match = outgoing.place, outgoing.loaded.match
            users = {one.external for one in outgoing.mentions}
            if self.medium.boards_call and outgoing.notifies and place.kind is PlaceKind.DIRECT:
                users.add(place.external)
            self._notify(users, match.id, match.version, message)
        if place.id in self.unconfirmed_in:
            self.unconfirmed_in.discard(place.id)
            self.unconfirmed.add(message)
            raise UnsureError
        return message

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        async with self._step("edit"):
            return await super().edit(outgoing, message)

    async def show(self, outgoing: Outgoing, message: str) -> str:
        message = await super().show(outgoing, message)
        self._matches[outgoing.board.id] = outgoing.loaded.match.id
        return message

    async def delete(self, place: Place, message: str) -> None:
        async with self._step("delete"):
            await super().delete(place, message)

    async def notify(self, place: Place, notice: Notice) -> str | None:
        if not self.medium.notifies and not notice.aside:
            return None
        async with self._step("notify"):
            known = None if self.medium.repeats else self._by_nonce.get(notice.key)
            if known is not None:
                return known
            message = self._by_nonce[notice.key] = str(await super().notify(place, notice))
            self._noticed_in[message] = place.id
            board, _, rest = notice.key.partition(".")
            if not board.isdigit():
                self.announcements.add(message)
            elif notice.recipients:
                users = {one.external for one in notice.recipients}
                version = int(rest.partition(".")[2])
                self._notify(users, self._matches.get(int(board), 0), version, message)
            return message

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        if not self.medium.opens_threads:
            return None
        async with self._step("open_thread"):
            if (nonce := f"thread {message}") not in self._by_nonce:
                self._by_nonce[nonce] = str(await super().open_thread(place, message, title))
            return self._by_nonce[nonce]

    async def close_thread(self, place: Place) -> None:
        async with self._step("close_thread"):
            await super().close_thread(place)

    @asynccontextmanager
    async def _step(self, what: str) -> AsyncIterator[None]:
        """Report a call before and after it."""
        await self.fate.comes(BEFORE, f"{self.platform}.{what}")
        yield
        await self.fate.comes(AFTER, f"{self.platform}.{what}")

    def _notify(self, users: set[str], match: int, version: int, message: str) -> None:
        self.notified += [Notified((one, match, version), message) for one in sorted(users)]
