"""What must hold of the processes: engines, memory, threads, log. Functions from evidence to violations."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from benchmarks.soak.evidence import EndedGame, Sample, Search, Violation, position_key

#: An engine process that failed takes some seconds to end, and its successor does not wait for that.
TRANSIENT_SAMPLES = 4
#: A game may have its stream, a move that hangs and two copies of it; a stream that is replaced is just ending.
PER_GAME = 4
#: Connections beside these: the bot's pool keeps 16 (bot/service/service.py), some more may be on their way out.
CONNECTIONS = 24
WARM_UP_S = 60.0
MIN_SAMPLES = 40
#: How far the median of the second half may lie above that of the first: MiB, threads, descriptors.
GROWTH = {"rss_mib": 8.0, "threads": 4.0, "descriptors": 8.0}


def moves_are_the_engines(games: Iterable[EndedGame], searches: Iterable[Search]) -> list[Violation]:
    """Each move of ours is what an engine answered to exactly the moves before it."""
    answers = {(search.ply, search.key, search.move) for search in searches}
    found = []
    for game in games:
        key = 0
        for ply, uci in enumerate(game.moves):
            if game.is_ours(ply) and (ply, key, uci) not in answers:
                text = f"no engine answered {uci} after {ply} plies"
                found.append(Violation("moves_are_the_engines", text, game.game_id))
            key = position_key((uci,), key)
    return found


def engines_not_shared(games: Iterable[EndedGame], searches: Iterable[Search]) -> list[Violation]:
    """No process serves a second game before it has done with the first."""
    owners: dict[tuple[int, int], set[str]] = {}
    for game in games:
        key = 0
        for ply, uci in enumerate(game.moves):
            owners.setdefault((ply, key), set()).add(game.game_id)
            key = position_key((uci,), key)
    found = []
    for pid, own in groupby(sorted(searches, key=lambda one: (one.pid, one.at_s)), key=lambda one: one.pid):
        served: list[str] = []
        for game_id in _games_in_turn(list(own), owners):
            if game_id in served and served[-1] != game_id:
                found.append(Violation("engines_not_shared", f"process {pid} served other games between", game_id))
            served.append(game_id)
    return found


def _games_in_turn(searches: Sequence[Search], owners: Mapping[tuple[int, int], set[str]]) -> list[str]:
    """The games of one process in order, as far as the positions show which is which."""
    turns: list[list[Search]] = []
    for search in searches:
        if search.first or not turns:
            turns.append([])
        turns[-1].append(search)
    found: list[str] = []
    for turn in turns:
        owned = [owners.get((search.ply, search.key), set()) for search in turn]
        common = set.intersection(*owned)
        if len(common) == 1:
            found.append(common.pop())
        elif not common:  # several games under one `ucinewgame`
            found += [next(iter(own)) for own in owned if len(own) == 1]
    return found


def engines_bounded(latest: Sequence[Sample], most: int) -> list[Violation]:
    """Never more engine processes than slots and spares, but while one that failed is being ended."""
    if len(latest) < TRANSIENT_SAMPLES or any(sample.engines <= most for sample in latest):
        return []
    fewest = min(sample.engines for sample in latest)
    return [Violation("engines_bounded", f"{fewest} engine processes, {most} are slots and spares")]


def connections_bounded(sample: Sample, concurrency: int) -> list[Violation]:
    """No more connections than the bot's pool keeps and its streams need."""
    most = PER_GAME * concurrency + CONNECTIONS
    if sample.sockets <= most:
        return []
    return [Violation("connections_bounded", f"{sample.sockets} connections are open, {most} are explained")]


def no_engine_left(left: Collection[int], after: str) -> list[Violation]:
    """No engine outlives the bot."""
    return [Violation("no_engine_left", f"{sorted(left)} still run {after}")] if left else []


def resources_flat(samples: Iterable[Sample]) -> list[Violation]:
    """Memory, threads and descriptors do not grow in any life of the bot that lasts long enough to judge."""
    found = []
    for life, group in groupby(samples, key=lambda one: one.life):
        own = list(group)
        settled = [one for one in own if one.at_s - own[0].at_s >= WARM_UP_S and one.games > 0]
        if len(settled) < MIN_SAMPLES:
            continue
        early, late = settled[: len(settled) // 2], settled[len(settled) // 2 :]
        for name, allowed in GROWTH.items():
            first, second = (statistics.median(getattr(one, name) for one in half) for half in (early, late))
            if second - first > allowed:
                text = f"{name} grew from {first:.0f} to {second:.0f} in life {life}"
                found.append(Violation("resources_flat", text))
    return found


def ends_cleanly(exit_code: int | None, log: Iterable[str]) -> list[Violation]:
    """SIGTERM ends the bot with status 0, and its log holds no traceback."""
    found = [] if exit_code == 0 else [Violation("ends_cleanly", f"exit status {exit_code} after SIGTERM")]
    traces = sum("Traceback (most recent call last)" in line for line in log)
    return found + ([Violation("ends_cleanly", f"{traces} tracebacks in the log")] if traces else [])
