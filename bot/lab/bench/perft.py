"""Compare a move generator with python-chess, down to the first move that differs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import chess

from bot.engine_pool.python_engine.author_file import describe
from bot.errors import ConfigurationError
from bot.lab.bench.bench import Finding
from bot.lab.bench.positions import TRAPS

#: Positions that are known for the errors they find, with the depth to which they are counted.
KNOWN = (
    (chess.STARTING_FEN, 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
)

Perft = Callable[[str, int], Any]


def load_function(spec: str) -> Perft:
    """Import MODULE:FUNCTION, the module also as a file. Raises ConfigurationError."""
    name, _, function = spec.partition(":")
    path = Path(name)
    folder = path.resolve().parent if path.suffix == ".py" else Path.cwd()
    sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module(path.stem if path.suffix == ".py" else name)
    except (Exception, SystemExit) as error:
        raise ConfigurationError(f"--perft {spec}: {describe(error, folder)}") from error
    found = getattr(module, function or "perft", None)
    if not callable(found):
        raise ConfigurationError(f"--perft {spec}: write a function {function or 'perft'}(fen, depth)")
    return found  # type: ignore[no-any-return]  # whatever the author wrote


def compare(perft: Perft, folder: Path, progress: Callable[[str], None]) -> Finding | None:
    """Return the first difference in a list of positions, None if there is none.

    `perft(fen, depth)` returns the number of move sequences of that length, or a dictionary with that number for each
    first move, such as {"e2e4": 20}: then a missing or an extra move is named.
    """
    cases = [*KNOWN, *((fen, 2) for _trap, fen in TRAPS)]
    for number, (fen, depth) in enumerate(cases, 1):
        progress(f"perft: {number} of {len(cases)} positions, depth {depth}")
        board = chess.Board(fen)
        try:
            found = _difference(perft, board, depth)
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- the author's; it is reported
            return Finding(describe(error, folder), f"perft({fen!r}, {depth}) should return a number", board)
        if found is not None:
            return found
    return None


def _difference(perft: Perft, board: chess.Board, depth: int) -> Finding | None:
    """Follow a wrong number down to the position whose moves are wrong."""
    result, expected = perft(board.fen(), depth), {move.uci(): _count(board, move, depth) for move in board.legal_moves}
    if isinstance(result, Mapping):
        given = {str(move): count for move, count in result.items()}
        if wrong := _wrong_moves(board, set(given), set(expected)):
            return wrong
        differing = [move for move, count in expected.items() if given[move] != count]
    elif result == sum(expected.values()):
        return None
    elif (count := perft(board.fen(), 1)) != len(expected) or depth == 1:
        legal = ", ".join(sorted(expected))
        return Finding(f"it counts {count} moves", f"there are {len(expected)}: {legal}", board.copy())
    else:
        differing = list(expected)
    for uci in differing:
        board.push_uci(uci)
        found = _difference(perft, board, depth - 1) if depth > 1 else None
        board.pop()
        if found is not None:
            return found
    if not differing:
        return None
    return Finding(f"perft at depth {depth} is {result}", f"it should be {sum(expected.values())}", board.copy())


def _wrong_moves(board: chess.Board, given: set[str], expected: set[str]) -> Finding | None:
    if missing := sorted(expected - given):
        return Finding(f"the move {_named(board, missing[0])} is missing", "it is legal", board.copy())
    if extra := sorted(given - expected):
        return Finding(f"the move {extra[0]} is generated", "it is illegal", board.copy())
    return None


def _named(board: chess.Board, uci: str) -> str:
    move = chess.Move.from_uci(uci)
    kinds = (
        ("en passant", board.is_en_passant(move)),
        ("castling", board.is_castling(move)),
        ("promotion", move.promotion is not None),
    )
    kind = next((name for name, fits in kinds if fits), "")
    return f"{board.san(move)} ({uci}{', ' + kind if kind else ''})"


def _count(board: chess.Board, move: chess.Move, depth: int) -> int:
    board.push(move)
    count = _perft(board, depth - 1)
    board.pop()
    return count


def _perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    return sum(_count(board, move, depth) for move in board.legal_moves)
