"""What is kept of deleted accounts: blocks, unaccepted challenges and known puzzles.

Otherwise a deletion would evade blocks and limits, and reveal solutions of puzzles. The platform's
id is kept as a keyed hash, and only with such data. A new account with that id inherits the data,
and the hash is deleted. Nothing is kept of web users, who have no such id.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import Connection, delete, insert, or_, select, update

from bot.store import puzzles, quotas
from bot.store.changes import NOTHING
from bot.store.engine import writes
from bot.store.schema import (
    OURS,
    blocks,
    erased_attempts,
    erased_blocks,
    erased_challenges,
    identities,
    key_values,
)
from bot.support.platforms import WEB

_PURPOSE = b"azumaya: people who have erased themselves"
"""Derives a key that is separate from the one for buttons."""


def _traces(connection: Connection, known: Iterable[tuple[str, str]]) -> list[str]:
    query = select(key_values.c.value).where(
        key_values.c.platform == OURS, key_values.c.key == "button-key"
    )
    secret = bytes.fromhex(connection.execute(query).scalar_one())
    key = hmac.digest(secret, _PURPOSE, "sha256")
    return [
        hmac.new(key, f"{name}:{external}".encode(), sha256).hexdigest() for name, external in known
    ]


def keep(connection: Connection, user_id: int, *, now: int) -> None:
    """Store what is kept of a user. Call it before identities and blocks are deleted."""
    query = select(identities.c.platform, identities.c.external)
    query = query.where(identities.c.user_id == user_id, identities.c.platform != WEB.name)
    known = [(row.platform, row.external) for row in connection.execute(query)]
    if known:
        held = select(blocks.c.blocker_id, blocks.c.at).where(blocks.c.blocked_id == user_id)
        blocked = connection.execute(held).all()
        asked = [
            *connection.execute(quotas.in_vain(user_id, now=now)).all(),
            *connection.execute(quotas.in_vain_before(user_id, now=now)).all(),
        ]
        tried = connection.execute(puzzles.known(user_id, now=now)).scalars().all()
        for trace in _traces(connection, known) if blocked or asked or tried else ():
            connection.execute(delete(erased_blocks).where(erased_blocks.c.trace == trace))
            if blocked:
                connection.execute(
                    insert(erased_blocks),
                    [
                        {"blocker_id": row.blocker_id, "trace": trace, "at": row.at}
                        for row in blocked
                    ],
                )
            if asked:
                connection.execute(
                    insert(erased_challenges),
                    [
                        {"opponent_id": row.opponent_id, "trace": trace, "at": row.at}
                        for row in asked
                    ],
                )
            if tried:
                connection.execute(
                    insert(erased_attempts), [{"puzzle_id": one, "trace": trace} for one in tried]
                )
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
    if platform == WEB.name:
        return
    (trace,) = _traces(connection, [(platform, external)])
    query = select(erased_blocks.c.blocker_id, erased_blocks.c.at)
    query = query.where(erased_blocks.c.trace == trace)
    if found := connection.execute(query).all():
        connection.execute(
            insert(blocks),
            [{"blocker_id": row.blocker_id, "blocked_id": user_id, "at": row.at} for row in found],
        )
        connection.execute(delete(erased_blocks).where(erased_blocks.c.trace == trace))
    connection.execute(
        update(erased_challenges)
        .where(erased_challenges.c.trace == trace)
        .values(trace=None, challenger_id=user_id)
    )
    connection.execute(
        update(erased_attempts)
        .where(erased_attempts.c.trace == trace)
        .values(trace=None, user_id=user_id)
    )


@writes(NOTHING, alone=True)
def unblock(connection: Connection, blocker: int, platform: str, external: str) -> bool:
    """Unblock a deleted account, or one that has come back; False if it was not blocked."""
    known = select(identities.c.user_id).where(
        identities.c.platform == platform, identities.c.external == external
    )
    (trace,) = _traces(connection, [(platform, external)])
    gone = connection.execute(
        delete(erased_blocks).where(
            erased_blocks.c.blocker_id == blocker, erased_blocks.c.trace == trace
        )
    )
    here = connection.execute(
        delete(blocks).where(blocks.c.blocker_id == blocker, blocks.c.blocked_id.in_(known))
    )
    return gone.rowcount + here.rowcount > 0
