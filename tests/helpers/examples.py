"""How many examples a property is tried on: the profile of hypothesis scales the counts that tests write down.

`default` is hypothesis's own; `--hypothesis-profile=full` (`.ci/full`) tries ten times as many. Neither limits the
time of an example, which on a crowded machine says nothing about the code.
"""

from __future__ import annotations

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
