"""Start menus, challenges, new matches and rematches."""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import product
from typing import Any

import games
from bot.commands import computers, puzzling
from bot.commands.base import Answer, Context
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
from bot.domain.model import Computer, Match, Place, PlaceKind, Status, StudySide, User
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
from bot.store import blocks, boards, match_queries, people, places
from bot.support.platforms import SoloPlace
from games import Option
from games.computer import LEVELS

_YES_NO = ("yes", "no")
_MOST_HERE = 200
"""Maximum number of users to choose from. Others can be typed."""
_SEAL = 16


async def menu(context: Context) -> Screen:
    """``/play [game]``: list the games, or show the start menu of one."""
    texts, command = context.texts, context.command
    if command.game:
        return await start_menu(context)
    possible = await context.games_to_begin()
    offers = [
        MenuEntry(one, texts(f"{one}-name"), texts(f"{one}-about"), Action("menu", argument=one))
        for one in possible
    ]
    rows = in_rows([Button(one.name, one.action, Style.PRIMARY) for one in offers])
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


async def start_menu(context: Context) -> Screen:
    """Return buttons that start a match or, if asked for, change its options. Raises `Refused`."""
    game, texts, is_open = context.game, context.texts, context.command.verb == "options"
    await beginning.check_place(context.matches, game.id, context.place.id, rights=context.rights)
    usual = await computers.usual_level(context, game)
    wishes, level = await context.wishes(), context.command.level or usual
    context = context.asking(options=context.options, wishes=wishes, level=level)
    options, together = context.options, _for_two(context)
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
    fold, key = ("menu", "button-options-hide") if is_open else ("options", "button-options")
    ways = (
        Button(texts(key), _to(fold, context)),
        Button(texts("button-rules"), Action("rules", argument=game.id)),
    )
    changes = list(_changes(context))
    if not is_open:
        plain = Wishes(clock=(await context.policy()).clock)
        default = _changes(context.asking(options={}, wishes=plain, level=usual))
        usual_ones = {button.label for button in default}
        lines.append(" · ".join(one.label for one in changes if one.label not in usual_ones))
    return Screen(
        title=texts(f"{game.id}-name"),
        text="\n".join(filter(None, lines)),
        rows=(*in_rows(at_once), ways, *(in_rows(changes) if is_open else ())),
        users=users,
        start=await _start_card(context),
    )


def _for_two(context: Context) -> dict[str, str]:
    return for_two(context.game, context.options, keep=())


def _to(verb: str, context: Context, **changed: Any) -> Action:
    """Return the action that shows a start menu with the terms of the command, but `changed`."""
    context = context.asking(**changed)
    wishes, level = context.command.wishes, context.command.level
    return Action(verb, argument=packed(context.game, context.options, wishes=wishes, level=level))


def _changes(context: Context) -> Iterator[Button]:
    """Yield a button for each option and term, to its next value."""
    game, texts, wishes = context.game, context.texts, context.command.wishes
    options, level, together = context.options, context.command.level or 0, _for_two(context)
    is_unrated, yes_no = _is_unrated(wishes), {True: texts("start-yes"), False: texts("start-no")}

    def to(label: str, **changed: Any) -> Button:
        return Button(label, _to("options", context, **changed))

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


async def _start_card(context: Context) -> StartCard:
    game, texts, wishes = context.game, context.texts, context.command.wishes
    chosen, clock = context.options, wishes.clock or ""
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
            if computers.can_play(context, game, _for_two(context))
        ),
        level=f"computer {context.command.level}",
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
    known = await people.reachable(context.store, context.place.platform, here[:_MOST_HERE])
    return sorted((await context.app.names.of(known)).values(), key=str.casefold)


async def challenge(context: Context) -> Answer | Screen:
    """Challenge a user or the computer, or create an open challenge."""
    command = context.command
    if command.level is not None:
        if command.game:
            return await computers.begin(context)
        return await (_computers_game(context, command.level) if command.level else menu(context))
    if command.argument:
        context = await _chosen(context)
    if context.command.game:
        options = for_two(context.game, context.command.options)
        return await _proposed(context.asking(options=options))
    if command.handle:
        # The username does not fit into buttons.
        policy = await context.policy()
        policy.check_place()
        known = games_shown(context.texts, policy.games)
        raise Refused("challenge-name-game", name=command.handle, games=known)
    sealed = partial(_named, context, command.person or command.replied)
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


