"""Start menus, challenges, new matches and rematches."""

import hmac
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import product
from typing import Any

import games
from bot.commands import computers, puzzling
from bot.commands.base import Answer, Command, Context
from bot.commands.menus import following, game_buttons
from bot.commands.resolving import (
    check_slip,
    ended_here,
    for_two,
    parse_number,
    resolve_match,
    viewed,
)
from bot.commands.tokens import packed, unpack_game
from bot.commands.vocabulary import games_shown
from bot.domain.actions import Action
from bot.domain.clocks import LISTED, PRESETS
from bot.domain.errors import Duplicate, MutualChallenge, Refused
from bot.domain.model import Computer, Place, PlaceKind, Status, StudySide, User
from bot.domain.terms import Wishes, rating_class
from bot.matches import MatchState, beginning, reading, waiting
from bot.matches import boards as match_boards
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
    clock_words,
    in_rows,
    option_words,
)
from bot.store import blocks, boards, people, places
from bot.support.platforms import SoloPlace
from games import AnyGame, Option, Options
from games.computer import LEVELS

_YES_NO = ("yes", "no")
_MOST_HERE = 200
"""Maximum number of users to choose from. Others can be typed."""
_SEAL = 16
_MOST_BLOCKED = 200


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
            users = Button(texts("button-challenge"), Action("start", argument=ask))
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


async def challenge(context: Context) -> Answer | Screen:
    """Challenge a user or the computer, or create an open challenge."""
    command = context.command
    if command.is_bot or command.level is not None:
        if command.game:
            return await computers.computer(context)
        return await (_computers_game(context, command.level) if command.level else menu(context))
    if command.argument:
        command = await _chosen(context)
        context = replace(context, command=command)
    person = command.person or command.replied
    if command.game:
        game = context.game
        options = for_two(game, command.options)
        return await _proposed(context, game, options, person.id if person else None)
    if command.handle:
        # The username does not fit into buttons.
        policy = await context.policy()
        policy.check_place()
        known = games_shown(context.texts, policy.games)
        raise Refused("challenge-name-game", name=command.handle, games=known)
    sealed = partial(_named, context, person)
    possible = await context.games_to_begin()
    buttons = game_buttons(context, "challenge", sealed, every=possible)
    return context.ask("challenge-which-game", buttons)


async def _computers_game(context: Context, level: int) -> Answer:
    def begins(game_id: str) -> str:
        game = games.get(game_id)
        return packed(game, for_two(game, {}), level=level)

    allowed = await context.games_to_begin()
    possible = [one for one in allowed if computers.can_play(context, games.get(one), {})]
    buttons = game_buttons(context, "computer", begins, every=possible)
    return context.ask("challenge-which-game", buttons)


def _named(context: Context, person: User | None, game_id: str) -> str:
    """Return the argument of a challenge button, sealed so that it works for this user only.

    Ids can be guessed, and some platforms let users press buttons that were never shown.
    """
    if person is None:
        return f"0.{game_id}"
    meant = f"{context.user.id} {person.id}".encode()
    seal = hmac.new(context.app.key, meant, sha256).hexdigest()[:_SEAL]
    return f"{person.id}.{game_id}.{seal}"


async def _chosen(context: Context) -> Command:
    command = context.command
    number, what, *_ = [*command.argument.split("."), ""]
    person = await people.user(context.store, parse_number(number)) if number != "0" else None
    if number != "0" and person is None:
        raise Refused("button-unknown")
    if not hmac.compare_digest(_named(context, person, what).encode(), command.argument.encode()):
        raise Refused("button-unknown")
    return replace(command, person=person, **unpack_game(what))


