"""Records of games: written in our format and the world's, read from many.

>>> from games import records
>>> record, = records.read("F5D6C3")
>>> record.game, record.moves
('othello', ((0, 'f5'), (1, 'd6'), (0, 'c3')))
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import games
from games.records import text as our
from games.records.base import (
    Fault,
    Formats,
    Headers,
    LazyRecord,
    Record,
    RecordError,
    Word,
    joined,
    option_sets,
    played,
    usual_setup,
)
from games.records.text import write

__all__ = ["MOST_BYTES", "Fault", "Record", "RecordError", "forms", "read", "write", "write_as"]

MOST_BYTES = 5_000_000
"""WTHOR's 61,549 games from 2001 to 2020 have 4.2 MB."""
_MOST_TEXT = 1_000_000
"""Some 1,000 games with times."""
_MOST_SETUP = 2000
OURS = "text"
"""The name of our format."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_OF_OTHERS = ("Game", "Setup", "SetUp", "FEN")


@cache
def _formats(game_id: str) -> Formats:
    if game_id not in {module.name for module in iter_modules(__path__)}:
        return Formats()
    found: Formats = import_module(f"{__name__}.{game_id}").FORMATS
    return found


def forms(game_id: str) -> tuple[str, ...]:
    """Return the names of the formats in which a game can be written, ours first."""
    return (OURS, *_formats(game_id).writers)


def write_as(record: Record, form: str) -> str:
    """Write a record in a format of `forms`. Raises `RecordError` if the format lacks something."""
    writer = write if form == OURS else _formats(record.game).writers.get(form)
    if writer is None:
        raise RecordError("record-form", form=form, forms=", ".join(forms(record.game)))
    return writer(record)


def read(
    data: bytes | str, *, game: str | None = None, beside: Sequence[bytes] = ()
) -> tuple[Record, ...]:
    """Return the games in a text or file, of `game` if it is given.

    `beside` are files that belong to it, such as the names of WTHOR. Records end early where a move
    is wrong (`Record.fault`). Raises `RecordError` if nothing can be opened.
    """
    if len(data) > MOST_BYTES:
        raise RecordError("record-too-large", most=MOST_BYTES // 1_000_000)
    if game is not None and game not in games.ids():
        raise RecordError("record-game", game=game[:40])
    ids = games.ids() if game is None else (game,)
    if isinstance(data, bytes):
        for game_id in ids:
            if (found := _formats(game_id).read_file(data, beside)) is not None:
                return tuple(found)
    records = tuple(_read(_decoded(data), ids))
    if len(records) == 1 and (fault := records[0].fault):
        usual = usual_setup(games.get(records[0].game), records[0].options)
        if not fault.move or (not records[0].moves and records[0].setup == usual):
            raise fault.error
    return records


def _decoded(data: bytes | str) -> str:
    if len(data) > _MOST_TEXT:
        raise RecordError("record-too-large", most=_MOST_TEXT // 1_000_000)
    if isinstance(data, bytes):
        is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        try:
            text = data.decode("utf-16" if is_wide else "utf-8")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    else:
        text = data
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if found := _CONTROL.search(text):
        raise RecordError("record-binary", line=text.count("\n", 0, found.start()) + 1)
    if not text.strip():
        raise RecordError("record-empty")
    return text


def _read(text: str, ids: Sequence[str]) -> Iterable[Record]:
    for game_id in ids:
        if (found := _formats(game_id).read_text(text)) is not None:
            return found
    parts = our.parts(text)
    if parts[0].headers:
        return list(_with_headers(text, parts, ids))
    return [_guessed(text, parts[0], ids)]


def _with_headers(text: str, parts: list[our.Part], ids: Sequence[str]) -> Iterator[Record]:
    guess = ""
    for part in parts:
        game_id = part.headers.get("Game", guess).lower()
        if not game_id:
            game_id = guess = _guessed(text, part, ids).game
        if game_id not in ids:
            code = "record-other-game" if game_id in games.ids() else "record-game"
            raise RecordError(code, game=game_id[:40], line=text.count("\n", 0, part.at) + 1)
        yield LazyRecord(game_id, _seated, _part, text, part, game_id)


def _seated(_: str, part: our.Part, game_id: str) -> Headers:
    """Return the headers, with the players by seat."""
    first, second = _formats(game_id).seats
    names = {first: "Seat1", second: "Seat2"}
    return tuple(
        (names.get(name, name), value)
        for name, value in part.headers.items()
        if name not in _OF_OTHERS and not name.startswith("Option.")
    )


def _part(text: str, part: our.Part, game_id: str, words: list[Word] | None = None) -> Record:
    formats, headers = _formats(game_id), part.headers
    words = our.words(text, part) if words is None else words
    options = {
        name.removeprefix("Option."): value
        for name, value in headers.items()
        if name.startswith("Option.")
    }
    if verbs := games.get(game_id).verbs:

        def whole(verb: str, rest: str) -> str:
            is_one = verb in verbs and rest.partition(" ")[0] not in verbs
            return f"{verb} {rest}" if is_one else ""

        words = joined(words, whole)
    return played(
        game_id,
        formats.words(words),
        headers=_seated(text, part, game_id),
        setup=formats.setup(headers),
        chosen=options if options or "Game" in headers else None,
        line_of=lambda at: text.count("\n", 0, max(at, part.at)) + 1,
    )


def _guessed(text: str, part: our.Part, ids: Sequence[str]) -> Record:
    """Return the record of the game in which most moves can be played, or of a set-up alone."""
    words, given = our.words(text, part), {_formats(one).setup(part.headers) for one in ids} - {""}
    found = [_part(text, part, game_id, words) for game_id in _open(ids)]
    if not part.headers and len(text) < _MOST_SETUP:
        given.add(text.strip())
        found += [played(game_id, (), setup=text.strip()) for game_id in _open(ids)]
    whole = [one for one in found if not one.fault and (one.moves or one.setup in given)]
    if len(whole) > 1:
        raise RecordError("record-which", games=", ".join(record.game for record in whole))
    best = whole[0] if whole else max(found, key=lambda record: len(record.moves))
    if len(ids) > 1 and not whole and not best.moves:
        if not words:
            raise RecordError("record-empty")
        line = text.count("\n", 0, words[0].at) + 1
        raise RecordError("record-unknown", line=line, move=words[0].text[:40])
    return best


def _open(ids: Sequence[str]) -> Sequence[str]:
    """Return the games to guess from. The cells of a secret look like moves of other games."""
    if len(ids) == 1:
        return ids
    return [
        game_id
        for game_id in ids
        if not any(map(games.get(game_id).has_secrets, option_sets(game_id)))
    ]
