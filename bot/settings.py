"""Settings from ``config.toml`` and the environment, and what is wrong with them.

The environment overrides the file. A variable is the key in capitals, with two underscores between
section and key, and commas in lists: ``AZUMAYA_WEB__CHANNELS=lounge,garden``.

`SettingsError` has a line for each mistake::

    config.toml:7: web.port is 99999; allowed: a whole number from 0 to 65535
    AZUMAYA_LANGAUGE: unknown variable; did you mean AZUMAYA_LANGUAGE? Known after …

Secrets (`pydantic.SecretStr`) are never repeated in an error.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
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
_REPLACED: Mapping[str, KeyPath] = {
    "play.idle_days": ("play", "claim_days"),
    "web.forget_unplayed_days": ("house", "forget_unplayed_days"),
}
"""Keys of earlier versions, and those to use instead."""


class SettingsError(Exception):
    """Invalid settings. `problems` has a line for each mistake."""

    def __init__(self, *problems: str) -> None:
        # They quote keys, values and file names with arbitrary characters.
        self.problems = tuple(
            "".join(c if c.isprintable() else ascii(c)[1:-1] for c in problem)
            for problem in problems
        )
        super().__init__("\n".join(self.problems))


def _not_a_truth(value: object) -> object:
    """Refuse ``true`` for a number, which pydantic would take for 1."""
    if isinstance(value, bool):
        raise ValueError("a number")  # noqa: TRY004 - pydantic collects ValueErrors
    return value


def _split(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _some_and_all_different(values: tuple[str, ...]) -> tuple[str, ...]:
    # pydantic would report min_length as well for a list whose only value is wrong.
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
    """Split ``127.0.0.1:9300`` or ``[::1]:9300``. Raises ValueError."""
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
"""Incomplete addresses, and those of PostgreSQL's own tools."""


def is_url(text: str) -> bool:
    """Return whether this is, or is meant to be, a server's address. It may contain a password."""
    return "://" in text or _LIKE_A_SERVER.search(text) is not None


def _names_a_database(value: object) -> Path | SecretStr:
    """A server's URL is secret because of its password, a file's path is not."""
    if isinstance(value, str) and is_url(value):
        value = SecretStr(value)
    if isinstance(value, SecretStr) and database_urls.read(value.get_secret_value()):
        return value
    if isinstance(value, str | Path):
        return _names_a_file(Path(value))
    raise ValueError("neither")


A_DATABASE = f"the path of a file, or {database_urls.HOW_TO_WRITE_ONE}"
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
    Field(description="an address like 127.0.0.1, 0.0.0.0 or ::1, or a host name"),
]
ListenAddress = Annotated[
    str,
    AfterValidator(_names_a_port),
    Field(description='a host and port like 127.0.0.1:9300 or [::1]:9300, or "" for none'),
]
ChannelName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9-]{1,32}$"),
    Field(description="a name of 1 to 32 characters from a-z, 0-9 and -"),
]
Origin = Annotated[
    str,
    StringConstraints(pattern=r"^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$"),
    Field(description="an origin like https://play.example.org, in lower case, without a path"),
]
BaseUrl = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?[^\s/?#]$"),
    Field(description="an address like https://api.telegram.org, without a slash at the end"),
]
HookUrl = Annotated[
    str,
    StringConstraints(pattern=r"^(https?://[^\s/?#]+(/[^\s?#]*)?)?$"),
    Field(description="an address like https://play.example.org/telegram, or empty"),
]
HookPath = Annotated[
    str,
    StringConstraints(pattern=r"^/[A-Za-z0-9._~/-]{0,127}$"),
    Field(description="a path like /telegram"),
]
DiscordToken = Annotated[
    SecretStr,
    # Discord promises no more. `bot.doctor` checks more strictly.
    AfterValidator(partial(_matches, re.compile(r"([\w-]+\.[\w-]+\.[\w-]+)?", re.ASCII))),
    Field(
        description="a bot token from the developer portal, with three parts separated by dots, "
        "or empty"
    ),
]
BotToken = Annotated[
    SecretStr,
    AfterValidator(partial(_matches, re.compile(r"([0-9]{1,20}:[A-Za-z0-9_-]{30,64})?"))),
    Field(description="a token from BotFather, or empty"),
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
    Field(description="an address like 127.0.0.1 or ::1, or a network like 172.16.0.0/12"),
]
Proxies = Annotated[tuple[ProxyAddress, ...], NoDecode, BeforeValidator(_split)]


