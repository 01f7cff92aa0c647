"""Records: round trips of every game, real games in the world's formats, and hostile files."""

import pickle
import struct
import tracemalloc
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games import GameError, Outcome
from games.records import MOST_BYTES, Record, RecordError, forms, read, write, write_as
from games.records.base import MOST_MOVES
from tests.games.playing import CASES, Case, each_case, play_out, spoilt

START = "...........................OX......XO........................... X"


def record_of(case: Case, seed: int = 0, *, headers: tuple[tuple[str, str], ...] = ()) -> Record:
    match = play_out(case, seed)
    seconds = tuple(Random(seed).randrange(9999) / 4 for _ in match.plies)
    moves = tuple(match.record)
    return Record(case.game.id, case.options, match.setup, moves, seconds, headers)


def only(data: bytes | str, game: str | None = None) -> Record:
    (record,) = read(data, game=game)
    return record


def ended(record: Record) -> tuple[int, ...] | None:
    """Return the scores if the record leads to the end of its game."""
    game = games.get(record.game)
    outcome: Outcome | None = game.replay(record.options, record.setup, record.moves).outcome()
    return outcome.scores if outcome else None


def same(one: Record, other: Record) -> bool:
    names = ("game", "options", "setup", "moves", "seconds", "headers", "fault")
    return all(getattr(one, name) == getattr(other, name) for name in names)


# Our format


@each_case
def test_a_record_reads_back_as_it_was_written(case: Case) -> None:
    for seed in range(2):
        written = record_of(case, seed, headers=(("Seat1", 'Ann "A" \\'), ("Result", "*")))
        assert same(only(write(written)), written)


@each_case
def test_a_record_without_moves_is_a_set_up(case: Case) -> None:
    for position in islice(play_out(case).positions, 5, None, 7):
        written = Record(case.game.id, case.options, position.setup())
        assert same(only(write(written)), written)


def test_a_set_up_may_be_long() -> None:
    options = games.get("blackbox").options_from({"size": "10"})
    marks = " ".join(f"{column}{row}" for row in range(1, 11) for column in "abcdefghij")
    written = Record("blackbox", options, f"e8 c6 h2 a1 b5|1 2|{marks}|seek")
    assert same(only(write(written)), written)


def test_several_games_are_one_file() -> None:
    written = [record_of(case) for case in CASES]
    written[1:1] = [replace(record, moves=(), seconds=()) for record in written[:2]]
    found = read(write(*written))
    assert len(found) == len(written)
    assert all(map(same, found, written))


def test_a_header_stays_on_its_line() -> None:
    written = Record("othello", {"rules": "othello"}, START, headers=(("Seat1", "a\nb\x00" * 200),))
    assert len(only(write(written)).header("Seat1")) <= 300


@given(st.lists(st.tuples(st.from_regex(r"[A-Z][a-z]{3,9}", fullmatch=True), st.text())))
@settings(max_examples=30, database=None)
def test_headers_of_any_text_do_not_change_the_game(headers: list[tuple[str, str]]) -> None:
    headers = [pair for pair in headers if pair[0] not in {"Game", "Setup", "White", "Black"}]
    written = Record("othello", {"rules": "othello"}, START, ((0, "f5"),), (), tuple(headers))
    assert only(write(written)).moves == written.moves


def test_a_read_record_can_be_pickled() -> None:
    record = only("F5D6")
    assert same(pickle.loads(pickle.dumps(only(write(record)))), record)


# The world's formats


@each_case
def test_a_record_reads_back_from_each_format_that_can_hold_it(case: Case) -> None:
    written = record_of(case, headers=(("Seat1", "Ann]"), ("Seat2", "Ben"), ("Date", "2026.11.29")))
    for form in forms(case.game.id)[1:]:
        if case.game.id == "othello" and case.chosen:
            continue
        found = only(write_as(written, form), case.game.id)
        assert (found.setup, found.moves) == (written.setup, written.moves)
        assert form == "transcript" or found.header("Seat2") == "Ben"


@pytest.mark.parametrize(("game", "form"), [("othello", "ggf"), ("morris", "pgn")])
def test_a_set_up_reads_back_from_each_format_that_can_hold_it(game: str, form: str) -> None:
    case = Case(games.get(game), ())
    for position in islice(play_out(case).positions, 5, None, 7):
        written = Record(game, case.options, position.setup())
        assert only(write_as(written, form), game).setup == written.setup


def test_a_transcript_has_no_set_up_and_no_other_rules() -> None:
    with pytest.raises(RecordError, match="record-form-setup"):
        write_as(Record("othello", {"rules": "othello"}, START.replace("X", "O")), "transcript")
    with pytest.raises(RecordError, match="record-form-options"):
        write_as(Record("othello", {"rules": "reversi"}, START), "transcript")
    with pytest.raises(RecordError, match="record-form"):
        write_as(Record("othello", {"rules": "othello"}, START), "pgn")


