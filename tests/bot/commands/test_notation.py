"""Moves as people type them: other keyboards, annotation, markup and mistakes."""

from dataclasses import replace
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from bot.commands.notation import bare, in_notation, is_record
from bot.domain.actions import Action
from bot.matches.names import plain
from bot.support.texts import LANGUAGES, Texts
from games import AmbiguousMove, AnyGame
from tests.bot.commands.test_lines import asked
from tests.bot.table import NOTHING, Person, Table, said

FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("!"), ord("~") + 1)}
DIGITS = "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९"
DRESSES = (
    *(
        lambda move, digits=digits: move.translate(str.maketrans("0123456789", digits))
        for digits in DIGITS
    ),
    lambda move: move.translate(FULL_WIDTH),
    lambda move: "".join(f"{sign}\ufe0f\u20e3" if sign.isdecimal() else sign for sign in move),
    "\u200b".join,
    str.upper,
    *(
        lambda move, dress=dress: dress.replace("_", move)
        for dress in (
            *("1. _", "12... _", "12… _", "1) _", "3)_", "60._"),
            *("_!", "_?", "_!?", "_??", "_+", "_ !", "_.", "_,", "_ (good)", "_ [0:05] ??"),
            *("`_`", '"_"', "„_“", "«_»", "(_)", "**_**", "||_||", "1. **_**! {nice}", " _ "),
        )
    ),
)
"""Ways to write a move."""


def understood(game: AnyGame, position: Any, seat: int, text: str) -> object:
    try:
        return game.parse(position.view(seat), seat, in_notation(game, bare(plain(text)), "en"))
    except AmbiguousMove as ambiguous:
        return ambiguous


def test_the_words_of_buttons_are_moves() -> None:
    for language in LANGUAGES:
        for move in ("guess", "clear", "ready"):
            word = Texts(language)(f"blackbox-button-{move}").split()[0]
            assert in_notation(games.get("blackbox"), plain(word), language) == move


@pytest.mark.parametrize("game_id", games.ids())
@given(seed=st.integers(0, 10**6), plies=st.integers(0, 40))
def test_a_legal_move_is_never_taken_for_another_one(game_id: str, seed: int, plies: int) -> None:
    game, luck = games.get(game_id), Random(seed)
    options = {option.id: luck.choice(option.choices) for option in game.options}
    position = game.start(options, game.new_setup(options, luck))
    for _ in range(plies):
        seat = min(position.turn, default=None)
        if seat is None:
            break
        moves = position.moves(seat)
        move = luck.choice(moves)
        text = luck.choice(DRESSES)(game.notation(move))
        found = understood(game, position, seat, text)
        assert found == move or isinstance(found, AmbiguousMove), text
        position = position.play(seat, move)


async def test_what_people_type_is_the_move_that_they_mean(
    table: Table, anna: Person, ben: Person
) -> None:
    digits = ("d３", "d۳", "d٣", "d३", "ｄ３", "d3\ufe0f\u20e3")
    dressed = (*digits, "1. d3", "d3!?", "d3 (good)", "||d3||", "d3 (White is better)", "\u3164d3")
    # The first letter of the last one is Cyrillic.
    for typed, move in (*((it, "d3") for it in dressed), ("с4", "c4")):
        match_id = await table.begin(anna, ben)
        assert not (await anna.types(f"／othello {typed} #{match_id}")).refused, typed
        loaded = await table.loaded(match_id)
        assert [ply.notation for ply in loaded.match.plies] == [move]


async def test_sudoku_players_name_row_and_column(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben, words="moyo")
    game, loaded = games.get("moyo"), await table.loaded(match_id)
    view, seat = loaded.view(None), min(loaded.turn)
    for typed in ("r5c5=7", "R5 C5 7", "E57", "5 5 7", "ｅ５＝７"):
        move = game.parse(view, seat, in_notation(game, bare(plain(typed)), "en"))
        assert game.notation(move) == "e5=7", typed
    person = (anna, ben)[seat]
    none = said(await person.types("/moyo PA"))
    assert none.startswith(person.says("error-notation-pass", example="|").partition("|")[0])
    assert said(await person.types("/moyo 3 5 7")) == person.says(
        "error-ambiguous", moves="c5=7, e3=7"
    )


