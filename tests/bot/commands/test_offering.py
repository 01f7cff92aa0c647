"""Offers: draw and abort; accepted, declined, withdrawn, void after a move."""

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Ending, EndingKind, OfferKind, Status
from bot.domain.offers import AGAIN_AFTER
from bot.store import match_queries
from tests.bot.table import A_MOMENT, NOTHING, Person, Table, buttons, said

UNRATED = "othello unrated"
HOW = {kind: "/clock 3d" if kind is OfferKind.CLOCK else f"/{kind}" for kind in OfferKind}
"""How each kind is offered."""


async def under_way(table: Table, anna: Person, ben: Person, *, words: str = UNRATED) -> int:
    """Start unrated Othello and move twice each, so that aborting takes both players."""
    match_id = await table.begin(anna, ben, words=words)
    for person, move in ((anna, "d3"), (ben, "c3"), (anna, "c4"), (ben, "e3")):
        assert await person.types(f"/othello {move}") == NOTHING
    return match_id


async def a_move(table: Table, match_id: int) -> str:
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
    assert "Withdraw draw offer" in buttons(await table.screen(match_id, anna))
    assert "Accept draw" not in buttons(await table.screen(match_id, anna))
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


async def test_the_player_who_made_an_offer_is_notified_that_it_was_declined(
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
    refused = anna.says("error-offer-too-soon", moves=AGAIN_AFTER)
    assert said(await anna.types("/draw")) == refused
    assert await ben.types("/draw") == NOTHING
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
    for person, disabled in ((anna, ["draw"]), (ben, [])):
        offers = (await table.screen(match_id, person)).offers
        assert [one.action.verb for one in offers if one.is_disabled] == disabled
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


async def test_what_was_seen_can_be_played_whatever_is_offered_and_answered_beside_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    seen = (await table.loaded(match_id)).match.version
    move = Action("step", match_id, seen, await a_move(table, match_id))
    for kind, line in HOW.items():
        assert await ben.types(line) == NOTHING
        answer = line if kind is OfferKind.CLOCK else "/decline"
        assert await anna.types(answer) == NOTHING
    assert (await table.loaded(match_id)).match.version == seen + 2 * len(HOW)
    # As it is remembered, so it is stored.
    remembered = (await table.loaded(match_id)).match
    await table.restart()
    assert (await table.loaded(match_id)).match == remembered
    assert await anna.presses(move) == NOTHING
    assert (await anna.presses(move)).refused
    match = (await table.loaded(match_id)).match
    assert match.playable_from == match.version == seen + 2 * len(HOW) + 1


async def test_an_offer_that_was_not_seen_is_not_answered(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    seen = (await table.loaded(match_id)).match.version
    assert await anna.types("/draw") == NOTHING
    for verb in ("accept", "decline"):
        assert (await ben.presses(Action(verb, match_id, seen, "draw"))).refused
        assert (await ben.types(f"/{verb}", seen={match_id: seen})).refused
    assert len((await table.loaded(match_id)).match.open_offers) == 1
    table.clock.forward(A_MOMENT)
    assert await ben.presses(Action("decline", match_id, seen + 1, "draw")) == NOTHING


async def test_every_offer_is_answered_once_and_by_the_right_player(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for kind in OfferKind:
        match_id = await table.begin(anna, ben, words=UNRATED, moves="d3,c3,c4,e3")
        assert await anna.types(f"{HOW[kind]} {match_id}") == NOTHING
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


async def test_of_answers_the_board_tells_the_last_one_below_what_was_asked_before(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    for line in ("/draw", "/takeback", "/abort"):
        assert await anna.types(line) == NOTHING

    async def told() -> list[str]:
        lines = (await table.screen(match_id)).text.split("\n")
        return [line for line in lines if " draw" in line or "takeback" in line or "abort" in line]

    assert await presses(table, ben, match_id, "Decline takeback") == NOTHING
    asked = [anna.says(f"offer-{kind}", name="Anna") for kind in ("draw", "abort")]
    assert await told() == [*asked, anna.says("offer-takeback-declined", name="Ben")]
    # The buttons of a settled offer stay in their place, its sentence goes.
    assert await presses(table, ben, match_id, "Decline draw") == NOTHING
    assert await told() == [asked[1], anna.says("offer-draw-declined", name="Ben")]
    assert len((await table.screen(match_id)).questions) == 3
    assert await presses(table, ben, match_id, "Decline") == NOTHING
    assert await told() == [anna.says("offer-abort-declined", name="Ben")]


async def test_an_answer_where_nothing_is_offered_is_refused(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    verbs = ("accept", "decline", "withdraw")
    for verb in verbs:
        assert said(await anna.types(f"/{verb} {match_id}")) == anna.says("error-offer-none")
    await anna.types("/draw")
    for verb in verbs:
        answers, truth = (ben, "offer-theirs") if verb == "withdraw" else (anna, "offer-own")
        assert said(await answers.types(f"/{verb} {match_id}")) == answers.says(f"error-{truth}")


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


async def test_a_player_about_to_resign_is_offered_to_abort_instead(
    table: Table, anna: Person, ben: Person
) -> None:
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


async def test_an_offer_waits_for_the_opponent_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="morris unrated", moves="a1,a4,d1")
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
    assert "Ben offers a draw · waiting for Ben" in said(await anna.types("/matches"))
    offered = ben.says("offer-draw", name="Ben").removesuffix(".")
    listed = said(await ben.types("/matches"))
    assert listed.endswith(f"{ben.says('matches-my-turn')} · {offered}")
    await anna.types("/decline")
    assert await waits() == [False, True]
    await ben.types("/clock 3d")
    assert await waits() == [True, True]
    await table.plays(match_id, "d2")
    assert await waits() == [True, False]


async def test_where_nothing_can_be_offered_the_answer_says_why(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    lines = ("/draw", "/abort")
    for line in lines:
        assert said(await cleo.types(line)) == cleo.says("error-no-match")
    match_id = await under_way(table, anna, ben)
    alone = await cleo.starts("/blackbox new")
    for line in lines:
        assert said(await cleo.types(f"{line} {match_id}")) == cleo.says("error-not-in-match")
        assert said(await cleo.types(f"{line} {alone}")) == cleo.says("error-offer-alone")
    await anna.presses(Action("resign", match_id, 6, "yes"))
    for line in lines:
        assert said(await ben.types(f"{line} {match_id}")) == ben.says("error-match-over")
