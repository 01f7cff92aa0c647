"""Send analyses to the users who requested them, where they did."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from bot.delivery.channel import Notice, Recipient, RetryError
from bot.delivery.mailer import Mailer
from bot.delivery.threads import close_thread
from bot.domain.errors import Refused
from bot.domain.model import Place, PlaceKind, is_reference
from bot.matches import MatchState, reading
from bot.matches.directory import locale_of
from bot.screens import Reader, Screen, analysis_button
from bot.screens.past import analysis_of
from bot.store import analyses, analysis_requests, boards, people, puzzles
from bot.store.analysis_requests import Requested


class RequestedAnalyses(Mailer[Requested]):
    """Send complete analyses, and say which were abandoned."""

    what = "analysis"
    queue = analysis_requests

    async def _finish(self, one: Requested) -> None:
        """Close the thread that the message has opened again."""
        if self._channel.medium.opens_threads:
            with suppress(RetryError):
                await close_thread(self._app, self._channel, one.place_id)

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
        to = await self._recipients(one, place, is_readable=loaded is not None)
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
            recipients=tuple(to.values()),
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

    async def _recipients(
        self, one: Requested, place: Place, *, is_readable: bool
    ) -> dict[int, Recipient]:
        """Return the users who can still be reached here and may see the match, by id."""
        app = self._app
        ids = [user_id for user_id in one.users if user_id is not None]
        reachable = await people.reachable(app.store, place.platform, ids)
        names = await app.names.of(reachable)
        found = {}
        for user_id, user in reachable.items():
            with suppress(Refused):
                if is_readable:
                    await reading.visible(
                        app.matches, one.match_id, user_id=user_id, place_id=place.id
                    )
                found[user_id] = Recipient(names[user_id], user.external)
        return found

    async def _reader(self, ids: Collection[int], place: Place) -> Reader:
        """Return the only reader, else all in the place."""
        readers, theme = self._app.readers, self._channel.medium.theme
        user = await people.user(self._app.store, *ids) if len(ids) == 1 else None
        return (
            readers.person(user, place, locale=locale_of(user), theme=theme)
            if user
            else await readers.of(place, theme=theme)
        )
