"""The frames between page and server: what a page may ask, and how screens become JSON."""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import sha256
from html import escape
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.actions import Action
from bot.commands import Completion
from bot.records import Told
from bot.rooms import LONGEST_LINE, Message, OpenMatch
from bot.screens import SIZES, Button, Choice, GameOffer, Reader, Screen, Side, StartCard
from bot.screens import Field as Choosable
from bot.texts import LANGUAGES, Texts

__all__ = [
    "WORDS",
    "AppearanceFrame",
    "BadFrameError",
    "CompleteFrame",
    "HelloFrame",
    "OlderFrame",
    "PressFrame",
    "ReadFrame",
    "Request",
    "SayFrame",
    "StartFrame",
    "appearance",
    "done",
    "message",
    "open_match",
    "page",
    "plain",
    "private",
    "read",
    "screen",
    "size_for",
    "with_picture",
    "words",
]

_Number = Annotated[int, Field(ge=0, lt=2**53)]
_Room = Annotated[str, Field(max_length=64)]
_Word = Annotated[str, Field(max_length=64)]
_Theme = Literal["light", "dark"]


class _Frame(BaseModel):
    """What every request has; `id` is the page's own and comes back in the answer."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: _Number


class HelloFrame(_Frame):
    """The first frame; `since` is the highest stamp that the page has seen."""

    t: Literal["hello"]
    locale: Annotated[str, Field(max_length=64)] = ""
    theme: _Theme = "light"
    pixels: _Number = 0
    """How many pixels of its screen a board of the page can be wide."""
    since: _Number = 0


class SayFrame(_Frame):
    """A line: a command, or chat.

    `seen` has the versions of matches on the screen, `staged` is the one on the stage, or 0.
    """

    t: Literal["say"]
    room: _Room
    text: Annotated[str, Field(max_length=4 * LONGEST_LINE)]
    seen: Annotated[dict[_Number, _Number], Field(max_length=200)] = {}
    staged: _Number = 0


class PressFrame(_Frame):
    """A button, or a cell of a picture."""

    t: Literal["press"]
    room: _Room
    token: Annotated[str, Field(max_length=200)]


class CompleteFrame(_Frame):
    """What could follow this beginning of a line?"""

    t: Literal["complete"]
    room: _Room
    text: Annotated[str, Field(max_length=4 * LONGEST_LINE)]


class OlderFrame(_Frame):
    """Messages before the one with this id."""

    t: Literal["older"]
    room: _Room
    before: _Number


class ReadFrame(_Frame):
    """The reader has seen a room up to this message."""

    t: Literal["read"]
    room: _Room
    message: _Number


class StartFrame(_Frame):
    """A start card, filled in: `whom` is a name, or empty for anybody."""

    t: Literal["start"]
    room: _Room
    game: _Word
    options: Annotated[dict[_Word, _Word], Field(max_length=50)] = {}
    side: _Number | None = None
    unrated: bool = False
    takebacks: bool = False
    hints: bool = False
    clock: _Word | None = None
    whom: Annotated[str, Field(max_length=4 * LONGEST_LINE)] = ""


class AppearanceFrame(_Frame):
    """The page has other colours now, or a screen with other pixels."""

    t: Literal["appearance"]
    theme: _Theme
    pixels: _Number = 0


Request = (
    HelloFrame
    | SayFrame
    | PressFrame
    | CompleteFrame
    | OlderFrame
    | ReadFrame
    | StartFrame
    | AppearanceFrame
)

_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="t")])


class _Numbered(BaseModel):
    model_config = ConfigDict(strict=True)

    id: _Number


class BadFrameError(Exception):
    """A frame that is no request; `id` is its id, None where not even that can be read."""

    def __init__(self, id_: int | None) -> None:
        super().__init__(id_)
        self.id = id_


def read(text: str) -> Request:
    """The request in a frame. Raises `BadFrameError`."""
    try:
        return _REQUEST.validate_json(text)
    except ValidationError:
        pass
    try:
        id_ = _Numbered.model_validate_json(text).id
    except ValidationError:
        id_ = None
    raise BadFrameError(id_)


# --- out ------------------------------------------------------------------------------------

WORDS = (
    "alerts",
    "alerts-no",
    "alerts-none",
    "alerts-notify",
    "alerts-sound",
    "alerts-text",
    "asked",
    "asked-in",
    "asked-you",
    "back",
    "back-to",
    "board",
    "board-at-side",
    "board-others",
    "board-view",
    "challenge",
    "channels",
    "close",
    "direct",
    "discard",
    "empty",
    "for-you",
    "full",
    "go-back",
    "go-on",
    "help",
    "house",
    "jump",
    "jump-new",
    "keys",
    "leave",
    "leaving-text",
    "leaving-title",
    "line",
    "loading",
    "lost",
    "messages",
    "my-matches",
    "new",
    "next-board",
    "next-in",
    "next-none",
    "not-sent",
    "offered",
    "offered-in",
    "offered-you",
    "offered-you-more",
    "only-you",
    "open-rooms",
    "over",
    "over-to",
    "people",
    "play",
    "play-computer",
    "record",
    "record-empty",
    "resting",
    "rooms",
    "rules",
    "send",
    "send-again",
    "skip",
    "start",
    "start-open",
    "stats",
    "stay",
    "ahead",
    "moment",
    "step-at",
    "step-back",
    "step-first",
    "step-last",
    "step-on",
    "suggestion-count",
    "suggestions",
    "talk-view",
    "theme",
    "try-now",
    "turn-in",
    "unanswered",
    "unread",
    "waiting",
    "whom-name",
    "whom-other",
    "write",
    "you",
    "you-play",
    "your-turn",
)
"""The page's own words: messages ``web-…``."""

