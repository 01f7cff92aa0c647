"""Where the platforms' own descriptions are, by which the stand-ins check every call."""

import os
from pathlib import Path

from tests.bot.fronts.discord.openapi import is_there
from tests.bot.fronts.telegram.spec import Spec
from tools.attack.process import ROOT

__all__ = ["discord_spec", "telegram_spec"]


def telegram_spec() -> Spec | None:
    """The description of the Bot API, where it is at hand."""
    shared = ROOT / os.environ.get("AZUMAYA_SHARED", str(Path("..", "shared")))
    path = shared / "specs" / "telegram-bot-api.json"
    return Spec(path.read_text("utf-8")) if path.exists() else None


def discord_spec() -> bool:
    """Is Discord's at hand?"""
    return is_there()
