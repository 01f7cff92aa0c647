"""Matches against the computer: starting, moves, offers, results."""

from random import Random

import pytest

import games
from bot.commands import Answer
from bot.commands.resolving import for_two
from bot.domain.actions import Action
from bot.domain.model import Computer, Ending, EndingKind, OfferKind, OfferState, Status
from bot.engines.tasks import Choose, Task
from bot.engines.workers import Workers
from bot.matches import offers, playing
from bot.store import match_queries, work
from bot.store.work import Taken
from games import computer
from games.computer import LEVELS
from tests.bot.table import Person, Table, buttons, said
from tests.sampling import sampled


async def begun(table: Table, anna: Person, line: str) -> int:
    assert await anna.types(line) == Answer(), line
    return await table.newest()


async def test_a_player_with_the_name_of_a_computer_in_theirs_is_meant_behind_an_at(
    table: Table, anna: Person
) -> None:
    for name in ("Night Owl", "Mr. Fox", "Cleo [AI]"):
        person = await table.arrive(name)
        for line in (f"/othello @{name} reversi", f"/challenge othello @{name} reversi"):
            match = (await table.loaded(await begun(table, anna, line))).match
            assert (match.opponent, match.options["rules"]) == (person.id, "reversi"), line
            await anna.types(f"/withdraw {match.id}")


async def test_a_computer_is_challenged_in_many_words(table: Table, anna: Person) -> None:
    match = (await table.loaded(await begun(table, anna, "/othello computer 1 black"))).match
    assert (match.status, match.seats) == (Status.RUNNING, (anna.id, Computer(1)))
    assert match.terms.rated is None
    # Asked for twice, it is started once.
    assert await begun(table, anna, "/othello computer 1 black") == match.id
    assert await begun(table, anna, "/othello computer 2 black") != match.id
    for line, level in (
        ("/othello computer", 2),
        ("/othello @azumaya", 2),
        ("/othello computer 4", 4),
        ("/othello new computer=5", 5),
        ("/othello level=3", 3),
        ("/othello computer fox", 4),
        ("/othello ki fuchs", 4),
        ("/othello fox", 4),
        ("/othello computer level 3", 3),
        ("/othello Computer EULE reversi", 5),
        ("/othello @computer 3", 3),
        ("/challenge computer 3 othello", 3),
        ("/othello @Owl", 5),
        ("/othello @Eule 🤖 reversi", 5),
        ("/challenge @Fox othello", 4),
        ("/challenge Fuchs 🤖 othello", 4),
    ):
        match = (await table.loaded(await begun(table, anna, line))).match
        assert Computer(level) in match.seats, line
        await playing.end(table.app.matches, match.id, Ending(EndingKind.CALLED_OFF))
    # Without a game, the answer asks for one.
    assert buttons(await anna.types("/challenge @azumaya")).keys() >= {"Othello"}
    answer = await anna.types("/challenge Eule")
    assert await anna.presses(buttons(answer)["Sogo"]) == Answer()
    assert Computer(5) in (await table.loaded(await table.newest())).match.seats


async def test_a_button_chooses_the_level_and_keeps_what_else_was_chosen(
    table: Table, anna: Person
) -> None:
    card = await anna.presses(Action("options", argument="othello.1"))
    card = await anna.presses(buttons(card)["Level 2 of 5"])
    assert await anna.presses(buttons(card)["Play Squirrel 🤖"]) == Answer()
    match = (await table.loaded(await table.newest())).match
    assert (match.level, match.options) == (3, {"rules": "reversi"})


async def test_the_level_that_was_played_last_is_the_default(table: Table, anna: Person) -> None:
    over = await begun(table, anna, "/othello computer 4")
    await playing.end(table.app.matches, over, Ending(EndingKind.AGREED))
    assert (await table.loaded(await begun(table, anna, "/othello computer"))).match.level == 4
    assert (await table.loaded(await begun(table, anna, "/sogo computer"))).match.level == 2


async def test_whoever_asks_for_the_same_later_is_asked_whether_it_is_to_be_another_one(
    table: Table, anna: Person
) -> None:
    first = await begun(table, anna, "/othello computer 3 black")
    table.clock.forward(60)
    answer = await anna.types("/othello computer 3 black")
    assert said(answer) == anna.says("computer-waits")
    assert await table.newest() == first
    # The same board again, or a second match beside it, with the same terms.
    assert await anna.presses(buttons(answer)["Continue"]) == Answer()
    assert await table.newest() == first
    for _ in range(2):
        assert await anna.presses(buttons(answer)["Start another"]) == Answer()
    match = (await table.loaded(await table.newest())).match
    assert (match.id, match.seats) == (first + 1, (anna.id, Computer(3)))
    await anna.types(f"/othello d3 #{match.id}")
    assert await table.newest() == first + 1


