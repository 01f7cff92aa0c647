"""The Discord front."""

import asyncio
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

import click
from pydantic import Field, SecretStr

from bot.fronts.base import Registration
from bot.support import setting_types as types
from bot.support.platforms import Medium, Shard, SoloPlace
from bot.support.settings import ChatSettings, Settings, load


class DiscordSettings(ChatSettings):
    """Discord, used if a token is set."""

    # Discord promises no more than three parts.
    token: Annotated[SecretStr, types.like(r"([\w-]+\.[\w-]+\.[\w-]+)?")] = Field(
        default=SecretStr(""),
        description="a bot token from the developer portal, with three parts separated by dots, "
        "or empty",
    )
    development_guild: types.Whole = Field(default=0, ge=0, le=2**63 - 1)
    """If set, commands are registered only in this guild, where they appear at once."""
    shard_count: types.Whole = Field(default=0, ge=0, le=10_000)
    """0: the number that Discord recommends."""
    shard_ids: types.Several[Annotated[types.Whole, Field(ge=0, le=9999)]] = Field(
        default=(), max_length=10_000, description="whole numbers below shard_count"
    )
    """The shards of this process. Empty: all."""
    api_base: str = types.server("https://discord.com/api/v10")
    gateway: str = types.text(
        r"^(wss?://[!-~]+)?$",
        'an address that starts with wss:// or ws://, or "" for Discord\'s own',
    )
    """For tests and compatible servers, as is `api_base`."""

    @property
    def shards(self) -> tuple[Shard, ...]:
        count = self.shard_count or 1
        numbers = (self.shard_ids if self.shard_count else ()) or range(count)
        return tuple(Shard(FRONT.name, number, count) for number in numbers)

    def contradictions(self) -> Iterator[str]:
        count, ids = self.shard_count, self.shard_ids
        if ids and not count:
            yield "discord.shard_ids is set, but discord.shard_count is not"
        elif beyond := [number for number in ids if number >= count]:
            yield (
                f"discord.shard_ids contains {beyond[0]}, but discord.shard_count is {count}; "
                f"allowed: whole numbers from 0 to {count - 1}"
            )


def _ask(settings: Settings) -> str:
    from bot.fronts.discord.client import invitation  # noqa: PLC0415 - slow

    server, _ = asyncio.run(invitation(settings.of(DiscordSettings)))
    return f"the application {parse_qs(urlsplit(server).query)['client_id'][0]}"


@click.command("invite")
@click.pass_obj
def _invite(config: Path | None) -> None:
    """Print the links that add the bot to a server or to your account."""
    from bot.fronts.discord.client import invitation  # noqa: PLC0415 - slow

    server, person = asyncio.run(invitation(load(config).of(DiscordSettings)))
    click.echo(f"For a server:  {server}\nFor yourself:  {person}")


FRONT = Registration(
    Medium(
        "discord",
        theme="dark",
        typed=re.compile(r"(?!)"),  # Commands are registered, so none can be renamed here.
        solo=SoloPlace.ASK,
        calls_in_boards=True,
        repeats=False,
        has_topics=True,
        opens_threads=True,
        has_fields=True,
        has_forms=True,
        picks_users=True,
        most_bytes=10 * 1024 * 1024,  # per file, without server boosts
    ),
    "bot.fronts.discord.front:Discord",
    section=DiscordSettings,
    # Bodies of requests, and URLs with interaction keys, are logged below.
    libraries={"discord": logging.INFO},
    needs_shards=True,
    check_token=_ask,
    commands=[_invite],
)
