"""Users on the web who play one match after another, and know only what their page shows."""

from dataclasses import dataclass
from random import Random

from tools.attack.history import History, StuckError, chosen, pressable, within
from tools.attack.page import Frame, Page
from tools.attack.records import parse_token

_PRIVATE = "@house"


@dataclass
class WebGame:
    """One user or two in their own room."""

    history: History
    room: str
    line: str
    """The command of the first user that starts a match."""
    people: tuple[Page, ...]
    luck: Random
    match: int = 0
    moves: int = 0
    """Those that were confirmed."""
    unanswered: tuple[Page, str, str] | None = None
    """A press that a kill interrupted: the user, the token and the steps."""
    old: str = ""
    """A button of an old version."""

    async def play(self) -> None:
        """Play on and on. Raises `Gone` when the bot is gone."""
        while True:
            await self.move()

    async def move(self) -> None:
        """Challenge, accept or move, whatever is next."""
        boards = self.people[0].boards(self.room)
        match = max(boards, default=0)
        if not match or boards[match]["over"]:
            await self._start(match)
            return
        self.match = match
        version = self.history.newest.get(match, 1)
        shown = [await self._sees(page, version) for page in self.people]
        if shown[0]["over"]:
            return
        if not shown[0]["picture"]:
            await self._accept(shown[0])
            return
        mover = next((at for at, board in enumerate(shown) if board["turn"]), None)
        if mover is None:
            raise StuckError(f"no player is to move in match {match} at {version}")
        await self._choose(self.people[mover], shown[mover])

    async def _sees(self, page: Page, version: int, *, room: str = "") -> Frame:
        room, seconds = room or self.room, self.history.patience
        return await page.sees(self.match, version, room=room, seconds=seconds)

    async def _start(self, before: int) -> None:
        first = self.people[0]
        await first.says(self.line, room=self.room)
        await first.until(
            lambda: max(first.boards(self.room), default=0) > before, seconds=self.history.patience
        )

    async def _accept(self, board: Frame) -> None:
        token = f"accept:{board['match']}:{board['version']}:"
        answer = await self.people[-1].press(token, room=self.room)
        if answer["ok"]:
            self.history.newest[board["match"]] = 2
        await self._sees(self.people[0], 2)

    async def _choose(self, mover: Page, board: Frame) -> None:
        steps, room = _steps(board), self.room
        if not steps:
            # Secret moves are made on a private board.
            version, room = self.history.newest.get(self.match, 1), _PRIVATE
            if self.match not in mover.boards(room):
                private = next(one for one in pressable(board) if one.startswith("private:"))
                await mover.press(private, room=self.room)
            steps = _steps(await self._sees(mover, version, room=room))
            if not steps:
                raise StuckError(f"there is nothing to choose in match {self.match}")
        while steps:
            token = chosen(steps, self.luck)
            answer = await self._press(mover, token, room, parse_token(token)[2])
            shown = answer.get("private") if answer["ok"] else None
            longer = _steps(shown) if shown else []
            steps = [one for one in longer if one.startswith(f"{token}.")]

    async def _press(self, mover: Page, token: str, room: str, steps: str) -> Frame:
        match, version, _ = parse_token(token)
        move = (match, version, steps)
        self.history.attempt(move)
        self.unanswered = (mover, token, steps)
        answer = await mover.press(token, room=room)
        self.unanswered = None
        if not answer["ok"]:
            return answer
        private = answer.get("private")
        if private is None:
            self.old = self.old or token
            self.moves += 1
            self.history.confirm(move, "web")
            return answer
        sure = [one for one in pressable(private) if one.startswith("sure:")]
        return await self._press(mover, sure[0], room, steps) if sure else answer

    # --- after a kill ---------------------------------------------------------------------

    async def leave(self) -> None:
        for page in self.people:
            await page.disconnect()

    async def resume(self) -> None:
        """Connect again. Boards must be current in time, and old buttons harmless."""
        for page in self.people:
            if not page.is_open:
                await page.connect()
        await self.check_boards()
        if self.unanswered:
            await self._press_again(*self.unanswered)

    async def check_boards(self) -> None:
        """Check that every board shows at least the confirmed version."""
        limit, version = within(self.history.current_within), self.history.newest.get(self.match, 0)
        for page in self.people if version else ():
            try:
                await page.sees(self.match, version, room=self.room, seconds=limit)
            except TimeoutError:
                self.history.late(f"web, {page.name}", self.match)

    async def _press_again(self, mover: Page, token: str, steps: str) -> None:
        """Check that the button works if its press was lost, and else is refused."""
        self.unanswered = None
        match, version, _ = parse_token(token)
        room = self.room if match in mover.boards(self.room) else _PRIVATE
        answer = await self._press(mover, token, room, steps)
        result = "worked" if answer["ok"] else "were refused"
        self.history.report.count(f"interrupted presses that {result} later, web")
        if answer["ok"]:
            return
        try:
            shown = await self._sees(mover, version + 1)
            # The other page may still show the board before.
            self.history.newest[match] = shown["version"]
        except TimeoutError:
            check = "an interrupted press works later, or was stored"
            self.history.report.broken(check, f"web: {token}: {answer['error']}")

    async def press_old(self) -> None:
        """Check that a button of an old version is refused."""
        if self.old and parse_token(self.old)[:2] != (
            self.match,
            self.history.newest.get(self.match),
        ):
            answer = await self.people[0].press(self.old, room=self.room)
            found = f"web: {self.old}: {answer}"
            self.history.report.check(not answer["ok"], "an old button is refused", found)


def _steps(screen: Frame) -> list[str]:
    return [one for one in pressable(screen) if one.startswith("step:")]
