"""What a front shows: text, a picture, choices on it, buttons. Widgets are the front's business.

A screen is made for one reader: their language, theme and side of the board. It holds plain
text only; a front escapes it in its own way.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import renderers
from bot import records
from bot.actions import Action
from bot.endings import by_seat, in_words
from bot.links import readable_code
from bot.matches import LoadedMatch
from bot.model import Match, Status, User
from bot.names import Names
from bot.pictures import Pictures, Png
from bot.tables import Table
from bot.texts import Texts
from games import AnyGame
from renderers import THEMES, Box, RenderOptions, Verdict

__all__ = [
    "SIZES",
    "Button",
    "Choice",
    "Field",
    "File",
    "GameOffer",
    "Link",
    "Reader",
    "Screen",
    "Screens",
    "Side",
    "StartCard",
    "Style",
    "form_of",
    "headline",
    "lasting_buttons",
    "notation_key",
    "option_line",
    "option_words",
    "spent_buttons",
    "with_text",
]


SIZES = (800, 1200)
"""How wide pictures are, in pixels: for chats, and where a page can show more of them. Few, for
each has its sprites in memory."""


class Style(StrEnum):
    """How loudly a button asks to be pressed."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """One thing to press under a screen."""

    label: str
    action: Action
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Choice:
    """One next step of a move. `box` is its place in the picture, None where it has none.

    Steps that are not legal now are listed, too, where the picture shows them: whoever takes
    one is told why not. `group`, `row` and `column` are those of the picture (`renderers.Cell`).
    `short` is for where there is little room: the step, as its reader writes it. `sign` is what
    lies there (`renderers.Cell`), for widgets that are a board themselves.
    """

    step: str
    label: str
    short: str
    action: Action
    legal: bool
    box: Box | None = None
    group: str = ""
    row: int = 0
    column: int = 0
    also: tuple[Box, ...] = ()
    """Further places in the picture that mean the same."""
    sign: str = ""
    lies: str = ""
    """What lies there in words, for those who listen: black."""


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays one side of a match, for plates beside the board."""

    name: str
    mark: str
    """The sign of the side: ``⚫``."""
    seat: str
    """What the side is called: Black."""
    is_mine: bool = False
    """Does whoever reads the screen play it?"""
    has_turn: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """Something to keep, such as one's own data; `name` has the ending that tells what it is."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Link:
    """An address of this house's page: the front knows what stands before its `word`."""

    word: str
    label: str = ""
    """Without one the address itself is shown, to be copied."""


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game in a menu, for fronts that lay it out themselves; `action` chooses it."""

    game: str
    name: str
    about: str
    action: Action


@dataclass(frozen=True, slots=True)
class Field:
    """Something of which exactly one of `choices` is chosen: pairs of a value and its words."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    chosen: str
    when: tuple[str, str] | None = None
    """Another field and the value of it that gives this one a meaning (None: it always has)."""


@dataclass(frozen=True, slots=True)
class StartCard:
    """With what a match of a game can be begun, for fronts that have fields.

    What was chosen goes into the fields of a `Command` whose verb is "start".
    """

    game: str
    about: str
    options: tuple[Field, ...]
    side: Field
    """Values are seats, or empty for whatever comes."""
    whom: Field
    """Values are names, or empty for anybody; others may be asked by their names as well."""
    alone: tuple[tuple[str, ...], ...]
    """The values of all options with which one plays alone, so that there are no sides."""
    rules: Action


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything a front needs to show something to one reader."""

    title: str = ""
    text: str = ""
    picture: Png | None = None
    alt: str = ""
    choices: tuple[Choice, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    """What the groups of the choices are called, as far as they have names."""
    last_step: str = ""
    """The first step of the last move, where whoever goes on may look first; "" where the reader
    may not know it."""
    rows: tuple[tuple[Button, ...], ...] = ()
    match: int = 0
    version: int = 0
    game: str = ""
    """The id of the game of the match, with which what is pressed here is compared."""
    my_turn: bool = False
    mine: bool = False
    """Does its reader play in the match?"""
    name: str = ""
    """What the game of the match is called, with which the title of its board begins."""
    sides: tuple[Side, ...] = ()
    """Who plays, by seat, in a match that has begun."""
    over: bool = False
    chosen: tuple[str, ...] = ()
    """Steps of a half-made move that this screen shows."""
    at_once: int = 1
    """How many of the choices in the picture may be taken together."""
    prompt: str = ""
    """What is to be chosen next in such a move, which the text says, too."""
    record: tuple[records.Told, ...] = ()
    """The moves of the match, on a screen that shows how it stood after `ply` of them."""
    ply: int | None = None
    in_place: bool = False
    """Belongs where the pressed board is, for whoever pressed: a half-made move, or none again."""
    secret: bool = False
    """Does it show what others in the place must not see?"""
    again: Action | None = None
    """What shows a secret screen once more, where one must first go somewhere private."""
    share: str = ""
    """The code of a challenge that its reader may hand on."""
    file: File | None = None
    """Goes with the screen; one that has a file is secret."""
    link: Link | None = None
    """Leads on; only where people sit in browsers."""
    menu: tuple[GameOffer, ...] = ()
    """The games of a menu, which its `text` names and its `rows` have as well."""
    start: StartCard | None = None
    """What the `rows` of a start menu change step by step."""
    tables: tuple[Table, ...] = ()
    """Stand under the text, as the front shows such things."""


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a screen is made; `user` None is everybody in a place."""

    texts: Texts
    user: User | None = None
    theme: str = "light"
    size: int = SIZES[0]
    """Width of pictures in pixels, one of `SIZES`."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The reader's own settings."""
        return self.user.settings if self.user else {}


