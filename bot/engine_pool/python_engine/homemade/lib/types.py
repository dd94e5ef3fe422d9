"""The name under which older homemade engines import `lib.lichess_types`."""

from typing import Any

HOMEMADE_ARGS_TYPE = MOVE = Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Any
