"""A record evaluates by its network, or by the hand-written terms, whose kernel it calls by its address."""

from __future__ import annotations

import pytest

from engine88.compiler.indirect import address_of
from engine88.evaluation.classical.evaluation_state import new_evaluation
from engine88.evaluation.classical.score import classical_score
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.layout import BLOCK
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.rules.position import Position
from tests.engine88.games import compiled_only
from tests.engine88.searching import KIWIPETE

CACHE_LINE = 64


@pytest.mark.parametrize("fen", [KIWIPETE, "8/8/4k3/8/2P5/3K4/8/8 w - - 0 1"])
def test_a_call_by_address_returns_what_the_kernel_does(fen: str) -> None:
    board = Position.from_fen(fen).board
    assert evaluate(board, new_evaluation_state()) == classical_score(board, new_evaluation()) != 0


@compiled_only("plain Python has no addresses")
def test_a_record_knows_the_hand_written_terms_only_if_it_has_no_network() -> None:
    assert new_evaluation_state().classical.score_address == address_of(classical_score) != 0
    assert new_evaluation_state(load_network(DEFAULT_FILE)).classical.score_address == 0


def test_accumulators_begin_at_lines_of_the_cache() -> None:
    network = new_evaluation_state().network
    row = BLOCK * network.accumulators.itemsize
    assert [values.ctypes.data % CACHE_LINE for values in (network.accumulators, network.cached)] == [0, 0]
    assert row % CACHE_LINE == 0
