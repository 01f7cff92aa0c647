"""Parsing typed lines: where words end, and what they name."""

from dataclasses import replace
from typing import Any

from bot.commands.resolving import parse_number
from bot.domain.clocks import Clock
from bot.domain.model import Match
from bot.support.platforms import Medium
from tests.bot.table import A_DAY, NOTHING, Person, Table, said, screen_of

LONGEST = 200
USERNAMES = Medium(usernames=r"[A-Za-z0-9_]{5,32}")


async def begun(table: Table) -> Match:
    return (await table.loaded(await table.newest())).match


async def asked(asker: Person, line: str, **fields: Any) -> Match:
    """Type a line that asks for a match, and return it. It is withdrawn, and a day goes by."""
    table, command = asker.table, replace(await asker.command(), **fields)
    assert await table.commands.run_line(command, line) == NOTHING, line
    match = await begun(table)
    await asker.types(f"/withdraw {match.id}")
    table.clock.forward(A_DAY + 1)
    return match


async def test_a_line_is_as_long_as_is_said_and_no_longer(anna: Person) -> None:
    fits, too_long = "x" * LONGEST, anna.says("error-too-long", most=LONGEST)
    told = anna.says("error-unknown-game", word="x" * 32, games="…").partition("…")[0]
    assert said(await anna.types(f"/rules {fits}")).startswith(told)
    assert said(await anna.types(f"/rules {fits}x")) == too_long


async def test_a_name_of_many_words_is_read_to_its_end_and_no_further(
    table: Table, anna: Person
) -> None:
    many = await table.arrive(" ".join("ABCDEFGHIJKLMNOP"))
    one = await table.arrive("X")
    for person in (many, one):
        for line in (f"/stats @{person.name}", f"/stats {person.name}"):
            answer = screen_of(await anna.types(line))
            assert answer.title == anna.says("stats-title", name=person.name)
        for line in (
            f"/othello @{person.name} reversi white",
            f"/othello reversi @{person.name} white",
            f"/challenge othello white @{person.name} reversi",
        ):
            match = await asked(anna, line)
            assert (match.opponent, match.options["rules"]) == (person.id, "reversi")
            assert match.preferred_seat == 1


async def test_whom_the_platform_names_is_meant_wherever_the_word_stands(
    table: Table, anna: Person, ben: Person
) -> None:
    mentions = {"<@5>": await ben.user()}
    for line in ("/othello reversi <@5> white", "/challenge <@5> othello reversi white"):
        match = await asked(anna, line, mentions=mentions)
        assert (match.opponent, match.options["rules"]) == (ben.id, "reversi")
        assert match.preferred_seat == 1
    command = replace(await anna.command(), mentions=mentions)
    stats = screen_of(await table.commands.run_line(command, "/stats <@5>"))
    assert stats.title == anna.says("stats-title", name="Ben")


async def test_a_player_is_found_without_the_at_sign(
    table: Table, anna: Person, ben: Person
) -> None:
    await table.arrive("white")
    for line in (
        "/challenge Ben othello reversi white",
        "/challenge othello Ben reversi white",
        "/othello Ben reversi white",
        "/othello ben new reversi white",
        "/othello new Ben reversi white",
    ):
        match = await asked(anna, line)
        assert (match.opponent, match.options["rules"]) == (ben.id, "reversi"), line
        assert match.preferred_seat == 1
    for line in ("/stats Ben othello", "/stats othello Ben"):
        assert screen_of(await anna.types(line)).title == anna.says("stats-title", name="Ben")
    # What can be an option, a move or talk names no one.
    assert (await asked(anna, "/othello new white")).opponent is None
    text = "Ben is late"
    told = anna.says("error-name-no-move", name=text, platform="web", command="/othello")
    assert said(await anna.types(f"/othello {text}")) == told


async def test_a_preposition_before_an_opponent_or_a_game_is_ignored(
    table: Table, anna: Person, ben: Person
) -> None:
    both = await table.arrive("Tom vs Jerry")
    for line, opponent in (
        ("/othello mit @Ben", ben),
        ("/othello against Ben reversi", ben),
        ("/othello reversi vs @Ben", ben),
        ("/othello neu gegen Ben", ben),
        ("/challenge Ben to othello", ben),
        ("/challenge othello with Ben", ben),
        ("/othello vs Tom vs Jerry", both),
        ("/othello @Tom vs Jerry", both),
    ):
        assert (await asked(anna, line)).opponent == opponent.id, line
    for line in ("/othello with the computer", "/othello gegen den Fuchs", "/challenge vs ai sogo"):
        assert not (await anna.types(line)).refused, line
        assert (await begun(table)).computer_seats, line


