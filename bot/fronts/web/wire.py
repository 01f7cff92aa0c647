"""The frames between page and server, as JSON."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from html import escape
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

import games
from bot.delivery.rooms import LONGEST_LINE, Message
from bot.domain.actions import Action
from bot.domain.terms import Wishes
from bot.screens import SIZES, Button, File, Screen
from bot.support.texts import LANGUAGES, Texts
from games.computer import LEVELS, engine
from renderers import Box

_Number = Annotated[int, Field(ge=0, lt=2**53)]
_Room = Annotated[str, Field(max_length=64)]
_Word = Annotated[str, Field(max_length=64)]
_Theme = Literal["light", "dark"]


class _Frame(BaseModel):
    """A request. The page chooses `id`, which comes back in the answer."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: _Number


class _Appearance(_Frame):
    """How the page is shown."""

    theme: _Theme = "light"
    pixels: _Number = 0
    """The width for a board, in device pixels."""
    visible: bool = False


class HelloFrame(_Appearance):
    """The first frame. `since` is the highest stamp that the page has seen."""

    t: Literal["hello"]
    locale: Annotated[str, Field(max_length=64)] = ""
    since: _Number = 0


class AppearanceFrame(_Appearance):
    """The theme, the size or the visibility of the page has changed."""

    t: Literal["appearance"]


class InRoom(_Frame):
    """A request in a room."""

    room: _Room


class SayFrame(InRoom):
    """A command or message. `seen`: versions of visible matches. `staged`: the match in front."""

    t: Literal["say"]
    text: Annotated[str, Field(max_length=4 * LONGEST_LINE)]
    seen: Annotated[dict[_Number, _Number], Field(max_length=200)] = {}
    staged: _Number = 0


class PressFrame(InRoom):
    """A press of a button or a cell."""

    t: Literal["press"]
    token: Annotated[str, Field(max_length=200)]


class CompleteFrame(InRoom):
    """A line to complete."""

    t: Literal["complete"]
    text: Annotated[str, Field(max_length=4 * LONGEST_LINE)]


class OlderFrame(InRoom):
    """Load messages before this one."""

    t: Literal["older"]
    before: _Number


class ReadFrame(InRoom):
    """The user has read the room up to this message."""

    t: Literal["read"]
    message: _Number


class StartFrame(InRoom):
    """A start card. `whom` is a name, or empty for an open challenge."""

    t: Literal["start"]
    game: _Word
    options: Annotated[dict[_Word, _Word], Field(max_length=50)] = {}
    side: Literal[0, 1] | None = None
    wishes: Wishes = Wishes()
    whom: Annotated[str, Field(max_length=4 * LONGEST_LINE)] = ""

    @property
    def line(self) -> str:
        """The card as a typed command, without `whom`: a name could go on with the next word."""
        words = ["new", *(f"{name}={value}" for name, value in self.options.items())]
        words += [] if self.side is None else ["second" if self.side else "first"]
        wishes = self.wishes
        words += ["unrated"] * wishes.is_unrated + ["takebacks"] * wishes.has_takebacks
        words += ["hints"] * wishes.has_hints
        words += [] if wishes.clock is None else [f"clock={wishes.clock or 'none'}"]
        return f"/{self.game} {' '.join(words)}"


class HomeFrame(_Frame):
    """List what others play and offer."""

    t: Literal["home"]


class HistoryFrame(_Frame):
    """List finished games of `name`, or of the user."""

    t: Literal["history"]
    name: _Word = ""
    game: _Word = ""
    result: Literal["", "won", "drawn", "lost"] = ""
    rated: bool = False
    before: _Number = 0


class OpenFrame(_Frame):
    """Find the match whose address has this code, and its position after `ply` moves."""

    t: Literal["open"]
    code: _Word
    ply: _Number | None = None


class PushFrame(_Frame):
    """Where to notify this browser, with its keys in base64url. Without `endpoint`: nowhere."""

    t: Literal["push"]
    endpoint: Annotated[str, Field(max_length=1024)] = ""
    p256dh: Annotated[str, Field(max_length=128)] = ""
    auth: Annotated[str, Field(max_length=32)] = ""


