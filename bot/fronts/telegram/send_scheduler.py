"""Telegram's rate limits, per chat: a pause in one chat does not affect the others.

The limits (core.telegram.org/bots/faq, "My bot is hitting limits"): one message a second in a
chat, with short bursts, 20 a minute in a group, 30 a second overall. Edits count. The order:

* Boards, and the keys of a move (`in_play`) up to a limit per user and group.
* Other answers to users (`reply_to`), which let boards pass for a few seconds. A user gets no more
  of a group's answers than remain for others, so users with few answers go first.
* Messages that can wait (`eager=False`). They leave room for all others and do not queue.

A caller that does not return in time loses its place. Libraries do not suit: aiolimiter lets no
caller change its message, and `AIORateLimiter` pauses all chats when Telegram pauses one.
"""

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import NamedTuple

from cachetools import LRUCache

SECOND = 1.0
"""The length of a second. Tests shorten it."""

_CHAT_SECONDS = 1.05
_CHAT_AT_ONCE = 4
"""Fewer than the five or so that are allowed, in case two arrive together."""
_GROUP_SECONDS = 60.5
_GROUP_MESSAGES = 20
_GROUP_AT_ONCE = 15
"""After so many, the rest of a minute's messages is spread over its remaining time."""
_LEFT_IN_CHAT, _LEFT_IN_GROUP = 2, 11
"""The part of a quota that messages with `eager=False` leave to others."""
_GROUP_REPLIES = 10
"""Answers per minute. One user gets at most half of them."""
_ONES_KEYS = 10
"""Messages per minute and user, for keys of a move."""
_YIELDS = 10.0
"""Answers let boards pass that come up to so many seconds later."""
_OVERALL_GAP = 1 / 24
_OVERALL_AT_ONCE = 5
"""Evenly, in small bursts: a burst of thirty would delay the answers to all buttons."""
_SOON = 0.02
_PATIENCE = 2.0
"""Seconds after which a caller that does not return loses its place."""

_FORESEEN = 40
"""Callers farther back ask again after so many messages: two minutes in a group."""
_LONGEST_WAY = 30.0
"""Seconds after which a message without a response delays no others."""
_REMEMBERED = 4096
"""Chats. In a minute, no more than 1440 get a message."""

_numbers = count()


@dataclass(frozen=True, slots=True)
class Sending:
    """A caller that wants to send in a chat."""

    chat: int
    """Telegram's id: negative for a group."""
    who: Hashable
    is_eager: bool = field(default=True, compare=False)
    reply_to: int | None = field(default=None, compare=False)
    """The user who asked, 0 if unknown."""
    in_play: bool = field(default=False, compare=False)


@dataclass(slots=True)
class _Waiting:
    rank: tuple[float, int]
    at: float
    """When to return."""
    has_share: bool = True
    """True if the caller waits only for its turn, not for its share."""


class _Queue(dict[Sending, _Waiting]):
    """A queue. Callers that do not return in time are removed."""

    def stand(self, sending: Sending, now: float, *, later: float = 0.0) -> _Waiting:
        """Return a place. New ones rank with those who come `later` seconds later."""
        self.tidy(now)
        return self.setdefault(sending, _Waiting((now + later, next(_numbers)), now))

    def before(self, mine: _Waiting) -> int:
        return sum(one.has_share and one.rank < mine.rank for one in self.values())

    def tidy(self, now: float) -> None:
        for late in [one for one, place in self.items() if place.at + _PATIENCE * SECOND < now]:
            del self[late]


class _Sent(NamedTuple):
    at: float
    reply_to: int | None = None
    in_play: bool = False


@dataclass(slots=True)
class _Chat:
    sent: deque[_Sent] = field(default_factory=lambda: deque(maxlen=_GROUP_MESSAGES))
    full: float = 0.0
    """When a full burst is possible again."""
    frozen: float = 0.0
    under_way: float = 0.0
    """Until when a message may be in transit."""
    line: _Queue = field(default_factory=_Queue)


