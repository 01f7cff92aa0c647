"""The configuration, checked before anything is opened."""

from pathlib import Path

from tests.bot.cli.console import azumaya, problem


def test_settings_that_contradict_each_other_are_told_in_a_line_each() -> None:
    Path("config.toml").write_text(
        "fronts = ['web', 'discord']\n[web]\nenabled = false\n[discord]\nshard_ids = [0]\n"
    )
    result = azumaya("check-config")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Error: fronts contains web, but web.enabled is false",
        "fronts contains discord, but discord.token is not set",
        "discord.shard_ids is set, but discord.shard_count is not",
    ]


def test_the_configuration_is_checked() -> None:
    assert azumaya("check-config").stdout == "The configuration is valid.\n"
    Path("config.toml").write_text("[web]\nport = 99999\n")
    assert problem(azumaya("check-config")) == (
        "config.toml: web.port is 99999; allowed: a whole number from 0 to 65535"
    )
    assert problem(azumaya("--config", "other.toml", "check-config")) == (
        "other.toml: cannot be read: No such file or directory"
    )
