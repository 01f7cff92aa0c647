"""After each fault it is looked at what is new: what does not hold is told, and after which one."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store import Address
from tests.bot.table import Table
from tools.attack.play_discord import Wire
from tools.attack.posts import Api, Post
from tools.attack.report import Report
from tools.attack.story import Story
from tools.attack.test_posts import asked_for, posted
from tools.faults.looks import Looks
from tools.faults.street import Street

pytestmark = pytest.mark.sqlite

LOG_IN = "the secret of a browser"


class Scene:
    """What is looked at: a match of which three moves were acknowledged, and an empty log."""

    def __init__(self, table: Table, folder: Path, api: Api) -> None:
        self.story, self.api = Story(Report("looks", 1)), api
        assert isinstance(table.settings.database, Path)
        self.file = table.settings.database
        self.log = folder / "first.log"
        self.log.touch()
        part = SimpleNamespace(name="first", app=SimpleNamespace(log=self.log))
        house = SimpleNamespace(
            database=SimpleNamespace(address=self.file), parts=[part], tells=lambda _: []
        )
        street: Any = SimpleNamespace(
            story=self.story, house=house, api=api, standin=Wire(), telegram=[], web=[]
        )
        self.looks = Looks(cast("Street", street), [LOG_IN])

    def changes(self, statement: str) -> None:
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute(statement)

    def logs(self, line: str) -> None:
        with self.log.open("a") as log:
            log.write(line)

    def told(self) -> list[str]:
        return [str(one)[:100] for one in self.story.report.violations]


@pytest.fixture
async def table(database: Address) -> AsyncIterator[Table]:
    opened = await Table.open(database)
    yield opened
    await opened.close()


@pytest.fixture
async def scene(table: Table, tmp_path: Path) -> Scene:
    anna, ben = await table.arrive("Anna"), await table.arrive("Ben")
    match_id = await table.begin(anna, ben)
    await table.plays(match_id, "d3,c3,c4")
    found = Scene(table, tmp_path, asked_for())
    found.api.posted.clear()
    for version, move in enumerate(("d3", "c3", "c4"), 2):
        found.story.tries((match_id, version, move))
        found.story.yes((match_id, version, move), "web")
    await found.looks.look("the start")
    assert found.told() == []
    return found


async def test_a_move_that_is_lost_is_told_once_and_after_which_fault(scene: Scene) -> None:
    await scene.looks.look("1, kill")
    scene.changes("DELETE FROM moves WHERE ply = 2")
    scene.changes("UPDATE matches SET version = version - 1")
    await scene.looks.look("2, kill")
    await scene.looks.look("3, kill")
    scene.looks.end()
    (told,) = scene.told()
    lost = "web: (1, 4, 'c4'), where there is nothing"
    assert told == f"every acknowledged move is stored: after 2, kill: {lost}"


async def test_a_move_that_nobody_made_is_told_after_which_fault(
    scene: Scene, table: Table
) -> None:
    await table.plays(1, "c5")
    await scene.looks.look("1, kill")
    await scene.looks.look("2, kill")
    assert scene.told() == ["every stored move was somebody's: after 1, kill: (1, 5, 'c5')"]


async def test_what_is_logged_is_looked_at_once_and_line_by_line(scene: Scene) -> None:
    scene.logs(f"a line that has not come to its end, and {LOG_IN[:8]}")
    await scene.looks.look("1, kill")
    assert scene.told() == []
    scene.logs(f"{LOG_IN[8:]}\n")
    await scene.looks.look("2, kill")
    await scene.looks.look("3, kill")
    (told,) = scene.told()
    assert told.startswith("no secret in any log: after 2, kill: first: the ")
    assert LOG_IN not in told


async def test_what_is_said_twice_is_told_after_the_fault_before_it(scene: Scene) -> None:
    scene.api.posted.append(posted())
    await scene.looks.look("1, kill")
    assert scene.told() == []
    again: Post = posted(arrived=15.0, number=2)
    scene.api.posted.append(again)
    await scene.looks.look("2, kill")
    await scene.looks.look("3, kill")
    (told,) = scene.told()
    assert told.startswith("nobody is told twice: after 2, kill: Telegram: board of match 1")
