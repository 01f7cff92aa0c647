"""An evening: every game, people on all platforms, challenges, refusals, endings, a leaderboard,
clocks, a match that is looked back on, a puzzle, a holiday, a group with a new name, damage that is
mended.

Told step by step (`STEPS`); between two of them everything that is due has been done. What people
were told is written down as they would: moves that were answered with yes, and what they are
waiting for (`Evening.doing`) while the house may die.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from unittest import mock

from sqlalchemy import text

import games
from bot import erasing
from bot.actions import Action
from bot.commands import Answer
from bot.commands.own import bring_in
from bot.errors import Refused
from bot.hosting import let_in, say, shut_out
from bot.links import code_in, hashed, new_code
from bot.matches import LoadedMatch
from bot.model import Place, Status
from bot.sessions import NewSession, Sessions
from bot.store import match_queries, places
from bot.store import sessions as session_store
from tests.bot.posed import pose, puzzle
from tests.bot.seated import users
from tests.bot.table import A_MOMENT
from tests.databases import ask
from tools.attack.ledger import Move
from tools.faults.house import HOURS, House

__all__ = ["STEPS", "Doing", "Evening"]

_LAST = 3
"""Moves of a match that are played at the table, before its end; those before are just stored."""


@dataclass(frozen=True, slots=True)
class Doing:
    """Something that somebody wants, and has not been answered yet."""

    who: str
    what: "str | Action | Hearing"
    place: Place | None = None
    move: Move | None = None
    """The move that it is, if it is one."""


Hearing = Callable[[House], Awaitable[None]]
"""What a house is told by others than its people, who tell it again where it has died over it."""


@dataclass(slots=True)
class Evening:
    """What is going on in a house, as its people know it."""

    house: House
    luck: Random
    doing: list[Doing] = field(default_factory=list)
    acknowledged: set[Move] = field(default_factory=set)
    tried: set[Move] = field(default_factory=set)
    matches: dict[str, int] = field(default_factory=dict)
    """What the steps call their matches."""
    mends: list[str] = field(default_factory=list)
    """What the host does to a file that is damaged, in SQL, before the house starts again."""
    is_quiet: bool = False
    """Is something going on that is just to be done, and not to be looked at?"""

    def on(self, house: House) -> "Evening":
        """The same evening in another house, as far as it has come."""
        return Evening(
            house,
            Random(0),
            list(self.doing),
            set(self.acknowledged),
            set(self.tried),
            dict(self.matches),
            list(self.mends),
        )

    # --- what people do -------------------------------------------------------------------

    async def does(
        self,
        who: str,
        what: str | Action,
        *,
        place: Place | None = None,
        move: Move | None = None,
    ) -> Answer:
        """Type a line or press a button, and be answered."""
        doing = Doing(who, what, place, move)
        self.doing.append(doing)
        answer = await self.again(doing)
        self.doing.remove(doing)
        return answer

    async def again(self, doing: Doing) -> Answer:
        """The same, perhaps after a start of the house."""
        if not isinstance(doing.what, str | Action):
            await doing.what(self.house)
            return Answer()
        person, what = self.house.people[doing.who], doing.what
        if doing.move:
            self.tried.add(doing.move)
        if isinstance(what, Action):
            answer = await person.presses(what, place=doing.place)
        else:
            answer = await person.types(what, place=doing.place)
        if doing.move and not answer.refused and answer.private is None:
            self.acknowledged.add(doing.move)
        return answer

    async def hears(self, what: Hearing) -> None:
        """The house is told something, and has done it."""
        doing = Doing("", what)
        self.doing.append(doing)
        await self.again(doing)
        self.doing.remove(doing)

    async def begins(self, name: str, who: str, line: str, *, place: Place | None = None) -> int:
        """Somebody begins a match, or asks for one; gives its id."""
        answer = await self.does(who, line, place=place)
        assert not answer.refused, answer
        place = place or self.house.people[who].place
        ids = await match_queries.in_place(self.house.app.store, place.id, status=Status)
        self.matches[name] = ids[0]
        return ids[0]

    async def moves(self, name: str, number: int = 1, *, typed: bool = False) -> None:
        """Whoever's turn it is makes a legal move, and boards catch up."""
        for _ in range(number):
            loaded = await self.house.loaded(self.matches[name])
            if loaded.match.status is not Status.RUNNING:
                return
            await self._move(loaded, typed=typed)
            await self.settles()

    async def _move(self, loaded: LoadedMatch, *, typed: bool) -> None:
        seat = min(loaded.position.turn)
        move = _safe(loaded, seat, self.luck)
        assert move is not None, loaded.match
        match, game = loaded.match, loaded.game
        known = (match.id, match.version, ".".join(game.steps(move)))
        user = match.user_at(seat)
        if user is None:
            # A computer has not come to it yet: it does when what is due is done.
            return
        who = self.name_of(user)
        person = self.house.people[who]
        if game.is_secret(move):
            line = f"/{game.id} {game.notation(move)}"
            await self.does(who, line, place=person.direct, move=known)
        elif typed:
            await self.does(who, f"/{game.id} {game.notation(move)}", move=known)
        else:
            await self.does(who, Action("step", *known), move=known)

    async def nearly_ends(self, name: str) -> None:
        """Play a match until shortly before its end, which is not looked at."""
        house, match_id = self.house, self.matches[name]
        loaded = await house.loaded(match_id)
        record, position = [], loaded.position
        assert position is not None
        while position.outcome() is None:
            if (forced := position.forced()) is not None:
                # The house makes it by itself.
                position = position.play(*forced)
                continue
            seat = min(position.turn)
            move = self.luck.choice(position.moves(seat))
            record.append((seat, loaded.game.notation(move)))
            position = position.play(seat, move)
        self.is_quiet = True
        for seat, notation in record[:-_LAST]:
            await house.app.matches.play(match_id, users(loaded.match)[seat], notation, sure=True)
        await self.settles()
        self.is_quiet = False

    async def settles(self) -> None:
        """All that is due is done."""
        await self.house.settle()

    async def passes(self, seconds: float) -> None:
        """Time passes, and what is due by then is done."""
        self.house.clock.forward(seconds)
        await self.settles()

    def name_of(self, user: int) -> str:
        return next(name for name, one in self.house.people.items() if one.id == user)

    async def version(self, name: str) -> int:
        return (await self.house.loaded(self.matches[name])).match.version

    async def presses(self, who: str, verb: str, name: str, argument: str = "") -> Answer:
        """Press a button of a match, as it is shown now."""
        action = Action(verb, self.matches[name], await self.version(name), argument)
        return await self.does(who, action)


