"""``/here``: settings of a place, and closing matches, for moderators."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace

from structlog import get_logger

import games
from bot.commands.base import Answer, Context
from bot.commands.menus import PAGE, SettingValues, below_changed, changed, menu, page_of, ways
from bot.commands.quiet_hours import town, town_buttons, zone_of_place
from bot.commands.resolving import MOST_OFFERED, label, names_of
from bot.commands.tokens import SETTINGS_APART, paged
from bot.commands.vocabulary import game_called
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.marks import mark
from bot.domain.model import Ending, EndingKind, PlaceKind, Status
from bot.domain.quiet import ZONE
from bot.matches import LoadedMatch, playing, reading
from bot.matches.policies import (
    BEGIN,
    EVERYBODY,
    GAME,
    MANAGERS,
    OFF,
    ON,
    ROLE,
    UTC,
    change,
    of_chat,
    of_games,
    settings_of,
)
from bot.screens import Button, Screen, Style
from bot.store import boards, match_queries, places

_log = get_logger(__name__)

CLOSE = "close"
_GAMES = "games"
_NO = "no"
_Rows = tuple[tuple[Button, ...], ...]


async def _managed(context: Context) -> Context:
    """Return `context` with the current place. Raises `Refused` unless the user is a moderator."""
    if context.place.kind is PlaceKind.DIRECT:
        raise Refused("here-direct")
    if context.command.can_manage is None:
        raise Refused("host-only")
    if not await context.rights.manages():
        raise Refused("managers-only")
    # The front's copy may be outdated.
    place = await places.place(context.store, context.place.id)
    return replace(context, command=replace(context.command, place=place))


async def here(context: Context) -> Answer:
    """``/here``: show or change the settings of the place."""
    context = await _managed(context)
    command = context.command
    if game := game_called(command.setting):
        command = replace(command, setting=f"{GAME}{game.id}")
        context = replace(context, command=command)
    if asked := _ASKED.get(command.setting):
        return await asked(context)
    now = await _now(context)
    if command.setting.startswith(GAME):
        chosen = changed(context, of_games(), now)
        await change(context.store, context.place, chosen)
        page = games.ids().index(command.setting.removeprefix(GAME)) // PAGE
        context = replace(context, command=replace(command, page=page))
        return await _games(context, {**now, **chosen}, chosen)
    return await _set(context, changed(context, _offered(context), now))


async def _now(context: Context) -> dict[str, str]:
    return {**context.place.settings, **await settings_of(context.store, context.place)}


async def _begin(context: Context) -> Answer:
    if context.command.value:
        return await _set(context, {BEGIN: _begins(context)})
    return _who(context, await _now(context))


async def _every_game(context: Context) -> Answer:
    return await _games(context, await _now(context))


async def _time(context: Context) -> Answer:
    if context.command.value:
        return await _set(context, {ZONE: await asyncio.to_thread(_zone, context)})
    return await asyncio.to_thread(_where, context)


async def _set(context: Context, chosen: dict[str, str]) -> Answer:
    place = context.place
    if chosen:
        place = await change(context.store, place, chosen)
        context.app.changed.set()
    rules = await settings_of(context.store, place)
    now = {**place.settings, **rules, **chosen}
    shown = menu(context, "here", _offered(context), now, chosen=chosen)
    assert shown.private is not None
    texts = context.texts
    lives_in = await asyncio.to_thread(_town, context, now.get(ZONE, ""))
    played = sum(now.get(key) != OFF for key in of_games())
    labels = {
        BEGIN: texts("here-begin", who=_called(context, now.get(BEGIN, EVERYBODY))),
        ZONE: texts("here-zone", town=lives_in),
    }
    rows: _Rows = (
        *shown.private.rows,
        *((_to(label, key),) for key, label in labels.items()),
        (_to(texts("here-games", count=played, all=len(games.ids())), _GAMES),),
    )
    if await _closable(context):
        rows = (*rows, (_to(texts("here-close"), CLOSE),))
    text = below_changed(shown.private.text, labels, chosen, texts)
    if place.parent:
        text += "\n" + texts("here-around")
    return replace(
        shown,
        private=replace(shown.private, text=text, rows=rows),
        readers_changed=bool(chosen),
    )


def _zone(context: Context) -> str:
    before = f"{context.called('here')} {ZONE} "
    return zone_of_place(context.command.value, before, context.texts)


def _where(context: Context) -> Answer:
    texts = context.texts
    rows = town_buttons(context, lambda zone: _to("", ZONE, zone).action)
    ways_ = (_to(UTC, ZONE, OFF), *_back(context))
    platform = context.place.platform
    text = texts("here-zone-text", command=context.called("here"), platform=platform)
    return Answer(private=Screen(title=texts("here-zone-title"), text=text, rows=(*rows, ways_)))


def _town(context: Context, zone: str) -> str:
    return town(zone, context.texts) if zone else UTC


def _to(text: str, setting: str, value: str = "", style: Style = Style.PLAIN) -> Button:
    argument = SETTINGS_APART.join([setting, value]) if value else setting
    return Button(text, Action("here", argument=argument), style)


def _pages(context: Context, setting: str, number: int) -> _Rows:

    def to(page: int) -> Action:
        return Action("here", argument=SETTINGS_APART.join([setting, paged(page)]))

    return ways(context, number, to)


def _back(context: Context) -> tuple[Button, ...]:
    return (Button(context.texts("here-back"), Action("here")),)


def _offered(context: Context) -> SettingValues:
    """Return the settings with a menu of values."""
    command = context.command
    return of_chat(
        notifies=command.medium.notifies,
        has_topics=command.has_topics or command.opens_threads,
        opens_threads=command.opens_threads,
    )


async def _games(context: Context, now: Mapping[str, str], chosen: Collection[str] = ()) -> Answer:
    texts, every = context.texts, games.ids()
    labels, rows = {}, []
    for game_id in page_of(every, context.command.page):
        key = f"{GAME}{game_id}"
        is_off = now.get(key) == OFF
        text = texts("here-game-off" if is_off else "here-game-on", game=texts(f"{game_id}-name"))
        labels[key] = text
        rows.append((_to(text, key, ON if is_off else OFF),))
    to_pages = _pages(context, _GAMES, len(every))
    return Answer(
        private=Screen(
            title=texts("here-games-title"),
            text=below_changed(texts("settings-text"), labels, chosen, texts),
            rows=(*rows, *to_pages, _back(context)),
        )
    )


def _who(context: Context, now: dict[str, str]) -> Answer:
    names = context.command.role_names
    roles = sorted(names, key=lambda role: (names[role].casefold(), role))
    every = [EVERYBODY, MANAGERS, *(f"{ROLE}{role}" for role in roles)]
    present = now.get(BEGIN, EVERYBODY)
    rows = [
        (_to(_called(context, who), BEGIN, who, Style.PRIMARY if who == present else Style.PLAIN),)
        for who in page_of(every, context.command.page)
    ]
    to_pages = _pages(context, BEGIN, len(every))
    return Answer(
        private=Screen(
            title=context.texts("here-begin-title"),
            text=context.texts("here-begin-text"),
            rows=(*rows, *to_pages, _back(context)),
        )
    )


def _called(context: Context, who: str) -> str:
    if who in (EVERYBODY, MANAGERS):
        return context.texts(f"begin-{who}")
    return context.command.role_names.get(who.removeprefix(ROLE)) or context.texts("begin-role")


def _begins(context: Context) -> str:
    who, roles = context.command.value, context.command.role_names
    for one in (EVERYBODY, MANAGERS, *(f"{ROLE}{role}" for role in roles)):
        if who.casefold() in (one.casefold(), _called(context, one).casefold()):
            return one
    raise Refused(
        "unknown-value",
        value=who[:32],
        setting=context.texts("here-begin-title"),
        choices=", ".join(_called(context, one) for one in (EVERYBODY, MANAGERS)),
    )


async def close(context: Context) -> Answer:
    """End a match of this place without a result, after a confirmation."""
    command = context.command
    if command.value == _NO:
        return Answer()
    context = await _managed(context)
    loaded = context.loaded
    if not await _is_of(context, loaded.match.place_id):
        raise Refused("close-elsewhere")
    if loaded.match.status is not Status.RUNNING:
        raise Refused("match-over" if loaded.match.status is Status.OVER else "not-begun")
    if loaded.match.seat_of(context.user.id) is not None:
        raise _own(context)
    if command.sure:
        ending = Ending(EndingKind.CLOSED)
        await playing.end(context.matches, loaded.match.id, ending, user_id=context.user.id)
        return _told(context, loaded)
    texts, match = context.texts, loaded.match
    yes = Action("close", match.id, match.version, "yes")
    no = Action("close", match.id, match.version, _NO)
    row = (
        Button(texts("button-close-sure"), yes, Style.DANGER),
        Button(texts("button-close-not"), no),
    )
    text = texts("close-sure", match=await label(context, loaded))
    return Answer(private=Screen(text=text, rows=(row,)))


def _told(context: Context, loaded: LoadedMatch) -> Answer:
    """Announce who closed the match, since a moderator could save a losing player."""
    match, user_id, texts = loaded.match, context.user.id, context.everybody.texts
    _log.info("match closed by a moderator", match=match.id, by=user_id)
    game = texts(f"{match.game}-name")
    told = texts("close-done", match=match.id, game=game, who=mark(user_id))
    return Answer(public=Screen(text=told))


def _own(context: Context) -> Refused:
    """Refuse to close one's own match: a losing player would avoid the loss."""
    return Refused("close-own", resign=context.called("resign"), abort=context.called("abort"))


