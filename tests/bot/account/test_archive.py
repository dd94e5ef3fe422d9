"""Finished games: the row in the store and the PGN in the folder."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import chess.pgn
import pytest

from bot.account.archive import GameArchive, pgn_of, result_of
from bot.account.store import Store
from bot.events import GameFull, parse_game_event


def full(moves: str, status: str, winner: str = "", **extra: object) -> GameFull:
    state = {"moves": moves, "wtime": 1, "btime": 1, "status": status, "winner": winner}
    white = {"id": "me", "name": "Me", "title": "BOT", "rating": 2000}
    line = {"type": "gameFull", "id": "abcdefgh", "white": white, "black": {"aiLevel": 3}, "speed": "blitz"}
    event = parse_game_event(line | {"clock": {"initial": 180000, "increment": 2000}, "state": state} | extra)
    assert isinstance(event, GameFull)
    return event


def board_after(moves: str) -> chess.Board:
    board = chess.Board()
    for uci in moves.split():
        board.push_uci(uci)
    return board


FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        ("mate", "black", "0-1"),
        ("resign", "white", "1-0"),
        ("draw", "", "1/2-1/2"),
        ("aborted", "", "*"),
        ("started", "", "*"),
    ],
)
def test_results(status: str, winner: str, result: str) -> None:
    assert result_of(full("", status, winner).state) == result


def test_the_pgn_replays() -> None:
    game = full(FOOLS_MATE, "mate", "black")
    text = pgn_of(game, game.state, board_after(FOOLS_MATE), "https://lichess.test")
    parsed = chess.pgn.read_game(io.StringIO(text))
    assert parsed is not None
    assert parsed.errors == []
    assert [move.uci() for move in parsed.mainline_moves()] == FOOLS_MATE.split()
    assert parsed.headers["Site"] == "https://lichess.test/abcdefgh"
    assert parsed.headers["Black"] == "AI level 3"
    assert parsed.headers["TimeControl"] == "180+2"
    assert parsed.headers["Result"] == "0-1"


def test_games_are_entered_and_appended(tmp_path: Path) -> None:
    store = Store()
    book = GameArchive(store, "me", "https://lichess.test", tmp_path / "pgn")
    for game_id in ("aaaaaaaa", "bbbbbbbb"):
        game = full(FOOLS_MATE, "mate", "black", id=game_id)
        book.enter(game, game.state, board_after(FOOLS_MATE))
    kept = store.games_since(0.0)
    assert [(game.game_id, game.color, game.result, game.plies) for game in kept] == [
        ("aaaaaaaa", "white", "0-1", 4), ("bbbbbbbb", "white", "0-1", 4),
    ]  # fmt: skip
    (file,) = (tmp_path / "pgn").iterdir()
    assert file.read_text(encoding="utf-8").count("[Event ") == 2


def test_a_disk_that_fails_disturbs_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    store = Store()
    game = full(FOOLS_MATE, "mate", "black")
    GameArchive(store, "me", "u", tmp_path / "file").enter(game, game.state, board_after(FOOLS_MATE))
    assert len(store.games_since(0.0)) == 1
