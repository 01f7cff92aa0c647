"""Origins and session cookies."""

from hashlib import sha256
from secrets import token_urlsafe
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from bot.fronts.http.addresses import is_loopback
from bot.fronts.web import WebSettings
from bot.store.sessions import NewSession

COOKIE: Final = "azumaya"
_A_YEAR = 365 * 24 * 3600
_LONGEST_COOKIE = 128


def is_own_origin(request: web.BaseRequest, settings: WebSettings) -> bool:
    """True for our own page, or for none. Guards loopback addresses against DNS rebinding."""
    allowed = {urlsplit(origin).netloc for origin in settings.allowed_origins}
    host = request.host.lower()
    if is_loopback(settings.host) and not (is_loopback(_name(host)) or host in allowed):
        return False
    origin = request.headers.get("Origin")
    own = (f"http://{host}", f"https://{host}", *settings.allowed_origins)
    return origin is None or origin.lower() in own


def _name(netloc: str) -> str:
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def token_hash(request: web.BaseRequest) -> str | None:
    """Return the hash of the cookie's secret, which identifies the session."""
    token = request.cookies.get(COOKIE, "")
    return _hashed(token) if 0 < len(token) <= _LONGEST_COOKIE else None


def _hashed(token: str) -> str:
    # The secret has 256 bits: a slow hash would add nothing.
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def set_cookie(
    response: web.StreamResponse, request: web.BaseRequest, token: str, *, path: str
) -> None:
    """Set the session cookie. An empty token deletes it. `path`: the app's."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=_A_YEAR if token else 0,
        path=path,
        httponly=True,
        samesite="Strict",
        secure=request.headers.get("Origin", "").startswith("https:"),
    )


_BROWSERS = (
    # The first match counts: most browsers also claim to be one below.
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_of(request: web.BaseRequest) -> str:
    """Return a name like "Firefox, Linux", or "". Nothing else of the User-Agent is stored."""
    agent = request.headers.get("User-Agent", "")
    found = (
        next((name for part, name in known if part in agent), "") for known in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(word for word in found if word)


def new_session(request: web.Request) -> tuple[NewSession, str]:
    """Return a new session, and the secret for its cookie."""
    token = token_urlsafe(32)
    return NewSession(_hashed(token), browser_of(request)), token
