"""Who may keep a connection, and who is disconnected to make room."""

from itertools import count

import pytest

from bot.support.held import ConnectionLimiter, Held


class Room:
    """A room of limited size; people have addresses: ``anna@home``, ``anna@site/home``."""

    def __init__(self, most: int, *, per_address: int = 1000) -> None:
        self.held = ConnectionLimiter(most=most, per_address=per_address)
        self.gone: list[str] = []
        self._time = count(1)

    def comes(self, name: str) -> Held:
        owner, _, address = name.partition("@")

        def let_go(*, is_last: bool) -> None:
            self.gone.append(f"{name}, the last" if is_last else name)

        def clock() -> float:
            """Return a second more each time."""
            return float(next(self._time))

        parts = (address or owner).split("/")
        groups = tuple("/".join(parts[: depth + 1]) for depth in range(len(parts)))
        new = Held(owner, groups, clock(), clock, let_go)
        self.held.hold(new)
        return new

    def refuses(self, name: str) -> None:
        with pytest.raises(LookupError):
            self.comes(name)

    def come(self, *names: str) -> list[Held]:
        return [self.comes(name) for name in names]


def test_where_there_is_room_nobody_goes() -> None:
    room = Room(4)
    room.come("anna", "anna", "ben", "ben")
    assert room.gone == []


def test_whoever_has_the_most_makes_room_with_what_they_used_longest_ago() -> None:
    room = Room(5)
    first, *_ = room.come("anna", "ben", "ben", "anna", "anna")
    first.touch()
    room.comes("cleo")
    assert room.gone == ["anna"]
    room.come("dora", "emil")
    assert room.gone == ["anna", "ben", "anna"]
    # The one that was used again is the one that is left.
    assert first in room.held._held


def test_nobodys_last_one_goes_while_somebody_has_several() -> None:
    room = Room(6)
    room.come("anna", "ben", *["eve"] * 4)
    room.come("cleo", "dora", "emil")
    assert room.gone == ["eve", "eve", "eve"]


def test_who_opens_the_most_makes_their_own_room() -> None:
    room = Room(4)
    room.come("anna", "anna", "ben", "ben")
    room.comes("anna")
    assert room.gone == ["anna"]
    room = Room(2)
    room.come("anna", "ben", "ben")
    assert room.gone == ["ben"]


def test_where_everybody_has_one_nobody_gets_in() -> None:
    room = Room(3)
    room.come("anna", "ben", "cleo")
    assert not room.held.has_room
    room.refuses("dora")
    assert room.gone == []


def test_people_of_one_address_who_fill_the_house_make_room_for_others() -> None:
    room = Room(4)
    room.come("a@farm", "b@farm", "c@farm", "anna@home")
    room.comes("ben@work")
    assert room.gone == ["a@farm, the last"]
    # Two and one is as even as possible, so replacing goes no further.
    room.refuses("cleo@home")


def test_somebody_with_many_networks_of_one_site_does_not_outrank_an_office() -> None:
    """Each guest of the site comes from a network of their own, as an IPv6 caller can."""
    room = Room(6)
    room.come("anna@office", *[f"guest {n}@site/{n // 2}/{n}" for n in range(5)])
    room.come("ben@office", "cleo@office")
    # Three and three stay, even when others come.
    room.refuses("dora@office")
    room.refuses("guest 9@site/9/9")
    # Of the site they went where most were, and there who was there longest.
    assert room.gone == ["guest 0@site/0/0, the last", "guest 2@site/1/2, the last"]


def test_a_site_makes_its_room_where_most_of_it_are() -> None:
    """Neighbours whose provider gives all of them networks of one site do not pay for one."""
    room = Room(100, per_address=5)
    room.come("anna@site/1/1", *[f"eve {n}@site/2/{n % 2}" for n in range(4)])
    room.comes("ben@site/3/1")
    assert room.gone == ["eve 0@site/2/0, the last"]
    room.comes("cleo@site/4/1")
    assert room.gone[1:] == ["eve 1@site/2/1, the last"]
    # A network with one connection more than the newcomer's loses none.
    room.refuses("dora@site/4/2")
    # Others' addresses are not full.
    room.comes("emil@elsewhere/1/1")
    assert len(room.gone) == 2


def test_one_address_has_only_so_many_and_makes_its_room_itself() -> None:
    room = Room(100, per_address=3)
    room.come("anna@home", "anna@home", "ben@home", "cleo@work", "cleo@work", "cleo@work")
    room.comes("ben@home")
    # Two would be as many as hers, so it is his own that goes.
    assert room.gone == ["ben@home"]
    room.comes("dora@home")
    assert room.gone == ["ben@home", "anna@home"]
    room.refuses("emil@home")
    assert "cleo@work" not in room.gone


def test_the_last_one_at_a_full_address_goes_if_its_owner_has_others_elsewhere() -> None:
    room = Room(100, per_address=2)
    room.come("anna@home", "ben@home", "anna@work")
    room.comes("cleo@home")
    assert room.gone == ["anna@home"]


def test_what_has_gone_by_itself_makes_room_once() -> None:
    room = Room(1)
    (first,) = room.come("anna")
    room.held.release(first)
    room.held.release(first)
    assert room.held.has_room
    room.comes("ben")
    room.refuses("cleo")


def test_of_whoever_has_gone_nothing_is_remembered() -> None:
    room = Room(4)
    for held in room.come("anna@home", "anna@work", "ben@home"):
        room.held.release(held)
    assert not room.held._of_owner
    assert not room.held._of_group


@pytest.mark.parametrize(
    ("names", "has_room"),
    [
        (["anna", "ben"], True),
        (["anna", "ben", "cleo"], False),
        (["anna", "anna@work", "ben"], True),
        (["anna@home", "ben@home", "cleo"], True),
    ],
)
def test_somebody_new_finds_room_while_there_is_some_or_somebody_can_make_it(
    names: list[str], *, has_room: bool
) -> None:
    room = Room(3)
    room.come(*names)
    assert room.held.has_room is has_room
    if has_room:
        room.comes("dora@elsewhere")


def test_of_a_full_site_the_widest_part_makes_room_though_nobody_shares_a_network_there() -> None:
    room = Room(100, per_address=5)
    room.come("anna@site/1/1", *[f"eve {n}@site/2/{n}" for n in range(4)])
    room.comes("ben@site/3/1")
    assert room.gone == ["eve 0@site/2/0, the last"]


def test_a_part_of_another_site_makes_no_room_where_both_sites_have_as_many() -> None:
    room = Room(6)
    room.come(*[f"{name}@office/1" for name in "abc"], *[f"{n}@site/{n}" for n in range(3)])
    room.refuses("dora@site/4")
    assert room.gone == []
