"""Made-up pictures for the tests of what is made from them."""

from __future__ import annotations

import re
import time
from html import unescape
from typing import Any

import chess

from bot.archive.kept_games import KeptGame
from bot.archive.store import GameRecord
from bot.dashboard.charts import ScorePoint
from bot.dashboard.games import GameView, Side
from bot.dashboard.health import Health
from bot.dashboard.picture import Picture
from bot.dashboard.replay import Replay, ReplayMove
from bot.engine_pool import EntrySnapshot

PGN = """[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "bot88"]
[Black "Alice"]
[Result "1-0"]
[WhiteElo "2010"]
[BlackElo "1700"]
[WhiteTitle "BOT"]

1. e4 { [White "nobody"] } 1-0"""
#: Sources of a bot that is starting.
PLAIN: dict[str, Any] = {
    "server_url": "http://server",
    "account": lambda: None,
    "snapshot": lambda: None,
    "engines": tuple,
    "limits": dict,
    "limited": dict,
    "games_since": lambda _since_s: (),
}
WELL = Health((), ready=True)


def game(**fields: Any) -> GameView:
    """A game in which we are White."""
    plain: dict[str, Any] = {
        "game_id": "abcdefgh",
        "url": "http://server/abcdefgh",
        "speed": "blitz",
        "variant": "standard",
        "rated": True,
        "our_color": "white",
        "white": Side("BOT me", 2000, 65_000, True),
        "black": Side("Alice", 1700, 60_000, False),
        "fen": chess.STARTING_FEN,
        "ply": 0,
        "last_move": "",
        "last_uci": "",
        "score_cp": 25,
    }
    return GameView(**(plain | fields))


def picture(**fields: Any) -> Picture:
    """A bot that is well and plays nothing."""
    plain: dict[str, Any] = {
        "taken_s": 1_700_000_000.0,
        "account": "me",
        "server_url": "http://server",
        "health": WELL,
        "last_error": None,
        "games": (),
        "uses": {"playing": 0, "parked": 0, "accepted": 0, "outgoing": 0},
        "free_slots": 2,
        "waiting": (),
        "limits": {},
        "limited": {},
        "engines": (EntrySnapshot("engine88", 2, 0, 1, 0, 0, (1,)),),
        "results": {"won": 1, "drawn": 0, "lost": 0},
        "stream_age_s": 1.0,
        "stream_openings": 1,
        "challenge_outcomes": {},
    }
    return Picture(**(plain | fields))


def kept(game_id: str = "abcdefgh", ended_s: float | None = None, pgn: str = PGN, **fields: Any) -> KeptGame:
    """A game that we won with White."""
    plain: dict[str, Any] = {"color": "white", "variant": "standard", "speed": "blitz", "rated": True, "result": "1-0"}
    plain |= {"opponent_id": "alice", "opponent_is_bot": False, "status": "mate", "plies": 40}
    return KeptGame(
        GameRecord(game_id=game_id, ended_s=time.time() if ended_s is None else ended_s, **(plain | fields)), pgn
    )


def replay(**fields: Any) -> Replay:
    """A game that we, Black, won by Fool's mate; only our moves have scores."""
    board, moves = chess.Board(), []
    for ply, uci in enumerate(("f2f3", "e7e5", "g2g4", "d8h4"), 1):
        move, ours = chess.Move.from_uci(uci), ply % 2 == 0
        san, number = board.san(move), board.fullmove_number
        board.push(move)
        known: dict[str, Any] = {"score": ScorePoint(ply, 80 * ply), "depth": 9, "source": "engine88"} if ours else {}
        clocks: dict[str, Any] = {"clock_ms": 180_000 - 1000 * ply, "spent_ms": 1500}
        moves.append(ReplayMove(ply, number, not ours, san, uci, board.board_fen(), **clocks, **known))
    plain: dict[str, Any] = {"game_id": "abcdefgh", "url": "http://server/abcdefgh", "our_color": "black"}
    plain |= {"white": "Alice 1700", "black": "BOT me 2000", "outcome": "win", "status": "mate", "pgn": PGN}
    plain |= {"terms": "blitz · rated · 180+2", "opening": "A00 Barnes Opening", "ended_s": 1_700_000_000.0}
    plain |= {"start": chess.STARTING_BOARD_FEN, "initial_ms": 180_000, "moves": tuple(moves)}
    return Replay(**(plain | fields))


def words(markup: str) -> str:
    """What a reader sees of a page or a part of it, in order, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())
