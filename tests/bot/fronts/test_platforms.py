"""What fronts declare about their platforms."""

import pytest

from bot.commands import Medium
from bot.delivery import Channel
from bot.fronts.discord import interactions as discord
from bot.fronts.discord.front import Discord
from bot.fronts.telegram import dispatcher as telegram
from bot.fronts.telegram.front import Telegram
from bot.fronts.web import page_socket as web
from bot.fronts.web.server import Web
from bot.support.platforms import DISCORD, TELEGRAM, WEB, Platform, get


@pytest.mark.parametrize(
    ("platform", "front", "medium"),
    [
        (DISCORD, Discord, discord._MEDIUM),
        (TELEGRAM, Telegram, telegram._MEDIUM),
        (WEB, Web, web._MEDIUM),
    ],
)
def test_what_is_so_on_a_platform_is_the_same_for_the_core_delivery_and_each_command(
    platform: Platform, front: type[Channel], medium: Medium
) -> None:
    limits = front.limits
    assert get(front.platform) is platform
    assert limits.notifies is medium.notifies is platform.notifies
    assert limits.has_threads is platform.opens_threads
    assert limits.theme == platform.theme
