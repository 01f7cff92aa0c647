"""The tokens of buttons, and links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import links
from bot.domain.actions import Action
from bot.domain.errors import Refused

ANYTHING = st.text(st.characters(), max_size=80)
"""Lone surrogates, too, which no encoding takes."""


@pytest.mark.parametrize(
    ("action", "token"),
    [
        (Action("step", 12, 5, "d6.d7"), "step:12:5:d6.d7"),
        (Action("play", 1, 2, "d3:ne"), "play:1:2:d3:ne"),
        (Action("step", 10**15 - 1, 2), "step:999999999999999:2:"),
        # As long as every platform takes it.
        (Action("step", 1, 2, "d" * 55), f"step:1:2:{'d' * 55}"),
        (Action("step", 1, 2, "ö" * 27), f"step:1:2:{'ö' * 27}"),
    ],
)
def test_a_token_is_read_back(action: Action, token: str) -> None:
    assert action.token == token
    assert Action.read(token) == action


@given(verb=st.sampled_from(["step", "again"]), numbers=st.tuples(*[st.integers(0, 10**9)] * 2))
def test_every_action_is_read_back(verb: str, numbers: tuple[int, int]) -> None:
    action = Action(verb, *numbers, "a1.b2")
    assert Action.read(action.token) == action


@pytest.mark.parametrize(
    "token",
    [
        "",
        "step",
        "step:1:2",
        ":1:2:d3",
        "step:-1:2:d3",
        "step:1:two:d3",
        "step:1:²:d3",
        "step:1:٣:d3",
        "step:1 :2:d3",
        f"step:{10**15}:2:d3",
        "step:1:2:" + "d" * 56,
        "step:1:2:" + "ö" * 28,
        "st ep:1:2:d3",
        "step:1:2:d3\n",
        "step:1:2:\x00",
        "step:1:2:\ud800",
    ],
)
def test_what_we_never_wrote_is_refused(token: str) -> None:
    with pytest.raises(Refused) as caught:
        Action.read(token)
    assert caught.value.code == "button-unknown"


@given(ANYTHING)
def test_whatever_is_sent_is_an_action_or_refused(token: str) -> None:
    try:
        action = Action.read(token)
    except Refused:
        return
    assert action.token.split(":", 1)[0] == token.split(":", 1)[0]


def test_a_code_is_twelve_letters_and_digits_that_are_not_mistaken_and_read_in_fours() -> None:
    codes = {links.new_code() for _ in range(200)}
    assert len(codes) == 200
    for code in codes:
        assert len(code) == 12
        assert not set(code) & set("ilo01")
        assert links.readable_code(code) == f"{code[:4]}-{code[4:8]}-{code[8:]}"
        for written in (code, code.upper(), links.readable_code(code), f" {code[:5]} {code[5:]} "):
            assert links.code_in(written) == code
    for wrong in ("", "k7mf2qtx9wp", "k7mf2qtx9wpaa", "k7mf2qtx9wp0", "k7mf_2qtx_9wpa", "ä" * 12):
        assert links.code_in(wrong) == ""


@pytest.mark.parametrize(
    ("text", "has_one"),
    [
        ("k7mf2qtx9wpa", True),
        ("come: K7MF-2QTX-9WPA!", True),
        ("kkmf-qqtx-wwpa", True),
        ("kkmfqqtxwwpa", False),
        ("k7mf-2qtx-9wp0", False),
        ("k7mf2qtx9wp", False),
        ("congratulate", False),
        ("", False),
    ],
)
def test_a_text_has_a_code_where_somebody_could_read_one(text: str, *, has_one: bool) -> None:
    assert links.has_code(text) is has_one


@pytest.mark.parametrize("verb", sorted(links.LINKED))
def test_what_a_link_says_is_what_was_put_into_it(verb: str) -> None:
    proof = "" if verb in ("matches", "privacy", "records") else "k7mf2qtx9wpa"
    word = links.word_of(verb, proof)
    assert word == (f"{verb}-{proof}" if proof else verb)
    assert links.read(word) == (verb, proof)


def test_links_do_what_they_may_and_nothing_else() -> None:
    assert {
        "board",
        "hint",
        "join",
        "moves",
        "private",
        "record",
        "rules",
        "matches",
        "privacy",
        "records",
    } == links.LINKED
    with pytest.raises(ValueError, match="resign"):
        links.word_of("resign", "k7mf2qtx9wpa")
    assert links.read("join-" + "a" * 32) == ("join", "a" * 32)
    for wrong in (
        "",
        "join",
        "join-",
        "resign-k7mf2qtx9wpa",
        "privacy-k7mf2qtx9wpa",
        "join-" + "a" * 33,
        "join-k7mf-2qtx",
        "join-k7mf 2qtx",
        "join-größe",
    ):
        with pytest.raises(Refused, match="link-unknown"):
            links.read(wrong)
    # What is kept of a code says nothing of it.
    assert len(links.hashed("k7mf2qtx9wpa")) == 64
    assert links.hashed("k7mf2qtx9wpa") != links.hashed("k7mf2qtx9wpb")
