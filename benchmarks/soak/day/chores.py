"""What the operator and the server do in the course of the day, each on a thread, so that the day continues."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from benchmarks.soak.day import screens
from benchmarks.soak.day.bot import DayBot
from benchmarks.soak.day.server import DayServer
from benchmarks.soak.day.timetable import Moment
from benchmarks.soak.evidence import Violation

DOWN_S = 10.0
ARENA_PART = 0.15  # of the day
THREADS = 3
log = logging.getLogger(__name__)


class Chores:
    """Carries out moments; answers to commands are written into `said.txt`."""

    def __init__(self, bot: DayBot, server: DayServer, folder: Path, minutes: float, *, pictures: bool) -> None:
        """`pictures`: whether there is a browser to take them with."""
        self.bot, self.server, self.folder, self.minutes = bot, server, folder, minutes
        self.pictures = pictures
        self.shots: list[screens.Shot] = []
        self.violations: list[Violation] = []
        self.said: list[str] = []
        self.arena_id = ""
        self._began_s = time.monotonic()
        self._threads = ThreadPoolExecutor(THREADS, "chores")
        self._camera = ThreadPoolExecutor(1, "camera")
        self._under_way: list[tuple[str, Future[None]]] = []

    def begin(self, moment: Moment) -> None:
        """Start what a moment asks for."""
        acts: dict[str, Callable[[], None]] = {
            "ctl": lambda: self.tell(self.bot.command("ctl", *moment.words)),
            "arena": self._arena,
            "restart": lambda: self.server.fake.restart(DOWN_S, planned=True),
            "edit": lambda: self.bot.change(*moment.words),
            "sighup": lambda: self.bot.send_signal(signal.SIGHUP),
            "screens": lambda: self._photograph(moment.words[0]),
        }
        threads = self._camera if moment.do == "screens" else self._threads
        what = " ".join((moment.do, *moment.words))
        if moment.do not in ("ctl", "screens"):
            self.tell(f"# {what}\n")
        self._under_way.append((what, threads.submit(acts[moment.do])))

    def tell(self, text: str) -> None:
        """Keep a command and its answer, with the time of the day."""
        self.said.append(f"--- {time.monotonic() - self._began_s:.0f} s\n{text}")
        (self.folder / "said.txt").write_text("\n".join(self.said), encoding="utf-8")

    def look(self) -> None:
        """Note what has failed meanwhile."""
        for what, future in [one for one in self._under_way if one[1].done()]:
            self._under_way.remove((what, future))
            error = future.exception()
            if error is not None:
                log.error("%s failed", what, exc_info=error)
                self.violations.append(Violation("chores", f"{what}: {error!r}"))

    def finish(self) -> None:
        """Wait for what is under way."""
        wait([future for _what, future in self._under_way])
        self.look()

    def close(self) -> None:
        """End the threads; what has not begun is left out."""
        self._camera.shutdown(cancel_futures=True)
        self._threads.shutdown(cancel_futures=True)

    def _arena(self) -> None:
        self.arena_id = self.server.open_arena(self.minutes * ARENA_PART)
        self.tell(self.bot.command("ctl", "tournament", self.arena_id))

    def _photograph(self, name: str) -> None:
        if not self.pictures:
            return
        shot = screens.take(self.bot.dashboard_url, self.folder / "screens", name)
        running = self.server.truth().running
        self.shots.append(shot)
        for game_id in set(shot.games) - running.keys():
            if all(game.game_id != game_id or time.monotonic() - game.ended_s > 20 for game in self.server.ended):
                self.violations.append(
                    Violation("page_is_fresh", f"{name}: the page shows it, but it is over", game_id)
                )
        self.violations += [Violation("page_without_errors", f"{name}: {text}") for text in shot.errors]
