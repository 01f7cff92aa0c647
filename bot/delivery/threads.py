"""Threads for matches in a channel, which are closed when no active match is shown in them."""

from functools import partial

from structlog import get_logger

from bot.app import App
from bot.delivery.channel import Channel, ClosedError, GoneError, Outgoing, done_later
from bot.domain.model import PARENT, THREAD_CLOSED, THREAD_OPENED, PlaceKind, Status
from bot.matches.directory import LONGEST_TITLE
from bot.matches.policies import ON, THREADS, inherited
from bot.screens import headline
from bot.store import boards as board_store
from bot.store import places

_log = get_logger(__name__)


async def open_thread(app: App, channel: Channel, outgoing: Outgoing, message: str) -> None:
    """Open a thread under a board, with another board in it, unless there is one."""
    place, loaded, store = outgoing.place, outgoing.loaded, app.store
    match = loaded.match
    if place.settings.get(THREADS) != ON or match.status is not Status.RUNNING:
        return
    for board in await board_store.of_match(store, match.id):
        shown_in = await places.place(store, board.place_id)
        if shown_in.parent == place.external:
            return
    names = await app.names.display_names(match.players, outgoing.texts, place.id)
    title = headline(loaded, outgoing.texts, names, is_lasting=True)
    external = await channel.open_thread(place, message, f"#{match.id} {title}")
    if external is None:
        return
    thread = await places.get_or_create_place(
        store,
        place.platform,
        external,
        kind=PlaceKind.CHANNEL,
        title=f"#{title}"[:LONGEST_TITLE],
        community=place.community,
    )
    # The thread inherits the channel's policies, including later changes.
    ours = {PARENT: place.external, THREAD_OPENED: "yes"}
    await places.change_place(store, thread.id, settings={**inherited(place), **ours})
    await board_store.add(store, match, thread.id, seat=None, is_told=False)
    app.changed.set()


async def close_thread(app: App, channel: Channel, place_id: int) -> None:
    """Close our thread after its last match, if allowed.

    Its newest board is stored, so that open threads are found after a crash (`threads_to_close`).
    """
    close = partial(_close_thread, app, channel, place_id)
    await done_later(close, or_else="thread not closed", place=place_id)


async def _close_thread(app: App, channel: Channel, place_id: int) -> None:
    place = await places.place(app.store, place_id)
    if not place.is_ours:
        return
    newest = await board_store.newest_if_finished(app.store, place_id)
    if newest is None:
        return
    try:
        await channel.close_thread(place)
    except (ClosedError, GoneError) as error:
        _log.info("thread not closed", place=place_id, why=type(error).__name__)
    await places.change_place(app.store, place_id, settings={THREAD_CLOSED: str(newest)})
