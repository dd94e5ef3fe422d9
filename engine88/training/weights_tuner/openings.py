"""Opening positions for self-play: EPD files, plain or zipped."""

import zipfile
from pathlib import Path


def read_openings(path: Path) -> list[str]:
    """The positions of an EPD file (or of the first file of a zip archive) as FENs.

    Raises ValueError for a file without positions, OSError for one that cannot be read.
    """
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode()
    else:
        text = path.read_text(encoding="utf-8")
    fens = [" ".join(fields[:4]) + " 0 1" for line in text.splitlines() if len(fields := line.split()) >= 4]
    if not fens or fens[0].count("/") != 7:
        raise ValueError(f"{path}: no EPD positions (expected lines like 'placement side castling en-passant ...')")
    return fens
