"""The games of a match: challenges go out as slots get free, each game is watched to its end and judged."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import chess
import structlog

from bot.events.game import Outcome, outcome_of
from bot.fake_lichess import FakeLichess, GameReport
from bot.offline.options import BOT_NAME, OfflineOptions
from bot.play import game
from bot.service.signals import StopSignals

_BY_THE_RULES = {"mate", "stalemate", "draw", "variantEnd", "insufficientMaterialClaim"}
_BY_A_PLAYER = {"resign", "outoftime", "timeout", "cheat", "noStart"}
_WORDS = {
    "mate": "checkmate",
    "stalemate": "stalemate",
    "resign": "resignation",
    "outoftime": "time forfeit",
    "timeout": "opponent left",
    "aborted": "aborted",
    "noStart": "no first move",
    "variantEnd": "variant rule",
    "insufficientMaterialClaim": "insufficient material",
    "started": "unfinished",
    "created": "unfinished",
}


@dataclass(frozen=True, slots=True)
class OfflineGame:
    """A game of ours. `wall_s`: from the challenge to the end; `refused_moves`: what the server did not take.

    `faults` counts what hit it, such as {"cut of game_stream": 2}.
    """

    report: GameReport
    bot_color: str
    wall_s: float
    refused_moves: tuple[str, ...] = ()
    faults: Mapping[str, int] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The result as PGN writes it: "1-0", "0-1", "1/2-1/2" or "*"."""
        if self.report.winner:
            return "1-0" if self.report.winner == "white" else "0-1"
        return "1/2-1/2" if self.outcome else "*"

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for the bot; None for a game without result."""
        return outcome_of(self.report.status, self.report.winner or "", self.bot_color)

    @property
    def lost_on_time(self) -> bool:
        """Whether the bot let its time run out."""
        left_ms = self.report.white_ms if self.bot_color == "white" else self.report.black_ms
        return self.report.status == "outoftime" and (self.report.winner not in (None, self.bot_color) or left_ms <= 0)

    @property
    def illegal_moves(self) -> int:
        """Moves of ours that the server refused, but for those legal at some time of the game: repeats, late ones."""
        if not self.refused_moves:
            return 0
        board = starting_board(self.report)
        legal = {board.uci(move) for move in board.legal_moves}
        for uci in self.report.moves:
            board.push(board.parse_uci(uci))
            legal |= {board.uci(move) for move in board.legal_moves}
        return sum(uci not in legal for uci in self.refused_moves)

    @property
    def ended_well(self) -> bool:
        """Whether it ended by the rules of chess or by the opponent's fault, without an illegal move of ours."""
        if self.illegal_moves or self.lost_on_time:
            return False
        if self.report.status in _BY_THE_RULES:
            return True
        return self.report.status in _BY_A_PLAYER and self.report.winner in (self.bot_color, None)

    @property
    def termination(self) -> str:
        """How it ended, in words."""
        if self.report.status != "draw":
            return _WORDS.get(self.report.status, self.report.status)
        board = final_board(self.report)
        if board.is_insufficient_material():
            return "insufficient material"
        if board.is_repetition(3):
            return "repetition"
        return "fifty moves" if board.halfmove_clock >= 100 else "agreement"

    def as_json(self) -> dict[str, Any]:
        """One object for programs."""
        report = self.report
        return {
            "id": report.id,
            "result": self.result,
            "status": report.status,
            "termination": self.termination,
            "moves": list(report.moves),
            "plies": len(report.moves),
            "bot_color": self.bot_color,
            "lost_on_time": self.lost_on_time,
            "illegal_moves": self.illegal_moves,
            "wall_s": round(self.wall_s, 3),
            "opponent": report.black if self.bot_color == "white" else report.white,
            "variant": report.variant,
            "initial_fen": report.initial_fen,
            "ended_well": self.ended_well,
            "faults": dict(self.faults),
        }


def starting_board(report: GameReport) -> chess.Board:
    """The position that the game began with."""
    return game.starting_board(report.variant, report.initial_fen)


def final_board(report: GameReport) -> chess.Board:
    """The last position, with all moves on its stack."""
    board = starting_board(report)
    for uci in report.moves:
        board.push(board.parse_uci(uci))
    return board


@dataclass(frozen=True, slots=True)
class Summary:
    """All games together, from the bot's side."""

    games: int
    wins: int
    draws: int
    losses: int
    without_result: int
    illegal_moves: int
    lost_on_time: int
    plies: int
    wall_s: float
    terminations: dict[str, int]
    ended_well: bool

    def as_json(self) -> dict[str, Any]:
        """The last object for programs."""
        return {"summary": True} | {name: getattr(self, name) for name in self.__slots__}

    def in_words(self, wanted: int, *, stopped: bool = False) -> str:
        """The same for people, with what to look at where games are missing, unless a signal stopped them."""
        ends = ", ".join(f"{count} by {how}" for how, count in self.terminations.items()) or "none"
        verdict = "every game ended well" if self.ended_well else "NOT every game ended well"
        missing = wanted - self.games
        if missing and stopped:
            verdict = f"stopped: {missing} did not begin or end"
        elif missing:
            verdict += (
                f"\n{missing} did not begin or end; where challenges were declined, `challenges` in the configuration"
                "\nadmits them, and the log names the key (BOT88__LOG__LEVEL=info)"
            )
        return (
            f"\n{self.games} of {wanted} games in {self.wall_s:.1f} s: won {self.wins}, drawn {self.draws}, "
            f"lost {self.losses}, without result {self.without_result}\n"
            f"ends: {ends}; illegal moves: {self.illegal_moves}; lost on time: {self.lost_on_time}\n{verdict}\n"
        )


