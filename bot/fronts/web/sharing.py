"""Pages of shared games, for browsers and for chats that preview links.

No account and no cookie takes part: everything is what spectators may see (`bot.matches.sharing`).
Addresses of pictures depend on what is drawn, so they are kept for ever. Pages are checked each
time, so that a game that was taken back is gone at once.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from aiohttp import hdrs, web
from cachetools import LRUCache

from bot.app import App
from bot.domain.errors import Refused
from bot.fronts.web import WebSettings, wire
from bot.matches import sharing
from bot.matches.names import COMPUTER_SIGN
from bot.matches.sharing import Shared
from bot.screens import Reader, Screen
from bot.screens.controls import rendering_of
from bot.screens.past import load_analysis, record_of
from bot.screens.pictures import can_replay
from bot.support.rates import AddressRates
from bot.support.texts import Texts
from games import records
from renderers.preview import HEIGHT, WIDTH, Captions, preview

if TYPE_CHECKING:
    from bot.fronts.web.server import Web

_ASKED_OF = 600, 60.0
"""Number and seconds. A visitor who steps through a game asks for two files a move."""
_PREVIEWS = 32
_THEMES = ("light", "dark")
_FOR_EVER = "public, max-age=31536000, immutable"
_PAGE = r"/s/{code:[A-Za-z0-9_-]{22}}"
_PLY = r"{ply:\d{1,4}}"
_LONGEST = 200
"""Characters of a description."""
_SIGNS = re.compile(f" [⚫⚪{COMPUTER_SIGN}]")
"""What the font of the pictures lacks."""
_SHOWN = (
    *("title", "text", "due", "picture", "name", "sides", "over", "record", "ply", "judged"),
    *("evaluations", "turning_points", "is_analysing"),
)
"""What a page gets of a screen. The rest is about matches, users and what they can do."""
_WORDS = (
    *("ahead", "board", "moment", "record", "record-empty", "step-at"),
    *("step-back", "step-first", "step-last", "step-on"),
)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A shared game for one request. `look` changes with everything that is shown."""

    shared: Shared
    texts: Texts
    look: str


_Answer = Callable[[web.Request, _Shown], Awaitable[web.Response]]


