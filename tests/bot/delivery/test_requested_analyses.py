"""Analyses that arrive by themselves: for whom, where and how often."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from bot.commands import Command
from bot.delivery import ClosedError, Notice, RetryError, UnsureError
from bot.domain.errors import Refused
from bot.domain.model import Stranger
from bot.engines.workers import SearchFailedError
from bot.loops.analyst import Analyst
from bot.matches import boards as match_boards
from bot.matches import reading
from bot.screens import Client
from bot.store import boards, people, personal_data, places
from bot.store.schema import analysis_requests, looks_back
from bot.support.platforms import Medium
from bot.support.texts import Texts
from tests.bot.failing import fails, fails_first
from tests.bot.store.sql import rows
from tests.bot.table import Person, Table, said

VisibleMove = list[tuple[int, Notice]]


@pytest.fixture
async def over(table: Table, anna: Person, ben: Person) -> int:
    """Finish a short match in the lounge, and deliver what is due."""
    match_id = await table.begin(anna, ben)
    await table.given_up(match_id, ben)
    await table.settle()
    table.wall.told.clear()
    return match_id


async def sent(table: Table) -> VisibleMove:
    """Analyse and deliver, and return the new notices."""
    await table.settle()
    told, table.wall.told = table.wall.told, []
    return told


def named(told: VisibleMove) -> list[tuple[int, list[str]]]:
    return [(place, [one.name for one in notice.recipients]) for place, notice in told]


async def requests(table: Table) -> int:
    return len(await rows(table.app.store, select(analysis_requests)))


@pytest.mark.both
async def test_an_analysis_arrives_once_where_it_was_asked_for_as_a_reply_to_the_board(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    await people.change_user(table.app.store, ben.id, language="de")
    await ben.types(f"/analyse {over}")
    await table.restart()
    ((place, notice),) = await sent(table)
    assert (place, notice.recipients[0].name) == (table.lounge.id, "Ben")
    assert notice.board in table.wall.posts
    title, accuracy, *_ = notice.text.splitlines()
    assert title.startswith("Analyse: Othello · Anna")
    assert accuracy.startswith("Genauigkeit: ")
    assert notice.picture is not None
    assert notice.alt.startswith("Analyse · Othello: ")
    # It may reveal a puzzle.
    query = select(looks_back.c.user_id).where(looks_back.c.match_id == over)
    assert [tuple(row) for row in await rows(table.app.store, query)] == [(ben.id,)]
    table.clock.forward(3600)
    assert await sent(table) == []
    assert await requests(table) == 0


async def test_who_asks_while_it_runs_gets_it_too_and_one_place_gets_it_once(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    await people.change_user(table.app.store, ben.id, language="de")
    await anna.types(f"/analyse {over}")
    await ben.types(f"/analyse {over}")
    for _ in range(2):
        await ben.types(f"/analyse {over}", place=ben.direct)
    told = await sent(table)
    assert sorted(named(told)) == [(table.lounge.id, ["Anna", "Ben"]), (ben.direct.id, ["Ben"])]
    # Two read it in the language of the place.
    texts = {place: notice.text.split(":")[0] for place, notice in told}
    assert texts == {table.lounge.id: "Analysis", ben.direct.id: "Analyse"}


async def test_who_has_seen_it_before_it_was_sent_is_not_sent_it(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    for person in (anna, ben):
        await person.types(f"/analyse {over}")
    await Analyst(table.app).once()
    assert "Accuracy" in said(await anna.types(f"/analyse {over}", place=anna.direct))
    assert named(await sent(table)) == [(table.lounge.id, ["Ben"])]


async def test_an_analysis_that_stopped_says_so_once_and_arrives_when_it_was_resumed(
    table: Table, anna: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        fails(broken, table.app.engines, "do", SearchFailedError("ZeroDivisionError", ()))
        await anna.types(f"/analyse {over}")
        ((_, notice),) = await sent(table)
        assert await sent(table) == []
    stopped = anna.says("notice-analysis-stopped", game="Othello", match=over, done=0, total=2)
    assert (notice.text, notice.picture) == (stopped, None)
    (button,) = notice.buttons
    await anna.presses(button)
    assert [notice.picture is not None for _, notice in await sent(table)] == [True]


async def test_of_a_match_that_cannot_be_read_any_more_it_is_said_that_there_is_no_analysis(
    table: Table, anna: Person, over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await anna.types(f"/analyse {over}")
    fails(monkeypatch, reading, "get", Refused("no-such-match", match=over))
    await Analyst(table.app).once()
    (requested,) = table.reconciler._mailers[1:]
    await requested.once()
    ((_, notice),) = table.wall.told
    assert notice.text == anna.says("notice-analysis-failed", match=over)


async def test_boards_that_show_all_news_show_the_analysis_and_a_line_leads_to_it(
    table: Table, anna: Person, over: int
) -> None:
    table.wall.medium = Medium(notifies=False)
    await anna.types(f"/analyse {over}")
    ((_, notice),) = await sent(table)
    assert notice.aside == anna.says("notice-analysis-ready", game="Othello", match=over)
    assert (notice.text, notice.picture) == ("", None)
    (button,) = notice.buttons
    assert button.label == "Show analysis"
    assert "Accuracy" in said(await anna.presses(button))


async def test_a_line_that_all_can_read_is_in_the_language_of_the_place(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    table.wall.medium = Medium(notifies=False)
    await people.change_user(table.app.store, ben.id, language="de")
    garden = await table.channel("garden")
    await places.change_place(table.app.store, garden.id, settings={"language": "de"})
    await match_boards.show(table.app.matches, await table.loaded(over), garden, user_id=anna.id)
    await anna.types(f"/analyse {over}", place=garden)
    await anna.types(f"/analyse {over}", place=anna.direct)
    await ben.types(f"/analyse {over}")
    german, english = (
        Texts(language)("notice-analysis-ready", game="Othello", match=over)
        for language in ("de", "en")
    )
    assert {place: notice.aside for place, notice in await sent(table)} == {
        garden.id: german,
        anna.direct.id: english,
        # Of a place without a language, it is that of the user who asked.
        table.lounge.id: german,
    }


async def eve_asks(table: Table, command: Command, over: int) -> None:
    """Ask for an analysis as an unregistered user."""
    stranger = Stranger(0, "Eve", None, {}, "web", "e", "Eve", "eve", "en")
    eve = replace(command, client=Client(stranger, "e"))
    await table.commands.run_line(eve, f"/analyse {over}")


async def test_an_unregistered_user_gets_it_in_the_place_where_they_asked(
    table: Table, anna: Person, over: int
) -> None:
    for _ in range(2):
        await eve_asks(table, await anna.command(), over)
    assert await requests(table) == 1
    ((place, notice),) = await sent(table)
    assert (place, notice.recipients, notice.text) == (table.lounge.id, (), "")
    assert notice.aside.startswith("Analysis: Othello")


async def test_who_was_deleted_gets_nothing_and_leaves_no_trace(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    await anna.types(f"/analyse {over}", place=anna.direct)
    await ben.types(f"/analyse {over}")
    exported = await personal_data.export(table.app.store, ben.id)
    assert len(exported["requested analyses"]) == 1
    for person in (anna, ben):
        await personal_data.erase(table.app.store, person.id, name="Former")
    assert await requests(table) == 0
    assert await sent(table) == []


async def test_who_may_no_longer_see_the_match_is_not_sent_its_analysis(
    table: Table, cleo: Person, over: int
) -> None:
    garden = await table.channel("garden")
    shown = await table.loaded(over)
    await match_boards.show(table.app.matches, shown, garden, user_id=cleo.id)
    await cleo.types(f"/analyse {over}", place=garden)
    await eve_asks(table, await cleo.command(garden), over)
    assert await requests(table) == 2
    (board,) = await boards.of_match(table.app.store, over, place_id=garden.id)
    await boards.drop(table.app.store, [board.id])
    assert await sent(table) == []
    assert await requests(table) == 0


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize(
    ("trouble", "times"), [(RetryError(0), 1), (ClosedError("shut"), 0), (UnsureError(), 0)]
)
async def test_only_what_was_certainly_not_sent_is_sent_again(
    *,
    table: Table,
    anna: Person,
    over: int,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Exception,
    times: int,
) -> None:
    await anna.types(f"/analyse {over}")
    tried = fails_first(monkeypatch, table.wall, "notify", trouble)
    assert await sent(table) == []
    assert len(await sent(table)) == times
    # A closed place is tried again later.
    assert await requests(table) == isinstance(trouble, ClosedError)
    # Discord would take a second message of one key for the first.
    assert len({notice.key for _, notice in tried}) == len(tried)
    table.clock.forward(24 * 3600)
    await table.upkeep.purge()
    assert await requests(table) == 0
