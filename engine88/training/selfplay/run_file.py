"""The file of a run: its games in the order of their numbers, so that the file alone says where to go on.

Beside `NAME.games` lies `NAME.json`: what the games were made with, and from which game on by which engine. A game is
appended in one write. Whatever ended the writer, opening the file again leaves its whole games and drops a torn one.
"""

import contextlib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from engine88 import __version__
from engine88.compiler.cache_folder import folder_name
from engine88.training.game_file import FORMAT, find_games, plies_of
from engine88.training.selfplay.locked_file import locked


class RunFileError(ValueError):
    """A file that cannot be gone on with; the message names it and what to do."""


class RunFile:
    """A file of games that is being written; `games`, `positions`, `duplicates` and `results` count what it holds."""

    def __init__(self, path: Path, descriptor: int) -> None:
        """Take over a locked file and read what it holds; use `open_run`."""
        self._descriptor = descriptor
        self._seen: set[bytes] = set()
        self.games = self.positions = self.duplicates = 0
        self.results: Counter[int] = Counter()
        data, end = path.read_bytes(), 0
        for extent in find_games(data, path):
            self._count(data[extent.start : extent.end], len(plies_of(data, extent)), data[extent.tail])
            end = extent.end
        os.ftruncate(descriptor, end)

    def append(self, game: bytes) -> None:
        """Append one game; raises OSError, which names no file, when the disk is full."""
        (extent,) = find_games(game, Path("a game"))
        written = os.write(self._descriptor, game)
        if written != len(game):
            raise OSError(f"only {written} of {len(game)} bytes were written; is the disk full?")
        self._count(game, len(plies_of(game, extent)), game[extent.tail])

    def _count(self, game: bytes, plies: int, result: int) -> None:
        digest = hashlib.blake2b(game, digest_size=8).digest()
        self.duplicates += digest in self._seen
        self._seen.add(digest)
        self.games += 1
        self.positions += plies
        self.results[result] += 1


@contextlib.contextmanager
def open_run(path: Path, made_with: dict[str, Any], engine: dict[str, Any]) -> Iterator[RunFile]:
    """Open a run, new or begun; raises RunFileError if it was begun with other settings, or is being written.

    `made_with` are the settings that decide the games, as JSON knows them; `engine` is what may change in a run.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path) as descriptor:
        begun = read_settings(path)
        if begun is None and path.stat().st_size > 0:
            beside = settings_path(path).name
            raise RunFileError(f"{path}: holds games, but {beside} is not beside it; put it back or name another")
        if begun is not None:
            check_same(path, begun["made_with"], made_with)
        run = RunFile(path, descriptor)
        _write_settings(path, begun, made_with, {"from_game": run.games, **engine})
        yield run


def engine_of_run(module: str) -> dict[str, str]:
    """The engine that makes the games: its version, and a name for exactly the sources that `module` stands on."""
    return {"version": __version__, "sources": folder_name(module)}


def settings_path(path: Path) -> Path:
    """Where the settings of a run lie."""
    return path.with_suffix(".json")


def read_settings(path: Path) -> dict[str, Any] | None:
    """What lies beside a file of games, None for a run that has not begun."""
    try:
        settings = json.loads(settings_path(path).read_text(encoding="utf-8"))
        if settings["format"] != FORMAT:
            raise RunFileError(f"{settings_path(path)}: format {settings['format']}, this version writes {FORMAT}")
        return cast(dict[str, Any], settings)
    except FileNotFoundError:
        return None
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise RunFileError(f"{settings_path(path)}: no settings of a run ({error!r}); name another file") from error


def check_same(path: Path, begun: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise RunFileError that names the first setting that differs."""
    for name in sorted({*begun, *wanted}):
        if begun.get(name) != wanted.get(name):
            raise RunFileError(
                f"{path}: begun with {name} {begun.get(name)}, and now it is {wanted.get(name)}; "
                "go on with the same, or name another file"
            )


def keep_settings(out: Path, wanted: dict[str, Any]) -> None:
    """Keep beside `out` the settings that decide what it holds; raises RunFileError where it was begun with others."""
    path = settings_path(out)
    wanted = json.loads(json.dumps(wanted))
    if path.exists():
        check_same(out, json.loads(path.read_text(encoding="utf-8")), wanted)
    elif out.stat().st_size > 0:
        raise RunFileError(f"{out}: holds something, but {path.name} is not beside it; put it back or name another")
    path.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")


def _write_settings(
    path: Path, begun: dict[str, Any] | None, made_with: dict[str, Any], engine: dict[str, Any]
) -> None:
    """Write the settings, with a new entry where another engine goes on; the file is replaced as a whole."""
    engines: list[dict[str, Any]] = list(begun["engines"]) if begun else []
    if not engines or {**engines[-1], "from_game": 0} != {**engine, "from_game": 0}:
        engines.append(engine)
    text = json.dumps({"format": FORMAT, "made_with": made_with, "engines": engines}, indent=2)
    part = settings_path(path).with_name(settings_path(path).name + ".part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(settings_path(path))
