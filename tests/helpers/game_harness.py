"""A game's surroundings without network and processes: a server that records, an engine that answers on request."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

import chess
import chess.engine

from bot.engine_pool.values import Answer, Requirement
from bot.errors import LichessError
from bot.events.account import GameInfo
from bot.events.game import ChatLine, GameEvent, GameExport, Player
from bot.play.chat.chat_queue import ChatQueue
from bot.play.chat.commands import AccountFacts
from bot.play.game import Game
from bot.play.game_context import EndReason, GameContext
from bot.play.game_loop import GameLoop
from bot.play.levels import GameLevel
from bot.play.observer import Observers
from bot.play.outbox import LagMeter
from bot.settings import Settings
from tests.helpers.ending import closed_at_end
from tests.helpers.server import StubServer


class QueueStream:
    """A stream that the test feeds; an exception in it is raised, "end" ends it."""

    def __init__(self) -> None:
        self.queue: queue.Queue[GameEvent | Exception | str | None] = queue.Queue()

    def __iter__(self) -> Iterator[GameEvent | None]:
        while (item := self.queue.get()) != "end":
            if isinstance(item, Exception):
                raise item
            yield item  # type: ignore[misc]  # the one string is "end"

    def close(self) -> None:
        """End it."""
        self.queue.put("end")


class RecordingServer(StubServer):
    """Records every request as words; `errors` holds what the next requests of a name raise."""

    def __init__(self) -> None:
        self.said: list[tuple[str, ...]] = []
        self.errors: dict[str, list[LichessError]] = {}
        self.streams: list[QueueStream] = []
        self.ongoing: tuple[GameInfo, ...] = ()
        self.exports: dict[str, GameExport] = {}

    def _note(self, *words: str) -> None:
        self.said.append(words)
        if self.errors.get(words[0]):
            raise self.errors[words[0]].pop(0)

    def count(self, name: str) -> int:
        """Requests of a name."""
        return sum(words[0] == name for words in self.said)

    def stream_game(self, game_id: str) -> QueueStream:
        """Open."""
        self._note("stream", game_id)
        self.streams.append(QueueStream())
        return self.streams[-1]

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """The list."""
        self._note("ongoing")
        return self.ongoing

    def export_game(self, game_id: str) -> GameExport:
        """Return the export that the test has set; a game it says nothing about runs."""
        self._note("export", game_id)
        return self.exports.get(game_id, GameExport(game_id, "started"))

    def post_move(self, game_id: str, uci: str, offering_draw: bool = False) -> object:
        """Move."""
        self._note("move", uci, *(["draw"] if offering_draw else []))
        return None

    def abort(self, game_id: str) -> None:
        """Abort."""
        self._note("abort")

    def resign(self, game_id: str) -> None:
        """Resign."""
        self._note("resign")

    def draw(self, game_id: str, accept: bool) -> None:
        """Draw."""
        self._note("draw", "yes" if accept else "no")

    def takeback(self, game_id: str, accept: bool) -> None:
        """Takeback."""
        self._note("takeback", "yes" if accept else "no")

    def claim_victory(self, game_id: str) -> None:
        """Claim the win."""
        self._note("claim-victory")

    def claim_draw(self, game_id: str) -> None:
        """Claim the draw."""
        self._note("claim-draw")

    def chat(self, game_id: str, room: str, text: str) -> None:
        """Chat."""
        self._note("chat", room, text)

    def read_chat(self, game_id: str) -> tuple[ChatLine, ...]:
        """Nobody writes."""
        return ()


class FakeSearch:
    """One call of `play`, answered by the test."""

    def __init__(self, board: chess.Board, limit: chess.engine.Limit, on_done: Callable[[Answer], None]) -> None:
        self.board = board.copy()
        self.limit = limit
        self.on_done = on_done
        self.abandoned = threading.Event()

    def abandon(self) -> None:
        """Not wanted any more."""
        self.abandoned.set()

    def answer(self, uci: str, score_cp: int | None = 0, **fields: Any) -> None:
        """Answer from a thread that is not the asking one, as the pool does."""
        line = "" if score_cp is None else f"info depth 1 score cp {score_cp}"
        self.done(Answer(chess.Move.from_uci(uci), info_line=line, engine="test", **fields))

    def done(self, answer: Answer) -> None:
        """Deliver."""
        thread = threading.Thread(target=self.on_done, args=(answer,))
        thread.start()
        thread.join()


class FakeEngine:
    """Keeps its searches for the test to answer."""

    def __init__(self) -> None:
        self.name = "Fake Engine 1.0"
        self.elo: int | None = None
        self.searches: list[FakeSearch] = []
        self.given_back = 0

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool, on_done: Callable[[Answer], None]
    ) -> FakeSearch:
        """Ask."""
        self.searches.append(FakeSearch(board, limit, on_done))
        return self.searches[-1]

    def give_back(self) -> None:
        """Free the slot."""
        self.given_back += 1


class GameHarness:
    """One game loop between such a server and such an engine. It is left after the test."""

    def __init__(
        self,
        info: GameInfo | None = None,
        source: Any = None,
        server: RecordingServer | None = None,
        account: AccountFacts | None = None,
        observers: Observers | None = None,
        **settings: Any,
    ) -> None:
        self.server = server or RecordingServer()
        self.engine = FakeEngine()
        self.requirements: list[Requirement] = []
        self.end_reasons: list[EndReason] = []
        self.context = GameContext(
            self.server,
            "bot88",
            "bot88",
            Settings.model_validate(settings),
            self._lend,  # type: ignore[arg-type]  # a stand-in
            LagMeter(),
            ChatQueue(self.server),
            source_for=lambda _game, _limit: source,
            account=account or AccountFacts(),
            observers=observers or Observers(),
        )
        self.loop = GameLoop(info or GameInfo("abcdefgh", Player("alice", "Alice")), self.context, self._on_end)
        closed_at_end(self)

    def close(self) -> None:
        """Leave the game and end its chat."""
        self.loop.leave()
        self.context.chat.close()

    def _lend(self, requirement: Requirement) -> FakeEngine:
        self.requirements.append(requirement)
        return self.engine

    def _on_end(self, _loop: GameLoop, reason: EndReason) -> None:
        self.end_reasons.append(reason)

    def receive(self, event: GameEvent | None, now_s: float = 100.0) -> bool:
        """A line of the stream."""
        return self.loop._on_event(event, now_s)

    @property
    def game(self) -> Game:
        """The game, once its first line has come."""
        assert self.loop.game is not None
        return self.loop.game

    @property
    def search(self) -> FakeSearch:
        """The latest search."""
        return self.engine.searches[-1]


def level_of(harness: GameHarness) -> GameLevel:
    """Return the level of a game that the harness's engine plays."""
    level = GameLevel(harness.context.settings, harness.context.levels)
    level.served_by(harness.engine)  # type: ignore[arg-type]  # a stand-in
    return level
