"""Users on Telegram who play one match after another in their private chats with the bot."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.bot.fronts.telegram.playing import rests, tokens
from tests.bot.fronts.telegram.server import Chat, Message, Person, Query
from tools.attack.history import History, StuckError, chosen, in_turn, parse_token, within
from tools.attack.page import Gone
from tools.attack.posts import Api, shows
from tools.attack.records import Move, Records

__all__ = ["Api", "TelegramGame", "shows"]


@dataclass
class TelegramGame:
    """One user or two."""

    history: History
    api: Api
    line: str
    people: tuple[Person, ...]
    luck: Random
    match: int = 0
    last: Person | None = None
    """The last user who moved."""
    gone: bool = False
    """Whether the bot was killed."""
    pressed: list[tuple[Query, Move]] = field(default_factory=list)
    unanswered: tuple[Person, Message, str] | None = None
    """A press that a kill interrupted."""

    async def play(self) -> None:
        """Play on and on. Raises `Gone` when the bot is gone."""
        while True:
            await self.move()

    def board(self, person: Person) -> Message | None:
        """Return the newest message about the newest match: a board, or a question about it."""
        found = [
            message
            for message in person.private.messages.values()
            if shows(message)[0] and message["from"]["id"] != person.id
        ]
        return max(found, key=lambda one: (shows(one), one["message_id"]), default=None)

    async def sees(self, person: Person, version: int, *, seconds: float | None = None) -> Message:
        """Return the board when it shows at least this version. Raises TimeoutError."""

        def shown() -> Message | None:
            board = self.board(person)
            return board if board and shows(board) >= (self.match, version) else None

        found: Message = await self._until(shown, seconds)
        return found

    async def _until(self, holds: Any, seconds: float | None = None) -> Any:
        seconds = seconds or self.history.patience
        try:
            found = await self.api.until(lambda: self.gone or holds(), seconds=seconds)
        except AssertionError as error:
            raise TimeoutError(str(error)[:500]) from None
        if self.gone:
            raise Gone("the bot is gone")
        return found

    async def move(self) -> None:
        """Challenge, accept or move, whatever is next."""
        board = self.board(self.people[0])
        if board is None or tokens(board, "again"):
            await self._start(shows(board)[0] if board else 0)
            return
        self.match = shows(board)[0]
        version = self.history.newest.get(self.match, 1)
        boards = [await self.sees(person, version) for person in self.people]
        if any(tokens(board, "again") for board in boards):
            return
        if accept := tokens(boards[-1], "accept"):
            last = self.people[-1]
            query = last.sends(last.private, boards[-1], accept[0])
            await self._until(query.answered.is_set)
            if not query.alert:
                self.history.newest[self.match] = max(2, self.history.newest.get(self.match, 0))
            await self.sees(last, 2)
            return
        await self._choose()

    async def _start(self, before: int) -> None:
        first = self.people[0]
        first.says(first.private, self.line)

        def started() -> int:
            board = self.board(first)
            return shows(board)[0] if board and shows(board)[0] > before else 0

        self.match, self.last = await self._until(started), None

    async def _choose(self) -> None:
        for person in in_turn(self.people, self.last):
            board = self.board(person)
            assert board is not None
            if tokens(board, "again"):
                # A press from before a kill has ended the match.
                return
            steps = tokens(board, f"step:{self.match}:", loud=True)
            steps = steps or tokens(board, f"sure:{self.match}:")
            if not steps:
                raise StuckError(f"there is nothing to choose in match {self.match} on Telegram")
            if await self._press(person, board, chosen(steps, self.luck)):
                return

    async def _press(self, person: Person, board: Message, token: str) -> bool:
        """Press until the move is whole, and return whether this user may move."""
        chat, before = person.private, ""
        while True:
            move = parse_token(token)
            if before:
                move = (*move[:2], f"{before}.{move[2]}")
            self.history.attempt(move)
            query = person.sends(chat, board, token)
            self.pressed.append((query, move))
            self.unanswered = (person, board, token)
            await self._until(query.answered.is_set)
            self.unanswered = None
            if query.alert:
                return False
            if ends := rests(board, query.text):
                before, token = move[2], self.luck.choice(ends)
                continue
            if not move[2]:
                # A partial move from before a kill is taken back.
                return True
            result = await self._comes_of(chat, move)
            if result is True:
                self.last = person
                self.history.newest[move[0]] = max(self.history.newest.get(move[0], 0), move[1] + 1)
                return True
            board, token = result

    async def _comes_of(self, chat: Chat, move: Move) -> Any:
        return await self._until(lambda: self._asked_on(chat, move))

    def _asked_on(self, chat: Chat, move: Move) -> Any:
        """Return True when the board advanced, or else a message and a token for the next step."""
        match, version, steps = move
        ours = [message for message in chat.messages.values() if "reply_markup" in message]
        if any(shows(message) > (match, version) and "photo" in message for message in ours):
            return True
        for message in reversed(ours):
            # Other keys do nothing, or take another piece.
            if longer := tokens(message, f"step:{match}:{version}:{steps}.", loud=True):
                return message, self.luck.choice(longer)
            if sure := tokens(message, f"sure:{match}:{version}"):
                return message, sure[0]
        return None

    # --- after a kill ---------------------------------------------------------------------

    async def resume(self) -> None:
        """Check that boards are current in time, and repeat an interrupted press."""
        await self.check_boards()
        if self.unanswered is None:
            return
        person, board, token = self.unanswered
        self.unanswered = None
        query = person.sends(person.private, board, token)
        self.pressed.append((query, parse_token(token)))
        await self._until(query.answered.is_set)
        self.history.report.count("interrupted presses repeated, Telegram")

    async def check_boards(self) -> None:
        """Check that every board shows at least the confirmed version."""
        limit, version = within(self.history.current_within), self.history.newest.get(self.match, 0)
        for person in self.people if version else ():
            try:
                await self.sees(person, version, seconds=limit)
            except TimeoutError:
                self.history.late(f"Telegram, {person.name}", self.match)

    def settle(self, records: Records) -> None:
        """Check that every press answered without an alert is stored, if it was a whole move."""
        for query, move in self.pressed:
            if not query.answered.is_set() or query.alert:
                continue
            if records.played(move):
                self.history.confirm(move, "Telegram")
            elif records.is_move(move):
                self.history.report.broken("every confirmed move is stored", f"Telegram: {move}")
