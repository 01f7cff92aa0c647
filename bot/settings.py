"""What can be set, from ``config.toml`` and the environment, and what is wrong with it.

The environment wins over the file; what neither sets has a default. A variable is the key in
capitals, sections joined with two underscores, lists with commas::

    [web]                                   AZUMAYA_WEB__PORT=9000
    port = 9000                             AZUMAYA_WEB__CHANNELS=lounge,garden
    channels = ["lounge", "garden"]

A file of variables, such as systemd's, is taken into the environment before (`take_variables`).
`load` reads both. Its `SettingsError` says all that is wrong at once, a line for each mistake::

    config.toml:7: web.port is 99999; allowed: a whole number from 0 to 65535
    AZUMAYA_LANGAUGE: unknown variable; did you mean AZUMAYA_LANGUAGE? Known after …

Values that are secrets (`pydantic.SecretStr`) are never repeated in an error.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from io import StringIO
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from dotenv.parser import parse_stream
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    SecretStr,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot import database_urls
from bot.platforms import DISCORD, TELEGRAM, Shard
from bot.texts import LANGUAGES
from bot.toml_lines import KeyPath, toml_lines

__all__ = [
    "A_DATABASE",
    "ComputerSettings",
    "Database",
    "DiscordSettings",
    "FrontName",
    "HouseSettings",
    "LogFormat",
    "LogSettings",
    "MetricsSettings",
    "PlaceName",
    "PlaySettings",
    "Settings",
    "SettingsError",
    "TelegramSettings",
    "WebSettings",
    "is_url",
    "load",
    "source",
    "split_address",
    "take_variables",
    "variables_from",
    "wanted_format",
]

PREFIX = "AZUMAYA_"
CONFIG_VARIABLE = "AZUMAYA_CONFIG"
ENV_FILE_VARIABLE = "AZUMAYA_ENV_FILE"
DEFAULT_CONFIG = Path("config.toml")
_OF_FILES = (CONFIG_VARIABLE, ENV_FILE_VARIABLE)
"""They say where settings are, and are none."""


class SettingsError(Exception):
    """Settings that nobody can start with; `problems` has a line for each mistake."""

    def __init__(self, *problems: str) -> None:
        # Keys, values and file names are quoted in them, with whatever characters they have.
        self.problems = tuple(
            "".join(c if c.isprintable() else ascii(c)[1:-1] for c in problem)
            for problem in problems
        )
        super().__init__("\n".join(self.problems))


def _not_a_truth(value: object) -> object:
    """Refuse ``true`` where a number stands, which pydantic would take for 1."""
    if isinstance(value, bool):
        raise ValueError("a number")  # noqa: TRY004 - pydantic collects ValueErrors
    return value


def _split(value: object) -> object:
    """A list as the environment writes it: ``lounge, garden``."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _some_and_all_different(values: tuple[str, ...]) -> tuple[str, ...]:
    # Not as min_length, which pydantic holds against a list whose only value is wrong, too.
    if not values or len(set(values)) < len(values):
        raise ValueError("none, or repeated")
    return values


def _names_a_file(path: Path) -> Path:
    if not path.name or not str(path).isprintable():
        raise ValueError("no file name")
    return path


def _is_network(text: str) -> str:
    ip_network(text, strict=False)
    return text


def _names_a_port(text: str) -> str:
    if text:
        host, port = split_address(text)
        if not re.fullmatch(r"[0-9A-Za-z._:%-]{1,255}", host) or port > 65535:
            raise ValueError("no host, or no port")
    return text


def split_address(text: str) -> tuple[str, int]:
    """The host and the port of ``127.0.0.1:9300`` or ``[::1]:9300``. Raises ValueError."""
    found = re.fullmatch(r"(?:\[([^\]]+)\]|([^:]+)):([0-9]{1,5})", text)
    if found is None:
        raise ValueError("no host and port")
    return found[1] or found[2], int(found[3])


def _matches(pattern: re.Pattern[str], secret: SecretStr) -> SecretStr:
    if not pattern.fullmatch(secret.get_secret_value()):
        raise ValueError("not of that form")
    return secret


_LIKE_A_SERVER = re.compile(
    r"^postgres(ql)?:|^(postgres(ql)?)?//.*@|\b(host|dbname|password)\s*=", re.IGNORECASE
)
"""Addresses of which something is missing, and those of PostgreSQL's own tools."""


