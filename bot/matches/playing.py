"""Matches in which somebody moves, and which end. Everything that changes one goes through here.

Under a lock per match: read, check seat, turn and version, ask the position, commit. Nothing
is said to anybody before the commit; boards catch up afterwards (`bot.delivery`).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from structlog import get_logger

from bot.endings import counted, outcome_of
from bot.errors import BotError, Refused, StaleBoard, StoreError
from bot.matches.loaded import LoadedMatch
from bot.matches.reading import Reading
from bot.model import Ending, EndingKind, Match, Ply, Status
from bot.offers import carried_on
from bot.store import Store, match_queries, times
from bot.store import matches as match_store
from bot.store.boards import Effect
from games import GameError, IllegalMove, Note

__all__ = ["ConfirmationRequired", "Playing", "next_version", "seated"]

_log = get_logger(__name__)


class _OutOfTimeError(Exception):
    """The time of whoever is on turn is over, as far as we know."""


class ConfirmationRequired(Exception):
    """The move is legal and may be a mistake: ask once more, then play it with `sure`."""

    def __init__(self, loaded: LoadedMatch, move: str, note: Note) -> None:
        super().__init__(note.code)
        self.loaded = loaded
        self.move = move
        self.note = note


class Playing(Reading):
    """Matches that are played and ended, and what all that changes them has in common."""

    async def _end_outdated(self, loaded: LoadedMatch) -> LoadedMatch:
        """End a match of older rules: what it would come to by today's is nobody's doing."""
        match = loaded.match
        try:
            # Nobody has asked for this: it finishes nobody's command.
            ending = Ending(EndingKind.ABORTED)
            ended = await self._commit(loaded, loaded, [], ending, store=self._store)
        except StaleBoard:
            # Another process was quicker: it did the same, or knows the older rules only.
            return await self._loaded(match.id, await match_store.load(self._store, match.id))
        _log.info("match of older rules ended", match=match.id, game=match.game, rules=match.rules)
        return ended

    async def playing(self, platform: str, externals: Iterable[str]) -> dict[str, list[int]]:
        """Ids of the running matches of people, by their identities on a platform."""
        return await match_queries.playing(self._store, platform, externals)

    @asynccontextmanager
    async def _alone_with(self, match_id: int) -> AsyncIterator[None]:
        """Nobody else changes this match while the block runs."""
        async with self._turns.of(match_id):
            try:
                yield
            except (asyncio.CancelledError, StoreError):
                # Perhaps it was committed all the same: what we remember may be old.
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
        """Play what `user_id` means by `text` and commit it; with it what was chosen `also`.

        `version` is what was on the screen; None for a person who just typed.
        Raises `StaleBoard`, `Refused`, `ConfirmationRequired` (unless `sure`), or the game's
        `GameError`.
        """

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            seat = seated(loaded, user_id, version=version, now=self._store.now())
            return await self._moved(loaded, seat, text, also=also, sure=sure)

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def play_for_computer(
        self, match_id: int, seat: int, text: str, *, version: int
    ) -> LoadedMatch:
        """Play what a computer has thought of for its seat, as it saw the match at `version`.

        Raises `StaleBoard` where that has gone on, `Refused`, or the game's `GameError`.
        """
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
        """What a seat means by `text`, and by what it chose `also`, judged and committed.

        Raises what `play` raises.
        """
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
        """Give up: a loss, or nothing at all for whoever has not made a move yet."""

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            seat = seated(loaded, user_id, version=version, now=self._store.now())
            return await self._commit(loaded, loaded, [], loaded.match.given_up(seat))

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def end(
        self, match_id: int, ending: Ending, *, user_id: int | None = None
    ) -> LoadedMatch:
        """End a running match as its rules would not; whose doing it is need not be told of it.

        Raises `Refused`, or ValueError.
        """
        async with self._alone_with(match_id):
            loaded = await self.get(match_id)
            _check_running(loaded.match)
            seats = range(len(loaded.match.seats))
            if ending.kind is EndingKind.RULES or not (ending.by is None or ending.by in seats):
                raise ValueError(ending)
            return await self._commit(loaded, loaded, [], ending, by=user_id)

    async def given_up(self, user_id: int, *, most: int) -> list[match_store.Ended]:
        """How matches of somebody who goes for good end, `most` of them: nobody waits for them.

        Nothing is written; that is for the transaction in which they go. Those that nobody can
        replay stay.
        """
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
        """End a match in which time has run out by the moment `until`; None where it has not.

        Raises `Refused`, or `StaleBoard` where somebody has moved in the same moment: what was
        committed first counts.
        """
        async with self._alone_with(match_id):
            loaded = await self.get(match_id)
            _check_running(loaded.match)
            return await self._run_out(loaded) if _has_run_out(loaded.match, until) else None

    async def _run_out(self, loaded: LoadedMatch) -> LoadedMatch:
        """End a match in which the time of the seat on turn is over."""
        ending = loaded.match.timed_out(min(loaded.turn))
        return await self._commit(loaded, loaded, [], ending)

    async def note_clock(self, *, since: int | None = None) -> times.Noted:
        """Note that the house is there; what it has missed is given back (`times.note_clock`)."""
        noted = await times.note_clock(self._store, since=since)
        self._memory.noted = noted.now
        if noted.has_skipped:
            self.read_anew()
            self._changed()
        return noted

    async def notice_absence(self) -> bool:
        """Has the house missed anything that nobody has noticed yet? It is given back then.

        A machine that slept is asked for a move, or told of a holiday, before anybody notices.
        """
        last = self._memory.noted
        if last is not None and 0 <= self._store.now() - last <= times.AWAY:
            return False
        return (await self.note_clock()).has_skipped

    async def _is_too_late(self, match_id: int) -> bool:
        """Is somebody's time over, also if absence is given back? So is the match then."""
        noted = await self.note_clock()
        loaded = await self._renewed(match_id)
        if not _has_run_out(loaded.match, noted.now):
            return False
        try:
            await self._run_out(loaded)
        except StaleBoard:
            # Another process was quicker, with whatever it was.
            return False
        return True

    async def _at(self, match_id: int, version: int) -> LoadedMatch:
        """A running match that is at this version still. Raises `StaleBoard`, or `Refused`."""
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
        """What becomes of a match by `judged`, which may refuse: but only what is stored now.

        What we remember may be older than what another process has stored a moment ago, and
        whoever just typed a move can lose a race; it ends, for somebody wins it each time.
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
                        # They are shown what is there now, rather than told why they are late.
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
        """Store what led from `before` to `after`, whose match is still the same; then it is said.

        Without an `ending` the match goes on for as long as the rules let it. `by` is the user
        whose doing it is, where that is no seat's.
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
        # It is news that it is over, or that somebody is on turn who was not. Who plays against a
        # computer waits for its moves, and is not called for each of them.
        seat = plies[0].seat if plies else ending.wanted_by if ending else None
        is_next = not match.computers and not position.turn <= before.position.turn
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
            # What it has come to for who tried it is known there only.
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

    def _outdated(self, match: Match) -> StaleBoard:
        """Somebody else changed the match under us: forget what we thought it was."""
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
    """The seat of this person in a running match, which is as they saw it.

    Raises `Refused` or `StaleBoard`; `_OutOfTimeError` where time is over `now`, as far as we know.
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
    """Raise `Refused` unless the match is on."""
    if match.status is not Status.RUNNING:
        raise Refused("match-over" if match.status is Status.OVER else "not-begun")


def _has_run_out(match: Match, now: int) -> bool:
    """Is the time of whoever is on turn in a running match over?"""
    running = match.running if match.status is Status.RUNNING else None
    return running is not None and running.has_run_out(now)


def next_version(match: Match, effect: Effect, **changes: Any) -> Match:
    """`match` with these changes, one version later.

    A match has many fields: what changes is changed at once, as every move does it.
    """
    changes["version"] = version = match.version + 1
    if effect.is_news:
        changes |= {"news": version, "news_by": effect.by}
    if not effect.is_beside:
        changes["stands_since"] = version
    return replace(match, **changes)