def found(name: str) -> str:
    """Return a record as another program or a site wrote it; `REAL` says where it is from."""
    return (Path(__file__).parent / "records" / name).read_text("utf-8").rstrip("\n")


INOUE, NICOLET, DRAW = map(found, ("woc_1977.txt", "woc_2007.txt", "reversatile.txt"))
PLAYOK, SANMILL, ANNOTATED = map(found, ("playok.txt", "sanmill.txt", "annotated.txt"))
NBOARD = found("nboard.ggf")
REAL = [
    # WTHOR 1977 and 2007: World Othello Championships; the results are those that WTHOR names.
    ("woc 1977", INOUE, "othello", 60, (45, 19)),
    (
        "woc 2007: github.com/rcrr/reversi, book/120_game-representation.md",
        NICOLET,
        "othello",
        60,
        (35, 29),
    ),
    ("github.com/oers/reversatile/issues/22", DRAW, "othello", 61, (32, 32)),
    ("github.com/okuhara/edax-reversi-AVX/issues/1", NBOARD, "othello", 35, None),
    ("github.com/calcitem/Sanmill, import_service_test.dart", PLAYOK, "morris", 39, (2, 0)),
    ("github.com/calcitem/Sanmill, reported_game_feedback", SANMILL, "morris", 40, (0, 7)),
    ("the same with captures apart", SANMILL.replace("x", " x"), "morris", 40, (0, 7)),
    ("github.com/calcitem/Sanmill/issues/895", ANNOTATED, "morris", 24, None),
]


@pytest.mark.parametrize(
    ("text", "game", "moves", "scores"), [case[1:] for case in REAL], ids=[case[0] for case in REAL]
)
def test_a_real_game_comes_to_the_result_that_it_names(
    text: str, game: str, moves: int, scores: tuple[int, int] | None
) -> None:
    record = only(text)
    assert (record.game, len(record.moves), record.fault) == (game, moves, None)
    assert ended(record) == scores


def test_a_transcript_is_read_in_any_form() -> None:
    expected = only(INOUE).moves
    pairs = [INOUE[at : at + 2] for at in range(0, len(INOUE), 2)]
    numbered = " ".join(f"{number}. {pair}" for number, pair in enumerate(pairs, 1))
    for text in (INOUE.upper(), "\n".join(pairs), numbered, f"\ufeff{INOUE}\r\n", ", ".join(pairs)):
        assert only(text).moves == expected
        assert only(text.encode("utf-16"), "othello").moves == expected


def test_passes_are_read_whether_they_are_written_or_not() -> None:
    record = only(DRAW)
    assert [move for _, move in record.moves].count("pass") == 1
    for word in ("pass", "--", "PA"):
        text = " ".join(move.replace("pass", word) for _, move in record.moves)
        assert only(text).moves == record.moves


def test_the_times_and_names_of_a_ggf_are_read() -> None:
    record = only(NBOARD)
    assert record.seconds[:3] == (2.449, 0, 1.264)
    assert record.headers[:2] == (("Site", "NBoard"), ("Date", "2022-01-17 12:52:30 GMT"))
    assert record.header("Seat2") == "Edax24"


def test_a_ggf_names_the_score_and_who_resigned() -> None:
    record = only("(;GM[Othello]RE[-12.000:r]B[f5])")
    assert record.headers == (("Result", "0-1"), ("Score", "26-38"), ("Termination", "resigned"))
    assert "RE[-64.000:r]" in write_as(record, "ggf")


def test_the_sgf_of_edax_has_its_board_and_its_first_line_of_moves() -> None:
    start = "(;FF[4]GM[2]AP[edax:4.5.5]\nPB[A]PW[B]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]\nRE[B+4]\n"
    record = only(f"{start}B[f5];W[d6];\n(;B[c3];W[d3])(;B[c4]))")
    assert record.setup == START
    assert [move for _, move in record.moves] == ["f5", "d6", "c3", "d3"]
    assert record.header("Score") == "34-30"


def test_positions_and_sudokus_are_beginnings() -> None:
    assert only(START).setup == START
    assert only("********/****O***/******** b p p 1 8 0 9 0 0 0 0").game == "morris"
    sudoku = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    assert only(sudoku).setup == sudoku.replace(".", "0") + " 0"
    rows = [sudoku[at : at + 9] for at in range(0, 81, 9)]
    assert only("\n".join(rows)).setup == only(sudoku).setup


