"""Long lists have pages, without gaps and without an empty last page."""

from dataclasses import replace

import pytest

from bot.commands.menus import page_of
from bot.domain.actions import Action
from tests.bot.table import Person, buttons


def test_all_pages_together_are_the_list() -> None:
    for count in (0, 1, 9, 10, 11, 20, 21):
        every = list(range(count))
        pages = [page_of(every, page, size=10) for page in range(max(1, -(-count // 10)))]
        assert [one for page in pages for one in page] == every
        assert all(len(page) == 10 for page in pages[:-1])
        assert page_of(every, 99, size=10) == pages[-1]
        assert page_of(every, -1, size=10) == pages[0]


@pytest.mark.parametrize("count", [2, 10, 21])
async def test_the_ways_lead_to_every_page_there_and_back(anna: Person, count: int) -> None:
    """Page through the list of who may start games: everyone, managers, each role."""
    anna.can_manage = True
    roles = {str(number): f"Role {number:02}" for number in range(count - 2)}
    command = replace(await anna.command(), role_names=roles)
    back, more = anna.says("button-back"), anna.says("button-more")

    async def page(action: Action) -> tuple[list[str], dict[str, Action]]:
        shown = buttons(await anna.table.commands.pressed(command, action))
        ways = {label: shown[label].action for label in (back, more) if label in shown}
        return [label for label in shown if label not in (*ways, anna.says("here-back"))], ways

    pages, seen = -(-count // 10), list[list[str]]()
    action = Action("here", argument="begin")
    for at in range(pages):
        listed, ways = await page(action)
        seen.append(listed)
        assert list(ways) == [back] * (at > 0) + [more] * (at < pages - 1)
        action = ways.get(more, action)
    assert [label for listed in seen for label in listed] == [
        anna.says("begin-everybody"),
        anna.says("begin-managers"),
        *roles.values(),
    ]
    for listed in reversed(seen[:-1]):
        shown, ways = await page(ways[back])
        assert shown == listed
    assert back not in ways