Line = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,120}$"),
    Field(description="a line of up to 120 characters, or empty"),
]
PageUrl = Annotated[
    str,
    StringConstraints(pattern=r"^(https?://[!-~]{1,240})?$"),
    Field(description="an address like https://example.org/privacy, or empty"),
]
PlaceName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z]{1,16}:[!-~]{1,40}$"),
    Field(description="the name of a channel, server or group, like telegram:-1001234567890"),
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
        description="an address that starts with https:// or http:// and has no slash at the end"
    ),
]
SocketAddress = Annotated[
    str,
    StringConstraints(pattern=r"^(wss?://[!-~]+)?$"),
    Field(description='an address that starts with wss:// or ws://, or "" for Discord\'s own'),
]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


LogFormat = Literal["text", "json"]


class LogSettings(_Section):
    """Logging to stderr."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: LogFormat = "text"


class MetricsSettings(_Section):
    """The address for Prometheus. No metrics without it."""

    address: ListenAddress = ""


class WebSettings(_Section):
    """The local web app."""

    enabled: bool = True
    host: HostName = "127.0.0.1"
    port: Whole = Field(default=8460, ge=0, le=65535)
    """0: any free port."""
    channels: ChannelNames = Field(
        default=("lounge", "garden"),
        max_length=32,
        description="1 to 32 different names, each of 1 to 32 characters from a-z, 0-9 and -",
    )
    origins: Origins = Field(
        default=(), max_length=32, description="up to 32 origins like https://play.example.org"
    )
    """Origins that may connect, besides the app's own."""
    proxies: Proxies = Field(
        default=(),
        max_length=32,
        description="up to 32 addresses or networks like 127.0.0.1 or 172.16.0.0/12",
    )
    """Proxies whose X-Forwarded-For is trusted."""
    connections: Whole = Field(default=1000, ge=16, le=65_536)
    """Open at the same time. Reduced to the limit of open files."""
    connections_per_address: Whole = Field(default=256, ge=16, le=65_536)
    arrivals_per_minute: Whole = Field(default=60, ge=1, le=1200)
    """New users from one address, at once or spread."""
    messages_per_second: Number = Field(default=20, ge=1, le=1000, allow_inf_nan=False)
    """From all pages of one user. Short bursts may exceed it."""
    message_bytes: Whole = Field(default=8192, ge=1024, le=1_048_576)
    lines_per_hour: Whole = Field(default=300, ge=1, le=100_000)
    """Messages of one user, including commands with public answers and matches started there."""


class DiscordSettings(_Section):
    """Discord, used if a token is set."""

    token: DiscordToken = SecretStr("")
    development_guild: Whole = Field(default=0, ge=0, le=2**63 - 1)
    """If set, commands are registered only in this guild, where they appear at once."""
    shard_count: Whole = Field(default=0, ge=0, le=10_000)
    """0: the number that Discord recommends."""
    shard_ids: ShardIds = Field(
        default=(), max_length=10_000, description="whole numbers below shard_count"
    )
    """The shards of this process. Empty: all."""
    api_base: WebAddress = "https://discord.com/api/v10"
    gateway: SocketAddress = ""
    """For tests and compatible servers, as is `api_base`."""


class TelegramSettings(_Section):
    """Telegram, used if a token is set."""

    token: BotToken = SecretStr("")
    api_base: BaseUrl = "https://api.telegram.org"
    """Telegram's own, or another Bot API server."""
    webhook_url: HookUrl = ""
    """Telegram delivers updates here. Empty: long polling."""
    webhook_host: HostName = "127.0.0.1"
    webhook_port: Whole = Field(default=8461, ge=0, le=65535)
    webhook_path: HookPath = "/telegram"
    webhook_secret: HookSecret = SecretStr("")
    """Derived from the token if empty."""
    max_connections: Whole = Field(default=40, ge=1, le=100)


class HouseSettings(_Section):
    """The operator, as shown by ``/privacy``, and the places where the bot may be used."""

    name: Line = ""
    contact: Line = ""
    privacy_url: PageUrl = ""
    only_places: PlaceNames = Field(
        default=(),
        max_length=1000,
        description="up to 1000 names such as discord:81384788765712384 or telegram:-1001234567890",
    )
    """Places, servers and groups where the bot may be used. Empty: all."""
    shut_out: PlaceNames = Field(
        default=(),
        max_length=1000,
        description="up to 1000 names such as discord:81384788765712384 or telegram:-1001234567890",
    )
    """Blocked ones among them."""
    forget_unplayed_days: Whole = Field(default=30, ge=0, le=3650)
    """Users who have never played are deleted after this absence. 0: never."""


Pings = Literal["always", "away", "never"]


PINGS: tuple[Pings, ...] = get_args(Pings)


