"""The tool that finds the stock of puzzles, with an engine that knows one good move."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import games
from bot.matches.stock import stock
from games.computer import Candidate
from tools import puzzles


class Engine:
    """Values the first move at 0.7 and the others at 0.4. Levels below 3 do not find it."""

    judges = True

    def rank(self, view: Any, seat: int, **_: object) -> tuple[Candidate[Any], ...]:
        first, *others = view.moves(seat)
        return (Candidate(first, 0.7, (first,)), *(Candidate(one, 0.4) for one in others))

    def choose(self, view: Any, seat: int, *, level: int, rng: Random, **_: object) -> Any:
        first, *others = view.moves(seat)
        return first if level >= 3 or not others else rng.choice(others)


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.computer.engine", lambda _: Engine())
    monkeypatch.setattr(puzzles, "accelerate", lambda: None)
    monkeypatch.setattr(puzzles, "SECONDS", 0)


def lines(out: Path, *options: str) -> list[str]:
    outcome = CliRunner().invoke(puzzles.main, [str(out), *options], catch_exceptions=False)
    assert outcome.exit_code == 0
    return out.read_text().splitlines()


def test_puzzles_are_added_until_there_are_enough_and_a_second_run_continues(
    tmp_path: Path,
) -> None:
    out = tmp_path / "stock.jsonl"
    first, second = (lines(out, "--games", "othello", "--target", count) for count in "24")
    assert second[: len(first)] == first
    assert [line.startswith("# othello: seed 1, ") for line in second] == [0, 0, 1, 0, 0, 1]
    found = [json.loads(line) for line in second if not line.startswith("#")]
    assert len({one["setup"] for one in found}) == 4
    assert {one["level"] for one in found} == {3}
    game = games.get("othello")
    for one in stock("\n".join(second)):
        position = game.start(one.options, one.setup)
        assert one.best == game.notation(position.moves(one.seat)[0])
