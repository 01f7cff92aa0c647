"""The command table, and the one way in: a `Command` goes in, an `Answer` comes out.

Every front sends the same words here: `typed` turns a line into a command, `pressed` a button's
token; `handle` finds the handler. Refusals become private answers in the person's language;
anything unexpected is logged with its traceback and answered with an apology.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

from structlog import get_logger

import games
from bot import links
from bot.actions import Action
from bot.commands import blocking, own, playing, starting, telling
from bot.commands.base import Alone, Answer, Argument, Asked, Command, Handler, Kind, Spec
from bot.commands.completing import MOST, Completion, complete
from bot.commands.finding import number_in
from bot.commands.limits import Pace
from bot.commands.words import command_called, words_of
from bot.errors import BotError, Refused, StaleBoard, StoreError
from bot.house import House
from bot.logs import store_failed
from bot.names import readable
from bot.screens import Screen
from games import GameError

__all__ = [
    "Alone",
    "Answer",
    "Argument",
    "Command",
    "Commands",
    "Completion",
    "Kind",
    "Spec",
    "table",
    "verbs",
]

_log = get_logger(__name__)

_LONGEST_ARGUMENT = 200
_BETWEEN_US = {"not-blocked", "takes-no-challenges", "you-have-blocked"}
"""Refusals that nobody else in the place is to read."""

_GAME, _USER, _OPTIONS = Argument(Kind.GAME), Argument(Kind.USER), Argument(Kind.OPTIONS)
_MATCH = Argument(Kind.MATCH)


async def _help(asked: Asked) -> Answer:
    """``/help [command]``: all commands in a line each, or one in full."""
    texts = asked.texts
    word = asked.command.argument.strip().removeprefix("/").casefold()
    if word and (game := games.find(word)):
        return Answer(
            private=Screen(
                title=f"/{game.id}",
                text=f"{texts(f'{game.id}-about')}\n{texts(f'{game.id}-usage')}",
            )
        )
    lines, specs = [], table()
    word = command_called(word, tuple(spec.name for spec in specs)) if word else ""
    for spec in specs:
        if not word or spec.name == word:
            about = texts(f"{spec.game}-about" if spec.game else f"help-{spec.name}")
            lines.append(f"{_usage(asked, spec)}: {about}")
    if not lines:
        raise Refused("unknown-command", word=f"/{word[:32]}")
    return Answer(
        private=Screen(title=texts("help-title"), text="\n".join([texts("help-text"), *lines]))
    )


def _usage(asked: Asked, spec: Spec) -> str:
    words = [f"/{spec.name}"]
    for argument in spec.arguments:
        name = asked.texts(f"argument-{argument.name}")
        words.append(f"<{name}>" if argument.required else f"[{name}]")
    return " ".join(words)


def _game_spec(game_id: str) -> Spec:
    return Spec(
        game_id,
        partial(playing.game_command, game=games.get(game_id)),
        (Argument(Kind.MOVE), _USER, _OPTIONS),
        game=game_id,
    )


def table() -> tuple[Spec, ...]:
    """Every command there is, in the order of the help."""
    return (
        Spec("play", starting.play, (_GAME,)),
        *(_game_spec(game_id) for game_id in games.ids()),
        Spec("challenge", starting.challenge, (_USER, _GAME, _OPTIONS)),
        Spec("accept", starting.accept, (_MATCH,)),
        Spec("join", starting.join, (Argument(Kind.CODE, required=True),)),
        Spec("decline", starting.decline, (_MATCH,)),
        Spec("board", playing.board, (_MATCH,)),
        Spec("moves", telling.moves, (_MATCH,)),
        Spec("resign", playing.resign, (_MATCH,)),
        Spec("matches", telling.matches),
        Spec("leaderboard", telling.leaderboard, (_GAME,)),
        Spec("stats", telling.stats, (_USER,)),
        Spec("rules", telling.rules, (Argument(Kind.GAME, required=True),)),
        Spec("help", _help, (Argument(Kind.COMMAND),)),
        Spec("language", telling.language, (Argument(Kind.LANGUAGE),)),
        Spec("settings", telling.settings),
        Spec("block", blocking.block, (_USER,)),
        Spec("unblock", blocking.unblock, (_USER,)),
        Spec("privacy", own.privacy),
        Spec("here", telling.here, steward=True),
    )


_BUTTONS: Mapping[str, Handler] = {
    "accept": starting.accept,
    "alt": playing.alt,
    "another": own.another,
    "apart": starting.apart,
    "again": starting.again,
    "blocked": blocking.listing,
    "board": playing.board,
    "challenge": starting.challenge_pressed,
    "decline": starting.decline,
    "erase": own.erase,
    "export": own.export,
    "flip": playing.flip,
    "here": telling.here,
    "join": starting.join,
    "language": telling.language,
    "menu": starting.pressed_menu,
    "moves": telling.moves,
    "play": playing.play_pressed,
    "privacy": own.privacy,
    "private": playing.private_board,
    "resign": playing.resign,
    "rules": telling.rules,
    "sessions": own.sessions,
    "settings": telling.settings,
    "start": starting.start,
    "step": playing.step,
    "sure": playing.sure,
    "unblock": blocking.unblock,
    "withdraw": starting.withdraw,
}
"""What a pressed button does, by the verb of its `Action`."""


def verbs() -> tuple[str, ...]:
    """What the `Action` of a button can ask for, in order."""
    return tuple(sorted(_BUTTONS))


class Commands:
    """Everything that people can ask of the house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._typed = {spec.name: spec for spec in table()}
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._pace = Pace(house.settings.play.commands_per_second, house.clock)
        house.names.reserve(word for name in self._typed for word in words_of(name))

    async def typed(self, command: Command, line: str) -> Answer:
        """A line that begins with a slash; `command` says who, where and in what language."""
        name, _, argument = readable(line).removeprefix("/").partition(" ")
        verb = command_called(name, tuple(self._typed))
        spec = self._typed.get(verb)
        names_match = spec is not None and _MATCH in spec.arguments
        match = number_in(argument) if names_match else 0
        asked = self._asked(replace(command, verb=verb, argument=argument, match=match))
        unknown = Refused("unknown-command", word=f"/{name[:32]}")
        return await self._answer(asked, spec.handler if spec else None, unknown)

    async def followed(self, command: Command, word: str) -> Answer:
        """A link was followed; `word` is what it said (`bot.links`)."""
        unknown = Refused("link-unknown")
        try:
            verb, proof = links.read(word)
        except Refused:
            return await self._answer(self._asked(command), None, unknown)
        meant = replace(command, verb=verb)
        if proof:
            is_game = games.find(proof) is not None
            meant = replace(meant, argument=proof) if is_game else replace(meant, code=proof)
        return await self._answer(self._asked(meant), _BUTTONS[verb], unknown)

    async def link(self, command: Command, action: Action) -> str | None:
        """The word of a link by which this person does `action` in private; None where it cannot.

        Raises `StoreError`.
        """
        if action.verb not in links.LINKED:
            return None
        if not action.match:
            return links.word_of(action.verb, action.argument)
        try:
            live = await self._house.matches.get(action.match)
        except Refused:
            return None
        # An onlooker sees a match where it is shown, and not in a conversation of their own.
        if command.user.id not in live.match.people:
            return None
        return links.word_of(action.verb, live.match.code)

    async def pressed(self, command: Command, token: str) -> Answer:
        """A button or a cell of a picture."""
        unknown = Refused("button-unknown")
        try:
            action = Action.read(token)
        except Refused:
            return await self._answer(self._asked(command), None, unknown)
        meant = replace(
            command,
            verb=action.verb,
            argument=action.argument,
            match=action.match,
            version=action.version,
        )
        return await self._answer(self._asked(meant), _BUTTONS.get(action.verb), unknown)

    async def complete(
        self, command: Command, line: str, *, most: int = MOST
    ) -> tuple[Completion, ...]:
        """What could follow `line`."""
        if not line.startswith("/") or len(line) > _LONGEST_ARGUMENT:
            return ()
        try:
            return await complete(self._asked(command), table(), line, most=most)
        except StoreError as error:
            store_failed(_log, "not completed", error)
        except Exception:  # noqa: BLE001 - logged whole; who is typing needs no apology
            _log.exception("completion failed", user=command.user.id)
        return ()

    def _asked(self, command: Command) -> Asked:
        reader = self._house.reader(
            command.user, command.place, locale=command.locale, theme=command.theme
        )
        return Asked(self._house, command, reader)

    async def _answer(self, asked: Asked, handler: Handler | None, unknown: Refused) -> Answer:
        verb = asked.command.verb
        self._house.spoken_in(asked.place)
        try:
            return await self._named(await self._handled(asked, handler, unknown))
        except StoreError as error:
            store_failed(_log, "not stored", error, verb=verb)
            return asked.refuse(f"error-{error.code}")
        except Exception:  # noqa: BLE001 - logged whole, and nobody is left without an answer
            _log.exception("command failed", verb=verb, user=asked.user.id)
            return asked.refuse("error-ours")

    async def _handled(self, asked: Asked, handler: Handler | None, unknown: Refused) -> Answer:
        """The handler's answer, or why not."""
        try:
            self._pace.take(asked.user.id)
            if handler is None:
                raise unknown
            if len(asked.command.argument) > _LONGEST_ARGUMENT:
                raise Refused("too-long", most=_LONGEST_ARGUMENT)
            async with self._turn(asked.user.id):
                asked = await self._found(asked)
                return await handler(asked)
        except StaleBoard as stale:
            return replace(await playing.live_board(asked, stale.match_id), refused=True)
        except BotError as error:
            refusal = asked.refuse(f"error-{error.code}", **error.details)
            if error.code in _BETWEEN_US and refusal.private:
                refusal = replace(refusal, private=replace(refusal.private, secret=True))
            return refusal
        except GameError as error:
            game = asked.found.match.game if asked.found else asked.command.verb
            text = asked.texts.refusal(game, error)
            about = asked.found.match.id if asked.found else 0
            return Answer(private=Screen(text=text), refused=True, about=about)

    async def _found(self, asked: Asked) -> Asked:
        """`asked` with the match that it names, for somebody who may see it. Raises `Refused`."""
        command, matches = asked.command, self._house.matches
        match_id = command.match
        if command.code:
            live = await matches.with_code(command.code)
            match_id = live.match.id
        if not match_id:
            return asked
        # Only to join does a code suffice: other links stand where everybody can read them.
        if not command.code or command.verb != "join":
            live = await matches.seen(
                match_id,
                user_id=command.user.id,
                place_id=command.place.id,
                at_least=command.version,
            )
        if command.game not in ("", live.match.game):
            raise Refused("button-unknown")
        return replace(asked, found=live, command=replace(command, match=live.match.id))

    async def _named(self, answer: Answer) -> Answer:
        """The answer with names in the places of their marks, except where it is kept."""
        if answer.public is None:
            return answer
        text = await self._house.names.filled(answer.public.text)
        return replace(answer, public=replace(answer.public, text=text), kept=answer.public)

    def _turn(self, user_id: int) -> asyncio.Lock:
        """One person's commands run one after the other: a double click finds its first half."""
        turn = self._turns.get(user_id)
        if turn is None:
            turn = self._turns[user_id] = asyncio.Lock()
        return turn