BEFORE_WELCOME = (
    "also",
    "cancel",
    "code",
    "enter",
    "full",
    "go-on",
    "have-code",
    "language",
    "lost",
    "name",
    "name-hint",
    "next",
    "resting",
    "tagline",
    "take-name",
    "try-now",
    "unreachable",
)
"""Those that are needed before somebody has come in, or where nothing can be reached."""

_SLOTS = {slot: f"{{{slot}}}" for slot in ("count", "name", "of", "room", "side")}


def words(texts: Texts) -> dict[str, str]:
    """The page's own words in the reader's language, with slots that the page fills."""
    return {word: texts(f"web-{word}", **_SLOTS) for word in WORDS}


def page(body: str) -> str:
    """The page, with the words in it that it needs before its first welcome, in all languages."""
    speaking = {language: Texts(language) for language in LANGUAGES}
    found = {
        language: {word: texts(f"web-{word}", **_SLOTS) for word in BEFORE_WELCOME}
        | {"own-name": LANGUAGES[language]}
        for language, texts in speaking.items()
    }
    # No text can end the element that it stands in.
    words = json.dumps(found, ensure_ascii=False).replace("<", "\\u003c")
    noscript = " · ".join(escape(texts("web-noscript")) for texts in speaking.values())
    return body.replace("{{words}}", words).replace("{{noscript}}", noscript)


def done(
    id_: int,
    *,
    error: str | None = None,
    about: int = 0,
    private: Mapping[str, Any] | None = None,
    completions: Iterable[Completion] = (),
    more: bool = False,
    match: int = 0,
    room: str = "",
    begun: int = 0,
    proposed: int = 0,
    told: bool = False,
) -> dict[str, Any]:
    """The answer to a request; `about` is the match of which it speaks as that is, 0: of none.

    `match` is the one whose board the page is to go to; in `room`, if that board is only coming.
    `begun` is one's own new match, `proposed` one's own challenge, which are coming into `room`,
    else that of the request; `told` says that the answer is there as well, as a message for all.
    """
    return {
        "t": "done",
        "id": id_,
        "ok": error is None,
        "error": error,
        "about": about or None,
        "private": private,
        "completions": [{"text": offer.text, "hint": offer.hint} for offer in completions],
        "more": more,
        "match": match or None,
        "room": room or None,
        "begun": begun or None,
        "proposed": proposed or None,
        "told": told,
    }