def is_url(text: str) -> bool:
    """Is this an address of some server, or meant to be one? There may be a password in it."""
    return "://" in text or _LIKE_A_SERVER.search(text) is not None


def _names_a_database(value: object) -> Path | SecretStr:
    """The URL of a server is a secret, for a password stands in it; the path of a file is none."""
    if isinstance(value, str) and is_url(value):
        value = SecretStr(value)
    if isinstance(value, SecretStr) and database_urls.read(value.get_secret_value()):
        return value
    if isinstance(value, str | Path):
        return _names_a_file(Path(value))
    raise ValueError("neither")


A_DATABASE = f"the path of a file, or {database_urls.HOW_TO_WRITE_ONE}"
"""What can be said of where a database is, in words."""
Whole = Annotated[int, BeforeValidator(_not_a_truth)]
Number = Annotated[float, BeforeValidator(_not_a_truth)]
Database = Annotated[
    Path | SecretStr,
    PlainValidator(_names_a_database),
    WithJsonSchema({"type": "string", "description": A_DATABASE}),
]
HostName = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9A-Za-z._:%-]{1,255}$"),
    Field(description="an address such as 127.0.0.1, 0.0.0.0 or ::1, or a host name"),
]
ListenAddress = Annotated[
    str,
    AfterValidator(_names_a_port),
    Field(description='a host and a port such as 127.0.0.1:9300 or [::1]:9300, or "" for none'),
]
ChannelName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9-]{1,32}$"),
    Field(description="a name of 1 to 32 characters from a-z, 0-9 and -"),
]
Origin = Annotated[
    str,
    StringConstraints(pattern=r"^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$"),
    Field(description="an origin such as https://play.example.org, in small letters, no path"),
]
BaseUrl = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?[^\s/?#]$"),
    Field(description="an address such as https://api.telegram.org, without a slash at the end"),
]
HookUrl = Annotated[
    str,
    StringConstraints(pattern=r"^(https?://[^\s/?#]+(/[^\s?#]*)?)?$"),
    Field(description="an address such as https://play.example.org/telegram, or nothing"),
]
HookPath = Annotated[
    str,
    StringConstraints(pattern=r"^/[A-Za-z0-9._~/-]{0,127}$"),
    Field(description="a path such as /telegram"),
]
DiscordToken = Annotated[
    SecretStr,
    # Discord says no more of it; `bot.doctor` looks closer, and stops nobody.
    AfterValidator(partial(_matches, re.compile(r"([\w-]+\.[\w-]+\.[\w-]+)?", re.ASCII))),
    Field(
        description="a token as the developer portal gives it under Bot, which has three parts "
        "with dots between them, or nothing"
    ),
]
BotToken = Annotated[
    SecretStr,
    AfterValidator(partial(_matches, re.compile(r"([0-9]{1,20}:[A-Za-z0-9_-]{30,64})?"))),
    Field(description="a token as BotFather gives it, or nothing"),
]
HookSecret = Annotated[
    SecretStr,
    AfterValidator(partial(_matches, re.compile(r"[A-Za-z0-9_-]{0,256}"))),
    Field(description="up to 256 characters from A-Z, a-z, 0-9, _ and -"),
]
ChannelNames = Annotated[
    tuple[ChannelName, ...],
    NoDecode,
    BeforeValidator(_split),
    AfterValidator(_some_and_all_different),
]
Origins = Annotated[tuple[Origin, ...], NoDecode, BeforeValidator(_split)]
ProxyAddress = Annotated[
    str,
    AfterValidator(_is_network),
    Field(description="an address such as 127.0.0.1 or ::1, or a network such as 172.16.0.0/12"),
]
Proxies = Annotated[tuple[ProxyAddress, ...], NoDecode, BeforeValidator(_split)]


Line = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,120}$"),
    Field(description="a line of up to 120 characters, or nothing"),
]
PageUrl = Annotated[
    str,
    StringConstraints(pattern=r"^(https?://[!-~]{1,240})?$"),
    Field(description="an address such as https://example.org/privacy, or nothing"),
]
PlaceName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z]{1,16}:[!-~]{1,40}$"),
    Field(description="a platform and what it calls a place, such as telegram:-1001234567890"),
]
PlaceNames = Annotated[tuple[PlaceName, ...], NoDecode, BeforeValidator(_split)]
FrontName = Literal["web", "discord", "telegram"]
FrontNames = Annotated[
    tuple[FrontName, ...],
    NoDecode,
    BeforeValidator(_split),
    Field(description="names of fronts: web, discord, telegram"),
]
ShardId = Annotated[int, Field(ge=0, le=9999), BeforeValidator(_not_a_truth)]
ShardIds = Annotated[tuple[ShardId, ...], NoDecode, BeforeValidator(_split)]
WebAddress = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[!-~]+[^/]$"),
    Field(
        description="an address that begins with https:// or http:// and has no slash at its end"
    ),
]
SocketAddress = Annotated[
    str,
    StringConstraints(pattern=r"^(wss?://[!-~]+)?$"),
    Field(description='an address that begins with wss:// or ws://, or "" for Discord\'s own'),
]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


