"""The border: cheap to import, frozen, and careful with options."""

import dataclasses
import subprocess
import sys

import pytest

import engine88
from engine88.board.defs import MAX_PLY
from engine88.contract import MAX_DEPTH, EngineOptions, Limits

PROBE = """
import sys
import engine88
from engine88 import Limits, SearchInfo, EngineOptions
loaded = sorted(name for name in ("numba", "numpy", "llvmlite") if name in sys.modules)
print(loaded)
"""


def test_importing_the_package_loads_no_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_can_be_fetched() -> None:
    from engine88.engine import Engine
    from engine88.rules.position import Position

    assert (engine88.Engine, engine88.Position) == (Engine, Position)
    with pytest.raises(AttributeError, match="nonsense"):
        engine88.nonsense  # noqa: B018 -- the access is what is tested


def test_limits_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits().depth = 3  # type: ignore[misc]  # that is the point


@pytest.mark.parametrize(
    ("field", "value"),
    [("hash_mb", 0), ("threads", 65), ("multipv", 0), ("move_overhead_ms", -1), ("elo", 999)],
)
def test_an_impossible_option_is_named(field: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"{field} must be from"):
        EngineOptions(**{field: value})  # type: ignore[arg-type]  # parametrised


def test_the_public_names_are_listed_before_they_are_fetched() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import engine88, sys; print(dir(engine88), 'numba' in sys.modules)"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert all(repr(name) in done.stdout for name in engine88.__all__)
    assert done.stdout.split()[-1] == "False"


@pytest.mark.parametrize(
    ("field", "value", "span"),
    [
        ("depth", -1, "from 0 to 127"),
        ("depth", MAX_DEPTH + 1, "from 0 to 127"),
        ("nodes", -1, "from 0 to"),
        ("movetime_ms", -5, "from 0 to"),
        ("winc_ms", -1, "from 0 to"),
        ("movestogo", -1, "from 0 to"),
        ("mate", -3, "from 0 to"),
        ("wtime_ms", 1 << 60, "to 9007199254740992"),
    ],
)
def test_an_impossible_limit_is_named_with_its_range(field: str, value: int, span: str) -> None:
    with pytest.raises(ValueError, match=f"{field} must be {span}" if "from" in span else f"{field} must be .*{span}"):
        Limits(**{field: value})  # type: ignore[arg-type]  # parametrised


def test_a_clock_may_have_run_out() -> None:
    assert Limits(wtime_ms=-5).wtime_ms == -5


def test_the_greatest_depth_is_that_of_the_search_stack() -> None:
    assert MAX_DEPTH == MAX_PLY - 1
