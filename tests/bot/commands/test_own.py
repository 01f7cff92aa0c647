"""Personal data and browser sessions: shown, exported, deleted, ended."""

import json
import re
import sqlite3
from contextlib import closing
from io import BytesIO
from itertools import count
from typing import Any
from zipfile import ZipFile

import pytest

from bot.commands import Answer, own
from bot.domain import links
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.marks import erased_name
from bot.domain.model import Place, Status
from bot.matches import MatchState, playing
from bot.matches.erasing import erase
from bot.screens import Link, Screen
from bot.store import blocks, boards, people, personal_data, places, rooms, sessions
from bot.store.sessions import NewSession
from bot.support.errors import StoreError
from bot.support.texts import LANGUAGES, Texts
from tests.bot.store.sql import add_session, rows, value
from tests.bot.table import A_MOMENT, Person, Table, buttons, file_of, said, screen_of
from tests.bot.transactions import cut_off


def screen(answer: Answer) -> Screen:
    assert answer.public is None
    return screen_of(answer)


async def test_privacy_is_answered_in_private_with_two_buttons(
    table: Table, anna: Person, ben: Person
) -> None:
    for person, labels in (
        (anna, ["Download my data", "Delete my data"]),
        (ben, ["Meine Daten herunterladen", "Meine Daten löschen"]),
    ):
        shown = screen(await person.types("/privacy"))
        assert shown.secret
        assert shown.title == person.says("privacy-title")
        # One sentence is read, and the rest can be unfolded.
        assert shown.text == person.says("privacy-what")
        assert shown.text.index(".") == len(shown.text) - 1
        for part in ("also", "seen", "long", "own", "host-unnamed"):
            assert person.says(f"privacy-{part}", platform="web") in shown.folded
        assert list(buttons(shown)) == labels
        # Telegram sends as much in one message.
        assert len(shown.title + shown.text + shown.folded) < 4000
        assert screen(await person.presses(Action("privacy"))) == shown
    # The operator says who they are.
    operator = ("Dora Dahl", "dora@example.org", "https://example.org/privacy")
    name, contact, url = operator
    table.configure("house", name=name, contact=contact, privacy_url=url)
    text = screen(await anna.types("/privacy")).folded
    for detail in operator:
        assert detail in text
    assert anna.says("privacy-host-unnamed") not in text


async def test_a_players_data_come_as_a_file_that_only_they_see(
    table: Table, anna: Person, ben: Person
) -> None:
    jorg = await table.arrive("Jörg 日本")
    await table.plays(await table.begin(jorg, ben), "d3")
    shown = screen(await jorg.presses(buttons(await jorg.types("/privacy"))["Download my data"]))
    assert shown.secret
    assert shown.file is not None
    assert shown.file.name == "azumaya-data.json"
    exported = await personal_data.export(table.app.store, jorg.id)
    assert json.loads(shown.file.data) == json.loads(json.dumps(exported))
    assert [move["notation"] for move in json.loads(shown.file.data)["moves"]] == ["d3"]
    text = shown.file.data.decode()
    assert ben.name not in text
    # Every script can be read in it.
    assert '"name": "Jörg 日本"' in text
    assert text.startswith('{\n"user": {')


async def test_a_file_too_large_for_the_place_is_packed_and_then_refused(
    table: Table, anna: Person
) -> None:
    for number in range(60):
        text = {"text": f"line {number}"}
        await rooms.add(table.app.store, table.lounge.id, author_id=anna.id, screen=text)
    # The export contains that the person was seen here.
    await anna.types("/help")
    whole = screen(await anna.presses(Action("export"))).file
    assert whole is not None
    anna.most_bytes = len(whole.data)
    assert screen(await anna.presses(Action("export"))).file == whole
    anna.most_bytes = len(whole.data) - 1
    packed = screen(await anna.presses(Action("export"))).file
    assert packed is not None
    assert packed.name == "azumaya-data.json.zip"
    assert len(packed.data) < len(whole.data) / 4
    with ZipFile(BytesIO(packed.data)) as archive:
        assert archive.read("azumaya-data.json") == whole.data
    anna.most_bytes = 100
    table.configure("house", contact="host@garden.example")
    answer = await anna.presses(Action("export"))
    assert answer.refused
    assert said(answer) == anna.says("error-export-too-large", contact="host@garden.example")


