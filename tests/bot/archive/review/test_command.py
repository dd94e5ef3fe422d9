"""`review` from the command line."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from chess.engine import Cp, PovScore
from rich.console import Console

from bot.archive.review import command as module
from bot.archive.review.command import ReviewOptions, _Progress, annotated_games, lost_positions, review
from tests.bot.archive.review.test_review_game import engine, task
from tests.bot.archive.review.test_values import fools_mate_review
from tests.bot.archive.test_pgn import fools_mate
from tests.bot.commands.test_cli import call
from tests.helpers.finished_games import bot_in, games_in
from tests.helpers.processes import wait_until

GAMES = 3


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration and a store of three games and one without moves; the environment names it."""
    kept = fools_mate().record
    games = [
        replace(kept, game_id=game_id, ended_s=100.0 + number, pgn=kept.pgn.replace("abcdefgh", game_id))
        for number, game_id in enumerate(f"game000{number}" for number in range(GAMES))
    ]
    engines = f"engines: [{{name: judge, command: {json.dumps(engine().command)}}}]\n"
    bot_in(tmp_path, monkeypatch, *games, replace(kept, game_id="aborted0", plies=0, pgn=""), more=engines)
    return tmp_path


def test_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert call(monkeypatch, "review", "--nodes", "10", "--jobs", "2", "--plot", "chart.svg") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0].split()[:2] == ["moves", "accuracy"]
    assert "2.g4" in shown.out
    assert "1 games without moves or of other variants are left out" in shown.err
    assert "3 games annotated" in shown.err
    annotated = games_in((folder / "review" / "reviewed.pgn").read_text(encoding="utf-8"))
    assert [game.headers["Site"][-8:] for game in annotated] == ["game0000", "game0001", "game0002"]
    assert (folder / "review" / "lost.epd").read_text(encoding="utf-8").count(" am g4;") == GAMES
    assert "<svg" in Path("chart.svg").read_text(encoding="utf-8")


def test_what_was_reviewed_is_not_reviewed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "review", "last", "--nodes", "10", "--out", "mine") == 0
    assert "1 of 1  game0002" in capsys.readouterr().err
    assert call(monkeypatch, "review", "--nodes", "10", "--out", "mine", "--json") == 0
    shown = capsys.readouterr()
    assert "1 of 3 games were reviewed before" in shown.err
    assert "2 of 2  " in shown.err
    assert json.loads(shown.out)["games"] == GAMES
    monkeypatch.setenv("PATH", "")
    assert call(monkeypatch, "review", "--nodes", "10", "--out", "mine") == 0
    assert "3 of 3 games were reviewed before" in capsys.readouterr().err


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_bar_is_drawn_on_a_terminal_alone(is_terminal: bool) -> None:
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=100)
    with console.capture() as shown, _Progress(console, [task()], is_local=True):
        pass
    assert ("Reviewed 0 of 1 games" in shown.get()) is is_terminal


@pytest.mark.parametrize(("is_local", "completed"), [(True, 1), (False, 2 * 40)])
def test_each_game_is_counted_and_each_position_once(is_local: bool, completed: int) -> None:
    """Positions analysed here are reported one by one, those of a cluster with their game."""
    file = io.StringIO()
    progress = _Progress(Console(file=file, width=100), [task(), task()], is_local=is_local)
    progress.count(task(), fools_mate_review())
    if is_local:
        progress.advance()
    progress.count(task(), "no answer")
    (bar,) = progress._bar.tasks
    assert (bar.completed, bar.total) == (completed, 2 * 40)
    told = ["1 of 2  abcdefgh", "abcdefgh is not reviewed: no answer", "2 of 2  abcdefgh"]
    assert (bar.description, file.getvalue().splitlines()) == ("Reviewed 2 of 2 games", told)