class Screens:
    """Makes the screens that show matches; drawing runs off the loop."""

    def __init__(self, names: Names, pictures: Pictures) -> None:
        self._names = names
        self._pictures = pictures

    async def match(
        self,
        loaded: LoadedMatch,
        reader: Reader,
        *,
        seat: int | None,
        chosen: tuple[str, ...] = (),
        turned: bool = False,
    ) -> Screen:
        """A match as `seat` (None: everybody) may see it, whatever its status.

        `turned` shows the board from the other side than the reader is used to.
        """
        match = loaded.match
        names = await self._names.shown(match.people, reader.texts)
        if match.status is Status.RUNNING or match.status is Status.OVER:
            return await self._board(loaded, reader, names, seat=seat, chosen=chosen, turned=turned)
        return _challenge(loaded, reader, names)

    async def past(
        self, loaded: LoadedMatch, reader: Reader, *, seat: int | None, ply: int | None = None
    ) -> Screen:
        """A match as `seat` (None: everybody) saw it after `ply` of its moves, None: after all.

        What is shown of an earlier position is the view that this seat had then, and so one that
        it may have now. Raises `Refused` where nothing has begun.
        """
        texts, game, match = reader.texts, loaded.game, loaded.match
        last = len(match.plies)
        at = last if ply is None else min(ply, last)
        names = await self._names.shown(match.people, texts)
        told = await asyncio.to_thread(
            records.moves, loaded, seat, form=form_of(reader, game), texts=texts
        )
        rendering = _render_options(loaded, reader, ())
        if at == last:
            view, stopped, drawn = loaded.view(seat), loaded.is_stopped, None
        else:
            view = await asyncio.to_thread(records.earlier, loaded, seat, at)
            stopped, drawn = False, at
            rendering = replace(rendering, legal=False, threats=False, verdict=None)
        words = renderers.get(game.id).describe(view, texts, is_stopped=stopped)
        move = f"{at}. {told[at - 1].text}" if at else texts("past-start")
        facts = game.facts(view, is_stopped=stopped)
        who = by_seat(match, names)
        remarks = " · ".join(texts.note(game.id, "fact", fact, **who) for fact in facts)
        state = _status_line(loaded, reader, names, my_turn=False) if at == last else ""
        return Screen(
            title=headline(loaded, texts, names),
            text="\n".join(filter(None, [state, move, remarks])),
            picture=await self._pictures.png(loaded, view, rendering, seat=seat, ply=drawn),
            alt=words,
            rows=_ways_through(match, texts, at),
            match=match.id,
            version=match.version,
            game=game.id,
            name=texts(f"{game.id}-name"),
            sides=_sides(
                loaded, texts, names, my_seat=match.seat_of(reader.user.id) if reader.user else None
            ),
            over=match.status is Status.OVER,
            record=told,
            ply=at,
            secret=seat is not None and game.hidden(match.options) and not match.ending,
        )

    async def status_line(self, loaded: LoadedMatch, reader: Reader) -> str:
        """Whose turn it is in a match, or how it ended, in words."""
        names = await self._names.shown(loaded.match.people, reader.texts)
        return _status_line(loaded, reader, names, my_turn=False)

    async def _board(
        self,
        loaded: LoadedMatch,
        reader: Reader,
        names: Mapping[int, str],
        *,
        seat: int | None,
        chosen: tuple[str, ...],
        turned: bool,
    ) -> Screen:
        texts, match, game = reader.texts, loaded.match, loaded.game
        over = match.status is Status.OVER
        view = loaded.view(seat)
        rendering = _render_options(loaded, reader, chosen)
        rendering = replace(rendering, flipped=rendering.flipped != turned)
        my_seat = match.seat_of(reader.user.id) if reader.user else None
        my_turn = my_seat is not None and my_seat in loaded.turn
        offers = {} if over else _offers(loaded, seat)
        choices = () if over else _choices(loaded, view, offers, rendering, texts)
        lines = [_status_line(loaded, reader, names, my_turn=my_turn)]
        prompt = _prompt(loaded, view, texts, chosen) if chosen and not over else ""
        if my_seat is not None and my_seat in offers and offers[my_seat].more:
            # Nothing can be played at this board: it leads to where it can.
            prompt = texts("board-in-private", button=texts("button-private"))
        lines[0] = " ".join(filter(None, [lines[0], prompt]))
        facts = game.facts(view, is_stopped=loaded.is_stopped)
        if match.ending and match.ending.is_for_nothing and len(match.seats) == 1:
            # What it would have cost counts for nobody.
            facts = ()
        who = by_seat(match, names)
        lines.append(" · ".join(texts.note(game.id, "fact", fact, **who) for fact in facts))
        if not chosen:
            lines.append(records.last_move(loaded, seat, form=rendering.form, texts=texts))
        return Screen(
            title=headline(loaded, texts, names),
            text="\n".join(line for line in lines if line),
            picture=await self._pictures.png(loaded, view, rendering, seat=seat),
            alt=_alt(loaded, view, texts, names),
            choices=choices,
            groups=_groups(game, choices, texts),
            last_step="" if over or chosen else records.last_step(loaded, seat),
            rows=_board_rows(
                loaded,
                reader,
                choices,
                offers,
                rendering.chosen,
                erased=await self._names.erased(match.seats),
            ),
            match=match.id,
            version=match.version,
            game=game.id,
            my_turn=my_turn,
            mine=my_seat is not None,
            name=texts(f"{game.id}-name"),
            sides=_sides(loaded, texts, names, my_seat=my_seat),
            over=over,
            chosen=chosen,
            at_once=game.at_once(view, seat) if seat is not None and seat in loaded.turn else 1,
            prompt=prompt,
        )


