"""``/share``: the public page of a game, with or without the names of its players."""

from collections.abc import Iterator

from bot.commands.base import Context
from bot.commands.resolving import before_them, ended_last, label, matches_here, resolve_match
from bot.domain.actions import Action
from bot.domain.model import Status
from bot.matches import MatchState, sharing
from bot.screens import Button, Copied, Screen, Style
from bot.screens.records import can_export
from bot.store import shares
from bot.support.settings import RoomSettings
from games import records

_NAMES, _NO_NAMES, _STOP = "names", "nameless", "stop"
"""Arguments of buttons (`bot.commands.tokens`)."""


async def share(context: Context) -> Screen:
    """Show the address of a game's page, with buttons for names and to take it back."""
    loaded, matches, me = await _meant(context), context.matches, context.user.id
    seat = sharing.check_may_share(loaded, me)
    url = context.app.settings.of(RoomSettings).address
    if not url:
        return await _instead(context, loaded)
    way, match_id = context.command.value, loaded.match.id
    if way == _STOP:
        await sharing.take_back(matches, loaded, me)
    elif way:
        await sharing.set_named(matches, loaded, me, named=way == _NAMES)
    found = await shares.of(context.store, match_id)
    if found is None and way:
        return Screen(text=context.texts("share-stopped"), match=match_id)
    found = found or await sharing.share(matches, loaded, me)
    return await _page(context, sharing.Shared(found, loaded), seat, f"{url}/s/{found.code}")


async def _meant(context: Context) -> MatchState:
    """Return the named game, else the one in front, the active one or the last one here."""
    if context.named_match is not None:
        return context.named_match
    seen = await before_them(context)
    if seen is not None and seen.match.seat_of(context.user.id) is not None:
        return seen
    if await matches_here(context):
        return await resolve_match(context, "share", matches_here, none="share-none")
    return await ended_last(context, none="share-none")


async def _page(context: Context, shown: sharing.Shared, seat: int, url: str) -> Screen:
    texts, match = context.texts, shown.loaded.match
    lines, row = [texts("share-text", url=url)], list[Button]()
    if shown.people:
        lines.append(texts(f"share-{_state(shown, seat)}", people=len(shown.people)))
        way = _NO_NAMES if seat in shown.share.named else _NAMES
        row.append(Button(texts(f"button-share-{way}"), Action("share", match.id, 0, way)))
    if match.status is Status.RUNNING:
        lines.append(texts("share-live"))
    stop = Action("share", match.id, 0, _STOP)
    return Screen(
        title=await label(context, shown.loaded),
        text="\n".join(lines),
        copied=(Copied(url, texts("button-share-copy")),),
        rows=(
            (*row, *_record(context, shown.loaded)),
            (Button(texts("button-share-stop"), stop, Style.DANGER),),
        ),
        match=match.id,
        game=match.game,
    )


def _state(shown: sharing.Shared, seat: int) -> str:
    if shown.is_named:
        return "named"
    return "waits" if seat in shown.share.named else "nameless"


async def _instead(context: Context, loaded: MatchState) -> Screen:
    """Say what there is without a public address, with its buttons."""
    texts, match = context.texts, loaded.match
    verbs = ("board",) if match.is_puzzle else ("board", "moves")
    buttons = [Button(texts(f"button-{verb}"), Action(verb, match.id)) for verb in verbs]
    rows = ((*buttons, *_record(context, loaded)),)
    text = texts("share-no-page")
    return Screen(await label(context, loaded), text=text, rows=rows, match=match.id)


def _record(context: Context, loaded: MatchState) -> Iterator[Button]:
    if can_export(loaded.match):
        to = Action("record", loaded.match.id, argument=records.OURS)
        yield Button(context.texts("button-record"), to)
