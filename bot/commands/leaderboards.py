"""Leaderboards, as text and pictures."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import games
from bot.commands.base import Answer, Command, Context
from bot.commands.menus import PAGE, page_buttons
from bot.commands.tokens import laddered
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.marks import mark
from bot.domain.model import HIDDEN, RECORD, PlaceKind
from bot.screens import Button, Rows, Screen, in_rows
from bot.screens.wording import class_words, rating_words
from bot.store import standings
from bot.store.standings import ALL_TIME, Entry, Ladder, Tally
from games import AnyGame
from renderers.leaderboard import Row
from renderers.leaderboard import leaderboard as draw_leaderboard

_OVERVIEW = 3
_WIDE, _MOST_KINDS = 3, 9


async def leaderboard(context: Context) -> Answer:
    """``/leaderboard [game] [month|all] [everywhere]``: public, unless it is ``everywhere``."""
    if not context.command.game:
        return await _overview(context)
    return await _shown(context, is_aloud=not context.command.is_everywhere)


async def ladder(context: Context) -> Answer:
    """Show a page of a leaderboard to the caller."""
    return await _shown(context, is_aloud=False)


def _aloud(context: Context) -> Context:
    return replace(context, reader=context.public_reader)


def _scope(context: Context) -> tuple[str, str]:
    command, place = context.command, context.place
    if command.is_everywhere or place.kind is PlaceKind.DIRECT:
        return "overall", standings.EVERYWHERE
    if place.community is not None and not command.is_here:
        return "community", standings.of_community(place.platform, place.community)
    return "place", standings.of_place(place.id)


def _month(context: Context) -> int:
    return standings.month_of(context.store.now()) if context.command.is_month else ALL_TIME


def _of_options(game: AnyGame, options: Mapping[str, str]) -> tuple[bool, str]:
    """Return whether a match with these options is single-player, and its class."""
    whole = game.options_from(options)
    return game.seats(whole) == 1, "-".join(whole[one] for one in game.classes)


def _usual(game: AnyGame, ladders: Sequence[Ladder]) -> Ladder | None:
    """Return the ladder of the usual options, otherwise the first one."""
    usual = _of_options(game, {})
    found = (one for one in ladders if (one.solo, one.kind) == usual)
    return next(found, ladders[0] if ladders else None)


@dataclass(frozen=True, slots=True)
class _Page:
    heading: str
    """The scope, as in ``leaderboard-<heading>``."""
    ladder: Ladder | None
    others: Sequence[Ladder]
    found: Sequence[Entry]
    own: Entry
    count: int
    """Entries up to this page, and one more if there are others."""


async def _shown(context: Context, *, is_aloud: bool) -> Answer:
    """Show a page to the caller, or to all. An empty one is shown to the caller only."""
    page = await _page(context)
    if context.command.page and not page.found:
        raise Refused("no-such-page", page=context.command.page + 1)
    is_public = is_aloud and bool(page.found)
    told = _aloud(context) if is_public else context
    screen = Screen(
        title=told.texts("leaderboard-of", game=_called(told, page.ladder)),
        text=_text(told, page, is_public=is_public),
        rows=_ways(told, page),
        secret=_is_apart(context),
        again=_to(context.command, page.ladder, page=context.command.page),
    )
    screen = await _drawn(told, screen, page)
    if is_public:
        return Answer(public=screen)
    text = await context.app.names.filled(screen.text, context.texts)
    return Answer(private=replace(screen, text=text))


async def _page(context: Context) -> _Page:
    command, store = context.command, context.store
    game, month = games.get(command.game), _month(context)
    heading, scope = _scope(context)
    every = await standings.ladders(store, scope, game.id, month=month)
    chosen = _usual(game, every)
    if command.ladder is not None or command.options:
        solo, kind = command.ladder or _of_options(game, command.options)
        chosen = Ladder(scope, game.id, kind, solo, month)
    if chosen is None:
        return _Page(heading, None, (), (), Entry(context.user.id, Tally()), 0)
    minimum = context.app.settings.play.leaderboard_minimum
    found, own = await asyncio.gather(
        standings.page(store, chosen, minimum=minimum, limit=PAGE + 1, offset=command.page * PAGE),
        standings.own(store, chosen, context.user.id, minimum=minimum),
    )
    others = tuple(one for one in every if one != chosen)
    count = command.page * PAGE + len(found)
    return _Page(heading, chosen, others, found[:PAGE], own, count)


def _is_apart(context: Context) -> bool:
    """Return whether users of other places are named."""
    return context.command.is_everywhere and context.place.kind is not PlaceKind.DIRECT


def _called(context: Context, ladder: Ladder | None) -> str:
    texts, game = context.texts, games.get(ladder.game if ladder else context.command.game)
    name = texts(f"{game.id}-name")
    if ladder is None:
        return name
    if ladder.solo:
        name = texts("leaderboard-alone", game=name)
    return " · ".join(filter(None, [name, class_words(game, ladder.kind, texts)]))


def _text(context: Context, page: _Page, *, is_public: bool) -> str:
    texts, own, ladder = context.texts, page.own, page.ladder
    minimum = context.app.settings.play.leaderboard_minimum
    lines = [_span(context, page.heading)]
    if not page.found:
        lines.append(texts("leaderboard-too-few" if ladder else "leaderboard-empty", count=minimum))
    if ladder:
        lines += _entries(context, ladder, page.found, own)
        lines += _explained(context, ladder, page.found)
    if context.user.settings.get(RECORD) == HIDDEN:
        lines += [] if is_public else [texts("leaderboard-hidden")]
    elif ladder and own.rank is None and (own.tally.matches or not is_public):
        missing = minimum - own.tally.matches
        lines.append(texts("leaderboard-missing", name=mark(own.user_id), count=missing))
    return "\n".join(lines)


def _entries(context: Context, ladder: Ladder, found: Sequence[Entry], own: Entry) -> Iterator[str]:
    """Yield the lines of a page, then the user's own line if it is on another page."""
    yield from (_line(context, ladder, entry) for entry in found)
    if _is_elsewhere(own, found):
        yield from ("…", _line(context, ladder, own))


