"""What the bot posts on Telegram, which process of it and when; and what of it was said twice."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import BotApi, Caller, Chat, Message
from tools.attack.ledger import meant

__all__ = ["Api", "Cut", "Double", "Doubles", "Post", "Said", "doubled", "shows"]

_CHALLENGE = ("accept", "decline", "withdraw")
"""What stands under a board before its match begins, and under nothing else."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message of the bot, as it was posted."""

    at: float
    chat: Chat
    message: Message
    about: tuple[int, int]
    """The match and version that it showed or answered then."""
    caller: Caller

    @property
    def key(self) -> tuple[int, int]:
        """Its chat and its number there."""
        return self.chat.id, self.message["message_id"]

    @property
    def is_board(self) -> bool:
        """Does it show a match? What else has buttons is a question, or a menu."""
        return "photo" in self.message or any(tokens(self.message, one) for one in _CHALLENGE)

    def __str__(self) -> str:
        by, since = self.caller, self.at - self.caller.arrived
        who = f"by life {by.life} of {by.by or 'the house'}"
        return (
            f"message {self.message['message_id']} at version {self.about[1]} {who}, "
            f"posted at {self.at:.3f}, {since:.3f} s after it was here"
        )


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody typed or pressed in a chat, and when."""

    at: float
    chat: int
    words: str
    query: str
    """The press; "" for a line."""

    def asks(self, chat: int) -> bool:
        """Is it a line by which somebody may have asked for a match here?"""
        return self.chat == chat and not self.query and not self.words.startswith("/start")


@dataclass(frozen=True, slots=True)
class Double:
    """What was said twice, by which two messages."""

    what: str
    first: Post
    again: Post
    is_asked: bool = False
    """Had somebody asked for it again? Then it is none as soon as the first has gone."""

    def __str__(self) -> str:
        return f"{self.what}: {self.first}; again {self.again}"


class Api(BotApi):
    """The server, with a memory for when each message was sent and what it was about."""

    polls = 0
    """How often updates were fetched."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.posted: list[Post] = []
        self.said: list[Said] = []
        self.touched: set[tuple[int, int]] = set()
        """Chats and numbers of messages under which somebody has pressed."""
        self.gone_on: set[tuple[int, int]] = set()
        """The same of messages that have come to show a newer version."""
        self._gone: set[tuple[int, int]] = set()
        self._counted = 0
        """So many of the calls have been looked through for those that have gone."""

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        self.polls += method == "getUpdates"
        return await super()._carry_out(method, given, files)

    def update(self, content: Mapping[str, Any], *, number: int = 0) -> int:
        query = content.get("callback_query", {})
        if message := query.get("message") or content.get("message"):
            chat = message["chat"]["id"]
            words = query["data"] if query else message.get("text", "")
            self.said.append(Said(monotonic(), chat, words, query.get("id", "")))
            if query:
                self.touched.add((chat, message["message_id"]))
        return super().update(content, number=number)

    def _post(self, chat: Chat, given: Any, content: dict[str, Any]) -> Message:
        told = super()._post(chat, given, content)
        shown = told if shows(told)[0] else chat.messages.get(_replied(told), told)
        self.posted.append(Post(monotonic(), chat, told, shows(shown), self.caller))
        return told

    def lately(self, chat: int, *, since: float, most: int = 12) -> str:
        """What was said and done in a chat, in its order, and by whom; seconds are those `since`.

        For whoever looks for the reason why nothing went on there.
        """
        queries = {one.query for one in self.said if one.query and one.chat == chat}
        events = [(one.at, f"says {one.words!r}") for one in self.said if one.chat == chat]
        for call in self.calls:
            where, query = call.given.get("chat_id"), call.given.get("callback_query_id")
            if where == str(chat) or query in queries:
                who = f"{call.by}.{call.caller.life} {call.method}"
                late = f" {call.at - call.caller.arrived:.2f} s" if call.caller.arrived else ""
                about = query or call.message or ""
                events.append((call.at, f"{who} {about}{late} {call.refused}".strip()))
        told = sorted(events)[-most:]
        return "; ".join(f"{at - since:+.2f} {what}" for at, what in told)

    def _change(self, given: Mapping[str, str], content: dict[str, Any]) -> Message:
        chat, before = self._own(given)
        changed = super()._change(given, content)
        if shows(changed) > shows(before):
            self.gone_on.add((chat.id, changed["message_id"]))
        return changed

    def known(self) -> set[tuple[int, int]]:
        """Chats and numbers of messages that the bot has shown to know.

        As boards that went on with their matches, or by taking them away; but not where people have
        pressed there, for that tells it of a message of which it knew nothing.
        """
        return self.gone_on | (self.gone() - self.touched)

    def gone(self) -> set[tuple[int, int]]:
        """Chats and numbers of messages that the bot has taken away."""
        for call in self.calls[self._counted :]:
            if call.method == "deleteMessage" and not call.refused:
                self._gone.add((int(call.given["chat_id"]), call.message))
        self._counted = len(self.calls)
        return self._gone


