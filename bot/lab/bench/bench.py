"""The tests of an engine: legal moves, mates, clocks, a long game, memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess
import chess.engine

from bot.dashboard.picture import resident_bytes
from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.values import Answer, Requirement
from bot.lab.bench.positions import MATES, forces_mate, long_game, positions
from bot.lab.players import Contestant

STAGE_S = 120.0  # a slow engine is asked about fewer positions
CLOCKS = ((60.0, 0.0), (10.0, 0.1), (2.0, 0.0), (0.5, 0.1), (0.1, 0.0))
LONG_GAME_PLIES = 600
_MEMORY_GROWTH = 1.5
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong in a position, and what was expected."""

    text: str
    expected: str
    board: chess.Board | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One part of the bench: what was tried, and what was found."""

    name: str
    summary: str
    findings: tuple[Finding, ...] = ()


def run_bench(player: Contestant, count: int, seed: int, progress: Callable[[str], None]) -> Iterator[Stage]:
    """Yield the stages as they end. Raises EngineStartError."""
    with EnginePool([player.entry], fallback=None) as pool:
        chess960 = Requirement(elo=player.elo, chess960=True)
        plays_chess960 = pool.supports(chess960)
        bench = _Bench(pool, Requirement(elo=player.elo), progress)
        yield bench.legal_moves("legal moves", count, seed)
        if plays_chess960:
            bench_960 = _Bench(pool, chess960, progress)
            yield bench_960.legal_moves("Chess960", max(1, count // 4), seed, chess960=True)
            bench_960.engine.give_back()
        yield bench.mates()
        yield bench.clocks()
        yield bench.long_game()
        bench.engine.give_back()


class _Bench:
    def __init__(self, pool: EnginePool, requirement: Requirement, progress: Callable[[str], None]) -> None:
        self.engine: EngineLease = pool.lend(requirement)
        self._progress = progress

    def _ask(self, board: chess.Board, limit: chess.engine.Limit) -> tuple[Answer, float]:
        """Return the answer and the seconds that it took."""
        begun_s = time.monotonic()
        answer = self.engine.ask(board, limit)
        assert answer is not None  # it is always wanted
        return answer, time.monotonic() - begun_s

    def legal_moves(self, name: str, count: int, seed: int, *, chess960: bool = False) -> Stage:
        """Ask for a move in each position, at depth 1."""
        findings: list[Finding] = []
        asked, deadline = 0, time.monotonic() + STAGE_S
        for position in positions(count, seed, chess960=chess960):
            if time.monotonic() > deadline:
                break
            answer, _spent_s = self._ask(position.board, chess.engine.Limit(time=5.0, depth=1))
            asked += 1
            self._progress(f"{name}: {asked} of {count} positions")
            board = position.board
            findings += [Finding(f"{position.trap}: {fault}", _legal(board), board) for fault in _faults(answer)]
        left = f"; the other {count - asked} took too long" if asked < count else ""
        return Stage(name, f"{asked} positions{left}", tuple(findings))

    def mates(self) -> Stage:
        """Ask for mates in one and two."""
        findings, solved = [], 0
        for number, (moves, fen) in enumerate(MATES, 1):
            self._progress(f"mates: {number} of {len(MATES)}")
            board = chess.Board(fen)
            answer, _spent_s = self._ask(board, chess.engine.Limit(time=5.0))
            if answer.move is not None and _is_right(board, answer.move, moves):
                solved += 1
                continue
            played = board.san(answer.move) if answer.move is not None else str(answer.error)
            best = [board.san(move) for move in board.legal_moves if _is_right(board, move, moves)]
            findings.append(Finding(f"mate in {moves}: it played {played}", f"expected {' or '.join(best)}", board))
        return Stage("mates", f"{solved} of {len(MATES)} found", tuple(findings))

    def clocks(self) -> Stage:
        """Ask for a move with much and with little time."""
        findings: list[Finding] = []
        longest = 0.0
        for clock_s, increment_s in CLOCKS:
            name = f"{clock_s:g}+{increment_s:g}"
            self._progress(f"clocks: {name}")
            board = chess.Board()
            limit = chess.engine.Limit(
                white_clock=clock_s, black_clock=clock_s, white_inc=increment_s, black_inc=increment_s
            )
            answer, spent_s = self._ask(board, limit)
            share = (spent_s - increment_s) / clock_s
            longest = max(longest, share)
            expected = "expected a move in time"
            findings += [Finding(f"{name}: {fault}", expected, board) for fault in _faults(answer)]
            if share > 1 and not answer.faults:
                findings.append(Finding(f"{name}: the first move took {spent_s:.2f} s", f"the clock had {clock_s:g} s"))
        return Stage("clocks", f"at most {max(0.0, longest):.0%} of the clock for a first move", tuple(findings))

    def long_game(self) -> Stage:
        """Follow a game of 300 moves; the engine's memory should not grow with it."""
        findings: list[Finding] = []
        game = long_game(LONG_GAME_PLIES)
        board = chess.Board()
        first = 0
        for ply, move in enumerate(game.move_stack):
            if ply % 20 == 0 or ply == LONG_GAME_PLIES - 1:
                self._progress(f"a long game: move {board.fullmove_number}")
                answer, _spent_s = self._ask(board, chess.engine.Limit(time=5.0, depth=1))
                where = f"move {board.fullmove_number}"
                findings += [Finding(f"{where}: {one}", _legal(board), board.copy()) for one in _faults(answer)]
            if ply == LONG_GAME_PLIES // 3:
                first = _memory(self.engine.pid)
            board.push(move)
        last = _memory(self.engine.pid)
        if first and last > _MEMORY_GROWTH * first + 50 * _MIB:
            text = f"its memory grew from {first // _MIB} to {last // _MIB} MiB between moves 100 and 300"
            findings.append(Finding(text, "expected about the same; does a table grow without limit?"))
        memory = f", {last // _MIB} MiB" if last else ""
        return Stage("a game of 300 moves", f"{LONG_GAME_PLIES // 2} moves{memory}", tuple(findings))


def _faults(answer: Answer) -> tuple[str, ...]:
    return answer.faults if answer.move is not None else (*answer.faults, str(answer.error))


def _is_right(board: chess.Board, move: chess.Move, moves: int) -> bool:
    board = board.copy(stack=False)
    board.push(move)
    return forces_mate(board, moves - 1)


def _legal(board: chess.Board) -> str:
    moves = sorted(map(board.san, board.legal_moves))
    more = f" and {len(moves) - 12} more" if len(moves) > 12 else ""
    return f"legal are {', '.join(moves[:12])}{more}"


def _memory(pid: int | None) -> int:
    return 0 if pid is None else resident_bytes(pid) or 0
