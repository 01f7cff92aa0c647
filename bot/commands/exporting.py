"""Games as files: one in a format of `games.records`, or all of a user's."""

from bot.commands.base import Context
from bot.commands.info import with_moves
from bot.commands.own import fitted
from bot.commands.resolving import resolve_match
from bot.commands.tokens import paged
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Match, Status
from bot.screens import Button, File, Screen, in_rows
from bot.screens.records import can_export, record_of
from bot.store import match_queries
from bot.store import matches as match_store
from games import records

_MOST = 1000
"""Games in a file, as `games.records.read` accepts."""
_AT_ONCE = 100


async def record(context: Context) -> Screen:
    """``/export``: send the record of a match as a file."""
    form, texts = context.command.argument or records.OURS, context.texts
    loaded = await resolve_match(context, "record", with_moves, none="no-match", argument=form)
    match = loaded.match
    names = await context.app.names.seated(match, texts, context.place.id)
    text = records.write_as(record_of(match, names), form)
    suffix = form if form in ("ggf", "pgn") else "txt"
    others = [one for one in records.forms(match.game) if one != form]
    buttons = [
        Button(texts(f"button-record-{one}"), Action("record", match.id, argument=one))
        for one in others
    ]
    buttons.append(Button(texts("button-records"), Action("records", argument=paged(0))))
    return Screen(
        text=texts("record-file", match=match.id),
        rows=in_rows(buttons, 2),
        secret=True,
        again=Action("record", match.id, argument=form),
        file=File(f"{match.game}-{match.id}.{suffix}", text.encode()),
    )


async def records_of_user(context: Context) -> Screen:
    """Send the user's games as one file, the newest first, `_MOST` on a page."""
    texts, page = context.texts, context.command.page
    over = [Status.OVER, Status.RUNNING]
    every = await match_queries.of_user(context.store, context.user.id, status=over)
    found: list[Match] = []
    for first in range(page * _MOST, min(len(every), (page + 1) * _MOST), _AT_ONCE):
        some = every[first : first + _AT_ONCE]
        loaded = await match_store.load_several(context.store, some)
        found += [loaded[match_id] for match_id in some if can_export(loaded[match_id])]
    if not found:
        raise Refused("no-records")
    players = {who for match in found for who in match.players}
    names = await context.app.names.display_names(players, texts, context.place.id)
    file = await fitted(
        context,
        "azumaya-games.txt",
        lambda: records.write(*(record_of(match, names) for match in found)).encode(),
    )
    to = Action("records", argument=paged(page + 1))
    older = (Button(texts("button-records-older"), to),) if len(every) > (page + 1) * _MOST else ()
    return Screen(
        text=texts("records-file", count=len(found)),
        rows=(older,) if older else (),
        secret=True,
        again=Action("records", argument=paged(page)),
        file=file,
    )
