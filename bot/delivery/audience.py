"""Whom to notify, when, and by which board: each news once, by one board on each platform."""

from collections.abc import Collection, Mapping, Sequence
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


Shown = Sequence[tuple[Board, Place]]
"""Boards of a match with their places."""


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


def best_board(shown: Shown, externals: Mapping[str, str]) -> int | None:
    """Return the id of the board that notifies a user: in the DM, else in a thread, else the first.

    Boards in closed places come last. `externals`: the user's ids by platform. None: no board can
    reach the user.
    """

    def rank(one: tuple[Board, Place]) -> tuple[bool, int, int]:
        board, place = one
        is_direct = place.kind is PlaceKind.DIRECT
        return place.is_unreachable, 0 if is_direct else 1 if place.parent else 2, board.id

    reach = [
        (board, place)
        for board, place in shown
        if (external := externals.get(place.platform)) is not None
        and (place.kind is not PlaceKind.DIRECT or place.external == external)
    ]
    return min(reach, key=rank)[0].id if reach else None


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
    is_notified = board.notified >= max(board.news, loaded.match.news)
    if is_notified or not (medium.notifies or medium.pushes):
        return Audience({})
    users: Collection[int] = users_to_notify(loaded)
    if medium.pushes and users:
        users = await push_subscriptions.subscribers(app.store, users)
    reachable = await people.reachable(app.store, platform, users) if users else {}
    if not reachable:
        return Audience({})
    shown, changed = await _shown(app, loaded, place), None
    allowed, here = await _allowed(app, shown), {there.id for _, there in shown}
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
            is_here=one.active_in in here,
            is_watching=user in watching,
        )
        for user, one in reachable.items()
        if best_board(allowed, {platform: one.external}) == board.id
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
    shown = await _shown(app, loaded, place)
    now, here = await _allowed(app, shown), replace(place, settings={**place.settings, REACH: ""})
    others = [(one, there) for one, there in now if one.id != board.id]
    opened = [*others, *((one, here) for one, _ in shown if one.id == board.id)]
    instead = set()
    users = await people.reachable(app.store, place.platform, users_to_notify(loaded))
    for user in users.values():
        by = {place.platform: user.external}
        if best_board(opened, by) == board.id:
            instead.add(best_board(now, by))
    if found := {one for one in instead if one not in (None, board.id)}:
        await lease_store.hand_over(app.store, board, found)
        app.changed.set()


async def _shown(app: App, loaded: MatchState, here: Place) -> Shown:
    """Return the boards of a match. Most have one, `here`."""
    return [
        (one, here if one.place_id == here.id else await places.place(app.store, one.place_id))
        for one in await board_store.of_match(app.store, loaded.match.id)
    ]


async def _allowed(app: App, shown: Shown) -> Shown:
    """Return boards without those in places that the operator blocks."""
    return [one for one in shown if not await app.policies.is_blocked(one[1])]


async def recipients(app: App, told: Mapping[int, str]) -> tuple[Recipient, ...]:
    """Return users with their names, by their external ids."""
    names = await app.names.of(told)
    return tuple(Recipient(names[user], external) for user, external in told.items())
