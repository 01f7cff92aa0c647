"""What Discord refuses and SimCord accepts, by Discord's documentation.

* "The only operation that should happen within an archived thread is messages being deleted"
  (Threads): an edit is refused (50083).
* "Sending a message will automatically unarchive the thread" (Threads).
* "Editing a thread to change the `name`, `archived`, `auto_archive_duration` fields requires
  `MANAGE_THREADS` or that the current user is the thread creator" (Threads). Other edits are
  refused (50013).
* "Cannot reply without permission to read message history" (160002).
* "If `enforce_nonce` is true and `nonce` is present, it will be checked for uniqueness in the past
  few minutes." A message of the same author with the same nonce is returned, and none is created
  (Create Message). We assume the same after that message was deleted.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from simcord.backend import permissions
from simcord.backend.errors import BackendError, missing_permissions
from simcord.http import router

_POST = ["channels", "{channel_id}", "messages"]
_PATH = re.compile(r"/channels/(?P<channel>\d+)(?P<messages>/messages(?P<message>/\d+)?)?")


@contextmanager
def strict() -> Iterator[None]:
    """Make SimCord as strict as Discord while the block runs."""
    injected = router._check_faults
    posted: dict[tuple[str, str], Any] = {}

    def check(backend: Any, method: str, path: str) -> None:
        injected(backend, method, path)
        _check(backend, method, path)

    def once(post: router.Handler) -> router.Handler:
        def send(ctx: router.RequestContext) -> Any:
            body = ctx.body()
            key = ctx.args["channel_id"], str(body.get("nonce"))
            if not body.get("enforce_nonce"):
                return post(ctx)
            if key not in posted:
                posted[key] = post(ctx)
            return posted[key]

        return send

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(router, "_check_faults", check)
        routes = [
            (template, once(handler) if template == _POST else handler)
            for template, handler in router._ROUTES["POST"]
        ]
        patch.setitem(router._ROUTES, "POST", routes)
        yield


def _check(backend: Any, method: str, path: str) -> None:
    """Check the latest request as Discord does. Raises Discord's error."""
    found = _PATH.fullmatch(path)
    channel = backend.channels.get(int(found["channel"])) if found else None
    if found is None or channel is None or channel.guild_id is None:
        return
    body = backend.http_requests[-1].json or {}
    thread = channel if channel.is_thread else None
    state = channel.thread_metadata
    if method == "PATCH" and found["message"]:
        if state is not None and state.archived:
            raise BackendError(400, 50083, "Thread is archived")
    elif method == "PATCH" and thread is not None and not found["messages"]:
        is_ours = thread.owner_id == backend.bot_user.id
        if not (is_ours or _may(backend, thread, "manage_threads")):
            raise missing_permissions()
    elif method == "POST" and found["messages"] and not found["message"]:
        if body.get("message_reference") and not _may(backend, channel, "read_message_history"):
            raise BackendError(403, 160002, "Cannot reply without permission")
        if thread is not None and _may(backend, thread, "send_messages_in_threads"):
            state.archived = False


def _may(backend: Any, channel: Any, right: str) -> bool:
    """True if the bot has a right in a channel."""
    granted = backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id)
    return bool(granted & permissions.flag(right))
