"""Rules of a channel on Discord: roles, threads, an announcement of the operator."""

from bot import hosting
from tests.bot.fronts.discord.scene import Scene, buttons, private, text_of


async def test_who_has_the_role_begins_and_all_others_read_which_one_it_is(scene: Scene) -> None:
    players = scene.guild.create_role("Players")
    dora = scene.guild.add_member(scene.env.create_user("dora"), roles=[players])
    mia = scene.keeper()
    menu = (await mia.slash(scene.channel, "here")).response
    assert menu is not None
    await mia.click(menu, label="Who may start: everyone")
    listed = (await mia.slash(scene.channel, "here")).response
    assert listed is not None
    who = private(await mia.click(listed, label="Who may start: everyone")) or listed
    await mia.click(who, label="Players")
    refused = private(await scene.slash(scene.anna, "othello", move="new"))
    assert refused is not None
    assert "role “Players” may start games here" in text_of(refused)
    assert scene.boards() == []
    await scene.slash(dora, "othello", move="new")
    await scene.press(scene.anna, scene.board(), "Join")
    assert len((await scene.loaded()).match.seats) == 2


async def test_where_it_is_played_in_threads_only_a_thread_is_needed(scene: Scene) -> None:
    mia = scene.keeper()
    menu = (await mia.slash(scene.channel, "here")).response
    assert menu is not None
    await mia.click(menu, label="A thread for each game: no")
    await scene.begun()
    (thread,) = scene.channel.threads
    again = (await mia.slash(scene.channel, "here")).response
    assert again is not None
    await mia.click(again, label="A thread for each game: yes")
    refused = private(await scene.slash(scene.anna, "morris", move="new"))
    assert refused is not None
    assert "only allowed in threads and topics" in text_of(refused)
    await scene.anna.slash(thread, "morris", move="new")
    await scene.settle()
    assert "Nine Men" in text_of(scene.board(thread))
    # What was begun before goes on.
    await scene.slash(scene.anna, "othello", move="d3")
    assert "Last move: d3" in text_of(scene.board())


async def test_who_manages_a_channel_closes_a_match_of_it(scene: Scene) -> None:
    mia = scene.keeper()
    await scene.begun()
    menu = (await mia.slash(scene.channel, "here")).response
    assert menu is not None
    listed = private(await mia.click(menu, label="Close a game")) or menu
    (close,) = [token for token in buttons(listed) if "close:" in token]
    sure = private(await mia.click(listed, custom_id=close)) or listed
    await scene.press(mia, sure, "Yes, close")
    assert "closed by keeper, without a result" in text_of(scene.board())


async def test_a_word_of_the_host_is_posted_once_and_pings_nobody(scene: Scene) -> None:
    await scene.begun()
    before = scene.pings()
    await hosting.say(scene.app.store, "We move tonight, @everyone.", hours=1)
    await scene.settle()
    await scene.restart()
    await scene.settle()
    (said,) = [text for text in scene.pings() if text not in before]
    assert said.startswith("Message from the operator: We move tonight")


async def test_only_keepers_change_a_place(scene: Scene) -> None:
    result = await scene.slash(scene.ben, "here")
    assert result.response is not None
    assert "Only moderators can change these settings" in text_of(result.response)
