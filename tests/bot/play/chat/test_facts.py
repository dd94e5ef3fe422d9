"""What the bot knows of its move and of its machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import chess
import pytest

from bot.engine_pool import Answer
from bot.play.chat import commands
from bot.play.chat.commands import MoveNote, Results, _cpu_name, cpu_text, ram_text


def judged(info_line: str = "", uci: str = "g8f6") -> MoveNote:
    """What was thought of a move of Black."""
    board = chess.Board()
    board.push_uci("e2e4")
    return MoveNote(board, uci, Answer(chess.Move.from_uci(uci), info_line=info_line))


def test_moves_are_written_as_on_a_score_sheet() -> None:
    assert judged().san == "1...Nf6"
    assert MoveNote(chess.Board(), "e2e4", Answer(None)).san == "1.e4"


@pytest.mark.parametrize(
    ("pv", "line"),
    [
        ("g8f6 e4e5 f6d5", "1...Nf6 2. e5 Nd5"),
        ("g8f6 e4e5 a1a8 f6d5", "1...Nf6 2. e5"),  # an engine's mistake ends the line
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_the_expected_moves_are_told_as_far_as_they_are_legal(pv: str, line: str) -> None:
    assert judged(f"info depth 9 score cp 31 pv {pv}").line == line


def test_a_long_line_is_told_in_part() -> None:
    moves = "g8f6 g1f3 f6g8 f3g1 " * 4
    assert judged(f"info score cp 0 pv {moves}").line.count(".") == len(["1...", "2.", "3.", "4.", "5."]) + 2


def test_the_machine_is_named() -> None:
    assert re.fullmatch(r"\d+ cores? of \S.*", cpu_text())
    assert re.fullmatch(r"\d+ GiB|unknown memory", ram_text())


@pytest.fixture
def _unknown_machine() -> Iterator[None]:
    """Forget what was found out about the machine, before and after."""
    for known in (cpu_text, ram_text):
        known.cache_clear()
    yield
    for known in (cpu_text, ram_text):
        known.cache_clear()


@pytest.mark.usefixtures("_unknown_machine")
@pytest.mark.parametrize(
    ("cores", "name", "machine", "text"),
    [
        (8.0, "AMD EPYC", "x86_64", "8 cores of AMD EPYC"),
        (1.0, "AMD EPYC", "x86_64", "1 core of AMD EPYC"),
        (0.5, "", "aarch64", "1 core of aarch64"),
        (2.9, "", "", "2 cores of an unknown processor"),
    ],
)
def test_the_processor_is_looked_up_once(
    cores: float, name: str, machine: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Mock(return_value=cores)
    monkeypatch.setattr(commands, "usable_cores", look)
    monkeypatch.setattr(commands, "_cpu_name", lambda: name)
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert [cpu_text(), cpu_text()] == [text, text]
    assert look.call_count == 1


@pytest.mark.usefixtures("_unknown_machine")
@pytest.mark.parametrize(
    ("memory", "text"), [(16 * 1024**3, "16 GiB"), (100 * 1024**2, "1 GiB"), (None, "unknown memory")]
)
def test_the_memory_is_looked_up_once(memory: int | None, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Mock(return_value=memory)
    monkeypatch.setattr(commands, "usable_memory_bytes", look)
    assert [ram_text(), ram_text()] == [text, text]
    assert look.call_count == 1


def test_a_processor_is_named_without_its_trade_marks(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz\nflags: x\n")
    assert _cpu_name(info) == "Intel Xeon E5-2680 v4"
    info.write_text("Hardware: none\n")
    assert isinstance(_cpu_name(info), str)
    assert isinstance(_cpu_name(tmp_path / "missing"), str)


def test_results_are_counted_together() -> None:
    assert Results(won=2, drawn=1, lost=4).games == 7
