"""Names: what players may call themselves, and tricks that are refused."""

import asyncio
import sys
import unicodedata
from typing import Any

import pytest
from cachetools import TTLCache
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.domain.errors import Refused
from bot.domain.links import readable_code
from bot.domain.lookalikes import skeleton
from bot.domain.marks import filled, mark, marked
from bot.domain.model import User
from bot.matches.erasing import erase
from bot.matches.names import NameRefused, Names, clean, readable
from bot.store import people, personal_data
from bot.support.texts import Texts
from tests.bot.failing import watched
from tests.bot.store.looking import statements
from tests.bot.table import Person, Table, said

ANYTHING = st.text(st.characters(), max_size=80)


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna \n Maria\t", "Anna Maria"),
        ("@Anna", "Anna"),
        ("@@ Anna", "Anna"),
        ("An\u202ena", "Anna"),
        ("An\x00na", "Anna"),
        ("An\u200bna", "Anna"),
        ("\ufeffAnna", "Anna"),
        ("A\ud800nna", "Anna"),
        ("Zoe\u0308", "Zoë"),
        ("王小明", "王小明"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("<b>Anna</b> *x* [y](z)", "<b>Anna</b> *x* [y](z)"),
        ("x" * 100, "x" * 32),
        ("a \u200b b", "a b"),
        ("/Anna", "Anna"),
        # Joiners and variation selectors where they do nothing, and blanks.
        ("An\u200cna", "Anna"),
        ("An\u200dna", "Anna"),
        ("A\u200dzumaya", "Azumaya"),
        ("Anna\ufe0f", "Anna"),
        ("Anna 1\ufe0f2", "Anna 12"),
        ("Anna\U000e0101", "Anna"),
        ("An\u034fna", "Anna"),
        ("Anna\u3164", "Anna"),
        ("\u3164Anna", "Anna"),
        ("Anna\u2800", "Anna"),
        ("Anna\u115f\u1160\uffa0", "Anna"),
        ("é\u200d👩", "é👩"),
        # A letter without a Unicode name, one of thousands.
        ("\U00017000\u200da\u200c", "\U00017000a"),
        ("👩\u200d\u200d👧\u200d", "👩\u200d👧"),
        # Marks without a letter, and more of them than a letter can bear.
        ("\u0301Anna \u0301Z", "Anna Z"),
        ("A" + "\u0301\u0302" + "\u0303" * 31, "Á\u0302"),
        ("ก" + "\u0e47" * 20, "ก็"),
        ("\u1ea5\u0323", "\u1ead"),
        ("x\u0302q\u0302w\u0302", "x\u0302q\u0302\u0175"),
        # As many of its script's own as people write; of those that any letter can have, two.
        ("ש\u05b0\u05b1\u05b8\u05bc\u05c1", "ש\u05b0\u05b1\u05b8\u05bc"),
        ("x\u0302\u0303\u0304", "x\u0302\u0303"),
        # And of another script's none, which would be drawn on it all the same.
        ("A\u0e47\u0e48\u0e49\u0e4anna", "Anna"),
        ("x\u05b0\u05b1\u05b8\u05bc", "x"),
        ("b\u05b0ot \u05d0\u0e47\u05b8", "bot \u05d0\u05b8"),
        ("\u05d0\u05b8\u0e47", "\u05d0\u05b8"),
        ("1\u05b0\u0302", "1\u0302"),
        ("x\u0302\u0302\u0303", "x\u0302\u0303"),
        # Selectors choose between forms of their own script, of emoji, and of keys as a whole.
        ("\u1820\u180b", "\u1820\u180b"),
        ("王\u180b", "王"),
        ("王A\ufe00\u034f王\u034f", "王A王"),
        ("\u1820\U000e0100", "\u1820"),
        ("❤\ufe0e Anna\ufe0e", "❤\ufe0e Anna"),
        ("1\ufe0e\u20e3 1\ufe0f", "1\ufe0e\u20e3 1"),
        # Signs that are whole sentences.
        ("\ufdfa" * 32, "\ufdfa"),
        ("x" * 20 + "\ufdfa", "x" * 20),
        ("Anna \ufdfd", "Anna"),
    ],
)
def test_a_name_is_cleaned(given_name: str, name: str) -> None:
    assert clean(given_name) == name


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "\n\t", "@", "@ @", "\u200d\u200d", "\x00\x01", "\u202e", "\ud800", "\u0301"),
        *("\u3164\u3164", "\u115f\u115f", "\u1160", "\uffa0", "\u2800\u2800"),
    ],
)
def test_a_name_that_nobody_could_read_is_refused(name: str) -> None:
    with pytest.raises(Refused) as caught:
        clean(name)
    assert caught.value.code == "name-empty"


