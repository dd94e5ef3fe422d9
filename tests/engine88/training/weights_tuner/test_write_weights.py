"""The written module, executed, holds the tables again; the present file is what the writer would write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine88.evaluation.classical import weights
from engine88.training.weights_tuner.write_weights import LINE_LENGTH, weights_source, write_weights


def test_written_weights_read_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "weights.py"
    tapered = {"one": ((1,), (-2,)), "many": (tuple(range(32)), tuple(range(-320000, -32, 10000))[:32])}
    write_weights(path, tapered, {"ring": 3})
    names: dict[str, Any] = {}
    exec(path.read_text(encoding="utf-8"), names)
    assert names["TAPERED"] == tapered
    assert names["SAFETY"] == {"ring": 3}


def test_the_present_weights_are_in_the_writers_form() -> None:
    source = weights_source(weights.TAPERED, weights.SAFETY)
    assert Path(weights.__file__).read_text(encoding="utf-8") == source
    assert max(map(len, source.splitlines())) <= LINE_LENGTH + 4