async def sure(person: Person) -> Answer:
    question = await person.presses(Action("erase"))
    yes, _ = buttons(question).values()
    return await person.presses(yes)


async def test_erasing_asks_first_and_says_what_is_lost(
    table: Table, anna: Person, ben: Person
) -> None:
    over = await table.begin(anna, ben)
    await table.given_up(over, anna)
    for _ in range(2):
        await table.plays(await table.begin(anna, ben), "d3")
    await table.begin(ben, anna)
    await rooms.add(table.app.store, table.lounge.id, author_id=anna.id, screen={"text": "Hi"})
    shown = screen(await anna.presses(buttons(await anna.types("/privacy"))["Delete my data"]))
    assert shown.secret
    for what, number in {"resigned": 2, "unplayed": 1, "played": 1, "said": 1}.items():
        assert anna.says(f"erase-{what}", count=number) in shown.text.splitlines()
    assert list(buttons(shown)) == ["Yes, delete Anna", "No, keep it"]
    assert anna.says("erase-kept") not in shown.text
    # Of what there is none of, nothing is said; elsewhere more is kept than we can take away.
    dora = await table.arrive("Dora", platform="discord")
    asked = screen(await dora.presses(Action("erase"), place=dora.direct))
    text = dora.says("erase-text", platform="discord")
    assert asked.text == f"{text}\n{dora.says('erase-kept')}"
    assert (await anna.user()).name == "Anna"


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize(
    ("platform", "others"),
    [
        ("web", "Discord|Telegram|ID"),
        ("discord", "Telegram|[Ww]eb|[Bb]rowser|[Cc]ookie"),
        ("telegram", "Discord|[Ww]eb|[Bb]rowser|[Cc]ookie"),
    ],
)
async def test_what_is_said_of_data_and_blocks_is_about_the_reader_s_platform(
    table: Table, platform: str, others: str, locale: str
) -> None:
    dora = await table.arrive("Dora", platform=platform, locale=locale)
    await table.arrive("Eve", platform=platform)
    privacy = screen(await dora.types("/privacy", place=dora.direct))
    asked = screen(await dora.presses(Action("erase"), place=dora.direct))
    blocked = screen(await dora.types("/block @Eve", place=dora.direct))
    for text in (privacy.folded, asked.text, blocked.text):
        assert re.search(others, text) is None


