"""Positions to train on: read from files of games or of samples, filtered and split."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import BLACK_OO, BLACK_OOO, NO_SQUARE, WHITE_OO, WHITE_OOO
from engine88.board.squares import parse_piece, parse_square
from engine88.rules.fen import START_FEN, read_fen
from engine88.training.game_file import PLY_BYTES, Extent, GameFileError, checksum, find_games, plies_of
from engine88.training.replay import SAMPLE_TYPE, PackedGames, expand, looked_ahead

Samples = NDArray[np.void]
"""Records of SAMPLE_TYPE."""

_RIGHTS: Final = {"K": WHITE_OO, "Q": WHITE_OOO, "k": BLACK_OO, "q": BLACK_OOO}
_MIX: Final = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # SplitMix64's constants (S. Vigna)
_SPLIT: Final = 10_000
_GAMES_AT_ONCE: Final = 10_000
_BLOCK: Final = 1 << 22
"""Samples that are worked on at once: 128 MB of them."""
_KEY_PARTS: Final = 16
"""Equal keys are found in so many parts: to sort all keys at once takes several times their memory."""


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


def load_data(paths: Sequence[Path], wanted: Filter, beside: Sequence[Path] = ()) -> DataSet:
    """Read all files of games, and files of samples beside them to train on.

    A position of the games that comes again is counted and left out. All samples share one array that is never copied
    as a whole, since a hundred million of them fill 3.2 GB. Raises GameFileError for a broken game, SampleFileError for
    a file without samples, OSError for one that cannot be read.
    """
    more = [read_samples_file(path) for path in beside]
    lengths = [path.stat().st_size for path in paths]
    samples = _room_for(sum(lengths), sum(map(len, more)))
    counts, size = list[FileCount](), 0
    for path, length in zip(paths, lengths, strict=True):
        counts.append(_read_into(samples[size:], path, length, wanted))
        size += counts[-1].positions
    is_first = first_occurrences(samples[:size])
    is_held_out = samples["held_out"][:size] != 0
    held_out = samples[:size][is_first & is_held_out]
    kept = _keep(samples[:size], is_first & ~is_held_out)
    duplicates = size - len(held_out) - kept
    for part in more:
        samples[kept : kept + len(part)] = part
        kept += len(part)
    return DataSet(samples[:kept], held_out, tuple(counts), duplicates)


def _room_for(file_bytes: int, more: int = 0) -> Samples:
    """Room for the positions of games of so many bytes, and more; memory is taken where it is written to."""
    return np.empty(file_bytes // PLY_BYTES + more, SAMPLE_TYPE)


def _read_into(samples: Samples, path: Path, length: int, wanted: Filter) -> FileCount:
    """Write the samples of the first bytes of a file of games, which may grow, to the first places of an array."""
    with path.open("rb") as file:
        data = file.read(length)
    board, extents = read_fen(START_FEN), find_games(data, path)
    games = plies = positions = 0
    while part := list(itertools.islice(extents, _GAMES_AT_ONCE)):
        packed = pack_games(data, part, wanted)
        count, broken = expand(board, packed, wanted.min_ply, wanted.max_score_cp, samples[positions:])
        if broken >= 0:
            where = f"{path}: the game at byte {part[broken].start}"
            raise GameFileError(f"{where} has a start or a move that is not legal")
        games, plies, positions = games + len(part), plies + len(packed.moves), positions + count
    return FileCount(path.name, games, plies, positions)


def _keep(samples: Samples, wanted: NDArray[np.bool_]) -> int:
    """Move the wanted samples to the first places, in their order; how many they are."""
    kept = 0
    for block in _blocks(len(samples)):
        chosen = samples[block][wanted[block]]
        samples[kept : kept + len(chosen)] = chosen
        kept += len(chosen)
    return kept


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


def first_occurrences(samples: Samples) -> NDArray[np.bool_]:
    """Whether the position of each sample (pieces as the side to move sees them) has not come before."""
    keys, part_of = np.empty(len(samples), np.uint64), np.empty(len(samples), np.uint8)
    is_first = np.zeros(len(samples), np.bool_)
    for block in _blocks(len(samples)):
        keys[block] = _keys(samples[block])
        part_of[block] = keys[block] % _KEY_PARTS
    for part in range(_KEY_PARTS):
        members = np.flatnonzero(part_of == part)
        is_first[members[np.unique(keys[members], return_index=True)[1]]] = True
    return is_first


def _keys(samples: Samples) -> NDArray[np.uint64]:
    """A hash of the position of each sample."""
    key: NDArray[np.uint64] = samples["occupancy"] * np.uint64(_MIX[0])
    for field, factor in zip(("pieces_low", "pieces_high"), _MIX[1:], strict=True):
        key = ((key ^ key >> np.uint64(31)) + samples[field]) * np.uint64(factor)
    return key ^ key >> np.uint64(32)


def _blocks(count: int) -> Iterator[slice]:
    return (slice(first, first + _BLOCK) for first in range(0, count, _BLOCK))


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
