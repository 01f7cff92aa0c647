"""Rematches: seats swapped, requested by one player or both."""

from dataclasses import replace

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Status
from bot.support.platforms import Medium
from tests.bot.table import A_MOMENT, NOTHING, Person, Table, buttons, said


async def test_a_double_click_on_rematch_makes_one_with_sides_changed(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await ben.presses(Action("resign", match_id, 2, "yes"))
    table.clock.forward(A_MOMENT)
    again = buttons(await table.screen(match_id, anna))["Rematch"].action
    assert await anna.at_once(again, again) == [NOTHING, NOTHING]
    rematch = await table.newest()
    assert rematch == match_id + 1
    # The opponent accepts by the same button.
    assert await ben.presses(again) == NOTHING
    match = (await table.loaded(rematch)).match
    assert (match.status, match.seats) == (Status.RUNNING, (ben.id, anna.id))


async def test_a_rematch_that_is_there_is_shown_or_accepted_however_soon_it_is_asked_for_again(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await ben.presses(Action("resign", match_id, 2, "yes"))
    again = Action("again", match_id, 3)
    assert said(await anna.presses(again)) == anna.says("error-rematch-at-once")
    assert await anna.types("/rematch") == NOTHING
    assert await anna.presses(again) == NOTHING
    rematch = await table.newest()
    assert (rematch, await table.status(rematch)) == (match_id + 1, Status.PROPOSED)
    # A second press of the opponent asks for no third game.
    for _ in range(2):
        assert await ben.presses(again) == NOTHING
        assert (await table.newest(), await table.status(rematch)) == (rematch, Status.RUNNING)
    assert await anna.presses(again) == NOTHING
    assert await table.newest() == rematch


async def test_who_wants_a_rated_one_does_not_begin_one_that_is_not(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await ben.presses(Action("resign", match_id, 2, "yes"))
    table.clock.forward(A_MOMENT)
    asked = await anna.starts("/challenge @Ben othello unrated")
    assert await ben.presses(Action("again", match_id, 3)) == NOTHING
    assert await table.status(asked) is Status.PROPOSED
    rematch = await table.newest()
    assert rematch != asked
    found = [(await table.loaded(one)).match.terms.rated for one in (asked, rematch)]
    assert (found[0], found[1] is None) == (None, False)


async def test_another_match_asked_for_in_two_private_conversations_is_one(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/othello @Ben first", place=anna.direct)
    await ben.types("/accept", place=ben.direct)
    match_id = await table.newest(anna.direct)
    await ben.presses(Action("resign", match_id, 2, "yes"), place=ben.direct)
    await table.settle()
    table.clock.forward(A_MOMENT)
    for one in (anna, ben):
        assert await one.presses(Action("again", match_id, 3), place=one.direct) == NOTHING
    await table.settle()
    rematch = await table.newest(anna.direct)
    assert rematch == match_id + 1
    assert await table.status(rematch) is Status.RUNNING
    assert {post.place for post in table.wall.of(rematch)} == {anna.direct.id, ben.direct.id}


async def test_where_a_front_leads_another_match_is_asked_for_in_the_room_of_the_first(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await table.given_up(match_id, ben)
    over = (await table.loaded(match_id)).match.version
    again = Action("again", match_id, over)
    command = replace(await anna.command(anna.direct), medium=Medium(opens_boards=True))
    answer = await table.commands.run_button(command, again)
    asked = await table.newest()
    assert answer == Answer(proposed=asked, place=table.lounge.id)


async def test_a_rematch_is_offered_and_accepted_by_a_command_on_the_same_terms(
    table: Table, anna: Person, ben: Person
) -> None:
    assert said(await anna.types("/rematch")) == anna.says("error-no-rematch")
    match_id = await table.begin(anna, ben, words="sogo size=5")
    await table.given_up(match_id, ben)
    other = said(await anna.types("/rematch untimed"))
    assert other == anna.says("error-rematch-terms", rematch="/rematch", challenge="/challenge")
    assert await anna.types("/rematch") == NOTHING
    rematch = await table.newest()
    asked = (await table.loaded(rematch)).match
    assert (asked.game, asked.options["size"], asked.preferred_seat) == ("sogo", "5", 1)
    assert await anna.types("/rematch") == NOTHING
    assert await table.newest() == rematch
    assert await ben.types("/revanche") == NOTHING
    assert (await table.loaded(rematch)).match.seats == (ben.id, anna.id)


async def test_the_command_means_the_match_that_has_ended_last_in_its_place(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    earlier, later = await table.begin(anna, ben), await table.begin(anna, cleo, words="sogo")
    await table.given_up(later, cleo)
    table.clock.forward(60)
    await table.given_up(earlier, ben)
    table.clock.forward(60)
    den = await table.channel("den")
    assert said(await anna.types("/rematch", place=den)) == anna.says("error-no-rematch")
    assert await anna.types("/rematch") == NOTHING
    asked = (await table.loaded(await table.newest())).match
    assert (asked.game, asked.opponent) == ("othello", ben.id)
    # In private there is nothing else that could be meant.
    assert await cleo.types("/rematch", place=cleo.direct) == NOTHING
    asked = (await table.loaded(await table.newest(cleo.direct))).match
    assert (asked.game, asked.opponent) == ("sogo", anna.id)


async def test_a_player_without_a_finished_game_has_no_rematch(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    running = await table.begin(cleo, anna)
    over = await table.begin(anna, ben)
    await table.given_up(over, ben)
    before = await table.newest()
    for place in (cleo.place, cleo.direct):
        assert said(await cleo.types("/rematch", place=place)) == cleo.says("error-no-rematch")
    pressed = await cleo.presses(Action("again", over, 3))
    assert said(pressed) == cleo.says("error-not-in-match")
    assert await table.newest() == before
    assert await table.status(running) is Status.RUNNING


async def test_whoever_has_played_alone_plays_alone_again(table: Table, anna: Person) -> None:
    over = await anna.starts("/blackbox new size=10")
    await anna.presses(Action("resign", over, 1, "yes"))
    assert await anna.types("/rematch") == NOTHING
    begun = (await table.loaded(await table.newest())).match
    assert (begun.id, begun.status, begun.options["size"]) == (over + 1, Status.RUNNING, "10")
