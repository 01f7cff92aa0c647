"""Whole matches of all games, played with buttons in a group and in private chats."""

from random import Random

import pytest

import games
from bot.domain.model import Status
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import play_out, tokens
from tests.sampling import sampled

FOR_TWO = sorted(games.ids())
SHORTEST = {"blackbox": "hide", "sogo": "size=3"}


def begin(game: str) -> str:
    """Return the line that starts an open challenge."""
    return f"/{game} new {SHORTEST.get(game, '')}".strip()


@pytest.mark.parametrize("game", sampled(FOR_TWO, "sogo"))
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
        # The group has one board, and of the pings only the last.
        await api.until(lambda: tokens(api.boards(group)[0], "again"))
        assert len(api.boards(group)) == 1
        assert len(api.texts(group)) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sogo", "blackbox"])
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
