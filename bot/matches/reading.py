"""Read, replay and cache matches, and decide who may see them.

A running match of older rules is ended without a result when it is read. A match that cannot be
replayed is set aside: its boards stay, and it is logged once, until it can be replayed again.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import copy
from random import SystemRandom
from typing import Self

from structlog import get_logger

import games
from bot.domain.errors import Refused
from bot.domain.marks import erased_name
from bot.domain.model import Match, Status
from bot.matches.leases import Leases
from bot.matches.loaded import LoadedMatch, UnreadableError, replayed
from bot.matches.memory import MatchMemory
from bot.matches.policies import Policies
from bot.store import Store, boards, match_queries, people, usernames
from bot.store import matches as match_store
from bot.support.metrics import Metrics
from bot.support.tasks import Turns

__all__ = ["Reading"]

_log = get_logger(__name__)

_READ_TOGETHER = 100


class Reading(ABC):
    """Read and cache matches."""

    def __init__(
        self,
        store: Store,
        *,
        changed: Callable[[], None],
        for_computers: Callable[[], None] = lambda: None,
        leases: Leases,
        policies: Policies,
        metrics: Metrics | None = None,
    ) -> None:
        self._store = store
        self._metrics = metrics or Metrics()
        self._policies = policies
        self._unit = store
        """Where changes by users are written."""
        self._leases = leases
        self._changed = changed
        self._for_computers = for_computers
        """Called after every change of a match with a computer."""
        self._luck = SystemRandom()
        self._turns = Turns()
        self._memory = MatchMemory()
        self._newer: set[str] = set()

    async def get(self, match_id: int, *, at_least: int = 0) -> LoadedMatch:
        """Return the match, at version `at_least` or later. Raises `Refused` if unreadable."""
        loaded = self._memory.get(match_id)
        if loaded is None or loaded.match.version < at_least:
            loaded = await self._renewed(match_id)
        return loaded

    async def _renewed(self, match_id: int) -> LoadedMatch:
        doubted = self._memory.doubted
        stored = await match_store.load(self._store, match_id)
        return await self._remembered(match_id, stored, doubted=doubted)

    async def _remembered(
        self, match_id: int, stored: Match | None, *, doubted: int
    ) -> LoadedMatch:
        """Load a match that was read, and keep it unless others have written since (`doubted`)."""
        loaded = await self._loaded(match_id, stored)
        while loaded.match.status is Status.RUNNING and loaded.match.rules < loaded.game.rules:
            loaded = await self._end_outdated(loaded)
        if doubted == self._memory.doubted:
            self._memory.keep(loaded)
        return loaded

    async def visible(
        self, match_id: int, *, user_id: int, place_id: int, at_least: int = 0
    ) -> LoadedMatch:
        """Return the match if the user may see it. Raises `Refused`.

        The only rule of visibility: matches are visible to players and named users, in the place
        where they started, and in places that show them.
        """
        loaded = await self.get(match_id, at_least=at_least)
        match = loaded.match
        if (
            user_id in match.people
            or place_id == match.place_id
            or (match.held_for and await usernames.waits_for(self._store, match_id, user_id))
            or await boards.is_shown(self._store, match_id, place_id)
        ):
            return loaded
        raise Refused("no-such-match", match=match_id)

    async def with_code(
        self, code: str, *, user_id: int, place_id: int, joins: bool
    ) -> LoadedMatch:
        """Return the match with this code if the user may see it, or `joins` an open challenge.

        Others are refused like unknown codes, to reveal no match numbers, or told that an open
        challenge was accepted. Raises `Refused`.
        """
        match_id = await match_queries.by_code(self._store, code) if code else None
        if match_id is None:
            raise Refused("no-such-code")
        unusable = Refused("no-such-code")
        try:
            if joins:
                loaded = await self.get(match_id)
                if loaded.match.is_open:
                    return loaded
                if loaded.match.was_open:
                    unusable = await self._used(loaded.match)
            return await self.visible(match_id, user_id=user_id, place_id=place_id)
        except Refused as refused:
            raise unusable from refused

    async def _used(self, match: Match) -> Refused:
        """Name the challenger, as the challenge did, but not who accepted it."""
        name = (await people.names(self._store, [match.challenger]))[match.challenger]
        if name == erased_name(match.challenger):
            return Refused("code-used-up")
        return Refused("code-used", name=name)

    async def _loaded(self, match_id: int, match: Match | None) -> LoadedMatch:
        if match is None or self._is_newer(match):
            raise Refused("no-such-match", match=match_id)
        try:
            # Without moves there is nothing slow to replay.
            loaded = await asyncio.to_thread(replayed, match) if match.plies else replayed(match)
        except UnreadableError as error:
            if await match_store.put_aside(self._store, match_id):
                _log.error("match cannot be replayed", match=match_id, reason=str(error))
            raise Refused("no-such-match", match=match_id) from error
        if match.is_aside:
            await match_store.take_up(self._store, match_id)
            _log.info("match can be replayed again", match=match_id)
            self._changed()
        return loaded

    def _is_newer(self, match: Match) -> bool:
        """Return whether only a newer release knows the rules of the match."""
        if match.game not in games.ids() or match.rules <= games.get(match.game).rules:
            return False
        if match.game not in self._newer:
            self._newer.add(match.game)
            _log.warning("matches of newer rules ignored", game=match.game, rules=match.rules)
        return True

    async def look_over(self) -> None:
        """End matches of older rules, and retry those set aside, at the start."""
        current = {game_id: games.get(game_id).rules for game_id in games.ids()}
        await self.several(await match_queries.unsettled(self._store, current))

    async def several(self, match_ids: Iterable[int]) -> list[LoadedMatch]:
        """Return these matches, without those that `get` refuses."""
        found, wanted = [], list(match_ids)
        for first in range(0, len(wanted), _READ_TOGETHER):
            some = wanted[first : first + _READ_TOGETHER]
            doubted = self._memory.doubted
            unknown = [match_id for match_id in some if match_id not in self._memory]
            stored = await match_store.load_several(self._store, unknown) if unknown else {}
            for match_id in some:
                loaded = self._memory.get(match_id)
                with suppress(Refused):
                    found.append(
                        loaded
                        or await self._remembered(match_id, stored.get(match_id), doubted=doubted)
                    )
        return found

    def within(self, unit: Store) -> Self:
        """Return an instance whose changes by users are part of a unit of work."""
        matches = copy(self)
        matches._unit = unit  # noqa: SLF001 - our own class
        return matches

    def read_anew(self, *match_ids: int) -> None:
        """Forget cached matches, all or these, because the database is newer."""
        self._memory.doubt(*match_ids)

    @abstractmethod
    async def _end_outdated(self, loaded: LoadedMatch) -> LoadedMatch:
        """End a match of older rules without a result."""
