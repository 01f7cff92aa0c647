"""Settings from ``config.toml`` and the environment, and what is wrong with them.

The environment overrides the file. A variable is the key in capitals, with two underscores between
section and key, and commas in lists: ``AZUMAYA_WEB__CHANNELS=lounge,garden``.

`SettingsError` has a line for each mistake::

    config.toml: web.port is 99999; allowed: a whole number from 0 to 65535
    AZUMAYA_LANGAUGE: unknown variable; did you mean AZUMAYA_LANGUAGE? Known after …

Secrets (`pydantic.SecretStr`) are never repeated in an error.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from dotenv.parser import parse_stream
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, create_model
from pydantic_core import ErrorDetails

from bot.support import setting_types as types
from bot.support.platforms import KNOWN, Shard

PREFIX = "AZUMAYA_"
CONFIG_VARIABLE = "AZUMAYA_CONFIG"
ENV_FILE_VARIABLE = "AZUMAYA_ENV_FILE"
DEFAULT_CONFIG = Path("config.toml")
_OF_FILES = (CONFIG_VARIABLE, ENV_FILE_VARIABLE)
KeyPath = tuple[str | int, ...]
"""Keys and list indices, from the outermost inwards."""


class SettingsError(Exception):
    """Invalid settings. `problems` has a line for each mistake."""

    def __init__(self, *problems: str) -> None:
        # They quote keys, values and file names with arbitrary characters.
        self.problems = tuple(
            "".join(c if c.isprintable() else ascii(c)[1:-1] for c in problem)
            for problem in problems
        )
        super().__init__("\n".join(self.problems))


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FrontSettings(_Section):
    """A section of a front. Each says what is missing to serve the front."""

    @property
    def missing(self) -> str:
        return ""

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The parts that only one process at a time may serve."""
        return ()

    def contradictions(self) -> Iterator[str]:
        yield from ()


SECTIONS: dict[str, type[FrontSettings]] = {}
"""The sections of all fronts, by name. `bot.fronts` adds them."""
SectionT = TypeVar("SectionT", bound=FrontSettings)


class RoomSettings(FrontSettings):
    """What the core reads of the web app's section."""

    lines_per_hour: types.Whole = Field(default=300, ge=1, le=100_000)
    """Messages of one user, including commands with public answers and matches started there."""
    public_url: str = types.text(
        r"^(https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?)?$",
        "an address like https://play.example.org/azumaya/, or empty",
    )
    """Where users reach the app, also below a path, which the proxy may strip."""

    @property
    def address(self) -> str:
        """Where everyone reaches the app, without a slash at the end. Empty if no one does."""
        return "" if self.missing else self.public_url.rstrip("/")


class ChatSettings(FrontSettings):
    """A section of a chat platform, used if a token is set."""

    @property
    def missing(self) -> str:
        token: SecretStr = getattr(self, "token")  # noqa: B009 - each has its own type
        return "" if token.get_secret_value() else "token is not set"


LogFormat = Literal["text", "json"]


class LogSettings(_Section):
    """Logging to stderr."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: LogFormat = "text"


class MetricsSettings(_Section):
    """The address for Prometheus. No metrics without it."""

    address: types.ListenAddress = ""


_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,120}$"
_WORDS = "a line of up to 120 characters, or empty"


class HouseSettings(_Section):
    """The operator, as shown by ``/privacy``."""

    name: str = types.text(_LINE, _WORDS)
    contact: str = types.text(_LINE, _WORDS)
    privacy_url: str = types.text(
        r"^(https?://[!-~]{1,240})?$", "an address like https://example.org/privacy, or empty"
    )
    forget_unplayed_days: types.Whole = Field(default=30, ge=0, le=3650)
    """Users who have never played are deleted after this absence. 0: never."""


Pings = Literal["always", "away", "never"]


PINGS: tuple[Pings, ...] = get_args(Pings)


class PlaySettings(_Section):
    """Rules of play that are not a game's."""

    challenge_hours: types.Whole = Field(default=24, ge=1, le=720)
    leaderboard_minimum: types.Whole = Field(default=5, ge=1, le=1000)
    commands_per_second: types.Number = Field(default=5, ge=0.1, le=100, allow_inf_nan=False)
    """Of one user. Short bursts may exceed it."""
    open_challenges_per_person: types.Whole = Field(default=10, ge=1, le=100)
    challenges_from_one_per_day: types.Whole = Field(default=3, ge=1, le=1000)
    """Waiting, declined, withdrawn or expired ones to one user since their last match."""
    challenges_from_all_per_day: types.Whole = Field(default=20, ge=1, le=10_000)
    """Unanswered ones to one user: waiting, withdrawn, expired."""
    running_matches_per_person: types.Whole = Field(default=200, ge=1, le=10_000)
    claim_days: types.Whole = Field(default=14, ge=0, le=3650)
    """Without a move and a clock, until the waiting player can claim the match. 0: never."""
    holiday_days: types.Whole = Field(default=28, ge=0, le=365)
    """In 365 days, for one user. Clocks of days stand still then."""
    pings: Pings = "away"


