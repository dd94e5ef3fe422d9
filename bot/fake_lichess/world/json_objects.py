"""The JSON objects of streams and answers."""

from __future__ import annotations

import time
from collections.abc import Mapping

import chess

from .accounts import Account
from .clocks import UNLIMITED_MS, TimeControl
from .server_game import Game, Player
from .variants import COLOR_NAMES, Variant, is_board_compatible, is_bot_compatible, perf_name

Json = dict[str, object]
STATUS_IDS = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "cheat": 36,
    "noStart": 37,
    "unknownFinish": 38,
    "insufficientMaterialClaim": 39,
    "variantEnd": 60,
}


def variant_json(variant: Variant, *, short: bool = True) -> Json:
    """Return the variant object."""
    found: Json = {"key": variant.key, "name": variant.name}
    return found | ({"short": variant.short} if short else {})


def status_json(game: Game) -> Json:
    """Status with its number."""
    return {"id": STATUS_IDS[game.status], "name": game.status}


def clock_json(control: TimeControl) -> Json:
    """Return the object of a real-time clock in seconds, none for any other time control."""
    if control.limit_ms is None:
        return {}
    limit, increment = control.limit_ms // 1000, control.increment_ms // 1000
    return {"clock": {"initial": limit, "increment": increment, "totalTime": limit + 40 * increment}}


def initial_fen(game: Game) -> str:
    """Return "startpos", or the FEN of another first position."""
    return game.spec.initial_fen or "startpos"


def game_state(game: Game, now_ms: float) -> Json:
    """Return the gameState object: times in milliseconds, offers only while they are open."""
    increment = game.spec.control.increment_ms
    state: Json = {
        "type": "gameState",
        "moves": " ".join(game.moves),
        "wtime": _wire_ms(game.clock.remaining_ms(chess.WHITE, now_ms)),
        "btime": _wire_ms(game.clock.remaining_ms(chess.BLACK, now_ms)),
        "winc": increment,
        "binc": increment,
        "status": game.status,
    }
    if game.winner is not None:
        state["winner"] = COLOR_NAMES[game.winner]
    for letter, color in (("w", chess.WHITE), ("b", chess.BLACK)):
        if game.players[color].offers_draw:
            state[f"{letter}draw"] = True
        if game.players[color].offers_takeback:
            state[f"{letter}takeback"] = True
    if game.spec.first_move_ms is not None and game.playable and not game.both_moved:
        idle = time.time_ns() // 1_000_000 - game.last_move_at_ms
        state["expiration"] = {"idleMillis": max(0, idle), "millisToMove": game.spec.first_move_ms}
    if game.rematch_id is not None:
        state["rematch"] = game.rematch_id
    return state


def _wire_ms(milliseconds: int) -> int:
    return min(milliseconds, UNLIMITED_MS)


def _event_player(player: Player) -> Json:
    if player.account is None:
        return {"aiLevel": player.ai_level}
    account = player.account
    if account.anonymous:
        return {}
    found: Json = {"id": account.id, "name": account.name, "title": account.title, "rating": player.rating}
    return found | ({"provisional": True} if player.provisional else {})


def game_full(game: Game, now_ms: float) -> Json:
    """Return the first line of a game stream."""
    control = game.spec.control
    full: Json = {
        "type": "gameFull",
        "id": game.id,
        "variant": variant_json(game.spec.variant),
        "speed": game.spec.speed,
        "perf": {"name": perf_name(game.spec.perf)},
        "rated": game.spec.rated,
        "createdAt": game.created_at_ms,
        "white": _event_player(game.players[chess.WHITE]),
        "black": _event_player(game.players[chess.BLACK]),
        "initialFen": initial_fen(game),
        "state": game_state(game, now_ms),
    }
    if control.limit_ms is not None:
        full["clock"] = {"initial": control.limit_ms, "increment": control.increment_ms}
    if control.days is not None:
        full["daysPerTurn"] = control.days
    if game.spec.tournament_id is not None:
        full["tournamentId"] = game.spec.tournament_id
    return full


def game_info(game: Game, color: chess.Color, now_ms: float) -> Json:
    """Return a game as events of the account stream and the list of running games show it."""
    me, left_ms = game.players[color], game.clock.remaining_ms(color, now_ms)
    info: Json = {
        "fullId": me.full_id,
        "gameId": game.id,
        "fen": game.board.fen(),
        "color": COLOR_NAMES[color],
        "lastMove": game.moves[-1] if game.moves else "",
        "source": game.spec.source,
        "status": status_json(game),
        "variant": variant_json(game.spec.variant, short=False),
        "speed": game.spec.speed,
        "perf": game.spec.perf,
        "rated": game.spec.rated,
        "hasMoved": len(game.moves) > (0 if color == game.first_board.turn else 1),
        "opponent": _info_opponent(game.players[not color]),
        "isMyTurn": game.playable and game.board.turn == color,
        "rating": me.rating,
    }
    if left_ms < UNLIMITED_MS:
        info["secondsLeft"] = left_ms // 1000
    if game.winner is not None:
        info["winner"] = COLOR_NAMES[game.winner]
    if game.spec.tournament_id is not None:
        info["tournamentId"] = game.spec.tournament_id
    if me.rating_diff is not None:
        info["ratingDiff"] = me.rating_diff
    return info


