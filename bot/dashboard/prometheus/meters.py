"""Counters and histograms that the games feed as they go.

Games know them as an observer and as their lag meter.
"""

from __future__ import annotations

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Histogram

from bot.engine_pool import Answer
from bot.play.game import Game
from bot.play.lag import LagMeter
from bot.play.observer import EndedGame, GameObserver

NETWORK_BUCKETS_S = (0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)
THINK_BUCKETS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0, 30.0, 60.0)
DEPTH_BUCKETS = (1, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 34, 40, 50)
NODE_BUCKETS = tuple(10**power * digit for power in range(2, 9) for digit in (1, 3))
RESULTS = ("won", "drawn", "lost", "aborted", "unknown")


class Meters(GameObserver):
    """The metrics of one run of the bot, in a registry of their own."""

    def __init__(self) -> None:
        """Start at zero."""
        prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # names would end in "_created"
        self.registry = registry = CollectorRegistry()
        self.moves = Counter("bot88_moves", "Moves of ours that the server took.", registry=registry)
        self.latency = Histogram(
            "bot88_move_post_seconds",
            "From the POST of a move to its answer.",
            registry=registry,
            buckets=NETWORK_BUCKETS_S,
        )
        self.loss = Histogram(
            "bot88_move_lag_seconds",
            "What our clock lost with a move beyond our own thinking.",
            registry=registry,
            buckets=NETWORK_BUCKETS_S,
        )
        self.think = Histogram(
            "bot88_think_seconds",
            "From the question to an engine to its answer.",
            registry=registry,
            buckets=THINK_BUCKETS_S,
        )
        self.depth = Histogram(
            "bot88_search_depth_plies", "Depth of a move's search.", registry=registry, buckets=DEPTH_BUCKETS
        )
        self.nodes = Histogram(
            "bot88_search_nodes", "Nodes of a move's search.", registry=registry, buckets=NODE_BUCKETS
        )
        self.finished = Counter("bot88_games_finished", "Finished games by result.", ["result"], registry=registry)
        for result in RESULTS:
            self.finished.labels(result)

    def lag_meter(self) -> LagMeter:
        """Return a lag meter that also feeds the metrics."""
        return MeasuredLag(self)

    def moved(self, game: Game) -> None:
        """Count a move of ours that the server shows."""
        if not game.my_turn:
            self.moves.inc()

    def ended(self, ended: EndedGame) -> None:
        """Count a game that was played to its end; without its final state it counts as unknown."""
        if ended.chat is None:
            return
        game = ended.final_game
        self.finished.labels("unknown" if game is None else game.result).inc()

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


class MeasuredLag(LagMeter):
    """The lag meter of all games, which also feeds the metrics."""

    def __init__(self, meters: Meters) -> None:
        """Start without samples."""
        super().__init__()
        self._meters = meters

    def add_round_trip(self, took_ms: float) -> None:
        """A move was accepted after so many ms."""
        super().add_round_trip(took_ms)
        self._meters.latency.observe(max(0.0, took_ms) / 1000)

    def add_loss(self, lost_ms: float) -> None:
        """Our clock shows so many ms less than our own watch expected."""
        super().add_loss(lost_ms)
        self._meters.loss.observe(max(0.0, lost_ms) / 1000)
