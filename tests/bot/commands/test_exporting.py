"""Games as files: one in several formats, or all of a user's."""

from dataclasses import replace

import games
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Ending, EndingKind
from bot.matches import playing
from bot.screens import File
from bot.screens.past import record_of
from games.records import Record, read
from tests.bot.table import Person, Table, buttons, said, screen_of


def file_in(answer: Answer) -> File:
    screen = screen_of(answer)
    assert screen.secret
    assert screen.file is not None
    return screen.file


def only(answer: Answer) -> Record:
    (record,) = read(file_in(answer).data)
    return record


async def over(table: Table, anna: Person, ben: Person) -> int:
    """Play three moves of Othello, the second after a minute, and let White resign."""
    match_id = await table.begin(anna, ben, words="othello black")
    for move in ("f5", "d6", "c3"):
        await table.plays(match_id, move)
        table.clock.forward(60)
    await playing.end(table.app.matches, match_id, Ending(EndingKind.RESIGNED, 1))
    return match_id


async def test_the_record_of_a_game_is_a_file_that_reads_back(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await over(table, anna, ben)
    answer = await anna.types(f"/export {match_id}")
    assert said(answer) == anna.says("record-file", match=match_id)
    assert file_in(answer).name == f"othello-{match_id}.txt"
    record = only(answer)
    assert record.moves == ((0, "f5"), (1, "d6"), (0, "c3"))
    assert [*record.seconds] == [0, 60, 60]
    match = (await table.loaded(match_id)).match
    assert (record.game, record.setup) == ("othello", match.setup)
    assert record.options == match.options
    headers = dict(record.headers)
    assert headers.pop("Date").count(".") == 2
    assert headers == {
        "Seat1": "Anna",
        "Seat2": "Ben",
        "Result": "1-0",
        "Score": "5-2",
        "Termination": "resigned",
    }


async def test_a_button_or_a_word_chooses_another_format(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await over(table, anna, ben)
    pressed = buttons(await anna.types(f"/export {match_id}"))
    assert list(pressed) == ["Transcript", "GGF", "All my games"]
    assert file_in(await anna.presses(pressed["Transcript"])).data == b"f5d6c3\n"
    for line in (f"/export {match_id} ggf", "/export GGF", "/export othello ggf"):
        file = file_in(await anna.types(line))
        assert file.name == f"othello-{match_id}.ggf"
        assert b"RE[+64.000:r]" in file.data
    answer = await anna.types(f"/export {match_id} pgn")
    assert said(answer) == anna.says("error-record-form", form="pgn", forms="text, transcript, ggf")


async def test_a_spectator_gets_the_record_where_the_game_is_shown(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await over(table, anna, ben)
    assert only(await cleo.types(f"/export {match_id}")).moves
    refused = await cleo.types(f"/export {match_id}", place=cleo.direct)
    assert said(refused) == cleo.says("error-no-such-match", match=match_id)


async def test_a_hidden_game_has_a_record_after_its_end(table: Table, anna: Person) -> None:
    match_id = await anna.starts("/blackbox new", place=anna.direct)
    answer = await anna.types(f"/export {match_id}", place=anna.direct)
    assert said(answer) == anna.says("error-record-hidden")
    assert said(await anna.types("/export all", place=anna.direct)) == anna.says("error-no-records")
    await playing.end(table.app.matches, match_id, Ending(EndingKind.RESIGNED, 0))
    match = (await table.loaded(match_id)).match
    assert only(await anna.types(f"/export {match_id}", place=anna.direct)).setup == match.setup


async def test_all_games_of_a_player_are_one_file(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    mine = [await over(table, anna, ben), await table.begin(anna, ben, words="morris")]
    await over(table, ben, cleo)
    answer = await anna.types("/export all")
    assert said(answer) == anna.says("records-file", count=2)
    found = read(file_in(answer).data)
    assert [record.game for record in found] == ["morris", "othello"]
    assert found[1].moves == (await table.loaded(mine[0])).match.moves
    anna.most_bytes = len(file_in(answer).data) - 1
    assert file_in(await anna.types("/export all")).name == "azumaya-games.txt.zip"
    beyond = await anna.presses(Action("records", argument="~1"))
    assert said(beyond) == anna.says("error-no-records")


async def test_a_record_names_no_player_without_being_given_the_names(
    table: Table, anna: Person, ben: Person
) -> None:
    match = (await table.loaded(await over(table, anna, ben))).match
    assert "Anna" not in str(record_of(match))
    drawn = games.Outcome(frozenset(), "agreed", (3, 4))
    assert record_of(replace(match, outcome=drawn)).header("Result") == "1/2-1/2"
    none = replace(match, outcome=None, ending=Ending(EndingKind.ABORTED))
    assert record_of(none).headers[1:] == (("Result", "*"), ("Termination", "aborted"))
