"""Long lists come in pages: nothing is left out, and there is no page behind the last one."""

import pytest

from bot.commands.paging import page_of


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 20, 21])
def test_all_pages_together_are_the_list(count: int) -> None:
    every = list(range(count))
    pages = [page_of(every, page, size=10) for page in range(max(1, -(-count // 10)))]
    assert [one for page in pages for one in page] == every
    assert all(len(page) == 10 for page in pages[:-1])
    assert page_of(every, 99, size=10) == pages[-1]
    assert page_of(every, -1, size=10) == pages[0]
