"""engine88 under python-chess's engine driver, as match runners and the bot use it."""

from collections.abc import Iterator

import chess
import chess.engine
import pytest

from tests.helpers.uci import DEADLINE_S, ENGINE, engine_environment

Play = chess.engine.SimpleEngine
FAST = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.0, black_inc=0.0)


@pytest.fixture(scope="module")
def engine() -> Iterator[Play]:
    """One engine for all; python-chess sets the options each call asks for."""
    with Play.popen_uci(list(ENGINE), timeout=DEADLINE_S, env=engine_environment()) as engine:
        engine.ping()
        yield engine


def test_it_introduces_itself(engine: Play) -> None:
    assert engine.id["name"].startswith("engine88")
    assert {"Hash", "Threads", "Ponder", "MultiPV", "UCI_Chess960", "Move Overhead"} <= set(engine.options)


def test_a_game_on_the_clock_with_pondering(engine: Play) -> None:
    """Twenty moves of each side, each answered legally (python-chess refuses anything else) with its score and line."""
    board = chess.Board()
    for _ in range(40):
        if board.is_game_over():
            break
        result = engine.play(board, FAST, game="ponder", info=chess.engine.INFO_ALL, ponder=True)
        assert result.move is not None
        assert result.info["pv"][0] == result.move
        assert "score" in result.info
        board.push(result.move)
    assert board.ply() >= 40 or board.is_game_over()


def test_analysis_in_several_lines(engine: Play) -> None:
    infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3


def test_analysis_is_stopped(engine: Play) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
    assert analysis.wait().move in list(chess.Board().legal_moves)


def test_root_moves_and_mate(engine: Play) -> None:
    board = chess.Board()
    only = [chess.Move.from_uci("a2a3")]
    assert engine.play(board, chess.engine.Limit(depth=4), root_moves=only).move == only[0]
    mate = engine.analyse(chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), chess.engine.Limit(mate=2))
    assert mate["score"].white() == chess.engine.Mate(2)


def test_expectations_are_told(engine: Play) -> None:
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4))
    assert sum(info["wdl"].white()) == 1000
    engine.configure({"UCI_ShowWDL": False})


def test_chess960_games(engine: Play) -> None:
    """Both sides castle from strange places; python-chess judges the legality of every move."""
    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(30):
            if board.is_game_over():
                break
            result = engine.play(board, chess.engine.Limit(depth=3), game=number)
            assert result.move is not None
            board.push(result.move)


def test_chess960_castling_comes_over_the_wire(engine: Play) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R1K4R w HA - 0 1", chess960=True)
    castling = [move for move in board.legal_moves if board.is_castling(move)]
    assert castling
    assert engine.play(board, chess.engine.Limit(depth=2), root_moves=castling).move in castling


def test_a_weakened_engine_plays_on(engine: Play) -> None:
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1350})
    assert engine.play(chess.Board(), FAST).move in list(chess.Board().legal_moves)
    engine.configure({"UCI_LimitStrength": False})
