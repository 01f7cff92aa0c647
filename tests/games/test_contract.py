"""The contract of every game. No game is named here: a new module in `games/` is tested at once."""

import pickle
import re
from dataclasses import FrozenInstanceError, fields, is_dataclass
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
import renderers
from bot.commands import table
from bot.commands.vocabulary import words_of
from bot.support.texts import LANGUAGES, Texts
from games import GameError, IllegalMove, InvalidSetup, Note
from tests.contract import keeps
from tests.games.playing import (
    CASES,
    Case,
    cases,
    each_case,
    is_prefix_free,
    moments,
    next_move,
    on_the_way,
    pairs,
    play_out,
    some,
    spoilt,
)
from tests.games.playing import spread as spread_out
from tests.optional import not_none

TEXTS = tuple(map(Texts, LANGUAGES))

each_game = pytest.mark.parametrize(
    "game", [games.get(id_) for id_ in games.ids()], ids=games.ids()
)
is_random = settings.get_current_profile_name() == "random"
lively = settings(max_examples=60 if is_random else 25, database=None)


def is_code(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) is not None


def some_moves(position: games.AnyPosition, seat: int, count: int = 12) -> tuple[Any, ...]:
    return spread_out(position.moves(seat), count)


def look_around(case: Case, position: games.AnyPosition) -> None:
    """Ask `position` everything once, and check what holds for all positions."""
    outcome = position.outcome()
    assert (not position.turn) == (outcome is not None)
    assert position.turn <= set(case.seats)
    scores = position.scores()
    assert len(scores) == len(case.seats)
    assert all(type(score) is int for score in scores)
    if outcome:
        assert outcome.winners <= set(case.seats)
        assert outcome.scores == scores
        assert is_code(outcome.reason)
    for seat in case.seats:
        assert bool(position.moves(seat)) == (seat in position.turn)
    for observer in case.observers:
        facts = case.game.facts(position.view(observer))
        assert isinstance(facts, tuple)
        assert (outcome is None) <= len(facts) <= 3
        for fact in facts:
            check_note(fact)


def check_note(note: Note) -> None:
    assert isinstance(note, Note)
    assert is_code(note.code)
    for key, value in note.details.items():
        assert is_code(key)
        assert type(value) in {str, int}


def check_refusal(refusal: GameError) -> None:
    """Check a refusal's code, details and length."""
    check_note(Note(refusal.code, refusal.details))
    assert len(str(refusal)) < 1000


# Facts of a game


@each_game
@keeps(
    "2 to 32 lower-case letters and digits, a letter first.",
    "No other game and no command of the bot has this name.",
)
def test_a_game_is_called_like_nothing_else_that_is_typed(game: games.AnyGame) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]{1,31}", game.id)
    words = [word for spec in table() for word in words_of(spec.name)]
    assert {words.count(word) for word in words_of(game.id)} == {1}


@each_game
@keeps("There are at least two choices, all different, and the default is one of them.")
def test_every_option_offers_its_default_and_all_its_choices(game: games.AnyGame) -> None:
    assert game.options_from({}) == {option.id: option.default for option in game.options}
    for option in game.options:
        assert option.default in option.choices
        assert len(set(option.choices)) == len(option.choices) > 1
        for choice in option.choices:
            assert game.options_from({option.id: choice})[option.id] == choice


@each_game
@keeps("Raises `InvalidSetup` for unknown options or choices.")
def test_options_that_are_not_on_offer_are_refused(game: games.AnyGame) -> None:
    with pytest.raises(InvalidSetup, match="unknown-option"):
        game.options_from({"no such option": "1"})
    for option in game.options:
        with pytest.raises(InvalidSetup, match="unknown-choice"):
            game.options_from({option.id: "no such choice"})


# Playing


@each_case
@keeps(
    "Every match ends by the rules.",
    "The seats that may act now. Empty exactly when the rules have ended the match.",
)
def test_random_play_comes_to_an_outcome(case: Case) -> None:
    for seed in range(2):
        match = play_out(case, seed)
        assert match.end.outcome() is not None
        for position in match.positions[:-1]:
            assert position.turn
            assert position.outcome() is None
        look_around(case, match.end)


@each_case
@keeps(
    "Return how the match ended by the rules, or None. Its scores equal `scores`.",
    "one number per seat",
    "A seat to move has a move.",
    "one to three short facts to show below the picture",
    "If the rules have ended the match, facts do not repeat the outcome and may be empty.",
)
def test_every_position_answers_every_question(case: Case) -> None:
    for position in spread_out(play_out(case).positions, 20):
        look_around(case, position)


