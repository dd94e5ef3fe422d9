"""A game between two engines, and its moves in SAN."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import chess
import chess.pgn
import pytest

from engine88.rules.position import Position
from engine88.training.match.game import GameLimits, MatchGame, _ended, _go, _timeout_s, pgn_of, play_game, san
from engine88.training.match.uci_engine import UciEngine
from tests.engine88.training.match.engines import spec

FENS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/3p3k/8/Q2Q4/8/8/3Q4/Q3K3 w - - 0 1",  # three of a kind on one square
    "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1",  # mate
)


@pytest.mark.parametrize("fen", FENS)
def test_every_move_of_some_games(fen: str) -> None:
    chooser = random.Random(fen)
    board, position = chess.Board(fen), Position.from_fen(fen)
    for _ in range(40):
        for move in board.legal_moves:
            assert san(position, move.uci()) == board.san(move)
        if board.is_game_over():
            break
        move = chooser.choice(list(board.legal_moves))
        board.push(move)
        position = position.push(move.uci())


NODES = GameLimits(nodes=1, most_moves=30)


@pytest.fixture(name="best", scope="module")
def _best() -> Iterator[UciEngine]:
    engine = UciEngine(spec("best", "best"))
    yield engine
    engine.close()


def test_mate_ends_a_game_and_the_pgn_tells_it(best: UciEngine) -> None:
    fen = "6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 3 20"
    game = play_game((best, best), fen, NODES)
    assert (game.result, game.reason, game.moves) == ("0-1", "checkmate", ["a2a1"])
    assert game.half_points == 0
    read = chess.pgn.read_game(io.StringIO(pgn_of(game, {"Event": 'a "b"', "White": "A", "Black": "B"})))
    assert read is not None
    assert not read.errors
    assert read.headers["Result"] == "0-1"
    assert read.headers["Termination"] == "checkmate"
    assert read.end().board().fen() == chess.Board("6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 4 21").fen()
    assert "/7 " in read.end().comment


def test_a_long_game_is_drawn_and_its_pgn_holds_every_move(best: UciEngine) -> None:
    game = play_game((best, best), chess.STARTING_FEN, GameLimits(nodes=1, most_moves=5))
    assert (game.result, game.reason) == ("1/2-1/2", "too long")
    read = chess.pgn.read_game(io.StringIO(pgn_of(game, {"Event": "e"})))
    assert read is not None
    assert [move.uci() for move in read.mainline_moves()] == game.moves
    assert len(game.moves) == 10


def test_a_limit_is_told_as_pgn_spells_it_and_as_an_engine_is_asked() -> None:
    clock, nodes = GameLimits(base_ms=8000, increment_ms=80), GameLimits(nodes=5000)
    assert (clock.told(), nodes.told()) == ("8+0.08", "nodes 5000")
    assert _go(nodes, (1.0, 2.0)) == "go nodes 5000"
    assert _go(clock, (7999.6, 0.2)) == "go wtime 8000 btime 1 winc 80 binc 80"
    assert _timeout_s(clock, 8000.0) - _timeout_s(nodes, 8000.0) == 8.0


@pytest.mark.parametrize(
    ("mode", "reason"), [("crash", "engine failed: bad: has ended"), ("illegal", "illegal move a1a1")]
)
def test_who_fails_loses(best: UciEngine, mode: str, reason: str) -> None:
    for white in (True, False):
        bad = UciEngine(spec("bad", mode))
        try:
            game = play_game((bad, best) if white else (best, bad), chess.STARTING_FEN, NODES)
        finally:
            bad.close()
        assert game.result == ("0-1" if white else "1-0")
        assert game.reason.startswith(reason)


def test_who_oversteps_the_time_loses(best: UciEngine) -> None:
    slow = UciEngine(spec("slow", "slow"))
    try:
        game = play_game((slow, best), chess.STARTING_FEN, GameLimits(base_ms=300, increment_ms=10))
    finally:
        slow.close()
    assert (game.result, game.reason) == ("0-1", "time forfeit")


@pytest.mark.parametrize(
    ("white", "black", "moves", "ended"),
    [
        ([600] * 4, [-600] * 4, 8, ("1-0", "adjudication")),
        ([-700] * 4, [900] * 4, 8, ("0-1", "adjudication")),
        ([600] * 4, [-599] * 4, 8, ("*", "")),
        ([600] * 3, [-600] * 3, 6, ("*", "")),
        ([5] * 40, [-10] * 40, 80, ("1/2-1/2", "adjudication")),
        ([5] * 40, [-9] * 40, 80, ("1/2-1/2", "adjudication")),
        ([500] * 32 + [5] * 8, [-500] * 32 + [0] * 8, 80, ("1/2-1/2", "adjudication")),
        ([500] * 33 + [5] * 7, [-500] * 32 + [0] * 8, 80, ("*", "")),
        ([5] * 39, [-10] * 39, 78, ("*", "")),
        ([5] * 40, [-11] * 40, 80, ("*", "")),
        ([None] * 4, [-600] * 4, 8, ("*", "")),
    ],
)
def test_adjudication(white: list[int | None], black: list[int | None], moves: int, ended: tuple[str, str]) -> None:
    game = MatchGame(chess.STARTING_FEN, ["e2e4"] * moves, scores_cp=(white, black))
    assert _ended(game, Position.start(), GameLimits(nodes=1)) == ended
