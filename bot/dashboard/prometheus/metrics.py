"""The metrics in Prometheus' text format: those that games feed, and those read off a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.dashboard.picture import Picture
from bot.dashboard.prometheus.meters import Meters

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(meters: Meters, picture: Picture) -> bytes:
    """Return all metrics as text."""
    registry = CollectorRegistry()
    registry.register(_PictureCollector(picture))
    return generate_latest(meters.registry) + generate_latest(registry)


class _PictureCollector(Collector):
    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def collect(self) -> Iterable[Metric]:
        picture = self._picture
        yield from _about_health(picture)
        yield _gauge("bot88_games", "Games and challenges that may become games, by state.", "state", picture.uses)
        yield GaugeMetricFamily("bot88_free_slots", "Games that may begin now.", picture.free_slots)
        yield GaugeMetricFamily("bot88_waiting_challenges", "Challenges in the queue.", len(picture.waiting))
        answers = "Challenges by what we answered; failed: an attempt to accept that did not succeed."
        yield _counter("bot88_challenges", answers, "outcome", picture.challenge_outcomes)
        yield _counter("bot88_rate_limited", "Answers of status 429 by class.", "class", picture.limited)
        yield _gauge("bot88_rate_limit_left_seconds", "Limits and how long they last.", "limit", picture.limits)
        replaced = {entry.name: entry.replaced for entry in picture.engines}
        yield _counter("bot88_engine_restarts", "Engine processes that failed.", "engine", replaced)
        processes = {entry.name: len(entry.pids) for entry in picture.engines}
        yield _gauge("bot88_engine_processes", "Engine processes that run.", "engine", processes)
        leased = {entry.name: entry.leased for entry in picture.engines}
        yield _gauge("bot88_engine_games", "Games that an entry of engines serves.", "engine", leased)
        if picture.memory:
            yield _gauge("bot88_memory_bytes", "Resident memory.", "of", picture.memory)


def _about_health(picture: Picture) -> Iterable[Metric]:
    info = GaugeMetricFamily("bot88_build_info", "The program.", labels=["version"])
    info.add_metric([_version()], 1)
    yield info
    yield GaugeMetricFamily(
        "bot88_unwell_reasons", "Why the bot is unwell; 0: it is well.", len(picture.health.reasons)
    )
    if picture.stream_age_s is not None:
        age = "Since the last sign of life of the account's stream."
        yield GaugeMetricFamily("bot88_event_stream_age_seconds", age, picture.stream_age_s)
    openings = "Openings of the account's stream; all but the first are reconnections."
    yield CounterMetricFamily("bot88_event_stream_openings", openings, picture.stream_openings)


def _gauge(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _counter(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _version() -> str:
    try:
        return version("bot88")
    except PackageNotFoundError:
        return "unknown"
