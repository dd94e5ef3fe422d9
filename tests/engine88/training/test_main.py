"""The command line of the training tools: what it lacks, and commands that need an environment of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88.training.__main__ import build_parser, main


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "play" in capsys.readouterr().err


def test_defaults_of_a_fit_pull_and_mix_in_the_score() -> None:
    options = build_parser("fit").parse_args(["fit", "positions.txt", "--out", "weights.py"])
    assert options.pull > 0
    assert 0 <= options.score_share < 1


def test_weights_are_fitted_in_a_process_whose_kernels_count_their_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    positions, weights = tmp_path / "positions.txt", tmp_path / "weights.py"
    lines = ["4k3/1p3pp1/3b4/8/8/3B4/PP3PP1/4K3 w - - 0 1;1;30\n", "4k3/5pp1/3b4/8/8/3B4/PP3PP1/4K3 w - - 0 1;1;130\n"]
    positions.write_text("".join(lines * 10), encoding="utf-8")
    assert main(["fit", str(positions), "--out", str(weights), "--epochs", "1"]) == 0
    assert "TAPERED" in weights.read_text(encoding="utf-8")
    assert "epoch 1" in capfd.readouterr().err


def test_every_command_tells_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("play", "relabel", "train", "average", "loop", "match"):
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert f"python -m engine88.training {name}" in capsys.readouterr().out
