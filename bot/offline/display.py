"""The games live in the terminal: board, clocks, score."""

from __future__ import annotations

import functools
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chess
from chess.engine import Score
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from bot.engine_pool.values import score_text
from bot.events.game import Outcome
from bot.fake_lichess import GameReport
from bot.offline.match import OfflineGame, Running, starting_board
from bot.play import game
from bot.play.game_log import clock_text, numbered_san, piece_text, shows_figures

_REFRESH_S = 0.2
_PANEL_WIDTH, _PANEL_LINES = 30, 14
_TALLY_LINES = 2  # with the line on which the cursor rests
_LIGHT, _DARK, _LAST_LIGHT, _LAST_DARK = "#f0d9b5", "#b58863", "#cdd26a", "#aaa23a"


@dataclass(frozen=True, slots=True)
class Look:
    """What a terminal can show: chess figures, colours."""

    figures: bool
    colors: bool


class Display:
    """Shows running games; without a terminal, one line a finished game. `score_of(game_id)`: the bot's own score."""

    def __init__(self, console: Console, games: int, score_of: Callable[[str], Score | None]) -> None:
        self._console = console
        self._games = games
        self._score_of = score_of
        self._ended_games: list[OfflineGame] = []
        self._next_s = 0.0
        figures = shows_figures(console.encoding, os.environ.get("TERM"))
        self._look = Look(figures, colors=not console.no_color and console.color_system is not None)
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

    def ended(self, ended_game: OfflineGame) -> None:
        """A game is over."""
        self._ended_games.append(ended_game)
        report = ended_game.report
        self._console.print(
            f"{report.id}  {report.white} - {report.black}  {ended_game.result}  {ended_game.termination}"
            f"  ({len(report.moves)} plies, {ended_game.wall_s:.1f} s)",
            highlight=False,
        )
        if ended_game.faults:
            faults = ", ".join(f"{number} {kind}" for kind, number in sorted(ended_game.faults.items()))
            self._console.print(f"  faults: {faults}", highlight=False)

    def _picture(self, running: Sequence[Running]) -> RenderableType:
        outcomes = Counter(ended_game.outcome for ended_game in self._ended_games)
        tally = Text(
            f"bot88 offline: game {len(self._ended_games)}/{self._games} finished"
            f", won {outcomes[Outcome.WIN]}, drawn {outcomes[Outcome.DRAW]}, lost {outcomes[Outcome.LOSS]}"
        )
        shown = [(game.report, game) for game in running if game.report is not None]
        boards, lines = room(self._console.width, self._console.height, len(shown))
        panels = [
            _panel(report, game.bot_color, self._score_of(game.game_id), self._look) for report, game in shown[:boards]
        ]
        others = [_game_line(report, self._score_of(game.game_id)) for report, game in shown[boards : boards + lines]]
        more = len(shown) - boards - lines
        if more > 0:
            tally.append(f"; {more} more running")
        return Group(*([Columns(panels)] if panels else []), *others, tally)


def room(width: int, height: int, games: int) -> tuple[int, int]:
    """Return how many of the games have room for their boards in the terminal, and how many more for a line each."""
    across = (width + 1) // (_PANEL_WIDTH + 1)
    down = max(0, height - _TALLY_LINES) // _PANEL_LINES
    boards = min(games, across * down)
    rows = -(-boards // across) if across else 0
    return boards, max(0, min(games - boards, height - _TALLY_LINES - rows * _PANEL_LINES))


def _panel(report: GameReport, bot_color: str, score: Score | None, look: Look) -> Panel:
    flipped = bot_color == "black"
    top, bottom = ("white", "black") if flipped else ("black", "white")
    lines = [
        _clock_line(report, top),
        *_board_lines(report, flipped, look),
        _clock_line(report, bottom),
        _score_line(report, score),
    ]
    return Panel(Group(*lines), title=report.id, width=_PANEL_WIDTH)


def _game_line(report: GameReport, score: Score | None) -> Text:
    """A game whose board has no room: players, clocks, move and score."""
    players = f"{report.white} {clock_text(report.white_ms)} - {report.black} {clock_text(report.black_ms)}"
    line = Text(f"{report.id}  {players}  {_last_move(report)}  {score_text(score)}".rstrip(), no_wrap=True)
    line.overflow = "ellipsis"
    return line


def _clock_line(report: GameReport, color: str) -> Text:
    name = report.white if color == "white" else report.black
    left_ms = report.white_ms if color == "white" else report.black_ms
    to_move = (" w " in report.fen) == (color == "white")
    return Text(f"{name[:14]:14} {clock_text(left_ms):>9}", style="bold" if to_move else "dim")


def _board_lines(report: GameReport, flipped: bool, look: Look) -> list[Text]:
    board = starting_board(report)
    board.set_fen(report.fen)
    last = chess.Move.from_uci(report.moves[-1]) if report.moves else None
    marked = {last.from_square, last.to_square} if last else set()
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    lines = []
    for rank in ranks:
        line = Text(f"{rank + 1} ")
        for file in files:
            line.append(*_square(board, chess.square(file, rank), marked, look))
        lines.append(line)
    return [*lines, Text("  " + "".join(f" {chess.FILE_NAMES[file]} " for file in files))]


def _square(board: chess.Board, square: int, marked: set[int], look: Look) -> tuple[str, str]:
    """Return text and style. Without colours, the moved piece is in brackets."""
    piece = board.piece_at(square)
    if not look.colors:
        text = piece_text(piece, figures=look.figures)
        return f"[{text}]" if square in marked else f" {text} ", ""
    light = (chess.square_file(square) + chess.square_rank(square)) % 2 == 1
    ground = (_LAST_LIGHT if light else _LAST_DARK) if square in marked else (_LIGHT if light else _DARK)
    if piece is None:
        return "   ", f"on {ground}"
    symbol = piece.symbol().lower() if look.figures else piece.symbol()  # filled shapes: colour shows the side
    figure = piece_text(chess.Piece.from_symbol(symbol), figures=look.figures)
    return f" {figure} ", f"{'#ffffff' if piece.color else '#000000'} on {ground}"


def _score_line(report: GameReport, score: Score | None) -> Text:
    return Text(f"{_last_move(report):14} {score_text(score):>9}")


def _last_move(report: GameReport) -> str:
    """Return the last move with its number, such as "12.Nf3" or "12...Qxd5"; "" before the first."""
    return _numbered(report.variant, report.initial_fen, report.moves) if report.moves else ""


@functools.lru_cache(maxsize=256)
def _numbered(variant: str, initial_fen: str, moves: tuple[str, ...]) -> str:
    board = game.starting_board(variant, initial_fen)
    for uci in moves[:-1]:
        board.push(board.parse_uci(uci))
    return numbered_san(board, moves[-1])
