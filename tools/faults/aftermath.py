"""What must hold after a death: the house starts again on what was left, and people go on.

All that is due is done, whoever was not answered asks once more, somebody moves, time passes until
nothing waits any more. Then what is stored and what the platforms show is looked at, and nothing
else.
"""

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bot.delivery.audience import best_board
from bot.model import ERASED, UNSURE, Status, is_reference
from bot.news import to_tell
from bot.store import boards, people, places
from tools.attack.ledger import Ledger
from tools.attack.people import secrets_of
from tools.faults.evening import Evening
from tools.faults.house import HOURS, House, WholeState
from tools.faults.platforms import Platform
from tools.faults.report import Aftermath

__all__ = ["after"]


@dataclass(frozen=True, slots=True)
class _Unknown:
    """What stood at a platform, and its database did not know, when the process died."""

    messages: frozenset[str]
    boards: frozenset[tuple[int, int | None, int]]
    """Places, seats and matches of those that are boards."""
    tellings: frozenset[tuple[str, int, int]]
    """Persons, matches and versions of those that have called somebody."""

    @classmethod
    def at(cls, file: Path, wall: Platform) -> "_Unknown":
        known = _known(file, wall.platform)
        with closing(sqlite3.connect(file)) as connection:
            boards = {row[0] for row in connection.execute("SELECT id FROM boards")}
        messages = frozenset(
            message
            for message in (wall.posts.keys() | wall.notices) - known - wall.unheard - wall.said
            # What belongs to no board any more was known once.
            if message not in wall.posts or wall.posts[message].board in boards
        )
        return cls(
            messages,
            frozenset(
                (post.place, post.seat, post.match)
                for message, post in wall.posts.items()
                if message in messages
            ),
            frozenset(
                (told.external, told.match, told.version)
                for told in wall.tellings
                if told.message in messages
            ),
        )


async def after(
    state: WholeState, evening: Evening, *, luck: Random, logged: Collection[Mapping[str, Any]]
) -> Aftermath:
    """Start again on what was left behind, go on, and look."""
    found = Aftermath()
    unknown = {name: _Unknown.at(state.file, wall) for name, wall in state.platforms.items()}
    _mended(state.file, evening.mends)
    house = await House.again(state, evening.house, luck)
    try:
        there = evening.on(house)
        there.luck = luck
        await _goes_on(there)
        found.broken += [what async for what in _untold(house)]
    finally:
        await house.close()
    found.broken += _stored(state.file, there)
    for name, wall in house.walls.items():
        found.broken += _shown(state.file, wall, found.doubles)
        found.broken += _left_behind(state.file, wall, unknown[name], found.doubles)
        found.broken += _called_twice(wall, unknown[name], found.doubles)
    found.broken += _logged(state.file, logged)
    return found


def _mended(file: Path, mends: Collection[str]) -> None:
    """The host does what is to be done before the house starts again."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for mend in mends:
            connection.execute(mend)


async def _goes_on(evening: Evening) -> None:
    await evening.settles()
    for doing in list(evening.doing):
        await evening.again(doing)
        await evening.settles()
    for name in reversed(evening.matches):
        # The one that was begun last, and is on.
        if (await evening.house.loaded(evening.matches[name])).match.status is Status.RUNNING:
            await evening.moves(name)
            break
    # Whoever has found a place closed is spoken to again, and what was put off is done.
    for wall in evening.house.walls.values():
        wall.closed.clear()
    await evening.passes(7 * 3600)
    await evening.passes(HOURS * 3600)


# --- what is stored -------------------------------------------------------------------------

_NOT_LOOKED_BACK_ON = """
    SELECT match_id, done, total FROM analyses WHERE work_after IS NOT NULL OR done < total
"""


def _stored(file: Path, evening: Evening) -> Iterator[str]:
    ledger = Ledger.read(file)
    yield from (f"the database is whole and replays: {problem}" for problem in ledger.problems)
    for move in ledger.lost(evening.acknowledged):
        yield f"every acknowledged move is stored, once: {move}"
    with closing(sqlite3.connect(file)) as connection:
        for row in connection.execute("SELECT id FROM matches WHERE status = 'proposed'"):
            yield f"challenges expire: match {row[0]}"
        for row in connection.execute(_NOT_LOOKED_BACK_ON):
            yield f"what was asked for is looked back on: match {row[0]}, {row[1]} of {row[2]}"


# --- what is shown --------------------------------------------------------------------------


def _known(file: Path, platform: str) -> set[str]:
    """The messages that the database knows."""
    query = "SELECT message, former, notice, former_notice FROM boards WHERE platform = ?"
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(query, (platform,)).fetchall()
    return {message for row in rows for message in row if message}


def _shown(file: Path, wall: Platform, doubles: Counter[str]) -> Iterator[str]:
    """Each board shows its match as it is."""
    query = """
        SELECT boards.*, matches.version, places.external, places.settings FROM boards
        JOIN matches ON matches.id = boards.match_id JOIN places ON places.id = boards.place_id
        WHERE boards.platform = ?
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        rows = connection.execute(query, (wall.platform,)).fetchall()
    for row in rows:
        what = f"{wall.platform}, board {row['id']} of match {row['match_id']}"
        if row["place_id"] in wall.gone:
            continue
        behind = row["shown"] < row["wanted"] or row["notified"] < row["news"]
        if behind or row["former"] or row["former_notice"]:
            yield f"nothing is left to do: {what}"
        if row["message"] == UNSURE:
            doubles[f"{wall.platform}: a board of which nobody knows whether it is there"] += 1
        elif not is_reference(row["message"]):
            continue
        elif (post := wall.posts.get(row["message"])) is None:
            yield f"boards are current: {what} is not there"
        elif post.version != row["version"]:
            yield f"boards are current: {what} is at {post.version} of {row['version']}"