def _safe(loaded: LoadedMatch, seat: int, luck: Random) -> object:
    """A legal move that nobody is asked about twice."""
    position, game = loaded.position, loaded.game
    assert position is not None
    moves = list(position.moves(seat))
    luck.shuffle(moves)
    view = position.view(seat)
    return next((move for move in moves if game.caution(view, seat, move) is None), None)


# --- the steps ------------------------------------------------------------------------------

Step = Callable[[Evening], Awaitable[None]]


async def people_come(e: Evening) -> None:
    for name, platform, locale in (
        ("Anna", "web", "en"),
        ("Ben", "web", "de"),
        ("Cleo", "discord", "en"),
        ("Dora", "discord", "de"),
        ("Emil", "telegram", "de"),
        ("Fritz", "telegram", "en"),
        ("Greta", "telegram", "en"),
    ):
        await e.house.comes(name, platform, locale)


async def a_challenge_is_taken_on_each_platform(e: Evening) -> None:
    for name, game, first, second in _PAIRS:
        await e.begins(name, first, f"/{game} @{second} first")
        await e.settles()
        await e.presses(second, "accept", name)
        await e.settles()


_PAIRS = (
    ("web", "othello", "Anna", "Ben"),
    ("discord", "morris", "Cleo", "Dora"),
    ("telegram", "sogo", "Emil", "Fritz"),
)