async def _is_of(context: Context, place_id: int) -> bool:
    """Return whether a match belongs here: to this place, its channel or one of its threads."""
    place = context.place
    if place_id == place.id:
        return True
    other = await places.place(context.store, place_id)
    return other.platform == place.platform and (
        other.external == place.parent or place.external == other.parent
    )


async def _closable(context: Context) -> list[int]:
    """Return ids of the active matches of the place, newest first."""
    store, place = context.store, context.place
    found = await match_queries.in_place(store, place.id, status=[Status.RUNNING])
    if around := await places.around(store, place):
        above = await match_queries.in_place(store, around.id, status=[Status.RUNNING])
        found += [
            match_id for match_id in above if await boards.is_shown(store, match_id, place.id)
        ]
    return found


async def _running(context: Context) -> Answer:
    every = await _closable(context)
    own = set(await match_queries.of_user(context.store, context.user.id, status=[Status.RUNNING]))
    found = [match_id for match_id in every if match_id not in own]
    loaded_matches: list[LoadedMatch] = await reading.get_several(
        context.matches, found[:MOST_OFFERED]
    )
    if not loaded_matches:
        raise _own(context) if every else Refused("close-none")
    names = await names_of(context, loaded_matches)
    rows = [
        (
            Button(
                await label(context, loaded, names),
                Action("close", loaded.match.id, loaded.match.version),
            ),
        )
        for loaded in loaded_matches
    ]
    texts = context.texts
    text = texts("close-which")
    if len(found) > MOST_OFFERED:
        text += "\n" + texts("which-more", count=len(found) - MOST_OFFERED)
    if len(found) < len(every):
        text += "\n" + texts("close-not-own")
    return Answer(private=Screen(text=text, rows=(*rows, _back(context))))


_ASKED = {BEGIN: _begin, _GAMES: _every_game, CLOSE: _running, ZONE: _time}
"""Settings without a menu of values."""
