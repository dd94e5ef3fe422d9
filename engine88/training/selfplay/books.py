"""Opening positions for self-play: EPD files, plain or zipped."""

import hashlib
import random
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine88.rules.position import Position

_SUFFIXES: Final = (".epd", ".epd.zip")


@dataclass(frozen=True, slots=True)
class Book:
    """Opening positions as FENs, with names and SHA-256 of their files."""

    fens: tuple[str, ...]
    files: dict[str, str]

    def pick(self, run: str, number: int, share: float) -> str | None:
        """The position that a game of a run starts from, None for a game without a book; `share` of them have one.

        Raises ValueError for a position that is none of standard chess.
        """
        chooser = random.Random(f"{run}/{number}/book")
        if not self.fens or chooser.random() >= share:
            return None
        fen = chooser.choice(self.fens)
        _check_standard(fen)
        return fen


def read_books(paths: Sequence[Path], tell: Callable[[str], None]) -> Book:
    """The positions of some EPD files, and of those in some folders; an unusable file there is reported.

    Raises ValueError for a file without positions of standard chess, OSError for one that cannot be read.
    """
    fens: list[str] = []
    files: dict[str, str] = {}
    for path in paths:
        for file in _epd_files(path) if path.is_dir() else [path]:
            try:
                fens += read_openings(file)
            except ValueError as error:
                if file == path:
                    raise
                tell(f"left out: {error}")
                continue
            files[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return Book(tuple(fens), files)


def _epd_files(folder: Path) -> list[Path]:
    files = sorted(file for file in folder.iterdir() if file.name.endswith(_SUFFIXES))
    if not files:
        raise ValueError(f"{folder}: no .epd or .epd.zip file in this folder; name another, or leave --books out")
    return files


def read_openings(path: Path) -> list[str]:
    """The positions of an EPD file (or of the first file of a zip archive) as FENs.

    Raises ValueError for a file without positions, OSError for one that cannot be read.
    """
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode()
    else:
        text = path.read_text(encoding="utf-8")
    fens = [
        " ".join(fields[:4]) + " 0 1" for line in text.splitlines() if len(fields := line.split(";")[0].split()) >= 4
    ]
    if not fens:
        raise ValueError(f"{path}: no EPD positions (expected lines like 'placement side castling en-passant ...')")
    try:
        _check_standard(fens[0])
    except ValueError as error:
        raise ValueError(f"{path}: no EPD positions of standard chess: {error}") from error
    return fens


def _check_standard(fen: str) -> None:
    """Raise ValueError unless a game of standard chess may start here."""
    if Position.from_fen(fen).chess960:
        raise ValueError(f"{fen!r} has castling as in Chess960; only standard chess is played")
