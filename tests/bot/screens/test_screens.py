"""Screens: for every game, option, stage of a match and reader."""

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

import games
import renderers
from bot.domain.actions import Action
from bot.domain.links import readable_code
from bot.domain.model import Ending, EndingKind, Match, Ply, Status
from bot.matches import MatchState
from bot.matches.endings import outcome_of
from bot.matches.names import Names
from bot.screens import SIZES, Button, Reader, Screen, Screens, lasting_buttons, parts_of
from bot.screens.controls import rendering_of
from bot.screens.pictures import Gif, Pictures, Png
from bot.screens.wording import Shown, option_line, status_line
from bot.support.texts import LANGUAGES, Texts
from games import Note
from renderers import RenderOptions, Verdict
from tests.bot.table import Person, Table, buttons, every_token
from tests.games.playing import Case, cases, some

CASES = [case for game_id in games.ids() for case in cases(games.get(game_id))]


async def test_only_pictures_with_marks_for_one_side_differ_by_side(
    table: Table, anna: Person, ben: Person
) -> None:
    user = await ben.user()
    for game_id in games.ids():
        loaded = await table.loaded(await table.begin(anna, ben, words=game_id))
        drawn = rendering_of(loaded, Reader(Texts("en"), user), ())
        assert drawn.seat == (1 if renderers.marks_own(game_id) else None), game_id
    assert any(map(renderers.marks_own, games.ids()))


class TwoNames(Names):
    """Names of people whom no database knows."""

    def __init__(self) -> None:
        """Do nothing: no database is read."""

    async def of(self, user_ids: object) -> dict[int, str]:
        return {1: "Anna", 2: "Ben"}


def loaded(case: Case, plies: list[Ply], position: games.AnyPosition, setup: str) -> MatchState:
    """Return a match with a long id, as there will be some day."""
    outcome = position.outcome()
    match = Match(
        id=123_456_789,
        code="k7mf2qtx9wpa",
        game=case.game.id,
        rules=1,
        options=case.options,
        setup=setup,
        status=Status.OVER if outcome else Status.RUNNING,
        version=100_000 + len(plies),
        place_id=1,
        challenger=1,
        opponent=2 if len(case.seats) == 2 else None,
        preferred_seat=None,
        expires=None,
        outcome=outcome,
        seats=tuple(range(1, len(case.seats) + 1)),
        plies=tuple(plies),
        ending=Ending(EndingKind.RULES) if outcome else None,
    )
    return MatchState(match, case.game, position)


def stopped(shown: MatchState) -> MatchState:
    """Return the match, resigned by the player to move."""
    ending = Ending(EndingKind.RESIGNED, min(shown.turn))
    outcome = outcome_of(shown.position, ending)
    match = replace(shown.match, status=Status.OVER, outcome=outcome, ending=ending)
    return replace(shown, match=match)


def check(screen: Screen, shown: MatchState) -> None:
    """Check what every front relies on."""
    over = shown.match.status is Status.OVER
    assert screen.title
    assert screen.alt
    assert screen.picture is not None
    assert screen.over == over
    assert (screen.match, screen.version) == (shown.match.id, shown.match.version)
    pressed = [button for row in screen.rows for button in row]
    for tokens in (
        [choice.action.token for choice in screen.choices],
        [button.action.token for button in pressed],
        [button.label for button in pressed],
    ):
        assert len(tokens) == len(set(tokens))
    for token in every_token(screen):
        assert len(token.encode()) <= 64
        assert Action.read(token).token == token
    for row in screen.rows:
        assert 1 <= len(row) <= 5
        for button in row:
            assert 1 <= len(button.label) <= 60
    width, height = screen.picture.width, screen.picture.height
    for choice in screen.choices:
        assert choice.label
        if choice.box is not None:
            left, top, right, bottom = choice.box
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
    assert not (over and screen.choices)


