"""Matches in memory: committed before they are shown, one version after another."""

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text

import games
from bot.app import App
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Match, Status
from bot.matches import MatchState, beginning, playing, reading
from bot.matches import matches as matches_module
from bot.store import matches as match_store
from bot.store import people
from bot.support.errors import StoreError
from tests.bot.failing import watched
from tests.bot.store.sql import execute, rows
from tests.bot.store.test_matches import new_match
from tests.bot.table import Person, Table, said, two_seat_games
from tests.sampling import sampled

NOTHING = Answer()


async def stored(table: Table, match_id: int) -> MatchState:
    """Return the match as another process reads it."""
    other = await App.open(table.settings)
    try:
        return await reading.get(other.matches, match_id)
    finally:
        await other.close()


async def test_a_change_of_a_match_with_a_computer_wakes_the_engines(
    table: Table, anna: Person, ben: Person
) -> None:
    due = table.app.computers_due.listen()
    await table.begin(anna, ben)
    assert not due.is_set()
    await anna.types("/othello computer 1 white")
    assert due.is_set()


# What is in memory is what is stored


@pytest.mark.parametrize("game_id", sampled(two_seat_games(), "sogo"))
async def test_memory_and_database_agree_after_every_step(
    table: Table, anna: Person, ben: Person, game_id: str
) -> None:
    match_id = await anna.starts(f"/{game_id} @Ben")
    assert await table.loaded(match_id) == await stored(table, match_id)
    await ben.types("/accept")
    for ply in range(6):
        loaded = await table.loaded(match_id)
        assert loaded == await stored(table, match_id)
        seat = min(loaded.position.turn)
        choices = loaded.position.moves(seat)
        await table.plays(match_id, loaded.game.notation(choices[ply * 7 % len(choices)]))
    await anna.presses(
        Action("resign", match_id, (await table.loaded(match_id)).match.version, "yes")
    )
    loaded = await table.loaded(match_id)
    assert loaded.match.status is Status.OVER
    assert loaded == await stored(table, match_id)


