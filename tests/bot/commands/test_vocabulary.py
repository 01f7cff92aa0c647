"""Commands in every language: each word means one command only."""

import re
from collections import Counter
from datetime import UTC, date, datetime
from itertools import product

import pytest

import games
from bot.commands import find_spec, table
from bot.commands.away import date_called
from bot.commands.notation import bare, in_notation
from bot.commands.vocabulary import find_game, words_of
from bot.fronts.discord.slash import command_names
from bot.support.texts import LANGUAGES, Texts
from tests.bot.commands.test_lines import asked
from tests.bot.table import Person, Table, said

NAMES = tuple(spec.name for spec in table())
HOUSE = [spec.name for spec in table() if spec.game is None]


def test_no_word_means_two_things() -> None:
    counted = Counter(word for name in NAMES for word in words_of(name))
    assert [word for word, count in counted.items() if count > 1] == []
    for name in HOUSE:
        assert [word for word in words_of(name) if find_game(word)] == []


def test_every_word_can_be_typed() -> None:
    for language in LANGUAGES:
        for name in HOUSE:
            words = Texts(language)(f"command-{name}").split()
            assert words, name
            for word in words:
                assert word.isalpha(), word
                assert word == word.casefold()


def test_what_discord_calls_a_command_is_understood_everywhere() -> None:
    for locale in ("de", "en-GB"):
        for name, word in command_names(locale).items():
            assert find_spec(word) is find_spec(name) is not None


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_game_is_named_in_refusals_and_can_be_typed_as_it_is_named(
    table: Table, language: str
) -> None:
    # Some names are the id, too.
    ids = [one for one in games.ids() if Texts(language)(f"{one}-name").casefold() != one]
    mia = await table.arrive("Mia", locale=language)
    mia.can_manage = True
    for line in (
        "/play chess",
        "/rules chess",
        "/puzzle blackbox",
        "/puzzle othello",
        "/challenge rules=reversi",
        "/here morris maybe",
    ):
        answer = await mia.types(line)
        assert answer.refused, line
        assert [one for one in ids if re.search(rf"\b{one}\b", said(answer))] == [], line
    for game_id in games.ids():
        name = Texts(language)(f"{game_id}-name")
        for word in ("rules", "help"):
            assert await mia.types(f"/{word} “{name}”.") == await mia.types(f"/{word} {game_id}")
        assert f"{name}: " in said(await mia.types(f"/here {name} off"))


async def test_a_name_of_two_words_stands_before_or_after_the_opponent(
    table: Table, anna: Person, ben: Person
) -> None:
    for line in ("/challenge @Ben Black Box", "/challenge Black Box @Ben"):
        challenge = await asked(anna, line)
        assert (challenge.game, challenge.opponent) == ("blackbox", ben.id)


async def test_either_word_does_the_same(anna: Person) -> None:
    for german, english in (
        ("/hilfe", "/help"),
        ("/Einstellungen", "/settings"),
        ("/MÜHLE", "/morris"),
        ("/regeln othello", "/rules othello"),
        ("/hilfe regeln", "/help rules"),
        ("/hilfe /rangliste", "/help leaderboard"),
        ("/spielen", "/play"),
        ("/datenschutz", "/privacy"),
        ("/partien", "/matches"),
    ):
        answer = await anna.types(german)
        assert not answer.refused
        assert answer == await anna.types(english)


async def test_german_words_with_their_umlauts_or_without(anna: Person, ben: Person) -> None:
    match_id = await anna.table.begin(anna, ben)
    moves = await anna.types(f"/moves {match_id}")
    for word in ("züge", "zuege", "zu\u0308ge", "ZÜGE"):
        assert await anna.types(f"/{word} #{match_id}") == moves


async def test_what_is_no_command_is_answered_with_the_nearest_one(
    anna: Person, ben: Person
) -> None:
    for typed, near in (
        ("hilf", "hilfe"),
        ("othelo", "othello"),
        ("Regel", "regeln"),
        ("ranglist", "rangliste"),
        ("leaderbord", "leaderboard"),
        ("brd", "board"),
        ("mühl", "mühle"),
        ("nonsense", ""),
        ("xyzzy", ""),
    ):
        for person in (anna, ben):
            for line in (f"/{typed}", f"/help {typed}"):
                answer = await person.types(line)
                assert answer.refused
                key = "error-unknown-command-near" if near else "error-unknown-command"
                help_ = person.calls("help")
                told = person.says(key, word=f"/{typed}", help=help_, near=f"/{near}")
                assert said(answer).casefold() == told.casefold()


