"""Blocking: no challenges, no rematches and no lines of somebody, until one takes it back.

Whoever is blocked is not told so: to them, the other one takes no challenges at the moment.
"""

from contextlib import suppress
from dataclasses import replace

from bot.actions import Action
from bot.commands.base import Answer, Asked
from bot.commands.finding import number_in
from bot.errors import Refused, StaleBoard
from bot.model import Status, User
from bot.screens import Button, Screen
from bot.store import blocks
from bot.store import matches as rows

__all__ = ["block", "listing", "unblock", "way_in"]

_MOST_LISTED = 20
_ERASED = "erased."
"""Before the number of a block of somebody who has none any more."""
_DAY = 24 * 3600


async def block(asked: Asked) -> Answer:
    """``/block @somebody``; without somebody, the list."""
    person = _person(asked)
    if person is None:
        return await listing(asked)
    if person.id == asked.user.id:
        raise Refused("block-self")
    # Several things, each of which may be done again: the command is done with the last one.
    await blocks.add(asked.house.store, asked.user.id, person.id)
    await _end_challenges(asked, person.id)
    return _between_us(asked.say("block-done", name=person.name), lines_changed=True)


async def unblock(asked: Asked) -> Answer:
    """``/unblock @somebody``, or the button of the list; without somebody, the list."""
    if asked.command.argument.startswith(_ERASED):
        block = number_in(asked.command.argument.removeprefix(_ERASED))
        await blocks.remove_erased(asked.store, asked.user.id, block)
        return await listing(asked)
    if number := number_in(asked.command.argument):
        taken_back = await blocks.remove(asked.store, asked.user.id, number)
        return _between_us(await listing(asked), lines_changed=taken_back)
    person = _person(asked)
    if person is None:
        return await listing(asked)
    if not await blocks.remove(asked.store, asked.user.id, person.id):
        raise Refused("not-blocked", name=person.name)
    return _between_us(asked.say("unblock-done", name=person.name), lines_changed=True)


def _between_us(answer: Answer, *, lines_changed: bool) -> Answer:
    """Nobody else in the place is to read it, least of all whom it is about."""
    assert answer.private is not None
    private = replace(answer.private, secret=True)
    return replace(answer, private=private, lines_changed=lines_changed)


def _person(asked: Asked) -> User | None:
    command = asked.command
    if command.is_house:
        raise Refused("block-house")
    return command.person or command.replied


async def _end_challenges(asked: Asked, other: int) -> None:
    """What waits between the two waits no longer."""
    user_id = asked.user.id
    waiting = await rows.waiting(asked.store, user_id, status=[Status.PROPOSED])
    for live in await asked.matches.several(waiting):
        match = live.match
        if match.people == {user_id, other}:
            own = match.challenger == user_id
            status = Status.WITHDRAWN if own else Status.DECLINED
            # Answered in the same moment, it need not be ended.
            with suppress(Refused, StaleBoard):
                await asked.matches.close(match.id, status, user_id=user_id)


async def listing(asked: Asked) -> Answer:
    """Whom one has blocked, with a button each that takes it back."""
    store, texts = asked.store, asked.texts
    found = await blocks.listed(store, asked.user.id, limit=_MOST_LISTED)
    erased = await blocks.erased(store, asked.user.id, limit=_MOST_LISTED - len(found))
    if not found and not erased:
        return asked.say("blocks-none")
    rest = await blocks.count(store, asked.user.id) - len(found) - len(erased)
    now = int(asked.house.clock())
    buttons = [
        Button(
            texts("button-unblock", name=person.name), Action("unblock", argument=str(person.id))
        )
        for person in found
    ]
    buttons += [
        Button(
            texts("button-unblock-erased", days=max(0, now - at) // _DAY),
            Action("unblock", argument=f"{_ERASED}{block}"),
        )
        for block, at in erased.items()
    ]
    lines = [texts("blocks-text"), *([texts("blocks-more", count=rest)] if rest > 0 else [])]
    return Answer(
        private=Screen(
            secret=True,
            title=texts("blocks-title"),
            text="\n".join(lines),
            # Two in a row: one message takes no twenty rows on Discord.
            rows=tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2)),
        )
    )


async def way_in(asked: Asked) -> tuple[tuple[Button, ...], ...]:
    """The row of ``/settings`` that leads to the list, where there is one."""
    number = await blocks.count(asked.store, asked.user.id)
    if not number:
        return ()
    return ((Button(asked.texts("settings-blocked", count=number), Action("blocked")),),)
