"""What readers can press on a board: the steps of moves, and buttons. How it is drawn for them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import renderers
from bot.domain.actions import Action
from bot.domain.model import Match, Offer, OfferKind, Status
from bot.matches import MatchState
from bot.screens.pictures import Pace, Stretch
from bot.screens.values import Button, Choice, Reader, Rows, Style, in_rows
from bot.screens.wording import Shown, banks_in_digits, match_button, notation_for
from bot.support.texts import Texts
from games import AnyGame
from games.computer import LEVELS, engine
from renderers import THEMES, Cell, RenderOptions, Verdict

Playables = Mapping[int, Sequence[Any] | None]
"""The moves by seat. None while some are secret, because the others could depend on the secret."""

_WIDE = 5
"""Buttons in a row. After the end, two: their labels are long for a phone."""

_Way = tuple[int, Any, tuple[str, ...]]


def playables_of(loaded: MatchState, seat: int | None) -> Playables:
    """Return the moves that can be made at a board seen by `seat`."""
    game, position = loaded.game, loaded.position
    found = {}
    for mover in sorted(position.turn if seat is None else position.turn & {seat}):
        moves: Sequence[Any] = position.moves(mover)
        is_secret = (
            mover != seat
            and game.has_secrets(loaded.match.options)
            and any(map(game.is_secret, moves))
        )
        found[mover] = None if is_secret else moves
    return found


def choices_of(
    shown: Shown, playables: Playables, rendering: RenderOptions, cells: Mapping[str, Cell]
) -> tuple[Choice, ...]:
    """Return the possible next steps after `rendering.chosen`, and the picture's other cells."""
    game, match, texts, view = shown.game, shown.match, shown.texts, shown.loaded.view(shown.seat)
    legal = _legal(game, playables, rendering.chosen)
    if not legal:
        return ()
    length = len(rendering.chosen) + 1
    before = "".join(f"{step}." for step in rendering.chosen)
    begun = Action("step", match.id, match.version, before)
    said: dict[int, str] = {}
    found = []
    called, form = texts.moves_of(game.id), rendering.notation
    # Up to a hundred cells, in the order of the picture whichever are legal.
    for step in {**cells, **legal}:
        label, lies, cell, ways = called[step], "", cells.get(step), legal.get(step)
        if cell is not None and (says := cell.glyph_note) is not None:
            # Most cells share their note.
            lies = said.get(id(says)) or said.setdefault(
                id(says), texts.note(game.id, "cell", says)
            )
        if ways is None:
            found.append(Choice(step, label, label, begun, False, cell, lies))
            continue
        short, whole = label, None
        if len(ways) == 1:
            ((mover, move, steps),) = ways
            more = len(steps) > length
            written = game.notation(move, form)
            if written != step:
                label = called[written]
                # In the reader's notation, if the step is the whole move.
                short = label if form and steps == (step,) else short
                if len(steps) != length:
                    whole = (label, Action("step", match.id, match.version, ".".join(steps)))
            if effect := game.effect(view, mover, move):
                label = f"{label}, {texts.note(game.id, 'effect', effect)}"
        else:
            more = any(len(steps) > length for _, _, steps in ways)
        found.append(Choice(step, label, short, begun, True, cell, lies, whole, more))
    return tuple(found)


def pad_of(loaded: MatchState, playables: Playables, texts: Texts) -> tuple[Choice, ...]:
    """Return the last steps of all moves if they are few. Those that end a move are legal."""
    game, match = loaded.game, loaded.match
    moves = [move for possible in playables.values() for move in possible or ()]
    if not moves or not game.pad:
        return ()
    last = {game.steps(move)[-1] for move in moves}
    begun = Action("rest", match.id, match.version)
    return tuple(
        Choice(step, label := texts.move(game.id, step), label, begun, step in last)
        for step in game.pad
    )


def _legal(
    game: AnyGame, playables: Playables, chosen: tuple[str, ...]
) -> Mapping[str, Sequence[_Way]]:
    depth = len(chosen)
    found: dict[str, list[_Way]] = {}
    for mover, possible in playables.items():
        for move in possible or ():
            steps = game.steps(move)
            if steps[:depth] == chosen:
                found.setdefault(steps[depth], []).append((mover, move, steps))
    return found


def groups_of(game: AnyGame, cells: Iterable[Cell], texts: Texts) -> dict[str, str]:
    """Return the names of the groups of these cells."""
    names = dict.fromkeys(cell.group for cell in cells)
    return {name: texts(f"{game.id}-group-{name}") for name in names if name}


