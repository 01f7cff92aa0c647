"""A puzzle opens in the private chat, even if it is requested in a group."""

from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.posed import pose, puzzle


async def test_a_puzzle_asked_for_in_a_group_is_found_in_private(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with running(table.settings()) as (app, _):
        one = puzzle(plies=1)
        await pose(app.store, one, puzzle(plies=2))
        anna.starts()
        await api.until(lambda: anna.private.messages)
        anna.says(group, "/puzzle othello")
        await api.until(lambda: api.boards(anna.private))
        (asked,) = api.boards(anna.private)
        assert "Find the best move for " in asked["caption"]
        assert api.boards(group) == []
        tried = (await app.matches.get(1)).match.puzzle
        assert tried is not None
        # Typed as an answer to the board, as any move can be.
        anna.says(anna.private, tried.best, reply=asked)
        await api.until(
            lambda: "Best move! Puzzle solved." in api.boards(anna.private)[0]["caption"]
        )
        (solved,) = api.boards(anna.private)
        assert "Your puzzle rating: 1662 (+162)" in solved["caption"]
        anna.presses(anna.private, solved, tokens(solved, "puzzle")[0])
        await api.until(lambda: len(api.boards(anna.private)) == 2)
        asked = api.boards(anna.private)[-1]
        again = (await app.matches.get(2)).match.puzzle
        assert again is not None
        steps = tokens(asked, "step", loud=True)
        wrong = next(one for one in steps if not one.endswith(f":{again.best}"))
        anna.presses(anna.private, asked, wrong)
        await api.until(lambda: "Not solved this time." in api.boards(anna.private)[-1]["caption"])
        assert f"Best: {again.best}" in api.boards(anna.private)[-1]["caption"]
        anna.says(anna.private, "/puzzle")
        await api.until(lambda: any("No new puzzles" in text for text in api.texts(anna.private)))


async def test_who_has_no_private_chat_yet_is_led_there_to_the_puzzle(table: Table) -> None:
    api, ben, group = table.api, table.ben, table.group
    async with running(table.settings()) as (app, _):
        await pose(app.store, puzzle(plies=1))
        ben.says(group, "/raetsel")
        link = await api.until(lambda: group.messages and group.newest().get("reply_markup"))
        assert "url" in link["inline_keyboard"][0][0]
        ben.starts(link["inline_keyboard"][0][0]["url"].partition("start=")[2])
        await api.until(lambda: api.boards(ben.private))
        assert "Finde den besten Zug für " in api.boards(ben.private)[0]["caption"]
        assert api.boards(group) == []
