"""Offers appear and disappear, but no button takes the place of another one.

Checked in the core, and as Discord and Telegram lay them out.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.commands.base import Answer
from bot.delivery import Outgoing
from bot.domain.actions import Action
from bot.domain.model import Match, OfferKind, OfferState, Status
from bot.fronts.discord.layout import lay_out
from bot.fronts.telegram.widgets import board
from bot.matches import waiting as match_waiting
from bot.screens import Screen
from tests.bot.commands.test_offering import a_move
from tests.bot.matches.test_clocks_of_matches import goes_by
from tests.bot.table import A_MOMENT, Person, Table, buttons, said
from tests.sampling import sampled

Spots = Mapping[tuple[str, int, int], str]
"""The tokens of buttons, by how they are laid out, their row and their column."""
_LINES = ("draw", "abort", "takeback", "clock 3d", "clock 5d")
_ANSWERS = ("accept", "decline", "withdraw")
_BUTTON = 2
"""The type of a component of Discord's."""


def _spots(screen: Screen) -> Iterator[tuple[tuple[str, int, int], str]]:
    core = [[button.action.token for button in row] for row in screen.rows]
    view: Any = lay_out(screen).view
    inner = [one["components"] for one in view.to_components() if one["type"] == 1]
    # An untouched select has no value, and an open list carries the version that it showed.
    discord = [
        [one["custom_id"].split(":", 2)[2] for one in row if one["type"] == _BUTTON]
        for row in inner
    ]
    keyboard = board(screen).keyboard
    assert keyboard is not None
    telegram = [[str(key.callback_data) for key in row] for row in keyboard.inline_keyboard]
    for name, rows in (("core", core), ("discord", discord), ("telegram", telegram)):
        for at, row in enumerate(rows):
            for column, token in enumerate(row):
                yield (name, at, column), token


def _has_a_select_of_answers(screen: Screen) -> bool:
    view: Any = lay_out(screen).view
    inner = [part for one in view.to_components() for part in one.get("components", ())]
    return any(part["custom_id"].endswith(":answers") for part in inner)


def _moved(before: Spots, after: Spots, match: Match) -> list[tuple[Any, str, str]]:
    """Return the places where a button was replaced by another one."""
    found = []
    for spot in before.keys() & after.keys():
        was, now = Action.read(before[spot]), Action.read(after[spot])
        is_other = (was.verb, was.argument) != (now.verb, now.argument)
        if is_other and not _is_settled(now, match):
            found.append((spot, was.token, now.token))
    return found


async def _check_disabled(table: Table, match: Match) -> None:
    """Check that the buttons of settled questions are disabled, and no others."""
    screen = await table.screen(match.id)
    for row in screen.rows:
        assert all(one.is_disabled is _is_settled(one.action, match) for one in row), row
    view: Any = lay_out(screen).view
    for part in (part for one in view.to_components() for part in one.get("components", ())):
        if part["type"] == _BUTTON:
            action = Action.read(part["custom_id"].split(":", 2)[2])
            assert part["disabled"] is _is_settled(action, match), part
        for option in part.get("options", ()):
            assert not _is_settled(Action.read(option["value"]), match)


def _is_settled(action: Action, match: Match) -> bool:
    """Return whether this stands in place of the answers to a settled question."""
    settled = {(one.kind, one.version) for one in match.offers if one.state is not OfferState.OPEN}
    return (action.verb, action.version) in settled


async def grow_stale(table: Table, match_id: int) -> None:
    """Let so much time pass without a move that the match can be claimed."""
    for _ in range(2):
        at, version = table.app.store.now(), (await table.loaded(match_id)).match.version
        await match_waiting.take_step(table.app.matches, match_id, version=version, at=at, days=1)
        table.clock.forward(24 * 3600)
    assert (await table.loaded(match_id)).match.wait.stale


async def _seen(table: Table, match_id: int, *people: Person) -> list[Spots]:
    """Return the boards of both players and the public one."""
    screens = [await table.screen(match_id, one, seat=at) for at, one in enumerate(people)]
    screens.append(await table.screen(match_id))
    return [dict(_spots(screen)) for screen in screens]


