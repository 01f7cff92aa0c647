"""Starting matches: menus, challenges, refusals."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import games
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Place, Status
from bot.domain.terms import Wishes
from bot.fronts.web.wire import StartFrame
from bot.store import boards, match_queries, places
from bot.support.errors import StoreError
from bot.support.platforms import Medium, SoloPlace
from tests.bot.table import NOTHING, Person, Table, buttons, said, screen_of


async def test_play_offers_each_game_once_with_the_computer_and_people_behind_it(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/othello computer 3")
    for person in (anna, ben):
        answer = await person.types("/play", place=await table.channel("garden"))
        names = {person.says(f"{game_id}-name"): game_id for game_id in games.ids()}
        assert buttons(answer).keys() == names.keys()
        assert [said(answer).count(name) for name in names] == [1] * len(names)
        for name, game_id in names.items():
            assert person.says(f"{game_id}-about") in said(answer)
            card = await person.presses(buttons(answer)[name])
            level = 3 if (person, game_id) == (anna, "othello") else 2
            computer = f"{person.says(f'computer-{level}')} 🤖"
            shown = buttons(card)
            computer_key = person.says("button-play-computer", name=computer)
            assert shown[computer_key].action.verb == "computer"
            assert shown[person.says("button-start-open")].action.verb == "start"
            assert person.says("start-against-computer", name=computer) in said(card)


async def test_a_game_of_the_menu_can_be_set_and_begun(
    table: Table, anna: Person, cleo: Person
) -> None:
    menu = await anna.types("/play")
    folded = await anna.presses(buttons(menu)["Othello"])
    # All that starts a match stands before the options, which are folded.
    ways = ["Play Hedgehog 🤖", "Open challenge", "Options", "Rules"]
    assert [*buttons(folded)] == ways
    game = await anna.presses(buttons(folded)["Options"])
    ways[2] = "Hide options"
    assert [*buttons(game)][:4] == ways
    assert await anna.presses(buttons(game)["Hide options"]) == folded
    other = await anna.presses(buttons(game)["Variant: Othello"])
    (option,) = [label for label in buttons(other) if label.startswith("Variant: Reversi")]
    assert await anna.presses(buttons(other)["Open challenge"]) == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert (match.game, match.options["rules"]) == ("othello", "reversi")
    assert (match.status, match.opponent) == (Status.PROPOSED, None)
    # Pressed round, the option is where it was.
    assert buttons(await anna.presses(buttons(other)[option])) == buttons(game)


async def test_every_term_is_a_key_of_the_card_and_disabled_where_it_can_do_nothing(
    table: Table, anna: Person
) -> None:
    card = await anna.presses(Action("options", argument="othello"))
    takebacks = buttons(card)["Takebacks: no"]
    assert not takebacks.is_disabled
    with_them = buttons(await anna.presses(takebacks))
    await anna.presses(with_them["Open challenge"])
    assert (await table.loaded(await table.newest())).match.terms.has_takebacks
    # Unrated games have takebacks anyway.
    for key in ("Rated: yes", "Hints (unrated): no"):
        casual = buttons(await anna.presses(buttons(card)[key]))
        assert casual["Takebacks: yes"].is_disabled
        assert "Rated: no" in casual
    await anna.presses(casual["Open challenge"])
    assert (await table.loaded(await table.newest())).match.terms.has_hints


async def test_a_solo_game_can_be_played_alone_or_together_from_its_card(
    table: Table, anna: Person
) -> None:
    card = buttons(await anna.types("/blackbox"))
    assert [*card][:3] == ["Play alone", "Play Hedgehog 🤖", "Open challenge"]
    seats = []
    for key in [*card][:3]:
        assert await anna.presses(card[key]) == NOTHING
        loaded = await table.loaded(await table.newest())
        seats.append(loaded.game.seats(loaded.match.options))
    assert seats == [1, 2, 2]


async def test_a_medium_that_can_choose_users_has_them_on_the_card(
    table: Table, anna: Person, ben: Person
) -> None:
    for game_id in ("othello", "blackbox"):
        command = replace(await anna.command(), medium=Medium(picks_users=True))
        answer = screen_of(await table.commands.run_line(command, f"/{game_id}"))
        assert answer.users is not None
        assert answer.users.label == "Challenge …"
        chosen = replace(command, person=await ben.user())
        assert await table.commands.run_button(chosen, answer.users.action) == NOTHING
        match = (await table.loaded(await table.newest())).match
        assert (match.game, match.challenger, match.opponent) == (game_id, anna.id, ben.id)
        alone = replace(command, person=await anna.user())
        refused = await table.commands.run_button(alone, answer.users.action)
        assert said(refused) == anna.says("error-challenge-self")
    assert screen_of(await anna.types("/othello", place=anna.direct)).users is None


async def test_a_start_card_says_all_that_can_be_chosen(anna: Person) -> None:
    for game_id in games.ids():
        card, game = screen_of(await anna.types(f"/play {game_id}")).start, games.get(game_id)
        assert card is not None
        usual = game.options_from({})
        assert {field.name: field.chosen for field in card.options} == usual
        for field, option in zip(card.options, game.options, strict=True):
            assert sorted(value for value, _ in field.choices) == sorted(option.choices)
        assert [value for value, _ in card.side.choices] == ["", "0", "1"]
        for values in product(*(option.choices for option in game.options)):
            options = dict(zip(usual, values, strict=True))
            assert (values in card.alone) == (game.seats(options) == 1)


async def test_a_start_card_offers_who_is_here_but_oneself(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    table.app.open_pages.update([anna.id, cleo.id])
    for line, anybody in (("/play othello", "anybody"), ("/othello", "anybody")):
        answer = screen_of(await anna.types(line))
        assert answer.start is not None
        assert answer.start.whom.choices == (
            ("", anna.says(f"start-whom-{anybody}")),
            ("Cleo", "Cleo"),
        )
    # People of other platforms cannot be challenged here.
    there = await table.arrive("Dora", platform="discord")
    table.app.open_pages.update([there.id])
    answer = screen_of(await anna.types("/play othello", place=anna.direct))
    assert answer.start is not None
    assert [name for name, _ in answer.start.whom.choices] == ["", "Cleo"]
    assert answer.start.whom.choices[0][1] == anna.says("start-whom-code")


async def fills(person: Person, game: str, **chosen: Any) -> Answer:
    """Send a start card as the web app does."""
    card = StartFrame(id=1, t="start", room="lounge", game=game, **chosen)
    return await person.types(card.line, whom=card.whom)


async def test_a_start_card_challenges_whom_it_names_or_starts_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    chosen: dict[str, Any] = {"options": {"rules": "reversi"}, "side": 1, "whom": "ben"}
    assert await fills(anna, "othello", **chosen) == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert (match.opponent, match.preferred_seat) == (ben.id, 1)
    assert match.options["rules"] == "reversi"
    assert await fills(anna, "sogo", side=0) == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert match.preferred_seat == 0
    assert (match.game, match.opponent, match.status) == ("sogo", None, Status.PROPOSED)
    assert await fills(anna, "blackbox", options={"stones": "3"}) == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert (match.status, match.seats) == (Status.RUNNING, (anna.id,))
    assert match.options["stones"] == "3"


@pytest.mark.parametrize(
    ("other", "chosen"),
    [
        ("Ben first", {"side": 0}),
        ("Ben unrated", {"wishes": Wishes(is_unrated=True)}),
        ("Ben rules=reversi", {"options": {"rules": "reversi"}}),
        ("Ben #1", {}),
    ],
)
async def test_a_start_card_challenges_nobody_whose_name_goes_on_with_its_terms(
    table: Table, anna: Person, ben: Person, other: str, chosen: dict[str, Any]
) -> None:
    there = await table.arrive(other)
    for name, person in (("Ben", ben), (other, there)):
        assert await fills(anna, "othello", whom=name, **chosen) == NOTHING
        assert (await table.loaded(await table.newest())).match.opponent == person.id


@pytest.mark.usefixtures("ben")
async def test_a_start_card_that_was_not_offered_starts_no_game(table: Table, anna: Person) -> None:
    cards: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("othello", {"whom": "Nobody"}, "a player called “Nobody”"),
        ("othello", {"whom": "Ben and more"}, "a player called “Ben and more”"),
        # Nor a game with Ben.
        ("othello", {"whom": "Ben first"}, "a player called “Ben first”"),
        ("othello", {"whom": "Anna"}, "You cannot challenge yourself"),
        ("othello", {"whom": "x" * 201}, "That is too long"),
        ("othello", {"options": {"rules": "chess"}}, "“chess” is not possible for “Variant”"),
        ("othello", {"options": {"size": "9"}}, "There is no option “size”"),
        ("blackbox", {"whom": "Ben", "options": {"mode": "solo"}}, "is a solo game with"),
        ("", {}, "I do not know /"),
        ("chess", {}, "I do not know /chess."),
    )
    for game, chosen, why in cards:
        answer = await fills(anna, game, **chosen)
        assert answer.refused
        assert why in said(answer)
    every = await match_queries.in_place(table.app.store, table.lounge.id, status=Status)
    assert every == []


async def test_every_option_of_every_game_can_be_pressed_round(anna: Person) -> None:
    for game_id in games.ids():
        first = await anna.presses(Action("options", argument=game_id))
        for at, option in enumerate(games.get(game_id).options):
            answer, seen = first, []
            for _ in option.choices:
                keys = [key for row in screen_of(answer).rows for key in row if ": " in key.label]
                seen.append(keys[at].label)
                answer = await anna.presses(keys[at])
            assert answer == first
            assert len(set(seen)) == len(option.choices)


async def test_a_challenge_is_accepted_and_starts(table: Table, anna: Person, ben: Person) -> None:
    for line in (
        "/challenge @Ben othello",
        "/challenge othello @ben",
        "/othello @BEN",
        "/othello new @Ben",
    ):
        assert await anna.types(line) == NOTHING
        match = (await table.loaded(await table.newest())).match
        assert (match.game, match.challenger, match.opponent) == ("othello", anna.id, ben.id)
        board = await table.screen(match.id, ben)
        assert "Anna" in board.title
        assert "Ben" in board.title
        assert await table.status(match.id) is Status.PROPOSED
        assert await ben.presses(buttons(board)["Annehmen"]) == NOTHING
        match = (await table.loaded(match.id)).match
        assert match.status is Status.RUNNING
        assert set(match.seats) == {anna.id, ben.id}
        assert match.expires is None


async def test_a_challenge_without_a_game_asks_which(
    table: Table, anna: Person, ben: Person
) -> None:
    answer = await anna.types("/challenge @Ben")
    assert set(buttons(answer)) == {anna.says(f"{game}-name") for game in games.ids()}
    assert await anna.presses(buttons(answer)["Othello"]) == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert (match.game, match.opponent) == ("othello", ben.id)
    # Without a name it is an open challenge.
    answer = await anna.types("/challenge")
    assert said(answer) == anna.says("challenge-which-game")
    assert await anna.presses(buttons(answer)["Sogo"]) == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert (match.game, match.opponent, match.status) == ("sogo", None, Status.PROPOSED)


async def test_a_challenge_that_is_made_again_is_the_old_one_shown_again(
    table: Table, anna: Person, ben: Person
) -> None:
    for line, place in (
        ("/othello @Ben", table.lounge),
        ("/sogo new", table.lounge),
        ("/sogo new", anna.direct),
    ):
        assert await anna.types(line, place=place) == NOTHING
        await table.settle()
        match_id = await table.newest(place)
        old, _ = table.wall.posts.popitem()
        told = len(table.wall.told)
        assert await anna.types(line, place=place) == NOTHING
        await table.settle()
        assert await table.newest(place) == match_id
        new, post = table.wall.posts.popitem()
        assert new != old
        assert post.match == match_id
        # The opponent is not notified again.
        assert len(table.wall.told) == told


async def test_no_menu_is_shown_where_nothing_can_be_begun(
    table: Table, anna: Person, ben: Person
) -> None:
    named = replace(await anna.command(), medium=Medium(usernames="[a-z]{5,32}"))
    typed, lines = table.commands.run_line, ("/play", "/play sogo", "/sogo", "/challenge @Ben")
    assert said(await typed(named, "/challenge @somebody")) == anna.says(
        "error-challenge-name-game",
        name="somebody",
        games=", ".join(sorted(anna.says(f"{game_id}-name") for game_id in games.ids())),
    )
    for rules, key, every in (
        ({"threads": "only"}, "error-threads-only", (*lines, "/puzzle", "/challenge @somebody")),
        ({"threads": "off", "begin": "managers"}, "error-begin-managers", lines),
    ):
        await places.change_place(table.app.store, table.lounge.id, settings=rules)
        for line in every:
            assert said(await typed(named, line)) == anna.says(key), line


async def test_a_game_for_one_or_two_is_for_two_where_somebody_is_asked(
    table: Table, anna: Person, ben: Person
) -> None:
    alone = anna.says("error-challenge-alone", game="Black Box")
    assert said(await anna.types("/blackbox @Ben solo")) == alone
    assert await anna.types("/blackbox @Ben size=6 stones=3") == NOTHING
    match = (await table.loaded(await table.newest())).match
    assert (match.opponent, match.status) == (ben.id, Status.PROPOSED)
    options = {"mode": "hide", "size": "6", "stones": "3", "fair": "yes"}
    assert match.options == options
    # Two play together, or one in private: nothing else is asked for by a button.
    for argument in ("othello", "blackbox.1.0.0.0", "", "~0"):
        answer = await anna.presses(Action("apart", argument=argument), place=anna.direct)
        assert said(answer) == anna.says("error-button-unknown")
    assert await table.newest() == match.id


async def test_a_value_that_an_option_does_not_have_is_answered_with_those_it_has(
    anna: Person,
) -> None:
    long = "x" * 40
    told = anna.says("error-unknown-option", option=long[:32], options="…").partition("…")[0]
    assert said(await anna.types(f"/sogo new {long}=5")).startswith(told)
    size = anna.says("sogo-option-size")
    told = anna.says("error-unknown-choice", value=long[:32], option=size, choices="3, 4, 5")
    assert said(await anna.types(f"/sogo new size={long}")) == told
    # Numbers by their size, and what could be two things.
    size = anna.says("blackbox-option-size")
    told = anna.says("error-unknown-choice", value="7", option=size, choices="5, 6, 8, 10")
    assert said(await anna.types("/blackbox new size=7")) == told
    told = anna.says("error-option-ambiguous", word="5", options="…").partition("…")[0]
    assert said(await anna.types("/blackbox new 5")).startswith(told)


async def test_where_the_lot_decides_who_begins_a_wished_side_and_the_rules_say_so(
    table: Table, anna: Person
) -> None:
    for word in ("first", "light"):
        assert await anna.types(f"/moyo new {word}") == NOTHING
        board = await table.screen(await table.newest(), anna)
        assert "Anna would play Light. The first player is chosen at random." in board.text
        await anna.types("/decline")
    assert "The first player is chosen at random." in said(await anna.types("/rules moyo"))


async def test_a_challenge_in_the_direct_conversation_reaches_the_other(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await anna.types("/othello @Ben", place=anna.direct) == NOTHING
    match_id = await table.newest(anna.direct)
    await table.settle()
    assert {post.place for post in table.wall.of(match_id)} == {anna.direct.id, ben.direct.id}
    # Only the direct chat shows the challenge.
    told = [(place, [one.name for one in notice.recipients]) for place, notice in table.wall.told]
    assert told == [(ben.direct.id, ["Ben"])]


@pytest.mark.parametrize("solo", SoloPlace)
async def test_alone_one_plays_here_or_in_private_or_is_asked_where(
    table: Table, anna: Person, solo: SoloPlace
) -> None:
    async def types(line: str, place: Place) -> Answer:
        command = replace(await anna.command(place), medium=Medium(solo=solo))
        return await table.commands.run_line(command, line)

    async def begun(place: Place) -> list[int]:
        return await match_queries.in_place(table.app.store, place.id, status=Status)

    answer, private = await types("/blackbox new size=5", table.lounge), anna.direct
    if solo is SoloPlace.ASK:
        assert said(answer) == anna.says("start-where")
        assert await begun(table.lounge) == await begun(private) == []
        here, apart = buttons(answer).values()
        assert await anna.presses(here) == NOTHING
        assert len(await begun(table.lounge)) == 1
        answer = await anna.presses(apart)
    where = table.lounge if solo is SoloPlace.HERE else private
    match_id, *others = await begun(where)
    assert others == []
    assert answer == (NOTHING if where == table.lounge else Answer(board_in_dm=match_id))
    match = (await table.loaded(match_id)).match
    assert (match.options["size"], match.place_id) == ("5", where.id)
    # As long as nothing has happened in it, it is that one which is shown again.
    await table.settle()
    shown = len(table.wall.shown)
    for _ in range(2):
        await types("/blackbox new size=5", where)
        assert await begun(where) == [match_id]
    await table.settle()
    assert len(table.wall.shown) > shown
    # Another kind of it is another one.
    await types("/blackbox new size=6", where)
    assert len(await begun(where)) == 2


OFFERED, NAMED, GAMES = "what is offered", "what the option is called", "the games"
"""Answers in the player's language"""

