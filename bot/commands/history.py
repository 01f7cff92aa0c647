"""Past games: ``/history``, ``/replay``, ``/share`` and ``/analyse``."""

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.commands.base import Context, Kind
from bot.commands.computers import search
from bot.commands.menus import page_buttons
from bot.commands.playing import past
from bot.commands.puzzling import seen_analysis
from bot.commands.resolving import ended_here, label, matches_here, names_of, resolve_match, viewed
from bot.commands.strangers import sign_of
from bot.commands.tokens import listed
from bot.commands.vocabulary import MARKS, means, ranges_joined, seat_called
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import PlaceKind, Status, Stranger, User
from bot.engines.tasks import Review
from bot.matches import MatchState, analysing, reading, sharing
from bot.matches.endings import by_seat
from bot.screens import Button, Copied, Screen, Style
from bot.screens.past import can_export, refused_analysis
from bot.screens.pictures import WHOLE, Pace, Stretch, can_replay
from bot.screens.wording import Shown, status_line
from bot.store import analyses, people, shares
from bot.store.match_queries import Wanted
from bot.support.settings import RoomSettings
from games import records
from games.computer import engine

_FEW = 5
_COURSE_SECONDS = 5.0
"""Seconds to analyse a match part by part."""
_LONGEST = 30
"""Bytes of a stretch that a button has room for."""
_RANGE = re.compile(r"(\d{0,4})-(\d{0,4})")
_NAMES, _NO_NAMES, _STOP = "names", "nameless", "stop"
"""Arguments of buttons (`bot.commands.tokens`)."""


def _is_over(loaded: MatchState) -> bool:
    return loaded.match.status is Status.OVER


REPLAYED = (viewed(lambda one: can_replay(one) or _is_over(one)), ended_here, matches_here)
"""How to find the match of a replay."""


async def played(context: Context) -> Screen:
    """``/history [user] [game] [result]``: list finished games that the user may see."""
    command, texts, me = context.command, context.texts, context.user.id
    if command.level is not None:
        raise Refused("stats-house")
    of = await _person(context)
    # Where others read the answer, it lists only what they all may see.
    is_public = command.medium.answers_stay and context.place.kind is not PlaceKind.DIRECT
    reader = 0 if is_public and of.id != me else me
    skip = command.page * _FEW
    wanted = Wanted(command.game, command.result, rated=False, before=0, limit=_FEW, skip=skip)
    # No made-up button learns who `of` is.
    may_be_made_up = bool(command.argument) and of.id != me
    try:
        found, more = await reading.finished(
            context.matches, of, wanted, reader=reader, place_ids=[context.place.id]
        )
    except Refused as refused:
        raise (Refused("button-unknown") if may_be_made_up else refused) from None
    if may_be_made_up and not found:
        raise Refused("button-unknown")
    loaded_matches = [loaded for loaded, _ in found]
    names = await names_of(context, loaded_matches)
    lines, rows = [], []
    for loaded, ended in found:
        name = await label(context, loaded, names)
        how = status_line(Shown(loaded, context.reader, names))
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


async def replay(context: Context) -> Screen:
    """Show a replay of the match that the user means, move by move if it cannot be animated."""
    value = context.command.value
    argument = value if len(value.encode()) <= _LONGEST else ""
    loaded = await resolve_match(context, *REPLAYED, none="replay-none", argument=argument)
    stretch, side = stretch_in(loaded, value, before=context.argument_prefix("replay", Kind.REPLAY))
    if not context.command.medium.animates:
        there = context.asking(ply=stretch.first - 1)
        return await past(replace(there, named_match=loaded))
    seat = loaded.viewer(context.user.id, context.place)
    analysis = await seen_analysis(context, loaded)
    return await context.app.past_screens.animated(
        loaded, context.reader, seat=seat, stretch=stretch, side=side, analysis=analysis
    )


def stretch_in(loaded: MatchState, value: str, *, before: str) -> tuple[Stretch, int | None]:
    """Parse ``10-20 slow as white``, in any order. Raises `Refused`."""
    stretch, side = WHOLE, None
    for raw in ranges_joined(value):
        word = raw.casefold().strip(MARKS)
        if (read := _RANGE.fullmatch(word)) and word != "-":
            first, last = read.groups()
            end = len(loaded.match.plies)
            stretch = replace(
                stretch,
                first=max(1, int(first or 1)),
                last=int(last) if last and int(last) < end else None,
            )
        elif pace := next((pace for pace in Pace if means(word, pace.name.lower())), None):
            stretch = replace(stretch, pace=pace)
        elif (seat := seat_called(loaded.game, word)) is not None:
            side = seat
        elif not means(word, "as"):
            raise Refused("replay-unknown", word=raw[:32], before=before)
    return stretch, side


