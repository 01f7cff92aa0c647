"""``/stats``: results, ratings and opponents of a user."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from functools import partial

import games
from bot.commands.base import Context
from bot.domain.errors import Refused
from bot.domain.glicko import Rating
from bot.domain.marks import mark
from bot.domain.model import HIDDEN, RECORD, Computer, User
from bot.matches.names import computer_name
from bot.screens import Screen
from bot.screens.pictures import Png
from bot.screens.wording import class_words, rating_words
from bot.store import puzzles, ratings, standings, statistics
from bot.store.statistics import Record
from bot.support.platforms import WEB
from bot.support.texts import Texts
from renderers.curve import rating_curve, stacked

_MOST_OPPONENTS = 5
_LEAST_POINTS = 2
"""Rated matches needed for a graph."""
_LEAST_OPENINGS = 3
"""Matches needed to show a favourite opening."""
_DATES = 3

_Records = Mapping[str, tuple[Record, int]]
"""By game: a record, and the moves of the longest match."""


async def stats(context: Context) -> Screen:
    """``/stats [user] [game]``: show a user's record, and the caller's record against them."""
    command = context.command
    if command.is_bot:
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
    texts, store, lines = context.texts, context.store, []
    minimum = context.app.settings.play.leaderboard_minimum
    for ladder in await standings.of_user(store, person.id):
        if ladder.game not in told:
            continue
        tally = (await standings.own(store, ladder, person.id, minimum=minimum)).tally
        line = texts(
            "stats-alone",
            game=_with_class(texts(f"{ladder.game}-name"), ladder.game, ladder.kind, texts),
            average=tally.average,
            best=tally.best or 0,
            streak=tally.streak,
            most=tally.longest,
            count=tally.matches,
        )
        lines.append(line)
    return lines


def _with_class(said: str, game_id: str, kind: str, texts: Texts) -> str:
    return " · ".join(filter(None, [said, class_words(games.get(game_id), kind, texts)]))


def _ratings(
    context: Context, rated: Mapping[tuple[str, str], Rating], order: Sequence[str]
) -> list[str]:
    texts, now = context.texts, context.store.now()
    places = {game_id: at for at, game_id in enumerate(order)}
    in_order = sorted(rated.items(), key=lambda one: places.get(one[0][0], len(places)))
    lines = [
        _of_game(
            context,
            "stats-rating",
            game_id,
            which=class_words(games.get(game_id), kind, texts) or "none",
            value=_value(context, rating),
            count=rating.matches,
        )
        for (game_id, kind), rating in in_order
    ]
    if any(rating.is_provisional(now) for rating in rated.values()):
        lines.append(texts("rating-unsure"))
    return lines


async def _puzzles(context: Context, person: User) -> list[str]:
    return [
        _of_game(
            context,
            "stats-puzzles",
            game_id,
            value=_value(context, found.rating),
            solved=found.solved,
            count=found.rating.matches,
        )
        for game_id, found in (await puzzles.of_user(context.store, person.id)).items()
        if game_id in games.ids()
    ]


def _value(context: Context, rating: Rating) -> str:
    return rating_words(rating.estimate(context.store.now()))


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
    drawn = [await _curve(context, person, *key, rated[key]) for key in [*rated][:most]]
    pictures, alts = [picture for picture, _ in drawn if picture], [alt for _, alt in drawn if alt]
    if len(pictures) < 2:
        return pictures[0] if pictures else None, "".join(alts)
    data = [picture.data for picture in pictures]
    return await context.app.pictures.draw(stacked, data), "\n".join(alts)


async def _curve(
    context: Context, person: User, game_id: str, kind: str, rating: Rating
) -> tuple[Png | None, str]:
    texts = context.texts
    points = await ratings.history(context.store, person.id, game_id, kind)
    if len(points) < _LEAST_POINTS:
        return None, ""
    last = len(points) - 1
    days = {last * at // (_DATES - 1) for at in range(_DATES)}
    title = _of_game(context, "stats-curve", game_id, name=person.name)
    picture = await context.app.pictures.draw(
        rating_curve,
        # By match, not by time: some users play ten on one evening and none for a month.
        [(at, value) for at, (_, value) in enumerate(points)],
        title=_with_class(title, game_id, kind, texts),
        last=_value(context, rating),
        dates=[
            (at, texts("stats-curve-at", count=at + 1, day=texts.day(points[at][0])))
            for at in sorted(days)
        ],
        theme=context.reader.theme,
        size=context.reader.size,
    )
    alt = texts("stats-curve-alt", first=round(points[0][1]), last=_value(context, rating))
    return picture, f"{title}: {alt}"
