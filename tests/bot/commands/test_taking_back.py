"""Takebacks: back to before the player's last move, if the opponent agrees."""

from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.actions import Action
from bot.domain.model import OfferKind, Status
from bot.domain.offers import AGAIN_AFTER
from bot.matches import MatchState, offers, playing
from bot.screens import Reader, Screen
from bot.screens.past import visible_moves
from bot.screens.wording import Shown
from bot.store import match_queries, personal_data
from bot.store import matches as match_store
from bot.store.schema import matches, moves
from bot.support.texts import Texts
from tests.bot.commands.test_offering import presses, under_way
from tests.bot.seated import users
from tests.bot.store.sql import rows
from tests.bot.table import NOTHING, Person, Table, buttons, said, screen_of
from tests.games.playing import CASES, Case, some

ALLOW = "Accept takeback"
TWO_SEATED = [case for case in CASES if len(case.seats) == 2 and case.game.takeback]


async def stored(table: Table, match_id: int) -> list[tuple[int, str, bool]]:
    """Return all stored moves of a match: ply, notation, whether it still counts."""
    query = select(moves).where(moves.c.match_id == match_id).order_by(moves.c.ply)
    found = await rows(table.app.store, query)
    return [(row.ply, row.notation, row.taken_back is None) for row in found]


async def state(table: Table, match_id: int) -> dict[str, Any]:
    """Return the stored row of a match and its moves."""
    (found,) = await rows(table.app.store, select(matches).where(matches.c.id == match_id))
    return {**found._mapping, "moves": await stored(table, match_id)}


async def played(table: Table, match_id: int) -> list[str]:
    return [ply.notation for ply in (await table.loaded(match_id)).match.plies]


