"""``/leaderboard`` and ``/stats``: leaderboards, and the record of a user."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import games
from bot.commands.base import Answer, Command, Context
from bot.commands.menus import PAGE, page_buttons
from bot.commands.tokens import laddered
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.glicko import Rating
from bot.domain.marks import mark
from bot.domain.model import HIDDEN, RECORD, Computer, PlaceKind, User
from bot.matches.names import computer_name
from bot.screens import Button, Rows, Screen, in_rows
from bot.screens.pictures import Png
from bot.screens.wording import class_words, rating_words
from bot.store import puzzles, ratings, standings, statistics
from bot.store.standings import ALL_TIME, Entry, Ladder, Tally
from bot.store.statistics import Record
from bot.support.platforms import WEB
from bot.support.texts import Texts
from games import AnyGame
from renderers.curve import rating_curve, stacked
from renderers.leaderboard import Row
from renderers.leaderboard import leaderboard as draw_leaderboard

_OVERVIEW = 3
_WIDE, _MOST_KINDS = 3, 9
_MOST_OPPONENTS = 5
_LEAST_POINTS = 2
"""Rated matches needed for a graph."""
_LEAST_OPENINGS = 3
"""Matches needed to show a favourite opening."""
_DATES = 3

_Records = Mapping[str, tuple[Record, int]]
"""By game: a record, and the moves of the longest match."""


def _scope(context: Context) -> tuple[str, str]:
    command, place = context.command, context.place
    if command.is_everywhere or place.kind is PlaceKind.DIRECT:
        return "overall", standings.EVERYWHERE
    if place.community is not None and not command.is_here:
        return "community", standings.of_community(place.platform, place.community)
    return "place", standings.of_place(place.id)


def _of_options(game: AnyGame, options: Mapping[str, str]) -> tuple[bool, str]:
    """Return whether a match with these options is single-player, and its class."""
    whole = game.options_from(options)
    return game.seats(whole) == 1, "-".join(whole[one] for one in game.classes)


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

    @property
    def own_is_elsewhere(self) -> bool:
        own = self.own
        return own.rank is not None and all(one.user_id != own.user_id for one in self.found)


async def leaderboard(context: Context) -> Answer:
    """``/leaderboard [game] [month|all] [everywhere]``: public, unless it is ``everywhere``.

    What a button shows (the verb "ladder"), or is empty, is for the caller only.
    """
    command = context.command
    if not command.game:
        return await _overview(context)
    page = await _page(context, command.game)
    if command.page and not page.found:
        raise Refused("no-such-page", page=command.page + 1)
    is_public = command.verb != "ladder" and not command.is_everywhere and bool(page.found)
    told = replace(context, reader=context.public_reader) if is_public else context
    screen = Screen(
        title=told.texts("leaderboard-of", game=_called(told, command.game, page.ladder)),
        text=_text(told, page, is_public=is_public),
        rows=_ways(told, page),
        again=_to(command, page.ladder, page=command.page),
    )
    return await _answer(told, await _drawn(told, screen, page), is_public=is_public)


async def _answer(context: Context, screen: Screen, *, is_public: bool) -> Answer:
    """Return a leaderboard for all, or with the current names for the caller."""
    if is_public:
        return Answer(public=screen)
    text = await context.app.names.filled(screen.text, context.texts)
    # Users of other places may be named.
    is_apart = context.command.is_everywhere and context.place.kind is not PlaceKind.DIRECT
    return Answer(private=replace(screen, text=text, secret=is_apart))


async def _page(context: Context, game_id: str, size: int = PAGE) -> _Page:
    command, store, game = context.command, context.store, games.get(game_id)
    heading, scope = _scope(context)
    month = standings.month_of(store.now()) if command.is_month else ALL_TIME
    every = await standings.ladders(store, scope, game_id, month=month)
    # That of the usual options, else the first one.
    usual = (one for one in every if (one.solo, one.kind) == _of_options(game, {}))
    chosen = next(usual, every[0] if every else None)
    if command.ladder is not None or command.options:
        solo, kind = command.ladder or _of_options(game, command.options)
        chosen = Ladder(scope, game_id, kind, solo, month)
    if chosen is None:
        return _Page(heading, None, (), (), Entry(context.user.id, Tally()), 0)
    minimum = context.app.settings.play.leaderboard_minimum
    at = command.page * size
    found, own = await asyncio.gather(
        standings.page(store, chosen, minimum=minimum, limit=size + 1, offset=at),
        standings.own(store, chosen, context.user.id, minimum=minimum),
    )
    others = tuple(one for one in every if one != chosen)
    return _Page(heading, chosen, others, found[:size], own, at + len(found))


def _called(context: Context, game_id: str, ladder: Ladder | None) -> str:
    name = context.texts(f"{game_id}-name")
    if ladder and ladder.solo:
        name = context.texts("leaderboard-alone", game=name)
    return _with_class(name, game_id, ladder.kind if ladder else "", context.texts)


def _none(context: Context, *, is_too_few: bool) -> str:
    minimum, platform = context.app.settings.play.leaderboard_minimum, context.place.platform
    key = "leaderboard-too-few" if is_too_few else "leaderboard-empty"
    return context.texts(key, count=minimum, platform=platform)


def _text(context: Context, page: _Page, *, is_public: bool) -> str:
    texts, own, ladder = context.texts, page.own, page.ladder
    minimum = context.app.settings.play.leaderboard_minimum
    lines = [_span(context, page.heading)]
    if not page.found:
        lines.append(_none(context, is_too_few=ladder is not None))
    if ladder:
        lines += [*_entries(context, ladder, page), *_explained(context, ladder, page.found)]
    if context.user.settings.get(RECORD) == HIDDEN:
        lines += [] if is_public else [texts("leaderboard-hidden")]
    elif ladder and own.rank is None and (own.tally.matches or not is_public):
        missing = minimum - own.tally.matches
        lines.append(texts("leaderboard-missing", name=mark(own.user_id), count=missing))
    return "\n".join(lines)


def _entries(context: Context, ladder: Ladder, page: _Page) -> Iterator[str]:
    """Yield the lines of a page, then the user's own line if it is on another page."""
    yield from (_line(context, ladder, entry) for entry in page.found)
    if page.own_is_elsewhere:
        yield from ("…", _line(context, ladder, page.own))