def summarize(ended_games: Sequence[OfflineGame], wanted: int, wall_s: float) -> Summary:
    """`wanted`: how many games there should have been; fewer is not well."""
    outcomes = Counter(ended_game.outcome for ended_game in ended_games)
    return Summary(
        games=len(ended_games),
        wins=outcomes[Outcome.WIN],
        draws=outcomes[Outcome.DRAW],
        losses=outcomes[Outcome.LOSS],
        without_result=outcomes[None],
        illegal_moves=sum(ended_game.illegal_moves for ended_game in ended_games),
        lost_on_time=sum(ended_game.lost_on_time for ended_game in ended_games),
        plies=sum(len(ended_game.report.moves) for ended_game in ended_games),
        wall_s=round(wall_s, 3),
        terminations=dict(Counter(ended_game.termination for ended_game in ended_games)),
        ended_well=len(ended_games) >= wanted and all(ended_game.ended_well for ended_game in ended_games),
    )


POLL_S = 0.03
#: A challenge that has not become a game after so long never will; even a stormy network lets it through sooner.
UNANSWERED_S = 180.0
#: How often a game is requested again: on a stormy network the bot's acceptance may be refused.
MOST_CHALLENGES = 5

log = structlog.get_logger(__name__)


@dataclass
class Running:
    """A game, or the challenge that is to become one."""

    game_id: str
    bot_color: str
    challenges: int = 1
    begun_s: float = field(default_factory=time.monotonic)
    report: GameReport | None = None


class Match:
    """`on_look(running)` is called at each poll, `on_end(ended_game)` once for each finished game."""

    def __init__(
        self,
        fake: FakeLichess,
        options: OfflineOptions,
        opponent: str,
        on_look: Callable[[list[Running]], None] = lambda _running: None,
        on_end: Callable[[OfflineGame], None] = lambda _ended_game: None,
    ) -> None:
        self._fake = fake
        self._options = options
        self._opponent = opponent
        self._on_look = on_look
        self._on_end = on_end
        self._begun = 0
        self._lost = 0
        self._bot_has_white = random.Random(options.seed).random() < 0.5 if options.seed is not None else True
        self.running: list[Running] = []
        self.ended_games: list[OfflineGame] = []

    def play(self, signals: StopSignals) -> None:
        """Play all games; ends early when a signal comes or when challenges stay unanswered."""
        while len(self.ended_games) + self._lost < self._options.games and not signals.asked:
            while self._begun < self._options.games and len(self.running) < self._options.concurrency:
                self._begin()
            for running in list(self.running):
                self._look_at(running)
            self._on_look(self.running)
            signals.wait(POLL_S)

    def _begin(self) -> None:
        """The opponent challenges the bot; colours alternate."""
        color = "white" if self._bot_has_white else "black"
        self._bot_has_white = not self._bot_has_white
        self._begun += 1
        self.running.append(Running(self._challenge(color), color))

    def _challenge(self, bot_color: str) -> str:
        theirs = "black" if bot_color == "white" else "white"
        clock, variant = self._options.clock, self._options.variant
        return self._fake.challenge(self._opponent, BOT_NAME, clock=clock, color=theirs, variant=variant)

    def _look_at(self, running: Running) -> None:
        status = "accepted" if running.report else self._fake.challenge_status(running.game_id)
        if status != "accepted":
            self._still_unanswered(running, status)
            return
        running.report = self._fake.game(running.game_id)
        if running.report.over:
            self.running.remove(running)
            self.ended_games.append(self._ended_game(running, running.report))
            self._on_end(self.ended_games[-1])

    def _still_unanswered(self, running: Running, status: str) -> None:
        """Wait on; a challenge that was declined or lost is sent again a few times, one without an answer is not."""
        if status == "created" and time.monotonic() - running.begun_s < UNANSWERED_S:
            return
        log.warning("challenge_without_game", challenge_id=running.game_id, status=status)
        if status != "created" and running.challenges < MOST_CHALLENGES:
            running.challenges += 1
            running.game_id = self._challenge(running.bot_color)
            return
        self.running.remove(running)
        self._lost += 1

    def _ended_game(self, running: Running, report: GameReport) -> OfflineGame:
        refused = [
            seen.path.split("?")[0].rsplit("/", 1)[-1]
            for seen in self._fake.requests(game_id=report.id)
            if seen.status == 400 and "/move/" in seen.path and (seen.account_id or "") == BOT_NAME.lower()
        ]
        faults = self._fake.faults_of(report.id, running.begun_s)
        return OfflineGame(report, running.bot_color, time.monotonic() - running.begun_s, tuple(refused), faults)
