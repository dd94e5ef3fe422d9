"""The fake server of the day: lets guests come, keeps the truth that the bot's own figures are compared with."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field

import chess

from benchmarks.soak.day.guests import ARENA_HOST, ARENA_PLAYERS, BOT, BOTS, accounts, temper
from benchmarks.soak.day.timetable import Visit
from benchmarks.soak.evidence import EndedGame
from benchmarks.soak.server import KEPT, RequestLog, ended_game
from bot.fake_lichess import FakeConfig, FakeLichess
from bot.fake_lichess.config import TeamConfig
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.opponents.script import ScriptedOpponent
from bot.fake_lichess.tournaments.arena import ArenaTerms
from bot.fake_lichess.tournaments.arenas import now_ms
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.server_game import Game
from bot.fake_lichess.world.variants import VARIANTS

ARENA_CLOCK = TimeControl(120_000, 1_000)


@dataclass(frozen=True)
class GameNow:
    """A running game as the server has it; clocks in milliseconds, `days` without a clock that runs down."""

    plies: int
    last_uci: str
    white_ms: int
    black_ms: int
    days: bool


@dataclass(frozen=True)
class Truth:
    """What the server knows at a moment. `finished`: by result for the bot; `moves`: those it took from the bot."""

    at_s: float
    down: bool = False
    running: dict[str, GameNow] = field(default_factory=dict)
    pending: int = 0
    finished: dict[str, int] = field(default_factory=dict)
    moves: int = 0
    accepted: int = 0
    declined: int = 0
    limited: int = 0


class DayServer:
    """The fake with all accounts; every method may be called from any other thread."""

    def __init__(self, seed: int, token: str) -> None:
        """Start to serve; the bot's token is the one given."""
        config = FakeConfig(
            seed=seed,
            accounts=accounts(token),
            teams=(TeamConfig(name="Fake Club", leader=ARENA_HOST),),
            keep_finished=KEPT,
            claim_after_s=12,
            arena_pairing_s=3,
        )
        self.fake = FakeLichess(config)
        self.url = self.fake.start()
        self.ended: list[EndedGame] = []
        self.played: dict[str, Game] = {}
        self.refused: Counter[str] = Counter()
        self._began_s: dict[str, float] = {}
        self._rng_seed = seed
        self.log: RequestLog = self.fake.call(self._prepare)

    def _prepare(self) -> RequestLog:
        world, rng = self.fake.world, random.Random(self._rng_seed)
        log = RequestLog(world)
        world.requests = log
        world.on_begun.append(self._begun)
        world.on_finished.append(self._finished)
        for name in (*ARENA_PLAYERS, *(name for name, _rating in BOTS)):
            script = temper(rng, "bullet")
            if name == BOTS[0][0]:
                script = script.model_copy(update={"challenge": "tooFast"})
            elif name == BOTS[1][0]:
                script = script.model_copy(update={"challenge": "ignore"})
            world.seat_opponent(world.account(name), ScriptedOpponent(script))
        return log

    def close(self) -> None:
        """Stop to serve."""
        self.fake.stop()

    # ---- listeners, in the server's thread

    def _is_ours(self, game: Game) -> bool:
        return game.color_of(self.fake.world.account(BOT)) is not None

    def _begun(self, game: Game) -> None:
        if self._is_ours(game):
            self._began_s[game.id] = time.monotonic()
            self.played[game.id] = game

    def _finished(self, game: Game) -> None:
        if self._is_ours(game):
            self.ended.append(ended_game(game, self.fake.world.account(BOT), self._began_s[game.id]))

    # ---- guests

    def challenge(self, visit: Visit) -> str | None:
        """Let a guest challenge the bot; gives the id, None where the server refuses."""
        name, world = visit.visitor.name, self.fake.world
        self.fake.call(lambda: world.seat_opponent(world.account(name), ScriptedOpponent(visit.script)))
        try:
            return self.fake.challenge(name, BOT, **visit.terms)
        except ApiError as refused:
            self.refused[str(refused)] += 1
            return None

    def cancel(self, visit: Visit, challenge_id: str) -> bool:
        """Let a guest take a challenge back; whether it still stood."""
        if self.fake.challenge_status(challenge_id) != "created":
            return False
        try:
            self.fake.cancel(visit.visitor.name, challenge_id)
        except ApiError:  # answered meanwhile
            return False
        return True

    def open_arena(self, minutes: float) -> str:
        """Open an arena for guests and bots; gives its id."""
        game = Terms(VARIANTS["standard"], ARENA_CLOCK)
        starts_ms = now_ms() + min(20_000, round(minutes * 6_000))
        terms = ArenaTerms("Lunch Break", game, minutes=minutes, starts_at_ms=starts_ms, bots_allowed=True)
        arena_id = self.fake.call(lambda: self.fake.arenas.create(self.fake.world.account(ARENA_HOST), terms)).id
        for name in ARENA_PLAYERS:
            self.fake.join_arena(name, arena_id)
        return arena_id

    # ---- truth

    def truth(self) -> Truth:
        """What is true at this moment."""
        return self.fake.call(self._truth)

    def _truth(self) -> Truth:
        world, bot = self.fake.world, self.fake.world.account(BOT)
        incoming = [one for one in self.fake.lobby.challenges.values() if one.dest is bot]
        now_ms = world.now_ms()
        return Truth(
            at_s=time.monotonic(),
            down=world.down,
            running={game.id: _now(game, now_ms) for game in world.ongoing(bot)},
            pending=sum(one.pending for one in incoming),
            finished=dict(Counter(outcome(game) for game in self.ended)),
            moves=sum(post.status == 200 for post in self.log.posts),
            accepted=sum(one.status == "accepted" for one in incoming),
            declined=sum(one.status == "declined" for one in incoming),
            limited=len(self.log.refused),
        )

    def declined(self) -> Counter[str]:
        """Reasons given to those whose challenge was declined by the bot."""
        return self._reasons(ours=False)

    def declined_to_us(self) -> Counter[str]:
        """Reasons that other bots gave to ours, and how else its challenges ended."""
        return self._reasons(ours=True)

    def _reasons(self, *, ours: bool) -> Counter[str]:
        def run() -> Counter[str]:
            bot = self.fake.world.account(BOT)
            all_of_them = self.fake.lobby.challenges.values()
            wanted = [one for one in all_of_them if (one.challenger if ours else one.dest) is bot]
            return Counter(one.decline_reason or one.status for one in wanted if one.status != "accepted")

        return self.fake.call(run)

    def aborted_by_us(self) -> set[str]:
        """The games for which the bot asked for an abort."""
        return {seen.game_id for seen in self.fake.requests("abort") if seen.game_id is not None}

    def said(self) -> list[tuple[str, str, str, str]]:
        """All chat of the bot's games: game, name, room, text."""

        def run() -> list[tuple[str, str, str, str]]:
            games = self.played.values()
            return [(game.id, line.username, line.room, line.text) for game in games for line in game.chat.lines]

        return self.fake.call(run)


def outcome(game: EndedGame) -> str:
    """How a game ended for the bot, in the words of the metrics."""
    if game.status == "aborted":
        return "aborted"
    return "drawn" if game.winner is None else "lost" if game.lost else "won"


def _now(game: Game, now_ms: float) -> GameNow:
    white_ms, black_ms = (game.clock.remaining_ms(color, now_ms) for color in (chess.WHITE, chess.BLACK))
    last = game.moves[-1] if game.moves else ""
    return GameNow(len(game.moves), last, white_ms, black_ms, game.spec.control.limit_ms is None)
