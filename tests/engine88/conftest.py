"""Kernels are compiled once, in a child process, before the first test that may need them."""

from __future__ import annotations

import pytest

from engine88.compiler.warmup import warm_up


@pytest.fixture(scope="session", autouse=True)
def _warm_kernels() -> None:
    warm_up()