LIKE_A_COMPUTER = [
    "Owl",
    "Owl 🤖",
    "Eule🤖",
    "Fuchs",
    "F-o-x",
    "Оwl",
    "ＯＷＬ",
    "Ｅichhörnchen",
    "Owl 2",
    "Computer",
    "Der Computer",
    "Former player",
    "Former player 7",
    "Jemand von früher",
    "Everyone",
    "Owl (level 5)",
    "Stufe 5: Eule",
    "0wl, level5",
    "Owl²",
    "Computer-Owl",
    "Anybody",
    "Opponent",
    "Offene Herausforderung",
    "The house",
    "Der Bot",
    "admin",
    "Moderator 2",
    "System-Admin",
    "Betreiber",
    "Former – player – 3",
]
"""Names of bots and words for people, with variations."""

REAL = [
    "José",
    "Łukasz",
    "李雷",
    "नेहा",
    "محمد",
    "👩‍👩‍👧",
    "Zoë",
    "O'Brien",
    "O’Brien",
    "Đặng",
    "Nguyễn Thị",
    "Анна",
    "Σωκράτης",
    "שָׁלוֹם",
    "น้ำทิพย์",
    "မြို့",
    "བསྒྲུབས",
    "श्‍याम",
    "ශ්‍රී",
    "می‌خواهم",
    "渡邉󠄀",
    "1️⃣ Max",
    "❤️",
    "👨🏽‍🚀",
    "김철수",
    "Jean-Luc",
]
"""Names as people have them, with all that their scripts and emoji need."""


@pytest.mark.parametrize("name", REAL)
def test_real_names_stay_as_they_are(name: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", name)


@given(ANYTHING)
def test_whatever_comes_out_is_a_short_line_that_stays_as_it_is(text: str) -> None:
    try:
        name = clean(text)
    except Refused:
        return
    assert 1 <= len(name) <= 32
    assert name.isprintable() or "\u200d" in name or "\u200c" in name
    assert not name.startswith("@")
    assert clean(name) == name
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in name)


@given(ANYTHING)
def test_readable_text_stays_as_it_is(text: str) -> None:
    once = readable(text)
    assert readable(once) == once
    assert len(once.splitlines()) <= 1
    once.encode()


# What looks alike

LIKE_ANNA = [
    "anna",
    "An\u200cna",
    "An\u200dna",
    "Anna\ufe0f",
    "An\u034fna",
    "Anna\u3164",
    "\u3164Anna",
    "Anna\u2800",
    "Аnna",
    "АNNА",
    "Ａnna",
    "𝔸𝕟𝕟𝕒",
    "ᴀɴɴᴀ",
]
LIKE_THE_HOUSE = [
    "A\u200dzumaya",
    "Azumaya\ufe0f",
    "Azumaya\u3164",
    "Аzumaya",
    "AZUMAУA",
    "ʙot",
    "Bоt",
    "b0t",
    "Hоuse",
    "ＨＯＵＳＥ",
]
LIKE_A_COMMAND = ["Help", "0thello", "RESlGN", "Ассept", "plаy", "Mühle", "/board"]


@pytest.mark.parametrize("name", LIKE_ANNA)
def test_names_that_look_alike_have_one_skeleton(name: str) -> None:
    assert skeleton(name) == skeleton("Anna")


