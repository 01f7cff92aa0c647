"""Commands are understood in every language that we speak, each word by one command only."""

from collections import Counter

import pytest

import games
from bot.commands import table
from bot.commands.words import command_called, words_of
from bot.fronts.discord.slash import command_names
from bot.texts import LANGUAGES, Texts
from tests.bot.table import Person, said

NAMES = tuple(spec.name for spec in table())
HOUSE = [spec.name for spec in table() if spec.game is None]


def test_no_word_means_two_things() -> None:
    counted = Counter(word for name in NAMES for word in words_of(name))
    assert [word for word, count in counted.items() if count > 1] == []
    for name in HOUSE:
        assert [word for word in words_of(name) if games.find(word)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HOUSE)
def test_every_word_can_be_typed(name: str, language: str) -> None:
    words = Texts(language)(f"command-{name}").split()
    assert words
    for word in words:
        assert word.isalpha()
        assert word == word.casefold()


def test_what_discord_calls_a_command_is_understood_everywhere() -> None:
    for name, word in command_names("de").items():
        assert command_called(word, NAMES) == name


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("/hilfe", "/help"),
        ("/Einstellungen", "/settings"),
        ("/MÜHLE", "/morris"),
        ("/regeln othello", "/rules othello"),
        ("/hilfe regeln", "/help rules"),
        ("/hilfe /rangliste", "/help leaderboard"),
        ("/spielen", "/play"),
        ("/datenschutz", "/privacy"),
        ("/partien", "/matches"),
    ],
)
async def test_either_word_does_the_same(anna: Person, german: str, english: str) -> None:
    answer = await anna.types(german)
    assert not answer.refused
    assert answer == await anna.types(english)


async def test_german_words_with_their_umlauts_or_without(anna: Person, ben: Person) -> None:
    match_id = await anna.table.begin(anna, ben)
    moves = await anna.types(f"/moves {match_id}")
    for word in ("züge", "zuege", "zu\u0308ge", "ZÜGE"):
        assert await anna.types(f"/{word} #{match_id}") == moves


async def test_what_is_no_word_is_still_unknown(anna: Person) -> None:
    answer = await anna.types("/hilf")
    assert answer.refused
    assert said(answer) == anna.says("error-unknown-command", word="/hilf")


async def test_a_word_that_is_begun_offers_its_command(anna: Person, ben: Person) -> None:
    assert await anna.completes("/rangl") == ["/leaderboard "]
    assert await anna.completes("/regeln oth") == ["/rules othello"]
    assert await anna.completes("/hilfe rangl") == ["/help leaderboard"]
    assert await anna.completes("/herausfordern @be") == ["/challenge @Ben"]
