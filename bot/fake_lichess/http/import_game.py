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
from ..world.variants import VARIANTS, Variant, speed_of
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
    return _finished(world, _read(text), world.new_id(), TimeControl(), "correspondence", rated=False)


def restore_game(world: World, game_id: str, text: str, *, status: str, rated: bool) -> None:
    """Add a finished game of an earlier run, unless the id is taken; raises FormError if the PGN is unreadable."""
    if game_id in world.games:
        return
    pgn = _read(text)
    limit, plus, increment = pgn.headers.get("TimeControl", "").partition("+")
    control = TimeControl(int(limit) * 1000, int(increment) * 1000) if plus else TimeControl()
    game = _finished(world, pgn, game_id, control, speed_of(control.limit_s, control.increment_s), rated=rated)
    game.status = status


def _read(text: str) -> chess.pgn.Game:
    pgn = chess.pgn.read_game(io.StringIO(text[:MAX_PGN]), Visitor=_StrictBuilder)
    if pgn is None or not pgn.variations:
        raise _invalid("no moves")
    return pgn


def _finished(
    world: World, pgn: chess.pgn.Game, game_id: str, control: TimeControl, speed: str, *, rated: bool
) -> Game:
    first = pgn.board()
    variant = _variant_of(first)
    initial_fen = None if first.fen() == type(first)().fen() else first.fen()
    perf = speed if variant.key in ("standard", "fromPosition") else variant.key
    spec = GameSpec(game_id, variant, control, rated, speed, perf, "import", initial_fen)
    players = {
        color: Player(
            _account(world, pgn.headers.get(name, "?")), game_id + world.new_id(4), _rating(pgn.headers, name)
        )
        for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black"))
    }
    game = Game(spec, first, players, GameClock(control, first.turn, 0), world)
    for node in pgn.mainline():
        game.moves.append(first.uci(node.move))
        game.clock.press(0)
        clock_s = node.clock()
        if clock_s is not None:
            game.clock.correct(first.turn, round(clock_s * 1000))
        first.push(node.move)
    game.clock.stop(0)
    game.status, game.winner = position_outcome(first) or _outcome(pgn.headers.get("Result", "*"))
    first.clear_stack()
    world.games[game.id] = game
    return game


def _account(world: World, name: str) -> Account:
    return world.registry.find(name) or Account(name)


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
