"""The life of the bot: start-up, main loop, shutdown. Signals only set flags; the second ends it at once."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from bot.account.archive import GameArchive
from bot.account.dispatcher import Dispatcher
from bot.account.reconciler import EVERY_S
from bot.account.store import Store
from bot.app.signals import ExitCode, Stopped, StopSignals
from bot.app.startup_checks import check_account
from bot.engine_pool import EnginePool
from bot.errors import EngineStartError, StartUpError, StoreError
from bot.lichess import Account, Gateway
from bot.lichess.rate_limits import RateLimits
from bot.move_sources import MoveSources
from bot.play.actions import ChatLane
from bot.play.game_context import GameContext
from bot.play.game_loop import GameLoop
from bot.play.lag import LagMeter
from bot.settings import Settings

STREAMS_BESIDE_GAMES = 16
DAY_S = 86_400.0

log = structlog.get_logger(__name__)


class Service:
    """Builds everything from the settings and runs it: `run()`, or `start()` ... `close()` for who drives it himself.

    `on_game_over(loop)` hears of each finished game; `prepare_engines(signals)` is called once token and account are
    found right: what takes long and is worth showing. Raises StartUpError, ConfigurationError and StoreError.
    """

    def __init__(
        self,
        settings: Settings,
        signals: StopSignals | None = None,
        on_game_over: Callable[[GameLoop], None] = lambda _loop: None,
        prepare_engines: Callable[[StopSignals], None] = lambda _signals: None,
    ) -> None:
        self.settings = settings
        self.signals = signals or StopSignals()
        self._on_game_over = on_game_over
        self._prepare_engines = prepare_engines
        self.store = Store(settings.store)
        self.gateway = Gateway(
            settings.lichess.url,
            settings.token,
            limits=RateLimits(self.store),
            connections=settings.concurrency + STREAMS_BESIDE_GAMES,
            stream_silence_s=settings.lichess.stream_silence_s,
        )
        self.pool = EnginePool(settings.engines)
        self.account: Account | None = None
        self.dispatcher: Dispatcher | None = None
        self._chat: ChatLane | None = None

    # -- start-up ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Check, warm the engines, then take up running games and challenges. Returns when all this has begun."""
        sources = MoveSources(self.settings.move_sources, self.gateway.fetch_json)
        self.account = check_account(self.gateway, self.settings, self.signals)
        self.gateway.identify(self.account.username)
        self._start_engines()
        self.dispatcher = self._build_dispatcher(self.account, sources)
        self.dispatcher.start()
        log.info("ready", account=self.account.username, url=self.gateway.url, concurrency=self.settings.concurrency)

    def _start_engines(self) -> None:
        self._prepare_engines(self.signals)
        try:
            self.signals.run(self.pool.start)
        except EngineStartError as error:
            raise StartUpError(
                f"no engine runs: {error}", "try its command by hand, then correct `engines:`", ExitCode.ENGINE
            ) from error

    def _build_dispatcher(self, account: Account, sources: MoveSources) -> Dispatcher:
        self._chat = ChatLane(self.gateway.chat)
        context = GameContext(
            server=self.gateway,
            my_id=account.id,
            my_name=account.username,
            settings=self.settings,
            lend=self.pool.lend,
            lag=LagMeter(),
            chat=self._chat,
            source_for=sources.source_for,
        )
        archive = GameArchive(self.store, account.id, self.gateway.url, self.settings.pgn_folder)

        def over(loop: GameLoop) -> None:
            if loop.game is not None:
                archive.enter(loop.game.full, loop.game.state, loop.game.board)
            self._on_game_over(loop)

        return Dispatcher(
            self.gateway,
            context,
            on_game_over=over,
            games_today=self._games_today,
            reconcile_every_s=min(EVERY_S, self.settings.correspondence.check_in_every_s),
        )

    def _games_today(self, opponent_id: str) -> int:
        try:
            return len(self.store.games_since(time.time() - DAY_S, opponent_id))
        except StoreError as error:
            log.error("games_not_counted", opponent=opponent_id, error=str(error))
            return 0

    # -- life -------------------------------------------------------------------------------------------------------

    def run(self) -> int:
        """From start-up until a signal; gives the exit code. Only the main thread may call it."""
        with self.signals.installed():
            try:
                self.start()
                while not self.signals.wait(3600.0):
                    pass
                return self._end()
            except Stopped:
                return ExitCode.OK
            finally:
                self.close()

    def _end(self) -> int:
        """The first signal came: finish or leave the games. Gives the exit code."""
        if self.dispatcher is None:
            return ExitCode.OK
        self.dispatcher.stop_accepting()
        running = len(self.dispatcher.snapshot().loops)
        log.info("ending", signal=self.signals.last.name, games=self.settings.shutdown.games, running=running)
        if self.settings.shutdown.games == "finish":
            deadline = time.monotonic() + self.settings.shutdown.timeout_s
            while not self.dispatcher.wait_idle(0.2):
                if self.signals.forced:
                    log.warning("forced_end", running=len(self.dispatcher.snapshot().loops))
                    return 128 + self.signals.last
                if time.monotonic() > deadline:
                    log.warning("games_left", reason="shutdown.timeout_s is over")
                    break
        return ExitCode.OK

    def close(self) -> None:
        """End everything now; running games go on at the server. Harmless when repeated."""
        if self.dispatcher is not None:
            self.dispatcher.close()
        if self._chat is not None:
            self._chat.close()
        self.pool.close()
        self.gateway.close()
        self.store.close()
