"""Boards, pings, private things, threads: what stands where, and what survives."""

import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.boards import Boards
from bot.errors import StoreError
from bot.fronts.discord.interaction_tokens import InteractionTokens
from bot.model import Ending, EndingKind, PlaceKind, Status
from bot.store import boards, personal_data, places
from tests.bot.fronts.discord.scene import Scene, buttons, options, private, text_of, walk
from tests.bot.seated import users
from tests.bot.table import a_moment_later


def image(message: discord.Message) -> dict[str, object]:
    gallery = next(one for one in walk(message) if one["type"] == 12)
    (item,) = gallery["items"]
    return dict(item)


async def test_a_board_has_a_picture_with_alt_text_a_line_and_the_next_steps(scene: Scene) -> None:
    await scene.begun()
    board = scene.board()
    assert "Legal moves (4): d3 c4 f5 e6." in str(image(board)["description"])
    assert "anna" in text_of(board)
    labels = [one["label"] for one in buttons(board).values()]
    assert labels == ["d3", "c4", "f5", "e6", "Moves", "Rules", "Flip", "In words", "Resign"]
    assert len(board.attachments) == 1


async def test_an_edit_replaces_the_picture_instead_of_adding_one(scene: Scene) -> None:
    await scene.begun()
    before = scene.board().attachments[0].id
    await scene.step(scene.anna, scene.board(), "d3")
    assert [one.id for one in scene.board().attachments] != [before]
    assert len(scene.board().attachments) == 1


async def test_buttons_say_game_match_version_and_step_in_at_most_100_characters(
    scene: Scene,
) -> None:
    await scene.begun()
    for custom_id in buttons(scene.board()):
        assert len(custom_id) <= 100
    assert "az:othello:step:1:2:d3" in buttons(scene.board())


async def test_a_move_edits_the_board_and_calls_the_other_once(scene: Scene) -> None:
    await scene.begun()
    board = scene.board()
    assert scene.pings() == [f"<@{scene.anna.id}> Your turn: Othello, match 1."]
    result = await scene.step(scene.anna, board, "d3")
    assert result.acknowledged
    assert scene.board().id == board.id
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings() == [f"<@{scene.ben.id}> Your turn: Othello, match 1."]
    assert await scene.settle() == 0
    assert len(scene.pings()) == 1


async def test_what_the_house_has_ended_is_told_to_both(scene: Scene) -> None:
    await scene.begun()
    await scene.app.matches.end(1, Ending(EndingKind.ABORTED))
    await scene.settle()
    both = f"<@{scene.anna.id}> <@{scene.ben.id}>"
    (told,) = scene.pings()
    assert told.startswith(f"{both} Othello, match 1, is over. I had to end this match")
    assert "its rules have changed" in text_of(scene.board())


async def test_what_a_player_has_ended_is_told_to_the_other_one_alone(scene: Scene) -> None:
    await scene.begun()
    await scene.app.matches.end(1, Ending(EndingKind.ABORTED, 0))
    await scene.settle()
    told = "Othello, match 1, is over. anna called this match off. It counts for nobody."
    assert scene.pings() == [f"<@{scene.ben.id}> {told}"]
    assert "anna called this match off" in text_of(scene.board())


async def test_a_ping_may_mention_nobody_but_the_one_on_turn(scene: Scene) -> None:
    await scene.begun()
    sent = [one.json for one in scene.env.http_requests if isinstance(one.json, dict)]
    ping = [body for body in sent if body.get("content")][-1]
    assert ping["allowed_mentions"] == {"parse": [], "users": [scene.anna.id]}
    assert ping["message_reference"]["fail_if_not_exists"] is False


async def test_a_challenge_calls_the_challenged_itself_and_a_no_is_told_to_who_asked(
    scene: Scene,
) -> None:
    await scene.slash(scene.anna, "othello", move="new", user=scene.ben)
    assert scene.pings() == []
    assert f"**anna challenges <@{scene.ben.id}> to Othello.**" in text_of(scene.board())
    (post,) = [
        one.json
        for one in scene.env.http_requests
        if one.method == "POST" and re.fullmatch(r"/channels/\d+/messages", one.path)
    ]
    assert post is not None
    assert post["allowed_mentions"] == {"parse": [], "users": [scene.ben.id]}
    await scene.press(scene.ben, scene.board(), "Decline")
    assert scene.pings() == [f"<@{scene.anna.id}> Your challenge to Othello was declined."]
    assert "Declined" in text_of(scene.board())


