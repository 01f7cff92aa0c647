"""The platforms of the core's evening: walls that call people, repeat themselves, or know a nonce.

What each of them can do is what its front says (`Limits`); in memory, so that what they have been
told can be copied at any moment.
"""

from dataclasses import dataclass

from bot.delivery import Limits, Notice, Outgoing, UnsureError
from bot.fronts.discord import Discord
from bot.fronts.telegram import Telegram
from bot.fronts.web import Web
from bot.model import Place, PlaceKind
from tests.bot.table import Wall
from tests.fate import AFTER, BEFORE, Fate

__all__ = ["LIMITS", "Platform", "Telling"]

LIMITS: dict[str, Limits] = {front.platform: front.limits for front in (Discord, Telegram, Web)}


@dataclass(frozen=True, slots=True)
class Telling:
    """Somebody was told of a version of a match, by a message."""

    external: str
    match: int
    version: int
    message: str


class Platform(Wall):
    """A wall whose calls a `Fate` is told of, and which remembers whom it has called."""

    def __init__(self, platform: str, fate: Fate) -> None:
        super().__init__(platform, limits=LIMITS[platform])
        self.fate = fate
        self.tellings: list[Telling] = []
        self.doubtful: set[int] = set()
        """Ids of places where the next message arrives, and nobody hears that it has."""
        self.unheard: set[str] = set()
        """The messages that did."""
        self.said: set[str] = set()
        """Words of the host: they stay where they are."""
        self._by_key: dict[str, str] = {}
        """Messages by their nonces."""
        self._matches: dict[int, int] = {}
        """Which match a board shows."""
        self._noticed_in: dict[str, int] = {}
        """Where a notice is."""

    def copied(self, fate: Fate) -> "Platform":
        """The same platform, for another future."""
        other = Platform(self.platform, fate)
        for name, value in vars(self).items():
            if isinstance(value, (dict, list, set)):
                setattr(other, name, value.copy())
        other._count = self._count
        return other

    def moves(self, place: Place) -> None:
        """A group has a new name: what stands in the one of the old name is out of reach."""
        self.posts = {key: post for key, post in self.posts.items() if post.place != place.id}
        self.notices = {one for one in self.notices if self._noticed_in[one] != place.id}

    async def send(self, outgoing: Outgoing) -> str:
        where = outgoing.place.id
        await self._comes(BEFORE, "send")
        known = None if self.limits.repeats else self._by_key.get(outgoing.key)
        if known in self.posts:
            await self.show(outgoing, known)
            return known
        if self.limits.repeats or known is None:
            message = await super().send(outgoing)
            self._by_key[outgoing.key] = message
        else:
            # Taken away meanwhile: what has the nonce is no more, and nothing new is there.
            message = known
        calls = {one.external for one in outgoing.called}
        if self.limits.boards_call and outgoing.is_call and outgoing.place.kind is PlaceKind.DIRECT:
            calls.add(outgoing.place.external)
        self._tell(calls, outgoing.loaded.match.id, outgoing.loaded.match.version, message)
        await self._comes(AFTER, "send")
        if where in self.doubtful:
            self.doubtful.discard(where)
            self.unheard.add(message)
            raise UnsureError
        return message

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        await self._comes(BEFORE, "edit")
        message = await super().edit(outgoing, message)
        await self._comes(AFTER, "edit")
        return message

    async def show(self, outgoing: Outgoing, message: str) -> str:
        message = await super().show(outgoing, message)
        self._matches[outgoing.board.id] = outgoing.loaded.match.id
        return message

    async def delete(self, place: Place, message: str) -> None:
        await self._comes(BEFORE, "delete")
        await super().delete(place, message)
        await self._comes(AFTER, "delete")

    async def notify(self, place: Place, notice: Notice) -> str | None:
        if not self.limits.notifies and not notice.aside:
            return None
        await self._comes(BEFORE, "notify")
        known = None if self.limits.repeats else self._by_key.get(notice.key)
        if known is not None:
            return known
        message = await super().notify(place, notice)
        assert message is not None
        self._by_key[notice.key] = message
        self._noticed_in[message] = place.id
        board, _, rest = notice.key.partition(".")
        if not board.isdigit():
            self.said.add(message)
        if notice.recipients:
            called = {one.external for one in notice.recipients}
            version = int(rest.partition(".")[2])
            self._tell(called, self._matches.get(int(board), 0), version, message)
        await self._comes(AFTER, "notify")
        return message

    async def open_thread(self, place: Place, message: str, title: str) -> str | None:
        if not self.limits.has_threads:
            return None
        await self._comes(BEFORE, "open_thread")
        known = self._by_key.get(f"thread {message}")
        if known is None:
            known = await super().open_thread(place, message, title)
            assert known is not None
            self._by_key[f"thread {message}"] = known
        await self._comes(AFTER, "open_thread")
        return known

    async def close_thread(self, place: Place) -> None:
        await self._comes(BEFORE, "close_thread")
        await super().close_thread(place)
        await self._comes(AFTER, "close_thread")

    async def _comes(self, when: str, what: str) -> None:
        await self.fate.comes(when, f"{self.platform}.{what}")

    def _tell(self, whom: set[str], match: int, version: int, message: str) -> None:
        self.tellings += [Telling(one, match, version, message) for one in sorted(whom)]
