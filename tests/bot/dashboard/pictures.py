"""Made-up pictures for the tests of what is made from them."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from html import unescape
from typing import Any

import chess
from chess.engine import Cp, PovScore

from bot.archive.game_record import GameRecord
from bot.archive.pgn import PlayedGame, PlayedMove
from bot.dashboard.games import GameView, Side
from bot.dashboard.picture import Health, Picture
from bot.engine_pool.values import EntrySnapshot
from bot.events.game import Outcome
from tests.helpers.finished_games import record

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
}
WELL = Health((), ready=True)


#: A game that Black won; only Black's moves have scores.
BLACK_WON = (
    '[White "Alice"]\n[Black "me"]\n[TimeControl "180+2"]\n\n'
    "1. f3 { [%clk 0:02:59] } e5 { engine88 [%eval -1.60,9] [%clk 0:02:58] }"
    " 2. g4 { [%clk 0:02:57] } Qh4# { engine88 [%eval -3.20,9] [%clk 0:02:56] } 0-1"
)


def game(**fields: Any) -> GameView:
    """A game in which we are White."""
    plain: dict[str, Any] = {
        "game_id": "abcdefgh",
        "url": "http://server/abcdefgh",
        "clock": "2+0",
        "speed": "blitz",
        "variant": "standard",
        "rated": True,
        "our_color": "white",
        "white": Side("BOT me", 2000, 65_000, True),
        "black": Side("Alice", 1700, 60_000, False),
        "position": {"fen": chess.STARTING_FEN, "side": "white"},
        "ply": 0,
        "last_move": "",
        "last_uci": "",
        "score": PovScore(Cp(25), chess.WHITE),
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
        "results": {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: 0},
        "stream_age_s": 1.0,
        "stream_openings": 1,
        "challenge_outcomes": {},
    }
    return Picture(**(plain | fields))


def kept(game_id: str = "abcdefgh", ended_s: float | None = None, pgn: str = PGN, **fields: Any) -> GameRecord:
    """A game that we won with White."""
    known: dict[str, Any] = {
        "opponent_id": "alice",
        "opponent": "Alice",
        "my_rating": 2010,
        "opponent_rating": 1700,
        "pgn": pgn,
    }
    return record(game_id, ended_s=time.time() if ended_s is None else ended_s, **(known | fields))


def replay(**fields: Any) -> PlayedGame:
    """A game that we, Black, won by Fool's mate; only our moves have scores. `fields`: of the game or its record."""
    board, moves = chess.Board(), []
    for ply, uci in enumerate(("f2f3", "e7e5", "g2g4", "d8h4"), 1):
        move, ours, fen = chess.Move.from_uci(uci), ply % 2 == 0, board.fen()
        san, number = board.san(move), board.fullmove_number
        board.push(move)
        score = PovScore(Cp(80 * ply), chess.BLACK) if ours else None
        known = (score, 9, "engine88") if ours else (None, None, "")
        moves.append(PlayedMove(ply, san, uci, not ours, number, fen, 180_000 - 1000 * ply, 1500, *known))
    headers = {"White": "Alice", "WhiteElo": "1700", "Black": "me", "BlackTitle": "BOT", "BlackElo": "2000"}
    headers |= {"TimeControl": "180+2"} | fields.pop("headers", {})
    of_game = {name: fields.pop(name) for name in ("moves", "unreadable") if name in fields}
    plain: dict[str, Any] = {"color": "black", "opponent_id": "alice", "opponent": "Alice", "pgn": PGN, "eco": "A00"}
    plain |= {"opening": "Barnes Opening", "ended_s": 1_700_000_000.0, "plies": 4}
    game = PlayedGame(record(**(plain | fields)), headers, tuple(moves), board)
    return replace(game, **of_game)


def words(markup: str) -> str:
    """What a reader sees of a page or a part of it, in order, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())
