"""Moves and boards."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import games
from bot.commands import puzzling
from bot.commands.base import NO, AmbiguousCommand, Answer, Context, Kind
from bot.commands.notation import (
    TypedMove,
    bare,
    could_be_name,
    in_notation,
    is_talk,
    record_partial_move,
    with_partial_move,
)
from bot.commands.resolving import (
    Found,
    all_here,
    ask_which_match,
    first_found,
    load_all,
    matches_here,
    question,
    which_of,
)
from bot.commands.starting import start_menu
from bot.domain.actions import Action
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import PlaceKind, Status, Stranger, is_reference
from bot.matches import ConfirmationRequired, MatchState, playing, reading, seated
from bot.matches.names import plain
from bot.screens import Button, Modal, Screen, Style, match_button, notation_for
from bot.store import boards, match_queries, partial_moves, puzzles
from games import GameError, IllegalMove, InvalidMove

_SQUARE = re.compile(r"[a-z]\s?\d")
LONGEST_MOVE = 40
"""Maximum characters of a move. A longer text is chat."""
_ON_TURN = (partial(matches_here, on_turn=True), matches_here)


async def game(context: Context) -> Answer | Screen:
    """A game's own command without arguments: show the board, or the start menu."""
    if found := await matches_here(context):
        return await _show(context, found)
    return await start_menu(context)


async def play(context: Context) -> Answer:
    """Play a move in the named match, otherwise in the one that it fits."""
    command, text = context.command, context.command.move
    if context.named_match or not command.game:
        typed, version = TypedMove(context, context.loaded, text), command.version or None
        return await _play(typed, version=version, sure=command.is_confirmed)
    found = await first_found(context, *_ON_TURN)
    if not found:
        raise _no_match(context, text)
    listed: Sequence[TypedMove] = [TypedMove(context, one, text) for one in found.loaded_matches]
    if len(found) > 1 or listed[0].loaded.game.rest_can_be_move:
        listed = await with_partial_move(listed)
    typed = await _fitting(listed, more=found.more) if len(found) > 1 else listed[0]
    version = command.seen.get(typed.loaded.match.id)
    answer = await _play(typed, version=version)
    if answer.refused and typed.begun is None:
        # It may finish a partial move on a board that another process has stored.
        loaded = await reading.get(context.matches, typed.loaded.match.id)
        (typed,) = await with_partial_move([replace(typed, loaded=loaded)])
        if typed.begun:
            return await _play(typed, version=version)
    return answer


def _no_match(context: Context, text: str) -> Refused:
    game, command = context.game, context.syntax(context.game.id)
    if could_be_name(game, text, context.texts.language):
        return Refused("name-no-move", name=text[:32], command=command)
    return Refused("no-match-here", game=context.texts(f"{game.id}-name"), command=command)


async def _fitting(listed: Sequence[TypedMove], *, more: int = 0) -> TypedMove:
    """Return the only one in whose match the text is a legal move, otherwise the first one.

    Raises `AmbiguousCommand` if there are several, or `more` matches that were not loaded.
    """
    context, actions = listed[0].context, [(typed, _button(typed)) for typed in listed]
    fitting = [(typed.loaded, action) for typed, action in actions if action]
    if len(fitting) > 1 or (fitting and more):
        raise AmbiguousCommand(await which_of(context, fitting, more=more))
    if more:
        # A match that was not loaded may be meant.
        found = Found(tuple(typed.loaded for typed in listed), more)
        raise AmbiguousCommand(await ask_which_match(context, found, "board"))
    return next((typed for typed, action in actions if action), listed[0])


