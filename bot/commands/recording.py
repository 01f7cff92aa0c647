"""Records of games as files: ``/export`` and ``/import``."""

import asyncio
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import accumulate, chain
from lzma import LZMAError
from zipfile import BadZipFile, ZipFile, is_zipfile

import games
from bot.app import App
from bot.commands.base import Answer, Context
from bot.commands.menus import page_buttons, page_of
from bot.commands.own import fitted
from bot.commands.resolving import WITH_MOVES, parse_number, resolve_match
from bot.commands.tokens import paged
from bot.commands.vocabulary import find_game, games_shown
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Headers, Match, Ply, Status
from bot.matches import beginning
from bot.matches.names import readable
from bot.screens import Button, File, Screen, in_rows
from bot.screens.past import can_export, record_of
from bot.store import match_queries
from bot.store import matches as match_store
from bot.support.texts import Texts
from games import GameError, records
from games.records import Record, RecordError

_MOST = 1000
"""Games in a file, as `games.records.read` accepts."""
_AT_ONCE = 100
_KEPT = ("Event", "Date", "Seat1", "Seat2", "Result")
_LONGEST = 40
_FEW = 8
_OVERHEAD = 20_000
"""Bytes that count for any file, for the records that are read of it."""
_MOST_FILES = 100
"""Files of an archive. WTHOR has one a year."""
_NAMES = (".jou", ".trn")
"""The names of players and tournaments, for the games of WTHOR beside them."""
_BROKEN = (BadZipFile, EOFError, LZMAError, OSError, RuntimeError, ValueError, zlib.error)
"""What `zipfile` and its decoders raise for archives that are spoilt, encrypted or too new."""
_HEADERS_IN_A_LINE = re.compile(r'"\][ \t]+')


async def record(context: Context) -> Screen:
    """``/export``: send the record of a match as a file."""
    form, texts = context.command.argument or records.OURS, context.texts
    loaded = await resolve_match(context, *WITH_MOVES, argument=form)
    match = loaded.match
    names = await context.app.names.seated(match, texts, context.place.id)
    text = records.write_as(record_of(match, names), form)
    suffix = form if form in ("ggf", "pgn") else "txt"
    others = [one for one in records.forms(match.game) if one != form]
    buttons = [
        Button(texts(f"button-record-{one}"), Action("record", match.id, argument=one))
        for one in others
    ]
    buttons.append(Button(texts("button-records"), Action("records", argument=paged(0))))
    return Screen(
        text=texts("record-file", match=match.id),
        rows=in_rows(buttons, 2),
        secret=True,
        again=Action("record", match.id, argument=form),
        file=File(f"{match.game}-{match.id}.{suffix}", text.encode()),
    )


async def records_of_user(context: Context) -> Screen:
    """Send the user's games as one file, the newest first, `_MOST` on a page."""
    texts, page = context.texts, context.command.page
    over = [Status.OVER, Status.RUNNING]
    every = await match_queries.of_user(context.store, context.user.id, status=over)
    found: list[Match] = []
    for first in range(page * _MOST, min(len(every), (page + 1) * _MOST), _AT_ONCE):
        some = every[first : first + _AT_ONCE]
        loaded = await match_store.load_several(context.store, some)
        found += [loaded[match_id] for match_id in some if can_export(loaded[match_id])]
    if not found:
        raise Refused("no-records")
    players = {who for match in found for who in match.players}
    names = await context.names(players)
    file = await fitted(
        context,
        "azumaya-games.txt",
        lambda: records.write(*(record_of(match, names) for match in found)).encode(),
    )
    to = Action("records", argument=paged(page + 1))
    older = (Button(texts("button-records-older"), to),) if len(every) > (page + 1) * _MOST else ()
    return Screen(
        text=texts("records-file", count=len(found)),
        rows=(older,) if older else (),
        secret=True,
        again=Action("records", argument=paged(page)),
        file=file,
    )


