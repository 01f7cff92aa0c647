"""What goes to a process that thinks: no more than its seat may know."""

from bot.thinking.tasks import Choose, Hint
from bot.thinking.worker import packed
from games import get


def test_what_is_sent_is_the_same_wherever_the_hidden_stones_are() -> None:
    game = get("blackbox")
    options = game.options_from({"size": "5", "stones": "3"})
    sent = set()
    for setup in ("a1 c3 e5", "a1 c3 e4"):
        view = game.start(options, setup).view(0)
        sent.add(packed(Hint(game.id, view, 0, 2.0)) + packed(Choose(game.id, view, 0, 2.0, 5, 1)))
    assert len(sent) == 1