async def test_somebody_who_was_forgotten_is_not_called_any_more(scene: Scene) -> None:
    loaded = await scene.begun()
    await scene.step(scene.anna, scene.board(), "d3")
    await scene.step(scene.ben, scene.board(), "c3")
    # As `azumaya forget` does it, in a process of its own.
    await personal_data.forget(scene.app.store, users(loaded.match)[1], name="somebody")
    await scene.step(scene.anna, scene.board(), "c4")
    assert scene.pings() == []


async def test_posts_carry_a_nonce_that_discord_enforces(scene: Scene) -> None:
    await scene.begun()
    posts = [
        one.json
        for one in scene.env.http_requests
        if one.method == "POST" and re.fullmatch(r"/channels/\d+/messages", one.path)
    ]
    nonces = [post["nonce"] for post in posts if post]
    assert len(set(nonces)) == len(posts) == 2
    assert all(len(nonce) <= 25 for nonce in nonces)
    assert all(post["enforce_nonce"] is True for post in posts if post)


async def test_the_same_post_after_a_crash_carries_the_same_nonce(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", move="new")
    (board,) = await boards.of_match(scene.app.store, 1)
    async with scene.app.store.write() as connection:
        # As after a crash between the post and its note.
        await connection.exec_driver_sql("UPDATE boards SET message = NULL, shown = -1")
    await scene.settle()
    bodies = [one.json for one in scene.env.http_requests if isinstance(one.json, dict)]
    sent = [body["nonce"] for body in bodies if "nonce" in body]
    assert sent[0] == sent[-1] == f"{board.id}.0"


async def test_more_than_25_steps_are_split_into_selects(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new")
    (ephemeral,) = [one for one in scene.channel.history(viewer=scene.anna) if one.flags.ephemeral]
    await scene.press(scene.anna, ephemeral, "Play here")
    board = scene.board()
    chosen = options(board)
    assert [len(values) for values in chosen.values()] == [16, 16, 24, 24, 16]
    assert sum(1 for _ in walk(board)) <= 40
    await scene.step(scene.anna, board, "17")
    assert (await scene.loaded()).match.version == 2
    assert [len(values) for values in options(scene.board()).values()] != []


async def test_offers_that_find_no_room_as_buttons_are_answered_in_a_select(scene: Scene) -> None:
    await scene.begun("sogo", clock="3d", rated="no")
    for actor, step in ((scene.anna, "a1"), (scene.ben, "b2")) * 2:
        await scene.step(actor, scene.board(), step)
    steps = [one for one in buttons(scene.board()) if ":step:" in one]
    assert len(steps) == 16
    for name, given in (("draw", {}), ("abort", {}), ("takeback", {}), ("clock", {"clock": "5d"})):
        await scene.slash(scene.anna, name, **given)
    board = scene.board()
    assert [one.split(":")[-1] for one in steps] == [
        one.split(":")[-1] for one in buttons(board) if ":step:" in one
    ]
    ((select, tokens),) = options(board).items()
    assert len(tokens) == len(set(tokens)) == 12
    (accept,) = (one for one in tokens if one.startswith("draw:") and one.endswith("accept"))
    at_once = private(await scene.ben.select(board, [accept], custom_id=select))
    assert at_once is not None
    assert "three seconds" in text_of(at_once)
    # Where it was updated with nothing new, the select lets one choose the same again.
    nod = _first_answers(scene)[-1]
    assert nod["type"] == 7
    assert nod["data"].keys() == {"tts", "allowed_mentions"}
    assert options(scene.board()) == options(board)
    assert image(scene.board()) == image(board)
    await a_moment_later(scene.app.store)
    await scene.ben.select(board, [accept], custom_id=select)
    await scene.settle()
    assert (await scene.loaded()).match.status is Status.OVER


def _first_answers(scene: Scene) -> list[dict[str, Any]]:
    """What interactions were told first, as it was sent."""
    return [
        one.json
        for one in scene.env.http_requests
        if one.path.endswith("/callback") and isinstance(one.json, dict)
    ]


async def test_a_stale_button_is_refused_with_the_current_board_and_the_way_to_it(
    scene: Scene,
) -> None:
    await scene.begun()
    old = scene.board()
    stale = next(id_ for id_ in buttons(old) if id_.endswith(":c4"))
    await scene.step(scene.anna, old, "d3")
    await scene.slash(scene.ben, "othello", move="c3")
    _put_back(scene, old, stale)
    result = await scene.anna.click(scene.board(), custom_id=stale)
    told = private(result)
    assert told is not None
    assert "The board has moved on" in text_of(told)
    links = [one["url"] for one in walk(told) if one.get("style") == 5]
    place = f"{scene.guild.id}/{scene.channel.id}"
    assert links == [f"https://discord.com/channels/{place}/{scene.board().id}"]
    assert (await scene.loaded()).match.version == 4


def _put_back(scene: Scene, message: discord.Message, custom_id: str) -> None:
    """A client that still shows an old button: the message has it once more."""
    stored = scene.env.backend.get_message(scene.channel.id, message.id)
    for component in stored.components:
        for child in component.get("components", []):
            if child.get("custom_id", "").startswith("az:othello:step"):
                child["custom_id"] = custom_id
                return
    raise AssertionError("no step there")


async def finished(scene: Scene) -> discord.Message:
    """The board of a match that Ben gave up."""
    await scene.begun()
    asked = await scene.press(scene.ben, scene.board(), "Resign")
    assert asked.response is not None
    await scene.press(scene.ben, asked.response, "Yes, give up")
    assert (await scene.loaded()).match.status is Status.OVER
    return scene.board()


async def test_a_finished_board_shows_only_what_can_still_be_done(scene: Scene) -> None:
    board = await finished(scene)
    labels = [one["label"] for one in walk(board) if one["type"] == 2]
    assert labels == ["Moves", "Flip", "In words", "Another match"]


async def test_a_challenge_that_has_ended_has_no_buttons_any_more(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", move="new")
    offered = [one["label"] for one in buttons(scene.board()).values()]
    assert offered == ["Join in", "Rules", "Withdraw (anna)"]
    await scene.press(scene.anna, scene.board(), "Withdraw (anna)")
    await scene.slash(scene.anna, "othello", move="new", user=scene.ben)
    await scene.press(scene.ben, scene.board(), "Decline")
    assert [[one for one in walk(board) if one["type"] == 2] for board in scene.boards()] == [
        [],
        [],
    ]


@pytest.mark.parametrize("label", ["Moves", "Flip", "In words"])
async def test_a_finished_match_can_still_be_looked_at(scene: Scene, label: str) -> None:
    board = await finished(scene)
    told = private(await scene.press(scene.cleo, board, label))
    assert told is not None
    if label == "In words":
        assert "Discs: anna (2), ben (2)" in text_of(told)
    assert not any(":step:" in custom_id for custom_id in buttons(told))
    assert len(told.attachments) == (label == "Flip")


async def test_another_match_is_asked_for_at_the_finished_one(scene: Scene) -> None:
    over = await finished(scene)
    await a_moment_later(scene.app.store)
    await scene.press(scene.ben, over, "Another match")
    assert f"ben challenges <@{scene.anna.id}>" in text_of(scene.board())


@pytest.mark.parametrize("label", ["d3", "Resign"])
async def test_an_old_button_of_a_finished_match_does_nothing(scene: Scene, label: str) -> None:
    await scene.begun()
    board = scene.board()
    old = next(one["custom_id"] for one in buttons(board).values() if one["label"] == label)
    loaded = await scene.loaded()
    await scene.app.matches.resign(1, users(loaded.match)[1])
    told = private(await scene.anna.click(board, custom_id=old))
    assert told is not None
    assert "over" in text_of(told)
    assert (await scene.loaded()).match.version == loaded.match.version + 1


async def test_a_question_goes_away_once_it_is_answered(scene: Scene) -> None:
    await scene.begun()
    asked = await scene.press(scene.ben, scene.board(), "Resign")
    assert asked.response is not None
    await scene.press(scene.ben, asked.response, "Yes, give up")
    assert asked.response is None


def alone(scene: Scene, actor: Any) -> list[str]:
    """What somebody alone sees in the lounge."""
    return [text_of(one) for one in scene.channel.history(viewer=actor) if one.flags.ephemeral]


@pytest.mark.parametrize("how", ["pressed", "typed"])
async def test_why_not_goes_with_the_next_answer(scene: Scene, how: str) -> None:
    await scene.begun()
    await scene.step(scene.ben, scene.board(), "d3")
    assert "not your turn" in str(alone(scene, scene.ben))
    await scene.slash(scene.ben, "othello", move="a1")
    await scene.step(scene.anna, scene.board(), "d3")
    assert len(alone(scene, scene.ben)) == 1
    if how == "pressed":
        await scene.step(scene.ben, scene.board(), "c3")
    else:
        await scene.slash(scene.ben, "othello", move="c3")
    assert alone(scene, scene.ben) == []
    assert "Last move: c3" in text_of(scene.board())


async def test_why_not_stays_until_the_same_person_is_answered_in_the_same_channel(
    scene: Scene,
) -> None:
    garden = scene.guild.create_text_channel("garden")
    await scene.begun()
    await scene.slash(scene.anna, "othello", move="a1")
    await scene.ben.slash(scene.channel, "othello", move="a1")
    await scene.anna.slash(garden, "rules", game="othello")
    assert "would flip nothing" in str(alone(scene, scene.anna))
    await scene.slash(scene.anna, "rules", game="othello")
    assert "would flip nothing" not in str(alone(scene, scene.anna))


async def test_a_half_made_move_that_is_finished_by_typing_does_not_stay(scene: Scene) -> None:
    loaded = await scene.begun("moyo")
    (seat,) = loaded.turn
    actor = await scene.actor(users(loaded.match)[seat])
    steps = [loaded.game.steps(move) for move in loaded.position.moves(seat)]
    await scene.step(actor, scene.board(), steps[0][0])
    assert len(alone(scene, actor)) == 1
    await scene.slash(actor, "moyo", move="=".join(steps[0]))
    assert alone(scene, actor) == []
    assert (await scene.loaded()).match.version == loaded.match.version + 1


async def test_what_goes_into_private_is_led_to(scene: Scene) -> None:
    await scene.begun("blackbox", mode="hide")
    loaded = await scene.loaded()
    actor = await scene.actor(users(loaded.match)[min(loaded.turn)])
    told = private(await scene.press(actor, scene.board(), "Hide stones"))
    assert told is not None
    (url,) = [one["url"] for one in walk(told) if one.get("url")]
    assert url == f"https://discord.com/channels/@me/{actor.user.dm_channel.id}"
    assert "You hide 5 stones" in text_of(scene.board(actor.user.dm_channel))
    # Once there is another answer nobody need dismiss it by hand.
    assert "private conversation" in str(alone(scene, actor))
    await scene.press(actor, scene.board(), "Rules")
    assert "private conversation" not in str(alone(scene, actor))


async def test_stones_are_hidden_in_one_line_where_others_look_and_do_not_see_it(
    scene: Scene,
) -> None:
    await scene.begun("blackbox", mode="hide")
    loaded = await scene.loaded()
    hider = await scene.actor(users(loaded.match)[min(loaded.turn)])
    told = private(await scene.press(hider, scene.board(), "Hide stones"))
    assert told is not None
    window = await hider.click(told, label="Type them")
    assert window.modal is not None
    assert window.modal["title"] == "Hide stones"
    # Whatever was opened before a restart is filled in after it.
    await scene.restart()
    result = await hider.submit_modal(window, {"line": "B2, c7 d4;f1 h8"})
    await scene.settle()
    own = private(result)
    assert own is not None
    assert "Hidden 5 of 5" in text_of(own)
    assert "Hidden" not in text_of(scene.board())
    stones = (await scene.loaded()).position.view(min(loaded.turn)).stones
    assert sorted(stones) == ["b2", "c7", "d4", "f1", "h8"]
    await scene.press(hider, own, "All hidden")
    assert min((await scene.loaded()).turn) != min(loaded.turn)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a1 b2 c3 d4 e5 f6", "At most 5 at once"),
        ("a1 b2 z9", "z9"),
        ("hello", "hello"),
        ("", "You hide 5 stones"),
    ],
)
async def test_a_line_that_hides_nothing_changes_nothing(
    scene: Scene, line: str, said: str
) -> None:
    await scene.begun("blackbox", mode="hide")
    loaded = await scene.loaded()
    hider = await scene.actor(users(loaded.match)[min(loaded.turn)])
    told = private(await scene.press(hider, scene.board(), "Hide stones"))
    assert told is not None
    window = await hider.click(told, label="Type them")
    own = private(await hider.submit_modal(window, {"line": line}))
    assert own is not None
    assert said in text_of(own)
    assert (await scene.loaded()).match.version == loaded.match.version


async def test_flip_and_words_are_for_the_one_who_asks(scene: Scene) -> None:
    await scene.begun()
    flipped = await scene.press(scene.cleo, scene.board(), "Flip")
    assert flipped.response is not None
    assert flipped.response.ephemeral
    assert len(flipped.response.attachments) == 1
    # Moves are for those who play.
    d3 = "az:othello:step:1:2:d3"
    assert d3 not in buttons(flipped.response)
    own = await scene.press(scene.anna, scene.board(), "Flip")
    assert own.response is not None
    assert d3 in buttons(own.response)
    words = await scene.press(scene.cleo, scene.board(), "In words")
    assert words.response is not None
    assert "Legal moves" in text_of(words.response)


async def test_buttons_and_matches_survive_a_restart_in_the_middle(scene: Scene) -> None:
    await scene.begun()
    await scene.step(scene.anna, scene.board(), "d3")
    board = scene.board()
    await scene.restart()
    await scene.step(scene.ben, scene.board(), "c3")
    assert scene.board().id == board.id
    assert "Last move: c3" in text_of(scene.board())


async def test_what_was_committed_before_a_crash_is_shown_after_it(scene: Scene) -> None:
    await scene.begun()
    await scene.anna.click(scene.board(), custom_id="az:othello:step:1:2:d3")
    await scene.restart()
    assert "Last move" not in text_of(scene.board())
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings() == [f"<@{scene.ben.id}> Your turn: Othello, match 1."]


async def test_board_moves_to_the_bottom_and_the_old_one_goes(scene: Scene) -> None:
    await scene.begun()
    old = scene.board()
    await scene.ben.send(scene.channel, "nice weather")
    await scene.slash(scene.ben, "board")
    assert [one.id for one in scene.boards()] != [old.id]
    assert len(scene.boards()) == 1
    assert len(scene.pings()) == 2


async def test_two_servers_at_once_do_not_meet(scene: Scene) -> None:
    await scene.begun()
    other = scene.env.create_guild("Backyard")
    channel = other.create_text_channel("lounge")
    anna, dora = other.add_member(scene.anna.user), other.add_member(scene.env.create_user("dora"))
    await anna.slash(channel, "sogo", move="new", user=dora, side="first")
    await scene.settle()
    await scene.press(dora, scene.board(channel), "Accept")
    await scene.step(anna, scene.board(channel), "b3")
    await scene.step(scene.anna, scene.board(), "d3")
    assert "Last move: b3" in text_of(scene.board(channel))
    assert "Last move: d3" in text_of(scene.board())
    assert (await scene.loaded(2)).match.version == 3


# --- private -------------------------------------------------------------------------------


async def solo_in_private(scene: Scene) -> discord.Message:
    result = await scene.slash(scene.anna, "blackbox", move="new")
    assert result.response is not None
    assert result.response.ephemeral
    labels = [one["label"] for one in buttons(result.response).values()]
    assert labels == ["Play here", "In private"]
    await scene.press(scene.anna, result.response, "In private")
    return scene.board(scene.anna.user.dm_channel)


async def test_black_box_alone_runs_in_the_direct_conversation(scene: Scene) -> None:
    board = await solo_in_private(scene)
    await scene.step(scene.anna.user, board, "1")
    for cell in ("a1", "b2", "c3", "d4", "e5"):
        await scene.step(scene.anna.user, scene.board(scene.anna.user.dm_channel), cell)
    asked = await scene.anna.user.slash("blackbox", move="guess")
    await scene.settle()
    if (await scene.loaded()).match.status is Status.RUNNING:
        assert asked.response is not None
        await scene.press(scene.anna.user, asked.response, "Yes, play it")
    assert (await scene.loaded()).match.status is Status.OVER
    assert scene.boards() == []


async def fails(*_: object) -> bool:
    raise StoreError("database is locked")


async def is_not_noted_yet(*_: object) -> bool:
    return False


@pytest.mark.parametrize("asked", [fails, is_not_noted_yet])
async def test_an_answer_beside_a_board_that_only_interactions_reach_is_not_taken_for_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, asked: Callable[..., Awaitable[bool]]
) -> None:
    scene.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    loaded = await scene.begun()
    board = scene.board()
    with monkeypatch.context() as patch:
        patch.setattr(Boards, "knows", asked)
        told = private(await scene.ben.click(board, label="Resign"))
    assert told is not None
    before = text_of(told)
    await scene.app.matches.play(1, users(loaded.match)[0], "d3")
    await scene.settle()
    assert text_of(told) == before
    assert scene.board().id == board.id
    assert "Last move: d3" in text_of(scene.board())


