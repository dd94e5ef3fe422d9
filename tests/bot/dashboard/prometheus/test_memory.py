"""Memory as the kernel tells it."""

from __future__ import annotations

import os
import sys

import pytest

from bot.dashboard.prometheus.memory import resident_bytes


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux")
def test_our_own_memory_is_plausible() -> None:
    own = resident_bytes("self")
    assert own is not None
    assert 5_000_000 < own < 10_000_000_000
    assert resident_bytes(os.getpid()) == pytest.approx(own, rel=0.2)


def test_a_process_that_is_gone_has_none() -> None:
    assert resident_bytes(2**22 + 1) is None
