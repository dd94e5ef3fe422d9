"""Positions to train on: read from files of games or of samples, filtered and split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import BLACK_OO, BLACK_OOO, NO_SQUARE, WHITE_OO, WHITE_OOO
from engine88.board.squares import parse_piece, parse_square
from engine88.rules.fen import START_FEN, read_fen
from engine88.training.game_file import Extent, GameFileError, checksum, find_games, plies_of
from engine88.training.replay import SAMPLE_TYPE, PackedGames, expand, looked_ahead

Samples = NDArray[np.void]
"""Records of SAMPLE_TYPE."""

_RIGHTS: Final = {"K": WHITE_OO, "Q": WHITE_OOO, "k": BLACK_OO, "q": BLACK_OOO}
_MIX: Final = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # SplitMix64's constants (S. Vigna)
_SPLIT: Final = 10_000


@dataclass(frozen=True, slots=True)
class Filter:
    """Which positions are kept, the share of games that is held out, and how much of a label are later scores.

    `td_lambda` 0 leaves the scores as they are; `scale_cp` turns them into expected results (`replay.looked_ahead`).
    """

    min_ply: int = 0
    max_score_cp: int = 2500
    held_out_share: float = 0.02
    td_lambda: float = 0.0
    scale_cp: float = 200.0


@dataclass(frozen=True, slots=True)
class FileCount:
    """What a file of games holds: its name, games, plies, and positions that pass the filter."""

    name: str
    games: int
    plies: int
    positions: int


@dataclass(frozen=True, slots=True)
class DataSet:
    """Samples to train on, samples of other games to measure with, and how they came about."""

    training: Samples
    held_out: Samples
    files: tuple[FileCount, ...]
    duplicates: int


def load_data(paths: Sequence[Path], wanted: Filter) -> DataSet:
    """Read all files; a position that comes again, in whatever game, is counted and left out."""
    parts = [read_samples(path, wanted) for path in paths]
    samples = np.concatenate([samples for samples, _ in parts]) if parts else np.empty(0, SAMPLE_TYPE)
    distinct = first_occurrences(samples)
    duplicates = len(samples) - len(distinct)
    samples = samples[distinct]
    held_out = samples["held_out"] != 0
    return DataSet(samples[~held_out], samples[held_out], tuple(count for _, count in parts), duplicates)


def read_samples(path: Path, wanted: Filter) -> tuple[Samples, FileCount]:
    """The samples of one file and their count; raises GameFileError where a game is broken."""
    data = path.read_bytes()
    extents = list(find_games(data, path))
    games = pack_games(data, extents, wanted)
    samples: Samples = np.zeros(len(games.moves), SAMPLE_TYPE)
    count, broken = expand(read_fen(START_FEN), games, wanted.min_ply, wanted.max_score_cp, samples)
    if broken >= 0:
        raise GameFileError(f"{path}: the game at byte {extents[broken].start} has a start or a move that is not legal")
    return samples[:count].copy(), FileCount(path.name, len(extents), len(games.moves), count)


def pack_games(data: bytes, extents: Sequence[Extent], wanted: Filter) -> PackedGames:
    """The games of a file in arrays. Which are held out depends on a game's bytes alone, not on files or seeds."""
    starts = [data[extent.start + 1 : extent.tail].decode("ascii").split() for extent in extents]
    plies = [plies_of(data, extent) for extent in extents]
    every = np.concatenate(plies) if plies else np.empty(0, [("move", "<u2"), ("score", "<i2")])
    first_ply = np.concatenate([[0], np.cumsum([len(part) for part in plies], dtype=np.int64)]).astype(np.int64)
    scores_cp = np.ascontiguousarray(every["score"])
    labels_cp = looked_ahead(scores_cp, first_ply, wanted.td_lambda, wanted.scale_cp) if wanted.td_lambda else scores_cp
    return PackedGames(
        np.array([read_placement(placement) for placement, *_ in starts], np.uint8).reshape(-1, 64),
        np.array([side == "b" for _, side, *_ in starts], np.uint8),
        np.array([sum(_RIGHTS.get(letter, 0) for letter in rights) for _, _, rights, *_ in starts], np.uint8),
        np.array([NO_SQUARE if name == "-" else parse_square(name) for _, _, _, name, *_ in starts], np.uint8),
        np.array([data[extent.tail] for extent in extents], np.uint8),
        np.array([is_held_out(checksum(data, extent), wanted.held_out_share) for extent in extents], np.uint8),
        first_ply,
        np.ascontiguousarray(every["move"]),
        scores_cp,
        labels_cp,
    )


def is_held_out(game_checksum: int, share: float) -> bool:
    """Whether a game is among the share that is only measured with."""
    return game_checksum % _SPLIT < round(share * _SPLIT)


def read_placement(text: str) -> NDArray[np.uint8]:
    """The piece codes of the first field of a FEN: uint8 [64], a1 = 0; what leaves the board is dropped."""
    board = np.zeros(64, np.uint8)
    for rank, row in zip(range(7, -1, -1), text.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            elif file < 8:
                board[8 * rank + file] = parse_piece(letter)
                file += 1
    return board


def first_occurrences(samples: Samples) -> NDArray[np.int64]:
    """Indices of the samples whose position (pieces as the side to move sees them) has not come before."""
    key = samples["occupancy"] * np.uint64(_MIX[0])
    for field, factor in zip(("pieces_low", "pieces_high"), _MIX[1:], strict=True):
        key = ((key ^ key >> np.uint64(31)) + samples[field]) * np.uint64(factor)
    key ^= key >> np.uint64(32)
    _, first = np.unique(key, return_index=True)
    return np.sort(first).astype(np.int64)


def total(files: Iterable[FileCount]) -> FileCount:
    """The sum over files."""
    listed = list(files)
    return FileCount(
        f"{len(listed)} files",
        sum(file.games for file in listed),
        sum(file.plies for file in listed),
        sum(file.positions for file in listed),
    )


class SampleFileError(ValueError):
    """A file that holds no samples of this version; the message names the file."""


def write_samples(path: Path, samples: Samples) -> None:
    """Write samples; the file is replaced as a whole."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as stream:
        np.save(stream, samples, allow_pickle=False)
    part.replace(path)


def read_samples_file(path: Path) -> Samples:
    """Read samples; raises SampleFileError if the file holds something else, OSError if it cannot be read."""
    try:
        samples = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise SampleFileError(f"{path}: no file of samples ({error}); make it again with `tree`") from error
    if not isinstance(samples, np.ndarray) or samples.dtype != SAMPLE_TYPE or samples.ndim != 1:
        raise SampleFileError(f"{path}: no samples of this version; make them again with `tree`")
    return samples
