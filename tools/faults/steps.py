"""The steps of the scenario, in their order: every game, platform, offer, ending and setting."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from inspect import iscoroutinefunction

from sqlalchemy import text

import games
from bot.cli.hosting import allow, block
from bot.commands.own import arrive, code_hash, leave
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.links import code_in, hashed, new_code
from bot.domain.model import Status
from bot.matches import playing
from bot.store import announcements, places
from bot.store import sessions as session_store
from bot.store.sessions import NewSession
from tests.bot.posed import pose, puzzle
from tests.bot.store import sql
from tests.databases import ask
from tools.faults.core_app import CHALLENGE_HOURS, CoreApp
from tools.faults.scenario import LAST_MOVES, Scenario

_DAY = 24 * 3600
_PAIRS = (
    ("web", "othello", "Anna", "Ben"),
    ("discord", "morris", "Cleo", "Dora"),
    ("telegram", "sogo", "Emil", "Fritz"),
)
_FIRST, _SECOND = NewSession("the secret of a browser", ""), NewSession("that of another", "")


async def users_arrive(s: Scenario) -> None:
    for name, platform, locale in (
        ("Anna", "web", "en"),
        ("Ben", "web", "de"),
        ("Cleo", "discord", "en"),
        ("Dora", "discord", "de"),
        ("Emil", "telegram", "de"),
        ("Fritz", "telegram", "en"),
        ("Greta", "telegram", "en"),
    ):
        await s.app.arrive(name, platform=platform, locale=locale)


async def challenges_are_accepted(s: Scenario) -> None:
    for name, game, first, second in _PAIRS:
        await s.start_between(name, first, second, f"/{game} @ first")


async def moves_are_made(s: Scenario) -> None:
    for name, *_ in _PAIRS:
        await s.play(name, 2)
        await s.play(name, typed=True)


async def moves_are_made_at_once(s: Scenario) -> None:
    for name, *_ in _PAIRS:
        await s.move(await s.loaded(name))
    await s.app.settle()


async def group_gets_a_new_id(s: Scenario) -> None:
    before = s.app.channels["telegram"]
    s.app.platforms["telegram"].moves(before)

    async def moved(app: CoreApp) -> None:
        await app.app.directory.moved("telegram", before.external, f"{before.external}-new")

    await s.act("", moved)
    after = s.app.channels["telegram"] = await places.place(s.app.app.store, before.id)
    for user in s.app.people.values():
        user.place = after if user.place.id == after.id else user.place
    await s.play("telegram")


async def other_games(s: Scenario) -> None:
    for game in sorted(set(games.ids()) - {game for _, game, *_ in _PAIRS} - {"blackbox"}):
        if games.get(game).seats(games.get(game).options_from({})) == 1:
            await s.start(game, "Fritz", f"/{game} new")
        else:
            await s.start_between(game, "Fritz", "Emil", f"/{game} @ first")
        await s.play(game, 2)


async def solo_game(s: Scenario) -> None:
    direct = s.app.people["Greta"].direct
    await s.start("alone", "Greta", "/blackbox new", place=direct)
    await s.play("alone", place=direct)


async def computer_game(s: Scenario) -> None:
    await s.start("computer", "Anna", "/sogo computer 1 second")
    await s.play("computer", 2)
    await s.press("Anna", "takeback", "computer")
    await s.play("computer")
    await s.press("Anna", "resign", "computer", "yes")
    await s.wait()
    await s.press("Anna", "again", "computer", "k2")


async def hidden_stones(s: Scenario) -> None:
    await s.start_between("hidden", "Cleo", "Dora", "/blackbox @ hide")
    await s.play("hidden", 3)


async def private_boards(s: Scenario) -> None:
    await s.press("Dora", "private", "discord")
    for who, name in (("Emil", "telegram"), ("Fritz", "telegram"), ("Cleo", "discord")):
        await s.act(who, f"/board {s.matches[name]}", place=s.app.people[who].direct)
    await s.play("telegram", 2)
    await s.play("discord")


async def boards_are_posted_again(s: Scenario) -> None:
    for who, name in (("Emil", "telegram"), ("Dora", "discord"), ("Ben", "web")):
        await s.act(who, f"/board {s.matches[name]}")


async def challenges_end(s: Scenario) -> None:
    await s.start("declined", "Emil", "/sogo @Fritz")
    await s.press("Fritz", "decline", "declined")
    await s.start("withdrawn", "Cleo", "/othello @Dora")
    await s.press("Cleo", "withdraw", "withdrawn")
    await s.start("expired", "Fritz", "/othello @Emil")
    await s.start("expired too", "Dora", "/sogo @Cleo")
    await s.wait(CHALLENGE_HOURS * 3600 + 1)


async def matches_end_by_the_rules(s: Scenario) -> None:
    for name, *_ in _PAIRS:
        await s.play_nearly_all(name)
        await s.play(name, LAST_MOVES + 2)


async def rematch(s: Scenario) -> None:
    await s.wait()
    for name, first, second in (("telegram", "Emil", "Fritz"), ("discord", "Dora", "Cleo")):
        await s.press(first, "again", name)
        s.matches[f"{name} again"] = await s.app.newest(s.app.people[first].place)
        await s.press(second, "accept", f"{name} again")
        await s.play(f"{name} again", 2)


async def resignation(s: Scenario) -> None:
    await s.press("Emil", "resign", "telegram again", "yes")
    await s.press("Cleo", "resign", "discord again", "yes")
    await s.press("Dora", "resign", "hidden", "yes")


async def analysis(s: Scenario) -> None:
    for who in ("Fritz", "Emil"):
        await s.act(who, f"/analyse {s.matches['telegram again']}")


async def puzzle_is_tried(s: Scenario) -> None:
    s.is_setup = True
    await pose(s.app.app.store, puzzle(plies=1))
    s.is_setup = False
    direct = s.app.people["Cleo"].direct
    await s.start("puzzle", "Cleo", "/puzzle othello", place=direct)
    await s.play("puzzle", place=direct)


async def lists_and_settings(s: Scenario) -> None:
    for who in ("Anna", "Cleo", "Emil"):
        for line in ("/leaderboard", "/stats", "/matches"):
            await s.act(who, line)
    await s.act("Emil", "/settings pings away")
    await s.act("Cleo", "/settings theme dark")
    await s.act("Anna", "/language de")


async def delayed_notification(s: Scenario) -> None:
    await s.start_between("slow", "Fritz", "Emil", "/othello @ first")
    await s.play("slow", 3)
    await s.wait(120)
    await s.play("slow")


async def time_runs_out(s: Scenario) -> None:
    await s.start_between("timed", "Fritz", "Emil", "/sogo @ first 3m+5s")
    # Without these notes, the bot would think that it was down, and give the time back.
    await playing.note_clock(s.app.app.matches)
    await s.app.settle()
    await s.play("timed", 3)
    for _ in range(4):
        s.app.clock.forward(60)
        await playing.note_clock(s.app.app.matches)
    await s.app.settle()
    assert (await s.loaded("timed")).match.status is Status.OVER


async def takeback(s: Scenario) -> None:
    await s.start_between("taken back", "Fritz", "Emil", "/othello @ first unrated")
    await s.play("taken back", 2)
    await s.press("Fritz", "takeback", "taken back")
    await s.wait()
    await s.press("Emil", "takeback", "taken back", "accept")
    await s.play("taken back", 2)


async def blocked_user(s: Scenario) -> None:
    await s.act("Dora", "/block @Cleo")
    await s.act("Cleo", "/othello @Dora")
    await s.act("Dora", "/unblock @Cleo")


async def closed_channels(s: Scenario) -> None:
    for platform, first, second in (("telegram", "Fritz", "Greta"), ("discord", "Cleo", "Dora")):
        name, closed = f"closed {platform}", s.app.platforms[platform].closed
        await s.start_between(name, first, second, "/othello @ first")
        await s.act(second, f"/board {s.matches[name]}", place=s.app.people[second].direct)
        closed.add(s.app.channels[platform].id)
        await s.play(name, 2)
        closed.discard(s.app.channels[platform].id)
        await s.act(first, "/help")
        await s.wait(7 * 3600)


async def message_without_confirmation(s: Scenario) -> None:
    s.app.platforms["telegram"].unconfirmed_in.add(s.app.channels["telegram"].id)
    await s.start("doubt", "Greta", "/othello @Fritz first")
    await s.act("Fritz", Action("board", s.matches["doubt"]))
    await s.press("Fritz", "accept", "doubt")
    await s.play("doubt", 2)


async def holiday_and_another_clock(s: Scenario) -> None:
    await s.start_between("by days", "Fritz", "Emil", "/sogo @ first 3d")
    await s.play("by days")
    await s.act("Emil", "/holiday 2w")
    await s.act("Emil", "/holiday end")
    await s.act("Fritz", f"/clock 5d {s.matches['by days']}")
    await s.wait()
    await s.press("Emil", "clock", "by days", "accept")
    await s.play("by days")
    await s.press("Emil", "resign", "by days", "yes")


async def closed_direct_conversation(s: Scenario) -> None:
    await s.start_between("handed over", "Fritz", "Emil", "/othello @ first")
    direct = s.app.people["Emil"].direct
    await s.act("Emil", f"/board {s.matches['handed over']}", place=direct)
    closed = s.app.platforms["telegram"].closed
    closed.add(direct.id)
    await s.play("handed over", 2)
    closed.discard(direct.id)
    await s.act("Emil", "/help", place=direct)
    await s.play("handed over", 2)


async def damaged_match(s: Scenario) -> None:
    """Damage a match, so that it cannot be replayed until the operator repairs it."""
    match_id = s.matches["handed over"]
    ((stored,),) = ask(s.app.file, f"SELECT options FROM matches WHERE id = {match_id}")
    repair = "UPDATE matches SET options = '{}' WHERE id = " + str(match_id)
    for options in ("null", stored):
        s.repairs = [repair.replace("{}", stored)]
        s.is_setup = True
        await sql.execute(s.app.app.store, text(repair.replace("{}", options)))
        s.is_setup = False
        s.app.app.matches.memory.invalidate()
        await s.act("Fritz", f"/board {match_id}")
    s.repairs = []


async def browser_sessions(s: Scenario) -> None:
    """Log in to two browsers, leave one, and never play."""
    code = new_code()

    async def arrives(app: CoreApp) -> None:
        with suppress(Refused):
            await arrive(app.app, "Nora", "", new=_FIRST)

    async def makes_a_code(app: CoreApp) -> None:
        known = await session_store.by_token(app.app.store, _FIRST.token_hash)
        assert known is not None
        await session_store.keep_code(app.app.store, known.session.id, hashed(code_in(code)))

    async def arrives_in_the_second(app: CoreApp) -> None:
        if await session_store.by_token(app.app.store, _SECOND.token_hash) is None:
            await session_store.log_in(app.app.store, code_hash(code), _SECOND, instead_of=None)

    async def leaves(app: CoreApp) -> None:
        store = app.app.store
        if known := await session_store.by_token(store, _SECOND.token_hash):
            await session_store.in_use(store, known.session.id)
            await leave(app.app, known)

    for event in (arrives, makes_a_code, arrives_in_the_second):
        await s.act("", event, settles=False)
    await s.wait(session_store.NOTED_SECONDS + 1)
    await s.act("", leaves, settles=False)


async def operator_commands(s: Scenario) -> None:
    store = s.app.app.store
    await announcements.add(store, "Good evening!", seconds=3600)
    await s.app.settle()
    name = f"discord:{s.app.channels['discord'].external}"
    for command in (block, allow):
        await command(store, name)
        await s.app.app.on_remote_change()
        await s.app.settle()


async def account_is_deleted(s: Scenario) -> None:
    greta = s.app.people["Greta"]
    await s.act("Greta", Action("erase", argument=f"yes.{greta.id}"), place=greta.direct)


async def data_expires(s: Scenario) -> None:
    for days in (1, 31):
        await s.wait(days * _DAY + 3600)
        await s.app.upkeep.purge()
        await s.app.settle()


STEPS: tuple[Callable[[Scenario], Awaitable[None]], ...] = tuple(
    one for one in [*vars().values()] if iscoroutinefunction(one) and one.__module__ == __name__
)
"""All functions above."""