LogFormat = Literal["text", "json"]


class LogSettings(_Section):
    """What is logged, and how it is written to stderr."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: LogFormat = "text"


class MetricsSettings(_Section):
    """Figures for Prometheus, on an address of their own; without one there are none."""

    address: ListenAddress = ""


class WebSettings(_Section):
    """The local web table."""

    enabled: bool = True
    host: HostName = "127.0.0.1"
    port: Whole = Field(default=8460, ge=0, le=65535)
    """0 takes any free port."""
    channels: ChannelNames = Field(
        default=("lounge", "garden"),
        max_length=32,
        description="1 to 32 different names, each of 1 to 32 characters from a-z, 0-9 and -",
    )
    origins: Origins = Field(
        default=(), max_length=32, description="up to 32 origins such as https://play.example.org"
    )
    """Origins whose pages may connect, beside the table's own."""
    proxies: Proxies = Field(
        default=(),
        max_length=32,
        description="up to 32 addresses or networks such as 127.0.0.1 or 172.16.0.0/12",
    )
    """Proxies that are believed when they say (X-Forwarded-For) whose requests they pass on."""
    connections: Whole = Field(default=1000, ge=16, le=65_536)
    """Open at the same time; fewer where the system allows this process fewer files."""
    connections_per_address: Whole = Field(default=256, ge=16, le=65_536)
    arrivals_per_minute: Whole = Field(default=60, ge=1, le=1200)
    """New people from one address, all at once or spread."""
    messages_per_second: Number = Field(default=20, ge=1, le=1000, allow_inf_nan=False)
    """Of one person, from all their pages together; short bursts may exceed it."""
    message_bytes: Whole = Field(default=8192, ge=1024, le=1_048_576)
    """The longest message taken from a browser."""
    lines_per_hour: Whole = Field(default=300, ge=1, le=100_000)
    """What one person may write; commands count where everybody in a room reads the answer, and so
    does a match that begins there."""


class DiscordSettings(_Section):
    """Discord; Azumaya is there when a token is set."""

    token: DiscordToken = SecretStr("")
    development_guild: Whole = Field(default=0, ge=0, le=2**63 - 1)
    """Commands are registered in this guild alone, where they appear at once; 0: everywhere."""
    shard_count: Whole = Field(default=0, ge=0, le=10_000)
    """0: as many as Discord recommends."""
    shard_ids: ShardIds = Field(
        default=(), max_length=10_000, description="whole numbers below shard_count"
    )
    """The shards that this process serves; none named: all of them."""
    api_base: WebAddress = "https://discord.com/api/v10"
    gateway: SocketAddress = ""
    """For tests and compatible servers, as is `api_base`."""


class TelegramSettings(_Section):
    """The bot on Telegram; without a token there is none."""

    token: BotToken = SecretStr("")
    api_base: BaseUrl = "https://api.telegram.org"
    """Where the Bot API is: Telegram's own, or a Bot API server of one's own."""
    webhook_url: HookUrl = ""
    """Where Telegram delivers updates; without it they are fetched (long polling)."""
    webhook_host: HostName = "127.0.0.1"
    webhook_port: Whole = Field(default=8461, ge=0, le=65535)
    webhook_path: HookPath = "/telegram"
    webhook_secret: HookSecret = SecretStr("")
    """Without it one is made from the token."""
    max_connections: Whole = Field(default=40, ge=1, le=100)


