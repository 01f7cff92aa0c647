"""What Telegram is told about the bot: its commands, what it is, what it looks like."""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from hashlib import sha256

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

from bot import logs
from bot.commands import CommandSpec, table
from bot.commands.vocabulary import command_shown
from bot.fronts.telegram.reasons import reason_of
from bot.fronts.telegram.receiver import Failed, Unread, UntouchedUpdates
from bot.fronts.telegram.sender import PLATFORM
from bot.settings import TelegramSettings
from bot.store import Store, key_values
from bot.texts import LANGUAGES, Texts
from renderers.emblem import emblem

__all__ = [
    "SetupError",
    "note_commands",
    "open_bot",
    "renew_commands",
    "set_commands",
    "set_up",
    "user_name",
]

_DEFAULT = "en"
_ANSWER_SECONDS = 20.0
_CONNECTIONS = 64
_POLL_MARGIN = 10.0
"""How much longer than agreed we wait for updates."""
_PRIVATE_ONLY = {"settings"}
"""What is of no use to a whole group; typed there, it works all the same."""


_Lists = Iterator[tuple[BotCommandScope, str | None, list[BotCommand]]]
"""Commands, for whom and in which language."""


async def set_commands(bot: Bot) -> None:
    """Register the commands, for private chats, groups and their administrators, by language."""
    for scope, language, commands in _lists():
        await bot.set_my_commands(commands, scope=scope, language_code=language)


async def renew_commands(bot: Bot, store: Store) -> None:
    """Register the commands if this bot has others, as far as we know."""
    if await key_values.recall(store, PLATFORM, _key(bot.id)) != _mark():
        await set_commands(bot)
        await note_commands(bot.id, store)


async def note_commands(bot_id: int, store: Store) -> None:
    """Remember that a bot has the commands of today."""
    await key_values.remember(store, PLATFORM, _key(bot_id), _mark())


def _key(bot_id: int) -> str:
    return f"commands.{bot_id}"


def _mark() -> str:
    """What is remembered of the commands of today."""
    told = [
        [scope.type, language, *(command.to_dict() for command in commands)]
        for scope, language, commands in _lists()
    ]
    return sha256(json.dumps(told).encode()).hexdigest()


def _lists() -> _Lists:
    everything = table()
    scopes: tuple[tuple[BotCommandScope, Iterable[CommandSpec]], ...] = (
        (
            BotCommandScopeAllPrivateChats(),
            [spec for spec in everything if not spec.can_manage],
        ),
        (
            BotCommandScopeAllGroupChats(),
            [spec for spec in everything if not spec.can_manage and spec.name not in _PRIVATE_ONLY],
        ),
        (
            BotCommandScopeAllChatAdministrators(),
            [spec for spec in everything if spec.name not in _PRIVATE_ONLY],
        ),
    )
    for scope, specs in scopes:
        for language in LANGUAGES:
            texts = Texts(language)
            commands = [
                BotCommand(command_shown(spec.name, texts, PLATFORM), _about(spec, texts))
                for spec in specs
            ]
            yield scope, _code(language), commands


def _about(spec: CommandSpec, texts: Texts) -> str:
    return texts(spec.about)[:256]


def _code(language: str) -> str | None:
    """The default texts are for everybody whose language we do not speak."""
    return None if language == _DEFAULT else language


def open_bot(settings: TelegramSettings, *, failed: Failed = lambda _: None) -> Bot:
    """The bot of the settings, not yet connected; its token is kept out of all logs.

    `failed` is told of requests that Telegram answers with an error: of the HTTP status, or None
    where it does not answer.
    """
    token = settings.token.get_secret_value()
    logs.register_secret(token)
    return Bot(
        token,
        base_url=f"{settings.api_base}/bot",
        base_file_url=f"{settings.api_base}/file/bot",
        request=Unread(
            failed,
            connection_pool_size=_CONNECTIONS,
            read_timeout=_ANSWER_SECONDS,
            pool_timeout=_ANSWER_SECONDS,
        ),
        get_updates_request=UntouchedUpdates(
            failed, connection_pool_size=2, read_timeout=_POLL_MARGIN
        ),
    )


class SetupError(Exception):
    """What Telegram has against it, in a line."""


async def set_up(settings: TelegramSettings) -> str:
    """Check the token and tell Telegram everything; gives the bot's user name.

    Raises `SetupError`.
    """
    return await _with_bot(settings, _tell)


async def user_name(settings: TelegramSettings) -> str:
    """Check the token and tell Telegram nothing; gives the bot's user name.

    Raises `SetupError`.
    """

    async def say_nothing(_: Bot) -> None:
        """To be known is enough."""

    return await _with_bot(settings, say_nothing)


async def _with_bot(settings: TelegramSettings, act: Callable[[Bot], Awaitable[None]]) -> str:
    bot = open_bot(settings)
    try:
        async with bot:
            await act(bot)
            return bot.username
    except InvalidToken:
        # The library's own words have the token in them.
        raise SetupError("the token is refused; copy it from BotFather once more") from None
    except TelegramError as error:
        raise SetupError(reason_of(error)) from None


async def _tell(bot: Bot) -> None:
    await set_commands(bot)
    for language in LANGUAGES:
        texts, code = Texts(language), _code(language)
        await bot.set_my_description(texts("telegram-description"), language_code=code)
        await bot.set_my_short_description(texts("telegram-short-description"), language_code=code)
    await bot.set_my_profile_photo(InputProfilePhotoStatic(emblem(640)))
