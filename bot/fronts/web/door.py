"""Who may come in: pages of our own origin, people with a cookie, names that are free."""

from hashlib import sha256
from ipaddress import ip_address
from secrets import token_urlsafe
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from bot.house import House
from bot.model import User
from bot.settings import WebSettings
from bot.store import people
from bot.texts import LANGUAGES

__all__ = [
    "COMMUNITY",
    "COOKIE",
    "PLATFORM",
    "arrive",
    "identity",
    "is_own_origin",
    "set_cookie",
]

PLATFORM: Final = "web"
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


def identity(request: web.BaseRequest) -> str | None:
    """Who asks, as we store it: the hash of the cookie's secret. None without a cookie."""
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


# --- names ----------------------------------------------------------------------------------


async def arrive(house: House, name: str, language: str) -> tuple[User, str]:
    """Make a person called `name`; gives the secret for their cookie, too. Raises `Refused`."""
    token = token_urlsafe(32)
    user = await house.names.choose(PLATFORM, _hashed(token), name, idle_since=int(house.clock()))
    if language in LANGUAGES:
        user = await people.change_user(house.store, user.id, language=language)
    return user, token
