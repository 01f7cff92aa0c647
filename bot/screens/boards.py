"""Screens of matches and challenges, and the readers for whom they are made."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, assert_never

import renderers
from bot.domain.actions import Action
from bot.domain.glicko import NEW
from bot.domain.links import readable_code
from bot.domain.model import Match, Offer, OfferKind, OfferState, Place, PlaceKind, Status, User
from bot.domain.quiet import ZONE, zone_named
from bot.engines.tasks import Hinted
from bot.matches import MatchState
from bot.matches.directory import locale_of
from bot.matches.endings import is_too_short
from bot.matches.names import Names
from bot.screens.controls import (
    analysis_button,
    answers_to,
    board_rows,
    choices_of,
    groups_of,
    offer_buttons,
    pad_of,
    playables_of,
    rendering_of,
    settled_button,
)
from bot.screens.news import News, news_of
from bot.screens.past import puzzle_lines, refused_analysis, visible_moves, with_solution_played
from bot.screens.pictures import Pictures, Png
from bot.screens.values import Button, Choice, Client, Copied, Question, Reader, Rows, Screen, Style
from bot.screens.wording import (
    Shown,
    alt_of,
    banks_line,
    clock_words,
    format_duration,
    match_button,
    progress_in_words,
    rating_words,
    recommended,
    remarks_of,
    sides_of,
    status_line,
    terms_line,
    titled,
)
from bot.store import Store, people, ratings
from bot.support.settings import Settings
from bot.support.texts import Texts, language_of

_HERE = "\ue000"
"""A placeholder for a name. No name contains it (`bot.matches.names.readable`)."""
_UNRATED = NEW.estimate(0)
_HAS_PICTURE = (Status.RUNNING, Status.OVER)
_texts = cache(Texts)


class Readers:
    """Create readers with their language, theme and time zone."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def person(self, client: Client, place: Place | None) -> Reader:
        """Create a reader for a user. Language: the user's, the app's, the place's, the default."""
        user, around = client.user, place.settings if place else {}
        language = language_of(
            user.language, client.locale, around.get("language"), self._settings.language
        )
        chosen, zone = user.settings.get("theme", "auto"), user.settings.get(ZONE)
        theme, zone = client.theme if chosen == "auto" else chosen, zone or around.get(ZONE, "")
        return Reader(_texts(language), user, theme, client.size, zone, place.id if place else 0)

    def for_place(self, place: Place, *, theme: str = "light") -> Reader:
        """Create a reader for everyone in a place. `theme` is used unless the place sets one."""
        language = language_of(place.settings.get("language"), self._settings.language)
        chosen, zone = place.settings.get("theme", "auto"), place.settings.get(ZONE, "")
        theme = theme if chosen == "auto" else chosen
        return Reader(_texts(language), None, theme, zone=zone, place=place.id)

    async def of(self, place: Place, *, theme: str, user: User | None = None) -> Reader:
        """Return the reader in a place: `user`, the user of a direct chat, else everyone."""
        if user is None and place.kind is PlaceKind.DIRECT:
            user = await people.by_identity(self._store, place.platform, place.external)
        if user is not None:
            return self.person(Client(user, locale=locale_of(user), theme=theme), place)
        return self.for_place(place, theme=theme)


