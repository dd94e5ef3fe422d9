"""A day: guests come by the timetable, the operator looks after the bot, what it reports is compared with the truth."""

from __future__ import annotations

import json
import os
import time
from collections import Counter, deque
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from benchmarks.soak import evidence, invariants, process_invariants
from benchmarks.soak.day.bot import DayBot
from benchmarks.soak.day.chores import Chores
from benchmarks.soak.day.screens import browser_is_here
from benchmarks.soak.day.server import DayServer, Truth
from benchmarks.soak.day.summary import Day, account_of
from benchmarks.soak.day.timetable import Visit, draw_visits, moments
from benchmarks.soak.day.watch import Lasting, Sample, differences, fetch, fetch_state, read_metrics
from benchmarks.soak.evidence import outputs, read_records
from benchmarks.soak.runner import LATE_S, TICK_S

LOOK_EVERY_S = 3.0
TELL_EVERY_S = 30.0
READY_S = 300.0
SETTLE_S = 45.0
END_S = 240.0


@dataclass(frozen=True)
class Options:
    """`small`: the soak's engine instead of engine88. `pictures`: take them where there is a browser.

    `operator`: whether commands are given, an arena is opened and the server restarts.
    """

    minutes: float
    seed: int
    concurrency: int = 5
    small: bool = False
    pictures: bool = True
    operator: bool = True


