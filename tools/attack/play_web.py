"""People at the web table who play match after match, and look at nothing but their page."""

from dataclasses import dataclass
from random import Random

from tools.attack.page import Frame, Page
from tools.attack.play import late, taken
from tools.attack.story import Story, StuckError, meant, told, within

__all__ = ["WebGame"]

_HOUSE = "@house"


@dataclass
class WebGame:
    """One person or two in a room of their own."""

    story: Story
    room: str
    line: str
    """What begins a match, such as ``/othello @Ben``; said by the first of the people."""
    people: tuple[Page, ...]
    luck: Random
    match: int = 0
    moves: int = 0
    """Those that were confirmed."""
    unanswered: tuple[Page, str, str] | None = None
    """A press that the house was killed over: who, the token, the steps that it means."""
    old: str = ""
    """A button of long ago."""

    async def play(self) -> None:
        """Play on and on. Raises `Gone` when the house is gone."""
        while True:
            await self.move()

    # --- one move -------------------------------------------------------------------------

    async def move(self) -> None:
        """Whatever comes next: a challenge, its acceptance, a move."""
        first = self.people[0]
        boards = first.boards(self.room)
        match = max(boards, default=0)
        if not match or boards[match]["over"]:
            await self._begin(match)
            return
        self.match = match
        version = self.story.newest.get(match, 1)
        shown = {page.name: await page.sees(match, version, room=self.room) for page in self.people}
        board = shown[first.name]
        if board["over"]:
            return
        if not board["picture"]:
            await self._accept(board)
            return
        mover = next((page for page in self.people if shown[page.name]["turn"]), None)
        if mover is None:
            raise StuckError(f"nobody is to move in match {match} at {version}")
        await self._choose(mover, shown[mover.name])

    async def _begin(self, before: int) -> None:
        first = self.people[0]
        answer = await first.says(self.line, room=self.room)
        if answer["ok"] or before == 0:
            self.story.report.count("matches begun, web", int(answer["ok"]))
        await first.until(lambda: max(first.boards(self.room), default=0) > before)

    async def _accept(self, board: Frame) -> None:
        # Whoever has asked is not offered to accept; the other is, by this token.
        token = f"accept:{board['match']}:{board['version']}:"
        answer = await self.people[-1].press(token, room=self.room)
        if answer["ok"]:
            self.story.newest[board["match"]] = 2
        await self.people[0].sees(board["match"], 2, room=self.room)

    async def _choose(self, mover: Page, board: Frame) -> None:
        steps = _steps(board)
        room = self.room
        if not steps:
            # What only the mover may see is chosen in private.
            version = self.story.newest.get(self.match, 1)
            known = mover.boards(_HOUSE).get(self.match)
            if known is None:
                private = next(one for one in told(board) if one.startswith("private:"))
                await mover.press(private, room=self.room)
            board = await mover.sees(self.match, version, room=_HOUSE)
            steps, room = _steps(board), _HOUSE
            if not steps:
                raise StuckError(f"there is nothing to choose in match {self.match}")
        while steps:
            token = taken(steps, self.luck)
            answer = await self._press(mover, token, room, meant(token)[2])
            shown = answer["private"]
            steps = _longer(token, shown) if answer["ok"] and shown else []

    async def _press(self, mover: Page, token: str, room: str, steps: str) -> Frame:
        match, version, _ = meant(token)
        move = (match, version, steps)
        self.story.tries(move)
        self.unanswered = (mover, token, steps)
        answer = await mover.press(token, room=room)
        self.unanswered = None
        if not answer["ok"]:
            return answer
        sure = [one for one in told(answer["private"] or {"buttons": []}) if "sure:" in one[:5]]
        if sure:
            return await self._press(mover, sure[0], room, steps)
        if answer["private"] is None:
            self.old = self.old or token
            self.moves += 1
            self.story.yes(move, "web")
        return answer

    # --- after a kill ---------------------------------------------------------------------

    async def leave(self) -> None:
        for page in self.people:
            await page.disconnect()

    async def come_back(self) -> None:
        """Connect again; the boards must be current in time, and old buttons must be harmless."""
        for page in self.people:
            if not page.is_open:
                await page.connect()
        await self.rendering()
        if self.unanswered:
            await self._again(*self.unanswered)

    async def rendering(self) -> None:
        """See every board of this room as new as it was acknowledged to be."""
        match, limit = self.match, within(self.story.current_within)
        version = self.story.newest.get(match, 0)
        for page in self.people if version else ():
            try:
                await page.sees(match, version, room=self.room, seconds=limit)
            except TimeoutError:
                where = f"web, {page.name}"
                late(self.story, where, match=match, version=version, limit=limit)

    async def _again(self, mover: Page, token: str, steps: str) -> None:
        """The same button works, if its press was lost; if not, it is refused."""
        self.unanswered = None
        match, version, _ = meant(token)
        room = self.room if match in mover.boards(self.room) else _HOUSE
        answer = await self._press(mover, token, room, steps)
        if answer["ok"]:
            self.story.report.count("old buttons that went on, web")
            return
        # It had been committed before the kill: the board shows that.
        self.story.report.count("old buttons refused, web")
        try:
            await mover.sees(match, version + 1, room=self.room, seconds=self.story.patience)
        except TimeoutError:
            self.story.report.broken(
                "an old button works or is refused for a reason", f"web: {token}: {answer['error']}"
            )

    async def press_old(self) -> None:
        """A button of long ago is refused, and nothing happens."""
        if not self.old or meant(self.old)[:2] == (self.match, self.story.newest.get(self.match)):
            return
        answer = await self.people[0].press(self.old, room=self.room)
        self.story.report.count("buttons of long ago, web")
        self.story.report.check(
            not answer["ok"], "a button of long ago is refused", f"web: {self.old}: {answer}"
        )


def _steps(screen: Frame) -> list[str]:
    return [one for one in told(screen) if one.startswith("step:")]


def _longer(token: str, screen: Frame) -> list[str]:
    """The tokens of a screen that go on where this one ended."""
    return [one for one in _steps(screen) if one.startswith(f"{token}.")]
