"""Endings other than by the rules of the game: counted, stored, shown."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copy
from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import text
from structlog.typing import EventDict

import games
import renderers
from bot.cli import hosting
from bot.domain.errors import Refused
from bot.domain.model import Ending, EndingKind, NewMatch, PlaceKind, Status
from bot.domain.terms import Wishes
from bot.matches import Matches, MatchState, beginning, playing, reading
from bot.matches.endings import outcome_of
from bot.matches.erasing import erase
from bot.store import Store, people, places
from bot.store import matches as match_store
from bot.support.texts import Texts
from games import Outcome
from tests.bot.seated import users
from tests.bot.store.sql import execute, rows
from tests.bot.table import NOTHING, Person, Table, said, two_seat_games
from tests.games.playing import Case, each_case, on_the_way
from tests.sampling import sampled

LOST = (EndingKind.RESIGNED, EndingKind.TIMEOUT, EndingKind.CLAIMED)
FOR_NOTHING = (EndingKind.ABORTED, EndingKind.ABANDONED, EndingKind.CALLED_OFF)
WANTED = (EndingKind.RESIGNED, EndingKind.ABORTED, EndingKind.UNPLAYED)

ENDINGS = (
    Ending(EndingKind.RESIGNED, 0),
    Ending(EndingKind.TIMEOUT, 1),
    Ending(EndingKind.AGREED),
    Ending(EndingKind.ABORTED),
    Ending(EndingKind.ABORTED, 1),
    Ending(EndingKind.ABANDONED),
    Ending(EndingKind.ABANDONED, 0),
    Ending(EndingKind.CLAIMED, 1),
    Ending(EndingKind.UNPLAYED, 0),
    Ending(EndingKind.CALLED_OFF),
)
"""The ways in which a match of two can end otherwise than by its rules."""
ALONE = (
    Ending(EndingKind.RESIGNED, 0),
    Ending(EndingKind.TIMEOUT, 0),
    Ending(EndingKind.ABANDONED),
    Ending(EndingKind.ABORTED, 0),
)

each_ending = pytest.mark.parametrize("ending", ENDINGS, ids=lambda one: f"{one.kind}-{one.by}")
each_alone = pytest.mark.parametrize("ending", ALONE, ids=lambda one: f"{one.kind}-{one.by}")


@pytest.fixture
async def store(tmp_path: Path, empty: Path) -> AsyncIterator[Store]:
    copy(empty, tmp_path)
    opened = await Store.open(tmp_path / "azumaya.db")
    yield opened
    await opened.close()


def app(store: Store) -> Matches:
    """Return the matches of an app that was just opened, and has none in memory."""
    return hosting.matches_of(store)


async def met(store: Store, name: str) -> int:
    return (await people.get_or_create_user(store, "web", name, name=name)).id


async def begun(store: Store, game_id: str, **chosen: str) -> MatchState:
    """Start a match of the first two users, or of the first alone."""
    matches, game = app(store), games.get(game_id)
    options = game.options_from(chosen)
    room = await places.get_or_create_place(
        store, "web", "room", kind=PlaceKind.CHANNEL, title="Room"
    )
    anna, ben = await met(store, "Anna"), await met(store, "Ben")
    new = NewMatch(game=game_id, options=options, place_id=room.id, challenger=anna)
    if game.seats(options) == 1:
        return await beginning.begin(matches, new)
    terms = Wishes().agreed(game, options)
    new = replace(new, opponent=ben, preferred_seat=0, expires=2**40, terms=terms)
    offered = await beginning.propose(matches, new)
    return await beginning.accept(matches, offered.match.id, ben)


async def found(store: Store, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await rows(store, text(query))]


async def change(store: Store, statement: str) -> None:
    await execute(store, text(statement))


# What an ending makes of a position


@each_case
def test_who_gives_up_or_runs_out_of_time_leaves_the_win_to_others_who_can_win(case: Case) -> None:
    for position in on_the_way(case):
        for kind in LOST:
            for seat in case.seats:
                others = frozenset(case.seats) - {seat}
                if kind is EndingKind.TIMEOUT:
                    others = frozenset(other for other in others if position.can_win(other))
                outcome = Outcome(others, kind.value, position.scores())
                assert outcome_of(position, Ending(kind, seat)) == outcome


@each_case
def test_an_agreement_is_a_draw_whatever_the_scores(case: Case) -> None:
    for position in on_the_way(case):
        outcome = outcome_of(position, Ending(EndingKind.AGREED))
        assert outcome == Outcome(frozenset(), "agreed", position.scores())
        assert outcome.is_draw == (len(case.seats) == 2)


@each_case
def test_what_is_called_off_or_left_comes_to_nothing(case: Case) -> None:
    for position in on_the_way(case):
        for kind in FOR_NOTHING:
            for by in (None, *case.seats):
                assert outcome_of(position, Ending(kind, by)) is None


@pytest.mark.parametrize("kind", LOST)
def test_nobody_cannot_have_lost(kind: EndingKind) -> None:
    with pytest.raises(ValueError, match="by nobody"):
        Ending(kind)


# Stored


async def is_stored(store: Store, loaded: MatchState, ending: Ending) -> MatchState:
    """End a match, check everything that holds for all endings, and return it."""
    over = await playing.end(app(store), loaded.match.id, ending)
    assert over.match.status is Status.OVER
    assert over.match.ending == ending
    assert over.match.outcome == outcome_of(loaded.position, ending)
    assert over.match.version == loaded.match.version + 1
    assert over.position == loaded.position, "the position knows nothing of it"
    assert over.turn == frozenset()
    assert over.is_stopped
    for seat in range(len(loaded.match.seats)):
        assert over.view(seat) == over.view(None) == loaded.position.view(None, reveal=True)
    assert await reading.get(app(store), loaded.match.id) == over, "a restart changes nothing"
    query = "SELECT ending, ended_by, turn FROM matches"
    assert await found(store, query) == [(ending.kind.value, ending.by, 0)]
    return over


@each_ending
@pytest.mark.parametrize("game_id", sampled(two_seat_games(), "sogo"))
async def test_every_ending_of_a_match_of_two_is_stored_and_read(
    store: Store, game_id: str, ending: Ending
) -> None:
    loaded = await begun(store, game_id)
    (mover,) = loaded.turn
    loaded = await playing.play(
        app(store),
        loaded.match.id,
        users(loaded.match)[mover],
        loaded.game.notation(loaded.position.moves(mover)[0]),
    )
    over = await is_stored(store, loaded, ending)
    points = await found(store, "SELECT seat, half_points, score FROM results ORDER BY seat")
    if over.match.outcome is None:
        assert points == []
    else:
        won = {EndingKind.AGREED: (1, 1)}.get(ending.kind, (0, 2) if ending.by == 0 else (2, 0))
        assert points == [(seat, won[seat], loaded.position.scores()[seat]) for seat in (0, 1)]


@each_alone
async def test_every_ending_of_a_match_alone_is_stored_and_read(
    store: Store, ending: Ending
) -> None:
    loaded = await begun(store, "blackbox")
    loaded = await playing.play(app(store), loaded.match.id, users(loaded.match)[0], "ask 2")
    assert loaded.view(0).stones is None
    over = await is_stored(store, loaded, ending)
    assert over.view(None).stones == tuple(sorted(loaded.match.setup.split(), key=_by_row))
    points = await found(store, "SELECT solo, half_points, score FROM results")
    assert points == ([] if ending.has_no_result else [(1, 0, loaded.position.scores()[0])])


def _by_row(cell: str) -> tuple[int, str]:
    return int(cell[1:]), cell[0]


@pytest.mark.parametrize(("seat", "moves"), [(0, ()), (1, ("d3",))])
async def test_giving_up_before_a_move_of_ones_own_comes_to_nothing(
    store: Store, seat: int, moves: tuple[str, ...]
) -> None:
    loaded = await begun(store, "othello")
    match_id, seats = loaded.match.id, users(loaded.match)
    for mover, move in enumerate(moves):
        await playing.play(app(store), match_id, seats[mover], move)
    over = await playing.resign(app(store), match_id, seats[seat])
    assert over.match.ending == Ending(EndingKind.UNPLAYED, seat)
    assert over.match.outcome is None
    assert await found(store, "SELECT * FROM results") == []
    assert await reading.get(app(store), match_id) == over


async def test_what_is_over_does_not_end_once_more(store: Store) -> None:
    loaded = await begun(store, "othello")
    over = await playing.resign(app(store), loaded.match.id, users(loaded.match)[0])
    with pytest.raises(Refused, match="match-over"):
        await playing.end(app(store), loaded.match.id, Ending(EndingKind.AGREED))
    with pytest.raises(Refused, match="match-over"):
        await playing.play(app(store), loaded.match.id, users(loaded.match)[0], "d3")
    assert await reading.get(app(store), loaded.match.id) == over


async def test_whoever_leaves_gives_up_also_what_another_process_has_played_on(
    store: Store,
) -> None:
    loaded = await begun(store, "othello")
    leaving, other = app(store), app(store)
    await reading.get(leaving, loaded.match.id)
    await playing.play(other, loaded.match.id, users(loaded.match)[0], "d3")
    await erase(store, leaving, users(loaded.match)[0])
    over = await reading.get(app(store), loaded.match.id)
    assert over.match.ending == Ending(EndingKind.RESIGNED, 0)
    assert over.match.outcome is not None
    assert over.match.outcome.winners == {1}
    assert len(over.match.plies) == 1


# Shown


def words(person: Person, ending: Ending, game_id: str, *, alone: bool = False) -> str:
    """Return the ending in this person's words."""
    names = ("Anna", "Ben")
    by = "" if ending.by is None else names[ending.by]
    match ending.kind:
        case EndingKind.RESIGNED | EndingKind.TIMEOUT | EndingKind.CLAIMED:
            key = f"ending-{ending.kind}"
            if alone:
                return person.says(f"{game_id}-{key}-alone")
            assert ending.by is not None
            return person.says(key, name=by, winner=names[1 - ending.by])
        case EndingKind.ABORTED | EndingKind.ABANDONED | EndingKind.UNPLAYED if by:
            return person.says(f"ending-{ending.kind}-by", name=by)
        case kind:
            return person.says(f"ending-{kind}")


