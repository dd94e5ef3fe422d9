"""`bot88 replay-stream`: a recorded game fed through the game's code of today, without server and engines."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.app.recording.record import Record
from bot.app.recording.replay_script import PATIENCE_S, ReplayScript
from bot.app.recording.replay_server import ReplayEngine, ReplayServer
from bot.errors import ConfigurationError
from bot.events import GameInfo, Player
from bot.play.actions import ChatQueue
from bot.play.game_context import GameContext
from bot.play.game_loop import GameLoop
from bot.play.lag import LagMeter
from bot.settings import Settings

TICK_S = 0.05
QUIET_S = 1.0  # after the record's end, before a game without an end is left


@dataclass(frozen=True)
class Replayed:
    """How a replay ended; `moves` are those the server showed last, `differences` from the record in words."""

    status: str
    result: str
    moves: tuple[str, ...]
    differences: tuple[str, ...]

    def __str__(self) -> str:
        same = "every request as recorded" if not self.differences else "\n  ".join(("differs:", *self.differences))
        return f"outcome: {self.status}, {self.result}, {len(self.moves)} plies; {same}"


def replay(
    record: Record,
    settings: Settings,
    tell: Callable[[float, str], None] = lambda _seconds, _text: None,
    *,
    speed: float = 0.0,
    patience_s: float = PATIENCE_S,
) -> Replayed:
    """Feed the record through the game's code. Raises ConfigurationError for one that names no account of ours."""
    if not record.me:
        raise ConfigurationError(f"the record of {record.game_id} does not name our account; record another game")
    script = ReplayScript(record, tell, speed=speed, patience_s=patience_s)
    server = ReplayServer(script, tell)
    chat = ChatQueue(server.chat)
    engine = ReplayEngine(record, tell, script)
    context = GameContext(server, record.me, record.me, settings, lambda _requirement: engine, LagMeter(), chat)
    loop = GameLoop(GameInfo(record.game_id, "", Player("", "the opponent")), context, lambda _loop, _reason: None)
    loop.start()
    quiet_since_s: float | None = None
    while not loop.join(TICK_S):
        now = time.monotonic()
        loop.tick(now)
        if script.exhausted.is_set():
            quiet_since_s = quiet_since_s or now
            if now - quiet_since_s > QUIET_S:
                loop.leave()
    chat.close()
    game = loop.game
    if game is None:
        return Replayed("unknown", "*", (), ("the game never began", *script.differences()))
    return Replayed(game.state.status, game.result, game.state.moves, tuple(script.differences()))
