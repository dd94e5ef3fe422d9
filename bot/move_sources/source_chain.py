"""The bot's sources, built once from the settings, and queried in order and in bounded time, whatever they do."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

import chess
import chess.engine
import structlog

from bot.errors import ConfigurationError, LichessError
from bot.events.game import Player
from bot.move_sources.book import BookSource
from bot.move_sources.online import ChessdbSource, CloudSource, ExplorerSource, Fetch, OnlineTablebaseSource
from bot.move_sources.request import Choice, MoveRequest, MoveSource
from bot.move_sources.tablebases import GaviotaSource, SyzygySource
from bot.settings import Facts, SourceSettings
from bot.settings.sources import OnlineSettings

log = structlog.get_logger(__name__)
MIN_ONLINE_S = 0.05  # with less of the budget left no request can come back
LOCAL_SHARE = 20  # a query of files may take this part of our clock, if that is less than its own limit
REST_S = 180.0  # how long a source is left alone after a query that did not end in time
FAIR_ONLINE_S = 1.0  # an online source that was given less than this may be slow without being at fault
GAMES_REMEMBERED = 500


class GameInPlay(Protocol):
    """What the sources need of a running game."""

    @property
    def game_id(self) -> str:
        """Its id."""

    @property
    def me(self) -> Player:
        """Our side."""

    facts: Facts
    board: chess.Board


def build_sources(settings: SourceSettings, fetch: Fetch | None) -> tuple[MoveSource, ...]:
    """Build the configured sources in their order; `fetch` None leaves out the online ones.

    Raises ConfigurationError for files that are missing or of the wrong kind.
    """
    built: list[MoveSource] = []
    try:
        for name in settings.order:
            if name == "book":
                built.extend(map(BookSource, settings.books))
            elif name == "syzygy" and settings.syzygy.paths:
                built.append(SyzygySource(settings.syzygy))
            elif name == "gaviota" and settings.gaviota.paths:
                built.append(GaviotaSource(settings.gaviota))
            elif fetch is not None:
                built.extend(_online(name, settings.online, fetch))
    except ConfigurationError:
        close_sources(built)
        raise
    return tuple(built)


def _online(name: str, settings: OnlineSettings, fetch: Fetch) -> list[MoveSource]:
    """Return the online source of this name, none if it is not enabled."""
    if name == "explorer" and settings.explorer.enabled:
        return [ExplorerSource(settings.explorer, fetch)]
    if name == "cloud" and settings.cloud.enabled:
        return [CloudSource(settings.cloud, fetch)]
    if name == "chessdb" and settings.chessdb.enabled:
        return [ChessdbSource(settings.chessdb, fetch)]
    if name == "online_tablebase" and settings.tablebase.enabled:
        return [OnlineTablebaseSource(settings.tablebase, fetch)]
    return []


def close_sources(sources: Iterable[MoveSource]) -> None:
    """Close the files of all these sources."""
    for source in sources:
        source.close()


def check_sources(settings: SourceSettings) -> str:
    """Return the first problem with the configured files as one sentence, "" when there is none."""
    try:
        close_sources(build_sources(settings, None))
    except ConfigurationError as error:
        return str(error)
    return ""


class MoveSources:
    """All sources with their limits, and the misses of each game."""

    def __init__(self, settings: SourceSettings, fetch: Fetch | None = None) -> None:
        self.sources = build_sources(settings, fetch)
        self._online = settings.online
        self._resting: dict[str, float] = {}  # until when (monotonic) a source that took too long is left alone
        self._games: OrderedDict[str, Counter[str]] = OrderedDict()
        self._lock = threading.Lock()

    def source_for(self, game: GameInPlay, limit: chess.engine.Limit) -> Callable[[chess.Board], Choice | None] | None:
        """Return what to query before the engine in this position; None when no source is eligible."""
        if not self.sources:
            return None
        request = self.request_for(game, limit)
        if not any(self.is_eligible(source, request) for source in self.sources):
            return None
        return lambda position: self.choose(replace(request, board=position))

    def request_for(self, game: GameInPlay, limit: chess.engine.Limit) -> MoveRequest:
        """Return the request about the position of a game; our clock is taken from the engine's limit."""
        clock_s = limit.white_clock if game.board.turn == chess.WHITE else limit.black_clock
        return MoveRequest(
            board=game.board,
            remaining_ms=None if clock_s is None else int(clock_s * 1000),
            move_time_ms=None if limit.time is None else int(limit.time * 1000),
            game_id=game.game_id,
            facts=game.facts,
            me=game.me.id,
            misses=self._misses_of(game.game_id),
        )

    def is_eligible(self, source: MoveSource, request: MoveRequest) -> bool:
        """Return whether the source may be queried for this position; takes next to no time."""
        if self._resting and time.monotonic() < self._resting.get(source.name, 0.0):
            return False
        if source.online:
            clock_ms = request.remaining_ms
            if clock_ms is not None and clock_ms < self._online.reserve_s * 1000:
                return False
            if request.misses[source.name] >= self._online.max_misses:
                return False
        return source.applies(request)

    def choose(self, request: MoveRequest) -> Choice | None:
        """Return the first move that a source knows, else a result without a move, None where nobody knows anything.

        Each source has its own limit, the online ones together a budget. Raises nothing.
        """
        result: Choice | None = None  # known without a move
        clock_s = math.inf if request.move_time_ms is None else request.move_time_ms / 1000
        left_s = min(self._online.budget_s, clock_s)
        for source in self.sources:
            if (source.online and left_s < MIN_ONLINE_S) or not self.is_eligible(source, request):
                continue
            began_s = time.monotonic()
            choice = self._query(source, request, _timeout_s(source, request, left_s))
            if source.online:
                left_s -= time.monotonic() - began_s
                request.misses[source.name] = 0 if choice is not None else request.misses[source.name] + 1
            if choice is not None and not choice.move:
                result = result or choice
            elif choice is not None:
                log.debug("move_from_source", game_id=request.game_id, source=choice.source, move=choice.move.uci())
                return choice if result is None else replace(choice, wdl=result.wdl)
        return result

    def close(self) -> None:
        """Close the files of all sources."""
        close_sources(self.sources)

    def _query(self, source: MoveSource, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Query the source in a separate thread. One that takes too long is left behind, and alone for a while."""
        answers: queue.SimpleQueue[Choice | None] = queue.SimpleQueue()

        def work() -> None:
            answers.put(_query_logged(source, request, timeout_s))

        try:
            threading.Thread(target=work, name=f"source {source.name}", daemon=True).start()
        except RuntimeError as error:  # the system has no thread to spare at the moment
            log.warning("move_source_unavailable", game_id=request.game_id, source=source.name, error=str(error))
            return None
        try:
            return answers.get(timeout=timeout_s)
        except queue.Empty:
            seconds = round(timeout_s, 2)
            log.warning("move_source_timed_out", game_id=request.game_id, source=source.name, limit_s=seconds)
        if not source.online or timeout_s >= FAIR_ONLINE_S:
            self._resting[source.name] = time.monotonic() + REST_S
        return None

    def _misses_of(self, game_id: str) -> Counter[str]:
        with self._lock:
            misses = self._games.setdefault(game_id, Counter())
            self._games.move_to_end(game_id)
            while len(self._games) > GAMES_REMEMBERED:
                self._games.popitem(last=False)
            return misses


def _timeout_s(source: MoveSource, request: MoveRequest, online_left_s: float) -> float:
    """Return how long a query may take."""
    if source.online:
        return min(source.limit_s, online_left_s)
    clock_ms = request.remaining_ms
    return source.limit_s if clock_ms is None else min(source.limit_s, clock_ms / 1000 / LOCAL_SHARE)


def _query_logged(source: MoveSource, request: MoveRequest, timeout_s: float) -> Choice | None:
    try:
        choice = source.choose(request, timeout_s)
    except LichessError as error:
        log.info("move_source_unavailable", game_id=request.game_id, source=source.name, error=str(error))
        return None
    except Exception:
        log.exception("move_source_failed", game_id=request.game_id, source=source.name)
        return None
    if choice is not None and choice.move and not request.board.is_legal(choice.move):
        log.error("move_source_illegal", game_id=request.game_id, source=source.name, move=choice.move.uci())
        return None
    return choice
