"""What must hold after each fault, of what has come since the look before: cheap, and named.

Every acknowledged move is stored, once; every record that has changed replays; nobody was told
twice but where a platform leaves no other way; the platforms' rules are kept; no secret and no
traceback stands in what was logged. All goes on meanwhile: what may be right a moment later is
looked at again before it is called broken. In the end all of it is looked at once more, whole.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic, thread_time
from typing import TypeVar

from tests.bot.fronts.telegram.server import Query
from tools.attack import play_discord
from tools.attack.ledger import Ledger, Move
from tools.attack.people import (
    TOLD_TWICE,
    about_double,
    doubled_at_the_web,
    noted,
    secrets_of,
)
from tools.attack.posts import Double, Doubles
from tools.attack.process import told_in, tracebacks_in
from tools.attack.story import within
from tools.faults.street import GOES_ON_WITHIN, Street

__all__ = ["Looks"]

_LATE_ANSWER = "acknowledged too late"
_STORED = "every acknowledged move is stored"
_AGAIN = 0.1
"""Seconds until what may be right a moment later is looked at again."""

T = TypeVar("T")


@dataclass
class _Log:
    """What a process writes, read bit by bit."""

    name: str
    file: Path
    read: int = 0
    before: str = ""
    """What was read at the look before this one."""

    def more(self) -> str:
        """The whole lines that have come since."""
        with self.file.open("rb") as log:
            log.seek(self.read)
            found = log.read()
        found = found[: found.rfind(b"\n") + 1]
        self.read += len(found)
        return found.decode("utf-8", "replace")


@dataclass
class _Seen:
    """What a thread has read for a look."""

    changed: set[int]
    """The matches that were replayed."""
    web: set[int]
    """Boards that stand at the web table twice."""
    telegram: set[tuple[int, int]]
    """Chats and numbers of messages that the house knows."""
    logged: list[tuple[str, str]] = field(default_factory=list)
    """Checks that do not hold for what was logged, and what was found."""


class Looks:
    """One look after the other; of `secrets` no log may tell, whatever is stored."""

    def __init__(self, street: Street, secrets: Iterable[str]) -> None:
        self._street, self._story, self._report = street, street.story, street.story.report
        self._address = street.house.database.address
        self._ledger = Ledger(self._address)
        self._doubles = Doubles(street.api)
        self._logs = [_Log(part.name, part.app.log) for part in street.house.parts]
        self._secrets = {*secrets}
        self._searched: set[str] = set()
        """The secrets that were looked for in what was read before."""
        self._acknowledged: dict[int, set[Move]] = {}
        """By match."""
        self._lost: set[Move] = set()
        """Those that were told."""
        self._moves = 0
        """So many acknowledged moves have been looked at."""
        self._pressed = [0 for _ in street.telegram]
        self._open: list[tuple[Query, Move]] = []
        """Presses on Telegram that are not answered yet."""
        self._unstored: dict[Move, str] = {}
        """What was answered on Telegram and is no stored move yet, and after what that was so."""
        self._excused: list[tuple[Double, str]] = []
        """What nobody could avoid to say again on Telegram, as far as is known."""
        self._twice: set[int | tuple[float, str]] = set()
        """What is known to be there twice at the web table and on Discord."""
        self._problems = {"Discord's rules are kept": 0, "Telegram's rules are kept": 0}
        self._told: set[tuple[str, str]] = set()
        self._after = ""

    async def look(self, after: str) -> None:
        """Look at what is new since the last look; what does not hold is so `after` something."""
        self._after, begun = after, monotonic()
        answered, acknowledged = self._answered(), self._newly_acknowledged()
        seen = await asyncio.to_thread(self._read)
        self._look_at_moves(answered, acknowledged, seen.changed)
        await self._look_at_what_is_twice(seen)
        self._look_at_rules()
        for check, found in seen.logged:
            self._broken(check, found)
        self._report.most("slowest look, ms", round(1000 * (monotonic() - begun)))

    def end(self) -> None:
        """Nobody is at work any more: look at all of it, whole."""
        self._after = "the end"
        report, story = self._report, self._story
        answered = self._answered()
        self._ledger = ledger = Ledger.read(self._address)
        self._judge(answered, is_over=True)
        lost = ledger.lost(story.acknowledged)
        strange = list(story.without_sender(ledger, ledger.matches))
        report.counts["moves stored"] = ledger.moves
        report.counts["moves lost"] = len(lost)
        report.counts["moves that nobody made"] = len(strange)
        self._say_lost(lost)
        self._all_broken("every stored move was somebody's", strange)
        self._all_broken("the database is whole and replays", ledger.problems)
        self._look_at_the_web(doubled_at_the_web(self._address))
        self._look_at_telegram(list(self._doubles.more()), noted(self._address))
        count = "said again, the fault having come before the note, Telegram"
        report.counts[count] = len(self._excused)
        self._look_at_discord(self._on_discord())
        self._look_at_rules()
        late = self._street.standin.problems.count(_LATE_ANSWER)
        report.counts["answers that came too late, Discord"] = late
        for check, found in self._logged(set()):
            self._broken(check, found)
        tell = secrets_of(self._address) | self._secrets
        self._all_broken("no secret in any log", self._street.house.tells([*tell]))

    def _broken(self, check: str, found: object) -> None:
        """Tell of it, once."""
        if (check, str(found)) not in self._told:
            self._told.add((check, str(found)))
            self._report.broken(check, f"after {self._after}: {found}")

    def _all_broken(self, check: str, found: Iterable[object]) -> None:
        for one in found:
            self._broken(check, one)

    # --- what is read, in a thread --------------------------------------------------------

    def _read(self) -> _Seen:
        """Blocking: all that is in the database and in logs."""
        begun = thread_time()
        changed = self._ledger.more()
        seen = _Seen(changed, doubled_at_the_web(self._address), noted(self._address))
        seen.logged += self._logged(self._ledger.secrets)
        self._report.count("looks, ms of this machine", round(1000 * (thread_time() - begun)))
        return seen

    def _logged(self, secrets: Collection[str]) -> Iterator[tuple[str, str]]:
        """What is wrong with what was logged since the last look.

        What has become a secret since may stand in what was written before it was stored.
        """
        known = self._secrets | self._searched
        new = set(secrets) - known
        self._searched.update(new)
        for log in self._logs:
            written = log.more()
            told = [*told_in(written, known), *told_in(log.before + written, new)]
            log.before = written
            yield from (("no secret in any log", f"{log.name}: {one}") for one in told)
            for one in tracebacks_in(written):
                yield "no traceback in any log", f"{log.name}: {one}"

    # --- moves ----------------------------------------------------------------------------

    def _answered(self) -> list[Move]:
        """What was pressed on Telegram and has been answered with no alert since the last look."""
        for at, chats in enumerate(self._street.telegram):
            self._open += chats.pressed[self._pressed[at] :]
            self._pressed[at] = len(chats.pressed)
        done = [one for one in self._open if one[0].answered.is_set()]
        self._open = [one for one in self._open if not one[0].answered.is_set()]
        return [move for query, move in done if not query.alert]

    def _newly_acknowledged(self) -> list[Move]:
        """What people were told is stored, at all fronts but Telegram, since the last look."""
        known = self._story.acknowledged
        new = list(islice(reversed(known), len(known) - self._moves))
        self._moves = len(known)
        return new

    def _look_at_moves(self, answered: list[Move], new: list[Move], changed: set[int]) -> None:
        ledger, story = self._ledger, self._story
        self._judge(answered, is_over=False)
        for move in new:
            self._acknowledged.setdefault(move[0], set()).add(move)
            changed.add(move[0])
        for match in changed:
            self._say_lost(ledger.lost(self._acknowledged.get(match, ())))
        there = changed & ledger.matches.keys()
        strange = story.without_sender(ledger, there)
        self._all_broken("every stored move was somebody's", strange)
        self._all_broken("the database is whole and replays", ledger.problems)

    def _say_lost(self, moves: Iterable[Move]) -> None:
        """Moves that are not there: who said that they are, and what is there."""
        for lost in moves:
            if lost not in self._lost:
                self._lost.add(lost)
                front = self._story.acknowledged[lost]
                made = self._ledger.made_at(*lost[:2]) or "nothing"
                self._broken(_STORED, f"{front}: {lost}, where there is {made}")

    def _judge(self, answered: list[Move], *, is_over: bool) -> None:
        """Presses on Telegram that were answered without an alert are moves, or begin some.

        What is none yet may be stored a moment later, and is looked at once more.
        """
        before, self._unstored = self._unstored, {}
        for move, after in (*before.items(), *((move, "") for move in answered)):
            if self._ledger.played(move):
                self._story.yes(move, "Telegram")
            elif self._ledger.is_move(move):
                if after or is_over:
                    self._broken(_STORED, f"Telegram: {move}, answered after {after}")
                else:
                    self._unstored[move] = self._after

    # --- what is there twice --------------------------------------------------------------

    async def _look_at_what_is_twice(self, seen: _Seen) -> None:
        api, doubles = self._street.api, list(self._doubles.more())
        # What takes the place of something is there before that goes.
        web = await _lasting(
            seen.web - self._twice,
            lambda: asyncio.to_thread(doubled_at_the_web, self._address),
        )
        self._look_at_the_web(web)
        asked = {one.first.key for one in doubles if one.is_asked}

        async def still_there() -> set[tuple[int, int]]:
            return asked - api.gone()

        stay_there = await _lasting(asked, still_there)
        gone = asked - stay_there
        stay = [one for one in doubles if not (one.is_asked and one.first.key in gone)]
        # By a press it may have heard of a message of which it knew nothing.
        self._look_at_telegram(stay, seen.telegram - api.touched)

        async def on_discord() -> set[tuple[float, str]]:
            return self._on_discord()

        self._look_at_discord(await _lasting(self._on_discord(), on_discord))

    def _look_at_the_web(self, boards: Collection[int]) -> None:
        self._twice.update(boards)
        self._all_broken(TOLD_TWICE, (f"web: board {board}" for board in boards))

    def _look_at_telegram(self, new: list[Double], noted_now: set[tuple[int, int]]) -> None:
        """Judge what is new, and whether more is known of what nobody could avoid till now."""
        story, known = self._story, self._street.api.known() | noted_now
        before, self._excused = self._excused, []
        for double, after in (*before, *((double, self._after) for double in new)):
            if story.is_unavoidable(double, known=known):
                self._excused.append((double, after))
            else:
                what = about_double(story, double, known)
                self._broken(TOLD_TWICE, f"{what}; said after {after}")

    def _on_discord(self) -> set[tuple[float, str]]:
        """What is there twice, and was not before."""
        return set(play_discord.doubled(self._street.standin)) - self._twice

    def _look_at_discord(self, found: Collection[tuple[float, str]]) -> None:
        self._twice.update(found)
        for at, what in found:
            # What was under way when the house died may have arrived without its knowing.
            if self._story.was_cut(at, by=within(1.0)):
                self._report.count("said again, the fault having come before the note, Discord")
            else:
                around = self._story.around(at)
                self._broken(TOLD_TWICE, f"Discord: {what}, first at {at:.3f} ({around})")

    def _look_at_rules(self) -> None:
        standin, api = self._street.standin, self._street.api
        told = {
            "Discord's rules are kept": standin.problems,
            "Telegram's rules are kept": api.problems,
        }
        for check, problems in told.items():
            new = problems[self._problems[check] :]
            self._problems[check] = len(problems)
            self._all_broken(check, (one for one in new if one != _LATE_ANSWER))


async def _lasting(found: set[T], look: Callable[[], Awaitable[set[T]]]) -> set[T]:
    """Those of what was `found` that are found again and again, until they should be gone."""
    until = monotonic() + within(GOES_ON_WITHIN)
    while found and monotonic() < until:
        await asyncio.sleep(_AGAIN)
        found = found & await look()
    return found
