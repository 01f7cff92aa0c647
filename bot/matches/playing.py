"""Moves and endings.

Every change of a match runs under its lock: read, check seat, turn and version, ask the position,
commit. Nothing is shown before the commit. Boards catch up afterwards (`bot.delivery`).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from structlog import get_logger

from bot.domain.errors import BotError, Refused, StaleBoard
from bot.domain.model import Ending, EndingKind, Match, Ply, Status
from bot.domain.offers import carried_on
from bot.domain.waits import Wait
from bot.matches.endings import counted, outcome_of
from bot.matches.loaded import LoadedMatch
from bot.matches.reading import Reading
from bot.store import Store, match_queries, times
from bot.store import matches as match_store
from bot.store.boards import Effect
from bot.support.errors import StoreError
from games import GameError, IllegalMove, Note

__all__ = ["ConfirmationRequired", "Playing", "next_version", "seated"]

_log = get_logger(__name__)

_PATIENCE = 10
"""Seconds for which a user watches a computer think."""


class _OutOfTimeError(Exception):
    """The time of the player to move may have run out."""


class ConfirmationRequired(Exception):
    """The move is legal and may be a mistake. Ask the player, then play it with `sure`."""

    def __init__(self, loaded: LoadedMatch, move: str, note: Note) -> None:
        super().__init__(note.code)
        self.loaded = loaded
        self.move = move
        self.note = note


class Playing(Reading):
    """Play and end matches; the base of all changes, which may raise `Refused` or `StaleBoard`."""

    async def _end_outdated(self, loaded: LoadedMatch) -> LoadedMatch:
        match = loaded.match
        try:
            # Not part of the user's command, so not in its transaction.
            ending = Ending(EndingKind.ABORTED)
            ended = await self._commit(loaded, loaded, [], ending, store=self._store)
        except StaleBoard:
            # Another process did the same, or knows only the older rules.
            return await self._loaded(match.id, await match_store.load(self._store, match.id))
        _log.info("match of older rules ended", match=match.id, game=match.game, rules=match.rules)
        return ended

    async def playing(self, platform: str, externals: Iterable[str]) -> dict[str, list[int]]:
        return await match_queries.playing(self._store, platform, externals)

    @asynccontextmanager
    async def _alone_with(self, match_id: int) -> AsyncIterator[None]:
        async with self._turns.of(match_id):
            try:
                yield
            except (asyncio.CancelledError, StoreError):
                # It may have been committed.
                self._memory.forget(match_id)
                self._changed()
                raise

    async def play(
        self,
        match_id: int,
        user_id: int,
        text: str,
        *,
        also: Sequence[str] = (),
        version: int | None = None,
        sure: bool = False,
    ) -> LoadedMatch:
        """Play the move `text`, and the moves chosen with it (`also`), and commit them.

        `version`: as the user saw it, None if typed. Raises `StaleBoard`, `Refused`,
        `ConfirmationRequired` (unless `sure`), or the game's `GameError`.
        """

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            seat = seated(loaded, user_id, version=version, now=self._store.now())
            return await self._moved(loaded, seat, text, also=also, sure=sure)

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def play_for_computer(
        self, match_id: int, seat: int, text: str, *, version: int
    ) -> LoadedMatch:
        """Play the computer's move. Raises like `play`, without `ConfirmationRequired`."""
        async with self._alone_with(match_id):
            loaded = await self.get(match_id, at_least=version)
            _check_running(loaded.match)
            if not loaded.match.is_as_seen(version) or loaded.match.offers_to_computers:
                raise StaleBoard(match_id)
            return await self._moved(loaded, seat, text, sure=True)

    async def _moved(
        self,
        loaded: LoadedMatch,
        seat: int,
        text: str,
        *,
        also: Sequence[str] = (),
        sure: bool,
    ) -> LoadedMatch:
        now, game, after = self._store.now(), loaded.game, loaded.position
        if also and game.at_once(after.view(seat), seat) <= len(also):
            raise Refused("button-unknown")
        plies = []
        for each in (text, *also):
            before = after
            if seat not in before.turn:
                raise IllegalMove("not-your-turn")
            view = before.view(seat)
            move = game.parse(view, seat, each)
            after = before.play(seat, move)
            if not sure and (note := game.caution(view, seat, move)):
                raise ConfirmationRequired(loaded, game.notation(move), note)
            plies.append(Ply(seat, game.notation(move), now))
        if (puzzle := loaded.match.puzzle) is not None:
            is_best = [ply.notation for ply in plies] == [puzzle.best]
            ending = Ending(EndingKind.SOLVED if is_best else EndingKind.MISSED, seat)
            played = replace(loaded, current=after, last=move, before=before)
            return await self._commit(loaded, played, plies, ending)
        while forced := after.forced():
            seat, move = forced
            plies.append(Ply(seat, game.notation(move), now))
            before, after = after, after.play(seat, move)
        played = replace(loaded, current=after, last=move, before=before)
        return await self._commit(loaded, played, plies)

    async def resign(
        self, match_id: int, user_id: int, *, version: int | None = None
    ) -> LoadedMatch:
        """Resign: a loss, or no result before the player's first move."""

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            seat = seated(loaded, user_id, version=version, now=self._store.now())
            return await self._commit(loaded, loaded, [], loaded.match.given_up(seat))

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def end(
        self, match_id: int, ending: Ending, *, user_id: int | None = None
    ) -> LoadedMatch:
        """End a running match outside its rules, without notifying the user who did it."""
        async with self._alone_with(match_id):
            loaded = await self.get(match_id)
            _check_running(loaded.match)
            seats = range(len(loaded.match.seats))
            if ending.kind is EndingKind.RULES or not (ending.by is None or ending.by in seats):
                raise ValueError(ending)
            return await self._commit(loaded, loaded, [], ending, by=user_id)

    async def given_up(self, user_id: int, *, most: int) -> list[match_store.Ended]:
        """Return how at most `most` matches of a deleted account end, without storing it."""
        ended = []
        for loaded in await self.several(
            await match_queries.seated_in(self._store, user_id, limit=most)
        ):
            seat = loaded.match.seat_of(user_id)
            if loaded.match.status is Status.RUNNING and seat is not None:
                ending = loaded.match.given_up(seat)
                outcome = outcome_of(loaded.position, ending)
                ended.append(
                    match_store.Ended(loaded.match, ending, outcome, counted(loaded.match, outcome))
                )
        return ended

    async def time_out(self, match_id: int, *, until: int) -> LoadedMatch | None:
        """End a match if its time has run out by `until`, else return None."""
        async with self._alone_with(match_id):
            loaded = await self.get(match_id)
            _check_running(loaded.match)
            return await self._run_out(loaded) if _has_run_out(loaded.match, until) else None

    async def _run_out(self, loaded: LoadedMatch) -> LoadedMatch:
        ending = loaded.match.timed_out(min(loaded.turn))
        return await self._commit(loaded, loaded, [], ending)

    async def note_clock(self, *, since: int | None = None) -> times.Noted:
        """Note the clock, and give back time in which no process ran (`times.note_clock`)."""
        noted = await times.note_clock(self._store, since=since)
        self._memory.noted = noted.now
        if noted.has_skipped:
            self.read_anew()
            self._changed()
        return noted

    async def notice_absence(self) -> bool:
        """Give back time in which no process ran, if due. Return whether any was given back.

        A resumed machine may receive a move before it notes the clock.
        """
        last = self._memory.noted
        if last is not None and 0 <= self._store.now() - last <= times.AWAY:
            return False
        return (await self.note_clock()).has_skipped

    async def _is_too_late(self, match_id: int) -> bool:
        """Give back absence, then end the match if the time has run out. Return whether it has."""
        noted = await self.note_clock()
        loaded = await self._renewed(match_id)
        if not _has_run_out(loaded.match, noted.now):
            return False
        try:
            await self._run_out(loaded)
        except StaleBoard:
            return False
        return True

    async def _at(self, match_id: int, version: int) -> LoadedMatch:
        """Return the running match at this version. Raises `StaleBoard` or `Refused`."""
        loaded = await self.get(match_id, at_least=version)
        _check_running(loaded.match)
        if loaded.match.version != version:
            raise StaleBoard(match_id)
        return loaded

    async def _on_newest(
        self,
        match_id: int,
        judged: Callable[[LoadedMatch], Awaitable[LoadedMatch]],
        *,
        at_least: int,
    ) -> LoadedMatch:
        """Return the result of `judged`, and repeat it if it refused an outdated match.

        Memory may be older than what another process stored. Repetitions end, because each time
        another process has made progress.
        """
        async with self._alone_with(match_id):
            loaded = await self.get(match_id, at_least=at_least)
            if loaded.match.running is not None and await self.notice_absence():
                loaded = await self.get(match_id, at_least=at_least)
            lost: StaleBoard | None = None
            while True:
                try:
                    return await judged(loaded)
                except _OutOfTimeError:
                    if await self._is_too_late(match_id):
                        raise Refused("too-late") from None
                except (BotError, ConfirmationRequired, GameError) as error:
                    newest = await match_queries.version(self._store, match_id)
                    if newest in (None, loaded.match.version):
                        if lost is None or isinstance(error, ConfirmationRequired):
                            raise
                        # The current board says more than the reason of the refusal.
                        raise lost from None
                    if isinstance(error, StaleBoard):
                        lost = error
                loaded = await self._renewed(match_id)

    async def _commit(
        self,
        before: LoadedMatch,
        after: LoadedMatch,
        plies: Sequence[Ply],
        ending: Ending | None = None,
        *,
        store: Store | None = None,
        by: int | None = None,
    ) -> LoadedMatch:
        """Store the change to `after`, whose `match` is still the old one.

        Without an `ending` the rules decide whether the match continues. `by`: if no seat caused
        it.
        """
        match, position = before.match, after.position
        if ending is None and not position.turn:
            ending = Ending(EndingKind.RULES)
        outcome = outcome_of(position, ending) if ending else None
        running = match.running
        if match.terms.clock and running:
            by_seats = [ply.seat for ply in plies]
            running = (
                running.stopped()
                if ending
                else running.moved(
                    match.terms.clock,
                    by=by_seats,
                    turn=position.turn,
                    now=self._store.now(),
                    away=match.away,
                )
            )
        # Notify of an ending or a new player to move, but not of quick moves of a computer.
        seat = plies[0].seat if plies else ending.wanted_by if ending else None
        is_next = not position.turn <= before.position.turn and (
            not match.computers or (seat in match.computers and self._is_slow(match))
        )
        effect = Effect(
            is_news=ending is not None or is_next,
            by=by if by is not None or seat is None else match.user_at(seat),
            lease=self._leases.take(),
        )
        offers = carried_on(match, plies) if match.offers else ()
        done = await match_store.commit(
            store or self._unit,
            match,
            plies=plies,
            offers=offers,
            turn=frozenset() if ending else position.turn,
            ending=ending,
            outcome=outcome,
            counted=counted(match, outcome),
            effect=effect,
            running=running,
        )
        if done is None:
            raise self._outdated(match)
        if plies:
            self._metrics.moved(match.game, len(plies))
        if match.is_attempt:
            # Only the database knows the new puzzle rating.
            stored = await match_store.load(self._store, match.id)
            return self._stored(await self._loaded(match.id, stored))
        played = next_version(
            match,
            effect,
            plies=(*match.plies, *plies),
            offers=offers,
            ending=ending,
            outcome=outcome,
            status=Status.OVER if ending else Status.RUNNING,
            running=running,
            has_met_too_often=done.has_met_too_often,
            reratings=done.reratings,
        )
        return self._stored(replace(after, match=played))

    def _is_slow(self, match: Match) -> bool:
        """Return whether a user may have stopped waiting for a computer's move."""
        since = match.plies[-1].at if match.plies else None
        return bool(match.wait.nudged) or (
            since is not None and self._store.now() - since > _PATIENCE
        )

    def _outdated(self, match: Match) -> StaleBoard:
        self._memory.forget(match.id)
        return StaleBoard(match.id)

    def _stored(self, loaded: LoadedMatch) -> LoadedMatch:
        self._metrics.committed(loaded.match.id, loaded.match.version)
        self._memory.keep(loaded)
        if loaded.match.computers:
            self._for_computers()
        self._changed()
        return loaded