def challenge_screen(shown: Shown) -> Screen:
    """Return the screen of a challenge, open or ended."""
    texts, match, game, reader = shown.texts, shown.match, shown.game, shown.reader
    is_mine = reader.user is not None and reader.user.id == match.challenger
    who = shown.names[match.challenger]
    name = texts(f"{game.id}-name")
    rated = texts("challenge-rated") if match.terms.rated is not None else ""
    lines = [" · ".join(filter(None, [terms_line(game, match, texts), rated]))]
    if match.preferred_seat is not None:
        side = texts(f"{game.id}-seat-{match.preferred_seat}")
        lines.append(texts.of_game(game.id, "challenge", "side", name=who, side=side))
    other = f"@{match.handle}" if match.handle else ""
    if match.opponent is not None:
        other = shown.names[match.opponent]
    over = match.status is not Status.PROPOSED
    asked = (0, 0)
    if other:
        key = "challenge-over-to" if over else "challenge-to"
        # One name may contain the other, so the text tells where the second starts.
        before = texts(key, name=who, opponent=_HERE, game=name).index(_HERE)
        title = texts(key, name=who, opponent=other, game=name)
        asked = (before, before + len(other))
    else:
        title = texts("challenge-over-open" if over else "challenge-open", name=who, game=name)
    rows: Rows = ()
    copied: tuple[Copied, ...] = ()
    due = None
    if not over:
        if match.expires is not None:
            due = texts.moment(match.expires, zone_named(reader.zone)), match.expires
            lines.append(texts("challenge-until", when=due[0]))
        if not other and is_mine:
            line = texts("join-line", code=readable_code(match.code))
            copied = (Copied(line, texts("button-copy")),)
            lines.append(texts("challenge-code", line=line))
        rows = _challenge_rows(match, reader, who, is_named=bool(other))
    else:
        lines.append(texts(f"challenge-{match.status}"))
    return Screen(
        title=title,
        opponent_span=asked,
        text="\n".join(line for line in lines if line),
        copied=copied,
        due=due,
        rows=rows,
        match=match.id,
        version=match.version,
        game=game.id,
        over=over,
        share=match.code if is_mine and not over else "",
    )


def _challenge_rows(match: Match, reader: Reader, who: str, *, is_named: bool) -> Rows:
    """Return the buttons for the reader, or for all who see one board (no user)."""
    texts, me = reader.texts, reader.user.id if reader.user else None
    button = partial(match_button, match, texts)
    take_up = button("accept", key="accept" if is_named else "join", style=Style.PRIMARY)
    rules = Button(texts("button-rules"), Action("rules", argument=match.game))
    if me is None and not is_named:
        withdraw = replace(button("withdraw"), label=texts("button-withdraw-of", name=who))
        return ((take_up, rules), (withdraw,))
    if me == match.challenger:
        return ((button("withdraw"), rules),)
    if me is not None and match.opponent not in (me, None):
        return ((rules,),)
    return ((take_up, *((button("decline"),) if is_named else ()), rules),)


