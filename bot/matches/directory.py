"""Users and chats as the platforms report them. All updates are idempotent."""

from contextlib import suppress

from cachetools import LRUCache
from structlog import get_logger

from bot.domain.errors import Refused
from bot.domain.model import (
    PARENT,
    REACH,
    REACHED,
    REFUSED,
    Place,
    PlaceKind,
    Status,
    Stranger,
    User,
)
from bot.matches import Matches, reading
from bot.matches.names import Names
from bot.matches.policies import inherited
from bot.store import boards, match_queries, people, places
from bot.support.errors import StoreError
from bot.support.texts import LANGUAGES

_log = get_logger(__name__)

_REMEMBERED = 4096
LONGEST_TITLE = 128
_LONGEST_LOCALE = 16
_MINUTE = 60
_LOCALE = "locale"


def locale_of(user: User) -> str | None:
    """Return the language of the user's app, as last seen."""
    return user.settings.get(_LOCALE)


class Directory:
    """All users and places of the platforms."""

    def __init__(self, matches: Matches, names: Names) -> None:
        self._store = matches.store
        self._names = names
        self._matches = matches
        self._met: LRUCache[tuple[str, str], tuple[str, str, str]] = LRUCache(_REMEMBERED)
        """The last known names, which need not be written again."""
        self._active: LRUCache[int, tuple[int, int]] = LRUCache(_REMEMBERED)

    async def identify(
        self,
        platform: str,
        external: str,
        name: str,
        *,
        username: str = "",
        locale: str | None = None,
        registers: bool = False,
    ) -> User:
        """Return the user with this id on a platform, and record their names.

        Unknown users are created if that `registers` them. Otherwise they become a `Stranger`, of
        whom nothing is stored.
        """
        key, met = (platform, external), (name, username, locale or "")
        if self._met.get(key) == met and (known := await people.by_identity(self._store, *key)):
            return known
        try:
            user = await self._names.get_or_create_user(
                platform,
                external,
                name,
                username,
                handle=username.casefold() or None,
                only_known=not registers,
            )
        except LookupError:
            shown = await self._names.of_stranger(external, name, username)
            return Stranger(0, shown, None, {}, platform, external, name, username, locale)
        language = met[2][:_LONGEST_LOCALE]
        if language and locale_of(user) != language:
            user = await people.change_user(self._store, user.id, settings={_LOCALE: language})
        self._met[key] = met
        return user

    async def register(self, stranger: Stranger) -> User:
        return await self.identify(
            stranger.platform,
            stranger.external,
            stranger.called,
            username=stranger.username,
            locale=stranger.locale,
            registers=True,
        )

    async def note_active(self, user: User, place: Place) -> None:
        now = self._store.now()
        at, where = self._active.get(user.id, (0, 0))
        if not user.id or (0 <= now - at < _MINUTE and where == place.id):
            return
        with suppress(StoreError):
            await people.mark_active(self._store, user.id, place.id)
            self._active[user.id] = now, place.id

    async def known(self, platform: str, external: str) -> User | None:
        return await people.by_identity(self._store, platform, external)

    async def get_or_create_place(
        self,
        platform: str,
        external: str,
        *,
        title: str,
        community: str | None,
        locale: str | None = None,
        parent: str | None = None,
    ) -> Place:
        """Return a channel, group or topic, creating it if necessary.

        `locale` is its default language. `parent` is the platform's id of the channel or group
        around it.
        """
        language = (locale or "").partition("-")[0]
        place = await places.get_or_create_place(
            self._store,
            platform,
            external,
            kind=PlaceKind.CHANNEL,
            title=title[:LONGEST_TITLE],
            community=community,
        )
        chosen: dict[str, str] = {}
        if parent is not None and place.parent != parent:
            around = await places.place_called(self._store, platform, parent)
            chosen = {**(inherited(around) if around else {}), **place.settings, PARENT: parent}
        if language in LANGUAGES and "language" not in {**place.settings, **chosen}:
            chosen["language"] = language
        if not chosen:
            return place
        return await places.change_place(self._store, place.id, settings=chosen)

    async def direct(
        self,
        platform: str,
        external: str,
        title: str,
        *,
        community: str | None = None,
        asked_by: int | None = None,
    ) -> Place:
        """Return a user's direct chat. Raises `Refused` if `asked_by` has been deleted."""
        return await places.get_or_create_place(
            self._store,
            platform,
            external,
            kind=PlaceKind.DIRECT,
            title=title,
            community=community,
            asked_by=asked_by,
        )

    async def own_place(self, user: User, platform: str, external: str, title: str) -> Place:
        """Return a user's direct chat. It has id 0 for strangers and for users just deleted."""
        if not isinstance(user, Stranger):
            with suppress(Refused):
                return await self.direct(platform, external, title, asked_by=user.id)
        return Place(0, platform, external, PlaceKind.DIRECT, None, title[:LONGEST_TITLE], {})

    async def conversation(self, platform: str, external: str) -> Place | None:
        return await places.place_called(self._store, platform, external)

    async def can_reach(self, platform: str, external: str) -> bool:
        place = await self.conversation(platform, external)
        return place is not None and place.settings.get(REACH) == REACHED

    async def conversation_closed(self, platform: str, external: str) -> None:
        """Record that the bot cannot write to a user. Their notifications wait."""
        if place := await self.conversation(platform, external):
            await self.mark_unreachable(place)

    async def opened(self, place: Place) -> Place:
        """Record that the bot could write to a place, or that a user wrote there."""
        return await self._note(place, REACHED)

    async def mark_unreachable(self, place: Place) -> Place:
        """Record that the bot cannot write to a place, until a user writes there."""
        return await self._note(place, REFUSED)

    async def _note(self, place: Place, reach: str) -> Place:
        if place.settings.get(REACH) == reach:
            return place
        changed = await places.change_place(self._store, place.id, settings={REACH: reach})
        if place.kind is PlaceKind.DIRECT and (place.settings.get(REACH) or reach == REFUSED):
            await boards.show_beside(self._store, place.id)
            self._matches.changed()
        return changed

    async def gone(self, platform: str, community: str) -> None:
        """Remove the boards of a group, with its topics, that the bot was removed from."""
        dropped = await boards.drop_in(self._store, platform, community)
        _log.info("group gone", platform=platform, group=community, boards=dropped)

    async def moved(self, platform: str, old: str, new: str) -> bool:
        """Move a group's matches after the platform changed its id. False if there is none."""
        before = await places.place_called(self._store, platform, old)
        place_id = await places.move_place(self._store, platform, old, new)
        if place_id is None:
            return False
        if before is not None:
            # Keep the operator's decisions about the group.
            await self._matches.policies.follow(before, await places.place(self._store, place_id))
        self._matches.memory.invalidate()
        _log.info("group moved", platform=platform, old=old, new=new)
        # The old group may have removed the bot, and its boards, first.
        alive = [Status.RUNNING, Status.PROPOSED]
        running = await match_queries.in_place(self._store, place_id, status=alive)
        for loaded in await reading.get_several(self._matches, running):
            await boards.add(self._store, loaded.match, place_id, seat=None)
        return True
