"""The whole state of the server, in one event loop: accounts, games, streams and timers.

It outlives the listener: a restart drops every connection and keeps this. Nothing in it is thread-safe; other threads go
through `FakeLichess`.
"""

from __future__ import annotations

import asyncio
import math
import random
import string
import time
from collections import OrderedDict, deque
from dataclasses import dataclass

import chess

from bot.fake_lichess import errors, wire
from bot.fake_lichess.accounts import Account, PerfRecord, Registry, rating_changes
from bot.fake_lichess.chat_room import ChatLine
from bot.fake_lichess.config import AccountConfig, FakeConfig
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.game import BOTH, Game
from bot.fake_lichess.judge import Verdict
from bot.fake_lichess.limits import Limiter
from bot.fake_lichess.offers import claim_in_ms
from bot.fake_lichess.opponents.base import Driver, make_opponent
from bot.fake_lichess.streams import Subscriber

ID_LETTERS = string.ascii_letters + string.digits
REMIND_GONE_S = 1.0


@dataclass(frozen=True)
class RequestSeen:
    """One request as the log keeps it: times in seconds, `at_s` on the monotonic clock."""

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


@dataclass
class GameStream:
    """An open game stream: whose, and which side's (None: a spectator's)."""

    subscriber: Subscriber
    color: chess.Color | None


