"""Moves, boards and resigning."""

from dataclasses import replace

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Status
from bot.screens import Screen
from bot.store import boards, places
from bot.support.platforms import Medium
from tests.bot.store.looking import statements
from tests.bot.table import NOTHING, Person, Table, buttons, said, screen_of


async def record(table: Table, match_id: int) -> list[str]:
    return [ply.notation for ply in (await table.loaded(match_id)).match.plies]


async def test_a_typed_move_is_played(table: Table, anna: Person, ben: Person, match: int) -> None:
    assert await anna.types("/othello d3") == NOTHING
    assert await ben.types("/Othello  C3 ") == NOTHING
    assert await record(table, match) == ["d3", "c3"]
    # The board says whose turn it is.
    assert "Your turn." in (await table.screen(match, anna)).text
    assert (await table.screen(match, anna)).my_turn
    assert "Anna ist am Zug" in (await table.screen(match, ben)).text
    assert not (await table.screen(match, ben)).my_turn
    assert "Anna to move" in (await table.screen(match)).text


async def test_the_game_alone_moves_the_board_to_the_bottom(
    table: Table, anna: Person, match: int
) -> None:
    await table.settle()
    (before,) = table.wall.posts
    assert await anna.types("/othello") == NOTHING
    await table.settle()
    (after,) = table.wall.posts
    assert after != before


async def test_an_illegal_move_is_refused_with_the_reason(
    table: Table, anna: Person, match: int
) -> None:
    refusals: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("d4", "othello-error-occupied", {"square": "d4"}),
        ("a1", "othello-error-flips-nothing", {"square": "a1"}),
        ("k9", "error-off-board", {"square": "k9"}),
        ("pass", "othello-error-can-move", {"square": "d3"}),
        ("hello there", "error-notation-name", {"text": "hello there", "example": "d3"}),
        ("4c", "error-notation-order", {"example": "c4"}),
        ("9d", "error-notation-order", {"example": "d3"}),
        ("д3", "error-notation-letter", {"letter": "д", "text": "д3", "example": "d3"}),
        ("d3c5f6", "error-notation-several", {"text": "d3c5f6", "example": "d3"}),
        ("1. d3 c5 2. f6", "error-notation-several", {"text": "1. d3 c5 2. f6", "example": "d3"}),
        ("(;GM[2]B[d3])", "error-notation-several", {"text": "(;GM[2]B[d3])", "example": "d3"}),
        ("f5d6c3" * 34, "error-too-long-record", {}),
        ("PA", "othello-error-can-move", {"square": "d3"}),
        ("--", "othello-error-can-move", {"square": "d3"}),
        ("4" * 41, "error-notation-example", {"text": "4" * 40, "example": "d3"}),
    )
    for text, key, details in refusals:
        refusal = anna.says(key, **details, platform="web")
        assert said(await anna.types(f"/othello {text}")) == refusal
    assert await record(table, match) == []


async def test_off_turn_is_refused_in_ones_own_language(
    table: Table, ben: Person, match: int
) -> None:
    assert said(await ben.types("/othello d3")) == ben.says("error-not-your-turn")
    assert said(await ben.clicks(match, "d3")) == ben.says("error-not-your-turn")
    assert await record(table, match) == []


async def test_an_onlooker_cannot_play(table: Table, cleo: Person, match: int) -> None:
    assert said(await cleo.types("/othello d3")) == cleo.says(
        "error-no-match-here", game="Othello", command="/othello"
    )
    for verb, argument in (
        ("step", "d3"),
        ("play", "d3"),
        ("sure", "d3"),
        ("resign", ""),
        ("resign", "yes"),
        ("again", ""),
        ("private", ""),
    ):
        answer = await cleo.presses(Action(verb, match, 2, argument))
        assert said(answer) == cleo.says("error-not-in-match"), verb
    assert await record(table, match) == []
    assert (await table.loaded(match)).match.status is Status.RUNNING


async def test_no_move_is_played_after_the_end(table: Table, ben: Person, match: int) -> None:
    await ben.presses(Action("resign", match, 2, "yes"))
    for version in (2, 3):
        for verb, argument in (("step", "d3"), ("sure", "d3"), ("play", "d3"), ("resign", "yes")):
            answer = await ben.presses(Action(verb, match, version, argument))
            assert said(answer) == ben.says("error-match-over")
    assert said(await ben.types("/othello d3")) == ben.says(
        "error-no-match-here", game="Othello", command="/othello"
    )


