"""Hints in a group: only the player sees them, and the group gets no message."""

from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens, word_in
from tests.bot.table import Thinking


async def test_a_hint_comes_in_private_and_leaves_the_group_alone(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with running(table.settings()) as (app, _):
        app.thinkers = Thinking()
        anna.says(group, "/sogo computer 1 size=3 first")
        await api.until(lambda: api.boards(group))
        anna.says(group, "/hint")
        # There is no way to her yet: it says what to do, and the link leads to the hint itself.
        await api.until(lambda: any("press Start" in text for text in api.texts(group)))
        (button,) = group.newest()["reply_markup"]["inline_keyboard"][0]
        query = anna.presses(group, table.board(), tokens(table.board(), "hint")[0])
        await api.until(query.answered.is_set)
        assert word_in(query.url, "hint") == word_in(button["url"], "hint")
        anna.starts(word_in(button["url"], "hint"))
        await api.until(lambda: api.boards(anna.private))
        assert "I would play" in api.boards(anna.private)[0]["caption"]
        lines = len(api.texts(group))
        asked = anna.says(group, "/hint")
        await api.until(lambda: len(api.boards(anna.private)) == 2)
        await api.until(lambda: asked["message_id"] in group.reactions)
        assert len(api.texts(group)) <= lines
