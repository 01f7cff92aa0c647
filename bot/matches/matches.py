"""Matches: proposed, begun, played, ended. Everything that changes one goes through here.

Under a lock per match: read, check seat, turn and version, ask the position, commit. Nothing
is said to anybody before the commit; boards catch up afterwards (`bot.delivery`).

Rules change. A running match of older rules than the game's is ended without a result as soon
as it is read; what is over stays to be read. A match that cannot be replayed, whether its game
has gone or its record makes no sense, is put aside: its boards stay as they are, the log says
so once, and it comes back by itself when it can be replayed again.
"""

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from copy import copy
from dataclasses import replace
from random import SystemRandom

from structlog import get_logger

import games
from bot.analysis import Judgement
from bot.clocks import Clock, Running
from bot.endings import counted, outcome_of, rating_class
from bot.errors import BotError, Refused, StaleBoard, StoreError
from bot.leases import Leases
from bot.links import new_code
from bot.matches.loaded import LoadedMatch, UnreadableError, replayed
from bot.matches.memory import MatchMemory
from bot.metrics import Metrics
from bot.model import (
    Computer,
    Ending,
    EndingKind,
    Match,
    NewMatch,
    Offer,
    OfferKind,
    OfferState,
    Ply,
    Progress,
    Quotas,
    Status,
)
from bot.offers import agreed, may_abort, offered, open_offer, settled, taken_back
from bot.policies import Policies, Standing
from bot.store import Store, boards, match_queries, times
from bot.store import matches as match_store
from bot.store.boards import Effect
from bot.tasks import Turns
from games import AnyGame, GameError, IllegalMove, Note

__all__ = ["ConfirmationRequired", "Matches", "seated"]

_log = get_logger(__name__)


class _OutOfTimeError(Exception):
    """The time of whoever is on turn is over, as far as we know."""


_READ_TOGETHER = 100
"""Matches that are read from the database at once."""


class ConfirmationRequired(Exception):
    """The move is legal and may be a mistake: ask once more, then play it with `sure`."""

    def __init__(self, loaded: LoadedMatch, move: str, note: Note) -> None:
        super().__init__(note.code)
        self.loaded = loaded
        self.move = move
        self.note = note