@each_ending
@pytest.mark.parametrize("game_id", sampled(two_seat_games(), "sogo"))
async def test_both_read_and_hear_how_their_match_ended(
    table: Table, anna: Person, ben: Person, *, game_id: str, ending: Ending
) -> None:
    match_id = await table.begin(anna, ben, words=game_id)
    running = await table.screen(match_id, anna)
    await table.settle()
    table.wall.told.clear()
    await playing.end(table.app.matches, match_id, ending)
    for person in (anna, ben):
        screen = await table.screen(match_id, person)
        how = words(person, ending, game_id)
        assert screen.text.startswith(how)
        over = person.says("alt-stopped", game=person.says(f"{game_id}-name"))
        assert screen.alt.startswith(f"{over} {how} ")
        assert len(screen.alt) <= 1024
        assert (screen.over, screen.my_turn, screen.choices) == (True, False, ())
        assert person.says("board-your-turn") not in screen.text
        assert screen.picture != running.picture
    await table.settle()
    assert [post.version for post in table.wall.of(match_id)] == [3]
    # A player who ran out of time, or stopped playing, was absent and is notified.
    doer = ending.by if ending.kind in WANTED else None
    (notice,) = [notice for _, notice in table.wall.told]
    assert [one.name for one in notice.recipients] == [
        name for seat, name in enumerate(("Anna", "Ben")) if seat != doer
    ]