async def test_a_move_is_no_name(table: Table, anna: Person, ben: Person) -> None:
    for name in ("d3", "pass", "ask"):
        await table.arrive(name)
    match_id = await table.begin(anna, ben)
    assert await anna.types("/othello d3") == NOTHING
    assert (await table.loaded(match_id)).match.moves == ((0, "d3"),)
    for line in ("/othello pass", "/othello !"):
        assert (await ben.types(line)).refused
    assert await table.newest() == match_id


async def test_somebody_who_is_not_known_is_named_in_the_refusal_as_far_as_names_go(
    table: Table, anna: Person, ben: Person
) -> None:
    long = "x" * 40
    shown = {"name": long[:32]}
    unknown = anna.says("error-unknown-person", platform="web", **shown)
    assert said(await anna.types(f"/othello @{long}")) == unknown
    # A challenge can wait for a username, so the name must be a valid one.
    command = replace(await anna.command(), medium=USERNAMES)
    typed = table.commands.run_line
    answer = await typed(command, f"/othello @{long}")
    assert said(answer) == anna.says("error-unknown-username", **shown)
    # Other commands need a known person.
    answer = await typed(command, f"/stats @{long}")
    assert said(answer) == anna.says("error-unknown-username", **shown)
    assert await typed(command, "/challenge @Zoe_1999 othello reversi") == NOTHING
    match = await begun(table)
    assert (match.handle, match.options["rules"]) == ("zoe_1999", "reversi")
    # What stands behind the house's own name is looked at as well.
    told = said(await anna.types("/othello @azumaya blue"))
    assert told.startswith(anna.says("error-option-unknown", word="blue", options=""))


async def test_options_alone_or_with_the_word_ask_for_a_new_match(
    table: Table, anna: Person
) -> None:
    for line in (
        "/othello variant=reversi",
        "/othello reversi new",
        "/othello new reversi",
        "/othello white reversi new",
        # German side names work in every language.
        "/othello new weiß reversi",
        "/othello reversi white new",
        "/othello new variant = reversi, “white”.",
    ):
        match = await asked(anna, line)
        assert (match.opponent, match.options["rules"]) == (None, "reversi")
        assert match.preferred_seat == (1 if "wh" in line or "wei" in line else None)


async def test_what_is_neither_a_move_nor_options_is_refused(anna: Person) -> None:
    for line in ("reversi", "rules please", "please rules", "hello new"):
        told = anna.says("error-name-no-move", name=line, platform="web", command="/othello")
        assert said(await anna.types(f"/othello {line}")) == told
    # A value that an option does not have is no move either.
    assert said(await anna.types("/othello variant=9")) == anna.says(
        "error-no-match-here", game="Othello", command="/othello"
    )


async def test_options_go_with_no_move(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben)
    told = anna.says("error-options-new", platform="web")
    for line in ("d3 rules=reversi", "d3 clock=3d", "clock=3d d3", "hello rules=reversi white"):
        assert said(await anna.types(f"/othello {line}")) == told
    for options in ("rated", "white", "Rücknahmen", "hints unrated", "reversi", "10+5", "x 3d"):
        for line in (f"d3 {options}", f"{options} d3", f"#{match_id} d3 {options}"):
            assert said(await anna.types(f"/othello {line}")) == told, line
    assert said(await anna.types(f"/othello #{match_id} rules=reversi")) == told
    # Numbers and words of moves are no options, though they look like some.
    for line in ("/blackbox ask 10", "/blackbox hide c3", "/sogo b 3", "/othello d3 w"):
        assert said(await anna.types(line)) != told, line
    assert await table.newest() == match_id
    told = anna.says("error-options-which-game", games="").strip()
    assert said(await anna.types("/challenge rules=reversi")).startswith(told)