async def test_an_apology_does_not_take_the_place_of_a_board_that_one_person_sees(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await closed_to_anna(scene)
    with monkeypatch.context() as patch:
        patch.setattr(Boards, "knows", fails)
        told = private(await scene.anna.click(board, label="Rules"))
    assert told is not None
    assert told.id != board.id
    assert seen_alone(scene).id == board.id


@pytest.mark.parametrize("place", ["1/2", "5"])
def test_where_the_newest_way_into_a_place_fails_the_one_before_serves(place: str) -> None:
    ways = InteractionTokens()
    anybody: Any = SimpleNamespace(user=SimpleNamespace(id=5), message=None)
    before, newest = (ways.keep(anybody, place, only_way=True) for _ in range(2))
    ways.shut(newest)
    assert ways.to(place) is before
    assert ways.to("5") is before


async def closed_to_anna(scene: Scene, code: int = 50007) -> discord.Message:
    """A Black Box alone, on a board that Anna alone sees."""
    scene.env.inject_error(
        "POST",
        f"/channels/{scene.anna.user.dm_channel.id}/messages",
        status=403,
        code=code,
        times=None,
    )
    result = await scene.slash(scene.anna, "blackbox", move="new")
    assert result.response is not None
    await scene.press(scene.anna, result.response, "In private")
    return seen_alone(scene)


def seen_alone(scene: Scene) -> discord.Message:
    """The one board among all that Anna alone sees."""
    (board,) = [
        one
        for one in scene.channel.history(viewer=scene.anna)
        if one.flags.ephemeral and options(one)
    ]
    return board


@pytest.mark.parametrize("code", [50007, 50278, 50001])
async def test_where_the_direct_conversation_is_closed_it_is_played_unseen_by_others(
    scene: Scene, code: int
) -> None:
    board = await closed_to_anna(scene, code)
    assert not [one for one in scene.channel.history(viewer=scene.ben) if options(one)]
    pressed = await scene.step(scene.anna, board, "1")
    assert pressed.acknowledged
    assert (await scene.loaded()).match.version == 2
    chosen = options(seen_alone(scene)).values()
    assert not any(values and values[0].endswith(":1:1:1") for values in chosen)


async def test_whoever_is_closed_to_us_is_told_where_the_board_is(scene: Scene) -> None:
    with capture_logs() as logs:
        board = await closed_to_anna(scene)
    assert "closed to me" in text_of(board)
    (answer,) = [one for one in scene.channel.history(viewer=scene.anna) if one.id != board.id]
    assert "or, if that is closed to me, here" in text_of(answer)
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [50007]


async def test_whoever_is_open_to_us_finds_nothing_but_the_board_there(scene: Scene) -> None:
    assert "closed to me" not in text_of(await solo_in_private(scene))


@pytest.mark.parametrize("label", ["Rules", "Moves", "In words", "Give up"])
async def test_a_board_seen_by_one_stays_when_more_is_asked_there(scene: Scene, label: str) -> None:
    board = await closed_to_anna(scene)
    told = private(await scene.press(scene.anna, board, label))
    assert told is not None
    assert seen_alone(scene).id == board.id
    # Played elsewhere, so that the board is edited by the token of this very press.
    loaded = await scene.loaded()
    await scene.app.matches.play(1, users(loaded.match)[0], "ask 1")
    await scene.settle()
    assert seen_alone(scene).id == board.id
    assert text_of(seen_alone(scene)) != text_of(board)
    assert text_of(told)


async def test_what_is_hidden_is_seen_by_nobody_else(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    public = scene.board()
    told = await scene.press(scene.ben, public, "Hide stones")
    assert told.response is not None
    private = scene.board(scene.ben.user.dm_channel)
    await scene.step(scene.ben.user, private, "c4")
    # A nonce may have these two signs within it.
    sent = [one for one in scene.env.http_requests if re.search(r"\bc4\b", str(one.json))]
    direct = scene.ben.user.dm_channel.id
    assert {one.path.split("/")[2] for one in sent if one.path.startswith("/channels/")} == {
        str(direct)
    }
    assert [one.method for one in sent if one.path.startswith("/interactions/")] == []


# --- threads -------------------------------------------------------------------------------


async def with_threads(scene: Scene) -> None:
    owner = scene.guild.create_role(
        "Keepers", permissions=discord.Permissions(manage_channels=True)
    )
    keeper = scene.guild.add_member(scene.env.create_user("keeper"), roles=[owner])
    asked = await keeper.slash(scene.channel, "here")
    assert asked.response is not None
    await keeper.click(asked.response, label="A thread for each match: no")
    await scene.settle()


async def test_a_match_gets_a_thread_of_its_own_where_the_place_wants_that(scene: Scene) -> None:
    await with_threads(scene)
    await scene.begun()
    (thread,) = scene.channel.threads
    assert "Othello" in str(thread.name)
    await scene.anna.slash(thread, "othello", move="d3")
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board(thread))
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings(thread) == [f"<@{scene.ben.id}> Your turn: Othello, match 1."]
    assert scene.pings() == []


async def test_a_thread_stays_open_as_long_as_discord_offers(scene: Scene) -> None:
    await with_threads(scene)
    await scene.begun()
    (made,) = [one.json for one in scene.env.http_requests if one.path.endswith("/threads")]
    assert made is not None
    assert made["auto_archive_duration"] == 7 * 24 * 60


async def test_an_archived_thread_is_opened_again_by_the_next_move(scene: Scene) -> None:
    await with_threads(scene)
    await scene.begun()
    (thread,) = scene.channel.threads
    stored = scene.env.backend.get_channel(thread.id)
    assert stored.thread_metadata is not None
    stored.thread_metadata.archived = True
    scene.env.inject_error(
        "PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=1
    )
    await scene.anna.slash(thread, "othello", move="d3")
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board(thread))
    opened = [
        one.json
        for one in scene.env.http_requests
        if one.method == "PATCH" and one.path == f"/channels/{thread.id}"
    ]
    assert opened == [{"archived": False}]
    assert not stored.thread_metadata.archived
    assert scene.pings(thread) == [f"<@{scene.ben.id}> Your turn: Othello, match 1."]
    assert scene.pings() == []


