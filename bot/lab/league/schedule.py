"""Who plays whom: every pair, or one against all others, twice from each opening with reversed colours."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from bot.errors import ConfigurationError
from bot.lab.players import Contestant

#: Even positions of many kinds, six half-moves each.
OPENINGS = (
    "e4 e5 Nf3 Nc6 Bb5 a6",
    "d4 d5 c4 e6 Nc3 Nf6",
    "e4 c5 Nf3 d6 d4 cxd4",
    "d4 Nf6 c4 g6 Nc3 Bg7",
    "e4 e6 d4 d5 Nc3 Nf6",
    "c4 e5 Nc3 Nf6 Nf3 Nc6",
    "e4 c6 d4 d5 Nc3 dxe4",
    "d4 Nf6 c4 e6 Nc3 Bb4",
    "e4 e5 Nf3 Nc6 Bc4 Bc5",
    "d4 d5 c4 c6 Nf3 Nf6",
    "e4 c5 Nf3 Nc6 d4 cxd4",
    "Nf3 d5 g3 Nf6 Bg2 e6",
    "e4 d5 exd5 Qxd5 Nc3 Qa5",
    "d4 f5 g3 Nf6 Bg2 g6",
    "e4 e5 Nf3 Nf6 Nxe5 d6",
    "d4 Nf6 c4 c5 d5 e6",
    "e4 d6 d4 Nf6 Nc3 g6",
    "e4 e5 Nc3 Nf6 f4 d5",
    "d4 d5 Nf3 Nf6 Bf4 c5",
    "e4 c5 c3 Nf6 e5 Nd5",
    "e4 e5 Nf3 Nc6 d4 exd4",
    "c4 c5 Nf3 Nf6 Nc3 Nc6",
    "d4 Nf6 Bg5 Ne4 Bf4 d5",
    "e4 e6 d4 d5 e5 c5",
)
_CLOCK = re.compile(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played; `clock`: seconds at the start and for each move."""

    round: int
    white: Contestant
    black: Contestant
    opening: str
    clock: tuple[float, float]

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the game in its league: round and names."""
        return str(self.round), self.white.name, self.black.name

    def board(self) -> chess.Board:
        """Return the position after the opening."""
        board = chess.Board()
        for san in self.opening.split():
            board.push_san(san)
        return board


def parse_seconds(text: str) -> tuple[float, float]:
    """Return the clock of "10+0.1", in seconds. Raises ConfigurationError."""
    found = _CLOCK.fullmatch(text)
    if not found or float(found[1]) <= 0:
        raise ConfigurationError(f"--clock {text}: give seconds and increment in seconds, such as 10+0.1")
    return float(found[1]), float(found[2])


def schedule(
    players: Sequence[Contestant], rounds: int, clock: tuple[float, float], *, gauntlet: bool = False
) -> Iterator[GameTask]:
    """Yield the games, round by round. In a gauntlet the first player meets each of the others."""
    pairs = [pair for pair in itertools.combinations(players, 2) if not gauntlet or pair[0] is players[0]]
    for number in range(1, rounds + 1):
        for index, (one, other) in enumerate(pairs):
            opening = OPENINGS[(number - 1 + index) % len(OPENINGS)]
            yield GameTask(number, one, other, opening, clock)
            yield GameTask(number, other, one, opening, clock)
