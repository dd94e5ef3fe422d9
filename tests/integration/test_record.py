"""`bot88 run --record` on a faulty server, then `bot88 replay-stream` without any."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.integration.test_program_attacks import PATIENCE_S, ROOT, Program, begin_game, play_on, program

__all__ = ["program"]

FAULTS = FaultPlan(
    rules=(
        FaultRule(endpoint="move", fault="lost_answer", times=1),
        FaultRule(endpoint="game_stream", fault="half_line", skip=3, times=1),
    )
)


def test_a_recorded_game_is_played_again(fake: FakeLichess, program: Program) -> None:
    fake.set_faults(FAULTS)
    folder = program.folder / "records"
    process = program.start("--record", str(folder))
    program.wait_for("account_stream_open")
    game_id = begin_game(fake)
    play_on(fake, game_id)
    fake.player("Alice", game_id).resign()
    program.wait_for("game_over")
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    (file,) = folder.iterdir()
    assert fake.token("bot88") not in file.read_text(encoding="utf-8")
    done = replay(file, program.folder / "bot.yml")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "outcome: resign, won, 4 plies; every request as recorded"
    assert sum("> move/" in line for line in lines) >= 2


def test_what_is_no_record_is_code_2(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("hello\n")
    (tmp_path / "bot.yml").write_text("{}\n")
    done = replay(tmp_path / "notes", tmp_path / "bot.yml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bot88: {tmp_path / 'notes'}: no record of this format; make one with")


def replay(file: Path, config: Path) -> subprocess.CompletedProcess[str]:
    """Run `bot88 replay-stream`."""
    command = [sys.executable, "-m", "bot", "replay-stream", str(file), "-c", str(config)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
