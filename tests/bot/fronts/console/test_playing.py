"""``azumaya play`` in a real terminal: a pseudo terminal, and the program as a user starts it."""

import os
import pty
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from select import select
from struct import pack
from termios import TIOCSWINSZ
from time import monotonic

import pytest

_PATIENCE = 60.0
"""Seconds without output."""
_HOUSE = Path(__file__).parents[4]
_CONTROL = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])")


class Terminal:
    """A terminal of 100 x 40 characters with ``azumaya play`` in it."""

    def __init__(self, *words: str, **variables: str) -> None:
        self.process, self._file = pty.fork()
        if not self.process:
            given = {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "LANG": "en_US.UTF-8"}
            left = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
            command = (sys.executable, "-m", "bot", "play", *words)
            os.execve(
                sys.executable, command, {**left, "PYTHONPATH": str(_HOUSE), **given, **variables}
            )
        ioctl(self._file, TIOCSWINSZ, pack("HHHH", 40, 100, 0, 0))
        self.raw = ""
        self._read = 0

    def until(self, text: str) -> str:
        """Return what appears up to `text`, which must come after what was returned before."""
        while True:
            shown = _CONTROL.sub("", self.raw)
            found = shown.find(text, self._read)
            if found >= 0:
                start, self._read = self._read, found + len(text)
                return shown[start : self._read]
            try:
                is_there, _, _ = select([self._file], [], [], _PATIENCE)
                more = os.read(self._file, 65536) if is_there else b""
            except OSError:
                more = b""
            assert more, f"{text!r} did not appear: {shown[self._read :]}"
            self.raw += more.decode(errors="ignore")

    def types(self, line: str) -> None:
        os.write(self._file, f"{line}\r".encode())

    def ends(self, key: bytes) -> int:
        """Press `key` until the program ends, and return the exit code. A redraw may swallow it."""
        last = monotonic() + _PATIENCE
        while monotonic() < last:
            with suppress(OSError):
                os.write(self._file, key)
                while select([self._file], [], [], 1)[0] and os.read(self._file, 65536):
                    pass
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                self.process = 0
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("it does not end")

    def close(self) -> None:
        os.close(self._file)
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


Begin = Callable[..., Terminal]


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    terminals = list[Terminal]()
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("TMPDIR", str(here))
    monkeypatch.setenv("AZUMAYA_DATABASE", "of-the-bot.db")

    def begun(*words: str, **variables: str) -> Terminal:
        terminals.append(Terminal(*words, **variables))
        return terminals[-1]

    yield begun
    for terminal in terminals:
        terminal.close()


def test_two_at_one_keyboard_play_a_whole_game_in_turn(begin: Begin, tmp_path: Path) -> None:
    terminal = begin("othello", "black", "--name", "Ann", "--friend", "Bea")
    board = terminal.until("Discs: Ann 2, Bea 2")
    assert " a   b   c   d   e   f   g   h" in board
    assert "d3" in board, "legal moves are written on the board"
    assert "Rated" not in board
    for ply, move in enumerate(["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5"]):
        terminal.types(move)
        terminal.until(f"Last move: {move}")
        terminal.until(("Bea>", "Ann>")[ply % 2])
    terminal.types("c5")
    terminal.until("Ann wins, 64 to 0.")
    terminal.until("[Analysis]")
    terminal.until(">")
    terminal.types("analysis")
    terminal.until("I will post the result when it is")
    terminal.until("Ann>")
    assert terminal.ends(b"\x04") == 0
    assert not list((tmp_path / "here").iterdir()), "nothing is left on the disk"


@pytest.mark.slow
def test_the_computer_answers_and_gives_hints_in_the_language_of_the_terminal(begin: Begin) -> None:
    terminal = begin("othello", "computer", "1", "schwarz", "--name", "Ann", LANG="de_DE.UTF-8")
    terminal.until("Du bist am Zug.")
    terminal.until("[Tipp]")
    terminal.types("tipp")
    terminal.until("Ich würde ")
    terminal.types("d3")
    terminal.until("Letzter Zug: ")
    terminal.until("Du bist am Zug.")
    terminal.until("Ann>")
    assert terminal.ends(b"\x03") == 0


def test_secret_stones_are_hidden_before_the_keyboard_is_passed(begin: Begin) -> None:
    terminal = begin("blackbox", "--name", "Ann", "--friend", "Bea")
    terminal.until("[Hide")
    terminal.types("hide")
    for cell in ["a1", "b2", "c3", "d4", "e5"]:
        terminal.until("[Resign]")
        terminal.types(f"{cell}\x15{cell}")  # Cut with Ctrl-U, and typed again.
        terminal.until(f"hidden on {cell}")
    terminal.types("ready")
    terminal.until("Pass the keyboard to ")
    assert terminal.raw.rindex("\x1b[2J") > terminal.raw.rindex("e5"), "the board is cleared"
    assert terminal.raw.rindex("\x1b[3J") > terminal.raw.rindex("e5"), "and what scrolled away"
    terminal.types("\x1b[A\x1b[A\x19")
    assert "e5" not in terminal.until("Black Box"), "what was typed cannot be called back"
    terminal.until("[Submit]")
    terminal.until("[Resign]")
    terminal.until(">")
    terminal.types("\x1b[A\x1b[A\x19.")
    terminal.until("I do not know /..")