def check_size(size: int) -> None:
    """Check the size of a file, before a download. Raises `Refused`."""
    if size > records.MOST_BYTES:
        raise Refused("import-large", most=records.MOST_BYTES // 1_000_000)


async def remember(app: App, user_id: int, data: bytes | str, texts: Texts) -> tuple[Record, ...]:
    """Read records, and keep them while the user chooses one. Raises `Refused`."""
    try:
        found = await asyncio.to_thread(_read, data)
    except GameError as error:
        raise Refused("import-none", why=_why(texts, error)) from None
    size = records.MOST_BYTES if _is_archive(data) else len(data)
    app.imports[user_id] = found, size + _OVERHEAD
    return found


def _why(texts: Texts, error: GameError, game: str = "") -> str:
    """Return where a record is wrong, and why. Errors do not always name their game."""
    said = {key: readable(it) if isinstance(it, str) else it for key, it in error.details.items()}
    for key in ("game", "games"):
        if (named := set(str(said.get(key, "")).split(", "))) <= set(games.ids()):
            said[key] = games_shown(texts, named)
    error = GameError(error.code, **said)
    known = (one for one in (game, *games.ids()) if texts.has(f"{one}-error-{error.code}"))
    game = next(known, game)
    why = texts.refusal(game, error, before="")
    if error.code.startswith("record-") or "line" not in error.details:
        return why
    line, move = error.details["line"], error.details.get("move") or "–"
    return texts("import-fault", line=line, move=move, why=why)


def _read(data: bytes | str) -> tuple[Record, ...]:
    if isinstance(data, bytes):
        return _in_archive(data) if _is_archive(data) else records.read(data)
    # Some fields turn line breaks into spaces.
    text = _HEADERS_IN_A_LINE.sub('"]\n', data.strip())
    first, _, rest = text.partition(" ")
    game = find_game(first) if rest else None
    return records.read(rest if game else text, game=game.id if game else None)


def _is_archive(data: bytes | str) -> bool:
    return isinstance(data, bytes) and data.startswith(b"PK") and is_zipfile(BytesIO(data))


def _in_archive(data: bytes) -> tuple[Record, ...]:
    """Return the games of all files in a zip archive."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            every = [one for one in archive.infolist() if not one.is_dir()]
            # Reading stops at the size that the archive declares.
            if len(every) > _MOST_FILES or sum(one.file_size for one in every) > records.MOST_BYTES:
                raise RecordError("record-too-large", most=records.MOST_BYTES // 1_000_000)
            files = {one.filename.lower(): archive.read(one) for one in every}
    except RecordError:
        raise
    except _BROKEN:
        raise RecordError("record-binary") from None
    names = [content for name, content in files.items() if name.endswith(_NAMES)]
    games_of = (
        records.read(content, beside=names)
        for name, content in files.items()
        if not name.endswith(_NAMES)
    )
    if not (found := tuple(chain.from_iterable(games_of))):
        raise RecordError("record-names" if names else "record-empty")
    return found


async def import_record(context: Context) -> Answer | Screen:
    """Open the record that was given, or chosen by a button. Ask which one of several."""
    app, command = context.app, context.command
    record = await command.record() if callable(command.record) else command.record
    if record:
        found = await remember(app, context.user.id, record, context.texts)
    elif (kept := app.imports.get(context.user.id)) is not None:
        found, _ = kept
    elif command.argument or command.page:
        raise Refused("import-gone")
    else:
        raise Refused("import-what", before=context.syntax("import"))
    if len(found) > 1 and not command.argument:
        return _which(context, found)
    number = parse_number(command.argument or "1")
    if not 1 <= number <= len(found):
        raise Refused("button-unknown")
    answer = await _opened(context, found[number - 1])
    if len(found) == 1:
        app.imports.pop(context.user.id, None)
    return answer


def _which(context: Context, found: Sequence[Record]) -> Screen:
    numbers = page_of(range(1, len(found) + 1), context.command.page, size=_FEW)
    to = partial(Action, "import", 0, 0)
    every = [Button(_called(context, at, found[at - 1]), to(str(at))) for at in numbers]
    pages = page_buttons(context, len(found), lambda page: to(paged(page)), size=_FEW)
    text = context.texts("import-which", count=len(found))
    return Screen(text=text, rows=(*in_rows(every, 1), *pages), secret=True)


def _called(context: Context, number: int, record: Record) -> str:
    kept = dict(_headers(record))
    players = " – ".join(kept[name] for name in ("Seat1", "Seat2") if name in kept)
    about = [players or context.texts(f"{record.game}-name"), kept.get("Date"), kept.get("Result")]
    return f"{number}. {' · '.join(filter(None, about))}"


def _headers(record: Record) -> Headers:
    said = ((name, readable(record.header(name))[:_LONGEST]) for name in _KEPT)
    return tuple((name, value) for name, value in said if value)


async def _opened(context: Context, record: Record) -> Answer:
    # Records of large files are read now.
    plies = await asyncio.to_thread(lambda: tuple(_plies(record, context.store.now())))
    place, headers = await context.direct_chat(), _headers(record)
    if record.fault is not None:
        said = _why(context.texts, record.fault.error, record.game)
        if not plies:
            raise Refused("import-none", why=said)
        # The board says why it ends early, also where an answer could not.
        headers = (*headers, ("Fault", said))
    context = context.asking(game=record.game, options=record.options)
    new = replace(context.new_match(place), headers=headers)
    study = await beginning.begin(context.matches, new, record.setup, plies=plies)
    return context.answer_started(study, place)


def _plies(record: Record, now: int) -> Iterator[Ply]:
    """Yield the moves at the times of the record, as if it had ended now."""
    known = len(record.seconds) == len(record.moves) and sum(record.seconds) < now
    seconds = record.seconds if known else (0.0,) * len(record.moves)
    start = now - sum(seconds)
    for (seat, notation), at in zip(record.moves, accumulate(seconds), strict=True):
        yield Ply(seat, notation, round(start + at))
