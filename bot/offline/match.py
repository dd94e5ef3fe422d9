"""Playing the games: challenges go out as slots get free, each game is watched to its end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from bot.fake_lichess import FakeLichess, GameReport
from bot.offline.offline_game import OfflineGame
from bot.offline.options import BOT_NAME, OfflineOptions
from bot.service.signals import StopSignals

POLL_S = 0.03
#: A challenge that has not become a game after so long never will; even a stormy network lets it through sooner.
UNANSWERED_S = 180.0
#: How often a game is requested again: on a stormy network the bot's acceptance may be refused.
MOST_CHALLENGES = 5

log = structlog.get_logger(__name__)


@dataclass
class Running:
    """A game, or the challenge that is to become one."""

    game_id: str
    bot_color: str
    challenges: int = 1
    begun_s: float = field(default_factory=time.monotonic)
    report: GameReport | None = None


class Match:
    """`on_look(running)` is called at each poll, `on_end(ended_game)` once for each finished game."""

    def __init__(
        self,
        fake: FakeLichess,
        options: OfflineOptions,
        opponent: str,
        on_look: Callable[[list[Running]], None] = lambda _running: None,
        on_end: Callable[[OfflineGame], None] = lambda _ended_game: None,
    ) -> None:
        self._fake = fake
        self._options = options
        self._opponent = opponent
        self._on_look = on_look
        self._on_end = on_end
        self._begun = 0
        self._lost = 0
        self._bot_has_white = random.Random(options.seed).random() < 0.5 if options.seed is not None else True
        self.running: list[Running] = []
        self.ended_games: list[OfflineGame] = []

    def play(self, signals: StopSignals) -> None:
        """Play all games; ends early when a signal comes or when challenges stay unanswered."""
        while len(self.ended_games) + self._lost < self._options.games and not signals.asked:
            while self._begun < self._options.games and len(self.running) < self._options.concurrency:
                self._begin()
            for running in list(self.running):
                self._look_at(running)
            self._on_look(self.running)
            signals.wait(POLL_S)

    def _begin(self) -> None:
        """The opponent challenges the bot; colours alternate."""
        color = "white" if self._bot_has_white else "black"
        self._bot_has_white = not self._bot_has_white
        self._begun += 1
        self.running.append(Running(self._challenge(color), color))

    def _challenge(self, bot_color: str) -> str:
        theirs = "black" if bot_color == "white" else "white"
        clock, variant = self._options.clock, self._options.variant
        return self._fake.challenge(self._opponent, BOT_NAME, clock=clock, color=theirs, variant=variant)

    def _look_at(self, running: Running) -> None:
        status = "accepted" if running.report else self._fake.challenge_status(running.game_id)
        if status != "accepted":
            self._still_unanswered(running, status)
            return
        running.report = self._fake.game(running.game_id)
        if running.report.over:
            self.running.remove(running)
            self.ended_games.append(self._ended_game(running, running.report))
            self._on_end(self.ended_games[-1])

    def _still_unanswered(self, running: Running, status: str) -> None:
        """Wait on; a challenge that was declined or lost is sent again a few times, one without an answer is not."""
        if status == "created" and time.monotonic() - running.begun_s < UNANSWERED_S:
            return
        log.warning("challenge_without_game", challenge_id=running.game_id, status=status)
        if status != "created" and running.challenges < MOST_CHALLENGES:
            running.challenges += 1
            running.game_id = self._challenge(running.bot_color)
            return
        self.running.remove(running)
        self._lost += 1

    def _ended_game(self, running: Running, report: GameReport) -> OfflineGame:
        refused = [
            seen.path.split("?")[0].rsplit("/", 1)[-1]
            for seen in self._fake.requests(game_id=report.id)
            if seen.status == 400 and "/move/" in seen.path and (seen.account_id or "") == BOT_NAME.lower()
        ]
        faults = self._fake.faults_of(report.id, running.begun_s)
        return OfflineGame(report, running.bot_color, time.monotonic() - running.begun_s, tuple(refused), faults)
