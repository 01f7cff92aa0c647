"""Help, rules, lists of matches, language and settings."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

import games
from bot.commands import away, own
from bot.commands.base import Answer, CommandSpec, Context, Kind, find_spec, table
from bot.commands.computers import can_play, check_engine
from bot.commands.lines import unknown
from bot.commands.menus import (
    back,
    game_buttons,
    menu,
    named,
    page_buttons,
    page_of,
    settings_from,
    theme_menu,
)
from bot.commands.playing import past
from bot.commands.resolving import WITH_MOVES, label, names_of, resolve_match
from bot.commands.tokens import paged
from bot.commands.vocabulary import computer_in, find_game, languages_called, means
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.links import readable_code
from bot.domain.model import HIDDEN, RECORD, Computer, Match, Player, Status
from bot.matches import MatchState, reading
from bot.matches.names import computer_name
from bot.matches.policies import PINGS_CHOICES, THEME, THEME_CHOICES
from bot.screens import Button, Copied, Rows, Screen, terms_line
from bot.screens.boards import offer_in_words
from bot.screens.past import moves_table, start_table
from bot.screens.wording import Shown, notation_key
from bot.store import match_queries, people
from bot.support.texts import LANGUAGES, Texts
from games.computer import LEVELS

_FIRST = ("play", "challenge", "board", "rules", "settings")
_LINES = 46
"""Commands on a page. Every platform takes so many in one message."""

_SETTINGS = {
    **THEME_CHOICES,
    "dots": ("on", "off"),
    "side": ("first", "own"),
    "threats": ("off", "on"),
    RECORD: ("everybody", HIDDEN),
}
"""A user's settings with their values, the default first."""

_MOST_TYPE = 2800
"""Characters of moves on a page. Every platform takes so many in a message."""


async def matches(context: Context) -> Screen:
    """``/matches``: list the user's challenges and active matches."""
    texts, store, me = context.texts, context.store, context.user.id
    found = await match_queries.of_user(store, me, status=[Status.RUNNING, Status.PROPOSED])
    loaded_matches = await reading.get_several(context.matches, found[:20])
    way: list[tuple[Button, ...]] = []
    if count := len(await match_queries.of_user(store, me, status=[Status.OVER])):
        button = texts("button-played", count=count)
        way.append((Button(button, Action("played", argument=paged(0))),))
    if not loaded_matches:
        return Screen(text=texts("matches-none", platform=context.place.platform), rows=tuple(way))
    lines, copied = [], []
    names = await names_of(context, loaded_matches)
    for loaded in loaded_matches:
        name = await label(context, loaded, names)
        lines.append(f"{name}: {await _state(context, loaded, names)}")
        if _is_open(loaded.match):
            button = f"#{loaded.match.id} {texts('button-copy')}"
            copied.append(Copied(_join_line(loaded.match, texts), button))
    if len(found) > len(loaded_matches):
        lines.append(texts("matches-more", count=len(found) - len(loaded_matches)))
    # Secret, since it has codes of challenges and matches of other places.
    return Screen(
        title=texts("matches-title"),
        text="\n".join(lines),
        copied=tuple(copied),
        rows=(*(_ways_on(context, loaded.match) for loaded in loaded_matches[:5]), *way),
        secret=True,
        again=Action("matches"),
    )


def _is_open(match: Match) -> bool:
    is_asked = match.opponent is not None or match.held_for
    return match.status is Status.PROPOSED and not is_asked


def _join_line(match: Match, texts: Texts) -> str:
    return texts("join-line", code=readable_code(match.code))


async def _state(context: Context, loaded: MatchState, names: Mapping[Player, str]) -> str:
    match, me, texts = loaded.match, context.user.id, context.texts
    if match.status is Status.PROPOSED:
        if _is_open(match):
            state = texts("matches-open", line=_join_line(match, texts))
        else:
            own = match.challenger == me
            state = texts("matches-challenging" if own else "matches-challenged")
        terms = terms_line(loaded.game, match, texts)
        return " · ".join(filter(None, [state, terms]))
    if match.is_study:
        return texts("matches-study", moves=len(match.plies))
    shown = Shown(loaded, context.reader, names)
    # The texts are sentences.
    offered = [(await offer_in_words(shown, one)).removesuffix(".") for one in match.open_offers]
    if match.seat_of(me) in loaded.turn:
        return " · ".join([texts("matches-my-turn"), *offered])
    movers = (names[match.seats[seat]] for seat in sorted(loaded.turn))
    turn = texts("matches-their-turn", name=" & ".join(movers))
    return " · ".join([*offered, turn] if match.is_asked(match.seat_of(me)) else [turn, *offered])


