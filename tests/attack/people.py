"""Who plays on the three fronts: every game on each of them, and what is counted of them in the
end."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import games
from bot.store import Address
from tests.attack import play_discord, play_telegram
from tests.attack.page import Page, browser
from tests.attack.play_discord import Wire
from tests.attack.play_telegram import Api
from tests.attack.play_web import WebGame
from tests.attack.story import Story
from tests.bot.fronts.telegram.server import Person
from tests.databases import ask

__all__ = ["at_the_web", "doubled", "in_chats", "pairs", "rooms", "secrets_of"]

_WORDS = {"blackbox": ("blackbox @{} hide", "blackbox new")}
"""What begins a match of the games that have more than one way."""


def rooms() -> Iterable[tuple[str, str]]:
    """Rooms of the web table, and the words that begin the matches there."""
    for game_id in games.ids():
        for number, words in enumerate(_WORDS.get(game_id, (f"{game_id} @{{}}",))):
            yield f"{game_id}-{number}", words


@asynccontextmanager
async def at_the_web(story: Story, url: str, luck: Random) -> AsyncIterator[list[WebGame]]:
    """Two people, or one, in a room of their own for every game."""
    found = []
    async with AsyncExitStack() as stack:
        for at, (room, words) in enumerate(rooms()):
            names = (f"Anna{at}", f"Ben{at}")[: 1 + ("@" in words)]
            people = []
            for seat, name in enumerate(names):
                session = await stack.enter_async_context(browser(f"127.0.{at + 1}.{seat + 1}"))
                people.append(Page(name, url, session))
            line = f"/{words}".format(names[-1])
            found.append(WebGame(story, room, line, tuple(people), luck))
        yield found


def pairs() -> Iterable[tuple[int, ...]]:
    """The numbers of those who play a game in a chat, for each game."""
    for at, game_id in enumerate(games.ids()):
        alone = games.get(game_id).seats(games.get(game_id).options_from({})) == 1
        yield (1000 + 2 * at, 1001 + 2 * at)[: 1 if alone else 2]


def in_chats(api: Api) -> Iterable[tuple[str, tuple[Person, ...]]]:
    """Those of Telegram, and the line that begins their matches."""
    for at, people in enumerate(pairs()):
        found = tuple(
            api.person(number, f"T{number}", username=f"t{number}_name") for number in people
        )
        game_id = games.ids()[at]
        begin = f"/{game_id} new" if len(found) == 1 else f"/{game_id} @t{people[1]}_name"
        yield begin, found


# --- in the end -----------------------------------------------------------------------------


def secrets_of(database: Address) -> set[str]:
    """What no log may tell: set-ups and secret moves, cookies being known elsewhere."""
    matches = ask(database, "SELECT id, game, options, setup FROM matches")
    hidden = {
        match: setup
        for match, game_id, options, setup in matches
        if games.get(game_id).hidden(json.loads(options))
    }
    moves = ask(database, "SELECT match_id, notation FROM moves")
    found = {
        move for match, move in moves if match in hidden and move.startswith(("hide ", "unhide "))
    }
    return found.union(hidden.values()) - {""}


def doubled(database: Address, api: Api, standin: Wire) -> Iterable[tuple[str, float | None, str]]:
    """What was told twice: at which front, when the first was said (None: that excuses nothing)."""
    for board, _ in ask(
        database,
        "SELECT board_id, count(*) FROM messages WHERE NOT gone AND board_id IS NOT NULL"
        " GROUP BY board_id HAVING count(*) > 1",
    ):
        yield "web", None, f"board {board}"
    for at, what in play_telegram.doubled(api):
        yield "Telegram", at, what
    for at, what in play_discord.doubled(standin):
        yield "Discord", at, what
