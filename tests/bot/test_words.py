"""The texts of every game: results and reasons, in the reader's language."""

import re

import pytest

import games
from bot.commands import Answer
from bot.commands.completing import _legal
from bot.commands.notation import in_notation
from bot.commands.vocabulary import clock_called, means, options_in
from bot.domain.errors import Refused
from bot.domain.model import Player, Ply, User
from bot.matches import MatchState, playing
from bot.screens import Reader, Screens
from bot.screens.past import moves_table, start_table
from bot.screens.pictures import Png
from bot.screens.wording import Shown, option_line
from bot.support.texts import LANGUAGES, Texts
from tests.bot.screens import test_screens
from tests.bot.seated import users
from tests.bot.table import Person, Table, buttons, said
from tests.games.playing import Case, each_case, play_out
from tests.test_house import texts as house_texts

EACH_GAME = pytest.mark.parametrize("game_id", games.ids())
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)

STONES = "a2 e2 h2 c6 e8"


def hidden(stones: str = STONES) -> str:
    return ",".join([*(f"hide {cell}" for cell in stones.split()), "ready"])


async def board_text(table: Table, match_id: int, person: Person) -> list[str]:
    return (await table.screen(match_id, person)).text.splitlines()


# Outcomes


async def test_two_searches_end_with_the_sum_of_each_by_name(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox mode=hide")
    marks = ",".join(f"mark {cell}" for cell in STONES.split())
    for line in (hidden(), "ask 2," + marks.replace("e8", "e7")):
        await table.plays(match_id, line)
    await playing.play(table.app.matches, match_id, anna.id, "guess", sure=True)
    await table.plays(match_id, f"{hidden()},ask 32,{marks},guess")
    assert (await board_text(table, match_id, anna))[:2] == [
        "Ben wins, 1 to 7 points (fewer is better).",
        (
            "Anna: 7 points (2 for answers, 5 for 1 wrong stone)"
            " · Ben: 1 point (1 for answers, no stone wrong)"
        ),
    ]


# Everything that is shown

LARGE = 1_234_567


class NoPictures:
    """Draws nothing: only words are looked at."""

    async def png(self, *_: object, **__: object) -> Png:
        return Png(b"", 1, 1)


def at(case: Case, plies: int) -> MatchState:
    """Return a random match after this many moves."""
    played = play_out(case)
    position = played.plies[plies].before if plies < len(played.plies) else played.end
    made = [Ply(ply.seat, case.game.notation(ply.move), LARGE) for ply in played.plies[:plies]]
    match = test_screens.loaded(case, made, position, played.setup).match
    last = played.plies[plies - 1] if plies else None
    return MatchState(match, case.game, position, last and last.move, last.before if last else None)


def moments(case: Case) -> list[MatchState]:
    """Return a match at the start, after a few moves, in the middle, near and at the end."""
    length = len(play_out(case).plies)
    return [at(case, plies) for plies in sorted({0, 3, length // 2, length - 1, length})]


async def shown(loaded: MatchState, texts: Texts) -> list[str]:
    """Return all texts of a match that players and spectators can read."""
    screens = Screens(test_screens.TwoNames(), NoPictures())  # type: ignore[arg-type]
    names: dict[Player, str] = {1: "Anna", 2: "Ben"}
    read = [option_line(loaded.game, loaded.match.options, texts)]
    for seat in (None, *range(len(loaded.match.seats))):
        user = None if seat is None else User(users(loaded.match)[seat], names[seat + 1], None, {})
        screen = await screens.match(loaded, Reader(texts, user), seat=seat)
        read += [screen.title, screen.text, screen.alt, *screen.groups.values()]
        read += [word for choice in screen.choices for word in (choice.label, choice.short)]
        read += buttons(screen)
        record = moves_table(Shown(loaded, Reader(texts), names, seat))
        read += [*record.head, *(cell for row in record.rows for cell in row)]
        for offer in _legal(loaded, seat, texts):
            read += [offer.said, offer.hint()]
    if first := start_table(loaded, texts):
        read += [first.title, *(cell for row in first.rows for cell in row)]
    return read


@EACH_LANGUAGE
@each_case
async def test_everything_that_is_shown_of_a_match_is_in_words(case: Case, language: str) -> None:
    texts, game = Texts(language), case.game
    foreign = [word for word in game.words if texts.move(game.id, word) != word]
    words = re.compile(rf"\b(?:{'|'.join(foreign) or '(?!)'})\b")
    for loaded in moments(case):
        for text in await shown(loaded, texts):
            assert not re.search(r"(?<![\w.])\d{1,3}[.,\u202f\u00a0]\d{3}(?![\w.])", text), text
            assert not re.search(r"[a-z]_[a-z]", text), text
            assert not words.search(text), text
            assert len(loaded.match.setup) < 3 or loaded.match.setup not in text


@EACH_LANGUAGE
@each_case
def test_what_is_shown_as_a_move_can_be_typed(case: Case, language: str) -> None:
    texts, game = Texts(language), case.game
    for loaded in moments(case):
        for seat in loaded.turn:
            view = loaded.view(seat)
            for move in loaded.position.moves(seat)[:40]:
                for form in ("", *game.notations):
                    said = texts.move(game.id, game.notation(move, form))
                    assert game.parse(view, seat, in_notation(game, said, language)) == move, said


@pytest.mark.slow
@EACH_LANGUAGE
def test_no_number_has_separators_in_any_text(language: str) -> None:
    texts = Texts(language)
    for messages in house_texts(language).values():
        for key, needed in messages.items():
            # Layouts are counted in millions, and no number of them is ever typed.
            counts = {"count", "left"} if re.search("-(advice|course)-", key) else set[str]()
            told = texts(key, **{name: 7 if name in counts else LARGE for name in needed})
            assert not re.search(r"1.234.567|1.?234.567|1.234.?567", told.replace("1234567", "")), (
                key
            )


@EACH_LANGUAGE
@EACH_GAME
def test_options_are_typed_as_they_are_offered(game_id: str, language: str) -> None:
    game, texts = games.get(game_id), Texts(language)
    with pytest.raises(Refused) as refused:
        options_in(game, ["nonsense"], texts)
    parts = str(refused.value.details["options"]).split(" · ")
    at = next(at for at, part in enumerate(parts) if clock_called(part.split(", ")[0]))
    *groups, sides, clocks = parts[: at + 1]
    assert all(map(clock_called, clocks.split(", ")))
    known = ("unrated", "takebacks", "hints")
    assert all(any(means(term, name) for name in known) for term in parts[at + 1 :])
    offered = [word for group in groups for word in group.split(", ")]
    assert "_" not in f"{offered}{sides}"
    assert [options_in(game, [word], texts) for word in sides.split(", ")] == [({}, 0), ({}, 1)]
    chosen = [options_in(game, [word], texts)[0] for word in offered]
    every = [{option.id: choice} for option in game.options for choice in option.choices]
    assert sorted(map(repr, chosen)) == sorted(map(repr, every))
    for group in groups:
        numbers = [int(word) for word in re.findall(r"=(\d+)", group)]
        assert numbers == sorted(numbers)
    for option in game.options:
        with pytest.raises(Refused, match="unknown-choice") as refused:
            options_in(game, [f"{option.id}=nonsense"], texts)
        assert refused.value.details["option"] == texts(f"{game_id}-option-{option.id}")


# Moves that are not understood


@EACH_GAME
async def test_what_is_no_move_is_answered_with_one_that_could_be_played(
    table: Table, game_id: str
) -> None:
    dora, emil = [await table.arrive(name, locale="de") for name in ("Dora", "Emil")]
    if games.get(game_id).seats(games.get(game_id).options_from({})) == 1:
        await dora.types(f"/{game_id} new")
    else:
        await table.begin(dora, emil, words=game_id)
    loaded = await table.loaded(await table.newest())
    mover = (dora, emil)[min(loaded.turn)]
    answer = said(await mover.types(f"/{game_id} hm?"))
    before, after = mover.says("error-notation-name", text="hm?", example="|").split("|")
    assert answer.startswith(before)
    example = answer.removeprefix(before).removesuffix(after)
    assert await mover.types(f"/{game_id} {example}") == Answer()
    assert len((await table.loaded(loaded.match.id)).match.plies) == 1


async def test_what_nobody_understands_is_quoted_as_it_was_typed(table: Table, ben: Person) -> None:
    await ben.types("/blackbox neu")
    answer = said(await ben.types("/blackbox frage xx"))
    assert answer == ben.says("error-notation-example", text="frage xx", example="frage 1")


async def test_the_example_tells_nobody_where_a_stone_is_hidden(
    table: Table, anna: Person, ben: Person
) -> None:
    await table.begin(anna, ben, words="blackbox hide", moves=hidden().removesuffix(",ready"))
    answer = said(await ben.types("/blackbox hm?"))
    assert not [cell for cell in STONES.split() if cell in answer]
    assert answer == ben.says("error-notation-name", text="hm?", example="fertig")
    await ben.types("/blackbox unhide a2")
    # Always the same cell, whatever lies there.
    example = {"text": "hm?", "example": "verstecke c3"}
    assert said(await ben.types("/blackbox hm?")) == ben.says("error-notation-name", **example)
