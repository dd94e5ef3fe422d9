"""All arenas of a world: a timer for each starts it, pairs its players and ends it."""

from __future__ import annotations

import asyncio
import dataclasses
import time

import chess

from .. import errors
from ..errors import ApiError
from ..world.accounts import Account
from ..world.game_end import GameEnd
from ..world.lobby import Lobby
from ..world.server_game import BOTH, Game
from .arena import CREATED, FINISHED, STARTED, Arena, ArenaPlayer, ArenaTerms, Result

# How long a player may wait with the first move, in milliseconds (lila `Game.timeForFirstMove`)
ARENA_MS = {"ultraBullet": 11_000, "bullet": 16_000, "blitz": 21_000, "rapid": 25_000, "classical": 30_000}


def end_late_start(game: Game, wall_ms: int, now_ms: float) -> Account | None:
    """End a game whose side to move has not made its first move in time; returns who that was.

    `wall_ms`: epoch milliseconds, `now_ms`: the clock of all games.
    """
    allowed = game.spec.first_move_ms
    if not game.playable or game.both_moved or allowed is None or wall_ms - game.last_move_at_ms < allowed:
        return None
    late = game.players[game.board.turn].account
    game.finish(GameEnd("noStart", not game.board.turn), now_ms)
    return late


def now_ms() -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000


class Arenas:
    """Runs the arenas, each by a timer."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.world = lobby.world
        self.arenas: dict[str, Arena] = {}
        self.world.on_finished.append(self._count)

    def create(self, creator: Account, terms: ArenaTerms) -> Arena:
        """Make an arena and start its timer."""
        arena = Arena(self.world.new_id(), terms, creator)
        self.arenas[arena.id] = arena
        self._tick(arena)
        return arena

    def find(self, arena_id: str) -> Arena:
        """Return an arena by its id; raises ApiError 404."""
        if arena_id not in self.arenas:
            raise ApiError(404, errors.NOT_FOUND)
        return self.arenas[arena_id]

    def terminate(self, account: Account, arena_id: str) -> None:
        """End an arena at once; raises ApiError 400 if another account created it."""
        arena = self.find(arena_id)
        if arena.created_by is not account:
            raise ApiError(400, "You did not create this tournament")
        arena.status = FINISHED

    def _tick(self, arena: Arena) -> None:
        """Start, pair, end games with late first moves, or finish; then schedule the next tick."""
        if arena.status == FINISHED:
            return
        now = now_ms()
        if arena.status == CREATED and now >= arena.terms.starts_at_ms:
            arena.status = STARTED
        if now >= arena.terms.finishes_at_ms:
            arena.status = FINISHED
        elif arena.status == STARTED and not self.world.down:
            self._end_late_starts(arena, now)
            for white, black in arena.next_pairs():
                self._begin(arena, white, black)
        asyncio.get_running_loop().call_later(self.world.config.arena_pairing_s, self._tick, arena)

    def _begin(self, arena: Arena, white: ArenaPlayer, black: ArenaPlayer) -> None:
        accounts: dict[chess.Color, Account | None] = {chess.WHITE: white.account, chess.BLACK: black.account}
        game = self.lobby.builder.make(self.world.new_id(), arena.terms.game, accounts, "arena", None, None)
        first_move = ARENA_MS[game.spec.speed]
        game.spec = dataclasses.replace(
            game.spec,
            tournament_id=arena.id,
            tournament_name=f"{arena.terms.name} Arena",
            first_move_ms=first_move,
            berserkable=arena.terms.berserkable,
        )
        arena.began(game.id, white, black)
        self.world.begin(game)

    def _end_late_starts(self, arena: Arena, now: int) -> None:
        """End games whose first move is late. The late player loses and takes a break."""
        for player in list(arena.players.values()):
            game = self.world.games.get(player.game_id or "")
            late = end_late_start(game, now, self.world.now_ms()) if game is not None else None
            if late is not None:
                arena.players[late.id].paused = True

    def _count(self, game: Game) -> None:
        """Count a finished game."""
        arena = self.arenas.get(game.spec.tournament_id or "")
        if arena is None:
            return
        ratings = {color: game.players[color].rating for color in BOTH}
        berserks = frozenset(color for color in BOTH if game.players[color].berserk)
        sides = [game.players[color].account for color in BOTH]
        white, black = (arena.players[account.id] for account in sides if account is not None)
        arena.ended(Result(game.winner, ratings, len(game.moves), berserks), white, black)