async def test_a_person_who_is_called_like_a_level_is_a_person(table: Table, anna: Person) -> None:
    owl = await table.arrive("Owl")
    await anna.types("/othello @Owl")
    assert (await table.loaded(await table.newest())).match.opponent == owl.id


async def test_help_tells_of_the_computer_in_any_language(table: Table, anna: Person) -> None:
    for word in ("computer", "/ki", "eule"):
        answer = await anna.types(f"/help {word}")
        assert "/blackbox computer 3." in said(answer)
        assert said(answer).count("🤖") == 5
        assert await anna.completes("/help comp") == ["/help computer"]
        assert buttons(answer)["Sogo"].action == Action("menu", argument="sogo")


async def test_who_plays_black_box_against_it_first_looks_for_its_stones(
    table: Table, anna: Person
) -> None:
    match_id = await begun(table, anna, "/blackbox computer 2")
    assert (await table.loaded(match_id)).match.seats == (anna.id, Computer(2))
    board = await table.screen(match_id, anna)
    told = "Hedgehog 🤖 hides 5 stones for Anna to find, then they swap"
    assert told in board.text
    hiding = await table.screen(await begun(table, anna, "/blackbox computer second"), anna, seat=1)
    assert "Hide 5 stones for Hedgehog 🤖 to find, then you swap." in hiding.text


async def test_a_level_or_clock_that_does_not_exist_starts_no_game(
    table: Table, anna: Person
) -> None:
    for line, key in (
        ("/othello computer 6", "error-unknown-level"),
        ("/othello level=0", "error-unknown-level"),
        ("/othello computer -1", "error-unknown-level"),
        ("/othello computer 2.5", "error-unknown-level"),
        ("/othello computer=owlet", "error-unknown-level"),
        ("/othello computer 3d", "error-clock-computer"),
    ):
        answer = await anna.types(line)
        assert answer.refused
        word = line.rpartition(" ")[2].rpartition("=")[2]
        assert said(answer) == anna.says(key, level=word, most=5), line
    for level in ("k0", "k6", "k", "kx"):
        answer = await anna.presses(Action("computer", argument=f"othello.0.{level}"))
        assert said(answer) == anna.says("error-button-unknown")
    assert await match_queries.in_place(table.app.store, table.lounge.id, status=Status) == []


async def test_a_house_without_computers_says_so(table: Table, anna: Person) -> None:
    table.configure("computer", enabled=False)
    assert said(await anna.types("/othello computer")) == anna.says("error-no-computer")
    assert not any("🤖" in name for name in buttons(await anna.types("/othello")))


@pytest.mark.both
async def test_where_nobody_thinks_nothing_is_begun_until_another_process_is_there_that_does(
    table: Table, anna: Person
) -> None:
    table.app.engines = Workers(0)
    is_shared = table.app.store.is_shared
    key = "error-computer-away" if is_shared else "error-no-computer"
    assert said(await anna.types("/othello computer")) == anna.says(key)
    assert any("🤖" in name for name in buttons(await anna.types("/othello"))) == is_shared
    await work.note_presence(table.app.store)
    assert (await anna.types("/othello computer")).refused != is_shared
    table.clock.forward(work.SECONDS - 1)
    assert (await anna.types("/othello computer 2")).refused != is_shared
    # The process has died: others claim its work, and new work avoids it.
    table.clock.forward(1)
    assert said(await anna.types("/othello computer 4")) == anna.says(key)


@pytest.mark.parametrize("game_id", sampled(games.ids(), "othello"))
async def test_whole_games_are_played_against_the_computer(
    table: Table, anna: Person, game_id: str
) -> None:
    game = games.get(game_id)
    options = for_two(game, {})
    if not computer.engine(game_id).can_play(options):
        pytest.skip("the computer does not play it")
    match_id = await begun(table, anna, f"/{game_id} computer 1")
    luck = Random(1)
    for _ in range(400):
        await table.settle()
        loaded = await table.loaded(match_id)
        seat = loaded.match.seat_of(anna.id)
        if loaded.match.status is not Status.RUNNING:
            break
        assert seat is not None
        assert seat in loaded.turn
        if game_id == "othello":
            move = luck.choice(loaded.position.moves(seat))
        else:
            # Random moves would go on for too long.
            player = computer.engine(game_id)
            move = player.choose(loaded.view(seat), seat, level=1, rng=table.app.matches.rng)
        await playing.play(table.app.matches, match_id, anna.id, game.notation(move), sure=True)
    loaded = await table.loaded(match_id)
    assert loaded.match.ending is not None
    assert loaded.match.ending.kind is EndingKind.RULES