def _button(typed: TypedMove) -> Action | None:
    loaded, game = typed.loaded, typed.loaded.game
    to = partial(Action, match=loaded.match.id, version=loaded.match.version)
    try:
        written = typed.whole()
    except GameError:
        return to("board")
    if game.has_secrets(loaded.match.options) and _reveals_secret(typed, written):
        # Whether it is legal is a secret, too.
        return to("private")
    seat, move = typed.seat, typed.understood(written)
    if seat is None or move is None:
        return None
    try:
        loaded.position.play(seat, move)
    except GameError:
        return None
    # No button may contain a secret.
    return to("private") if game.is_secret(move) else to("play", argument=game.notation(move))


async def _play(
    typed: TypedMove, *, also: Sequence[str] = (), version: int | None, sure: bool = False
) -> Answer:
    context, loaded = typed.context, typed.loaded
    written = in_notation(loaded.game, bare(typed.text), context.texts.language)
    also = [replace(typed, text=one).alone for one in also]
    if typed.begun:
        try:
            finished = typed.whole()
        except GameError as error:
            return _refused(typed, error)
        if finished != written:
            # Finish a partial move only on the board where it was started.
            written, version = finished, typed.begun.version
    if loaded.game.has_secrets(loaded.match.options) and _reveals_secret(typed, written):
        private = Action("private", loaded.match.id, loaded.match.version)
        words = context.texts.of_game(loaded.game.id, "button", "private")
        rows = ((Button(words, private, Style.PRIMARY),),)
        return replace(context.ask("said-aloud", rows), refused=True, about=loaded.match.id)
    try:
        await playing.play(
            context.matches,
            loaded.match.id,
            context.user.id,
            written,
            also=also,
            version=version,
            sure=sure,
        )
    except ConfirmationRequired as doubt:
        button = partial(match_button, doubt.loaded.match, context.texts)
        # To cancel leaves any match unchanged.
        no = button("resign", NO, key="resign-not")
        buttons = (button("sure", doubt.move, style=Style.DANGER), no)
        caution = context.texts.note(loaded.game.id, "caution", doubt.note)
        return await question(context, doubt.loaded, caution, buttons)
    except GameError as error:
        return _refused(typed, error)
    return Answer()


def _refused(typed: TypedMove, error: GameError) -> Answer:
    why, about = _refusal(typed, error), typed.loaded.match.id
    return Answer(private=Screen(text=why), refused=True, about=about)


def _refusal(typed: TypedMove, error: GameError) -> str:
    """Explain a refused move. If it was none, add an example that reveals no secret."""
    context, loaded, seat = typed.context, typed.loaded, typed.seat
    texts, game, position = context.texts, loaded.game, loaded.position
    if error.code == "notation" and seat is not None:
        # Quote the typed text, not its notation.
        error = type(error)(error.code, text=typed.text.strip()[:LONGEST_MOVE])
        moves = position.moves(seat)
        known = [move for move in moves if not game.is_secret(move)]
        is_secret = context.command.is_public and len(known) < len(moves)
        shown = known[0] if known and not is_secret else game.example(position.view(None), seat)
        if shown is not None:
            example = texts.move(game.id, game.notation(shown, notation_for(context.reader, game)))
            fault, details = typed.fault()
            if not fault and context.command.game and context.named_match is None:
                # A player of this name would have been found.
                fault = "name" if could_be_name(game, typed.text, texts.language) else ""
            key = f"error-notation-{fault}" if fault else "error-notation-example"
            said = {**error.details, "example": example, **details}
            return texts(key, **said, platform=context.place.platform)
    why = texts.refusal(game.id, error, before=context.argument_prefix(game.id, Kind.MOVE))
    if error.code == "not-your-turn" and seat is not None and loaded.turn:
        role = game.role(position.view(None), min(loaded.turn))
        return f"{why} {texts(f'{game.id}-waits-{role}')}" if role else why
    return why


def _reveals_secret(typed: TypedMove, written: str) -> bool:
    """Return whether others have just read a secret move."""
    move = typed.understood(written) if typed.context.command.is_public else None
    return move is not None and typed.loaded.game.is_secret(move)