async def moves_are_made(e: Evening) -> None:
    for name, *_ in _PAIRS:
        await e.moves(name, 2)
        await e.moves(name, 1, typed=True)


async def two_move_at_once(e: Evening) -> None:
    """Boards of several matches are under way together."""
    for name, *_ in _PAIRS:
        loaded = await e.house.loaded(e.matches[name])
        await e._move(loaded, typed=False)
    await e.settles()


async def a_group_has_a_new_name(e: Evening) -> None:
    before = e.house.channels["telegram"]
    e.house.walls["telegram"].moves(before)

    async def told(house: House) -> None:
        await house.app.directory.moved("telegram", before.external, f"{before.external}-new")

    await e.hears(told)
    await e.settles()
    after = await places.place(e.house.app.store, before.id)
    e.house.channels["telegram"] = after
    for person in e.house.people.values():
        person.place = after if person.place.id == after.id else person.place
    await e.moves("telegram", 1)


async def a_fifth_game(e: Evening) -> None:
    rest = sorted(set(games.ids()) - {game for _, game, *_ in _PAIRS} - {"blackbox"})
    for game in rest:
        alone = games.get(game).seats(games.get(game).options_from({})) == 1
        await e.begins(game, "Fritz", f"/{game} new" if alone else f"/{game} @Emil first")
        await e.settles()
        if not alone:
            await e.presses("Emil", "accept", game)
            await e.settles()
        await e.moves(game, 2)


async def somebody_plays_alone(e: Evening) -> None:
    direct = e.house.people["Greta"].direct
    await e.begins("alone", "Greta", "/blackbox new", place=direct)
    await e.settles()
    loaded = await e.house.loaded(e.matches["alone"])
    move = _safe(loaded, 0, e.luck)
    known = (loaded.match.id, loaded.match.version, ".".join(loaded.game.steps(move)))
    await e.does("Greta", Action("step", *known), place=direct, move=known)
    await e.settles()


async def somebody_plays_against_the_computer(e: Evening) -> None:
    await e.begins("computer", "Anna", "/sogo computer 1 second")
    await e.settles()
    await e.moves("computer", 2)
    await e.presses("Anna", "takeback", "computer")
    await e.settles()
    await e.moves("computer")
    await e.presses("Anna", "resign", "computer", "yes")
    await e.settles()
    await e.passes(A_MOMENT)
    await e.presses("Anna", "again", "computer", "k2")
    await e.settles()


async def stones_are_hidden(e: Evening) -> None:
    await e.begins("hidden", "Cleo", "/blackbox @Dora hide")
    await e.settles()
    await e.presses("Dora", "accept", "hidden")
    await e.settles()
    await e.moves("hidden", 3)


async def a_private_board_is_wanted(e: Evening) -> None:
    await e.presses("Dora", "private", "discord")
    await e.settles()
    for who, name in (("Emil", "telegram"), ("Fritz", "telegram"), ("Cleo", "discord")):
        await e.does(who, f"/board {e.matches[name]}", place=e.house.people[who].direct)
        await e.settles()
    await e.moves("telegram", 2)
    await e.moves("discord", 1)


async def a_board_is_asked_for_anew(e: Evening) -> None:
    for who, name in (("Emil", "telegram"), ("Dora", "discord"), ("Ben", "web")):
        await e.does(who, f"/board {e.matches[name]}")
        await e.settles()


async def challenges_come_to_nothing(e: Evening) -> None:
    await e.begins("declined", "Emil", "/sogo @Fritz")
    await e.settles()
    await e.presses("Fritz", "decline", "declined")
    await e.settles()
    await e.begins("withdrawn", "Cleo", "/othello @Dora")
    await e.settles()
    await e.presses("Cleo", "withdraw", "withdrawn")
    await e.settles()


