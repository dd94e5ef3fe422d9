"""The engine as a library: answers, infos, stopping, pondering, threads, determinism."""

import queue
import threading
import time
from collections.abc import Iterator

import chess
import pytest

from engine88 import Engine, EngineOptions, Limits, Position, SearchInfo, Wdl
from engine88.contract import SearchProgress
from tests.engine88.games import compiled_only

DEADLINE_S = 120.0
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
MIDDLEGAME = "r1bq1rk1/pp4p1/2pb3p/1P1np3/PnQ5/5NPP/3N1PB1/R1B1K2R w KQ - 1 16"


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    """One engine for the tests that only search."""
    with Engine() as engine:
        yield engine


@pytest.fixture
def engine(shared: Engine) -> Engine:
    """The shared engine, as new."""
    shared.configure(EngineOptions())
    shared.new_game()
    return shared


@compiled_only("it searches thousands of nodes")
def test_it_answers_a_legal_move_with_its_line(engine: Engine) -> None:
    infos: list[SearchInfo] = []
    result = engine.search(Position.start(), Limits(depth=6), infos.append)
    assert result.best_move in {move.uci() for move in chess.Board().legal_moves}
    assert result.info is not None
    assert result.info.pv[0] == result.best_move
    assert result.ponder_move == (result.info.pv[1] if len(result.info.pv) > 1 else None)
    assert [info.depth for info in infos] == [1, 2, 3, 4, 5, 6]
    assert all(info.seldepth >= 1 and info.nodes > 0 and info.time_ms >= 0 and info.wdl is None for info in infos)
    assert engine.nodes == infos[-1].nodes


@compiled_only("it searches thousands of nodes")
def test_every_line_can_be_played(engine: Engine) -> None:
    infos: list[SearchInfo] = []
    engine.configure(EngineOptions(multipv=3))
    engine.search(Position.from_fen(MIDDLEGAME), Limits(depth=6), infos.append)
    assert {info.multipv for info in infos} == {1, 2, 3}
    for info in infos:
        board = chess.Board(MIDDLEGAME)
        for move in info.pv:
            board.push_uci(move)
    last = [info for info in infos if info.depth == 6]
    assert len({info.pv[0] for info in last}) == 3


@compiled_only("it searches thousands of nodes")
def test_the_same_search_twice_takes_the_same_nodes(engine: Engine) -> None:
    def once(limits: Limits) -> tuple[int, str | None]:
        engine.new_game()
        result = engine.search(Position.from_fen(MIDDLEGAME), limits)
        return engine.nodes, result.best_move

    assert once(Limits(depth=7)) == once(Limits(depth=7))
    assert once(Limits(nodes=20_000)) == once(Limits(nodes=20_000))


@compiled_only("it searches thousands of nodes")
def test_a_node_limit_holds(engine: Engine) -> None:
    engine.search(Position.start(), Limits(nodes=5_000))
    assert 0 < engine.nodes <= 5_000 + 512


def test_mate_is_found_and_told(engine: Engine) -> None:
    result = engine.search(Position.from_fen(MATE_IN_TWO), Limits(mate=2))
    assert result.info is not None
    assert (result.best_move, result.info.mate, result.info.score_cp) == ("a1a6", 2, None)


