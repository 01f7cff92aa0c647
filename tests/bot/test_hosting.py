"""The operator's decisions: allowed places, closed matches, announcements."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import pytest
from structlog.typing import EventDict

from bot.cli import hosting
from bot.commands import Answer
from bot.delivery import courier as couriers
from bot.domain.actions import Action
from bot.domain.model import Ending, EndingKind, Place, Status
from bot.matches import Matches, MatchState, policies, reading
from bot.matches.erasing import erase
from bot.matches.policies import Policies
from bot.store import Store, announcements
from bot.support.errors import HostError
from tests.bot.table import Person, Table, said


async def told(table: Table) -> list[tuple[int, str]]:
    """Deliver, and return the operator's texts, each with its place."""
    table.wall.told.clear()
    await table.settle()
    return sorted((place, one.aside) for place, one in table.wall.told if one.aside)


async def shuts_out(table: Table, name: str = "web:lounge") -> None:
    """Block a place in another process, and let this one notice."""
    other = await Store.open(table.settings.database)
    await hosting.block(other, name)
    await other.close()
    await table.app.on_remote_change()


async def lets_in(table: Table, name: str = "web:lounge") -> None:
    await hosting.allow(table.app.store, name)
    await table.app.on_remote_change()


# --- places allowed or shut out -------------------------------------------------------------


async def test_a_place_that_is_shut_out_gets_one_clear_answer_and_then_silence(
    table: Table, anna: Person, ben: Person
) -> None:
    await shuts_out(table)
    aloud = replace(await anna.command(), is_public=True)
    answer = await table.commands.run_line(aloud, "/othello new")
    assert said(answer) == anna.says("error-shut-out")
    for _ in range(2):
        answer = await table.commands.run_line(aloud, "/help")
        assert answer == Answer(refused=True, is_silent=True)
    # What only they see is answered: they have asked.
    assert said(await ben.types("/play")) == ben.says("error-shut-out")
    assert await anna.completes("/o") == []


