"""Records every game that began, once and with its true result."""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

import chess
import structlog

from bot.archive.game_record import GameRecord
from bot.archive.look_up import GameLookUp
from bot.archive.pgn import move_notes, pgn_of
from bot.archive.store import Store, forget_unfinished, has_game, insert_search_note, search_notes
from bot.engine_pool.values import Answer
from bot.events.account import GameInfo
from bot.events.game import UNKNOWN_FINISH, GameExport, GameFull, GameState, outcome_of
from bot.openings import opening_of_board
from bot.play.game import ABORTABLE_PLIES, UnplayableGameError, starting_board
from bot.play.observer import EndedGame, GameObserver

FIRST_LOOK_UP_S = 2.0  # the last line of the stream may still come
START_LOOK_UP_S = 10.0  # after the start: games that still run are resumed first
REMEMBERED = 500  # games settled lately, about which a late gameFinish raises no question

log = structlog.get_logger(__name__)


class GameRecorder(GameObserver):
    """Follows all games; no method waits.

    A game is noted in the store when it begins. If its stream showed the end, that is recorded. If not (the last line
    was lost, or the bot was down), the server's export is asked until it knows the result, if need be after the next
    start. All work is done on the store's thread.
    """

    def __init__(
        self, store: Store, look_up: GameLookUp, my_id: str, server_url: str, is_played: Callable[[str], bool]
    ) -> None:
        """`is_played(game_id)` returns whether we still play a game."""
        self._store = store
        self._look_up = look_up
        self._my_id = my_id
        self._server_url = server_url
        self._is_played = is_played
        self._settled: deque[str] = deque(maxlen=REMEMBERED)

    def start(self) -> None:
        """Ask for the results of the games that an earlier run left unfinished. Raises StoreError."""
        for game_id in self._store.unfinished_games():
            self._ask(game_id, START_LOOK_UP_S)

    def started(self, info: GameInfo) -> None:
        """Note that a game began."""
        self._store.note_begun(info.game_id)

    def answered(self, game_id: str, ply: int, answer: Answer) -> None:
        """Keep what is known about our move after `ply` half-moves."""
        if answer.move is None:
            return
        info = answer.info
        score_cp, mate_in = (None, None) if info.score is None else (info.score.score(), info.score.mate())
        note = (ply + 1, answer.move.uci(), score_cp, mate_in, info.depth, answer.source or answer.engine)

        def keep(connection: sqlite3.Connection) -> None:
            if game_id not in self._settled:
                insert_search_note(connection, game_id, note)

        self._store.put("search note", keep, may_be_dropped=True)

    def ended(self, ended: EndedGame) -> None:
        """Record a game whose final state is known; ask for the result of any other."""
        game, ended_s = ended.final_game, time.time()
        if game is None:
            game_id = ended.game_id
            self._store.put("question about a game", lambda connection: self._ask_unless_known(connection, game_id))
            return
        self._store.put(
            "game",
            lambda connection: self._record(
                connection, game.full, game.state, game.board, game.clocks.after_moves(), ended_s
            ),
        )

    def _ask_unless_known(self, connection: sqlite3.Connection, game_id: str) -> None:
        if game_id not in self._settled and not has_game(connection, game_id):
            self._ask(game_id, FIRST_LOOK_UP_S)

    def _ask(self, game_id: str, after_s: float) -> None:
        is_open = partial(self._is_open, game_id)
        self._look_up.ask(game_id, self._looked_up, after_s=after_s, until_over=True, is_wanted=is_open)

    def _is_open(self, game_id: str) -> bool:
        return game_id not in self._settled and not self._is_played(game_id)

    def _looked_up(self, export: GameExport) -> None:
        self._store.put("game", lambda connection: self._record_export(connection, export))

    def _record_export(self, connection: sqlite3.Connection, export: GameExport) -> None:
        try:
            full, state, board = finished_game(export)
        except UnplayableGameError as error:
            log.warning("game_without_result", game_id=export.game_id, reason=str(error))
            forget_unfinished(connection, export.game_id)
            return
        ended_ms = export.last_move_at_ms or export.created_at_ms
        ended_s = ended_ms / 1000 if ended_ms else time.time()
        self._record(connection, full, state, board, dict(enumerate(export.clocks_ms, 1)), ended_s)

    def _record(
        self,
        connection: sqlite3.Connection,
        full: GameFull,
        state: GameState,
        board: chess.Board,
        clocks_ms: Mapping[int, int],
        ended_s: float,
    ) -> None:
        """Record a finished game, once. A game aborted before each side moved does not count."""
        self._settled.append(full.game_id)
        is_aborted = state.status in ("aborted", "noStart") and len(state.moves) < ABORTABLE_PLIES
        is_unknown = state.status == UNKNOWN_FINISH and not state.moves
        if is_aborted or is_unknown or has_game(connection, full.game_id):
            forget_unfinished(connection, full.game_id)
            return
        try:
            notes = move_notes(board, search_notes(connection, full.game_id), clocks_ms)
            pgn = pgn_of(full, state, board, self._server_url, notes)
        except Exception:  # a game that python-chess cannot write is recorded without its PGN
            log.exception("pgn_not_made", game_id=full.game_id)
            pgn = ""
        self._store.insert_game(connection, record_of(full, state, board, self._my_id, ended_s, pgn))


def record_of(
    full: GameFull, state: GameState, board: chess.Board, my_id: str, ended_s: float, pgn: str = ""
) -> GameRecord:
    """Return the record of a finished game; `board` is its last position with all moves on the stack."""
    color = full.color_of(my_id)
    me, opponent = (full.white, full.black) if color == "white" else (full.black, full.white)
    opening = opening_of_board(board)
    return GameRecord(
        game_id=full.game_id,
        opponent_id=opponent.id,
        opponent=opponent.label,
        opponent_is_bot=opponent.is_bot,
        color=color,
        variant=full.variant,
        speed=full.speed,
        rated=full.rated,
        status=state.status,
        outcome=outcome_of(state.status, state.winner, color),
        plies=len(state.moves),
        begun_s=full.created_at_ms / 1000 or ended_s,
        ended_s=ended_s,
        my_rating=me.rating,
        opponent_rating=opponent.rating,
        eco=opening.eco if opening else "",
        opening=opening.name if opening else "",
        pgn=pgn,
    )


def finished_game(export: GameExport) -> tuple[GameFull, GameState, chess.Board]:
    """Convert the export of a finished game to the event that its stream would have sent, but for the clocks.

    Returns the game, its final state and its last position with all moves on the stack. Raises UnplayableGameError for
    moves that do not fit the position.
    """
    board = starting_board(export.variant, export.initial_fen)
    moves = []
    try:
        for san in export.san_moves:
            move = board.parse_san(san)
            moves.append(board.uci(move))
            board.push(move)
    except ValueError as error:
        raise UnplayableGameError(f"game {export.game_id}: the export's moves do not fit: {error}") from error
    state = GameState(moves=tuple(moves), status=export.status, winner=export.winner)
    # A game and its export name what they share alike.
    shared: dict[str, Any] = {one.name: getattr(export, one.name) for one in fields(GameFull) if one.name != "state"}
    return GameFull(state=state, **shared), state, board