async def test_a_click_on_the_picture_plays_or_says_why_not(
    table: Table, anna: Person, match: int
) -> None:
    choices = {choice.step: choice for choice in (await table.screen(match, anna)).choices}
    illegal, legal = choices["a1"], choices["d3"]
    assert not illegal.legal
    answer = await anna.presses(illegal.action)
    assert said(answer) == anna.says("othello-error-flips-nothing", square="a1")
    assert legal.legal
    assert legal.box
    assert legal.label == "d3, flips one disc"
    assert await anna.presses(legal.action) == NOTHING
    assert await record(table, match) == ["d3"]


async def test_a_button_of_an_old_board_is_answered_with_a_word_where_the_board_is_and_it_stays(
    table: Table, anna: Person, match: int
) -> None:
    await table.settle()
    old, before = Action("step", match, 2, "c4"), table.wall.of(match)
    for move in "d3", "c3":
        await table.plays(match, move)
        answer = await anna.presses(old)
        word = Screen(text=anna.says("error-stale"), match=match, game="othello")
        assert answer == Answer(private=word, refused=True, here=match)
        await table.settle()
    assert [post.board for post in table.wall.of(match)] == [post.board for post in before]
    assert list(table.wall.posts) == ["m1"]
    assert await record(table, match) == ["d3", "c3"]


async def test_a_button_of_an_old_board_shows_the_current_one_privately_where_none_is(
    table: Table, anna: Person, match: int
) -> None:
    await table.plays(match, "d3,c3")
    garden = await table.channel("garden")
    answer = await anna.presses(Action("step", match, 2, "c4"), place=garden)
    assert answer.public is None
    loaded = await table.screen(match, anna)
    assert (answer.refused, answer.why) == (True, anna.says("error-stale"))
    shown = screen_of(answer)
    assert shown.text == loaded.text
    assert (shown.picture, shown.choices) == (loaded.picture, loaded.choices)
    assert await boards.of_match(table.app.store, match, place_id=garden.id) == []


async def test_where_nothing_is_shown_privately_an_old_button_brings_the_board_or_why_not(
    table: Table, anna: Person, match: int
) -> None:
    await table.plays(match, "d3,c3")
    garden, old = await table.channel("garden"), Action("step", match, 2, "c4")
    command = replace(
        await anna.command(garden), message="m99", medium=Medium(shows_in_private=False)
    )
    await places.change_place(table.app.store, garden.id, settings={"game-othello": "off"})
    answer = await table.commands.run_button(command, old)
    assert said(answer).startswith("Othello is not allowed here.")
    assert (answer.refused, answer.obsoletes_message, answer.here) == (True, True, 0)
    await places.change_place(table.app.store, garden.id, settings={"game-othello": "on"})
    answer = await table.commands.run_button(command, old)
    assert said(answer) == anna.says("error-stale")
    assert (answer.refused, answer.obsoletes_message) == (True, True)
    # As long as that is only coming, what was pressed may be what it comes from.
    answer = await table.commands.run_button(command, old)
    assert (answer.here, answer.obsoletes_message) == (match, False)
    await table.settle()
    (board,) = await boards.of_match(table.app.store, match, place_id=garden.id)
    # What stands under the board that there is now is not taken away with it.
    for message, is_spent in (("m99", True), (str(board.message), False)):
        answer = await table.commands.run_button(replace(command, message=message), old)
        assert (answer.here, answer.obsoletes_message) == (match, is_spent)
    assert len(await boards.of_match(table.app.store, match, place_id=garden.id)) == 1


async def test_of_several_clicks_at_once_one_is_played_and_all_are_answered(
    table: Table, anna: Person, match: int
) -> None:
    clicks = [Action("step", match, 2, step) for step in ("d3", "d3", "c4", "f5")]
    first, *others = await anna.at_once(*clicks)
    assert first == NOTHING
    for answer in others:
        assert said(answer).startswith(anna.says("error-stale"))
    assert await record(table, match) == ["d3"]