class HouseSettings(_Section):
    """Who runs this house, for those who ask what is kept of them (``/privacy``), and where."""

    name: Line = ""
    contact: Line = ""
    """Where they answer: an address of mail, a page."""
    privacy_url: PageUrl = ""
    """Where the host has put `docs/privacy.md`, or a page of their own."""
    only_places: PlaceNames = Field(
        default=(),
        max_length=1000,
        description="up to 1000 names such as discord:81384788765712384 or telegram:-1001234567890",
    )
    """The places, servers and groups that the house is in; none named: all."""
    shut_out: PlaceNames = Field(
        default=(),
        max_length=1000,
        description="up to 1000 names such as discord:81384788765712384 or telegram:-1001234567890",
    )
    """Those of them that it is not in."""
    forget_unplayed_days: Whole = Field(default=30, ge=0, le=3650)
    """People of whatever platform who have never played and were not here for so long are
    forgotten; 0: never."""


Pings = Literal["always", "away", "never"]
"""When somebody is called to their turn: every time, when they are not there, never."""


PINGS: tuple[Pings, ...] = get_args(Pings)


class PlaySettings(_Section):
    """The rules of the house, which no game knows."""

    challenge_hours: Whole = Field(default=24, ge=1, le=720)
    leaderboard_minimum: Whole = Field(default=5, ge=1, le=1000)
    """Matches that count before somebody is listed."""
    commands_per_second: Number = Field(default=5, ge=0.1, le=100, allow_inf_nan=False)
    """For one person; short bursts may exceed it."""
    open_challenges_per_person: Whole = Field(default=10, ge=1, le=100)
    challenges_from_one_per_day: Whole = Field(default=3, ge=1, le=1000)
    """To one other, that came to nothing (waiting, declined, withdrawn, expired) since both last
    played together."""
    challenges_from_all_per_day: Whole = Field(default=20, ge=1, le=10_000)
    """To one person, that they have not answered: waiting, withdrawn, expired."""
    running_matches_per_person: Whole = Field(default=200, ge=1, le=10_000)
    idle_days: Whole = Field(default=60, ge=0, le=3650)
    """Without a move, after which both are asked whether they play on; a week later the match ends
    without a result. 0: never."""
    holiday_days: Whole = Field(default=28, ge=0, le=365)
    """That one person may be on holiday in 365 days, in which clocks of days stand still."""
    pings: Pings = "away"
    """For those who have chosen nothing, in places where nothing else is usual."""


class ComputerSettings(_Section):
    """Computers, who play with whoever wants to."""

    enabled: bool = True
    """Does the house have them at all?"""
    workers: Whole = Field(default=1, ge=0, le=256)
    """Processes that think at the same time; 0: nobody does in this process."""
    seconds: Number = Field(default=2, ge=0.1, le=60, allow_inf_nan=False)
    """For a move, at most."""


