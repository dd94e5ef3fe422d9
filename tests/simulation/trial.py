"""One seed from beginning to end: the bot's dispatcher, games and store between a model server and engines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.account.dispatcher import Dispatcher
from bot.archive.database import LONGEST_PAUSE_S
from bot.archive.look_up import GameLookUp
from bot.archive.recorder import GameRecorder
from bot.archive.store import Store
from bot.events.game import outcome_of
from bot.move_sources import MoveSources
from bot.play.chat.chat_queue import ChatQueue
from bot.play.game_context import GameContext
from bot.play.observer import EndedGame, GameObserver, Observers
from bot.play.outbox import LagMeter
from bot.settings import Settings
from tests.simulation.game import LONGEST_OF_FIFTY, LONGEST_PLIES, SimulatedGame
from tests.simulation.lichess import SimulatedLichess
from tests.simulation.machine import FULL, LOCKED, Disk, SimulatedPool, SlowBook
from tests.simulation.network import (
    BAD_GATEWAY,
    DEAD_ENGINE,
    FAULTS,
    FIFTY_GAMES,
    FULL_DISK,
    LOCKED_DISK,
    LONGEST_HANDLING_S,
    PROFILES,
    REVOKED,
    SLOW_BOOK,
    Network,
)
from tests.simulation.opponents import SERVER, Opponents
from tests.simulation.primitives import installed
from tests.simulation.schedule import Loss
from tests.simulation.scheduler import DeadlockError, Scheduler

LONGEST_S = 1800.0
RECORDED_S = 1800.0  # after the last game: pauses between two questions about one game grow to ten minutes
CLOSING_S = 40.0  # a request that hangs may hold a thread of the bot for as long
OUTAGE_S = 20.0  # of everything, with 502 or 401
_TIMES = [(60.0, 0.0), (60.0, 1.0), (180.0, 2.0)]


@dataclass
class Outcome:
    """The result of one seed; `wrong` is empty where every invariant held. `digest` names the order of all steps.

    `lost`: games lost on time; `crossed`: moves that crossed a takeback, allowed in a storm or an outage alone.
    """

    seed: int
    profile: str
    faults: tuple[str, ...] = ()
    games: int = 0
    plies: int = 0
    kills: int = 0
    lasted_s: float = 0.0
    steps: int = 0
    lost: list[Loss] = field(default_factory=list)
    crossed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    most: dict[str, float] = field(default_factory=dict)
    digest: str = ""
    trace: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether an invariant broke."""
        return bool(self.wrong or self.avoidable or (self.crossed and self._must_not_cross))

    @property
    def avoidable(self) -> list[Loss]:
        """The losses on time that the bot could have avoided."""
        return [loss for loss in self.lost if loss.avoidable]

    @property
    def _must_not_cross(self) -> bool:
        return self.profile != "storm" and not {BAD_GATEWAY, REVOKED} & set(self.faults)


def faults_of(seed: int) -> frozenset[str]:
    """Draw the faults of a seed."""
    chance = Scheduler(seed).random
    return frozenset(fault for fault, share in FAULTS.items() if chance.random() < share)


