"""The test bench: positions with all traps, what it finds in bad engines, and wrong move generators."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from bot.errors import ConfigurationError, EngineStartError
from bot.lab.bench import bench
from bot.lab.bench.bench import Stage, run_bench
from bot.lab.bench.perft import compare, load_function
from bot.lab.bench.positions import MATES, TRAPS, forces_mate, long_game, positions
from bot.lab.players import parse_player
from tests.helpers.python_engines import write

ENGINES = Path(__file__).with_name("engines")
FIRST = "        return next(iter(board.legal_moves))\n"


def silent(_text: str) -> None:
    """No progress is shown."""


def stages(path: Path | str, count: int = 40) -> dict[str, Stage]:
    """Run the bench on an engine."""
    return {stage.name: stage for stage in run_bench(parse_player(str(path), slots=1, spares=0), count, 0, silent)}


def test_a_thousand_positions_have_every_trap() -> None:
    boards = [position.board for position in positions(1000)]
    moves = [(board, move) for board in boards for move in board.legal_moves]
    assert len(boards) == 1000
    assert {position.trap for position in positions(1000)} == {trap for trap, _fen in TRAPS}
    for kind in (chess.Board.is_en_passant, chess.Board.is_kingside_castling, chess.Board.is_queenside_castling):
        assert sum(kind(board, move) for board, move in moves) > 10, kind
    assert sum(move.promotion == chess.KNIGHT for _board, move in moves) > 10
    assert sum(board.is_check() for board in boards) > 50
    assert [position.board.fen() for position in positions(50)] == [board.fen() for board in boards[:50]]


def test_chess960_positions_castle() -> None:
    boards = [position.board for position in positions(200, chess960=True)]
    assert all(board.chess960 for board in boards)
    assert any(board.is_castling(move) for board in boards for move in board.legal_moves)


@pytest.mark.parametrize(("moves", "fen"), MATES)
def test_every_mate_is_one_and_none_is_shorter(moves: int, fen: str) -> None:
    board = chess.Board(fen)
    right: dict[int, list[chess.Move]] = {1: [], 2: []}
    for move in list(board.legal_moves):
        board.push(move)
        for length, found in right.items():
            if forces_mate(board, length - 1):
                found.append(move)
        board.pop()
    assert right[moves]
    assert moves == 1 or not right[1]


def test_a_long_game_is_not_over() -> None:
    board = long_game(600)
    assert len(board.move_stack) == 600
    assert any(board.legal_moves)
    assert len(board.piece_map()) > 10


def test_a_sound_engine_passes(tmp_path: Path) -> None:
    source = """
    import chess
    class Good:
        chess960 = True
        def choose_move(self, board, limit):
            def mates(moves):
                return [move for move in moves if self.is_mate(board, move)]
            moves = list(board.legal_moves)
            return (mates(moves) or self.second(board, moves) or moves)[0]
        def second(self, board, moves):
            if len(board.piece_map()) > 7:
                return []
            good = []
            for move in moves:
                board.push(move)
                replies = list(board.legal_moves)
                if replies and all(self.answers(board, reply) for reply in replies):
                    good.append(move)
                board.pop()
            return good
        def answers(self, board, reply):
            board.push(reply)
            found = any(self.is_mate(board, move) for move in board.legal_moves)
            board.pop()
            return found
        def is_mate(self, board, move):
            board.push(move)
            found = board.is_checkmate()
            board.pop()
            return found
    """
    found = stages(write(tmp_path, source), 20)
    assert list(found) == ["legal moves", "Chess960", "mates", "clocks", "a game of 300 moves"]
    assert {name: stage.findings for name, stage in found.items() if stage.findings} == {}
    assert found["legal moves"].summary == "20 positions"
    assert found["mates"].summary == f"{len(MATES)} of {len(MATES)} found"


def test_an_engine_that_forgets_rules_is_shown_where(tmp_path: Path) -> None:
    """It takes pseudo-legal moves for legal ones, and cannot cope with a long game."""
    source = """
    class Hasty:
        def choose_move(self, board, limit):
            if len(board.move_stack) > 500:
                raise MemoryError("too many positions")
            return list(board.pseudo_legal_moves)[-1]
    """
    found = stages(write(tmp_path, source), 200)
    assert "Chess960" not in found  # it does not declare it
    findings = found["legal moves"].findings
    assert any("the king would be in check" in finding.text for finding in findings)
    assert all(finding.board is not None and finding.expected.startswith("legal are ") for finding in findings)
    assert found["mates"].findings
    assert any("MemoryError: too many positions" in finding.text for finding in found["a game of 300 moves"].findings)


def test_an_engine_that_ignores_its_clock_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "CLOCKS", ((2.0, 0.0),))
    head = "import time\nclass Slow:\n    def choose_move(self, board, limit):\n"
    sleep = "        time.sleep(100 * bool(limit.white_clock))\n"
    found = stages(write(tmp_path, head + sleep + FIRST), 5)
    assert found["legal moves"].findings == ()
    (finding,) = found["clocks"].findings
    assert finding.text.startswith("2+0: ")
    assert "still running after" in finding.text


def test_what_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(EngineStartError, match=r"my_engine\.py:1: SyntaxError"):
        stages(write(tmp_path, "class Mine\n"))


# -- move generators ------------------------------------------------------------------------------------------------


def divide(board: chess.Board, depth: int, wrong: Callable[[chess.Board, chess.Move], bool]) -> dict[str, int]:
    """Count below each move, as an author's generator that leaves out wrong moves does."""
    counts = {}
    for move in list(board.legal_moves):
        if not wrong(board, move):
            board.push(move)
            counts[move.uci()] = sum(divide(board, depth - 1, wrong).values()) if depth > 1 else 1
            board.pop()
    return counts


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count to depth 2 in one known position; all the traps stay."""
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    monkeypatch.setattr("bot.lab.bench.perft.KNOWN", ((fen, 2),))


def test_a_right_generator_passes_with_numbers_and_with_dictionaries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)

    def by_move(fen: str, depth: int) -> dict[str, int]:
        return divide(chess.Board(fen), depth, lambda _board, _move: False)

    assert compare(by_move, tmp_path, silent) is None
    assert compare(lambda fen, depth: sum(by_move(fen, depth).values()), tmp_path, silent) is None


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (chess.Board.is_en_passant, r"the move .* \(.*, en passant\) is missing"),
        (chess.Board.is_queenside_castling, r"the move O-O-O \(e1c1, castling\) is missing"),
        (lambda _board, move: move.promotion == chess.KNIGHT, r"the move .*=N.* \(.*n, promotion\) is missing"),
    ],
)
def test_the_first_move_that_is_missing_is_named(
    wrong: Callable[[chess.Board, chess.Move], bool], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    finding = compare(lambda fen, depth: divide(chess.Board(fen), depth, wrong), tmp_path, silent)
    assert finding is not None
    assert finding.board is not None
    assert re.fullmatch(text, finding.text), finding.text
    numbers = compare(lambda fen, depth: sum(divide(chess.Board(fen), depth, wrong).values()), tmp_path, silent)
    assert numbers is not None
    assert numbers.board is not None
    assert numbers.board.fen() == finding.board.fen()
    assert "it counts" in numbers.text


def test_an_extra_move_and_an_exception_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)

    def extra(fen: str, depth: int) -> dict[str, int]:
        return divide(chess.Board(fen), depth, lambda _board, _move: False) | {"a1a1": 1}

    finding = compare(extra, tmp_path, silent)
    assert finding is not None
    assert (finding.text, finding.expected) == ("the move a1a1 is generated", "it is illegal")
    no_moves: dict[str, int] = {}
    broken = compare(lambda _fen, _depth: no_moves["e2e4"], tmp_path, silent)
    assert broken is not None
    assert "KeyError" in broken.text


def test_a_generator_is_found_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = write(tmp_path, "def count(fen, depth):\n    return 7\n", "own_board_88.py")
    assert load_function(f"{path}:count")("", 1) == 7
    with pytest.raises(ConfigurationError, match=r"write a function missing\(fen, depth\)"):
        load_function(f"{path}:missing")
    with pytest.raises(ConfigurationError, match="no_such_module_88"):
        load_function("no_such_module_88:perft")
