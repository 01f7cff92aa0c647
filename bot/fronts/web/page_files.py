"""The files of the page, as they are sent.

The paths of all but ``index.html`` have a hash of their contents, so browsers keep them for ever.
They are compressed at the start, without the comments of scripts.
"""

import gzip
import re
from hashlib import sha256
from importlib.resources import files

from aiohttp import hdrs, web

from bot.fronts.web import wire
from renderers import font_file

_TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_COMPRESSED = "png", "woff2"
_FONTS = {"opensans.ttf": "regular", "opensansbold.ttf": "semibold"}
"""The whole fonts, for letters that the subsets lack."""
_NO_MODULES = "shared.js", "theme.js", "worker.js"
"""Scripts that the page of the app does not import."""
_COMMENT = re.compile(rb"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)$", re.MULTILINE)
"""One that fills its lines."""
_FOR_EVER = "public, max-age=31536000, immutable"


class _File:
    def __init__(self, name: str, body: bytes) -> None:
        kind = name.rpartition(".")[2]
        self.type = _TYPES[kind]
        self.body = body
        self.compressed = None if kind in _COMPRESSED else gzip.compress(body, 9, mtime=0)
        """The body for browsers that read gzip. None if it is compressed already."""
        self.tag = f'W/"{sha256(body).hexdigest()[:16]}"'


class PageFiles:
    """The page, and the files that it loads. `base`: the path of the app, with slashes around."""

    def __init__(self, base: str = "/") -> None:
        bodies = {file.name: file.read_bytes() for file in (files("bot.fronts") / "page").iterdir()}
        for name, body in bodies.items():
            if name.endswith(".js"):
                # The lines keep their numbers, which errors name.
                bodies[name] = _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), body)
        bodies |= {name: font_file(weight).read_bytes() for name, weight in _FONTS.items()}
        html = bodies.pop("index.html").decode()
        every = b"".join(sha256(name.encode() + bodies[name]).digest() for name in sorted(bodies))
        self.build = sha256(every).hexdigest()[:16]
        """Names the files: ``/static/<build>/page.js``."""
        # Filled in for each game (`bot.fronts.web.sharing`).
        del bodies["shared.html"]
        modules = [
            name for name in sorted(bodies) if name.endswith(".js") and name not in _NO_MODULES
        ]
        folder = f"{base}static/{self.build}"
        page = wire.page(html, base=base, folder=folder, modules=modules)
        self._base = base
        self._page = _File("index.html", page.encode())
        self._files = {name: _File(name, body) for name, body in bodies.items()}

    async def page(self, request: web.Request) -> web.Response:
        return _response(request, self._page, "no-cache")

    async def file(self, request: web.Request) -> web.Response:
        """Return a file. Raises 404, also for those of another version."""
        name = request.match_info["name"]
        found = self._files.get(name)
        if found is None or request.match_info["build"] != self.build:
            raise web.HTTPNotFound
        response = _response(request, found, _FOR_EVER)
        if name == "worker.js":
            response.headers["Service-Worker-Allowed"] = self._base
        return response


def _response(request: web.Request, file: _File, caching: str) -> web.Response:
    headers: dict[str, str] = {
        hdrs.ETAG: file.tag,
        hdrs.CACHE_CONTROL: caching,
        hdrs.VARY: hdrs.ACCEPT_ENCODING,
    }
    if request.headers.get(hdrs.IF_NONE_MATCH) == file.tag:
        return web.Response(status=304, headers=headers)
    body = file.body
    if file.compressed is not None and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
        body, headers[hdrs.CONTENT_ENCODING] = file.compressed, "gzip"
    charset = None if file.type.startswith(("font/", "image/png")) else "utf-8"
    return web.Response(body=body, content_type=file.type, charset=charset, headers=headers)
