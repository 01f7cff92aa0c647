"""The buttons below a board."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from bot.domain.actions import Action
from bot.domain.model import Match, Offer, Player, Status
from bot.matches import MatchState
from bot.screens.choices import Playables
from bot.screens.values import Button, Choice, Reader, Style
from bot.support.texts import Texts
from games.computer import LEVELS


def replay_buttons(match: Match, texts: Texts, at: int) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons for the moves before and after."""
    ways = [
        Button(texts(f"button-{word}"), Action("past", match.id, 0, str(ply)))
        for word, ply in (("move-back", at - 1), ("move-on", at + 1))
        if 0 <= ply <= len(match.plies)
    ]
    return (tuple(ways),) if ways else ()


def board_rows(
    loaded: MatchState,
    reader: Reader,
    choices: Iterable[Choice],
    playables: Playables,
    chosen: tuple[str, ...],
    *,
    erased: Collection[int],
    looks_back: bool,
) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a board. There is no rematch with `erased` players."""
    texts = reader.texts
    match, version = loaded.match.id, loaded.match.version
    game = loaded.game
    alone = len(loaded.match.seats) == 1
    moves = Button(texts("button-moves"), Action("moves", match, version))
    rules = Button(texts("button-rules"), Action("rules", argument=game.id))
    my_seat = loaded.match.seat_of(reader.user.id) if reader.user else None
    looks = (analysis_button(loaded.match, texts),) if looks_back else ()
    if reader.user and my_seat is None:
        return ((moves, rules, *looks),)
    may_act = not reader.user or my_seat in loaded.turn
    if loaded.match.status is Status.OVER:
        if loaded.match.is_puzzle:
            next_one = Action("puzzle", argument=game.id)
            return ((Button(texts("button-puzzle"), next_one, Style.PRIMARY), rules),)
        if erased:
            return ((moves, *looks),)
        again = texts("button-again-alone" if alone else "button-again")
        another = Button(again, Action("again", match, version), Style.PRIMARY)
        # Views stay first, and a new match has a row for itself.
        rows: list[tuple[Button, ...]] = [(moves, *looks), (another,)]
        level = loaded.match.level
        if level is not None:
            rows += _another_level(loaded.match, level, texts)
        return tuple(rows)
    # Steps without a cell in the picture become buttons.
    main = None if my_seat is None else game.main_step(loaded.view(my_seat), my_seat)
    named = [
        Button(
            texts(key) if texts.has(key := f"{game.id}-button-{choice.step}") else choice.label,
            choice.action,
            Style.PRIMARY if choice.step == main else Style.PLAIN,
        )
        for choice in choices
        if may_act and choice.legal and choice.box is None
    ]
    if chosen:
        back = Action("step", match, version, ".".join(chosen[:-1]))
        return (*_fives(named), (Button(texts("button-cancel"), back),))
    if may_act and any(playable.more for playable in playables.values()):
        named.append(
            Button(
                texts.of_game(game.id, "button", "private"),
                Action("private", match, version),
                Style.PRIMARY,
            )
        )
    if loaded.match.is_puzzle:
        solution = Button(texts("button-solution"), Action("resign", match, version))
        return (*_fives(named), (solution, rules))
    leave = "button-give-up" if alone else "button-resign"
    give_up = Button(texts(leave), Action("resign", match, version), Style.DANGER)
    hints = (Button(texts("button-hint"), Action("hint", match, version)),)
    last = [moves, rules, *(hints if loaded.match.may_hint else ()), give_up]
    may_nudge = loaded.waiting is not None and loaded.match.wait.nudged == 0
    if may_nudge and my_seat in (None, loaded.waiting):
        # Last, so that no button takes another's place between two presses.
        last.append(Button(texts("button-nudge"), Action("nudge", match, version)))
    return (*_fives(named), tuple(last))


def _another_level(match: Match, level: int, texts: Texts) -> Iterator[tuple[Button, ...]]:
    outcome = match.outcome
    if outcome is None:
        return
    step = 1 if outcome.winners.isdisjoint(match.computer_seats) else -1
    if 1 <= level + step <= LEVELS:
        name = texts(f"computer-{level + step}")
        said = texts("button-level-down" if step < 0 else "button-level-up", name=name)
        yield (Button(said, Action("again", match.id, match.version, f"k{level + step}")),)


def analysis_button(match: Match, texts: Texts) -> Button:
    """Return the button that requests or shows the analysis, labelled with what it does."""
    progress, key = match.progress, "button-analyse"
    if progress is not None and not progress.is_given_up:
        key = "button-analysis-show" if progress.is_whole else "button-analysing"
    return Button(texts(key), Action("analyse", match.id, match.version))


def settled_button(offer: Offer, match: Match, texts: Texts) -> Button:
    """Return a button in place of the answers to a settled offer.

    It carries the version of the settlement, so that it cannot answer a later offer.
    """
    how = texts(f"settled-{offer.state}")
    action = Action(offer.kind.value, match.id, offer.version, "decline")
    label = texts(f"button-{offer.kind}-settled", how=how)
    return Button(label, action, short=how, is_disabled=True)


def answers_to(
    offer: Offer, match: Match, texts: Texts, *, my_seat: int | None, names: Mapping[Player, str]
) -> tuple[Button, ...]:
    """Return the answers to an offer, for both players if they see the same board."""

    def button(text: str, what: str, style: Style = Style.PLAIN) -> Button:
        action = Action(offer.kind.value, match.id, match.version, what)
        return Button(text, action, style, short=texts(f"button-{what}"))

    # With several offers, the answers name the offer.
    is_one_of_several = len(match.open_offers) > 1
    accept = button(texts(f"button-{offer.kind}-accept"), "accept", Style.PRIMARY)
    no = texts(f"button-{offer.kind}-decline" if is_one_of_several else "button-decline")
    decline = button(no, "decline")
    own = texts(f"button-{offer.kind}-withdraw")
    if my_seat is None:
        name = names[match.seats[offer.by]]
        withdraw = texts("button-withdraw-of", name=name)
        if is_one_of_several:
            withdraw = texts("button-withdraw-what-of", what=own, name=name)
        return (accept, decline, button(withdraw, "withdraw"))
    if my_seat == offer.by:
        return (button(own, "withdraw"),)
    return (accept, decline)


def _fives(buttons: Sequence[Button]) -> list[tuple[Button, ...]]:
    return [tuple(buttons[at : at + 5]) for at in range(0, len(buttons), 5)]


def lasting_buttons(match: Match, texts: Texts) -> tuple[Button, ...]:
    """Return the buttons for other views of a board."""
    if match.status not in (Status.RUNNING, Status.OVER):
        return ()
    return tuple(
        Button(texts(f"button-{verb}"), Action(verb, match.id, match.version))
        for verb in ("flip", "alt")
    )
