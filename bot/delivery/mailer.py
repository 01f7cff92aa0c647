"""Send what is posted once. Only what was certainly not sent is retried."""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from types import ModuleType
from typing import Generic, TypeVar

from structlog import get_logger

from bot.app import App
from bot.delivery.audience import recipients
from bot.delivery.channel import Channel, ClosedError, GoneError, Notice, RetryError, UnsureError
from bot.delivery.threads import close_thread
from bot.domain.errors import Refused
from bot.domain.model import Place, PlaceKind, is_reference
from bot.matches import MatchState, reading
from bot.screens import Reader, Screen, analysis_button
from bot.screens.past import analysis_of
from bot.store import analyses, announcements, boards, people, places, puzzles
from bot.store.analyses import Requested
from bot.store.announcements import Announcement
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged, store_failed
from bot.support.tasks import Backoff, Tasks
from bot.support.texts import LANGUAGES

_log = get_logger(__name__)

_LOOK_EVERY = 2.0
_AT_ONCE = 10
_PAUSES = Backoff(2.0, 600.0)
SHUT_OUT_PAUSE = 60.0
"""Seconds until a blocked place is checked again, without a request to its platform."""
_LAST_SECONDS = 3.0


M = TypeVar("M", Announcement, Requested)


class Mailer(ABC, Generic[M]):
    """Send what is stored to be posted in places of one platform."""

    what: str
    """For the log."""
    queue: ModuleType
    """The module of the store with what is to be sent."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._not_before: dict[M, float] = {}
        self._failures: Counter[M] = Counter()
        self._tasks = Tasks()
        self._unsaid: set[M] = set()
        """Not sent, and not stored as such."""

    @abstractmethod
    async def _notice(self, one: M, place: Place) -> Notice | None:
        """Return the message, or None if no one is left who waits for it."""

    async def run(self) -> None:
        try:
            while True:
                with StoreErrorsLogged(_log, f"{self.what} not read"):
                    await self.once()
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            await self._tasks.close(seconds=_LAST_SECONDS)

    async def once(self) -> None:
        """Send what can be sent now, if this process serves the platform."""
        app, platform, now = self._app, self._channel.platform, asyncio.get_running_loop().time()
        if not app.shards.serves(platform):
            return
        for one in list(self._unsaid):
            await self._give_back(one)
        self._not_before = {one: time for one, time in self._not_before.items() if time > now}
        while due := await self.queue.pending(
            app.store,
            platform,
            but=frozenset(self._not_before),
            limit=_AT_ONCE,
            shards=app.shards.of(platform),
        ):
            await asyncio.wait([self._tasks.begin(self._send(one)) for one in due])

    async def _send(self, one: M) -> None:
        try:
            wait = await self._tried(one)
        except StoreError as error:
            store_failed(_log, f"{self.what} not sent", error)
            wait = self._longer(one)
        except Exception:  # noqa: BLE001 - logged in full; one place must not stop the others
            _log.exception(f"{self.what} not sent", place=one.place_id)
            wait = self._longer(one)
        if wait is None:
            self._failures.pop(one, None)
        else:
            self._not_before[one] = asyncio.get_running_loop().time() + wait

    async def _tried(self, one: M) -> float | None:
        """Return seconds until the next attempt, or None if there will be none."""
        app = self._app
        try:
            place = await places.place(app.store, one.place_id)
        except LookupError:
            # The place has just been merged with another, which gets it.
            return None
        if await app.policies.is_blocked(place):
            return SHUT_OUT_PAUSE
        notice = await self._notice(one, place)
        if not await self.queue.mark_sent(app.store, one):
            return None
        try:
            if notice is not None:
                await self._channel.notify(place, notice)
        except (RetryError, ClosedError) as pause:
            self._unsaid.add(one)
            await self._give_back(one)
            if isinstance(pause, RetryError) and pause.retry_after is not None:
                return pause.retry_after
            return self._longer(one)
        except (GoneError, UnsureError) as error:
            _log.info(f"{self.what} not sent", place=place.id, why=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged in full; it may have been sent
            _log.exception(f"{self.what} not sent", place=place.id)
        if self._channel.medium.opens_threads:
            # The message has opened it again.
            self._tasks.begin(close_thread(app, self._channel, place.id))
        return None

    def _longer(self, one: M) -> float:
        self._failures[one] += 1
        return _PAUSES.after(self._failures[one])

    async def _give_back(self, one: M) -> None:
        """Unmark what was certainly not sent."""
        await self.queue.unmark_sent(self._app.store, one)
        self._unsaid.discard(one)


class Announcer(Mailer[Announcement]):
    """Send the operator's announcements."""

    what = "announcement"
    queue = announcements

    async def _notice(self, one: Announcement, place: Place) -> Notice:
        texts = (await self._app.readers.of(place, theme=self._channel.medium.theme)).texts
        aside = texts("host-says", text=one.text)
        return Notice(f"w{one.id}.{one.place_id}", texts, aside=aside)


