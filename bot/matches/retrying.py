"""Check and repeat the changes of users: memory may be older than what another process stored."""

from collections.abc import Awaitable, Callable

from bot.domain.errors import BotError, Refused, StaleBoard
from bot.matches import clocks, reading
from bot.matches.loaded import LoadedMatch
from bot.matches.matches import Matches
from bot.store import match_queries
from games import GameError, Note


class _OutOfTimeError(Exception):
    """The time of the player to move may have run out."""


class ConfirmationRequired(Exception):
    """The move is legal and may be a mistake. Ask the player, then play it with `sure`."""

    def __init__(self, loaded: LoadedMatch, move: str, note: Note) -> None:
        super().__init__(note.code)
        self.loaded = loaded
        self.move = move
        self.note = note


def seated(
    loaded: LoadedMatch, user_id: int, *, version: int | None = None, now: int | None = None
) -> int:
    """Return the user's seat in a running match that is unchanged since `version`.

    Raises `Refused`, `StaleBoard`, or `_OutOfTimeError` if time may have run out by `now`.
    """
    match = loaded.match
    seat = match.seat_of(user_id)
    loaded.check_running()
    if seat is None:
        raise Refused("not-in-match")
    if version is not None and not match.is_as_seen(version):
        raise StaleBoard(match.id)
    if now is not None and match.has_run_out(now):
        raise _OutOfTimeError
    return seat


async def on_newest(
    matches: Matches,
    match_id: int,
    change: Callable[[LoadedMatch], Awaitable[LoadedMatch]],
    *,
    at_least: int,
) -> LoadedMatch:
    """Return the result of `change`, and repeat it if it refused an outdated match.

    Repetitions end, because each time another process has made progress.
    """
    async with matches.locked(match_id):
        loaded = await reading.get(matches, match_id, at_least=at_least)
        if loaded.match.running is not None and await clocks.make_up_downtime(matches):
            loaded = await reading.get(matches, match_id, at_least=at_least)
        lost: StaleBoard | None = None
        while True:
            try:
                return await change(loaded)
            except _OutOfTimeError:
                if await clocks.try_expire(matches, match_id):
                    raise Refused("too-late") from None
            except (BotError, ConfirmationRequired, GameError) as error:
                newest = await match_queries.version(matches.store, match_id)
                if newest in (None, loaded.match.version):
                    if lost is None or isinstance(error, ConfirmationRequired):
                        raise
                    # The current board says more than the reason of the refusal.
                    raise lost from None
                if isinstance(error, StaleBoard):
                    lost = error
            loaded = await reading.refresh(matches, match_id)