class Trial(GameObserver):
    """The simulation of one seed, by default with the faults that the seed draws."""

    def __init__(
        self, seed: int, profile: str, *, games: int = 4, kills: bool = True, faults: frozenset[str] | None = None
    ) -> None:
        self._faults = faults_of(seed) if faults is None else faults
        self._concurrency, longest = (50, LONGEST_OF_FIFTY) if FIFTY_GAMES in self._faults else (3, LONGEST_PLIES)
        games = 50 if FIFTY_GAMES in self._faults else games
        self.scheduler = Scheduler(seed, no_thread_share=PROFILES[profile].no_thread)
        chance = self.scheduler.random
        self.network = Network(self.scheduler, PROFILES[profile], self._faults)
        self.server = SimulatedLichess(self.network, self._concurrency, self._is_ours)
        fails = 1.0 if DEAD_ENGINE in self._faults else chance.choice([0.0, 0.0, 0.05])
        self.pool = SimulatedPool(self.scheduler, fails, self.server.left_s)
        self.disk = Disk(self.scheduler, self.server.note_disk)
        self.opponents = Opponents(self.server, games, longest, *chance.choice(_TIMES))
        self.outcome = Outcome(seed, profile, tuple(sorted(self._faults)))
        self._kills = kills
        self._fallback: set[tuple[str, int, str]] = set()
        self._ended: Counter[tuple[str, int]] = Counter()
        self._forgotten: set[str] = set()  # games of which nothing could be written from their first sight to a kill
        self._life = 0
        self._closing = False
        self._dispatcher: Dispatcher | None = None
        self._store: Store | None = None
        self._chat: ChatQueue | None = None

    def run(self) -> Outcome:
        """Play all games, then close the bot and look at what is left."""
        with installed(self.scheduler, self._on_log, self.disk.connect):
            try:
                self._start_bot()
                self.opponents.start()
                for trouble in (self._make_trouble, self._stop_server, self._spoil_disk):
                    self.scheduler.spawn(trouble, "trouble", SERVER)
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
        engine = {"name": "simulated", "command": ["true"], "slots": self._concurrency}
        settings = Settings.model_validate(
            {"concurrency": self._concurrency, "engines": [engine], "conduct": {"takebacks": 1}}
        )
        store = self._store = Store(Path("simulated.sqlite"))
        self.server.connect(store)
        look_up = GameLookUp(self.server.export_game)
        recorder = GameRecorder(store, look_up, "bot88", "https://lichess.org", self._is_played)
        sources = MoveSources(settings.move_sources)
        sources.sources = (SlowBook(self.pool),) if SLOW_BOOK in self._faults else ()
        chat = self._chat = ChatQueue(self.server)
        lend: Any = self.pool.lend  # stand-ins for leases of engines
        context = GameContext(
            self.server,
            "bot88",
            "bot88",
            settings,
            lend,
            LagMeter(),
            chat,
            source_for=sources.source_for,
            observers=Observers(self, recorder),
        )
        self._dispatcher = Dispatcher(self.server, context, look_up=look_up)
        recorder.start()
        self._dispatcher.start()

    def _is_played(self, game_id: str) -> bool:
        return self._dispatcher is not None and self._dispatcher.registry.plays(game_id)

    def ended(self, ended: EndedGame) -> None:
        """Count the ends of games that were played."""
        if ended.played:
            self._ended[ended.game_id, self._life] += 1

    def _close_bot(self) -> None:
        self._closing = True
        self.scheduler.run(lambda: self._dispatcher is not None, CLOSING_S)
        self.scheduler.run(lambda: not self._unrecorded(), RECORDED_S)
        dispatcher, store, chat, process = self._dispatcher, self._store, self._chat, self._process
        if dispatcher is not None and store is not None and chat is not None:
            self.scheduler.run(lambda: not dispatcher.registry.loops(), CLOSING_S)

            def close() -> None:
                dispatcher.close()
                chat.close()
                store.close()

            self.scheduler.spawn(close, "close", process)
            self.scheduler.run(lambda: not self.scheduler.tasks(process), CLOSING_S)

    # -- trouble --------------------------------------------------------------------------------------------------

    def _make_trouble(self) -> None:
        chance, every_s = self.scheduler.random, self.network.profile.outage_every_s
        while every_s:
            self.scheduler.sleep(chance.expovariate(1 / every_s))
            if self._closing:
                return
            if self._kills and chance.random() < 0.4:
                self._kill_bot()
                dead = self.network.schedule.kill()
                self.scheduler.sleep(chance.uniform(0.5, 3.0))
                dead.end(self.scheduler.now_s)
                self._start_bot()
            else:
                self.network.fail(2.0)
                self.server.cut_streams()

    def _stop_server(self) -> None:
        """Answer every request with 502, after the streams were cut, or with 401."""
        for answer in (BAD_GATEWAY, REVOKED):
            self.scheduler.sleep(self.scheduler.random.uniform(5.0, 60.0))
            if answer in self._faults and not self._closing:
                self.network.fail(OUTAGE_S, answer)
                if answer == BAD_GATEWAY:
                    self.server.cut_streams()

    def _spoil_disk(self) -> None:
        disk, chance = self.disk, self.scheduler.random
        while not self._closing and self._faults & {LOCKED_DISK, FULL_DISK}:
            self.scheduler.sleep(chance.uniform(LONGEST_PAUSE_S + 2.0, 40.0))
            fault = chance.choice(sorted(self._faults & {LOCKED_DISK, FULL_DISK}))
            disk.spoil(LOCKED if fault == LOCKED_DISK else FULL)
            self.scheduler.sleep(chance.uniform(1.0, 40.0))
            disk.repair()

    def _kill_bot(self) -> None:
        self.outcome.kills += 1
        first_s = self.network.schedule.first_s
        self._forgotten |= {one for one in self.server.games if self.disk.knows_nothing_since(first_s(one))}
        self._dispatcher = self._store = None
        self.scheduler.kill(self._process)
        self.server.cut_streams()
        self.disk.power_off()
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

    def _unrecorded(self) -> list[str]:
        """Return the finished games that the store does not hold with their outcomes. Aborted ones do not count."""
        rows = self.disk.memory.execute("SELECT game_id, outcome FROM games").fetchall()
        kept = [game for game in self.server.games.values() if game.game_id not in self._forgotten]
        finished = [game for game in kept if game.status not in ("started", "aborted")]
        true = {game.game_id: outcome_of(game.status, game.winner, game.color_name) for game in finished}
        return [game_id for game_id, outcome in true.items() if (game_id, outcome or "") not in rows]

    def _judge(self) -> None:
        outcome, server = self.outcome, self.server
        outcome.wrong += server.faults + self.scheduler.faults + self.pool.faults
        outcome.lost, outcome.crossed = server.lost_on_time, server.crossed
        outcome.wrong += [f"{game.game_id} still runs after {LONGEST_S:.0f} s" for game in server.running()]
        outcome.wrong += [f"{key[0]} ended {times} times" for key, times in self._ended.items() if times > 1]
        begun = {game.game_id for game in server.games.values() if game.status not in ("started", "aborted")}
        missed = begun - {game_id for game_id, _life in self._ended}
        if not outcome.kills and missed:
            outcome.wrong.append(f"ends that nobody was informed of: {sorted(missed)}")
        if unrecorded := self._unrecorded():
            outcome.wrong.append(f"not recorded with their outcomes: {unrecorded}")
        left = sorted(task.name for task in self.scheduler.tasks(self._process))
        outcome.wrong += [f"threads left: {', '.join(left)}"] if left else []
        outcome.wrong += [f"{self.pool.lent} engines not given back"] if self.pool.lent else []
        if (slowest_s := self.network.slowest_handling_s) > LONGEST_HANDLING_S:
            outcome.wrong.append(f"a reader's thread took {slowest_s:.1f} s for a line")
        outcome.most = {**server.most, "handling": slowest_s}
        outcome.games = len(server.games)
        outcome.plies = sum(len(game.moves) for game in server.games.values())
        outcome.lasted_s, outcome.steps = self.scheduler.now_s, self.scheduler.steps
        outcome.trace = list(self.scheduler.trace)
        outcome.digest = sha256("\n".join(outcome.trace).encode()).hexdigest()[:16]
