"""The fake as tests and the offline mode hold it: start, stop, restart, act for users, look inside.

The server runs in its own thread with its own event loop; every method here may be called from any thread.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar

import chess

from bot.fake_lichess.app import build_app
from bot.fake_lichess.challenges import Terms
from bot.fake_lichess.clocks import TimeControl
from bot.fake_lichess.config import AccountConfig, FakeConfig
from bot.fake_lichess.endpoint import Site
from bot.fake_lichess.game import Game
from bot.fake_lichess.lobby import Lobby
from bot.fake_lichess.opponents.base import Seat
from bot.fake_lichess.server import Listener
from bot.fake_lichess.variants import COLOR_NAMES, VARIANTS
from bot.fake_lichess.world import RequestSeen, World

T = TypeVar("T")
START_S = 30.0
CALL_S = 60.0


@dataclass(frozen=True)
class GameReport:
    """A game as it stands: moves in UCI, times in milliseconds, colours as words."""

    id: str
    white: str
    black: str
    variant: str
    initial_fen: str
    fen: str
    moves: tuple[str, ...]
    status: str
    winner: str | None
    white_ms: int
    black_ms: int
    clocks_ms: tuple[int, ...]
    chat: tuple[tuple[str, str, str], ...]
    rated: bool
    speed: str
    rematch_id: str | None

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.status != "started"


def report_of(game: Game, now_ms: float) -> GameReport:
    """A snapshot of a game."""
    return GameReport(
        id=game.id,
        white=game.players[chess.WHITE].name,
        black=game.players[chess.BLACK].name,
        variant=game.spec.variant.key,
        initial_fen=game.spec.initial_fen or "startpos",
        fen=game.board.fen(),
        moves=tuple(game.moves),
        status=game.status,
        winner=None if game.winner is None else COLOR_NAMES[game.winner],
        white_ms=game.clock.remaining_ms(chess.WHITE, now_ms),
        black_ms=game.clock.remaining_ms(chess.BLACK, now_ms),
        clocks_ms=tuple(game.clock.history_ms()),
        chat=tuple((line.username, line.text, line.room) for line in game.chat.lines),
        rated=game.spec.rated,
        speed=game.spec.speed,
        rematch_id=game.rematch_id,
    )


class PlayerHandle:
    """One user's seat in one game, to act for him from a test. Acts raise ApiError as the server refuses."""

    def __init__(self, fake: FakeLichess, name: str, game_id: str) -> None:
        self._fake, self._name, self._game_id = fake, name, game_id

    def _do(self, act: Callable[[Seat], T]) -> T:
        def run() -> T:
            world = self._fake.world
            game, color = world.seat_of(world.account(self._name), self._game_id)
            return act(Seat(world, game, color))

        return self._fake.call(run)

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
        """Chat."""
        self._do(lambda seat: seat.say(text, room))

    def leave(self) -> None:
        """Be gone."""
        self._do(lambda seat: seat.leave())

    def come_back(self) -> None:
        """Be here again."""
        self._do(lambda seat: seat.come_back())

    def claim(self, *, win: bool = True) -> None:
        """Claim against an absent opponent."""
        self._do(lambda seat: seat.claim(win=win))

    def give_time(self, seconds: int) -> None:
        """Give the opponent time."""
        self._do(lambda seat: seat.give_time(seconds))

    def rematch(self) -> str:
        """Offer a rematch; the id of the challenge, which becomes the game's."""
        return self._do(lambda seat: self._fake.lobby.offer_rematch(seat.game, seat.color).id)


