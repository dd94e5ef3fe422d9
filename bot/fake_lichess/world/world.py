"""The whole state of the server, in one event loop: accounts, games, streams and timers.

A restart drops every connection and keeps the world. Nothing here is thread-safe; other threads use `FakeLichess`.
"""

from __future__ import annotations

import asyncio
import random
import string
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import chess

from .. import errors
from ..config import AccountConfig, FakeConfig
from ..errors import ApiError
from .accounts import STANDARD_PERFS, Account, Registry, rate_game
from .broadcaster import Broadcaster
from .chat_room import ChatLine
from .game_end import GameEnd
from .glicko import MAX_DEVIATION, MIN_DEVIATION, Glicko
from .limits import DAY_S, Limiter, Rule, Window
from .opponent import Opponent, OpponentFactory
from .server_game import Game

#: How the built-in opponents play, for people.
STYLES = {"random": "any legal move", "greedy": "captures whenever it can", "scripted": "a fixed line of moves"}
BOT_BIO = "A bot on a fake Lichess"
ID_LETTERS = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True)
class RequestSeen:
    """A logged request: times in seconds, `at_s` on the monotonic clock."""

    at_s: float
    wall_s: float
    endpoint: str
    method: str
    path: str
    account_id: str | None
    game_id: str | None
    status: int
    fault: str | None
    took_ms: float


def _nobody_offers(game: Game, color: chess.Color) -> None:
    raise RuntimeError(f"no lobby to offer a rematch of {game.id} as {color}")


