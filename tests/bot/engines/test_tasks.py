"""The input of a thinking process: no more than its seat may know."""

from importlib import import_module
from random import Random
from unittest.mock import Mock

import pytest

from bot.engines.tasks import Choose, Hint, Rank, Warm
from bot.engines.worker import packed
from games import get
from games.computer import Candidate, never, player


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
    Warm(game_id, None, 0, 60.0).done(never)
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
    found = (
        Candidate(first, 1.0, is_exact=True),
        Candidate(second, 1.0),
        Candidate(third, 0.0),
    )
    monkeypatch.setattr(player(game.id), "rank", lambda *_, **__: found)
    ranked = Rank(game.id, position.view(seat), seat, 1.0).done(never)
    assert [one.expectation for one in ranked] == [1.0, 0.99, 0.01]
