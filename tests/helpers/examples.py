"""How many cases a test tries: examples of a property by the profile of hypothesis, slow cases by their mark.

`default` is hypothesis's own; `--hypothesis-profile=full` (`.ci/full`) tries ten times as many. Neither limits the
time of an example, which on a crowded machine says nothing about the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import settings

DEFAULT_EXAMPLES = 100
FULL_EXAMPLES = 1000


def register_profiles() -> None:
    """Name the profiles, before hypothesis loads the one that the command line asks for."""
    settings.register_profile("default", max_examples=DEFAULT_EXAMPLES, deadline=None)
    settings.register_profile("full", max_examples=FULL_EXAMPLES, deadline=None)


def scaled(count: int) -> int:
    """Return `count` as it is in the default profile, ten times as many in the full one."""
    return count * settings().max_examples // DEFAULT_EXAMPLES


def first_quick(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Sequence[str] | None = None
) -> pytest.MarkDecorator:
    """Return pytest's `parametrize` with all cases but the first marked as slow: the first shows that it works."""
    first, *others = [case if isinstance(names, tuple) else (case,) for case in cases]
    slow = [pytest.param(*values, marks=pytest.mark.slow) for values in others]
    return pytest.mark.parametrize(names, [pytest.param(*first), *slow], ids=ids)