def _render_options(loaded: LoadedMatch, reader: Reader, chosen: tuple[str, ...]) -> RenderOptions:
    settings = reader.settings
    seat = loaded.match.seat_of(reader.user.id) if reader.user else None
    return RenderOptions(
        theme=reader.theme if reader.theme in THEMES else THEMES[0],
        size=reader.size,
        flipped=settings.get("side") == "own" and seat == 1,
        legal=settings.get("dots", "on") == "on",
        threats=settings.get("threats") == "on",
        chosen=chosen,
        form=form_of(reader, loaded.game),
        verdict=_verdict(loaded.match),
        # Where nothing is marked for one side, both look at one picture, drawn once.
        seat=seat if renderers.marks_own(loaded.game.id) else None,
        words=renderers.words(loaded.game.id, reader.texts),
    )


def _prompt(loaded: LoadedMatch, view: Any, texts: Texts, chosen: tuple[str, ...]) -> str:
    """What is to be chosen next in a half-made move, by whoever may make it."""
    game, position = loaded.game, loaded.position
    for seat in sorted(loaded.turn):
        if any(game.steps(move)[: len(chosen)] == chosen for move in position.moves(seat)):
            note = game.prompt(view, seat, chosen)
            return texts.note(game.id, "prompt", note) if note else ""
    return ""


def _verdict(match: Match) -> Verdict | None:
    """What pictures show of the end; None while the match is on."""
    if match.ending is None:
        return None
    outcome = match.outcome
    return Verdict(outcome.winners, outcome.is_draw) if outcome else Verdict()


