"""Challenges, new matches and rematches."""

import hmac
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256

import games
from bot.commands import computers, puzzling
from bot.commands.base import Answer, Command, Context
from bot.commands.menus import game_buttons
from bot.commands.resolving import check_slip, ended_last, for_two, parse_number
from bot.commands.start_menu import menu, offered
from bot.commands.tokens import packed, unpack_game
from bot.commands.vocabulary import games_shown
from bot.domain.actions import Action
from bot.domain.errors import Duplicate, MutualChallenge, Refused
from bot.domain.model import Computer, Place, PlaceKind, StudySide, User
from bot.domain.terms import Terms, Wishes
from bot.matches import MatchState, beginning, reading, waiting
from bot.matches import boards as match_boards
from bot.screens import Button, Screen, Style, in_rows
from bot.store import blocks, boards, people, places
from bot.support.platforms import SoloPlace
from games import AnyGame

_SEAL = 16
_MOST_BLOCKED = 200


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
    preferred_seat: int | None = None,
    terms: Terms | None = None,
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
                preferred_seat=context.command.side if preferred_seat is None else preferred_seat,
                expires=int(app.clock() + app.settings.play.challenge_hours * 3600),
                held_for=f"{place.platform}:{handle.casefold()}" if handle else "",
                terms=terms or (await context.wishes()).agreed(game, options),
            ),
            quotas=app.quotas(),
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
        await beginning.accept(app.matches, loaded.match.id, opponent, quotas=app.quotas())
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
        computers.check(context, game, command.options, command.side)
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
        loaded = await beginning.begin(
            context.matches, new, quotas=context.app.quotas(), rights=context.rights, once=True
        )
    except Duplicate as doubled:
        # Just started, or without a move: another one would be the same.
        return await context.show_again(doubled.match_id, place)
    return context.answer_started(loaded, place)


async def start(context: Context) -> Answer:
    """Start a match from the start menu: alone, against the computer, or as a challenge."""
    game, options = offered(context)
    command = context.command
    if command.is_bot or command.level is not None:
        return await computers.begin(context, game, options, preferred_seat=command.side)
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
    loaded = context.named_match or await ended_last(context, none="no-rematch", has_studies=False)
    match = loaded.match
    seat = match.seat_of(context.user.id)
    if seat is None:
        raise Refused("not-in-match")
    if match.is_study:
        raise Refused("rematch-study")
    if match.is_puzzle:
        return await puzzling.another(context, loaded.game)
    await check_slip(context, match, "rematch-at-once")
    options = dict(match.options)
    if len(match.seats) == 1:
        terms = replace(context.command, wishes=Wishes.like(match.terms))
        return await _alone(replace(context, command=terms), loaded.game, options)
    opponent = match.seats[1 - seat]
    assert not isinstance(opponent, StudySide)
    if isinstance(opponent, Computer):
        # A button may have another level.
        level = context.command.level or opponent.level
        return await computers.begin(
            context, loaded.game, options, preferred_seat=1 - seat, level=level
        )
    home = await places.place(context.store, match.place_id)
    if _leads_home(context, home):
        there = replace(context, command=replace(context.command, place=home))
        return replace(await _again(there, loaded, seat, opponent), place=home.id)
    return await _again(context, loaded, seat, opponent)


def _leads_home(context: Context, home: Place) -> bool:
    """Return whether to challenge where the match was played, not in this direct chat."""
    here = context.place
    is_apart = here.kind is PlaceKind.DIRECT and home.kind is not PlaceKind.DIRECT
    return is_apart and context.command.medium.opens_boards and home.platform == here.platform


async def _again(context: Context, loaded: MatchState, seat: int, opponent: int) -> Answer:
    match, me = loaded.match, context.user.id
    try:
        return await _proposed(
            context,
            loaded.game,
            dict(match.options),
            opponent,
            preferred_seat=1 - seat,
            terms=Wishes.like(match.terms).agreed(loaded.game, match.options),
            may_cross=(),
        )
    except MutualChallenge as crossed:
        begun = await beginning.accept(
            context.matches, crossed.match_id, me, quotas=context.app.quotas()
        )
    if not await boards.is_shown(context.store, begun.match.id, context.place.id):
        await match_boards.show(context.app.matches, begun, context.place, user_id=me)
    return context.answer_started(begun)
