"""The entry point: run a `Command` and return an `Answer`.

Lines, buttons, links and moves without a command all become a `Command` for the same handlers.
Refusals become private answers. Unexpected errors are logged and answered with an apology.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from cachetools import TTLCache
from structlog import get_logger

from bot.app import App
from bot.commands import (
    away,
    computers,
    history,
    info,
    leaderboards,
    lines,
    managing,
    offering,
    own,
    playing,
    puzzling,
    recording,
    starting,
    strangers,
    tokens,
)
from bot.commands.base import (
    AmbiguousCommand,
    Answer,
    Command,
    Context,
    Handler,
    Kind,
    find_spec,
    table,
)
from bot.commands.completing import MOST, Completion, complete
from bot.commands.vocabulary import find_game, words_of
from bot.domain import links
from bot.domain.actions import Action
from bot.domain.errors import BotError, Duplicate, Refused, StaleBoard
from bot.domain.links import code_in
from bot.domain.model import OfferKind, Place, PlaceKind, Stranger, User
from bot.matches import reading
from bot.matches.names import plain
from bot.matches.policies import NotPlayedError
from bot.screens import Screen
from bot.screens.pictures import Png
from bot.store import Attempt, Store, boards, places
from bot.support.errors import StoreBusyError, StoreError
from bot.support.logs import store_failed
from bot.support.metrics import Outcome
from bot.support.rates import Rates
from bot.support.tasks import DutyCycle, Turns
from bot.support.texts import Texts
from games import GameError

_log = get_logger(__name__)

_BETWEEN_US = {"not-blocked", "takes-no-challenges", "you-have-blocked"}
"""Refusals that others in the place must not see."""

_TURNED_AWAY = "turned-away"
"""Setting of a place that has been told in public that the operator blocks it."""

_MOST_DRAWN, _DRAWN_SECONDS = 64, 20.0
"""Number of cached pictures, each some 30 kB, and seconds."""

_COSTLY, _SHARE = {"analyse", "puzzle"}, 1 / 16
"""Commands that read and draw much, and their share of the time: others play on."""

_WAITS = (0.05, 0.4, 1.5)
"""Seconds before each retry, for other writers or a restart of the database server."""

_Read = Callable[[Context], Awaitable[Command]]


def _rated(command: Command) -> int:
    """Return the key of the user's rate limit. Unregistered users have no id."""
    return command.client.user.id or hash(command.client.identity)


async def _refused(context: Context, error: BotError) -> Answer:
    if isinstance(error, Duplicate):
        try:
            # Its message may have been deleted.
            return await context.show_again(error.match_id)
        except Refused as why:
            return await _refused(context, why)
    if isinstance(error, StaleBoard):
        try:
            return await playing.current_board(context, error.match_id)
        except Refused as why:
            # No board may be shown here.
            refusal = await _refused(context, why)
            return replace(refusal, obsoletes_message=bool(context.command.message))
    texts, details = context.texts, {**error.details, "platform": context.place.platform}
    if isinstance(error, NotPlayedError):
        if error.place_id != context.place.id:
            return context.refuse("error-not-played-there")
        details["game"] = texts(f"{error.game}-name") if error.game else ""
        details["games"] = ", ".join(texts(f"{game_id}-name") for game_id in error.possible)
    # A code alone reveals no match.
    about = context.named_match.match.id if context.named_match and not context.command.code else 0
    refusal = replace(context.refuse(f"error-{error.code}", **details), about=about)
    return refusal.as_secret() if error.code in _BETWEEN_US else refusal


_HANDLERS: Mapping[str, Handler] = {
    **dict.fromkeys(map(str, OfferKind), offering.offer),
    **dict.fromkeys(offering.STATES, offering.answer),
    "again": starting.again,
    "against": computers.versus,
    "alt": playing.alt,
    "analyse": history.analyse,
    "another": own.another,
    "apart": starting.start,
    "block": own.block,
    "blocked": own.blocked,
    "board": playing.board,
    "challenge": starting.challenge,
    "computer": computers.begin,
    "claim": offering.claim,
    "close": managing.close,
    "erase": own.erase,
    "export": own.export,
    "flip": playing.flip,
    "form": playing.form,
    "game": playing.game,
    "help": info.show_help,
    "hint": computers.hint,
    "here": managing.here,
    "holiday": away.holiday,
    "import": recording.import_record,
    "join": offering.join,
    "language": info.language,
    "ladder": leaderboards.leaderboard,
    "leaderboard": leaderboards.leaderboard,
    "matches": info.matches,
    "menu": starting.menu,
    "moves": info.moves,
    "new": starting.start,
    "next": playing.next_board,
    "nudge": offering.nudge,
    "past": playing.past,
    "options": starting.start_menu,
    "play": playing.play,
    "played": history.played,
    "privacy": own.privacy,
    "private": playing.private_board,
    "puzzle": puzzling.puzzle,
    "quiet": away.quiet,
    "record": recording.record,
    "records": recording.records_of_user,
    "resign": offering.resign,
    "replay": history.replay,
    "rest": playing.finish_move,
    "rules": info.rules,
    "say": playing.play_text,
    "sessions": own.sessions,
    "settings": info.settings,
    "share": history.share,
    "shared": computers.shared_position,
    "start": starting.start,
    "stats": leaderboards.stats,
    "step": playing.step,
    "together": playing.together,
    "try": computers.try_moves,
    "unblock": own.unblock,
    "versus": computers.versus,
}