@each_case
@keeps(
    "Return all complete legal moves of `seat`, each once, in a stable order.",
    "Empty for a seat that is not to move or does not exist.",
)
def test_legal_moves_are_distinct_and_in_a_stable_order(case: Case) -> None:
    for position, seat in moments(case):
        moves = position.moves(seat)
        assert isinstance(moves, tuple)
        assert len(set(moves)) == len(moves)
        assert position.moves(seat) == moves
        assert position.moves(len(case.seats)) == ()


@each_case
@keeps("Return the only legal move of the only seat to move")
def test_a_forced_move_is_the_only_one(case: Case) -> None:
    for seed in range(3):
        for position in play_out(case, seed).positions:
            forced = position.forced()
            if forced is not None:
                seat, move = forced
                assert position.turn == {seat}
                assert position.moves(seat) == (move,)


@each_case
@keeps("It is True for a seat that wins later.")
def test_who_wins_could_win_all_the_while(case: Case) -> None:
    for seed in range(4):
        match = play_out(case, seed)
        outcome = not_none(match.end.outcome())
        for ply in match.plies:
            assert all(ply.before.can_win(seat) for seat in outcome.winners)


@each_case
@keeps("Return whether `seat` can still win by the rules while the match is in progress.")
def test_who_cannot_win_wins_in_no_way_that_is_left(case: Case) -> None:
    for seed in range(2):
        for ply in reversed(play_out(case, seed).plies):
            if (winners := _can_still_win(ply.before, 150)) is None:
                break
            for seat in range(ply.before.seats):
                assert ply.before.can_win(seat) or seat not in winners


def _can_still_win(position: Any, most: int) -> set[int] | None:
    """Return the seats that can still win; None if there are too many ways."""
    seen, waiting = set[int](), [position]
    while waiting:
        one = waiting.pop()
        if (outcome := one.outcome()) is not None:
            seen |= outcome.winners
        waiting += [one.play(seat, move) for seat in one.turn for move in one.moves(seat)]
        most -= 1
        if most < 0:
            return None
    return seen


@each_case
@keeps(
    "Return the position after `move`, which is one of `moves`.",
    "Raises `IllegalMove` for any other",
)
def test_play_accepts_exactly_the_legal_moves(case: Case) -> None:
    match = play_out(case)
    tried = spread_out(tuple(dict.fromkeys(ply.move for ply in match.plies)), 24)
    for position, seat in moments(case):
        legal, before = position.moves(seat), pickle.dumps(position)
        for move in (*tried, *some_moves(position, seat)):
            if move in legal:
                position.play(seat, move)
            else:
                with pytest.raises(IllegalMove) as refusal:
                    position.play(seat, move)
                check_refusal(refusal.value)
        assert pickle.dumps(position) == before


@each_case
@keeps("for any other: ``over``, ``not-your-turn`` or a reason of the game.")
def test_a_move_off_turn_or_after_the_end_is_refused(case: Case) -> None:
    match = play_out(case)
    for ply in spread_out(match.plies, 8):
        for seat in range(len(case.seats) + 1):
            if seat not in ply.before.turn:
                with pytest.raises(IllegalMove, match="not-your-turn"):
                    ply.before.play(seat, ply.move)
        with pytest.raises(IllegalMove, match="over"):
            match.end.play(ply.seat, ply.move)


@each_case
@keeps(
    "all views are then equal and hide nothing.",
    "If the rules ended the match, views are so without `reveal`.",
)
def test_all_views_are_equal_once_everything_is_revealed(case: Case) -> None:
    for position in (*on_the_way(case), play_out(case).end):
        open_to_all = position.view(None, reveal=True)
        for observer in case.observers:
            assert position.view(observer, reveal=True) == open_to_all
            facts = case.game.facts(position.view(observer, reveal=True), is_stopped=True)
            assert facts == case.game.facts(open_to_all, is_stopped=True)
    end = play_out(case).end
    assert all(end.view(observer) == end.view(None, reveal=True) for observer in case.observers)


@each_case
@keeps("Every view has the `turn` and the `outcome()` of its position")
def test_who_knows_the_position_sees_in_a_view_whether_the_rules_have_ended_it(case: Case) -> None:
    match = play_out(case)
    for observer in case.observers:
        assert match.end.view(observer).outcome() == match.end.outcome()
        assert match.end.view(observer).turn == frozenset()
        for position in on_the_way(case):
            assert position.view(observer).outcome() is None
            assert position.view(observer, reveal=True).outcome() is None
            assert position.view(observer).turn == position.turn


