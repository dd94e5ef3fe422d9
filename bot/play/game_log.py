"""What the log says of one game: its address at the start, a line for each of our moves, its end."""

from __future__ import annotations

from typing import Any

import chess
import structlog

from bot.engine_pool.values import Answer, score_text
from bot.events.game import UNLIMITED_MS
from bot.play.game import Game

MOVE = "move"  # the event of a move's line

log = structlog.get_logger(__name__)


class GameLog:
    """Called under the game's lock, or after its end, once the logged step is done; writing never waits."""

    def __init__(self, game_id: str, server_url: str) -> None:
        self._log = log.bind(game_id=game_id)
        self._url = f"{server_url.rstrip('/')}/{game_id}"
        self._sent: tuple[int, str, dict[str, Any]] | None = None  # ply, move and fields of one not shown yet

    def opened(self, game: Game) -> None:
        """The game's first line has come."""
        color = chess.COLOR_NAMES[game.my_color]
        self._log.info("game_opened", url=self._url, color=color, plies=game.ply)

    def move_sent(self, game: Game, uci: str, answer: Answer) -> None:
        """Our move for the game's present position is on its way."""
        fields = {"san": numbered_san(game.board, uci)} | _judgement(answer)
        self._sent = (game.ply, uci, fields)

    def state_came(self, game: Game, lag_ms: float | None) -> None:
        """Write the line of a move that the game now shows, with what is left on our clock and what the move cost it.

        `lag_ms`: None where it could not be measured.
        """
        if self._sent is None or (self._sent[0] == game.ply and not game.over):
            return
        (ply, uci, fields), self._sent = self._sent, None
        if game.state.moves[ply : ply + 1] == (uci,):
            without = game.is_correspondence or game.my_clock_ms >= UNLIMITED_MS
            clock = {} if without else {"clock": clock_text(game.my_clock_ms)}
            lag = {} if lag_ms is None else {"lag_ms": round(lag_ms)}
            self._log.info(MOVE, **fields, **clock, **lag)

    def over(self, game: Game) -> None:
        """The game has ended; a last move that nobody has seen in a state of its own gets its line first."""
        self.state_came(game, None)
        self._log.info("game_over", status=game.state.status, result=game.result, plies=game.ply)


def numbered_san(board: chess.Board, uci: str) -> str:
    """Return a legal move of the position as a score sheet has it: "12.Nf3" or "12...Nf6"."""
    dots = "." if board.turn == chess.WHITE else "..."
    return f"{board.fullmove_number}{dots}{board.san(board.parse_uci(uci))}"


def clock_text(clock_ms: int) -> str:
    """Return a clock as people read it: "1:02:31" or "2:31", below ten seconds with tenths: "0:08.4"."""
    if clock_ms < 10_000:
        return f"0:0{max(0, clock_ms) // 1000}.{max(0, clock_ms) % 1000 // 100}"
    minutes, seconds = divmod(clock_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _judgement(answer: Answer) -> dict[str, Any]:
    """Return what the engine thought of its move, or where else the move is from."""
    if answer.move is None:
        return {"source": "any legal move: no engine answers"}
    info = answer.info
    score = score_text(info.score)
    if not score:
        return {"source": answer.source or answer.engine}
    return {"score": score, "depth": info.depth, "time_s": round(answer.elapsed_ms / 1000, 1)}


def shows_figures(encoding: str | None, term: str | None) -> bool:
    """Return whether a terminal with this encoding and TERM has chess figures."""
    return (encoding or "").lower().replace("-", "") == "utf8" and term not in ("linux", "dumb")


def piece_text(piece: chess.Piece | None, *, figures: bool) -> str:
    """Return a piece without colours: a hollow or filled figure, else a letter; a dot for an empty square."""
    if piece is None:
        return "."
    return chess.UNICODE_PIECE_SYMBOLS[piece.symbol()] if figures else piece.symbol()