async def test_what_is_dressed_is_understood_behind_every_command(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    for line in (
        *("/moves １", "/moves 1️⃣", "/moves #۱.", "/moves 1\u200d", "/mo\ufe0fves **1**"),
        *("/stats Be\u200dn", "/clock 1️⃣d", "/quiet `22-7`", '/settings "theme" dark'),
        *("/language “en”", "/holiday (1️⃣0️⃣)"),
    ):
        assert not (await anna.types(line)).refused, line
    await anna.presses(
        Action("resign", match_id, (await table.loaded(match_id)).match.version, "yes")
    )
    for typed in (
        '"white", (3d), unrated.',
        "ｗｈｉｔｅ clock=`3d` **unrated**",
        "white 3️⃣d\u200d unrated",
    ):
        match = await asked(anna, f"/othello new {typed}")
        seen = (match.preferred_seat, str(match.terms.clock), match.terms.rated)
        assert seen == (1, "3d", None), typed
    for typed in ('"computer" (3)', "computer=`3`", "(fox)", "computer 3️⃣."):
        assert not (await anna.types(f"/othello {typed}")).refused, typed


async def test_a_code_is_understood_with_marks_around_it(
    table: Table, anna: Person, ben: Person
) -> None:
    for dress in ("`{}`", '"{}"', "{}.", "**{}**!"):
        await anna.types("/othello new")
        match_id = await table.newest()
        code = (await table.loaded(match_id)).match.code
        assert await ben.types(f"/join {dress.format(code)}") == NOTHING, dress


async def test_a_letter_that_only_looks_latin_is_read_or_named_in_words_too(
    table: Table, anna: Person
) -> None:
    match_id = await table.begin_alone(anna)
    # The first letters are Cyrillic.
    assert not (await anna.types("/blackbox аsk 17")).refused
    assert [ply.notation for ply in (await table.loaded(match_id)).match.plies] == ["ask 17"]
    named = anna.says("error-notation-letter", letter="м", text="мark c4", example="ask 1")
    assert said(await anna.types("/blackbox мark c4")) == named
    ordered = anna.says("error-notation-order", example="mark c4")
    assert said(await anna.types("/blackbox mark 4c")) == ordered


def test_captures_are_written_apart() -> None:
    game = games.get("morris")
    position = game.start(game.options_from({}), game.new_setup({}, Random(0)))
    for text in ("d6 x g4", "d6 xg4", "d6:g4", "d6xg4"):
        assert game.notation(understood(game, position, 0, text)) == "d6xg4"


@given(st.text(max_size=60))
def test_decoration_is_stripped_at_once(text: str) -> None:
    assert bare(bare(text)) == bare(text)


def test_a_long_line_is_read_at_once() -> None:
    since = process_time()
    for text in (f"x{'!' * 4000}x{'_!' * 2000}", "(;" * 4000, "d3 (a)" * 1300, "1. " * 2600):
        is_record(text)
    assert process_time() - since < 1


async def test_a_question_in_a_chat_is_no_move(table: Table, anna: Person, ben: Person) -> None:
    await table.begin(anna, ben)
    command = await anna.command()
    moves = "d3!?", "d3", "3d", "d3 c5 f6", "(;GM[Othello]PB[A", "[Black “A”]"
    talk = "d3?", "(d3?)", "at 3", "3 days", "(; nice", "[Ben wins", "10m"
    for text, is_move in (*((it, True) for it in moves), *((it, False) for it in talk)):
        is_meant = await table.commands.could_be_move(replace(command, move=text))
        assert is_meant is is_move, text
    match = await table.begin(anna, ben, words="sogo")
    for text, is_move in (("3", True), ("<3", False), ("</3", False)):
        heard = replace(command, match=match, move=text)
        assert await table.commands.could_be_move(heard, own_turn=True) is is_move, text


async def test_punctuation_behind_a_name_is_no_part_of_it(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo = await table.arrive("Cleo B.")
    dressed = ("@Ben,", "@Ben!", '"Ben"', "“@Ben”", "**Ben**", "new (@Ben), white.")
    for typed, meant in (*((it, ben) for it in dressed), ("@Cleo B.", cleo), ("@Cleo B.,", cleo)):
        assert (await asked(anna, f"/othello {typed}")).opponent == meant.id, typed
