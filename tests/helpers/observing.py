"""An observer of games that records its calls."""

from __future__ import annotations

from bot.engine_pool.values import Answer
from bot.events.account import GameInfo
from bot.play.game import Game
from bot.play.observer import EndedGame, GameObserver


class GameNotes(GameObserver):
    """Everything in order: started games, answers as (game id, ply, answer), moves by game, and games that ended."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.answers: list[tuple[str, int, Answer]] = []
        self.moves: list[tuple[str, tuple[str, ...]]] = []
        self.over: list[EndedGame] = []
        self.over_unseen: list[str] = []

    def started(self, info: GameInfo) -> None:
        """Keep the id."""
        self.begun.append(info.game_id)

    def answered(self, game_id: str, ply: int, answer: Answer) -> None:
        """Keep the answer."""
        self.answers.append((game_id, ply, answer))

    def moved(self, game: Game) -> None:
        """Keep the moves."""
        self.moves.append((game.game_id, game.state.moves))

    def ended(self, ended: EndedGame) -> None:
        """Keep the end."""
        if ended.played:
            self.over.append(ended)
        else:
            self.over_unseen.append(ended.game_id)

    @property
    def over_ids(self) -> list[str]:
        """Return the ids of the games that ended, played or unseen."""
        return [one.game_id for one in self.over]
