"""A challenge: who asks whom for what, and what can be answered."""

from collections.abc import Mapping

from bot.actions import Action
from bot.links import readable_code
from bot.matches import LoadedMatch
from bot.model import Match, Status
from bot.screens.values import Button, Reader, Screen, Style
from bot.screens.wording import option_line

__all__ = ["challenge_screen"]


def challenge_screen(loaded: LoadedMatch, reader: Reader, names: Mapping[int, str]) -> Screen:
    """A challenge: open, or how it ended."""
    texts, match, game = reader.texts, loaded.match, loaded.game
    is_mine = reader.user is not None and reader.user.id == match.challenger
    who = names[match.challenger]
    name = texts(f"{game.id}-name")
    lines = [option_line(game, match.options, texts)]
    if match.preferred_seat is not None:
        side = texts(f"{game.id}-seat-{match.preferred_seat}")
        lines.append(texts.of_game(game.id, "challenge", "side", name=who, side=side))
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