async def test_a_move_is_taken_back_where_the_opponent_accepts(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    store = table.app.store
    assert await match_queries.longest_waiting(store, anna.id) == match_id
    assert await ben.types("/zurück") == NOTHING
    asked = await table.screen(match_id)
    assert anna.says("offer-takeback", name="Ben", moves="e3") in asked.text
    assert await played(table, match_id) == ["d3", "c3", "c4", "e3"]
    await table.settle()
    _, told = table.wall.told[-1]
    assert [one.name for one in told.recipients] == ["Anna"]
    assert anna.says("offer-takeback", name="Ben", moves="e3") in told.text
    assert await presses(table, anna, match_id, ALLOW) == NOTHING
    loaded = await table.loaded(match_id)
    assert await played(table, match_id) == ["d3", "c3", "c4"]
    assert (loaded.match.status, set(loaded.turn)) == (Status.RUNNING, {1})
    screen = await table.screen(match_id)
    assert anna.says("board-turn", name="Ben") in screen.text
    assert anna.says("board-last", move="c4") in screen.text
    assert ALLOW not in buttons(screen)
    assert screen.last_step == "c4"
    await table.settle()
    (post,) = table.wall.of(match_id)
    assert post.version == loaded.match.version
    # The match now waits for the player to move.
    assert await match_queries.longest_waiting(store, anna.id) is None
    assert await match_queries.longest_waiting(store, ben.id) == match_id
    # Even an accepted takeback is asked for again only ten moves later.
    refused = ben.says("error-offer-just-agreed", moves=AGAIN_AFTER)
    assert said(await ben.types("/takeback")) == refused


async def test_what_came_after_it_goes_as_well_and_the_offer_says_so(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    assert await anna.types("/takeback") == NOTHING
    asked = anna.says("offer-takeback", name="Anna", moves="c4, e3")
    assert asked in (await table.screen(match_id)).text
    assert await presses(table, ben, match_id, ALLOW) == NOTHING
    assert await played(table, match_id) == ["d3", "c3"]
    await table.settle()
    # It was Anna's turn, and is again: she hears that it is another one.
    _, told = table.wall.told[-1]
    assert [one.name for one in told.recipients] == ["Anna"]
    how = anna.says("offer-takeback-accepted", name="Ben", other="Anna")
    assert told.text == anna.says("notice-agreed", game="Othello", match=match_id, how=how)


async def test_moves_that_were_taken_back_stay_in_the_store_marked(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    await anna.types("/takeback")
    await ben.types("/takeback")
    assert await anna.types("/othello c4") == NOTHING
    assert await ben.types("/othello c5") == NOTHING
    await ben.types("/takeback")
    await anna.types("/takeback")
    assert await ben.types("/othello e3") == NOTHING
    assert await stored(table, match_id) == [
        (0, "d3", True),
        (1, "c3", True),
        (2, "c4", False),
        (3, "e3", False),
        (4, "c4", True),
        (5, "c5", False),
        (6, "e3", True),
    ]
    known = (await table.loaded(match_id)).match
    assert await match_store.load(table.app.store, match_id) == known
    assert await match_store.load_several(table.app.store, [match_id]) == {match_id: known}
    table.app.matches.memory.invalidate()
    assert await played(table, match_id) == ["d3", "c3", "c4", "e3"]
    listed = said(await anna.types(f"/moves {match_id}"))
    assert "c5" not in listed
    assert listed.count("e3") == 1
    theirs = (await personal_data.export(table.app.store, ben.id))["moves"]
    gone = [(row["notation"], row["taken_back"] is not None) for row in theirs]
    assert gone == [("c3", False), ("e3", True), ("c5", True), ("e3", False)]
    # The version that took them back.
    query = select(moves.c.ply, moves.c.taken_back).where(moves.c.taken_back.is_not(None))
    assert [tuple(row) for row in await rows(table.app.store, query)] == [(2, 8), (3, 8), (5, 12)]


async def test_only_moves_that_were_not_taken_back_are_stepped_through_and_counted(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)

    async def third() -> Screen:
        return screen_of(await anna.presses(Action("past", match_id, 0, "3")))

    before = await third()
    await anna.types("/takeback")
    await ben.types("/takeback")
    assert await anna.types("/othello f5") == NOTHING
    after = await third()
    assert ["3. c4" in one.text for one in (before, after)] == [True, False]
    assert "3. f5" in after.text
    assert before.picture != after.picture
    await table.given_up(match_id, ben)
    stats = said(await anna.types("/stats")).splitlines()
    assert "1 won" in stats[0]
    assert anna.says("stats-longest", game="Othello", count=3) in stats


async def test_where_nothing_can_be_taken_back_the_answer_says_why(
    table: Table, anna: Person, ben: Person
) -> None:
    seeking = await table.begin(anna, ben, words="blackbox hide")
    before = await state(table, seeking)
    assert said(await anna.types("/takeback")) == anna.says("error-takeback-reveals")
    assert await state(table, seeking) == before
    match_id = await table.begin(anna, ben, words="othello unrated")
    await anna.types("/othello d3")
    before = await state(table, match_id)
    # All that has been played is the opponent's.
    nothing = ben.says("error-takeback-nothing")
    assert said(await ben.types(f"/takeback {match_id}")) == nothing
    assert await state(table, match_id) == before
    rated = await table.begin(anna, ben, moves="d3")
    before = await state(table, rated)
    assert said(await anna.types(f"/takeback {rated}")) == anna.says(
        "error-takeback-rated", platform="web"
    )
    assert await state(table, rated) == before
    assert anna.says("button-takeback") not in buttons(await anna.types(f"/resign {rated}"))
    # The question before resigning offers a takeback to whom it can be offered.
    label = ben.says("button-takeback")
    assert label not in buttons(await ben.types(f"/resign {match_id}"))
    question = buttons(await anna.types(f"/resign {match_id}"))
    assert await anna.presses(question[anna.says("button-takeback")]) == NOTHING
    asked = anna.says("offer-takeback", name="Anna", moves="d3")
    assert asked in (await table.screen(match_id)).text


async def test_what_was_chosen_before_a_move_was_taken_back_is_played_no_more(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    seen = (await table.loaded(match_id)).match.version
    await anna.types("/takeback")
    await ben.types("/takeback")
    before = await state(table, match_id)
    # Legal now as it was then: but it was chosen on another board.
    pressed = Action("step", match_id, seen, "c4")
    assert said(await anna.presses(pressed)) == anna.says("error-stale")
    typed = await anna.types("/othello c4", seen={match_id: seen})
    assert said(typed) == anna.says("error-stale")
    assert await state(table, match_id) == before


async def test_who_wants_to_take_back_a_move_does_not_allow_what_they_have_not_seen(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    mine = buttons(await anna.types("/resign"))[anna.says("button-takeback")]
    await ben.types("/takeback")
    before = await state(table, match_id)
    assert said(await anna.presses(mine)) == anna.says("error-stale")
    assert await state(table, match_id) == before


def shown(screen: Screen) -> dict[str, Any]:
    """Return what a board shows, without the tokens of its buttons."""
    return {
        "text": screen.text,
        "title": screen.title,
        "picture": screen.picture,
        "alt": screen.alt,
        "choices": [(choice.step, choice.legal, choice.box) for choice in screen.choices],
        "last": screen.last_step,
        "sides": screen.sides,
    }


async def known(table: Table, loaded: MatchState) -> dict[str, Any]:
    """Return all that a person may know of the current position."""
    reader, seats = Reader(Texts("en")), range(len(loaded.match.seats))
    return {
        "position": loaded.position,
        "last": (loaded.last, loaded.before),
        "views": [loaded.view(seat) for seat in (*seats, None)],
        "moves": [loaded.position.moves(seat) for seat in seats],
        "turn": loaded.turn,
        "record": [visible_moves(Shown(loaded, reader, {}, seat)) for seat in (*seats, None)],
        "plies": loaded.match.plies,
        "ways": [loaded.match.ending_if_resigned(seat) for seat in seats],
        "screen": shown(await table.screen(loaded.match.id)),
    }


@pytest.mark.parametrize("case", some(TWO_SEATED), ids=str)
async def test_after_a_takeback_a_match_is_as_it_was_before_the_move(
    table: Table, anna: Person, ben: Person, case: Case
) -> None:
    luck, people = Random(str(case)), (anna, ben)
    options = " ".join("=".join(pair) for pair in case.chosen)
    match_id = await table.begin(anna, ben, words=f"{case.game.id} {options} unrated")
    before: dict[int, dict[str, Any]] = {}
    for asks in (0, 1):
        for _ in range(luck.randrange(3, 12)):
            loaded = await table.loaded(match_id)
            before[len(loaded.match.plies)] = await known(table, loaded)
            (seat,) = loaded.turn
            legal = luck.sample(every := loaded.position.moves(seat), len(every))
            # What ends a match is not taken back.
            move = next(one for one in legal if loaded.position.play(seat, one).turn)
            match, written = loaded.match, case.game.notation(move)
            await playing.play(table.app.matches, match_id, users(match)[seat], written, sure=True)
        loaded = await table.loaded(match_id)
        made = loaded.match.moves_made
        matches_of = table.app.matches
        await offers.offer(matches_of, match_id, people[asks].id, OfferKind.TAKEBACK)
        await offers.offer(matches_of, match_id, people[1 - asks].id, OfferKind.TAKEBACK)
        back = await table.loaded(match_id)
        plies = len(back.match.plies)
        assert loaded.match.plies[plies].seat == asks
        now = await known(table, back)
        # Only the answer differs, which stays until the next move.
        names = {"name": people[1 - asks].name, "other": people[asks].name}
        answer = "\n" + Texts("en")("offer-takeback-accepted", **names)
        text = now["screen"]["text"]
        now["screen"]["text"] = text.replace(answer, "")
        assert answer in text
        assert now == before[plies]
        assert back.match.moves_made == made
        # Another process reads the same.
        matches_of.memory.invalidate()
        assert await table.loaded(match_id) == back


async def test_in_a_rated_match_moves_are_taken_back_where_both_agreed_on_it_at_the_start(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello @Ben first takebacks")
    assert "Takebacks allowed" in (await table.screen(match_id)).text
    # Without the word it is another challenge.
    assert await anna.types("/othello @Ben first") == NOTHING
    for word in ("takebacks", "rücknahme", "TAKEBACK"):
        assert await anna.types(f"/othello @Ben first {word}") == NOTHING
        assert await table.newest() == match_id + 1
    await anna.types(f"/withdraw {match_id + 1}")
    assert await ben.types(f"/accept {match_id}") == NOTHING
    await table.plays(match_id, "d3,c3,c4,e3")
    match = (await table.loaded(match_id)).match
    assert (match.terms.rated, match.terms.has_takebacks) == ("othello", True)
    assert await ben.types(f"/takeback {match_id}") == NOTHING
    assert await anna.types(f"/takeback {match_id}") == NOTHING
    assert await played(table, match_id) == ["d3", "c3", "c4"]
    await table.given_up(match_id, anna)
    await anna.presses(Action("again", match_id))
    again = (await table.loaded(await table.newest())).match
    assert again.id != match_id
    assert again.terms.has_takebacks
    assert "/othello @Ben takebacks" in await anna.completes("/othello @Ben take")
    assert await anna.completes("/blackbox @Ben take") == []
