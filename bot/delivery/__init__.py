"""Delivery: who sees which board where, who is told what, and how it gets there.

Boards are brought up to date by reconciliation, not by a queue: what is stored says what each
ought to show, `Reconciler` looks for those that do not, and a `Channel` sends, edits, deletes
and notifies. All that is decided is decided here, once for all platforms.
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