@pytest.mark.parametrize(
    ("fen", "mate"),
    [("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 0), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None)],
    ids=["mated", "stalemated"],
)
def test_a_finished_game_has_no_move(engine: Engine, fen: str, mate: int | None) -> None:
    result = engine.search(Position.from_fen(fen), Limits(depth=3))
    assert result.best_move is None
    assert result.info is not None
    assert result.info.mate == mate


def test_searchmoves_restrict_the_root(engine: Engine) -> None:
    result = engine.search(Position.start(), Limits(depth=4, searchmoves=("a2a3", "h2h3")))
    assert result.best_move in ("a2a3", "h2h3")
    with pytest.raises(ValueError, match="e2e5"):
        engine.search(Position.start(), Limits(depth=1, searchmoves=("e2e5",)))


def test_it_stops_from_another_thread(engine: Engine) -> None:
    seen = threading.Event()
    job = engine.start(Position.start(), Limits(infinite=True), lambda _: seen.set())
    assert seen.wait(DEADLINE_S)
    assert not job.done()
    engine.stop()
    assert job.result(DEADLINE_S).best_move is not None


def test_a_stop_right_after_the_start_is_not_lost(engine: Engine) -> None:
    for _ in range(20):
        job = engine.start(Position.from_fen(MIDDLEGAME), Limits(infinite=True))
        engine.stop()
        assert job.result(DEADLINE_S).best_move in Position.from_fen(MIDDLEGAME).legal_moves()


def test_a_search_without_time_still_sees_what_hangs(engine: Engine) -> None:
    position = Position.from_fen("3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    for _ in range(20):
        job = engine.start(position, Limits(infinite=True))
        engine.stop()
        assert job.result(DEADLINE_S).best_move == "d1d8"


def test_a_late_stop_does_not_end_the_next_search(engine: Engine) -> None:
    engine.search(Position.start(), Limits(movetime_ms=1))
    engine.stop()
    result = engine.search(Position.start(), Limits(depth=5))
    assert result.info is not None
    assert result.info.depth == 5


def test_analysis_yields_infos_and_ends_when_left(engine: Engine) -> None:
    depths = []
    for info in engine.analyse(Position.start(), Limits(infinite=True)):
        depths.append(info.depth)
        if info.depth == 4:
            break
    assert depths == [1, 2, 3, 4]
    assert [info.depth for info in engine.analyse(Position.start(), Limits(depth=3))] == [1, 2, 3]


def test_movetime_ends_a_search(engine: Engine) -> None:
    started_s = time.perf_counter()
    engine.search(Position.start(), Limits(movetime_ms=100))
    assert 0.05 <= time.perf_counter() - started_s < DEADLINE_S


def test_a_clock_ends_a_search(engine: Engine) -> None:
    result = engine.search(Position.start(), Limits(wtime_ms=1000, btime_ms=1000))
    assert result.best_move is not None


@compiled_only("it searches thousands of nodes")
def test_pondering_waits_for_the_hit(engine: Engine) -> None:
    job = engine.start(Position.from_fen(MATE_IN_TWO), Limits(ponder=True, wtime_ms=60_000, btime_ms=60_000))
    with pytest.raises(TimeoutError):
        job.result(0.2)
    engine.ponderhit()
    assert job.result(DEADLINE_S).best_move == "a1a6"


def test_pondering_with_movetime_thinks_that_time_after_the_hit(engine: Engine) -> None:
    job = engine.start(Position.start(), Limits(ponder=True, movetime_ms=50))
    hit_s = time.perf_counter()
    engine.ponderhit()
    job.result(DEADLINE_S)
    assert time.perf_counter() - hit_s >= 0.03


@compiled_only("it searches thousands of nodes")
@pytest.mark.parametrize("threads", [2, 4])
def test_several_threads_find_the_mate_and_count_all_nodes(engine: Engine, threads: int) -> None:
    engine.configure(EngineOptions(threads=threads))
    result = engine.search(Position.from_fen(MATE_IN_TWO), Limits(depth=12))
    assert result.best_move == "a1a6"
    engine.search(Position.start(), Limits(nodes=20_000))
    assert engine.nodes <= 20_000 + threads * 512
    assert engine.evaluation_note.startswith("evaluation: network")
    engine.configure(EngineOptions(threads=1))
    assert engine.search(Position.start(), Limits(depth=3)).best_move is not None


@compiled_only("it searches thousands of nodes")
def test_a_side_with_a_lone_minor_piece_is_not_saved_by_passing(engine: Engine) -> None:
    """After the rook's sacrifice Black, whose bishop still has moves, is mated only because it must move."""
    result = engine.search(Position.from_fen(MATE_IN_TWO), Limits(nodes=20_000))
    assert result.best_move == "a1a6"
    assert result.info is not None
    assert result.info.mate == 2


def test_hash_can_change_between_searches(engine: Engine) -> None:
    for hash_mb in (1, 32, 16):
        engine.configure(EngineOptions(hash_mb=hash_mb))
        assert engine.search(Position.start(), Limits(depth=4)).best_move is not None


def test_castling_is_named_as_the_position_wants_it(engine: Engine) -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    standard = engine.search(Position.from_fen(fen), Limits(depth=2, searchmoves=("e1g1",)))
    chess960 = engine.search(Position.from_fen(fen, chess960=True), Limits(depth=2, searchmoves=("e1h1",)))
    assert (standard.best_move, chess960.best_move) == ("e1g1", "e1h1")


def test_win_draw_loss_is_told_when_asked_for(engine: Engine) -> None:
    engine.configure(EngineOptions(show_wdl=True))
    result = engine.search(Position.from_fen(MATE_IN_TWO), Limits(depth=10))
    assert result.info is not None
    assert result.info.wdl == Wdl(1000, 0, 0)


def test_a_weakened_engine_thinks_little_and_varies_its_play(engine: Engine) -> None:
    engine.configure(EngineOptions(limit_strength=True, elo=1000))
    moves = set()
    for _ in range(20):
        engine.new_game()
        moves.add(engine.search(Position.start(), Limits(wtime_ms=60_000, btime_ms=60_000)).best_move)
        assert engine.nodes < 2_000
    assert len(moves) > 1


def test_a_weakened_engine_still_takes_the_queen(engine: Engine) -> None:
    engine.configure(EngineOptions(limit_strength=True, elo=1000))
    position = Position.from_fen("3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert {engine.search(position, Limits(depth=20)).best_move for _ in range(5)} == {"d1d8"}


def test_progress_tells_the_move_looked_at(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine88.control.running_search.FIRST_PROGRESS_S", 0.01)
    monkeypatch.setattr("engine88.control.running_search.PROGRESS_INTERVAL_S", 0.01)
    reports: queue.SimpleQueue[SearchProgress] = queue.SimpleQueue()
    job = engine.start(Position.from_fen(MIDDLEGAME), Limits(infinite=True), None, reports.put)
    report = reports.get(timeout=DEADLINE_S)
    engine.stop()
    job.result(DEADLINE_S)
    assert report.current_move in Position.from_fen(MIDDLEGAME).legal_moves()
    assert report.nodes > 0


def test_an_error_in_a_callback_reaches_the_caller(engine: Engine) -> None:
    def broken(_: SearchInfo) -> None:
        raise RuntimeError("the caller's own mistake")

    with pytest.raises(RuntimeError, match="own mistake"):
        engine.search(Position.start(), Limits(depth=3), broken)
    assert engine.search(Position.start(), Limits(depth=3)).best_move is not None
