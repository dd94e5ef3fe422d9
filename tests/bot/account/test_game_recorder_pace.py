"""How often the server is asked for the result of a game: ever more rarely about one, never many at once."""

from __future__ import annotations

import itertools

import pytest

from bot.account.archive import GameArchive
from bot.account.game_recorder import BETWEEN_LOOK_UPS_S, IDLE_S, PAUSES_S, GameRecorder
from bot.account.store import Store
from bot.backoff import exponential_s
from bot.errors import NetworkError
from bot.events import GameExport


class Pace:
    """A recorder without its thread; every question is noted with its moment and gets no answer."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.asked: list[tuple[float, str]] = []
        store = Store()
        self.recorder = GameRecorder(
            GameArchive(store, "me", "https://lichess.test", None), store, self.export, lambda _game_id: False
        )

    def export(self, game_id: str) -> GameExport:
        """Note it."""
        self.asked.append((self.now_s, game_id))
        raise NetworkError("cut")

    def ask(self, count: int) -> list[float]:
        """Let the recorder ask so often, waiting as it says; returns the pauses between."""
        begun = len(self.asked)
        while len(self.asked) < begun + count:
            self.now_s += self.recorder._wait_s(self.now_s)
            self.recorder._look_up_next(self.now_s)
        moments = [moment for moment, _ in self.asked[begun:]]
        return [later - earlier for earlier, later in itertools.pairwise(moments)]


def test_one_game_is_asked_for_ever_more_rarely() -> None:
    pace = Pace()
    pace.recorder._add_look_up("abcdefgh", 7.0)
    found = pace.ask(13)
    assert pace.asked[0][0] == 7.0
    for number, pause_s in enumerate(found):
        nominal_s = exponential_s(*PAUSES_S, number)
        assert 0.5 * nominal_s <= pause_s <= 1.5 * nominal_s


def test_many_games_are_asked_for_one_after_the_other_the_longest_due_first() -> None:
    pace = Pace()
    for number in range(20):
        pace.recorder._add_look_up(f"game{number:04}", 100.0 - number)
    pace.now_s = 200.0
    assert pace.ask(20) == pytest.approx([BETWEEN_LOOK_UPS_S] * 19)
    assert [game_id for _, game_id in pace.asked[:3]] == ["game0019", "game0018", "game0017"]


def test_a_game_told_again_is_not_asked_for_sooner() -> None:
    pace = Pace()
    pace.recorder._add_look_up("abcdefgh", 7.0)
    pace.recorder._add_look_up("abcdefgh", 0.0)
    assert pace.recorder._wait_s(0.0) == 7.0


def test_without_a_question_the_thread_only_waits() -> None:
    pace = Pace()
    assert pace.recorder._wait_s(5.0) == IDLE_S
    pace.recorder._look_up_next(5.0)
    assert pace.asked == []