def _explained(context: Context, ladder: Ladder, found: Sequence[Entry]) -> list[str]:
    if found and ladder.month != ALL_TIME and not ladder.solo:
        return [context.texts("leaderboard-points-are")]
    return _if_unsure(context, (entry.rating for entry in found))


def _if_unsure(context: Context, found: Iterable[Rating | None]) -> list[str]:
    now = context.store.now()
    is_unsure = any(rating.estimate(now).is_unsure for rating in found if rating)
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


def _rated(context: Context, rating: Rating) -> str:
    return rating_words(rating.estimate(context.store.now()))


def _with_class(said: str, game_id: str, kind: str, texts: Texts) -> str:
    return " · ".join(filter(None, [said, class_words(games.get(game_id), kind, texts)]))


def _value(context: Context, ladder: Ladder, entry: Entry, *, short: bool = False) -> str:
    texts, rating = context.texts, entry.rating
    if rating is not None:
        return _rated(context, rating)
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
    kinds = [
        Button(_called(context, one.game, one), _to(command, one))
        for one in page.others[:_MOST_KINDS]
    ]
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
        f"{_called(context, ladder.game, ladder)} · {_span(context, page.heading)}",
        [row(entry) for entry in page.found],
        own=row(own) if page.own_is_elsewhere else None,
        theme=context.reader.theme,
        size=context.reader.size,
    )
    return replace(screen, picture=picture, alt=screen.title)


