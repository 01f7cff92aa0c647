"""How fast Telegram lets a bot speak, kept per chat: a pause in one is no pause in another.

The limits (core.telegram.org/bots/faq, "My bot is hitting limits"): one message a second in a
chat, with short bursts beyond that, 20 a minute in a group, 30 a second overall; edits count. A
little is left for the time that a message is under way.

A quick match is a burst: so what a chat has may be spent at once, and is only spread where it
runs short. What one person types or presses does not cost the others theirs:

* Boards go first, and with them the keys that somebody presses to make their move (`in_play`), so
  many a minute for each person in a group.
* All else that somebody has asked for (`reply_to`), said or changed, stands behind boards for some
  seconds. A group hears so many answers a minute; nobody has more of them than are left to the
  others, so that one is left for whoever asks for the first time. Who has had fewest goes first,
  then whose last one is longest ago.
* What can wait (`eager=False`), such as a call, leaves all of them room and stands in no line.

Whoever does not come back when it is their turn has lost their place, and a chat in which nobody
waits is forgotten when it has been silent. That only the newest change of a message waits, and
only a few answers to one person, is for whoever asks here to see to
(`bot.fronts.telegram.responder`).

Not a rate limiter (`bot.rates`) but a line: several limits hold at once, whoever came first is
first, a board that was told to come back may have changed or gone meanwhile, and Telegram may
freeze one chat. aiolimiter and its like let whoever asks wait inside them and count when somebody
sets out, and python-telegram-bot's `AIORateLimiter` halts all chats for a pause in one.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from time import monotonic
from typing import NamedTuple

__all__ = ["SendScheduler"]

SECOND = 1.0
"""How long a second takes; tests are in a hurry."""

_CHAT_SECONDS = 1.05
_CHAT_AT_ONCE = 4
"""Fewer than the five or so that are let through, in case two arrive together."""
_GROUP_SECONDS = 60.5
_GROUP_MESSAGES = 20
_GROUP_AT_ONCE = 15
"""What is left after so many within a minute is spread over the rest of it."""
_LEFT_IN_CHAT, _LEFT_IN_GROUP = 2, 11
"""How much of it what can wait leaves to others, that it may not spend itself."""
_GROUP_REPLIES = 10
"""How many of its messages a minute are answers: one person has half of them at the most."""
_ONES_KEYS = 10
"""How many are what one person has asked for, where it is keys by which they make a move."""
_YIELDS = 10.0
"""Whoever answers lets those boards go first that come so much later at the most."""
_OVERALL_GAP = 1 / 24
_OVERALL_AT_ONCE = 5
"""Evenly, and few at once: a burst of thirty held up everybody who had pressed a button."""
_SOON = 0.02
_PATIENCE = 2.0
"""Whoever does not come back so long after their time loses their place in the line."""

_FORESEEN = 40
"""Whoever has more before them asks again when so many may have spoken: two minutes in a group."""
_LONGEST_WAY = 30.0
"""A message of which nothing is heard for so long holds up nobody any more."""
_LOOKED_AT = 8
"""Chats at a time, of which some may be forgotten."""


@dataclass(slots=True)
class _Waiting:
    rank: tuple[float, int]
    """Who has a lower one goes first."""
    at: float
    """When they were told to come back."""
    reply_to: int | None = None
    in_play: bool = False
    has_share: bool = True
    """Is it only for their turn that they wait?"""


class _Line:
    """Who waits; those who do not come back in time are gone."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, _Waiting] = {}
        self._numbers = count()

    def __len__(self) -> int:
        """How many there are, those who have gone since the last look counted."""
        return len(self._waiting)

    def stand(
        self,
        who: Hashable,
        now: float,
        *,
        later: float = 0.0,
        reply_to: int | None = None,
        in_play: bool = False,
    ) -> _Waiting:
        """The place of `who`; at the end, with those who come so much `later`, if they are new."""
        self.tidy(now)
        new = _Waiting((now + later, next(self._numbers)), now, reply_to, in_play)
        return self._waiting.setdefault(who, new)

    def leave(self, who: Hashable) -> None:
        """Give up one's place, if there is one."""
        self._waiting.pop(who, None)

    def before(self, mine: _Waiting) -> int:
        """How many have their turn before somebody."""
        return sum(one.has_share and one.rank < mine.rank for one in self._waiting.values())

    def before_in_share(self, mine: _Waiting, replied: Iterable["_Reply"], since: float) -> int:
        """How many are answered before somebody, as people have been `replied` to `since` then."""
        had, last = Counter[int](), dict[int, float]()
        for reply in replied:
            last[reply.person] = reply.at
            had[reply.person] += reply.at > since
        shares = dict[int, tuple[int, float, tuple[float, int]]]()
        for one in sorted(self._waiting.values(), key=lambda one: one.rank):
            if (person := one.reply_to) is not None and not one.in_play:
                shares[id(one)] = had[person], last.get(person, 0.0), one.rank
                had[person] += 1
        return sum(share < shares[id(mine)] for share in shares.values())

    def tidy(self, now: float) -> None:
        """Forget those who have gone."""
        gone = [who for who, one in self._waiting.items() if one.at + _PATIENCE * SECOND < now]
        for who in gone:
            del self._waiting[who]