async def test_a_partial_move_is_shown_to_its_player_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="morris")
    # Anna closes the mill a1 a4 a7 with her third stone.
    await table.plays(match, "a1,b2,a4,b4")
    stale = await anna.presses(Action("step", match, 5, "a7"))
    assert said(stale).startswith(anna.says("error-stale"))
    answer = await anna.clicks(match, "a7")
    assert answer.public is None
    screen = screen_of(answer)
    assert screen.chosen == ("a7",)
    # Nothing is hidden in this game: others may see it where it is.
    assert (screen.in_place, screen.secret) == (True, False)
    # It is still said whose turn it is, and what to do in words.
    assert screen.text.startswith("Your turn. a7 closes a mill. Take one of Black's stones.\n")
    assert {choice.step for choice in screen.choices if choice.legal} == {"b2", "b4"}
    assert await record(table, match) == ["a1", "b2", "a4", "b4"]
    assert (await table.screen(match, ben)).chosen == ()
    (choice,) = [choice for choice in screen.choices if choice.step == "b4"]
    assert await anna.presses(choice.action) == NOTHING
    assert (await record(table, match))[-1] == "a7xb4"


async def test_no_partial_move_is_read_where_moves_have_one_step(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await table.begin(anna, ben)
    with statements() as context:
        await anna.types("/othello d3")
    assert not any("beginnings" in statement for statement, _ in context)


async def test_a_partial_move_can_be_cancelled(table: Table, anna: Person, ben: Person) -> None:
    match = await table.begin(anna, ben, words="moyo")
    mover = anna if (await table.screen(match, anna)).my_turn else ben
    (cell, *_) = [c.step for c in (await table.screen(match)).choices if c.legal]
    for way in ("the cell again", "the button"):
        answer = await mover.clicks(match, cell)
        back = (
            buttons(answer)[mover.says("button-cancel")].action
            if way == "the button"
            else Action("step", match, 2, f"{cell}.{cell}")
        )
        screen = screen_of(await mover.presses(back))
        assert (screen.chosen, screen.in_place) == ((), True)
        assert cell in {choice.step for choice in screen.choices if choice.legal}
    assert await record(table, match) == []


async def test_nothing_is_played_that_was_not_clicked_as_a_whole(
    table: Table, anna: Person, match: int
) -> None:
    for steps in ("a1.d3", "d3.c4", "d3.d3.d3"):
        answer = await anna.presses(Action("step", match, 2, steps))
        assert answer != NOTHING
        assert answer.refused
        assert await record(table, match) == []
    rest = await anna.presses(Action("rest", match, 2, "d3"))
    assert said(rest) == anna.says("error-nothing-begun")


async def test_of_several_matches_the_answer_asks_which_and_the_button_plays(
    table: Table, anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    other = await table.begin(anna, cleo)
    question = await anna.types("/othello d3")
    assert said(question) == anna.says("which-match")
    by_match = {button.action.match: button for button in buttons(question).values()}
    assert set(by_match) == {match, other}
    assert all(f"#{number} " in by_match[number].label for number in by_match)
    # The button carries the move as it is written, and the version that was seen.
    for text in ("D3", "d 3", "d3.", "ｄ３"):
        asked = buttons(await anna.types(f"/othello {text}")).values()
        assert {(one.action.argument, one.action.version) for one in asked} == {("d3", 2)}
    assert await anna.presses(by_match[match]) == NOTHING
    assert said(await anna.presses(by_match[match])).startswith(anna.says("error-stale"))
    assert await record(table, match) == ["d3"]
    assert await record(table, other) == []
    # Now d3 can only be meant in the other one.
    assert await anna.types("/othello d3") == NOTHING
    assert await record(table, other) == ["d3"]


async def test_a_move_is_meant_where_it_is_ones_turn_and_in_private_in_a_match_of_there_first(
    table: Table, anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    await table.begin(anna, cleo, moves="d3")
    # Of a match in which others are on turn it is not said why it is no move there.
    for place in (table.lounge, anna.direct):
        refused = await anna.types("/othello a1", place=place)
        assert said(refused) == anna.says("othello-error-flips-nothing", square="a1")
        assert refused.about == match
    # In a private chat its own game is meant, even when the opponent is to move.
    assert await cleo.types("/othello @Anna first", place=cleo.direct) == NOTHING
    there = await table.newest(cleo.direct)
    assert await anna.types(f"/accept {there}", place=anna.direct) == NOTHING
    off_turn = await anna.types("/othello d3", place=anna.direct)
    assert (said(off_turn), off_turn.about) == (anna.says("error-not-your-turn"), there)
    assert await record(table, match) == []


async def test_a_move_names_its_match_by_the_number(
    table: Table, anna: Person, ben: Person, cleo: Person, *, match: int
) -> None:
    other = await table.begin(anna, cleo)
    assert await anna.types(f"/othello #{other} d3") == NOTHING
    assert await anna.types(f"/othello d3 #{match}.") == NOTHING
    assert await record(table, other) == await record(table, match) == ["d3"]
    # It is played as it was seen, and where one may.
    assert (await anna.types(f"/othello #{other} c3", seen={other: 2})).refused
    assert (await ben.types(f"/othello #{other} c3", place=ben.direct)).refused
    assert await record(table, other) == ["d3"]
    shown = await anna.types(f"/othello #{other}")
    assert not shown.refused


async def test_a_message_is_a_move_only_of_a_player_in_an_active_match(
    table: Table, anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    async def is_move(person: Person, text: str, match_id: int = match) -> bool:
        command = replace(await person.command(), match=match_id, move=text)
        return await table.commands.could_be_move(command)

    # Illegal moves count too, and moves of the opponent: the answer says why not.
    for text, could_be in (("d3", True), ("a1", True), ("k9", True), ("good luck", False)):
        assert await is_move(anna, text) is await is_move(ben, text) is could_be
        assert await is_move(ben, text, 0) is could_be
        assert not await is_move(cleo, text)
    # What is longer than any move is talk.
    assert [await is_move(anna, f"d{' ' * spaces}3") for spaces in (38, 39)] == [True, False]
    await anna.types("/othello @Ben reversi")
    assert not await is_move(anna, "d4", await table.newest())
    await table.given_up(match, anna)
    assert not await is_move(anna, "d3")
    assert not await is_move(anna, "d3", 0)


async def says_aloud(person: Person, text: str, *, match: int = 0, version: int = 0) -> Answer:
    """Type a move without a command, perhaps in answer to a board of this version."""
    command = replace(await person.command(), move=text, match=match, version=version)
    answer = await person.table.commands.run_text(command)
    assert answer is not None
    return answer


async def test_a_move_without_a_command_is_played_in_the_one_match_where_it_is_legal(
    table: Table, anna: Person, ben: Person, cleo: Person, match: int
) -> None:
    other = await table.begin(anna, cleo)
    await table.plays(match, "d3,c3")
    # Each of them once, so that it is not only the newer one, or the older one.
    assert await says_aloud(anna, "b3") == NOTHING
    assert await record(table, match) == ["d3", "c3", "b3"]
    await table.plays(match, "d2")
    assert await says_aloud(anna, "d3") == NOTHING
    assert await record(table, other) == ["d3"]
    assert said(await says_aloud(cleo, "d3")) == cleo.says("othello-error-occupied", square="d3")
    await table.plays(other, "c3")
    # Off turn everywhere it is a move all the same.
    assert said(await says_aloud(cleo, "c4")) == cleo.says("error-not-your-turn")
    # In none of them: it is said why not; in both: it is asked which.
    refused = await says_aloud(anna, "d4")
    assert (refused.refused, refused.about) == (True, other)
    assert said(refused) == anna.says("othello-error-occupied", square="d4")
    question = await says_aloud(anna, "c4")
    assert said(question) == anna.says("which-match")
    assert {button.action.match for button in buttons(question).values()} == {match, other}
    # In answer to a board it is meant there, as it was seen.
    assert said(await says_aloud(anna, "c4", match=match, version=3)) == anna.says("error-stale")
    assert await says_aloud(anna, "c4", match=match, version=6) == NOTHING
    assert await record(table, match) == ["d3", "c3", "b3", "d2", "c4"]


async def test_of_more_matches_than_are_looked_at_it_is_asked_rather_than_guessed(
    table: Table, anna: Person
) -> None:
    made = [await table.begin_alone(anna) for _ in range(11)]
    oldest, *_, one, newest = made

    def meant(answer: Answer) -> list[tuple[int, str]]:
        return [(one.action.match, one.action.verb) for one in buttons(answer).values()]

    which, more = anna.says("which-match"), anna.says("which-more", count=1)
    looked_at = made[:0:-1]
    every = await anna.types("/blackbox ask 1")
    assert said(every) == f"{which}\n{more}"
    assert meant(every) == [(match_id, "play") for match_id in looked_at]
    for match_id in looked_at[1:]:
        await table.plays(match_id, "ask 1")
    # Legal in one of those that were looked at, and perhaps in the one that was not.
    only = await anna.types("/blackbox ask 1")
    assert (said(only), meant(only)) == (f"{which}\n{more}", [(newest, "play")])
    await table.plays(newest, "ask 1")
    none = await anna.types("/blackbox ask 1")
    assert said(none) == f"{which}\n{more}"
    assert meant(none) == [(match_id, "board") for match_id in looked_at]
    # All of them are looked at once one less is on.
    await anna.presses(Action("resign", one, (await table.loaded(one)).match.version, "yes"))
    assert await anna.types("/blackbox ask 1") == NOTHING
    assert await record(table, oldest) == ["ask 1"]


async def test_without_an_active_match_a_move_is_distinguished_from_a_name(anna: Person) -> None:
    for line, key in (
        ("/othello pass", "error-no-match-here"),
        ("/othello d3", "error-no-match-here"),
        ("/blackbox ask somebody", "error-no-match-here"),
        ("/othello well pass", "error-name-no-move"),
        (f"/othello {'x' * 40}", "error-name-no-move"),
    ):
        called, _, text = line.partition(" ")
        names = {"game": anna.says(f"{called[1:]}-name")} if key == "error-no-match-here" else {}
        told = anna.says(key, name=text[:32], platform="web", command=called, **names)
        assert said(await anna.types(line)) == told
    for line in ("/resign", "/moves", "/board"):
        assert said(await anna.types(line)) == anna.says("error-no-match")
    assert said(await anna.types("/resign 5")) == anna.says("error-no-such-match", match=5)


async def test_matches_of_another_place_are_not_meant(
    table: Table, anna: Person, match: int
) -> None:
    garden = await table.channel("garden")
    answer = await anna.types("/othello d3", place=garden)
    assert said(answer) == anna.says("error-no-match-here", game="Othello", command="/othello")
    # In the direct conversation all of one's matches count.
    assert await anna.types("/othello d3", place=anna.direct) == NOTHING
    assert await record(table, match) == ["d3"]


async def test_a_board_is_shown_where_it_is_asked_for_by_spectators_where_it_is_already(
    table: Table, anna: Person, cleo: Person, match: int
) -> None:
    assert await anna.types(f"/board {match}", place=anna.direct) == NOTHING
    for line in ("/board", f"/board #{match}"):
        assert await cleo.types(line) == NOTHING
    await table.settle()
    assert {post.place for post in table.wall.of(match)} == {table.lounge.id, anna.direct.id}
    moves = await cleo.types("/moves")
    assert said(moves) == cleo.says("moves-none")
    assert moves == await cleo.types(f"/moves #{match}")
    await anna.types("/othello d3")
    await table.settle()
    assert {post.version for post in table.wall.of(match)} == {3}
    garden = await table.channel("garden")
    refused = cleo.says("error-no-such-match", match=match)
    for line in (f"/board {match}", f"/moves {match}"):
        assert said(await cleo.types(line, place=garden)) == refused
    assert said(await cleo.types("/board", place=garden)) == cleo.says("error-no-match")


async def test_a_waiting_challenge_is_shown_in_a_direct_chat(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await anna.starts("/othello @Ben")
    for person in (anna, ben):
        assert await person.types("/board", place=person.direct) == NOTHING
    await table.settle()
    shown = {post.place for post in table.wall.of(match_id)}
    assert shown == {table.lounge.id, anna.direct.id, ben.direct.id}
    assert said(await cleo.types("/board", place=cleo.direct)) == cleo.says("error-no-match")
    # Of several, the player chooses one, also one to a username.
    named = replace(await anna.command(), medium=Medium(usernames="[a-z]{3,32}"))
    assert await table.commands.run_line(named, "/sogo @dora") == NOTHING
    dora = await table.arrive("dora")
    await anna.types("/othello @dora")
    choice = buttons(await dora.types("/board", place=dora.direct))
    assert len(choice) == 2
    for button in choice.values():
        assert await dora.presses(button, place=dora.direct) == NOTHING


async def test_resigning_asks_once_more_also_off_turn(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    old = await ben.types("/resign")
    await table.plays(match, "d3,c3")
    answer = await ben.presses(buttons(old)["Ja, aufgeben"])
    assert said(answer).startswith(ben.says("error-stale"))
    assert said(await ben.types("/resign yes")) == ben.says("error-match-number", word="yes")
    question = await ben.types("/resign")
    assert said(question).startswith(ben.says("resign-sure", opponent="Anna"))
    assert (await table.loaded(match)).match.status is Status.RUNNING
    assert await ben.presses(buttons(question)["Ja, aufgeben"]) == NOTHING
    loaded = await table.loaded(match)
    assert loaded.match.status is Status.OVER
    assert loaded.match.outcome is not None
    assert (loaded.match.outcome.winners, loaded.match.outcome.reason) == (
        frozenset({0}),
        "resigned",
    )
    board = await table.screen(match, anna)
    assert "Anna wins: Ben resigned." in board.text
    assert board.over
    assert board.choices == ()