async def _overview(context: Context) -> Answer:
    command = context.command
    is_public = not command.is_everywhere
    aloud = replace(context, reader=context.public_reader) if is_public else context
    texts, sections, buttons = aloud.texts, [], []
    explained: dict[str, None] = {}
    minimum = context.app.settings.play.leaderboard_minimum
    pages = await asyncio.gather(*(_page(context, one, _OVERVIEW) for one in games.ids()))
    for game_id, page in zip(games.ids(), pages, strict=True):
        if (usual := page.ladder) is None:
            continue
        if page.found:
            explained |= dict.fromkeys(_explained(aloud, usual, page.found))
            lines = [_called(aloud, game_id, usual), *_entries(aloud, usual, page)]
            sections.append("\n".join(lines))
        buttons.append(Button(texts(f"{game_id}-name"), _to(command, usual, game=game_id)))
    rows = in_rows(buttons, _WIDE)
    if not sections:
        said = _none(context, is_too_few=bool(buttons))
        title = context.texts("leaderboard-title")
        return Answer(private=Screen(title=title, text=said))
    last = "\n".join([*explained, texts("leaderboard-minimum", count=minimum)])
    sections = [_span(aloud, pages[0].heading), *sections, last]
    screen = Screen(title=texts("leaderboard-title"), text="\n\n".join(sections), rows=rows)
    return await _answer(aloud, screen, is_public=is_public)


async def stats(context: Context) -> Screen:
    """``/stats [user] [game]``: show a user's record, and the caller's record against them."""
    command = context.command
    if command.level is not None:
        raise Refused("stats-house")
    person = command.person or command.replied or context.user
    told = (command.game,) if command.game else games.ids()
    if person.id != context.user.id and person.settings.get(RECORD) == HIDDEN:
        raise Refused("stats-hidden", name=person.name)
    every, found = await asyncio.gather(
        ratings.of_user(context.store, person.id), statistics.records(context.store, person.id)
    )
    rated = {key: rating for key, rating in every.items() if key[0] in told}
    records = {game_id: found.people[game_id] for game_id in told if game_id in found.people}
    versus, alone, solved, habits, opponents, (picture, alt) = await asyncio.gather(
        _records(context, person, records),
        _alone(context, person, told),
        _puzzles(context, person),
        _habits(context, person, records),
        _opponents(context, person),
        _curves(context, person, rated),
    )
    called = partial(computer_name, texts=context.texts)
    computers = [
        _of_game(context, "stats-computer", game_id, name=called(Computer(level)), **asdict(record))
        for (game_id, level), record in found.computers.items()
        if game_id in told
    ]
    strength = _ratings(context, rated, list(records))
    sections = [versus, computers, alone, strength, solved, habits, opponents]
    text = "\n\n".join("\n".join(lines) for lines in sections if lines)
    return Screen(
        title=context.texts("stats-title", name=person.name),
        text=await context.app.names.filled(text, context.texts) or context.texts("stats-none"),
        picture=picture,
        alt=alt,
    )


def _of_game(context: Context, key: str, game_id: str, **details: str | int) -> str:
    return context.texts(key, game=context.texts(f"{game_id}-name"), **details)


async def _records(context: Context, person: User, records: _Records) -> list[str]:
    lines = [
        _of_game(context, "stats-versus", game_id, rate=round(record.rate * 100), **asdict(record))
        for game_id, (record, _) in records.items()
    ]
    going, most = await statistics.streak(context.store, person.id)
    if most > 1 and not context.command.game:
        key = "stats-streak-most" if going == most else "stats-streak"
        lines.append(context.texts(key, going=going, most=most))
    return lines


async def _alone(context: Context, person: User, told: Collection[str]) -> list[str]:
    texts = context.texts
    return [
        texts(
            "stats-alone",
            game=_with_class(texts(f"{game_id}-name"), game_id, kind, texts),
            average=tally.average,
            best=tally.best or 0,
            streak=tally.streak,
            most=tally.longest,
            count=tally.matches,
        )
        for game_id, kind, tally in await standings.of_user(context.store, person.id)
        if game_id in told
    ]


