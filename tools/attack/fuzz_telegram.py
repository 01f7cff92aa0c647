"""Forged deliveries to Telegram's webhook, forged buttons, and lines that nobody would type.

Only who knows the secret is heard; whatever is delivered, nothing of ours breaks, every press is
answered, every line in a private chat gets something back, and the strict server finds no fault
with what the bot sends.
"""

import asyncio
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.bot.fronts.telegram.server import TOKEN, Person
from tests.ports import free_port
from tools.attack import inputs
from tools.attack.fuzz_http import ask_raw
from tools.attack.fuzz_web import afterwards, apology
from tools.attack.play_telegram import Api
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.standins import telegram_spec
from tools.attack.story import within
from tools.attack.victims import lay

__all__ = ["fuzz_telegram"]

_PEOPLE = 10
_SHORT = 8
"""Rounds of each person in the short form: a few presses, a line, a delivery."""
_PRESSES = 4
_PATIENCE = 20.0
_SECOND = 0.05
"""How long Telegram's seconds are here: a chat takes but one message in each."""
_SECRET = "SECRETwebhookSECRETwebhook"


async def fuzz_telegram(scene: Scene) -> None:
    """The whole attack; see the module."""
    api, port = Api(telegram_spec(), second=_SECOND / 2), free_port()
    await api.start()
    app = App(
        scene.folder,
        {
            "TELEGRAM__TOKEN": TOKEN,
            "TELEGRAM__API_BASE": api.base,
            "TELEGRAM__WEBHOOK_URL": f"http://127.0.0.1:{port}/telegram",
            "TELEGRAM__WEBHOOK_PORT": str(port),
            "TELEGRAM__WEBHOOK_SECRET": _SECRET,
        },
        second=_SECOND,
    )
    victims = await lay(app.database, scene.luck("victims"))
    for user in (9_000_001, 9_000_002):
        api.person(user, "Victim").private.closed = ""
    api.group(-9000, "Apart")
    before = victims.rows()
    try:
        async with app.running():
            await api.until(lambda: api.webhook, seconds=60)
            await _strangers(scene, port, api)
            forgers = [_Forger(scene, api, port, number) for number in range(_PEOPLE)]
            await asyncio.gather(*(forger.loaded() for forger in forgers))
    finally:
        await api.stop()
    said = [call.given for call in api.calls if apology(call.given)]
    scene.report.all_broken("nothing goes wrong on our side", said)
    scene.report.all_broken("Telegram's rules are kept", api.problems)
    afterwards(scene, app, victims, before, [TOKEN.partition(":")[2], _SECRET])


def _delivery(update: Any, secret: bytes | None) -> bytes:
    body = update if isinstance(update, bytes) else json.dumps(update).encode("utf-8", "replace")
    lines = [b"POST /telegram HTTP/1.1", b"Host: x", b"Connection: close"]
    lines.append(b"Content-Length: %d" % len(body))
    if secret is not None:
        lines.append(b"X-Telegram-Bot-Api-Secret-Token: " + secret)
    return b"\r\n".join([*lines, b"", b""]) + body


async def _strangers(scene: Scene, port: int, api: Api) -> None:
    """Who does not know the secret is not heard, whatever they bring instead of it."""
    stranger = api.person(666, "Stranger")
    message = api.message(stranger.private, sender=stranger.plain, text="/othello new")
    known = _SECRET.encode()
    for secret in (
        *(
            None,
            b"",
            b"wrong",
            known[:-1],
            known + b"x",
            known.lower(),
            b"\xff\xfe\x80",
            b"\xc3\xa4",
        ),
        *("ß".encode(), b"\x80" * 300, known + b"\xe9", b"0", TOKEN.encode()[:10]),
    ):
        status = await ask_raw(port, _delivery({"update_id": 1, "message": message}, secret))
        scene.report.count("deliveries without the secret")
        scene.report.check(
            status in (0, 400, 401, 403),
            "who does not know the secret is refused",
            f"{secret!r}: {status}",
        )
    heard = [call for call in api.calls if str(call.given.get("chat_id")) == "666"]
    scene.report.check(not heard, "who does not know the secret is not heard", heard)