def _is_elsewhere(own: Entry, found: Sequence[Entry]) -> bool:
    return own.rank is not None and all(entry.user_id != own.user_id for entry in found)


def _explained(context: Context, ladder: Ladder, found: Sequence[Entry]) -> list[str]:
    if found and ladder.month != ALL_TIME and not ladder.solo:
        return [context.texts("leaderboard-points-are")]
    now = context.store.now()
    is_unsure = any(one.rating is not None and one.rating.is_provisional(now) for one in found)
    return [context.texts("rating-unsure")] if is_unsure else []


def _span(context: Context, heading: str) -> str:
    texts = context.texts
    where = texts(f"leaderboard-{heading}", platform=context.place.platform)
    return texts(f"leaderboard-{'month' if context.command.is_month else 'all'}", where=where)


def _line(context: Context, ladder: Ladder, entry: Entry) -> str:
    texts, tally = context.texts, entry.tally
    line = texts(
        "leaderboard-line",
        rank=entry.rank or 0,
        name=mark(entry.user_id),
        value=_value(context, ladder, entry),
        count=tally.matches,
    )
    if not ladder.solo:
        return line
    return f"{line}, {texts('leaderboard-best', best=tally.best or 0, streak=tally.streak)}"


def _value(context: Context, ladder: Ladder, entry: Entry, *, short: bool = False) -> str:
    texts, rating = context.texts, entry.rating
    if rating is not None:
        return rating_words(rating.estimate(context.store.now()))
    if not ladder.solo:
        return texts("leaderboard-points", amount=entry.tally.points)
    return texts(f"leaderboard-average{'-short' if short else ''}", amount=entry.tally.average)


def _to(command: Command, ladder: Ladder | None, **changes: Any) -> Action:
    """Return the action that shows the first page of a ladder, with `changes` of the command."""
    shown = (ladder.solo, ladder.kind) if ladder else None
    fields = {"ladder": shown, "page": 0, **changes}
    return Action("ladder", argument=laddered(replace(command, **fields)))


