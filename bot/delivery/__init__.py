"""Delivery of boards and notifications.

Reconciliation instead of a queue: the database says what each board should show, `Reconciler` finds
boards that are behind, and a `Channel` sends, edits, deletes and notifies. All decisions are made
here, for all platforms.
"""

from bot.delivery.channel import (
    Channel,
    ClosedError,
    DeliveryError,
    GoneError,
    LaterError,
    Limits,
    MessageGoneError,
    Notice,
    Outgoing,
    Recipient,
    UnsureError,
)
from bot.delivery.passing import Passing, Shown
from bot.delivery.reconciler import Reconciler

__all__ = [
    "Channel",
    "ClosedError",
    "DeliveryError",
    "GoneError",
    "LaterError",
    "Limits",
    "MessageGoneError",
    "Notice",
    "Outgoing",
    "Passing",
    "Recipient",
    "Reconciler",
    "Shown",
    "UnsureError",
]
