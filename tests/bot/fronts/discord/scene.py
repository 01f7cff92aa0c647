"""A simulated Discord with the real front, app and delivery."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import discord
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.domain.model import Status
from bot.fronts.discord.front import Discord
from bot.loops.computers import Computers
from bot.matches import MatchState, reading
from bot.store import Address, leases, people
from bot.support.settings import PlaySettings, Settings, all_settings
from tests.bot.fronts.discord.openapi import check, is_there
from tests.bot.fronts.discord.strict import strict
from tests.bot.seated import users
from tests.bot.table import Thinking

_SEND = re.compile(r"/channels/\d+/messages")

_LONGEST_SETTLING = 60.0

Message = discord.Message | ResponseMessage
Actor = MemberActor | UserHandle


@dataclass(slots=True)
class Scene:
    """One server with one channel and three people; more can be made."""

    settings: Settings
    env: simcord.Env
    app: App
    front: Discord
    guild: GuildHandle = field(init=False)
    channel: ChannelHandle = field(init=False)
    anna: MemberActor = field(init=False)
    ben: MemberActor = field(init=False)
    cleo: MemberActor = field(init=False)
    checked: int = 0
    expects_errors: bool = False
    """Does the test provoke errors that discord.py reports, and we answer?"""

    @classmethod
    @asynccontextmanager
    async def open(cls, database: Address, **discord_settings: Any) -> AsyncIterator["Scene"]:
        """Run the bot until the block ends, then check all that it sent."""
        discord = {"token": "not.a.token", "shard_count": 1, **discord_settings}
        play = PlaySettings(commands_per_second=100, leaderboard_minimum=1, pings="always")
        settings = all_settings().model_validate(
            {"database": database, "discord": discord, "play": play}
        )
        app = await App.open(settings)
        app.engines = Thinking()
        front = Discord(app, Commands(app))
        env = simcord.Env(front.client, settle_timeout=_LONGEST_SETTLING)
        scene = cls(settings, env, app, front)
        try:
            await env.start()
            scene.guild = env.create_guild("Garden")
            scene.channel = scene.guild.create_text_channel("lounge")
            scene.anna, scene.ben, scene.cleo = (
                scene.guild.add_member(env.create_user(name)) for name in ("anna", "ben", "cleo")
            )
            with strict():
                yield scene
            scene.check_requests()
        finally:
            await env.shutdown()
            await scene.app.close()
        if not scene.expects_errors:
            env.raise_errors()

    async def settle(self) -> int:
        """Deliver what is due, and return the number of boards that must wait."""
        with self.env.time_context():
            await Computers(self.app).once()
            return await Reconciler(self.app, {"discord": self.front}).once()

    async def restart(self) -> None:
        """Stop the bot and start it again on the same database."""
        await self.front.stop()
        await self.app.close()
        self.app = await App.open(self.settings)
        self.app.engines = Thinking()
        await leases.release_all(self.app.store)
        self.front = Discord(self.app, Commands(self.app))
        await self.env.restart_bot(self.front.client)

    def check_requests(self) -> None:
        """Check that Discord accepts every request and that no mention pings by accident."""
        requests = self.env.http_requests[self.checked :]
        self.checked = len(self.env.http_requests)
        for request in requests:
            if is_there():
                check(request.method, request.path, request.json)
            if request.method == "POST" and _SEND.fullmatch(request.path):
                sent = request.json or {}
                assert sent.get("enforce_nonce") is True, sent
                assert 1 <= len(str(sent["nonce"])) <= 25, sent
            for body in _messages(request.json):
                _check_limits(body)
                allowed = body.get("allowed_mentions")
                assert allowed is not None, (request.method, request.path, body)
                assert allowed["parse"] == [], body

    # --- what people do -------------------------------------------------------------------

    async def slash(self, actor: MemberActor, name: str, **given: Any) -> InteractionResult:
        """Type a command in the lounge, and deliver."""
        result = await actor.slash(self.channel, name, **given)
        await self.settle()
        return result

    async def press(self, actor: Actor, message: Message, label: str) -> InteractionResult:
        """Press the button with this label, and deliver."""
        result: InteractionResult = await actor.click(message, label=label)
        await self.settle()
        return result

    async def step(self, actor: Actor, message: Message, step: str) -> InteractionResult:
        """Choose a step by button or select, and deliver."""
        found = [id_ for id_ in buttons(message) if id_.endswith(f":{step}") and ":step:" in id_]
        if found:
            result: InteractionResult = await actor.click(message, custom_id=found[0])
        else:
            select, token = next(
                (id_, token)
                for id_, tokens in options(message).items()
                for token in tokens
                if token.endswith(f":{step}")
            )
            result = await actor.select(message, [token], custom_id=select)
        await self.settle()
        return result

    async def begun(self, game: str = "othello", **given: Any) -> MatchState:
        """Start a match in the lounge: Anna challenges Ben and has the first move."""
        await self.slash(self.anna, game, move="new", user=self.ben, side="first", **given)
        await self.press(self.ben, self.board(), "Accept")
        return await self.loaded()

    # --- what there is to see -------------------------------------------------------------

    async def loaded(self, match_id: int = 1) -> MatchState:
        return await reading.get(self.app.matches, match_id)

    def boards(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """Return the boards in a channel, oldest first."""
        return [
            message
            for message in (channel or self.channel).history()
            if message.flags.components_v2 and not message.flags.ephemeral
        ]

    def board(self, channel: ChannelHandle | None = None) -> discord.Message:
        """Return the newest board in a channel."""
        return self.boards(channel)[-1]

    def pings(self, channel: ChannelHandle | None = None) -> list[str]:
        """Return the texts of all messages that are not boards."""
        said = (channel or self.channel).history()
        return [one.content for one in said if one.content and not one.is_system()]

    def keeper(self) -> MemberActor:
        """Return a member who may manage the channel."""
        may = discord.Permissions(manage_channels=True)
        role = self.guild.create_role("Keepers", permissions=may)
        return self.guild.add_member(self.env.create_user("keeper"), roles=[role])

    async def with_threads(self) -> None:
        """Turn on threads for each match in the lounge."""
        keeper = self.keeper()
        asked = await keeper.slash(self.channel, "here")
        assert asked.response is not None
        await keeper.click(asked.response, label="A thread for each game: no")
        await self.settle()

    async def actor(self, user_id: int) -> MemberActor:
        """Return the actor of a stored user."""
        known = await people.reachable(self.app.store, "discord", [user_id])
        return next(
            actor
            for actor in (self.anna, self.ben, self.cleo)
            if str(actor.id) == known[user_id].external
        )

    async def play_out(self, match_id: int, luck: Random, *, by_typing: bool = False) -> MatchState:
        """Play a match of this channel to its end with random legal moves."""
        loaded = await self.loaded(match_id)
        while loaded.match.status is Status.RUNNING:
            seat = min(loaded.position.turn)
            actor = await self.actor(users(loaded.match)[seat])
            move = luck.choice(loaded.position.moves(seat))
            if by_typing:
                written = loaded.game.notation(move)
                offered = await actor.autocomplete(self.channel, loaded.game.id, "move", written)
                assert written in [one["value"] for one in offered], (written, offered)
                await self.slash(actor, loaded.game.id, move=written)
            else:
                await self.click_through(actor, loaded.game.steps(move))
            after = await self.loaded(match_id)
            assert after.match.version > loaded.match.version, loaded.game.notation(move)
            loaded = after
        return loaded

    async def click_through(self, actor: MemberActor, steps: tuple[str, ...]) -> None:
        """Make a move step by step: on the board first, then on what is shown privately."""
        message: Message = self.board()
        for at in range(1, len(steps) + 1):
            result = await self.step(actor, message, ".".join(steps[:at]))
            message = private_if_any(result) or message


def _messages(body: Any) -> Iterator[dict[str, Any]]:
    """Yield the messages in the body of a request."""
    match body:
        case {"data": {"title": _}}:
            # A window to type in is no message.
            return
        case {"data": {"components": _} as data}:
            yield data
        case {"components": _} | {"content": str()}:
            yield body
        case _:
            return


def _check_limits(body: dict[str, Any]) -> None:
    """Check limits that are not in Discord's description of its API."""
    every = list(_nested(body.get("components") or []))
    ids = [one["custom_id"] for one in every if "custom_id" in one]
    assert len(every) <= 40, body
    assert len(ids) == len(set(ids)), ids
    assert all(len(custom_id) <= 100 for custom_id in ids), ids
    assert sum(len(one["content"]) for one in every if one["type"] == 10) <= 4000, body
    is_second_version = (body.get("flags") or 0) & 1 << 15
    assert not (is_second_version and body.get("content")), body