class SharedPages:
    """The pages and pictures of shared games."""

    def __init__(self, app: App, server: "Web") -> None:
        self._app = app
        self._settings = app.settings.of(WebSettings)
        self._web = server
        self._asked_of = AddressRates(*_ASKED_OF)
        self._html = (files("bot.fronts") / "page" / "shared.html").read_text("utf-8")
        self._previews: LRUCache[tuple[str, int], bytes] = LRUCache(_PREVIEWS)

    def routes(self, path: str) -> Iterable[web.RouteDef]:
        """Return the routes below `path`."""
        ways: Mapping[str, _Answer] = {
            "": self._page,
            "/now.json": self._position,
            f"/{_PLY}.json": self._position,
            f"/{_PLY}.png": self._board,
            f"/{_PLY}/preview.png": self._preview,
            "/replay.gif": self._replay,
            "/record.txt": self._record,
        }
        return [
            web.get(f"{path}{_PAGE}{way}", partial(self._answered, answer))
            for way, answer in ways.items()
        ]

    async def _answered(self, answer: _Answer, request: web.Request) -> web.StreamResponse:
        """Find the shared game first. Without one, answer as at any unknown address."""
        if not await self._asked_of.take(self._web.caller(request)):
            raise web.HTTPTooManyRequests
        with suppress(Refused):
            if self._settings.address:
                shown = await self._found(request)
                etag = f'W/"{shown.look}"'
                if request.headers.get(hdrs.IF_NONE_MATCH) == etag:
                    response = web.Response(status=304)
                else:
                    response = await answer(request, shown)
                is_current = request.query.get("look") == shown.look
                is_lasting = is_current and request.path.endswith((".png", ".gif"))
                response.headers[hdrs.CACHE_CONTROL] = _FOR_EVER if is_lasting else "no-cache"
                response.headers[hdrs.ETAG] = etag
                response.headers[hdrs.VARY] = hdrs.ACCEPT_LANGUAGE
                response.headers[hdrs.ACCEPT_RANGES] = "none"
                response.headers["X-Robots-Tag"] = "noindex"
                return response
        return await self._web.nowhere(request)

    async def _found(self, request: web.Request) -> _Shown:
        """Return the shared game. Raises `Refused`."""
        shared = await sharing.shared(self._app.matches, request.match_info["code"])
        match = shared.loaded.match
        # A picture's address has its language.
        texts = self._web.texts(request, request.query.get("language"))
        # The attempt at a puzzle is not shared.
        last = 0 if match.is_puzzle else len(match.plies)
        if int(request.match_info.get("ply", 0)) > last:
            raise Refused("no-such-code")
        names = await shared.names(self._app.names, texts)
        called = [names[who] for who in match.seats]
        judged = match.progress.done if match.progress else 0
        shows = (self._web.build, shared.share.code, match.version, texts.language, called, judged)
        return _Shown(shared, texts, sha256(json.dumps(shows).encode()).hexdigest()[:16])

    async def _screen(self, shown: _Shown, ply: int | None, *, theme: str = "light") -> Screen:
        shared = shown.shared
        match = shared.loaded.match
        analysis = None if match.is_puzzle else await load_analysis(self._app.store, match)
        reader = Reader(shown.texts, theme=theme)
        return await self._app.past_screens.shared(shared, reader, ply=ply, analysis=analysis)

    async def _page(self, request: web.Request, shown: _Shown) -> web.Response:
        screen, code = await self._screen(shown, None), shown.shared.share.code
        language, ply = shown.texts.language, screen.ply or 0
        base = self._settings.base
        at, page = f"{base}s/{code}", f"{self._settings.address}/s/{code}"
        pictures = {theme: self._picture(at, shown, ply, theme) for theme in _THEMES}
        is_puzzle = shown.shared.loaded.match.is_puzzle
        assert screen.picture is not None
        play, label = self._play(shown, screen), escape(shown.texts("share-position"))
        told = " · ".join(filter(None, screen.text.split("\n")))
        words = wire.words(shown.texts)
        tags = {
            "og:title": screen.title,
            "og:image": f"{page}/{ply}/preview.png?language={language}&look={shown.look}",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "twitter:card": "summary_large_image",
            "og:description": told[:_LONGEST],
            "og:url": page,
            "og:type": "website",
            "og:site_name": "Azumaya",
            "og:image:alt": f"{screen.title}. {told}"[:_LONGEST],
        }
        filled = {
            "language": language,
            "title": escape(screen.title),
            "tags": "\n  ".join(_tag(name, value) for name, value in tags.items()),
            "static": f"{base}static/{self._web.build}",
            "base": escape(base),
            "words": wire.in_script({language: {word: words[word] for word in _WORDS}}),
            "screen": wire.in_script(None if is_puzzle else self._wire(at, shown, screen)),
            "text": escape(_state(screen)),
            **{theme: escape(url) for theme, url in pictures.items()},
            "width": str(screen.picture.width),
            "height": str(screen.picture.height),
            "alt": escape(screen.alt),
            "more": _folded(shown.texts("share-solution"), screen.folded),
            "moves": "".join(f"<span>{escape(one.text)}</span> " for one in screen.record),
            "play": f'<a id="play" href="{escape(play)}"{"" if play else " hidden"}>{label}</a>',
            "links": "".join(
                f'<a href="{escape(url)}">{escape(shown.texts(key))}</a>'
                for key, url in self._links(at, shown).items()
            ),
        }
        html = re.sub(r"{{(\w+)}}", lambda slot: filled[slot[1]], self._html)
        return web.Response(text=html, content_type="text/html")

    def _links(self, at: str, shown: _Shown) -> dict[str, str]:
        """Return the addresses of what else there is of a game, by their labels."""
        links = {"share-play": self._settings.base}
        if shown.shared.loaded.match.plies and not shown.shared.loaded.match.is_puzzle:
            links = {"button-record": f"{at}/record.txt", **links}
        if can_replay(shown.shared.loaded):
            query = f"language={shown.texts.language}&look={shown.look}"
            links = {"button-replay": f"{at}/replay.gif?{query}", **links}
        return links

    def _wire(self, at: str, shown: _Shown, screen: Screen) -> dict[str, object]:
        """Return what the page's script shows."""
        whole = wire.screen(screen, url=self._picture(at, shown, screen.ply or 0, "light"))
        kept = {key: whole[key] for key in _SHOWN}
        return {**kept, "text": _state(screen), "play": self._play(shown, screen)}

    def _play(self, shown: _Shown, screen: Screen) -> str:
        """Return where the position is played against the computer, empty if it cannot be."""
        if all(button.action.verb != "versus" for row in screen.rows for button in row):
            return ""
        return f"{self._settings.base}play/{shown.shared.share.code}.{screen.ply or 0}"

    @staticmethod
    def _picture(at: str, shown: _Shown, ply: int, theme: str) -> str:
        return f"{at}/{ply}.png?language={shown.texts.language}&look={shown.look}&theme={theme}"

    async def _position(self, request: web.Request, shown: _Shown) -> web.Response:
        """Return the position after some moves, or the current one, for the page's script."""
        asked = request.match_info.get("ply")
        screen = await self._screen(shown, int(asked) if asked else None)
        at = f"{self._settings.base}s/{shown.shared.share.code}"
        return web.json_response(self._wire(at, shown, screen))

    async def _board(self, request: web.Request, shown: _Shown) -> web.Response:
        theme = "dark" if request.query.get("theme") == "dark" else "light"
        screen = await self._screen(shown, int(request.match_info["ply"]), theme=theme)
        assert screen.picture is not None
        return web.Response(body=screen.picture.data, content_type="image/png")

    async def _replay(self, _request: web.Request, shown: _Shown) -> web.Response:
        loaded = shown.shared.loaded
        if not can_replay(loaded):
            raise Refused("no-such-code")
        try:
            gif = await self._app.replays.gif(loaded, rendering_of(loaded, Reader(shown.texts), ()))
        except Refused as refused:
            raise web.HTTPServiceUnavailable from refused
        return web.Response(body=gif.data, content_type="image/gif")

    async def _record(self, _request: web.Request, shown: _Shown) -> web.Response:
        shared = shown.shared
        match = shared.loaded.match
        if match.is_puzzle:
            raise Refused("no-such-code")
        names = await shared.names(self._app.names, shown.texts) if shared.is_named else None
        name = f'attachment; filename="{match.game}.txt"'
        headers = {hdrs.CONTENT_DISPOSITION: name}
        return web.Response(text=records.write(record_of(match, names)), headers=headers)

    async def _preview(self, request: web.Request, shown: _Shown) -> web.Response:
        key = shown.look, int(request.match_info["ply"])
        if key not in self._previews:
            screen = await self._screen(shown, key[1])
            assert screen.picture is not None
            captions = _captions(shown, screen)
            drawn = await self._app.pictures.draw(preview, screen.picture.data, captions)
            self._previews[key] = drawn.data
        return web.Response(body=self._previews[key], content_type="image/png")


def _state(screen: Screen) -> str:
    """Return the text without the last move and its evaluation, which the replay shows."""
    ply = screen.ply or 0
    move = f"{ply}. {screen.record[ply - 1].text}" if ply else ""
    said = {move, *screen.judged.split("\n")}
    return "\n".join(line for line in screen.text.split("\n") if line not in said)


def _captions(shown: _Shown, screen: Screen) -> Captions:
    texts, match = shown.texts, shown.shared.loaded.match
    state, *_ = _SIGNS.sub("", screen.text).split("\n")
    if match.is_puzzle:
        return Captions(screen.title, result=state)
    sides = [(side.mark, _SIGNS.sub("", side.name)) for side in screen.sides]
    return Captions(
        screen.name,
        sides=tuple(sides) if len(sides) > 1 or shown.shared.is_named else (),
        result=state,
        position=texts("web-step-at", count=screen.ply or 0, of=len(match.plies)),
    )


def _tag(name: str, value: str) -> str:
    kind = "property" if name.startswith("og:") else "name"
    return f'<meta {kind}="{name}" content="{escape(value)}">'


def _folded(title: str, text: str) -> str:
    if not text:
        return ""
    return f"<details><summary>{escape(title)}</summary><p>{escape(text)}</p></details>"
