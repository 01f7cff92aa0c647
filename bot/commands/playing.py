"""Moves, boards and resigning: the handlers around a running match."""

from collections.abc import Sequence
from dataclasses import replace

import games
from bot.actions import Action
from bot.commands.base import Answer, Asked
from bot.commands.finding import (
    Found,
    matches_here,
    some,
    which,
    which_of,
)
from bot.commands.starting import start_menu
from bot.commands.words import in_notation
from bot.errors import Refused, StaleBoard
from bot.matches import Doubt, Live, seated
from bot.model import PlaceKind, Status
from bot.screens import Button, Screen, Style, with_text
from bot.store import matches as rows
from games import AnyGame, GameError

__all__ = [
    "alt",
    "board",
    "flip",
    "game",
    "live_board",
    "play",
    "private_board",
    "resign",
    "step",
]


async def game(asked: Asked) -> Answer:
    """A game's own command, with nothing behind it: the board, or a way to begin."""
    game = games.get(asked.command.game)
    found = await matches_here(asked, game=game)
    return await _show(asked, found) if found else start_menu(asked, game, asked.command.options)


async def play(asked: Asked) -> Answer:
    """A move in the match that is named; else in the one that it can be meant for."""
    command = asked.command
    if asked.found or not command.game:
        return await _play(asked, asked.live, command.move, seen=command.version, sure=command.sure)
    return await _typed_move(asked, games.get(command.game), command.move)


async def _typed_move(asked: Asked, game: AnyGame, text: str) -> Answer:
    found = await matches_here(asked, game=game, on_turn=True)
    found = found or await matches_here(asked, game=game)
    if not found:
        raise Refused("no-match-here", game=asked.texts(f"{game.id}-name"), command=f"/{game.id}")
    live = found.lives[0]
    if len(found) > 1:
        meant = [(live, action) for live in found.lives if (action := _played(asked, live, text))]
        if len(meant) > 1 or (meant and found.more):
            return await which_of(asked, meant, more=found.more)
        if found.more:
            # It may be a move of one that was not looked at: better to ask than to guess.
            return await which(asked, found, "board")
        live = meant[0][0] if meant else found.lives[0]
    return await _play(asked, live, text, seen=asked.command.seen.get(live.match.id))


def _played(asked: Asked, live: Live, text: str) -> Action | None:
    """The button for `text` as a legal move of this match, or None."""
    seat, position, game = live.match.seat_of(asked.user.id), live.on, live.game
    if seat is None:
        return None
    try:
        written = in_notation(game, text, asked.texts.language)
        move = game.parse(position.view(seat), seat, written)
        position.play(seat, move)
    except GameError:
        return None
    if game.told(position, seat, move, None) is None:
        # A secret stands in no button; it can be typed or clicked at the private board.
        return Action("private", live.match.id, live.match.version)
    return Action("play", live.match.id, live.match.version, game.notation(move))


async def _play(
    asked: Asked, live: Live, text: str, *, seen: int | None, sure: bool = False
) -> Answer:
    written = in_notation(live.game, text, asked.texts.language)
    try:
        await asked.matches.play(live.match.id, asked.user.id, written, seen=seen, sure=sure)
    except Doubt as doubt:
        return Answer(
            private=Screen(
                text=asked.texts.note(live.game.id, "caution", doubt.note),
                rows=(
                    (
                        Button(
                            asked.texts("button-sure"),
                            Action("sure", live.match.id, doubt.live.match.version, doubt.move),
                            Style.DANGER,
                        ),
                    ),
                ),
            )
        )
    except GameError as error:
        text = asked.texts.refusal(live.game.id, error)
        return Answer(private=Screen(text=text), refused=True, about=live.match.id)
    return Answer()


