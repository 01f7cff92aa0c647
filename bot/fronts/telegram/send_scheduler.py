"""How fast Telegram lets a bot speak, kept per chat: a pause in one is no pause in another.

The limits (core.telegram.org/bots/faq, "My bot is hitting limits"): one message a second in a
chat, with short bursts beyond that, 20 a minute in a group, 30 a second overall; edits count. A
little is left for the time that a message is under way.

A quick match is a burst: so what a chat has may be spent at once, and is only spread where it
runs short. Boards go first: what can wait (`eager=False`), such as a call, leaves them room, and
answers to what people type stand behind them, and are so many a minute in a group: whoever types
holds up nobody's board.

Not a rate limiter (`bot.rates`) but a line: several limits hold at once, whoever came first is
first, a board that was told to come back may have changed or gone meanwhile, and Telegram may
freeze one chat. aiolimiter and its like let whoever asks wait inside them and count when somebody
sets out, and python-telegram-bot's `AIORateLimiter` halts all chats for a pause in one.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic

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
_GROUP_REPLIES, _ONES_REPLIES = 9, 6
"""How many of its messages a minute are answers, and answers to one person."""
_YIELDS = 10.0
"""Whoever answers lets those boards go first that come so much later at the most."""
_OVERALL_GAP = 1 / 24
_OVERALL_AT_ONCE = 5
"""Evenly, and few at once: a burst of thirty held up everybody who had pressed a button."""
_SOON = 0.02
_PATIENCE = 2.0
"""Whoever does not come back so long after their time loses their place in the line."""

_LONGEST_WAY = 30.0
"""A message of which nothing is heard for so long holds up nobody any more."""


@dataclass(slots=True)
class _Waiting:
    rank: float
    """Who has a lower one goes first."""
    at: float
    """When they were told to come back."""


@dataclass(slots=True)
class _Chat:
    sent: deque[float] = field(default_factory=lambda: deque(maxlen=_GROUP_MESSAGES))
    full: float = 0.0
    """When all that may be said at once may be said at once again."""
    frozen: float = 0.0
    under_way: float = 0.0
    """Until when a message may be on its way; how long it will take, nobody knows."""
    line: dict[Hashable, _Waiting] = field(default_factory=dict)
    """Who waits, in the order in which they came."""
    replied: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=_GROUP_REPLIES))
    """When somebody was answered, and who."""


class SendScheduler:
    """Who may send when. Chats are Telegram's ids: those of groups are negative."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._chats: dict[int, _Chat] = {}
        self._next = 0.0
        """When the next message would be due if all went evenly."""
        self._line: OrderedDict[Hashable, float] = OrderedDict()
        """Who could speak, if it were not for all the others."""

    def wait(
        self, chat: int, who: Hashable, *, eager: bool = True, reply_to: int | None = None
    ) -> float:
        """Stand in the line of a chat; gives the seconds until it is one's turn, 0 for now.

        What is said because somebody asked for it (`reply_to`, 0 for all together) stands behind
        boards.
        """
        now = self._clock()
        state = self._chats.setdefault(chat, _Chat())
        if not eager and (room := _room(chat, state)) > now:
            # Not in the line: nobody waits for them.
            state.line.pop(who, None)
            return max(room - now, _SOON * SECOND)
        if chat < 0 and reply_to and (again := _share(state, reply_to)) > now:
            state.line.pop(who, None)
            return max(again - now, _SOON * SECOND)
        rank = now if reply_to is None else now + _YIELDS * SECOND
        before = _before(state.line, who, now, rank)
        at = self._turn(chat, state, before, now)
        if at <= now:
            at = self._free(_stand(self._line, (chat, who), now), now)
            self._line[chat, who] = at
        state.line[who].at = at
        return max(at - now, _SOON * SECOND) if at > now else 0.0

    def claim(
        self, chat: int, who: Hashable, *, eager: bool = True, reply_to: int | None = None
    ) -> float:
        """As `wait`; where that is 0, the message counts as sent now."""
        seconds = self.wait(chat, who, eager=eager, reply_to=reply_to)
        if not seconds:
            # Moved to the end: those at the front have been silent for longest.
            state, now = self._chats.pop(chat), self._clock()
            self._chats[chat] = state
            del state.line[who], self._line[chat, who]
            state.sent.append(now)
            if reply_to:
                state.replied.append((now, reply_to))
            state.full = max(state.full, now) + _CHAT_SECONDS * SECOND
            state.under_way = now + _LONGEST_WAY * SECOND
            self._next = max(self._next, now) + _OVERALL_GAP * SECOND
            self._tidy(now)
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
        now, state = self._clock(), self._chats.setdefault(chat, _Chat())
        state.sent.extend(now - age * SECOND for age in sorted(ages, reverse=True))
        # Perhaps all of it in the last moment.
        state.full = now + _CHAT_AT_ONCE * _CHAT_SECONDS * SECOND

    @property
    def waiting(self) -> int:
        """How many stand in lines."""
        return sum(len(state.line) for state in self._chats.values())

    def leave(self, chat: int, who: Hashable) -> None:
        """Give up one's place in the line."""
        self._line.pop((chat, who), None)
        if chat in self._chats:
            self._chats[chat].line.pop(who, None)

    def freeze(self, chat: int, seconds: float) -> None:
        """Telegram wants silence in a chat."""
        self._chats.setdefault(chat, _Chat()).frozen = self._clock() + seconds

    def _turn(self, chat: int, state: _Chat, before: int, now: float) -> float:
        """When somebody with `before` others in front of them may send."""
        sent, full = deque(state.sent, maxlen=_GROUP_MESSAGES), state.full
        # Whoever waits for a message under way asks again in time.
        at = now + _SOON * SECOND if state.under_way > now else now
        for _ in range(before + 1):
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

    def _tidy(self, now: float) -> None:
        """Forget chats that have been silent, a few at a time."""
        silent = [
            chat
            for chat, state in islice(self._chats.items(), 8)
            if not state.line
            and state.frozen < now
            and (not state.sent or state.sent[-1] + _GROUP_SECONDS * SECOND < now)
        ]
        for chat in silent:
            del self._chats[chat]


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


def _share(state: _Chat, person: int) -> float:
    """From when on a group may hear one more answer, to this person."""
    times = [at for at, _ in state.replied]
    theirs = [at for at, one in state.replied if one == person]
    shares = ((times, _GROUP_REPLIES), (theirs, _ONES_REPLIES))
    spent = [said[-most] for said, most in shares if len(said) >= most]
    return max(spent, default=-_GROUP_SECONDS * SECOND) + _GROUP_SECONDS * SECOND


def _before(line: dict[Hashable, _Waiting], who: Hashable, now: float, rank: float) -> int:
    """How many stand before `who` in a chat, who comes with this rank if they are new there."""
    while line:
        first = min(line, key=lambda one: line[one].rank)
        if line[first].at + _PATIENCE * SECOND >= now:
            break
        del line[first]
    mine = line.setdefault(who, _Waiting(rank, now))
    ranks = sorted(line.values(), key=lambda one: one.rank)
    return next(place for place, one in enumerate(ranks) if one is mine)


def _stand(line: OrderedDict[Hashable, float], who: Hashable, now: float) -> int:
    """How many stand before `who` in a line, those who have gone not counted."""
    while line and next(iter(line.values())) + _PATIENCE * SECOND < now:
        line.popitem(last=False)
    line.setdefault(who, now)
    return list(line).index(who)