@each_case
@keeps("Facts about what comes next are then left out.", "one to three short facts")
def test_a_match_that_was_stopped_has_facts_of_its_own_with_texts(case: Case) -> None:
    for position in on_the_way(case):
        facts = case.game.facts(position.view(None, reveal=True), is_stopped=True)
        assert 1 <= len(facts) <= 3
        for fact in facts:
            for texts in TEXTS:
                assert texts.note(case.game.id, "fact", fact, first="Anna", second="Ben")


# Values


@each_case
@keeps(
    "Positions, moves and views are immutable values: frozen dataclasses with slots.",
    "Positions and moves are hashable. All of them can be pickled.",
)
def test_positions_views_and_moves_are_frozen_values(case: Case) -> None:
    for position, seat in moments(case, 3):
        views = (position.view(seat), position.view(None), position.view(None, reveal=True))
        values = (position, *views, *some_moves(position, seat))
        for value in values:
            assert is_dataclass(value)
            assert not hasattr(value, "__dict__")
            for field in fields(value):
                with pytest.raises(FrozenInstanceError):
                    setattr(value, field.name, None)
            assert pickle.loads(pickle.dumps(value)) == value
        for value in (position, *some_moves(position, seat)):
            assert hash(pickle.loads(pickle.dumps(value))) == hash(value)


@each_case
@keeps("Errors carry a text code and details, never prose. They can be pickled")
def test_refusals_survive_the_way_between_processes(case: Case) -> None:
    match = play_out(case)
    start, (seat, *_) = match.positions[0], case.seats
    refusals: list[GameError] = [games.AmbiguousMove("ambiguous", moves="a, b")]
    for refused in (
        lambda: case.game.parse(start.view(seat), seat, "no move at all"),
        lambda: match.end.play(seat, match.plies[0].move),
        lambda: case.game.start(case.options, "no setup at all"),
    ):
        with pytest.raises(GameError) as refusal:
            refused()
        refusals.append(refusal.value)
    for error in refusals:
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.code, copy.details) == (type(error), error.code, error.details)


@each_case
@keeps("The view is the position itself if nothing is hidden.")
def test_a_view_is_the_position_where_nothing_is_hidden(case: Case) -> None:
    if not case.game.has_secrets(case.options):
        for position in spread_out(play_out(case).positions, 8):
            for observer in case.observers:
                assert position.view(observer) == position.view(observer, reveal=True) == position


# Notation


@each_case
@keeps(
    "Return the move that `seat` means by `text`: lenient (case, spaces, full stops, dashes).",
    "Accept the game's notation, and the steps of a legal move joined by spaces.",
    "`form`: one of `notations`, which `parse` accepts, too.",
)
def test_notation_is_parsed_back_however_it_is_typed(case: Case) -> None:
    game = case.game
    for position, seat in moments(case):
        view = position.view(seat)
        for move in some_moves(position, seat):
            text = game.notation(move)
            assert text == text.strip()
            typed = {text, text.upper(), text.lower(), text.replace(" ", "  "), f"  {text}. "}
            typed |= {" ".join(game.steps(move)), *(game.notation(move, f) for f in game.notations)}
            assert {game.parse(view, seat, way) for way in typed} == {move}, typed


@each_case
@keeps(
    "Legal moves of a position have different notations.",
    "Return `move` as clicks, prefix-free among the legal moves of a position.",
    "There is at least one step, and none is empty.",
)
def test_notations_and_steps_tell_legal_moves_apart(case: Case) -> None:
    for position, seat in moments(case):
        moves = position.moves(seat)
        assert len({case.game.notation(move) for move in moves}) == len(moves)
        steps = [case.game.steps(move) for move in moves]
        assert all(all(each) for each in steps)
        assert all(steps)
        assert is_prefix_free(steps)


def fits(text: str) -> bool:
    """True if it fits into the token of a button."""
    return text.isprintable() and len(text.encode()) <= 32


@each_case
@keeps("what follows the first steps of a legal move can itself be another legal move.")
def test_only_where_a_game_says_so_is_the_rest_of_a_move_another_one(case: Case) -> None:
    for position, seat in moments(case):
        steps = {case.game.steps(move) for move in position.moves(seat)}
        rests = {one[end:] for one in steps for end in range(1, len(one))}
        assert case.game.rest_can_be_move or not rests & steps