@pytest.mark.parametrize("case", some(CASES), ids=str)
async def test_screens_hold_at_every_stage_for_every_reader(case: Case) -> None:
    pictures = Pictures()
    screens, luck = Screens(TwoNames(), pictures), Random(str(case))
    setup = case.game.new_setup(case.options, luck)
    position, plies = case.game.start(case.options, setup), list[Ply]()
    readers = [Reader(Texts(language), None) for language in LANGUAGES]
    stage = 0
    while True:
        over = position.outcome() is not None
        if over or stage in (0, 1, 5, 12):
            shown = loaded(case, plies, position, setup)
            for reader, seat in product(readers, case.observers):
                check(await screens.match(shown, reader, seat=seat), shown)
                if not over:
                    given_up = stopped(shown)
                    check(await screens.match(given_up, reader, seat=seat), given_up)
        if over or stage > 60:
            break
        seat = min(position.turn)
        move = luck.choice(position.moves(seat))
        plies.append(Ply(seat, case.game.notation(move), 0))
        position = position.play(seat, move)
        stage += 1
    pictures.close()


async def test_a_picture_is_drawn_once_for_all_who_see_the_same(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben)
    first = await table.screen(match_id, anna)
    second = await table.screen(match_id, cleo)
    assert first.picture is second.picture


