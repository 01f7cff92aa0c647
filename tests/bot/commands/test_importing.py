"""Records that users bring along: opened as studies, in private."""

from dataclasses import replace
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from bot.commands import Answer, recording
from bot.domain.actions import Action
from bot.domain.model import EndingKind, Status
from bot.support.texts import Texts
from games import records
from tests.bot.commands.test_past import step
from tests.bot.table import Person, Table, buttons, said, screen_of
from tests.games.test_records import ROW, names, wthor

RECORD = """[Game "othello"]
[Event "Club cup"]
[Date "2026.11.29"]
[Seat1 "Ann"]
[Seat2 "Ben\u202e"]
[Result "40-24"]

1. f5 {[%emt 0:00:03]} d6 {[%emt 0:00:12]} 2. c3
"""


async def imported(table: Table, person: Person, text: str) -> int:
    """Import a record in the direct chat, and return its study."""
    answer = await person.types(f"/import {text}", place=person.direct)
    assert answer == Answer(), said(answer)
    return await table.newest(person.direct)


async def test_a_record_opens_as_a_study_at_its_end_with_its_names_and_times(
    table: Table, anna: Person
) -> None:
    match_id = await imported(table, anna, RECORD)
    match = (await table.loaded(match_id)).match
    assert (match.status, [ply.notation for ply in match.plies]) == (
        Status.OVER,
        ["f5", "d6", "c3"],
    )
    assert match.ending is not None
    assert (match.ending.kind, match.outcome) == (EndingKind.CLOSED, None)
    shown = await table.screen(match_id, anna)
    assert shown.title == "Study · Othello · Ann – Ben · Club cup · 2026.11.29 · 40-24"
    assert shown.text.splitlines()[0] == "The record ends here."
    assert [side.name for side in shown.sides] == ["Ann", "Ben"]
    assert list(buttons(shown)) == ["Replay", "Analysis", "Try moves", "Play computer"]
    assert (await step(anna, match_id, 1, private=True)).text.startswith("1. f5")


async def test_a_record_without_headers_ends_like_one_with_headers(
    table: Table, anna: Person
) -> None:
    match_id = await imported(table, anna, "f5d6c3")
    shown = await table.screen(match_id, anna)
    assert shown.text.splitlines()[0] == "The record ends here."


async def test_a_field_without_line_breaks_has_headers_too(table: Table, anna: Person) -> None:
    match_id = await imported(table, anna, RECORD.replace("\n", " "))
    match = (await table.loaded(match_id)).match
    assert len(match.plies) == 3
    assert dict(match.headers or ())["Seat1"] == "Ann"


async def test_a_record_that_ends_early_opens_as_far_as_it_goes_and_says_why(
    table: Table, anna: Person
) -> None:
    match_id = await imported(table, anna, "f5 d6\nc3 a1 d3")
    shown = await table.screen(match_id, anna)
    assert len((await table.loaded(match_id)).match.plies) == 3
    line = shown.text.splitlines()[0]
    assert line.startswith("The record ends here.")
    assert "a1" in line
    assert "2" in line


async def test_times_that_would_begin_before_all_dates_are_left_out(
    table: Table, anna: Person
) -> None:
    moves = '"mark c3" {[%emt 999999:00:00]} "unmark c3" {[%emt 999999:00:00]} ' * 10
    header = '[Game "blackbox"]\n[Setup "e8 c6 h2 a1 b5"]'
    match_id = await imported(table, anna, f"{header}\n\n{moves}")
    exported = screen_of(await anna.types(f"/export {match_id}", place=anna.direct))
    assert exported.file is not None
    assert b"0:00:00" in exported.file.data


async def test_a_position_alone_is_an_open_study(table: Table, anna: Person) -> None:
    sudoku = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    match_id = await imported(table, anna, sudoku)
    loaded = await table.loaded(match_id)
    assert (loaded.game.id, loaded.match.status) == ("moyo", Status.RUNNING)
    assert "Close" in buttons(await table.screen(match_id, anna))


@pytest.mark.parametrize("text", ["", "hello world", "d3"])
async def test_what_is_no_record_is_refused_with_the_reason(
    table: Table, anna: Person, text: str
) -> None:
    answer = await anna.types(f"/import {text}")
    assert answer.refused
    assert "error-" not in said(answer)
    assert "�" not in said(answer)
    # Games are called by their names.
    assert said(answer).endswith(": Nine Men's Morris, Othello, Sogo") is (text == "d3")


async def test_one_of_several_games_is_chosen_in_pages(table: Table, anna: Person) -> None:
    text = '[Game "othello"]\n\nf5 d6 c3\n\n[Game "othello"]\n\nf5 f6 e6 f4\n\n' * 6
    listed = await anna.types(f"/import {text}", place=anna.direct)
    assert said(listed) == "12 games. Which one?"
    assert list(buttons(listed))[:2] == ["1. Othello", "2. Othello"]
    later = await anna.presses(Action("import", argument="~1"), place=anna.direct)
    assert next(iter(buttons(later))) == "9. Othello"
    assert await anna.presses(buttons(later)["10. Othello"], place=anna.direct) == Answer()
    match = (await table.loaded(await table.newest(anna.direct))).match
    assert len(match.plies) == 4
    for argument in ("13", "0", "x"):
        wrong = await anna.presses(Action("import", argument=argument), place=anna.direct)
        assert said(wrong) == anna.says("error-button-unknown")
    table.app.imports.clear()
    gone = await anna.presses(Action("import", argument="2"), place=anna.direct)
    assert said(gone) == anna.says("error-import-gone")


async def test_a_file_opens_too_and_a_large_one_is_not_read(table: Table, anna: Person) -> None:
    command = replace(await anna.command(anna.direct), verb="import", record=RECORD.encode())
    assert await table.commands.run(command) == Answer()
    large = replace(command, record=b"f5" * records.MOST_BYTES)
    assert (await table.commands.run(large)).refused


def zipped(**files: bytes) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return packed.getvalue()


async def test_an_archive_of_wthor_has_games_with_the_names_beside_them(
    table: Table, anna: Person
) -> None:
    files = {"wthor_jou": names(20, "?", "?", "Inoue", "Heiberg"), "WTH_1977_wtb": wthor(ROW * 2)}
    command = replace(await anna.command(anna.direct), verb="import", record=zipped(**files))
    assert "1. Inoue – Heiberg · 1977 · 1-0" in buttons(await table.commands.run(command))


@pytest.mark.parametrize(
    "data",
    [
        zipped(a=b"0" * 50_000_000),
        zipped(**{str(number): b"" for number in range(200)}),
        zipped(a=b"f5d6c3").replace(zipped(a=b"f5d6c3")[31:36], b"spoilt"[:5]),
        zipped(wthor_jou=names(20, "a")),
        b"PK\x03\x04" + b"\0" * 100,
    ],
)
async def test_an_archive_that_is_broken_or_too_large_is_refused(
    table: Table, anna: Person, data: bytes
) -> None:
    command = replace(await anna.command(anna.direct), verb="import", record=data)
    answer = await table.commands.run(command)
    assert answer.refused
    assert said(answer) != anna.says("error-ours")


async def test_files_to_choose_from_are_kept_within_a_limit_for_all_users(
    table: Table, anna: Person
) -> None:
    text = '[Game "othello"]\n\nf5 d6 c3\n\n' * 2 + "{" + "x" * 900_000
    for user_id in range(30):
        await recording.remember(table.app, user_id, text, Texts("en"))
    assert 8 < len(table.app.imports) < 12
    # A single game is opened at once.
    await imported(table, anna, "f5 d6 c3")
    assert anna.id not in table.app.imports
