"""Games that have ended, for tests of what is kept of them."""

from __future__ import annotations

import io

import chess
import chess.pgn

from bot.archive.game_archive import GameArchive
from bot.events import GameFull, parse_game_event

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"


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


def enter(archive: GameArchive, game_id: str, **fields: object) -> None:
    """Enter a finished game; `fields` replace those of its gameFull line."""
    game = finished(FOOLS_MATE, "mate", "black", id=game_id, **fields)
    archive.enter(game, game.state, board_after(" ".join(game.state.moves)))


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
