"""What is stored: whether the database is whole, and which move was made at which version.

Each version of an active match is one move, with the passes that follow it. So confirmed moves can
be compared with stored ones.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import games
from bot.store import Address
from tests.databases import ask

Move = tuple[int, int, str]
"""The match, the version that was seen, and the steps joined by full stops."""


def parse_token(token: str) -> Move:
    """Return the match, version and argument of a button's token."""
    _, match, version, argument = token.split(":", 3)
    return int(match), int(version), argument


@dataclass
class _Match:
    """A stored match, replayed."""

    first: int
    """The version at which the first move was made."""
    steps: list[str] = field(default_factory=list)
    """The moves at each version from `first` on."""
    taken_back: set[str] = field(default_factory=set)
    is_counted: bool = True
    """Whether versions count moves. Offers, clocks and holidays change versions too."""


class _Stored(NamedTuple):
    seat: int
    notation: str
    taken_back: int | None
    """The ply at which it was taken back."""


def _as_played(record: Iterable[_Stored]) -> Iterator[list[tuple[int, str]]]:
    """Yield the moves as they stood before each takeback, and in the end."""
    line: list[_Stored] = []
    made: list[tuple[int | None, list[_Stored]]] = [(one.taken_back, [one]) for one in record]
    for taken_back, new in [*made, (None, [])]:
        stay = [
            one
            for one in line
            if one.taken_back is None or (taken_back is not None and taken_back <= one.taken_back)
        ]
        if len(stay) < len(line):
            yield [(one.seat, one.notation) for one in line]
        line = [*stay, *new]
    yield [(one.seat, one.notation) for one in line]


_MATCHES = """
    SELECT matches.id, game, options, setup, status, version,
    offers IS NOT NULL OR given_back IS NOT NULL OR clock IS NOT NULL AND EXISTS (
        SELECT 1 FROM holidays JOIN seats ON seats.user_id = holidays.user_id
        WHERE seats.match_id = matches.id
    ), computers IS NOT NULL,
    EXISTS (SELECT 1 FROM analyses WHERE match_id = matches.id),
    ply, seat, notation, taken_back
    FROM matches LEFT JOIN moves ON moves.match_id = matches.id ORDER BY matches.id, ply
"""
"""One query, so that it reads one moment while others write."""
_COLUMNS_OF_MATCH = 9


def secrets_in(game_id: str, options: str, setup: str, moves: Iterable[str]) -> set[str]:
    """Return the hidden setup and the secret moves of a match."""
    if not games.get(game_id).has_secrets(json.loads(options)):
        return set()
    secret = {move for move in moves if move.startswith(("hide ", "unhide "))}
    return (secret | {setup}) - {""}


@dataclass
class Records:
    matches: dict[int, _Match] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    counts: bool = True
    """Whether versions count moves. After a restore or a wait of a day they do not."""

    @classmethod
    def read(cls, database: Address, *, counts: bool = True) -> "Records":
        """Check the database and replay every match."""
        records = cls(counts=counts)
        for _, rows in groupby(ask(database, _MATCHES), key=itemgetter(0)):
            records._read(list(rows))
        if isinstance(database, Path):
            ((found,),) = ask(database, "PRAGMA integrity_check")
            if found != "ok":
                records.problems.append(f"integrity_check: {found}")
            broken = ask(database, "PRAGMA foreign_key_check")
            records.problems += [f"{row[0]} refers to nothing" for row in broken]
        return records

    def _read(self, rows: list[tuple[Any, ...]]) -> None:
        """Read a match. Each row has another of its moves, or none."""
        match, status = rows[0][0], rows[0][4]
        stored = [row[_COLUMNS_OF_MATCH:] for row in rows if row[_COLUMNS_OF_MATCH] is not None]
        if [ply for ply, *_ in stored] != list(range(len(stored))):
            self.problems.append(f"match {match}: a ply is missing")
        if status in ("running", "over"):
            self._replay(rows[0][:_COLUMNS_OF_MATCH], [_Stored(*move) for _, *move in stored])
        elif stored:
            self.problems.append(f"match {match} has moves and never started")

    def _replay(self, row: tuple[Any, ...], record: list[_Stored]) -> None:
        match, game_id, options, setup, status, version, *more = row
        has_offers, has_computer, is_analysed = more
        game, chosen = games.get(game_id), json.loads(options)
        # Other matches are a challenge at version 1.
        starts_at_once = has_computer or game.seats(chosen) == 1
        found = self.matches[match] = _Match(1 if starts_at_once else 2)
        try:
            for line in _as_played(record):
                found.taken_back.update(found.steps)
                found.steps = []
                for at, (before, _, move, _) in enumerate(game.plies(chosen, setup, line)):
                    if not at or before.forced() is None:
                        found.steps.append(".".join(game.steps(move)))
        except games.GameError as error:
            self.problems.append(f"match {match} ({game_id}) does not replay: {error}")
            return
        found.is_counted = self.counts and not has_offers
        # To resign is a version too, as are offers and analyses.
        last = found.first + len(found.steps)
        is_raised = has_offers or is_analysed or not self.counts
        most = version if is_raised else last + (status == "over")
        if not last <= version <= most:
            self.problems.append(f"match {match}: version {version} after {len(found.steps)} moves")

    def moves(self) -> Iterator[Move]:
        for number, match in self.matches.items():
            yield from ((number, match.first + at, step) for at, step in enumerate(match.steps))

    def played(self, move: Move) -> bool:
        """Return whether this move was made in this match at this version."""
        match, version, steps = move
        found = self.matches.get(match)
        if found is None:
            return False
        if not found.is_counted:
            return steps in found.steps or steps in found.taken_back
        at = version - found.first
        return at >= 0 and found.steps[at : at + 1] == [steps]

    def lost(self, confirmed: Iterable[Move]) -> list[Move]:
        return [move for move in confirmed if not self.played(move)]
