"""Records of games as attached files."""

from bot.domain.model import Status
from games import records
from tests.bot.fronts.discord.scene import Scene, private, text_of

GAME = b'[Game "othello"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n\n1. f5 d6 2. c3\n'


async def test_an_attached_file_opens_in_the_direct_chat(scene: Scene) -> None:
    await scene.slash(scene.anna, "import", file=("game.txt", GAME))
    loaded = await scene.loaded()
    assert (loaded.match.status, loaded.match.is_study) == (Status.OVER, True)
    assert scene.boards() == []


async def test_a_large_file_is_refused(scene: Scene) -> None:
    large = bytes(records.MOST_BYTES + 1)
    asked = await scene.slash(scene.anna, "import", file=("game.txt", large))
    shown = private(asked)
    assert "too large" in text_of(shown)
