"""Settings of a channel on Discord, and an announcement of the operator."""

from bot.cli import hosting
from tests.bot.fronts.discord.scene import Scene, private, text_of


async def test_only_members_with_the_role_may_start_games(scene: Scene) -> None:
    result = await scene.slash(scene.ben, "here")
    assert result.response is not None
    assert "Only moderators can change these settings" in text_of(result.response)
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


async def test_an_announcement_of_the_operator_is_posted_once(scene: Scene) -> None:
    await scene.begun()
    before = scene.pings()
    await hosting.say(scene.app.store, "We move tonight, @everyone.", hours=1)
    await scene.settle()
    await scene.restart()
    await scene.settle()
    (said,) = [text for text in scene.pings() if text not in before]
    assert said.startswith("Message from the operator: We move tonight")
