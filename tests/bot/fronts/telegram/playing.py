"""Play whole matches with buttons, using only what the chats show."""

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from random import Random
from urllib.parse import unquote

from bot.app import App
from bot.domain.model import Status
from bot.matches import MatchState, reading
from tests.bot.fronts.telegram.server import BotApi, Chat, Message, Person, Query

ANNA_MAY_BEGIN = "Anna: Ben accepted your challenge: Othello, game 1. Your turn."
BEN_IS_CALLED = "Ben: Your turn: Othello, game 1."
"""The notices of a first match, in the language of the group."""

_MANY = 30
"""Moves after which a player who may guess does so."""


def tokens(message: Message, verb: str, *, loud: bool = False) -> list[str]:
    """Return the data of all buttons that do `verb`; if `loud`, of those that may be chosen."""
    return [
        button["callback_data"]
        for row in message.get("reply_markup", {}).get("inline_keyboard", [])
        for button in row
        if button.get("callback_data", "").startswith(verb if ":" in verb else f"{verb}:")
        and (not loud or not verb.startswith("step") or _may_be_chosen(button))
    ]


def _may_be_chosen(button: Mapping[str, str]) -> bool:
    """True for a key in the colour of legal moves, and for a button below the board."""
    return button.get("style") == "primary" or button["text"][0].isupper()


def word_in(link: str, verb: str) -> str:
    """Return the parameter of the link that opens the private chat."""
    found = re.search(r"start=([A-Za-z0-9_-]+)$", unquote(link))
    assert found, link
    assert found[1].startswith(f"{verb}-"), link
    return found[1]


def handed_on(message: Message) -> str:
    """Return the parameter of the link that shares the challenge in this message."""
    (url,) = [
        button["url"]
        for row in message["reply_markup"]["inline_keyboard"]
        for button in row
        if "url" in button
    ]
    return word_in(url, "join")


def rests(message: Message, said: str) -> list[str]:
    """Return the data of the keys with which a move can end, of which one was `said`."""
    named = re.findall(r"\d+", said.rpartition(":")[2])
    return [token for token in tokens(message, "rest") if token.rpartition(":")[2] in named]


async def play_out(
    app: App,
    api: BotApi,
    match_id: int,
    *,
    people: Mapping[str, Person],
    chats: tuple[Chat, ...],
    rng: Random,
) -> MatchState:
    """Play a match to its end; `people` by name, `chats` where everyone sees it."""
    count = 0
    while (loaded := await reading.get(app.matches, match_id)).match.status is Status.RUNNING:
        seats = sorted(loaded.position.turn - set(loaded.match.computer_seats))
        if not seats:
            # A computer moves by itself.
            await _until_after(app, match_id, loaded.match.version)
            continue
        seat = rng.choice(seats)
        names = await app.names.of(loaded.match.people)
        user = loaded.match.user_at(seat)
        assert user is not None
        person = people[names[user]]
        await _move(app, api, loaded, person, chats=chats, rng=rng, guess=count > _MANY)
        count += 1
    return loaded


async def _until_after(app: App, match_id: int, version: int) -> None:
    """Wait until a match has changed."""
    async with asyncio.timeout(60):
        with app.changed.listening() as changed:
            while (await reading.get(app.matches, match_id)).match.version <= version:
                await changed.pause(60)


async def _move(
    app: App,
    api: BotApi,
    loaded: MatchState,
    person: Person,
    *,
    chats: tuple[Chat, ...],
    rng: Random,
    guess: bool,
) -> None:
    match, version = loaded.match.id, loaded.match.version
    mark = f"step:{match}:{version}:"
    chosen = ""
    while True:
        await _find(api, (person.private, *chats), f"{mark}{chosen}", person)
        chat, message = _shown((person.private, *chats), f"{mark}{chosen}")[0]
        steps = [
            token for token in tokens(message, "step", loud=True) if token.startswith(mark + chosen)
        ]
        if guess and f"{mark}guess" in steps:
            steps = [f"{mark}guess"]
        token = rng.choice([step for step in steps if step != f"{mark}guess"] or steps)
        query = person.sends(chat, message, token)
        await api.until(query.answered.is_set)
        assert not query.alert, (token, query.text)
        if (await reading.get(app.matches, match)).match.version > version:
            return
        if ends := rests(message, query.text):
            end = person.sends(chat, message, rng.choice(ends))
            await api.until(end.answered.is_set)
            assert (await reading.get(app.matches, match)).match.version > version, end.text
            return
        longer = f"{token}."
        said = await api.until(partial(_asked_on, chat, f"sure:{match}:{version}", longer))
        if sure := tokens(said[-1], "sure"):
            doubt = person.sends(chat, said[-1], sure[0])
            await api.until(doubt.answered.is_set)
            assert (await reading.get(app.matches, match)).match.version > version
            return
        chosen = longer.removeprefix(mark)


def _asked_on(chat: Chat, sure: str, longer: str) -> list[Message]:
    """Return the messages that ask for confirmation or for the next step."""
    return [
        message
        for message in chat.messages.values()
        if tokens(message, sure)
        or any(token.startswith(longer) for token in tokens(message, "step"))
    ]


async def _find(api: BotApi, chats: tuple[Chat, ...], mark: str, person: Person) -> None:
    """Wait for the current match; open the private chat if it is played there."""
    match, version = mark.split(":")[1:3]
    private = f"private:{match}:{version}:"
    await api.until(lambda: _shown(chats, mark) or _shown(chats, private))
    if not _shown(chats, mark):
        chat, message = _shown(chats, private)[0]
        await _open(api, person, person.sends(chat, message, private))
        await api.until(lambda: _shown(chats, mark))


def _shown(chats: tuple[Chat, ...], mark: str) -> list[tuple[Chat, Message]]:
    """Return the messages with loud buttons that begin like this."""
    verb = mark.split(":", maxsplit=1)[0]
    return [
        (chat, message)
        for chat in chats
        for message in chat.messages.values()
        if any(token.startswith(mark) for token in tokens(message, verb, loud=True))
    ]


async def _open(api: BotApi, person: Person, query: Query) -> None:
    """Follow the link into the private chat, if there is one."""
    await api.until(query.answered.is_set)
    if query.url:
        link = re.search(r"start=([A-Za-z0-9_-]+)$", query.url)
        assert link, query.url
        person.starts(link[1])
