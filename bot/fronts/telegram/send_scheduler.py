"""How fast Telegram lets a bot speak, kept per chat: a pause in one is no pause in another.

The limits (core.telegram.org/bots/faq, "My bot is hitting limits"): one message a second in a
chat, 20 a minute in a group, 30 a second overall; edits count. A little is left for the time
that a message is under way, and a chat's second begins when its message has arrived.

Not a rate limiter (`bot.rates`) but a line: several limits hold at once, whoever came first is
first, a board that was told to come back may have changed or gone meanwhile, and Telegram may
freeze one chat. aiolimiter and its like let whoever asks wait inside them and count when somebody
sets out, and python-telegram-bot's `AIORateLimiter` halts all chats for a pause in one.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic

__all__ = ["SendScheduler"]

SECOND = 1.0
"""How long a second takes; tests are in a hurry."""

_CHAT_SECONDS = 1.05
_GROUP_SECONDS = 60.5
_GROUP_MESSAGES = 20
_OVERALL_GAP = 1 / 24
_OVERALL_AT_ONCE = 5
"""Evenly, and few at once: a burst of thirty held up everybody who had pressed a button."""
_SOON = 0.02
_PATIENCE = 2.0
"""Whoever does not come back so long after their time loses their place in the line."""

_LONGEST_WAY = 30.0
"""A message of which nothing is heard for so long holds up nobody any more."""


@dataclass(slots=True)
class _Chat:
    sent: deque[float] = field(default_factory=lambda: deque(maxlen=_GROUP_MESSAGES))
    frozen: float = 0.0
    under_way: float = 0.0
    """Until when a message may be on its way; how long it will take, nobody knows."""
    line: OrderedDict[Hashable, float] = field(default_factory=OrderedDict)
    """Who waits, in order, and when they were told to come back."""


class SendScheduler:
    """Who may send when. Chats are Telegram's ids: those of groups are negative."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._chats: dict[int, _Chat] = {}
        self._next = 0.0
        """When the next message would be due if all went evenly."""
        self._line: OrderedDict[Hashable, float] = OrderedDict()
        """Who could speak, if it were not for all the others."""

    def wait(self, chat: int, who: Hashable) -> float:
        """Stand in the line of a chat; gives the seconds until it is one's turn, 0 for now."""
        now = self._clock()
        state = self._chats.setdefault(chat, _Chat())
        before = _stand(state.line, who, now)
        at = self._turn(chat, state, before, now)
        if at <= now:
            at = self._free(_stand(self._line, (chat, who), now), now)
            self._line[chat, who] = at
        state.line[who] = at
        return max(at - now, _SOON * SECOND) if at > now else 0.0

    def claim(self, chat: int, who: Hashable) -> float:
        """As `wait`; where that is 0, the message counts as sent now."""
        seconds = self.wait(chat, who)
        if not seconds:
            # Moved to the end: those at the front have been silent for longest.
            state, now = self._chats.pop(chat), self._clock()
            self._chats[chat] = state
            del state.line[who], self._line[chat, who]
            state.sent.append(now)
            state.under_way = now + _LONGEST_WAY * SECOND
            self._next = max(self._next, now) + _OVERALL_GAP * SECOND
            self._tidy(now)
        return seconds

    def arrived(self, chat: int) -> None:
        """The message that was claimed last has arrived only now: the next one waits for it."""
        state = self._chats.get(chat)
        if state and state.sent:
            state.sent[-1] = max(state.sent[-1], self._clock())
            state.under_way = 0.0

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
        sent = deque(state.sent, maxlen=_GROUP_MESSAGES)
        if sent and state.under_way > now:
            # As if it arrived now: whoever waits asks again in time.
            sent[-1] = max(sent[-1], now + (_SOON - _CHAT_SECONDS) * SECOND)
        at = now
        for _ in range(before + 1):
            at = max(at, state.frozen)
            if sent:
                at = max(at, sent[-1] + _CHAT_SECONDS * SECOND)
            if chat < 0 and len(sent) == _GROUP_MESSAGES:
                at = max(at, sent[0] + _GROUP_SECONDS * SECOND)
            sent.append(at)
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


def _stand(line: OrderedDict[Hashable, float], who: Hashable, now: float) -> int:
    """How many stand before `who` in a line, those who have gone not counted."""
    while line and next(iter(line.values())) + _PATIENCE * SECOND < now:
        line.popitem(last=False)
    line.setdefault(who, now)
    return list(line).index(who)