class DayRun:
    """Runs one day; everything that it leaves is in the folder."""

    def __init__(self, options: Options, folder: Path, stream: TextIO) -> None:
        """Start server and bot; the day begins with `run`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.options, self.folder, self.stream = options, folder, stream
        self.token = f"lip_day{options.seed:x}k4m8x2v6b0"
        self.server = DayServer(options.seed, self.token)
        self.bot = DayBot(
            self.server.url, self.token, folder, options.concurrency, small=options.small, end_s=options.minutes * 60
        )
        pictures = options.pictures and browser_is_here()
        self.chores = Chores(self.bot, self.server, folder, options.minutes, pictures=pictures)
        self.visits = deque(draw_visits(options.seed, options.minutes))
        self.moments = deque(moments(options.minutes) if options.operator else ())
        self.cancels: list[tuple[float, Visit, str]] = []
        self.day = Day(options.seed, options.minutes, datetime.now(UTC).isoformat(timespec="seconds"))
        self.lasting = Lasting()
        self.samples: list[evidence.Sample] = []
        self.stalls: list[evidence.Stall] = []
        self._looked_s = self._told_s = 0.0
        self._seen = 0

    def run(self) -> Day:
        """Live through the day; gives its account, which is also written."""
        self.bot.start()
        try:
            self._wait_until_ready()
            self._began_s = self._ticked_s = time.monotonic()
            while time.monotonic() - self._began_s < self.options.minutes * 60 and self.bot.running:
                self._tick()
                time.sleep(TICK_S)
            self._end()
        finally:
            self.chores.close()
            self.bot.kill()
            self.server.close()
        return self.day

    def _wait_until_ready(self) -> None:
        deadline_s = time.monotonic() + READY_S
        while not (self.server.fake.is_online("bot88") and self.bot.dashboard_url):
            if not self.bot.running or time.monotonic() > deadline_s:
                raise RuntimeError(f"the bot did not start; see {self.folder}/bot-001.log")
            time.sleep(0.1)

    # ---- in the course of the day

    @property
    def now_s(self) -> float:
        """Time since the day began."""
        return time.monotonic() - self._began_s

    def _tick(self) -> None:
        late_s = time.monotonic() - self._ticked_s - TICK_S
        if late_s > LATE_S:
            self.stalls.append(evidence.Stall(time.monotonic(), late_s))
        while self.visits and self.visits[0].at_s <= self.now_s:
            self._receive(self.visits.popleft())
        for entry in [entry for entry in self.cancels if entry[0] <= self.now_s]:
            self.cancels.remove(entry)
            self.day.cancelled += self.server.cancel(entry[1], entry[2])
        while self.moments and self.moments[0].at_s <= self.now_s:
            self.chores.begin(self.moments.popleft())
        self.chores.look()
        if self.now_s - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = self.now_s
            self._look()
        self._ticked_s = time.monotonic()

    def _receive(self, visit: Visit) -> None:
        challenge_id = self.server.challenge(visit)
        self.day.visits[visit.kind] += 1
        self.day.visitors[visit.visitor.kind] += 1
        if challenge_id is not None and visit.cancel_after_s is not None:
            self.cancels.append((self.now_s + visit.cancel_after_s, visit, challenge_id))

    def _look(self) -> None:
        """Look at dashboard, metrics and process, and at the server before and after."""
        before = self.server.truth()
        quick = [game_id for game_id, game in before.running.items() if not game.days]
        self._check(invariants.never_above_concurrency(quick, self.options.concurrency))
        sample = self.bot.sample(len(before.running))
        self.samples += [sample] if sample is not None else []
        self._check(invariants.moves_fit(self.server.log.posts[self._seen :]))
        self._seen = len(self.server.log.posts)
        try:
            found = self._sample(before)
        except OSError as error:
            found = {"dashboard": f"does not answer: {error}"}
        late = self.lasting.note(found, time.monotonic())
        self._check(evidence.Violation("tells_the_truth", f"{name}: {text}") for name, text in late.items())
        self._tell(before)

    def _sample(self, before: Truth) -> dict[str, str]:
        url = self.bot.dashboard_url
        state, metrics = fetch_state(url), read_metrics(fetch(f"{url}/metrics").decode())
        after = self.server.truth()
        self.day.samples += 1
        if before.down or after.down:
            self.lasting.pause()
            return {}
        found = differences(Sample(before, after, state, metrics))
        self.day.differences.update(name.partition(":")[0] for name in found)
        (self.folder / "metrics.txt").write_text("\n".join(f"{k} {v:g}" for k, v in metrics.items()) + "\n")
        return found

    def _tell(self, truth: Truth) -> None:
        if self.now_s - self._told_s >= TELL_EVERY_S:
            self._told_s = self.now_s
            wrong = len(self.day.violations)
            self.stream.write(
                f"{self.now_s / 60:.1f} of {self.options.minutes:g} min: {len(truth.running)} games run,"
                f" {len(self.server.ended)} ended, {truth.declined} challenges declined, {wrong} violations\n"
            )
            self.stream.flush()

    def _check(self, found: Any) -> None:
        for violation in found:
            self.day.violations.append(asdict(violation) | {"at_s": round(self.now_s, 1)})
            self.stream.write(f"{self.now_s:.0f} s: {violation.invariant} {violation.game_id}: {violation.text}\n")

    # ---- the evening

    def _end(self) -> None:
        """Let the figures settle, end the bot while games run, and judge."""
        self.day.ended_by_itself = not self.bot.running
        self.chores.finish()
        engines = set(self.bot.engines())
        self.day.running_at_the_end = len(self.server.truth().running)
        status = self.bot.end(END_S)
        self.day.exit_status, self.day.ending_s = status, round(self.now_s - self.options.minutes * 60, 1)
        self._check(self.chores.violations)
        self._judge(status, engines)
        self.chores.tell(self.bot.command("games"))
        self.chores.tell(self.bot.command("stats"))
        self._account()

    def _judge(self, status: int | None, engines: set[int]) -> None:
        games, server = self.server.ended, self.server
        running = server.truth().running
        records = invariants.without_running(read_records(self.folder / "store.sqlite3", self.folder / "pgn"), running)
        lines = self.bot.log_lines()
        self._check(invariants.kept_once(games, records))
        self._check(invariants.not_lost_on_time(games, (), self.stalls))
        self._check(invariants.silent_after_the_end(server.log.posts, games))
        self._check(invariants.within_limits(server.log.refused))
        self._check(invariants.no_fault_of_ours(games, server.aborted_by_us()))
        self._check(invariants.log_is_calm(lines))
        self._check(process_invariants.ends_cleanly(status, lines))
        self._check(process_invariants.resources_flat(self.samples))
        self._check(process_invariants.no_engine_left(engines & alive(engines), "after SIGTERM"))
        self._check(invariants.no_secret(self.token, outputs(self.folder)))

    def _account(self) -> None:
        day, server = self.day, self.server
        day.games = list(server.ended)
        day.declined, day.declined_to_us = server.declined(), server.declined_to_us()
        day.said, day.requests, day.faults = server.said(), Counter(server.log.counts), Counter(server.log.faults)
        day.refused_by_server = server.refused
        day.longest = {name: round(seconds) for name, seconds in self.lasting.longest_s.items() if seconds > 0}
        day.speeds = Counter(server.played[game.game_id].spec.speed for game in server.ended)
        day.arena_games = sum(server.played[game.game_id].spec.tournament_id is not None for game in server.ended)
        day.rematches = sum(server.played[game.game_id].spec.rematch_of is not None for game in server.ended)
        day.shots = [str(file) for shot in self.chores.shots for file in shot.files]
        day.load = os.getloadavg()[0]
        day.memory_mib = max((sample.rss_mib for sample in self.samples), default=0.0)
        lines = [json.dumps(line, ensure_ascii=True) + "\n" for line in day.said]
        (self.folder / "chat.jsonl").write_text("".join(lines), encoding="utf-8")
        (self.folder / "day.txt").write_text(account_of(day), encoding="utf-8")


def alive(pids: set[int]) -> set[int]:
    """Those that still run a moment later."""
    deadline_s = time.monotonic() + SETTLE_S / 3
    while (left := {pid for pid in pids if Path(f"/proc/{pid}").exists()}) and time.monotonic() < deadline_s:
        time.sleep(0.2)
    return left
