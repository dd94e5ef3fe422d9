"""The opponent's offers, and takebacks that must not cross a move of ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.events.game import GameState
from bot.play.conduct import ASK_STATE_S, TAKEBACK_S, Action, OfferAnswers
from bot.play.game import Game
from bot.settings import ConductSettings
from tests.helpers.game_harness import RecordingServer
from tests.helpers.games import game, state


class Desk:
    """Offers answered at once, as if no thread were between."""

    def __init__(self, *, takebacks: int = 1, busy: bool = False, late: bool = False) -> None:
        self.server = RecordingServer()
        self.busy, self.late = busy, late
        self.late_calls: list[Callable[[], object]] = []
        self.refreshed: list[float] = []
        self.wanted: dict[str, Callable[[], bool]] = {}
        settings = ConductSettings(takebacks=takebacks)
        self.offers = OfferAnswers(self.server, settings, self.run, lambda _game: True, self.refresh)

    def run(self, action: Action) -> bool:
        """Perform the action, unless one of the name is under way."""
        assert action.once or action.name == "takeback-state"
        self.wanted[action.name] = action.wanted
        if self.late:
            self.late_calls.append(action.call)
        elif not self.busy and action.wanted():
            action.call()
        return not self.busy

    def refresh(self, timeout_s: float) -> bool:
        """Ask for the state."""
        self.refreshed.append(timeout_s)
        return True


def asked(clock_ms: int = 600_000) -> Game:
    """Our move, and the opponent wants the last one back."""
    return game(state("e2e4 e7e5", wtime_ms=clock_ms, btakeback=True))


def test_a_takeback_waits_for_the_move_that_is_under_way() -> None:
    desk, one = Desk(), asked()
    assert not desk.offers.answer(one, 100.0, moving=True)
    assert desk.server.said == []
    assert desk.offers.answer(one, 100.1, moving=False)
    assert desk.server.said == [("takeback", "yes")]


def test_what_is_agreed_to_is_awaited_until_it_shows() -> None:
    desk, one = Desk(), asked()
    assert desk.offers.answer(one, 100.0, moving=False)
    assert desk.offers.answer(one, 100.5, moving=False)
    assert desk.server.count("takeback") == 1
    one.apply(state("e2e4", wtime_ms=600_000), 100.6)
    assert not desk.offers.answer(one, 100.6, moving=False)


def test_a_silent_stream_is_asked_for_the_state_once() -> None:
    desk, one = Desk(), asked()
    for at_s, refreshed in ((0.0, []), (ASK_STATE_S - 0.1, []), (ASK_STATE_S, [TAKEBACK_S]), (9.9, [TAKEBACK_S])):
        assert desk.offers.answer(one, 100.0 + at_s, moving=False)
        assert desk.refreshed == refreshed


@pytest.mark.parametrize("later", [state("e2e4"), state("e2e4 e7e5 g1f3 b8c6", btakeback=True), state("e2e4 e7e5")])
def test_the_state_is_not_asked_for_about_a_takeback_that_has_shown_or_is_another(later: GameState) -> None:
    desk, one = Desk(), asked()
    for at_s in (100.0, 100.0 + ASK_STATE_S):
        desk.offers.answer(one, at_s, moving=False)
    assert desk.wanted["takeback-state"]()
    one.apply(later, 102.0)
    assert not desk.wanted["takeback-state"]()


@pytest.mark.parametrize(("clock_ms", "patience_s"), [(600_000, TAKEBACK_S), (60_000, 20.0), (2_000, 2 / 3)])
def test_patience_ends_and_takes_no_more_than_its_share_of_the_clock(clock_ms: int, patience_s: float) -> None:
    desk, one = Desk(), asked(clock_ms)
    for _ in range(2):  # the second look sees that the server has taken the answer
        assert desk.offers.answer(one, 100.0, moving=False)
    assert desk.offers.answer(one, 99.99 + patience_s, moving=False)
    assert not desk.offers.answer(one, 100.01 + patience_s, moving=False)


def test_patience_begins_when_the_server_has_taken_an_answer_that_hung() -> None:
    desk, one = Desk(late=True), asked()
    assert desk.offers.answer(one, 100.0, moving=False)
    assert desk.server.said == []
    desk.late_calls.pop()()
    assert desk.server.said == [("takeback", "yes")]
    assert desk.offers.answer(one, 100.0 + TAKEBACK_S - 1, moving=False)
    assert desk.offers.answer(one, 100.0 + 2 * TAKEBACK_S - 2, moving=False)
    assert not desk.offers.answer(one, 100.0 + 2 * TAKEBACK_S, moving=False)


@pytest.mark.parametrize("late", [False, True])
def test_a_refused_takeback_is_not_awaited(late: bool) -> None:
    desk, one = Desk(takebacks=0, late=late), asked()
    assert not desk.offers.answer(one, 100.0, moving=False)
    for call in desk.late_calls:
        call()
    assert not desk.offers.answer(one, 100.2, moving=False)
    assert desk.server.said == [("takeback", "no")]


@pytest.mark.parametrize("later", [state("e2e4 e7e5"), state("e2e4 e7e5 g1f3 b8c6", bdraw=True, btakeback=True)])
def test_an_answer_is_wanted_while_the_offer_stands_for_the_same_position(later: GameState) -> None:
    desk, one = Desk(late=True), game(state("e2e4 e7e5", bdraw=True, btakeback=True))
    desk.offers.answer(one, 100.0, moving=False)
    answers = ("draw-answer", "takeback-answer")
    assert [desk.wanted[name]() for name in answers] == [True, True]
    one.apply(later, 101.0)
    assert [desk.wanted[name]() for name in answers] == [False, False]


def test_where_an_answer_is_still_under_way_the_next_look_tries_again() -> None:
    desk, one = Desk(busy=True), asked()
    assert not desk.offers.answer(one, 100.0, moving=False)
    desk.busy = False
    assert desk.offers.answer(one, 100.3, moving=False)


def test_a_draw_is_answered_once_for_a_position_also_while_a_move_is_under_way() -> None:
    desk = Desk()
    one = game(state("e2e4 e7e5", bdraw=True))
    for _ in range(2):
        assert not desk.offers.answer(one, 100.0, moving=True)
    assert desk.server.said == [("draw", "yes")]
