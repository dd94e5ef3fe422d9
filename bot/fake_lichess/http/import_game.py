"""Imports a game from PGN as a finished one."""

from __future__ import annotations

import io
from typing import NoReturn

import chess
import chess.pgn

from ..errors import FormError
from ..world.accounts import Account
from ..world.clocks import GameClock, TimeControl
from ..world.game_end import GameEnd, position_outcome
from ..world.server_game import Game, GameSpec, Player
from ..world.variants import VARIANTS, Variant
from ..world.world import World

MAX_PGN = 100_000
WINNERS = {"1-0": chess.WHITE, "0-1": chess.BLACK}


class _StrictBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Stops at the first error, because python-chess may lose count of the variations after one."""

    def handle_error(self, error: Exception) -> NoReturn:
        raise _invalid(str(error)[:100]) from error


def _invalid(reason: str) -> FormError:
    return FormError({"pgn": [f"Invalid PGN: {reason}"]})


def import_game(world: World, text: str) -> Game:
    """Make a finished game from a PGN; raises FormError if it is unreadable."""
    pgn = chess.pgn.read_game(io.StringIO(text[:MAX_PGN]), Visitor=_StrictBuilder)
    if pgn is None or not pgn.variations:
        raise _invalid("no moves")
    first = pgn.board()
    variant = _variant_of(first)
    initial_fen = None if first.fen() == type(first)().fen() else first.fen()
    spec = GameSpec(
        world.new_id(), variant, TimeControl(), False, "correspondence", "correspondence", "import", initial_fen
    )
    players = {
        color: Player(Account(pgn.headers.get(name, "?")), spec.id + world.new_id(4), _rating(pgn.headers, name))
        for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black"))
    }
    game = Game(spec, first, players, GameClock(spec.control, first.turn, 0), world)
    for move in pgn.mainline_moves():
        game.moves.append(first.uci(move))
        game.clock.press(0)
        first.push(move)
    end = position_outcome(first) or _outcome(pgn.headers.get("Result", "*"))
    game.status, game.winner = end
    first.clear_stack()
    world.games[game.id] = game
    return game


def _variant_of(board: chess.Board) -> Variant:
    if board.uci_variant == "chess":
        if board.chess960:
            return VARIANTS["chess960"]
        return VARIANTS["standard" if board.fen() == chess.STARTING_FEN else "fromPosition"]
    return next(variant for variant in VARIANTS.values() if variant.board_class is type(board))


def _rating(headers: chess.pgn.Headers, side: str) -> int:
    text = headers.get(f"{side}Elo", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 1500


def _outcome(result: str) -> GameEnd:
    if result in WINNERS:
        return GameEnd("resign", WINNERS[result])
    return GameEnd("draw" if result == "1/2-1/2" else "unknownFinish", None)
