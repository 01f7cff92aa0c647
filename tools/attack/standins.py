"""The platforms' own descriptions, by which the simulated platforms check every call."""

import os

from tests.bot.fronts.discord.openapi import is_there as discord_spec
from tests.bot.fronts.telegram.spec import Spec
from tools.attack.process import ROOT

__all__ = ["discord_spec", "telegram_spec"]


def telegram_spec() -> Spec | None:
    shared = ROOT / os.environ.get("AZUMAYA_SHARED", "../shared")
    path = shared / "specs" / "telegram-bot-api.json"
    return Spec(path.read_text("utf-8")) if path.exists() else None
