"""A small strict Bot API server on the loopback address, and its users.

It has the methods that the bot uses, with Telegram's error texts. It keeps photos and messages, and
enforces rate limits. Tests act as users: `Person.says`, `Person.presses`. Every call, answer and
update is checked against the API description, if that is present. `problems` must be empty at the
end.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Any

from aiohttp import ClientError, ClientSession, web

from tests.bot.fronts.telegram.spec import Spec

BOT_ID = 424242
TOKEN = f"{BOT_ID}:SECRETsecretSECRETsecretSECRETsecre"
BOT = {
    "id": BOT_ID,
    "is_bot": True,
    "first_name": "Azumaya",
    "username": "azumaya_bot",
    "can_join_groups": True,
    "can_read_all_group_messages": False,
    "supports_inline_queries": False,
}

QUERY_SECONDS = 15 * 60
"""Seconds after which a press can no longer be answered."""

Message = dict[str, Any]


class Refusal(Exception):
    """An error with Telegram's text."""

    def __init__(self, code: int, text: str, **parameters: int) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.parameters = parameters


def bad(text: str) -> Refusal:
    return Refusal(400, f"Bad Request: {text}")


@dataclass
class Chat:
    """A chat with its messages. `topics` are the threads of a forum."""

    id: int
    kind: str
    title: str
    messages: dict[int, Message] = field(default_factory=dict)
    topics: set[int] = field(default_factory=set)
    administrators: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    """Users who have left."""
    closed: str = ""
    """Telegram's error if the bot cannot write there."""
    has_photos: bool = True
    """Whether members may send photos."""
    moved: int = 0
    """The id of the supergroup that replaced this group."""
    reactions: dict[int, str] = field(default_factory=dict)
    """The bot's reactions, by message id."""
    last: int = 0

    @property
    def plain(self) -> dict[str, Any]:
        told: dict[str, Any] = {"id": self.id, "type": self.kind}
        if self.kind == "private":
            return told | {"first_name": self.title}
        return told | {"title": self.title} | ({"is_forum": True} if self.topics else {})

    def new_id(self) -> int:
        self.last += 1
        return self.last

    def newest(self) -> Message:
        return self.messages[max(self.messages)]


@dataclass(frozen=True)
class Caller:
    """The process that made a call, if there are several, and when the call arrived."""

    by: str = ""
    """Its name (`BotApi.base_of`)."""
    life: int = 0
    """The number of its restarts."""
    arrived: float = 0.0

    @classmethod
    def called(cls, name: str) -> "Caller":
        """Return the caller with a name by `BotApi.base_of`."""
        by, _, life = name.partition(".")
        return cls(by, int(life or 0), monotonic())


_NOBODY = Caller()
_caller: ContextVar[Caller] = ContextVar("caller")


@dataclass(frozen=True)
class Call:
    """A call of the bot."""

    at: float
    """When it was handled."""
    method: str
    given: Mapping[str, Any]
    refused: str
    caller: Caller = _NOBODY

    @property
    def by(self) -> str:
        return self.caller.by

    @property
    def message(self) -> int:
        """The message id, or 0."""
        return int(self.given.get("message_id", "0"))

    @property
    def rings(self) -> bool:
        """True if it makes a sound in its chat."""
        is_new = self.method in _NEW
        return is_new and not self.refused and self.given.get("disable_notification") != "true"


@dataclass
class Query:
    """A pressed button, and the bot's answer."""

    id: str
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    text: str = ""
    alert: bool = False
    url: str = ""
    at: float = 0.0
    latency: float = 0.0


