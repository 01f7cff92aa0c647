"""Lists, rules, help, settings: the handlers that only tell, or change how things are told."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import games
from bot.actions import Action
from bot.commands.base import Answer, Asked
from bot.commands.blocking import way_in
from bot.commands.finding import label, matches_here, which
from bot.commands.own import browsers, typed_code
from bot.commands.paging import game_buttons
from bot.commands.tokens import SETTINGS_APART, paged
from bot.errors import Refused
from bot.links import readable_code
from bot.marks import mark
from bot.matches import Live
from bot.model import Place, PlaceKind, Status
from bot.screens import Button, Screen, form_of, notation_key, told
from bot.store import matches as rows
from bot.store import people, results
from bot.texts import LANGUAGES, Texts

__all__ = ["here", "language", "leaderboard", "matches", "moves", "rules", "settings", "stats"]

_SETTINGS = {
    "theme": ("auto", "light", "dark"),
    "dots": ("on", "off"),
    "side": ("first", "own"),
    "threats": ("off", "on"),
}
"""A person's settings: the values, the first one being the default."""

_THREADS = {"threads": ("off", "on")}
"""A place's settings, where the platform has threads."""


# --- matches --------------------------------------------------------------------------------


async def matches(asked: Asked) -> Answer:
    """``/matches``: the caller's matches everywhere, and what waits for whom."""
    texts = asked.texts
    found = await rows.waiting(asked.store, asked.user.id, status=[Status.RUNNING, Status.PROPOSED])
    lives = await asked.matches.several(found[:20])
    if not lives:
        return asked.say("matches-none")
    lines, buttons = [], []
    for live in lives:
        name = await label(asked, live)
        lines.append(f"{name}: {_state(asked, live)}")
        if live.match.status is Status.RUNNING:
            buttons.append((Button(name, Action("board", live.match.id)),))
    if len(found) > len(lives):
        lines.append(texts("matches-more", count=len(found) - len(lives)))
    # A code is for whom it is handed to, and where one plays is nobody else's business.
    return Answer(
        private=Screen(
            title=texts("matches-title"),
            text="\n".join(lines),
            rows=tuple(buttons[:5]),
            secret=True,
        )
    )


def _state(asked: Asked, live: Live) -> str:
    match, me = live.match, asked.user.id
    if match.status is Status.PROPOSED:
        if match.opponent is None:
            return asked.texts("matches-open", code=readable_code(match.code))
        return asked.texts("matches-challenged" if match.opponent == me else "matches-challenging")
    on_turn = match.seat_of(me) in live.turn
    return asked.texts("matches-my-turn" if on_turn else "matches-their-turn")


async def moves(asked: Asked) -> Answer:
    """``/moves``: the record of a match, as the caller may know it."""
    live = asked.found
    if live is None:
        found = await matches_here(asked)
        if not found:
            raise Refused("no-match")
        if len(found) > 1:
            return await which(asked, found, "moves")
        live = found.only
    if live.position is None:
        raise Refused("not-begun")
    texts = asked.texts
    hidden = live.game.hidden(live.match.options)
    over = live.match.status is Status.OVER
    # What a seat was told in private must not be read aloud in a channel by accident: private.
    listener = live.match.seat_of(asked.user.id)
    moves = await asyncio.to_thread(told, live, listener, form_of(asked.reader, live.game))
    record = [
        f"{number}. {text if text is not None else texts('moves-secret')}"
        for number, text in enumerate(moves, 1)
    ]
    name = await label(asked, live)
    text = " ".join(record) or texts("moves-none")
    if not hidden or over:
        text += f"\n{texts('moves-setup', setup=live.match.setup or '-')}"
    secret = hidden and not over and listener is not None
    return Answer(private=Screen(title=name, text=text, match=live.match.id, secret=secret))


# --- who is good at it ----------------------------------------------------------------------