async def test_a_board_says_which_computer_thinks_and_no_one_plays_for_it(
    table: Table, anna: Person
) -> None:
    ben = await table.arrive("Ben")
    match_id = await begun(table, anna, "/othello computer 3 white")
    screen = await table.screen(match_id, anna)
    assert screen.text.startswith("Squirrel 🤖 is thinking …")
    assert screen.title == "Othello · Squirrel 🤖 ⚫ – ⚪ Anna"
    version = (await table.loaded(match_id)).match.version
    for person in (anna, ben):
        answer = await person.presses(Action("play", match_id, version, "d3"))
        assert answer.refused


async def test_a_match_that_has_long_begun_it_plays_on_with(table: Table, anna: Person) -> None:
    match_id = await begun(table, anna, "/othello computer black")
    for _ in range(3):
        move = (await table.loaded(match_id)).position.moves(0)[0]
        text = games.get("othello").notation(move)
        await playing.play(table.app.matches, match_id, anna.id, text, sure=True)
        await table.settle()
    await offers.offer(table.app.matches, match_id, anna.id, OfferKind.ABORT)
    await table.settle()
    match = (await table.loaded(match_id)).match
    assert (match.status, match.offers[-1].state) == (Status.RUNNING, OfferState.DECLINED)


async def test_its_turn_outlives_the_process(table: Table, anna: Person) -> None:
    match_id = await begun(table, anna, "/othello computer 2 white")
    assert await work.claim(table.app.store, limit=5) == [Taken(match_id, 1, anna.id)]
    await table.restart()
    await table.settle()
    assert (await table.loaded(match_id)).match.plies == ()
    table.clock.forward(work.SECONDS)
    await table.settle()
    assert len((await table.loaded(match_id)).match.plies) == 1


async def test_it_counts_in_statistics_of_its_own(table: Table, anna: Person) -> None:
    await table.given_up(await begun(table, anna, "/othello computer 3"), anna)
    text = said(await anna.types("/stats"))
    line = anna.says(
        "stats-computer", game="Othello", name="Squirrel 🤖", wins=0, draws=0, losses=1
    )
    assert line in text
    assert "Rating" not in text
    assert anna.says("stats-versus", game="Othello", wins=0, draws=0, losses=1, rate=0) not in text
    assert "Anna" not in said(await anna.types("/leaderboard othello"))


async def test_another_match_changes_sides_and_who_has_lost_can_go_down(
    table: Table, anna: Person
) -> None:
    match_id = await begun(table, anna, "/othello computer 4 black")
    await table.given_up(match_id, anna)
    shown = buttons(await table.screen(match_id, anna))
    assert await anna.presses(shown["Rematch"]) == Answer()
    assert (await table.loaded(await table.newest())).match.seats == (Computer(4), anna.id)
    assert await anna.presses(shown["Lower level: Squirrel"]) == Answer()
    assert (await table.loaded(await table.newest())).match.seats == (Computer(3), anna.id)


async def test_the_end_of_a_game_offers_a_higher_level_to_who_has_not_lost(
    table: Table, anna: Person
) -> None:
    for level, ending, offered in (
        (1, EndingKind.AGREED, ["Higher level: Hedgehog"]),
        (4, EndingKind.AGREED, ["Higher level: Owl"]),
        (LEVELS, EndingKind.AGREED, []),
        (2, EndingKind.CALLED_OFF, []),
    ):
        match_id = await begun(table, anna, f"/othello computer {level}")
        await playing.end(table.app.matches, match_id, Ending(ending))
        shown = buttons(await table.screen(match_id, anna))
        assert "Rematch" in shown
        assert [name for name in shown if "level" in name] == offered
    # A player who has lost is offered a lower one, except at the first level.
    for level, offered in ((1, []), (2, ["Lower level: Snail"])):
        match_id = await begun(table, anna, f"/othello computer {level} black")
        await anna.types("/othello d3")
        await table.settle()
        await table.given_up(match_id, anna)
        shown = buttons(await table.screen(match_id, anna))
        assert [name for name in shown if "level" in name] == offered


async def test_what_somebody_offers_while_it_thinks_is_answered_first(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await begun(table, anna, "/othello computer black")
    await anna.types("/othello d3")
    think = table.app.engines.do

    async def slowly(task: Task[object]) -> object:
        if isinstance(task, Choose) and not (await table.loaded(match_id)).match.offers:
            assert await anna.types("/takeback") == Answer()
        return await think(task)

    monkeypatch.setattr(table.app.engines, "do", slowly)
    await table.settle()
    match = (await table.loaded(match_id)).match
    assert match.offers[0].state is OfferState.ACCEPTED
    assert (match.plies, match.taken_back) == ((), 1)
    assert said(await anna.types("/clock 3d")) == anna.says("error-clock-computer")
