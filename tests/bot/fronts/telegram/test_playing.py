from bot.fronts.telegram import Telegram
from tests.bot.fronts.telegram.conftest import Table


async def test_a_challenge_is_accepted_and_played_with_buttons(
    table: Table, front: Telegram
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    anna.says(group, "/othello new")
    await api.until(lambda: api.texts(group))
    challenge = group.newest()
    query = ben.presses(group, challenge, "Join in")
    await api.until(query.answered.is_set)
    (board,) = await api.until(lambda: api.boards(group))
    print(board)
    await api.until(lambda: len(api.texts(group)) == 1)
    print(api.texts(group), api.calls)
    assert 0
