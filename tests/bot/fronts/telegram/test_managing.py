"""Settings of a group on Telegram: only administrators change them, and topics count as threads."""

import pytest

from bot.commands import verbs
from bot.fronts.telegram import widgets
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import ANNA_MAY_BEGIN, tokens

pytestmark = pytest.mark.usefixtures("front")


async def test_only_administrators_change_settings_and_start_games_where_that_is_set(
    table: Table,
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    anna.says(group, "/here")
    await api.until(lambda: api.texts(group))
    assert not tokens(group.newest(), "here")
    group.administrators.add(anna.id)
    anna.says(group, "/here begin managers")
    await api.until(lambda: tokens(group.newest(), "here"))
    ben.says(group, "/othello new")
    await api.until(
        lambda: any("Hier darf nur die Moderation" in text for text in api.texts(group))
    )
    anna.says(group, "/othello new black")
    await api.until(lambda: tokens(group.newest(), "accept"))
    challenge = group.newest()
    ben.presses(group, challenge, tokens(challenge, "accept")[0])
    await api.until(lambda: ANNA_MAY_BEGIN in api.texts(group))


@pytest.mark.slow
async def test_topics_of_a_forum_are_threads_and_threads_of_replies_are_not(table: Table) -> None:
    api, anna = table.api, table.anna
    forum = api.group(-1001000000001, "Forum", topics=[7])
    forum.administrators.add(anna.id)
    anna.says(forum, "/here threads only")
    await api.until(lambda: tokens(forum.newest(), "here"))
    anna.says(forum, "/othello new")
    await api.until(
        lambda: any("only allowed in threads and topics" in one for one in api.texts(forum))
    )
    anna.says(forum, "/othello new", thread=7)
    await api.until(lambda: tokens(forum.newest(), "accept"))
    assert forum.newest()["message_thread_id"] == 7
    message = api.message(table.group, sender=anna.plain, text="/othello new", message_thread_id=55)
    api.update({"message": message})
    await api.until(lambda: tokens(table.group.newest(), "accept"))
    assert "message_thread_id" not in table.group.newest()


def test_no_button_of_the_front_has_the_name_of_one_of_the_core() -> None:
    assert {widgets.VOID, widgets.TAB}.isdisjoint(verbs())
