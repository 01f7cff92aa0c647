"""The match that a command means if there are several."""

from collections.abc import Mapping

import pytest

from bot.commands import Answer
from bot.commands import table as specs
from bot.commands.base import Kind
from bot.commands.resolving import MOST_OFFERED
from bot.domain.model import Ending, EndingKind
from bot.matches import playing
from tests.bot.table import Person, Table, buttons, said, screen_of

GIVEN: Mapping[Kind, tuple[str, ...]] = {Kind.CLOCK: ("10m+5s",), Kind.REPLAY: ()}
"""What can be typed besides the number of a match and changes it, by its kind."""

SAYS_MORE = [
    f"/{spec.name} {words}"
    for spec in specs()
    if Kind.MATCH in spec.kinds
    for kind in spec.kinds
    if kind is not Kind.MATCH
    for words in GIVEN[kind]
]


@pytest.mark.parametrize("line", SAYS_MORE)
async def test_what_was_typed_goes_along_where_it_is_asked_which_match_is_meant(
    table: Table, anna: Person, ben: Person, cleo: Person, line: str
) -> None:
    one = await table.begin(anna, ben, words="othello 1d")
    other = await table.begin(anna, cleo, words="othello 1d")
    begun = (await table.loaded(one)).match
    question = await anna.types(line)
    what = anna.says(f"button-{line.split(maxsplit=1)[0].removeprefix('/')}")
    assert said(question) == anna.says("which-match-for", what=what)
    assert await anna.types(f"{line} {one}") == Answer()
    _, (label, button) = sorted(buttons(screen_of(question)).items())
    assert label.startswith(f"#{other} ")
    assert await anna.presses(button) == Answer()
    typed, pressed = [(await table.loaded(which)).match for which in (one, other)]
    assert typed.version > begun.version
    assert (pressed.version, pressed.offers) == (typed.version, typed.offers)