def open_match(found: OpenMatch, room: str) -> dict[str, Any]:
    """A match of the reader's own, for the list at the side."""
    return {
        "match": found.match,
        "title": found.title,
        "other": found.other,
        "room": room,
        "proposed": found.is_proposed,
        "waits": found.waits,
        "turn": found.is_turn,
        "offers": found.offers,
        "since": found.since,
        "version": found.version,
        "moves": found.moves,
        # Shows its board where it lies further back than what the page has.
        "token": Action("board", found.match).token,
    }


def message(found: Message, room: str, shown: Mapping[str, Any], *, reader: int) -> dict[str, Any]:
    """A message of a room, with its screen, for the user `reader`."""
    author = {"id": found.author_id, "name": found.author or ""} if found.author_id else None
    return {
        "t": "message",
        "message": {
            "id": found.id,
            "stamp": found.stamp,
            "room": room,
            "author": author,
            "at": found.at,
            # What the reader has asked for themselves is no news to them.
            "asked": found.asked_by == reader,
            "screen": shown,
        },
    }


def screen(shown: Screen, *, url: str | None, home: str = "") -> dict[str, Any]:
    """A screen for the page; `url` is where its picture is, None to put it into the frame.

    `home` is the room in which its match is played, where that is another one.
    """
    picture = None
    if shown.picture is not None:
        picture = {
            "url": url or f"data:image/png;base64,{b64encode(shown.picture.data).decode()}",
            "width": shown.picture.width,
            "height": shown.picture.height,
            "alt": shown.alt,
            "cells": [_cell(choice, shown) for choice in shown.choices if choice.box],
        }
    # They stand beside their answers, and not twice.
    asked = {question.text for question in shown.questions}
    rows = shown.rows[: len(shown.rows) - len(shown.questions)]
    return {
        "title": shown.title,
        "text": "\n".join(line for line in shown.text.split("\n") if line not in asked),
        "questions": [
            {"text": question.text, "buttons": [_answer(button) for button in question.answers]}
            for question in shown.questions
        ],
        "copied": list(shown.copied),
        "due": _due(*shown.due) if shown.due else None,
        "picture": picture,
        "buttons": [[_button(button) for button in row] for row in rows],
        "match": shown.match,
        "version": shown.version,
        "turn": shown.my_turn,
        "mine": shown.mine,
        "name": shown.name,
        "sides": [_side(side) for side in shown.sides],
        "over": shown.over,
        "news": shown.news,
        "home": _home(shown, home) if home else None,
        "record": [_told(told, _past(shown, ply)) for ply, told in enumerate(shown.record, 1)],
        "beginning": None if shown.ply is None else _past(shown, 0),
        "ply": shown.ply,
        "judged": shown.judged,
        "course": [round(chance, 3) for chance in shown.course],
        "moments": list(shown.moments),
        "grows": shown.grows,
        # Fetched, by the one who is asked for their cookie then, and not sent along.
        "file": {"url": "/export", "name": shown.file.name} if shown.file else None,
        "link": {"hash": f"#{shown.link.word}", "label": shown.link.label} if shown.link else None,
        "menu": [_offer(offer) for offer in shown.menu] or None,
        "start": _start(shown.start) if shown.start else None,
        "tables": [asdict(table) for table in shown.tables],
    }


def _due(words: str, at: int) -> dict[str, Any]:
    """The moment that the text calls so, which the page tells in its reader's own time."""
    return {"words": words, "at": at}


def _home(shown: Screen, room: str) -> dict[str, str]:
    """The way back to the board there, also where it lies further back than what the page has."""
    return {"room": room, "token": Action("board", shown.match).token}


def _told(told: Told, token: str) -> dict[str, Any]:
    """A move, with what shows the match after it."""
    return {"seat": told.seat, "text": told.text, "token": token}


def _past(shown: Screen, ply: int) -> str:
    return Action("past", shown.match, argument=str(ply)).token


