"""The live picture: board from the bot's side, clocks, score; lines only where there is no terminal."""

from __future__ import annotations

import io
import threading
from types import SimpleNamespace

import chess
import pytest
from chess.engine import Cp, Mate, Score
from rich.console import Console, Group
from rich.text import Text

from bot.fake_lichess import GameReport
from bot.offline.display import (
    _DARK,
    _LAST_DARK,
    _LAST_LIGHT,
    _LIGHT,
    Display,
    Look,
    _board_lines,
    _clock_line,
    _game_line,
    _score_line,
    room,
)
from bot.offline.match import OfflineGame, Running
from tests.bot.offline.test_offline_game import report

PLUS = Cp(123)
COLORED = Look(figures=True, colors=True)


def show(terminal: bool, running: list[Running], ended_games: list[OfflineGame], score: Score | None = PLUS) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=100, height=40, color_system=None, legacy_windows=False)
    with Display(console, 2, lambda _game_id: score) as display:
        display.look(running)
        for ended_game in ended_games:
            display.ended(ended_game)
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
        (80, 29, 5, 2, 3),
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
    console.print(Display(console, 2, lambda _game_id: Cp(123))._picture([running("white")] * games))
    picture = file.getvalue().splitlines()
    assert len(picture) < max(height, 2)
    assert max(map(len, picture)) <= width
    assert sum(line.count("a  b  c") for line in picture) == boards
    assert sum(line.startswith("abcdefgh  ") for line in picture) == lines
    assert picture[-1].startswith("bot88 offline: game 0/2 finished") or width < 80


def test_scores_of_mate_and_no_score() -> None:
    assert "#-10" in show(True, [running("white")], [], Mate(-10))
    assert "#10" in show(True, [running("white")], [], Mate(10))
    assert "+" not in show(True, [running("white")], [], None)


def test_without_a_terminal_there_is_a_line_a_game() -> None:
    text = show(False, [running("white")], [OfflineGame(report(), "black", 2.0)])
    assert text == "abcdefgh  Greedy - bot88  0-1  checkmate  (4 plies, 2.0 s)\n"


def marked(board: GameReport) -> int:
    """On how many squares of the drawn board the last move is marked."""
    styles = [str(span.style) for line in _board_lines(board, flipped=False, look=COLORED) for span in line.spans]
    return sum(style.endswith((_LAST_LIGHT, _LAST_DARK)) for style in styles)


def test_whites_board_has_all_ranks_from_the_eighth_down() -> None:
    lines = _board_lines(report((), "started", None, fen=chess.STARTING_FEN), flipped=False, look=COLORED)
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


@pytest.mark.parametrize(
    ("white_ms", "black_ms", "white", "black"),
    [
        (61_000, 9_940, "1:01", "0:09.9"),
        (60_000, 59_900, "1:00", "0:59"),
        (-5, 3_723_000, "0:00.0", "1:02:03"),
    ],
)
def test_each_side_has_its_own_name_and_time(white_ms: int, black_ms: int, white: str, black: str) -> None:
    board = report((), "started", None, fen=chess.STARTING_FEN, white_ms=white_ms, black_ms=black_ms)
    assert _clock_line(board, "white").plain == f"{'Greedy':14} {white:>9}"
    assert _clock_line(board, "black").plain == f"{'bot88':14} {black:>9}"


def square_style(line: Text, file: int) -> str:
    """How a square of a drawn rank looks: the piece's colour on the square's."""
    return str(line.spans[file].style)


def test_squares_and_pieces_have_their_colours() -> None:
    """A white king on e1, which is dark, a black one on e8, which is light."""
    lines = _board_lines(report((), "started", None, fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1"), flipped=False, look=COLORED)
    assert [square_style(lines[7], file) for file in (0, 7, 4)] == [
        f"on {_DARK}",
        f"on {_LIGHT}",
        f"#ffffff on {_DARK}",
    ]
    assert [square_style(lines[0], file) for file in (0, 7, 4)] == [
        f"on {_LIGHT}",
        f"on {_DARK}",
        f"#000000 on {_LIGHT}",
    ]


def test_a_marked_square_is_marked_in_its_own_shade() -> None:
    moved = report(("e2e4",), "started", None, fen="4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")
    lines = _board_lines(moved, flipped=False, look=COLORED)
    assert square_style(lines[6], 4) == f"on {_LAST_LIGHT}"  # e2
    assert square_style(lines[4], 4) == f"#ffffff on {_LAST_LIGHT}"  # e4
    dark = _board_lines(
        report(("d2d4",), "started", None, fen="4k3/8/8/8/3P4/8/8/4K3 b - - 0 1"), flipped=False, look=COLORED
    )
    assert square_style(dark[6], 3) == f"on {_LAST_DARK}"


@pytest.mark.parametrize(("games", "more"), [(10, ""), (11, "; 1 more running"), (15, "; 5 more running")])
def test_games_without_room_are_counted(games: int, more: str) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24, color_system=None)
    with console.capture() as shown:
        console.print(Display(console, 20, lambda _game_id: None)._picture([running("white")] * games))
    assert shown.get().splitlines()[-1].rstrip() == f"bot88 offline: game 0/20 finished, won 0, drawn 0, lost 0{more}"


def test_a_game_is_followed_by_the_faults_that_hit_it() -> None:
    faults = {"restart": 1, "cut of game_stream": 2}
    shown = show(False, [], [OfflineGame(report(), "black", 1.0, faults=faults), OfflineGame(report(), "white", 1.0)])
    assert [line for line in shown.splitlines() if "faults" in line] == ["  faults: 2 cut of game_stream, 1 restart"]


def test_the_tally_counts_wins_draws_and_losses() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24, color_system=None)
    display = Display(console, 9, lambda _game_id: None)
    drawn = report(status="draw", winner=None)
    for ended in ((report(), "black"), (report(), "black"), (report(), "black"), (report(), "white"), (drawn, "white")):
        display.ended(OfflineGame(*ended, 1.0))
    display.ended(OfflineGame(drawn, "black", 1.0))
    with console.capture() as shown:
        console.print(display._picture([]))
    assert shown.get().strip() == "bot88 offline: game 6/9 finished, won 3, drawn 2, lost 1"