async def _proposed(
    context: Context,
    game: AnyGame,
    options: dict[str, str],
    opponent: int | None = None,
    *,
    may_cross: Collection[int] | None = None,
) -> Answer:
    """Create a challenge. Raises `Refused`, or `MutualChallenge` if the opponent asks the same."""
    _check_seats(context, game, options)
    app, place, handle = context.app, context.place, context.command.handle
    beside = context.command.beside
    opponent = opponent or (beside.id if beside else None)
    is_direct = opponent is not None and place.kind is PlaceKind.DIRECT
    try:
        loaded = await beginning.propose(
            # If a board is sent, that ends the unit of work.
            app.matches if is_direct else context.matches,
            replace(
                context.new_match(game, options),
                opponent=opponent,
                preferred_seat=context.command.side,
                expires=int(app.clock() + app.settings.play.challenge_hours * 3600),
                held_for=f"{place.platform}:{handle.casefold()}" if handle else "",
                terms=(await context.wishes()).agreed(game, options),
            ),
            rights=context.rights,
            may_cross=may_cross,
            once=True,
        )
    except Duplicate as doubled:
        loaded = await reading.get(context.matches, doubled.match_id)
        if opponent is not None and is_direct and not await _is_shown_elsewhere(context, loaded):
            # The process stopped before the board was sent.
            await _show_to(context, loaded, opponent)
            return Answer()
        # Its message may have been deleted.
        return await context.show_again(loaded.match.id)
    if opponent is None:
        return context.answer_started(loaded)
    if beside and opponent == beside.id:
        await beginning.accept(app.matches, loaded.match.id, opponent)
    if is_direct:
        # As a challenge: its board is public, with secrets only where they are asked for.
        await _show_to(context, loaded, opponent)
    return replace(context.answer_started(loaded), private=await _away(context, opponent))


def _check_seats(context: Context, game: AnyGame, options: Mapping[str, str]) -> None:
    if game.seats(options) == 1:
        raise Refused("challenge-alone", game=context.texts(f"{game.id}-name"))


async def _away(context: Context, opponent: int) -> Screen | None:
    texts, ends = context.texts, await waiting.away_until(context.store, opponent)
    if ends is None:
        return None
    name = (await context.names([opponent]))[opponent]
    return Screen(text=texts("board-away", name=name, day=texts.day(ends)))


async def _show_to(context: Context, loaded: MatchState, user_id: int) -> None:
    app, platform = context.app, context.place.platform
    known = await people.externals(context.store, platform, [user_id])
    if user_id not in known:
        return
    title = context.texts("direct-title")
    try:
        direct = await app.directory.direct(platform, known[user_id], title, asked_by=user_id)
        await match_boards.show(context.matches, loaded, direct, user_id=user_id, is_told=False)
    except Refused as refused:
        # The user deleted their account in this moment.
        if refused.code != "forgotten":
            raise


async def _is_shown_elsewhere(context: Context, loaded: MatchState) -> bool:
    shown = await boards.of_match(context.store, loaded.match.id)
    return any(board.place_id != context.place.id for board in shown)


async def new(context: Context) -> Answer:
    """``/game new [options]``: start a single-player match, or create an open challenge."""
    game = context.game
    if context.command.level is not None:
        return await computers.computer(context)
    options = game.options_from(context.command.options)
    if game.seats(options) > 1:
        return await _proposed(context, game, options)
    solo = context.command.medium.solo
    if solo is SoloPlace.ASK and context.place.kind is not PlaceKind.DIRECT:
        _check_alone(context)
        return _where(context, game, options)
    return await _alone(context, game, options)


async def check(context: Context) -> None:
    """Check that the command can start something, apart from quotas. Raises `Refused`."""
    command, me = context.command, context.user.id
    if not command.game:
        return
    game = context.game
    if command.level is not None or command.is_bot:
        computers.check(context, game, command.options)
        return
    options = game.options_from(command.options)
    if command.verb == "challenge":
        options = for_two(game, command.options)
        _check_seats(context, game, options)
    elif game.seats(options) == 1:
        _check_alone(context)
    (await context.wishes()).agreed(game, options)
    if (person := command.person) is None:
        return
    if person.id == me:
        raise Refused("challenge-self")
    if person in await blocks.listed(context.store, me, limit=_MOST_BLOCKED):
        raise Refused("you-have-blocked", name=person.name)


def _check_alone(context: Context) -> None:
    if context.command.wishes.clock:
        raise Refused("clock-alone")