_Anywhere = HelloFrame | HomeFrame | HistoryFrame | OpenFrame | AppearanceFrame | PushFrame
_InRoom = SayFrame | PressFrame | CompleteFrame | OlderFrame | ReadFrame | StartFrame
Request = _Anywhere | _InRoom

_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="t")])


class _Numbered(BaseModel):
    model_config = ConfigDict(strict=True)

    id: _Number


class BadFrameError(Exception):
    """An invalid frame. `id` is None if even that is unreadable."""

    def __init__(self, id_: int | None) -> None:
        super().__init__(id_)
        self.id = id_


def parse_frame(text: str) -> Request:
    """Parse a frame. Raises `BadFrameError`."""
    try:
        return _REQUEST.validate_json(text)
    except ValidationError:
        pass
    try:
        id_ = _Numbered.model_validate_json(text).id
    except ValidationError:
        id_ = None
    raise BadFrameError(id_)


_SLOTS = {slot: f"{{{slot}}}" for slot in ("count", "game", "name", "of", "other", "room", "side")}


@cache
def words(texts: Texts) -> dict[str, str]:
    """Return the page's texts, from ``web-…``, with slots that it fills."""
    return {name: texts(f"web-{name}", **_SLOTS) for name in texts.having("web-")}


def page(body: str, *, base: str, folder: str, modules: Iterable[str]) -> str:
    """Insert the app's path, where the files are, and the texts in all languages."""
    speaking = {language: Texts(language) for language in LANGUAGES}
    found = {
        language: words(texts) | {"own-name": LANGUAGES[language]}
        for language, texts in speaking.items()
    }
    noscript = " · ".join(escape(texts("web-noscript")) for texts in speaking.values())
    preload = "".join(f'<link rel="modulepreload" href="{folder}/{one}">' for one in modules)
    filled = {
        "base": escape(base),
        "static": folder,
        "modules": preload,
        "words": in_script(found),
        "games": in_script({language: _games(texts) for language, texts in speaking.items()}),
        "noscript": noscript,
    }
    return re.sub(r"{{(\w+)}}", lambda slot: filled[slot[1]], body)


def in_script(data: object) -> str:
    """Return JSON for an element of a page. No text can close it."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _games(texts: Texts) -> list[dict[str, Any]]:
    """Return what can be played, with the levels of the computer: value and name."""
    found = []
    for game_id in games.ids():
        game = games.get(game_id)
        options = game.options_from({})
        alone = game.seats(options) == 1
        levels = range(1, LEVELS + 1) if engine(game_id).can_play(options) and not alone else ()
        found.append(
            {
                "id": game_id,
                "name": texts(f"{game_id}-name"),
                "about": texts(f"{game_id}-about"),
                "alone": alone,
                "levels": [(f"computer {level}", texts(f"computer-{level}")) for level in levels],
            }
        )
    return found


def done_frame(id_: int, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a request, with what is `said` in it.

    `about` is the match that the answer describes. `match` is the match whose board the page shows
    next, in `room` if the board is still to come. `begun` and `proposed` are the user's new match
    and challenge, in `room` or the request's room. `told`: the answer is also a message for all.
    """
    return {"t": "done", "id": id_, "ok": said.get("error") is None, **said}


def message(found: Message, room: str, screen: str, *, reader: int) -> str:
    """Return a message of a room for the user `reader`. `screen` is JSON."""
    author = {"id": found.author_id, "name": found.author or ""} if found.author_id else None
    head = {
        "id": found.id,
        "stamp": found.stamp,
        "room": room,
        "author": author,
        "at": found.at,
        # The user's own requests are no news.
        "asked": found.asked_by == reader,
    }
    return f'{{"t": "message", "message": {json.dumps(head)[:-1]}, "screen": {screen}}}}}'


_AS_IT_IS = (
    *("title", "match", "version", "code", "mine", "name", "sides", "over", "news", "ply"),
    *("judged", "turning_points", "is_analysing", "questions", "offers", "link"),
    *("menu", "start", "tables"),
)
"""What a page gets of a screen under the names of its fields. Its reader may know all of it."""


