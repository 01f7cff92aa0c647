"""Formats of Nine Men's Morris: PGN and positions of Sanmill, numbers of PlayOK."""

import re
from collections.abc import Mapping
from typing import Final

from games.morris import GAME, POINTS
from games.records.base import Formats, Record, Word, joined, played, usual_setup
from games.records.text import pgn

_RINGS: Final = (
    *("d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"),
    *("d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6"),
    *("d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"),
)
"""The points in Sanmill's order: from the inner ring, clockwise from the top."""
_NUMBERED: Final = sorted(POINTS, key=lambda name: (-int(name[1]), name[0]))
"""The points in PlayOK's order, from 1: from left to right, the top row first."""
_FEN = re.compile(
    r"\s*([O@*]{8})/([O@*]{8})/([O@*]{8}) ([wb]) [a-z] ([a-z]) (\d) (\d) (\d) (\d)\b.{0,80}\s*",
    re.ASCII,
)
_PLAYOK = re.compile(r"\d{1,2}(?:[-x]\d{1,2})*|x\d{1,2}", re.ASCII)
_LEFT_OUT = ("Game", "Seat1", "Seat2", "Result")


def _words(words: list[Word]) -> list[Word]:
    """Translate the numbers of PlayOK, and join captures with the moves before them."""
    if all(_PLAYOK.fullmatch(word.text) for word in words):
        words = [word._replace(text=re.sub("[0-9]+", _point, word.text)) for word in words]
    return joined(words, lambda before, word: before + word if word[0] in "xX" else "")


def _point(number: re.Match[str]) -> str:
    at = int(number[0]) - 1
    return _NUMBERED[at] if at in range(len(_NUMBERED)) else number[0]


def _setup(headers: Mapping[str, str]) -> str:
    if fen := headers.get("FEN"):
        return _from_fen(fen)
    return headers.get("Setup", "")


def _from_fen(fen: str) -> str:
    found = _FEN.fullmatch(fen)
    if not found:
        return fen
    signs = dict(zip(_RINGS, "".join(found.group(1, 2, 3)), strict=True))
    board = "".join(
        "." if signs[point] == "*" else "WB"["O@".index(signs[point])] for point in POINTS
    )
    return f"{board} {found[4].upper()} {found[7]} {found[9]}"


def _fen(setup: str) -> str:
    board, side, white, black = setup.split(" ")
    signs = dict(zip(POINTS, board.translate(str.maketrans("WB.", "O@*")), strict=True))
    rings = ["".join(signs[point] for point in _RINGS[at : at + 8]) for at in (0, 8, 16)]
    is_placing = (white, black)["WB".index(side)] != "0"
    counts = f"{board.count('W')} {white} {board.count('B')} {black}"
    phase = "p p" if is_placing else "m s"
    return f"{'/'.join(rings)} {side.lower()} {phase} {counts} 0 0 0 0 0 0 0 0 1"


def _read(text: str) -> tuple[Record, ...] | None:
    if not _FEN.fullmatch(text):
        return None
    return (played("morris", (), setup=_from_fen(text), line_of=lambda _: 1),)


def _write(record: Record) -> str:
    given = dict(record.headers)
    headers = [
        *((name, value) for name, value in record.headers if name not in _LEFT_OUT),
        ("White", given.get("Seat1", "?")),
        ("Black", given.get("Seat2", "?")),
        ("Result", result := given.get("Result", "*")),
        ("Variant", "Nine Men's Morris"),
    ]
    if record.setup != usual_setup(GAME, record.options):
        headers += [("FEN", _fen(record.setup)), ("SetUp", "1")]
    return pgn(tuple(headers), record, end=result)


FORMATS = Formats(writers={"pgn": _write}, read_text=_read, words=_words, setup=_setup)
