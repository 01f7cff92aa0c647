"""What the database says, while people play or in the end: is it whole, what was played when.

Every version of a running match is one move that somebody made (and passes that nobody had to
make). So a move is known by its match and the version that its player saw, and what was
acknowledged can be compared with what is stored, one by one.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import games
from bot.store import Address
from tests.databases import ask

__all__ = ["Ledger", "Move", "meant", "secrets_in"]

Move = tuple[int, int, str]
"""Match, the version that was seen, and the steps, with full stops between them."""


def meant(token: str) -> Move:
    """The match, version and argument of a button's token."""
    _, match, version, argument = token.split(":", 3)
    return int(match), int(version), argument


@dataclass
class _Match:
    """A match as it was stored, replayed."""

    game: games.AnyGame
    first: int
    """The version that the first move was made at."""
    steps: list[str] = field(default_factory=list)
    """The move made at each version from `first` on."""
    before: list[Any] = field(default_factory=list)
    """The position that it was made in."""
    gone: set[str] = field(default_factory=set)
    """The moves of before something was taken back."""
    has_offers: bool = False
    """Has anything been offered, time been given back, or somebody been on holiday? Versions do not
    count the moves then."""


@dataclass(frozen=True)
class _Stored:
    """A move as it is stored, and the version by which it was taken back, if it was."""

    seat: int
    notation: str
    taken_back: int | None


def _as_played(record: Iterable[_Stored]) -> Iterator[list[tuple[int, str]]]:
    """The moves as they stood before each takeback, and in the end."""
    line: list[_Stored] = []
    made: list[tuple[int | None, list[_Stored]]] = [(one.taken_back, [one]) for one in record]
    for taken_back, new in [*made, (None, [])]:
        # Whatever was taken back with a move, or later, stood when it was made.
        stay = [
            one
            for one in line
            if one.taken_back is None or (taken_back is not None and taken_back <= one.taken_back)
        ]
        if len(stay) < len(line):
            yield [(one.seat, one.notation) for one in line]
        line = [*stay, *new]
    yield [(one.seat, one.notation) for one in line]


_WHOLE = """
    SELECT matches.id, game, options, setup, status, version,
    offers IS NOT NULL OR given_back IS NOT NULL OR clock IS NOT NULL AND EXISTS (
        SELECT 1 FROM holidays JOIN seats ON seats.user_id = holidays.user_id
        WHERE seats.match_id = matches.id
    ), computers IS NOT NULL,
    EXISTS (SELECT 1 FROM analyses WHERE match_id = matches.id),
    ply, seat, notation, taken_back
    FROM matches LEFT JOIN moves ON moves.match_id = matches.id {} ORDER BY matches.id, ply
"""
"""Matches and their moves: all of it as it was in one moment, also while others write."""
_OF_MATCH = 9
"""So many of its columns are of the match."""


def secrets_in(game_id: str, options: str, setup: str, moves: Iterable[str]) -> set[str]:
    """What no log may tell of a match: its set-up, if that is hidden, and its secret moves."""
    if not games.get(game_id).hidden(json.loads(options)):
        return set()
    secret = {move for move in moves if move.startswith(("hide ", "unhide "))}
    return (secret | {setup}) - {""}