class PlaySettings(_Section):
    """Rules of play that are not a game's."""

    challenge_hours: Whole = Field(default=24, ge=1, le=720)
    leaderboard_minimum: Whole = Field(default=5, ge=1, le=1000)
    commands_per_second: Number = Field(default=5, ge=0.1, le=100, allow_inf_nan=False)
    """Of one user. Short bursts may exceed it."""
    open_challenges_per_person: Whole = Field(default=10, ge=1, le=100)
    challenges_from_one_per_day: Whole = Field(default=3, ge=1, le=1000)
    """Waiting, declined, withdrawn or expired ones to one user since their last match."""
    challenges_from_all_per_day: Whole = Field(default=20, ge=1, le=10_000)
    """Unanswered ones to one user: waiting, withdrawn, expired."""
    running_matches_per_person: Whole = Field(default=200, ge=1, le=10_000)
    claim_days: Whole = Field(default=14, ge=0, le=3650)
    """Without a move and a clock, until the waiting player can claim the match. 0: never."""
    holiday_days: Whole = Field(default=28, ge=0, le=365)
    """In 365 days, for one user. Clocks of days stand still then."""
    pings: Pings = "away"


class ComputerSettings(_Section):
    """Computer opponents."""

    enabled: bool = True
    workers: Whole = Field(default=1, ge=0, le=256)
    """Number of engine processes. 0: none in this process."""
    seconds: Number = Field(default=2, ge=0.1, le=60, allow_inf_nan=False)
    """Maximum per move."""