class SendScheduler:
    """Decide who may send when."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._chats: LRUCache[int, _Chat] = LRUCache(_REMEMBERED)
        self._next = 0.0
        """When the next message would be due at an even rate."""
        self._line = _Queue()
        """Callers that wait only for the overall limit."""

    def delay(self, sending: Sending) -> float:
        """Queue, and return the seconds to wait."""
        now, chat = self._clock(), sending.chat
        state = self._chats.setdefault(chat, _Chat())
        if not sending.is_eager and (room := _room(chat, state)) > now:
            state.line.pop(sending, None)
            return max(room - now, _SOON * SECOND)
        is_reply = sending.reply_to is not None
        later = _YIELDS * SECOND if is_reply and not sending.in_play else 0.0
        mine = state.line.stand(sending, now, later=later)
        mine.at = _share(state, sending, now) if chat < 0 and is_reply else now
        mine.has_share = mine.at <= now
        if mine.has_share:
            mine.at = self._turn(chat, state, state.line.before(mine), now)
        if mine.at <= now:
            place = self._line.stand(sending, now)
            ahead = self._line.before(place) - (_OVERALL_AT_ONCE - 1)
            mine.at = place.at = max(now, self._next + ahead * _OVERALL_GAP * SECOND)
        return max(mine.at - now, _SOON * SECOND) if mine.at > now else 0.0

    def claim(self, sending: Sending) -> float:
        """Like `delay`, but if it returns 0, the message counts as sent."""
        seconds = self.delay(sending)
        if not seconds:
            self.leave(sending)
            state, now = self._chats[sending.chat], self._clock()
            state.sent.append(_Sent(now, sending.reply_to, sending.in_play))
            state.full = max(state.full, now) + _CHAT_SECONDS * SECOND
            state.under_way = now + _LONGEST_WAY * SECOND
            self._next = max(self._next, now) + _OVERALL_GAP * SECOND
        return seconds

    def arrived(self, chat: int) -> None:
        """Note that the last claimed message has arrived only now."""
        state = self._chats.get(chat)
        if state and state.sent:
            last = state.sent[-1]
            late = max(0.0, self._clock() - last.at)
            state.sent[-1] = last._replace(at=last.at + late)
            state.full += late
            state.under_way = 0.0

    @property
    def waiting(self) -> int:
        for state in self._chats.values():
            state.line.tidy(self._clock())
        return sum(len(state.line) for state in self._chats.values())

    def leave(self, sending: Sending) -> None:
        self._line.pop(sending, None)
        if sending.chat in self._chats:
            self._chats[sending.chat].line.pop(sending, None)

    def freeze(self, chat: int, seconds: float) -> None:
        """Pause a chat, as Telegram demands."""
        self._chats.setdefault(chat, _Chat()).frozen = self._clock() + seconds

    def _turn(self, chat: int, state: _Chat, before: int, now: float) -> float:
        """Return when a caller with `before` others ahead may send."""
        sent, full = deque((one.at for one in state.sent), maxlen=_GROUP_MESSAGES), state.full
        # A caller that waits for a message in transit asks again in time.
        at = now + _SOON * SECOND if state.under_way > now else now
        for _ in range(min(before, _FORESEEN) + 1):
            at = max(at, state.frozen, full - (_CHAT_AT_ONCE - 1) * _CHAT_SECONDS * SECOND)
            if chat < 0:
                at = max(at, _spread(sent, at))
            sent.append(at)
            full = max(full, at) + _CHAT_SECONDS * SECOND
        return at


def _spread(sent: Sequence[float], at: float) -> float:
    """Return when a group may get the next message. The last ones of a minute are spread."""
    lately = [one for one in sent if one + _GROUP_SECONDS * SECOND > at]
    if len(lately) < _GROUP_AT_ONCE:
        return at
    left = _GROUP_MESSAGES - len(lately)
    again = lately[0] + _GROUP_SECONDS * SECOND
    return lately[-1] + (again - lately[-1]) / (left + 1)


def _room(chat: int, state: _Chat) -> float:
    room = state.full - (_CHAT_AT_ONCE - 1 - _LEFT_IN_CHAT) * _CHAT_SECONDS * SECOND
    if chat < 0 and len(state.sent) >= (most := _GROUP_MESSAGES - _LEFT_IN_GROUP):
        room = max(room, state.sent[-most].at + _GROUP_SECONDS * SECOND)
    return room


def _share(state: _Chat, mine: Sending, now: float) -> float:
    """Return when a group may get the answer, by the limits of users."""
    minute = _GROUP_SECONDS * SECOND
    lately = [one for one in state.sent if one.reply_to is not None and one.at + minute > now]
    for moment in (now, *(one.at + minute for one in lately)):
        said = [one for one in lately if one.at + minute > moment]
        theirs = sum(one.reply_to == mine.reply_to for one in said)
        answers = sum(not one.in_play for one in said)
        is_free = theirs < _ONES_KEYS if mine.in_play else theirs + answers < _GROUP_REPLIES
        if is_free:
            return moment
    return now + SECOND
