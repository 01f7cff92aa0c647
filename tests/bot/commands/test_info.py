"""Read-only commands: lists, numbers, rules, help and settings."""

import re
from dataclasses import replace
from itertools import product

import pytest

import games
from bot.commands import Answer, find_spec
from bot.commands import table as command_table
from bot.commands.vocabulary import words_of
from bot.domain.actions import Action
from bot.domain.links import readable_code
from bot.domain.model import PlaceKind, Status
from bot.matches.policies import Rights
from bot.store import people, places
from bot.support.platforms import Medium
from bot.support.texts import LANGUAGES, Texts
from tests.bot.table import Person, Table, all_commands, buttons, said, screen_of


async def test_what_is_a_page_of_the_web_names_no_commands(
    table: Table, anna: Person, ben: Person
) -> None:
    """A page has no field to type them."""
    for line in ("/block @Ben", "/matches", "/leaderboard", "/puzzle", "/stats", "/settings"):
        assert not re.search(r"(^|\s)/\w", said(await anna.types(line))), line
    await anna.types("/unblock @Ben")
    assert "/" not in said(await anna.types("/block"))


async def test_matches_lists_what_waits_for_whom(table: Table, anna: Person, ben: Person) -> None:
    assert said(await anna.types("/matches")) == anna.says("matches-none", platform="web")
    running = await table.begin(anna, ben)
    await anna.types("/sogo @Ben")
    garden = await table.channel("garden")
    await ben.types("/challenge morris", place=garden)
    mine = said(await anna.types("/matches")).splitlines()
    assert len(mine) == 2
    assert mine[0].endswith(anna.says("matches-challenging"))
    assert mine[1].startswith(f"#{running} Othello · Anna ⚫ – ⚪ Ben: ")
    assert mine[1].endswith(anna.says("matches-my-turn"))
    other = said(await ben.types("/matches")).splitlines()
    code = readable_code((await table.loaded(await table.newest(garden))).match.code)
    endings = [
        ben.says("matches-open", line=ben.says("join-line", code=code)),
        ben.says("matches-challenged"),
        ben.says("matches-their-turn", name="Anna"),
    ]
    for line, ending in zip(other, endings, strict=True):
        assert line.endswith(ending)


async def test_challenges_are_answered_and_taken_back_from_the_list(
    table: Table, anna: Person, cleo: Person
) -> None:
    numbers = []
    for line in ("/sogo @Cleo", "/othello @Cleo reversi", "/morris new"):
        await anna.types(line)
        numbers.append(await table.newest())
    accepted, declined, withdrawn = numbers
    hers = await cleo.types("/matches", place=cleo.direct)
    # What one would accept stands there, too.
    (line,) = (line for line in said(hers).splitlines() if line.startswith(f"#{declined} "))
    assert f"{cleo.says('matches-challenged')} · Variant: Reversi" in line
    offered = buttons(hers)
    assert len(offered) == 4
    for label, match_id, status in (
        ("button-accept", accepted, Status.RUNNING),
        ("button-decline", declined, Status.DECLINED),
    ):
        button = offered[f"#{match_id} {cleo.says(label)}"]
        assert await cleo.presses(button, place=cleo.direct) == Answer()
        assert (await table.loaded(match_id)).match.status is status
    own = buttons(await anna.types("/matches"))[f"#{withdrawn} {anna.says('button-withdraw')}"]
    assert await anna.presses(own) == Answer()
    assert (await table.loaded(withdrawn)).match.status is Status.WITHDRAWN
    assert list(buttons(await anna.types("/matches"))) == [
        f"#{accepted} {anna.says('button-board')}"
    ]


async def test_of_many_matches_the_newest_are_listed_and_the_others_counted(
    table: Table, anna: Person
) -> None:
    made = list[int]()
    for count in (20, 1):
        made += [await table.begin_alone(anna) for _ in range(count)]
        answer = await anna.types("/matches")
        lines = said(answer).splitlines()
        numbers = [line.partition(" ")[0] for line in lines if line.startswith("#")]
        assert numbers == [f"#{match_id}" for match_id in made[:-21:-1]]
        more = [anna.says("matches-more", count=1)] if len(made) == 21 else []
        assert lines[20:] == more
        assert [button.action.match for button in buttons(answer).values()] == made[:-6:-1]
        # Other people do not see where a player plays.
        assert screen_of(answer).secret


