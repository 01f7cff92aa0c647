"""The users who play every game in the web app, and what must not be logged or shown twice."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import games
from bot.store import Address
from tests.databases import ask
from tools.attack.history import History
from tools.attack.page import Page, browser
from tools.attack.play_web import WebGame
from tools.attack.records import secrets_in

__all__ = ["at_the_web", "doubled_at_the_web", "rooms", "secrets_of"]


def rooms() -> Iterable[tuple[str, str]]:
    """Yield rooms of the web app, and the commands that start a game there."""
    for game_id in games.ids():
        several = {"blackbox": ("blackbox @{} hide", "blackbox new")}
        for number, words in enumerate(several.get(game_id, (f"{game_id} @{{}}",))):
            yield f"{game_id}-{number}", words


@asynccontextmanager
async def at_the_web(history: History, url: str, luck: Random) -> AsyncIterator[list[WebGame]]:
    """Yield a game for each room, with pages that are not connected yet."""
    found = []
    async with AsyncExitStack() as stack:
        for at, (room, words) in enumerate(rooms()):
            names = (f"Anna{chr(97 + at)}", f"Ben{chr(97 + at)}")[: 1 + ("@" in words)]
            people = []
            for seat, name in enumerate(names):
                session = await stack.enter_async_context(browser(f"127.0.{at + 1}.{seat + 1}"))
                people.append(Page(name, url, session))
            line = f"/{words}".format(names[-1])
            found.append(WebGame(history, room, line, tuple(people), luck))
        yield found


def secrets_of(database: Address) -> set[str]:
    """Return the setups and secret moves that no log may contain."""
    moves: defaultdict[int, list[str]] = defaultdict(list)
    for match, move in ask(database, "SELECT match_id, notation FROM moves"):
        moves[match].append(move)
    found: set[str] = set()
    about = "SELECT id, game, options, setup FROM matches"
    for match, game_id, options, setup in ask(database, about):
        found |= secrets_in(game_id, options, setup, moves[match])
    return found


def doubled_at_the_web(database: Address) -> set[int]:
    """Return the boards that exist twice on the web."""
    found = ask(
        database,
        "SELECT board_id FROM messages WHERE NOT gone AND board_id IS NOT NULL"
        " GROUP BY board_id HAVING count(*) > 1",
    )
    return {board for (board,) in found}