def test_options_are_those_with_which_all_moves_can_be_played() -> None:
    assert only("e5 a1 b2 c3 d4 e1", "sogo").options["size"] == "5"
    assert only('[Option.size "3"]\n\na1', "sogo").options["size"] == "3"


def test_a_plain_list_of_moves_with_words_is_read() -> None:
    record = only("1. hide c3 hide d4 unhide c3", "blackbox")
    assert [move for _, move in record.moves] == ["hide c3", "hide d4", "unhide c3"]


# WTHOR

HEADER = struct.Struct("<BBBBIHHBBBB")
MOVES = bytes(
    10 * int(INOUE[at + 1]) + "abcdefgh".index(INOUE[at]) + 1 for at in range(0, len(INOUE), 2)
)
ROW = struct.pack("<HHHBB60s", 1, 2, 3, 45, 45, MOVES)


def wthor(rows: bytes, count: int | None = None, *, size: int = 8) -> bytes:
    count = len(rows) // 68 if count is None else count
    return HEADER.pack(20, 7, 5, 22, count, 0, 1977, size, 0, 24, 0) + rows


def names(length: int, *found: str) -> bytes:
    rows = b"".join(name.encode("latin-1").ljust(length, b"\0") for name in found)
    return HEADER.pack(20, 7, 5, 22, 0, len(found), 0, 0, 0, 0, 0) + rows


def test_a_file_of_wthor_has_its_games_with_their_names() -> None:
    players, events = names(20, "?", "?", "Inoue", "Heibérg"), names(26, "?", "Championship")
    (record,) = read(wthor(ROW), beside=(events, players))
    assert dict(record.headers) == {
        "Seat1": "Inoue",
        "Seat2": "Heibérg",
        "Event": "Championship",
        "Date": "1977",
        "Result": "1-0",
        "Score": "45-19",
    }
    assert ended(record) == (45, 19)
    assert read(wthor(ROW))[0].header("Seat1") == "#2"


def test_sixty_thousand_games_are_listed_at_once() -> None:
    data, start = wthor(ROW * 60_000), process_time()
    found = read(data)
    assert process_time() - start < 1
    assert len(found) == 60_000
    assert ended(found[-1]) == (45, 19)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (wthor(ROW, 2), "record-counts"),
        (wthor(ROW, 2**32 - 1), "record-counts"),
        (wthor(ROW + b"x"), "record-counts"),
        (wthor(ROW, size=10), "record-board"),
        (names(20, "Inoue"), "record-names"),
        (names(26, "Championship"), "record-names"),
    ],
)
def test_a_file_of_wthor_that_is_none_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(RecordError, match=code):
        read(data)


# What cannot be read


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        ("", "record-empty", {}),
        (" \n{nothing} 1-0", "record-empty", {}),
        ("hello", "record-unknown", {"line": 1, "move": "hello"}),
        ("d3", "record-which", {"games": "morris, othello, sogo"}),
        ('[Game "chess"]\n\n1. e4', "record-game", {"game": "chess", "line": 1}),
        ('\n[Game "morris"]\n[Option.size "3"]\n\nd6', "unknown-option", {"line": 2}),
        ('[Game "morris"]\n\n1. d6\n2. h9', "", {}),
        ('[Game "morris"]\n\n1. h9', "off-board", {"line": 3, "move": "h9"}),
        ('[Game "moyo"]\n\n1. a1=1', "setup", {}),
        ("(;GM[1]SZ[19];B[dd])", "record-other-game", {"game": "1", "line": 1}),
        ("(;GM[Othello]BO[10 ---- *]B[f5];)", "setup", {"line": 1}),
        ("f5\0", "record-binary", {"line": 1}),
    ],
)
def test_what_cannot_be_read_says_where_and_why(
    text: str, code: str, details: dict[str, str | int]
) -> None:
    if not code:
        assert only(text).moves
        return
    with pytest.raises(RecordError) as caught:
        read(text)
    assert caught.value.code == code
    assert details.items() <= caught.value.details.items()


def test_moves_of_another_game_are_refused_with_that_game() -> None:
    with pytest.raises(RecordError, match="record-other-game"):
        read('[Game "othello"]\n\n1. f5', game="morris")
    with pytest.raises(RecordError, match="record-game"):
        read("f5", game="chess")


def test_a_record_that_ends_early_opens_as_far_as_it_goes() -> None:
    record = only("f5 d6\nc3 h8 d3")
    assert [move for _, move in record.moves] == ["f5", "d6", "c3"]
    assert record.fault is not None
    assert (record.fault.code, record.fault.line, record.fault.move) == ("flips-nothing", 2, "h8")
    assert record.fault.error.details == {"square": "h8", "line": 2, "move": "h8"}
    text = f'{write(record)}\n[Game "othello"]\n\n1. h8'
    assert [bool(one.fault) for one in read(text)] == [False, True]


