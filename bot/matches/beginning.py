"""Challenges, and matches that start at once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import games
from bot.domain.errors import Refused
from bot.domain.model import Computer, Ending, EndingKind, NewMatch, Player, Ply, Status
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, commit, next_version, replayed
from bot.matches.policies import Rights
from bot.store import matches as match_store


async def check_place(
    matches: Matches, game_id: str, place_id: int, *, rights: Rights | None = None
) -> None:
    """Check that the place allows the game to a user with these `rights`. Raises `Refused`."""
    policy = await matches.policies.of(place_id)
    policy.check_game(game_id)
    if rights is not None:
        await policy.check_person(rights)


async def propose(
    matches: Matches,
    new: NewMatch,
    *,
    rights: Rights | None = None,
    may_cross: bool = True,
    once: bool = False,
) -> MatchState:
    """Store a challenge, if the place allows it. Raises as `bot.store.matches.create`."""
    if new.opponent == new.challenger:
        raise Refused("challenge-self")
    await check_place(matches, new.game, new.place_id, rights=rights)
    match = await match_store.create(
        matches.unit, new, quotas=matches.quotas(), may_cross=may_cross, once=once
    )
    return matches.committed(MatchState(match, games.get(new.game), None))


async def begin(
    matches: Matches,
    new: NewMatch,
    setup: str | None = None,
    *,
    computer: Computer | None = None,
    plies: Sequence[Ply] = (),
    rights: Rights | None = None,
    once: bool = False,
) -> MatchState:
    """Start a match alone, against the computer, a puzzle or a study, if the place allows it.

    Without a `setup` one is drawn. A study with `plies`, which must be legal, is closed after them.
    Raises as `bot.store.matches.create`.
    """
    await check_place(matches, new.game, new.place_id, rights=rights)
    game = games.get(new.game)
    if setup is None:
        setup = await asyncio.to_thread(game.new_setup, new.options, matches.rng)
    seats: tuple[Player, ...] = (new.challenger,) * game.seats(new.options)
    if computer is not None:
        first = new.preferred_seat
        first = matches.rng.randrange(2) if first is None else first
        seats = (new.challenger, computer) if first == 0 else (computer, new.challenger)
    position = game.start(new.options, setup)
    new = replace(new, seats=seats, setup=setup, turn=position.turn)
    quotas = matches.quotas()
    match = await match_store.create(matches.unit, new, quotas=quotas, once=once)
    begun = matches.committed(MatchState(match, game, position))
    if not plies and begun.turn:
        return begun
    played = await asyncio.to_thread(replayed, replace(match, plies=tuple(plies)))
    ending = Ending(EndingKind.CLOSED) if played.position.turn else None
    return await commit(matches, begun, replace(played, match=match), plies, ending)


async def accept(matches: Matches, match_id: int, user_id: int) -> MatchState:
    """Accept a challenge, if its place still allows the game. Raises `Refused`."""
    async with matches.locked(match_id):
        loaded = await _proposed(matches, match_id)
        match = loaded.match
        if user_id == match.challenger:
            raise Refused("accept-own")
        if match.opponent not in (None, user_id):
            raise Refused("challenge-for-other")
        await check_place(matches, match.game, match.place_id)
        setup = await asyncio.to_thread(loaded.game.new_setup, match.options, matches.rng)
        start = MatchState(match, loaded.game, loaded.game.start(match.options, setup))
        first = match.preferred_seat
        if first is None:
            first = matches.rng.randrange(2)
        after = next_version(
            start,
            is_news=True,
            by=user_id,
            status=Status.RUNNING,
            rules=loaded.game.rules_version,
            setup=setup,
            seats=(match.challenger, user_id) if first == 0 else (user_id, match.challenger),
            opponent=user_id if match.held_for else match.opponent,
            expires=None,
            held_for="",
            clocks=start.new_clocks(match.terms.clock, now=matches.store.now()),
        )
        lease, quotas = matches.new_lease(), matches.quotas()
        begun = await match_store.begin(
            matches.unit, match, after.match, lease=lease, quotas=quotas
        )
        return matches.committed(replace(after, match=begun))


async def end_challenge(
    matches: Matches, match_id: int, status: Status, *, user_id: int | None = None
) -> MatchState:
    """End a challenge: declined, withdrawn or expired. Raises `Refused`."""
    async with matches.locked(match_id):
        loaded = await _proposed(matches, match_id)
        match = loaded.match
        is_theirs = match.opponent == user_id or bool(match.held_for)
        if status is Status.DECLINED and not is_theirs:
            raise Refused("challenge-for-other")
        if status is Status.WITHDRAWN and match.challenger != user_id:
            raise Refused("challenge-not-yours")
        # The challenger is notified of a refusal, the opponent of nothing.
        is_news = status is Status.DECLINED
        # It counts as one that they declined.
        opponent = user_id if match.held_for and is_news else match.opponent
        changes = {"status": status, "expires": None, "held_for": "", "opponent": opponent}
        after = next_version(loaded, is_news=is_news, by=user_id, **changes)
        lease = matches.new_lease()
        await match_store.end_challenge(matches.unit, match, after.match, lease=lease)
        return matches.committed(after)


async def _proposed(matches: Matches, match_id: int) -> MatchState:
    loaded = await reading.get(matches, match_id)
    if loaded.match.status is not Status.PROPOSED:
        raise Refused(f"challenge-{loaded.match.status}")
    return loaded
