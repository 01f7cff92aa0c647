"""Stepping through a match, and reopening a finished one: what is shown, and to whom."""

from bot.domain.actions import Action
from bot.screens import Screen
from bot.support.texts import Texts
from tests.bot.table import Person, Table, buttons, said


async def step(
    person: Person, match_id: int, ply: int | None = None, *, private: bool = False
) -> Screen:
    """Return the position after so many moves, as the person may see it."""
    argument = "" if ply is None else str(ply)
    place = person.direct if private else person.place
    answer = await person.presses(Action("past", match_id, 0, argument), place=place)
    assert answer.private is not None
    assert not answer.refused
    return answer.private


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


async def test_finished_matches_are_listed_by_pages_and_open_again(
    table: Table, anna: Person, ben: Person
) -> None:
    played = []
    for _ in range(6):
        played.append(await table.begin(anna, ben))
        await table.plays(played[-1], "d3")
        await anna.presses(Action("resign", played[-1], 3, "yes"))
    cleo = await table.arrive("Cleo")
    assert not buttons(await cleo.types("/matches"))
    listed = await anna.presses(buttons(await anna.types("/matches"))["Finished games: 6"])
    assert "#6 Othello · Anna ⚫ – ⚪ Ben: Ben wins: Anna resigned." in said(listed)
    assert "#1 " not in said(listed)
    assert list(buttons(listed)) == ["#6", "#5", "#4", "#3", "#2", "More ›"]
    rest = await anna.presses(buttons(listed)["More ›"])
    assert "#1 " in said(rest)
    assert "#6 " not in said(rest)
    screen = (await anna.presses(buttons(rest)["#1"])).private
    assert screen is not None
    assert (screen.over, screen.ply, len(screen.record)) == (True, 1, 1)
    assert "Ben wins: Anna resigned." in screen.text
    back = (await anna.presses(buttons(screen)["‹ Move"])).private
    assert back is not None
    assert back.ply == 0
    assert back.text.startswith("Starting position")