def rendering_of(loaded: MatchState, reader: Reader, chosen: tuple[str, ...]) -> RenderOptions:
    """Return the options of a board's picture, from the reader's settings and the match."""
    settings = reader.settings
    has_side = reader.user is not None and not loaded.match.is_study
    seat = loaded.match.seat_of(reader.user.id) if has_side and reader.user else None
    return RenderOptions(
        theme=reader.theme if reader.theme in THEMES else THEMES[0],
        size=reader.size,
        flipped=settings.get("side") == "own" and seat == 1,
        # No one continues after a puzzle.
        legal=settings.get("dots", "on") == "on" and not loaded.match.shows_solution,
        threats=settings.get("threats") == "on",
        chosen=chosen,
        notation=notation_for(reader, loaded.game),
        verdict=_verdict(loaded.match),
        clocks=banks_in_digits(loaded),
        # Both players share a picture if nothing is marked for one side.
        seat=seat if renderers.marks_own(loaded.game.id) else None,
        labels=renderers.words(loaded.game.id, reader.texts),
    )


def _verdict(match: Match) -> Verdict | None:
    if match.ending is None or match.is_puzzle:
        return None
    outcome = match.outcome
    return Verdict(outcome.winners, outcome.is_draw) if outcome else Verdict()


def replay_buttons(match: Match, texts: Texts, at: int) -> Rows:
    """Return the buttons for the moves before and after."""
    ways = [
        Button(texts(f"button-{word}"), Action("past", match.id, 0, str(ply)))
        for word, ply in (("move-back", at - 1), ("move-on", at + 1))
        if 0 <= ply <= len(match.plies)
    ]
    return (tuple(ways),) if ways else ()


def replay_ways(
    match: Match, texts: Texts, stretch: Stretch, side: int | None
) -> tuple[Button, ...]:
    """Return the buttons under an animated replay: move by move, and other paces."""
    last = "" if stretch.last is None else stretch.last
    words = [] if stretch.first == 1 and not last else [f"{stretch.first}-{last}"]
    words += [] if side is None else [("first", "second")[side]]
    names = [pace.name.lower() for pace in Pace if pace is not stretch.pace]
    to = partial(Action, "replay", match.id, 0)
    paces = [Button(texts(f"button-replay-{one}"), to(" ".join([one, *words]))) for one in names]
    return (Button(texts("button-replay-steps"), Action("past", match.id, 0, "0")), *paces)


def can_branch(loaded: MatchState) -> bool:
    """Return whether users may go on from any position of the match."""
    match = loaded.match
    is_open = match.is_study and not loaded.game.has_secrets(match.options)
    return match.status is Status.OVER or is_open


def branch_buttons(loaded: MatchState, texts: Texts, at: int, *, is_over: bool) -> Rows:
    """Return the buttons to go on from the position after `at` moves, unless that `is_over`."""
    if is_over or not can_branch(loaded):
        return ()
    match, options = loaded.match, loaded.match.options
    who = engine(match.game)
    verbs = ["try"]
    if loaded.game.seats(options) == 2 and who.can_play(options):
        verbs.append("versus")
    return (
        tuple(
            Button(texts(f"button-{verb}"), Action(verb, match.id, 0, str(at))) for verb in verbs
        ),
    )


def board_rows(
    shown: Shown,
    choices: Iterable[Choice],
    playables: Playables,
    chosen: tuple[str, ...],
    *,
    erased: Collection[int],
    views: Sequence[Button],
) -> Rows:
    """Return the buttons of a board. There is no rematch with `erased` players.

    `views`: what remains of a finished match.
    """
    texts, match, game, loaded = shown.texts, shown.match, shown.game, shown.loaded
    alone = len(match.seats) == 1
    button = partial(match_button, match, texts)
    moves = button("moves")
    rules = Button(texts("button-rules"), Action("rules", argument=game.id))
    my_seat, user = shown.my_seat, shown.reader.user
    may_act = not user or my_seat in loaded.turn
    is_spectator = user and my_seat is None
    if match.status is Status.OVER and not match.is_puzzle:
        if is_spectator or erased or match.is_study:
            at, is_over = len(match.plies), not loaded.position.turn
            ways_on = branch_buttons(loaded, texts, at, is_over=is_over)
            return (*in_rows(views), *(ways_on if match.is_study else ()))
        # First, though a press may be meant for what was here before: see `check_slip`.
        another = button("again", key="again-alone" if alone else "", style=Style.PRIMARY)
        share = Button(texts("button-share"), Action("share", match.id))
        also = (share,) if match.plies else ()
        return (*in_rows((another, *views, *also)), *_another_level(match, texts))
    if is_spectator:
        return ((moves, rules),)
    if match.status is Status.OVER:
        next_one = Action("puzzle", argument=game.id)
        return ((Button(texts("button-puzzle"), next_one, Style.PRIMARY), rules),)
    # Steps without a cell in the picture become buttons.
    main = None if my_seat is None else game.main_step(loaded.view(my_seat), my_seat)
    named = [
        Button(
            texts(key) if texts.has(key := f"{game.id}-button-{choice.step}") else choice.label,
            choice.action,
            Style.PRIMARY if choice.step == main else Style.PLAIN,
        )
        for choice in choices
        if may_act and choice.cell is None and choice.legal
    ]
    # First in the row of all other buttons, so that the keys above stay where they are.
    cancel = (button("step", ".".join(chosen[:-1]), key="cancel"),) if chosen else ()
    if may_act and None in playables.values():
        named.append(
            Button(
                texts.of_game(game.id, "button", "private"),
                Action("private", match.id, match.version),
                Style.PRIMARY,
            )
        )
    if match.is_puzzle or match.is_study:
        return (*in_rows(named, _WIDE), (*cancel, *_private_buttons(match, texts, rules)))
    give_up = button("resign", key="give-up" if alone else "", style=Style.DANGER)
    hints = (button("hint"),) if match.may_hint else ()
    last = [*cancel, moves, rules, *hints, give_up]
    may_nudge = loaded.waiting is not None and match.wait.can_nudge
    if may_nudge and my_seat in (None, loaded.waiting):
        # Last, so that no button takes another's place between two presses.
        last.append(button("nudge"))
    return (*in_rows(named, _WIDE), tuple(last))


