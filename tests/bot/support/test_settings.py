import os
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import Field, SecretStr, ValidationError

from bot.cli import main
from bot.fronts.web import WebSettings
from bot.store import migrate
from bot.support import settings as module
from bot.support.setting_types import split_address
from bot.support.settings import ENV_FILE_VARIABLE, Settings, SettingsError, load, load_env_file

EXAMPLE = Path(__file__).parents[3] / "config.example.toml"


def problems(config: Path | None = None) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load(config)
    assert str(caught.value).splitlines() == list(caught.value.problems)
    return caught.value.problems


def write(text: str, name: str = "config.toml") -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def leaves(table: dict[str, Any], *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, *path, key)
        else:
            yield (*path, key), value


# Where settings come from


def test_without_file_and_environment_there_are_defaults() -> None:
    settings = load()
    assert settings.database == Path("azumaya.db")
    assert settings.language == "en"
    assert (settings.of(WebSettings).host, settings.of(WebSettings).port) == ("127.0.0.1", 8460)
    assert settings.of(WebSettings).channels == ("lounge", "garden")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_a_database_can_be_a_server_and_its_password_is_never_shown(scheme: str) -> None:
    write(f"database = '{scheme}://anna:hunter2@host/azumaya'")
    database = load().database
    assert isinstance(database, SecretStr)
    assert database.get_secret_value() == f"{scheme}://anna:hunter2@host/azumaya"
    assert "hunter2" not in f"{load()!r} {load()}"


def test_an_address_that_is_refused_is_not_quoted_where_a_password_may_be_in_it() -> None:
    write("[telegram]\napi_base = 'ftp://anna:hunter2@host'")
    assert "hunter2" not in "".join(problems())


@pytest.mark.parametrize(
    "url",
    [
        "mysql://anna:hunter2@host/azumaya",
        "postgres:anna:hunter2",
        "postgresql//anna:hunter2@host/azumaya",
        "host=db user=anna password=hunter2 dbname=azumaya",
    ],
)
def test_another_url_is_no_database_and_is_not_quoted(url: str) -> None:
    write(f"database = '{url}'")
    (line,) = problems()
    assert line.startswith("config.toml: database is invalid; allowed: the path of a file")
    assert line.endswith(
        "@ / # ? % [ ] in user and password written as %40 %2F %23 %3F %25 %5B %5D"
    )


def test_the_file_here_is_read_without_being_named() -> None:
    write("language = 'de'")
    assert load().language == "de"


def test_a_file_can_be_named_by_a_variable_and_by_an_argument(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("web.port = 1")
    monkeypatch.setenv("AZUMAYA_CONFIG", str(write("web.port = 2", "second.toml")))
    assert load().of(WebSettings).port == 2
    assert load(write("web.port = 3", "third.toml")).of(WebSettings).port == 3


def test_the_environment_wins_over_the_file_key_by_key(monkeypatch: pytest.MonkeyPatch) -> None:
    write("[web]\nport = 9000\nhost = '::1'\n")
    monkeypatch.setenv("AZUMAYA_WEB__PORT", "9001")
    monkeypatch.setenv("AZUMAYA_LANGUAGE", "de")
    settings = load()
    web = settings.of(WebSettings)
    assert (web.host, web.port, settings.language) == ("::1", 9001, "de")


def test_lists_in_the_environment_are_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_WEB__CHANNELS", "lounge, den")
    monkeypatch.setenv("AZUMAYA_WEB__ORIGINS", "")
    web = load().of(WebSettings)
    assert (web.channels, web.origins) == (("lounge", "den"), ())


def test_a_byte_order_mark_is_no_mistake() -> None:
    write("\ufefflanguage = 'de'")
    assert load().language == "de"


def test_settings_do_not_change() -> None:
    settings = load()
    with pytest.raises(ValidationError):
        settings.of(WebSettings).port = 1
    with pytest.raises(ValidationError):
        settings.language = "de"


# What is wrong with them


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("language = 'fr'", "language is 'fr'; allowed: en, de"),
        (
            "# a port\n[web]\n\nport = 99999",
            "web.port is 99999; input should be less than or equal to 65535",
        ),
        ("\nweb = { port = [] }", "web.port is invalid; input should be a valid integer"),
        ("web.port = true", "web.port is true; should be a number"),
        ("web.enabled = 7", "web.enabled is 7; input should be a valid boolean"),
        ("web.host = 'a b'", "web.host is 'a b'; allowed: an address like 127.0.0.1"),
        (
            "[web]\nmessages_per_second = nan",
            "web.messages_per_second is nan; input should be a finite number",
        ),
        ("database = ''", "database is ''; allowed: the path of a file"),
        ('database = "a\\u0000b"', "database is 'a\\x00b'; allowed: the path of a file"),
        (
            "[web]\nchannels = [\n  'lounge',\n  'Tea Room',\n]",
            "web.channels[1] is 'Tea Room'; allowed: a name of 1 to 32 characters from a-z, 0-9",
        ),
        ("web.channels = ['a', 'a']", "web.channels is invalid; allowed: 1 to 32 different"),
        ("web.origins = ['https://a.org/x']", "web.origins[0] is 'https://a.org/x'; allowed: an"),
        (
            "[discord]\nshard_ids = [0, 'x']",
            "discord.shard_ids[1] is 'x'; input should be a valid integer",
        ),
        ("house.contact = 'a\\nb'".replace("'", '"'), "house.contact is 'a\\nb'; allowed: a line"),
        ("house.privacy_url = 'ftp://a'", "house.privacy_url is 'ftp://a'; allowed: an address"),
        ("log = 'debug'", "log is invalid; allowed: a table with the keys level, format"),
        ("[log.level]\nx = 1", "log.level is invalid; input should be 'debug', 'info', "),
        ("\nlangauge = 'de'", "unknown key langauge; did you mean language? Known here: data"),
        ("[web]\nprot = 1", "unknown key web.prot; did you mean web.port? Known here: lines_"),
        ("port = 1", "unknown key port; did you mean web.port? Known here: database,"),
        ("_env_prefix = 'X'", "unknown key _env_prefix. Known here"),
        ("'two\\nlines' = 1".replace("'", '"'), "unknown key two\\nlines. Known here"),
        ("language = 'de'\nweb = [\n", "not valid TOML: "),
        ("a = 1\na = 2", "not valid TOML: "),
        (f"a = {'9' * 5000}", "not valid TOML: "),
    ],
)
def test_a_mistake_in_the_file_is_named_with_what_would_be_right(text: str, said: str) -> None:
    write(text)
    (problem,) = problems()
    assert problem.startswith(f"config.toml: {said}")