def seated(
    loaded: LoadedMatch, user_id: int, *, version: int | None = None, now: int | None = None
) -> int:
    """Return the user's seat in a running match that is unchanged since `version`.

    Raises `Refused`, `StaleBoard`, or `_OutOfTimeError` if time may have run out by `now`.
    """
    match = loaded.match
    seat = match.seat_of(user_id)
    _check_running(match)
    if seat is None:
        raise Refused("not-in-match")
    if version is not None and not match.is_as_seen(version):
        raise StaleBoard(match.id)
    if now is not None and _has_run_out(match, now):
        raise _OutOfTimeError
    return seat


def _check_running(match: Match) -> None:
    if match.status is not Status.RUNNING:
        raise Refused("match-over" if match.status is Status.OVER else "not-begun")


def _has_run_out(match: Match, now: int) -> bool:
    running = match.running if match.status is Status.RUNNING else None
    return running is not None and running.has_run_out(now)


def next_version(match: Match, effect: Effect, **changes: Any) -> Match:
    """Return the next version. All changes at once, because `replace` is slow."""
    changes["version"] = version = match.version + 1
    if effect.is_news:
        changes |= {"news": version, "news_by": effect.by}
    if not effect.is_beside:
        changes |= {"stands_since": version, "wait": Wait()}
    return replace(match, **changes)
