"""The fake as tests and the offline mode use it: act for users, wait for games, inspect the state."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Self, TypeVar

from .config import AccountConfig, TeamConfig
from .errors import FormError
from .http.import_game import restore_game
from .opponents.script import Script, ScriptedOpponent
from .report import GameReport, report_of
from .server_thread import ServerThread
from .world.challenges import Terms
from .world.clocks import TimeControl
from .world.seat import Seat
from .world.variants import VARIANTS
from .world.world import RequestSeen

T = TypeVar("T")
LOOK_EVERY_S = 0.02


class PlayerClient:
    """One user's side of one game, for tests. Methods raise ApiError if the server refuses."""

    def __init__(self, server: ServerThread, name: str, game_id: str) -> None:
        self._server, self._name, self._game_id = server, name, game_id

    def _do(self, act: Callable[[Seat], T]) -> T:
        def run() -> T:
            world = self._server.world
            game, color = world.seat_of(world.account(self._name), self._game_id)
            return act(Seat(world, game, color))

        return self._server.call(run)

    def wait_for_turn(self, timeout_s: float = 60.0) -> Self:
        """Wait for the player's turn, because a move that a page shows may not have arrived. Raises TimeoutError."""
        end_s = time.monotonic() + timeout_s
        while not self._do(lambda seat: seat.to_move):
            if time.monotonic() >= end_s:
                raise TimeoutError(f"it is not {self._name}'s turn in game {self._game_id} after {timeout_s:.0f} s")
            time.sleep(LOOK_EVERY_S)
        return self

    def move(self, uci: str, *, offering_draw: bool = False) -> None:
        """Make a move."""
        self._do(lambda seat: seat.move(uci, offering_draw=offering_draw))

    def draw(self, yes: bool = True) -> None:
        """Offer, accept or decline a draw."""
        self._do(lambda seat: seat.draw(yes))

    def takeback(self, yes: bool = True) -> None:
        """Propose, accept or decline a takeback."""
        self._do(lambda seat: seat.takeback(yes))

    def resign(self) -> None:
        """Resign."""
        self._do(lambda seat: seat.resign())

    def abort(self) -> None:
        """Abort."""
        self._do(lambda seat: seat.abort())

    def say(self, text: str, room: str = "player") -> None:
        """Write a chat line."""
        self._do(lambda seat: seat.say(text, room))

    def leave(self) -> None:
        """Leave the game, as if the stream had closed."""
        self._do(lambda seat: seat.leave())

    def come_back(self) -> None:
        """Return to the game."""
        self._do(lambda seat: seat.come_back())

    def claim(self, *, win: bool = True) -> None:
        """Claim against an absent opponent."""
        self._do(lambda seat: seat.claim(win=win))

    def give_time(self, seconds: int) -> None:
        """Give the opponent time."""
        self._do(lambda seat: seat.give_time(seconds))

    def rematch(self) -> str:
        """Offer a rematch; returns the id of the challenge, which becomes the id of the game."""
        return self._do(lambda seat: self._server.lobby.offer_rematch(seat.game, seat.color).id)