class World:
    """State, timers, and the listener of all games."""

    def __init__(self, config: FakeConfig, factory: OpponentFactory) -> None:
        self.config = config
        self.factory = factory
        self.opponents: dict[str, Opponent] = {}
        self.base_url = config.public_url or "http://127.0.0.1"
        self.rng = random.Random(config.seed)
        self.registry = Registry()
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.requests: deque[RequestSeen] = deque(maxlen=config.keep_requests)
        self.broadcaster = Broadcaster(config.claim_after_s, config.allow_any_clock)
        self.limiter = Limiter(config.rate_limits)
        self.watched: Counter[str] = Counter()
        self.down = False
        self.on_begun: list[Callable[[Game], None]] = []
        self.on_finished: list[Callable[[Game], None]] = []
        self.offer_rematch: Callable[[Game, chess.Color], object] = _nobody_offers
        self.tasks: set[asyncio.Task[None]] = set()
        self._flags: dict[str, asyncio.TimerHandle] = {}
        self._finished: deque[str] = deque()
        for account in config.accounts:
            self.add_account(account)

    def add_account(self, config: AccountConfig) -> Account:
        """Make an account and its token; raises ValueError for an unknown opponent."""
        opponent = self.factory.named(config.opponent) if config.opponent else None
        deviation = config.deviation or (MIN_DEVIATION if config.games else MAX_DEVIATION)
        account = Account(config.name, config.title, config.rating, deviation, config.takebacks)
        account.bio = (BOT_BIO if account.is_bot else "") if config.bio is None else config.bio
        account.variants, account.levels = config.variants, config.levels
        style = STYLES.get((config.opponent or "").partition(":")[0], "an engine") if config.opponent else ""
        account.about = style or config.bio or ""
        account.roles, account.played_people_s = config.roles, config.played_people_s
        account.played_s = config.played_people_s
        for perf in STANDARD_PERFS:
            account.perf(perf)
        account.had_games(config.games)
        if config.bot_day_left_s is not None:
            self.reach_bot_day(account, config.bot_day_left_s)
        if opponent is not None:
            self.seat_opponent(account, opponent)
        self.registry.add(account, config.token or f"lip_{account.id}", config.scopes)
        return account

    def bot_day(self, account: Account) -> Window:
        """Return the window that counts an account's games against other bots."""
        return self.limiter.window(errors.BOT_DAY_KEY, account.id, Rule(self.config.bot_games_per_day, DAY_S))

    def reach_bot_day(self, account: Account, wait_s: float) -> None:
        """Let a bot reach its daily limit of games between bots, which ends in `wait_s` seconds."""
        self.bot_day(account).exhaust(self.now_ms() / 1000, wait_s)

    def seat_opponent(self, account: Account, opponent: Opponent) -> None:
        """Let the server play an account, starting with its next game."""
        account.played_by_server = True
        self.opponents[account.id] = opponent

    def account(self, name: str) -> Account:
        """Return the account of a name; raises ApiError 404."""
        found = self.registry.find(name)
        if found is None:
            raise ApiError(404, errors.NOT_FOUND)
        return found

    def new_id(self, length: int = 8) -> str:
        """Return a fresh game id, or the secret half of a full id."""
        while True:
            found = "".join(self.rng.choices(ID_LETTERS, k=length))
            if found not in self.games:
                return found

    @staticmethod
    def now_ms() -> float:
        """Return the clock of all games: monotonic, milliseconds."""
        return time.monotonic() * 1000

    def set_flag_timer(self, game: Game) -> None:
        """Schedule the fall of the running side's flag. No flag falls while the server is down."""
        timer = self._flags.pop(game.id, None)
        if timer is not None:
            timer.cancel()
        left = game.clock.flag_in_ms(self.now_ms()) if game.playable and not self.down else None
        if left is not None:
            loop = asyncio.get_running_loop()
            self._flags[game.id] = loop.call_later(max(0.0, left) / 1000, self._flag, game)

    def _flag(self, game: Game) -> None:
        if not self.down and not game.check_flag(self.now_ms()):
            self.set_flag_timer(game)

    def go_down(self, *, planned: bool) -> None:
        """Stop: players get extra time as from lila, no flag falls, and a planned stop ends all streams."""
        self.down = True
        to_move, to_other = self.config.restart_bonus_ms
        for game in self.games.values():
            if game.playable:
                game.clock.add(game.board.turn, to_move)
                game.clock.add(not game.board.turn, to_other)
        if planned:
            self.broadcaster.close_all()

    def come_up(self) -> None:
        """Continue: clocks have run meanwhile, flags may fall again."""
        self.down = False
        for game in list(self.games.values()):
            if game.playable and not game.check_flag(self.now_ms()):
                self.set_flag_timer(game)

    def close(self) -> None:
        """End all timers, streams and drivers."""
        self.down = True
        for timer in self._flags.values():
            timer.cancel()
        for driver in self.broadcaster.drivers.values():
            driver.close()
        self.broadcaster.close_all()

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; the server waits for it before it ends."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def game(self, game_id: str) -> Game:
        """Return a game by its id or full id; raises ApiError 404."""
        found = self.games.get(game_id[:8])
        if found is None:
            raise ApiError(404, errors.NO_SUCH_GAME)
        return found

    def rematches_before(self, game: Game) -> int:
        """Return the number of remembered games before this one in a chain of rematches."""
        number = 0
        while (parent := self.games.get(game.spec.rematch_of or "")) is not None:
            number, game = number + 1, parent
        return number

    def seat_of(self, account: Account, game_id: str) -> tuple[Game, chess.Color]:
        """Return the game and the account's colour; raises ApiError 404."""
        game = self.game(game_id)
        color = game.color_of(account)
        if color is None:
            raise ApiError(404, errors.NOT_YOUR_GAME)
        return game, color

    def ongoing(self, account: Account) -> list[Game]:
        """Return the account's running games, oldest first."""
        return [g for g in self.games.values() if g.playable and g.color_of(account) is not None]

    def begin(self, game: Game) -> None:
        """Add a new game, notify both players, and wake opponents that the server plays."""
        self.games[game.id] = game
        self.broadcaster.game_event("gameStart", game)
        self.broadcaster.wake(game)
        for listener in list(self.on_begun):
            listener(game)

    def state_changed(self, game: Game) -> None:
        """Send the new state and set the flag's timer; close the streams of a finished game."""
        self.set_flag_timer(game)
        self.broadcaster.state(game)
        if game.playable and self._claims_threefold(game) and game.board.is_repetition(3):
            game.finish(GameEnd("draw", None), self.now_ms())
            return
        if not game.playable:
            self.broadcaster.end_game(game)
            self.broadcaster.game_event("gameFinish", game)
            for listener in list(self.on_finished):
                listener(game)
            self._finished.append(game.id)
            while len(self._finished) > self.config.keep_finished:
                self.games.pop(self._finished.popleft(), None)

    def _claims_threefold(self, game: Game) -> bool:
        """Return whether the server claims threefold repetitions, by default for bots (lila `Drawer.autoThreefold`)."""
        if self.config.auto_threefold is not None:
            return self.config.auto_threefold
        return any(player.account is not None and player.account.is_bot for player in game.players.values())

    def finished(self, game: Game) -> None:
        """Count the game for both players, and rate it."""
        if game.status == "aborted":
            return
        score = 0.5 if game.winner is None else float(game.winner)
        perf = game.spec.perf
        white, black = game.players[chess.WHITE].account, game.players[chess.BLACK].account
        after: dict[chess.Color, Glicko | None] = dict.fromkeys(chess.COLORS)
        if game.spec.rated and white is not None and black is not None:
            after = dict(zip((chess.WHITE, chess.BLACK), rate_game(white, black, perf, score), strict=True))
        seconds = (game.last_move_at_ms - game.created_at_ms) // 1000
        for color, account, other, points in (
            (chess.WHITE, white, black, score),
            (chess.BLACK, black, white, 1 - score),
        ):
            if account is not None:
                game.players[color].rating_diff = account.count_game(perf, points, after[color], computer=other is None)
                account.count_time(seconds, against_person=other is not None and not other.is_bot)

    def chatted(self, game: Game, line: ChatLine) -> None:
        """Send a chat line."""
        self.broadcaster.chat(game, line)

    def presence_changed(self, game: Game, color: chess.Color) -> None:
        """Notify the opponent."""
        self.broadcaster.presence(game, color)