@each_case
@keeps("The second and last steps of all moves in keypad order")
def test_where_there_is_a_pad_every_move_is_a_step_and_one_of_its_keys(case: Case) -> None:
    pad = case.game.pad
    assert len({*pad}) == len(pad)
    for position, seat in moments(case):
        for move in position.moves(seat) if pad else ():
            first, last = case.game.steps(move)
            assert first
            assert last in pad


@each_case
@keeps(
    'A step contains no whitespace, and no "." or ":", which buttons put between steps.',
    'The steps of a move, joined by ".", are printable and have at most 32 bytes.',
    "A notation is printable, has at most 32 bytes and no surrounding whitespace.",
)
def test_steps_and_notations_fit_into_a_button(case: Case) -> None:
    for position, seat in moments(case):
        for move in position.moves(seat):
            notation, steps = case.game.notation(move), case.game.steps(move)
            assert fits(notation)
            assert notation == notation.strip()
            assert fits(".".join(steps))
            assert not [step for step in steps if re.search(r"[.:\s]", step)]


typing = st.text("abcdefghilmnoprstwx0123456789-=:., ", max_size=12) | st.text(max_size=60)


@each_game
@lively
@given(data=st.data())
@keeps(
    "Any typed or stored text is either understood or refused with one of these errors.",
    "Nothing else is raised.",
)
def test_whatever_is_typed_is_refused_or_is_a_move(
    game: games.AnyGame, data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(cases(game)))
    match = play_out(case)
    position = match.positions[data.draw(st.integers(0, len(match.plies)))]
    _, known = match.record[data.draw(st.integers(0, len(match.plies) - 1))]
    text = data.draw(typing | spoilt(known))
    for seat in case.seats:
        try:
            move = game.parse(position.view(seat), seat, text)
        except GameError as refusal:
            check_refusal(refusal)
            continue
        try:
            position.play(seat, move)
        except IllegalMove:
            assert move not in position.moves(seat)
        else:
            assert move in position.moves(seat)


# Records


@each_case
@keeps(
    "A setup is one line of printable ASCII.",
    "Return a setup for a new match, determined by `rng`.",
)
def test_a_setup_is_one_line_that_the_seed_determines(case: Case) -> None:
    setup = case.game.new_setup(case.options, Random(1))
    assert setup == case.game.new_setup(case.options, Random(1))
    assert setup.isprintable()
    assert setup.isascii()
    position = case.game.start(case.options, setup)
    assert position == case.game.start(case.options, setup)
    assert position.turn


