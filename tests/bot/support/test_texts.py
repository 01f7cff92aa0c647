"""Every message that the code can request exists, and gets its arguments.

The code is parsed, not run: each call that names a message, in `bot`, `games` and `renderers`. A
placeholder in an f-string matches anything.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fluent.runtime import FluentBundle, FluentResource

import games
from bot.commands import table
from bot.commands.base import Kind
from bot.domain.model import OfferKind, Status
from bot.domain.quiet import ZONE
from bot.fronts import FRONTS
from bot.fronts.telegram.widgets import cut
from bot.matches.policies import BEGIN, CLOCK, GAME, every_setting
from bot.screens.wording import option_words
from bot.support import texts as texts_module
from bot.support.texts import LANGUAGES, Texts, language_of
from games import Note
from tests.test_house import files_of, texts

ROOT = Path(__file__).parents[3]
MESSAGES = {name: of for found in texts("en").values() for name, of in found.items()}
"""Message -> its parameters. That all languages have the same is held by `tests.test_house`."""
EACH_GAME = pytest.mark.parametrize("game_id", games.ids())
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)

SEATS = frozenset({"first", "second"})
ELSEWHERE = (
    "board-last",
    "challenge-side",
    "command-",
    "ending-",
    "error-stale",
    "help-",
    "here-",
    "language-name",
    "web-",
)
"""Whose names stand in data: page words, and what a game's own text is preferred to."""
TRANSLATING = {"texts", "say", "ask", "refuse", "translate"}
REFUSING = {"Refused", "NameRefused"}
GAME_ERRORS = {"InvalidMove", "IllegalMove", "AmbiguousMove", "InvalidSetup"}


@dataclass(frozen=True)
class Use:
    """A call that names a message (or a code): a pattern for it, and the details that it gives."""

    where: str
    pattern: str
    given: frozenset[str] | None
    """None where the code hands on what it got."""

    @property
    def is_plain(self) -> bool:
        return "." not in self.pattern

    def found(self, *prefixes: str) -> list[str]:
        """Return the messages that this could name."""
        wanted = re.compile("|".join(f"{prefix}{self.pattern}" for prefix in prefixes))
        return [message for message in MESSAGES if wanted.fullmatch(message)]


@dataclass(frozen=True)
class Scope:
    """Where names are looked up: a function, and the module that it stands in."""

    module: ast.Module
    function: ast.FunctionDef | ast.AsyncFunctionDef

    @property
    def assigned(self) -> list[tuple[str, ast.expr]]:
        return [pair for node in ast.walk(self.function) for pair in _assigned(node)]

    def returned(self, name: str) -> list[ast.expr]:
        """Return what the functions of this name return."""
        return [
            node.value
            for function in ast.walk(self.module)
            if isinstance(function, ast.FunctionDef) and function.name == name
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value
        ]


def patterns(node: ast.expr, scope: Scope) -> set[str]:
    """Return patterns of the texts that an expression can be; none if it is not known here."""
    match node:
        case ast.Constant(value=str(text)) if text:
            return {re.escape(text).replace(r"\-", "-")}
        case ast.IfExp():
            return patterns(node.body, scope) | patterns(node.orelse, scope)
        case ast.NamedExpr():
            return patterns(node.value, scope)
        case ast.JoinedStr():
            made = ""
            for part in node.values:
                known = patterns(part, scope) if isinstance(part, ast.Constant) else {".+"}
                made += known.pop()
            return {made}
        case ast.Name():
            values = [value for name, value in scope.assigned if name == node.id]
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            values = scope.returned(name)
        case _:
            values = []
    return {pattern for value in values for pattern in patterns(value, scope)}


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            yield from _together(names, values)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=values)):
            yield from ((name, value) for value in values)
        case ast.For(target=ast.Tuple(elts=names), iter=ast.Tuple(elts=rows)):
            for row in rows:
                if isinstance(row, ast.Tuple):
                    yield from _together(names, row.elts)