async def challenges_run_out(e: Evening) -> None:
    await e.begins("expired", "Fritz", "/othello @Emil")
    await e.begins("expired too", "Dora", "/sogo @Cleo")
    await e.settles()
    await e.passes(HOURS * 3600 + 1)


async def what_may_not_be_is_refused(e: Evening) -> None:
    answer = await e.does("Greta", Action("step", e.matches["telegram"], 1, "a1"))
    assert answer.refused
    answer = await e.does("Anna", f"/othello {'z9'}")
    assert answer.refused
    await e.settles()


async def matches_end_by_the_rules(e: Evening) -> None:
    for name, *_ in _PAIRS:
        await e.nearly_ends(name)
        await e.moves(name, _LAST + 2)


async def another_match(e: Evening) -> None:
    await e.passes(A_MOMENT)
    for name, first, second in (("telegram", "Emil", "Fritz"), ("discord", "Dora", "Cleo")):
        await e.presses(first, "again", name)
        ids = await match_queries.in_place(
            e.house.app.store, e.house.people[first].place.id, status=Status
        )
        e.matches[f"{name} again"] = ids[0]
        await e.settles()
        await e.presses(second, "accept", f"{name} again")
        await e.settles()
        await e.moves(f"{name} again", 2)


async def somebody_gives_up(e: Evening) -> None:
    await e.presses("Emil", "resign", "telegram again", "yes")
    await e.settles()
    await e.presses("Cleo", "resign", "discord again", "yes")
    await e.settles()
    await e.presses("Dora", "resign", "hidden", "yes")
    await e.settles()


async def a_match_is_looked_back_on(e: Evening) -> None:
    line = f"/analyse {e.matches['telegram again']}"
    await e.does("Fritz", line)
    await e.settles()
    await e.does("Emil", line)
    await e.settles()


async def a_puzzle_is_tried(e: Evening) -> None:
    e.is_quiet = True
    await pose(e.house.app.store, puzzle(plies=1))
    e.is_quiet = False
    direct = e.house.people["Cleo"].direct
    loaded = await e.house.loaded(await e.begins("puzzle", "Cleo", "/puzzle othello", place=direct))
    await e.settles()
    move = _safe(loaded, min(loaded.turn), e.luck)
    known = (loaded.match.id, loaded.match.version, ".".join(loaded.game.steps(move)))
    await e.does("Cleo", Action("step", *known), place=direct, move=known)
    await e.settles()


async def people_look_around(e: Evening) -> None:
    for who in ("Anna", "Cleo", "Emil"):
        for line in ("/leaderboard", "/stats", "/matches"):
            await e.does(who, line)
    await e.does("Emil", "/settings pings away")
    await e.does("Cleo", "/settings theme dark")
    await e.does("Anna", "/language de")
    await e.settles()


async def turns_that_can_wait(e: Evening) -> None:
    await e.begins("slow", "Fritz", "/othello @Emil first")
    await e.settles()
    await e.presses("Emil", "accept", "slow")
    await e.settles()
    await e.moves("slow", 3)
    await e.passes(120)
    await e.moves("slow", 1)


async def time_runs_out(e: Evening) -> None:
    """The house notes all the while that it is there: else it would give the time back."""
    await e.begins("timed", "Fritz", "/sogo @Emil first 3m+5s")
    await e.settles()
    await e.presses("Emil", "accept", "timed")
    await e.house.app.matches.note_clock()
    await e.settles()
    await e.moves("timed", 3)
    for _ in range(4):
        e.house.clock.forward(60)
        await e.house.app.matches.note_clock()
    await e.settles()
    assert (await e.house.loaded(e.matches["timed"])).match.status is Status.OVER


