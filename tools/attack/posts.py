"""What the bot posts on Telegram, and what of it was posted twice."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple

from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import BotApi, Chat, Message
from tools.attack.records import parse_token

__all__ = ["Api", "Double", "Post", "doubled", "shows"]

_CHALLENGE = ("accept", "decline", "withdraw")
"""Buttons that only a challenge has."""

Key = tuple[int, int]
"""A chat and the id of a message in it."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message of the bot when it was posted."""

    at: float
    chat: Chat
    message: Message
    about: tuple[int, int]
    """The match and version that it shows or replies to."""

    @property
    def key(self) -> Key:
        return self.chat.id, self.message["message_id"]

    @property
    def is_board(self) -> bool:
        return "photo" in self.message or any(tokens(self.message, verb) for verb in _CHALLENGE)

    @property
    def is_ping(self) -> bool:
        return "reply_to_message" in self.message and "reply_markup" not in self.message


class Double(NamedTuple):
    """Two messages that say the same."""

    what: str
    first: Post
    again: Post


class Api(BotApi):
    """A Bot API that records what was posted, and which messages the bot knows of."""

    polls = 0
    """The number of calls of getUpdates."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.posted: list[Post] = []
        self.lines: defaultdict[int, list[float]] = defaultdict(list)
        """When a line was typed that may ask for a match, by chat."""
        self.pressed: set[Key] = set()
        self.advanced: set[Key] = set()
        """Boards that were edited to a newer version."""

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        self.polls += method == "getUpdates"
        return await super()._carry_out(method, given, files)

    def update(self, content: Mapping[str, Any], *, number: int = 0) -> int:
        if query := content.get("callback_query"):
            self.pressed.add((query["message"]["chat"]["id"], query["message"]["message_id"]))
        elif (message := content.get("message")) and not message.get("text", "").startswith(
            "/start"
        ):
            self.lines[message["chat"]["id"]].append(monotonic())
        return super().update(content, number=number)

    def _post(self, chat: Chat, given: Any, content: dict[str, Any]) -> Message:
        message = super()._post(chat, given, content)
        replied = chat.messages.get(message.get("reply_to_message", {}).get("message_id"), message)
        about = shows(message) if shows(message)[0] else shows(replied)
        self.posted.append(Post(monotonic(), chat, message, about))
        return message

    def _change(self, given: Mapping[str, str], content: dict[str, Any]) -> Message:
        chat, before = self._own(given)
        changed = super()._change(given, content)
        if shows(changed) > shows(before):
            self.advanced.add((chat.id, changed["message_id"]))
        return changed

    def known(self) -> set[Key]:
        """Return the messages that the bot has edited or deleted.

        A deleted message that was pressed does not count: by the press the bot heard of it.
        """
        return self.advanced | (self.deleted() - self.pressed)

    def deleted(self) -> set[Key]:
        return {
            (int(call.given["chat_id"]), call.message)
            for call in self.calls
            if call.method == "deleteMessage" and not call.refused
        }


def shows(message: Message) -> tuple[int, int]:
    """Return the match and version that a message shows, or zeros."""
    for row in message.get("reply_markup", {}).get("inline_keyboard", []):
        for button in row:
            data = button.get("callback_data", "")
            if data.count(":") >= 3 and parse_token(data)[0]:
                return parse_token(data)[:2]
    return 0, 0


def doubled(api: Api) -> Iterator[Double]:
    """Yield boards and pings that were posted twice.

    A board may be posted again for each line that asks for it, if the first one is deleted.
    """
    deleted = api.deleted()
    boards: defaultdict[int, list[Post]] = defaultdict(list)
    pings: dict[object, Post] = {}
    for post in api.posted:
        (match, version), chat = post.about, post.chat.id
        if match and post.is_board:
            shown = [board for board in boards[chat] if board.about[0] == match]
            if shown and not (
                shown[-1].key in deleted and _lines_for(match, post, boards, api) > len(shown)
            ):
                yield Double(f"board of match {match} in chat {chat}", shown[-1], post)
            boards[chat].append(post)
        elif match and post.is_ping:
            first = pings.setdefault((chat, post.message["text"] == "", post.about), post)
            if first is not post:
                yield Double(f"ping of match {match} at {version} in chat {chat}", first, post)


def _lines_for(match: int, post: Post, boards: Mapping[int, list[Post]], api: Api) -> int:
    """Count the lines that may have asked for this match: those after the match before it."""
    others = [board.at for board in boards[post.chat.id] if board.about[0] != match]
    since = max(others, default=0.0)
    return sum(since < at < post.at for at in api.lines[post.chat.id])
