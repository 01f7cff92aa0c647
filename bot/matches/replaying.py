"""Replay stored matches.

A match that cannot be replayed is set aside: its boards stay, and it is logged once, until it can
be replayed again.
"""

import asyncio
from dataclasses import replace

from structlog import get_logger

import games
from bot.domain.errors import Refused
from bot.domain.model import Match, Status
from bot.matches.loaded import LoadedMatch
from bot.matches.matches import Matches
from bot.store import matches as match_store
from games import GameError

_log = get_logger(__name__)


class UnreadableError(Exception):
    """A stored match cannot be replayed. The text is a code without secrets."""


def replayed(match: Match) -> LoadedMatch:
    """Replay a stored match. Raises `UnreadableError`."""
    try:
        return _on_board(match)
    except (MemoryError, UnreadableError):
        raise
    except GameError as error:
        raise UnreadableError(error.code) from None
    except Exception as error:  # noqa: BLE001 - stored rows can be wrong in any way
        raise UnreadableError(type(error).__name__) from None


def _on_board(match: Match) -> LoadedMatch:
    if match.game not in games.ids():
        raise UnreadableError("unknown-game")
    game = games.get(match.game)
    # Current rules may have options that older ones had not.
    match = replace(match, options=game.options_from(match.options), is_aside=False)
    if match.status is Status.PROPOSED or not match.seats:
        return LoadedMatch(match, game, None)
    position, last, before = game.start(match.options, match.setup), None, None
    for was, _, move, after in game.plies(match.options, match.setup, match.moves):
        position, last, before = after, move, was
    return LoadedMatch(match, game, position, last, before)


async def replay(matches: Matches, match_id: int, match: Match | None) -> LoadedMatch:
    """Replay a match that was read. Raises `Refused`."""
    if match is None or _is_newer(matches, match):
        raise Refused("no-such-match", match=match_id)
    try:
        # Without moves there is nothing slow to replay.
        loaded = await asyncio.to_thread(replayed, match) if match.plies else replayed(match)
    except UnreadableError as error:
        if await match_store.put_aside(matches.store, match_id):
            _log.error("match cannot be replayed", match=match_id, reason=str(error))
        raise Refused("no-such-match", match=match_id) from error
    if match.is_aside:
        await match_store.take_up(matches.store, match_id)
        _log.info("match can be replayed again", match=match_id)
        matches.changed()
    return loaded


def _is_newer(matches: Matches, match: Match) -> bool:
    """Return whether only a newer release knows the rules of the match."""
    if match.game not in games.ids() or match.rules <= games.get(match.game).rules:
        return False
    if match.game not in matches.newer:
        matches.newer.add(match.game)
        _log.warning("matches of newer rules ignored", game=match.game, rules=match.rules)
    return True
