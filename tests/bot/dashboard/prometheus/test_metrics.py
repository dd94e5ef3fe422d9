"""What Prometheus reads of a picture."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.dashboard.health import Health
from bot.dashboard.picture import Waiting
from bot.dashboard.prometheus import metrics
from bot.dashboard.prometheus.meters import Meters
from bot.dashboard.prometheus.metrics import exposition
from bot.engine_pool import EntrySnapshot
from tests.bot.dashboard.pictures import picture


def samples(**fields: Any) -> dict[str, float]:
    """The samples that come from the picture, by name and labels."""
    return {
        sample.name.removeprefix("bot88_") + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(exposition(Meters(), picture(**fields)).decode())
        for sample in family.samples
        if family.type != "histogram"
    }


def test_everything_in_a_picture_is_a_sample() -> None:
    found = samples(
        health=Health(("no engine answers", "the event stream is silent"), ready=False),
        uses={"playing": 3, "parked": 1},
        free_slots=4,
        waiting=(Waiting("Alice", "3+2"),),
        challenge_outcomes={"accepted": 5, "declined": 6},
        limited={"move": 7},
        limits={"chat": 8.5},
        engines=(EntrySnapshot("engine88", 9, 2, 1, 0, 10, (11, 12, 13)),),
        stream_age_s=14.5,
        stream_openings=15,
        memory={"bot": 16},
    )
    assert found.items() >= {
        "unwell_reasons": 2,
        "games playing": 3,
        "games parked": 1,
        "free_slots": 4,
        "waiting_challenges": 1,
        "challenges_total accepted": 5,
        "challenges_total declined": 6,
        "rate_limited_total move": 7,
        "rate_limit_left_seconds chat": 8.5,
        "engine_restarts_total engine88": 10,
        "engine_processes engine88": 3,
        "engine_games engine88": 2,
        "event_stream_age_seconds": 14.5,
        "event_stream_openings_total": 15,
        "memory_bytes bot": 16,
        "games_finished_total won": 0,
        "moves_total": 0,
    }.items()  # fmt: skip


def test_what_is_not_known_is_left_out() -> None:
    found = samples(stream_age_s=None, memory={})
    assert "event_stream_age_seconds" not in found
    assert not [name for name in found if name.startswith("memory_bytes")]
    assert found["unwell_reasons"] == 0


@pytest.mark.parametrize("installed", [True, False])
def test_the_version_is_told_even_where_the_package_is_not_installed(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(_name: str) -> str:
        if not installed:
            raise PackageNotFoundError
        return "1.2.3"

    monkeypatch.setattr(metrics, "version", version)
    assert samples()["build_info " + ("1.2.3" if installed else "unknown")] == 1
