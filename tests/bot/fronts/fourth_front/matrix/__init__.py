"""A fourth front, made up. With one line in `bot/fronts/__init__.py`, the program knows it."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import click
from pydantic import Field, SecretStr

from bot.fronts.base import Registration
from bot.support import setting_types as types
from bot.support.platforms import Medium
from bot.support.settings import ChatSettings, Settings, load
from bot.support.texts import Texts

_Token = Annotated[SecretStr, Field(max_length=32, description="an access token, or empty")]


class MatrixSettings(ChatSettings):
    token: _Token = SecretStr("")
    server: str = types.server("https://matrix.org")


def _ask(settings: Settings) -> str:
    return f"@azumaya on {settings.of(MatrixSettings).server}"


def _check(settings: Settings) -> Iterator[str]:
    if settings.of(MatrixSettings).server.startswith("http:"):
        yield "· Matrix is not encrypted."


@click.command("join")
@click.argument("room")
@click.pass_obj
def _join(config: Path | None, room: str) -> None:
    settings = load(config)
    server = settings.of(MatrixSettings).server
    click.echo(Texts(settings.language)("matrix-joined", room=f"{room} on {server}"))


FRONT = Registration(
    Medium("matrix", boards_call=True),
    f"{__name__}.front:Matrix",
    section=MatrixSettings,
    libraries={"nio": logging.WARNING},
    check_token=_ask,
    checks={"the encryption": _check},
    commands=[_join],
)