def _ways_on(context: Context, match: Match) -> tuple[Button, ...]:
    if match.status is Status.RUNNING:
        ways_on = {"board": Action("board", match.id)}
    else:
        verbs = ("withdraw",) if match.challenger == context.user.id else ("accept", "decline")
        ways_on = {verb: Action(verb, match.id, match.version) for verb in verbs}
    return tuple(
        Button(f"#{match.id} {context.texts(f'button-{what}')}", action)
        for what, action in ways_on.items()
    )


async def moves(context: Context) -> Screen:
    """``/moves``: show the moves of a match, as far as the user may know them."""
    loaded = await resolve_match(context, *WITH_MOVES)
    if loaded.current is None:
        raise Refused("not-begun")
    if context.command.medium.steps:
        return await past(replace(context, named_match=loaded))
    match, texts = loaded.match, context.texts
    hidden = loaded.game.has_secrets(match.options)
    # Private, so that no secret of a seat is shown in a channel by accident.
    observer = match.seat_of(context.user.id)
    shown = await Shown.to(context.reader, loaded, context.app.names, observer)
    record = await asyncio.to_thread(moves_table, shown)
    size = max(1, _MOST_TYPE // (1 + max(map(len, record.lines()))))
    page = replace(record, rows=tuple(page_of(record.rows, context.command.page, size=size)))
    first = await asyncio.to_thread(start_table, loaded, texts)
    tables = ([page] if record.rows else []) + ([first] if first else [])

    def to(number: int) -> Action:
        return Action("moves", match.id, match.version, paged(number))

    return Screen(
        title=await label(context, loaded),
        text="" if record.rows else texts("moves-none"),
        tables=tuple(tables),
        rows=page_buttons(context, len(record.rows), to, size=size),
        match=match.id,
        game=match.game,
        secret=hidden and match.status is not Status.OVER and observer is not None,
    )


async def rules(context: Context) -> Answer | Screen:
    """``/rules <game>``: show the rules."""
    texts = context.texts
    game = context.command.game
    if not game:
        return context.ask("rules-which", game_buttons(context, "rules"))
    text = f"{texts(f'{game}-rules')}\n\n{usage(context, game)}"
    return Screen(title=texts(f"{game}-name"), text=text)


def usage(context: Context, game: str) -> str:
    """Return how moves of a game are typed."""
    return context.texts(f"{game}-usage", before=context.argument_prefix(game, Kind.MOVE))


async def language(context: Context) -> Answer:
    """``/language [de]``: set the user's language."""
    word = context.command.value
    if not word:
        return context.ask("language-which", (*_languages(LANGUAGES), back(context)))
    meant = languages_called(word)
    if len(meant) != 1:
        possible = meant or tuple(LANGUAGES)
        names = ", ".join(LANGUAGES[code] for code in possible)
        key = "error-ambiguous-language" if meant else "error-unknown-language"
        text = context.texts(key, word=word[:32], languages=names)
        return Answer(private=Screen(text=text, rows=_languages(possible)), refused=True)
    await people.change_user(context.store, context.user.id, language=meant[0])
    return Answer(private=Screen(text=Texts(meant[0])("language-changed")), readers_changed=True)


def _languages(codes: Iterable[str]) -> Rows:
    return tuple((Button(LANGUAGES[code], Action("language", argument=code)),) for code in codes)


async def settings(context: Context) -> Answer | Screen:
    """``/settings``: show or change settings. ``/settings CODE`` connects this browser."""
    user = context.user
    if code := own.typed_code(context):
        return code
    medium = context.command.medium
    offered = _offered(notifies=medium.notifies or medium.pushes)
    setting, value = named(context, settings_from(offered, user.settings)), context.command.value
    if setting and setting.key == THEME and not value:
        return await theme_menu(context, setting)
    chosen = {setting.key: setting.parse(value, context.texts)} if setting else {}
    if chosen:
        user = await people.change_user(context.store, user.id, settings=chosen)
    shown = menu(context, settings_from(offered, user.settings), chosen)
    blocked = await own.blocks_row(context)
    rows = (*shown.rows, await away.settings_row(context), *blocked, *await own.browsers(context))
    private = replace(shown, rows=rows, secret=bool(blocked))
    return Answer(private=private, readers_changed=bool(chosen))


def _offered(*, notifies: bool) -> dict[str, tuple[str, ...]]:
    forms = {notation_key(game_id): games.get(game_id).notations for game_id in games.ids()}
    notations = {key: form for key, form in forms.items() if form}
    return _SETTINGS | (PINGS_CHOICES if notifies else {}) | notations


async def show_help(context: Context) -> Screen:
    """``/help [command]``: show the first steps, one command or all of them."""
    texts, command = context.texts, context.command
    word = command.value.removeprefix("/").casefold()
    is_every = means(word.partition(" ")[0], "all")
    if is_every:
        word = ""
    if word and (game := find_game(word)):
        text = f"{texts(f'{game.id}-about')}\n{usage(context, game.id)}"
        return Screen(title=context.syntax(game.id), text=text)
    if word and computer_in(word.split())[0] is not None:
        return await _computers(context)
    lines = [texts("help-text", platform=context.place.platform)]
    if word:
        spec = find_spec(word)
        if spec is None:
            raise unknown(context, word)
        lines.append(_line(context, spec))
        example = f"example-{spec.name}"
        if texts.has(example) and not command.medium.has_fields:
            lines.append(texts(example, command=context.syntax(spec.name)))
        return Screen(title=texts("help-title"), text="\n".join(lines))
    specs = [
        spec for spec in table() if context.rights.can_manage is not None or not spec.can_manage
    ]

    def to(page: int) -> Action:
        return Action("help", argument=paged(page))

    if command.argument or is_every:
        lines += _in_groups(context, page_of(specs, command.page, size=_LINES))
        rows = page_buttons(context, len(specs), to, size=_LINES)
    else:
        lines += [_line(context, spec) for name in _FIRST for spec in specs if spec.name == name]
        rows = ((Button(texts("button-help-all"), to(0)),),)
    return Screen(title=texts("help-title"), text="\n".join(lines), rows=rows)


async def _computers(context: Context) -> Screen:
    texts = context.texts
    await check_engine(context)
    policy = await context.policy()
    possible = [one for one in policy.games if can_play(context, games.get(one), {})]
    before = context.argument_prefix((possible or games.ids())[0], Kind.MOVE)
    lines = [texts("help-computer", before=before, hint=context.syntax("hint"))]
    for level in range(1, LEVELS + 1):
        name, about = computer_name(Computer(level), texts), texts(f"computer-about-{level}")
        lines.append(texts("help-computer-level", level=level, name=name, about=about))
    rows = game_buttons(context, "menu", every=possible)
    return Screen(title=texts("help-computer-title"), text="\n".join(lines), rows=rows)


def _in_groups(context: Context, specs: Iterable[CommandSpec]) -> list[str]:
    lines = []
    for group, its in groupby(specs, attrgetter("group")):
        lines += ["", context.texts(f"help-group-{group}"), *(_line(context, one) for one in its)]
    return lines


def _line(context: Context, spec: CommandSpec) -> str:
    return f"{_usage(context, spec)}: {context.texts(spec.about)}"


def _usage(context: Context, spec: CommandSpec) -> str:
    words = [context.syntax(spec.name)]
    if context.command.medium.has_fields:
        # The argument fields are self-explanatory.
        return words[0]
    for kind in spec.kinds:
        name = context.texts(f"argument-{kind}")
        words.append(f"<{name}>" if kind is spec.required else f"[{name}]")
    return " ".join(words)