def _spoken(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(language)
    return language


Language = Annotated[
    str, AfterValidator(_spoken), Field(json_schema_extra={"enum": list(LANGUAGES)})
]


class Settings(BaseSettings):
    """All settings, frozen. Read them with `load`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    database: Database = Path("azumaya.db")
    language: Language = "en"
    fronts: FrontNames = Field(default=(), max_length=len(get_args(FrontName)))
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
        """The chat platforms with a token."""
        tokens = {DISCORD.name: self.discord.token, TELEGRAM.name: self.telegram.token}
        return tuple(name for name, token in tokens.items() if token.get_secret_value())

    @property
    def served(self) -> tuple[FrontName, ...]:
        there = {"web": self.web.enabled, **dict.fromkeys(self.chats, True)}
        return tuple(
            name
            for name in get_args(FrontName)
            if there.get(name, False) and name in (self.fronts or there)
        )

    @property
    def shards(self) -> dict[str, tuple[Shard, ...]]:
        count = self.discord.shard_count or 1
        numbers = (self.discord.shard_ids if self.discord.shard_count else ()) or range(count)
        parts = {
            DISCORD.name: tuple(Shard(DISCORD.name, number, count) for number in numbers),
            TELEGRAM.name: (Shard(TELEGRAM.name),),
        }
        return {name: shards for name, shards in parts.items() if name in self.served}

    def contradictions(self) -> Iterator[str]:
        """Yield a line for each contradiction between valid settings."""
        for name in self.fronts:
            if name == "web" and not self.web.enabled:
                yield "fronts contains web, but web.enabled is false"
            elif name != "web" and name not in self.chats:
                yield f"fronts contains {name}, but {name}.token is not set"
        count, ids = self.discord.shard_count, self.discord.shard_ids
        if ids and not count:
            yield "discord.shard_ids is set, but discord.shard_count is not"
        elif beyond := [number for number in ids if number >= count]:
            yield (
                f"discord.shard_ids contains {beyond[0]}, but discord.shard_count is {count}; "
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
        if isinstance(env_settings, EnvSettingsSource):
            # `load` reports unknown variables by their own name.
            env_settings.env_vars = {
                name: value
                for name, value in env_settings.env_vars.items()
                if name.upper() in _variables()
            }
        return env_settings, init_settings


def load(config: Path | None = None) -> Settings:
    """Read settings from `config`, else ``AZUMAYA_CONFIG``, else ./config.toml, if it exists.

    Raises `SettingsError`.
    """
    file = source(config)
    table, lines = _read(file) if file else ({}, {})
    origin = _Origin(file, lines)
    # BaseSettings ignores names that start with an underscore.
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
    """Return the log format, as far as it is known when settings are invalid."""
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
    """Load the variables of a file (systemd's ``EnvironmentFile``) without overriding others.

    Raises `SettingsError`, also for lines that systemd would read differently.
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
        # Never repeat the line: it may contain a password.
        where = f"{file}:{line.original.line + before.count(chr(10))}"
        if line.error or line.key is None or line.value is None:
            problems.append(f"{where}: not a line of the form NAME=value")
        elif not is_quoted and (written != line.value or "\\" in written):
            problems.append(f"{where}: {line.key} contains # or \\: put it in single quotes")
        else:
            found[line.key] = line.value
    if problems:
        raise SettingsError(*problems)
    for name, value in found.items():
        os.environ.setdefault(name, value)
    os.environ[ENV_FILE_VARIABLE] = str(file)


def variables_from() -> Path | None:
    """Return the file that `take_variables` has read, if any."""
    named = os.environ.get(ENV_FILE_VARIABLE)
    return Path(named) if named else None


def source(config: Path | None = None) -> Path | None:
    """Return the file that `load` reads, if any."""
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
    except ValueError as error:  # TOMLDecodeError, or an integer that is too large
        what, _, place = str(error).partition(" (at ")
        number = re.match(r"line (\d+)", place)
        where = f"{file}:{number[1] if number else len(text.splitlines())}"
        raise SettingsError(f"{where}: not valid TOML: {what}") from error


@cache
def _schema() -> dict[str, Any]:
    return Settings.model_json_schema()


def _rule(path: KeyPath) -> dict[str, Any]:
    rule = _schema()
    for part in path:
        rule = rule["items"] if isinstance(part, int) else rule["properties"][part]
        if "$ref" in rule:
            rule = _schema()["$defs"][rule["$ref"].rpartition("/")[2]]
    return rule


def _leaves(path: KeyPath = ()) -> Iterator[KeyPath]:
    for key in _rule(path)["properties"]:
        if "properties" in _rule((*path, key)):
            yield from _leaves((*path, key))
        else:
            yield (*path, key)


@cache
def _variables() -> dict[str, KeyPath]:
    return {_variable(path): path for path in _leaves()}


def _variable(path: Iterable[str | int]) -> str:
    return f"{PREFIX}{'__'.join(map(str, path)).upper()}"


def _given() -> dict[str, str]:
    names = {name.upper(): name for name in os.environ if name.upper().startswith(PREFIX)}
    return {capitals: name for capitals, name in names.items() if capitals not in _OF_FILES}


def _allowed(path: KeyPath) -> str:
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


@dataclass(frozen=True, slots=True)
class _Origin:
    file: Path | None
    lines: Mapping[KeyPath, int]

    def of(self, path: KeyPath) -> str:
        for capitals, name in _given().items():
            leaf = _variables().get(capitals)
            if leaf is not None and path[: len(leaf)] == leaf:
                return name
        named = (path[:end] for end in range(len(path), 0, -1))
        return f"{self.file}:{next(self.lines[part] for part in named if part in self.lines)}"


def _dotted(path: KeyPath) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)[1:]


def _unknown_variable(capitals: str) -> str:
    for key, path in _REPLACED.items():
        if capitals == _variable(key.split(".")):
            instead = f"was replaced by {_variable(path)}, see config.example.toml"
            return f"{_given()[capitals]}: {instead}"
    known = [name.removeprefix(PREFIX) for name in (*_variables(), *_OF_FILES)]
    near = get_close_matches(capitals.removeprefix(PREFIX), known, n=1)
    hint = f"; did you mean {PREFIX}{near[0]}?" if near else "."
    return f"{_given()[capitals]}: unknown variable{hint} Known after {PREFIX}: {', '.join(known)}"


def _unknown_key(path: KeyPath, origin: _Origin) -> str:
    if new := _REPLACED.get(_dotted(path)):
        instead = f"{_dotted(path)} was replaced by {_dotted(new)}, see config.example.toml"
        return f"{origin.of(path)}: {instead}"
    section, key = path[:-1], str(path[-1])
    known = [str(name) for name in _rule(section)["properties"]]
    near: list[KeyPath] = [(*section, name) for name in get_close_matches(key, known, n=1)]
    near += [leaf for leaf in _leaves() if leaf[-1] == key]
    hint = f"; did you mean {_dotted(near[0])}?" if near else "."
    return f"{origin.of(path)}: unknown key {_dotted(path)}{hint} Known here: {', '.join(known)}"


def _wrong_value(path: KeyPath, value: object, origin: _Origin) -> str:
    return f"{origin.of(path)}: {_dotted(path)} is {_shown(path, value)}; allowed: {_allowed(path)}"


def _shown(path: KeyPath, value: object) -> str:
    """Format `value` briefly, unless it may be a secret."""
    match value:
        case list() | tuple():
            return "an invalid list"
        case dict():
            return "a table"
        case bool():
            return str(value).lower()
        case _ if "writeOnly" in _rule(path) or "properties" in _rule(path):
            return "invalid"
        case SecretStr():
            return "invalid"
        case str() if is_url(value) and (path == ("database",) or "@" in value):
            # It may contain a password.
            return "invalid"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]} …"