async def test_whom_a_field_names_is_asked_whatever_is_typed(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    command = await anna.command()
    for named in (replace(command, person=await ben.user()), replace(command, level=0)):
        for line in ("/othello @Cleo", "/challenge othello @Cleo"):
            answer = await table.commands.run_line(named, line)
            told = anna.says("error-option-unknown", word="@Cleo", options="")
            assert said(answer).startswith(told)
        for line in ("/othello", "/othello new", "/challenge othello"):
            assert not (await table.commands.run_line(named, line)).refused
            match = await begun(table)
            assert ben.id == match.opponent or match.level is not None
            await anna.types("/withdraw")
        assert (await table.commands.run_line(named, "/stats @Cleo")).refused


async def test_a_game_in_answer_to_a_message_asks_whoever_wrote_it(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    replied = await ben.user()
    for line, opponent, rules in (
        ("/othello", ben, "othello"),
        ("/othello new", ben, "othello"),
        ("/othello reversi", ben, "reversi"),
        ("/othello new reversi", ben, "reversi"),
        ("/othello @Cleo reversi", cleo, "reversi"),
    ):
        match = await asked(anna, line, replied=replied)
        assert (match.opponent, match.options["rules"]) == (opponent.id, rules)
    # People answer messages with moves, too.
    match_id = await table.begin(anna, cleo)
    command = replace(await anna.command(), replied=replied)
    assert await table.commands.run_line(command, "/othello d3") == NOTHING
    assert [ply.notation for ply in (await table.loaded(match_id)).match.plies] == ["d3"]


async def test_only_here_a_number_behind_close_is_a_match(table: Table, anna: Person) -> None:
    anna.can_manage = True
    told = anna.says("error-unknown-setting", word="close", command="/settings")
    assert said(await anna.types("/settings close 5")) == told
    choices = "auto, light, dark, wood, slate"
    told = anna.says("error-unknown-value", value="5", setting="Colours", choices=choices)
    assert said(await anna.types("/here theme 5")) == told
    for line in ("/here close", "/here close it"):
        assert said(await anna.types(line)) == anna.says("error-close-none")
    assert said(await anna.types("/here close 5")) == anna.says("error-no-such-match", match=5)


def test_the_number_of_a_match_has_at_most_eleven_digits() -> None:
    longest = "9" * 11
    assert parse_number(longest) == parse_number(f" #{longest} ") == int(longest)
    assert parse_number("12") == 12
    for none in (f"{longest}9", "", "#", "x", "-1", "1.5", "²", "٣"):
        assert parse_number(none) == 0, none


async def test_a_clock_is_understood_however_people_write_it(table: Table, anna: Person) -> None:
    for typed, clock in (
        ("10+5", "10m+5s"),
        ("10m+5", "10m+5s"),
        ("3 Tage", "3d"),
        ("2w", "14d"),
        ("uhr=10 min + 5 sek", "10m+5s"),
        ("3d 3 days", "3d"),
        ("unlimited", None),
    ):
        match = await asked(anna, f"/othello new {typed}")
        assert match.terms.clock == (Clock.parse(clock) if clock else None), typed


async def test_a_number_of_an_option_is_no_time(anna: Person) -> None:
    match = await asked(anna, "/blackbox new mode=hide stones=3 second")
    assert (match.options["stones"], match.preferred_seat) == ("3", 1)


async def test_what_is_no_clock_is_answered_with_clocks(anna: Person) -> None:
    for typed, meant in (("3x+5s", "3x+5s"), ("3m+", "3m+"), ("5 min", "5m"), ("9w", "63d")):
        answer = said(await anna.types(f"/othello new {typed}"))
        assert answer.startswith(f"There is no clock “{meant}”. Days per turn: 1, 2"), typed
    answer = said(await anna.types("/othello new blitz"))
    assert answer.startswith("I do not understand “blitz”.")
    assert answer.endswith("clock=3d, clock=10m+5s · unrated · takebacks · hints")
    two = said(await anna.types("/othello new 3m+5s 2d"))
    assert two == anna.says("error-clock-two", clocks="3m+5s, 2d")


async def test_a_name_of_a_game_that_is_one_of_its_classes_means_that_one(
    table: Table, anna: Person, ben: Person
) -> None:
    for line, rules in (
        ("/reversi @Ben", "reversi"),
        ("/challenge @Ben reversi", "reversi"),
        ("/reversi @Ben rules=othello", "othello"),
    ):
        assert (await asked(anna, line)).options["rules"] == rules, line


async def test_whoever_is_not_known_by_a_username_can_be_found_all_the_same(
    table: Table, anna: Person, ben: Person
) -> None:
    command = replace(await anna.command(), medium=Medium(usernames=r"[A-Za-z]\w{4,31}"))
    answer = await table.commands.run_line(command, "/stats @Nobody")
    assert said(answer) == anna.says("error-unknown-username", name="Nobody")
    # As it says, a message of theirs can be answered.
    answering = replace(command, replied=await ben.user())
    stats = screen_of(await table.commands.run_line(answering, "/stats"))
    assert stats.title == anna.says("stats-title", name="Ben")
