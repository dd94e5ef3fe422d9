"""The server of a simulation: what the bot's gateway offers, over a network that fails, with a note of each wrong."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from bot.account.dispatcher import CLOSED_PAUSE_S
from bot.errors import LichessError, NotFound, RateLimited, Rejected, Unauthorized
from bot.events.account import AccountEvent, Challenge, ChallengeReceived, GameFinished, GameInfo, GameStarted
from bot.events.game import ChatLine, GameEvent, GameExport
from bot.lichess.gateway import MOVE_TIMEOUT_S
from bot.lichess.rate_limits import Endpoint, RateLimits, TokenState, WindowStore
from bot.lichess.values import UserProfile
from tests.helpers.server import StubServer
from tests.simulation.game import SimulatedGame
from tests.simulation.network import LAGGING_LIST, SLOW_EXPORT, SLOW_EXPORT_S, Network, Stream
from tests.simulation.schedule import ACCOUNT, LISTS, Loss

#: After news of the end the bot waits two seconds for the stream's last line before it drops a game.
KNOWN_S = 4.0
UNKNOWN_S = 90.0  # by then it knows, however many of its questions hang
LISTED_AGE_S = 3.0  # how old a list of running games may be
LONGEST_LAG_S = 8.0  # ... and how old with that fault
READERS = ("account-stream", "game-game")  # names of the threads that read streams, or how they begin
#: Requests within so many seconds, at most: of one kind, in all, and for each game that runs.
BOUNDS = {
    Endpoint.GAME_STREAM: (60.0, 40, 20),
    Endpoint.OTHER: (60.0, 30, 0),
    None: (60.0, 60, 90),
}
Result = TypeVar("Result")


class SimulatedLichess(StubServer):
    """Games and challenges of the account; `faults` notes what no bot should do.

    `is_ours(game, uci)`: whether the bot chose that move for the position as it is.
    """

    def __init__(self, network: Network, concurrency: int, is_ours: Callable[[SimulatedGame, str], bool]) -> None:
        self.network = network
        self.games: dict[str, SimulatedGame] = {}
        self.challenges: dict[str, Challenge] = {}
        self.begin: Callable[[Challenge], SimulatedGame] | None = None  # makes an accepted challenge a game
        self.faults: list[str] = []
        self.lost_on_time: list[Loss] = []
        self.crossed: list[str] = []  # moves that met another position than the one that they were chosen for
        self.most: dict[str, int] = {}  # requests within the window of a bound
        self._sent: dict[Endpoint | None, deque[float]] = {kind: deque() for kind in BOUNDS}
        self._concurrency = concurrency
        self._is_ours = is_ours
        self._account_streams: list[Stream[AccountEvent]] = []

    # -- the truth ------------------------------------------------------------------------------------------------

    @property
    def now_s(self) -> float:
        """The time."""
        return self.network.scheduler.now_s

    def running(self) -> list[SimulatedGame]:
        """All games that run."""
        return [game for game in self.games.values() if game.running]

    def tell(self, event: AccountEvent, arrived: Callable[[], None] = lambda: None) -> None:
        """An event of the account; `arrived` is called when the bot reads it."""
        for stream in self._account_streams:
            stream.send(event, arrived)

    def challenge(self, challenge: Challenge) -> None:
        """Somebody challenges the bot."""
        self.challenges[challenge.id] = challenge
        self.tell(ChallengeReceived(challenge))

    def start(self, game: SimulatedGame) -> None:
        """A game begins."""
        self.games[game.game_id] = game
        if len(self.running()) > self._concurrency:
            self.faults.append(f"{len(self.running())} games at once, {self._concurrency} allowed")
        self.tell(GameStarted(game.info()))

    def over(self, game: SimulatedGame) -> None:
        """Inform the account that a game has ended."""
        self.tell(GameFinished(game.info()), game.note_known)

    def cut_streams(self) -> None:
        """The server is restarted."""
        for account_stream in self._account_streams:
            account_stream.cut()
        for game_stream in (one for game in self.games.values() for one in game.streams):
            game_stream.cut()

    # -- requests ---------------------------------------------------------------------------------------------------

    def connect(self, store: WindowStore) -> None:
        """A process of the bot begins: it knows only what the store keeps."""
        self._token = TokenState(lambda: self.now_s)
        self._limits = RateLimits(store, lambda: self.now_s, lambda: self.now_s)
        for game in self.games.values():
            game.known_over_s = None

    def _ask(
        self, endpoint: Endpoint, what: str, send: Callable[[], Result], about: str = ACCOUNT, *, opens: bool = False
    ) -> Result:
        """One request as the gateway makes it: token and limits first. Notes what it was and its result."""
        self._note_waiting(what, opens=opens)
        span = self.network.schedule.add(what, about)
        try:
            self._limits.check(endpoint)
            with self._token.asking(endpoint):
                if endpoint is Endpoint.EVENT_STREAM:
                    self._limits.note_stream_open()
                self._count(endpoint)
                result = send()
        except LichessError as error:
            if isinstance(error, RateLimited) and not error.endpoint:  # by the server
                error = self._limits.note_limited(endpoint, retry_after_s=error.retry_after_s)
            span.end(max(self.now_s, self._held_until_s(error, about)), f": {error}")
            raise error
        span.end(self.now_s, ": arrived")
        self._limits.note_success(endpoint)
        return result

    def _held_until_s(self, error: LichessError, about: str) -> float:
        """Until when requests about the game are held back, because the server asks for it or rejects the token."""
        if isinstance(error, RateLimited) and about in self.games:
            return self.now_s + error.retry_after_s
        return self._token._next_s if isinstance(error, Unauthorized) else 0.0

    def _note_waiting(self, what: str, *, opens: bool = False) -> None:
        """Note a reader's thread that waits for anything but the opening of its stream."""
        task = self.network.scheduler.current
        if task is not None and not opens and task.name.startswith(READERS):
            self.faults.append(f"{task.name} waits for {what}")

    note_disk = _note_waiting

    def _count(self, endpoint: Endpoint) -> None:
        for kind in (endpoint, None):
            if kind in self._sent:
                window_s, most, for_each = BOUNDS[kind]
                sent = self._sent[kind]
                sent.append(self.now_s)
                while self.now_s - sent[0] > window_s:
                    sent.popleft()
                name = kind.value if kind else "all"
                games = sum(self.now_s - (game.ended_s or self.now_s) <= window_s for game in self.games.values())
                self.most[name] = max(self.most.get(name, 0), len(sent) - for_each * games)
                if len(sent) > most + for_each * games:
                    self.faults.append(f"{len(sent)} requests ({name}) within {window_s:.0f} s, with {games} games")

    def stream_events(self) -> Stream[AccountEvent]:
        """Open the account's stream: running games and waiting challenges first."""
        open_stream = partial(self.network.open, self._open_account)
        return self._ask(Endpoint.EVENT_STREAM, "account's stream", open_stream, opens=True)

    def _open_account(self) -> Stream[AccountEvent]:
        stream: Stream[AccountEvent] = Stream(self.network, ACCOUNT)
        for other in self._account_streams:  # the server keeps one for each account
            other.ended = True
        self._account_streams = [stream]
        for game in self.running():
            stream.send(GameStarted(game.info()))
        for challenge in self.challenges.values():
            stream.send(ChallengeReceived(challenge))
        return stream

    def stream_game(self, game_id: str) -> Stream[GameEvent]:
        """Open a game's stream."""
        open_stream = partial(self.network.open, partial(self._open_game, game_id))
        return self._ask(Endpoint.GAME_STREAM, "game's stream", open_stream, game_id, opens=True)

    def _open_game(self, game_id: str) -> Stream[GameEvent]:
        game = self._known(game_id)
        stream: Stream[GameEvent] = Stream(self.network, game_id)
        stream.send(game.full(), game.when_told())
        stream.ended = not game.running
        game.streams.append(stream)
        return stream

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """List the running games; the list may be empty, partial or old."""
        return self._ask(Endpoint.ACCOUNT, "list of games", partial(self.network.request, self._list))

    def _list(self) -> tuple[GameInfo, ...]:
        chance = self.network.scheduler.random
        if LAGGING_LIST in self.network.faults:
            at_s = self.now_s - chance.uniform(0.0, LONGEST_LAG_S)
            old = [game for game in self.games.values() if game.was_listed(at_s)]
            self._note_hidden(old)
            return tuple(game.info(at_s) for game in old)
        games = self.running()
        if chance.random() < self.network.profile.list_wrong:
            kind = chance.randrange(3)
            old = [game for game in self.games.values() if self.now_s - (game.ended_s or self.now_s) < LISTED_AGE_S]
            games = [[], games[: len(games) // 2], old][kind]
        self._note_hidden(games)
        return tuple(game.info() for game in games)

    def _note_hidden(self, listed: list[SimulatedGame]) -> None:
        """Note the games that a list hides: the bot may ask for the next list after a pause."""
        for game in self.running():
            if game not in listed:
                about, until_s = LISTS + game.game_id, self.now_s + CLOSED_PAUSE_S
                self.network.schedule.add("list of games: without it", about, until_s=until_s)

    def export_game(self, game_id: str) -> GameExport:
        """Show one game."""
        takes_s = SLOW_EXPORT_S if SLOW_EXPORT in self.network.faults else 0.0
        send = partial(self.network.request, partial(self._export, game_id), takes_s=takes_s)
        export = self._ask(Endpoint.OTHER, "export", send, "nobody")
        if export.is_over:  # the bot knows of it as soon as the answer is here
            self._known(game_id).note_known()
        return export

    def _export(self, game_id: str) -> GameExport:
        game = self._known(game_id)
        white, black = game.players
        return GameExport(game_id, game.status, game.winner, white=white, black=black)

    def user_profile(self, user_id: str) -> UserProfile:
        """Nothing is known of anybody."""
        return self._ask(Endpoint.OTHER, "profile", partial(self.network.request, UserProfile), "nobody")

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept: the game begins."""
        self._ask(Endpoint.ANSWER, "acceptance", partial(self.network.request, partial(self._accept, challenge_id)))

    def _accept(self, challenge_id: str) -> None:
        challenge = self.challenges.pop(challenge_id, None)
        if challenge is None or self.begin is None:
            raise NotFound(404, "No such challenge")
        self.start(self.begin(challenge))

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline."""
        send = partial(self.network.request, lambda: self.challenges.pop(challenge_id, None))
        self._ask(Endpoint.ANSWER, "refusal", send)

    def post_move(self, game_id: str, uci: str, offering_draw: bool = False) -> None:
        """Play a move."""

        def send() -> None:
            self._not_after_the_end(game_id, f"move {uci}")
            self.network.request(partial(self._move, game_id, uci), MOVE_TIMEOUT_S)

        self._ask(Endpoint.MOVE, f"move {uci}", send, game_id)

    def _move(self, game_id: str, uci: str) -> None:
        game = self._known(game_id)
        if not game.my_turn or not game.allows(uci):  # a copy of an earlier move, most likely
            raise Rejected(400, "Not your turn, or illegal")
        if not self._is_ours(game, uci):
            self.crossed.append(f"{game_id}: {uci} was chosen for another position than {' '.join(game.moves)}")
        game.push(uci)

    def draw(self, game_id: str, accept: bool) -> None:
        """Answer an offer."""
        self._on_running(game_id, lambda game: game.end("draw", None) if accept and game.draw_offered else None)

    def takeback(self, game_id: str, accept: bool) -> None:
        """Answer a proposal; "yes" without one is a proposal of our own, which the bot never makes."""
        self._on_running(game_id, lambda game: self._takeback(game, accept))

    def _takeback(self, game: SimulatedGame, accept: bool) -> None:
        if accept and game.takeback_asked:
            game.take_back()
        else:
            game.takeback_asked = False
            game.tell()

    def abort(self, game_id: str) -> None:
        """Abort a game that has not begun."""
        self._on_running(game_id, self._abort)

    def _abort(self, game: SimulatedGame) -> None:
        if len(game.moves) >= 2:
            raise Rejected(400, "This game can no longer be aborted")
        self.faults.append(f"{game.game_id} was aborted")
        game.end("aborted", None)

    def resign(self, game_id: str) -> None:
        """No game of a simulation gives reason to."""
        self.faults.append(f"{game_id} was resigned")

    def claim_victory(self, game_id: str) -> None:
        """Too early, always."""
        raise Rejected(400, "You cannot claim the win on this game")

    claim_draw = claim_victory

    def chat(self, game_id: str, room: str, text: str) -> None:
        """Chat goes nowhere."""
        self._ask(Endpoint.CHAT, "chat", partial(self.network.request, lambda: None), "nobody")

    def read_chat(self, _game_id: str) -> tuple[ChatLine, ...]:
        """Nobody writes."""
        return self._ask(Endpoint.CHAT, "chat", partial(self.network.request, tuple[ChatLine, ...]), "nobody")

    # -- below ------------------------------------------------------------------------------------------------------

    def _known(self, game_id: str) -> SimulatedGame:
        if game_id not in self.games:
            raise NotFound(404, "No such game")
        return self.games[game_id]

    def _on_running(self, game_id: str, act: Callable[[SimulatedGame], Result]) -> Result:
        def apply() -> Result:
            game = self._known(game_id)
            if not game.running:
                raise Rejected(400, "Game already over")
            return act(game)

        return self._ask(Endpoint.GAME_ACTION, "action", partial(self.network.request, apply), game_id)

    def left_s(self, moves: tuple[str, ...]) -> float | None:
        """Return what is left on our clock in a game with these moves and our turn, None where there is none."""
        return max(
            (max(0.0, game.my_left_s()) for game in self.running() if game.my_turn and game.moves == moves),
            default=None,
        )

    def _not_after_the_end(self, game_id: str, what: str) -> None:
        game = self.games.get(game_id)
        if game is None or game.ended_s is None:
            return
        ended_s, known_s = self.now_s - game.ended_s, self.now_s - (game.known_over_s or self.now_s)
        if known_s > KNOWN_S or ended_s > UNKNOWN_S:
            self.faults.append(f"{game_id}: {what} {ended_s:.0f} s after the end, of which it knew for {known_s:.0f} s")
