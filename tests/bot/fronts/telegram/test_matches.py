"""Whole matches of all games, played with buttons in a group, a topic and private chats."""

from random import Random

import pytest

import games
from bot.model import Ending, EndingKind, Status
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import play_out, tokens
from tests.bot.table import a_moment_later
from tests.sampling import sampled

FOR_TWO = sorted(games.ids())


def begin(game: str) -> str:
    """The line that asks who plays with me."""
    return f"/{game} new hide" if game == "blackbox" else f"/{game} new"


@pytest.mark.parametrize("game", sampled(FOR_TWO, "morris"))
async def test_a_whole_match_in_a_group(table: Table, game: str) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    async with running(table.settings()) as (app, _):
        anna.says(group, begin(game))
        challenge = await api.until(lambda: tokens(group.newest(), "accept") and group.newest())
        query = ben.presses(group, challenge, tokens(challenge, "accept")[0])
        await api.until(query.answered.is_set)
        people = {"Anna": anna, "Ben": ben}
        loaded = await play_out(app, api, 1, people=people, chats=(group,), rng=Random(game))
        assert loaded.match.status is Status.OVER
        # One board in the group all the time, and no ping but the last word.
        await api.until(lambda: tokens(api.boards(group)[0], "again"))
        assert len(api.boards(group)) == 1
        assert len(api.texts(group)) <= 2


async def test_a_whole_match_against_the_computer_that_thinks_in_a_process_of_its_own(
    table: Table,
) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with running(table.settings()) as (app, _):
        anna.says(group, "/sogo computer 1 size=3")
        await api.until(lambda: api.boards(group))
        loaded = await play_out(app, api, 1, people={"Anna": anna}, chats=(group,), rng=Random(5))
        assert loaded.match.level == 1
        await api.until(lambda: tokens(api.boards(group)[0], "again"))
        assert len(api.boards(group)) == 1
        assert len(api.texts(group)) <= 1


async def test_two_agree_on_a_draw(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    async with running(table.settings()) as (app, _):
        anna.says(group, "/othello new first")
        challenge = await api.until(lambda: tokens(group.newest(), "accept") and group.newest())
        ben.presses(group, challenge, tokens(challenge, "accept")[0])
        await api.until(lambda: api.boards(group))
        anna.says(group, "/othello d3")
        await api.until(lambda: "Last move: d3" in api.boards(group)[0]["caption"])
        anna.says(group, "/draw")
        await api.until(lambda: tokens(api.boards(group)[0], "draw"))
        (board,) = api.boards(group)
        await a_moment_later(app.store)
        ben.presses(group, board, tokens(board, "draw")[0])
        await api.until(lambda: tokens(api.boards(group)[0], "again"))
        assert (await app.matches.get(1)).match.ending == Ending(EndingKind.AGREED)


async def test_a_move_is_taken_back_and_another_match_asked_for(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    async with running(table.settings()) as (app, _):
        anna.says(group, "/othello new first unrated")
        challenge = await api.until(lambda: tokens(group.newest(), "accept") and group.newest())
        ben.presses(group, challenge, tokens(challenge, "accept")[0])
        await api.until(lambda: api.boards(group))

        anna.says(group, "/othello d3")
        await api.until(lambda: "Last move: d3" in api.boards(group)[0]["caption"])
        anna.says(group, "/takeback")
        await api.until(lambda: tokens(api.boards(group)[0], "takeback"))
        (board,) = api.boards(group)
        assert "Anna asks to take back d3." in board["caption"]
        await a_moment_later(app.store)
        ben.presses(group, board, tokens(board, "takeback")[0])
        await api.until(lambda: "Last move: d3" not in api.boards(group)[0]["caption"])
        assert (await app.matches.get(1)).match.plies == ()
        people = {"Anna": anna, "Ben": ben}
        await play_out(app, api, 1, people=people, chats=(group,), rng=Random(1))
        anna.says(group, "/rematch")
        await api.until(lambda: tokens(group.newest(), "accept"))


async def test_a_whole_match_in_a_topic(table: Table) -> None:
    # Of one game: what a topic is knows no game, and the group above has played them all.
    game = "sogo"
    api, anna, ben = table.api, table.anna, table.ben
    forum = api.group(-1001000000001, "Forum", topics=[7])
    async with running(table.settings()) as (app, _):
        anna.says(forum, begin(game), thread=7)
        challenge = await api.until(lambda: tokens(forum.newest(), "accept") and forum.newest())
        query = ben.presses(forum, challenge, tokens(challenge, "accept")[0])
        await api.until(query.answered.is_set)
        people = {"Anna": anna, "Ben": ben}
        await play_out(app, api, 1, people=people, chats=(forum,), rng=Random(game))
        (board,) = api.boards(forum)
        assert board["message_thread_id"] == 7


# One in which both see the same, one in which they do not: so it is with private chats.
@pytest.mark.parametrize("game", sampled(["sogo", "blackbox"], "blackbox"))
async def test_a_whole_match_in_two_private_chats(table: Table, game: str) -> None:
    api, anna, ben = table.api, table.anna, table.ben
    async with running(table.settings()) as (app, _):
        anna.starts()
        anna.says(anna.private, begin(game))
        challenge = await api.until(
            lambda: next((m for m in anna.private.messages.values() if tokens(m, "withdraw")), None)
        )
        (share,) = [
            button["url"]
            for row in challenge["reply_markup"]["inline_keyboard"]
            for button in row
            if "url" in button
        ]
        ben.starts(share.rpartition("start%3D")[2])
        await api.until(lambda: api.boards(ben.private))
        people = {"Anna": anna, "Ben": ben}
        await play_out(app, api, 1, people=people, chats=(), rng=Random(game))
        await api.until(lambda: tokens(api.boards(anna.private)[0], "again"))
        await api.until(lambda: tokens(api.boards(ben.private)[0], "again"))
        assert "Anna" in api.boards(ben.private)[0]["caption"]


async def test_black_box_alone_in_private(table: Table) -> None:
    api, anna = table.api, table.anna
    async with running(table.settings()) as (app, _):
        anna.starts()
        anna.says(anna.private, "/blackbox new")
        people = {"Anna": anna}
        await api.until(lambda: api.boards(anna.private))
        loaded = await play_out(app, api, 1, people=people, chats=(), rng=Random(1))
        assert loaded.match.outcome is not None