async def leaderboard(asked: Asked) -> Answer:
    """``/leaderboard [game]``: for this place, and for as many as may be named in it."""
    texts = asked.texts
    named = asked.command.game
    scopes = _scopes(asked.place)
    if named:
        chosen = [named]
    else:
        chosen = []
        for _, scope in scopes:
            chosen = chosen or await results.played(asked.store, scope)
    if not chosen:
        return asked.say("leaderboard-empty")
    sections = []
    for game_id in chosen:
        name, platform = texts(f"{game_id}-name"), asked.place.platform
        for heading, scope in scopes:
            lines = await _ranking(asked, game_id, scope, limit=10 if named else 3)
            if lines:
                head = texts(f"leaderboard-{heading}", game=name, platform=platform)
                sections.append("\n".join([head, *lines]))
    minimum = asked.house.settings.play.leaderboard_minimum
    if not sections:
        return asked.say("leaderboard-too-few", count=minimum)
    sections.append(texts("leaderboard-minimum", count=minimum))
    return Answer(public=Screen(title=texts("leaderboard-title"), text="\n\n".join(sections)))


def _scopes(place: Place) -> list[tuple[str, results.Scope]]:
    """Whose results are told in a place, by the heading: strangers are not named in public."""
    scopes = [("place", results.Scope(place_id=place.id))]
    if place.kind is PlaceKind.DIRECT:
        scopes.append(("overall", results.EVERYWHERE))
    elif place.community is not None:
        community = (place.platform, place.community)
        scopes.append(("community", results.Scope(community=community)))
    return scopes


async def _ranking(asked: Asked, game_id: str, scope: results.Scope, *, limit: int) -> list[str]:
    texts, store = asked.texts, asked.store
    minimum = asked.house.settings.play.leaderboard_minimum
    versus = await results.versus(store, game_id, scope=scope, minimum=minimum, limit=limit)
    lines = [
        texts(
            "leaderboard-versus",
            rank=rank,
            name=mark(row.user_id),
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            rate=round(row.rate * 100),
        )
        for rank, row in enumerate(versus, 1)
    ]
    alone = await results.alone(store, game_id, scope=scope, minimum=minimum, limit=limit)
    if alone:
        lines.append(texts("leaderboard-alone-title", recent=results.RECENT))
    lines += [
        texts(
            "leaderboard-alone",
            rank=rank,
            name=mark(row.user_id),
            average=row.average,
            best=row.best,
            count=row.count,
        )
        for rank, row in enumerate(alone, 1)
    ]
    return lines


async def stats(asked: Asked) -> Answer:
    """``/stats [user]``: somebody's record in every game."""
    texts = asked.texts
    if asked.command.is_house:
        raise Refused("stats-house")
    person = asked.command.person or asked.user
    lines = [line for game_id in games.ids() for line in await _record(asked, game_id, person.id)]
    return Answer(
        private=Screen(
            title=texts("stats-title", name=person.name),
            text="\n".join(lines) or texts("stats-none"),
        )
    )


async def _record(asked: Asked, game_id: str, user_id: int) -> list[str]:
    texts, store = asked.texts, asked.store
    name = texts(f"{game_id}-name")
    versus = [
        texts(
            "stats-versus",
            game=name,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            rate=round(row.rate * 100),
        )
        for row in await results.versus(store, game_id, user_id=user_id)
    ]
    alone = [
        texts(
            "stats-alone",
            game=name,
            average=row.average,
            best=row.best,
            count=row.count,
        )
        for row in await results.alone(store, game_id, user_id=user_id)
    ]
    return versus + alone


# --- explaining -----------------------------------------------------------------------------


async def rules(asked: Asked) -> Answer:
    """``/rules <game>``."""
    texts = asked.texts
    game = asked.command.game
    if not game:
        return asked.ask(
            "rules-which",
            game_buttons(
                asked,
                lambda game_id: Action("rules", argument=game_id),
                lambda page: Action("rules", argument=paged(page)),
            ),
        )
    return Answer(
        private=Screen(
            title=texts(f"{game}-name"),
            text=f"{texts(f'{game}-rules')}\n\n{texts(f'{game}-usage')}",
        )
    )


# --- how things are told --------------------------------------------------------------------


async def language(asked: Asked) -> Answer:
    """``/language [de]``: the language in which this person is answered."""
    word = asked.command.language.casefold()
    if not word:
        return asked.ask(
            "language-which",
            tuple(
                (Button(name, Action("language", argument=code)),)
                for code, name in LANGUAGES.items()
            ),
        )
    chosen = next(
        (code for code, name in LANGUAGES.items() if word in (code, name.casefold())), None
    )
    if chosen is None:
        raise Refused("unknown-language", word=word[:32], languages=", ".join(LANGUAGES))
    await people.change_user(asked.store, asked.user.id, language=chosen)
    return Answer(private=Screen(text=Texts(chosen)("language-changed")), readers_changed=True)