@pytest.mark.parametrize("seed", sampled(range(2), 0))
@pytest.mark.parametrize(
    "game", sampled(["othello", "morris", "sogo", "moyo"], "othello", "morris")
)
async def test_no_change_of_offers_puts_a_button_where_another_one_was(
    table: Table, anna: Person, ben: Person, game: str, seed: int
) -> None:
    luck, people = Random(seed), (anna, ben)
    match_id = await table.begin(anna, ben, words=f"{game} unrated")
    for _ in range(4):
        await table.plays(match_id, await a_move(table, match_id))
    seen, came, has_select = await _seen(table, match_id, *people), set[object](), False
    for step in range(24):
        match = (await table.loaded(match_id)).match
        if step == 12:
            await grow_stale(table, match_id)
        elif match.open_offers and (luck.random() < 0.5 or not _new_lines(match)):
            offer = luck.choice(match.open_offers)
            answer = luck.choice(_ANSWERS)
            if answer == "accept" and offer.kind is not OfferKind.CLOCK:
                # That is another position, or the end.
                continue
            table.clock.forward(A_MOMENT)
            who = people[offer.by if answer == "withdraw" else 1 - offer.by]
            await who.presses(Action(offer.kind.value, match_id, match.version, answer))
        else:
            who = luck.choice(people)
            await _offers(who, match_id, luck.choice(_new_lines(match)))
        after = (await table.loaded(match_id)).match
        assert after.status is Status.RUNNING
        came |= {offer.state for offer in after.offers}
        now = await _seen(table, match_id, *people)
        await _check_disabled(table, after)
        for old, new in zip(seen, now, strict=True):
            assert not _moved(old, new, after), [(one.kind, one.state) for one in after.offers]
        has_select |= _has_a_select_of_answers(await table.screen(match_id))
        seen = now
    assert {OfferState.WITHDRAWN, OfferState.DECLINED} & came, came
    # Some twenty moves as buttons leave too little room for all answers.
    assert has_select or game not in ("morris", "sogo")


