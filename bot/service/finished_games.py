"""The finished games as the dashboard shows them, read from the store beside the games that run."""

from __future__ import annotations

import chess

from bot.archive.kept_games import KeptGame, kept_games
from bot.archive.played_game import PlayedGame, PlayedMove, UnreadableGameError, played_game, time_control
from bot.archive.store import Store
from bot.dashboard.charts import ScorePoint
from bot.dashboard.replay import Replay, ReplayMove
from bot.engine_pool.values import EngineInfo
from bot.events.game import ONGOING
from bot.settings import Settings


class FinishedGames:
    """Reads the store's file over a connection of its own each time; a store in memory, where there is no file."""

    def __init__(self, settings: Settings, store: Store, server_url: str) -> None:
        """`server_url`: where the games can be watched."""
        self._path, self._store, self._server_url = settings.store, store, server_url

    def since(self, since_s: float) -> list[KeptGame]:
        """Return the games that ended after a moment (epoch seconds), oldest first. Raises StoreError."""
        if self._path is not None:
            return kept_games(self._path, since_s)
        pgns = {record.game_id: pgn for record, pgn in self._store.games_without_pgn()}
        found = [KeptGame(record, pgns.get(record.game_id, "")) for record in self._store.games_since(since_s)]
        return [kept for kept in found if kept.record.status not in ONGOING]

    def replay(self, game_id: str) -> Replay | None:
        """Return a game to be stepped through, None for one that is not kept. Raises StoreError."""
        if self._path is not None:
            found = kept_games(self._path, game_id=game_id)
        else:
            found = [kept for kept in self.since(0.0) if kept.record.game_id == game_id]
        return replay_of(found[0], self._server_url) if found else None


def replay_of(kept: KeptGame, server_url: str) -> Replay:
    """Return a kept game to be stepped through; one whose PGN cannot be read has no moves."""
    record = kept.record
    try:
        played, unreadable = played_game(kept), ""
    except UnreadableGameError as error:
        played, unreadable = PlayedGame(kept, {}, (), chess.Board()), str(error)
    tags = played.headers
    variant = "" if record.variant == "standard" else f"{record.variant} · "
    opening = f"{record.eco} {record.opening}".strip()
    return Replay(
        game_id=record.game_id,
        url=f"{server_url}/{record.game_id}",
        white=_player(played, "White"),
        black=_player(played, "Black"),
        our_color=record.color,
        outcome=kept.outcome,
        status=tags.get("Termination", record.status) if record.status in ("outoftime", "timeout") else record.status,
        terms=f"{variant}{record.speed} · {'rated' if record.rated else 'casual'} · {tags.get('TimeControl', '-')}",
        opening=opening,
        ended_s=record.ended_s,
        start=_placements(played)[0],
        initial_ms=time_control(tags.get("TimeControl", ""))[0],
        moves=tuple(
            _move(move, placement, record.color == "white")
            for move, placement in zip(played.moves, _placements(played)[1:], strict=True)
        ),
        pgn=kept.pgn,
        unreadable=unreadable,
    )


def _player(played: PlayedGame, side: str) -> str:
    tags = played.headers
    ours = (side == "White") == (played.kept.record.color == "white")
    name = tags.get(side) or ("bot88" if ours else played.kept.record.opponent_id or "Anonymous")
    return " ".join(part for part in (tags.get(f"{side}Title", ""), name, tags.get(f"{side}Elo", "")) if part)


def _placements(played: PlayedGame) -> list[str]:
    """The pieces before each move and at the end."""
    return [*(move.fen.split()[0] for move in played.moves), played.last.board_fen()]


def _move(move: PlayedMove, placement: str, we_are_white: bool) -> ReplayMove:
    sign = 1 if we_are_white else -1
    mate = None if move.mate_in is None else sign * move.mate_in
    score_cp = EngineInfo(score_cp=None if move.score_cp is None else sign * move.score_cp, mate=mate).centipawns()
    return ReplayMove(
        ply=move.ply,
        number=move.number,
        is_white=move.is_white,
        san=move.san,
        uci=move.uci,
        placement=placement,
        clock_ms=move.clock_ms,
        spent_ms=move.spent_ms,
        score=None if score_cp is None else ScorePoint(move.ply, score_cp, mate),
        depth=move.depth,
        source=move.source,
    )
