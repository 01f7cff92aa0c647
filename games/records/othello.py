"""Formats of Othello: transcripts, GGF, SGF as Edax writes it, and the files of WTHOR.

Sources: edax-reversi (src/game.c, src/base.c), the GGF of the Generic Game Server, and "Format
WThor" of the French federation.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from struct import Struct
from typing import Any, Final

from games.othello import GAME, SQUARES
from games.records.base import (
    MOST_MOVES,
    Formats,
    Headers,
    LazyRecord,
    Record,
    RecordError,
    Word,
    option_sets,
    played,
    usual_setup,
)
from games.records.text import MOST_GAMES, MOST_SIGNS, clean

_OPTIONS: Final = option_sets("othello")[0]
_START: Final = usual_setup(GAME, _OPTIONS)

# Texts: a run of squares, any case, passes written or left out.

_MOVE = re.compile(r"[a-z][0-9]|--|pass|pa", re.ASCII | re.IGNORECASE)
_RUN = re.compile(f"(?:{_MOVE.pattern})+", re.ASCII | re.IGNORECASE)


def _words(words: list[Word]) -> list[Word]:
    """Split runs of squares into moves, as many as are read."""
    split = (
        word._replace(text="pass" if move.lower() == "pa" else move)
        for word in words
        for move in (_MOVE.findall(word.text) if _RUN.fullmatch(word.text) else (word.text,))
    )
    return list(islice(split, MOST_MOVES + 1))


def _transcript(record: Record) -> str:
    _check_options(record)
    if record.setup != _START:
        raise RecordError("record-form-setup")
    return "".join(move for _, move in record.moves if move != "pass") + "\n"


def _check_options(record: Record) -> None:
    if record.options != _OPTIONS:
        raise RecordError("record-form-options")


# GGF and SGF: properties in brackets.

_ROOT = re.compile(r"\(\s{0,8};\s{0,8}(?:GM|FF|CA|AP|SZ|PC)\s{0,8}\[")
_MARK = re.compile(r"([A-Za-z]{0,8}+)\s{0,8}+\[|\)")
_MOST_PROPERTIES = 1000
_GAMES = {"othello", "reversi", "2"}
_SCORE = re.compile(r"([BW]?)\+?(-?\d{1,3})(?:\.\d{0,6})?(?::([rt]))?", re.ASCII)
_DISCS = str.maketrans("XO.", "*O-")
_NAMES = {"PB": "Seat1", "PW": "Seat2", "EV": "Event", "PC": "Site", "DT": "Date"}


def _read_text(text: str) -> list[Record] | None:
    roots = list(islice(_ROOT.finditer(text), MOST_GAMES + 1))
    if not roots:
        return None
    if len(roots) > MOST_GAMES:
        raise RecordError("record-games", most=MOST_GAMES)
    records: list[Record] = []
    starts = [*(root.start() for root in roots), len(text)]
    for start, end in pairwise(starts):
        headers: dict[str, str] = {}
        for name, value, _ in _properties(text, start, end):
            if name in ("B", "W"):
                break
            headers.setdefault(name, value)
        if headers.get("GM", "2").lower() not in _GAMES:
            line = text.count("\n", 0, start) + 1
            raise RecordError("record-other-game", game=headers["GM"][:40], line=line)
        records.append(LazyRecord("othello", _headers, _record, headers, text, start, end))
    return records


def _properties(text: str, at: int, end: int) -> Iterator[tuple[str, str, int]]:
    """Yield name, value and place of the properties of the main line from `at`, before `end`."""
    name, stop = "", min(at + MOST_SIGNS, end)
    for _ in range(_MOST_PROPERTIES):
        mark = _MARK.search(text, at, stop)
        if not mark or mark[0] == ")":
            return
        name = mark[1].upper() or name
        close = text.find("]", mark.end(), stop)
        while close > 0 and text[close - 1] == "\\":
            close = text.find("]", close + 1, stop)
        yield name, text[mark.end() : close if close >= 0 else stop][:1000], mark.start()
        if close < 0:
            return
        at = close + 1


def _headers(properties: dict[str, str], *_: Any) -> Headers:
    found = [(_NAMES[name], clean(value)) for name, value in properties.items() if name in _NAMES]
    score = _SCORE.match(properties.get("RE", ""))
    if score and abs(lead := int(score[2]) * (-1 if score[1] == "W" else 1)) <= 64:
        found.append(("Result", "1-0" if lead > 0 else "0-1" if lead else "1/2-1/2"))
        found.append(("Score", f"{(64 + lead) // 2}-{(64 - lead) // 2}"))
        if score[3]:
            found.append(("Termination", "resigned" if score[3] == "r" else "timeout"))
    return tuple(found)


def _record(_: dict[str, str], text: str, root: int, end: int) -> Record:
    words: list[Word] = []
    setup, side = "", "X"
    placed = dict.fromkeys(SQUARES, ".")
    for name, value, at in _properties(text, root, end):
        if name in ("B", "W"):
            words.append(_word(value, at))
        elif name == "BO":
            setup = _board(value)
        elif name in ("AB", "AW") and (square := value.strip().lower()) in placed:
            placed[square] = "X" if name == "AB" else "O"
        elif name == "PL":
            side = "O" if value.upper().startswith("W") else "X"
    if not setup and set(placed.values()) != {"."}:
        setup = f"{''.join(placed.values())} {side}"
    return played(
        "othello",
        words,
        setup=setup,
        chosen=_OPTIONS,
        line_of=lambda at: text.count("\n", 0, max(at, root)) + 1,
    )


def _word(value: str, at: int) -> Word:
    """Read ``F5/evaluation/seconds``."""
    move, _, rest = value.strip().partition("/")
    seconds = re.fullmatch(r"\d{1,7}(?:\.\d{1,20})?", rest.partition("/")[2], re.ASCII)
    text = "pass" if move.lower() in {"", "pa"} else move
    return Word(text, at, float(seconds[0]) if seconds else None)


def _board(value: str) -> str:
    """Return the setup of a board in GGF: ``8``, 64 squares of ``*O-``, and the side to move."""
    size, _, squares = value.strip().partition(" ")
    squares = "".join(squares.split()).translate(str.maketrans("*-", "X."))
    return f"{squares[:64]} {squares[64:]}" if size == "8" else f"{size} by {size}"


def _ggf(record: Record) -> str:
    _check_options(record)
    squares, side = record.setup.translate(_DISCS).split(" ")
    rows = " ".join(squares[at : at + 8] for at in range(0, 64, 8))
    names = {"PC": "Azumaya"} | {name: record.header(ours) for name, ours in _NAMES.items()}
    head = {"GM": "Othello", **names, "RE": _lead(record), "TI": "0", "TY": "8"}
    properties = [*head.items(), ("BO", f"8 {rows} {side}")]
    for index, (seat, move) in enumerate(record.moves):
        time = f"//{record.seconds[index]:.2f}" if record.seconds else ""
        properties.append(("BW"[seat], ("PA" if move == "pass" else move.upper()) + time))
    return "(;" + "".join(f"{name}[{_cut(value)}]" for name, value in properties) + ";)\n"


def _lead(record: Record) -> str:
    if ending := {"resigned": ":r", "timeout": ":t"}.get(record.header("Termination")):
        return {"1-0": "+64.000", "0-1": "-64.000"}.get(record.header("Result"), "+0.000") + ending
    first, _, second = record.header("Score").partition("-")
    is_known = first.isdecimal() and second.isdecimal()
    return f"{int(first) - int(second):+.3f}" if is_known else "?"


def _cut(value: str) -> str:
    return clean(value).translate(str.maketrans("[]\\", "()/"))


# WTHOR: bytes, little endian.

_HEADER = Struct("<BBBBIHHBBBB")
"""Century, year, month, day; games, names; year of the games, size, type, depth, spare."""
_GAME = Struct("<HHHBB60s")
"""Tournament, Black, White; black discs at the end, and with best play; moves: 10 row + column."""
_PLAYER, _TOURNAMENT = 20, 26
"""Bytes of a name."""
_SQUARES: Final = {10 * (at // 8) + at % 8 + 11: name for at, name in enumerate(SQUARES)}


def _read_file(data: bytes, beside: Sequence[bytes]) -> Sequence[Record] | None:
    if len(data) < _HEADER.size or b"\0" not in data[: _HEADER.size]:
        return None
    century, _, month, day, count, _, year, size, *_ = _HEADER.unpack_from(data)
    if century not in (19, 20) or month > 12 or day > 31:
        return None
    if _is_names(data, _PLAYER) or _is_names(data, _TOURNAMENT):
        raise RecordError("record-names")
    if size not in (0, 8):
        raise RecordError("record-board", size=f"{size} by {size}")
    if len(data) != _HEADER.size + count * _GAME.size:
        raise RecordError("record-counts", games=count)
    if not count:
        raise RecordError("record-empty")
    names = _names(beside, _PLAYER), _names(beside, _TOURNAMENT), str(year)
    found = enumerate(_GAME.iter_unpack(data[_HEADER.size :]), 1)
    return [LazyRecord("othello", _head, _played, *game, number, names) for number, game in found]


def _head(event: int, black: int, white: int, discs: int, *rest: Any) -> Headers:
    people, events, year = rest[-1]
    return (
        ("Seat1", people.get(black, f"#{black}")),
        ("Seat2", people.get(white, f"#{white}")),
        ("Event", events.get(event, f"#{event}")),
        ("Date", year),
        ("Result", "1-0" if discs > 32 else "0-1" if discs < 32 else "1/2-1/2"),
        ("Score", f"{discs}-{64 - discs}"),
    )


def _is_names(data: bytes, size: int) -> bool:
    *_, games, names, year, _, _, _, _ = _HEADER.unpack_from(data)
    return not games and not year and len(data) == _HEADER.size + names * size > _HEADER.size


def _names(files: Sequence[bytes], size: int) -> dict[int, str]:
    """Return the names in the one of `files` that has names of this size."""
    for data in files:
        if len(data) > _HEADER.size and _is_names(data, size):
            starts = range(_HEADER.size, len(data), size)
            names = (data[at : at + size].partition(b"\0")[0] for at in starts)
            return {number: clean(name.decode("latin-1")) for number, name in enumerate(names)}
    return {}


def _played(*game: Any) -> Record:
    *_, moves, number, _ = game
    squares: bytes = moves.rstrip(b"\0")
    words = [Word(_SQUARES.get(square, f"{square}"), number) for square in squares]
    return played("othello", words, chosen=_OPTIONS)


FORMATS = Formats(
    writers={"transcript": _transcript, "ggf": _ggf},
    read_file=_read_file,
    read_text=_read_text,
    words=_words,
    seats=("Black", "White"),
)
