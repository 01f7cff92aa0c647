"""Who plays on the three fronts: every game on each of them, and what is counted of them in the
end."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import games
from bot.model import is_reference
from bot.store import Address
from tests.bot.fronts.telegram.server import Person
from tests.databases import ask
from tools.attack import play_discord, posts
from tools.attack.ledger import secrets_in
from tools.attack.page import Page, browser
from tools.attack.play_discord import Wire
from tools.attack.play_web import WebGame
from tools.attack.posts import Api
from tools.attack.story import Story, within

__all__ = [
    "TOLD_TWICE",
    "about_double",
    "at_the_web",
    "doubled_at_the_web",
    "in_chats",
    "noted",
    "pairs",
    "rooms",
    "secrets_of",
    "told_once",
]

TOLD_TWICE = "nobody is told twice"
"""The check of that name."""
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
    moves: defaultdict[int, list[str]] = defaultdict(list)
    for match, move in ask(database, "SELECT match_id, notation FROM moves"):
        moves[match].append(move)
    found: set[str] = set()
    about = "SELECT id, game, options, setup FROM matches"
    for match, game_id, options, setup in ask(database, about):
        found |= secrets_in(game_id, options, setup, moves[match])
    return found


def told_once(story: Story, database: Address, *, api: Api, standin: Wire) -> None:
    """Report what was told twice; what no house could avoid is counted."""
    report = story.report
    for board in doubled_at_the_web(database):
        report.broken(TOLD_TWICE, f"web: board {board}")
    known = api.known() | noted(database)
    for double in posts.doubled(api):
        if story.is_unavoidable(double, known=known):
            report.count("said again, the fault having come before the note, Telegram")
        else:
            report.broken(TOLD_TWICE, about_double(story, double, known))
    for at, what in play_discord.doubled(standin):
        # What was under way when the house died may have arrived without its knowing.
        if story.was_cut(at, by=within(1.0)):
            report.count("said again, the fault having come before the note, Discord")
        else:
            report.broken(TOLD_TWICE, f"Discord: {what}, first at {at:.3f} ({story.around(at)})")


def doubled_at_the_web(database: Address) -> set[int]:
    """Boards at the web table that stand there twice."""
    found = ask(
        database,
        "SELECT board_id FROM messages WHERE NOT gone AND board_id IS NOT NULL"
        " GROUP BY board_id HAVING count(*) > 1",
    )
    return {board for (board,) in found}


def about_double(story: Story, double: posts.Double, known: Collection[tuple[int, int]]) -> str:
    """What was said twice on Telegram, and what had been cut off around it."""
    first, again = double.first, double.again
    state = "known" if first.key in known else "not known"
    around = f"{story.around(first.at)}; {story.around(again.at)}"
    return f"Telegram: {double}; the first is {state}; {around}"


def noted(database: Address) -> set[tuple[int, int]]:
    """Chats on Telegram and numbers of messages in them that boards, and news, are known to be."""
    rows = ask(
        database,
        "SELECT external, message, former, notice, former_notice FROM boards"
        " JOIN places ON places.id = place_id WHERE boards.platform = 'telegram'",
    )
    return {
        (int(chat), int(one)) for chat, *messages in rows for one in messages if is_reference(one)
    }
