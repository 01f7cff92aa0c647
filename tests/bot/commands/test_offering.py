"""Offers: a draw, or to call a match off; accepted, declined, withdrawn, void after a move."""

import pytest

import games
from bot.actions import Action
from bot.commands import Answer
from bot.model import Ending, EndingKind, OfferKind, Status
from bot.offers import AGAIN_AFTER
from bot.store import match_queries
from bot.texts import LANGUAGES
from tests.bot.table import A_MOMENT, Person, Table, buttons, said

NOTHING = Answer()
"""Nothing is said; the board says it."""


UNRATED = "othello unrated"
HOW = {
    OfferKind.DRAW: ("/draw", UNRATED),
    OfferKind.ABORT: ("/abort", UNRATED),
    OfferKind.TAKEBACK: ("/takeback", UNRATED),
    OfferKind.CLOCK: ("/clock 3d", UNRATED),
}
"""How each kind is offered, and in a match of which words it can be."""


async def under_way(table: Table, anna: Person, ben: Person, *, words: str = UNRATED) -> int:
    """Start unrated Othello and move twice each, so that aborting takes both players."""
    match_id = await table.begin(anna, ben, words=words)
    for person, move in ((anna, "d3"), (ben, "c3"), (anna, "c4"), (ben, "e3")):
        assert await person.types(f"/othello {move}") == NOTHING
    return match_id


async def a_move(table: Table, match_id: int) -> str:
    """Some legal move."""
    loaded = await table.loaded(match_id)
    return str(loaded.game.notation(loaded.position.moves(min(loaded.turn))[0]))


async def presses(table: Table, person: Person, match_id: int, text: str) -> Answer:
    """Press a button of the public board."""
    table.clock.forward(A_MOMENT)
    return await person.presses(buttons(await table.screen(match_id))[text])


@pytest.mark.parametrize("way", ["by its button", "by the same command"])
async def test_a_draw_is_offered_and_accepted(
    table: Table, anna: Person, ben: Person, way: str
) -> None:
    match_id = await under_way(table, anna, ben)
    assert await anna.types("/draw") == NOTHING
    assert anna.says("offer-draw", name="Anna") in (await table.screen(match_id)).text
    await table.settle()
    (told,) = [notice for _, notice in table.wall.told if "offers a draw" in notice.text]
    assert [one.name for one in told.recipients] == ["Ben"]
    if way == "by its button":
        assert await presses(table, ben, match_id, "Accept draw") == NOTHING
    else:
        assert await ben.types("/draw") == NOTHING
    match = (await table.loaded(match_id)).match
    assert match.status is Status.OVER
    assert match.ending is not None
    assert match.ending.kind is EndingKind.AGREED
    assert match.outcome is not None
    assert not match.outcome.winners
    screen = await table.screen(match_id)
    assert anna.says("ending-agreed") in screen.text
    assert "Accept draw" not in buttons(screen)
    assert "1 drawn" in said(await anna.types("/stats"))


async def test_a_declined_offer_is_told_to_whoever_made_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    await anna.types("/draw")
    await table.settle()
    assert await presses(table, ben, match_id, "Decline") == NOTHING
    await table.settle()
    _, told = table.wall.told[-1]
    assert [one.name for one in told.recipients] == ["Anna"]
    assert anna.says("offer-draw-declined", name="Ben") in told.text
    assert anna.says("offer-draw", name="Anna") not in (await table.screen(match_id)).text
    assert await table.status(match_id) is Status.RUNNING
    late = await ben.types("/draw")
    assert late == NOTHING
    assert anna.says("offer-draw", name="Ben") in (await table.screen(match_id)).text