async def test_a_thread_that_may_not_be_opened_again_is_waited_for(scene: Scene) -> None:
    await with_threads(scene)
    await scene.begun()
    (thread,) = scene.channel.threads
    scene.env.inject_error(
        "PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=2
    )
    with capture_logs() as logs:
        await scene.slash(scene.anna, "othello", move="d3")
    assert [one["code"] for one in logs if one["log_level"] != "info"] == [50083]
    assert "Last move: d3" in text_of(scene.board())
    assert await scene.settle() == 0
    assert "Last move: d3" in text_of(scene.board(thread))


async def test_only_keepers_change_a_place(scene: Scene) -> None:
    result = await scene.slash(scene.ben, "here")
    assert result.response is not None
    assert "Only those who look after this place" in text_of(result.response)


@pytest.mark.parametrize("locale", ["de"])
async def test_a_german_server_gets_german_boards(scene: Scene, locale: str) -> None:
    place = await places.get_or_create_place(
        scene.app.store,
        "discord",
        f"{scene.guild.id}/{scene.channel.id}",
        kind=PlaceKind.CHANNEL,
        title="#lounge",
    )
    await places.change_place(scene.app.store, place.id, settings={"language": locale})
    await scene.slash(scene.anna, "othello", move="new")
    assert "möchte Othello spielen" in text_of(scene.board())
