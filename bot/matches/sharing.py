"""Games that players share with anyone: who may share, and what the world may see.

The code of a share is the address of its page. It is not the match's, which proves an invitation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_urlsafe

from bot.domain.errors import Refused
from bot.domain.model import Computer, Player, Status
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, replayed
from bot.matches.names import Names, computer_name
from bot.store import shares
from bot.store.shares import Share
from bot.support.texts import Texts

_BYTES = 16
"""128 bits: trying finds no page."""
_A_DAY = 50
"""Games that a user may share in a day."""


def check_may_share(loaded: MatchState, user_id: int) -> int:
    """Return the seat of a user who may share the match now. Raises `Refused`."""
    seat = loaded.match.seat_of(user_id)
    if seat is None:
        raise Refused("not-in-match")
    if not _is_open(loaded):
        raise Refused("share-secret")
    return seat


def _is_open(loaded: MatchState) -> bool:
    """Return whether the match is over, or is played and hides nothing."""
    match = loaded.match
    if match.status is Status.RUNNING:
        return not match.is_puzzle and not loaded.game.has_secrets(match.options)
    return match.status is Status.OVER


async def share(matches: Matches, loaded: MatchState, user_id: int) -> Share:
    """Share a match, unless it is shared. Raises `Refused`."""
    check_may_share(loaded, user_id)
    code = token_urlsafe(_BYTES)
    return await shares.put(matches.unit, loaded.match.id, user_id, code, most=_A_DAY)


async def shared(matches: Matches, code: str) -> "Shared":
    """Return what is shared under a code. Raises `Refused`."""
    share = await shares.by_code(matches.store, code)
    if share is None:
        raise Refused("no-such-code")
    loaded = await reading.get(matches, share.match_id)
    if not _is_open(loaded):
        raise Refused("no-such-code")
    if loaded.match.headers:
        # The people of an imported record have agreed to nothing, and its text can be anything.
        loaded = replace(loaded, match=replace(loaded.match, headers=()))
    return Shared(share, loaded)


@dataclass(frozen=True, slots=True)
class Shared:
    """A shared match."""

    share: Share
    loaded: MatchState

    @property
    def people(self) -> frozenset[int]:
        """Return the seats whose users have a say about names. A puzzle shows none."""
        match = self.loaded.match
        seats = (seat for seat, who in enumerate(match.seats) if isinstance(who, int))
        return frozenset() if match.is_puzzle else frozenset(seats)

    @property
    def is_named(self) -> bool:
        """Return whether all players have agreed to show their names."""
        return bool(self.people) and self.people <= self.share.named

    def opened(self) -> MatchState:
        """Return the match as all may see it: of a puzzle, only its position. Blocking."""
        match = self.loaded.match
        if not match.is_puzzle:
            return self.loaded
        # Version 0: its pictures are not those of the attempt.
        asked = replace(
            match, status=Status.RUNNING, ending=None, outcome=None, plies=(), version=0
        )
        return replayed(asked)

    async def names(self, names: Names, texts: Texts) -> Mapping[Player, str]:
        match = self.loaded.match
        if self.is_named or match.is_puzzle:
            return await names.seated(match, texts)
        return anonymous(self.loaded, texts)


def anonymous(loaded: MatchState, texts: Texts) -> dict[Player, str]:
    """Return what players are called who have not agreed to show their names."""
    return {
        who: computer_name(who, texts) if isinstance(who, Computer) else _side(loaded, seat, texts)
        for seat, who in enumerate(loaded.match.seats)
    }


def _side(loaded: MatchState, seat: int, texts: Texts) -> str:
    match, game = loaded.match, loaded.game
    has_roles = game.role(loaded.view(None), seat) is not None
    if len(match.seats) < 2 or has_roles:
        return texts("share-player", number=seat + 1, people=len(match.seats))
    return texts(f"{game.id}-seat-{seat}")