class RequestedAnalyses(Mailer[Requested]):
    """Send complete analyses, and say which were abandoned."""

    what = "analysis"
    queue = analyses

    async def _notice(self, one: Requested, place: Place) -> Notice | None:
        app, loaded = self._app, None
        with suppress(Refused):
            loaded = await reading.get(app.matches, one.match_id)
        if loaded is not None and place.kind is not PlaceKind.DIRECT:
            try:
                await reading.visible(app.matches, one.match_id, user_id=0, place_id=place.id)
            except Refused:
                # Its board has gone from this place since.
                return None
        to = await self._readers(one, place, is_readable=loaded is not None)
        if not to and None not in one.users:
            return None
        reader = await self._reader(list(to), place)
        texts = reader.texts
        screen = Screen(text=texts("notice-analysis-failed", match=one.match_id))
        if loaded is not None:
            screen = await self._screen(loaded, reader)
        if screen.picture is not None:
            for user_id in to:
                # The analysis may reveal a puzzle.
                await puzzles.record_analysis_view(app.store, user_id, one.match_id)
        is_for_one = to and self._channel.medium.notifies
        here = await boards.of_match(app.store, one.match_id, place_id=place.id)
        return Notice(
            key=f"a{one.number}",
            recipients=await recipients(app, to),
            text=screen.text if is_for_one else "",
            aside="" if is_for_one else screen.text,
            board=next((board.message for board in here if is_reference(board.message)), None),
            texts=texts,
            buttons=tuple(button for row in screen.rows for button in row),
            picture=screen.picture,
            alt=screen.alt,
        )

    async def _screen(self, loaded: MatchState, reader: Reader) -> Screen:
        """Return the analysis, or how far it came."""
        app, texts, match_id = self._app, reader.texts, loaded.match.id
        found = await analyses.of(app.store, match_id)
        assert found is not None
        match, progress = replace(loaded.match, progress=found.progress), found.progress
        rows, game = ((analysis_button(match, texts),),), texts(f"{match.game}-name")
        if not progress.is_whole:
            done, total = progress.done, progress.total
            key = "notice-analysis-stopped"
            return Screen(
                text=texts(key, game=game, match=match_id, done=done, total=total), rows=rows
            )
        if not self._channel.medium.notifies:
            # Where boards show all news, they show the analysis, too.
            return Screen(text=texts("notice-analysis-ready", game=game, match=match_id), rows=rows)
        screen = await app.past_screens.analysis(loaded, reader, analysis_of(match, found))
        title = texts("notice-analysed", title=screen.title)
        return replace(screen, text=f"{title}\n{screen.text}")

    async def _readers(self, one: Requested, place: Place, *, is_readable: bool) -> dict[int, str]:
        """Return the users who can still be reached here and may see the match."""
        store, matches, found = self._app.store, self._app.matches, {}
        ids = [user_id for user_id in one.users if user_id is not None]
        for user_id, user in (await people.reachable(store, place.platform, ids)).items():
            with suppress(Refused):
                if is_readable:
                    await reading.visible(matches, one.match_id, user_id=user_id, place_id=place.id)
                found[user_id] = user.external
        return found

    async def _reader(self, ids: Collection[int], place: Place) -> Reader:
        """Return the only reader, else all in the place. A line without names is for all."""
        has_language = place.settings.get("language") in LANGUAGES
        is_for_all = len(ids) != 1 or (has_language and not self._channel.medium.notifies)
        user = None if is_for_all else await people.user(self._app.store, *ids)
        return await self._app.readers.of(place, theme=self._channel.medium.theme, user=user)