class FakeLichess:
    """A whole server. Use as a context manager, or `start` and `stop`."""

    def __init__(self, config: FakeConfig | None = None) -> None:
        self.config = config or FakeConfig()
        self.world: World
        self.lobby: Lobby
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._listener: Listener | None = None

    def __enter__(self) -> FakeLichess:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # ---- life

    def start(self) -> str:
        """Serve; returns the URL. Raises OSError when the address is taken."""
        if self._thread is not None:
            raise RuntimeError("the server is already running")
        ready: concurrent.futures.Future[str] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="fake-lichess", daemon=True)
        self._thread.start()
        try:
            return ready.result(START_S)
        except BaseException:
            self._thread.join(START_S)
            self._thread = None
            raise

    def _run(self, ready: concurrent.futures.Future[str]) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            self._stopping = asyncio.Event()
            runner.run(self._serve(ready))

    async def _serve(self, ready: concurrent.futures.Future[str]) -> None:
        self.world = World(self.config)
        self.lobby = Lobby(self.world)
        site = Site(self.world, self.lobby)
        self._listener = Listener(build_app(site), self.config.host, self.config.port)
        try:
            await self._listener.open()
        except OSError as error:
            ready.set_exception(error)
            return
        self.world.base_url = self.config.public_url or self.url
        ready.set_result(self.url)
        await self._stopping.wait()
        self.world.close()
        await self._listener.close()

    def stop(self) -> None:
        """End every stream and connection, free the port; idempotent."""
        if self._thread is None or self._loop is None:
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(START_S)
        self._thread = None

    def restart(self, down_s: float = 0.5) -> None:
        """Drop every connection, refuse new ones for a while, come back on the same port with all games kept."""
        self.call_async(self._restart(down_s))

    async def _restart(self, down_s: float) -> None:
        if self._listener is None:
            raise RuntimeError("the server is not running")
        self.world.go_down()
        await self._listener.close()
        await asyncio.sleep(down_s)
        await self._listener.open()
        self.world.come_up()

    @property
    def url(self) -> str:
        """The base URL without a slash at its end."""
        if self._listener is None:
            raise RuntimeError("the server is not running")
        host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
        return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{self._listener.port}"

    # ---- between threads

    def call(self, act: Callable[[], T]) -> T:
        """Run a function in the server's loop and return what it returns, or raise what it raises."""

        async def run() -> T:
            return act()

        return self.call_async(run())

    def call_async(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's loop."""
        if self._loop is None or self._thread is None:
            coroutine.close()
            raise RuntimeError("the server is not running")
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(CALL_S)

    # ---- accounts

    def token(self, name: str) -> str:
        """A token of the account."""
        return self.call(lambda: self.world.registry.token_of(name))

    def add_account(self, name: str, **settings: Any) -> str:
        """Make an account (see AccountConfig for the settings); returns its token."""
        config = AccountConfig(name=name, **settings)
        self.call(lambda: self.world.add_account(config))
        return self.token(name)

    # ---- challenges

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
    ) -> str:
        """Let one user challenge another: `clock` (limit, increment) in seconds. Returns the challenge's and game's id."""
        control = TimeControl(days=days)
        if clock is not None and days is None:
            control = TimeControl(round(clock[0] * 1000), round(clock[1] * 1000))
        terms = Terms(VARIANTS[variant], control, rated, color, fen, rules)

        def run() -> str:
            one, other = self.world.account(challenger), self.world.account(dest)
            return self.lobby.send(one, other, terms, lasting=lasting).id

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
        """created, accepted, declined, canceled or offline."""
        return self.call(lambda: self.lobby.challenges[challenge_id].status)

    def start_game(self, white: str, black: str, **terms: Any) -> str:
        """A game between two users at once; terms as for `challenge`. Returns its id."""
        game_id = self.challenge(white, black, color="white", **terms)
        if self.challenge_status(game_id) == "created":
            try:
                self.accept(black, game_id)
            except Exception:
                if self.challenge_status(game_id) != "accepted":  # an opponent may have accepted by itself
                    raise
        return game_id

    # ---- games

    def player(self, name: str, game_id: str) -> PlayerHandle:
        """Act for a user in a game."""
        return PlayerHandle(self, name, game_id)

    def game(self, game_id: str) -> GameReport:
        """A game as it stands; raises ApiError 404."""
        return self.call(lambda: report_of(self.world.game(game_id), self.world.now_ms()))

    def games(self) -> list[GameReport]:
        """All games that are remembered, oldest first."""
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
        """Wait until a game has at least so many plies, or is over."""
        self.wait_for_game(game_id, timeout_s)

        def enough() -> bool:
            game = self.game(game_id)
            return game.over or len(game.moves) >= plies

        self.wait_for(enough, timeout_s, f"{plies} plies in game {game_id}")
        return self.game(game_id)

    # ---- what was asked

    def requests(self, endpoint: str | None = None, game_id: str | None = None) -> list[RequestSeen]:
        """The requests seen, oldest first, of one endpoint (its name in docs/fake-lichess.md) and game where given."""
        seen = self.call(lambda: list(self.world.requests))
        return [r for r in seen if endpoint in (None, r.endpoint) and game_id in (None, r.game_id)]

    def is_online(self, name: str) -> bool:
        """Whether the account's event stream is open."""
        return self.call(lambda: self.world.account(name).streams > 0)

    def open_game_streams(self, game_id: str) -> int:
        """How many streams of a game are open."""
        return self.call(lambda: len(self.world.game_streams.get(game_id, ())))

    def drop_streams(self) -> None:
        """End every open stream in good order, as a server that sheds load."""
        self.call(self.world.close_streams)


__all__ = ["FakeLichess", "GameReport", "PlayerHandle"]
