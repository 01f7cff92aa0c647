from collections import Counter

from bot.fronts.telegram.send_scheduler import SendScheduler


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def flood(
    send_scheduler: SendScheduler, clock: Clock, chats: list[int], *, seconds: float
) -> list[tuple[float, int]]:
    """Everybody wants to speak everywhere all the time; gives who spoke when."""
    said = []
    end = clock.now + seconds
    while clock.now < end:
        waits = []
        for chat in chats:
            wait = send_scheduler.claim(chat, "board")
            if wait:
                waits.append(wait)
            else:
                said.append((clock.now, chat))
                send_scheduler.arrived(chat)
                waits.append(0.01)
        clock.now += min(waits)
    return said


def most_within(times: list[float], seconds: float) -> int:
    return max(sum(1 for other in times if at <= other < at + seconds) for at in times)


def test_a_chat_hears_one_message_a_second() -> None:
    clock = Clock()
    times = [at for at, _ in flood(SendScheduler(clock), clock, [5], seconds=30)]
    assert len(times) >= 28
    assert most_within(times, 1.0) == 1


def test_a_group_hears_twenty_a_minute() -> None:
    clock = Clock()
    times = [at for at, _ in flood(SendScheduler(clock), clock, [-5], seconds=300)]
    assert len(times) >= 95
    assert most_within(times, 60.0) == 20


def test_all_together_hear_thirty_a_second_and_everybody_gets_their_share() -> None:
    clock = Clock()
    said = flood(SendScheduler(clock), clock, list(range(1, 101)), seconds=20)
    times = [at for at, _ in said]
    assert most_within(times, 1.0) <= 30
    assert most_within(times, 0.1) <= 8
    assert len(said) >= 480
    shares = Counter(chat for _, chat in said)
    assert len(shares) == 100


def test_a_pause_in_one_chat_is_none_in_another() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    send_scheduler.freeze(1, 30)
    assert send_scheduler.claim(1, "board") == 30
    assert send_scheduler.claim(2, "board") == 0
    clock.now += 30
    assert send_scheduler.claim(1, "board") == 0


def test_who_came_first_speaks_first() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    assert send_scheduler.claim(1, "a") == 0
    send_scheduler.arrived(1)
    first, second = send_scheduler.claim(1, "b"), send_scheduler.claim(1, "c")
    assert 0 < first < second
    clock.now += first
    assert send_scheduler.claim(1, "c") > 0
    assert send_scheduler.claim(1, "b") == 0


def test_who_does_not_come_back_holds_nobody_up() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    assert send_scheduler.claim(1, "a") == 0
    send_scheduler.arrived(1)
    assert send_scheduler.claim(1, "gone") > 0
    assert send_scheduler.claim(1, "b") > 0
    clock.now += 10
    assert send_scheduler.claim(1, "b") == 0


def test_whoever_leaves_makes_room() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    assert send_scheduler.claim(1, "a") == 0
    send_scheduler.arrived(1)
    first = send_scheduler.claim(1, "b")
    send_scheduler.leave(1, "b")
    assert send_scheduler.claim(1, "c") == first
    send_scheduler.leave(2, "nobody")


def test_a_message_under_way_is_waited_for() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    assert send_scheduler.claim(1, "a") == 0
    clock.now += 1.5
    assert 0 < send_scheduler.claim(1, "b") < 0.1
    assert send_scheduler.claim(2, "b") == 0
    send_scheduler.arrived(1)
    assert send_scheduler.claim(1, "b") > 1
    clock.now += 1.06
    assert send_scheduler.claim(1, "b") == 0


def test_a_message_that_never_arrives_holds_nobody_up() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    assert send_scheduler.claim(1, "a") == 0
    clock.now += 20
    assert send_scheduler.claim(1, "b") > 0
    clock.now += 11
    assert send_scheduler.claim(1, "b") == 0


def test_silent_chats_are_forgotten() -> None:
    clock = Clock()
    send_scheduler = SendScheduler(clock)
    for chat in range(1, 3000):
        clock.now += 1
        assert send_scheduler.claim(chat, "a") == 0
    assert len(send_scheduler._chats) < 200
