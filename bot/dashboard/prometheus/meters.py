"""Counters and histograms that the games feed as they go.

They are handed to the games as a lag meter and as a way to lend engines, so that the games know nothing of metrics.
"""

from __future__ import annotations

from collections.abc import Callable

import chess
import chess.engine
import prometheus_client
import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from bot.engine_pool import Answer, Requirement
from bot.play.game_context import Engine, SearchHandle
from bot.play.game_loop import GameLoop
from bot.play.lag import LagMeter

NETWORK_BUCKETS_S = (0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)
THINK_BUCKETS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0, 30.0, 60.0)
DEPTH_BUCKETS = (1, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 34, 40, 50)
NODE_BUCKETS = tuple(10**power * digit for power in range(2, 9) for digit in (1, 3))
RESULTS = ("won", "drawn", "lost", "aborted", "unknown")

log = structlog.get_logger(__name__)


class Meters:
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

    def game_over(self, loop: GameLoop) -> None:
        """Count a finished game; a game whose final state was not seen counts as unknown."""
        game = loop.game
        self.finished.labels(game.result if game is not None and game.over else "unknown").inc()

    def answered(self, answer: Answer) -> None:
        """Measure one search. Called after the answer was acted on, on the engine pool's thread."""
        if answer.move is None:
            return
        self.think.observe(answer.elapsed_ms / 1000)
        info = answer.info
        if info.depth is not None:
            self.depth.observe(info.depth)
        if info.nodes is not None:
            self.nodes.observe(info.nodes)

    def measured(self, lend: Callable[[Requirement], Engine]) -> Callable[[Requirement], Engine]:
        """Return a `lend` whose engines are measured."""
        return lambda requirement: MeasuredEngine(lend(requirement), self)


class MeasuredLag(LagMeter):
    """The lag meter of all games, which also feeds the metrics."""

    def __init__(self, meters: Meters) -> None:
        """Start without samples."""
        super().__init__()
        self._meters = meters

    def add_round_trip(self, took_ms: float) -> None:
        """A move was accepted after so many ms."""
        super().add_round_trip(took_ms)
        self._meters.moves.inc()
        self._meters.latency.observe(max(0.0, took_ms) / 1000)

    def add_loss(self, lost_ms: float) -> None:
        """Our clock shows so many ms less than our own watch expected."""
        super().add_loss(lost_ms)
        self._meters.loss.observe(max(0.0, lost_ms) / 1000)


class MeasuredEngine:
    """A lent engine whose answers are measured after they were delivered."""

    def __init__(self, engine: Engine, meters: Meters) -> None:
        """Measure `engine`."""
        self._engine = engine
        self._meters = meters

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self._engine.name

    @property
    def elo(self) -> int | None:
        """The strength that it is limited to."""
        return self._engine.elo

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool, on_done: Callable[[Answer], None]
    ) -> SearchHandle:
        """Search for a move; the answer comes on the pool's thread."""

        def deliver(answer: Answer) -> None:
            on_done(answer)
            try:
                self._meters.answered(answer)
            except Exception:  # metrics are optional: they fail alone
                log.exception("metrics_fault")

        return self._engine.play(board, limit, ponder=ponder, on_done=deliver)

    def give_back(self) -> None:
        """Return it to the pool."""
        self._engine.give_back()
