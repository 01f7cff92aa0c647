"""A player's statistics, as the database counts them."""

import pytest

from bot.store import statistics
from tests.bot.store.looking import plans_of, statements
from tests.bot.table import Table


@pytest.mark.sqlite
async def test_what_somebody_has_played_is_counted_within_an_index(table: Table) -> None:
    anna, store = await table.arrive("Anna"), table.app.store
    with statements() as said:
        await statistics.records(store, anna.id)
        await statistics.opponents(store, anna.id, limit=5)
        await statistics.openings(store, anna.id)
    plans = await plans_of(store, said)
    own = [plan for plan in plans if plan.startswith("SEARCH results ")]
    assert len(own) == 3
    for plan in own:
        assert plan.startswith("SEARCH results USING COVERING INDEX ix_results_of_user (user_id=?)")
