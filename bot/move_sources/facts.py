"""What rules about games are held against, from a running game."""

from __future__ import annotations

from typing import Protocol

import chess

from bot.events import Player
from bot.settings import Facts


class ConstantProperties(Protocol):
    """The constant properties of a game, as Lichess spells them; times are None without a clock."""

    @property
    def game_id(self) -> str:
        """Its id."""

    @property
    def variant(self) -> str:
        """Its variant."""

    @property
    def speed(self) -> str:
        """Its speed."""

    @property
    def white(self) -> Player:
        """Who has the white pieces."""

    @property
    def black(self) -> Player:
        """Who has the black pieces."""

    @property
    def rated(self) -> bool:
        """Whether it counts for ratings."""

    @property
    def initial_ms(self) -> int | None:
        """The time at the start."""

    @property
    def increment_ms(self) -> int | None:
        """The increment."""

    @property
    def tournament_id(self) -> str:
        """The tournament that it belongs to, "" for none."""


class PlayedGame(Protocol):
    """What the sources need of a running game."""

    @property
    def full(self) -> ConstantProperties:
        """Its constant properties."""

    board: chess.Board
    my_color: chess.Color

    @property
    def opponent(self) -> Player:
        """The other player."""


def own_player(game: PlayedGame) -> Player:
    """Return our side of a game."""
    return game.full.white if game.my_color == chess.WHITE else game.full.black


def facts_of(game: PlayedGame) -> Facts:
    """Return what rules are held against."""
    full, opponent = game.full, game.opponent
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
        color="white" if game.my_color == chess.WHITE else "black",
        tournament=bool(full.tournament_id),
    )