class World:
    """State and timers; also the listener of all games."""

    def __init__(self, config: FakeConfig) -> None:
        self.config = config
        self.base_url = config.public_url or "http://127.0.0.1"
        self.rng = random.Random(config.seed)
        self.registry = Registry()
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.event_streams: dict[str, list[Subscriber]] = {}
        self.game_streams: dict[str, list[GameStream]] = {}
        self.watch_streams: dict[str, list[Subscriber]] = {}
        self.requests: deque[RequestSeen] = deque(maxlen=config.keep_requests)
        self.limiter = Limiter(config.rate_limits)
        self.drivers: dict[tuple[str, chess.Color], Driver] = {}
        self.down = False
        self._flags: dict[str, asyncio.TimerHandle] = {}
        self._finished: deque[str] = deque()
        for account in config.accounts:
            self.add_account(account)

    # ---- accounts

    def add_account(self, config: AccountConfig) -> Account:
        """Make an account and its token; raises ValueError for an unknown opponent."""
        opponent = make_opponent(config.opponent, self.config) if config.opponent else None
        account = Account(config.name, config.title, config.rating, config.takebacks, opponent)
        account.record["win"] = config.games
        token = config.token or f"lip_{account.id}"
        self.registry.add(account, token, config.scopes)
        return account

    def account(self, name: str) -> Account:
        """The account of a name; raises ApiError 404."""
        found = self.registry.find(name)
        if found is None:
            raise ApiError(404, errors.NOT_FOUND)
        return found

    def new_id(self, length: int = 8) -> str:
        """A fresh game id, or the secret half of a full id."""
        while True:
            found = "".join(self.rng.choices(ID_LETTERS, k=length))
            if found not in self.games:
                return found

    # ---- time

    @staticmethod
    def now_ms() -> float:
        """The clock of all games: monotonic, milliseconds."""
        return time.monotonic() * 1000

    def set_flag_timer(self, game: Game) -> None:
        """Let the running side's flag fall to the millisecond; nothing falls while the server is down."""
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

    def go_down(self) -> None:
        """The server stops: players get time as lila gives it on a stop, all streams end, no flag falls."""
        self.down = True
        to_move, to_other = self.config.restart_bonus_ms
        for game in self.games.values():
            if game.playable:
                game.clock.add(game.board.turn, to_move)
                game.clock.add(not game.board.turn, to_other)
        self.close_streams()

    def come_up(self) -> None:
        """The server is back: clocks have run on, flags may fall again."""
        self.down = False
        for game in list(self.games.values()):
            if game.playable and not game.check_flag(self.now_ms()):
                self.set_flag_timer(game)

    def close_streams(self) -> None:
        """End every open stream."""
        for subscribers in [*self.event_streams.values(), *self.watch_streams.values()]:
            for subscriber in list(subscribers):
                subscriber.close()
        for streams in list(self.game_streams.values()):
            for stream in list(streams):
                stream.subscriber.close()

    def close(self) -> None:
        """The end of the server: no timer, stream or driver stays."""
        self.down = True
        for timer in self._flags.values():
            timer.cancel()
        for driver in self.drivers.values():
            driver.leave()
        self.close_streams()

    # ---- games

    def game(self, game_id: str) -> Game:
        """A game by its id or full id; raises ApiError 404."""
        found = self.games.get(game_id[:8])
        if found is None:
            raise ApiError(404, errors.NO_SUCH_GAME)
        return found

    def seat_of(self, account: Account, game_id: str) -> tuple[Game, chess.Color]:
        """The game and the account's colour; raises ApiError 404."""
        game = self.game(game_id)
        color = game.color_of(account)
        if color is None:
            raise ApiError(404, errors.NOT_YOUR_GAME)
        return game, color

    def ongoing(self, account: Account) -> list[Game]:
        """The account's running games, oldest first."""
        return [g for g in self.games.values() if g.playable and g.color_of(account) is not None]

    def send_event(self, account: Account | None, event: wire.Json) -> None:
        """A line to the account's event streams."""
        for subscriber in list(self.event_streams.get(account.id, ())) if account else ():
            subscriber.push(wire.line(event))

    def begin(self, game: Game) -> None:
        """Take in a new game: tell both players, seat the opponents that the server plays."""
        self.games[game.id] = game
        for color in BOTH:
            self.send_event(game.players[color].account, wire.game_event("gameStart", game, color, self.now_ms()))
        for color in BOTH:
            driver = self.drivers.get((game.id, color))
            if driver is not None:
                asyncio.get_running_loop().call_soon(driver.wake)

    # ---- GameListener

    def state_changed(self, game: Game) -> None:
        """Send the new state, set the flag's timer, wake the opponents; close the streams of a finished game."""
        if game.playable and self.config.auto_threefold and game.board.is_repetition(3):
            game.finish(Verdict("draw", None), self.now_ms())
            return
        self.set_flag_timer(game)
        self._broadcast(game, wire.game_state(game, self.now_ms()))
        self._show_watchers(game)
        loop = asyncio.get_running_loop()
        for color in BOTH:
            driver = self.drivers.get((game.id, color))
            if driver is not None:
                loop.call_soon(driver.wake)
        if not game.playable:
            self._part(game)

    def _broadcast(self, game: Game, event: wire.Json) -> None:
        encoded = wire.line(event)
        for stream in list(self.game_streams.get(game.id, ())):
            stream.subscriber.push(encoded)

    def _show_watchers(self, game: Game) -> None:
        for subscriber in list(self.watch_streams.get(game.id, ())):
            subscriber.push(wire.line(wire.watch_line(game, self.now_ms())))

    def _part(self, game: Game) -> None:
        """After the last state: end the streams, send gameFinish, forget the oldest finished games."""
        for stream in list(self.game_streams.get(game.id, ())):
            stream.subscriber.close()
        for subscriber in list(self.watch_streams.get(game.id, ())):
            subscriber.close()
        for color in BOTH:
            self.send_event(game.players[color].account, wire.game_event("gameFinish", game, color, self.now_ms()))
            driver = self.drivers.pop((game.id, color), None)
            if driver is not None:
                driver.leave()
        self._finished.append(game.id)
        while len(self._finished) > self.config.keep_finished:
            self.games.pop(self._finished.popleft(), None)

    def finished(self, game: Game) -> None:
        """Count the game for both players, and rate it."""
        if game.status == "aborted":
            return
        score = 0.5 if game.winner is None else float(game.winner)
        white, black = game.players[chess.WHITE], game.players[chess.BLACK]
        diffs = rating_changes(white.rating, black.rating, score)
        for player, points, diff in ((white, score, diffs[0]), (black, 1 - score, diffs[1])):
            if player.account is None:
                continue
            record = player.account.record
            record["draw" if points == 0.5 else "win" if points else "loss"] += 1
            perf = player.account.perf(game.spec.perf)
            perf.games += 1
            if game.spec.rated:
                record["rated"] += 1
                player.rating_diff = diff
                self._rate(perf, diff)

    @staticmethod
    def _rate(perf: PerfRecord, diff: int) -> None:
        perf.rating += diff
        perf.progress = max(-500, min(500, perf.progress + diff))

    def chatted(self, game: Game, line: ChatLine) -> None:
        """Send a chat line; spectators do not see the players' room, nor players the spectators'."""
        event = {"type": "chatLine", "room": line.room, "username": line.username, "text": line.text}
        encoded = wire.line(event)
        for stream in list(self.game_streams.get(game.id, ())):
            if line.room == "spectator" or stream.color is not None:
                stream.subscriber.push(encoded)
        for color in BOTH:
            driver = self.drivers.get((game.id, color))
            if driver is not None and line.username != game.players[color].name:
                asyncio.get_running_loop().call_soon(driver.heard, line)

    def presence_changed(self, game: Game, color: chess.Color) -> None:
        """Tell the opponent of a player who left or came back; repeats while he is gone."""
        for stream in list(self.game_streams.get(game.id, ())):
            if stream.color == (not color):
                stream.subscriber.push(self.gone_line(game, color))
        if game.players[color].gone_since_ms is not None and game.playable:
            asyncio.get_running_loop().call_later(REMIND_GONE_S, self._remind_gone, game, color)

    def gone_line(self, game: Game, color: chess.Color) -> bytes:
        """The opponentGone line about the player of a colour, with the seconds until a claim where one may come."""
        event: wire.Json = {"type": "opponentGone", "gone": game.players[color].gone_since_ms is not None}
        claim = claim_in_ms(game, not color, self.now_ms(), self.config.claim_after_s * 1000)
        if claim is not None:
            event["claimWinInSeconds"] = math.ceil(claim / 1000)
        return wire.line(event)

    def _remind_gone(self, game: Game, color: chess.Color) -> None:
        if game.playable and game.players[color].gone_since_ms is not None:
            self.presence_changed(game, color)
