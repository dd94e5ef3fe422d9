"""Engines as other people write them: for lichess-bot, with a board of their own, with a tree search, for fun."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from tests.helpers.playing import BY_THE_RULES
from tests.helpers.python_engines import talking, write

ROOT = Path(__file__).resolve().parents[3]
ENGINES = Path(__file__).with_name("engines")
SPECS = (
    "homemade.py:RandomMove",
    "homemade.py:Minimax",
    "mailbox.py",
    "tree_search.py",
    "swarm.py:Swarm",
    "swarm.py:CheckCapturePush",
)
PATIENCE_S = 280.0


def offline(*arguments: str) -> list[dict[str, object]]:
    """Play with `bot88 offline --json`; return the objects that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "offline", "--json", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert "engine_reports" not in done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("spec", SPECS)
def test_each_plays_both_sides_without_a_fault(spec: str) -> None:
    board = chess.Board()
    with talking(ENGINES / spec) as adapter:
        adapter.ask("uciok", "uci")
        while len(board.move_stack) < 24 and not board.is_game_over():
            moves = " ".join(map(str, board.move_stack))
            board.push_uci(adapter.move("go movetime 300", f"startpos moves {moves}" if moves else "startpos"))
        assert adapter.errors() == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_each_plays_a_whole_game_offline(spec: str) -> None:
    game, summary = offline("--engine", str(ENGINES / spec), "--opponent", "random", "--clock", "1+1", "--seed", "4")
    assert game["status"] in BY_THE_RULES
    assert (summary["illegal_moves"], summary["lost_on_time"]) == (0, 0)


@pytest.mark.slow
def test_two_files_play_each_other(tmp_path: Path) -> None:
    shutil.copy(ENGINES / "swarm.py", tmp_path)
    game, _summary = offline(
        "--engine", str(ENGINES / "mailbox.py"), "--opponent", f"{tmp_path / 'swarm.py'}:Swarm", "--clock", "5+1"
    )
    assert game["opponent"] == "Swarm"
    assert game["status"] in BY_THE_RULES


@pytest.mark.slow
def test_a_game_after_an_edit_is_played_by_the_new_version(tmp_path: Path) -> None:
    """The engine edits its own file in its first game, at the warm-up already."""
    source = """
    from pathlib import Path
    class Mine:
        first = "{move}"
        def choose_move(self, board, limit):
            if board.fullmove_number == 3:
                text = Path(__file__).read_text()
                Path(__file__).write_text(text.replace('first = "a2a4"', 'first = "h2h4"'))
            moves = [str(move) for move in board.legal_moves]
            return self.first if self.first in moves else moves[-1]
    """.replace("{move}", "a2a4")
    path = write(tmp_path, source)
    *games, _summary = offline(
        "--engine", str(path), "--opponent", "random", "--games", "3", "--clock", "1+1", "--seed", "2"
    )
    white = [game["moves"][0] for game in games if game["bot_color"] == "white"]  # type: ignore[index]  # a list
    assert white[-1] == "h2h4"
