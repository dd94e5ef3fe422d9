"""Results of the searches of running games, move by move, for pages.

Games report their answers under their own lock, so these are only put into a queue. Readers sort and parse them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from dataclasses import dataclass

from chess.engine import Score

from bot.engine_pool import Answer
from bot.play.observer import GameObserver

MOST_UNREAD = 8192  # answers that nobody has asked for; the oldest are dropped
MOST_GAMES = 200  # whose notes are kept; the oldest are dropped


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found for one move; the score is from our side.

    `ply`: plies played before the move; `pv`: the variation in UCI; `source`: what chose the move instead of an
    engine, "".
    """

    ply: int
    score: Score | None = None
    depth: int | None = None
    nodes: int | None = None
    nps: int | None = None
    time_ms: float = 0.0
    pv: tuple[str, ...] = ()
    source: str = ""


class SearchNotes(GameObserver):
    """`answered` is called by games and never waits; everything else by the threads of pages."""

    def __init__(self) -> None:
        """Start empty."""
        self._unread: deque[tuple[str, int, Answer]] = deque(maxlen=MOST_UNREAD)
        self._games: OrderedDict[str, dict[int, SearchResult]] = OrderedDict()
        self._reading = threading.Lock()

    def answered(self, game_id: str, ply: int, answer: Answer) -> None:
        """Note an answer."""
        self._unread.append((game_id, ply, answer))

    def of(self, game_id: str) -> tuple[SearchResult, ...]:
        """Return the notes of a game by ply; those of moves that were taken back go as new ones come."""
        with self._reading:
            while self._unread:
                self._sort(*self._unread.popleft())
            notes = self._games.get(game_id, {})
            return tuple(notes[ply] for ply in sorted(notes))

    def _sort(self, game_id: str, ply: int, answer: Answer) -> None:
        if answer.move is None:
            return
        before = self._games.pop(game_id, {})
        self._games[game_id] = {at: note for at, note in before.items() if at < ply} | {ply: note_of(ply, answer)}
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)


def note_of(ply: int, answer: Answer) -> SearchResult:
    """Return what an answer says."""
    info = answer.info
    nps = info.nps
    if nps is None and info.nodes is not None and answer.elapsed_ms >= 1:
        nps = round(info.nodes / answer.elapsed_ms * 1000)
    return SearchResult(
        ply=ply,
        score=info.score,
        depth=info.depth,
        nodes=info.nodes,
        nps=nps,
        time_ms=answer.elapsed_ms,
        pv=info.pv,
        source=answer.source,
    )
