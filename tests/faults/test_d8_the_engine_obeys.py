"""D8: the engine ends on `quit` or closed input in any state, stops a perft, and survives hostile options."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.examples import first_quick
from tests.helpers.uci import ENGINE, UciProcess, engine_environment

END_S = 20.0


@pytest.fixture
def engine() -> Iterator[UciProcess]:
    with UciProcess() as process:
        process.ready()
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("end", ["quit\n", ""], ids=["quit", "closed input"])
def test_an_engine_whose_output_nobody_reads_ends(end: str) -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=engine_environment()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(b"isready\n")
            process.stdin.flush()
            while process.stdout.readline() != b"readyok\n":
                pass
            process.stdin.write(b"d\n" * 2000)  # 600 kB of answers, more than a pipe holds
            process.stdin.write(end.encode())
            process.stdin.close()
            assert process.wait(END_S) == 0
        finally:
            process.kill()


def test_stop_ends_a_perft(engine: UciProcess) -> None:
    engine.send("go perft 20", "stop")
    engine.wait_for("info string perft was stopped", END_S)
    assert engine.ask("go depth 1", "bestmove", END_S)


@first_quick("command", ["go perft 20", "bench 120"])
@pytest.mark.parametrize("end", ["quit", "closed input"])
def test_the_end_does_not_wait_for_a_long_job(engine: UciProcess, command: str, end: str) -> None:
    engine.send(command)
    engine.ready()
    engine.send("quit") if end == "quit" else engine.close_input()
    assert engine.wait_for_end(END_S) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_network_is_read_from_a_regular_file_only(engine: UciProcess, tmp_path: Path) -> None:
    pipe = tmp_path / "network.npz"
    os.mkfifo(pipe)
    engine.send(f"setoption name EvalFile value {pipe}")
    assert engine.ask("isready", "readyok", END_S)
    assert any("EvalFile" in line and "regular file" in line for line in engine.lines)


def test_a_table_beyond_the_memory_is_refused_in_one_line(engine: UciProcess) -> None:
    engine.ask("go depth 8", "bestmove")
    before = len(engine.lines)
    engine.send("setoption name Hash value 65536")
    engine.ready()
    assert len(engine.lines[before:-1]) == 1
    assert "no memory" in engine.lines[before]
    assert "internal error" not in engine.lines[before]
    engine.send("go depth 8")
    engine.wait_for("bestmove")