async def test_a_word_given_while_the_words_before_it_are_read_counts_from_the_next_command_on(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    words_of_host = policies.words_of_host

    async def read_slowly(store: Store) -> Mapping[str, str]:
        monkeypatch.undo()
        before = await words_of_host(store)
        await shuts_out(table)
        return before

    table.app.policies.forget()
    monkeypatch.setattr(policies, "words_of_host", read_slowly)
    await anna.types("/play")
    assert said(await anna.types("/play")) == anna.says("error-shut-out")


async def test_what_is_said_in_a_place_that_is_shut_out_is_no_move(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    said_so = replace(await anna.command(), move="d3")
    assert await table.commands.could_be_move(said_so)
    await shuts_out(table)
    assert not await table.commands.could_be_move(said_so)
    assert await table.commands.run_text(said_so) is None
    assert (await table.loaded(match)).match.plies == ()


async def test_coming_into_a_place_that_is_shut_out_says_that_and_no_more(
    table: Table, anna: Person
) -> None:
    assert await table.commands.greeting(table.lounge, "telegram-hello") == anna.says(
        "telegram-hello"
    )
    await shuts_out(table)
    assert await table.commands.greeting(table.lounge, "telegram-hello") == anna.says(
        "error-shut-out"
    )
    aloud = replace(await anna.command(), is_public=True)
    assert (await table.commands.run_line(aloud, "/play")).is_silent


async def test_matches_of_a_place_that_is_shut_out_go_on_elsewhere_and_it_hears_nothing(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await table.settle()
    await shuts_out(table)
    assert await anna.types("/board", place=anna.direct) == Answer()
    assert await anna.types("/othello d3", place=anna.direct) == Answer()
    table.wall.shown.clear()
    table.wall.told.clear()
    await table.settle()
    assert {post.place for post in table.wall.shown} == {anna.direct.id}
    assert table.lounge.id not in {place for place, _ in table.wall.told}
    await lets_in(table)
    await table.settle()
    version = (await table.loaded(match_id)).match.version
    assert {post.version for post in table.wall.of(match_id)} == {version}


async def test_what_was_still_to_be_told_in_a_place_that_is_shut_out_is_told_elsewhere(
    table: Table, anna: Person, ben: Person, logged: list[EventDict]
) -> None:
    garden = await table.channel("garden")
    match_id = await table.begin(anna, ben)
    await ben.types(f"/board {match_id}", place=garden)
    await table.settle()
    table.wall.mute.add(table.lounge.id)
    await table.plays(match_id, "d3")
    table.wall.told.clear()
    await table.settle()
    assert "the platform is down" in logged[-1].pop("exception")
    assert table.wall.told == []
    await shuts_out(table)
    await table.settle()
    assert [place for place, _ in table.wall.told] == [garden.id]


async def test_a_board_comes_at_once_where_somebody_speaks_who_was_let_in_again(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The press triggers it, not the periodic check.
    monkeypatch.setattr(couriers, "SHUT_OUT_PAUSE", 3600.0)
    await table.begin(anna, ben)
    await shuts_out(table)
    assert await table.reconciler.once() == 1
    await lets_in(table)
    loop = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: True)
    await anna.types("/help")
    await table.wall.until(lambda: bool(table.wall.shown))
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)


async def test_a_challenge_of_a_place_that_is_shut_out_is_not_taken_up(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello @Ben")
    await shuts_out(table)
    answer = await ben.presses(Action("accept", match_id, 1), place=ben.direct)
    assert said(answer) == ben.says("error-not-played-there")
    assert (await table.loaded(match_id)).match.status is Status.PROPOSED


def thread_of(table: Table) -> Place:
    """Return a thread on Discord: its server is 1, the channel around it 9."""
    return replace(
        table.lounge, platform="discord", external="1/2", community="1", settings={"parent": "1/9"}
    )


@pytest.mark.parametrize(
    ("blocked", "allowed", "is_out"),
    [
        ("", "", False),
        ("discord:1/2", "", True),
        ("discord:1/9", "", True),
        ("discord:1", "", True),
        ("discord:12 telegram:1 discord:1/22", "", False),
        ("everywhere", "", True),
        ("everywhere", "discord:1", False),
        ("everywhere", "discord:3", True),
        ("everywhere discord:1/2", "discord:1", True),
        ("discord:1", "discord:1/9", False),
        ("discord:1/9", "discord:1/2", False),
        ("discord:1", "discord:1/3", True),
    ],
)
async def test_the_closest_name_decides_where_the_bot_is_active(
    table: Table, blocked: str, allowed: str, *, is_out: bool
) -> None:
    store = table.app.store
    for name in blocked.split():
        await hosting.block(store, name)
    for name in allowed.split():
        await hosting.allow(store, name)
    assert await Policies(store).is_blocked(thread_of(table)) is is_out


async def test_conversations_of_two_are_never_shut_out(table: Table, anna: Person) -> None:
    await hosting.block(table.app.store, "everywhere")
    await hosting.block(table.app.store, f"web:{anna.identity}"[:40])
    assert not await Policies(table.app.store).is_blocked(anna.direct)


# --- a word to all --------------------------------------------------------------------------


async def says(table: Table, text: str = "We move tonight.", *, hours: int = 24) -> int:
    """Announce a text from another process."""
    other = await Store.open(table.settings.database, clock=table.clock)
    count = await announcements.add(other, text, seconds=hours * 3600)
    await other.close()
    return count


async def test_a_word_reaches_each_place_with_running_matches_once(
    table: Table, anna: Person, ben: Person
) -> None:
    garden, den = await table.channel("garden"), await table.channel("den")
    first = await table.begin(anna, ben)
    await table.begin(anna, ben, words="morris")
    await anna.types(f"/board {first}", place=garden)
    await anna.types("/sogo new", place=den)
    await table.settle()
    assert await says(table) == 2
    word = "Message from the operator: We move tonight."
    assert await told(table) == [(table.lounge.id, word), (garden.id, word)]
    await table.restart()
    assert await told(table) == []


async def test_nothing_is_said_to_whoever_was_erased_meanwhile(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/blackbox new", place=anna.direct)
    await table.begin(anna, ben)
    await table.settle()
    assert await says(table) == 2
    await erase(table.app.store, table.app.matches, anna.id)
    assert [place for place, _ in await told(table)] == [table.lounge.id]
    assert await announcements.pending(table.app.store, "web", but=(), limit=9) == []


# --- closing and setting on the command line ------------------------------------------------


async def test_a_match_that_the_host_closes_is_over_for_a_running_house(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await table.settle()
    other = await Store.open(table.settings.database)
    await hosting.close_match(other, match_id)
    with pytest.raises(HostError, match="not active"):
        await hosting.close_match(other, match_id)
    await other.close()
    await table.app.on_remote_change()
    table.wall.told.clear()
    await table.settle()
    assert (await table.loaded(match_id)).match.ending == Ending(EndingKind.CLOSED)
    (_, notice), *_ = table.wall.told
    assert {one.name for one in notice.recipients} == {"Anna", "Ben"}


async def test_what_is_played_in_the_same_moment_holds_up_no_closing_by_the_host(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, read, moves = await table.begin(anna, ben), reading.get, ["c3", "d3"]

    async def played_after(matches: Matches, wanted: int, *, at_least: int = 0) -> MatchState:
        loaded = await read(matches, wanted, at_least=at_least)
        if moves and matches is not table.app.matches:
            await table.plays(wanted, moves.pop())
        return loaded

    monkeypatch.setattr(reading, "get", played_after)
    other = await Store.open(table.settings.database)
    await hosting.close_match(other, match_id)
    await other.close()
    await table.app.on_remote_change()
    match = (await table.loaded(match_id)).match
    assert match.ending == Ending(EndingKind.CLOSED)
    assert [ply.notation for ply in match.plies] == ["d3", "c3"]


async def test_the_host_sets_what_holds_in_a_room_that_nobody_manages(
    table: Table, anna: Person
) -> None:
    store = table.app.store
    for town, zone in (("Berlin", "Europe/Berlin"), ("Asia/Tokyo", "Asia/Tokyo"), ("UTC", "UTC")):
        assert (await hosting.set_place_setting(store, "web:lounge", "zone", town))["zone"] == zone
    assert (await hosting.set_place_setting(store, "web:lounge", "clock", "5d"))["clock"] == "5d"
    now = await hosting.set_place_setting(store, "web:lounge", "game-othello", "off")
    assert (now["game-othello"], now["game-sogo"]) == ("off", "on")
    assert "is not allowed here" in said(await anna.types("/othello new"))
    for name, key, value, wrong in (
        ("web:attic", "begin", "managers", "no channel web:attic"),
        ("web:lounge", "colour", "red", "no setting colour"),
        ("web:lounge", "begin", "me", "must be one of: everybody, managers"),
        ("web:lounge", "zone", "Atlantis", "“Atlantis”.*: azumaya here web:lounge zone Berlin"),
        ("web:lounge", "zone", "", "zone must be UTC or a town"),
    ):
        with pytest.raises(HostError, match=wrong):
            await hosting.set_place_setting(store, name, key, value)


async def test_threads_can_be_set_where_the_platform_has_them(table: Table) -> None:
    possible = {"web": set[str](), "telegram": {"off", "only"}, "discord": {"off", "on", "only"}}
    for platform, values in possible.items():
        await table.app.directory.get_or_create_place(platform, "1", title="", community=None)
        done = set()
        for value in ("off", "on", "only"):
            with suppress(HostError):
                now = await hosting.set_place_setting(
                    table.app.store, f"{platform}:1", "threads", value
                )
                done.add(now["threads"])
        assert done == values
