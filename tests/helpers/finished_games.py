"""Games that have ended, for tests of what is kept of them."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from bot.archive.database import Database
from bot.archive.game_record import GameRecord
from bot.archive.pgn import pgn_of
from bot.archive.recorder import record_of
from bot.archive.store import Store
from bot.events.game import GameFull, Outcome, outcome_of, parse_game_event

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


def is_written(store: Database, timeout_s: float) -> bool:
    """Wait until everything queued is written; False if time runs out."""
    with store._changed:
        return store._changed.wait_for(lambda: not store._waiting, timeout_s)


def record_game(store: Store, game: GameRecord) -> None:
    """Keep a finished game, as the recorder does."""
    store.put("game", lambda connection: store.insert_game(connection, game))


def finished(moves: str = FOOLS_MATE, status: str = "mate", winner: str = "black", **extra: object) -> GameFull:
    """A gameFull line of the account "me" against the server's AI; `extra` replaces fields of the line."""
    state = {"moves": moves, "wtime": 1, "btime": 1, "status": status, "winner": winner}
    white = {"id": "me", "name": "Me", "title": "BOT", "rating": 2000}
    line: dict[str, object] = {
        "type": "gameFull",
        "id": "abcdefgh",
        "white": white,
        "black": {"aiLevel": 3},
        "speed": "blitz",
    }
    line |= {"createdAt": 1_700_000_000_000}
    event = parse_game_event(line | {"clock": {"initial": 180000, "increment": 2000}, "state": state} | extra)
    assert isinstance(event, GameFull)
    return event


def board_after(moves: str) -> chess.Board:
    """The board with these moves on its stack."""
    board = chess.Board()
    for uci in moves.split():
        board.push_uci(uci)
    return board


def record(game_id: str = "abcdefgh", outcome: Outcome | None = Outcome.WIN, **fields: Any) -> GameRecord:
    """A blitz game that we won as White against somebot; `fields` replace those of the record."""
    opponent = fields.get("opponent_id", "somebot")
    known: dict[str, Any] = {
        "opponent_id": opponent, "opponent": opponent, "opponent_is_bot": opponent.endswith("bot"), "color": "white",
        "variant": "standard", "speed": "blitz", "rated": True, "status": "mate", "plies": 40, "ended_s": 100.0,
    }  # fmt: skip
    known |= {"begun_s": max(0.0, fields.get("ended_s", 100.0) - 50.0)} | fields
    return GameRecord(game_id, outcome=outcome, **known)


def enter(store: Store, game_id: str, **fields: object) -> None:
    """Record a finished game; `fields` replace those of its gameFull line."""
    game = finished(FOOLS_MATE, "mate", "black", id=game_id, **fields)
    board = board_after(" ".join(game.state.moves))
    pgn = pgn_of(game, game.state, board, "https://lichess.test")
    record_game(store, record_of(game, game.state, board, "me", 1_700_000_100.0, pgn))


def keep(path: Path, *games: GameRecord) -> None:
    """Write a store with these games."""
    store = Store(path)
    for game in games:
        record_game(store, game)
    store.close()


def pgns_written(store: Store) -> bool:
    """Whether all games handed over are in the store and in the PGN files."""
    return is_written(store, 1.0) and not store.rows("SELECT game_id FROM games WHERE pgn_is_due")


def bot_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *games: GameRecord, more: str = "") -> None:
    """Go to a folder with a store of these games and a configuration, which the environment names."""
    monkeypatch.chdir(folder)
    keep(folder / "games.sqlite3", *games)
    (folder / "my.yml").write_text(f"store: games.sqlite3\n{more}", encoding="utf-8")
    monkeypatch.setenv("BOT88_CONFIG", "my.yml")


def games_in(pgn: str) -> list[chess.pgn.Game]:
    """Every game of a PGN."""
    file = io.StringIO(pgn)
    found = []
    while (game := chess.pgn.read_game(file)) is not None:
        found.append(game)
    return found


def ids_in(pgn: str) -> list[str]:
    """The game ids of a PGN, in order; each game must be whole."""
    games = games_in(pgn)
    for game in games:
        assert game.errors == []
        assert len(list(game.mainline_moves())) == 4, game.headers
        assert game.headers["Result"] == "0-1"
    return [game.headers["Site"].rpartition("/")[2] for game in games]


def blitz(
    game_id: str, result: str = "1-0", *, color: str = "white", opponent: str = "somebot", **fields: Any
) -> GameRecord:
    """A blitz game with a result as PGN spells it."""
    winner = {"1-0": "white", "0-1": "black"}.get(result, "")
    status = "aborted" if result == "*" else "mate" if winner else "draw"
    name = f"BOT {opponent}" if opponent.endswith("bot") else opponent
    found = record(game_id, outcome_of(status, winner, color), color=color, opponent_id=opponent, opponent=name)
    return replace(found, **fields)