async def _chosen(context: Context) -> Context:
    argument = context.command.argument
    number, what, *_ = [*argument.split("."), ""]
    person = await people.user(context.store, parse_number(number)) if number != "0" else None
    if number != "0" and person is None:
        raise Refused("button-unknown")
    if not hmac.compare_digest(_named(context, person, what).encode(), argument.encode()):
        raise Refused("button-unknown")
    return context.asking(person=person, **unpack_game(what))


async def _proposed(context: Context, opponent: int | None = None) -> Answer:
    """Create a challenge, or for a rematch accept the opponent's. Raises `Refused`."""
    _check_seats(context)
    app, place, command = context.app, context.place, context.command
    handle, beside = command.handle, command.beside
    person = command.person or command.replied or beside
    opponent = opponent or (person.id if person else None)
    is_direct = opponent is not None and place.kind is PlaceKind.DIRECT
    try:
        loaded = await beginning.propose(
            # If a board is sent, that ends the unit of work.
            app.matches if is_direct else context.matches,
            replace(
                context.new_match(),
                opponent=opponent,
                preferred_seat=command.side,
                expires=int(app.clock() + app.settings.play.challenge_hours * 3600),
                held_for=f"{place.platform}:{handle.casefold()}" if handle else "",
                terms=(await context.wishes()).agreed(context.game, context.options),
            ),
            rights=context.rights,
            may_cross=command.verb != "again",
            once=True,
        )
    except MutualChallenge as crossed:
        begun = await beginning.accept(context.matches, crossed.match_id, context.user.id)
        if not await boards.is_shown(context.store, begun.match.id, place.id):
            await match_boards.show(app.matches, begun, place, user_id=context.user.id)
        return context.answer_started(begun)
    except Duplicate as doubled:
        loaded = await reading.get(context.matches, doubled.match_id)
        if not is_direct or await _is_shown_elsewhere(context, loaded):
            # Its message may have been deleted.
            return await context.show_again(loaded.match.id)
        # The process stopped before the board was sent.
    if opponent is None:
        return context.answer_started(loaded)
    if beside and opponent == beside.id:
        await beginning.accept(app.matches, loaded.match.id, opponent)
    if is_direct:
        # As a challenge: its board is public, with secrets only where they are asked for.
        await _show_to(context, loaded, opponent)
    return replace(context.answer_started(loaded), private=await _away(context, opponent))


def _check_seats(context: Context) -> None:
    if context.game.seats(context.options) == 1:
        raise Refused("challenge-alone", game=context.texts(f"{context.game.id}-name"))


async def _away(context: Context, opponent: int) -> Screen | None:
    texts, ends = context.texts, await waiting.away_until(context.store, opponent)
    if ends is None:
        return None
    name = (await context.names([opponent]))[opponent]
    return Screen(text=texts("board-away", name=name, day=texts.day(ends)))


async def _show_to(context: Context, loaded: MatchState, user_id: int) -> None:
    app, platform = context.app, context.place.platform
    known = (await people.reachable(context.store, platform, [user_id])).get(user_id)
    if known is None:
        return
    title = context.texts("direct-title")
    try:
        direct = await app.directory.direct(platform, known.external, title, asked_by=user_id)
        await match_boards.show(context.matches, loaded, direct, user_id=user_id, is_told=False)
    except Refused as refused:
        # The user deleted their account in this moment.
        if refused.code != "forgotten":
            raise


async def _is_shown_elsewhere(context: Context, loaded: MatchState) -> bool:
    shown = await boards.of_match(context.store, loaded.match.id)
    return any(board.place_id != context.place.id for board in shown)