async def a_move_is_taken_back(e: Evening) -> None:
    await e.begins("taken back", "Fritz", "/othello @Emil first unrated")
    await e.settles()
    await e.presses("Emil", "accept", "taken back")
    await e.settles()
    await e.moves("taken back", 2)
    await e.presses("Fritz", "takeback", "taken back")
    await e.settles()
    await e.passes(A_MOMENT)
    await e.presses("Emil", "takeback", "taken back", "accept")
    await e.settles()
    await e.moves("taken back", 2)


async def somebody_is_blocked(e: Evening) -> None:
    await e.does("Dora", "/block @Cleo")
    await e.does("Cleo", "/othello @Dora")
    await e.does("Dora", "/unblock @Cleo")
    await e.settles()


async def a_place_is_closed_to_us(e: Evening) -> None:
    for platform, first, second in (
        ("telegram", "Fritz", "Greta"),
        ("discord", "Cleo", "Dora"),
    ):
        name, place = f"closed {platform}", e.house.channels[platform]
        await e.begins(name, first, f"/othello @{second} first")
        await e.settles()
        await e.presses(second, "accept", name)
        await e.does(second, f"/board {e.matches[name]}", place=e.house.people[second].direct)
        await e.settles()
        wall = e.house.walls[platform]
        wall.closed.add(place.id)
        await e.moves(name, 2)
        wall.closed.discard(place.id)
        await e.does(first, "/help")
        await e.settles()
        await e.passes(7 * 3600)


async def nobody_knows_whether_it_has_arrived(e: Evening) -> None:
    place = e.house.channels["telegram"]
    e.house.walls["telegram"].doubtful.add(place.id)
    await e.begins("doubt", "Greta", "/othello @Fritz first")
    await e.settles()
    await e.does("Fritz", Action("board", e.matches["doubt"]))
    await e.settles()
    await e.presses("Fritz", "accept", "doubt")
    await e.settles()
    await e.moves("doubt", 2)


async def somebody_goes_on_holiday(e: Evening) -> None:
    await e.begins("by days", "Fritz", "/sogo @Emil first 3d")
    await e.settles()
    await e.presses("Emil", "accept", "by days")
    await e.moves("by days", 1)
    await e.does("Emil", "/holiday 2w")
    await e.settles()
    await e.does("Emil", "/holiday end")
    await e.settles()


async def another_clock_is_agreed_on(e: Evening) -> None:
    await e.does("Fritz", f"/clock 5d {e.matches['by days']}")
    await e.settles()
    await e.passes(A_MOMENT)
    await e.presses("Emil", "clock", "by days", "accept")
    await e.settles()
    await e.moves("by days", 1)
    # Later nobody is reminded, nor loses by it.
    await e.presses("Emil", "resign", "by days", "yes")
    await e.settles()


async def a_conversation_is_closed_to_us(e: Evening) -> None:
    """Whoever is told there is told in the group."""
    await e.begins("handed over", "Fritz", "/othello @Emil first")
    await e.settles()
    await e.presses("Emil", "accept", "handed over")
    direct = e.house.people["Emil"].direct
    await e.does("Emil", f"/board {e.matches['handed over']}", place=direct)
    await e.settles()
    closed = e.house.walls["telegram"].closed
    closed.add(direct.id)
    await e.moves("handed over", 2)
    closed.discard(direct.id)
    await e.does("Emil", "/help", place=direct)
    await e.moves("handed over", 2)


async def a_match_cannot_be_read_for_a_while(e: Evening) -> None:
    """As after a damage that the host mends."""
    match_id = e.matches["handed over"]
    ((stored,),) = ask(e.house.file, f"SELECT options FROM matches WHERE id = {match_id}")

    def set_to(options: str) -> str:
        return f"UPDATE matches SET options = '{options}' WHERE id = {match_id}"

    for options in ("null", stored):
        e.mends = [set_to(stored)]
        e.is_quiet = True
        async with e.house.app.store.write() as connection:
            await connection.execute(text(set_to(options)))
        e.is_quiet = False
        e.house.app.matches.read_anew()
        await e.does("Fritz", f"/board {match_id}")
        await e.settles()
    e.mends = []