class FakeLichess(ServerThread):
    """A server in a thread, with methods to act for its users and to inspect its games."""

    def token(self, name: str) -> str:
        """Return a token of the account."""
        return self.call(lambda: self.world.registry.token_of(name))

    def add_account(self, name: str, *, script: Script | None = None, **settings: Any) -> str:
        """Add an account (settings as in AccountConfig), which may follow a script; returns its token."""
        config = AccountConfig(name=name, **settings)

        def run() -> None:
            account = self.world.add_account(config)
            if script is not None:
                self.world.seat_opponent(account, ScriptedOpponent(script))

        self.call(run)
        return self.token(name)

    def restore_game(self, game_id: str, pgn: str, *, status: str, rated: bool) -> None:
        """Add a finished game of an earlier run. Raises ValueError if the PGN is unreadable."""
        try:
            self.call(lambda: restore_game(self.world, game_id, pgn, status=status, rated=rated))
        except FormError as error:
            raise ValueError(str(error)) from error

    def reach_bot_day(self, name: str, wait_s: float = 3600.0) -> None:
        """Let a bot reach its daily limit of games between bots, which ends in `wait_s` seconds."""
        self.call(lambda: self.world.reach_bot_day(self.world.account(name), wait_s))

    def add_team(self, name: str, leader: str, **settings: Any) -> str:
        """Add a team (settings as in TeamConfig); returns its id. Raises ConfigError."""
        config = TeamConfig(name=name, leader=leader, **settings)
        return self.call(lambda: self.teams.add(config)).id

    def challenge(
        self,
        challenger: str,
        dest: str,
        *,
        clock: tuple[float, float] | None = (60, 0),
        days: int | None = None,
        variant: str = "standard",
        color: str = "random",
        fen: str | None = None,
        rated: bool = False,
        rules: tuple[str, ...] = (),
        lasting: bool = True,
        accepted: bool = False,
    ) -> str:
        """Let one user challenge another; `clock` is (limit, increment) in seconds. Returns the id, also the game's.

        `accepted`: the game begins in the same step, before the challenged bot can answer.
        """
        control = TimeControl(days=days)
        if clock is not None and days is None:
            control = TimeControl(round(clock[0] * 1000), round(clock[1] * 1000))
        terms = Terms(VARIANTS[variant], control, rated, color, fen, rules)

        def run() -> str:
            one, other = self.world.account(challenger), self.world.account(dest)
            challenge = self.lobby.send(one, other, terms, lasting=lasting)
            if accepted:
                self.lobby.accept(other, challenge.id)
            return challenge.id

        return self.call(run)

    def accept(self, name: str, challenge_id: str) -> None:
        """Let a user accept a challenge."""
        self.call(lambda: self.lobby.accept(self.world.account(name), challenge_id))

    def decline(self, name: str, challenge_id: str, reason: str = "generic") -> None:
        """Let a user decline a challenge."""
        self.call(lambda: self.lobby.decline(self.world.account(name), challenge_id, reason))

    def cancel(self, name: str, challenge_id: str) -> None:
        """Let a challenger cancel."""
        self.call(lambda: self.lobby.cancel(self.world.account(name), challenge_id))

    def challenge_status(self, challenge_id: str) -> str:
        """Return created, accepted, declined, canceled or offline."""
        return self.call(lambda: self.lobby.challenges[challenge_id].status)

    def start_game(self, white: str, black: str, **terms: Any) -> str:
        """Return a game between two users at once; terms as for `challenge`. Returns its id."""
        return self.challenge(white, black, color="white", accepted=True, **terms)

    def join_arena(self, name: str, arena_id: str, team: str = "") -> None:
        """Let a user join an arena, for a team in a team battle. No password is needed."""

        def run() -> None:
            arena = self.arenas.find(arena_id)
            arena.join(self.world.account(name), arena.terms.password, team)

        self.call(run)

    def player(self, name: str, game_id: str) -> PlayerClient:
        """Act for a user in a game."""
        return PlayerClient(self, name, game_id)

    def game(self, game_id: str) -> GameReport:
        """Return the current state of a game; raises ApiError 404."""
        return self.call(lambda: report_of(self.world.game(game_id), self.world.now_ms()))

    def games(self) -> list[GameReport]:
        """Return all remembered games, oldest first."""
        return self.call(lambda: [report_of(game, self.world.now_ms()) for game in self.world.games.values()])

    def wait_for(self, condition: Callable[[], T], timeout_s: float = 60.0, what: str = "the condition") -> T:
        """Poll until `condition()` (run in the calling thread) is true and return it; raises TimeoutError."""
        deadline = time.monotonic() + timeout_s
        while not (found := condition()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited {timeout_s:.0f} s for {what}")
            time.sleep(0.005)
        return found

    def wait_for_game(self, game_id: str, timeout_s: float = 60.0) -> GameReport:
        """Wait until a challenge has become a game."""
        self.wait_for(lambda: self.call(lambda: game_id in self.world.games), timeout_s, f"the game {game_id}")
        return self.game(game_id)

    def wait_for_end(self, game_id: str, timeout_s: float = 60.0) -> GameReport:
        """Wait until a game has begun and ended."""
        self.wait_for_game(game_id, timeout_s)
        self.wait_for(lambda: self.game(game_id).over, timeout_s, f"the end of game {game_id}")
        return self.game(game_id)

    def wait_for_moves(self, game_id: str, plies: int, timeout_s: float = 60.0) -> GameReport:
        """Wait until a game has at least `plies` plies, or is over."""
        self.wait_for_game(game_id, timeout_s)

        def enough() -> bool:
            game = self.game(game_id)
            return game.over or len(game.moves) >= plies

        self.wait_for(enough, timeout_s, f"{plies} plies in game {game_id}")
        return self.game(game_id)

    def requests(self, endpoint: str | None = None, game_id: str | None = None) -> list[RequestSeen]:
        """Return the logged requests, oldest first; `endpoint` is a name in docs/fake-lichess.md."""
        seen = self.call(lambda: list(self.world.requests))
        return [r for r in seen if endpoint in (None, r.endpoint) and game_id in (None, r.game_id)]

    def faults_of(self, game_id: str, since_s: float = 0.0) -> dict[str, int]:
        """Return the faults that hit a game, counted by kind and endpoint.

        Faults of no game, such as restarts and those of the event stream, count from `since_s` on the monotonic clock.
        """
        seen = self.call(lambda: list(self.faults.seen))
        hits = [
            one for one in seen if one.target.game_id == game_id or (not one.target.game_id and one.at_s >= since_s)
        ]
        return dict(
            Counter(f"{one.kind} of {one.target.endpoint}" if one.target.endpoint else one.kind for one in hits)
        )

    def is_online(self, name: str) -> bool:
        """Return whether the account's event stream is open."""
        return self.call(lambda: self.world.account(name).streams > 0)

    def open_game_streams(self, game_id: str) -> int:
        """Return how many streams of a game are open."""
        return self.call(lambda: len(self.world.broadcaster.game_streams.get(game_id, ())))

    def drop_streams(self) -> None:
        """End every open stream properly, as a server that sheds load."""
        self.call(self.world.broadcaster.close_all)


__all__ = ["FakeLichess", "GameReport", "PlayerClient"]
