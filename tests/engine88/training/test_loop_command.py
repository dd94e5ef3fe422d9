"""`python -m engine88.training loop`: from nothing to a network that the engine plays with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88 import Engine, EngineOptions, Limits, Position
from engine88.training.__main__ import main
from tests.engine88.games import compiled_only

#: Held-out games are drawn by their contents: of 24, one in 200,000 runs has none.
TINY = ["--games", "24", "--soft", "30", "--hard", "100", "--workers", "0", "--width", "8", "--epochs", "2"]
TINY += ["--batch", "256", "--held-out", "0.4", "--share", "0.02"]


@pytest.mark.slow
@compiled_only("it plays, searches trees and trains")
def test_the_loop_closes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["loop", str(tmp_path / "run"), *TINY]) == 0
    told = capfd.readouterr().err
    assert "== 1 of 3: python -m engine88.training play" in told
    assert "--network none" in told.split("== 2 of 3: ")[1].splitlines()[0], "labels and games are of one teacher"
    assert "== 3 of 3: python -m engine88.training train" in told
    network = tmp_path / "run" / "network.npz"
    assert f"setoption name EvalFile value {network}" in told
    with Engine(EngineOptions(hash_mb=1, eval_file=str(network))) as engine:
        assert engine.evaluation_note == "evaluation: network network, 8 neurons"
        assert engine.search(Position.start(), Limits(nodes=500)).best_move in Position.start().legal_moves()
    games = (tmp_path / "run" / "self.games").read_bytes()
    assert main(["loop", str(tmp_path / "run"), *TINY]) == 0
    assert (tmp_path / "run" / "self.games").read_bytes() == games


def test_a_step_that_fails_ends_the_loop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loop", str(tmp_path / "run"), *TINY, "--network", "gone.npz"]) == 1
    told = capsys.readouterr().err
    assert "gone.npz: no such network file" in told
    assert "== 2 of 3" not in told