class _Reply(NamedTuple):
    """What somebody had asked for, and has been sent."""

    at: float
    person: int
    in_play: bool


@dataclass(slots=True)
class _Chat:
    sent: deque[float] = field(default_factory=lambda: deque(maxlen=_GROUP_MESSAGES))
    full: float = 0.0
    """When all that may be said at once may be said at once again."""
    frozen: float = 0.0
    under_way: float = 0.0
    """Until when a message may be on its way; how long it will take, nobody knows."""
    line: _Line = field(default_factory=_Line)
    replied: deque[_Reply] = field(default_factory=lambda: deque(maxlen=_GROUP_MESSAGES))

    def is_silent(self, now: float) -> bool:
        """Is there nothing to remember?"""
        self.line.tidy(now)
        return (
            not self.line
            and self.frozen < now
            and (not self.sent or self.sent[-1] + _GROUP_SECONDS * SECOND < now)
        )


class SendScheduler:
    """Who may send when. Chats are Telegram's ids: those of groups are negative."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._chats: dict[int, _Chat] = {}
        self._next = 0.0
        """When the next message would be due if all went evenly."""
        self._line = _Line()
        """Who could speak, if it were not for all the others."""

    def wait(
        self,
        chat: int,
        who: Hashable,
        *,
        eager: bool = True,
        reply_to: int | None = None,
        in_play: bool = False,
    ) -> float:
        """Stand in the line of a chat; gives the seconds until it is one's turn, 0 for now.

        `reply_to` is who has asked for what is to be said (0 for nobody whom we know).
        """
        now, state = self._clock(), self._chat(chat)
        if not eager and (room := _room(chat, state)) > now:
            # Not in the line: nobody waits for them.
            state.line.leave(who)
            return max(room - now, _SOON * SECOND)
        later = 0.0 if in_play or reply_to is None else _YIELDS * SECOND
        mine = state.line.stand(who, now, later=later, reply_to=reply_to, in_play=in_play)
        mine.at = _share(state, mine, now) if chat < 0 and reply_to is not None else now
        mine.has_share = mine.at <= now
        if mine.has_share:
            mine.at = self._turn(chat, state, state.line.before(mine), now)
        if mine.at <= now:
            place = self._line.stand((chat, who), now)
            mine.at = place.at = self._free(self._line.before(place), now)
        return max(mine.at - now, _SOON * SECOND) if mine.at > now else 0.0

    def claim(
        self,
        chat: int,
        who: Hashable,
        *,
        eager: bool = True,
        reply_to: int | None = None,
        in_play: bool = False,
    ) -> float:
        """As `wait`; where that is 0, the message counts as sent now."""
        seconds = self.wait(chat, who, eager=eager, reply_to=reply_to, in_play=in_play)
        if not seconds:
            self.leave(chat, who)
            state, now = self._chats[chat], self._clock()
            state.sent.append(now)
            if reply_to is not None:
                state.replied.append(_Reply(now, reply_to, in_play))
            state.full = max(state.full, now) + _CHAT_SECONDS * SECOND
            state.under_way = now + _LONGEST_WAY * SECOND
            self._next = max(self._next, now) + _OVERALL_GAP * SECOND
        return seconds

    def arrived(self, chat: int) -> None:
        """The message that was claimed last has arrived only now: the next one waits for it."""
        state = self._chats.get(chat)
        if state and state.sent:
            late = max(0.0, self._clock() - state.sent[-1])
            state.sent[-1] += late
            state.full += late
            state.under_way = 0.0

    def recall(self, chat: int, ages: Iterable[float]) -> None:
        """What another process has said there, so many seconds ago each, before this one."""
        now, state = self._clock(), self._chat(chat)
        state.sent.extend(now - age * SECOND for age in sorted(ages, reverse=True))
        # Perhaps all of it in the last moment.
        state.full = now + _CHAT_AT_ONCE * _CHAT_SECONDS * SECOND

    @property
    def waiting(self) -> int:
        """How many stand in lines."""
        return sum(len(state.line) for state in self._chats.values())

    def leave(self, chat: int, who: Hashable) -> None:
        """Give up one's place in the line."""
        self._line.leave((chat, who))
        if chat in self._chats:
            self._chats[chat].line.leave(who)

    def freeze(self, chat: int, seconds: float) -> None:
        """Telegram wants silence in a chat."""
        self._chat(chat).frozen = self._clock() + seconds

    def _turn(self, chat: int, state: _Chat, before: int, now: float) -> float:
        """When somebody with `before` others in front of them may send."""
        sent, full = deque(state.sent, maxlen=_GROUP_MESSAGES), state.full
        # Whoever waits for a message under way asks again in time.
        at = now + _SOON * SECOND if state.under_way > now else now
        for _ in range(min(before, _FORESEEN) + 1):
            at = max(at, state.frozen, full - (_CHAT_AT_ONCE - 1) * _CHAT_SECONDS * SECOND)
            if chat < 0:
                at = max(at, _spread(sent, at))
            sent.append(at)
            full = max(full, at) + _CHAT_SECONDS * SECOND
        return at

    def _free(self, before: int, now: float) -> float:
        """When all together leave room for somebody with `before` others in front of them."""
        ahead = before - (_OVERALL_AT_ONCE - 1)
        return max(now, self._next + ahead * _OVERALL_GAP * SECOND)

    def _chat(self, chat: int) -> _Chat:
        """What is known of a chat; where it is new, some others are forgotten that were silent."""
        if (state := self._chats.get(chat)) is None:
            now = self._clock()
            for other in list(islice(self._chats, _LOOKED_AT)):
                looked_at = self._chats.pop(other)
                if not looked_at.is_silent(now):
                    # Looked at again when all the others have been.
                    self._chats[other] = looked_at
            state = self._chats[chat] = _Chat()
        return state