@pytest.mark.parametrize("scheduler", ["", "tcp://127.0.0.1:9"])
def test_our_own_engine_is_compiled_first_where_it_runs_here(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[object] = []

    def run_reviews(_tasks: object, jobs: int, where: str, *_how: object) -> Iterator[None]:
        steps.append(where or jobs)
        yield from ()

    monkeypatch.setattr(module, "run_reviews", run_reviews)
    options = ReviewOptions(engine(), 10, 2, scheduler, tmp_path)
    prepare = functools.partial(steps.append, "compiled")
    assert review([fools_mate().record], options, lambda: False, Console(file=io.StringIO()), prepare) == []
    assert steps == ([scheduler] if scheduler else ["compiled", 2])
    assert not (tmp_path / "reviewed.pgn").exists(), "nothing was reviewed"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engine", "none"), "--engine none: `engines:` has judge"),
        (("nosuchgame",), "nosuchgame: no such game is kept"),
        (("--plot", "x.doc"), "--plot x.doc: the name must end in"),
        (("--since", "soon"), "--since 'soon'"),
        (("--out", "my.yml"), "cannot be used for reviews"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_done(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    pytest.importorskip("matplotlib")
    assert call(monkeypatch, "review", *arguments) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "review").exists()


def test_an_engine_that_crashes_is_started_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = json.dumps(engine("crash", "--once", str(folder / "crashed"), program="uci_engine.py").command)
    monkeypatch.setenv("BOT88__ENGINES", f"[{{name: judge, command: {command}}}]")
    assert call(monkeypatch, "review", "--nodes", "10") == 0
    assert (folder / "crashed").exists()
    assert "3 games annotated" in capsys.readouterr().err


def test_an_engine_that_does_not_start_is_named_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOT88__ENGINES", "[{name: judge, command: /does/not/exist}]")
    assert call(monkeypatch, "review", "--nodes", "10") == 1
    assert "bot88: judge: " in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_done_and_the_next_call_goes_on(folder: Path) -> None:
    slow = json.dumps([sys.executable, "-c", SLOW_ENGINE, str(folder / "go-on")])
    Path("my.yml").write_text(f"store: games.sqlite3\nengines: [{{name: judge, command: {slow}}}]\n", encoding="utf-8")
    command = [sys.executable, "-m", "bot", "review", "--nodes", "10"]
    kept = folder / "review" / "reviews.jsonl"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert wait_until(lambda: kept.exists() and kept.read_text(encoding="utf-8").count("\n") == 1, timeout_s=120)
        process.send_signal(signal.SIGINT)
        _out, errors = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGINT
    assert "stopped: 2 games are left; run the same command to continue" in errors
    assert "exception" not in errors.lower()
    (folder / "go-on").touch()
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 of 3 games were reviewed before" in done.stderr
    assert "3 games annotated" in done.stderr


def test_a_lost_scheduler_is_one_line_and_the_next_call_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It takes seconds: a scheduler and a worker are real processes, and the scheduler is killed."""
    pytest.importorskip("distributed")
    slow = json.dumps([sys.executable, "-c", SLOW_ENGINE, str(folder / "go-on")])
    monkeypatch.setenv("BOT88__ENGINES", f"[{{name: judge, command: {slow}}}]")
    kept = folder / "review" / "reviews.jsonl"
    with dask(folder) as (scheduler, address):
        killer = threading.Thread(target=kill_once, args=(scheduler, lambda: kept.exists() and kept.stat().st_size > 0))
        killer.start()
        assert call(monkeypatch, "review", "--nodes", "10", "--scheduler", address) == 1
        killer.join()
    shown = capsys.readouterr().err
    assert f"bot88: --scheduler {address}: the connection to the scheduler was lost; 2 games are left" in shown
    assert "is not reviewed" not in shown
    assert "Traceback" not in shown
    assert "1 games annotated" in shown
    (folder / "go-on").touch()
    assert call(monkeypatch, "review", "--nodes", "10") == 0
    assert "1 of 3 games were reviewed before" in capsys.readouterr().err


@contextlib.contextmanager
def dask(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A scheduler and a worker with one thread, as processes; the scheduler and its address."""
    told = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)]
    with quiet("distributed.cli.dask_scheduler", *words) as scheduler:
        try:
            assert wait_until(lambda: told.exists() and told.read_text(encoding="utf-8").endswith("}"), 120.0)
            address = json.loads(told.read_text(encoding="utf-8"))["address"]
            words = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
            with quiet("distributed.cli.dask_worker", *words) as worker:
                try:
                    yield scheduler, address
                finally:
                    worker.kill()
        finally:
            scheduler.kill()


def quiet(module: str, *words: str) -> subprocess.Popen[bytes]:
    """A module as a process whose output nobody sees."""
    command = [sys.executable, "-m", module, *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_once(process: subprocess.Popen[bytes], is_time: Callable[[], bool]) -> None:
    """Kill a process when it is time."""
    assert wait_until(is_time, 120.0)
    process.kill()


#: Answers at once in its first game; in any other one not before the file named on its command line is there.
SLOW_ENGINE = """
import pathlib, queue, sys, threading
import chess
marker = pathlib.Path(sys.argv[1])
first = marker.with_suffix(".first")
quick_games = 1 if first.exists() else 2  # the warm-up is the first game
first.touch()
lines = queue.SimpleQueue()
threading.Thread(target=lambda: [lines.put(line.split()) for line in sys.stdin], daemon=True).start()
games, is_asked, board = 0, False, chess.Board()
while True:
    try: words = lines.get(timeout=0.05)
    except queue.Empty: words = [""]
    if words[0] == "uci": print("id name Slow\\nuciok", flush=True)
    elif words[0] == "isready": print("readyok", flush=True)
    elif words[0] == "ucinewgame": games += 1
    elif words[0] == "quit": break
    elif words[0] == "position":
        board = chess.Board()
        for uci in words[3:]: board.push_uci(uci)
    elif words[0] == "go": is_asked = True
    if is_asked and (games <= quick_games or marker.exists() or words[0] == "stop"):
        is_asked = False
        print(f"info depth 1 score cp 10\\nbestmove {next(iter(board.legal_moves))}", flush=True)
"""


def test_bad_moves_get_a_sign_a_comment_and_the_better_line() -> None:
    kept = fools_mate().record
    one, other = games_in(annotated_games([(kept, fools_mate_review()), (kept, fools_mate_review())]))
    assert one.errors == other.errors == []
    first, second, third, last = one.mainline()
    assert (first.nags, second.nags, third.nags) == ({chess.pgn.NAG_DUBIOUS_MOVE}, set(), {chess.pgn.NAG_BLUNDER})
    assert first.eval() == PovScore(Cp(-70), chess.WHITE)
    assert third.clock() == 171.5
    assert third.comment.startswith("Blunder: -0.70 > #-1.")
    assert "book" not in first.comment
    assert [node.san() for node in second.variations] == ["g4", "Nc3"]
    assert [move.uci() for move in second.variations[1].mainline_moves()] == ["g8f6"]
    assert last.eval() is None  # mate needs no score
    assert one.headers["Annotator"] == "engine88 0.1, 1000 nodes a position"


def test_a_lost_position_names_the_better_move_and_ours() -> None:
    (line,) = lost_positions(fools_mate().record, fools_mate_review())
    board, operations = chess.Board.from_epd(line)
    assert board.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq -")
    assert operations["bm"] == [chess.Move.from_uci("b1c3")]
    assert operations["am"] == [chess.Move.from_uci("g2g4")]
    assert operations["id"] == "abcdefgh 2.g4"
