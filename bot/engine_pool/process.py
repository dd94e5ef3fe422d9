"""One engine process: started, warmed up, searching, monitored, ended. Lives in the pool's thread."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path

import chess
import chess.engine

from bot.engine_pool.health import HealthCheck
from bot.engine_pool.options import (
    ProcessShare,
    as_declared,
    environment,
    limited_strength,
    offered,
    resolve_auto,
    settable,
    start_hint,
    unknown_options,
    variants,
)
from bot.engine_pool.protocol import MonitoredUci
from bot.engine_pool.search import SearchTimeout, own_clock_s, search_deadline
from bot.engine_pool.values import IllegalMove, OptionValue, Requirement
from bot.errors import EngineDied, EngineError, EngineStartError, EngineTimeout
from bot.settings import EngineEntry

OnMove = Callable[[chess.Move], None]
WARM_UP = chess.engine.Limit(time=0.05)  # as in a game: what an engine loads at its first search is loaded by it
PREPARE_TIMEOUT_S = 30.0  # for options and `ucinewgame`, which may load a network or clear a large hash table
IDLE_TIMEOUT_S = 2.0  # for the end of a search after a game
REMOTE_IDLE_TIMEOUT_S = 6.0
QUIT_S = 1.0
REAP_S = 5.0  # after SIGKILL; only a process stuck in the kernel needs more than a moment
STDERR_S = 0.5  # for the last lines of an engine that ended at its start
_LAUNCHER = str(Path(__file__).with_name("launch.py"))


def legal_bestmove(board: chess.Board, words: list[str]) -> chess.Move | None:
    """Return the move of `bestmove MOVE [ponder MOVE]`; None if it is illegal."""
    try:
        return board.parse_uci(words[1].lower()) or None
    except (IndexError, ValueError):
        return None


_TASKKILL_S = 5.0


def kill_tree(pid: int) -> bool:
    """Kill a process that leads a group of its own, and its descendants; returns whether the system has a way to.

    POSIX kills the process group. Windows has `taskkill`, which walks the tree of processes; it takes some 100 ms.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        return True
    command = ["taskkill", "/F", "/T", "/PID", str(pid)]
    null = subprocess.DEVNULL
    try:
        subprocess.run(command, stdin=null, stdout=null, stderr=null, timeout=_TASKKILL_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return True


class EngineProcess:
    """A running UCI engine. Made by `await EngineProcess.start(entry, ...)`; unusable once `failure` is set."""

    def __init__(
        self, entry: EngineEntry, share: ProcessShare, transport: asyncio.SubprocessTransport, protocol: MonitoredUci
    ) -> None:
        self.entry = entry
        self.protocol = protocol
        self.pid: int = transport.get_pid()
        self.games = 0
        self.on_failed: Callable[[EngineProcess], None] | None = None
        self._share = share
        self._search: asyncio.Task[chess.engine.PlayResult] | None = None
        self.health = HealthCheck(entry, self.pid, protocol)
        protocol.on_failure = self._on_protocol_failure

    @property
    def failure(self) -> EngineError | None:
        """Why the process can no longer be used; None while it can."""
        return self.protocol.failure

    @classmethod
    async def start(
        cls, entry: EngineEntry, share: ProcessShare, on_spawned: Callable[[EngineProcess], None]
    ) -> EngineProcess:
        """Start an engine, set its options and let it search once, so that a game finds everything loaded.

        `on_spawned` is called as soon as the process exists. Start and first search may take `start_timeout_s` each.
        Raises EngineStartError with the engine's last output; the process is gone then.
        """
        process = await cls._spawn(entry, share)
        on_spawned(process)
        phase, problem = "did not get ready", ""
        try:
            async with asyncio.timeout(entry.start_timeout_s):
                await process.protocol.initialize()
                if problem := unknown_options(settable(entry.options), process.protocol.options):
                    raise chess.engine.EngineError(problem)
                await process.protocol.configure(settable(process._resolved(entry.options)))
                await process.protocol.ping()
            phase = "did not finish its first search"
            async with asyncio.timeout(entry.start_timeout_s):
                await process.protocol.play(chess.Board(), WARM_UP, game="warm-up")
        except TimeoutError:
            reason = f"{phase} in {entry.start_timeout_s:g} s"
        except chess.engine.EngineError as error:
            reason = await process._reason_with_stderr(error)
        else:
            return process
        if not problem:
            reason += f"{process.protocol.output_tail()}: {start_hint(entry)}"
        failure = EngineStartError(f"{entry.name}: {reason}")
        process.protocol.fail(failure)
        raise failure

    async def _reason_with_stderr(self, error: chess.engine.EngineError) -> str:
        """The end of a process may be noticed before its last output is read."""
        if isinstance(error, chess.engine.EngineTerminatedError):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.protocol.stderr_closed.wait(), STDERR_S)
        return str(error)

    @classmethod
    async def _spawn(cls, entry: EngineEntry, share: ProcessShare) -> EngineProcess:
        launcher = [sys.executable, "-I", "-S", _LAUNCHER, str(os.getpid())] if os.name == "posix" else []
        try:
            transport, protocol = await asyncio.get_running_loop().subprocess_exec(
                MonitoredUci,
                *launcher,
                *entry.argv,
                start_new_session=True,
                cwd=entry.working_dir,
                env=environment(entry),
            )
        except OSError as error:
            raise EngineStartError(f"{entry.name}: {error}: {start_hint(entry)}") from error
        return cls(entry, share, transport, protocol)

    def _resolved(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        return resolve_auto(options, self.protocol.options, self._share)

    @property
    def elo(self) -> int | None:
        """The strength that the engine is limited to, None for all it has."""
        config = self.protocol.target_config
        limited, elo = config.get("UCI_LimitStrength"), config.get("UCI_Elo")
        return elo if limited is True and isinstance(elo, int) else None

    def supports(self, requirement: Requirement) -> bool:
        """Whether the engine knows the variant and the castling notation that the game needs."""
        if requirement.chess960 and "UCI_Chess960" not in self.protocol.options:
            return False
        return requirement.variant == "chess" or requirement.variant in variants(self.protocol)

    async def prepare(self, options: Mapping[str, OptionValue], elo: int | None = None) -> None:
        """Make ready for a new game, so that its first search finds an engine that only waits for `go`.

        Options that the engine does not have are left out; `elo`: the strength to play at. Raises EngineError.
        """
        levels = {} if elo is None else limited_strength(elo, self.protocol.options)
        await self._within(PREPARE_TIMEOUT_S, self._new_game({**options, **levels}), "the preparation of a game")
        self.games += 1

    async def _new_game(self, options: Mapping[str, OptionValue]) -> None:
        declared = self.protocol.options
        defaults = {name: option.default for name, option in declared.items() if not option.is_managed()}
        game = as_declared(offered(options, declared, self.entry.name), declared)
        wanted = self._resolved({**as_declared(self.entry.options, declared), **game})
        current = self.protocol.target_config
        reset = {name: default for name, default in defaults.items() if name in current and name not in wanted}
        changed = {name: value for name, value in {**reset, **wanted}.items() if current.get(name) != value}
        await self.protocol.configure(settable(changed))
        self.protocol.begin_game(object())
        await self.protocol.ping()

    async def wait_until_idle(self) -> None:
        """End whatever search runs (pondering, too) and wait until the engine is idle. Raises EngineError."""
        timeout_s = REMOTE_IDLE_TIMEOUT_S if self.entry.remote else IDLE_TIMEOUT_S
        await self._within(timeout_s, self.protocol.ping(), "the end of a search")

    async def _within(self, timeout_s: float, waiting: Coroutine[object, None, None], what: str) -> None:
        try:
            await asyncio.wait_for(waiting, timeout_s)
        except TimeoutError:
            self.protocol.fail(EngineTimeout(f"{self.entry.name}: {what} took more than {timeout_s:g} s"))
            raise self._reason() from None
        except chess.engine.EngineError as error:
            raise self._translate(error) from error

    async def search(self, board: chess.Board, limit: chess.engine.Limit, ponder: bool, on_move: OnMove) -> None:
        """Let the engine choose a move; `on_move(move)` is called at its `bestmove`, if that is legal.

        Returns once python-chess has processed it; the engine then ponders if enabled and a reply is predicted.
        Raises EngineDied, EngineTimeout, EngineProtocolError (the process is ended then) or IllegalMove.
        Cancelling ends the search.
        """
        timeout = SearchTimeout(self.protocol, self.entry.name, search_deadline(limit, board.turn))
        self.health.clock_s = own_clock_s(limit, board.turn)

        def on_bestmove(words: list[str]) -> None:
            timeout.cancel()
            self.health.clock_s = None
            move = legal_bestmove(board, words)
            if move is not None:
                on_move(move)

        self.protocol.begin_search(on_bestmove)
        play = self.protocol.play(board, limit, game=self.protocol.game, ponder=ponder)
        search = self._search = asyncio.get_running_loop().create_task(play)
        try:
            result = await search
        except asyncio.CancelledError:
            if self.failure is None:
                raise
            raise self._reason() from None
        except chess.engine.EngineError as error:
            raise self._translate(error) from error
        finally:
            timeout.cancel()
            if self._search is search:  # the next search may have begun before this one's cancellation arrives
                self._search = None
        if not result.move:
            raise IllegalMove(f"{self.entry.name} gave no move")

    def _translate(self, error: chess.engine.EngineError) -> EngineError:
        if self.failure is not None:
            return self._reason()
        if isinstance(error, chess.engine.EngineTerminatedError):
            return EngineDied(f"{self.entry.name}: {error}{self.protocol.output_tail()}")
        if error.args and isinstance(error.args[0], ValueError):
            return IllegalMove(f"{self.entry.name}: {error}")
        return EngineError(f"{self.entry.name}: {error}")

    def _reason(self) -> EngineError:
        return self.failure or EngineDied(f"{self.entry.name}: gone")

    def _on_protocol_failure(self, _failure: EngineError) -> None:
        self.kill()
        if self._search is not None:
            self._search.cancel()
        elif self.on_failed is not None:
            self.on_failed(self)

    async def quit(self) -> None:
        """Send `quit`, kill what does not obey, and wait until the system has noticed the end. Idempotent."""
        self.protocol.on_failure = None
        self.protocol.output_ignored = True
        if self.failure is None:
            self.protocol.fail(EngineDied(f"{self.entry.name}: asked to quit"))
            self.protocol.send_line("quit")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.protocol.exited.wait(), QUIT_S)
        self.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.protocol.exited.wait(), REAP_S)
        if self.protocol.transport is not None:
            self.protocol.transport.close()  # a child of the engine may still hold the other end of the pipes

    def kill(self) -> None:
        """Kill the process and all that it started at once."""
        if not kill_tree(self.pid) and self.protocol.transport is not None:
            with contextlib.suppress(ProcessLookupError):
                self.protocol.transport.kill()
