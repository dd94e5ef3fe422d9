"""Claims against an opponent who has left."""

from __future__ import annotations

import threading

import pytest
from structlog.typing import EventDict

from bot.errors import Rejected
from bot.events.game import OpponentGone
from tests.helpers.conduct_harness import make_conduct, nothing_asked, requested
from tests.helpers.games import game, state
from tests.helpers.processes import wait_until


def test_a_refused_claim_is_repeated_ever_more_rarely() -> None:
    harness, conduct = make_conduct()
    harness.server.errors["claim-victory"] = [Rejected(400, "You cannot claim the win on this game")] * 20
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(OpponentGone(True, 5), 200.0)
    conduct.tick(one, 204.9)
    assert nothing_asked(harness, conduct)
    conduct.tick(one, 205.0)
    assert requested(harness, "claim-victory")
    for second in range(206, 265):
        conduct.tick(one, float(second))
        assert wait_until(lambda: not conduct._actions._names)
    assert 2 <= harness.server.count("claim-victory") <= 4


def test_an_opponent_gone_without_a_time_to_claim_is_not_claimed_against() -> None:
    harness, conduct = make_conduct()
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(OpponentGone(True), 200.0)
    conduct.tick(one, 300.0)
    assert nothing_asked(harness, conduct)


def test_the_win_is_not_claimed_when_it_is_our_turn(logs: list[EventDict]) -> None:
    _, conduct = make_conduct()
    one = game(state("e2e4 e7e5"))
    one.apply(OpponentGone(True, 0), 200.0)
    conduct.tick(one, 300.0)
    assert "claiming" not in [line["event"] for line in logs]


def test_the_win_is_not_claimed_against_one_who_came_back_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    harness, conduct = make_conduct()
    gate = threading.Event()
    monkeypatch.setattr(harness.server, "resign", lambda _game_id: gate.wait(30))
    conduct.resign()  # whatever keeps the actions busy
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(OpponentGone(True, 0), 200.0)
    conduct.tick(one, 201.0)
    assert "claim" in conduct._actions._names
    one.apply(OpponentGone(False), 202.0)
    gate.set()
    assert wait_until(lambda: not conduct._actions._names)
    assert harness.server.said == []


def test_who_leaves_again_is_claimed_against_as_soon_as_at_first() -> None:
    harness, conduct = make_conduct()
    harness.server.errors["claim-victory"] = [Rejected(400, "You cannot claim the win on this game")] * 20
    one = game(state("e2e4 e7e5 g1f3"))

    def claims(gone: bool, *seconds: float) -> int:
        before = harness.server.count("claim-victory")
        one.apply(OpponentGone(gone, 0), seconds[0])
        for now_s in seconds:
            conduct.tick(one, now_s)
            assert wait_until(lambda: not conduct._actions._names)
        return harness.server.count("claim-victory") - before

    assert claims(True, 200.0, 220.0, 250.0, 300.0) == 4  # each later than the one before
    assert claims(False, 500.0) == 0
    assert claims(True, 600.0, 608.0, 612.0) == 2


def test_without_mating_material_the_draw_is_claimed() -> None:
    harness, conduct = make_conduct()
    bare = game(state("a2b2 e1d1"), variant="fromPosition", initial_fen="4k3/8/8/8/8/8/q7/4K3 b - - 0 1")
    bare.apply(OpponentGone(True, 0), 200.0)
    conduct.tick(bare, 201.0)
    assert requested(harness, "claim-draw")