def _where(context: Context, game: AnyGame, options: dict[str, str]) -> Answer:
    texts, argument = context.texts, packed(game, options, wishes=context.command.wishes)
    buttons = [
        Button(texts(f"button-play-{verb}"), Action(verb, argument=argument), Style.PRIMARY)
        for verb in ("start", "apart")
    ]
    return context.ask("start-where", in_rows(buttons))


async def apart(context: Context) -> Answer:
    """Play a single-player match in the direct chat."""
    game, options = offered(context)
    if game.seats(options) != 1:
        raise Refused("button-unknown")
    return await _alone(context, game, options, where=SoloPlace.PRIVATE)


async def _alone(
    context: Context, game: AnyGame, options: dict[str, str], *, where: SoloPlace | None = None
) -> Answer:
    _check_alone(context)
    place = context.place
    if (where or context.command.medium.solo) is SoloPlace.PRIVATE:
        place = await context.direct_chat()
    terms = replace(context.command.wishes, clock=None).agreed(game, options)
    new = replace(context.new_match(game, options, place), terms=terms)
    try:
        loaded = await beginning.begin(context.matches, new, rights=context.rights, once=True)
    except Duplicate as doubled:
        # Just started, or without a move: another one would be the same.
        return await context.show_again(doubled.match_id, place)
    return context.answer_started(loaded, place)


async def start(context: Context) -> Answer:
    """Start a match from the start menu: alone, against the computer, or as a challenge."""
    game, options = offered(context)
    command = context.command
    if command.is_bot or command.level is not None:
        return await computers.begin(context, game, options)
    if command.side not in (None, 0, 1):
        raise Refused("button-unknown")
    if game.seats(options) == 1 and command.person is None:
        return await _alone(context, game, options)
    return await _proposed(context, game, options, command.person.id if command.person else None)


async def again(context: Context) -> Answer:
    """Start a rematch, challenge the opponent to one with sides changed, or accept theirs."""
    if context.command.setting:
        # The command has no arguments, but some were typed.
        called = {one: context.syntax(one) for one in ("rematch", "challenge")}
        raise Refused("rematch-terms", **called)
    me = context.user.id
    finders = (
        viewed(lambda one: one.match.status is Status.OVER and one.match.seat_of(me) is not None),
        partial(ended_here, has_studies=False),
    )
    loaded = await resolve_match(context, "again", *finders, none="no-rematch")
    match = loaded.match
    seat = match.seat_of(me)
    if seat is None:
        raise Refused("not-in-match")
    if match.is_study:
        raise Refused("rematch-study")
    if match.is_puzzle:
        return await puzzling.another(context, loaded.game)
    await check_slip(context, match, "rematch-at-once")
    game, options = loaded.game, dict(match.options)
    command = replace(context.command, side=1 - seat, wishes=Wishes.like(match.terms))
    if len(match.seats) == 1:
        return await _alone(replace(context, command=command), game, options)
    opponent = match.seats[1 - seat]
    assert not isinstance(opponent, StudySide)
    if isinstance(opponent, Computer):
        # A button may have another level.
        command = replace(command, level=command.level or opponent.level)
        return await computers.begin(replace(context, command=command), game, options)
    home = await places.place(context.store, match.place_id)
    if _leads_home(context, home):
        there = replace(context, command=replace(command, place=home))
        return replace(await _again(there, game, options, opponent), place=home.id)
    return await _again(replace(context, command=command), game, options, opponent)


def _leads_home(context: Context, home: Place) -> bool:
    """Return whether to challenge where the match was played, not in this direct chat."""
    here = context.place
    is_apart = here.kind is PlaceKind.DIRECT and home.kind is not PlaceKind.DIRECT
    return is_apart and context.command.medium.opens_boards and home.platform == here.platform


async def _again(context: Context, game: AnyGame, options: dict[str, str], opponent: int) -> Answer:
    me = context.user.id
    try:
        return await _proposed(context, game, options, opponent, may_cross=())
    except MutualChallenge as crossed:
        begun = await beginning.accept(context.matches, crossed.match_id, me)
    if not await boards.is_shown(context.store, begun.match.id, context.place.id):
        await match_boards.show(context.app.matches, begun, context.place, user_id=me)
    return context.answer_started(begun)
