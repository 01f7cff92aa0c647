"""Typed moves as people write them: with numbers, annotation and markup, or with mistakes.

The keys of their words are ``<game>-word-<word>``. If a word is ambiguous, the game's own notation
takes precedence, then the user's language. A partial move (`bot.store.partial_moves`) can be
started by a click and finished by typing.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from structlog import get_logger

import games
from bot.commands.base import Context
from bot.domain.lookalikes import latin
from bot.matches import MatchState
from bot.store import partial_moves
from bot.store.partial_moves import PartialMove
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.texts import LANGUAGES, Texts
from games import AmbiguousMove, AnyGame, GameError

_log = get_logger(__name__)

_WORD = re.compile(r"[^\W\d_]+")
_EDGES = "\"'`´‘’‚‛“”„‟«»‹›()[]{}<>*_~|"
_REMARK = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\})$")
_ANNOTATION = " !?+#.,;:"
_NUMBER = re.compile(r"\d{1,3}\s?(?:\.{3}\s*|\)\s*|\.\s+|\.(?=\D))(?=[^\w\s]*\w)")
_MIXED = re.compile(r"(?=[^\W_]*[a-zA-Z\d])[^\W_]+")
"""A coordinate or a word, with letters or digits of a Latin keyboard."""
_LETTER = re.compile(r"[^\W\d_a-zA-Z]")
_TALK = re.compile(r"(?<![!?])\?[\W_]*$|^</?3")
_PASS = re.compile(r"pa|ps|passe?|--")
_SWAPPED = re.compile(r"(?<![a-z\d])(\d{1,2})\s?([a-z])(?![a-z\d])")
_COORDINATE = re.compile(r"(?:\b\d+\s*\.+\s*)?[a-z]\d{1,2}(?:\s?=\s?\d)?(?!\d)|\bpass\b")
_RECORD = re.compile(r"\(;\s?[A-Z]+\s?\[|\[[A-Z]\w+ [\"“”„«]")
"""How records with headers begin."""
_MOST_DRESSED = 200
"""Characters of a text that `bare` may read, which takes the square of them."""


def bare(text: str) -> str:
    """Return a `plain` move without move number, quotes, brackets, annotation and comments.

    Letters that only look Latin become Latin.
    """
    before = ""
    while text != before:
        before = text
        text = _REMARK.sub("", text)
        if text == before:
            text = text.rstrip(_ANNOTATION) or text[:1]
        if text == before:
            text = text.strip(_EDGES + " ") or text
        if number := _NUMBER.match(text):
            text = text[number.end() :]
    return _MIXED.sub(lambda word: _LETTER.sub(lambda found: latin(found[0]), word[0]), text)


def is_talk(text: str) -> bool:
    """Return whether a text in a chat asks about a move (``d3?``) or is a heart (``<3``)."""
    return bool(_TALK.search(text))


def is_record(text: str) -> bool:
    """Return whether a text is rather a record than a move."""
    typed = (bare(text) if len(text) <= _MOST_DRESSED else text.strip(_EDGES)).casefold()
    is_list = len(_COORDINATE.findall(typed)) > 1
    is_list = is_list and not _COORDINATE.sub("", typed).strip(" ,;-")
    return is_list or _RECORD.match(text) is not None


def in_notation(game: AnyGame, move: str, language: str) -> str:
    """Return a `bare` move with its words replaced by the game's own."""
    known = _meanings(game.id, language)
    return _WORD.sub(lambda found: known.get(found[0].casefold(), found[0]), move)


def could_be_name(game: AnyGame, text: str, language: str) -> bool:
    """Return whether the text is rather a name than a move. Moves have digits or known words."""
    if any(sign.isdigit() for sign in text):
        return False
    words = in_notation(game, bare(text), language).casefold().split()
    return {*game.verbs, *game.words}.isdisjoint(words[:1])


@cache
def _meanings(game_id: str, language: str) -> Mapping[str, str]:
    own = games.get(game_id).words
    known = {word: word for word in own}
    for said, word in _said(game_id, Texts(language)):
        known.setdefault(said, word)
    elsewhere: dict[str, set[str]] = {}
    for other in LANGUAGES:
        for said, word in _said(game_id, Texts(other)):
            elsewhere.setdefault(said, set()).add(word)
    for said, words in elsewhere.items():
        if len(words) == 1:
            known.setdefault(said, *words)
    return known


