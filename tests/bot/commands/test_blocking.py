"""Blocking: blocked people cannot challenge, join or be read, and are not notified."""

from bot.domain.actions import Action
from bot.domain.model import Status
from bot.store import blocks
from tests.bot.table import A_MOMENT, NOTHING, Person, Table, buttons, said


async def test_a_blocked_player_cannot_challenge_after_a_restart_either(
    table: Table, anna: Person, ben: Person
) -> None:
    assert said(await anna.types("/unblock @Ben")) == anna.says("error-not-blocked", name="Ben")
    assert said(await anna.types("/block @Ben")) == anna.says(
        "block-done", name="Ben", platform="web"
    )
    for line in ("/othello @Anna", "/challenge @Anna sogo", "/morris @Anna new"):
        assert said(await ben.types(line)) == ben.says("error-takes-no-challenges", name="Anna")
    assert "block" not in ben.says("error-takes-no-challenges", name="Anna").casefold()
    await table.restart()
    answer = await ben.types("/othello @Anna")
    assert said(answer) == ben.says("error-takes-no-challenges", name="Anna")
    await ben.types("/othello new")
    assert (await table.loaded(await table.newest())).match.opponent is None
    assert said(await anna.types("/accept")) == anna.says("error-you-have-blocked", name="Ben")


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
    match_id = await anna.starts("/othello new")
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


async def test_an_active_match_goes_on_and_has_no_rematch(
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
    assert await table.newest() == match_id
    # Both may look at it.
    for who in (anna, ben):
        for line in (f"/board “{match_id}”", f"/moves {match_id}", f"/analyse {match_id}"):
            assert not (await who.types(line)).refused, (who.name, line)


async def test_offers_in_an_active_match_are_answered_before_and_after_a_block(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello takebacks", moves="d3,c3")
    for line in ("/draw", "/block @Ben"):
        assert not (await anna.types(line)).refused, line
    assert await ben.types("/decline") == NOTHING
    assert await ben.types("/takeback") == NOTHING
    assert await anna.types("/accept") == NOTHING
    assert len((await table.loaded(match_id)).match.plies) == 1
    assert await ben.types("/draw") == NOTHING
    assert await anna.types("/accept") == NOTHING
    assert await table.status(match_id) is Status.OVER


async def test_only_other_players_of_the_platform_can_be_blocked(
    table: Table, anna: Person
) -> None:
    await table.arrive("Far", platform="elsewhere")
    for word, key in (("@Anna", "block-self"), ("anna", "block-self"), ("@azumaya", "block-house")):
        assert said(await anna.types(f"/block {word}")) == anna.says(f"error-{key}")
    for verb, name in (("block", "Eve"), ("unblock", "Eve"), ("block", "Far")):
        unknown = anna.says("error-unknown-person", platform="web", name=name)
        assert said(await anna.types(f"/{verb} @{name}")) == unknown
    for line in ("/block", "/unblock"):
        assert said(await anna.types(line)) == anna.says("blocks-none", platform="web")


async def test_the_settings_lead_to_a_list_where_each_can_be_unblocked(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    assert not [label for label in buttons(await anna.types("/settings")) if "locked" in label]
    for line in ("/block @Ben", "/block @Cleo", "/block @Ben"):
        await anna.types(line)
    listed = await anna.presses(buttons(await anna.types("/settings"))["Blocked: 2"])
    assert set(buttons(listed)) == {"Unblock Ben", "Unblock Cleo", "Back to settings"}
    assert buttons(await anna.types("/block")) == buttons(listed)
    left = await anna.presses(buttons(listed)["Unblock Ben"])
    assert set(buttons(left)) == {"Unblock Cleo", "Back to settings"}
    # A second press does nothing, and neither does one by another person.
    assert buttons(await anna.presses(buttons(listed)["Unblock Ben"])) == buttons(left)
    await ben.presses(buttons(listed)["Unblock Cleo"])
    assert await blocks.count(table.app.store, anna.id) == 1
    await ben.types("/othello @Anna")
    assert await table.status(await table.newest()) is Status.PROPOSED


async def test_completion_offers_whom_both_commands_could_mean(
    anna: Person, ben: Person, cleo: Person
) -> None:
    assert await anna.completes("/blo") == ["/block "]
    assert await anna.completes("/unb") == ["/unblock "]
    assert await anna.completes("/block @") == ["/block @Ben", "/block @Cleo"]
    assert await anna.completes("/unblock @") == []
    for name in ("Ben", "Cleo"):
        await anna.types(f"/block @{name}")
    assert await anna.completes("/unblock @") == ["/unblock @Ben", "/unblock @Cleo"]
    assert await anna.completes("/unblock @C") == ["/unblock @Cleo"]
    assert await ben.completes("/unblock @") == []