@pytest.mark.parametrize(
    "others",
    [
        ("Anna", "Анна", "Hanna", "Änna", "Ann", "Anna 2"),
        ("Jose", "José"),
        ("Lukas", "Łukas"),
        ("Zoe", "Zoë"),
        tuple(REAL[:8]),
    ],
)
def test_names_that_differ_have_skeletons_that_differ(others: tuple[str, ...]) -> None:
    assert len(set(map(skeleton, others))) == len(others)


def test_a_capital_i_a_small_l_and_a_one_are_not_told_apart() -> None:
    assert skeleton("AIice") == skeleton("Alice") == skeleton("A1ice") == skeleton("ALICE")


def test_every_character_leads_to_an_end() -> None:
    for code in range(0, sys.maxunicode, 29):
        once = skeleton.__wrapped__(chr(code))
        assert skeleton.__wrapped__(once) == once, hex(code)


LIKE_NUMBERS = (
    "#0001",
    "＃0001",
    "﹟1",
    "♯0001",
    "№ 0001",
    "#OOO1",
    "#٠٠٠١",
    "#①",
    "(#0001).",
    "#1 #2",
)
"""What could be taken for the number behind one of two names that look alike."""


async def choose(table: Table, name: str) -> User:
    return await table.app.names.choose("web", f"of {name!r}", name)


async def refused(table: Table, name: str) -> NameRefused:
    with pytest.raises(NameRefused) as caught:
        await choose(table, name)
    return caught.value


async def test_names_like_a_person_the_bot_or_a_command_are_refused(table: Table) -> None:
    await choose(table, "Anna")
    for name in (*LIKE_ANNA, *LIKE_THE_HOUSE, *LIKE_A_COMMAND):
        no = await refused(table, name)
        assert (await choose(table, no.suggestion)).name == no.suggestion
        assert skeleton(no.suggestion) != skeleton("Anna")


async def test_the_reason_and_the_suggestion_fit(table: Table) -> None:
    await choose(table, "Anna")
    await choose(table, "ANNA B")
    for name, code, suggestion in (
        ("aNNa", "name-taken", "aNNa C"),
        ("Аnna", "name-similar", "Аnna C"),
        ("Anna 2", "name-similar", "Anna C"),
        ("Ａnna", "name-taken", "Anna C"),
        ("An\u200dna", "name-characters", "Anna C"),
        ("Azumaya", "name-house", "Guest"),
        ("Аzumaya ✓", "name-house", "Guest"),
        ("Azumaya-Bot", "name-house", "Guest"),
        ("Α zumaya", "name-house", "Guest"),
        ("#19", "name-number", "Guest"),
        ("12", "name-number", "Guest"),
        *((f"Anna {one}", "name-numbered", "Anna C") for one in LIKE_NUMBERS),
        ("Eve#7", "name-numbered", "Eve"),
        ("Owl", "name-word", "Guest"),
        ("Anna 🤖", "name-characters", "Anna C"),
        ("Othello", "name-command", "Othello B"),
        ("Eve" * 11, "name-long", ("Eve" * 11)[:32]),
    ):
        no = await refused(table, name)
        assert (no.code, no.suggestion) == (code, suggestion), name


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANYTHING | st.sampled_from([*LIKE_ANNA, *LIKE_THE_HOUSE, *LIKE_A_COMMAND, *REAL]))
@example("222222222222")  # reads as a code for a further browser
async def test_whatever_is_suggested_can_be_had(table: Table, name: str) -> None:
    suggestion = None
    try:
        await choose(table, name)
    except NameRefused as no:
        suggestion = no.suggestion
    except Refused as no:
        if no.code != "name-empty":
            raise
    if suggestion is not None:
        assert (await choose(table, suggestion)).name == suggestion


async def test_real_names_can_all_be_chosen_side_by_side(table: Table) -> None:
    for name in [*REAL, "Anna", "Jose"]:
        if name != "O’Brien":
            assert (await choose(table, name)).name == unicodedata.normalize("NFC", name)
    assert (await refused(table, "O’Brien")).suggestion == "O’Brien B"