class ComputerSettings(_Section):
    """Computer opponents."""

    enabled: bool = True
    workers: types.Whole = Field(default=1, ge=0, le=256)
    """Number of engine processes. 0: none in this process."""
    seconds: types.Number = Field(default=2, ge=0.1, le=60, allow_inf_nan=False)
    """Maximum per move."""


class Settings(_Section):
    """All settings, frozen. Read them with `load`, which adds the sections of the fronts."""

    database: types.Database = Path("azumaya.db")
    language: types.Language = "en"
    fronts: types.Several[types.FrontName] = Field(default=(), max_length=32)
    log: LogSettings = LogSettings()
    play: PlaySettings = PlaySettings()
    house: HouseSettings = HouseSettings()
    metrics: MetricsSettings = MetricsSettings()
    computer: ComputerSettings = ComputerSettings()

    @property
    def sections(self) -> Mapping[str, FrontSettings]:
        """The sections of all fronts."""
        return {name: getattr(self, name, None) or kind() for name, kind in SECTIONS.items()}

    def of(self, kind: type[SectionT]) -> SectionT:
        """Return the section of a front."""
        return next((one for one in self.sections.values() if isinstance(one, kind)), kind())

    @property
    def secrets(self) -> list[str]:
        held = [value for section in self.sections.values() for _, value in section]
        # A server's URL contains a password.
        held += [self.database]
        return [one.get_secret_value() for one in held if isinstance(one, SecretStr) and one]

    @property
    def served(self) -> tuple[str, ...]:
        wanted = self.fronts or KNOWN
        return tuple(
            name
            for name, section in self.sections.items()
            if name in wanted and not section.missing
        )

    @property
    def shards(self) -> dict[str, tuple[Shard, ...]]:
        parts = {name: self.sections[name].shards for name in self.served}
        return {name: shards for name, shards in parts.items() if shards}

    def contradictions(self) -> Iterator[str]:
        """Yield a line for each contradiction between valid settings."""
        for name in self.fronts:
            if missing := self.sections[name].missing:
                yield f"fronts contains {name}, but {name}.{missing}"
        for section in self.sections.values():
            yield from section.contradictions()


@cache
def all_settings() -> type[Settings]:
    """Return the settings with the sections of all fronts."""
    kinds = {name: kind for name, kind in SECTIONS.items() if kind.model_fields}
    sections: dict[str, Any] = {name: (kind, kind()) for name, kind in kinds.items()}
    return create_model("Settings", __base__=Settings, **sections)


def load(config: Path | None = None) -> Settings:
    """Read settings from `config`, else ``AZUMAYA_CONFIG``, else ./config.toml, if it exists.

    Raises `SettingsError`.
    """
    file = source(config)
    table = _read(file) if file else {}
    known = {key: value for key, value in table.items() if key in all_settings().model_fields}
    problems = [_unknown_variable(name) for name in _given() if name not in _variables()]
    problems += [_unknown_key((key,), file) for key in table if key not in known]
    _let_variables_override(known)
    try:
        settings = all_settings().model_validate(known)
    except ValidationError as error:
        for mistake in error.errors():
            if mistake["type"] == "extra_forbidden":
                problems.append(_unknown_key(mistake["loc"], file))
            else:
                problems.append(_wrong_value(mistake, file))
        raise SettingsError(*problems) from None
    if problems := problems or list(settings.contradictions()):
        raise SettingsError(*problems)
    return settings