async def matches_for_text(context: Context, *, own_turn: bool = False) -> Sequence[TypedMove]:
    """Return the matches in which the text could be a move of the user. Raises `Refused`.

    `own_turn`: only where it is their turn, and the text is rather a move than talk.
    """
    command = context.command
    if isinstance(context.user, Stranger) or len(command.move) > LONGEST_MOVE:
        return []
    if is_talk(command.move):
        return []
    if command.match:
        found: Sequence[MatchState] = (await context.visible(command.match),)
    else:
        found = (await first_found(context, *_ON_TURN)).loaded_matches
    text, could_be = plain(command.move), _is_meant if own_turn else _could_be
    typed = await with_partial_move([TypedMove(context, loaded, text) for loaded in found])
    return [one for one in typed if could_be(one)]


def _is_meant(typed: TypedMove) -> bool:
    """Return whether a text that could be a move is one on the user's turn, legal or not."""
    loaded, seat = typed.loaded, typed.seat
    if seat is None or seat not in loaded.turn:
        return False
    try:
        move = typed.parsed()
        # Even in the wrong place, a secret move is no message for all.
        if not loaded.game.is_secret(move):
            loaded.position.play(seat, move)
    except InvalidMove:
        return False
    except GameError as error:
        # Words, numbers and squares of no board are rather talk.
        return error.code != "off-board" and bool(_SQUARE.search(typed.text.casefold()))
    return True


def _could_be(typed: TypedMove) -> bool:
    if typed.seat is None or typed.loaded.match.status is not Status.RUNNING:
        return False
    try:
        typed.parsed()
    except InvalidMove:
        # The answer says what is wrong. "10m" is no move backwards, but says when one is back.
        fault, details = typed.fault()
        return fault == "several" or "example" in details
    except GameError:
        # It is a move, but not possible now.
        pass
    return True


async def play_text(context: Context) -> Answer:
    """Play a move without a command, in the match that it fits."""
    command, named = context.command, context.named_match
    if named:
        meant = await with_partial_move([TypedMove(context, named, command.move)])
    else:
        meant = await matches_for_text(context)
    typed = await _fitting(meant) if len(meant) > 1 else meant[0]
    return await _play(typed, version=command.version or None)


async def step(context: Context) -> Answer:
    """Handle a click: the last step plays a move, others show what can follow."""
    command, loaded = context.command, context.loaded
    match = loaded.match
    if match.status is Status.RUNNING and not match.is_playable_at(command.version):
        raise StaleBoard(match.id)
    steps = command.steps
    seat = match.seat_of(context.user.id)
    if seat is not None and seat in loaded.turn:
        moves = [loaded.game.steps(move) for move in loaded.position.moves(seat)]
        steps = _resolve_steps(steps, moves)
        if steps not in moves and any(taken[: len(steps)] == steps for taken in moves):
            if command.medium.has_pad and loaded.game.pad:
                await record_partial_move(context, loaded, steps)
                return Answer(private=Screen(text=_what_follows(context, loaded, seat, steps)))
            viewer = seat if loaded.game.has_secrets(match.options) else None
            # Store it while drawing: the rest may follow at once.
            screen, _ = await asyncio.gather(
                context.app.screens.match(loaded, context.reader, seat=viewer, chosen=steps),
                record_partial_move(context, loaded, steps),
            )
            return Answer(private=replace(screen, in_place=True, secret=viewer is not None))
    typed = TypedMove(context, loaded, " ".join(steps))
    return await _play(typed, also=command.also, version=command.version)


def _what_follows(context: Context, loaded: MatchState, seat: int, steps: tuple[str, ...]) -> str:
    texts, game, position = context.texts, loaded.game, loaded.position
    note = game.prompt(position.view(seat), seat, steps)
    taken = (game.steps(move) for move in position.moves(seat))
    last = [texts.move(game.id, one[-1]) for one in taken if one[: len(steps)] == steps]
    prompt = texts.note(game.id, "prompt", note) if note else ""
    return f"{prompt} {texts('alt-choices', choices=', '.join(last))}".strip()


