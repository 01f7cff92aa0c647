"""Offers between the players of a match."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import Connection, select, update

from bot.domain.model import Match
from bot.store.boards import Effect
from bot.store.changes import of_match
from bot.store.dialect import hold_people
from bot.store.engine import Store
from bot.store.matches.away import holidays_of, with_holidays
from bot.store.matches.committing import TIMES, bits, bump, change, still, stored_terms, times, work
from bot.store.schema import moves

__all__ = ["offer", "set_clock", "take_back"]


async def offer(
    store: Store, match: Match, after: Match, *, turn: frozenset[int], effect: Effect
) -> bool:
    """Store the offers of `after`; False if the match has changed."""
    values = {
        "offers": [asdict(one) for one in after.offers],
        **work(after, turn, now=store.now()),
    }
    return await change(store, match, values, effect)


async def set_clock(
    store: Store, after: Match, *, turn: Collection[int], effect: Effect
) -> Match | None:
    """Store a new, running clock; return the match, or None if it has changed."""
    async with store.write(of_match(after.id)) as connection:
        await hold_people(connection, *after.people)
        now = store.now()
        after = await with_holidays(connection, after, turn, now=now)
        values = {
            "offers": [asdict(one) for one in after.offers],
            **stored_terms(after.terms),
            **(times(after.running) or dict.fromkeys(TIMES)),
            **holidays_of(after.away),
        }
        values |= still(values, now=now)
        is_stored = await connection.run_sync(
            bump, after.id, after.version, values=values, now=now, effect=effect
        )
    return after if is_stored else None


async def take_back(
    store: Store, before: Match, after: Match, *, turn: frozenset[int], effect: Effect
) -> bool:
    """Take back the moves missing in `after`; False if the match has changed."""
    values = {
        "turn": bits(turn),
        "offers": [asdict(one) for one in after.offers],
        **times(after.running),
        **work(after, turn, now=store.now()),
    }
    live = moves.alias()
    gone = select(live.c.ply).where(live.c.match_id == before.id, live.c.taken_back.is_(None))
    mark = update(moves).where(
        moves.c.match_id == before.id,
        moves.c.ply.in_(gone.order_by(live.c.ply).offset(len(after.plies))),
    )

    def step(connection: Connection) -> bool:
        if not bump(
            connection, before.id, before.version, values=values, now=store.now(), effect=effect
        ):
            return False
        connection.execute(mark.values(taken_back=before.version + 1))
        return True

    return await store.write_at_once(of_match(before.id), step)