def _spoken(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(language)
    return language


Language = Annotated[
    str, AfterValidator(_spoken), Field(json_schema_extra={"enum": list(LANGUAGES)})
]


class Settings(BaseSettings):
    """All settings. Frozen; read them with `load`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    database: Database = Path("azumaya.db")
    """The path of a SQLite file, or the ``postgresql://`` URL of a server that many can share."""
    language: Language = "en"
    """For people and places that have not chosen one, and whose platform names none."""
    fronts: FrontNames = Field(default=(), max_length=len(get_args(FrontName)))
    """Those that this process serves; none named: all that there is something set for."""
    log: LogSettings = LogSettings()
    web: WebSettings = WebSettings()
    discord: DiscordSettings = DiscordSettings()
    telegram: TelegramSettings = Field(default_factory=TelegramSettings)
    play: PlaySettings = PlaySettings()
    house: HouseSettings = HouseSettings()
    metrics: MetricsSettings = MetricsSettings()
    computer: ComputerSettings = ComputerSettings()

    @property
    def chats(self) -> tuple[str, ...]:
        """The chat platforms that there is a token for."""
        tokens = {DISCORD.name: self.discord.token, TELEGRAM.name: self.telegram.token}
        return tuple(name for name, token in tokens.items() if token.get_secret_value())

    @property
    def served(self) -> tuple[FrontName, ...]:
        """The fronts that this process serves."""
        there = {"web": self.web.enabled, **dict.fromkeys(self.chats, True)}
        return tuple(
            name
            for name in get_args(FrontName)
            if there.get(name, False) and name in (self.fronts or there)
        )

    @property
    def shards(self) -> dict[str, tuple[Shard, ...]]:
        """The parts of chat platforms that this process is to speak for."""
        count = self.discord.shard_count or 1
        numbers = (self.discord.shard_ids if self.discord.shard_count else ()) or range(count)
        parts = {
            DISCORD.name: tuple(Shard(DISCORD.name, number, count) for number in numbers),
            TELEGRAM.name: (Shard(TELEGRAM.name),),
        }
        return {name: shards for name, shards in parts.items() if name in self.served}

    def contradictions(self) -> Iterator[str]:
        """What is allowed by itself, and not together: a line each."""
        for name in self.fronts:
            if name == "web" and not self.web.enabled:
                yield "fronts names web, and web.enabled is false"
            elif name != "web" and name not in self.chats:
                yield f"fronts names {name}, and {name}.token is not set"
        count, ids = self.discord.shard_count, self.discord.shard_ids
        if ids and not count:
            yield "discord.shard_ids are set, and discord.shard_count is not: of how many?"
        elif beyond := [number for number in ids if number >= count]:
            yield (
                f"discord.shard_ids names {beyond[0]}, and discord.shard_count is {count}; "
                f"allowed: whole numbers from 0 to {count - 1}"
            )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment, then what `load` found in the file; nothing else."""
        if isinstance(env_settings, EnvSettingsSource):
            # `load` names the unknown ones; here they would only surface as somebody else's key.
            env_settings.env_vars = {
                name: value
                for name, value in env_settings.env_vars.items()
                if name.upper() in _variables()
            }
        return env_settings, init_settings


def load(config: Path | None = None) -> Settings:
    """The settings from `config`, else ``AZUMAYA_CONFIG``, else ./config.toml if there is one.

    Raises `SettingsError`.
    """
    file = source(config)
    table, lines = _read(file) if file else ({}, {})
    origin = _Origin(file, lines)
    # BaseSettings keeps names with an underscore in front for itself, so it never sees them.
    known = {key: value for key, value in table.items() if key in Settings.model_fields}
    problems = [_unknown_variable(name) for name in _given() if name not in _variables()]
    problems += [_unknown_key((key,), origin) for key in table if key not in known]
    try:
        settings = Settings(**known)
    except ValidationError as error:
        for mistake in error.errors():
            if mistake["type"] == "extra_forbidden":
                problems.append(_unknown_key(mistake["loc"], origin))
            else:
                problems.append(_wrong_value(mistake["loc"], mistake["input"], origin))
        raise SettingsError(*problems) from None
    if problems := problems or list(settings.contradictions()):
        raise SettingsError(*problems)
    return settings


def wanted_format(config: Path | None = None) -> object:
    """How the log is wanted, as far as that can be known where settings are wrong."""
    for capitals, name in _given().items():
        if capitals == f"{PREFIX}LOG__FORMAT":
            return os.environ[name]
    try:
        file = source(config)
        log = _read(file)[0].get("log") if file else None
    except SettingsError:
        return None
    return log.get("format") if isinstance(log, dict) else None


def take_variables(file: Path) -> None:
    """Take variables from a file as systemd has them (``EnvironmentFile``), for all of the process.

    All of them, for ``PGPASSWORD`` and the like may stand there, too. What is in the environment
    already wins. Raises `SettingsError`, also for lines that systemd would read otherwise.
    """
    try:
        lines = list(parse_stream(StringIO(file.read_text(encoding="utf-8"))))
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file}: not UTF-8 text") from error
    problems, found = [], dict[str, str]()
    for line in lines:
        text = line.original.string.strip()
        if not text or text.startswith(("#", ";")):
            continue
        before = line.original.string.partition(text)[0]
        written = text.partition("=")[2].strip()
        is_quoted = written.startswith(("'", '"'))
        # No part of it is said again: it may be a password.
        where = f"{file}:{line.original.line + before.count(chr(10))}"
        if line.error or line.key is None or line.value is None:
            problems.append(f"{where}: not a line of the form NAME=value")
        elif not is_quoted and (written != line.value or "\\" in written):
            problems.append(f"{where}: {line.key} holds # or \\: put the value in single quotes")
        else:
            found[line.key] = line.value
    if problems:
        raise SettingsError(*problems)
    for name, value in found.items():
        os.environ.setdefault(name, value)
    os.environ[ENV_FILE_VARIABLE] = str(file)


def variables_from() -> Path | None:
    """The file that `take_variables` has read, None where there was none."""
    named = os.environ.get(ENV_FILE_VARIABLE)
    return Path(named) if named else None


def source(config: Path | None = None) -> Path | None:
    """The file that `load` reads, None where there is none."""
    return config or _chosen_file()


def _chosen_file() -> Path | None:
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    return DEFAULT_CONFIG if DEFAULT_CONFIG.exists() else None


def _read(file: Path) -> tuple[dict[str, Any], Mapping[KeyPath, int]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
        return tomllib.loads(text), toml_lines(text)
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{file}:{line}: not UTF-8 text") from error
    except ValueError as error:  # TOMLDecodeError, and integers beyond all bounds
        what, _, place = str(error).partition(" (at ")
        number = re.match(r"line (\d+)", place)
        where = f"{file}:{number[1] if number else len(text.splitlines())}"
        raise SettingsError(f"{where}: not valid TOML: {what}") from error


# What there is to set, and what is allowed: the models know, as a JSON schema.


@cache
def _schema() -> dict[str, Any]:
    return Settings.model_json_schema()


def _rule(path: KeyPath) -> dict[str, Any]:
    """What the schema says about the value at `path`."""
    rule = _schema()
    for part in path:
        rule = rule["items"] if isinstance(part, int) else rule["properties"][part]
        if "$ref" in rule:
            rule = _schema()["$defs"][rule["$ref"].rpartition("/")[2]]
    return rule


def _leaves(path: KeyPath = ()) -> Iterator[KeyPath]:
    """The paths of all keys that hold a value."""
    for key in _rule(path)["properties"]:
        if "properties" in _rule((*path, key)):
            yield from _leaves((*path, key))
        else:
            yield (*path, key)


@cache
def _variables() -> dict[str, KeyPath]:
    """The names of all environment variables that set something."""
    return {f"{PREFIX}{'__'.join(map(str, path)).upper()}": path for path in _leaves()}


def _given() -> dict[str, str]:
    """Our variables in the environment, by their name in capitals."""
    names = {name.upper(): name for name in os.environ if name.upper().startswith(PREFIX)}
    return {capitals: name for capitals, name in names.items() if capitals not in _OF_FILES}


def _allowed(path: KeyPath) -> str:
    """What the value at `path` may be, in words."""
    match _rule(path):
        case {"properties": keys}:
            return f"a table with the keys {', '.join(keys)}"
        case {"description": words}:
            return str(words)
        case {"enum": choices}:
            return ", ".join(choices)
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
        case {"minimum": least, "maximum": most}:
            return f"a number from {least:g} to {most:g}"
        case rule:
            raise AssertionError(f"no words for {rule}")


# What is wrong, a line each.


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where values came from."""

    file: Path | None
    lines: Mapping[KeyPath, int]

    def of(self, path: KeyPath) -> str:
        """The variable, or the file and line, that set the value at `path`."""
        for capitals, name in _given().items():
            leaf = _variables().get(capitals)
            if leaf is not None and path[: len(leaf)] == leaf:
                return name
        named = (path[:end] for end in range(len(path), 0, -1))
        return f"{self.file}:{next(self.lines[part] for part in named if part in self.lines)}"


def _dotted(path: KeyPath) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)[1:]


