"""One engine process: started, warmed, asked, watched, ended. Lives in the pool's thread."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path

import chess
import chess.engine
import structlog

from bot.engine_pool import watch
from bot.engine_pool.boards import legal_bestmove
from bot.engine_pool.options import environment, hint, settable, variants
from bot.engine_pool.protocol import WatchedUci
from bot.engine_pool.search_timeout import SearchTimeout
from bot.engine_pool.values import IllegalMove, OptionValue, Requirement
from bot.errors import EngineDied, EngineError, EngineStartError, EngineTimeout
from bot.settings import EngineEntry

log = structlog.get_logger(__name__)
Deliver = Callable[[chess.Move, chess.Move | None], None]
SETTLE_S = 2.0  # for `stop`, `isready` and the like of a local engine between games
QUIT_S = 1.0
REAP_S = 5.0  # after SIGKILL; only a process stuck in the kernel needs more than a moment
_LAUNCHER = str(Path(__file__).with_name("launch.py"))


class EngineProcess:
    """A running UCI engine. Made by `await EngineProcess.start(entry)`; useless once `trouble` is set."""

    def __init__(self, entry: EngineEntry, transport: asyncio.SubprocessTransport, protocol: WatchedUci) -> None:
        self.entry = entry
        self.protocol = protocol
        self.pid: int = transport.get_pid()
        self.games = 0
        self.on_lost: Callable[[EngineProcess], None] | None = None
        self._search: asyncio.Task[chess.engine.PlayResult] | None = None
        self._cpu_at_probe: float | None = None
        protocol.on_trouble = self._give_up

    @property
    def trouble(self) -> EngineError | None:
        """Why the process can no longer be used; None while it can."""
        return self.protocol.trouble

    @classmethod
    async def start(cls, entry: EngineEntry, born: Callable[[EngineProcess], None]) -> EngineProcess:
        """Start, greet, configure and warm up by one tiny search; `born` hears of the process as soon as it exists.

        Raises EngineStartError with the engine's last words; the process is gone then.
        """
        process = await cls._spawn(entry)
        born(process)
        try:
            async with asyncio.timeout(entry.start_timeout_s):
                await process.protocol.initialize()
                await process.protocol.configure(settable(entry.options))
                await process.protocol.ping()
                await process.protocol.play(chess.Board(), chess.engine.Limit(depth=1), game="warm-up")
        except TimeoutError:
            reason = f"not ready after {entry.start_timeout_s:g} s"
        except chess.engine.EngineError as error:
            reason = str(error)
        else:
            return process
        failure = EngineStartError(f"{entry.name}: {reason}{process.protocol.last_words()}: {hint(entry)}")
        process.protocol.fail(failure)
        raise failure

    @classmethod
    async def _spawn(cls, entry: EngineEntry) -> EngineProcess:
        launcher = [sys.executable, "-I", "-S", _LAUNCHER, str(os.getpid())] if os.name == "posix" else []
        try:
            transport, protocol = await asyncio.get_running_loop().subprocess_exec(
                WatchedUci,
                *launcher,
                *entry.argv,
                start_new_session=True,
                cwd=entry.working_dir,
                env=environment(entry),
            )
        except OSError as error:
            raise EngineStartError(f"{entry.name}: {error}: {hint(entry)}") from error
        return cls(entry, transport, protocol)

    def supports(self, requirement: Requirement) -> bool:
        """Whether the engine knows the variant and the castling notation that the game needs."""
        options = self.protocol.options
        if requirement.chess960 and "UCI_Chess960" not in options:
            return False
        return requirement.variant == "chess" or requirement.variant in variants(self.protocol)

    async def prepare(self, options: Mapping[str, OptionValue]) -> None:
        """Make ready for a new game, so that the first question finds an engine that only waits for `go`."""
        await self._within(self._new_game(options), "the preparation of a game")
        self.games += 1

    async def _new_game(self, options: Mapping[str, OptionValue]) -> None:
        defaults = {name: option.default for name, option in self.protocol.options.items() if not option.is_managed()}
        wanted = {**self.entry.options, **options}
        current = self.protocol.target_config
        back = {name: defaults[name] for name in current if name not in wanted and name in defaults}
        changed = {name: value for name, value in {**back, **wanted}.items() if current.get(name) != value}
        await self.protocol.configure(settable(changed))
        self.protocol.begin_game(object())
        await self.protocol.ping()

    async def settle(self) -> None:
        """End whatever search runs (pondering, too) and wait until the engine is idle."""
        await self._within(self.protocol.ping(), "the end of a search")

    async def _within(self, waiting: Coroutine[object, None, None], what: str) -> None:
        limit_s = watch.REMOTE_PATIENCE_S if self.entry.remote else SETTLE_S
        try:
            await asyncio.wait_for(waiting, limit_s)
        except TimeoutError:
            self.protocol.fail(EngineTimeout(f"{self.entry.name}: {what} took more than {limit_s:g} s"))
            raise self._reason() from None
        except chess.engine.EngineError as error:
            raise self._translate(error) from error

    async def ask(self, board: chess.Board, limit: chess.engine.Limit, ponder: bool, deliver: Deliver) -> None:
        """Let the engine choose a move; `deliver(move, ponder_move)` is called at its `bestmove`, if that is legal.

        Returns when python-chess has seen it, too; then the engine ponders if told to and if it named a move to expect.
        Raises EngineDied, EngineTimeout, EngineBabbles (the process is ended then) or IllegalMove.
        Cancelling ends the search.
        """

        overdue = SearchTimeout(self.protocol, self.entry.name, watch.patience(limit, board.turn))

        def on_bestmove(words: list[str]) -> None:
            overdue.end()
            found = legal_bestmove(board, words)
            if found is not None:
                deliver(*found)

        self.protocol.expect(on_bestmove)
        play = self.protocol.play(board, limit, game=self.protocol.game, ponder=ponder)
        search = self._search = asyncio.get_running_loop().create_task(play)
        try:
            result = await search
        except asyncio.CancelledError:
            if self.trouble is None:
                raise
            raise self._reason() from None
        except chess.engine.EngineError as error:
            raise self._translate(error) from error
        finally:
            overdue.end()
            if self._search is search:  # the next question may have begun before this one learns that it was given up
                self._search = None
        if not result.move:
            raise IllegalMove(f"{self.entry.name} gave no move")

    def _translate(self, error: chess.engine.EngineError) -> EngineError:
        if self.trouble is not None:
            return self._reason()
        if isinstance(error, chess.engine.EngineTerminatedError):
            return EngineDied(f"{self.entry.name}: {error}{self.protocol.last_words()}")
        if error.args and isinstance(error.args[0], ValueError):
            return IllegalMove(f"{self.entry.name}: {error}")
        return EngineError(f"{self.entry.name}: {error}")

    def _reason(self) -> EngineError:
        return self.trouble or EngineDied(f"{self.entry.name}: gone")

    def inspect(self, now: float) -> None:
        """Look at the engine once (the pool's tick): probe it, or end it when it gives no sign of life."""
        if self.trouble is not None:
            return
        verdict = watch.judge(self._signs(now))
        if verdict == "probe":
            self._cpu_at_probe = watch.cpu_seconds(self.pid)
            self.protocol.probe()
        elif verdict:
            self.protocol.fail(EngineTimeout(f"{self.entry.name}: {verdict}"))

    def _signs(self, now: float) -> watch.Signs:
        asked = self.protocol.probe_sent
        cpu_s = None
        if asked is not None and self._cpu_at_probe is not None:
            cpu = watch.cpu_seconds(self.pid)
            cpu_s = None if cpu is None else cpu - self._cpu_at_probe
        return watch.Signs(
            stopped=watch.process_state(self.pid) in ("T", "t"),
            searching=self.protocol.searching,
            silent_s=now - max(self.protocol.last_heard, self.protocol.last_go),
            waited_s=None if asked is None else now - asked,
            cpu_s=cpu_s,
            answers_probes=self.protocol.answers_probes,
            remote=self.entry.remote,
        )

    def _give_up(self, _trouble: EngineError) -> None:
        self.kill()
        if self._search is not None:
            self._search.cancel()
        elif self.on_lost is not None:
            self.on_lost(self)

    async def quit(self) -> None:
        """Ask the engine to leave, make it, and wait until the system has taken note. Again is harmless."""
        self.protocol.on_trouble = None
        self.protocol.muted = True
        if self.trouble is None:
            self.protocol.fail(EngineDied(f"{self.entry.name}: told to quit"))
            self.protocol.send_line("quit")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.protocol.exited.wait(), QUIT_S)
        self.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.protocol.exited.wait(), REAP_S)
        if self.protocol.transport is not None:
            self.protocol.transport.close()  # a child of the engine may still hold the other end of the pipes

    def kill(self) -> None:
        """End the process and its children at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.pid, signal.SIGKILL)
            elif self.protocol.transport is not None:
                self.protocol.transport.kill()
