"""The console: one terminal, and two users who pass its keyboard to each other."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress
from dataclasses import replace
from os import environ

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.application import in_terminal
from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import clear

from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.delivery import Channel, Notice, Outgoing
from bot.domain.actions import Action
from bot.domain.model import Place, User
from bot.fronts.console.drawing import render_screen
from bot.screens import Client, Screen
from bot.store import match_queries
from bot.support.platforms import Medium
from bot.support.texts import Texts

_CONSOLE = Medium("console", theme="dark", notifies=False, animates=False)
_WIDEST = 80
_TRUE_COLOUR = ("truecolor", "24bit")
_MENU = 5
"""Lines for completions under the prompt."""


class Console(Channel, Completer):
    """The console front. The first of `names` starts."""

    platform = _CONSOLE.name
    url = ""
    medium = _CONSOLE

    def __init__(self, app: App, commands: Commands, *, names: Iterable[str], locale: str) -> None:
        self._app, self._commands = app, commands
        self._names, self._locale = tuple(names), locale
        self._texts = Texts(locale)
        self._people: list[tuple[User, Place]] = []
        self._at = 0
        """Who has the keyboard."""
        self._boards: dict[int, Outgoing] = {}
        """The newest board in the place of each user."""
        self._shown: list[Screen] = []
        """The last board and the last answer, whose buttons can be typed."""
        self._one_board = asyncio.Lock()
        self._covered = False
        """True while a secret board waits for the other user to take the keyboard."""
        self._prompt: PromptSession[str] = PromptSession(
            self._asked, completer=self, reserve_space_for_menu=_MENU
        )

    async def start(self) -> None:
        for name in self._names:
            user = await self._app.directory.identify(
                self.platform, name, name, username=name, locale=self._locale, registers=True
            )
            place = await self._app.directory.direct(self.platform, name, name)
            self._people.append((user, place))

    async def stop(self) -> None:
        """No-op: `run` ends by itself."""

    async def run(self, line: str) -> None:
        """Run `line`, or show the games, and then what is typed until Ctrl-D or Ctrl-C."""
        _, friend = self._people[1]
        await self._print(Screen(text=self._texts("console-welcome", friend=friend.title)))
        await self._handle_line(line or "/play")
        with suppress(EOFError, KeyboardInterrupt):
            while True:
                await self._handle_line((await self._prompt.prompt_async()).strip())

    @property
    def _board(self) -> Outgoing | None:
        """The newest board of the user who has the keyboard."""
        return self._boards.get(self._people[self._at][1].id)

    # --- delivery, see `bot.delivery.Channel` ---------------------------------------------

    async def send(self, outgoing: Outgoing) -> str:
        return await self.edit(outgoing, f"{outgoing.board.id}")

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        if not outgoing.loaded.match.seats:
            return message  # A challenge, which is accepted at once.
        self._boards[outgoing.place.id] = outgoing
        async with self._one_board:
            is_seen = not await self._passed_on() and not self._covered
            if is_seen and outgoing.place.id == self._people[self._at][1].id:
                await self._show(outgoing)
        return message

    async def delete(self, place: Place, message: str) -> None:
        """No-op: what was printed stays."""

    async def notify(self, place: Place, notice: Notice) -> str | None:
        await self._print(Screen(text=notice.text, picture=notice.picture, alt=notice.alt))
        return None

    # --- the keyboard -----------------------------------------------------------------------

    async def _passed_on(self) -> bool:
        """Pass the keyboard if only the other user has to move, or has to answer."""
        mine, theirs = [
            [one for one in await match_queries.open_of(self._app.store, user.id) if one.waits]
            for user, _ in (self._people[self._at], self._people[1 - self._at])
        ]
        if not theirs or (mine and not any(one.offers for one in theirs)):
            return False
        seen = self._board
        self._at = 1 - self._at
        board = self._board
        self._shown.clear()
        self._covered = any(one and one.board.seat is not None for one in (seen, board))
        if self._covered:
            # Secrets were also typed, cut and scrolled away.
            self._prompt.default_buffer.history = InMemoryHistory()
            self._prompt.default_buffer.reset()
            self._prompt.clipboard = InMemoryClipboard()
            async with in_terminal():
                self._prompt.output.write_raw("\x1b[3J")
                clear()
        elif board:
            await self._show(board)
        return True

    async def _show(self, outgoing: Outgoing) -> None:
        screen = await outgoing.screen()
        self._shown = [screen]
        await self._print(screen, clears=True)

    async def _print(self, screen: Screen, *, clears: bool = False) -> None:
        size = self._prompt.output.get_size()
        text = render_screen(
            screen,
            columns=min(size.columns, _WIDEST),
            lines=size.rows - _MENU - 1,
            coloured=environ.get("TERM") != "dumb" and "NO_COLOR" not in environ,
        )
        async with in_terminal():
            if clears:
                clear()
            depth = ColorDepth.TRUE_COLOR if environ.get("COLORTERM") in _TRUE_COLOUR else None
            print_formatted_text(FormattedText(text), end="", color_depth=depth)

    def _asked(self) -> str:
        name = self._people[self._at][0].name
        return self._texts("console-pass", name=name) if self._covered else f"{name}> "

    # --- what is typed ------------------------------------------------------------------------

    def _command(self) -> Command:
        user, place = self._people[self._at]
        match = self._board.loaded.match if self._board else None
        return Command(
            Client(user, place.external, locale=self._locale, theme=_CONSOLE.theme),
            place,
            beside=self._people[1 - self._at][0],
            medium=_CONSOLE,
            viewed_match=match.id if match else 0,
            seen={match.id: match.version} if match else {},
        )

    async def _handle_line(self, line: str) -> None:
        if self._covered:
            self._covered = False
            if self._board:
                await self._show(self._board)
        elif line:
            command = self._command()
            await self._answered(command, await self._done(command, line))

    async def _done(self, command: Command, line: str) -> Answer:
        """Press the step or button that is typed, play the move or run the command."""
        typed = line.casefold()
        offered = list(self._offered())
        for label, action in offered:
            if label.casefold() == typed:
                return await self._commands.run_button(command, action)
        if not line.startswith("/"):
            moved = await self._commands.run_text(replace(command, move=line))
            if moved is not None:
                return moved
            begun = {action for label, action in offered if label.casefold().startswith(typed)}
            if len(begun) == 1 and not self._commands.knows(f"/{line}"):
                return await self._commands.run_button(command, begun.pop())
        return await self._commands.run_line(command, f"/{line.removeprefix('/')}")

    def _offered(self) -> Iterable[tuple[str, Action]]:
        """Yield the legal steps and the buttons on the screen, the last answer's first."""
        for screen in reversed(self._shown):
            yield from ((one.short, one.action) for one in screen.choices if one.legal)
            for row in screen.rows:
                yield from ((one.label, one.action) for one in row if not one.is_disabled)

    async def _answered(self, command: Command, answer: Answer) -> None:
        if answer.readers_changed:
            at = [user.id for user, _ in self._people].index(command.client.user.id)
            user = await self._app.directory.known(self.platform, command.client.identity)
            self._people[at] = user or command.client.user, command.place
        for screen in filter(None, (answer.public, answer.private)):
            self._shown = [*self._shown[:1], screen]
            await self._print(screen)
        if answer.why:
            await self._print(Screen(text=answer.why))

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Complete steps and buttons, and moves and commands as the core does."""
        line = document.text_before_cursor
        if self._covered or not line:
            return
        typed, command, found = line.casefold(), self._command(), dict[str, str]()
        for label, _ in self._offered():
            if label.casefold().startswith(typed):
                found[label] = ""
        slash = f"/{line.removeprefix('/')}"
        for one in await self._commands.complete(command, slash):
            found.setdefault(one.text if line.startswith("/") else one.text[1:], one.hint)
        if self._board:
            game = f"/{self._board.loaded.match.game} "
            for one in await self._commands.complete(command, game + line):
                found.setdefault(one.text.partition(" ")[2], one.hint)
        for text, hint in found.items():
            yield Completion(text, -len(line), display_meta=hint)
