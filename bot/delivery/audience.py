"""Whom to notify, when, and by which board: each news once, by one board on each platform."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from bot.app import App
from bot.delivery.channel import Channel, Recipient
from bot.domain.model import REACH, Board, EndingKind, Place, PlaceKind
from bot.domain.quiet import waking_at
from bot.matches import MatchState, reading
from bot.screens.news import News, news_of, users_to_notify
from bot.store import boards as board_store
from bot.store import leases as lease_store
from bot.store import match_queries, people, places, push_subscriptions, sessions
from bot.support.settings import Pings

_AWAY = 600
"""Seconds of inactivity."""
_LONG = 60
"""Seconds after which an active user is notified of their turn, too."""
_PRESENT = 120
"""Seconds before the last move of a match in which a user who is active there sees it."""


def notify_after(
    loaded: MatchState,
    pings: Pings,
    *,
    settings: Mapping[str, str],
    active: int | None,
    now: int,
    changed: int | None = None,
    is_here: bool = False,
    is_watching: bool = False,
) -> int | None:
    """Return until when a notification may wait (Unix seconds; 0: not; None: for ever).

    `settings` of the user; `active`: when they were last active; `is_here`: in a place that shows
    the match; `is_watching`: sees it now. `changed`: when the match began or ended. Challenges
    notify even if pings are off.
    """
    news, plies = news_of(loaded), loaded.match.plies
    # Not in the future, from a wrong clock.
    if active is not None and not now - _AWAY < active <= now:
        active = None
    if is_watching and active is not None:
        return active + _AWAY
    if news is News.CHALLENGED:
        return 0
    if pings == "never":
        return None
    if news in (News.NUDGED, News.WARNED):
        return min(waking_at(settings, now), now + board_store.MOST_HELD)
    since = changed if news in (News.JOINED, News.OVER) else None
    if news is News.TURN:
        since = plies[-1].at
    if pings == "always" or since is None or active is None:
        return 0
    if news is News.OVER and is_here:
        ending = loaded.match.ending
        # Other ends than by a move are not expected, and only a message further up shows them.
        is_by_move = ending is not None and ending.kind is EndingKind.RULES
        if active > since - is_by_move * _PRESENT:
            return None
    until = since + _LONG
    return until if now < until <= now + _LONG else 0


def best_board(
    boards: Sequence[Board],
    places: Mapping[int, Place],
    externals: Mapping[str, str],
    *,
    shut_out: AbstractSet[int] = frozenset(),
) -> int | None:
    """Return the id of the board that notifies a user: in the DM, else in a thread, else the first.

    Boards in closed places come last, and those in `shut_out` places (ids) never notify. `places`:
    by board id. `externals`: the user's ids by platform. None: no board can reach the user.
    """

    def rank(board: Board) -> tuple[bool, int, int]:
        place = places[board.id]
        if place.kind is PlaceKind.DIRECT:
            return (place.is_unreachable, 0, board.id)
        return (place.is_unreachable, 1 if place.parent else 2, board.id)

    reach = [
        board
        for board in boards
        if places[board.id].id not in shut_out
        and (external := externals.get((place := places[board.id]).platform)) is not None
        and (place.kind is not PlaceKind.DIRECT or place.external == external)
    ]
    return min(reach, key=rank).id if reach else None


@dataclass(frozen=True, slots=True)
class Audience:
    """The users to notify by a board with their external ids, and when."""

    users: Mapping[int, str]
    until: int = 0
    """Unix seconds, 0 for now."""


async def find_audience(
    app: App, channel: Channel, board: Board, place: Place, loaded: MatchState
) -> Audience:
    """Return the users to notify by this board."""
    medium, platform = channel.medium, channel.platform
    if board.notified >= max(board.news, loaded.match.news):
        return Audience({})
    if not (medium.notifies or medium.pushes):
        return Audience({})
    users: Collection[int] = users_to_notify(loaded)
    if medium.pushes and users:
        users = await push_subscriptions.subscribers(app.store, users)
    reachable = await people.reachable(app.store, platform, users) if users else {}
    if not reachable:
        return Audience({})
    shown, where, shut_out = await _shown(app, loaded)
    changed = None
    if news_of(loaded) in (News.JOINED, News.OVER):
        changed = await match_queries.changed(app.store, loaded.match.id)
    watching = await sessions.watching(app.store, users) if medium.pushes else set()
    until = {
        user: notify_after(
            loaded,
            app.pings(one.settings, place),
            settings=one.settings,
            active=one.active,
            now=app.store.now(),
            changed=changed,
            is_here=one.active_in in {there.id for there in where.values()},
            is_watching=user in watching,
        )
        for user, one in reachable.items()
        if best_board(shown, where, {platform: one.external}, shut_out=shut_out) == board.id
    }
    waits = {user: time for user, time in until.items() if time is not None}
    first = min(waits.values(), default=0)
    # Notify all when the first is due, unless they see it.
    soon = max(first, app.store.now() + _LONG)
    told = {user: reachable[user].external for user in users if waits.get(user, soon + 1) <= soon}
    return Audience(told, first)


async def reassign_notifications(app: App, board: Board, place: Place) -> None:
    """Let other boards notify the users whom this one would notify if its place were open."""
    loaded = await reading.get(app.matches, board.match_id, at_least=board.wanted)
    if board.notified >= max(board.news, loaded.match.news):
        return
    shown, where, shut_out = await _shown(app, loaded)
    opened = {**where, board.id: replace(place, settings={**place.settings, REACH: ""})}
    instead = set()
    for one in (
        await people.reachable(app.store, place.platform, users_to_notify(loaded))
    ).values():
        by = {place.platform: one.external}
        if best_board(shown, opened, by, shut_out=shut_out - {place.id}) == board.id:
            instead.add(best_board(shown, where, by, shut_out=shut_out))
    if others := {found for found in instead if found not in (None, board.id)}:
        await lease_store.hand_over(app.store, board, others)
        app.changed.set()


async def _shown(
    app: App, loaded: MatchState
) -> tuple[list[Board], dict[int, Place], AbstractSet[int]]:
    """Return the boards of a match, their places, and which of these the operator blocks (ids)."""
    shown = await board_store.of_match(app.store, loaded.match.id)
    where = {one.id: await places.place(app.store, one.place_id) for one in shown}
    shut_out = {place.id for place in where.values() if await app.policies.is_blocked(place)}
    return shown, where, shut_out


async def recipients(app: App, told: Mapping[int, str]) -> tuple[Recipient, ...]:
    """Return users with their names, by their external ids."""
    names = await app.names.of(told)
    return tuple(Recipient(names[user], external) for user, external in told.items())