async def test_the_last_step_is_known_to_those_who_were_told_of_the_move(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")

    async def last_steps() -> list[str]:
        return [(await table.screen(match_id, seat=seat)).last_step for seat in (0, 1, None)]

    assert await last_steps() == ["", "", ""]
    await table.plays(match_id, "hide c4")
    assert await last_steps() == ["", "c4", ""]
    await table.plays(match_id, "hide a2,hide e2,hide h2,hide e8,ready,ask 17")
    assert await last_steps() == ["17", "17", "17"]
    # The steps as another process reads them from the database.
    table.app.matches.memory.invalidate(match_id)
    assert await last_steps() == ["17", "17", "17"]
    begun = await table.begin(anna, ben, moves="d3")
    assert (await table.screen(begun, anna)).last_step == "d3"


def verbs_of(screen: Screen) -> list[str]:
    """Return the verbs of a screen's buttons."""
    return [button.action.verb for row in screen.rows for button in row]


async def test_a_challenge_says_until_when_it_can_be_accepted(
    table: Table, anna: Person, ben: Person
) -> None:
    for line in ("/othello new", "/othello @Ben"):
        match_id = await anna.starts(line)
        until = (await table.loaded(match_id)).match.expires
        screen = await table.screen(match_id)
        assert until is not None
        assert screen.due == (Texts("en").moment(until), until)
        assert f"Open until {screen.due[0]}." in screen.text
        await anna.types(f"/withdraw {match_id}")
        screen = await table.screen(match_id)
        assert screen.due is None
        assert "until" not in screen.text


async def test_a_challenge_says_whether_it_is_rated(
    table: Table, anna: Person, ben: Person
) -> None:
    for line, is_rated in (("/othello @Ben", True), ("/othello @Ben unrated", False)):
        screen = await table.screen(await anna.starts(line))
        assert ("Rated" in screen.text) == is_rated


async def test_whoever_looks_on_is_offered_to_look(table: Table, anna: Person, ben: Person) -> None:
    cleo = await table.arrive("Cleo")
    match_id = await table.begin(anna, ben)
    assert verbs_of(await table.screen(match_id, anna)) == ["moves", "rules", "resign"]
    assert verbs_of(await table.screen(match_id, cleo)) == ["moves", "rules"]
    await anna.presses(Action("resign", match_id, 2, "yes"))
    assert verbs_of(await table.screen(match_id, ben)) == ["again"]
    assert verbs_of(await table.screen(match_id, cleo)) == []
    hidden = await table.begin(anna, ben, words="blackbox hide")
    (hider,) = (await table.loaded(hidden)).turn
    for seat, person in enumerate((anna, ben)):
        offered = verbs_of(await table.screen(hidden, person))
        assert ("private" in offered) == (seat == hider)
    alone = await anna.starts("/blackbox new")
    assert "Submit" in buttons(await table.screen(alone, anna))
    assert verbs_of(await table.screen(alone, cleo)) == ["moves", "rules"]


async def test_a_screen_names_both_sides_and_says_which_is_ones_own(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo = await table.arrive("Cleo")
    match_id = await table.begin(anna, ben)
    for person, mine in ((anna, [True, False]), (ben, [False, True]), (cleo, [False, False])):
        screen = await table.screen(match_id, person)
        assert [side.is_mine for side in screen.sides] == mine
        assert [side.has_turn for side in screen.sides] == [True, False]
        assert screen.mine is any(mine)
        assert screen.title.startswith(screen.name)
    assert [(side.name, side.mark) for side in screen.sides] == [("Anna", "⚫"), ("Ben", "⚪")]
    assert [side.seat for side in screen.sides] == ["Black", "White"]


# How its reader wants it, who reads it, what there is to do


@pytest.fixture
def drawn(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[RenderOptions]:
    """Record the render options of each picture."""
    wanted, png = list[RenderOptions](), table.app.pictures.png

    async def noted(
        shown: MatchState,
        view: Any,
        rendering: RenderOptions,
        *,
        seat: int | None,
        ply: int | None = None,
    ) -> Png:
        wanted.append(rendering)
        return await png(shown, view, rendering, seat=seat, ply=ply)

    monkeypatch.setattr(table.app.pictures, "png", noted)
    return wanted


async def test_a_picture_is_as_its_reader_wants_it(
    table: Table, anna: Person, ben: Person, drawn: list[RenderOptions]
) -> None:
    shown = await table.loaded(await table.begin(anna, ben))
    texts, users = Texts("en"), [await anna.user(), await ben.user()]

    async def wanted(
        user: int | None, *, theme: str = "dark", flipped: bool = False, **settings: str
    ) -> RenderOptions:
        who = None if user is None else replace(users[user], settings=settings)
        reader = Reader(texts, who, theme, SIZES[0])
        await table.app.screens.match(shown, reader, seat=None, flipped=flipped)
        return drawn[-1]

    usual = await wanted(None)
    assert (usual.theme, usual.flipped, usual.legal, usual.threats) == ("dark", False, True, False)
    assert (usual.size, usual.verdict, usual.seat) == (800, None, None)
    # What was a theme once, perhaps.
    assert (await wanted(0, theme="brown")).theme == "light"
    assert not (await wanted(0, dots="off")).legal
    assert (await wanted(0, dots="on", threats="on")).threats
    assert not (await wanted(0, threats="off")).threats
    for user, side, is_flipped in (
        (0, "own", False),
        (1, "own", True),
        (0, "first", False),
        (1, "first", False),
    ):
        assert (await wanted(user, side=side)).flipped is is_flipped
        assert (await wanted(user, side=side, flipped=True)).flipped is not is_flipped
    large = await table.app.screens.match(shown, Reader(texts, None, size=SIZES[1]), seat=None)
    assert large.picture is not None
    assert large.picture.width == 1200


async def test_how_a_match_has_ended_is_in_its_picture_and_nothing_is_offered_there(
    table: Table, anna: Person, ben: Person, drawn: list[RenderOptions]
) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3")
    for ending, verdict in (
        (Ending(EndingKind.RESIGNED, 0), Verdict(frozenset({1}), is_draw=False)),
        (Ending(EndingKind.AGREED), Verdict(frozenset(), is_draw=True)),
        (Ending(EndingKind.ABORTED, 0), Verdict()),
    ):
        running = await table.loaded(match_id)
        outcome = outcome_of(running.position, ending)
        match = replace(running.match, status=Status.OVER, outcome=outcome, ending=ending)
        over = replace(running, match=match)
        reader = Reader(Texts("en"), await anna.user())
        screen = await table.app.screens.match(over, reader, seat=None)
        shown, *_ = drawn[-1:]
        assert shown.verdict == verdict
        assert (screen.choices, screen.last_step, screen.over, screen.at_once) == ((), "", True, 1)
        assert not screen.my_turn
        # Of how it stood before that the picture says nothing, nor what could have been played.
        past = await table.app.past_screens.after(over, reader, seat=None, ply=1)
        earlier, *_ = drawn[-1:]
        assert earlier.verdict is None
        assert not earlier.legal
        assert not earlier.threats
        assert past.over
    last = await table.app.past_screens.after(over, reader, seat=None)
    shown_over = await Shown.to(reader, over, table.app.names)
    assert drawn[-1].verdict == Verdict()
    assert last.text.startswith(over_line := status_line(shown_over))
    assert over_line


@pytest.mark.parametrize("words", games.ids())
async def test_the_end_of_a_match_is_covered_where_it_shows_what_was_hidden(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    running = await table.loaded(await table.begin(anna, ben, words=words))
    told = (
        Note("marks", {"count": 3, "stones": 5}),
        Note("undetermined", {"stones": "a8", "cells": "h8"}),
    )
    reader, game = Reader(Texts("en")), running.game
    is_hidden = game.id == "blackbox"
    if is_hidden:
        monkeypatch.setattr(type(game), "facts", lambda *_, **__: told)
    over = stopped(running)
    for shown, covers in ((running, False), (over, is_hidden)):
        board = await table.app.screens.match(shown, reader, seat=None)
        past = await table.app.past_screens.after(shown, reader, seat=None)
        assert (board.is_spoiler, past.is_spoiler) == (covers, covers)
        for screen in (board, past):
            assert screen.spoilers == (
                ("No question could have told a8 from h8",) if covers else ()
            )
            assert screen.text.count("No question") == is_hidden


async def test_an_earlier_position_says_how_to_go_on_and_who_played(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    for played, plies in ((0, [[]]), (2, [[1], [0, 2], [1]])):
        if played:
            await table.plays(match_id, "d3,c3")
        shown = await table.loaded(match_id)
        reader = Reader(Texts("en"), await anna.user())
        for ply, leads in enumerate(plies):
            screen = await table.app.past_screens.after(shown, reader, seat=None, ply=ply)
            tokens = [button.action.token for row in screen.rows for button in row]
            assert tokens == [Action("past", match_id, 0, str(to)).token for to in leads]
            assert all(screen.rows)
            assert [side.is_mine for side in screen.sides] == [True, False]
            assert (screen.ply, screen.over, screen.secret) == (ply, False, False)
            # Whose turn it is belongs to the match as it stands; she is not asked to move here.
            assert (anna.says("board-turn", name="Anna") in screen.text) == (ply == played)
            assert anna.says("board-your-turn") not in screen.text
    everybody = await table.app.past_screens.after(shown, Reader(Texts("en")), seat=None)
    assert [side.is_mine for side in everybody.sides] == [False, False]
    hidden = await table.loaded(await table.begin(anna, ben, words="blackbox hide"))
    (hider,) = hidden.turn
    for seat, is_secret in ((hider, True), (1 - hider, True), (None, False)):
        past = await table.app.past_screens.after(hidden, reader, seat=seat)
        assert past.secret is is_secret
    over = stopped(hidden)
    assert not (await table.app.past_screens.after(over, reader, seat=hider)).secret


async def test_whoever_plays_alone_has_no_side_and_is_not_told_whose_turn_it_is(
    table: Table, anna: Person
) -> None:
    match_id = await anna.starts("/blackbox new")
    screen = await table.screen(match_id, anna)
    assert [(side.name, side.mark, side.seat) for side in screen.sides] == [("Anna", "", "")]
    assert screen.sides[0].is_mine
    assert screen.title.endswith("· Anna")
    assert screen.my_turn
    assert "turn" not in screen.text
    facts = screen.text
    shown = await table.loaded(match_id)
    for kind, is_told in ((EndingKind.ABORTED, False), (EndingKind.RESIGNED, True)):
        ending = Ending(kind, 0)
        outcome = outcome_of(shown.position, ending)
        match = replace(shown.match, status=Status.OVER, outcome=outcome, ending=ending)
        over = replace(shown, match=match)
        ended = await table.app.screens.match(over, Reader(Texts("en")), seat=None)
        # A puzzle has no points, so the price is left out.
        assert (len(ended.text.splitlines()) > 1) == is_told, (facts, ended.text)
        assert verbs_of(ended) == ["again"]
        assert ended.rows[0][0].label == anna.says("button-again-alone")


async def test_a_finished_game_offers_rematch_replay_analysis_and_share_in_this_order(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3")
    await anna.presses(Action("resign", match_id, 4, "yes"))
    for person, verbs in (
        (anna, ["again", "replay", "analyse", "share"]),
        (cleo, ["replay", "analyse"]),
        (None, ["again", "replay", "analyse", "share"]),
    ):
        screen = await table.screen(match_id, person)
        assert verbs_of(screen) == verbs
        assert max(map(len, screen.rows)) == 2
    told = await anna.presses(buttons(await table.screen(match_id))[anna.says("button-replay")])
    assert told.private is not None
    assert isinstance(told.private.picture, Gif)


async def test_while_a_capture_is_due_the_stone_that_was_placed_is_counted_no_more(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="morris", moves="a1,b2,a4,b4")
    loaded, reader = await table.loaded(match_id), Reader(Texts("en"), await anna.user())
    before, due = [
        await table.app.screens.match(loaded, reader, seat=None, chosen=chosen)
        for chosen in ((), ("a7",))
    ]
    assert "Stones to place: Anna 7, Ben 7" in before.text
    assert "Stones to place: Anna 6, Ben 7" in due.text


async def test_a_code_is_for_whoever_offers_a_match_to_all_and_for_nobody_else(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo = await table.arrive("Cleo")
    for line, verbs, his, theirs in (
        ("/othello new", ["accept", "rules", "withdraw"], ["accept", "rules"], ["accept", "rules"]),
        (
            "/othello @Ben",
            ["accept", "decline", "rules"],
            ["accept", "decline", "rules"],
            ["rules"],
        ),
    ):
        match_id = await anna.starts(line)
        code = readable_code((await table.loaded(match_id)).match.code)
        everybody = await table.screen(match_id)
        assert verbs_of(everybody) == verbs
        assert verbs_of(await table.screen(match_id, ben)) == his
        assert verbs_of(await table.screen(match_id, cleo)) == theirs
        for screen in (everybody, await table.screen(match_id, ben)):
            assert (screen.share, code in screen.text) == ("", False)
        hers = await table.screen(match_id, anna)
        assert verbs_of(hers) == ["withdraw", "rules"]
        assert bool(hers.share)
        assert (code in hers.text) == (line == "/othello new")
        assert [part.text for part in parts_of(hers) if part.is_copied] == (
            [f"/join {code}"] if line == "/othello new" else []
        )
        # All read the same here: it says whose it is.
        labels = [button.label for row in everybody.rows for button in row]
        assert ("Withdraw (Anna)" in labels) == (line == "/othello new")
        assert ("Ben" in hers.title) == ("@Ben" in line)
        assert hers.title[slice(*hers.opponent_span)] == ("Ben" if "@Ben" in line else "")
        await anna.presses(Action("withdraw", match_id, 1))
        over = await table.screen(match_id, anna)
        assert (over.share, over.over, over.rows) == ("", True, ())
        assert code not in over.text


def option_words_of(**chosen: str) -> str:
    game = games.get("blackbox")
    return option_line(game, game.options_from(chosen), Texts("en"))


def test_only_options_that_are_unusual_are_told() -> None:
    assert option_words_of() == ""
    assert option_words_of(fair="no").count(":") == 1
    assert option_words_of(fair="no", size="6").count(" · ") == 1
    assert option_words_of(fair="no", mode="hide").count(" · ") == 1


async def test_some_buttons_stand_beside_those_of_a_board_and_some_in_their_place(
    table: Table, anna: Person, ben: Person
) -> None:
    texts = Texts("en")
    two = (await table.loaded(await table.begin(anna, ben))).match
    await anna.types("/blackbox new")
    alone = (await table.loaded(await table.newest())).match

    def labels(made: tuple[Button, ...]) -> list[tuple[str, str]]:
        return [(button.action.verb, button.label) for button in made]

    for status, lasts in ((Status.PROPOSED, []), (Status.RUNNING, ["flip", "alt"])):
        match = replace(two, status=status)
        assert [verb for verb, _ in labels(lasting_buttons(match, texts))] == lasts
    for match in (two, alone):
        over = replace(match, status=Status.OVER)
        assert len(lasting_buttons(over, texts)) == 2
    assert lasting_buttons(replace(two, status=Status.DECLINED), texts) == ()
