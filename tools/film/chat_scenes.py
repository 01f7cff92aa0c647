"""What Anna (in English) and Ben (in German) do on Discord or Telegram, and see of it."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, Page

from bot.domain.model import Status
from tests.bot.fronts.page.windows import SHORTEST
from tests.bot.table import a_moment_later
from tools.film.discord import DiscordFront
from tools.film.front import ANNA, ASK, BEN, HALF, NAMES, STONES
from tools.film.reel import PHONE, Reel
from tools.film.telegram import TelegramFront

ChatFront = DiscordFront | TelegramFront


class _Camera:
    def __init__(self, front: ChatFront, page: Page, reel: Reel) -> None:
        self.front = front
        self._page = page
        self._reel = reel

    async def sees(self, who: int, words: str, *, in_private: bool = False) -> None:
        await self.front.bot.settled(seconds=0.3)
        await self.takes(who, words, self.front.page(who, in_private=in_private))

    async def presses(self, who: int, token: str, words: str) -> None:
        await self.front.presses(who, token)
        await self.sees(who, words)

    async def takes(self, who: int, words: str, html: str) -> None:
        await self._page.set_content(html)
        await self._page.locator("body[data-ready]").wait_for(state="attached")
        self._reel.add(NAMES[who], words, await self._page.screenshot())


async def film_chat(kind: type[ChatFront], chromium: Browser, reel: Reel) -> None:
    with TemporaryDirectory(prefix="azumaya-film-") as folder:
        async with kind(Path(folder), Random(3)) as front:
            page = await chromium.new_page(viewport=PHONE, device_scale_factor=reel.scale)
            camera = _Camera(front, page, reel)
            await _first_steps(camera)
            await _a_match_of_othello(camera)
            await _another_match(camera)
            await _hidden_stones(camera)
            await _a_refusal(camera)
            await _the_end(camera)
            await page.close()


async def _first_steps(camera: _Camera) -> None:
    front, sees = camera.front, camera.sees
    if isinstance(front, DiscordFront):
        await front.types(ANNA, "/help")
        await sees(ANNA, "knows nothing yet, and types /help")
        return
    await front.starts(ANNA)
    await sees(ANNA, "opens the chat with the bot, and presses Start", in_private=True)
    await front.says(ANNA, front.anna.private, "/help")
    await sees(ANNA, "types /help there", in_private=True)
    await front.types(ANNA, "/help")
    await sees(ANNA, "types /help in the group")


async def _a_match_of_othello(camera: _Camera) -> None:
    front, sees = camera.front, camera.sees
    await front.types(ANNA, "/play")
    await sees(ANNA, "types /play")
    await camera.presses(ANNA, "menu:0:0:othello", "presses Othello")
    await camera.presses(ANNA, ASK, f"presses “{ASK}”")
    await sees(BEN, "looks into the chat for the first time")
    await camera.presses(BEN, "accept:1:", "presses Accept")
    await sees(ANNA, "looks")
    mover, other = await front.on_turn(1)
    await front.press(other, await front.until(other, lambda one: one.token.startswith("step:1:")))
    await front.bot.settled(seconds=0.3)
    await sees(other, "presses a square though it is not their turn")
    is_discord = isinstance(front, DiscordFront)
    await front.types(mover, "/othello move:a1" if is_discord else "/othello a1")
    await sees(mover, "types a move that is not allowed, a1")
    for number, move in enumerate(SHORTEST):
        mover, other = await front.on_turn(1)
        await front.moves(mover, 1, move)
        if number == 0:
            await sees(mover, f"presses {move}")
            await sees(other, f"sees {move}")
        elif number == 1:
            await sees(mover, f"presses {move}")
        elif number == HALF:
            await sees(mover, f"the bot has restarted: presses {move}")
        if number == HALF - 1:
            await front.restart()
    for who in (ANNA, BEN):
        await sees(who, "the match is over")


async def _another_match(camera: _Camera) -> None:
    front, sees = camera.front, camera.sees
    await a_moment_later(front.bot.app.store)
    await camera.presses(ANNA, "again:1:", "presses “Rematch”")
    await sees(BEN, "is asked")
    await camera.presses(BEN, "accept:2:", "accepts")
    mover, other = await front.on_turn(2)
    await front.moves(mover, 2, "e6" if await _is_legal(front, "e6") else "c4")
    await camera.presses(other, "resign:2:", "presses Resign")
    await camera.presses(other, "resign:2:3:yes", "is sure")


async def _is_legal(front: ChatFront, step: str) -> bool:
    loaded = await front.bot.match(2)
    (seat,) = loaded.position.turn
    return step in [loaded.game.notation(move) for move in loaded.position.moves(seat)]


async def _hidden_stones(camera: _Camera) -> None:
    front, sees = camera.front, camera.sees
    is_discord = isinstance(front, DiscordFront)
    line = "/blackbox move:new user:Anna mode:hide" if is_discord else "/blackbox @anna hide"
    await front.types(BEN, line)
    await sees(BEN, f"types {line}")
    await sees(ANNA, "is asked")
    await camera.presses(ANNA, "accept:3:", "accepts")
    hider, seeker = await front.on_turn(3)
    await sees(hider, "is to hide five stones")
    await camera.presses(hider, "private:3:", "presses the button, in the group")
    await sees(hider, "and in private", in_private=True)
    await _hides(camera, hider, is_filmed=True)
    await sees(seeker, "is to seek")
    for entry in ("2", "9"):
        await front.moves(seeker, 3, entry)
        await sees(seeker, f"asks {entry}")
    await front.moves(seeker, 3, "c4")
    await sees(seeker, "marks c4")
    await sees(hider, "looks on", in_private=True)
    await front.moves(seeker, 3, "guess", sure=False)
    await sees(seeker, "guesses, with one mark")
    await camera.presses(seeker, "sure:3:", "is sure, and the second leg begins")
    hider, seeker = await front.on_turn(3)
    await camera.presses(hider, "private:3:", "opens the box, to hide stones")
    await sees(hider, "and in private", in_private=True)
    await _hides(camera, hider, is_filmed=False)
    await front.moves(seeker, 3, "2")
    await front.moves(seeker, 3, "guess")
    assert (await front.bot.match(3)).match.status is Status.OVER
    for who in (seeker, hider):
        await sees(who, "it is over")
    await sees(hider, "it is over, in private", in_private=True)


async def _hides(camera: _Camera, hider: int, *, is_filmed: bool) -> None:
    front, sees = camera.front, camera.sees
    if isinstance(front, DiscordFront) and is_filmed:
        opened = front.select(hider)
        assert opened
        page = front.page(hider, opened, in_private=True)
        await camera.takes(hider, "opens the list", page)
        await _picks(front, hider, STONES)
        await sees(hider, "chooses five", in_private=True)
    elif isinstance(front, DiscordFront):
        await front.presses(hider, "form:3:")
        await front.writes_down(" ".join(STONES))
        await sees(hider, "has typed all five")
    else:
        for stone in STONES:
            await front.moves(hider, 3, stone)
            if is_filmed and stone in (STONES[0], STONES[-1]):
                await sees(hider, f"presses {stone}", in_private=True)
    await front.moves(hider, 3, "ready")
    if is_filmed:
        await sees(hider, "presses Ready", in_private=True)


async def _picks(front: DiscordFront, who: int, steps: Sequence[str]) -> None:
    """Choose in one menu after the other, in each of them all options at once."""
    left = list(steps)
    while left:
        known = [one for one in front.offers(who) if one.token.rpartition(":")[2] in left]
        newest = known[0].how
        chosen = [one for one in known if one.how[:2] == newest[:2]]
        await front.press(who, *chosen)
        await front.bot.settled()
        done = {one.token.rpartition(":")[2] for one in chosen}
        left = [one for one in left if one not in done]


async def _a_refusal(camera: _Camera) -> None:
    front, sees = camera.front, camera.sees
    is_discord = isinstance(front, DiscordFront)
    line = "/sogo move:new user:Ben" if is_discord else "/sogo @benni"
    await front.types(ANNA, line)
    await sees(ANNA, f"types {line}")
    await camera.presses(BEN, "decline:4:", "declines")
    await sees(ANNA, "sees that")


async def _the_end(camera: _Camera) -> None:
    front, sees = camera.front, camera.sees
    for line, who in (
        *(("/leaderboard", ANNA), ("/leaderboard", BEN), ("/stats", BEN)),
        *(("/matches", ANNA), ("/settings", ANNA), ("/help", BEN)),
    ):
        await front.types(who, line)
        await sees(who, f"types {line}")
    if not isinstance(front, DiscordFront):
        await sees(BEN, "his chat with the bot", in_private=True)