async def test_a_forced_pass_is_stored_as_a_move(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await _play_until_a_pass(table, match)
    loaded = await table.loaded(match)
    *_, move, forced = loaded.match.plies
    assert forced.notation == "pass"
    assert forced.seat == 1 - move.seat
    assert loaded.position.turn == {move.seat}
    assert loaded == await stored(table, match)
    passed = anna.says("othello-fact-passed", seat=forced.seat, first="Anna", second="Ben")
    text = (await table.screen(match)).text
    assert passed in text
    assert anna.says("board-last", move=f"{move.notation}, pass") in text


async def _play_until_a_pass(table: Table, match_id: int) -> None:
    """Play on until a pass, leaving the opponent the fewest moves."""
    while True:
        loaded = await table.loaded(match_id)
        (seat,) = loaded.position.turn

        def left(move: object, loaded: MatchState = loaded, seat: int = seat) -> int:
            after = loaded.position.play(seat, move)
            return 99 if after.outcome() else len(after.moves(1 - seat))

        move = min(loaded.position.moves(seat), key=left)
        await table.plays(match_id, loaded.game.notation(move))
        if (await table.loaded(match_id)).match.plies[-1].notation == "pass":
            return


async def test_what_is_known_is_read_again_only_where_somebody_else_may_have_written(
    table: Table, anna: Person, ben: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, other = table.app.matches, await table.begin(anna, ben)
    read = watched(monkeypatch, match_store, "load")
    for match_id in (match, other):
        for at_least in (0, 1, 2):
            assert (await reading.get(matches, match_id, at_least=at_least)).match.version == 2
    assert read == []
    # Another process knows that the position got further.
    await reading.get(matches, match, at_least=3)
    assert [one for _, one in read] == [match]
    matches.memory.invalidate(match)
    for match_id in (match, other, match):
        await reading.get(matches, match_id)
    assert [one for _, one in read] == [match, match]
    matches.memory.invalidate()
    for match_id in (match, other, match, other):
        await reading.get(matches, match_id)
    assert [one for _, one in read[2:]] == [match, other]


async def test_whose_view_somebody_gets_depends_on_who_else_looks(
    table: Table, anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    two = await table.loaded(match)
    seats = [two.viewer(person.id, person.direct) for person in (anna, ben, cleo)]
    assert seats == [0, 1, None]
    assert [two.viewer(person.id, table.lounge) for person in (anna, ben)] == [None, None]
    alone = replace(two, match=replace(two.match, seats=(anna.id,)))
    assert alone.viewer(anna.id, anna.direct) is None


async def test_who_begins_is_drawn_of_two_unless_somebody_has_wished(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    class Luck(Random):
        def randrange(self, start: int, *_: Any) -> int:
            drawn.append(start)
            return len(drawn) - 1

    monkeypatch.setattr(table.app.matches, "rng", Luck())
    seats = []
    for wish in ("", "", " first", " second"):
        match_id = await anna.starts(f"/challenge @Ben othello{wish}")
        await ben.types(f"/accept {match_id}")
        loaded = await table.loaded(match_id)
        assert (loaded.match.news, loaded.match.news_by) == (2, ben.id)
        assert loaded == await stored(table, match_id)
        seats.append(loaded.match.seats)
    first, second = (anna.id, ben.id), (ben.id, anna.id)
    assert (drawn, seats) == ([2, 2], [first, second, first, second])


async def test_a_challenge_that_ends_is_in_memory_as_it_is_stored(
    table: Table, anna: Person, ben: Person
) -> None:
    matches, options = table.app.matches, games.get("othello").options_from({})
    zoe = await people.get_or_create_user(table.app.store, "chat", "1", name="Zoe", handle="zoe")
    for opponent, held_for, status, by, after, is_news in (
        (ben.id, "", Status.DECLINED, ben.id, ben.id, True),
        (ben.id, "", Status.WITHDRAWN, anna.id, ben.id, False),
        (ben.id, "", Status.EXPIRED, None, ben.id, False),
        (None, "", Status.WITHDRAWN, anna.id, None, False),
        (None, "chat:zoe", Status.WITHDRAWN, anna.id, None, False),
        (None, "chat:zoe", Status.EXPIRED, None, None, False),
        (None, "chat:zoe", Status.DECLINED, zoe.id, zoe.id, True),
    ):
        new = new_match(table, anna.id, opponent, options=options, expires=2**30, held_for=held_for)
        offered = await beginning.propose(matches, new)
        closed = await beginning.end_challenge(matches, offered.match.id, status, user_id=by)
        assert closed == await stored(table, offered.match.id)
        match = closed.match
        assert (match.status, match.opponent, match.held_for) == (status, after, "")
        assert (match.news, match.news_by) == ((2, by) if is_news else (1, anna.id))
        with pytest.raises(Refused, match=f"challenge-{status}"):
            await beginning.end_challenge(matches, offered.match.id, Status.EXPIRED)


async def test_what_the_house_does_by_itself_finishes_nobodys_command_and_is_told(
    table: Table, anna: Person, ben: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, finished, roused = table.app.matches, list[str](), list[bool]()

    class Also:
        def __call__(self, connection: Connection) -> None:
            assert connection.in_transaction()
            finished.append("step")

        def committed(self) -> None:
            finished.append("committed")

    monkeypatch.setattr(matches, "changed", lambda: roused.append(True))
    within = matches.within(table.app.store.together_with(Also()))
    # What was put aside and can be replayed is taken up.
    await match_store.mark_unreadable(table.app.store, match)
    matches.memory.invalidate()
    assert not (await reading.get(within, match)).match.is_unreadable
    assert (finished, roused) == ([], [True])
    # What is of older rules ends.
    game = games.get("othello")
    monkeypatch.setattr(game, "rules_version", game.rules_version + 1)
    matches.memory.invalidate()
    assert (await reading.get(within, match)).match.status is Status.OVER
    assert (finished, roused) == ([], [True, True])
    # The next command of the match, or of another match, finishes it.
    with pytest.raises(Refused, match="match-over"):
        await playing.play(within, match, anna.id, "d3")
    assert finished == []
    await playing.play(within, await table.begin(anna, ben), anna.id, "d3")
    assert finished == ["step", "committed"]


# What memory holds


async def test_long_matches_leave_memory_sooner_than_short_ones(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches_module, "_REMEMBERED_PLIES", 7)
    table.app.matches.memory = matches_module.MatchMemory()
    ids = [await table.begin(anna, ben) for _ in range(4)]
    for match_id in ids:
        await table.plays(match_id, "d3,c3,c4")
    remembered = table.app.matches.memory
    assert list(remembered) == ids[2:]
    await table.plays(ids[3], "e3,f3")
    assert list(remembered) == ids[3:]
    table.app.matches.memory.invalidate()
    for match_id in ids:
        assert len((await table.loaded(match_id)).match.plies) >= 3
    assert list(remembered) == ids[3:]


async def test_what_was_read_before_somebody_moved_is_not_remembered_instead(
    table: Table, match: int
) -> None:
    before = await table.loaded(match)
    await table.plays(match, "d3")
    remembered = table.app.matches.memory
    remembered.keep(before)
    assert remembered.get(match) == await stored(table, match)


# Changed under us


async def test_a_version_that_changed_under_us_is_noticed(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await table.loaded(match)
    other = await App.open(table.settings)
    await playing.play(other.matches, match, anna.id, "d3")
    await other.close()
    # What we remember is Anna's turn at version 2; nothing may be written on top of that.
    answer = await anna.types("/othello c4")
    assert said(answer) == anna.says("error-stale")
    assert (await table.loaded(match)).match.version == 3
    assert await ben.types("/othello c3") == NOTHING
    assert await table.loaded(match) == await stored(table, match)


@pytest.mark.parametrize("moments", range(0, 60, 20))
async def test_a_command_that_is_cancelled_half_way_is_done_or_not_done(
    table: Table, anna: Person, ben: Person, *, match: int, moments: int
) -> None:
    task = asyncio.create_task(anna.types("/othello d3"))
    for _ in range(moments):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    # Whichever it was, the house knows, also where it is stored a moment later; and the match
    # goes on.
    shown: list[int] = []
    while (found := (await stored(table, match)).match).version not in shown:
        await table.settle()
        shown = [post.version for post in table.wall.of(match)]
    assert (found.version, len(found.plies)) in ((2, 0), (3, 1))
    assert shown == [found.version]
    if not found.plies:
        await anna.types("/othello d3")
    assert await ben.types("/othello c3") == NOTHING
    assert [ply.notation for ply in (await stored(table, match)).match.plies] == ["d3", "c3"]


async def fill_the_disk(table: Table, match_id: int) -> None:
    """Leave room for a few moves at most."""
    store = table.app.store
    ((pages,),) = await rows(store, text("PRAGMA page_count"))
    await execute(store, text(f"PRAGMA max_page_count={pages}"))

    async def fill() -> None:
        for ply in range(1000):
            row = f"({match_id}, {ply}, 0, '{'x' * 64}', 0, NULL)"
            await execute(store, text(f"INSERT INTO moves VALUES {row}"))

    with pytest.raises(StoreError, match="database or disk is full"):
        await fill()


async def test_a_command_that_is_cancelled_right_after_the_commit_is_done(
    table: Table, anna: Person, ben: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = match_store.commit

    async def commit_and_hang_up(*arguments: Any, **more: Any) -> bool:
        await commit(*arguments, **more)
        raise asyncio.CancelledError

    await table.settle()
    changed = table.app.changed.listen()
    with monkeypatch.context() as patch:
        patch.setattr(match_store, "commit", commit_and_hang_up)
        with pytest.raises(asyncio.CancelledError):
            await anna.types("/othello d3")
    assert changed.is_set()
    assert await ben.types("/othello c3") == NOTHING


@pytest.mark.sqlite
async def test_a_full_disk_changes_nothing_and_is_told(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await fill_the_disk(table, await table.begin(anna, ben))
    for _ in range(20):
        loaded = await table.loaded(match)
        (seat,) = loaded.position.turn
        person, notation = (anna, ben)[seat], loaded.game.notation(loaded.position.moves(seat)[0])
        answer = await person.presses(Action("step", match, loaded.match.version, notation))
        if answer != NOTHING:
            break
    assert said(answer) == person.says("error-not-stored")
    assert await table.loaded(match) == loaded == await stored(table, match)
    await execute(table.app.store, text("PRAGMA max_page_count=1000000"))
    again = await person.presses(Action("step", match, loaded.match.version, notation))
    assert again == NOTHING
    assert await table.loaded(match) == await stored(table, match)


# Refusals of the house itself


async def test_no_such_match(table: Table) -> None:
    with pytest.raises(Refused) as caught:
        await table.loaded(12345)
    assert (caught.value.code, caught.value.details) == ("no-such-match", {"match": 12345})


async def test_what_was_stored_though_nobody_heard_so_is_read_again(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = match_store.commit

    async def stores_and_fails(*about: Any, **more: Any) -> bool:
        await commit(*about, **more)
        raise StoreError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(match_store, "commit", stores_and_fails)
        assert said(await anna.types("/othello d3")) == anna.says("error-not-stored")
    assert (await table.loaded(match)).match.version == 3


async def test_a_challenge_that_another_process_has_ended_is_ended_once(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def changes_nothing(_: Any, match: Match, *__: Any, **___: Any) -> None:
        raise StaleBoard(match.id)

    match_id = await anna.starts("/othello @Ben")
    monkeypatch.setattr(match_store, "end_challenge", changes_nothing)
    with pytest.raises(StaleBoard):
        await beginning.end_challenge(table.app.matches, match_id, Status.DECLINED, user_id=ben.id)
    assert await table.status(match_id) is Status.PROPOSED


async def test_stale_is_told_before_off_turn(table: Table, anna: Person, match: int) -> None:
    await table.plays(match, "d3")
    # Of the past, or of a future that a restored backup does not know.
    for version in (2, 12):
        with pytest.raises(StaleBoard):
            await playing.play(table.app.matches, match, anna.id, "c4", version=version)
