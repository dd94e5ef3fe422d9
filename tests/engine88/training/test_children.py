"""Positions one move off the games, against python-chess and the engine's own search."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from engine88.control.deepening import Searcher
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable
from engine88.training.__main__ import main
from engine88.training.children_command import ChildSettings, make_children
from engine88.training.game_file import Game, GameFileError, game_bytes, pack_move
from engine88.training.label import label_cp
from engine88.training.positions import Filter, SampleFileError, Samples, read_samples_file, write_samples
from engine88.training.selfplay import run_file
from tests.engine88.training.random_games import boards_of, random_game
from tests.engine88.training.test_positions import seen_by_mover, unpacked

NONE_HELD_OUT = Filter(held_out_share=0)


def file_of(folder: Path, *games: Game) -> Path:
    path = folder / "some.games"
    path.write_bytes(b"".join(map(game_bytes, games)))
    return path


def children(folder: Path, settings: ChildSettings, *games: Game, wanted: Filter = NONE_HELD_OUT) -> Samples:
    return make_children([file_of(folder, *games)], settings, wanted, lambda _: None)


def successors(game: Game) -> list[chess.Board]:
    """Every position one legal move off the game in which the side to move is not in check."""
    boards = []
    for board in boards_of(game):
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            if not after.is_check():
                boards.append(after)
    return boards


def as_set(positions: list[dict[int, int]]) -> set[tuple[tuple[int, int], ...]]:
    return {tuple(sorted(position.items())) for position in positions}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_all_children_are_found(tmp_path: Path, seed: int) -> None:
    game = random_game(seed, plies=12)
    samples = children(tmp_path, ChildSettings(share=1.0), game, wanted=Filter(max_score_cp=30_000, held_out_share=0))
    found = [unpacked(sample) for sample in samples]
    assert as_set(found) == as_set([seen_by_mover(board) for board in successors(game)])
    assert len(found) == len(as_set(found)) > 100
    assert set(samples["result"].tolist()) == {3}


@pytest.mark.slow
def test_a_label_of_depth_one_is_a_search_of_depth_one(tmp_path: Path) -> None:
    after = "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"
    before = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"
    game = Game(before, 1, np.array([pack_move("e7e5")], np.uint16), np.array([0], np.int16))
    samples = children(tmp_path, ChildSettings(share=1.0, depth=1), game)
    positions = as_set([unpacked(sample) for sample in samples])
    assert as_set([seen_by_mover(chess.Board(after))]).isdisjoint(positions), "its best move takes a pawn"
    quiet = "rnbqkbnr/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"
    (label,) = (int(s["score_cp"]) for s in samples if unpacked(s) == seen_by_mover(chess.Board(quiet)))
    searcher = Searcher(TranspositionTable(1))
    searcher.set_position(Position.from_fen(quiet))
    line = searcher.run(max_depth=1)
    assert line is not None
    assert label == pytest.approx(line.score, abs=15)  # the histories of the children before it order its moves


@pytest.mark.slow
def test_a_network_labels_instead_of_the_hand_written_terms(tmp_path: Path) -> None:
    game = random_game(3, plies=6)
    evaluation = new_evaluation_state(load_network(DEFAULT_FILE))
    by_network = children(tmp_path, ChildSettings(share=1.0, network=DEFAULT_FILE), game)
    labels = {tuple(sorted(unpacked(sample).items())): int(sample["score_cp"]) for sample in by_network}
    compared = 0
    for board in successors(game):
        label = labels.get(tuple(sorted(seen_by_mover(board).items())))
        if label is not None:
            position = Position.from_fen(board.fen()).board
            assert label == label_cp(position, evaluation, int(evaluate(position, evaluation)))
            compared += 1
    assert compared > 100


@pytest.mark.parametrize(
    ("words", "network"), [([], DEFAULT_FILE), (["--network", "none"], None)], ids=["default", "none"]
)
def test_the_command_labels_by_the_network_of_the_engine(
    tmp_path: Path, words: list[str], network: Path | None
) -> None:
    game, out = random_game(3, plies=6), tmp_path / "a.npy"
    expected = children(tmp_path, ChildSettings(network=network), game, wanted=Filter())
    assert main(["children", str(tmp_path / "some.games"), "--out", str(out), *words]) == 0
    assert read_samples_file(out).tobytes() == expected.tobytes()
    assert len(expected) > 10


def test_progress_is_reported_game_by_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_file, "EVERY_S", 0.0)
    path, lines = file_of(tmp_path, *(random_game(seed, plies=6) for seed in range(3))), list[str]()
    samples = make_children([path], ChildSettings(share=1.0), NONE_HELD_OUT, lines.append)
    assert [line.split(" games, ")[0] for line in lines] == [
        "some.games: 2 of 3",
        "some.games: 3 of 3",
        "some.games: 3",
    ]
    assert len(samples) > 100


def test_an_absent_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(NetworkFileError, match=r"nothing\.npz"):
        children(tmp_path, ChildSettings(network=tmp_path / "nothing.npz"), random_game(3, plies=6))


def test_a_share_is_chosen_by_the_seed(tmp_path: Path) -> None:
    games = [random_game(seed, plies=30) for seed in range(4)]
    every = children(tmp_path, ChildSettings(share=1.0), *games)
    some = children(tmp_path, ChildSettings(share=0.3), *games)
    assert 0.2 * len(every) < len(some) < 0.4 * len(every)
    assert children(tmp_path, ChildSettings(share=0.3), *games).tobytes() == some.tobytes()
    assert children(tmp_path, ChildSettings(share=0.3, seed=2), *games).tobytes() != some.tobytes()


def test_held_out_games_have_no_children(tmp_path: Path) -> None:
    assert not len(children(tmp_path, ChildSettings(), random_game(1), wanted=Filter(held_out_share=1)))


def test_an_illegal_move_names_file_and_game(tmp_path: Path) -> None:
    moves = np.array([pack_move("e2e5")], np.uint16)
    with pytest.raises(GameFileError, match=r"some\.games: the game at byte 0 holds a move that is not legal"):
        children(tmp_path, ChildSettings(), Game(chess.STARTING_FEN, 1, moves, np.array([0], np.int16)))


def test_samples_come_back_as_written(tmp_path: Path) -> None:
    samples = children(tmp_path, ChildSettings(), random_game(0))
    write_samples(tmp_path / "a.npy", samples)
    assert read_samples_file(tmp_path / "a.npy").tobytes() == samples.tobytes()
    assert len(samples) > 50


@pytest.mark.parametrize("content", [b"", b"junk", b"\x93NUMPY\x01\x00\x00"])
def test_another_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "b.npy").write_bytes(content)
    with pytest.raises(SampleFileError, match=r"b\.npy: no file of samples"):
        read_samples_file(tmp_path / "b.npy")
    np.save(tmp_path / "c.npy", np.zeros(3))
    with pytest.raises(SampleFileError, match=r"c\.npy: no samples of this version"):
        read_samples_file(tmp_path / "c.npy")