def _replied(message: Message) -> int:
    return int(message.get("reply_to_message", {}).get("message_id", 0))


def shows(message: Message) -> tuple[int, int]:
    """The match that a message shows, and the version of it; zeros where there is none."""
    for row in message.get("reply_markup", {}).get("inline_keyboard", []):
        for button in row:
            data = button.get("callback_data", "")
            if data.count(":") >= 3 and meant(data)[0]:
                return meant(data)[:2]
    return 0, 0


@dataclass(frozen=True, slots=True)
class Cut:
    """Since when and until when a process may not have known what came of what it did."""

    begin: float
    end: float
    who: str = ""
    """Which one; "" for all that there are."""
    life: int = 0
    """The how many-th of this name; 0 for whichever it was. It is dead from then on."""

    def __str__(self) -> str:
        who = f"{self.who} {self.life or ''}".strip()
        return f"{self.begin:.3f} to {self.end:.3f} {who}".strip()

    def may_have_hidden(self, first: Post, again: Post) -> bool:
        """Was whoever posted something cut off before somebody posted it once more?

        What the dead have asked for may arrive after their death.
        """
        if self.begin > again.caller.arrived:
            return False
        caller = first.caller
        if self.life and (self.who, self.life) == (caller.by, caller.life):
            return True
        is_theirs = self.who in ("", caller.by) and not self.life
        return is_theirs and first.caller.arrived <= self.end


class Doubles:
    """Boards and pings that were said twice, found post by post: each look goes on from the last.

    Whoever asks twice for a match alone, as after a kill, gets the same one twice as long as
    nothing has happened in it: the second shows it as it is by then, and the first goes.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._posts = self._words = 0
        """So many have been looked at."""
        self._asked: defaultdict[int, list[float]] = defaultdict(list)
        """By chat, when a line came that may have asked for a match."""
        self._last: dict[tuple[int, int], Post] = {}
        """By chat and match, the board that was posted last."""
        self._newest: dict[int, tuple[int, float, float]] = {}
        """By chat, the match that was shown last, and when: the one before it, and itself."""
        self._granted: Counter[tuple[int, int]] = Counter()
        """By chat and match, the lines that have been answered by a board."""
        self._called: dict[tuple[int, bool, tuple[int, int]], Post] = {}

    def more(self) -> Iterator[Double]:
        """What is new of them; of those that were asked for again, whether the first goes or not.

        To be read to its end.
        """
        for said in self._api.said[self._words :]:
            if said.asks(said.chat):
                self._asked[said.chat].append(said.at)
        self._words = len(self._api.said)
        posts, self._posts = self._api.posted[self._posts :], len(self._api.posted)
        for post in posts:
            if not post.about[0] or ("reply_markup" in post.message and not post.is_board):
                continue
            if post.is_board:
                yield from self._board(post)
            elif "reply_to_message" in post.message:
                yield from self._ping(post)

    def _board(self, post: Post) -> Iterator[Double]:
        match, chat = post.about[0], post.chat.id
        key = chat, match
        shown, since, before = self._newest.get(chat, (0, 0.0, 0.0))
        since = since if shown == match else before
        self._newest[chat] = match, since, post.at
        former, self._last[key] = self._last.get(key, post), post
        lines = self._asked[chat]
        asked = bisect_left(lines, post.at) - bisect_right(lines, since)
        is_asked = asked > self._granted[key]
        if former is post or is_asked:
            self._granted[key] += 1
        if former is not post:
            yield Double(f"board of match {match} in chat {chat}", former, post, is_asked)

    def _ping(self, post: Post) -> Iterator[Double]:
        (match, version), chat = post.about, post.chat.id
        first = self._called.setdefault((chat, post.message["text"] == "", post.about), post)
        if first is not post:
            yield Double(f"ping of match {match} at {version} in chat {chat}", first, post)


def doubled(api: Api) -> Iterator[Double]:
    """All of them, in the end."""
    gone = api.gone()
    for double in Doubles(api).more():
        if not (double.is_asked and double.first.key in gone):
            yield double