async def test_a_name_of_the_whole_length_can_be_had_and_leaves_room_for_an_initial(
    table: Table,
) -> None:
    longest = "Tens of thousands-of-those-as-we"
    assert len(longest) == 32
    assert (await choose(table, f" @{longest} ")).name == longest
    assert (await refused(table, f"{longest}6")).code == "name-long"
    no = await refused(table, longest.upper())
    assert (no.code, no.details["name"]) == ("name-taken", longest.upper())
    # As many as there can be of it fit in.
    assert no.suggestion == f"{longest[:27].upper()} B"
    # A sign that is drawn as many characters is as long as they are.
    assert (await refused(table, "\ufdfa" * 2)).code == "name-long"


@pytest.mark.parametrize(
    "name",
    [
        "Anna,",
        "anna.",
        "A.N.N.A.",
        "An na",
        "Anna!?",
        "Anna2",
        "Anna 2026",
        "7Anna",
        "Аnna³",
        "«Anna»",
        "<b>Anna</b>",
        "<Anna>!",
    ],
)
async def test_a_name_is_more_than_signs_case_or_digits_away_from_another(
    table: Table, name: str
) -> None:
    await choose(table, "Anna")
    no = await refused(table, name)
    assert no.code == "name-similar"
    assert (await choose(table, no.suggestion)).name == no.suggestion


async def test_a_name_with_signs_or_digits_keeps_others_away_too(table: Table) -> None:
    for first, second in (("Dora-7!", "dora"), ("B0b", "Bob"), ("Max 2", "Max 3")):
        await choose(table, first)
        assert (await refused(table, second)).code == "name-similar"


async def test_of_many_who_look_alike_and_come_at_once_one_comes_in(table: Table) -> None:
    other = Names(table.app.store)
    came = await asyncio.gather(
        *(
            (table.app.names if number % 2 else other).choose("web", str(number), name)
            for number, name in enumerate(["Anna", "Аnna", "anna", "Ａnna", "АNNА"])
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, User) for one in came) == 1
    assert sum(isinstance(one, NameRefused) for one in came) == 4


# Names that a platform gives


async def test_users_of_one_name_have_numbers_where_they_meet(table: Table) -> None:
    names, texts = table.app.names, Texts("en")

    async def met(name: str, number: int) -> int:
        return (await names.get_or_create_user("discord", f"100{number}", name)).id

    anna, like_anna, ben = await met("Anna", 1), await met("Аnna.", 2), await met("Ben", 3)
    assert await names.display_names([anna, ben], texts) == {anna: "Anna", ben: "Ben"}
    assert await names.display_names([like_anna], texts) == {like_anna: "Аnna."}
    assert await names.display_names([anna, like_anna, ben], texts) == {
        anna: f"Anna #{anna:04}",
        like_anna: f"Аnna. #{like_anna:04}",
        ben: "Ben",
    }
    long = [await met("👩\u200d👧" * 20, number) for number in (4, 5)]
    shown = await names.display_names(long, texts)
    assert len(set(shown.values())) == 2
    assert all(len(name) <= 32 and clean(name) == name for name in shown.values())


