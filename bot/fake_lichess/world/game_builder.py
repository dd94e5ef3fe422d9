"""Builds running games from agreed terms, and checks the daily limit of games between bots."""

from __future__ import annotations

import chess

from .. import errors
from ..errors import ApiError
from .accounts import Account
from .challenges import Terms
from .clocks import GameClock
from .seat import Seat
from .server_game import BOTH, Game, GameSpec, Player
from .variants import start_board
from .world import World


class GameBuilder:
    """Makes the games of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._made = 0

    def check_bot_day(self, one: Account | None, other: Account, asker: Account | None) -> None:
        """Raise ApiError if a bot has played its games between bots today: 429 for the asker, 400 for the other."""
        if one is None or not (one.is_bot and other.is_bot):
            return
        now_s = self.world.now_ms() / 1000
        for account in (one, other):
            wait = self.world.bot_day(account).wait_s(now_s)
            if wait > 0:
                text = errors.BOT_DAY.format(name=account.name, games=self.world.config.bot_games_per_day)
                limit = {"key": errors.BOT_DAY_KEY, "seconds": max(1, round(wait))}
                raise ApiError(429 if account is asker else 400, text, {"ratelimit": limit})

    def count_bot_day(self, one: Account | None, other: Account | None) -> None:
        """Count a game between two bots for both."""
        if one is not None and other is not None and one.is_bot and other.is_bot and self.world.limiter.enabled:
            for account in (one, other):
                self.world.bot_day(account).spend(self.world.now_ms() / 1000)

    def make(
        self,
        game_id: str,
        terms: Terms,
        accounts: dict[chess.Color, Account | None],
        source: str,
        level: int | None,
        rematch_of: str | None,
    ) -> Game:
        """Make a game with both players and their drivers; `level` is the computer's, where an account is None."""
        world = self.world
        board = start_board(terms.variant, terms.initial_fen, world.rng)
        named = terms.variant.key in ("chess960", "fromPosition") or terms.initial_fen is not None
        spec = GameSpec(
            id=game_id,
            variant=terms.variant,
            control=terms.control,
            rated=terms.rated and level is None,
            speed=terms.speed,
            perf=terms.perf,
            source=source,
            initial_fen=board.fen() if named else None,
            rules=terms.rules,
            rematch_of=rematch_of,
        )
        players = {color: self._player(game_id, account, spec.perf, level) for color, account in accounts.items()}
        game = Game(spec, board, players, GameClock(terms.control, board.turn, world.now_ms()), world)
        self._made += 1
        game.rng.seed(f"{world.config.seed} {self._made}")  # moves do not depend on what other games draw
        for color in BOTH:
            self._seat(game, color)
        return game

    def _player(self, game_id: str, account: Account | None, perf: str, level: int | None) -> Player:
        full_id = game_id + self.world.new_id(4)
        if account is None:
            return Player(None, full_id, ai_level=level)
        record = account.perf(perf)
        return Player(account, full_id, record.rating, record.provisional)

    def _seat(self, game: Game, color: chess.Color) -> None:
        player = game.players[color]
        seat = Seat(self.world, game, color)
        opponent = self.world.opponents.get(player.account.id) if player.account is not None else None
        if opponent is not None:
            self.world.broadcaster.drivers[game.id, color] = opponent.join(seat)
        elif player.ai_level is not None:
            self.world.broadcaster.drivers[game.id, color] = self.world.factory.computer(player.ai_level).join(seat)
