"""The command line of the tuner names what it lacks."""

from __future__ import annotations

import pytest

from engine88.training.__main__ import build_parser, main


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "play" in capsys.readouterr().err


def test_defaults_of_a_fit_pull_and_mix_in_the_score() -> None:
    options = build_parser().parse_args(["fit", "positions.txt", "--out", "weights.py"])
    assert options.pull > 0
    assert 0 <= options.score_share < 1