def test_a_wrong_variable_is_named_instead_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write("web.port = 1\nweb.channels = ['lounge']")
    monkeypatch.setenv("AZUMAYA_WEB__PORT", "many")
    monkeypatch.setenv("AZUMAYA_WEB__CHANNELS", "ok,BAD")
    assert problems() == (
        (
            "AZUMAYA_WEB__PORT: web.port is 'many'; "
            "input should be a valid integer, unable to parse string as an integer"
        ),
        (
            "AZUMAYA_WEB__CHANNELS: web.channels[1] is 'BAD'; "
            "allowed: a name of 1 to 32 characters from a-z, 0-9 and -"
        ),
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("AZUMAYA_LANGAUGE", "; did you mean AZUMAYA_LANGUAGE?"),
        ("azumaya_language", "; did you mean AZUMAYA_LANGUAGE?"),
        ("AZUMAYA_WEB_PORT", "; did you mean AZUMAYA_WEB__PORT?"),
        ("AZUMAYA_WEB", "."),
        ("AZUMAYA_WEB__PORT__X", "; did you mean AZUMAYA_WEB__PORT?"),
    ],
)
def test_an_unknown_variable_is_named(
    name: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "{")
    (problem,) = problems()
    assert problem.startswith(f"{name}: unknown variable{hint} Known after AZUMAYA_: DATABASE, ")


def test_all_mistakes_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_FOO", "1")
    write("langauge = 'de'\n[web]\nport = -1\nprot = 1\n[play]\nchallenge_hours = 0\n")
    assert [re.split("[;.] ", problem)[0] for problem in problems()] == [
        "AZUMAYA_FOO: unknown variable",
        "config.toml: unknown key langauge",
        "config.toml: play.challenge_hours is 0",
        "config.toml: web.port is -1",
        "config.toml: unknown key web.prot",
    ]


def test_a_secret_is_not_repeated_when_it_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    class WithToken(Settings):
        token: SecretStr = Field(default=SecretStr(""), max_length=3, description="a token")

    monkeypatch.setattr(module, "Settings", WithToken)
    caches = module.all_settings, module._schema, module._variables
    for one in caches:
        one.cache_clear()
    try:
        write("token = 'hunter2'\ntokne = 'hunter3'\nweb = 'hunter4'")
        text = "\n".join(problems())
    finally:
        for one in caches:
            one.cache_clear()
    assert "config.toml: token is invalid; allowed: a token" in text
    assert "hunter" not in text


