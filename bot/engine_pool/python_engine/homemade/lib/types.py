"""The name under which older homemade engines import `lib.lichess_types`."""

from .lichess_types import HOMEMADE_ARGS_TYPE, MOVE, __getattr__  # noqa: F401 -- answers for all other names

__all__ = ["HOMEMADE_ARGS_TYPE", "MOVE"]
