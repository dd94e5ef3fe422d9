"""The service: start-up, main loop, reload, shutdown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Literal

import structlog

from bot.account.account_facts import recent_games_with, results_with
from bot.account.admission import Admission
from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles
from bot.account.challenges.match_sender import MatchSender
from bot.account.challenges.matchmaking import Matchmaker
from bot.account.challenges.user_lists import UserLists
from bot.account.dispatcher import Dispatcher, slots_of
from bot.account.slots import Slots
from bot.account.tournaments import ArenaWorker
from bot.account.visibility import VisibilityWatch
from bot.archive.look_up import GameLookUp
from bot.archive.recorder import GameRecorder
from bot.dashboard import DashboardServer, Meters, Observer, SearchNotes, Sources
from bot.dashboard.history import MOST_GAMES
from bot.engine_pool.pool import EnginePool
from bot.lichess.values import Account
from bot.move_sources import MoveSources
from bot.play.chat.chat_queue import ChatQueue
from bot.play.chat.commands import AccountFacts
from bot.play.game_context import GameContext
from bot.play.game_reviewer import GameReviewer
from bot.play.levels import LevelMemory
from bot.play.observer import Observers
from bot.play.outbox import LagMeter
from bot.service.build import arenas_of, gateway_of, review_of, start_engines, store_of
from bot.service.reload import ReloadOutcome, changed, merged, needs_restart, read_again
from bot.service.signals import ExitCode, Stopped, StopSignals
from bot.service.startup_checks import check_account
from bot.settings import Settings

RELOAD_POLL_S = 0.5

log = structlog.get_logger(__name__)


class Service:
    """Builds everything from the settings and runs it: `run()`, or `start()` and `close()` for callers with a loop.

    `prepare_engines(signals)` is called once token and account have been checked, `read_settings()` to read the
    configuration again on SIGHUP. `give_up_after_s` limits how long the start waits for a server that does not answer,
    None for no limit. Raises StartUpError, ConfigurationError and StoreError.
    """

    def __init__(
        self,
        settings: Settings,
        signals: StopSignals | None = None,
        prepare_engines: Callable[[StopSignals], object] = lambda _signals: None,
        read_settings: Callable[[], Settings] | None = None,
        give_up_after_s: float | None = None,
    ) -> None:
        """Open the store and prepare the gateway and the engine pool; nothing runs yet."""
        self.settings = settings
        self.signals = signals or StopSignals()
        self._prepare_engines = prepare_engines
        self._read_settings = read_settings
        self._give_up_after_s = give_up_after_s
        self.store = store_of(settings)
        self.gateway = gateway_of(settings, self.store)
        self.pool = EnginePool(settings.engines)
        self.account: Account | None = None
        self.dispatcher: Dispatcher | None = None
        self.meters, self.search_notes = Meters(), SearchNotes()
        self.observers = Observers(self.meters, self.search_notes)
        self.admission = Admission(self.store)
        self.observer = Observer(self._seen())
        served = settings.dashboard.enabled
        self.dashboard = DashboardServer(settings.dashboard, self.observer, self.meters) if served else None
        self.say: Callable[[str], object] = lambda _text: None  # for the person at the terminal
        self.user_lists = UserLists(settings, self.gateway.fetch_text, self.store)
        self.levels = LevelMemory()
        self._reloading = threading.Lock()
        self._games_at_end: Literal["finish", "leave"] | None = None
        self._look_up = GameLookUp(self.gateway.export_game)
        self._recorder: GameRecorder | None = None
        self._matches: MatchSender | None = None
        self.arenas: ArenaWorker | None = None
        self.visibility: VisibilityWatch | None = None
        self._chat: ChatQueue | None = None
        self._sources: MoveSources | None = None

    def _seen(self) -> Sources:
        """Return what pictures of the service are made of."""
        password = self.settings.dashboard.password
        return Sources(
            server_url=self.gateway.url,
            account=lambda: self.account.username if self.account is not None else None,
            snapshot=lambda: self.dispatcher.snapshot() if self.dispatcher is not None else None,
            engines=self.pool.snapshot,
            limits=self.gateway.limits.snapshot,
            limited=self.gateway.limits.limited_counts,
            ending=lambda: self.signals.asked,
            secrets=(self.settings.token, password.get_secret_value() if password is not None else ""),
            notes=self.search_notes,
            paused=lambda: self.admission.paused,
            played=lambda since_s: self.store.games(since_s, newest=MOST_GAMES),
            game=self.store.game,
            visibility=lambda: self.visibility.latest if self.visibility is not None else None,
            review=lambda game_id: review_of(self.settings, game_id),
        )

    # -- start-up ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Check the account, start the engines, then resume games and accept challenges; return when all runs."""
        self.observer.tail.install()
        if self.dashboard is not None:
            self.dashboard.start()
        self._sources = MoveSources(self.settings.move_sources, self.gateway.fetch_json)
        self.account = check_account(self.gateway, self.settings, self.signals, give_up_after_s=self._give_up_after_s)
        self.gateway.identify(self.account.username)
        self._prepare_engines(self.signals)
        start_engines(self.pool, self.signals)
        slots = Slots(slots_of(self.settings))
        self._matches = MatchSender(
            self.gateway,
            Matchmaker(self.settings.matchmaking, self.account.id, self.store),
            slots,
            self.settings,
            admission=self.admission,
            listed=self.user_lists.contains,
        )
        self.observers.add(self._matches)
        self.dispatcher = self._build_dispatcher(self.account, self._sources, slots, self._matches)
        if self._recorder is not None:
            self._recorder.start()
        self.arenas = arenas_of(self.gateway, self.settings, self.dispatcher, self.admission)
        self.observers.add(self.arenas)
        self.user_lists.start()
        self.dispatcher.start()
        self._matches.start()
        self.arenas.start()
        self.visibility = VisibilityWatch(self.gateway, self.account.id, self.gateway.url)
        self.visibility.start()
        log.info("ready", account=self.account.username, url=self.gateway.url, concurrency=self.settings.concurrency)

    def _build_dispatcher(
        self, account: Account, sources: MoveSources, slots: Slots, matches: MatchSender
    ) -> Dispatcher:
        self._chat = ChatQueue(self.gateway)
        self._recorder = GameRecorder(self.store, self._look_up, account.id, self.gateway.url, self._is_played)
        self.observers.add(self._recorder)
        context = GameContext(
            server=self.gateway,
            my_id=account.id,
            my_name=account.username,
            settings=self.settings,
            lend=self.pool.lend,
            lag=LagMeter(),
            chat=self._chat,
            source_for=sources.source_for,
            server_url=self.gateway.url,
            account=AccountFacts(results=partial(results_with, self.store)),
            levels=self.levels,
            observers=self.observers,
            review=GameReviewer(self.pool.lend, self._is_idle).review,
        )
        judge = ChallengeJudge(
            self.settings,
            slots,
            Profiles(self.gateway),
            recent_games=partial(recent_games_with, self.store),
            admission=self.admission,
            listed=self.user_lists.contains,
        )
        return Dispatcher(
            self.gateway,
            context,
            judge=judge,
            look_up=self._look_up,
            on_declined=matches.challenge_declined,
        )

    def _is_idle(self) -> bool:
        return self.dispatcher is not None and not self.dispatcher.snapshot().loops

    def _is_played(self, game_id: str) -> bool:
        record = self.dispatcher.slots.get(game_id) if self.dispatcher else None
        return record is not None and record.use.is_game

    # -- life -------------------------------------------------------------------------------------------------------

    def run(self) -> int:
        """Run from start-up until a signal; return the exit code. Only the main thread may call it."""
        with self.signals.installed(reload=True):
            try:
                self.start()
                while not self.signals.wait(RELOAD_POLL_S):
                    if self.signals.take_reload():
                        self.reload()
                return self._end()
            except Stopped:
                return ExitCode.OK
            finally:
                self.close()

    def reload(self) -> ReloadOutcome:
        """Reload the configuration; report what needs a restart, and keep the old one on an error."""
        with self._reloading:
            if self._read_settings is None or self.dispatcher is None:
                return ReloadOutcome(error="the bot is still starting; try again in a moment")
            wanted = read_again(self._read_settings)
            if isinstance(wanted, ReloadOutcome):
                return wanted
            taken, restart = changed(self.settings, wanted), needs_restart(self.settings, wanted)
            self.settings = merged(self.settings, wanted)
            self.user_lists.configure(self.settings)
            self.dispatcher.configure(self.settings)
        log.info("configuration_reloaded", changed=taken, holds_for="challenges and games from now on")
        if restart:
            log.warning("restart_needed", keys=restart, remedy="these keys take effect at the next start")
        return ReloadOutcome(taken, restart)

    def end(self, games: Literal["finish", "leave"]) -> None:
        """Let `run` return, overriding `shutdown.games`; a second call may change finish to leave."""
        self._games_at_end = games
        if not self.signals.asked:
            self.signals.ask()

    def _end(self) -> int:
        """Finish or leave the games after the first signal; return the exit code."""
        if self.dispatcher is None:
            return ExitCode.OK
        if self._matches is not None:
            self._matches.close()  # before the challenges without an answer are cancelled
        self.dispatcher.stop_accepting()
        if self.arenas is not None:
            self.arenas.close()
        running = len(self.dispatcher.snapshot().loops)
        games = self._games_at_end or self.settings.shutdown.games
        self.say(ending_text(running, leaves=games == "leave"))
        log.info("ending", signal=self.signals.last.name, games=games, running=running)
        deadline = time.monotonic() + self.settings.shutdown.timeout_s
        while (self._games_at_end or games) == "finish" and not self.dispatcher.wait_idle(0.2):
            if self.signals.forced:
                log.warning("forced_end", running=len(self.dispatcher.snapshot().loops))
                return 128 + self.signals.last
            if time.monotonic() > deadline:
                left = [loop.game_id for loop in self.dispatcher.snapshot().loops]
                log.warning(
                    "games_left", games=left, why="shutdown.timeout_s is over", remedy="start the bot again soon"
                )
                break
        return ExitCode.OK

    def close(self) -> None:
        """Stop everything now; running games continue at the server. Harmless when repeated."""
        self.observer.tail.remove()
        if self.dashboard is not None:
            self.dashboard.stop()
        account = (self.user_lists, self._matches, self.arenas, self.visibility, self.dispatcher)
        for part in (*account, self._look_up, self._chat, self.pool, self.gateway, self._sources, self.store):
            if part is not None:
                part.close()


def ending_text(running: int, *, leaves: bool) -> str:
    """Say what happens to the running games after the first signal."""
    if not running:
        return "Ending; no game is running."
    games, them = ("1 game", "it") if running == 1 else (f"{running} games", "them")
    if leaves:
        return f"Leaving {games}; the next start resumes {them}."
    return f"Finishing {games}. Press Ctrl-C again to leave {them}; the next start resumes {them}."