async def settings(asked: Asked) -> Answer:
    """``/settings``: a person's own settings as buttons; each press takes the next value.

    ``/settings CODE`` is for a browser that somebody wants to be known in as well.
    """
    user = asked.user
    if code := typed_code(asked):
        return code
    changed = _changed(asked, _offered(), _with_notations(user.settings))
    if changed:
        user = await people.change_user(asked.store, user.id, settings=changed)
    menu = _menu(asked, "settings", _offered(), _with_notations(user.settings))
    assert menu.private is not None
    blocked = await way_in(asked)
    rows_ = (*menu.private.rows, *blocked, *await browsers(asked))
    private = replace(menu.private, rows=rows_, secret=bool(blocked))
    return replace(menu, private=private, readers_changed=bool(changed))


async def here(asked: Asked) -> Answer:
    """``/here``: the settings of the place, for those who may change it."""
    if not asked.command.steward:
        raise Refused("steward-only")
    offered = {**_of_places(), **(_THREADS if asked.command.threads else {})}
    place = asked.place
    changed = _changed(asked, offered, place.settings)
    if changed:
        place = await people.change_place(asked.store, place.id, settings=changed)
    menu = _menu(asked, "here", offered, place.settings)
    return replace(menu, readers_changed=bool(changed))


def _changed(
    asked: Asked, offered: Mapping[str, tuple[str, ...]], now: Mapping[str, str]
) -> dict[str, str]:
    """What the command sets: a value that it names, else the one after the present."""
    key, value = asked.command.setting, asked.command.value
    if not key:
        return {}
    if key not in offered or (value and value not in offered[key]):
        raise Refused("unknown-setting", word=key[:32], settings=", ".join(offered))
    return {key: value or _next(key, offered, now)}


def _next(key: str, offered: Mapping[str, tuple[str, ...]], now: Mapping[str, str]) -> str:
    """The value after the present one."""
    at = offered[key].index(_present(key, offered, now))
    return offered[key][(at + 1) % len(offered[key])]


def _present(key: str, offered: Mapping[str, tuple[str, ...]], now: Mapping[str, str]) -> str:
    """The value of a setting; the default where none is stored, or none that is still offered."""
    value = now.get(key)
    return value if value in offered[key] else offered[key][0]


def _menu(
    asked: Asked, verb: str, offered: Mapping[str, tuple[str, ...]], now: Mapping[str, str]
) -> Answer:
    # A button sets what follows the value that it shows, however often it is pressed.
    texts = asked.texts
    rows_ = tuple(
        (
            Button(
                ": ".join(_words_for(asked, key, _present(key, offered, now))),
                Action(verb, argument=SETTINGS_APART.join([key, _next(key, offered, now)])),
            ),
        )
        for key in offered
    )
    return Answer(
        private=Screen(title=texts(f"{verb}-title"), text=texts("settings-text"), rows=rows_)
    )


def _words_for(asked: Asked, key: str, value: str) -> tuple[str, str]:
    """A setting and its value; languages call themselves by their own name.

    How moves are written is a setting of each game.
    """
    texts = asked.texts
    what, _, game = key.partition("-")
    if game:
        return texts(f"settings-{what}", game=texts(f"{game}-name")), texts(f"{game}-form-{value}")
    if key == "language" and value in LANGUAGES:
        return texts("settings-language"), LANGUAGES[value]
    return texts(f"settings-{key}"), texts(f"settings-{key}-{value}")


def _of_places() -> dict[str, tuple[str, ...]]:
    """What can be set for a place."""
    return {"language": ("auto", *LANGUAGES), "theme": ("auto", "light", "dark")}


def _offered() -> dict[str, tuple[str, ...]]:
    """What can be set, given the games that there are."""
    forms = {game_id: games.get(game_id).forms for game_id in games.ids()}
    return _SETTINGS | {notation_key(game_id): form for game_id, form in forms.items() if form}


def _with_notations(now: Mapping[str, str]) -> Mapping[str, str]:
    """Settings with those that were made while there was one notation for all games."""
    if "notation" not in now:
        return now
    return {notation_key(game_id): now["notation"] for game_id in games.ids()} | dict(now)
