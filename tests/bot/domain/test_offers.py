"""Offers in a match: what may be offered, and when."""

from dataclasses import replace
from random import Random

import pytest

import games
from bot.domain.errors import Refused
from bot.domain.model import Match, Offer, OfferKind, OfferState, Ply, Status
from bot.domain.offers import (
    AGAIN_AFTER,
    after_takeback,
    can_offer,
    may_abort,
    offers_after_plies,
    open_offer,
    settled,
    with_new_offer,
)

DRAW, ABORT = OfferKind.DRAW, OfferKind.ABORT
CLOCK, TAKEBACK = OfferKind.CLOCK, OfferKind.TAKEBACK


def match(*seats: int, offers: tuple[Offer, ...] = (), players: int = 2) -> Match:
    """Return an active match in which these seats have moved, one after the other."""
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
    """Return the match some moves later."""
    moves = tuple(Ply(seat, "c3", 0) for seat in seats)
    return replace(then, plies=then.plies + moves, version=then.version + len(moves) + 1)


def offering(then: Match, kind: OfferKind = DRAW, seat: int = 0) -> Match:
    return replace(then, offers=with_new_offer(then, kind, seat), version=then.version + 1)


def test_an_offer_is_open_until_the_next_move() -> None:
    asked = offering(match(0, 1))
    assert open_offer(asked, DRAW) == Offer(DRAW, 0, 2, made=10, version=10)
    assert open_offer(asked, ABORT) is None
    assert after(asked, 0).open_offers == ()
    assert replace(asked, status=Status.OVER).open_offers == ()


def test_what_is_open_has_its_row_also_where_versions_have_leapt_since() -> None:
    """As after an update from a house that did not note since when a match stands, or a restore."""
    asked = offering(match(0, 1))
    leapt = replace(asked, version=asked.version + 1000, playable_from=asked.version + 1000)
    assert leapt.offers_with_buttons == leapt.open_offers == asked.open_offers


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
            with_new_offer(after(then, *(0, 1) * (moves // 2), *(0,) * (moves % 2)), DRAW, 0)
    later = after(then, *(0, 1) * (AGAIN_AFTER // 2))
    assert can_offer(later, DRAW, 0)
    assert can_offer(after(then, 0), DRAW, 1)
    # And what forbids nothing any more is forgotten.
    assert [offer.ply for offer in with_new_offer(later, DRAW, 0)] == [2 + AGAIN_AFTER]


def goes_on(then: Match, *notations: str) -> Match:
    """Return the match some moves of the first seat later."""
    plies = tuple(Ply(0, one, 0) for one in notations)
    return replace(then, plies=then.plies + plies, offers=offers_after_plies(then, plies))


def test_what_binds_nobody_leaves_offers_what_they_are() -> None:
    asked = replace(offering(match(0, 1)), game="blackbox")
    noted = goes_on(asked, *("mark c6", "unmark c6", "mark d2", "clear") * 3)
    assert [one.made for one in noted.open_offers] == [one.made for one in asked.open_offers]
    noted = replace(noted, offers=settled(noted, DRAW, OfferState.DECLINED))
    noted = goes_on(noted, *("mark c6", "unmark c6", "mark d2", "clear") * 3)
    with pytest.raises(Refused, match="offer-too-soon") as refused:
        with_new_offer(noted, DRAW, 0)
    assert refused.value.details == {"moves": AGAIN_AFTER}
    assert can_offer(goes_on(noted, *(f"ask {entry}" for entry in range(1, 11))), DRAW, 0)
    # One that does makes an offer void, whatever is done beside it.
    assert goes_on(asked, "mark c6", "ask 3").open_offers == ()


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
        with_new_offer(match(players=1), DRAW, 0)


def test_another_clock_is_offered_once_in_ten_moves_and_must_be_another() -> None:
    seen = match(0, 1)
    with pytest.raises(Refused, match="clock-same"):
        with_new_offer(seen, CLOCK, 0)
    asked = replace(seen, offers=with_new_offer(seen, CLOCK, 0, "3d"), version=seen.version + 1)
    (offer,) = asked.open_offers
    assert offer.clock == "3d"
    accepted = replace(
        asked, offers=settled(asked, CLOCK, OfferState.ACCEPTED), version=asked.version + 1
    )
    with pytest.raises(Refused, match="offer-just-agreed"):
        with_new_offer(accepted, CLOCK, 0, "7d")


def takeback(*notations: str, seat: int = 0, game: str = "othello") -> Match:
    """Return a match with these moves and the offer of a takeback."""
    one = games.get(game)
    options = one.options_from({})
    position = one.start(options, setup := one.new_setup(options, Random(1)))
    plies = []
    for notation in notations:
        (mover,) = position.turn
        plies.append(Ply(mover, notation, 0))
        position = position.play(mover, one.parse(position.view(mover), mover, notation))
    then = replace(match(), game=game, options=options, setup=setup, plies=tuple(plies))
    return offering(then, TAKEBACK, seat)


@pytest.mark.parametrize(("seat", "stay"), [(0, 2), (1, 1)])
def test_a_takeback_goes_back_to_before_the_last_move_of_whoever_asks(seat: int, stay: int) -> None:
    asked = takeback("d3", "c3", "c4", seat=seat)
    offer = open_offer(asked, TAKEBACK)
    assert offer is not None
    assert offer.back_to == stay
    back = after_takeback(asked, offer)
    assert back.plies == asked.plies[:stay]
    assert (back.moves_made, back.taken_back) == (3, 3 - stay)
    assert back.open_offers == ()


def test_nobody_takes_back_what_they_have_not_played() -> None:
    with pytest.raises(Refused, match="takeback-nothing"):
        takeback("d3", seat=1)


def test_what_has_revealed_something_is_not_taken_back() -> None:
    with pytest.raises(Refused, match="takeback-reveals"):
        with_new_offer(replace(match(), game="blackbox"), TAKEBACK, 0)


def test_what_was_offered_before_moves_were_taken_back_is_void_and_is_not_offered_again() -> None:
    asked = takeback("d3", "c3", "c4")
    both = offering(asked, DRAW, 1)
    takes, draw = both.open_offers
    back = after_takeback(both, takes)
    assert back.open_offers == ()
    assert [offer.state for offer in back.offers] == [OfferState.ACCEPTED, OfferState.VOID]
    # Nor do they open again when as many moves have been made as then.
    assert after(back, 0).open_offers == ()
    assert not can_offer(back, DRAW, draw.by)
