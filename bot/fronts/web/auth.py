"""Who may come in: pages of our own origin, browsers with a secret in their cookie."""

from hashlib import sha256
from ipaddress import ip_address
from secrets import token_urlsafe
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from bot.platforms import WEB
from bot.sessions import NewSession
from bot.settings import WebSettings

__all__ = [
    "COMMUNITY",
    "COOKIE",
    "PLATFORM",
    "browser_of",
    "is_own_origin",
    "new_session",
    "set_cookie",
    "token_hash",
]

PLATFORM: Final = WEB.name
COMMUNITY: Final = PLATFORM
"""All rooms of the table belong together: whoever is here may be named here."""
COOKIE: Final = "azumaya"
_A_YEAR = 365 * 24 * 3600
_LONGEST_COOKIE = 128


# --- origins --------------------------------------------------------------------------------


def is_own_origin(request: web.BaseRequest, settings: WebSettings) -> bool:
    """Does this request come from a page of ours, or from no page at all?

    A table on the loopback address answers only to loopback names: any other name that leads
    here belongs to a page that wants to reach into this machine (DNS rebinding).
    """
    allowed = {urlsplit(origin).netloc for origin in settings.origins}
    host = request.host.lower()
    if _is_loopback(settings.host) and not (_is_loopback(_name(host)) or host in allowed):
        return False
    origin = request.headers.get("Origin")
    own = (f"http://{host}", f"https://{host}", *settings.origins)
    return origin is None or origin.lower() in own


def _name(netloc: str) -> str:
    """The host without its port."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


# --- cookies --------------------------------------------------------------------------------


def token_hash(request: web.BaseRequest) -> str | None:
    """The hash of the cookie's secret, by which its session is found. None without a cookie."""
    token = request.cookies.get(COOKIE, "")
    return _hashed(token) if 0 < len(token) <= _LONGEST_COOKIE else None


def _hashed(token: str) -> str:
    # The secret has 256 bits of its own; a slow hash would add nothing.
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def set_cookie(response: web.StreamResponse, request: web.BaseRequest, token: str) -> None:
    """Let this browser be known by `token`; an empty one forgets it."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=_A_YEAR if token else 0,
        path="/",
        httponly=True,
        samesite="Strict",
        secure=request.headers.get("Origin", "").startswith("https:"),
    )


_BROWSERS = (
    # What comes first counts: most of them claim to be the ones below, too.
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
    """A few words by which people tell their browsers apart, such as "Firefox, Linux"; or "".

    Coarse on purpose: nothing of what the browser says of itself is kept but these words.
    """
    agent = request.headers.get("User-Agent", "")
    found = (
        next((name for part, name in known if part in agent), "") for known in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(word for word in found if word)


def new_session(request: web.Request) -> tuple[NewSession, str]:
    """A session for the browser that asks, and the secret for its cookie."""
    token = token_urlsafe(32)
    return NewSession(_hashed(token), browser_of(request)), token
