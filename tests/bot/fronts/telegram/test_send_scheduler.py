from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

from bot.fronts.telegram import send_scheduler as module
from bot.fronts.telegram.send_scheduler import Sending, SendScheduler


class Clocked(SendScheduler):
    """A scheduler whose time tests set."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__(lambda: self.now)


def flood(chats: list[int], *, seconds: float) -> list[tuple[float, int]]:
    """Send from all people to all chats all the time; return who sent when."""
    scheduler, said = Clocked(), []
    end = scheduler.now + seconds
    while scheduler.now < end:
        waits = []
        for chat in chats:
            wait = scheduler.claim(Sending(chat, "board"))
            if wait:
                waits.append(wait)
            else:
                said.append((scheduler.now, chat))
                scheduler.arrived(chat)
                waits.append(0.01)
        scheduler.now += min(waits)
    return said


def most_within(times: list[float], seconds: float) -> int:
    return max(sum(1 for other in times if at <= other < at + seconds) for at in times)


def test_a_chat_gets_a_few_messages_at_once_and_then_one_a_second() -> None:
    times = [at for at, _ in flood([5], seconds=30)]
    assert len(times) >= 31
    assert times[3] - times[0] < 0.1
    assert most_within(times, 1.0) == 4
    assert most_within(times[4:], 1.0) == 1


def test_a_group_gets_twenty_messages_a_minute() -> None:
    times = [at for at, _ in flood([-5], seconds=120)]
    assert len(times) >= 38
    assert most_within(times, 60.0) <= 20


def test_a_group_gets_most_of_its_minute_at_once_and_never_waits_long() -> None:
    times = [at for at, _ in flood([-5], seconds=60)]
    assert times[14] - times[0] < 13
    assert max(after - before for before, after in pairwise(times)) < 9


def test_ten_quick_moves_are_shown_at_once_and_pings_leave_them_room() -> None:
    scheduler = Clocked()
    called = 0
    for move in range(10):
        # A move a second, and a call for each.
        assert scheduler.claim(Sending(-5, f"board {move}")) < 0.1, move
        scheduler.arrived(-5)
        scheduler.now += 0.1
        if not scheduler.claim(Sending(-5, f"call {move}", is_eager=False)):
            called += 1
            scheduler.arrived(-5)
        scheduler.now += 0.9
    assert 1 <= called <= 6


def test_all_chats_share_thirty_messages_a_second() -> None:
    said = flood(list(range(1, 61)), seconds=6)
    times = [at for at, _ in said]
    assert most_within(times, 1.0) <= 30
    assert most_within(times, 0.1) <= 8
    assert len(said) >= 144
    shares = Counter(chat for _, chat in said)
    assert len(shares) == 60


def test_a_pause_in_one_chat_does_not_affect_others() -> None:
    scheduler = Clocked()
    scheduler.freeze(1, 30)
    assert scheduler.claim(Sending(1, "board")) == 30
    assert scheduler.claim(Sending(2, "board")) == 0
    scheduler.now += 30
    assert scheduler.claim(Sending(1, "board")) == 0


def spent() -> Clocked:
    """Return a scheduler for a chat that got all that it may get at once."""
    scheduler = Clocked()
    for _ in range(4):
        assert scheduler.claim(Sending(1, "a")) == 0
        scheduler.arrived(1)
    return scheduler


def test_the_first_caller_sends_first() -> None:
    scheduler = spent()
    first, second = scheduler.claim(Sending(1, "b")), scheduler.claim(Sending(1, "c"))
    assert 0 < first < second
    scheduler.now += first
    assert scheduler.claim(Sending(1, "c")) > 0
    assert scheduler.claim(Sending(1, "b")) == 0


def test_a_caller_that_leaves_frees_its_turn() -> None:
    scheduler = spent()
    first = scheduler.claim(Sending(1, "b"))
    scheduler.leave(Sending(1, "b"))
    assert scheduler.claim(Sending(1, "c")) == first
    scheduler.leave(Sending(2, "unknown"))


def test_answers_wait_for_boards_that_come_later() -> None:
    scheduler = spent()
    assert scheduler.claim(Sending(1, "answer", reply_to=7)) > 0
    wait = scheduler.claim(Sending(1, "board"))
    scheduler.now += wait
    assert scheduler.claim(Sending(1, "answer", reply_to=7)) > 0
    assert scheduler.claim(Sending(1, "board")) == 0


def test_an_answer_lets_boards_go_first_for_some_seconds_and_no_longer() -> None:
    scheduler = spent()
    asked, answered, number = scheduler.now, 0.0, 0
    while not answered and scheduler.now < asked + 30:
        # There are always two boards that want to be shown.
        for board in (number, number + 1):
            if not scheduler.claim(Sending(1, board)):
                scheduler.arrived(1)
                number += 1
        if not scheduler.claim(Sending(1, "answer", reply_to=7)):
            answered = scheduler.now
        scheduler.now += 0.1
    assert 10 < answered - asked < 14


def test_a_group_gets_so_many_answers_a_minute_in_all_and_for_one_user() -> None:
    scheduler = Clocked()
    answered = Counter[int]()
    for number in range(500):
        person = 7 if number % 50 else 8
        if not scheduler.claim(Sending(-5, number, reply_to=person)):
            scheduler.arrived(-5)
            answered[person] += 1
        scheduler.leave(Sending(-5, number))
        scheduler.now += 0.1
    # No person has more than the rest.
    assert answered == {7: 5, 8: 3}
    assert scheduler.claim(Sending(-5, "first", reply_to=9)) == 0
    scheduler.arrived(-5)
    assert scheduler.claim(Sending(-5, "board")) == 0
    scheduler.arrived(-5)
    scheduler.now += 11
    assert scheduler.claim(Sending(-5, "answer", reply_to=7)) == 0


def ask_without_end(people: dict[int, float], *, seconds: float) -> dict[int, list[float]]:
    """Let people wait for three answers at any time; return when each got one."""
    begun = (scheduler := Clocked()).now
    answered: dict[int, list[float]] = {person: [] for person in people}
    waits: dict[tuple[int, int], float] = {}
    while scheduler.now < begun + seconds:
        for person, since in people.items():
            for one in ((person, 0), (person, 1), (person, 2)):
                if scheduler.now < max(begun + since, waits.get(one, 0.0)):
                    continue
                wait = scheduler.claim(Sending(-5, one, reply_to=person))
                waits[one] = scheduler.now + wait
                if not wait:
                    scheduler.arrived(-5)
                    answered[person].append(scheduler.now - begun)
        scheduler.now += 0.25
    return answered


def test_a_first_question_is_answered_before_those_of_busy_users() -> None:
    answered = ask_without_end({1: 0, 2: 0, 3: 70}, seconds=200)
    assert answered[3][0] - 70 < 3


@pytest.mark.slow
def test_busy_users_are_answered_in_turn() -> None:
    answered = ask_without_end(dict.fromkeys(range(1, 13), 0.0), seconds=300)
    # A minute has less than one for each of them.
    assert max(times[0] for times in answered.values()) < 75
    gaps = [next_ - one for times in answered.values() for one, next_ in pairwise(times)]
    assert max(gaps) < 150
    assert sum(map(len, answered.values())) > 37


def test_keys_of_a_move_go_with_boards_and_are_so_many_a_minute_for_one_person() -> None:
    scheduler = spent()
    assert scheduler.claim(Sending(1, "answer", reply_to=7)) > 0
    scheduler.now += scheduler.claim(Sending(1, "keys", reply_to=7, in_play=True))
    assert scheduler.claim(Sending(1, "keys", reply_to=7, in_play=True)) == 0
    pressed = 0
    for number in range(500):
        if not scheduler.claim(Sending(-5, number, reply_to=7, in_play=True)):
            scheduler.arrived(-5)
            pressed += 1
        scheduler.leave(Sending(-5, number))
        scheduler.now += 0.1
    assert pressed == 10
    # To the others all is left, and to their boards.
    assert scheduler.claim(Sending(-5, "keys", reply_to=8, in_play=True)) == 0
    scheduler.arrived(-5)
    scheduler.now += 1.1
    assert scheduler.claim(Sending(-5, "answer", reply_to=8)) == 0


def test_keys_beyond_a_users_minute_are_sent_after_it_however_many_boards_come() -> None:
    scheduler = Clocked()
    sent, board = list[float](), 0
    while len(sent) < 11:
        if not scheduler.claim(Sending(-5, "keys", reply_to=7, in_play=True)):
            sent.append(scheduler.now)
            scheduler.arrived(-5)
        if not scheduler.claim(Sending(-5, f"board {board}")):
            board += 1
            scheduler.arrived(-5)
        scheduler.now += 0.1
        assert scheduler.now < 1200
    assert board > 5
    assert sent[10] - sent[0] < 61
    assert max(after - before for before, after in pairwise(sent)) < 61


def test_a_message_waits_for_the_one_that_is_being_sent() -> None:
    scheduler = Clocked()
    assert scheduler.claim(Sending(1, "a")) == 0
    scheduler.now += 1.5
    assert 0 < scheduler.claim(Sending(1, "b")) < 0.1
    assert scheduler.claim(Sending(2, "b")) == 0
    scheduler.arrived(1)
    assert scheduler.claim(Sending(1, "b")) == 0


def test_a_message_that_never_arrives_holds_up_no_others() -> None:
    scheduler = Clocked()
    assert scheduler.claim(Sending(1, "a")) == 0
    scheduler.now += 20
    assert scheduler.claim(Sending(1, "b")) > 0
    scheduler.now += 11
    assert scheduler.claim(Sending(1, "b")) == 0


def test_only_the_last_chats_are_remembered_despite_dropped_boards_and_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_REMEMBERED", 200)
    scheduler = Clocked()
    for chat in range(1, 9):
        # A board that was dropped before its turn.
        scheduler.delay(Sending(chat, "board"))
        scheduler.freeze(-chat, 365 * 24 * 3600)
    for chat in range(100, 3000):
        scheduler.now += 1
        assert scheduler.claim(Sending(chat, "a")) == 0
    assert len(scheduler._chats) == 200
    assert not len(scheduler._line)
    assert not scheduler.waiting


def test_with_many_waiting_boards_only_the_next_two_minutes_are_planned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, spread = 0, module._spread

    def counted(sent: Sequence[float], at: float) -> float:
        nonlocal looks
        looks += 1
        return spread(sent, at)

    monkeypatch.setattr(module, "_spread", counted)
    scheduler = Clocked()
    waits = [scheduler.claim(Sending(-5, f"board {number}")) for number in range(1000)]
    assert waits == sorted(waits)
    assert waits[0] == 0
    assert waits[-1] > 100
    looks = 0
    scheduler.claim(Sending(-5, "one more"))
    assert looks <= 41
