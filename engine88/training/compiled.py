"""The decorator of the trainer's kernels: machine code of its own settings, outside the engine's warm-up."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from engine88.compiler.cache_folder import cache_root, folder_name
from engine88.compiler.tunable import with_tunables

_CONFIG: Any = numba.config  # its fields are made at run time

_INT64: Any = np.int64
int64: Callable[[Any], int] = _INT64
"""np.int64 as kernels see it; for the type checker its values are ints."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile `function` at its first call: float32 with fast mathematics, without the interpreter's lock."""
    _CONFIG.CACHE_DIR = str(cache_root() / folder_name(function.__module__))
    flags: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False}
    return cast(Function, numba.njit(fastmath=True, **flags)(with_tunables(function)))
