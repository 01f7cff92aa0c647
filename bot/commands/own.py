"""A user's stored data, browser sessions and blocks of other users."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from secrets import token_urlsafe
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from bot.app import App
from bot.commands.base import Answer, Context
from bot.commands.menus import back
from bot.commands.resolving import parse_number
from bot.domain.actions import Action
from bot.domain.errors import Refused, StaleBoard
from bot.domain.links import code_in, hashed, new_code, readable_code
from bot.domain.model import Session, Status, Stranger, User
from bot.matches import beginning, reading
from bot.matches.erasing import erase as erase_person
from bot.screens import Button, Copied, File, Link, Rows, Screen, Style, in_rows
from bot.store import blocks, match_queries, people, personal_data, tombstones
from bot.store import sessions as session_store
from bot.store.sessions import CODE_SECONDS, Known, NewSession
from bot.support.platforms import WEB
from bot.support.texts import LANGUAGES, Texts

_AGAIN = Action("privacy")
_FILE = "azumaya-data.json"
_DAY = 24 * 3600
_MOST_SHOWN = 10
_OTHERS = "others"
_LINK = "me={code}"
"""Fragment of a link that connects another browser. Servers never see fragments."""
_MOST_LISTED = 20
_ERASED = "erased."
"""Prefix for blocks of deleted users, who have no id."""


async def privacy(context: Context) -> Screen:
    """``/privacy``: explain what is stored, with buttons to export or delete it."""
    texts, on = context.texts, context.place.platform
    parts = ("also", "seen", "long", "own")
    paragraphs = [texts(f"privacy-{part}", platform=on) for part in parts]
    export = Button(texts("button-export"), Action("export"))
    erase = Button(texts("button-erase"), Action("erase"), Style.DANGER)
    return Screen(
        title=texts("privacy-title"),
        text=texts("privacy-what"),
        folded="\n\n".join([*paragraphs, _host(context)]),
        rows=((export, erase),),
        secret=True,
        again=_AGAIN,
    )


def _host(context: Context) -> str:
    texts, host = context.texts, context.app.settings.house
    lines = [texts("privacy-host", name=host.name) if host.name else texts("privacy-host-unnamed")]
    if host.contact:
        lines.append(texts("privacy-contact", contact=host.contact))
    if host.privacy_url:
        lines.append(texts("privacy-page", url=host.privacy_url))
    return " ".join(lines)


async def export(context: Context) -> Screen:
    """Send the user's stored data as a file."""
    found = await personal_data.export(context.store, context.user.id)
    file = await fitted(context, _FILE, lambda: _json(found))
    return Screen(text=context.texts("privacy-file"), secret=True, again=_AGAIN, file=file)


async def fitted(context: Context, name: str, write: Callable[[], bytes]) -> File:
    """Return what `write` returns, zipped if the platform allows no larger file.

    `write` may block. Raises `Refused` if the file is too large even so.
    """
    most = context.command.medium.most_bytes

    def written() -> File:
        data = write()
        if most is None or len(data) <= most:
            return File(name, data)
        packed = BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
            archive.writestr(name, data)
        return File(f"{name}.zip", packed.getvalue())

    file = await asyncio.to_thread(written)
    if most is not None and len(file.data) > most:
        raise Refused("export-too-large", contact=context.app.settings.house.contact or "-")
    return file


def _json(found: dict[str, Any]) -> bytes:
    # The indentation of `json` takes four times as long.
    parts = (f"{json.dumps(name)}: {_lines(data)}" for name, data in found.items())
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode("utf-8", "backslashreplace")


def _lines(data: Any) -> str:
    if not isinstance(data, list) or not data:
        return json.dumps(data, ensure_ascii=False)
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in data) + "\n]"


async def erase(context: Context) -> Answer | Screen:
    """Delete the user's account, after a confirmation that lists what is lost."""
    user, texts, app = context.user, context.texts, context.app
    # The id prevents deletion by the button of another user.
    if context.command.argument == f"yes.{user.id}":
        shown = await personal_data.messages_to_go(context.store, user.id)

        async def erased() -> None:
            await app.on_remote_change()
            for place, message in shown:
                # The store has forgotten these messages, so no update would delete them.
                if courier := app.couriers.get(place.platform):
                    courier.delete_message(place, message)

        await erase_person(context.store, context.matches, user.id, erased=erased)
        screen = Screen(title=texts("erased-title"), text=texts("erased"))
        return Answer(private=screen, obsoletes_message=True, readers_changed=True)
    if context.command.argument:
        raise Refused("button-unknown")
    lost = await personal_data.belongings(context.store, user.id)
    lines = [texts("erase-text", platform=context.place.platform)]
    lines += [
        texts(f"erase-{what}", count=count) for what, count in lost._asdict().items() if count
    ]
    if context.place.platform != WEB:
        # The web app keeps nothing that the bot cannot delete.
        lines.append(texts("erase-kept"))
    sure = Action("erase", argument=f"yes.{user.id}")
    row = (
        Button(texts("button-erase-sure", name=user.name), sure, Style.DANGER),
        Button(texts("button-erase-not"), Action("privacy")),
    )
    return Screen(
        title=texts("erase-title"), text="\n".join(lines), rows=(row,), secret=True, again=_AGAIN
    )


async def browsers(context: Context) -> Rows:
    """Return the button of ``/settings`` that lists the browser sessions, on the web."""
    if not context.command.client.session:
        return ()
    count = len(await session_store.of(context.store, context.user.id))
    return ((Button(context.texts("button-sessions", count=count), Action("sessions")),),)


