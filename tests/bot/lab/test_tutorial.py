"""Each step of docs/your-engine.md is a file that runs, and does what the step before cannot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers.python_engines import talking

ROOT = Path(__file__).resolve().parents[3]
STEPS = ROOT / "docs" / "your-engine"
GO = "go depth 3"
HANGING_QUEEN = "fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
PROTECTED_PAWN = "fen 4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1"
MATE_IN_TWO = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


@pytest.mark.parametrize("name", sorted(path.name for path in STEPS.glob("*.py")))
def test_every_step_plays_and_is_named_in_the_tutorial(name: str) -> None:
    assert f"docs/your-engine/{name}" in (ROOT / "docs" / "your-engine.md").read_text(encoding="utf-8")
    with talking(STEPS / name) as adapter:
        moves: list[str] = []
        for _ in range(6):
            moves.append(
                adapter.move("go movetime 2000 depth 2", f"startpos moves {' '.join(moves)}" if moves else "startpos")
            )
        assert adapter.errors() == []


@pytest.mark.parametrize(
    ("step", "position", "plays"),
    [
        ("step2_evaluation.py", HANGING_QUEEN, "e4d5"),
        ("step2_evaluation.py", PROTECTED_PAWN, "d1d6"),  # the pawn is protected
        ("step3_alpha_beta.py", PROTECTED_PAWN, "not d1d6"),
        ("step3_alpha_beta.py", MATE_IN_TWO, "a1a6"),
        ("step4_quiescence.py", HANGING_QUEEN, "e4d5"),
        ("step4_quiescence.py", PROTECTED_PAWN, "not d1d6"),
        ("step5_time.py", MATE_IN_TWO, "a1a6"),
    ],
)
def test_each_step_sees_more_than_the_last(step: str, position: str, plays: str) -> None:
    with talking(STEPS / step) as adapter:
        move = adapter.move(GO, position)
        assert (move != plays.removeprefix("not ")) if plays.startswith("not ") else (move == plays)
        assert adapter.errors() == []


def test_the_last_step_keeps_to_its_clock() -> None:
    with talking(STEPS / "step5_time.py") as adapter:
        adapter.move("go wtime 30000 btime 30000")
        depths = [int(found[1]) for line in adapter.lines if (found := re.match(r"info depth \d+ .* time (\d+)", line))]
        assert adapter.errors() == []
        assert depths
        assert depths[-1] < 10_000


def test_the_page_shows_what_the_adapter_reports() -> None:
    """The messages on the page are those of the tests of mistakes."""
    page = (ROOT / "docs" / "your-engine.md").read_text(encoding="utf-8")
    for message in ("e1e3 is illegal: the king on e1 cannot go to e3", "say how long it may think", ": KeyError: "):
        assert message in page
