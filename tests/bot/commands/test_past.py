"""Stepping through a match, reopening a finished one, and the pages of lists."""

from dataclasses import replace

import pytest

from bot.commands.menus import page_of
from bot.domain.actions import Action
from bot.matches.policies import Rights
from bot.screens import Screen
from bot.support.texts import Texts
from tests.bot.table import Person, Table, buttons, said, screen_of


async def step(
    person: Person, match_id: int, ply: int | None = None, *, private: bool = False
) -> Screen:
    """Return the position after so many moves, as the person may see it."""
    argument = "" if ply is None else str(ply)
    place = person.direct if private else person.place
    answer = await person.presses(Action("past", match_id, 0, argument), place=place)
    assert not answer.refused
    return screen_of(answer)


async def test_a_match_is_shown_as_it_stood_after_each_of_its_moves(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    shown = [await table.screen(match_id, ben)]
    for move in ("d3", "c3", "c4"):
        await table.plays(match_id, move)
        shown.append(await table.screen(match_id, ben))
    for ply, then in enumerate(shown):
        now = await step(ben, match_id, ply)
        assert (now.alt, now.ply, now.choices) == (then.alt, ply, ())
        assert [(told.seat, told.text) for told in now.record] == [(0, "d3"), (1, "c3"), (0, "c4")]
    # Without a number, or with one that is too high, it is the match as it stands.
    assert (await step(ben, match_id)).alt == (await step(ben, match_id, 9999)).alt == shown[-1].alt
    first = (await step(ben, match_id, 0)).picture
    assert len({(await step(ben, match_id, ply)).picture for ply in range(4)}) == 4
    # A position is drawn once for all who step through.
    await table.plays(match_id, "e3")
    assert (await step(ben, match_id, 0)).picture is first
    for argument in ("-1", "1.5", "10000", "x", "²"):
        answer = await anna.presses(Action("past", match_id, 0, argument))
        assert said(answer) == anna.says("error-button-unknown")
    # A match of another place does not exist.
    cleo, garden = await table.arrive("Cleo"), await table.channel("garden")
    for missing in (match_id, 4711):
        answer = await cleo.presses(Action("past", missing), place=garden)
        assert said(answer) == cleo.says("error-no-such-match", match=missing)


async def test_an_earlier_position_says_no_more_than_its_reader_may_know(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    loaded = await table.loaded(match_id)
    hider = (anna, ben)[min(loaded.turn)]
    seeker = ben if hider is anna else anna
    for cell in ("a1", "c3", "e5"):
        await table.plays(match_id, f"hide {cell}")
    for person, private in ((seeker, True), (seeker, False), (hider, False)):
        screens = [await step(person, match_id, ply, private=private) for ply in range(4)]
        assert (
            len({(screen.alt, screen.picture and screen.picture.data) for screen in screens}) == 1
        )
        assert {told.text for told in screens[-1].record} == {person.says("moves-secret", count=1)}
    # The hider sees each stone, but in private only.
    own = [await step(hider, match_id, ply, private=True) for ply in range(4)]
    assert len({screen.alt for screen in own}) == 4
    laid = [Texts(hider.locale).move("blackbox", f"hide {cell}") for cell in ("a1", "c3", "e5")]
    assert [told.text for told in own[0].record] == laid
    assert all(screen.secret for screen in own)


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
    command = replace(await anna.command(), rights=Rights(can_manage=True, role_names=roles))
    back, more = anna.says("button-back"), anna.says("button-more")

    async def page(action: Action) -> tuple[list[str], dict[str, Action]]:
        shown = buttons(await anna.table.commands.run_button(command, action))
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
