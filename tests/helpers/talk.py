"""The chat of one game, with what it has said."""

from __future__ import annotations

from typing import Any

import chess

from bot.engine_pool.values import Answer
from bot.events.game import ChatLine, Player
from bot.play.chat.chatter import Chatter
from bot.play.chat.commands import AccountFacts, ChosenMove
from bot.play.game import Game
from tests.helpers.game_harness import GameHarness, level_of
from tests.helpers.games import game, state
from tests.helpers.processes import wait_until

ROBOT = Player("robot", "Robot", "BOT", 2100)
TEXTS: dict[str, Any] = {
    "greeting": "Hello {opponent}",
    "spectator_greeting": "Hi all",
    "farewell": "Bye",
    "spectator_farewell": "Ciao",
}


class Talk:
    """A chatter, what it has said, and its watch."""

    def __init__(self, account: AccountFacts | None = None, **chat: Any) -> None:
        self.harness = GameHarness(conduct={"chat": chat}, account=account)
        self.now_s = 1000.0
        self._waits = 0
        level = level_of(self.harness)
        self.chatter = Chatter("abcdefgh", self.harness.context, level, now_s=lambda: self.now_s)

    def ask(self, text: str, *, by: str = "alice", room: str = "player", one: Game | None = None) -> None:
        """Let a user write, a while after the line before."""
        self.now_s += 20.0
        self.chatter.answer(one or game(state("e2e4 e7e5")), ChatLine(by, text, room))
        self._wait_for_chat()

    def said(self) -> list[tuple[str, ...]]:
        """All messages since the last call."""
        self._wait_for_chat()
        lines = [words[1:] for words in self.harness.server.said if words[1] != "end"]
        self.harness.server.said.clear()
        return lines

    def _wait_for_chat(self) -> None:
        """Wait until the chat has nothing more to send."""
        self._waits += 1
        mark = ("chat", "end", str(self._waits))
        self.harness.context.chat.say("abcdefgh", *mark[1:])
        assert wait_until(lambda: mark in self.harness.server.said)


def over(ply: str = "e2e4 e7e5") -> Game:
    """A game that has ended."""
    return game(state(ply, status="resign", winner="white"))


def judged(score_cp: int = 31) -> ChosenMove:
    """A move of ours with its score."""
    answer = Answer(chess.Move.from_uci("e2e4"), info_line=f"info depth 18 score cp {score_cp} pv e2e4 e7e5")
    return ChosenMove(chess.Board(), "e2e4", answer)
