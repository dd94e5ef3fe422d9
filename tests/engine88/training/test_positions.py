"""From games to samples: the filter, the labels, the duplicates and the games held out."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from engine88.training import positions
from engine88.training.game_file import Game, GameFileError, game_bytes, pack_move
from engine88.training.positions import (
    FileCount,
    Filter,
    SampleFileError,
    load_data,
    read_samples_file,
    total,
    write_samples,
)
from tests.engine88.training.random_games import boards_of, random_game


def file_of(path: Path, games: list[Game]) -> Path:
    path.write_bytes(b"".join(map(game_bytes, games)))
    return path


def read_samples(path: Path, wanted: Filter) -> tuple[positions.Samples, FileCount]:
    """All samples of a file, those that come again and those held out among them."""
    length = path.stat().st_size
    samples = positions._room_for(length)
    count = positions._read_into(samples, path, length, wanted)
    return samples[: count.positions], count


def seen_by_mover(board: chess.Board) -> dict[int, int]:
    """Square to nibble (type - 1, 8 for the opponent's), ranks flipped for Black."""
    flip = 0 if board.turn == chess.WHITE else 56
    return {
        square ^ flip: piece.piece_type - 1 | (8 if piece.color != board.turn else 0)
        for square, piece in board.piece_map().items()
    }


def unpacked(sample: Any) -> dict[int, int]:
    words = int(sample["pieces_low"]) | int(sample["pieces_high"]) << 64
    squares = [square for square in range(64) if int(sample["occupancy"]) >> square & 1]
    return {square: words >> 4 * at & 15 for at, square in enumerate(squares)}


def expected_samples(game: Game, wanted: Filter) -> list[tuple[dict[int, int], int, int, int]]:
    """Position, score and result for the side to move, and ply, of each position to keep, by python-chess."""
    kept = []
    for ply, board in enumerate(boards_of(game)):
        code, score = int(game.moves[ply]), int(game.scores_cp[ply])
        move = next(move for move in board.legal_moves if move.from_square | move.to_square << 6 == code & 4095)
        noisy = board.is_check() or board.is_capture(move) or code >> 12
        if not noisy and abs(score) <= wanted.max_score_cp and ply >= wanted.min_ply:
            white = board.turn == chess.WHITE
            result = game.result if white else 2 - game.result
            kept.append((seen_by_mover(board), score if white else -score, result, ply))
    return kept


@pytest.mark.parametrize("wanted", [Filter(), Filter(min_ply=16), Filter(max_score_cp=900)])
def test_samples_agree_with_python_chess(tmp_path: Path, wanted: Filter) -> None:
    games = [random_game(seed) for seed in range(20)]
    samples, count = read_samples(file_of(tmp_path / "a.games", games), wanted)
    expected = [row for game in games for row in expected_samples(game, wanted)]
    found = [(unpacked(row), int(row["score_cp"]), int(row["result"]), int(row["ply"])) for row in samples]
    assert found == expected
    assert (count.games, count.plies) == (20, sum(len(game.moves) for game in games))
    assert count.positions == len(expected) > 100


def expected_result(score_cp: float) -> float:
    """What a score of a game promises, with the scale of the filter."""
    return 1 / (1 + math.exp(-score_cp / Filter().scale_cp))


def test_a_label_mixes_the_scores_of_the_plies_after_it(tmp_path: Path) -> None:
    games = [random_game(seed) for seed in range(6)]
    path, as_they_are = file_of(tmp_path / "a.games", games), Filter(max_score_cp=3000)
    samples, _ = read_samples(path, replace(as_they_are, td_lambda=0.6))
    plain, _ = read_samples(path, as_they_are)
    assert samples["ply"].tolist() == plain["ply"].tolist()
    at = iter(samples)
    for game in games:
        after = [expected_result(score_cp) for score_cp in game.scores_cp.tolist()]
        for _, score_cp, _, ply in expected_samples(game, as_they_are):
            weights = [0.4 * 0.6**k for k in range(len(after) - ply - 1)] + [0.6 ** (len(after) - ply - 1)]
            wanted = sum(weight * result for weight, result in zip(weights, after[ply:], strict=True))
            white = score_cp == game.scores_cp[ply]
            found = expected_result(int(next(at)["score_cp"]))
            assert (found if white else 1 - found) == pytest.approx(wanted, abs=2e-3)
    assert next(at, None) is None


@pytest.mark.parametrize("score_cp", [30_000, -30_000, 4000, 0])
def test_a_score_that_stays_keeps_its_label(tmp_path: Path, score_cp: int) -> None:
    game = random_game(0)
    steady = Game(game.fen, 1, game.moves, np.full_like(game.scores_cp, score_cp))
    samples, _ = read_samples(file_of(tmp_path / "a.games", [steady]), Filter(max_score_cp=30_000, td_lambda=0.7))
    assert set(np.abs(samples["score_cp"]).tolist()) == {min(abs(score_cp), 4000)}


def test_the_kings_of_a_sample_stand_where_its_pieces_say(tmp_path: Path) -> None:
    samples, _ = read_samples(file_of(tmp_path / "a.games", [random_game(seed) for seed in range(9)]), Filter())
    for sample in samples:
        pieces = unpacked(sample)
        assert (pieces[int(sample["own_king"])], pieces[int(sample["other_king"])]) == (5, 13)


def test_duplicates_are_counted_and_left_out(tmp_path: Path) -> None:
    games = [random_game(seed) for seed in range(8)]
    once = load_data([file_of(tmp_path / "a.games", games)], Filter(held_out_share=0))
    twice = load_data([file_of(tmp_path / "b.games", games), file_of(tmp_path / "c.games", games)], Filter())
    assert len(twice.training) + len(twice.held_out) == len(once.training)
    assert twice.duplicates == 2 * once.duplicates + len(once.training)
    assert total(twice.files).games == 16


def test_parts_of_a_file_give_what_the_whole_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [random_game(seed) for seed in range(40)]
    paths = [file_of(tmp_path / "a.games", games), file_of(tmp_path / "b.games", games[30:])]
    wanted = Filter(held_out_share=0.25)
    whole = load_data(paths, wanted)
    for name in ("_GAMES_AT_ONCE", "_BLOCK"):
        monkeypatch.setattr(positions, name, 7)
    parts = load_data(paths, wanted)
    assert (parts.training.tobytes(), parts.held_out.tobytes()) == (whole.training.tobytes(), whole.held_out.tobytes())
    assert (parts.files, parts.duplicates) == (whole.files, whole.duplicates)
    assert (whole.files[0].games, whole.files[1].games) == (40, 10)
    assert min(len(whole.training), len(whole.held_out), whole.duplicates) > 100


def test_games_that_are_added_while_a_file_is_read_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(tmp_path / "a.games", [random_game(1)])
    alone = load_data([path], Filter(held_out_share=0))
    make_room = positions._room_for

    def add_a_game(*sizes: int) -> positions.Samples:
        with path.open("ab") as file:
            file.write(game_bytes(random_game(2)))
        return make_room(*sizes)

    monkeypatch.setattr(positions, "_room_for", add_a_game)
    found = load_data([path], Filter(held_out_share=0))
    assert found.files == alone.files
    assert found.training.tobytes() == alone.training.tobytes()


def test_a_position_and_its_colour_flip_are_one(tmp_path: Path) -> None:
    def one_move(fen: str, move: str) -> Game:
        return Game(fen, 1, np.array([pack_move(move)], np.uint16), np.array([7], np.int16))

    white = one_move("4k3/p7/8/8/8/8/R7/4K3 w - - 0 1", "a2b2")
    black = one_move("4k3/r7/8/8/8/8/P7/4K3 b - - 0 1", "a7b7")
    other = one_move("4k3/p7/8/8/8/8/1R6/4K3 w - - 0 1", "b2c2")
    data = load_data([file_of(tmp_path / "a.games", [white, black, other])], Filter(held_out_share=0))
    assert (len(data.training), data.duplicates) == (2, 1)


def test_whole_games_are_held_out_and_the_same_ones_in_any_file(tmp_path: Path) -> None:
    games = [random_game(seed) for seed in range(40)]
    wanted = Filter(held_out_share=0.25)
    together, _ = read_samples(file_of(tmp_path / "a.games", games), wanted)
    alone = [read_samples(file_of(tmp_path / "b.games", [game]), wanted)[0] for game in games]
    flags = [set(samples["held_out"].tolist()) for samples in alone if len(samples)]
    assert all(len(flag) == 1 for flag in flags)
    assert 2 <= sum(flag == {1} for flag in flags) <= 20
    assert np.concatenate(alone).tobytes() == together.tobytes()


def test_a_move_that_cannot_be_played_names_file_and_game(tmp_path: Path) -> None:
    good, other = random_game(1), random_game(2)
    moves = other.moves.copy()
    moves[5] = pack_move("a1a1")
    path = file_of(tmp_path / "bad.games", [good, Game(other.fen, 1, moves, other.scores_cp)])
    with pytest.raises(GameFileError, match=rf"bad\.games: the game at byte {len(game_bytes(good))} "):
        read_samples(path, Filter())


def test_a_file_without_games_has_no_samples(tmp_path: Path) -> None:
    data = load_data([file_of(tmp_path / "a.games", [])], Filter())
    assert (len(data.training), len(data.held_out), data.duplicates) == (0, 0, 0)


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/K7 w - - 0 1", f"{'/'.join(['PPPPPPPP'] * 3)}/8/8/8/8/k6K w - - 0 1"])
def test_a_start_that_no_board_holds_names_file_and_game(tmp_path: Path, fen: str) -> None:
    game = Game(fen, 1, np.array([pack_move("a1a2")], np.uint16), np.array([7], np.int16))
    with pytest.raises(GameFileError, match=r"bad\.games: the game at byte 0 "):
        read_samples(file_of(tmp_path / "bad.games", [game]), Filter())


def test_samples_come_back_as_written(tmp_path: Path) -> None:
    samples, _ = read_samples(file_of(tmp_path / "a.games", [random_game(seed) for seed in range(9)]), Filter())
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
