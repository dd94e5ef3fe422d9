"""The games live in the terminal: board, clocks, score."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import chess
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from bot.fake_lichess import GameReport
from bot.offline.match import Running
from bot.offline.outcome import Outcome, starting_board

_REFRESH_S = 0.2
_MOST_BOARDS = 4
_MATE_CP = 9_000
_LIGHT, _DARK, _LAST_LIGHT, _LAST_DARK = "#f0d9b5", "#b58863", "#cdd26a", "#aaa23a"


class Display:
    """Shows running games; without a terminal, one line a finished game. `score_of(game_id)`: the bot's own score."""

    def __init__(self, console: Console, games: int, score_of: Callable[[str], int | None]) -> None:
        self._console = console
        self._games = games
        self._score_of = score_of
        self._outcomes: list[Outcome] = []
        self._next_s = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None

    def __enter__(self) -> Display:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            self._live.stop()

    def look(self, running: Sequence[Running]) -> None:
        """Draw the games as they stand, a few times a second."""
        now = time.monotonic()
        if self._live and now >= self._next_s:
            self._next_s = now + _REFRESH_S
            self._live.update(self._picture(running), refresh=True)

    def ended(self, outcome: Outcome) -> None:
        """A game is over."""
        self._outcomes.append(outcome)
        report = outcome.report
        self._console.print(
            f"{report.id}  {report.white} - {report.black}  {outcome.result}  {outcome.termination}"
            f"  ({len(report.moves)} plies, {outcome.wall_s:.1f} s)",
            highlight=False,
        )

    def _picture(self, running: Sequence[Running]) -> RenderableType:
        points = [outcome.points for outcome in self._outcomes]
        tally = Text(
            f"bot88 offline: game {len(points)}/{self._games} finished"
            f", won {points.count(1.0)}, drawn {points.count(0.5)}, lost {points.count(0.0)}"
        )
        panels = [
            _panel(game.report, game.bot_color, self._score_of(game.game_id))
            for game in running[:_MOST_BOARDS]
            if game.report is not None
        ]
        return Group(Columns(panels), tally) if panels else tally


def _panel(report: GameReport, bot_color: str, score_cp: int | None) -> Panel:
    flipped = bot_color == "black"
    top, bottom = ("white", "black") if flipped else ("black", "white")
    lines = [
        _clock_line(report, top),
        *_board_lines(report, flipped),
        _clock_line(report, bottom),
        _score_line(report, score_cp),
    ]
    return Panel(Group(*lines), title=report.id, width=30)


def _clock_line(report: GameReport, color: str) -> Text:
    name = report.white if color == "white" else report.black
    left_ms = max(0, report.white_ms if color == "white" else report.black_ms)
    to_move = (" w " in report.fen) == (color == "white")
    minutes, seconds = divmod(left_ms / 1000, 60)
    clock = f"{int(minutes)}:{seconds:04.1f}" if minutes < 1 else f"{int(minutes)}:{int(seconds):02}"
    return Text(f"{name[:14]:14} {clock:>9}", style="bold" if to_move else "dim")


def _board_lines(report: GameReport, flipped: bool) -> list[Text]:
    board = starting_board(report)
    board.set_fen(report.fen)
    last = chess.Move.from_uci(report.moves[-1]) if report.moves and "@" not in report.moves[-1] else None
    marked = {last.from_square, last.to_square} if last else set()
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    lines = []
    for rank in ranks:
        line = Text(f"{rank + 1} ")
        for file in files:
            line.append(*_square(board, chess.square(file, rank), marked))
        lines.append(line)
    return [*lines, Text("  " + "".join(f" {chess.FILE_NAMES[file]} " for file in files))]


def _square(board: chess.Board, square: int, marked: set[int]) -> tuple[str, str]:
    piece = board.piece_at(square)
    light = (chess.square_file(square) + chess.square_rank(square)) % 2 == 1
    ground = (_LAST_LIGHT if light else _LAST_DARK) if square in marked else (_LIGHT if light else _DARK)
    if piece is None:
        return "   ", f"on {ground}"
    figure = chess.UNICODE_PIECE_SYMBOLS[piece.symbol().lower()]  # the filled shapes; colour tells the side
    return f" {figure} ", f"{'#ffffff' if piece.color else '#000000'} on {ground}"


def _score_line(report: GameReport, score_cp: int | None) -> Text:
    score = (
        ""
        if score_cp is None
        else f"{score_cp / 100:+.2f}"
        if abs(score_cp) < 30_000
        else "mate"
        if score_cp > 0
        else "-mate"
    )
    last = report.moves[-1] if report.moves else ""
    return Text(f"move {len(report.moves) // 2 + 1:<3} {last:6} {score:>9}")
