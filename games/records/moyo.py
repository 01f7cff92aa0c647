"""A sudoku of 81 characters as a beginning of Sudoku Moyo: ``0`` or ``.`` for an empty cell."""

import re

from games.records.base import Formats, Record, played

_MOST_SIGNS = 1000


def _read(text: str) -> tuple[Record, ...] | None:
    if len(text) > _MOST_SIGNS:
        return None
    sudoku = re.sub(r"[\s|+-]+", "", text).replace(".", "0")
    if not re.fullmatch(r"[0-9]{81}", sudoku):
        return None
    return (played("moyo", (), setup=f"{sudoku} 0", line_of=lambda _: 1),)


FORMATS = Formats(read_text=_read)