def _nested(components: Any) -> Iterator[dict[str, Any]]:
    for one in components:
        yield one
        yield from _nested(one.get("components", []))


def private_if_any(result: InteractionResult) -> ResponseMessage | None:
    """Return the ephemeral reply: the first, or the one after the acknowledgement."""
    told = [*result.followups, *([result.response] if result.response else [])]
    return next((one for one in told if one.ephemeral), None)


def private(result: InteractionResult) -> ResponseMessage:
    """Return the ephemeral reply, which there must be."""
    told = private_if_any(result)
    assert told is not None
    return told


def walk(message: Message) -> Iterator[dict[str, Any]]:
    """Yield all components of a message, nested ones too, as plain data."""

    raw = message.components
    yield from _nested([one if isinstance(one, dict) else one.to_dict() for one in raw])


def buttons(message: Message) -> dict[str, dict[str, Any]]:
    """Return the enabled buttons of a message by custom id."""
    return {
        one["custom_id"]: one
        for one in walk(message)
        if one["type"] == 2 and "custom_id" in one and not one.get("disabled")
    }


def options(message: Message) -> dict[str, list[str]]:
    """Return the values of the selects by custom id."""
    return {
        one["custom_id"]: [option["value"] for option in one["options"]]
        for one in walk(message)
        if one["type"] == 3
    }


def text_of(message: Message) -> str:
    return "\n".join(one["content"] for one in walk(message) if one["type"] == 10)
