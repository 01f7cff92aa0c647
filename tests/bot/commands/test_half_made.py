"""Partial moves on a board with several pages."""

from dataclasses import replace

import pytest

import games
from bot.app import App
from bot.commands import Commands
from bot.domain.errors import BotError, Refused
from bot.matches import reading
from bot.screens import Screen
from bot.support.rates import Rates
from tests.bot.table import Person, Table, screen_of
from tests.sampling import sampled

CELLS = tuple(f"{column}{row}" for column in "abcdefgh" for row in range(1, 9))
HIDDEN = ("a8", "c3", "d6", "e5", "h1")


async def begins(table: Table, who: Person, match: int, *steps: str) -> Screen | str:
    """Return the public board with these steps chosen, or the code of the refusal."""
    public = next(
        message
        for message, post in table.wall.posts.items()
        if post.match == match and post.seat is None
    )
    loaded = await table.loaded(match)
    command = replace(await who.command(), match=match, version=loaded.match.version, steps=steps)
    try:
        return await table.commands.partial_screen(command, public, counts=True)
    except BotError as error:
        return error.code


@pytest.mark.parametrize("game_id", sampled(games.ids(), "moyo"))
async def test_only_the_player_to_move_starts_a_move_and_everyone_turns_pages(
    table: Table, anna: Person, ben: Person, cleo: Person, game_id: str
) -> None:
    match = await table.begin(anna, ben, words=game_id)
    for _ in range(2):
        await table.settle()
        loaded = await table.loaded(match)
        (seat,) = loaded.turn
        mover, other = (anna, ben) if loaded.match.seats[seat] == anna.id else (ben, anna)
        moves = [loaded.game.steps(move) for move in loaded.position.moves(seat)]
        beginnings = sorted({move[:end] for move in moves for end in range(1, len(move))})
        for steps in beginnings[::5]:
            shown = await begins(table, mover, match, *steps)
            assert isinstance(shown, Screen)
            assert shown.chosen == steps
            assert await begins(table, other, match, *steps) == "not-your-turn"
            assert await begins(table, cleo, match, *steps) == "not-your-turn"
        for who in (mover, other, cleo):
            assert isinstance(await begins(table, who, match), Screen)
        # A complete move is not a partial one, and neither is an illegal one.
        for steps in (moves[0], ("nowhere",), (*moves[0], "nowhere")):
            assert await begins(table, mover, match, *steps) == "button-unknown"
            assert await begins(table, other, match, *steps) == "not-your-turn"
        await table.plays(match, loaded.game.notation(loaded.position.moves(seat)[0]))


async def test_no_cell_tells_where_stones_are_hidden(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    for cell in HIDDEN:
        await ben.types(f"/blackbox hide {cell}", place=ben.direct)
    await table.settle()
    for who in (cleo, anna, ben):
        (told,) = {await begins(table, who, match, cell) for cell in CELLS}
        assert told == ("button-unknown" if who is ben else "not-your-turn")


async def test_pages_are_turned_no_faster_than_buttons_are_pressed(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    ((message, _),) = table.wall.posts.items()
    loaded = await table.loaded(match)
    command = replace(await anna.command(), match=match, version=loaded.match.version)
    table.commands._rates = Rates.per_second(1)
    refused = set()
    for _ in range(10):
        try:
            await table.commands.partial_screen(command, message, counts=True)
        except Refused as error:
            refused.add(error.code)
    assert refused == {"too-fast"}
    # What belongs to a press has been counted with it.
    assert (await table.commands.partial_screen(command, message)).match == match
    # What shows no board of the match is outdated.
    with pytest.raises(Refused, match="stale"):
        await table.commands.partial_screen(command, "gone")


async def test_a_key_of_a_newer_board_than_this_process_has_read_is_no_old_one(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="morris")
    other = await App.open(table.settings, clock=table.clock)
    try:
        assert (await reading.get(other.matches, match)).match.plies == ()
        await table.plays(match, "d6,a1")
        await table.settle()
        (message,) = table.wall.posts
        loaded = await table.loaded(match)
        command = replace(await anna.command(), match=match, version=loaded.match.version)
        shown = await Commands(other).partial_screen(command, message)
        assert shown.version == loaded.match.version
    finally:
        await other.close()


async def test_those_who_listen_hear_a_half_made_move_as_it_is_drawn(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="morris", moves="a7,a1,d7,d1")
    before = (await table.screen(match, anna)).alt
    assert "White: a7, d7; 7 in hand" in before
    shown = screen_of(await anna.clicks(match, "g7"))
    assert shown.alt.startswith(shown.prompt)
    assert anna.says("alt-choices", choices="a1, d1") in shown.alt
    assert "White: a7, d7, g7; 6 in hand" in shown.alt
    # It is still to be taken.
    assert "Black: a1, d1; 7 in hand" in shown.alt
    assert "A mill is closed" not in shown.alt