async def test_rules_stand_behind_a_game_as_well(anna: Person, ben: Person) -> None:
    await anna.table.begin(anna, ben)
    for person in (anna, ben):
        for line in ("/othello rules", "/othello Regeln", "/reversi hilfe"):
            assert await person.types(line) == await person.types("/rules othello")


async def test_a_word_that_is_begun_offers_its_command(anna: Person, ben: Person) -> None:
    assert await anna.completes("/rangl") == ["/leaderboard "]
    assert await anna.completes("/regeln oth") == ["/rules othello"]
    assert await anna.completes("/hilfe rangl") == ["/help leaderboard"]
    assert await anna.completes("/herausfordern @be") == ["/challenge @Ben"]
    assert await ben.completes("/leaderb") == ["/rangliste "]
    assert await ben.completes("/rules mo") == ["/regeln mühle", "/regeln moyo"]


@pytest.mark.parametrize(
    ("game_id", "typed", "meant"),
    [
        ("othello", "Aussetzen.", "pass"),
        ("othello", "passen", "pass"),
        ("othello", "d3:no", "d3:ne"),
        ("othello", "d3o", "d3e"),
        ("othello", "c6 Südwest", "c6 sw"),
        ("othello", "c6 North", "c6 n"),
        ("blackbox", "Frage o3", "ask top3"),
        ("blackbox", "u 3", "bottom 3"),
        ("blackbox", "markiere c4", "mark c4"),
        ("blackbox", "entferne a1!", "unmark a1"),
        ("blackbox", "leeren", "clear"),
        ("blackbox", "Rate!", "guess"),
        ("blackbox", "Tippen", "guess"),
        # What is asked for a hint everywhere else ends no search here.
        ("blackbox", "Tipp", "Tipp"),
        ("blackbox", "query 17", "ask 17"),
        ("blackbox", "verstecke b2", "hide b2"),
        ("blackbox", "fertig", "ready"),
    ],
)
def test_the_words_of_a_move_are_turned_into_the_game_s_own(
    game_id: str, typed: str, meant: str
) -> None:
    for language in LANGUAGES:
        assert in_notation(games.get(game_id), bare(typed), language) == meant


@pytest.mark.parametrize("game_id", games.ids())
def test_no_language_takes_a_word_of_the_game_for_something_else(game_id: str) -> None:
    game = games.get(game_id)
    assert [word for word in game.words if word != word.casefold() or not word.isalpha()] == []
    for language in LANGUAGES:
        for word in game.words:
            assert in_notation(game, word, language) == word
            said = Texts(language)(f"{game_id}-word-{word}").split()
            for other in said:
                assert other == other.casefold()
                # Words of the reader's own language come first.
                assert in_notation(game, other, language) == word


def test_games_and_commands_are_found_by_all_their_names_in_any_case() -> None:
    for game_id in games.ids():
        for word in words_of(game_id):
            assert find_game(word) is find_game(word.upper()) is games.get(game_id)
    others = {"Mühle": "morris", "mill": "morris", "reversi": "othello", "score4": "sogo"}
    for word, game_id in others.items():
        assert find_game(word) is games.get(game_id)
    for word, name in {
        "abbruch": "abort",
        "undo": "takeback",
        "ferien": "holiday",
        "rating": "stats",
        "elo": "stats",
        "wertung": "stats",
    }.items():
        assert find_spec(word) is find_spec(name) is not None


TODAY = date(2026, 1, 1)


def test_a_day_can_be_typed_as_it_is_written() -> None:
    for language, month in product(LANGUAGES, range(1, 13)):
        noon = datetime(2026, month, 24, 12, tzinfo=UTC)
        written = Texts(language).day(int(noon.timestamp()))
        assert date_called(written, today=TODAY, locale=language) == noon.date()
        # The year may be left out.
        day = written.removesuffix(" 2026")
        assert date_called(f"until {day}", today=TODAY, locale=language) == noon.date()
