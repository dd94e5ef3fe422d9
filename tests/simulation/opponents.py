"""The other side: people who challenge, move, propose, leave and resign, each in a thread of the server's process."""

from __future__ import annotations

from functools import partial

from bot.events.account import CLOCK, Challenge, ChallengeCanceled, TimeControl
from bot.events.game import Player
from tests.simulation.game import ME, SimulatedGame
from tests.simulation.lichess import SimulatedLichess

SERVER = "server"


class Opponents:
    """As many challenges as `games`, some of them withdrawn; each game is played to its end.

    Each game has `longest` plies at most, then the opponent resigns.
    """

    def __init__(self, server: SimulatedLichess, games: int, longest: int, base_s: float, increment_s: float) -> None:
        self._server = server
        self._scheduler = server.network.scheduler
        self._games, self._longest = games, longest
        self._clock = (base_s, increment_s)
        self.challenging = True
        server.begin = self.begin

    def start(self) -> None:
        """Begin to challenge."""
        self._scheduler.spawn(self._challenge_all, "challengers", SERVER)

    def _challenge_all(self) -> None:
        chance = self._scheduler.random
        for number in range(self._games):
            self._scheduler.sleep(chance.expovariate(self._games / 8))
            challenge = self._challenge(number)
            self._server.challenge(challenge)
            if chance.random() < 0.1:
                self._scheduler.spawn(partial(self._withdraw, challenge), "withdrawal", SERVER)
        self.challenging = False

    def _challenge(self, number: int) -> Challenge:
        base_s, increment_s = self._clock
        clock = TimeControl(CLOCK, limit_s=int(base_s), increment_s=int(increment_s))
        by = Player(f"person{number}", f"Person{number}", rating=1500)
        return Challenge(f"game{number:04}", by, ME, "standard", False, "bullet", clock)

    def _withdraw(self, challenge: Challenge) -> None:
        self._scheduler.sleep(self._scheduler.random.uniform(0.0, 3.0))
        if self._server.challenges.pop(challenge.id, None) is not None:
            self._server.tell(ChallengeCanceled(challenge.id))

    def begin(self, challenge: Challenge) -> SimulatedGame:
        """The bot has accepted."""
        color = self._scheduler.random.random() < 0.5
        game = SimulatedGame(self._scheduler, challenge.id, color, challenge.challenger, *self._clock)
        self._scheduler.spawn(lambda: self._play(game), f"opponent-{game.game_id}", SERVER)
        self._scheduler.spawn(lambda: self._referee(game), f"referee-{game.game_id}", SERVER)
        return game

    # -- one game ---------------------------------------------------------------------------------------------------

    def _play(self, game: SimulatedGame) -> None:
        chance = self._scheduler.random
        while game.running:
            if game.my_turn:
                self._scheduler.wait(lambda: not game.my_turn, chance.uniform(0.2, 5.0))
                if game.my_turn and len(game.moves) > 1 and chance.random() < 0.1:
                    self._propose(game)
                continue
            self._scheduler.sleep(chance.uniform(0.02, 1.5))
            if game.my_turn or not game.running:  # a takeback or the flag meanwhile
                continue
            if len(game.moves) >= self._longest or chance.random() < 0.005:
                if len(game.moves) < 2:  # a game that has not begun cannot be resigned
                    game.end("aborted", None)
                else:
                    game.end("resign", game.my_color)
            else:
                game.push(chance.choice(list(game.board.legal_moves)).uci())

    def _propose(self, game: SimulatedGame) -> None:
        if self._scheduler.random.random() < 0.7:
            game.takeback_asked = True
        else:
            game.draw_offered = True
        game.tell()

    def _referee(self, game: SimulatedGame) -> None:
        """Let flags fall; then inform the account, sooner or later."""
        while game.running:
            flag_s, turn_s = game.flag_s, game.turn_began_s
            left_s = None if flag_s is None else flag_s - self._scheduler.now_s + 1e-6
            self._scheduler.wait(partial(game.has_moved_on, turn_s), left_s)
            if game.flag_s is not None and self._scheduler.now_s >= game.flag_s:
                if game.my_turn:
                    self._server.lost_on_time.append(
                        self._server.network.schedule.loss(game.game_id, game.turn_began_s)
                    )
                game.end("outoftime", not game.board.turn)
        self._scheduler.sleep(self._scheduler.random.choice([0.0, 0.05, 1.0]))
        self._server.over(game)