@each_case
@keeps("`Game.replay` turns it back into a position.")
def test_a_stored_match_replays_to_an_equal_position(case: Case) -> None:
    match = play_out(case)
    for plies in {0, 1, len(match.plies) // 2, len(match.plies)}:
        replayed = case.game.replay(case.options, match.setup, match.record[:plies])
        assert replayed == match.positions[plies]
        assert hash(replayed) == hash(match.positions[plies])


@each_case
@keeps("Strict: moves must be written exactly as they are stored.")
def test_only_strict_notation_of_the_seat_to_move_replays(case: Case) -> None:
    match = play_out(case)
    (seat, text), after = match.record[0], match.record
    strangers = {len(case.seats), *case.seats} - match.positions[0].turn
    for record in (
        [(seat, f" {text}")],
        [(seat, f"{text}.")],
        [(seat, "")],
        *([(stranger, text)] for stranger in strangers),
        [*after, (seat, text)],
    ):
        with pytest.raises(GameError):
            case.game.replay(case.options, match.setup, record)


def is_set_up_again(case: Case, position: games.AnyPosition) -> games.AnyPosition:
    """Return what `start` makes of a position's own setup, which must equal it except in history.

    A history can end a match, and a setup does not contain it.
    """
    setup = position.setup()
    assert setup.isprintable()
    assert setup.isascii()
    again: games.AnyPosition = case.game.start(case.options, setup)
    assert again.setup() == setup
    assert set(position.history) <= {field.name for field in fields(position)}
    for field in fields(position):
        if field.name not in position.history:
            assert getattr(again, field.name) == getattr(position, field.name), field.name
    if position.turn:
        assert again.turn == position.turn
    if position.turn or not position.history:
        assert all(again.moves(seat) == position.moves(seat) for seat in case.seats)
        assert again.outcome() == position.outcome()
    assert again.scores() == position.scores() or position.outcome() != again.outcome()
    return again


@each_case
@keeps(
    "Return a setup from which `Game.start` makes an equal position, except for `history`.",
    "The setup of a first position is the one that it was started with.",
)
def test_every_position_is_set_up_again_by_its_setup(case: Case) -> None:
    for seed in range(3):
        match = play_out(case, seed)
        assert match.positions[0].setup() == match.setup
        for position in match.positions:
            is_set_up_again(case, position)


@each_game
@lively
@given(data=st.data())
@keeps(
    "Return a setup from which `Game.start` makes an equal position, except for `history`.",
    "which may be any that a match can reach.",
)
def test_a_match_goes_on_from_any_setup_of_its_own(
    game: games.AnyGame, data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(cases(game)))
    rng = Random(data.draw(st.integers(0, 2**32)))
    position = case.game.start(case.options, case.game.new_setup(case.options, rng))
    for _ in range(data.draw(st.integers(0, 60))):
        if not position.turn:
            break
        position = position.play(*next_move(position, rng))
    again = is_set_up_again(case, position)
    for _ in range(data.draw(st.integers(0, 8))):
        if not again.turn:
            break
        again = is_set_up_again(case, again.play(*next_move(again, rng)))


@each_game
@lively
@given(data=st.data())
@keeps("Raises `InvalidSetup` for anything that is not a setup")
def test_a_broken_setup_of_a_later_position_is_refused_or_playable(
    game: games.AnyGame, data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(cases(game)))
    match = play_out(case)
    later = match.positions[data.draw(st.integers(0, len(match.plies)))]
    try:
        position = game.start(case.options, data.draw(spoilt(later.setup())))
    except InvalidSetup as refusal:
        check_refusal(refusal)
        return
    look_around(case, position)
    is_set_up_again(case, position)
    if position.turn:
        look_around(case, position.play(*next_move(position, Random(0))))


@each_case
@keeps("anything that is not a setup, even a truncated new one.")
def test_a_truncated_setup_is_refused(case: Case) -> None:
    setup = play_out(case).setup
    for length in range(len(setup)):
        with pytest.raises(InvalidSetup):
            case.game.start(case.options, setup[:length])


@each_game
@lively
@given(data=st.data())
@keeps("Raises `InvalidSetup` for anything that is not a setup")
def test_a_broken_setup_is_refused_or_playable(game: games.AnyGame, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(cases(game)))
    setup = data.draw(st.text(max_size=100) | spoilt(play_out(case).setup))
    try:
        position = game.start(case.options, setup)
    except InvalidSetup as refusal:
        check_refusal(refusal)
        return
    rng = Random(setup)
    look_around(case, position)
    for _ in range(3):
        if position.turn:
            position = position.play(*next_move(position, rng))
            look_around(case, position)


@each_game
@lively
@given(data=st.data())
@keeps(
    "Any typed or stored text is either understood or refused with one of these errors.",
    "Nothing else is raised.",
)
def test_a_broken_record_is_refused_or_playable(game: games.AnyGame, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(cases(game)))
    match = play_out(case)
    record = match.record[:16]
    at = data.draw(st.integers(0, len(record) - 1))
    seat, text = record[at]
    record[at : at + 1] = data.draw(
        st.one_of(
            st.just([]),
            st.just([record[at], record[at]]),
            st.just([(seat + 1, text)]),
            (typing | spoilt(text)).map(lambda broken: [(seat, broken)]),
        )
    )
    try:
        position = game.replay(case.options, match.setup, record)
    except GameError as refusal:
        check_refusal(refusal)
    else:
        look_around(case, position)


# Words about moves


@each_case
@keeps("Each detail has a name like a code, and is a text or a number.")
def test_effects_and_cautions_are_notes(case: Case) -> None:
    for position, seat in moments(case):
        view = position.view(seat)
        for move in some_moves(position, seat):
            for note in (case.game.effect(view, seat, move), case.game.caution(view, seat, move)):
                if note is not None:
                    check_note(note)


@each_case
@keeps("the same in all views of a position.", "among those that have no cell in the picture.")
def test_parts_that_seats_have_are_known_to_all_and_have_words(case: Case) -> None:
    game = case.game
    for position, seat in moments(case):
        for one in case.seats:
            (role,) = {game.role(position.view(eye), one) for eye in (None, *case.seats)}
            for texts in TEXTS if role else ():
                assert texts.has(f"{game.id}-role-{role}")
                assert texts.has(f"{game.id}-waits-{role}")
        step = game.main_step(position.view(seat), seat)
        assert step is None or (step,) in {game.steps(move) for move in position.moves(seat)}


@each_case
@keeps("Any choice of that many is legal in any order.")
def test_moves_that_are_chosen_together_are_legal_in_any_order(case: Case) -> None:
    luck = Random(11)
    for position in play_out(case).positions[:12]:
        for seat in position.turn:
            number = case.game.max_selectable(position.view(seat), seat)
            assert number >= 1
            moves = [move for move in position.moves(seat) if len(case.game.steps(move)) == 1]
            after = position
            for move in luck.sample(moves, min(number, len(moves))):
                after = after.play(seat, move)


@each_case
@keeps("Return what to choose after the `steps` of a partial move.")
def test_every_step_of_a_move_says_in_words_of_the_game_what_to_choose_next(case: Case) -> None:
    game = case.game
    for position, seat in moments(case, 40):
        view = position.view(seat)
        begun = {
            game.steps(move)[:taken]
            for move in position.moves(seat)
            for taken in range(1, len(game.steps(move)))
        }
        for steps in spread_out(tuple(sorted(begun)), 10):
            note = game.prompt(view, seat, steps)
            assert note
            check_note(note)
            for texts in map(Texts, LANGUAGES):
                assert texts.has(f"{game.id}-prompt-{note.code}")
                assert texts.note(game.id, "prompt", note)


@each_case
@keeps("The player of a move always sees it.", "the notation, plus the answer if the move has one.")
def test_the_player_of_a_move_sees_it(case: Case) -> None:
    for ply in spread_out(play_out(case).plies, 20):
        told = not_none(case.game.observed_move(ply.before, ply.seat, ply.move, ply.seat))
        assert told.startswith(case.game.notation(ply.move))


@each_case
@keeps("of a kind that only its player may see.", "It is None for a secret move of another seat.")
def test_secret_moves_are_hidden_from_all_others_and_other_moves_are_public(case: Case) -> None:
    for position, seat in moments(case):
        for move in position.moves(seat):
            for observer in {*case.observers, None} - {seat}:
                told = case.game.observed_move(position, seat, move, observer)
                assert (told is None) == case.game.is_secret(move)


@each_case
@keeps("Its player remains to move", "is not binding.", "A game with such moves has no takebacks.")
def test_a_tentative_move_ends_nothing_and_can_be_made_again(case: Case) -> None:
    for before, seat in moments(case):
        for move in some_moves(before, seat):
            if _binds_nobody(case, move):
                assert not case.game.takeback
                position = before.play(seat, move)
                assert (position.turn, position.outcome()) == (before.turn, None)
                free = (one for one in position.moves(seat) if _binds_nobody(case, one))
                assert any(move in position.play(seat, one).moves(seat) for one in free)


def _binds_nobody(case: Case, move: object) -> bool:
    return case.game.is_tentative(case.game.notation(move))


# Secrets


def translate(key: str, /, **details: str | int) -> str:
    """Return a text that hides nothing of its arguments."""
    return f"<{key} {details}>"


@pytest.mark.parametrize(
    "case", some(case for case in CASES if case.game.has_secrets(case.options)), ids=str
)
@keeps("An observer's whole record of a match determines their view of it (the leak test).")
def test_equal_records_give_equal_views_pictures_and_texts(case: Case) -> None:
    game_id = case.game.id
    found = [pair for seed in range(2) for pair in pairs(play_out(case, seed), tries=32)]
    for pair in found:
        one, other = pair.one, pair.other
        assert one.view(pair.observer) == other.view(pair.observer)
        assert one.turn == other.turn
        if pair.observer is not None:
            assert one.moves(pair.observer) == other.moves(pair.observer)
    # Equal views could still differ in what their equality leaves out: look at the pictures
    # and the alt texts of those who have heard the most.
    rendering = renderers.RenderOptions(size=320, threats=True)
    found.sort(key=lambda pair: (pair.answers, len(pair.heard)), reverse=True)
    for pair in islice(found, 8):
        one, other = pair.one.view(pair.observer), pair.other.view(pair.observer)
        assert renderers.render(game_id, one, rendering) == renderers.render(
            game_id, other, rendering
        )
        describe = renderers.get(game_id).describe
        assert describe(one, translate) == describe(other, translate)
    assert len(found) >= 20
    assert sum(pair.answers > 0 for pair in found) >= 3
