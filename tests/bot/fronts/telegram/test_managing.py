"""Rules of a group on Telegram: administrators, topics, announcements of the operator."""

import pytest

from bot import hosting
from bot.commands import verbs
from bot.fronts.telegram import widgets
from bot.store import Store
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens

pytestmark = pytest.mark.usefixtures("front")


async def test_where_administrators_alone_begin_they_do_and_others_join_in(table: Table) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
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
    await api.until(lambda: "Anna: Your turn: Othello, game 1." in api.texts(group))


async def test_in_a_forum_it_can_be_played_in_topics_only(table: Table) -> None:
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


async def test_a_group_that_is_shut_out_is_told_once_and_hears_nothing_else(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    other = api.group(-101, "Orchard")
    store = await Store.open(table.database)
    try:
        # Beside the running house.
        await hosting.shut_out(store, "telegram:-100")
        anna.says(group, "/othello new")
        await api.until(
            lambda: any("turned me off in this chat" in one for one in api.texts(group))
        )
        anna.says(group, "/othello new")
        anna.says(group, "/help")
        anna.says(other, "/help")
        await api.until(lambda: api.texts(other))
        assert len(api.texts(group)) == 1
        assert not [call for call in api.calls if call.method == "setMessageReaction"]
        await hosting.let_in(store, "telegram:-100")
    finally:
        await store.close()


@pytest.mark.parametrize("line", ["/here close 1", "/here close"])
async def test_whoever_manages_a_group_closes_a_match_without_result(
    table: Table, line: str
) -> None:
    api, cleo, group = table.api, table.cleo, table.group
    await table.begin()
    group.administrators.add(cleo.id)

    def offered() -> str | None:
        return next(iter(tokens(group.newest(), "close")), None)

    def is_question() -> bool:
        return (offered() or "").endswith(":yes")

    cleo.says(group, line)
    which = await api.until(offered)
    if not is_question():
        cleo.presses(group, group.newest(), which)
    await api.until(is_question)
    cleo.presses(group, group.newest(), offered() or "")
    await api.until(lambda: "A moderator closed this game" in table.board()["caption"])


def test_no_button_of_the_front_is_called_like_one_of_the_core() -> None:
    assert {widgets.VOID, widgets.TAB}.isdisjoint(verbs())


async def test_a_word_of_the_host_comes_into_the_group_once(table: Table) -> None:
    api, group = table.api, table.group
    await table.begin()
    store = await Store.open(table.database)
    assert await hosting.say(store, "We move tonight.", hours=1) == 1
    await store.close()
    await api.until(lambda: any("We move tonight." in text for text in api.texts(group)))
