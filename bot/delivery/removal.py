"""Messages of ours taken away, as far as that is possible: tried again for a while."""

import asyncio

from structlog import get_logger

from bot.delivery.channel import Channel, DeliveryError, LaterError
from bot.model import Place

__all__ = ["take_away"]

_log = get_logger(__name__)

_TRIES = 8
_A_MOMENT = 2.0
"""Seconds, where a platform does not say how long it wants to be left alone."""


async def take_away(channel: Channel, place: Place, message: str) -> bool:
    """Take a message of ours away; False where that is still to be done, by whoever can.

    One that is not there any more, or that may not be taken away, is done with.
    """
    try:
        for _ in range(_TRIES):
            try:
                await channel.delete(place, message)
            except LaterError as pause:
                await asyncio.sleep(pause.seconds or _A_MOMENT)
            else:
                return True
    except DeliveryError as error:
        _log.info("message not taken away", why=type(error).__name__)
    except Exception:  # noqa: BLE001 - logged whole; nobody waits for it
        _log.exception("message not taken away")
    else:
        return False
    return True
