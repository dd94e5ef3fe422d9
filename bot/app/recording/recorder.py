"""Keeps what goes over the wire about each game, and what its engine answered, in a file of its own.

Whoever brings news only puts it into a queue; a thread of the recorder writes. What comes too fast, or while the disk
fails, is left out and counted.
"""

from __future__ import annotations

import json
import queue
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from bot.account.storage.retention import remove_older
from bot.app.recording.record import FORMAT
from bot.engine_pool import Answer
from bot.errors import ConfigurationError
from bot.log import HIDDEN

MOST_BYTES_A_GAME = 2_000_000
MOST_BYTES = 200_000_000  # in all; beyond them the oldest records are removed
MOST_WAITING = 10_000
LONGEST_TEXT = 20_000
_CLOSE_S = 2.0
_PREFIX, _SUFFIX = "game-", ".jsonl"

log = structlog.get_logger(__name__)


class Recorder:
    """A WireTap that writes; `me()`: our account's id once it is known. Raises ConfigurationError."""

    def __init__(
        self,
        folder: Path,
        me: Callable[[], str],
        secret: str = "",
        *,
        most_bytes_a_game: int = MOST_BYTES_A_GAME,
        most_bytes: int = MOST_BYTES,
        most_days: int = 0,
    ) -> None:
        """Make the folder and start to write; `secret` is never written, wherever it may stand.

        `most_days`: how long records are kept, 0 for as long as there is room.
        """
        self._folder = folder
        self._me = me
        self._secret = secret
        self._most_bytes_a_game = most_bytes_a_game
        self._most_bytes = most_bytes
        self._most_s = most_days * 86_400.0
        self._queue: queue.Queue[tuple[str, dict[str, Any]] | None] = queue.Queue(MOST_WAITING)
        self._sizes: dict[str, int] = {}
        self._lost = 0
        self._failing = False
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"--record {folder}: cannot be made: {error}; give another folder") from error
        self._thread = threading.Thread(target=self._write, name="recorder", daemon=True)
        self._thread.start()

    # -- what is told, on the threads of the games ------------------------------------------------------------------

    def opened(self, game_id: str) -> None:
        """As WireTap."""
        self._put(game_id, kind="open")

    def line(self, game_id: str, line: bytes) -> None:
        """As WireTap."""
        self._put(game_id, kind="line", text=line)

    def ended(self, game_id: str, error: str) -> None:
        """As WireTap."""
        self._put(game_id, kind="end", error=error)

    def posted(self, game_id: str, path: str, form: str) -> None:
        """As WireTap."""
        self._put(game_id, kind="post", path=path, form=form)

    def answered(self, game_id: str, path: str, status: int, text: str) -> None:
        """As WireTap."""
        self._put(game_id, kind="answer", path=path, status=status, text=text)

    def thought(self, game_id: str, ply: int, answer: Answer) -> None:
        """As GameContext.note_answer."""
        move, error = str(answer.move or ""), str(answer.error or "")
        self._put(game_id, kind="think", ply=ply, move=move, info=answer.info_line, engine=answer.engine, error=error)

    def _put(self, game_id: str, **entry: Any) -> None:
        try:
            self._queue.put_nowait((game_id, {"t": time.time(), **entry}))
        except queue.Full:
            self._lost += 1

    # -- the recorder's thread --------------------------------------------------------------------------------------

    def close(self) -> None:
        """Write what waits, two seconds at most."""
        try:
            self._queue.put(None, timeout=_CLOSE_S)
        except queue.Full:
            log.warning("record_not_complete", remedy="the disk is too slow; record to another folder")
            return
        self._thread.join(_CLOSE_S)

    def _write(self) -> None:
        while (item := self._queue.get()) is not None:
            game_id, entry = item
            try:
                self._append(re.sub(r"\W", "_", game_id)[:16], entry)
                self._say_lost()
            except OSError as error:
                self._lost += 1
                if not self._failing:
                    self._failing = True
                    log.error(
                        "record_not_written",
                        folder=str(self._folder),
                        error=str(error),
                        remedy="free the disk; the bot plays on, and what comes meanwhile is left out",
                    )

    def _say_lost(self) -> None:
        if self._lost:
            log.warning("record_lines_lost", count=self._lost)
        self._lost, self._failing = 0, False

    def _append(self, game_id: str, entry: dict[str, Any]) -> None:
        path = self._folder / f"{_PREFIX}{game_id}{_SUFFIX}"
        lines = []
        if game_id not in self._sizes:
            self._make_room()
            self._sizes[game_id] = path.stat().st_size if path.exists() else 0
            if self._sizes[game_id] and not path.read_bytes().endswith(b"\n"):
                lines.append(b"\n")  # a crash has cut the last line
            start = {"t": entry["t"], "kind": "start", "format": FORMAT, "game": game_id, "me": self._me()}
            lines.append(self._line(start))
        if self._sizes[game_id] >= self._most_bytes_a_game:
            return
        lines.append(self._line(entry))
        self._sizes[game_id] += sum(map(len, lines))
        if self._sizes[game_id] >= self._most_bytes_a_game:
            lines.append(self._line({"t": entry["t"], "kind": "cut"}))
            log.warning("record_full", game_id=game_id, file=str(path))
        with path.open("ab") as file:
            file.write(b"".join(lines))

    def _line(self, entry: dict[str, Any]) -> bytes:
        text = entry.get("text")
        if isinstance(text, bytes):
            text = text.decode("utf-8", "surrogateescape")  # garbage comes back byte by byte
        if text is not None:
            entry["text"] = text[:LONGEST_TEXT]
        line = json.dumps(entry)
        if self._secret:
            line = line.replace(self._secret, HIDDEN)
        return line.encode("ascii") + b"\n"

    def _make_room(self) -> None:
        """Remove records of ours that are too old, and the oldest where there are too many bytes of them."""
        if self._most_s:
            remove_older(self._folder.glob(f"{_PREFIX}*{_SUFFIX}"), time.time() - self._most_s)
        files = sorted(self._folder.glob(f"{_PREFIX}*{_SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
        total = 0
        for path in files:
            total += path.stat().st_size
            is_running = path.stem.removeprefix(_PREFIX) in self._sizes
            if total > self._most_bytes - self._most_bytes_a_game and not is_running:
                path.unlink()
