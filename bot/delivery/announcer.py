"""Deliver the operator's announcements."""

from collections.abc import Collection

from bot.delivery.channel import Notice
from bot.delivery.mailer import Mailer
from bot.domain.model import Place
from bot.store import announcements
from bot.store.announcements import Announcement


class Announcer(Mailer[Announcement]):
    """Send the operator's announcements."""

    what = "announcement"

    async def _waiting(self, *, but: Collection[Announcement], limit: int) -> list[Announcement]:
        store, platform = self._app.store, self._channel.platform
        shards = self._app.shards.of(platform)
        return await announcements.waiting(store, platform, but=but, limit=limit, shards=shards)

    async def _notice(self, one: Announcement, place: Place) -> Notice:
        texts = (await self._app.readers.of(place, theme=self._channel.limits.theme)).texts
        return Notice(
            key=f"w{one.id}.{one.place_id}",
            recipients=(),
            text="",
            aside=texts("host-says", text=one.text),
            board=None,
            texts=texts,
        )

    async def _begin(self, one: Announcement) -> bool:
        return await announcements.begin(self._app.store, one)

    async def _take_back(self, one: Announcement) -> None:
        await announcements.give_back(self._app.store, one)

    async def _finish(self, one: Announcement) -> None:
        await announcements.finish(self._app.store, one)