@dataclass
class Person:
    """A Telegram user."""

    api: "BotApi"
    id: int
    name: str
    username: str = ""
    language: str = "en"

    @property
    def plain(self) -> dict[str, Any]:
        told: dict[str, Any] = {"id": self.id, "is_bot": False, "first_name": self.name}
        if self.username:
            told["username"] = self.username
        return told | ({"language_code": self.language} if self.language else {})

    @property
    def private(self) -> Chat:
        """The chat with the bot."""
        return self.api.chats[self.id]

    def starts(self, parameter: str = "") -> Message:
        """Open the private chat with the bot. `parameter` is that of a deep link."""
        chat = self.api.chats.setdefault(self.id, Chat(self.id, "private", self.name))
        chat.closed = ""
        return self.says(chat, f"/start {parameter}".strip())

    def says(
        self,
        chat: Chat,
        text: str,
        *,
        reply: Message | None = None,
        thread: int = 0,
        to: Iterable["Person"] = (),
        **more: Any,
    ) -> Message:
        """Send a message. The names of `to` in `text` become text mentions."""
        message = self.api.message(chat, sender=self.plain, thread=thread, text=text, **more)
        entities = []
        if text.startswith("/"):
            length = len(text.split(maxsplit=1)[0].encode("utf-16-le")) // 2
            entities.append({"type": "bot_command", "offset": 0, "length": length})
        for person in to:
            offset = len(text[: text.index(person.name)].encode("utf-16-le")) // 2
            length = len(person.name.encode("utf-16-le")) // 2
            entities.append(
                {"type": "text_mention", "offset": offset, "length": length, "user": person.plain}
            )
        if entities:
            message["entities"] = entities
        if reply is not None:
            message["reply_to_message"] = _without_reply(reply)
        self.api.update({"message": message})
        return message

    def attaches(self, chat: Chat, data: bytes, caption: str = "") -> Message:
        """Send a file."""
        content = self.api.document(data, "games.txt")
        if caption:
            entity = {
                "type": "bot_command",
                "offset": 0,
                "length": len(caption.split(maxsplit=1)[0]),
            }
            content |= {"caption": caption, "caption_entities": [entity]}
        message = self.api.message(chat, sender=self.plain, **content)
        self.api.update({"message": message})
        return message

    def edits(self, chat: Chat, message: Message, text: str) -> None:
        edited = message | {"text": text, "edit_date": int(time())}
        chat.messages[message["message_id"]] = edited
        self.api.update({"edited_message": edited})

    def presses(self, chat: Chat, message: Message, button: str) -> Query:
        """Press the button with this label or callback data."""
        for row in message["reply_markup"]["inline_keyboard"]:
            for found in row:
                if button in (found["text"], found.get("callback_data")):
                    return self.sends(chat, message, found["callback_data"])
        raise AssertionError(f"no button {button!r} in {message['reply_markup']}")

    def sends(self, chat: Chat, message: Message, data: str) -> Query:
        """Send callback data, even without such a button."""
        query = Query(str(len(self.api.queries) + 1), at=monotonic())
        self.api.queries[query.id] = query
        self.api.update(
            {
                "callback_query": {
                    "id": query.id,
                    "from": self.plain,
                    "message": message,
                    "chat_instance": str(chat.id),
                    "data": data,
                }
            }
        )
        return query

    def blocks(self) -> None:
        self.private.closed = "Forbidden: bot was blocked by the user"
        self.api.membership(self.private, self, "member", "kicked")

    def unblocks(self) -> None:
        """Unblock the bot without a message."""
        self.private.closed = ""
        self.api.membership(self.private, self, "kicked", "member")


def _without_reply(message: Message) -> Message:
    return {key: value for key, value in message.items() if key != "reply_to_message"}


def _refused(refusal: Refusal) -> web.Response:
    told: dict[str, Any] = {"ok": False, "error_code": refusal.code, "description": refusal.text}
    if refusal.parameters:
        told["parameters"] = refusal.parameters
    return web.json_response(told, status=refusal.code)


