"""All swiss tournaments of a world: started and ended by time, their rounds begun and counted."""

from __future__ import annotations

import asyncio
import dataclasses

import chess

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.tournaments.arenas import now_ms
from bot.fake_lichess.tournaments.first_moves import OTHER_MS, end_late_start
from bot.fake_lichess.tournaments.swiss import CREATED, FINISHED, STARTED, Swiss, SwissGame, SwissTerms
from bot.fake_lichess.tournaments.teams import Team
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.lobby import Lobby

NOT_YOURS = "This user cannot edit this swiss"
TOO_FEW_WAIT_MS = 120_000  # how long the first round waits for a second player
FEWEST_PLAYERS = 2


class Swisses:
    """Runs every swiss by one timer each."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.world = lobby.world
        self.swisses: dict[str, Swiss] = {}
        self.world.on_finished.append(self._count)

    def create(self, creator: Account, terms: SwissTerms) -> Swiss:
        """Make a tournament and start its timer."""
        swiss = Swiss(self.world.new_id(), terms, creator, terms.starts_at_ms)
        self.swisses[swiss.id] = swiss
        self._tick(swiss)
        return swiss

    def find(self, swiss_id: str) -> Swiss:
        """A tournament by its id; raises ApiError 404."""
        if swiss_id not in self.swisses:
            raise ApiError(404, errors.NOT_FOUND)
        return self.swisses[swiss_id]

    def own(self, account: Account, swiss_id: str) -> Swiss:
        """A tournament of one's own that is not over; raises ApiError 404 or 401."""
        swiss = self.find(swiss_id)
        if swiss.created_by is not account or swiss.status == FINISHED:
            raise ApiError(401, NOT_YOURS)
        return swiss

    def of_team(self, team: Team) -> list[Swiss]:
        """The tournaments of a team, the last to start first."""
        found = [swiss for swiss in self.swisses.values() if swiss.terms.team is team]
        return sorted(found, key=lambda swiss: -swiss.terms.starts_at_ms)

    def edit(self, swiss: Swiss, terms: SwissTerms) -> None:
        """Change the terms; what the games are is settled once the tournament has started."""
        if swiss.status == CREATED:
            swiss.terms, swiss.next_round_at_ms = terms, terms.starts_at_ms
        else:
            old = swiss.terms
            swiss.terms = dataclasses.replace(terms, game=old.game, starts_at_ms=old.starts_at_ms)

    @staticmethod
    def schedule(swiss: Swiss, at_ms: int) -> None:
        """Set the time of the next round of a tournament whose rounds are scheduled by hand; else nothing happens."""
        if swiss.terms.interval_s is not None or swiss.status == FINISHED or swiss.ongoing:
            return
        if swiss.status == CREATED:
            swiss.terms = dataclasses.replace(swiss.terms, starts_at_ms=at_ms)
        swiss.next_round_at_ms = at_ms

    @staticmethod
    def end(swiss: Swiss) -> None:
        """End a tournament; running games go on and count no more."""
        swiss.status, swiss.next_round_at_ms = FINISHED, None

    def _tick(self, swiss: Swiss) -> None:
        """Begin a round or end late first moves, whatever is due; then wait for the next turn."""
        if swiss.status == FINISHED:
            return
        now = now_ms()
        if not self.world.down:
            self._end_late_starts(swiss, now)
            if swiss.next_round_at_ms is not None and now >= swiss.next_round_at_ms and not swiss.ongoing:
                self._next_round(swiss, now)
        asyncio.get_running_loop().call_later(self.world.config.arena_pairing_s, self._tick, swiss)

    def _next_round(self, swiss: Swiss, now: int) -> None:
        if swiss.status == CREATED and len(swiss.players) < FEWEST_PLAYERS:
            swiss.next_round_at_ms = now + TOO_FEW_WAIT_MS
            return
        pairs = swiss.next_round()
        if pairs is None:
            self.end(swiss)
            return
        swiss.status, swiss.next_round_at_ms = STARTED, None
        swiss.round += 1
        if pairs.bye is not None:
            swiss.players[pairs.bye].byes.add(swiss.round)
        for white, black in pairs.pairs:
            self._begin(swiss, white, black)

    def _begin(self, swiss: Swiss, white: str, black: str) -> None:
        sides: dict[chess.Color, Account | None] = {
            chess.WHITE: swiss.players[white].account,
            chess.BLACK: swiss.players[black].account,
        }
        game = self.lobby.matchmaker.make(self.world.new_id(), swiss.terms.game, sides, "swiss", None, None)
        first_move_ms = OTHER_MS[game.spec.speed]
        game.spec = dataclasses.replace(
            game.spec, swiss_id=swiss.id, tournament_name=swiss.terms.name, first_move_ms=first_move_ms
        )
        swiss.games[game.id] = SwissGame(swiss.round, game.id, white, black)
        self.world.begin(game)

    def _end_late_starts(self, swiss: Swiss, now: int) -> None:
        """Who does not make the first move in time loses, and is absent from the next round."""
        for one in [one for one in swiss.games.values() if not one.over]:
            game = self.world.games.get(one.game_id)
            late = end_late_start(game, now, self.world.now_ms()) if game is not None else None
            if late is not None:
                swiss.players[late.id].absent = True

    def _count(self, game: Game) -> None:
        """The listener of finished games: notes the result, and the time of the next round after the last one."""
        swiss = self.swisses.get(game.spec.swiss_id or "")
        if swiss is None or swiss.status == FINISHED:
            return
        one = swiss.games[game.id]
        one.over, one.winner = True, game.winner
        if swiss.ongoing:
            return
        if swiss.round >= swiss.terms.rounds:
            self.end(swiss)
        elif swiss.terms.interval_s is not None:
            swiss.next_round_at_ms = now_ms() + round(swiss.terms.interval_s * 1000)