async def share(context: Context) -> Screen:
    """Show the address of a game's page, with buttons for names and to take it back."""
    me = context.user.id
    own = viewed(lambda loaded: loaded.match.seat_of(me) is not None)
    loaded = await resolve_match(context, own, matches_here, ended_here, none="share-none")
    seat = sharing.check_may_share(loaded, me)
    url = context.app.settings.of(RoomSettings).address
    if not url:
        return await _instead(context, loaded)
    way, match_id = context.command.value, loaded.match.id
    if way == _STOP:
        await shares.take_back(context.store, match_id, me)
    elif way:
        await shares.set_named(context.store, match_id, seat, named=way == _NAMES)
    found = await shares.of(context.store, match_id)
    if found is None and way:
        return Screen(text=context.texts("share-stopped"), match=match_id)
    found = found or await sharing.share(context.matches, loaded, me)
    return await _page(context, sharing.Shared(found, loaded), seat, f"{url}/s/{found.code}")


async def _page(context: Context, shown: sharing.Shared, seat: int, url: str) -> Screen:
    texts, match = context.texts, shown.loaded.match
    lines, row = [texts("share-text", url=url)], list[Button]()
    if shown.people:
        agrees = seat in shown.share.named
        state = "named" if shown.is_named else "waits" if agrees else "nameless"
        lines.append(texts(f"share-{state}", people=len(shown.people)))
        way = _NO_NAMES if agrees else _NAMES
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


async def analyse(context: Context) -> Screen:
    """Show the analysis of a match, or request one."""
    finders = (viewed(_is_over), ended_here)
    loaded = await resolve_match(context, *finders, none="analyse-none")
    if refused := refused_analysis(loaded, context.texts):
        raise refused
    progress = loaded.match.progress
    is_again = progress is not None and progress.is_given_up
    is_due = progress is None or is_again
    if is_due and not await context.app.has_engine():
        raise Refused("analyse-house")
    if engine(loaded.game.id).reviews_matches:
        return await _analyse_by_parts(context, loaded)
    if is_due:
        user, app = context.user, context.app
        by = sign_of(app.key, user) if isinstance(user, Stranger) else user.id
        loaded = await analysing.request(context.matches, loaded.match.id, by)
        app.analyses_due.set()
        progress = loaded.match.progress
    assert progress is not None
    if not progress.is_whole:
        place = context.place
        try:
            await reading.visible(context.matches, loaded.match.id, user_id=0, place_id=place.id)
        except Refused:
            # Others in this place may not see the match.
            place = await context.direct_chat()
        await analyses.add_request(context.store, loaded.match.id, place, context.user.id or None)
    if context.command.medium.steps:
        # The front shows board, evaluation and progress side by side.
        return await past(replace(context, named_match=loaded))
    if not progress.is_whole:
        return await _under_way(context, loaded, progress.done, is_again=is_again)
    analysis = await seen_analysis(context, loaded)
    assert analysis is not None
    return await context.app.past_screens.analysis(loaded, context.reader, analysis)


async def _analyse_by_parts(context: Context, loaded: MatchState) -> Screen:
    """Show the analysis of a game that is not judged move by move. Raises `Refused`."""
    texts, game_id = context.texts, loaded.game.id
    parts = await search(context, Review(game_id, loaded.view(None), 0, _COURSE_SECONDS))
    if not parts:
        raise Refused("analyse-empty")
    names = await context.names(loaded.match.players)
    sides = by_seat(loaded.match, names)
    told = (
        "\n".join(texts.note(game_id, "course", one, **sides) for one in part) for part in parts
    )
    return Screen(title=await label(context, loaded), text="\n\n".join(told))


async def _under_way(context: Context, loaded: MatchState, done: int, *, is_again: bool) -> Screen:
    match, texts = loaded.match, context.texts
    key = "analysis-once-more" if is_again else "analysis-under-way"
    game, total = texts(f"{match.game}-name"), len(match.plies)
    told = texts(key, game=game, match=match.id, done=done, total=total)
    if not done and (count := await analyses.before(context.store, match.id)):
        told += f"\n{texts('analysis-waits', count=count)}"
    return Screen(text=told, match=match.id, game=match.game)
