"""``/share``: who can share which game, whose names are shown, and who can take it back."""

import re

import pytest

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Computer
from bot.matches import sharing
from bot.matches.erasing import erase
from bot.screens import Reader
from bot.store import match_queries, shares
from bot.support.settings import all_settings
from bot.support.texts import Texts
from games.computer import LEVELS
from tests.bot.posed import pose, puzzle
from tests.bot.table import Person, Table, Thinking, buttons, said, screen_of

HOUSE = "https://play.example.org/azumaya"


def publish(table: Table, **web: object) -> None:
    """Give the app a public address."""
    play = table.settings.play.model_dump()
    settings = {"database": table.settings.database, "play": play}
    table.app.settings = all_settings().model_validate(
        settings | {"web": {"port": 0, "public_url": f"{HOUSE}/", **web}}
    )


@pytest.fixture(autouse=True)
def _published(table: Table) -> None:
    publish(table)


def code_in(answer: Answer) -> str:
    found = re.search(rf"{HOUSE}/s/([\w-]+)(?=\n|$)", said(answer))
    assert found, said(answer)
    return found[1]


async def over(table: Table, one: Person, other: Person) -> int:
    match_id = await table.begin(one, other)
    await table.given_up(match_id, other)
    return match_id


async def names(table: Table, code: str) -> list[str]:
    """Return what the players are called on the page."""
    shared, texts = await sharing.shared(table.app.matches, code), Texts("en")
    called = await shared.names(table.app.names, texts)
    return [called[who] for who in shared.loaded.match.seats]


