"""People on Telegram who play one match after the other in their private chats with the bot."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.bot.fronts.telegram.playing import rests, tokens
from tests.bot.fronts.telegram.server import Chat, Message, Person, Query
from tools.attack.ledger import Ledger, Move
from tools.attack.page import Gone
from tools.attack.play import in_turn, late, taken
from tools.attack.posts import Api, shows
from tools.attack.story import Story, StuckError, meant, within

__all__ = ["Api", "TelegramGame", "shows"]


@dataclass
class TelegramGame:
    """Two people, or one, each in the private chat with the bot."""

    story: Story
    api: Api
    line: str
    people: tuple[Person, ...]
    luck: Random
    match: int = 0
    last: Person | None = None
    gone: bool = False
    pressed: list[tuple[Query, Move]] = field(default_factory=list)
    """Every button that was pressed, and what it meant."""
    unanswered: tuple[Query, Person, Message, str] | None = None

    async def play(self) -> None:
        """Play on and on. Raises `Gone` when the house is gone."""
        while True:
            await self.move()

    # --- what is there --------------------------------------------------------------------

    def board(self, person: Person) -> Message | None:
        """The newest message about the newest match in somebody's chat, as it is now.

        That may be a question that was asked before a kill; an outdated one is none.
        """
        found = [
            message
            for message in person.private.messages.values()
            if shows(message)[0] and message["from"]["id"] != person.id
        ]
        return max(found, key=lambda one: (shows(one), one["message_id"]), default=None)

    async def sees(self, person: Person, version: int, *, seconds: float | None = None) -> Message:
        """The board in somebody's chat once it shows at least this. Raises TimeoutError."""

        def shown() -> Message | None:
            board = self.board(person)
            return board if board and shows(board) >= (self.match, version) else None

        found: Message = await self._until(shown, seconds)
        return found

    async def _until(self, holds: Any, seconds: float | None = None) -> Any:
        try:
            found = await self.api.until(
                lambda: self.gone or holds(), seconds=seconds or self.story.patience
            )
        except AssertionError as error:
            raise TimeoutError(str(error)[:500]) from None
        if self.gone:
            raise Gone("the house is gone")
        return found

    # --- one move -------------------------------------------------------------------------

    async def move(self) -> None:
        """Whatever comes next: a challenge, its acceptance, a move."""
        board = self.board(self.people[0])
        if board is None or tokens(board, "again"):
            await self._begin(shows(board)[0] if board else 0)
            return
        self.match = shows(board)[0]
        version = self.story.newest.get(self.match, 1)
        boards = [await self.sees(person, version) for person in self.people]
        if any(tokens(board, "again") for board in boards):
            return
        if accept := tokens(boards[-1], "accept"):
            last = self.people[-1]
            query = await self._answered(last.sends(last.private, boards[-1], accept[0]))
            if not query.alert:
                self.story.newest[self.match] = max(2, self.story.newest.get(self.match, 0))
            await self.sees(last, 2)
            return
        await self._choose()

    async def _begin(self, before: int) -> None:
        first = self.people[0]
        first.says(first.private, self.line)

        def shown() -> Message | None:
            board = self.board(first)
            return board if board and shows(board)[0] > before else None

        board: Message = await self._until(shown)
        self.match, self.last = shows(board)[0], None
        self.story.report.count("matches begun, Telegram")

    async def _choose(self) -> None:
        for person in in_turn(self.people, self.last):
            board = self.board(person)
            assert board is not None
            if tokens(board, "again"):
                # What was pressed before a kill has ended it meanwhile.
                return
            steps = tokens(board, f"step:{self.match}:", loud=True)
            steps = steps or tokens(board, f"sure:{self.match}:")
            if not steps:
                raise StuckError(
                    f"there is nothing to choose in match {self.match} on Telegram: "
                    f"{board.get('caption', board.get('text'))!r}, {board.get('reply_markup')}"
                )
            if await self._press(person, board, taken(steps, self.luck)):
                return

    async def _press(self, person: Person, board: Message, token: str) -> bool:
        """Press, and go on until the move is whole; gives whether this person may move."""
        chat, before = person.private, ""
        while True:
            move = meant(token)
            if before:
                move = (*move[:2], f"{before}.{move[2]}")
            self.story.tries(move)
            query = person.sends(chat, board, token)
            self.pressed.append((query, move))
            self.unanswered = (query, person, board, token)
            await self._answered(query)
            self.unanswered = None
            if query.alert:
                return False
            if ends := rests(board, query.text):
                before, token = move[2], self.luck.choice(ends)
                continue
            if not move[2]:
                # A move that was half made before a kill is taken back.
                return True
            asked = await self._comes_of(chat, move)
            if asked is True:
                self.last = person
                self.story.newest[move[0]] = max(self.story.newest.get(move[0], 0), move[1] + 1)
                return True
            board, token = asked

    async def _comes_of(self, chat: Chat, move: Move) -> Any:
        """What `_asked_on` gives, as soon as it does."""
        return await self._until(lambda: self._asked_on(chat, move))

    def _asked_on(self, chat: Chat, move: Move) -> Any:
        """True once the board has gone on; else the message and token that go on with a move."""
        match, version, steps = move
        ours = [message for message in chat.messages.values() if "reply_markup" in message]
        if any(shows(message) > (match, version) and "photo" in message for message in ours):
            return True
        for message in reversed(ours):
            # Other keys lead to nothing, or take another piece in hand.
            if longer := tokens(message, f"step:{match}:{version}:{steps}.", loud=True):
                return message, self.luck.choice(longer)
            if sure := tokens(message, f"sure:{match}:{version}"):
                return message, sure[0]
        return None

    async def _answered(self, query: Query) -> Query:
        await self._until(query.answered.is_set)
        return query

    # --- after a kill ---------------------------------------------------------------------

    async def come_back(self) -> None:
        """Updates that the killed house had not dealt with are dealt with now, and once."""
        await self.rendering()
        if self.unanswered is None:
            return
        query, person, board, token = self.unanswered
        self.unanswered = None
        move = meant(token)
        again = person.sends(person.private, board, token)
        self.pressed.append((again, move))
        await self._answered(again)
        went = query.answered.is_set() and not query.alert
        count = "went on after a start" if went else "had been dealt with, or were pressed again"
        self.story.report.count(f"presses that {count}, Telegram")

    async def rendering(self) -> None:
        version, limit = self.story.newest.get(self.match, 0), within(self.story.current_within)
        for person in self.people if version else ():
            try:
                await self.sees(person, version, seconds=limit)
            except TimeoutError:
                where = f"Telegram, {person.name}"
                late(self.story, where, match=self.match, version=version, limit=limit)

    # --- in the end -----------------------------------------------------------------------

    def settle(self, ledger: Ledger) -> None:
        """Presses that were answered without an alert are moves, or the beginnings of some."""
        for query, move in self.pressed:
            if not query.answered.is_set() or query.alert:
                continue
            if ledger.played(move):
                self.story.yes(move, "Telegram")
            elif ledger.is_move(move):
                self.story.report.broken("every acknowledged move is stored", f"Telegram: {move}")