def _ways(context: Context, page: _Page) -> Rows:
    texts, command, ladder = context.texts, context.command, page.ladder
    turns = page_buttons(context, page.count, lambda number: _to(command, ladder, page=number))
    period = "all" if command.is_month else "month"
    switched = _to(command, ladder, is_month=not command.is_month)
    others = [Button(texts(f"button-ladder-{period}"), switched), *_elsewhere(context, page)]
    kinds = [Button(_called(context, one), _to(command, one)) for one in page.others[:_MOST_KINDS]]
    return (*turns, tuple(others), *in_rows(kinds, _WIDE))


def _elsewhere(context: Context, page: _Page) -> list[Button]:
    place = context.place
    if place.kind is PlaceKind.DIRECT:
        return []
    headings = ["community", "overall"] if place.community is not None else ["overall"]

    def to(heading: str) -> Button:
        scope = {"is_here": heading == "place", "is_everywhere": heading == "overall"}
        text = context.texts(f"button-ladder-{heading}", platform=place.platform)
        return Button(text, _to(context.command, page.ladder, **scope))

    return [to(heading) for heading in ("place", *headings) if heading != page.heading]


async def _drawn(context: Context, screen: Screen, page: _Page) -> Screen:
    ladder, own = page.ladder, page.own
    if ladder is None or not page.found:
        return screen
    people = {entry.user_id for entry in (*page.found, own)}
    names = await context.app.names.display_names(people, context.texts)

    def row(entry: Entry) -> Row:
        return Row(
            rank=entry.rank or 0,
            name=names[entry.user_id],
            value=_value(context, ladder, entry, short=True),
            detail=context.texts("leaderboard-count", count=entry.tally.matches),
            is_own=entry.user_id == own.user_id,
        )

    picture = await context.app.pictures.draw(
        draw_leaderboard,
        f"{_called(context, ladder)} · {_span(context, page.heading)}",
        [row(entry) for entry in page.found],
        own=row(own) if _is_elsewhere(own, page.found) else None,
        theme=context.reader.theme,
        size=context.reader.size,
    )
    return replace(screen, picture=picture, alt=screen.title)


async def _overview(context: Context) -> Answer:
    command = context.command
    aloud = context if command.is_everywhere else _aloud(context)
    texts, (heading, scope) = aloud.texts, _scope(context)
    minimum = context.app.settings.play.leaderboard_minimum
    sections, buttons = [], []
    explained: dict[str, None] = {}
    known = await asyncio.gather(
        *(
            standings.ladders(context.store, scope, game_id, month=_month(context))
            for game_id in games.ids()
        )
    )
    for game_id, every in zip(games.ids(), known, strict=True):
        usual = _usual(games.get(game_id), every)
        if usual is None:
            continue
        found = await standings.page(context.store, usual, minimum=minimum, limit=_OVERVIEW)
        if found:
            explained |= dict.fromkeys(_explained(aloud, usual, found))
            own = await standings.own(context.store, usual, context.user.id, minimum=minimum)
            lines = [_called(aloud, usual), *_entries(aloud, usual, found, own)]
            sections.append("\n".join(lines))
        buttons.append(Button(texts(f"{game_id}-name"), _to(command, usual, game=game_id)))
    rows = in_rows(buttons, _WIDE)
    if not sections:
        said = context.texts(f"leaderboard-{'too-few' if buttons else 'empty'}", count=minimum)
        title = context.texts("leaderboard-title")
        return Answer(private=Screen(title=title, text=said))
    last = "\n".join([*explained, texts("leaderboard-minimum", count=minimum)])
    sections = [_span(aloud, heading), *sections, last]
    screen = Screen(title=texts("leaderboard-title"), text="\n\n".join(sections), rows=rows)
    if not command.is_everywhere:
        return Answer(public=screen)
    text = await context.app.names.filled(screen.text, texts)
    return Answer(private=replace(screen, text=text, secret=_is_apart(context)))
