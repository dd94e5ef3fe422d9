"""Following games: what a game reports about itself, and to whom."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.engine_pool.values import Answer
from bot.events.account import GameInfo
from bot.play.game import Game

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A finished game. `game` is None, or not over, if the bot has not seen its final state.

    `played`: a loop played the game when it ended. Another end may be reported again.
    """

    game_id: str
    game: Game | None = None
    tournament_id: str = ""
    played: bool = False

    @property
    def final_game(self) -> Game | None:
        """Return the game if its final state is known."""
        return self.game if self.game is not None and self.game.over else None


class GameObserver:
    """Follows games: override what matters. Every method must return at once.

    `answered`, `moved` and `lagged` are called under the game's lock. An exception is logged and disturbs no game.
    """

    def started(self, info: GameInfo, /) -> None:
        """Note a game that is played or parked from now on."""

    def answered(self, game_id: str, ply: int, answer: Answer, /) -> None:
        """Note the answer to a search for the move after `ply` plies, once the move is on its way."""

    def moved(self, game: Game, /) -> None:
        """Note that the server shows other moves than before."""

    def posted(self, game_id: str, took_ms: float, /) -> None:
        """Note how long the server took to accept a move."""

    def lagged(self, game_id: str, lost_ms: float, /) -> None:
        """Note what a move cost our clock beyond our thinking."""

    def ended(self, ended: EndedGame, /) -> None:
        """Note the end of a game, before its slot is freed."""


class Observers(GameObserver):
    """Observers as one: each is called in order, and the fault of one keeps no other from being called."""

    def __init__(self, *observers: GameObserver) -> None:
        self._observers = list(observers)

    def add(self, observer: GameObserver) -> None:
        """Call another observer from now on, after the others."""
        self._observers.append(observer)

    def started(self, info: GameInfo) -> None:
        """Pass on."""
        self._call("started", info.game_id, info)

    def answered(self, game_id: str, ply: int, answer: Answer) -> None:
        """Pass on."""
        self._call("answered", game_id, game_id, ply, answer)

    def moved(self, game: Game) -> None:
        """Pass on."""
        self._call("moved", game.game_id, game)

    def posted(self, game_id: str, took_ms: float) -> None:
        """Pass on."""
        self._call("posted", game_id, game_id, took_ms)

    def lagged(self, game_id: str, lost_ms: float) -> None:
        """Pass on."""
        self._call("lagged", game_id, game_id, lost_ms)

    def ended(self, ended: EndedGame) -> None:
        """Pass on."""
        self._call("ended", ended.game_id, ended)

    def _call(self, method: str, game_id: str, *arguments: object) -> None:
        for observer in self._observers:
            try:
                getattr(observer, method)(*arguments)
            except Exception:
                log.exception("observer_fault", game_id=game_id, observer=type(observer).__name__, method=method)
