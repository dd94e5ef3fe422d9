"""Metrics in Prometheus' text format: those that games feed as observers, and those of a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.dashboard.picture import Picture
from bot.engine_pool.values import Answer
from bot.events.game import Outcome
from bot.play.game import Game
from bot.play.observer import EndedGame, GameObserver

NETWORK_BUCKETS_S = (0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)
THINK_BUCKETS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0, 30.0, 60.0)
DEPTH_BUCKETS = (1, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 34, 40, 50)
NODE_BUCKETS = tuple(10**power * digit for power in range(2, 9) for digit in (1, 3))
RESULTS = (*(outcome.word for outcome in Outcome), "aborted", "unknown")


class Meters(GameObserver):
    """The metrics of one run of the bot, in their own registry."""

    def __init__(self) -> None:
        """Start at zero."""
        prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # names would end in "_created"
        self.registry = registry = CollectorRegistry()
        self.moves = Counter("bot88_moves", "Our moves that the server accepted.", registry=registry)
        self.latency = self._histogram("move_post_seconds", "From the POST of a move to its answer.", NETWORK_BUCKETS_S)
        self.loss = self._histogram(
            "move_lag_seconds", "What our clock lost with a move beyond our own thinking.", NETWORK_BUCKETS_S
        )
        self.think = self._histogram("think_seconds", "From the question to an engine to its answer.", THINK_BUCKETS_S)
        self.depth = self._histogram("search_depth_plies", "Depth of a move's search.", DEPTH_BUCKETS)
        self.nodes = self._histogram("search_nodes", "Nodes of a move's search.", NODE_BUCKETS)
        self.finished = Counter("bot88_games_finished", "Finished games by result.", ["result"], registry=registry)
        for result in RESULTS:
            self.finished.labels(result)
        self.flagged = Counter("bot88_losses_on_time", "Games that we lost on time.", registry=registry)
        ProcessCollector(registry=registry)

    def _histogram(self, name: str, text: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(f"bot88_{name}", text, registry=self.registry, buckets=buckets)

    def posted(self, _game_id: str, took_ms: float) -> None:
        """Measure the POST of a move."""
        self.latency.observe(took_ms / 1000)

    def lagged(self, _game_id: str, lost_ms: float) -> None:
        """Measure what a move cost our clock beyond our thinking."""
        self.loss.observe(max(0.0, lost_ms) / 1000)

    def moved(self, game: Game) -> None:
        """Count a move of ours that the server shows."""
        if not game.my_turn:
            self.moves.inc()

    def ended(self, ended: EndedGame) -> None:
        """Count a game that was played to its end; without its final state it counts as unknown."""
        if not ended.played:
            return
        game = ended.final_game
        self.finished.labels("unknown" if game is None else game.result).inc()
        if game is not None and game.state.status == "outoftime" and game.result == Outcome.LOSS.word:
            self.flagged.inc()

    def answered(self, _game_id: str, _ply: int, answer: Answer) -> None:
        """Measure one search."""
        if answer.move is None:
            return
        self.think.observe(answer.elapsed_ms / 1000)
        info = answer.info
        if info.depth is not None:
            self.depth.observe(info.depth)
        if info.nodes is not None:
            self.nodes.observe(info.nodes)


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
        ratings = {perf: points[-1][1] for perf, points in picture.ratings.items()}
        yield _gauge("bot88_rating", "Our rating at the start of the latest game.", "perf", ratings)
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
    openings = "Openings of the account's stream but routine ones; all but the first are reconnections."
    yield CounterMetricFamily("bot88_event_stream_openings", openings, picture.stream_openings)


def _gauge(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    return _filled(GaugeMetricFamily(name, text, labels=[label]), values)


def _counter(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    return _filled(CounterMetricFamily(name, text, labels=[label]), values)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, float]) -> Metric:
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _version() -> str:
    try:
        return version("bot88")
    except PackageNotFoundError:
        return "unknown"