async def test_who_deletes_their_account_resigns_and_is_gone_at_once(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id, theirs = await table.begin(anna, ben), await table.begin(ben, cleo)
    await table.plays(match_id, "d3")
    await table.settle()
    # What is remembered must not bring the name back.
    assert (await table.app.names.of([anna.id]))[anna.id] == "Anna"
    question = await anna.presses(Action("erase"))
    yes, _ = buttons(question).values()
    for _ in range(2):
        assert said(await anna.presses(yes)) == anna.says("erased")
    assert await people.by_identity(table.app.store, "web", anna.identity) is None
    loaded = await table.loaded(match_id)
    assert loaded.match.status is Status.OVER
    assert loaded.match.outcome is not None
    assert loaded.match.outcome.winners == {loaded.match.seat_of(ben.id)}
    await table.settle()
    assert [post.version for post in table.wall.of(match_id)] == [loaded.match.version]
    assert (await table.screen(match_id, ben)).title == "Othello · Jemand von früher ⚫ – ⚪ Ben"
    assert await table.status(theirs) is Status.RUNNING
    # The rematch button is gone, in private and in public.
    for board in (await table.screen(match_id, ben), await table.screen(match_id)):
        assert "again" not in [button.action.verb for button in buttons(board).values()]
    table.clock.forward(A_MOMENT)
    told = await ben.presses(Action("again", match_id, loaded.match.version))
    assert said(told) == ben.says("error-person-gone")


async def test_the_name_and_messages_are_gone_before_the_games_are_resigned(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those may be many, and the process may end in between."""
    match_id = await table.begin(anna, ben)
    await anna.presses(Action("private", match_id))
    await table.settle()
    shown = await personal_data.messages_to_go(table.app.store, anna.id)
    courier, deleted = table.app.couriers["web"], list[str]()
    monkeypatch.setattr(courier, "delete_message", lambda _, message: deleted.append(message))
    assert (await table.app.names.of([anna.id]))[anna.id] == "Anna"
    resign, seen = playing.resign, list[tuple[dict[int, str], int]]()

    async def watched(*given: Any) -> MatchState:
        seen.append((await table.app.names.of([anna.id]), len(deleted)))
        return await resign(*given)

    monkeypatch.setattr(playing, "resign", watched)
    await sure(anna)
    assert seen == [({anna.id: erased_name(anna.id)}, len(shown))]
    assert shown
    assert await table.status(match_id) is Status.OVER


async def test_challenges_of_and_to_somebody_who_is_erased_end_like_any_other(
    table: Table, anna: Person, ben: Person
) -> None:
    to_ben = await anna.starts("/othello @Ben")
    by_ben = await ben.starts("/sogo @Anna")
    await table.settle()
    table.wall.told.clear()
    await sure(ben)
    await table.settle()
    ended = [(await table.loaded(match)).match for match in (to_ben, by_ben)]
    assert [match.status for match in ended] == [Status.DECLINED, Status.WITHDRAWN]
    assert [(match.news, match.news_by) for match in ended] == [(2, ben.id)] * 2
    told = [notice for _, notice in table.wall.told if notice.recipients]
    assert [notice.text for notice in told] == [anna.says("notice-declined", game="Othello")]
    assert [one.name for one in told[0].recipients] == ["Anna"]


@pytest.mark.sqlite
async def test_what_somebody_wrote_stands_in_no_file_when_they_are_erased(
    table: Table, anna: Person
) -> None:
    """Not in the database's log either, while the house goes on."""
    store, line = table.app.store, "a very private line"
    await rooms.add(store, table.lounge.id, author_id=anna.id, screen={"text": line})
    path = file_of(table.settings)
    files = [path, path.with_name(f"{path.name}-wal")]
    assert any(line.encode() in file.read_bytes() for file in files)
    await anna.presses(f"erase:0:0:yes.{anna.id}")
    assert not any(line.encode() in file.read_bytes() for file in files)


async def test_commands_that_waited_during_the_deletion_store_nothing(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    late: tuple[str | Action, ...] = (
        "/othello @Ben",
        "/sogo new",
        "/blackbox new",
        "/block @Ben",
        "/language de",
        Action("apart", argument="blackbox"),
        f"/board {match_id}",
        Action("board", match_id),
    )
    yes = Action("erase", argument=f"yes.{anna.id}")
    erased, *others = await anna.at_once(yes, *late, place=anna.direct)
    assert said(erased) == anna.says("erased")
    assert [said(answer) for answer in others] == [anna.says("error-forgotten")] * len(late)
    for name, kept in (("matches", 1), ("blocks", 0)):
        assert await value(table.app.store, f"SELECT count(*) FROM {name}") == kept
    assert (await anna.user()).language is None
    assert await boards.of_match(table.app.store, match_id, place_id=anna.direct.id) == []
    assert await places.place_called(table.app.store, "web", anna.identity) is None


async def test_whoever_is_erased_when_a_board_is_brought_to_them_gets_none(
    table: Table, anna: Person, ben: Person, cleo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another process, between the finding of their conversation and the writing in it."""
    alone = await anna.types("/blackbox new")
    match_id, direct = await table.newest(), table.app.directory.direct
    assert alone == Answer()

    async def found_too_early(*given: Any, **named: Any) -> Place:
        place = await direct(*given, **named)
        if named["asked_by"] in (anna.id, ben.id):
            await erase(table.app.store, table.app.matches, named["asked_by"])
        return place

    monkeypatch.setattr(table.app.directory, "direct", found_too_early)
    assert await cleo.types("/othello @Ben", place=cleo.direct) == Answer()
    (challenge,) = await boards.of_match(
        table.app.store, await table.newest(cleo.direct), place_id=cleo.direct.id
    )
    assert await boards.of_match(table.app.store, challenge.match_id, place_id=ben.direct.id) == []
    asked = said(await anna.presses(Action("private", match_id)))
    assert asked == anna.says("error-forgotten")
    assert await boards.of_match(table.app.store, match_id, place_id=anna.direct.id) == []


async def test_no_account_is_deleted_by_another_players_button(anna: Person, ben: Person) -> None:
    his, _ = buttons(await ben.presses(Action("erase"))).values()
    for what in (his, "erase:0:0:yes", "erase:0:0:yes.0", f"erase:0:{anna.id}:yes"):
        answer = await anna.presses(what)
        assert answer.refused
        assert said(answer) == anna.says("error-button-unknown")
    for line in (f"/erase yes.{anna.id}", f"/privacy yes.{anna.id}", f"/export yes.{anna.id}"):
        await anna.types(line)
    assert (await anna.user()).name == "Anna"


async def everything(table: Table) -> list[str]:
    with closing(sqlite3.connect(file_of(table.settings))) as database:
        return list(database.iterdump())


@pytest.mark.sqlite
async def test_an_erasing_that_is_cut_off_after_any_statement_has_changed_nothing(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    """As by a kill: what is not committed is not there when the next house opens the file."""
    for other in (ben, cleo):
        await table.plays(await table.begin(anna, other), "d3")
    await ben.types("/block @Anna")
    await anna.types("/othello @Cleo")
    await rooms.add(table.app.store, table.lounge.id, author_id=anna.id, screen={"text": "Hi"})
    before = await everything(table)
    left = 0

    def is_last(_statement: str) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    for statements in count(1):
        left = statements
        with cut_off(is_last):
            try:
                await personal_data.erase(table.app.store, anna.id, name="#1")
                break
            except StoreError:
                pass
        assert await everything(table) == before, statements
    # The name, the line, the challenge, the block …
    assert statements > 15
    await table.restart()
    await table.upkeep.once()
    ended = [(await table.loaded(number)).match.status for number in (1, 2, 3)]
    assert ended == [Status.OVER, Status.OVER, Status.WITHDRAWN]
    assert await people.by_handle(table.app.store, "web", "anna") is None


async def test_a_leaderboard_is_kept_without_names_and_shown_with_those_of_today(
    table: Table, anna: Person, ben: Person
) -> None:
    table.configure("play", leaderboard_minimum=1)
    match_id = await table.begin(anna, ben, moves="d3,c3,c4,e3")
    await table.given_up(match_id, anna)
    answer = await anna.types("/leaderboard")
    assert answer.public is not None
    assert answer.kept is not None
    assert "1. Ben: 1662?" in answer.public.text
    assert "Ben" not in answer.kept.text
    english = Texts("en")
    assert await table.app.names.filled(answer.kept.text, english) == answer.public.text
    await sure(ben)
    filled = await table.app.names.filled(answer.kept.text, english)
    assert f"1. {english('name-erased')}: 1662?" in filled


@pytest.fixture
async def browsers(table: Table) -> Person:
    """Return Anna, who is logged in to three browsers and uses the first."""
    store = table.app.store
    user = await people.get_or_create_user(
        store, "web", "x", name="Anna", session=NewSession("a", "Firefox")
    )
    for token in ("b", "c"):
        await add_session(store, user.id, NewSession(token, ""))
    direct = await table.app.directory.direct("web", "x", "Azumaya")
    return Person(table, user.id, "Anna", "en", "x", table.lounge, direct, session=1)


async def test_what_opens_beside_the_settings_leads_back(
    table: Table, browsers: Person, ben: Person
) -> None:
    await blocks.add(table.app.store, browsers.id, ben.id)
    menu = screen(await browsers.types("/settings"))
    opened = [button.action for row in menu.rows for button in row]
    opened = [action for action in opened if action.verb != "settings"]
    verbs = {action.verb for action in opened}
    assert verbs == {"quiet", "holiday", "blocked", "sessions"}
    for action in (*opened, Action("quiet", argument="?"), Action("another"), Action("language")):
        back = screen(await browsers.presses(action)).rows[-1]
        assert [button.label for button in back] == [browsers.says("here-back")]
        assert screen(await browsers.presses(back[0])).rows == menu.rows


async def known(table: Table, *tokens: str) -> list[bool]:
    found = [await sessions.by_token(table.app.store, token) for token in tokens]
    return [one is not None for one in found]


async def test_of_many_browsers_the_last_used_are_listed_with_their_days(
    table: Table, browsers: Person
) -> None:
    store, a_day = table.app.store, 24 * 3600

    async def listed() -> tuple[list[str], list[str]]:
        shown = screen(await browsers.presses(Action("sessions")))
        assert shown.title == browsers.says("sessions-title")
        return shown.text.splitlines(), list(buttons(shown))

    for seconds, since in (
        (a_day - 1, "since today"),
        (1, "since yesterday"),
        (a_day, "for 2 days"),
    ):
        table.clock.forward(seconds)
        assert (await listed())[0][0] == f"1. Firefox (this one), {since}"
    for number in range(8):
        await add_session(store, browsers.id, NewSession(f"new {number}", f"Opera {number}"))
    lines, labels = await listed()
    # The other browsers of before are the ones that were used least of late.
    assert lines[1:] == [
        *(f"{n}. Opera {9 - n}, since today, last used today" for n in range(2, 10)),
        "10. Unknown browser, for 2 days, last used 2 days ago",
        browsers.says("sessions-more", count=1),
    ]
    assert labels == [
        "Add a browser",
        *(f"Log out {n}: Opera {9 - n}" for n in range(2, 10)),
        "Log out 10: Unknown browser",
        "Log out all others",
        "Back to settings",
    ]
    assert "Browsers: 11" in buttons(await browsers.types("/settings"))
    # A clock that was set back makes no time negative.
    table.clock.forward(-9 * a_day)
    assert (await listed())[0][0] == "1. Firefox (this one), since today"


async def test_before_a_browser_is_somebody_elses_it_is_said_what_becomes_of_who_is_there(
    table: Table, browsers: Person
) -> None:
    store, code = table.app.store, await made(browsers)
    english = Texts("en")

    async def asked(token: str | None) -> dict[str, str]:
        known = await sessions.by_token(store, token)
        return await own.question(table.app, code, known=known, texts=english)

    def words(*between: str) -> str:
        texts = english("also-text", name="Anna"), *between, english("also-careful")
        return "\n\n".join(texts)

    for token in ("a", "b"):
        with pytest.raises(Refused, match="here-already"):
            await asked(token)
    no_user = await asked(None)
    assert no_user == {
        "title": english("also-title", name="Anna"),
        "text": words(),
        "yes": english("also-yes", name="Anna"),
        "no": english("also-no"),
    }
    eve = await people.get_or_create_user(
        store, "web", "y", name="Eve", session=NewSession("e", "")
    )
    last = english("also-instead-last", name="Anna", before="Eve")
    assert (await asked("e"))["text"] == words(last)
    await add_session(store, eve.id, NewSession("f", ""))
    instead = english("also-instead", name="Anna", before="Eve")
    for token in ("e", "f"):
        assert (await asked(token))["text"] == words(instead)
    # By asking, it is not used up; by being used, it is.
    new = NewSession("g", "")
    hash_ = own.code_hash(code)
    assert await sessions.log_in(store, hash_, new, instead_of=None) == browsers.id
    with pytest.raises(Refused, match="no-such-browser"):
        await sessions.log_in(store, hash_, NewSession("h", ""), instead_of=None)
    with pytest.raises(Refused, match="no-such-browser"):
        await asked("e")
    assert await known(table, "g", "h") == [True, False]


async def test_one_other_browser_or_all_of_them_are_logged_out(
    table: Table, browsers: Person
) -> None:
    looked: list[int] = []

    async def look() -> None:
        looked.append(len(await sessions.of(table.app.store, browsers.id)))

    table.app.rechecks.append(look)
    shown = await browsers.presses(Action("sessions"))
    ended = await browsers.presses(buttons(shown)["Log out 2: Unknown browser"])
    assert list(buttons(ended)) == [
        "Add a browser",
        "Log out 2: Unknown browser",
        "Log out all others",
        "Back to settings",
    ]
    assert await known(table, "a", "b", "c") == [True, True, False]
    # The pages of that browser are closed as soon as it is stored.
    assert looked == [2]
    ended = await browsers.presses(buttons(ended)["Log out all others"])
    assert list(buttons(ended)) == ["Add a browser", "Back to settings"]
    assert await known(table, "a", "b", "c") == [True, False, False]
    assert "Browsers: 1" in buttons(await browsers.types("/settings"))


async def test_nobody_ends_the_browser_of_somebody_else_or_the_one_they_sit_in(
    table: Table, browsers: Person
) -> None:
    eve = await people.get_or_create_user(
        table.app.store, "web", "y", name="Eve", session=NewSession("e", "")
    )
    (session,) = await sessions.of(table.app.store, eve.id)
    await browsers.presses(Action("sessions", argument=str(session.id)))
    for token in ("sessions:0:0:1", "sessions:0:0:x", "sessions:0:0:0", "sessions:0:0:²"):
        assert said(await browsers.presses(token)) == browsers.says("error-button-unknown")
    assert await known(table, "a", "b", "c", "e") == [True] * 4


async def test_where_there_are_no_browsers_there_is_nothing_to_end(anna: Person) -> None:
    assert not [label for label in buttons(await anna.types("/settings")) if "Browser" in label]
    for token in ("sessions:0:0:", "sessions:0:0:others", "another:0:0:"):
        assert said(await anna.presses(token)) == anna.says("error-button-unknown")
    refused = await anna.types("/settings k7mf-2qtx-9wpa")
    assert refused.refused


async def made(person: Person) -> str:
    """Return the code with which a person adds a browser."""
    shown = screen(await person.presses(Action("another")))
    assert shown.link is not None
    return shown.link.word.removeprefix("me=")


async def test_a_code_for_a_browser_is_shown_in_groups_and_only_its_hash_is_stored(
    table: Table, browsers: Person
) -> None:
    old = await made(browsers)
    settings = await browsers.types("/settings")
    listed = await browsers.presses(buttons(settings)["Browsers: 3"])
    shown = screen(await browsers.presses(buttons(listed)["Add a browser"]))
    assert shown.secret
    assert shown.link is not None
    code = shown.link.word.removeprefix("me=")
    assert links.readable_code(code) in shown.text
    assert "10 minutes" in shown.text
    (row,) = await rows(table.app.store, "SELECT * FROM session_codes")
    assert row.code_hash == links.hashed(code)
    assert code not in str(row)
    assert links.hashed(code) not in str(await personal_data.export(table.app.store, browsers.id))
    # The last code of a browser is the valid one.
    with pytest.raises(Refused, match="no-such-browser"):
        await own.question(table.app, old, known=None, texts=Texts("en"))
    asked = await own.question(table.app, code, known=None, texts=Texts("en"))
    assert browsers.name in asked["title"]


async def test_a_typed_code_leads_to_the_question_and_uses_nothing_up(
    table: Table, browsers: Person
) -> None:
    code = await made(browsers)
    eve = await people.get_or_create_user(
        table.app.store, "web", "y", name="Eve", session=NewSession("e", "")
    )
    direct = await table.app.directory.direct("web", "y", "Azumaya")
    other = Person(table, eve.id, "Eve", "de", "y", table.lounge, direct, session=4)
    for written in (code, links.readable_code(code), links.readable_code(code).upper()):
        shown = screen(await other.types(f"/settings {written}"))
        assert shown.link == Link(f"me={code}", "Weiter")
        assert not shown.rows
        assert shown.secret
    asked = await own.question(table.app, code, known=None, texts=Texts("en"))
    assert "Anna" in asked["title"]
