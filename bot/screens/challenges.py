"""Screens of challenges."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from bot.domain.actions import Action
from bot.domain.links import readable_code
from bot.domain.model import Match, Player, Status
from bot.domain.quiet import zone_named
from bot.matches import MatchState
from bot.screens.values import Button, Copied, Reader, Rows, Screen, Style, match_button
from bot.screens.wording import terms_line

_HERE = "\ue000"
"""A placeholder for a name. No name contains it (`bot.matches.names.readable`)."""


def challenge_screen(loaded: MatchState, reader: Reader, names: Mapping[Player, str]) -> Screen:
    """Return the screen of a challenge, open or ended."""
    texts, match, game = reader.texts, loaded.match, loaded.game
    is_mine = reader.user is not None and reader.user.id == match.challenger
    who = names[match.challenger]
    name = texts(f"{game.id}-name")
    rated = texts("challenge-rated") if match.terms.rated is not None else ""
    lines = [" · ".join(filter(None, [terms_line(game, match, texts), rated]))]
    if match.preferred_seat is not None:
        side = texts(f"{game.id}-seat-{match.preferred_seat}")
        lines.append(texts.of_game(game.id, "challenge", "side", name=who, side=side))
    other = f"@{match.handle}" if match.handle else ""
    if match.opponent is not None:
        other = names[match.opponent]
    over = match.status is not Status.PROPOSED
    asked = (0, 0)
    if other:
        key = "challenge-over-to" if over else "challenge-to"
        # One name may contain the other, so the text tells where the second starts.
        before = texts(key, name=who, opponent=_HERE, game=name).index(_HERE)
        title = texts(key, name=who, opponent=other, game=name)
        asked = (before, before + len(other))
    else:
        title = texts("challenge-over-open" if over else "challenge-open", name=who, game=name)
    rows: Rows = ()
    copied: tuple[Copied, ...] = ()
    due = None
    if not over:
        if match.expires is not None:
            due = texts.moment(match.expires, zone_named(reader.zone)), match.expires
            lines.append(texts("challenge-until", when=due[0]))
        if not other and is_mine:
            line = texts("join-line", code=readable_code(match.code))
            copied = (Copied(line, texts("button-copy")),)
            lines.append(texts("challenge-code", line=line))
        rows = _challenge_rows(match, reader, who, is_named=bool(other))
    else:
        lines.append(texts(f"challenge-{match.status}"))
    return Screen(
        title=title,
        opponent_span=asked,
        text="\n".join(line for line in lines if line),
        copied=copied,
        due=due,
        rows=rows,
        match=match.id,
        version=match.version,
        game=game.id,
        over=over,
        share=match.code if is_mine and not over else "",
    )


def _challenge_rows(match: Match, reader: Reader, who: str, *, is_named: bool) -> Rows:
    """Return the buttons for the reader, or for all who see one board (no user)."""
    texts, me = reader.texts, reader.user.id if reader.user else None
    button = partial(match_button, match, texts)
    take_up = button("accept", key="accept" if is_named else "join", style=Style.PRIMARY)
    rules = Button(texts("button-rules"), Action("rules", argument=match.game))
    if me is None and not is_named:
        withdraw = replace(button("withdraw"), label=texts("button-withdraw-of", name=who))
        return ((take_up, rules), (withdraw,))
    if me == match.challenger:
        return ((button("withdraw"), rules),)
    if me is not None and match.opponent not in (me, None):
        return ((rules,),)
    return ((take_up, *((button("decline"),) if is_named else ()), rules),)
