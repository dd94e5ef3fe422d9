"""One seed from beginning to end: the bot's own dispatcher, games and outboxes between a model server and engines."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from bot.account.dispatcher import Dispatcher
from bot.play.chat.chat_queue import ChatQueue
from bot.play.game_context import GameContext
from bot.play.observer import EndedGame, GameObserver, Observers
from bot.play.outbox import LagMeter
from bot.settings import Settings
from tests.simulation.engine import SimulatedPool
from tests.simulation.game import SimulatedGame
from tests.simulation.install import installed
from tests.simulation.lichess import SimulatedLichess
from tests.simulation.network import PROFILES, Network
from tests.simulation.opponents import SERVER, Opponents
from tests.simulation.scheduler import DeadlockError, Scheduler

CONCURRENCY = 3
LONGEST_S = 1800.0
STREAM_WINDOW_S, STREAMS_IN_WINDOW = 10.0, 60  # openings of game streams, over all games
CLOSING_S = 40.0  # a request that hangs may hold a thread of the bot for as long


@dataclass
class Outcome:
    """What came of one seed; `wrong` is empty where every invariant held. `digest` names the order of all steps.

    `unlucky`: games lost on time, and moves that crossed a takeback; none of it may happen outside of a storm.
    """

    seed: int
    profile: str
    games: int = 0
    plies: int = 0
    kills: int = 0
    lasted_s: float = 0.0
    steps: int = 0
    unlucky: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    digest: str = ""
    trace: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether an invariant broke."""
        return bool(self.wrong) or (self.profile != "storm" and bool(self.unlucky))


