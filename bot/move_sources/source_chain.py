"""The bot's sources, built once from the settings and queried by all games."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable, Iterable, Iterator

import chess
import chess.engine
import structlog

from bot.errors import ConfigurationError
from bot.move_sources.book import BookSource
from bot.move_sources.choose import MissCounts, OnlineLimits, choose_from, is_eligible
from bot.move_sources.facts import PlayedGame, facts_of, own_player
from bot.move_sources.gaviota import GaviotaSource
from bot.move_sources.online import ChessdbSource, CloudSource, ExplorerSource, Fetch, OnlineTablebaseSource
from bot.move_sources.request import Choice, MoveRequest, MoveSource
from bot.move_sources.syzygy import SyzygySource
from bot.settings import SourceSettings

log = structlog.get_logger(__name__)
GAMES_REMEMBERED = 500


def build_sources(settings: SourceSettings, fetch: Fetch | None) -> tuple[MoveSource, ...]:
    """Build the configured sources in their order; `fetch` None leaves out the online ones.

    Raises ConfigurationError for files that are missing or of the wrong kind.
    """
    factories: dict[str, Callable[[], Iterator[MoveSource]]] = {
        "book": lambda: (BookSource(book) for book in settings.books),
        "syzygy": lambda: (SyzygySource(settings.syzygy) for _ in range(bool(settings.syzygy.paths))),
        "gaviota": lambda: (GaviotaSource(settings.gaviota) for _ in range(bool(settings.gaviota.paths))),
    }
    if fetch is not None:
        online = settings.online
        factories |= {
            "explorer": lambda: (ExplorerSource(online.explorer, fetch) for _ in range(online.explorer.enabled)),
            "cloud": lambda: (CloudSource(online.cloud, fetch) for _ in range(online.cloud.enabled)),
            "chessdb": lambda: (ChessdbSource(online.chessdb, fetch) for _ in range(online.chessdb.enabled)),
            "online_tablebase": lambda: (
                OnlineTablebaseSource(online.tablebase, fetch) for _ in range(online.tablebase.enabled)
            ),
        }
    built: list[MoveSource] = []
    try:
        for name in settings.order:
            built.extend(factories[name]() if name in factories else ())
    except ConfigurationError:
        close_sources(built)
        raise
    return tuple(built)


def close_sources(sources: Iterable[MoveSource]) -> None:
    """Close the files of all these sources."""
    for source in sources:
        source.close()


class MoveSources:
    """All sources with their limits, and the misses of each game."""

    def __init__(self, settings: SourceSettings, fetch: Fetch | None = None) -> None:
        self.sources = build_sources(settings, fetch)
        online = settings.online
        self._limits = OnlineLimits(online.budget_s, online.reserve_s, online.max_misses)
        self._resting: dict[str, float] = {}
        self._games: collections.OrderedDict[str, MissCounts] = collections.OrderedDict()
        self._lock = threading.Lock()

    def source_for(self, game: PlayedGame, limit: chess.engine.Limit) -> Callable[[chess.Board], Choice | None] | None:
        """Return what to query before the engine in this position; None when no source is eligible."""
        request = self.request_for(game, game.board, limit)
        miss_counts = self._miss_counts(request.game_id)
        if not any(is_eligible(source, request, self._limits, miss_counts, self._resting) for source in self.sources):
            return None

        return lambda position: self.choose(self.request_for(game, position, limit))

    def request_for(self, game: PlayedGame, board: chess.Board, limit: chess.engine.Limit) -> MoveRequest:
        """Return the request about a position of a game; our clock is taken from the engine's limit."""
        clock_s = limit.white_clock if board.turn == chess.WHITE else limit.black_clock
        full = game.full
        return MoveRequest(
            board=board,
            remaining_ms=None if clock_s is None else int(clock_s * 1000),
            move_time_ms=None if limit.time is None else int(limit.time * 1000),
            game_id=full.game_id,
            facts=facts_of(game),
            me=own_player(game).id,
        )

    def choose(self, request: MoveRequest) -> Choice | None:
        """Return the move and its source, or None. May take as long as the limits allow; raises nothing."""
        return choose_from(self.sources, request, self._limits, self._miss_counts(request.game_id), self._resting)

    def close(self) -> None:
        """Close the files of all sources."""
        close_sources(self.sources)

    def _miss_counts(self, game_id: str) -> MissCounts:
        with self._lock:
            miss_counts = self._games.setdefault(game_id, MissCounts())
            self._games.move_to_end(game_id)
            while len(self._games) > GAMES_REMEMBERED:
                self._games.popitem(last=False)
            return miss_counts


def check_sources(settings: SourceSettings) -> str:
    """Return the first problem with the configured files as one sentence, "" when there is none."""
    try:
        close_sources(build_sources(settings, None))
    except ConfigurationError as error:
        return str(error)
    return ""