UNKNOWN: dict[str, str | int] = {"word": "Ian", "games": GAMES, "command": "/challenge"}

REFUSED: tuple[tuple[str, str, dict[str, str | int]], ...] = (
    ("/othello @Anna", "error-challenge-self", {}),
    ("/othello @nobody", "error-unknown-person", {"name": "nobody", "platform": "web"}),
    ("/challenge @nobody", "error-unknown-person", {"name": "nobody", "platform": "web"}),
    ("/othello @.", "error-unknown-person", {"name": "", "platform": "web"}),
    ("/stats @", "error-unknown-person", {"name": "", "platform": "web"}),
    ("/othello @", "error-name-no-move", {"name": "@", "platform": "web", "command": "/othello"}),
    ("/accept", "error-no-challenge", {}),
    ("/decline", "error-no-challenge", {}),
    ("/accept 99", "error-no-such-match", {"match": 99}),
    ("/decline #99", "error-no-such-match", {"match": 99}),
    ("/othello @Ben blue", "error-option-unknown", {"word": "blue", "options": OFFERED}),
    ("/othello @Ben size=5", "error-unknown-option", {"option": "size", "options": OFFERED}),
    (
        "/othello @Ben rules=checkers",
        "error-unknown-choice",
        {"option": NAMED, "value": "checkers", "choices": "othello, reversi"},
    ),
    ("/play chess", "error-unknown-game", {"word": "chess", "games": GAMES}),
    ("/challenge Ian", "error-unknown-opponent", UNKNOWN),
    ("/challenge Ian othello white", "error-unknown-opponent", UNKNOWN),
    ("/challenge othello Ian white", "error-option-or-name", {"word": "Ian", "options": OFFERED}),
    ("/challenge @Ben chess", "error-unknown-game", {"word": "chess", "games": GAMES}),
)


