"""Files of whole games: four bytes a ply, one game after the other, little-endian.

    u8   length of the FEN
    ...  FEN of the start position, ASCII
    u8   result: 0 Black won, 1 draw, 2 White won
    u16  plies; then for each ply
         u16  move: from | to << 6 | promotion << 12 (a1 = 0, h8 = 63; promotion 0 none, 1 knight, 2 bishop, 3 rook,
              4 queen); castling is the king's two-square move
         i16  search score of the position before the move, in centipawns for White, within +-30000; mates lie
              beyond 28000; without the scale by material (label.py)

This is version 1. A later version begins with a zero byte, which is never the length of a FEN.
A file may end in the middle of a game (its writer was ended, or is still writing): that game is not read.
"""

import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

FORMAT: Final = 1
MAX_SCORE_CP: Final = 30_000
_TAIL: Final = struct.Struct("<BH")  # result and number of plies
_FEN: Final = re.compile(rb"[1-8pnbrqkPNBRQK]+(?:/[1-8pnbrqkPNBRQK]+){7} [wb] (?:-|[KQkq]+) (?:-|[a-h][36]) \d+ \d+")
_PLY: Final = np.dtype([("move", "<u2"), ("score", "<i2")])
PLY_BYTES: Final = _PLY.itemsize
_PROMOTIONS: Final = " nbrq"


class GameFileError(ValueError):
    """A file that holds something else than games; the message names the file and the offset."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game: start position, result (0 Black won, 1 draw, 2 White won), packed moves, White's scores."""

    fen: str
    result: int
    moves: NDArray[np.uint16]
    scores_cp: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """The bytes of a game of a file, and where they come from."""

    where: str
    data: bytes

    @property
    def checksum(self) -> int:
        """What `checksum` says of the game in its file."""
        return zlib.crc32(self.data)


class Extent(NamedTuple):
    """Where a game of a file lies: byte offsets of the game, its result and its end."""

    start: int
    tail: int
    end: int


def pack_move(name: str) -> int:
    """The packed move of a move in UCI notation."""
    promotion = _PROMOTIONS.index(name[4]) if len(name) == 5 else 0
    return _square(name[:2]) | _square(name[2:4]) << 6 | promotion << 12


def unpack_move(code: int) -> str:
    """The UCI notation of a packed move."""
    return _square_name(code & 63) + _square_name(code >> 6 & 63) + _PROMOTIONS[code >> 12].strip()


def game_bytes(game: Game) -> bytes:
    """The bytes of a game, to be appended to a file in one write."""
    fen = game.fen.encode("ascii")
    plies = np.empty(len(game.moves), _PLY)
    plies["move"] = game.moves
    plies["score"] = np.clip(game.scores_cp, -MAX_SCORE_CP, MAX_SCORE_CP)
    return bytes([len(fen)]) + fen + _TAIL.pack(game.result, len(plies)) + plies.tobytes()


def read_games(path: Path) -> Iterator[Game]:
    """Yield the whole games of a file; raises GameFileError where the bytes are no game."""
    data = path.read_bytes()
    for extent in find_games(data, path):
        result, _ = _TAIL.unpack_from(data, extent.tail)
        plies = plies_of(data, extent)
        yield Game(data[extent.start + 1 : extent.tail].decode("ascii"), result, plies["move"], plies["score"])


def stored_games(paths: Iterable[Path]) -> Iterator[StoredGame]:
    """Yield the whole games of some files, in their order."""
    for path in paths:
        data = path.read_bytes()
        for extent in find_games(data, path):
            yield StoredGame(f"{path}: the game at byte {extent.start}", data[extent.start : extent.end])


def game_of(data: bytes) -> Game:
    """The game that some bytes are; raises ValueError if they are none, or more than one."""
    (extent,) = find_games(data, Path("a game"))
    plies = plies_of(data, extent)
    return Game(data[1 : extent.tail].decode("ascii"), data[extent.tail], plies["move"], plies["score"])


def find_games(data: bytes, path: Path) -> Iterator[Extent]:
    """Yield the extents of the whole games of a file's bytes; `path` is named in errors."""
    at = 0
    if data.startswith(b"\0"):
        raise GameFileError(f"{path}: of a later format than {FORMAT}; read it with the version that wrote it")
    while at < len(data):
        tail = at + 1 + data[at]
        if tail + _TAIL.size > len(data):
            return
        result, plies = _TAIL.unpack_from(data, tail)
        if result > 2 or _FEN.fullmatch(data, at + 1, tail) is None:
            raise GameFileError(f"{path}: no game at byte {at}; is it a file of games, and not cut at its beginning?")
        end = tail + _TAIL.size + PLY_BYTES * plies
        if end > len(data):
            return
        yield Extent(at, tail, end)
        at = end


def plies_of(data: bytes, extent: Extent) -> NDArray[np.void]:
    """The plies of a game as records with the fields `move` and `score`; a view of `data`."""
    count = (extent.end - extent.tail - _TAIL.size) // PLY_BYTES
    return np.frombuffer(data, _PLY, count, extent.tail + _TAIL.size)


def checksum(data: bytes, extent: Extent) -> int:
    """CRC-32 of a game's bytes: the same in whatever file the game lies."""
    return zlib.crc32(memoryview(data)[extent.start : extent.end])


def _square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def _square_name(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)
