"""``/here``: settings of a place, and closing matches, for moderators."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from structlog import get_logger

import games
from bot.commands.away import town, town_buttons, zone_of_place
from bot.commands.base import NO, YES, Answer, Context
from bot.commands.menus import back, menu, named, page_buttons, page_of, settings_from, theme_menu
from bot.commands.resolving import label, load_all, names_of
from bot.commands.tokens import paged, set_to
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.marks import mark
from bot.domain.model import Ending, EndingKind, PlaceKind, Status
from bot.domain.quiet import ZONE
from bot.matches import MatchState, playing
from bot.matches.policies import (
    BEGIN,
    EVERYBODY,
    GAME,
    MANAGERS,
    OFF,
    ROLE,
    THEME,
    UTC,
    change,
    of_chat,
    of_games,
    settings_of,
)
from bot.screens import Button, Screen, Style, in_rows, match_button
from bot.store import boards, match_queries, places

_log = get_logger(__name__)

CLOSE = "close"
_GAMES = "games"
_ALWAYS = (EVERYBODY, MANAGERS)


async def _managed(context: Context) -> Context:
    """Return `context` with the current place. Raises `Refused` unless the user is a moderator."""
    if context.place.kind is PlaceKind.DIRECT:
        raise Refused("here-direct")
    if context.rights.can_manage is None:
        raise Refused("host-only")
    if not await context.rights.manages():
        raise Refused("managers-only")
    # The front's copy may be outdated.
    place = await places.place(context.store, context.place.id)
    return context.asking(place=place)


async def here(context: Context) -> Answer | Screen:
    """``/here``: show or change the settings of the place."""
    context = await _managed(context)
    command, texts = context.command, context.texts
    if command.setting == CLOSE:
        return await _running(context)
    now = {**context.place.settings, **await settings_of(context.store, context.place)}
    if command.setting == _GAMES:
        return _games(context, now)
    setting = named(context, settings_from({**_offered(context), **of_games()}, now))
    if setting is None:
        return await _menu(context, now)
    key, value = setting.key, command.value
    if key == BEGIN:
        if not value:
            return _who(context, now.get(BEGIN, EVERYBODY))
        value = _begins(context)
    elif key == ZONE:
        if not value:
            return await asyncio.to_thread(_towns, context)
        before = f"{context.syntax('here')} {ZONE} "
        value = await asyncio.to_thread(zone_of_place, value, before, texts)
    elif key == THEME and not value:
        return await theme_menu(context, setting)
    else:
        value = setting.parse(value, texts)
    await change(context.store, context.place, {key: value})
    now[key] = value
    if key.startswith(GAME):
        return _games(context, now, [key])
    context.app.changed.set()
    return await _menu(context, now, [key])


async def _menu(context: Context, now: Mapping[str, str], chosen: Collection[str] = ()) -> Answer:
    texts = context.texts
    who = _starters(context).get(now.get(BEGIN, EVERYBODY), texts("begin-role"))
    zone = now.get(ZONE)
    lives_in = await asyncio.to_thread(town, zone, texts) if zone else UTC
    shown = menu(context, settings_from(_offered(context), now), chosen, begin=who, zone=lives_in)
    text = f"{shown.text}\n{texts('here-around')}" if context.place.parent else shown.text
    played = sum(now.get(key) != OFF for key in of_games())
    buttons = [_to(texts("here-games", count=played, all=len(games.ids())), _GAMES)]
    if await _closable(context):
        buttons.append(_to(texts("here-close"), CLOSE))
    private = replace(shown, text=text, rows=(*shown.rows, *in_rows(buttons, 1)))
    return Answer(private=private, readers_changed=bool(chosen))


def _towns(context: Context) -> Screen:
    """Blocking."""
    texts = context.texts
    rows = town_buttons(context, lambda zone: _to("", ZONE, zone).action)
    ways_ = (_to(UTC, ZONE, OFF), *back(context, "here"))
    platform = context.place.platform
    text = texts("here-zone-text", command=context.syntax("here"), platform=platform)
    return Screen(title=texts("here-zone-title"), text=text, rows=(*rows, ways_))


def _to(text: str, setting: str, value: str = "", style: Style = Style.PLAIN) -> Button:
    return Button(text, Action("here", argument=set_to(setting, value)), style)


def _offered(context: Context) -> Mapping[str, tuple[str, ...]]:
    command = context.command
    return of_chat(
        notifies=command.medium.notifies,
        has_topics=command.has_topics or command.opens_threads,
        opens_threads=command.opens_threads,
    )


def _games(context: Context, now: Mapping[str, str], chosen: Collection[str] = ()) -> Screen:
    shown, title = menu(context, settings_from(of_games(), now), chosen), "here-games-title"
    return replace(shown, title=context.texts(title), rows=(*shown.rows, back(context, "here")))


def _who(context: Context, present: str) -> Screen:
    every = _starters(context)
    buttons = [
        _to(called, BEGIN, who, Style.PRIMARY if who == present else Style.PLAIN)
        for who, called in page_of(list(every.items()), context.command.page)
    ]
    pages = page_buttons(context, len(every), lambda page: _to("", BEGIN, paged(page)).action)
    return Screen(
        title=context.texts("here-begin-title"),
        text=context.texts("here-begin-text"),
        rows=(*in_rows(buttons, 1), *pages, back(context, "here")),
    )


def _starters(context: Context) -> dict[str, str]:
    """Return who may be chosen to start games, by their stored value, with their name."""
    names, texts = context.rights.role_names, context.texts
    roles = sorted(names, key=lambda role: (names[role].casefold(), role))
    return {
        **{who: texts(f"begin-{who}") for who in _ALWAYS},
        **{f"{ROLE}{role}": names[role] or texts("begin-role") for role in roles},
    }


def _begins(context: Context) -> str:
    said, starters = context.command.value, _starters(context)
    for who, called in starters.items():
        if said.casefold() in (who.casefold(), called.casefold()):
            return who
    raise Refused(
        "unknown-value",
        value=said[:32],
        setting=context.texts("here-begin-title"),
        choices=", ".join(starters[who] for who in _ALWAYS),
    )


async def close(context: Context) -> Answer | Screen:
    """End a match of this place without a result, after a confirmation."""
    command = context.command
    if command.value == NO:
        return Answer()
    context = await _managed(context)
    loaded = context.loaded
    if not await _is_of(context, loaded.match.place_id):
        raise Refused("close-elsewhere")
    if loaded.match.status is not Status.RUNNING:
        raise Refused("match-over" if loaded.match.status is Status.OVER else "not-begun")
    if loaded.match.seat_of(context.user.id) is not None:
        raise _own(context)
    if command.is_confirmed:
        ending = Ending(EndingKind.CLOSED)
        await playing.end(context.matches, loaded.match.id, ending, user_id=context.user.id)
        return _told(context, loaded)
    texts, answer = context.texts, partial(match_button, loaded.match, context.texts, "close")
    sure = answer(YES, key="close-sure", style=Style.DANGER)
    row = (sure, answer(NO, key="close-not"))
    return Screen(text=texts("close-sure", match=await label(context, loaded)), rows=(row,))


def _told(context: Context, loaded: MatchState) -> Answer:
    """Announce who closed the match, since a moderator could save a losing player."""
    match, user_id, texts = loaded.match, context.user.id, context.public_reader.texts
    _log.info("match closed by a moderator", match=match.id, by=user_id)
    game = texts(f"{match.game}-name")
    told = texts("close-done", match=match.id, game=game, who=mark(user_id))
    return Answer(public=Screen(text=told))


def _own(context: Context) -> Refused:
    """Refuse to close one's own match: a losing player would avoid the loss."""
    return Refused("close-own", resign=context.syntax("resign"), abort=context.syntax("abort"))


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


async def _running(context: Context) -> Screen:
    every = await _closable(context)
    own = set(await match_queries.of_user(context.store, context.user.id, status=[Status.RUNNING]))
    found = await load_all(context, [match_id for match_id in every if match_id not in own])
    if not found:
        raise _own(context) if every else Refused("close-none")
    names, buttons = await names_of(context, found.loaded_matches), []
    for loaded in found.loaded_matches:
        action = Action("close", loaded.match.id, loaded.match.version)
        buttons.append(Button(await label(context, loaded, names), action))
    texts = context.texts
    text = texts("close-which")
    if found.more:
        text += "\n" + texts("which-more", count=found.more)
    if len(found) < len(every):
        text += "\n" + texts("close-not-own")
    return Screen(text=text, rows=(*in_rows(buttons, 1), back(context, "here")))
