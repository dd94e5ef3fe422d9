"""Types for annotations in homemade engines. Names that are not listed here import as `Any`."""

from typing import Any

import chess
import chess.engine

MOVE = chess.engine.PlayResult | list[chess.Move]
HOMEMADE_ARGS_TYPE = chess.engine.Limit | bool | MOVE


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Any