def _together(names: list[ast.expr], values: list[ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    for target, value in zip(names, values, strict=True):
        if isinstance(target, ast.Name):
            yield target.id, value


def calls(folder: str, names: set[str], *, at: int = 0) -> dict[Path, list[Use]]:
    """Return by file the calls of these functions, whose argument `at` names a message."""
    return _calls(folder, frozenset(names), at)


@cache
def _calls(folder: str, names: frozenset[str], at: int) -> dict[Path, list[Use]]:
    found: dict[Path, list[Use]] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            scope = Scope(tree, function)
            for node in ast.walk(function):
                if not isinstance(node, ast.Call) or len(node.args) <= at:
                    continue
                if _name(node.func) not in names:
                    continue
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                for pattern in patterns(node.args[at], scope):
                    use = Use(where, pattern, _given(node, at))
                    found.setdefault(path, []).append(use)
    return found


def _name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Call():
            # Texts(language)("key")
            return _name(function.func).lower()
        case _:
            return ""


def _given(node: ast.Call, at: int) -> frozenset[str] | None:
    details = [keyword.arg for keyword in node.keywords]
    for argument in node.args[at + 1 :]:
        if isinstance(argument, ast.Dict):
            keys = (key.value if isinstance(key, ast.Constant) else None for key in argument.keys)
            details += [str(key) if key is not None else None for key in keys]
        elif not isinstance(argument, ast.Tuple | ast.Await):
            return None
    return frozenset(str(key) for key in details) if None not in details else None


def missing(uses: list[Use], *prefixes: str) -> list[str]:
    """Return uses without a message, and messages that lack an argument."""
    problems = []
    for use in uses:
        found = use.found(*prefixes)
        if not found:
            problems.append(f"{use.where}: no text {use.pattern}")
        if use.given is not None and use.is_plain:
            problems += [
                f"{use.where}: {message} needs {', '.join(sorted(needed))}"
                for message in found
                if (needed := MESSAGES[message] - use.given)
            ]
    return problems


# The house


def test_every_text_that_the_house_asks_for_exists() -> None:
    found = calls("bot", TRANSLATING)
    assert sum(map(len, found.values())) > 80
    assert not [problem for uses in found.values() for problem in missing(uses, "")]


def test_every_refusal_of_the_house_has_a_text() -> None:
    found = calls("bot", REFUSING)
    assert sum(map(len, found.values())) > 40
    # Every refusal gets the platform.
    uses = [
        replace(use, given=None if use.given is None else use.given | {"platform"})
        for of_file in found.values()
        for use in of_file
    ]
    assert not missing(uses, "error-")


@EACH_LANGUAGE
def test_how_a_challenge_can_end_has_texts(language: str) -> None:
    speak = Texts(language)
    for status in Status:
        if status is not Status.PROPOSED:
            assert speak(f"error-challenge-{status}")
        if status not in (Status.PROPOSED, Status.RUNNING, Status.OVER):
            assert speak(f"challenge-{status}")


@EACH_LANGUAGE
@pytest.mark.parametrize("kind", OfferKind)
def test_every_offer_has_texts(kind: OfferKind, language: str) -> None:
    offer, button = f"offer-{kind}", f"button-{kind}"
    wanted = [offer, f"{offer}-declined", f"{offer}-withdrawn", button]
    wanted += [f"{button}-{what}" for what in ("accept", "decline", "withdraw", "settled")]
    if kind is OfferKind.CLOCK:
        wanted.append("error-clock-computer")
    texts = Texts(language)
    assert [key for key in wanted if not texts.has(key)] == []


@EACH_LANGUAGE
def test_every_command_and_argument_has_texts(language: str) -> None:
    speak = Texts(language)
    for kind in Kind:
        assert speak(f"argument-{kind}")
    for spec in table():
        assert speak(f"{spec.game}-about" if spec.game else f"help-{spec.name}")


def test_no_text_of_the_house_is_there_for_nothing() -> None:
    asked = {use for uses in calls("bot", TRANSLATING).values() for use in uses}
    asked |= {use for uses in calls("renderers", TRANSLATING).values() for use in uses}
    asked |= {use for uses in calls("bot", {"_of_game"}, at=1).values() for use in uses}
    plain = {message for use in asked if use.is_plain for message in use.found("")}
    composed = {
        message
        for use in asked
        if not use.is_plain and not use.pattern.startswith(".")
        for message in use.found("")
    }
    refused = {
        message
        for folder, names in (("bot", REFUSING), ("games", GAME_ERRORS))
        for uses in calls(folder, names).values()
        for use in uses
        for message in use.found("error-")
    }
    elsewhere = {name for name in MESSAGES if name.startswith(ELSEWHERE)}
    idle = texts("en")["core.ftl"].keys() - plain - composed - refused - elsewhere
    assert not idle


# The games


@EACH_LANGUAGE
@EACH_GAME
def test_every_game_has_its_words(game_id: str, language: str) -> None:
    speak, game = Texts(language), games.get(game_id)
    for what in ("name", "about", "rules", "seat-0", "seat-1", "mark-0", "mark-1"):
        assert speak(f"{game_id}-{what}").strip()
    for option in game.options:
        assert speak(f"{game_id}-option-{option.id}")
        for choice in option.choices:
            assert speak(f"{game_id}-option-{option.id}-{choice}")
    for word in game.words:
        assert speak(f"{game_id}-word-{word}").strip()
    assert "/play-it " in speak(f"{game_id}-usage", before="/play-it ")
    assert len(speak(f"{game_id}-rules")) <= 1500
    for form in game.notations:
        assert speak(f"{game_id}-form-{form}")


def of_game(game_id: str, names: set[str], *, at: int = 0) -> list[Use]:
    """Return the calls in a game's own modules."""
    found = calls("games", names, at=at)
    return found.get(ROOT / "games" / f"{game_id}.py", [])


@EACH_GAME
def test_every_refusal_of_a_game_has_a_text(game_id: str) -> None:
    uses = of_game(game_id, GAME_ERRORS)
    assert uses
    typed = [
        replace(use, given=None if use.given is None else use.given | {"before"}) for use in uses
    ]
    assert not missing(typed, f"{game_id}-error-", "error-")


def test_every_refusal_that_games_share_has_a_text() -> None:
    found = calls("games", GAME_ERRORS)
    shared = [path for path in found if path.stem not in games.ids()]
    assert shared
    assert not [problem for path in shared for problem in missing(found[path], "error-")]


@EACH_GAME
def test_everything_that_a_game_remarks_has_a_text(game_id: str) -> None:
    uses = of_game(game_id, {"Note"})
    assert uses
    kinds = ("effect", "caution", "fact", "prompt")
    named = [replace(use, given=use.given and use.given | SEATS) for use in uses]
    assert not missing(named, *(f"{game_id}-{kind}-" for kind in kinds))
    # The players of the seats are known from the facts.
    remarks = [name for name in MESSAGES if re.match(f"{game_id}-(effect|caution|prompt)-", name)]
    assert not [name for name in remarks if MESSAGES[name] & SEATS]


@EACH_GAME
def test_every_way_to_end_has_a_text(game_id: str) -> None:
    options = (option.id for option in games.get(game_id).options)
    told = SEATS | {"winner", "loser", "won", "lost", *options}
    uses = [Use(use.where, use.pattern, told) for use in of_game(game_id, {"Outcome"}, at=1)]
    assert uses
    assert not missing(uses, f"{game_id}-reason-", "reason-")


@EACH_GAME
def test_every_text_of_a_picture_exists(game_id: str) -> None:
    uses = calls("renderers", {"translate"})[ROOT / "renderers" / f"{game_id}.py"]
    assert uses
    assert not missing(uses, "")


@pytest.mark.parametrize("platform", [front.name for front in FRONTS])
def test_every_setting_of_a_place_and_its_values_have_words(platform: str) -> None:
    """Clocks, time zones and roles have their own words."""
    every = every_setting(platform).items()
    chosen = {key: values for key, values in every if not key.startswith(GAME)}
    for key in chosen.keys() - {CLOCK, ZONE, BEGIN}:
        values = [value for value in chosen[key] if value not in LANGUAGES]
        names = {f"settings-{key}", *(f"settings-{key}-{value}" for value in values)}
        assert names <= MESSAGES.keys()


# How texts are found


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        ((), "en"),
        ((None, ""), "en"),
        (("fr", "de"), "de"),
        (("de-AT",), "de"),
        (("DE_ch", "en"), "de"),
        (("english",), "en"),
        (("-de",), "en"),
    ],
)
def test_the_first_language_that_we_speak_wins(
    wishes: tuple[str | None, ...], language: str
) -> None:
    assert language_of(*wishes) == language


