"""What the bot posts on Telegram, which process of it and when; and what of it was said twice."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from tests.attack.ledger import meant
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import BotApi, Caller, Chat, Message

__all__ = ["Api", "Cut", "Double", "Post", "Said", "doubled", "shows"]

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
        return {
            (int(call.given["chat_id"]), call.message)
            for call in self.calls
            if call.method == "deleteMessage" and not call.refused
        }


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


def doubled(api: Api) -> Iterator[Double]:
    """Boards and pings that were said twice.

    Whoever asks twice for a match alone, as after a kill, gets the same one twice as long as
    nothing has happened in it: the second shows it as it is by then, and the first goes.
    """
    gone = api.gone()
    last: dict[tuple[int, int], Post] = {}
    """By chat and match, the board that was posted last."""
    newest: dict[int, tuple[int, float, float]] = {}
    """By chat, the match that was shown last, and when: the one before it, and itself."""
    granted: Counter[tuple[int, int]] = Counter()
    """By chat and match, the lines that have been answered by a board."""
    called: dict[tuple[int, bool, tuple[int, int]], Post] = {}
    for post in api.posted:
        (match, version), chat = post.about, post.chat.id
        if not match or ("reply_markup" in post.message and not post.is_board):
            continue
        if post.is_board:
            key = chat, match
            shown, since, before = newest.get(chat, (0, 0.0, 0.0))
            since = since if shown == match else before
            newest[chat] = match, since, post.at
            former, last[key] = last.get(key, post), post
            asked = sum(one.asks(chat) and since < one.at < post.at for one in api.said)
            if former is post or (asked > granted[key] and former.key in gone):
                granted[key] += 1
            else:
                yield Double(f"board of match {match} in chat {chat}", former, post)
        elif "reply_to_message" in post.message:
            is_aside = post.message["text"] == ""
            first = called.setdefault((chat, is_aside, post.about), post)
            if first is not post:
                what = f"ping of match {match} at {version} in chat {chat}"
                yield Double(what, first, post)