async def test_a_challenge_that_waits_for_a_username_is_not_open_to_anybody(
    table: Table, anna: Person
) -> None:
    named = replace(await anna.command(), medium=Medium(usernames="[a-z]{5,32}"))
    assert await table.commands.run_line(named, "/othello @somebody") == Answer()
    match_id = await table.newest()
    told = f"#{match_id} Othello · Anna – @somebody: {anna.says('matches-challenging')}"
    assert said(await anna.types("/matches")) == told


async def test_moves_lists_the_record(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3,c4")
    answer = await ben.types("/moves")
    # All games start alike, so the start is left out.
    assert said(answer).splitlines() == ["    Anna  Ben", "1.  d3    c3", "2.  c4"]
    assert await ben.types(f"/moves #{match_id}") == answer
    assert await ben.presses(Action("moves", match_id, 1)) == answer


async def test_moves_shows_the_board_on_which_a_match_began_by_luck(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="moyo")
    loaded = await table.loaded(match_id)
    mover = min(loaded.turn)
    move = loaded.position.moves(mover)[0]
    await table.plays(match_id, loaded.game.notation(move))
    names = [person.name for person in (anna, ben)][:: -1 if mover else 1]
    head, first, title, *board = said(await anna.types("/moves")).splitlines()
    assert head.split() == names
    assert first.split() == ["1.", loaded.game.notation(move)]
    assert title == anna.says("moves-beginning")
    digits = loaded.match.setup.partition(" ")[0].replace("0", "·")
    assert [line.split("  ") for line in board] == [
        list(digits[at : at + 9]) for at in range(0, 81, 9)
    ]


async def test_moves_of_a_search_are_in_the_words_of_the_reader(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide stones=3")
    await table.plays(match_id, "hide a1,hide c5,hide d4,ready,ask 1,ask 5,mark b3")
    for language, (ready, ask, mark, hit) in {
        "en": ("ready", "ask", "mark", "hit"),
        "de": ("fertig", "frage", "markiere", "Treffer"),
    }.items():
        reader = await table.arrive(language, locale=language)
        lines = said(await reader.types(f"/moves {match_id}")).splitlines()
        secret = reader.says("moves-secret", count=3)
        rows = [["", "Ben", "Anna"], ["1.", secret], ["2.", ready, f"{ask} 1 → {hit}"]]
        assert [re.split(" {2,}", line) for line in lines[:3]] == rows
        assert lines[3].split()[:3] == ["3.", ask, "5"]
        assert lines[4].split() == ["4.", mark, "b3"]


async def test_a_long_record_comes_in_pages_that_fit_into_a_message(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.info._MOST_TYPE", 200)
    match_id = await anna.starts("/blackbox new")
    await table.plays(
        match_id, ",".join(f"{verb} c{row}" for verb in ("mark", "unmark") for row in range(1, 9))
    )
    answer, read = await anna.types("/moves"), list[str]()
    while True:
        text = said(answer)
        read += text.splitlines()[1:]
        # As many lines as fit, with their ends.
        assert len(text) <= 220
        longest = max(map(len, text.splitlines()))
        is_last = anna.says("button-more") not in buttons(answer)
        assert is_last or len(text.splitlines()[1:]) == 200 // (longest + 1)
        if is_last:
            break
        answer = await anna.presses(buttons(answer)[anna.says("button-more")])
    assert [line.split(" ")[0] for line in read] == [f"{at}." for at in range(1, 17)]
    assert anna.says("button-back") in buttons(answer)
    # However long a line is, there is one on a page.
    monkeypatch.setattr("bot.commands.info._MOST_TYPE", 2)
    assert len(said(await anna.types("/moves")).splitlines()) == 2


async def test_what_a_player_was_told_alone_is_theirs_until_the_end(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    hidden = await table.begin(anna, ben, words="blackbox hide stones=3")
    await table.plays(hidden, "hide a1,hide c5,hide d4,ready,ask 1")
    known = await table.begin(anna, ben, moves="d3")

    async def is_secret(person: Person, match_id: int) -> bool:
        return screen_of(await person.types(f"/moves {match_id}")).secret

    for person, is_theirs in ((anna, True), (ben, True), (cleo, False)):
        assert await is_secret(person, hidden) is is_theirs
        assert not await is_secret(person, known)
    await table.given_up(hidden, anna)
    assert not await is_secret(ben, hidden)


async def test_who_gives_up_a_box_without_a_question_has_not_played(
    table: Table, anna: Person
) -> None:
    for moves in ((), ("ask 1",)):
        match_id = await anna.starts("/blackbox new")
        for move in moves:
            await table.plays(match_id, move)
        question = await anna.types("/resign")
        key = "resign-alone-sure" if moves else "resign-unplayed-sure"
        assert said(question) == anna.says(key)
        await anna.presses(buttons(question)["Yes, resign"])
        assert ("points" in (await table.screen(match_id, anna)).text) is bool(moves)
        stats = said(await anna.types("/stats"))
        assert (stats == anna.says("stats-none")) is not bool(moves)


async def test_the_rules_of_every_game(table: Table, anna: Person, ben: Person) -> None:
    for reader in (anna, ben):
        command = replace(await reader.command(), verb="rules", medium=Medium(has_fields=True))
        for game_id in games.ids():
            calls = f"{reader.calls(game_id)} "
            for word in (game_id, f"/{game_id}", *words_of(game_id), game_id.upper()):
                answer = await reader.types(f"/rules {word}")
                assert reader.says(f"{game_id}-rules") in said(answer)
                assert reader.says(f"{game_id}-usage", before=calls) in said(answer)
            question = await reader.types("/rules")
            assert await reader.presses(buttons(question)[reader.says(f"{game_id}-name")]) == answer
            # Where moves have a field, their examples name it.
            text = said(await table.commands.run(replace(command, game=game_id)))
            named = f"{calls}{reader.says('field-move')}:"
            assert named in text
            assert calls not in text.replace(named, "")


async def test_help_is_six_lines_and_leads_to_all_commands(
    table: Table, anna: Person, ben: Person
) -> None:
    for reader, platform in product((anna, ben), ("web", "telegram", "discord")):
        place = await places.get_or_create_place(
            table.app.store, platform, "1", kind=PlaceKind.DIRECT, title=""
        )
        answer = await reader.types("/help", place=place)
        first, *lines = said(answer).splitlines()
        assert first == reader.says("help-text", platform=platform)
        called = [line.split(":")[0].split(" ")[0].removeprefix("/") for line in lines]
        named = [spec.name for name in called if (spec := find_spec(name))]
        assert named == ["play", "challenge", "board", "rules", "settings"]
        (button,) = buttons(answer).values()
        assert button.label == reader.says("button-help-all")
        pressed = await reader.presses(button, place=place)
        assert len(said(pressed).splitlines()) > len(lines)
        for word in ("all", "alles", "ALL commands"):
            assert said(await reader.types(f"/help {word}", place=place)) == said(pressed)


async def test_help_knows_every_command(anna: Person, ben: Person) -> None:
    for reader in (anna, ben):
        lines = said(await all_commands(reader)).splitlines()
        for spec in command_table():
            called = reader.calls(spec.name)
            (line,) = [line for line in lines if line.split(":")[0].split(" ")[0] == called]
            assert line.partition(": ")[2]
            alone = said(await reader.types(f"/help {spec.name}"))
            assert line.partition(": ")[2] in alone
        # What must be said, and what may be.
        code, game = reader.says("argument-code"), reader.says("argument-game")
        assert any(line.startswith(f"{reader.calls('join')} <{code}>: ") for line in lines)
        assert any(line.startswith(f"{reader.calls('play')} [{game}]: ") for line in lines)
        groups = "\n".join(lines).split("\n\n")[1:]
        # Each has a title, and five to eight commands: the longest has one for each game.
        sizes = [group.count("\n") for group in groups]
        assert (min(sizes), max(sizes)) == (5, len(games.ids()) + 3)
        told = f"{reader.says('othello-about')}\n{reader.says('othello-usage', before='/othello ')}"
        assert said(await reader.types("/help Reversi")) == told


async def test_german_help_names_the_german_commands(table: Table, ben: Person) -> None:
    lines = said(await all_commands(ben)).splitlines()
    # "Analyse" is German, too.
    english = {spec.name for spec in command_table()} - {*games.ids(), "analyse"}
    assert not [line for line in lines if line.split(" ")[0].removeprefix("/") in english]
    # Where commands are registered, they are called as they are there.
    kind = PlaceKind.DIRECT
    for platform, called in (("telegram", "/zuege"), ("discord", "/moves")):
        place = await places.get_or_create_place(
            table.app.store, platform, "1", kind=kind, title=""
        )
        text = said(await all_commands(ben, place))
        assert f"\n{called} [" in text


async def test_the_language_of_the_person_wins(table: Table, anna: Person) -> None:
    question = await anna.types("/language")
    assert set(buttons(question)) == {*LANGUAGES.values(), "Back to settings"}
    changed = await anna.presses(buttons(question)["Deutsch"])
    assert said(changed) == Texts("de")("language-changed")
    # Whatever the platform says about the language of the app.
    assert said(await anna.types("/nonsense")) == Texts("de")(
        "error-unknown-command", word="/nonsense", help="/hilfe"
    )
    for language, lines in {
        "en": ("/language en", "/language ENGLISH", "/language Englisch"),
        "de": ("/language German", "/sprache deutsch", "/language de-AT", "/language deut"),
    }.items():
        for line in lines:
            assert said(await anna.types(line)) == Texts(language)("language-changed")
    await anna.types("/language en")
    answer = await anna.types("/language Klingon")
    assert answer.refused
    assert said(answer) == anna.says(
        "error-unknown-language", word="Klingon", languages="English, Deutsch"
    )
    assert list(buttons(answer)) == ["English", "Deutsch"]


async def test_settings_are_pressed_round(table: Table, anna: Person) -> None:
    first = await anna.types("/settings")
    # Settings that open their own screen have their own tests.
    pressed = [row[0].action.verb == "settings" for row in screen_of(first).rows]
    assert pressed.count(True) >= len(pressed) - 1
    for at in range(pressed.count(True)):
        answer, seen = first, set[str]()
        while answer.private and (button := answer.private.rows[at][0]).label not in seen:
            seen.add(button.label)
            answer = await anna.presses(button)
        assert len(seen) >= 2
        assert screen_of(answer).rows == screen_of(first).rows


async def test_what_is_usual_for_pings_is_said(table: Table, anna: Person) -> None:
    assert "Pings: default (every turn)" in buttons(await anna.types("/settings"))
    settings = {"pings": "never"}
    lounge = await places.change_place(table.app.store, table.lounge.id, settings=settings)
    assert "Pings: default (never)" in buttons(await anna.types("/settings", place=lounge))
    # For a place it is what the host says.
    manager = replace(await anna.command(lounge), rights=Rights(can_manage=True))
    menu = await table.commands.run_line(manager, "/here pings auto")
    assert "Pings: default (every turn)" in buttons(menu)


async def test_settings_are_named_as_in_the_menu_and_unknown_ones_are_refused(anna: Person) -> None:
    for line in ("/settings colours dark", "/einstellungen Farben dark"):
        await anna.types("/settings theme light")
        assert not (await anna.types(line)).refused
        assert (await anna.user()).settings["theme"] == "dark"
    answer = await anna.types("/settings size 9")
    assert said(answer) == anna.says("error-unknown-setting", word="size", command="/settings")
    choices = "auto, light, dark, wood, slate"
    for value in ("blue", "light dark"):
        answer = await anna.types(f"/settings theme {value}")
        told = anna.says("error-unknown-value", value=value, setting="Colours", choices=choices)
        assert said(answer) == told


async def test_an_old_value_that_is_no_longer_offered_counts_as_the_default(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    picture = (await table.screen(match_id, anna)).picture
    await people.change_user(table.app.store, anna.id, settings={"theme": "sepia"})
    assert (await table.screen(match_id, anna)).picture == picture
    assert "Colours: automatic" in buttons(await anna.types("/settings"))


async def test_threads_are_offered_only_where_there_can_be_some(table: Table, anna: Person) -> None:
    command = replace(await anna.command(), rights=Rights(can_manage=True))
    for context, is_offered in ((command, False), (replace(command, opens_threads=True), True)):
        answer = await table.commands.run_line(context, "/here")
        assert any("thread" in label for label in buttons(answer)) == is_offered
        labels = [
            label
            for _ in range(3)
            for label in buttons(await table.commands.run_line(context, "/here threads"))
        ]
        assert any("play in threads" in label for label in labels) == is_offered


async def test_the_notation_of_moves_is_a_setting_of_each_game(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="sogo", moves="b3")
    menu = buttons(await ben.types("/settings notation-sogo hex"))
    assert "Schreibweise von Sogo: hexadezimal" in menu
    menu = buttons(await anna.types("/settings"))
    menu = buttons(await anna.presses(menu["Sogo notation: b3"]))
    for person, move in ((anna, "Last move: 5"), (ben, "Letzter Zug: 5")):
        assert move in (await table.screen(match_id, person)).text
    menu = buttons(await anna.presses(menu["Sogo notation: hexadecimal"]))
    assert "Sogo notation: b3" in menu
    assert "Last move: b3" in (await table.screen(match_id, anna)).text
