"""Who people and chats are, as platforms tell of them: met, entered, opened, closed, moved, gone.

What is noted here can be noted again: it belongs to no command.
"""

from collections.abc import Callable
from contextlib import suppress

from cachetools import LRUCache
from structlog import get_logger

from bot.errors import Refused, StoreError
from bot.matches import Matches
from bot.model import PARENT, REACH, REACHED, REFUSED, Place, PlaceKind, Status, Stranger, User
from bot.names import Names
from bot.policies import Policies, inherited
from bot.store import Store, boards, match_queries, people, places
from bot.texts import LANGUAGES

__all__ = ["LONGEST_TITLE", "Directory", "locale_of"]

_log = get_logger(__name__)

_REMEMBERED = 4096
LONGEST_TITLE = 128
"""Characters of what a place is called."""
_LONGEST_LOCALE = 16
_MINUTE = 60
_LOCALE = "locale"
"""What is noted of somebody: the language of their app, as the platform names it."""


def locale_of(user: User) -> str | None:
    """The language of a person's app, as we last saw it."""
    return user.settings.get(_LOCALE)


class Directory:
    """All people and places of the platforms."""

    def __init__(
        self,
        store: Store,
        names: Names,
        matches: Matches,
        *,
        policies: Policies,
        changed: Callable[[], None],
    ) -> None:
        self._store = store
        self._names = names
        self._matches = matches
        self._policies = policies
        self._changed = changed
        self._met: LRUCache[tuple[str, str], tuple[str, str, str]] = LRUCache(_REMEMBERED)
        """How people called themselves last; spares writing what is written already."""
        self._active: LRUCache[int, int] = LRUCache(_REMEMBERED)
        """When it was noted last that somebody was active."""

    # --- people ---------------------------------------------------------------------------

    async def get_or_create_user(
        self,
        platform: str,
        external: str,
        name: str,
        *,
        username: str = "",
        locale: str | None = None,
    ) -> User:
        """The user whom a platform calls `external`; made on first sight.

        `name` and `username` are what it shows of them, `locale` is the language of their app.
        """
        if self._met.get((platform, external)) == (name, username, locale or ""):
            known = await people.by_identity(self._store, platform, external)
            if known is not None:
                return known
        return await self._noted(platform, external, name, username=username, locale=locale)

    async def recognised(
        self,
        platform: str,
        external: str,
        name: str,
        *,
        username: str = "",
        locale: str | None = None,
    ) -> User:
        """The same, but whoever is not known stays a `Stranger`: nothing is stored of them."""
        known = await people.by_identity(self._store, platform, external)
        if known is not None:
            if self._met.get((platform, external)) == (name, username, locale or ""):
                return known
            with suppress(LookupError):  # Erased in the same moment.
                return await self._noted(
                    platform, external, name, username=username, locale=locale, only_known=True
                )
        shown = await self._names.of_stranger(external, name, username)
        return Stranger(0, shown, None, {}, platform, external, name, username, locale)

    async def introduced(self, stranger: Stranger) -> User:
        """The user whom a stranger has become, by what they or others have done."""
        return await self.get_or_create_user(
            stranger.platform,
            stranger.external,
            stranger.called,
            username=stranger.username,
            locale=stranger.locale,
        )

    async def _noted(
        self,
        platform: str,
        external: str,
        name: str,
        *,
        username: str,
        locale: str | None,
        only_known: bool = False,
    ) -> User:
        """Note what a platform says of somebody. Raises LookupError where `only_known`."""
        user = await self._names.get_or_create_user(
            platform,
            external,
            name,
            username,
            handle=username.casefold() or None,
            only_known=only_known,
        )
        language = (locale or "")[:_LONGEST_LOCALE]
        if language and locale_of(user) != language:
            user = await people.change_user(self._store, user.id, settings={_LOCALE: language})
        self._met[platform, external] = (name, username, locale or "")
        return user

    async def note_active(self, user: User) -> None:
        """Somebody has just done something; noted once a minute, and not of a stranger."""
        now = self._store.now()
        if not user.id or 0 <= now - self._active.get(user.id, 0) < _MINUTE:
            return
        with suppress(StoreError):  # The next command tries it again.
            await people.note_active(self._store, user.id)
            self._active[user.id] = now

    async def known(self, platform: str, external: str) -> User | None:
        """The user whom a platform calls so, if we have met them."""
        return await people.by_identity(self._store, platform, external)

    # --- places ---------------------------------------------------------------------------

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
        """A channel, group or topic; `locale` is its language until it has chosen one.

        `parent` is what the platform calls the channel or group around a thread or topic.
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
        if parent is not None and place.parent != parent:
            around = await places.place_called(self._store, platform, parent)
            chosen = {**(inherited(around) if around else {}), **place.settings, PARENT: parent}
            place = await places.change_place(self._store, place.id, settings=chosen)
        if language in LANGUAGES and "language" not in place.settings:
            place = await places.change_place(
                self._store, place.id, settings={"language": language}
            )
        return place

    async def direct(
        self,
        platform: str,
        external: str,
        title: str,
        *,
        community: str | None = None,
        asked_by: int | None = None,
    ) -> Place:
        """The direct conversation of a person (by their identity) with the house.

        None is made for a user who has been erased since they asked (`asked_by`): that raises
        `Refused`.
        """
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
        """The direct conversation of somebody who does something there.

        Of a stranger none is stored, nor of somebody who has been erased in the same moment: it
        has the number 0 then.
        """
        if not isinstance(user, Stranger):
            with suppress(Refused):
                return await self.direct(platform, external, title, asked_by=user.id)
        return Place(0, platform, external, PlaceKind.DIRECT, None, title[:LONGEST_TITLE], {})

    async def conversation(self, platform: str, external: str) -> Place | None:
        """The direct conversation of a person, if there has been one."""
        return await places.place_called(self._store, platform, external)

    async def can_reach(self, platform: str, external: str) -> bool:
        """Has this person spoken in their direct conversation, and not closed it since?"""
        place = await self.conversation(platform, external)
        return place is not None and place.settings.get(REACH) == REACHED

    async def conversation_closed(self, platform: str, external: str) -> None:
        """A person's conversation cannot be written in: what there is for them waits."""
        if place := await self.conversation(platform, external):
            await self.closed(place)

    async def opened(self, place: Place) -> Place:
        """A place can be written in: we have done so, or somebody has just spoken there.

        That one has spoken in their direct conversation opens it on some platforms alone.
        """
        return await self._note(place, REACHED)

    async def closed(self, place: Place) -> Place:
        """A place cannot be written in, until somebody speaks there."""
        return await self._note(place, REFUSED)

    async def _note(self, place: Place, reach: str) -> Place:
        if place.settings.get(REACH) == reach:
            return place
        changed = await places.change_place(self._store, place.id, settings={REACH: reach})
        if place.kind is PlaceKind.DIRECT and (place.settings.get(REACH) or reach == REFUSED):
            # Those who play with them are told so.
            await boards.show_beside(self._store, place.id)
            self._changed()
        return changed

    async def gone(self, platform: str, community: str) -> None:
        """We were sent away from a group: its boards are forgotten, in its topics, too."""
        dropped = await boards.drop_in(self._store, platform, community)
        _log.info("group gone", platform=platform, group=community, boards=dropped)

    async def moved(self, platform: str, old: str, new: str) -> bool:
        """A group has another name on its platform: its matches follow it, where it has any."""
        before = await places.place_called(self._store, platform, old)
        place_id = await places.move_place(self._store, platform, old, new)
        if place_id is None:
            return False
        if before is not None:
            # What the host has said of it holds on.
            await self._policies.follow(before, await places.place(self._store, place_id))
        self._matches.read_anew()
        _log.info("group moved", platform=platform, old=old, new=new)
        # The old group may have said good-bye first, and taken the boards with it.
        alive = [Status.RUNNING, Status.PROPOSED]
        running = await match_queries.in_place(self._store, place_id, status=alive)
        for loaded in await self._matches.several(running):
            await boards.add(self._store, loaded.match, place_id, seat=None)
        return True