def _let_variables_override(table: dict[str, Any]) -> None:
    for name in _given():
        match _variables().get(name):
            case (key,):
                table[key] = os.environ[name]
            case (section, key):
                if not isinstance(table.get(section), dict):
                    table[section] = {}
                table[section][key] = os.environ[name]


def load_env_file(file: Path) -> None:
    """Load the variables of a file (systemd's ``EnvironmentFile``) without overriding others.

    Raises `SettingsError`, also for lines that systemd would read differently.
    """
    problems, found = [], dict[str, str]()
    for line in parse_stream(StringIO(_text(file))):
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
    """Return the file that `load_env_file` has read, if any."""
    named = os.environ.get(ENV_FILE_VARIABLE)
    return Path(named) if named else None


def source(config: Path | None = None) -> Path | None:
    """Return the file that `load` reads, if any."""
    if config:
        return config
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    return DEFAULT_CONFIG if DEFAULT_CONFIG.exists() else None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file}: not UTF-8 text") from error


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(file))
    except ValueError as error:  # TOMLDecodeError, or an integer that is too large
        raise SettingsError(f"{file}: not valid TOML: {error}") from error


@cache
def _schema() -> dict[str, Any]:
    return all_settings().model_json_schema()


def _rule(path: KeyPath) -> dict[str, Any]:
    rule = _schema()
    for part in path:
        rule = rule["items"] if isinstance(part, int) else rule["properties"][part]
        if "$ref" in rule:
            rule = _schema()["$defs"][rule["$ref"].rpartition("/")[2]]
    return rule


def _leaves() -> Iterator[tuple[str, ...]]:
    for section in all_settings().model_fields:
        keys = _rule((section,)).get("properties")
        yield from ((section, key) for key in keys) if keys else [(section,)]


@cache
def _variables() -> dict[str, tuple[str, ...]]:
    return {f"{PREFIX}{'__'.join(path).upper()}": path for path in _leaves()}


def _given() -> list[str]:
    """Return our variables, and those written in small letters by mistake."""
    ours = [name for name in os.environ if name.upper().startswith(PREFIX)]
    return [name for name in ours if name not in _OF_FILES]


def _origin(path: KeyPath, file: Path | None) -> str:
    """Return the variable or the file that has set a key."""
    for name in _given():
        leaf = _variables().get(name)
        if leaf is not None and path[: len(leaf)] == leaf:
            return name
    return str(file)


def _dotted(path: KeyPath) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)[1:]


def _unknown_variable(name: str) -> str:
    known = [name.removeprefix(PREFIX) for name in (*_variables(), *_OF_FILES)]
    near = get_close_matches(name.upper().removeprefix(PREFIX), known, n=1)
    hint = f"; did you mean {PREFIX}{near[0]}?" if near else "."
    return f"{name}: unknown variable{hint} Known after {PREFIX}: {', '.join(known)}"


def _unknown_key(path: KeyPath, file: Path | None) -> str:
    section, key = path[:-1], str(path[-1])
    known = [str(name) for name in _rule(section)["properties"]]
    near: list[KeyPath] = [(*section, name) for name in get_close_matches(key, known, n=1)]
    near += [leaf for leaf in _leaves() if leaf[-1] == key]
    hint = f"; did you mean {_dotted(near[0])}?" if near else "."
    origin = _origin(path, file)
    return f"{origin}: unknown key {_dotted(path)}{hint} Known here: {', '.join(known)}"


def _wrong_value(mistake: ErrorDetails, file: Path | None) -> str:
    path, said = mistake["loc"], mistake["msg"].removeprefix("Value error, ")
    match _rule(path):
        case {"properties": keys}:
            said = f"allowed: a table with the keys {', '.join(keys)}"
        case {"description": words}:
            said = f"allowed: {words}"
    value = _format_value(path, mistake["input"])
    return f"{_origin(path, file)}: {_dotted(path)} is {value}; {said[0].lower()}{said[1:]}"


def _format_value(path: KeyPath, value: object) -> str:
    """Format `value` briefly, unless it may be a secret."""
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple() | dict() | SecretStr():
            return "invalid"
        case _ if "writeOnly" in _rule(path) or "properties" in _rule(path):
            return "invalid"
        case str() if types.is_url(value) and (path == ("database",) or "@" in value):
            # It may contain a password.
            return "invalid"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]} …"
