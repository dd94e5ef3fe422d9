"""Every room has modules and tests, and the fake and the kernels are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutation.rooms import ROOMS, TOP_LEVEL, WIDE, mirror, mirrored_tests, modules

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_modules_and_tests(room: str) -> None:
    assert modules(ROOT, room)
    assert all((ROOT / path).exists() for path in mirrored_tests(ROOT, room))
    assert mirrored_tests(ROOT, room)


def test_every_room_of_the_bot_but_the_fake_is_measured() -> None:
    folders = {f"bot/{path.parent.name}" for path in (ROOT / "bot").glob("*/__init__.py")}
    assert folders - set(ROOMS) == {"bot/fake_lichess"}


def test_top_level_modules_are_tried_against_their_own_tests_alone() -> None:
    assert "bot/backoff.py" in modules(ROOT, TOP_LEVEL)
    assert not any("/play/" in module for module in modules(ROOT, TOP_LEVEL))
    assert "tests/bot/test_backoff.py" in mirrored_tests(ROOT, TOP_LEVEL)


def test_a_file_is_mirrored_by_its_test_file() -> None:
    assert mirror("bot/play/lag.py") == "tests/bot/play/test_lag.py"
    assert mirrored_tests(ROOT, "bot/play/lag.py") == ["tests/bot/play/test_lag.py"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_tests_of_whole_programs_beyond_its_own(room: str) -> None:
    wide = WIDE[room.split("/")[0]]
    assert all((ROOT / path).exists() for path in wide)
    assert not set(wide) <= set(mirrored_tests(ROOT, room))
