"""A Telegram group and private chats for two users, on the Bot API server of the tests."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from unittest import mock
from urllib.parse import unquote

from bot.fronts.telegram import send_scheduler
from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.setup import commands_mark
from bot.store import key_values
from tests.bot.fronts.telegram.server import BOT_ID, TOKEN, BotApi, Chat, Query
from tools.film.chats import telegram_page
from tools.film.front import ANNA, BEN, Front, Offer

_SECOND = 0.01
"""A second of the send scheduler."""


class TelegramFront(Front):
    name = "telegram"
    kind = Telegram

    def __init__(self, folder: Path, rng: Random) -> None:
        super().__init__(folder, rng)
        self.api = BotApi(None, second=_SECOND / 2)
        self.anna = self.api.person(ANNA, "Anna", username="anna")
        self.ben = self.api.person(BEN, "Ben", username="benni", language="de")
        self.people = {ANNA: self.anna, BEN: self.ben}
        self.group = self.api.group(-100, "Garden")
        self.asked: Query | None = None
        """The last press."""
        self._where = {ANNA: self.group.id, BEN: self.group.id}
        self._pace = mock.patch.object(send_scheduler, "SECOND", _SECOND)

    async def begin(self) -> None:
        self._pace.start()
        await self.api.start()

    async def end(self) -> None:
        await self.api.stop()
        self._pace.stop()

    async def is_open(self) -> None:
        mark = commands_mark(BOT_ID)
        await key_values.remember(self.bot.app.store, "telegram", *mark)

    def section(self) -> dict[str, str]:
        return {"token": TOKEN, "api_base": self.api.base}

    async def types(self, person: int, line: str) -> None:
        await self.says(person, self.group, line)

    async def says(self, person: int, chat: Chat, line: str) -> None:
        self._where[person] = chat.id
        self.asked = None
        self.people[person].says(chat, line)
        await self.bot.settled(seconds=0.2)

    async def starts(self, person: int, word: str = "") -> None:
        """Press Start in the private chat."""
        self._where[person] = person
        self.asked = None
        self.people[person].starts(word)
        await self.bot.settled(seconds=0.2)

    def offers(self, person: int) -> Iterator[Offer]:
        # The chat that the user is in comes first.
        chats = [self.people[person].private, self.group]
        for chat in sorted(chats, key=lambda chat: chat.id != self._where[person]):
            for message in reversed([*chat.messages.values()]):
                for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                    for button in row:
                        yield Offer(
                            button.get("callback_data") or button["url"],
                            button["text"],
                            (chat, message, button),
                        )

    async def press(self, person: int, offer: Offer, *more: Offer) -> None:
        assert not more
        chat, message, button = offer.how
        self._where[person] = chat.id
        if "url" in button:
            await self._follow(person, button["url"])
            return
        self.asked = query = self.people[person].sends(chat, message, button["callback_data"])
        await self.api.until(query.answered.is_set)
        await self.bot.settled()
        if query.url:
            await self._follow(person, query.url)

    async def _follow(self, person: int, url: str) -> None:
        """Open the private chat and press Start there."""
        found = re.search(r"start=([A-Za-z0-9_-]+)$", unquote(url))
        assert found, url
        await self.starts(person, found[1])

    def page(self, person: int, *, in_private: bool = False) -> str:
        shown = self.people[person].private if in_private else self.group
        seen = [one for _, one in sorted(shown.messages.items()) if _is_said(one)]
        asked = self.asked
        return telegram_page(
            "Azumaya" if shown.kind == "private" else shown.title,
            seen[-12:],
            self.api.photos,
            viewer=person,
            alert=asked.text if asked and asked.alert else "",
            toast=asked.text if asked and not asked.alert else "",
            reactions=shown.reactions,
        )


def _is_said(message: Mapping[str, object]) -> bool:
    return bool(message.get("text") or "photo" in message or "document" in message)
