"""Offers answered once, idle games aborted, resignations repeated."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from chess.engine import Cp
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.engine_pool.values import Answer
from bot.events.game import OpponentGone, Player
from bot.play.conduct import Conduct
from bot.play.game import Game
from tests.helpers.conduct_harness import make_conduct, nothing_asked, requested
from tests.helpers.games import AI, ME, OTHER, game, state
from tests.helpers.processes import wait_until


def score(conduct: Conduct, score_cp: int) -> None:
    """Let a move of ours have this score."""
    answer = Answer(chess.Move.from_uci("e2e4"), info_line=f"info score cp {score_cp}")
    conduct.note_move(game(), "e2e4", answer)


def level(conduct: Conduct, moves: int = 8) -> None:
    """Let the game have been level for long."""
    for _ in range(moves):
        score(conduct, 0)


def long_game() -> Game:
    """A game of eighty plies, White to move."""
    return after_plies(80)


def test_a_draw_offer_is_answered_once_and_by_the_scores() -> None:
    harness, conduct = make_conduct()
    one = game(state("e2e4", bdraw=True))
    for _ in range(3):
        conduct.offers.answer(one, 100.0, moving=False)
    assert requested(harness, "draw", "no")
    assert harness.server.count("draw") == 1
    harness, conduct = make_conduct()
    level(conduct)
    late = long_game()
    late.apply(state(" ".join(late.state.moves), bdraw=True), 101.0)
    conduct.offers.answer(late, 100.0, moving=False)
    assert requested(harness, "draw", "yes")


def test_takebacks_are_granted_up_to_the_limit() -> None:
    harness, conduct = make_conduct(takebacks=1)
    one = game(state("e2e4 e7e5", btakeback=True))
    conduct.offers.answer(one, 100.0, moving=False)
    assert requested(harness, "takeback", "yes")
    one.apply(state("e2e4"), 101.0)
    one.apply(state("e2e4 c7c5", btakeback=True), 102.0)
    conduct.offers.answer(one, 100.0, moving=False)
    assert requested(harness, "takeback", "no")


def test_offers_go_out_with_moves_and_not_too_often() -> None:
    _, conduct = make_conduct()
    level(conduct)
    late = long_game()
    assert conduct.offers_draw(late, "e2e4")
    assert not conduct.offers_draw(late, "e2e4")
    _, shy = make_conduct(draw={"offer": False})
    level(shy)
    assert not shy.offers_draw(late, "e2e4")


def test_an_engine_may_offer_a_draw_and_resign_by_itself() -> None:
    _, conduct = make_conduct(draw={"offer": False})
    late = long_game()
    for notes, offers, resigns in (((), False, False), (("offers a draw",), True, False), (("resigns",), False, True)):
        answer = Answer(chess.Move.from_uci("e2e4"), info_line="info score cp 300", notes=notes)
        conduct.note_move(late, "e2e4", answer)
        assert (conduct.offers_draw(late, "e2e4"), conduct.resigns(late)) == (offers, resigns)


def after_plies(number: int, **fields: Any) -> Game:
    """A game of so many plies."""
    return game(state(" ".join((["g1f3", "g8f6", "f3g1", "f6g8"] * 20)[:number])), **fields)


EARLY = {"moves": 1, "min_move": 1}


@pytest.mark.parametrize(
    ("plies", "opponent", "offered"),
    [(0, OTHER, False), (1, OTHER, False), (2, OTHER, True), (3, OTHER, True), (40, OTHER, True), (40, AI, False)],
)
def test_no_offer_to_the_computer_nor_before_the_server_takes_one(plies: int, opponent: Player, offered: bool) -> None:
    _, conduct = make_conduct(draw=EARLY)
    level(conduct)
    assert conduct.offers_draw(after_plies(plies, black=opponent), "e2e4") is offered


def test_an_offer_is_repeated_as_soon_as_the_server_takes_another() -> None:
    _, conduct = make_conduct(draw=EARLY)
    level(conduct)
    offered = [plies for plies in range(2, 60) if conduct.offers_draw(after_plies(plies), ("e2e4", "e7e5")[plies % 2])]
    assert offered == [2, 22, 42]
    assert conduct.offers_draw(after_plies(75), "e7e5")


def test_a_repetition_is_claimed_unless_we_are_better() -> None:
    shuffle = game(state("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"), white=OTHER, black=ME)
    _, conduct = make_conduct()
    assert conduct.offers_draw(shuffle, "f6g8")
    score(conduct, 300)
    assert not conduct.offers_draw(shuffle, "f6g8")


def test_an_idle_game_is_aborted_once_and_only_before_it_began() -> None:
    harness, conduct = make_conduct(abort_after_s=20.0)
    idle = game(state("e2e4"), now_s=100.0)
    conduct.tick(idle, 119.9)
    assert nothing_asked(harness, conduct)
    conduct.tick(idle, 120.0)
    assert requested(harness, "abort")
    for second in range(121, 130):
        conduct.tick(idle, float(second))
    assert harness.server.count("abort") == 1


@pytest.mark.parametrize(
    ("played", "fields"),
    [
        ("e2e4 e7e5 g1f3", {}),
        ("", {}),  # our own move is missing: that is ours to make
        ("e2e4", {"initial_ms": None, "increment_ms": None, "speed": "correspondence"}),
    ],
)
def test_a_game_that_waits_for_no_first_move_of_an_opponent_is_not_aborted(played: str, fields: dict[str, Any]) -> None:
    _, conduct = make_conduct(abort_after_s=20.0)
    with capture_logs() as lines:
        conduct.tick(game(state(played), now_s=100.0, **fields), 500.0)
    assert "aborting_game" not in [line["event"] for line in lines]


def test_a_game_is_not_aborted_whose_first_move_a_silent_stream_has_hidden() -> None:
    idle = game(state(), now_s=100.0, white=OTHER, black=ME)
    answers = [False, True]

    def refresh(_timeout_s: float) -> bool:
        if answers[0]:  # the first question hangs, the second one is answered
            idle.apply(state("e2e4"), 131.0)
        return answers.pop(0)

    harness, conduct = make_conduct(refresh, abort_after_s=20.0)
    conduct.tick(idle, 130.0)
    assert wait_until(lambda: not answers and not conduct._actions._names)
    assert harness.server.said == []


def test_a_game_that_can_be_aborted_is_aborted_and_not_claimed() -> None:
    harness, conduct = make_conduct(abort_after_s=60.0)
    one = game(state("e2e4"), now_s=200.0)
    one.apply(OpponentGone(True, 5), 200.0)
    for second in range(200, 210):
        conduct.tick(one, float(second))
    assert requested(harness, "abort")
    assert harness.server.said == [("abort",)]


def test_an_opponent_who_asks_for_patience_gets_it() -> None:
    harness, conduct = make_conduct(abort_after_s=20.0)
    idle = game(state("e2e4"), now_s=100.0)
    conduct.chatter.wait_until_s = 180.0
    conduct.tick(idle, 179.0)
    assert nothing_asked(harness, conduct)
    conduct.tick(idle, 180.0)
    assert requested(harness, "abort")


def test_the_latest_score_is_told_with_the_resignation(logs: list[EventDict]) -> None:
    _, conduct = make_conduct()
    assert conduct.last_score is None
    score(conduct, -900)
    assert conduct.last_score == Cp(-900)
    conduct.resign()
    assert [(line["event"], line["score_cp"]) for line in logs if line["event"] == "resigning"] == [("resigning", -900)]


def test_when_the_game_is_over_nothing_is_asked_for_any_more() -> None:
    harness, conduct = make_conduct(over=True)
    conduct.resign()
    assert wait_until(lambda: not conduct._actions._names)
    assert harness.server.said == []
