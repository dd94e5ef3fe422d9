"""Target `streams`: mutated lines of all streams and lists, read as the bot reads them and taken as far as it can."""

from __future__ import annotations

import random
from typing import Any, cast

import requests

from bot.account.challenges.challenge_rules import OpponentActivity, judge
from bot.archive.pgn import pgn_of
from bot.archive.recorder import finished_game
from bot.errors import StreamBroken
from bot.events.account import ChallengeReceived, parse_account_event
from bot.events.game import GameFull, parse_game_event, parse_game_export
from bot.events.reading import MalformedJson, read_json
from bot.lichess.formats import EventStream
from bot.lichess.rate_limits import Endpoint
from bot.play.game import Game, UnplayableGameError
from bot.play.time_control import limit_for
from bot.settings import Settings
from tests.fuzz.mutate import dump, mutated_bytes, mutated_json
from tests.fuzz.target import verdict

PERSON = {"id": "alice", "name": "Alice", "title": None, "rating": 1700, "provisional": True}
BOT = {"id": "bot88", "name": "bot88", "title": "BOT", "rating": 2000}
STATE = {
    "type": "gameState",
    "moves": "e2e4 c7c5",
    "wtime": 59_000,
    "btime": 58_000,
    "winc": 0,
    "binc": 1000,
    "status": "started",
    "wdraw": False,
    "btakeback": True,
    "expiration": {"idleMillis": 10, "millisToMove": 20_000},
}
FULL = {
    "type": "gameFull",
    "id": "abcdefgh",
    "rated": False,
    "speed": "bullet",
    "perf": {"name": "Bullet"},
    "variant": {"key": "standard", "name": "Standard"},
    "clock": {"initial": 60_000, "increment": 1000},
    "createdAt": 1_700_000_000_000,
    "white": BOT,
    "black": PERSON,
    "initialFen": "startpos",
    "state": STATE,
}
GAME = {
    "gameId": "abcdefgh",
    "fullId": "abcdefghijkl",
    "color": "white",
    "fen": "8/8/8/8/8/8/8/8 w - - 0 1",
    "isMyTurn": True,
    "lastMove": "",
    "secondsLeft": 59,
    "speed": "bullet",
    "rated": True,
    "hasMoved": False,
    "opponent": {"id": "alice", "username": "Alice", "rating": 1500},
    "source": "friend",
    "perf": "bullet",
    "status": {"id": 20, "name": "started"},
    "variant": {"key": "chess960"},
    "compat": {"bot": True, "board": True},
}
CHALLENGE = {
    "id": "chall001",
    "url": "http://x/chall001",
    "status": "created",
    "challenger": PERSON,
    "destUser": BOT,
    "variant": {"key": "fromPosition"},
    "rated": False,
    "speed": "blitz",
    "color": "random",
    "perf": {"name": "B"},
    "timeControl": {"type": "clock", "limit": 300, "increment": 3, "show": "5+3"},
    "initialFen": "8/8/8/8/8/8/8/8",
}
EXPORT = {
    "id": "abcdefgh",
    "rated": True,
    "variant": "standard",
    "speed": "blitz",
    "status": "mate",
    "winner": "white",
    "createdAt": 1_700_000_000_000,
    "moves": "f3 e5 g4 Qh4#",
    "clocks": [6003, 6003, 5900, 5800],
    "players": {"white": {"user": PERSON, "rating": 1500}, "black": {"aiLevel": 3}},
    "clock": {"initial": 60},
}
GAME_LINES: tuple[dict[str, Any], ...] = (
    FULL,
    STATE,
    {"type": "chatLine", "room": "player", "username": "Alice", "text": "hello"},
    {"type": "opponentGone", "gone": True, "claimWinInSeconds": 8},
)
ACCOUNT_LINES = (
    {"type": "gameStart", "game": GAME},
    {"type": "gameFinish", "game": GAME},
    {"type": "challenge", "challenge": CHALLENGE, "compat": {"bot": True}},
    {"type": "challengeDeclined", "challenge": CHALLENGE},
    {"type": "challengeCanceled", "challenge": CHALLENGE},
)
CHUNK = 700


class _Answer:
    """As much of a response as a stream reads: its bytes in chunks."""

    def __init__(self, data: bytes) -> None:
        self.raw, self._data = self, data

    def read1(self, _size: int) -> bytes:
        """The next chunk."""
        chunk, self._data = self._data[:CHUNK], self._data[CHUNK:]
        return chunk

    def close(self) -> None:
        """Nothing is open."""


class Streams:
    """The first byte of an input shows where it comes from: a account, e export, all others game."""

    name = "streams"

    def __init__(self) -> None:
        self._settings = Settings()
        self._game = Game(cast("GameFull", parse_game_event(FULL)), "bot88", 100.0)

    def make(self, rng: random.Random) -> bytes:
        """A line with up to five changes, as JSON or below JSON."""
        kind = rng.choice("gggaae")
        seed: Any = rng.choice({"g": GAME_LINES, "a": ACCOUNT_LINES, "e": (EXPORT,)}[kind])
        line = dump(mutated_json(rng, seed, rng.choice([0, 1, 1, 2, 5])))
        if rng.random() < 0.25:
            line = mutated_bytes(rng, line, rng.choice([1, 2, 8]))
        return kind.encode() + line

    def check(self, data: bytes) -> str:
        """Read one line; only StreamBroken, MalformedJson and UnplayableGameError may leave."""
        readers = {b"a": self._read_account, b"e": self._read_export}
        reader = readers.get(data[:1], self._read_game)  # an input that was changed may have lost its first byte
        return verdict(reader, data[1:] + b"\n", (StreamBroken, MalformedJson, UnplayableGameError))

    def close(self) -> None:
        """Nothing runs."""

    def _read_game(self, data: bytes) -> None:
        for event in EventStream(cast("requests.Response", _Answer(data)), parse_game_event, Endpoint.GAME_STREAM):
            if isinstance(event, GameFull):
                self._game = Game(event, "bot88", 100.0)
            if event is None or self._game.contradicts(event):
                continue
            self._game.apply(event, 101.0)
            self._look()

    def _look(self) -> None:
        """Everything that the loop of a game asks of it."""
        game = self._game
        limit_for(game, 102.0, 50.0, self._settings)
        asked = (game.over, game.my_turn, game.wants_move, game.abortable, game.draw_offered, game.takeback_asked)
        if any(not isinstance(answer, bool) for answer in asked):
            raise TypeError(f"not a yes or no: {asked}")
        if game.over:
            pgn_of(game.full, game.state, game.board, "http://x")
        for text in (game.opponent.label, game.full.speed, game.result, game.full.variant):
            if not text.isprintable():
                raise ValueError(f"text that a terminal or a PGN must not get: {text!r}")

    def _read_account(self, data: bytes) -> None:
        for event in EventStream(cast("requests.Response", _Answer(data)), parse_account_event, Endpoint.EVENT_STREAM):
            if isinstance(event, ChallengeReceived):
                judge(event.challenge, self._settings, OpponentActivity())
            repr(event)

    def _read_export(self, data: bytes) -> None:
        export = parse_game_export(read_json(data))
        if export is not None:
            full, state, board = finished_game(export)
            pgn_of(full, state, board, "http://x")