async def test_what_cannot_be_started_is_refused_with_the_reason(table: Table, ben: Person) -> None:
    words = {
        OFFERED: {
            "en": "variant=othello, variant=reversi · black, white · clock=3d, clock=10m+5s"
            " · unrated · takebacks · hints",
            "de": "variante=othello, variante=reversi · schwarz, weiß · uhr=3t, uhr=10m+5s"
            " · ungewertet · rücknahme · tipps",
        },
        NAMED: {"en": "Variant", "de": "Variante"},
        "/challenge": {"de": "/herausfordern"},
    }
    for language, name in (("en", "Anna"), ("de", "Antje")):
        person = await table.arrive(name, locale=language)
        words[GAMES] = {
            language: ", ".join(sorted(person.says(f"{one}-name") for one in games.ids()))
        }
        for line, key, details in REFUSED:
            told = {
                field: words.get(str(detail), {}).get(language, detail)
                for field, detail in details.items()
            }
            answer = said(await person.types(line.replace("Anna", name)))
            assert answer == person.says(key, **told), line


async def test_challenges_that_wait_for_an_answer_are_limited(
    table: Table, anna: Person, ben: Person
) -> None:
    table.configure("play", open_challenges_per_person=3)
    for choice in ("othello", "reversi"):
        await anna.types(f"/othello @Ben {choice}")
    assert await anna.types("/othello new") == NOTHING
    garden = await table.channel("garden")
    answer = await anna.types("/othello new", place=garden)
    assert said(answer) == anna.says("error-too-many-challenges", count=3)
    await anna.presses(Action("withdraw", await table.newest(), 1))
    assert await anna.types("/othello new", place=garden) == NOTHING


