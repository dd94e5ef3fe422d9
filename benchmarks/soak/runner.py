"""One part of a run: the loop that challenges, kills, looks, and checks while it goes on and at the end."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.soak import invariants, process_invariants
from benchmarks.soak.bot_process import BotProcess
from benchmarks.soak.evidence import EndedGame, Outage, Sample, Stall, Violation, outputs, read_records, read_searches
from benchmarks.soak.plan import Profile, plan_game
from benchmarks.soak.progress import Progress
from benchmarks.soak.report import Report
from benchmarks.soak.server import Look, SoakServer

TICK_S = 0.05
LATE_S = 0.1  # a tick takes a hundredth of a second where the machine is not busy
SAMPLE_EVERY_S = 2.0
REPORT_EVERY_S = 10.0
WAITING = 2  # challenges beyond the slots, so that the bot is always asked for more than it may play
STUCK_S = 600.0
ENGINES_END_S = 15.0
SETTLE_S = 90.0
SPARES = 1


@dataclass(frozen=True)
class Options:
    """What is played; `minutes` ends a part early, None for no limit."""

    profile_name: str
    profile: Profile
    games: int
    concurrency: int
    seed: int
    clock: tuple[float, float]
    minutes: float | None = None

    @property
    def shared(self) -> dict[str, Any]:
        """The settings that all parts of a run have in common."""
        limit, increment = self.clock
        return {
            "profile": self.profile_name,
            "concurrency": self.concurrency,
            "seed": self.seed,
            "clock": "mixed" if self.profile.mixed else f"{limit:g}+{increment:g}",
            "kill_every_s": self.profile.kill_every_s,
            "restart_every_s": self.profile.restart_every_s,
        }


def closed(outage: Outage, ready_s: float) -> Outage:
    """The outage with the time at which the bot was back, if it is; `ready_s` is when it was last seen to be ready."""
    if outage.ready_s is None and ready_s > outage.killed_s:
        return replace(outage, ready_s=ready_s)
    return outage


class Part:
    """Plays the games from `first` on; the bot's files are in `folder`, the report beside it."""

    def __init__(self, options: Options, folder: Path, first: int, progress: Progress) -> None:
        """Start the server; the bot starts with `run`."""
        self.options, self.folder, self.progress = options, folder, progress
        self.stopping = False
        self.next_game = first
        self.token = f"lip_soak{options.seed:x}q7w3e9r5t1"
        self.server = SoakServer(options.profile, options.seed + first, options.concurrency + WAITING, self.token)
        self.bot = BotProcess(self.server.url, self.token, folder, options.concurrency)
        self.games: list[EndedGame] = []
        self.samples: list[Sample] = []
        self.outages: list[Outage] = []
        self.stalls: list[Stall] = []
        self.doomed: list[tuple[float, set[int]]] = []
        self.report = Report(options.shared, first, datetime.now(UTC).isoformat(timespec="seconds"))
        self.checks: Counter[str] = Counter()
        self._seen_posts = 0
        self._seen_refusals = 0

    def run(self) -> Report:
        """Play, check, end; the report is written every few seconds and at the end."""
        self._began_s = self._moved_s = self._killed_s = time.monotonic()
        self._ticked_s = self._began_s
        self._sampled_s = self._reported_s = 0.0
        self.bot.start()
        try:
            while self._tick():
                time.sleep(TICK_S)
            self._finish()
        finally:
            self.bot.kill()
            self.server.close()
        self.report.complete = True
        self._write()
        return self.report

    # ---- while it runs

    def _tick(self) -> bool:
        look, now_s = self.server.look(), time.monotonic()
        if (late_s := now_s - self._ticked_s - TICK_S) > LATE_S:
            self.stalls.append(Stall(now_s, late_s))
        self._ticked_s = now_s
        self.games += look.ended
        if look.ended:
            self._moved_s = now_s
        self.check("never_above_concurrency", invariants.never_above_concurrency, look.clocks_ms, self._concurrency)
        for game in look.ended:
            self._judge(game)
        if now_s - self._sampled_s >= SAMPLE_EVERY_S:
            self._sampled_s = now_s
            self._look_at_process(look)
        self._disturb(look, now_s)
        more = self._begin_games(now_s)
        if now_s - self._reported_s >= REPORT_EVERY_S:
            self._reported_s = now_s
            self._write()
        note = f"{self.report.kills} kills" if self.options.profile.kill_every_s else ""
        self.progress.show(len(self.games), len(look.clocks_ms), len(self.report.violations), note)
        return more and now_s - self._moved_s < STUCK_S

    @property
    def _concurrency(self) -> int:
        return self.options.concurrency

    def _begin_games(self, now_s: float) -> bool:
        """Challenge with every free opponent while there are games to play; False when all have ended."""
        over = self.options.minutes is not None and now_s - self._began_s > self.options.minutes * 60
        for seat in self.server.seats:
            if seat.plan is None and self.next_game <= self.options.games and not (self.stopping or over):
                plan = plan_game(self.options.seed, self.next_game, self.options.clock, self.options.profile)
                self.server.challenge(seat, plan)
                self.next_game += 1
        return any(seat.plan is not None for seat in self.server.seats)

    def _judge(self, game: EndedGame) -> None:
        self.check("ended_properly", invariants.ended_properly, [game])
        self.check("not_lost_on_time", invariants.not_lost_on_time, [game], self.outages, self.stalls)
        reason = invariants.excuse(game, self.outages, self.stalls)
        if game.status == "outoftime" and game.lost and reason:
            self.report.excused.append({"game_id": game.game_id, "text": reason})

    def _look_at_process(self, look: Look) -> None:
        posts, refused = self.server.log.posts, self.server.log.refused
        self.check("moves_fit", invariants.moves_fit, posts[self._seen_posts :])
        self.check("within_limits", invariants.within_limits, refused[self._seen_refusals :])
        self._seen_posts, self._seen_refusals = len(posts), len(refused)
        sample = self.bot.sample(len(look.clocks_ms))
        if sample is not None and not self.doomed:
            self.samples.append(sample)
            self.check("connections_bounded", process_invariants.connections_bounded, sample, self._concurrency)
            latest = self.samples[-process_invariants.TRANSIENT_SAMPLES :]
            self.check("engines_bounded", process_invariants.engines_bounded, latest, self._concurrency + SPARES)

    def _disturb(self, look: Look, now_s: float) -> None:
        """Kill the bot when it is time, start it again, see that its engines went with it."""
        self.outages = [closed(outage, self.server.log.ready_s) for outage in self.outages]
        for deadline_s, pids in [one for one in self.doomed if one[0] <= now_s]:
            self.doomed.remove((deadline_s, pids))
            left = pids & set(self.bot.engines())
            self.check("no_engine_left", process_invariants.no_engine_left, left, "after SIGKILL")
        every_s = self.options.profile.kill_every_s
        if every_s is not None and now_s - self._killed_s >= every_s:
            self._killed_s = now_s
            self.report.kills += 1
            self._kill(look)
        elif not self.bot.running:
            self.violate(Violation("stays_alive", f"the bot ended unasked in life {self.bot.lives}"))
            self._kill(look)

    def _kill(self, look: Look) -> None:
        self.doomed.append((time.monotonic() + ENGINES_END_S, set(self.bot.engines())))
        self.outages.append(Outage(time.monotonic(), None, look.clocks_ms))
        self.bot.kill()
        self.bot.start()

    # ---- at the end

    def _finish(self) -> None:
        unfinished = [seat.challenge_id for seat in self.server.seats if seat.plan is not None]
        self.check("ended_properly", invariants.ended_properly, [], unfinished)
        store, pgn = self.folder / "store.sqlite3", self.folder / "pgn"
        deadline_s = time.monotonic() + SETTLE_S
        while time.monotonic() < deadline_s and invariants.kept_once(self.games, read_records(store, pgn)):
            time.sleep(1)
        pids = set(self.bot.engines())
        exit_code = self.bot.end()
        deadline_s = time.monotonic() + ENGINES_END_S
        while pids & set(self.bot.engines()) and time.monotonic() < deadline_s:
            time.sleep(0.2)
        self.check("no_engine_left", process_invariants.no_engine_left, self.bot.engines(), "after SIGTERM")
        self.check("ends_cleanly", process_invariants.ends_cleanly, exit_code, self.bot.log_lines())
        self.check("kept_once", invariants.kept_once, self.games, read_records(store, pgn))
        self.check("silent_after_the_end", invariants.silent_after_the_end, self.server.log.posts, self.games)
        searches = read_searches(self.bot.engine_log)
        self.check("moves_are_the_engines", process_invariants.moves_are_the_engines, self.games, searches)
        self.check("engines_not_shared", process_invariants.engines_not_shared, self.games, searches)
        self.check("resources_flat", process_invariants.resources_flat, self.samples)
        lines = [json.dumps(asdict(sample)) + "\n" for sample in self.samples]
        (self.folder / "samples.jsonl").write_text("".join(lines), encoding="utf-8")
        self.check("no_secret", invariants.no_secret, self.token, outputs(self.folder))

    # ---- the report

    def check(self, name: str, invariant: Callable[..., list[Violation]], *evidence: object) -> None:
        """Count one check, and keep and show what it finds."""
        self.checks[name] += 1
        for violation in invariant(*evidence):
            self.violate(violation)

    def violate(self, violation: Violation) -> None:
        """Keep and show a violation."""
        at_s = round(time.monotonic() - self._began_s, 1)
        self.report.violations.append(asdict(violation) | {"at_s": at_s})
        self.progress.tell(f"{at_s} s: {violation.invariant} {violation.game_id}: {violation.text}")

    def _write(self) -> None:
        report, log = self.report, self.server.log
        report.wall_s = round(time.monotonic() - self._began_s, 1)
        report.finished = len(self.games)
        report.moves = sum(len(game.moves) for game in self.games)
        report.server_restarts = self.server.restarts
        report.statuses = dict(Counter(game.status for game in self.games))
        outcome = {True: "lost", False: "won"}
        report.results = dict(Counter(outcome[game.lost] if game.winner else "drawn" for game in self.games))
        report.faults, report.requests = dict(log.faults), dict(log.counts)
        report.declined, report.checks = dict(self.server.declined), dict(self.checks)
        for name in ("rss_mib", "threads", "descriptors", "sockets", "engines", "games"):
            most = max((getattr(sample, name) for sample in self.samples), default=0)
            report.figures[name] = round(most, 1)
        report.figures["held_up_s"] = round(sum(stall.seconds for stall in self.stalls), 1)
        report.figures["load"] = max(report.figures.get("load", 0.0), round(os.getloadavg()[0], 1))
        report.write(self.folder.with_suffix(".json"))
