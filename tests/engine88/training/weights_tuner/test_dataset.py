"""Labelled positions survive a file; a bad line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88.rules.fen import START_FEN
from engine88.training.weights_tuner.dataset import LabelledPosition, read_positions


def test_lines_read_back_equal(tmp_path: Path) -> None:
    positions = [LabelledPosition(START_FEN, 0.5, -12), LabelledPosition(START_FEN, 1.0, 300)]
    path = tmp_path / "positions.txt"
    path.write_text("".join(position.to_line() for position in positions), encoding="utf-8")
    assert list(read_positions(path)) == positions


@pytest.mark.parametrize("line", ["", "fen only", f"{START_FEN};won;1", f"{START_FEN};1;1;1"])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{START_FEN};1;0\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"positions.txt:2: expected 'FEN;result;score'"):
        list(read_positions(path))