async def test_an_offer_on_a_board_that_came_late_is_answered_a_moment_after_that(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello unrated", moves="d3,c3,c4,e3")
    await table.settle()
    await anna.types("/draw")
    accept = buttons(await table.screen(match_id))["Accept draw"]
    table.clock.forward(60)
    await table.settle()
    assert (await ben.presses(accept)).refused
    table.clock.forward(A_MOMENT)
    assert await ben.presses(accept) == Answer()
    assert await table.status(match_id) is Status.OVER


@pytest.mark.parametrize(
    ("seconds", "is_meant"), [(-3600, True), (-2, False), (2, False), (3, True)]
)
async def test_an_offer_is_answered_a_moment_after_it_by_whatever_clock(
    table: Table, anna: Person, ben: Person, seconds: int, *, is_meant: bool
) -> None:
    match_id = await table.begin(anna, ben, words="othello unrated", moves="d3,c3,c4,e3")
    await anna.types("/draw")
    answers = buttons(await table.screen(match_id))
    table.clock.forward(seconds)
    if not is_meant:
        refused = await ben.presses(answers["Decline"])
        assert said(refused) == ben.says("error-offer-at-once")
    assert (await ben.presses(answers["Accept draw"])).refused is not is_meant


async def test_a_board_that_has_come_late_and_is_not_noted_yet_counts_as_come_just_now(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await table.begin(anna, ben, words="othello unrated", moves="d3,c3,c4,e3")
    await table.settle()
    await anna.types("/draw")
    accept = buttons(await table.screen(match_id))["Accept draw"]
    table.clock.forward(10)
    answers, show = list[Answer](), table.wall.show

    async def shown(outgoing: Outgoing, message: str) -> str:
        there = await show(outgoing, message)
        answers.append(await ben.presses(accept))
        return there

    monkeypatch.setattr(table.wall, "show", shown)
    await table.settle()
    assert [answer.refused for answer in answers] == [True]
    table.clock.forward(A_MOMENT)
    assert await ben.presses(accept) == Answer()


async def test_a_board_that_came_late_elsewhere_or_as_a_new_message_makes_nobody_wait(
    table: Table, anna: Person, ben: Person, logged: list[EventDict]
) -> None:
    match_id = await table.begin(anna, ben, words="othello unrated", moves="d3,c3,c4,e3")
    elsewhere = await table.channel("elsewhere")
    await ben.types(f"/board {match_id}", place=elsewhere)
    await table.settle()
    await anna.types("/draw")
    accept = buttons(await table.screen(match_id))["Accept draw"]
    table.wall.fails.add(elsewhere.id)
    await table.settle()
    assert "the platform is down" in logged[-1].pop("exception")
    table.clock.forward(60)
    table.wall.fails.clear()
    await ben.types(f"/board {match_id}")
    await table.settle()
    assert (await ben.presses(accept, place=elsewhere)).refused
    assert await ben.presses(accept) == Answer()
    assert await table.status(match_id) is Status.OVER


async def test_a_board_that_is_drawn_anew_without_news_lets_one_press_at_once(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello unrated")
    await table.given_up(match_id, anna)
    await table.settle()
    table.clock.forward(A_MOMENT)
    before = (await table.loaded(match_id)).match.version
    assert not (await anna.types("/analyse")).refused
    await table.settle()
    assert (await table.loaded(match_id)).match.version > before
    again = buttons(await table.screen(match_id, anna))[anna.says("button-again")]
    assert not (await anna.presses(again)).refused


async def _offers(who: Person, match_id: int, line: str) -> None:
    word, *rest = line.split()
    await who.types(" ".join([f"/{word}", str(match_id), *rest]))


def _new_lines(match: Match) -> list[str]:
    """Return the lines that do not accept an open offer."""
    waiting = {offer.kind.value for offer in match.open_offers}
    return [line for line in _LINES if line.partition(" ")[0] not in waiting]


@pytest.mark.parametrize("how", ["resign", "time"])
@pytest.mark.parametrize(
    "game", sampled(["othello", "morris hints", "sogo", "moyo", "blackbox hide"], "morris hints")
)
async def test_no_press_in_the_moment_of_an_end_asks_for_another_match(
    table: Table, anna: Person, ben: Person, game: str, how: str
) -> None:
    people = (anna, ben, await table.arrive("Cleo"))
    match_id = await table.begin(anna, ben, words=f"{game} unrated 1d")
    await _ends(table, anna, ben, match_id, how)
    screens = [await table.screen(match_id, one) for one in people]
    for who, screen in zip(people, screens, strict=True):
        for button in (one for row in screen.rows for one in row):
            answer = await who.presses(button)
            asks = button.action.verb == "again"
            assert not asks or said(answer) == who.says("error-rematch-at-once"), button
    assert await table.newest() == match_id
    table.clock.forward(A_MOMENT)
    (again,) = (one for row in screens[0].rows for one in row if one.action.verb == "again")
    assert not (await anna.presses(again)).refused
    assert await table.newest() == match_id + 1


@pytest.mark.parametrize("line", ["/othello computer 1", "/blackbox new"])
async def test_nor_does_one_begin_where_nobody_has_to_be_asked(
    table: Table, anna: Person, line: str
) -> None:
    match_id = await anna.starts(line, place=anna.direct)
    version = (await table.loaded(match_id)).match.version
    await anna.presses(Action("resign", match_id, version, "yes"), place=anna.direct)
    screen = await table.screen(match_id, anna)
    ways = [one for row in screen.rows for one in row if one.action.verb == "again"]
    assert ways
    for seconds in (0, A_MOMENT - 1):
        table.clock.forward(seconds)
        for one in ways:
            told = said(await anna.presses(one, place=anna.direct))
            assert told == anna.says("error-rematch-at-once")
    assert await table.newest(anna.direct) == match_id
    table.clock.forward(1)
    assert not (await anna.presses(ways[-1], place=anna.direct)).refused
    assert await table.newest(anna.direct) == match_id + 1


async def _ends(table: Table, anna: Person, ben: Person, match_id: int, how: str) -> None:
    if how == "time":
        await goes_by(table, 24 * 60 * 60 + 1)
    else:
        version = (await table.loaded(match_id)).match.version
        await anna.presses(Action(how, match_id, version, "yes"))
    assert await table.status(match_id) is Status.OVER
