"""URLs of database servers: accepted or refused, without any part of a password in the error."""

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.cli import main
from bot.support import database_urls, logs

PLACE = "127.0.0.1:1"
"""No server listens there."""


@pytest.mark.parametrize(
    ("url", "told", "secrets"),
    [
        ("postgresql://anna:hunter2@host:5433/house", "//host:5433/house", {"hunter2"}),
        ("postgres://host", "//host/", set()),
        (
            "postgresql://anna@[fe80::1%eth0]:5432,db_2/house",
            "//[fe80::1%eth0]:5432,db_2/house",
            (),
        ),
        ("postgresql://anna:a:b!*@%2Frun%2Fpg/a%20b", "//%2Frun%2Fpg/a%20b", {"a:b!*"}),
        ("postgresql://a:p%40ss@h/x?host=/run/pg", "//h/x", {"p%40ss", "p@ss"}),
        ("postgresql:///x?user=a&password=s%2Ft&sslpassword=k", "///x", {"s%2Ft", "s/t", "k"}),
    ],
)
def test_of_a_url_that_can_be_read_in_one_way_the_place_may_be_told(
    url: str, told: str, secrets: set[str]
) -> None:
    found = database_urls.read(url)
    assert found is not None
    assert found.title == f"postgresql:{told}"
    assert set(found.secrets) == set(secrets)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:hun@ter2@host/house",
        "postgresql://anna:hun/ter2@host/house",
        "postgresql://anna:12?ter=2@host/house",
        "postgresql://anna:12#ter2@host/house",
        "postgresql://anna:hun[ter]2@host/house",
        "postgresql://anna:100%sure@host/house",
        "postgresql://anna:hünter2@host/house",
        "postgresql://anna:hunter2@host:port/house",
        "postgresql://anna:hunter2@host:123456/house",
        "postgresql://host/house?user=anna&password=hun@ter2",
        "postgresql+asyncpg://host/house",
        "azumaya.db",
    ],
)
def test_what_could_be_read_in_two_ways_is_none(url: str) -> None:
    assert database_urls.read(url) is None


def parts(password: str) -> set[str]:
    """Return the parts of a password, four characters long, that no text of ours can contain."""
    found = {password[at : at + 4] for at in range(len(password) - 3)}
    return {part for part in found if sum(sign in "QXZJ7" for sign in part) > 1}


@example("QXZJ@7QXZ")
@example("QXZJ@7QXZ/J")
@example("QXZJ@7QXZ#J")
@example("77/QXZJ7")
@example("77?QXZ=J7")
@settings(max_examples=40)
@given(st.text("QXZJ7QXZJ7@/#?%[]:=&+,.;\\'\" ü", min_size=4, max_size=24))
def test_no_part_of_a_password_that_was_typed_into_a_url_is_said(password: str) -> None:
    url = f"postgresql://azumaya:{password}@{PLACE}/azumaya"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logs, "_secrets", set())
        patch.setenv("AZUMAYA_DATABASE", url)
        checked = CliRunner().invoke(main, ["check-config"])
        said = checked.output
        for arguments in (["places"], ["copy", url, "b.db"]):
            result = CliRunner().invoke(main, arguments)
            assert isinstance(result.exception, SystemExit)
            said += result.output
    assert not [part for part in parts(password) if part in said]
    if checked.exit_code:
        assert "written as %40 %2F %23 %3F %25" in checked.output
    else:
        assert said.count(f"Error: postgresql://{PLACE}/azumaya: it cannot be reached") == 2