def _left_behind(
    file: Path, wall: Platform, unknown: _Unknown, doubles: Counter[str]
) -> Iterator[str]:
    """No message stands there that nobody knows of."""
    with closing(sqlite3.connect(file)) as connection:
        gone = connection.execute("SELECT id FROM places WHERE external LIKE ?", (f"{ERASED}%",))
        erased = {row[0] for row in gone}
    known = _known(file, wall.platform)
    for message in sorted((wall.posts.keys() | wall.notices) - known - wall.unheard - wall.said):
        left = wall.posts.get(message, "a notice")
        if message in wall.posts and wall.posts[message].place in erased:
            doubles[f"{wall.platform}: a board of somebody whom nobody can name any more"] += 1
        elif wall.limits.repeats and message in unknown.messages:
            kind = "a board" if message in wall.posts else "a notice"
            doubles[f"{wall.platform}: {kind} that nobody knows of"] += 1
        else:
            yield f"no message is left behind: {wall.platform}, {message}: {left}"


# --- who is told ----------------------------------------------------------------------------


def _called_twice(wall: Platform, unknown: _Unknown, doubles: Counter[str]) -> Iterator[str]:
    count = Counter(
        (one.external, one.match, one.version)
        for one in wall.tellings
        if one.message not in wall.unheard
    )
    for what, number in count.items():
        if number == 2 and wall.limits.repeats and what in unknown.tellings:
            doubles[f"{wall.platform}: called twice"] += 1
        elif number > 1:
            yield f"nobody is called twice: {wall.platform}, {what}, {number} times"


async def _untold(house: House) -> AsyncIterator[str]:
    """Whoever is to hear of something has heard of it: by a message that called them."""
    store, policies = house.app.store, house.app.policies
    for match_id in sorted(_perhaps_untold(house)):
        loaded = await house.loaded(match_id)
        shown = await boards.of_match(store, match_id)
        where = {board.id: await places.place(store, board.place_id) for board in shown}
        out = {one.id for one in where.values() if await policies.is_shut_out(one)}
        for name, wall in house.walls.items():
            if not wall.limits.notifies:
                continue
            whom = await people.reachable(store, name, to_tell(loaded))
            for user, one in whom.items():
                by = {name: one.external}
                if best_board(shown, where, by, shut_out=out) is None:
                    continue
                if _heard(wall, one.external, match_id) < loaded.match.news:
                    status = loaded.match.status
                    yield f"everybody is told: {name}, user {user}, match {match_id} ({status})"


def _heard(wall: Platform, external: str, match: int) -> int:
    """The newest version of a match of which somebody was told."""
    told = ((one.version, one.external, one.match) for one in wall.tellings)
    return max((at for at, *of in told if of == [external, match]), default=0)


_CONCERNED = """
    SELECT matches.id, matches.news, identities.platform, identities.external
    FROM matches JOIN identities ON identities.user_id IN (
        SELECT user_id FROM seats WHERE seats.match_id = matches.id
        UNION SELECT matches.challenger_id UNION SELECT matches.opponent_id
    ) WHERE identities.user_id IS NOT matches.news_by
"""


def _perhaps_untold(house: House) -> set[int]:
    """Matches of whose news somebody has not heard who has to do with them."""
    with closing(sqlite3.connect(house.file)) as connection:
        rows = connection.execute(_CONCERNED).fetchall()
    return {
        match
        for match, news, platform, external in rows
        if (wall := house.walls[platform]).limits.notifies and _heard(wall, external, match) < news
    }


_DAMAGED = "match cannot be replayed"
"""Is to be logged, once in the evening."""

# --- what is logged -------------------------------------------------------------------------


def _logged(file: Path, logged: Collection[Mapping[str, Any]]) -> Iterator[str]:
    said = "\n".join(map(str, logged))
    for secret in secrets_of(file):
        if secret in said:
            yield "no secret is logged"
    for entry in logged:
        if entry.get("log_level") in ("error", "critical") and entry["event"] != _DAMAGED:
            yield f"nothing fails: {entry}"
