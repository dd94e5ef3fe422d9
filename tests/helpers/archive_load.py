"""A store under load: filled with thousands of games, and with a disk that takes nothing for a while."""

from __future__ import annotations

import sqlite3
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import chess

from bot.account.account_facts import recent_games_with
from bot.archive.game_record import GameRecord
from bot.archive.look_up import GameLookUp
from bot.archive.recorder import GameRecorder
from bot.archive.store import Store, read_games
from bot.dashboard.history import MOST_GAMES, History
from bot.engine_pool import Answer
from bot.events import GameExport
from tests.helpers.finished_games import record

#: An ordinary game with clocks, scores and sources has about this size.
PGN_BYTES = 4000
GAP_S = 300.0  # between the ends of two games


def fill(path: Path, games: int) -> None:
    """Write a store with so many games, the newest of which ended now."""
    store = Store(path)
    pgn = '[Event "Rated blitz game"]\n[White "me"]\n[Black "them"]\n\n' + "1. e4 { [%clk 0:02:59] } " * (
        PGN_BYTES // 26
    )
    now_s = time.time()
    for start in range(0, games, 1000):
        for number in range(start, min(games, start + 1000)):
            store.record_game(replace(a_game(number, now_s - (games - 1 - number) * GAP_S), pgn=pgn))
        assert store.flush(600.0)
    store.close()


def a_game(number: int, ended_s: float) -> GameRecord:
    """A game against one of a hundred opponents."""
    name, is_bot = f"opponent{number % 100}", bool(number % 2)
    return record(
        f"g{number:07}", opponent_id=name, opponent=name, opponent_is_bot=is_bot, plies=60, ended_s=ended_s,
        my_rating=2000, opponent_rating=1900, eco="C20", opening="King's Pawn Game",
    )  # fmt: skip


def fastest_ms(act: Callable[[], object], times: int = 5) -> float:
    """The shortest time of several runs."""
    found = []
    for _ in range(times):
        begun_s = time.perf_counter()
        act()
        found.append((time.perf_counter() - begun_s) * 1000)
    return min(found)


def rule_ms(path: Path) -> float:
    """The time that the rule "games with this opponent today" takes."""
    store = Store(path)
    try:
        return fastest_ms(lambda: recent_games_with(store, "opponent7", 86_400.0))
    finally:
        store.close()


def refresh_ms(path: Path) -> float:
    """The time that the dashboard needs to read what has changed since its last look."""
    store = Store(path)
    history = History(lambda since_s: store.games(since_s, newest=MOST_GAMES))
    now_s = time.monotonic()
    history.look(now_s)
    looks = iter(range(1, 100))
    try:
        return fastest_ms(lambda: (history.look(now_s + 60.0 * next(looks)), store.outcomes(time.time() - 43_200.0)))
    finally:
        store.close()


def keep_notes_while_locked(path: Path, notes: int, games: int) -> tuple[float, int]:
    """Hand over so many search notes and then games while another program locks the store, then unlock it.

    Returns how many megabytes they took meanwhile, and how many games are kept in the end.
    """
    store = Store(path)
    recorder = GameRecorder(store, GameLookUp(lambda game_id: GameExport(game_id, "started")), "me", "", bool)
    answer = Answer(chess.Move.from_uci("e2e4"), info_line="info depth 12 score cp 30", engine="tiny")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        tracemalloc.start()
        for number in range(notes):
            recorder.answered(f"g{number % 50:07}", 10, answer)
        megabytes = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        for number in range(games):
            store.record_game(a_game(number, time.time()))
        other.rollback()
    store.flush(60.0)
    store.close()
    return megabytes, len(read_games(path))
