"""Block users: no challenges, rematches or chat lines from them.

Blocked users are not notified. To them, the user takes no challenges at the moment.
"""

from contextlib import suppress
from dataclasses import replace

from bot.commands.base import Answer, Context
from bot.commands.resolving import parse_number
from bot.domain.actions import Action
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Status, Stranger, User
from bot.matches import beginning, reading
from bot.screens import Button, Rows, Screen, in_rows
from bot.store import blocks, match_queries, tombstones

_MOST_LISTED = 20
_ERASED = "erased."
"""Prefix for blocks of deleted users, who have no id."""
_DAY = 24 * 3600


async def block(context: Context) -> Answer:
    """``/block @name``: block a user. Without a name: list the blocks."""
    person = _person(context)
    if person is None:
        return await listing(context)
    if person.id == context.user.id:
        raise Refused("block-self")
    # Outside the unit of work: each step can be repeated.
    await blocks.add(context.app.store, context.user.id, person.id)
    await _end_challenges(context, person.id)
    done = context.say("block-done", name=person.name, platform=context.place.platform)
    return replace(done.as_secret(), lines_changed=True)


async def unblock(context: Context) -> Answer:
    """``/unblock @name``, or a button of the list. Without a name: list the blocks."""
    if context.command.argument.startswith(_ERASED):
        block = parse_number(context.command.argument.removeprefix(_ERASED))
        await blocks.remove_erased(context.store, context.user.id, block)
        return await listing(context)
    if number := parse_number(context.command.argument):
        taken_back = await blocks.remove(context.store, context.user.id, number)
        return replace((await listing(context)).as_secret(), lines_changed=taken_back)
    person = _person(context)
    if person is None:
        return await listing(context)
    if isinstance(person, Stranger):
        # Only a tombstone of a deleted user is blocked.
        taken_back = await tombstones.unblock(
            context.store, context.user.id, person.platform, person.external
        )
    else:
        taken_back = await blocks.remove(context.store, context.user.id, person.id)
    if not taken_back:
        raise Refused("not-blocked", name=person.name)
    done = context.say("unblock-done", name=person.name)
    return replace(done.as_secret(), lines_changed=True)


def _person(context: Context) -> User | None:
    command = context.command
    if command.is_bot:
        raise Refused("block-house")
    return command.person or command.replied


async def _end_challenges(context: Context, other: int) -> None:
    user_id = context.user.id
    waiting = await match_queries.of_user(context.store, user_id, status=[Status.PROPOSED])
    for loaded in await reading.get_several(context.app.matches, waiting):
        match = loaded.match
        if match.people == {user_id, other}:
            own = match.challenger == user_id
            status = Status.WITHDRAWN if own else Status.DECLINED
            # It was answered in the same moment.
            with suppress(Refused, StaleBoard):
                await beginning.end_challenge(
                    context.app.matches, match.id, status, user_id=user_id
                )


async def listing(context: Context) -> Answer:
    """List the blocked users, with buttons to unblock them."""
    store, texts = context.store, context.texts
    found = await blocks.listed(store, context.user.id, limit=_MOST_LISTED)
    erased = await blocks.erased(store, context.user.id, limit=_MOST_LISTED - len(found))
    if not found and not erased:
        return context.say("blocks-none", platform=context.place.platform)
    rest = await blocks.count(store, context.user.id) - len(found) - len(erased)
    now = int(context.app.clock())
    names = await context.app.names.display_names([person.id for person in found], texts)
    labels = {str(one.id): texts("button-unblock", name=names[one.id]) for one in found} | {
        f"{_ERASED}{block}": texts("button-unblock-erased", days=max(0, now - at) // _DAY)
        for block, at in erased.items()
    }
    buttons = [Button(label, Action("unblock", argument=who)) for who, label in labels.items()]
    text = "\n".join(
        [texts("blocks-text"), *([texts("blocks-more", count=rest)] if rest > 0 else [])]
    )
    # Discord accepts no message with twenty rows.
    private = Screen(title=texts("blocks-title"), text=text, rows=in_rows(buttons), secret=True)
    return Answer(private=private)


async def settings_rows(context: Context) -> Rows:
    """Return the row of ``/settings`` that opens the list, if there is one."""
    number = await blocks.count(context.store, context.user.id)
    if not number:
        return ()
    return ((Button(context.texts("settings-blocked", count=number), Action("blocked")),),)