async def test_an_offer_is_withdrawn_by_whoever_made_it_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    await anna.types("/draw")
    shown = buttons(await table.screen(match_id))
    withdraw, accept = shown["Withdraw (Anna)"], shown["Accept draw"]
    assert said(await ben.presses(withdraw)) == ben.says("error-offer-theirs")
    assert said(await anna.presses(accept)) == anna.says("error-offer-own")
    assert said(await anna.types("/draw")) == anna.says("error-offer-open")
    assert await anna.presses(withdraw) == NOTHING
    # What was on the screen a moment ago accepts nothing any more, and offers nothing either.
    assert said(await ben.presses(accept)) == ben.says("error-no-offer")
    assert await table.status(match_id) is Status.RUNNING
    assert (await table.loaded(match_id)).match.open_offers == ()
    # The board shows the outcome until the next move.
    told = anna.says("offer-draw-withdrawn", name="Ben", other="Anna")
    assert told in (await table.screen(match_id)).text
    await table.plays(match_id, await a_move(table, match_id))
    assert told not in (await table.screen(match_id)).text


async def test_of_several_withdrawn_offers_the_board_says_the_last(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    for line in ("/draw", "/abort"):
        await ben.types(line)
    for kind in (OfferKind.ABORT, OfferKind.DRAW):
        version = (await table.loaded(match_id)).match.version
        assert await ben.presses(Action(kind.value, match_id, version, "withdraw")) == NOTHING
        told = anna.says(f"offer-{kind}-withdrawn", name="Anna", other="Ben")
        assert told in (await table.screen(match_id)).text


async def test_what_was_seen_can_be_played_whatever_is_offered_and_answered_beside_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    seen = (await table.loaded(match_id)).match.version
    move = Action("step", match_id, seen, await a_move(table, match_id))
    offered = {kind: line for kind, (line, words) in HOW.items() if words == UNRATED}
    for kind, line in offered.items():
        assert await ben.types(line) == NOTHING
        answer = line if kind is OfferKind.CLOCK else "/decline"
        assert await anna.types(answer) == NOTHING
    await table.app.matches.ask(match_id, version=(await table.loaded(match_id)).match.version)
    assert (await table.loaded(match_id)).match.version == seen + 2 * len(offered) + 1
    # As it is remembered, so it is stored.
    remembered = (await table.loaded(match_id)).match
    await table.restart()
    assert (await table.loaded(match_id)).match == remembered
    assert await anna.presses(move) == NOTHING
    assert (await anna.presses(move)).refused
    match = (await table.loaded(match_id)).match
    assert match.stands_since == match.version == seen + 2 * len(offered) + 2


async def test_what_was_seen_before_a_takeback_is_nothing_that_can_be_played(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    assert await ben.types("/takeback") == NOTHING
    seen = (await table.loaded(match_id)).match.version
    assert await anna.types("/takeback") == NOTHING
    move = await a_move(table, match_id)
    stale = await ben.presses(Action("step", match_id, seen, move))
    assert stale.refused
    assert await ben.presses(Action("step", match_id, seen + 1, move)) == NOTHING


@pytest.mark.parametrize("verb", ["accept", "decline"])
async def test_nobody_answers_an_offer_that_they_have_not_seen(
    table: Table, anna: Person, ben: Person, verb: str
) -> None:
    match_id = await under_way(table, anna, ben)
    seen = (await table.loaded(match_id)).match.version
    assert await anna.types("/draw") == NOTHING
    assert (await ben.presses(Action(verb, match_id, seen, "draw"))).refused
    assert (await ben.types(f"/{verb}", seen={match_id: seen})).refused
    assert len((await table.loaded(match_id)).match.open_offers) == 1
    table.clock.forward(A_MOMENT)
    assert await ben.presses(Action(verb, match_id, seen + 1, "draw")) == NOTHING


@pytest.mark.parametrize("kind", OfferKind)
async def test_whatever_is_offered_is_answered_once_and_by_the_right_side(
    table: Table, anna: Person, ben: Person, cleo: Person, kind: OfferKind
) -> None:
    line, words = HOW[kind]
    match_id = await under_way(table, anna, ben, words=words)
    assert await anna.types(line) == NOTHING
    offered = await table.loaded(match_id)
    verb, version = kind.value, offered.match.version
    for person, answer, why in (
        (anna, "accept", "offer-own"),
        (anna, "decline", "offer-own"),
        (ben, "withdraw", "offer-theirs"),
        (cleo, "accept", "not-in-match"),
        (cleo, "decline", "not-in-match"),
        (cleo, "withdraw", "not-in-match"),
        (ben, "perhaps", "button-unknown"),
    ):
        told = await person.presses(Action(verb, match_id, version, answer))
        assert told.public is None
        assert said(told) == person.says(f"error-{why}"), (person.name, answer)
        assert await table.loaded(match_id) == offered
    table.clock.forward(A_MOMENT)
    assert await ben.presses(Action(verb, match_id, version, "accept")) == NOTHING
    after = (await table.loaded(match_id)).match
    assert after != offered.match
    for late in ("accept", "decline"):
        assert (await ben.presses(Action(verb, match_id, version, late))).refused
        assert (await table.loaded(match_id)).match == after


async def test_the_next_move_makes_an_offer_void(table: Table, anna: Person, ben: Person) -> None:
    match_id = await under_way(table, anna, ben)
    await ben.types("/draw")
    accept = buttons(await table.screen(match_id))["Accept draw"]
    assert await anna.types(f"/othello {await a_move(table, match_id)}") == NOTHING
    assert "Accept draw" not in buttons(await table.screen(match_id))
    assert said(await anna.presses(accept)) == anna.says("error-stale")
    assert await table.status(match_id) is Status.RUNNING


async def test_an_offer_that_a_move_has_made_void_is_told_to_nobody(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    loaded = await table.loaded(match_id)
    hider = min(loaded.turn)
    people = (anna, ben)
    for cell in ("a1", "b2", "c3", "d4", "e5"):
        await people[hider].types(f"/blackbox hide {cell}", place=people[hider].direct)
    await people[hider].types("/blackbox ready", place=people[hider].direct)
    await table.settle()
    before = len(table.wall.told)
    assert await people[hider].types("/draw") == NOTHING
    # The same side stays on turn: no other news takes its place.
    assert await people[1 - hider].types("/blackbox ask 1") == NOTHING
    await table.settle()
    assert [notice.text for _, notice in table.wall.told[before:]] == []


async def test_the_same_is_offered_once_in_ten_moves(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    for answer in ("Decline", "Withdraw (Anna)"):
        assert await anna.types("/draw") == NOTHING
        await presses(table, ben if answer == "Decline" else anna, match_id, answer)
        for moves in range(AGAIN_AFTER, 0, -1):
            refused = anna.says("error-offer-too-soon", moves=moves)
            assert said(await anna.types("/draw")) == refused
            (seat,) = (await table.loaded(match_id)).turn
            await (anna, ben)[seat].types(f"/othello {await a_move(table, match_id)}")


async def test_where_several_offers_are_open_each_answer_says_to_what(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    await anna.types("/draw")
    await anna.types("/clock 3d")
    labels = [
        [button.label for button in row]
        for row in (await table.screen(match_id)).rows
        if any(button.action.verb in ("draw", "clock") for button in row)
    ]
    assert labels == [
        ["Accept draw", "Decline draw", "Withdraw draw offer (Anna)"],
        ["Accept new clock", "Keep clock", "Withdraw new clock (Anna)"],
    ]
    await presses(table, ben, match_id, "Keep clock")
    assert "Withdraw (Anna)" in buttons(await table.screen(match_id))


@pytest.mark.parametrize("verb", ["accept", "decline", "withdraw"])
async def test_who_answers_in_a_match_in_which_nothing_is_offered_is_told_so(
    table: Table, anna: Person, ben: Person, verb: str
) -> None:
    match_id = await under_way(table, anna, ben)
    assert said(await anna.types(f"/{verb} {match_id}")) == anna.says("error-offer-none")
    await anna.types("/draw")
    answers, truth = (ben, "offer-theirs") if verb == "withdraw" else (anna, "offer-own")
    assert said(await answers.types(f"/{verb} {match_id}")) == answers.says(f"error-{truth}")


async def test_offers_leave_the_board_as_it_was_seen(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    seen = (await table.loaded(match_id)).match.version
    await ben.types("/draw")
    await presses(table, ben, match_id, "Withdraw (Ben)")
    move = await a_move(table, match_id)
    assert await anna.presses(Action("step", match_id, seen, move)) == NOTHING
    assert len((await table.loaded(match_id)).match.plies) == 5


async def test_whoever_has_hardly_begun_calls_a_match_off_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await anna.types("/othello d3")
    question = await ben.types("/abort")
    assert said(question).endswith(ben.says("abort-sure"))
    assert await table.status(match_id) is Status.RUNNING
    assert await ben.presses(buttons(question)[ben.says("button-abort-sure")]) == NOTHING
    match = (await table.loaded(match_id)).match
    assert (match.status, match.outcome) == (Status.OVER, None)
    assert anna.says("ending-aborted-by", name="Ben") in (await table.screen(match_id)).text


async def test_later_a_match_is_called_off_where_both_agree(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    assert await anna.types("/abort") == NOTHING
    assert anna.says("offer-abort", name="Anna") in (await table.screen(match_id)).text
    assert await presses(table, ben, match_id, "Abort game") == NOTHING
    match = (await table.loaded(match_id)).match
    assert (match.status, match.outcome) == (Status.OVER, None)
    assert anna.says("ending-called-off") in (await table.screen(match_id)).text
    await table.settle()
    assert [one.name for one in table.wall.told[-1][1].recipients] == ["Anna"]


async def test_whoever_is_about_to_resign_is_offered_other_ways_out(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    question = buttons(await anna.types("/resign"))
    assert {"Offer draw", "Request abort"} <= question.keys()
    assert await anna.presses(question["Offer draw"]) == NOTHING
    assert "Offer draw" not in buttons(await anna.types("/resign"))
    # What they are asked for is answered on the board.
    assert ben.says("button-draw") not in buttons(await ben.types("/resign"))
    assert await table.status(match_id) is Status.RUNNING


@pytest.mark.parametrize("language", LANGUAGES)
async def test_whoever_is_about_to_resign_is_told_of_the_way_out_that_counts_for_nobody(
    table: Table, anna: Person, language: str
) -> None:
    ben = await table.arrive("Bernd", locale=language)
    early = await table.begin(anna, ben)
    later = await table.begin(anna, ben, words="morris unrated")
    await table.plays(early, "d3,c3")
    await table.plays(later, "a1,a4,d1,d2")
    free = ben.says("button-abort-free")
    question = await ben.types(f"/resign {early}")
    assert said(question).endswith(ben.says("resign-early"))
    table.clock.forward(A_MOMENT)
    assert await ben.presses(buttons(question)[free]) == NOTHING
    assert (await table.loaded(early)).match.outcome is None
    # After a few moves aborting takes both: one offers, and the opponent is notified.
    assert free not in buttons(await ben.types(f"/resign {later}"))
    await anna.types(f"/abort {later}")
    assert free not in buttons(await anna.types(f"/resign {later}"))
    question = await ben.types(f"/resign {later}")
    assert said(question).endswith(ben.says("resign-asked", opponent="Anna"))
    table.clock.forward(A_MOMENT)
    assert await ben.presses(buttons(question)[free]) == NOTHING
    assert (await table.loaded(later)).match.ending == Ending(EndingKind.CALLED_OFF)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_offer_waits_for_whoever_is_asked_and_for_nobody_else(
    table: Table, anna: Person, language: str
) -> None:
    ben = await table.arrive("Bernd", locale=language)
    match_id = await table.begin(anna, ben, words="morris unrated")
    await table.plays(match_id, "a1,a4,d1")
    loaded, store = await table.loaded(match_id), table.app.store

    async def waits() -> list[bool]:
        opened = [await match_queries.open_of(store, one.id) for one in (anna, ben)]
        found = [one.waits for (one,) in opened]
        nexts = [await match_queries.longest_waiting(store, one.id) for one in (anna, ben)]
        assert nexts == [match_id if is_waiting else None for is_waiting in found]
        return found

    assert min(loaded.turn) == 1
    assert await waits() == [False, True]
    await ben.types("/draw")
    assert await waits() == [True, True]
    assert "Bernd offers a draw · waiting for Bernd" in said(await anna.types("/matches"))
    offered = ben.says("offer-draw", name="Bernd").removesuffix(".")
    listed = said(await ben.types("/matches"))
    assert listed.endswith(f"{ben.says('matches-my-turn')} · {offered}")
    await anna.types("/decline")
    assert await waits() == [False, True]
    await ben.types("/clock 3d")
    assert await waits() == [True, True]
    await table.plays(match_id, "d2")
    assert await waits() == [True, False]


@pytest.mark.parametrize("game_id", [one for one in games.ids() if one != "blackbox"])
async def test_every_game_for_two_can_end_in_a_draw_by_agreement(
    table: Table, anna: Person, ben: Person, game_id: str
) -> None:
    match_id = await table.begin(anna, ben, words=game_id)
    assert await anna.types("/draw") == NOTHING
    assert await ben.types("/draw") == NOTHING
    assert anna.says("ending-agreed") in (await table.screen(match_id)).text


@pytest.mark.parametrize("line", ["/draw", "/abort"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_where_nothing_can_be_offered_the_answer_says_why(
    table: Table, anna: Person, ben: Person, line: str, language: str
) -> None:
    cleo = await table.arrive("Cleo", locale=language)
    assert said(await cleo.types(line)) == cleo.says("error-no-match")
    match_id = await under_way(table, anna, ben)
    assert said(await cleo.types(f"{line} {match_id}")) == cleo.says("error-not-in-match")
    alone = await table.arrive("Dora", locale=language)
    await alone.types("/blackbox new")
    assert said(await alone.types(line)) == alone.says("error-offer-alone")
    await anna.types(f"/resign {match_id}")
    await anna.presses(Action("resign", match_id, 6, "yes"))
    assert said(await ben.types(f"{line} {match_id}")) == ben.says("error-match-over")


async def test_an_offer_is_still_open_after_a_mark_in_black_box(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide unrated")
    loaded = await table.loaded(match_id)
    (hider,) = loaded.turn
    who = dict(enumerate((anna, ben)))
    for stone in ("a1", "c3", "d5", "f6", "h8"):
        await table.app.matches.play(match_id, who[hider].id, f"hide {stone}")
    await table.app.matches.play(match_id, who[hider].id, "ready")
    assert await who[hider].types(f"/draw {match_id}") == NOTHING
    seeker = who[1 - hider]
    for note in ("mark c6", "unmark c6"):
        assert await seeker.types(f"/blackbox {note} #{match_id}") == NOTHING
    await table.restart()
    assert "draw" in {offer.kind for offer in (await table.loaded(match_id)).match.open_offers}
    assert await seeker.types("/accept") == NOTHING
    assert (await table.loaded(match_id)).match.ending == Ending(EndingKind.AGREED)


async def test_of_two_who_answer_an_offer_at_once_one_is_heard(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    await anna.types("/draw")
    shown = buttons(await table.screen(match_id))
    table.clock.forward(A_MOMENT)
    answers = await ben.at_once(shown["Accept draw"].action, shown["Decline"].action)
    assert [answer.refused for answer in answers].count(False) == 1
    again = (await table.loaded(match_id)).match
    assert (again.status is Status.OVER) is not answers[0].refused
