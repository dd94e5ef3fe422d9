"""engine88: a chess engine on the 0x88 board.

    from engine88 import Engine, Limits, Position

Importing this package loads neither numpy nor numba: ``Engine`` and ``Position`` are fetched when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine88.contract import EngineOptions, Limits, SearchInfo, SearchResult, StaticEvaluation, Wdl

if TYPE_CHECKING:
    from engine88.engine import Engine
    from engine88.rules.fen import FenError
    from engine88.rules.position import Position

__version__ = "1.0.0"
__all__ = [
    "Engine",
    "EngineOptions",
    "FenError",
    "Limits",
    "Position",
    "SearchInfo",
    "SearchResult",
    "StaticEvaluation",
    "Wdl",
]

_LAZY_NAMES = {"Engine": "engine88.engine", "FenError": "engine88.rules.fen", "Position": "engine88.rules.position"}


def __getattr__(name: str) -> object:
    """Fetch a public name whose module loads the compiler (PEP 562)."""
    if name not in _LAZY_NAMES:
        raise AttributeError(f"module 'engine88' has no attribute {name!r}")
    value: object = getattr(import_module(_LAZY_NAMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names too that are not fetched yet, for `dir`, `help` and completion."""
    return sorted({*globals(), *__all__})
