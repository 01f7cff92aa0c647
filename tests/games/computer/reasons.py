"""Reasons of engines for moves: whether each is true, and has a text."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import bot
from bot.support.texts import LANGUAGES, Texts
from games import Note
from games.base import Position

_LOCALES = Path(bot.__file__).parent / "locales"

P = TypeVar("P", bound=Position[Any, Any])
M = TypeVar("M")


@dataclass(frozen=True)
class Said(Generic[P, M]):
    """A reason, and what it is about."""

    before: P
    move: M
    details: Mapping[str, str | float]

    @property
    def seat(self) -> int:
        return min(self.before.turn)

    @property
    def after(self) -> P:
        return self.before.play(self.seat, self.move)

    def others(self) -> list[Self]:
        """Return the other legal moves, without details."""
        moves = self.before.moves(self.seat)
        return [type(self)(self.before, move, {}) for move in moves if move != self.move]


S = TypeVar("S", bound=Said[Any, Any])


def borne_out(
    game_id: str, is_so: Mapping[str, Callable[[S], bool]], found: Iterable[tuple[S, Note]]
) -> set[str]:
    """Return the reasons given. Each must be true, and have a text in every language."""
    seen = set()
    for said, note in found:
        assert is_so[note.code](said), (said.before.setup(), said.move, note)
        seen.add(note.code)
        for language in LANGUAGES:
            assert Texts(language).note(game_id, "because", note)
    return seen


def check_words(game_id: str, reasons: Iterable[str]) -> None:
    """Check that every language has texts for just these reasons."""
    wanted = set(reasons)
    for language in LANGUAGES:
        words = (_LOCALES / language / f"{game_id}.ftl").read_text("utf-8")
        found = set(re.findall(rf"^{game_id}-because-([a-z-]+) =", words, re.MULTILINE))
        assert found == wanted, language