async def sessions(context: Context) -> Screen:
    """List the user's browser sessions, with buttons to end the others."""
    own = context.command.client.session
    if not own:
        raise Refused("button-unknown")
    store, user, texts = context.store, context.user, context.texts
    which = context.command.argument
    if which == _OTHERS:
        await session_store.end(store, user.id, but=own)
    elif parse_number(which) not in (0, own):
        await session_store.end(store, user.id, only=parse_number(which))
    elif which:
        raise Refused("button-unknown")
    if which:
        await context.app.recheck_people()
    found = await session_store.of(store, user.id)
    found.sort(key=lambda session: session.id != own)
    lines, buttons = [], [Button(texts("button-another"), Action("another"), Style.PRIMARY)]
    for number, session in enumerate(found[:_MOST_SHOWN], 1):
        lines.append(_line(context, number, session))
        if session.id != own:
            end = texts("button-session-end", number=number, browser=_label(context, session))
            buttons.append(Button(end, Action("sessions", argument=str(session.id))))
    if len(found) > _MOST_SHOWN:
        lines.append(texts("sessions-more", count=len(found) - _MOST_SHOWN))
    if len(buttons) > 1:
        everywhere = Action("sessions", argument=_OTHERS)
        buttons.append(Button(texts("button-sessions-end"), everywhere, Style.DANGER))
    rows = *in_rows(buttons, 1), back(context)
    return Screen(title=texts("sessions-title"), text="\n".join(lines), rows=rows)


def _line(context: Context, number: int, session: Session) -> str:
    now = int(context.app.clock())
    made, seen = (max(0, now - then) // _DAY for then in (session.made, session.seen))
    key = "sessions-this" if session.id == context.command.client.session else "sessions-other"
    return context.texts(key, number=number, browser=_label(context, session), made=made, seen=seen)


def _label(context: Context, session: Session) -> str:
    return session.label or context.texts("sessions-unknown")


async def another(context: Context) -> Screen:
    """Show a code and a link that connect another browser to the account."""
    session = context.command.client.session
    if not session:
        raise Refused("button-unknown")
    code = new_code()
    await session_store.keep_code(context.store, session, hashed(code))
    shown = readable_code(code)
    return Screen(
        title=context.texts("another-title"),
        text=context.texts("another-text", code=shown, minutes=CODE_SECONDS // 60),
        copied=(Copied(shown, context.texts("button-copy")),),
        link=Link(_LINK.format(code=code)),
        rows=(back(context),),
        secret=True,
    )


def typed_code(context: Context) -> Screen | None:
    """Answer ``/settings CODE`` in the other browser. None if it is no code."""
    command, texts = context.command, context.texts
    code = code_in(f"{command.setting}{command.value}")
    if not code or not command.client.session:
        return None
    return Screen(
        title=texts("another-here-title"),
        text=texts("another-here-text"),
        link=Link(_LINK.format(code=code), texts("another-here-link")),
        secret=True,
    )


async def question(app: App, code: str, *, known: Known | None, texts: Texts) -> dict[str, str]:
    """Ask whether to replace the account `known` in this browser, without using the code up.

    Return the title, the text, and the answers "yes" and "no". Raises `Refused`.
    """
    user = await session_store.user_of_code(app.store, code_hash(code))
    if user is None:
        raise Refused("no-such-browser")
    if known and known.user.id == user.id:
        raise Refused("here-already")
    lines = [texts("also-text", name=user.name)]
    if known:
        others = len(await session_store.of(app.store, known.user.id)) - 1
        key = "also-instead" if others else "also-instead-last"
        lines.append(texts(key, name=user.name, before=known.user.name))
    lines.append(texts("also-careful"))
    return {
        "title": texts("also-title", name=user.name),
        "text": "\n\n".join(lines),
        "yes": texts("also-yes", name=user.name),
        "no": texts("also-no"),
    }


def code_hash(code: str) -> str:
    """Return the hash of a code as it was typed."""
    return hashed(code_in(code))


async def arrive(app: App, name: str, language: str, *, new: NewSession) -> User:
    """Store a new user with the session of their browser. Raises `Refused`."""
    user = await app.names.choose(
        WEB,
        # Names their direct chat and grants nothing. Longer than any channel's name.
        token_urlsafe(32),
        name,
        session=new,
        idle_since=app.store.now(),
    )
    if language in LANGUAGES:
        user = await people.change_user(app.store, user.id, language=language)
    return user


async def leave(app: App, known: Known) -> None:
    """End the session of a browser."""
    await session_store.end(app.store, known.user.id, only=known.session.id)
    await app.recheck_people()


async def block(context: Context) -> Answer:
    """``/block @name``: take no challenges, rematches or chat lines from a user.

    They are not notified. To them, the user takes no challenges at the moment. Without a name: list
    the blocks.
    """
    person = _person(context)
    if person is None:
        return await blocked(context)
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
        return await blocked(context)
    if number := parse_number(context.command.argument):
        taken_back = await blocks.remove(context.store, context.user.id, number)
        return replace((await blocked(context)).as_secret(), lines_changed=taken_back)
    person = _person(context)
    if person is None:
        return await blocked(context)
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
    if command.level is not None:
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


async def blocked(context: Context) -> Answer:
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
    rows = *in_rows(buttons), back(context)
    return Answer(private=Screen(title=texts("blocks-title"), text=text, rows=rows, secret=True))


async def blocks_row(context: Context) -> Rows:
    """Return the row of ``/settings`` that opens the list, if there is one."""
    number = await blocks.count(context.store, context.user.id)
    if not number:
        return ()
    return ((Button(context.texts("settings-blocked", count=number), Action("blocked")),),)