def _alt(loaded: LoadedMatch, view: Any, texts: Texts, names: Mapping[int, str]) -> str:
    """The picture in words; of an end that the rules do not know, the house tells first."""
    words = renderers.get(loaded.game.id).describe(view, texts, is_stopped=loaded.is_stopped)
    if not loaded.is_stopped:
        return words
    over = texts("alt-stopped", game=texts(f"{loaded.game.id}-name"))
    return f"{over} {in_words(loaded.match, texts, names)} {words}"


def form_of(reader: Reader, game: AnyGame) -> str:
    """How this reader likes moves of this game written (see `Game.write`)."""
    settings = reader.settings
    # There was one setting for all games, which holds until its reader chooses again.
    form = settings.get(notation_key(game.id), settings.get("notation", ""))
    return form if form in game.forms else ""


def notation_key(game_id: str) -> str:
    """The setting of how moves of a game are written."""
    return f"notation-{game_id}"


def headline(loaded: LoadedMatch, texts: Texts, names: Mapping[int, str]) -> str:
    """The game and who plays it: ``Othello · Anna ⚫ – ⚪ Ben``."""
    game, match = loaded.game.id, loaded.match
    name = texts(f"{game}-name")
    if len(match.seats) < 2:
        return f"{name} · {names[match.challenger]}"
    marks = [texts(f"{game}-mark-{seat}") for seat in (0, 1)]
    first, second = (names[user] for user in match.seats)
    return f"{name} · {first} {marks[0]} – {marks[1]} {second}"


def _sides(
    loaded: LoadedMatch, texts: Texts, names: Mapping[int, str], *, my_seat: int | None
) -> tuple[Side, ...]:
    game, seats = loaded.game.id, loaded.match.seats
    return tuple(
        Side(
            names[user],
            texts(f"{game}-mark-{seat}") if len(seats) > 1 else "",
            texts(f"{game}-seat-{seat}") if len(seats) > 1 else "",
            is_mine=seat == my_seat,
            has_turn=seat in loaded.turn,
        )
        for seat, user in enumerate(seats)
    )


def _status_line(
    loaded: LoadedMatch, reader: Reader, names: Mapping[int, str], *, my_turn: bool
) -> str:
    """Whose turn it is, or how it ended."""
    texts, match = reader.texts, loaded.match
    if match.ending is not None:
        return in_words(match, texts, names)
    if len(match.seats) == 1:
        return ""
    if my_turn:
        return texts("board-your-turn")
    movers = sorted(loaded.turn)
    return texts("board-turn", name=" & ".join(names[match.seats[seat]] for seat in movers))


def _ways_through(match: Match, texts: Texts, at: int) -> tuple[tuple[Button, ...], ...]:
    """One move back, and one on."""
    ways = [
        Button(texts(f"button-{word}"), Action("past", match.id, 0, str(ply)))
        for word, ply in (("move-back", at - 1), ("move-on", at + 1))
        if 0 <= ply <= len(match.plies)
    ]
    return (tuple(ways),) if ways else ()


_Offers = Mapping[int, "_Offer"]
"""What a board offers, by the seat that may move."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """The moves of a seat that a board may offer to those who see it, and has it more?"""

    moves: Sequence[Any]
    more: bool


def _offers(loaded: LoadedMatch, seat: int | None) -> _Offers:
    """What a board seen by `seat` may offer: nothing that is told to the mover alone.

    Nothing at all while some of it is: what else can be played then may depend on the secret.
    """
    game, position = loaded.game, loaded.position
    found = {}
    for mover in sorted(position.turn):
        moves: Sequence[Any] = position.moves(mover)
        is_secret = (
            mover != seat and game.hidden(loaded.match.options) and any(map(game.is_secret, moves))
        )
        found[mover] = _Offer(() if is_secret else moves, more=is_secret)
    return found


def _choices(
    loaded: LoadedMatch, view: Any, offers: _Offers, rendering: RenderOptions, texts: Texts
) -> tuple[Choice, ...]:
    """The next steps after `rendering.chosen`: legal ones, and the rest of the picture's cells."""
    game, match = loaded.game, loaded.match
    depth = len(rendering.chosen)
    cells = dict(renderers.get(game.id).cells(view, rendering))
    legal: dict[str, list[Any]] = {}
    for mover, offer in offers.items():
        for move in offer.moves:
            steps = game.steps(move)
            if steps[:depth] == rendering.chosen:
                legal.setdefault(steps[depth], []).append((mover, move))

    def choice(step: str, label: str, short: str, *, legal: bool) -> Choice:
        action = _step(match.id, match.version, (*rendering.chosen, step))
        cell = cells.get(step)
        if cell is None:
            return Choice(step, label, short, action, legal)
        says = texts.note(game.id, "cell", cell.says) if cell.says else ""
        lies = (cell.box, cell.group, cell.row, cell.column, cell.also, cell.sign, says)
        return Choice(step, label, short, action, legal, *lies)

    choices = [
        choice(
            step,
            _label(game, view, step, moves=moves, rendering=rendering, texts=texts),
            _short(game, step, moves=moves, form=rendering.form, texts=texts),
            legal=True,
        )
        for step, moves in legal.items()
    ]
    if legal:
        others = {step: texts.move(game.id, step) for step in cells if step not in legal}
        choices += [choice(step, said, said, legal=False) for step, said in others.items()]
    # What is in the picture comes in its order, whatever is legal.
    order = {step: at for at, step in enumerate(cells)}
    return tuple(sorted(choices, key=lambda one: order.get(one.step, len(order))))


