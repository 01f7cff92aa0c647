"""Beginning matches: menus, challenges, answers to them, another one."""

import hmac
from dataclasses import replace
from hashlib import sha256

import games
from bot.actions import Action
from bot.commands.base import Alone, Answer, Asked, Command
from bot.commands.finding import Found, number_in, some, which
from bot.commands.paging import game_buttons, page_of
from bot.commands.tokens import offered, packed, paged
from bot.errors import Refused
from bot.matches import Live
from bot.model import Place, PlaceKind, Status, User
from bot.screens import Button, Screen, Style, option_words
from bot.store import boards, people
from bot.store import matches as rows
from games import AnyGame, Options

__all__ = [
    "accept",
    "again",
    "apart",
    "challenge",
    "decline",
    "join",
    "menu",
    "new",
    "start",
    "start_menu",
    "withdraw",
]


_SEAL = 16
"""Hexadecimal digits: 64 bits."""


async def challenge(asked: Asked) -> Answer:
    """Ask somebody, or without somebody everybody, for a match; which game is asked for."""
    command = asked.command
    if command.is_house:
        raise Refused("challenge-house")
    if command.argument:
        command = await _chosen(asked)
        asked = replace(asked, command=command)
    person = command.person or command.replied
    if not command.game:
        return asked.ask(
            "challenge-which-game",
            game_buttons(
                asked,
                lambda game_id: Action("challenge", argument=_named(asked, person, game_id)),
                lambda page: Action("challenge", argument=_named(asked, person, paged(page))),
            ),
        )
    return await _propose(
        asked, games.get(command.game), command, opponent=person.id if person else None
    )


def _named(asked: Asked, person: User | None, game_id: str) -> str:
    """What a button carries that challenges somebody: it works for whoever asked, only.

    People have numbers that can be guessed, and some platforms let one press what was never shown.
    """
    if person is None:
        return f"0.{game_id}"
    meant = f"{asked.user.id} {person.id}".encode()
    seal = hmac.new(asked.house.key, meant, sha256).hexdigest()[:_SEAL]
    return f"{person.id}.{game_id}.{seal}"


async def _chosen(asked: Asked) -> Command:
    """What a button of `challenge` says: whom, and which game or which page of them."""
    command = asked.command
    number, what, *_ = [*command.argument.split("."), ""]
    person = await people.user(asked.store, number_in(number)) if number != "0" else None
    if number != "0" and person is None:
        raise Refused("button-unknown")
    if not hmac.compare_digest(_named(asked, person, what).encode(), command.argument.encode()):
        raise Refused("button-unknown")
    return replace(command, person=person, **offered(what))


async def _propose(
    asked: Asked, game: AnyGame, command: Command, *, opponent: int | None
) -> Answer:
    """Store a challenge to `opponent` (None: to anybody) with the options of the command."""
    options = _for_two(game, command.options)
    if game.seats(options) == 1:
        raise Refused("challenge-alone", game=asked.texts(f"{game.id}-name"))
    return await _proposed(asked, game, options, opponent=opponent, wish=command.side)


def _for_two(game: AnyGame, chosen: Options) -> dict[str, str]:
    """All options, so that two can play if what was `chosen` allows it."""
    options = game.options_from(chosen)
    if game.seats(options) == 1:
        for option in game.options:
            for choice in option.choices:
                if option.id not in chosen and game.seats({**options, option.id: choice}) > 1:
                    return {**options, option.id: choice}
    return options


async def _proposed(
    asked: Asked,
    game: AnyGame,
    options: dict[str, str],
    *,
    opponent: int | None,
    wish: int | None,
) -> Answer:
    house, play = asked.house, asked.house.settings.play
    direct = asked.place.kind is PlaceKind.DIRECT
    for live in await _unanswered(asked, game, challenger=asked.user.id, opponent=opponent):
        if (live.match.options, live.match.wish) == (options, wish):
            if opponent is not None and direct and not await _is_shown_elsewhere(asked, live):
                # We were stopped before it was brought to them.
                await _show_to(asked, live, opponent)
                return Answer()
            raise Refused("challenge-waiting")
    # Where there is more to do it is that which finishes the command.
    matches = asked.house.matches if opponent is not None and direct else asked.matches
    live = await matches.propose(
        game,
        options,
        place_id=asked.place.id,
        challenger=asked.user.id,
        opponent=opponent,
        wish=wish,
        expires=int(house.clock() + play.challenge_hours * 3600),
        limits=house.limits(),
    )
    if opponent is not None and direct:
        await _show_to(asked, live, opponent)
    return Answer()


