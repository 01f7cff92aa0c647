"""Terms of a match, kept on every way to start it."""

from dataclasses import replace

import pytest

import games
from bot.commands import Answer
from bot.domain.clocks import Clock
from bot.domain.terms import Terms, Wishes
from bot.support.platforms import Medium, SoloPlace
from tests.bot.table import Person, Table, buttons, said

OTHELLO = games.get("othello")


@pytest.mark.parametrize(
    ("wishes", "terms"),
    [
        (Wishes(), Terms("othello")),
        (Wishes(is_unrated=True), Terms()),
        (Wishes(has_takebacks=True), Terms("othello", has_takebacks=True)),
        # Where nothing is rated, moves may be taken back without a word.
        (Wishes(is_unrated=True, has_takebacks=True), Terms()),
        (Wishes(has_hints=True, has_takebacks=True), Terms(has_hints=True)),
        (Wishes(clock="3d"), Terms("othello", clock=Clock.parse("3d"))),
        (Wishes(clock=""), Terms("othello")),
    ],
)
def test_a_match_is_rated_unless_somebody_wishes_otherwise(wishes: Wishes, terms: Terms) -> None:
    options = OTHELLO.options_from({})
    assert wishes.agreed(OTHELLO, options) == terms
    # Another match like it is on the same terms.
    assert Wishes.like(terms).agreed(OTHELLO, options) == terms


async def terms_of(table: Table, match_id: int) -> Terms:
    return (await table.loaded(match_id)).match.terms


@pytest.mark.parametrize("where", ["here", "apart"])
async def test_whoever_is_asked_where_to_play_alone_has_the_hints_that_they_asked_for(
    table: Table, anna: Person, where: str
) -> None:
    command = replace(await anna.command(), medium=Medium(solo=SoloPlace.ASK))
    question = await table.commands.run_line(command, "/blackbox new hints")
    assert said(question) == anna.says("start-where")
    verb = {"here": "start", "apart": "apart"}[where]
    await anna.presses(buttons(question)[anna.says(f"button-play-{verb}")])
    place = table.lounge if where == "here" else anna.direct
    assert await terms_of(table, await table.newest(place)) == Terms(has_hints=True)


@pytest.mark.parametrize(
    ("line", "words", "terms"),
    [
        ("/play othello hints", "hints", Terms(has_hints=True)),
        (
            "/play othello takebacks 3d",
            "takebacks",
            Terms("othello", has_takebacks=True, clock=Clock.parse("3d")),
        ),
    ],
)
async def test_what_was_asked_for_stands_on_the_start_menu_and_survives_it(
    table: Table, anna: Person, line: str, words: str, terms: Terms
) -> None:
    asked = f"{anna.says(f'start-{words}')}: yes"
    menu = await anna.types(line)
    # Folded, the card names the options that were changed.
    assert asked in said(menu)
    menu = await anna.presses(buttons(menu)["Options"])
    # Also where something else is changed there.
    for _ in range(2):
        rules = next(text for text in buttons(menu) if text.startswith("Variant: "))
        menu = await anna.presses(buttons(menu)[rules])
    shown = buttons(menu)
    assert menu.private is not None
    assert menu.private.start is not None
    asked_for = {field.name: field.chosen for field in menu.private.start.more}
    assert asked_for == {"takebacks": "no", "hints": "no", words: "yes"}
    assert await anna.presses(shown[anna.says("button-start-open")]) == Answer()
    assert await terms_of(table, await table.newest()) == terms
    # Who does not want it after all presses there.
    plain = await anna.presses(shown[asked])
    is_rated = anna.says("start-no" if words == "hints" else "start-yes")
    assert f"{anna.says('start-rated')}: {is_rated}" in shown
    assert asked not in buttons(plain)
    assert plain.private is not None
    assert plain.private.start is not None
    chosen = [(field.name, field.chosen) for field in plain.private.start.more]
    assert chosen == [("takebacks", "no"), ("hints", "no")]


@pytest.mark.parametrize("said_so", ["uu", "hu", "x", "", "u.h"])
async def test_a_button_asks_for_no_terms_that_there_are_not(anna: Person, said_so: str) -> None:
    assert (await anna.presses(f"menu:0:0:othello.0.{said_so}")).refused
    for known in ("u", "t", "h", "uth"):
        assert not (await anna.presses(f"menu:0:0:othello.0.{known}")).refused


async def test_all_terms_of_a_card_that_was_filled_in_are_those_of_the_challenge(
    table: Table, anna: Person
) -> None:
    assert await anna.types("/othello new takebacks 7d") == Answer()
    asked = await terms_of(table, await table.newest())
    assert asked == Terms("othello", has_takebacks=True, clock=Clock.parse("7d"))
    # The same is asked for but once; on other terms it is another challenge.
    assert await anna.types("/othello new takebacks 7d") == Answer()
    assert await table.newest() == 1
    assert await anna.types("/othello new 7d") == Answer()
