"""Play moves, resign and end, also by time. Give back time in which no process ran.

Every change of a match runs under its lock: read, check seat, turn and version, ask the position,
commit. It may raise `Refused` or `StaleBoard`.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.domain.errors import BotError, Refused, StaleBoard
from bot.domain.model import Ending, EndingKind, Ply
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, commit
from bot.store import match_queries, times
from games import GameError, IllegalMove, Note


class ConfirmationRequired(Exception):
    """The move is legal and may be a mistake. Ask the player, then play it with `sure`."""

    def __init__(self, loaded: MatchState, move: str, note: Note) -> None:
        super().__init__(note.code)
        self.loaded = loaded
        self.move = move
        self.note = note


def seated(loaded: MatchState, user_id: int, *, version: int | None = None) -> int:
    """Return the user's seat in a running match that is unchanged since `version`.

    Raises `Refused` or `StaleBoard`.
    """
    match = loaded.match
    seat = match.seat_of(user_id)
    loaded.check_running()
    if seat is None:
        raise Refused("not-in-match")
    if version is not None and not match.is_playable_at(version):
        raise StaleBoard(match.id)
    return seat


async def retry_on_conflict(
    matches: Matches,
    match_id: int,
    user_id: int,
    change: Callable[[MatchState, int], Awaitable[MatchState]],
    *,
    version: int | None,
) -> MatchState:
    """Return the result of `change`, which gets the match and the user's seat.

    Memory may be older than what another process stored. So a change that refused an outdated match
    is repeated. Repetitions end, because each time another process has made progress.
    """
    async with matches.locked(match_id):
        loaded = await reading.get(matches, match_id, at_least=version or 0)
        if loaded.match.clocks is not None and await make_up_downtime(matches):
            loaded = await reading.get(matches, match_id, at_least=version or 0)
        lost: StaleBoard | None = None
        while True:
            try:
                seat = seated(loaded, user_id, version=version)
                if not loaded.match.has_run_out(matches.store.now()):
                    return await change(loaded, seat)
            except (BotError, ConfirmationRequired, GameError) as error:
                newest = await match_queries.version(matches.store, match_id)
                if newest in (None, loaded.match.version):
                    if lost is None or isinstance(error, ConfirmationRequired):
                        raise
                    # The current board says more than the reason of the refusal.
                    raise lost from None
                if isinstance(error, StaleBoard):
                    lost = error
            else:
                if await _try_expire(matches, match_id):
                    raise Refused("too-late")
            loaded = await reading.refresh(matches, match_id)


async def play(
    matches: Matches,
    match_id: int,
    user_id: int,
    text: str,
    *,
    also: Sequence[str] = (),
    version: int | None = None,
    sure: bool = False,
) -> MatchState:
    """Play the move `text`, and the moves chosen with it (`also`), and commit them.

    `version`: as the user saw it, None if typed. Raises `StaleBoard`, `Refused`,
    `ConfirmationRequired` (unless `sure`), or the game's `GameError`.
    """
    move = partial(_play, matches, text=text, also=also, sure=sure)
    return await retry_on_conflict(matches, match_id, user_id, move, version=version)


async def play_for_computer(
    matches: Matches, match_id: int, seat: int, text: str, *, version: int
) -> MatchState:
    """Play the computer's move. Raises like `play`, without `ConfirmationRequired`."""
    async with matches.locked(match_id):
        loaded = await reading.get(matches, match_id, at_least=version)
        loaded.check_running()
        if not loaded.match.is_playable_at(version) or loaded.match.offers_to_computers:
            raise StaleBoard(match_id)
        return await _play(matches, loaded, seat, text=text, sure=True)


async def _play(
    matches: Matches,
    loaded: MatchState,
    seat: int,
    *,
    text: str,
    also: Sequence[str] = (),
    sure: bool,
) -> MatchState:
    now, game, after = matches.store.now(), loaded.game, loaded.position
    if also and game.max_selectable(after.view(seat), seat) <= len(also):
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
        return await commit(matches, loaded, played, plies, ending)
    while forced := after.forced():
        seat, move = forced
        plies.append(Ply(seat, game.notation(move), now))
        before, after = after, after.play(seat, move)
    played = replace(loaded, current=after, last=move, before=before)
    return await commit(matches, loaded, played, plies)


async def resign(
    matches: Matches, match_id: int, user_id: int, *, version: int | None = None
) -> MatchState:
    """Resign: a loss, or no result before the player's first move."""

    async def give_up(loaded: MatchState, seat: int) -> MatchState:
        return await commit(matches, loaded, loaded, [], loaded.match.ending_if_resigned(seat))

    return await retry_on_conflict(matches, match_id, user_id, give_up, version=version)


async def end(
    matches: Matches, match_id: int, ending: Ending, *, user_id: int | None = None
) -> MatchState:
    """End a running match outside its rules, without notifying the user who did it."""
    async with matches.locked(match_id):
        loaded = await reading.get(matches, match_id)
        loaded.check_running()
        return await commit(matches, loaded, loaded, [], ending, by=user_id)


async def expire(matches: Matches, match_id: int, *, until: int) -> MatchState | None:
    """End a match if its time has run out by `until`, else return None."""
    async with matches.locked(match_id):
        loaded = await reading.get(matches, match_id)
        loaded.check_running()
        return await _expire(matches, loaded) if loaded.match.has_run_out(until) else None


async def _expire(matches: Matches, loaded: MatchState) -> MatchState:
    ending = loaded.match.timed_out(min(loaded.turn))
    return await commit(matches, loaded, loaded, [], ending)


async def note_clock(matches: Matches, *, since: int | None = None) -> times.ClockRecord:
    """Note the clock, and give back time in which no process ran (`times.record_clock`)."""
    noted = await times.record_clock(matches.store, since=since)
    matches.memory.noted = noted.now
    if noted.has_skipped:
        matches.memory.invalidate()
        matches.changed()
    return noted


async def make_up_downtime(matches: Matches) -> bool:
    """Give back time in which no process ran, if due. Return whether any was given back.

    A resumed machine may receive a move before it notes the clock.
    """
    last = matches.memory.noted
    if last is not None and 0 <= matches.store.now() - last <= times.AWAY:
        return False
    return (await note_clock(matches)).has_skipped


async def _try_expire(matches: Matches, match_id: int) -> bool:
    """Give back absence, then end the match if the time has run out. Return whether it has."""
    noted = await note_clock(matches)
    loaded = await reading.refresh(matches, match_id)
    if not loaded.match.has_run_out(noted.now):
        return False
    try:
        await _expire(matches, loaded)
    except StaleBoard:
        return False
    return True