def read_or_refused(data: bytes | str) -> tuple[Record, ...]:
    """Read anything. Only `GameError` is raised, with details for a message."""
    found: tuple[Record, ...] = ()
    refusals: list[GameError] = []
    try:
        found = read(data)
    except GameError as refused:
        refusals.append(refused)
    assert all(len(str(refused)) < 1000 for refused in refusals)
    return found


HOSTILE = {
    "too large": b"f5" * MOST_BYTES,
    "zeros": b"\0" * MOST_BYTES,
    "one word": b"x" * 999_999,
    "moves": b"f5 d6 " * 160_000,
    "squares": b"f5d6" * 249_000,
    "passes": b"pa" * 499_000,
    "brackets": b"(" * 999_999,
    "nested variations": b"f5 " + b"(" * 400_000 + b")" * 400_000,
    "braces": b"{" * 999_999,
    "quotes": b'"' * 999_999,
    "escaped quotes": b'\\"' * 499_000,
    "numbers": b"1." * 499_000,
    "spaces": b" " * 999_998 + b"x",
    "lines": b"\n" * 999_998 + b"x",
    "headers": b'[A "b"]\n' * 120_000,
    "open headers": b'[A "' * 249_000,
    "games": b'[Game "morris"]\n\nd6 f4\n\n' * 40_000,
    "ggf": b"(;GM[2]" * 140_000,
    "ggf before letters": b"(;GM[2]" * 1999 + b"x" * 900_000,
    "ggf without ends": b"(;GM[2]PB[" * 1999 + b"\\]" * 450_000,
    "nested sgf": b"(;GM[2]" + b"(;B[f5]" * 140_000,
    "endless sgf": b"(;GM[2]" + b"B[" * 490_000,
    "escaped sgf": b"(;GM[2]PB[" + b"\\]" * 490_000,
    "sudokus": b"1" * 80 + b"2\n" + b"." * 900_000,
    "wide": b"\xff\xfe" + b"\0\xd8" * 400_000,
    "digits of elsewhere": "\N{ARABIC-INDIC DIGIT ONE}. \N{FULLWIDTH DIGIT FIVE} ".encode()
    * 90_000,
    "marks": b'[Game "blackbox"]\n[Setup "e8 c6 h2 a1 b5"]\n\n'
    + b'"mark c3" "unmark c3" ' * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_or_read_in_part_at_once(name: str) -> None:
    start = process_time()
    moves = [len(record.moves) for record in read_or_refused(HOSTILE[name])]
    assert max(moves, default=0) <= MOST_MOVES
    # Milliseconds on a free core: far from what grows with the square of the length.
    assert process_time() - start < 1


@pytest.mark.parametrize("name", ["headers", "lines", "escaped quotes", "ggf", "games"])
def test_a_hostile_file_takes_no_more_than_its_share_of_memory(name: str) -> None:
    tracemalloc.start()
    try:
        read_or_refused(HOSTILE[name])
        assert tracemalloc.get_traced_memory()[1] < 10 * len(HOSTILE[name])
    finally:
        tracemalloc.stop()


SEEDS = (
    *(write(record_of(case)) for case in CASES),
    *(case[1] for case in REAL),
    f'[Site "PlayOK"]\n[White "A"]\n\n{PLAYOK}',
    '[FEN "********/********/******** w p p 0 9 0 9 0"]\n\n1. d6',
    "(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[d6])",
)


def read_anything(data: bytes | str) -> None:
    for record in read_or_refused(data):
        if record.fault and not record.fault.move:
            continue
        games.get(record.game).replay(record.options, record.setup, record.moves)
        assert same(only(write(record)), only(write(only(write(record)))))


@given(st.data())
@settings(max_examples=100, database=None)
def test_a_spoilt_record_is_read_or_refused(data: st.DataObject) -> None:
    read_anything(data.draw(spoilt(data.draw(st.sampled_from(SEEDS)))))


@pytest.mark.slow
def test_for_a_minute_spoilt_records_are_read_or_refused() -> None:
    rng, start = Random(), process_time()
    seeds = [*(seed.encode() for seed in SEEDS), wthor(ROW * 3), names(20, "a", "b")]
    while process_time() - start < 60:
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randrange(1, 8)):
            at = rng.randrange(len(data) + 1)
            scrap = rng.choice(seeds)
            start = rng.randrange(len(scrap))
            data[at : at + rng.randrange(9)] = scrap[start : start + rng.randrange(40)]
            if data and rng.random() < 0.5:
                data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            read_anything(bytes(data))
        except Exception as error:
            error.add_note(f"the file: {bytes(data)!r}")
            raise
