"""Notifications: each news once, by one board on each platform."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from zlib import crc32

from bot.app import App
from bot.delivery.audience import best_board, may_wait
from bot.delivery.channel import (
    Channel,
    ClosedError,
    Notice,
    Recipient,
    UnsureError,
)
from bot.domain.actions import Action
from bot.domain.model import REACH, UNSURE, Board, Place
from bot.matches import LoadedMatch, reading
from bot.screens import Button
from bot.screens.news import News, news_of, to_tell
from bot.store import boards as board_store
from bot.store import leases as lease_store
from bot.store import match_queries, people, places
from bot.store.leases import Done

Note = Callable[[Done], Awaitable[Board | None]]
"""Stores the work done and returns the board if it is still behind."""
TakeAway = Callable[[Place, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Whom:
    """The users to notify by a board with their external ids, and when."""

    told: Mapping[int, str]
    until: int = 0
    """Unix seconds, 0 for now."""


_NO_ONE = Whom({})


class Notices:
    """Notify players on one platform."""

    def __init__(self, app: App, channel: Channel, *, note: Note, take_away: TakeAway) -> None:
        self._app = app
        self._channel = channel
        self._note = note
        self._take_away = take_away

    async def whom(self, board: Board, place: Place, loaded: LoadedMatch) -> Whom:
        app, platform = self._app, self._channel.platform
        if not self._channel.limits.notifies or board.notified >= max(
            board.news, loaded.match.news
        ):
            return _NO_ONE
        users = to_tell(loaded)
        if not users:
            return _NO_ONE
        reachable = await people.reachable(app.store, platform, users)
        if not reachable:
            return _NO_ONE
        shown, where = await self._shown(loaded)
        shut_out = await self._shut_out(where.values())
        changed = None
        if news_of(loaded) in (News.JOINED, News.OVER):
            changed = await match_queries.changed(app.store, loaded.match.id)
        until = {
            user: may_wait(
                loaded,
                app.pings(one.settings, place),
                settings=one.settings,
                active=one.active,
                now=app.store.now(),
                changed=changed,
                is_here=one.active_in in {there.id for there in where.values()},
            )
            for user, one in reachable.items()
            if best_board(shown, where, {platform: one.external}, shut_out=shut_out) == board.id
        }
        # Notify all when the first is due.
        told = {user: reachable[user].external for user in users if until.get(user) is not None}
        return Whom(told, min((time for time in until.values() if time is not None), default=0))

    async def _shown(self, loaded: LoadedMatch) -> tuple[list[Board], dict[int, Place]]:
        store = self._app.store
        shown = await board_store.of_match(store, loaded.match.id)
        return shown, {one.id: await places.place(store, one.place_id) for one in shown}

    async def _shut_out(self, every: Iterable[Place]) -> set[int]:
        return {place.id for place in every if await self._app.policies.is_shut_out(place)}

    async def note_closed(self, board: Board) -> None:
        store = self._app.store
        place = await self._app.directory.closed(await places.place(store, board.place_id))
        await self.hand_over(board, place)

    async def hand_over(self, board: Board, place: Place) -> None:
        """Let other boards notify the users whom this one would notify if its place were open."""
        app, platform = self._app, self._channel.platform
        loaded = await reading.get(app.matches, board.match_id, at_least=board.wanted)
        if board.notified >= max(board.news, loaded.match.news):
            return
        shown, where = await self._shown(loaded)
        shut_out = await self._shut_out(where.values())
        opened = {**where, board.id: replace(place, settings={**place.settings, REACH: ""})}
        instead = set()
        for one in (await people.reachable(app.store, platform, to_tell(loaded))).values():
            by = {platform: one.external}
            if best_board(shown, opened, by, shut_out=shut_out - {place.id}) == board.id:
                instead.add(best_board(shown, where, by, shut_out=shut_out))
        if others := {found for found in instead if found not in (None, board.id)}:
            await lease_store.hand_over(app.store, board, others)
            app.changed.set()

    async def recipients(self, whom: Mapping[int, str]) -> tuple[Recipient, ...]:
        names = await self._app.names.of(whom)
        return tuple(Recipient(names[user], external) for user, external in whom.items())

    async def tell(self, board: Board, place: Place) -> Board | None:
        """Notify the users and delete the last notice."""
        loaded = await reading.get(self._app.matches, board.match_id, at_least=board.wanted)
        if place.is_closed:
            await self.hand_over(board, place)
        whom = await self.whom(board, place, loaded)
        is_aside = bool(_aside(board)) and loaded.match.ending is None
        if whom.until or is_aside:
            # Delete the last notice first if none follows yet, or one with the same text.
            for message in (board.former_notice, board.notice):
                if message is not None:
                    await self._channel.delete(place, message)
            board = replace(board, notice=None, former_notice=None)
        if whom.until and not is_aside:
            return await self._note(Done.held(board, whom.until))
        if board.former_notice is not None and board.notice is not None:
            await self._take_away(place, board.former_notice)
        notice = None
        if whom.told or is_aside:
            notice = await self._told(board, place, loaded, whom.told)
        return await self._note(
            Done.notified(board, loaded.match.version, notice, has_told=bool(whom.told))
        )

    async def _told(
        self, board: Board, place: Place, loaded: LoadedMatch, whom: Mapping[int, str]
    ) -> str | None:
        match = loaded.match
        reader = await self._app.readers.of(place, theme=self._channel.limits.theme)
        texts = reader.texts
        notice = Notice(
            key=_news_key(board, loaded),
            recipients=await self.recipients(whom),
            text=await self._app.screens.news_line(loaded, reader, whom, now=self._app.store.now())
            if whom
            else "",
            aside=texts(aside) if (aside := _aside(board)) else "",
            board=board.message if board.is_there else None,
            texts=texts,
            buttons=()
            if board.is_there
            else (Button(texts("button-show-board"), Action("board", match.id)),),
        )
        try:
            message = await self._channel.notify(place, notice)
        except ClosedError:
            await self.note_closed(board)
            return None
        except UnsureError:
            # It may have been sent.
            return None
        except asyncio.CancelledError:
            if self._channel.limits.repeats:
                # It may have been sent.
                await self._note(Done.notified(board, match.version, None, has_told=True))
            raise
        if place.is_closed:
            await self._app.directory.opened(place)
        return message


def _aside(board: Board) -> str:
    if board.message is None or board.is_there:
        return ""
    return "notice-unsure" if board.message == UNSURE else "notice-missing"


def post_key(board: Board) -> str:
    """Return a key that is the same in all attempts to post a message."""
    instead_of = crc32((board.message or board.former or "").encode())
    return f"{board.id}.{instead_of:x}"


def _news_key(board: Board, loaded: LoadedMatch) -> str:
    return f"{post_key(board)}.{loaded.match.version}"