class _Forger:
    """Somebody whose client sends what no client of Telegram's would."""

    def __init__(self, scene: Scene, api: Api, port: int, number: int) -> None:
        self.scene, self.api, self.port, self.report = scene, api, port, scene.report
        self.luck = scene.luck("forger", number)
        self.person: Person = api.person(100 + number, inputs.name(self.luck)[:64] or "?")
        self.number = number
        self.updates = 0

    async def loaded(self) -> None:
        self.person.starts()
        await self._until(lambda: self.api.texts(self.person.private), "/start")
        for _ in self.scene.rounds(_SHORT):
            for _ in range(_PRESSES):
                await self._press()
            await self._type()
            await self._deliver()
        # After all that they are served as anybody is.
        await self._typed("/help")

    async def _until(self, holds: Any, what: str) -> None:
        try:
            await self.api.until(holds, seconds=within(_PATIENCE))
        except AssertionError:
            self.report.broken("everything is answered", f"forger {self.number}: {what!r:.300}")

    async def _press(self) -> None:
        chat, data = self.person.private, inputs.token(self.luck)
        message = self.luck.choice(list(chat.messages.values()))
        query = self.person.sends(chat, message, data)
        self.report.count("buttons pressed")
        await self._until(query.answered.is_set, data)

    async def _type(self) -> None:
        text = inputs.line(self.luck).replace("\0", "") or "?"
        if self.luck.random() < 0.2:
            text = f"/start {inputs.argument(self.luck)}"
        await self._typed(text[:4096] if text.strip() else "?")

    async def _typed(self, text: str) -> None:
        if text.startswith("/") and "@" in text.split(maxsplit=1)[0]:
            # That is another bot's business, and is left alone.
            return
        calls = len(self.api.calls)
        self.person.says(self.person.private, text)
        self.report.count("lines typed")

        def answered() -> bool:
            number = str(self.person.id)
            return any(call.given.get("chat_id") == number for call in self.api.calls[calls:])

        await self._until(answered, text)

    async def _deliver(self) -> None:
        """An update with something wrong in it, from one who knows the secret."""
        self.updates += 1
        number = 10_000_000 + 100_000 * self.number + self.updates
        update = {"update_id": number, **next(_updates(self.luck, self.person))}
        body: Any = update
        if self.luck.random() < 0.2:
            body = inputs.mutated(json.dumps(update), self.luck).encode("utf-8", "replace")
        status = await ask_raw(self.port, _delivery(body, _SECRET.encode()))
        self.report.count("updates spoilt")
        self.report.check(
            0 <= status < 500, "nothing goes wrong on our side", f"{status} to {body!r:.600}"
        )


def _updates(luck: Random, person: Person) -> Iterator[dict[str, Any]]:
    """What Telegram might deliver one day, and what it never will."""
    wrong: tuple[Any, ...] = (None, "", 0, -1, 10**30, [], {}, "1", True, {"id": 1})
    message: dict[str, Any] = {
        "message_id": luck.choice((1, 10**9, -5)),
        "date": luck.choice((0, 1, 2**40)),
        "chat": person.private.plain,
        "from": person.plain,
        "text": inputs.line(luck),
    }
    if luck.random() < 0.5:
        kind, at, length = "text_mention", luck.randrange(-5, 50), luck.randrange(-5, 50)
        message["entities"] = [{"type": kind, "offset": at, "length": length, "user": person.plain}]
    query = {"id": "none", "from": person.plain, "chat_instance": "1", "data": inputs.token(luck)}
    while True:
        kind = luck.choice(
            ("message", "edited_message", "channel_post", "callback_query", "my_chat_member", "odd")
        )
        content: Any = dict(message if "query" not in kind else query)
        for _ in range(luck.randrange(3)):
            # Numbers that the bot has to give back are Telegram's business.
            key = luck.choice(sorted(set(content) - {"id", "message_id"}))
            content[key] = luck.choice(wrong)
        if luck.random() < 0.1:
            content = luck.choice(wrong)
        yield {kind: content}
