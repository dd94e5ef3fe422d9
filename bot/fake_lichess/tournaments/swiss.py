"""One swiss: who takes part, the rounds, and the standings. Pure; times are epoch milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.tournaments.scores import DRAW, LOSS, WIN
from bot.fake_lichess.tournaments.swiss_pairing import Entrant, Round, pair
from bot.fake_lichess.tournaments.teams import Team
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Terms

CREATED, STARTED, FINISHED = "created", "started", "finished"
BYE, LATE, ABSENT, ONGOING = "bye", "late", "absent", "ongoing"
POINTS = {BYE: 1.0, LATE: 0.5, ABSENT: 0.0, ONGOING: 0.0, WIN: 1.0, DRAW: 0.5, LOSS: 0.0}
PERFORMANCE_PER_RESULT = 500
NO_BOTS = "Sorry, bot accounts are not allowed here."
NOT_IN_TEAM = "You are not in the team of this tournament"
WRONG_CODE = "Wrong entry code"
NOT_ADMITTED = "This tournament is not open to you"


@dataclass(frozen=True)
class SwissTerms:
    """What is agreed. `interval_s` is the pause between rounds; None: each round is scheduled by hand."""

    name: str
    game: Terms
    rounds: int
    starts_at_ms: int
    interval_s: float | None
    team: Team
    bots_allowed: bool = False
    password: str | None = None
    min_rating: int | None = None
    max_rating: int | None = None


@dataclass
class SwissGame:
    """A game of a round, by account ids."""

    round: int
    game_id: str
    white: str
    black: str
    over: bool = False
    winner: chess.Color | None = None

    def opponent_of(self, account_id: str) -> str:
        """The other side."""
        return self.black if account_id == self.white else self.white

    def outcome_of(self, account_id: str) -> float | str:
        """1, 0.5 or 0, or that the game is not over."""
        if not self.over:
            return ONGOING
        if self.winner is None:
            return DRAW
        return WIN if (self.winner == chess.WHITE) == (account_id == self.white) else LOSS


@dataclass
class SwissPlayer:
    """A participant; `byes` are the rounds that were won without an opponent."""

    account: Account
    rating: int
    absent: bool = False
    byes: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Standing:
    """A line of the table."""

    rank: int
    player: SwissPlayer
    points: float
    tie_break: float
    performance: int


@dataclass
class Swiss:
    """A tournament of rounds in which everybody meets others of about the same points, nobody twice."""

    id: str
    terms: SwissTerms
    created_by: Account
    next_round_at_ms: int | None
    status: str = CREATED
    round: int = 0
    players: dict[str, SwissPlayer] = field(default_factory=dict)
    games: dict[str, SwissGame] = field(default_factory=dict)

    @property
    def ongoing(self) -> int:
        """How many games are being played."""
        return sum(not game.over for game in self.games.values())

    @property
    def enterable(self) -> bool:
        """Whether new players may come: until half of the rounds have begun."""
        return self.status != FINISHED and self.round <= self.terms.rounds // 2

    def join(self, account: Account, password: str | None) -> None:
        """Take part, or come back; raises ApiError 400, or 403 for a bot where bots are not admitted."""
        if account.is_bot and not self.terms.bots_allowed:
            raise ApiError(403, NO_BOTS)
        if not self.terms.team.has(account):
            raise ApiError(400, NOT_IN_TEAM)
        if self.terms.password is not None and password != self.terms.password:
            raise ApiError(400, WRONG_CODE)
        player = self.players.get(account.id)
        if player is not None and self.status != FINISHED:
            player.absent = False
        elif not self.enterable or not self._in_range(account):
            raise ApiError(400, NOT_ADMITTED)
        else:
            self.players[account.id] = SwissPlayer(account, account.perf(self.terms.game.perf).rating)

    def _in_range(self, account: Account) -> bool:
        rating = account.perf(self.terms.game.perf).rating
        low, high = self.terms.min_rating, self.terms.max_rating
        return (low is None or rating >= low) and (high is None or rating <= high)

    def withdraw(self, account: Account) -> None:
        """Leave before the start, be absent from the next round after it; harmless for others."""
        if self.status == CREATED:
            self.players.pop(account.id, None)
        elif account.id in self.players:
            self.players[account.id].absent = True

    def outcomes(self, player: SwissPlayer) -> list[float | str]:
        """How each round went for a player, the first one first."""
        mine = {game.round: game for game in self._games_of(player)}
        found: list[float | str] = []
        for number in range(1, self.round + 1):
            if number in mine:
                found.append(mine[number].outcome_of(player.account.id))
            elif number in player.byes:
                found.append(BYE)
            else:
                found.append(LATE if number == 1 else ABSENT)
        return found

    def points(self, player: SwissPlayer) -> float:
        """The sum over all rounds; who misses the first one gets half a point for it."""
        return sum(POINTS[outcome] for outcome in self.outcomes(player))

    def _games_of(self, player: SwissPlayer) -> list[SwissGame]:
        return [game for game in self.games.values() if player.account.id in (game.white, game.black)]

    def standings(self) -> list[Standing]:
        """Best first: by points, by the points of beaten opponents and half of drawn ones', by performance."""
        points = {name: self.points(player) for name, player in self.players.items()}
        lines = []
        for name, player in self.players.items():
            tie_break, sum_of_ratings, games = 0.0, 0.0, self._games_of(player)
            for game in games:
                outcome, opponent = game.outcome_of(name), game.opponent_of(name)
                earned = 0.0 if isinstance(outcome, str) else outcome
                tie_break += points[opponent] * earned
                change = 0 if outcome in (ONGOING, DRAW) else (1 if outcome == WIN else -1)
                sum_of_ratings += self.players[opponent].rating + PERFORMANCE_PER_RESULT * change
            performance = round(sum_of_ratings / len(games)) if games else 0
            lines.append((points[name], tie_break, performance, player))
        lines.sort(key=lambda line: (-line[0], -line[1], -line[2], -line[3].rating))
        return [Standing(rank, line[3], *line[:3]) for rank, line in enumerate(lines, start=1)]

    def next_round(self) -> Round | None:
        """The pairs of the next round; None when no pairs are left that have not met."""
        present = [line for line in self.standings() if not line.player.absent]
        return pair([self._entrant(line) for line in present])

    def _entrant(self, line: Standing) -> Entrant:
        name, games = line.player.account.id, self._games_of(line.player)
        whites = sum(game.white == name for game in games)
        return Entrant(
            id=name,
            points=line.points,
            met=frozenset(game.opponent_of(name) for game in games),
            balance=2 * whites - len(games),
            had_white=games[-1].white == name if games else None,
            had_bye=bool(line.player.byes),
        )
