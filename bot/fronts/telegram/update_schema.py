"""Validate updates on arrival: a proxy or another Bot API server may send invalid ones."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_UNANSWERED, _REFUSED = "unanswered", "refused"

_MOST = 2**63 - 1
"""Telegram's ids have at most 52 bits. The database cannot store more than this."""

_Number = Annotated[int, Field(ge=-_MOST, le=_MOST)]
_Count = Annotated[int, Field(ge=0, le=_MOST)]


_Text = Annotated[str, Field(max_length=1 << 20)]
"""The length limit makes pydantic reject lone surrogates, which JSON can contain."""


class _Shape(BaseModel):
    """Strict types without conversion. Unused fields are ignored. `null` means missing."""

    model_config = ConfigDict(strict=True)


class _User(_Shape):
    id: _Number
    is_bot: bool
    first_name: _Text
    last_name: _Text | None = None
    username: _Text | None = None
    language_code: _Text | None = None


class _Chat(_Shape):
    id: _Number
    type: _Text
    title: _Text | None = None


class _Entity(_Shape):
    type: _Text
    offset: _Count
    length: _Count
    user: _User | None = None


class _Button(_Shape):
    text: _Text
    callback_data: _Text | None = None


class _Keyboard(_Shape):
    inline_keyboard: list[list[_Button]]


class _Message(_Shape):
    """An inaccessible message has only the first three fields, and its date is 0."""

    message_id: _Number
    date: _Number
    chat: _Chat
    sender: _User | None = Field(None, alias="from")
    sender_chat: _Chat | None = None
    text: _Text | None = None
    entities: list[_Entity] | None = None
    reply_to_message: "_Message | None" = None
    reply_markup: _Keyboard | None = None
    is_topic_message: bool | None = None
    message_thread_id: _Number | None = None
    migrate_to_chat_id: _Number | None = None
    migrate_from_chat_id: _Number | None = None


class _Query(_Shape):
    id: _Text
    sender: _User = Field(alias="from")
    data: _Text | None = None
    message: _Message | None = None


class _Member(_Shape):
    status: _Text


class _Membership(_Shape):
    chat: _Chat
    sender: _User = Field(alias="from")
    date: _Number
    old_chat_member: _Member
    new_chat_member: _Member


class _Numbered(_Shape):
    update_id: _Count


class _Update(_Numbered):
    message: _Message | None = None
    edited_message: _Message | None = None
    channel_post: _Message | None = None
    callback_query: _Query | None = None
    my_chat_member: _Membership | None = None


def _fits(shape: type[_Shape], value: Any) -> bool:
    try:
        shape.model_validate(value)
    except ValidationError:
        return False
    return True


is_numbered = partial(_fits, _Numbered)
"""True for an object with a number, so that it can be confirmed."""

is_sound = partial(_fits, _Update)
"""True if all fields that we read are valid."""


def unanswered(query: str, *, refused_in: str = "") -> dict[str, str]:
    """Return an inbox entry for an unanswered button. `refused_in`: the language of a refusal."""
    return {_UNANSWERED: query} | ({_REFUSED: refused_in} if refused_in else {})


def unanswered_in(payload: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the unanswered query and the language of its refusal. None for an update."""
    query = payload.get(_UNANSWERED)
    return (query, payload.get(_REFUSED, "")) if query else None
