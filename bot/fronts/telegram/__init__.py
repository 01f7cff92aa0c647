"""The Telegram front."""

import asyncio
import logging
import re
from pathlib import Path
from typing import Annotated

import click
from pydantic import Field, SecretStr

from bot.fronts.base import Registration
from bot.support import setting_types as types
from bot.support.platforms import Medium, Shard, SoloPlace
from bot.support.settings import ChatSettings, Settings, load


class TelegramSettings(ChatSettings):
    """Telegram, used if a token is set."""

    token: Annotated[SecretStr, types.like(r"([0-9]{1,20}:[A-Za-z0-9_-]{30,64})?")] = Field(
        default=SecretStr(""), description="a token from BotFather, or empty"
    )
    api_base: str = types.server("https://api.telegram.org")
    """Telegram's own, or another Bot API server."""
    webhook_url: str = types.text(
        r"^(https?://[^\s/?#]+(/[^\s?#]*)?)?$",
        "an address like https://play.example.org/telegram, or empty",
    )
    """Telegram delivers updates here. Empty: long polling."""
    webhook_host: str = types.host("127.0.0.1")
    webhook_port: types.Whole = Field(default=8461, ge=0, le=65535)
    webhook_path: str = types.text(
        r"^/[A-Za-z0-9._~/-]{0,127}$", "a path like /telegram", "/telegram"
    )
    webhook_secret: Annotated[SecretStr, types.like(r"[A-Za-z0-9_-]{0,256}")] = Field(
        default=SecretStr(""), description="up to 256 characters from A-Z, a-z, 0-9, _ and -"
    )
    """Derived from the token if empty."""
    max_connections: types.Whole = Field(default=40, ge=1, le=100)

    @property
    def shards(self) -> tuple[Shard, ...]:
        return (Shard(FRONT.name),)


def _ask(settings: Settings) -> str:
    from bot.fronts.telegram.setup import user_name  # noqa: PLC0415 - slow

    return f"@{asyncio.run(user_name(settings.of(TelegramSettings)))}"


@click.command("setup")
@click.pass_obj
def _set_up(config: Path | None) -> None:
    """Register the bot's commands, descriptions and picture."""
    settings = load(config).of(TelegramSettings)
    if settings.missing:
        raise click.ClickException("telegram.token is not set. Get a token from @BotFather")
    from bot.fronts.telegram.setup import SetupError, set_up  # noqa: PLC0415 - slow

    try:
        name = asyncio.run(set_up(settings))
    except SetupError as error:
        raise click.ClickException(f"Telegram: {error}") from None
    click.echo(f"The bot is ready: https://t.me/{name}")


FRONT = Registration(
    Medium(
        "telegram",
        typed=re.compile(r"[a-z][a-z0-9_]*"),
        usernames=r"(?i)(?!\w*bot$)[a-z][a-z0-9_]{3,31}",  # other than those of bots
        solo=SoloPlace.PRIVATE,
        boards_call=True,
        calls_in_boards=True,
        answers_stay=True,
        has_inbox=True,
        has_topics=True,
        has_pad=True,
        is_invited=True,
        shows_in_private=False,
        most_bytes=50_000_000,
    ),
    "bot.fronts.telegram.front:Telegram",
    section=TelegramSettings,
    # URLs with the bot's token, and private messages.
    libraries=dict.fromkeys(["telegram", "httpcore", "httpx"], logging.WARNING),
    check_token=_ask,
    commands=[_set_up],
)
