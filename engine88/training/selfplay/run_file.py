"""The file of games of a run: locked, appended to, and summed up."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, cast

from engine88 import __version__
from engine88.compiler.cache_folder import folder_name
from engine88.compiler.file_lock import try_lock
from engine88.training.cluster.pool import PoolError
from engine88.training.game_file import FORMAT, find_games, plies_of


class LockedError(ValueError):
    """A file that another process is writing to; the message names it."""


@contextlib.contextmanager
def locked(path: Path) -> Iterator[int]:
    """Open a file for appending, made if absent, and lock it; on the way out what was written is on the disk."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        if not try_lock(descriptor):
            raise LockedError(f"{path}: another process is writing to it; wait for that one, or name another file")
        yield descriptor
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class RunFileError(ValueError):
    """A file that cannot be continued; the message names it and the remedy."""


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
    """The settings next to a file of games, None for a run that has not begun."""
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
                "use the same ones, or name another file"
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
    """Write the settings, with a new entry if another engine continues; the file is replaced as a whole."""
    engines: list[dict[str, Any]] = list(begun["engines"]) if begun else []
    if not engines or {**engines[-1], "from_game": 0} != {**engine, "from_game": 0}:
        engines.append(engine)
    text = json.dumps({"format": FORMAT, "made_with": made_with, "engines": engines}, indent=2)
    part = settings_path(path).with_name(settings_path(path).name + ".part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(settings_path(path))


EVERY_S: Final = 10.0
_MARKS: Final = 30  # five minutes


class Progress:
    """Progress of a run: games, speed of the last minutes, and time left."""

    def __init__(self, wanted: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with the first result: starting processes does not count."""
        self._wanted, self._clock = wanted, clock
        self._marks: deque[tuple[float, int, int]] = deque(maxlen=_MARKS)

    def is_due(self, done: int, positions: int) -> bool:
        """Return whether it is time for a line, the first some seconds after the first result."""
        now_s = self._clock()
        if self._marks and now_s - self._marks[-1][0] < EVERY_S:
            return False
        self._marks.append((now_s, done, positions))
        return len(self._marks) > 1

    def line(self) -> str:
        """The games done, positions per second, and the time that is left."""
        (first_s, _, first_positions), (last_s, _, positions) = self._marks[0], self._marks[-1]
        rate = (positions - first_positions) / max(last_s - first_s, 1e-3)
        speed = f"{positions:,} positions, {rate:,.0f} positions/s ({rate * 3600 / 1e6:.2f} M an hour)"
        return self._told(speed)

    def games_line(self) -> str:
        """The games done, games per second, and the time that is left."""
        (first_s, first_done, _), (last_s, done, _) = self._marks[0], self._marks[-1]
        return self._told(f"{(done - first_done) / max(last_s - first_s, 1e-3):.2f} games/s")

    def _told(self, speed: str) -> str:
        (first_s, first_done, _), (last_s, done, _) = self._marks[0], self._marks[-1]
        left_s = (self._wanted - done) * max(last_s - first_s, 1e-3) / max(done - first_done, 1)
        return f"{done:,} of {self._wanted:,} games, {speed}, {duration(left_s)} left"


def duration(seconds: float) -> str:
    """A length of time for people."""
    minutes, rest_s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest_s:02} s" if minutes else f"{rest_s} s"


def say(line: str) -> None:
    """Write a line of progress."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 -- progress of a tool


def append_games(file: RunFile, games: Iterable[bytes], wanted: int) -> None:
    """Append games as they arrive, and report the progress."""
    progress = Progress(wanted)
    for game in games:
        file.append(game)
        if progress.is_due(file.games, file.positions):
            say(f"{progress.line()}; {file.duplicates:,} duplicates")


def summary(name: str, file: RunFile) -> str:
    """What a file of games holds."""
    black, drawn, white = (100 * file.results[result] / max(file.games, 1) for result in range(3))
    return (
        f"{name}: {file.games:,} games, {file.positions:,} positions; White won {white:.0f} %, drawn {drawn:.0f} %, "
        f"Black won {black:.0f} %; {file.duplicates:,} games came twice"
    )


def reporting(command: str, work: Callable[[], int]) -> int:
    """Do the work of a resumable command; return its exit status. Errors are one line."""
    try:
        return work()
    except (OSError, ValueError, PoolError) as error:
        say(f"{command}: {error}")
        return 1
    except KeyboardInterrupt:
        say(f"{command}: stopped; run the same command to continue")
        return 130