def test_a_text_that_is_missing_is_a_mistake() -> None:
    speak = Texts("en")
    with pytest.raises(KeyError):
        speak("nonsense")
    with pytest.raises(KeyError, match="board-turn"):
        speak("board-turn")
    assert not speak.has("nonsense")


@pytest.mark.slow
@EACH_LANGUAGE
def test_a_text_that_is_parsed_alone_is_that_of_its_whole_file(language: str) -> None:
    whole = FluentBundle([language], use_isolating=False)
    for file in files_of(language):
        whole.add_resource(FluentResource(file.read_text("utf-8")))
    # In both orders: of what one takes from another the other is parsed later in one of them.
    for keys in ([*MESSAGES], [*MESSAGES][::-1]):
        parsed = texts_module._Language(language)
        for key in keys:
            details = dict.fromkeys(MESSAGES[key], 2)
            pattern = whole.get_message(key).value
            assert pattern is not None
            said, errors = whole.format_pattern(pattern, details)
            assert not errors
            assert parsed.text(key, details) == said


@EACH_LANGUAGE
def test_a_list_is_told_as_it_is_whatever_else_the_text_says(language: str) -> None:
    written = "".join(file.read_text("utf-8") for file in files_of(language))
    numbers = set(re.findall(r"NUMBER\(\$(\w+)", written))
    for key, names in MESSAGES.items():
        details = {name: 2 if name in numbers else f"{name} d3 % and" for name in names}
        told = texts_module._language(language).text(key, details)
        assert Texts(language)(key, **details) == re.sub(r"(?<=\d) %(?! and)", "\xa0%", told)