async def finish_move(context: Context) -> Answer:
    """Play the last step of a move whose other steps the user has clicked."""
    command, loaded = context.command, context.loaded
    seat = seated(loaded, context.user.id, version=command.version)
    if seat not in loaded.turn:
        return _refused(TypedMove(context, loaded, ""), IllegalMove("not-your-turn"))
    begun = await partial_moves.of(context.store, context.user.id)
    match = loaded.match
    if begun is None or begun.match != match.id or not match.is_playable_at(begun.version):
        raise Refused("nothing-begun")
    typed = TypedMove(context, loaded, " ".join((*begun.steps, *command.steps)))
    return await _play(typed, version=begun.version)


def check_beginning(
    loaded: MatchState, user_id: int, steps: tuple[str, ...], *, is_public: bool
) -> None:
    """Check that the steps start a move. Only the player to move may ask. Raises `Refused`."""
    if not steps:
        return
    seat = loaded.match.seat_of(user_id)
    if seat is None or seat not in loaded.turn:
        raise Refused("not-your-turn")
    moves = (loaded.game.steps(move) for move in loaded.position.moves(seat))
    is_begun = any(len(taken) > len(steps) and taken[: len(steps)] == steps for taken in moves)
    if not is_begun or (is_public and loaded.game.has_secrets(loaded.match.options)):
        raise Refused("button-unknown")