class BotApi:
    """The server. `second` is the duration of its seconds, to shorten rate limits."""

    def __init__(self, spec: Spec | None, *, second: float = 1.0) -> None:
        self.spec = spec
        self.second = second
        self.problems: list[str] = []
        self.calls: list[Call] = []
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.photos: dict[str, bytes] = {}
        self.documents: dict[str, bytes] = {}
        self.animations: dict[str, bytes] = {}
        self.names: dict[str, str] = {}
        """The names of uploaded files, by field."""
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.descriptions: dict[tuple[str, str], str] = {}
        self.profile: bytes = b""
        self.webhook: dict[str, Any] = {}
        self.deliveries: list[int] = []
        """The HTTP status of each delivery. 0: the connection failed."""
        self.away = False
        """Whether calls get no answer, as in an outage."""
        self.cut: set[str] = set()
        """Methods whose calls get no answer."""
        self.swallow: set[str] = set()
        """Methods that are executed, but never answered."""
        self.lose: set[str] = set()
        """Methods whose calls are lost: no effect and no answer."""
        self.hold: dict[str, asyncio.Event] = {}
        """Methods whose answers wait until the event is set."""
        self.knocks = 0
        """The number of lost calls."""
        self.floods = 0
        self.fetches: list[Call] = []
        """Calls of getUpdates, recorded on arrival."""
        self.conflicts: list[str] = []
        """Processes whose getUpdates was ended by another process's call."""
        self.port = 0
        self._polling: object = None
        self._pending: deque[dict[str, Any]] = deque()
        self._number = 1000
        self._sent: dict[int, deque[float]] = defaultdict(lambda: deque(maxlen=20))
        self._full: dict[int, float] = defaultdict(float)
        """When a chat accepts a full burst again."""
        self._overall: deque[float] = deque(maxlen=30)
        self._changed = asyncio.Condition()
        self._runner: web.AppRunner | None = None
        self._deliveries: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._noisy: set[asyncio.Task[None]] = set()

    # --- life -----------------------------------------------------------------------------

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def base_of(self, process: str, *, life: int = 0) -> str:
        """Return the base URL of one of several processes. `life` counts its restarts."""
        return f"{self.base}/{process}.{life}" if life else f"{self.base}/{process}"

    @property
    def caller(self) -> Caller:
        """The caller of the current request."""
        return _caller.get(_NOBODY)

    async def start(self, port: int = 0) -> None:
        app = web.Application(client_max_size=20 << 20)
        for path in ("/bot{token}/{method}", "/{by}/bot{token}/{method}"):
            app.router.add_route("*", path, self._serve)
        app.router.add_get("/file/bot{token}/{file}", self._file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        self._stopping.set()
        for task in [*self._deliveries, *self._noisy]:
            task.cancel()
        if self._runner:
            await self._runner.cleanup()

    async def until(self, condition: Callable[[], Any], *, seconds: float = 60.0) -> Any:
        """Wait until a condition is true, checking after every event."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(condition)
        except TimeoutError:
            last = [(call.method, str(call.given)[:300], call.refused) for call in self.calls[-8:]]
            raise AssertionError(f"it never happened; the last calls: {last}") from None
        return condition()

    async def answer(self, query: Query) -> Query:
        """Wait for the bot's answer to a pressed button."""
        await self.until(query.answered.is_set)
        return query

    def _happened(self) -> None:
        async def tell() -> None:
            async with self._changed:
                self._changed.notify_all()

        task = asyncio.get_running_loop().create_task(tell())
        self._noisy.add(task)
        task.add_done_callback(self._noisy.discard)

    # --- users and chats ------------------------------------------------------------------

    def person(self, number: int, name: str, *, username: str = "", language: str = "en") -> Person:
        """Add a user who has not started the bot."""
        person = Person(self, number, name, username, language)
        closed = "Forbidden: bot can't initiate conversation with a user"
        self.chats[number] = Chat(number, "private", name, closed=closed)
        return person

    def group(self, number: int, title: str, *, topics: Iterable[int] = ()) -> Chat:
        """Add a group that the bot is in. Its number is negative."""
        kind = "supergroup" if number < -1_000_000_000_000 else "group"
        chat = self.chats[number] = Chat(number, kind, title, topics=set(topics), last=100)
        return chat

    def membership(self, chat: Chat, by: Person, old: str, new: str) -> None:
        """Report a change of the bot's membership."""

        def member(status: str) -> dict[str, Any]:
            told: dict[str, Any] = {"user": _user(BOT), "status": status}
            return told | ({"until_date": 0} if status == "kicked" else {})

        self.update(
            {
                "my_chat_member": {
                    "chat": chat.plain,
                    "from": by.plain,
                    "date": int(time()),
                    "old_chat_member": member(old),
                    "new_chat_member": member(new),
                }
            }
        )

    def becomes_supergroup(self, chat: Chat, number: int, *, told: bool = True) -> Chat:
        """Upgrade a group to a supergroup. `told`: send the service messages."""
        new = self.group(number, chat.title)
        chat.moved = number
        if told:
            anybody = Person(self, 777000, "Telegram").plain
            old = self.message(chat, sender=anybody, migrate_to_chat_id=number)
            self.update({"message": old})
            here = self.message(new, sender=anybody, migrate_from_chat_id=chat.id)
            self.update({"message": here})
        return new

    def message(
        self, chat: Chat, *, sender: Mapping[str, Any], thread: int = 0, **content: Any
    ) -> Message:
        """Add a message to a chat."""
        message: Message = {
            "message_id": chat.new_id(),
            "date": int(time()),
            "chat": chat.plain,
            "from": dict(sender),
            **content,
        }
        if thread:
            root = chat.messages.setdefault(
                thread,
                {
                    "message_id": thread,
                    "date": int(time()),
                    "chat": chat.plain,
                    "from": {"id": 777000, "is_bot": False, "first_name": "Telegram"},
                    "message_thread_id": thread,
                    "is_topic_message": True,
                    "forum_topic_created": {"name": "Topic", "icon_color": 7322096},
                },
            )
            message |= {"message_thread_id": thread, "is_topic_message": True}
            message.setdefault("reply_to_message", root)
        chat.messages[message["message_id"]] = message
        return message

    def boards(self, chat: Chat) -> list[Message]:
        """Return the messages with pictures in a chat."""
        return [message for message in chat.messages.values() if "photo" in message]

    def texts(self, chat: Chat) -> list[str]:
        """Return the bot's text messages in a chat."""
        return [
            message["text"]
            for message in chat.messages.values()
            if message["from"]["id"] == BOT["id"] and "text" in message
        ]

    # --- updates --------------------------------------------------------------------------

    def update(self, content: Mapping[str, Any], *, number: int = 0) -> int:
        """Send an update to the bot, by polling or by the webhook."""
        self._number += 1
        told = {"update_id": number or self._number, **json.loads(json.dumps(content))}
        if self.spec:
            self.problems += self.spec.value("Update", told)
        if self.webhook:
            self.deliver(told)
        else:
            self._pending.append(told)
        self._happened()
        return int(told["update_id"])

    @property
    def unconfirmed(self) -> int:
        """The number of updates that the bot has not confirmed."""
        return len(self._pending)

    def deliver(self, update: Mapping[str, Any]) -> None:
        """Deliver by the webhook, with retries."""
        task = asyncio.get_running_loop().create_task(self._deliver(update))
        self._deliveries.add(task)
        task.add_done_callback(self._deliveries.discard)

    async def _deliver(self, update: Mapping[str, Any]) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.webhook["secret_token"]}
        while True:
            try:
                async with (
                    ClientSession() as session,
                    session.post(self.webhook["url"], json=update, headers=headers) as answer,
                ):
                    self.deliveries.append(answer.status)
                    self._happened()
                    if answer.status < 300:
                        return
            except ClientError:
                self.deliveries.append(0)
            await asyncio.sleep(0.05)

    # --- serving --------------------------------------------------------------------------

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if self.away or method in self.cut:
            self.knocks += 1
            self._happened()
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        caller = Caller.called(request.match_info.get("by", ""))
        _caller.set(caller)
        given, files = await self._parameters(request)
        if method in self.lose:
            self.knocks += 1
            self._happened()
            await self._stopping.wait()
        refused = ""
        if method == "getUpdates":
            self.fetches.append(Call(monotonic(), method, given, "", caller))
        try:
            if request.match_info["token"] != TOKEN:
                raise Refusal(401, "Unauthorized")
            result = await self._carry_out(method, given, files)
        except Refusal as refusal:
            refused = refusal.text
            if refused.startswith("Conflict: terminated") and request.transport is not None:
                self.conflicts.append(caller.by)
            answer = _refused(refusal)
        else:
            if self.spec:
                self.problems += self.spec.answer(method, result)
            answer = web.json_response({"ok": True, "result": result})
        if method != "getUpdates":
            self.calls.append(Call(monotonic(), method, given, refused, caller))
        self._happened()
        await self._on_its_way(method)
        return answer

    async def _file(self, request: web.Request) -> web.Response:
        assert request.match_info["token"] == TOKEN
        return web.Response(body=self.documents[request.match_info["file"]])

    async def _parameters(self, request: web.Request) -> tuple[dict[str, str], dict[str, bytes]]:
        given: dict[str, str] = {}
        files: dict[str, bytes] = {}
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                files[name] = value.file.read()
                self.names[name] = value.filename
            else:
                given[name] = str(value)
        return given, files

    async def _on_its_way(self, method: str) -> None:
        if method in self.swallow:
            await self._stopping.wait()
        if held := self.hold.get(method):
            await held.wait()

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        if self.spec:
            self.problems += self.spec.call(method, given, files)
        snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in method)
        act: Callable[..., Any] | None = getattr(self, f"_do_{snake}", None)
        if act is None:
            raise Refusal(404, "Not Found")
        if method in _NEW or method.startswith("edit"):
            self._limit(int(given["chat_id"]))
        found = act(given, files)
        return await found if isinstance(found, Coroutine) else found

    def _limit(self, chat: int) -> None:
        """Refuse more than one a second in a chat, 20 a minute in a group, or 30 a second overall.

        A chat accepts bursts of five. Telegram does not document their limit.
        """
        now, second = monotonic(), self.second
        sent, waits = self._sent[chat], [0.0]
        full = max(self._full[chat], now)
        waits.append(full - 4 * second - now)
        if chat < 0 and len(sent) == 20:
            waits.append(sent[0] + 60 * second - now)
        if len(self._overall) == 30:
            waits.append(self._overall[0] + second - now)
        if max(waits) > 0:
            self.floods += 1
            wait = max(1, round(max(waits) + 0.5))
            raise Refusal(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        sent.append(now)
        self._full[chat] = full + second
        self._overall.append(now)

    # --- methods --------------------------------------------------------------------------

    def _do_get_me(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        return BOT

    async def _do_get_updates(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        if self.webhook:
            raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        offset = int(given.get("offset", "0"))
        while self._pending and self._pending[0].get("update_id", 0) < offset:
            self._pending.popleft()
        # Only the last caller is answered.
        self._polling = mine = object()
        self._happened()
        try:
            async with asyncio.timeout(int(given.get("timeout", "0"))):
                async with self._changed:
                    await self._changed.wait_for(
                        lambda: self._pending or self.away or self._polling is not mine
                    )
        except TimeoutError:
            pass
        if self._polling is not mine:
            raise Refusal(
                409,
                "Conflict: terminated by other getUpdates request; "
                "make sure that only one bot instance is running",
            )
        return list(self._pending)[: int(given.get("limit", "100"))]

    def _do_set_webhook(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        self.webhook = dict(given)
        while self._pending:
            self.deliver(self._pending.popleft())
        return True

    def _do_delete_webhook(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        self.webhook = {}
        return True

    def _do_set_my_commands(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        scope = json.loads(given.get("scope", '{"type": "default"}'))["type"]
        commands = json.loads(given["commands"])
        if len(commands) > 100:
            raise bad("BOT_COMMANDS_TOO_MUCH")
        for command in commands:
            name, about = command["command"], command["description"]
            if not (1 <= len(name) <= 32 and name.isascii() and name.islower()):
                raise bad("BOT_COMMAND_INVALID")
            if not 1 <= len(about) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
        self.commands[scope, given.get("language_code", "")] = commands
        return True

    def _do_set_my_description(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        if len(given["description"]) > 512:
            raise bad("BOT_DESCRIPTION_TOO_LONG")
        self.descriptions["long", given.get("language_code", "")] = given["description"]
        return True

    def _do_set_my_short_description(
        self, given: Mapping[str, str], files: Mapping[str, bytes]
    ) -> Any:
        if len(given["short_description"]) > 120:
            raise bad("BOT_SHORT_DESCRIPTION_TOO_LONG")
        self.descriptions["short", given.get("language_code", "")] = given["short_description"]
        return True

    def _do_set_my_profile_photo(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        photo = json.loads(given["photo"])
        self.profile = files[photo["photo"].removeprefix("attach://")]
        if not self.profile.startswith(b"\xff\xd8\xff"):
            raise bad("PHOTO_INVALID")
        return True

    def _do_send_message(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat, content = self._new(given), self._text(given)
        return self._post(chat, given, content)

    def _do_send_photo(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat = self._new(given)
        name = given.get("photo", "photo").removeprefix("attach://")
        photo = self._photo(chat, files[name])
        return self._post(chat, given, photo | self._caption(given) | _cover(given))

    def _do_send_animation(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat = self._new(given)
        animation = self._animation(chat, given.get("animation", "attach://animation"), files)
        return self._post(chat, given, animation | self._caption(given) | _cover(given))

    def _do_send_document(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat = self._new(given)
        name = given.get("document", "document").removeprefix("attach://")
        data, called = files[name], self.names[name]
        if not 0 < len(data) <= 50_000_000:
            raise bad("file is too big")
        return self._post(chat, given, self.document(data, called) | self._caption(given))

    def document(self, data: bytes, name: str) -> dict[str, Any]:
        """Store a file, and return the part of a message that has it."""
        file_id = f"file{hash(data) & 0xFFFFFFFF:08x}"
        self.documents[file_id] = data
        document = {
            "file_id": file_id,
            "file_unique_id": file_id,
            "file_name": name,
            "file_size": len(data),
        }
        return {"document": document}

    def _do_get_file(self, given: Mapping[str, str], _: Mapping[str, bytes]) -> Any:
        file_id = given["file_id"]
        size = len(self.documents[file_id])
        if size > 20_000_000:
            raise bad("file is too big")
        same = {"file_id": file_id, "file_unique_id": file_id, "file_size": size}
        return same | {"file_path": file_id}

    def _do_edit_message_media(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        media = json.loads(given["media"])
        if media["type"] == "animation":
            photo = self._animation(self._chat(given), media["media"], files)
        elif media["type"] == "photo":
            photo = self._photo(self._chat(given), files[media["media"].removeprefix("attach://")])
        else:
            raise bad("media type is not used here")
        told = {key: v if isinstance(v, str) else json.dumps(v) for key, v in media.items()}
        return self._change(given, photo | self._caption(told) | _cover(told))

    def _do_edit_message_text(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        _, message = self._own(given)
        if "text" not in message:
            raise bad("there is no text in the message to edit")
        return self._change(given, self._text(given))

    def _do_edit_message_caption(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        _, message = self._own(given)
        if "photo" not in message:
            raise bad("there is no caption in the message to edit")
        kept = ("photo", "has_media_spoiler")
        shown = {key: message[key] for key in kept if key in message}
        return self._change(given, shown | self._caption(given))

    def _do_edit_message_reply_markup(
        self, given: Mapping[str, str], files: Mapping[str, bytes]
    ) -> Any:
        _, message = self._own(given)
        kept = (*_CONTENT, "has_media_spoiler")
        return self._change(given, {key: message[key] for key in kept if key in message})

    def _do_get_chat_member(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat, person = self._chat(given), int(given["user_id"])
        user = {"id": person, "is_bot": False, "first_name": self.chats[person].title}
        if person in chat.gone:
            return {"status": "left", "user": user}
        if person not in chat.administrators:
            return {"status": "member", "user": user}
        rights = (
            *("can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages"),
            *("can_manage_video_chats", "can_restrict_members", "can_promote_members"),
            *("can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories"),
            "can_delete_stories",
        )
        return {"status": "administrator", "user": user} | dict.fromkeys(rights, False)

    def _do_delete_message(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat = self._chat(given)
        message = chat.messages.get(int(given["message_id"]))
        if message is None:
            raise bad("message to delete not found")
        if message["from"]["id"] != BOT["id"] or message["date"] < time() - 48 * 3600:
            raise bad("message can't be deleted for everyone")
        del chat.messages[message["message_id"]]
        return True

    def _do_answer_callback_query(
        self, given: Mapping[str, str], files: Mapping[str, bytes]
    ) -> Any:
        query = self.queries.get(given["callback_query_id"])
        if query is None or query.answered.is_set() or query.at < monotonic() - QUERY_SECONDS:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        if len(given.get("text", "")) > 200:
            raise bad("MESSAGE_TOO_LONG")
        url = given.get("url", "")
        if url and not url.startswith(f"https://t.me/{BOT['username']}?start="):
            raise bad("URL_INVALID")
        query.text, query.url = given.get("text", ""), url
        query.alert = given.get("show_alert") == "true"
        query.latency = monotonic() - query.at
        query.answered.set()
        return True

    def _do_set_message_reaction(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Any:
        chat = self._chat(given)
        message = chat.messages.get(int(given["message_id"]))
        if message is None:
            raise bad("message to react not found")
        # Messages do not contain their reactions. Telegram has separate updates for them.
        chat.reactions[message["message_id"]] = json.loads(given["reaction"])[0]["emoji"]
        return True

    # --- shared ---------------------------------------------------------------------------

    def _chat(self, given: Mapping[str, str]) -> Chat:
        chat = self.chats.get(int(given["chat_id"]))
        if chat is None:
            raise bad("chat not found")
        if chat.moved:
            raise Refusal(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.moved,
            )
        if chat.closed:
            raise Refusal(403 if chat.closed.startswith("Forbidden") else 400, chat.closed)
        return chat

    def _new(self, given: Mapping[str, str]) -> Chat:
        chat = self._chat(given)
        thread = int(given.get("message_thread_id", "0"))
        if thread and thread not in chat.topics:
            raise bad("message thread not found")
        return chat

    def _text(self, given: Mapping[str, str]) -> dict[str, Any]:
        text = given["text"]
        if not text.strip():
            raise bad("message text is empty")
        if _length(text) > 4096:
            raise bad("message is too long")
        return {"text": text} | self._entities(text, given.get("entities"), "entities")

    def _caption(self, given: Mapping[str, str]) -> dict[str, Any]:
        text = given.get("caption", "")
        if _length(text) > 1024:
            raise bad("message caption is too long")
        told = self._entities(text, given.get("caption_entities"), "caption_entities")
        return ({"caption": text} if text else {}) | told

    def _entities(self, text: str, given: str | None, key: str) -> dict[str, Any]:
        entities = json.loads(given) if given else []
        units = text.encode("utf-16-le")
        for entity in entities:
            start, end = entity["offset"], entity["offset"] + entity["length"]
            if not 0 <= start < end <= _length(text):
                raise bad("ENTITY_BOUNDS_INVALID")
            try:
                units[2 * start : 2 * end].decode("utf-16-le")
            except UnicodeDecodeError:
                raise bad("ENTITY_BOUNDS_INVALID") from None
            if entity["type"] == "text_mention" and entity["user"]["id"] not in self.chats:
                raise bad("USER_ID_INVALID")
            self._check_nesting(entity, entities)
        return {key: entities} if entities else {}

    def _check_nesting(self, entity: dict[str, Any], entities: list[dict[str, Any]]) -> None:
        """Refuse what overlaps code, and quotes in quotes."""
        for other in entities:
            is_apart = (
                other is entity
                or other["offset"] + other["length"] <= entity["offset"]
                or entity["offset"] + entity["length"] <= other["offset"]
            )
            kinds = {entity["type"], other["type"]}
            if not is_apart and (kinds & {"code", "pre"} or len(kinds) < 2):
                raise bad("can't parse entities: entities overlap")

    def _photo(self, chat: Chat, data: bytes) -> dict[str, Any]:
        if not chat.has_photos:
            raise bad("not enough rights to send photos to the chat")
        if not data.startswith(b"\x89PNG\r\n"):
            raise bad("IMAGE_PROCESS_FAILED")
        width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
        ratio = max(width, height) / min(width, height)
        if width + height > 10_000 or ratio > 20 or len(data) > 10_000_000:
            raise bad("PHOTO_INVALID_DIMENSIONS")
        name = f"photo{hash(data) & 0xFFFFFFFF:08x}"
        self.photos[name] = data
        size = {"file_id": name, "file_unique_id": name, "width": width, "height": height}
        return {"photo": [size]}

    def _animation(self, chat: Chat, said: str, files: Mapping[str, bytes]) -> dict[str, Any]:
        """Upload an animation, or use one again by its id."""
        if not chat.has_photos:
            raise bad("not enough rights to send animations to the chat")
        name, is_new = said.removeprefix("attach://"), said.startswith("attach://")
        if not is_new and name not in self.animations:
            raise bad("wrong file identifier/HTTP URL specified")
        data = files[name] if is_new else self.animations[name]
        if not data.startswith(b"GIF89a") or len(data) > 50_000_000:
            raise bad("VIDEO_CONTENT_TYPE_INVALID")
        name = f"animation{hash(data) & 0xFFFFFFFF:08x}"
        self.animations[name] = data
        width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
        found = {"file_id": name, "file_unique_id": name, "duration": 1, "mime_type": "video/mp4"}
        found |= {"width": width, "height": height}
        return {"animation": found, "document": {"file_id": name, "file_unique_id": name}}

    def _keyboard(self, given: Mapping[str, str]) -> dict[str, Any]:
        if "reply_markup" not in given:
            return {}
        markup = json.loads(given["reply_markup"])
        rows = markup["inline_keyboard"]
        if sum(map(len, rows)) > 100 or any(len(row) > 8 for row in rows) or [] in rows:
            raise bad("REPLY_MARKUP_TOO_LONG")
        for button in (button for row in rows for button in row):
            if not button["text"].strip():
                raise bad("Text buttons are unallowed in the inline keyboard")
            if len(button.keys() & {"callback_data", "url", "copy_text"}) != 1:
                raise bad("BUTTON_TYPE_INVALID")
            if not 1 <= len(button.get("copy_text", {"text": "-"})["text"]) <= 256:
                raise bad("BUTTON_COPY_TEXT_INVALID")
            if "url" in button and not button["url"].startswith("https://t.me/"):
                raise bad("BUTTON_URL_INVALID")
            if not 1 <= len(button.get("callback_data", "-").encode()) <= 64:
                raise bad("BUTTON_DATA_INVALID")
        return {"reply_markup": markup}

    def _post(self, chat: Chat, given: Mapping[str, str], content: dict[str, Any]) -> Message:
        content |= self._keyboard(given)
        if "reply_parameters" in given:
            told = json.loads(given["reply_parameters"])
            other = chat.messages.get(told["message_id"])
            if other is not None:
                content["reply_to_message"] = _without_reply(other)
            elif not told.get("allow_sending_without_reply"):
                raise bad("message to be replied not found")
        thread = int(given.get("message_thread_id", "0"))
        return self.message(chat, sender=_user(BOT), thread=thread, **content)

    def _own(self, given: Mapping[str, str]) -> tuple[Chat, Message]:
        chat = self._chat(given)
        message = chat.messages.get(int(given["message_id"]))
        if message is None:
            raise bad("message to edit not found")
        if message["from"]["id"] != BOT["id"]:
            raise bad("message can't be edited")
        return chat, message

    def _change(self, given: Mapping[str, str], content: dict[str, Any]) -> Message:
        chat, message = self._own(given)
        if "text" in content and not message.keys().isdisjoint(_PICTURES):
            raise bad("there is no text in the message to edit")
        content |= self._keyboard(given)
        shown = (*_CONTENT, "has_media_spoiler", "reply_markup")
        if {key: message[key] for key in shown if key in message} == content:
            raise bad(
                "message is not modified: specified new message content and reply markup are "
                "exactly the same as a current content and reply markup of the message"
            )
        kept = {key: value for key, value in message.items() if key not in shown}
        changed = kept | content | {"edit_date": int(time())}
        chat.messages[message["message_id"]] = changed
        return changed


_NEW = ("sendMessage", "sendPhoto", "sendAnimation", "sendDocument")
_PICTURES = ("photo", "animation", "document")
_CONTENT = ("text", "entities", *_PICTURES, "caption", "caption_entities")


def _cover(given: Mapping[str, str]) -> dict[str, Any]:
    return {"has_media_spoiler": True} if given.get("has_spoiler") == "true" else {}


def _length(text: str) -> int:
    """Return the length in UTF-16 code units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def _user(bot: Mapping[str, Any]) -> dict[str, Any]:
    return {key: bot[key] for key in ("id", "is_bot", "first_name", "username")}
