"""The border: cheap to import, frozen, and careful with options."""

import dataclasses
import subprocess
import sys

import pytest

import engine88
from engine88.contract import EngineOptions, Limits

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