async def test_a_challenge_in_private_that_was_cut_short_is_brought_when_it_is_asked_again(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(boards, "add", full)
        assert (await anna.types("/othello @Ben", place=anna.direct)).refused
    assert await anna.types("/othello @Ben", place=anna.direct) == Answer()
    await table.settle()
    assert {post.place for post in table.wall.posts.values()} == {anna.direct.id, ben.direct.id}


async def test_a_challenge_in_private_that_is_made_again_is_shown_again_to_the_challenger_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    shown: list[dict[int, str]] = []
    for _ in range(2):
        assert await anna.types("/othello @Ben", place=anna.direct) == Answer()
        await table.settle()
        shown.append({post.place: message for message, post in table.wall.posts.items()})
    first, second = shown
    assert second[ben.direct.id] == first[ben.direct.id]
    assert second[anna.direct.id] != first[anna.direct.id]


async def test_a_game_with_the_user_at_the_same_keyboard_starts_at_once_and_unrated(
    table: Table, anna: Person, ben: Person
) -> None:
    for line in ("/othello @Ben", "/othello new", "/rematch"):
        command = replace(await anna.command(anna.direct), beside=await ben.user())
        await table.commands.run_line(command, line)
        loaded = await table.loaded(number := await table.newest(anna.direct))
        assert loaded.match.status is Status.RUNNING
        assert {*loaded.match.seats} == {anna.id, ben.id}
        assert loaded.match.terms.rated is None
        shown = await boards.of_match(table.app.store, number)
        assert {board.place_id for board in shown} == {anna.direct.id, ben.direct.id}
        await table.given_up(number, ben)


async def test_the_start_menu_offers_the_user_at_the_same_keyboard_and_no_rating(
    anna: Person, ben: Person
) -> None:
    command = replace(await anna.command(anna.direct), beside=await ben.user())
    menu = await anna.table.commands.run_line(command, "/play othello")
    assert [*buttons(menu)][:2] == ["Play Hedgehog 🤖", "Play Ben"]
    options = await anna.table.commands.run_button(command, buttons(menu)["Options"].action)
    assert not [label for label in buttons(options) if label.startswith("Rated")]
