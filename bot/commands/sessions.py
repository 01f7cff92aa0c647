"""Browser sessions, checked at every request: another process may have ended them."""

from collections.abc import Iterable
from contextlib import suppress
from secrets import token_urlsafe

from bot.app import App
from bot.domain.model import User
from bot.store import people
from bot.store import sessions as rows
from bot.store.sessions import Known as Known
from bot.store.sessions import NewSession as NewSession
from bot.support.errors import StoreError
from bot.support.texts import LANGUAGES


class Sessions:
    """The sessions of one platform."""

    def __init__(self, app: App, *, platform: str) -> None:
        self._app = app
        self._store = app.store
        self._platform = platform

    async def arrive(self, name: str, language: str, *, new: NewSession) -> User:
        user = await self._app.names.choose(
            self._platform,
            # Names their direct chat and grants nothing. Longer than any channel's name.
            token_urlsafe(32),
            name,
            session=new,
            idle_since=self._store.now(),
        )
        if language in LANGUAGES:
            user = await people.change_user(self._store, user.id, language=language)
        return user

    async def known_by(self, token_hash: str | None) -> Known | None:
        if token_hash is None:
            return None
        return await rows.by_token(self._store, self._platform, token_hash)

    async def now(self, session_id: int) -> Known | None:
        """Return the current session and user, marked as used. None if the session has ended."""
        known = await rows.by_id(self._store, self._platform, session_id)
        if known is not None:
            with suppress(StoreError):
                # A failed write must not refuse the request.
                await rows.saw(self._store, known.session)
        return known

    async def ended(self, session_ids: Iterable[int]) -> set[int]:
        asked = set(session_ids)
        return asked - await rows.alive(self._store, asked)

    async def leave(self, known: Known) -> None:
        await rows.end(self._store, known.user.id, only=known.session.id)
        await self._app.recheck_people()