async def somebody_comes_in_a_browser(e: Evening) -> None:
    """And in another one, which they leave; they never play."""
    code = new_code()

    async def comes(house: House) -> None:
        with suppress(Refused):
            await Sessions(house.app, platform="web").arrive("Nora", "", new=_FIRST)

    async def makes_a_code(house: House) -> None:
        known = await Sessions(house.app, platform="web").known_by(_FIRST.token_hash)
        assert known is not None
        await session_store.keep_code(house.app.store, known.session.id, hashed(code_in(code)))

    async def comes_in_another(house: House) -> None:
        if await Sessions(house.app, platform="web").known_by(_SECOND.token_hash) is None:
            await bring_in(house.app, code, _SECOND, known=None)

    async def leaves(house: House) -> None:
        sessions = Sessions(house.app, platform="web")
        if known := await sessions.known_by(_SECOND.token_hash):
            await sessions.now(known.session.id)
            await sessions.leave(known)

    await e.hears(comes)
    await e.hears(makes_a_code)
    await e.hears(comes_in_another)
    await e.passes(session_store.NOTED_SECONDS + 1)
    await e.hears(leaves)


_FIRST, _SECOND = NewSession("the secret of a browser", ""), NewSession("that of another", "")


async def the_host_says_something(e: Evening) -> None:
    await say(e.house.app.store, "Good evening!", hours=1)
    await e.settles()


async def the_host_shuts_a_place_out(e: Evening) -> None:
    place = e.house.channels["discord"]
    name = f"discord:{place.external}"
    await shut_out(e.house.app.store, name)
    await e.house.app.written_elsewhere()
    await e.settles()
    await let_in(e.house.app.store, name)
    await e.house.app.written_elsewhere()
    await e.settles()


async def somebody_is_erased(e: Evening) -> None:
    greta = e.house.people["Greta"]
    # She plays more than is given up at once.
    with mock.patch.object(erasing, "_AT_ONCE", 1):
        await e.does("Greta", Action("erase", argument=f"yes.{greta.id}"), place=greta.direct)
        await e.settles()


async def a_day_goes_by(e: Evening) -> None:
    await e.passes(25 * 3600)
    await e.house.upkeep.tidy()
    await e.settles()


async def a_month_goes_by(e: Evening) -> None:
    """Who was there and has never played is forgotten."""
    await e.passes(31 * 24 * 3600)
    await e.house.upkeep.tidy()
    await e.settles()


STEPS: tuple[Step, ...] = (
    people_come,
    a_challenge_is_taken_on_each_platform,
    moves_are_made,
    two_move_at_once,
    a_group_has_a_new_name,
    a_fifth_game,
    somebody_plays_alone,
    somebody_plays_against_the_computer,
    stones_are_hidden,
    a_private_board_is_wanted,
    a_board_is_asked_for_anew,
    challenges_come_to_nothing,
    challenges_run_out,
    what_may_not_be_is_refused,
    matches_end_by_the_rules,
    another_match,
    somebody_gives_up,
    a_match_is_looked_back_on,
    a_puzzle_is_tried,
    people_look_around,
    turns_that_can_wait,
    time_runs_out,
    a_move_is_taken_back,
    somebody_is_blocked,
    a_place_is_closed_to_us,
    nobody_knows_whether_it_has_arrived,
    somebody_goes_on_holiday,
    another_clock_is_agreed_on,
    a_conversation_is_closed_to_us,
    a_match_cannot_be_read_for_a_while,
    somebody_comes_in_a_browser,
    the_host_says_something,
    the_host_shuts_a_place_out,
    somebody_is_erased,
    a_day_goes_by,
    a_month_goes_by,
)