def screen(shown: Screen, *, url: str | None = None, home: str = "") -> dict[str, Any]:
    """Return a screen. `url`: its picture, None to inline it. `home`: the match's other room."""
    picture = None
    if shown.picture is not None:
        picture = {
            "url": url or f"data:image/png;base64,{b64encode(shown.picture.data).decode()}",
            "width": shown.picture.width,
            "height": shown.picture.height,
            "alt": shown.alt,
            "cells": _cells(shown),
            # What moves between two pictures, also where nothing can be pressed.
            "boxes": () if shown.choices else _boxes(shown),
        }
    asked = {question.text for question in shown.questions}
    text = "\n\n".join(filter(None, [shown.text, shown.folded]))
    return {
        **{name: _plain(getattr(shown, name)) for name in _AS_IT_IS},
        "text": "\n".join(line for line in text.split("\n") if line not in asked),
        "copied": [one.text for one in shown.copied],
        # Only an open challenge has a code to copy.
        "invite": shown.share if shown.copied else "",
        "due": dict(zip(("words", "at"), shown.due, strict=True)) if shown.due else None,
        "picture": picture,
        "buttons": _plain(shown.rows[: len(shown.rows) - len(shown.questions)]),
        "turn": shown.my_turn,
        "record": [move._asdict() for move in shown.record],
        "home": home,
        "evaluations": [round(chance, 3) for chance in shown.evaluations],
        "animation": f"{shown.game}-{shown.match}.gif" if shown.can_animate else "",
        # Fetched with the cookie instead of sent along.
        "file": _file(shown, shown.file) if shown.file else None,
    }


def _boxes(shown: Screen) -> list[Box]:
    return [box for cell in shown.cells.values() for box in (cell.box, *cell.also)]


def _file(shown: Screen, file: File) -> dict[str, str]:
    again = shown.again.token if shown.again else ""
    if again.startswith("record:"):
        # Short, and only for the reader of this room.
        return {
            "url": f"data:text/plain;charset=utf-8;base64,{b64encode(file.data).decode()}",
            "name": file.name,
        }
    url = f"export?{urlencode({'of': again})}" if again.startswith("records:") else "export"
    return {"url": url, "name": file.name}


def _plain(value: Any) -> Any:
    """Return a value by the names of its fields, actions as tokens."""
    if isinstance(value, Action):
        return value.token
    if isinstance(value, Button):
        return _button(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _cells(shown: Screen) -> list[dict[str, Any]]:
    return [
        {
            "box": choice.box,
            "also": choice.also,
            "label": ", ".join(filter(None, [choice.label, choice.cell_text])),
            "token": choice.action.token,
            # Keyboard navigation skips the legal moves of others.
            "legal": choice.legal and (shown.my_turn or not shown.match),
            "partial": choice.is_partial,
        }
        for choice in shown.choices
        if choice.box
    ]


def _button(button: Button) -> dict[str, Any]:
    """Return a button. `named` is its accessible name, if another than the label."""
    short, named = button.short or button.label, ""
    if button.short:
        # It must contain the visible label.
        is_in = short.casefold() in button.label.casefold()
        named = button.label if is_in else f"{short}: {button.label}"
    return {
        "label": short,
        "named": named,
        "token": button.action.token,
        "style": button.style.value,
        "disabled": button.is_disabled,
    }


_STORED = ("title", "text", "tables", "buttons", "match", "version", "over")
"""Stored keys of a screen. All others depend on the user or the moment."""


def stored_screen(shown: Screen) -> dict[str, Any]:
    """Return a public answer as it is stored for all users."""
    whole = screen(shown)
    kept = {key: whole[key] for key in _STORED}
    if shown.picture is None or shown.again is None:
        return kept
    # It contains names, which may have been deleted: draw it on demand.
    size = {"width": shown.picture.width, "height": shown.picture.height}
    return {**kept, "drawn": {"token": shown.again.token, "alt": shown.alt, **size}}


def with_picture(kept: Mapping[str, Any], *, url: str) -> Mapping[str, Any]:
    """Add the picture at `url` to a stored answer, if it has one."""
    if not (drawn := kept.get("drawn")):
        return kept
    picture = {key: drawn[key] for key in ("width", "height", "alt")}
    return {**kept, "drawn": None, "picture": {"url": url, "cells": [], **picture}}


def size_for(pixels: int) -> int:
    """Return the smallest picture size for so many pixels."""
    return next((size for size in SIZES if size >= pixels), SIZES[-1])
