"""Readers of screens: a user, or everyone in a place."""

from functools import cache

from bot.domain.model import Place, PlaceKind, User
from bot.domain.quiet import ZONE
from bot.matches.directory import locale_of
from bot.screens import SIZES, Reader
from bot.store import Store, people
from bot.support.settings import Settings
from bot.support.texts import Texts, language_of

_texts = cache(Texts)


class Readers:
    """Create readers with their language, theme and time zone."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def person(
        self,
        user: User,
        place: Place | None,
        *,
        locale: str | None,
        theme: str,
        size: int = SIZES[0],
    ) -> Reader:
        """Create a reader for a user. Language: the user's, the app's, the place's, the default."""
        language = language_of(
            user.language,
            locale,
            place.settings.get("language") if place else None,
            self._settings.language,
        )
        chosen = user.settings.get("theme", "auto")
        zone = user.settings.get(ZONE) or (place.settings.get(ZONE, "") if place else "")
        theme = theme if chosen == "auto" else chosen
        return Reader(_texts(language), user, theme, size, zone, place.id if place else 0)

    def for_place(self, place: Place, *, theme: str = "light") -> Reader:
        """Create a reader for everyone in a place. `theme` is used unless the place sets one."""
        language = language_of(place.settings.get("language"), self._settings.language)
        chosen = place.settings.get("theme", "auto")
        theme = theme if chosen == "auto" else chosen
        zone = place.settings.get(ZONE, "")
        return Reader(_texts(language), None, theme, zone=zone, place=place.id)

    async def of(self, place: Place, *, theme: str) -> Reader:
        """Return the reader of a board in a place: the user of a direct chat, else everyone."""
        if place.kind is PlaceKind.DIRECT:
            user = await people.by_identity(self._store, place.platform, place.external)
            if user is not None:
                return self.person(user, place, locale=locale_of(user), theme=theme)
        return self.for_place(place, theme=theme)
