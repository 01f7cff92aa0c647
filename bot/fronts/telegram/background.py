"""Work that nobody waits for: it is done aside, and what becomes of it stands in the log."""

from collections.abc import Coroutine
from typing import Any

from structlog import get_logger
from telegram.error import TelegramError

from bot.delivery import DeliveryError
from bot.errors import StoreError
from bot.fronts.telegram.reasons import reason_of
from bot.logs import store_failed
from bot.tasks import Tasks

__all__ = ["BackgroundTasks", "Work"]

_log = get_logger(__name__)

Work = Coroutine[Any, Any, None]
"""Something to be done aside."""


class BackgroundTasks:
    """What is being done aside."""

    def __init__(self) -> None:
        self._tasks = Tasks()

    def run(self, work: Work) -> None:
        """Do something aside; failures are logged."""
        self._tasks.begin(self.do(work))

    async def do(self, work: Work) -> None:
        """Do something here and now; failures are logged."""
        try:
            await work
        except StoreError as error:
            store_failed(_log, "not stored", error)
        except TelegramError as error:
            _log.warning("Telegram refuses", reason=reason_of(error))
        except DeliveryError as error:
            _log.info("not said", why=type(error).__name__)
        except Exception:  # noqa: BLE001 - nobody waits for it; logged whole
            _log.exception("background task failed")

    async def close(self, *, seconds: float) -> None:
        """Wait for what is under way; cancel it after `seconds`."""
        await self._tasks.close(seconds=seconds)
