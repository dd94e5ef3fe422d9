"""D7: every `go` is answered by a `bestmove`; what is wrong with it is named in an info string."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.uci import UciProcess

ANSWER_S = 30.0


@pytest.fixture(scope="module")
def engine() -> Iterator[UciProcess]:
    with UciProcess() as process:
        process.ready()
        yield process


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("go depth 0", "'depth'"),
        ("go nodes 0", "'nodes'"),
        ("go mate 0", "'mate'"),
        ("go depth -3", "'depth'"),
        ("go movetime -100", "'movetime'"),
        ("go depth 99999999999999999999", "'depth'"),
        ("go nodes 99999999999999999999", "'nodes'"),
        ("go wtime 99999999999999999999 btime 99999999999999999999", "'wtime'"),
        ("go movetime", "'movetime'"),
        ("go depth x", "'depth'"),
        ("go sideways", "'sideways'"),
        ("go searchmoves", "'searchmoves'"),
        ("go searchmoves e2e5 depth 2", "'e2e5'"),
        ("go perft x", "'perft'"),
        ("go perft -1", "'perft'"),
        ("go " + "depth " * 2000, "'depth'"),
    ],
)
def test_a_go_with_a_mistake_is_answered(engine: UciProcess, command: str, named: str) -> None:
    engine.send("stop", "position startpos")
    engine.ready()
    before = len(engine.lines)
    engine.send(command)
    engine.ready()  # also an answer that should not have come is there before the next test
    if not any(line.startswith("bestmove") for line in engine.lines[before:]):
        engine.wait_for("bestmove", ANSWER_S if "info depth" in "\n".join(engine.lines[before:]) else 2.0)
    mistakes = [line for line in engine.lines[before:] if line.startswith("info string go: ")]
    assert len(mistakes) == 1
    assert named in mistakes[0]
    answer = next(line for line in engine.lines[before:] if line.startswith("bestmove"))
    assert answer.split()[1] != "(none)"


@pytest.mark.parametrize("command", ["go depth 255", "go wtime -50 btime 0 winc 0 binc 0 movestogo 0", "go movetime 0"])
def test_what_guis_send_is_no_mistake(engine: UciProcess, command: str) -> None:
    engine.send("stop", "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    engine.ready()
    before = len(engine.lines)
    engine.send(command, "stop")
    engine.wait_for("bestmove", ANSWER_S)
    assert not [line for line in engine.lines[before:] if line.startswith("info string go")]