@each_alone
async def test_whoever_played_alone_reads_and_hears_how_it_ended(
    table: Table, anna: Person, ending: Ending
) -> None:
    match_id = await anna.starts("/blackbox new")
    await playing.end(table.app.matches, match_id, ending)
    screen = await table.screen(match_id, anna)
    how = words(anna, ending, "blackbox", alone=True)
    assert screen.text.startswith(how)
    assert how in screen.alt
    await table.settle()
    named = [one.name for _, notice in table.wall.told for one in notice.recipients]
    own = ending.by == 0 and ending.kind in WANTED
    assert named == ([] if own else ["Anna"])
    assert (await table.loaded(match_id)).match.setup.split()[0] in screen.alt, "the box lies open"


@pytest.mark.parametrize("game_id", sampled(two_seat_games(), "sogo"))
async def test_an_end_by_the_rules_is_stored_as_that_and_told_by_the_game(
    table: Table, anna: Person, ben: Person, game_id: str
) -> None:
    match_id = await table.begin(anna, ben, words=game_id)
    loaded = await table.loaded(match_id)
    while loaded.turn:
        (mover,) = loaded.turn
        move = loaded.position.moves(mover)[-1]
        await table.plays(match_id, loaded.game.notation(move))
        loaded = await table.loaded(match_id)
    assert loaded.match.ending == Ending(EndingKind.RULES)
    assert loaded.match.outcome is not None
    assert loaded.match.outcome == loaded.position.outcome()
    assert not loaded.is_stopped
    query = "SELECT ending, ended_by, turn FROM matches"
    assert await found(table.app.store, query) == [("rules", None, 0)]
    assert await reading.get(app(table.app.store), match_id) == loaded
    screen = await table.screen(match_id, anna)
    names, (winner, loser) = ("Anna", "Ben"), (0, 1)
    for seat in loaded.match.outcome.winners:
        winner, loser = seat, 1 - seat
    told = anna.says(
        f"{game_id}-reason-{loaded.match.outcome.reason}",
        **loaded.match.options,
        first="Anna",
        second="Ben",
        winner=names[winner],
        loser=names[loser],
        won=loaded.match.outcome.scores[winner],
        lost=loaded.match.outcome.scores[loser],
    )
    assert screen.text.startswith(told)
    assert screen.alt == renderers.get(game_id).describe(loaded.position, Texts(anna.locale))