def _unknown_variable(capitals: str) -> str:
    known = [name.removeprefix(PREFIX) for name in (*_variables(), *_OF_FILES)]
    near = get_close_matches(capitals.removeprefix(PREFIX), known, n=1)
    hint = f"; did you mean {PREFIX}{near[0]}?" if near else "."
    return f"{_given()[capitals]}: unknown variable{hint} Known after {PREFIX}: {', '.join(known)}"


def _unknown_key(path: KeyPath, origin: _Origin) -> str:
    section, key = path[:-1], str(path[-1])
    known = [str(name) for name in _rule(section)["properties"]]
    near: list[KeyPath] = [(*section, name) for name in get_close_matches(key, known, n=1)]
    near += [leaf for leaf in _leaves() if leaf[-1] == key]
    hint = f"; did you mean {_dotted(near[0])}?" if near else "."
    return f"{origin.of(path)}: unknown key {_dotted(path)}{hint} Known here: {', '.join(known)}"


def _wrong_value(path: KeyPath, value: object, origin: _Origin) -> str:
    return f"{origin.of(path)}: {_dotted(path)} is {_shown(path, value)}; allowed: {_allowed(path)}"


def _shown(path: KeyPath, value: object) -> str:
    """`value` in a few characters, unless a secret stands there or may have got there."""
    match value:
        case list() | tuple():
            return "a list like that"
        case dict():
            return "a table"
        case bool():
            return str(value).lower()
        case _ if "writeOnly" in _rule(path) or "properties" in _rule(path):
            return "something else"
        case SecretStr():
            return "something else"
        case str() if is_url(value) and (path == ("database",) or "@" in value):
            # There may be a password in it.
            return "something else"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]} …"