async def check(context: Context) -> None:
    """Check that the command can start something, apart from quotas. Raises `Refused`."""
    command, me = context.command, context.user.id
    if not command.game:
        return
    if command.level is not None:
        computers.check(context)
        return
    if command.verb == "challenge":
        context = context.asking(options=for_two(context.game, command.options))
        _check_seats(context)
    elif context.game.seats(context.options) == 1:
        _check_alone(context)
    (await context.wishes()).agreed(context.game, context.options)
    if (person := command.person) is None:
        return
    if person.id == me:
        raise Refused("challenge-self")
    if await blocks.has_blocked(context.store, me, person.id):
        raise Refused("you-have-blocked", name=person.name)


def _check_alone(context: Context) -> None:
    if context.command.wishes.clock:
        raise Refused("clock-alone")


async def start(context: Context) -> Answer:
    """``/game new [options]``, or a start menu: begin alone, against the computer, or challenge.

    The verb "apart" is about a single-player match in the direct chat.
    """
    command = context.command
    if command.level is not None:
        return await computers.begin(context)
    is_alone = context.game.seats(context.options) == 1 and command.person is None
    if command.verb == "apart" and not is_alone:
        raise Refused("button-unknown")
    return await (_alone(context) if is_alone else _proposed(context))


async def _alone(context: Context) -> Answer:
    """Start a single-player match. Some media ask where, unless a button says so."""
    _check_alone(context)
    game, options, command = context.game, context.options, context.command
    is_asked = command.verb == "new" and command.medium.solo is SoloPlace.ASK
    if is_asked and context.place.kind is not PlaceKind.DIRECT:
        to = partial(Action, argument=packed(game, options, wishes=command.wishes))
        buttons = [
            Button(context.texts(f"button-play-{verb}"), to(verb), Style.PRIMARY)
            for verb in ("start", "apart")
        ]
        return context.ask("start-where", in_rows(buttons))
    is_private = command.verb == "apart" or command.medium.solo is SoloPlace.PRIVATE
    place = await context.direct_chat() if is_private else context.place
    new = replace(context.new_match(place), terms=command.wishes.agreed(game, options))
    # One that has just started, or without a move, would be the same.
    loaded = await beginning.begin(context.matches, new, rights=context.rights, once=True)
    return context.answer_started(loaded, place)


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
    loaded = await resolve_match(context, *finders, none="no-rematch")
    match = loaded.match
    seat = match.seat_of(me)
    if seat is None:
        raise Refused("not-in-match")
    if match.is_study:
        raise Refused("rematch-study")
    if match.is_puzzle:
        return await puzzling.another(context, loaded.game)
    asked = await _rematch_of(context, match)
    if asked is None:
        await check_slip(context, match, "rematch-at-once")
    terms = Wishes.like(match.terms)
    context = context.asking(game=match.game, options=match.options, side=1 - seat, wishes=terms)
    if len(match.seats) == 1:
        return await _alone(context)
    opponent = match.seats[1 - seat]
    assert not isinstance(opponent, StudySide)
    if isinstance(opponent, Computer):
        # A button may have another level.
        return await computers.begin(context.asking(level=context.command.level or opponent.level))
    if asked is not None and asked.status is Status.RUNNING:
        return await context.show_again(asked.id)
    home = await places.place(context.store, match.place_id)
    if not _leads_home(context, home):
        return await _proposed(context, opponent)
    return replace(await _proposed(context.asking(place=home), opponent), place=home.id)


async def _rematch_of(context: Context, match: Match) -> Match | None:
    """Return the rematch that a player has proposed, or that has just begun."""
    states = Status.PROPOSED, Status.RUNNING
    such = match.players, match.options, match.terms
    me, game = context.user.id, match.game
    found = await match_queries.of_user(context.store, me, game=game, status=states)
    later = [match_id for match_id in found if match_id > match.id]
    for loaded in await reading.get_several(context.matches, later):
        one = loaded.match
        is_such = (one.players, one.options, one.terms) == such
        if is_such and not one.plies and one.seats in ((), match.seats[::-1]):
            return one
    return None


def _leads_home(context: Context, home: Place) -> bool:
    """Return whether to challenge where the match was played, not in this direct chat."""
    here = context.place
    is_apart = here.kind is PlaceKind.DIRECT and home.kind is not PlaceKind.DIRECT
    return is_apart and context.command.medium.opens_boards and home.platform == here.platform
