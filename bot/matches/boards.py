"""Boards in places: posted, and recognised when pressed."""

from enum import Enum, auto

from bot.domain.errors import Refused
from bot.domain.model import UNSURE, Board, Place, PlaceKind
from bot.matches import Matches, MatchState, beginning
from bot.matches.policies import Rights
from bot.store import boards as board_store


class Relation(Enum):
    """The relation of a pressed message to a match."""

    BOARD = auto()
    """The match's board, also one being posted."""
    LEFT_BEHIND = auto()
    """A former board that is no longer known: delete it."""
    FOREIGN = auto()
    """Another match's board, or unknown: leave it alone."""


async def show(
    matches: Matches,
    loaded: MatchState,
    place: Place,
    *,
    user_id: int,
    is_told: bool = True,
    rights: Rights | None = None,
    counts: bool = False,
) -> None:
    """Request a board at the bottom of a place, for one user or everyone. Raises `Refused`.

    `is_told`: False if the board is to notify its readers of the latest event. `rights` apply to
    matches new to the place. `counts`: whether a room limits it like the user's messages.
    """
    await check(matches, loaded, place, rights=rights)
    seat, quotas = loaded.viewer(user_id, place), matches.quotas() if counts else None
    await board_store.add(
        matches.unit, loaded.match, place.id, seat=seat, is_told=is_told, by=user_id, quotas=quotas
    )
    matches.changed()


async def check(
    matches: Matches, loaded: MatchState, place: Place, *, rights: Rights | None = None
) -> None:
    """Check that a user with these rights may show the match in a place. Raises `Refused`.

    Matches already shown there may stay. Puzzles and studies are only in direct chats.
    """
    match = loaded.match
    if (match.is_puzzle or match.is_study) and place.kind is not PlaceKind.DIRECT:
        raise Refused("puzzle-here" if match.is_puzzle else "study-here")
    if place.id == match.place_id:
        return
    if not await board_store.is_shown(matches.store, match.id, place.id):
        await beginning.check_place(matches, match.game, place.id, rights=rights)


async def of_match(matches: Matches, match_id: int, place: Place) -> list[Board]:
    """Return the boards of a match in a place."""
    return await board_store.of_match(matches.store, match_id, place_id=place.id)


async def knows(matches: Matches, platform: str, message: str) -> bool:
    """Return whether a message is a board."""
    return bool(await board_store.by_message(matches.store, platform, message))


async def match_told(matches: Matches, platform: str, external: str, message: str) -> int | None:
    """Return the match that a message shows or announces."""
    return await board_store.match_of_message(matches.store, platform, external, message)


async def is_here(matches: Matches, place: Place, message: str) -> bool:
    """Return whether a message shows or showed a board of a place."""
    return bool(await board_store.at(matches.store, place, message))


async def recognise(
    matches: Matches, match_id: int, place: Place, message: str, *, carries: bool
) -> Relation:
    """Relate a message pressed here to this match.

    The stored message decides, because a press may be forged. For an unknown message, `carries`
    tells whether it really has the pressed button. Then it becomes the board if an arrival was
    unsure.
    """
    shown = await board_store.at(matches.store, place, message)
    if any(board.match_id != match_id for board in shown) or not (shown or carries):
        return Relation.FOREIGN
    if shown:
        return Relation.BOARD
    known = await board_store.of_match(matches.store, match_id, place_id=place.id)
    here = {board.message for board in known}
    # It may have been recorded between the two queries.
    if not here or None in here or message in here | {board.former for board in known}:
        return Relation.BOARD
    if UNSURE not in here:
        return Relation.LEFT_BEHIND
    if not await board_store.record_message(matches.store, match_id, place, message):
        # Another message was recognised first.
        return Relation.FOREIGN
    matches.changed()
    return Relation.BOARD