def _ratings(
    context: Context, rated: Mapping[tuple[str, str], Rating], order: Sequence[str]
) -> list[str]:
    places = {game_id: at for at, game_id in enumerate(order)}
    in_order = sorted(rated.items(), key=lambda one: places.get(one[0][0], len(places)))
    lines = [
        _of_game(
            context,
            "stats-rating",
            game_id,
            which=class_words(games.get(game_id), kind, context.texts) or "none",
            value=_rated(context, rating),
            count=rating.matches,
        )
        for (game_id, kind), rating in in_order
    ]
    return lines + _if_unsure(context, rated.values())


async def _puzzles(context: Context, person: User) -> list[str]:
    return [
        _of_game(
            context,
            "stats-puzzles",
            game_id,
            value=_rated(context, found.rating),
            solved=found.solved,
            count=found.rating.matches,
        )
        for game_id, found in (await puzzles.of_user(context.store, person.id)).items()
        if game_id in games.ids()
    ]


async def _habits(context: Context, person: User, records: _Records) -> list[str]:
    lines = []
    if records:
        game_id, (_, most) = max(records.items(), key=lambda one: one[1][1])
        lines.append(_of_game(context, "stats-longest", game_id, count=most))
    for opening in await statistics.openings(context.store, person.id):
        game_id, times, count = opening.game, opening.times, opening.matches
        # Games with verbs have no openings: each setup is different.
        is_known = game_id in records and not games.get(game_id).verbs
        if is_known and count >= _LEAST_OPENINGS and times >= 2:
            move = context.texts.move(game_id, opening.move)
            lines.append(
                _of_game(context, "stats-opening", game_id, move=move, times=times, count=count)
            )
    return lines


async def _opponents(context: Context, person: User) -> list[str]:
    """List frequent opponents over all games, so not if one game was named."""
    if context.command.game:
        return []
    texts, store, me = context.texts, context.store, context.user.id
    own = None if person.id == me else await statistics.against(store, me, person.id)
    lines = [texts("stats-against-you", name=mark(person.id), **asdict(own))] if own else []
    found = await statistics.opponents(store, person.id, limit=_MOST_OPPONENTS + 1)
    others = [one for one in found if not (own and one[0] == me)][:_MOST_OPPONENTS]
    return lines + [
        texts("stats-opponent", name=mark(other), **asdict(record)) for other, record in others
    ]


async def _curves(
    context: Context, person: User, rated: Mapping[tuple[str, str], Rating]
) -> tuple[Png | None, str]:
    """Draw the curve of the most played game. A page of the web app has room for all."""
    most = len(rated) if context.command.medium.name == WEB else 1
    curves = [await _curve(context, person, *key, rated[key]) for key in [*rated][:most]]
    drawn = list(filter(None, curves))
    if len(drawn) < 2:
        return drawn[0] if drawn else (None, "")
    picture = await context.app.pictures.draw(stacked, [picture.data for picture, _ in drawn])
    return picture, "\n".join(alt for _, alt in drawn)


async def _curve(
    context: Context, person: User, game_id: str, kind: str, rating: Rating
) -> tuple[Png, str] | None:
    texts = context.texts
    points = await ratings.history(context.store, person.id, game_id, kind)
    if len(points) < _LEAST_POINTS:
        return None
    last = len(points) - 1
    days = {last * at // (_DATES - 1) for at in range(_DATES)}
    title = _of_game(context, "stats-curve", game_id, name=person.name)
    picture = await context.app.pictures.draw(
        rating_curve,
        # By match, not by time: some users play ten on one evening and none for a month.
        [(at, value) for at, (_, value) in enumerate(points)],
        title=_with_class(title, game_id, kind, texts),
        last=_rated(context, rating),
        dates=[
            (at, texts("stats-curve-at", count=at + 1, day=texts.day(points[at][0])))
            for at in sorted(days)
        ],
        theme=context.reader.theme,
        size=context.reader.size,
    )
    alt = texts("stats-curve-alt", first=round(points[0][1]), last=_rated(context, rating))
    return picture, f"{title}: {alt}"
