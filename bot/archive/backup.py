"""A copy of everything that is kept, made while the bot runs."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StoreError

STORE_NAME = "store.sqlite3"
PGN_FOLDER = "pgn"


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds."""

    games: int
    pgn_files: int
    size_bytes: int


def back_up(store: Path, pgn_folder: Path | None, file: Path) -> Backup:
    """Write the store and the PGN folder into a new ZIP file that only its owner may read; returns what is in it.

    The store is copied as it is at one moment, by SQLite's online backup, which holds up no writer. The PGN is copied
    after it: a game that ends in between may be in the PGN alone, and is found there when it is written again. The file
    appears when it is complete. Raises StoreError.
    """
    if not store.is_file():
        raise StoreError(f"{store}: there is no such file; the first `bot88 run` makes it")
    if file.exists():
        raise StoreError(f"{file}: exists already; name a new file, or remove it first")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".{file.name}-") as folder:
            copy = Path(folder) / STORE_NAME
            games = copy_store(store, copy)
            unfinished = Path(folder) / file.name
            pgn_files = _write(unfinished, copy, pgn_folder)
            size_bytes = unfinished.stat().st_size
            if file.exists():
                raise FileExistsError(f"{file} has appeared meanwhile")
            unfinished.rename(file)
    except (OSError, ValueError) as error:
        raise StoreError(f"{file}: the backup cannot be written: {error}") from error
    return Backup(games, pgn_files, size_bytes)


def copy_store(store: Path, copy: Path) -> int:
    """Copy a store that may be in use into one new file; returns the number of its games. Raises StoreError."""
    try:
        with (
            closing(sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            target.execute("PRAGMA synchronous=OFF")  # the copy is temporary
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, without a journal beside it
            ((verdict,),) = target.execute("PRAGMA quick_check(1)").fetchall()
            if verdict != "ok":
                raise sqlite3.DatabaseError(str(verdict))
            ((games,),) = target.execute("SELECT COUNT(*) FROM games").fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"{store}: cannot be copied: {error}") from error
    return int(games)


def _write(file: Path, store: Path, pgn_folder: Path | None) -> int:
    """Write the archive; returns the number of files of PGN in it."""
    pgn = sorted(pgn_folder.glob("*.pgn")) if pgn_folder is not None else []
    with (
        os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw,
        zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        archive.write(store, STORE_NAME)
        for path in pgn:
            archive.write(path, f"{PGN_FOLDER}/{path.name}")
        raw.flush()
    return len(pgn)
