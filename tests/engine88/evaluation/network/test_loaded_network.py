"""Network files that fit, and those that do not: one clear sentence each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine88.contract import EngineOptions, Limits
from engine88.engine import Engine
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.inference import network_score
from engine88.evaluation.network.layout import MOST_WIDTH
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, lay_out, load_network
from engine88.evaluation.network.network_file import NetworkFileError, write_network
from engine88.rules.fen import read_fen
from engine88.rules.position import Position
from tests.engine88.evaluation.network.made_networks import random_network, state_with
from tests.engine88.games import compiled_only


def test_a_network_wider_than_the_engine_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.npz"
    write_network(path, random_network(MOST_WIDTH + 2))
    with pytest.raises(NetworkFileError, match=rf"wide\.npz: {MOST_WIDTH + 2} neurons, .* room for {MOST_WIDTH}"):
        load_network(path)


def test_a_state_takes_one_network_after_another() -> None:
    board = read_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    state = new_evaluation_state()
    for network in (random_network(MOST_WIDTH), random_network(2), random_network(130, mirrored=False)):
        loaded = lay_out(network)
        loaded.give_to(state.network)
        fresh, _memory = state_with(network)
        assert int(network_score(board, state.network)) == int(network_score(board, fresh.network))


@pytest.mark.parametrize("content", [None, b"", b"not a network"])
def test_an_engine_with_a_bad_file_says_so_and_plays_on(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.npz"
    if content is not None:
        path.write_bytes(content)
    with Engine(EngineOptions(eval_file=str(path))) as engine:
        assert "hand-written" in engine.evaluation_note
        assert str(path) in engine.evaluation_note
        assert "\n" not in engine.evaluation_note
        assert engine.search(Position.start(), Limits(depth=2)).best_move is not None


def test_the_network_comes_with_the_engine_and_plays_at_every_strength() -> None:
    with Engine() as engine:
        assert f"network {DEFAULT_FILE.stem}" in engine.evaluation_note
        engine.configure(EngineOptions(limit_strength=True))
        assert f"network {DEFAULT_FILE.stem}" in engine.evaluation_note


@compiled_only("it searches hundreds of thousands of nodes")
def test_a_limited_engine_knows_nothing_of_deeper_searches_before() -> None:
    weak, limits = EngineOptions(limit_strength=True, elo=2200, eval_file="none"), Limits(depth=6)
    with Engine(weak) as engine:
        engine.search(Position.start(), limits)
        fresh = engine.nodes
        engine.configure(EngineOptions(eval_file="none"))
        engine.search(Position.start(), Limits(depth=10))
        engine.configure(weak)
        engine.search(Position.start(), limits)
        assert engine.nodes == fresh


def test_an_engine_evaluates_by_the_network_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "made.npz"
    write_network(path, random_network())
    with Engine(EngineOptions(eval_file="none")) as engine:
        before = engine.search(Position.start(), Limits(depth=3)).info
        engine.configure(EngineOptions(eval_file=str(path), threads=2))
        after = engine.search(Position.start(), Limits(depth=3)).info
        assert "network made" in engine.evaluation_note
        engine.configure(EngineOptions(eval_file="none"))
        again = engine.search(Position.start(), Limits(depth=3)).info
    assert before is not None
    assert after is not None
    assert again is not None
    assert before.score_cp == again.score_cp
    assert before.score_cp != after.score_cp


def test_a_level_switched_on_does_not_load_the_network_again(tmp_path: Path) -> None:
    path = tmp_path / "small.npz"
    write_network(path, random_network())
    with Engine(EngineOptions(eval_file=str(path))) as engine:
        path.unlink()
        engine.configure(replace(engine.options, limit_strength=True))
        assert "hand-written" not in engine.evaluation_note