@pytest.mark.parametrize("address", ["", "127.0.0.1:9300", "[::1]:9300", "metrics.local:0"])
def test_figures_are_told_on_an_address_and_a_port(address: str) -> None:
    write(f"[metrics]\naddress = '{address}'\n")
    assert load().metrics.address == address
    if address:
        host, port = split_address(address)
        assert address == f"{f'[{host}]' if ':' in host else host}:{port}"


@pytest.mark.parametrize("address", ["9300", ":9300", "::1:9300", "a b:1", "host:65536"])
def test_what_is_no_address_and_port_is_refused(address: str) -> None:
    write(f"[metrics]\naddress = '{address}'\n")
    (problem,) = problems()
    assert problem == (
        f"config.toml: metrics.address is '{address}'; allowed: a host and port like "
        '127.0.0.1:9300 or [::1]:9300, or "" for none'
    )


# Files that are not settings


def test_bytes_that_are_no_text_are_refused() -> None:
    Path("config.toml").write_bytes(b"language = 'de'\n# gr\xfc\xdfe\n")
    assert problems() == ("config.toml: not UTF-8 text",)


def test_a_file_that_was_named_must_be_there() -> None:
    assert problems(Path("missing.toml")) == (
        "missing.toml: cannot be read: No such file or directory",
    )


def test_a_directory_is_no_file() -> None:
    Path("config.toml").mkdir()
    assert problems() == ("config.toml: cannot be read: Is a directory",)


# The example


def test_the_example_has_every_key_with_its_default() -> None:
    example = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    defaults = load().model_dump(mode="json")
    assert dict(leaves(example)) == dict(leaves(defaults))
    assert load(EXAMPLE) == load()


def test_the_example_explains_every_key() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    for before, line in pairwise(lines):
        if line and not line.startswith(("#", "[")):
            assert before.startswith("# "), line


# Variables from a file


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a file of environment variables, and restore the environment afterwards."""
    before = dict(os.environ)
    yield write(
        "# Tokens\n; and more\n\nAZUMAYA_WEB__PORT=9000\nAZUMAYA_LANGUAGE=de\n"
        "PGPASSWORD='a b#c$HOME\\d'\n",
        "house.env",
    )
    os.environ.clear()
    os.environ.update(before)


def test_variables_are_taken_from_a_file_and_those_of_the_environment_win(
    variables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZUMAYA_LANGUAGE", "en")
    write("web.port = 1\n[house]\nname = 'Garden'")
    load_env_file(variables)
    settings = load()
    assert (settings.of(WebSettings).port, settings.language, settings.house.name) == (
        9000,
        "en",
        "Garden",
    )
    assert os.environ["PGPASSWORD"] == "a b#c$HOME\\d"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("AZUMAYA_WEB__PORT", "not a line of the form NAME=value"),
        ("'s3cret", "not a line of the form NAME=value"),
        ("PGPASSWORD=s3cret #1", "PGPASSWORD contains # or \\: put it in single quotes"),
        ("PGPASSWORD=s3c\\ret", "PGPASSWORD contains # or \\: put it in single quotes"),
    ],
)
def test_a_line_that_systemd_would_read_otherwise_is_named_and_not_quoted(
    variables: Path, line: str, said: str
) -> None:
    variables.write_text(f"AZUMAYA_LANGUAGE=de\n\n{line}\n")
    with pytest.raises(SettingsError) as error:
        load_env_file(variables)
    assert error.value.problems == (f"house.env:3: {said}",)
    assert "AZUMAYA_LANGUAGE" not in os.environ


def test_a_file_of_variables_that_is_not_there_is_told(variables: Path) -> None:
    with pytest.raises(SettingsError, match=r"^gone\.env: cannot be read: No such file"):
        load_env_file(Path("gone.env"))


def test_commands_use_the_database_in_the_file_of_variables(
    variables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.checks.check_numba", lambda: (False, ""))
    variables.write_text("AZUMAYA_DATABASE=there.db\n")
    variables.chmod(0o640)
    migrate(Path("there.db"))
    for words, given in ((["--env-file", "house.env"], {}), ([], {ENV_FILE_VARIABLE: "house.env"})):
        assert CliRunner().invoke(main, [*words, "places"], env=given).exit_code == 0
        os.environ.pop("AZUMAYA_DATABASE")
    assert not Path("azumaya.db").exists()
    variables.chmod(0o644)
    result = CliRunner().invoke(main, ["--env-file", "house.env", "doctor"])
    assert "The database there.db can be used" in result.stdout
    assert "✓ Variables are read from house.env." in result.stdout
    assert "✗ Other users can access house.env (mode 0644): chmod o= house.env" in result.stdout
