"""Delivery of boards and notifications.

Reconciliation instead of a queue: the database says what each board should show, `Reconciler` finds
boards that are behind, and a `Channel` sends, edits, deletes and notifies. All decisions are made
here, for all platforms.
"""

from bot.delivery.channel import Channel as Channel
from bot.delivery.channel import ClosedError as ClosedError
from bot.delivery.channel import DeliveryError as DeliveryError
from bot.delivery.channel import GoneError as GoneError
from bot.delivery.channel import MessageGoneError as MessageGoneError
from bot.delivery.channel import Notice as Notice
from bot.delivery.channel import Outgoing as Outgoing
from bot.delivery.channel import Recipient as Recipient
from bot.delivery.channel import RetryError as RetryError
from bot.delivery.channel import UnsureError as UnsureError
from bot.delivery.courier import Reconciler as Reconciler
from bot.delivery.ephemeral_replies import EphemeralReplies as EphemeralReplies
from bot.delivery.ephemeral_replies import SentReply as SentReply
