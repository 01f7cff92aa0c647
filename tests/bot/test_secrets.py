"""Hidden information stays hidden: in logs, tokens, screens, errors and exports."""

import asyncio
import io
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

import games
from bot.commands import Answer
from bot.domain import links
from bot.domain.actions import Action
from bot.domain.model import Place
from bot.engines.tasks import Task
from bot.loops.computers import Computers
from bot.screens import Screen
from bot.store import matches as match_store
from bot.store import personal_data
from games import computer
from tests.bot.conftest import captured_log
from tests.bot.failing import DISK_ERROR, fails
from tests.bot.table import Person, Table, Thinking, buttons, every_token, said

HIDDEN = ("b2", "g7", "c5", "f4", "a8")
T = TypeVar("T")

Sees = Callable[[Table, tuple[str, ...]], Awaitable[list[object]]]
OTHERWISE = ("h1", "d4", "e7", "b6", "g3")


def names(cell: str, text: str) -> bool:
    """True if a text names a cell. Longer words and numbers may contain one."""
    return re.search(rf"(?<![0-9A-Za-z]){cell}(?![0-9A-Za-z])", text) is not None


def words(screen: Screen) -> str:
    """Return all texts and tokens of a screen."""
    labels = [choice.label for choice in screen.choices]
    labels += [button.label for row in screen.rows for button in row]
    return "\n".join([screen.title, screen.text, screen.alt, *labels, *every_token(screen)])


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Capture the log at debug level, in either format."""
    with captured_log(format=request.param) as stream:
        yield stream


async def hide(table: Table, ben: Person, match_id: int, cells: tuple[str, ...]) -> None:
    """Hide stones on Ben's private board, clicking and typing in turn."""
    await ben.presses(Action("private", match_id, 2))
    for number, cell in enumerate(cells):
        await table.settle()
        if number % 2:
            answer = await ben.types(f"/blackbox hide {cell}", place=ben.direct)
        else:
            answer = await ben.clicks(match_id, cell)
        assert answer == Answer()


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    """Start a match in which Ben has hidden the stones."""
    return await hidden(table, anna, ben)


async def hidden(table: Table, anna: Person, ben: Person) -> int:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    await hide(table, ben, match_id, HIDDEN)
    assert await ben.types("/blackbox ready") == Answer()
    return match_id


# Logs


async def test_the_log_never_knows_what_was_hidden(
    table: Table, anna: Person, ben: Person, *, log: io.StringIO
) -> None:
    match = await hidden(table, anna, ben)
    asyncio.get_running_loop().set_debug(True)
    await anna.types("/blackbox ask 1")
    await ben.types("/blackbox hide a1")
    await ben.types("/blackbox hide z99")
    await ben.clicks(match, "b2")
    await table.settle()
    await table.restart()
    await table.screen(match, ben, seat=1)
    assert not [cell for cell in HIDDEN if names(cell, log.getvalue())]
    assert " hide" not in log.getvalue()


class Fails(Thinking):
    """Fails after its second thought, and says over what."""

    async def do(self, task: Task[T]) -> T:
        if len(self.asked) == 2:
            raise ValueError(task)
        return await super().do(task)


