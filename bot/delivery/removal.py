"""Delete our messages, with retries."""

import asyncio

from structlog import get_logger

from bot.delivery.channel import Channel, DeliveryError, LaterError
from bot.domain.model import Place

_log = get_logger(__name__)

_TRIES = 8
_A_MOMENT = 2.0
"""Seconds, if the platform names no delay."""


async def take_away(channel: Channel, place: Place, message: str) -> bool:
    """Delete our message if possible; return False if that is still to be done."""
    try:
        for _ in range(_TRIES):
            try:
                await channel.delete(place, message)
            except LaterError as pause:
                await asyncio.sleep(pause.seconds or _A_MOMENT)
            else:
                return True
    except DeliveryError as error:
        _log.info("message not deleted", why=type(error).__name__)
    except Exception:  # noqa: BLE001 - logged in full; no one awaits the result
        _log.exception("message not deleted")
    else:
        return False
    return True