async def test_users_of_one_name_meet_in_the_games_of_a_chat_and_in_lists(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    other = await people.get_or_create_user(table.app.store, "web", "x", name="Ben", handle="benny")
    numbered = [f"Ben #{one.id:04}" for one in (ben, other)]
    garden = await table.channel("garden")

    async def titles(match_id: int) -> list[str]:
        shown = []
        for place in (table.lounge, garden, anna.direct):
            reader = table.app.readers.for_place(place)
            board = await table.app.screens.match(await table.loaded(match_id), reader, seat=None)
            shown.append(board.title)
        return shown

    first = await table.begin(anna, ben)
    second = await anna.starts("/othello @benny", place=garden)
    # Each is alone in the chat of the game.
    alone, beside = (f"Othello · Anna ⚫ – ⚪ {name}" for name in ("Ben", numbered[0]))
    assert await titles(first) == [alone, beside, alone]
    listed = said(await anna.types("/matches", place=anna.direct))
    assert all(listed.count(name) == 1 for name in numbered)
    forgotten = table.app.names.forgotten
    here = await cleo.starts("/othello @benny")
    assert table.app.names.forgotten == forgotten, "otherwise, all rooms draw their boards again"
    assert (await titles(first))[0] == beside
    assert numbered[1] in (await titles(here))[0]
    for one in (here, second):
        await (cleo if one == here else anna).types(f"/withdraw {one}", place=anna.direct)
    assert await titles(first) == [alone] * 3
    await cleo.types("/othello @benny", place=garden)
    assert await titles(first) == [alone, beside, alone]
    assert await table.app.directory.moved("web", garden.external, table.lounge.external)
    assert (await titles(first))[0] == beside


async def test_of_a_handle_the_platform_says_whose_it_is(table: Table) -> None:
    for number in (1, 2):
        met = await table.app.names.get_or_create_user(
            "discord", str(number), "Anna", handle="anna"
        )
        assert await people.by_handle(table.app.store, "discord", "anna") == met


async def test_who_is_known_by_the_same_name_and_handle_is_not_stored_again(table: Table) -> None:
    for is_known in (False, True):
        with statements() as sent:
            await table.app.names.get_or_create_user("discord", "1", "Anna", handle="anna")
        assert all(one.startswith("SELECT") for one, _ in sent) == is_known


async def test_of_a_stranger_the_first_name_that_can_be_read_is_shown(table: Table) -> None:
    of_stranger = table.app.names.of_stranger
    for called, shown in (
        (("Anna", "anna_1"), "Anna"),
        (("\u200b", "anna_1"), "anna_1"),
        (("Azumaya", "anna_1"), "anna_1"),
        (("Azumaya", ""), "Azumaya #4711"),
        (("#19", ""), "#19 #4711"),
        (("Anna #0001", "anna_1"), "Anna"),
        *(((f"Anna {one}", ""), "Anna") for one in LIKE_NUMBERS),
        (("Anna #music", ""), "Anna #music"),
        (("Help", ""), "Help"),
        (("\u200b", ""), "#4711"),
        *(((name, ""), f"{clean(name)} #4711") for name in LIKE_THE_HOUSE),
    ):
        assert await of_stranger("104711", *called) == shown
    assert await of_stranger("77", "\u200b") == "#77"
    # A platform that has no numbers for people has one all the same.
    number = str(int.from_bytes(b"abc"))
    assert await of_stranger("abc", "") == f"#{number[-4:]}"


async def test_a_code_is_refused_as_a_name(table: Table) -> None:
    """A code typed in a name field would be public."""
    code = "4rjhtqt97tgu"
    for written in ("{}", "/settings {}", "Settings {}", "my code is {}", "{} Anna"):
        for shown in (readable_code(code), code.upper()):
            with pytest.raises(Refused, match="name-code"):
                await table.app.names.choose("web", "x", written.format(shown))
    for name in ("Bernhardetta", "Anna-Theresa", "Constantin", "Max 2026"):
        assert (await choose(table, name)).name == name


async def test_names_like_an_engine_or_a_role_are_refused_or_get_a_number(table: Table) -> None:
    names, store = table.app.names, table.app.store
    for number, name in enumerate(LIKE_A_COMPUTER, 1001):
        no = await refused(table, name)
        assert no.code in ("name-word", "name-characters")
        assert no.suggestion == "Guest"
        user = await names.get_or_create_user("discord", f"100{number}", name)
        assert user.name == f"{clean(name)} #{number}"
        # An older account loses such a name at its next visit.
        later = number + 1000
        old = await people.get_or_create_user(
            store, "discord", f"200{later}", name=name, skeleton=skeleton(name)
        )
        met = await names.get_or_create_user("discord", f"200{later}", name)
        assert (met.id, met.name) == (old.id, f"{clean(name)} #{later}")


async def test_the_sign_of_computers_stands_in_no_other_name(table: Table) -> None:
    names = table.app.names
    assert clean("Anna 🤖\ufe0f 🤖") == "Anna"
    assert (await names.get_or_create_user("discord", "1001234", "Robo🤖")).name == "Robo"
    assert (await names.get_or_create_user("discord", "2005678", "🤖")).name == "#5678"


async def test_names_that_only_contain_such_words_are_allowed(table: Table) -> None:
    for name in ("Owlet", "Fuchsberger", "Max Fuchs", "Igelin", "Ai", "Yu", "Level 5"):
        assert (await choose(table, name)).name == name


# Marks: what stands for names in texts that are kept


async def test_names_come_into_the_places_of_their_marks(
    table: Table, anna: Person, ben: Person
) -> None:
    text = f"1. {mark(anna.id)}: 9\n2. {mark(ben.id)}: 8 ({mark(999)})"
    names, german = table.app.names, Texts("de")
    somebody = german("name-erased")
    assert await names.filled(text, german) == f"1. Anna: 9\n2. Ben: 8 ({somebody})"
    assert await names.filled("1. Anna: 9", german) == "1. Anna: 9"
    await erase(table.app.store, table.app.matches, anna.id)
    names.forget()
    assert (await names.filled(text, german)).startswith(f"1. {somebody}: 9\n")


async def test_whoever_was_erased_is_called_so_in_the_language_of_who_reads_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, moves="d3,c3,c4,e3")
    await erase(table.app.store, table.app.matches, anna.id)
    await table.app.on_remote_change()
    board = await table.screen(match_id, ben)
    assert board.title == "Othello · Jemand von früher ⚫ – ⚪ Ben"
    assert board.text.startswith("Ben gewinnt: Jemand von früher hat aufgegeben.")
    assert f"#{anna.id}" not in said(await ben.types(f"/moves {match_id}"))
    table.configure("play", leaderboard_minimum=1)
    ranking = await ben.types("/leaderboard")
    assert ranking.public is not None
    # Who is gone is in no list any more.
    assert "1. Ben: 1662? (1 game)\n\n" in ranking.public.text