async def step(asked: Asked) -> Answer:
    """A click: the last step of a move plays it, an earlier one shows what can follow.

    No step at all, or the last one again, takes a step back; another piece is chosen instead.
    """
    command, live = asked.command, asked.live
    match = live.match
    if match.status is Status.RUNNING and command.version != match.version:
        raise StaleBoard(match.id)
    steps = command.steps
    seat = match.seat_of(asked.user.id)
    if seat is not None and seat in live.turn:
        moves = [live.game.steps(move) for move in live.on.moves(seat)]
        steps = _meant(steps, moves)
        if steps not in moves and any(taken[: len(steps)] == steps for taken in moves):
            viewer = seat if live.game.hidden(match.options) else None
            screen = await asked.house.screens.match(live, asked.reader, seat=viewer, chosen=steps)
            return Answer(private=replace(screen, in_place=True, secret=viewer is not None))
    return await _play(asked, live, " ".join(steps), seen=command.version)


def _meant(steps: tuple[str, ...], moves: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """`steps` as they were meant: the chosen piece again gives it back, another one is taken.

    Only ever a half-made move: nothing is played that was not clicked as a whole.
    """
    *before, last = steps or ("",)
    if not before or any(taken[: len(steps)] == steps for taken in moves):
        return steps
    other = tuple(before[:-1]) if last == before[-1] else (last,)
    is_begun = any(len(taken) > len(other) and taken[: len(other)] == other for taken in moves)
    return other if is_begun else steps


async def resign(asked: Asked) -> Answer:
    """Give a match up; asks once more."""
    command, live = asked.command, asked.found
    if live and command.sure:
        await asked.matches.resign(live.match.id, asked.user.id, seen=command.version)
        return Answer()
    if live is None:
        found = await matches_here(asked)
        if not found:
            raise Refused("no-match")
        if len(found) > 1:
            return await which(asked, found, "resign")
        live = found.only
    match = live.match
    seated(live, asked.user.id)
    alone = len(match.seats) == 1
    return asked.ask(
        "resign-alone-sure" if alone else "resign-sure",
        (
            (
                Button(
                    asked.texts("button-resign-sure"),
                    Action("resign", match.id, match.version, "yes"),
                    Style.DANGER,
                ),
            ),
        ),
    )


async def board(asked: Asked) -> Answer:
    """Show a match here, at the bottom."""
    if asked.found:
        return await _show(asked, Found((asked.found,)))
    found = await matches_here(asked)
    if not found:
        here = await rows.in_place(asked.store, asked.place.id, status=[Status.RUNNING])
        found = await some(asked, here)
    if not found:
        raise Refused("no-match")
    return await _show(asked, found)


async def _show(asked: Asked, found: Found) -> Answer:
    if len(found) > 1:
        return await which(asked, found, "board")
    live = found.only
    await asked.house.show_in(live, asked.place, user_id=asked.user.id, store=asked.store)
    return Answer()


async def private_board(asked: Asked) -> Answer:
    """What only this player may see and do, in private."""
    live = asked.live
    seat = live.match.seat_of(asked.user.id)
    if seat is None:
        raise Refused("not-in-match")
    if seat not in live.turn:
        raise Refused("nothing-private")
    if asked.place.kind is PlaceKind.DIRECT:
        return await _show(asked, Found((live,)))
    direct = await asked.house.directory.direct(
        asked.place.platform, asked.command.identity, asked.texts("direct-title")
    )
    await asked.house.show_in(live, direct, user_id=asked.user.id, store=asked.store)
    return replace(asked.say("private-posted"), elsewhere=live.match.id)


async def flip(asked: Asked) -> Answer:
    """The board from the other side, for whoever asks."""
    return Answer(private=await _seen(asked, asked.live, turned=True))


async def alt(asked: Asked) -> Answer:
    """The board in words."""
    screen = await _seen(asked, asked.live)
    return Answer(private=Screen(title=screen.title, text=f"{screen.text}\n{screen.alt}"))


async def live_board(asked: Asked, match_id: int) -> Answer:
    """The board as it is now, for somebody whose button was of an older one."""
    live = await asked.matches.get(match_id)
    return Answer(private=with_text(await _seen(asked, live), asked.texts("error-stale")))


async def _seen(asked: Asked, live: Live, *, turned: bool = False) -> Screen:
    """A match as the person who asks may see it where they are."""
    seat = live.viewer(asked.user.id, asked.place)
    return await asked.house.screens.match(live, asked.reader, seat=seat, turned=turned)