class Matches:
    """All matches of the house."""

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
        """By which is written what people do."""
        self._leases = leases
        self._changed = changed
        self._for_computers = for_computers
        """Told of every change of a match in which a computer plays."""
        self._luck = SystemRandom()
        self._turns = Turns()
        self._memory = MatchMemory()
        self._newer: set[str] = set()
        """The games of which there are matches of newer rules than ours."""

    # --- reading --------------------------------------------------------------------------

    async def get(self, match_id: int, *, at_least: int = 0) -> LoadedMatch:
        """The match as it is now, at version `at_least` where somebody knows that it got there.

        Raises `Refused` where there is none, or none that this house can replay.
        """
        loaded = self._memory.get(match_id)
        if loaded is None or loaded.match.version < at_least:
            loaded = await self._renewed(match_id)
        return loaded

    async def _renewed(self, match_id: int) -> LoadedMatch:
        """The match as it is stored, and from now on remembered. Raises `Refused`."""
        doubted = self._memory.doubted
        stored = await match_store.load(self._store, match_id)
        return await self._remembered(match_id, stored, doubted=doubted)

    async def _remembered(
        self, match_id: int, stored: Match | None, *, doubted: int
    ) -> LoadedMatch:
        """What was read of a match, loaded, and from now on remembered. Raises `Refused`.

        `doubted` is how often others had written before it was read.
        """
        loaded = await self._loaded(match_id, stored)
        while loaded.match.status is Status.RUNNING and loaded.match.rules < loaded.game.rules:
            loaded = await self._end_outdated(loaded)
        # Where others have written since we began to read, it may be old already.
        if doubted == self._memory.doubted:
            self._memory.keep(loaded)
        return loaded

    async def visible(
        self, match_id: int, *, user_id: int, place_id: int, at_least: int = 0
    ) -> LoadedMatch:
        """The match as `get` gives it, for somebody for whom there is one.

        This is the one rule for who sees what: a match exists for those who play in it or are
        named in it, where it was made, and where it is shown. To everybody else it is as if
        there were none. Raises `Refused`.
        """
        loaded = await self.get(match_id, at_least=at_least)
        match = loaded.match
        if (
            user_id in match.people
            or place_id == match.place_id
            or await boards.is_shown(self._store, match_id, place_id)
        ):
            return loaded
        raise Refused("no-such-match", match=match_id)

    async def with_code(
        self, code: str, *, user_id: int, place_id: int, joins: bool
    ) -> LoadedMatch:
        """The match with this code, for somebody who sees it, or `joins` by what they were handed.

        What is no challenge to them (any more) is to others as a code that was never given, and
        tells no number. Raises `Refused`.
        """
        match_id = await match_queries.by_code(self._store, code) if code else None
        if match_id is None:
            raise Refused("no-such-code")
        try:
            if joins:
                loaded = await self.get(match_id)
                if loaded.match.status is Status.PROPOSED and loaded.match.opponent is None:
                    return loaded
            return await self.visible(match_id, user_id=user_id, place_id=place_id)
        except Refused as refused:
            raise Refused("no-such-code") from refused

    async def _loaded(self, match_id: int, match: Match | None) -> LoadedMatch:
        """The match that was found under an id, on its board. Raises `Refused`."""
        if match is None or self._is_newer(match):
            raise Refused("no-such-match", match=match_id)
        try:
            # Where nothing has been played there is nothing that would take long.
            loaded = await asyncio.to_thread(replayed, match) if match.plies else replayed(match)
        except UnreadableError as error:
            if await match_store.put_aside(self._store, match_id):
                _log.error(
                    "match put aside, it cannot be replayed", match=match_id, reason=str(error)
                )
            raise Refused("no-such-match", match=match_id) from error
        if match.is_aside:
            await match_store.take_up(self._store, match_id)
            _log.info("match taken up again", match=match_id)
            self._changed()
        return loaded

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

    def _is_newer(self, match: Match) -> bool:
        """Is it a match of rules that only a newer house knows? It is left alone."""
        if match.game not in games.ids() or match.rules <= games.get(match.game).rules:
            return False
        if match.game not in self._newer:
            self._newer.add(match.game)
            _log.warning("matches of newer rules left alone", game=match.game, rules=match.rules)
        return True

    async def look_over(self) -> None:
        """End running matches of older rules, and try again what was put aside.

        For the start of a house: later, each is found when it is read.
        """
        current = {game_id: games.get(game_id).rules for game_id in games.ids()}
        await self.several(await match_queries.unsettled(self._store, current))

    async def several(self, match_ids: Iterable[int]) -> list[LoadedMatch]:
        """Matches as they are now, without those that `get` refuses."""
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

    async def playing(self, platform: str, externals: Iterable[str]) -> dict[str, list[int]]:
        """Ids of the running matches of people, by their identities on a platform."""
        return await match_queries.playing(self._store, platform, externals)

    def within(self, unit: Store) -> "Matches":
        """The same matches, by which people change them in a unit of work."""
        matches = copy(self)
        matches._unit = unit  # noqa: SLF001 - one of our own
        return matches

    def read_anew(self, *match_ids: int) -> None:
        """Forget what is in memory, all of it or these: the database knows better."""
        self._memory.doubt(*match_ids)

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

    # --- beginning ------------------------------------------------------------------------

    async def check_place(
        self, game_id: str, place_id: int, *, standing: Standing | None = None
    ) -> None:
        """May this game be begun, or brought along, in a place, by somebody who stands so there?

        Everything that begins goes through here. The rules are read each time: who changes them
        does not look at matches, so that whatever is begun in the same moment was begun before.
        Raises `Refused`.
        """
        policy = await self._policies.of(place_id)
        policy.check_game(game_id)
        if standing is not None:
            await policy.check_person(standing)

    async def propose(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        *,
        place_id: int,
        challenger: int,
        opponent: int | None,
        preferred_seat: int | None,
        expires: int,
        held_for: str = "",
        is_rated: bool = True,
        has_takebacks: bool = False,
        has_hints: bool = False,
        clock: Clock | None = None,
        quotas: Quotas | None = None,
        may_cross: Collection[int] | None = None,
        once: bool = False,
        standing: Standing | None = None,
    ) -> LoadedMatch:
        """Store a challenge. It binds nobody before it is accepted.

        Raises `Refused` where one of the two has blocked the other, `quotas` are reached, or the
        place does not allow it, to whoever has this `standing` there; `Crossed` where the opponent
        asks for the same, by a challenge that this one may not cross (None: it may cross any);
        `Doubled` where the same waits there already, and is to be but `once`.
        """
        if opponent == challenger:
            raise Refused("challenge-self")
        await self.check_place(game.id, place_id, standing=standing)
        rated = rating_class(game, options) if is_rated and not has_hints else None
        new = NewMatch(
            new_code(),
            game.id,
            game.rules,
            options,
            place_id,
            challenger,
            opponent,
            preferred_seat,
            expires,
            held_for,
            rated,
            clock,
            # Where nothing is rated they need no word.
            has_takebacks and rated is not None,
            has_hints,
        )
        match = await match_store.propose(
            self._unit, new, quotas=quotas, may_cross=may_cross, once=once
        )
        return self._stored(LoadedMatch(match, game, None))

    async def begin_at_once(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        *,
        place_id: int,
        user_id: int,
        computer: Computer | None = None,
        preferred_seat: int | None = None,
        has_hints: bool = False,
        quotas: Quotas | None = None,
        once: bool = False,
        standing: Standing | None = None,
    ) -> LoadedMatch:
        """Begin a match that waits for nobody: of one seat, or against a computer.

        Raises `Refused` and `Doubled` as `propose` does.
        """
        await self.check_place(game.id, place_id, standing=standing)
        setup = await asyncio.to_thread(game.new_setup, options, self._luck)
        position = game.start(options, setup)
        new = NewMatch(
            new_code(), game.id, game.rules, options, place_id, user_id, has_hints=has_hints
        )
        if computer is not None:
            first = self._luck.randrange(2) if preferred_seat is None else preferred_seat
            levels = (None, computer.level) if first == 0 else (computer.level, None)
            new = replace(new, preferred_seat=preferred_seat, computers=levels)
        match = await match_store.begin_at_once(
            self._unit, new, setup=setup, turn=position.turn, quotas=quotas, once=once
        )
        return self._stored(LoadedMatch(match, game, position))

    async def accept(
        self, match_id: int, user_id: int, *, quotas: Quotas | None = None
    ) -> LoadedMatch:
        """Begin a proposed match. Raises `Refused` where this person cannot (any more).

        It is the challenger who begins something: their place must allow it still, and who accepts
        needs no right of their own there.
        """
        async with self._alone_with(match_id):
            loaded = await self._proposed(match_id)
            match = loaded.match
            if user_id == match.challenger:
                raise Refused("accept-own")
            if match.opponent not in (None, user_id):
                raise Refused("challenge-for-other")
            await self.check_place(match.game, match.place_id)
            setup = await asyncio.to_thread(loaded.game.new_setup, match.options, self._luck)
            position = loaded.game.start(match.options, setup)
            # However old the challenge: what begins now is played by today's rules.
            match = replace(match, rules=loaded.game.rules)
            first = (
                match.preferred_seat
                if match.preferred_seat is not None
                else self._luck.randrange(2)
            )
            users = (match.challenger, user_id) if first == 0 else (user_id, match.challenger)
            running = None
            if clock := match.clock:
                turn, now = position.turn, self._store.now()
                running = Running.begun(clock, seats=position.seats, turn=turn, now=now)
            effect = Effect(is_news=True, by=user_id, lease=self._leases.take())
            begun = await match_store.begin(
                self._unit,
                match,
                setup=setup,
                users=users,
                turn=position.turn,
                running=running,
                effect=effect,
                quotas=quotas,
            )
            if begun is None:
                raise self._outdated(match)
            begun = _after(begun, effect)
            return self._stored(LoadedMatch(begun, loaded.game, position))

    async def end_challenge(
        self, match_id: int, status: Status, *, user_id: int | None = None
    ) -> LoadedMatch:
        """End a challenge: declined by the challenged, withdrawn by the challenger, or expired."""
        async with self._alone_with(match_id):
            loaded = await self._proposed(match_id)
            match = loaded.match
            is_theirs = match.opponent == user_id or bool(match.held_for)
            if status is Status.DECLINED and not is_theirs:
                raise Refused("challenge-for-other")
            if status is Status.WITHDRAWN and match.challenger != user_id:
                raise Refused("challenge-not-yours")
            # Who challenged hears of a no; who was challenged need not hear that it is too late.
            is_news = status is Status.DECLINED
            effect = Effect(is_news, user_id, self._leases.take())
            if not await match_store.end_challenge(
                self._unit, match, status, effect=effect, by=user_id
            ):
                raise self._outdated(match)
            opponent = user_id if match.held_for and is_news else match.opponent
            closed = replace(match, status=status, expires=None, held_for="", opponent=opponent)
            closed = _after(closed, effect)
            return self._stored(LoadedMatch(closed, loaded.game, None))

    async def _proposed(self, match_id: int) -> LoadedMatch:
        loaded = await self.get(match_id)
        if loaded.match.status is not Status.PROPOSED:
            raise Refused(f"challenge-{loaded.match.status}")
        return loaded

    # --- playing --------------------------------------------------------------------------

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

    async def offer(
        self,
        match_id: int,
        user_id: int,
        kind: OfferKind,
        *,
        version: int | None = None,
        clock: Clock | None = None,
    ) -> LoadedMatch:
        """Offer something to the other side; where they have offered the same, accept that.

        Whoever may call the match off alone does. `clock` is the one that is offered, where that is
        one. Raises `Refused` and `StaleBoard`.
        """
        wanted = str(clock) if clock else ""

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            match = loaded.match
            seat = seated(loaded, user_id, version=version, now=self._store.now())
            theirs = open_offer(match, kind)
            if theirs is not None and theirs.by != seat and theirs.clock == wanted:
                is_known = version is None or version >= theirs.made
                if kind is OfferKind.TAKEBACK and not is_known:
                    # They wanted to take back a move of their own.
                    raise StaleBoard(match_id)
                return await self._accepted(loaded, theirs, by=user_id)
            if kind is OfferKind.ABORT and may_abort(match):
                ending = Ending(EndingKind.ABORTED, seat)
                return await self._commit(loaded, loaded, [], ending)
            offers = await asyncio.to_thread(offered, match, kind, seat, wanted)
            effect = Effect(is_news=True, by=user_id, lease=self._leases.take())
            return await self._commit_offers(loaded, offers, effect)

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def settle_offer(
        self,
        match_id: int,
        user_id: int,
        kind: OfferKind,
        state: OfferState,
        *,
        version: int | None = None,
    ) -> LoadedMatch:
        """Accept or decline what the other side has offered, or withdraw one's own offer.

        Raises `Refused` where there is no such offer (any more), and `StaleBoard`.
        """

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            seat = seated(loaded, user_id, version=version, now=self._store.now())
            offer = open_offer(loaded.match, kind)
            if offer is None or (offer.by == seat) is not (state is OfferState.WITHDRAWN):
                raise Refused("no-offer")
            if state is OfferState.ACCEPTED:
                return await self._accepted(loaded, offer, by=user_id)
            # Who offered hears of a no; who was asked need not hear that nobody asks any more.
            is_news = state is OfferState.DECLINED
            effect = Effect(is_news, user_id, self._leases.take())
            return await self._commit_offers(loaded, settled(loaded.match, kind, state), effect)

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def answer_for_computer(
        self, match_id: int, kind: OfferKind, state: OfferState, *, version: int
    ) -> LoadedMatch:
        """Accept or decline what somebody has offered a computer.

        Raises `StaleBoard` or `Refused` where it is not offered any more.
        """
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            offer = open_offer(loaded.match, kind)
            if offer is None:
                raise Refused("no-offer")
            if state is OfferState.ACCEPTED:
                return await self._accepted(loaded, offer, by=None)
            effect = Effect(is_news=True, lease=self._leases.take())
            return await self._commit_offers(loaded, settled(loaded.match, kind, state), effect)

    async def _accepted(self, loaded: LoadedMatch, offer: Offer, *, by: int | None) -> LoadedMatch:
        """What is offered comes true: the match ends, or goes on otherwise.

        `by` is the user who has accepted it; None is a computer.
        """
        if offer.kind is OfferKind.CLOCK:
            return await self._with_clock(loaded, offer, by=by)
        if offer.kind is not OfferKind.TAKEBACK:
            return await self._commit(loaded, loaded, [], agreed(offer), by=by)
        match = loaded.match
        earlier = await asyncio.to_thread(replayed, taken_back(match, offer))
        if match.clock and match.running:
            was, turn = loaded.turn, earlier.position.turn
            running = match.running.anew(
                match.clock, was=was, turn=turn, now=self._store.now(), away=match.away
            )
            earlier = replace(earlier, match=replace(earlier.match, running=running))
        effect = Effect(is_news=True, by=by, lease=self._leases.take())
        if not await match_store.take_back(
            self._unit, match, earlier.match, turn=earlier.position.turn, effect=effect
        ):
            raise self._outdated(match)
        return self._stored(replace(earlier, match=_after(earlier.match, effect)))

    async def _with_clock(
        self, loaded: LoadedMatch, offer: Offer, *, by: int | None
    ) -> LoadedMatch:
        """The match with another clock, by which both begin anew."""
        match, position, running = loaded.match, loaded.position, None
        if clock := Clock.read(offer.clock) if offer.clock else None:
            turn, now, away = position.turn, self._store.now(), match.away
            running = Running.begun(clock, seats=position.seats, turn=turn, now=now, away=away)
        offers = settled(match, offer.kind, OfferState.ACCEPTED)
        after = replace(match, offers=offers, clock=clock, running=running)
        effect = Effect(is_news=True, by=by, lease=self._leases.take())
        if not await match_store.set_clock(self._unit, match, after, effect=effect):
            raise self._outdated(match)
        return self._stored(replace(loaded, match=_after(after, effect)))

    async def ask(self, match_id: int, *, version: int) -> LoadedMatch:
        """Ask everybody in a match whether they play on. Raises `StaleBoard`, or `Refused`."""
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            match, effect = loaded.match, Effect(is_news=True, lease=self._leases.take())
            if not await match_store.ask(self._unit, match, effect=effect):
                raise self._outdated(match)
            asked = replace(match, asked=match.version + 1)
            return self._stored(replace(loaded, match=_after(asked, effect)))

    async def remind(
        self, match_id: int, *, version: int, until: int, quiet: Callable[[int], Awaitable[int]]
    ) -> LoadedMatch | None:
        """Remind whoever is on turn that their time ends, where that is due by the moment `until`.

        `quiet` gives the moment before which a user is not to be disturbed (0: they may be): they
        are reminded then, unless their time ends before. None where nobody was reminded. Raises
        `StaleBoard`, or `Refused`.
        """
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            match, running = loaded.match, loaded.match.running
            if running is None or running.due is None or not running.must_remind(until):
                # Somebody else was quicker.
                self._memory.forget(match_id)
                return None
            user_id = match.user_at(min(loaded.turn))
            later = 0 if user_id is None else await quiet(user_id)
            if until < later < running.due:
                await match_store.remind_later(self._unit, match, later)
                self._memory.forget(match_id)
                return None
            effect, after = Effect(is_news=True, lease=self._leases.take()), running.reminded(until)
            if not await match_store.remind(self._unit, match, after, effect=effect):
                raise self._outdated(match)
            reminded = replace(match, running=after, reminded=match.version + 1)
            return self._stored(replace(loaded, match=_after(reminded, effect)))

    async def keep(self, match_id: int, user_id: int, *, version: int | None) -> LoadedMatch:
        """Let a match go on for whose people it was asked. Raises `Refused` and `StaleBoard`."""

        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            match, effect = loaded.match, Effect(by=user_id, lease=self._leases.take())
            seated(loaded, user_id, version=version)
            if not match.is_asked:
                return loaded
            if not await match_store.keep(self._unit, match, effect=effect):
                raise self._outdated(match)
            return self._stored(replace(loaded, match=_after(match, effect)))

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def abandon(self, match_id: int, *, version: int) -> LoadedMatch:
        """End a match in which nobody plays on. Raises `StaleBoard`, or `Refused`."""
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            return await self._commit(loaded, loaded, [], Ending(EndingKind.ABANDONED))

    async def _at(self, match_id: int, version: int) -> LoadedMatch:
        """A running match that is at this version still. Raises `StaleBoard`, or `Refused`."""
        loaded = await self.get(match_id, at_least=version)
        _check_running(loaded.match)
        if loaded.match.version != version:
            raise StaleBoard(match_id)
        return loaded

    async def _commit_offers(
        self, loaded: LoadedMatch, offers: tuple[Offer, ...], effect: Effect
    ) -> LoadedMatch:
        match, turn = loaded.match, loaded.position.turn
        after = _after(replace(match, offers=offers), effect)
        if not await match_store.offer(self._unit, match, after, turn=turn, effect=effect):
            raise self._outdated(match)
        return self._stored(replace(loaded, match=after))

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

    # --- looking back ---------------------------------------------------------------------

    async def ask_analysis(self, match_id: int, user_id: int | None) -> LoadedMatch:
        """Let a match that is over be looked back on; `user_id` is who asks, if they are known.

        Where somebody has asked already, that will do. Raises `Refused` where it is not over, or
        who asks waits for another one, and `StaleBoard`.
        """
        async with self._alone_with(match_id):
            loaded = await self._renewed(match_id)
            match, effect = loaded.match, Effect(lease=self._leases.take())
            if match.status is not Status.OVER:
                raise Refused("analyse-running")
            if match.analysed is not None:
                return loaded
            await match_store.ask_analysis(self._unit, match, by=user_id, effect=effect)
            return self._looked_back(loaded, 0, effect)

    async def note_analysis(self, match_id: int, judged: Sequence[Judgement | None]) -> LoadedMatch:
        """Note what was found of the first moves of a match, and let its boards say how far it is.

        Raises `StaleBoard` where somebody else has noted that, or `Refused`.
        """
        async with self._alone_with(match_id):
            loaded, effect = await self._renewed(match_id), Effect(lease=self._leases.take())
            await match_store.note_analysis(self._store, loaded.match, judged, effect=effect)
            return self._looked_back(loaded, len(judged), effect)

    def _looked_back(self, loaded: LoadedMatch, done: int, effect: Effect) -> LoadedMatch:
        match = loaded.match
        match = replace(match, analysed=Progress(done, len(match.plies)))
        return self._stored(replace(loaded, match=_after(match, effect)))

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
        if match.clock and running:
            by_seats = [ply.seat for ply in plies]
            running = (
                running.stopped()
                if ending
                else running.moved(
                    match.clock,
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
        done = await match_store.commit(
            store or self._unit,
            match,
            plies=plies,
            turn=frozenset() if ending else position.turn,
            ending=ending,
            outcome=outcome,
            counted=counted(match, outcome),
            effect=effect,
            running=running,
        )
        if not done:
            raise self._outdated(match)
        if plies:
            self._metrics.moved(match.game, len(plies))
        played = replace(
            match,
            plies=(*match.plies, *plies),
            ending=ending,
            outcome=outcome,
            status=Status.OVER if ending else Status.RUNNING,
            running=running,
        )
        return self._stored(replace(after, match=_after(played, effect)))

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


def _after(match: Match, effect: Effect) -> Match:
    """`match`, one version later."""
    version = match.version + 1
    if effect.is_news:
        match = replace(match, news=version, news_by=effect.by)
    return replace(match, version=version)
