"""Answers to challenges: accepted, declined, taken back, too late."""

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Status
from tests.bot.table import NOTHING, Person, Table, buttons, said, screen_of


async def test_a_challenge_binds_no_player_before_it_is_accepted(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello @Ben")
    for person in (anna, ben):
        assert said(await person.types(f"/othello d3 {match_id}")) != ""
        assert said(await person.types("/resign")) == person.says("error-no-match")
        for answer in (
            await person.presses(Action("step", match_id, 1, "d3")),
            await person.presses(Action("resign", match_id, 1, "yes")),
            await person.presses(Action("resign", match_id, 1)),
            await person.types(f"/moves {match_id}"),
        ):
            assert said(answer) == person.says("error-not-begun")
    assert await ben.types("/accept") == NOTHING
    assert await table.status(match_id) is Status.RUNNING


async def test_a_challenge_is_declined_by_its_button(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello @Ben")
    await ben.presses(buttons(await table.screen(match_id, ben))["Ablehnen"])
    board = await table.screen(match_id, ben)
    assert ben.says("challenge-declined") in board.text
    assert board.over
    assert not buttons(board)
    assert said(await ben.types(f"/accept {match_id}")) == ben.says("error-challenge-declined")
    assert said(await anna.types(f"/decline {match_id}")) == anna.says("error-challenge-declined")


async def test_a_challenge_is_withdrawn_by_its_challenger_and_answered_by_its_opponent_alone(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await anna.starts("/othello @Ben")
    for verb in ("accept", "decline"):
        answer = await cleo.types(f"/{verb} {match_id}")
        assert said(answer) == cleo.says("error-challenge-for-other")
    assert said(await cleo.types("/accept")) == cleo.says("error-no-challenge")
    assert said(await ben.presses(Action("withdraw", match_id, 1))) == ben.says(
        "error-challenge-not-yours"
    )
    assert await anna.types("/decline") == NOTHING
    assert await table.status(match_id) is Status.WITHDRAWN
    assert said(await ben.types(f"/accept {match_id}")) == ben.says("error-challenge-withdrawn")


async def test_an_open_challenge_is_for_anybody_but_oneself(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    assert await anna.types("/challenge othello") == NOTHING
    match_id = await table.newest()
    board = await table.screen(match_id)
    assert set(buttons(board)) == {"Join", "Withdraw (Anna)", "Rules"}
    assert said(await anna.presses(buttons(board)["Join"])) == anna.says("error-accept-own")
    assert said(await anna.types("/accept")) == anna.says("error-no-challenge")
    assert said(await cleo.presses(buttons(board)["Withdraw (Anna)"])) == cleo.says(
        "error-challenge-not-yours"
    )
    assert await cleo.presses(buttons(board)["Join"]) == NOTHING
    assert set((await table.loaded(match_id)).match.seats) == {anna.id, cleo.id}
    assert said(await ben.presses(Action("accept", match_id, 1))) == ben.says(
        "error-challenge-running"
    )


async def test_of_several_challenges_the_answer_asks_which(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    wanted = await anna.starts("/othello @Ben 3d")
    await cleo.types("/morris @Ben 10m+5s")
    question = await ben.types("/accept")
    what = ben.says("button-accept")
    assert said(question) == ben.says("which-match-for", what=what)
    # The buttons say what tells the challenges apart.
    second, first = buttons(question).items()
    assert first[0].startswith(f"#{wanted} Othello")
    assert first[0].endswith(" · 3 Tage je Zug")
    assert second[0].endswith(" · 10 Min. + 5 Sek. je Zug")
    assert await ben.presses(first[1]) == NOTHING
    assert await table.status(wanted) is Status.RUNNING
    # One is left, so nothing has to be asked.
    assert await ben.types("/accept") == NOTHING
    assert said(await ben.types("/accept")) == ben.says("error-no-challenge")


async def test_a_challenge_expires_at_its_time(table: Table, anna: Person, ben: Person) -> None:
    match_id = await anna.starts("/othello @Ben")
    await table.settle()
    table.clock.forward(24 * 3600 - 1)
    await table.settle()
    assert await table.status(match_id) is Status.PROPOSED
    table.clock.forward(1)
    await table.settle()
    assert await table.status(match_id) is Status.EXPIRED
    assert said(await ben.types(f"/accept {match_id}")) == ben.says("error-challenge-expired")
    assert ben.says("challenge-expired") in (await table.screen(match_id, ben)).text
    assert [post.version for post in table.wall.of(match_id)] == [2]


async def test_offers_are_answered_and_withdrawn_by_the_words_for_challenges(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="morris unrated", moves="a1,a4,d1,d2")

    async def offers() -> set[str]:
        return {str(one.kind) for one in (await table.loaded(match_id)).match.open_offers}

    assert said(await ben.types("/withdraw")) == ben.says("error-nothing-open")
    await ben.types("/draw")
    await ben.types("/clock 3d")
    # Players cannot accept their own offers.
    assert said(await ben.types("/accept")) == ben.says("error-no-challenge")
    for person, word in ((anna, "decline"), (ben, "withdraw")):
        question = await person.types(f"/{word} {match_id}")
        assert said(question) == person.says("which-offer")
        labels = [person.says(f"button-{kind}-{word}") for kind in ("draw", "clock")]
        assert list(buttons(question)) == labels
    assert await ben.types(f"{ben.calls('withdraw')} {match_id}") != NOTHING
    assert await ben.presses(buttons(question)[labels[0]]) == NOTHING
    assert await offers() == {"clock"}
    # A button of the challenge that the match was once means no offer.
    old = await anna.presses(Action("accept", match_id, 1))
    assert said(old) == anna.says("error-challenge-running")
    assert await anna.types("/accept") == NOTHING
    assert (await table.loaded(match_id)).match.terms.clock is not None
    await anna.types("/abort")
    assert await ben.types(f"{ben.calls('decline')} {match_id}") == NOTHING
    await ben.types("/takeback")
    assert await ben.types(ben.calls("withdraw")) == NOTHING
    assert await offers() == set()


async def test_of_challenges_by_and_to_a_user_those_to_them_are_declined(
    table: Table, anna: Person, ben: Person
) -> None:
    asked = await anna.starts("/othello @Ben")
    own = await ben.starts("/sogo @Anna")
    assert await ben.types("/decline") == NOTHING
    assert (await table.loaded(asked)).match.status is Status.DECLINED
    assert await ben.types("/decline") == NOTHING
    assert (await table.loaded(own)).match.status is Status.WITHDRAWN


async def test_of_several_challenges_the_newest_of_this_place_can_be_withdrawn_first(
    table: Table, anna: Person, ben: Person
) -> None:
    garden = await table.channel("garden")
    await table.begin(anna, ben, words="sogo", moves="a1,a2")
    await anna.types("/draw")
    for line, place in (
        ("/othello new", table.lounge),
        ("/morris new", garden),
        ("/sogo @Ben", table.lounge),
    ):
        assert await anna.types(line, place=place) == Answer()
    for place, order in ((table.lounge, [4, 2, 1, 3]), (garden, [3, 4, 2, 1])):
        answer = screen_of(await anna.types("/withdraw", place=place))
        assert [row[0].action.match for row in answer.rows] == order
