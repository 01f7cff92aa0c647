"""The fronts that ``azumaya run`` serves, a line each."""

from bot.fronts import discord, telegram, web

__all__ = ["FRONTS"]

FRONTS = (
    web.FRONT,
    discord.FRONT,
    telegram.FRONT,
)
