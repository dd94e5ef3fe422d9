"""Games as PGN and as JSON, for exports and lists."""

from __future__ import annotations

import datetime

import chess
import chess.pgn

from bot.fake_lichess.world import json_objects
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.game import Game, Player
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import COLOR_NAMES

DELAY_PLIES = 3
TERMINATIONS = {"outoftime": "Time forfeit", "timeout": "Abandoned", "aborted": "Abandoned", "started": "Unterminated"}


def shown_moves(game: Game) -> list[str]:
    """The moves that may be shown: a running game is delayed by three plies."""
    return game.moves[:-DELAY_PLIES] if game.playable else list(game.moves)


def result_of(game: Game) -> str:
    """1-0, 0-1, 1/2-1/2 or *."""
    if game.playable or game.status == "aborted":
        return "*"
    return {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[game.winner]


def _control(control: TimeControl) -> str:
    if control.limit_ms is not None:
        return f"{control.limit_ms // 1000}+{control.increment_ms // 1000}"
    return "-" if control.days is None else f"1/{control.days * 86_400}"


def _elo(player: Player) -> str:
    return "?" if player.account is None else str(player.rating)


def pgn_of(game: Game, base_url: str, *, clocks: bool = False) -> str:
    """The game as PGN with the server's tags; with clock comments where wanted."""
    started = datetime.datetime.fromtimestamp(game.created_at_ms / 1000, datetime.UTC)
    root = chess.pgn.Game()
    root.setup(game.first_board)
    rated = "rated" if game.spec.rated else "casual"
    white, black = game.players[chess.WHITE], game.players[chess.BLACK]
    tags = {
        "Event": f"{rated} {game.spec.perf} game",
        "AppState": f"{base_url}/{game.id}",
        "Date": started.strftime("%Y.%m.%d"),
        "White": white.name,
        "Black": black.name,
        "Result": result_of(game),
        "GameId": game.id,
        "UTCDate": started.strftime("%Y.%m.%d"),
        "UTCTime": started.strftime("%H:%M:%S"),
        "WhiteElo": _elo(white),
        "BlackElo": _elo(black),
        "Variant": game.spec.variant.name,
        "TimeControl": _control(game.spec.control),
        "Termination": TERMINATIONS.get(game.status, "Normal"),
    }
    for name, value in tags.items():
        root.headers[name] = value
    node: chess.pgn.GameNode = root
    times = game.clock.history_ms()
    for uci, left_ms in zip(shown_moves(game), times, strict=False):
        node = node.add_variation(node.board().parse_uci(uci))
        if clocks and game.spec.control.limit_ms is not None:
            node.set_clock(left_ms / 1000)
    return f"{root}\n\n"


def _sans(game: Game) -> list[str]:
    board, sans = game.first_board.copy(), []
    for uci in shown_moves(game):
        move = board.parse_uci(uci)
        sans.append(board.san(move))
        board.push(move)
    return sans


def json_of(game: Game, base_url: str, *, moves: bool = True, pgn: bool = False, clocks: bool = False) -> Json:
    """The game as the export's JSON object; times of `clock` in seconds, of `clocks` in hundredths."""
    control = game.spec.control
    found: Json = {
        "id": game.id,
        "rated": game.spec.rated,
        "variant": game.spec.variant.key,
        "speed": game.spec.speed,
        "perf": game.spec.perf,
        "createdAt": game.created_at_ms,
        "lastMoveAt": game.last_move_at_ms,
        "status": game.status,
        "source": game.spec.source,
        "players": json_objects.players_json(game),
    }
    if game.winner is not None:
        found["winner"] = COLOR_NAMES[game.winner]
    if game.spec.initial_fen is not None:
        found["initialFen"] = game.spec.initial_fen
    if moves:
        found["moves"] = " ".join(_sans(game))
    if pgn:
        found["pgn"] = pgn_of(game, base_url, clocks=clocks)
    if control.limit_ms is not None:
        limit, increment = control.limit_ms // 1000, control.increment_ms // 1000
        found["clock"] = {"initial": limit, "increment": increment, "totalTime": limit + 40 * increment}
        if clocks:
            found["clocks"] = [left // 10 for left in game.clock.history_ms()[: len(shown_moves(game))]]
    if control.days is not None:
        found["daysPerTurn"] = control.days
    return found