async def _unanswered(
    asked: Asked, game: AnyGame, *, challenger: int, opponent: int | None
) -> list[Live]:
    """The challenges of this place from one person to another (None: to anybody)."""
    found = await rows.unanswered(
        asked.store,
        asked.place.id,
        game=game.id,
        challenger=challenger,
        opponent=opponent,
    )
    return await asked.matches.several(found)


async def _show_to(asked: Asked, live: Live, user_id: int) -> None:
    """A board in somebody's own conversation with the house, where nobody else looks."""
    platform = asked.place.platform
    known = await people.externals(asked.store, platform, [user_id])
    if user_id in known:
        title = asked.texts("direct-title")
        direct = await asked.house.directory.direct(platform, known[user_id], title)
        await asked.house.show_in(live, direct, user_id=user_id, is_told=False, store=asked.store)


async def _is_shown_elsewhere(asked: Asked, live: Live) -> bool:
    """Has the challenge a board anywhere but where it was made?"""
    shown = await boards.of_match(asked.store, live.match.id)
    return any(board.place_id != asked.place.id for board in shown)


async def new(asked: Asked) -> Answer:
    """``/game new [options]``: alone at once where that is how it goes, else a challenge to all."""
    game = games.get(asked.command.game)
    options = game.options_from(asked.command.options)
    if game.seats(options) == 1:
        if asked.command.alone is Alone.ASK and asked.place.kind is not PlaceKind.DIRECT:
            return _where(asked, game, options)
        return await _alone(asked, game, options)
    return await _proposed(asked, game, options, opponent=None, wish=asked.command.side)


def _where(asked: Asked, game: AnyGame, options: dict[str, str]) -> Answer:
    """Ask whether to play here, with everybody looking on, or in private."""
    buttons = tuple(
        Button(
            asked.texts(f"button-play-{verb}"),
            Action(verb, argument=packed(game, options)),
            Style.PRIMARY,
        )
        for verb in ("start", "apart")
    )
    return asked.ask("start-where", (buttons,))


async def apart(asked: Asked) -> Answer:
    """Play alone in the private conversation."""
    game, options = _offered(asked)
    if game.seats(options) != 1:
        raise Refused("button-unknown")
    return await _alone(asked, game, options, where=Alone.PRIVATE)


async def _untouched(
    asked: Asked, game: AnyGame, options: dict[str, str], place: Place
) -> Live | None:
    """The caller's match alone of this kind in which nothing has happened yet."""
    found = await rows.untouched(asked.store, asked.user.id, place.id, game=game.id)
    for live in (await some(asked, found)).lives:
        if live.match.options == options and len(live.match.seats) == 1:
            return live
    return None


async def _alone(
    asked: Asked, game: AnyGame, options: dict[str, str], *, where: Alone | None = None
) -> Answer:
    house, place = asked.house, asked.place
    where = where or asked.command.alone
    retreat = where is Alone.PRIVATE and place.kind is not PlaceKind.DIRECT
    if retreat:
        place = await house.directory.direct(
            place.platform, asked.command.identity, asked.texts("direct-title")
        )
    live = await _untouched(asked, game, options, place)
    if live is None:
        live = await asked.matches.begin_alone(
            game, options, place_id=place.id, user_id=asked.user.id, limits=house.limits()
        )
    else:
        # Begun a moment ago, or never touched: another one would be no different.
        await house.show_in(live, place, user_id=asked.user.id, store=asked.store)
    if retreat:
        return replace(asked.say("private-posted"), elsewhere=live.match.id)
    return Answer()


def _offered(asked: Asked) -> tuple[AnyGame, dict[str, str]]:
    """The game and options that a button of a menu names. Raises `Refused`."""
    if not asked.command.game:
        raise Refused("button-unknown")
    game = games.get(asked.command.game)
    return game, game.options_from(asked.command.options)


async def menu(asked: Asked) -> Answer:
    """``/play [game]``: what can be played here; of one game its options."""
    texts, command = asked.texts, asked.command
    if command.game:
        return start_menu(asked, *_offered(asked))
    shown = page_of(games.ids(), command.page)
    lines = [f"{texts(f'{game_id}-name')}: {texts(f'{game_id}-about')}" for game_id in shown]
    rows_ = game_buttons(
        asked,
        lambda game_id: Action("menu", argument=game_id),
        lambda page: Action("menu", argument=paged(page)),
        style=Style.PRIMARY,
    )
    return Answer(private=Screen(title=texts("menu-title"), text="\n".join(lines), rows=rows_))


