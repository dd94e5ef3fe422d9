"""A game for the page: the export's facts, the moves in UCI, and the clocks as they run."""

from __future__ import annotations

import chess

from bot.fake_lichess.http.export import ExportOptions, json_of
from bot.fake_lichess.world import json_objects
from bot.fake_lichess.world.clocks import UNLIMITED_MS
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.world import World


def game_facts(world: World, game_id: str) -> Json:
    """Everything that the page shows beside the board; raises ApiError 404."""
    game = world.game(game_id)
    now_ms = world.now_ms()
    left = {color: game.clock.remaining_ms(color, now_ms) for color in chess.COLORS}
    found = json_of(game, world.base_url, ExportOptions(moves=False))
    found |= {
        "variant": json_objects.variant_json(game.spec.variant),
        "initialFen": json_objects.initial_fen(game),
        "uci": list(game.moves),
        "finished": not game.playable,
        "tournament": game.spec.tournament_id,
    }
    if left[chess.WHITE] < UNLIMITED_MS:
        found["wtime"], found["btime"] = left[chess.WHITE], left[chess.BLACK]
    if "clocks" in found:  # the export keeps back the last plies of a running game; the page shows them all
        found["clocks"] = [left_ms // 10 for left_ms in game.clock.history_ms()]
    return found