def _spread(sent: Sequence[float], at: float) -> float:
    """When a group may hear the next message: the few that are left are spread over the minute."""
    lately = [one for one in sent if one + _GROUP_SECONDS * SECOND > at]
    if len(lately) < _GROUP_AT_ONCE:
        return at
    left = _GROUP_MESSAGES - len(lately)
    again = lately[0] + _GROUP_SECONDS * SECOND
    return lately[-1] + (again - lately[-1]) / (left + 1)


def _room(chat: int, state: _Chat) -> float:
    """From when on there is room for what can wait, beside what is more urgent."""
    room = state.full - (_CHAT_AT_ONCE - 1 - _LEFT_IN_CHAT) * _CHAT_SECONDS * SECOND
    if chat < 0 and len(state.sent) >= (most := _GROUP_MESSAGES - _LEFT_IN_GROUP):
        room = max(room, state.sent[-most] + _GROUP_SECONDS * SECOND)
    return room


def _share(state: _Chat, mine: _Waiting, now: float) -> float:
    """From when on a group may hear what somebody has asked for, if nobody asks before them."""
    minute = _GROUP_SECONDS * SECOND
    lately = [one for one in state.replied if one.at + minute > now]
    before = 0
    if not mine.in_play:
        before = state.line.before_in_share(mine, state.replied, since=now - minute)
    for moment in (now, *(one.at + minute for one in lately)):
        said = [one for one in lately if one.at + minute > moment]
        theirs = sum(one.person == mine.reply_to for one in said)
        answers = sum(not one.in_play for one in said)
        is_free = (
            theirs < _ONES_KEYS if mine.in_play else theirs + answers + before < _GROUP_REPLIES
        )
        if is_free:
            return moment
    # So many stand before them that nobody knows.
    return now + SECOND
