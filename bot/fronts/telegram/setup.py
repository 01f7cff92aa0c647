"""The connection to Telegram, and the bot's commands and profile."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    InputProfilePhotoStatic,
)
from telegram.error import InvalidToken, TelegramError

from bot.app import App
from bot.commands import CommandSpec, table
from bot.commands.vocabulary import command_shown
from bot.fronts.telegram import TelegramSettings
from bot.fronts.telegram.requests import Failed, Request
from bot.fronts.telegram.sender import PLATFORM, reason_of
from bot.support import logs
from bot.support.texts import LANGUAGES, Texts

EMBLEM = Path(__file__).with_name("emblem.jpg")
"""An azumaya (a roof on posts) in front of the sun, with two discs. The circle shows all of it."""
_DEFAULT = "en"
_ANSWER_SECONDS = 20.0
_CONNECTIONS = 64
_POLL_MARGIN = 10.0
"""Seconds to wait for updates beyond the agreed time."""
_PRIVATE_ONLY = {"settings"}
"""Not listed in groups, but it works there."""


_Lists = Iterator[tuple[BotCommandScope, str | None, list[BotCommand]]]


async def set_commands(bot: Bot) -> None:
    """Register the commands for private chats, groups and administrators, by language."""
    for scope, language, commands in _lists():
        await bot.set_my_commands(commands, scope=scope, language_code=language)


async def renew_commands(bot: Bot, app: App) -> None:
    """Register the commands if they have changed."""
    await app.once(PLATFORM, *commands_mark(bot.id), partial(set_commands, bot))


def commands_mark(bot_id: int) -> tuple[str, str]:
    """Return the arguments of `App.once` for the current commands."""
    told = [
        [scope.type, language, *(command.to_dict() for command in commands)]
        for scope, language, commands in _lists()
    ]
    return f"commands.{bot_id}", sha256(json.dumps(told).encode()).hexdigest()


def _lists() -> _Lists:
    everyone = [spec for spec in table() if not spec.can_manage]
    scopes: Mapping[BotCommandScope, Sequence[CommandSpec]] = {
        BotCommandScopeAllPrivateChats(): everyone,
        BotCommandScopeAllGroupChats(): [one for one in everyone if one.name not in _PRIVATE_ONLY],
        BotCommandScopeAllChatAdministrators(): [
            one for one in table() if one.name not in _PRIVATE_ONLY
        ],
    }
    for (scope, specs), language in product(scopes.items(), LANGUAGES):
        texts = Texts(language)
        commands = [
            BotCommand(command_shown(spec.name, texts, PLATFORM), texts(spec.about)[:256])
            for spec in specs
        ]
        yield scope, _code(language), commands


def _code(language: str) -> str | None:
    """Texts without a code are for all languages that we do not speak."""
    return None if language == _DEFAULT else language


def open_bot(settings: TelegramSettings, *, failed: Failed = lambda _: None) -> Bot:
    """Return the bot, not yet connected. Its token is kept out of all logs.

    `failed` receives the HTTP status of each failed request, None without a response.
    """
    token = settings.token.get_secret_value()
    logs.register_secret(token)
    return Bot(
        token,
        base_url=f"{settings.api_base}/bot",
        base_file_url=f"{settings.api_base}/file/bot",
        request=Request(failed, connections=_CONNECTIONS, seconds=_ANSWER_SECONDS),
        get_updates_request=Request(failed, connections=2, seconds=_POLL_MARGIN),
    )


class SetupError(Exception):
    """Setup failed. The text says why."""


@asynccontextmanager
async def _connected(settings: TelegramSettings) -> AsyncIterator[Bot]:
    try:
        async with open_bot(settings) as bot:
            yield bot
    except InvalidToken:
        # The library's message contains the token.
        raise SetupError("the token is refused; copy it from BotFather once more") from None
    except TelegramError as error:
        raise SetupError(logs.without_secrets(reason_of(error))) from None


async def user_name(settings: TelegramSettings) -> str:
    """Check the token, and return the bot's username. Raises `SetupError`."""
    async with _connected(settings) as bot:
        return bot.username


async def set_up(settings: TelegramSettings) -> str:
    """Set up commands and profile, and return the bot's username. Raises `SetupError`."""
    async with _connected(settings) as bot:
        await set_commands(bot)
        for language in LANGUAGES:
            texts, code = Texts(language), _code(language)
            about = texts("telegram-short-description")
            await bot.set_my_description(texts("telegram-description"), language_code=code)
            await bot.set_my_short_description(about, language_code=code)
        await bot.set_my_profile_photo(InputProfilePhotoStatic(EMBLEM.read_bytes()))
        return bot.username
