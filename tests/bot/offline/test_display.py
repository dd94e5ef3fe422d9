"""The live picture: board from the bot's side, clocks, score; lines only where there is no terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from bot.offline.display import Display, room
from bot.offline.match import Running
from bot.offline.outcome import Outcome
from tests.bot.offline.test_outcome import report


def show(terminal: bool, running: list[Running], outcomes: list[Outcome], score_cp: int | None = 123) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=100, height=40, color_system=None, legacy_windows=False)
    with Display(console, 2, lambda _game_id: score_cp) as display:
        display.look(running)
        for outcome in outcomes:
            display.ended(outcome)
    return file.getvalue()


def running(bot_color: str) -> Running:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"
    board = report(("f2f3", "e7e5"), "started", None, fen=fen, white_ms=65_000, black_ms=9_940)
    return Running("abcdefgh", bot_color, report=board)


def test_the_board_is_drawn_from_the_bots_side() -> None:
    text = show(True, [running("black")], [])
    assert text.index("Greedy") < text.index("bot88")
    assert text.index("│ 1 ") < text.index("│ 8 ")
    assert "h  g  f  e  d  c  b  a" in text
    assert "1:05" in text
    assert "0:09.9" in text
    assert "+1.23" in text
    assert "1...e5" in text


@pytest.mark.parametrize(
    ("width", "height", "games", "boards", "lines"),
    [
        (80, 24, 1, 1, 0),
        (80, 24, 3, 2, 1),
        (80, 24, 30, 2, 8),
        (93, 24, 3, 3, 0),
        (80, 30, 5, 4, 0),
        (29, 24, 2, 0, 2),
        (80, 10, 2, 0, 2),
        (80, 1, 2, 0, 0),
    ],
)
def test_the_picture_fits_the_terminal(width: int, height: int, games: int, boards: int, lines: int) -> None:
    assert room(width, height, games) == (boards, lines)
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=width, height=height, color_system=None)
    console.print(Display(console, 2, lambda _game_id: 123)._picture([running("white")] * games))
    picture = file.getvalue().splitlines()
    assert len(picture) < max(height, 2)
    assert max(map(len, picture)) <= width
    assert sum(line.count("a  b  c") for line in picture) == boards
    assert sum(line.startswith("abcdefgh  ") for line in picture) == lines
    assert picture[-1].startswith("bot88 offline: game 0/2 finished") or width < 80


def test_scores_of_mate_and_no_score() -> None:
    assert "-mate" in show(True, [running("white")], [], -31_990)
    assert "+" not in show(True, [running("white")], [], None)


def test_without_a_terminal_there_is_a_line_a_game() -> None:
    text = show(False, [running("white")], [Outcome(report(), "black", 2.0)])
    assert text == "abcdefgh  Greedy - bot88  0-1  checkmate  (4 plies, 2.0 s)\n"