@given(ANYTHING, st.integers(1, 2**31))
def test_nothing_that_anybody_writes_is_a_mark(text: str, number: int) -> None:
    assert marked(readable(f"{text}{mark(number)}{text}")) == set()
    assert marked(mark(number)) == {number}
    assert filled(mark(number), {number: mark(7)}) == mark(7)


async def test_a_name_that_was_being_read_when_it_was_forgotten_is_not_remembered(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, read = table.app.names, people.names

    async def slow(*given_: Any) -> dict[int, str]:
        found = await read(*given_)
        await personal_data.erase(table.app.store, anna.id, name="#1")
        names.forget()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(people, "names", slow)
        await names.of([anna.id])
    assert await names.of([anna.id]) == {anna.id: "#1"}


async def test_names_are_read_once_in_a_while_and_again_when_somebody_may_have_another(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, time = table.app.names, 1000.0
    asked = watched(monkeypatch, people, "names")
    cache = TTLCache[int, str](9, names._known.ttl, timer=lambda: time)
    monkeypatch.setattr(names, "_known", cache)
    names.forget()
    for _ in range(2):
        assert await names.of([anna.id]) == {anna.id: "Anna"}
        assert await names.of([anna.id, ben.id]) == {anna.id: "Anna", ben.id: "Ben"}
    assert [set(ids) for _, ids in asked] == [{anna.id}, {ben.id}]
    time += 19
    await names.of([anna.id, ben.id])
    assert len(asked) == 2
    time += 1
    await names.of([anna.id, ben.id])
    names.forget()
    await names.of([ben.id])
    assert [set(ids) for _, ids in asked[2:]] == [{anna.id, ben.id}, {ben.id}]
    # Nor are they made up.
    assert await names.of([999]) == {}


async def test_where_there_are_no_commands_nobody_is_called_like_one(table: Table) -> None:
    names = Names(table.app.store)
    assert (await names.choose("web", "x", "Othello")).name == "Othello"
    names.reserve(["othello"])
    with pytest.raises(NameRefused, match="name-command"):
        await names.choose("web", "y", "othello")