async def test_both_players_get_the_same_address_which_proves_nothing_else(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await over(table, anna, ben)
    shown = await anna.types("/share")
    assert screen_of(await anna.presses(buttons(shown)["As a file"])).file
    code = code_in(shown)
    assert code_in(await ben.types(f"/teilen {match_id}")) == code
    assert code_in(await ben.types("/teilen othello")) == code
    assert len(code) == 22
    match = (await table.loaded(match_id)).match
    for wrong in (match.code, str(match_id), "", code[:-1], code.swapcase()):
        with pytest.raises(Refused, match="no-such-code"):
            await sharing.shared(table.app.matches, wrong)
    # A log line that shows the share would let its readers in.
    assert code not in repr(await shares.of(table.app.store, match_id))


async def test_names_are_shown_only_while_both_players_agree(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await over(table, anna, ben)
    shown = await anna.types("/share")
    code = code_in(shown)
    assert await names(table, code) == ["Black", "White"]
    shown = await anna.presses(buttons(shown)["Show my name"])
    assert anna.says("share-waits") in said(shown)
    assert await names(table, code) == ["Black", "White"]
    agreed = await ben.presses(Action("share", match_id, 0, "names"))
    assert ben.says("share-named", people=2) in said(agreed)
    assert await names(table, code) == ["Anna", "Ben"]
    await anna.presses(buttons(shown)["Hide my name"])
    assert await names(table, code) == ["Black", "White"]


async def test_a_computer_has_no_say_and_keeps_its_name(table: Table, anna: Person) -> None:
    await anna.types("/othello computer 1 black")
    shown = await anna.types("/share")
    assert await names(table, code_in(shown)) == ["Black", "Snail 🤖"]
    await anna.presses(buttons(shown)["Show my name"])
    assert await names(table, code_in(shown)) == ["Anna", "Snail 🤖"]


async def test_each_player_can_take_it_back_and_then_the_other_one_cannot_share_it_again(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await over(table, anna, ben)
    shown = await anna.types("/share")
    code, names_too, _, stop = code_in(shown), *buttons(shown).values()
    await ben.presses(stop)
    with pytest.raises(Refused, match="no-such-code"):
        await sharing.shared(table.app.matches, code)
    # A button from before shares nothing.
    assert said(await anna.presses(names_too)) == anna.says("share-stopped")
    assert said(await anna.types("/share")) == anna.says("error-share-taken-back")
    again = code_in(await ben.types(f"/share {match_id}"))
    assert again != code
    assert code_in(await anna.types("/share")) == again


async def test_only_players_share_a_game_and_none_that_hides_something_while_it_is_active(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")
    secret = anna.says("error-share-secret")
    for person in (anna, ben):
        refused = await person.types(f"/share {match_id}")
        assert said(refused) == person.says("error-share-secret")
        assert f"/share #{match_id}" not in await person.completes("/share ")
    assert said(await cleo.types(f"/share {match_id}")) == cleo.says("error-not-in-match")
    await anna.types("/blackbox new", place=anna.direct)
    assert said(await anna.types("/share", place=anna.direct)) == secret
    await anna.presses(Action("resign", match_id, 2, "yes"))
    assert code_in(await anna.types(f"/share {match_id}"))
    open_one = await table.begin(anna, ben)
    assert anna.says("share-live") in said(await anna.types("/share", looked_at=open_one))
    assert f"/share #{open_one}" in await anna.completes("/share ")


async def test_deleting_an_account_takes_its_shares_back_whoever_made_them(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await over(table, anna, ben)
    code = code_in(await ben.types(f"/share {match_id}"))
    await erase(table.app.store, table.app.matches, anna.id)
    await table.app.on_remote_change()
    with pytest.raises(Refused, match="no-such-code"):
        await sharing.shared(table.app.matches, code)


async def test_a_user_shares_fifty_games_a_day(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "_A_DAY", 1)
    first, second = [await over(table, anna, ben) for _ in range(2)]
    code_in(await anna.types(f"/share {first}"))
    refused = await anna.types(f"/share {second}")
    assert said(refused) == anna.says("error-share-too-many", count=1)
    code_in(await ben.types(f"/share {second}"))
    table.clock.forward(24 * 3600)
    code_in(await anna.types(f"/share {first}"))


async def test_without_a_public_address_there_is_the_board_and_the_moves(
    table: Table, anna: Person, ben: Person
) -> None:
    await over(table, anna, ben)
    for web in ({"public_url": ""}, {"enabled": False}):
        publish(table, **web)
        shown = await anna.types("/share")
        assert said(shown) == anna.says("share-no-page")
        assert screen_of(await anna.presses(buttons(shown)["As a file"])).file
        for button in buttons(shown).values():
            assert not (await anna.presses(button)).refused


async def test_a_puzzle_is_shared_by_its_position_with_the_solution_folded(
    table: Table, anna: Person
) -> None:
    await pose(table.app.store, puzzle())
    match_id = await anna.starts("/puzzle othello", place=anna.direct)
    asked = await table.loaded(match_id)
    assert asked.match.puzzle is not None
    assert (await anna.types(f"/share {match_id}", place=anna.direct)).refused
    await anna.presses(Action("resign", match_id, asked.match.version, "yes"), place=anna.direct)
    code = code_in(await anna.types(f"/share {match_id}", place=anna.direct))
    shared = await sharing.shared(table.app.matches, code)
    screen = await table.app.past_screens.shared(shared, Reader(Texts("en")))
    assert (screen.record, screen.ply) == ((), 0)
    assert Texts("en")("puzzle-line", line=asked.match.puzzle.best) in screen.folded
    assert "Anna" not in f"{screen.title} {screen.text} {screen.alt} {screen.folded}"
    assert "Best" not in screen.text


async def test_a_shared_position_is_played_against_the_computer_after_a_press(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    table.app.engines = Thinking()
    match_id = await table.begin(anna, ben, moves="d3,c3,c4")
    await table.given_up(match_id, ben)
    code = code_in(await anna.types(f"/share {match_id}"))
    answer = await cleo.presses(Action("shared", argument=f"{code}.2"), place=cleo.direct)
    assert not await match_queries.of_user(table.app.store, cleo.id)
    shown = screen_of(answer)
    assert shown.title == "Othello · Black ⚫ – ⚪ White"
    assert "Anna" not in said(answer)
    assert len(buttons(shown)) == LEVELS
    await cleo.presses(list(buttons(shown).values())[2], place=cleo.direct)
    loaded = await table.loaded(await table.newest(cleo.direct))
    past = (await table.loaded(match_id)).match
    assert loaded.match.seats == (cleo.id, Computer(3))
    position = loaded.game.replay(past.options, past.setup, past.moves[:2])
    assert loaded.match.setup == position.setup()


async def test_positions_that_are_not_shared_or_not_over_are_not_played(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3")
    code = code_in(await anna.types(f"/share {match_id}"))

    async def refusals(argument: str) -> set[str]:
        """Return what the link and the button are answered."""
        show, start = (
            Action("shared", argument=argument),
            Action("against", argument=f"{argument}.k2"),
        )
        return {said(await cleo.presses(one, place=cleo.direct)) for one in (show, start)}

    assert await refusals(f"{code}.1") == {cleo.says("error-try-running")}
    await table.given_up(match_id, ben)
    unknown = {cleo.says("error-no-such-code")}
    assert await refusals(f"{'a' * 22}.1") == await refusals(f"{code}.3") == unknown
    await ben.presses(Action("share", match_id, 0, "stop"))
    assert await refusals(f"{code}.1") == unknown
    # A link is never a button.
    starts = await cleo.presses(Action("shared", argument=f"{code}.1.k2"), place=cleo.direct)
    assert said(starts) == cleo.says("error-button-unknown")