@EACH_LANGUAGE
def test_a_game_may_speak_for_itself_or_leave_it_to_the_house(language: str) -> None:
    speak = Texts(language)
    assert speak.of_game("othello", "error", "over") == speak("error-over")
    assert speak.of_game("othello", "error", "occupied", square="d3") == speak(
        "othello-error-occupied", square="d3"
    )
    assert speak.note("othello", "effect", Note("flips", {"count": 2})) == speak(
        "othello-effect-flips", count=2
    )


@EACH_LANGUAGE
@EACH_GAME
def test_an_option_fits_on_a_button_of_telegram(game_id: str, language: str) -> None:
    game = games.get(game_id)
    for option in game.options:
        for choice in option.choices:
            words = option_words(game, option.id, choice, Texts(language))
            assert cut(words, 60) == words


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [("en", "15 Jan 2026", "15 Jan, 08:00 UTC"), ("de", "15. Jan. 2026", "15. Jan., 08:00 UTC")],
)
def test_a_date_is_written_as_it_can_be_typed_the_day_first(
    language: str, day: str, moment: str
) -> None:
    texts = Texts(language)
    assert (texts.day(1_768_464_000), texts.moment(1_768_464_000)) == (day, moment)


@pytest.mark.parametrize(
    ("zone", "english", "german"),
    [
        ("Europe/Berlin", "CET", "MEZ"),
        ("America/Chicago", "CST", "GMT-06:00"),
        ("Asia/Kolkata", "GMT+05:30", "GMT+05:30"),
        ("", "UTC", "UTC"),
    ],
)
def test_a_moment_names_a_zone_by_what_is_that_of_no_other(
    zone: str, english: str, german: str
) -> None:
    for language, said in (("en", english), ("de", german)):
        moment = Texts(language).moment(1_768_464_000, ZoneInfo(zone) if zone else None)
        assert moment.split()[-1] == said
