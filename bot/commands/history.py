"""``/history``: finished games of a user, page by page."""

from bot.commands.base import Context
from bot.commands.menus import page_buttons
from bot.commands.resolving import label, names_of
from bot.commands.tokens import listed
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import PlaceKind, User
from bot.matches import history
from bot.matches.history import Wanted
from bot.screens import Button, Screen, status_line
from bot.store import people

_FEW = 5


async def played(context: Context) -> Screen:
    """``/history [user] [game] [result]``: list finished games that the user may see."""
    command, texts, me = context.command, context.texts, context.user.id
    if command.is_bot:
        raise Refused("stats-house")
    of = await _person(context)
    # Where others read the answer, it lists only what they all may see.
    is_public = command.medium.answers_stay and context.place.kind is not PlaceKind.DIRECT
    reader = 0 if is_public and of.id != me else me
    skip = command.page * _FEW
    wanted = Wanted(command.game, command.result, rated=False, before=0, limit=_FEW, skip=skip)
    try:
        found, more = await history.finished(
            context.matches, of, wanted, reader=reader, place_ids=[context.place.id]
        )
    except Refused:
        _check_name(context, of)
        raise
    if not found:
        _check_name(context, of)
    loaded_matches = [loaded for loaded, _ in found]
    names = await names_of(context, loaded_matches)
    lines, rows = [], []
    for loaded, ended in found:
        name = await label(context, loaded, names)
        how = status_line(loaded, context.reader, names, my_turn=False)
        lines.append(f"{name}: {how.removesuffix('.')} ({texts.day(ended)})")
        board = Button(f"#{loaded.match.id}", Action("past", loaded.match.id))
        rows.append((board, *context.app.screens.ending_views(loaded, texts)))
    pages = page_buttons(
        context,
        skip + len(found) + bool(more),
        lambda page: Action("played", argument=listed(command, of.id, page)),
        size=_FEW,
    )
    is_all_of_mine = of.id == me and not (command.game or command.result)
    none = texts("played-none" if is_all_of_mine else "played-no-such")
    return Screen(
        title=texts("played-title") if of.id == me else texts("played-title-of", name=of.name),
        text="\n".join(lines) or none,
        rows=(*rows, *pages),
        secret=reader == me,
        again=Action("matches"),
    )


async def _person(context: Context) -> User:
    command = context.command
    if not command.argument:
        return command.person or command.replied or context.user
    found = await people.user(context.store, int(command.argument))
    if found is None:
        raise Refused("button-unknown")
    return found


def _check_name(context: Context, of: User) -> None:
    """Check that no made-up button learns who `of` is. Raises `Refused`."""
    if context.command.argument and of.id != context.user.id:
        raise Refused("button-unknown")
