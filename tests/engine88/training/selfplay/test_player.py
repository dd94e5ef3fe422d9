"""A process that plays games, and the network that it shares."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import chess
import pytest

from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.training.game_file import game_bytes
from engine88.training.selfplay.game import GameRules
from engine88.training.selfplay.player import (
    GameGenerator,
    PlaySettings,
    SharedNetwork,
    Task,
    play_task,
    random_start,
    share_network,
)
from tests.engine88.games import compiled_only


def test_a_network_arrives_as_it_was_sent() -> None:
    shared = share_network("default")
    arrived: SharedNetwork = pickle.loads(pickle.dumps(shared))
    assert arrived == shared
    assert hash(arrived) == hash(shared)
    loaded, usual = arrived.loaded(), load_network(DEFAULT_FILE)
    assert loaded is not None
    assert loaded.memory.array.tobytes() == usual.memory.array.tobytes()
    assert loaded.output_bias.tolist() == usual.output_bias.tolist()


def test_none_is_the_hand_written_terms() -> None:
    assert share_network("none").loaded() is None
    assert share_network("none") != share_network("default")


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(b"junk")
    with pytest.raises(NetworkFileError, match=r"broken\.npz"):
        share_network(str(path))


SETTINGS = PlaySettings("test", GameRules(60, 200, most_plies=30))


@pytest.fixture(name="network", scope="module")
def _network() -> SharedNetwork:
    return share_network("default")


@compiled_only("it plays whole games")
def test_a_game_depends_on_its_number_alone(network: SharedNetwork) -> None:
    player = GameGenerator(SETTINGS, network)
    first = [game_bytes(player.play(Task(number))) for number in range(3)]
    assert len(set(first)) == 3
    assert play_task(SETTINGS, network, Task(2)) == first[2]
    assert game_bytes(player.play(Task(0))) == first[0]
    other = PlaySettings("another run", SETTINGS.rules)
    assert play_task(other, network, Task(0)) != first[0]


@compiled_only("it plays whole games")
def test_the_evaluation_asked_for_plays(network: SharedNetwork) -> None:
    assert play_task(SETTINGS, SharedNetwork(), Task(0)) != play_task(SETTINGS, network, Task(0))


@compiled_only("it plays whole games")
def test_unbalanced_starts_are_not_played() -> None:
    lost = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    game = GameGenerator(SETTINGS, SharedNetwork()).play(Task(0, lost))
    board = chess.Board(game.fen)
    assert len(board.pieces(chess.QUEEN, chess.BLACK)) == 1, "it fell back to the first position"
    assert abs(int(game.scores_cp[0])) < 1000


def test_a_book_position_gets_a_few_random_plies() -> None:
    book = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"
    starts = [random_start(book, random.Random(seed)) for seed in range(50)]
    plies = {chess.Board(start.fen()).ply() - 6 for start in starts if start}
    assert plies == {1, 2, 3, 4}


def test_random_plies_start_from_the_first_position_without_a_book() -> None:
    starts = [random_start(None, random.Random(seed)) for seed in range(50)]
    assert {chess.Board(start.fen()).ply() for start in starts if start} == {8, 9}


def test_a_game_that_is_over_is_no_start() -> None:
    assert random_start("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", random.Random(1)) is None
