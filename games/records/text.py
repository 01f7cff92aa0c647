r"""Our text format, which is that of PGN with the moves of any game::

    [Game "othello"]
    [Date "2026.11.29"]
    [Seat1 "Ann"]
    [Seat2 "Ben"]
    [Result "1-0"]
    [Option.rules "othello"]
    [Setup "...........................OX......XO........................... X"]

    1. f5 {[%emt 0:00:03]} d6 {[%emt 0:00:12]} 2. c3

``1.`` precedes a move of the first seat, ``1...`` one of the second seat if it does not follow the
first. A move is in quotes unless it looks like `_PLAIN`. Comments and variations are skipped.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from games.records.base import Headers, Record, RecordError, Word

MOST_GAMES = 2000
"""In one text. That many have no room for moves."""
MOST_SIGNS, _MOST_TOKENS = 100_000, 4000
"""Of one game: more than `MOST_MOVES` with numbers and times. The rest is not read."""
_MOST_HEADERS, _MOST_VALUE = 30, 300
_WIDTH = 80

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9:=+/-]*")
_HEADER = r'[ \t]*+\[([A-Za-z][\w.]{0,40})[ \t]++"((?:[^"\\\n]++|\\.){0,2000}+)"[ \t]*+\]'
_PAIR = re.compile(r'\[([\w.]++)[ \t]++"((?:[^"\\]++|\\.)*+)"', re.ASCII)
"""In a block that has been matched."""
_END = r"(?:[ \t]*+\n)"
_BLOCK = re.compile(
    rf"(?:^{_HEADER}{_END}?+(?:{_END}++(?![ \t]*+\[Game[ \t]))?+){{1,{_MOST_HEADERS}}}+",
    re.ASCII | re.MULTILINE,
)
"""A game without moves ends before an empty line and the next ``[Game "…"]``."""
_TOKEN = re.compile(
    r'"(?P<quoted>(?:[^"\\\n]|\\.){1,70})"'
    r"|\{(?P<comment>[^}]*)(?:\}|\Z)"
    r"|;[^\n]*|\$\d+"
    r"|(?P<bracket>[()])"
    r"|\d{1,5}(?P<dots>\.+|\N{HORIZONTAL ELLIPSIS})"
    r"|(?:1-0|0-1|1/2-1/2|\N{VULGAR FRACTION ONE HALF}-\N{VULGAR FRACTION ONE HALF}|\*)(?!\S)"
    r'|(?P<word>[^\s"{}();,]{1,400})',
    re.ASCII,
)
_TIME = re.compile(r"\[%emt (\d{1,6}):(\d\d?):(\d\d?(?:\.\d{1,6})?)\]", re.ASCII)


class Part(NamedTuple):
    """A game in a text: its headers, where it starts, and where its moves are."""

    headers: dict[str, str]
    at: int
    start: int
    end: int


def write(*records: Record) -> str:
    """Write records in our format, one after another."""
    return "\n".join(map(_write, records))


def _write(record: Record) -> str:
    first = (("Game", record.game), *record.headers)
    options = ((f"Option.{name}", value) for name, value in record.options.items())
    return pgn((*first, *options, ("Setup", record.setup)), record)


def pgn(headers: Headers, record: Record, *, end: str = "") -> str:
    """Write headers and moves, and what follows the last move."""
    # A setup is printable, and can be long.
    lines = [
        f'[{name} "{_escaped(value if name == "Setup" else clean(value))}"]'
        for name, value in headers
    ]
    lines.append("")
    line = ""
    for word in (*_words(record), *filter(None, (end,))):
        if line and len(line) + len(word) >= _WIDTH:
            lines.append(line)
            line = ""
        line += f" {word}" if line else word
    return "\n".join([*lines, line, ""] if line else lines)


def clean(value: str) -> str:
    """Return a value of a header on one line, without control characters."""
    value = value[:_MOST_VALUE].strip()
    if value.isprintable():
        return value
    return "".join(sign if sign.isprintable() else " " for sign in value)


def _words(record: Record) -> Iterator[str]:
    number, before = 0, 1
    for index, (seat, move) in enumerate(record.moves):
        if seat <= before:
            number += 1
        if seat == 0:
            yield f"{number}."
        elif before != 0:
            yield f"{number}..."
        yield move if _PLAIN.fullmatch(move) else f'"{_escaped(move)}"'
        if record.seconds:
            yield f"{{[%emt {_clock(record.seconds[index])}]}}"
        before = seat


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds, 3), 60)
    return f"{minutes // 60:.0f}:{minutes % 60:02.0f}:{rest:06.3f}".rstrip("0").rstrip(".")


def parts(text: str) -> list[Part]:
    """Return the games in a text: each starts with headers, a plain list of moves has none."""
    blocks = list(islice(_BLOCK.finditer(text), MOST_GAMES + 1))
    if len(blocks) > MOST_GAMES:
        raise RecordError("record-games", most=MOST_GAMES)
    if not blocks:
        return [Part({}, 0, 0, len(text))]
    ends = [*(block.start() for block in blocks[1:]), len(text)]
    return [
        Part(_headers(block[0]), block.start(), block.end(), end)
        for block, end in zip(blocks, ends, strict=True)
    ]


def _headers(block: str) -> dict[str, str]:
    pairs = ((name, _unescaped(value)) for name, value in _PAIR.findall(block))
    return {name: value if name == "Setup" else clean(value) for name, value in pairs}


def words(text: str, part: Part) -> list[Word]:
    """Return the moves as written, without numbers, comments, variations and results."""
    found: list[Word] = []
    depth, seat = 0, None
    tokens = _TOKEN.finditer(text, part.start, min(part.end, part.start + MOST_SIGNS))
    for token in islice(tokens, _MOST_TOKENS):
        if token["bracket"]:
            depth = max(0, depth + (1 if token["bracket"] == "(" else -1))
        elif depth:
            continue
        elif token["dots"]:
            seat = 0 if token["dots"] == "." else 1
        elif token["comment"] is not None:
            if found and (time := _TIME.search(token["comment"])):
                hours, minutes, seconds = time.groups()
                spent = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
                found[-1] = found[-1]._replace(seconds=spent)
        elif word := _unescaped(token["quoted"] or "") or (token["word"] or "").rstrip("!?"):
            found.append(Word(word, token.start(), None, seat))
            seat = None if seat is None else 1 - seat
    return found