def _resolve_steps(steps: tuple[str, ...], moves: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Undo a repeated step, or start with another piece. Never completes a move."""
    *before, last = steps or ("",)
    if not before or any(taken[: len(steps)] == steps for taken in moves):
        return steps
    other = tuple(before[:-1]) if last == before[-1] else (last,)
    is_begun = any(len(taken) > len(other) and taken[: len(other)] == other for taken in moves)
    return other if is_begun else steps


async def board(context: Context) -> Answer:
    """Show a match again, at the bottom of the place."""
    if context.named_match:
        return await _show(context, Found((context.named_match,)))
    found = await first_found(context, matches_here, all_here)
    if not found and context.place.kind is PlaceKind.DIRECT:
        found = await load_all(
            context, await match_queries.challenges_to(context.store, context.user.id, or_by=True)
        )
    if not found:
        raise Refused("no-match")
    return await _show(context, found)


async def next_board(context: Context) -> Answer:
    """``/next``: show the board that waits longest, else an open puzzle. In private if not here."""
    match_id = await match_queries.longest_waiting(context.store, context.user.id)
    if match_id is None:
        puzzle = await puzzles.open_of(context.store, context.user.id, games.ids())
        return await puzzling.shown(context, puzzle) if puzzle else context.say("next-none")
    if context.command.medium.opens_boards:
        return Answer(leads_to=match_id)
    loaded = await reading.get(context.matches, match_id)
    if await boards.is_shown(context.store, match_id, context.place.id):
        return await _show(context, Found((loaded,)))
    return await private_board(replace(context, named_match=loaded))


async def _show(context: Context, found: Found) -> Answer:
    if len(found) > 1:
        return await ask_which_match(context, found, "board")
    (loaded,) = found.loaded_matches
    if loaded.match.is_puzzle:
        return await puzzling.shown(context, loaded.match.id)
    await context.show_board(loaded, counts=True)
    return Answer()


async def private_board(context: Context) -> Answer:
    """Show the user's private board in the direct chat."""
    loaded = context.loaded
    seat = loaded.match.seat_of(context.user.id)
    if seat is None:
        raise Refused("not-in-match")
    if seat not in loaded.turn:
        raise Refused("nothing-private")
    if context.place.kind is PlaceKind.DIRECT:
        return await _show(context, Found((loaded,)))
    await context.show_board(loaded, await context.direct_chat())
    match, way = loaded.match, None
    if context.command.medium.has_forms and _at_once(loaded, seat) > 1:
        # A modal is also private, and needs no list for each part of the board.
        way = Screen(rows=((match_button(match, context.texts, "form"),),))
    return Answer(private=way, board_in_dm=match.id)


def _at_once(loaded: MatchState, seat: int) -> int:
    return loaded.game.max_selectable(loaded.view(seat), seat) if seat in loaded.turn else 1


async def form(context: Context) -> Answer:
    """Ask in a modal for several moves to be made together."""
    loaded, texts = context.loaded, context.texts
    seat = seated(loaded, context.user.id, version=context.command.version)
    count = _at_once(loaded, seat)
    if count < 2:
        raise Refused("nothing-private")
    game, match, moves = loaded.game, loaded.match, loaded.position.moves(seat)
    examples = moves[:: max(1, len(moves) // count)][:count]
    example = " ".join(texts.move(game.id, game.steps(move)[0]) for move in examples)
    return Answer(
        form=Modal(
            title=texts.of_game(game.id, "button", "private"),
            label=texts("form-together", count=count),
            example=example,
            game=game.id,
            action=Action("together", match.id, match.version),
        )
    )


async def together(context: Context) -> Answer:
    """Play several moves typed in one line, and show the result to the user."""
    command, loaded = context.command, context.loaded
    seat = seated(loaded, context.user.id, version=command.version)
    first, *others = re.split(r"[\s,;]+", plain(command.move).strip(" ,;"))
    if first:
        if (most := _at_once(loaded, seat)) <= len(others):
            raise Refused("too-many-together", most=most)
        typed = TypedMove(context, loaded, first)
        answer = await _play(typed, also=others, version=command.version)
        if answer.refused or answer.private:
            return answer
        loaded = await reading.get(context.matches, loaded.match.id)
    screen = await context.app.screens.match(loaded, context.reader, seat=seat)
    return Answer(private=replace(screen, secret=True))


async def flip(context: Context) -> Screen:
    """Show the board from the other side."""
    screen = await _seen(context, context.loaded, flipped=True)
    # Spectators have no moves to choose from.
    return screen if screen.mine else replace(screen, choices=())


async def past(context: Context) -> Screen:
    """Show a match after some of its moves, for a replay."""
    loaded = context.loaded
    seat = loaded.viewer(context.user.id, context.place)
    analysis = await puzzling.seen_analysis(context, loaded)
    return await context.app.past_screens.after(
        loaded, context.reader, seat=seat, ply=context.command.ply, analysis=analysis
    )


async def alt(context: Context) -> Screen:
    """Describe the board in words."""
    screen = await _seen(context, context.loaded)
    text = f"{screen.text}\n{screen.alt}"
    return Screen(title=screen.title, text=text, due=screen.due)


async def current_board(context: Context, match_id: int) -> Answer:
    """Answer a press on an outdated board with the current one, posted again if need be."""
    app, command, place = context.app, context.command, context.place
    loaded, why = await reading.get(context.matches, match_id), context.texts("error-stale")
    known = await boards.of_match(app.store, match_id, place_id=place.id)
    here = {board.message for board in known}
    is_spent = bool(command.message) and not here & {None, command.message}
    shown = Screen(text=why, match=match_id, game=loaded.game.id)
    word = Answer(private=shown, refused=True, obsoletes_message=is_spent)
    if None in here or any(map(is_reference, here)):
        return replace(word, here=match_id)
    if command.medium.shows_in_private:
        return Answer(private=await _seen(context, loaded), refused=True, why=why)
    await _show(context, Found((loaded,)))
    return word


async def _seen(context: Context, loaded: MatchState, *, flipped: bool = False) -> Screen:
    seat = loaded.viewer(context.user.id, context.place)
    return await context.app.screens.match(loaded, context.reader, seat=seat, flipped=flipped)
