"""Searches: served fairly and by cost, warmed, and sent without secrets."""

import asyncio
from importlib import import_module
from random import Random
from unittest.mock import Mock

import pytest

from bot.engines.tasks import Choose, CompileEngine, Hint, Rank
from bot.engines.turns import CostQueue, FairQueue
from bot.engines.worker import packed
from games import get
from games.computer import Candidate, engine, never


class Asking:
    """People who ask for a turn, in the order served; each stays until released."""

    def __init__(self, most: int = 1) -> None:
        self.turns = FairQueue(lambda: most)
        self.served: list[str] = []
        self.under_way: list[tuple[str, asyncio.Event]] = []

    async def ask(self, person: str, *, patience: float = 60.0) -> None:
        async with self.turns.of(person, patience=patience):
            self.served.append(person)
            left = asyncio.Event()
            self.under_way.append((person, left))
            await left.wait()

    async def go_on(self, *, times: int) -> None:
        """Let the users being served leave, one after the other."""
        for _ in range(times):
            _, left = self.under_way.pop(0)
            left.set()
            await settled()


async def settled() -> None:
    """Run all tasks that are ready."""
    for _ in range(8):
        await asyncio.sleep(0)


async def begun(asking: Asking, *people: str) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(asking.ask(person)) for person in people]
    await settled()
    return tasks


async def test_who_asks_once_comes_before_what_others_ask_again() -> None:
    asking = Asking()
    tasks = await begun(asking, "Anna", "Anna", "Anna", "Cleo", "Cleo", "Ben")
    await asking.go_on(times=3)
    assert asking.served == ["Anna", "Cleo", "Ben", "Anna"]
    # A person who returns waits behind those served before.
    tasks += await begun(asking, "Ben")
    await asking.go_on(times=4)
    assert asking.served[4:] == ["Cleo", "Ben", "Anna"]
    await asyncio.gather(*tasks)


async def test_nobody_has_several_under_way_while_others_wait() -> None:
    asking = Asking(most=2)
    tasks = await begun(asking, "Anna", "Anna", "Anna", "Ben", "Cleo")
    assert asking.served == ["Anna", "Anna"]
    await asking.go_on(times=1)
    assert asking.served[2:] == ["Ben"]
    await asking.go_on(times=1)
    assert asking.served[3:] == ["Cleo"]
    await asking.go_on(times=3)
    assert asking.served[4:] == ["Anna"]
    await asyncio.gather(*tasks)


@pytest.mark.parametrize("way", ["out of patience", "cancelled", "cancelled when it is their turn"])
async def test_who_waits_no_longer_holds_up_nobody(way: str) -> None:
    asking = Asking()
    tasks = await begun(asking, "Anna")
    patience = 0.0 if way == "out of patience" else 60.0
    gone = asyncio.create_task(asking.ask("Ben", patience=patience))
    await settled()
    tasks += await begun(asking, "Cleo")
    if way == "cancelled when it is their turn":
        asking.under_way.pop(0)[1].set()
        for _ in range(8):
            if len(asking.turns._waiting) == 1:
                break
            await asyncio.sleep(0)
    if patience:
        gone.cancel()
    with pytest.raises(asyncio.CancelledError if patience else TimeoutError):
        await gone
    await settled()
    if asking.under_way and asking.under_way[0][0] == "Anna":
        await asking.go_on(times=1)
    assert asking.served == ["Anna", "Cleo"]
    await asking.go_on(times=1)
    await asyncio.gather(*tasks)
    assert asking.turns._under_way.total() == 0


async def test_what_costs_more_comes_later_unless_it_has_waited_for_longer() -> None:
    turns, served = CostQueue(1), list[str]()

    async def search(what: str, cost: float) -> None:
        await turns.acquire(cost)
        served.append(what)
        turns.release()

    await turns.acquire(0.0)
    clock = asyncio.get_running_loop().time
    tasks = [asyncio.create_task(search(*one)) for one in (("dear", 600.0), ("fair", 0.001))]
    await settled()
    begun = clock()
    while clock() <= begun + 0.002:  # noqa: ASYNC110 - the clock sends no event
        await asyncio.sleep(0)
    tasks.append(asyncio.create_task(search("cheap", 0.0)))
    await settled()
    turns.release()
    await asyncio.gather(*tasks)
    assert served == ["fair", "cheap", "dear"]


@pytest.mark.parametrize(
    ("game_id", "needed"),
    [
        pytest.param("blackbox", "games.computer.blackbox_layouts._drawn", marks=pytest.mark.slow),
        pytest.param(
            "blackbox", "games.computer.blackbox_layouts._searched", marks=pytest.mark.slow
        ),
        ("sogo", "games.computer.sogo_plain.search"),
        ("sogo", "games.computer.sogo_search.search"),
    ],
)
def test_whatever_a_player_is_compiled_of_is_called_when_it_is_warmed(
    game_id: str, needed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = needed.rpartition(".")
    called = Mock(side_effect=getattr(import_module(module), name))
    monkeypatch.setattr(needed, called)
    CompileEngine(game_id, None, 0, 60.0).run(never)
    called.assert_called()


def test_what_is_sent_is_the_same_wherever_the_hidden_stones_are() -> None:
    game = get("blackbox")
    options = game.options_from({"size": "5", "stones": "3"})
    sent = set()
    for setup in ("a1 c3 e5", "a1 c3 e4"):
        view = game.start(options, setup).view(0)
        sent.add(packed(Hint(game.id, view, 0, 2.0)) + packed(Choose(game.id, view, 0, 2.0, 5, 1)))
    assert len(sent) == 1


def test_nothing_is_certain_that_was_not_seen_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get("othello")
    options = game.options_from({})
    position = game.start(options, game.new_setup(options, Random(1)))
    (seat,), (first, second, third, *_) = position.turn, position.moves(min(position.turn))
    found = (Candidate(first, 1.0, is_exact=True), Candidate(second, 1.0), Candidate(third, 0.0))
    monkeypatch.setattr(engine(game.id), "rank", lambda *_, **__: found)
    ranked = Rank(game.id, position.view(seat), seat, 1.0).run(never)
    assert [one.expectation for one in ranked] == [1.0, 0.99, 0.01]
