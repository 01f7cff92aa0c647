"""Challenges, and matches that start at once."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.domain.clocks import ClockState
from bot.domain.errors import Refused
from bot.domain.links import new_code
from bot.domain.model import (
    Computer,
    Ending,
    EndingKind,
    Headers,
    NewMatch,
    Player,
    Ply,
    Quotas,
    Status,
)
from bot.domain.terms import Terms, Wishes
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, commit, mover_of, next_version, replayed
from bot.matches.policies import Rights
from bot.store import matches as match_store
from bot.store.leases import Effect
from bot.store.puzzles import PuzzleToTry
from games import AnyGame
from games.computer import LEVELS


async def check_place(
    matches: Matches, game_id: str, place_id: int, *, rights: Rights | None = None
) -> None:
    """Check that the place allows the game to a user with these `rights`. Raises `Refused`."""
    policy = await matches.policies.of(place_id)
    policy.check_game(game_id)
    if rights is not None:
        await policy.check_person(rights)


def _new(game: AnyGame, **more: Any) -> NewMatch:
    return NewMatch(code=new_code(), game=game.id, rules=game.rules_version, **more)


async def propose(
    matches: Matches,
    game: AnyGame,
    options: Mapping[str, str],
    *,
    place_id: int,
    challenger: int,
    opponent: int | None,
    preferred_seat: int | None,
    expires: int,
    held_for: str = "",
    terms: Terms | None = None,
    quotas: Quotas | None = None,
    may_cross: Collection[int] | None = None,
    once: bool = False,
    rights: Rights | None = None,
) -> MatchState:
    """Store a challenge, if the place allows it. Raises as `bot.store.matches.propose`."""
    if opponent == challenger:
        raise Refused("challenge-self")
    await check_place(matches, game.id, place_id, rights=rights)
    new = _new(
        game,
        options=options,
        place_id=place_id,
        challenger=challenger,
        opponent=opponent,
        preferred_seat=preferred_seat,
        expires=expires,
        held_for=held_for,
        terms=Wishes().agreed(game, options) if terms is None else terms,
    )
    match = await match_store.propose(
        matches.unit, new, quotas=quotas, may_cross=may_cross, once=once
    )
    return matches.committed(MatchState(match, game, None))


async def begin(
    matches: Matches,
    game: AnyGame,
    options: Mapping[str, str],
    *,
    place_id: int,
    user_id: int,
    computer: Computer | None = None,
    preferred_seat: int | None = None,
    terms: Terms = Terms(),
    quotas: Quotas | None = None,
    once: bool = False,
    rights: Rights | None = None,
    setup: str = "",
) -> MatchState:
    """Start a match alone or against the computer. Raises `Refused` and `Duplicate`.

    `setup`: the position to start from, which then counts for nothing.
    """
    await check_place(matches, game.id, place_id, rights=rights)
    headers: Headers | None = () if setup else None
    setup = setup or await asyncio.to_thread(game.new_setup, options, matches.rng)
    seats: tuple[Player, ...] = (user_id,)
    if computer is not None:
        first = matches.rng.randrange(2) if preferred_seat is None else preferred_seat
        seats = (user_id, computer) if first == 0 else (computer, user_id)
    new = _new(
        game,
        options=options,
        place_id=place_id,
        challenger=user_id,
        preferred_seat=None if computer is None else preferred_seat,
        terms=terms,
        seats=seats,
        headers=headers,
    )
    return await _begin(matches, game, new, setup, quotas=quotas, once=once)


async def begin_study(
    matches: Matches,
    game: AnyGame,
    options: Mapping[str, str],
    *,
    setup: str,
    place_id: int,
    user_id: int,
    plies: Sequence[Ply] = (),
    headers: Headers = (),
    once: bool = False,
) -> MatchState:
    """Start a study from a position. With `plies`, which must be legal, it is closed after them.

    Raises `Refused`, or `Duplicate` for an untouched duplicate with `once`.
    """
    await check_place(matches, game.id, place_id)
    new = _new(
        game,
        options=options,
        place_id=place_id,
        challenger=user_id,
        seats=(user_id,) * game.seats(options),
        headers=headers,
    )
    begun = await _begin(matches, game, new, setup, once=once)
    if not plies and begun.turn:
        return begun
    played = await asyncio.to_thread(replayed, replace(begun.match, plies=tuple(plies)))
    after = replace(played, match=begun.match)
    ending = Ending(EndingKind.CLOSED) if played.position.turn else None
    return await commit(matches, begun, after, plies, ending)


async def begin_puzzle(
    matches: Matches,
    game: AnyGame,
    puzzle: PuzzleToTry,
    *,
    place_id: int,
    user_id: int,
    quotas: Quotas | None = None,
) -> MatchState:
    """Start an attempt at a puzzle.

    Raises `Refused`, or `Duplicate` if the user has tried it or has another one of the game open.
    """
    await check_place(matches, game.id, place_id)
    computer = Computer(LEVELS)
    new = _new(
        game,
        options=game.options_from(puzzle.options),
        place_id=place_id,
        challenger=user_id,
        preferred_seat=puzzle.seat,
        seats=(user_id, computer) if puzzle.seat == 0 else (computer, user_id),
        puzzle=puzzle.id,
    )
    return await _begin(matches, game, new, puzzle.setup, quotas=quotas)


async def _begin(
    matches: Matches,
    game: AnyGame,
    new: NewMatch,
    setup: str,
    *,
    quotas: Quotas | None = None,
    once: bool = False,
) -> MatchState:
    position = game.start(new.options, setup)
    match = await match_store.begin_at_once(
        matches.unit, new, setup=setup, turn=position.turn, quotas=quotas, once=once
    )
    match = replace(match, mover=mover_of(position))
    return matches.committed(MatchState(match, game, position))


async def accept(
    matches: Matches, match_id: int, user_id: int, *, quotas: Quotas | None = None
) -> MatchState:
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
        position = loaded.game.start(match.options, setup)
        match, first = replace(match, rules=loaded.game.rules_version), match.preferred_seat
        if first is None:
            first = matches.rng.randrange(2)
        users = (match.challenger, user_id) if first == 0 else (user_id, match.challenger)
        running = None
        if clock := match.terms.clock:
            turn, now = position.turn, matches.store.now()
            running = ClockState.start(clock, seats=position.seats, turn=turn, now=now)
        effect = Effect(is_news=True, by=user_id, lease=matches.new_lease())
        begun = await match_store.begin(
            matches.unit,
            match,
            setup=setup,
            users=users,
            turn=position.turn,
            running=running,
            effect=effect,
            quotas=quotas,
        )
        after = MatchState(begun, loaded.game, position)
        return matches.committed(next_version(after, effect))


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
        effect = Effect(is_news, user_id, matches.new_lease())
        await match_store.end_challenge(matches.unit, match, status, effect=effect, by=user_id)
        opponent = user_id if match.held_for and is_news else match.opponent
        closed = {"status": status, "expires": None, "held_for": "", "opponent": opponent}
        return matches.committed(next_version(loaded, effect, **closed))


async def _proposed(matches: Matches, match_id: int) -> MatchState:
    loaded = await reading.get(matches, match_id)
    if loaded.match.status is not Status.PROPOSED:
        raise Refused(f"challenge-{loaded.match.status}")
    return loaded
