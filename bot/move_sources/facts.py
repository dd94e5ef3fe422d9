"""Facts about a running game that rules match on."""

from __future__ import annotations

from typing import Protocol

import chess

from bot.events import GameFull, Player
from bot.settings import Facts


class PlayedGame(Protocol):
    """What the sources need of a running game."""

    full: GameFull
    board: chess.Board
    my_color: chess.Color


def own_player(game: PlayedGame) -> Player:
    """Return our side of a game."""
    return game.full.white if game.my_color == chess.WHITE else game.full.black


def facts_of(game: PlayedGame) -> Facts:
    """Return the facts that rules match on."""
    full, is_white = game.full, game.my_color == chess.WHITE
    opponent = full.black if is_white else full.white
    clock = None if full.initial_ms is None else (full.initial_ms / 1000, (full.increment_ms or 0) / 1000)
    return Facts(
        variant=full.variant,
        speed=full.speed,
        limit_s=clock[0] if clock else None,
        increment_s=clock[1] if clock else None,
        rated=full.rated,
        opponent=opponent.kind,
        user=opponent.id,
        rating=opponent.rating,
        color="white" if is_white else "black",
        tournament=bool(full.tournament_id),
    )