class Commands:
    """All commands of users."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._turns = Turns()
        """Runs a user's commands one at a time: a double click sees the first press done."""
        self._rates = Rates.per_second(app.settings.play.commands_per_second)
        self._looking = Turns()
        self._costly = DutyCycle(_SHARE)
        self._drawn: TTLCache[Hashable, Png | None] = TTLCache(_MOST_DRAWN, _DRAWN_SECONDS)
        """Pictures just drawn. A user may have one on the screen many times."""
        app.names.reserve(word for spec in table() for word in words_of(spec.name))

    async def run(self, command: Command) -> Answer:
        """Run a command that the front knows, without a line."""

        async def read(context: Context) -> Command:
            return context.command

        return await self._answer(command, read)

    async def run_line(self, command: Command, line: str, *, whom: str = "") -> Answer:
        """Run a line that starts with a slash. `whom`: an opponent in a field beside it."""
        name, _, words = plain(line).removeprefix("/").partition(" ")
        spec = find_spec(name)
        if spec:
            command = replace(command, verb=spec.verb, game=spec.game or "")
        if spec and Kind.RECORD in spec.kinds:
            # Its line breaks matter.
            if plain(record := "".join(line.strip().split(maxsplit=1)[1:])):
                command = replace(command, record=record)
            return await self.run(command)
        read = partial(lines.read, spec=spec, line=words, name=name, whom=plain(whom))
        return await self._answer(command, read)

    def knows(self, line: str) -> bool:
        return find_spec(plain(line).removeprefix("/").partition(" ")[0]) is not None

    async def keep_record(self, user: User, data: bytes | str, texts: Texts) -> None:
        """Keep a record for the next ``/import``. Raises `Refused`."""
        if not await self._rates.try_acquire(user.id):
            raise Refused("too-fast")
        async with self._turns.of(user.id):
            await recording.remember(self._app, user.id, data, texts)

    async def run_text(self, command: Command, *, own_turn: bool = False) -> Answer | None:
        """Play a move without a command. None if the text is none (see `matches_for_text`)."""
        if not await self.could_be_move(command, own_turn=own_turn):
            return None
        return await self.run(replace(command, verb="say", move=plain(command.move)))

    async def could_be_move(self, command: Command, *, own_turn: bool = False) -> bool:
        """Return whether the text could be a move in a match of the user, legal or not."""
        try:
            if await self._app.policies.is_blocked(command.place):
                return False
            context = self._context(command)
            return bool(await playing.matches_for_text(context, own_turn=own_turn))
        except Refused:
            return False
        except StoreError as error:
            store_failed(_log, "text not checked for a move", error)
            return False

    async def followed(self, command: Command, word: str) -> Answer:
        """Follow a link with this word (`bot.domain.links`)."""

        async def read(context: Context) -> Command:
            verb, proof = links.read(word)
            meant = replace(context.command, verb=verb)
            return replace(meant, game=proof) if find_game(proof) else replace(meant, code=proof)

        return await self._answer(command, read)

    async def link(self, command: Command, what: Action | str) -> str | None:
        """Return the word of a private link for a button, if it has one. Raises `StoreError`."""
        action = Action.read(what) if isinstance(what, str) else what
        if action.verb not in links.LINKED:
            return None
        if not action.match:
            return links.word_of(action.verb, action.argument)
        try:
            loaded = await reading.get(self._app.matches, action.match)
        except Refused:
            return None
        # Spectators see a match only where it is shown.
        if command.client.user.id not in loaded.match.people:
            return None
        return links.word_of(action.verb, loaded.match.code)

    async def opens_private(self, command: Command, token: str) -> bool:
        """Return whether a private board is due in a chat not open yet. Raises `StoreError`."""
        try:
            action = Action.read(token)
            if action.verb != "private":
                return False
            loaded = await reading.get(self._app.matches, action.match)
            on_turn = loaded.match.seat_of(command.client.user.id) in loaded.turn
        except Refused:
            return False
        reach = self._app.directory.can_reach
        return on_turn and not await reach(command.place.platform, command.client.identity)

    async def partial_screen(
        self, command: Command, message: str, *, counts: bool = False
    ) -> Screen:
        """Return a board with a partial move, or a page of it. Raises `BotError`.

        `counts`: whether the limit of commands applies, as to a press.
        """
        if counts and not await self._rates.try_acquire(_rated(command)):
            raise Refused("too-fast")
        app, steps = self._app, command.steps
        if await app.policies.is_blocked(command.place):
            raise Refused("shut-out")
        context = self._context(command)
        loaded = await context.visible(command.match, at_least=command.version)
        if not loaded.match.is_playable_at(command.version):
            raise StaleBoard(command.match)
        here = await boards.of_match(app.store, command.match, place_id=command.place.id)
        for board in here:
            if board.message == message:
                is_public = board.seat is None
                playing.check_beginning(loaded, command.client.user.id, steps, is_public=is_public)
                reader = await app.readers.of(command.place, theme=command.client.theme)
                return await app.screens.match(loaded, reader, seat=board.seat, chosen=steps)
        raise Refused("stale")

    async def refused(self, command: Command, error: BotError) -> Answer:
        """Return the answer to an error that `partial_screen` or a front raised."""
        return await _refused(self._context(command), error)

    def texts(self, command: Command) -> Texts:
        """Return the texts in the user's language."""
        return self._context(command).texts

    async def run_button(self, command: Command, what: Action | str, *also: Action | str) -> Answer:
        """Run a button or cell, given as action or token, with those chosen together with it."""

        async def read(context: Context) -> Command:
            actions = [Action.read(one) if isinstance(one, str) else one for one in (what, *also)]
            # Keep the game only with a match, which it is compared with.
            has_match = bool(actions[0].match)
            claimed = context.command if has_match else replace(context.command, game="")
            return tokens.combine_actions(claimed, actions)

        return await self._answer(command, read)

    async def drawn(self, command: Command, token: str) -> Png | None:
        """Return the picture of a leaderboard for one viewer, without counting a command."""
        who, names = _rated(command), self._app.names.forgotten
        client = command.client
        look = (client.theme, client.size, client.locale, client.user.language)
        key = (who, names, command.place.id, token, look)
        async with self._looking.of(who):
            if key not in self._drawn:
                try:
                    action = Action.read(token)
                    is_closed = await self._app.policies.is_blocked(command.place)
                    if action.verb != "ladder" or is_closed:
                        return None
                    context = self._context(tokens.combine_actions(command, [action]))
                    screen = (await leaderboards.leaderboard(context)).private
                except BotError:
                    return None
                self._drawn[key] = screen.picture if screen else None
            return self._drawn[key]

    async def complete(
        self, command: Command, line: str, field: Kind | None = None, *, most: int = MOST
    ) -> tuple[Completion, ...]:
        """Complete a line, or its only argument, which is a field."""
        context, line = self._context(command), plain(line) + " " * line.endswith(" ")
        try:
            is_closed = await self._app.policies.is_blocked(context.place)
            if is_closed or not line.startswith("/") or len(line) > lines.LONGEST:
                return ()
            return await complete(context, line, field, most)
        except StoreError as error:
            store_failed(_log, "completions not read", error)
        except Exception:  # noqa: BLE001 - logged, and completion needs no apology
            _log.exception("completion failed", user=context.user.id)
        return ()

    def _context(self, command: Command, unit: Store | None = None) -> Context:
        reader = self._app.readers.person(command.client, command.place)
        store = unit or command.unit or self._app.store
        return Context(self._app, command, reader, self._app.matches.within(store), store)

    async def _answer(self, command: Command, read: _Read) -> Answer:
        attempt = Attempt()
        unit = (command.unit or self._app.store).together_with(attempt)
        context, verb = self._context(command, unit), command.verb
        if courier := self._app.couriers.get(command.place.platform):
            courier.on_activity(command.place)
        with self._app.metrics.command(command.place.platform) as counted:
            try:
                answer = await self._in_turn(context, read, attempt)
                if (public := answer.public) is not None:
                    text = await self._app.names.filled(public.text, context.public_reader.texts)
                    answer = replace(answer, public=replace(public, text=text), kept=public)
            except StoreError as error:
                store_failed(_log, "command not stored", error, verb=verb)
                counted.outcome = Outcome.FAILED
                return context.refuse(f"error-{error.code}")
            except Exception:  # noqa: BLE001 - logged, and every command gets an answer
                _log.exception("command failed", verb=verb, user=context.user.id)
                counted.outcome = Outcome.FAILED
                return context.refuse("error-ours")
            if answer.refused:
                counted.outcome = Outcome.REFUSED
        await self._app.directory.note_active(context.user, context.place)
        return answer

    async def _in_turn(self, context: Context, read: _Read, attempt: Attempt) -> Answer:
        """Run the user's commands in turn. Retry if the store was busy and stored nothing."""
        who = _rated(context.command)
        if not await self._rates.try_acquire(who):
            return context.refuse("error-too-fast")
        async with self._turns.of(who):
            for wait in _WAITS:
                try:
                    return await self._execute(context, read)
                except StoreBusyError as error:
                    if attempt.may_be_stored:
                        raise
                    store_failed(_log, "command retried", error)
                await asyncio.sleep(wait)
            return await self._execute(context, read)

    async def _execute(self, context: Context, read: _Read) -> Answer:
        try:
            if await self._app.policies.is_blocked(context.place):
                return await self._refuse_blocked(context)
            if context.place.is_unreachable or context.place.settings.get(_TURNED_AWAY):
                await self._note_open(context.place)
            context = replace(context, command=await read(context))
            strangers.check(context)
            self._app.metrics.set_game(context.command.game)
            is_costly = context.command.verb in _COSTLY
            async with self._costly.turn() if is_costly else nullcontext():
                context = await self._found(context)
                handler = _HANDLERS[context.command.verb]
                if isinstance(context.user, Stranger):
                    handled = await strangers.run_unregistered(context, context.user, handler)
                else:
                    handled = await handler(await strangers.register_person(context))
            answer = Answer(private=handled) if isinstance(handled, Screen) else handled
            is_puzzle = context.named_match is not None and context.named_match.match.is_puzzle
            return answer.as_secret() if is_puzzle else answer
        except AmbiguousCommand as unclear:
            return unclear.answer
        except BotError as error:
            return await _refused(context, error)
        except GameError as error:
            match = context.named_match.match if context.named_match else None
            game = match.game if match else context.command.game
            before = context.argument_prefix(game, Kind.MOVE)
            text = context.texts.refusal(game, error, before=before)
            return Answer(private=Screen(text=text), refused=True, about=match.id if match else 0)

    async def _refuse_blocked(self, context: Context) -> Answer:
        """Refuse in a blocked place, but only once where all can read it."""
        place = context.place
        if context.command.is_public and not await places.note_once(
            self._app.store, place.id, _TURNED_AWAY
        ):
            return Answer(refused=True, is_silent=True)
        return context.refuse("error-shut-out")

    async def _note_open(self, place: Place) -> None:
        if place.settings.get(_TURNED_AWAY):
            # The place is no longer blocked. Another block must be announced.
            await places.change_place(self._app.store, place.id, settings={_TURNED_AWAY: ""})
        if place.is_unreachable and place.kind is PlaceKind.CHANNEL:
            # The bot may be allowed to write here again. Direct chats are checked by the platform.
            await self._app.directory.opened(place)

    async def greeting(self, place: Place, key: str) -> str:
        """Return the greeting of a new place, or that it is blocked. Raises `StoreError`."""
        texts = self._app.readers.for_place(place).texts
        if not await self._app.policies.is_blocked(place):
            return texts(key)
        await places.note_once(self._app.store, place.id, _TURNED_AWAY)
        return texts("error-shut-out")

    async def _found(self, context: Context) -> Context:
        """Add the match that the command names. Raises `Refused` if the user may not see it."""
        command, matches = context.command, self._app.matches
        user_id, place_id = command.client.user.id, command.place.id
        if command.code:
            # A code suffices only for joining: other links are in public.
            code, joins = code_in(command.code), command.verb == "join"
            loaded = await reading.with_code(
                matches, code, user_id=user_id, place_ids=[place_id], joins=joins
            )
        elif command.match:
            loaded = await context.visible(command.match, at_least=command.version)
        else:
            return context
        if command.game not in ("", loaded.match.game):
            raise Refused("button-unknown")
        self._app.metrics.set_game(loaded.match.game)
        return replace(context, named_match=loaded, command=replace(command, match=loaded.match.id))
