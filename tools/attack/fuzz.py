"""What the fuzzers share: users and matches that no stranger may see or change."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import time

import games
from bot.matches import playing
from bot.support.texts import LANGUAGES, Texts
from tests.bot.seated import users
from tests.bot.table import Table
from tests.databases import ask
from tools.attack.players import secrets_of
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Scene


@dataclass
class Victims:
    """Two users with matches of every kind, in a channel where only they are."""

    users: list[int] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """What the log must not contain. Fuzzers add to it."""

    def rows(self, database: Path) -> list[str]:
        """Return all their rows in the database."""
        conditions = [
            *((table, "user_id", self.users) for table in ("results", "identities")),
            *((table, "match_id", self.matches) for table in ("seats", "moves")),
            ("users", "id", self.users),
            ("matches", "id", self.matches),
        ]
        queries = [
            f"SELECT '{table}', {table}.* FROM {table} WHERE {column} IN {(*ids,)}"
            for table, column, ids in conditions
        ]
        columns = "'places', id, external, settings"
        queries.append(f"SELECT {columns} FROM places WHERE id IN {(*self.places,)}")
        return sorted(str(row) for query in queries for row in ask(database, query))


def is_apology(text: object) -> bool:
    """Return whether the bot says that something went wrong on its side."""
    return any(Texts(language)("error-ours") in str(text) for language in LANGUAGES)


@asynccontextmanager
async def unharmed(scene: Scene, app: App) -> AsyncIterator[Victims]:
    """Add victims, and check after the block that they, the database and the log are unharmed."""
    victims, report = await _add_victims(app.database, scene.luck("victims")), scene.report
    before = victims.rows(app.database)
    yield victims
    report.counts["victims' rows"] = len(before)
    changed = set(before) ^ set(victims.rows(app.database))
    report.all_broken("victims' rows are unchanged", sorted(changed))
    report.all_broken("no traceback in the log", app.tracebacks())
    records = Records.read(app.database)
    report.counts["matches that replay"] = len(records.matches)
    report.all_broken("the database is whole and replays", records.problems)
    secrets = [*victims.secrets, *secrets_of(app.database)]
    report.all_broken("no secret in the log", app.leaked(secrets))


async def _add_victims(database: Path, luck: Random) -> Victims:
    table, victims = await Table.open(database, commands_per_second=100), Victims()
    table.clock.now = time()
    try:
        table.lounge = await table.channel("apart")
        one, other = [await table.arrive(name) for name in ("Victoria", "Victor")]
        victims.users = [one.id, other.id]
        victims.places = [table.lounge.id, one.direct.id, other.direct.id]
        for game in map(games.get, games.ids()):
            is_alone = game.seats(game.options_from({})) == 1
            words = f"{game.id} hide" if is_alone else game.id
            victims.matches.append(await table.begin(one, other, words=words))
            await _play(table, victims.matches[-1], luck)
        await playing.resign(table.app.matches, victims.matches[-1], one.id)
        # Two open challenges, and one match alone.
        for line in ("/challenge @Victor othello", "/othello new"):
            await one.types(line)
            victims.matches.append(await table.newest())
        other.place = other.direct
        await other.types("/blackbox new")
        victims.matches.append(await table.newest(other.direct))
        await _play(table, victims.matches[-1], luck)
    finally:
        await table.close()
    return victims


async def _play(table: Table, match: int, luck: Random) -> None:
    """Play four moves that end nothing."""
    for _ in range(4):
        loaded = await table.loaded(match)
        seat = min(loaded.position.turn)
        moves = [loaded.game.notation(move) for move in loaded.position.moves(seat)]
        quiet = [move for move in moves if move not in ("guess", "ready")]
        await playing.play(
            table.app.matches, match, users(loaded.match)[seat], luck.choice(quiet or moves)
        )
