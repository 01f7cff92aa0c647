"""Blocking: blocked people cannot challenge, join or be read, and are not notified."""

import pytest

from bot.actions import Action
from bot.commands import Answer
from bot.erasing import erase
from bot.errors import Refused
from bot.model import Status
from bot.store import blocks
from bot.texts import LANGUAGES
from tests.bot.table import A_MOMENT, Person, Table, buttons, said

NOTHING = Answer()


async def nothing_new(table: Table, match_id: int) -> bool:
    return await table.newest() == match_id


async def test_somebody_who_is_blocked_cannot_challenge(
    table: Table, anna: Person, ben: Person
) -> None:
    assert said(await anna.types("/block @Ben")) == anna.says("block-done", name="Ben")
    for line in ("/othello @Anna", "/challenge @Anna sogo", "/morris @Anna new"):
        assert said(await ben.types(line)) == ben.says("error-takes-no-challenges", name="Anna")
    assert "block" not in ben.says("error-takes-no-challenges", name="Anna").casefold()
    await ben.types("/othello new")
    assert (await table.loaded(await table.newest())).match.opponent is None


async def test_whoever_blocks_cannot_challenge_before_they_take_it_back(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/block @Ben")
    assert said(await anna.types("/othello @Ben")) == anna.says(
        "error-you-have-blocked", name="Ben"
    )
    assert said(await anna.types("/unblock @Ben")) == anna.says("unblock-done", name="Ben")
    assert await anna.types("/othello @Ben") == NOTHING
    assert await ben.types("/accept") == NOTHING


async def test_an_open_challenge_cannot_be_joined_by_any_way(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    await anna.types("/othello new")
    match_id = await table.newest()
    await anna.types("/block @Ben")
    refused = ben.says("error-takes-no-challenges", name="Anna")
    code = (await table.loaded(match_id)).match.code
    for answer in (
        await ben.types(f"/join {code}"),
        await ben.types("/accept"),
        await ben.types(f"/accept #{match_id}"),
        await ben.presses(Action("accept", match_id, 1)),
    ):
        assert said(answer) == refused
    assert await table.status(match_id) is Status.PROPOSED
    assert await cleo.types("/accept") == NOTHING


async def test_whoever_blocks_does_not_join_by_mistake(
    table: Table, anna: Person, ben: Person
) -> None:
    await ben.types("/othello new")
    await anna.types("/block @Ben")
    assert said(await anna.types("/accept")) == anna.says("error-you-have-blocked", name="Ben")


async def test_what_waits_between_the_two_ends_and_nothing_else(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    ids = {}
    for who, line in (
        (anna, "/othello @Ben"),
        (ben, "/sogo @Anna"),
        (cleo, "/sogo @Anna"),
        (ben, "/sogo @Cleo"),
        (ben, "/sogo new"),
    ):
        await who.types(line)
        ids[who.name, line] = await table.newest()
    await anna.types("/block @Ben")
    assert [await table.status(match_id) for match_id in ids.values()] == [
        Status.WITHDRAWN,
        Status.DECLINED,
        Status.PROPOSED,
        Status.PROPOSED,
        Status.PROPOSED,
    ]


async def test_a_match_that_is_on_goes_on_and_has_no_rematch(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await anna.types("/block @Ben")
    assert await anna.types("/othello d3") == NOTHING
    assert await ben.types("/othello c3") == NOTHING
    await ben.presses(Action("resign", match_id, 4, "yes"))
    assert await table.status(match_id) is Status.OVER
    table.clock.forward(A_MOMENT)
    again = Action("again", match_id, 5)
    assert said(await ben.presses(again)) == ben.says("error-takes-no-challenges", name="Anna")
    assert said(await anna.presses(again)) == anna.says("error-you-have-blocked", name="Ben")
    assert await nothing_new(table, match_id)


@pytest.mark.parametrize("blocked_first", [True, False])
async def test_in_a_match_that_is_on_what_is_offered_is_heard_and_answered(
    table: Table, anna: Person, ben: Person, *, blocked_first: bool
) -> None:
    match_id = await table.begin(anna, ben, words="othello takebacks")
    await table.plays(match_id, "d3,c3")
    lines = ["/block @Ben", "/draw"]
    for line in lines if blocked_first else reversed(lines):
        assert not (await anna.types(line)).refused, line
    assert await ben.types("/decline") == NOTHING
    assert await ben.types("/takeback") == NOTHING
    assert await anna.types("/accept") == NOTHING
    assert len((await table.loaded(match_id)).match.plies) == 1
    assert await ben.types("/draw") == NOTHING
    assert await anna.types("/accept") == NOTHING
    assert await table.status(match_id) is Status.OVER


async def test_what_both_have_played_both_may_look_at_and_look_back_on(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, "d3")
    await anna.types("/block @Ben")
    await table.given_up(match_id, ben)
    for who in (anna, ben):
        for line in (f"/board {match_id}", f"/moves {match_id}", f"/analyse {match_id}"):
            assert not (await who.types(line)).refused, (who.name, line)


async def test_a_rematch_that_was_offered_before_is_off(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await ben.presses(Action("resign", match_id, 2, "yes"))
    table.clock.forward(A_MOMENT)
    await anna.presses(Action("again", match_id, 3))
    offer = await table.newest()
    await ben.types("/block @Anna")
    assert await table.status(offer) is Status.DECLINED
    answer = await anna.presses(Action("again", match_id, 3))
    assert said(answer) == anna.says("error-takes-no-challenges", name="Ben")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_oneself_the_house_and_nobody_cannot_be_blocked(table: Table, language: str) -> None:
    dora = await table.arrive("Dora", locale=language)
    for word, key in (("@Dora", "block-self"), ("dora", "block-self"), ("@azumaya", "block-house")):
        assert said(await dora.types(f"/block {word}")) == dora.says(f"error-{key}")
    unknown = dora.says("error-unknown-person", name="Eve")
    assert said(await dora.types("/block @Eve")) == unknown
    assert said(await dora.types("/unblock @Eve")) == unknown
    assert said(await dora.types("/block")) == dora.says("blocks-none", platform="web")
    assert said(await dora.types("/unblock")) == dora.says("blocks-none", platform="web")


async def test_somebody_of_another_platform_cannot_be_blocked(table: Table, anna: Person) -> None:
    await table.arrive("Far", platform="elsewhere")
    assert said(await anna.types("/block @Far")) == anna.says("error-unknown-person", name="Far")


async def test_the_settings_lead_to_a_list_where_each_can_be_unblocked(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    assert not [label for label in buttons(await anna.types("/settings")) if "locked" in label]
    for line in ("/block @Ben", "/block @Cleo", "/block @Ben"):
        await anna.types(line)
    listed = await anna.presses(buttons(await anna.types("/settings"))["Blocked: 2"])
    assert set(buttons(listed)) == {"Unblock Ben", "Unblock Cleo"}
    assert buttons(await anna.types("/block")) == buttons(listed)
    left = await anna.presses(buttons(listed)["Unblock Ben"])
    assert set(buttons(left)) == {"Unblock Cleo"}
    # A second press does nothing, and neither does one by another person.
    assert buttons(await anna.presses(buttons(listed)["Unblock Ben"])) == buttons(left)
    await ben.presses(buttons(listed)["Unblock Cleo"])
    assert await blocks.count(table.app.store, anna.id) == 1
    await ben.types("/othello @Anna")
    assert await table.status(await table.newest()) is Status.PROPOSED


async def test_those_who_are_blocked_stand_two_in_a_row_each_once(
    table: Table, anna: Person
) -> None:
    for name in ("Xa", "Xb", "Xc", "Xd", "Xe"):
        await table.arrive(name)
        await anna.types(f"/block @{name}")
    screen = (await anna.types("/block")).private
    assert screen is not None
    labels = [[button.label.removeprefix("Unblock ") for button in row] for row in screen.rows]
    assert sorted(name for row in labels for name in row) == ["Xa", "Xb", "Xc", "Xd", "Xe"]
    assert list(map(len, labels)) == [2, 2, 1]


async def test_not_blocked_is_what_it_says(anna: Person, ben: Person) -> None:
    assert said(await anna.types("/unblock @Ben")) == anna.says("error-not-blocked", name="Ben")


async def test_completion_knows_both_commands_and_whom_they_could_mean(
    anna: Person, ben: Person, cleo: Person
) -> None:
    assert await anna.completes("/blo") == ["/block "]
    assert await anna.completes("/unb") == ["/unblock "]
    assert await anna.completes("/block @") == ["/block @Anna", "/block @Ben", "/block @Cleo"]
    assert await anna.completes("/unblock @") == []
    await anna.types("/block @Cleo")
    assert await anna.completes("/unblock @") == ["/unblock @Cleo"]
    assert await ben.completes("/unblock @") == []


async def test_a_block_outlives_a_restart(table: Table, anna: Person, ben: Person) -> None:
    await anna.types("/block @Ben")
    await table.restart()
    answer = await ben.types("/othello @Anna")
    assert said(answer) == ben.says("error-takes-no-challenges", name="Anna")


async def test_whoever_is_erased_in_that_moment_blocks_nobody_and_is_blocked_by_nobody(
    table: Table, anna: Person, ben: Person
) -> None:
    store = table.app.store
    await erase(store, table.app.matches, ben.id)
    with pytest.raises(Refused, match="person-gone"):
        await blocks.add(store, anna.id, ben.id)
    with pytest.raises(Refused, match="forgotten"):
        await blocks.add(store, ben.id, anna.id)
    assert await blocks.count(store, anna.id) == await blocks.count(store, ben.id) == 0
