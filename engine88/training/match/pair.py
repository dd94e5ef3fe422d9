"""A pair of games from one opening with colours changed: the unit of work of a match."""

import atexit
import random
import threading
from dataclasses import dataclass
from typing import Final

from engine88.rules.position import Position
from engine88.training.match.game import GameLimits, pgn_of, play_game
from engine88.training.match.uci_engine import EngineError, EngineSpec, UciEngine
from engine88.training.selfplay.player import random_start

_FAILED: Final = "engine failed"


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The two engines, the limits of their games, and the seed of openings that no book gives."""

    first: EngineSpec
    second: EngineSpec
    limits: GameLimits
    seed: str


@dataclass(frozen=True, slots=True)
class PairOpening:
    """The number of a pair and the position it is played from; None: some random plies."""

    pair: int
    fen: str | None


_running: dict[tuple[int, EngineSpec], UciEngine] = {}
"""The engines of this process, by thread: to start one takes longer than a short game."""


def play_pair(settings: MatchSettings, shared: None, opening: PairOpening) -> str:  # noqa: ARG001 -- nothing is shared
    """Play both games in this thread and return their PGN; an engine that does not even start raises EngineError."""
    fen = opening.fen or random_fen(settings.seed, opening.pair)
    return "".join(_one_game(settings, fen, opening.pair, flipped) for flipped in (False, True))


def _one_game(settings: MatchSettings, fen: str, pair: int, flipped: bool) -> str:
    white, black = (settings.second, settings.first) if flipped else (settings.first, settings.second)
    game = play_game(_ready_engines(white, black), fen, settings.limits)
    if game.reason.startswith(_FAILED):
        close_engines()  # the next game begins with new ones
    headers = {
        "Event": f"{settings.first.name} - {settings.second.name}",
        "Round": f"{pair + 1}.{2 if flipped else 1}",
        "White": white.name,
        "Black": black.name,
        "TimeControl": settings.limits.told(),
    }
    return pgn_of(game, headers)


def _ready_engines(*specs: EngineSpec) -> tuple[UciEngine, ...]:
    """The engines of this thread, prepared for a new game; one that died is restarted once."""
    try:
        engines = tuple(_engine(spec) for spec in specs)
        for engine in engines:
            engine.new_game()
    except EngineError:
        close_engines()
        engines = tuple(_engine(spec) for spec in specs)
        for engine in engines:
            engine.new_game()
    return engines


def _engine(spec: EngineSpec) -> UciEngine:
    key = threading.get_ident(), spec
    if key not in _running:
        _running[key] = UciEngine(spec)
    return _running[key]


def close_engines() -> None:
    """End the engines of this thread; those of processes that end are closed by the end of their pipes."""
    for key in [key for key in _running if key[0] == threading.get_ident()]:
        _running.pop(key).close()


atexit.register(close_engines)


def random_fen(seed: str, pair: int) -> str:
    """A position after eight or nine random plies."""
    chooser = random.Random(f"{seed}/{pair}")
    start: Position | None = None
    while start is None:
        start = random_start(None, chooser)
    return start.fen()
