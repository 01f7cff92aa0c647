"""Studies: boards on which one user moves both sides, in private."""

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Computer, EndingKind, Status
from bot.matches.erasing import erase
from bot.store import match_queries, personal_data, quotas, statistics
from bot.store.match_queries import Wanted
from tests.bot.commands.test_past import step
from tests.bot.table import Person, Table, Thinking, buttons, said

MOVES = ("d3", "c3", "c4", "e3")


@pytest.fixture
async def over(table: Table, anna: Person, ben: Person) -> int:
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, ",".join(MOVES))
    await table.given_up(match_id, ben)
    await table.settle()
    return match_id


async def studied(person: Person, match_id: int, ply: int) -> int:
    """Start a study from a position, and return its id."""
    answer = await person.presses(Action("try", match_id, 0, str(ply)))
    assert answer.board_in_dm, said(answer)
    return answer.board_in_dm


async def test_a_study_starts_from_a_past_position_and_its_user_moves_both_sides(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    past = await step(cleo, over, 2)
    assert list(buttons(past)) == ["‹ Move", "Move ›", "Try moves", "Play computer"]
    match_id = await studied(cleo, over, 2)
    await table.notified()
    shown = await table.screen(match_id, cleo)
    assert shown.title == "Study · Othello"
    assert shown.text.splitlines()[0] == "Black to move."
    assert [(side.name, side.is_mine) for side in shown.sides] == [
        ("Black", False),
        ("White", False),
    ]
    assert list(buttons(shown)) == ["Hint", "Moves", "Close"]
    for move in ("c4", "e3"):
        assert await cleo.types(f"/othello {move}", place=cleo.direct) == Answer()
    match = (await table.loaded(match_id)).match
    assert [ply.seat for ply in match.plies] == [0, 1]
    assert (await step(cleo, match_id, private=True)).ply == 2
    # No one is notified, not even days later.
    table.clock.forward(100 * 24 * 3600)
    assert await table.notified() == []
    assert await table.status(match_id) is Status.RUNNING


async def test_a_study_has_the_options_of_its_game(table: Table, anna: Person, ben: Person) -> None:
    found: dict[int, str] = {}
    for count in ("50", "100"):
        match_id = await table.begin(anna, ben, words=f"morris draw={count}", moves="d6,f4")
        await table.given_up(match_id, ben)
        study = await studied(anna, match_id, 2)
        found[study] = (await table.loaded(study)).match.options["draw_after"]
    assert list(found.values()) == ["50", "100"]


async def test_a_takeback_in_a_study_needs_no_consent(
    table: Table, cleo: Person, over: int
) -> None:
    match_id = await studied(cleo, over, 0)
    first = await table.screen(match_id, cleo)
    for move in MOVES:
        await cleo.types(f"/othello {move}", place=cleo.direct)
    for left in (3, 2):
        shown = await table.screen(match_id, cleo)
        assert await cleo.presses(buttons(shown)["Takeback"], place=cleo.direct) == Answer()
        assert len((await table.loaded(match_id)).match.plies) == left
    for _ in range(2):
        assert await cleo.types("/takeback", place=cleo.direct) == Answer()
    again = await table.screen(match_id, cleo)
    assert (again.alt, again.text) == (first.alt, first.text)
    none = await cleo.types("/takeback", place=cleo.direct)
    assert said(none) == cleo.says("error-takeback-nothing")
    assert (await cleo.types("/draw", place=cleo.direct)).refused


async def test_a_study_that_is_closed_counts_for_nothing(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    match_id = await studied(cleo, over, 2)
    await cleo.types("/othello c4", place=cleo.direct)
    shown = await table.screen(match_id, cleo)
    assert await cleo.presses(buttons(shown)["Close"], place=cleo.direct) == Answer()
    closed = await table.screen(match_id, cleo)
    assert closed.text.splitlines()[0] == "This study is closed."
    assert list(buttons(closed)) == ["Replay", "Analysis", "Try moves", "Play computer"]
    match = (await table.loaded(match_id)).match
    assert match.ending is not None
    assert (match.ending.kind, match.outcome) == (EndingKind.CLOSED, None)
    wanted = Wanted("", "", rated=False, before=0)
    found = await match_queries.finished(
        table.app.store, cleo.id, wanted, reader=cleo.id, place_ids=[]
    )
    assert [found_id for found_id, _ in found] == [match_id]
    listed = said(await cleo.types("/history"))
    assert listed.startswith(f"#{match_id} Study · Othello: This study is closed")
    public = await match_queries.finished(
        table.app.store, cleo.id, wanted, reader=0, place_ids=[match.place_id, table.lounge.id]
    )
    assert public == []
    again = await cleo.types("/rematch", place=cleo.direct)
    assert said(again) == cleo.says("error-no-rematch")


async def test_a_study_does_not_count_as_an_active_game_and_has_a_limit_of_its_own(
    table: Table, cleo: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MOST_STUDIES", 2)
    first = await studied(cleo, over, 0)
    # The same one again leads to its board.
    assert await studied(cleo, over, 0) == first
    await studied(cleo, over, 1)
    many = await cleo.presses(Action("try", over, 0, "2"))
    assert said(many) == cleo.says("error-too-many-studies", count=2)
    listed = await match_queries.open_of(table.app.store, cleo.id)
    assert [(one.is_study, one.waits, one.other) for one in listed] == [(True, False, None)] * 2
    assert f"#{first} Study · Othello: 0 moves" in said(await cleo.types("/matches"))
    assert said(await cleo.types("/next")) == cleo.says("next-none")
    assert not any(await personal_data.belongings(table.app.store, cleo.id))


async def test_a_study_is_seen_by_its_user_alone(
    table: Table, anna: Person, cleo: Person, over: int
) -> None:
    match_id = await studied(cleo, over, 2)
    for place in (table.lounge, anna.direct, cleo.direct):
        hidden = await anna.types(f"/moves {match_id}", place=place)
        assert said(hidden) == anna.says("error-no-such-match", match=match_id)
    assert said(await cleo.types(f"/board {match_id}")) == cleo.says("error-study-here")
    assert not (await cleo.types(f"/moves {match_id}")).refused


async def test_a_game_that_is_not_over_has_no_other_ways_on(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    match_id = await table.begin(anna, ben, moves="d3")
    assert "Try moves" not in buttons(await step(ben, match_id, 1))
    for verb in ("try", "versus"):
        early = await ben.presses(Action(verb, match_id, 0, "1"))
        assert said(early) == ben.says("error-try-running")
    match_id = await table.begin(anna, ben, words="sogo", moves="a1,b1,a1,b1,a1,b1,a1")
    over_now = await ben.presses(Action("try", match_id, 0))
    assert said(over_now) == ben.says("error-try-over", game="Sogo")


async def test_the_computer_goes_on_from_a_past_position_and_that_does_not_count(
    table: Table, cleo: Person, over: int
) -> None:
    table.app.engines = Thinking()
    await cleo.presses(Action("versus", over, 0, "2"))
    match_id = await table.newest()
    match = (await table.loaded(match_id)).match
    assert match.seats == (cleo.id, Computer(2))
    listed = await match_queries.open_of(table.app.store, cleo.id)
    assert [one.is_study for one in listed] == [False]
    # A double click starts no second one.
    await cleo.presses(Action("versus", over, 0, "2"))
    assert await table.newest() == match_id
    await cleo.types("/othello c4")
    await table.settle()
    assert len((await table.loaded(match_id)).match.plies) == 2
    await table.given_up(match_id, cleo)
    assert (await statistics.records(table.app.store, cleo.id)).computers == {}


async def test_an_untouched_game_from_the_start_is_not_taken_for_one_from_a_position(
    table: Table, cleo: Person, over: int
) -> None:
    table.app.engines = Thinking()
    usual = await cleo.starts("/othello computer 2 black")
    await cleo.presses(Action("versus", over, 0, "2"))
    match = (await table.loaded(await table.newest())).match
    assert (match.id == usual, match.level, match.preferred_seat) == (False, 2, 0)


async def test_an_erased_account_keeps_no_names_of_a_study(
    table: Table, cleo: Person, over: int
) -> None:
    match_id = await studied(cleo, over, 2)
    await erase(table.app.store, table.app.matches, cleo.id)
    table.app.matches.memory.invalidate()
    match = (await table.loaded(match_id)).match
    assert (match.status, match.headers) == (Status.OVER, ())