def _groups(game: AnyGame, choices: Iterable[Choice], texts: Texts) -> dict[str, str]:
    names = dict.fromkeys(choice.group for choice in choices if choice.group)
    return {name: texts(f"{game.id}-group-{name}") for name in names}


def _label(
    game: AnyGame,
    view: Any,
    step: str,
    *,
    moves: Sequence[tuple[int, Any]],
    rendering: RenderOptions,
    texts: Texts,
) -> str:
    if len(moves) > 1:
        return texts.move(game.id, step)
    mover, move = moves[0]
    written = texts.move(game.id, game.write(move, rendering.form))
    effect = game.effect(view, mover, move)
    return f"{written}, {texts.note(game.id, 'effect', effect)}" if effect else written


def _short(
    game: AnyGame, step: str, *, moves: Sequence[tuple[int, Any]], form: str, texts: Texts
) -> str:
    (_, move), *others = moves
    is_whole = not others and game.steps(move) == (step,)
    return texts.move(game.id, game.write(move, form) if form and is_whole else step)


def _step(match_id: int, version: int, steps: Iterable[str]) -> Action:
    return Action("step", match_id, version, ".".join(steps))


def _board_rows(
    loaded: LoadedMatch,
    reader: Reader,
    choices: Iterable[Choice],
    offers: _Offers,
    chosen: tuple[str, ...],
    *,
    erased: Collection[int],
) -> tuple[tuple[Button, ...], ...]:
    """What its reader can do with a board; who only looks on can only look.

    With those who have been `erased` there is no other match.
    """
    texts = reader.texts
    match, version = loaded.match.id, loaded.match.version
    game = loaded.game
    alone = len(loaded.match.seats) == 1
    moves = Button(texts("button-moves"), Action("moves", match, version))
    rules = Button(texts("button-rules"), Action("rules", argument=game.id))
    my_seat = loaded.match.seat_of(reader.user.id) if reader.user else None
    if reader.user and my_seat is None:
        return ((moves, rules),)
    may_act = not reader.user or my_seat in loaded.turn
    if loaded.match.status is Status.OVER:
        if erased:
            return ((moves,),)
        again = texts("button-again-alone" if alone else "button-again")
        return ((Button(again, Action("again", match, version), Style.PRIMARY), moves),)
    # Steps that have no place in the picture become buttons.
    named = [
        Button(
            texts(key) if texts.has(key := f"{game.id}-button-{choice.step}") else choice.label,
            choice.action,
        )
        for choice in choices
        if may_act and choice.legal and choice.box is None
    ]
    if chosen:
        back = Action("step", match, version, ".".join(chosen[:-1]))
        return (*_fives(named), (Button(texts("button-cancel"), back),))
    if may_act and any(offer.more for offer in offers.values()):
        named.append(
            Button(texts("button-private"), Action("private", match, version), Style.PRIMARY)
        )
    leave = "button-give-up" if alone else "button-resign"
    give_up = Button(texts(leave), Action("resign", match, version), Style.DANGER)
    return (*_fives(named), (moves, rules, give_up))


def _fives(buttons: Sequence[Button]) -> list[tuple[Button, ...]]:
    return [tuple(buttons[at : at + 5]) for at in range(0, len(buttons), 5)]