def _offer(offer: GameOffer) -> dict[str, str]:
    return {
        "name": offer.name,
        "about": offer.about,
        "token": offer.action.token,
        "picture": f"/game/{offer.game}.png",
    }


def _start(card: StartCard) -> dict[str, Any]:
    return {
        "game": card.game,
        "about": card.about,
        "options": [_field(field) for field in card.options],
        "side": _field(card.side),
        "whom": _field(card.whom),
        "computers": [
            {"value": value, "label": label, "name": name} for value, label, name in card.computers
        ],
        "rated": _field(card.rated) if card.rated else None,
        "clock": _field(card.clock),
        "more": [_field(field) for field in card.more],
        "alone": card.alone,
        "rules": card.rules.token,
    }


def _field(field: Choosable) -> dict[str, Any]:
    choices = [{"value": value, "label": label} for value, label in field.choices]
    return {
        "name": field.name,
        "label": field.label,
        "choices": choices,
        "chosen": field.chosen,
        "when": field.when,
    }


def _cell(choice: Choice, shown: Screen) -> dict[str, Any]:
    return {
        "box": choice.box,
        "also": choice.also,
        "label": ", ".join(filter(None, [choice.label, choice.lies])),
        "token": choice.action.token,
        # What is legal for somebody else is no stop on this reader's way over the board.
        "legal": choice.legal and shown.my_turn,
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "mark": side.mark,
        "seat": side.seat,
        "mine": side.is_mine,
        "turn": side.has_turn,
    }


def _button(button: Button) -> dict[str, str]:
    return {
        "label": button.label,
        "token": button.action.token,
        "style": button.style.value,
    }


def _answer(button: Button) -> dict[str, str]:
    """A button beside its question: `named` is what it is called without that."""
    short = button.short or button.label
    # A name that is spoken has to have in it what is read.
    is_in = short.casefold() in button.label.casefold()
    named = button.label if is_in else f"{short}: {button.label}"
    return {**_button(button), "label": short, "named": named}


def private(shown: Screen, *, replaces: int | None) -> dict[str, Any]:
    """A screen for one pair of eyes; `replaces` is the message in whose place it stands."""
    return {**screen(shown, url=None), "replaces": replaces}


_STORED = ("title", "text", "tables", "buttons", "match", "version", "over")
"""Of a screen's keys; what else one has is its reader's own, or as it is just now."""


def plain(shown: Screen) -> dict[str, Any]:
    """A public answer as it is stored for all readers: words, and what can be pressed."""
    whole = screen(shown, url=None)
    kept = {key: whole[key] for key in _STORED}
    if shown.picture is None or shown.again is None:
        return kept
    # There are names in it, which somebody may bear no more: it is drawn when it is looked at.
    size = {"width": shown.picture.width, "height": shown.picture.height}
    return {**kept, "drawn": {"token": shown.again.token, "alt": shown.alt, **size}}


def with_picture(kept: Mapping[str, Any], *, url: str) -> Mapping[str, Any]:
    """Such an answer with the picture that it has at `url`, if any."""
    if not (drawn := kept.get("drawn")):
        return kept
    picture = {key: drawn[key] for key in ("width", "height", "alt")}
    return {**kept, "drawn": None, "picture": {"url": url, "cells": [], **picture}}


def size_for(pixels: int) -> int:
    """How wide pictures are to be that are shown on so many pixels: the next larger size."""
    return next((size for size in SIZES if size >= pixels), SIZES[-1])


def appearance(reader: Reader, *, theme: str) -> str:
    """The query of a picture's address: how its reader sees it, and what stands for all of that.

    `theme` is the page's own, for a reader who has chosen none.
    """
    language = reader.texts.language
    depends = [
        reader.theme,
        reader.size,
        language,
        sorted(reader.settings.items()),
        reader.user and reader.user.id,
    ]
    key = sha256(json.dumps(depends).encode()).hexdigest()[:12]
    return f"theme={theme}&language={language}&size={reader.size}&as={key}"