class Trial(GameObserver):
    """The simulation of one seed."""

    def __init__(self, seed: int, profile: str, *, games: int = 4, kills: bool = True) -> None:
        self.scheduler = Scheduler(seed, no_thread_share=PROFILES[profile].no_thread)
        chance = self.scheduler.random
        self.network = Network(self.scheduler, PROFILES[profile])
        self.pool = SimulatedPool(self.scheduler, fails=chance.choice([0.0, 0.0, 0.05]))
        self.server = SimulatedLichess(self.network, CONCURRENCY, self._is_ours)
        self.opponents = Opponents(self.server, games, *chance.choice([(60.0, 0.0), (60.0, 1.0), (180.0, 2.0)]))
        self.outcome = Outcome(seed, profile)
        self._kills = kills
        self._fallback: set[tuple[str, int, str]] = set()
        self._ended: dict[tuple[str, int], int] = {}
        self._life = 0
        self._closing = False
        self._dispatcher: Dispatcher | None = None
        self._log: list[str] = []

    def run(self) -> Outcome:
        """Play all games, then close the bot and look at what is left."""
        with installed(self.scheduler, self._on_log):
            try:
                self._start_bot()
                self.opponents.start()
                self.scheduler.spawn(self._make_trouble, "trouble", SERVER)
                self.scheduler.run(self._all_played, LONGEST_S)
                self._close_bot()
            except DeadlockError as error:
                self.outcome.wrong.append(str(error))
            self._judge()
            self.scheduler.close()
        return self.outcome

    # -- the bot --------------------------------------------------------------------------------------------------

    @property
    def _process(self) -> str:
        return f"bot{self._life}"

    def _start_bot(self) -> None:
        self._life += 1
        self.scheduler.spawn(self._main, "main", self._process)

    def _main(self) -> None:
        settings = Settings.model_validate(
            {"concurrency": CONCURRENCY, "engines": [_ENGINE], "conduct": {"takebacks": 1}}
        )
        chat = ChatQueue(self.server)
        lend: Any = self.pool.lend  # stand-ins for leases of engines
        context = GameContext(
            self.server, "bot88", "bot88", settings, lend, LagMeter(), chat, observers=Observers(self)
        )
        self._dispatcher = Dispatcher(self.server, context)
        self._dispatcher.start()

    def ended(self, ended: EndedGame) -> None:
        """Count the ends of games that were played."""
        if ended.played:
            key = ended.game_id, self._life
            self._ended[key] = self._ended.get(key, 0) + 1

    def _close_bot(self) -> None:
        self._closing = True
        self.scheduler.run(lambda: self._dispatcher is not None, CLOSING_S)
        dispatcher, process = self._dispatcher, self._process
        if dispatcher is not None:
            self.scheduler.run(lambda: not dispatcher.registry.loops(), CLOSING_S)
            self.scheduler.spawn(dispatcher.close, "close", process)
            self.scheduler.run(lambda: {task.name for task in self.scheduler.tasks(process)} <= {"chat"}, CLOSING_S)

    # -- trouble --------------------------------------------------------------------------------------------------

    def _make_trouble(self) -> None:
        chance, every_s = self.scheduler.random, self.network.profile.outage_every_s
        if not every_s:
            return
        while True:
            self.scheduler.sleep(chance.expovariate(1 / every_s))
            if self._closing:
                return
            if self._kills and chance.random() < 0.4:
                self._kill_bot()
                self.scheduler.sleep(chance.uniform(0.5, 3.0))
                self._start_bot()
            else:
                self.network.down_until_s = self.scheduler.now_s + 2.0
                self.server.cut_streams()

    def _kill_bot(self) -> None:
        self.outcome.kills += 1
        self._dispatcher = None
        self.scheduler.kill(self._process)
        self.server.cut_streams()
        self.server.forget()
        self.pool.lent = 0

    def _all_played(self) -> bool:
        return not self.opponents.challenging and not self.server.challenges and not self.server.running()

    # -- invariants -------------------------------------------------------------------------------------------------

    def _is_ours(self, game: SimulatedGame, uci: str) -> bool:
        return (game.moves, uci) in self.pool.chosen or (game.game_id, len(game.moves), uci) in self._fallback

    def _on_log(self, line: dict[str, Any]) -> None:
        event = str(line.get("event"))
        if event == "fallback_move":
            self._fallback.add((str(line["game_id"]), int(line["ply"]), str(line["move"])))
        if line["level"] == "exception" or event.endswith("_fault"):
            self.outcome.wrong.append(f"{event}: {line.get('error') or line}")
        self.scheduler.trace.append(f"{self.scheduler.now_s:.4f}   {line}")

    def _judge(self) -> None:
        outcome, server = self.outcome, self.server
        outcome.wrong += server.faults + self.scheduler.faults
        outcome.unlucky = server.lost_on_time + server.crossed
        outcome.wrong += [f"{game.game_id} still runs after {LONGEST_S:.0f} s" for game in server.running()]
        outcome.wrong += [f"{key[0]} ended {times} times" for key, times in self._ended.items() if times > 1]
        begun = {game.game_id for game in server.games.values() if game.status not in ("started", "aborted")}
        missed = begun - {game_id for game_id, _life in self._ended}
        if not outcome.kills and missed:
            outcome.wrong.append(f"ends that nobody was told of: {sorted(missed)}")
        left = sorted(task.name for task in self.scheduler.tasks(self._process) if task.name != "chat")
        outcome.wrong += [f"threads left: {', '.join(left)}"] if left else []
        outcome.wrong += [f"{self.pool.lent} engines not given back"] if self.pool.lent else []
        outcome.wrong += _crowded(server.stream_openings)
        outcome.games = len(server.games)
        outcome.plies = sum(len(game.moves) for game in server.games.values())
        outcome.lasted_s, outcome.steps = self.scheduler.now_s, self.scheduler.steps
        outcome.trace = list(self.scheduler.trace)
        outcome.digest = sha256("\n".join(outcome.trace).encode()).hexdigest()[:16]


_ENGINE = {"name": "simulated", "command": ["true"], "slots": CONCURRENCY}


def _crowded(openings: list[float]) -> list[str]:
    for number, at_s in enumerate(openings[STREAMS_IN_WINDOW:]):
        if at_s - openings[number] < STREAM_WINDOW_S:
            return [f"{STREAMS_IN_WINDOW} game streams opened within {at_s - openings[number]:.1f} s"]
    return []
