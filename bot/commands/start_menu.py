"""``/play``, and the start menu of a game: alone, the computer, people, and the options."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from bot.commands import computers, puzzling
from bot.commands.base import Answer, Context
from bot.commands.menus import following, game_buttons
from bot.commands.resolving import for_two
from bot.commands.tokens import packed
from bot.domain.actions import Action
from bot.domain.clocks import LISTED, PRESETS
from bot.domain.errors import Refused
from bot.domain.model import Computer, PlaceKind
from bot.domain.terms import Wishes, rating_class
from bot.matches import beginning
from bot.matches.endings import terms_of
from bot.matches.names import computer_name
from bot.screens import (
    Button,
    Field,
    Invitation,
    MenuEntry,
    Screen,
    StartCard,
    Style,
    UserSelect,
    clock_words,
    in_rows,
    option_words,
)
from bot.store import people
from games import AnyGame, Option, Options
from games.computer import LEVELS

_YES_NO = ("yes", "no")
_MOST_HERE = 200
"""Maximum number of users to choose from. Others can be typed."""


def offered(context: Context) -> tuple[AnyGame, dict[str, str]]:
    """Return the game and options of a button. Raises `Refused`."""
    if not context.command.game:
        raise Refused("button-unknown")
    game = context.game
    return game, game.options_from(context.command.options)


async def menu(context: Context) -> Answer | Screen:
    """``/play [game]``: list the games, or show the start menu of one."""
    texts, command = context.texts, context.command
    if command.game:
        return await start_menu(context, *offered(context))
    possible = await context.games_to_begin()
    offers = [
        MenuEntry(one, texts(f"{one}-name"), texts(f"{one}-about"), Action("menu", argument=one))
        for one in possible
    ]
    rows = game_buttons(context, "menu", style=Style.PRIMARY, every=possible)
    if found := await puzzling.menu_entry(context, possible):
        rows = (*rows, (Button(found.name, found.action),))
        offers.append(found)
    invitation = None
    if command.medium.is_invited and context.place.kind is PlaceKind.DIRECT:
        text = texts("menu-invite", command=context.syntax("play"))
        invitation = Invitation(text, texts("button-invite"))
    return Screen(
        title=texts("menu-title"),
        text="\n".join(f"{offer.name}: {offer.about}" for offer in offers),
        rows=rows,
        menu=tuple(offers),
        invitation=invitation,
    )


async def options(context: Context) -> Screen:
    """Show the start menu of a game with its options."""
    return await start_menu(context, *offered(context), is_open=True)


async def start_menu(
    context: Context, game: AnyGame, chosen: Options, *, is_open: bool = False
) -> Screen:
    """Return buttons that start a match, and change its options if `is_open`. Raises `Refused`."""
    await beginning.check_place(context.matches, game.id, context.place.id, rights=context.rights)
    texts, options = context.texts, game.options_from(chosen)
    wishes = await context.wishes()
    usual = await computers.usual_level(context, game)
    level = context.command.level or usual
    together = for_two(game, options, keep=())
    lines, at_once = [texts(f"{game.id}-about")], []

    def begins(key: str, verb: str, argument: str, **details: str) -> None:
        action = Action(verb, argument=argument)
        at_once.append(Button(texts(key, **details), action, Style.PRIMARY))

    if game.seats(options) == 1:
        alone = packed(game, options, wishes=replace(wishes, clock=None))
        begins("button-start-alone", "start", alone)
    if computers.can_play(context, game, together):
        name = computer_name(Computer(level), texts)
        begins("button-play-computer", "computer", packed(game, together, level=level), name=name)
        lines.append(texts("start-against-computer", name=name))
    users = None
    if game.seats(together) > 1:
        ask = packed(game, together, wishes=wishes)
        platform, command = context.place.platform, context.syntax(game.id)
        if beside := context.command.beside:
            begins("button-play-computer", "start", ask, name=beside.name)
            lines.append(texts("start-beside", name=beside.name))
        else:
            begins("button-start-open", "start", ask)
            lines.append(texts("start-against-people", command=command, platform=platform))
        if context.command.medium.picks_users:
            users = UserSelect(texts("button-challenge"), Action("start", argument=ask))
    fold = packed(game, options, wishes=wishes, level=level)
    ways = (
        Button(
            texts("button-options-hide" if is_open else "button-options"),
            Action("menu" if is_open else "options", argument=fold),
        ),
        Button(texts("button-rules"), Action("rules", argument=game.id)),
    )
    changes = list(_changes(context, game, options, wishes, level))
    if not is_open:
        plain = Wishes(clock=(await context.policy()).clock)
        default = _changes(context, game, game.options_from({}), plain, usual)
        usual_ones = {button.label for button in default}
        lines.append(" · ".join(one.label for one in changes if one.label not in usual_ones))
    return Screen(
        title=texts(f"{game.id}-name"),
        text="\n".join(filter(None, lines)),
        rows=(*in_rows(at_once), ways, *(in_rows(changes) if is_open else ())),
        users=users,
        start=await _start_card(context, game, options, wishes=wishes, level=level),
    )


def _changes(
    context: Context, game: AnyGame, options: Options, wishes: Wishes, level: int
) -> Iterator[Button]:
    """Yield a button for each option and term, to its next value."""
    texts, is_unrated = context.texts, _is_unrated(wishes)
    together = for_two(game, options, keep=())

    yes_no = {True: texts("start-yes"), False: texts("start-no")}

    def to(label: str, **changed: Any) -> Button:
        shown: dict[str, Any] = {"options": options, "wishes": wishes, "level": level} | changed
        return Button(label, Action("options", argument=packed(game, **shown)))

    def term(name: str, said: str, **changed: Any) -> Button:
        return to(f"{texts(f'start-{name}')}: {said}", wishes=replace(wishes, **changed))

    for option in game.options:
        value = options[option.id]
        changed = {**options, option.id: following(option.choices, value)}
        yield to(option_words(game, option.id, value, texts), options=changed)
    if computers.can_play(context, game, together):
        yield to(texts("button-level", level=level, most=LEVELS), level=level % LEVELS + 1)
    # Against the computer, matches are casual, without a clock, and with hints.
    can_rate = rating_class(game, together) is not None and not context.command.beside
    terms = terms_of(game) if can_rate else ("hints",)
    if "rated" in terms:
        yield term("rated", yes_no[not is_unrated], is_unrated=not is_unrated, has_hints=False)
    if game.seats(together) > 1:
        clock = wishes.clock or ""
        yield term("clock", clock_words(clock, texts), clock=following(("", *PRESETS), clock))
    if "takebacks" in terms:
        # Casual matches have takebacks anyway.
        has = wishes.has_takebacks
        button = term("takebacks", yes_no[has or is_unrated], has_takebacks=not has)
        yield replace(button, is_disabled=is_unrated)
    yield term("hints", yes_no[wishes.has_hints], has_hints=not wishes.has_hints)


def _is_unrated(wishes: Wishes) -> bool:
    return wishes.is_unrated or wishes.has_hints


async def _start_card(
    context: Context, game: AnyGame, chosen: Options, *, wishes: Wishes, level: int
) -> StartCard:
    texts, clock = context.texts, wishes.clock or ""
    every = product(*(one.choices for one in game.options))
    ids = [one.id for one in game.options]
    clocks = dict.fromkeys(("", *LISTED, clock))
    sides = ((str(seat), texts(f"{game.id}-seat-{seat}")) for seat in (0, 1))
    anybody = "code" if context.place.kind is PlaceKind.DIRECT else "anybody"
    people_here = ((name, name) for name in await _names_here(context))

    def field(name: str, choices: Iterable[tuple[str, str]], value: str = "") -> Field:
        return Field(name, texts(f"start-{name}"), tuple(choices), value)

    def option(one: Option) -> Field:
        key = f"{game.id}-option-{one.id}"
        choices = tuple((choice, texts(f"{key}-{choice}")) for choice in _sorted(one.choices))
        return Field(one.id, texts(key), choices, chosen[one.id])

    def term(name: str, *, is_on: bool) -> Field:
        choices = [(value, texts(f"start-{value}")) for value in _YES_NO]
        return field(name, choices, _YES_NO[not is_on])

    return StartCard(
        game=game.id,
        about=texts(f"{game.id}-about"),
        options=tuple(map(option, game.options)),
        side=field("side", [("", texts("start-side-any")), *sides]),
        whom=field("whom", [("", texts(f"start-whom-{anybody}")), *people_here]),
        rated=term("rated", is_on=not _is_unrated(wishes)) if "rated" in terms_of(game) else None,
        clock=field("clock", [(one, clock_words(one, texts)) for one in clocks], clock),
        more=tuple(
            term(name, is_on=getattr(wishes, f"has_{name}"))
            for name in terms_of(game)
            if name != "rated"
        ),
        computers=tuple(
            (
                f"computer {level}",
                texts(f"computer-about-{level}"),
                texts("start-computer", name=computer_name(Computer(level), texts), level=level),
            )
            for level in range(1, LEVELS + 1)
            if computers.can_play(context, game, for_two(game, chosen, keep=()))
        ),
        level=f"computer {level}",
        alone=tuple(
            values for values in every if game.seats(dict(zip(ids, values, strict=True))) == 1
        ),
        rules=Action("rules", argument=game.id),
    )


def _sorted(choices: Sequence[str]) -> list[str]:
    """Sort numbers. Other choices stay in the order of the game, the default first."""
    is_numbers = all(choice.isdecimal() for choice in choices)
    return sorted(choices, key=int) if is_numbers else list(choices)


async def _names_here(context: Context) -> list[str]:
    here = [user_id for user_id in context.app.open_pages if user_id != context.user.id]
    known = await people.externals(context.store, context.place.platform, here[:_MOST_HERE])
    return sorted((await context.app.names.of(known)).values(), key=str.casefold)
