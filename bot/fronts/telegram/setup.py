"""What Telegram is told about the bot: its commands, what it is, what it looks like."""

from collections.abc import Iterable

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    InputProfilePhotoStatic,
)

from bot.commands import Spec, table
from bot.texts import LANGUAGES, Texts
from renderers.emblem import emblem

__all__ = ["set_commands", "set_up"]

_DEFAULT = "en"
_PRIVATE_ONLY = {"settings"}
"""What is of no use to a whole group; typed there, it works all the same."""


async def set_commands(bot: Bot) -> None:
    """Register the commands, for private chats, groups and their administrators, by language."""
    everything = table()
    scopes: tuple[tuple[BotCommandScope, Iterable[Spec]], ...] = (
        (
            BotCommandScopeAllPrivateChats(),
            [spec for spec in everything if not spec.steward],
        ),
        (
            BotCommandScopeAllGroupChats(),
            [spec for spec in everything if not spec.steward and spec.name not in _PRIVATE_ONLY],
        ),
        (
            BotCommandScopeAllChatAdministrators(),
            [spec for spec in everything if spec.name not in _PRIVATE_ONLY],
        ),
    )
    for scope, specs in scopes:
        for language in LANGUAGES:
            texts = Texts(language)
            commands = [BotCommand(spec.name, _about(spec, texts)) for spec in specs]
            await bot.set_my_commands(commands, scope=scope, language_code=_code(language))


def _about(spec: Spec, texts: Texts) -> str:
    return texts(f"{spec.game}-about" if spec.game else f"help-{spec.name}")[:256]


def _code(language: str) -> str | None:
    """The default texts are for everybody whose language we do not speak."""
    return None if language == _DEFAULT else language


async def set_up(bot: Bot) -> str:
    """Check the token and tell Telegram everything; gives the bot's user name."""
    async with bot:
        await set_commands(bot)
        for language in LANGUAGES:
            texts, code = Texts(language), _code(language)
            await bot.set_my_description(texts("telegram-description"), language_code=code)
            await bot.set_my_short_description(
                texts("telegram-short-description"), language_code=code
            )
        await bot.set_my_profile_photo(InputProfilePhotoStatic(emblem(640)))
        return bot.username