def _said(game_id: str, texts: Texts) -> Iterator[tuple[str, str]]:
    for word in games.get(game_id).words:
        for said in texts(f"{game_id}-word-{word}").casefold().split():
            yield said, word


async def record_partial_move(context: Context, loaded: MatchState, steps: tuple[str, ...]) -> None:
    """Store clicked steps. After an error the user can still click on."""
    match = loaded.match
    try:
        # Outside the unit of work: a retried click starts the move again.
        begun = PartialMove(match.id, match.version, steps)
        await partial_moves.note(context.app.store, context.user.id, begun)
    except StoreError as error:
        store_failed(_log, "partial move not stored", error)


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A text that may be a move of the user in a match, or the rest of a partial move there."""

    context: Context
    loaded: MatchState
    text: str
    begun: PartialMove | None = None
    """The partial move in this match, if the text could finish it."""

    @property
    def seat(self) -> int | None:
        return self.loaded.match.seat_of(self.context.user.id)

    @property
    def alone(self) -> str:
        """The text in notation, without the partial move."""
        return in_notation(self.loaded.game, bare(self.text), self.context.texts.language)

    def whole(self) -> str:
        """Return the move in notation, after a partial move it finishes. Raises `AmbiguousMove`."""
        loaded, seat, begun, written = self.loaded, self.seat, self.begun, self.alone
        if seat is None or begun is None or not loaded.match.is_playable_at(begun.version):
            return written
        finished = " ".join((*begun.steps, written))
        move, alone = self.understood(finished), self.understood(written)
        if move is None or loaded.game.steps(move)[: len(begun.steps)] != begun.steps:
            return written
        legal = loaded.position.moves(seat)
        if move in legal:
            if alone in legal and alone != move:
                moves = ", ".join(sorted(loaded.game.notation(one) for one in (alone, move)))
                raise AmbiguousMove("ambiguous", moves=moves)
            return finished
        # Both are illegal: explain the one that can be parsed.
        return finished if alone is None else written

    def parsed(self) -> Any:
        """Return the move of the user's seat, legal or not. Raises `GameError`."""
        seat = self.seat
        assert seat is not None
        return self.loaded.game.parse(self.loaded.view(seat), seat, self.whole())

    def understood(self, written: str) -> Any:
        """Return a move in notation of the user's seat, None if it is none."""
        if self.seat is None:
            return None
        try:
            return self.loaded.game.parse(self.loaded.view(self.seat), self.seat, written)
        except GameError:
            return None

    def fault(self) -> tuple[str, dict[str, str]]:
        """Return what is wrong with a move that the game does not understand, with details."""
        typed, game = bare(self.text).casefold(), self.loaded.game
        for letter in _LETTER.findall("".join(_MIXED.findall(typed))):
            if not unicodedata.name(letter, "").startswith("LATIN"):
                return "letter", {"letter": letter}
        if _PASS.fullmatch(typed):
            return "pass", {}
        if (ordered := _SWAPPED.sub(r"\2\1", typed)) != typed and self.seat is not None:
            move = self.understood(in_notation(game, ordered, self.context.texts.language))
            if move in self.loaded.position.moves(self.seat) and not game.is_secret(move):
                return "order", {"example": self.context.texts.move(game.id, game.notation(move))}
            if move is not None or _SWAPPED.fullmatch(typed):
                return "order", {}
        return ("several", {}) if is_record(self.text) else ("", {})

    def can_be_rest(self) -> bool:
        if self.seat is None:
            return False
        game, moves = self.loaded.game, self.loaded.position.moves(self.seat)
        if all(len(game.steps(move)) == 1 for move in moves):
            return False
        alone = self.understood(self.alone)
        return alone not in moves or len(game.steps(alone)) == 1


async def with_partial_move(typed: Sequence[TypedMove]) -> Sequence[TypedMove]:
    """Add the user's partial move if the text could finish it in one of these matches."""
    if not any(one.can_be_rest() for one in typed):
        return typed
    begun = await partial_moves.of(typed[0].context.store, typed[0].context.user.id)
    return [
        replace(one, begun=begun) if begun and begun.match == one.loaded.match.id else one
        for one in typed
    ]
