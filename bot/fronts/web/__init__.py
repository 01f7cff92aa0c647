"""The web app: rooms, boards and commands in a browser, without an account.

``/socket`` is a WebSocket with JSON frames. The page sends the models of `wire`, each with an
``id`` that comes back in one ``done``. The server sends ``welcome`` (user, rooms),
``message``, ``gone``, ``rooms``, ``people``, ``words``, and ``farewell`` after account deletion.

Every message has a stamp that rises with each change, and messages are sent in the order of stamps.
A page that reconnects sends the highest stamp it has seen and gets what it missed.
"""

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from ipaddress import ip_network
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from bot.fronts.base import Registration
from bot.fronts.http.addresses import is_loopback
from bot.support import setting_types as types
from bot.support.platforms import WEB, Medium
from bot.support.settings import RoomSettings, Settings

_PORT_SECONDS, _MOST_READ = 2.0, 1024


def _some_and_all_different(values: tuple[str, ...]) -> tuple[str, ...]:
    # pydantic would report min_length as well for a list whose only value is wrong.
    if not values or len(set(values)) < len(values):
        raise ValueError("none, or repeated")
    return values


def _is_network(text: str) -> str:
    ip_network(text, strict=False)
    return text


_Channel = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9-]{1,32}$", description="a name of 1 to 32 characters from a-z, 0-9 and -"
    ),
]
_Origin = Annotated[
    str,
    Field(
        pattern=r"^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$",
        description="an origin like https://play.example.org, in lower case, without a path",
    ),
]
_Proxy = Annotated[
    str,
    AfterValidator(_is_network),
    Field(description="an address like 127.0.0.1 or ::1, or a network like 172.16.0.0/12"),
]


class WebSettings(RoomSettings):
    """The local web app."""

    enabled: bool = True
    host: str = types.host("127.0.0.1")
    port: types.Whole = Field(default=8460, ge=0, le=65535)
    """0: any free port."""
    channels: Annotated[types.Several[_Channel], AfterValidator(_some_and_all_different)] = Field(
        default=("lounge", "garden"),
        max_length=32,
        description="1 to 32 different names, each of 1 to 32 characters from a-z, 0-9 and -",
    )
    origins: types.Several[_Origin] = Field(
        default=(), max_length=32, description="up to 32 origins like https://play.example.org"
    )
    """Origins that may connect, besides the app's own and that of `public_url`."""
    proxies: types.Several[_Proxy] = Field(
        default=(),
        max_length=32,
        description="up to 32 addresses or networks like 127.0.0.1 or 172.16.0.0/12",
    )
    """Proxies whose X-Forwarded-For is trusted."""
    connections: types.Whole = Field(default=1000, ge=16, le=65_536)
    """Open at the same time. Reduced to the limit of open files."""
    connections_per_address: types.Whole = Field(default=256, ge=16, le=65_536)
    arrivals_per_minute: types.Whole = Field(default=60, ge=1, le=1200)
    """New users from one address, at once or spread."""
    messages_per_second: types.Number = Field(default=20, ge=1, le=1000, allow_inf_nan=False)
    """From all pages of one user. Short bursts may exceed it."""
    message_bytes: types.Whole = Field(default=8192, ge=1024, le=1_048_576)

    @property
    def base(self) -> str:
        """The path of the app, with slashes around it."""
        return f"{urlsplit(self.public_url).path.rstrip('/')}/"

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        url = urlsplit(self.public_url)
        return (*self.origins, f"{url.scheme}://{url.netloc}") if url.netloc else self.origins

    @property
    def missing(self) -> str:
        return "" if self.enabled else "enabled is false"


def _check_port(settings: Settings) -> Iterator[str]:
    web = settings.of(WebSettings)
    if web.enabled and not is_loopback(web.host) and not web.allowed_origins:
        yield (
            f"· The web app listens on {web.host} without TLS and is open to anyone who can "
            "reach it. Put a proxy in front of it (see SECURITY.md)."
        )
    if not web.enabled or not web.port:
        return
    host = "127.0.0.1" if web.host == "0.0.0.0" else "::1" if web.host == "::" else web.host  # noqa: S104 - not bound
    connection = HTTPConnection(host, web.port, timeout=_PORT_SECONDS)
    try:
        connection.request("GET", "/healthz")
        is_ours = json.loads(connection.getresponse().read(_MOST_READ)) == {"alive": True}
    except ConnectionRefusedError:
        yield f"✓ Port {web.port} is free for the web app."
        return
    except (OSError, HTTPException, ValueError):
        is_ours = False
    finally:
        connection.close()
    if is_ours:
        yield f"✓ Azumaya is running and answers on port {web.port}."
    else:
        yield (
            f"✗ Port {web.port} is taken, and no Azumaya answers there. Stop that program, or set "
            "another web.port."
        )


_CAN_PUSH = find_spec("cryptography") is not None

FRONT = Registration(
    Medium(
        WEB,
        notifies=False,
        pushes=_CAN_PUSH,
        repeats=False,
        opens_boards=True,
        steps=True,
        animates=False,
        shows_offers=True,
    ),
    "bot.fronts.web.server:Web",
    section=WebSettings,
    checks={"the port": _check_port},
)
