"""Offers answered once, idle games aborted, absent opponents claimed against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess

from bot.engine_pool import Answer
from bot.errors import RateLimited, Rejected
from bot.events import OpponentGone
from bot.play.conduct.conduct import Conduct
from bot.play.game import Game
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import AI, ME, OTHER, game, state
from tests.helpers.processes import wait_until


def make_conduct(
    refresh: Callable[[float], bool] = lambda _timeout_s: True, **conduct: Any
) -> tuple[GameHarness, Conduct]:
    """A harness and manners of these settings, without contempt for anybody."""
    draw = {"contempt": {"enabled": False}} | conduct.pop("draw", {})
    harness = GameHarness(conduct=conduct | {"draw": draw})
    conduct_of_game = Conduct("abcdefgh", harness.context, lambda: False, lambda: harness.engine.name, refresh=refresh)
    return harness, conduct_of_game


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
    return game(state(" ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 20)))


def requested(harness: GameHarness, *words: str) -> bool:
    """Wait until the server has heard it."""
    return wait_until(lambda: words in harness.server.said)


def test_a_draw_offer_is_answered_once_and_by_the_scores() -> None:
    harness, conduct = make_conduct()
    one = game(state("e2e4", bdraw=True))
    for _ in range(3):
        conduct.answer_offers(one, 100.0)
    assert requested(harness, "draw", "no")
    assert harness.server.count("draw") == 1
    harness, conduct = make_conduct()
    level(conduct)
    late = long_game()
    late.apply(state(" ".join(late.state.moves), bdraw=True), 101.0)
    conduct.answer_offers(late, 100.0)
    assert requested(harness, "draw", "yes")


def test_takebacks_are_granted_up_to_the_limit() -> None:
    harness, conduct = make_conduct(takebacks=1)
    one = game(state("e2e4 e7e5", btakeback=True))
    conduct.answer_offers(one, 100.0)
    assert requested(harness, "takeback", "yes")
    one.apply(state("e2e4"), 101.0)
    one.apply(state("e2e4 c7c5", btakeback=True), 102.0)
    conduct.answer_offers(one, 100.0)
    assert requested(harness, "takeback", "no")


def test_offers_go_out_with_moves_and_not_too_often() -> None:
    _, conduct = make_conduct(claim_draw=False)
    level(conduct)
    late = long_game()
    assert conduct.offers_draw(late, "e2e4")
    assert not conduct.offers_draw(late, "e2e4")
    _, shy = make_conduct(draw={"offer": False}, claim_draw=False)
    level(shy)
    assert not shy.offers_draw(late, "e2e4")


def test_no_offer_to_the_computer_nor_at_the_first_move() -> None:
    _, conduct = make_conduct()
    level(conduct)
    assert not conduct.offers_draw(game(black=AI), "e2e4")
    assert not conduct.offers_draw(game(), "e2e4")


def test_a_repetition_is_claimed_unless_we_are_better() -> None:
    shuffle = game(state("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"), white=OTHER, black=ME)
    _, conduct = make_conduct()
    assert conduct.offers_draw(shuffle, "f6g8")
    score(conduct, 300)
    assert not conduct.offers_draw(shuffle, "f6g8")


def test_an_idle_game_is_aborted_once_and_only_before_it_began() -> None:
    harness, conduct = make_conduct(abort_after_s=20.0)
    idle = game(state("e2e4"), now_s=100.0)
    conduct.tick(idle, 119.0)
    assert not harness.server.said
    for second in range(121, 130):
        conduct.tick(idle, float(second))
    assert requested(harness, "abort")
    assert harness.server.count("abort") == 1
    harness, conduct = make_conduct(abort_after_s=20.0)
    conduct.tick(game(state("e2e4 e7e5 g1f3"), now_s=100.0), 500.0)
    conduct.tick(game(state(), now_s=100.0), 500.0)  # our own move is missing: that is ours to make
    assert not harness.server.said


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


def test_a_refused_claim_is_repeated_ever_more_rarely() -> None:
    harness, conduct = make_conduct()
    harness.server.errors["claim-victory"] = [Rejected(400, "You cannot claim the win on this game")] * 20
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(OpponentGone(True, 5), 200.0)
    conduct.tick(one, 204.9)
    for second in range(205, 265):
        conduct.tick(one, float(second))
        assert wait_until(lambda: not conduct._actions._names)
    assert 2 <= harness.server.count("claim-victory") <= 4


def test_an_opponent_gone_without_a_time_to_claim_is_not_claimed_against() -> None:
    harness, conduct = make_conduct()
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(OpponentGone(True), 200.0)
    conduct.tick(one, 300.0)
    assert harness.server.said == []


def test_a_game_that_can_be_aborted_is_aborted_and_not_claimed() -> None:
    harness, conduct = make_conduct(abort_after_s=60.0)
    one = game(state("e2e4"), now_s=200.0)
    one.apply(OpponentGone(True, 5), 200.0)
    for second in range(200, 210):
        conduct.tick(one, float(second))
    assert requested(harness, "abort")
    assert harness.server.said == [("abort",)]


def test_without_mating_material_the_draw_is_claimed() -> None:
    harness, conduct = make_conduct()
    bare = game(state("a2b2 e1d1"), variant="fromPosition", initial_fen="4k3/8/8/8/8/8/q7/4K3 b - - 0 1")
    bare.apply(OpponentGone(True, 0), 200.0)
    conduct.tick(bare, 201.0)
    assert requested(harness, "claim-draw")


def test_an_opponent_who_asks_for_patience_gets_it() -> None:
    harness, conduct = make_conduct(abort_after_s=20.0)
    idle = game(state("e2e4"), now_s=100.0)
    conduct.chatter.wait_until_s = 180.0
    conduct.tick(idle, 179.0)
    assert not harness.server.said
    conduct.tick(idle, 180.0)
    assert requested(harness, "abort")


def test_a_limited_resignation_is_repeated() -> None:
    harness, conduct = make_conduct()
    harness.server.errors["resign"] = [RateLimited(0.01)]
    conduct.resign()
    assert wait_until(lambda: harness.server.count("resign") == 2)
