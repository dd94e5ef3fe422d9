"""One arena: participants, pairings, points and standings. Times are epoch milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import chess

from ..errors import ApiError
from ..world.accounts import Account
from ..world.challenges import Terms
from .teams import Team

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
STREAK_WINS = 2
CREATED, STARTED, FINISHED = 10, 20, 30
BERSERK_PLIES = 14  # a shorter win earns no point for going berserk
STATUS_NAMES = {CREATED: "created", STARTED: "started", FINISHED: "finished"}


def points_of(results: Sequence[float], *, streaks: bool = True) -> list[int]:
    """Return the points of each game, oldest first.

    After two wins in a row points count double until a game is not won. Of draws in a row only the first earns a
    point.
    """
    found: list[int] = []
    for index, result in enumerate(results):
        double = 2 if streaks and on_fire(results[:index]) else 1
        drawn_before = index > 0 and results[index - 1] == DRAW
        points = {WIN: 2, DRAW: 0 if drawn_before and double == 1 else 1, LOSS: 0}[result]
        found.append(points * double)
    return found


def on_fire(results: Sequence[float]) -> bool:
    """Return whether the next game counts double."""
    return len(results) >= STREAK_WINS and all(result == WIN for result in results[-STREAK_WINS:])


def performance_rating(results: Sequence[tuple[int, float]]) -> int:
    """Return the tournament performance: the mean of opponents' ratings, 500 more for a win and less for a loss."""
    if not results:
        return 0
    return round(sum(rating + 1000 * (score - 0.5) for rating, score in results) / len(results))


@dataclass(frozen=True)
class Battle:
    """A team battle: the teams, and how many players of each count."""

    teams: tuple[Team, ...]
    leaders: int = 5


@dataclass(frozen=True)
class ArenaTerms:
    """The terms of an arena: games, times, and conditions."""

    name: str
    game: Terms
    minutes: float
    starts_at_ms: int
    bots_allowed: bool = False
    streakable: bool = True
    berserkable: bool = True
    password: str | None = None
    min_rating: int | None = None
    max_rating: int | None = None
    team: Team | None = None
    battle: Battle | None = None

    @property
    def finishes_at_ms(self) -> int:
        """The end, after which no game counts."""
        return self.starts_at_ms + round(self.minutes * 60_000)


@dataclass(frozen=True)
class Result:
    """The result of a game, and who went berserk."""

    winner: chess.Color | None
    ratings: Mapping[chess.Color, int]
    plies: int = 0
    berserks: frozenset[chess.Color] = frozenset()


@dataclass
class ArenaPlayer:
    """A participant; `results` has (opponent's rating, score) of every game; `game_id` is the running one.

    `berserks` counts games with half the time, `extra_points` has the numbers of those that were won.
    """

    account: Account
    joined: int
    paused: bool = False
    game_id: str | None = None
    last_opponent: str | None = None
    whites_minus_blacks: int = 0
    results: list[tuple[int, float]] = field(default_factory=list)
    berserks: int = 0
    extra_points: set[int] = field(default_factory=set)
    team: Team | None = None

    @property
    def outcomes(self) -> list[float]:
        """The scores alone, oldest first."""
        return [score for _, score in self.results]

    def points(self, streaks: bool) -> list[int]:
        """Return the points of each game."""
        points = points_of(self.outcomes, streaks=streaks)
        return [earned + (number in self.extra_points) for number, earned in enumerate(points)]


