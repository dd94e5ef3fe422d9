"""The PGN file of a league: its only memory. Each game is appended when it ends, and the table is computed from it."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import chess.pgn

from bot.errors import ConfigurationError
from bot.lab.league.league_game import FAULT_SEPARATOR, FORFEITS
from bot.lab.players import Contestant

_START = '[Event "'


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game, from the tags of its PGN."""

    round: str
    white: str
    black: str
    result: str
    termination: str
    clock: str
    faults: dict[str, list[str]]
    versions: dict[str, str]

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the game in its league."""
        return self.round, self.white, self.black

    def points(self, name: str) -> float:
        """Return the points of one of its players."""
        if self.result == "1/2-1/2":
            return 0.5
        return float((self.result == "1-0") == (name == self.white))

    def forfeited(self, name: str) -> bool:
        """Whether a player lost without having been beaten."""
        return self.termination in FORFEITS and self.points(name) == 0


def read_games(text: str) -> Iterator[Played]:
    """Yield the games of a PGN."""
    stream = io.StringIO(text)
    while headers := chess.pgn.read_headers(stream):
        names = {color: headers[color] for color in ("White", "Black")}
        faults = {name: headers.get(f"{color}Faults", "") for color, name in names.items()}
        versions = {name: headers.get(f"{color}Version", "") for color, name in names.items()}
        yield Played(
            headers["Round"],
            names["White"],
            names["Black"],
            headers["Result"],
            headers.get("Termination", ""),
            headers.get("TimeControl", ""),
            {name: text.split(FAULT_SEPARATOR) for name, text in faults.items() if text},
            versions,
        )


class LeagueFile:
    """Open for appending. A game that was cut off by a crash is removed. Raises ConfigurationError."""

    def __init__(self, path: Path, players: Sequence[Contestant], clock: tuple[float, float]) -> None:
        self.path = path
        try:
            self._file: TextIO = path.open("a+", encoding="utf-8")
            self._file.seek(0)
            text = self._file.read()
            whole = _whole_games(text)
            if whole != text:
                self._file.truncate(len(whole.encode()))
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"{path}: cannot be used: {error}") from error
        self.games = list(read_games(whole))
        self._check(players, f"{clock[0]:g}+{clock[1]:g}")

    def _check(self, players: Sequence[Contestant], clock: str) -> None:
        """Refuse games that do not belong to the league."""
        versions = {player.name: player.version for player in players}
        for game in self.games:
            unknown = [name for name in (game.white, game.black) if name not in versions]
            other = [name for name in (game.white, game.black) if game.versions.get(name, "") != versions.get(name)]
            problem = ""
            if unknown:
                problem = f"it has games of {unknown[0]}, who does not play now"
            elif game.clock != clock:
                problem = f"its games have the clock {game.clock}"
            elif other:
                problem = f"{other[0]} has changed since its games were played"
            if problem:
                self._file.close()
                raise ConfigurationError(f"{self.path}: {problem}; start another league with --output OTHER.pgn")

    def add(self, pgn: str) -> Played:
        """Append a game; it is on the disk when this returns."""
        self._file.write(pgn)
        self._file.flush()
        os.fsync(self._file.fileno())
        (game,) = read_games(pgn)
        self.games.append(game)
        return game

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _whole_games(text: str) -> str:
    """Return the text without a last game that was not written completely."""
    start = text.rfind(_START)
    if start >= 0 and text.endswith("\n\n") and text.rstrip().endswith(("1-0", "0-1", "1/2-1/2")):
        return text
    return text[: max(0, start)]