# Rules that change


def has_new_rules(monkeypatch: pytest.MonkeyPatch, game_id: str) -> int:
    """Let a game have newer rules than the records, and return their number."""
    game = games.get(game_id)
    number = game.rules_version + 1
    monkeypatch.setattr(game, "rules_version", number)
    return number


async def test_a_match_of_older_rules_ends_without_a_result_and_with_a_word_to_both(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await table.begin(anna, ben, moves="d3")
    await table.settle()
    before = await table.loaded(match_id)
    has_new_rules(monkeypatch, "othello")
    await table.restart()
    # No player asked for this end, so both are notified.
    assert await table.settle() == 0
    assert [post.version for post in table.wall.of(match_id)] == [before.match.version + 1]
    assert {one.name for one in table.wall.told[-1][1].recipients} == {"Anna", "Ben"}
    over = await table.loaded(match_id)
    assert over.match.ending == Ending(EndingKind.ABORTED)
    assert over.match.outcome is None
    assert over.position == before.position, "it stays to be read"
    assert await found(table.app.store, "SELECT * FROM results") == []
    for person in (anna, ben):
        assert (await table.screen(match_id, person)).text.startswith(person.says("ending-aborted"))
        assert "d3" in said(await person.types(f"/moves {match_id}"))
    assert said(await ben.types("/othello c3")).startswith(
        ben.says("error-no-match-here", game="Othello", command="/othello")
    )
    await table.restart()
    assert await table.loaded(match_id) == over


async def test_whoever_plays_on_by_older_rules_is_told_that_it_is_over(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await table.begin(anna, ben)
    has_new_rules(monkeypatch, "othello")
    await table.restart()
    answer = await anna.presses(f"step:{match_id}:2:d3")
    assert said(answer) == anna.says("error-match-over")
    assert (await table.loaded(match_id)).match.ending == Ending(EndingKind.ABORTED)


async def test_two_processes_end_a_match_of_older_rules_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = await begun(store, "othello")
    has_new_rules(monkeypatch, "othello")
    one, other = app(store), app(store)
    load, early = match_store.load, list[MatchState]()

    async def load_and_be_late(store: Store, match_id: int) -> Any:
        monkeypatch.setattr(match_store, "load", load)
        match = await load(store, match_id)
        early.append(await reading.get(other, match_id))
        return match

    monkeypatch.setattr(match_store, "load", load_and_be_late)
    late = await reading.get(one, loaded.match.id)
    assert [late] == early
    assert late.match.version == loaded.match.version + 1


async def test_what_was_over_by_older_rules_stays_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = await begun(store, "othello")
    over = await playing.resign(app(store), loaded.match.id, users(loaded.match)[0])
    has_new_rules(monkeypatch, "othello")
    assert await reading.get(app(store), loaded.match.id) == over
    await reading.end_outdated_matches(app(store))
    assert await reading.get(app(store), loaded.match.id) == over


async def test_a_challenge_of_older_rules_begins_by_those_of_today(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await anna.starts("/othello @Ben")
    number = has_new_rules(monkeypatch, "othello")
    await table.restart()
    await ben.types("/accept")
    loaded = await table.loaded(match_id)
    assert (loaded.match.status, loaded.match.rules) == (Status.RUNNING, number)
    await table.restart()
    assert await table.loaded(match_id) == loaded


async def test_options_that_came_later_have_their_defaults(store: Store) -> None:
    loaded = await begun(store, "morris")
    await change(store, """UPDATE matches SET options = '{"draw_after": "20"}'""")
    assert await reading.get(app(store), loaded.match.id) == loaded


async def test_a_match_of_newer_rules_is_left_to_the_house_that_knows_them(
    table: Table, anna: Person, ben: Person, *, logged: list[EventDict]
) -> None:
    ids = [await table.begin(anna, ben) for _ in range(2)]
    await change(table.app.store, "UPDATE matches SET rules = 99")
    before = await found(table.app.store, "SELECT * FROM matches")
    await table.restart()
    await table.settle()
    for match_id in ids:
        with pytest.raises(Refused, match="no-such-match"):
            await table.loaded(match_id)
    assert await found(table.app.store, "SELECT * FROM matches") == before
    left_alone = [entry for entry in logged if entry["event"] == "matches of newer rules ignored"]
    assert len(left_alone) == 1
    assert not [entry for entry in logged if "exception" in entry]
    await change(table.app.store, "UPDATE matches SET rules = 1")
    assert (await table.loaded(ids[0])).match.status is Status.RUNNING


# Matches that cannot be replayed

BROKEN: Mapping[str, str] = {
    "a move": "UPDATE moves SET notation = 'a1'",
    "a seat": "UPDATE moves SET seat = 7",
    "a set-up": "UPDATE matches SET setup = 'nonsense'",
    "an option": """UPDATE matches SET options = '{"rules": "chess"}'""",
    "a game": "UPDATE matches SET game = 'checkers'",
    "no options at all": "UPDATE matches SET options = 'null'",
}


@pytest.mark.parametrize("what", BROKEN)
async def test_what_cannot_be_replayed_is_put_aside_and_reported_once(
    table: Table, anna: Person, ben: Person, *, what: str, logged: list[EventDict]
) -> None:
    match_id = await table.begin(anna, ben, moves="d3")
    await change(table.app.store, BROKEN[what])
    await table.restart()
    await table.settle()
    for _ in range(2):
        await table.restart()
        assert await table.settle() == 0
        for line in ("/matches", f"/board {match_id}"):
            assert await anna.types(line) is not None
        answer = await ben.presses(f"step:{match_id}:3:c3")
        assert said(answer) == ben.says("error-no-such-match", match=match_id)
    reported = [entry for entry in logged if entry["level"] == "error"]
    assert [entry["event"] for entry in reported] == ["match cannot be replayed"]
    assert reported[0]["match"] == match_id
    assert not [entry for entry in logged if "exception" in entry]
    assert table.wall.posts == {}
    assert await found(table.app.store, "SELECT status FROM matches") == [("running",)]


async def test_what_cannot_be_replayed_prevents_no_other_match(
    table: Table, anna: Person, *, logged: list[EventDict]
) -> None:
    match_id = await anna.starts("/blackbox new")
    await change(table.app.store, BROKEN["a set-up"])
    await table.restart()
    # The same match without a move would be shown again.
    answer = await anna.types("/blackbox new")
    assert said(answer) == anna.says("error-no-such-match", match=match_id)
    assert not [entry for entry in logged if "exception" in entry]
    assert await anna.types("/blackbox new") == NOTHING


async def test_no_secret_is_reported_of_a_box_that_cannot_be_replayed(
    table: Table, anna: Person, *, logged: list[EventDict]
) -> None:
    match_id = await anna.starts("/blackbox new")
    setup = (await table.loaded(match_id)).match.setup
    await change(table.app.store, f"UPDATE matches SET setup = '{setup} {setup[:2]}'")
    await table.restart()
    await table.settle()
    assert [entry["event"] for entry in logged] == ["match cannot be replayed"]
    assert not [cell for cell in setup.split() if cell in str(logged)]


async def test_what_can_be_replayed_again_comes_back_by_itself(
    table: Table, anna: Person, ben: Person, *, logged: list[EventDict]
) -> None:
    match_id = await table.begin(anna, ben, moves="d3")
    before = await table.loaded(match_id)
    await change(table.app.store, BROKEN["a move"])
    await table.restart()
    await table.settle()
    assert table.wall.posts == {}
    # As after an update that mends it.
    await change(table.app.store, "UPDATE moves SET notation = 'd3'")
    await table.restart()
    assert await table.settle() == 0
    assert [post.version for post in table.wall.of(match_id)] == [before.match.version]
    assert await table.loaded(match_id) == before
    assert await ben.types("/othello c3") is not None
    assert len((await table.loaded(match_id)).match.plies) == 2
    # And once more it is news.
    await change(table.app.store, BROKEN["a move"])
    await table.restart()
    await table.settle()
    reported = [entry for entry in logged if entry["level"] == "error"]
    assert len(reported) == 2


async def test_a_thread_that_cannot_be_had_puts_no_match_aside(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = await begun(store, "othello")
    # Of a match in which nothing has been played nothing would take long, nor need a thread.
    loaded = await playing.play(app(store), loaded.match.id, users(loaded.match)[0], "d3")

    with monkeypatch.context() as patch:
        patch.setattr(
            "asyncio.to_thread", AsyncMock(side_effect=RuntimeError("can't start new thread"))
        )
        with pytest.raises(RuntimeError):
            await reading.get(app(store), loaded.match.id)
    assert await found(store, "SELECT aside FROM matches") == [(None,)]
    assert await reading.get(app(store), loaded.match.id) == loaded
