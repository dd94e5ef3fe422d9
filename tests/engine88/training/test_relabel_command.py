"""Older games get the scores of another network."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from engine88.training.__main__ import main
from engine88.training.game_file import Game, GameFileError, StoredGame, game_bytes, pack_move, read_games, stored_games
from engine88.training.relabel_command import Relabeller, RelabelSettings
from engine88.training.selfplay.player import SharedNetwork, share_network
from tests.engine88.games import compiled_only
from tests.engine88.training.random_games import random_game

SETTINGS = RelabelSettings(100, 400)


def old(game: Game) -> StoredGame:
    return StoredGame("test", game_bytes(game))


@pytest.mark.slow
def test_moves_and_result_stay_and_scores_tell_who_is_ahead() -> None:
    names = ["e2e4", "d8d1", "e1d1", "h7h6", "d1e1"]
    fen = "3q2k1/7p/8/8/8/8/4P3/3QK3 w - - 0 1"
    moves = np.array([pack_move(name) for name in names], np.uint16)
    game = Relabeller(SETTINGS, share_network("default")).relabel(old(Game(fen, 2, moves, np.zeros(5, np.int16))))
    assert (game.fen, game.result, game.moves.tolist()) == (fen, 2, moves.tolist())
    scores = game.scores_cp.tolist()
    assert scores[0] > 300, "White takes the queen"
    assert max(map(abs, scores[1:])) < 300, "the queens are exchanged where White did not"


@compiled_only("it searches hundreds of positions")
def test_every_kind_of_move_and_whatever_came_before() -> None:
    games = [random_game(seed, plies=30) for seed in range(5)]
    relabeller = Relabeller(SETTINGS, SharedNetwork())
    first = [game_bytes(relabeller.relabel(old(game))) for game in games]
    assert game_bytes(Relabeller(SETTINGS, SharedNetwork()).relabel(old(games[4]))) == first[4]
    assert first[0] != game_bytes(games[0])


def test_an_illegal_move_is_named() -> None:
    moves = np.array([pack_move("e2e4"), pack_move("e7e4")], np.uint16)
    broken = Game(chess.STARTING_FEN, 1, moves, np.zeros(2, np.int16))
    with pytest.raises(GameFileError, match=r"test: move 2 of the game is not legal"):
        Relabeller(SETTINGS, SharedNetwork()).relabel(old(broken))


def test_the_games_of_all_files_in_their_order(tmp_path: Path) -> None:
    for name, seeds in (("b.games", (1, 2)), ("a.games", (3,))):
        (tmp_path / name).write_bytes(b"".join(game_bytes(random_game(seed)) for seed in seeds))
    found = list(stored_games([tmp_path / "b.games", tmp_path / "a.games"]))
    assert [game.data for game in found] == [game_bytes(random_game(seed)) for seed in (1, 2, 3)]
    assert found[1].where == f"{tmp_path / 'b.games'}: the game at byte {len(found[0].data)}"


def write(path: Path, *seeds: int) -> Path:
    path.write_bytes(b"".join(game_bytes(random_game(seed, plies=12)) for seed in seeds))
    return path


def relabel(out: Path, *games: Path) -> int:
    return main(["relabel", str(out), *map(str, games), "--soft", "50", "--hard", "200", "--workers", "0"])


@compiled_only("it searches whole games")
def test_games_are_searched_again_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out, cut = write(tmp_path / "old.games", 1, 2, 3, 4), tmp_path / "new.games", tmp_path / "cut.games"
    assert relabel(out, games) == 0
    for new, old in zip(read_games(out), read_games(games), strict=True):
        assert (new.fen, new.result, new.moves.tolist()) == (old.fen, old.result, old.moves.tolist())
        assert new.scores_cp.tolist() != old.scores_cp.tolist()
    assert "new.games: 4 games" in capsys.readouterr().err
    write(games, 1, 2)
    assert relabel(cut, games) == 0
    cut.write_bytes(cut.read_bytes()[:-3])
    write(games, 1, 2, 3, 4)
    assert relabel(cut, games) == 0
    assert cut.read_bytes() == out.read_bytes()


def test_other_games_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = write(tmp_path / "old.games", 1, 2), tmp_path / "new.games"
    assert relabel(out, games) == 0
    before = out.read_bytes()
    capsys.readouterr()
    assert relabel(out, write(games, 3, 4)) == 1
    assert "new.games: made from other games than" in capsys.readouterr().err
    assert relabel(out, write(games, 1)) == 1
    assert "holds 2 games, and the older files only 1" in capsys.readouterr().err
    assert relabel(out, write(tmp_path / "other.games", 1, 2)) == 1
    assert "begun with games ['old.games'], and now it is ['other.games']" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_the_least_search_is_one_node_and_the_limits_are_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, out = write(tmp_path / "old.games", 1), tmp_path / "new.games"
    words = ["relabel", str(out), str(games), "--workers", "0"]
    assert main([*words, "--soft", "0"]) == 1
    assert main([*words, "--soft", "2", "--hard", "1"]) == 1
    assert "--soft" in capsys.readouterr().err
    assert main([*words, "--soft", "1", "--hard", "1"]) == 0


def test_a_file_that_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert relabel(tmp_path / "new.games", tmp_path / "gone.games") == 1
    assert "gone.games" in capsys.readouterr().err
    assert not (tmp_path / "new.games").exists()


def test_files_without_a_game_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert relabel(tmp_path / "new.games", write(tmp_path / "empty.games")) == 1
    assert "no whole game in" in capsys.readouterr().err
    assert not (tmp_path / "new.games").exists()