def _private_buttons(match: Match, texts: Texts, rules: Button) -> tuple[Button, ...]:
    """Return the buttons of a puzzle or a study."""
    button = partial(match_button, match, texts)
    if match.is_puzzle:
        return (button("resign", key="solution"), rules)
    back = (button("takeback", key="takeback-short"),) if match.plies else ()
    return (*back, button("hint"), button("moves"), button("resign", "yes", key="close-study"))


def _another_level(match: Match, texts: Texts) -> Iterator[tuple[Button, ...]]:
    level, outcome = match.level, match.outcome
    if level is None or outcome is None:
        return
    step = 1 if outcome.winners.isdisjoint(match.computer_seats) else -1
    if 1 <= level + step <= LEVELS:
        name = texts(f"computer-{level + step}")
        said = texts("button-level-down" if step < 0 else "button-level-up", name=name)
        yield (Button(said, Action("again", match.id, match.version, f"k{level + step}")),)


def analysis_button(match: Match, texts: Texts) -> Button:
    """Return the button that requests or shows the analysis, labelled with what it does."""
    progress, key = match.progress, "analyse"
    if progress is not None and not progress.is_given_up:
        key = "analysis-show" if progress.is_whole else "analysing"
    return match_button(match, texts, "analyse", key=key)


def settled_button(offer: Offer, match: Match, texts: Texts) -> Button:
    """Return a button in place of the answers to a settled offer.

    It carries the version of the settlement, so that it cannot answer a later offer.
    """
    how = texts(f"settled-{offer.state}")
    action = Action(offer.kind.value, match.id, offer.version, "decline")
    label = texts(f"button-{offer.kind}-settled", how=how)
    return Button(label, action, short=how, is_disabled=True)


def answers_to(offer: Offer, shown: Shown) -> tuple[Button, ...]:
    """Return the answers to an offer, for both players if they see the same board."""
    match, texts = shown.match, shown.texts

    def button(text: str, what: str, style: Style = Style.PLAIN) -> Button:
        action = Action(offer.kind.value, match.id, match.version, what)
        return Button(text, action, style, short=texts(f"button-{what}"))

    # With several offers, the answers name the offer.
    is_one_of_several = len(match.open_offers) > 1
    accept = button(texts(f"button-{offer.kind}-accept"), "accept", Style.PRIMARY)
    no = texts(f"button-{offer.kind}-decline" if is_one_of_several else "button-decline")
    decline = button(no, "decline")
    own = texts(f"button-{offer.kind}-withdraw")
    if shown.my_seat is None:
        name = shown.name(offer.by)
        withdraw = texts("button-withdraw-of", name=name)
        if is_one_of_several:
            withdraw = texts("button-withdraw-what-of", what=own, name=name)
        return (accept, decline, button(withdraw, "withdraw"))
    if shown.my_seat == offer.by:
        return (button(own, "withdraw"),)
    return (accept, decline)


def offer_buttons(shown: Shown) -> tuple[Button, ...]:
    """Return the offers of players to each other, possible now or not: buttons keep their place.

    Those that are open are disabled for the player who made them.
    """
    match, texts = shown.match, shown.texts
    made = {offer.kind for offer in match.open_offers if offer.by == shown.my_seat}
    kinds = [OfferKind.DRAW, OfferKind.ABORT] if match.allows_offers else []
    if kinds and shown.game.takeback and (match.terms.has_takebacks or match.terms.rated is None):
        kinds.insert(0, OfferKind.TAKEBACK)
    return tuple(
        Button(
            texts(f"button-{kind}"),
            Action(kind.value, match.id, match.version),
            short=texts(f"button-{kind}-short"),
            is_disabled=kind in made,
        )
        for kind in kinds
    )


def lasting_buttons(match: Match, texts: Texts) -> tuple[Button, ...]:
    """Return the buttons for other views of a board."""
    if match.status not in (Status.RUNNING, Status.OVER):
        return ()
    return tuple(match_button(match, texts, verb) for verb in ("flip", "alt"))
