"""The users who play every game on three fronts, and what is checked in the end."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import games
from bot.model import is_reference
from bot.store import Address
from tests.bot.fronts.telegram.server import Person
from tests.databases import ask
from tools.attack import play_discord, posts
from tools.attack.history import History, within
from tools.attack.page import Page, browser
from tools.attack.play_discord import Wire
from tools.attack.play_web import WebGame
from tools.attack.posts import Api
from tools.attack.records import secrets_in

__all__ = [
    "at_the_web",
    "check_posted_once",
    "doubled_at_the_web",
    "in_chats",
    "pairs",
    "rooms",
    "secrets_of",
]


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


def pairs() -> Iterable[tuple[int, ...]]:
    """Yield the user ids of the players of each game in chats."""
    for at, game_id in enumerate(games.ids()):
        alone = games.get(game_id).seats(games.get(game_id).options_from({})) == 1
        yield (1000 + 2 * at, 1001 + 2 * at)[: 1 if alone else 2]


def in_chats(api: Api) -> Iterable[tuple[str, tuple[Person, ...]]]:
    """Yield the commands that start games on Telegram, and their players."""
    for game_id, ids in zip(games.ids(), pairs(), strict=True):
        people = tuple(api.person(one, f"T{one}", username=f"t{one}_name") for one in ids)
        opponent = "new" if len(people) == 1 else f"@t{ids[1]}_name"
        yield f"/{game_id} {opponent}", people


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


def check_posted_once(history: History, database: Address, *, api: Api, standin: Wire) -> None:
    """Report what was posted twice, and count what a kill made unavoidable."""
    report, check = history.report, "nothing is posted twice"
    report.all_broken(check, (f"web: board {board}" for board in doubled_at_the_web(database)))
    known, in_flight = api.known() | _stored(database), within(1.0)
    for double in posts.doubled(api):
        first, again = double.first, double.again
        # The bot cannot know of a message if it was killed before it stored its id.
        if first.key not in known and history.was_killed(first.at - in_flight, again.at):
            report.count("posted again after a kill, Telegram")
        else:
            report.broken(check, f"Telegram: {double}, kills at {history.kills}")
    for at, what in play_discord.doubled(standin):
        if history.was_killed(at, at + in_flight):
            report.count("posted again after a kill, Discord")
        else:
            report.broken(check, f"Discord: {what}, first at {at:.3f}, kills at {history.kills}")


def _stored(database: Address) -> set[tuple[int, int]]:
    """Return the Telegram messages that are stored as boards or notifications."""
    rows = ask(
        database,
        "SELECT external, message, former, notice, former_notice FROM boards"
        " JOIN places ON places.id = place_id WHERE boards.platform = 'telegram'",
    )
    return {
        (int(chat), int(one)) for chat, *messages in rows for one in messages if is_reference(one)
    }
