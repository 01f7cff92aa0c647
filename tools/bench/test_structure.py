"""A typed move reaches its commit, and then its board, without detours."""

import pytest

from tools.bench import structure

_MOST = {"calls to the commit": 45, "files": 12, "SQL statements": 12}
_MOST |= {"calls": 200, "functions": 85, "their files": 20}
_FRONTS = {"fronts: calls of the store": 25, "fronts: share of all lines (%)": 30}


@pytest.mark.sqlite
async def test_a_typed_move_goes_to_its_commit_and_board_without_detours_on_every_front() -> None:
    """``python -m tools.bench structure --trace`` prints its way."""
    figures = await structure.measure()
    most = {name: _FRONTS.get(name) or _MOST[name.partition(": ")[2]] for name in figures}
    assert {name: value for name, value in figures.items() if value > most[name]} == {}
    assert len(figures) == 3 * len(_MOST) + len(_FRONTS)
    assert all(figures.values())