def _info_opponent(player: Player) -> Json:
    if player.account is None:
        return {"id": None, "username": player.name, "ai": player.ai_level}
    if player.account.anonymous:
        return {"id": None, "username": player.name}
    title = f"{player.account.title} " if player.account.title else ""
    found: Json = {"id": player.account.id, "username": title + player.name, "rating": player.rating}
    if player.rating_diff is not None:
        found["ratingDiff"] = player.rating_diff
    return found


def game_event(kind: str, game: Game, color: chess.Color, now_ms: float, allow_any_clock: bool = False) -> Json:
    """Return a gameStart or gameFinish line of the account stream, with the APIs that the account may play it by."""
    info = game_info(game, color, now_ms)
    account, source, speed = game.players[color].account, game.spec.source, game.spec.speed
    info["compat"] = {
        "bot": account is not None and account.is_bot and (allow_any_clock or is_bot_compatible(source, speed)),
        "board": allow_any_clock or is_board_compatible(source, speed),
    }
    info["id"] = game.id
    return {"type": kind, "game": info}


def watch_line(game: Game, now_ms: float) -> Json:
    """Return a move for spectators, with clocks in seconds."""
    left = {color: game.clock.remaining_ms(color, now_ms) for color in (chess.WHITE, chess.BLACK)}
    return _watched(game.board, game.moves[-1] if game.moves else "", left)


def _watched(board: chess.Board, last_move: str, left_ms: Mapping[chess.Color, int]) -> Json:
    clocks: Json = {"wc": left_ms[chess.WHITE] // 1000, "bc": left_ms[chess.BLACK] // 1000}
    return {"fen": board.fen(), "lm": last_move} | clocks


def watch_past(game: Game) -> list[Json]:
    """Return every position so far, oldest first, with the clocks after its move."""
    board, first = game.first_board.copy(), game.spec.control.initial_ms
    left = {chess.WHITE: first, chess.BLACK: first}
    lines = [_watched(board, "", left)]
    for uci, left_ms in zip(game.moves, game.clock.history_ms(), strict=True):
        left[board.turn] = left_ms
        board.push_uci(uci)
        lines.append(_watched(board, uci, left))
    return lines


def summary(game: Game) -> Json:
    """Return what exports and lists say about a game first, and the winner if there is one."""
    found: Json = {
        "id": game.id,
        "rated": game.spec.rated,
        "variant": game.spec.variant.key,
        "speed": game.spec.speed,
        "perf": game.spec.perf,
        "createdAt": game.created_at_ms,
    }
    return found | ({"winner": COLOR_NAMES[game.winner]} if game.winner is not None else {})


def current_position(game: Game) -> Json:
    """Return a game with its position and the side to move."""
    return summary(game) | {
        "variant": variant_json(game.spec.variant),
        "fen": game.board.fen(),
        "player": COLOR_NAMES[game.board.turn],
        "turns": len(game.moves),
        "source": game.spec.source,
        "status": status_json(game),
    }


def watch_head(game: Game) -> Json:
    """Return the first and the last line of a spectator's stream, with the state of the game."""
    return current_position(game) | {
        "initialFen": initial_fen(game),
        "startedAtTurn": 0,
        "lastMove": game.moves[-1] if game.moves else "",
        "players": players_json(game),
    }


def players_json(game: Game) -> Json:
    """Return both players as exports and spectators' lists show them."""
    return {COLOR_NAMES[color]: _listed_player(game.players[color]) for color in (chess.WHITE, chess.BLACK)}


def light_user(account: Account) -> Json:
    """Return an account as games, teams and tournaments show it."""
    found: Json = {"name": account.name, "id": account.id}
    return found | ({"title": account.title} if account.title else {})


def _listed_player(player: Player) -> Json:
    if player.account is None:
        return {"aiLevel": player.ai_level}
    account = player.account
    if account.anonymous:
        return {}
    found: Json = {"user": light_user(account), "rating": player.rating}
    found |= {"provisional": True} if player.provisional else {}
    return found | ({"ratingDiff": player.rating_diff} if player.rating_diff is not None else {})
