"""The engine as a process: what GUIs, match runners and the bot see through the pipe."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import chess
import psutil
import pytest

from engine88.uci import loop
from tests.engine88.games import compiled_only
from tests.helpers.processes import is_running, wait_until
from tests.helpers.uci import UciProcess, engine_environment

UCI_LINE = re.compile(
    r"^(id (name|author) .+|option name .+ type (spin|check|string|button).*|uciok|readyok|info .+"
    r"|bestmove \S+( ponder \S+)?)$"
)
# The bar is 20 ms (benchmarks/latency.py uci); a busy machine gets fifty times as long.
STOP_S = 1.0


@pytest.fixture(scope="module")
def engine() -> Iterator[UciProcess]:
    """One warm engine for the tests that do not mind sharing it."""
    with UciProcess() as process:
        process.send("uci")
        process.wait_for("uciok")
        process.ready()
        yield process
        process.send("quit")
        assert process.wait_for_end() == 0


@compiled_only("nothing is compiled, and no progress reported")
def test_uciok_comes_before_anything_is_compiled(tmp_path: Path) -> None:
    """A first start: ``uci`` is answered, progress is reported, and ``quit`` is obeyed in the middle of it."""
    with UciProcess(engine_environment(ENGINE88_CACHE_DIR=str(tmp_path))) as process:
        process.send("uci", "isready")
        process.wait_for("uciok", 30.0)
        assert not list(tmp_path.rglob("*.nbi"))
        process.wait_for("info string compiling")
        compilers = psutil.Process(process.process.pid).children(recursive=True)
        assert compilers
        process.send("quit")
        assert process.wait_for_end(60.0) == 0
        assert "readyok" not in process.lines
        assert wait_until(lambda: not any(is_running(child.pid) for child in compilers))


def test_the_loop_answers_before_numba_is_loaded() -> None:
    """Loading it takes a second, compiling more; a GUI that gets no uciok gives up."""
    program = "import sys, engine88.uci.loop; print({'numba', 'numpy', 'engine88.uci.session'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "set()\n"


def test_the_compilers_progress_is_told_once_a_second_and_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([100.0, 100.9, 101.0, 101.1])
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    said: list[str] = []
    one = loop.UciLoop(said.append, lambda _write, _progress: pytest.fail("not asked for"), lambda: None)
    for done in (1, 2, 3, 4):
        one.progress(done, 4)
    assert [line.split(": ")[1] for line in said] == [f"{done} of 4 kernels" for done in (1, 3, 4)]


def test_a_command_before_the_engine_is_there_is_obeyed_later() -> None:
    with UciProcess() as process:
        process.send("position startpos moves e2e4", "go depth 3")
        best, _ = process.wait_for("bestmove")
        assert best.split()[1] in {move.uci() for move in chess.Board(BLACK_TO_MOVE).legal_moves}
        process.send("quit")
        assert process.wait_for_end() == 0


BLACK_TO_MOVE = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_the_end_of_input_ends_the_process_in_the_middle_of_a_search() -> None:
    with UciProcess() as process:
        process.ready()
        process.send("go infinite")
        process.wait_for("info depth")
        process.close_input()
        assert process.wait_for_end(60.0) == 0
        assert process.lines[-1].startswith("bestmove")


def test_piped_commands_are_obeyed_before_the_end_of_input_counts() -> None:
    with UciProcess() as process:
        process.ready()
        process.send("isready", "d", "isready")
        process.close_input()
        assert process.wait_for_end(60.0) == 0
        assert process.lines.count("readyok") == 3


def test_stop_is_answered_at_once(engine: UciProcess) -> None:
    engine.send("position startpos", "go infinite")
    engine.wait_for("info depth 5")
    sent_s = engine.send("stop")
    _, came_s = engine.wait_for("bestmove")
    assert came_s - sent_s < STOP_S


def test_an_answer_has_a_score_however_early_the_stop(engine: UciProcess) -> None:
    """GUIs that record the evaluation of each move find one."""
    engine.send("position startpos", "go infinite", "stop")
    engine.wait_for(lambda line: line.startswith("info depth 1 ") and " score cp " in line and " pv " in line)
    engine.wait_for("bestmove")


def test_nothing_is_said_before_stop_when_the_search_ends_by_itself(engine: UciProcess) -> None:
    """A mate in one searched forever: the answer waits for ``stop``."""
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go infinite")
    engine.wait_for(lambda line: "score mate 1" in line)
    engine.wait_for("info depth 20 ")
    engine.ready()
    assert not engine.lines[-2].startswith("bestmove")
    assert engine.ask("stop", "bestmove") == "bestmove a1a8"


def test_ponderhit_turns_the_clock_on(engine: UciProcess) -> None:
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    engine.wait_for("info depth 3")
    assert engine.ask("isready", "readyok") == "readyok"
    engine.send("ponderhit")
    engine.wait_for("bestmove", 60.0)


def test_a_ponder_miss_is_stopped(engine: UciProcess) -> None:
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 100000 btime 100000")
    engine.wait_for("info depth 3")
    sent_s = engine.send("stop")
    _, came_s = engine.wait_for("bestmove")
    assert came_s - sent_s < STOP_S


@compiled_only("it plays on a clock")
@pytest.mark.parametrize("left_ms", [1, 20, 50])
def test_a_dying_clock_is_answered_in_no_time(engine: UciProcess, left_ms: int) -> None:
    engine.send("position startpos moves d2d4 d7d5")
    engine.ready()
    sent_s = engine.send(f"go wtime {left_ms} btime 60000")
    _, came_s = engine.wait_for("bestmove")
    assert came_s - sent_s < STOP_S


GARBAGE = [
    "xyzzy",
    "position",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen nonsense",
    "position startpos moves e2e5",
    "position startpos moves e2e4 e2e4",
    "setoption name Hash value 0",
    "setoption name Nonsense value 1",
    "setoption",
    "setoption name UCI_Elo value abc",
    "\x00\x01\x7f",
    "日本 go",
]


@pytest.mark.parametrize("command", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_gives_one_explanation_and_the_loop_lives_on(engine: UciProcess, command: str) -> None:
    engine.ready()
    before = len(engine.lines)
    engine.send(command)
    engine.ready()
    said = engine.lines[before:-1]
    assert len(said) == 1
    assert said[0].startswith("info string ")
    assert "internal error" not in said[0]


def test_bytes_that_are_no_text_are_survived(engine: UciProcess) -> None:
    assert engine.process.stdin is not None
    engine.process.stdin.write(b"\xff\xfe\x80 junk\n\n   \n\r\n")
    engine.process.stdin.flush()
    engine.ready()
    assert engine.lines[-2].startswith("info string unknown command")


def test_windows_line_ends_are_read(engine: UciProcess) -> None:
    engine.send("isready\r")
    engine.wait_for("readyok")


@compiled_only("progress of compiling is another line before readyok")
def test_what_evaluates_is_told_once_with_the_first_search() -> None:
    with UciProcess() as process:
        process.send("uci")
        process.wait_for("uciok")
        before = len(process.lines)
        process.ready()
        assert not [line for line in process.lines[before:] if "evaluation" in line]
        for _ in range(2):
            process.send("go depth 1")
            process.wait_for("bestmove")
        assert len([line for line in process.lines if "evaluation: network" in line]) == 1
        process.send("quit")


def test_a_search_may_be_followed_by_another_without_waiting(engine: UciProcess) -> None:
    before = len(engine.lines)
    engine.send("position startpos", "go infinite", "go infinite", "go depth 2")
    for _ in range(3):
        engine.wait_for("bestmove")
    engine.ready()
    assert sum(line.startswith("bestmove") for line in engine.lines[before:]) == 3


def test_stop_without_a_search_says_nothing(engine: UciProcess) -> None:
    engine.ready()
    before = len(engine.lines)
    engine.send("stop", "ponderhit", "stop")
    engine.ready()
    assert engine.lines[before:] == ["readyok"]


def test_everything_on_stdout_is_uci(engine: UciProcess) -> None:
    """Runs last in this file: all that the tests above made the engine say."""
    engine.ready()
    strange = [line for line in engine.lines if not UCI_LINE.match(line)]
    assert strange == []