@dataclass
class Arena:
    """A tournament that pairs free players until time is up."""

    id: str
    terms: ArenaTerms
    created_by: Account
    status: int = CREATED
    players: dict[str, ArenaPlayer] = field(default_factory=dict)
    game_ids: list[str] = field(default_factory=list)

    def join(self, account: Account, password: str | None, team_id: str = "") -> None:
        """Join, for a team in a team battle, or return from a break; raises ApiError 400."""
        if self.status == FINISHED:
            raise ApiError(400, "This tournament is over")
        player = self.players.get(account.id)
        if player is not None:
            player.paused = False
            return
        if self.terms.password is not None and password != self.terms.password:
            raise ApiError(400, "Wrong entry code")
        if not self.admits(account):
            raise ApiError(400, "Tournament restrictions")
        self.players[account.id] = ArenaPlayer(account, len(self.players), team=self._team(account, team_id))

    def _team(self, account: Account, team_id: str) -> Team | None:
        """Return the team that an account plays for; raises ApiError 400 in a team battle without one."""
        if self.terms.battle is None:
            return None
        found = next((one for one in self.terms.battle.teams if one.id == team_id and one.has(account)), None)
        if found is None:
            raise ApiError(400, "Missing team")
        return found

    def admits(self, account: Account) -> bool:
        """Return whether the conditions let an account join."""
        rating = account.perf(self.terms.game.perf).rating
        low, high = self.terms.min_rating, self.terms.max_rating
        in_range = (low is None or rating >= low) and (high is None or rating <= high)
        is_member = self.terms.team is None or self.terms.team.has(account)
        return in_range and is_member and (self.terms.bots_allowed or not account.is_bot)

    def withdraw(self, account: Account) -> None:
        """Leave before the start, take a break after it; raises ApiError 400 if the account never joined."""
        if account.id not in self.players:
            raise ApiError(400, "You did not join this tournament")
        if self.status == CREATED:
            del self.players[account.id]
        else:
            self.players[account.id].paused = True

    def standings(self) -> list[ArenaPlayer]:
        """Return the players by points, performance rating and time of joining."""

        def key(player: ArenaPlayer) -> tuple[int, int, int]:
            performance = performance_rating(player.results)
            return (-sum(player.points(self.terms.streakable)), -performance, player.joined)

        return sorted(self.players.values(), key=key)

    def next_pairs(self) -> list[tuple[ArenaPlayer, ArenaPlayer]]:
        """Return (White, Black) of the games to begin: free players by rank, not the same pair twice if avoidable."""
        free = [player for player in self.standings() if not player.paused and player.game_id is None]
        pairs = []
        while len(free) >= 2:
            first = free.pop(0)
            second = _opponent_for(first, free, avoid=len(self.players) > 2)
            if second is None:
                continue
            free.remove(second)
            pairs.append(_by_color(first, second))
        return pairs

    def began(self, game_id: str, white: ArenaPlayer, black: ArenaPlayer) -> None:
        """Count a game that has begun."""
        self.game_ids.append(game_id)
        for player, other, step in ((white, black, 1), (black, white, -1)):
            player.game_id, player.last_opponent = game_id, other.account.id
            player.whites_minus_blacks += step

    def ended(self, result: Result, white: ArenaPlayer, black: ArenaPlayer) -> None:
        """Count the result of a game and free its players. Games that end after the arena do not count."""
        for color, player in ((chess.WHITE, white), (chess.BLACK, black)):
            player.game_id = None
            if self.status != STARTED:
                continue
            won = result.winner == color
            if color in result.berserks:
                player.berserks += 1
                if won and result.plies >= BERSERK_PLIES:
                    player.extra_points.add(len(player.results))
            score = DRAW if result.winner is None else float(won)
            player.results.append((result.ratings[not color], score))


def _opponent_for(player: ArenaPlayer, free: list[ArenaPlayer], *, avoid: bool) -> ArenaPlayer | None:
    others = [other for other in free if not avoid or other.account.id != player.last_opponent]
    others = [other for other in others if other.team is None or other.team is not player.team]
    return others[0] if others else None


def _by_color(one: ArenaPlayer, other: ArenaPlayer) -> tuple[ArenaPlayer, ArenaPlayer]:
    return (one, other) if one.whites_minus_blacks <= other.whites_minus_blacks else (other, one)
