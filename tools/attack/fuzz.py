"""What all fuzzers share: victims whose data no stranger may see or change."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import games
from bot import app
from bot.model import PlaceKind
from bot.settings import Settings
from bot.store import people, places
from bot.texts import LANGUAGES, Texts
from tests.bot.seated import users
from tests.databases import ask
from tools.attack.ledger import Ledger
from tools.attack.people import secrets_of
from tools.attack.process import App
from tools.attack.report import Scene

__all__ = ["Victims", "is_apology", "unharmed"]

_FAR = 2**31
_PLACES = {"web": "apart", "telegram": "-9000", "discord": "101/9000"}
"""A place on each platform where only the victims are."""


@dataclass
class Victims:
    """Two users on each platform, with matches of every kind."""

    users: list[int] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """What the log must not contain. Fuzzers add to it."""

    def rows(self, database: Path) -> list[str]:
        """Return all their rows in the database."""
        users, matches, places = (
            f"({', '.join(map(str, ids))})" for ids in (self.users, self.matches, self.places)
        )
        queries = (
            f"SELECT * FROM matches WHERE id IN {matches}",
            f"SELECT * FROM seats WHERE match_id IN {matches}",
            f"SELECT * FROM moves WHERE match_id IN {matches}",
            f"SELECT * FROM results WHERE user_id IN {users}",
            f"SELECT * FROM users WHERE id IN {users}",
            f"SELECT * FROM identities WHERE user_id IN {users}",
            f"SELECT id, external, settings FROM places WHERE id IN {places}",
        )
        return sorted(f"{query[:25]}: {row}" for query in queries for row in ask(database, query))


def is_apology(text: object) -> bool:
    """Return whether the bot says that something went wrong on its side."""
    return any(Texts(language)("error-ours") in str(text) for language in LANGUAGES)


@asynccontextmanager
async def unharmed(scene: Scene, target: App) -> AsyncIterator[Victims]:
    """Add victims, and check after the block that they, the database and the log are unharmed."""
    victims, luck, report = Victims(), scene.luck("victims"), scene.report
    core = await app.App.open(Settings(database=target.database))
    try:
        for platform in _PLACES:
            await _add(core, platform, victims, luck)
    finally:
        await core.close()
    before = victims.rows(target.database)
    yield victims
    report.counts["victims' rows"] = len(before)
    changed = set(before) ^ set(victims.rows(target.database))
    report.all_broken("victims' rows are unchanged", sorted(changed))
    report.all_broken("no traceback in the log", target.tracebacks())
    ledger = Ledger.read(target.database)
    report.counts["matches that replay"] = len(ledger.matches)
    report.all_broken("the database is whole and replays", ledger.problems)
    secrets = [*victims.secrets, *secrets_of(target.database)]
    report.all_broken("no secret in the log", target.tells(secrets))


async def _add(core: app.App, platform: str, victims: Victims, luck: Random) -> None:
    identities = [str(9_000_001 + at) if platform != "web" else f"{at + 7}" * 64 for at in (0, 1)]
    pair = []
    for identity, name in zip(identities, ("Victoria", "Victor"), strict=True):
        user = await people.get_or_create_user(
            core.store, platform, identity, name=name, handle=name.casefold()
        )
        pair.append(user.id)
        direct = (await core.directory.direct(platform, identity, "Azumaya")).id
        victims.places.append(direct)
    apart = await places.get_or_create_place(
        core.store, platform, _PLACES[platform], kind=PlaceKind.CHANNEL, title="#apart"
    )
    victims.places.append(apart.id)
    victims.users += pair
    for game in map(games.get, games.ids()):
        if game.seats(game.options_from({})) == 1:
            options = game.options_from({"mode": "hide"})
            started = await core.matches.begin_at_once(
                game, game.options_from({}), place_id=direct, user_id=pair[1]
            )
            victims.matches.append(started.match.id)
            await _play(core, started.match.id, luck)
        else:
            options = game.options_from({})
        match = await _propose(core, game, options, place=apart.id, pair=(pair[0], pair[1]))
        victims.matches.append(match)
        await core.matches.accept(match, pair[1])
        await _play(core, match, luck)
    # The last of them is over.
    await core.matches.resign(victims.matches[-1], pair[0])
    game = games.get("othello")
    for opponent in (pair[1], None):
        challenge = await _propose(
            core, game, game.options_from({}), place=apart.id, pair=(pair[0], opponent)
        )
        victims.matches.append(challenge)


async def _propose(
    core: app.App,
    game: games.AnyGame,
    options: games.Options,
    *,
    place: int,
    pair: tuple[int, int | None],
) -> int:
    loaded = await core.matches.propose(
        game,
        options,
        place_id=place,
        challenger=pair[0],
        opponent=pair[1],
        preferred_seat=None,
        expires=_FAR,
    )
    return loaded.match.id


async def _play(core: app.App, match: int, luck: Random) -> None:
    """Play four moves that end nothing."""
    for _ in range(4):
        loaded = await core.matches.get(match)
        seat = min(loaded.position.turn)
        moves = [loaded.game.notation(move) for move in loaded.position.moves(seat)]
        quiet = [move for move in moves if move not in ("guess", "ready")]
        await core.matches.play(match, users(loaded.match)[seat], luck.choice(quiet or moves))