@dataclass
class Ledger:
    """A database, read whole (`read`), or what has changed of it since the last look (`more`)."""

    database: Address
    matches: dict[int, _Match] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    """What was found at the last look; empty where all is well."""
    secrets: set[str] = field(default_factory=set)
    """What no log may tell, of all matches that were read."""
    _seen: dict[int, tuple[int, str]] = field(default_factory=dict)
    """The version and status of each match, as they were read."""

    @property
    def moves(self) -> int:
        """How many have been made, and not taken back."""
        return sum(len(match.steps) for match in self.matches.values())

    @classmethod
    def read(cls, database: Address) -> "Ledger":
        """Check the database and replay every match in it."""
        ledger = cls(database)
        ledger.more()
        if isinstance(database, Path):
            # A server looks after both by itself.
            ((found,),) = ask(database, "PRAGMA integrity_check")
            if found != "ok":
                ledger.problems.append(f"integrity_check: {found}")
            broken = ask(database, "PRAGMA foreign_key_check")
            ledger.problems += [f"{row[0]} refers to nothing" for row in broken]
        return ledger

    def more(self) -> set[int]:
        """Replay every match that has changed since the last look; gives their ids.

        Those of matches that are no more are among them.
        """
        self.problems = []
        rows = ask(self.database, "SELECT id, version, status FROM matches")
        now = {match: (version, status) for match, version, status in rows}
        changed = {match for match, at in now.items() if self._seen.get(match) != at}
        gone = self._seen.keys() - now.keys()
        for match in gone:
            self.matches.pop(match, None)
        if changed:
            # Where all have, nobody need be named.
            those = f"WHERE matches.id IN ({','.join(map(str, changed))})" if self._seen else ""
            found = ask(self.database, _WHOLE.format(those))
            for _, of_one in groupby(found, key=itemgetter(0)):
                self._read(list(of_one))
        self._seen = now
        return changed | gone

    def _read(self, rows: list[tuple[Any, ...]]) -> None:
        """Read a match; each of its rows has another of its moves, or none."""
        match, game_id, options, setup, status, *_ = rows[0]
        record: list[_Stored] = []
        for ply, *move in (row[_OF_MATCH:] for row in rows if row[_OF_MATCH] is not None):
            if ply != len(record):
                self.problems.append(f"match {match}: ply {ply} follows {len(record)} plies")
            record.append(_Stored(*move))
        self.secrets |= secrets_in(game_id, options, setup, (one.notation for one in record))
        if status in ("running", "over"):
            self._replay(rows[0][:_OF_MATCH], record)
        elif record:
            self.problems.append(f"match {match} has moves and was never begun")

    def _replay(self, row: tuple[Any, ...], record: list[_Stored]) -> None:
        match, game_id, options, setup, status, version, *more = row
        has_offers, begins_at_once, is_looked_back_on = more
        game, chosen = games.get(game_id), json.loads(options)
        # All others were a challenge first.
        begins_at_once = begins_at_once or game.seats(chosen) == 1
        found = self.matches[match] = _Match(game, 1 if begins_at_once else 2)
        try:
            for line in _as_played(record):
                found.gone.update(found.steps)
                found.before, found.steps = [], []
                for at, (before, _, move, _) in enumerate(game.plies(chosen, setup, line)):
                    if at and before.forced() is not None:
                        continue
                    found.before.append(before)
                    found.steps.append(".".join(game.steps(move)))
        except games.GameError as error:
            self.problems.append(f"match {match} ({game_id}) does not replay: {error}")
            return
        found.has_offers = bool(has_offers)
        # Giving up is a version of its own, and no move; so are an offer and the answer to it, and
        # what is told of a match that is looked back on.
        last = found.first + len(found.steps)
        is_over = status == "over"
        has_more = has_offers or is_looked_back_on
        if not last <= version <= last + is_over and not (has_more and version >= last):
            self.problems.append(f"match {match}: version {version} after {len(found.steps)} moves")

    def played(self, move: Move) -> bool:
        """Was this move made in this match at this version?"""
        match, version, steps = move
        found = self.matches.get(match)
        if found is not None and found.has_offers:
            # Which version it was made at cannot be told any more.
            return steps in found.steps or steps in found.gone
        return self.made_at(match, version) == steps

    def made_at(self, match: int, version: int) -> str | None:
        """The steps of the move that was made in a match at a version; None where none was."""
        found = self.matches.get(match)
        if found is None or not 0 <= version - found.first < len(found.steps):
            return None
        return found.steps[version - found.first]

    def is_move(self, move: Move) -> bool:
        """Was it a whole legal move at that version, and one that nobody is asked about twice?"""
        match, version, steps = move
        found = self.matches.get(match)
        if found is None or not 0 <= version - found.first < len(found.before):
            return False
        before, game = found.before[version - found.first], found.game
        return any(
            ".".join(game.steps(one)) == steps and not game.caution(before.view(seat), seat, one)
            for seat in before.turn
            for one in before.moves(seat)
        )

    def lost(self, acknowledged: Iterable[Move]) -> list[Move]:
        """The acknowledged moves that are not there, or are not what was acknowledged."""
        return [move for move in acknowledged if not self.played(move)]
