"""A small strict stand-in for Discord: HTTP and gateway on the loopback address.

It checks what Discord checks, and records every violation in `problems`:

* Token, identify, heartbeats and resumed sessions.
* Interactions acknowledged once, within three seconds, and before they are used.
* Multipart uploads, unique custom ids, limits of components, nonces.
* Rate-limit headers and 429.
"""

import asyncio
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any

from aiohttp import WSMsgType, web

from tests.bot.fronts.discord.openapi import check, is_there

TOKEN = "NDcxMQ.standin.token-of-the-stand-in"
APPLICATION, GUILD, CHANNEL, GROUP = 4711, 100, 200, 300
ABROAD = 400
"""A channel of a server without the application. Its users have installed it."""

_ALL_PERMISSIONS = str((1 << 52) - 1)
_COMPONENTS_V2, _EPHEMERAL = 1 << 15, 1 << 6
_FILE = 13
"""Attachments are visible only if one of these components names them."""
_LONGEST_FILE, _MOST_FILES = 10 * 2**20, 10
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""The first bytes of files that a gallery shows."""


@dataclass(slots=True)
class Asked:
    """An interaction and its answers."""

    id: str
    token: str
    channel: int
    user: int
    message: int | None
    sent: float
    acknowledged: float = 0.0
    kind: int = 0
    loading: bool = False
    window: dict[str, Any] | None = None
    """The opened modal."""
    replies: list[int] = field(default_factory=list)
    is_changed: bool = False
    """Whether a follow-up changed the pressed message."""
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def seconds(self) -> float:
        """The time until the acknowledgement."""
        return self.acknowledged - self.sent

    @property
    def is_answered(self) -> bool:
        """Whether there was more than an acknowledgement."""
        return bool(self.replies) or self.is_changed


@dataclass(slots=True)
class _Session:
    id: str
    shard: int
    sequence: int = 0
    socket: web.WebSocketResponse | None = None
    deflate: Any = None
    history: list[dict[str, Any]] = field(default_factory=list)


class StandIn:
    """The part of Discord that the bot uses."""

    def __init__(self, *, shards: int = 1) -> None:
        self.shards = shards
        self.problems: list[str] = []
        self.requests: list[tuple[str, str, Any]] = []
        self.seen: Counter[str] = Counter()
        self.messages: dict[int, dict[str, Any]] = {}
        self.changed = asyncio.Condition()
        self.fail: list[tuple[str, str, int, dict[str, Any], dict[str, str]]] = []
        """Requests that fail once: method, part of the path, status, body, headers."""
        self.heartbeat = 45_000
        self.in_time = 3.0
        """Seconds within which an interaction must be acknowledged."""
        self.checks_bodies = is_there()
        self._ids = count(10**17)
        self._sessions: dict[str, _Session] = {}
        self._asked: dict[str, Asked] = {}
        self._nonces: dict[tuple[int, str], int] = {}
        self._window: dict[str, list[float]] = defaultdict(list)
        self.per_channel = 10_000
        self._runner: web.AppRunner | None = None
        self.port = 0

    # --- open and close -------------------------------------------------------------------

    @classmethod
    @asynccontextmanager
    async def open(cls, *, shards: int = 1) -> AsyncIterator["StandIn"]:
        """Serve until the block ends."""
        standin = cls(shards=shards)
        await standin.start()
        try:
            yield standin
        finally:
            await standin.stop()

    async def start(self, port: int = 0) -> None:
        app = web.Application(client_max_size=20 * 2**20)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self._http)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        for session in self._sessions.values():
            if session.socket is not None:
                await session.socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v10"

    @property
    def gateway(self) -> str:
        return f"ws://127.0.0.1:{self.port}/gateway"

    def wrong(self, problem: str) -> None:
        self.problems.append(problem)

    # --- the gateway ----------------------------------------------------------------------

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        if request.query.get("v") != "10" or request.query.get("encoding") != "json":
            self.wrong(f"gateway opened with {request.query}")
        deflate = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        await self._send(socket, deflate, {"op": 10, "d": {"heartbeat_interval": self.heartbeat}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            if len(message.data) > 4096:
                self.wrong("gateway message longer than 4096 bytes")
            await self._told(json.loads(message.data), socket, deflate)
            async with self.changed:
                self.changed.notify_all()
        return socket

    async def _told(
        self, told: dict[str, Any], socket: web.WebSocketResponse, deflate: Any
    ) -> None:
        """Handle heartbeat, identify and resume. The bot sends no other opcodes."""
        self.seen[f"op {told['op']}"] += 1
        match told["op"]:
            case 1:
                await self._send(socket, deflate, {"op": 11})
            case 2:
                session = self._identified(told["d"])
                session.socket, session.deflate = socket, deflate
                await self._ready(session)
            case 6:
                resumed = self._sessions.get(told["d"]["session_id"])
                if resumed is None or told["d"]["token"] != TOKEN:
                    await self._send(socket, deflate, {"op": 9, "d": False})
                    return
                resumed.socket, resumed.deflate = socket, deflate
                for event in resumed.history:
                    if event["s"] > told["d"]["seq"]:
                        await self._send(socket, deflate, event)
                await self.dispatch("RESUMED", {}, resumed)
            case other:
                self.wrong(f"opcode {other}")

    def _identified(self, told: dict[str, Any]) -> _Session:
        if told["token"] != TOKEN:
            self.wrong("identified with another token")
        if told["intents"] != 1:
            self.wrong(f"intents {told['intents']}: guilds alone would do")
        shard, number = told["shard"]
        if number != self.shards:
            self.wrong(f"identified as one of {number} shards")
        session = _Session(f"session-{next(self._ids)}", shard)
        self._sessions[session.id] = session
        return session

    async def _ready(self, session: _Session) -> None:
        await self.dispatch(
            "READY",
            {
                "v": 10,
                "user": _user(APPLICATION, "azumaya", bot=True),
                "guilds": [{"id": str(GUILD), "unavailable": True}],
                "session_id": session.id,
                "resume_gateway_url": self.gateway,
                "shard": [session.shard, self.shards],
                "application": {"id": str(APPLICATION), "flags": 0},
            },
            session,
        )
        if session.shard == (GUILD >> 22) % self.shards:
            await self.dispatch("GUILD_CREATE", _guild(), session)

    async def dispatch(
        self, event: str, data: dict[str, Any], session: _Session | None = None
    ) -> None:
        """Send an event to a session, by default the one that serves our guild and DMs."""
        if session is None:
            session = next(one for one in reversed(self._sessions.values()) if one.shard == 0)
        session.sequence += 1
        payload = {"op": 0, "t": event, "s": session.sequence, "d": data}
        session.history.append(payload)
        if session.socket is not None and not session.socket.closed:
            await self._send(session.socket, session.deflate, payload)

    async def _send(self, socket: web.WebSocketResponse, deflate: Any, data: Any) -> None:
        text = json.dumps(data)
        if deflate is None:
            await socket.send_str(text)
        else:
            await socket.send_bytes(
                deflate.compress(text.encode()) + deflate.flush(zlib.Z_SYNC_FLUSH)
            )

    async def hang_up(self, code: int = 4000) -> None:
        """Close all connections. Sessions can be resumed."""
        for session in self._sessions.values():
            if session.socket is not None:
                await session.socket.close(code=code)
                session.socket = None

    async def ask_to_reconnect(self) -> None:
        """Send opcode 7."""
        for session in self._sessions.values():
            if session.socket is not None and not session.socket.closed:
                await self._send(session.socket, session.deflate, {"op": 7, "d": None})

    async def forget_sessions(self) -> None:
        """Send opcode 9: no session can be resumed."""
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            if session.socket is not None and not session.socket.closed:
                await self._send(session.socket, session.deflate, {"op": 9, "d": False})

    # --- users ----------------------------------------------------------------------------

    async def press(self, user: int, message: dict[str, Any], custom_id: str, **data: Any) -> Asked:
        """Press a button, or use a select with ``component_type=3, values=…``."""
        return await self._ask(
            3,
            user,
            int(message["channel_id"]),
            {"custom_id": custom_id, "component_type": 2, **data},
            message,
        )

    async def fill_in(self, asked: Asked, line: str) -> Asked:
        """Submit a line in the opened modal."""
        assert asked.window is not None
        (label,) = asked.window["components"]
        typed = {**label["component"], "value": line}
        data = {
            "custom_id": asked.window["custom_id"],
            "components": [label | {"component": typed}],
        }
        message = self.messages.get(asked.message or 0)
        return await self._ask(5, asked.user, asked.channel, data, message)

    async def slash(
        self, user: int, name: str, /, *, channel: int = CHANNEL, people: Any = (), **given: Any
    ) -> Asked:
        """Send a command. ``user=`` is one of `people`."""
        options = [
            {"name": key, "type": 6 if key == "user" else 3, "value": str(value)}
            for key, value in given.items()
        ]
        resolved = {
            "users": {str(one): _user(one) for one in people},
            "members": {str(one): _member(one, with_user=False) for one in people},
        }
        data = {"id": "1", "name": name, "type": 1, "options": options, "resolved": resolved}
        return await self._ask(2, user, channel, data, None)

    async def _ask(
        self,
        kind: int,
        user: int,
        channel: int,
        data: dict[str, Any],
        message: dict[str, Any] | None,
    ) -> Asked:
        number = str(next(self._ids))
        asked = Asked(
            number,
            f"key-{number}",
            channel,
            user,
            int(message["id"]) if message else None,
            perf_counter(),
        )
        self._asked[asked.token] = asked
        here: dict[str, Any] = {
            "context": 0,
            "guild_id": str(GUILD),
            "guild_locale": "en-US",
            "member": _member(user) | {"permissions": _ALL_PERMISSIONS},
            "app_permissions": _ALL_PERMISSIONS,
            "channel": _channel(),
            "authorizing_integration_owners": {"0": str(GUILD)},
        }
        by_person = {"authorizing_integration_owners": {"1": str(user)}}
        elsewhere: dict[int, dict[str, Any]] = {
            ABROAD: here | {"guild_id": "101", "channel": _channel(ABROAD, "101")} | by_person,
            GROUP: {"context": 2, "user": _user(user), "app_permissions": "0"}
            | {"channel": {"id": str(channel), "type": 3, "recipients": [], "name": None}}
            | by_person,
        }
        where = elsewhere.get(channel, here)
        await self.dispatch(
            "INTERACTION_CREATE",
            {
                "id": number,
                "application_id": str(APPLICATION),
                "type": kind,
                "token": asked.token,
                "version": 1,
                "data": data,
                "channel_id": str(channel),
                "locale": "en-US",
                "entitlements": [],
                "attachment_size_limit": 10 * 2**20,
                **where,
                **({"message": message} if message else {}),
            },
        )
        return asked

    async def until(self, holds: Any, timeout: float = 60.0) -> Any:  # noqa: ASYNC109
        """Wait until `holds()` is true, checking after every request, and return its value."""
        async with asyncio.timeout(timeout), self.changed:
            while not (found := holds()):
                await self.changed.wait()
            return found

    def boards(self, channel: int = CHANNEL) -> list[dict[str, Any]]:
        """Return all public messages with components, oldest first."""
        return [
            message
            for message in self.messages.values()
            if int(message["channel_id"]) == channel
            and message["flags"] & _COMPONENTS_V2
            and not message["flags"] & _EPHEMERAL
        ]

    # --- HTTP -----------------------------------------------------------------------------

    async def _http(self, request: web.Request) -> web.Response:
        path, method = "/" + request.match_info["path"], request.method
        body, files = await self._body(request)
        self.requests.append((method, path, body))
        keyed = path.startswith(("/interactions/", "/webhooks/"))
        if not keyed and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _error(401, 0, "401: Unauthorized")
        agent = request.headers.get("User-Agent", "")
        if not keyed and not agent.startswith("DiscordBot ("):
            self.wrong("no proper User-Agent")
        if self.checks_bodies:
            try:
                check(method, path, body)
            except AssertionError as error:
                self.wrong(str(error))
        for failure in self.fail:
            if failure[0] == method and failure[1] in path:
                self.fail.remove(failure)
                async with self.changed:
                    self.changed.notify_all()
                return _json(failure[3], status=failure[2], headers=failure[4])
        limited = self._limit(method, path)
        if isinstance(limited, web.Response):
            return limited
        try:
            status, answer = await self._answer(method, path.strip("/").split("/"), body, files)
        except _Refusal as refusal:
            return _error(refusal.status, refusal.code, refusal.text)
        async with self.changed:
            self.changed.notify_all()
        if status == 204:
            return web.Response(status=204, headers=limited)
        return _json(answer, status=status, headers=limited)

    async def _body(self, request: web.Request) -> tuple[Any, dict[str, bytes]]:
        if request.content_type == "multipart/form-data":
            form = await request.post()
            files = {
                name: value.file.read()
                for name, value in form.items()
                if isinstance(value, web.FileField)
            }
            return json.loads(str(form["payload_json"])), files
        return (await request.json() if request.can_read_body else None), {}

    def _limit(self, method: str, path: str) -> dict[str, str] | web.Response:
        """Return the rate-limit headers, or a 429."""
        if not path.startswith("/channels/"):
            return {}
        bucket = f"{method}:{path.split('/')[2]}"
        now = perf_counter()
        window = self._window[bucket] = [at for at in self._window[bucket] if now - at < 1]
        if len(window) >= self.per_channel:
            self.seen["429"] += 1
            wait = 1 - (now - window[0])
            return _json(
                {"message": "You are being rate limited.", "retry_after": wait, "global": False},
                status=429,
                headers={"Retry-After": str(wait), "Via": "1.1 standin"},
            )
        window.append(now)
        left = self.per_channel - len(window)
        return {
            "X-RateLimit-Limit": str(self.per_channel),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": str(now + 1),
            "X-RateLimit-Reset-After": str(1 - (now - window[0])),
            "X-RateLimit-Bucket": method.lower(),
        }

    async def _answer(
        self, method: str, path: list[str], body: Any, files: dict[str, bytes]
    ) -> tuple[int, Any]:
        if method == "GET" and (found := self._read("/".join(path))):
            return 200, found
        match method, path:
            case "PUT", ["applications", _, *_, "commands"]:
                return 200, [
                    {"id": str(at), "version": "1", "application_id": str(APPLICATION)}
                    | {"description": "", **one}
                    for at, one in enumerate(body, 1)
                ]
            case "POST", ["users", "@me", "channels"]:
                person = int(body["recipient_id"])
                return 200, {"id": str(person * 10), "type": 1, "recipients": [_user(person)]}
            case "POST", ["channels", channel, "messages"]:
                return 200, self._post(int(channel), body, files)
            case "PATCH", ["channels", channel, "messages", message]:
                return 200, self._edit(self._message(channel, message), body, files)
            case "DELETE", ["channels", channel, "messages", message]:
                del self.messages[int(self._message(channel, message)["id"])]
                return 204, None
            case "POST", ["interactions", _, token, "callback"]:
                return self._callback(token, body, files)
            case _, ["webhooks", application, token, *rest]:
                if application != str(APPLICATION):
                    raise _Refusal(404, 10015, "Unknown Webhook")
                return self._follow_up(method, token, rest, body, files)
        self.wrong(f"{method} /{'/'.join(path)} is unknown here")
        raise _Refusal(404, 0, "404: Not Found")

    def _read(self, path: str) -> dict[str, Any] | None:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        found: dict[str, dict[str, Any]] = {
            "users/@me": _user(APPLICATION, "azumaya", bot=True),
            "oauth2/applications/@me": _application(),
            "gateway/bot": {
                "url": self.gateway,
                "shards": self.shards,
                "session_start_limit": limit,
            },
        }
        return found.get(path)

    # --- interactions ---------------------------------------------------------------------

    def _callback(self, token: str, body: Any, files: dict[str, bytes]) -> tuple[int, Any]:
        asked = self._asked.get(token)
        if asked is None or perf_counter() - asked.sent > self.in_time:
            self.wrong("acknowledged too late")
            raise _Refusal(404, 10062, "Unknown interaction")
        if asked.kind:
            raise _Refusal(400, 40060, "Interaction has already been acknowledged.")
        if body["type"] == 7 and asked.message not in self.messages:
            raise _Refusal(404, 10008, "Unknown Message")
        # An update without components is only an acknowledgement.
        is_nod = body["type"] == 7 and "components" not in body["data"]
        asked.acknowledged, asked.kind = perf_counter(), 6 if is_nod else body["type"]
        if body["type"] == 4:
            self._reply(asked, body["data"], files)
        elif body["type"] == 5:
            promise = {"flags": body["data"].get("flags"), "allowed_mentions": {"parse": []}}
            self._reply(asked, promise, {})
            asked.loading = True
        elif body["type"] == 7:
            assert asked.message is not None
            self._edit(self.messages[asked.message], body["data"], files)
        elif body["type"] == 9:
            asked.window = body["data"]
        asked.done.set()
        told: dict[str, Any] = {"id": asked.id, "type": 2 if asked.message is None else 3}
        resource: dict[str, Any] = {"type": body["type"]}
        if asked.replies or asked.message:
            number = asked.replies[0] if asked.replies else asked.message
            told["response_message_id"] = str(number)
            if body["type"] in (4, 7) and number in self.messages:
                resource["message"] = self.messages[number]
        return 200, {"interaction": told, "resource": resource}

    def _follow_up(
        self, method: str, token: str, rest: list[str], body: Any, files: dict[str, bytes]
    ) -> tuple[int, Any]:
        asked = self._asked.get(token)
        if asked is None or not asked.kind:
            self.wrong("a key was used before its interaction was acknowledged")
            raise _Refusal(404, 10015, "Unknown Webhook")
        if method == "POST" and not rest and not asked.loading:
            return 200, self._reply(asked, body, files)
        if not rest or rest[1] == "@original":
            # The first follow-up after a deferred answer edits it, whatever its flags are.
            asked.loading = False
            number = asked.message if asked.kind in (6, 7) else asked.replies[0]
            asked.is_changed |= method == "PATCH" and number == asked.message
        else:
            number = int(rest[1])
            if number not in asked.replies:
                raise _Refusal(404, 10008, "Unknown Message")
        if number not in self.messages:
            raise _Refusal(404, 10008, "Unknown Message")
        if method == "DELETE":
            del self.messages[number]
            return 204, None
        return 200, self._edit(self.messages[number], body, files)

    def _reply(self, asked: Asked, body: Any, files: dict[str, bytes]) -> dict[str, Any]:
        message = self._post(asked.channel, body, files)
        message["interaction_metadata"] = {
            "id": asked.id,
            "type": 2 if asked.message is None else 3,
            "user": _user(asked.user),
            "authorizing_integration_owners": {},
        }
        asked.replies.append(int(message["id"]))
        return message

    # --- messages -------------------------------------------------------------------------

    def _message(self, channel: str, message: str) -> dict[str, Any]:
        found = self.messages.get(int(message))
        if found is None or found["channel_id"] != channel:
            raise _Refusal(404, 10008, "Unknown Message")
        return found

    def _post(self, channel: int, body: Any, files: dict[str, bytes]) -> dict[str, Any]:
        if nonce := body.get("nonce"):
            if not body.get("enforce_nonce"):
                self.wrong("a nonce that is not enforced")
            if known := self._nonces.get((channel, nonce)):
                return self.messages[known]
        message: dict[str, Any] = {
            "id": str(next(self._ids)),
            "channel_id": str(channel),
            "author": _user(APPLICATION, "azumaya", bot=True),
            "content": body.get("content") or "",
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "type": 0,
            "flags": body.get("flags") or 0,
            "components": [],
        }
        self._edit(message, body, files)
        self.messages[int(message["id"])] = message
        if nonce:
            self._nonces[channel, nonce] = int(message["id"])
        return message

    def _edit(self, message: dict[str, Any], body: Any, files: dict[str, bytes]) -> dict[str, Any]:
        message["flags"] |= (body.get("flags") or 0) & _COMPONENTS_V2
        if "allowed_mentions" not in body or body["allowed_mentions"].get("parse"):
            self.wrong(f"mentions are not restricted: {str(body)[:200]}")
        if "attachments" in body:
            message["attachments"] = [
                {
                    "id": str(next(self._ids)),
                    "filename": one["filename"],
                    "description": one.get("description"),
                    "size": len(files[f"files[{one['id']}]"]),
                    "url": f"https://cdn.invalid/{one['filename']}",
                    "proxy_url": f"https://cdn.invalid/{one['filename']}",
                }
                for one in body["attachments"]
            ]
            sent = {one["filename"]: files[f"files[{one['id']}]"] for one in body["attachments"]}
            self._check_files(sent, body)
        if "components" in body:
            self._check_components(body, {one["filename"] for one in message["attachments"]})
            sizes = {one["filename"]: one["size"] for one in message["attachments"]}
            message["components"] = _resolved(body["components"], sizes)
        return message

    def _check_files(self, sent: dict[str, bytes], body: Any) -> None:
        """Check that components show all files, and that galleries only have pictures.

        Raises Discord's answer to too many or too large files.
        """
        if any(len(data) > _LONGEST_FILE for data in sent.values()):
            raise _Refusal(413, 40005, "Request entity too large")
        if len(sent) > _MOST_FILES:
            raise _Refusal(400, 50035, "Invalid Form Body")
        every = list(_walk(body.get("components", [])))
        pictures = {_file(item["media"]) for one in every for item in one.get("items", [])}
        shown = pictures | {_file(one["file"]) for one in every if one["type"] == _FILE}
        for name, data in sent.items():
            if name in pictures and not data.startswith(_PICTURES):
                self.wrong(f"{name} is no picture")
            if (body.get("flags") or 0) & _COMPONENTS_V2 and name not in shown:
                self.wrong(f"{name} is sent, and nothing shows it")

    def _check_components(self, body: Any, files: set[str]) -> None:
        every = list(_walk(body["components"]))
        ids = [one["custom_id"] for one in every if "custom_id" in one]
        text = sum(len(one["content"]) for one in every if one["type"] == 10)
        if not body["components"]:
            return
        if not (body.get("flags") or 0) & _COMPONENTS_V2:
            self.wrong("components without the flag of the second version")
        if body.get("content") or body.get("embeds"):
            self.wrong("components and content")
        if len(every) > 40 or text > 4000 or len(set(ids)) < len(ids):
            self.wrong(f"{len(every)} components, {text} characters, ids {ids}")
        for one in every:
            self._check_component(one, files)

    def _check_component(self, one: dict[str, Any], files: set[str]) -> None:
        if len(one.get("custom_id", "")) > 100 or len(one.get("label") or "") > 80:
            self.wrong(f"too long: {one}")
        if one["type"] == 1 and len(one["components"]) > 5:
            self.wrong("more than five buttons in a row")
        if one["type"] == 3 and not 1 <= len(one["options"]) <= 25:
            self.wrong("a select with no options, or too many")
        if one["type"] == _FILE and _file(one["file"]) not in files:
            self.wrong(f"{one['file']} is not among the files {files}")
        for item in one.get("items", []):
            if _file(item["media"]) not in files:
                self.wrong(f"{item['media']} is not among the files {files}")
            if len(item.get("description") or "") > 1024:
                self.wrong("alt text too long")


class _Refusal(Exception):
    def __init__(self, status: int, code: int, text: str) -> None:
        super().__init__(status, code, text)
        self.status, self.code, self.text = status, code, text


def _json(data: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    # Without a charset, as discord.py requires.
    return web.Response(
        body=json.dumps(data).encode(),
        status=status,
        headers=headers,
        content_type="application/json",
    )


def _error(status: int, code: int, text: str) -> web.Response:
    return _json({"code": code, "message": text}, status=status)


def _walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in components:
        yield one
        yield from _walk(one.get("components", []))


def _file(media: dict[str, Any]) -> str:
    """Return the name of the file that a component shows."""
    return str(media["url"]).removeprefix("attachment://")


def _resolved(components: list[dict[str, Any]], sizes: dict[str, int]) -> list[dict[str, Any]]:
    """Return components as Discord does, with ids and file URLs."""
    number = count(1)

    def resolved(one: dict[str, Any]) -> dict[str, Any]:
        made = {**one, "id": next(number)}
        if "components" in one:
            made["components"] = [resolved(child) for child in one["components"]]
        if "items" in one:
            media = {"url": "https://cdn.invalid/board.png", "proxy_url": "https://cdn.invalid/b"}
            made["items"] = [{**item, "media": media} for item in one["items"]]
        if one["type"] == _FILE:
            name = _file(one["file"])
            url = f"https://cdn.invalid/{name}"
            made |= {"file": {"url": url, "proxy_url": url, "id": str(next(number))}}
            made |= {"name": name, "size": sizes.get(name), "spoiler": False}
        return made

    return [resolved(one) for one in components]


def _user(number: int, name: str = "", *, bot: bool = False) -> dict[str, Any]:
    return {
        "id": str(number),
        "username": name or f"person{number}",
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
        "bot": bot,
    }


def _member(number: int, *, with_user: bool = True) -> dict[str, Any]:
    member: dict[str, Any] = {
        "roles": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": _ALL_PERMISSIONS,
    }
    return member | ({"user": _user(number)} if with_user else {})


def _channel(number: int = CHANNEL, guild: str = str(GUILD)) -> dict[str, Any]:
    return {
        "id": str(number),
        "type": 0,
        "guild_id": guild,
        "name": "lounge",
        "position": 0,
        "permission_overwrites": [],
        "permissions": _ALL_PERMISSIONS,
    }


def _guild() -> dict[str, Any]:
    role = {
        "id": str(GUILD),
        "name": "@everyone",
        "permissions": _ALL_PERMISSIONS,
        "position": 0,
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
    }
    return {
        "id": str(GUILD),
        "name": "Garden",
        "owner_id": "1",
        "roles": [role],
        "emojis": [],
        "features": [],
        "channels": [_channel()],
        "members": [_member(APPLICATION)],
        "threads": [],
        "member_count": 3,
        "preferred_locale": "en-US",
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "unavailable": False,
    }


def _application() -> dict[str, Any]:
    return {
        "id": str(APPLICATION),
        "name": "azumaya",
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": _user(1),
        "team": None,
    }