@pytest.mark.parametrize("terminal", [True, False])
def test_the_picture_is_drawn_five_times_a_second_and_on_a_terminal_alone(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [1000.0, 1000.1, 1000.0 + 0.2, 1000.3, 1000.0 + 0.2 + 0.2, 1000.5]
    left, drawn = moments[:], list[float]()

    def picture(_running: list[Running]) -> Text:
        drawn.append(left[0])
        return Text("")

    monkeypatch.setattr("bot.offline.display.time", SimpleNamespace(monotonic=lambda: left[0]))
    with Display(Console(file=io.StringIO(), force_terminal=terminal), 1, lambda _game_id: None) as display:
        monkeypatch.setattr(display, "_picture", picture)
        while left:
            display.look([])
            left.pop(0)
    assert drawn == (moments[::2] if terminal else [])


@pytest.mark.parametrize(
    ("moves", "score", "shown"),
    [
        ((), None, f"{'':14} {'':>9}"),
        (("f2f3",), Cp(0), f"{'1.f3':14} {'+0.00':>9}"),
        (("f2f3", "e7e5", "g2g4"), Cp(-250), f"{'2.g4':14} {'-2.50':>9}"),
        (("f2f3", "e7e5", "g2g4", "d8h4"), Mate(1), f"{'2...Qh4#':14} {'#1':>9}"),
        (("f2f3", "e7e5", "g2g4", "d8h4"), Mate(-2), f"{'2...Qh4#':14} {'#-2':>9}"),
    ],
)
def test_below_the_board_are_the_last_move_and_the_score(
    moves: tuple[str, ...], score: Score | None, shown: str
) -> None:
    assert _score_line(report(moves, "started", None), score).plain == shown


def test_a_game_that_has_no_room_for_its_board_is_told_in_a_line() -> None:
    board = report(("f2f3", "e7e5"), "started", None, white_ms=65_000, black_ms=9_940)
    assert _game_line(board, Cp(12)).plain == "abcdefgh  Greedy 1:05 - bot88 0:09.9  1...e5  +0.12"


def test_a_look_is_drawn_at_once_and_by_nobody_else() -> None:
    """A thread that redraws unasked would flicker amid the lines of finished games."""
    file, threads = io.StringIO(), threading.active_count()
    with Display(Console(file=file, force_terminal=True, width=100, height=40), 2, lambda _game_id: Cp(7)) as display:
        assert threading.active_count() == threads
        assert "+0.07" not in file.getvalue()
        display.look([running("white")])
        assert "+0.07" in file.getvalue()


def test_a_line_that_is_too_long_is_cut() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=40, color_system=None)
    with console.capture() as shown:
        console.print(Group(_game_line(report(("f2f3", "e7e5"), "started", None), Cp(12))))
    assert shown.get() == "abcdefgh  Greedy 0:01.0 - bot88 0:01.0 …\n"


@pytest.mark.parametrize(
    ("look", "fourth", "eighth"),
    [
        (Look(figures=True, colors=False), "4  .  .  .  . [♙] .  .  . ", "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ "),
        (Look(figures=False, colors=False), "4  .  .  .  . [P] .  .  . ", "8  r  n  b  q  k  b  n  r "),
        (Look(figures=False, colors=True), "4              P          ", "8  r  n  b  q  k  b  n  r "),
        (COLORED, "4              ♟          ", "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ "),
    ],
)
def test_a_board_needs_neither_colours_nor_figures(look: Look, fourth: str, eighth: str) -> None:
    after = chess.Board()
    after.push_uci("e2e4")
    lines = _board_lines(report(("e2e4",), "started", None, fen=after.fen()), flipped=False, look=look)
    assert (lines[4].plain, lines[0].plain) == (fourth, eighth)
    assert all(bool(line.spans) is look.colors for line in lines[:8])


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_the_terminal_decides_about_colours(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Display(Console(force_terminal=True), 1, lambda _game_id: None)._look.colors
    monkeypatch.setenv(variable, value)
    assert not Display(Console(force_terminal=True), 1, lambda _game_id: None)._look.colors