async def test_of_several_matches_on_the_screen_the_one_that_is_looked_at_is_meant(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    one, two, over = [await table.begin(anna, other) for other in (ben, cleo, ben)]
    theirs = await table.begin(ben, cleo)
    await playing.end(table.app.matches, over, Ending(EndingKind.ABORTED))
    seen = dict.fromkeys((one, two, over, theirs), 2)
    asked = await anna.types("/resign", seen=seen, looked_at=one)
    assert {button.action.match for button in buttons(asked).values()} == {one}
    # A finished game, another player's game and an unknown one cannot be resigned.
    for looked_at in (over, theirs, 99):
        asked = await anna.types("/resign", seen=seen, looked_at=looked_at)
        assert {button.action.match for button in buttons(asked).values()} == {one, two}


async def test_of_more_matches_than_are_listed_the_one_that_is_looked_at_is_meant(
    table: Table, anna: Person, ben: Person
) -> None:
    many = [await table.begin(anna, ben) for _ in range(MOST_OFFERED + 1)]
    for _ in range(2):
        answer = await anna.types("/draw", looked_at=many[-1])
    # What cannot be done there says why, and is not done elsewhere.
    assert (said(answer), answer.refused) == (anna.says("error-offer-open"), True)
    offered = [len((await table.loaded(one)).match.open_offers) for one in many]
    assert offered == [0] * MOST_OFFERED + [1]


async def test_a_hint_is_given_where_hints_are_or_in_the_match_that_is_looked_at(
    table: Table, anna: Person, ben: Person
) -> None:
    rated = await table.begin(anna, ben)
    mine = await anna.starts("/othello computer black")
    seen = dict.fromkeys((rated, mine), 1)
    assert "I would play " in said(await anna.types("/hint"))
    assert "I would play " in said(await anna.types("/hint", seen=seen, looked_at=mine))
    refused = said(await anna.types("/hint", seen=seen, looked_at=rated))
    assert refused == said(await anna.types(f"/hint {rated}"))
    assert said(await anna.types("/blackbox hint")) == anna.says(
        "error-no-match-of", game="Black Box"
    )


async def test_of_what_is_over_the_match_that_is_looked_at_is_meant(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    unplayed, one = [await table.begin(anna, ben, moves=moves) for moves in ("", "d3")]
    two = await table.begin(anna, ben, words="sogo", moves="1")
    for match_id in (unplayed, one, two):
        await playing.end(table.app.matches, match_id, Ending(EndingKind.ABORTED))
    for person, looked_at in ((anna, one), (ben, two)):
        for line in ("/moves", "/analyse"):
            assert screen_of(await person.types(line, looked_at=looked_at)).match == looked_at
    assert (await anna.types("/replay", looked_at=unplayed)).refused
    for line, code in (("/rematch", "no-rematch"), ("/share", "share-none")):
        assert said(await cleo.types(line, looked_at=one)) == cleo.says(f"error-{code}")
    await anna.types("/rematch", looked_at=one)
    assert (await table.loaded(await table.newest())).game.id == "othello"


async def test_a_game_in_the_place_of_a_match_means_that_of_it(
    table: Table, anna: Person, ben: Person
) -> None:
    sogo, othello = [await table.begin(anna, ben, words=words) for words in ("sogo", "othello")]
    for match_id, moves in ((sogo, "1"), (othello, "d3")):
        await table.plays(match_id, moves)
    for match_id, word in ((sogo, "sogo"), (othello, "othello")):
        assert await anna.types(f"/moves {word}") == await anna.types(f"/moves {match_id}")
    assert await anna.types("/draw sogo", looked_at=othello) == Answer()
    assert (await table.loaded(sogo)).match.open_offers
    none = anna.says("error-no-match-of", game=anna.says("morris-name"))
    for line in ("/draw mühle", "/moves mühle", "/analyse mühle", "/hint mühle"):
        assert said(await anna.types(line)) == none
    # Of a choice of its options there may be none.
    assert said(await anna.types("/draw reversi", looked_at=othello)) == anna.says(
        "error-match-number", word="reversi"
    )
    assert not (await table.loaded(othello)).match.open_offers
    for match_id in (sogo, othello):
        await playing.end(table.app.matches, match_id, Ending(EndingKind.ABORTED))
    assert await anna.types("/moves sogo") == await anna.types(f"/moves {sogo}")
    assert screen_of(await anna.types("/analyse sogo", looked_at=othello)).match == sogo


async def test_what_is_no_number_of_a_match_means_no_other_match(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3,c4")
    before = await table.loaded(match_id)
    refusals = {number: ("no-such-match", {"match": number}) for number in ("999999999999", "0")}
    refusals |= {word: ("match-number", {"word": word}) for word in ("#-1", "#1.5", "1 2", "#½")}
    for line in ("draw", "takeback", "abort", "resign", "clock 3d", "hint", "moves"):
        for number, (code, details) in refusals.items():
            answer = await anna.types(f"/{line} {number}")
            assert (said(answer), answer.refused) == (anna.says(f"error-{code}", **details), True)
    # Nor does a button carry what could not have been typed.
    for token in ("clock:{}:{}:caccept", "draw:{}:{}:c3d"):
        assert (await anna.presses(token.format(match_id, before.match.version))).refused
    assert await table.loaded(match_id) == before


async def test_only_matches_are_asked_about_in_which_it_can_be_done_and_it_is_said_what(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    await anna.types("/blackbox new")
    one = await table.begin(anna, ben, moves="d3,c3,c4,c5")
    # A solo game has no opponent to offer a draw to.
    assert await anna.types("/draw") == Answer()
    assert [offer.kind for offer in (await table.loaded(one)).match.open_offers] == ["draw"]
    two = await table.begin(anna, cleo)
    three = await table.begin(anna, cleo, words="sogo")
    asked = await anna.types("/draw")
    what = anna.says("button-draw")
    assert said(asked) == anna.says("which-match-for", what=what)
    assert {button.action.match for button in buttons(asked).values()} == {two, three}
    # Asked again, that takes the place of the former question.
    assert asked.is_ephemeral
    # Of several games, the one on the player's screen is meant.
    assert await anna.types("/draw", seen={one: 1, three: 1}) == Answer()
    assert (await table.loaded(three)).match.open_offers
    assert await anna.types("/draw") == Answer()
    assert (await table.loaded(two)).match.open_offers
    # Where it can be done in none, the newest says why.
    assert said(await anna.types("/draw")) == anna.says("error-offer-open")
