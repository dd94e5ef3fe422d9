"""Files of games: what is written is read again, a torn end is left out, garbage is named."""

from __future__ import annotations

import struct
from pathlib import Path

import chess
import pytest

from engine88.training.game_file import Game, GameFileError, game_bytes, pack_move, read_games, unpack_move
from tests.engine88.training.random_games import random_game


def write(path: Path, games: list[Game], more: bytes = b"") -> Path:
    path.write_bytes(b"".join(map(game_bytes, games)) + more)
    return path


def test_a_game_by_hand(tmp_path: Path) -> None:
    fen = b"7k/P7/8/8/8/8/8/K7 w - - 0 1"
    body = bytes([len(fen)]) + fen + struct.pack("<BHHhHh", 2, 2, 48 | 56 << 6 | 4 << 12, 900, 63 | 55 << 6, -31)
    path = tmp_path / "hand.games"
    path.write_bytes(body)
    (game,) = read_games(path)
    assert (game.fen, game.result) == (fen.decode(), 2)
    assert [unpack_move(int(code)) for code in game.moves] == ["a7a8q", "h8h7"]
    assert game.scores_cp.tolist() == [900, -31]
    assert game_bytes(game) == body


def test_games_come_back_as_written(tmp_path: Path) -> None:
    games = [random_game(seed) for seed in range(10)]
    for wrote, read in zip(games, read_games(write(tmp_path / "a.games", games)), strict=True):
        assert (wrote.fen, wrote.result) == (read.fen, read.result)
        assert wrote.moves.tolist() == read.moves.tolist()
        assert wrote.scores_cp.tolist() == read.scores_cp.tolist()


def test_every_move_code_survives() -> None:
    names = {move.uci() for seed in range(5) for move in chess.Board(random_game(seed).fen).legal_moves}
    assert any(len(name) == 5 for name in names)
    assert {unpack_move(pack_move(name)) for name in names} == names


def test_a_torn_last_game_is_left_out_wherever_it_is_cut(tmp_path: Path) -> None:
    games = [random_game(1), random_game(2, plies=3)]
    last = game_bytes(games[1])
    for cut in range(len(last)):
        path = write(tmp_path / "torn.games", games[:1], last[:cut])
        assert len(list(read_games(path))) == 1


def test_garbage_is_named_with_file_and_offset(tmp_path: Path) -> None:
    first = game_bytes(random_game(1))
    path = write(tmp_path / "bad.games", [random_game(1)], b"\x20" + b"x" * 400)
    with pytest.raises(GameFileError, match=rf"bad\.games: no game at byte {len(first)}"):
        list(read_games(path))


def test_an_impossible_result_is_garbage(tmp_path: Path) -> None:
    game = random_game(3)
    path = write(tmp_path / "bad.games", [Game(game.fen, 3, game.moves, game.scores_cp)])
    with pytest.raises(GameFileError, match="at byte 0"):
        list(read_games(path))


def test_a_later_format_is_not_taken_for_this_one(tmp_path: Path) -> None:
    path = tmp_path / "later.games"
    path.write_bytes(b"\0GAMES2")
    with pytest.raises(GameFileError, match=r"later\.games: of a later format than 1"):
        list(read_games(path))
