"""Notifications of browsers, through a push service that checks signatures and decrypts."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import ColumnElement, func, select, update
from structlog.typing import EventDict

from bot.fronts.web import push, sealing
from bot.fronts.web.sealing import decoded
from bot.store import personal_data, push_subscriptions, sessions
from bot.store.schema import boards
from bot.store.schema import push_subscriptions as push_table
from bot.support.settings import all_settings
from tests.bot.fronts.browsing import Browser, Open, Tab, code_of, label
from tests.bot.fronts.conftest import Arrive
from tests.bot.fronts.web.push_service import CURVE, Device, PushService, decrypt, signed_claims
from tests.bot.store.sql import execute, value

IS_PUBLIC = push.is_public


@pytest.fixture
async def service(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PushService]:
    """Return a push service on this machine, where the bot may find it."""
    monkeypatch.setattr(push, "is_allowed", lambda _url: True)
    monkeypatch.setattr(push, "is_public", lambda _address: True)
    async with PushService().running() as running:
        yield running


@dataclass(slots=True)
class Pair:
    """Anna, and Ben, who is notified of every turn."""

    table: Open
    anna: Tab
    ben: Tab
    browser: Browser
    device: Device

    async def subscribed(self) -> bool:
        ben = self.ben.welcome["you"]["id"]
        return bool(await push_subscriptions.of(self.table.app.store, ben))

    async def until(self, holds: ColumnElement[bool]) -> None:
        """Wait until all boards are so."""
        left = select(func.count()).select_from(boards).where(~holds)
        async with asyncio.timeout(60):
            while await value(self.table.app.store, left):  # noqa: ASYNC110 - asks a database
                await asyncio.sleep(0.02)


@pytest.fixture
async def pair(table: Open, service: PushService, arrive: Arrive) -> Pair:
    browser = await arrive("Ben")
    ben, device = await browser.tab(), service.device()
    service.public_key = ben.welcome["push"]
    await ben.say("/settings pings always")
    assert (await ben.ask(device.frame))["ok"]
    return Pair(table, await (await arrive("Anna")).tab(), ben, browser, device)


DELIVERED = boards.c.notified >= boards.c.news


async def challenge(pair: Pair, until: ColumnElement[bool] = DELIVERED, *, clock: str = "") -> None:
    """Let Anna challenge Ben, and deliver."""
    assert (await pair.anna.say(f"/othello @Ben black {clock}"))["ok"]
    await pair.ben.board()
    await pair.until(until)


async def play(pair: Pair, until: ColumnElement[bool] = DELIVERED) -> None:
    """Let Ben accept and Anna move, and deliver."""
    await pair.ben.press(label((await pair.ben.board())["screen"], "Accept"))
    await pair.anna.board(version=2)
    assert (await pair.anna.say("/othello d3"))["ok"]
    await pair.ben.board(version=3)
    await pair.until(until)


def test_the_stand_in_decrypts_the_example_of_the_standard() -> None:
    """RFC 8291, section 5."""
    number = int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWA"
        "mS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxs"
        "j_Qulcy4a-fN"
    )
    key = ec.derive_private_key(number, CURVE)
    text = decrypt(decoded(body), key=key, auth=decoded("BTBZMqHH6r4Tts7J_aSIgg"))
    assert text == b"When I grow up, I want to be a watermelon"


async def test_a_challenge_and_a_turn_are_shown_with_the_board(
    service: PushService, pair: Pair
) -> None:
    await challenge(pair)
    (shown,) = pair.device.shown
    assert shown["title"] == "Othello · Anna"
    assert shown["body"] == "You have been challenged to Othello."
    assert shown["room"] == "lounge"
    assert "picture" not in shown
    await play(pair)
    match = shown["match"]
    turn = pair.device.shown[1]
    assert turn["body"] == f"Your turn: Othello, game {match}."
    status, picture, _ = await pair.browser.get(turn["picture"])
    assert (status, picture[1:4]) == (200, b"PNG")
    await pair.ben.say("/language de")
    await pair.ben.say("/othello c3")
    await pair.anna.say("/othello c4")
    await pair.until((boards.c.shown == 5) & DELIVERED)
    assert pair.device.shown[2]["body"] == f"Du bist am Zug: Othello, Partie {match}."
    for headers in pair.device.headers:
        kept = {name: headers[name] for name in ("Content-Encoding", "TTL", "Topic", "Urgency")}
        assert kept == {
            "Content-Encoding": "aes128gcm",
            "TTL": "86400",
            "Topic": f"match-{match}",
            "Urgency": "normal",
        }


async def test_a_turn_is_urgent_and_lasts_as_long_as_its_clock(pair: Pair) -> None:
    await challenge(pair, clock="30m+30s")
    await play(pair)
    challenged, turn = pair.device.headers
    assert (challenged["TTL"], challenged["Urgency"]) == ("86400", "normal")
    assert 1700 < int(turn["TTL"]) <= 1830
    assert turn["Urgency"] == "high"


@pytest.mark.parametrize(
    ("house", "origins", "contact"),
    [
        ({"contact": "anna@example.org"}, [], "mailto:anna@example.org"),
        ({"contact": "Anna, @anna"}, ["https://play.example.org"], "https://play.example.org"),
        ({"privacy_url": "https://example.org/privacy"}, [], "https://example.org/privacy"),
        ({"privacy_url": "http://example.org"}, [], ""),
    ],
)
def test_push_services_are_told_whom_to_ask(
    house: dict[str, str], origins: list[str], contact: str
) -> None:
    settings = all_settings().model_validate({"house": house, "web": {"origins": origins}})
    assert push._contact(settings) == contact
    signer = sealing.Signer("1", contact=contact)
    header = signer.authorization("https://push.example.org", now=100)
    claims = {"aud": "https://push.example.org", "exp": 100 + 12 * 3600}
    named = {"sub": contact} if contact else {}
    assert signed_claims(header, signer.public) == claims | named


async def test_without_the_extra_no_browser_is_notified(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setattr(table.web._hub, "push", None)
        anna = await (await arrive("Anna")).tab()
        assert anna.welcome["push"] == ""
        frame = Device("https://push.example.org/to/1").frame
        assert (await anna.ask(frame))["ok"] is False


async def test_a_notification_comes_once_even_if_the_process_forgot_that_it_was_sent(
    service: PushService, pair: Pair
) -> None:
    await challenge(pair)
    await execute(pair.table.app.store, update(boards).values(notified=0))
    pair.table.app.changed.set()
    await pair.until(DELIVERED)
    assert pair.device.asked == 1


async def test_only_the_browser_whose_push_service_was_busy_is_tried_again(
    service: PushService, pair: Pair
) -> None:
    other = service.device()
    async with Browser(pair.table.url) as browser:
        code = {"code": await code_of(pair.ben), "sure": True}
        async with browser.web.post("/also", json=code) as answer:
            assert answer.status == 200
        await (await browser.tab()).ask(other.frame)
        pair.device.answers = [(429, "0"), (503, "0")]
        await challenge(pair)
    assert len(pair.device.shown) == len(other.shown) == 1
    assert (pair.device.asked, other.asked) == (3, 1)


async def test_a_push_service_that_stays_busy_is_left_alone(
    service: PushService, pair: Pair
) -> None:
    pair.device.answers = [(503, "0")] * 9
    await challenge(pair)
    assert pair.device.asked == 5


@pytest.mark.parametrize(("limit", "answers"), [("_SECONDS", False), ("_SLOW", True)])
async def test_a_push_service_that_answers_slowly_or_not_at_all_rests(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, limit: str, *, answers: bool
) -> None:
    monkeypatch.setattr(push, limit, 0.0 if answers else 0.1)
    pair.device.is_slow = not answers
    await challenge(pair)
    await play(pair)
    assert pair.device.asked == 1


async def test_a_push_service_that_does_not_answer_holds_up_one_board_only(
    service: PushService, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "_SECONDS", 2.0)
    monkeypatch.setattr(push, "_SOON", 0.0)
    pair.device.is_slow = True
    for game in ("othello", "sogo", "moyo"):
        assert (await pair.anna.say(f"/{game} @Ben"))["ok"]
    await pair.until(DELIVERED)
    assert pair.device.asked == 1


@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_is_gone_is_removed(
    service: PushService, pair: Pair, status: int
) -> None:
    pair.device.answers = [(status, "")]
    await challenge(pair)
    assert pair.device.asked == 1
    assert not await pair.subscribed()


async def test_a_user_looks_at_a_page_until_the_last_visible_one_closes(pair: Pair) -> None:
    async def looks() -> bool:
        ben = pair.ben.welcome["you"]["id"]
        return bool(await sessions.watching(pair.table.app.store, [ben]))

    assert not await looks()
    one, other = [await pair.browser.tab(visible=True) for _ in range(2)]
    await pair.browser.tab()
    assert await looks()
    await one.close()
    for is_visible in (False, True):
        await other.ask({"t": "appearance", "visible": is_visible})
        assert await looks() is is_visible
    await other.close()
    async with asyncio.timeout(60):
        while await looks():  # noqa: ASYNC110 - asks a database
            await asyncio.sleep(0.02)


async def test_logging_out_unsubscribing_and_deleting_the_account_end_a_subscription(
    service: PushService, pair: Pair
) -> None:
    assert (await pair.ben.ask({"t": "push"}))["ok"]
    assert not await pair.subscribed()
    await pair.ben.ask(pair.device.frame)
    assert await pair.subscribed()
    async with pair.browser.web.post("/leave") as left:
        assert left.status == 204
    count = select(func.count()).select_from(push_table)
    assert await value(pair.table.app.store, count) == 0
    other = service.device()
    assert (await pair.anna.ask(other.frame))["ok"]
    assert await value(pair.table.app.store, count) == 1
    await personal_data.erase(pair.table.app.store, pair.anna.welcome["you"]["id"], name="#1")
    assert await value(pair.table.app.store, count) == 0


async def test_a_browser_with_another_account_is_notified_for_that_account_only(
    service: PushService, pair: Pair
) -> None:
    assert (await pair.anna.ask(pair.device.frame))["ok"]
    assert not await pair.subscribed()


@pytest.mark.parametrize(
    ("endpoint", "is_good"),
    [
        ("https://push.example.org/to/1", True),
        ("https://push.example.org:443/to/1", True),
        ("https://push.example.org:8443/to/1", False),
        ("http://push.example.org/to/1", False),
        ("https://me:secret@push.example.org/to/1", False),
        ("https://192.168.0.1/to/1", False),
        ("https://93.184.216.34/to/1", False),
        ("https://[::1]/to/1", False),
        ("https://127.1/to/1", False),
        ("https://2130706433/to/1", False),
        ("https://0x7f.1/to/1", False),
        ("https://:secret@push.example.org/to/1", False),
        # The connection would fail with an internal error.
        ("https://a..example.org/to/1", False),
        (f"https://{64 * 'a'}.example.org/to/1", False),
        ("https://localhost/to/1", False),
        ("https:///to/1", False),
        ("file:///etc/passwd", False),
        ("https://[", False),
    ],
)
async def test_only_secure_named_addresses_can_be_push_services(
    arrive: Arrive, endpoint: str, *, is_good: bool
) -> None:
    anna, frame = await (await arrive("Anna")).tab(), Device(endpoint).frame
    assert (await anna.ask(frame))["ok"] is is_good
    frame["p256dh"] = "AAAA"
    assert (await anna.ask(frame))["ok"] is False


async def test_names_of_this_machine_and_of_private_networks_are_not_asked(
    service: PushService, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "is_public", IS_PUBLIC)
    monkeypatch.setattr(push, "_PAUSE", 0.0)
    await challenge(pair)
    assert pair.device.asked == 0
    for address in ("127.0.0.1", "::1", "10.1.2.3", "169.254.169.254", "fd00::1", "fe80::1%eth0"):
        assert not push.is_public(address)
    for address in ("::ffff:10.1.2.3", "224.0.0.1", "ff0e::1", "0.0.0.0", "100.64.0.1"):
        assert not push.is_public(address)
    # They may lead to IPv4 addresses: compatible, NAT64, 6to4.
    for address in ("::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "fec0::1"):
        assert not push.is_public(address)
    assert push.is_public("93.184.216.34")
    assert push.is_public("2607:f8b0::1")


async def test_addresses_and_keys_are_neither_logged_nor_exported(
    service: PushService, pair: Pair, logged: list[EventDict]
) -> None:
    pair.device.answers = [(403, "")]
    await challenge(pair)
    assert pair.device.asked == 1
    _, export, _ = await pair.browser.get("/export")
    assert b'"notified browsers": [\n{"session_id":' in export
    _, *keys = pair.device.frame.values()
    subscription = push_subscriptions.Subscription(1, *keys)
    for text in (export.decode(), str(logged), str(subscription)):
        assert not [key for key in keys if key in text]