async def test_the_log_never_knows_what_a_computer_hides_whatever_fails_over_it(
    table: Table, anna: Person, *, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    # asyncio's debug mode logs every step of every task.
    loop.slow_callback_duration = 0
    match_id = await anna.starts("/blackbox computer 3 size=5 stones=3")
    with monkeypatch.context() as patch:
        patch.setattr(table.app, "engines", Fails())
        await Computers(table.app).once()
    assert len((await table.loaded(match_id)).view(1).stones) == 2
    table.clock.forward(60)
    await table.computers.once()
    stones = (await table.loaded(match_id)).view(1).stones
    assert len(stones) == 3
    for line in ("ask 1", "mark c3", "ask 9"):
        await anna.types(f"/blackbox {line}")
    assert not (await anna.types("/hint")).refused
    table.app.hints.clear()
    monkeypatch.setattr(
        type(computer.engine("blackbox")), "rank", lambda _, view, *__, **___: {}[view]
    )
    assert said(await anna.types("/hint")) == anna.says("error-thinking-failed")
    text = log.getvalue()
    assert "Executing" in text
    assert "ValueError" in text
    assert "KeyError" in text
    assert not [cell for cell in stones if names(cell, text)]


async def test_a_move_that_could_not_be_stored_is_not_logged(
    table: Table, anna: Person, ben: Person, *, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")

    for error, code in ((DISK_ERROR, "not-stored"), (ZeroDivisionError(), "ours")):
        fails(monkeypatch, match_store, "commit", error)
        assert said(await ben.clicks(match_id, "e3")) == ben.says(f"error-{code}")
        assert said(await ben.types("/blackbox hide e3")) == ben.says(f"error-{code}")
    assert "ZeroDivisionError" in log.getvalue()
    assert "disk I/O error" in log.getvalue()
    assert not names("e3", log.getvalue())


# Screens: installations with different hidden stones look alike to everyone else


async def asked(
    person: Person, place: Place, lines: Sequence[str], tokens: Sequence[str]
) -> list[object]:
    """Return the answers to these lines and tokens, and the completions."""
    answers: list[object] = [await person.types(line, place=place) for line in lines]
    answers += [await person.presses(token, place=place) for token in tokens]
    return [*answers, await person.completes("/blackbox ", place=place)]


async def handed_over(person: Person) -> bytes:
    """Return the export of a person's data."""
    answer = await person.presses(Action("export"))
    assert answer.private is not None
    assert answer.private.file is not None
    return answer.private.file.data


def timeless(data: bytes) -> object:
    """Parse exported data without its times, which differ between exports."""
    times = {"at", "created", "expires", "made", "seen", "updated"}

    def without(found: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in found.items() if key not in times}

    return json.loads(data, object_hook=without)


async def hidden_by_ben(table: Table, cells: tuple[str, ...]) -> list[object]:
    """Return all that the seeker and a spectator see before the first ray."""
    anna, ben, cleo = [await table.arrive(name) for name in ("Anna", "Ben", "Cleo")]
    match_id = await table.begin(anna, ben, words="blackbox hide")
    await hide(table, ben, match_id, cells)
    lines = ["/moves", f"/moves {match_id}", "/matches", "/blackbox b2", "/board", "/privacy"]
    verbs = ["alt:", "flip:", "private:", "step:", "step:a1", "moves:", "resign:", "board:"]
    verbs += ["erase:", "privacy:", "past:", "past:0", "past:3", "played:"]
    tokens = [verb.replace(":", f":{match_id}:7:") for verb in verbs]
    seen: list[object] = []
    for _ in range(2):
        for person in (anna, cleo):
            seen += [await table.screen(match_id, person, seat=seat) for seat in (None, 0)]
            for place in (table.lounge, person.direct):
                seen += await asked(person, place, lines, tokens)
            seen.append(timeless(await handed_over(person)))
        # Once more when the box is closed.
        await ben.types("/blackbox ready")
    return seen


async def dealt(table: Table, cells: tuple[str, ...]) -> list[object]:
    """Return all that a player and a spectator see of a solo box before the first ray."""
    anna, cleo = await table.arrive("Anna"), await table.arrive("Cleo")
    match_id = await anna.starts("/blackbox new")
    lines = ["/moves", "/matches", "/board", "/blackbox guess", f"/moves {match_id}"]
    verbs = ["alt", "flip", "private", "moves", "past", "resign", "sure"]
    seen: list[object] = [await table.screen(match_id, anna, seat=seat) for seat in (None, 0)]
    for person in (anna, cleo):
        seen += await asked(person, table.lounge, lines, [f"{verb}:1:1:" for verb in verbs])
        seen.append(timeless(await handed_over(person)))
    return seen


@pytest.mark.parametrize(("sees", "at_least"), [(hidden_by_ben, 100), (dealt, 20)])
async def test_what_is_hidden_makes_no_difference_to_anybody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sees: Sees, at_least: int
) -> None:
    seen = []
    for number, cells in enumerate((HIDDEN, OTHERWISE)):
        setup = " ".join(cells)
        # Codes are random.
        monkeypatch.setattr(links, "secrets", Random(1))
        if sees is dealt:
            rules = type(games.get("blackbox"))
            monkeypatch.setattr(rules, "new_setup", lambda *_, setup=setup: setup)
        table = await Table.open(tmp_path / f"{number}.db")
        seen.append(await sees(table, cells))
        await table.close()
    assert len(seen[0]) > at_least
    assert seen[0] == seen[1]


async def test_at_the_end_everybody_sees_everything(
    table: Table, anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    loaded = await table.loaded(match)
    await ben.presses(Action("resign", match, loaded.match.version, "yes"))
    for person in (anna, ben, cleo):
        screen = await table.screen(match, person)
        assert all(names(cell, screen.alt) for cell in HIDDEN), screen.alt
        moves = said(await person.types(f"/moves {match}"))
        assert all(names(cell, moves) for cell in HIDDEN), moves


async def test_the_hider_alone_reads_the_secret_moves(
    anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    text = said(await ben.types("/moves"))
    assert not [cell for cell in HIDDEN if not names(cell, text)]
    for person in (anna, cleo):
        text = said(await person.types(f"/moves {match}"))
        assert not [cell for cell in HIDDEN if names(cell, text)]
        assert person.says("moves-secret", count=len(HIDDEN)) in text


# Tokens


async def test_the_question_which_match_holds_no_secret(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    ids = {await table.begin(person, ben, words="blackbox hide") for person in (anna, cleo)}
    question = await ben.types("/blackbox hide d6")
    assert said(question) == ben.says("which-match")
    actions = [button.action for button in buttons(question).values()]
    assert {action.match for action in actions} == ids
    assert not [action for action in actions if "d6" in action.token]


# Exports


async def exported(table: Table, person: Person) -> str:
    return json.dumps(await personal_data.export(table.app.store, person.id))


async def test_an_export_tells_nothing_that_the_person_may_not_know(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    hers, his = await exported(table, anna), await exported(table, ben)
    assert not [cell for cell in HIDDEN if names(cell, hers)]
    assert not [cell for cell in HIDDEN if not names(cell, his)]


async def test_what_is_handed_over_is_the_export_and_is_not_logged(
    table: Table, anna: Person, ben: Person, *, log: io.StringIO
) -> None:
    await hidden(table, anna, ben)
    for person in (anna, ben):
        exported_now = json.loads(await exported(table, person))
        assert json.loads(await handed_over(person)) == exported_now
    assert not [cell for cell in HIDDEN if names(cell, log.getvalue())]


async def test_an_export_does_not_open_the_box(table: Table, anna: Person) -> None:
    await anna.types("/blackbox new")
    setup = (await table.loaded(await table.newest())).match.setup
    text = await exported(table, anna)
    assert setup not in text
    assert not [cell for cell in setup.split() if names(cell, text)]
    await anna.presses(Action("resign", await table.newest(), 1, "yes"))
    assert setup in await exported(table, anna)
