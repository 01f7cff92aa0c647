"""People who are left in peace: matches of every kind that no stranger may see or change.

They are laid into the database before the house opens, so that their numbers are known: matches
of all games, a box half hidden, a finished one, one alone in direct messages, and challenges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import games
from bot.app import App
from bot.model import PlaceKind
from bot.settings import Settings
from bot.store import people, places
from tests.bot.seated import users
from tests.bot.table import file_of
from tools.attack.ledger import rows_of

__all__ = ["Victims", "lay"]

_FAR = 2**31
_PLATFORMS = ("web", "telegram", "discord")


@dataclass(frozen=True)
class Victims:
    """Who they are, and what is theirs."""

    database: Path
    users: tuple[int, ...]
    matches: tuple[int, ...]
    places: tuple[int, ...]

    def rows(self) -> list[str]:
        """Everything of theirs in the database, to be compared byte by byte."""
        users, matches, places = map(_among, (self.users, self.matches, self.places))
        return rows_of(
            self.database,
            [
                (f"SELECT * FROM matches WHERE id IN {matches} ORDER BY id", ()),
                (f"SELECT * FROM seats WHERE match_id IN {matches} ORDER BY 1, 2", ()),
                (f"SELECT * FROM moves WHERE match_id IN {matches} ORDER BY 1, 2", ()),
                (f"SELECT * FROM results WHERE user_id IN {users} ORDER BY 1, 2", ()),
                (f"SELECT * FROM users WHERE id IN {users} ORDER BY id", ()),
                (f"SELECT * FROM identities WHERE user_id IN {users} ORDER BY 1, 2", ()),
                (f"SELECT id, external, settings FROM places WHERE id IN {places} ORDER BY id", ()),
            ],
        )


def _among(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(str, numbers))})"


async def lay(database: Path, luck: Random) -> Victims:
    """Put two people into a new database, with matches on every platform."""
    app = await App.open(Settings(database=database))
    try:
        found = [await _at(app, platform, luck) for platform in _PLATFORMS]
    finally:
        await app.close()
    return Victims(
        file_of(app.settings),
        tuple(user for victims in found for user in victims.users),
        tuple(match for victims in found for match in victims.matches),
        tuple(place for victims in found for place in victims.places),
    )


async def _at(app: App, platform: str, luck: Random) -> Victims:
    names = ("Victoria", "Victor")
    identities = [str(9_000_001 + at) if platform != "web" else f"{at + 7}" * 64 for at in (0, 1)]
    users = [
        await people.get_or_create_user(
            app.store, platform, identity, name=name, handle=name.casefold()
        )
        for identity, name in zip(identities, names, strict=True)
    ]
    direct = [await app.directory.direct(platform, identity, "Azumaya") for identity in identities]
    # A place of their own: nobody else is ever there.
    external = {"web": "apart", "telegram": "-9000", "discord": "101/9000"}[platform]
    apart = await places.get_or_create_place(
        app.store, platform, external, kind=PlaceKind.CHANNEL, title="#apart"
    )
    matches = []
    for game_id in games.ids():
        game = games.get(game_id)
        alone = game.seats(game.options_from({})) == 1
        options = game.options_from({"mode": "hide"} if alone else {})
        loaded = await app.matches.propose(
            game,
            options,
            place_id=apart.id,
            challenger=users[0].id,
            opponent=users[1].id,
            preferred_seat=0,
            expires=_FAR,
        )
        matches.append(loaded.match.id)
        await app.matches.accept(loaded.match.id, users[1].id)
        await _play(app, loaded.match.id, luck, moves=4)
        if alone:
            loaded = await app.matches.begin_at_once(
                game, game.options_from({}), place_id=direct[0].id, user_id=users[0].id
            )
            matches.append(loaded.match.id)
            await _play(app, loaded.match.id, luck, moves=5)
    last = games.get("othello")
    for place, opponent in ((apart, users[1].id), (direct[0], None), (apart, None)):
        loaded = await app.matches.propose(
            last,
            last.options_from({}),
            place_id=place.id,
            challenger=users[0].id,
            opponent=opponent,
            preferred_seat=None,
            expires=_FAR,
        )
        matches.append(loaded.match.id)
    # One that is over: given up.
    await app.matches.resign(matches[-4], users[0].id)
    return Victims(
        file_of(app.settings),
        tuple(user.id for user in users),
        tuple(matches),
        (apart.id, *(place.id for place in direct)),
    )


async def _play(app: App, match: int, luck: Random, *, moves: int) -> None:
    """Some random moves; a guess ends a match, and is left out."""
    for _ in range(moves):
        loaded = await app.matches.get(match)
        seat = min(loaded.position.turn, default=None)
        if seat is None:
            return
        texts = [loaded.game.notation(move) for move in loaded.position.moves(seat)]
        quiet = [text for text in texts if text not in ("guess", "ready")]
        await app.matches.play(match, users(loaded.match)[seat], luck.choice(quiet or texts))
