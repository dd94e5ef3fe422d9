"""The live picture: board from the bot's side, clocks, score; lines only where there is no terminal."""

from __future__ import annotations

import io

import chess
import pytest
from rich.console import Console

from bot.fake_lichess import GameReport
from bot.offline.display import _LAST_DARK, _LAST_LIGHT, Display, _board_lines, _clock_line, room
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
    winning = show(True, [running("white")], [], 31_990)
    assert "mate" in winning
    assert "-mate" not in winning
    assert "+" not in show(True, [running("white")], [], None)


def test_without_a_terminal_there_is_a_line_a_game() -> None:
    text = show(False, [running("white")], [Outcome(report(), "black", 2.0)])
    assert text == "abcdefgh  Greedy - bot88  0-1  checkmate  (4 plies, 2.0 s)\n"


def marked(board: GameReport) -> int:
    """On how many squares of the drawn board the last move is marked."""
    styles = [str(span.style) for line in _board_lines(board, flipped=False) for span in line.spans]
    return sum(style.endswith((_LAST_LIGHT, _LAST_DARK)) for style in styles)


def test_whites_board_has_all_ranks_from_the_eighth_down() -> None:
    lines = _board_lines(report((), "started", None, fen=chess.STARTING_FEN), flipped=False)
    assert [line.plain[:2] for line in lines] == [f"{rank} " for rank in range(8, 0, -1)] + ["  "]


def test_the_squares_of_the_last_move_are_marked() -> None:
    assert marked(report((), "started", None, fen=chess.STARTING_FEN)) == 0
    assert marked(report(("f2f3", "e7e5"), "started", None, fen=chess.STARTING_FEN)) == 2
    drop = report(("e2e4", "d7d5", "e4d5", "P@e4"), "started", None, fen=chess.STARTING_FEN, variant="crazyhouse")
    assert marked(drop) == 1


@pytest.mark.parametrize(("turn", "white", "black"), [("w", "bold", "dim"), ("b", "dim", "bold")])
def test_the_clock_that_runs_stands_out(turn: str, white: str, black: str) -> None:
    board = report((), "started", None, fen=f"4k3/8/8/8/8/8/8/4K3 {turn} - - 0 1")
    assert (_clock_line(board, "white").style, _clock_line(board, "black").style) == (white, black)