def start_menu(asked: Asked, game: AnyGame, chosen: Options) -> Answer:
    """The options of a game as buttons that change them, and a button to begin.

    The chosen values travel in the buttons, an index each: ``othello.1``.
    """
    texts, options = asked.texts, game.options_from(chosen)
    rows_: list[tuple[Button, ...]] = []
    for option in game.options:
        at = option.choices.index(options[option.id])
        following = option.choices[(at + 1) % len(option.choices)]
        text = option_words(game, option.id, options[option.id], texts)
        changed = packed(game, {**options, option.id: following})
        rows_.append((Button(text, Action("menu", argument=changed)),))
    alone = game.seats(options) == 1
    begin = Button(
        texts("button-start-alone" if alone else "button-start-open"),
        Action("start", argument=packed(game, options)),
        Style.PRIMARY,
    )
    rows_.append((begin, Button(texts("button-rules"), Action("rules", argument=game.id))))
    hint = "start-alone" if alone else "start-two"
    return Answer(
        private=Screen(
            title=texts(f"{game.id}-name"),
            text=f"{texts(f'{game.id}-about')}\n{texts(hint, command=f'/{game.id}')}",
            rows=tuple(rows_),
        )
    )


async def start(asked: Asked) -> Answer:
    """The button of the start menu: alone at once, or a challenge open to all."""
    game, options = _offered(asked)
    if game.seats(options) == 1:
        return await _alone(asked, game, options)
    return await _proposed(asked, game, options, opponent=None, wish=None)


async def again(asked: Asked) -> Answer:
    """Another match like this one: alone at once; else a challenge with the sides changed.

    Where the other side has asked for it already, that is accepted.
    """
    live = asked.live
    match = live.match
    seat = match.seat_of(asked.user.id)
    if seat is None:
        raise Refused("not-in-match")
    options = dict(match.options)
    if len(match.seats) == 1:
        return await _alone(asked, live.game, options)
    other = match.seats[1 - seat]
    for offer in await _unanswered(asked, live.game, challenger=other, opponent=asked.user.id):
        if offer.match.options == options:
            await asked.matches.accept(offer.match.id, asked.user.id, limits=asked.house.limits())
            return Answer()
    return await _proposed(asked, live.game, options, opponent=other, wish=1 - seat)


# --- answering ------------------------------------------------------------------------------


async def _challenges(asked: Asked) -> Found:
    """Challenges that this person could accept here: those to them, else the open ones."""
    store, me = asked.store, asked.user.id
    found = await rows.challenges_to(store, me)
    return await some(asked, found or await rows.open_to_all(store, asked.place.id, but=me))


async def accept(asked: Asked) -> Answer:
    """Accept a challenge: the button's, or the only one there is."""
    live = asked.found
    if live is None:
        found = await _challenges(asked)
        if not found:
            raise Refused("no-challenge")
        if len(found) > 1:
            return await which(asked, found, "accept")
        live = found.only
    await asked.matches.accept(live.match.id, asked.user.id, limits=asked.house.limits())
    return Answer()


async def join(asked: Asked) -> Answer:
    """``/join <code>``, or a link: accept the challenge that was handed on, and play it here.

    A match that this person plays in already comes here as well.
    """
    matches, me = asked.matches, asked.user.id
    if asked.found is None:
        raise Refused("code-missing")
    live = asked.found
    if live.match.seat_of(me) is None:
        live = await matches.accept(live.match.id, me, limits=asked.house.limits())
    await asked.house.show_in(live, asked.place, user_id=me, store=asked.store)
    return Answer()


async def decline(asked: Asked) -> Answer:
    """Decline a challenge, or take one's own back."""
    live = asked.found
    if live is None:
        open_ = await rows.waiting(asked.store, asked.user.id, status=[Status.PROPOSED])
        found = await some(asked, open_)
        if not found:
            raise Refused("no-challenge")
        if len(found) > 1:
            return await which(asked, found, "decline")
        live = found.only
    own = live.match.challenger == asked.user.id
    status = Status.WITHDRAWN if own else Status.DECLINED
    await asked.matches.close(live.match.id, status, user_id=asked.user.id)
    return Answer()


async def withdraw(asked: Asked) -> Answer:
    """Take one's own challenge back."""
    match_id = asked.live.match.id
    await asked.matches.close(match_id, Status.WITHDRAWN, user_id=asked.user.id)
    return Answer()