class Screens:
    """Make the screens that show matches. Pictures are drawn outside the event loop."""

    def __init__(self, names: Names, pictures: Pictures, *, analyses_enabled: bool = True) -> None:
        """`analyses_enabled`: analyses are available."""
        self._names = names
        self._pictures = pictures
        self._looks_back = analyses_enabled

    async def match(
        self,
        loaded: MatchState,
        reader: Reader,
        *,
        seat: int | None,
        chosen: tuple[str, ...] = (),
        flipped: bool = False,
    ) -> Screen:
        """Return a match or challenge as `seat` may see it (None: spectators)."""
        texts, match, game = reader.texts, loaded.match, loaded.game
        # In a study, the user sees what the player to move may know.
        seat = match.mover if match.is_study else seat
        names = await self._names.seated(match, texts, reader.place)
        shown = Shown(loaded, reader, names, seat)
        if match.status not in _HAS_PICTURE:
            return challenge_screen(shown)
        over, (puzzle, spoilers) = match.status is Status.OVER, await puzzle_lines(shown)
        if match.shows_solution:
            loaded = await asyncio.to_thread(with_solution_played, loaded)
            shown = replace(shown, loaded=loaded)
        view = loaded.view(seat)
        rendering = rendering_of(loaded, reader, chosen)
        if flipped:
            rendering = replace(rendering, flipped=not rendering.flipped)
        my_seat = shown.my_seat
        my_turn = my_seat in loaded.turn
        playables = {} if over else playables_of(loaded, seat)
        cells = renderers.get(game.id).cells(view, rendering)
        choices = () if over else choices_of(shown, playables, rendering, cells)
        lines = [status_line(shown, my_turn=my_turn)]
        partial_view, prompt = _half_made(shown, view, chosen)
        if my_seat is not None and playables.get(my_seat, ()) is None:
            # No move is possible here, only in private.
            button = texts.of_game(game.id, "button", "private")
            prompt = texts("board-in-private", button=button)
        lines[0] = " ".join(filter(None, [lines[0], prompt]))
        lines += puzzle
        told = match.described_offers
        offered = {
            offer: await offer_in_words(shown, offer)
            for offer in dict.fromkeys([*told, *match.offers_with_buttons])
        }
        lines += [offered[offer] for offer in told]
        due, banks = None, ""
        if match.clocks and match.clocks.due is not None:
            moment = texts.moment(match.clocks.due, zone_named(reader.zone))
            due, banks = (moment, match.clocks.due), banks_line(shown)
            lines += [texts("board-due", when=moment), banks]
        lines += _away_lines(shown)
        lines.append(_wait_in_words(shown))
        lines += await self._rating_lines(shown)
        lines += progress_in_words(match, texts)
        is_for_nothing = match.ending and match.ending.has_no_result and len(match.seats) == 1
        if not (is_for_nothing or match.shows_solution):
            remarks, spoilers = remarks_of(shown, partial_view)
            lines.append(remarks)
        may_answer = not chosen and (reader.user is None or my_seat is not None)
        questions = _questions(shown, offered) if may_answer else []
        if not chosen and not match.shows_solution:
            lines.append(_last_move(shown, rendering.notation))
        alt = alt_of(shown, view)
        if chosen and prompt:
            alt = _half_made_in_words(shown, partial_view, choices, prompt)
        return titled(
            shown,
            text="\n".join(line for line in lines if line),
            spoilers=spoilers,
            is_spoiler=match.shows_solution or loaded.is_opened,
            due=due,
            picture=await self._pictures.png(loaded, view, rendering, seat=seat),
            alt=" ".join(filter(None, [alt, banks])),
            choices=choices,
            cells=cells,
            pad=() if over or chosen else pad_of(loaded, playables, texts),
            groups=groups_of(game, cells.values() if choices else (), texts),
            last_step="" if over or chosen else _last_step(loaded, seat),
            rows=(
                *board_rows(
                    shown,
                    choices,
                    playables,
                    rendering.chosen,
                    erased=await self._names.erased(match.seats) if over else (),
                    views=self.ending_views(loaded, texts) if over else (),
                ),
                # Last, so that no button takes another's place between two presses.
                *(question.answers for question in questions),
            ),
            questions=tuple(questions),
            offers=() if over or my_seat is None else offer_buttons(shown),
            # The computer answers so soon that its question need not be shown.
            may_ask=may_answer and not over and match.allows_offers and not match.computer_seats,
            code=match.code,
            place=match.place_id,
            my_turn=my_turn,
            mine=my_seat is not None,
            sides=sides_of(shown),
            chosen=chosen,
            at_once=game.max_selectable(view, seat)
            if seat is not None and seat in loaded.turn
            else 1,
            prompt=prompt,
        )

    async def picture(self, loaded: MatchState, reader: Reader, *, seat: int | None) -> Png | None:
        """Return the picture of `match` without its words. A challenge has none."""
        if loaded.match.status not in _HAS_PICTURE:
            return None
        if loaded.match.shows_solution:
            loaded = await asyncio.to_thread(with_solution_played, loaded)
        seat = loaded.match.mover if loaded.match.is_study else seat
        rendering = rendering_of(loaded, reader, ())
        return await self._pictures.png(loaded, loaded.view(seat), rendering, seat=seat)

    def ending_views(self, loaded: MatchState, texts: Texts) -> tuple[Button, ...]:
        """Return the buttons for what remains of a finished match."""
        match = loaded.match
        if not match.plies:
            return ()
        replay = Button(texts("button-replay"), Action("replay", match.id))
        looks_back = self._looks_back or match.progress is not None
        if not looks_back or refused_analysis(loaded, texts):
            return (replay,)
        return (replay, analysis_button(match, texts))

    async def hint(self, loaded: MatchState, reader: Reader, seat: int, hinted: Hinted) -> Screen:
        """Return a hint with a button that plays it, marked in the picture of `seat`."""
        texts, game, match, view = reader.texts, loaded.game, loaded.match, loaded.view(seat)
        shown = await Shown.to(reader, loaded, self._names, seat)
        move = game.parse(view, seat, hinted.move)
        marked = replace(rendering_of(loaded, reader, game.steps(move)), legal=False)
        best = recommended(texts, game, game.notation(move, shown.form))
        said = texts("hint", best=best)
        if hinted.why is not None:
            said = texts("hint-why", best=best, why=texts.note(game.id, "because", hinted.why))
        said = "\n".join([said, *(texts.note(game.id, "advice", one) for one in hinted.advice)])
        button = partial(match_button, match, texts, key="play-hint", style=Style.PRIMARY)
        return titled(
            shown,
            text=said,
            picture=await self._pictures.png(loaded, view, marked, seat=seat),
            alt=said,
            cells=renderers.get(game.id).cells(view, replace(marked, chosen=())),
            rows=() if game.is_secret(move) else ((button("play", hinted.move),),),
            secret=True,
            again=Action("hint", match.id, match.version),
        )

    async def news_line(
        self, loaded: MatchState, reader: Reader, told: Collection[int], *, now: int
    ) -> str:
        """Return the notification of the last news for the users `told`; `now`: Unix seconds."""
        match, texts, news = loaded.match, reader.texts, news_of(loaded)
        assert news is not None
        shown = await Shown.to(reader, loaded, self._names)
        name, how = "", _wait_in_words(shown)
        if news is News.NUDGED and loaded.waiting is not None:
            name = shown.name(loaded.waiting)
        if news is News.JOINED:
            name = " · ".join(shown.names[who] for who in match.seats if who not in told)
            is_turn = any(match.user_at(seat) in told for seat in loaded.turn)
            how = texts("board-your-turn") if is_turn else ""
        if news is News.OVER:
            how = status_line(shown)
        if news is News.REMINDED and match.clocks is not None:
            # Round up, so that the last minute is not 0.
            how = format_duration(-(-match.clocks.left(now) // 60) * 60, texts)
        if (offer := match.offer_in_news) and news in (News.OFFERED, News.REFUSED, News.AGREED):
            how = await offer_in_words(shown, offer)
        game = texts(f"{match.game}-name")
        return texts(f"notice-{news}", game=game, match=match.id, name=name, how=how).rstrip()

    async def _rating_lines(self, shown: Shown) -> list[str]:
        """Return the rating changes of a finished match, or why there are none.

        Hidden for both if one is unlisted or deleted, because each reveals the other's.
        """
        match, texts = shown.match, shown.texts
        if match.ending is None or match.terms.rated is None:
            return []
        if is_too_short(match):
            return [texts("board-too-short")]
        if match.has_met_too_often:
            return [texts("board-met-too-often", most=ratings.MOST_A_DAY)]
        if not match.reratings or await self._names.unlisted(match.seats):
            return []
        is_first = [one.before == _UNRATED for one in match.reratings]
        sides = [
            texts(
                "board-first-rating" if first else "board-rerating",
                name=shown.names[who],
                before=rating_words(one.before),
                after=rating_words(one.after),
            )
            for who, one, first in zip(match.seats, match.reratings, is_first, strict=True)
        ]
        told = [texts("board-reratings", sides=", ".join(sides))]
        return [*told, texts("board-provisional")] if any(is_first) else told


def _questions(shown: Shown, offered: Mapping[Offer, str]) -> list[Question]:
    """Return open questions, and settled ones above them; `offered`: offers in words."""
    match, waiting, found = shown.match, shown.loaded.waiting, []
    for offer in match.offers_with_buttons if match.status is Status.RUNNING else ():
        if offer in match.open_offers:
            answers = answers_to(offer, shown)
        else:
            answers = (settled_button(offer, match, shown.texts),)
        found.append((offer.made, Question(offered[offer], answers)))
    if match.wait.stale and waiting is not None and shown.my_seat in (None, waiting):
        claim = match_button(match, shown.texts, "claim", style=Style.PRIMARY)
        found.append((match.wait.stale, Question(_wait_in_words(shown), (claim,))))
    return [question for _, question in sorted(found, key=lambda one: one[0])]


async def offer_in_words(shown: Shown, offer: Offer) -> str:
    """Return an offer and its state, as a sentence."""
    texts, is_open = shown.texts, offer.state is OfferState.OPEN
    key, name = f"offer-{offer.kind}", shown.name(offer.by)
    details = {"name": name}
    if not is_open:
        key += f"-{offer.state}"
        details = {"name": shown.name(1 - offer.by), "other": name}
    match offer.kind:
        case OfferKind.DRAW | OfferKind.ABORT:
            pass
        case OfferKind.CLOCK:
            if offer.state is OfferState.ACCEPTED and not offer.clock:
                key += "-none"
            details["clock"] = clock_words(offer.clock, texts)
        case OfferKind.TAKEBACK:
            if is_open:
                told = await asyncio.to_thread(visible_moves, replace(shown, seat=None))
                details["moves"] = ", ".join(one.text for one in told[offer.back_to :])
        case _:
            assert_never(offer.kind)
    return texts(key, **details)


def _wait_in_words(shown: Shown) -> str:
    """Describe how far the wait for a move has come. Empty if nothing has happened."""
    texts, loaded, match, wait = shown.texts, shown.loaded, shown.match, shown.match.wait
    if match.ending is not None or not (wait.nudged or wait.warned or wait.stale):
        return ""
    waiting, day = loaded.waiting, "never" if wait.step_at is None else texts.day(wait.step_at)
    if waiting is None:
        if loaded.is_computer_turn and wait.nudged:
            return texts("board-late", name=shown.name(match.computer_seats[0]))
        return texts("board-stale", day=day) if wait.stale else ""
    code = "claimable" if wait.stale else "warned" if wait.warned else "nudged"
    name, other = map(shown.name, (waiting, 1 - waiting))
    details = {"day": day} if wait.stale else {}
    return texts(f"board-{code}", name=name, other=other, **details)


def _half_made(shown: Shown, view: Any, chosen: tuple[str, ...]) -> tuple[Any, str]:
    """Return the view after the steps of a partial move, and what to choose next."""
    game, loaded = shown.game, shown.loaded
    for seat in sorted(loaded.turn) if chosen else ():
        if any(game.steps(move)[: len(chosen)] == chosen for move in loaded.position.moves(seat)):
            note = game.prompt(view, seat, chosen)
            prompt = shown.texts.note(game.id, "prompt", note) if note else ""
            return game.partial_view(view, seat, chosen), prompt
    return view, ""


def _half_made_in_words(shown: Shown, view: Any, choices: Iterable[Choice], prompt: str) -> str:
    possible = ", ".join(choice.short for choice in choices if choice.legal)
    # Leave out whose turn it is, and complete moves.
    lies = renderers.get(shown.game.id).describe(view, shown.texts, is_stopped=True)
    return " ".join([prompt, shown.texts("alt-choices", choices=possible), lies])


def _last_move(shown: Shown, form: str) -> str:
    """Return the last move. "" if there is none or it is secret."""
    match, game, loaded, texts = shown.match, shown.game, shown.loaded, shown.texts
    if loaded.last is None or loaded.before is None:
        return ""
    written: str | None = game.notation(loaded.last, form)
    is_hidden = game.has_secrets(match.options)
    if is_hidden:
        written = game.observed_move(loaded.before, match.plies[-1].seat, loaded.last, shown.seat)
    if written is None:
        return ""
    if loaded.before.forced() is not None and len(match.plies) > 1 and not is_hidden:
        # A forced move is shown with the move that led to it.
        written = f"{match.plies[-2].notation}, {written}"
    verb, _, rest = written.partition(" ")
    details = {f"step-{at}": step for at, step in enumerate(game.steps(loaded.last), 1)}
    details |= {"move": texts.move(game.id, written), "verb": verb}
    return texts.of_game(game.id, "board", "last", what=texts.move(game.id, rest), **details)


def _last_step(loaded: MatchState, observer: int | None) -> str:
    """Return the first step of the last move. "" if `observer` may not know it."""
    last, game = loaded.last, loaded.game
    if last is None or loaded.before is None:
        return ""
    is_known = loaded.match.plies[-1].seat == observer or not game.is_secret(last)
    return game.steps(last)[0] if is_known else ""


def _away_lines(shown: Shown) -> list[str]:
    """Return which players are away, and the time that the bot was."""
    match, texts, lines = shown.match, shown.texts, list[str]()
    clock = match.terms.clock
    if clock and clock.is_correspondence and not match.ending:
        lines += [
            texts("board-away", name=shown.name(seat), day=texts.day(ends))
            for seat, ends in enumerate(match.away)
            if ends is not None
        ]
    if match.has_clock_compensation:
        lines.append(texts("board-given-back", time=format_duration(match.given_seconds, texts)))
    return lines
