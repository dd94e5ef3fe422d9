"""Inputs kept for each target: single files for findings, and an archive of inputs that reach different code."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")
_MADE = (2026, 1, 1, 0, 0, 0)  # the same inputs give the same archive


def findings(name: str, folder: Path = CORPUS) -> list[Path]:
    """The files of what was found for a target."""
    return sorted(folder.glob(f"{name}-*.bin"))


def keep_finding(name: str, data: bytes, folder: Path) -> Path:
    """Write a finding to the corpus, under a name made of its content."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{_digest(data)}.bin"
    path.write_bytes(data)
    return path


def archive(name: str, folder: Path = CORPUS) -> Path:
    """Where the inputs of a target lie that reach different code."""
    return folder / f"{name}.zip"


def reaching(name: str, folder: Path = CORPUS) -> list[bytes]:
    """The inputs of a target that reach different code, none where there is no archive."""
    path = archive(name, folder)
    if not path.exists():
        return []
    with zipfile.ZipFile(path) as kept:
        return [kept.read(entry) for entry in sorted(kept.namelist())]


def keep_reaching(name: str, inputs: Iterable[bytes], folder: Path = CORPUS) -> int:
    """Write the archive of a target again; return how many inputs it holds."""
    folder.mkdir(parents=True, exist_ok=True)
    by_name = {_digest(data): data for data in inputs}
    with zipfile.ZipFile(archive(name, folder), "w", zipfile.ZIP_DEFLATED) as kept:
        for entry, data in sorted(by_name.items()):
            kept.writestr(zipfile.ZipInfo(entry, _MADE), data, zipfile.ZIP_DEFLATED)
    return len(by_name)


def all_kept(name: str, folder: Path = CORPUS) -> Iterator[tuple[str, bytes]]:
    """Every kept input of a target, with what to call it."""
    for path in findings(name, folder):
        yield path.name, path.read_bytes()
    for data in reaching(name, folder):
        yield f"{archive(name, folder).name}/{_digest(data)}", data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