def _challenge(loaded: LoadedMatch, reader: Reader, names: Mapping[int, str]) -> Screen:
    """A challenge: open, or how it ended."""
    texts, match, game = reader.texts, loaded.match, loaded.game
    is_mine = reader.user is not None and reader.user.id == match.challenger
    who = names[match.challenger]
    name = texts(f"{game.id}-name")
    lines = [option_line(game, match.options, texts)]
    if match.preferred_seat is not None:
        lines.append(
            texts("challenge-side", name=who, side=texts(f"{game.id}-seat-{match.preferred_seat}"))
        )
    other = f"@{match.handle}" if match.handle else ""
    if match.opponent is not None:
        other = names[match.opponent]
    over = match.status is not Status.PROPOSED
    if other:
        key = "challenge-over-to" if over else "challenge-to"
        title = texts(key, name=who, opponent=other, game=name)
    else:
        title = texts("challenge-over-open" if over else "challenge-open", name=who, game=name)
    rows: tuple[tuple[Button, ...], ...] = ()
    if match.status is Status.PROPOSED:
        if not other and is_mine:
            lines.append(texts("challenge-code", code=readable_code(match.code)))
        rows = (_challenge_buttons(match, reader, is_named=bool(other)),)
    else:
        lines.append(texts(f"challenge-{match.status}"))
    return Screen(
        title=title,
        text="\n".join(line for line in lines if line),
        rows=rows,
        match=match.id,
        version=match.version,
        game=game.id,
        over=match.status is not Status.PROPOSED,
        share=match.code if is_mine and match.status is Status.PROPOSED else "",
    )


def _challenge_buttons(match: Match, reader: Reader, *, is_named: bool) -> tuple[Button, ...]:
    """What can be done with a challenge: by its reader, or by anybody where all read the same."""
    texts, me = reader.texts, reader.user.id if reader.user else None
    refuse = "decline" if is_named and me != match.challenger else "withdraw"
    accept = texts("button-accept" if is_named else "button-join")
    buttons = [
        Button(accept, Action("accept", match.id, match.version), Style.PRIMARY),
        Button(texts(f"button-{refuse}"), Action(refuse, match.id, match.version)),
        Button(texts("button-rules"), Action("rules", argument=match.game)),
    ]
    may = {"accept", "decline", "withdraw"}
    if me is not None:
        is_asked = match.opponent in (me, None)
        may = {"withdraw"} if me == match.challenger else {"accept"} if is_asked else set()
        may |= {"decline"} if is_named and is_asked else set()
    return tuple(
        button for button in buttons if button.action.verb in may or button.action.verb == "rules"
    )


def option_line(game: AnyGame, options: Mapping[str, str], texts: Texts) -> str:
    """The options that are not the usual ones, in words."""
    return " · ".join(
        option_words(game, option.id, options[option.id], texts)
        for option in game.options
        if options[option.id] != option.default and option.matters(options)
    )


def option_words(game: AnyGame, option: str, choice: str, texts: Texts) -> str:
    """One option in words: ``Rules: Reversi``."""
    name, value = (texts(f"{game.id}-option-{key}") for key in (option, f"{option}-{choice}"))
    return f"{name}: {value}"


def lasting_buttons(match: Match, texts: Texts) -> tuple[Button, ...]:
    """Other ways to see a board, where its message offers none of its own; also after the end."""
    if match.status not in (Status.RUNNING, Status.OVER):
        return ()
    return tuple(
        Button(texts(f"button-{verb}"), Action(verb, match.id, match.version))
        for verb in ("flip", "alt")
    )


def spent_buttons(match: Match, texts: Texts) -> tuple[Button, ...]:
    """Buttons that do nothing any more, for boards that go on showing them."""
    if match.status in (Status.PROPOSED, Status.RUNNING):
        return ()
    if match.status is Status.OVER:
        label = "button-give-up" if len(match.seats) == 1 else "button-resign"
        return (Button(texts(label), Action("resign", match.id, match.version), Style.DANGER),)
    label = "button-join" if match.opponent is None else "button-accept"
    return (Button(texts(label), Action("accept", match.id, match.version), Style.PRIMARY),)


def with_text(screen: Screen, text: str) -> Screen:
    """`screen` with a line of `text` above its own."""
    return replace(screen, text=f"{text}\n{screen.text}".strip())
