"""What is kept of deleted accounts: blocks, unaccepted challenges and known puzzles.

Otherwise a deletion would evade blocks and limits, and reveal solutions of puzzles. The platform's
id is kept as a keyed hash, and only with such data. A new account with that id inherits the data,
and the hash is deleted. Nothing is kept of web users, who have no such id.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, or_, select, update

from bot.store import key_values, puzzles, quotas
from bot.store.database.changes import NOTHING
from bot.store.database.engine import now, writes
from bot.store.schema import (
    OURS,
    blocks,
    erased_attempts,
    erased_blocks,
    erased_challenges,
    identities,
)
from bot.support.platforms import WEB

_PURPOSE = b"azumaya: people who have erased themselves"
"""Derives a key that is separate from the one for buttons."""


def _trace(connection: Connection, platform: str, external: str) -> str:
    secret = bytes.fromhex(key_values.value_of(connection, OURS, "button-key") or "")
    key = hmac.digest(secret, _PURPOSE, "sha256")
    return hmac.new(key, f"{platform}:{external}".encode(), sha256).hexdigest()


def keep(connection: Connection, user_id: int) -> None:
    """Store what is kept of a user. Call it before identities and blocks are deleted."""
    query = select(identities.c.platform, identities.c.external)
    query = query.where(identities.c.user_id == user_id, identities.c.platform != WEB)
    known = connection.execute(query).all()
    at = now(connection)
    held = select(blocks.c.blocker_id, blocks.c.at).where(blocks.c.blocked_id == user_id)
    tried = connection.execute(puzzles.known(user_id, now=at)).scalars()
    kept: dict[Table, Sequence[Any]] = {
        erased_blocks: connection.execute(held).mappings().all(),
        erased_challenges: connection.execute(quotas.unaccepted_challenges(user_id, now=at))
        .mappings()
        .all(),
        erased_attempts: [{"puzzle_id": one} for one in tried],
    }
    for platform, external in known if any(kept.values()) else ():
        trace = _trace(connection, platform, external)
        connection.execute(delete(erased_blocks).where(erased_blocks.c.trace == trace))
        for table, rows in kept.items():
            if rows:
                connection.execute(insert(table), [{**row, "trace": trace} for row in rows])
    clear(connection, user_id)


def clear(connection: Connection, user_id: int) -> None:
    """Delete what is kept on behalf of a user, or under the user's id."""
    connection.execute(delete(erased_blocks).where(erased_blocks.c.blocker_id == user_id))
    mine = or_(
        erased_challenges.c.challenger_id == user_id, erased_challenges.c.opponent_id == user_id
    )
    connection.execute(delete(erased_challenges).where(mine))
    connection.execute(delete(erased_attempts).where(erased_attempts.c.user_id == user_id))


def find(connection: Connection, user_id: int, platform: str, external: str) -> None:
    """Transfer to a new account what was kept of its identity."""
    if platform == WEB:
        return
    trace = _trace(connection, platform, external)
    query = select(erased_blocks.c.blocker_id, erased_blocks.c.at)
    query = query.where(erased_blocks.c.trace == trace)
    if found := connection.execute(query).mappings().all():
        connection.execute(insert(blocks), [{**row, "blocked_id": user_id} for row in found])
        connection.execute(delete(erased_blocks).where(erased_blocks.c.trace == trace))
    for table, owner in ((erased_challenges, "challenger_id"), (erased_attempts, "user_id")):
        theirs = update(table).where(table.c.trace == trace)
        connection.execute(theirs.values({"trace": None, owner: user_id}))


@writes(NOTHING, alone=True)
def unblock(connection: Connection, blocker: int, platform: str, external: str) -> bool:
    """Unblock a deleted account, or one that has come back; False if it was not blocked."""
    known = select(identities.c.user_id).where(
        identities.c.platform == platform, identities.c.external == external
    )
    trace = _trace(connection, platform, external)
    gone = connection.execute(
        delete(erased_blocks).where(
            erased_blocks.c.blocker_id == blocker, erased_blocks.c.trace == trace
        )
    )
    here = connection.execute(
        delete(blocks).where(blocks.c.blocker_id == blocker, blocks.c.blocked_id.in_(known))
    )
    return gone.rowcount + here.rowcount > 0
