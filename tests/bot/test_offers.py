"""What may be offered in a match, and when."""

from dataclasses import replace

import pytest

from bot.errors import Refused
from bot.model import Ending, EndingKind, Match, Offer, OfferKind, OfferState, Ply, Status
from bot.offers import AGAIN_AFTER, agreed, can_offer, may_abort, offered, open_offer, settled

DRAW, ABORT = OfferKind.DRAW, OfferKind.ABORT


def match(*seats: int, offers: tuple[Offer, ...] = (), players: int = 2) -> Match:
    """A running match in which these seats have moved, one after the other."""
    return Match(
        id=1,
        code="x",
        game="othello",
        rules=1,
        options={},
        setup="",
        status=Status.RUNNING,
        version=9,
        place_id=1,
        challenger=10,
        opponent=11,
        preferred_seat=None,
        expires=None,
        outcome=None,
        seats=tuple(range(10, 10 + players)),
        plies=tuple(Ply(seat, "d3", 0) for seat in seats),
        offers=offers,
    )


def after(then: Match, *seats: int) -> Match:
    """The match, some moves later."""
    moves = tuple(Ply(seat, "c3", 0) for seat in seats)
    return replace(then, plies=then.plies + moves, version=then.version + len(moves) + 1)


def offering(then: Match, kind: OfferKind = DRAW, seat: int = 0) -> Match:
    return replace(then, offers=offered(then, kind, seat), version=then.version + 1)


def test_an_offer_is_open_until_the_next_move() -> None:
    asked = offering(match(0, 1))
    assert open_offer(asked, DRAW) == Offer(DRAW, 0, 2, made=10, version=10)
    assert open_offer(asked, ABORT) is None
    assert after(asked, 0).open_offers == ()
    assert replace(asked, status=Status.OVER).open_offers == ()


def test_one_offer_of_a_kind_is_open_at_a_time_whosever_it_is() -> None:
    asked = offering(match(0, 1))
    for seat in (0, 1):
        assert not can_offer(asked, DRAW, seat)
        assert can_offer(asked, ABORT, seat)


@pytest.mark.parametrize("state", [OfferState.DECLINED, OfferState.WITHDRAWN, None])
def test_a_side_offers_the_same_once_in_ten_moves(state: OfferState | None) -> None:
    then = offering(match(0, 1))
    if state is not None:
        then = replace(then, offers=settled(then, DRAW, state))
        assert then.open_offers == ()
    for moves in range(1, AGAIN_AFTER):
        with pytest.raises(Refused, match="offer-too-soon"):
            offered(after(then, *(0, 1) * (moves // 2), *(0,) * (moves % 2)), DRAW, 0)
    later = after(then, *(0, 1) * (AGAIN_AFTER // 2))
    assert can_offer(later, DRAW, 0)
    assert can_offer(after(then, 0), DRAW, 1)
    # And what forbids nothing any more is forgotten.
    assert [offer.ply for offer in offered(later, DRAW, 0)] == [2 + AGAIN_AFTER]


@pytest.mark.parametrize(
    ("moves", "alone"),
    [((), True), ((0, 1), True), ((0, 1, 0), True), ((0, 1, 0, 1), False), ((0,) * 9, True)],
)
def test_either_side_calls_a_match_off_alone_until_both_have_moved_twice(
    moves: tuple[int, ...], *, alone: bool
) -> None:
    assert may_abort(match(*moves)) is alone


def test_whoever_plays_alone_has_nobody_to_agree_with() -> None:
    assert not may_abort(match(players=1))
    with pytest.raises(Refused, match="offer-alone"):
        offered(match(players=1), DRAW, 0)


def test_what_is_agreed_ends_the_match_and_calling_off_was_somebodys_wish() -> None:
    assert agreed(Offer(DRAW, 1, 2, made=3)) == Ending(EndingKind.AGREED)
    assert agreed(Offer(ABORT, 1, 2, made=3)) == Ending(EndingKind.ABORTED, 1)


def test_a_board_is_as_it_was_seen_where_only_offers_have_come_between() -> None:
    seen = match(0, 1)
    asked = offering(seen)
    declined = replace(
        asked, offers=settled(asked, DRAW, OfferState.DECLINED), version=asked.version + 1
    )
    for then in (seen, asked, declined):
        assert then.is_as_seen(seen.version)
        assert then.is_as_seen(then.version)
        assert not then.is_as_seen(seen.version - 1)
        assert not then.is_as_seen(then.version + 1)
    assert not after(declined, 0).is_as_seen(declined.version)
