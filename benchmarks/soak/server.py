"""The fake server of a run: sends the challenges, and notes what the bot does there."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass

from benchmarks.soak.evidence import EndedGame, Post
from benchmarks.soak.plan import GamePlan, Profile
from bot.fake_lichess import FakeConfig, FakeLichess
from bot.fake_lichess.config import AccountConfig
from bot.fake_lichess.opponents.script import ScriptedOpponent
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.server_game import Game
from bot.fake_lichess.world.variants import COLOR_NAMES
from bot.fake_lichess.world.world import RequestSeen, World

BOT = "bot88"
KEPT = 100_000
STREAMS = ("event_stream", "game_stream")  # the first that is answered after a start shows that the bot is ready
REPEATED_WITHIN_S = 5.0  # a repeated post may be held up until many moves later
REPEATED_WITHIN = 4  # plies: a move sent again may be answered after the opponent's next moves


class RequestLog(deque[RequestSeen]):
    """Takes the place of the server's list of requests and notes how each stood to the game, at once."""

    def __init__(self, world: World) -> None:
        """Every request is the bot's: opponents act within the server."""
        super().__init__(maxlen=1000)
        self.world = world
        self.posts: list[Post] = []
        self.refused: list[tuple[str, float]] = []
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.ready_s = 0.0
        self._played_s: dict[tuple[str, str], float] = {}

    def append(self, seen: RequestSeen) -> None:
        """Note one request; runs in the server's thread."""
        super().append(seen)
        self.counts[seen.endpoint] += 1
        if seen.fault is not None:
            self.faults[seen.fault] += 1
        if seen.endpoint in STREAMS and seen.status == 200 and seen.fault in (None, "delay"):
            self.ready_s = time.monotonic()
        if seen.status == 429 and seen.fault in (None, "delay"):
            self.refused.append((seen.endpoint, seen.at_s))
        game = self.world.games.get(seen.game_id or "")
        if seen.endpoint == "move" and game is not None:
            uci = seen.path.rsplit("/", 1)[-1]
            verdict = verdict_on(game, uci, seen, self._played_s.get((game.id, uci)))
            if verdict == "played":
                self._played_s[game.id, uci] = seen.at_s
            self.posts.append(Post(game.id, uci, seen.at_s, seen.status, seen.fault, verdict))


def verdict_on(game: Game, uci: str, seen: RequestSeen, played_s: float | None) -> str:
    """How a posted move stands to the game that has just answered it (see Post).

    `played_s`: when the post came that made this very move, None for none.
    """
    recent = game.moves[-REPEATED_WITHIN:]
    if seen.account_id is None or seen.status not in (200, 400):
        return "unserved"
    if seen.status == 200 and game.moves and game.moves[-1] == uci:
        return "played"
    if uci in recent or (played_s is not None and seen.at_s - played_s < REPEATED_WITHIN_S):
        return "repeated"
    return "misplaced" if game.playable else "over"


@dataclass
class Seat:
    """An account that challenges the bot, one game after the other."""

    name: str
    plan: GamePlan | None = None
    challenge_id: str = ""
    began_s: float = 0.0


@dataclass(frozen=True)
class Look:
    """What a look at the server found: games that ended since the last one, and the bot's clock in each that runs."""

    ended: tuple[EndedGame, ...]
    clocks_ms: dict[str, int]
    online: bool


class SoakServer:
    """The fake with its opponents; every method may be called from one other thread."""

    def __init__(self, profile: Profile, seed: int, opponents: int, token: str) -> None:
        """Start to serve; the bot's token is the one given."""
        accounts = (AccountConfig(name=BOT, title="BOT", rating=2000, token=token),)
        config = FakeConfig(
            allow_any_clock=True, rate_limits=True, seed=seed, keep_finished=KEPT, accounts=accounts, claim_after_s=10
        )
        self.fake = FakeLichess(config)
        self.url = self.fake.start()
        self.seats = [Seat(f"Soak{number}") for number in range(opponents)]
        for seat in self.seats:
            self.fake.add_account(seat.name)
        self.restarts = 0
        self.declined: Counter[str] = Counter()
        self._was_down = False
        self.log: RequestLog = self.fake.call(self._prepare)
        self.fake.set_faults(profile.fault_plan(), seed)

    def _prepare(self) -> RequestLog:
        log = RequestLog(self.fake.world)
        self.fake.world.requests = log
        return log

    def close(self) -> None:
        """Stop to serve."""
        self.fake.stop()

    def challenge(self, seat: Seat, plan: GamePlan) -> None:
        """Let an opponent challenge the bot to a game and follow its script there."""
        world = self.fake.world
        self.fake.call(lambda: world.seat_opponent(world.account(seat.name), ScriptedOpponent(plan.script)))
        seat.plan, seat.began_s = plan, 0.0
        seat.challenge_id = self.fake.challenge(seat.name, BOT, **plan.terms)

    def look(self) -> Look:
        """See which games have ended, and send declined challenges again."""
        refused: list[Seat] = []
        look = self.fake.call(lambda: self._look(refused))
        for seat in refused:
            if seat.plan is not None:
                self.challenge(seat, seat.plan)
        return look

    def _look(self, refused: list[Seat]) -> Look:
        world, ended, clocks = self.fake.world, [], {}
        self.restarts += world.down and not self._was_down
        self._was_down = world.down
        for seat in self.seats:
            game = world.games.get(seat.challenge_id)
            if game is not None and not seat.began_s:
                seat.began_s = time.monotonic()
            if game is not None and game.playable:
                color = game.color_of(world.account(BOT))
                clocks[game.id] = game.clock.remaining_ms(bool(color), world.now_ms())
            elif game is not None:
                ended.append(ended_game(game, world.account(BOT), seat.began_s))
                seat.plan, seat.challenge_id = None, ""
            elif seat.challenge_id and not self.fake.lobby.challenges[seat.challenge_id].active:
                challenge = self.fake.lobby.challenges[seat.challenge_id]
                self.declined[challenge.decline_reason or challenge.status] += 1
                refused.append(seat)
        return Look(tuple(ended), clocks, world.account(BOT).streams > 0)


def ended_game(game: Game, bot: Account, began_s: float) -> EndedGame:
    """A game of the bot's that has just ended, as evidence."""
    color = game.color_of(bot)
    now_s = time.monotonic()
    return EndedGame(
        game_id=game.id,
        our_color=COLOR_NAMES[bool(color)],
        variant=game.spec.variant.key,
        status=game.status,
        winner=None if game.winner is None else COLOR_NAMES[game.winner],
        moves=tuple(game.moves),
        our_clock_ms=game.clock.remaining_ms(bool(color), now_s * 1000),
        began_s=began_s,
        ended_s=now_s,
        initial_fen=game.spec.initial_fen or "startpos",
    )
